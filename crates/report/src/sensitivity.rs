//! Results of a sensitivity study: `indices.parquet` and `indices.json`, pictures, a report, a
//! table for the terminal.

mod report_page;

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{BandPlot, BarPlot, LinePlot};
use kuva::render::plots::Plot;
use rayon::prelude::*;
use report_page::{lines, render, rows_of};
use serde_json::{Value, json};

use super::answer::StudyAnswer;
use super::axes::{AxisScaling, SERIES, layout};
use super::cards::INDICES;
use super::error::OutputError;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::numbers::{number, words};
use super::picture::Sketch;
use super::report_data::FailedInstance;
use super::report_data::expected;
use super::table::{ColumnLabel, float_array, integer_array, text_array};
use polhode_description::base::{Precision, capital, grouped};
use polhode_description::describe::{Screening, Sensitivity, Study};
use polhode_engine::observe::Share;
use polhode_engine::observe::indices::{Answer, Estimate, pairs};

pub const INDICES_JSON: &str = "indices.json";

/// The largest number of inputs whose curves a reader can distinguish in a picture.
const CURVES: usize = 8;

/// So many times the samples are advised at most, or that of so many: more would not be run.
const MOST_TIMES: u64 = 64;
const OF_SAMPLES: u64 = 1024;
/// Below this share of whole rows it is the missing values that leave indices unknown.
const MOST_WHOLE: f64 = 0.5;

/// Half the width of an interval below which inputs can be ranked: of shares of the variance, and
/// of mu* in parts of the largest, which is there to tell what matters from what does not.
fn well_known(method: Screening) -> f64 {
    match method {
        Screening::Sobol { .. } => 0.05,
        Screening::Morris { .. } => 0.2,
    }
}

/// An output: a channel component, and which of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// By position.
    pub column: usize,
    pub when: When,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    End,
    /// The highest of all snapshots.
    Highest,
    Lowest,
    /// A snapshot (s).
    At(f64),
}

impl When {
    /// As tables name it.
    fn name(self) -> &'static str {
        match self {
            When::End => "end",
            When::Highest => "highest",
            When::Lowest => "lowest",
            When::At(_) => "time",
        }
    }

    /// Returns the words for a quantity at this time, for people.
    fn of(self, quantity: &str) -> String {
        match self {
            When::End => format!("{quantity} at the end"),
            When::Highest => format!("highest {quantity}"),
            When::Lowest => format!("lowest {quantity}"),
            When::At(time) => format!("{quantity} at t = {} s", number(time)),
        }
    }
}

/// The indices of an output at the end from the first rows alone.
pub struct IndexConvergence {
    pub column: usize,
    pub rows: usize,
    pub answer: Answer,
}

/// All that was found.
pub struct SensitivityFindings {
    pub inputs: Vec<String>,
    pub columns: Vec<ColumnLabel>,
    /// The instances that have a value at the end, by column.
    pub at_end: Vec<Share>,
    /// End, highest, lowest.
    pub outputs: Vec<(Output, Answer)>,
    /// All columns at each chosen snapshot.
    pub in_time: Vec<(Output, Answer)>,
    /// Indices of each column, from few rows to all.
    pub convergence: Vec<IndexConvergence>,
}

pub struct SensitivityReport<'a> {
    pub study: &'a Study,
    pub study_toml: &'a str,
    pub asked: Sensitivity,
    pub found: &'a SensitivityFindings,
    pub failures: &'a [FailedInstance],
}

impl SensitivityReport<'_> {
    /// All but the table of instances, which the run has written before.
    pub fn answer(&self, manifest: &Manifest) -> StudyAnswer<'_> {
        let columns = 0..self.found.columns.len();
        StudyAnswer {
            study: self.study,
            study_toml: self.study_toml,
            tables: vec![(&INDICES, Box::new(|file| write_indices(file, self)))],
            data: Some((INDICES_JSON, as_json(self))),
            draw: Box::new(|_, _| {
                let sketches: Vec<Sketch> = columns.flat_map(|column| sketches(self, column)).collect();
                Ok(sketches.into_par_iter().map(Sketch::render).collect())
            }),
            report: Box::new(|manifest, pictures| render(self, manifest, &pictures.0)),
            found: lines(self, manifest),
            fan: None,
        }
    }

    /// The columns that the study asks for by name, its outcomes, and all others; without outcomes
    /// all are asked for.
    fn asked_and_others(&self) -> (Vec<usize>, Vec<usize>) {
        let outcomes = &self.study.mechanism.outcomes;
        let is_asked = |column: &usize| {
            let name = self.found.columns[*column].name();
            let name = name.strip_suffix(".time").unwrap_or(&name);
            outcomes.is_empty() || outcomes.iter().any(|outcome| outcome.name == name)
        };
        (0..self.found.columns.len()).partition(is_asked)
    }

    /// The instances and rows behind the indices of an output that not all finished instances have.
    fn lacking(
        &self,
        manifest: &Manifest,
        output: Output,
        answer: &Answer,
        grouped: fn(u64) -> String,
    ) -> Option<String> {
        let share = self.found.at_end[output.column];
        let expected = expected(self.study, manifest, &self.found.columns[output.column]);
        if output.when != When::End || share.count >= expected {
            return None;
        }
        let (counted, rows) = (grouped(answer.rows as u64), grouped((answer.rows + answer.left_out) as u64));
        let sentence = share.sentence(grouped);
        Some(match answer.rows {
            0 => {
                format!(
                    "{sentence}; there are no indices, because in none of {rows} rows all instances have one"
                )
            }
            _ => format!(
                "{sentence}; the indices are those of {counted} of {rows} rows, in which all instances have \
                 one"
            ),
        })
    }
}

/// Returns the words for an index, for people.
fn index_words(name: &str) -> &'static str {
    match name {
        "total" => "total index",
        "first" => "first-order index",
        "mu_star" => "μ*",
        "mu" => "μ",
        _ => "σ",
    }
}

/// One row an index.
fn write_indices(file: &NewFile, report: &SensitivityReport<'_>) -> Result<(), OutputError> {
    struct Row<'a> {
        column: &'a ColumnLabel,
        when: When,
        input: &'a str,
        with: &'a str,
        index: &'static str,
        rows: usize,
        left_out: usize,
        estimate: Estimate,
    }
    let found = report.found;
    let at_end = |c: &IndexConvergence| Output { column: c.column, when: When::End };
    let all_rows = found.outputs.first().map_or(0, |(_, answer)| answer.rows + answer.left_out);
    let parts = found.convergence.iter().filter(|c| c.rows < all_rows).map(|c| (at_end(c), &c.answer));
    let all =
        found.outputs.iter().chain(&found.in_time).map(|(output, answer)| (*output, answer)).chain(parts);
    let mut rows = Vec::new();
    for (output, answer) in all {
        let mut row = |input: usize, with: &'static str, index, estimate| {
            rows.push(Row {
                column: &found.columns[output.column],
                when: output.when,
                input: &found.inputs[input],
                with,
                index,
                rows: answer.rows,
                left_out: answer.left_out,
                estimate,
            });
        };
        for measure in &answer.measures {
            measure
                .of
                .iter()
                .enumerate()
                .for_each(|(input, estimate)| row(input, "", measure.name, *estimate));
        }
        for ((j, l), estimate) in pairs(found.inputs.len()).zip(&answer.pairs) {
            rows.push(Row {
                column: &found.columns[output.column],
                when: output.when,
                input: &found.inputs[j],
                with: &found.inputs[l],
                index: "second",
                rows: answer.rows,
                left_out: answer.left_out,
                estimate: *estimate,
            });
        }
    }
    let unit = |row: &Row<'_>| match report.asked.method {
        Screening::Sobol { .. } => "1".to_owned(),
        Screening::Morris { .. } => row.column.unit.clone(),
    };
    let mut table = INDICES.create(file, &[], [])?;
    let units: Vec<String> = rows.iter().map(unit).collect();
    let time = |row: &Row<'_>| match row.when {
        When::At(time) => time,
        _ => f64::NAN,
    };
    table.write(vec![
        text_array(rows.iter().map(|row| row.column.channel.as_str())),
        text_array(rows.iter().map(|row| row.column.component.as_str())),
        text_array(rows.iter().map(|row| row.when.name())),
        float_array(rows.iter().map(time), Precision::F64),
        text_array(rows.iter().map(|row| row.input)),
        text_array(rows.iter().map(|row| row.with)),
        text_array(rows.iter().map(|row| row.index)),
        text_array(units.iter().map(String::as_str)),
        integer_array(rows.iter().map(|row| row.rows as u64)),
        integer_array(rows.iter().map(|row| row.left_out as u64)),
        float_array(rows.iter().map(|row| row.estimate.value), Precision::F64),
        float_array(rows.iter().map(|row| row.estimate.low), Precision::F64),
        float_array(rows.iter().map(|row| row.estimate.high), Precision::F64),
    ])?;
    table.finish()
}

/// Without the snapshots in time.
fn as_json(report: &SensitivityReport<'_>) -> Value {
    let found = report.found;
    // Numbers that are not finite become null.
    let estimate = |e: &Estimate| json!({ "estimate": e.value, "low": e.low, "high": e.high });
    let answer = |column: usize, of: &str, answer: &Answer| {
        let about = &found.columns[column];
        let inputs = found.inputs.iter().enumerate().map(|(j, input)| {
            let mut entry = json!({ "input": input });
            answer.measures.iter().for_each(|measure| entry[measure.name] = estimate(&measure.of[j]));
            entry
        });
        let pairs = pairs(found.inputs.len()).zip(&answer.pairs).map(
            |((j, l), e)| json!({ "inputs": [found.inputs[j], found.inputs[l]], "second": estimate(e) }),
        );
        json!({
            "channel": about.name(), "unit": about.unit, "of": of, "rows": answer.rows,
            "left_out": answer.left_out,
            "have_at_end": found.at_end[column].count, "instances": found.at_end[column].of,
            "inputs": inputs.collect::<Vec<_>>(), "pairs": pairs.collect::<Vec<_>>(),
        })
    };
    json!({
        "method": report.asked.method.name(),
        "samples": report.asked.samples,
        "interval": 0.95,
        "outputs": found.outputs.iter().map(|(o, a)| answer(o.column, o.when.name(), a)).collect::<Vec<_>>(),
        "convergence": found.convergence.iter().map(|c| answer(c.column, "end", &c.answer))
            .collect::<Vec<_>>(),
    })
}

/// The pictures of a channel component: bars at the end, highest, lowest, and curves in time.
fn sketches(report: &SensitivityReport<'_>, column: usize) -> Vec<Sketch> {
    let found = report.found;
    let bars = found.outputs.iter().filter(|(output, _)| output.column == column);
    let mut all: Vec<Sketch> = bars
        .filter(|(_, answer)| is_known(answer))
        .map(|(output, answer)| bars_of(report, *output, answer))
        .collect();
    let series: Vec<(f64, &Answer)> = found
        .in_time
        .iter()
        .filter_map(|(output, answer)| match output.when {
            When::At(time) if output.column == column => Some((time, answer)),
            _ => None,
        })
        .collect();
    let measures = match report.asked.method {
        Screening::Sobol { .. } => vec![0, 1],
        Screening::Morris { .. } => vec![0],
    };
    if series.iter().filter(|(_, answer)| is_known(answer)).count() > 1 {
        all.extend(measures.into_iter().map(|measure| curves_of(report, column, measure, &series)));
    }
    all
}

/// Whether the output varies.
fn is_known(answer: &Answer) -> bool {
    answer.measures[0].of.iter().any(Estimate::is_known)
}

/// The inputs by what they matter, most first.
fn ranked(answer: &Answer) -> Vec<usize> {
    let measure = &answer.measures[0].of;
    let mut inputs: Vec<usize> = (0..measure.len()).collect();
    let size = |j: usize| if measure[j].is_known() { measure[j].value } else { f64::NEG_INFINITY };
    inputs.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    inputs
}

/// Which input matters most, as far as the intervals tell: `pole.mass has most, 0.72 ± 0.21`.
fn leading(found: &SensitivityFindings, answer: &Answer) -> String {
    let measure = &answer.measures[0];
    let order = ranked(answer);
    let first = measure.of[order[0]];
    let behind = |j: &&usize| measure.of[**j].is_known() && measure.of[**j].high >= first.low;
    let input = |j: usize| found.inputs[j].as_str();
    match order[1..].iter().filter(behind).count() {
        0 => format!("{} matters most", input(order[0])),
        1 => format!("{} and {} matter most", input(order[0]), input(order[1])),
        _ => "no input stands out".to_owned(),
    }
}

fn bars_of(report: &SensitivityReport<'_>, output: Output, answer: &Answer) -> Sketch {
    const SHOWN: usize = 12;
    let found = report.found;
    let about = &found.columns[output.column];
    // Bars are drawn from below: the most, and of each input the total, on top.
    let mut shown: Vec<usize> = ranked(answer).into_iter().take(SHOWN).collect();
    shown.reverse();
    let (measures, axis, what) = match report.asked.method {
        Screening::Sobol { .. } => (vec![0, 1], None, "share of the variance (1)".to_owned()),
        Screening::Morris { .. } => {
            let values = shown.iter().flat_map(|j| answer.measures.iter().map(|m| m.of[*j].high));
            let axis = AxisScaling::over(values.chain([0.0]));
            let label = axis.label("elementary effects", &about.unit);
            (vec![0, 2], Some(axis), label)
        }
    };
    let place = |x: f64| match &axis {
        _ if !x.is_finite() => 0.0,
        Some(axis) => axis.place(x),
        None => x,
    };
    let mut bars = BarPlot::new().with_width(0.75);
    let mut errors = Vec::new();
    for j in &shown {
        let estimates: Vec<Estimate> = measures.iter().rev().map(|m| answer.measures[*m].of[*j]).collect();
        errors.extend(estimates.iter().map(|e| {
            let (value, low, high) = (place(e.value), place(e.low), place(e.high));
            ((value - low).max(0.0), (high - value).max(0.0))
        }));
        let colored = estimates
            .iter()
            .zip(SERIES[..measures.len()].iter().copied().rev())
            .map(|(e, color)| (place(e.value), color));
        bars = bars.with_group(found.inputs[*j].clone(), colored.collect::<Vec<_>>());
    }
    let names: Vec<&str> = measures.iter().map(|m| index_words(answer.measures[*m].name)).collect();
    let legend = names.iter().zip(SERIES).map(|(name, color)| LegendEntry {
        label: (*name).to_owned(),
        color: color.to_owned(),
        shape: LegendShape::Rect,
        dasharray: None,
    });
    let quantity = output.when.of(&words(&about.name()));
    let plots =
        vec![Plot::Bar(bars.with_horizontal(true).with_asymmetric_error(errors).with_error_color("#222"))];
    Sketch {
        name: format!("plots/{}_{}", about.name(), output.when.name()),
        caption: format!(
            "{quantity}: {} of each input, {}, with 95 % intervals",
            names.join(" and "),
            rows_of(answer)
        ),
        layout: layout(&plots, &format!("{}: {}", capital(&quantity), leading(found, answer)))
            .with_x_label(what)
            .with_legend_entries(legend.collect())
            .with_legend_width(190.0),
        plots,
    }
}

fn curves_of(
    report: &SensitivityReport<'_>,
    column: usize,
    measure: usize,
    series: &[(f64, &Answer)],
) -> Sketch {
    let found = report.found;
    let about = &found.columns[column];
    let at = |answer: &Answer, j: usize| answer.measures[measure].of[j];
    let mut inputs: Vec<usize> = (0..found.inputs.len()).collect();
    let known = |j: usize| series.iter().map(move |(_, answer)| at(answer, j)).filter(Estimate::is_known);
    let peak = |j: usize| known(j).map(|e| e.value).fold(f64::NEG_INFINITY, f64::max);
    inputs.sort_by(|a, b| peak(*b).total_cmp(&peak(*a)));
    let more = inputs.len().saturating_sub(CURVES);
    inputs.truncate(CURVES);
    let name = series[0].1.measures[measure].name;
    let is_share = matches!(report.asked.method, Screening::Sobol { .. });
    // Beyond, shares are noise: of an output that hardly varies yet.
    let within = |x: f64| if is_share { x.clamp(-0.1, 1.2) } else { x };
    let y = if is_share {
        AxisScaling::over([0.0, 1.0].into_iter())
    } else {
        AxisScaling::over(inputs.iter().flat_map(|j| known(*j)).flat_map(|e| [e.low, e.high]))
    };
    let x = AxisScaling::over(series.iter().map(|(time, _)| *time));
    let mut plots = Vec::new();
    let mut lines = Vec::new();
    let mut legend = Vec::new();
    for (rank, j) in inputs.iter().enumerate() {
        // An input has one colour in all pictures, where there are colours enough.
        let color = SERIES[if found.inputs.len() <= SERIES.len() { *j } else { rank }];
        let points: Vec<(f64, Estimate)> = series
            .iter()
            .map(|(time, answer)| (x.place(*time), at(answer, *j)))
            .filter(|(_, e)| e.is_known() && e.low.is_finite() && e.high.is_finite())
            .collect();
        let xs: Vec<f64> = points.iter().map(|(t, _)| *t).collect();
        let curve = |of: fn(&Estimate) -> f64| -> Vec<f64> {
            points.iter().map(|(_, e)| y.place(within(of(e)))).collect()
        };
        let band = BandPlot::new(xs.clone(), curve(|e| e.low), curve(|e| e.high));
        plots.push(Plot::Band(band.with_color(color).with_opacity(0.22)));
        let line = LinePlot::new().with_data(xs.into_iter().zip(curve(|e| e.value))).with_color(color);
        lines.push(Plot::Line(line.with_stroke_width(2.2)));
        legend.push(LegendEntry {
            label: found.inputs[*j].clone(),
            color: color.to_owned(),
            shape: LegendShape::Line,
            dasharray: None,
        });
    }
    plots.extend(lines);
    let quantity = words(&about.name());
    let index = index_words(name);
    let rest =
        if more > 0 { format!("; {more} inputs that matter less are left out") } else { String::new() };
    let longest = legend.iter().map(|entry| entry.label.chars().count()).max().unwrap_or(0);
    let title = match series.last() {
        Some((_, answer)) if is_known(answer) && name == "first" => {
            let known = answer.measures[measure].of.iter().filter(|e| e.is_known());
            let sum = known.map(|e| e.value).sum::<f64>().clamp(0.0, 1.0);
            format!(
                "{}: at the end inputs alone make {:.0} % of the variance",
                capital(&quantity),
                100.0 * sum
            )
        }
        Some((_, answer)) if is_known(answer) => {
            format!("{}: {} at the end", capital(&quantity), leading(found, answer))
        }
        _ => format!("{}: {index} in time", capital(&quantity)),
    };
    let mut layout = layout(&plots, &title)
        .with_x_label(x.label("time", "s"))
        .with_y_label(if is_share {
            "share of the variance (1)".to_owned()
        } else {
            y.label(index, &about.unit)
        })
        .with_legend_entries(legend)
        .with_legend_width(70.0 + 9.2 * longest as f64);
    if let (Some((first, _)), Some((last, _))) = (series.first(), series.last()) {
        layout = layout.with_x_axis_min(x.place(*first)).with_x_axis_max(x.place(*last));
    }
    if is_share {
        layout = layout.with_y_axis_min(-0.1).with_y_axis_max(1.2);
    }
    // Rows come and go with the values of an outcome.
    let rows = || series.iter().map(|(_, answer)| answer.rows);
    let over = match (rows().min(), rows().max(), series.last()) {
        (Some(fewest), Some(most), Some((_, last))) if fewest < last.rows + last.left_out => format!(
            "; at each time of the rows in which all instances have a value then, {} to {} of {}",
            grouped(fewest as u64),
            grouped(most as u64),
            grouped((last.rows + last.left_out) as u64)
        ),
        _ => String::new(),
    };
    Sketch {
        name: format!("plots/{}_{name}_in_time", about.name()),
        caption: format!("{quantity}: {index} of each input against time, with 95 % intervals{over}{rest}"),
        layout,
        plots,
    }
}
