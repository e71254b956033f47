//! Locks: a lock catches a joint's coordinate where it passes a value, and holds it from then on.
//!
//! ```text
//! free, released  no row: its B, r and Phi are zero, its mu is 1, and so its multiplier is zero
//! locked          Phi = s - at;  r += B u'/h + Phi/(10 h)²   instead of the treatment's own terms
//! ```
//!
//! With them the velocity against the lock is gone after one step of each chain: the plastic impact
//! `u+ = u - M^-1 B^T mu^-1 B u` spread over a step. A step that ends across `at` catches; the row
//! holds from the next step on.

use polhode_description::describe;

use super::LockTimes;
use super::ReferenceError;
use super::series::Series;

/// One lock of an instance.
#[derive(Clone, Debug)]
pub struct Lock {
    /// Position in the system's list of coordinates.
    pub coordinate: usize,
    /// (rad or m)
    pub at: f64,
    /// (N m or N)
    release: f64,
    phase: Phase,
    pub times: LockTimes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Free,
    /// Full steps done since it was caught.
    Locked(u64),
    Released,
}

/// A coordinate that starts as near as this to a lock is caught from the start (rad or m): an
/// assembled start is as exact.
const CAUGHT_AT_ONCE: f64 = 1e-12;

/// Full steps after a catch in which what the lock holds is the impact.
const IMPACT_STEPS: u64 = 2;

impl Lock {
    /// `at` and `release`: its numbers. `place`: where a coordinate is in the system's list.
    ///
    /// # Errors
    /// Its joint has no such coordinate.
    pub fn new(
        lock: &describe::Lock,
        [at, release]: [f64; 2],
        place: impl Fn(describe::JointCoordinate) -> Option<usize>,
    ) -> Result<Lock, ReferenceError> {
        let none = || ReferenceError::NoCoordinate { element: lock.name.clone() };
        let coordinate = place(lock.of).ok_or_else(none)?;
        Ok(Lock { coordinate, at, release, phase: Phase::Free, times: LockTimes::default() })
    }

    pub fn is_free(&self) -> bool {
        self.phase == Phase::Free
    }

    /// Whether it may yet catch or let go.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_free() || self.holds() && self.release.is_finite()
    }

    pub fn holds(&self) -> bool {
        matches!(self.phase, Phase::Locked(_))
    }

    /// Its row; all zero where it does not hold.
    pub fn row(&self, coordinates: &[Series<f64>]) -> Series<f64> {
        if self.holds() {
            coordinates[self.coordinate].minus(Series::constant(self.at))
        } else {
            Series::constant(0.0)
        }
    }

    /// Holds from `time` (s) on.
    pub fn catch(&mut self, time: f64) {
        self.phase = Phase::Locked(0);
        self.times.locked = Some(time);
    }

    /// Lets go for good at `time` (s).
    pub(crate) fn let_go(&mut self, time: f64) {
        self.phase = Phase::Released;
        self.times.released = Some(time);
    }

    /// By how much this multiplier is more than it holds (N m or N).
    pub(crate) fn overload(&self, multiplier: f64) -> f64 {
        multiplier.abs() - self.release
    }

    /// At t = 0 with the coordinate at `s`.
    pub fn begin(&mut self, s: f64) {
        if (s - self.at).abs() <= CAUGHT_AT_ONCE {
            self.catch(0.0);
        }
    }

    /// After full step k, which led from s = `before` to `after` and left this multiplier.
    pub fn after_step(&mut self, k: u64, h: f64, before: f64, after: f64, multiplier: f64) {
        match self.phase {
            Phase::Free => {
                let rises = before < self.at && after >= self.at;
                let falls = before > self.at && after <= self.at;
                if rises || falls {
                    self.catch((k as f64 + (self.at - before) / (after - before)) * h);
                }
            }
            Phase::Locked(steps) => {
                self.phase = Phase::Locked(steps + 1);
                if steps >= IMPACT_STEPS && self.overload(multiplier) > 0.0 {
                    self.let_go((k + 1) as f64 * h);
                }
            }
            Phase::Released => {}
        }
    }
}
