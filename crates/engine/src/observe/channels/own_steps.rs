//! Numbers of steps that an instance that chooses its own has taken, and has tried in vain.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::model::memory::{Memory, OwnStep};
use crate::real::Real;

/// Own steps since the start.
pub struct StepsTaken;

pub const OWN_STEPS: Channel = Channel::of(Owner::Mechanism, "own_steps");
pub const REJECTED_STEPS: Channel = Channel::of(Owner::Mechanism, "rejected_steps");

impl Observable for StepsTaken {
    const CARD: ChannelCard = ChannelCard {
        channel: OWN_STEPS,
        unit: "1",
        components: SCALAR,
        description: "steps of its own that the instance has taken since the start; in f32 no more than 2^24 \
                      are counted",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.remembered(Memory::OwnStep(OwnStep::Taken))]
    }
}

/// Attempts since the start that were too long.
pub struct StepsRejected;

impl Observable for StepsRejected {
    const CARD: ChannelCard = ChannelCard {
        channel: REJECTED_STEPS,
        unit: "1",
        components: SCALAR,
        description: "steps of its own that the instance has tried and found too long since the start; in \
                      f32 no more than 2^24 are counted",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.remembered(Memory::OwnStep(OwnStep::Rejected))]
    }
}
