//! Stumpff functions: what rotations need of sine and cosine, without a division by zero or a case
//! distinction.
//!
//! ```text
//! c_k(x) = sum over n of (-x)^n / (2n + k)!        (x = |angle|^2)
//! c_0 = cos |a|,  c_1 = sin |a| / |a|,  c_2 = (1 - cos |a|) / |a|^2,
//! c_3 = (|a| - sin |a|) / |a|^3
//! ```
//!
//! They are entire in x, so a polynomial serves on every target; WGSL's sine and cosine are garbage
//! in f64 and differ between drivers in f32. The series is cut where its rest is below rounding for
//! angles up to pi. Beyond, the accuracy fades (at 2 pi to 1e-10 in f64), which no method can use:
//! a step that turns a body by more than half a turn resolves nothing.

use crate::base::Precision;
use crate::real::Real;

/// `c_k(x)`
pub fn stumpff<R: Real>(k: u32, x: R) -> R {
    let terms = match x.precision() {
        Precision::F32 | Precision::F32Compensated => 10,
        Precision::F64 => 15,
    };
    let coefficient = |n: u32| 1.0 / (1..=2 * n + k).map(f64::from).product::<f64>();
    let mut sum = x.lift(coefficient(terms - 1));
    for n in (0..terms - 1).rev() {
        sum = sum.neg_mul_add(x, x.lift(coefficient(n)));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_sine_and_cosine_up_to_half_a_turn() {
        for i in 1..=100 {
            let a = std::f64::consts::PI * f64::from(i) / 100.0;
            let (s, c) = a.sin_cos();
            for (k, exact) in [c, s / a, (1.0 - c) / (a * a), (a - s) / (a * a * a)].into_iter().enumerate() {
                let double = stumpff(k as u32, a * a);
                let single = f64::from(stumpff(k as u32, (a * a) as f32));
                // The closed forms of c_2 and c_3 cancel for small angles; the series does not.
                let cancelled = 1e-16 / (a * a * a);
                assert!((double - exact).abs() < 2e-15 + cancelled, "c_{k}({a}): {double} and {exact}");
                assert!((single - exact).abs() < 1e-6 + cancelled, "c_{k}({a}) in f32: {single} and {exact}");
            }
        }
        assert_eq!((0..4).map(|k| stumpff(k, 0.0)).collect::<Vec<f64>>(), [1.0, 1.0, 0.5, 1.0 / 6.0]);
    }
}
