//! Contacts: the force that each passes on, and where a ball is touched.
//!
//! With the multipliers lam of the contact's rows and B_v their derivatives by the velocity of the
//! body:
//!
//! ```text
//! F = -B_v^T lam
//! ```
//!
//! PC87 7 shows multipliers instead: its lam1 and lam2 are less the x and y of the force of
//! `rolling`, its lam3 is the y of the force of `curve`, since its third row is `f' xdot - ydot`
//! where ours is `ydot - f' xdot`.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::add;
use crate::real::Real;

/// Force of a contact on its body, space axes (N).
pub struct ContactForce;

pub const CONTACT_FORCE: Channel = Channel::of(Owner::Contact, "contact_force");

impl Observable for ContactForce {
    const CARD: ChannelCard = ChannelCard {
        channel: CONTACT_FORCE,
        unit: "N",
        components: VECTOR,
        description: "force of the contact on its body at the point that touches, space axes: of rolling \
                      friction and normal force, of a curve across it, of a knife edge along its direction",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.system().contact_force(scene.of, scene.motions()).to_vec()
    }
}

/// The point of a ball that touches, from the body's origin in body axes (m).
pub struct ContactPoint;

pub const CONTACT_POINT: Channel = Channel::of(Owner::Contact, "contact_point");

impl Observable for ContactPoint {
    const CARD: ChannelCard = ChannelCard {
        channel: CONTACT_POINT,
        unit: "m",
        components: VECTOR,
        description: "point of a rolling sphere that touches, from the body's origin in body axes",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, contact, _| {
            let contact = &mechanism.contacts[contact];
            (contact.kind.ball)(contact).is_some()
        },
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let contact = scene.contact();
        let Some(ball) = (contact.kind.ball)(contact) else { return vec![scene.zero(); 3] };
        let lift = |v: [f64; 3]| v.map(|x| scene.zero().lift(x));
        let down = to_body(scene.motion().q, lift(ball.normal.map(|n| -ball.radius * n)));
        let down = if scene.axes_are_principal() { down } else { to_space(scene.principal(), down) };
        add(lift(contact.point.at), down).to_vec()
    }
}
