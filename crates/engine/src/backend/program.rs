//! The program that a backend runs: one step of a method on a mechanism as an expression graph, and
//! what follows from it.
//!
//! The method is run once over [`Traced`]. The graph that this leaves tells which state channels
//! anything reads (the others are dropped), what does not change during a stretch of steps
//! (computed once, beforehand), and how many operations a step takes. Backends only say it in their
//! own language: WGSL, machine code, SIMD instructions.
//!
//! Channels out of the plane of a planar mechanism are zero at the start, and every step leaves
//! them so. They are found by induction: all that are zero at the start are recorded as the
//! constant 0, those whose new value is not the constant 0 then are recorded as what they are, and
//! so on until all that is left stays. They are no state, and what they multiply costs nothing.
//!
//! In `f32_compensated` the recorded step is [rewritten](Graph::compensated) with states that are
//! sums: behind all channels, as many follow that hold their lower parts.

use std::ops::Range;

use crate::base::{Precision, Verdict};
use crate::describe::Unexplained;
use crate::kinematics::body::Motion;
use crate::methods::lead::STAGES;
use crate::methods::{Lead, Shape, State};
use crate::model::memory::{IterationCount, Memory, OwnStep};
use crate::model::system::System;
use crate::model::timing::Neighbour;
use crate::model::{all_channels, channel_names};
use crate::real::Real;
use crate::real::traced::{
    Graph, GraphNode, LeafRole, Operations, Sum, Traced, constant, leaf, operands, record,
};

use super::lead::{self, LeadInput, LeadProgram, LeadRecording, LeadVariables};
pub use super::step_inputs::Update;
use super::step_inputs::{StepInputs, StepOutputs};
use super::{Bounds, Plan};

/// Leaves of the graph: state channels from 0, then parameters, then the factors of the timed
/// loads.
const FIRST_PARAMETER: u32 = 1 << 20;
const FIRST_FACTOR: u32 = 1 << 24;
/// The step, until it is rewritten.
const STEP: u32 = 1 << 25;

/// The conditions at which a study ends instances, as kernels name them.
const CONDITIONS: [&str; Verdict::MOST_CONDITIONS] = [
    "condition",
    "condition_1",
    "condition_2",
    "condition_3",
    "condition_4",
    "condition_5",
    "condition_6",
    "condition_7",
    "condition_8",
    "condition_9",
    "condition_10",
    "condition_11",
    "condition_12",
    "condition_13",
    "condition_14",
    "condition_15",
];

/// An input of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A state channel, by its number among all channels.
    State(usize),
    /// A parameter of the model.
    Parameter(usize),
    /// A factor of a timed load: `sample * spans + span`; behind them the error that own steps are
    /// allowed, where the schedule has one, and where they are cut, the share of the step at which
    /// they end.
    Factor(usize),
    /// An input of the lead of a chain.
    Lead(LeadInput),
}

/// The number of the first channel that holds the lower part of another; `None`: numbers are no
/// sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lows(pub Option<usize>);

impl Lows {
    /// The name of the precision whose single numbers have this name.
    pub fn precision(self, of_numbers: &'static str) -> &'static str {
        if self.0.is_some() { Precision::F32Compensated.name() } else { of_numbers }
    }

    /// The channel with the lower part of this one.
    pub fn of(self, channel: usize) -> Option<usize> {
        self.0.map(|first| first + channel)
    }

    /// Returns the channel of the values that a batch starts with, and whether this is the lower
    /// part of it.
    pub fn source(self, channel: usize) -> (usize, bool) {
        match self.0 {
            Some(first) if channel >= first => (channel - first, true),
            _ => (channel, false),
        }
    }
}

/// A value, and the magnitude that it may have; a bound of zero bounds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedValue {
    /// The verdict on an instance whose value is larger.
    pub verdict: Verdict,
    /// As kernels name it.
    pub name: &'static str,
    pub value: Traced,
    pub allowed: Traced,
}

impl BoundedValue {
    /// Value and bound of each, one after the other.
    pub fn values(all: &[BoundedValue]) -> Vec<Traced> {
        all.iter().flat_map(|judged| [judged.value, judged.allowed]).collect()
    }
}

/// One step, its start, and what verdicts need, ready to be put into a backend's language.
#[derive(Debug, PartialEq)]
pub struct Program {
    pub graph: Graph,
    /// Names of all channels: those of the motions, then what the method carries.
    pub names: Vec<String>,
    /// Number of channels of the motions.
    moving: usize,
    /// Places of the kept channels that end an instance where they are no numbers.
    pub finite: Vec<Range<usize>>,
    pub lows: Lows,
    /// The channels that are kept, ascending: those of the motion come first.
    pub state: Vec<usize>,
    /// The parameters that anything reads, ascending.
    pub parameters: Vec<usize>,
    /// Number of factors: of timed loads at all samples, and what else a piece of a step tells own
    /// steps.
    pub factors: usize,
    /// Constants that anything reads.
    pub constants: Vec<Traced>,
    /// The values that a step takes from before it: they do not depend on the state.
    pub invariants: Vec<Traced>,
    pub step: Vec<Update>,
    /// The values that the method carries, at the start and when it is resynchronised; after both a
    /// chain is led.
    pub begin: Vec<Update>,
    pub resynchronised: Vec<Update>,
    /// The lead of a chain that the method carries.
    pub lead: Option<LeadProgram>,
    /// Values that are compared with bounds, the first to be passed first.
    pub judged: Vec<BoundedValue>,
    /// Names of the channels that the method advances but that nothing reads.
    pub dropped: Vec<String>,
    /// The channels that are zero from the start to the end, ascending.
    pub zero: Vec<usize>,
    /// The number of times that a step asks for moments.
    pub evaluations: usize,
    /// [`Program::step`] is an attempt of an instance that chooses its own steps.
    pub own_steps: Option<OwnStepPlaces>,
}

/// Where a program has what counts the attempts of a step: places in [`Program::state`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnStepPlaces {
    /// Share of the step that lies behind; below the end of the piece under way, another attempt
    /// follows.
    pub progress: usize,
    pub attempts: usize,
    /// 1 after an attempt at whose end the state is resynchronised; `None`: that never happens.
    pub event: Option<usize>,
}

impl Program {
    /// The program of this plan in this precision.
    pub fn new(plan: &Plan, precision: Precision) -> Program {
        let (mut names, moving) = names(plan);
        let channels = names.len();
        let (mut recording, mut zero) = Recording::folded(plan, precision, channels);
        let mut lows = Lows(None);
        if precision == Precision::F32Compensated {
            (recording, zero) = recording.compensated(plan, zero);
            lows = Lows(Some(channels));
            names.extend_from_within(..);
            names[channels..].iter_mut().for_each(|name| name.insert_str(0, "low_"));
        }
        let recording = recording.regrouped();
        let state = recording.live_channels(plan, &zero);
        let update = |values: &[Traced], first: usize| -> Vec<Update> {
            let kept = state.iter().enumerate().filter(|(_, channel)| **channel >= first);
            kept.map(|(place, channel)| Update { place, value: values[channel - first] }).collect()
        };
        let is_led = |u: &Update| recording.leads(plan, channels, state[u.place]);
        let dropped = recording.dropped(plan, &state, &zero).filter(|c| *c < channels);
        let dropped = dropped.map(|c| names[c].clone()).collect();
        let step = update(&recording.step, 0);
        let is_own =
            |u: &Update| recording.graph.expression(u.value) == GraphNode::Leaf(state[u.place] as u32);
        let (close, mut begin): (Vec<Update>, Vec<Update>) =
            update(&recording.begin, moving).into_iter().partition(is_led);
        begin.retain(|u| state[u.place] < channels || !is_own(u));
        // Channels that resynchronising leaves as they are need no update, unless the method
        // carries them, or they are lower parts of such: those begin anew.
        let mut resynchronised = update(&recording.resynchronised, 0);
        let is_carried = |u: &Update| state[u.place] % channels >= moving;
        resynchronised.retain(|u| !is_led(u) && (is_carried(u) || !is_own(u)));
        let lead = recording.lead.as_ref().filter(|_| !close.is_empty()).map(|(lead, recorded)| {
            LeadProgram::new(plan, *lead, recorded, &recording.graph, close, &lead_names(plan))
        });
        let Recording { graph, judged, evaluations, .. } = recording;
        let values = |updates: &[Update]| updates.iter().map(|u| u.value).collect::<Vec<_>>();
        let step_values = values(&step);
        let led = lead.as_ref().map_or_else(Vec::new, LeadProgram::values);
        let all = [
            &step_values[..],
            &values(&begin),
            &values(&resynchronised),
            &led,
            &BoundedValue::values(&judged),
        ]
        .concat();
        let parameters = graph
            .leaves(&all)
            .into_iter()
            .filter_map(|l| match input(l) {
                Input::Parameter(p) => Some(p),
                _ => None,
            })
            .collect();
        let marked = graph.reachable(&all);
        let is_constant = |n: Traced| graph.constant(n).is_some();
        let constants =
            graph.nodes().map(|(n, _)| n).filter(|n| marked[n.index()] && is_constant(*n)).collect();
        let invariants = invariants(&graph, &step_values);
        let own = |item: OwnStep| {
            let channel = plan.model.width() + plan.model.remembered(Memory::OwnStep(item))?;
            state.binary_search(&channel).ok()
        };
        let own_steps = own(OwnStep::Progress).zip(own(OwnStep::Attempts));
        let event = own(OwnStep::Event);
        let must_be_finite = |channel: usize| {
            let remembered = lows.source(channel).0.checked_sub(plan.model.width());
            let item = remembered.and_then(|at| plan.model.memory().get(at));
            item.is_none_or(|item| item.must_be_finite())
        };
        let places = 0..observed(lows, &state, moving);
        let finite = places.filter(|place| must_be_finite(state[*place])).fold(Vec::new(), extended);
        Program {
            finite,
            own_steps: own_steps.map(|(progress, attempts)| OwnStepPlaces { progress, attempts, event }),
            names,
            moving,
            lows,
            state,
            parameters,
            factors: plan.factors(),
            constants,
            invariants,
            step,
            begin,
            resynchronised,
            lead,
            judged,
            dropped,
            zero: (0..channels).filter(|c| zero[*c] && plan.moving.get(*c) != Some(&false)).collect(),
            evaluations,
            graph,
        }
    }

    /// Returns the input that the leaf stands for, where `node` is one.
    pub fn input(&self, node: Traced) -> Option<Input> {
        match self.graph.expression(node) {
            GraphNode::Leaf(l) => Some(input(l)),
            _ => None,
        }
    }

    /// Number of kept channels that a snapshot copies: those of the motion; of sums all, as lower
    /// parts come last.
    pub fn observed(&self) -> usize {
        observed(self.lows, &self.state, self.moving)
    }

    /// The place of a channel among those kept.
    pub fn place(&self, channel: usize) -> Option<usize> {
        self.state.binary_search(&channel).ok()
    }

    /// The place of a channel's lower part, where it has one.
    pub fn place_of_low(&self, channel: usize) -> Option<usize> {
        self.lows.of(channel).and_then(|low| self.place(low))
    }

    /// Operations of these updates, given the invariants.
    pub fn operations(&self, updates: &[Update]) -> Operations {
        let roots: Vec<Traced> = updates.iter().map(|u| u.value).collect();
        let depends = self.graph.depends(|leaf| is_state(leaf) || leaf >= lead::FIRST_LEAF);
        let marked = self.graph.reachable(&roots);
        let mut operations = Operations::default();
        for (node, expression) in self.graph.nodes() {
            if marked[node.index()] && depends[node.index()] {
                operations.count(expression);
            }
        }
        operations
    }

    /// Floating-point operations of a start, or of resynchronising, by these updates; a lead
    /// included.
    pub fn restart(&self, updates: &[Update]) -> usize {
        let total = |updates: &[Update]| self.operations(updates).total();
        let led =
            self.lead.as_ref().map_or(0, |LeadProgram { lead, open, stage, settled, close, .. }| {
                let stages = lead.steps * (STAGES * total(stage) + total(settled));
                total(open) + stages + total(close)
            });
        total(updates) + led
    }
}

/// For every channel, whether it is zero from the start to the end: of the motions, none but those
/// in [`Plan::zeros`].
pub fn staying_zero(plan: &Plan, precision: Precision) -> Vec<bool> {
    let (names, _) = names(plan);
    Recording::folded(plan, precision, names.len()).1
}

/// Number of kept channels that a snapshot copies, see [`Program::observed`].
fn observed(lows: Lows, state: &[usize], moving: usize) -> usize {
    match lows {
        Lows(Some(_)) => state.len(),
        Lows(None) => state.iter().filter(|c| **c < moving).count(),
    }
}

/// Ranges of ascending places, with one more.
fn extended(mut ranges: Vec<Range<usize>>, place: usize) -> Vec<Range<usize>> {
    match ranges.last_mut() {
        Some(last) if last.end == place => last.end += 1,
        _ => ranges.push(place..place + 1),
    }
    ranges
}

/// Names of all channels, and how many of them are of the motions.
fn names(plan: &Plan) -> (Vec<String>, usize) {
    let shape =
        Shape { modes: plan.model.modes(), rows: plan.model.rows(), carried_rows: plan.model.carried_rows() };
    let mut names = channel_names(&shape.modes);
    names.extend(plan.model.memory().iter().map(|item| item.name()));
    if let Some(tangents) = &plan.tangents {
        names.extend(tangents.names(&plan.model));
    }
    let moving = names.len();
    let carried = plan.method.recorded().carried(&shape);
    if let Some(tangents) = &plan.tangents {
        let of_tangents = tangents.carried_names(&carried);
        names.extend(carried);
        names.extend(of_tangents);
    } else {
        names.extend(carried);
    }
    (names, moving)
}

/// Names of the channels of a lead's blocks.
fn lead_names(plan: &Plan) -> Vec<String> {
    let of_motions = channel_names(&plan.model.modes());
    let of_directions = plan.tangents.map_or_else(Vec::new, |tangents| tangents.carried_names(&of_motions));
    [of_motions, of_directions].concat()
}

fn input(leaf: u32) -> Input {
    match leaf {
        l if l >= lead::FIRST_LEAF => Input::Lead(lead::input(l)),
        l if l >= FIRST_FACTOR => Input::Factor((l - FIRST_FACTOR) as usize),
        l if l >= FIRST_PARAMETER => Input::Parameter((l - FIRST_PARAMETER) as usize),
        l => Input::State(l as usize),
    }
}

fn is_state(leaf: u32) -> bool {
    leaf < FIRST_PARAMETER
}

/// The values that one recording leaves, by channel.
struct Recording {
    graph: Graph,
    step: Vec<Traced>,
    /// From the first carried channel on.
    begin: Vec<Traced>,
    resynchronised: Vec<Traced>,
    lead: Option<(Lead, LeadRecording)>,
    judged: Vec<BoundedValue>,
    evaluations: usize,
}

/// All bounds that end an instance, in the order in which they are checked.
fn bounded(
    plan: &Plan,
    parameter: &impl Fn(usize) -> Traced,
    motions: &[Motion<Traced>],
    memory: &[Traced],
    system: &System<Traced>,
) -> Vec<BoundedValue> {
    let model = &plan.model;
    let change = || {
        let energy = model.energy(parameter, memory);
        energy.change(motions, parameter(model.start_energy()))
    };
    let judged = |value: Traced, allowed: Traced| BoundedValue {
        verdict: Verdict::EnergyBound,
        name: "energy_change",
        value,
        allowed,
    };
    let energy = match plan.bounds {
        Bounds { energy: Some(bound), .. } => {
            Some(judged(change(), parameter(model.start_energy() + 1) * constant(bound)))
        }
        Bounds { unexplained: Unexplained::Nothing, .. } => None,
        Bounds { unexplained, weight, .. } => {
            let allowed = model.unexplained_energy(parameter, motions, memory, weight);
            let (change, zero) = (change(), constant(0.0));
            let value = match unexplained {
                Unexplained::Gain => zero.select_less(change, change, zero),
                Unexplained::Nothing | Unexplained::Change => change,
            };
            Some(judged(value, allowed))
        }
    };
    let violation = plan.bounds.constraint.map(|bound| BoundedValue {
        verdict: Verdict::ConstraintBound,
        name: "constraint_violation",
        value: model.violation(motions, parameter, memory),
        allowed: constant(bound),
    });
    let stuck =
        plan.method.recorded().own_steps().and_then(|_| model.remembered(Memory::OwnStep(OwnStep::Stuck)));
    let stuck = stuck.map(|at| BoundedValue {
        verdict: Verdict::StepTooSmall,
        name: "no_step_is_short_enough",
        value: memory[at],
        allowed: constant(0.5),
    });
    let open = model.remembered(Memory::Iteration(IterationCount::Open)).map(|at| BoundedValue {
        verdict: Verdict::NotConverged,
        name: "step_is_not_solved",
        value: memory[at],
        allowed: constant(0.5),
    });
    let conditions = model.mechanism().ends.iter().zip(CONDITIONS).enumerate();
    let conditions = conditions.filter(|(_, (end, _))| !end.at_end);
    let conditions = conditions.map(|(number, (end, name))| BoundedValue {
        verdict: Verdict::Condition(number as u8),
        name,
        value: system.function(&end.when, 0.0, Neighbour::After, motions),
        allowed: constant(0.5),
    });
    let judged = stuck.into_iter().chain(open).chain(conditions).chain(energy).chain(violation);
    judged.collect()
}

impl Recording {
    /// The recording in which all channels that stay zero are constants, and which those are.
    ///
    /// By induction over the steps: what is zero at the start, and has the new value 0 as long as
    /// all of these are zero, stays zero. What the method carries starts with the value that
    /// `begin` gives it.
    fn folded(plan: &Plan, precision: Precision, channels_in_all: usize) -> (Recording, Vec<bool>) {
        let first_carried = plan.moving.len();
        let is_zero = |graph: &Graph, value: Traced| graph.constant(value) == Some(0.0);
        let known = &plan.zeros.channels;
        let mut zero: Vec<bool> = (0..channels_in_all).map(|c| known.get(c) == Some(&true)).collect();
        // A lead opens with the motions.
        let width = plan.model.width();
        let mut zero_led: Vec<bool> = (0..LeadVariables::count(plan)).map(|c| c < width && zero[c]).collect();
        if known.len() <= first_carried && first_carried < channels_in_all && zero.contains(&true) {
            // Only what begins with zero: of a quaternion that is zero as a whole no step can be
            // told.
            let Recording { graph, begin, .. } = Recording::new(plan, precision, &zero, &zero_led);
            for (zero, begin) in zero[first_carried..].iter_mut().zip(begin) {
                *zero = is_zero(&graph, begin);
            }
        }
        loop {
            let recording = Recording::new(plan, precision, &zero, &zero_led);
            let Recording { graph, step, begin, resynchronised, lead, .. } = &recording;
            let stays = |c: usize| {
                let begins = |k: usize| is_zero(graph, begin[k]);
                is_zero(graph, step[c])
                    && is_zero(graph, resynchronised[c])
                    && c.checked_sub(first_carried).is_none_or(begins)
            };
            let stay: Vec<bool> = (0..channels_in_all).map(|c| zero[c] && stays(c)).collect();
            let stays_led = |c: usize| {
                lead.as_ref().is_none_or(|(_, lead)| lead.stays_zero(c, &|value| is_zero(graph, value)))
            };
            let stay_led: Vec<bool> = (0..zero_led.len()).map(|c| zero_led[c] && stays_led(c)).collect();
            if stay == zero && stay_led == zero_led {
                return (recording, zero);
            }
            (zero, zero_led) = (stay, stay_led);
        }
    }

    /// `zero`: the channels to be recorded as the constant 0; `zero_led`: those of a lead's blocks.
    fn new(plan: &Plan, precision: Precision, zero: &[bool], zero_led: &[bool]) -> Recording {
        let (graph, recorded) = record(precision, || {
            let model = &plan.model;
            let values: Vec<Traced> = (0..zero.len())
                .map(|c| {
                    let known = plan.at_rest(c).or(zero[c].then_some(0.0));
                    known.map_or_else(|| leaf(c as u32), constant)
                })
                .collect();
            let is_step = |p: usize| precision == Precision::F32Compensated && p == model.step();
            let parameter = |p: usize| {
                let varies = model.varies(p) && plan.zeros.parameters.get(p) != Some(&true);
                match varies {
                    true => leaf(FIRST_PARAMETER + p as u32),
                    false if is_step(p) => leaf(STEP),
                    false => constant(plan.constants[p]),
                }
            };
            let spans = model.spans().len();
            let factor = |sample: usize, span: usize| {
                // Samples over the same interval have the same factors.
                let samples = &plan.schedule.samples;
                let first = samples.iter().position(|other| other.interval() == samples[sample].interval());
                leaf(FIRST_FACTOR + (first.unwrap_or(sample) * spans + span) as u32)
            };
            let (moving, carried) = values.split_at(plan.moving.len());
            let (moving, rest) = moving.split_at(model.width());
            let (memory, followed) = rest.split_at(model.memory().len());
            let own =
                plan.tangents.as_ref().map_or(carried.len(), |tangents| tangents.of_motion(carried.len()));
            let (carried, followed_carried) = carried.split_at(own);
            let factor_at = |place: usize| leaf(FIRST_FACTOR + place as u32);
            let tolerance = plan.schedule.tolerance.map(|_| factor_at(plan.schedule.samples.len() * spans));
            let edge = plan.schedule.has_edge().then(|| factor_at(plan.factors() - 1));
            let inputs = StepInputs { plan, parameter: &parameter, memory, factor: &factor, edge, tolerance };
            let before = State { motions: model.motions(moving), carried: carried.to_vec() };
            let own_steps = plan.method.recorded().own_steps();
            let system = inputs.system(|x| x);
            let led = plan.method.recorded().lead();
            let led = led.map(|lead| LeadVariables { plan, lead, zero: zero_led });
            let parts = led.as_ref().map(|led| led.block(0, true));
            let chain = parts.as_ref().map_or(&[][..], |[base, ..]| base);
            let flow = inputs.flow(&system, &before, chain);
            let tangents = plan.tangents.as_ref();
            let tangents = tangents
                .map(|of| of.record(&inputs, &before, &flow, led.as_ref(), followed, followed_carried));
            let StepOutputs { after, begin, again, evaluations } = flow;
            let tangents = tangents.unwrap_or_default();
            let lead = led.zip(parts).map(|(led, parts)| {
                let mut recorded = LeadRecording::default();
                let block = led.recorded(&inputs, |x| x, memory, parts);
                recorded.extend(LeadVariables::opened(&before.motions), block);
                tangents.lead.into_iter().for_each(|(open, block)| recorded.extend(open, block));
                (led.lead, recorded)
            });
            let begin: Vec<Traced> = begin.into_iter().chain(tangents.begin).collect();
            let resynchronised = all_channels(&again.motions).into_iter().chain(memory.iter().copied());
            let resynchronised = resynchronised.chain(tangents.resynchronised).chain(again.carried);
            let resynchronised: Vec<Traced> = resynchronised.chain(tangents.resynchronised_carried).collect();
            let judged = bounded(plan, &parameter, &before.motions, memory, &system);
            let (step, evaluations) = match own_steps {
                Some(own) => inputs.attempt(own, &before),
                None => {
                    let remembered = model.remember(&system, memory, &before.motions, &after);
                    let motions = all_channels(&after.motions);
                    (motions.into_iter().chain(remembered).collect(), evaluations)
                }
            };
            let step = step.into_iter().chain(tangents.step);
            let step = step.chain(after.carried).chain(tangents.step_carried).collect();
            (step, begin, resynchronised, lead, judged, evaluations)
        });
        let (step, begin, resynchronised, lead, judged, evaluations): (
            Vec<Traced>,
            Vec<Traced>,
            Vec<Traced>,
            _,
            _,
            _,
        ) = recorded;
        Recording { graph, step, begin, resynchronised, lead, judged, evaluations }
    }

    /// The recording in single precision with states that are sums, and which channels are zero:
    /// the lower parts of all channels follow them. Counts, flags and what is told anew at every
    /// step have none.
    fn compensated(self, plan: &Plan, mut zero: Vec<bool>) -> (Recording, Vec<bool>) {
        let (channels, first_carried) = (self.step.len(), plan.moving.len());
        let (model, width) = (&plan.model, plan.model.width());
        let is_sum = |c: usize| {
            let added_up = |item: &Memory| matches!(item, Memory::Work | Memory::Outcome { .. });
            let remembered = c.checked_sub(width).and_then(|c| model.memory().get(c));
            !zero[c] && plan.at_rest(c).is_none() && remembered.is_none_or(added_up)
        };
        let mut sums: Vec<bool> = (0..channels).map(is_sum).collect();
        let of_step = FIRST_PARAMETER + model.step() as u32;
        let states =
            |values: &[Traced]| values.iter().copied().zip(0..).map(|(x, c)| (c, x)).collect::<Vec<_>>();
        let (step, again) = (states(&self.step), states(&self.resynchronised));
        let judged = BoundedValue::values(&self.judged);
        let led = self.lead.as_ref().map_or_else(Vec::new, |(_, lead)| lead.values());
        let others = [&self.begin[..], &judged, &led].concat();
        loop {
            let role = |leaf: u32| match leaf {
                STEP => LeafRole::Step(plan.constants[model.step()]),
                leaf if leaf == of_step => LeafRole::OwnStep,
                leaf if sums.get(leaf as usize) == Some(&true) => LeafRole::Sum(leaf + channels as u32),
                _ => LeafRole::Plain,
            };
            let (graph, values, rest) = self.graph.compensated(role, &[&step[..], &again].concat(), &others);
            let (stepped, again) = values.split_at(channels);
            // A number that a step makes anew has no lower part, and then others may have none.
            let is_kept = |c: usize| sums[c] && stepped[c].low.is_some();
            let kept: Vec<bool> = (0..channels).map(is_kept).collect();
            if kept != sums {
                sums = kept;
                continue;
            }
            let mut graph = graph;
            let mut lower = |sum: &Sum| sum.low.unwrap_or_else(|| graph.constant_node(0.0));
            let mut with_lows = |values: &[Sum]| -> Vec<Traced> {
                let high = values.iter().map(|sum| sum.high).collect::<Vec<_>>();
                high.into_iter().chain(values.iter().map(&mut lower)).collect()
            };
            let (step, resynchronised) = (with_lows(stepped), with_lows(again));
            let mut rest = rest.into_iter();
            let mut begin: Vec<Traced> = rest.by_ref().take(self.begin.len()).collect();
            begin.extend((0..channels).map(|c| match sums[c] && c < first_carried {
                true => graph.leaf_node((c + channels) as u32),
                false => graph.constant_node(0.0),
            }));
            zero.extend(sums.iter().map(|sum| !sum));
            let judged = judged_as(self.judged, &mut rest);
            let lead = self.lead.map(|(lead, recorded)| (lead, recorded.with(rest)));
            let evaluations = self.evaluations;
            return (Recording { graph, step, begin, resynchronised, lead, judged, evaluations }, zero);
        }
    }

    /// The recording in the order of operations of all backends: see [`Graph::regrouped`].
    fn regrouped(self) -> Recording {
        let led = self.lead.as_ref().map_or_else(Vec::new, |(_, lead)| lead.values());
        let judged = BoundedValue::values(&self.judged);
        let all = [&self.step[..], &self.begin, &self.resynchronised, &judged, &led].concat();
        let (graph, roots) = self.graph.regrouped(&all);
        let mut roots = roots.into_iter();
        let mut take = |n: usize| roots.by_ref().take(n).collect::<Vec<Traced>>();
        let step = take(self.step.len());
        let begin = take(self.begin.len());
        let resynchronised = take(self.resynchronised.len());
        let judged = judged_as(self.judged, &mut roots);
        let lead = self.lead.map(|(lead, recorded)| (lead, recorded.with(roots)));
        Recording { graph, step, begin, resynchronised, lead, judged, evaluations: self.evaluations }
    }

    /// Whether a channel, of so many, is one of a chain that is led, or of its tangents.
    fn leads(&self, plan: &Plan, channels: usize, channel: usize) -> bool {
        let all = channels - plan.moving.len();
        let carried = plan.tangents.map_or(all, |tangents| tangents.of_motion(all));
        let is_of_chain = |c: usize| c % carried < plan.model.width();
        let place = channel.checked_sub(plan.moving.len()).filter(|place| *place < all);
        self.lead.is_some() && place.is_some_and(is_of_chain)
    }

    /// The channels that are not kept and that a step would change.
    fn dropped(&self, plan: &Plan, kept: &[usize], zero: &[bool]) -> impl Iterator<Item = usize> {
        let changes = |c: &usize| {
            let rests = plan.moving.get(*c) == Some(&false) || zero[*c];
            let value = self.graph.expression(self.step[*c]);
            !rests && !matches!(value, GraphNode::Constant(_)) && value != GraphNode::Leaf(*c as u32)
        };
        (0..self.step.len()).filter(|c| !kept.contains(c)).filter(changes)
    }

    /// The state channels that outputs need, directly or through later steps.
    fn live_channels(&self, plan: &Plan, zero: &[bool]) -> Vec<usize> {
        let n = self.step.len();
        let mut live: Vec<bool> = (0..n).map(|c| plan.moving.get(c) == Some(&true) && !zero[c]).collect();
        loop {
            let roots: Vec<Traced> = (0..n)
                .filter(|c| live[*c])
                .flat_map(|c| {
                    let begins = c.checked_sub(plan.moving.len()).map(|k| self.begin[k]);
                    [self.step[c], self.resynchronised[c]].into_iter().chain(begins)
                })
                .chain(BoundedValue::values(&self.judged))
                .collect();
            let mut changed = false;
            for leaf in self.graph.leaves(&roots) {
                if is_state(leaf) && !live[leaf as usize] {
                    live[leaf as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return (0..n).filter(|c| live[*c]).collect();
            }
        }
    }
}

/// The numbers that are compared with bounds, by these values: two of each.
fn judged_as(mut judged: Vec<BoundedValue>, values: &mut impl Iterator<Item = Traced>) -> Vec<BoundedValue> {
    for (judged, value) in judged.iter_mut().zip(std::iter::from_fn(|| values.next().zip(values.next()))) {
        (judged.value, judged.allowed) = value;
    }
    judged
}

/// Returns the values that the step takes from before it: those that do not depend on the state and
/// that are results or are used by values which do. Constants are not among them.
fn invariants(graph: &Graph, step: &[Traced]) -> Vec<Traced> {
    let depends = graph.depends(is_state);
    let reached = graph.reachable(step);
    let mut invariants: Vec<Traced> = Vec::new();
    let mut take = |n: Traced| {
        if !depends[n.index()] && graph.constant(n).is_none() && !invariants.contains(&n) {
            invariants.push(n);
        }
    };
    for (node, expression) in graph.nodes() {
        if reached[node.index()] && depends[node.index()] {
            operands(expression).for_each(&mut take);
        }
    }
    step.iter().copied().for_each(&mut take);
    invariants
}
