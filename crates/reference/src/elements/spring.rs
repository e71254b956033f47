//! Springs, dampers and actuators along the line between two points.
//!
//! ```text
//! f = -k (l - l0) - c ldot + f0, positive pushes apart;   V = k/2 (l - l0)² - f0 l
//! ```
//!
//! Forces follow from virtual work: `Q = f dl/dq`, where `l² = d.d`, so that
//! `l dl = d.(dP_B - dP_A)`.

use nalgebra::Vector3;

use polhode_description::describe::Force;

use super::super::body::{Motion, RigidBody};
use super::super::joint::Side;
use super::super::rotation::lam;
use super::{Push, Pushing};

/// One spring.
#[derive(Clone, Debug)]
pub struct Spring {
    sides: [Side; 2],
    /// (N/m)
    stiffness: f64,
    /// (N s/m)
    damping: f64,
    /// (m)
    free_length: f64,
    /// (N)
    actuator: f64,
}

impl Spring {
    pub fn new(force: &Force, bodies: &[RigidBody]) -> Spring {
        Spring {
            sides: ends(force, bodies),
            stiffness: force.number("stiffness"),
            damping: force.number("damping"),
            free_length: force.number("free_length"),
            actuator: force.number("actuator"),
        }
    }
}

/// The two points between which a force acts.
pub fn ends(force: &Force, bodies: &[RigidBody]) -> [Side; 2] {
    [0, 1].map(|k| Side::of_point(&force.points()[k], bodies))
}

/// A force (N, space axes) on side B, and the opposite on side A.
pub fn apart(sides: &[Side; 2], on_b: Vector3<f64>, moving: &[Motion]) -> Vec<Push> {
    [(&sides[0], -on_b), (&sides[1], on_b)]
        .into_iter()
        .filter_map(|(side, force)| {
            let body = side.body?;
            let in_body = lam(moving[body].attitude).transpose() * force;
            let torque = side.arm(moving).cross(&in_body);
            Some(Push { body, force, torque, modal: side.modal(in_body) })
        })
        .collect()
}

impl Pushing for Spring {
    fn pushes(&self, _: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        let [a, b] = [self.sides[0].point(moving), self.sides[1].point(moving)];
        let d = b.value - a.value;
        let length = d.norm();
        let length_rate = d.dot(&(b.rate - a.rate)) / length;
        let f = -self.stiffness * (length - self.free_length) - self.damping * length_rate + self.actuator;
        let on_b = f / length * d;
        apart(&self.sides, on_b, moving)
    }

    fn energy(&self, motions: &[Motion]) -> f64 {
        let [a, b] = [self.sides[0].point(motions), self.sides[1].point(motions)];
        let length = (b.value - a.value).norm();
        0.5 * self.stiffness * (length - self.free_length).powi(2) - self.actuator * length
    }
}
