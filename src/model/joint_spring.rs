//! Springs, dampers, actuators and stops at a joint's coordinate `s`.
//!
//! ```text
//! spring  Q = -k (s - rest) - c sdot + f(t)                           V = k/2 (s - rest)^2
//! stop    Q = -k e - c sdot  while e = s - high > 0 or s - low < 0    V = k/2 e^2
//! ```
//!
//! The force on the bodies is `Q B^T`, B the row of the coordinate.

use super::body::{Motion, Wrench};
use super::damping::Damper;
use super::function::value;
use super::system::Held;
use crate::describe::{Expression, JointCoordinate};
use crate::real::Real;

/// A spring at a joint, of an instance.
#[derive(Clone, Debug)]
pub struct JointSpring<R> {
    pub of: JointCoordinate,
    /// (N m/rad, or N/m)
    pub stiffness: R,
    /// (N m s/rad, or N s/m)
    pub damping: R,
    /// (rad or m)
    pub rest: R,
    /// (N m or N) of time.
    pub actuator: Expression,
    /// Whether `damping` is anything but 0 in any instance.
    pub damped: bool,
}

/// A stop of an instance.
#[derive(Clone, Debug)]
pub struct Stop<R> {
    pub of: JointCoordinate,
    /// (rad or m); `None`: there is none on this side.
    pub low: Option<R>,
    pub high: Option<R>,
    pub stiffness: R,
    pub damping: R,
    /// Whether `damping` is anything but 0 in any instance.
    pub damped: bool,
}

impl<R: Real> JointSpring<R> {
    /// Adds what it does to the bodies at time t (s), with the velocities of `motions`.
    pub fn act(&self, held: &Held<R>, motions: &[Motion<R>], t: R, wrenches: &mut [Wrench<R>]) {
        let row = held.coordinate(self.of, motions);
        // What resists, without a sign before a product: see `Graph::regrouped`.
        let actuator = value(&self.actuator, t, &held.constants);
        let elastic = self.stiffness.mul_sub(row.violation - self.rest, actuator);
        row.react(self.damping.mul_add(row.rate(motions), elastic), wrenches);
    }

    /// Its damper.
    pub fn damper(&self, held: &Held<R>, motions: &[Motion<R>]) -> Damper<R> {
        Damper::new(held.coordinate(self.of, motions).parts, self.damping)
    }

    /// Potential energy (J).
    pub fn energy(&self, held: &Held<R>, motions: &[Motion<R>]) -> R {
        let row = held.coordinate(self.of, motions);
        let stretched = row.violation - self.rest;
        stretched.lift(0.5) * self.stiffness * (stretched * stretched)
    }
}

impl<R: Real> Stop<R> {
    /// How far `s` is beyond either end; zero between them.
    fn excess(&self, s: R) -> R {
        let zero = s.lift(0.0);
        let over = self.high.map_or(zero, |high| high.select_less(s, s - high, zero));
        self.low.map_or(over, |low| s.select_less(low, s - low, over))
    }

    /// `x` where `s` is beyond either end, else `y`.
    fn beyond(&self, s: R, x: R, y: R) -> R {
        let over = self.high.map_or(y, |high| high.select_less(s, x, y));
        self.low.map_or(over, |low| s.select_less(low, x, over))
    }

    /// Its damper, which resists nothing between the ends.
    pub fn damper(&self, held: &Held<R>, motions: &[Motion<R>]) -> Damper<R> {
        let row = held.coordinate(self.of, motions);
        let coefficient = self.beyond(row.violation, self.damping, self.damping.lift(0.0));
        Damper::new(row.parts, coefficient)
    }

    /// Adds what it does to the bodies, with the velocities of `motions`.
    pub fn act(&self, held: &Held<R>, motions: &[Motion<R>], wrenches: &mut [Wrench<R>]) {
        let row = held.coordinate(self.of, motions);
        let s = row.violation;
        let zero = s.lift(0.0);
        let resisted = self.beyond(s, self.damping * row.rate(motions), zero);
        let force = self.stiffness.mul_add(self.excess(s), resisted);
        row.react(force, wrenches);
    }

    /// Potential energy (J).
    pub fn energy(&self, held: &Held<R>, motions: &[Motion<R>]) -> R {
        let row = held.coordinate(self.of, motions);
        let excess = self.excess(row.violation);
        excess.lift(0.5) * self.stiffness * (excess * excess)
    }
}
