//! A sphere that rolls on a plane of the ground without slipping.
//!
//! ```text
//! Phi = n.(P - plane) - a ;   x.Pdot - a (omega.y) = 0 ;   y.Pdot + a (omega.x) = 0  frame x, y, n
//! ```
//!
//! P is the sphere's centre, `Pdot - a omega x n` the velocity of the point that touches (PC87 7,
//! whose `xdot = a w1` must read `xdot = a w2`). The second and the third row hold the rate alone:
//! they are not integrable.

use super::{Touches, values};
use crate::base::units::Dimension;
use crate::describe::ContactCard;
use crate::describe::contact::{Ball, ContactForm, ContactKey, ContactRequirement};
use crate::kinematics::row::Row;
use crate::kinematics::side::{Placed, SideVector};
use crate::math::quaternion::to_body;
use crate::math::vector::{Vec3, add, dot, scale, sub};
use crate::real::Real;

values! {
    /// Values of a rolling sphere. `normal` is x, y, n in space axes.
    Rolling of ROLLING {
        radius: f64 = ContactKey::new(ContactForm::Positive(Dimension::Length)),
            "The sphere's radius, positive.";
        plane: [f64; 3] = ContactKey::new(ContactForm::Vector(Dimension::Length)).or("[0, 0, 0]"),
            "A point of the plane, in space axes.";
        normal: [[f64; 3]; 3] = ContactKey::new(ContactForm::Normal).or("[0, 0, 1]"),
            "The plane's normal, towards the sphere, in space axes, of any length but 0.";
    }
}

pub static ROLLING: ContactCard = ContactCard {
    doc: "A sphere rolls on a plane of the ground without slipping.",
    point: Some("The sphere's centre, from the body's origin in body axes. Absent: the origin."),
    keys: Rolling::KEYS,
    requirement: ContactRequirement::Rigid(
        "what rolls is rigid: give the sphere a body of its own, held by a joint",
    ),
    ball: |contact| {
        let Rolling { radius, plane, normal: [_, _, normal] } = Rolling::of(contact);
        Some(Ball { radius, plane, normal })
    },
    ..ContactCard::new("rolling", "a rolling sphere", 3)
};

impl<R: Real> Touches<R> for Rolling {
    fn rows(&self, point: &Placed<'_, R>, _: &[R]) -> Vec<Row<R>> {
        let curved = point.centripetal(SideVector::Arm);
        let lift = |v: [f64; 3]| v.map(|x| curved[0].lift(x));
        let [x, y, n] = self.normal.map(lift);
        let a = curved[0].lift(self.radius);
        let height = dot(n, sub(point.point, lift(self.plane))) - a;
        let slip = |along: Vec3<R>, about: Vec3<R>| {
            let part = point.part(Some(along), None).map(|mut part| {
                part.w = add(part.w, turned(point, scale(a, about)));
                part
            });
            Row::of_rate(part, dot(along, curved))
        };
        vec![Row::new(point.part(Some(n), None), height, dot(n, curved)), slip(x, y.map(|y| -y)), slip(y, x)]
    }
}

/// A vector of space in principal axes.
fn turned<R: Real>(point: &Placed<'_, R>, v: Vec3<R>) -> Vec3<R> {
    point.motion.map_or(v, |m| to_body(m.q, v))
}
