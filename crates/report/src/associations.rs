//! Associations in the table of instances, besides the statistics: which inputs the final values go
//! with, and whether there were enough instances. Read from `instances.parquet`, which is the same
//! for any chunks and shards; so is this.

use std::ops::Range;
use std::path::Path;

use kuva::plot::ScatterPlot;
use kuva::render::figure::Figure as Panels;
use kuva::render::plots::Plot;
use maud::{Markup, html};
use rayon::prelude::*;

use super::axes::{AxisScaling, panel};
use super::cards::CORRELATIONS;
use super::chart::Chart;
use super::error::OutputError;
use super::new_file::NewFile;
use super::numbers::round3;
use super::numbers::{number, number_within, words};
use super::page::figure;
use super::picture::Picture;
use super::picture::Pictures;
use super::saved_table::SavedTable;
use super::table::{ColumnLabel, float_array, integer_array, text_array};
use polhode_description::base::{Precision, grouped};
use polhode_description::describe::outcome::Outcome;
use polhode_description::describe::{InstanceTable, Study};
use polhode_engine::observe::correlation::{Correlations, Known, RankedInputs, correlations, known};
use polhode_engine::observe::indices::Estimate;

/// Instances that correlations are of, at most: blocks of neighbours, evenly spread over the
/// ensemble.
const CORRELATED: usize = 1 << 16;
const BLOCKS: usize = 1 << 10;

/// Points of a picture, in all of its panels, and panels.
const DRAWN: usize = 2000;
const PANELS: usize = 4;

/// Instances from which growing samples are taken: the first.
const GROWING: usize = 1 << 20;
/// The smallest sample shown, and how many.
const SMALLEST: usize = 32;
const SAMPLES: usize = 7;

/// Quantiles of growing samples that are shown.
const QUANTILES: usize = 3;

/// The message where correlations are left out.
pub(super) const MISSING: &str = "correlations need all drawn numbers of every instance, \
                                  which this run did not store; set output.instances = \"all\" in its study \
                                  and run it again";

/// A final value and what it goes with.
struct Output {
    correlations: Correlations,
    /// Values of the instances of [`Associations::correlated`]; NaN: it did not finish, or has no
    /// such value.
    values: Vec<f64>,
    /// From few instances to all; empty where instances are laid out in a grid.
    growing: Vec<Known>,
}

/// Inputs and final values of some instances.
#[derive(Default)]
pub struct Associations {
    /// Name and unit.
    inputs: Vec<(String, String)>,
    /// Numbers of the instances of [`Associations::correlated`].
    numbers: Vec<u64>,
    /// By input.
    drawn: Vec<Vec<f64>>,
    /// By column of the observed channels.
    outputs: Vec<Output>,
    /// Probabilities of the quantiles of growing samples.
    probabilities: Vec<f64>,
    /// Instances looked at, of how many.
    correlated: usize,
    instances: u64,
}

impl Associations {
    /// Whether the run stored too little of its instances for correlations. They are of all that is
    /// drawn: those that are partial hold all other inputs.
    pub fn are_left_out(&self, study: &Study) -> bool {
        self.inputs.len() < study.ensemble.vary.iter().map(|vary| vary.target.width()).sum()
    }

    /// From the table of instances of a run of this study; empty where they
    /// [are left out](Self::are_left_out).
    pub fn read(file: &Path, study: &Study, columns: &[ColumnLabel]) -> Result<Associations, OutputError> {
        if study.output.instances == InstanceTable::None {
            return Ok(Associations::default());
        }
        let table = SavedTable::open(file)?;
        let inputs: Vec<(String, String)> = table.columns("drawn.");
        if (Associations { inputs: inputs.clone(), ..Associations::default() }).are_left_out(study) {
            return Ok(Associations::default());
        }
        let known_names: Vec<String> = table.columns("final.").into_iter().map(|(name, _)| name).collect();
        let finals: Vec<String> = columns.iter().map(|column| format!("final.{}", column.name())).collect();
        let total = SavedTable::rows(file)?;
        let names: Vec<&str> = inputs.iter().map(|(name, _)| name.as_str()).collect();
        let present: Vec<&str> =
            finals.iter().filter(|name| known_names.contains(name)).map(String::as_str).collect();
        let verdicts = study.mechanism.verdict_names();
        let whole = verdicts.whole();
        let some = |rows: Vec<Range<usize>>, names: &[&str]| finished(file, rows, names, &whole);
        let mut chosen = some(spread(total), &[&names[..], &present[..]].concat())?;
        let of_finals = chosen.split_off(names.len());
        let drawn = chosen;
        let numbers = column_of_sound(file, spread(total), "instance", &whole, SavedTable::integers)?;
        let laid_out = study.ensemble.vary.iter().any(|vary| vary.distribution.is_axis());
        let growing = !laid_out && !study.ensemble.vary.is_empty();
        let first = 0..if growing { total.min(GROWING) } else { 0 };
        let has_all = growing && total <= CORRELATED;
        let correlated = drawn.first().map_or(0, Vec::len);
        let all = &study.observe.quantiles;
        let probabilities: Vec<f64> = match all.len() {
            0..=QUANTILES => all.clone(),
            n => vec![all[0], all[n / 2], all[n - 1]],
        };
        let of_first = if first.is_empty() || has_all { Vec::new() } else { some(vec![first], &present)? };
        // With few instances, both sets hold all of them.
        let of_first = if has_all { &of_finals } else { &of_first };
        let ready = RankedInputs::new(&drawn);
        let output = |name: &String| {
            let Some(place) = present.iter().position(|known| known == name) else {
                let values = vec![f64::NAN; correlated];
                return Output { correlations: correlations(&ready, &values), values, growing: Vec::new() };
            };
            let values = of_finals[place].clone();
            let own = |outcome: &&Outcome| name["final.".len()..] == outcome.name;
            let is_share = study.mechanism.outcomes.iter().find(own).is_some_and(Outcome::is_share);
            let grown = |values: &Vec<f64>| grown(values, &probabilities, is_share);
            let growing = of_first.get(place).map_or_else(Vec::new, grown);
            Output { correlations: correlations(&ready, &values), values, growing }
        };
        let outputs = finals.par_iter().map(output).collect();
        let inputs =
            inputs.into_iter().map(|(name, unit)| (name["drawn.".len()..].to_owned(), unit)).collect();
        Ok(Associations {
            inputs,
            numbers,
            drawn,
            outputs,
            probabilities,
            correlated,
            instances: total as u64,
        })
    }

    /// The inputs that the column goes with, most first.
    fn ranked(&self, column: usize) -> Vec<usize> {
        let Some(output) = self.outputs.get(column) else { return Vec::new() };
        let rho = |j: usize| output.correlations.spearman[j].value.abs();
        let mut inputs: Vec<usize> = (0..self.inputs.len()).filter(|j| rho(*j).is_finite()).collect();
        inputs.sort_by(|a, b| rho(*b).total_cmp(&rho(*a)));
        inputs
    }

    /// Whether there is a picture of the column.
    pub fn is_drawn(&self, column: usize) -> bool {
        !self.ranked(column).is_empty()
    }

    /// The final values of a column against the inputs that they go with most.
    pub fn draw(&self, columns: &[ColumnLabel], column: usize) -> Picture {
        let about = &columns[column];
        let output = &self.outputs[column];
        let shown: Vec<usize> = self.ranked(column).into_iter().take(PANELS).collect();
        let finite: Vec<usize> = (0..output.values.len()).filter(|i| output.values[*i].is_finite()).collect();
        let points = (DRAWN / shown.len()).min(finite.len());
        let chosen: Vec<usize> = (0..points).map(|k| finite[k * finite.len() / points]).collect();
        let y = AxisScaling::over(chosen.iter().map(|i| output.values[*i]));
        let quantity = words(&about.name());
        let mut plots = Vec::new();
        let mut layouts = Vec::new();
        let mut charts = Vec::new();
        for j in &shown {
            let (name, unit) = &self.inputs[*j];
            let x = AxisScaling::over(chosen.iter().map(|i| self.drawn[*j][*i]));
            let dots = chosen.iter().map(|i| (x.place(self.drawn[*j][*i]), y.place(output.values[*i])));
            let dots = ScatterPlot::new().with_data(dots).with_color("#0b4a82").with_size(1.8);
            let dots = dots.with_marker_opacity(0.45);
            let named = dots.clone().with_tooltip_labels(chosen.iter().map(|i| self.numbers[*i].to_string()));
            let plot = vec![Plot::Scatter(dots)];
            let rho = output.correlations.spearman[*j].value;
            let layout = panel(&plot, &format!("ρ = {}", number((rho * 100.0).round() / 100.0 + 0.0)));
            let layout =
                layout.with_x_label(x.label(name, unit)).with_y_label(y.label(&quantity, &about.unit));
            charts.extend(Chart::of(&[Plot::Scatter(named)], &layout));
            layouts.push(layout);
            plots.push(plot);
        }
        let (rows, wide) = (shown.len().div_ceil(2), shown.len().min(2));
        let figure = Panels::new(rows, wide).with_plots(plots).with_layouts(layouts);
        let scene = figure.with_cell_size(900.0 / wide as f64, 380.0).render();
        let caption = format!(
            "{quantity} at the end against the inputs it goes with most, {} instances; ρ: Spearman's",
            grouped(points as u64)
        );
        Picture { charts, ..Picture::render(format!("plots/{}_inputs", about.name()), caption, scene) }
    }

    /// One row an input and final value.
    pub fn write(&self, file: &NewFile, columns: &[ColumnLabel]) -> Result<(), OutputError> {
        let mut table = CORRELATIONS.create(file, &[], [])?;
        let rows: Vec<(usize, usize)> =
            (0..columns.len()).flat_map(|c| (0..self.inputs.len()).map(move |j| (c, j))).collect();
        let mut arrays = vec![
            text_array(rows.iter().map(|(_, j)| self.inputs[*j].0.as_str())),
            text_array(rows.iter().map(|(c, _)| columns[*c].channel.as_str())),
            text_array(rows.iter().map(|(c, _)| columns[*c].component.as_str())),
            integer_array(rows.iter().map(|(c, _)| self.outputs[*c].correlations.count as u64)),
        ];
        let coefficients: [fn(&Correlations) -> &[Estimate]; 3] =
            [|c| &c.pearson, |c| &c.spearman, |c| &c.partial];
        let ends: [fn(&Estimate) -> f64; 3] = [|e| e.value, |e| e.low, |e| e.high];
        for coefficients in coefficients {
            for end in ends {
                let values = rows.iter().map(|(c, j)| end(&coefficients(&self.outputs[*c].correlations)[*j]));
                arrays.push(float_array(values, Precision::F64));
            }
        }
        table.write(arrays)?;
        table.finish()
    }

    /// The report's section on inputs and final values; none without varied numbers.
    pub(super) fn correlation_section(&self, columns: &[ColumnLabel], pictures: &Pictures) -> Option<Markup> {
        if self.inputs.is_empty() || self.correlated == 0 {
            return None;
        }
        let cell = |e: &Estimate, partial: &Estimate| {
            // Blue against, orange along.
            let (strength, color) = (e.value.abs(), if e.value < 0.0 { "0, 114, 178" } else { "213, 94, 0" });
            let style =
                format!("background: rgba({color}, {:.2})", if e.is_known() { 0.75 * strength } else { 0.0 });
            let title = format!(
                "Spearman {} ({} to {}); partial {}",
                number(round3(e.value)),
                number(round3(e.low)),
                number(round3(e.high)),
                number(round3(partial.value))
            );
            html! {
                td.number style=(style) title=(title) { (number((e.value * 100.0).round() / 100.0 + 0.0)) }
            }
        };
        Some(html! {
            p.lead {
                "Spearman's rank correlation of every varied number with every observed channel at the end, \
                 over "
                (grouped(self.correlated as u64)) " of " (grouped(self.instances))
                " instances, those that came to the end; a number in brackets says that fewer have the \
                 value. Hover for 95 % intervals and for partial correlations, with the other inputs held; \
                 correlations.parquet has all. An input that acts without direction has none: see the \
                 pictures."
            }
            div.scroll tabindex="0" { table.wide {
                thead { tr { td {} @for (name, _) in &self.inputs { th.number { (name) } } } }
                // A column that does not vary goes with nothing.
                @let is_known = |output: &Output| output.correlations.spearman.iter().any(Estimate::is_known);
                @let known = columns.iter().zip(&self.outputs).filter(|(_, output)| is_known(output));
                tbody { @for (column, output) in known { tr {
                    th {
                        (words(&column.name()))
                        @if output.correlations.count < self.correlated {
                            " " span.unit { "(of " (grouped(output.correlations.count as u64)) ")" }
                        }
                    }
                    @for (e, held) in output.correlations.spearman.iter().zip(&output.correlations.partial) {
                        (cell(e, held))
                    }
                } } }
            } }
            div.pair {
                @for picture in pictures.split(|name| name.ends_with("_inputs")).0 { (figure(picture)) }
            }
        })
    }

    /// The report's section on whether there were enough instances.
    pub(super) fn growth_section(&self, columns: &[ColumnLabel]) -> Option<Markup> {
        if self.outputs.iter().all(|output| output.growing.is_empty()) {
            return None;
        }
        let all =
            self.outputs.iter().filter_map(|output| output.growing.last().map(|known| known.count)).max()?;
        Some(html! {
            p { strong { (self.growth_line(columns, all)) } }
            p.lead {
                "Means and quantiles at the end from the first instances, with their 95 % intervals; these \
                 are those of independent instances, and too wide for Sobol points and Latin hypercubes. \
                 Intervals of quantiles lie between two of the values; – : so few instances have no value \
                 that far out, and the interval no end there."
            }
            @let growing = columns.iter().zip(&self.outputs).filter(|(_, output)| !output.growing.is_empty());
            @for (column, output) in growing {
                details {
                    summary { (words(&column.name())) " " span.unit { "(" (column.unit) ")" } }
                    div.scroll tabindex="0" { table.wide {
                        thead { tr {
                            th.number { "instances" } th.number { "mean" } th.number { "95 %" }
                            @for p in &self.probabilities {
                                th.number { (number(p * 100.0)) " %" } th.number { "95 %" }
                            }
                        } }
                        tbody { @for known in &output.growing { tr {
                            td.number { (grouped(known.count as u64)) }
                            @for e in [&known.mean].into_iter().chain(&known.quantiles) {
                                td.number { (number_within(e.value, width(e))) }
                                td.number.unit { (ends(e)) }
                            }
                        } } }
                    } }
                }
            }
        })
    }

    /// Returns the sentences on how well means are known, and how far they still moved.
    fn growth_line(&self, columns: &[ColumnLabel], all: usize) -> String {
        let moved = self.outputs.iter().filter_map(|output| {
            let [.., half, all] = &output.growing[..] else { return None };
            let moved = all.mean.value - half.mean.value;
            let to_end =
                if moved < 0.0 { half.mean.value - half.mean.low } else { half.mean.high - half.mean.value };
            let share = moved.abs() / to_end;
            share.is_finite().then_some(share)
        });
        let moved = moved.fold(0.0, f64::max);
        let verdict = if moved <= 1.0 {
            "all stayed within the interval of the half"
        } else {
            "beyond the interval of the half, as one of twenty may"
        };
        let of_mean = |count: u64| number(round3(196.0 / (count as f64).sqrt()));
        // The one that fewest have.
        let counts = columns.iter().zip(&self.outputs).filter_map(|(column, output)| {
            let count = output.growing.last()?.count as u64;
            (count < all as u64).then(|| (count, words(&column.name())))
        });
        let fewest = counts.min().map_or_else(String::new, |(count, quantity)| {
            format!(" That of {quantity}, which {} have, to ±{} %.", grouped(count), of_mean(count))
        });
        format!(
            "{} instances: a mean is known to ±{} % of its standard deviation.{fewest} From half of them to \
             all, means moved by at most {} of their 95 % interval: {verdict}.",
            grouped(all as u64),
            of_mean(all as u64),
            number(round3(moved)),
        )
    }
}

/// Rows that stand for all: up to [`CORRELATED`] all, of more, blocks.
fn spread(total: usize) -> Vec<Range<usize>> {
    if total <= CORRELATED {
        return std::iter::once(0..total).collect();
    }
    let length = CORRELATED / BLOCKS;
    let start = |block: usize| (total as u128 * block as u128 / BLOCKS as u128) as usize;
    (0..BLOCKS).map(|block| start(block)..start(block) + length).collect()
}

/// Columns of the instances among these rows that ended with one of these verdicts.
fn finished(
    file: &Path,
    rows: Vec<Range<usize>>,
    names: &[&str],
    verdicts: &[&str],
) -> Result<Vec<Vec<f64>>, OutputError> {
    // Each by itself: unpacking takes longer than finding the rows again.
    let column = |name: &&str| column_of_sound(file, rows.clone(), name, verdicts, SavedTable::floats);
    names.par_iter().map(column).collect()
}

/// A column of the instances among these rows that ended with one of these verdicts, read so.
fn column_of_sound<T>(
    file: &Path,
    rows: Vec<Range<usize>>,
    name: &str,
    verdicts: &[&str],
    read: fn(&SavedTable, &str) -> Result<Vec<T>, OutputError>,
) -> Result<Vec<T>, OutputError> {
    let mut values = Vec::new();
    for part in SavedTable::selected(file, &["verdict", name], rows)? {
        let part = part?;
        let sound = part.holds("verdict", verdicts)?;
        values.extend(read(&part, name)?.into_iter().zip(sound).filter(|(_, sound)| *sound).map(|(x, _)| x));
    }
    Ok(values)
}

/// The width of an interval, or how far its one end is.
fn width(e: &Estimate) -> f64 {
    [e.low, e.high].iter().filter(|end| end.is_finite()).map(|end| (end - e.value).abs()).sum()
}

/// `0.31 to 0.42`; `–` for an end that is not there.
fn ends(e: &Estimate) -> String {
    let end = |end: f64| if end.is_finite() { number_within(end, width(e)) } else { "–".to_owned() };
    format!("{} to {}", end(e.low), end(e.high))
}

/// Halves of halves of the sample, and all of it.
fn grown(values: &[f64], probabilities: &[f64], is_share: bool) -> Vec<Known> {
    let mut sizes: Vec<usize> =
        (0..SAMPLES).map(|k| values.len() >> k).take_while(|size| *size >= SMALLEST).collect();
    sizes.reverse();
    let quantiles = |size: usize| {
        let finite: Vec<f64> = values[..size].iter().copied().filter(|x| x.is_finite()).collect();
        (finite.len() > 1).then(|| known(&finite, probabilities, is_share))
    };
    sizes.into_iter().filter_map(quantiles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An end that few values do not have is a dash, and no number.
    #[test]
    fn an_interval_without_an_end_says_so() {
        let e = Estimate { value: 2.5, low: 2.25, high: f64::INFINITY };
        assert_eq!((ends(&e), width(&e)), ("2.25 to –".to_owned(), 0.25));
        assert_eq!(ends(&Estimate { high: 3.0, ..e }), "2.25 to 3");
        assert_eq!(ends(&Estimate { value: 0.3, low: 0.3, high: 0.3 }), "0.3 to 0.3");
    }

    /// A column that does not vary, or only by rounding, has no say in whether means still move.
    #[test]
    fn a_constant_does_not_spoil_the_advice_on_size() {
        let constant: Vec<f64> = (0..64).map(|i| if i % 3 == 0 { 0.1 + 0.2 } else { 0.3 }).collect();
        let [half, all] = &grown(&constant, &[], false)[..] else { panic!("two samples") };
        assert_eq!((half.mean.low, half.mean.high), (half.mean.value, half.mean.value));
        assert_eq!(half.mean.value.to_bits(), all.mean.value.to_bits());
    }

    #[test]
    fn blocks_lie_within_the_ensemble_and_do_not_meet() {
        assert!(spread(7).into_iter().eq(std::iter::once(0..7)));
        for total in [CORRELATED + 1, 1_000_003, 1 << 30] {
            let blocks = spread(total);
            assert!(blocks.windows(2).all(|pair| pair[0].end <= pair[1].start));
            assert!(blocks.last().unwrap().end <= total);
            assert_eq!(blocks.iter().map(Range::len).sum::<usize>(), CORRELATED);
        }
    }
}
