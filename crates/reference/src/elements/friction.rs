//! Dry friction at a joint's coordinate s, and along the line between two points of distance l.
//!
//! ```text
//! Q = -F tanh(sdot/v0),   dQ/dsdot = -F / (v0 cosh²(sdot/v0))
//! f = -F tanh(ldot/v0), positive pushes apart
//! ```

use nalgebra::Vector3;

use polhode_description::describe::Force;

use super::super::body::{Motion, RigidBody};
use super::super::function::Given;
use super::super::joint::Side;
use super::super::series::Series;
use super::spring::{apart, ends};
use super::{AtCoordinate, Push, Pushing};

/// F, and the rate v0 at which 76 % of it act.
#[derive(Clone, Copy, Debug)]
struct Law {
    /// (N m or N)
    force: f64,
    /// (rad/s or m/s)
    rate: f64,
}

impl Law {
    fn new(force: &Force) -> Law {
        Law { force: force.number("force"), rate: force.number("rate") }
    }

    fn at(self, v: f64) -> f64 {
        -self.force * (v / self.rate).tanh()
    }

    /// `-d/dv`
    fn resistance(self, v: f64) -> f64 {
        self.force / (self.rate * (v / self.rate).cosh().powi(2))
    }
}

/// Dry friction at a coordinate.
#[derive(Clone, Debug)]
pub struct JointFriction(Law);

impl JointFriction {
    pub fn new(force: &Force) -> JointFriction {
        JointFriction(Law::new(force))
    }
}

impl AtCoordinate for JointFriction {
    fn force(&self, s: Series<f64>, _: &Given) -> f64 {
        self.0.at(s.rate)
    }

    fn resistance(&self, s: Series<f64>) -> f64 {
        self.0.resistance(s.rate)
    }
}

/// Dry friction along a line.
#[derive(Clone, Debug)]
pub struct Friction {
    sides: [Side; 2],
    law: Law,
}

impl Friction {
    pub fn new(force: &Force, bodies: &[RigidBody]) -> Friction {
        Friction { sides: ends(force, bodies), law: Law::new(force) }
    }

    /// The direction from A to B, and ldot (m/s).
    fn parting(&self, moving: &[Motion]) -> (Vector3<f64>, f64) {
        let [a, b] = [self.sides[0].point(moving), self.sides[1].point(moving)];
        let along = (b.value - a.value).normalize();
        (along, along.dot(&(b.rate - a.rate)))
    }
}

impl Pushing for Friction {
    fn pushes(&self, _: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        let (along, rate) = self.parting(moving);
        apart(&self.sides, self.law.at(rate) * along, moving)
    }

    fn change(&self, _: &[RigidBody], moving: &[Motion], change: &[Motion]) -> Option<Vec<Push>> {
        let ((along, rate), (_, more)) = (self.parting(moving), self.parting(change));
        Some(apart(&self.sides, -self.law.resistance(rate) * more * along, moving))
    }
}
