//! All channels of instances: one by one, or a group at a time by the recorded arithmetic of all of them.

use std::ops::Range;
use std::sync::Arc;

use fearless_simd::{Level, dispatch};

use super::scene::Scene;
use super::{Watched, numbers, watched};
use crate::backend::Plan;
use crate::backend::cpu::jit::Code;
use crate::backend::cpu::lanes::{self, Rows};
use crate::backend::cpu::tape::{GROUP, Sheet};
use crate::base::Precision;
use crate::describe::ObservedChannel;
use crate::real::Element;
use crate::real::traced::{Traced, constant, leaf, record};

/// What an instance started with, for the drifts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline {
    pub(super) energy: f64,
    /// `T0 + |V0|`
    pub(super) energy_scale: f64,
    pub(super) momentum: [f64; 3],
}

/// Computes channels of instances, from the state and the parameters of each. Its copies share what is compiled.
#[derive(Clone)]
pub struct Observer<'a> {
    plan: &'a Plan,
    watched: Vec<Watched>,
    width: usize,
    /// By watched channel: how many numbers it is made of.
    counts: Vec<usize>,
    compiled: Arc<Compiled>,
    level: Level,
}

/// The numbers of all channels, for groups of instances.
struct Compiled {
    /// Leaves: state channels, then parameters, then the shares of the timed loads.
    sheet: Sheet,
    /// None: it is interpreted, with the same bits.
    code: Option<Code>,
}

/// State planes and parameter planes of some instances.
#[derive(Clone, Copy)]
pub struct Planes<'a> {
    /// `[channel][instance]`
    pub states: &'a [Vec<f64>],
    /// `[parameter][instance]`, empty where the parameter does not vary.
    pub parameters: &'a [Vec<f64>],
    /// Instance 0 of `states` is this instance of `parameters`.
    pub first: usize,
}

impl Planes<'_> {
    fn state(&self, i: usize) -> Vec<f64> {
        self.states.iter().map(|plane| plane[i]).collect()
    }

    fn parameter(&self, plan: &Plan, p: usize, i: usize) -> f64 {
        match self.parameters[p].get(self.first + i) {
            Some(x) => *x,
            None => plan.constants[p],
        }
    }
}

impl<'a> Observer<'a> {
    pub fn new<C: Copy + Into<ObservedChannel>>(plan: &'a Plan, channels: &[C]) -> Observer<'a> {
        let seen: Vec<ObservedChannel> = channels.iter().map(|channel| (*channel).into()).collect();
        let watched = watched(plan.model.mechanism(), &seen);
        let width = watched.iter().map(|w| w.channel.components().len()).sum();
        let states = plan.moving.len();
        let mut counts = Vec::new();
        let (graph, results) = record(Precision::F64, || {
            let state: Vec<Traced> = (0..states as u32).map(leaf).collect();
            let parameter = |p: usize| {
                if plan.model.varies(p) { leaf((states + p) as u32) } else { constant(plan.constants[p]) }
            };
            let first = states + plan.model.parameters();
            let factor = |span: usize| leaf((first + span) as u32);
            let mut all = Vec::new();
            for watched in &watched {
                let scene = Scene::new(plan, *watched, &state, &parameter, &factor);
                let own = numbers(watched.channel, &scene);
                counts.push(own.len());
                all.extend(own);
            }
            all
        });
        let sheet = Sheet::new(&graph, &results);
        let level = Level::new();
        let code = match results.is_empty() {
            true => None,
            false => Code::compile::<f64>(&sheet.routine, level, false),
        };
        Observer { plan, watched, width, counts, compiled: Arc::new(Compiled { sheet, code }), level }
    }

    /// Whether it needs the i-th channel of the state to [observe groups](Self::observe_all).
    pub fn reads(&self, channel: usize) -> bool {
        self.compiled.sheet.inputs.iter().any(|(_, leaf)| *leaf as usize == channel)
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What instance `i` has now, as the start that drifts are measured from.
    pub fn baseline(&self, planes: &Planes<'_>, i: usize) -> Baseline {
        let state = planes.state(i);
        let motions = self.plan.model.motions(&state);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let energy = self.plan.model.energy(&parameter, self.plan.model.memory_in(&state));
        let (kinetic, potential) = (energy.kinetic(&motions), energy.potential(&motions));
        let momentum = self.plan.model.angular_momentum(&motions, &parameter);
        Baseline { energy: kinetic + potential, energy_scale: kinetic + potential.abs(), momentum }
    }

    /// All columns of instance `i` after `step` steps, in order. A drift from zero is NaN: there is nothing to compare with.
    pub fn observe(&self, planes: &Planes<'_>, i: usize, step: u64, baseline: &Baseline, out: &mut [f64]) {
        let state = planes.state(i);
        let factors = self.plan.schedule.factors_around(step);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let mut column = 0;
        for &watched in &self.watched {
            let card = watched.channel.card();
            let width = card.components.len();
            let factor = |span: usize| factors[span];
            let scene = Scene::new(self.plan, watched, &state, &parameter, &factor);
            let mut four = [0.0; 4];
            for (four, number) in four.iter_mut().zip(numbers(watched.channel, &scene)) {
                *four = number;
            }
            let values = card.finish.map_or(four, |finish| finish(four, baseline)).map(Element::flushed);
            out[column..column + width].copy_from_slice(&values[..width]);
            column += width;
        }
    }

    /// All columns of the instances of `baselines` after `step` steps, `out[column][instance]`: the values of
    /// [`Observer::observe`], a group of instances at a time.
    pub fn observe_all(&self, planes: &Planes<'_>, step: u64, baselines: &[Baseline], out: &mut [Vec<f64>]) {
        self.observe_in(&mut self.rows(), planes, step, baselines, out);
    }

    /// Rows to [observe in](Self::observe_in), again and again.
    pub fn rows(&self) -> Vec<[f64; GROUP]> {
        self.compiled.sheet.rows()
    }

    /// As [`observe_all`](Self::observe_all), in rows that are there already.
    pub fn observe_in(
        &self,
        rows: &mut Rows<f64>,
        planes: &Planes<'_>,
        step: u64,
        baselines: &[Baseline],
        out: &mut [Vec<f64>],
    ) {
        let Compiled { sheet, code } = &*self.compiled;
        let factors = self.plan.schedule.factors_around(step);
        for at in (0..baselines.len()).step_by(GROUP) {
            let group = at..baselines.len().min(at + GROUP);
            for (row, leaf) in &sheet.inputs {
                let values = match (*leaf as usize).checked_sub(self.plan.moving.len()) {
                    None => &planes.states[*leaf as usize][group.clone()],
                    Some(p) if p >= self.plan.model.parameters() => {
                        rows[*row].fill(factors[p - self.plan.model.parameters()]);
                        continue;
                    }
                    Some(p) => &planes.parameters[p][planes.first + group.start..planes.first + group.end],
                };
                rows[*row][..values.len()].copy_from_slice(values);
            }
            match code {
                Some(code) => code.run(rows, group.len(), 1),
                None => lanes::run(self.level, false, &sheet.routine.instructions, rows, 1),
            }
            self.columns_of(rows, group, baselines, out);
        }
    }

    /// The columns of one group from the numbers of its channels.
    fn columns_of(
        &self,
        rows: &Rows<f64>,
        group: Range<usize>,
        baselines: &[Baseline],
        out: &mut [Vec<f64>],
    ) {
        let mut column = 0;
        let mut results = self.compiled.sheet.results.iter();
        for (&Watched { channel, .. }, count) in self.watched.iter().zip(&self.counts) {
            let card = channel.card();
            let columns = &mut out[column..column + card.components.len()];
            let numbers: Vec<&[f64; GROUP]> = results.by_ref().take(*count).map(|row| &rows[*row]).collect();
            let Some(finish) = card.finish else {
                for (column, numbers) in columns.iter_mut().zip(&numbers) {
                    let column = &mut column[group.clone()];
                    dispatch!(self.level, _simd => flush(column, numbers));
                }
                column += columns.len();
                continue;
            };
            for (lane, i) in group.clone().enumerate() {
                let mut one = [0.0; 4];
                for (one, numbers) in one.iter_mut().zip(&numbers) {
                    *one = numbers[lane];
                }
                for (column, x) in columns.iter_mut().zip(finish(one, &baselines[i])) {
                    column[i] = x.flushed();
                }
            }
            column += columns.len();
        }
    }
}

/// Copies numbers without those that have decayed. Inlined, so that it is compiled for the caller's SIMD level.
#[inline(always)]
fn flush(to: &mut [f64], from: &[f64; GROUP]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.flushed();
    }
}

/// Less than this (J, or kg m²/s) is what rounding leaves of nothing: springs at rest start with some 1e-32 J.
const NOTHING: f64 = 1e-27;

pub(super) fn relative(change: f64, of: f64) -> f64 {
    if of > NOTHING { change / of } else { f64::NAN }
}
