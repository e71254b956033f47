//! The potential energy of loads, estimated from their work. K14's own estimate (6b.1) is another:
//! `crates/verify/src/energy_bound.rs`.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::model::memory::Memory;
use crate::real::Real;

/// Less the work that loads have done on one body (J): the trapezoidal rule over both ends of every
/// step. K14's (6b.1) extrapolates from a step's start alone.
pub struct PotentialEstimate;

pub const POTENTIAL_ESTIMATE: Channel = Channel::of(Owner::Mechanism, "potential_estimate");

impl Observable for PotentialEstimate {
    const CARD: ChannelCard = ChannelCard {
        channel: POTENTIAL_ESTIMATE,
        unit: "J",
        components: SCALAR,
        description: "change of the potential energy, estimated as less the work of the loads by the \
                      trapezoidal rule over every step; K14's (6b.1) is another estimate",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        // A plan with this channel carries the work behind the motions.
        vec![-scene.remembered(Memory::Work)]
    }
}
