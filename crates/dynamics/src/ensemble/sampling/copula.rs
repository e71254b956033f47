//! Numbers that are drawn together: a Gaussian copula over the laws that each of them has by
//! itself.
//!
//! ```text
//! z_i = Φ⁻¹(u_i),   w = F z with F F^T = R,   u_i' = Φ(w_i),   x_i = F_i⁻¹(u_i')
//! ```
//!
//! with the correlations R of the normal numbers w. Every x keeps its own law, whatever R. Of two
//! normal quantities R is their correlation; in general the rank correlation of two numbers is 6/pi
//! asin(R/2). R. B. Nelsen, "An Introduction to Copulas" (Springer, 2006), 2.3 and 5.1. Points of
//! any design go through it; of numbers drawn together the first alone keeps the strata of a Latin
//! hypercube.

use super::distributions::covariance::{self, CovarianceError};
use super::normal::{below, quantile};

/// A Gaussian copula over some coordinates of a design's point.
#[derive(Clone, Debug)]
pub struct Copula {
    coordinates: Vec<usize>,
    /// F, by columns.
    factor: Vec<Vec<f64>>,
}

impl Copula {
    /// Returns the copula of these coordinates with these correlations: a symmetric positive
    /// semidefinite matrix with ones on its diagonal.
    ///
    /// # Errors
    /// It is no such matrix.
    pub fn new(coordinates: Vec<usize>, correlation: &[Vec<f64>]) -> Result<Copula, CovarianceError> {
        Ok(Copula { coordinates, factor: covariance::factor(correlation)? })
    }

    /// Makes coordinates that are independent depend on each other.
    pub fn apply(&self, point: &mut [f64]) {
        let z: Vec<f64> = self.coordinates.iter().map(|at| quantile(point[*at])).collect();
        for (row, at) in self.coordinates.iter().enumerate() {
            let w: f64 = self.factor.iter().zip(&z).map(|(column, z)| column[row] * z).sum();
            // The open interval: neither end has a quantile.
            point[*at] = below(w).clamp(f64::MIN_POSITIVE, 1.0 - 0.5 * f64::EPSILON);
        }
    }
}
