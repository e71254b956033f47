//! The axes of pictures: their layout, and how values are placed on them.

use kuva::plot::legend::LegendPosition;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::theme::Theme;

use super::numbers::superscript;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
/// Points a curve is drawn with: more than there are pixels help nobody.
const POINTS: usize = 600;

/// Curves and bars told apart by people who do not see all colours (Okabe and Ito).
pub(crate) const SERIES: [&str; 9] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4fa3", "#8a6d3b", "#444444"];

pub(crate) fn layout(plots: &[Plot], title: &str) -> Layout {
    let theme = Theme {
        axis_color: "#444".into(),
        grid_color: "#e4e7ea".into(),
        tick_color: "#444".into(),
        text_color: "#222".into(),
        legend_border: "#c8cdd2".into(),
        font_family: Some("system-ui, 'DejaVu Sans', sans-serif".into()),
        ..Theme::light()
    };
    Layout::auto_from_plots(plots)
        .with_width(WIDTH)
        .with_height(HEIGHT)
        .with_theme(theme)
        .with_title(title)
        // Large: in the report a plot is shown at half its size, on a telephone at less.
        .with_title_size(23)
        .with_label_size(20)
        .with_tick_size(18)
        .with_body_size(17)
        .with_tick_format(TickFormat::Custom(std::sync::Arc::new(tick)))
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_legend_box(false)
}

/// As [`layout`], for one of several in a picture.
pub(super) fn panel(plots: &[Plot], title: &str) -> Layout {
    layout(plots, title).with_title_size(19).with_label_size(18).with_tick_size(17).with_body_size(17)
}

/// The placing of values on an axis: less an offset where they differ in late digits only, in
/// powers of a thousand where they are large or small. The plotter's ticks are then plain short
/// numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisScaling {
    offset: f64,
    power: i32,
}

impl AxisScaling {
    pub fn over(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return AxisScaling { offset: 0.0, power: 0 };
        }
        let range = high - low;
        let size = low.abs().max(high.abs());
        // Where the range is rounding noise, it is drawn as a constant.
        let offset = if range > 1e-13 * size && range < 1e-3 * size {
            // A decimal number with no more digits than needed: whole multiples of the range's
            // power of ten.
            let decimals = (size.log10().floor() - range.log10().floor()).clamp(0.0, 16.0) as usize;
            format!("{:.decimals$e}", low / 2.0 + high / 2.0).parse().unwrap_or(0.0)
        } else {
            0.0
        };
        let size = (low - offset).abs().max((high - offset).abs());
        let exponent = if size > 0.0 { size.log10().floor() as i32 } else { 0 };
        let power = if (-2..4).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 };
        AxisScaling { offset, power }
    }

    pub fn place(&self, value: f64) -> f64 {
        // In two steps: 10^-power alone may overflow.
        let half = 10f64.powi(-self.power / 2);
        (value - self.offset) * half * 10f64.powi(-self.power - -self.power / 2)
    }

    /// `quantity - offset (10^power unit)`
    pub fn label(&self, quantity: &str, unit: &str) -> String {
        let power = match self.power {
            0 => String::new(),
            power => format!("10{}", superscript(power)),
        };
        let unit = match (power.as_str(), unit) {
            ("", unit) => unit.to_owned(),
            (power, "1") => power.to_owned(),
            (power, unit) => format!("{power} {unit}"),
        };
        let offset = match self.offset {
            0.0 => String::new(),
            offset if offset < 0.0 => format!(" + {}", -offset),
            offset => format!(" − {offset}"),
        };
        format!("{quantity}{offset} ({unit})")
    }
}

/// A tick's label: at most four decimals, as many as it needs.
fn tick(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// Which of so many points a curve is drawn with; the last is among them.
pub(super) fn places(count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).step_by(count.div_ceil(POINTS).max(1)).collect();
    if count > 0 && places.last() != Some(&(count - 1)) {
        places.push(count - 1);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_keep_ticks_short() {
        let axis = |values: &[f64]| AxisScaling::over(values.iter().copied());
        assert_eq!(axis(&[0.0, 50.0]).label("time", "s"), "time (s)");
        assert_eq!(axis(&[0.0, 3e-9]).label("energy drift", "1"), "energy drift (10⁻⁹)");
        let far = axis(&[12.3456001, 12.3456005]);
        assert_eq!(far.label("energy", "J"), "energy − 12.3456003 (10⁻⁹ J)");
        assert!((far.place(12.3456005) - 200.0).abs() < 1e-3);
        assert_eq!(axis(&[-2.5e7, 1e7]).label("x", "m"), "x (10⁶ m)");
        assert_eq!(axis(&[2.0, 2.0]).label("x", "1"), "x (1)");
        assert_eq!(tick(-0.00001), "0");
        assert!(axis(&[1e-310, 5e-310]).place(5e-310).is_finite());
    }
}
