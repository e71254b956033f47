//! K14: Newmark's method on Euler parameters (E1) and on the rotation vector (C1).

use rayon::prelude::*;

use super::h92::{top, top_convergence};
use super::measures::{accurate_at, azimuth, error};
use super::{Claim, Context, Criterion, Evidence, Failure, History, Judged, Measured, Says, Trial};
use crate::describe::{Axes, Channel, Mechanism};
use crate::math::fit::{rate, slope};
use crate::math::quaternion::{conjugate_vector, product, to_body, to_space, unit};
use crate::math::vector::{cross, dot, scale};
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::study::yardsticks::{fast_top, free_body, hulbert51, torque};

pub(super) const E1: &str = "newmark_euler_parameters";
pub(super) const C1: &str = "newmark_rotation_vector";

pub const DRIFT: Claim = Claim {
    id: "k14-drift",
    title: "Drift of energy by E1 and C1",
    says: &[Says {
        report: "K14",
        place: "6b, fig. 1, p. 34",
        text: "The results of E1 and C1 on the top are close. A drift of either is not mentioned.",
    }],
    judged: Judged::Finding,
    found: "E1 has no secular drift of energy, C1 has: over 200 s E1's rate is less than 2 % of C1's.",
    condition: None,
    measure: |context| {
        let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
        let courses: [(&str, Mechanism, f64); 2] =
            [("free body", body, 0.01), ("fast top", fast_top(), 0.002)];
        let mut outcome = Evidence::default();
        for (what, mechanism, h) in courses {
            let drift = |method: &&'static str| {
                let trial = Trial::new(&mechanism, method, h, (200.0 / h).round() as u64).every(7);
                Ok(rate(&trial.run(context, &[Channel::ENERGY_DRIFT])?.curve(Channel::ENERGY_DRIFT, 0)))
            };
            let rates = [E1, C1].par_iter().map(drift).collect::<Result<Vec<f64>, Failure>>()?;
            let at = format!("{what}, h = {} ms", 1e3 * h);
            outcome.measured.push(Measured::new(format!("energy rate of E1, {at}"), rates[0], "1/s"));
            outcome.measured.push(Measured::new(format!("energy rate of C1, {at}"), rates[1], "1/s"));
            outcome.measured.push(
                Measured::new(format!("E1 of C1, {what}"), (rates[0] / rates[1]).abs(), "1")
                    .claimed(Criterion::AtMost(0.02)),
            );
        }
        Ok(outcome)
    },
};

pub const TOP: Claim = Claim {
    id: "k14-top",
    title: "The fast top by E1 and C1",
    says: &[Says {
        report: "K14",
        place: "6b, fig. 2, pp. 34-35",
        text: "Energy and the frequencies of nutation and precession agree well with the closed \
                form, at steps of 0.001 and 0.0001. No frequency is printed.",
    }],
    judged: Judged::Finding,
    found: "E1 and C1 come to the nutation 9.2094246 rad/s and the precession 0.4164250 rad/s with order 2.",
    condition: None,
    measure: |context| {
        let mut measured = top_convergence(context, E1, "E1")?;
        measured.extend(top_convergence(context, C1, "C1")?);
        Ok(Evidence { measured, figures: top_figures(context)? })
    },
};

/// Both methods at a step that is eight times the paper's.
fn top_figures(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let about = "The fast top, J = (5, 5, 1) kg m² about the \
                 tip, m g l = 20 N m, released at 0.3 rad with a spin of 50 rad/s; h = 8 ms (h|w| = 0.4)";
    let h = 0.008;
    let runs = [E1, C1].par_iter().map(|method| top(context, method, h, 100.0));
    let runs = runs.collect::<Result<Vec<History>, Failure>>()?;
    let fine = top(context, "dop853", 0.001, 2.0)?;
    let first = |curve: Vec<(f64, f64)>| curve.into_iter().filter(|(t, _)| *t <= 2.0).collect::<Vec<_>>();
    let tilt = |history: &History| first(history.curve(Channel::TILT, 0));
    let turned = |history: &History| first(azimuth(history));
    let both = |curve: &dyn Fn(&History) -> Vec<(f64, f64)>| {
        [("E1", &runs[0]), ("C1", &runs[1])].map(|(label, history)| Curve::new(label, curve(history)))
    };
    let with_exact = |curve: &dyn Fn(&History) -> Vec<(f64, f64)>| {
        [Curve::beneath("accurate", curve(&fine))].into_iter().chain(both(curve)).collect::<Vec<_>>()
    };
    let time = PlottedQuantity::new("time", "s");
    Ok(vec![
        Figure {
            name: "k14_nutation_8ms",
            title: "Nutation by E1 and C1, 8 ms",
            caption: format!(
                "{about}. Angle theta of the axis from the vertical; \"accurate\" is order 8 with h = 1 ms."
            ),
            x: time,
            y: PlottedQuantity::new("theta", "rad"),
            curves: with_exact(&tilt),
            marked: false,
        },
        Figure {
            name: "k14_precession_8ms",
            title: "Precession by E1 and C1, 8 ms",
            caption: format!(
                "{about}. Azimuth of the axis about the vertical since the start; \"accurate\" is order 8 \
                 with h = 1 ms."
            ),
            x: time,
            y: PlottedQuantity::new("azimuth", "rad"),
            curves: with_exact(&turned),
            marked: false,
        },
        Figure {
            name: "k14_energy_8ms",
            title: "Energy error of E1 and C1, 8 ms",
            caption: format!("{about}. (E - E0) / (T0 + |V0|) over 100 s: C1 drifts, E1 does not."),
            x: time,
            y: PlottedQuantity::new("energy error", "1"),
            curves: both(&|history| history.curve(Channel::ENERGY_DRIFT, 0)).into(),
            marked: false,
        },
    ])
}

pub const JUMPS: Claim = Claim {
    id: "k14-jumps",
    title: "Moments that jump, by E1 and C1",
    says: &[Says {
        report: "K14",
        place: "V c, p. 32",
        text: "Where the moment jumps at a step's start, the starting acceleration follows from \
                the equation of motion after the jump.",
    }],
    judged: Judged::Finding,
    found: "With one-sided values the impulse of such a moment is exact, and the order stays at least 2 on H92 \
        5.1, whose torques jump twice.",
    condition: None,
    measure: |context| {
        let mut pushed = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        pushed.loads = vec![torque("push", Axes::Body, &[(0.3, 0.8, [20.0, 0.0, 0.0])])];
        let kicked = hulbert51(0.004, Axes::Space);
        let exact = &accurate_at(&kicked, &[4.0])?[0];
        let channels = [Channel::ATTITUDE, Channel::ANGULAR_VELOCITY];
        let mut outcome = Evidence::default();
        for (method, label) in [(E1, "E1"), (C1, "C1")] {
            let history = Trial::new(&pushed, method, 0.01, 100).run(context, &channels)?;
            // 20 N m over 0.5 s on 5 kg m².
            let off = (history.angular_velocity(history.last())[0] - 2.0).abs() / 2.0;
            outcome.measured.push(
                Measured::new(format!("{label}: impulse off, 20 N m from 0.3 to 0.8 s"), off, "1")
                    .claimed(Criterion::AtMost(1e-12)),
            );
            let points: Result<Vec<_>, Failure> = [0.0005, 0.00025, 0.000125]
                .into_iter()
                .map(|h| {
                    let trial = Trial::new(&kicked, method, h, (4.0 / h).round() as u64);
                    Ok((h, error(&trial.run(context, &channels)?, exact)))
                })
                .collect();
            outcome.measured.push(
                Measured::new(format!("{label}: order on H92 5.1"), slope(&points?), "1")
                    .claimed(Criterion::Between(1.9, 3.5)),
            );
        }
        Ok(outcome)
    },
};

/// What changes within a step of E1 (J).
pub(super) struct Bound {
    /// Potential energy as (6b.1) estimates it from the step's start.
    pub potential: f64,
    /// Kinetic energy, estimated likewise from (5.3).
    pub kinetic: f64,
    /// Total energy.
    pub total: f64,
}

/// All steps of the fast top by E1 until `end` (s).
///
/// ```text
/// p = p(0) + s p'(0) + s^2/2 p''(0) ;   p' = p'(0) + s p''(0) ;   s = h                       (6b.1), (5.3) with p'' of the start
/// ```
///
/// p is brought to norm 1 before it turns the body.
pub(super) fn bound(context: &Context<'_>, h: f64, end: f64) -> Result<Vec<Bound>, Failure> {
    const J: [f64; 3] = [5.0, 5.0, 1.0];
    /// Weight times the distance of the mass centre from the tip (N m).
    const MOMENT: f64 = 20.0;
    let trial = Trial::new(&fast_top(), E1, h, (end / h).round() as u64).every(1);
    let history = trial.run(context, &[Channel::ATTITUDE, Channel::ANGULAR_VELOCITY, Channel::ENERGY])?;
    let energy = history.series(Channel::ENERGY, 0, 0);
    let potential = |q| MOMENT * to_space(q, [0.0, 0.0, 1.0])[2];
    let kinetic = |w: [f64; 3]| 0.5 * (0..3).map(|k| J[k] * w[k] * w[k]).sum::<f64>();
    let step = |n: usize| {
        let (q, w) = (history.attitude(n), history.angular_velocity(n));
        let weight = to_body(q, [0.0, 0.0, -MOMENT]);
        let torque = [-weight[1], weight[0], 0.0];
        let gyroscopic = cross(w, std::array::from_fn(|k| J[k] * w[k]));
        let wd: [f64; 3] = std::array::from_fn(|k| (torque[k] - gyroscopic[k]) / J[k]);
        let squared = dot(w, w);
        let p: [f64; 4] = std::array::from_fn(|k| match k {
            0 => 1.0 - h * h * squared / 8.0,
            _ => 0.5 * h * w[k - 1] + 0.25 * h * h * wd[k - 1],
        });
        let pd: [f64; 4] = std::array::from_fn(|k| match k {
            0 => -0.25 * h * squared,
            _ => 0.5 * w[k - 1] + 0.5 * h * wd[k - 1],
        });
        let turned = product(q, unit(p));
        Bound {
            potential: potential(turned) - potential(q),
            kinetic: kinetic(scale(2.0, conjugate_vector(p, pd))) - kinetic(w),
            total: energy[n + 1] - energy[n],
        }
    };
    Ok((0..history.last()).map(step).collect())
}

pub const BOUND: Claim = Claim {
    id: "k14-bound",
    title: "A bound of the energy's change in a step",
    says: &[Says {
        report: "K14",
        place: "6b, (6b.1), fig. 3, VII, pp. 34-36",
        text: "The change of the potential energy, estimated from Euler parameters and their rates at a step's start, is an upper bound \
                of the change of the total energy within the step; that of the kinetic energy is none when all terms are included.",
    }],
    judged: Judged::Report,
    found: "It is a bound in nearly all steps, but by its size alone, for the change of total energy is of order h³ and the estimate of \
        order h; at the ends of a nutation the estimate passes zero and bounds nothing. The estimate of the kinetic energy bounds as much.",
    condition: Some("steps near the ends of a nutation are left out"),
    measure: |context| {
        let mut measured = Vec::new();
        for h in [1e-3, 1e-4] {
            let steps = bound(context, h, 10.0)?;
            let largest = steps.iter().map(|step| step.potential.abs()).fold(0.0, f64::max);
            let share = |counted: &dyn Fn(&Bound) -> bool, bounds: &dyn Fn(&Bound) -> f64| {
                let of: Vec<&Bound> = steps.iter().filter(|step| counted(step)).collect();
                let held = of.iter().filter(|step| step.total.abs() <= bounds(step).abs()).count();
                held as f64 / of.len() as f64
            };
            let all = |_: &Bound| true;
            // An end of a nutation: the estimate is below a hundredth of its largest value.
            let inner = |step: &Bound| step.potential.abs() > 0.01 * largest;
            let at = format!("h = {} ms", 1e3 * h);
            let total = steps.iter().map(|step| step.total.abs()).fold(0.0, f64::max);
            measured.extend([
                Measured::new(
                    format!("steps that the potential estimate bounds, {at}"),
                    share(&all, &|s| s.potential),
                    "1",
                )
                .claimed(Criterion::AtLeast(1.0)),
                Measured::new(
                    format!("the same away from the ends of nutations, {at}"),
                    share(&inner, &|s| s.potential),
                    "1",
                )
                .on_condition(Criterion::AtLeast(1.0)),
                Measured::new(
                    format!("steps that the kinetic estimate bounds, {at}"),
                    share(&all, &|s| s.kinetic),
                    "1",
                ),
                Measured::new(
                    format!("largest change of total energy, of the largest estimate, {at}"),
                    total / largest,
                    "1",
                ),
            ]);
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};
