//! Outcomes: what the motion has come to so far.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Value of an outcome, in its own unit.
pub struct OutcomeValue;

impl Channel {
    pub const OUTCOME_VALUE: Channel = Channel::of(Owner::Outcome, "value");
    pub const OUTCOME_TIME: Channel = Channel::of(Owner::Outcome, "time");

    /// Whether its numbers are of the whole motion: on the way they are not yet what is asked for.
    pub fn is_of_the_end(self) -> bool {
        [Channel::OUTCOME_VALUE, Channel::OUTCOME_TIME].contains(&self)
    }
}

impl Observable for OutcomeValue {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::OUTCOME_VALUE,
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
        scene.outcome().1
    }
}

/// Time of an outcome that is a peak (s).
pub struct OutcomeTime;

impl Observable for OutcomeTime {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::OUTCOME_TIME,
        unit: "s",
        components: SCALAR,
        description: "when the peak was, so far",
        modes: false,
        scale: ErrorScale::Range,
        has: |mechanism, outcome, _| mechanism.outcomes[outcome].kind.has_time(),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.outcome_course().time()]
    }
}
