//! H92 4.3 and 4.4 on a free body, by the report's own equations in f64: the corrector without its
//! predictor, and another start of the staggered chains.

use super::measures::accurate_at;
use super::{Claim, Criterion, Evidence, Failure, Judged, Measured, Says};
use polhode::math::quaternion::{Quat, angle, exponential, to_body, to_space};
use polhode::math::vector::{Vec3, add, cross, length, scale, scale_add, sub, times};
use polhode::study::yardsticks::free_body;

/// The free body of these claims (kg m²; rad/s in body axes), ours.
const INERTIA: Vec3<f64> = [5.0, 10.0, 1.0];
const START: Turning = Turning { q: [0.8, 0.2, -0.4, 0.4], w: [1.0, 0.5, 2.0] };

/// Attitude, and angular velocity in body axes (rad/s).
#[derive(Clone, Copy, Debug)]
struct Turning {
    q: Quat<f64>,
    w: Vec3<f64>,
}

/// Lam J W (N m s).
fn momentum(Turning { q, w }: Turning) -> Vec3<f64> {
    to_space(q, times(INERTIA, w))
}

/// W that this momentum has at an attitude, (43)-(44).
fn velocity(q: Quat<f64>, momentum: Vec3<f64>) -> Vec3<f64> {
    let body = to_body(q, momentum);
    std::array::from_fn(|k| body[k] / INERTIA[k])
}

/// Who updates W after the attitude was corrected by (50)-(51) or (55)-(56).
#[derive(Clone, Copy, PartialEq)]
enum AfterCorrector {
    /// (57): it follows from the corrected attitude.
    Updated,
    /// It stays that of the predicted attitude.
    Kept,
}

/// (52)-(57) without torque.
fn corrected(start: Turning, h: f64, after: AfterCorrector) -> Turning {
    let carried = momentum(start);
    let predicted = velocity(exponential(start.q, scale(h, start.w)), carried);
    let q = exponential(start.q, scale(0.5 * h, add(start.w, predicted)));
    let w = if after == AfterCorrector::Updated { velocity(q, carried) } else { predicted };
    Turning { q, w }
}

pub const CORRECTOR: Claim = Claim {
    id: "h92-corrector-momentum",
    title: "The corrector without a second momentum balance",
    says: &[Says {
        report: "H92",
        place: "4.3, (50)-(51)",
        text: "If the angular velocity is not updated from the attitude that (50) and (51) give, \
               conservation of angular momentum is lost; the predictor-corrector algorithm eliminates the \
               problem.",
    }],
    judged: Judged::Report,
    found: "On a free body of ours (h = 10 ms, 4 s) the momentum is then off by up to 1.7 % of itself; with \
            (57) it is kept to rounding.",
    condition: None,
    measure: |_| {
        let drift = |after| {
            let (mut at, mut largest) = (START, 0.0f64);
            for _ in 0..400 {
                at = corrected(at, 0.01, after);
                largest = largest.max(length(sub(momentum(at), momentum(START))));
            }
            largest / length(momentum(START))
        };
        Ok(Evidence {
            measured: vec![
                Measured::new("change of momentum, W not updated", drift(AfterCorrector::Kept), "1")
                    .claimed(Criterion::AtLeast(1e-9)),
                Measured::new("the same, once more", drift(AfterCorrector::Kept), "1")
                    .found(Criterion::Near(0.0174, 0.01)),
                Measured::new("change of momentum, (57)", drift(AfterCorrector::Updated), "1")
                    .claimed(Criterion::AtMost(1e-12)),
            ],
            figures: vec![],
        })
    },
};

/// (65)-(67) without torque: the start that needs the first acceleration.
fn half_by_acceleration(start: Turning, h: f64) -> Turning {
    let torque = cross(times(INERTIA, start.w), start.w);
    let acceleration: Vec3<f64> = std::array::from_fn(|k| torque[k] / INERTIA[k]);
    let q = exponential(start.q, scale(0.5 * h, scale_add(0.25 * h, acceleration, start.w)));
    Turning { q, w: velocity(q, momentum(start)) }
}

/// The error after 4 s of the staggered conserving step (60)-(64) from this start of the half
/// chain: the larger of those of attitude (rad) and angular velocity (rad/s).
fn staggered_error(begin: fn(Turning, f64) -> Turning, h: f64) -> Result<f64, Failure> {
    let exact = accurate_at(&free_body(INERTIA, START.q, START.w), &[4.0])?.remove(0).bodies.remove(0);
    let (mut whole, mut half) = (START, begin(START, h));
    let step = |own: Turning, other: Turning| {
        let q = exponential(own.q, scale(h, other.w));
        Turning { q, w: velocity(q, momentum(own)) }
    };
    for _ in 0..(4.0 / h).round() as usize {
        whole = step(whole, half);
        half = step(half, whole);
    }
    Ok(angle(whole.q, exact.attitude).max(length(sub(whole.w, exact.angular_velocity))))
}

pub const OTHER_START: Claim = Claim {
    id: "h92-other-start",
    title: "The staggered chains started by the predictor-corrector",
    says: &[Says {
        report: "H92",
        place: "4.4, after (67)",
        text: "The predictor-corrector with half the step may start the half chain, so that no angular \
               acceleration is needed.",
    }],
    judged: Judged::Report,
    found: "So started, the step keeps its order, 2, on a free body of ours, and has nearly the error that \
            it has from (65) to (67).",
    condition: None,
    measure: |_| {
        let by_corrector = |start, h| corrected(start, 0.5 * h, AfterCorrector::Updated);
        let errors = |begin, label: &str| -> Result<_, Failure> {
            let (coarse, fine) = (staggered_error(begin, 0.01)?, staggered_error(begin, 0.005)?);
            let name = format!("order, {label}");
            let order =
                Measured::new(name, (coarse / fine).log2(), "1").claimed(Criterion::Between(1.9, 2.1));
            Ok((coarse, order))
        };
        let (corrector, of_corrector) = errors(by_corrector, "started by the predictor-corrector")?;
        let (acceleration, of_acceleration) = errors(half_by_acceleration, "started by (65)-(67)")?;
        let share = Measured::new(
            "error by the one start, of that by the other, h = 10 ms",
            corrector / acceleration,
            "1",
        );
        Ok(Evidence {
            measured: vec![of_corrector, of_acceleration, share.found(Criterion::Between(0.8, 1.25))],
            figures: vec![],
        })
    },
};
