//! Locks: a lock catches a joint's coordinate where it passes a value, and opens where its load is
//! too large.
//!
//! The row is `Phi = s - at`; while the lock is open it is zero throughout, and its diagonal of
//! `mu` is one, so that its multiplier is zero. While it holds, `r += B u'/h + 0.01 Phi/h^2` takes
//! the place of the treatment's own stabilisation: after one step of a chain the velocity against
//! the lock is zero, which is the plastic impact `u+ = u - M^-1 B^T mu^-1 B u` spread over that
//! step. Own steps of an instance end at a catch, and a projection is the impact there: h is
//! the step of the study for them, whatever part of it an attempt takes.
//!
//! The flag of an instance: 0 open, 1 caught in the step before, 2 a step later, 3 held, -1 let go
//! for good.

use crate::describe::Range;
use crate::describe::force::{Measure, NumberKey};
use crate::describe::{JointCoordinate, Lock, LockCard};
use crate::kinematics::row::Row;
use crate::math::functions::{abs, least};
use crate::real::Real;

/// The weight of `Phi/h^2`: what the step overshot returns over a hundred steps.
const RETURN: f64 = 0.01;
/// Flags.
const OPEN: f64 = 0.0;
const CAUGHT: f64 = 1.0;
const HELD: f64 = 3.0;
const RELEASED: f64 = -1.0;
/// A coordinate that starts as near as this is caught at once (rad or m).
const AT_START: f64 = 1e-12;

static LOCK: LockCard = LockCard {
    doc: "A joint's coordinate is caught where it passes a value, and held from there on.",
    at: NumberKey {
        name: "at",
        doc: "The value at which it is caught.",
        ..NumberKey::new(Measure::Coordinate, Range::Any).required()
    },
    release: NumberKey {
        name: "release",
        doc: "The torque or force, positive, above which the lock lets go for good. Absent, or inf: never.",
        ..NumberKey::new(Measure::Load, Range::Positive).infinite(f64::INFINITY)
    },
};

/// The card of all locks.
pub fn card() -> &'static LockCard {
    &LOCK
}

/// A lock of a mechanism: it catches a coordinate `at` a value (rad or m), and opens when its load
/// exceeds `release` (N m or N; infinite: never).
pub fn lock(name: impl Into<String>, locked: JointCoordinate, at: f64, release: f64) -> Lock {
    Lock { card: &LOCK, name: name.into(), of: locked, at, release }
}

/// A lock of an instance at the start of a step.
#[derive(Clone, Debug)]
pub struct LockRow<R> {
    pub of: JointCoordinate,
    /// (rad or m)
    pub at: R,
    /// (N m or N); `None`: it never lets go.
    pub release: Option<R>,
    pub flag: R,
}

/// The history of a lock: its flag, when it caught and when it let go (s; -1: it has not).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record<R> {
    pub flag: R,
    pub caught: R,
    pub released: R,
}

impl Record<f64> {
    /// At the start, `s` from where the lock catches.
    pub fn start(s: f64) -> Record<f64> {
        let caught = s.abs() <= AT_START;
        Record {
            flag: if caught { CAUGHT } else { OPEN },
            caught: if caught { 0.0 } else { -1.0 },
            released: -1.0,
        }
    }
}

impl<R: Real> LockRow<R> {
    /// Its row, from that of the coordinate.
    pub fn row(&self, coordinate: Row<R>) -> Row<R> {
        Row { violation: coordinate.violation - self.at, ..coordinate }.switched(self.active())
    }

    /// 1 while it holds, else 0.
    fn active(&self) -> R {
        let half = self.flag.lift(0.5);
        half.select_less(self.flag, half.lift(1.0), half.lift(0.0))
    }

    /// The demand of a row that holds, from its own acceleration, rate and violation: one product
    /// after another upon the sum, see [`cross_add`](crate::math::vector::cross_add).
    pub fn stabilised(h: R, acceleration: R, rate: R, violation: R) -> R {
        let per_step = h.lift(1.0) / h;
        let back = per_step * h.lift(RETURN) * per_step;
        violation.mul_add(back, rate.mul_add(per_step, acceleration))
    }

    /// The record after a step of h (s) that began at `t` (s), over which the coordinate went from
    /// `before` to `after`, and at whose end the row has this multiplier.
    pub fn after(
        &self,
        record: Record<R>,
        t: R,
        h: R,
        before: R,
        after: R,
        multiplier: Option<R>,
    ) -> Record<R> {
        let lift = |x: f64| h.lift(x);
        let (zero, one) = (lift(0.0), lift(1.0));
        let (x, y) = (before - self.at, after - self.at);
        let up = x.select_less(zero, y.select_less(zero, zero, one), zero);
        let down = zero.select_less(x, zero.select_less(y, zero, one), zero);
        let passes = up + down;
        let flag = record.flag;
        let closed = least(flag + one, lift(HELD));
        let closed = match (self.release, multiplier) {
            (Some(release), Some(multiplier)) => {
                let too_much = release.select_less(abs(multiplier), lift(RELEASED), closed);
                flag.select_less(lift(HELD - 0.5), closed, too_much)
            }
            _ => closed,
        };
        let open = lift(0.5);
        let next = flag.select_less(open, flag.select_less(-open, flag, passes), closed);
        // From open to caught, and from held to let go.
        let when = h.mul_add(x / (x - y), t);
        let catches = flag.select_less(open, open.select_less(next, one, zero), zero);
        let lets_go = open.select_less(flag, next.select_less(-open, one, zero), zero);
        Record {
            flag: next,
            caught: open.select_less(catches, when, record.caught),
            released: open.select_less(lets_go, t + h, record.released),
        }
    }
}
