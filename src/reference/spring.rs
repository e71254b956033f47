//! Springs, dampers and actuators along the line between two points.
//!
//! ```text
//! f = -k (l - l0) - c ldot + f0, positive pushes apart;   V = k/2 (l - l0)² - f0 l
//! ```
//!
//! Forces follow from virtual work: `Q = f dl/dq`, where `l² = d.d`, so that `l dl = d.(dP_B - dP_A)`.

use nalgebra::{DVector, Vector3};

use crate::describe;

use super::body::{Motion, RigidBody};
use super::joint::Side;
use super::rotation::lam;

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

/// What acts on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    pub body: usize,
    /// Space axes (N).
    pub force: Vector3<f64>,
    /// About the pivot, body axes (N m).
    pub torque: Vector3<f64>,
    /// With each mode of the body.
    pub modal: DVector<f64>,
}

impl Spring {
    /// `numbers`: as [`Mechanism::numbers`](describe::Mechanism::numbers) lists those of a spring.
    pub fn new(spring: &describe::Spring, numbers: [f64; 4], bodies: &[RigidBody]) -> Spring {
        let [stiffness, damping, free_length, actuator] = numbers;
        let sides = [0, 1].map(|k| Side::of_point(&spring.points[k], bodies));
        Spring { sides, stiffness, damping, free_length, actuator }
    }

    /// What it does to the bodies, which move as `moving` says: positions of one chain, velocities of another.
    pub fn pushes(&self, moving: &[Motion]) -> Vec<Push> {
        let [a, b] = [self.sides[0].point(moving), self.sides[1].point(moving)];
        let d = b.value - a.value;
        let length = d.norm();
        let length_rate = d.dot(&(b.rate - a.rate)) / length;
        let f = -self.stiffness * (length - self.free_length) - self.damping * length_rate + self.actuator;
        let on_b = f / length * d;
        [(&self.sides[0], -on_b), (&self.sides[1], on_b)]
            .into_iter()
            .filter_map(|(side, force)| {
                let body = side.body?;
                let in_body = lam(moving[body].attitude).transpose() * force;
                let torque = side.arm(moving).cross(&in_body);
                Some(Push { body, force, torque, modal: side.modal(in_body) })
            })
            .collect()
    }

    /// V (J).
    pub fn energy(&self, motions: &[Motion]) -> f64 {
        let [a, b] = [self.sides[0].point(motions), self.sides[1].point(motions)];
        let length = (b.value - a.value).norm();
        0.5 * self.stiffness * (length - self.free_length).powi(2) - self.actuator * length
    }
}
