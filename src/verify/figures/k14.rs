//! K14's figures 1 to 3: the spinning top by E1 and C1.
//!
//! The paper prints no data of the top; these are those of H92 5.2, with J about the tip.

use super::{Context, Failure, ReportFigure};
use crate::describe::Channel;
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::study::yardsticks::fast_top;
use crate::verify::h92::{NUTATION, PRECESSION};
use crate::verify::k14::{Bound, C1, E1, bound};
use crate::verify::measures::nutations;
use crate::verify::{History, Trial};

/// The paper's steps (s).
const STEPS: [f64; 2] = [1e-3, 1e-4];
/// (s)
const END: f64 = 10.0;
/// Of fig. 3 (s), some three nutations.
const BOUND_END: f64 = 2.0;

const fn of(
    id: &'static str,
    number: &'static str,
    shows: &'static str,
    draw: fn(&Context<'_>) -> Result<Vec<Figure>, Failure>,
) -> ReportFigure {
    ReportFigure { id, report: "K14", number, shows, draw }
}

pub const FIGURES: &[ReportFigure] = &[
    of(
        "k14_fig1",
        "fig. 1",
        "Height of the mass centre and energy over the number of steps, E1 and C1.",
        height_and_energy,
    ),
    of(
        "k14_fig2",
        "fig. 2",
        "Relative errors of energy, nutation and precession over the step number, at 1 and 0.1 ms.",
        errors,
    ),
    of(
        "k14_fig3",
        "fig. 3",
        "Estimated change of potential energy and change of total energy in a step, at 1 and 0.1 ms.",
        bounds,
    ),
];

const ABOUT: &str = "The top of H92 5.2, J = (5, 5, 1) kg m² about the tip, m g l = 20 N m, let go at 0.3 rad with a spin of 50 rad/s: \
                     the paper prints no data";

fn step_number() -> PlottedQuantity {
    PlottedQuantity::new("step number", "1")
}

fn run(
    context: &Context<'_>,
    method: &'static str,
    h: f64,
    end: f64,
    apart: f64,
) -> Result<History, Failure> {
    let trial = Trial::new(&fast_top(), method, h, (end / h).round() as u64);
    let channels = [Channel::TILT, Channel::ATTITUDE, Channel::ENERGY, Channel::ENERGY_DRIFT];
    trial.every((apart / h).round() as u64).run(context, &channels)
}

/// Over steps of h (s) in place of time.
fn by_step(curve: impl IntoIterator<Item = (f64, f64)>, h: f64) -> Vec<(f64, f64)> {
    curve.into_iter().map(|(time, value)| ((time / h).round(), value)).collect()
}

fn height_and_energy(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let h = STEPS[0];
    let runs = [("E1", run(context, E1, h, END, h)?), ("C1", run(context, C1, h, END, h)?)];
    let both = |of: &dyn Fn(&History) -> Vec<(f64, f64)>| {
        runs.iter().map(|(label, history)| Curve::new(*label, by_step(of(history), h))).collect()
    };
    // The mass centre is 1 m from the tip.
    let height = |history: &History| {
        history.curve(Channel::TILT, 0).into_iter().map(|(t, tilt)| (t, tilt.cos())).collect()
    };
    let figure = |name, title, what: &str, y, curves| Figure {
        name,
        title,
        caption: format!("{ABOUT}. {what}, h = 1 ms; step and span are ours."),
        x: step_number(),
        y,
        curves,
        marked: false,
    };
    Ok(vec![
        figure(
            "k14_fig1a",
            "K14 fig. 1a: height of the mass centre",
            "Height above the tip, with the distance of the mass centre taken as 1 m",
            PlottedQuantity::new("height", "m"),
            both(&height),
        ),
        figure(
            "k14_fig1b",
            "K14 fig. 1b: energy",
            "Kinetic and potential energy",
            PlottedQuantity::new("energy", "J"),
            both(&|history: &History| history.curve(Channel::ENERGY, 0)),
        ),
    ])
}

fn errors(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let names = [
        ("k14_fig2a", "K14 fig. 2a: relative errors by E1, 1 ms"),
        ("k14_fig2b", "K14 fig. 2b: relative errors by E1, 0.1 ms"),
    ];
    let figure = |((name, title), h): ((&'static str, &'static str), f64)| {
        let history = run(context, E1, h, END, 1e-3)?;
        let energy = history.curve(Channel::ENERGY_DRIFT, 0);
        let energy = energy.into_iter().map(|(time, drift)| (time, drift.abs()));
        let motions = nutations(&history);
        let off = |of: &dyn Fn(f64, f64) -> f64| {
            motions
                .iter()
                .map(|(time, motion)| (*time, of(motion.nutation, motion.precession).abs()))
                .collect::<Vec<_>>()
        };
        Ok(Figure {
            name,
            title,
            caption: format!(
                "{ABOUT}; h = {} ms. Energy: |E - E0| / (T0 + |V0|). Frequencies of nutation and precession: means from the start to each \
                 lowest tilt, against {NUTATION} and {PRECESSION} rad/s of our reference solution.",
                1e3 * h
            ),
            x: step_number(),
            y: PlottedQuantity::logarithmic("relative error", "1"),
            curves: vec![
                Curve::new("energy", by_step(energy, h)),
                Curve::new("nutation", by_step(off(&|nutation, _| nutation / NUTATION - 1.0), h)),
                Curve::new("precession", by_step(off(&|_, precession| precession / PRECESSION - 1.0), h)),
            ],
            marked: false,
        })
    };
    names.into_iter().zip(STEPS).map(figure).collect()
}

fn bounds(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let names = [
        ("k14_fig3a", "K14 fig. 3a: changes of energy in a step by E1, 1 ms"),
        ("k14_fig3b", "K14 fig. 3b: changes of energy in a step by E1, 0.1 ms"),
    ];
    let figure = |((name, title), h): ((&'static str, &'static str), f64)| {
        let steps: Vec<Bound> = bound(context, h, BOUND_END)?;
        let curve = |label, of: &dyn Fn(&Bound) -> f64| {
            Curve::new(
                label,
                steps.iter().enumerate().map(|(k, step)| (k as f64 + 1.0, of(step).abs())).collect(),
            )
        };
        Ok(Figure {
            name,
            title,
            caption: format!(
                "{ABOUT}; h = {} ms. Absolute changes within each step: of the potential energy as (6b.1) estimates it from the step's \
                 start, p brought to norm 1, and of the total energy.",
                1e3 * h
            ),
            x: step_number(),
            y: PlottedQuantity::logarithmic("change in a step", "J"),
            curves: vec![
                curve("estimated potential energy", &|step| step.potential),
                curve("total energy", &|step| step.total),
            ],
            marked: false,
        })
    };
    names.into_iter().zip(STEPS).map(figure).collect()
}
