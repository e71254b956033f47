//! The lead of a chain as a backend runs it: one stage, recorded once and repeated, see
//! [`crate::methods::lead`].
//!
//! Its variables are state of a loop: where a step stands, for every channel of the motions and of
//! what follows directions. Those that are zero, or that nothing reads, are none. Backends open
//! them from the state, run the stages, and close: the chain takes what they have become.

use super::Plan;
use super::step_inputs::{StepInputs, Update};
use crate::kinematics::body::Motion;
use crate::methods::lead::{LeadStage, LeadState};
use crate::methods::{Lead, Sample};
use crate::model::all_channels;
use crate::model::system::System;
use crate::model::timing::PartOfStep;
use crate::real::Real;
use crate::real::traced::{Graph, Traced, constant, leaf};

/// Leaves of the graph from here on belong to the lead: variables, then numbers that
/// differ from stage to stage.
pub(super) const FIRST_LEAF: u32 = 1 << 26;
const FIRST_NUMBER: u32 = 1 << 27;

/// An input of the lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadInput {
    /// By its number among all variables.
    Variable(usize),
    /// A number of the stage: one of [`LeadNumber`], then the factors of the timed loads.
    Number(usize),
}

/// The numbers of a stage before the factors of its loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadNumber {
    A,
    B,
    Time,
}

/// Number of [`LeadNumber`]s.
pub const LEAD_NUMBERS: usize = 3;

/// Those of a stage, in their order.
pub(super) fn numbers(stage: &LeadStage) -> [f64; LEAD_NUMBERS] {
    [stage.a, stage.b, stage.time]
}

/// The input that a leaf from [`FIRST_LEAF`] on is.
pub(super) fn input(leaf: u32) -> LeadInput {
    match leaf {
        l if l >= FIRST_NUMBER => LeadInput::Number((l - FIRST_NUMBER) as usize),
        l => LeadInput::Variable((l - FIRST_LEAF) as usize),
    }
}

/// A number of the stage under way.
fn number(number: LeadNumber) -> Traced {
    leaf(FIRST_NUMBER + number as u32)
}

/// The parts of a [`LeadState`], which the names of variables begin with.
const PARTS: [&str; 3] = ["base", "at", "sum"];

impl StepInputs<'_> {
    /// Returns the system that a stage of a lead sees: the only sample is that of the stage.
    pub fn lead_system<R: Real>(&self, lead: &Lead, value: &impl Fn(Traced) -> R, memory: &[R]) -> System<R> {
        let part = PartOfStep { from: value(time()), share: value(constant(1.0)) };
        let sample = Sample::new(0.0, lead.step, 0.0);
        let (parameter, factor) = (|p| value((self.parameter)(p)), |_, span| value(factor(span)));
        self.plan.model.system_over(Some(part), &[sample], &parameter, memory, &factor)
    }
}

/// The variables of a plan, and their known values.
pub(super) struct LeadVariables<'a> {
    pub plan: &'a Plan,
    pub lead: Lead,
    /// By channel of the motions, then of each direction: whether it is zero in all parts.
    pub zero: &'a [bool],
}

impl LeadVariables<'_> {
    /// Channels of all blocks of a plan.
    pub fn count(plan: &Plan) -> usize {
        plan.model.width() * (1 + plan.tangents.map_or(0, |tangents| tangents.directions))
    }

    /// The parts of a block. `moving`: it holds motions, of which bodies that do not turn
    /// have the unit quaternion.
    pub fn block(&self, block: usize, moving: bool) -> [Vec<Traced>; 3] {
        [0, 1, 2].map(|part| self.part(part, block, moving && part < 2))
    }

    fn part(&self, part: usize, block: usize, has_attitudes: bool) -> Vec<Traced> {
        let (plan, all) = (self.plan, self.zero.len());
        let width = plan.model.width();
        let channel = |c: usize| {
            let number = block * width + c;
            let at_rest = plan.at_rest(c).map(|x| if has_attitudes { x } else { 0.0 });
            let known = at_rest.or(self.zero[number].then_some(0.0));
            known.map_or_else(|| leaf(FIRST_LEAF + (part * all + number) as u32), constant)
        };
        (0..width).map(channel).collect()
    }

    /// Returns the values of a block after a stage, and when the step settles. `value` makes the
    /// block of the parts' traced numbers.
    pub fn recorded<R: Real>(
        &self,
        inputs: &StepInputs<'_>,
        value: impl Fn(Traced) -> R,
        memory: &[R],
        parts: [Vec<R>; 3],
    ) -> LeadBlock<R> {
        let system = inputs.lead_system(&self.lead, &value, memory);
        let [base, at, sum] = parts.map(|part| self.plan.model.motions(&part));
        let state = LeadState { base, at, sum };
        let step = system.h * system.h.lift(self.lead.step);
        let (a, b) = (value(number(LeadNumber::A)), value(number(LeadNumber::B)));
        let next = state.stage(&system, step, a, b);
        LeadBlock {
            at: all_channels(&next.at),
            sum: all_channels(&next.sum),
            settled: all_channels(&state.settled()),
        }
    }

    /// Returns the first values of the parts, from the motions.
    pub fn opened<R: Real>(motions: &[Motion<R>]) -> [Vec<R>; 3] {
        let LeadState { base, at, sum } = LeadState::open(motions.to_vec());
        [base, at, sum].map(|part| all_channels(&part))
    }
}

/// The instant of the stage under way, in steps of the method.
pub(super) fn time() -> Traced {
    number(LeadNumber::Time)
}

/// The factor of a timed load in the stage under way.
pub(super) fn factor(span: usize) -> Traced {
    leaf(FIRST_NUMBER + (LEAD_NUMBERS + span) as u32)
}

/// New values of a block.
pub(super) struct LeadBlock<R> {
    pub at: Vec<R>,
    pub sum: Vec<R>,
    pub settled: Vec<R>,
}

/// A recorded lead: by variable, block after block in each part.
#[derive(Debug, Default)]
pub(super) struct LeadRecording {
    pub open: [Vec<Traced>; 3],
    pub at: Vec<Traced>,
    pub sum: Vec<Traced>,
    pub settled: Vec<Traced>,
}

impl LeadRecording {
    /// Adds a block.
    pub fn extend(&mut self, open: [Vec<Traced>; 3], block: LeadBlock<Traced>) {
        for (all, part) in self.open.iter_mut().zip(open) {
            all.extend(part);
        }
        self.at.extend(block.at);
        self.sum.extend(block.sum);
        self.settled.extend(block.settled);
    }

    /// The values, in one row.
    pub fn values(&self) -> Vec<Traced> {
        let [base, at, sum] = &self.open;
        [base, at, sum, &self.at, &self.sum, &self.settled].into_iter().flatten().copied().collect()
    }

    /// Returns the recording with these values in the place of [its own](Self::values).
    pub fn with(self, mut values: impl Iterator<Item = Traced>) -> LeadRecording {
        let mut taken = |outputs: Vec<Traced>| values.by_ref().take(outputs.len()).collect::<Vec<_>>();
        let open = self.open.map(&mut taken);
        LeadRecording { open, at: taken(self.at), sum: taken(self.sum), settled: taken(self.settled) }
    }

    /// Whether a channel of a block, all its parts zero, stays so.
    pub fn stays_zero(&self, number: usize, is_zero: &dyn Fn(Traced) -> bool) -> bool {
        let [base, at, sum] = &self.open;
        [base, at, sum, &self.at, &self.sum, &self.settled].into_iter().all(|values| is_zero(values[number]))
    }
}

/// A lead, ready to be put into a backend's language.
#[derive(Debug, PartialEq)]
pub struct LeadProgram {
    pub lead: Lead,
    /// Timed loads: so many factors has a stage.
    pub spans: usize,
    /// The variables that are kept, ascending.
    pub variables: Vec<usize>,
    /// Their names.
    pub names: Vec<String>,
    /// Their first values, from the state.
    pub open: Vec<Update>,
    /// Their values after a stage.
    pub stage: Vec<Update>,
    /// Their values after the last stage of a step.
    pub settled: Vec<Update>,
    /// New values of channels of the state.
    pub close: Vec<Update>,
}

impl LeadProgram {
    /// Keeps the part of a recording that these new values of channels need. `names`: those of
    /// the channels of the blocks.
    pub(super) fn new(
        plan: &Plan,
        lead: Lead,
        recording: &LeadRecording,
        graph: &Graph,
        close: Vec<Update>,
        names: &[String],
    ) -> LeadProgram {
        let channels = recording.at.len();
        // By part: after a stage, and when a step settles. The base does not change in a stage.
        let LeadRecording { open, at, sum, settled } = recording;
        let zero = &open[2];
        let stage = |number: usize| match number / channels {
            0 => None,
            1 => Some(at[number % channels]),
            _ => Some(sum[number % channels]),
        };
        let settling = |number: usize| match number / channels {
            2 => zero[number % channels],
            _ => settled[number % channels],
        };
        let mut live = vec![false; PARTS.len() * channels];
        let mut roots: Vec<Traced> = close.iter().map(|update| update.value).collect();
        loop {
            let mut changed = false;
            for leaf in graph.leaves(&roots).into_iter().filter(|leaf| *leaf >= FIRST_LEAF) {
                if let LeadInput::Variable(number) = input(leaf)
                    && !live[number]
                {
                    live[number] = true;
                    roots.extend(stage(number));
                    roots.push(settling(number));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let variables: Vec<usize> = (0..live.len()).filter(|number| live[*number]).collect();
        let updates = |f: &dyn Fn(usize) -> Option<Traced>| -> Vec<Update> {
            let value = |(place, number): (usize, &usize)| Some(Update { place, value: f(*number)? });
            variables.iter().enumerate().filter_map(value).collect()
        };
        LeadProgram {
            lead,
            spans: plan.model.spans().len(),
            names: variables
                .iter()
                .map(|number| format!("{}_{}", PARTS[number / channels], names[number % channels]))
                .collect(),
            open: updates(&|number| Some(open[number / channels][number % channels])),
            stage: updates(&stage),
            settled: updates(&|number| Some(settling(number))),
            close,
            variables,
        }
    }

    /// Roots of all that it computes.
    pub fn values(&self) -> Vec<Traced> {
        let Self { open, stage, settled, close, .. } = self;
        [open, stage, settled, close].into_iter().flatten().map(|update| update.value).collect()
    }

    /// The place of an input among the variables that are kept.
    pub fn place(&self, number: usize) -> Option<usize> {
        self.variables.binary_search(&number).ok()
    }
}
