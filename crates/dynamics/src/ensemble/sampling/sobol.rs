//! Sobol's low-discrepancy sequence by index, digitally shifted by the seed.
//!
//! In each dimension point i is the exclusive or of direction numbers V_k over the bits k set in
//! the Gray code of i, as 64-bit fractions; the direction numbers are those of S. Joe and F. Y.
//! Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
//! Comput. 30 (2008) 2635-2654. The shift is one more exclusive or, by a random number per
//! dimension: every point is then uniform, every elementary interval that held one point still
//! holds one, and seeds give independent replicates.
//!
//! With a grid, the cell of instance i is i mod P. The low digits of i also decide in which half,
//! quarter, ... of the first dimensions its point lies, so points in the order of instances would
//! tie the sample to the cell. Cell c gets instead the points c R to (c + 1) R - 1, R = size / P: a
//! piece of the sequence of its own.

use rand::Rng;
use sobol::params::JoeKuoD6;

use super::SamplingError;
use super::streams::{Purpose, stream};

#[derive(Clone, Debug)]
pub struct Sobol {
    /// By dimension, by bit of the Gray code.
    directions: Vec<Vec<u64>>,
    shifts: Vec<u64>,
    cells: u64,
    /// Points of a cell.
    replicates: u64,
}

impl Sobol {
    /// # Errors
    /// If there are more dimensions than the table has (1000).
    pub fn new(seed: u64, dimensions: usize, size: u64, cells: u64) -> Result<Self, SamplingError> {
        let parameters = JoeKuoD6::standard();
        if dimensions > parameters.max_dims {
            return Err(SamplingError::SobolDimensions {
                needed: dimensions,
                available: parameters.max_dims,
            });
        }
        let mut random = stream(seed, Purpose::SobolShift, 0);
        Ok(Sobol {
            directions: sobol::Sobol::<u64>::init_direction_vals::<u32>(dimensions, 64, &parameters),
            shifts: (0..dimensions).map(|_| random.next_u64()).collect(),
            cells,
            replicates: size / cells,
        })
    }

    /// The Gray code of the point's index.
    pub fn gray_code(&self, instance: u64) -> u64 {
        let index = (instance % self.cells) * self.replicates + instance / self.cells;
        index ^ (index >> 1)
    }

    /// One coordinate as a 64-bit fraction.
    pub fn shifted(&self, gray_code: u64, dimension: usize) -> u64 {
        self.shifts[dimension] ^ self.unshifted(gray_code, dimension)
    }

    /// The coordinate in Sobol's own sequence.
    fn unshifted(&self, gray_code: u64, dimension: usize) -> u64 {
        let directions = &self.directions[dimension];
        let (mut bits, mut fraction) = (gray_code, 0);
        while bits != 0 {
            fraction ^= directions[bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::sampling::streams::open_unit;

    fn ungridded(dimensions: usize) -> Sobol {
        Sobol::new(7, dimensions, 1 << 20, 1).unwrap()
    }

    /// From S. Joe and F. Y. Kuo's page, the output of their program for three dimensions.
    #[test]
    fn first_points_are_those_of_joe_and_kuo() {
        let points = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
            [0.1875, 0.3125, 0.9375],
            [0.6875, 0.8125, 0.4375],
        ];
        let sobol = ungridded(3);
        for (instance, point) in points.iter().enumerate() {
            for (dimension, &exact) in point.iter().enumerate() {
                let fraction = sobol.unshifted(sobol.gray_code(instance as u64), dimension);
                assert_eq!(fraction as f64 / 2f64.powi(64), exact, "point {instance}");
            }
        }
    }

    #[test]
    fn points_by_index_are_those_of_the_sequence_in_all_dimensions() {
        let sobol = ungridded(1000);
        let sequence = ::sobol::Sobol::<u64>::new(1000, &JoeKuoD6::standard());
        for (instance, point) in sequence.take(300).enumerate() {
            for (dimension, &exact) in point.iter().enumerate() {
                assert_eq!(sobol.unshifted(sobol.gray_code(instance as u64), dimension), exact);
            }
        }
    }

    /// The first two dimensions make a (0, m, 2)-net in base 2, and the shift leaves it one.
    #[test]
    fn shifted_points_have_one_in_every_elementary_interval() {
        let (sobol, m) = (ungridded(2), 10);
        for (block, wide) in [(0, 0), (0, 3), (0, 5), (0, 10), (5, 5), (977, 4)] {
            let mut counts = vec![0; 1 << m];
            for instance in block << m..(block + 1) << m {
                let [x, y] =
                    [0, 1].map(|dimension| open_unit(sobol.shifted(sobol.gray_code(instance), dimension)));
                let column = (x * 2f64.powi(wide)) as usize;
                let row = (y * 2f64.powi(m - wide)) as usize;
                counts[(column << (m - wide)) + row] += 1;
            }
            assert!(counts.iter().all(|&count| count == 1), "block {block}, 2^{wide} columns");
        }
    }

    #[test]
    fn every_dimension_stratifies_every_aligned_block() {
        let sobol = ungridded(1000);
        for dimension in 0..1000 {
            let mut strata: Vec<_> =
                (768..1024).map(|i| sobol.shifted(sobol.gray_code(i), dimension) >> 56).collect();
            strata.sort_unstable();
            assert!(strata.into_iter().eq(0..256), "dimension {dimension}");
        }
    }

    /// Squared L2 star discrepancy by T. T. Warnock's formula.
    fn discrepancy(points: &[Vec<f64>]) -> f64 {
        let (n, dimensions) = (points.len() as f64, points[0].len() as i32);
        let single: f64 = points.iter().map(|p| p.iter().map(|x| 1.0 - x * x).product::<f64>()).sum();
        let pairs: f64 = points
            .iter()
            .flat_map(|p| {
                points.iter().map(move |q| p.iter().zip(q).map(|(x, y)| 1.0 - x.max(*y)).product::<f64>())
            })
            .sum();
        3f64.powi(-dimensions) - 2f64.powi(1 - dimensions) / n * single + pairs / (n * n)
    }

    #[test]
    fn discrepancy_is_far_below_that_of_random_points() {
        let (n, dimensions) = (1024, 3);
        let sobol = ungridded(dimensions);
        let points: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..dimensions).map(|k| open_unit(sobol.shifted(sobol.gray_code(i), k))).collect())
            .collect();
        // Independent points have the expectation (2^-s - 3^-s) / n.
        let random = (2f64.powi(-3) - 3f64.powi(-3)) / n as f64;
        assert!(discrepancy(&points) < random / 30.0, "{} against {random}", discrepancy(&points));
    }

    #[test]
    fn cells_of_a_grid_get_pieces_of_the_sequence() {
        let (cells, replicates) = (8, 64);
        let sobol = Sobol::new(7, 3, cells * replicates, cells).unwrap();
        let mut all = Vec::new();
        for cell in 0..cells {
            let codes = (0..replicates).map(|r| sobol.gray_code(r * cells + cell));
            let mut strata: Vec<_> = codes.clone().map(|code| sobol.shifted(code, 0) >> 58).collect();
            strata.sort_unstable();
            assert!(strata.into_iter().eq(0..64), "cell {cell}");
            all.extend(codes.map(|code| sobol.unshifted(code, 0) >> 55));
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..cells * replicates));
    }
}
