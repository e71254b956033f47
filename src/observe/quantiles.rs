//! Quantiles from counts in fixed bins, chosen by a pilot: a pure function of the study.
//!
//! The values of some instances (the pilot) at one time and column set a centre c (their lower median, itself a
//! value), a scale s (the power of two with 1 <= range s < 2) and 512 equal bins of width range/256 over
//! `[lo - range/2, hi + range/2]`. What falls outside is counted by its distance from that region in bins that grow
//! geometrically, four an octave up to 2^96 widths, then one every sixteen octaves: together they cover all doubles.
//! All bins are counted in u = (x - c) s, monotone in x. A count does not depend on order or partition, and adds.
//!
//! The quantile of probability p is that of type 7, interpolated between the order statistics at floor and ceiling of
//! p (n - 1). An order statistic is placed within its bin as if the bin's values lay evenly; the first and last are
//! the minimum and maximum. Hence the error is **at most one bin: 1/256 of the pilot's range** (in the central bins),
//! and in practice some hundredths of that.

use std::io::{self, Read, Write};

use super::stored::{StoreReader, StoreWriter};

/// Instances in the pilot. Up to that size of ensemble, quantiles are exact.
pub const PILOT: u64 = 1024;

/// Equal bins.
const CENTRAL: usize = 512;
const PER_OCTAVE: u32 = 4;
/// Octaves of distance with `PER_OCTAVE` bins each; beyond, `COARSE` octaves a bin up to 2^1024.
const FINE_OCTAVES: u32 = 96;
const COARSE: u32 = 16;
/// Outlier bins on either side.
const OUTER: usize = (FINE_OCTAVES * PER_OCTAVE + (1024 - FINE_OCTAVES).div_ceil(COARSE)) as usize;

/// Slots of the count array. The first three kinds are found without a branch; values that land in BELOW and ABOVE
/// are moved to the outlier bins behind them.
pub(super) const EXCLUDED: usize = 0;
pub(super) const BELOW: usize = 1;
const FIRST_CENTRAL: usize = 2;
pub(super) const ABOVE: usize = FIRST_CENTRAL + CENTRAL;
const FIRST_UPPER: usize = ABOVE + 1;
const FIRST_LOWER: usize = FIRST_UPPER + OUTER;
pub(super) const SLOTS: usize = FIRST_LOWER + OUTER;

/// The bins of one (time, column).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bins {
    /// c, in the column's unit.
    pub centre: f64,
    /// s, a power of two in 1/unit.
    pub scale: f64,
    /// Of the central region, in u.
    low: f64,
    width: f64,
    per_width: f64,
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
        let half_range = spread.max(floor).clamp(2f64.powi(-1000), 2f64.powi(1020));
        // half_range in [2^e, 2^(e+1)), so that the range times the scale is in [1, 2).
        let exponent = ((half_range.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let scale = 2f64.powi(-exponent - 1);
        let range = half_range * 2.0 * scale;
        let low = (lo - centre).max(-f64::MAX) * scale - range / 2.0;
        let width = range / (CENTRAL / 2) as f64;
        Self { centre, scale, low, width, per_width: 1.0 / width }
    }

    pub fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        let Bins { centre, scale, low, width, per_width } = *self;
        [centre, scale, low, width, per_width].into_iter().try_for_each(|x| to.f64(x))
    }

    /// Reads what [`store`](Self::store) wrote.
    pub fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<Bins> {
        let mut next = || from.f64();
        Ok(Bins { centre: next()?, scale: next()?, low: next()?, width: next()?, per_width: next()? })
    }

    /// The largest |x| and |u| of the central region.
    pub fn reach(&self) -> (f64, f64) {
        let ends = [self.low, self.low + CENTRAL as f64 * self.width];
        let largest = |of: [f64; 2]| of[0].abs().max(of[1].abs());
        (largest(ends.map(|u| self.unscaled(u))), largest(ends))
    }

    /// u = (x - c) s.
    #[inline(always)]
    pub fn scaled(&self, x: f64) -> f64 {
        (x - self.centre) * self.scale
    }

    /// x at u.
    fn unscaled(&self, u: f64) -> f64 {
        self.centre + u / self.scale
    }

    /// The slot of u (not NaN) if it is central, else BELOW or ABOVE; no branch, no conversion: adding 2^52 leaves the
    /// rounded number in the low bits.
    #[inline(always)]
    pub fn slot(&self, u: f64) -> u32 {
        const LAST: f64 = ABOVE as f64;
        const FIRST: f64 = BELOW as f64;
        let position = (u - self.low) * self.per_width + (FIRST_CENTRAL as f64 - 0.5);
        let position = if position < LAST { position } else { LAST };
        let position = if position > FIRST { position } else { FIRST };
        (position + 4503599627370496.0).to_bits() as u32
    }

    /// The constants of [`slot`](Self::slot), which a device counts with.
    pub fn slot_rule(&self) -> [f64; 3] {
        [self.low, self.per_width, FIRST_CENTRAL as f64 - 0.5]
    }

    /// The outlier slot of a u that `slot` put in BELOW or ABOVE.
    pub fn outer_slot(&self, u: f64, slot: usize) -> usize {
        let (distance, first) = if slot == ABOVE {
            (u - (self.low + CENTRAL as f64 * self.width), FIRST_UPPER)
        } else {
            (self.low - u, FIRST_LOWER)
        };
        // 1 + distance in widths, at least 1: its exponent is the octave, its two highest bits the quarter.
        let ratio = (1.0 + (distance * self.per_width).max(0.0)).min(f64::MAX);
        let quarter = (ratio.to_bits() >> 50) as u32 - 1023 * PER_OCTAVE;
        let octave = quarter / PER_OCTAVE;
        let bin = if octave < FINE_OCTAVES {
            quarter
        } else {
            FINE_OCTAVES * PER_OCTAVE + (octave - FINE_OCTAVES) / COARSE
        };
        first + bin as usize
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
        let below = |bin: usize| self.unscaled(self.low - self.width * edge(bin));
        let above = |bin: usize| self.unscaled(self.low + self.width * (CENTRAL as f64 + edge(bin)));
        let central = |bin: usize| self.unscaled(self.low + self.width * bin as f64);
        if rank < OUTER {
            let bin = OUTER - 1 - rank;
            (below(bin + 1), below(bin))
        } else if rank < OUTER + CENTRAL {
            let bin = rank - OUTER;
            (central(bin), central(bin + 1))
        } else {
            let bin = rank - OUTER - CENTRAL;
            (above(bin), above(bin + 1))
        }
    }
}

/// The counts in ascending order of their bins.
fn ascending(counts: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let lower = counts[FIRST_LOWER..].iter().rev();
    let central = &counts[FIRST_CENTRAL..ABOVE];
    let upper = &counts[FIRST_UPPER..FIRST_LOWER];
    lower.chain(central).chain(upper).copied()
}

/// Quantiles at ascending `probabilities` of `n >= 1` counted values between `min` and `max`.
pub(super) fn from_counts(
    bins: &Bins,
    counts: &[u32],
    n: u64,
    min: f64,
    max: f64,
    probabilities: &[f64],
) -> Vec<f64> {
    let occupied: Vec<(u64, u32, usize)> = ascending(counts)
        .enumerate()
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// One more than there are counts, ascending; empty where there is no value.
    pub edges: Vec<f64>,
    pub counts: Vec<u64>,
    /// Values below the first and above the last edge.
    pub below: u64,
    pub above: u64,
}

/// At most `bars` equal bars over the central bins that hold values; the outermost end at the extremes.
pub(super) fn histogram_from_counts(
    bins: &Bins,
    counts: &[u32],
    min: f64,
    max: f64,
    bars: usize,
) -> Histogram {
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum();
    let central = &counts[FIRST_CENTRAL..ABOVE];
    let below = sum(&counts[FIRST_LOWER..]);
    let above = sum(&counts[FIRST_UPPER..FIRST_LOWER]);
    let (Some(first), Some(last)) =
        (central.iter().position(|&count| count > 0), central.iter().rposition(|&count| count > 0))
    else {
        return Histogram { below, above, ..Histogram::default() };
    };
    let group = (last + 1 - first).div_ceil(bars.max(1));
    let counts: Vec<u64> = central[first..=last].chunks(group).map(sum).collect();
    let edge =
        |bar: usize| bins.unscaled(bins.low + bins.width * (first + bar * group) as f64).clamp(min, max);
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
    use super::*;

    /// Values that lie evenly, eight to a bin, are found where they are: an order statistic is placed by its rank within the bin, and half a
    /// rank is 2.4e-4 of the range.
    #[test]
    fn order_statistics_within_a_bin_lie_evenly() {
        let bins = Bins::new(&[0.0, 1.0]);
        let n = 2048u64;
        let value = |k: u64| (k as f64 + 0.5) / n as f64;
        let mut counts = vec![0; SLOTS];
        for k in 0..n {
            counts[bins.slot(bins.scaled(value(k))) as usize] += 1;
        }
        assert_eq!(counts.iter().filter(|count| **count == 8).count(), 256);
        let ranks = [12, 100, 1023, 1024, 1500, 2030];
        let probabilities = ranks.map(|k| k as f64 / (n - 1) as f64);
        let found = from_counts(&bins, &counts, n, value(0), value(n - 1), &probabilities);
        for (rank, found) in ranks.into_iter().zip(found) {
            assert!((found - value(rank)).abs() < 1e-6, "{rank}: {found} for {}", value(rank));
        }
    }
}
