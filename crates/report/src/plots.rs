//! Pictures of a result: per channel component a fan of quantiles over time and a histogram of
//! final values; the verdicts as bars; the motion of one instance. Each as SVG of 900 x 520, the
//! motion as high as it needs, and as PNG of one and a half times as many pixels (the plotter draws
//! small rotated text badly).

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{BandPlot, BarPlot, Histogram as HistogramPlot, LinePlot, LineStyle};
use kuva::render::plots::Plot;
use rayon::prelude::*;

use super::axes::{AxisScaling, layout, places};
use super::breaks::lines;
use super::drawing;
use super::manifest::Manifest;
use super::numbers::{in_title, number, percent, with_minus, words};
use super::picture::{Picture, Sketch};
use super::report_data::{ReportData, error_of_quantile, is_of_one, is_of_outcome};
use polhode_description::base::{grouped, instances as counted, known_within, quantity, with_unit};
use polhode_engine::observe::{Histogram, Share, Summary};

/// Kept instances drawn over a fan.
const DRAWN: usize = 4;

/// From the outermost band in: light to strong.
const BANDS: [&str; 4] = ["#d3e3f1", "#a4c6e3", "#74a7d2", "#4a88be"];
const MEDIAN: &str = "#0b4a82";
const MEAN: &str = "#d1660f";
const KEPT: &str = "#8a949d";

/// Which pictures of a result are drawn.
pub struct Selection {
    /// The channel columns, by position.
    pub columns: Vec<usize>,
    /// The kept instances drawn over every fan, by position.
    pub kept: Vec<usize>,
    /// The verdicts and the motion too.
    pub whole: bool,
}

impl Selection {
    /// Returns the pictures that a run draws.
    pub fn all(data: &ReportData<'_>) -> Selection {
        let drawn = data.trajectories.instances.len().min(DRAWN);
        Selection { columns: (0..data.columns.len()).collect(), kept: (0..drawn).collect(), whole: true }
    }
}

/// All pictures of a run.
pub fn draw_all(data: &ReportData<'_>, manifest: &Manifest) -> Vec<Picture> {
    draw(data, manifest, &Selection::all(data))
}

/// The fans, the histograms, the verdicts, distributions of what not all have, final values against
/// inputs, and the motion if there is one, on all threads.
pub fn draw(data: &ReportData<'_>, manifest: &Manifest, selection: &Selection) -> Vec<Picture> {
    let columns = &selection.columns;
    let jobs = 2 * columns.len() + usize::from(selection.whole);
    let mut pictures: Vec<Picture> = (0..jobs)
        .into_par_iter()
        .map(|job| {
            let sketch = match (columns.get(job), columns.get(job.wrapping_sub(columns.len()))) {
                (Some(column), _) => fan(data, *column, &selection.kept),
                (None, Some(column)) => histogram(data, *column),
                (None, None) => Some(verdicts(manifest)),
            };
            sketch.map(Sketch::render)
        })
        .flatten()
        .collect();
    let distributions = columns.par_iter().filter_map(|column| distribution(data, manifest, *column));
    pictures.par_extend(distributions.map(Sketch::render));
    let dense = columns.par_iter().filter_map(|column| {
        let density = data.densities.get(*column)?.as_ref()?;
        (!is_of_outcome(data.study, &data.columns[*column])).then(|| density.draw(&data.columns[*column]))
    });
    pictures.par_extend(dense.map(Sketch::render));
    let scatters = columns.par_iter().filter(|column| data.associations.is_drawn(**column));
    pictures.par_extend(scatters.map(|column| data.associations.draw(data.columns, *column)));
    if selection.whole
        && let Some(motion) =
            data.motions.first().and_then(|motion| drawing::draw(&data.study.mechanism, motion))
    {
        pictures.push(on_paper("plots/motion".to_owned(), motion));
    }
    pictures
}

/// Draws poses that are no motion in time, under this title, as `plots/shape_K`; `None`: they are
/// too far to be drawn.
pub fn draw_shape(
    mechanism: &polhode_description::describe::Mechanism,
    track: &super::motion::Track,
    number: usize,
    title: &str,
) -> Option<Picture> {
    let drawing = drawing::draw_titled(mechanism, track, title)?;
    Some(on_paper(format!("plots/shape_{number}"), drawing))
}

/// A drawing whose early positions fade to white.
fn on_paper(name: String, drawing: drawing::Drawing) -> Picture {
    Picture { themed: false, ..Picture::render(name, drawing.caption, drawing.scene) }
}

/// The colour of a band, the outermost first. More bands than there are colours are shades between
/// them.
fn band(pair: usize, pairs: usize) -> String {
    let last = BANDS.len() - 1;
    if pairs <= BANDS.len() {
        return BANDS[pair + usize::from(pairs == 1)].to_owned();
    }
    let place = (pair * last) as f64 / (pairs - 1) as f64;
    let [from, to] = [place.floor(), place.ceil()].map(|k| BANDS[k as usize]);
    let part = |color: &str, k: usize| u8::from_str_radix(&color[k..k + 2], 16).map_or(0.0, f64::from);
    let mixed = |k| part(from, k) + place.fract() * (part(to, k) - part(from, k));
    [1, 3, 5].into_iter().fold("#".to_owned(), |color, k| color + &format!("{:02x}", mixed(k).round() as u8))
}

/// Bands between pairs of quantiles, the median, the mean and these of the kept instances, over
/// time; `None`: no instance has a value after the start.
fn fan(data: &ReportData<'_>, column: usize, kept: &[usize]) -> Option<Sketch> {
    let probabilities = &data.study.observe.quantiles;
    let about = &data.columns[column];
    let summary = |t: usize| &data.summaries[t][column];
    let mut times = places(data.times.len());
    times.retain(|&t| summary(t).count > 0);
    if times.len() < data.times.len().min(2) {
        return None;
    }
    let of_instance = |k: &usize| {
        let instance = data.trajectories.instances[*k];
        lines(data, column, *k, &times).into_iter().map(move |line| (instance, line))
    };
    let kept: Vec<(u64, Vec<(f64, f64)>)> = kept.iter().flat_map(of_instance).collect();

    let shown = times.iter().flat_map(|&t| summary(t).quantiles.iter().chain([&summary(t).mean])).copied();
    let y = AxisScaling::over(shown.chain(kept.iter().flat_map(|(_, line)| line).map(|&(_, y)| y)));
    let x = AxisScaling::over(times.iter().map(|&t| data.times[t]));
    let xs: Vec<f64> = times.iter().map(|&t| x.place(data.times[t])).collect();
    let curve = |value: &dyn Fn(usize) -> f64| times.iter().map(|&t| y.place(value(t))).collect::<Vec<f64>>();

    let mut plots = Vec::new();
    let mut legend = Vec::new();
    let mut explain = |label: String, color: &str, shape: LegendShape, dash: Option<&str>| {
        let dasharray = dash.map(str::to_owned);
        legend.push(LegendEntry { label, color: color.to_owned(), shape, dasharray });
    };
    // One instance has no quantiles.
    let pairs = if is_of_one(data) { 0 } else { probabilities.len() / 2 };
    for pair in 0..pairs {
        let opposite = probabilities.len() - 1 - pair;
        let low = curve(&|t| summary(t).quantiles[pair]);
        let high = curve(&|t| summary(t).quantiles[opposite]);
        let label = format!("{}–{} %", percent(probabilities[pair]), percent(probabilities[opposite]));
        let color = &band(pair, pairs);
        explain(label, color, LegendShape::Rect, None);
        plots.push(Plot::Band(BandPlot::new(xs.clone(), low, high).with_color(color).with_opacity(1.0)));
    }
    for (instance, points) in &kept {
        let points = points.iter().map(|&(t, value)| (x.place(t), y.place(value)));
        let (color, width) = if is_of_one(data) { (MEDIAN, 1.8) } else { (KEPT, 0.7) };
        let line = LinePlot::new().with_data(points).with_color(color).with_stroke_width(width);
        // The legend has entries of its own: this names the line in a page.
        plots.push(Plot::Line(line.with_legend(instance.to_string())));
    }
    if pairs > 0 && probabilities.len() % 2 == 1 {
        let values = curve(&|t| summary(t).quantiles[pairs]);
        let label = match probabilities[pairs] {
            0.5 => "median".to_owned(),
            other => format!("{} %", percent(other)),
        };
        explain(label, MEDIAN, LegendShape::Line, None);
        let line = LinePlot::new().with_data(xs.iter().copied().zip(values)).with_color(MEDIAN);
        plots.push(Plot::Line(line.with_stroke_width(2.2)));
    }
    let means = curve(&|t| summary(t).mean);
    let mean = LinePlot::new().with_data(xs.iter().copied().zip(means)).with_stroke_width(1.8);
    if is_of_one(data) && kept.is_empty() {
        plots.push(Plot::Line(mean.with_color(MEDIAN)));
    } else if !is_of_one(data) {
        explain("mean".to_owned(), MEAN, LegendShape::Line, Some("5 3"));
        plots.push(Plot::Line(mean.with_color(MEAN).with_line_style(LineStyle::Dashed)));
    }
    if !kept.is_empty() {
        explain("single instances".to_owned(), KEPT, LegendShape::Line, None);
    }

    let quantity = words(&about.name());
    let mut layout = layout(&plots, &ends_within(data, column));
    if let (Some(&first), Some(&last)) = (xs.first(), xs.last())
        && first < last
    {
        layout = layout.with_x_axis_min(first).with_x_axis_max(last);
    }
    let labelled = layout.with_x_label(x.label("time", "s")).with_y_label(y.label(&quantity, &about.unit));
    Some(Sketch {
        name: format!("plots/{}_fan", about.name()),
        caption: match is_of_one(data) {
            true => format!("{quantity} against time"),
            false => format!(
                "{quantity}: quantiles over all instances that have a value then, against time; {}{}",
                instances(data, column),
                if lacking(data, column) { " at the end" } else { "" }
            ),
        },
        layout: match is_of_one(data) {
            true => labelled,
            false => labelled.with_legend_entries(legend).with_legend_width(190.0),
        },
        plots,
    })
}

/// The share that has a value of a column at the end.
fn share(data: &ReportData<'_>, column: usize) -> Option<Share> {
    let summary = &data.summaries.last()?[column];
    Share::new(summary.count, summary.count + summary.excluded)
}

/// True where not all have one.
fn lacking(data: &ReportData<'_>, column: usize) -> bool {
    share(data, column).is_some_and(|share| share.count < share.of)
}

/// The instances that have one, in words: `2,000 instances`, or `26 of 2,000 instances`.
fn instances(data: &ReportData<'_>, column: usize) -> String {
    match share(data, column) {
        Some(share) if share.count < share.of => format!("{} of {}", grouped(share.count), counted(share.of)),
        share => counted(share.map_or(0, |share| share.of)),
    }
}

/// Where most instances end: `travel: 90 % end within 0.08 to 3.2 m`. Of few instances the outer
/// quantiles are guesses: then it is all of them.
fn ends_within(data: &ReportData<'_>, column: usize) -> String {
    let about = &data.columns[column];
    let name = words(&about.name());
    let last = data.summaries.last().map(|row| &row[column]).filter(|summary| summary.count > 0);
    let Some(summary) = last else { return format!("{name}, {}", instances(data, column)) };
    if is_of_one(data) {
        return format!("{name} ends at {}", quantity(summary.mean, 3, &about.unit));
    }
    let out_of =
        if lacking(data, column) { format!(" of {}", instances(data, column)) } else { String::new() };
    let (middle, [from, to]) = match (&data.study.observe.quantiles[..], &summary.quantiles[..]) {
        ([from, .., to], [_, .., _]) if from.min(1.0 - to) * summary.count as f64 >= 1.0 => {
            let ends = [0, summary.quantiles.len() - 1].map(|k| quantile_in_title(summary, k));
            (format!("{} %", percent(to - from)), ends)
        }
        _ => ("all".to_owned(), [summary.min, summary.max].map(|end| in_title(end, summary.std))),
    };
    if from == to {
        return format!("{name}: {middle}{out_of} end at {}", with_unit(&to, &about.unit));
    }
    format!("{name}: {middle}{out_of} end within {from} to {}", with_unit(&to, &about.unit))
}

/// The value that most instances keep below, as the title of a distribution:
/// `travel: at most 3.2 m in 95 % of the instances`.
fn ends_below(data: &ReportData<'_>, column: usize) -> String {
    let about = &data.columns[column];
    let summary = data.summaries.last().map(|row| &row[column]);
    let name = words(&about.name());
    let Some(summary) = summary else { return name };
    let (share, value) = match data.study.observe.quantiles.last() {
        Some(p) if (1.0 - p) * summary.count as f64 >= 1.0 && !summary.quantiles.is_empty() => {
            let last = quantile_in_title(summary, summary.quantiles.len() - 1);
            (format!("{} % of the instances", percent(*p)), last)
        }
        _ => ("all instances".to_owned(), in_title(summary.max, summary.std)),
    };
    format!("{name}: at most {} in {share}", with_unit(&value, &about.unit))
}

/// A quantile in a title.
fn quantile_in_title(summary: &Summary, k: usize) -> String {
    with_minus(&known_within(summary.quantiles[k], error_of_quantile(summary, k, 0.1 * summary.std)))
}

/// Bars of the values at the last time; `None`: no instance has one, or there is but one instance.
fn histogram(data: &ReportData<'_>, column: usize) -> Option<Sketch> {
    if is_of_one(data) || data.summaries.last().is_some_and(|row| row[column].count == 0) {
        return None;
    }
    let about = &data.columns[column];
    let histogram = &data.final_histograms[column];
    let x = AxisScaling::over(histogram.edges.iter().copied());
    // A few values in many bars are a comb.
    let most = 2.0 * (histogram.counts.iter().sum::<u64>() as f64).sqrt();
    let bars = histogram.counts.len();
    let together =
        (1..=bars).find(|n| bars.is_multiple_of(*n) && (bars / n) as f64 <= most.max(4.0)).unwrap_or(1);
    let mut edges: Vec<f64> = histogram.edges.iter().step_by(together).map(|&edge| x.place(edge)).collect();
    if let [low, high] = edges[..]
        && high - low <= 1e-9 * high.abs()
    {
        // One value: a bar that can be seen.
        let half = 0.05 * low.abs().max(1.0);
        edges = vec![low - half, low + half];
    }
    let counts: Vec<f64> =
        histogram.counts.chunks(together).map(|counts| counts.iter().sum::<u64>() as f64).collect();
    let plots = if counts.is_empty() {
        Vec::new()
    } else {
        vec![Plot::Histogram(HistogramPlot::from_bins(edges, counts).with_color(BANDS[2]))]
    };
    let quantity = words(&about.name());
    let time = data.times.last().copied().unwrap_or(0.0);
    let summary = data.summaries.last().map(|row| &row[column]);
    let title = |what: &str, value: &str| {
        format!("{quantity} at {} s: {what} {}", number(time), with_unit(value, &about.unit))
    };
    let out_of =
        if lacking(data, column) { format!(" of {}", instances(data, column)) } else { String::new() };
    let at_median = data.study.observe.quantiles.iter().position(|p| *p == 0.5);
    let title = match summary.filter(|summary| summary.count > 0) {
        Some(summary) => match at_median.filter(|k| *k < summary.quantiles.len()) {
            Some(k) => title(&format!("median{out_of}"), &quantile_in_title(summary, k)),
            None => {
                let error = summary.std * (1.0 / (summary.count as f64).sqrt()).min(0.1);
                title(&format!("mean{out_of}"), &with_minus(&known_within(summary.mean, error)))
            }
        },
        None => format!("{quantity} at {} s", number(time)),
    };
    let mut layout = layout(&plots, &title);
    // Ticks at round numbers, not at edges of bars.
    layout.x_bin_width = None;
    let outside = match histogram.below + histogram.above {
        0 => String::new(),
        outside => format!(", {} of them outside the picture", grouped(outside)),
    };
    Some(Sketch {
        name: format!("plots/{}_final", about.name()),
        caption: format!(
            "{quantity} at t = {} s: values of {}{outside}",
            number(time),
            instances(data, column)
        ),
        layout: layout.with_x_label(x.label(&quantity, &about.unit)).with_y_label("instances"),
        plots,
    })
}

/// The share of all instances up to each value, of a column that not all have: the curve ends at
/// the share that has any.
fn distribution(data: &ReportData<'_>, manifest: &Manifest, column: usize) -> Option<Sketch> {
    let about = &data.columns[column];
    let of_outcome = || share(data, column).filter(|_| is_of_outcome(data.study, about));
    let share = data.lacking(manifest, column).or_else(of_outcome).filter(|share| share.count > 0)?;
    if is_of_one(data) {
        return None;
    }
    let Histogram { edges, counts, ends, below, above } = &data.final_histograms[column];
    edges.first()?;
    let percent = |count: u64| 100.0 * count as f64 / share.of as f64;
    let mut sum = *below;
    let mut points = Vec::new();
    // A value that many have is a step.
    for ([least, greatest], count) in ends.iter().zip(counts).filter(|(_, count)| **count > 0) {
        points.push((*least, percent(sum)));
        sum += count;
        points.push((*greatest, percent(sum)));
    }
    let x = AxisScaling::over(edges.iter().copied());
    // One value: a line that can be seen.
    let span = edges.last()? - edges[0];
    let room = if span > 0.0 { 0.05 * span } else { 0.05 * edges[0].abs().max(1.0) };
    let (first, last) = (x.place(edges[0] - room), x.place(edges.last()? + room));
    let mut curve = vec![(first, percent(*below))];
    curve.extend(points.into_iter().map(|(value, share)| (x.place(value), share)));
    curve.push((last, percent(sum)));
    let [low, high] = share.interval().map(|end| 100.0 * end);
    let band =
        BandPlot::new(vec![first, last], vec![low; 2], vec![high; 2]).with_color(BANDS[0]).with_opacity(1.0);
    let line = |points: Vec<(f64, f64)>| LinePlot::new().with_data(points);
    let end = line(vec![(first, 100.0 * share.value()), (last, 100.0 * share.value())]);
    let plots = vec![
        Plot::Band(band),
        Plot::Line(end.with_color(MEAN).with_stroke_width(1.8).with_line_style(LineStyle::Dashed)),
        Plot::Line(line(curve).with_color(MEDIAN).with_stroke_width(2.2)),
    ];
    let quantity = words(&about.name());
    let entry = |label: &str, color: &str, shape, dash: Option<&str>| LegendEntry {
        label: label.to_owned(),
        color: color.to_owned(),
        shape,
        dasharray: dash.map(str::to_owned),
    };
    let mut legend = vec![
        entry("up to a value", MEDIAN, LegendShape::Line, None),
        entry("have a value", MEAN, LegendShape::Line, Some("5 3")),
    ];
    // Narrower than the line, a band cannot be seen.
    if high - low > 0.005 * high {
        legend.push(entry("95 % interval", BANDS[0], LegendShape::Rect, None));
    }
    let outside = match below + above {
        0 => String::new(),
        outside => format!("; {} values lie outside the picture", grouped(outside)),
    };
    let (title, none) = match share.of - share.count {
        0 => (ends_below(data, column), String::new()),
        none => (
            format!("{quantity}: {} of {} have none", grouped(none), counted(share.of)),
            format!(", {} have none", grouped(none)),
        ),
    };
    let layout = layout(&plots, &title);
    Some(Sketch {
        name: format!("plots/{}_distribution", about.name()),
        caption: format!(
            "{quantity}: share of all instances with no more than a value, at the end; {}{none}{outside}",
            share.sentence(grouped)
        ),
        layout: layout
            .with_x_axis_min(first)
            .with_x_axis_max(last)
            .with_y_axis_min(0.0)
            .with_y_axis_max((1.05 * high).min(100.0))
            .with_x_label(x.label(&quantity, &about.unit))
            .with_y_label("share of all instances (%)")
            .with_legend_entries(legend)
            .with_legend_width(190.0),
        plots,
    })
}

/// One bar a verdict that occurred.
fn verdicts(manifest: &Manifest) -> Sketch {
    let occurred: Vec<(&str, u64)> =
        manifest.verdicts_in_order().into_iter().filter(|&(_, count)| count > 0).collect();
    let all = occurred.iter().map(|(_, count)| count).sum();
    let most = occurred.iter().max_by_key(|(_, count)| count);
    let title = most.map_or_else(
        || "No instance ended".to_owned(),
        |(verdict, count)| format!("{} of {}: {}", grouped(*count), counted(all), words(verdict)),
    );
    let bars = occurred.into_iter().map(|(verdict, count)| {
        let color = if verdict == "finished" { BANDS[2] } else { MEAN };
        (format!("{}: {}", words(verdict), grouped(count)), count as f64, color)
    });
    let plots = vec![Plot::Bar(BarPlot::new().with_colored_bars(bars).with_width(0.5))];
    Sketch {
        name: "plots/verdicts".to_owned(),
        caption: "How the instances ended".to_owned(),
        layout: layout(&plots, &title).with_x_label("verdict").with_y_label("instances"),
        plots,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_many_quantiles_differ() {
        for pairs in 1..20 {
            let colors: std::collections::BTreeSet<String> = (0..pairs).map(|k| band(k, pairs)).collect();
            assert_eq!(colors.len(), pairs, "{colors:?}");
        }
        assert_eq!(
            [band(0, 1), band(2, 3), band(0, 7), band(6, 7)],
            [BANDS[1], BANDS[2], BANDS[0], BANDS[3]]
        );
    }
}
