//! K14: Newmark's method on Euler parameters (E1) and on the rotation vector (C1).

use rayon::prelude::*;

use super::h92::{top, top_convergence};
use super::measures::{accurate_at, azimuth, error};
use super::{Claim, Context, Criterion, Evidence, Failure, History, Judged, Measured, Says, Trial};
use polhode::describe::{Axes, Mechanism};
use polhode::math::fit::{rate, slope};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::{fast_top, free_body, hulbert51, torque};

const E1: &str = "newmark_euler_parameters";
const C1: &str = "newmark_rotation_vector";

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
                Ok(rate(&trial.run(context, &[channels::ENERGY_DRIFT])?.curve(channels::ENERGY_DRIFT, 0)))
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
    found: "K14 prints no data of its top; with those that H92 takes from the same source, J about the tip, \
            E1 and C1 come to the nutation 9.2094246 rad/s and the precession 0.4164250 rad/s with order 2.",
    condition: None,
    measure: |context| {
        let mut measured = top_convergence(context, E1, "E1")?;
        measured.extend(top_convergence(context, C1, "C1")?);
        Ok(Evidence { measured, figures: top_figures(context)? })
    },
};

/// E1 and C1 side by side, at a step coarser than those of K14's figures.
fn top_figures(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let about = "Ours, at a coarser step than K14's figures: the fast top, J = (5, 5, 1) kg m² about the \
                 tip, m g l = 20 N m, released at 0.3 rad with a spin of 50 rad/s; h = 8 ms (h|w| = 0.4)";
    let h = 0.008;
    let runs = [E1, C1].par_iter().map(|method| top(context, method, h, 100.0));
    let runs = runs.collect::<Result<Vec<History>, Failure>>()?;
    let fine = top(context, "dop853", 0.001, 2.0)?;
    let first = |curve: Vec<(f64, f64)>| curve.into_iter().filter(|(t, _)| *t <= 2.0).collect::<Vec<_>>();
    let tilt = |history: &History| first(history.curve(channels::TILT, 0));
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
            name: "k14_tilt_8ms",
            title: "K14: nutation by E1 and C1".to_string(),
            caption: format!(
                "{about}. Angle theta of the axis from the vertical; \"accurate\" is order 8 with h = 1 ms."
            ),
            x: time.clone(),
            y: PlottedQuantity::new("theta", "rad"),
            curves: with_exact(&tilt),
            marked: false,
        },
        Figure {
            name: "k14_precession_8ms",
            title: "K14: precession by E1 and C1".to_string(),
            caption: format!(
                "{about}. Azimuth of the axis about the vertical since the start; \"accurate\" is order 8 \
                 with h = 1 ms."
            ),
            x: time.clone(),
            y: PlottedQuantity::new("azimuth", "rad"),
            curves: with_exact(&turned),
            marked: false,
        },
        Figure {
            name: "k14_energy_8ms",
            title: "K14: energy error of E1 and C1".to_string(),
            caption: format!("{about}. (E - E0) / (T0 + |V0|) over 100 s: C1 drifts, E1 does not."),
            x: time.clone(),
            y: PlottedQuantity::new("energy error", "1"),
            curves: both(&|history| history.curve(channels::ENERGY_DRIFT, 0)).into(),
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
    found: "With one-sided values the impulse of such a moment is exact, and the order stays at least 2 on \
            H92 5.1, whose torques jump twice (a kick of 4 ms, ours: H92's lasts one step).",
    condition: None,
    measure: |context| {
        let mut pushed = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        pushed.loads = vec![torque("push", Axes::Body, &[(0.3, 0.8, [20.0, 0.0, 0.0])])];
        let kicked = hulbert51(0.004, Axes::Space);
        let exact = &accurate_at(&kicked, &[4.0])?[0];
        let channels = [channels::ATTITUDE, channels::ANGULAR_VELOCITY];
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
