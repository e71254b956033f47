//! `[study] kind = "modes"`: frequencies, damping ratios and shapes of all instances about their
//! equilibria or steady rotations.
//!
//! Modes of neighbouring instances belong to one curve where their shapes are alike, so that curves
//! go on through crossings: of an ensemble along one number, each instance is compared with the one
//! before it; of others, all with the first that has modes.

use crate::backend::Plan;
use crate::base::{quantity as of_unit, significant, with_unit};
use crate::describe::{Body, JointCoordinate, Study};
use crate::kinematics::body::Velocities;
use crate::math::quaternion::to_space;
use crate::math::vector::length;
use crate::model::steady_state::SteadyInstance;
use crate::model::vibration::Mode;
use crate::output::figures::{Curve, Figure, PlottedQuantity, draw_figures};
use crate::output::steady::{
    ModeRow, NumberColumn, SearchOutcome, ShapeRow, drawn, section, steady_report, write_modes, write_shapes,
};
use crate::output::{
    Listed, Listing, MODES, Manifest, OutputFolder, RunOutcome, SHAPES, StudyAnswer, Track, draw_shape,
    drawn_extent, players_of_periods,
};
use crate::study::cost::RunOutlook;
use crate::study::planned_run::on_threads;
use crate::study::recorder::amplitudes;
use crate::study::room::OF_COLUMN;
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::spread::{deviation, mean, quantile, sorted};
use crate::study::steady::{SteadyFound, SteadyOutcome, SteadyStudy, failures};
use crate::study_file::kinds::modes::Modes;
use crate::study_file::resolved_toml;
use nalgebra::Vector3;
use std::f64::consts::PI;
use std::time::Instant;

/// The modes of the first instance as JSON, with statistics of each curve.
pub const DATA: &str = "modes.json";

/// Modes of the first instance whose shapes are drawn.
const DRAWN: usize = 6;
/// Multiples of the rotation rate in a Campbell diagram: 1P, 2P, ...
const MULTIPLES: u32 = 8;
/// Damping below this is rounding.
const ROUNDING: f64 = 1e-9;
/// Resonances that the caption of such a diagram names.
const CROSSINGS: usize = 8;
/// Modes at which two shapes are alike enough for one curve, at least.
const ALIKE: f64 = 0.2;
/// By how many more modes curves are followed than are shown: one that crosses from above must be
/// known before.
const MORE: usize = 2;
/// Amplitude of a drawn shape, as a share of the mechanism's extent, and turns of a period that are
/// drawn.
const AMPLITUDE: f64 = 0.25;
/// The largest angle by which a body turns (rad): a small body that turns alone moves nothing far.
const TURN: f64 = 0.6;
const PHASES: usize = 9;
/// Positions of a period that is played.
const PLAYED: usize = 49;
/// Rows of the tables of modes and of shapes, but for numbers that are drawn (bytes).
const OF_MODE: usize = 76;
const OF_SHAPE: usize = 44;
/// Bars would hide each other: distributions are drawn for up to so many modes.
const DISTRIBUTIONS: usize = 8;

impl Runnable for Modes {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        on_threads(study, || run(study, self, under))
    }

    fn check(&self, study: &Study, _: &Plan) -> Result<(), RunError> {
        SteadyStudy::new(study, &self.about).map(|_| ())
    }

    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let outlook = on_threads(study, || {
            let ensemble = SteadyStudy::new(study, &self.about)?;
            let (size, drawn) = (study.ensemble.size, ensemble.drawn().len());
            let with_shapes = self.keep.min(size) as f64 / size as f64;
            let all = Modes { keep: size, ..self.clone() };
            let tables = |outcomes: &[SteadyOutcome]| {
                let found = outcomes.iter().filter_map(|outcome| outcome.found.as_ref().ok());
                let modes: usize = found.map(|found| found.vibrations.modes.len().min(self.count)).sum();
                let shapes = shape_rows(&ensemble, outcomes, &all).len();
                (modes * (OF_MODE + 8 * drawn)) as f64 + with_shapes * (shapes * OF_SHAPE) as f64
            };
            let mut searched = ensemble.foretold(0, tables);
            searched.tables += (OF_COLUMN * (MODES.columns.len() + drawn + 1 + SHAPES.columns.len())) as f64;
            Ok(RunOutlook::of_search(searched, DRAWN + DISTRIBUTIONS))
        });
        outlook.ok()
    }
}

/// A mode among those of its curve.
struct OnCurve<'a> {
    /// Position among the outcomes.
    at: usize,
    mode: &'a Mode,
    curve: usize,
}

fn run(study: &Study, settings: &Modes, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
    let begun = (Manifest::of(study), Instant::now());
    let folder = OutputFolder::create(under.out, under.overwrite)?;
    let ensemble = SteadyStudy::new(study, &settings.about)?;
    let outcomes = ensemble.all(under.listener, under.interrupted);
    let rows = ensemble.rows(&outcomes);
    let curves = curves(&ensemble, &outcomes, settings.count);
    let manifest = ensemble.manifest(begun, under, "linearised about equilibria", (&outcomes, &rows));

    let mode_rows: Vec<ModeRow> = curves.iter().map(|on| mode_row(study, &outcomes[on.at], on)).collect();
    let of_modes = ensemble.drawn_columns(curves.iter().map(|on| &outcomes[on.at]));
    let rotation = NumberColumn {
        name: "rotation".to_string(),
        unit: "rad/s".to_string(),
        description: "steady rotation of the whole mechanism".to_string(),
        values: curves.iter().map(|on| rows[on.at].rotation).collect(),
    };
    let of_modes = [vec![rotation], of_modes].concat();
    let mut tables = ensemble.table(&rows, false, ensemble.drawn_columns(outcomes.iter()));
    tables.push((&MODES, Box::new(|file| write_modes(file, &mode_rows, &of_modes))));
    tables.push((&SHAPES, Box::new(|file| write_shapes(file, &shape_rows(&ensemble, &outcomes, settings)))));
    let summary = summary(&mode_rows);
    let first = first_modes(&mode_rows);
    let lines = match outcomes.len() {
        1 => first.lines(),
        _ => summary.lines(),
    };
    let swings = swings(&ensemble, &outcomes, settings);
    let answer = StudyAnswer {
        study,
        study_toml: &resolved_toml(study),
        tables,
        data: Some((
            DATA,
            serde_json::json!({
                "study": study.title,
                "complete": manifest.complete,
                "instances": outcomes.len(),
                "found": rows.iter().filter(|row| row.outcome == SearchOutcome::Found).count(),
                "first_instance": first.json(),
                "curves": summary.json(),
            }),
        )),
        draw: Box::new(|_, _| {
            let mut pictures = draw_figures(&figures(&ensemble, &outcomes, &curves, &mode_rows, &rows));
            let drawn = swings.iter().enumerate();
            pictures.extend(
                drawn.filter_map(|(k, swing)| draw_shape(&study.mechanism, &swing.half, k + 1, &swing.what)),
            );
            Ok(pictures)
        }),
        report: Box::new(|manifest, pictures| {
            let (_, of_ensemble) = pictures.split(|name| name.starts_with("plots/shape_"));
            let about = match &settings.about.rotation {
                Some(body) => format!("the steady rotation of {body}, seen from axes that turn along"),
                None => "the equilibrium".to_string(),
            };
            let text = format!(
                "Small vibrations about {about}. A damping ratio below zero is of a mode that grows; a mode \
                 of frequency 0 does not vibrate. The body is that with the largest share of the kinetic \
                 energy."
            );
            let mut sections = vec![("Modes of the first instance", section(&text, Some(&first), &[]))];
            if outcomes.len() > 1 {
                let text = "A curve has modes of like shape, whatever their order; statistics are over all \
                            instances that have it.";
                sections.push(("Modes of the ensemble", section(text, Some(&summary), &of_ensemble)));
            }
            let periods = swings.iter().filter_map(|swing| Some((&*swing.what, swing.whole.as_ref()?)));
            let players = players_of_periods(&study.mechanism, &periods.collect::<Vec<_>>());
            sections.extend(players.map(|players| {
                ("Shapes", drawn("A period of each mode of the first instance, not to scale.", players))
            }));
            steady_report(study, manifest, &rows, sections)
        }),
        found: failures(&rows).chain(lines).collect(),
        fan: None,
    };
    Ok(answer.write(folder, under.interrupted, manifest)?)
}

/// All modes that are shown, instance by instance, each on its curve.
fn curves<'o>(ensemble: &SteadyStudy<'_>, outcomes: &'o [SteadyOutcome], count: usize) -> Vec<OnCurve<'o>> {
    let found = |at: usize| outcomes[at].found.as_ref().ok();
    let mut order: Vec<usize> = (0..outcomes.len()).filter(|at| found(*at).is_some()).collect();
    let along = ensemble.only_drawn(outcomes);
    if let Some((_, _, values)) = &along {
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    }
    let mut all: Vec<OnCurve<'o>> = Vec::new();
    // By curve, the mode that the next instance is compared with.
    let mut latest: Vec<&'o Mode> = Vec::new();
    for at in order {
        let Some(found) = found(at) else { continue };
        let weights = ensemble.instance(found).weights();
        let modes = &found.vibrations.modes;
        let matched = modes.len().min(count.saturating_mul(MORE).max(count + 4));
        let mut alike: Vec<(f64, usize, usize)> = Vec::new();
        for (curve, last) in latest.iter().enumerate() {
            for (k, mode) in modes[..matched].iter().enumerate() {
                let near = nearness(last, mode) * last.likeness(mode, &weights);
                if near > ALIKE {
                    alike.push((near, curve, k));
                }
            }
        }
        alike.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut curve_of: Vec<Option<usize>> = vec![None; matched];
        let mut taken = vec![false; latest.len()];
        for (_, curve, k) in alike {
            if !taken[curve] && curve_of[k].is_none() {
                (taken[curve], curve_of[k]) = (true, Some(curve));
            }
        }
        for (k, mode) in modes[..matched].iter().enumerate() {
            let curve = curve_of[k].unwrap_or_else(|| {
                latest.push(mode);
                latest.len() - 1
            });
            if along.is_some() {
                latest[curve] = mode;
            }
            if k < count {
                all.push(OnCurve { at, mode, curve });
            }
        }
    }
    numbered(all)
}

/// Curves numbered by the first of their modes that is shown, from the slowest on; instances in
/// their order.
fn numbered(mut all: Vec<OnCurve<'_>>) -> Vec<OnCurve<'_>> {
    let mut numbers: Vec<usize> = Vec::new();
    for on in &all {
        if !numbers.contains(&on.curve) {
            numbers.push(on.curve);
        }
    }
    for on in &mut all {
        on.curve = numbers.iter().position(|curve| *curve == on.curve).unwrap_or(0);
    }
    all.sort_by_key(|on| on.at);
    all
}

/// Returns the nearness of the eigenvalues of two modes, 0 to 1 (equal).
fn nearness(one: &Mode, other: &Mode) -> f64 {
    let apart = (one.eigenvalue - other.eigenvalue).norm();
    let size = one.natural().max(other.natural());
    if size > 0.0 { 1.0 - (apart / size).min(1.0) } else { 1.0 }
}

fn mode_row(study: &Study, outcome: &SteadyOutcome, on: &OnCurve<'_>) -> ModeRow {
    let of_instance = outcome.found.as_ref().ok().map(|found| &found.vibrations.modes);
    let number = of_instance.and_then(|modes| modes.iter().position(|mode| std::ptr::eq(mode, on.mode)));
    let most = on.mode.shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    let (body, share) = most.map_or((0, f64::NAN), |(body, share)| (body, *share));
    ModeRow {
        instance: outcome.instance,
        mode: number.map_or(0, |number| number as u64 + 1),
        curve: on.curve as u64 + 1,
        frequency: on.mode.frequency(),
        natural: on.mode.natural(),
        damping: on.mode.damping_ratio(),
        growth: on.mode.eigenvalue.re,
        body: study.mechanism.bodies[body].name.clone(),
        share,
    }
}

/// The modes of the first instance that has some.
fn first_modes(rows: &[ModeRow]) -> Listing {
    let first = rows.first().map(|row| row.instance);
    let rows: Vec<&ModeRow> = rows.iter().filter(|row| Some(row.instance) == first).collect();
    let numbers = |of: &dyn Fn(&ModeRow) -> f64| -> Vec<f64> { rows.iter().map(|row| of(row)).collect() };
    Listing {
        description: "One row a mode of the first instance that has an equilibrium.",
        columns: vec![
            Listed::counts(
                "mode",
                "1",
                "Number, from the slowest on.",
                rows.iter().map(|row| row.mode).collect(),
            ),
            Listed::numbers("frequency", "Hz", "Im lambda / 2 pi.", numbers(&|row| row.frequency)),
            Listed::numbers("natural_frequency", "rad/s", "|lambda|.", numbers(&|row| row.natural)),
            Listed::numbers("damping_ratio", "1", "-Re lambda / |lambda|.", numbers(&|row| row.damping)),
            Listed::numbers("growth", "1/s", "Re lambda.", numbers(&|row| row.growth)),
            Listed::text(
                "body",
                "Body with most of the kinetic energy.",
                rows.iter().map(|row| row.body.clone()).collect(),
            ),
            Listed::numbers("share", "1", "Its share.", numbers(&|row| row.share)),
        ],
    }
}

/// Statistics of each curve over the instances.
fn summary(rows: &[ModeRow]) -> Listing {
    let last = rows.iter().map(|row| row.curve).max().unwrap_or(0);
    let of_curve: Vec<Vec<&ModeRow>> =
        (1..=last).map(|curve| rows.iter().filter(|row| row.curve == curve).collect()).collect();
    let numbers =
        |of: &dyn Fn(&[&ModeRow]) -> f64| -> Vec<f64> { of_curve.iter().map(|rows| of(rows)).collect() };
    let frequencies = |rows: &[&ModeRow]| -> Vec<f64> { rows.iter().map(|row| row.frequency).collect() };
    let mut columns = vec![
        Listed::counts("curve", "1", "Number of the curve.", (1..=last).collect()),
        Listed::counts(
            "instances",
            "1",
            "Instances that have it.",
            of_curve.iter().map(|rows| rows.len() as u64).collect(),
        ),
        Listed::numbers("mean_frequency", "Hz", "Mean.", numbers(&|rows| mean(&frequencies(rows)))),
        Listed::numbers(
            "std_frequency",
            "Hz",
            "Standard deviation.",
            numbers(&|rows| deviation(&frequencies(rows))),
        ),
        Listed::numbers(
            "min_frequency",
            "Hz",
            "Least.",
            numbers(&|rows| frequencies(rows).into_iter().fold(f64::INFINITY, f64::min)),
        ),
    ];
    for (name, p) in [("q05_frequency", 0.05), ("median_frequency", 0.5), ("q95_frequency", 0.95)] {
        let listed = Listed::numbers(
            name,
            "Hz",
            format!("Quantile at {p}."),
            numbers(&|rows| quantile(&sorted(&frequencies(rows)), p)),
        );
        columns.push(if p == 0.5 { listed } else { listed.unshown() });
    }
    columns.extend([
        Listed::numbers(
            "max_frequency",
            "Hz",
            "Greatest.",
            numbers(&|rows| frequencies(rows).into_iter().fold(f64::NEG_INFINITY, f64::max)),
        ),
        Listed::numbers(
            "mean_damping_ratio",
            "1",
            "Mean.",
            numbers(&|rows| mean(&rows.iter().map(|row| row.damping).collect::<Vec<_>>())),
        ),
        Listed::numbers(
            "min_damping_ratio",
            "1",
            "Least; below zero a mode grows.",
            numbers(&|rows| rows.iter().map(|row| row.damping).fold(f64::INFINITY, f64::min)),
        ),
        Listed::counts(
            "growing",
            "1",
            "Instances in which it grows.",
            of_curve.iter().map(|rows| rows.iter().filter(|row| row.growth > 0.0).count() as u64).collect(),
        ),
    ]);
    Listing { description: "One row a curve.", columns }
}

fn figures(
    ensemble: &SteadyStudy<'_>,
    outcomes: &[SteadyOutcome],
    curves: &[OnCurve<'_>],
    rows: &[ModeRow],
    instances: &[crate::output::steady::SteadyRow],
) -> Vec<Figure> {
    if outcomes.len() < 2 || rows.is_empty() {
        return Vec::new();
    }
    let rotations: Vec<f64> = curves.iter().map(|on| instances[on.at].rotation).collect();
    let turns = rotations.iter().any(|rate| (rate - rotations[0]).abs() > 1e-12 * rate.abs());
    let along = match (turns, ensemble.only_drawn(outcomes)) {
        (true, _) => Some(("rotation".to_string(), "rad/s".to_string(), rotations.clone())),
        (false, Some((name, unit, values))) => {
            Some((name, unit, curves.iter().map(|on| values[on.at]).collect()))
        }
        (false, None) => None,
    };
    let last = rows.iter().map(|row| row.curve).max().unwrap_or(0);
    let Some((name, unit, x)) = along else { return vec![distributions(rows, last)] };
    let curves_of = |of: &dyn Fn(&ModeRow) -> f64, all: bool| -> Vec<Curve> {
        let curve = |curve: u64| {
            let mut points: Vec<(f64, f64)> = rows
                .iter()
                .zip(&x)
                .filter(|(row, _)| row.curve == curve && (all || row.frequency > 0.0))
                .map(|(row, x)| (*x, of(row)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Curve::new(format!("mode {curve}"), points)
        };
        (1..=last).map(curve).filter(|curve| !curve.points.is_empty()).collect()
    };
    let quantity = |name: &str, unit: &str| PlottedQuantity::new(name.replace('_', " "), unit.to_string());
    let mut of_frequency = curves_of(&|row| row.frequency, false);
    let highest = of_frequency.iter().flat_map(|curve| &curve.points).map(|(_, y)| *y).fold(0.0, f64::max);
    let (slowest, fastest) =
        x.iter().fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(*x), high.max(*x)));
    let mut title = format!("Frequencies: {}", from_to(rows, |row| row.frequency, "Hz"));
    let mut caption = format!("Frequencies of all modes against {name}; a curve has modes of like shape");
    if turns {
        caption.push_str("; thin lines: multiples of the rotation rate, 1P, 2P, and so on from below");
        for multiple in 1..=MULTIPLES {
            let per = f64::from(multiple) / std::f64::consts::TAU;
            let end = fastest.min(highest / per);
            if end > slowest {
                let label = if multiple == 1 { format!("1P to {MULTIPLES}P") } else { String::new() };
                let line = vec![(slowest, per * slowest), (end, per * end)];
                let guide = Curve::guide(label, line).named(format!("{multiple}P"));
                of_frequency.insert((multiple - 1) as usize, guide);
            }
        }
        let of_rate = |rate: f64| of_unit(rate, 3, "rad/s");
        let crossed = crossings(&of_frequency);
        let named =
            crossed.iter().take(CROSSINGS).map(|(rate, what)| format!("{what} at {}", of_rate(*rate)));
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            let more = crossed.len() - named.len();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            caption.push_str(&format!(". They meet: {}{more}", named.join(", ")));
        }
        if let Some((rate, what)) = crossed.first() {
            title = format!("{what} meet at {}", of_rate(*rate));
        }
    }
    let mut figures = vec![Figure {
        name: if turns { "campbell" } else { "frequencies" },
        title,
        caption,
        x: quantity(&name, &unit),
        y: PlottedQuantity::new("frequency", "Hz"),
        curves: of_frequency,
        marked: outcomes.len() <= 60,
    }];
    if rows.iter().any(|row| row.damping != 0.0) {
        let growing =
            (1..=last).filter(|curve| rows.iter().any(|row| row.curve == *curve && row.damping < -ROUNDING));
        let growing = growing.count();
        figures.push(Figure {
            name: "damping",
            title: match growing {
                0 => format!("No mode grows: damping {}", from_to(rows, |row| row.damping, "1")),
                _ => format!(
                    "{growing} of {last} modes grow: damping {}",
                    from_to(rows, |row| row.damping, "1")
                ),
            },
            caption: format!("Damping ratios of all modes against {name}; below zero a mode grows"),
            x: quantity(&name, &unit),
            y: PlottedQuantity::new("damping ratio", "1"),
            curves: curves_of(&|row| row.damping, true),
            marked: outcomes.len() <= 60,
        });
    }
    figures
}

/// Where curves of modes meet multiples of the rotation rate (rad/s), and which, from the slowest
/// rate on. Between two instances a curve is straight.
fn crossings(curves: &[Curve]) -> Vec<(f64, String)> {
    let (guides, modes): (Vec<&Curve>, Vec<&Curve>) = curves.iter().partition(|curve| curve.guide);
    let mut crossed = Vec::new();
    for guide in guides {
        let (Some(name), [(x0, y0), (x1, y1)]) = (&guide.name, &guide.points[..]) else { continue };
        let slope = (y1 - y0) / (x1 - x0);
        for mode in &modes {
            for pair in mode.points.windows(2) {
                let above = [0, 1].map(|k| pair[k].1 - (y0 + slope * (pair[k].0 - x0)));
                if above[0] != 0.0 && above[0] * above[1] <= 0.0 {
                    let rate = pair[0].0 + (pair[1].0 - pair[0].0) * above[0] / (above[0] - above[1]);
                    crossed.push((rate, format!("{} and {name}", mode.label)));
                }
            }
        }
    }
    crossed.sort_by(|a, b| a.0.total_cmp(&b.0));
    crossed
}

/// Which share of the instances has a frequency below a value, mode by mode.
fn distributions(rows: &[ModeRow], last: u64) -> Figure {
    let curve = |curve: u64| {
        let curve_rows = rows.iter().filter(|row| row.curve == curve && row.frequency > 0.0);
        let mut frequencies: Vec<f64> = curve_rows.map(|row| row.frequency).collect();
        frequencies.sort_by(f64::total_cmp);
        let count = frequencies.len() as f64;
        let points = frequencies.into_iter().enumerate().map(|(k, f)| (f, (k as f64 + 0.5) / count));
        Curve::new(format!("mode {curve}"), points.collect())
    };
    let curves = (1..=last.min(DISTRIBUTIONS as u64)).map(curve).filter(|curve| !curve.points.is_empty());
    let curves: Vec<Curve> = curves.collect();
    let title = curves.first().map_or_else(
        || "Distribution of the frequencies".to_string(),
        |curve| format!("{}: {}", curve.label, from_to(&curve.points, |(frequency, _)| *frequency, "Hz")),
    );
    Figure {
        name: "frequencies",
        title,
        caption: "Share of the instances whose frequency lies below, mode by mode".to_string(),
        x: PlottedQuantity::new("frequency", "Hz"),
        y: PlottedQuantity::new("share of the instances below", "1"),
        curves,
        marked: false,
    }
}

/// The least and the greatest of some numbers: `0.412 to 0.518 Hz`.
fn from_to<T>(all: &[T], number: impl Fn(&T) -> f64, unit: &str) -> String {
    let ends = all
        .iter()
        .map(number)
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    let [low, high] = ends.map(|end| significant(end, 3).replace('-', "−"));
    let high = with_unit(&high, unit);
    if low == high { high } else { format!("{low} to {high}") }
}

/// The shapes of the kept instances.
fn shape_rows(ensemble: &SteadyStudy<'_>, outcomes: &[SteadyOutcome], settings: &Modes) -> Vec<ShapeRow> {
    let mut rows = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.instance < settings.keep) {
        let Ok(found) = &outcome.found else { continue };
        let steady = ensemble.instance(found);
        for (k, mode) in found.vibrations.modes.iter().take(settings.count).enumerate() {
            let row = |owner: &str, quantity: String, unit, value: [f64; 2]| ShapeRow {
                instance: outcome.instance,
                mode: k as u64 + 1,
                owner: owner.to_string(),
                quantity,
                unit,
                real: value[0],
                imaginary: value[1],
            };
            rows.extend(
                entries(ensemble, found, &steady, mode)
                    .into_iter()
                    .map(|(owner, quantity, unit, value)| row(&owner, quantity, unit, value)),
            );
        }
    }
    rows
}

/// Returns the entries of a shape for every body and joint: owner, quantity, unit, real and
/// imaginary part.
fn entries(
    ensemble: &SteadyStudy<'_>,
    found: &SteadyFound,
    steady: &SteadyInstance<'_>,
    mode: &Mode,
) -> Vec<(String, String, &'static str, [f64; 2])> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let mechanism = &ensemble.study.mechanism;
    let posture = &found.equilibrium.posture;
    let parts =
        [mode.shape.iter().map(|x| x.re).collect::<Vec<f64>>(), mode.shape.iter().map(|x| x.im).collect()];
    let by_body = [steady.by_body(&parts[0]), steady.by_body(&parts[1])];
    let mut entries = Vec::new();
    for (b, body) in mechanism.bodies.iter().enumerate() {
        let name = || body.name.clone();
        entries.push((name(), "energy".to_string(), "1", [mode.shares[b], 0.0]));
        if steady.moves(b) {
            for (k, axis) in AXES.iter().enumerate() {
                entries.push((
                    name(),
                    format!("displacement.{axis}"),
                    "m",
                    [by_body[0][b].v[k], by_body[1][b].v[k]],
                ));
            }
        }
        let turned = [0, 1].map(|part| to_space(posture.motions[b].q, by_body[part][b].w));
        for (k, axis) in AXES.iter().enumerate() {
            entries.push((name(), format!("rotation.{axis}"), "rad", [turned[0][k], turned[1][k]]));
        }
        if body.flexible.is_some() {
            for k in 0..by_body[0][b].modal.len() {
                entries.push((
                    name(),
                    format!("amplitude_{k}"),
                    "1",
                    [by_body[0][b].modal[k], by_body[1][b].modal[k]],
                ));
            }
        }
    }
    for (j, joint) in mechanism.joints.iter().enumerate() {
        for coordinate in joint.kind.coordinates {
            let joint_coordinate = JointCoordinate { joint: j, coordinate: *coordinate };
            let value = [0, 1].map(|part| steady.coordinate_rate(posture, joint_coordinate, &parts[part]));
            let unit = if coordinate.is_turn() { "rad" } else { "m" };
            entries.push((joint.name.clone(), coordinate.name().to_string(), unit, value));
        }
    }
    entries
}

/// A mode of the first instance in words, with half a period of it and a whole one, if it vibrates.
struct Swing {
    what: String,
    half: Track,
    whole: Option<Track>,
}

/// The first modes of the first instance.
fn swings(ensemble: &SteadyStudy<'_>, outcomes: &[SteadyOutcome], settings: &Modes) -> Vec<Swing> {
    let first = outcomes.iter().find_map(|outcome| Some((outcome.instance, outcome.found.as_ref().ok()?)));
    let Some((instance, found)) = first else { return Vec::new() };
    let steady = ensemble.instance(found);
    let posture = &found.equilibrium.posture;
    let rest = Track {
        instance,
        times: vec![0.0],
        poses: vec![ensemble.poses(&posture.motions, &found.parameters)],
        amplitudes: vec![amplitudes(&ensemble.study.mechanism, &posture.motions)],
    };
    let size = drawn_extent(&ensemble.study.mechanism, &rest);
    let swing = |(k, mode): (usize, &Mode)| {
        let parts = steady.by_body(&mode.shape.iter().map(|x| x.norm()).collect::<Vec<f64>>());
        let bent = |(body, part): (&Body, &Velocities<f64>)| {
            let Some(modal) = body.flexible.as_ref().map(|flexible| &flexible.modal) else { return 0.0 };
            let swing = |at: Vector3<f64>| modal.displacement(at.into(), &part.modal).norm();
            modal.places().into_iter().map(swing).fold(0.0, f64::max)
        };
        let bodies = ensemble.study.mechanism.bodies.iter().zip(&parts);
        let farthest = bodies
            .map(|(body, part)| {
                let turned = AMPLITUDE / TURN * size * length(part.w);
                length(part.v).max(turned).max(bent((body, part)))
            })
            .fold(0.0, f64::max);
        let scale = AMPLITUDE * size / farthest;
        // From 0 to `end`, an angle that takes `lasts` (s).
        let track = |phases: usize, end: f64, lasts: f64| {
            let mut track = Track { instance, ..Track::default() };
            for phase in 0..phases {
                let share = phase as f64 / (phases - 1) as f64;
                let turn = nalgebra::Complex::new((end * share).cos(), (end * share).sin());
                let by = nalgebra::DVector::from_iterator(
                    mode.shape.len(),
                    mode.shape.iter().map(|x| scale * (x * turn).re),
                );
                let moved = steady.moved(posture, &by);
                track.times.push(lasts * share);
                track.poses.push(ensemble.poses(&moved.motions, &found.parameters));
                track.amplitudes.push(amplitudes(&ensemble.study.mechanism, &moved.motions));
            }
            track
        };
        let frequency = mode.frequency();
        let what = match frequency {
            0.0 => format!("mode {}: it does not vibrate, {}", k + 1, of_unit(mode.eigenvalue.re, 3, "1/s")),
            frequency => format!("mode {}: {}", k + 1, of_unit(frequency, 3, "Hz")),
        };
        let half = track(PHASES, PI, (PHASES - 1) as f64);
        let whole = (frequency > 0.0).then(|| track(PLAYED, 2.0 * PI, 1.0 / frequency));
        (farthest > 0.0).then_some(Swing { what, half, whole })
    };
    found.vibrations.modes.iter().take(settings.count.min(DRAWN)).enumerate().filter_map(swing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_meet_multiples_of_the_rate_where_lines_cross() {
        let guide = |n: f64| Curve::guide("", vec![(0.0, 0.0), (4.0, 4.0 * n)]).named(format!("{n}P"));
        let mode = Curve::new("mode 1", vec![(0.0, 3.0), (2.0, 3.0), (4.0, 3.0)]);
        let crossed = crossings(&[guide(1.0), guide(2.0), guide(0.5), mode]);
        assert_eq!(crossed, [(1.5, "mode 1 and 2P".to_string()), (3.0, "mode 1 and 1P".to_string())]);
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&sorted(&[3.0, 1.0, 2.0]), 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.25), 1.25);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn both_kinds_advance_nothing() {
        const { assert!(!Modes::CARD.steps && !crate::study_file::kinds::equilibria::Static::CARD.steps) };
    }
}
