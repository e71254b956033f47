//! Quantiles and histograms from counts in bins (`bins.rs`), which a pilot chooses: a pure function
//! of the study.
//!
//! The values of some instances (the pilot) at one time and column set the centre c and the spread
//! 1/s of the bins:
//!
//! | the pilot's values, each once | centre | spread |
//! |---|---|---|
//! | one sign, and a quartile more than eight times the other | 0 | 1/64 of the smallest but zero |
//! | others | lower median | ten times its distance to their sixteenth on its closer side |
//!
//! That spread of a normal distribution is about the distance between its quartiles, and a median
//! at a gap leaves it small. Tails do not change it, and neither do values that repeat: bins lie
//! about what varies, also where most values are one and the same. Were it
//! smaller, nothing would be less accurate, but there would be more bins.
//!
//! The quantile of probability p is that of type 7, interpolated between the order statistics at
//! floor and ceiling of p (n - 1). The first and last are the minimum and maximum; any other lies
//! in its bin as if the bin's values lay evenly. Hence its error is **at most the width of its bin:
//! 1/1024 of (its distance from c, and the spread)**, and a hundredth of that where the
//! distribution is smooth and a bin has many values. Where the values span decades that is 1/1024
//! of the quantile itself.
//!
//! A value that the pilot has more than once is an atom. A bin's order statistics are shared out
//! among its atoms and what lies between as the pilot's values are. So a quantile in an atom is
//! that value, unless another part of the distribution lies in the same bin; the bound holds in any
//! case.

use serde::{Deserialize, Serialize};

use super::bins::{BinCounts, BinMap};
use super::grid::{Place, resolved};

/// Instances in the pilot. Up to that size of ensemble, quantiles are exact.
pub const PILOT: u64 = 1024;

/// The pilot's choice for one (time, column).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Bins {
    /// The grid of sums.
    pub place: Place,
    pub map: BinMap,
}

impl Bins {
    /// From the finite values of the pilot, sorted.
    pub fn new(sorted: &[f64]) -> Bins {
        let ends = [sorted.first(), sorted.last()];
        let [lo, hi] = ends.map(|end| end.copied().unwrap_or(0.0));
        let mut distinct = sorted.to_vec();
        distinct.dedup();
        let (centre, spread) = logarithmic(&distinct).unwrap_or_else(|| spread(&distinct));
        let spread = spread.max(resolved(centre, spread)).clamp(f64::MIN_POSITIVE, 2f64.powi(1020));
        Bins {
            place: Place::about(lower_median(sorted), lo, hi),
            map: BinMap::about(centre, 1.0 / spread, sorted),
        }
    }
}

/// Zero and the smallest distance from it, if these values, sorted, have one sign and span decades.
fn logarithmic(distinct: &[f64]) -> Option<(f64, f64)> {
    let (first, last) = (*distinct.first()?, *distinct.last()?);
    let quarter = (distinct.len() - 1) / 4;
    let mut quartiles = [quarter, distinct.len() - 1 - quarter].map(|rank| distinct[rank].abs());
    quartiles.sort_by(f64::total_cmp);
    let spans = (first >= 0.0 || last <= 0.0) && quartiles[1] > 8.0 * quartiles[0];
    let smallest = distinct.iter().map(|x| x.abs()).filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    // Values below the pilot's smallest are resolved too.
    spans.then_some((0.0, smallest / 64.0))
}

fn lower_median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

/// The lower median of these values, sorted, and ten times its distance to their sixteenth on that
/// side of it where they are closer.
fn spread(distinct: &[f64]) -> (f64, f64) {
    let (median, middle) = (lower_median(distinct), distinct.len().saturating_sub(1) / 2);
    let share = (distinct.len() / 16).max(1);
    let sides = [middle.checked_sub(share), Some(middle + share)];
    let ends = sides.into_iter().flatten().filter_map(|rank| distinct.get(rank));
    // Halved so that it cannot overflow.
    let half = ends.map(|end| (end / 2.0 - median / 2.0).abs()).fold(f64::INFINITY, f64::min);
    (median, if half.is_finite() { 20.0 * half } else { 0.0 })
}

/// A value that a pilot has more than once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Atom {
    value: f64,
    /// Shares of the pilot's values in the same bin: of those before it, and of these with it.
    begin: f64,
    end: f64,
}

impl Atom {
    /// All of the pilot's values, sorted.
    pub fn of(map: &BinMap, sorted: &[f64]) -> Vec<Atom> {
        let equal = sorted.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1);
        let atom = |equal: &[f64]| {
            let (value, bin) = (equal[0], map.bin(equal[0]));
            let [first, end] = [bin, bin + 1].map(|bin| sorted.partition_point(|x| map.bin(*x) < bin));
            let before = sorted.partition_point(|x| *x < value);
            let share = |rank: usize| (rank - first) as f64 / (end - first) as f64;
            Atom { value, begin: share(before), end: share(before + equal.len()) }
        };
        equal.map(atom).collect()
    }
}

/// CountedValues values.
#[derive(Clone, Copy)]
pub(super) struct CountedValues<'a> {
    pub map: &'a BinMap,
    pub counts: &'a BinCounts,
    /// In ascending order.
    pub atoms: &'a [Atom],
    /// The number of values, at least one, and their extremes.
    pub n: u64,
    pub min: f64,
    pub max: f64,
}

impl CountedValues<'_> {
    /// Quantiles at ascending `probabilities`.
    pub fn quantiles(&self, probabilities: &[f64]) -> Vec<f64> {
        let ranks: Vec<u64> = probabilities.iter().flat_map(|p| neighbours(*p, self.n).0).collect();
        let values = self.order_statistics(&ranks);
        let pairs = probabilities.iter().zip(values.as_chunks::<2>().0);
        pairs.map(|(p, pair)| between(pair[0], pair[1], neighbours(*p, self.n).1)).collect()
    }

    /// Those at these ranks, counted from 0. A rank that is lower than one before it costs a new
    /// search.
    fn order_statistics(&self, ranks: &[u64]) -> Vec<f64> {
        let sum = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        let mut pages = self.counts.pages();
        let mut page = pages.next();
        let (mut before, mut reached) = (0, 0);
        let mut values = Vec::with_capacity(ranks.len());
        for &rank in ranks {
            if rank < reached {
                (pages, before) = (self.counts.pages(), 0);
                page = pages.next();
            }
            reached = rank;
            while let Some((_, counts)) = page
                && before + sum(counts) <= rank
            {
                before += sum(counts);
                page = pages.next();
            }
            values.push(match page {
                _ if rank == 0 => self.min,
                Some((first, counts)) if rank < self.n - 1 => {
                    let mut left = rank - before;
                    let mut bins = (first..).zip(counts);
                    let found = bins.find(|(_, count)| {
                        let here = left < u64::from(**count);
                        left -= if here { 0 } else { u64::from(**count) };
                        here
                    });
                    found.map_or(self.max, |(bin, count)| self.within(bin, left, *count))
                }
                _ => self.max,
            });
        }
        values
    }

    /// The value of the `rank`-th of `count` in a bin.
    fn within(&self, bin: i32, rank: u64, count: u32) -> f64 {
        self.at_share(bin, (rank as f64 + 0.5) / f64::from(count))
    }

    /// The value below which this share of a bin's values lies.
    fn at_share(&self, bin: i32, share: f64) -> f64 {
        // An edge may have been rounded to the other side of an extreme.
        let inside = |x: f64| x.clamp(self.min, self.max);
        let (mut low, mut begin) = (inside(self.map.edge(bin)), 0.0);
        let (mut high, mut end) = (inside(self.map.edge(bin + 1)), 1.0);
        let first = self.atoms.partition_point(|atom| self.map.bin(atom.value) < bin);
        for atom in self.atoms[first..].iter().take_while(|atom| self.map.bin(atom.value) == bin) {
            if share < atom.begin {
                (high, end) = (atom.value, atom.begin);
                break;
            }
            if share < atom.end {
                return atom.value;
            }
            (low, begin) = (atom.value, atom.end);
        }
        between(low, high, (share - begin) / (end - begin)).clamp(self.min, self.max)
    }

    /// At most `bars` bars.
    pub fn histogram(&self, bars: usize) -> Histogram {
        let middle = |(bin, count): (i32, u32)| (self.at_share(bin, 0.5), u64::from(count));
        let quantiles = self.quantiles(&SHOWN);
        let range = shown(&quantiles, self.min, self.max);
        let mut histogram = bars_over(range, self.counts.occupied().map(middle), bars);
        // The extremes are known exactly.
        let first = histogram.counts.iter().position(|count| *count > 0);
        let last = histogram.counts.iter().rposition(|count| *count > 0);
        if let (Some(first), 0) = (first, histogram.below) {
            histogram.ends[first][0] = self.min;
        }
        if let (Some(last), 0) = (last, histogram.above) {
            histogram.ends[last][1] = self.max;
        }
        histogram
    }
}

/// Quantiles (type 7) of sorted values, at least one.
pub(super) fn from_sorted(sorted: &[f64], probabilities: &[f64]) -> Vec<f64> {
    let quantile = |p: &f64| {
        let ([low, high], share) = neighbours(*p, sorted.len() as u64);
        between(sorted[low as usize], sorted[high as usize], share)
    };
    probabilities.iter().map(quantile).collect()
}

/// The order statistics (counted from 0) about p (n - 1), and how far it lies between them.
fn neighbours(p: f64, n: u64) -> ([u64; 2], f64) {
    let position = (p.clamp(0.0, 1.0) * (n - 1) as f64).min((n - 1) as f64);
    let rank = position.floor() as u64;
    ([rank, (rank + 1).min(n - 1)], position - position.floor())
}

/// Counts in adjacent bars, for a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Histogram {
    /// One more than there are counts, ascending; empty where there is no value.
    pub edges: Vec<f64>,
    pub counts: Vec<u64>,
    /// The least and the greatest value in each bar; NaN of an empty one.
    #[serde(skip)]
    pub ends: Vec<[f64; 2]>,
    /// Values below the first and above the last edge.
    pub below: u64,
    pub above: u64,
}

/// Probabilities of the quantiles that say what a histogram shows.
const SHOWN: [f64; 4] = [0.005, 0.25, 0.75, 0.995];

/// The range that a histogram shows: that of 99 % of the values, and half of that more on either
/// side, but not beyond eight times the distance of the quartiles from these (unless they are
/// equal), nor beyond the extremes. Where 99 % are one value, all are shown: the others are what
/// there is to see.
fn shown(quantiles: &[f64], min: f64, max: f64) -> [f64; 2] {
    if quantiles[0] == quantiles[3] {
        return [min, max];
    }
    let about = |low: f64, high: f64, times: f64| {
        let more = times * (high / 2.0 - low / 2.0) * 2.0;
        [low - more, high + more]
    };
    let all = about(quantiles[0], quantiles[3], 0.5);
    let body = about(quantiles[1], quantiles[2], 8.0);
    let [low, high] =
        if quantiles[1] < quantiles[2] { [all[0].max(body[0]), all[1].min(body[1])] } else { all };
    [low.max(min), high.min(max)]
}

/// Equal bars over a range, of values and how often they are there.
pub(super) fn bars_over(range: [f64; 2], values: impl Iterator<Item = (f64, u64)>, bars: usize) -> Histogram {
    let [low, high] = range;
    let bars = bars.max(1);
    let width = (high / 2.0 - low / 2.0) / bars as f64 * 2.0;
    // All equal, or apart by a few units in the last place: one bar.
    let bars = if low + width == low || high - width == high { 1 } else { bars };
    let mut histogram =
        Histogram { counts: vec![0; bars], ends: vec![[f64::NAN; 2]; bars], ..Histogram::default() };
    for (x, count) in values {
        match x {
            x if x < low => histogram.below += count,
            x if x > high => histogram.above += count,
            _ => {
                let bar = if bars == 1 { 0 } else { (((x - low) / width) as usize).min(bars - 1) };
                histogram.counts[bar] += count;
                let [least, greatest] = histogram.ends[bar];
                histogram.ends[bar] = [x.min(least), x.max(greatest)];
            }
        }
    }
    histogram.edges =
        (0..=bars).map(|bar| if bar == bars { high } else { low + width * bar as f64 }).collect();
    histogram
}

/// Equal bars over sorted values, at least one.
pub(super) fn histogram_from_sorted(sorted: &[f64], bars: usize) -> Histogram {
    let range = shown(&from_sorted(sorted, &SHOWN), sorted[0], sorted[sorted.len() - 1]);
    bars_over(range, sorted.iter().map(|x| (*x, 1)), bars)
}

/// low + (high - low) fraction, without overflow on the way, and low where both are equal.
fn between(low: f64, high: f64, fraction: f64) -> f64 {
    low + 2.0 * ((high / 2.0 - low / 2.0) * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that lie evenly, some to a bin, are found where they are: an order statistic is
    /// placed by its rank within the bin.
    #[test]
    fn order_statistics_within_a_bin_lie_evenly() {
        let n = 1 << 16;
        let value = |k: usize| (k as f64 + 0.5) / n as f64;
        let bins = Bins::new(&(0..1024).map(|k| value(64 * k)).collect::<Vec<_>>());
        let mut counts = BinCounts::new(&bins.map);
        (0..n).for_each(|k| counts.add(bins.map.bin(value(k))));
        let ranks = [1, 12, 1000, 30_000, 32_768, 40_000, 65_530];
        let probabilities = ranks.map(|k| k as f64 / (n - 1) as f64);
        let [min, max] = [value(0), value(n - 1)];
        let counted = CountedValues { map: &bins.map, counts: &counts, atoms: &[], n: n as u64, min, max };
        for (rank, found) in ranks.into_iter().zip(counted.quantiles(&probabilities)) {
            // A rank at the edge of its bin is off by one.
            assert!((found - value(rank)).abs() < 1.1 / n as f64, "{rank}: {found} for {}", value(rank));
        }
    }

    /// A value that few instances have is shown beside the one that all others have, and both are
    /// where they are: rare events, by counts and by values alike.
    #[test]
    fn few_values_beside_one_are_shown_where_they_are() {
        for (zeros, ones) in [(3995, 5), (7986, 14), (5, 3995), (62, 0)] {
            let mut sorted = vec![0.0; zeros];
            sorted.extend(vec![1.0; ones]);
            let bins = Bins::new(&sorted[..sorted.len().min(1024)]);
            let atoms = Atom::of(&bins.map, &sorted[..sorted.len().min(1024)]);
            let mut counts = BinCounts::new(&bins.map);
            sorted.iter().for_each(|x| counts.add(bins.map.bin(*x)));
            let [n, min, max] = [sorted.len() as f64, sorted[0], sorted[sorted.len() - 1]];
            let counted =
                CountedValues { map: &bins.map, counts: &counts, atoms: &atoms, n: n as u64, min, max };
            for histogram in [counted.histogram(48), histogram_from_sorted(&sorted, 48)] {
                assert_eq!((histogram.below, histogram.above), (0, 0), "{zeros}: {histogram:?}");
                let (first, last) = (0, histogram.counts.len() - 1);
                assert_eq!(histogram.counts[first], zeros as u64, "{histogram:?}");
                assert_eq!(histogram.ends[first], [0.0; 2], "{histogram:?}");
                if ones > 0 {
                    assert_eq!(histogram.counts[last], ones as u64, "{histogram:?}");
                    let [least, greatest] = histogram.ends[last];
                    assert!(least > 0.999 && greatest == 1.0, "{histogram:?}");
                }
            }
        }
    }

    /// A bin with atoms gives each its share, and what lies between the rest.
    #[test]
    fn atoms_in_a_bin_share_its_ranks() {
        let map = BinMap { centre: 0.0, scale: 1.0, first: 0 };
        let atoms = Atom::of(&map, &[0.0, 1e-4, 1e-4, 2e-4, 4e-4, 4e-4, 4e-4, 5e-4]);
        let mut counts = BinCounts::new(&map);
        (0..80).for_each(|_| counts.add(map.bin(1e-4)));
        let counted = CountedValues { map: &map, counts: &counts, atoms: &atoms, n: 80, min: 0.0, max: 1.0 };
        let found = |rank: u64| counted.within(0, rank, 80);
        assert!(found(0) > 0.0 && found(9) < 1e-4);
        assert_eq!([found(10), found(29), found(40), found(69)], [1e-4, 1e-4, 4e-4, 4e-4]);
        assert!(found(30) > 1e-4 && found(39) < 4e-4);
        assert!(found(70) > 4e-4 && found(79) < map.edge(1));
    }
}
