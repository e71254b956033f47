//! Symmetric positive definite systems of any size: `L D L^T` without pivoting, since that would branch on values.

use crate::real::Real;

/// `x` with `a x = b`; of `a` the lower triangle is read (`a[i][j]`, `j <= i`). A singular matrix gives what is not
/// finite. What is structurally zero stays so, and costs nothing where a step is recorded.
pub fn solve<R: Real>(mut a: Vec<Vec<R>>, mut b: Vec<R>) -> Vec<R> {
    let n = b.len();
    // A division costs as much as ten products: each pivot is inverted once.
    let mut inverse: Vec<R> = Vec::with_capacity(n);
    for j in 0..n {
        // Row j of L D becomes row j of L; its diagonal holds D.
        for k in 0..j {
            let scaled = a[j][k];
            a[j][k] = scaled * inverse[k];
            a[j][j] = a[j][k].neg_mul_add(scaled, a[j][j]);
            for row in &mut a[j + 1..] {
                row[j] = scaled.neg_mul_add(row[k] * inverse[k], row[j]);
            }
        }
        inverse.push(a[j][j].lift(1.0) / a[j][j]);
    }
    for i in 0..n {
        for k in 0..i {
            b[i] = a[i][k].neg_mul_add(b[k], b[i]);
        }
    }
    for i in (0..n).rev() {
        b[i] = b[i] * inverse[i];
        for k in i + 1..n {
            b[i] = a[k][i].neg_mul_add(b[k], b[i]);
        }
    }
    b
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
            let lower = (0..n).map(|i| (0..n).map(|j| if j <= i { a[(i, j)] } else { f64::NAN }).collect()).collect();
            let x = DVector::from_vec(solve(lower, b.as_slice().to_vec()));
            prop_assert!((&a * x - b).amax() < 1e-12);
        }
    }
}
