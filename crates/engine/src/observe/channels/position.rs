//! Position and velocity of a body's origin.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::math::quaternion::to_space;
use crate::math::vector::{add, cross};
use crate::model::BodyParameter;
use crate::real::Real;

/// Position of a body's origin, space axes (m).
pub struct Position;

pub const POSITION: Channel = Channel::of(Owner::Body, "position");

impl Observable for Position {
    const CARD: ChannelCard = ChannelCard {
        channel: POSITION,
        unit: "m",
        components: VECTOR,
        description: "position of the body's origin, space axes",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        if scene.fixed_point() {
            return scene.vector(BodyParameter::ORIGIN).to_vec();
        }
        let motion = scene.motion();
        let (centre, _) = scene.centre_from_origin(motion);
        let [x, y, z] = to_space(motion.q, centre);
        add(motion.r, [-x, -y, -z]).to_vec()
    }
}

/// Velocity of a body's origin, space axes (m/s).
pub struct Velocity;

pub const VELOCITY: Channel = Channel::of(Owner::Body, "velocity");

impl Observable for Velocity {
    const CARD: ChannelCard = ChannelCard {
        channel: VELOCITY,
        unit: "m/s",
        components: VECTOR,
        description: "velocity of the body's origin, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        if scene.fixed_point() {
            return vec![scene.zero(); 3];
        }
        let motion = scene.motion();
        let (centre, rate) = scene.centre_from_origin(motion);
        let turning = cross(motion.w, centre);
        let [x, y, z] = to_space(motion.q, rate.map_or(turning, |rate| add(turning, rate)));
        add(motion.v, [-x, -y, -z]).to_vec()
    }
}
