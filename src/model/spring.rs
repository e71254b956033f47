//! A force along the line between two points: spring, damper, actuator.
//!
//! ```text
//! d = P_B - P_A,  l = |d|,  ldot = d.ddot / l,   f = -k (l - l0) - c ldot + f0   (positive pushes apart)
//! on B: f d/l,  on A: -f d/l;   potential energy 1/2 k (l - l0)^2 - f0 l
//! ```

use super::body::{Motion, Wrench};
use super::side::Side;
use crate::math::vector::{dot, length, scale, sub};
use crate::real::Real;

/// A spring of an instance.
#[derive(Clone, Debug)]
pub struct Spring<R> {
    pub sides: [Side<R>; 2],
    /// (N/m)
    pub stiffness: R,
    /// (N s/m)
    pub damping: R,
    /// (m)
    pub free_length: R,
    /// (N)
    pub actuator: R,
}

impl<R: Real> Spring<R> {
    /// Adds what it does to the bodies. `rates` has the velocities that its damper sees.
    pub fn act(&self, motions: &[Motion<R>], rates: &[Motion<R>], wrenches: &mut [Wrench<R>]) {
        let (pa, _) = self.sides[0].point(motions);
        let (pb, _) = self.sides[1].point(motions);
        let (_, va) = self.sides[0].point(rates);
        let (_, vb) = self.sides[1].point(rates);
        let d = sub(pb, pa);
        let length = length(d);
        let along = scale(length.lift(1.0) / length, d);
        let elastic = self.stiffness.neg_mul_add(length - self.free_length, self.actuator);
        let force = self.damping.neg_mul_add(dot(along, sub(vb, va)), elastic);
        for (side, push) in [(&self.sides[1], force), (&self.sides[0], -force)] {
            side.push(motions, scale(push, along), wrenches);
        }
    }

    /// Potential energy (J).
    pub fn energy(&self, motions: &[Motion<R>]) -> R {
        let d = sub(self.sides[1].point(motions).0, self.sides[0].point(motions).0);
        let length = length(d);
        let stretched = length - self.free_length;
        let half = length.lift(0.5);
        self.actuator.neg_mul_add(length, half * self.stiffness * (stretched * stretched))
    }
}
