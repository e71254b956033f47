//! A factor of a covariance matrix that may be singular.
//!
//! C = D R D, with D the standard deviations and R the correlations; R = L L^T by Cholesky's method
//! with the largest remaining diagonal entry as pivot. It stops where nothing but rounding is left,
//! so that a positive semidefinite matrix (numbers that always vary together, or do not vary) is as
//! good as a definite one, and what has a negative eigenvalue is found out. Working on R makes the
//! test independent of units and scale. nalgebra offers no pivoted Cholesky, and the eigenvectors
//! of its symmetric solver are not the same bits on every platform.

use thiserror::Error;

/// Why a matrix is no covariance matrix.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CovarianceError {
    #[error("the covariance matrix is not finite")]
    NotFinite,
    #[error("the covariance matrix has a negative variance")]
    NegativeVariance,
    #[error("the covariance matrix is not symmetric")]
    NotSymmetric,
    #[error("the covariance matrix is not positive semidefinite")]
    NotSemidefinite,
}

/// Entries up to this size count as rounding, in a matrix with unit diagonal.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The columns of a matrix F with F F^T = C, for a symmetric positive semidefinite C.
///
/// # Errors
/// If C is not symmetric, not finite, or has a negative eigenvalue.
pub fn factor(covariance: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, CovarianceError> {
    let n = covariance.len();
    if covariance.iter().flatten().any(|entry| !entry.is_finite()) {
        return Err(CovarianceError::NotFinite);
    }
    if (0..n).any(|i| covariance[i][i] < 0.0) {
        return Err(CovarianceError::NegativeVariance);
    }
    let mut std = vec![0.0; n];
    let mut rest = vec![vec![0.0; n]; n];
    for i in 0..n {
        std[i] = covariance[i][i].sqrt();
    }
    for i in 0..n {
        for j in 0..n {
            let scale = std[i] * std[j];
            if scale > 0.0 {
                rest[i][j] = covariance[i][j] / scale;
            } else if covariance[i][j] != 0.0 {
                return Err(CovarianceError::NotSemidefinite);
            }
        }
    }
    if (0..n).any(|i| (0..i).any(|j| f64::abs(rest[i][j] - rest[j][i]) > ROUNDING)) {
        return Err(CovarianceError::NotSymmetric);
    }

    let mut factor = vec![vec![0.0; n]; n];
    for column in &mut factor {
        let pivot = (0..n).fold(0, |best, i| if rest[i][i] > rest[best][best] { i } else { best });
        if rest[pivot][pivot] <= ROUNDING {
            break;
        }
        let root = rest[pivot][pivot].sqrt();
        let along: Vec<f64> = (0..n).map(|i| rest[i][pivot] / root).collect();
        for i in 0..n {
            column[i] = std[i] * along[i];
            for j in 0..n {
                rest[i][j] -= along[i] * along[j];
            }
        }
    }
    if rest.iter().flatten().any(|entry: &f64| entry.abs() > ROUNDING) {
        return Err(CovarianceError::NotSemidefinite);
    }
    Ok(factor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn product(factor: &[impl AsRef<[f64]>]) -> [[f64; 3]; 3] {
        let factor: Vec<&[f64]> = factor.iter().map(AsRef::as_ref).collect();
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| factor[k][i] * factor[k][j]).sum()))
    }

    #[test]
    fn what_is_no_covariance_is_refused() {
        let refused = |matrix: [[f64; 2]; 2]| factor(&matrix.map(Vec::from)).unwrap_err().to_string();
        assert!(refused([[1.0, 0.5], [0.4, 1.0]]).contains("symmetric"));
        assert!(refused([[1.0, 2.0], [2.0, 1.0]]).contains("semidefinite"));
        assert!(refused([[0.0, 1.0], [1.0, 0.0]]).contains("semidefinite"));
        assert!(refused([[1.0, 0.0], [0.0, -1.0]]).contains("negative"));
        assert!(refused([[1.0, f64::NAN], [0.0, 1.0]]).contains("finite"));
    }

    #[test]
    fn a_negative_eigenvalue_beside_a_null_vector_is_refused() {
        // Eigenvalues 3, 0, -0.1 of a matrix whose diagonal is positive.
        let (a, b) = ([1.0, 1.0, 1.0], [1.0, -1.0, 0.0]);
        let matrix: Vec<Vec<f64>> =
            (0..3).map(|i| (0..3).map(|j| a[i] * a[j] - 0.05 * b[i] * b[j]).collect()).collect();
        assert!(factor(&matrix).is_err());
    }

    proptest! {
        /// Covers matrices of any rank, and variances of any scale.
        #[test]
        fn factor_times_its_transpose_is_the_covariance(
            root in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)),
            scale in prop::array::uniform3(prop_oneof![Just(0.0), Just(1e-12), 0.1..10.0f64, Just(1e9)]),
            rank in 0usize..=3,
        ) {
            let root: [[f64; 3]; 3] = std::array::from_fn(|k| {
                std::array::from_fn(|i| if k < rank { scale[i] * root[k][i] } else { 0.0 })
            });
            let covariance = product(&root);
            let found = product(&factor(&covariance.map(Vec::from)).unwrap());
            for i in 0..3 {
                for j in 0..3 {
                    let size = (covariance[i][i] * covariance[j][j]).sqrt();
                    prop_assert!((found[i][j] - covariance[i][j]).abs() <= 1e-13 * size);
                }
            }
        }
    }
}
