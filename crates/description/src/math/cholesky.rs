//! Symmetric positive definite systems of any size: `L D L^T` without pivoting, since that would
//! branch on values.
//!
//! Constraint rows can be dependent, and then the matrix is singular: at a position where a
//! mechanism could go on in more ways than one ([`Solver::bounded`]), or everywhere, where one row
//! says what others say ([`Solver::least`]).

use crate::base::Precision;
use crate::real::Real;

/// Least share of a pivot in the entry of the diagonal that it is left of, by precision: some ten
/// roundings.
const LEAST_PIVOT: [f64; 2] = [1e-6, 1e-14];

/// By what share of itself the diagonal is grown where rows are dependent, by precision. Larger,
/// and nearly dependent rows are taken for dependent; smaller, and rounding decides about the
/// dependent part.
const GROWN: [f64; 2] = [1e-4, 1e-6];

/// Corrections for the growth; each divides its error by `1 + lambda/grown`, with the eigenvalue
/// lambda of the scaled matrix.
const CORRECTIONS: usize = 7;

/// A smaller pivot of a grown matrix is none.
const NOTHING: f64 = 1e-30;

/// The factors of a matrix.
struct Factors<R> {
    /// L, below the diagonal.
    lower: Vec<Vec<R>>,
    /// `1/D`
    inverse: Vec<R>,
}

/// `x` with `a x = b`; of `a` the lower triangle is read (`a[i][j]`, `j <= i`). A singular matrix
/// gives what is not finite. What is structurally zero stays so, and costs nothing where a step is
/// recorded.
pub fn solve<R: Real>(a: Vec<Vec<R>>, b: Vec<R>) -> Vec<R> {
    Factors::new(a, |_, pivot| pivot).solve(b)
}

/// A matrix that is singular at some positions or wherever the bodies are, factored once for
/// several right sides.
pub struct Solver<R> {
    factors: Factors<R>,
    /// By what the diagonal is grown; empty: it is not.
    grown: Vec<R>,
}

impl<R: Real> Solver<R> {
    /// For a matrix that may become singular in passing: a pivot is at least 1e-14 (f32: 1e-6) of
    /// its entry of the diagonal, so that solutions stay bounded there, and are what they would be
    /// everywhere else.
    pub fn bounded(a: Vec<Vec<R>>) -> Solver<R> {
        let least: Vec<R> = (0..a.len()).map(|i| a[i][i] * by_precision(a[i][i], LEAST_PIVOT)).collect();
        let factors = Factors::new(a, |i, pivot| pivot.select_less(least[i], least[i], pivot));
        Solver { factors, grown: Vec::new() }
    }

    /// For a matrix with dependent rows, which right sides do not contradict: of all solutions the
    /// one of least norm, in which each number counts multiplied by the root of its entry of the
    /// diagonal. By proximal steps with the same factors:
    ///
    /// ```text
    /// (a + rho D) x = b ;   x += e,  (a + rho D) e = rho D e_before ;   D the diagonal of a
    /// ```
    ///
    /// A part of `b` along an eigenvalue lambda of the scaled matrix is met within
    /// `(rho/(lambda + rho))^8`: in f64 1e-16 for lambda above 1e-4, 1e-8 for 1e-5.
    pub fn least(mut a: Vec<Vec<R>>) -> Solver<R> {
        let mut grown = Vec::with_capacity(a.len());
        for (i, row) in a.iter_mut().enumerate() {
            let share = by_precision(row[i], GROWN);
            grown.push(share * row[i]);
            row[i] = row[i] * (share.lift(1.0) + share);
        }
        // A row on which nothing can act has no pivot, and no multiplier.
        let factors =
            Factors::new(a, |_, pivot| pivot.select_less(pivot.lift(NOTHING), pivot.lift(1.0), pivot));
        Solver { factors, grown }
    }

    /// `x` with `a x = b`.
    pub fn solve(&self, b: Vec<R>) -> Vec<R> {
        let mut correction = self.factors.solve(b);
        let mut x = correction.clone();
        if self.grown.is_empty() {
            return x;
        }
        for _ in 0..CORRECTIONS {
            let left = self.grown.iter().zip(&correction).map(|(grown, e)| *grown * *e).collect();
            correction = self.factors.solve(left);
            for (x, e) in x.iter_mut().zip(&correction) {
                *x = *x + *e;
            }
        }
        x
    }
}

fn by_precision<R: Real>(at: R, [single, double]: [f64; 2]) -> R {
    at.lift(match at.precision() {
        Precision::F32 | Precision::F32Compensated => single,
        Precision::F64 => double,
    })
}

impl<R: Real> Factors<R> {
    /// `pivot` replaces the pivot of each row.
    fn new(mut a: Vec<Vec<R>>, pivot: impl Fn(usize, R) -> R) -> Factors<R> {
        let n = a.len();
        // A division costs as much as ten products: each pivot is inverted once.
        let mut inverse: Vec<R> = Vec::with_capacity(n);
        for j in 0..n {
            // Row j of L D becomes row j of L; its diagonal holds D.
            for k in 0..j {
                let scaled = a[j][k];
                if scaled.is_known_zero() {
                    continue;
                }
                a[j][k] = scaled * inverse[k];
                a[j][j] = a[j][k].neg_mul_add(scaled, a[j][j]);
                for row in a[j + 1..].iter_mut().filter(|row| !row[k].is_known_zero()) {
                    row[j] = scaled.neg_mul_add(row[k] * inverse[k], row[j]);
                }
            }
            a[j][j] = pivot(j, a[j][j]);
            inverse.push(a[j][j].lift(1.0) / a[j][j]);
        }
        Factors { lower: a, inverse }
    }

    fn solve(&self, mut b: Vec<R>) -> Vec<R> {
        let Factors { lower, inverse } = self;
        let n = b.len();
        for i in 0..n {
            for k in (0..i).filter(|k| !lower[i][*k].is_known_zero()) {
                b[i] = lower[i][k].neg_mul_add(b[k], b[i]);
            }
        }
        for i in (0..n).rev() {
            b[i] = b[i] * inverse[i];
            for k in (i + 1..n).filter(|k| !lower[*k][i].is_known_zero()) {
                b[i] = lower[k][i].neg_mul_add(b[k], b[i]);
            }
        }
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves(n in 1usize..8, seed in prop::collection::vec(-1.0f64..1.0, 72)) {
            let m = DMatrix::from_fn(n, n, |i, j| seed[i * 8 + j]);
            let a = &m * m.transpose() + DMatrix::identity(n, n) * 0.1;
            let b = DVector::from_fn(n, |i, _| seed[64 + i]);
            let entry = |i, j| if j <= i { a[(i, j)] } else { f64::NAN };
            let lower = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            let x = DVector::from_vec(solve(lower, b.as_slice().to_vec()));
            prop_assert!((&a * x - b).amax() < 1e-12);
        }
    }

    /// A matrix of rank 3 and 5 rows, and a right side that does not contradict it.
    fn dependent() -> (Vec<Vec<f64>>, Vec<f64>, DMatrix<f64>) {
        let b = DMatrix::from_fn(5, 3, |i, j| ((3 * i + 5 * j) as f64).sin() * 10f64.powi(i as i32 - 2));
        let a = &b * b.transpose();
        let right = &b * DVector::from_vec(vec![0.3, -0.7, 1.1]);
        let lower = (0..5).map(|i| (0..=i).map(|j| a[(i, j)]).collect()).collect();
        (lower, right.as_slice().to_vec(), a)
    }

    /// By the pseudo-inverse of the scaled matrix.
    #[test]
    fn dependent_rows_have_the_solution_of_least_norm() {
        let (lower, right, a) = dependent();
        let scale = a.diagonal().map(|x| x.sqrt().recip());
        let scaled = DMatrix::from_fn(5, 5, |i, j| scale[i] * a[(i, j)] * scale[j]);
        let inverse = scaled.pseudo_inverse(1e-9).expect("it is found");
        let least = (inverse * DVector::from_vec(right.clone()).component_mul(&scale)).component_mul(&scale);
        let found = DVector::from_vec(Solver::least(lower).solve(right));
        let apart = (&found - &least).component_div(&scale).amax();
        assert!(apart < 1e-8 * least.component_div(&scale).amax(), "{apart:e} {found} {least}");
    }

    #[test]
    fn a_bounded_pivot_is_finite_where_plain_elimination_is_not() {
        // The second row is the first.
        let (a, b) = (vec![vec![2.0], vec![2.0, 2.0]], vec![3.0, 3.0]);
        assert!(solve(a.clone(), b.clone()).iter().all(|x: &f64| x.is_nan()));
        let x = Solver::bounded(a).solve(b);
        assert!((2.0 * x[0] + 2.0 * x[1] - 3.0f64).abs() < 1e-13, "{x:?}");
        let (a, b) = (vec![vec![2.0], vec![1.0, 3.0]], vec![3.0, 4.0]);
        assert_eq!(Solver::bounded(a.clone()).solve(b.clone()), solve(a, b));
    }
}
