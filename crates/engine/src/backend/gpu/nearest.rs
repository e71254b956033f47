//! Quotients and roots of devices that do not round them to the nearest, corrected to what a
//! processor has: `shaders/nearest.wgsl`, behind what is computed otherwise by precision and by
//! whether `fma` is rounded once.
//!
//! WGSL allows a quotient to be 2.5 last digits off, and a root more. The nearest number is the
//! one that leaves the smallest rest (Markstein 1990; no quotient and no root of such numbers lies
//! halfway between two others). Quotients below the smallest normal number are rounded twice.

use super::straight_line::{Rest, literal};
use crate::base::Precision;

const TEXT: &str = include_str!("../../../shaders/nearest.wgsl");

const FUSED: &str = "\
// a - q b
fn rest(q: real, b: real, a: real) -> real {
    return fma(-q, b, a);
}

fn corrected(q: real, left: real, inverse: real) -> real {
    return fma(left, inverse, q);
}
";

const SPLIT: &str = "\
// The upper half of the digits.
fn upper(x: real) -> real {
    let long = HALVES * x;
    return long - (long - x);
}

// a - q b
fn rest(q: real, b: real, a: real) -> real {
    let q1 = upper(q);
    let q2 = q - q1;
    let b1 = upper(b);
    let b2 = b - b1;
    let product = q * b;
    let lost = ((q1 * b1 - product) + q1 * b2 + q2 * b1) + q2 * b2;
    return (a - product) - lost;
}

fn corrected(q: real, left: real, inverse: real) -> real {
    return q + left * inverse;
}
";

/// WGSL of `nearest_quotient` and `nearest_root`, after the [`prelude`](super::kernel::prelude).
pub fn text(precision: Precision, rest: Rest) -> String {
    // Exponents of MUCH, LEAST and MOST, and half of the digits.
    let (much, least, most, half) = match precision {
        Precision::F32 | Precision::F32Compensated => (32, -118, 100, 12),
        Precision::F64 => (256, -800, 800, 27),
    };
    let power = |exponent: i32| literal(precision, 2_f64.powi(exponent));
    let constants = [
        ("MUCH", power(much)),
        ("GROW", power(2 * much)),
        ("SHRINK", power(-2 * much)),
        ("LEAST", power(least)),
        ("MOST", power(most)),
        ("HALVES", literal(precision, 2_f64.powi(half) + 1.0)),
    ];
    let constants: String =
        constants.iter().map(|(name, value)| format!("const {name}: real = {value};\n")).collect();
    let by = match rest {
        Rest::Fused => FUSED,
        Rest::Split => SPLIT,
    };
    format!("{constants}\n{by}\n{TEXT}")
}
