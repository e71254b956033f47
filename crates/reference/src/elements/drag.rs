//! Resistance of the surroundings, at a body's mass centre.
//!
//! ```text
//! F = -(linear + quadratic |v|) v  (v of the mass centre, space axes),
//! tau = -(angular_linear + angular_quadratic |w|) w
//! ```
//!
//! About a fixed point the force has the arm c.

use nalgebra::{DVector, Vector3};

use polhode_description::describe::{Attached, Force};

use super::super::body::{Motion, RigidBody};
use super::super::rotation::lam;
use super::{Push, Pushing};

/// One drag.
#[derive(Clone, Debug)]
pub struct Drag {
    body: usize,
    /// (N s/m)
    linear: f64,
    /// (N s²/m²)
    quadratic: f64,
    /// (N m s/rad)
    angular_linear: f64,
    /// (N m s²/rad²)
    angular_quadratic: f64,
}

impl Drag {
    /// # Panics
    /// The force is on no body.
    pub fn new(force: &Force) -> Drag {
        let Attached::Body(body) = force.attached else { panic!("a drag is on a body") };
        Drag {
            body,
            linear: force.number("linear"),
            quadratic: force.number("quadratic"),
            angular_linear: force.number("angular_linear"),
            angular_quadratic: force.number("angular_quadratic"),
        }
    }

    /// At the mass centre of its body, with a torque besides.
    fn push(
        &self,
        bodies: &[RigidBody],
        moving: &Motion,
        force: Vector3<f64>,
        turning: Vector3<f64>,
    ) -> Push {
        let arm = bodies[self.body].mass_centre_from_pivot();
        let torque = turning + arm.cross(&(lam(moving.attitude).transpose() * force));
        Push { body: self.body, force, torque, modal: DVector::zeros(moving.amplitudes.len()) }
    }
}

impl Pushing for Drag {
    fn pushes(&self, bodies: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        let moving = &moving[self.body];
        let v = bodies[self.body].velocity_of_mass_centre(moving);
        let w = moving.angular_velocity;
        let force = -(self.linear + self.quadratic * v.norm()) * v;
        let turning = -(self.angular_linear + self.angular_quadratic * w.norm()) * w;
        vec![self.push(bodies, moving, force, turning)]
    }

    /// ```text
    /// dF = -(linear + quadratic |v|) dv - quadratic v (v.dv)/|v|
    /// ```
    fn change(&self, bodies: &[RigidBody], moving: &[Motion], change: &[Motion]) -> Option<Vec<Push>> {
        let (moving, change) = (&moving[self.body], &change[self.body]);
        let resisted = |of: [f64; 2], x: Vector3<f64>, dx: Vector3<f64>| {
            let size = x.norm();
            let along = if size > 0.0 { x * (x.dot(&dx) / size) } else { Vector3::zeros() };
            -(of[0] + of[1] * size) * dx - of[1] * along
        };
        let body = &bodies[self.body];
        let (v, dv) = (body.velocity_of_mass_centre(moving), body.velocity_of_mass_centre(change));
        let force = resisted([self.linear, self.quadratic], v, dv);
        let w = moving.angular_velocity;
        let turning = resisted([self.angular_linear, self.angular_quadratic], w, change.angular_velocity);
        Some(vec![self.push(bodies, moving, force, turning)])
    }
}
