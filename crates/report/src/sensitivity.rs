//! Results of a sensitivity study: `indices.parquet` and `indices.json`, pictures, a report, a
//! table for the terminal.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{BandPlot, BarPlot, LinePlot};
use kuva::render::plots::Plot;
use maud::{Markup, html};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::answer::StudyAnswer;
use super::axes::{AxisScaling, SERIES, layout};
use super::cards::INDICES;
use super::error::OutputError;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::numbers::round3;
use super::numbers::{number, with_minus, words};
use super::page::{doubts, figure, page, resolved_study};
use super::picture::{Picture, Sketch};
use super::report::{self, failures_table, lead, timings, verdict_table};
use super::report_data::FailedInstance;
use super::table::{ColumnLabel, float_array, integer_array, text_array};
use polhode_description::base::text::WIDEST;
use polhode_description::base::{Precision, capital, grouped, known_within, rounded, significant};
use polhode_description::describe::{Screening, Sensitivity, Study};
use polhode_engine::observe::Share;
use polhode_engine::observe::indices::{Answer, Estimate, RESAMPLES, pairs};

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
        if output.when != When::End || share.count >= manifest.finished(self.study) {
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

fn render(data: &SensitivityReport<'_>, manifest: &Manifest, pictures: &[Picture]) -> String {
    let mut sections = report::accuracy(manifest);
    sections.extend([
        ("Indices", indices(data, manifest, pictures)),
        ("Were there enough samples", convergence(data)),
    ]);
    if data.found.outputs.iter().any(|(_, answer)| !answer.pairs.is_empty()) {
        sections.push(("Pairs of inputs", pairs_table(data)));
    }
    if !data.failures.is_empty() {
        let ended = html! { (verdict_table(manifest)) (failures_table(data.failures, data.study)) };
        sections.push(("How the instances ended", ended));
    }
    sections.extend([
        ("What was run", what_was_run(data, manifest)),
        ("Time spent", timings(manifest)),
        ("One instance again", report::replay(data.failures.first().map_or(0, |failure| failure.instance))),
        ("The study", resolved_study(data.study_toml)),
    ]);
    let mut warnings = Vec::new();
    if !manifest.complete {
        warnings.push(format!(
            "Incomplete: the run was interrupted after {} of {} instances.",
            grouped(manifest.advanced),
            grouped(manifest.instances)
        ));
    }
    warnings.extend(left_out(data));
    let warning = (!warnings.is_empty()).then(|| html! { (warnings.join(" ")) });
    page(&data.study.title, html! { (lead(manifest)) }, warning, sections)
}

/// A warning about rows that do not count.
fn left_out(data: &SensitivityReport<'_>) -> Option<String> {
    let ends = data.found.outputs.iter().filter(|(output, _)| output.when == When::End);
    let least = ends.min_by_key(|(_, answer)| answer.rows)?;
    let (output, answer) = least;
    let all = answer.rows + answer.left_out;
    (answer.left_out > 0).then(|| {
        let rest = match answer.rows {
            0 => "there are no indices.",
            _ => {
                "the indices are those of the other rows, in which inputs are no longer independent: shares \
                 need not add up."
            }
        };
        format!(
            "Of {} rows {} are left out, because an instance in them did not finish or has no such value \
             ({}): {rest}",
            grouped(all as u64),
            grouped(answer.left_out as u64),
            output.when.of(&words(&data.found.columns[output.column].name()))
        )
    })
}

fn what_was_run(data: &SensitivityReport<'_>, manifest: &Manifest) -> Markup {
    let study = data.study;
    let measures = match data.asked.method {
        Screening::Sobol { .. } => "shares of the variance (Sobol, Saltelli, Jansen)",
        Screening::Morris { .. } => "elementary effects (Morris)",
    };
    let points = match data.asked.method {
        Screening::Sobol { .. } => super::report::design(study.ensemble.design).to_owned(),
        Screening::Morris { levels } => format!("trajectories on {levels} levels"),
    };
    let rows = [
        ("Asked", measures.to_owned()),
        ("Mechanism", format!("{}: {}", study.mechanism.name, report::parts_of(&study.mechanism))),
        ("Method", study.method.summary()),
        (
            "Duration",
            format!(
                "{} s = {} steps of {} s",
                number(manifest.step * manifest.steps as f64),
                grouped(manifest.steps),
                number(manifest.step)
            ),
        ),
        (
            "Instances",
            format!("{}: {}", grouped(manifest.instances), data.asked.explained(data.found.inputs.len())),
        ),
        ("Inputs", data.found.inputs.join(", ")),
        ("Sampling", format!("{points}, seed {}", manifest.seed)),
        ("Intervals", format!("95 %, by {RESAMPLES} bootstrap samples of the rows")),
        ("Device", manifest.device.clone()),
        ("Started", manifest.started.clone()),
        ("Program", format!("polhode {}", manifest.polhode)),
    ];
    html! {
        table { tbody { @for (key, value) in rows { tr { th { (key) } td { (value) } } } } }
        (doubts(manifest))
    }
}

fn indices(data: &SensitivityReport<'_>, manifest: &Manifest, pictures: &[Picture]) -> Markup {
    let explained = match data.asked.method {
        Screening::Sobol { .. } => {
            "First order: the share of the output's variance that goes away when this input alone is known. \
             Total: the share that stays when all others are known; above first order the input acts \
             together with others. An input of several numbers drawn together has the indices of the group."
        }
        Screening::Morris { .. } => {
            "An elementary effect is the change of the output per range of one input, the others held. μ*: \
             mean of its size; μ: its mean, less than μ* in size where the effect changes sign; σ: its \
             deviation, large where the input acts nonlinearly or together with others. A group of numbers \
             has no sign, and μ* alone."
        }
    };
    html! {
        p.lead { (explained) }
        @let (asked, others) = data.asked_and_others();
        @for column in asked { (of_column(data, manifest, pictures, column)) }
        @if !others.is_empty() {
            details {
                summary { "Columns that no outcome is about (" (others.len()) ")" }
                @for column in others { (of_column(data, manifest, pictures, column)) }
            }
        }
    }
}

/// Indices of a column: those at the end, and folded those of its extremes and in time.
fn of_column(
    data: &SensitivityReport<'_>,
    manifest: &Manifest,
    pictures: &[Picture],
    column: usize,
) -> Markup {
    let about = &data.found.columns[column];
    let prefix = format!("plots/{}_", about.name());
    let of_it = |picture: &&Picture| picture.name.strip_prefix(&prefix).is_some_and(is_kind);
    let is_end = |picture: &&Picture| picture.name.ends_with("_end");
    let (end, others): (Vec<&Picture>, Vec<&Picture>) = pictures.iter().filter(of_it).partition(is_end);
    let answers = || data.found.outputs.iter().filter(|(output, _)| output.column == column);
    html! {
        h3 { (words(&about.name())) " " span.unit { "(" (about.unit) ")" } }
        @if !about.description.is_empty() { p.lead { (about.description) } }
        @for (output, answer) in answers() {
            @if let Some(told) = data.lacking(manifest, *output, answer, grouped) { p { (told) "." } }
        }
        @for picture in end { div.wide-figure { (figure(picture)) } }
        details {
            summary { "Numbers, extremes and times" }
            div.pair { @for picture in others { (figure(picture)) } }
            @for (output, answer) in answers() { (index_table(data, *output, answer)) }
        }
    }
}

/// Whether this is the end of a picture's name, after the channel's.
fn is_kind(rest: &str) -> bool {
    ["end", "highest", "lowest", "total_in_time", "first_in_time", "mu_star_in_time"].contains(&rest)
}

fn index_table(data: &SensitivityReport<'_>, output: Output, answer: &Answer) -> Markup {
    let quantity = capital(&output.when.of(&words(&data.found.columns[output.column].name())));
    if !is_known(answer) {
        let why = if answer.rows == 0 { "no row has a value" } else { "it does not vary" };
        return html! { p { (quantity) ": " (why) "." } };
    }
    html! {
        details open[output.when == When::End] {
            summary { (quantity) ", " (rows_of(answer)) }
            div.scroll tabindex="0" { table.wide {
                thead { tr {
                    th { "input" }
                    @for measure in &answer.measures {
                        th.number { (index_words(measure.name)) } th.number { "95 %" }
                    }
                } }
                tbody { @for j in ranked(answer) { tr {
                    th { (data.found.inputs[j]) }
                    @for measure in &answer.measures {
                        td.number { (within(measure.of[j].value, measure.of[j])) }
                        td.number.unit { (interval(measure.of[j])) }
                    }
                } } }
            } }
        }
    }
}

/// `512 rows`, or `3 of 512 rows`
fn rows_of(answer: &Answer) -> String {
    let rows = grouped(answer.rows as u64);
    match answer.left_out {
        0 => format!("{rows} rows"),
        out => format!("{rows} of {} rows", grouped((answer.rows + out) as u64)),
    }
}

/// A number with as many digits as its interval leaves.
fn within(value: f64, e: Estimate) -> String {
    with_minus(&known_within(value, e.half_width()))
}

fn interval(e: Estimate) -> String {
    if e.low.is_finite() {
        format!("{} to {}", within(e.low, e), within(e.high, e))
    } else {
        "–".to_owned()
    }
}

/// The indices of a column at the end, from few rows to all.
fn parts_of(found: &SensitivityFindings, column: usize) -> Vec<&IndexConvergence> {
    let mut parts: Vec<&IndexConvergence> = found.convergence.iter().filter(|c| c.column == column).collect();
    parts.sort_by_key(|c| c.rows);
    parts
}

/// The pairs of inputs, those that do most together first.
fn strongest(found: &SensitivityFindings, answer: &Answer) -> Vec<((usize, usize), Estimate)> {
    let mut all: Vec<_> = pairs(found.inputs.len()).zip(answer.pairs.iter().copied()).collect();
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    all
}

/// All that is known about whether N was enough, of the outputs that are asked for.
struct Enough {
    /// The greatest half width of an interval, and of which input and output.
    widest: (f64, usize, usize),
    /// The greatest change from half of the rows to all, likewise.
    change: (f64, usize, usize),
    /// The least share of rows that are whole, and of which output.
    whole: (f64, usize),
}

/// Returns how well the outputs at the end are known: in parts of the variance, or of the largest
/// mu*.
fn enough(data: &SensitivityReport<'_>) -> Option<Enough> {
    let found = data.found;
    let mut enough: Option<Enough> = None;
    let mut raise = |half_width: f64, change: f64, input: usize, column: usize, whole: f64| {
        let e = enough.get_or_insert(Enough {
            widest: (0.0, input, column),
            change: (0.0, input, column),
            whole: (whole, column),
        });
        if whole < e.whole.0 {
            e.whole = (whole, column);
        }
        if half_width > e.widest.0 {
            e.widest = (half_width, input, column);
        }
        if change > e.change.0 {
            e.change = (change, input, column);
        }
    };
    for column in data.asked_and_others().0 {
        let parts = parts_of(found, column);
        let [.., half, all] = &parts[..] else { continue };
        if !is_known(&all.answer) {
            continue;
        }
        let measure = |c: &IndexConvergence, j: usize| c.answer.measures[0].of[j];
        let scale = match data.asked.method {
            Screening::Sobol { .. } => 1.0,
            Screening::Morris { .. } => {
                let largest = (0..found.inputs.len()).map(|j| measure(all, j).value).fold(0.0, f64::max);
                if largest == 0.0 {
                    continue;
                }
                largest
            }
        };
        for j in 0..found.inputs.len() {
            let change = (measure(all, j).value - measure(half, j).value).abs();
            let rows = all.answer.rows as f64;
            let whole = rows / (rows + all.answer.left_out as f64);
            raise(measure(all, j).half_width() / scale, change / scale, j, column, whole);
        }
    }
    enough
}

/// A line that says whether N was enough.
fn verdict_on_samples(data: &SensitivityReport<'_>) -> String {
    let Some(Enough { widest, change, whole }) = enough(data) else {
        return "No output varies, or no row is whole: nothing can be said about the number of samples."
            .to_owned();
    };
    let n = data.asked.samples;
    let (index, of) = match data.asked.method {
        Screening::Sobol { .. } => ("total index", ""),
        Screening::Morris { .. } => ("μ*", " of the largest"),
    };
    let at = |(_, input, column): (f64, usize, usize)| {
        format!("{} on {}", data.found.inputs[input], words(&data.found.columns[column].name()))
    };
    let bound = well_known(data.asked.method);
    let verdict = if widest.0 <= bound && change.0 <= bound {
        "Enough to rank what matters.".to_owned()
    } else {
        // Intervals narrow as 1/sqrt(N).
        let needed = (n as f64 * (widest.0 / bound).powi(2)).max(2.0 * n as f64);
        let most = MOST_TIMES * n.max(OF_SAMPLES);
        let output = words(&data.found.columns[whole.1].name());
        if whole.0 < MOST_WHOLE {
            format!(
                "Only {} % of the rows are whole, because not all instances have a value of {output}. More \
                 samples leave that share as it is: ask for an output that all have.",
                significant(100.0 * whole.0, 2)
            )
        } else if needed > most as f64 {
            format!(
                "More samples help little: intervals narrow as 1/√N, and the widest would need more than {} \
                 to come to ±{bound}{of}. Take the ranking of the others as it is.",
                grouped(most)
            )
        } else {
            let needed = match data.asked.method {
                Screening::Sobol { .. } => (needed as u64).next_power_of_two(),
                Screening::Morris { .. } => (needed as u64).next_multiple_of(10),
            };
            format!(
                "More samples are advised: intervals narrow as 1/√N, and about {} would bring all to \
                 ±{bound}{of}.",
                grouped(needed)
            )
        }
    };
    format!(
        "From N/2 = {} to N = {} no {index} at the end changed by more than {}{of} ({}); the widest interval \
         is ±{}{of} ({}). {verdict}",
        grouped(n / 2),
        grouped(n),
        number(round3(change.0)),
        at(change),
        number(round3(widest.0)),
        at(widest),
    )
}

fn convergence(data: &SensitivityReport<'_>) -> Markup {
    let found = data.found;
    let index = match data.asked.method {
        Screening::Sobol { .. } => "Total index",
        Screening::Morris { .. } => "μ*",
    };
    html! {
        p { strong { (verdict_on_samples(data)) } }
        @for (column, about) in found.columns.iter().enumerate() {
            @let parts = parts_of(found, column);
            @if let Some(last) = parts.last().filter(|last| is_known(&last.answer)) {
                details {
                    summary { (index) " on " (words(&about.name())) " at the end, from the first rows" }
                    div.scroll tabindex="0" { table.wide {
                        thead { tr {
                            th { "input" }
                            @for part in &parts { th.number { (rows_of(&part.answer)) } th.number { "±" } }
                        } }
                        tbody { @for j in ranked(&last.answer) { tr {
                            th { (found.inputs[j]) }
                            @for part in &parts {
                                @let e = part.answer.measures[0].of[j];
                                td.number { (within(e.value, e)) }
                                td.number.unit { (number(rounded(e.half_width(), 2))) }
                            }
                        } } }
                    } }
                }
            }
        }
    }
}

/// Returns tables of the pairs that matter most, for every output at the end.
fn pairs_table(data: &SensitivityReport<'_>) -> Markup {
    const SHOWN: usize = 10;
    let found = data.found;
    let ends = found.outputs.iter().filter(|(output, answer)| output.when == When::End && is_known(answer));
    html! {
        p.lead { "The share of the variance that two inputs have together and neither alone. The strongest \
                  of each output; " (INDICES.file) " has all." }
        @for (output, answer) in ends {
            h3 { (words(&found.columns[output.column].name())) ", " (rows_of(answer)) }
            table {
                thead { tr { th { "inputs" } th.number { "second order" } th.number { "95 %" } } }
                tbody { @for ((j, l), e) in strongest(found, answer).into_iter().take(SHOWN) { tr {
                    th { (found.inputs[j]) ", " (found.inputs[l]) }
                    td.number { (within(e.value, e)) }
                    td.number.unit { (interval(e)) }
                } } }
            }
        }
    }
}

/// For the terminal: of every output at the end the inputs that matter most, and whether N was
/// enough.
fn lines(data: &SensitivityReport<'_>, manifest: &Manifest) -> Vec<String> {
    const SHOWN: usize = 6;
    let found = data.found;
    let (asked, others) = data.asked_and_others();
    let at_end = |column: &usize| {
        let wanted = Output { column: *column, when: When::End };
        found.outputs.iter().find(|(output, _)| *output == wanted)
    };
    let ends: Vec<(String, Output, &Answer)> = asked
        .iter()
        .filter_map(at_end)
        .map(|(output, answer)| {
            let about = &found.columns[output.column];
            let unit = match data.asked.method {
                Screening::Sobol { .. } => "shares of the variance",
                Screening::Morris { .. } => &about.unit,
            };
            (format!("{} ({unit})", output.when.of(&about.name())), *output, answer)
        })
        .collect();
    let inputs = found.inputs.iter().map(|name| name.chars().count() + 2);
    let width = ends
        .iter()
        .map(|(quantity, ..)| quantity.chars().count())
        .chain(inputs)
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    let cell = |e: Estimate| match data.asked.method {
        _ if !e.is_known() => String::new(),
        // A share is known to no more decimals than these: 0 here is nothing, of either sign.
        Screening::Sobol { .. } => {
            let [value, low, high] = [e.value, e.low, e.high].map(|share| (1e3 * share).round() / 1e3 + 0.0);
            format!("{value:.3} [{low:.3}, {high:.3}]")
        }
        Screening::Morris { .. } => {
            format!("{} [{}, {}]", significant(e.value, 4), significant(e.low, 4), significant(e.high, 4))
        }
    };
    // The width of the longest cells of either method, with signs.
    let wide = match data.asked.method {
        Screening::Sobol { .. } => 26,
        Screening::Morris { .. } => 37,
    };
    let row = |first: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:<wide$}")).collect();
        format!("{first:<width$}  {cells}").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    for (quantity, output, answer) in ends {
        let lacking = data.lacking(manifest, output, answer, grouped);
        lines.extend(lacking.map(|sentence| format!("{}: {sentence}", found.columns[output.column].name())));
        if !is_known(answer) {
            let why = if answer.rows == 0 { "no row has a value" } else { "does not vary" };
            lines.push(format!("{quantity}: {why}"));
            continue;
        }
        let names = answer.measures.iter().map(|measure| index_words(measure.name).to_owned());
        lines.push(row(&quantity, names.collect()));
        for j in ranked(answer).into_iter().take(SHOWN) {
            let cells = answer.measures.iter().map(|measure| cell(measure.of[j]));
            lines.push(row(&format!("  {}", found.inputs[j]), cells.collect()));
        }
        let more = found.inputs.len().saturating_sub(SHOWN);
        if more > 0 {
            lines.push(format!("  and {more} inputs that matter less"));
        }
    }
    if !others.is_empty() {
        let count = grouped(others.len() as u64);
        lines.push(format!(
            "{count} observed columns that no outcome is about are in the report and in {}",
            INDICES.file
        ));
    }
    lines.extend(left_out(data));
    lines.push(verdict_on_samples(data));
    lines
}
