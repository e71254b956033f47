//! PCD90's figures. Its data are not printed, and figure 3 is a sketch of the double pendulum
//! without numbers: all data are ours.

use super::ReportFigure;
use crate::crane::{Led, led};
use crate::manipulator::{self, Iteration, Links, MultiplierForm, SetUp};
use crate::{Context, Failure, Trial};
use polhode::base::Setting;
use polhode::math::vector::{Vec3, length};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::double_pendulum;

pub const FIGURES: &[ReportFigure] = &[
    ReportFigure {
        id: "pcd90_fig1",
        report: "PCD90",
        number: "fig. 1",
        shows: "The three links of the manipulator as they unfold.",
        draw: unfolding,
    },
    ReportFigure {
        id: "pcd90_fig2",
        report: "PCD90",
        number: "fig. 2",
        shows: "Iterations of every step with Baumgarte's and with staggered multipliers on the manipulator.",
        draw: iterations,
    },
    ReportFigure {
        id: "pcd90_fig4",
        report: "PCD90",
        number: "fig. 4",
        shows: "Paths of both mass centres of the double pendulum in the planes of x and z and of x and y.",
        draw: pendulum,
    },
    ReportFigure {
        id: "pcd90_fig5",
        report: "PCD90",
        number: "fig. 5",
        shows: "The path of the crane's tip, with rigid and with flexible links.",
        draw: tip_path,
    },
    ReportFigure {
        id: "pcd90_fig6",
        report: "PCD90",
        number: "fig. 6",
        shows: "The velocity that the crane's tip is led at, with rigid and with flexible links.",
        draw: tip_velocity,
    },
    ReportFigure {
        id: "pcd90_fig7",
        report: "PCD90",
        number: "fig. 7",
        shows: "Joint torques of the crane with rigid links.",
        draw: rigid_torques,
    },
    ReportFigure {
        id: "pcd90_fig8",
        report: "PCD90",
        number: "fig. 8",
        shows: "Joint torques of the crane with flexible links.",
        draw: flexible_torques,
    },
];

/// As in the claim on iterations: step (s), eps (m/N).
const STEP: f64 = 0.04;
const EPS: f64 = 1e-6;

/// Stiffness of the crane's beams, of the shipped ones: as soft as the report's seem, by what it
/// says of the torques.
const SOFT: f64 = 0.01;

fn unfolding(_: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let h = 1e-3;
    let mut links = Links::new(false)?;
    let mut curves = vec![Curve::new("0 s", links.joints())];
    for k in 1..=1800 {
        let before = [0, 1, 2].map(|joint| links.angle(joint));
        links.step(MultiplierForm::Staggered { eps: EPS }, Iteration::Printed, h, 1e-9, 60);
        links.catch(before);
        if [300, 600, 900, 1200, 1500, 1800].contains(&k) {
            curves.push(Curve::new(format!("{} s", f64::from(k) * h), links.joints()));
        }
    }
    Ok(vec![Figure {
        name: "pcd90_fig1",
        title: "PCD90 fig. 1: three links unfold and lock straight".to_string(),
        caption: "Links at seven times, from the wall at the origin to the tip; a force of 10 N along x \
                  pulls at the tip against coil springs of 1 N m/rad, joints lock where they are straight. \
                  Trapezoidal rule with staggered multipliers of the report's (32), eps = 1e-6 m/N, h = 1 \
                  ms. All data are ours: links of 1 m and 1 kg, folded with 80, -160 and 160 degrees."
            .to_string(),
        x: PlottedQuantity::place("x", "m"),
        y: PlottedQuantity::place("y", "m"),
        curves,
        marked: true,
    }])
}

fn iterations(_: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let run = |form, h, stops| {
        let set_up = SetUp { form, iteration: Iteration::Printed, h, accuracy: 1e-6, most: 60, stops };
        let counted = manipulator::count(set_up, 2.0)?;
        Ok::<_, Failure>(
            counted.steps.into_iter().map(|(t, taken)| (t, taken.unwrap_or(60) as f64)).collect(),
        )
    };
    let staggered = MultiplierForm::Staggered { eps: EPS };
    let baumgarte =
        |alpha_h: f64, h: f64, stops| run(MultiplierForm::Baumgarte { alpha: alpha_h / h }, h, stops);
    Ok(vec![Figure {
        name: "pcd90_fig2",
        title: "PCD90 fig. 2: iterations of every step".to_string(),
        caption:
            "Iterations by (11)-(13) until no coordinate changes by more than 1e-6 (m or rad), 60 where that \
             is not reached; manipulator of figure 1, trapezoidal rule, h = 40 ms; staggered: (32), eps = \
             1e-6 m/N. With alpha h = 0.6 steps fail in which a lock catches. Tip stopped: the tip is held \
             as well once all joints are locked, which makes rows dependent; h = 5 ms, alpha h = 0.025. \
             Step, alpha, eps and data are ours: step and alpha are those that give the printed 4.5 and 22."
                .to_string(),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::logarithmic("iterations", "1"),
        curves: vec![
            Curve::beneath("Baumgarte, tip stopped", baumgarte(0.025, 0.005, true)?),
            Curve::new("Baumgarte, alpha h = 0.1", baumgarte(0.1, STEP, false)?),
            Curve::new("staggered", run(staggered, STEP, false)?),
            Curve::new("Baumgarte, alpha h = 0.55", baumgarte(0.55, STEP, false)?),
            Curve::new("Baumgarte, alpha h = 0.6", baumgarte(0.6, STEP, false)?),
        ],
        marked: false,
    }])
}

fn pendulum(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let settings = [("gamma", 1000.0), ("beta", 2.5e5)].map(|(key, x)| (key, Setting::Number(x)));
    let trial = Trial::new(&double_pendulum(), "staggered", 1e-3, 5_000);
    let trial = trial.held_by("staggered", &settings).resynchronised(20).every(10);
    let history = trial.run(context, &[channels::POSITION])?;
    let panel = |name, title: &str, other: (&'static str, usize)| {
        let path = |body| {
            let points = history.path(channels::POSITION, body).into_iter();
            points.map(|(_, r)| (r[0], r[other.1])).collect::<Vec<_>>()
        };
        Figure {
            name,
            title: title.to_string(),
            caption: "Paths of the two mass centres over 5 s from level rods that turn with 1 rad/s about \
                      the vertical, as the report says. Rods of 1 m and 1 kg are ours. Two-stage staggered \
                      step, h = 1 ms, restarted every 20 steps, staggered multipliers (eps = 1e-8 s/kg, \
                      gamma = 1/h, beta = gamma²/4)."
                .to_string(),
            x: PlottedQuantity::place("x", "m"),
            y: PlottedQuantity::place(other.0, "m"),
            curves: vec![Curve::new("upper rod", path(0)), Curve::new("lower rod", path(1))],
            marked: false,
        }
    };
    Ok(vec![
        panel("pcd90_fig4a", "PCD90 fig. 4a: mass centres of the double pendulum, x and z", ("z", 2)),
        panel("pcd90_fig4b", "PCD90 fig. 4b: mass centres of the double pendulum, x and y", ("y", 1)),
    ])
}

/// Returns a caption of the cranes: `what` is shown, which data are ours, and how the curves are
/// computed.
fn of_cranes(what: &str) -> String {
    format!(
        "{what} Three links of 1, 0.8 and 0.6 m on ball joints, the tip led at (0.6, 0.8, -0.3) m/s times \
         sin²(pi t/T), T = 1 s; no gravity. Two-stage staggered step with staggered multipliers: rigid h = \
         0.5 ms, of four beam elements a link h = 0.1 ms. Numbers are ours; the beams are a hundred times \
         softer than those of mechanisms/crane_flexible.toml, by claim pcd90-torques."
    )
}

fn tip_path(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let (rigid, flexible) = (led(context, None)?, led(context, Some(SOFT))?);
    let path = |run: &Led, k: usize| run.tip.iter().map(|r| (r[0], r[k])).collect::<Vec<_>>();
    Ok(vec![Figure {
        name: "pcd90_fig5",
        title: "PCD90 fig. 5: path of the crane's tip".to_string(),
        caption: of_cranes(
            "Height z and y of the tip over x. The tip's velocity is prescribed, so that both paths are one.",
        ),
        x: PlottedQuantity::new("x", "m"),
        y: PlottedQuantity::new("y, z", "m"),
        curves: vec![
            Curve::beneath("y, rigid", path(&rigid, 1)),
            Curve::beneath("z, rigid", path(&rigid, 2)),
            Curve::new("y, flexible", path(&flexible, 1)),
            Curve::new("z, flexible", path(&flexible, 2)),
        ],
        marked: false,
    }])
}

fn tip_velocity(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let (rigid, flexible) = (led(context, None)?, led(context, Some(SOFT))?);
    let curve = |run: &Led, k: usize| {
        run.times.iter().zip(&run.velocity).map(|(t, v)| (*t, v[k])).collect::<Vec<_>>()
    };
    let all = |run: &Led, make: fn(String, Vec<(f64, f64)>) -> Curve, name: &str| {
        let component = |(k, axis): (usize, &str)| make(format!("v{axis}, {name}"), curve(run, k));
        ["x", "y", "z"].into_iter().enumerate().map(component).collect::<Vec<_>>()
    };
    let mut curves = all(&rigid, Curve::beneath, "rigid");
    curves.extend(all(&flexible, Curve::new, "flexible"));
    Ok(vec![Figure {
        name: "pcd90_fig6",
        title: "PCD90 fig. 6: velocity of the crane's tip".to_string(),
        caption: of_cranes("Components of the tip's velocity."),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::new("velocity", "m/s"),
        curves,
        marked: false,
    }])
}

fn torques(name: &'static str, title: &'static str, run: &Led) -> Figure {
    let curve = |torques: &[Vec3<f64>]| {
        run.times.iter().zip(torques).map(|(t, torque)| (*t, length(*torque))).collect()
    };
    let joints = ["foot", "elbow", "wrist"].into_iter().zip(&run.torques);
    Figure {
        name,
        title: title.to_string(),
        caption: of_cranes(
            "Size of the moment of the tip's force about each joint; the ball joints themselves bear none.",
        ),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::new("torque", "N m"),
        curves: joints.map(|(joint, torques)| Curve::new(joint, curve(torques))).collect(),
        marked: false,
    }
}

fn rigid_torques(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let run = led(context, None)?;
    Ok(vec![torques("pcd90_fig7", "PCD90 fig. 7: joint torques of the crane, rigid links", &run)])
}

fn flexible_torques(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let run = led(context, Some(SOFT))?;
    Ok(vec![torques("pcd90_fig8", "PCD90 fig. 8: joint torques of the crane, flexible links", &run)])
}
