//! Sobol's low-discrepancy sequence by index, digitally shifted by the seed.
//!
//! In each dimension point i is the exclusive or of direction numbers V_k over the bits k set in the Gray code of i,
//! as 64-bit fractions; the direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with
//! better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008) 2635-2654. The shift is one more exclusive or,
//! by a random number per dimension: every point is then uniform, every elementary interval that held one point
//! still holds one, and seeds give independent replicates.
//!
//! With a grid, the cell of instance i is i mod P. The low digits of i also decide in which half, quarter, ... of
//! the first dimensions its point lies, so points in the order of instances would tie the sample to the cell. Cell c
//! gets instead the points c R to (c + 1) R - 1, R = size / P: a piece of the sequence of its own.

use rand::Rng;
use sobol::params::JoeKuoD6;

use super::SamplingError;
use super::points::{Purpose, stream};

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
