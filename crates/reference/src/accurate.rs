//! The accurate motion of any mechanism: Dormand and Prince's order 8 Runge-Kutta method with error
//! control.
//!
//! The integrator is the crate `differential-equations`, method `dop853` (Hairer, Nørsett &
//! Wanner, *Solving Ordinary Differential Equations I*, 2nd edition, 1993, II.10). Every load jump
//! ends one integration and begins the next, and so does every kink of a function of time, so that
//! each piece is smooth; so does every output time, so that no interpolation enters the result. The
//! kinks of a contact's curve are left to the error control.
//!
//! A piece ends where a signal is sampled, too.
//!
//! Where a lock catches or lets go and where a stop begins or ends to act, a piece ends too. These
//! instants are found by bisection between the ends of short stretches: what happens and is undone
//! within one, of at most [`LONGEST_UNSEEN`], is not seen. A lock that catches takes from the
//! velocities what is against all rows then active, as a plastic impact does:
//!
//! ```text
//! u+ = u - M^-1 B^T mu^+ B u
//! ```

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant as Time;

use differential_equations::error::Error;
use differential_equations::interpolate::Interpolation;
use differential_equations::prelude::{ControlFlag, ExplicitRungeKutta, IVP, ODE, Solout, Solution};
use nalgebra::DVector;

use polhode_description::base::significant;
use polhode_description::describe::Mechanism;

use super::ReferenceError;
use super::body::Motion;
use super::methods::rk4;
use super::rotation::unit;
use super::system::{Instant, MultibodySystem};
use super::treatment::Treatment;
use super::{Instance, Trajectory};

/// The tolerance to ask for: near the best that f64 gives on every reference solution.
pub const TOLERANCE: f64 = 1e-14;

/// More steps than this between two stops count as failure.
const MOST_STEPS: u64 = 10_000_000;

/// Evaluations of a step of the integrator, about.
const STAGES: u64 = 12;

/// Evaluations after which the clock is read again.
const LOOK: u64 = 64;

/// Consecutive evaluations that give no finite number; after so many, shorter steps will not help.
const MOST_LOST: u64 = 200 * STAGES;

/// Steps by which the pace of an integration is measured: near a pole, or where rounding passes for
/// error, they come to nothing.
const PACE: u64 = 50_000;

/// No integration goes further than this (s) before positions and velocities are projected on to
/// the constraints, whose accelerations alone the equations keep.
const LONGEST_UNPROJECTED: f64 = 0.05;

/// Nor further than this (s) where a lock or a stop may begin or end to act.
pub const LONGEST_UNSEEN: f64 = 0.01;

/// Nor does any angle turn further than about this (rad), so that its turns are counted.
const LARGEST_TURN: f64 = 1.0;

/// Instants closer to each other than this share of their time are one, up to rounding.
const SAME_INSTANT: f64 = 1e-12;

/// Between these (s) an event is found.
const EVENT: f64 = 1e-13;

/// More integrations than this from start to end are taken as failure: each goes on for a radian of
/// the fastest turn at most.
pub const MOST_STRETCHES: u64 = 10_000_000;

/// Locks and stops that act more often than this are taken to chatter.
const MOST_EVENTS: u64 = 100_000;

/// Shorter stretches than this (s) are one classical Runge-Kutta step, whose error is below
/// rounding there.
const SHORTEST: f64 = 1e-5;

/// The states at `times` (s), ascending and not negative. `tolerance` bounds the error estimate of
/// each step, relative and absolute alike in SI units; see [`TOLERANCE`]. With joints the start is
/// projected on to the constraints.
///
/// # Errors
/// The instance describes no mechanism, the times are out of order, or the integrator fails.
pub fn run(
    mechanism: &Mechanism,
    instance: &Instance,
    times: &[f64],
    tolerance: f64,
) -> Result<Trajectory, ReferenceError> {
    run_within(mechanism, instance, times, tolerance, None)
}

/// Limits on how long the accurate solution may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// `None`: it may take as long as it likes.
    pub deadline: Option<Time>,
    /// No integration goes further than this (s) before the clock is read.
    pub stretch: f64,
    /// Evaluations of the equations of motion that it may take, which are the same on every
    /// machine.
    pub evaluations: u64,
    /// Whether the user has ended it.
    pub interrupted: Option<&'a AtomicBool>,
}

impl<'a> Limits<'a> {
    /// By the clock alone.
    pub fn until(deadline: Time, stretch: f64) -> Self {
        Limits { deadline: Some(deadline), stretch, evaluations: u64::MAX, interrupted: None }
    }

    /// By the user alone.
    pub fn by_user(interrupted: &'a AtomicBool) -> Limits<'a> {
        let interrupted = Some(interrupted);
        Limits { deadline: None, stretch: f64::INFINITY, evaluations: u64::MAX, interrupted }
    }

    /// Whether there is no time left.
    pub fn are_passed(&self) -> bool {
        self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Time::now() > deadline)
    }
}

/// As [`run`]; an error too where the deadline passes first.
///
/// # Errors
/// As [`run`].
pub fn run_within(
    mechanism: &Mechanism,
    instance: &Instance,
    times: &[f64],
    tolerance: f64,
    limits: Option<&Limits<'_>>,
) -> Result<Trajectory, ReferenceError> {
    let in_order = times.iter().all(|t| t.is_finite() && *t >= 0.0) && times.is_sorted();
    if !in_order {
        return Err(ReferenceError::Times);
    }
    let all_rows = Instance { solved: instance.solved.of_all(), ..instance.clone() };
    let mut system = MultibodySystem::new(mechanism, &all_rows)?;
    let start = system.assembled(mechanism, instance)?;
    system.begin(&start, f64::INFINITY);
    let mut breaks = system.breaks(times.last().copied().unwrap_or_default());
    breaks.sort_by(f64::total_cmp);
    let limits = limits.copied();
    let end = times.last().copied().unwrap_or_default();
    let counts = Counts::default();
    let mut samples: Vec<Sample> = Vec::new();
    for every in system.sampling_times() {
        if samples.iter().all(|known| known.every != every) {
            samples.push(Sample { every, taken: 0 });
        }
    }
    let mut walk =
        Walk { now: 0.0, motions: start, since: 0.0, end, system, tolerance, limits, counts, samples };
    walk.strike();

    let mut states = Vec::with_capacity(times.len());
    for (index, &time) in times.iter().enumerate() {
        for &stop in breaks.iter().filter(|stop| **stop < time).chain([&time]) {
            if stop > walk.now {
                walk.since = walk.now;
                walk.to(stop)?;
            }
        }
        // There are no loads before the start.
        let after = times[index..].iter().chain(&breaks).copied().filter(|t| *t > 0.0).fold(1.0, f64::min);
        let (from, until) = if time > 0.0 { (walk.since, time) } else { (0.0, after) };
        let here = walk.system.instant_after(from, until, time);
        states.push(walk.system.state(&Treatment::Exact, &here, &walk.motions));
    }
    Ok(Trajectory { states, non_finite_at: None, locks: walk.system.lock_times() })
}

/// Counts of the work that has been done.
#[derive(Default)]
struct Counts {
    stretches: u64,
    events: u64,
    evaluations: Cell<u64>,
}

/// A mechanism on its way.
struct Walk<'a> {
    system: MultibodySystem,
    motions: Vec<Motion>,
    /// (s)
    now: f64,
    /// No load has jumped since then (s).
    since: f64,
    /// The last of all output times (s).
    end: f64,
    tolerance: f64,
    limits: Option<Limits<'a>>,
    counts: Counts,
    samples: Vec<Sample>,
}

/// Signals that are sampled so often.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// (s)
    every: f64,
    /// Number of samples taken after the start.
    taken: u64,
}

impl Sample {
    /// When they are due (s).
    fn next(&self) -> f64 {
        (self.taken + 1) as f64 * self.every
    }
}

impl Walk<'_> {
    /// On to `stop` (s), before which no function of time has a kink, from one instant at which
    /// signals are sampled to the next.
    fn to(&mut self, stop: f64) -> Result<(), ReferenceError> {
        while self.now < stop {
            let due = self.samples.iter().map(|sample| sample.next()).fold(f64::INFINITY, f64::min);
            // A stop that was meant to be there is there.
            let at_stop = (due - stop).abs() <= SAME_INSTANT * stop.max(1.0);
            self.smoothly_to(if at_stop { stop } else { due.min(stop) })?;
            if at_stop || due < stop {
                let now = self.now;
                let is_due = |sample: &Sample| sample.next() <= now + SAME_INSTANT * now.max(1.0);
                let due: Vec<f64> =
                    self.samples.iter().filter(|sample| is_due(sample)).map(|sample| sample.every).collect();
                self.system.sample(&self.motions, now, |every| due.contains(&every));
                self.samples.iter_mut().filter(|sample| is_due(sample)).for_each(|sample| sample.taken += 1);
            }
        }
        Ok(())
    }

    /// On to `stop` (s), before which no law jumps.
    fn smoothly_to(&mut self, stop: f64) -> Result<(), ReferenceError> {
        while self.now < stop {
            self.bounded()?;
            let watches = !self.signs(&self.motions, self.now, stop).is_empty();
            let longest = if !self.system.is_constrained() {
                f64::INFINITY
            } else if watches {
                LONGEST_UNSEEN
            } else {
                LONGEST_UNPROJECTED
            };
            let longest = self.limits.map_or(longest, |limits| longest.min(limits.stretch));
            let fastest = self.system.fastest_turn(&self.motions);
            let longest = longest.min(LARGEST_TURN / fastest);
            let left = (self.end - self.now) / longest;
            if !fastest.is_finite() || left > (MOST_STRETCHES - self.counts.stretches) as f64 {
                return Err(ReferenceError::TooFast { time: self.now, rate: fastest, end: self.end });
            }
            let parts = ((stop - self.now) / longest).ceil().max(1.0);
            let until = if parts == 1.0 { stop } else { self.now + (stop - self.now) / parts };
            if until <= self.now {
                return Err(ReferenceError::TooShort { time: self.now, stretch: longest });
            }
            self.counts.stretches += 1;
            self.stretch(until, stop)?;
        }
        Ok(())
    }

    /// Ends what takes too long.
    fn bounded(&self) -> Result<(), ReferenceError> {
        let Counts { stretches, events, evaluations } = &self.counts;
        let now = self.now;
        if *stretches >= MOST_STRETCHES || *events > MOST_EVENTS {
            return Err(ReferenceError::GivenUp { time: now, integrations: *stretches, events: *events });
        }
        match self.limits {
            Some(limits) if limits.are_passed() || evaluations.get() > limits.evaluations => {
                Err(ReferenceError::OutOfTime { time: now })
            }
            _ => Ok(()),
        }
    }

    /// To `until`, or to the first event before it.
    fn stretch(&mut self, until: f64, stop: f64) -> Result<(), ReferenceError> {
        let before = self.signs(&self.motions, self.now, stop);
        let (mut low, mut low_motions) = (self.now, self.motions.clone());
        let (mut high, mut high_motions) = (until, self.reached(&self.motions, self.now, until, stop)?);
        if self.signs(&high_motions, high, stop) == before {
            self.arrive(high, high_motions);
            return Ok(());
        }
        while high - low > EVENT {
            let middle = low + (high - low) / 2.0;
            // Late, two neighbouring numbers are further apart than this.
            if middle <= low || middle >= high {
                break;
            }
            let motions = self.reached(&low_motions, low, middle, stop)?;
            if self.signs(&motions, middle, stop) == before {
                (low, low_motions) = (middle, motions);
            } else {
                (high, high_motions) = (middle, motions);
            }
        }
        let after = self.signs(&high_motions, high, stop);
        self.arrive(high, high_motions);
        let changed = |at: usize| before.get(at) != after.get(at);
        // Locks come first among the signs, those that may catch or let go.
        let mut at = 0;
        for lock in self.system.locks_mut() {
            if lock.is_watched() {
                if changed(at) && lock.is_free() {
                    lock.catch(high);
                } else if changed(at) {
                    lock.let_go(high);
                }
                at += 1;
            }
        }
        self.counts.events += 1;
        self.strike();
        self.let_go_of_overloads(stop);
        Ok(())
    }

    fn arrive(&mut self, time: f64, motions: Vec<Motion>) {
        self.now = time;
        self.system.remember(&motions);
        self.motions = motions;
    }

    /// The plastic impact of what has just been caught.
    fn strike(&mut self) {
        self.motions = self.system.projected(&self.motions, self.now);
    }

    /// Releases at once every caught lock whose load is too large.
    fn let_go_of_overloads(&mut self, stop: f64) {
        let overloads = self.overloads(&self.motions, self.now, stop);
        for (lock, overload) in self.system.locks_mut().iter_mut().zip(overloads) {
            if lock.holds() && overload > 0.0 {
                lock.let_go(self.now);
            }
        }
    }

    /// For each lock, by how much its load exceeds the release.
    fn overloads(&self, motions: &[Motion], time: f64, stop: f64) -> Vec<f64> {
        let system = &self.system;
        if !system.locks().iter().any(|lock| lock.holds() && lock.is_watched()) {
            return vec![0.0; system.locks().len()];
        }
        let instant = piece(system, self.since, stop, time);
        let multipliers = system.instantaneous_multipliers(&Treatment::Exact, &instant, motions);
        let first = multipliers.len() - system.locks().len();
        let locks = system.locks().iter().zip(multipliers.iter().skip(first));
        locks.map(|(lock, multiplier)| lock.overload(*multiplier)).collect()
    }

    /// The signs that an event changes: of free locks and of those that hold and may let go, then
    /// of stops.
    fn signs(&self, motions: &[Motion], time: f64, stop: f64) -> Vec<bool> {
        let system = &self.system;
        let s = system.coordinates(motions);
        let overloads = self.overloads(motions, time, stop);
        let of_lock = |(lock, overload): (&super::lock::Lock, f64)| {
            if lock.is_free() {
                Some(s[lock.coordinate] > lock.at)
            } else {
                lock.is_watched().then_some(overload > 0.0)
            }
        };
        let locks = system.locks().iter().zip(overloads).filter_map(of_lock);
        locks.chain(system.beyond_limits(motions, time).into_iter().map(|beyond| beyond > 0.0)).collect()
    }

    /// The motions at `until` (s) from those at `from`, projected on to the constraints. No load
    /// jumps until `stop`.
    fn reached(
        &self,
        start: &[Motion],
        from: f64,
        until: f64,
        stop: f64,
    ) -> Result<Vec<Motion>, ReferenceError> {
        let Walk { system, since, tolerance, limits, .. } = self;
        let end = if until - from < SHORTEST {
            let stage = |c: f64| piece(system, *since, stop, from + c * (until - from));
            rk4::advanced(system, &Treatment::Exact, start, stage, until - from)
        } else {
            let evaluations = &self.counts.evaluations;
            let limits = limits.as_ref();
            let (lost, left) = (Cell::new(0), Cell::new(None));
            let equations = Smooth { system, from, since: *since, stop, evaluations, limits, lost, left };
            let left = limits.map_or(u64::MAX, |limits| limits.evaluations.saturating_sub(evaluations.get()));
            let most = (left / STAGES).clamp(1, MOST_STEPS) as usize;
            integrate(&equations, start, from, until, *tolerance, most)?
        };
        Ok(system.projected(&end, until))
    }
}

/// Returns the [`Instant`] at `time` (s), between `since` and `stop`, where nothing jumps.
fn piece(system: &MultibodySystem, since: f64, stop: f64, time: f64) -> Instant {
    // A kink at `stop` belongs to what comes after it.
    system.instant(since, stop, time.min(stop.next_down()))
}

/// Why an integration is left in the middle. The integrator's loop ends by itself only at its last
/// step or after ten million: from here on the equations say that nothing moves, so that the next
/// step is accepted, and that one is the last.
#[derive(Clone, Copy)]
enum Left {
    OutOfTime,
    /// At this time (s).
    NoProgress(f64),
    /// From this time (s) on it would take more than [`MOST_STEPS`].
    TooSlow(f64),
}

/// Keeps the last state of an integration: a stiff one has millions.
struct LastState<'a> {
    equations: &'a Smooth<'a>,
    /// Where the integration ends (s).
    until: f64,
    /// When the pace was measured last (s), and the evaluations until then.
    since: f64,
    evaluations: u64,
}

impl LastState<'_> {
    /// Leaves an integration that would not end within [`MOST_STEPS`], if it went on at its pace.
    fn measure_pace(&mut self, t: f64) {
        let steps = (self.equations.evaluations.get() - self.evaluations) / STAGES;
        if steps < PACE {
            return;
        }
        if (self.until - t) / (t - self.since) * steps as f64 > MOST_STEPS as f64 {
            self.equations.left.set(Some(Left::TooSlow(t)));
        }
        (self.since, self.evaluations) = (t, self.equations.evaluations.get());
    }
}

impl Solout<f64, DVector<f64>> for LastState<'_> {
    fn solout<I>(
        &mut self,
        t: f64,
        _: f64,
        y: &DVector<f64>,
        _: &DVector<f64>,
        _: &mut I,
        solution: &mut Solution<f64, DVector<f64>>,
    ) -> ControlFlag<f64, DVector<f64>>
    where
        I: Interpolation<f64, DVector<f64>> + ?Sized,
    {
        self.equations.lost.set(0);
        self.measure_pace(t);
        solution.t.clear();
        solution.y.clear();
        solution.push(t, y.clone());
        match self.equations.left.get() {
            None => ControlFlag::Continue,
            Some(_) => ControlFlag::Terminate,
        }
    }
}

/// From `from` to `until` (s).
fn integrate(
    equations: &Smooth,
    start: &[Motion],
    from: f64,
    until: f64,
    tolerance: f64,
    most_steps: usize,
) -> Result<Vec<Motion>, ReferenceError> {
    let system = equations.system;
    let method = ExplicitRungeKutta::dop853()
        .rtol(tolerance)
        .atol(tolerance)
        .max_steps(most_steps)
        .max_rejects(most_steps);
    let problem = IVP::ode(equations, from, until, system.flat(start)).method(method).solout(LastState {
        equations,
        until,
        since: from,
        evaluations: equations.evaluations.get(),
    });
    let failed = |why: String| ReferenceError::Integrator { from, until, why };
    let stuck = |time: f64| {
        let time = significant(time, 6);
        failed(format!(
            "no step is short enough at {time} s, where accelerations grow without bound or are not finite"
        ))
    };
    let too_slow = |time: f64| {
        let (time, steps) = (significant(time, 6), MOST_STEPS / 1_000_000);
        failed(format!(
            "no explicit step is short enough at {time} s: the motion is stiff, or accelerations grow \
             without bound; it would take more than {steps} million of them"
        ))
    };
    let solved = problem.solve();
    let solution = match (equations.left.get(), solved) {
        (Some(Left::OutOfTime), _) => return Err(ReferenceError::OutOfTime { time: from }),
        (Some(Left::TooSlow(time)), _) => return Err(too_slow(time)),
        (Some(Left::NoProgress(time)), _) | (None, Err(Error::StepSize { t: time, .. })) => {
            return Err(stuck(time));
        }
        (None, Err(Error::MaxSteps { t, .. })) if (most_steps as u64) < MOST_STEPS => {
            return Err(ReferenceError::OutOfTime { time: t });
        }
        (None, Err(Error::MaxSteps { t, .. })) => {
            return Err(failed(format!("{MOST_STEPS} steps have come to {t} s")));
        }
        (None, Err(Error::Stiffness { t, .. })) => {
            return Err(failed(format!("the motion is too stiff for explicit steps at {t} s")));
        }
        (None, Err(error)) => return Err(failed(error.to_string())),
        (None, Ok(solution)) => solution,
    };
    match solution.y.last() {
        Some(end) => {
            let end = system.from_flat(end);
            Ok(end.into_iter().map(|end| Motion { attitude: unit(end.attitude), ..end }).collect())
        }
        None => Err(ReferenceError::NoSolution { from, until }),
    }
}

/// The equations of motion while nothing jumps, of index 1: multipliers keep the constraints'
/// accelerations.
struct Smooth<'a> {
    system: &'a MultibodySystem,
    /// Where the integration begins (s).
    from: f64,
    /// Nothing jumps between these (s).
    since: f64,
    stop: f64,
    evaluations: &'a Cell<u64>,
    limits: Option<&'a Limits<'a>>,
    /// Evaluations since the last accepted step that have given no number.
    lost: Cell<u64>,
    left: Cell<Option<Left>>,
}

impl ODE<f64, DVector<f64>> for Smooth<'_> {
    fn diff(&self, time: f64, y: &DVector<f64>, rate: &mut DVector<f64>) {
        let evaluations = self.evaluations.get() + 1;
        self.evaluations.set(evaluations);
        if evaluations.is_multiple_of(LOOK)
            && self.left.get().is_none()
            && self.limits.is_some_and(Limits::are_passed)
        {
            self.left.set(Some(Left::OutOfTime));
        }
        if self.left.get().is_some() {
            rate.fill(0.0);
            return;
        }
        let instant = piece(self.system, self.since, self.stop, time);
        *rate = self.system.rate(y, &instant, &Treatment::Exact);
        if !rate.iter().all(|rate| rate.is_finite()) {
            self.lost.set(self.lost.get() + 1);
            // No step is short enough to leave its own start.
            if time <= self.from || self.lost.get() > MOST_LOST {
                self.left.set(Some(Left::NoProgress(time)));
                rate.fill(0.0);
            }
        }
    }
}
