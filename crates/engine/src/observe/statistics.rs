//! Statistics over all instances, per time and column: count, mean, standard deviation, extremes,
//! quantiles.
//!
//! The result is a pure function of the study: the same bits for any order, chunk, thread count or
//! shard, because every part of the state is a commutative monoid without rounding:
//!
//! | what | how |
//! |---|---|
//! | mean | m = c + (sum of u) / (s n), u = (x - c) s |
//! | standard deviation | s^2 = [sum of u^2 - (sum of u)^2 / n] / (n - 1), in u |
//! | extremes | min, max (-0 counts as +0) |
//! | quantiles | counts in bins of a pilot ([`super::quantiles`]); exact to [`PILOT`] instances |
//!
//! The centre c is the pilot's median, so that nothing cancels in s^2, and with the scale s the
//! pilot's range is between 1 and 2 in u. A value with |u| < 4 is rounded to a grid, and its square
//! to another, where sums are whole numbers (`grid.rs`). That moves the mean by at most 1.4e-15 of
//! the pilot's range, and s^2 by at most some 1e-14 of the square of that range; by much less where
//! there are many values, since the errors have either sign. All other values are summed exactly,
//! x itself and u^2, rounded once. Which of the two happens to a value depends on it alone. Values
//! that are not finite, and those of stopped instances (which come as NaN), are excluded and
//! counted.
//!
//! A cell (one time, one column) takes 17 KB, more where there are values in bins beyond the
//! window. A near value takes about 0.7 ns. Cells merge
//! exactly, so that each thread can have its own for the instances it has in its cache.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::sync::Arc;

use rayon::prelude::*;

use super::bins::BinCounts;
use super::exact_sum::ExactSum;
use super::grid::{self, BLOCK, GridSums, LANES};
use super::quantiles::{self, Atom, Bins, CountedValues, Histogram, PILOT};
use super::stored::{StoreReader, StoreWriter, wrong};
use crate::backend::tally::{COUNTED, EXCLUDED, Tally, TallyRule};

/// Bins that are chosen by the values of min(1024, size) instances, and in small
/// ensembles the values themselves.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Pilot {
    columns: usize,
    keep_values: bool,
    cells: Vec<PilotCell>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct PilotCell {
    bins: Bins,
    /// Finite values, sorted; kept only where the pilot is the whole ensemble.
    sorted: Vec<f64>,
    /// Kept where it is not.
    atoms: Vec<Atom>,
}

impl PilotCell {
    /// From values in parts.
    fn new<'a>(parts: impl Iterator<Item = &'a [f64]>, keep_values: bool) -> PilotCell {
        // Bits of doubles that are in order as whole numbers are sorted faster than doubles. -0
        // becomes +0 everywhere, so that no result depends on which came first.
        let ordered = |bits: i64| bits ^ ((bits >> 63) as u64 >> 1) as i64;
        let mut keys = Vec::with_capacity(PILOT as usize);
        for part in parts {
            let finite = part.iter().filter(|x| x.is_finite());
            keys.extend(finite.map(|x| ordered((x + 0.0).to_bits() as i64)));
        }
        keys.sort_unstable();
        let sorted: Vec<f64> = keys.into_iter().map(|key| f64::from_bits(ordered(key) as u64)).collect();
        let bins = Bins::new(&sorted);
        match keep_values {
            true => PilotCell { bins, sorted, atoms: Vec::new() },
            false => PilotCell { bins, atoms: Atom::of(&bins.map, &sorted), sorted: Vec::new() },
        }
    }
}

impl Pilot {
    /// For an ensemble of `instances`. Cells that are never recorded get bins about 0.
    pub fn new(times: usize, columns: usize, instances: u64) -> Self {
        let cell = PilotCell { bins: Bins::new(&[]), sorted: Vec::new(), atoms: Vec::new() };
        Self { columns, keep_values: instances <= PILOT, cells: vec![cell; times * columns] }
    }

    /// All values of the pilot instances at a time, NaN where stopped, in any order. To be called
    /// once per time and column.
    pub fn record(&mut self, time: usize, column: usize, values: &[f64]) {
        self.cells[time * self.columns + column] = PilotCell::new([values].into_iter(), self.keep_values);
    }

    /// As [`record`](Self::record), of all columns, by all threads; values are in parts.
    pub fn record_all<'a, P: Iterator<Item = &'a [f64]>>(
        &mut self,
        time: usize,
        parts: impl Fn(usize) -> P + Sync,
    ) {
        let cells = self.cells[time * self.columns..].par_iter_mut().take(self.columns).enumerate();
        cells.for_each(|(column, cell)| *cell = PilotCell::new(parts(column), self.keep_values));
    }
}

/// Statistics of one column at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct CellStatistics {
    bins: Bins,
    near: GridSums,
    /// Over all finite values.
    counts: BinCounts,
    /// None until there is a value that is not near; most cells never have one.
    far: Option<Box<Far>>,
    excluded: u64,
    min: f64,
    max: f64,
}

/// Finite values that are not near.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Far {
    count: u64,
    sum: ExactSum,
    /// Sum of u^2.
    squares: ExactSum,
}

impl Far {
    fn new() -> Far {
        Far { count: 0, sum: ExactSum::new(), squares: ExactSum::new() }
    }

    fn merge(&mut self, other: &Far) {
        self.count += other.count;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
    }
}

impl CellStatistics {
    fn new(bins: Bins) -> Self {
        Self {
            bins,
            near: GridSums::default(),
            counts: BinCounts::new(&bins.map),
            far: None,
            excluded: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }

    /// Empty again, with the bins of another cell.
    pub fn restart(&mut self, other: &CellStatistics) {
        self.bins = other.bins;
        self.counts.restart(&other.bins.map);
        self.near = GridSums::default();
        self.far = None;
        self.excluded = 0;
        (self.min, self.max) = (f64::INFINITY, f64::NEG_INFINITY);
    }

    /// Finite values.
    fn count(&self) -> u64 {
        self.near.count + self.far.as_ref().map_or(0, |far| far.count)
    }

    /// Adds values; those that are not finite are excluded.
    pub fn add(&mut self, values: &[f64]) {
        for block in values.chunks(BLOCK) {
            let (whole, rest) = block.as_chunks::<LANES>();
            if self.add_near(whole) {
                rest.iter().for_each(|&x| self.add_any(x));
            } else {
                self.add_mixed(block);
            }
        }
    }

    /// Adds a block of near values; false: one is not near, and nothing was added.
    fn add_near(&mut self, block: &[[f64; LANES]]) -> bool {
        let ends = self.near.add_block(&self.bins.place, block, &self.bins.map, &mut self.counts);
        if let Some([min, max]) = ends {
            self.widen(min, max);
        }
        ends.is_some()
    }

    fn widen(&mut self, min: f64, max: f64) {
        self.min = self.min.min(min);
        self.max = self.max.max(max);
    }

    /// Adds a block of which some are near.
    #[cold]
    #[inline(never)]
    fn add_mixed(&mut self, block: &[f64]) {
        // No branch: which instances have stopped is not predictable.
        let mut sorted = [[0.0; BLOCK]; 2];
        let mut lengths = [0; 2];
        for &x in block {
            let kind = usize::from(!grid::is_near(self.bins.place.scaled(x)));
            sorted[kind][lengths[kind]] = x;
            lengths[kind] += 1;
        }
        let [near, far] = &sorted;
        let (whole, rest) = near[..lengths[0]].as_chunks::<LANES>();
        self.add_near(whole);
        rest.iter().for_each(|&x| self.add_any(x));
        self.add_far(&far[..lengths[1]]);
    }

    fn add_any(&mut self, x: f64) {
        if self.near.add(&self.bins.place, x) {
            self.counts.add(self.bins.map.bin(x));
            // -0 counts as +0.
            self.widen(x + 0.0, x + 0.0);
        } else {
            self.add_far(&[x]);
        }
    }

    /// Adds at most [`BLOCK`] values, none of them near.
    fn add_far(&mut self, values: &[f64]) {
        let mut finite = [0.0; BLOCK];
        let mut squares = [0.0; BLOCK];
        let mut n = 0;
        for &x in values.iter().filter(|x| x.is_finite()) {
            let u = self.bins.place.scaled(x);
            (finite[n], squares[n]) = (x, u * u);
            n += 1;
            self.counts.add(self.bins.map.bin(x));
            self.widen(x, x);
        }
        if n > 0 {
            let far = self.far.get_or_insert_with(|| Box::new(Far::new()));
            far.sum.add_all(&finite[..n]);
            far.squares.add_all(&squares[..n]);
            far.count += n as u64;
        }
        self.excluded += (values.len() - n) as u64;
    }

    /// Returns the rule by which a device adds up the column's values.
    pub fn rule(&self) -> TallyRule {
        let Bins { place, map } = self.bins;
        TallyRule::new([place.centre, place.scale], [map.centre, map.scale], map.first)
    }

    /// Adds what a device added up by the [rule](Self::rule) of this cell, which is column
    /// `column`: the bits that [`add`](Self::add) has of the same values. The device rounds near
    /// values in the window to the grid and counts them. All others it hands over one by one.
    pub fn add_tally(&mut self, tally: &Tally, column: usize) {
        let (part, counts, apart) = tally.column(column);
        if part.count > 0.0 {
            self.near.add_part(part);
            // -0 counts as +0.
            self.widen(part.min + 0.0, part.max + 0.0);
        }
        self.counts.add_counted(&self.bins.map, &counts[..COUNTED]);
        self.excluded += u64::from(counts[EXCLUDED]);
        self.add(apart);
    }

    /// Adds the values of another cell with the same bins, exactly.
    pub fn merge(&mut self, other: &CellStatistics) {
        self.near.merge(&other.near);
        self.counts.merge(&other.counts);
        if let Some(far) = &other.far {
            self.far.get_or_insert_with(|| Box::new(Far::new())).merge(far);
        }
        self.excluded += other.excluded;
        self.widen(other.min, other.max);
    }

    /// All but the bins, which are the pilot's.
    fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.value(&(&self.near, self.counts.gaps(), self.min, self.max, self.excluded, &self.far))
    }

    fn load<R: Read>(bins: Bins, from: &mut StoreReader<R>) -> io::Result<CellStatistics> {
        let (near, gaps, min, max, excluded, far) = from.value::<(_, Vec<(u32, u32)>, _, _, _, _)>()?;
        let counts = BinCounts::of_gaps(&bins.map, &gaps)?;
        let cell = CellStatistics { bins, near, counts, far, excluded, min, max };
        match cell.count() == 0 || cell.min <= cell.max {
            true => Ok(cell),
            false => Err(wrong("a minimum above the maximum")),
        }
    }

    /// Mean of at least one value.
    fn mean(&self) -> f64 {
        let mut sum = self.far.as_ref().map_or_else(ExactSum::new, |far| far.sum.clone());
        sum.add_times(self.bins.place.centre, self.near.count);
        self.near.add_shifted_to(&self.bins.place, &mut sum);
        // Rounding may put the mean of equal values one unit in the last place outside.
        sum.mean(self.count() as f64).clamp(self.min, self.max)
    }

    /// sqrt of the unbiased variance; NaN below two values.
    fn std(&self) -> f64 {
        if self.count() < 2 {
            return f64::NAN;
        }
        let n = self.count() as f64;
        let place = &self.bins.place;
        let (mut shifted, mut squares) = (ExactSum::new(), ExactSum::new());
        if let Some(far) = &self.far {
            shifted.merge(&far.sum);
            shifted.add_times(-place.centre, far.count);
            squares.merge(&far.squares);
        }
        self.near.add_shifted_to(place, &mut shifted);
        self.near.add_squares_to(&mut squares);
        let shifted = shifted.scaled_sum(place.exponent());
        ((squares.sum() - shifted * (shifted / n)).max(0.0) / (n - 1.0)).sqrt() / place.scale
    }

    /// With the values that the pilot has kept.
    fn counted<'a>(&'a self, atoms: &'a [Atom]) -> CountedValues<'a> {
        let CellStatistics { bins: Bins { map, .. }, counts, min, max, .. } = self;
        CountedValues { map, counts, atoms, n: self.count(), min: *min, max: *max }
    }
}

/// Statistics of one column at one time, summed up. All but the counts are NaN where no value was
/// counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Finite values counted.
    pub count: u64,
    /// Values that were not finite, stopped instances included.
    pub excluded: u64,
    pub mean: f64,
    /// With n - 1; NaN for a single value.
    pub std: f64,
    pub min: f64,
    pub max: f64,
    /// At the probabilities given to [`Statistics::new`].
    pub quantiles: Vec<f64>,
}

/// Statistics of all columns at all times.
pub struct Statistics {
    pilot: Arc<Pilot>,
    probabilities: Vec<f64>,
    cells: Vec<CellStatistics>,
}

impl Statistics {
    /// Empty, for the pilot's times and columns; `probabilities` in [0, 1].
    pub fn new(pilot: Arc<Pilot>, probabilities: &[f64]) -> Self {
        let cells = pilot.cells.iter().map(|cell| CellStatistics::new(cell.bins)).collect();
        Self { pilot, probabilities: probabilities.to_vec(), cells }
    }

    /// Adds the values of some instances, the pilot's included (they are not added by the pilot).
    pub fn add(&mut self, time: usize, column: usize, values: &[f64]) {
        let index = self.index(time, column);
        self.cells[index].add(values);
    }

    /// The cells of a time, by column.
    pub fn cells_of_mut(&mut self, time: usize) -> &mut [CellStatistics] {
        let columns = self.pilot.columns;
        &mut self.cells[time * columns..(time + 1) * columns]
    }

    /// All cells, time after time, the columns of a time adjacent: index `time * columns + column`.
    /// To be shared out among threads.
    pub fn cells_mut(&mut self) -> &mut [CellStatistics] {
        &mut self.cells
    }

    /// Number of columns, the stride of [`Self::cells_mut`].
    pub fn columns(&self) -> usize {
        self.pilot.columns
    }

    /// Adds the statistics of other instances of the same study, exactly.
    ///
    /// # Panics
    /// If the bins differ, that is, if they come from different studies.
    pub fn merge(&mut self, other: &Statistics) {
        let same = |(a, b): (&CellStatistics, &CellStatistics)| a.bins == b.bins;
        let matches = self.cells.len() == other.cells.len() && self.cells.iter().zip(&other.cells).all(same);
        assert!(matches, "statistics of different studies cannot be merged");
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            mine.merge(theirs);
        }
    }

    /// Whether both come from the same pilot, so that they can be merged: the same
    /// study in the same arithmetic.
    pub fn has_bins_of(&self, other: &Statistics) -> bool {
        *self.pilot == *other.pilot
    }

    /// Number of times.
    pub fn times(&self) -> usize {
        self.cells.len() / self.pilot.columns.max(1)
    }

    /// Writes the whole state, to be [merged](Self::merge) elsewhere.
    pub fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.value(&(&self.probabilities, &*self.pilot))?;
        self.cells.iter().try_for_each(|cell| cell.store(to))
    }

    /// Reads what [`store`](Self::store) wrote.
    pub fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<Statistics> {
        let (probabilities, pilot) = from.value::<(_, Pilot)>()?;
        let cells = pilot.cells.iter().map(|cell| CellStatistics::load(cell.bins, from));
        let cells = cells.collect::<io::Result<_>>()?;
        Ok(Statistics { pilot: Arc::new(pilot), probabilities, cells })
    }

    /// Takes in what was [stored](Self::store) of other instances.
    ///
    /// # Errors
    /// It is damaged, or comes from another pilot: the machines compute other bits.
    pub fn absorb<R: Read>(&mut self, from: &mut StoreReader<R>) -> io::Result<()> {
        let stored = Statistics::load(from)?;
        if self.cells.is_empty() {
            *self = stored;
        } else if stored.has_bins_of(self) {
            self.merge(&stored);
        } else {
            return Err(wrong(
                "its pilot is another one: the machines compute other bits; run all parts on machines of one \
                 kind",
            ));
        }
        Ok(())
    }

    /// Returns statistics of nothing: the first that they take in say what is counted.
    pub fn empty() -> Statistics {
        let pilot = Pilot { columns: 0, keep_values: false, cells: Vec::new() };
        Statistics { pilot: Arc::new(pilot), probabilities: Vec::new(), cells: Vec::new() }
    }

    /// Returns the summaries of all columns, by time.
    pub fn summaries(&self) -> Vec<Vec<Summary>> {
        let columns = 0..self.pilot.columns;
        let at = |time: usize| columns.clone().map(|column| self.summary(time, column)).collect();
        (0..self.times()).into_par_iter().map(at).collect()
    }

    pub fn summary(&self, time: usize, column: usize) -> Summary {
        let index = self.index(time, column);
        let cell = &self.cells[index];
        let (count, excluded) = (cell.count(), cell.excluded);
        if count == 0 {
            let quantiles = vec![f64::NAN; self.probabilities.len()];
            return Summary {
                count,
                excluded,
                mean: f64::NAN,
                std: f64::NAN,
                min: f64::NAN,
                max: f64::NAN,
                quantiles,
            };
        }
        let quantiles = match self.all_values(index) {
            Some(sorted) => quantiles::from_sorted(sorted, &self.probabilities),
            None => cell.counted(&self.pilot.cells[index].atoms).quantiles(&self.probabilities),
        };
        let (mean, std) = (cell.mean(), cell.std());
        Summary { count, excluded, mean, std, min: cell.min, max: cell.max, quantiles }
    }

    /// The third central moment over the cube of the standard deviation, from the middles of the
    /// bins; NaN where that is 0 or not known.
    pub fn skewness(&self, time: usize, column: usize) -> f64 {
        let cell = &self.cells[self.index(time, column)];
        let (mean, std) = if cell.count() > 0 { (cell.mean(), cell.std()) } else { (0.0, f64::NAN) };
        let cube = |(bin, count): (i32, u32)| {
            let [low, high] = [bin, bin + 1].map(|bin| cell.bins.map.edge(bin).clamp(cell.min, cell.max));
            f64::from(count) * ((low / 2.0 + high / 2.0 - mean) / std).powi(3)
        };
        cell.counts.occupied().map(cube).sum::<f64>() / cell.count() as f64
    }

    /// The standard error of the mean of independent values; NaN below two.
    pub fn standard_error(&self, time: usize, column: usize) -> f64 {
        let cell = &self.cells[self.index(time, column)];
        match cell.count() {
            0 => f64::NAN,
            count => cell.std() / (count as f64).sqrt(),
        }
    }

    /// A histogram of at most `bars` equal bars: of all values, or of those about the quartiles
    /// where tails are long.
    pub fn histogram(&self, time: usize, column: usize, bars: usize) -> Histogram {
        let index = self.index(time, column);
        match self.all_values(index) {
            Some(sorted) => quantiles::histogram_from_sorted(sorted, bars),
            None if self.cells[index].count() == 0 => Histogram::default(),
            None => self.cells[index].counted(&self.pilot.cells[index].atoms).histogram(bars),
        }
    }

    /// The values themselves, sorted, if the pilot kept them and all of them have been added (an
    /// interrupted run has only some); at least one.
    fn all_values(&self, index: usize) -> Option<&[f64]> {
        let sorted = &self.pilot.cells[index].sorted;
        (!sorted.is_empty() && sorted.len() as u64 == self.cells[index].count()).then_some(sorted)
    }

    fn index(&self, time: usize, column: usize) -> usize {
        debug_assert!(column < self.pilot.columns);
        time * self.pilot.columns + column
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::spread;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_distr::{Cauchy, Distribution, Exp1, StandardNormal};

    const PROBABILITIES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

    fn pilot(values: &[f64]) -> Arc<Pilot> {
        let mut pilot = Pilot::new(1, 1, values.len() as u64);
        let chosen: Vec<f64> =
            spread(values.len() as u64, PILOT).iter().map(|&i| values[i as usize]).collect();
        pilot.record(0, 0, &chosen);
        Arc::new(pilot)
    }

    fn statistics(values: &[f64]) -> Statistics {
        let mut statistics = Statistics::new(pilot(values), &PROBABILITIES);
        statistics.add(0, 0, values);
        statistics
    }

    fn draw<D: Distribution<f64>>(distribution: D, n: usize) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        (0..n).map(|_| distribution.sample(&mut rng)).collect()
    }

    fn sorted(values: &[f64]) -> Vec<f64> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    fn bits(summary: &Summary) -> Vec<u64> {
        let Summary { count, excluded, mean, std, min, max, quantiles } = summary;
        let mut bits = vec![*count, *excluded];
        bits.extend([mean, std, min, max].into_iter().chain(quantiles).map(|x| x.to_bits()));
        bits
    }

    #[test]
    fn small_ensembles_are_exact() {
        let values = [3.0, 1.0, f64::NAN, 2.0, 10.0, f64::INFINITY];
        let summary = statistics(&values).summary(0, 0);
        assert_eq!((summary.count, summary.excluded), (4, 2));
        assert_eq!((summary.mean, summary.min, summary.max), (4.0, 1.0, 10.0));
        assert!((summary.std - (50.0f64 / 3.0).sqrt()).abs() < 1e-14);
        // Type 7 at positions 0.15, 0.75, 1.5, 2.25, 2.85 of 1, 2, 3, 10.
        for (quantile, expected) in summary.quantiles.iter().zip([1.15, 1.75, 2.5, 4.75, 8.95]) {
            assert!((quantile - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn nothing_counted_is_nan() {
        let summary = statistics(&[f64::NAN; 5]).summary(0, 0);
        assert_eq!((summary.count, summary.excluded), (0, 5));
        assert!(
            summary.mean.is_nan() && summary.std.is_nan() && summary.min.is_nan() && summary.max.is_nan()
        );
        assert!(summary.quantiles.iter().all(|q| q.is_nan()));
        let one = statistics(&[7.0]).summary(0, 0);
        assert_eq!((one.mean, one.min, one.quantiles[2]), (7.0, 7.0, 7.0));
        assert!(one.std.is_nan());
    }

    /// The documented bound, against the sorted values: one bin, 1/256 of the pilot's range.
    #[test]
    fn quantiles_within_the_bound() {
        for values in [draw(StandardNormal, 200_001), draw(Exp1, 50_000), draw(StandardNormal, 1025)] {
            let n = values.len() as u64;
            let pilot = sorted(&spread(n, PILOT).iter().map(|&i| values[i as usize]).collect::<Vec<_>>());
            let bound = (pilot[pilot.len() - 1] - pilot[0]) / 256.0;
            let summary = statistics(&values).summary(0, 0);
            let exact = quantiles::from_sorted(&sorted(&values), &PROBABILITIES);
            for (quantile, exact) in summary.quantiles.iter().zip(exact) {
                assert!((quantile - exact).abs() <= bound, "{quantile} {exact} {bound}");
            }
        }
    }

    #[test]
    fn heavy_tails_and_wide_gaps() {
        let values = draw(Cauchy::new(0.0, 1.0).unwrap(), 300_000);
        let summary = statistics(&values).summary(0, 0);
        let exact = sorted(&values);
        assert_eq!((summary.min, summary.max), (exact[0], exact[exact.len() - 1]));
        // The pilot's range is some thousands here; half a million values still leave a finite
        // answer.
        assert!(summary.quantiles.is_sorted());
        assert!(summary.std.is_finite());

        // The pilot sees one value only; others lie 1e300 away on both sides.
        let mut values = vec![1.0; 100_000];
        let pilot = spread(100_000, PILOT);
        for i in (0..100_000u64).filter(|i| pilot.binary_search(i).is_err()) {
            values[i as usize] = [1e300, -1e300, 1.0, 2.0][i as usize % 4];
        }
        let summary = statistics(&values).summary(0, 0);
        assert_eq!((summary.min, summary.max), (-1e300, 1e300));
        assert!((summary.quantiles[2] - 1.0).abs() < 1e-9, "{summary:?}");
        // 1 - the share of 1e300, 2 below it: four bins an octave about the centre.
        let summary = {
            let statistics =
                statistics(&values.iter().map(|&x| if x.abs() > 2.0 { 2.0 } else { x }).collect::<Vec<_>>());
            statistics.summary(0, 0)
        };
        assert!((summary.quantiles[3] - 2.0).abs() < 0.3, "{summary:?}");
    }

    #[test]
    fn extreme_scales_break_nothing() {
        for scale in [1e-310, 1e-300, 1e-17, 1.0, 1e17, 1e150, 1e300] {
            let values: Vec<f64> = draw(StandardNormal, 3000).iter().map(|x| x * scale).collect();
            let summary = statistics(&values).summary(0, 0);
            let exact = sorted(&values);
            let n = values.len() as f64;
            let mean = exact.iter().map(|x| x / scale).sum::<f64>() / n;
            let std = (exact.iter().map(|x| (x / scale - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
            // Subnormal numbers have fewer digits.
            let tolerance = if scale < 1e-308 { 1e-9 } else { 1e-12 };
            assert!((summary.mean / scale - mean).abs() < tolerance, "{scale}");
            assert!((summary.std / scale - std).abs() < tolerance, "{scale} {summary:?} {std}");
            // A range below 2^-1022 counts as that: a quantile is then only between the extremes.
            let median_error = (summary.quantiles[2] / scale - exact[1500] / scale).abs();
            assert!(median_error < 0.03 || scale < 1e-308, "{scale} {summary:?}");
        }
        for value in [0.0, -0.0, 5e-324, 0.1, -1e308, f64::MAX] {
            let summary = statistics(&vec![value; 5000]).summary(0, 0);
            assert_eq!((summary.min, summary.max, summary.mean), (value, value, value));
            assert!(summary.std.abs() <= 1e-15 * value.abs(), "{value}: {summary:?}");
            assert!(summary.quantiles.iter().all(|&q| q == value), "{value}: {summary:?}");
        }
        let ends: Vec<f64> = (0..5000).map(|i| if i % 2 == 0 { f64::MAX } else { -f64::MAX }).collect();
        let summary = statistics(&ends).summary(0, 0);
        assert_eq!((summary.mean, summary.min, summary.max), (0.0, -f64::MAX, f64::MAX));
    }

    #[test]
    fn nothing_cancels_far_from_zero() {
        let values: Vec<f64> = draw(StandardNormal, 100_000).iter().map(|x| 1e9 + x * 1e-3).collect();
        let summary = statistics(&values).summary(0, 0);
        let mean = values.iter().map(|x| x - 1e9).sum::<f64>() / 1e5;
        let std = (values.iter().map(|x| (x - 1e9 - mean).powi(2)).sum::<f64>() / (1e5 - 1.0)).sqrt();
        assert!((summary.std / std - 1.0).abs() < 1e-12);
        assert!((summary.mean - 1e9 - mean).abs() < 2e-7);
    }

    /// A grid whose last axis is fastest: the first 1024 instances all have the same slow
    /// coordinate.
    #[test]
    fn a_grid_is_represented() {
        let values: Vec<f64> = (0..100_000).map(|i| f64::from(i / 5000)).collect();
        let summary = statistics(&values).summary(0, 0);
        assert!((summary.quantiles[2] - 9.5).abs() <= 0.6, "{summary:?}");
        assert!((summary.quantiles[0] - 0.95).abs() <= 0.1 + 1.0 / 8.0, "{summary:?}");
        let instances = spread(1_000_000_000, PILOT);
        assert_eq!(instances.len(), 1024);
        assert!(instances.is_sorted() && *instances.last().unwrap() < 1_000_000_000);
    }

    #[test]
    fn every_value_is_in_the_bin_it_is_counted_in() {
        let bins = Bins::new(&[-1.0, 0.25, 2.0]);
        let mut all = CellStatistics::new(bins);
        for value in draw(Cauchy::new(0.0, 30.0).unwrap(), 20_000) {
            all.add(&[value]);
            let bin = bins.map.bin(value);
            let [low, high] = [bin, bin + 1].map(|bin| bins.map.edge(bin));
            // Rounding may lift a value over an edge.
            let rounding = 1e-15 * (value.abs() + 1.0);
            assert!(low - rounding <= value && value <= high + rounding, "{value}: {low} to {high}");
            let bound = (value - bins.map.centre).abs() + 1.0 / bins.map.scale;
            assert!(high - low <= bound / 1024.0 + rounding, "{value}: {low} to {high}");
        }
        assert_eq!(all.counts.occupied().map(|(_, count)| count).sum::<u32>(), 20_000);
    }

    /// Values far out and none cost many times what the others do, and nothing about
    /// these may depend on them.
    #[test]
    fn values_are_near_or_far_by_themselves() {
        let values = draw(StandardNormal, BLOCK);
        let mut alone = CellStatistics::new(Bins::new(&sorted(&values)));
        alone.add(&values);
        assert!(alone.far.is_none() && alone.near.count == BLOCK as u64);
        let strange = [f64::NAN, f64::INFINITY, 1e3, -1e300, 40.0];
        let mut among = CellStatistics::new(alone.bins);
        let mut mixed = values.clone();
        for (i, x) in strange.into_iter().enumerate() {
            mixed.insert(3 + 17 * i, x);
        }
        among.add(&mixed);
        assert!(among.near == alone.near);
        let far = among.far.as_ref().expect("three are far");
        assert_eq!((far.count, among.excluded), (3, 2));
        for x in [1e3, -1e300, 40.0] {
            alone.counts.add(alone.bins.map.bin(x));
        }
        assert!(among.counts == alone.counts);
        let mut expected = ExactSum::new();
        [1e3, -1e300, 40.0].into_iter().for_each(|x| expected.add(x));
        assert!(far.sum == expected);
        assert_eq!((among.min, among.max), (-1e300, 1e3));
        assert_eq!(among.count(), BLOCK as u64 + 3);
    }

    /// Mean and standard deviation against sums of which no bit is lost: of values that the pilot
    /// foresees, that it does not, and of both, by an error that belongs to the pilot's range.
    #[test]
    fn means_and_deviations_are_those_of_exact_sums() {
        let normal = draw(StandardNormal, 20_000);
        let tails: Vec<f64> = draw(Cauchy::new(0.0, 1.0).unwrap(), 20_000);
        let skew: Vec<f64> = draw(Exp1, 20_000).iter().map(|x: &f64| 3.7e5 + 1e-3 * x * x * x).collect();
        let third = normal.iter().map(|x| x / 3.0).collect();
        for (name, values) in [("normal", normal), ("tails", tails), ("skew", skew), ("third", third)] {
            let n = values.len() as f64;
            let statistics = statistics(&values);
            let summary = statistics.summary(0, 0);
            let centre = statistics.cells[0].bins.place.centre;
            let range = 2.0 / statistics.cells[0].bins.place.scale;
            let mut sum = ExactSum::new();
            sum.add_all(&values);
            assert!(
                (summary.mean - sum.mean(n)).abs() < 1e-15 * range + 1e-16 * centre.abs(),
                "{name}: {summary:?}"
            );
            // Squares of x - c = h + l as h^2, its error, and 2 h l.
            let mut squares = ExactSum::new();
            for x in &values {
                let high = x - centre;
                let low = (x - high) - centre;
                let square = high * high;
                [square, high.mul_add(high, -square), 2.0 * high * low]
                    .into_iter()
                    .for_each(|part| squares.add(part));
            }
            sum.add_times(-centre, values.len() as u64);
            let shifted = sum.sum();
            let std = ((squares.sum() - shifted * (shifted / n)) / (n - 1.0)).sqrt();
            assert!((summary.std / std - 1.0).abs() < 1e-13, "{name}: {} {std}", summary.std);
            assert_eq!(statistics.cells[0].far.is_some(), name == "tails", "{name}");
        }
    }

    /// A cell that restarts is as new, whatever it had, and with other bins.
    #[test]
    fn a_restarted_cell_is_empty() {
        let values = draw(StandardNormal, 3000);
        let scaled = |factor: f64| values.iter().map(|x| factor * x).collect::<Vec<_>>();
        let bins = Bins::new(&sorted(&values));
        let other = CellStatistics::new(Bins::new(&sorted(&scaled(30.0))));
        for added in
            [vec![], vec![f64::NAN; 20], scaled(1.0), scaled(2.5), scaled(1e3), vec![1e9; 7], vec![-3.0]]
        {
            let mut cell = CellStatistics::new(bins);
            cell.add(&added);
            let mut merged = CellStatistics::new(bins);
            merged.merge(&cell);
            assert!(merged == cell);
            cell.restart(&other);
            assert!(cell == other);
        }
    }

    #[test]
    fn histograms_count_everything() {
        for n in [1000, 40_000] {
            let values = draw(StandardNormal, n);
            let histogram = statistics(&values).histogram(0, 0, 60);
            let total = histogram.below + histogram.above + histogram.counts.iter().sum::<u64>();
            assert_eq!(total, n as u64);
            assert_eq!(histogram.edges.len(), histogram.counts.len() + 1);
            assert!(histogram.counts.len() >= 30 && histogram.counts.len() <= 60);
            assert!(histogram.edges.is_sorted());
        }
        assert_eq!(statistics(&[2.0; 9]).histogram(0, 0, 60).counts, [9]);
    }

    /// A few values far out do not make one bar of all others, and none is lost.
    #[test]
    fn a_histogram_shows_the_body_between_long_tails() {
        for n in [1000, 40_000] {
            let mut values = draw(StandardNormal, n);
            values.iter_mut().step_by(100).for_each(|x| *x *= 1e6);
            let histogram = statistics(&values).histogram(0, 0, 48);
            let total = histogram.below + histogram.above + histogram.counts.iter().sum::<u64>();
            assert_eq!(total, n as u64);
            assert!(histogram.below + histogram.above > n as u64 / 200, "{histogram:?}");
            let bar = histogram.edges[1] - histogram.edges[0];
            assert!(bar < 0.6, "{bar}");
            assert!(histogram.counts.iter().filter(|count| **count > n as u64 / 100).count() > 5);
        }
    }

    fn any_value() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => -1.0..1.0f64,
            2 => any::<f64>(),
            1 => Just(f64::NAN),
            1 => Just(-0.0),
            1 => Just(f64::NEG_INFINITY),
            // About where near values end, if the range is that of the first kind.
            1 => -16.0..16.0f64,
            2 => (-10.0..10.0f64).prop_map(|x| f64::from(x as f32)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_order_and_partition_gives_the_same_bits(
            values in prop::collection::vec(any_value(), 1..2500),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            seed in any::<u64>(),
        ) {
            let pilot = pilot(&values);
            let mut whole = Statistics::new(pilot.clone(), &PROBABILITIES);
            whole.add(0, 0, &values);
            let mut shuffled = values.clone();
            shuffled.sort_by_key(|x| x.to_bits().wrapping_mul(seed | 1));
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(values.len())).collect();
            cuts.extend([0, values.len()]);
            cuts.sort();
            let mut merged = Statistics::new(pilot.clone(), &PROBABILITIES);
            let mut chunked = Statistics::new(pilot.clone(), &PROBABILITIES);
            for pair in cuts.windows(2) {
                let part = &shuffled[pair[0]..pair[1]];
                chunked.add(0, 0, part);
                let mut shard = Statistics::new(pilot.clone(), &PROBABILITIES);
                shard.add(0, 0, part);
                let mut stored = Vec::new();
                shard.store(&mut StoreWriter::new(&mut stored)).unwrap();
                let loaded = Statistics::load(&mut StoreReader::new(&stored[..])).unwrap();
                prop_assert!(loaded.has_bins_of(&shard) && loaded.cells == shard.cells);
                merged.merge(&loaded);
            }
            prop_assert_eq!(bits(&merged.summary(0, 0)), bits(&whole.summary(0, 0)));
            prop_assert_eq!(bits(&chunked.summary(0, 0)), bits(&whole.summary(0, 0)));
            prop_assert!(merged.cells[0] == whole.cells[0]);
        }
    }
}
