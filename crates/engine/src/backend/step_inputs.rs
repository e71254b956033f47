//! A step as it is recorded: what it is given besides the state, and where it leads.

use super::Plan;
use crate::kinematics::body::Motion;
use crate::methods::State;
use crate::methods::own_steps::{Controller, OwnSteps};
use crate::model::all_channels;
use crate::model::memory::{Memory, OwnStep};
use crate::model::system::System;
use crate::model::timing::PartOfStep;
use crate::real::Real;
use crate::real::traced::{Traced, constant};

/// A new value of a state channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The channel's place in [`Program::state`](super::program::Program::state).
    pub place: usize,
    pub value: Traced,
}

/// The inputs of a step besides the state.
pub(super) struct StepInputs<'a> {
    pub plan: &'a Plan,
    pub parameter: &'a dyn Fn(usize) -> Traced,
    pub memory: &'a [Traced],
    /// The factor of a sample and a timed load.
    pub factor: &'a dyn Fn(usize, usize) -> Traced,
    /// Share of the step of the study at which own steps end; `None`: at its end.
    pub edge: Option<Traced>,
    /// The error that own steps are allowed; `None`: the constant of the method.
    pub tolerance: Option<Traced>,
}

impl StepInputs<'_> {
    /// Returns the system that the method sees, in any numbers made of recorded ones.
    pub fn system<R: Real>(&self, value: impl Fn(Traced) -> R) -> System<R> {
        let memory: Vec<R> = self.memory.iter().map(|x| value(*x)).collect();
        self.system_remembering(value, &memory)
    }

    /// Returns the system that the method sees while this is remembered.
    pub fn system_remembering<R: Real>(&self, value: impl Fn(Traced) -> R, memory: &[R]) -> System<R> {
        let (parameter, factor) =
            (|p| value((self.parameter)(p)), |sample, span| value((self.factor)(sample, span)));
        self.plan.model.system(&self.plan.schedule.samples, &parameter, memory, &factor)
    }

    /// The next attempt of an instance that chooses its own steps: a part of the step, which it
    /// takes or does not. Returns all channels of the motions and of what is remembered, and how
    /// often moments were asked for.
    pub fn attempt(&self, own: OwnSteps, before: &State<Traced>) -> (Vec<Traced>, usize) {
        let Self { plan, memory, edge, tolerance, .. } = *self;
        let model = &plan.model;
        let place = |item: OwnStep| {
            let place = model.remembered(Memory::OwnStep(item));
            place.expect("a model of a method with own steps remembers them")
        };
        let controller = Controller::new(own, tolerance, edge, |item| memory[place(item)]);
        let part = PartOfStep { from: controller.progress, share: controller.share };
        let samples = &plan.schedule.samples;
        let system = model.system_over(Some(part), samples, &self.parameter, memory, &self.factor);
        let size = |after: &[Motion<Traced>], error: &[Motion<Traced>]| {
            controller.size(&before.motions, after, error)
        };
        let (motions, square) = plan.method.recorded().estimated(&system, &before.motions, &size);
        let after = State { motions: system.dependents_solved(motions), carried: Vec::new() };
        let evaluations = system.evaluations();
        let remembered = model.remember(&system, memory, &before.motions, &after);
        let zero = constant(0.0);
        let catches = |flag: Traced| constant(0.5).select_less(flag, constant(1.0), zero);
        let event = model.memory().iter().enumerate().fold(zero, |event, (at, item)| match item {
            Memory::Flag(_) => {
                let change = catches(remembered[at]) - catches(memory[at]);
                change.mul_add(change, event)
            }
            _ => event,
        });
        let attempt = controller.outcome(square, event);
        let motions = all_channels(&before.motions).into_iter().zip(all_channels(&after.motions));
        let motions = motions.map(|(before, after)| attempt.select(before, after));
        let items = model.memory().iter().enumerate().map(|(at, item)| match item {
            Memory::OwnStep(item) => attempt.remembered(*item),
            // Whole steps of the study are counted.
            Memory::Clock => memory[at] + attempt.ends,
            item if item.is_of_whole_steps() => attempt.select_at_end(memory[at], remembered[at]),
            _ => attempt.select(memory[at], remembered[at]),
        });
        (motions.chain(items).collect(), evaluations)
    }

    /// Where a state leads. `chain`: the channels of a chain that is led there from the motions.
    pub fn flow<R: Real>(&self, system: &System<R>, before: &State<R>, chain: &[R]) -> StepOutputs<R> {
        let method = self.plan.method.recorded();
        let after = method.step(system, before);
        let after = State { motions: system.dependents_solved(after.motions), ..after };
        let evaluations = system.evaluations();
        let begin = [chain, &method.begin(system, &before.motions)].concat();
        let mut again = before.clone();
        if self.plan.projects {
            again.motions = system.projected(&before.motions);
        }
        again.carried = [chain, &method.resynchronised(system, &again)].concat();
        StepOutputs { after, begin, again, evaluations }
    }
}

/// Where a state leads.
pub(super) struct StepOutputs<R> {
    /// By a step.
    pub after: State<R>,
    /// The values that are carried, if this is the start.
    pub begin: Vec<R>,
    /// By resynchronising.
    pub again: State<R>,
    /// The number of times that the step asked for moments.
    pub evaluations: usize,
}
