//! The memory of an instance from step to step besides its motion: whole steps gone by, unwrapped
//! angles, locks, and how it chooses its own steps.
//!
//! A method knows nothing of it: it is read at the start of a step and written at its end.

use super::Model;
use super::carried::State;
use super::outcomes::{OutcomeRecord, SLOTS, branch_ends};
use super::sample::AFTER_START;
use super::system::{Glance, System};
use super::timing::Neighbour;
use crate::describe::{Expression, JointCoordinate, Signal};
use crate::elements::lock::Record;
use crate::kinematics::body::Motion;
use crate::kinematics::function::{Moment, evaluate};
use crate::math::functions::{abs, greatest};
use crate::real::Real;

/// One remembered number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Work of the loads since the start (J).
    Work,
    /// Steps since the start.
    Clock,
    /// A joint's coordinate (rad or m), an angle unwrapped.
    Coordinate(JointCoordinate),
    /// Whether a lock holds ([`lock`](mod@crate::elements::lock)), and when it caught and let go
    /// (s; -1: not yet).
    Flag(usize),
    Caught(usize),
    Released(usize),
    /// One number of an outcome's `OutcomeRecord`.
    Outcome {
        outcome: usize,
        slot: usize,
    },
    /// A sampled signal's value, which it has until it is sampled again, and steps of the study
    /// since it was sampled.
    Held(usize),
    SinceSample(usize),
    /// A number of an instance that chooses its own steps.
    OwnStep(OwnStep),
    /// A count of an instance whose method iterates.
    Iteration(IterationCount),
}

/// Counts of the iterations that solve an instance's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationCount {
    /// Iterations of the last step.
    Last,
    /// Iterations of the step that took most.
    Most,
    /// Iterations of all steps since the start, and the number of those steps.
    Sum,
    Steps,
    /// 1: those of a step did not converge; else 0.
    Open,
}

impl IterationCount {
    /// All, in the order of their channels.
    pub const ALL: [IterationCount; 5] = [
        IterationCount::Last,
        IterationCount::Most,
        IterationCount::Sum,
        IterationCount::Steps,
        IterationCount::Open,
    ];

    fn name(self) -> &'static str {
        match self {
            IterationCount::Last => "iterations",
            IterationCount::Most => "iterations_most",
            IterationCount::Sum => "iterations_sum",
            IterationCount::Steps => "iterations_steps",
            IterationCount::Open => "iterations_open",
        }
    }
}

/// A number that an instance keeps of the steps that it chooses itself
/// ([`own_steps`](crate::methods::own_steps)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnStep {
    /// Share of the step of the study that lies behind.
    Progress,
    /// Share of the step of the study that it would take next.
    Share,
    /// By which the error of the last accepted attempt enters the choice.
    Last,
    /// Attempts in this step of the study.
    Attempts,
    /// 1: no attempt is short enough, and it has been given up; else 0.
    Stuck,
    /// Own steps taken since the start, and attempts that were not.
    Taken,
    Rejected,
    /// 1: in the last attempt a lock caught or let go, else 0.
    Event,
}

impl OwnStep {
    /// All, in the order of their channels.
    pub const ALL: [OwnStep; 8] = [
        OwnStep::Progress,
        OwnStep::Share,
        OwnStep::Last,
        OwnStep::Attempts,
        OwnStep::Stuck,
        OwnStep::Taken,
        OwnStep::Rejected,
        OwnStep::Event,
    ];

    /// The first attempt takes so little of the step of the study that it teaches the next
    /// something.
    const FIRST_SHARE: f64 = 1.0 / 1024.0;

    fn name(self) -> &'static str {
        match self {
            OwnStep::Progress => "own_progress",
            OwnStep::Share => "own_share",
            OwnStep::Last => "own_last",
            OwnStep::Attempts => "own_attempts",
            OwnStep::Stuck => "own_stuck",
            OwnStep::Taken => "own_taken",
            OwnStep::Rejected => "own_rejected",
            OwnStep::Event => "own_event",
        }
    }

    fn at_start(self) -> f64 {
        match self {
            OwnStep::Share => OwnStep::FIRST_SHARE,
            OwnStep::Last => 1.0,
            _ => 0.0,
        }
    }
}

impl Memory {
    /// Name of its state channel, for kernels.
    pub fn name(self) -> String {
        match self {
            Memory::Work => "work".to_string(),
            Memory::Clock => "clock".to_string(),
            Memory::Coordinate(JointCoordinate { joint, coordinate }) => {
                format!("{}_{joint}", coordinate.name())
            }
            Memory::Flag(lock) => format!("lock_{lock}"),
            Memory::Caught(lock) => format!("caught_{lock}"),
            Memory::Released(lock) => format!("released_{lock}"),
            Memory::Outcome { outcome, slot } => format!("outcome_{outcome}_{slot}"),
            Memory::Held(signal) => format!("held_{signal}"),
            Memory::SinceSample(signal) => format!("since_sample_{signal}"),
            Memory::OwnStep(item) => item.name().to_string(),
            Memory::Iteration(item) => item.name().to_string(),
        }
    }

    /// Whether an instance ends where it is no number. An outcome decides nothing: its function may
    /// have no value.
    pub fn must_be_finite(self) -> bool {
        !matches!(self, Memory::Outcome { .. })
    }

    /// Whether it changes where a step of the study ends, and nowhere else.
    pub fn is_of_whole_steps(self) -> bool {
        matches!(self, Memory::Held(_) | Memory::SinceSample(_))
    }
}

/// The sampled signals at the end of a step.
pub struct Sampled<R> {
    /// By signal: the value held from now on. `None`: it follows the motion.
    pub held: Vec<Option<R>>,
    /// By signal: 1 where it has just been sampled, else 0; and steps of the study since it was.
    due: Vec<Option<(R, R)>>,
}

/// The share, where these values of a function differ by more than rounding; else 0: it does not
/// jump. A rotated vector is alike by both signs of the quaternion.
fn if_apart<R: Real>(old: R, new: R, share: R) -> R {
    let rounding = share.lift(if share.precision().is_single() { 1e-5 } else { 1e-12 });
    (rounding * (abs(old) + abs(new))).select_less(abs(old - new), share, share.lift(0.0))
}

impl<R: Real> Sampled<R> {
    /// Above 0 where any signal has just been sampled, else 0; `None`: none ever is.
    fn jumps(&self) -> Option<R> {
        self.due.iter().flatten().map(|(due, _)| *due).reduce(|sum, due| sum + due)
    }
}

impl Model {
    /// Returns the memory at the end of a step. `system`: that of the step, with `memory` from its
    /// start.
    pub fn remember<R: Real>(
        &self,
        system: &System<R>,
        memory: &[R],
        before: &[Motion<R>],
        after: &State<R>,
    ) -> Vec<R> {
        let constraints = system.constraint_set();
        // Not those that the method carries: they hold what returns a lock's overshoot, which
        // differs between two chains and jumps where one is restarted from the other.
        let multipliers =
            self.needs_multipliers().then(|| system.borne(system.sample_at(1.0), &after.motions));
        // Their rows are the last.
        let first = self.rows() - constraints.locks.len();
        let records: Vec<Record<R>> = constraints
            .locks
            .iter()
            .enumerate()
            .map(|(k, lock)| {
                let value = |item: Memory| self.remembered(item).map_or(lock.flag, |at| memory[at]);
                let record = Record {
                    flag: value(Memory::Flag(k)),
                    caught: value(Memory::Caught(k)),
                    released: value(Memory::Released(k)),
                };
                // Not that of `before`, which a projection may have moved across.
                let s = self.remembered(Memory::Coordinate(lock.of)).map_or(lock.at, |at| memory[at]);
                let end = constraints.coordinate(lock.of, &after.motions).violation;
                let multiplier = multipliers.as_ref().map(|all| all[first + k]);
                lock.after(record, system.time(0.0), system.h, s, end, multiplier)
            })
            .collect();
        let sampled = self.sampled(system, memory, &after.motions);
        let courses: Vec<[R; SLOTS]> = (0..self.mechanism.outcomes.len())
            .filter_map(|outcome| {
                let course = self.course(outcome, memory)?;
                let outcome = &self.mechanism.outcomes[outcome];
                let function = outcome.function();
                let peaks = self.mechanism.peaks(outcome);
                let (t, h) = (system.time(0.0), system.h);
                let f = system.function(&function, 1.0, Neighbour::Before, &after.motions);
                let whole = course.after(outcome, peaks, t, h, f);
                let start = Glance { steps: 0.0, side: Neighbour::After, at: before };
                let end = Glance { steps: 1.0, side: Neighbour::Before, at: &after.motions };
                let course = match self.branch_share(system, &function, start, end) {
                    None => whole,
                    Some(share) => {
                        let near = |glance, near| {
                            system.function_near(&function, glance, system.held_signals(), Some(near))
                        };
                        let (old, new) = (near(end, start), near(start, end));
                        let share = if_apart(old, f, share);
                        let parted = course.after_change(outcome, peaks, (t, h), share, old, [new, f]);
                        whole.or_where(share, parted)
                    }
                };
                let sampled_jumps = sampled.jumps().filter(|_| self.mechanism.jumps_with_samples(&function));
                let in_time = self.branches_in_time && self.mechanism.depends_on_time(&function);
                if sampled_jumps.is_none() && !in_time {
                    return Some(course.slots());
                }
                let end = Glance { side: Neighbour::After, ..end };
                let behind = system.function_near(&function, end, &sampled.held, None);
                let (zero, one) = (f.lift(0.0), f.lift(1.0));
                let differs = in_time.then(|| f.select_less(behind, one, behind.select_less(f, one, zero)));
                let jumps = [sampled_jumps, differs].into_iter().flatten().fold(zero, |sum, jump| sum + jump);
                Some(course.jumped(outcome, system.time(1.0), behind, jumps).slots())
            })
            .collect();
        let next = |(at, item): (usize, &Memory)| match *item {
            // The last sample of such a plan is the whole step.
            Memory::Work => {
                let body = system.only(system.samples() - 1);
                body.work(&before[0], &after.motions[0], memory[at])
            }
            Memory::Clock => memory[at] + memory[at].lift(1.0),
            Memory::Coordinate(of) => constraints.coordinate(of, &after.motions).violation,
            Memory::Flag(k) => records[k].flag,
            Memory::Caught(k) => records[k].caught,
            Memory::Released(k) => records[k].released,
            Memory::Outcome { outcome, slot } => courses[outcome][slot],
            Memory::Held(signal) => sampled.held[signal].unwrap_or(memory[at]),
            Memory::SinceSample(signal) => sampled.due[signal].map_or(memory[at], |(_, since)| since),
            // The controller of the steps has the say.
            Memory::OwnStep(_) => memory[at],
            Memory::Iteration(item) => system.iterations().map_or(memory[at], |taken| match item {
                IterationCount::Last => taken.count,
                IterationCount::Most => greatest(memory[at], taken.count),
                IterationCount::Sum => memory[at] + taken.count,
                IterationCount::Steps => memory[at] + memory[at].lift(1.0),
                // An instance is looked at now and then.
                IterationCount::Open => greatest(memory[at], taken.open),
            }),
        };
        self.memory.iter().enumerate().map(next).collect()
    }

    /// The share of a step after which a function goes over to another branch by convention alone:
    /// a quaternion changes its sign, or an angle goes on a turn away. 0: it does not; `None`: it
    /// never does.
    fn branch_share<R: Real>(
        &self,
        system: &System<R>,
        function: &Expression,
        start: Glance<'_, R>,
        end: Glance<'_, R>,
    ) -> Option<R> {
        let scalars = system.scalars(&self.mechanism.attitudes_in(function), start.at, end.at);
        let signs = scalars.into_iter().map(|[first, then]| branch_ends(first, then, first.lift(0.0)));
        let signals = system.held_signals();
        let turns = self.mechanism.angles_in(function).into_iter().map(|angle| {
            let first = system.function_near(angle, start, signals, None);
            let then = system.function_near(angle, end, signals, Some(start));
            branch_ends(abs(first), abs(then), first.lift(std::f64::consts::PI))
        });
        signs.chain(turns).reduce(greatest)
    }

    /// The sampled signals after a step that led to these motions.
    pub fn sampled<R: Real>(&self, system: &System<R>, memory: &[R], motions: &[Motion<R>]) -> Sampled<R> {
        let (zero, one, half) = (system.h.lift(0.0), system.h.lift(1.0), system.h.lift(0.5));
        let due_by_steps = |(signal, described): (usize, &Signal)| {
            let since = memory[self.remembered(Memory::SinceSample(signal))?] + one;
            // A number of whole steps, up to rounding.
            let steps = system.h.lift(described.every?) / system.step_of_study();
            let due = since.select_less(steps - half, zero, one);
            Some((due, since.select_less(steps - half, since, zero)))
        };
        let ends = system.ends_step_of_study();
        let due_at_ends = |signal| {
            let (due, since) = due_by_steps(signal)?;
            Some((ends.map_or(due, |ends| due * ends), since))
        };
        let due: Vec<Option<(R, R)>> = self.mechanism.signals.iter().enumerate().map(due_at_ends).collect();
        let signals = if due.iter().all(Option::is_none) {
            vec![None; due.len()]
        } else {
            let now = |signal: usize, value: R, last: R| match due[signal] {
                Some((due, _)) => half.select_less(due, value, last),
                None => last,
            };
            system.sampled(1.0, motions, &now)
        };
        Sampled { held: signals, due }
    }

    /// By signal, the value that is held according to this memory; `None`: it follows the motion,
    /// or nothing is remembered.
    pub(super) fn held_values<R: Copy>(&self, memory: &[R]) -> Vec<Option<R>> {
        let value = |signal| memory.get(self.remembered(Memory::Held(signal))?).copied();
        (0..self.mechanism.signals.len()).map(value).collect()
    }

    /// Whether any lock can let go.
    fn needs_multipliers(&self) -> bool {
        (0..self.mechanism.locks.len()).any(|k| self.releases(k))
    }

    /// The record of an outcome in this memory; `None`: nothing is remembered.
    pub fn course<R: Real>(&self, outcome: usize, memory: &[R]) -> Option<OutcomeRecord<R>> {
        let first = self.remembered(Memory::Outcome { outcome, slot: 0 })?;
        Some(OutcomeRecord::from_slots(memory.get(first..first + SLOTS)?))
    }

    /// The part of a state, channels in order, that is remembered.
    pub fn memory_in<'a, R>(&self, state: &'a [R]) -> &'a [R] {
        &state[self.width()..][..self.memory.len()]
    }

    /// Returns the memory at the start.
    pub fn start_memory(&self, start: &[Motion<f64>], parameters: &impl Fn(usize) -> f64) -> Vec<f64> {
        if self.memory.is_empty() {
            return Vec::new();
        }
        let constraints = self.constraint_set(parameters, &[], &self.first_turns(parameters));
        let sensing = self.sensing(parameters, &[]);
        // The first values of sampled signals are those of the start.
        let inputs = sensing.inputs(start, &constraints, &Moment::at(0.0), &constraints.constants);
        let at_start = |item: &Memory| match *item {
            Memory::Work | Memory::Clock | Memory::Iteration(_) => 0.0,
            Memory::Outcome { outcome, slot } => {
                let outcome = &self.mechanism.outcomes[outcome];
                let function = outcome.function();
                // Effects of forces are known only when all else is.
                let f = match self.mechanism.asks_effects_in(&function) {
                    true => 0.0,
                    false => evaluate(&function, &inputs),
                };
                OutcomeRecord::start(outcome, f).slots()[slot]
            }
            Memory::Held(signal) => inputs.signals[signal],
            Memory::SinceSample(_) => 0.0,
            Memory::OwnStep(item) => item.at_start(),
            Memory::Coordinate(of) => constraints.coordinate(of, start).violation,
            Memory::Flag(k) | Memory::Caught(k) | Memory::Released(k) => {
                let lock = &constraints.locks[k];
                let record = Record::start(constraints.coordinate(lock.of, start).violation - lock.at);
                match item {
                    Memory::Flag(_) => record.flag,
                    Memory::Caught(_) => record.caught,
                    _ => record.released,
                }
            }
        };
        let mut memory: Vec<f64> = self.memory.iter().map(at_start).collect();
        let outcomes = self.mechanism.outcomes.iter().enumerate();
        let caused = outcomes.filter(|(_, outcome)| self.mechanism.asks_effects_in(&outcome.function()));
        let caused: Vec<_> = caused.collect();
        if !caused.is_empty() {
            let acts = |_: usize, span: usize| if self.spans[span].from <= 0.0 { 1.0 } else { 0.0 };
            let system = self.system(&[AFTER_START], parameters, &memory, &acts);
            for (k, outcome) in caused {
                let f = system.function(&outcome.function(), 0.0, Neighbour::After, start);
                let slots = OutcomeRecord::start(outcome, f).slots();
                let Some(first) = self.remembered(Memory::Outcome { outcome: k, slot: 0 }) else { continue };
                memory[first..first + SLOTS].copy_from_slice(&slots);
            }
        }
        memory
    }
}
