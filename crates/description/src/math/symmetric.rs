//! Eigenvalues of symmetric matrices, by an iteration that always ends.
//!
//! nalgebra's QR iteration goes on while an off-diagonal entry is above a tolerance. Of a matrix
//! with a NaN or an infinity no entry ever falls below it: `symmetric_eigen` then runs for ever. An
//! ensemble may draw numbers whose squares overflow, so every decomposition in this crate goes
//! through here, but for those of `polhode-reference`, which guards its own.

use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, DimDiff, DimSub, OMatrix, OVector, SymmetricEigen, U1};

/// Most iterations for each row. Two are usual.
const MOST_ITERATIONS: usize = 100;

/// Eigenvalues, in no order, and eigenvectors, by columns; of the matrix its lower triangle is
/// read. `None`: an entry is not finite, or there is none.
pub fn symmetric_eigen<D>(matrix: OMatrix<f64, D, D>) -> Option<SymmetricEigen<f64, D>>
where
    D: Dim + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let most = MOST_ITERATIONS * (matrix.nrows() + 1);
    let is_finite = !matrix.is_empty() && matrix.iter().all(|entry| entry.is_finite());
    is_finite.then(|| SymmetricEigen::try_new(matrix, f64::EPSILON, most)).flatten()
}

/// Eigenvalues, in no order. `None`: an entry is not finite.
pub fn symmetric_eigenvalues<D>(matrix: OMatrix<f64, D, D>) -> Option<OVector<f64, D>>
where
    D: Dim + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    symmetric_eigen(matrix).map(|eigen| eigen.eigenvalues)
}

/// The least eigenvalue; NaN where an entry is not finite or there is none.
pub fn least_eigenvalue<D>(matrix: OMatrix<f64, D, D>) -> f64
where
    D: Dim + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    symmetric_eigenvalues(matrix)
        .map_or(f64::NAN, |values| values.iter().copied().reduce(f64::min).unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, Matrix3};

    #[test]
    fn what_is_not_finite_is_refused_and_not_iterated_upon() {
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut matrix = Matrix3::new(2.0, 1.0, 0.0, 1.0, 3.0, 0.5, 0.0, 0.5, 4.0);
            matrix[(2, 1)] = wrong;
            assert!(symmetric_eigen(matrix).is_none() && least_eigenvalue(matrix).is_nan());
        }
        assert!(least_eigenvalue(DMatrix::zeros(0, 0)).is_nan());
    }

    #[test]
    fn large_and_small_entries_have_their_eigenvalues() {
        for scale in [1e300, 1.0, 1e-300] {
            let least = least_eigenvalue(DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]) * scale);
            assert!((least / scale - 1.0).abs() < 1e-14, "{scale} {least}");
        }
    }
}
