//! Some instances of a study, advanced in another way than it asks for: over other steps, by
//! another method, or as their own neighbours.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fearless_simd::Level;

use super::{Course, Groundwork, MOVED, allowed_error};
use crate::backend::cpu::{self, Execution};
use crate::backend::program::Program;
use crate::backend::{Backend, Batch, End, Plan};
use crate::base::Precision;
use crate::describe::{Channel, ObservedChannel, Quantity, Study};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::methods::{AnyMethod, chooses_steps};
use crate::model::{Model, WIDTH};
use crate::observe::channels::{Observer, columns};
use crate::observe::{Verdict, channels};
use crate::study::march::{BatchRun, Piece};
use crate::study::plan::{NotZero, draw_amended, plan_by_starts, without_zeros};
use crate::study::run_error::RunError;
use crate::treatments::EPS_ACCURACY;

/// A neighbour's numbers differ from those of an instance by so many units of the last place, and
/// its operations are rounded otherwise.
pub(super) const APART: f64 = 8.0;
/// The numbers of a body that are of one kind: its attitude, angular velocity, position and
/// velocity.
const KINDS: [Range<usize>; 4] = [0..4, 4..7, 7..10, 10..WIDTH];

/// A number of a neighbour's start, the one or the other way. One that is zero, or the rounding of
/// what is usual for its kind, differs by as much of that: at an equilibrium all that will move
/// begins so.
pub(super) fn neighbour(x: f64, way: usize, usual: f64) -> f64 {
    let share = if way.is_multiple_of(2) { APART } else { -APART } * f64::EPSILON;
    if x.abs() <= f64::EPSILON * usual { x + share * usual } else { x * (1.0 + share) }
}

/// Some instances of a study, advanced in another way than it asks for.
#[derive(Clone, Copy)]
pub struct ConvergedRun<'a> {
    /// Draws the instances.
    pub asked: &'a Study,
    /// All that is known of it.
    pub known: Option<&'a Groundwork>,
    /// The step and the settings of joints are those of the study that advances, whatever is drawn.
    pub amends: bool,
    pub instances: &'a [u64],
    pub channels: &'a [ObservedChannel],
    pub deadline: Instant,
    pub interrupted: &'a AtomicBool,
}

/// A study whose machine code is made.
pub struct Ready {
    pub plan: Plan,
    /// Exact operations of a step, or of an attempt of one with all that it takes besides; and of a
    /// restart. 0 of a method without a program.
    pub of_a_step: f64,
    pub of_a_restart: f64,
    /// The places of the instances that are drawn, ascending.
    places: Vec<usize>,
    batch: Batch,
    backend: Box<dyn Backend>,
    /// The observed channels, and behind them those that say when numbers jump and that count own
    /// steps, with so many columns.
    channels: Vec<ObservedChannel>,
    jumps: usize,
    counts: usize,
    /// A run ends where its instances have taken more attempts of own steps than these at a
    /// snapshot, or more evaluations of their equations by a method that has no program.
    pub most: f64,
    /// Every instance is its own neighbour.
    is_apart: bool,
}

/// Every instance becomes its own neighbour: its start is [apart](neighbour). Numbers that stay
/// zero at any rounding are zero in neighbours too: no step would move them, and no joint bring
/// them back.
fn perturb(batch: &mut Batch, bodies: usize, stays_zero: &[bool]) {
    let kind = |c: usize| {
        let of_body = KINDS.iter().position(|kind| kind.contains(&(c % WIDTH)));
        of_body.filter(|_| c < WIDTH * bodies)
    };
    let mut sizes = [0.0f64; KINDS.len()];
    for (c, plane) in batch.states.iter().enumerate() {
        if let Some(kind) = kind(c) {
            sizes[kind] = plane.iter().fold(sizes[kind], |largest, x| largest.max(x.abs()));
        }
    }
    let moves = |c: &usize| stays_zero.get(*c) != Some(&true);
    for (c, plane) in batch.states.iter_mut().enumerate().filter(|(c, _)| moves(c)) {
        let usual = kind(c).map_or(0.0, |kind| sizes[kind]);
        plane.iter_mut().enumerate().for_each(|(i, x)| *x = neighbour(*x, c + i, usual));
    }
}

impl Ready {
    /// To be used again: its instances are drawn anew, which may be those of another list.
    pub fn without_instances(self) -> Ready {
        Ready { places: Vec::new(), most: f64::INFINITY, ..self }
    }

    /// From now on every instance is its own neighbour: its start is apart, and its operations are
    /// rounded otherwise.
    pub fn part(&mut self) {
        if let Some(open) = self.backend.rounding_otherwise() {
            self.backend = open();
        }
        self.is_apart = true;
    }

    /// Its instances as [their own neighbours](Ready::part), to be made by any thread; `None`: they
    /// are not rounded otherwise.
    pub(super) fn parted(&self) -> Option<impl FnOnce() -> Ready + Send + use<>> {
        let open = self.backend.rounding_otherwise()?;
        let (plan, batch, places) = (self.plan.clone(), self.batch.clone(), self.places.clone());
        let Ready { of_a_step, of_a_restart, jumps, counts, most, .. } = *self;
        let (channels, is_apart) = (self.channels.clone(), true);
        Some(move || {
            let backend = open();
            Ready {
                plan,
                of_a_step,
                of_a_restart,
                places,
                batch,
                backend,
                channels,
                jumps,
                counts,
                most,
                is_apart,
            }
        })
    }

    /// Evaluations of the equations of motion in the last run, by a method that has no program.
    pub fn evaluations(&self) -> f64 {
        self.backend.evaluations() as f64
    }

    /// Goes on with another step of the same study, and another tolerance of its own steps, if it
    /// can.
    pub fn turned(&mut self, own: &Study) -> bool {
        // Numbers that follow from the start of each instance are found where instances are drawn,
        // and a method without a program has its tolerances with it.
        let tolerance = told_tolerance(own);
        let is_told = tolerance.is_some() == self.plan.schedule.tolerance.is_some();
        let is_fixed = !is_told || chooses_steps(own.method.name, &own.method.options) && tolerance.is_none();
        if is_fixed || own.constraints.options.number(EPS_ACCURACY, 0.0) > 0.0 {
            return false;
        }
        let schedule = Schedule {
            h: own.method.step,
            steps: own.method.steps,
            every: own.observe.every,
            resynchronise: match own.constraints.project {
                0 => own.method.resynchronise,
                steps => steps,
            },
            begin: Plan::begin_steps(&self.plan.model, &self.plan.method, own.method.step),
            check: if self.plan.schedule.own_steps { 1 } else { own.verdict.every },
            tolerance,
            ..self.plan.schedule.clone()
        };
        if !self.backend.reschedule(&schedule) {
            return false;
        }
        self.plan.schedule = schedule;
        let step = self.plan.model.step();
        self.batch.parameters[step].fill(own.method.step);
        // Settings of joints whose defaults follow the step come after it; those that do not vary
        // have no plane.
        let numbers = own.constraints.numbers(own.method.step, own.run.precision);
        for (plane, number) in self.batch.parameters[step + 1..].iter_mut().zip(numbers) {
            plane.fill(number);
        }
        true
    }
}

/// The tolerance of a study's own steps, where one program serves all of them: in single precision
/// it would be rounded otherwise than the run's.
fn told_tolerance(own: &Study) -> Option<f64> {
    let own_steps =
        AnyMethod::new(own.method.name, &own.method.options).and_then(|method| method.own_steps());
    own_steps.map(|own| own.tolerance).filter(|_| own.run.precision == Precision::F64)
}

impl ConvergedRun<'_> {
    /// Plans the instances of `own`, draws them and makes their machine code.
    pub fn ready(&self, own: &Study) -> Result<Ready, RunError> {
        let all: Vec<usize> = (0..self.instances.len()).collect();
        self.ready_at(own, &all)
    }

    /// As [`ConvergedRun::ready`], the instances at these places, ascending.
    pub(super) fn ready_at(&self, own: &Study, places: &[usize]) -> Result<Ready, RunError> {
        let mut own = own.clone();
        let mut varies = Vec::new();
        if self.amends {
            let numerical = |q: Quantity| matches!(q, Quantity::Step | Quantity::Setting(_));
            own.ensemble.vary.retain(|vary| !numerical(vary.target.quantity));
            // One machine code then serves all steps.
            varies.push((0, Quantity::Step));
        }
        let own_steps =
            AnyMethod::new(own.method.name, &own.method.options).and_then(|method| method.own_steps());
        let counts: &[Channel] = match own_steps {
            Some(_) => &[channels::OWN_STEPS, channels::REJECTED_STEPS],
            None => &[],
        };
        let jumps: &[Channel] =
            if own.mechanism.locks.is_empty() { &[] } else { &[channels::CAUGHT, channels::RELEASED] };
        let besides = jumps.iter().chain(counts).copied().map(ObservedChannel::from);
        own.observe.channels = self.channels.iter().copied().chain(besides).collect();
        let jumps = jumps.len() * own.mechanism.locks.len();
        let mut plan = plan_by_starts(&own, &varies)
            .map_err(|error| RunError::NoMechanism(Model::explain(&own.mechanism, error)))?;
        // Where joints are held alike the same numbers stay zero: they need not be found step by
        // step.
        let alike = own.constraints.treatment == self.asked.constraints.treatment;
        if let Some(known) = self.known.filter(|_| alike) {
            let stay = plan.zeros.channels.iter_mut().zip(&known.stay_zero);
            stay.for_each(|(zero, stays)| *zero &= stays);
        }
        let sampler = Sampler::new(self.asked)?;
        let batch = loop {
            match self.drawn(&plan, &sampler, &own, places) {
                Ok(batch) => break batch,
                Err(found) => plan = without_zeros(plan, &found),
            }
        };
        if self.amends {
            plan.schedule.tolerance = told_tolerance(&own);
        }
        let (precision, fused) = (own.run.precision, own.run.fused);
        let (mut of_a_step, mut of_a_restart) = (0.0, 0.0);
        let backend = if plan.method.is_adaptive() {
            cpu::open(plan.clone(), precision, fused, Level::new())
        } else {
            let program = Program::new(&plan, precision);
            // A number that does not stay zero need not be so in instances that are drawn later.
            let stay = plan.zeros.channels.iter_mut().enumerate();
            stay.for_each(|(c, zero)| *zero = program.zero.binary_search(&c).is_ok());
            of_a_step = operations(&program);
            of_a_restart = program.restart(&program.resynchronised) as f64;
            cpu::open_recorded(plan.clone(), program, precision, fused, Level::new(), Execution::MachineCode)
        };
        let (channels, counts, most) = (own.observe.channels, counts.len(), f64::INFINITY);
        let places = places.to_vec();
        let is_apart = false;
        Ok(Ready {
            plan,
            of_a_step,
            of_a_restart,
            places,
            batch,
            backend,
            channels,
            jumps,
            counts,
            most,
            is_apart,
        })
    }

    /// The instances at these places, with the step and the settings of `own` where it amends them.
    fn drawn(&self, plan: &Plan, sampler: &Sampler, own: &Study, places: &[usize]) -> Result<Batch, NotZero> {
        let (step, settings) = (own.method.step, own.constraints.given());
        let amended = |_: usize, quantities: &mut Quantities| {
            if self.amends {
                quantities.step = step;
                quantities.settings.clone_from(&settings);
            }
        };
        let index = |i: usize| self.instances[places[i]];
        Ok(draw_amended(self.asked, plan, sampler, places.len(), index, amended)?.0)
    }

    /// Whether these instances are drawn, or are now; not where one of them contradicts the plan.
    pub fn has_drawn(&self, ready: &mut Ready, own: &Study, places: &[usize]) -> bool {
        if places.iter().all(|place| ready.places.binary_search(place).is_ok()) {
            return true;
        }
        let Ok(sampler) = Sampler::new(self.asked) else { return false };
        let drawn = self.drawn(&ready.plan, &sampler, own, places);
        drawn.map(|batch| (ready.batch, ready.places) = (batch, places.to_vec())).is_ok()
    }

    /// From the first snapshot to the last; `None`: interrupted, or not done at the deadline, or by
    /// as many attempts as there may be.
    pub fn run(&self, ready: &mut Ready) -> Result<Option<Course>, RunError> {
        let all: Vec<usize> = (0..self.instances.len()).collect();
        Ok(self.run_some(ready, &all)?.map(|(course, _)| course))
    }

    /// As [`ConvergedRun::run`], of the instances at these places; and how many attempts of steps
    /// they took, where they choose their own.
    pub fn run_some(
        &self,
        ready: &mut Ready,
        places: &[usize],
    ) -> Result<Option<(Course, Option<f64>)>, RunError> {
        let Ready { plan, places: drawn, batch, backend, channels, jumps, counts, most, is_apart, .. } =
            ready;
        let begun = Instant::now();
        let at: Vec<usize> = places.iter().filter_map(|place| drawn.binary_search(place).ok()).collect();
        let mut batch = batch.of(&at);
        if *is_apart {
            perturb(&mut batch, plan.model.bodies(), &plan.zeros.channels);
        }
        let batch = &batch;
        let mut march = BatchRun::new(plan, Observer::new(plan, channels), batch);
        let mut values: Vec<Vec<Vec<f64>>> = Vec::new();
        backend.limit_evaluations(*most as u64);
        let is_spent = Cell::new(false);
        let attempts_of = |columns: &[Vec<f64>]| -> f64 {
            columns[columns.len() - *counts..].iter().flatten().filter(|count| count.is_finite()).sum()
        };
        let see = |_: usize, pieces: &[Piece]| {
            let width = pieces.first().map_or(0, |piece| piece.values.len());
            let mut columns = vec![Vec::with_capacity(batch.count); width];
            for piece in pieces {
                for (column, values) in columns.iter_mut().zip(&piece.values) {
                    column.extend_from_slice(values);
                }
            }
            is_spent.set(attempts_of(&columns) > *most);
            values.push(columns);
        };
        let under_way = |_: u64| {
            let ends =
                is_spent.get() || self.interrupted.load(Ordering::Relaxed) || Instant::now() > self.deadline;
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let reached = march.run(&mut **backend, None, see, under_way)?;
        if reached < plan.schedule.steps || is_spent.get() || backend.evaluations() as f64 > *most {
            return Ok(None);
        }
        let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; batch.count];
        backend.ends(0, &mut ends);
        let attempts = values.last().map_or(0.0, |end| attempts_of(end));
        let shown = columns(plan.model.mechanism(), self.channels);
        let last: &[Vec<f64>] = values.last().map_or(&[], |end| &end[shown.len()..][..*jumps]);
        let of_instance =
            |i: usize| last.iter().map(move |column| column[i]).filter(|x| x.is_finite()).collect();
        let jumps = (0..places.len()).map(of_instance).collect();
        values.iter_mut().for_each(|columns| columns.truncate(shown.len()));
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        let course = Course {
            instances: places.iter().map(|place| self.instances[*place]).collect(),
            times,
            columns: shown,
            values,
            ends,
            jumps,
            alike: allowed_error(self.asked),
            stepping: begun.elapsed(),
        };
        Ok(Some((course, (*counts > 0).then_some(attempts))))
    }
}

pub(super) fn operations(program: &Program) -> f64 {
    let moved = program.own_steps.as_ref().map_or(0.0, |_| MOVED * program.state.len() as f64);
    program.operations(&program.step).total() as f64 + moved
}
