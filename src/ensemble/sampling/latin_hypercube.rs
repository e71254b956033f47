//! A Latin hypercube over the whole ensemble, by index.
//!
//! In each dimension instance i lies in stratum π(i) of the n intervals [s/n, (s + 1)/n), at a random place; π is a
//! pseudo-random permutation of 0..n of its own for each dimension. π is evaluated at i alone, with nothing stored:
//! an alternating Feistel network permutes 0..2^k with 2^k the least power of two not below n, and is applied again
//! until the result is below n ("cycle walking", fewer than two rounds on average). After J. Black and P. Rogaway,
//! "Ciphers with arbitrary finite domains", CT-RSA 2002.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::points::{Purpose, stream};

/// Rounds of the network; fewer than six would leave visible structure.
const ROUNDS: usize = 8;

#[derive(Clone, Debug)]
pub struct LatinHypercube {
    permutations: Vec<Permutation>,
    size: u64,
    /// Bits of the place within a stratum.
    place_bits: u32,
    first_jitter: Box<ChaCha8Rng>,
}

impl LatinHypercube {
    /// `size` at most 2^40, so that the place within a stratum has ten bits at least.
    pub fn new(seed: u64, dimensions: usize, size: u64) -> Self {
        let permutations: Vec<_> =
            (0..dimensions as u64).map(|dimension| Permutation::new(seed, dimension, size)).collect();
        // With 50 bits in all, stratum + place is exact, and no rounding of the quotient by n, nor of that times n,
        // can reach the next stratum.
        let place_bits = 50 - bits_below(size);
        let first_jitter = Box::new(stream(seed, Purpose::Jitter, 0));
        LatinHypercube { permutations, size, place_bits, first_jitter }
    }

    /// The random numbers that place an instance within its strata.
    pub fn jitter(&self, instance: u64) -> ChaCha8Rng {
        let mut rng = (*self.first_jitter).clone();
        rng.set_stream(instance);
        rng
    }

    /// One coordinate, in (0, 1); `jitter` is a random number.
    pub fn coordinate(&self, instance: u64, dimension: usize, jitter: u64) -> f64 {
        let stratum = self.permutations[dimension].at(instance);
        let half_steps = ((jitter >> (64 - self.place_bits)) << 1) | 1;
        let place = half_steps as f64 / (1u64 << (self.place_bits + 1)) as f64;
        (stratum as f64 + place) / self.size as f64
    }
}

/// A pseudo-random permutation of 0..size.
#[derive(Clone, Debug)]
struct Permutation {
    size: u64,
    /// An index is split into its low bits and the rest.
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    fn new(seed: u64, dimension: u64, size: u64) -> Self {
        let bits = bits_below(size);
        let low_bits = bits.div_ceil(2);
        let mut random = stream(seed, Purpose::Permutation, dimension);
        Permutation {
            size,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| random.next_u64()),
        }
    }

    fn at(&self, index: u64) -> u64 {
        let mut image = self.network(index);
        while image >= self.size {
            image = self.network(image);
        }
        image
    }

    fn network(&self, index: u64) -> u64 {
        let (mut high, mut low) = (index >> self.low_bits, index & self.low_mask);
        for keys in self.keys.chunks_exact(2) {
            high ^= mixed(low ^ keys[0]) & self.high_mask;
            low ^= mixed(high ^ keys[1]) & self.low_mask;
        }
        (high << self.low_bits) | low
    }
}

/// The finaliser of SplitMix64 (Stafford's variant 13): every bit of the argument stirs every bit of the result.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Bits needed for the numbers 0..size.
fn bits_below(size: u64) -> u32 {
    u64::BITS - (size - 1).leading_zeros()
}
