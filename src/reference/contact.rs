//! Bodies that touch the ground, as constraint rows.
//!
//! P is the sphere's centre or the point that touches, V its velocity, omega the angular velocity in space axes:
//!
//! ```text
//! rolling     n.(P - plane) - a = 0,   x.V - a (omega.y) = 0,   y.V + a (omega.x) = 0      the last two as rates alone
//! knife edge  (Lam b').V = 0                                                               as a rate alone
//! curve       y_P - f(x_P) = 0
//! ```
//!
//! The rolling rows say that the point P - a n of the sphere is at rest: `V + omega x (-a n)` has no component along x
//! and y, where n = x x y. PC87 prints a w1 in both.

use nalgebra::Vector3;

use crate::describe::{self, ContactKind};

use super::body::{Motion, RigidBody};
use super::coordinate::fixed;
use super::function;
use super::joint::Side;
use super::rotation::lam;
use super::series::Series;

/// One contact.
#[derive(Clone, Debug)]
pub struct Contact {
    point: Side,
    kind: ContactKind,
}

impl Contact {
    pub fn new(contact: &describe::Contact, bodies: &[RigidBody]) -> Contact {
        Contact { point: Side::of_point(&contact.point, bodies), kind: contact.kind.clone() }
    }

    /// Its rows.
    pub fn rows(&self, motions: &[Motion], constants: &[f64]) -> Vec<Series<f64>> {
        let p = self.point.point(motions);
        match &self.kind {
            ContactKind::Rolling { radius, plane, frame: [x, y, n] } => {
                // A body that keeps its w in body axes keeps it in space axes.
                let omega = self
                    .point
                    .body
                    .map_or(Vector3::zeros(), |b| lam(motions[b].attitude) * motions[b].angular_velocity);
                let along = |e: &[f64; 3], arm: f64| {
                    let e = Vector3::from(*e);
                    Series { value: 0.0, rate: e.dot(&p.rate) + arm, second: e.dot(&p.second) }
                };
                let height = p.minus(&fixed(*plane)).dot(&fixed(*n));
                vec![
                    height.minus(Series::constant(*radius)),
                    along(x, -radius * omega.dot(&Vector3::from(*y))),
                    along(y, radius * omega.dot(&Vector3::from(*x))),
                ]
            }
            ContactKind::KnifeEdge { direction } => {
                let direction = self.point.turned(Vector3::from(*direction), motions);
                // (Lam b').V as a series: its value is the row's rate.
                let rate = direction.value.dot(&p.rate);
                let second = direction.rate.dot(&p.rate) + direction.value.dot(&p.second);
                vec![Series { value: 0.0, rate, second }]
            }
            ContactKind::Curve { y } => {
                vec![p.component(1).minus(function::evaluate(y, p.component(0), constants))]
            }
        }
    }

    /// For each row whether it holds positions.
    pub fn holds_positions(&self) -> Vec<bool> {
        match &self.kind {
            ContactKind::Rolling { .. } => vec![true, false, false],
            ContactKind::KnifeEdge { .. } => vec![false],
            ContactKind::Curve { .. } => vec![true],
        }
    }
}
