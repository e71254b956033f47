//! H92's figures 1 to 4 and 6 to 10: the spun-up body and the fast top.
//!
//! Captions name the algorithm and the step, and three components; which quantities the panels show, and over which time, our text of the
//! report does not tell. Figure 5 is a sketch of the top.

use super::{Context, Failure, ReportFigure};
use crate::describe::{Axes, Channel, InertiaAbout, Mechanism};
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::study::yardsticks::{heavy_top, hulbert51};
use crate::verify::measures::largest_so_far;
use crate::verify::{History, Trial};

/// The report's step (s).
const STEP: f64 = 1e-3;
/// Vectors are drawn until here, energies until there (s).
const FIRST: f64 = 20.0;
const LONG: f64 = 1000.0;
/// Between two points of a curve (s).
const APART: f64 = 0.02;

const fn spun_up(id: &'static str, number: &'static str, shows: &'static str, draw: Draw) -> ReportFigure {
    ReportFigure { id, report: "H92", number, shows, draw }
}

type Draw = fn(&Context<'_>) -> Result<Vec<Figure>, Failure>;

pub const FIGURES: &[ReportFigure] = &[
    spun_up(
        "h92_fig1",
        "fig. 1",
        "Unstable motion about the intermediate axis, Simo and Wong, 1 ms.",
        |context| body(context, "simo_wong", ["h92_fig1a", "h92_fig1b", "h92_fig1c"], &TITLES_1),
    ),
    spun_up("h92_fig2", "fig. 2", "The same by the predictor-corrector.", |context| {
        body(context, "predictor_corrector", ["h92_fig2a", "h92_fig2b", "h92_fig2c"], &TITLES_2)
    }),
    spun_up("h92_fig3", "fig. 3", "The same by the staggered conserving algorithm.", |context| {
        body(context, "staggered_conserving", ["h92_fig3a", "h92_fig3b", "h92_fig3c"], &TITLES_3)
    }),
    spun_up("h92_fig4", "fig. 4", "The same by the algorithm of Park, Chiou and Downer.", |context| {
        body(context, "staggered", ["h92_fig4a", "h92_fig4b", "h92_fig4c"], &TITLES_4)
    }),
    spun_up(
        "h92_fig6",
        "fig. 6",
        "Fast top over a short time, staggered conserving (10 ms in the caption, 1 ms in the text).",
        short_top,
    ),
    spun_up(
        "h92_fig7",
        "fig. 7",
        "Fast top over a long time, Simo and Wong, 1 ms: trapezoidal rule above, midpoint rule below.",
        |context| {
            let names = ["h92_fig7a", "h92_fig7b", "h92_fig7c"];
            long_top(context, "simo_wong", names, &TITLES_7)
        },
    ),
    spun_up("h92_fig8", "fig. 8", "The same by the predictor-corrector.", |context| {
        let names = ["h92_fig8a", "h92_fig8b", "h92_fig8c"];
        long_top(context, "predictor_corrector", names, &TITLES_8)
    }),
    spun_up("h92_fig9", "fig. 9", "The same by the staggered conserving algorithm.", |context| {
        let names = ["h92_fig9a", "h92_fig9b", "h92_fig9c"];
        long_top(context, "staggered_conserving", names, &TITLES_9)
    }),
    spun_up(
        "h92_fig10",
        "fig. 10",
        "The same by the algorithm of Park, Chiou and Downer, whose rule is the midpoint's.",
        |context| {
            let run = top(context, "staggered", None, STEP, LONG_TOP, APART)?;
            Ok(vec![
                nutation("h92_fig10a", "H92 fig. 10: nutation, Park-Chiou-Downer, 1 ms", &run, "staggered"),
                top_energy(
                    "h92_fig10b",
                    "H92 fig. 10: energy, Park-Chiou-Downer, 1 ms",
                    &[("midpoint", &run)],
                    "staggered",
                ),
            ])
        },
    ),
];

/// Titles of angular velocity, angular momentum and kinetic energy.
type Titles = [&'static str; 3];

const TITLES_1: Titles = [
    "H92 fig. 1a: angular velocity, Simo-Wong, 1 ms",
    "H92 fig. 1b: angular momentum, Simo-Wong, 1 ms",
    "H92 fig. 1c: kinetic energy, Simo-Wong, 1 ms",
];
const TITLES_2: Titles = [
    "H92 fig. 2a: angular velocity, predictor-corrector, 1 ms",
    "H92 fig. 2b: angular momentum, predictor-corrector, 1 ms",
    "H92 fig. 2c: kinetic energy, predictor-corrector, 1 ms",
];
const TITLES_3: Titles = [
    "H92 fig. 3a: angular velocity, staggered conserving, 1 ms",
    "H92 fig. 3b: angular momentum, staggered conserving, 1 ms",
    "H92 fig. 3c: kinetic energy, staggered conserving, 1 ms",
];
const TITLES_4: Titles = [
    "H92 fig. 4a: angular velocity, Park-Chiou-Downer, 1 ms",
    "H92 fig. 4b: angular momentum, Park-Chiou-Downer, 1 ms",
    "H92 fig. 4c: kinetic energy, Park-Chiou-Downer, 1 ms",
];
/// Titles of the nutation by the trapezoidal rule, by the midpoint rule, and of the energy by both.
const TITLES_7: Titles = [
    "H92 fig. 7a: nutation, Simo-Wong, trapezoidal, 1 ms",
    "H92 fig. 7b: nutation, Simo-Wong, midpoint, 1 ms",
    "H92 fig. 7: energy error, Simo-Wong, 1 ms",
];
const TITLES_8: Titles = [
    "H92 fig. 8a: nutation, predictor-corrector, trapezoidal, 1 ms",
    "H92 fig. 8b: nutation, predictor-corrector, midpoint, 1 ms",
    "H92 fig. 8: energy error, predictor-corrector, 1 ms",
];
const TITLES_9: Titles = [
    "H92 fig. 9a: nutation, staggered conserving, trapezoidal, 1 ms",
    "H92 fig. 9b: nutation, staggered conserving, midpoint, 1 ms",
    "H92 fig. 9: energy error, staggered conserving, 1 ms",
];

fn time() -> PlottedQuantity {
    PlottedQuantity::new("time", "s")
}

/// Three components until `end` (s).
fn components(history: &History, channel: Channel, end: f64) -> Vec<Curve> {
    let of = |k: usize| history.curve(channel, k).into_iter().filter(|(t, _)| *t <= end).collect();
    ["e1", "e2", "e3"].into_iter().enumerate().map(|(k, label)| Curve::new(label, of(k))).collect()
}

/// H92 5.1 by one of the methods.
fn body(
    context: &Context<'_>,
    method: &'static str,
    names: [&'static str; 3],
    titles: &Titles,
) -> Result<Vec<Figure>, Failure> {
    let trial = Trial::new(&hulbert51(STEP, Axes::Space), method, STEP, (LONG / STEP).round() as u64);
    let channels = [Channel::ANGULAR_VELOCITY, Channel::ANGULAR_MOMENTUM, Channel::ENERGY];
    let history = trial.every((APART / STEP).round() as u64).run(context, &channels)?;
    let about = format!(
        "A body, J = (5, 10, 1) kg m², is spun up by 20 N m about e1 until 1.999 s and kicked by 0.2 N m s about e2 within 1 ms; \
         by {method}, h = 1 ms, never restarted. Which quantities the report's panels show is our guess"
    );
    let mut energy = history.curve(Channel::ENERGY, 0);
    energy.retain(|(t, _)| *t >= 2.0);
    let first = energy.first().map_or(f64::NAN, |(_, first)| *first);
    energy.iter_mut().for_each(|(_, energy)| *energy /= first);
    let figure = |k: usize, caption: String, y: PlottedQuantity, curves: Vec<Curve>| Figure {
        name: names[k],
        title: titles[k],
        caption,
        x: time(),
        y,
        curves,
        marked: false,
    };
    Ok(vec![
        figure(
            0,
            format!("{about}. Convected angular velocity, components in body axes."),
            PlottedQuantity::new("angular velocity", "rad/s"),
            components(&history, Channel::ANGULAR_VELOCITY, FIRST),
        ),
        figure(
            1,
            format!("{about}. Angular momentum, components in space axes."),
            PlottedQuantity::new("angular momentum", "kg m²/s"),
            components(&history, Channel::ANGULAR_MOMENTUM, FIRST),
        ),
        figure(
            2,
            format!("{about}. Kinetic energy as a share of that at 2 s, when the last torque has ended."),
            PlottedQuantity::new("kinetic energy / that at 2 s", "1"),
            vec![Curve::new(method, energy)],
        ),
    ])
}

/// How long figures 7 to 10 go on (s).
const LONG_TOP: f64 = 200.0;

/// H92 5.2's top as it is printed: moments of inertia about the mass centre.
fn printed_top() -> Mechanism {
    let half = 0.15f64;
    heavy_top([5.0, 5.0, 1.0], InertiaAbout::MassCentre, [half.cos(), half.sin(), 0.0, 0.0], [0.0, 0.0, 50.0])
}

fn top(
    context: &Context<'_>,
    method: &'static str,
    impulse: Option<&'static str>,
    h: f64,
    end: f64,
    apart: f64,
) -> Result<History, Failure> {
    let trial = Trial::new(&printed_top(), method, h, (end / h).round() as u64);
    let trial = impulse.into_iter().fold(trial, |trial, rule| trial.choosing("impulse", rule));
    let channels = [
        Channel::TILT,
        Channel::ANGULAR_VELOCITY,
        Channel::ANGULAR_MOMENTUM,
        Channel::ENERGY,
        Channel::ENERGY_DRIFT,
    ];
    trial.every((apart / h).round() as u64).run(context, &channels)
}

const ABOUT_TOP: &str = "The fast top as printed, J = (5, 5, 1) kg m² about the mass centre, 1 m above the fixed tip, W = 20 N, \
                         let go at 0.3 rad with a spin of 50 rad/s";

fn short_top(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let end = 2.0;
    let fine = top(context, "staggered_conserving", None, STEP, end, 0.01)?;
    let coarse = top(context, "staggered_conserving", None, 0.01, end, 0.01)?;
    let figure = |name, title, caption: &str, y, curves| Figure {
        name,
        title,
        caption: format!(
            "{ABOUT_TOP}; by staggered_conserving, never restarted. {caption} Quantities and time are our guess."
        ),
        x: time(),
        y,
        curves,
        marked: false,
    };
    let both = |channel: Channel, k: usize| {
        vec![
            Curve::new("h = 1 ms", fine.curve(channel, k)),
            Curve::new("h = 10 ms", coarse.curve(channel, k)),
        ]
    };
    Ok(vec![
        figure(
            "h92_fig6a",
            "H92 fig. 6a: angular momentum, staggered conserving, 1 ms",
            "Components in space axes, h = 1 ms.",
            PlottedQuantity::new("angular momentum", "kg m²/s"),
            components(&fine, Channel::ANGULAR_MOMENTUM, end),
        ),
        figure(
            "h92_fig6b",
            "H92 fig. 6b: nutation, staggered conserving",
            "Angle of the axis from the vertical; 1 ms is the text's step, 10 ms the caption's.",
            PlottedQuantity::new("theta", "rad"),
            both(Channel::TILT, 0),
        ),
        figure(
            "h92_fig6c",
            "H92 fig. 6c: total energy, staggered conserving",
            "Kinetic and potential energy; 1 ms is the text's step, 10 ms the caption's.",
            PlottedQuantity::new("energy", "J"),
            both(Channel::ENERGY, 0),
        ),
    ])
}

fn nutation(name: &'static str, title: &'static str, history: &History, method: &str) -> Figure {
    Figure {
        name,
        title,
        caption: format!(
            "{ABOUT_TOP}; by {method}, h = 1 ms, never restarted. Angle of the axis from the vertical, seen every 20 ms; the time shown \
             is ours."
        ),
        x: time(),
        y: PlottedQuantity::new("theta", "rad"),
        curves: vec![Curve::new(method, history.curve(Channel::TILT, 0))],
        marked: false,
    }
}

fn top_energy(name: &'static str, title: &'static str, runs: &[(&str, &History)], method: &str) -> Figure {
    let curve = |history: &History| largest_so_far(&history.curve(Channel::ENERGY_DRIFT, 0));
    Figure {
        name,
        title,
        caption: format!(
            "{ABOUT_TOP}; by {method}, h = 1 ms, never restarted. Largest |E - E0| / (T0 + |V0|) so far: what the nutation does not show \
             at this scale."
        ),
        x: time(),
        y: PlottedQuantity::logarithmic("energy error so far", "1"),
        curves: runs.iter().map(|(rule, history)| Curve::new(*rule, curve(history))).collect(),
        marked: false,
    }
}

fn long_top(
    context: &Context<'_>,
    method: &'static str,
    names: [&'static str; 3],
    titles: &Titles,
) -> Result<Vec<Figure>, Failure> {
    let run = |rule| top(context, method, Some(rule), STEP, LONG_TOP, APART);
    let (trapezoidal, midpoint) = (run("trapezoidal")?, run("midpoint")?);
    let rules = [("trapezoidal", &trapezoidal), ("midpoint", &midpoint)];
    Ok(vec![
        nutation(names[0], titles[0], &trapezoidal, method),
        nutation(names[1], titles[1], &midpoint, method),
        top_energy(names[2], titles[2], &rules, method),
    ])
}
