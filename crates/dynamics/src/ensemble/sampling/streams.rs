//! Streams of random numbers, each a function of (seed, purpose, index) and nothing else.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The 64-bit fraction as a number of the open interval (0, 1): an odd multiple of 2^-53, so that
/// neither end occurs, 1 - u is exact and as likely as u, and the leading 52 bits decide in which
/// dyadic interval u lies.
pub fn open_unit(bits: u64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    ((bits >> 11) | 1) as f64 * UNIT
}

/// The purposes of random numbers: designs and their parts share no stream, whatever the seed.
#[derive(Clone, Copy)]
pub enum Purpose {
    Random,
    SobolShift,
    Permutation,
    Jitter,
    Direction,
    Trajectory,
    Resample,
}

/// ChaCha8 with the key (seed, purpose) at the start of a stream.
pub fn stream(seed: u64, purpose: Purpose, index: u64) -> ChaCha8Rng {
    let purpose: &[u8; 24] = match purpose {
        Purpose::Random => b"polhode random          ",
        Purpose::SobolShift => b"polhode sobol shift     ",
        Purpose::Permutation => b"polhode permutation     ",
        Purpose::Jitter => b"polhode jitter          ",
        Purpose::Direction => b"polhode direction       ",
        Purpose::Trajectory => b"polhode trajectory      ",
        Purpose::Resample => b"polhode resample        ",
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(purpose);
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(index);
    rng
}
