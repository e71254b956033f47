//! The potential energy that K14 estimates from the work of loads.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::model::memory::Memory;
use crate::real::Real;

/// Less the work that loads have done on one body, trapezoidal rule (J), K14.
pub struct PotentialEstimate;

impl Channel {
    pub const POTENTIAL_ESTIMATE: Channel = Channel::of(Owner::Mechanism, "potential_estimate");
}

impl Observable for PotentialEstimate {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::POTENTIAL_ESTIMATE,
        unit: "J",
        components: SCALAR,
        description: "change of the potential energy as K14 estimates it: less the work of the loads, trapezoidal rule",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
        finish: None,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        // A plan that is asked for it carries the work behind the motions.
        vec![-scene.remembered(Memory::Work)]
    }
}
