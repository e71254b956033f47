//! Resistance of the surroundings.
//!
//! ```text
//! F = -(c1 + c2 |v|) v  at the mass centre,   tau = -(k1 + k2 |w|) w
//! -dF/dv = (c1 + c2 |v|) I + c2 |v| n n^T,  n = v/|v|                 the torque alike
//! ```
//!
//! A step over which [dampers](super::damping) are implicit takes the force at the mean of the old and the new velocity, linearised
//! about the old one: three dampers of coefficient `c1 + c2 |v|`, and along n one of `c2 |v|` that resists changes. A single mass under c2 alone then
//! slows down to `v/(1 + h c2 |v|/m)`, which is exact. With the speed of the other chain in place of |v| the difference of the two
//! chains would not decay at all.

use super::body::{Motion, Wrench};
use super::damping::Damper;
use super::row::Part;
use crate::math::functions::greatest;
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
    /// Its dampers, linearised about these velocities of its body.
    pub fn dampers(&self, seen: &[Motion<R>]) -> Vec<Damper<R>> {
        let Motion { w, v, modal, .. } = &seen[self.body];
        let zero = self.linear.lift(0.0);
        let part = |v: Option<Vec3<R>>, w: Vec3<R>| {
            [Part { body: self.body, v, w, modal: vec![zero; modal.rates.len()] }]
        };
        let coefficients = [self.linear, self.quadratic];
        let mut dampers = match self.arm {
            // In the body's axes.
            Some(arm) => resisting(coefficients, cross(*w, arm), |e| part(None, cross(arm, e))),
            None => resisting(coefficients, *v, |e| part(Some(e), [zero; 3])),
        };
        let coefficients = [self.angular_linear, self.angular_quadratic];
        dampers.extend(resisting(coefficients, *w, |e| part(None, e)));
        dampers
    }

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

/// The dampers of a resistance `-(c1 + c2 |x|) x`, by the rows of the directions of x.
fn resisting<R: Real>([c1, c2]: [R; 2], x: Vec3<R>, row: impl Fn(Vec3<R>) -> [Part<R>; 1]) -> Vec<Damper<R>> {
    /// Below this speed (m/s, rad/s) a direction is none, and c2 counts for nothing.
    const REST: f64 = 1e-30;
    let (zero, one) = (c1.lift(0.0), c1.lift(1.0));
    let speed = length(x);
    let along = scale(one / greatest(speed, c1.lift(REST)), x);
    let mut dampers: Vec<Damper<R>> = (0..3)
        .map(|k| {
            let mut axis = [zero; 3];
            axis[k] = one;
            Damper::new(row(axis), c2.mul_add(speed, c1))
        })
        .collect();
    dampers.push(Damper { of_changes: true, ..Damper::new(row(along), c2 * speed) });
    dampers
}
