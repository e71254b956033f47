//! W84's figures. Those of free vibration and of held ends have their data printed; the
//! slider-crank's and the triangle's are ours.

use super::ReportFigure;
use crate::vibration::{computed, printed};
use crate::w84::{CASES, Case, Held, LENGTH, MODES};
use crate::w84_runs::{CRANK, OF_FREE_ENDS, ON_HINGES, rod, triangle_run};
use crate::{Context, Failure};
use polhode::describe::{Channel, Level};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};

const fn figure(
    id: &'static str,
    number: &'static str,
    shows: &'static str,
    draw: fn(&Context<'_>) -> Result<Vec<Figure>, Failure>,
) -> ReportFigure {
    ReportFigure { id, report: "W84", number, shows, draw }
}

pub const FIGURES: &[ReportFigure] = &[
    figure("w84_fig7_1", "fig. 7.1", "Three damped modes let go from rest.", vibration),
    figure(
        "w84_fig7_2",
        "fig. 7.2",
        "Four kinds of ends of a beam; drawn here as it bends under 1 lb.",
        ends,
    ),
    figure(
        "w84_fig7_3",
        "fig. 7.3",
        "Deflection of the middle of an elastic connecting rod, from another work.",
        one_mode,
    ),
    figure("w84_fig7_4", "fig. 7.4", "The same deflection with three free modes.", free_modes),
    figure("w84_fig7_5", "fig. 7.5", "Angular velocity of the triangle at level 0.", |context| {
        speed(context, Level::Zero, "w84_fig7_5", "W84 fig. 7.5: speed of the triangle at level 0")
    }),
    figure("w84_fig7_6", "fig. 7.6", "Angular velocity of the triangle at level 1/2.", |context| {
        speed(context, Level::Half, "w84_fig7_6", "W84 fig. 7.6: speed of the triangle at level 1/2")
    }),
    figure("w84_fig7_7", "fig. 7.7", "First mode of the triangle at level 0.", |context| {
        first_mode(context, Level::Zero, "w84_fig7_7", "W84 fig. 7.7: first mode of the triangle at level 0")
    }),
    figure("w84_fig7_8", "fig. 7.8", "First mode of the triangle at level 1/2.", |context| {
        first_mode(
            context,
            Level::Half,
            "w84_fig7_8",
            "W84 fig. 7.8: first mode of the triangle at level 1/2",
        )
    }),
];

fn time() -> PlottedQuantity {
    PlottedQuantity::new("time", "s")
}

fn vibration(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let computed = computed(context)?;
    let mut curves: Vec<Curve> =
        (0..3).map(|k| Curve::beneath(format!("eta {}, printed", k + 1), printed(k))).collect();
    curves.extend(
        computed.into_iter().enumerate().map(|(k, curve)| Curve::new(format!("eta {}", k + 1), curve)),
    );
    Ok(vec![Figure {
        name: "w84_fig7_1",
        title: "W84 fig. 7.1: three damped modes".to_string(),
        caption: "Modes of 2, 4 and 8 Hz, let go from rest at 1, 0.6 and 0.3, damped by 0.1, 0.05 and 0.03 \
                  of critical damping; dop853, h = 1 ms, drawn every 10 ms as the report prints them. \
                  Beneath: the printed rows, where they can be read. The first damping ratio is ours."
            .to_string(),
        x: time(),
        y: PlottedQuantity::new("modal coordinate", "1"),
        curves,
        marked: true,
    }])
}

fn ends(_: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    const PANELS: [(&str, &str); 4] = [
        ("w84_fig7_2a", "W84 fig. 7.2, case 1: simply supported"),
        ("w84_fig7_2b", "W84 fig. 7.2, case 2: cantilever"),
        ("w84_fig7_2c", "W84 fig. 7.2, case 3: fixed and hinged"),
        ("w84_fig7_2d", "W84 fig. 7.2, case 4: fixed at both ends"),
    ];
    let places: Vec<f64> = (0..=100).map(|k| (f64::from(k) / 100.0 - 0.5) * LENGTH).collect();
    let panel = |(case, (name, title)): (&Case, (&'static str, &'static str))| {
        let curve = |beam: Held| -> Result<Vec<(f64, f64)>, Failure> {
            let down = beam.deflections(case.load * LENGTH, &places)?;
            Ok(places.iter().zip(down).map(|(x, down)| (x + LENGTH / 2.0, -down)).collect())
        };
        Ok(Figure {
            name,
            title: title.to_string(),
            caption: format!(
                "Static deflection under 1 lb {}. Beneath: beam theory. With {MODES} free modes joints hold \
                 the ends, as the report computes; with {MODES} own modes the shapes are those of the held \
                 beam, freed of rigid motion. Section and length are the report's, steel of 30e6 psi is \
                 ours. The report draws the supports alone.",
                if case.load == 0.0 { "at the middle" } else { "at the free end" }
            ),
            x: PlottedQuantity::new("place along the beam", "m"),
            y: PlottedQuantity::new("displacement", "m"),
            curves: vec![
                Curve::beneath("beam theory", curve(Held::by_deflection(case)?)?),
                Curve::new("3 free modes", curve(Held::by_free_modes(case, MODES)?)?),
                Curve::new("3 own modes", curve(Held::by_own_modes(case, MODES)?)?),
            ],
            marked: false,
        })
    };
    CASES.iter().zip(PANELS).map(panel).collect()
}

fn one_mode(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let turned = |curve: Vec<(f64, f64)>| curve.into_iter().map(|(t, y)| (t * CRANK, y)).collect();
    Ok(vec![Figure {
        name: "w84_fig7_3",
        title: "W84 fig. 7.3: the rod's middle, one mode".to_string(),
        caption: "Deflection of the rod's middle from the line between its ends over the crank's angle, as \
                  far as the report draws it: one mode of a rod on hinges, as Chu and Pan take it. dop853, \
                  treatment exact, h = 0.05 ms; undeformed at the start. The report prints no data: crank of \
                  6 in, steel rod of 12 in and 1/4 in, 124.8 rad/s are commonly quoted. The rod is rigid \
                  along its axis."
            .to_string(),
        x: PlottedQuantity::new("crank angle", "rad"),
        y: PlottedQuantity::new("deflection", "m"),
        curves: vec![Curve::new("one mode", turned(rod(context, ON_HINGES)?))],
        marked: false,
    }])
}

fn free_modes(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    Ok(vec![Figure {
        name: "w84_fig7_4",
        title: "W84 fig. 7.4: the rod's middle, three free modes".to_string(),
        caption: "As figure 7.3, over time, with three free modes and joints at both ends; beneath, the \
                  curve of figure 7.3. Data as there. The report's axis ends beyond 0.010, its unit cannot \
                  be read: 3.2 mm are 0.0105 of the rod's length."
            .to_string(),
        x: time(),
        y: PlottedQuantity::new("deflection", "m"),
        curves: vec![
            Curve::beneath("one mode on hinges", rod(context, ON_HINGES)?),
            Curve::new("three free modes", rod(context, OF_FREE_ENDS)?),
        ],
        marked: false,
    }])
}

/// A channel at a level, and beneath it at level 2, which leaves nothing out.
fn at_level(
    context: &Context<'_>,
    level: Level,
    channel: Channel,
    component: usize,
) -> Result<Vec<Curve>, Failure> {
    let run = |level| Ok::<_, Failure>(triangle_run(context, level, &[channel])?.curve(channel, component));
    let name = if level == Level::Zero { "level 0" } else { "level 1/2" };
    Ok(vec![Curve::beneath("level 2", run(Level::Two)?), Curve::new(name, run(level)?)])
}

const TRIANGLE_CAPTION: &str = "Three masses joined by springs turn in their plane with 10 rad/s, deformed \
                                by 0.111 in their first two modes; dop853, h = 2 ms. Beneath: level 2, which \
                                leaves no term out, and is within 0.29 rad/s of the three point masses on \
                                springs (docs/flexible-bodies.md): modes are linear, springs between points \
                                are not. Masses of 1 kg, radius of 1 m and springs of 1000/3 N/m are ours; \
                                how far levels differ depends on them.";

fn speed(
    context: &Context<'_>,
    level: Level,
    name: &'static str,
    title: &'static str,
) -> Result<Vec<Figure>, Failure> {
    Ok(vec![Figure {
        name,
        title: title.to_string(),
        caption: TRIANGLE_CAPTION.to_string(),
        x: time(),
        y: PlottedQuantity::new("angular velocity", "rad/s"),
        curves: at_level(context, level, channels::ANGULAR_VELOCITY, 2)?,
        marked: false,
    }])
}

fn first_mode(
    context: &Context<'_>,
    level: Level,
    name: &'static str,
    title: &'static str,
) -> Result<Vec<Figure>, Failure> {
    Ok(vec![Figure {
        name,
        title: title.to_string(),
        caption: TRIANGLE_CAPTION.to_string(),
        x: time(),
        y: PlottedQuantity::new("first modal coordinate", "1"),
        curves: at_level(context, level, channels::AMPLITUDE.of_mode(0), 0)?,
        marked: false,
    }])
}
