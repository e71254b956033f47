//! The converged motion of some instances of a study: what a run is compared with to know its error.
//!
//! The engine advances the instances in f64 by a Runge-Kutta method of order 8 with joints held exactly, over steps that are
//! halved until two of them agree. Where that does not settle, the study's own method is refined; where locks catch, the
//! independent reference goes from event to event. The disagreement of the last two solutions is the error that is left.
//!
//! The physics is the engine's own: this measures steps, precision and how joints are held. `replay` judges the coding.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fearless_simd::Level;

use super::march::{BatchRun, Piece};
use super::monte_carlo::RunError;
use super::plan::{draw_amended, plan_varying, replanned};
use super::replay::to_reference;
use crate::backend::program::Program;
use crate::backend::{Backend, Batch, End, Plan, cpu};
use crate::base::{Options, Precision, Setting, significant};
use crate::describe::{
    Channel, Constraints, Coordinate, Mechanism, ObservedChannel, Quantity, Study, TimeIntegration,
    Unexplained, VerdictBounds,
};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::methods::{AnyMethod, chooses_steps, tolerances};
use crate::model::Model;
use crate::observe::Verdict;
use crate::observe::channels::{ChannelColumn, ErrorScale, Observer, columns};
use crate::reference::{self, Trajectory, accurate};

/// The methods that are refined, the first one preferred; what their machine code takes to be made, of what that of a run does, about
/// (they evaluate the forces 12 and 4 times a step, most others twice); and the first step, in steps of the study: too long is found out
/// at next to no cost.
/// Measured on the shipped studies with joints: 0.8 to 1.9 and 0.3 to 0.6.
const METHODS: [(&str, f64, u64); 2] = [("dop853", 2.0, 32), ("rk4", 0.6, 4)];
/// Share of the budget that machine code may take.
const OPENING: f64 = 0.6;
/// Where locks catch, errors fall with the step however high the order: this method, and its first step.
const OF_EVENTS: (&str, u64) = ("rk4", 2);
/// Instances that find out how far steps have to be halved: a vector of f64 of the widest processors.
const PROBE: usize = 8;
/// No more halvings than this.
const MOST_HALVINGS: u32 = 24;
/// A halving that leaves more than this share of the disagreement does not converge.
const NO_PROGRESS: f64 = 0.7;
/// Where no halving brings two solutions closer, rounding is left if they are as close as this share of the scale.
const SETTLED: f64 = 1e-6;
/// What a tighter tolerance costs an adaptive method, of what its run took, two of them together, about.
const TIGHTER: f64 = 6.0;
/// Steps between two looks for what is not finite.
const CHECK: u64 = 64;
/// Disagreements below this share of a column's scale are rounding.
pub const ROUNDING: f64 = 1e-12;
/// Share of the time that the first way may take before the others are tried.
const FIRST_WAY: f64 = 0.6;
/// Where operations bound a solution, the clock does not (it counts days).
const LONGEST: Duration = Duration::from_secs(86_400);
/// The reference integrates no longer than so many steps of the study between two looks at the clock.
const REFERENCE_STRETCH: f64 = 100.0;
/// Operations that an evaluation of the reference's equations counts for: it takes about as long.
const OF_AN_EVALUATION: f64 = 2e5;
/// Steps may be cut into so many for jumps of loads to be at their ends.
const FINEST_GRID: u64 = 64;

/// Numbers of some instances at all snapshots of a study.
#[derive(Clone, Debug)]
pub struct Course {
    /// By number, ascending.
    pub instances: Vec<u64>,
    /// Of the snapshots (s).
    pub times: Vec<f64>,
    pub columns: Vec<ChannelColumn>,
    /// `[snapshot][column][instance]`; NaN where the instance has stopped or the channel has no number.
    pub values: Vec<Vec<Vec<f64>>>,
    /// How each instance ended.
    pub ends: Vec<End>,
    /// Time that plan, recording and machine code took.
    pub opening: Duration,
    /// Time that the steps took.
    pub stepping: Duration,
}

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
    /// Of as many instances as the time allowed.
    pub course: Course,
    /// Estimated error of the solution itself, in the units of the columns, `[snapshot][column][instance]`.
    pub errors: Vec<Vec<Vec<f64>>>,
    /// By column: see [`scales`].
    pub scales: Vec<f64>,
    pub solved: Solved,
    /// One sentence for people.
    pub how: String,
    pub took: Duration,
}

/// When the solution is accurate enough.
#[derive(Clone, Copy)]
pub enum Goal<'a> {
    /// Its own error is at most this share of the scale of every column.
    Share(f64),
    /// Its own error is at most this share of the error of these values, wherever that is above [`ROUNDING`] of the scale.
    Judging(&'a Course, f64),
}

/// How much an accurate solution may cost.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    Time(Duration),
    /// Exact operations of the steps, all instances together: the solution is the same on every machine. Methods that choose
    /// their steps themselves have a time.
    Operations {
        operations: f64,
        adaptive: Duration,
    },
}

impl Course {
    /// Some of its channels, which are `all`, in their order.
    pub fn only(
        mut self,
        mechanism: &Mechanism,
        all: &[ObservedChannel],
        wanted: &[ObservedChannel],
    ) -> Course {
        let width = |seen: &ObservedChannel| columns(mechanism, &[*seen]).len();
        let kept: Vec<bool> = all.iter().flat_map(|seen| vec![wanted.contains(seen); width(seen)]).collect();
        let filtered = |column: &mut dyn Iterator<Item = bool>| column.next().unwrap_or(true);
        let mut keeps = kept.iter().copied();
        self.columns.retain(|_| filtered(&mut keeps));
        for snapshot in &mut self.values {
            let mut keeps = kept.iter().copied();
            snapshot.retain(|_| filtered(&mut keeps));
        }
        self
    }
}

/// The instances by the study's own method, treatment, step and precision, on the CPU; `None`: interrupted, or not done at the
/// deadline.
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
    let followed = ConvergedRun { asked: study, amends: false, instances, channels, deadline, interrupted };
    followed.run(&mut followed.ready(study)?)
}

/// The accurate solution of some instances at all snapshots, of as many as the budget allows; `None`: of none, or interrupted.
///
/// # Errors
/// As [`advanced`].
pub fn converged(
    study: &Study,
    instances: &[u64],
    channels: &[ObservedChannel],
    goal: Goal<'_>,
    budget: Duration,
    interrupted: &AtomicBool,
) -> Result<Option<Converged>, RunError> {
    converged_within(study, instances, channels, goal, &Budget::Time(budget), interrupted)
}

/// As [`converged`], within another kind of budget.
///
/// # Errors
/// As [`advanced`].
pub fn converged_within(
    study: &Study,
    instances: &[u64],
    channels: &[ObservedChannel],
    goal: Goal<'_>,
    budget: &Budget,
    interrupted: &AtomicBool,
) -> Result<Option<Converged>, RunError> {
    let started = Instant::now();
    let (budget, operations) = match *budget {
        Budget::Time(time) => (time, f64::INFINITY),
        Budget::Operations { operations, adaptive: time } => {
            let is_timed = chooses_steps(study.method.name, &study.method.options);
            (if is_timed { time } else { LONGEST }, operations)
        }
    };
    let deadline = started + budget;
    let asked = Asked { study, instances, channels, goal, interrupted, operations };
    let first_way = started + budget.mul_f64(FIRST_WAY);
    let own_is_adaptive = chooses_steps(study.method.name, &study.method.options);
    let by_own = |patience| asked.refined(&asked.own_method(), 2, patience, deadline);
    let by_another = |patience| match asked.affordable(budget) {
        Some((name, first)) => asked.refined(&asked.accurate_method(name), first, patience, deadline),
        None => Ok(None),
    };
    let catches = !study.mechanism.locks.is_empty();
    let mut best = if catches {
        let (name, first) = OF_EVENTS;
        asked.refined(&asked.accurate_method(name), first, first_way, first_way)?
    } else if own_is_adaptive {
        // Whoever takes a method for what is stiff has a reason.
        by_own(first_way)?
    } else {
        by_another(first_way)?
    };
    let settled = |found: &Option<Converged>| {
        found.as_ref().is_some_and(|found| asked.is_reached(found) || found.largest_share() < SETTLED)
    };
    if !settled(&best) && !interrupted.load(Ordering::Relaxed) {
        let other = if catches {
            asked.referred(deadline)?
        } else if own_is_adaptive {
            by_another(deadline)?
        } else {
            by_own(deadline)?
        };
        best = better(best, other);
    }
    if let Some(found) = &mut best {
        found.took = started.elapsed();
    }
    Ok(best)
}

/// Of two solutions the one with the smaller error, by the median over all numbers of the end; more instances do not count.
fn better(a: Option<Converged>, b: Option<Converged>) -> Option<Converged> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.largest_share() < a.largest_share() { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Converged {
    /// From the disagreement with the solution over twice the step to the error that is left: by how much the disagreements fall, or of
    /// the first two solutions by the order.
    fn reduce(&mut self, reduction: Option<f64>, coarse: &Course, order: Option<u32>) {
        if let Some(reduction) = reduction {
            if reduction.is_nan() || reduction <= 2.0 {
                return;
            }
            // As the disagreements fall, so does what is left.
            let left = 1.0 / (reduction.min(256.0) - 1.0).max(1.0);
            let floor: Vec<f64> = self.scales.iter().map(|scale| 1e-14 * scale).collect();
            for snapshot in &mut self.errors {
                for (errors, floor) in snapshot.iter_mut().zip(&floor) {
                    errors.iter_mut().for_each(|error| *error = (*error * left).max(*floor));
                }
            }
        } else if let Some(order) = order {
            self.extrapolate(coarse, 1.0 / (2f64.powi(order as i32) - 1.0));
        }
    }

    /// Richardson's extrapolation from the solution over twice the step: `share = 1 / (2^p - 1)` of the change is left, p the order.
    fn extrapolate(&mut self, coarse: &Course, share: f64) {
        let fine = self.course.values.iter_mut().zip(&mut self.errors);
        for ((values, errors), coarse) in fine.zip(&coarse.values) {
            for ((values, errors), coarse) in values.iter_mut().zip(errors.iter_mut()).zip(coarse) {
                for ((value, error), coarse) in values.iter_mut().zip(errors.iter_mut()).zip(coarse) {
                    let change = *value - *coarse;
                    // A quaternion that has changed its sign stays as it is.
                    if (change.abs() - *error).abs() <= 1e-9 * *error {
                        *value += share * change;
                        *error *= share;
                    }
                }
            }
        }
    }

    /// The largest error of the solution itself, as a share of the scale of its column; infinite where an instance has none.
    pub fn largest_share(&self) -> f64 {
        let mut largest = 0.0f64;
        for (values, errors) in self.course.values.iter().zip(&self.errors) {
            for ((values, errors), scale) in values.iter().zip(errors).zip(&self.scales) {
                let numbers = values.iter().zip(errors).filter(|(value, _)| value.is_finite());
                largest = numbers.fold(largest, |largest, (_, error)| largest.max(error / scale));
            }
        }
        let all_stopped = self.course.ends.iter().all(|end| end.verdict != Verdict::Finished);
        if all_stopped { f64::INFINITY } else { largest }
    }
}

/// What is solved.
struct Asked<'a> {
    study: &'a Study,
    instances: &'a [u64],
    channels: &'a [ObservedChannel],
    goal: Goal<'a>,
    interrupted: &'a AtomicBool,
    /// That all ways together may take, infinite where the clock bounds them.
    operations: f64,
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
    /// The study by the accurate method: f64, joints held exactly and projected, no bounds, nothing drawn but what is physical.
    fn accurate_method(&self, method: &'static str) -> Way {
        let mut study = plain(self.study);
        let held = study.mechanism.is_held();
        study.method =
            TimeIntegration { name: method, options: Options::default(), resynchronise: 0, ..study.method };
        study.constraints =
            Constraints { treatment: "exact", options: Options::default(), project: u64::from(held) };
        let joints = if held { ", joints exact and projected" } else { "" };
        Way {
            study,
            solved: Solved::Refined,
            name: format!("{method}{joints}"),
            adaptive: false,
            order: None,
        }
    }

    /// The first method whose machine code is made soon enough, as far as is known, and its first step in steps of the study.
    fn affordable(&self, budget: Duration) -> Option<(&'static str, u64)> {
        let opening = match self.goal {
            Goal::Judging(course, _) => course.opening,
            Goal::Share(_) => Duration::ZERO,
        };
        let is_affordable = |share: f64| opening.mul_f64(share) <= budget.mul_f64(OPENING);
        METHODS.into_iter().find(|(_, share, _)| is_affordable(*share)).map(|(name, _, first)| (name, first))
    }

    /// How many instances an adaptive method advances to tighter tolerances in the time, as far as is known.
    fn affordable_instances(&self, deadline: Instant) -> usize {
        let Goal::Judging(course, _) = self.goal else { return usize::MAX };
        let each = course.stepping.as_secs_f64() / course.instances.len().max(1) as f64;
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        (left / (TIGHTER * each).max(1e-9)) as usize
    }

    /// The study's own method and treatment in f64.
    fn own_method(&self) -> Way {
        let study = plain(self.study);
        let name = format!("the study's own method {}", study.method.name);
        let adaptive = chooses_steps(study.method.name, &study.method.options);
        let order = AnyMethod::new(study.method.name, &study.method.options).map(|method| method.order());
        let order = order.filter(|_| !adaptive);
        Way { study, solved: Solved::OwnMethod, name, adaptive, order }
    }

    /// Halves steps, from at most `first` of the study's, until the goal is reached, or rounding or the deadline; gives up where a
    /// halving brings nothing after `patience`.
    ///
    /// A few instances find out how far steps have to be halved, at the cost of one vector of machine code; then as many as there is
    /// time for follow, over the last two steps first.
    fn refined(
        &self,
        way: &Way,
        first: u64,
        patience: Instant,
        deadline: Instant,
    ) -> Result<Option<Converged>, RunError> {
        let followed = ConvergedRun {
            asked: self.study,
            amends: true,
            instances: self.instances,
            channels: self.channels,
            deadline,
            interrupted: self.interrupted,
        };
        let grid = Grid::of(self.study, first);
        let mut refining = Refining {
            asked: self,
            way,
            followed,
            grid,
            opened: None,
            of_pair: None,
            reduction: None,
            patience,
            deadline,
            of_a_step: None,
            left: match way.solved {
                Solved::OwnMethod => 1.0 - FIRST_WAY,
                Solved::Refined | Solved::Reference => FIRST_WAY,
            } * self.operations,
        };
        let all = self.instances.len();
        if way.adaptive {
            let places = self.some(self.affordable_instances(deadline));
            return refining.halved(0, &places);
        }
        if all <= 2 * PROBE {
            return refining.halved(0, &self.some(all));
        }
        let probe = refining.halved(0, &self.some(PROBE))?;
        let left = deadline.saturating_duration_since(Instant::now());
        let Some((of_pair, halving)) = refining.of_pair else { return Ok(probe) };
        let rounds = left.as_secs_f64() / (1.2 * of_pair.as_secs_f64()).max(1e-9);
        let more = all.min((rounds * PROBE as f64) as usize);
        if probe.is_none() || more < 2 * PROBE {
            return Ok(probe);
        }
        let found = refining.halved(halving - 1, &self.some(more))?;
        Ok(found.filter(|found| found.largest_share().is_finite()).or(probe))
    }

    /// The places of so many instances (at least one, at most all), spread over those that are asked for, ascending.
    fn some(&self, count: usize) -> Vec<usize> {
        let mut places = scattered(self.instances.len());
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
            opening: Duration::ZERO,
            stepping: Duration::ZERO,
        };
        let started = Instant::now();
        let mut errors = course.values.clone();
        let mut drawn = vec![0.0; sampler.width()];
        // Spread over the ensemble however many there is time for.
        for k in scattered(self.instances.len()) {
            let number = self.instances[k];
            sampler.draw(number, &mut drawn);
            let mut quantities = Quantities::nominal(study);
            sampler.apply(&drawn, &mut quantities);
            let Ok((mechanism, instance)) = to_reference(&study.mechanism, quantities) else { break };
            let begun = Instant::now();
            let evaluations = match self.operations.is_finite() {
                true => (self.operations / OF_AN_EVALUATION / (2 * self.instances.len()) as f64) as u64,
                false => u64::MAX,
            };
            let interrupted = Some(self.interrupted);
            let run = |tolerance: f64| {
                let limits = accurate::Limits {
                    deadline: Some(deadline),
                    stretch: REFERENCE_STRETCH * h,
                    evaluations,
                    interrupted,
                };
                accurate::run_within(&mechanism, &instance, &course.times, tolerance, Some(&limits))
            };
            let (Ok(fine), Ok(coarse)) = (run(accurate::TOLERANCE), run(1e-11)) else { break };
            let of = |run: &Trajectory, k: usize| reference_numbers(&mechanism, self.channels, run, k);
            for (k, errors) in errors.iter_mut().enumerate() {
                let (fine, coarse) = (of(&fine, k), of(&coarse, k));
                for (c, (fine, coarse)) in fine.iter().zip(&coarse).enumerate() {
                    course.values[k][c].push(*fine);
                    errors[c].push((fine - coarse).abs());
                }
            }
            course.instances.push(number);
            course.ends.push(End { verdict: Verdict::Finished, step: study.method.steps });
            if self.interrupted.load(Ordering::Relaxed) || Instant::now() + begun.elapsed() > deadline {
                break;
            }
        }
        if course.instances.is_empty() {
            return Ok(None);
        }
        course.stepping = started.elapsed();
        let scales = scales(&course);
        let how = "the reference, from event to event, to a tolerance of 1e-14".to_string();
        Ok(Some(Converged { errors, scales, solved: Solved::Reference, how, took: Duration::ZERO, course }))
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
                (0..course.times.len()).all(|k| {
                    (0..scales.len()).all(|c| {
                        let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
                        largest(&errors[k][c]) <= (share * largest(&off[k][c])).max(ROUNDING * scales[c])
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
    /// Time that the last two solutions took, and how often the step of the second of them was halved.
    of_pair: Option<(Duration, u32)>,
    /// By how much the last halving has made two solutions agree better.
    reduction: Option<f64>,
    patience: Instant,
    deadline: Instant,
    /// Operations, where they are counted.
    of_a_step: Option<f64>,
    /// Operations that may still be done.
    left: f64,
}

impl Refining<'_> {
    /// The solution of these instances with the least error, over steps that were halved `from` times, and on.
    fn halved(&mut self, from: u32, places: &[usize]) -> Result<Option<Converged>, RunError> {
        let mut previous: Option<Course> = None;
        let mut disagreement = f64::INFINITY;
        let mut best: Option<Converged> = None;
        for halving in from..MOST_HALVINGS {
            let Some((own, course)) = self.solution(halving, places)? else { break };
            if let Some(coarse) = &previous {
                self.of_pair = Some((coarse.stepping + course.stepping, halving));
                let mut found = self.beside(coarse, &course, &own);
                let now = found.largest_share();
                if disagreement.is_finite() {
                    self.reduction = Some(disagreement / now);
                }
                // Of the first pair of more instances it is that of the few.
                found.reduce(self.reduction, coarse, self.way.order);
                let improves = best.as_ref().is_none_or(|best| found.largest_share() < best.largest_share());
                let reached = self.asked.is_reached(&found);
                if improves && now.is_finite() {
                    best = Some(found);
                }
                let settles = now.is_finite() && disagreement.is_finite() && now > NO_PROGRESS * disagreement;
                let hopeless = (best.is_none() || settles) && Instant::now() > self.patience;
                if reached || settles && now < SETTLED || hopeless {
                    break;
                }
                disagreement = now;
            }
            let next = course.stepping.mul_f64(2.2);
            previous = Some(course);
            if Instant::now() + next > self.deadline {
                break;
            }
        }
        Ok(best)
    }

    /// The solution over steps that were halved so often; `None`: there is no time for it, or no such step.
    fn solution(&mut self, halving: u32, places: &[usize]) -> Result<Option<(Study, Course)>, RunError> {
        let own = match self.way.adaptive {
            true => tightened(&self.way.study, halving + 1),
            false => self.grid.stepped(&self.way.study, halving),
        };
        let Some(own) = own else { return Ok(None) };
        if self.way.adaptive || !self.opened.as_mut().is_some_and(|ready| ready.turned(&own)) {
            self.opened = Some(self.followed.ready(&own)?);
        }
        let Some(ready) = &mut self.opened else { return Ok(None) };
        if self.left.is_finite() && !self.way.adaptive {
            let each = self.of_a_step.get_or_insert_with(|| operations_of_a_step(&ready.plan));
            self.left -= *each * own.method.steps as f64 * places.len() as f64;
            if self.left < 0.0 {
                return Ok(None);
            }
        }
        let course = self.followed.run_some(ready, places)?;
        Ok(course.map(|course| (own, course)))
    }

    /// A solution with its disagreement with that over twice the step.
    fn beside(&self, coarse: &Course, course: &Course, own: &Study) -> Converged {
        let mut errors = differences(coarse, course);
        for (errors, values) in errors.iter_mut().flatten().zip(course.values.iter().flatten()) {
            // The coarser steps have lost it, the finer have not.
            let known = errors.iter_mut().zip(values);
            known
                .filter(|(error, value)| error.is_nan() && value.is_finite())
                .for_each(|(error, _)| *error = f64::INFINITY);
        }
        Converged {
            errors,
            scales: scales(course),
            solved: self.way.solved,
            how: self.way.told(own),
            took: Duration::ZERO,
            course: course.clone(),
        }
    }
}

impl Way {
    fn told(&self, own: &Study) -> String {
        match self.adaptive {
            true => format!("{} at tighter tolerances, f64", self.name),
            false => {
                let h = own.method.step;
                format!("{}, steps of {} s and half as many, f64", self.name, significant(h, 4))
            }
        }
    }
}

/// The study without what is of its own numerics alone: bounds, restarts of quantities that are no part of the motion.
fn plain(study: &Study) -> Study {
    let mut study = study.clone();
    study.run.precision = Precision::F64;
    study.verdict = VerdictBounds {
        energy: None,
        unexplained: Unexplained::Nothing,
        quaternion_norm: None,
        constraint: None,
        every: CHECK,
    };
    study
}

/// The study with the tolerances of its adaptive method divided by 30 so many times; `None`: below rounding.
fn tightened(study: &Study, times: u32) -> Option<Study> {
    let tolerances = tolerances(study.method.name, &study.method.options);
    let by = 30f64.powi(times as i32);
    let (_, first) = tolerances.first()?;
    (first / by > 1e-13).then(|| {
        let mut study = study.clone();
        let options = study.method.options.clone();
        study.method.options = tolerances.iter().fold(options, |options, (key, tolerance)| {
            options.with(key, Setting::Number((tolerance / by).max(1e-15)))
        });
        study
    })
}

/// How snapshots are cut into steps.
struct Grid {
    /// Steps of the study, of which snapshots and end are multiples.
    unit: u64,
    /// Steps that a unit is cut into, at first.
    pieces: u64,
}

impl Grid {
    /// Steps of at most `longest` of the study's, with the jumps and kinks of loads on the grid where that is possible.
    fn of(study: &Study, longest: u64) -> Grid {
        let unit = common_divisor(study.observe.every, study.method.steps);
        let unit = common_divisor(unit, study.mechanism.sampling_steps(study.method.step));
        let pieces = unit.div_ceil(longest).max(1);
        let length = unit as f64 * study.method.step;
        let nominal = reference::Instance::nominal(&study.mechanism);
        let end = study.method.steps as f64 * study.method.step;
        let breaks = match reference::system::MultibodySystem::new(&study.mechanism, &nominal) {
            Ok(system) => system.breaks(end),
            Err(_) => Vec::new(),
        };
        let inside: Vec<f64> = breaks.into_iter().filter(|t| *t > 0.0 && *t < end).collect();
        let fits = |pieces: u64| {
            inside.iter().all(|t| {
                let at = t / length * pieces as f64;
                (at - at.round()).abs() <= 1e-9 * at.max(1.0)
            })
        };
        let on_grid = (pieces..=(8 * unit).max(FINEST_GRID).max(pieces)).find(|pieces| fits(*pieces));
        Grid { unit, pieces: on_grid.unwrap_or(pieces) }
    }

    /// The study over steps that were halved so many times.
    fn stepped(&self, study: &Study, halvings: u32) -> Option<Study> {
        let pieces = self.pieces.checked_shl(halvings)?;
        let mut own = study.clone();
        let (every, steps) = (study.observe.every / self.unit, study.method.steps / self.unit);
        own.method.step = study.method.step * self.unit as f64 / pieces as f64;
        own.method.steps = steps.checked_mul(pieces)?;
        own.observe.every = every.checked_mul(pieces)?;
        // Restarts stay at the same times, as nearly as steps allow.
        let often = |count: u64| (count * pieces).div_ceil(self.unit);
        if own.method.resynchronise > 0 {
            own.method.resynchronise = often(own.method.resynchronise);
        }
        Some(own)
    }
}

/// Parts of a step, at most [`FINEST_GRID`], at whose ends the jumps and kinks of loads are; 1: there is none, or no such number.
pub(super) fn parts_at_breaks(study: &Study) -> u64 {
    let Grid { unit, pieces } = Grid::of(study, 1);
    if unit == 1 { pieces } else { 1 }
}

/// Exact operations of a step of the plan in f64.
pub(super) fn operations_of_a_step(plan: &Plan) -> f64 {
    let program = Program::new(plan, Precision::F64);
    program.operations(&program.step).total() as f64
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn snapshot_steps(study: &Study) -> Vec<u64> {
    let steps = study.method.steps;
    (0..steps).step_by(study.observe.every as usize).chain([steps]).collect()
}

/// 0 to `count` - 1, the first few of them far from each other.
fn scattered(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let bits = usize::BITS - count.next_power_of_two().leading_zeros();
    order.sort_by_key(|k| k.reverse_bits() >> (usize::BITS - bits.max(1)));
    order
}

/// Some instances of a study, advanced in another way than it asks for.
pub(super) struct ConvergedRun<'a> {
    /// Draws the instances.
    pub asked: &'a Study,
    /// The step and the settings of joints are those of the study that advances, whatever is drawn.
    pub amends: bool,
    pub instances: &'a [u64],
    pub channels: &'a [ObservedChannel],
    pub deadline: Instant,
    pub interrupted: &'a AtomicBool,
}

/// A study whose machine code is made.
pub(super) struct Ready {
    pub plan: Plan,
    batch: Batch,
    backend: Box<dyn Backend>,
    opening: Duration,
}

impl Ready {
    /// Goes on with another step of the same study, if it can.
    pub fn turned(&mut self, own: &Study) -> bool {
        let schedule = Schedule {
            h: own.method.step,
            steps: own.method.steps,
            every: own.observe.every,
            resynchronise: match own.constraints.project {
                0 => own.method.resynchronise,
                steps => steps,
            },
            begin: self.plan.begin_steps(own.method.step),
            ..self.plan.schedule.clone()
        };
        if !self.backend.reschedule(&schedule) {
            return false;
        }
        self.plan.schedule = schedule;
        let step = self.plan.model.step();
        self.batch.parameters[step].fill(own.method.step);
        // Settings of joints whose defaults follow the step come after it; those that do not vary have no plane.
        let numbers = own.constraints.numbers(own.method.step, own.run.precision);
        for (plane, number) in self.batch.parameters[step + 1..].iter_mut().zip(numbers) {
            plane.fill(number);
        }
        self.opening = Duration::ZERO;
        true
    }
}

impl ConvergedRun<'_> {
    /// Plans the instances of `own` and makes their machine code.
    pub fn ready(&self, own: &Study) -> Result<Ready, RunError> {
        let started = Instant::now();
        let mut own = own.clone();
        let mut varies = Vec::new();
        if self.amends {
            let numerical = |q: Quantity| matches!(q, Quantity::Step | Quantity::Setting(_));
            own.ensemble.vary.retain(|vary| !numerical(vary.target.quantity));
            // One machine code then serves all steps.
            varies.push((0, Quantity::Step));
        }
        own.observe.channels = self.channels.to_vec();
        let mut plan = plan_varying(&own, &varies)
            .map_err(|error| RunError::NoMechanism(Model::explain(&own.mechanism, error)))?;
        let sampler = Sampler::new(self.asked)?;
        let (step, settings) = (own.method.step, own.constraints.given());
        let amended = |_: usize, quantities: &mut Quantities| {
            if self.amends {
                quantities.step = step;
                quantities.settings.clone_from(&settings);
            }
        };
        let count = self.instances.len();
        let batch = loop {
            match draw_amended(self.asked, &plan, &sampler, count, |i| self.instances[i], amended) {
                Ok((batch, _)) => break batch,
                Err(found) => plan = replanned(plan, &own, &found),
            }
        };
        let backend = cpu::open(plan.clone(), own.run.precision, own.run.fused, Level::new());
        Ok(Ready { plan, batch, backend, opening: started.elapsed() })
    }

    /// From the first snapshot to the last; `None`: interrupted, or not done at the deadline.
    pub fn run(&self, ready: &mut Ready) -> Result<Option<Course>, RunError> {
        let all: Vec<usize> = (0..self.instances.len()).collect();
        self.run_some(ready, &all)
    }

    /// As [`ConvergedRun::run`], of the instances at these places.
    fn run_some(&self, ready: &mut Ready, places: &[usize]) -> Result<Option<Course>, RunError> {
        let Ready { plan, batch, backend, opening } = ready;
        let begun = Instant::now();
        let batch = &batch.of(places);
        let mut march = BatchRun::new(plan, Observer::new(plan, self.channels), batch);
        let mut values = Vec::new();
        let see = |_: usize, pieces: &[Piece]| {
            let width = pieces.first().map_or(0, |piece| piece.values.len());
            let mut columns = vec![Vec::with_capacity(batch.count); width];
            for piece in pieces {
                for (column, values) in columns.iter_mut().zip(&piece.values) {
                    column.extend_from_slice(values);
                }
            }
            values.push(columns);
        };
        let under_way = |_: u64| {
            let ends = self.interrupted.load(Ordering::Relaxed) || Instant::now() > self.deadline;
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let reached = march.run(&mut **backend, None, see, under_way)?;
        if reached < plan.schedule.steps {
            return Ok(None);
        }
        let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; batch.count];
        backend.ends(0, &mut ends);
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        Ok(Some(Course {
            instances: places.iter().map(|place| self.instances[*place]).collect(),
            times,
            columns: columns(plan.model.mechanism(), self.channels),
            values,
            ends,
            opening: *opening,
            stepping: begun.elapsed(),
        }))
    }
}

/// Ranges below this (SI units) are rounding.
const NOTHING: f64 = 1e-12;
/// A column's scale is at least this share of the largest of its channel.
const LEAST_SHARE: f64 = 1e-6;

/// By column, what errors are compared with.
///
/// It is the same for all components of a channel of one body, joint, ...: the largest range over time of one instance, or the largest
/// spread over instances at one time where that is larger, or the largest magnitude of all but positions, displacements and angles, whose
/// zero is anywhere. It is at least a millionth of the largest scale of the channel. Attitudes, and what is a share or an error by
/// itself, are compared with 1; so is what never moves.
pub fn scales(course: &Course) -> Vec<f64> {
    let columns = &course.columns;
    let mut scales: Vec<f64> = Vec::with_capacity(columns.len());
    while scales.len() < columns.len() {
        let first = scales.len();
        let next = columns[first + 1..].iter().position(|column| column.component == 0);
        let end = next.map_or(columns.len(), |next| first + 1 + next);
        let widest = (first..end).map(|c| widest(course, c)).fold(0.0, f64::max);
        scales.resize(end, widest);
    }
    let largest = |channel: Channel| {
        let own = columns.iter().zip(&scales).filter(|(column, _)| column.channel == channel);
        own.fold(0.0, |largest: f64, (_, scale)| largest.max(*scale))
    };
    let scale = |(column, scale): (&ChannelColumn, &f64)| {
        let scale = scale.max(LEAST_SHARE * largest(column.channel));
        if column.channel.card().scale == ErrorScale::One || scale <= NOTHING { 1.0 } else { scale }
    };
    columns.iter().zip(&scales).map(scale).collect()
}

/// The larger of the range over time and the spread over instances of a column, and of its magnitude where that counts.
fn widest(course: &Course, c: usize) -> f64 {
    let anywhere = course.columns[c].channel.card().scale == ErrorScale::Range;
    let start = if anywhere { [f64::INFINITY, f64::NEG_INFINITY] } else { [0.0, 0.0] };
    let taken =
        |[low, high]: [f64; 2], x: f64| if x.is_finite() { [low.min(x), high.max(x)] } else { [low, high] };
    let mut over_time = vec![start; course.instances.len()];
    let mut widest = 0.0f64;
    for snapshot in &course.values {
        let mut here = start;
        for (x, range) in snapshot[c].iter().zip(&mut over_time) {
            here = taken(here, *x);
            *range = taken(*range, *x);
        }
        widest = widest.max(here[1] - here[0]);
    }
    over_time.into_iter().fold(widest, |widest, [low, high]| widest.max(high - low))
}

/// How far the values of two courses of the same study are apart, `[snapshot][column][instance]`, of the instances of `b`, which are
/// among those of `a`: quaternions up to their sign, NaN where one of them has no number, infinite where one instance has stopped alone.
pub fn differences(a: &Course, b: &Course) -> Vec<Vec<Vec<f64>>> {
    let places: Vec<Option<usize>> =
        b.instances.iter().map(|number| a.instances.iter().position(|other| other == number)).collect();
    let of = |k: usize| {
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(b.columns.len());
        let mut c = 0;
        while c < b.columns.len() {
            let width = if b.columns[c].channel == Channel::ATTITUDE { 4 } else { 1 };
            let mut found = vec![vec![f64::NAN; places.len()]; width];
            for (i, place) in places.iter().enumerate() {
                let Some(place) = place else { continue };
                let pair = |j: usize| (a.values[k][c + j][*place], b.values[k][c + j][i]);
                let along: f64 = (0..width).map(|j| pair(j).0 * pair(j).1).sum();
                let sign = if width == 4 && along < 0.0 { -1.0 } else { 1.0 };
                for (j, found) in found.iter_mut().enumerate() {
                    let (x, y) = pair(j);
                    found[i] = (sign * x - y).abs();
                }
            }
            columns.append(&mut found);
            c += width;
        }
        columns
    };
    (0..a.values.len().min(b.values.len())).map(of).collect()
}

/// The reference's numbers of these channels at one of its states, in the order of their columns; NaN: it has none.
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
        let owners = of.map_or_else(|| mechanism.owners(*channel), |of| vec![of]);
        for of in owners {
            let body = state.bodies.get(of);
            match channel.of_modes() {
                Channel::ANGULAR_VELOCITY => numbers.extend(state.bodies[of].angular_velocity),
                Channel::POSITION => numbers.extend(state.bodies[of].position),
                Channel::VELOCITY => numbers.extend(state.bodies[of].velocity),
                Channel::ATTITUDE => {
                    let q = state.bodies[of].attitude;
                    numbers.extend(if q[0] < 0.0 { q.map(|x| -x) } else { q });
                }
                Channel::ENERGY => numbers.push(state.energy),
                Channel::ANGULAR_MOMENTUM => numbers.extend(state.angular_momentum),
                Channel::CONSTRAINT_VIOLATION => numbers.push(state.constraint_violation),
                Channel::QUATERNION_NORM_ERROR => numbers.push(0.0),
                Channel::ANGLE => numbers.push(coordinate(of, Coordinate::Angle)),
                Channel::DISPLACEMENT => numbers.push(coordinate(of, Coordinate::Displacement)),
                Channel::FORCE => numbers.extend(state.reactions[of].force),
                Channel::TORQUE => numbers.extend(state.reactions[of].torque),
                Channel::CAUGHT => numbers.push(happened(run.locks[of].locked)),
                Channel::RELEASED => numbers.push(happened(run.locks[of].released)),
                Channel::AMPLITUDE | Channel::AMPLITUDE_RATE => {
                    let rates = channel.of_modes() == Channel::AMPLITUDE_RATE;
                    let all = body.map(|b| if rates { &b.amplitude_rates } else { &b.amplitudes });
                    let mode = channel.mode().map_or(0, usize::from);
                    let number = all.and_then(|all| all.get(mode).copied());
                    numbers.push(number.unwrap_or(f64::NAN));
                }
                Channel::TILT => {
                    let [w, x, y, z] = state.bodies[of].attitude;
                    let axis = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z];
                    numbers.push(f64::atan2(axis[0].hypot(axis[1]), axis[2]));
                }
                Channel::DRIVE_TORQUE => numbers.push(state.drives[of][0]),
                Channel::LOCK_TORQUE | Channel::LOCK_FORCE => numbers.push(state.lock_loads[of]),
                Channel::CONTACT_FORCE => numbers.extend(state.contact_forces[of]),
                Channel::CONTACT_POINT => numbers.extend(state.contact_points[of]),
                _ => numbers.extend(channel.components().iter().map(|_| f64::NAN)),
            }
        }
    }
    numbers
}
