//! Armature: inertia I along a joint's coordinate s that is no body's.
//!
//! ```text
//! T = I/2 sdot²,   (M + B^T I B) udot = Q - B^T I Bdot u
//! ```

use polhode_description::describe::Force;

use super::super::function::Given;
use super::super::series::Series;
use super::AtCoordinate;

/// One armature: I (kg m² or kg).
#[derive(Clone, Debug)]
pub struct Armature(f64);

impl Armature {
    pub fn new(force: &Force) -> Armature {
        Armature(force.number("inertia"))
    }
}

impl AtCoordinate for Armature {
    fn force(&self, _: Series<f64>, _: &Given) -> f64 {
        0.0
    }

    fn resistance(&self, _: Series<f64>) -> f64 {
        0.0
    }

    fn inertia(&self) -> f64 {
        self.0
    }

    fn energy(&self, s: Series<f64>) -> f64 {
        0.5 * self.0 * s.rate * s.rate
    }
}
