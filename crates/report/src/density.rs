//! The spread of a column over time, where quantiles say little: motions of all phases fill the
//! whole range, and their bands become a slab.

use kuva::plot::colormap::ColorMap;
use kuva::plot::heatmap::Heatmap;
use kuva::render::plots::Plot;

use super::axes::{AxisScaling, layout};
use super::numbers::{in_title, words};
use super::picture::Sketch;
use super::table::ColumnLabel;
use polhode_description::base::{quantity as quantity_of, with_unit};
use polhode_engine::observe::{Histogram, Summary};

/// A standard deviation of this share of the range: that of even values is 0.29, of a swing at a
/// random phase 0.35, of two hundred values of a bell 0.18.
const SCATTERED: f64 = 0.32;
/// A range is full from where so much of it is taken, and at so many of the times after.
const FULL: f64 = 0.9;
/// Fewer values make no density.
const LEAST: u64 = 200;
/// The share at which colours end, as a multiple of that of an even spread.
const MOST: f64 = 4.0;
/// Times and bars of a picture.
const TIMES: usize = 160;
const BARS: usize = 48;

/// Shares of the instances by value and time.
pub struct Density {
    /// First and last (s).
    times: [f64; 2],
    ends: [f64; 2],
    /// `[bar][time]`, the lowest first, each of its time.
    shares: Vec<Vec<f64>>,
    /// From this time on (s) instances fill the range nearly always; none: they come and go.
    filled_from: Option<f64>,
}

impl Density {
    /// From the histograms of a column of which these are the summaries; `None`: its quantiles say
    /// enough.
    pub fn of<'s>(
        times: &[f64],
        summary: impl Fn(usize) -> &'s Summary,
        histogram: impl Fn(usize, usize) -> Histogram,
    ) -> Option<Density> {
        let is_scattered = |time: usize| {
            let Summary { count, std, min, max, .. } = *summary(time);
            count >= LEAST && std >= SCATTERED * (max - min) && max > min
        };
        let late = times.len() / 2..times.len();
        let scattered = late.clone().filter(|time| is_scattered(*time)).count();
        if times.len() < 3 || 2 * scattered < late.len() {
            return None;
        }
        let known = || (0..times.len()).map(&summary).filter(|summary| summary.count > 0);
        let low = known().map(|summary| summary.min).fold(f64::INFINITY, f64::min);
        let high = known().map(|summary| summary.max).fold(f64::NEG_INFINITY, f64::max);
        let is_full = |time: usize| summary(time).max - summary(time).min >= FULL * (high - low);
        let mut scattered = 0;
        let mut filled_from = None;
        for time in (0..times.len()).rev() {
            scattered += usize::from(is_scattered(time));
            if is_scattered(time) && is_full(time) && scattered as f64 >= FULL * (times.len() - time) as f64 {
                filled_from = Some(times[time]);
            }
        }
        let columns = TIMES.min(times.len());
        let bar = (high - low) / BARS as f64;
        let of_column = |column: usize| {
            let mut shares = vec![0.0; BARS];
            let time = column * (times.len() - 1) / (columns - 1);
            let Histogram { edges, counts, below, above, .. } = histogram(time, 2 * BARS);
            let all = (counts.iter().sum::<u64>() + below + above).max(1) as f64;
            for (edge, count) in edges.windows(2).zip(counts) {
                // Values of a bar are taken as even.
                let place = |x: f64| ((x - low) / bar).clamp(0.0, BARS as f64);
                let (from, to) = (place(edge[0]), place(edge[1]));
                let share = count as f64 / all;
                if to - from < 1e-9 {
                    shares[(from as usize).min(BARS - 1)] += share;
                    continue;
                }
                let crossed = shares.iter_mut().enumerate().take(to.ceil() as usize).skip(from as usize);
                for (k, of_bar) in crossed {
                    let inside = (to.min(k as f64 + 1.0) - from.max(k as f64)).max(0.0);
                    *of_bar += share * inside / (to - from);
                }
            }
            shares
        };
        let by_column: Vec<Vec<f64>> = (0..columns).map(of_column).collect();
        let of_bar = |k: usize| by_column.iter().map(|shares| shares[k]).collect();
        let shares = (0..BARS).map(of_bar).collect();
        let last = times[times.len() - 1];
        Some(Density { times: [times[0], last], ends: [low, high], shares, filled_from })
    }

    /// `body angular velocity x: instances spread over −6.5 to 6.4 rad/s after 12 s`
    fn title(&self, quantity: &str, unit: &str) -> String {
        let spread = self.ends[1] - self.ends[0];
        let [low, high] = self.ends.map(|end| in_title(end, spread));
        let high = with_unit(&high, unit);
        match self.filled_from {
            None => format!("{quantity}: instances come and go between {low} and {high}"),
            Some(from) if from > self.times[0] => {
                format!(
                    "{quantity}: instances spread over {low} to {high} after {}",
                    quantity_of(from, 2, "s")
                )
            }
            Some(_) => format!("{quantity}: instances spread over {low} to {high}"),
        }
    }

    /// Its picture.
    pub(super) fn draw(&self, column: &ColumnLabel) -> Sketch {
        let (x, y) = (AxisScaling::over(self.times.into_iter()), AxisScaling::over(self.ends.into_iter()));
        let [x0, x1] = self.times.map(|time| x.place(time));
        let [y0, y1] = self.ends.map(|value| y.place(value));
        // Where all instances are alike, one bar would take all colours.
        let most = MOST / BARS as f64;
        let clipped = |row: &Vec<f64>| row.iter().map(|share| 100.0 * share.min(most)).collect::<Vec<f64>>();
        let data: Vec<Vec<f64>> = self.shares.iter().map(clipped).collect();
        let map = Heatmap::new()
            .with_data(data)
            .with_color_map(ColorMap::Viridis)
            .with_x_range(x0, x1)
            .with_y_range(y0, y1)
            .with_cell_size(1.0)
            .with_legend("% of the instances");
        let plots = vec![Plot::Heatmap(map)];
        let quantity = words(&column.name());
        let layout = layout(&plots, &self.title(&quantity, &column.unit))
            .with_x_axis_min(x0.min(x1))
            .with_x_axis_max(x0.max(x1))
            .with_y_axis_min(y0.min(y1))
            .with_y_axis_max(y0.max(y1))
            .with_x_label(x.label("time", "s"))
            .with_y_label(y.label(&quantity, &column.unit));
        let caption = format!(
            "{quantity}: share of the instances in each of {BARS} ranges, against time. They fill the range \
             or lie in separate parts of it, so that quantiles say little; the colours end at {MOST} times \
             an even spread"
        );
        Sketch { name: format!("plots/{}_density", column.name()), caption, plots, layout }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(std: f64) -> Summary {
        Summary { count: 1000, excluded: 0, mean: 0.0, std, min: -1.0, max: 1.0, quantiles: Vec::new() }
    }

    fn density(std: f64) -> Option<Density> {
        let summary = summary(std);
        let histogram = |_: usize, _: usize| Histogram {
            edges: vec![-1.0, 0.0, 1.0],
            counts: vec![250, 750],
            ..Histogram::default()
        };
        Density::of(&[0.0, 1.0, 2.0, 3.0], |_| &summary, histogram)
    }

    #[test]
    fn what_fills_its_range_has_a_density_and_a_bell_has_none() {
        assert!(density(0.3).is_none());
        let density = density(0.7).unwrap();
        let share = |bars: std::ops::Range<usize>| bars.map(|k| density.shares[k][1]).sum::<f64>();
        assert!((share(0..24) - 0.25).abs() < 1e-12 && (share(24..48) - 0.75).abs() < 1e-12);
        assert!((density.shares[0][0] - 0.25 / 24.0).abs() < 1e-12);
    }

    /// Before 1 s the instances are together.
    #[test]
    fn a_density_says_from_when_on_the_range_is_full() {
        let [together, apart] = [0.1, 0.7].map(summary);
        let histogram = |_: usize, _: usize| Histogram {
            edges: vec![-1.0, 1.0],
            counts: vec![1000],
            ..Histogram::default()
        };
        let times = [0.0, 1.0, 2.0, 3.0];
        let summary = |time: usize| if time < 1 { &together } else { &apart };
        let density = Density::of(&times, summary, histogram).unwrap();
        assert_eq!(density.title("spin", "rad/s"), "spin: instances spread over −1 to 1 rad/s after 1 s");
        let density = Density::of(&times, |_| &apart, histogram).unwrap();
        assert_eq!(density.title("spin", "rad/s"), "spin: instances spread over −1 to 1 rad/s");
    }
}
