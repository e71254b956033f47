//! Resistance of the surroundings, at a body's mass centre.
//!
//! ```text
//! F = -(linear + quadratic |v|) v  (v of the mass centre, space axes),   tau = -(angular_linear + angular_quadratic |w|) w
//! ```
//!
//! About a fixed point the force has the arm c.

use nalgebra::{DVector, Vector3};

use super::body::{Motion, RigidBody};
use super::rotation::lam;
use super::spring::Push;

/// One drag.
#[derive(Clone, Debug)]
pub struct Drag {
    pub body: usize,
    /// (N s/m), (N s²/m²), (N m s/rad), (N m s²/rad²)
    pub numbers: [f64; 4],
}

impl Drag {
    /// What it does to a body that moves as `moving` says: attitude of one chain, velocities of another.
    pub fn push(&self, body: &RigidBody, moving: &Motion) -> Push {
        let [linear, quadratic, angular_linear, angular_quadratic] = self.numbers;
        let v = body.velocity_of_mass_centre(moving);
        let w = moving.angular_velocity;
        let force = -(linear + quadratic * v.norm()) * v;
        let turning = -(angular_linear + angular_quadratic * w.norm()) * w;
        let arm = body.mass_centre_from_pivot();
        let torque = turning + arm.cross(&(lam(moving.attitude).transpose() * force));
        Push { body: self.body, force, torque, modal: DVector::zeros(moving.amplitudes.len()) }
    }

    /// By how much that changes, to the first order, with velocities that change by those of `change`:
    ///
    /// ```text
    /// dF = -(linear + quadratic |v|) dv - quadratic v (v.dv)/|v|
    /// ```
    pub fn change(&self, body: &RigidBody, moving: &Motion, change: &Motion) -> Push {
        let [linear, quadratic, angular_linear, angular_quadratic] = self.numbers;
        let resisted = |of: [f64; 2], x: Vector3<f64>, dx: Vector3<f64>| {
            let size = x.norm();
            let along = if size > 0.0 { x * (x.dot(&dx) / size) } else { Vector3::zeros() };
            -(of[0] + of[1] * size) * dx - of[1] * along
        };
        let (v, dv) = (body.velocity_of_mass_centre(moving), body.velocity_of_mass_centre(change));
        let force = resisted([linear, quadratic], v, dv);
        let w = moving.angular_velocity;
        let turning = resisted([angular_linear, angular_quadratic], w, change.angular_velocity);
        let torque =
            turning + body.mass_centre_from_pivot().cross(&(lam(moving.attitude).transpose() * force));
        Push { body: self.body, force, torque, modal: DVector::zeros(moving.amplitudes.len()) }
    }
}
