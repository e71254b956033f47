//! Tangents: where neighbours of an instance go, to first order, followed by the same program that moves the instance.
//!
//! A step is a map of motions and of what the method carries. Recorded over [`Dual`] numbers it leaves, besides the new
//! state, the derivative of that map along a direction: restarts of half chains, multipliers and projections too, as they
//! are part of the map. Directions are further state channels, of which backends know nothing.
//!
//! What is remembered (unwrapped angles, the clock) tells which turn or time it is and has no slope; locks would have.
//!
//! Every step ends with the directions made orthonormal and their growth taken in. That is no approximation: what is
//! carried is combined in the same way, and the product of the triangular factors of all steps is that of the whole
//! way. Lengths are those of the numbers of the state, in SI: of `dq` (half an angle), `dw`, `dr`, `dv`, and of modal coordinates
//! and their rates. Another measure changes the exponents by a constant over the time.

use crate::kinematics::body::{ModalCoordinates, Motion};
use crate::math::orthonormal::{Direction, Growth, orthonormalise};
use crate::math::quaternion::{inverse, product, times_vector};
use crate::methods::State;
use crate::model::{Model, WIDTH, all_channels, channel_names};
use crate::real::traced::{Traced, constant};
use crate::real::{Dual, Real};

use super::program::{StepInputs, StepOutputs};
use super::{Batch, Plan};

/// How far something is along each coordinate of a body's frame: rotation (rad) and angular velocity (rad/s), principal axes;
/// position (m) and velocity (m/s) of the mass centre, space axes.
pub const COORDINATES: usize = 12;

/// How many coordinates the bodies have: [`COORDINATES`] each, then all modal coordinates and their rates, as the state's channels
/// have them.
pub fn coordinates_of(model: &Model) -> usize {
    COORDINATES * model.bodies() + model.width() - WIDTH * model.bodies()
}

/// What is followed besides the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangents {
    pub directions: usize,
    pub by: Derivative,
    /// Directions are made orthonormal after every step, and their growth is kept; else they grow as they may.
    pub orthonormal: bool,
}

/// Where the change along a direction comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivative {
    /// Exactly, by dual numbers.
    Exact,
    /// From a neighbour so far away: a second motion. After every step it is put back to this distance.
    Neighbour(f64),
}

/// Channels of growth: mantissa and doublings.
const GROWTH: usize = 2;

impl Tangents {
    /// So many exact, orthonormal directions.
    pub fn exact(directions: usize) -> Tangents {
        Tangents { directions, by: Derivative::Exact, orthonormal: true }
    }

    /// State channels of a direction, before those of what is carried, where motions have so many.
    fn width(&self, of_motions: usize) -> usize {
        of_motions + if self.orthonormal { GROWTH } else { 0 }
    }

    /// Of so many carried channels, those of the motion itself.
    pub(super) fn of_motion(&self, carried: usize) -> usize {
        carried / (1 + self.directions)
    }

    /// Names of the channels before what is carried, of bodies with so many modes each.
    pub(super) fn names(&self, modes: &[usize]) -> Vec<String> {
        let of = |d: usize| {
            let mut names: Vec<String> =
                channel_names(modes).into_iter().map(|name| format!("t{d}_{name}")).collect();
            if self.orthonormal {
                names.extend([format!("growth_{d}"), format!("doublings_{d}")]);
            }
            names
        };
        (0..self.directions).flat_map(of).collect()
    }

    /// Names of the tangents of what is carried.
    pub(super) fn carried_names(&self, carried: &[String]) -> Vec<String> {
        (0..self.directions).flat_map(|d| carried.iter().map(move |name| format!("t{d}_{name}"))).collect()
    }

    /// What becomes of the directions. `flow`: of the motion itself; `followed`: their channels, and those of what is carried.
    pub(super) fn record(
        &self,
        seen: &StepInputs<'_>,
        before: &State<Traced>,
        flow: &StepOutputs<Traced>,
        followed: &[Traced],
        carried: &[Traced],
    ) -> Recorded {
        let of_motions = seen.plan.model.width();
        let width = self.width(of_motions);
        let mut recorded = Recorded::default();
        let mut stepped = Vec::new();
        let mut growths = Vec::new();
        for d in 0..self.directions {
            let block = &followed[d * width..(d + 1) * width];
            let (tangent, growth) = block.split_at(of_motions);
            let carried = &carried[d * before.carried.len()..][..before.carried.len()];
            let slope = match self.by {
                Derivative::Exact => exactly(seen, before, tangent, carried),
                Derivative::Neighbour(far) => by_neighbour(far, seen, before, flow, tangent, carried),
            };
            recorded.begin.extend(slope.begin);
            recorded.resynchronised.extend(slope.again.along);
            recorded.resynchronised.extend(growth);
            recorded.resynchronised_carried.extend(slope.again.carried);
            stepped.push(slope.after);
            growths.push(growth);
        }
        let grown = if self.orthonormal { orthonormalise(&mut stepped) } else { Vec::new() };
        for (d, direction) in stepped.into_iter().enumerate() {
            recorded.step.extend(direction.along);
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
        let of_motions = model.width();
        let first = of_motions + model.memory().len() + direction * self.width(of_motions) + of_motions;
        [first, first + 1]
    }

    /// The logarithm of a direction's growth, from the planes of a state: of instance i.
    pub fn ln_growth(&self, model: &Model, direction: usize, states: &[Vec<f64>], i: usize) -> f64 {
        let [mantissa, doublings] = self.growth(model, direction).map(|c| states[c][i]);
        Growth { mantissa, doublings }.ln()
    }

    /// The channels of a direction's motions, first and past the last.
    pub fn channels(&self, model: &Model, direction: usize) -> std::ops::Range<usize> {
        let [past, _] = self.growth(model, direction);
        past - model.width()..past
    }
}

/// What a recording leaves of directions: channels before what is carried, and those of what is carried.
#[derive(Default)]
pub(super) struct Recorded {
    pub step: Vec<Traced>,
    pub step_carried: Vec<Traced>,
    /// Of what is carried.
    pub begin: Vec<Traced>,
    pub resynchronised: Vec<Traced>,
    pub resynchronised_carried: Vec<Traced>,
}

/// Where a direction leads.
struct Slope {
    after: Direction<Traced>,
    begin: Vec<Traced>,
    again: Direction<Traced>,
}

fn exactly(seen: &StepInputs<'_>, before: &State<Traced>, tangent: &[Traced], carried: &[Traced]) -> Slope {
    let dual = |value: &Traced, tangent: &Traced| Dual { value: *value, tangent: *tangent };
    let along = |values: &[Traced], tangents: &[Traced]| -> Vec<Dual<Traced>> {
        values.iter().zip(tangents).map(|(x, t)| dual(x, t)).collect()
    };
    let before = State {
        motions: seen.plan.model.motions(&along(&all_channels(&before.motions), tangent)),
        carried: along(&before.carried, carried),
    };
    let system = seen.system(Dual::constant);
    let StepOutputs { after, begin, again, .. } = seen.flow(&system, &before);
    let tangents = |of: Vec<Dual<Traced>>| of.into_iter().map(|x| x.tangent).collect::<Vec<_>>();
    let direction = |state: State<Dual<Traced>>| Direction {
        along: tangents(all_channels(&state.motions)),
        carried: tangents(state.carried),
    };
    Slope { after: direction(after), begin: tangents(begin), again: direction(again) }
}

/// `(f(x + far t) - f(x)) / far`
fn by_neighbour(
    far: f64,
    seen: &StepInputs<'_>,
    before: &State<Traced>,
    flow: &StepOutputs<Traced>,
    tangent: &[Traced],
    carried: &[Traced],
) -> Slope {
    let (away, back) = (constant(far), constant(1.0 / far));
    let moved = |values: &[Traced], tangents: &[Traced]| -> Vec<Traced> {
        values.iter().zip(tangents).map(|(x, t)| away.mul_add(*t, *x)).collect()
    };
    let neighbour = State {
        motions: seen.plan.model.motions(&moved(&all_channels(&before.motions), tangent)),
        carried: moved(&before.carried, carried),
    };
    let system = seen.system(|x| x);
    let StepOutputs { after, begin, again, .. } = seen.flow(&system, &neighbour);
    let apart = |theirs: &[Traced], own: &[Traced]| -> Vec<Traced> {
        theirs.iter().zip(own).map(|(theirs, own)| (*theirs - *own) * back).collect()
    };
    let direction = |theirs: &State<Traced>, own: &State<Traced>| Direction {
        along: apart(&all_channels(&theirs.motions), &all_channels(&own.motions)),
        carried: apart(&theirs.carried, &own.carried),
    };
    Slope {
        after: direction(&after, &flow.after),
        begin: apart(&begin, &flow.begin),
        again: direction(&again, &flow.again),
    }
}

impl Plan {
    /// The same that follows these directions too.
    pub fn following(&self, tangents: Tangents) -> Plan {
        let of_motions = self.model.width();
        let mut plan = Plan { tangents: Some(tangents), ..self.clone() };
        let own = self.moving.len();
        // What the method carries comes later now: it is found again.
        plan.zeros.channels.truncate(own);
        for _ in 0..tangents.directions {
            plan.moving.extend_from_slice(&self.moving[..of_motions]);
            plan.moving.resize(plan.moving.len() + tangents.width(of_motions) - of_motions, true);
        }
        plan
    }

    /// Adds the channels of directions to the batch of a plan that [follows](Plan::following) them: those that `push` gives
    /// for an instance, direction by direction, as many numbers each as there are [coordinates](coordinates_of); along what
    /// holds the bodies, and orthonormal where that is asked.
    pub fn start_directions(&self, batch: &mut Batch, push: &(impl Fn(usize) -> Vec<f64> + Sync)) {
        use rayon::prelude::*;
        let Some(tangents) = self.tangents else { return };
        let own = self.moving.len() - tangents.directions * tangents.width(self.model.width());
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
        let of = |push: &[f64]| {
            let mut along = along(&start, push);
            for (x, moves) in along.iter_mut().zip(&self.moving) {
                *x = if *moves { *x } else { 0.0 };
            }
            let pushed: Vec<Dual<f64>> = state
                .iter()
                .zip(&along)
                .map(|(value, tangent)| Dual { value: *value, tangent: *tangent })
                .collect();
            let held = system.projected(&self.model.motions(&pushed));
            let along = if system.held().rows(&self.model.motions(&pushed), system.time(0.0)).is_empty() {
                along
            } else {
                all_channels(&held).into_iter().map(|x| x.tangent).collect()
            };
            Direction { along, carried: Vec::new() }
        };
        let mut directions: Vec<Direction<f64>> =
            push.chunks_exact(coordinates_of(&self.model)).map(of).collect();
        if tangents.orthonormal {
            orthonormalise(&mut directions);
        }
        let mut row = Vec::with_capacity(tangents.directions * tangents.width(self.model.width()));
        for Direction { along, .. } in directions {
            row.extend(along);
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

/// How far a change of the channels of bodies is along their coordinates: what `along` makes channels of.
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
