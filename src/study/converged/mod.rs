//! The converged motion of some instances of a study: what a run is compared with to know its
//! error.
//!
//! The engine advances the instances in f64 by a Runge-Kutta method of order 8 with joints held
//! exactly, over steps that are halved until two of them agree. Where that does not settle, the
//! study's own method is refined; where locks catch, the independent reference goes from event to
//! event. The disagreement of the last two solutions is the error that is left.
//!
//! The physics is the engine's own: this measures steps, precision and how joints are held.
//! `replay` judges the coding.

mod course;
mod grid;
mod natural;
mod run;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::planned_run::planned;
use super::replay::to_reference;
use super::run_error::RunError;
use crate::backend::program::Program;
use crate::backend::{End, Plan};
use crate::base::{Options, Precision, Setting, significant};
use crate::describe::{
    Constraints, Coordinate, Mechanism, ObservedChannel, RequestedAccuracy, Study, TimeIntegration,
    Unexplained, VerdictBounds,
};
use crate::ensemble::{Quantities, Sampler};
use crate::methods::{self, Adaptive, AnyMethod, chooses_steps, own_steps, tolerances};
use crate::observe::channels::{ChannelColumn, Registered, columns};
use crate::observe::{Verdict, channels};
use crate::reference::{self, BodyNumbers, Trajectory, accurate};
use crate::treatments;
use course::RESTS;
pub use course::{Course, compare_rest, differences, scales, undefined_times};
use grid::Grid;
pub use grid::bends;
pub use natural::NaturalSizes;
use run::{APART, neighbour, operations};
pub(super) use run::{ConvergedRun, Ready};

/// The methods that are refined, the first one preferred; what their machine code takes to be made,
/// of what that of a run does, about (they evaluate the forces 12 and 4 times a step, most others
/// twice); and the first step, in steps of the study: too long is found out at next to no cost.
/// Measured on the shipped studies with joints: 0.8 to 1.9 and 0.3 to 0.6.
const METHODS: [(&str, f64, u64); 2] = [(methods::ACCURATE.name, 2.0, 32), (methods::PLAIN.name, 0.6, 4)];
/// Share of the budget that machine code may take, and how many operations of an ensemble take as
/// long as the code of one operation.
const OPENING: f64 = 0.6;
pub const CODE: f64 = 2.5e4;
/// Where forces [bend](bends), or instances choose their own steps, the accurate ones are each
/// instance's own: this method, to a thirtieth of this tolerance and less.
const OF_OWN_STEPS: (&str, f64) = (methods::ACCURATE.name, 1e-8);
/// Instances that find out how far steps have to be halved: a vector of f64 of the widest
/// processors.
pub const PROBE: usize = 8;
/// No more halvings than this.
const MOST_HALVINGS: u32 = 24;
/// No more tolerances than this, the last of which are alike and halve the steps alone.
const MOST_TIGHTENED: u32 = 9;
/// A halving that leaves more than this share of the disagreement does not converge.
const NO_PROGRESS: f64 = 0.7;
/// Disagreements are taken to fall by no more than this; those of outcomes, which are found between
/// steps, with the cube of the step, and where functions bend between own steps, with its square.
const MOST_REDUCED: f64 = 256.0;
const OUTCOMES_REDUCED: f64 = 8.0;
const OUTCOMES_OF_OWN_STEPS: f64 = 4.0;
/// Where no halving brings two solutions closer, rounding is left if they are as close as this
/// share of the scale.
const SETTLED: f64 = 1e-6;
/// And outcomes that decide as close as this share of the error asked.
const OF_ASKED: f64 = 0.05;
/// The error of an outcome that lies where its function bends falls with the step alone. It is
/// known well enough to so much of itself, where twice as much besides is below what is asked.
const OF_OUTCOMES: f64 = 2.0 / 3.0;
/// Instances that an implicit method advances to tighter tolerances, of an ensemble of this size,
/// and at most: it counts no operations.
const ADAPTIVE_SHARE: f64 = 0.01;
const ADAPTIVE_MOST: usize = 16;
/// The operations of an attempt of an own step count with so many for each number of the state, all
/// of which go through memory.
const MOVED: f64 = 50.0;
/// Neighbours take no more attempts of own steps than so many times those of what they are
/// neighbours of.
const OF_NEIGHBOURS: f64 = 4.0;
/// More instances than the first few take this share of the operations that are left to an accurate
/// solution; and of own steps, which are many where forces bend, this one where the few err by more
/// than is asked: others leave the word as it is.
const OF_OPEN: f64 = 0.75;
const OF_DECIDED: f64 = 0.25;
/// Steps between two looks for what is not finite.
const CHECK: u64 = 64;
/// The error of an instance asked for where the study says nothing, as a share of the scale of its
/// column.
const STANDARD: f64 = 1e-4;
/// Disagreements below this share of a column's scale are rounding.
pub const ROUNDING: f64 = 1e-12;
/// Share of the operations that the first way may take before the others are tried.
const FIRST_WAY: f64 = 0.6;
/// Share of a way's operations after which it ends where halving has brought nothing.
const PATIENCE: f64 = 0.5;
/// The reference integrates no longer than so many steps of the study between two looks at the
/// clock.
const REFERENCE_STRETCH: f64 = 100.0;
/// Instances that the reference solves at most: it takes them one by one.
const REFERRED: usize = 8;
/// Operations that an evaluation of the reference's equations counts for: it takes about as long.
const OF_AN_EVALUATION: f64 = 2e5;
/// Operations that a step of the study counts for by an implicit method, which takes several of its
/// own.
pub const OF_AN_IMPLICIT_STEP: f64 = 1e6;

/// By what the accurate values were had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// Another method, over steps that were halved until two agreed.
    Refined,
    /// The independent reference, from event to event.
    Reference,
    /// The method of the study, over shorter steps.
    OwnMethod,
}

/// The accurate solution.
#[derive(Clone, Debug)]
pub struct Converged {
    /// The numbers of as many instances as the time allowed.
    pub course: Course,
    /// Estimated error of the solution itself, in the units of the columns,
    /// `[snapshot][column][instance]`.
    pub errors: Vec<Vec<Vec<f64>>>,
    /// By column: see [`scales`].
    pub scales: Vec<f64>,
    pub solved: Solved,
    /// By `[snapshot][column]` the largest distance of the motions of neighbours that differ by
    /// rounding, in the units of the columns; empty: it was not measured.
    pub rounding: Vec<Vec<f64>>,
    /// That distance falls with the tolerance of own steps: these decide it, and not rounding.
    pub parted_by_steps: bool,
    /// One sentence for people.
    pub how: String,
    pub took: Duration,
    /// Operations that were spent on it, with the code that was made and the ways that came to
    /// nothing.
    pub operations: f64,
}

/// When the solution is accurate enough.
#[derive(Clone, Copy)]
pub enum Goal<'a> {
    /// Its own error is at most this share of the scale of every column.
    Share(f64),
    /// Its own error is at most this share of the error of these values, wherever that is above
    /// [`ROUNDING`] of the scale.
    Judging(&'a Course, f64),
}

/// A neighbour that is so many times further off at the end than it began has been taken away by
/// chaos.
pub const CHAOTIC_GROWTH: f64 = 1e6;

/// Whether a distance of neighbours, as a share of the scales, is beyond what regular motion makes
/// of rounding.
fn has_grown(apart: f64) -> bool {
    apart > CHAOTIC_GROWTH * APART * f64::EPSILON
}

/// Where own steps decide how far neighbours part, a tolerance that is 30 times tighter leaves less
/// than this share of their distance; chaos leaves all of it.
const OF_TIGHTER: f64 = 1.0 / 3.0;

/// The neighbour of an instance of the reference.
fn neighbour_of(instance: &reference::Instance) -> reference::Instance {
    let mut other = instance.clone();
    let kinds: [fn(&mut BodyNumbers) -> &mut [f64]; 4] = [
        |body| &mut body.attitude,
        |body| &mut body.angular_velocity,
        |body| &mut body.position,
        |body| &mut body.velocity,
    ];
    for of in kinds {
        let all = other.bodies.iter_mut().flat_map(|body| of(body).iter());
        let usual = all.fold(0.0f64, |largest, x| largest.max(x.abs()));
        let all = other.bodies.iter_mut().flat_map(|body| of(body).iter_mut());
        all.enumerate().for_each(|(k, x)| *x = neighbour(*x, k, usual));
    }
    other
}

/// Rounding decides where neighbours part by more than this share of what is not known.
const OF_ROUNDING: f64 = 0.1;

/// The most that an accurate solution may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Operations of the steps, all instances together: the solution is the same on every machine.
    pub operations: f64,
    /// A fuse: nothing is found that takes longer.
    pub time: Duration,
}

/// All that is found out once about a study before any of its instances is solved.
#[derive(Clone, Debug)]
pub struct Groundwork {
    /// Operations of a step, or of an attempt of one; 0: the method has no program.
    pub of_a_step: f64,
    /// Times (s) inside the motion at which loads jump or bend.
    breaks: Vec<f64>,
    /// The longest step (s) that meets all functions of time.
    pub met: f64,
    /// By state channel, whether it is zero from start to end by the study's method and treatment.
    stay_zero: Vec<bool>,
    /// Below a share of them numbers are rounding.
    pub sizes: NaturalSizes,
}

impl Groundwork {
    /// # Errors
    /// The study describes no mechanism.
    pub fn of(study: &Study) -> Result<Groundwork, RunError> {
        Ok(Groundwork::of_plan(study, &planned(study)?))
    }

    /// That of a study whose plan is made.
    pub fn of_plan(study: &Study, plan: &Plan) -> Groundwork {
        let end = study.method.steps as f64 * study.method.step;
        let nominal = reference::Instance::nominal(&study.mechanism);
        let (breaks, met) = match reference::system::MultibodySystem::new(&study.mechanism, &nominal) {
            Ok(system) => (system.breaks(end), system.longest_step(end)),
            Err(_) => (Vec::new(), end),
        };
        // A method without a program counts as the smallest run.
        let of_a_step = if plan.method.is_adaptive() { 0.0 } else { operations_of_a_step(plan) };
        let breaks = breaks.into_iter().filter(|t| *t > 0.0 && *t < end).collect();
        let mut sizes = NaturalSizes::of(&study.mechanism, end);
        if study.observe.channels.iter().any(|observed| observed.channel == channels::ENERGY) {
            sizes = sizes.reaching(&study.mechanism, end);
        }
        Groundwork { of_a_step, breaks, met, stay_zero: plan.zeros.channels.clone(), sizes }
    }

    /// Parts of a step, at most [`FINEST_GRID`], at whose ends the jumps and kinks of loads are; 1:
    /// there is none, or no such number.
    pub(super) fn parts_at_breaks(&self, study: &Study) -> u64 {
        let Grid { unit, pieces, .. } = Grid::of(study, self, 1);
        if unit == 1 { pieces } else { 1 }
    }

    /// The study by its own method over other steps, those that cost less first: longer ones and
    /// half as long ones, or a tighter tolerance.
    pub(super) fn over_other_steps(&self, study: &Study) -> Vec<Study> {
        if chooses_steps(study.method.name, &study.method.options) {
            return tightened(study, 1, 1).into_iter().collect();
        }
        let longer = Grid::of(study, self, 2).stepped(study, 0);
        let longer = longer.filter(|other| other.method.step > (1.0 + RESTS) * study.method.step);
        longer.into_iter().chain([shorter(study, 2)]).collect()
    }
}

/// The instances by the study's own method, treatment, step and precision, on the CPU; `None`:
/// interrupted, or not done at the deadline.
///
/// # Errors
/// The study describes no mechanism, or its ensemble cannot be drawn.
pub fn advanced(
    study: &Study,
    instances: &[u64],
    channels: &[ObservedChannel],
    deadline: Instant,
    interrupted: &AtomicBool,
) -> Result<Option<Course>, RunError> {
    let (amends, known) = (false, None);
    let converged = ConvergedRun { asked: study, known, amends, instances, channels, deadline, interrupted };
    converged.run(&mut converged.ready(study)?)
}

/// The accurate solution of some instances at all snapshots, of as many as the budget allows, of
/// those at the places `foremost` first, beside others; `None`: of none, interrupted, or the fuse
/// has blown.
///
/// # Errors
/// As [`advanced`].
pub fn converged(
    of: (&Study, &Groundwork),
    chosen: (&[u64], &[usize]),
    channels: &[ObservedChannel],
    goal: Goal<'_>,
    budget: &Budget,
    interrupted: &AtomicBool,
) -> Result<Option<Converged>, RunError> {
    Ok(converged_from(None, of, chosen, channels, (goal, budget), interrupted)?.0)
}

/// As [`converged`], with machine code that was made before; and that of [own steps](by_own_steps),
/// by which it was had.
///
/// # Errors
/// As [`advanced`].
pub(super) fn converged_from(
    prepared: Option<Prepared>,
    (study, known): (&Study, &Groundwork),
    (instances, foremost): (&[u64], &[usize]),
    channels: &[ObservedChannel],
    (goal, budget): (Goal<'_>, &Budget),
    interrupted: &AtomicBool,
) -> Result<(Option<Converged>, Option<Ready>), RunError> {
    let started = Instant::now();
    let deadline = started + budget.time;
    let problem = Asked {
        study,
        known,
        instances,
        order: in_turn(foremost, instances.len()),
        channels,
        goal,
        interrupted,
        operations: budget.operations,
        spent: Cell::new(0.0),
        deadline,
        prepared: Cell::new(prepared),
        own_steps: Cell::new(None),
    };
    let own_is_adaptive = chooses_steps(study.method.name, &study.method.options);
    let is_implicit = Adaptive::new(study.method.name, &study.method.options).is_some();
    let by_own = || problem.refined(&problem.own_method(), 4);
    // The reference has no outcomes.
    let knows_all = |channel: &ObservedChannel| !channel.channel.is_of_the_end();
    let catches = !study.mechanism.locks.is_empty() && channels.iter().all(knows_all);
    let mut best = if is_implicit {
        // Whoever takes a method for what is stiff has a reason.
        by_own()?
    } else {
        match problem.accurate_way() {
            Some((way, first)) => problem.refined(&way, first)?,
            None => None,
        }
    };
    let settled = |found: &Option<Converged>| {
        found.as_ref().is_some_and(|found| problem.is_reached(found) || found.largest_share() < SETTLED)
    };
    if !settled(&best) && !interrupted.load(Ordering::Relaxed) {
        let other = if catches {
            problem.referred(deadline)?
        } else if is_implicit {
            match problem.affordable_way() {
                Some((way, first)) => problem.refined(&way, first)?,
                None => None,
            }
        } else if own_is_adaptive {
            // Steps of its own it was, to tighter tolerances than the run's.
            None
        } else {
            // Steps for all straddle what bends between samples.
            let by_own_steps = match bends(study) && problem.is_sampled() {
                true => problem.refined(&problem.own_steps(), 1)?,
                false => None,
            };
            by_own_steps.map_or_else(by_own, |found| Ok(Some(found)))?
        };
        best = better(best, other);
    }
    // Whatever was found until then depends on the machine.
    if Instant::now() > deadline {
        return Ok((None, None));
    }
    if let Some(found) = &mut best {
        (found.took, found.operations) = (started.elapsed(), problem.spent.get());
    }
    Ok((best, problem.own_steps.take()))
}

/// Makes the machine code by which an accurate solution begins, while it is not known of which
/// instances. `None`: by no program, or it could not be made.
pub(super) fn prepared(
    (study, known): (&Study, &Groundwork),
    channels: &[ObservedChannel],
    goal: Goal<'_>,
    budget: &Budget,
    interrupted: &AtomicBool,
) -> Option<Prepared> {
    if Adaptive::new(study.method.name, &study.method.options).is_some() {
        return None;
    }
    let problem = Asked {
        study,
        known,
        instances: &[],
        order: Vec::new(),
        channels,
        goal,
        interrupted,
        operations: budget.operations,
        spent: Cell::new(0.0),
        deadline: Instant::now() + budget.time,
        prepared: Cell::new(None),
        own_steps: Cell::new(None),
    };
    let (way, first) = problem.accurate_way()?;
    let refining = problem.refining(&way, first);
    let ready = refining.followed.ready_at(&refining.own(0)?, &[]).ok()?;
    let apart = ready.parted().map(|made| made());
    Some(Prepared { method: way.study.method.name, ready, apart })
}

/// The better of two solutions; more instances do not count.
fn better(a: Option<Converged>, b: Option<Converged>) -> Option<Converged> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.is_better_than(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Converged {
    /// From the disagreement with the solution over twice the step to the error that is left: by
    /// how much the disagreements fall, or of the first two solutions by the order. The
    /// disagreements of outcomes fall by no more than `of_outcomes`: halved steps alone mend these,
    /// slower than the motion, and not tolerances. A method of some order is extrapolated, as
    /// Richardson does: of the change `1 / (reduction - 1)` is left.
    fn reduce(&mut self, reduction: Option<f64>, of_outcomes: f64, coarse: &Course, order: Option<u32>) {
        let by_order = order.map(|order| 2f64.powi(order as i32));
        let most = by_order.unwrap_or(MOST_REDUCED);
        let Some(reduction) = reduction.or(by_order) else { return };
        let least = if order.is_some() { NO_PROGRESS.recip() } else { 2.0 };
        if reduction.is_nan() || reduction <= least {
            return;
        }
        // As the disagreements fall, so does what is left.
        let left = |most: f64| 1.0 / (reduction.min(most) - 1.0).max(1.0);
        let snapshots = self.course.values.iter_mut().zip(&mut self.errors).zip(&coarse.values);
        for ((values, errors), coarse) in snapshots {
            let columns =
                values.iter_mut().zip(errors).zip(coarse).zip(&self.scales).zip(&self.course.columns);
            for ((((values, errors), coarse), scale), column) in columns {
                let is_outcome = column.channel.is_of_the_end();
                let left = left(if is_outcome { of_outcomes.min(most) } else { most });
                for ((value, error), coarse) in values.iter_mut().zip(errors).zip(coarse) {
                    let change = *value - *coarse;
                    // A quaternion that has changed its sign stays as it is.
                    let is_alike = (change.abs() - *error).abs() <= 1e-9 * *error;
                    if order.is_none() || is_alike {
                        *value += if order.is_some() { left * change } else { 0.0 };
                        *error = (*error * left).max(1e-14 * scale);
                    }
                }
            }
        }
    }

    /// Its errors are at least the distances from a solution over shorter steps, which has come no
    /// closer: beside a singular position errors do not fall with the step.
    fn doubted_by(&mut self, finer: &Course) {
        let apart = differences(&self.course, finer);
        let all = self.errors.iter_mut().flatten().flatten().zip(apart.iter().flatten().flatten());
        all.filter(|(_, apart)| apart.is_finite()).for_each(|(error, apart)| *error = error.max(*apart));
    }

    /// Whether it holds for longer than another, to [`SETTLED`], or as long with a smaller error:
    /// where motion is chaotic, all errors are large at the end.
    fn is_better_than(&self, other: &Converged) -> bool {
        let worth = |found: &Converged| {
            let settled = found.shares().take_while(|share| *share <= SETTLED).count();
            (settled as f64 / found.course.times.len().max(1) as f64, -found.largest_share())
        };
        worth(self) > worth(other)
    }

    /// Its errors are at least what rounding makes of them: how far neighbours are apart.
    fn beside_neighbours(&mut self, apart: &[Vec<Vec<f64>>]) {
        // An outcome can part by itself, where a step ends elsewhere: chaos is of the motion.
        let columns = &self.course.columns;
        let is_motion = |column: &ChannelColumn| !column.channel.is_of_the_end();
        let has_motion = columns.iter().any(is_motion);
        let largest = |(c, apart): (usize, &Vec<f64>)| {
            let tells = !has_motion || is_motion(&columns[c]);
            let finite = apart.iter().copied().filter(|apart| tells && apart.is_finite());
            finite.fold(0.0, f64::max)
        };
        self.rounding =
            apart.iter().map(|columns| columns.iter().enumerate().map(largest).collect()).collect();
        for (errors, apart) in self.errors.iter_mut().zip(apart) {
            for (errors, apart) in errors.iter_mut().zip(apart) {
                let finite = errors.iter_mut().zip(apart).filter(|(_, apart)| apart.is_finite());
                finite.for_each(|(error, apart)| *error = error.max(*apart));
            }
        }
    }

    /// By snapshot its largest error, as a share of the scales.
    fn shares(&self) -> impl Iterator<Item = f64> {
        let largest = |columns: &Vec<Vec<f64>>| {
            let numbers = columns.iter().zip(&self.scales);
            let shares = numbers.flat_map(|(column, scale)| column.iter().map(move |error| error / scale));
            shares.fold(0.0, f64::max)
        };
        self.errors.iter().map(largest)
    }

    /// That of the instances at these places alone.
    pub fn of(&self, places: &[usize]) -> Converged {
        let numbers = |all: &[Vec<Vec<f64>>]| {
            let of_column = |column: &Vec<f64>| places.iter().map(|place| column[*place]).collect();
            all.iter().map(|columns| columns.iter().map(of_column).collect()).collect()
        };
        let course = &self.course;
        Converged {
            errors: numbers(&self.errors),
            scales: self.scales.clone(),
            rounding: self.rounding.clone(),
            how: self.how.clone(),
            course: Course {
                instances: places.iter().map(|place| course.instances[*place]).collect(),
                ends: places.iter().map(|place| course.ends[*place]).collect(),
                jumps: places.iter().map(|place| course.jumps[*place].clone()).collect(),
                values: numbers(&course.values),
                times: course.times.clone(),
                columns: course.columns.clone(),
                ..*course
            },
            ..*self
        }
    }

    /// By instance the last snapshot (s) before the first at which its own error is above this
    /// share of a scale.
    pub fn known_until(&self, share: f64) -> Vec<f64> {
        let is_off = |i: usize, columns: &Vec<Vec<f64>>| {
            columns.iter().zip(&self.scales).any(|(column, scale)| column[i] / scale > share)
        };
        let until = |i: usize| {
            let exact = self.errors.iter().take_while(|columns| !is_off(i, columns)).count();
            self.course.times.get(exact.saturating_sub(1)).copied().unwrap_or_default()
        };
        (0..self.course.instances.len()).map(until).collect()
    }

    /// Whether neighbours part so fast that rounding is magnified beyond what regular motion does,
    /// whatever the tolerance of own steps.
    pub fn is_chaotic(&self) -> bool {
        !self.parted_by_steps && has_grown(self.parted())
    }

    /// Whether rounding decides what is not known, so much of the scales: own steps of neighbours
    /// differ by what their tolerance allows, which is far from chaos.
    pub fn parts(&self, own: f64) -> bool {
        self.is_chaotic() && self.parted() > OF_ROUNDING * own
    }

    /// The largest distance between the motions of neighbours, as a share of the scales.
    fn parted(&self) -> f64 {
        let shares = self.rounding.iter().flat_map(|columns| columns.iter().zip(&self.scales));
        shares.map(|(apart, scale)| apart / scale).fold(0.0, f64::max)
    }

    /// The largest error of the solution itself, as a share of the scale of its column; infinite
    /// where an instance has none.
    pub fn largest_share(&self) -> f64 {
        self.largest_of(|_| true)
    }

    /// The column with that error; `None`: it is infinite.
    pub fn least_known(&self) -> Option<usize> {
        let largest = Some(self.largest_share()).filter(|largest| largest.is_finite())?;
        let columns = &self.course.columns;
        columns.iter().position(|column| self.largest_of(|other| std::ptr::eq(other, column)) == largest)
    }

    /// As [`Converged::largest_share`], of these columns.
    fn largest_of(&self, counts: impl Fn(&ChannelColumn) -> bool + Sync) -> f64 {
        let of_snapshot = |(values, errors): (&Vec<Vec<f64>>, &Vec<Vec<f64>>)| {
            let columns = values.iter().zip(errors).zip(&self.scales).zip(&self.course.columns);
            let counted = columns.filter(|(_, column)| counts(column));
            counted.fold(0.0, |largest, (((values, errors), scale), _)| {
                let numbers = values.iter().zip(errors).filter(|(value, _)| value.is_finite());
                numbers.fold(largest, |largest: f64, (_, error)| largest.max(error / scale))
            })
        };
        let largest =
            self.course.values.par_iter().zip(&self.errors).map(of_snapshot).reduce(|| 0.0, f64::max);
        // A solution of which nothing is left has no error that counts; where conditions of the
        // study have ended all instances, what came before does.
        let is_known = |end: &End| matches!(end.verdict, Verdict::Finished | Verdict::Condition(_));
        let under_way = self.course.values.iter().skip(1).flatten().flatten().any(|value| value.is_finite());
        if under_way && self.course.ends.iter().any(is_known) { largest } else { f64::INFINITY }
    }
}

/// The instances and channels to be solved, the accuracy to be reached and the operations allowed.
struct Asked<'a> {
    study: &'a Study,
    known: &'a Groundwork,
    instances: &'a [u64],
    /// The places of the instances, those that are solved first at the beginning.
    order: Vec<usize>,
    channels: &'a [ObservedChannel],
    goal: Goal<'a>,
    interrupted: &'a AtomicBool,
    /// That all ways together may take.
    operations: f64,
    /// And have taken.
    spent: Cell<f64>,
    /// When the fuse blows.
    deadline: Instant,
    /// The first way may begin with it.
    prepared: Cell<Option<Prepared>>,
    /// The machine code of [own steps](by_own_steps), once they were taken.
    own_steps: Cell<Option<Ready>>,
}

/// Machine code that was made ahead, without instances, of a study by this method, and that of
/// neighbours.
pub(super) struct Prepared {
    method: &'static str,
    ready: Ready,
    apart: Option<Ready>,
}

/// A study to be refined, and how it is called.
struct Way {
    study: Study,
    solved: Solved,
    name: String,
    /// The tolerances of a method that chooses its steps are divided instead of its step.
    adaptive: bool,
    /// The order of a method of which the first two solutions are extrapolated.
    order: Option<u32>,
}

impl Asked<'_> {
    /// The study by the accurate method: f64, joints held exactly and projected, no bounds, nothing
    /// drawn but what is physical.
    fn accurate_method(&self, method: &'static str) -> Way {
        let study = exactly(self.study, method);
        let joints = if study.mechanism.is_held() { ", joints exact and projected" } else { "" };
        Way {
            study,
            solved: Solved::Refined,
            name: format!("{method}{joints}"),
            adaptive: false,
            order: None,
        }
    }

    /// The accurate method over steps of each instance's own, to tighter and tighter tolerances.
    fn own_steps(&self) -> Way {
        let (name, tolerance) = OF_OWN_STEPS;
        let mut way = self.accurate_method(name);
        // Outcomes are found between steps: over those of the run they would err as the run's do.
        let has_outcomes = |run: &Course| run.columns.iter().any(|column| column.channel.is_of_the_end());
        let longest = match self.goal {
            Goal::Judging(run, _) if has_outcomes(run) => 1,
            Goal::Judging(..) | Goal::Share(_) => u64::MAX,
        };
        way.study = by_own_steps(self.study, self.known, tolerance, longest);
        way.name = format!("{name} over steps of each instance's own{}", &way.name[name.len()..]);
        way.adaptive = true;
        way
    }

    /// The way that is tried first where the method is none for what is stiff, with its first step
    /// in steps of the study.
    fn accurate_way(&self) -> Option<(Way, u64)> {
        let method = &self.study.method;
        match chooses_steps(method.name, &method.options) || bends(self.study) && !self.is_sampled() {
            true => Some((self.own_steps(), 1)),
            false => self.affordable_way(),
        }
    }

    fn is_sampled(&self) -> bool {
        self.study.mechanism.sampled_signals().next().is_some()
    }

    fn affordable_way(&self) -> Option<(Way, u64)> {
        self.affordable().map(|(name, first)| (self.accurate_method(name), first))
    }

    /// The first method whose machine code is made soon enough, and its first step in steps of the
    /// study.
    fn affordable(&self) -> Option<(&'static str, u64)> {
        let opening = CODE * self.known.of_a_step;
        let is_affordable = |(name, share, _): &(&str, f64, u64)| {
            let share = if *name == self.study.method.name { 1.0 } else { *share };
            share * opening <= OPENING * self.operations
        };
        let found = METHODS.into_iter().find(is_affordable);
        found.map(|(name, _, first)| (name, first))
    }

    /// The study's own method and treatment in f64.
    fn own_method(&self) -> Way {
        let study = plain(self.study);
        let is_named = !study.method.chosen && study.method.open.is_none_or(|open| !open.name);
        let whose = if is_named { "the study's own method" } else { "the method" };
        let name = format!("{whose} {}", study.method.name);
        let adaptive = chooses_steps(study.method.name, &study.method.options);
        let order = AnyMethod::new(study.method.name, &study.method.options).map(|method| method.order());
        let order = order.filter(|_| !adaptive);
        Way { study, solved: Solved::OwnMethod, name, adaptive, order }
    }

    /// The beginning of a way, whose first step is at most so many of the study's.
    fn refining<'a>(&'a self, way: &'a Way, first: u64) -> Refining<'a> {
        let converged = ConvergedRun {
            asked: self.study,
            known: Some(self.known),
            amends: true,
            instances: self.instances,
            channels: self.channels,
            deadline: self.deadline,
            interrupted: self.interrupted,
        };
        let method = &self.study.method;
        let is_own_adaptive = chooses_steps(method.name, &method.options);
        let share = match way.solved {
            Solved::OwnMethod => 1.0 - FIRST_WAY,
            Solved::Refined if way.adaptive && !is_own_adaptive && self.is_sampled() => 1.0 - FIRST_WAY,
            // No other way follows.
            Solved::Refined if way.adaptive && is_own_adaptive && self.study.mechanism.locks.is_empty() => {
                1.0
            }
            Solved::Refined | Solved::Reference => FIRST_WAY,
        };
        let allowed = share * self.operations;
        let prepared = self.prepared.take().filter(|made| made.method == way.study.method.name);
        let (opened, apart) = prepared.map_or((None, None), |made| (Some(made.ready), made.apart));
        Refining {
            asked: self,
            way,
            followed: converged,
            grid: Grid::of(self.study, self.known, first),
            opened,
            of_pair: None,
            apart,
            last: None,
            reduction: None,
            allowed,
            left: allowed,
        }
    }

    /// Halves steps, from at most `first` of the study's, until the goal is reached, or rounding,
    /// or the operations are spent.
    ///
    /// A few instances find out how far steps have to be halved, at the cost of one vector of
    /// machine code; then as many as the operations allow follow, over the last two steps first.
    fn refined(&self, way: &Way, first: u64) -> Result<Option<Converged>, RunError> {
        let mut refining = self.refining(way, first);
        let all = self.instances.len();
        let mut places = match way.counts_nothing() {
            true => {
                let share = (ADAPTIVE_SHARE * self.study.ensemble.size as f64) as usize;
                self.some(all.min(share.clamp(2, ADAPTIVE_MOST)))
            }
            false if all <= 2 * PROBE => self.some(all),
            false => self.some(PROBE),
        };
        let mut best = refining.halved(0, &places)?;
        let is_decided = way.adaptive && best.as_ref().is_some_and(|found| self.shows_more_than_asked(found));
        let share = if is_decided { OF_DECIDED } else { OF_OPEN };
        let more =
            refining.of_pair.map_or(0, |(of_pair, _)| all.min((share * refining.left / of_pair) as usize));
        if let (Some((_, halving)), true) = (refining.of_pair, best.is_some() && more >= 2 * places.len()) {
            let probe = refining.last.take();
            let wider = self.some(more);
            match refining.halved(halving - 1, &wider)?.filter(|found| found.largest_share().is_finite()) {
                Some(found) => (best, places) = (Some(found), wider),
                None => refining.last = probe,
            }
        }
        if let Some(found) = &mut best {
            refining.beside_neighbours(found, &places)?;
        }
        if way.adaptive && way.solved == Solved::Refined {
            self.own_steps.set(refining.opened.map(Ready::without_instances));
        }
        Ok(best)
    }

    /// Whether what is judged errs by more than is asked, whatever others do.
    fn shows_more_than_asked(&self, found: &Converged) -> bool {
        let Goal::Judging(course, _) = self.goal else { return false };
        let allowed = allowed_error(self.study);
        let off = differences(course, &found.course);
        let largest = |column: &Vec<f64>| column.iter().copied().fold(0.0, f64::max);
        off.iter()
            .flat_map(|columns| columns.iter().zip(&found.scales))
            .any(|(column, scale)| largest(column) > allowed * scale)
    }

    /// The places of so many instances (at least one, at most all), the first ones of the order,
    /// ascending.
    fn some(&self, count: usize) -> Vec<usize> {
        let mut places = self.order.clone();
        places.truncate(count.max(1));
        places.sort_unstable();
        places
    }

    /// The reference's solution, of as many instances as there is time for.
    fn referred(&self, deadline: Instant) -> Result<Option<Converged>, RunError> {
        let study = self.study;
        let sampler = Sampler::new(study)?;
        let h = study.method.step;
        let steps = snapshot_steps(study);
        let times: Vec<f64> = steps.iter().map(|k| *k as f64 * h).collect();
        let columns = columns(&study.mechanism, self.channels);
        let mut course = Course {
            instances: Vec::new(),
            values: vec![vec![Vec::new(); columns.len()]; times.len()],
            columns,
            times,
            ends: Vec::new(),
            jumps: Vec::new(),
            alike: allowed_error(study),
            stepping: Duration::ZERO,
        };
        let started = Instant::now();
        let (mut errors, mut apart) = (course.values.clone(), course.values.clone());
        let mut drawn = vec![0.0; sampler.width()];
        // Two solutions of each and one of its neighbour, which share what is left to this way.
        let wanted = self.instances.len().min(REFERRED);
        let each = (1.0 - FIRST_WAY) * self.operations / OF_AN_EVALUATION / (3 * wanted) as f64;
        // Spread over the ensemble however many there are.
        for k in self.order.iter().copied().take(wanted) {
            let number = self.instances[k];
            sampler.draw(number, &mut drawn);
            let mut quantities = Quantities::nominal(study);
            sampler.apply(&drawn, &mut quantities);
            let Ok((mechanism, instance)) = to_reference(&study.mechanism, quantities) else { break };
            let interrupted = Some(self.interrupted);
            let run = |instance: &reference::Instance, tolerance: f64| {
                let limits = accurate::Limits {
                    deadline: Some(deadline),
                    stretch: REFERENCE_STRETCH * h,
                    evaluations: each as u64,
                    interrupted,
                };
                accurate::run_within(&mechanism, instance, &course.times, tolerance, Some(&limits))
            };
            let (Ok(fine), Ok(coarse)) = (run(&instance, accurate::TOLERANCE), run(&instance, 1e-11)) else {
                break;
            };
            let Ok(beside) = run(&neighbour_of(&instance), accurate::TOLERANCE) else { break };
            let numbers = |run: &Trajectory, k: usize| reference_numbers(&mechanism, self.channels, run, k);
            let of_locks = fine.locks.iter().flat_map(|lock| [lock.locked, lock.released]);
            course.jumps.push(of_locks.flatten().collect());
            for k in 0..course.times.len() {
                let (fine, coarse, beside) = (numbers(&fine, k), numbers(&coarse, k), numbers(&beside, k));
                for (c, (fine, (coarse, beside))) in fine.iter().zip(coarse.iter().zip(&beside)).enumerate() {
                    let jumps = course.jumps_at(k, c, course.instances.len());
                    let off = |other: &f64| if jumps { 0.0 } else { (fine - other).abs() };
                    course.values[k][c].push(*fine);
                    errors[k][c].push(off(coarse));
                    apart[k][c].push(off(beside));
                }
            }
            course.instances.push(number);
            course.ends.push(End { verdict: Verdict::Finished, step: study.method.steps });
        }
        if course.instances.is_empty() {
            return Ok(None);
        }
        course.stepping = started.elapsed();
        let scales = scales(&course, &self.known.sizes);
        let how = "the reference, from event to event, to a tolerance of 1e-14".to_string();
        self.spend(each * OF_AN_EVALUATION * (3 * course.instances.len()) as f64);
        let (solved, rounding, took) = (Solved::Reference, Vec::new(), Duration::ZERO);
        let (parted_by_steps, operations) = (false, 0.0);
        let mut found =
            Converged { errors, scales, solved, rounding, parted_by_steps, how, took, operations, course };
        found.beside_neighbours(&apart);
        Ok(Some(found))
    }

    fn spend(&self, operations: f64) {
        self.spent.set(self.spent.get() + operations);
    }

    fn is_reached(&self, found: &Converged) -> bool {
        // Where all have stopped no number disagrees.
        if !found.largest_share().is_finite() {
            return false;
        }
        match self.goal {
            Goal::Share(share) => found.largest_share() <= share.max(ROUNDING),
            Goal::Judging(course, share) => {
                let off = differences(course, &found.course);
                let (course, errors, scales) = (&found.course, &found.errors, &found.scales);
                let allowed = allowed_error(self.study);
                (0..course.times.len()).all(|k| {
                    (0..scales.len()).all(|c| {
                        let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
                        let (own, off) = (largest(&errors[k][c]), largest(&off[k][c]));
                        let is_outcome = course.columns[c].channel.is_of_the_end();
                        own <= (share * off).max(ROUNDING * scales[c])
                            || is_outcome
                                && own <= OF_OUTCOMES * off
                                && off + 2.0 * own <= allowed * scales[c]
                    })
                })
            }
        }
    }
}

/// Steps that are halved.
struct Refining<'a> {
    asked: &'a Asked<'a>,
    way: &'a Way,
    followed: ConvergedRun<'a>,
    grid: Grid,
    opened: Option<Ready>,
    /// Operations of an instance in the last two solutions, and how often the step of the second of
    /// them was halved.
    of_pair: Option<(f64, u32)>,
    /// The machine code of neighbours, where it was made beside the solutions.
    apart: Option<Ready>,
    /// The best solution and the one before it.
    last: Option<LastTwo>,
    /// By how much the last halving has made two solutions agree better.
    reduction: Option<f64>,
    /// Operations that may be done, and that still may.
    allowed: f64,
    left: f64,
}

impl Refining<'_> {
    /// The solution of these instances with the least error, over steps that were halved `from`
    /// times, and on.
    fn halved(&mut self, from: u32, places: &[usize]) -> Result<Option<Converged>, RunError> {
        let mut previous: Option<Solution> = None;
        let mut disagreement = f64::INFINITY;
        let mut best: Option<Converged> = None;
        for halving in from..MOST_HALVINGS {
            let (fine, apart) = self.beside_solution(halving, places, previous.as_ref())?;
            let Some(fine) = fine else { break };
            if let Some(coarse) = previous.take() {
                self.of_pair = Some(((coarse.operations + fine.operations) / places.len() as f64, halving));
                let mut found = self.beside(&coarse.course, &fine.course, &fine.study);
                let now = found.largest_share();
                let close = self.close(&found, now);
                if disagreement.is_finite() {
                    self.reduction = Some(disagreement / now);
                }
                // The first pair of more instances has no reduction of its own yet: that of the few
                // serves.
                let of_outcomes = if self.way.adaptive { OUTCOMES_OF_OWN_STEPS } else { OUTCOMES_REDUCED };
                found.reduce(self.reduction, of_outcomes, &coarse.course, self.way.order);
                let improves = best.as_ref().is_none_or(|best| found.is_better_than(best));
                let reached = self.asked.is_reached(&found);
                if improves && now.is_finite() {
                    best = Some(found);
                    let (study, operations) = (fine.study.clone(), fine.operations);
                    self.last = Some(LastTwo { coarse, apart, study, operations });
                } else if let Some(best) = &mut best {
                    best.doubted_by(&fine.course);
                }
                let settles = now.is_finite() && disagreement.is_finite() && now > NO_PROGRESS * disagreement;
                let is_late = self.left < (1.0 - PATIENCE) * self.allowed;
                let hopeless = (best.is_none() || settles) && is_late;
                if reached || settles && now < close || hopeless {
                    break;
                }
                disagreement = now;
            }
            // Another one would not be done.
            let is_spent = self.left < 2.0 * fine.operations;
            previous = Some(fine);
            if is_spent {
                break;
            }
        }
        Ok(best)
    }

    /// The way's study over steps that were halved so often; `None`: there is no such step.
    fn own(&self, halving: u32) -> Option<Study> {
        match self.way.adaptive {
            // The study's own method begins beyond the run, the accurate one over its steps.
            true => {
                let halved = halving + u32::from(self.way.solved == Solved::OwnMethod);
                tightened(&self.way.study, halving + 1, halved)
            }
            false => self.grid.stepped(&self.way.study, halving),
        }
    }

    /// As close as this two solutions are to be for rounding to be what is left. Between own steps
    /// outcomes agree better by shorter steps alone, and by leaps: as long as they decide, what is
    /// asked counts too.
    fn close(&self, found: &Converged, now: f64) -> f64 {
        let are_of_steps = self.way.adaptive && !self.way.counts_nothing();
        let by_outcomes = are_of_steps && found.largest_of(|column| !column.channel.is_of_the_end()) < now;
        if by_outcomes { SETTLED.min(OF_ASKED * allowed_error(self.asked.study)) } else { SETTLED }
    }

    /// The solution over steps that were halved so often; `None`: there are too few operations for
    /// it, or no such step.
    fn solution(&mut self, halving: u32, places: &[usize]) -> Result<Option<Solution>, RunError> {
        let Some(own) = self.own(halving) else { return Ok(None) };
        let is_ready = |ready: &mut Ready| ready.turned(&own) && self.followed.has_drawn(ready, &own, places);
        if !self.opened.as_mut().is_some_and(is_ready) {
            self.opened = Some(self.followed.ready_at(&own, places)?);
            self.asked.spend(CODE * self.opened.as_ref().map_or(0.0, |ready| ready.of_a_step));
        }
        let Some(ready) = &mut self.opened else { return Ok(None) };
        let each = if self.way.counts_nothing() { OF_AN_IMPLICIT_STEP } else { ready.of_a_step };
        // An own step takes at least one attempt.
        let least = each * own.method.steps as f64 * places.len() as f64;
        if self.left < least {
            return Ok(None);
        }
        if self.way.adaptive && !self.way.counts_nothing() {
            ready.most = self.left / each;
        }
        let found = self.followed.run_some(ready, places)?;
        let operations = match &found {
            Some((_, attempts)) => attempts.map_or(least, |attempts| each * attempts),
            // It would have taken more.
            None => self.left,
        };
        self.left -= operations;
        self.asked.spend(operations);
        let Some((course, _)) = found else { return Ok(None) };
        Ok(Some(Solution { study: own, course, operations }))
    }

    /// As [`Refining::solution`], beside the neighbours of the one before, and how far those are
    /// from it. A few instances keep one thread busy: another one makes the machine code of
    /// neighbours and advances them in the meantime. They are wanted of the last two solutions
    /// alone, and it is not known which these are.
    fn beside_solution(
        &mut self,
        halving: u32,
        places: &[usize],
        before: Option<&Solution>,
    ) -> Result<(Option<Solution>, Option<Differences>), RunError> {
        let is_free =
            places.len() <= 2 * PROBE && !self.way.counts_nothing() && rayon::current_num_threads() > 1;
        let Some(before) = before.filter(|_| is_free) else {
            return Ok((self.solution(halving, places)?, None));
        };
        let (followed, mut code) = (self.followed, self.apart.take());
        let open = self.opened.as_ref().filter(|_| code.is_none()).and_then(Ready::parted);
        let mut apart = Ok(None);
        let found = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                code = code.take().or_else(|| open.map(|open| open()));
                apart = neighbours_apart(&followed, &mut code, before, places);
            });
            self.solution(halving, places)
        });
        self.apart = code;
        Ok((found?, apart?))
    }

    /// The errors of a solution are at least what rounding makes of them: the distance of
    /// neighbours.
    fn beside_neighbours(&mut self, found: &mut Converged, places: &[usize]) -> Result<(), RunError> {
        let Some(LastTwo { coarse, mut apart, study, operations }) = self.last.take() else { return Ok(()) };
        if apart.is_none() {
            // The machine code of the solutions is made anew, to round otherwise.
            let opened = self.opened.take().filter(|_| self.apart.is_none());
            self.apart = self.apart.take().or(opened.map(|mut ready| {
                ready.part();
                ready
            }));
            apart = neighbours_apart(&self.followed, &mut self.apart, &coarse, places)?;
        }
        if let Some(apart) = apart {
            found.beside_neighbours(&apart);
            if has_grown(found.parted()) {
                found.parted_by_steps = match self.way.adaptive {
                    true => self.parts_by_steps(found, &apart, (study, operations), places)?,
                    // A stage sees all or nothing of a force that jumps within a step.
                    false => self.asked.is_sampled() && bends(self.asked.study),
                };
            }
        }
        Ok(())
    }

    /// Whether the neighbours that part most stay closer over the steps of the best solution, whose
    /// tolerance is tighter.
    fn parts_by_steps(
        &mut self,
        found: &Converged,
        apart: &Differences,
        (study, operations): (Study, f64),
        places: &[usize],
    ) -> Result<bool, RunError> {
        let mut furthest = vec![0.0f64; places.len()];
        for (column, scale) in apart.iter().flat_map(|columns| columns.iter().zip(&found.scales)) {
            furthest
                .iter_mut()
                .zip(column)
                .for_each(|(furthest, apart)| *furthest = furthest.max(apart / scale));
        }
        let mut few: Vec<usize> = (0..places.len()).collect();
        few.sort_by(|a, b| furthest[*b].total_cmp(&furthest[*a]));
        few.truncate(PROBE);
        few.sort_unstable();
        let mut tighter = found.of(&few);
        let few: Vec<usize> = few.into_iter().map(|k| places[k]).collect();
        let best = Solution { study, course: tighter.course.clone(), operations };
        let apart = neighbours_apart(&self.followed, &mut self.apart, &best, &few)?;
        let tolerance = tolerances(best.study.method.name, &best.study.method.options).first().map(|of| of.1);
        // A motion that magnifies the tolerance as it would rounding is chaotic all the same.
        let regular = CHAOTIC_GROWTH * tolerance.unwrap_or_default();
        Ok(apart.is_some_and(|apart| {
            tighter.beside_neighbours(&apart);
            tighter.parted() < regular.min(OF_TIGHTER * found.parted())
        }))
    }

    /// A solution with its disagreement with that over twice the step.
    fn beside(&self, coarse: &Course, course: &Course, own: &Study) -> Converged {
        let mut errors = differences(coarse, course);
        for (k, (errors, values)) in errors.iter_mut().zip(&course.values).enumerate() {
            for (c, (errors, values)) in errors.iter_mut().zip(values).enumerate() {
                // The coarser steps have lost it, the finer have not.
                let lost = |(error, value): &(&mut f64, &f64)| error.is_nan() && value.is_finite();
                if course.counts(k, c) {
                    errors.iter_mut().zip(values).filter(lost).for_each(|(error, _)| *error = f64::INFINITY);
                }
            }
        }
        Converged {
            errors,
            scales: scales(course, &self.asked.known.sizes),
            solved: self.way.solved,
            rounding: Vec::new(),
            parted_by_steps: false,
            how: self.way.sentence(own),
            took: Duration::ZERO,
            operations: 0.0,
            course: course.clone(),
        }
    }
}

/// The solution over twice the step of the best, with the distances of its neighbours, if they are
/// known; the study that the best one is of, and its operations.
struct LastTwo {
    coarse: Solution,
    apart: Option<Differences>,
    study: Study,
    operations: f64,
}

/// Distances of two courses, `[snapshot][column][instance]`.
type Differences = Vec<Vec<Vec<f64>>>;

/// Distances of the neighbours of the instances at these places from them, over the steps of a
/// solution, by machine code that is made where there is none that serves; `None`: they were not
/// followed to the end.
fn neighbours_apart(
    converged: &ConvergedRun<'_>,
    code: &mut Option<Ready>,
    of: &Solution,
    places: &[usize],
) -> Result<Option<Differences>, RunError> {
    let is_ready =
        |ready: &mut Ready| ready.turned(&of.study) && converged.has_drawn(ready, &of.study, places);
    if !code.as_mut().is_some_and(is_ready) {
        let mut ready = converged.ready_at(&of.study, places)?;
        ready.part();
        *code = Some(ready);
    }
    let Some(ready) = code else { return Ok(None) };
    if ready.of_a_step > 0.0 {
        ready.most = OF_NEIGHBOURS * of.operations / ready.of_a_step;
    }
    let neighbours = converged.run_some(ready, places)?;
    Ok(neighbours.map(|(neighbours, _)| differences(&neighbours, &of.course)))
}

/// Some instances over the steps of this study, and what that took.
struct Solution {
    study: Study,
    course: Course,
    operations: f64,
}

impl Way {
    /// Whether its method has no program whose operations could be counted.
    fn counts_nothing(&self) -> bool {
        let method = &self.study.method;
        Adaptive::new(method.name, &method.options).is_some()
    }

    fn sentence(&self, own: &Study) -> String {
        match self.adaptive {
            true => format!("{} at tighter tolerances, f64", self.name),
            false => {
                let h = own.method.step;
                format!("{}, steps of {} s and half as many, f64", self.name, significant(h, 4))
            }
        }
    }
}

/// The study in f64 by this method, joints held exactly and projected.
fn exactly(study: &Study, method: &'static str) -> Study {
    let mut study = plain(study);
    let options = Options::default;
    study.method = TimeIntegration { name: method, options: options(), resynchronise: 0, ..study.method };
    let project = u64::from(study.mechanism.is_held());
    study.constraints = Constraints { treatment: treatments::EXACT.name, options: options(), project };
    study
}

/// The study by the accurate method over steps of each instance's own to this tolerance, which are
/// no longer than so many of the study's, nor than functions of time allow.
pub(super) fn by_own_steps(study: &Study, known: &Groundwork, tolerance: f64, longest: u64) -> Study {
    let mut own = exactly(study, OF_OWN_STEPS.0);
    own.method.options = Options::default().with(own_steps::KEY.name, Setting::Number(tolerance));
    Grid::of(study, known, longest).stepped(&own, 0).unwrap_or(own)
}

/// The study without what is of its own numerics alone: bounds, restarts of quantities that are no
/// part of the motion.
fn plain(study: &Study) -> Study {
    let mut study = study.clone();
    study.run.precision = Precision::F64;
    study.verdict = VerdictBounds {
        energy: None,
        unexplained: Unexplained::Nothing,
        quaternion_norm: None,
        constraint: None,
        every: if study.mechanism.ends.is_empty() { CHECK } else { study.verdict.every },
    };
    study
}

/// The study with the tolerances of its adaptive method divided by 30 so many times, over steps
/// that were halved so often: where they bound the own steps, and outcomes are found between them,
/// tolerances alone would change nothing. `None`: below rounding.
fn tightened(study: &Study, times: u32, halvings: u32) -> Option<Study> {
    let tolerances = tolerances(study.method.name, &study.method.options);
    let by = 30f64.powi(times as i32);
    let (_, first) = tolerances.first()?;
    let is_implicit = Adaptive::new(study.method.name, &study.method.options).is_some();
    let least = if is_implicit { 1e-15 } else { own_steps::RANGE.0 };
    (first / by > 1e-13 || !is_implicit && halvings < MOST_TIGHTENED).then(|| {
        // It begins anew with every step of the study, and finds nothing between them.
        let mut study = shorter(study, if is_implicit { 1 } else { 1 << halvings });
        let options = study.method.options.clone();
        study.method.options = tolerances.iter().fold(options, |options, (key, tolerance)| {
            options.with(key, Setting::Number((tolerance / by).max(least)))
        });
        study
    })
}

/// Exact operations of a step of the plan in f64, or of an attempt of one with all that it takes
/// besides.
pub(super) fn operations_of_a_step(plan: &Plan) -> f64 {
    operations(&Program::new(plan, Precision::F64))
}

fn snapshot_steps(study: &Study) -> Vec<u64> {
    let steps = study.method.steps;
    (0..steps).step_by(study.observe.every as usize).chain([steps]).collect()
}

/// 0 to `count` - 1: the foremost in turn with all others, the first few of which are far from each
/// other.
pub(super) fn in_turn(foremost: &[usize], count: usize) -> Vec<usize> {
    let mut taken = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut others = scattered(count).into_iter();
    let mut foremost = foremost.iter().copied();
    while order.len() < count {
        for next in [foremost.next(), others.next()].into_iter().flatten() {
            if !std::mem::replace(&mut taken[next], true) {
                order.push(next);
            }
        }
    }
    order
}

/// 0 to `count` - 1, the first few of them far from each other.
fn scattered(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let bits = usize::BITS - count.next_power_of_two().leading_zeros();
    order.sort_by_key(|k| k.reverse_bits() >> (usize::BITS - bits.max(1)));
    order
}

/// The reference's numbers of these channels at one of its states, in the order of their columns;
/// NaN: it has none.
pub fn reference_numbers(
    mechanism: &Mechanism,
    channels: &[ObservedChannel],
    run: &Trajectory,
    k: usize,
) -> Vec<f64> {
    let state = &run.states[k];
    let coordinate = |joint: usize, wanted: Coordinate| {
        let before: usize = mechanism.joints[..joint].iter().map(|joint| joint.kind.coordinates.len()).sum();
        let own = mechanism.joints[joint].kind.coordinates.iter().position(|own| *own == wanted);
        own.and_then(|own| state.coordinates.get(before + own).copied()).unwrap_or(f64::NAN)
    };
    let happened = |time: Option<f64>| time.filter(|time| *time <= state.time).unwrap_or(f64::NAN);
    let mut numbers = Vec::new();
    for ObservedChannel { channel, of } in channels {
        let owners = of.map_or_else(|| channels::owners(mechanism, *channel), |of| vec![of]);
        for of in owners {
            let body = state.bodies.get(of);
            match channel.of_modes() {
                channels::ANGULAR_VELOCITY => numbers.extend(state.bodies[of].angular_velocity),
                channels::POSITION => numbers.extend(state.bodies[of].position),
                channels::VELOCITY => numbers.extend(state.bodies[of].velocity),
                channels::ATTITUDE => {
                    let q = state.bodies[of].attitude;
                    numbers.extend(if q[0] < 0.0 { q.map(|x| -x) } else { q });
                }
                channels::ENERGY => numbers.push(state.energy),
                channels::ANGULAR_MOMENTUM => numbers.extend(state.angular_momentum),
                channels::CONSTRAINT_VIOLATION => numbers.push(state.constraint_violation),
                channels::QUATERNION_NORM_ERROR => numbers.push(0.0),
                channel if channels::coordinate(channel).is_some() => {
                    numbers.extend(channels::coordinate(channel).map(|wanted| coordinate(of, wanted)));
                }
                channels::FORCE => numbers.extend(state.reactions[of].force),
                channels::TORQUE => numbers.extend(state.reactions[of].torque),
                channels::CAUGHT => numbers.push(happened(run.locks[of].locked)),
                channels::RELEASED => numbers.push(happened(run.locks[of].released)),
                channels::AMPLITUDE | channels::AMPLITUDE_RATE => {
                    let rates = channel.of_modes() == channels::AMPLITUDE_RATE;
                    let all = body.map(|b| if rates { &b.amplitude_rates } else { &b.amplitudes });
                    let mode = channel.mode().map_or(0, usize::from);
                    let number = all.and_then(|all| all.get(mode).copied());
                    numbers.push(number.unwrap_or(f64::NAN));
                }
                channels::TILT => {
                    let [w, x, y, z] = state.bodies[of].attitude;
                    let axis = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z];
                    numbers.push(f64::atan2(axis[0].hypot(axis[1]), axis[2]));
                }
                channels::DRIVE_TORQUE => numbers.push(state.drives[of][0]),
                channels::LOCK_TORQUE | channels::LOCK_FORCE => numbers.push(state.lock_loads[of]),
                channels::CONTACT_FORCE => numbers.extend(state.contact_forces[of]),
                channels::CONTACT_POINT => numbers.extend(state.contact_points[of]),
                _ => numbers.extend(channel.components().iter().map(|_| f64::NAN)),
            }
        }
    }
    numbers
}

/// The error that is allowed: what the study asks for.
pub fn allowed_error(study: &Study) -> f64 {
    match study.method.accuracy {
        Some(RequestedAccuracy::Error(share)) => share,
        Some(RequestedAccuracy::Statistical) | None => STANDARD,
    }
}

/// The study over steps that are cut into so many.
pub(super) fn shorter(study: &Study, pieces: u64) -> Study {
    let mut shorter = study.clone();
    shorter.method.step /= pieces as f64;
    shorter.method.steps = shorter.method.steps.saturating_mul(pieces);
    shorter.observe.every = shorter.observe.every.saturating_mul(pieces);
    shorter.method.resynchronise = shorter.method.resynchronise.saturating_mul(pieces);
    shorter
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::study_file::{read_study, read_study_text};

    /// A rod that stands on its hinge, and a lock that never catches: neighbours of the reference
    /// fall apart.
    #[test]
    fn neighbours_of_the_reference_part_where_motion_is_unstable() {
        let chaotic = |angle: &str| {
            let mechanism = format!(
                "gravity = 9.81\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.08, 0.08, 0.001]\n\
                 centre_of_mass = [0, 0, -0.5]\n[[joint]]\nname = \"j\"\nkind = \"revolute\"\n\
                 bodies = [\"ground\", \"rod\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\n\
                 angle = \"{angle}\"\n[[lock]]\nname = \"l\"\njoint = \"j\"\nat = \"400 deg\"\n"
            );
            let study = "title = \"rod\"\nmechanism = \"m.toml\"\nensemble = { size = 1 }\n\
                         method = { name = \"rk4\", step = \"10 ms\", duration = \"6 s\" }\n\
                         observe = { channels = [\"j.angle\"], every = \"0.1 s\" }\n";
            let study = read_study_text("m.toml", study, &mechanism).unwrap_or_else(|why| panic!("{why}"));
            let known = Groundwork::of(&study).expect("a mechanism");
            let problem = Asked {
                study: &study,
                known: &known,
                instances: &[0],
                order: vec![0],
                channels: &study.observe.channels,
                goal: Goal::Share(1e-6),
                interrupted: &AtomicBool::new(false),
                operations: 1e12,
                spent: Cell::new(0.0),
                deadline: Instant::now() + Duration::from_secs(600),
                prepared: Cell::new(None),
                own_steps: Cell::new(None),
            };
            problem.referred(problem.deadline).unwrap().expect("a solution").is_chaotic()
        };
        assert!(chaotic("180 deg"));
        assert!(!chaotic("30 deg"));
    }

    /// When the fastest wheel is fastest is known to a share of the step, which half the step
    /// halves: where that is far below what is asked, no further solutions are made, each of which
    /// costs twice the last.
    #[test]
    fn outcomes_are_solved_no_better_than_the_word_needs() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/reaction_wheels.toml");
        let mut study = read_study(&file).unwrap();
        let known = Groundwork::of(&study).expect("a mechanism");
        let (interrupted, time) = (AtomicBool::new(false), Duration::from_secs(600));
        let instances: Vec<u64> = (0..8).collect();
        let mut operations = |accuracy: f64| {
            study.method.accuracy = Some(RequestedAccuracy::Error(accuracy));
            let channels = &study.observe.channels;
            let run = advanced(&study, &instances, channels, Instant::now() + time, &interrupted);
            let run = run.unwrap().expect("a run");
            let budget = Budget { operations: 1.5e10, time };
            let (of, goal) = ((&study, &known), Goal::Judging(&run, 0.05));
            let found = converged(of, (&instances, &[]), channels, goal, &budget, &interrupted);
            found.unwrap().expect("a solution").operations
        };
        let [enough, all] = [3e-4, 1e-6].map(&mut operations);
        assert!(enough < 0.6 * all, "{enough:e} {all:e}");
    }

    /// Two arms over own steps, whose program is told the tolerance or has it as a constant.
    #[test]
    fn one_program_serves_all_tolerances() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/arm.toml");
        let mut study = read_study(&file).unwrap();
        study.method.steps = 40;
        study.observe.every = 20;
        let own = |tolerance: f64| {
            let mut own = study.clone();
            own.method.options = Options::default().with(own_steps::KEY.name, Setting::Number(tolerance));
            own
        };
        let interrupted = AtomicBool::new(false);
        let converged_run = |amends: bool| ConvergedRun {
            asked: &study,
            known: None,
            amends,
            instances: &[0, 3],
            channels: &study.observe.channels,
            deadline: Instant::now() + Duration::from_secs(600),
            interrupted: &interrupted,
        };
        let run = |ready: &mut Ready| {
            let course = converged_run(true).run(ready).unwrap().expect("a course");
            let bits = |x: &f64| x.to_bits();
            course.values.iter().flatten().flatten().map(bits).collect::<Vec<u64>>()
        };
        let mut ready = converged_run(true).ready(&own(1e-9)).unwrap();
        let tight = run(&mut ready);
        assert!(ready.turned(&own(1e-5)));
        let loose = run(&mut ready);
        assert_ne!(tight, loose);
        let mut constant = converged_run(false).ready(&own(1e-5)).unwrap();
        assert_eq!(constant.plan.schedule.tolerance, None);
        assert_eq!(loose, run(&mut constant));
    }
}
