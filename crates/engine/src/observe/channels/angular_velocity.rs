//! Angular velocity of a body.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::math::quaternion::to_space;
use crate::real::Real;

/// Angular velocity of a body, body axes (rad/s).
pub struct AngularVelocity;

pub const ANGULAR_VELOCITY: Channel = Channel::of(Owner::Body, "angular_velocity");

impl Observable for AngularVelocity {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGULAR_VELOCITY,
        unit: "rad/s",
        components: VECTOR,
        description: "angular velocity, body axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let w = scene.motion().w;
        if scene.axes_are_principal() { w.to_vec() } else { to_space(scene.principal(), w).to_vec() }
    }
}
