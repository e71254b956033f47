//! Curves of several runs over each other: a picture of every channel, one of what the runs differ
//! in from the first, and one of all channels beside each other.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{BandPlot, Histogram as HistogramPlot, LinePlot, LineStyle};
use kuva::render::figure::Figure as Panels;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use rayon::prelude::*;

use super::axes::{AxisScaling, SERIES, layout, panel, places};
use super::numbers::round3;
use super::numbers::{number, with_minus, words};
use super::picture::{Picture, Sketch};
use polhode_description::base::{grouped, known_within, quantity as amount, with_unit};
use polhode_engine::observe::Histogram;
use polhode_engine::observe::indices::Estimate;

/// Most channels in the picture of all: more cannot be read.
const PANELS: usize = 12;
/// Height of one of them.
const PANEL: f64 = 330.0;

/// A run in the picture of a channel.
#[derive(Clone, Debug)]
pub struct RunCurve {
    pub label: String,
    /// (s)
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    /// Ends of what the instances spread over; empty where all are the same.
    pub spread: Vec<[f64; 2]>,
}

/// A channel component of several runs.
#[derive(Clone, Debug)]
pub struct Together {
    pub name: String,
    pub unit: String,
    /// One a run, in their order.
    pub curves: Vec<RunCurve>,
    /// Each run but the first, less the first, at their common times.
    pub differences: Vec<RunCurve>,
    /// Names of a curve and of the shaded range: `mean`, `2.5–97.5 %`.
    pub middle: String,
    pub shaded: String,
}

/// Per channel `NAME` and `NAME_difference`, and `all` if there are several.
pub fn draw_together(channels: &[Together]) -> Vec<Picture> {
    let jobs: Vec<(usize, bool)> = (0..channels.len()).flat_map(|c| [(c, false), (c, true)]).collect();
    let picture = |(c, difference): &(usize, bool)| {
        let channel = &channels[*c];
        let quantity = words(&channel.name);
        let (name, what, curves, skipped) = match difference {
            false => (channel.name.clone(), quantity.clone(), &channel.curves, 0),
            true => {
                let first = &channel.curves[0].label;
                let what = format!("{quantity}, less that of {first}");
                (format!("{}_difference", channel.name), what, &channel.differences, 1)
            }
        };
        let found = if *difference { farthest(channel) } else { ends(channel) };
        let title = found.map_or_else(|| what.clone(), |found| format!("{quantity}: {found}"));
        let drawn = Drawn::of(curves, skipped);
        let shading = match curves.iter().any(|curve| !curve.spread.is_empty()) {
            true => format!(", shaded {}", channel.shaded),
            false => String::new(),
        };
        let caption = format!("{what}: {}{shading}, against time", channel.middle);
        let layout = drawn.labelled(layout(&drawn.plots, &title), &quantity, &channel.unit);
        let layout = layout.with_legend_entries(drawn.legend).with_legend_width(190.0);
        Sketch { name, caption, plots: drawn.plots, layout }.render()
    };
    let mut pictures: Vec<Picture> = jobs.par_iter().map(picture).collect();
    if channels.len() > 1 {
        pictures.push(all(&channels[..channels.len().min(PANELS)]));
    }
    pictures
}

/// Where the runs end: `runs end at 0.31 to 0.33 rad`.
fn ends(channel: &Together) -> Option<String> {
    let last = |curve: &RunCurve| curve.values.last().copied().filter(|value| value.is_finite());
    let known: Vec<f64> = channel.curves.iter().filter_map(last).collect();
    let low = known.iter().copied().reduce(f64::min)?;
    let high = known.iter().copied().reduce(f64::max)?;
    let [from, to] = [low, high].map(|end| with_minus(&known_within(end, 0.1 * (high - low))));
    let to = with_unit(&to, &channel.unit);
    Some(if low == high { format!("all runs end at {to}") } else { format!("runs end at {from} to {to}") })
}

/// Where a run is farthest from the first: `B is up to 0.32 m from A, at 4.1 s`.
fn farthest(channel: &Together) -> Option<String> {
    let of_run = |curve: &RunCurve| {
        let points = curve.times.iter().zip(&curve.values).filter(|(_, value)| value.is_finite());
        let (time, value) = points.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        Some((value.abs(), *time, curve.label.clone()))
    };
    let (most, time, label) =
        channel.differences.iter().filter_map(of_run).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (by, first) = (amount(most, 3, &channel.unit), &channel.curves[0].label);
    Some(match most {
        0.0 => format!("all runs are as {first}"),
        _ => format!("{label} is up to {by} from {first}, at {}", amount(time, 3, "s")),
    })
}

/// The differences between two runs, pair by pair.
pub struct PairedBars<'a> {
    /// The file's name.
    pub file: String,
    pub name: &'a str,
    pub unit: &'a str,
    /// The first and the second run.
    pub labels: [&'a str; 2],
    pub pairs: u64,
    pub mean: Estimate,
    pub histogram: &'a Histogram,
}

/// A histogram of the differences, with their mean and where there is none.
pub fn draw_pairs(pairs: &PairedBars<'_>) -> Picture {
    let Histogram { edges, counts, below, above, .. } = pairs.histogram;
    let x = AxisScaling::over(edges.iter().copied());
    let tallest = counts.iter().copied().max().unwrap_or(0) as f64;
    let placed: Vec<f64> = edges.iter().map(|edge| x.place(*edge)).collect();
    let bars = HistogramPlot::from_bins(placed, counts.iter().map(|count| *count as f64).collect());
    let mut plots = vec![Plot::Histogram(bars.with_color("#74a7d2"))];
    let mut legend = Vec::new();
    let inside =
        |at: f64| edges.first().is_some_and(|low| *low <= at) && edges.last().is_some_and(|high| at <= *high);
    let [value, low, high] =
        [pairs.mean.value, pairs.mean.low, pairs.mean.high].map(|end| number(round3(end)));
    let mean = format!("mean {value} {}", pairs.unit);
    for (label, at, color, style, dash) in [
        ("no difference", 0.0, "#444444", LineStyle::Solid, None),
        (&mean, pairs.mean.value, "#d1660f", LineStyle::Dashed, Some("5 3")),
    ] {
        // The legend has the mean, though it may lie outside the picture.
        legend.push(LegendEntry {
            label: label.to_string(),
            color: color.to_string(),
            shape: LegendShape::Line,
            dasharray: dash.map(str::to_string),
        });
        if inside(at) {
            let line =
                LinePlot::new().with_data([(x.place(at), 0.0), (x.place(at), tallest)]).with_color(color);
            plots.push(Plot::Line(line.with_stroke_width(2.2).with_line_style(style)));
        }
    }
    let quantity = words(pairs.name);
    let [first, second] = pairs.labels;
    let description = format!("{quantity}: {second} less {first}, {} pairs", grouped(pairs.pairs));
    // A longer one does not fit.
    let title = match description.chars().count() {
        0..=60 => description.clone(),
        _ => format!("{quantity}: second less first, {} pairs", grouped(pairs.pairs)),
    };
    let outside = match below + above {
        0 => String::new(),
        outside => format!("; {} more outside", grouped(outside)),
    };
    let caption = format!("{description}; {mean} (95 %: {low} to {high}){outside}");
    let mut layout = layout(&plots, &title);
    // Ticks at round numbers, not at edges of bars.
    layout.x_bin_width = None;
    let layout = layout
        .with_x_label(x.label(&format!("difference in {quantity}"), pairs.unit))
        .with_y_label(format!("pairs{outside}"));
    let layout = layout.with_legend_entries(legend).with_legend_width(210.0);
    Sketch { name: pairs.file.clone(), caption, plots, layout }.render()
}

/// The channels beside each other, with one legend.
fn all(channels: &[Together]) -> Picture {
    let mut plots = Vec::new();
    let mut layouts = Vec::new();
    let mut legend = Vec::new();
    for channel in channels {
        let drawn = Drawn::of(&channel.curves, 0);
        let quantity = words(&channel.name);
        // The plotter makes room for a legend of 12 points, whatever it then writes.
        let layout = panel(&drawn.plots, &quantity).with_body_size(12);
        layouts.push(drawn.labelled(layout, &quantity, &channel.unit));
        plots.push(drawn.plots);
        legend = drawn.legend;
    }
    let (rows, wide) = (channels.len().div_ceil(2), channels.len().min(2));
    let figure = Panels::new(rows, wide).with_plots(plots).with_layouts(layouts);
    let figure = figure.with_shared_legend_bottom().with_shared_legend_entries(legend);
    let scene = figure.with_cell_size(560.0, PANEL).render();
    let names: Vec<String> = channels.iter().map(|channel| words(&channel.name)).collect();
    Picture::render("all".to_string(), format!("{}, against time", names.join("; ")), scene)
}

/// Curves on their axes.
struct Drawn {
    plots: Vec<Plot>,
    legend: Vec<LegendEntry>,
    x: AxisScaling,
    y: AxisScaling,
    /// First and last time, as placed.
    range: Option<(f64, f64)>,
}

impl Drawn {
    /// `skipped`: runs before these, whose colours are not theirs.
    fn of(curves: &[RunCurve], skipped: usize) -> Drawn {
        let finite = |curve: &RunCurve| -> Vec<usize> {
            let shown = places(curve.times.len()).into_iter();
            shown.filter(|t| curve.values[*t].is_finite()).collect()
        };
        let shown: Vec<Vec<usize>> = curves.iter().map(finite).collect();
        let pairs = || curves.iter().zip(&shown);
        let times = pairs().flat_map(|(curve, shown)| shown.iter().map(|t| curve.times[*t]));
        let x = AxisScaling::over(times.clone());
        let values = pairs().flat_map(|(curve, shown)| {
            let spread = |t: &usize| curve.spread.get(*t).copied().unwrap_or([curve.values[*t]; 2]);
            shown.iter().flat_map(move |t| spread(t).into_iter().chain([curve.values[*t]]))
        });
        let y = AxisScaling::over(values);
        let range = times.map(|t| x.place(t)).fold(None, |range: Option<(f64, f64)>, t| {
            Some(range.map_or((t, t), |(low, high)| (low.min(t), high.max(t))))
        });
        let (mut bands, mut lines, mut legend) = (Vec::new(), Vec::new(), Vec::new());
        for (k, (curve, shown)) in pairs().enumerate() {
            let color = SERIES[(k + skipped) % SERIES.len()];
            // Curves that lie on each other are still seen: the later the more broken.
            let (style, dasharray) = match (k + skipped) % 3 {
                0 => (LineStyle::Solid, None),
                1 => (LineStyle::Dashed, Some("8 4".to_string())),
                _ => (LineStyle::Dotted, Some("2 4".to_string())),
            };
            let xs: Vec<f64> = shown.iter().map(|t| x.place(curve.times[*t])).collect();
            if !curve.spread.is_empty() {
                let end =
                    |side: usize| shown.iter().map(|t| y.place(curve.spread[*t][side])).collect::<Vec<f64>>();
                let band = BandPlot::new(xs.clone(), end(0), end(1)).with_color(color).with_opacity(0.15);
                bands.push(Plot::Band(band));
            }
            let points = xs.iter().copied().zip(shown.iter().map(|t| y.place(curve.values[*t])));
            let line = LinePlot::new().with_data(points).with_color(color).with_stroke_width(2.2);
            lines.push(Plot::Line(line.with_line_style(style)));
            let (label, color) = (curve.label.clone(), color.to_owned());
            legend.push(LegendEntry { label, color, shape: LegendShape::Line, dasharray });
        }
        bands.extend(lines);
        Drawn { plots: bands, legend, x, y, range }
    }

    fn labelled(&self, layout: Layout, quantity: &str, unit: &str) -> Layout {
        let layout =
            layout.with_x_label(self.x.label("time", "s")).with_y_label(self.y.label(quantity, unit));
        match self.range {
            Some((first, last)) if first < last => layout.with_x_axis_min(first).with_x_axis_max(last),
            _ => layout,
        }
    }
}
