//! A point that has no velocity along a direction fixed in its body: a skate, a wheel.
//!
//! ```text
//! Lam b . Pdot = 0
//! ```
//!
//! The row holds the rate alone: it is not integrable.

use super::{Touches, values};
use crate::describe::ContactCard;
use crate::describe::contact::{ContactForm, ContactKey, ContactRequirement};
use crate::kinematics::row::Row;
use crate::kinematics::side::{Placed, SideVector};
use crate::math::vector::dot;
use crate::real::Real;

values! {
    /// Values of a knife edge.
    KnifeEdge of KNIFE_EDGE {
        direction: [f64; 3] = ContactKey::new(ContactForm::Direction),
            "The direction in which it does not move, in body axes, of any length but 0.";
    }
}

pub static KNIFE_EDGE: ContactCard = ContactCard {
    doc: "A point of a body does not move along a direction fixed in the body: a skate, a wheel.",
    keys: KnifeEdge::KEYS,
    requirement: ContactRequirement::Turns("a skate turns with its point"),
    ..ContactCard::new("knife_edge", "a knife edge", 1)
};

impl<R: Real> Touches<R> for KnifeEdge {
    fn rows(&self, point: &Placed<'_, R>, _: &[R]) -> Vec<Row<R>> {
        let curved = point.centripetal(SideVector::Arm);
        let across = point.axis(0);
        let velocity = point.velocity();
        let bias = dot(across, curved) + dot(point.turning(SideVector::Axis(0)), velocity);
        vec![Row::of_rate(point.part(Some(across), None), bias)]
    }
}
