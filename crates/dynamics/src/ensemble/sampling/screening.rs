//! Designs of sensitivity studies: which point of the unit cube an instance has, from its number
//! alone.
//!
//! Instances come in rows, one after the other, of a fixed number of places. An **input** is one
//! unit number, or those of a quantity that takes several together (an attitude, what is
//! correlated).
//!
//! **Saltelli's design** for variance-based indices: a row has two independent points a and b of
//! the unit cube, the two halves of one point of twice as many dimensions of any design. With k
//! inputs its places are
//!
//! | place | point |
//! |---|---|
//! | 0, 1 | a, b |
//! | 2 + j | a, but input j from b |
//! | 2 + k + j | b, but input j from a (for indices of pairs alone) |
//!
//! A. Saltelli et al., "Variance based sensitivity analysis of model output", Computer Physics
//! Communications 181 (2010) 259-270, with the radial arrangement that they recommend.
//!
//! **Morris's trajectories**: every unit number is on one of p levels (l + 1/2)/p, the middles of p
//! equal parts, so that distributions without bounds have values there. A row begins at a random
//! point of the grid; then one input after the other, in random order, has its unit numbers moved
//! by half the range, p/2 levels, up from the lower half and down from the upper. M. D. Morris,
//! "Factorial sampling plans for preliminary computational experiments", Technometrics 33 (1991)
//! 161-174, with the levels moved into the open interval.

use rand::Rng;

use super::streams::{Purpose, stream};

/// The inputs, by their unit numbers.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The input of each unit number.
    of: Vec<usize>,
    count: usize,
}

impl Inputs {
    /// `numbers`: how many unit numbers each input takes.
    pub fn new(numbers: &[usize]) -> Inputs {
        let inputs =
            numbers.iter().enumerate().flat_map(|(input, n)| std::iter::repeat_n(input, *n)).collect();
        Inputs { of: inputs, count: numbers.len() }
    }

    /// Returns how many unit numbers there are.
    pub fn dimensions(&self) -> usize {
        self.of.len()
    }
}

/// Saltelli's design.
#[derive(Clone, Debug)]
pub struct Saltelli {
    inputs: Inputs,
    places: u64,
}

impl Saltelli {
    /// Returns the design with rows of so many places: k + 2, or 2 k + 2 for pairs.
    pub fn new(inputs: Inputs, places: u64) -> Saltelli {
        Saltelli { inputs, places }
    }

    pub fn dimensions(&self) -> usize {
        self.inputs.dimensions()
    }

    pub fn row(&self, instance: u64) -> u64 {
        instance / self.places
    }

    /// Whether the instance has this unit number from b.
    pub fn takes_b(&self, instance: u64, number: usize) -> bool {
        let (place, k) = ((instance % self.places) as usize, self.inputs.count);
        let input = self.inputs.of[number];
        match place {
            0 => false,
            1 => true,
            _ if place < 2 + k => input == place - 2,
            _ => input != place - 2 - k,
        }
    }
}

/// Morris's trajectories.
#[derive(Clone, Debug)]
pub struct MorrisTrajectories {
    inputs: Inputs,
    levels: u64,
    seed: u64,
}

/// A trajectory: where it starts, and in which order inputs move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MorrisTrajectory {
    /// By unit number.
    start: Vec<u64>,
    /// The input of each move.
    pub order: Vec<usize>,
    /// By input: whether it moves upwards; `None`: it has several unit numbers, and no direction.
    pub upwards: Vec<Option<bool>>,
}

impl MorrisTrajectories {
    /// On an even number of levels.
    pub fn new(inputs: Inputs, levels: u64, seed: u64) -> MorrisTrajectories {
        MorrisTrajectories { inputs, levels, seed }
    }

    /// Places of a row.
    pub fn places(&self) -> u64 {
        self.inputs.count as u64 + 1
    }

    pub fn row(&self, row: u64) -> MorrisTrajectory {
        let mut random = stream(self.seed, Purpose::Trajectory, row);
        let mut below = |n: u64| ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64;
        let start: Vec<u64> = (0..self.inputs.dimensions()).map(|_| below(self.levels)).collect();
        let mut order: Vec<usize> = (0..self.inputs.count).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, below(last as u64 + 1) as usize);
        }
        let upwards = (0..self.inputs.count)
            .map(|input| {
                let mut numbers = start.iter().zip(&self.inputs.of).filter(|(_, owner)| **owner == input);
                let level = numbers.next()?.0;
                numbers.next().is_none().then_some(*level < self.levels / 2)
            })
            .collect();
        MorrisTrajectory { start, order, upwards }
    }

    /// All unit numbers of an instance.
    pub fn point(&self, instance: u64) -> Vec<f64> {
        let (row, place) = (instance / self.places(), (instance % self.places()) as usize);
        let MorrisTrajectory { start, order, .. } = self.row(row);
        let moved = &order[..place];
        let number = |(level, input): (u64, &usize)| {
            let by = if moved.contains(input) { self.levels / 2 } else { 0 };
            ((level + by) % self.levels) as f64 / self.levels as f64 + 0.5 / self.levels as f64
        };
        start.into_iter().zip(&self.inputs.of).map(number).collect()
    }
}

/// `count` draws with replacement out of as many: how often each was drawn. The same for the same
/// seed and number of the draw; for the bootstrap.
pub fn resampled(seed: u64, draw: u64, counts: &mut [f64]) {
    let mut random = stream(seed, Purpose::Resample, draw);
    let n = counts.len() as u64;
    counts.fill(0.0);
    for _ in 0..n {
        counts[((u128::from(random.next_u64()) * u128::from(n)) >> 64) as usize] += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_saltellis_design_mix_two_points() {
        // Three inputs, the second of two unit numbers.
        let design = Saltelli::new(Inputs::new(&[1, 2, 1]), 8);
        let row = |place: u64| {
            (0..4).map(|c| if design.takes_b(40 + place, c) { 'b' } else { 'a' }).collect::<String>()
        };
        let rows: Vec<String> = (0..8).map(row).collect();
        assert_eq!(rows, ["aaaa", "bbbb", "baaa", "abba", "aaab", "abbb", "baab", "bbba"]);
        assert_eq!(design.row(40), 5);
    }

    #[test]
    fn trajectories_move_one_input_at_a_time_by_half_the_range() {
        let inputs = Inputs::new(&[1, 3, 1, 1]);
        let input_of = inputs.of.clone();
        let design = MorrisTrajectories::new(inputs, 4, 11);
        let mut first_moves = [0; 4];
        for row in 0..400 {
            let points: Vec<Vec<f64>> = (0..5).map(|place| design.point(5 * row + place)).collect();
            let MorrisTrajectory { order, upwards, .. } = design.row(row);
            first_moves[order[0]] += 1;
            for (step, input) in order.iter().enumerate() {
                for c in 0..6 {
                    assert!([0.125, 0.375, 0.625, 0.875].contains(&points[step][c]));
                    let moved = points[step + 1][c] - points[step][c];
                    let expected = if input_of[c] == *input { 0.5 } else { 0.0 };
                    assert_eq!(moved.abs(), expected);
                    // The second input has three numbers.
                    match upwards[input_of[c]] {
                        Some(up) => assert!(input_of[c] != 1 && (moved == 0.0 || (moved > 0.0) == up)),
                        None => assert_eq!(input_of[c], 1),
                    }
                }
            }
        }
        // Each of 400 is first with probability 1/4: 100 with a deviation of 8.7.
        assert!(first_moves.iter().all(|n| (65..135).contains(n)), "{first_moves:?}");
    }

    #[test]
    fn resampling_draws_as_many_and_repeats_itself() {
        let (mut counts, mut again) = (vec![0.0; 1000], vec![7.0; 1000]);
        resampled(3, 5, &mut counts);
        resampled(3, 5, &mut again);
        assert_eq!(counts, again);
        assert_eq!(counts.iter().sum::<f64>(), 1000.0);
        // Left out with probability 1/e each.
        let left_out = counts.iter().filter(|n| **n == 0.0).count();
        assert!((320..=420).contains(&left_out), "{left_out}");
    }
}
