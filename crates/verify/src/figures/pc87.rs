//! PC87's figures 2 to 11: the bowling ball on its wave.
//!
//! The report prints neither spans nor scales in its text: all curves here are over 20 s. Lengths
//! are in radii a, in which the track is y = sin x.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::{Context, Failure, ReportFigure};
use crate::pc87::{OFFSETS, RADIUS, as_printed, multipliers, off_track};
use crate::{History, Trial};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::rolling_ball;

/// A way to compute the ball.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// PC87's own method, with the weights that polhode gives its multipliers, at 1 ms.
    Weighted,
    /// One pass, with (6.6) and table 1's eps: nothing returns what the ball has drifted, and with
    /// r0 = 0.15 a it leaves its track within some seconds. The report prints no step of its
    /// figures; this is 50 ms, a third of the largest that it names.
    Printed,
    /// The judge of both.
    Accurate,
}

impl Way {
    fn run(self, context: &Context<'_>, r0: f64, apart: f64) -> Result<History, Failure> {
        let channels = [
            channels::POSITION,
            channels::ANGULAR_VELOCITY,
            channels::CONTACT_FORCE,
            channels::CONTACT_POINT,
        ];
        let trial = |method, step: f64| {
            let steps = |time: f64| (time / step).round() as u64;
            Trial::new(&rolling_ball(r0), method, step, steps(END)).every(steps(apart))
        };
        match self {
            Way::Weighted => trial("midpoint", 0.001).run(context, &channels),
            Way::Printed => as_printed(context, r0, self.apart(), END, &channels),
            Way::Accurate => trial("dop853", 0.005).held_by("exact", &[]).run(context, &channels),
        }
    }

    /// Between two points of a curve (s).
    fn apart(self) -> f64 {
        if self == Way::Printed { 0.05 } else { 0.02 }
    }

    fn sentence(self) -> &'static str {
        match self {
            Way::Weighted => "By midpoint, multipliers by default, h = 1 ms",
            Way::Printed => "By one pass of midpoint, (6.6) with eps = 1e-6 and no weights, h = 50 ms",
            Way::Accurate => "By dop853 at 5 ms",
        }
    }
}

/// A panel by our multipliers, and by the printed ones: names and titles.
type Panel = [(&'static str, &'static str); 2];

macro_rules! panel {
    ($name:literal, $title:literal) => {
        [($name, $title), (concat!($name, "_printed"), concat!($title, ", (6.6) as printed"))]
    };
}

const WAYS: [Way; 2] = [Way::Weighted, Way::Printed];

/// (s)
const END: f64 = 20.0;
/// The contact of the ball with the floor, the first of its mechanism.
const FLOOR: usize = 0;

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
            angular_velocities(
                context,
                panel!("pc87_fig3", "PC87 fig. 3: angular velocities, no offset"),
                0.0,
            )
        },
    },
    ReportFigure {
        id: "pc87_fig4",
        report: "PC87",
        number: "fig. 4",
        shows: "Three constraint forces, no offset.",
        draw: |context| {
            constraint_forces(context, panel!("pc87_fig4", "PC87 fig. 4: constraint forces, no offset"), 0.0)
        },
    },
    ReportFigure {
        id: "pc87_fig5",
        report: "PC87",
        number: "fig. 5",
        shows: "Track on the ball, x-z plane.",
        draw: |context| {
            view(context, panel!("pc87_fig5", "PC87 fig. 5: track on the ball, x-z plane"), [0, 2])
        },
    },
    ReportFigure {
        id: "pc87_fig6",
        report: "PC87",
        number: "fig. 6",
        shows: "Track on the ball, y-z plane.",
        draw: |context| {
            view(context, panel!("pc87_fig6", "PC87 fig. 6: track on the ball, y-z plane"), [1, 2])
        },
    },
    ReportFigure {
        id: "pc87_fig7",
        report: "PC87",
        number: "fig. 7",
        shows: "Track on the ball, x-y plane.",
        draw: |context| {
            view(context, panel!("pc87_fig7", "PC87 fig. 7: track on the ball, x-y plane"), [0, 1])
        },
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
            let a = panel!("pc87_fig10a", "PC87 fig. 10: angular velocities, r0 = 0.15 a");
            let b = panel!("pc87_fig10b", "PC87 fig. 10: angular velocities, r0 = 0.15 cm of table 1");
            Ok([angular_velocities(context, a, text)?, angular_velocities(context, b, table)?].concat())
        },
    },
    ReportFigure {
        id: "pc87_fig11",
        report: "PC87",
        number: "fig. 11",
        shows: "Three constraint forces, with offset.",
        draw: |context| {
            let [(_, table), (_, text)] = OFFSETS;
            let a = panel!("pc87_fig11a", "PC87 fig. 11: constraint forces, r0 = 0.15 a");
            let b = panel!("pc87_fig11b", "PC87 fig. 11: constraint forces, r0 = 0.15 cm of table 1");
            Ok([constraint_forces(context, a, text)?, constraint_forces(context, b, table)?].concat())
        },
    },
];

const NAMES_2: [Panel; 3] = [
    panel!("pc87_fig2a", "PC87 fig. 2: track on the floor, no offset"),
    panel!("pc87_fig2b", "PC87 fig. 2: x of the track over time, no offset"),
    panel!("pc87_fig2c", "PC87 fig. 2: y of the track over time, no offset"),
];
const NAMES_9: [Panel; 3] = [
    panel!("pc87_fig9a", "PC87 fig. 9: track on the floor, with offset"),
    panel!("pc87_fig9b", "PC87 fig. 9: x of the track over time, with offset"),
    panel!("pc87_fig9c", "PC87 fig. 9: y of the track over time, with offset"),
];

/// A motion of the ball.
struct Drawn {
    history: History,
    way: Way,
    /// The largest distance (a) of its track from the one that judges it.
    off: f64,
    /// The largest distance (a) of its centre from y = sin x.
    left: f64,
    /// The largest difference of forces from those, as a share of the largest force of the track.
    force_off: f64,
}

impl Drawn {
    fn of(context: &Context<'_>, way: Way, r0: f64) -> Result<Drawn, Failure> {
        let [history, judge] = [way, Way::Accurate].map(|each| each.run(context, r0, way.apart()));
        let (history, judge) = (history?, judge?);
        let largest = |curves: &[Vec<(f64, f64)>]| {
            curves.iter().flatten().map(|(_, value)| value.abs()).fold(0.0, f64::max)
        };
        let apart = |[drawn, judged]: [Vec<Vec<(f64, f64)>>; 2]| {
            let pairs = drawn.into_iter().zip(judged);
            largest(&pairs.map(|(a, b)| less(a, &b)).collect::<Vec<_>>())
        };
        let positions = |history: &History| [0, 1].map(|axis| history.curve(channels::POSITION, axis)).into();
        let off = apart([&history, &judge].map(positions)) / RADIUS;
        let force = apart([&history, &judge].map(|run| multipliers(run).into()));
        let force_off = force / largest(&multipliers(&judge)[2..]);
        let left = off_track(&history);
        Ok(Drawn { history, way, off, left, force_off })
    }

    /// A component of the body's origin over time (a).
    fn position(&self, axis: usize) -> Vec<(f64, f64)> {
        scaled(self.history.curve(channels::POSITION, axis), 1.0 / RADIUS)
    }

    /// A component of where the ball is touched, over time (a).
    fn touched(&self, axis: usize) -> Vec<(f64, f64)> {
        scaled(self.history.curve_of(channels::CONTACT_POINT, FLOOR, axis), 1.0 / RADIUS)
    }
}

fn scaled(mut curve: Vec<(f64, f64)>, by: f64) -> Vec<(f64, f64)> {
    curve.iter_mut().for_each(|(_, value)| *value *= by);
    curve
}

/// The one less the other.
fn less(mut curve: Vec<(f64, f64)>, other: &[(f64, f64)]) -> Vec<(f64, f64)> {
    curve.iter_mut().zip(other).for_each(|((_, value), (_, other))| *value -= other);
    curve
}

/// The second against the first.
fn against(x: Vec<(f64, f64)>, y: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    x.into_iter().zip(y).map(|((_, x), (_, y))| (x, y)).collect()
}

/// By what curves were computed, how far that is from the judge and from the track, and which data
/// are ours.
fn how(drawn: &[&Drawn]) -> String {
    let largest = |measure: fn(&Drawn) -> f64| drawn.iter().map(|drawn| measure(drawn)).fold(0.0, f64::max);
    let [off, left, force_off] =
        [|d: &Drawn| d.off, |d: &Drawn| d.left, |d: &Drawn| d.force_off].map(largest);
    let way = drawn.first().map_or("", |drawn| drawn.way.sentence());
    format!(
        "{way}; dop853 at 5 ms differs by at most {off:.1e} a in x and y and {force_off:.1e} of the largest \
         track force in the forces; the centre leaves y = sin x by {left:.1e} a. Ours: 71.32 N read as \
         weight, g = 9.81 m/s², x and y in radii a, xdot = ydot = a w2 at the start, the span of {END} s."
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
    Figure { name, title: title.to_string(), caption, x, y, curves, marked: false }
}

fn track(
    context: &Context<'_>,
    balls: &[(&'static str, f64)],
    [plane, x, y]: &[Panel; 3],
) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for (k, way) in WAYS.into_iter().enumerate() {
        let run = |(_, r0): &(&'static str, f64)| Drawn::of(context, way, *r0);
        let drawn = balls.iter().map(run).collect::<Result<Vec<Drawn>, Failure>>()?;
        let curves = |points: &dyn Fn(&Drawn) -> Vec<(f64, f64)>| -> Vec<Curve> {
            let label = |(label, r0): &(&'static str, f64)| {
                if *r0 == 0.0 { (*label).to_string() } else { format!("r0 = {label}") }
            };
            balls.iter().zip(&drawn).map(|(ball, drawn)| Curve::new(label(ball), points(drawn))).collect()
        };
        let method = how(&drawn.iter().collect::<Vec<_>>());
        let over_time = format!("The same over time. {method}");
        figures.extend([
            figure(
                plane[k],
                format!("Centre of the ball over the floor; how far it is run in {END} s differs. {method}"),
                [radii("x"), radii("y")],
                curves(&|drawn| against(drawn.position(0), drawn.position(1))),
            ),
            figure(x[k], over_time.clone(), [time(), radii("x")], curves(&|drawn| drawn.position(0))),
            figure(y[k], over_time, [time(), radii("y")], curves(&|drawn| drawn.position(1))),
        ]);
    }
    Ok(figures)
}

/// The panel both ways.
fn both_ways(
    context: &Context<'_>,
    panel: Panel,
    r0: f64,
    draw: impl Fn(&Drawn, (&'static str, &'static str)) -> Figure,
) -> Result<Vec<Figure>, Failure> {
    let one = |(way, named)| Ok(draw(&Drawn::of(context, way, r0)?, named));
    WAYS.into_iter().zip(panel).map(one).collect()
}

fn angular_velocities(context: &Context<'_>, panel: Panel, r0: f64) -> Result<Vec<Figure>, Failure> {
    both_ways(context, panel, r0, |drawn, named| {
        let curves = [("w1", 0), ("w2", 1), ("w3", 2)]
            .map(|(label, axis)| Curve::new(label, drawn.history.curve(channels::ANGULAR_VELOCITY, axis)));
        figure(
            named,
            format!("Angular velocity of the ball in body axes, as in (7.4). {}", how(&[drawn])),
            [time(), PlottedQuantity::new("angular velocity", "rad/s")],
            curves.into(),
        )
    })
}

fn constraint_forces(context: &Context<'_>, panel: Panel, r0: f64) -> Result<Vec<Figure>, Failure> {
    both_ways(context, panel, r0, |drawn, named| {
        let curves = ["lam1", "lam2", "lam3"].into_iter().zip(multipliers(&drawn.history));
        figure(
            named,
            format!(
                "Multipliers with the signs of (2.1) and (7.2): lam1 and lam2 are less the x and y of the \
                 floor's force on the ball, lam3 is the y of the track's force, whose x is -lam3 cos x. {}",
                how(&[drawn])
            ),
            [time(), PlottedQuantity::new("multiplier", "N")],
            curves.map(|(label, curve)| Curve::new(label, curve)).collect(),
        )
    })
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

fn view(context: &Context<'_>, panel: Panel, axes: [usize; 2]) -> Result<Vec<Figure>, Failure> {
    both_ways(context, panel, 0.0, |drawn, named| {
        let outline = circle(axes).into_iter().map(|point| (point[axes[0]], point[axes[1]])).collect();
        figure(
            named,
            format!(
                "Points of the ball that have touched the floor, in body axes, no offset; both halves of the \
                 ball are drawn. The ball's outline is a circle: the two axes of the picture have different \
                 scales. {}",
                how(&[drawn])
            ),
            axes.map(|axis| PlottedQuantity::place(["b1", "b2", "b3"][axis], "radii a")),
            vec![
                Curve::beneath("outline", outline),
                Curve::new("touched", against(drawn.touched(axes[0]), drawn.touched(axes[1]))),
            ],
        )
    })
}

/// Cabinet projection: b2 goes into the picture, up to the right, at half its length.
fn projected([x, y, z]: [f64; 3]) -> (f64, f64) {
    let depth = 0.5 * FRAC_1_SQRT_2 * y;
    (x + depth, z + depth)
}

fn oblique(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    both_ways(context, panel!("pc87_fig8", "PC87 fig. 8: track on the ball in space"), 0.0, |drawn, named| {
        let [x, y, z] = [0, 1, 2].map(|axis| drawn.touched(axis));
        let touched =
            x.iter().zip(&y).zip(&z).map(|(((_, x), (_, y)), (_, z))| projected([*x, *y, *z])).collect();
        let circles = [("b1, b3", [0, 2]), ("b1, b2", [0, 1]), ("b2, b3", [1, 2])];
        let circles = circles.into_iter().map(|(label, axes)| {
            Curve::beneath(format!("circle {label}"), circle(axes).into_iter().map(projected).collect())
        });
        figure(
            named,
            format!(
                "Points of the ball that have touched the floor, in body axes, no offset, in an oblique \
                 (cabinet) projection of ours: b2 goes into the picture, up to the right by 45 degrees at \
                 half its length. Beneath lie the ball's circles in the three planes of its axes. {}",
                how(&[drawn])
            ),
            ["b1 + 0.35 b2", "b3 + 0.35 b2"].map(|name| PlottedQuantity::place(name, "radii a")),
            circles.chain([Curve::new("touched", touched)]).collect(),
        )
    })
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
            let Drawn { off, force_off, .. } = Drawn::of(&context, Way::Weighted, r0).expect("a motion");
            println!("r0 = {r0} m: {off:e} a, forces {force_off:e}");
            assert!(off < 2e-3 && force_off < 2e-3, "r0 = {r0} m: {off:e} a, forces {force_off:e}");
        }
    }
}
