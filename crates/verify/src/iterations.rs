//! PCD90's comparison of treatments by the iterations that an implicit solution takes (VI.A, fig.
//! 2), by the method `trapezoidal` and, for what that has not (Newton's matrix, a tip that is
//! stopped, steps that are taken although they are not solved), by [`super::manipulator`].

use super::manipulator::{self, Counted, Iteration, MultiplierForm, SetUp};
use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::base::{Setting, significant};
use polhode::describe::Mechanism;
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::{double_pendulum, manipulator};

/// Step of the double pendulum (s).
const STEP: f64 = 0.01;

/// Steps of the double pendulum.
const STEPS: u64 = 200;

/// Tolerances of the largest move in an iteration (m or rad).
const TOLERANCES: [f64; 5] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10];

/// Mean iterations that the report reads from its figure, with staggered multipliers and with
/// Baumgarte's.
const PRINTED: [f64; 2] = [4.5, 22.0];

/// When Baumgarte's fail to converge (s).
const FAILS: f64 = 1.1;

/// Iterations with which the report's staggered multipliers pass the straight position.
const ENOUGH: f64 = 30.0;

/// With the tip stopped, where rounding decides (s).
const STOPPED_STEP: f64 = 0.005;

/// The compliance of staggered multipliers, PC87's table 1.
const EPS: f64 = 1e-6;

/// (s): all locks have caught.
const UNFOLDED: f64 = 2.0;

/// A run of the manipulator, to this accuracy (m or rad).
fn unfolding(form: MultiplierForm, h: f64, accuracy: f64, stops: bool) -> Result<Counted, Failure> {
    let set_up = SetUp { form, iteration: Iteration::Printed, h, accuracy, most: MOST, stops };
    manipulator::count(set_up, UNFOLDED)
}

/// The settings that give the printed figure: step (s), accuracy (m or rad), alpha h.
const HAD: (f64, f64, f64) = (0.04, 1e-6, 0.55);

/// The report names neither step nor alpha. What they decide, and what of the printed numbers can
/// be had.
fn on_the_manipulator() -> Result<Vec<Measured>, Failure> {
    let staggered = |h, accuracy| unfolding(MultiplierForm::Staggered { eps: EPS }, h, accuracy, false);
    let baumgarte = |h: f64, accuracy, alpha_h: f64| {
        unfolding(MultiplierForm::Baumgarte { alpha: alpha_h / h }, h, accuracy, false)
    };
    let mut measured = Vec::new();
    let mut ratios = Vec::new();
    for h in [0.02, 0.03, HAD.0, 0.05] {
        for accuracy in [1e-4, 1e-5, HAD.1] {
            let at = format!("h = {} ms, to {accuracy:e}", 1e3 * h);
            let few = staggered(h, accuracy)?;
            let own = Measured::new(format!("staggered, {at}"), few.mean(MOST), "1");
            let had = (h, accuracy) == (HAD.0, HAD.1);
            measured.push(if had { own.claimed(Criterion::Near(PRINTED[0], 0.2)) } else { own });
            if had {
                measured.push(
                    Measured::new(format!("most iterations of a staggered step, {at}"), few.largest(), "1")
                        .claimed(Criterion::AtMost(ENOUGH)),
                );
            }
            for alpha_h in [0.1, 0.5, HAD.2, 0.6] {
                let many = baumgarte(h, accuracy, alpha_h)?;
                let own =
                    Measured::new(format!("Baumgarte, {at}, alpha h = {alpha_h}"), many.mean(MOST), "1");
                let had = had && alpha_h == HAD.2;
                measured.push(if had { own.claimed(Criterion::Near(PRINTED[1], 0.1)) } else { own });
                if h == HAD.0 && alpha_h == HAD.2 {
                    ratios.push(few.mean(MOST) / many.mean(MOST));
                }
            }
        }
    }
    let spread = |pick: fn(f64, f64) -> f64| ratios.iter().copied().reduce(pick).unwrap_or(f64::NAN);
    measured.push(
        Measured::new(
            "staggered / Baumgarte, h = 40 ms, alpha h = 0.55: largest of the least, to 1e-4, 1e-5 and 1e-6",
            spread(f64::max) / spread(f64::min),
            "1",
        )
        .claimed(Criterion::AtMost(2.0)),
    );
    for (h, accuracy) in [(0.04, 1e-6), (0.05, 1e-4)] {
        let run = baumgarte(h, accuracy, 0.6)?;
        let failed: Vec<f64> =
            run.steps.iter().filter(|(_, taken)| taken.is_none()).map(|(time, _)| *time).collect();
        let at = format!("h = {} ms, to {accuracy:e}, alpha h = 0.6", 1e3 * h);
        let apart =
            |time: f64| run.caught.iter().map(|caught| (caught - time).abs()).fold(f64::INFINITY, f64::min);
        measured.extend([
            Measured::new(format!("steps that Baumgarte's do not solve, {at}"), failed.len() as f64, "1")
                .claimed(Criterion::AtLeast(1.0)),
            Measured::new(
                format!("steps between those and the nearest lock that catches, at most, {at}"),
                (failed.iter().map(|time| apart(*time)).fold(0.0, f64::max) / h).round(),
                "1",
            )
            .claimed(Criterion::AtMost(1.0)),
            Measured::new(format!("the last of them, {at}"), failed.last().copied().unwrap_or(f64::NAN), "s")
                .claimed(Criterion::Near(FAILS, 0.15)),
        ]);
    }
    measured.push(Measured::new("largest condition of mu", staggered(HAD.0, HAD.1)?.condition, "1"));
    let (h, accuracy, alpha_h) = HAD;
    let forms = [MultiplierForm::Staggered { eps: EPS }, MultiplierForm::Baumgarte { alpha: alpha_h / h }];
    for (name, form) in ["staggered", "Baumgarte"].into_iter().zip(forms) {
        let set_up = SetUp { form, iteration: Iteration::Newton, h, accuracy, most: MOST, stops: false };
        let mean = manipulator::count(set_up, UNFOLDED)?.mean(MOST);
        measured.push(Measured::new(format!("{name}, the same by Newton's iteration"), mean, "1"));
    }
    let stopped = |form| unfolding(form, STOPPED_STEP, 1e-6, true);
    let run = stopped(MultiplierForm::Staggered { eps: EPS })?;
    let lost = stopped(MultiplierForm::Baumgarte { alpha: 5.0 })?;
    measured.extend([
        Measured::new("tip stopped, steps that Baumgarte's do not solve", lost.failed(), "1")
            .found(Criterion::AtLeast(1.0)),
        Measured::new("tip stopped, steps that staggered ones do not solve", run.failed(), "1")
            .found(Criterion::AtMost(0.0)),
    ]);
    Ok(measured)
}

/// Iterations after which a step that misses the last tolerance has failed.
const MOST: usize = 60;

/// A treatment with its settings.
type Treated<'a> = (&'static str, &'a [(&'static str, f64)]);

/// Mean iterations a step that the method takes, at most [`MOST`]; NaN: a step was not solved.
fn mean_iterations(
    context: &Context<'_>,
    mechanism: &Mechanism,
    (treatment, settings): Treated<'_>,
    (h, steps): (f64, u64),
    tolerance: f64,
) -> Result<f64, Failure> {
    let settings: Vec<(&'static str, Setting)> =
        settings.iter().map(|(key, value)| (*key, Setting::Number(*value))).collect();
    let trial = Trial::new(mechanism, "trapezoidal", h, steps)
        .with("iteration_tolerance", Setting::Number(tolerance))
        .with("max_iterations", Setting::Count(MOST as u64))
        .held_by(treatment, &settings);
    let history = trial.run(context, &[channels::ITERATIONS])?;
    Ok(history.series(channels::ITERATIONS, 1, 0).last().copied().unwrap_or(f64::NAN))
}

pub const ITERATIONS: Claim = Claim {
    id: "pcd90-iterations",
    title: "Iterations of an implicit solution",
    says: &[Says {
        report: "PCD90",
        place: "VI.A, fig. 2",
        text: "On a three-link manipulator that locks straight, by a Newton-type iteration, staggered \
               multipliers take about 4.5 iterations a step, Baumgarte's about 22, to an accuracy of 1e-4 \
               (1e-6 in the figure's caption), and alike to 1e-5. Baumgarte's do not converge at t = 1.1, \
               where the links are straight; staggered ones do within 30.",
    }],
    judged: Judged::Unprinted,
    found: "The report prints no links, springs, step, alpha or eps: ours are links of 1 m and 1 kg, coils \
            of 1 N m, 10 N, eps = 1e-6 m/N, and step and alpha are searched. With h = 40 ms, alpha h = 0.55, \
            to 1e-6 staggered ones take 3.8 iterations and Baumgarte's 21.7; their ratio to 1e-4, 1e-5 and \
            1e-6 is 0.27, 0.21 and 0.18. With alpha h = 0.6 Baumgarte's fail, and just in steps in which a \
            lock catches: the last at 0.96 s. Those are neighbours of where the iteration diverges. With \
            alpha h = 0.1 and 20 ms Baumgarte's take 4.6 and do not fail: rows of hinges and locks are \
            independent where the links are straight, with a mu of the condition 670. With the tip stopped \
            as well they are dependent: then Baumgarte's fail and staggered ones do not. By the method \
            trapezoidal, whose locks hold in their own way, the same takes 4.4 and 23.0 until 1.1 s. On the \
            double pendulum with h = 10 ms, to 1e-10, staggered ones take 4.5 and Baumgarte's 5.8, and those \
            of a penalty do not converge.",
    condition: None,
    measure: |context| {
        let mut measured = on_the_manipulator()?;
        let (h, accuracy, alpha_h) = HAD;
        let alpha = alpha_h / h;
        let unfolding = (h, (FAILS / h).ceil() as u64);
        for (name, treated, printed, share) in [
            (
                "staggered",
                ("staggered_once_integrated", &[("eps", EPS), ("eps_relative", 0.0)][..]),
                PRINTED[0],
                0.2,
            ),
            ("Baumgarte", ("baumgarte", &[("gamma", 2.0 * alpha), ("beta", alpha * alpha)]), PRINTED[1], 0.1),
        ] {
            let mean = mean_iterations(context, &manipulator(), treated, unfolding, accuracy)?;
            measured.push(
                Measured::new(format!("{name}, the same by the method trapezoidal, until 1.1 s"), mean, "1")
                    .claimed(Criterion::Near(printed, share)),
            );
        }
        let pendulum = double_pendulum();
        let on_pendulum =
            |treated, tolerance| mean_iterations(context, &pendulum, treated, (STEP, STEPS), tolerance);
        let mut curves = Vec::new();
        for treated in [("staggered", &[][..]), ("baumgarte", &[]), ("exact", &[])] {
            let taken = TOLERANCES.map(|tolerance| Ok((tolerance, on_pendulum(treated, tolerance)?)));
            let taken = taken.into_iter().collect::<Result<Vec<_>, Failure>>()?;
            for (tolerance, taken) in &taken {
                let what = format!("double pendulum, {}, to {tolerance:e}", treated.0);
                measured.push(Measured::new(what, *taken, "1"));
            }
            curves.push(Curve::new(treated.0, taken));
        }
        let finest = |curve: &Curve| curve.points.last().map_or(f64::NAN, |(_, taken)| *taken);
        measured.push(
            Measured::new(
                "double pendulum, staggered / Baumgarte, to 1e-10",
                finest(&curves[0]) / finest(&curves[1]),
                "1",
            )
            .found(Criterion::AtMost(0.8)),
        );
        let stiff = on_pendulum(("penalty", &[]), TOLERANCES[2])?;
        measured.push(
            Measured::new("double pendulum, penalty: steps are solved", f64::from(stiff.is_finite()), "1")
                .found(Criterion::AtMost(0.0)),
        );
        Ok(Evidence {
            measured,
            figures: vec![Figure {
                name: "pcd90_iterations",
                title: format!(
                    "To 1e-10 staggered multipliers take {} iterations a step, Baumgarte's {}",
                    significant(finest(&curves[0]), 2),
                    significant(finest(&curves[1]), 2)
                ),
                caption: "Mean iterations a step until nothing moves by more than the tolerance (m or rad); \
                          double pendulum, method trapezoidal, h = 10 ms, 2 s. Staggered: eps = 1e-8, gamma \
                          = 5; Baumgarte: gamma = 10, beta = 25. The set-up is ours."
                    .to_string(),
                x: PlottedQuantity::logarithmic("tolerance", "1"),
                y: PlottedQuantity::new("iterations a step", "1"),
                curves,
                marked: true,
            }],
        })
    },
};
