//! Curves, drawn like the plots of a run.

use std::borrow::Cow;

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LinePlot, LineStyle, ScatterPlot};
use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;

use super::axes::{AxisScaling, SERIES, layout};
use super::picture::{Picture, Sketch};

/// Points a curve is drawn with at most, lowest and highest of each stretch among them.
const POINTS: usize = 1200;

/// Dashes distinguish curves too. In the plot, and in the legend, whose lines are
/// short.
const DASHES: [(&str, &str); 4] = [("", ""), ("14 8", "9 4"), ("5 7", "3 3"), ("14 6 4 6", "6 2 2 2")];
/// The first are broader: where curves coincide, all are seen.
const WIDTHS: [f64; 4] = [4.0, 3.2, 2.4, 1.6];

const BENEATH: &str = "#c4cbd1";
const GUIDE: &str = "#9aa5ae";

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// A place in a plane: a metre is as long along the other axis, so that circles are round.
    Place,
    /// Powers of ten; values that are not positive are left out.
    Logarithmic,
}

/// A quantity with its unit (`1` for a pure number).
#[derive(Clone, Debug)]
pub struct PlottedQuantity {
    pub name: Cow<'static, str>,
    pub unit: Cow<'static, str>,
    pub scale: Scale,
}

impl PlottedQuantity {
    pub fn new(name: impl Into<Cow<'static, str>>, unit: impl Into<Cow<'static, str>>) -> PlottedQuantity {
        PlottedQuantity { name: name.into(), unit: unit.into(), scale: Scale::Linear }
    }

    pub fn place(name: impl Into<Cow<'static, str>>, unit: impl Into<Cow<'static, str>>) -> PlottedQuantity {
        PlottedQuantity { scale: Scale::Place, ..PlottedQuantity::new(name, unit) }
    }

    pub fn logarithmic(
        name: impl Into<Cow<'static, str>>,
        unit: impl Into<Cow<'static, str>>,
    ) -> PlottedQuantity {
        PlottedQuantity { scale: Scale::Logarithmic, ..PlottedQuantity::new(name, unit) }
    }
}

/// Draws them in their order.
pub fn draw_figures(figures: &[Figure]) -> Vec<Picture> {
    figures.iter().map(Figure::draw).collect()
}

#[derive(Clone, Debug)]
pub struct Curve {
    pub label: String,
    pub points: Vec<(f64, f64)>,
    /// Drawn broad and pale beneath the others.
    pub beneath: bool,
    /// A thin line to measure others by, without marks; without a label it has no place in the
    /// legend.
    pub guide: bool,
    /// Its name at its end in a page, in place of the label.
    pub name: Option<String>,
    /// Its number among the colours; absent: its place among the curves of the figure.
    pub style: Option<usize>,
}

impl Curve {
    pub fn new(label: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve { label: label.into(), points, beneath: false, guide: false, name: None, style: None }
    }

    /// Returns a curve with which the others are to be compared.
    pub fn beneath(label: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve { beneath: true, ..Curve::new(label, points) }
    }

    /// Returns a curve by which others are measured.
    pub fn guide(label: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve { guide: true, ..Curve::new(label, points) }
    }

    /// With this name at its end.
    pub fn named(self, name: String) -> Curve {
        Curve { name: Some(name), ..self }
    }

    /// In the colour of this number, which several figures share.
    pub fn styled(self, style: usize) -> Curve {
        Curve { style: Some(style), ..self }
    }

    /// As far as no value has left `low..=high`.
    pub fn within(mut self, low: f64, high: f64) -> Curve {
        let inside = self.points.iter().take_while(|(_, y)| (low..=high).contains(y)).count();
        self.points.truncate(inside);
        self
    }
}

/// Curves over a common axis.
#[derive(Clone, Debug)]
pub struct Figure {
    /// File name without folder and extension.
    pub name: &'static str,
    pub title: String,
    /// The exact content of the figure, in words.
    pub caption: String,
    pub x: PlottedQuantity,
    pub y: PlottedQuantity,
    pub curves: Vec<Curve>,
    /// The points themselves are marked.
    pub marked: bool,
}

impl Figure {
    /// Whether both axes are places in one plane.
    fn is_plane(&self) -> bool {
        self.x.scale == Scale::Place && self.y.scale == Scale::Place
    }

    /// Draws it.
    pub fn draw(&self) -> Picture {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let mut x = Placement::new(self.x.clone(), all().map(|(x, _)| x));
        let mut y = Placement::new(self.y.clone(), all().map(|(_, y)| y));
        let plane = self.is_plane();
        if plane {
            let axis = AxisScaling::over(all().flat_map(|(x, y)| [x, y]));
            (x.axis, y.axis) = (axis, axis);
        }
        let mut plots = Vec::new();
        let mut legend = Vec::new();
        let mut drawn = 0;
        for curve in &self.curves {
            // A track turns back: the extremes of a stretch are not enough of it.
            let points = if plane { curve.points.clone() } else { thinned(&curve.points) };
            let points = points.into_iter().map(|(a, b)| (x.place(a), y.place(b)));
            let points: Vec<(f64, f64)> = points.filter(|(a, b)| a.is_finite() && b.is_finite()).collect();
            let (color, dash, width) = if curve.beneath {
                (BENEATH, DASHES[0], 6.0)
            } else if curve.guide {
                (GUIDE, DASHES[0], 1.2)
            } else {
                let number = curve.style.unwrap_or(drawn);
                drawn += 1;
                (SERIES[number % SERIES.len()], DASHES[number % DASHES.len()], WIDTHS[number % WIDTHS.len()])
            };
            let mut line =
                LinePlot::new().with_data(points.clone()).with_color(color).with_stroke_width(width);
            if !dash.0.is_empty() {
                line = line.with_line_style(LineStyle::Custom(dash.0.to_owned()));
            }
            if let Some(name) = &curve.name {
                line = line.with_legend(name.as_str());
            }
            plots.push(Plot::Line(line));
            if self.marked && !curve.guide {
                plots.push(Plot::Scatter(
                    ScatterPlot::new().with_data(points).with_color(color).with_size(4.0),
                ));
            }
            let dasharray = (!dash.1.is_empty()).then(|| dash.1.to_owned());
            if curve.guide && curve.label.is_empty() {
                continue;
            }
            let shape = LegendShape::Line;
            legend.push(LegendEntry {
                label: curve.label.clone(),
                color: color.to_owned(),
                shape,
                dasharray,
            });
        }
        let longest = self.curves.iter().map(|curve| curve.label.chars().count()).max().unwrap_or(0);
        let mut layout = layout(&plots, &self.title)
            .with_x_label(x.label())
            .with_y_label(y.label())
            .with_legend_entries(legend)
            .with_legend_width(70.0 + 9.2 * longest as f64);
        if let Some((low, high, step)) = x.ends() {
            layout = layout.with_x_axis_min(low).with_x_axis_max(high);
            if let Some(step) = step {
                layout = layout.with_x_tick_step(step).with_x_tick_format(powers());
            }
        }
        if let Scale::Logarithmic = self.y.scale
            && let Some((low, high, Some(step))) = y.ends()
        {
            layout = layout.with_y_axis_min(low).with_y_axis_max(high);
            layout = layout.with_y_tick_step(step).with_y_tick_format(powers());
        }
        if plane {
            layout = layout.with_equal_aspect();
        }
        let name = format!("plots/{}", self.name);
        Sketch { name, caption: self.caption.clone(), plots, layout }.render()
    }
}

/// Where the values of a quantity are drawn.
struct Placement {
    quantity: PlottedQuantity,
    axis: AxisScaling,
    low: f64,
    high: f64,
}

impl Placement {
    fn new(quantity: PlottedQuantity, values: impl Iterator<Item = f64>) -> Placement {
        let values: Vec<f64> = match quantity.scale {
            Scale::Linear | Scale::Place => values.filter(|value| value.is_finite()).collect(),
            Scale::Logarithmic => values.map(f64::log10).filter(|value| value.is_finite()).collect(),
        };
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Placement { quantity, axis: AxisScaling::over(values.into_iter()), low, high }
    }

    fn place(&self, value: f64) -> f64 {
        match self.quantity.scale {
            Scale::Linear | Scale::Place => self.axis.place(value),
            Scale::Logarithmic => value.log10(),
        }
    }

    fn label(&self) -> String {
        let PlottedQuantity { name, unit, scale } = &self.quantity;
        match scale {
            Scale::Linear | Scale::Place => self.axis.label(name, unit),
            Scale::Logarithmic => format!("{name} ({unit})"),
        }
    }

    /// Ends of the axis, and the distance of its ticks where that matters. `None`: there is no axis
    /// to speak of.
    fn ends(&self) -> Option<(f64, f64, Option<f64>)> {
        if self.low >= self.high {
            return None;
        }
        match self.quantity.scale {
            Scale::Linear | Scale::Place => {
                Some((self.axis.place(self.low), self.axis.place(self.high), None))
            }
            Scale::Logarithmic => {
                let (low, high) = (self.low.floor(), self.high.ceil());
                Some((low, high, Some(((high - low) / 8.0).ceil().max(1.0))))
            }
        }
    }
}

/// Ticks of a logarithmic axis, whose values are exponents.
fn powers() -> TickFormat {
    TickFormat::Custom(std::sync::Arc::new(super::numbers::powers))
}

/// A curve with no more points than can be told apart: of each stretch its lowest and its highest.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let stretch = (2 * points.len()).div_ceil(POINTS);
    if stretch <= 2 {
        return points.to_vec();
    }
    points
        .chunks(stretch)
        .flat_map(|chunk| {
            let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let low = chunk.iter().min_by(by_value).copied();
            let high = chunk.iter().max_by(by_value).copied();
            let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).collect();
            pair.sort_by(|a, b| a.0.total_cmp(&b.0));
            pair
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_extremes_and_order() {
        let points: Vec<(f64, f64)> =
            (0..10_000).map(|i| (f64::from(i), if i == 4321 { 9.0 } else { f64::from(i % 2) })).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= POINTS + 2, "{}", thin.len());
        assert!(thin.contains(&(4321.0, 9.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn curves_end_where_they_leave_the_picture() {
        let curve = Curve::new("x", vec![(0.0, 0.0), (1.0, 5.0), (2.0, 0.0)]).within(-1.0, 1.0);
        assert_eq!(curve.points, [(0.0, 0.0)]);
    }
}
