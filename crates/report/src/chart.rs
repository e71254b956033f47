//! A plot as JSON, from which `chart.js` draws it in a page: as wide as there is room, in the
//! page's colours, and it answers a pointer, a finger and keys. The files for papers are drawn from
//! the same plot by the plotter.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kuva::plot::legend::LegendEntry;
use kuva::plot::{BandPlot, BarPlot, Histogram, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use serde::Serialize;

use super::numbers::powers;

/// The script of a page that has charts.
pub const CHART_SCRIPT: &str = include_str!("chart.js");

/// Steps from the least number of a list to the greatest; the number behind them is none.
const STEPS: f64 = 65_534.0;
/// Colours from the least value of cells to the greatest.
const SHADES: usize = 32;

/// Axes with what is drawn on them.
#[derive(Serialize)]
pub struct Chart {
    pub title: String,
    pub x: ChartAxis,
    pub y: ChartAxis,
    pub marks: Vec<Mark>,
    pub legend: Vec<LegendKey>,
    /// A length is as long along both axes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal: bool,
}

#[derive(Serialize)]
pub struct ChartAxis {
    pub label: String,
    /// Values are exponents of ten.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub powers: bool,
    pub ends: [Option<f64>; 2],
    /// Words for 0, 1, 2, ... in place of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

#[derive(Serialize)]
pub struct LegendKey {
    pub label: String,
    pub color: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dash: Option<String>,
}

/// One thing drawn. `instance`: the one that it shows.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Mark {
    Line {
        x: PackedNumbers,
        y: PackedNumbers,
        color: String,
        width: f64,
        dash: Option<String>,
        instance: Option<u64>,
        /// Its name at its end, where the legend has none of its own for it.
        label: Option<String>,
    },
    Band {
        x: PackedNumbers,
        low: PackedNumbers,
        high: PackedNumbers,
        color: String,
        opacity: f64,
    },
    Dots {
        x: PackedNumbers,
        y: PackedNumbers,
        color: String,
        size: f64,
        opacity: f64,
        instances: Vec<u64>,
    },
    Steps {
        edges: PackedNumbers,
        counts: PackedNumbers,
        color: String,
    },
    Bars {
        names: Vec<String>,
        /// By name, from below.
        bars: Vec<Vec<ChartBar>>,
    },
    Cells {
        columns: usize,
        rows: usize,
        /// Row by row, the lowest first.
        values: PackedNumbers,
        unit: String,
        colors: Vec<String>,
        /// First and last of the axes.
        x: [f64; 2],
        y: [f64; 2],
    },
    /// Cells that are coloured already.
    Map {
        columns: usize,
        rows: usize,
        /// PNG in base64, a pixel a cell.
        image: String,
        /// Row by row, the lowest first: what became of each, as a place among `words`, and its
        /// value.
        which: PackedNumbers,
        words: Vec<String>,
        values: PackedNumbers,
        bar: Option<Ramp>,
        x: [f64; 2],
        y: [f64; 2],
        /// Number of the first cell's instance, and what each step along the axes adds to it.
        instance: Option<[u64; 3]>,
    },
}

/// Colours of values.
#[derive(Serialize)]
pub struct Ramp {
    pub colors: Vec<String>,
    pub low: f64,
    pub high: f64,
    pub label: String,
    /// Values are exponents of ten.
    pub powers: bool,
}

#[derive(Serialize)]
pub struct ChartBar {
    value: f64,
    color: String,
    error: Option<[f64; 2]>,
}

/// PackedNumbers as steps of 16 bits between the least and the greatest, in base64: finer than what
/// is seen.
#[derive(Serialize)]
pub struct PackedNumbers {
    low: f64,
    high: f64,
    steps: String,
}

impl PackedNumbers {
    pub fn new(values: impl Iterator<Item = f64> + Clone) -> PackedNumbers {
        let finite = || values.clone().filter(|value| value.is_finite());
        let (low, high) =
            (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let step = |value: f64| match value {
            value if !value.is_finite() => u16::MAX,
            _ if high <= low => 0,
            // Halves, for the range may overflow.
            value => (STEPS * ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0))).round() as u16,
        };
        let bytes: Vec<u8> = values.clone().flat_map(|value| step(value).to_le_bytes()).collect();
        PackedNumbers { low, high, steps: BASE64.encode(bytes) }
    }
}

impl Chart {
    /// The plots on the axes that the plotter was given; `None`: there is one of them that no page
    /// draws.
    pub fn of(plots: &[Plot], layout: &Layout) -> Option<Chart> {
        let axis = |label: &Option<String>, format: &TickFormat, ends| ChartAxis {
            label: label.clone().unwrap_or_default(),
            powers: format.format(2.0) == powers(2.0),
            ends,
            names: Vec::new(),
        };
        let key = |entry: &LegendEntry| LegendKey {
            label: entry.label.clone(),
            color: entry.color.clone(),
            dash: entry.dasharray.clone(),
        };
        let mut x = axis(&layout.x_label, &layout.x_tick_format, [layout.x_axis_min, layout.x_axis_max]);
        let mut y = axis(&layout.y_label, &layout.y_tick_format, [layout.y_axis_min, layout.y_axis_max]);
        // Bars lie in a page.
        if plots.iter().any(|plot| matches!(plot, Plot::Bar(BarPlot { horizontal: false, .. }))) {
            std::mem::swap(&mut x, &mut y);
        }
        Some(Chart {
            title: layout.title.clone().unwrap_or_default(),
            x,
            y,
            marks: plots.iter().map(mark).collect::<Option<_>>()?,
            legend: layout.legend_entries.iter().flatten().map(key).collect(),
            equal: layout.equal_aspect,
        })
    }
}

fn mark(plot: &Plot) -> Option<Mark> {
    Some(match plot {
        Plot::Line(LinePlot { data, color, stroke_width, line_style, legend_label, .. }) => Mark::Line {
            x: PackedNumbers::new(data.iter().map(|point| point.x)),
            y: PackedNumbers::new(data.iter().map(|point| point.y)),
            color: color.clone(),
            width: *stroke_width,
            dash: line_style.dasharray(),
            instance: legend_label.as_ref().and_then(|label| label.parse().ok()),
            label: legend_label.clone().filter(|label| label.parse::<u64>().is_err()),
        },
        Plot::Band(BandPlot { x, y_lower, y_upper, color, opacity, .. }) => Mark::Band {
            x: PackedNumbers::new(x.iter().copied()),
            low: PackedNumbers::new(y_lower.iter().copied()),
            high: PackedNumbers::new(y_upper.iter().copied()),
            color: color.clone(),
            opacity: *opacity,
        },
        Plot::Scatter(ScatterPlot { data, color, size, marker_opacity, tooltip_labels, .. }) => Mark::Dots {
            x: PackedNumbers::new(data.iter().map(|point| point.x)),
            y: PackedNumbers::new(data.iter().map(|point| point.y)),
            color: color.clone(),
            size: *size,
            opacity: marker_opacity.unwrap_or(1.0),
            instances: tooltip_labels.iter().flatten().filter_map(|label| label.parse().ok()).collect(),
        },
        Plot::Histogram(Histogram { precomputed: Some((edges, counts)), color, .. }) => Mark::Steps {
            edges: PackedNumbers::new(edges.iter().copied()),
            counts: PackedNumbers::new(counts.iter().copied()),
            color: color.clone(),
        },
        Plot::Bar(BarPlot { groups, errors, horizontal, .. }) => {
            let mut errors = errors.iter().flatten().map(|(low, high)| [*low, *high]);
            let mut bars: Vec<(String, Vec<ChartBar>)> = Vec::new();
            for group in groups {
                let chart_bar = |bar: &kuva::plot::bar::BarValue| ChartBar {
                    value: bar.value,
                    color: bar.color.clone(),
                    error: errors.next(),
                };
                bars.push((group.label.clone(), group.bars.iter().map(chart_bar).collect()));
            }
            // Those side by side are read from the left, and in a page from above.
            if !horizontal {
                bars.reverse();
            }
            let (names, bars) = bars.into_iter().unzip();
            Mark::Bars { names, bars }
        }
        Plot::Heatmap(map) => {
            let ((x0, x1), (y0, y1)) = (map.x_range?, map.y_range?);
            Mark::Cells {
                columns: map.data.first()?.len(),
                rows: map.data.len(),
                values: PackedNumbers::new(map.data.iter().flatten().copied()),
                unit: map.legend_label.clone().unwrap_or_default(),
                colors: (0..SHADES).map(|k| map.color_map.map(k as f64 / (SHADES - 1) as f64)).collect(),
                x: [x0, x1],
                y: [y0, y1],
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bars that stand in a plot lie in a page: what they count is named along them.
    #[test]
    fn bars_lie_along_what_they_count() {
        for (horizontal, along) in [(false, "instances"), (true, "verdict")] {
            let bars =
                BarPlot::new().with_colored_bars([("finished", 3.0, "#000")]).with_horizontal(horizontal);
            let plots = vec![Plot::Bar(bars)];
            let layout = Layout::auto_from_plots(&plots).with_x_label("verdict").with_y_label("instances");
            assert_eq!(Chart::of(&plots, &layout).expect("bars").x.label, along);
        }
    }

    #[test]
    fn numbers_keep_their_place_and_the_lack_of_one() {
        let numbers = PackedNumbers::new([-1.0, f64::NAN, 3.0, 1.0].into_iter());
        let bytes = BASE64.decode(&numbers.steps).unwrap();
        let steps: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!((numbers.low, numbers.high, steps), (-1.0, 3.0, vec![0, u16::MAX, 65_534, 32_767]));
        let one = PackedNumbers::new([5.0; 3].into_iter());
        assert_eq!((one.low, BASE64.decode(one.steps).unwrap()), (5.0, vec![0; 6]));
        assert!(PackedNumbers::new([f64::MAX, -f64::MAX].into_iter()).steps.starts_with("/v8"));
    }
}
