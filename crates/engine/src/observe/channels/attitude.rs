//! Attitude of a body, its tilt, and the error of its quaternion's length.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::math::functions::{abs, atan2};
use crate::math::quaternion::{Quat, inverse, norm_squared, to_space};
use crate::model::body_attitude;
use crate::real::Real;

/// Attitude of a body: unit quaternion, body to space, scalar first, scalar part not negative.
pub struct Attitude;

pub const ATTITUDE: Channel = Channel::of(Owner::Body, "attitude");

impl Observable for Attitude {
    const CARD: ChannelCard = ChannelCard {
        channel: ATTITUDE,
        unit: "1",
        components: &[".q0", ".q1", ".q2", ".q3"],
        description: "attitude, unit quaternion body to space, scalar first and not negative",
        modes: false,
        scale: ErrorScale::One,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let q = quaternion(scene);
        q.map(|x| q[0].select_less(scene.zero(), -x, x)).to_vec()
    }
}

/// Error of the norm of a body's quaternion: | |q| - 1 |.
pub struct QuaternionNormError;

pub const QUATERNION_NORM_ERROR: Channel = Channel::of(Owner::Body, "quaternion_norm_error");

impl Observable for QuaternionNormError {
    const CARD: ChannelCard = ChannelCard {
        channel: QUATERNION_NORM_ERROR,
        unit: "1",
        components: SCALAR,
        description: "| |q| - 1 | of the attitude quaternion",
        modes: false,
        scale: ErrorScale::One,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![abs(norm_squared(quaternion(scene)).sqrt() - scene.zero().lift(1.0))]
    }
}

/// Tilt of a body: angle between its third axis and the space axis e3 (rad).
pub struct Tilt;

pub const TILT: Channel = Channel::of(Owner::Body, "tilt");

impl Observable for Tilt {
    const CARD: ChannelCard = ChannelCard {
        channel: TILT,
        unit: "rad",
        components: SCALAR,
        description: "angle between the body's third axis and the vertical e3",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        // The body's third axis, in space.
        let zero = scene.zero();
        let e3 = [zero, zero, zero.lift(1.0)];
        let [x, y, z] = to_space(scene.motion().q, to_space(inverse(scene.principal()), e3));
        vec![atan2(y.mul_add(y, x * x).sqrt(), z)]
    }
}

fn quaternion<R: Real>(scene: &Scene<'_, R>) -> Quat<R> {
    let q = scene.motion().q;
    if scene.axes_are_principal() { q } else { body_attitude(q, scene.principal()) }
}
