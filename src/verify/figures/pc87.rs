//! PC87's figures 2 to 11: the bowling ball on its wave.
//!
//! The report prints neither spans nor scales in its text: all curves here are over 20 s. Lengths are in radii a, in which the track
//! is y = sin x.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::{Context, Failure, ReportFigure};
use crate::describe::Channel;
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::study::yardsticks::rolling_ball;
use crate::verify::pc87::{OFFSETS, RADIUS};
use crate::verify::{History, Trial};

/// A way to compute the ball.
#[derive(Clone, Copy)]
struct Way {
    method: &'static str,
    /// `None`: the default one with its default settings.
    treatment: Option<&'static str>,
    /// (s)
    step: f64,
    /// Steps between restarts of the two chains of `staggered`; 0: never.
    resynchronise: u64,
}

/// By which the curves are computed: PC87's own method, with the weights that polhode gives its multipliers. With multipliers that return
/// nothing of what has drifted the ball with r0 = 0.15 a leaves its track after some 5 to 12 s.
const DRAWN_BY: Way = Way { method: "midpoint", treatment: None, step: 0.001, resynchronise: 0 };
/// By which they are judged.
const JUDGED_BY: Way = Way { method: "dop853", treatment: Some("exact"), step: 0.005, resynchronise: 0 };
/// (s)
const END: f64 = 20.0;
/// Between two points of a curve (s).
const APART: f64 = 0.02;
/// The contacts of the ball, in the order of its mechanism.
const FLOOR: usize = 0;
const TRACK: usize = 1;

pub const FIGURES: &[ReportFigure] = &[
    ReportFigure {
        id: "pc87_fig2",
        report: "PC87",
        number: "fig. 2",
        shows: "Track of the ball on the floor, no offset.",
        draw: |context| track(context, &[("no offset", 0.0)], &NAMES_2),
    },
    ReportFigure {
        id: "pc87_fig3",
        report: "PC87",
        number: "fig. 3",
        shows: "Angular velocities, no offset.",
        draw: |context| {
            let title = "PC87 fig. 3: angular velocities, no offset";
            Ok(vec![angular_velocities(context, "pc87_fig3", title, 0.0)?])
        },
    },
    ReportFigure {
        id: "pc87_fig4",
        report: "PC87",
        number: "fig. 4",
        shows: "Three constraint forces, no offset.",
        draw: |context| {
            let title = "PC87 fig. 4: constraint forces, no offset";
            Ok(vec![constraint_forces(context, "pc87_fig4", title, 0.0)?])
        },
    },
    ReportFigure {
        id: "pc87_fig5",
        report: "PC87",
        number: "fig. 5",
        shows: "Track on the ball, x-z plane.",
        draw: |context| view(context, "pc87_fig5", "PC87 fig. 5: track on the ball, x-z plane", [0, 2]),
    },
    ReportFigure {
        id: "pc87_fig6",
        report: "PC87",
        number: "fig. 6",
        shows: "Track on the ball, y-z plane.",
        draw: |context| view(context, "pc87_fig6", "PC87 fig. 6: track on the ball, y-z plane", [1, 2]),
    },
    ReportFigure {
        id: "pc87_fig7",
        report: "PC87",
        number: "fig. 7",
        shows: "Track on the ball, x-y plane.",
        draw: |context| view(context, "pc87_fig7", "PC87 fig. 7: track on the ball, x-y plane", [0, 1]),
    },
    ReportFigure {
        id: "pc87_fig8",
        report: "PC87",
        number: "fig. 8",
        shows: "Track on the ball in space.",
        draw: oblique,
    },
    ReportFigure {
        id: "pc87_fig9",
        report: "PC87",
        number: "fig. 9",
        shows: "Track of the ball on the floor, with offset.",
        draw: |context| track(context, &OFFSETS, &NAMES_9),
    },
    ReportFigure {
        id: "pc87_fig10",
        report: "PC87",
        number: "fig. 10",
        shows: "Angular velocities, with offset.",
        draw: |context| {
            let [(_, table), (_, text)] = OFFSETS;
            let titles = [
                "PC87 fig. 10: angular velocities, r0 = 0.15 a",
                "PC87 fig. 10: angular velocities, r0 = 0.15 cm of table 1",
            ];
            Ok(vec![
                angular_velocities(context, "pc87_fig10a", titles[0], text)?,
                angular_velocities(context, "pc87_fig10b", titles[1], table)?,
            ])
        },
    },
    ReportFigure {
        id: "pc87_fig11",
        report: "PC87",
        number: "fig. 11",
        shows: "Three constraint forces, with offset.",
        draw: |context| {
            let [(_, table), (_, text)] = OFFSETS;
            let titles = [
                "PC87 fig. 11: constraint forces, r0 = 0.15 a",
                "PC87 fig. 11: constraint forces, r0 = 0.15 cm of table 1",
            ];
            Ok(vec![
                constraint_forces(context, "pc87_fig11a", titles[0], text)?,
                constraint_forces(context, "pc87_fig11b", titles[1], table)?,
            ])
        },
    },
];

/// Names and titles of the three panels of a track.
type Panels = [(&'static str, &'static str); 3];

const NAMES_2: Panels = [
    ("pc87_fig2a", "PC87 fig. 2: track on the floor, no offset"),
    ("pc87_fig2b", "PC87 fig. 2: x of the track over time, no offset"),
    ("pc87_fig2c", "PC87 fig. 2: y of the track over time, no offset"),
];
const NAMES_9: Panels = [
    ("pc87_fig9a", "PC87 fig. 9: track on the floor, with offset"),
    ("pc87_fig9b", "PC87 fig. 9: x of the track over time, with offset"),
    ("pc87_fig9c", "PC87 fig. 9: y of the track over time, with offset"),
];

/// A motion of the ball.
struct Drawn {
    history: History,
    /// The largest distance (a) of its track from the one that judges it.
    off: f64,
    /// The largest difference of forces from those, as a share of the largest force of the track.
    force_off: f64,
}

impl Drawn {
    fn of(context: &Context<'_>, r0: f64) -> Result<Drawn, Failure> {
        let run = |way: Way| {
            let steps = |time: f64| (time / way.step).round() as u64;
            let trial = Trial::new(&rolling_ball(r0), way.method, way.step, steps(END));
            let trial = trial.resynchronised(way.resynchronise);
            let trial = match way.treatment {
                None => trial,
                Some(treatment) => trial.held_by(treatment, &[]),
            };
            let channels = [
                Channel::POSITION,
                Channel::ANGULAR_VELOCITY,
                Channel::CONTACT_FORCE,
                Channel::CONTACT_POINT,
            ];
            trial.every(steps(APART)).run(context, &channels)
        };
        let (history, judge) = (run(DRAWN_BY)?, run(JUDGED_BY)?);
        let apart = |channel: Channel, owner: usize, axis: usize| {
            let (a, b) = (history.curve_of(channel, owner, axis), judge.curve_of(channel, owner, axis));
            a.into_iter().zip(b).map(|((_, a), (_, b))| (a - b).abs()).fold(0.0, f64::max)
        };
        let off =
            [0, 1].map(|axis| apart(Channel::POSITION, 0, axis) / RADIUS).into_iter().fold(0.0, f64::max);
        let both = [FLOOR, TRACK].into_iter().flat_map(|contact| [0, 1].map(|axis| (contact, axis)));
        let force =
            both.map(|(contact, axis)| apart(Channel::CONTACT_FORCE, contact, axis)).fold(0.0, f64::max);
        let track = judge.curve_of(Channel::CONTACT_FORCE, TRACK, 1);
        let largest = track.iter().map(|(_, force)| force.abs()).fold(0.0, f64::max);
        Ok(Drawn { history, off, force_off: force / largest })
    }

    /// A component of the body's origin over time (a).
    fn position(&self, axis: usize) -> Vec<(f64, f64)> {
        scaled(self.history.curve(Channel::POSITION, axis), 1.0 / RADIUS)
    }

    /// A component of where the ball is touched, over time (a).
    fn touched(&self, axis: usize) -> Vec<(f64, f64)> {
        scaled(self.history.curve_of(Channel::CONTACT_POINT, FLOOR, axis), 1.0 / RADIUS)
    }

    /// PC87's multipliers (N).
    fn multiplier(&self, k: usize) -> Vec<(f64, f64)> {
        match k {
            // Forces are -B^T lam in (2.1); its third row is f' xdot - ydot.
            0 | 1 => scaled(self.history.curve_of(Channel::CONTACT_FORCE, FLOOR, k), -1.0),
            _ => self.history.curve_of(Channel::CONTACT_FORCE, TRACK, 1),
        }
    }
}

fn scaled(mut curve: Vec<(f64, f64)>, by: f64) -> Vec<(f64, f64)> {
    curve.iter_mut().for_each(|(_, value)| *value *= by);
    curve
}

/// The second against the first.
fn against(x: Vec<(f64, f64)>, y: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    x.into_iter().zip(y).map(|((_, x), (_, y))| (x, y)).collect()
}

/// By what curves were computed, how far that is from the judge, and which data are ours.
fn how<'a>(drawn: impl IntoIterator<Item = &'a Drawn>) -> String {
    let Way { method, treatment, step, resynchronise } = DRAWN_BY;
    let (mut off, mut force_off) = (0.0f64, 0.0f64);
    for drawn in drawn {
        (off, force_off) = (off.max(drawn.off), force_off.max(drawn.force_off));
    }
    let restarts =
        if resynchronise > 0 { format!(", restarts every {resynchronise} steps") } else { String::new() };
    format!(
        "By {method}, multipliers {}, h = {} ms{restarts}; {} at {} ms differs by at most {off:.1e} a in the track \
         and {force_off:.1e} of the largest track force in the forces. Ours: 71.32 N read as weight, g = 9.81 m/s², x and y in radii a, xdot = ydot = a w2 at the start, \
         the span of {END} s.",
        treatment.unwrap_or("by default"),
        step * 1e3,
        JUDGED_BY.method,
        JUDGED_BY.step * 1e3,
    )
}

fn radii(name: &'static str) -> PlottedQuantity {
    PlottedQuantity::new(name, "radii a")
}

fn time() -> PlottedQuantity {
    PlottedQuantity::new("time", "s")
}

fn figure(
    (name, title): (&'static str, &'static str),
    caption: String,
    [x, y]: [PlottedQuantity; 2],
    curves: Vec<Curve>,
) -> Figure {
    Figure { name, title, caption, x, y, curves, marked: false }
}

fn track(
    context: &Context<'_>,
    balls: &[(&'static str, f64)],
    panels: &Panels,
) -> Result<Vec<Figure>, Failure> {
    let drawn: Result<Vec<(String, Drawn)>, Failure> = balls
        .iter()
        .map(|(label, r0)| {
            let label = if *r0 == 0.0 { (*label).to_string() } else { format!("r0 = {label}") };
            Ok((label, Drawn::of(context, *r0)?))
        })
        .collect();
    let drawn = drawn?;
    let curves = |of: &dyn Fn(&Drawn) -> Vec<(f64, f64)>| {
        drawn.iter().map(|(label, drawn)| Curve::new(label.clone(), of(drawn))).collect::<Vec<Curve>>()
    };
    let [plane, x, y] = *panels;
    let told = how(drawn.iter().map(|(_, drawn)| drawn));
    Ok(vec![
        figure(
            plane,
            format!(
                "Centre of the ball over the floor; the track is the same for every ball, how far it is run in {END} s is not. {told}"
            ),
            [radii("x"), radii("y")],
            curves(&|drawn| against(drawn.position(0), drawn.position(1))),
        ),
        figure(
            x,
            format!("The same over time. {told}"),
            [time(), radii("x")],
            curves(&|drawn| drawn.position(0)),
        ),
        figure(
            y,
            format!("The same over time. {told}"),
            [time(), radii("y")],
            curves(&|drawn| drawn.position(1)),
        ),
    ])
}

fn angular_velocities(
    context: &Context<'_>,
    name: &'static str,
    title: &'static str,
    r0: f64,
) -> Result<Figure, Failure> {
    let drawn = Drawn::of(context, r0)?;
    let curves = [("w1", 0), ("w2", 1), ("w3", 2)]
        .map(|(label, axis)| Curve::new(label, drawn.history.curve(Channel::ANGULAR_VELOCITY, axis)));
    Ok(figure(
        (name, title),
        format!("Angular velocity of the ball in body axes, as in (7.4). {}", how([&drawn])),
        [time(), PlottedQuantity::new("angular velocity", "rad/s")],
        curves.into(),
    ))
}

fn constraint_forces(
    context: &Context<'_>,
    name: &'static str,
    title: &'static str,
    r0: f64,
) -> Result<Figure, Failure> {
    let drawn = Drawn::of(context, r0)?;
    let curves =
        [("lam1", 0), ("lam2", 1), ("lam3", 2)].map(|(label, k)| Curve::new(label, drawn.multiplier(k)));
    Ok(figure(
        (name, title),
        format!(
            "Multipliers with the signs of (2.1) and (7.2): lam1 and lam2 are less the x and y of the floor's force on the \
             ball, lam3 is the y of the track's force, whose x is -lam3 cos x. {}",
            how([&drawn])
        ),
        [time(), PlottedQuantity::new("multiplier", "N")],
        curves.into(),
    ))
}

/// The circle of a ball of radius 1 in its plane of these axes.
fn circle([x, y]: [usize; 2]) -> Vec<[f64; 3]> {
    (0..=120)
        .map(|k| {
            let angle = TAU * f64::from(k) / 120.0;
            let mut point = [0.0; 3];
            (point[x], point[y]) = (angle.cos(), angle.sin());
            point
        })
        .collect()
}

fn view(
    context: &Context<'_>,
    name: &'static str,
    title: &'static str,
    axes: [usize; 2],
) -> Result<Vec<Figure>, Failure> {
    let drawn = Drawn::of(context, 0.0)?;
    let outline = circle(axes).into_iter().map(|point| (point[axes[0]], point[axes[1]])).collect();
    Ok(vec![figure(
        (name, title),
        format!(
            "Points of the ball that have touched the floor, in body axes, no offset; both halves of the ball are drawn. The \
             ball's outline is a circle: the two axes of the picture have different scales. {}",
            how([&drawn])
        ),
        axes.map(|axis| PlottedQuantity::place(["b1", "b2", "b3"][axis], "radii a")),
        vec![
            Curve::beneath("outline", outline),
            Curve::new("touched", against(drawn.touched(axes[0]), drawn.touched(axes[1]))),
        ],
    )])
}

/// Cabinet projection: b2 goes into the picture, up to the right, at half its length.
fn projected([x, y, z]: [f64; 3]) -> (f64, f64) {
    let depth = 0.5 * FRAC_1_SQRT_2 * y;
    (x + depth, z + depth)
}

fn oblique(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let drawn = Drawn::of(context, 0.0)?;
    let [x, y, z] = [0, 1, 2].map(|axis| drawn.touched(axis));
    let touched =
        x.iter().zip(&y).zip(&z).map(|(((_, x), (_, y)), (_, z))| projected([*x, *y, *z])).collect();
    let circles = [("b1, b3", [0, 2]), ("b1, b2", [0, 1]), ("b2, b3", [1, 2])];
    let mut curves: Vec<Curve> = circles
        .into_iter()
        .map(|(label, axes)| {
            Curve::beneath(format!("circle {label}"), circle(axes).into_iter().map(projected).collect())
        })
        .collect();
    curves.push(Curve::new("touched", touched));
    Ok(vec![figure(
        ("pc87_fig8", "PC87 fig. 8: track on the ball in space"),
        format!(
            "Points of the ball that have touched the floor, in body axes, no offset, in an oblique (cabinet) projection of ours: \
             b2 goes into the picture, up to the right by 45 degrees at half its length. Beneath lie the ball's circles in \
             the three planes of its axes. {}",
            how([&drawn])
        ),
        ["b1 + 0.35 b2", "b3 + 0.35 b2"].map(|name| PlottedQuantity::place(name, "radii a")),
        curves,
    )])
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Their curves are those of the equations, as far as a picture shows.
    #[test]
    fn curves_of_the_ball_have_converged() {
        let interrupted = AtomicBool::new(false);
        let context = Context { long: false, interrupted: &interrupted };
        for r0 in [0.0].into_iter().chain(OFFSETS.map(|(_, r0)| r0)) {
            let Drawn { off, force_off, .. } = Drawn::of(&context, r0).expect("a motion");
            println!("r0 = {r0} m: {off:e} a, forces {force_off:e}");
            assert!(off < 2e-3 && force_off < 2e-3, "r0 = {r0} m: {off:e} a, forces {force_off:e}");
        }
    }
}
