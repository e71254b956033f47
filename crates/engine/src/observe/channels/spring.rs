//! Springs and other forces along the line between two points: how long they are, how fast they
//! lengthen, and what springs pull with.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Distance of the points of a force along a line (m).
pub struct SpringLength;

pub const SPRING_LENGTH: Channel = Channel::of(Owner::Spring, "length");

impl Observable for SpringLength {
    const CARD: ChannelCard = ChannelCard {
        channel: SPRING_LENGTH,
        unit: "m",
        components: SCALAR,
        description: "distance between the points of the spring, line friction or line actuator",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.line().0]
    }
}

/// Rate of that length (m/s).
pub struct SpringRate;

pub const SPRING_RATE: Channel = Channel::of(Owner::Spring, "rate");

impl Observable for SpringRate {
    const CARD: ChannelCard = ChannelCard {
        channel: SPRING_RATE,
        unit: "m/s",
        components: SCALAR,
        description: "rate of that length, positive while it grows",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.line().1]
    }
}

/// Tension of a spring (N).
pub struct SpringForce;

pub const SPRING_FORCE: Channel = Channel::of(Owner::Spring, "force");

impl Observable for SpringForce {
    const CARD: ChannelCard = ChannelCard {
        channel: SPRING_FORCE,
        unit: "N",
        components: SCALAR,
        description: "force of the spring with its damper and actuator, positive in tension",
        modes: false,
        scale: ErrorScale::Size,
        // Springs are the first of all lines.
        has: |mechanism, line, _| line < mechanism.forces_of("spring").count(),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![-scene.spring().force]
    }
}
