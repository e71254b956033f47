//! Quantiles from counts in fixed bins, chosen by a pilot: a pure function of the study.
//!
//! The values of some instances (the pilot) at one time and column set a centre c (their lower median, itself a
//! value) and a scale s (the power of two with 1 <= range s < 2). In u = (x - c) s, monotone in x, there are 2048 equal bins of
//! width 1/256 over [-4, 4) (`grid.rs`), of which the pilot's range has 256 to 512, and as much again on either side at least
//! once. What falls outside is counted by its distance from that region in bins that grow
//! geometrically, four an octave up to 2^96 widths, then one every sixteen octaves: together they cover all doubles.
//! A count does not depend on order or partition, and adds.
//!
//! The quantile of probability p is that of type 7, interpolated between the order statistics at floor and ceiling of
//! p (n - 1). An order statistic is placed within its bin as if the bin's values lay evenly; the first and last are
//! the minimum and maximum. Hence the error is **at most one bin: 1/256 of the pilot's range** (in the central bins),
//! and in practice some hundredths of that.

use std::io::{self, Read, Write};

use serde::Serialize;

use super::grid::{BINS, Place, REACH, WIDTH};
use super::stored::{StoreReader, StoreWriter};

/// Instances in the pilot. Up to that size of ensemble, quantiles are exact.
pub const PILOT: u64 = 1024;

const PER_OCTAVE: u32 = 4;
/// Octaves of distance with `PER_OCTAVE` bins each; beyond, `COARSE` octaves a bin up to 2^1024.
const FINE_OCTAVES: u32 = 96;
const COARSE: u32 = 16;
/// Outlier bins on either side, those above first.
const OUTER: usize = (FINE_OCTAVES * PER_OCTAVE + (1024 - FINE_OCTAVES).div_ceil(COARSE)) as usize;
pub(super) const OUTLIERS: usize = 2 * OUTER;

/// The bins of one (time, column).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bins {
    pub place: Place,
    /// Of the pilot's range, widened by half of it on either side, in u: what pictures show.
    low: f64,
    high: f64,
}

/// Counts of values.
#[derive(Clone, Copy)]
pub(super) struct Counts<'a> {
    /// By bin of the grid.
    pub near: &'a [u32],
    /// By outlier bin; empty where there is none.
    pub far: &'a [u32],
}

impl Bins {
    /// From the finite values of the pilot, sorted.
    pub fn new(sorted: &[f64]) -> Self {
        match (sorted.first(), sorted.last()) {
            (Some(&lo), Some(&hi)) => Bins::about(sorted[(sorted.len() - 1) / 2], lo, hi),
            _ => Bins::about(0.0, 0.0, 0.0),
        }
    }

    /// As [`new`](Self::new), from the values in any order, which it changes.
    pub fn of_unsorted(values: &mut [f64]) -> Self {
        if values.is_empty() {
            return Bins::new(&[]);
        }
        let middle = (values.len() - 1) / 2;
        let (below, centre, above) = values.select_nth_unstable_by(middle, f64::total_cmp);
        let lo = below.iter().copied().fold(*centre, f64::min);
        let hi = above.iter().copied().fold(*centre, f64::max);
        Bins::about(*centre, lo, hi)
    }

    /// From the lower median and the extremes.
    fn about(centre: f64, lo: f64, hi: f64) -> Self {
        // Halved so that it cannot overflow.
        let spread = hi / 2.0 - lo / 2.0;
        // Equal values: some hundred steps of the value's last place. Zeros tell no scale: 2^-70 lets the fine
        // geometric bins reach 5e5.
        let floor =
            if centre == 0.0 && spread == 0.0 { 2f64.powi(-70) } else { centre.abs() * 2f64.powi(-45) };
        let half_range = spread.max(floor).clamp(f64::MIN_POSITIVE, 2f64.powi(1020));
        // half_range in [2^e, 2^(e+1)), so that the range times the scale is in [1, 2).
        let exponent = ((half_range.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let scale = 2f64.powi(-exponent - 1);
        let range = half_range * 2.0 * scale;
        let low = (lo - centre).max(-f64::MAX) * scale - range / 2.0;
        Self { place: Place { centre, scale }, low, high: low + 2.0 * range }
    }

    pub fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        let Bins { place: Place { centre, scale }, low, high } = *self;
        [centre, scale, low, high].into_iter().try_for_each(|x| to.f64(x))
    }

    /// Reads what [`store`](Self::store) wrote.
    pub fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<Bins> {
        let mut next = || from.f64();
        let place = Place { centre: next()?, scale: next()? };
        Ok(Bins { place, low: next()?, high: next()? })
    }

    /// The outlier bin of a u that is not near.
    pub fn outlier(u: f64) -> usize {
        // 1 + distance in widths, at least 1: its exponent is the octave, its two highest bits the quarter.
        let distance = (u.abs() - REACH) / WIDTH;
        let ratio = (1.0 + distance.max(0.0)).min(f64::MAX);
        let quarter = (ratio.to_bits() >> 50) as u32 - 1023 * PER_OCTAVE;
        let octave = quarter / PER_OCTAVE;
        let bin = if octave < FINE_OCTAVES {
            quarter
        } else {
            FINE_OCTAVES * PER_OCTAVE + (octave - FINE_OCTAVES) / COARSE
        };
        bin as usize + if u < 0.0 { OUTER } else { 0 }
    }

    /// Lower and upper edge (in x) of the bin that is `rank`-th in ascending order.
    fn edges(&self, rank: usize) -> (f64, f64) {
        let edge = |bin: usize| {
            let bin = bin as u32;
            let fine = FINE_OCTAVES * PER_OCTAVE;
            if bin <= fine {
                let octave = 2f64.powi((bin / PER_OCTAVE) as i32);
                octave * (1.0 + f64::from(bin % PER_OCTAVE) / f64::from(PER_OCTAVE)) - 1.0
            } else {
                2f64.powi((FINE_OCTAVES + (bin - fine) * COARSE) as i32)
            }
        };
        let at = |u: f64| self.place.unscaled(u);
        let below = |bin: usize| at(-REACH - WIDTH * edge(bin));
        let above = |bin: usize| at(REACH + WIDTH * edge(bin));
        let near = |bin: usize| at(lower_edge(bin));
        if rank < OUTER {
            let bin = OUTER - 1 - rank;
            (below(bin + 1), below(bin))
        } else if rank < OUTER + BINS {
            let bin = rank - OUTER;
            (near(bin), near(bin + 1))
        } else {
            let bin = rank - OUTER - BINS;
            (above(bin), above(bin + 1))
        }
    }
}

/// Of a bin of the grid, in u.
fn lower_edge(bin: usize) -> f64 {
    WIDTH * bin as f64 - REACH
}

/// The counts in ascending order of their bins, with the ranks of these.
fn ascending(counts: Counts<'_>) -> impl Iterator<Item = (usize, u32)> + '_ {
    let lower = counts.far.iter().skip(OUTER).rev().enumerate();
    let near = counts.near.iter().enumerate().map(|(bin, count)| (OUTER + bin, count));
    let upper = counts.far.iter().take(OUTER).enumerate().map(|(bin, count)| (OUTER + BINS + bin, count));
    lower.chain(near).chain(upper).map(|(rank, count)| (rank, *count))
}

/// Quantiles at ascending `probabilities` of `n >= 1` counted values between `min` and `max`.
pub(super) fn from_counts(
    bins: &Bins,
    counts: Counts<'_>,
    n: u64,
    min: f64,
    max: f64,
    probabilities: &[f64],
) -> Vec<f64> {
    let occupied: Vec<(u64, u32, usize)> = ascending(counts)
        .filter(|&(_, count)| count > 0)
        .scan(0, |before, (rank, count)| {
            *before += u64::from(count);
            Some((*before - u64::from(count), count, rank))
        })
        .collect();
    let order_statistic = |index: u64| {
        if index == 0 {
            return min;
        }
        if index >= n - 1 {
            return max;
        }
        let (before, count, rank) = occupied[occupied.partition_point(|&(before, ..)| before <= index) - 1];
        let (low, high) = bins.edges(rank);
        let (low, high) = (low.max(min), high.min(max));
        let fraction = (((index - before) as f64 + 0.5) / f64::from(count)).min(1.0);
        // An edge may have been rounded to the other side of an extreme.
        between(low, high, fraction).clamp(min, max)
    };
    probabilities.iter().map(|&p| type_7(p, n, order_statistic)).collect()
}

/// Quantiles (type 7) of sorted values, at least one.
pub(super) fn from_sorted(sorted: &[f64], probabilities: &[f64]) -> Vec<f64> {
    let n = sorted.len() as u64;
    probabilities.iter().map(|&p| type_7(p, n, |index| sorted[index as usize])).collect()
}

/// Linear between the order statistics (counted from 0) about p (n - 1).
fn type_7(p: f64, n: u64, order_statistic: impl Fn(u64) -> f64) -> f64 {
    let position = (p.clamp(0.0, 1.0) * (n - 1) as f64).min((n - 1) as f64);
    let index = position.floor() as u64;
    let fraction = position - position.floor();
    let low = order_statistic(index);
    if fraction == 0.0 {
        return low;
    }
    let high = order_statistic(index + 1);
    between(low, high, fraction)
}

/// Counts in adjacent bars, for a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Histogram {
    /// One more than there are counts, ascending; empty where there is no value.
    pub edges: Vec<f64>,
    pub counts: Vec<u64>,
    /// Values below the first and above the last edge.
    pub below: u64,
    pub above: u64,
}

/// At most `bars` equal bars over the bins about the pilot's range that hold values; the outermost end at the extremes.
pub(super) fn histogram_from_counts(
    bins: &Bins,
    counts: Counts<'_>,
    min: f64,
    max: f64,
    bars: usize,
) -> Histogram {
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    let bin = |u: f64| (((u + REACH) / WIDTH).max(0.0) as usize).min(BINS);
    let (begin, end) = (bin(bins.low), bin(bins.high).max(1));
    let shown = &counts.near[begin..end];
    let (upper, lower) = counts.far.split_at(OUTER.min(counts.far.len()));
    let below = sum(lower) + sum(&counts.near[..begin]);
    let above = sum(upper) + sum(&counts.near[end..]);
    let (Some(first), Some(last)) =
        (shown.iter().position(|&count| count > 0), shown.iter().rposition(|&count| count > 0))
    else {
        return Histogram { below, above, ..Histogram::default() };
    };
    let group = (last + 1 - first).div_ceil(bars.max(1));
    let counts: Vec<u64> = shown[first..=last].chunks(group).map(sum).collect();
    let edge = |bar: usize| bins.place.unscaled(lower_edge(begin + first + bar * group)).clamp(min, max);
    let edges = (0..=counts.len()).map(edge).collect();
    Histogram { edges, counts, below, above }
}

/// Equal bars over sorted values, at least one.
pub(super) fn histogram_from_sorted(sorted: &[f64], bars: usize) -> Histogram {
    let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
    // All equal, or apart by a few units in the last place: one bar.
    let width = (high / 2.0 - low / 2.0) / bars.max(1) as f64 * 2.0;
    if low + width == low || high - width == high {
        return Histogram {
            edges: vec![low, high],
            counts: vec![sorted.len() as u64],
            ..Histogram::default()
        };
    }
    let bars = bars.max(1);
    let mut counts = vec![0; bars];
    for &x in sorted {
        counts[(((x - low) / width) as usize).min(bars - 1)] += 1;
    }
    let edges = (0..=bars).map(|bar| if bar == bars { high } else { low + width * bar as f64 }).collect();
    Histogram { edges, counts, ..Histogram::default() }
}

/// low + (high - low) fraction, without overflow on the way, and low where both are equal.
fn between(low: f64, high: f64, fraction: f64) -> f64 {
    low + 2.0 * ((high / 2.0 - low / 2.0) * fraction)
}

#[cfg(test)]
mod tests {
    use super::super::grid;
    use super::*;

    /// Values that lie evenly, eight to a bin, are found where they are: an order statistic is placed by its rank within the bin, and half a
    /// rank is 2.4e-4 of the range.
    #[test]
    fn order_statistics_within_a_bin_lie_evenly() {
        let bins = Bins::new(&[0.0, 1.0]);
        let n = 2048u64;
        let value = |k: u64| (k as f64 + 0.5) / n as f64;
        let mut near = vec![0; BINS];
        for k in 0..n {
            near[grid::bin(bins.place.scaled(value(k)))] += 1;
        }
        // The range is 1 in u, too.
        assert_eq!(near.iter().filter(|count| **count == 8).count(), 256);
        let ranks = [12, 100, 1023, 1024, 1500, 2030];
        let probabilities = ranks.map(|k| k as f64 / (n - 1) as f64);
        let counts = Counts { near: &near, far: &[] };
        let found = from_counts(&bins, counts, n, value(0), value(n - 1), &probabilities);
        for (rank, found) in ranks.into_iter().zip(found) {
            assert!((found - value(rank)).abs() < 1e-6, "{rank}: {found} for {}", value(rank));
        }
    }
}
