//! Results of a study of exponents besides the statistics of its columns: all exponents against
//! time in one picture, a map over a grid, the derivatives of the ends by the starts, and the
//! report.

use std::borrow::Cow;

use kuva::plot::colormap::ColorMap;
use kuva::plot::heatmap::Heatmap;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{BandPlot, LinePlot, LineStyle};
use kuva::render::plots::Plot;
use maud::html;

use super::answer::StudyAnswer;
use super::axes::{AxisScaling, layout};
use super::cards::{EXPONENTS, INSTANCES, TRANSITION};
use super::error::OutputError;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::numbers::round3;
use super::numbers::{number, with_minus, words};
use super::page::{figure, page, resolved_study};
use super::picture::Pictures;
use super::picture::Sketch;
use super::plots::draw_all;
use super::report;
use super::report_data::ReportData;
use super::table::{float_array, integer_array, text_array};
use polhode_description::base::{Precision, capital, with_error};
use polhode_description::describe::kind::{InstanceRows, KindCard};
use polhode_engine::observe::Summary;
use polhode_engine::observe::pairs::{Moments, symmetric_mean};

/// The table with one row an instance, by what was asked.
pub fn table_of_instances(card: &KindCard) -> &'static str {
    match card.rows {
        InstanceRows::Exponents => EXPONENTS.file,
        _ => INSTANCES.file,
    }
}

/// Points a curve is drawn with.
const POINTS: usize = 400;

/// The findings of a study of exponents.
pub struct Exponents<'a> {
    /// Its columns are the exponents, that of pairs last.
    pub data: &'a ReportData<'a>,
    /// The number of exponents asked for, without that of pairs.
    pub exponents: usize,
    pub map: Option<ExponentMap>,
    /// In lines.
    pub found: &'a [String],
}

/// The largest exponent over two axes.
pub struct ExponentMap {
    /// Name, unit, first and last value, and count; the last is the faster one.
    pub axes: [(String, String, [f64; 2], u64); 2],
    /// NaN: none.
    pub values: Vec<f64>,
}

/// An entry of the derivative of an end by its start.
pub struct Transition {
    pub instance: u64,
    /// The coordinate pushed at the start, and its unit.
    pub initial: String,
    pub initial_unit: Cow<'static, str>,
    /// The coordinate seen at the end.
    pub last: String,
    pub last_unit: Cow<'static, str>,
    pub value: f64,
}

impl Exponents<'_> {
    /// All but [`EXPONENTS`] and [`TRANSITION`], which the run has written before.
    pub fn answer(&self) -> StudyAnswer<'_> {
        let mut answer = self.data.answer(self.found.to_vec());
        answer.draw = Box::new(|manifest, _| {
            let mut pictures = vec![in_time(self).render()];
            if let Some(map) = &self.map {
                pictures.push(drawn(map, self.data.times.last().copied().unwrap_or(0.0)).render());
            }
            pictures.extend(draw_all(self.data, manifest));
            Ok(pictures)
        });
        answer.report = Box::new(|manifest, pictures| self.report(manifest, pictures));
        answer
    }

    fn report(&self, manifest: &Manifest, pictures: &Pictures) -> String {
        let drawn = pictures.split(|name| ["plots/exponents", "plots/exponent_map"].contains(&name)).0;
        let data = self.data;
        let warning = html! { "Incomplete: the run was interrupted. The figures at a time are over the \
        instances that had reached it." };
        let mut sections = report::accuracy(manifest);
        sections.extend([(
            "Exponents",
            html! {
                ul { @for line in self.found { li { (capital(line)) "." } } }
                div.pair { @for picture in drawn { (figure(picture)) } }
                p {
                    "A neighbour of an instance moves away from it like exp(χ t): χ is the exponent. Where \
                     the largest is positive, motions cannot be foretold for much longer than a few times \
                     1/χ. Of a regular motion all come to zero like ln t / t. They are followed by the \
                     derivative of the numerical step itself, restarts and joints included; lengths are \
                     measured in the numbers of the state in SI, which matters less the longer the time. \
                     Mean and interval take the instances for independent draws."
                }
            },
        )]);
        sections.extend(report::ends(data, manifest, pictures));
        sections.extend(report::motion(data, pictures));
        sections.extend([
            ("Each exponent", report::channels(data, manifest, pictures)),
            report::final_statistics(data, manifest),
            ("What was run", report::what_was_run(data, manifest)),
            ("Time spent", report::timings(manifest)),
            ("The study", resolved_study(data.study_toml)),
        ]);
        let lead = html! { (report::lead(manifest)) };
        page(&data.study.title, lead, (!manifest.complete).then_some(warning), sections)
    }
}

/// Means of all exponents with the intervals of the means, against time.
fn in_time(exponents: &Exponents<'_>) -> Sketch {
    const LINES: [&str; 6] = ["#0b4a82", "#4a88be", "#3c8d5a", "#8a6d3b", "#7a5195", "#8a949d"];
    const PAIRS: &str = "#d1660f";
    let data = exponents.data;
    let stride = data.times.len().div_ceil(POINTS).max(1);
    let last = data.times.len().saturating_sub(1);
    // The first tenth is a transient that would flatten the rest.
    let shown = |t: &usize| data.summaries[*t][0].count > 0 && 10 * *t >= last;
    let times: Vec<usize> =
        (0..data.times.len()).filter(|t| t % stride == 0 || *t == last).filter(shown).collect();
    let mean = |t: usize, column: usize| data.summaries[t][column].mean;
    let half = |t: usize, column: usize| {
        let summary = &data.summaries[t][column];
        let Summary { count, mean, std, .. } = *summary;
        let half = symmetric_mean(Moments { count, mean, std }).half_width();
        if half.is_finite() { half } else { 0.0 }
    };
    let columns = 0..data.columns.len();
    let y = AxisScaling::over(times.iter().flat_map(|t| columns.clone().map(|c| mean(*t, c))).chain([0.0]));
    let (mut low, mut high) = (0.0f64, 0.0f64);
    for t in &times {
        for c in columns.clone() {
            low = low.min(y.place(mean(*t, c) - half(*t, c)));
            high = high.max(y.place(mean(*t, c) + half(*t, c)));
        }
    }
    let margin = 0.05 * (high - low).max(1e-300);
    let (low, high) = (low - margin, high + margin);
    let x = AxisScaling::over(times.iter().map(|&t| data.times[t]));
    let xs: Vec<f64> = times.iter().map(|&t| x.place(data.times[t])).collect();
    let (mut plots, mut legend) = (Vec::new(), Vec::new());
    for (c, column) in data.columns.iter().enumerate() {
        let of_pairs = c >= exponents.exponents;
        let color = if of_pairs { PAIRS } else { LINES[c % LINES.len()] };
        let curve =
            |value: &dyn Fn(usize) -> f64| -> Vec<f64> { times.iter().map(|t| y.place(value(*t))).collect() };
        if !of_pairs {
            let edges = [curve(&|t| mean(t, c) - half(t, c)), curve(&|t| mean(t, c) + half(t, c))];
            let [below, above] = edges;
            plots.push(Plot::Band(
                BandPlot::new(xs.clone(), below, above).with_color(color).with_opacity(0.25),
            ));
        }
        let line =
            LinePlot::new().with_data(xs.iter().copied().zip(curve(&|t| mean(t, c)))).with_color(color);
        let line = line.with_stroke_width(2.0);
        plots.push(Plot::Line(if of_pairs { line.with_line_style(LineStyle::Dashed) } else { line }));
        legend.push(LegendEntry {
            label: words(&column.name()),
            color: color.to_string(),
            shape: LegendShape::Line,
            dasharray: of_pairs.then(|| "5 3".to_string()),
        });
    }
    let title = match (exponents.exponents, times.last()) {
        (1.., Some(&last)) => {
            let mean = with_error(mean(last, 0), half(last, 0));
            format!("Largest exponent: {} 1/s after {} s", with_minus(&mean), number(data.times[last]))
        }
        _ => "Exponents".to_owned(),
    };
    let mut layout = layout(&plots, &title).with_y_axis_min(low).with_y_axis_max(high);
    if let (Some(&first), Some(&last)) = (xs.first(), xs.last())
        && first < last
    {
        layout = layout.with_x_axis_min(first).with_x_axis_max(last);
    }
    Sketch {
        name: "plots/exponents".to_owned(),
        caption: "Means over all instances, with their 95 % intervals, against time from a tenth of it on"
            .to_owned(),
        layout: layout
            .with_x_label(x.label("time", "s"))
            .with_y_label(y.label("exponent", "1/s"))
            .with_legend_entries(legend)
            .with_legend_width(210.0),
        plots,
    }
}

/// The largest exponent as colour over both axes.
fn drawn(map: &ExponentMap, t: f64) -> Sketch {
    let [(rows_name, rows_unit, rows_ends, rows), (columns_name, columns_unit, columns_ends, columns)] =
        &map.axes;
    // Half a cell beyond the ends: these are the centres of the outer cells.
    let range = |[from, to]: &[f64; 2], count: u64| {
        let half = 0.5 * (to - from) / (count.max(2) - 1) as f64;
        (from - half, to + half)
    };
    let (x, y) =
        (AxisScaling::over(columns_ends.iter().copied()), AxisScaling::over(rows_ends.iter().copied()));
    let ((x0, x1), (y0, y1)) = (range(columns_ends, *columns), range(rows_ends, *rows));
    let (x0, x1, y0, y1) = (x.place(x0), x.place(x1), y.place(y0), y.place(y1));
    // One instance that stands where it cannot stay would take all the colours.
    let [low, high] = outer_quantiles(&map.values);
    let row = |values: &[f64]| values.iter().map(|x| x.clamp(low, high)).collect::<Vec<f64>>();
    let data: Vec<Vec<f64>> = map.values.chunks(*columns as usize).map(row).collect();
    let heatmap = Heatmap::new()
        .with_data(data)
        .with_color_map(ColorMap::Viridis)
        .with_x_range(x0, x1)
        .with_y_range(y0, y1)
        .with_cell_size(1.0)
        .with_legend("1/s");
    let plots = vec![Plot::Heatmap(heatmap)];
    let known = || map.values.iter().copied().filter(|value| value.is_finite());
    let [least, most] = [known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max)];
    let [least, most] = [least, most].map(|end| number(round3(end)));
    let title = format!("Largest exponent: {least} to {most} 1/s after {} s", number(t));
    let layout = layout(&plots, &title)
        .with_x_axis_min(x0.min(x1))
        .with_x_axis_max(x0.max(x1))
        .with_y_axis_min(y0.min(y1))
        .with_y_axis_max(y0.max(y1))
        .with_x_label(x.label(&words(columns_name), columns_unit))
        .with_y_label(y.label(&words(rows_name), rows_unit));
    Sketch {
        name: "plots/exponent_map".to_owned(),
        caption: format!(
            "Largest exponent (1/s) at t = {} s over {} and {}; the colours end where 1 % of the cells are \
             beyond",
            number(t),
            words(rows_name),
            words(columns_name)
        ),
        layout,
        plots,
    }
}

/// The values below and above which a hundredth of all are.
fn outer_quantiles(values: &[f64]) -> [f64; 2] {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    let outside = (sorted.len() / 100).max(usize::from(last > 20));
    match (sorted.get(outside), sorted.get(last - outside.min(last))) {
        (Some(low), Some(high)) if low < high => [*low, *high],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// Writes the derivatives of ends by starts, one row an entry.
pub fn write_transition(file: &NewFile, entries: &[Transition]) -> Result<(), OutputError> {
    let mut table = TRANSITION.create(file, &[], [])?;
    table.write(vec![
        integer_array(entries.iter().map(|entry| entry.instance)),
        text_array(entries.iter().map(|entry| entry.initial.as_str())),
        text_array(entries.iter().map(|entry| &*entry.initial_unit)),
        text_array(entries.iter().map(|entry| entry.last.as_str())),
        text_array(entries.iter().map(|entry| &*entry.last_unit)),
        float_array(entries.iter().map(|entry| entry.value), Precision::F64),
    ])?;
    table.finish()
}
