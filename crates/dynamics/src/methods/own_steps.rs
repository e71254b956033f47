//! Steps of their own: every instance of an ensemble takes as long ones as its error allows.
//!
//! One *attempt* is recorded. It takes a part of the step of the study, estimates the error, and
//! either stays or goes on; in both cases it says how long the next attempt is to be. Backends
//! repeat the attempt until an instance has come to the end of the step, or first to where a load
//! jumps inside it: there the next piece of the step begins, with other loads. An attempt branches
//! on nothing: both outcomes are computed, and one is selected. So an instance has the same bits
//! whatever others stand beside it.
//!
//! ```text
//! err² = 1/(n tolerance²) sum over all vectors y of |error|² / (1 + max(|y|², |y1|²))
//!        accepted where err < 1
//! s1   = s min(5, max(1/5, 0.9 err^(-kI) err0^kP))
//!        s: share of the step of the study, err0: of the last accepted attempt
//! ```
//!
//! An attempt that is cut, because the step or a piece of it ends, is short for no error's sake. It
//! tells by itself how long the next may be, `s1 = 0.9 s err^-1/8` for the estimate of order 8,
//! `0.9 s err^-3/16` for that of order 5, and err0 stays that of the last one that was not cut: by
//! the formula above every step of the study would go on in two attempts where one does.
//!
//! y is a quaternion, an angular velocity, a position or a velocity of a body, a modal coordinate
//! or its rate, in SI units; n is the number of all their components. Magnitudes of vectors do not
//! depend on the axes in which a body is described.
//!
//! The controller is that of Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I,
//! 1993, II.4, with exponents that are sums of powers of two: square roots are rounded alike
//! everywhere, powers are not.

use crate::base::{Key, Kind, Options, Precision, Setting};
use crate::kinematics::body::Motion;
use crate::math::functions::{greatest, least};
use crate::model::all_channels;
use crate::model::memory::OwnStep;
use crate::real::Real;

/// Attempts of one step of the study after which an instance is given up. Twice as many, for a step
/// that fails and is looked for, are fewer than the 65,535 rounds of all loops after which a
/// software GPU leaves a kernel.
pub const MOST_ATTEMPTS: f64 = 2e4;

/// The next attempt is at most so many times as long, and at least the inverse.
const GROWTH: f64 = 5.0;

/// The next attempt keeps so far below the longest step that the estimate allows.
const SAFETY: f64 = 0.9;

/// The smallest `err²` that counts: what is smaller grows as much as it may anyway.
const LEAST: f64 = 1e-12;

/// A mean square below this is none: it would not bear being divided by in single precision.
pub const NOTHING: f64 = 1e-30;

/// A mean square of errors beyond all measure, in single precision too.
const HOPELESS: f64 = 1e30;

/// By which powers of `err` and of `err0` the step follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorPowers {
    /// `kI = 1/8`, `kP = 1/16`, for an estimate of order 5 in the step.
    OfOrder5,
    /// `kI = 3/32`, `kP = 1/16`, for one of order 8.
    OfOrder8,
}

/// Settings by which a method of a pair of orders lets every instance choose its steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnSteps {
    /// Error allowed an attempt, as a part of each vector of the state and of its SI unit.
    pub tolerance: f64,
    pub exponents: ErrorPowers,
}

/// A tolerance lies between these.
pub const RANGE: (f64, f64) = (1e-13, 1e-2);

/// The setting of a method that can do so.
pub const KEY: Key = Key {
    name: "tolerance",
    kind: Kind::Optional { min: RANGE.0, max: RANGE.1, absent: "all instances take the step of the study" },
    unit: "",
    meaning: "Error allowed each step that an instance chooses for itself, as a part of each vector of the \
              state or of its SI unit.",
};

/// The page of every method that can do so tells this.
pub const TEXT: &str = "\
With `tolerance` every instance of the ensemble takes steps of its own inside the step of the study, as long
as its error allows. The estimate of each is at most `tolerance sqrt(1 + |y|²)`, in the root mean square over
all positions, velocities, quaternions, angular velocities and modal coordinates y. `step` is then the output
step, at whose end states are handed over, joints projected and all verdicts checked. An own step ends where a
load jumps. That is where its pieces begin and end, and where a function of time alone jumps (`step`,
comparisons), if its time is the same in all instances. Where a stop, a law or a jump at another time in each
instance bends or breaks a force, attempts are repeated until one is short enough. Errors follow the tolerance
there too. A step in which a lock catches or lets go is taken again, shorter, until it is `tolerance` of the
step of the study at most. In single precision 6e-6 of it is short enough. The next step follows from the
estimated errors of the last two (a PI controller made of square roots, so that all backends choose alike).
Channels `own_steps` and `rejected_steps` count. An instance that finds no step short enough, or none in
20,000 attempts of one step of the study, stops as `step_too_small`.
";

/// The tolerance that a study sets.
pub fn tolerance(options: &Options) -> Option<f64> {
    match options.get(KEY.name) {
        Some(Setting::Number(tolerance)) => Some(*tolerance),
        _ => None,
    }
}

/// The mean square of an error of motions that have come so far, in units of what is allowed.
pub type ErrorSize<'a, R> = dyn Fn(&[Motion<R>], &[Motion<R>]) -> R + 'a;

/// An instance when an attempt begins.
pub struct Controller<R> {
    own: OwnSteps,
    /// The allowed error, if it is an input of the program.
    tolerance: Option<R>,
    /// Share of the step of the study at which own steps end: 1, or where a load jumps.
    edge: R,
    /// Share of the step of the study that lies behind, and that the attempt takes.
    pub progress: R,
    pub share: R,
    /// The attempt is not cut by the edge: 1, else 0.
    free: R,
    /// 1 while the instance is before the edge, else 0.
    live: R,
    memory: [R; OwnStep::ALL.len()],
}

/// An instance after an attempt, besides where it has led.
pub struct Attempt<R> {
    /// 1 where the instance goes on to where the attempt leads, 0 where it stays.
    pub taken: R,
    /// 1 where it goes on and has come to the end of the step.
    pub ends: R,
    memory: [R; OwnStep::ALL.len()],
}

impl<R: Real> Controller<R> {
    /// The attempt that follows from what an instance remembers, `memory(item)`, and that goes no
    /// further than to this share of the step, or to its end. A tolerance that is told takes the
    /// place of the constant one.
    pub fn new(
        own: OwnSteps,
        tolerance: Option<R>,
        edge: Option<R>,
        memory: impl Fn(OwnStep) -> R,
    ) -> Controller<R> {
        let memory = OwnStep::ALL.map(memory);
        let [progress, share, ..] = memory;
        let stuck = memory[OwnStep::Stuck as usize];
        let (zero, half, one) = (share.lift(0.0), share.lift(0.5), share.lift(1.0));
        let edge = edge.unwrap_or(one);
        let live = progress.select_less(edge, stuck.select_less(half, one, zero), zero);
        let left = edge - progress;
        // Two equal parts rather than a long and a tiny one.
        let cut = (share + share).select_less(left, share, half * left);
        let tried = share.select_less(left, cut, left);
        let free = share.select_less(left, (share + share).select_less(left, one, zero), zero);
        Controller { own, tolerance, edge, progress, share: tried, free, live, memory }
    }

    /// The mean square of an error of motions that have come from `before` to `after`, in
    /// units of what is allowed.
    pub fn size(&self, before: &[Motion<R>], after: &[Motion<R>], error: &[Motion<R>]) -> R {
        let zero = self.progress.lift(0.0);
        let bodies = before.iter().zip(after).zip(error);
        // NaN stays in a sum; a maximum would lose it.
        let sum = bodies.fold(zero, |sum, ((before, after), error)| {
            let parts = vectors(before).into_iter().zip(vectors(after)).zip(vectors(error));
            parts.fold(sum, |sum, ((before, after), error)| {
                let (before, after) = (square(&before), square(&after));
                sum + square(&error) / (greatest(before, after) + zero.lift(1.0))
            })
        });
        let components = all_channels(error).len() as f64;
        sum * match self.tolerance {
            Some(tolerance) => zero.lift(1.0) / (zero.lift(components) * tolerance * tolerance),
            None => zero.lift(1.0 / (components * self.own.tolerance * self.own.tolerance)),
        }
    }

    /// The outcome, from the mean square of the estimated error; `event`: positive where a lock
    /// caught or let go on the way. The attempt must then be short: at its end the motion is
    /// projected on what holds now, which is the plastic impact.
    pub fn outcome(&self, square: R, event: R) -> Attempt<R> {
        let OwnSteps { tolerance, exponents } = self.own;
        let (zero, one) = (square.lift(0.0), square.lift(1.0));
        // From here on there are numbers only: a comparison with NaN says no, and what is not
        // finite is tried again, shorter.
        let square = least(square.lift(HOPELESS), square);
        let [_, share, last, attempts, stuck, taken_before, rejected_before, _] = self.memory;
        let small = square.select_less(one, one, zero);
        let shortest = square.lift(Self::shortest(square));
        // Such an attempt, if refused, leaves one that is not given up for being too short.
        let longest = greatest(
            square.lift(GROWTH + 1.0) * shortest,
            self.tolerance.unwrap_or_else(|| square.lift(tolerance)),
        );
        let short = self.share.select_less(longest, one, zero);
        let good = chosen(event, short, small) * small;
        let taken = self.live * good;

        let size = greatest(square.lift(LEAST), square);
        let eighth = size.sqrt().sqrt().sqrt();
        let sixteenth = eighth.sqrt();
        let thirty_second = sixteenth.sqrt();
        let integral = match exponents {
            ErrorPowers::OfOrder5 => sixteenth,
            ErrorPowers::OfOrder8 => thirty_second * thirty_second.sqrt(),
        };
        let alone = match exponents {
            ErrorPowers::OfOrder5 => sixteenth * thirty_second,
            ErrorPowers::OfOrder8 => sixteenth,
        };
        // An attempt that is cut says by itself how long it could have been.
        let of_free = last / integral;
        let of_cut = one / alone;
        let wanted = square.lift(SAFETY) * chosen(self.free, of_free, of_cut);
        let most = square.lift(GROWTH);
        // A refused attempt is not tried again as long, whatever came before.
        let refused = square.lift(SAFETY) / integral;
        let wanted = chosen(taken, wanted, least(wanted, refused));
        let factor = least(most, greatest(square.lift(1.0 / GROWTH), wanted));
        let closer = chosen(event, least(square.lift(0.25), factor), factor);
        let next = self.share * chosen(taken, factor, closer);
        // A step that the end has cut short says nothing of one that is more than so many times as
        // long.
        let kept = (most * self.share).select_less(share, share, next);
        let next = chosen(taken * (one - self.free), kept, next);

        let gone = self.progress + self.share;
        let left = self.edge - self.progress;
        let arrives = taken * self.share.select_less(left, gone.select_less(self.edge, zero, one), one);
        let many = (attempts + one).select_less(square.lift(MOST_ATTEMPTS), zero, one);
        let tiny = next.select_less(square.lift(Self::shortest(square)), one, zero);
        let too_short = (one - taken) * tiny;
        let gives_up = self.live * (one - arrives) * many.select_less(one, too_short, one);
        let stuck_now = chosen(gives_up, one, stuck);
        let moved = chosen(arrives, self.edge, gone);
        // One that is given up has nothing more to do in this step, nor in those that follow.
        let progress = chosen(taken, moved, self.progress);
        let progress = chosen(stuck_now, one, progress);
        Attempt {
            taken,
            ends: arrives * self.edge.select_less(one, zero, one),
            memory: [
                progress,
                chosen(self.live, next, share),
                chosen(taken * self.free, thirty_second, last),
                chosen(self.live, attempts + one, attempts),
                stuck_now,
                taken_before + taken,
                rejected_before + self.live * (one - taken),
                taken * chosen(event, one, zero),
            ],
        }
    }

    /// The shortest share of a step that is tried.
    fn shortest(like: R) -> f64 {
        match like.precision() {
            Precision::F32 | Precision::F32Compensated => 1e-6,
            Precision::F64 => 1e-13,
        }
    }
}

impl<R: Real> Attempt<R> {
    /// Returns the value of an item that the instance remembers after it.
    pub fn remembered(&self, item: OwnStep) -> R {
        self.memory[item as usize]
    }

    /// `after` where the instance has come to the end of the step, else `before`.
    pub fn select_at_end(&self, before: R, after: R) -> R {
        chosen(self.ends, after, before)
    }

    /// `after` where the attempt was taken, else `before`.
    pub fn select(&self, before: R, after: R) -> R {
        chosen(self.taken, after, before)
    }
}

/// `yes` where `on` is positive, else `no`.
fn chosen<R: Real>(on: R, yes: R, no: R) -> R {
    on.lift(0.0).select_less(on, yes, no)
}

/// Errors are measured by the magnitudes of these: quaternion, angular velocity, position and
/// velocity, and every modal coordinate and its rate by itself.
fn vectors<R: Real>(motion: &Motion<R>) -> Vec<Vec<R>> {
    let modal = motion.modal.amplitudes.iter().chain(&motion.modal.rates).map(|x| vec![*x]);
    let rigid = [motion.q.to_vec(), motion.w.to_vec(), motion.r.to_vec(), motion.v.to_vec()];
    rigid.into_iter().chain(modal).collect()
}

fn square<R: Real>(vector: &[R]) -> R {
    let first = vector[0] * vector[0];
    vector[1..].iter().fold(first, |sum, x| x.mul_add(*x, sum))
}
