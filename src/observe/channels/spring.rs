//! Springs between two points: how long they are, how fast they lengthen, and what they pull with.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Distance of a spring's points (m).
pub struct SpringLength;

impl Channel {
    pub const SPRING_LENGTH: Channel = Channel::of(Owner::Spring, "length");
}

impl Observable for SpringLength {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::SPRING_LENGTH,
        unit: "m",
        components: SCALAR,
        description: "distance between the points of the spring",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.spring().length]
    }
}

/// Rate of a spring's length (m/s).
pub struct SpringRate;

impl Channel {
    pub const SPRING_RATE: Channel = Channel::of(Owner::Spring, "rate");
}

impl Observable for SpringRate {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::SPRING_RATE,
        unit: "m/s",
        components: SCALAR,
        description: "rate of the spring's length, positive while it lengthens",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.spring().rate]
    }
}

/// Tension of a spring (N).
pub struct SpringForce;

impl Channel {
    pub const SPRING_FORCE: Channel = Channel::of(Owner::Spring, "force");
}

impl Observable for SpringForce {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::SPRING_FORCE,
        unit: "N",
        components: SCALAR,
        description: "force of the spring with its damper and actuator, positive in tension",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![-scene.spring().force]
    }
}
