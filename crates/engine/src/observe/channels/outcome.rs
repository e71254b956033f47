//! Outcomes: what the motion has come to so far.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Value of an outcome, in its own unit.
pub struct OutcomeValue;

pub const OUTCOME_VALUE: Channel = Channel::of(Owner::Outcome, "value");
pub const OUTCOME_TIME: Channel = Channel::of(Owner::Outcome, "time");

impl Observable for OutcomeValue {
    const CARD: ChannelCard = ChannelCard {
        channel: OUTCOME_VALUE,
        unit: "1",
        components: SCALAR,
        description: "the outcome, from the motion so far, in its unit",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.outcome().0]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(scene.outcome().1)
    }
}

/// Time of an outcome that is a peak (s).
pub struct OutcomeTime;

impl Observable for OutcomeTime {
    const CARD: ChannelCard = ChannelCard {
        channel: OUTCOME_TIME,
        unit: "s",
        components: SCALAR,
        description: "when the peak was, so far",
        modes: false,
        scale: ErrorScale::Range,
        has: |mechanism, outcome, _| mechanism.outcomes[outcome].kind.has_time(),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.time_of_peak()]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(scene.outcome().1)
    }
}
