//! The factor of a symmetric positive definite matrix that is used for several right sides:
//! `L D L^T` without pivoting, since that would branch on values.
//!
//! An entry that is `None` is zero in every instance: nothing is computed of it, and recording a
//! step does not look at it.

use crate::real::Real;

/// `L D L^T`.
#[derive(Clone, Debug)]
pub struct Factor<R> {
    /// Rows of L below the diagonal, those of D L^T above are not stored.
    lower: Vec<Vec<Option<R>>>,
    /// `D^-1`
    inverse: Vec<R>,
}

impl<R: Real> Factor<R> {
    /// From the lower triangle without its diagonal (`below[i][j]`, `j < i`), and the diagonal.
    pub fn new(mut below: Vec<Vec<Option<R>>>, mut diagonal: Vec<R>) -> Factor<R> {
        let n = diagonal.len();
        let mut inverse: Vec<R> = Vec::with_capacity(n);
        for j in 0..n {
            let (above, from) = below.split_at_mut(j + 1);
            let own = &mut above[j];
            for k in 0..j {
                // Row j of L D becomes row j of L.
                let Some(scaled) = own[k] else { continue };
                let entry = scaled * inverse[k];
                own[k] = Some(entry);
                diagonal[j] = entry.neg_mul_add(scaled, diagonal[j]);
                for row in from.iter_mut() {
                    let Some(other) = row[k] else { continue };
                    let left = row[j].unwrap_or(scaled.lift(0.0));
                    row[j] = Some(scaled.neg_mul_add(other * inverse[k], left));
                }
            }
            inverse.push(diagonal[j].lift(1.0) / diagonal[j]);
        }
        Factor { lower: below, inverse }
    }

    /// `y` with `L y = b`.
    pub fn forward(&self, mut b: Vec<Option<R>>) -> Vec<Option<R>> {
        for (i, row) in self.lower.iter().enumerate() {
            for (k, entry) in row.iter().enumerate() {
                let (Some(entry), Some(before)) = (entry, b[k]) else { continue };
                let left = b[i].unwrap_or(before.lift(0.0));
                b[i] = Some(entry.neg_mul_add(before, left));
            }
        }
        b
    }

    /// `x` with `L^T x = D^-1 y`.
    pub fn backward(&self, y: Vec<R>) -> Vec<R> {
        let mut x: Vec<R> = y.into_iter().zip(&self.inverse).map(|(y, inverse)| y * *inverse).collect();
        for i in (0..x.len()).rev() {
            let found = x[i];
            for (k, entry) in self.lower[i].iter().enumerate() {
                if let Some(entry) = entry {
                    x[k] = entry.neg_mul_add(found, x[k]);
                }
            }
        }
        x
    }

    /// `base - y.D^-1 z`, product by product: see [`cross_add`](crate::math::vector::cross_add).
    pub fn less(&self, y: &[Option<R>], z: &[Option<R>], base: R) -> R {
        let terms = y.iter().zip(z).zip(&self.inverse);
        terms.fold(base, |left, ((y, z), inverse)| match (y, z) {
            (Some(y), Some(z)) => (*y * *inverse).neg_mul_add(*z, left),
            _ => left,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    proptest! {
        /// Matrices with zeros that are not stored.
        #[test]
        fn the_solution_solves(
            n in 1usize..8,
            seed in prop::collection::vec(-1.0f64..1.0, 80),
            holes in 0u64..u64::MAX,
        ) {
            let hole = |i: usize, j: usize| i != j && holes >> (i * 8 + j) & 1 == 1;
            let lower = |i: usize, j: usize| if hole(i, j) { 0.0 } else { seed[i * 8 + j] };
            let m = DMatrix::from_fn(n, n, |i, j| lower(i.max(j), i.min(j)));
            let a = &m + DMatrix::identity(n, n) * 10.0;
            let some = |i, j| (!hole(i, j)).then(|| a[(i, j)]);
            let below = (0..n).map(|i| (0..i).map(|j| some(i, j)).collect()).collect();
            let factor = Factor::new(below, a.diagonal().as_slice().to_vec());
            let b = DVector::from_fn(n, |i, _| seed[64 + i]);
            let right: Vec<Option<f64>> = b.iter().map(|x| (*x > -0.5).then_some(*x)).collect();
            let b = b.map(|x| if x > -0.5 { x } else { 0.0 });
            let y = factor.forward(right);
            let whole = y.iter().map(|y| y.unwrap_or(0.0)).collect();
            let x = DVector::from_vec(factor.backward(whole));
            prop_assert!((&a * &x - &b).amax() < 1e-12);
            prop_assert!((factor.less(&y, &y, 1.0) - (1.0 - b.dot(&x))).abs() < 1e-12);
        }
    }
}
