//! Statistics over all instances, per time and column: count, mean, standard deviation, extremes, quantiles.
//!
//! The result is a pure function of the study: the same bits for any order, chunk, thread count or shard, because
//! every part of the state is a commutative monoid without rounding:
//!
//! | what | how |
//! |---|---|
//! | mean | m = (exact sum of x) / n |
//! | standard deviation | s^2 = [sum of u^2 - (sum of u)^2 / n] / (n - 1), u = (x - c) scale, each u^2 rounded once, then summed exactly; the sum of u is that of x less n c, exact |
//! | extremes | min, max (-0 counts as +0) |
//! | quantiles | counts in bins that a pilot fixes, see [`super::quantiles`]; exact up to [`PILOT`] instances |
//!
//! The centre c is the pilot's median, so that nothing cancels in s^2. Values that are not finite, and those of stopped
//! instances (which come as NaN), are excluded and counted.
//!
//! A cell (one time, one column) takes 7 KB, and about 0.7 ns a value where values are finite and about as large as those of
//! the pilot. Cells merge exactly, so that each thread can have its own for the instances it has in its cache.

use std::io::{self, Read, Write};
use std::sync::Arc;

use rayon::prelude::*;

use fearless_simd::{Level, dispatch};

use super::exact_sum::{ExactSum, LANES, Split, SplitSums};
use super::quantiles::{self, ABOVE, BELOW, Bins, EXCLUDED, Histogram, PILOT, SLOTS};
use super::stored::{StoreReader, StoreWriter, wrong};
use crate::backend::tally::{self, Tally, TallyRule};

/// Values handled together: their intermediate arrays stay in the first-level cache.
const BLOCK: usize = 512;

/// What min(1024, size) instances showed: bins, and in small ensembles the values themselves.
#[derive(PartialEq)]
pub struct Pilot {
    columns: usize,
    keep_values: bool,
    cells: Vec<PilotCell>,
}

#[derive(Clone, PartialEq)]
struct PilotCell {
    bins: Bins,
    /// Finite values, sorted; kept only where the pilot is the whole ensemble.
    sorted: Vec<f64>,
}

impl Pilot {
    /// For an ensemble of `instances`. Cells that are never recorded get bins about 0.
    pub fn new(times: usize, columns: usize, instances: u64) -> Self {
        let cell = PilotCell { bins: Bins::new(&[]), sorted: Vec::new() };
        Self { columns, keep_values: instances <= PILOT, cells: vec![cell; times * columns] }
    }

    /// All values of the pilot instances at a time, NaN where stopped, in any order. To be called once per
    /// time and column.
    pub fn record(&mut self, time: usize, column: usize, values: &[f64]) {
        // -0 becomes +0 everywhere, so that no result depends on which came first.
        let mut sorted: Vec<f64> = values.iter().filter(|x| x.is_finite()).map(|x| x + 0.0).collect();
        let bins = if self.keep_values {
            sorted.sort_unstable_by(f64::total_cmp);
            Bins::new(&sorted)
        } else {
            // The median and the ends are found faster than all are sorted.
            Bins::of_unsorted(&mut std::mem::take(&mut sorted))
        };
        self.cells[time * self.columns + column] = PilotCell { bins, sorted };
    }

    fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.u64(self.columns as u64)?;
        to.u64(self.cells.len() as u64)?;
        to.u16(u16::from(self.keep_values))?;
        self.cells.iter().try_for_each(|cell| {
            cell.bins.store(to)?;
            to.f64s(&cell.sorted)
        })
    }

    fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<Pilot> {
        let columns = from.u64()? as usize;
        let cells = from.u64()?;
        let keep_values = from.u16()? != 0;
        let cell = |_| Ok(PilotCell { bins: Bins::load(from)?, sorted: from.f64s()? });
        Ok(Pilot { columns, keep_values, cells: (0..cells).map(cell).collect::<io::Result<_>>()? })
    }
}

/// Slots below this are counted without a check: a power of two above [`ABOVE`].
const COUNTED: usize = 1024;
const _: () = assert!(ABOVE < COUNTED && COUNTED <= SLOTS);

// A device counts in the same slots, without those of values further out.
const _: () = assert!(tally::SLOTS == ABOVE && tally::EXCLUDED == EXCLUDED);

/// The splits of ordinary values: those not much further out than the pilot's.
struct Reach {
    values: Split,
    /// Of u^2.
    squares: Split,
}

impl Reach {
    /// `None` where the pilot's values are too small or too large to be split.
    fn of(bins: &Bins) -> Option<Reach> {
        let (value, scaled) = bins.reach();
        Some(Reach { values: Split::at_most(value)?, squares: Split::at_most(scaled * scaled)? })
    }
}

/// Statistics of one column at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct CellStatistics {
    bins: Bins,
    sum: ExactSum,
    squares: ExactSum,
    min: f64,
    max: f64,
    count: u64,
    /// See `quantiles` for the slots. 32 bits: an ensemble has at most 10^9 instances.
    counts: Vec<u32>,
}

impl CellStatistics {
    fn new(bins: Bins) -> Self {
        Self { counts: vec![0; SLOTS], ..Self::without_counts(bins) }
    }

    fn without_counts(bins: Bins) -> Self {
        Self {
            bins,
            sum: ExactSum::new(),
            squares: ExactSum::new(),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            count: 0,
            counts: Vec::new(),
        }
    }

    /// Empty again, with the bins of another cell.
    pub fn restart(&mut self, other: &CellStatistics) {
        let mut counts = std::mem::take(&mut self.counts);
        counts.fill(0);
        *self = CellStatistics { counts, ..CellStatistics::without_counts(other.bins) };
    }

    /// Adds values; those that are not finite are excluded.
    pub fn add(&mut self, values: &[f64]) {
        let reach = Reach::of(&self.bins);
        dispatch!(Level::new(), _simd => self.add_within(reach.as_ref(), values));
    }

    /// Inlined, so that it is compiled for the caller's SIMD level.
    #[inline(always)]
    fn add_within(&mut self, reach: Option<&Reach>, values: &[f64]) {
        for block in values.chunks(BLOCK) {
            let (whole, rest) = block.as_chunks::<LANES>();
            let added = reach.is_some_and(|reach| self.add_ordinary(reach, whole));
            if !added {
                self.add_any(whole.as_flattened());
            }
            if !rest.is_empty() {
                self.add_any(rest);
            }
        }
    }

    /// Adds a block in one pass, with sums split by constants that are known beforehand; false: it has values beyond their
    /// reach, and nothing was added.
    #[inline(always)]
    fn add_ordinary(&mut self, reach: &Reach, block: &[[f64; LANES]]) -> bool {
        // Stopped instances among them come as NaN, snapshot after snapshot: found before anything is counted in vain.
        if block.as_flattened().iter().fold(false, |found, x| found | x.is_nan()) {
            return false;
        }
        let bins = self.bins;
        let mut min = [f64::INFINITY; LANES];
        let mut max = [f64::NEG_INFINITY; LANES];
        let mut sums = SplitSums::new(&reach.values);
        let mut squares = SplitSums::new(&reach.squares);
        let counts: &mut [u32] = &mut self.counts[..COUNTED];
        for input in block {
            let mut slots = [0u32; LANES];
            for lane in 0..LANES {
                let x = input[lane];
                min[lane] = if x < min[lane] { x } else { min[lane] };
                max[lane] = if x > max[lane] { x } else { max[lane] };
                let u = bins.scaled(x);
                slots[lane] = bins.slot(u);
                sums.add(lane, x);
                squares.add(lane, u * u);
            }
            // Counting takes other parts of the processor than the arithmetic, which goes on beside it. No slot here is beyond
            // ABOVE: the mask only spares the check.
            slots.into_iter().for_each(|slot| counts[slot as usize % COUNTED] += 1);
        }
        // -0 counts as +0.
        let min = min.into_iter().fold(f64::INFINITY, f64::min) + 0.0;
        let max = max.into_iter().fold(f64::NEG_INFINITY, f64::max) + 0.0;
        // u is monotone in x: the largest square is that of an end. A NaN is left over by the split.
        let within = min.abs().max(max.abs()) < reach.values.limit;
        let square = bins.scaled(min).abs().max(bins.scaled(max).abs());
        let exact = sums.exact(&reach.values).zip(squares.exact(&reach.squares));
        let exact = exact.filter(|_| within && square * square < reach.squares.limit);
        let Some((sum, square_sum)) = exact else {
            // They are not ordinary, and not counted.
            for &x in block.as_flattened() {
                counts[bins.slot(bins.scaled(x)) as usize % COUNTED] -= 1;
            }
            return false;
        };
        sum.into_iter().for_each(|part| self.sum.add(part));
        square_sum.into_iter().for_each(|part| self.squares.add(part));
        self.min = self.min.min(min);
        self.max = self.max.max(max);
        self.count += (block.len() * LANES) as u64;
        if self.counts[BELOW] + self.counts[ABOVE] > 0 {
            self.count_outliers(block.as_flattened().iter().map(|&x| (x, bins.slot(bins.scaled(x)))));
        }
        true
    }

    /// Adds a block of any values. Apart, as it would have its constants laid out again and again beside those of ordinary blocks.
    #[cold]
    #[inline(never)]
    fn add_any(&mut self, block: &[f64]) {
        dispatch!(Level::new(), _simd => self.add_block(block));
    }

    #[inline(always)]
    fn add_block(&mut self, block: &[f64]) {
        // NaN pads the last lanes; it is excluded, and not counted.
        let mut inputs = [[f64::NAN; LANES]; BLOCK / LANES];
        inputs.as_flattened_mut()[..block.len()].copy_from_slice(block);
        let used = block.len().div_ceil(LANES);

        let bins = self.bins;
        let mut xs = [[0.0; LANES]; BLOCK / LANES];
        let mut squares = [[0.0; LANES]; BLOCK / LANES];
        let mut slots = [[0u32; LANES]; BLOCK / LANES];
        let mut min = [f64::INFINITY; LANES];
        let mut max = [f64::NEG_INFINITY; LANES];
        for (((input, xs), squares), slots) in
            inputs[..used].iter().zip(&mut xs).zip(&mut squares).zip(&mut slots)
        {
            for lane in 0..LANES {
                let x = input[lane] + 0.0;
                let finite = x.abs() < f64::INFINITY;
                let u = bins.scaled(x);
                xs[lane] = if finite { x } else { 0.0 };
                squares[lane] = if finite { u * u } else { 0.0 };
                slots[lane] = if finite { bins.slot(u) } else { EXCLUDED as u32 };
                min[lane] = if x < min[lane] && finite { x } else { min[lane] };
                max[lane] = if x > max[lane] && finite { x } else { max[lane] };
            }
        }

        self.sum.add_block(&xs[..used]);
        self.squares.add_block(&squares[..used]);
        let slots = &slots.as_flattened()[..block.len()];
        self.min = min.into_iter().fold(self.min, f64::min);
        self.max = max.into_iter().fold(self.max, f64::max);
        let excluded_before = self.counts[EXCLUDED];
        for &slot in slots {
            self.counts[slot as usize] += 1;
        }
        self.count += block.len() as u64 - u64::from(self.counts[EXCLUDED] - excluded_before);
        if self.counts[BELOW] + self.counts[ABOVE] > 0 {
            self.count_outliers(block.iter().copied().zip(slots.iter().copied()));
        }
    }

    /// Moves what a block, values with their slots, left in BELOW and ABOVE to the outlier bins.
    fn count_outliers(&mut self, block: impl Iterator<Item = (f64, u32)>) {
        for (x, slot) in block {
            let slot = slot as usize;
            if slot == BELOW || slot == ABOVE {
                self.counts[self.bins.outer_slot(self.bins.scaled(x), slot)] += 1;
            }
        }
        self.counts[BELOW] = 0;
        self.counts[ABOVE] = 0;
    }

    /// How a device adds up the column's values. `None`: the pilot's values are too small or too large to be split.
    pub fn rule(&self) -> Option<TallyRule> {
        let Reach { values, squares } = Reach::of(&self.bins)?;
        let [low, per_width, first] = self.bins.slot_rule();
        let Bins { centre, scale, .. } = self.bins;
        let (below, above) = (BELOW as f64, ABOVE as f64);
        let (values, squares) = (values.rule(), squares.rule());
        Some(TallyRule { centre, scale, low, per_width, first, below, above, values, squares })
    }

    /// Adds what a device added up by the [rule](Self::rule) of this cell, which is column `column` of `columns`: the bits that
    /// [`add`](Self::add) has of the same values. The device splits ordinary values by the constants of the rule, so that the two
    /// parts of a block's sum are exact, and counts them in the slots of the bins. All others it hands over one by one.
    pub fn add_tally(&mut self, tally: &Tally, column: usize, columns: usize) {
        let (parts, counts, apart) = tally.column(column, columns);
        for part in parts.filter(|part| part.count > 0.0) {
            part.sum.into_iter().for_each(|sum| self.sum.add(sum));
            part.squares.into_iter().for_each(|sum| self.squares.add(sum));
            // -0 counts as +0.
            self.min = self.min.min(part.min + 0.0);
            self.max = self.max.max(part.max + 0.0);
            self.count += part.count as u64;
        }
        for (mine, theirs) in self.counts.iter_mut().zip(counts) {
            *mine = mine.saturating_add(*theirs);
        }
        self.add(&apart);
    }

    /// Adds the values of another cell with the same bins, exactly.
    pub fn merge(&mut self, other: &CellStatistics) {
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine = mine.saturating_add(*theirs);
        }
    }

    /// All but the bins, which are the pilot's. Of the counts only those that are not zero.
    fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        self.sum.store(to)?;
        self.squares.store(to)?;
        to.f64(self.min)?;
        to.f64(self.max)?;
        to.u64(self.count)?;
        let occupied = || self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        to.u16(occupied().count() as u16)?;
        for (slot, count) in occupied() {
            to.u16(slot as u16)?;
            to.u32(*count)?;
        }
        Ok(())
    }

    fn load<R: Read>(bins: Bins, from: &mut StoreReader<R>) -> io::Result<CellStatistics> {
        let mut cell = CellStatistics {
            sum: ExactSum::load(from)?,
            squares: ExactSum::load(from)?,
            min: from.f64()?,
            max: from.f64()?,
            count: from.u64()?,
            ..CellStatistics::new(bins)
        };
        for _ in 0..from.u16()? {
            let slot = usize::from(from.u16()?);
            *cell.counts.get_mut(slot).ok_or_else(|| wrong("a bin beyond the last"))? = from.u32()?;
        }
        Ok(cell)
    }

    /// sqrt of the unbiased variance; NaN below two values.
    fn std(&self) -> f64 {
        if self.count < 2 {
            return f64::NAN;
        }
        let n = self.count as f64;
        // Sum of x less n c, exact but for the last rounding: n c = product + error.
        let product = n * self.bins.centre;
        let error = n.mul_add(self.bins.centre, -product);
        let mut shifted = self.sum.clone();
        shifted.add(-product);
        shifted.add(-error);
        let shifted = shifted.sum() * self.bins.scale;
        let squares = self.squares.sum();
        ((squares - shifted * (shifted / n)).max(0.0) / (n - 1.0)).sqrt() / self.bins.scale
    }
}

/// Statistics of one column at one time, summed up. All but the counts are NaN where no value was counted.
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

    /// All cells, time after time, the columns of a time adjacent: index `time * columns + column`. To be shared
    /// out among threads.
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

    /// Whether both come from the same pilot, so that they can be merged: the same study in the same arithmetic.
    pub fn has_bins_of(&self, other: &Statistics) -> bool {
        *self.pilot == *other.pilot
    }

    /// Number of times.
    pub fn times(&self) -> usize {
        self.cells.len() / self.pilot.columns.max(1)
    }

    /// Writes the whole state, to be [merged](Self::merge) elsewhere.
    pub fn store<W: Write>(&self, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.f64s(&self.probabilities)?;
        self.pilot.store(to)?;
        self.cells.iter().try_for_each(|cell| cell.store(to))
    }

    /// Reads what [`store`](Self::store) wrote.
    pub fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<Statistics> {
        let probabilities = from.f64s()?;
        let pilot = Arc::new(Pilot::load(from)?);
        let cells = pilot.cells.iter().map(|cell| CellStatistics::load(cell.bins, from));
        let cells = cells.collect::<io::Result<_>>()?;
        Ok(Statistics { pilot, probabilities, cells })
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
                "its pilot is another one: the machines compute other bits; run all parts on machines of one kind",
            ));
        }
        Ok(())
    }

    /// Of nothing: the first that it takes in says what is counted.
    pub fn empty() -> Statistics {
        let pilot = Pilot { columns: 0, keep_values: false, cells: Vec::new() };
        Statistics { pilot: Arc::new(pilot), probabilities: Vec::new(), cells: Vec::new() }
    }

    /// Of all columns, by time.
    pub fn summaries(&self) -> Vec<Vec<Summary>> {
        let columns = 0..self.pilot.columns;
        let at = |time: usize| columns.clone().map(|column| self.summary(time, column)).collect();
        (0..self.times()).into_par_iter().map(at).collect()
    }

    pub fn summary(&self, time: usize, column: usize) -> Summary {
        let index = self.index(time, column);
        let cell = &self.cells[index];
        let count = cell.count;
        let excluded = u64::from(cell.counts[EXCLUDED]);
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
            None => quantiles::from_counts(
                &cell.bins,
                &cell.counts,
                count,
                cell.min,
                cell.max,
                &self.probabilities,
            ),
        };
        // Rounding may put the mean of equal values one unit in the last place outside.
        let mean = cell.sum.mean(count as f64).clamp(cell.min, cell.max);
        Summary { count, excluded, mean, std: cell.std(), min: cell.min, max: cell.max, quantiles }
    }

    /// A histogram of at most `bars` bars, hardly ever less than half of that.
    pub fn histogram(&self, time: usize, column: usize, bars: usize) -> Histogram {
        let index = self.index(time, column);
        match self.all_values(index) {
            Some(sorted) => quantiles::histogram_from_sorted(sorted, bars),
            None => {
                let cell = &self.cells[index];
                quantiles::histogram_from_counts(&cell.bins, &cell.counts, cell.min, cell.max, bars)
            }
        }
    }

    /// The values themselves, sorted, if the pilot kept them and all of them have been added (an interrupted run has
    /// only some); at least one.
    fn all_values(&self, index: usize) -> Option<&[f64]> {
        let sorted = &self.pilot.cells[index].sorted;
        (!sorted.is_empty() && sorted.len() as u64 == self.cells[index].count).then_some(sorted)
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
        // The pilot's range is some thousands here; half a million values still leave a finite answer.
        assert!(summary.quantiles.is_sorted());
        assert!(summary.std.is_finite());

        // The pilot sees one value only; others lie 1e300 away on both sides.
        let mut values = vec![1.0; 100_000];
        let seen = spread(100_000, PILOT);
        for i in (0..100_000u64).filter(|i| seen.binary_search(i).is_err()) {
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
            // Bins are no narrower than 1e-303: below, a quantile is only between the extremes.
            let median_error = (summary.quantiles[2] / scale - exact[1500] / scale).abs();
            assert!(median_error < 0.03 || scale < 1e-300, "{scale} {summary:?}");
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

    /// A grid whose last axis is fastest: the first 1024 instances all have the same slow coordinate.
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
        let mut counted = 0;
        for value in draw(Cauchy::new(0.0, 30.0).unwrap(), 20_000) {
            let mut cell = CellStatistics::new(bins);
            cell.add(&[value]);
            let q = quantiles::from_counts(&bins, &cell.counts, 3, -1e300, 1e300, &[0.5]);
            // The middle one of three, in a bin that holds one: its middle, so at most a bin away.
            let tolerance = (value.abs() * 0.3).max(3.0 / 256.0);
            assert!((q[0] - value).abs() <= tolerance, "{value} {q:?}");
            counted += cell.counts[1..].iter().sum::<u32>();
        }
        assert_eq!(counted, 20_000);
    }

    /// The way of one pass is what observing costs: ordinary values must take it, with outliers among them too, and leave
    /// the very state of the way for any values. What it cannot split exactly it leaves alone.
    #[test]
    fn ordinary_values_take_one_pass() {
        let near: Vec<f64> = draw(StandardNormal, BLOCK);
        let single: Vec<f64> = near.iter().map(|x| f64::from((3.0 + 0.1 * x) as f32)).collect();
        let mut outlying = near.clone();
        outlying[7] = 2.1 * near.iter().fold(0.0, |a: f64, x| a.max(*x));
        for (name, values) in [("near", &near), ("single", &single), ("outlying", &outlying)] {
            let pilot = if name == "single" { &single } else { &near };
            let mut sorted = pilot.clone();
            sorted.sort_by(f64::total_cmp);
            let (mut one_pass, mut any) =
                (CellStatistics::new(Bins::new(&sorted)), CellStatistics::new(Bins::new(&sorted)));
            let reach = Reach::of(&one_pass.bins).unwrap();
            assert!(one_pass.add_ordinary(&reach, values.as_chunks::<LANES>().0), "{name}");
            any.add_block(values);
            assert!(one_pass == any, "{name}");
            let count: u32 = one_pass.counts.iter().sum();
            assert_eq!((one_pass.count, count), (BLOCK as u64, BLOCK as u32), "{name}");
        }
        let bins = CellStatistics::new(statistics(&near).cells[0].bins);
        let reach = Reach::of(&bins.bins).unwrap();
        for strange in [f64::NAN, f64::INFINITY, 1e3, -1e300, 1e-40] {
            let mut values = near.clone();
            values[3] = strange;
            let mut cell = bins.clone();
            assert!(!cell.add_ordinary(&reach, values.as_chunks::<LANES>().0), "{strange}");
            assert!(cell == bins, "{strange}");
        }
    }

    #[test]
    fn bins_do_not_need_sorted_values() {
        for n in [1, 2, 3, 1023, 1024] {
            let values = draw(StandardNormal, n);
            assert!(Bins::of_unsorted(&mut values.clone()) == Bins::new(&sorted(&values)), "{n}");
        }
        assert!(Bins::of_unsorted(&mut []) == Bins::new(&[]));
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

    fn any_value() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => -1.0..1.0f64,
            2 => any::<f64>(),
            1 => Just(f64::NAN),
            1 => Just(-0.0),
            1 => Just(f64::NEG_INFINITY),
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
