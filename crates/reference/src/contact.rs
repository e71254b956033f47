//! Bodies that touch the ground, as constraint rows.
//!
//! P is the sphere's centre or the point that touches, V its velocity, omega the angular velocity
//! in space axes:
//!
//! ```text
//! rolling     n.(P - plane) - a = 0,   x.V - a (omega.y) = 0,
//!             y.V + a (omega.x) = 0      the last two as rates alone
//! knife edge  (Lam b').V = 0             as a rate alone
//! curve       y_P - f(x_P) = 0
//! ```
//!
//! The rolling rows say that the point P - a n of the sphere is at rest: `V + omega x (-a n)` has
//! no component along x and y, where n = x x y. PC87 prints a w1 in both.

use nalgebra::Vector3;

use polhode_description::describe;

use super::body::{Motion, RigidBody};
use super::coordinate::fixed;
use super::error::ReferenceError;
use super::function;
use super::joint::Side;
use super::rotation::lam;
use super::series::Series;

/// One contact.
#[derive(Clone, Debug)]
pub struct Contact {
    point: Side,
    described: describe::Contact,
    twin: &'static Twin,
}

/// A kind of contact, by the name of its card.
#[derive(Debug)]
struct Twin {
    name: &'static str,
    /// For each row whether it holds positions.
    holds_positions: &'static [bool],
    rows: fn(&Touching<'_>) -> Vec<Series<f64>>,
    /// The point that touches, space axes (m).
    touched: fn(&Touching<'_>) -> Vector3<f64>,
}

/// A contact in motion.
struct Touching<'a> {
    contact: &'a describe::Contact,
    point: &'a Side,
    motions: &'a [Motion],
    constants: &'a [f64],
}

/// The twins of all kinds.
static TWINS: &[Twin] = &[
    Twin { name: "rolling", holds_positions: &[true, false, false], rows: rolling, touched: foot },
    Twin { name: "knife_edge", holds_positions: &[false], rows: knife_edge, touched: itself },
    Twin { name: "curve", holds_positions: &[true], rows: curve, touched: itself },
];

impl Contact {
    /// # Errors
    /// Its kind has no twin here.
    pub fn new(contact: &describe::Contact, bodies: &[RigidBody]) -> Result<Contact, ReferenceError> {
        let twin = TWINS.iter().find(|twin| twin.name == contact.kind.name);
        let none =
            || ReferenceError::NoContactTwin { element: contact.name.clone(), kind: contact.kind.name };
        Ok(Contact {
            point: Side::of_point(&contact.point, bodies),
            described: contact.clone(),
            twin: twin.ok_or_else(none)?,
        })
    }

    /// Its rows.
    pub fn rows(&self, motions: &[Motion], constants: &[f64]) -> Vec<Series<f64>> {
        (self.twin.rows)(&Touching { contact: &self.described, point: &self.point, motions, constants })
    }

    /// The body that touches.
    pub fn body(&self) -> Option<usize> {
        self.point.body
    }

    /// The point that touches, space axes (m).
    pub fn touched(&self, motions: &[Motion]) -> Vector3<f64> {
        (self.twin.touched)(&Touching {
            contact: &self.described,
            point: &self.point,
            motions,
            constants: &[],
        })
    }

    /// For each row whether it holds positions.
    pub(crate) fn holds_positions(&self) -> &'static [bool] {
        self.twin.holds_positions
    }
}

fn rolling(Touching { contact, point, motions, .. }: &Touching<'_>) -> Vec<Series<f64>> {
    let radius = contact.number("radius");
    let [x, y, n] = contact.frame("normal");
    let p = point.point(motions);
    // A body that keeps its w in body axes keeps it in space axes.
    let omega =
        point.body.map_or(Vector3::zeros(), |b| lam(motions[b].attitude) * motions[b].angular_velocity);
    let along = |e: [f64; 3], arm: f64| {
        let e = Vector3::from(e);
        Series { value: 0.0, rate: e.dot(&p.rate) + arm, second: e.dot(&p.second) }
    };
    let height = p.minus(&fixed(contact.vector("plane"))).dot(&fixed(n));
    vec![
        height.minus(Series::constant(radius)),
        along(x, -radius * omega.dot(&Vector3::from(y))),
        along(y, radius * omega.dot(&Vector3::from(x))),
    ]
}

fn foot(Touching { contact, point, motions, .. }: &Touching<'_>) -> Vector3<f64> {
    let [_, _, n] = contact.frame("normal");
    point.point(motions).value - contact.number("radius") * Vector3::from(n)
}

fn itself(Touching { point, motions, .. }: &Touching<'_>) -> Vector3<f64> {
    point.point(motions).value
}

fn knife_edge(Touching { contact, point, motions, .. }: &Touching<'_>) -> Vec<Series<f64>> {
    let p = point.point(motions);
    let direction = point.turned(Vector3::from(contact.vector("direction")), motions);
    // (Lam b').V as a series: its value is the row's rate.
    let rate = direction.value.dot(&p.rate);
    let second = direction.rate.dot(&p.rate) + direction.value.dot(&p.second);
    vec![Series { value: 0.0, rate, second }]
}

fn curve(Touching { contact, point, motions, constants }: &Touching<'_>) -> Vec<Series<f64>> {
    let p = point.point(motions);
    vec![p.component(1).minus(function::along(contact.function("y"), p.component(0), constants))]
}
