//! Position, velocity and acceleration of points that have names.
//!
//! With s from the mass centre (or fixed point) to the point, in axes that turn with w:
//!
//! ```text
//! P = r + Lam s,  v = rdot + Lam (w x s + s'),
//! a = rddot + Lam (wdot x s + s'' + w x (w x s) + 2 w x s')
//! ```

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::kinematics::side::SideVector;
use crate::math::vector::add;
use crate::model::system::moving_by;
use crate::real::Real;

/// Position of a point, space axes (m).
pub struct PointPosition;

pub const POINT_POSITION: Channel = Channel::of(Owner::Point, "position");

impl Observable for PointPosition {
    const CARD: ChannelCard = ChannelCard {
        channel: POINT_POSITION,
        unit: "m",
        components: VECTOR,
        description: "position of the point, space axes",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.point().point(scene.motions()).0.to_vec()
    }
}

/// Velocity of a point, space axes (m/s).
pub struct PointVelocity;

pub const POINT_VELOCITY: Channel = Channel::of(Owner::Point, "velocity");

impl Observable for PointVelocity {
    const CARD: ChannelCard = ChannelCard {
        channel: POINT_VELOCITY,
        unit: "m/s",
        components: VECTOR,
        description: "velocity of the point, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.point().point(scene.motions()).1.to_vec()
    }
}

/// Acceleration of a point, space axes (m/s²).
pub struct PointAcceleration;

pub const POINT_ACCELERATION: Channel = Channel::of(Owner::Point, "acceleration");

impl Observable for PointAcceleration {
    const CARD: ChannelCard = ChannelCard {
        channel: POINT_ACCELERATION,
        unit: "m/s²",
        components: VECTOR,
        description: "acceleration of the point, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let side = scene.point();
        if side.body.is_none() {
            return vec![scene.zero(); 3];
        }
        let accelerated = moving_by(scene.motions(), scene.accelerations());
        let (_, linear) = side.point(&accelerated);
        add(linear, side.placed(scene.motions()).centripetal(SideVector::Arm)).to_vec()
    }
}
