//! Outcomes, step by step: what an instance remembers of a function of time, so that peaks,
//! crossings and integrals are found at every step, wherever the motion is computed.
//!
//! Between two steps the function is the cubic through its last four values, at uneven steps too.
//! With x the time since the step's start, f0 the value there, f+ the one a step h later, f1 and f2
//! those d1 and d1 + d2 earlier:
//!
//! ```text
//! p(x) = f0 + a x + b x (x - h) + c x (x - h) (x + d1)
//! a = (f+ - f0)/h,  b = (a - a1)/(h + d1),  c = (b - b1)/(h + d1 + d2)
//! a1 = (f0 - f1)/d1,  b1 = (a1 - (f1 - f2)/d2)/(d1 + d2)
//! ```
//!
//! In the first step b = c = 0, in the second c = 0. Crossings are off by O(h^4); integrals by
//! O(h^3), which the first step leaves; peaks are those of the cubic. One inside the first step is
//! that of the second step's parabola, which begins where the first one does. One inside the last
//! step, behind which there is no value yet, is that of the parabola through the last three values.
//! Rounding may leave an interval much shorter than h at the end of an instance's own steps; it is
//! taken together with the one before it.

use crate::describe::outcome::{Outcome, OutcomeKind, Peaks};
use crate::math::functions::{greatest, least};
use crate::real::Real;

/// Numbers of a record: the result, the time of a peak (or whether the value has come), then the
/// function's last values: f0, f1, f2, d1, d2.
pub const SLOTS: usize = 7;

/// A time that has not come yet (s).
const NOT_YET: f64 = -1.0;

/// Neither part of a step in which a function goes over to another branch is a shorter
/// share of it: it has a slope.
const SHORTEST: f64 = 1e-3;

/// An interval shorter than this share of the step has no slope but that of rounding. Own steps
/// grow fivefold at most.
const SLIVER: f64 = 1e-2;

/// A time that is meant to be a step's is off by less than this share of it, in single precision
/// too.
const ROUNDING_OF_TIME: f64 = 2.5e-7;

/// An interval shorter than this share of the one before it is rounding.
const ROUNDING: f64 = 1e-4;

/// Newton's steps for a root of the cubic: from the root of the chord, which is off by a share of
/// the step that falls with it, each squares what is left. More would make kernels longer for
/// nothing.
const NEWTON: usize = 2;

/// The record that an instance keeps of a function of time.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeRecord<R> {
    /// The result so far.
    value: R,
    /// When a peak was, or whether the value has come (1, else 0).
    time: R,
    last: [R; 3],
    /// d1, d2 (s); 0: there is none.
    steps: [R; 2],
}

impl<R: Real> OutcomeRecord<R> {
    /// At the start, where the function has this value.
    pub fn start(outcome: &Outcome, f: R) -> OutcomeRecord<R> {
        let (zero, one, not_yet) = (f.lift(0.0), f.lift(1.0), f.lift(NOT_YET));
        let holds = |yes: R, no: R| zero.select_less(f, yes, no);
        let (value, time) = match outcome.kind {
            OutcomeKind::Final | OutcomeKind::Max | OutcomeKind::Min => (f, zero),
            OutcomeKind::At(time) if time <= 0.0 => (f, one),
            OutcomeKind::At(_)
            | OutcomeKind::Integral
            | OutcomeKind::Mean
            | OutcomeKind::Rms
            | OutcomeKind::Duration => (zero, zero),
            OutcomeKind::First | OutcomeKind::Last | OutcomeKind::Settled => (holds(zero, not_yet), zero),
        };
        OutcomeRecord { value, time, last: [f, zero, zero], steps: [zero; 2] }
    }

    /// From what is remembered.
    pub fn from_slots(slots: &[R]) -> OutcomeRecord<R> {
        OutcomeRecord {
            value: slots[0],
            time: slots[1],
            last: [slots[2], slots[3], slots[4]],
            steps: [slots[5], slots[6]],
        }
    }

    /// Returns the numbers of the record, in the order of [`SLOTS`].
    pub fn slots(self) -> [R; SLOTS] {
        let [f0, f1, f2] = self.last;
        let [d1, d2] = self.steps;
        [self.value, self.time, f0, f1, f2, d1, d2]
    }

    /// A step h (s) later, which began at t (s) and led to the value f of the function.
    /// `peaks`: where they are found.
    pub fn after(self, outcome: &Outcome, peaks: Peaks, t: R, h: R, f: R) -> OutcomeRecord<R> {
        let zero = f.lift(0.0);
        let before = self.beside(h);
        let [f0, f1, _] = before.last;
        let cubic = before.cubic(h, f);
        let (value, time) = match outcome.kind {
            OutcomeKind::Final => (f, zero),
            OutcomeKind::At(at) => {
                let x = f.lift(at) - t;
                let is_by_end = |yes: R, no: R| (h + rounding(t + h, h)).select_less(x, no, yes);
                let comes = |yes: R, no: R| zero.select_less(self.time, no, is_by_end(yes, no));
                (comes(cubic.at(x), self.value), comes(f.lift(1.0), self.time))
            }
            OutcomeKind::Max => before.peak(peaks, &cubic, [f1, f0, f], (t, h), f.lift(1.0)),
            OutcomeKind::Min => before.peak(peaks, &cubic, [f1, f0, f], (t, h), f.lift(-1.0)),
            OutcomeKind::Integral | OutcomeKind::Mean => (self.value + cubic.integral(), zero),
            OutcomeKind::Rms => (self.value + cubic.integral_of_square(), zero),
            OutcomeKind::First | OutcomeKind::Last | OutcomeKind::Settled | OutcomeKind::Duration => {
                self.of_condition(outcome.kind, &cubic, (t, h), [f0, f])
            }
        };
        let ([_, _, f2], [d1, d2]) = (before.last, before.steps);
        let joins = |yes: R, no: R| h.select_less(h.lift(ROUNDING) * d1, yes, no);
        let last = [f, joins(f1, f0), joins(f2, f1)];
        OutcomeRecord { value, time, last, steps: [joins(d1 + h, h), joins(d2, d1)] }
    }

    /// A step h (s) later, which began at t (s) and in which the function goes over to another
    /// branch, after a share of it, which may be [nothing](branch_ends). `old`: the value of the
    /// first branch at the end; `new`: of the second at both ends, between which it is taken to be
    /// straight.
    pub fn after_change(
        self,
        outcome: &Outcome,
        peaks: Peaks,
        (t, h): (R, R),
        share: R,
        old: R,
        new: [R; 2],
    ) -> OutcomeRecord<R> {
        let one = share.lift(1.0);
        let share = least(greatest(share, share.lift(SHORTEST)), share.lift(1.0 - SHORTEST));
        let x = share * h;
        let first = self.after(outcome, peaks, t, x, self.beside(h).cubic(h, old).at(x));
        let there = share.mul_add(new[1] - new[0], new[0]);
        let second = first.jumped(outcome, t + x, there, one);
        second.after(outcome, peaks, t + x, h - x, new[1])
    }

    /// Itself, or `other` where the share is above 0.
    pub fn or_where(self, share: R, other: OutcomeRecord<R>) -> OutcomeRecord<R> {
        let zero = share.lift(0.0);
        let (own, other) = (self.slots(), other.slots());
        OutcomeRecord::from_slots(&std::array::from_fn::<R, SLOTS, _>(|k| {
            zero.select_less(share, other[k], own[k])
        }))
    }

    /// At time t (s), where the function may jump to `behind`: it does where `jumps` is
    /// above 0. What was before the jump is no part of the cubics that follow.
    pub fn jumped(self, outcome: &Outcome, t: R, behind: R, jumps: R) -> OutcomeRecord<R> {
        let (zero, one) = (t.lift(0.0), t.lift(1.0));
        let sign = if outcome.kind == OutcomeKind::Min { t.lift(-1.0) } else { one };
        let holds = |yes: R, no: R| zero.select_less(behind, yes, no);
        let (value, time) = match outcome.kind {
            OutcomeKind::Final => (behind, self.time),
            OutcomeKind::Max | OutcomeKind::Min => {
                let above = |old: R, new: R| (self.value * sign).select_less(behind * sign, new, old);
                (above(self.value, behind), above(self.time, t))
            }
            OutcomeKind::First => (self.value.select_less(zero, holds(t, self.value), self.value), self.time),
            OutcomeKind::Settled => {
                let since = self.value.select_less(zero, t, self.value);
                (holds(since, t.lift(NOT_YET)), self.time)
            }
            OutcomeKind::Last => (holds(t, self.value), self.time),
            OutcomeKind::At(_)
            | OutcomeKind::Integral
            | OutcomeKind::Mean
            | OutcomeKind::Rms
            | OutcomeKind::Duration => (self.value, self.time),
        };
        let [f0, f1, f2] = self.last;
        let [d1, d2] = self.steps;
        let there = |old: R, new: R| zero.select_less(jumps, new, old);
        OutcomeRecord {
            value: there(self.value, value),
            time: there(self.time, time),
            last: [there(f0, behind), f1, f2],
            steps: [there(d1, zero), there(d2, zero)],
        }
    }

    /// Without the intervals that are [too short](SLIVER) beside a step of h.
    fn beside(self, h: R) -> OutcomeRecord<R> {
        let (zero, least) = (h.lift(0.0), h.lift(SLIVER) * h);
        let [f0, f1, f2] = self.last;
        let [d1, d2] = self.steps;
        let if_short = |d: R, yes: R, no: R| d.select_less(least, yes, no);
        let joined = zero.select_less(d2, d1 + d2, zero);
        let (f1, d1, d2) = (if_short(d1, f2, f1), if_short(d1, joined, d1), if_short(d1, zero, d2));
        let (d1, d2) = (if_short(d1, zero, d1), if_short(d1, zero, if_short(d2, zero, d2)));
        OutcomeRecord { last: [f0, f1, f2], steps: [d1, d2], ..self }
    }

    /// The function between the ends of a step.
    fn cubic(&self, h: R, f: R) -> Cubic<R> {
        let (zero, one) = (h.lift(0.0), h.lift(1.0));
        let [f0, f1, f2] = self.last;
        let [d1, d2] = self.steps;
        let there = |d: R, yes: R, no: R| zero.select_less(d, yes, no);
        let length = |d: R| there(d, d, one);
        let a = (f - f0) / h;
        let a1 = (f0 - f1) / length(d1);
        let b = there(d1, (a - a1) / (h + d1), zero);
        let b1 = (a1 - (f1 - f2) / length(d2)) / (length(d1) + d2);
        let c = there(d2, (b - b1) / (h + d1 + d2), zero);
        Cubic { f0, h, d1, a, b, c }
    }

    /// The largest value so far, times `sign`, and when that was.
    fn peak(&self, peaks: Peaks, cubic: &Cubic<R>, [f1, f0, f]: [R; 3], (t, h): (R, R), sign: R) -> (R, R) {
        let zero = f.lift(0.0);
        let mut best = (self.value, self.time);
        let mut offer = |value: R, time: R, valid: Option<R>| {
            let above = (best.0 * sign).select_less(value * sign, f.lift(1.0), zero);
            let above = valid.map_or(above, |valid| above * valid);
            let take = |old: R, new: R| zero.select_less(above, new, old);
            best = (take(best.0, value), take(best.1, time));
        };
        offer(f, t + h, None);
        if peaks != Peaks::AtSteps {
            // The middle one of three values is the largest: the peak is beside it.
            let not_below = |other: R| (f0 * sign).select_less(other * sign, zero, f.lift(1.0));
            let had = zero.select_less(cubic.d1, f.lift(1.0), zero);
            let bent = (cubic.b * sign).select_less(zero, f.lift(1.0), zero);
            // Or the function rises where it begins, and has fallen at the end of the first step.
            let rises = zero.select_less(cubic.slope(-cubic.d1) * sign, f.lift(1.0), zero);
            let begins = zero.select_less(self.steps[1], zero, f.lift(1.0));
            let has_fallen = (f1 * sign).select_less(f0 * sign, zero, f.lift(1.0));
            let beside = greatest(not_below(f1) * not_below(f), rises * begins * has_fallen);
            let valid = beside * had * bent;
            let x = cubic.vertex(valid);
            offer(at_least_zero(peaks, cubic.at(x)), t + x, Some(valid));
        }
        best
    }

    /// The largest value until t (s), times `sign`, and when that was: the peak of the last step
    /// counts, where the function falls again at its end.
    fn peak_until(&self, peaks: Peaks, t: R, sign: R) -> (R, R) {
        let (zero, one) = (t.lift(0.0), t.lift(1.0));
        let ([f, f0, f1], [h, d1]) = (self.last, self.steps);
        let there = |d: R| zero.select_less(d, d, one);
        let before = OutcomeRecord { last: [f0, f1, zero], steps: [d1, zero], ..*self };
        let parabola = before.cubic(there(h), f);
        let above = |x: R, y: R| (y * sign).select_less(x * sign, one, zero);
        let falls = above(zero, parabola.slope(h));
        let ends_high = one - above(f0, f);
        let valid = zero.select_less(d1, falls * ends_high * above(zero, parabola.b), zero);
        let x = parabola.vertex(valid);
        let value = at_least_zero(peaks, parabola.at(x));
        let take = |new: R, old: R| zero.select_less(valid * above(value, self.value), new, old);
        (take(value, self.value), take(t - h + x, self.time))
    }

    /// Times of a condition that holds where the function is above 0.
    fn of_condition(&self, kind: OutcomeKind, cubic: &Cubic<R>, (t, h): (R, R), [f0, f]: [R; 2]) -> (R, R) {
        let (zero, not_yet) = (f.lift(0.0), f.lift(NOT_YET));
        let x = cubic.root(f);
        let by_start = |yes: R, no: R| zero.select_less(f0, yes, no);
        let holds = |yes: R, no: R| zero.select_less(f, yes, no);
        let crossing = t + x;
        let value = match kind {
            OutcomeKind::First => {
                let never = self.value.select_less(zero, f.lift(1.0), zero);
                zero.select_less(never, holds(crossing, self.value), self.value)
            }
            OutcomeKind::Last => holds(t + h, by_start(crossing, self.value)),
            OutcomeKind::Settled => holds(by_start(self.value, crossing), not_yet),
            _ => self.value + holds(by_start(h, h - x), by_start(x, zero)),
        };
        (value, zero)
    }

    /// The outcome at time t (s), where the function has the value f; and a number that is
    /// above 0 where it has one, which is finite. `peaks`: where they are found.
    #[expect(clippy::eq_op, reason = "the difference tells numbers from what is none")]
    pub fn result(&self, outcome: &Outcome, peaks: Peaks, t: R, f: R) -> (R, R) {
        let (value, has_come) = self.value_and_presence(outcome, peaks, t, f);
        // This difference is no number where the value is infinite or none.
        (value, has_come + (value - value))
    }

    fn value_and_presence(&self, outcome: &Outcome, peaks: Peaks, t: R, f: R) -> (R, R) {
        let (zero, one, half) = (t.lift(0.0), t.lift(1.0), t.lift(0.5));
        let per_time = |sum: R, at_start: R| {
            let length = zero.select_less(t, t, one);
            zero.select_less(t, sum / length, at_start)
        };
        match outcome.kind {
            OutcomeKind::Final => (f, one),
            OutcomeKind::At(_) => (self.value, self.time),
            OutcomeKind::Max | OutcomeKind::Min => (self.peak_at(outcome, peaks, t).0, one),
            OutcomeKind::Integral | OutcomeKind::Duration => (self.value, one),
            OutcomeKind::Mean => (per_time(self.value, f), one),
            OutcomeKind::Rms => (greatest(zero, per_time(self.value, f * f)).sqrt(), one),
            OutcomeKind::First | OutcomeKind::Last | OutcomeKind::Settled => (self.value, self.value + half),
        }
    }

    /// The peak until t (s), and when it was (s).
    pub fn peak_at(&self, outcome: &Outcome, peaks: Peaks, t: R) -> (R, R) {
        let sign = if outcome.kind == OutcomeKind::Min { -1.0 } else { 1.0 };
        match peaks {
            Peaks::AtSteps => (self.value, self.time),
            Peaks::Between | Peaks::BetweenNotBelowZero => self.peak_until(peaks, t, t.lift(sign)),
        }
    }
}

/// A peak between steps, which the cubic may put below zero where the function is not.
fn at_least_zero<R: Real>(peaks: Peaks, value: R) -> R {
    match peaks {
        Peaks::BetweenNotBelowZero => greatest(value, value.lift(0.0)),
        Peaks::AtSteps | Peaks::Between => value,
    }
}

/// Rounding of the time t (s) at the end of a step h (s): at most half the step.
fn rounding<R: Real>(t: R, h: R) -> R {
    least(t.lift(ROUNDING_OF_TIME) * t, h.lift(0.5) * h)
}

/// The function between the ends of a step, see the [module](self).
struct Cubic<R> {
    f0: R,
    h: R,
    d1: R,
    a: R,
    b: R,
    c: R,
}

impl<R: Real> Cubic<R> {
    /// p(x)
    fn at(&self, x: R) -> R {
        let inner = (x + self.d1).mul_add(self.c, self.b);
        let inner = (x - self.h).mul_add(inner, self.a);
        x.mul_add(inner, self.f0)
    }

    /// p'(x)
    fn slope(&self, x: R) -> R {
        let two = x.lift(2.0);
        // (x (x - h))' = 2 x - h,  (x (x - h) (x + d1))' = (2 x - h) (x + d1) + x (x - h)
        let first = two * x - self.h;
        let second = first.mul_add(x + self.d1, x * (x - self.h));
        second.mul_add(self.c, first.mul_add(self.b, self.a))
    }

    /// p''(x)
    fn bend(&self, x: R) -> R {
        let (two, four) = (x.lift(2.0), x.lift(4.0));
        let second = two * (x + self.d1) + four.mul_sub(x, two * self.h);
        second.mul_add(self.c, two * self.b)
    }

    /// Where p passes 0 between 0 and h, f = p(h) being of another sign than p(0); else some
    /// number of that interval.
    fn root(&self, f: R) -> R {
        let (zero, one) = (f.lift(0.0), f.lift(1.0));
        let safe = |x: R| zero.select_less(x * x, x, one);
        let inside = |x: R| greatest(zero, least(self.h, x));
        let mut x = inside(self.h * (self.f0 / safe(self.f0 - f)));
        for _ in 0..NEWTON {
            x = inside(x - self.at(x) / safe(self.slope(x)));
        }
        x
    }

    /// Where p has a peak between -d1 and h, if `valid` is above 0; else some number of that
    /// interval.
    fn vertex(&self, valid: R) -> R {
        let (zero, half) = (self.h.lift(0.0), self.h.lift(0.5));
        let safe = |x: R| zero.select_less(valid, zero.select_less(x * x, x, self.h.lift(1.0)), x.lift(1.0));
        let inside = |x: R| greatest(-self.d1, least(self.h, x));
        let x = inside(half * (self.h - self.a / safe(self.b)));
        // From the peak of the parabola once is enough: the remaining error is squared.
        inside(x - self.slope(x) / safe(self.bend(x)))
    }

    /// `integral of p from 0 to h`
    fn integral(&self) -> R {
        let Cubic { f0, h, d1, a, b, c } = self;
        let (half, sixth, twelfth) = (h.lift(0.5), h.lift(1.0 / 6.0), h.lift(1.0 / 12.0));
        // The integral of x (x - h) is -h³/6, that of x (x - h) (x + d1) is -h⁴/12 - d1 h³/6.
        let bent = sixth * *b + (twelfth * *h + sixth * *d1) * *c;
        (*f0 + half * *a * *h) * *h - bent * (*h * *h * *h)
    }

    /// `integral of p² from 0 to h`, by four points of Gauss, which is exact.
    fn integral_of_square(&self) -> R {
        const POINTS: [(f64, f64); 4] = [
            (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
            (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
            (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
            (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
        ];
        let sum = POINTS.into_iter().fold(self.h.lift(0.0), |sum, (x, weight)| {
            let value = self.at(self.h * self.h.lift(x));
            (value * value).mul_add(self.h.lift(weight), sum)
        });
        sum * self.h
    }
}

/// The share of a step after which a number that goes on from `first` to `then` meets `end`, where
/// its branch ends; 0 where it does not go beyond. A branch that ends where the step begins has a
/// share of it all the same.
pub fn branch_ends<R: Real>(first: R, then: R, end: R) -> R {
    let (zero, one) = (end.lift(0.0), end.lift(1.0));
    let share = (end - first) / end.select_less(then, then - first, one);
    end.select_less(then, greatest(share, end.lift(SHORTEST)), zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Expression;

    fn outcome(kind: OutcomeKind) -> Outcome {
        Outcome { name: "o".to_string(), unit: "1".into(), kind, of: Expression::Argument }
    }

    /// The result of a function at `end` (s), by so many steps of uneven length.
    fn result(kind: OutcomeKind, f: impl Fn(f64) -> f64, end: f64, steps: u32) -> (f64, f64) {
        result_with(kind, f, end, steps, 0.0)
    }

    /// Likewise, every third step ending in one more that takes this share of it.
    fn result_with(
        kind: OutcomeKind,
        f: impl Fn(f64) -> f64,
        end: f64,
        steps: u32,
        sliver: f64,
    ) -> (f64, f64) {
        let outcome = outcome(kind);
        let time = |k: u32| {
            let x = f64::from(k) / f64::from(steps);
            end * (x + 0.02 * (std::f64::consts::TAU * x).sin())
        };
        let mut course = OutcomeRecord::start(&outcome, f(0.0));
        for k in 0..steps {
            let (mut t, next) = (time(k), time(k + 1));
            let short = if k % 3 == 1 { sliver * (next - t) } else { 0.0 };
            for until in if short > 0.0 { vec![next - short, next] } else { vec![next] } {
                course = OutcomeRecord::from_slots(&course.slots()).after(
                    &outcome,
                    Peaks::Between,
                    t,
                    until - t,
                    f(until),
                );
                t = until;
            }
        }
        let (value, defined) = course.result(&outcome, Peaks::Between, end, f(end));
        assert!(defined > 0.0, "{kind:?} has no value");
        (value, course.peak_at(&outcome, Peaks::Between, end).1)
    }

    /// A damped oscillation, its closed forms, and the order at which they are met.
    #[test]
    fn outcomes_of_a_damped_oscillation_are_met_with_high_order() {
        let (decay, omega, end) = (0.3f64, 2.0f64, 6.0f64);
        let f = |t: f64| (-decay * t).exp() * (omega * t).sin();
        let phase = (omega / decay).atan() / omega;
        // The envelope of the motion after t falls below the band after this peak.
        let square = |t: f64| f(t).powi(2);
        let simpson = |g: &dyn Fn(f64) -> f64| {
            let n = 4000;
            let h = end / f64::from(n);
            (0..n)
                .map(|k| f64::from(k) * h)
                .map(|t| h / 6.0 * (g(t) + 4.0 * g(t + h / 2.0) + g(t + h)))
                .sum::<f64>()
        };
        let crossing = {
            // f passes 0.2 for the first time.
            let (mut low, mut high) = (0.0, 0.3);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                if f(middle) < 0.2 { low = middle } else { high = middle }
            }
            low
        };
        let above = |t: f64| f(t) - 0.2;
        type Case<'f> = (OutcomeKind, &'f dyn Fn(f64) -> f64, f64);
        let cases: [Case<'_>; 7] = [
            (OutcomeKind::Max, &f, f(phase)),
            (OutcomeKind::Min, &f, f(phase + std::f64::consts::PI / omega)),
            (OutcomeKind::At(2.345), &f, f(2.345)),
            (OutcomeKind::Integral, &f, simpson(&f)),
            (OutcomeKind::Mean, &f, simpson(&f) / end),
            (OutcomeKind::Rms, &f, (simpson(&square) / end).sqrt()),
            (OutcomeKind::First, &above, crossing),
        ];
        for (kind, function, exact) in cases {
            let errors = [100, 200, 400].map(|steps| (result(kind, function, end, steps).0 - exact).abs());
            let order = (errors[0] / errors[2]).log2() / 2.0;
            println!("{kind:?}: order {order:.2}, errors {errors:?}");
            assert!(errors[2] < 1e-6, "{kind:?}: {errors:?}");
            // A point of the grid that falls on the crossing has a smaller error by chance.
            assert!(order > 2.5, "{kind:?}: {errors:?}");
        }
        let (_, time) = result(OutcomeKind::Max, f, end, 400);
        assert!((time - phase).abs() < 1e-6, "{time} {phase}");
        // Own steps end where rounding leaves a sliver of the study's step.
        for (kind, function, exact) in cases {
            for sliver in [1e-3, 1e-9, 1e-12] {
                let error = (result_with(kind, function, end, 400, sliver).0 - exact).abs();
                assert!(error < 1e-6, "{kind:?}, slivers of {sliver:e}: {error:e}");
            }
        }
    }

    /// A mass that is let go with a small velocity turns within the first step.
    #[test]
    fn a_peak_in_the_first_step_is_found() {
        let (decay, omega, shift) = (0.3f64, 2.0f64, 0.085f64);
        let phase = shift - (decay / omega).atan() / omega;
        let f = |t: f64| (-decay * t).exp() * (omega * (t - shift)).cos();
        for (kind, sign) in [(OutcomeKind::Max, 1.0), (OutcomeKind::Min, -1.0)] {
            for steps in [100, 200, 400] {
                let (value, time) = result(kind, |t| sign * f(t), 6.0, steps);
                let h = 6.0 / f64::from(steps);
                assert!((value - sign * f(phase)).abs() < h.powi(3), "{kind:?} {steps}: {value}");
                assert!((time - phase).abs() < h * h, "{kind:?} {steps}: {time} {phase}");
            }
        }
    }

    /// A motion ends shortly after its peak, wherever in the last step that is, and whether or not
    /// rounding leaves a sliver at the end.
    #[test]
    fn a_peak_in_the_last_step_is_found() {
        let (end, omega) = (6.0f64, 2.0f64);
        for (kind, sign) in [(OutcomeKind::Max, 1.0), (OutcomeKind::Min, -1.0)] {
            for (steps, share) in [(99, 0.02), (99, 0.3), (99, 0.49), (198, 0.49), (396, 0.3)] {
                let h = end / f64::from(steps);
                let peak = end - share * h;
                let f = |t: f64| sign * ((0.05 * t).exp() * (omega * (t - peak)).cos());
                let exact = peak + (0.05f64 / omega).atan() / omega;
                for sliver in [0.0, 1e-12] {
                    let (value, time) = result_with(kind, f, end, steps, sliver);
                    let (best, at) = if exact < end { (f(exact), exact) } else { (f(end), end) };
                    let found = (value - best, time - at);
                    let allowed = (0.3 * omega.powi(3) * h.powi(3), omega * h * h);
                    assert!(found.0.abs() < allowed.0, "{kind:?} {steps} {share}: {found:?}");
                    assert!(found.1.abs() < allowed.1, "{kind:?} {steps} {share}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn times_of_a_condition_are_those_at_which_it_holds() {
        // sin t - 0.5 is above 0 from pi/6 to 5 pi/6, and again from 13 pi/6 on.
        use std::f64::consts::PI;
        let f = |t: f64| t.sin() - 0.5;
        let time_of = |kind, end| result(kind, f, end, 500).0;
        let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-6, "{found} {exact}");
        near(time_of(OutcomeKind::First, 7.5), PI / 6.0);
        near(time_of(OutcomeKind::Last, 6.0), 5.0 * PI / 6.0);
        near(time_of(OutcomeKind::Last, 7.5), 7.5);
        near(time_of(OutcomeKind::Settled, 7.5), 13.0 * PI / 6.0);
        near(time_of(OutcomeKind::Duration, 6.0), 4.0 * PI / 6.0);
        let never = OutcomeRecord::start(&outcome(OutcomeKind::Settled), -1.0f64);
        assert!(never.result(&outcome(OutcomeKind::Settled), Peaks::Between, 0.0, -1.0).1 <= 0.0);
    }

    /// A distance that passes zero within a step bends there, and the cubic goes on below.
    #[test]
    fn the_least_distance_is_not_below_zero() {
        let least = outcome(OutcomeKind::Min);
        let mut below = 0;
        for shift in 0..10 {
            let f = |t: f64| (t - 0.31 - 0.01 * f64::from(shift)).abs();
            let of = |peaks: Peaks, steps: u32| {
                let start = OutcomeRecord::start(&least, f(0.0));
                let course = (0..steps).fold(start, |course, k| {
                    course.after(&least, peaks, 0.1 * f64::from(k), 0.1, f(0.1 * f64::from(k + 1)))
                });
                course.peak_at(&least, peaks, 0.1 * f64::from(steps)).0
            };
            // The zero is inside, and in the last step.
            for steps in [4, 8] {
                let [cubic, clamped] =
                    [Peaks::Between, Peaks::BetweenNotBelowZero].map(|peaks| of(peaks, steps));
                below += i32::from(cubic < 0.0);
                assert_eq!(clamped, cubic.max(0.0), "{shift} {steps}");
            }
        }
        assert!(below > 0);
    }

    /// Steps end at k h, which rounding leaves beside a time that is written as a decimal number.
    #[test]
    fn a_value_at_the_time_of_a_step_is_there() {
        for steps in [7, 50, 99, 100, 128, 1000, 3001] {
            let h = 1.0 / f64::from(steps);
            for k in 1..=steps {
                let at = outcome(OutcomeKind::At(f64::from(k) / f64::from(steps)));
                let exact = f64::from(k) * h;
                let mut course = OutcomeRecord::start(&at, 0.0);
                let mut single = OutcomeRecord::start(&at, 0.0f32);
                for step in 0..steps {
                    let (t, next) = (f64::from(step) * h, f64::from(step + 1) * h);
                    course = course.after(&at, Peaks::Between, t, h, next);
                    let (t, next) = (step as f32 * h as f32, (step + 1) as f32 * h as f32);
                    single = single.after(&at, Peaks::Between, t, h as f32, next);
                }
                let (value, has_come) = course.result(&at, Peaks::Between, 1.0, 1.0);
                assert!(has_come > 0.0 && (value - exact).abs() < 1e-12, "{k} of {steps}: {value}");
                let (value, has_come) = single.result(&at, Peaks::Between, 1.0, 1.0);
                assert!(has_come > 0.0 && (f64::from(value) - exact).abs() < 1e-4, "{k} of {steps}: {value}");
            }
        }
    }

    /// A root of a negative number, an overflow.
    #[test]
    fn an_outcome_that_is_no_number_has_no_value() {
        let kinds = [OutcomeKind::Final, OutcomeKind::Max, OutcomeKind::Mean, OutcomeKind::At(0.5)];
        for (kind, f) in kinds.into_iter().flat_map(|kind| [(kind, f64::NAN), (kind, f64::INFINITY)]) {
            let of = outcome(kind);
            let course = OutcomeRecord::start(&of, f).after(&of, Peaks::Between, 0.0, 1.0, f);
            let has_come = course.result(&of, Peaks::Between, 1.0, f).1;
            assert!(has_come.is_nan(), "{kind:?} of {f}: {has_come}");
        }
    }
}
