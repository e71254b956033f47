//! Iterations that solve the steps of an instance whose method iterates.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, always};
use crate::describe::{Channel, Owner};
use crate::math::functions::greatest;
use crate::model::memory::{IterationCount, Memory};
use crate::real::Real;

/// Iterations of the last step, of all and of the worst.
pub struct StepIterations;

pub const ITERATIONS: Channel = Channel::of(Owner::Mechanism, "iterations");

impl Observable for StepIterations {
    const CARD: ChannelCard = ChannelCard {
        channel: ITERATIONS,
        unit: "1",
        components: &[".last", ".mean", ".max"],
        description: "iterations that solved the last step, the mean of all steps since the start, and those \
                      of the step with most; 0 for a method that does not iterate",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let count = |item| scene.remembered(Memory::Iteration(item));
        let steps = greatest(scene.zero().lift(1.0), count(IterationCount::Steps));
        vec![count(IterationCount::Last), count(IterationCount::Sum) / steps, count(IterationCount::Most)]
    }
}
