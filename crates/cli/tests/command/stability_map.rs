//! Stability maps: limits that are known, cells that the reference knows, and what a map leaves
//! behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::texts;
use crate::command::{altered, ends_with, path};
#[cfg(feature = "gpu")]
use crate::common::engine::assert_same;
use crate::common::engine::{Quiet, Ready};
use crate::common::judged::{reference, worst};
use crate::common::root;
use crate::common::tolerances::{REFERENCE_PER_STEP, SINGLE_REFERENCE_PER_STEP};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use nalgebra::SMatrix;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::output::Manifest;
use polhode::study::replay::replay;
use polhode::study::stable_step::unexcited;
use polhode::study::{Listener, RunOutcome};
use polhode::study_file::kinds::stability_map::StabilityMap;
use polhode::study_file::{read_study, resolved_toml};
use tempfile::TempDir;

fn shipped(name: &str) -> Study {
    let file = root().join("studies").join(name).with_extension("toml");
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

fn read(folder: &Path, text: &str) -> Study {
    let file = folder.join("study.toml");
    fs::write(&file, text).unwrap();
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Modes that nothing moves are no part of a step: the map says so.
#[test]
fn modes_that_nothing_moves_are_told() {
    let folder = TempDir::new().unwrap();
    let note = |amplitudes: &str| {
        let text = format!(
            "[study]\nkind = \"stability_map\"\nx = \"method.step\"\ny = \"rod.damping_scale\"\n\
             [method]\nname = \"staggered\"\nstep = \"1 ms\"\nsteps = 50\n[ensemble.vary]\n\
             \"method.step\" = {{ linspace = {{ from = \"1 ms\", to = \"40 ms\", count = 10 }} }}\n\
             \"rod.damping_scale\" = {{ linspace = {{ from = 0.1, to = 10, count = 5 }} }}\n\
             [[mechanism.body]]\nname = \"hub\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [[mechanism.body]]\nname = \"rod\"\n[mechanism.body.flexible]\ndamping = 0.01\n\
             amplitudes = {amplitudes}\n\
             beam = {{ length = 1, mass = 0.5, polar_inertia = 2e-4, bending_stiffness = 4, modes_y = 2, \
             modes_z = 1 }}\n"
        );
        unexcited(&read(folder.path(), &text))
    };
    let found = note("[1e-4, 0, 0]").expect("two modes rest");
    assert!(found.starts_with("nothing moves rod.amplitude_1, rod.amplitude_2: "), "{found}");
    assert_eq!(note("[1e-4, 1e-6, 1e-6]"), None);
    assert_eq!(unexcited(&shipped("map_slider_crank")), None);
}

fn run(study: &Study, out: &Path) -> RunOutcome {
    let never = AtomicBool::new(false);
    polhode::study::run(study, out, false, &Quiet, &never).unwrap_or_else(|error| panic!("{error}"))
}

fn table(folder: &Path, name: &str) -> RecordBatch {
    let file = fs::File::open(folder.join(name)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().with_batch_size(1 << 20);
    let mut batches: Vec<RecordBatch> = builder.build().unwrap().map(Result::unwrap).collect();
    assert_eq!(batches.len(), 1, "{name}");
    batches.remove(0)
}

fn floats_of(table: &RecordBatch, column: &str) -> Vec<f64> {
    let column = table.column_by_name(column).unwrap_or_else(|| panic!("{column}"));
    column.as_primitive::<Float64Type>().iter().map(|x| x.unwrap_or(f64::NAN)).collect()
}

/// A row of `boundary.parquet`.
#[derive(Clone, Debug)]
struct Row {
    variant: String,
    y: f64,
    largest: f64,
    unstable: f64,
    last: f64,
}

fn boundary(out: &Path) -> Vec<Row> {
    let batch = table(out, "boundary.parquet");
    let floats = |name: &str| floats_of(&batch, name);
    let (y, largest, unstable, last) =
        (floats("y"), floats("largest_stable"), floats("first_unstable"), floats("last_stable"));
    let variants = texts(&batch, "variant");
    let row = |k: usize| Row {
        variant: variants[k].clone(),
        y: y[k],
        largest: largest[k],
        unstable: unstable[k],
        last: last[k],
    };
    (0..y.len()).map(row).collect()
}

/// Central differences of an oscillator are stable for omega h < 2. 400 x 400 cells, a mass on a
/// line spring and a wheel on a torsion spring: in each of the 400 rows the cell of the limit is
/// the last stable one or the first that is not.
#[test]
fn the_limit_of_central_differences_is_found_in_every_row() {
    for name in ["map_oscillator", "map_torsion"] {
        let home = TempDir::new().unwrap();
        let out = home.path().join("out");
        let outcome = run(&shipped(name), &out);
        assert_eq!((outcome.manifest.instances, outcome.manifest.complete), (160_000, true), "{name}");
        let rows = boundary(&out);
        assert_eq!(rows.len(), 400);
        // Mass and moment of inertia are 1.
        let cell = 3.99 / 399.0;
        for row in rows {
            let limit = 2.0 / row.y.sqrt();
            assert!(row.largest < limit + cell && row.unstable > limit - cell, "{name}: {row:?}, {limit}");
            assert!(
                (row.unstable - row.largest - cell).abs() < 1e-9 && row.last == row.largest,
                "{name}: {row:?}"
            );
        }
    }
}

/// Largest angular frequency (rad/s) of the rod of the elastic slider-crank between its pins: three
/// free-free modes of a uniform beam, each of which moves both ends by 2 / sqrt(m), and the two
/// rigid motions, less what the pins prevent.
fn rod_between_pins() -> f64 {
    let (length, mass, bending, inertia) =
        (0.3048f64, 0.0759673587424737f64, 16.508185068324163, 0.000588133213995532f64);
    let free = [4.730040744862704f64, 7.853204624095838, 10.995607838001671]
        .map(|k| (k / length).powi(4) * bending * length / mass);
    // Coordinates of unit mass: along y, about z, the modes.
    let end = 2.0 / mass.sqrt();
    let (along, about) = (1.0 / mass.sqrt(), length / 2.0 / inertia.sqrt());
    let pins = SMatrix::<f64, 2, 5>::from_rows(&[
        [along, -about, end, -end, end].into(),
        [along, about, end, end, end].into(),
    ]);
    let prevented = pins.transpose() * (pins * pins.transpose()).try_inverse().unwrap() * pins;
    let left = SMatrix::<f64, 5, 5>::identity() - prevented;
    let stiffness = SMatrix::<f64, 5, 5>::from_diagonal(&[0.0, 0.0, free[0], free[1], free[2]].into());
    (left * stiffness * left).symmetric_eigenvalues().max().sqrt()
}

/// Pins let the rod vibrate more slowly than it would by itself, so that longer steps are stable
/// than `check` says of the free rod: up to omega h = 2 of the rod between its pins, in every row,
/// on the CPU and by the kernel.
#[test]
fn the_limit_of_an_elastic_slider_crank_falls_with_its_stiffness() {
    let omega = rod_between_pins();
    println!("{omega} rad/s");
    assert!(omega < 0.8 * 10591.4);
    let coarse = "{ 'method.step' = { linspace = { from = '0.1 ms', to = '0.6 ms', count = 21 } }, \
                  'rod.stiffness_scale' = { logspace = { from = 0.3, to = 3, count = 7 } } }";
    for (changes, cell, count) in [
        (vec![], 0.5e-3 / 99.0, 100),
        (
            vec![("ensemble.vary", coarse), ("run.backend", "'gpu'"), ("method.steps", "1000")],
            0.5e-3 / 20.0,
            7,
        ),
    ] {
        let home = TempDir::new().unwrap();
        let study = altered("map_slider_crank", home.path(), &changes);
        let out = home.path().join("out");
        let outcome = run(&read_study(&study).unwrap_or_else(|problems| panic!("{problems}")), &out);
        assert!(outcome.manifest.complete);
        let rows = boundary(&out);
        assert_eq!(rows.len(), count);
        for row in rows {
            let limit = 2.0 / (omega * row.y.sqrt());
            assert!(row.largest < limit + cell && row.unstable > limit - cell, "{row:?}, {limit}");
            assert!((row.unstable - row.largest - cell).abs() < 1e-9 && row.last == row.largest, "{row:?}");
        }
    }
}

/// equations.md, section 1: the largest h |w0| with less than 10 % of energy error over 10^5 steps,
/// J = (5, 10, 1), no restarts. PC87's .117 is not confirmed: docs/findings.md, section 12, has
/// .157 for the three iterations of the default.
#[test]
fn long_runs_of_a_free_body_reach_as_far_as_is_known() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    run(&shipped("map_free_body"), &out);
    let rows = boundary(&out);
    // |w0| = 8 rad/s; 26 values over two decades.
    let cell = 100f64.powf(1.0 / 25.0);
    for (variant, limit) in [
        ("Staggered conserving", 0.455),
        ("K14, E1", 0.27),
        ("Simo-Wong", 0.264),
        ("PCD90", 0.134),
        ("PC87", 0.157),
        ("Predictor-corrector", 0.030),
    ] {
        let row = rows.iter().find(|row| row.variant == variant && row.y == 10.0).unwrap();
        let (largest, unstable) = (8.0 * row.largest, 8.0 * row.unstable);
        println!("{variant}: {largest:.3} to {unstable:.3}, known {limit}");
        assert!(largest < limit * cell && unstable > limit / cell, "{variant}: {row:?}");
    }
    // The limit of each method depends on the ratio of the moments.
    for variant in ["Staggered conserving", "Simo-Wong"] {
        let reach = |y: f64| rows.iter().find(|row| row.variant == variant && row.y == y).unwrap().largest;
        assert!(reach(6.0) > 1.3 * reach(14.0), "{variant}");
    }
}

#[test]
fn printed_multipliers_fail_where_the_default_does_not() {
    let home = TempDir::new().unwrap();
    let study = altered(
        "map_multipliers",
        home.path(),
        &[(
            "ensemble.vary",
            "{ \"method.step\" = { logspace = { from = \"0.1 ms\", to = \"50 ms\", count = 12 } }, \
               \"constraints.eps\" = { logspace = { from = 1e-8, to = 1e-4, count = 9 } } }",
        )],
    );
    let out = home.path().join("out");
    run(&read_study(&study).unwrap(), &out);
    let cells = table(&out, "cells.parquet");
    let (variants, verdicts) = (texts(&cells, "variant"), texts(&cells, "verdict"));
    let [steps, eps] = ["x", "y"].map(|name| floats_of(&cells, name));
    let finished = |variant: &str, wanted: &dyn Fn(f64, f64) -> bool| {
        let is_wanted = |k: &usize| variants[*k] == variant && wanted(steps[*k], eps[*k]);
        let all: Vec<usize> = (0..cells.num_rows()).filter(is_wanted).collect();
        assert!(!all.is_empty());
        all.iter().filter(|k| verdicts[**k] == "finished").count() as f64 / all.len() as f64
    };
    let everywhere = |_: f64, _: f64| true;
    assert_eq!(finished("Backward Euler", &everywhere), 1.0);
    // They settle at twice what holds the ball, whatever step and compliance.
    assert_eq!(finished("As printed", &everywhere), 0.0);
    // With the factor that is meant they bear short steps, the shorter the smaller the compliance.
    assert_eq!(finished("As printed, corrected", &|h, _| h < 4e-3), 1.0);
    assert_eq!(finished("As printed, corrected", &|h, eps| h > 8e-3 && eps < 2e-6), 0.0);
    assert_eq!(finished("As printed, corrected", &|h, eps| h < 8.5e-3 && eps > 5e-6), 1.0);
    assert_eq!(finished("As printed, corrected", &|h, _| h > 20e-3), 0.0);
}

/// Double pendulums, each with its own step and compliance.
const DRAWN: &str = r#"
mechanism = "MECHANISM"

[study]
kind = "stability_map"

[method]
name = "staggered"
step = "1 ms"
steps = 40
resynchronise = 15

[constraints]
treatment = "staggered"
beta = 0

[ensemble]
size = 36

[ensemble.vary]
"method.step" = { logspace = { from = "0.2 ms", to = "4 ms", count = 3 } }
"constraints.eps" = { list = [1e-8, 1e-6, 1e-5, 1e-3] }
"constraints.gamma" = { uniform = { low = 1, high = 20 } }
"lower.angular_velocity" = { normal = { std = 0.5 } }

[run]
fused = false
"#;

fn drawn(folder: &Path) -> Study {
    let mechanism = root().join("mechanisms/double_pendulum.toml");
    read(folder, &DRAWN.replace("MECHANISM", path(&mechanism)))
}

#[test]
fn instances_with_their_own_step_and_compliance_move_as_the_reference_says() {
    let home = TempDir::new().unwrap();
    let mut study = drawn(home.path());
    study.observe.every = study.method.steps;
    let ready = Ready::new(study);
    let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
    // They are not alike: the steps differ by a factor of 20, and so does the time at the end.
    let times: Vec<f64> = references.iter().map(|state| state.time).collect();
    assert!(times[0] * 19.0 < times[8], "{times:?}");
    for (precision, tolerance) in
        [(Precision::F64, REFERENCE_PER_STEP), (Precision::F32, SINGLE_REFERENCE_PER_STEP)]
    {
        let lanes = ready.on_cpu(precision, 2);
        #[cfg(feature = "gpu")]
        assert_same(&format!("{precision:?}"), &ready.on_gpu(precision), &lanes);
        let worst = worst(&ready, &lanes, &references);
        println!("{precision:?}: {worst:e}");
        assert!(worst < 40.0 * tolerance, "{precision:?}: {worst:e}");
    }
}

/// Instance by instance, the cells are those of runs with one step and one compliance each.
#[test]
fn a_cell_of_another_variant_is_replayed_by_its_own_treatment() {
    let home = TempDir::new().unwrap();
    let text = resolved_toml(&drawn(home.path())).replace(
        "kind = \"stability_map\"",
        "kind = \"stability_map\"\ncompare = [{ name = \"a\" }, { name = \"b\", constraints = { treatment = \
         \"staggered_as_printed\", corrected = true } }, \
         { name = \"c\", method = { name = \"staggered\", resynchronise = 0 } }]",
    );
    let out = home.path().join("out");
    let outcome = run(&read(home.path(), &text), &out);
    assert_eq!(outcome.manifest.instances, 3 * 36);
    for instance in [0, 35, 36 + 13, 72, 72 + 30] {
        let replay = replay(&out, instance).unwrap();
        let method = if instance >= 72 { 0 } else { 15 };
        assert_eq!(replay.study.method.resynchronise, method);
        let worst = replay.comparison.iter().map(|c| (c.stored - c.reference).abs()).fold(0.0, f64::max);
        assert!(
            replay.comparison.len() > 20 && worst < 40.0 * REFERENCE_PER_STEP * 10.0,
            "{instance}: {worst:e}"
        );
    }
    let (_, err) = ends_with(2, &["replay", path(&out), "--instance", "108"]);
    assert!(err.contains("instances 0 to 107"), "{err}");
}

/// A row of counts is the run with this count; bisection ends at the limit that the grid brackets.
const OSCILLATOR: &str = r#"
[study]
kind = "stability_map"
period = "1 s"
STUDY

[method]
name = "staggered"
step = "1 ms"
steps = 2000
resynchronise = 0

[ensemble.vary]
"method.step" = { linspace = { from = "0.1 s", to = "4 s", count = 14 } }
VARY

[verdict]
energy = 1e6

[run]
backend = "cpu"

[mechanism.body]
name = "mass"
mass = 1
inertia = [1, 1, 1]
initial = { position = [1.001, 0, 0] }

[[mechanism.spring]]
name = "coil"
bodies = ["ground", "mass"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 1
free_length = 1
"#;

fn oscillator(folder: &Path, of_study: &str, vary: &str) -> Study {
    read(folder, &OSCILLATOR.replace("STUDY", of_study).replace("VARY", vary))
}

#[test]
fn bisection_ends_at_the_limit() {
    const WIDTH: f64 = 1e-3;
    let home = TempDir::new().unwrap();
    let stiffness = "\"coil.stiffness\" = { list = [0.5, 1, 2, 9, 1000] }";
    let out = home.path().join("fine");
    run(&oscillator(home.path(), &format!("bisect = {WIDTH}"), stiffness), &out);
    let fine = boundary(&out);
    let out = home.path().join("coarse");
    run(&oscillator(home.path(), "", stiffness), &out);
    let coarse = boundary(&out);
    for (fine, coarse) in fine.iter().zip(&coarse).take(4) {
        let limit = 2.0 / fine.y.sqrt();
        assert!(fine.unstable - fine.largest <= WIDTH * fine.unstable, "{fine:?}");
        // 2000 steps tell the two sides apart to some 1e-5.
        assert!(fine.largest < limit * 1.0001 && fine.unstable > limit * 0.9999, "{fine:?} {limit}");
        assert!(
            coarse.largest <= fine.largest && fine.unstable <= coarse.unstable && fine.last == fine.largest
        );
    }
    // Stiffer than the first cell bears: there is no bracket.
    assert!(fine[4].largest.is_nan() && fine[4].unstable == 0.1, "{:?}", fine[4]);
}

#[test]
fn rows_of_counts_are_runs_with_these_counts() {
    let home = TempDir::new().unwrap();
    let y = "y = { quantity = \"method.resynchronise\", values = [0, 7, 100] }";
    let out = home.path().join("all");
    let study = oscillator(home.path(), y, "");
    run(&study, &out);
    let all = table(&out, "cells.parquet");
    let columns = ["x", "share_stable", "failed_step", "energy_drift", "energy_drift_rate", "samples"];
    let mut differ = false;
    for (row, count) in [0u64, 7, 100].into_iter().enumerate() {
        let two = "\"coil.stiffness\" = { list = [1, 2] }";
        let mut alone = oscillator(home.path(), "", two);
        alone.method.resynchronise = count;
        let out = home.path().join(count.to_string());
        run(&alone, &out);
        let alone = table(&out, "cells.parquet");
        for column in columns {
            let [all, alone] = [&all, &alone].map(|map| floats_of(map, column));
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&all[14 * row..14 * (row + 1)]), bits(&alone[..14]), "{column}, {count}");
            differ |= column == "energy_drift" && bits(&all[..14]) != bits(&alone[..14]);
        }
    }
    assert!(differ, "restarts change nothing");
    let replay = replay(&out, 14 + 3).unwrap();
    assert_eq!((replay.study.method.resynchronise, replay.drawn.len()), (7, 1));
}

/// The rate of an energy that grows: the predictor-corrector's (H92), against the energies at both
/// ends.
#[test]
fn drift_rates_and_worst_values_are_those_of_the_motion() {
    let home = TempDir::new().unwrap();
    let study = read(
        home.path(),
        r#"
        [study]
        kind = "stability_map"
        [method]
        name = "predictor_corrector"
        step = "1 ms"
        steps = 20000
        [ensemble.vary]
        "method.step" = { list = ["1 ms", "2 ms"] }
        "body.angular_velocity.y" = { list = [0.5, 1] }
        [run]
        backend = "cpu"
        [mechanism.body]
        name = "body"
        mass = 1
        inertia = [5, 10, 1]
        initial = { angular_velocity = [1, 0.5, 2] }
        "#,
    );
    let out = home.path().join("out");
    run(&study, &out);
    let (cells, instances) = (table(&out, "cells.parquet"), table(&out, "instances.parquet"));
    let floats = |name: &str| floats_of(&cells, name);
    let last = floats_of(&instances, "final.body.energy_drift");
    let (rate, worst, step) = (floats("energy_drift_rate"), floats("energy_drift"), floats("x"));
    // Instances run over y fastest, cells over x.
    for (cell, instance) in [(0, 0), (1, 2), (2, 1), (3, 3)] {
        let mean = last[instance] / (20_000.0 * step[cell]);
        println!("{} {mean:e} {:e} {:e}", rate[cell], last[instance], worst[cell]);
        assert!((rate[cell] / mean - 1.0).abs() < 0.1, "{} {mean:e}", rate[cell]);
        assert!(worst[cell] >= last[instance].abs() && worst[cell] < 1.5 * last[instance].abs());
    }
    // It grows as h^3.
    assert!((rate[1] / rate[0]).log2() > 2.7 && (rate[1] / rate[0]).log2() < 3.3, "{rate:?}");
}

#[test]
fn tables_do_not_depend_on_chunks_and_replicas_share_a_cell() {
    let home = TempDir::new().unwrap();
    let mut study = drawn(home.path());
    study.method.steps = 400;
    study.observe.every = 20;
    study.verdict.constraint = Some(2e-5);
    study.verdict.every = 10;
    study.output.plots = true;
    let mut kept: Option<Vec<Vec<u8>>> = None;
    for (chunk, threads) in [(None, 1), (Some(7), 2), (Some(1), 4)] {
        let out = home.path().join(format!("{threads}"));
        (study.run.chunk, study.run.threads) = (chunk, Some(threads));
        run(&study, &out);
        let files = ["cells.parquet", "boundary.parquet", "instances.parquet"];
        let bytes: Vec<Vec<u8>> = files.iter().map(|file| fs::read(out.join(file)).unwrap()).collect();
        assert_eq!(*kept.get_or_insert_with(|| bytes.clone()), bytes, "{chunk:?}");
        for plot in ["map", "failure", "share"] {
            let svg = fs::read_to_string(out.join(format!("plots/{plot}.svg"))).unwrap();
            assert!(svg.contains("data:image/png;base64,") && svg.contains("constraints eps"), "{plot}");
        }
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(report.contains("How far it is stable") && report.contains("3 instances of 400 steps"));
    }
    let cells = table(&home.path().join("1"), "cells.parquet");
    let (shares, verdicts) = (floats_of(&cells, "share_stable"), texts(&cells, "verdict"));
    let bound = floats_of(&cells, "share.constraint_bound");
    assert_eq!(shares.len(), 12);
    assert!(verdicts.iter().any(|v| v == "constraint_bound") && verdicts.iter().any(|v| v == "finished"));
    for k in 0..12 {
        assert!((shares[k] + bound[k] - 1.0).abs() < 1e-12, "{k}");
        assert_eq!(verdicts[k] == "finished", shares[k] == 1.0);
    }
}

/// Ends the run when it is told of progress.
struct Impatient(AtomicBool);

impl Listener for Impatient {
    fn say(&self, _: &str) {}
    fn progress(&self, _: u64, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_map_keeps_what_is_known() {
    let home = TempDir::new().unwrap();
    let study = oscillator(home.path(), "", "\"coil.stiffness\" = { list = [1, 2] }");
    let study = Study { run: polhode::describe::Run { chunk: Some(4), ..study.run }, ..study };
    let out: PathBuf = home.path().join("out");
    let impatient = Impatient(AtomicBool::new(false));
    let outcome = polhode::study::run(&study, &out, false, &impatient, &impatient.0).unwrap();
    assert!(!outcome.manifest.complete);
    assert_eq!(Manifest::read(&out).unwrap().kind, "stability_map");
    let verdicts = texts(&table(&out, "cells.parquet"), "verdict");
    assert!(verdicts.iter().filter(|v| *v == "not_run").count() > 20, "{verdicts:?}");
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("Incomplete"));
}

#[test]
fn what_a_map_cannot_do_is_refused_by_name() {
    let home = TempDir::new().unwrap();
    oscillator(home.path(), "", "\"coil.stiffness\" = { list = [1, 2] }");
    let study = home.path().join("study.toml");
    let out = home.path().join("out");
    let (checked, _) = ends_with(0, &["check", path(&study), "--verbose"]);
    for line in ["map           1 of 14 x 2 cells: staggered", "stable        energy", "operations a step"] {
        assert!(checked.contains(line), "{line}\n{checked}");
    }
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&out)]);
    assert!(printed.contains("cells are stable"), "{printed}");
    for arguments in [&["plot", path(&out)][..], &["compare", path(&out), path(&out)]] {
        let (_, err) = ends_with(2, arguments);
        assert!(err.contains("is of a study of kind stability_map"), "{err}");
    }
    ends_with(2, &["merge", path(&out), "--out", path(&home.path().join("merged"))]);
}

/// A map without bounds gets some: a tenth of the energy where it is kept, else ten times, and of
/// the joints' reach.
#[test]
fn a_map_without_bounds_gets_some() {
    let home = TempDir::new().unwrap();
    let without = |text: &str| text.replace("[verdict]\nenergy = 1e6", "");
    let text = OSCILLATOR.replace("STUDY", "").replace("VARY", "\"coil.stiffness\" = { list = [1, 2] }");
    let bounds = |text: &str| {
        let verdict = read(home.path(), text).verdict;
        (verdict.energy, verdict.constraint)
    };
    assert_eq!(bounds(&text), (Some(1e6), None));
    assert_eq!(bounds(&without(&text)), (Some(0.1), None));
    assert_eq!(bounds(&(without(&text) + "damping = 1\n")), (Some(10.0), None));
    let study = drawn(home.path());
    // The elbow is 1 m from the shoulder.
    assert_eq!((study.verdict.energy, study.verdict.constraint), (Some(0.1), Some(0.1)));
    let map = study.kind.settings::<StabilityMap>().expect("a map");
    assert_eq!((map.x.along.name(), map.y.along.name()), ("method.step", "constraints.eps"));
}

/// A condition that the user names bounds what is driven: energy may be anything there, and only
/// there.
#[test]
fn named_conditions_alone_bound_what_is_driven() {
    let home = TempDir::new().unwrap();
    let text = OSCILLATOR.replace("STUDY", "").replace("VARY", "\"coil.stiffness\" = { list = [1, 2] }");
    let away = "[[verdict]]\nname = \"away\"\nwhen = \"abs(mass.position.x) > 3\"\n";
    let text = text.replace("[verdict]\nenergy = 1e6\n", away);
    let energy = |text: &str| read(home.path(), text).verdict.energy;
    assert_eq!(energy(&text), Some(0.1));
    let driven = text
        + "[[mechanism.load]]\nname = \"push\"\nkind = \"force\"\naxes = \"space\"\n\
           function = [\"sin(t)\", 0, 0]\n";
    assert_eq!(energy(&driven), None);
    let resolved = resolved_toml(&read(home.path(), &driven));
    assert_eq!(energy(&resolved), None, "{resolved}");
    assert_eq!(energy(&driven.replace(away, "")), Some(10.0));
}

/// Every key of a map survives being written and read.
#[test]
fn maps_survive_being_written_and_read() {
    let home = TempDir::new().unwrap();
    for name in ["map_oscillator", "map_torsion", "map_free_body", "map_multipliers", "map_slider_crank"] {
        let study = shipped(name);
        assert_eq!(read(home.path(), &resolved_toml(&study)), study, "{name}");
    }
    let all = "x = { quantity = \"method.step\", factor = 2.5, label = \"h \\\"in\\\" s\" }\nbisect = 0.01\n\
               y = { quantity = \"method.resynchronise\", values = [0, 5] }\n\
               compare = [{ name = \"a\", method = { name = \"staggered\", update = \"exponential\" }, \
               constraints = { project = 7 } }]";
    let study = oscillator(home.path(), all, "");
    assert_eq!(read(home.path(), &resolved_toml(&study)), study);
}

/// The plan of a map serves all its steps: none is a constant of the kernel.
#[test]
fn one_plan_serves_all_steps() {
    let plan = Ready::new(shipped("map_oscillator")).plan;
    assert!(plan.model.varies(plan.model.step()));
}

/// A spring and a mass that starts small: the maps of `staggered` and `rk4` end where theory has
/// it, at omega h = 2 and 2 sqrt 2.
#[test]
fn maps_of_an_oscillator_end_at_the_limit_of_theory() {
    let folder = TempDir::new().unwrap();
    let changes = [
        ("study.compare", "[{ name = \"rk4\", method = { name = \"rk4\" } }]"),
        (
            "ensemble.vary",
            "{ \"method.step\" = { linspace = { from = 0.1, to = 4, count = 118 } }, \
               \"coil.stiffness\" = { list = [1, 2] } }",
        ),
    ];
    let study = read_study(&altered("map_oscillator", folder.path(), &changes)).unwrap();
    let out = folder.path().join("out");
    let said = run(&study, &out).found;
    for (line, theory) in said.iter().zip(["1.41421 to 2", "2 to 2.82843"]) {
        assert!(line.ends_with(&format!("; theory gives {theory}")), "{said:?}");
    }
    let boundary = table(&out, "boundary.parquet");
    let (largest, unstable, theory) = (
        floats_of(&boundary, "largest_stable"),
        floats_of(&boundary, "first_unstable"),
        floats_of(&boundary, "theory"),
    );
    let limits = [2.0, 2.0, 8f64.sqrt(), 8f64.sqrt()];
    assert_eq!(theory.len(), limits.len());
    for (row, limit) in limits.into_iter().enumerate() {
        let expected = limit / [1f64, 2.0][row % 2].sqrt();
        assert!((theory[row] / expected - 1.0).abs() < 1e-6, "{row}: {} {expected}", theory[row]);
        assert!(
            largest[row] <= expected && expected <= unstable[row] + 1e-9,
            "{row}: {} {expected}",
            largest[row]
        );
    }
}
