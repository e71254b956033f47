//! H92's figures. Their text names the algorithm, the step and the components e1, e2, e3, and not
//! which quantity a panel shows: that choice is ours.

use rayon::prelude::*;

use super::ReportFigure;
use crate::measures::largest_so_far;
use crate::weak_instability::top_about_mass_centre;
use crate::{Context, Failure, History, Trial};
use polhode::describe::{Axes, Channel, Mechanism};
use polhode::math::quaternion::to_space;
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::{fast_top, hulbert51};

pub const FIGURES: &[ReportFigure] = &[
    ReportFigure {
        id: "h92_fig1",
        report: "H92",
        number: "fig. 1",
        shows: "The body that is spun up about its intermediate axis, by Simo and Wong's step of 1 ms.",
        draw: |context| {
            let panels = [
                ("h92_fig1a", "H92 fig. 1a: angular velocity"),
                ("h92_fig1b", "H92 fig. 1b: angular momentum"),
                ("h92_fig1c", "H92 fig. 1c: kinetic energy"),
            ];
            Ok(spun_up(context, "simo_wong", "mean", "Simo and Wong's step", panels)?.into())
        },
    },
    ReportFigure {
        id: "h92_fig2",
        report: "H92",
        number: "fig. 2",
        shows: "The body that is spun up about its intermediate axis, by the predictor-corrector at 1 ms.",
        draw: |context| {
            let panels = [
                ("h92_fig2a", "H92 fig. 2a: angular velocity"),
                ("h92_fig2b", "H92 fig. 2b: angular momentum"),
                ("h92_fig2c", "H92 fig. 2c: kinetic energy"),
            ];
            Ok(spun_up(context, "predictor_corrector", "mean", "the predictor-corrector", panels)?.into())
        },
    },
    ReportFigure {
        id: "h92_fig3",
        report: "H92",
        number: "fig. 3",
        shows: "The body that is spun up about its intermediate axis, by the staggered conserving step of 1 \
                ms.",
        draw: |context| {
            let panels = [
                ("h92_fig3a", "H92 fig. 3a: angular velocity"),
                ("h92_fig3b", "H92 fig. 3b: angular momentum"),
                ("h92_fig3c", "H92 fig. 3c: kinetic energy"),
            ];
            Ok(spun_up(context, "staggered_conserving", "mean", "the staggered conserving step", panels)?
                .into())
        },
    },
    ReportFigure {
        id: "h92_fig4",
        report: "H92",
        number: "fig. 4",
        shows: "The body that is spun up about its intermediate axis, by PCD90's step of 1 ms.",
        draw: |context| {
            let panels = [
                ("h92_fig4a", "H92 fig. 4a: angular velocity"),
                ("h92_fig4b", "H92 fig. 4b: angular momentum"),
                ("h92_fig4c", "H92 fig. 4c: kinetic energy"),
            ];
            let [.., mean] = spun_up(
                context,
                "staggered",
                "mean",
                "PCD90's step with mean torques (ours)",
                [panels[0], panels[1], ("h92_fig4c_mean", "H92 fig. 4c by mean torques, ours")],
            )?;
            let printed = "PCD90's step with torques at the instant of each level (loads = \"instant\")";
            let [velocity, momentum, energy] = spun_up(context, "staggered", "instant", printed, panels)?;
            Ok(vec![velocity, momentum, energy, mean])
        },
    },
    ReportFigure {
        id: "h92_fig6",
        report: "H92",
        number: "fig. 6",
        shows: "The fast top over a short time by the staggered conserving step, of 10 ms in the caption and \
                of 1 ms in the text.",
        draw: short_time,
    },
    ReportFigure {
        id: "h92_fig7",
        report: "H92",
        number: "fig. 7",
        shows: "The fast top over a long time by Simo and Wong's step of 1 ms, trapezoidal rule above, \
                midpoint rule below.",
        draw: |context| {
            let panels = [
                ("h92_fig7a", "H92 fig. 7a: nutation, trapezoidal"),
                ("h92_fig7b", "H92 fig. 7b: nutation, midpoint"),
                ("h92_fig7a_10ms", "H92 fig. 7a at 10 ms, ours"),
                ("h92_fig7b_10ms", "H92 fig. 7b at 10 ms, ours"),
                ("h92_fig7a_centre", "H92 fig. 7a: J about the mass centre"),
                ("h92_fig7b_centre", "H92 fig. 7b: J about the mass centre"),
                ("h92_fig7_energy", "H92 fig. 7, ours beside it: energy"),
            ];
            both_rules(context, "simo_wong", "Simo and Wong's step", panels)
        },
    },
    ReportFigure {
        id: "h92_fig8",
        report: "H92",
        number: "fig. 8",
        shows: "The fast top over a long time by the predictor-corrector at 1 ms, trapezoidal rule above, \
                midpoint rule below.",
        draw: |context| {
            let panels = [
                ("h92_fig8a", "H92 fig. 8a: nutation, trapezoidal"),
                ("h92_fig8b", "H92 fig. 8b: nutation, midpoint"),
                ("h92_fig8a_10ms", "H92 fig. 8a at 10 ms, ours"),
                ("h92_fig8b_10ms", "H92 fig. 8b at 10 ms, ours"),
                ("h92_fig8a_centre", "H92 fig. 8a: J about the mass centre"),
                ("h92_fig8b_centre", "H92 fig. 8b: J about the mass centre"),
                ("h92_fig8_energy", "H92 fig. 8, ours beside it: energy"),
            ];
            both_rules(context, "predictor_corrector", "the predictor-corrector", panels)
        },
    },
    ReportFigure {
        id: "h92_fig9",
        report: "H92",
        number: "fig. 9",
        shows: "The fast top over a long time by the staggered conserving step of 1 ms, trapezoidal rule \
                above, midpoint rule below.",
        draw: |context| {
            let panels = [
                ("h92_fig9a", "H92 fig. 9a: nutation, trapezoidal"),
                ("h92_fig9b", "H92 fig. 9b: nutation, midpoint"),
                ("h92_fig9a_10ms", "H92 fig. 9a at 10 ms, ours"),
                ("h92_fig9b_10ms", "H92 fig. 9b at 10 ms, ours"),
                ("h92_fig9a_centre", "H92 fig. 9a: J about the mass centre"),
                ("h92_fig9b_centre", "H92 fig. 9b: J about the mass centre"),
                ("h92_fig9_energy", "H92 fig. 9, ours beside it: energy"),
            ];
            both_rules(context, "staggered_conserving", "the staggered conserving step", panels)
        },
    },
    ReportFigure {
        id: "h92_fig10",
        report: "H92",
        number: "fig. 10",
        shows: "The fast top over a long time by PCD90's step of 1 ms.",
        draw: |context| {
            let end = long_time(context);
            let history = long_top(context, &fast_top(), "staggered", None, STEP, end)?;
            let centre = long_top(context, &top_about_mass_centre(), "staggered", None, STEP, end)?;
            let about = |top: &str| format!("PCD90's step, {top}, h = 1 ms, no restarts, {end:.0} s.");
            let (about, about_centre) = (about(TOP), about(TOP_ABOUT_CENTRE));
            Ok(vec![
                nutation("h92_fig10", "H92 fig. 10: nutation", &about, &history),
                nutation("h92_fig10_centre", "H92 fig. 10: J about the mass centre", &about_centre, &centre),
                energy_error(
                    "h92_fig10_energy",
                    "H92 fig. 10, ours beside it: energy",
                    &about,
                    &[("midpoint", &history)],
                ),
            ])
        },
    },
];

/// The step of the figures (s).
const STEP: f64 = 0.001;

/// Data of the top, for captions.
const TOP: &str = "H92's top with J = (5, 5, 1) kg m² taken about the tip (the report says: about the mass \
                   centre), weight times length 20 N m, released at 0.3 rad with a spin of 50 rad/s";

const TOP_ABOUT_CENTRE: &str = "H92's top with J = (5, 5, 1) kg m² about the mass centre, as the report \
                                says, 1 m from the tip, weight times length 20 N m with g = 9.81 m/s² \
                                (ours), released at 0.3 rad with a spin of 50 rad/s";

/// Why a panel shows what it shows, for captions.
const OUR_CHOICE: &str = "The report's text does not name the quantity of a panel: the choice is ours.";

/// The unit vectors of the report's components.
const COMPONENTS: [&str; 3] = ["e1", "e2", "e3"];

/// A curve for each component of a channel.
fn components(history: &History, channel: Channel, until: f64) -> Vec<Curve> {
    let shown = |k: usize| {
        let curve = history.curve(channel, k).into_iter().filter(|(time, _)| *time <= until);
        Curve::new(COMPONENTS[k], curve.collect())
    };
    (0..3).map(shown).collect()
}

/// Panels of figures 1 to 4: W in body axes, the momentum in space axes, the kinetic energy against
/// that at 2 s, when the torques end.
fn spun_up(
    context: &Context<'_>,
    method: &'static str,
    loads: &'static str,
    label: &str,
    [velocity, momentum, energy]: [(&'static str, &'static str); 3],
) -> Result<[Figure; 3], Failure> {
    // Over 20 s the body turns over several times; the growth of energy needs longer.
    let (shown, end) = (20.0, 100.0);
    let channels = [channels::ANGULAR_VELOCITY, channels::ANGULAR_MOMENTUM, channels::ENERGY];
    let body = hulbert51(STEP, Axes::Space);
    let trial = Trial::new(&body, method, STEP, (end / STEP).round() as u64).choosing("loads", loads);
    let history = trial.every(10).run(context, &channels)?;
    let mut free = history.curve(channels::ENERGY, 0);
    // No torque acts from 2 s on.
    free.retain(|(time, _)| *time >= 2.0);
    let first = free.first().map_or(f64::NAN, |(_, energy)| *energy);
    free.iter_mut().for_each(|(_, energy)| *energy = *energy / first - 1.0);
    let about = format!(
        "by {label}, h = 1 ms: J = (5, 10, 1) kg m², 20 N m about e1 until 2 s - h, then 0.2 N m s about e2 \
         of space within one step, then free. {OUR_CHOICE}"
    );
    let time = PlottedQuantity::new("time", "s");
    Ok([
        Figure {
            name: velocity.0,
            title: velocity.1.to_string(),
            caption: format!("Convected angular velocity, that is in body axes, {about}"),
            x: time.clone(),
            y: PlottedQuantity::new("angular velocity", "rad/s"),
            curves: components(&history, channels::ANGULAR_VELOCITY, shown),
            marked: false,
        },
        Figure {
            name: momentum.0,
            title: momentum.1.to_string(),
            caption: format!("Spatial angular momentum, {about}"),
            x: time.clone(),
            y: PlottedQuantity::new("angular momentum", "N m s"),
            curves: components(&history, channels::ANGULAR_MOMENTUM, shown),
            marked: false,
        },
        Figure {
            name: energy.0,
            title: energy.1.to_string(),
            caption: format!("Kinetic energy T after the torques have ended, as T/T(2 s) - 1, {about}"),
            x: time.clone(),
            y: PlottedQuantity::new("change of kinetic energy", "1"),
            curves: vec![Curve::new("kinetic energy", free)],
            marked: false,
        },
    ])
}

/// Panels of figure 6, with the caption's step and the text's.
fn short_time(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let channels = [channels::ATTITUDE, channels::ANGULAR_VELOCITY, channels::ANGULAR_MOMENTUM];
    let run = |h: f64| {
        let trial = Trial::new(&fast_top(), "staggered_conserving", h, (2.0 / h).round() as u64);
        trial.every((0.01 / h).round() as u64).run(context, &channels)
    };
    let (fine, coarse) = (run(0.001)?, run(0.01)?);
    let about = format!(
        "staggered conserving step, {TOP}; lines: h = 10 ms, as the caption of the report says; pale: h = 1 \
         ms, as its text says. {OUR_CHOICE}"
    );
    let panel = |name, title: &str, what: &str, y, vector: &dyn Fn(&History, usize) -> [f64; 3]| {
        let curve = |history: &History, k: usize| {
            (0..=history.last()).map(|i| (history.times[i], vector(history, i)[k])).collect::<Vec<_>>()
        };
        let beneath = (0..3).map(|k| Curve::beneath(format!("{}, 1 ms", COMPONENTS[k]), curve(&fine, k)));
        let above = (0..3).map(|k| Curve::new(format!("{}, 10 ms", COMPONENTS[k]), curve(&coarse, k)));
        let curves = beneath.chain(above).collect();
        let x = PlottedQuantity::new("time", "s");
        Figure {
            name,
            title: title.to_string(),
            caption: format!("{what}, {about}"),
            x,
            y,
            curves,
            marked: false,
        }
    };
    let length = PlottedQuantity::new("position", "m");
    let momentum = PlottedQuantity::new("angular momentum", "N m s");
    let velocity = PlottedQuantity::new("angular velocity", "rad/s");
    Ok(vec![
        panel(
            "h92_fig6a",
            "H92 fig. 6a: mass centre",
            "Mass centre, 1 m from the tip",
            length,
            &|history, i| to_space(history.attitude(i), [0.0, 0.0, 1.0]),
        ),
        panel(
            "h92_fig6b",
            "H92 fig. 6b: angular momentum",
            "Spatial angular momentum about the tip",
            momentum,
            &|history, i| {
                std::array::from_fn(|k| {
                    history.series(channels::ANGULAR_MOMENTUM, k, 0).get(i).copied().unwrap_or(f64::NAN)
                })
            },
        ),
        panel(
            "h92_fig6c",
            "H92 fig. 6c: angular velocity",
            "Spatial angular velocity",
            velocity,
            &|history, i| to_space(history.attitude(i), history.angular_velocity(i)),
        ),
    ])
}

/// Returns the end of the long runs (s). The report does not say what figures 7 to 10 show. With
/// 1 ms the energy changes so slowly that nothing can be seen earlier.
fn long_time(context: &Context<'_>) -> f64 {
    if context.long { 10_000.0 } else { 1000.0 }
}

/// The fast top over a long time.
fn long_top(
    context: &Context<'_>,
    top: &Mechanism,
    method: &'static str,
    impulse: Option<&'static str>,
    h: f64,
    end: f64,
) -> Result<History, Failure> {
    let trial = Trial::new(top, method, h, (end / h).round() as u64);
    let trial = if let Some(rule) = impulse { trial.choosing("impulse", rule) } else { trial };
    // Some 16 snapshots in a nutation of 0.68 s, in steps that are no part of it.
    trial.every((0.043 / h).round() as u64).run(context, &[channels::TILT, channels::ENERGY_DRIFT])
}

fn nutation(name: &'static str, title: &'static str, about: &str, history: &History) -> Figure {
    Figure {
        name,
        title: title.to_string(),
        caption: format!(
            "Angle of the axis from the vertical, the nutation angle of the report's text, {about} A \
             nutation lasts 0.68 s with J about the tip, 1 s with J about the mass centre: the band is what \
             the curve fills, from its lowest to its highest values."
        ),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::new("nutation angle", "rad"),
        curves: vec![Curve::new("theta", history.curve(channels::TILT, 0))],
        marked: false,
    }
}

fn energy_error(
    name: &'static str,
    title: &'static str,
    about: &str,
    histories: &[(&str, &History)],
) -> Figure {
    let curves = histories.iter().map(|(label, history)| {
        Curve::new(*label, largest_so_far(&history.curve(channels::ENERGY_DRIFT, 0)))
    });
    Figure {
        name,
        title: title.to_string(),
        caption: format!("Largest |E - E0| / (T0 + |V0|) so far, {about} The report has no such panel."),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::logarithmic("energy error so far", "1"),
        curves: curves.collect(),
        marked: false,
    }
}

/// Panels of figures 7 to 9. At 1 ms the weak instabilities cannot be seen in the nutation angle,
/// so that the same is shown at 10 ms, the step in figure 6's caption.
fn both_rules(
    context: &Context<'_>,
    method: &'static str,
    label: &str,
    panels: [(&'static str, &'static str); 7],
) -> Result<Vec<Figure>, Failure> {
    let [above, below, above_coarse, below_coarse, above_centre, below_centre, energy] = panels;
    let (rules, coarse) = (["trapezoidal", "midpoint"], 0.01);
    let run = |top: &Mechanism, h: f64, end: f64| {
        let runs = rules.par_iter().map(|rule| long_top(context, top, method, Some(rule), h, end));
        runs.collect::<Result<Vec<_>, Failure>>()
    };
    let (fine_end, coarse_end) = (long_time(context), 200.0);
    let (fine_runs, coarse_runs) = (run(&fast_top(), STEP, fine_end)?, run(&fast_top(), coarse, coarse_end)?);
    let centre_runs = run(&top_about_mass_centre(), STEP, fine_end)?;
    let about =
        |top: &str, h: f64, end: f64| format!("{label}, {top}, h = {} ms, no restarts, {end:.0} s.", 1e3 * h);
    let (fine_about, coarse_about) = (about(TOP, STEP, fine_end), about(TOP, coarse, coarse_end));
    let centre_about = about(TOP_ABOUT_CENTRE, STEP, fine_end);
    let panel = |rule: usize, (name, title), about: &str, runs: &[History]| {
        nutation(name, title, &format!("{} rule, {about}", rules[rule]), &runs[rule])
    };
    let pairs = [(rules[0], &fine_runs[0]), (rules[1], &fine_runs[1])];
    Ok(vec![
        panel(0, above, &fine_about, &fine_runs),
        panel(1, below, &fine_about, &fine_runs),
        panel(0, above_coarse, &coarse_about, &coarse_runs),
        panel(1, below_coarse, &coarse_about, &coarse_runs),
        panel(0, above_centre, &centre_about, &centre_runs),
        panel(1, below_centre, &centre_about, &centre_runs),
        energy_error(energy.0, energy.1, &fine_about, &pairs),
    ])
}
