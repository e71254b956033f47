//! Tsitouras's Runge-Kutta pair of order 5 and 4: the six stages and the weights of table 1
//! of *Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying assumption*,
//! Computers & Mathematics with Applications 62, 2011, 770; with a fixed step (`runge_kutta.rs`)
//! its error estimate is not used, with steps of its own (`own_steps.rs`) it is.

use super::runge_kutta::{Estimate, Table};

/// `a[i]`: weights of the rates 0 to i - 1 in stage i.
#[rustfmt::skip]
const A: [&[f64]; 6] = [
    &[],
    &[0.161],
    &[-0.008_480_655_492_356_989, 0.335_480_655_492_357],
    &[2.897_153_057_105_493_5, -6.359_448_489_975_075, 4.362_295_432_869_581_5],
    &[5.325_864_828_439_257, -11.748_883_564_062_828, 7.495_539_342_889_836_5, -0.092_495_066_361_755_25],
    &[
        5.861_455_442_946_42, -12.920_969_317_847_11, 8.159_367_898_576_159, -0.071_584_973_281_401,
        -0.028_269_050_394_068_383,
    ],
];

/// The nodes of the stages.
const C: [f64; 6] = [0.0, 0.161, 0.327, 0.9, 0.980_025_540_904_509_7, 1.0];

/// Weights of the rates in the solution of order 5.
#[rustfmt::skip]
const B: [f64; 6] = [
    0.096_460_766_818_065_23, 0.01, 0.479_889_650_414_499_6,
    1.379_008_574_103_742, -3.290_069_515_436_081, 2.324_710_524_099_774,
];

/// Weights of the rates in the difference of both solutions; the last is that at the end of the
/// step.
#[rustfmt::skip]
const DIFFERENCE: [f64; 7] = [
    -0.001_780_011_052_225_777, -0.000_816_434_459_656_746_9, 0.007_880_878_010_261_995,
    -0.144_711_007_173_262_9, 0.582_357_165_452_555_2, -0.458_082_105_929_187, 1.0 / 66.0,
];

pub const TABLE: Table = Table { a: &A, b: &B, c: &C, estimate: Some(Estimate::AtTheEnd(&DIFFERENCE)) };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_meet_the_quadrature_conditions() {
        TABLE.assert_order(5);
        // Both solutions are of order 4 at least: their difference is zero on polynomials below.
        for power in 0..4 {
            let nodes = C.into_iter().chain([1.0]);
            let sum: f64 = DIFFERENCE.iter().zip(nodes).map(|(e, c)| e * c.powi(power)).sum();
            assert!(sum.abs() < 1e-14, "{power}: {sum}");
        }
    }
}
