//! Instances that show what an ensemble can bring, a function of the study alone: to find what is
//! zero in every instance without drawing all of them.
//!
//! A drawn quantity needs no search, any instance tells: a continuous distribution gives exactly
//! zero with probability 0. Values that are laid out (lists, ranges, tables) can be zero in all
//! entries but one. Up to 4096 instances all are looked at. Among more, one of each **pattern** of
//! the entries or rows is looked at: the pattern says which numbers are zero, which are those of
//! the first entry, and which are others. Axes are combined pattern by pattern, so that products of
//! two quantities are seen that are zero along either axis; and the first 4096 entries of the axes
//! are looked at one by one. Cases that escape this search (numbers that cancel in all rows of a
//! pattern but one) are found when they are drawn.

use std::collections::HashSet;

use super::{Sampler, Source};

/// Most instances of either kind.
const MOST: u64 = 4096;

/// The kind of each number of an entry: zero, that of the first entry, or another.
type Pattern = Vec<u8>;

impl Sampler {
    /// The instances to look at, ascending; none where everything is drawn.
    pub fn representatives(&self) -> Vec<u64> {
        let rows = self.varied.iter().any(|varied| matches!(varied.source, Source::Rows(_)));
        let grid = self.varied.iter().any(|varied| matches!(varied.source, Source::Grid { .. }));
        let mut chosen: Vec<u64> = match (rows, grid) {
            (false, false) => return Vec::new(),
            _ if self.size <= MOST => (0..self.size).collect(),
            (true, _) => first_of_each(0..self.size, |i| self.laid_out(i)),
            (false, true) => self.cells(),
        };
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// The numbers of an instance that are not drawn.
    fn laid_out(&self, instance: u64) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(self.width);
        for varied in &self.varied {
            let start = numbers.len();
            numbers.resize(start + varied.width, 0.0);
            match &varied.source {
                Source::Drawn(_) => numbers.truncate(start),
                Source::Grid { axis, stride } => {
                    axis.values(instance / stride % axis.count(), &mut numbers[start..]);
                }
                Source::Rows(rows) => rows.values(instance, &mut numbers[start..]),
            }
        }
        numbers
    }

    /// Cells of the grid.
    fn cells(&self) -> Vec<u64> {
        /// Entries of one axis, counted in instances.
        struct Chosen {
            stride: u64,
            count: u64,
            patterns: Vec<u64>,
            /// The entry that has most that is other than zero.
            general: u64,
        }
        let axes: Vec<Chosen> = self
            .varied
            .iter()
            .filter_map(|varied| match &varied.source {
                Source::Grid { axis, stride } => Some((varied.width, axis, *stride)),
                _ => None,
            })
            .map(|(width, axis, stride)| {
                let entry = |e: u64| {
                    let mut values = vec![0.0; width];
                    axis.values(e, &mut values);
                    values
                };
                let count = axis.count();
                let patterns = match axis.is_range() {
                    // Ranges go one way: what is neither zero nor the first is found at once.
                    true => first_of_each([0, 1, count - 1].into_iter().filter(|e| *e < count), entry),
                    false => first_of_each(0..count, entry),
                };
                let zeros = |e: &&u64| entry(**e).iter().filter(|x| **x == 0.0).count();
                // The last of equals, as the first entry is often a special one.
                let general = patterns.iter().rev().min_by_key(zeros).copied().unwrap_or(0);
                Chosen { stride, count, patterns, general }
            })
            .collect();
        let mut chosen = vec![0];
        for axis in &axes {
            let with = |e: &u64| chosen.iter().map(|cell| cell + e * axis.stride).collect::<Vec<u64>>();
            chosen = axis.patterns.iter().flat_map(with).take(MOST as usize).collect();
        }
        let general: u64 = axes.iter().map(|axis| axis.general * axis.stride).sum();
        for axis in &axes {
            let others = general - axis.general * axis.stride;
            let every = axis.count.min(MOST / axes.len() as u64);
            chosen.extend((0..every).map(|e| others + e * axis.stride));
        }
        chosen
    }
}

/// The first of each pattern, in order; not more than [`MOST`].
fn first_of_each(entries: impl IntoIterator<Item = u64>, numbers: impl Fn(u64) -> Vec<f64>) -> Vec<u64> {
    let mut first: Option<Vec<f64>> = None;
    let mut visited: HashSet<Pattern> = HashSet::new();
    let mut chosen = Vec::new();
    for entry in entries {
        let numbers = numbers(entry);
        let first = first.get_or_insert_with(|| numbers.clone());
        let kind = |(x, first): (&f64, &f64)| match x {
            0.0 => 0,
            x if x == first => 1,
            _ => 2,
        };
        if visited.insert(numbers.iter().zip(first.iter()).map(kind).collect()) {
            chosen.push(entry);
        }
        if chosen.len() as u64 == MOST {
            break;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_pattern_is_taken() {
        let values = [[0.0, 1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [1.0, 1.0], [0.0, 0.0], [4.0, 1.0]];
        assert_eq!(first_of_each(0..7, |e| values[e as usize].to_vec()), [0, 2, 4, 5]);
    }
}
