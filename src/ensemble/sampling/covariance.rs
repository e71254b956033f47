//! A factor of a covariance matrix that may be singular.
//!
//! C = D R D, with D the standard deviations and R the correlations; R = L L^T by Cholesky's method with the largest
//! remaining diagonal entry as pivot. It stops where nothing but rounding is left, so that a positive semidefinite
//! matrix (numbers that always vary together, or do not vary) is as good as a definite one, and what has a negative
//! eigenvalue is found out. Working on R makes the test independent of units and scale. nalgebra offers no pivoted
//! Cholesky, and the eigenvectors of its symmetric solver are not the same bits on every platform.

/// What is taken for rounding in a matrix with unit diagonal.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A matrix F with F F^T = C for a symmetric positive semidefinite C of at most 3 x 3, padded by zeros.
///
/// # Errors
/// In words, if C is not symmetric, not finite, or has a negative eigenvalue.
pub fn factor(covariance: &[Vec<f64>]) -> Result<[[f64; 3]; 3], &'static str> {
    let n = covariance.len();
    if covariance.iter().flatten().any(|entry| !entry.is_finite()) {
        return Err("the covariance matrix is not finite");
    }
    if (0..n).any(|i| covariance[i][i] < 0.0) {
        return Err("the covariance matrix has a negative variance");
    }
    let mut std = [0.0; 3];
    let mut rest = [[0.0; 3]; 3];
    for i in 0..n {
        std[i] = covariance[i][i].sqrt();
    }
    for i in 0..n {
        for j in 0..n {
            let scale = std[i] * std[j];
            if scale > 0.0 {
                rest[i][j] = covariance[i][j] / scale;
            } else if covariance[i][j] != 0.0 {
                return Err("the covariance matrix is not positive semidefinite");
            }
        }
    }
    if (0..n).any(|i| (0..i).any(|j| (rest[i][j] - rest[j][i]).abs() > ROUNDING)) {
        return Err("the covariance matrix is not symmetric");
    }

    let mut factor = [[0.0; 3]; 3];
    for column in 0..n {
        let pivot = (0..n).fold(0, |best, i| if rest[i][i] > rest[best][best] { i } else { best });
        if rest[pivot][pivot] <= ROUNDING {
            break;
        }
        let root = rest[pivot][pivot].sqrt();
        let along: [f64; 3] = std::array::from_fn(|i| rest[i][pivot] / root);
        for i in 0..n {
            factor[i][column] = std[i] * along[i];
            for j in 0..n {
                rest[i][j] -= along[i] * along[j];
            }
        }
    }
    if rest.iter().flatten().any(|entry| entry.abs() > ROUNDING) {
        return Err("the covariance matrix is not positive semidefinite");
    }
    Ok(factor)
}
