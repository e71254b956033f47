//! Values of signals, expressions of the motion that have names, and of the states of laws.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::expression::MotionInput;
use crate::describe::{Channel, Expression, Owner};
use crate::model::timing::Neighbour;
use crate::real::Real;

/// Value of a state, in its own unit.
pub struct StateValue;

impl Observable for StateValue {
    const CARD: ChannelCard = ChannelCard {
        channel: STATE_VALUE,
        unit: "1",
        components: SCALAR,
        description: "value of the state, in the unit that it gives",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let state = Expression::Input(MotionInput::State(scene.of));
        vec![scene.system().function(&state, 0.0, Neighbour::After, scene.motions())]
    }
}

/// Value of a signal, in its own unit.
pub struct SignalValue;

pub const STATE_VALUE: Channel = Channel::of(Owner::State, "value");
pub const SIGNAL_VALUE: Channel = Channel::of(Owner::Signal, "value");

impl Observable for SignalValue {
    const CARD: ChannelCard = ChannelCard {
        channel: SIGNAL_VALUE,
        unit: "1",
        components: SCALAR,
        description: "value of the signal, in the unit that it gives",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let signal = Expression::Input(MotionInput::Signal(scene.of));
        vec![scene.system().function(&signal, 0.0, Neighbour::After, scene.motions())]
    }
}
