//! Resistance of the surroundings.
//!
//! ```text
//! F = -(c1 + c2 |v|) v  at the mass centre,   tau = -(k1 + k2 |w|) w
//! ```

use super::body::{Motion, Wrench};
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, add, cross, length, scale};
use crate::real::Real;

/// A drag of an instance.
#[derive(Clone, Debug)]
pub struct Drag<R> {
    pub body: usize,
    /// (N s/m)
    pub linear: R,
    /// (N s²/m²)
    pub quadratic: R,
    /// (N m s/rad)
    pub angular_linear: R,
    /// (N m s²/rad²)
    pub angular_quadratic: R,
    /// From the fixed point to the mass centre, principal axes (m); `None`: the body has no fixed point.
    pub arm: Option<Vec3<R>>,
}

impl<R: Real> Drag<R> {
    /// Adds what it does to its body, with the velocities of `seen`.
    pub fn act(&self, seen: &[Motion<R>], wrenches: &mut [Wrench<R>]) {
        let m = &seen[self.body];
        let velocity = match self.arm {
            Some(arm) => to_space(m.q, cross(m.w, arm)),
            None => m.v,
        };
        let resistance = self.quadratic.mul_add(length(velocity), self.linear);
        let force = scale(-resistance, velocity);
        let resistance = self.angular_quadratic.mul_add(length(m.w), self.angular_linear);
        let wrench = &mut wrenches[self.body];
        wrench.torque = add(wrench.torque, scale(-resistance, m.w));
        match self.arm {
            Some(arm) => wrench.torque = add(wrench.torque, cross(arm, to_body(m.q, force))),
            None => wrench.force = add(wrench.force, force),
        }
    }
}
