//! Measures the peak rate of a processor: fused multiply-adds and nothing else.

use std::hint::black_box;
use std::time::Instant;

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};

use crate::real::Element;

/// Independent sums: more than latency times units, fewer than registers.
const SUMS: usize = 12;
const ROUNDS: usize = 1_000_000;

/// Operations a second of the threads of the rayon pool that calls, all at once: loops of fused
/// multiply-adds over the widest vectors, each counted as two operations.
pub fn peak<E: Element>() -> f64 {
    let level = Level::new();
    let started = Instant::now();
    let operations: Vec<f64> = rayon::broadcast(|_| dispatch!(level, simd => multiply_adds::<_, E>(simd)));
    operations.iter().sum::<f64>() / started.elapsed().as_secs_f64()
}

/// Returns the number of operations it did.
#[inline(always)]
fn multiply_adds<S: Simd, E: Element>(simd: S) -> f64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let splat = |x: f64| <E::Native<S> as SimdBase<S>>::splat(simd, E::from_f64(x));
            let (factor, addend) = (black_box(splat(0.999)), black_box(splat(1e-3)));
            let mut sums = [splat(0.5); SUMS];
            for _ in 0..ROUNDS {
                for sum in &mut sums {
                    *sum = sum.mul_add(factor, addend);
                }
            }
            black_box(sums);
            (2 * SUMS * ROUNDS * <E::Native<S> as SimdBase<S>>::LEN) as f64
        },
    )
}
