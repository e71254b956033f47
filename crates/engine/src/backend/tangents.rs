//! Tangents: where neighbours of an instance go, to first order, followed by the same program
//! that moves the instance.
//!
//! A step is a map of motions and of what the method carries. Recorded over [`Dual`] numbers it
//! leaves, besides the new state, the derivative of that map along a direction: restarts of half
//! chains, multipliers and projections too, as they are part of the map. Directions are further
//! state channels, of which backends know nothing.
//!
//! Remembered numbers (unwrapped angles, the clock) tell which turn or time it is and have no
//! slope; locks would have. States of laws and momenta of rotors are rates, whose coordinates
//! nothing feels: no direction leads along these. Values at which signals are held have. Those of
//! sampled states are a part of the state and of a direction's length; others are numbers that a
//! map of the state has made, and follow each direction without being a part of its length.
//!
//! Every step ends with the directions made orthonormal and their growth taken in. That is no
//! approximation: what is carried is combined in the same way, and the product of the triangular
//! factors of all steps is that of the whole way. Lengths are those of the numbers of the state, in
//! SI: of `dq` (half an angle), `dw`, `dr`, `dv`, and of modal coordinates and their rates. Another
//! measure changes the exponents by a constant over the time.

use crate::kinematics::body::{ModalCoordinates, Motion};
use crate::math::orthonormal::{Direction, Growth, orthonormalise};
use crate::math::quaternion::{inverse, product, times_vector};
use crate::methods::State;
use crate::model::memory::Memory;
use crate::model::system::System;
use crate::model::{Model, WIDTH, all_channels, channel_names};
use crate::real::traced::{Traced, constant};
use crate::real::{Dual, Real};

use super::lead::{LeadBlock, LeadVariables};
use super::step_inputs::{StepInputs, StepOutputs};
use super::{Batch, Plan};

/// Number of coordinates of a body's frame: rotation (rad) and angular velocity (rad/s), principal
/// axes; position (m) and velocity (m/s) of the mass centre, space axes.
pub const COORDINATES: usize = 12;

/// Returns the number of coordinates of a state: [`COORDINATES`] of every body, then all modal
/// coordinates and their rates, as the state's channels have them, then the sampled states.
pub fn coordinates_of(model: &Model) -> usize {
    COORDINATES * model.bodies() + model.width() - WIDTH * model.bodies() + sampled_states(model)
}

fn sampled_states(model: &Model) -> usize {
    model.mechanism().sampled_states().count()
}

/// The directions that a run follows besides the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangents {
    pub directions: usize,
    pub by: Derivative,
    /// Directions are made orthonormal after every step, and their growth is kept; else
    /// they grow as they may.
    pub orthonormal: bool,
}

/// Where the change along a direction comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivative {
    /// Exactly, by dual numbers.
    Exact,
    /// From a neighbour so far away: a second motion. After every step it is put back to this
    /// distance.
    Neighbour(f64),
}

/// Channels of growth: mantissa and doublings.
const GROWTH: usize = 2;

impl Tangents {
    /// So many exact, orthonormal directions.
    pub fn exact(directions: usize) -> Tangents {
        Tangents { directions, by: Derivative::Exact, orthonormal: true }
    }

    /// State channels of a direction of this model, before those of what is carried.
    fn width(&self, model: &Model) -> usize {
        model.width() + held_at(model).len() + if self.orthonormal { GROWTH } else { 0 }
    }

    /// Returns the number of the motion's own channels among so many carried ones.
    pub(super) fn of_motion(&self, carried: usize) -> usize {
        carried / (1 + self.directions)
    }

    /// Names of the channels before what is carried.
    pub(super) fn names(&self, model: &Model) -> Vec<String> {
        let names_of = |d: usize| {
            let of_motions = channel_names(&model.modes()).into_iter();
            let of_held = held_at(model).into_iter().map(|(_, at)| model.memory()[at].name());
            let mut names: Vec<String> =
                of_motions.chain(of_held).map(|name| format!("t{d}_{name}")).collect();
            if self.orthonormal {
                names.extend([format!("growth_{d}"), format!("doublings_{d}")]);
            }
            names
        };
        (0..self.directions).flat_map(names_of).collect()
    }

    /// Names of the tangents of what is carried.
    pub(super) fn carried_names(&self, carried: &[String]) -> Vec<String> {
        (0..self.directions).flat_map(|d| carried.iter().map(move |name| format!("t{d}_{name}"))).collect()
    }

    /// Records the new values of the directions. `flow`: the step of the motion itself; `led`: the
    /// variables of a chain; `directions`: the directions' channels; `carried`: those of what is
    /// carried.
    pub(super) fn record(
        &self,
        inputs: &StepInputs<'_>,
        before: &State<Traced>,
        flow: &StepOutputs<Traced>,
        led: Option<&LeadVariables<'_>>,
        directions: &[Traced],
        carried: &[Traced],
    ) -> Recorded {
        let model = &inputs.plan.model;
        let (of_motions, held) = (model.width(), held_at(model).len());
        let follow = held - sampled_states(model);
        let width = self.width(model);
        let mut recorded = Recorded::default();
        let mut stepped = Vec::new();
        let mut growths = Vec::new();
        for d in 0..self.directions {
            let block = &directions[d * width..(d + 1) * width];
            let (tangent, rest) = block.split_at(of_motions);
            let (held, growth) = rest.split_at(held);
            let carried = &carried[d * before.carried.len()..][..before.carried.len()];
            let from = Tangent { motions: tangent, held, carried };
            // The first block is that of the motion.
            let led = led.map(|variables| LedDirection { variables, block: 1 + d });
            let mut slope = match self.by {
                Derivative::Exact => exactly(inputs, before, led, &from),
                Derivative::Neighbour(far) => by_neighbour(far, inputs, before, flow, led, &from),
            };
            for channel in model.unfelt() {
                slope.after.along[channel] = constant(0.0);
                slope.again.along[channel] = constant(0.0);
            }
            recorded.lead.extend(slope.lead);
            recorded.begin.extend(slope.begin);
            recorded.resynchronised.extend(slope.again.along);
            recorded.resynchronised.extend(held);
            recorded.resynchronised.extend(growth);
            recorded.resynchronised_carried.extend(slope.again.carried);
            stepped.push(slope.after);
            growths.push(growth);
        }
        let grown = if self.orthonormal { orthonormalise(&mut stepped) } else { Vec::new() };
        for (d, mut direction) in stepped.into_iter().enumerate() {
            recorded.step.extend(direction.along);
            // Held values that follow a direction as carried ones do are the last of them.
            let of_held = direction.carried.split_off(direction.carried.len() - follow);
            recorded.step.extend(of_held);
            if let ([mantissa, doublings], Some(grown)) = (growths[d], grown.get(d)) {
                let growth = Growth { mantissa: *mantissa, doublings: *doublings }.times(*grown);
                recorded.step.extend([growth.mantissa, growth.doublings]);
            }
            recorded.step_carried.extend(direction.carried);
        }
        recorded
    }

    /// The channels of a direction's growth among all.
    fn growth(&self, model: &Model, direction: usize) -> [usize; 2] {
        let first = self.first(model, direction) + model.width() + held_at(model).len();
        [first, first + 1]
    }

    /// The logarithm of a direction's growth, from the planes of a state: of instance i.
    pub fn ln_growth(&self, model: &Model, direction: usize, states: &[Vec<f64>], i: usize) -> f64 {
        let [mantissa, doublings] = self.growth(model, direction).map(|c| states[c][i]);
        Growth { mantissa, doublings }.ln()
    }

    /// The channels of a direction's motions and of its sampled states, first and past the last.
    pub fn channels(&self, model: &Model, direction: usize) -> std::ops::Range<usize> {
        let first = self.first(model, direction);
        first..first + model.width() + sampled_states(model)
    }

    /// The first channel of a direction.
    fn first(&self, model: &Model, direction: usize) -> usize {
        model.width() + model.memory().len() + direction * self.width(model)
    }
}

/// The new values of directions in a recording: channels before what is carried, and
/// those of what is carried.
#[derive(Default)]
pub(super) struct Recorded {
    pub step: Vec<Traced>,
    pub step_carried: Vec<Traced>,
    /// Tangents of what is carried, at a start.
    pub begin: Vec<Traced>,
    pub resynchronised: Vec<Traced>,
    pub resynchronised_carried: Vec<Traced>,
    /// By direction, what the variables of a lead open with, and what becomes of them.
    pub lead: Vec<([Vec<Traced>; 3], LeadBlock<Traced>)>,
}

/// Where a direction leads.
struct Slope {
    after: Direction<Traced>,
    begin: Vec<Traced>,
    again: Direction<Traced>,
    lead: Option<([Vec<Traced>; 3], LeadBlock<Traced>)>,
}

/// The variables of a lead, and which of them belong to a direction.
#[derive(Clone, Copy)]
struct LedDirection<'a> {
    variables: &'a LeadVariables<'a>,
    block: usize,
}

/// A direction before a step.
struct Tangent<'a> {
    motions: &'a [Traced],
    /// Change of the values at which signals are held.
    held: &'a [Traced],
    carried: &'a [Traced],
}

/// The sampled signals, each with the place of its value among what is remembered; those that show
/// states come first.
fn held_at(model: &Model) -> Vec<(usize, usize)> {
    let place = |(at, item): (usize, &Memory)| match item {
        Memory::Held(signal) => Some((*signal, at)),
        _ => None,
    };
    let states: Vec<usize> = model.mechanism().sampled_states().map(|(shown, _)| shown).collect();
    let mut places: Vec<(usize, usize)> = model.memory().iter().enumerate().filter_map(place).collect();
    places.sort_by_key(|(signal, _)| states.iter().position(|shown| shown == signal).unwrap_or(states.len()));
    places
}

/// The direction of a state and of what is held there, in the order of `held_at`.
fn direction<R>(model: &Model, mut along: Vec<R>, mut carried: Vec<R>, mut held: Vec<R>) -> Direction<R> {
    let follow = held.split_off(sampled_states(model).min(held.len()));
    along.extend(held);
    carried.extend(follow);
    Direction { along, carried }
}

/// Returns the memory in numbers that `value` makes of it, and `moved` of the held values and their
/// change.
fn remembering<R>(
    inputs: &StepInputs<'_>,
    signals: &[Traced],
    value: impl Fn(Traced) -> R,
    moved: impl Fn(Traced, Traced) -> R,
) -> Vec<R> {
    let places = held_at(&inputs.plan.model);
    let mut memory: Vec<R> = inputs.memory.iter().map(|x| value(*x)).collect();
    for ((_, at), change) in places.into_iter().zip(signals) {
        memory[at] = moved(inputs.memory[at], *change);
    }
    memory
}

/// The values at which signals are held after a step.
fn held_after<R: Real>(
    inputs: &StepInputs<'_>,
    system: &System<R>,
    memory: &[R],
    after: &State<R>,
) -> Vec<R> {
    let model = &inputs.plan.model;
    let values = model.sampled(system, memory, &after.motions).held;
    held_at(model).into_iter().filter_map(|(signal, _)| values[signal]).collect()
}

fn exactly(
    inputs: &StepInputs<'_>,
    before: &State<Traced>,
    led: Option<LedDirection<'_>>,
    from: &Tangent<'_>,
) -> Slope {
    let dual = |value: Traced, tangent: Traced| Dual { value, tangent };
    let along = |values: &[Traced], tangents: &[Traced]| -> Vec<Dual<Traced>> {
        values.iter().zip(tangents).map(|(x, t)| dual(*x, *t)).collect()
    };
    let before = State {
        motions: inputs.plan.model.motions(&along(&all_channels(&before.motions), from.motions)),
        carried: along(&before.carried, from.carried),
    };
    let memory = remembering(inputs, from.held, Dual::constant, dual);
    let system = inputs.system_remembering(Dual::constant, &memory);
    let parts = led.map(|LedDirection { variables, block }| {
        let [of_motion, tangents] = [variables.block(0, true), variables.block(block, false)];
        std::array::from_fn(|part| along(&of_motion[part], &tangents[part]))
    });
    let chain = parts.as_ref().map_or(&[][..], |[base, ..]: &[Vec<_>; 3]| base);
    let StepOutputs { after, begin, again, .. } = inputs.flow(&system, &before, chain);
    let signals = held_after(inputs, &system, &memory, &after);
    let tangents = |outputs: Vec<Dual<Traced>>| outputs.into_iter().map(|x| x.tangent).collect::<Vec<_>>();
    let lead = led.zip(parts).map(|(LedDirection { variables, .. }, parts)| {
        let block = variables.recorded(inputs, Dual::constant, &memory, parts);
        let block =
            LeadBlock { at: tangents(block.at), sum: tangents(block.sum), settled: tangents(block.settled) };
        (LeadVariables::opened(&before.motions).map(tangents), block)
    });
    let direction = |state: State<Dual<Traced>>, signals: Vec<Dual<Traced>>| {
        let [along, carried] = [all_channels(&state.motions), state.carried].map(tangents);
        direction(&inputs.plan.model, along, carried, tangents(signals))
    };
    Slope {
        after: direction(after, signals),
        begin: tangents(begin),
        again: direction(again, Vec::new()),
        lead,
    }
}

/// `(f(x + far t) - f(x)) / far`
fn by_neighbour(
    far: f64,
    inputs: &StepInputs<'_>,
    before: &State<Traced>,
    flow: &StepOutputs<Traced>,
    led: Option<LedDirection<'_>>,
    from: &Tangent<'_>,
) -> Slope {
    let (away, back) = (constant(far), constant(1.0 / far));
    let moved = |values: &[Traced], tangents: &[Traced]| -> Vec<Traced> {
        values.iter().zip(tangents).map(|(x, t)| away.mul_add(*t, *x)).collect()
    };
    let neighbour = State {
        motions: inputs.plan.model.motions(&moved(&all_channels(&before.motions), from.motions)),
        carried: moved(&before.carried, from.carried),
    };
    let memory = remembering(inputs, from.held, |x| x, |x, t| away.mul_add(t, x));
    let system = inputs.system_remembering(|x| x, &memory);
    let parts = led.map(|LedDirection { variables, block }| variables.block(block, true));
    let chain = parts.as_ref().map_or(&[][..], |[base, ..]| base);
    let StepOutputs { after, begin, again, .. } = inputs.flow(&system, &neighbour, chain);
    let lead = led.zip(parts).map(|(LedDirection { variables, .. }, parts)| {
        let block = variables.recorded(inputs, |x| x, &memory, parts);
        (LeadVariables::opened(&neighbour.motions), block)
    });
    let apart = |theirs: &[Traced], own: &[Traced]| -> Vec<Traced> {
        theirs.iter().zip(own).map(|(theirs, own)| (*theirs - *own) * back).collect()
    };
    let direction = |theirs: &State<Traced>, own: &State<Traced>, held: Vec<Traced>| {
        let along = apart(&all_channels(&theirs.motions), &all_channels(&own.motions));
        direction(&inputs.plan.model, along, apart(&theirs.carried, &own.carried), held)
    };
    let own_held = held_after(inputs, &inputs.system(|x| x), inputs.memory, &flow.after);
    let signals = apart(&held_after(inputs, &system, &memory, &after), &own_held);
    Slope {
        after: direction(&after, &flow.after, signals),
        begin: apart(&begin, &flow.begin),
        again: direction(&again, &flow.again, Vec::new()),
        lead,
    }
}

impl Plan {
    /// Returns the plan that follows these directions too.
    pub fn following(&self, tangents: Tangents) -> Plan {
        let of_motions = self.model.width();
        let mut plan = Plan { tangents: Some(tangents), ..self.clone() };
        let own = self.moving.len();
        // The channels that the method carries come later now: they are found again.
        plan.zeros.channels.truncate(own);
        for _ in 0..tangents.directions {
            plan.moving.extend_from_slice(&self.moving[..of_motions]);
            let others = tangents.width(&self.model) - of_motions;
            plan.moving.resize(plan.moving.len() + others, true);
        }
        plan
    }

    /// Adds the channels of directions to the batch of a plan that [follows](Plan::following) them:
    /// those that `push` gives for an instance, direction by direction, as many numbers each as
    /// there are [coordinates](coordinates_of); along what holds the bodies, and orthonormal where
    /// that is asked.
    pub fn start_directions(&self, batch: &mut Batch, push: &(impl Fn(usize) -> Vec<f64> + Sync)) {
        use rayon::prelude::*;
        let Some(tangents) = self.tangents else { return };
        let own = self.moving.len() - tangents.directions * tangents.width(&self.model);
        let rows: Vec<Vec<f64>> = (0..batch.count)
            .into_par_iter()
            .map(|i| {
                let state: Vec<f64> = batch.states[..own].iter().map(|plane| plane[i]).collect();
                let parameter = |p: usize| batch.parameters[p].get(i).copied().unwrap_or(self.constants[p]);
                self.directions(&tangents, &state, &parameter, &push(i))
            })
            .collect();
        batch.states.truncate(own);
        for c in 0..self.moving.len() - own {
            batch.states.push(rows.iter().map(|row| row[c]).collect());
        }
    }

    /// The channels of all directions at the start.
    fn directions(
        &self,
        tangents: &Tangents,
        state: &[f64],
        parameter: &impl Fn(usize) -> f64,
        push: &[f64],
    ) -> Vec<f64> {
        let start = self.model.motions(state);
        let memory: Vec<Dual<f64>> = self.model.memory_in(state).iter().map(|x| Dual::constant(*x)).collect();
        let system =
            self.model.system(&self.schedule.samples, &|p| Dual::constant(parameter(p)), &memory, &|_, _| {
                Dual::constant(0.0)
            });
        let of_signals = held_at(&self.model);
        let direction = |push: &[f64]| {
            let (push, of_states) = push.split_at(push.len() - sampled_states(&self.model));
            let mut along = along(&start, push);
            for (x, moves) in along.iter_mut().zip(&self.moving) {
                *x = if *moves { *x } else { 0.0 };
            }
            along[self.model.unfelt()].fill(0.0);
            let pushed: Vec<Dual<f64>> = state
                .iter()
                .zip(&along)
                .map(|(value, tangent)| Dual { value: *value, tangent: *tangent })
                .collect();
            let projected = system.projected(&self.model.motions(&pushed));
            let along =
                if system.constraint_set().rows(&self.model.motions(&pushed), system.time(0.0)).is_empty() {
                    along
                } else {
                    all_channels(&projected).into_iter().map(|x| x.tangent).collect()
                };
            let pushed: Vec<Dual<f64>> = state
                .iter()
                .zip(&along)
                .map(|(value, tangent)| Dual { value: *value, tangent: *tangent })
                .collect();
            // Signals were sampled at the start: they stand where the pushed motions put them.
            // A state begins as it is given, and pushed.
            let signals = &self.model.mechanism().signals;
            let begun = |k: usize, now, before: Dual<f64>| match signals[k].initial {
                Some(_) => {
                    let state = of_signals.iter().position(|(signal, _)| *signal == k);
                    let push = state.and_then(|state| of_states.get(state));
                    Dual { tangent: push.copied().unwrap_or(0.0), ..before }
                }
                None => now,
            };
            let now = system.sampled(0.0, &self.model.motions(&pushed), &begun);
            let values = of_signals.iter().filter_map(|(signal, _)| now[*signal].map(|x| x.tangent));
            self::direction(&self.model, along, Vec::new(), values.collect())
        };
        let mut directions: Vec<Direction<f64>> =
            push.chunks_exact(coordinates_of(&self.model)).map(direction).collect();
        if tangents.orthonormal {
            orthonormalise(&mut directions);
        }
        let mut row = Vec::with_capacity(tangents.directions * tangents.width(&self.model));
        for Direction { along, carried } in directions {
            row.extend(along);
            row.extend(carried);
            if tangents.orthonormal {
                let Growth { mantissa, doublings } = Growth::none(0.0);
                row.extend([mantissa, doublings]);
            }
        }
        row
    }
}

/// The channels' change of bodies that are pushed along their coordinates.
fn along(start: &[Motion<f64>], push: &[f64]) -> Vec<f64> {
    let (frames, modal) = push.split_at(COORDINATES * start.len());
    let frame = |(m, push): (&Motion<f64>, &[f64])| {
        let vector = |at: usize| [push[at], push[at + 1], push[at + 2]];
        let q = times_vector(m.q, vector(0).map(|x| 0.5 * x));
        Motion::rigid(q, vector(3), vector(6), vector(9))
    };
    let frames: Vec<Motion<f64>> = start.iter().zip(frames.chunks_exact(COORDINATES)).map(frame).collect();
    let mut along = all_channels(&frames);
    along.extend(modal);
    along
}

/// Returns the components of a change of the channels of bodies along their coordinates: the
/// inverse of the function `along`.
pub fn coordinates(start: &[Motion<f64>], along: &[Motion<f64>]) -> Vec<f64> {
    let frame = |(m, along): (&Motion<f64>, &Motion<f64>)| {
        let turn = product(inverse(m.q), along.q);
        let turn = [turn[1], turn[2], turn[3]].map(|x| 2.0 * x);
        [turn, along.w, along.r, along.v].into_iter().flatten()
    };
    let frames = start.iter().zip(along).flat_map(frame);
    let modal = |of: &Motion<f64>| {
        let ModalCoordinates { amplitudes, rates } = &of.modal;
        [&amplitudes[..], rates].concat()
    };
    frames.chain(along.iter().flat_map(modal)).collect()
}
