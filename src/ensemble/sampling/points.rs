//! Points of the unit cube, one an instance, by any design: a function of (seed, instance) and nothing else.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::SamplingError;
use super::latin_hypercube::LatinHypercube;
use super::sobol::Sobol;
use crate::describe::Design;

/// A design, ready to give its points.
#[derive(Clone, Debug)]
pub enum Points {
    /// The stream of instance 0; that of another is one `set_stream` away.
    Random(Box<ChaCha8Rng>),
    Sobol(Sobol),
    LatinHypercube(LatinHypercube),
}

impl Points {
    /// `size` points of `dimensions` numbers. `cells` divides `size`: instances i with equal i mod `cells` share a
    /// cell of the grid.
    pub fn new(
        design: Design,
        seed: u64,
        dimensions: usize,
        size: u64,
        cells: u64,
    ) -> Result<Self, SamplingError> {
        Ok(match design {
            Design::Random => Points::Random(Box::new(stream(seed, Purpose::Random, 0))),
            Design::Sobol => Points::Sobol(Sobol::new(seed, dimensions, size, cells)?),
            Design::LatinHypercube => Points::LatinHypercube(LatinHypercube::new(seed, dimensions, size)),
        })
    }

    /// The point of one instance.
    pub fn at(&self, instance: u64) -> Point<'_> {
        match self {
            Points::Random(first) => {
                let mut rng = (**first).clone();
                rng.set_stream(instance);
                Point::Random(rng)
            }
            Points::Sobol(sobol) => {
                Point::Sobol { sobol, gray_code: sobol.gray_code(instance), dimension: 0 }
            }
            Points::LatinHypercube(hypercube) => Point::LatinHypercube {
                hypercube,
                instance,
                jitter: hypercube.jitter(instance),
                dimension: 0,
            },
        }
    }
}

/// A point, read coordinate by coordinate. It lives on the stack: drawing allocates nothing.
pub enum Point<'a> {
    Random(ChaCha8Rng),
    Sobol { sobol: &'a Sobol, gray_code: u64, dimension: usize },
    LatinHypercube { hypercube: &'a LatinHypercube, instance: u64, jitter: ChaCha8Rng, dimension: usize },
}

impl Point<'_> {
    /// The next coordinate, in the open interval (0, 1).
    pub fn next(&mut self) -> f64 {
        match self {
            Point::Random(rng) => open_unit(rng.next_u64()),
            Point::Sobol { sobol, gray_code, dimension } => {
                *dimension += 1;
                open_unit(sobol.shifted(*gray_code, *dimension - 1))
            }
            Point::LatinHypercube { hypercube, instance, jitter, dimension } => {
                *dimension += 1;
                hypercube.coordinate(*instance, *dimension - 1, jitter.next_u64())
            }
        }
    }
}

/// The 64-bit fraction as a number of the open interval (0, 1): an odd multiple of 2^-53, so that neither end
/// occurs, 1 - u is exact and as likely as u, and the leading 52 bits decide in which dyadic interval u lies.
pub fn open_unit(bits: u64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    ((bits >> 11) | 1) as f64 * UNIT
}

/// What random numbers are for: designs and their parts share no stream, whatever the seed.
#[derive(Clone, Copy)]
pub enum Purpose {
    Random,
    SobolShift,
    Permutation,
    Jitter,
    Direction,
}

/// ChaCha8 with the key (seed, purpose) at the start of a stream.
pub fn stream(seed: u64, purpose: Purpose, index: u64) -> ChaCha8Rng {
    let purpose: &[u8; 24] = match purpose {
        Purpose::Random => b"polhode random          ",
        Purpose::SobolShift => b"polhode sobol shift     ",
        Purpose::Permutation => b"polhode permutation     ",
        Purpose::Jitter => b"polhode jitter          ",
        Purpose::Direction => b"polhode direction       ",
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(purpose);
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(index);
    rng
}
