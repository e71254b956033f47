//! Values of signals: expressions of the motion that have names.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Of a signal, in its own unit.
pub struct SignalValue;

impl Channel {
    pub const SIGNAL_VALUE: Channel = Channel::of(Owner::Signal, "value");
}

impl Observable for SignalValue {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::SIGNAL_VALUE,
        unit: "1",
        components: SCALAR,
        description: "value of the signal, in the unit that it gives",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().signal(scene.of, scene.motions())]
    }
}
