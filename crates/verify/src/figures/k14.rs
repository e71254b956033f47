//! K14's figures. The paper prints no data of its top: ours are those of H92's.

use rayon::prelude::*;

use super::ReportFigure;
use crate::energy_bound::{StepChange, step_changes};
use crate::h92::{NUTATION, PRECESSION};
use crate::measures::top_motion;
use crate::{Context, Failure, Trial};
use polhode::math::quaternion::to_space;
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::fast_top;

pub const FIGURES: &[ReportFigure] = &[
    ReportFigure {
        id: "k14_fig1",
        report: "K14",
        number: "fig. 1",
        shows: "Height of the top's mass centre and its energy over the number of steps, by C1 and E1.",
        draw: height_and_energy,
    },
    ReportFigure {
        id: "k14_fig2",
        report: "K14",
        number: "fig. 2",
        shows: "Relative errors of energy, nutation and precession over the number of steps, at 1 ms and 0.1 \
                ms.",
        draw: relative_errors,
    },
    ReportFigure {
        id: "k14_fig3",
        report: "K14",
        number: "fig. 3",
        shows: "Estimated change of potential energy and actual change of total energy in a step, at 1 ms \
                and 0.1 ms.",
        draw: changes_in_a_step,
    },
];

const E1: &str = "newmark_euler_parameters";
const C1: &str = "newmark_rotation_vector";

/// Data of the top, for captions.
const TOP: &str = "top of H92, for the paper prints none: J = (5, 5, 1) kg m² about the tip, mass centre 1 m \
                   from it, m g l = 20 N m, released at 0.3 rad with a spin of 50 rad/s";

/// Duration of all figures (s): some 14 nutations.
const END: f64 = 10.0;

fn steps() -> PlottedQuantity {
    PlottedQuantity::new("number of steps", "1")
}

fn height_and_energy(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let (h, channels) = (0.001, [channels::ATTITUDE, channels::ENERGY]);
    let run = |method: &&'static str| {
        Trial::new(&fast_top(), method, h, (END / h).round() as u64).every(5).run(context, &channels)
    };
    let runs = [C1, E1].par_iter().map(run).collect::<Result<Vec<_>, Failure>>()?;
    let labelled = || ["C1", "E1"].into_iter().zip(&runs);
    let height = labelled().map(|(label, history)| {
        let at = |i: usize| (history.times[i] / h, to_space(history.attitude(i), [0.0, 0.0, 1.0])[2]);
        Curve::new(label, (0..=history.last()).map(at).collect())
    });
    let energy = labelled().map(|(label, history)| {
        let curve = history.curve(channels::ENERGY, 0);
        Curve::new(label, curve.into_iter().map(|(time, energy)| (time / h, energy)).collect())
    });
    Ok(vec![
        Figure {
            name: "k14_fig1a",
            title: "K14 fig. 1a: height of the mass centre".to_string(),
            caption: format!(
                "Height of the mass centre above the tip by C1 and E1, h = 1 ms (the paper's figure names no \
                 step); {TOP}."
            ),
            x: steps(),
            y: PlottedQuantity::new("height", "m"),
            curves: height.collect(),
            marked: false,
        },
        Figure {
            name: "k14_fig1b",
            title: "K14 fig. 1b: total energy".to_string(),
            caption: format!(
                "Kinetic and potential energy together by C1 and E1, h = 1 ms (the paper's figure names no \
                 step); {TOP}."
            ),
            x: steps(),
            y: PlottedQuantity::new("energy", "J"),
            curves: energy.collect(),
            marked: false,
        },
    ])
}

fn relative_errors(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let panels = [
        ("k14_fig2a", "K14 fig. 2a: relative errors, 1 ms", 0.001, 4u64),
        ("k14_fig2b", "K14 fig. 2b: relative errors, 0.1 ms", 0.0001, 40),
    ];
    let panel = |(name, title, h, every): (&'static str, &'static str, f64, u64)| {
        let channels = [channels::TILT, channels::ATTITUDE, channels::ENERGY];
        let trial = Trial::new(&fast_top(), E1, h, (END / h).round() as u64);
        let history = trial.every(every).run(context, &channels)?;
        let energy = history.curve(channels::ENERGY, 0);
        let first = energy.first().map_or(f64::NAN, |(_, energy)| *energy);
        let energy = energy.into_iter().map(|(time, energy)| (time / h, (energy / first - 1.0).abs()));
        let period = std::f64::consts::TAU / NUTATION;
        // The k-th lowest point has passed a little after k periods.
        let counts = 2..=(END / period - 0.1) as u32;
        let (mut nutation, mut precession) = (Vec::new(), Vec::new());
        for count in counts {
            let so_far = history.until((f64::from(count) + 0.1) * period);
            let motion = top_motion(&so_far).ok_or(Failure::Missing("two nutations"))?;
            let step = f64::from(count) * period / h;
            nutation.push((step, (motion.nutation / NUTATION - 1.0).abs()));
            precession.push((step, (motion.precession / PRECESSION - 1.0).abs()));
        }
        Ok(Figure {
            name,
            title: title.to_string(),
            caption: format!(
                "Size of the relative errors by E1: of the total energy against its start, and of the \
                 frequencies of nutation and precession, each averaged over all nutations completed so far, \
                 against {NUTATION} and {PRECESSION:.7} rad/s, which are ours; {TOP}. A share below 1e-15 is \
                 left out."
            ),
            x: steps(),
            y: PlottedQuantity::logarithmic("relative error", "1"),
            curves: vec![
                Curve::new("energy", energy.filter(|(_, error)| *error > 1e-15).collect()),
                Curve::new("nutation", nutation),
                Curve::new("precession", precession),
            ],
            marked: false,
        })
    };
    panels.into_par_iter().map(panel).collect()
}

fn changes_in_a_step(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let panels = [
        (
            ["k14_fig3a", "k14_fig3a_size"],
            ["K14 fig. 3a: changes in a step, 1 ms", "K14 fig. 3a: their sizes, 1 ms"],
            0.001,
        ),
        (
            ["k14_fig3b", "k14_fig3b_size"],
            ["K14 fig. 3b: changes in a step, 0.1 ms", "K14 fig. 3b: their sizes, 0.1 ms"],
            0.0001,
        ),
    ];
    let mut figures = Vec::new();
    for (names, titles, h) in panels {
        // Three nutations: of more, no single step can be told apart.
        let changes = step_changes(context, E1, h, (2.0 / h).round() as u64)?;
        let curve = |label: &str, measure: &dyn Fn(&StepChange) -> f64| {
            let points = changes.iter().enumerate().map(|(step, change)| (step as f64, measure(change)));
            Curve::new(label, points.collect())
        };
        let about = format!(
            "change of the potential energy over one step, estimated by (6b.1) from the Euler parameters and \
             their derivatives at the step's start, and actual change of the total energy in that step, by \
             E1; {TOP}"
        );
        figures.push(Figure {
            name: names[0],
            title: titles[0].to_string(),
            caption: format!("With their signs: {about}."),
            x: steps(),
            y: PlottedQuantity::new("change in a step", "J"),
            curves: vec![
                curve("potential, estimated", &|change| change.potential),
                curve("total, actual", &|change| change.total),
            ],
            marked: false,
        });
        figures.push(Figure {
            name: names[1],
            title: titles[1].to_string(),
            caption: format!(
                "Ours beside the paper's figure, sizes on a logarithmic axis, with the kinetic energy \
                 estimated likewise: {about}."
            ),
            x: steps(),
            y: PlottedQuantity::logarithmic("size of the change in a step", "J"),
            curves: vec![
                curve("potential, estimated", &|change| change.potential.abs()),
                curve("kinetic, estimated", &|change| change.kinetic.abs()),
                curve("total, actual", &|change| change.total.abs()),
            ],
            marked: false,
        });
    }
    Ok(figures)
}
