//! A force along the line between two points: spring, damper, actuator.
//!
//! ```text
//! d = P_B - P_A,  l = |d|,  ldot = d.ddot / l,   f = -k (l - l0) - c ldot + f0   (positive pushes apart)
//! on B: f d/l,  on A: -f d/l;   potential energy 1/2 k (l - l0)^2 - f0 l
//! ```

use super::body::{Motion, Wrench};
use super::damping::Damper;
use super::side::{Placed, Side};
use crate::math::vector::{Vec3, dot, length, scale, sub};
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
    /// Whether `damping` is anything but 0 in any instance.
    pub damped: bool,
}

/// A spring where it stands.
pub struct Stretch<R> {
    /// (m)
    pub length: R,
    /// (m/s)
    pub rate: R,
    /// With damper and actuator (N); positive pushes apart.
    pub force: R,
    along: Vec3<R>,
}

impl<R: Real> Spring<R> {
    /// `rates` has the velocities that its damper sees.
    pub fn stretch(&self, motions: &[Motion<R>], rates: &[Motion<R>]) -> Stretch<R> {
        let (pa, _) = self.sides[0].point(motions);
        let (pb, _) = self.sides[1].point(motions);
        let (_, va) = self.sides[0].point(rates);
        let (_, vb) = self.sides[1].point(rates);
        let (length, along) = line(pa, pb);
        let elastic = self.stiffness.neg_mul_add(length - self.free_length, self.actuator);
        let rate = dot(along, sub(vb, va));
        Stretch { length, rate, force: self.damping.neg_mul_add(rate, elastic), along }
    }

    /// Adds what it does to the bodies. `rates` has the velocities that its damper sees.
    pub fn act(&self, motions: &[Motion<R>], rates: &[Motion<R>], wrenches: &mut [Wrench<R>]) {
        let Stretch { force, along, .. } = self.stretch(motions, rates);
        for (side, push) in [(&self.sides[1], force), (&self.sides[0], -force)] {
            side.push(motions, scale(push, along), wrenches);
        }
    }

    /// Its damper.
    pub fn damper(&self, motions: &[Motion<R>]) -> Damper<R> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let (_, along) = line(a.point, b.point);
        let part = |placed: Placed<'_, R>, along: Vec3<R>| placed.part(Some(along), None);
        let parts = [part(a, along.map(|x| -x)), part(b, along)];
        Damper::new(parts.into_iter().flatten(), self.damping)
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

/// Length (m) and direction from one point to another.
fn line<R: Real>(from: Vec3<R>, to: Vec3<R>) -> (R, Vec3<R>) {
    let d = sub(to, from);
    let length = length(d);
    (length, scale(length.lift(1.0) / length, d))
}
