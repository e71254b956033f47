//! Coordinates of joints and their rates.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR};
use crate::describe::{Channel, Coordinate, Mechanism, Owner};
use crate::real::Real;

/// Angle of a joint, unwrapped (rad).
pub struct Angle;

pub const ANGLE: Channel = Channel::of(Owner::Joint, "angle");

impl Observable for Angle {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGLE,
        unit: "rad",
        components: SCALAR,
        description: "angle of the joint about its axis, all turns counted",
        modes: false,
        scale: ErrorScale::Range,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Angle),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.coordinate(Coordinate::Angle).violation]
    }
}

/// Rate of a joint's angle (rad/s).
pub struct AngleRate;

pub const ANGLE_RATE: Channel = Channel::of(Owner::Joint, "angle_rate");

impl Observable for AngleRate {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGLE_RATE,
        unit: "rad/s",
        components: SCALAR,
        description: "rate of the joint's angle",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Angle),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.coordinate(Coordinate::Angle).rate(scene.motions())]
    }
}

/// Displacement of a joint (m).
pub struct Displacement;

pub const DISPLACEMENT: Channel = Channel::of(Owner::Joint, "displacement");

impl Observable for Displacement {
    const CARD: ChannelCard = ChannelCard {
        channel: DISPLACEMENT,
        unit: "m",
        components: SCALAR,
        description: "displacement of the joint along its axis",
        modes: false,
        scale: ErrorScale::Range,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Displacement),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.coordinate(Coordinate::Displacement).violation]
    }
}

/// Rate of a joint's displacement (m/s).
pub struct DisplacementRate;

pub const DISPLACEMENT_RATE: Channel = Channel::of(Owner::Joint, "displacement_rate");

impl Observable for DisplacementRate {
    const CARD: ChannelCard = ChannelCard {
        channel: DISPLACEMENT_RATE,
        unit: "m/s",
        components: SCALAR,
        description: "rate of the joint's displacement",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Displacement),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.coordinate(Coordinate::Displacement).rate(scene.motions())]
    }
}

/// Whether a joint has this coordinate.
pub(super) fn has(mechanism: &Mechanism, joint: usize, coordinate: Coordinate) -> bool {
    mechanism.joints[joint].kind.has(coordinate)
}
