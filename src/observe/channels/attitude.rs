//! Attitude of a body, its tilt, and the error of its quaternion's length.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::math::quaternion::{inverse, norm_squared, to_space};
use crate::model::body_attitude;
use crate::real::Real;

/// Of a body: unit quaternion, body to space, scalar first, scalar part not negative.
pub struct Attitude;

impl Channel {
    pub const ATTITUDE: Channel = Channel::of(Owner::Body, "attitude");
}

impl Observable for Attitude {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::ATTITUDE,
        unit: "1",
        components: &[".q0", ".q1", ".q2", ".q3"],
        description: "attitude, unit quaternion body to space, scalar first and not negative",
        modes: false,
        scale: ErrorScale::One,
        has: always,
        finish: Some(|n, _| if n[0] < 0.0 { n.map(|x| -x) } else { n }),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        quaternion(scene)
    }
}

/// Of a body: | |q| - 1 |.
pub struct QuaternionNormError;

impl Channel {
    pub const QUATERNION_NORM_ERROR: Channel = Channel::of(Owner::Body, "quaternion_norm_error");
}

impl Observable for QuaternionNormError {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::QUATERNION_NORM_ERROR,
        unit: "1",
        components: SCALAR,
        description: "| |q| - 1 | of the attitude quaternion",
        modes: false,
        scale: ErrorScale::One,
        has: always,
        finish: Some(|n, _| [(norm_squared(n).sqrt() - 1.0).abs(), 0.0, 0.0, 0.0]),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        quaternion(scene)
    }
}

/// Of a body: angle between its third axis and the space axis e3 (rad).
pub struct Tilt;

impl Channel {
    pub const TILT: Channel = Channel::of(Owner::Body, "tilt");
}

impl Observable for Tilt {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::TILT,
        unit: "rad",
        components: SCALAR,
        description: "angle between the body's third axis and the vertical e3",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
        finish: Some(|n, _| [f64::atan2(n[0].hypot(n[1]), n[2]), 0.0, 0.0, 0.0]),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        // The body's third axis, in space.
        let zero = scene.zero();
        let e3 = [zero, zero, zero.lift(1.0)];
        to_space(scene.motion().q, to_space(inverse(scene.principal()), e3)).to_vec()
    }
}

fn quaternion<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
    let q = scene.motion().q;
    if scene.axes_are_principal() { q.to_vec() } else { body_attitude(q, scene.principal()).to_vec() }
}
