//! Measurements of speed, and studies of kind `convergence`: what they measure, and what they
//! leave.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use polhode::base::Options;
use polhode::describe::Study;
use polhode::methods::{Adaptive, cards};
use polhode::output::{CONVERGENCE, Manifest, THROUGHPUT};
use polhode::study;
use polhode::study::kinds::convergence::{self, find};
use polhode::study::replay::replay;
use polhode::study::throughput::{self, Throughput, measure};
use polhode::study::{Listener, RunError};
use polhode::study_file::kinds::convergence::Convergence;
use polhode::study_file::{read_study, resolved_toml};
use serde_json::Value;

use crate::common::tolerances::{NEXT_ORDER, SLOPE};

struct Silent;

impl Listener for Silent {
    fn say(&self, _: &str) {}
    fn progress(&self, _: u64, _: u64) {}
}

const FREE_BODY: &str = "
mechanism = \
{ body = { mass = 1.0, inertia = [5.0, 10.0, 1.0], initial = { angular_velocity = [0.1, 2.0, 0.1] } } }
";

const VARIED: &str = "
[ensemble]
size = 4
[ensemble.vary]
\"body.angular_velocity\" = { normal = { std = 0.05 } }
";

/// A free beam that vibrates and does not turn.
const BEAM: &str = "
mechanism = \
{ body = { name = \"beam\", flexible = { amplitudes = [0.01, 0.003], \
beam = { length = 1, mass = 0.5, polar_inertia = 1e-3, bending_stiffness = 4, modes_y = 2 } } } }
";

/// A study of these texts; what does not read is a fault of the test.
fn study(parts: &[&str]) -> Study {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    std::fs::write(&file, parts.concat()).unwrap();
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

fn convergence_study(methods: &str, steps: &str, more: &str) -> Study {
    let kind = format!("[study]\nkind = \"convergence\"\nmethods = [{methods}]\nsteps = [{steps}]\n{more}");
    study(&[
        FREE_BODY,
        VARIED,
        &kind,
        "\n[method]\nname = \"staggered\"\nstep = \"10 ms\"\nduration = \"2 s\"\n[run]\nprecision = \"f64\"",
    ])
}

fn run(study: &Study, out: &Path, interrupted: bool) -> Result<study::RunOutcome, RunError> {
    study::run(study, out, false, &Silent, &AtomicBool::new(interrupted))
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The table has these columns with these units, and every number in it is finite, but in the
/// columns that may be empty.
fn check_listing(table: &Value, columns: &[(&str, &str)], may_be_empty: &[&str]) {
    let rows = table["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && table["description"].is_string());
    for (name, unit) in columns {
        assert_eq!(table["units"][name], *unit, "{name}");
        for row in rows {
            let cell = &row[name];
            let empty = may_be_empty.contains(name) && cell.is_null();
            assert!(empty || cell.is_string() || cell.as_f64().is_some_and(f64::is_finite), "{name}: {row}");
        }
    }
    assert_eq!(table["units"].as_object().unwrap().len(), columns.len());
}

#[test]
fn the_slope_of_every_method_is_its_order() {
    let of_fixed_steps =
        cards().iter().filter(|card| Adaptive::new(card.name, &Options::default()).is_none());
    let names: Vec<String> = of_fixed_steps.map(|card| format!("\"{}\"", card.name)).collect();
    let study = convergence_study(
        &names.join(", "),
        "0.2, 0.1, 0.05, 0.025, 0.0125, 0.00625",
        "repeats = 1\ntargets = []",
    );
    let settings = study.kind.settings::<Convergence>().expect("a convergence");
    let found = find(&study, settings, &Silent, &AtomicBool::new(false)).unwrap();
    assert_eq!(found.slopes.len(), names.len());
    for slope in &found.slopes {
        let contestant = &found.contestants[slope.contestant];
        let order = f64::from(contestant.order);
        assert!(slope.rungs >= 2, "{}: {} rungs", contestant.label(), slope.rungs);
        println!("{}: {} over {} rungs", contestant.label(), slope.slope, slope.rungs);
        let above = if order == 5.0 { NEXT_ORDER } else { SLOPE * order };
        assert!(
            slope.slope - order < above && order - slope.slope < SLOPE * order,
            "{}: {}, order {order}",
            contestant.label(),
            slope.slope
        );
    }
}

/// Bodies that bend and do not turn are judged by how they bend.
#[test]
fn deformation_has_the_order_of_the_method() {
    let study = study(&[
        BEAM,
        "[ensemble]\nsize = 3\n[ensemble.vary]\n\
         \"beam.stiffness_scale\" = { uniform = { low = 0.9, high = 1.1 } }\n",
        "[study]\nkind = \"convergence\"\nmethods = [\"staggered\", \"rk4\"]\n\
         steps = [4e-4, 2e-4, 1e-4, 5e-5]\nrepeats = 1\ntargets = [1e-4]\n",
        "[method]\nname = \"staggered\"\nstep = \"1e-4 s\"\nduration = \"0.2 s\"\n[run]\nprecision = \"f64\"",
    ]);
    let settings = study.kind.settings::<Convergence>().expect("a convergence");
    let found = find(&study, settings, &Silent, &AtomicBool::new(false)).unwrap();
    for (slope, order) in found.slopes.iter().zip([2.0, 4.0]) {
        println!(
            "{}: {} over {} rungs",
            found.contestants[slope.contestant].label(),
            slope.slope,
            slope.rungs
        );
        assert!(slope.rungs >= 2 && (slope.slope - order).abs() < SLOPE * order);
    }
    // Where the body goes by millimetres, an error of nothing would be no error.
    let coarse =
        found.rungs.iter().map(|measurement| measurement.largest(|error| error.attitude)).fold(0.0, f64::max);
    assert!(coarse > 1e-4, "{coarse}");
    assert!(found.targets.iter().all(|target_step| target_step.measurement.is_some()));
}

/// All that people read names the quantity of an error: deformation too where a body deforms, and
/// not elsewhere.
#[test]
fn an_error_of_deformation_is_called_that() {
    let convergence = "[study]\nkind = \"convergence\"\nmethods = [\"rk4\"]\nsteps = [2e-3, 1e-3]\n\
                       repeats = 1\ntargets = [1e-3]\n";
    let throughput =
        Throughput { sizes: vec![8], steps: vec![2], repeats: 1, judged: 1, ..Throughput::default() };
    let method = "[ensemble]\nsize = 1\n[method]\nname = \"rk4\"\nstep = \"1 ms\"\nduration = \"0.02 s\"\n\
                  [run]\nthreads = 1\n[output]\nplots = true\n";
    for (mechanism, deforms) in [(BEAM, true), (FREE_BODY, false)] {
        for kind in [convergence, ""] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out");
            let study = study(&[mechanism, kind, method]);
            match kind {
                "" => measure(&study, &throughput, (&out, false), &Silent, &AtomicBool::new(false)).unwrap(),
                _ => run(&study, &out, false).unwrap(),
            };
            let report = std::fs::read_to_string(out.join("report.html")).unwrap();
            let (read, _) = report.split_once("As resolved").unwrap();
            for words in ["attitude or deformation", "radius of gyration"] {
                assert_eq!(read.contains(words), deforms, "{words}, {kind}");
            }
            if kind == convergence {
                let plot = std::fs::read_to_string(out.join("plots/error_over_step.svg")).unwrap();
                assert_eq!(plot.contains("error of attitude or deformation (rad)"), deforms);
            } else if deforms {
                // The beam does not turn: what the reference's own method is off by is deformation.
                let data = json(&out.join(throughput::DATA));
                let rows = data["accuracies"]["rows"].as_array().unwrap();
                let reference = rows.iter().find(|row| row["backend"] == "reference").unwrap();
                assert!(reference["attitude_error"].as_f64().unwrap() > 1e-9, "{reference}");
            }
        }
    }
}

#[test]
fn work_and_precision_leave_all_that_is_promised() {
    let mut study = convergence_study(
        "\"rk4\", { name = \"staggered\", update = \"exponential\" }",
        "0.1, 0.05, 0.02",
        "targets = [1e-3, 1e-12]\nrepeats = 2\nprecisions = [\"f32\", \"f64\"]",
    );
    study.output.plots = true;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = run(&study, &out, false).unwrap();
    assert!(outcome.manifest.complete && outcome.manifest.kind == "convergence");
    let named = |file: &&str| outcome.manifest.files.iter().any(|entry| entry.name == **file);
    let files = [
        CONVERGENCE.file,
        convergence::DATA,
        "report.html",
        "study.toml",
        "plots/error_over_step.svg",
        "plots/error_over_operations.png",
        "plots/error_over_time.png",
    ];
    assert!(files.iter().all(named), "{:?}", outcome.manifest.files);
    let data = json(&out.join(convergence::DATA));
    assert_eq!((&data["judged_instances"], &data["duration"]["unit"]), (&4.into(), &"s".into()));
    let who = [("method", ""), ("treatment", ""), ("precision", "")];
    let rungs = [
        ("step", "s"),
        ("steps", "1"),
        ("attitude_error", "rad"),
        ("largest_attitude_error", "rad"),
        ("angular_velocity_error", "rad/s"),
        ("largest_angular_velocity_error", "rad/s"),
        ("position_error", "m"),
        ("largest_position_error", "m"),
        ("violation", "m or rad"),
        ("largest_violation", "m or rad"),
        ("largest_energy_drift", "1"),
        ("failed", "1"),
        ("operations", "1/s"),
        ("cpu_time", "us"),
        ("spread", "1"),
    ];
    check_listing(&data["rungs"], &[&who[..], &rungs].concat(), &[]);
    assert_eq!(data["rungs"]["rows"].as_array().unwrap().len(), 2 * 2 * 3);
    check_listing(
        &data["slopes"],
        &[&who[..], &[("order", "1"), ("slope", "1"), ("rungs", "1")]].concat(),
        &["slope"],
    );
    let targets = [
        ("target", "rad"),
        ("step", "s"),
        ("reached", "rad"),
        ("operations", "1/s"),
        ("cpu_time", "us"),
        ("spread", "1"),
    ];
    let empty = ["step", "reached", "operations", "cpu_time", "spread"];
    check_listing(&data["targets"], &[&who[..], &targets].concat(), &empty);
    // 1e-3 is within reach of the fourth order, 1e-12 of nobody here; what is said to be reached
    // is.
    for row in data["targets"]["rows"].as_array().unwrap() {
        let target = row["target"].as_f64().unwrap();
        assert!(row["reached"].is_null() == (target < 1e-9), "{row}");
        assert!(row["reached"].as_f64().is_none_or(|reached| reached <= target), "{row}");
    }
    let again = read_study(&out.join("study.toml")).unwrap();
    assert_eq!(again.kind, study.kind);
    assert_eq!(resolved_toml(&again), resolved_toml(&study));
    let refused = replay(&out, 0).unwrap_err().to_string();
    assert_eq!(
        refused,
        format!("{}: a study of kind convergence stores no instances to replay", out.display())
    );
}

/// Measures a free body in so much time (s).
fn measured(out: &Path, budget: f64, interrupted: bool) -> Result<study::RunOutcome, RunError> {
    let settings = Throughput {
        sizes: vec![64, 200],
        steps: vec![10, 20],
        repeats: 2,
        budget,
        judged: 2,
        ..Throughput::default()
    };
    let study = study(&[
        FREE_BODY,
        VARIED,
        "[method]\nname = \"staggered\"\nstep = \"1 ms\"\nduration = \"0.2 s\"\n[run]\nthreads = 2\n\
         [output]\nplots = true\n",
    ]);
    measure(&study, &settings, (out, false), &Silent, &AtomicBool::new(interrupted))
}

#[test]
fn a_ladder_of_speeds_leaves_all_that_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = measured(&out, 60.0, false).unwrap();
    assert!(outcome.manifest.complete && outcome.manifest.kind == "throughput");
    let named = |file: &&str| outcome.manifest.files.iter().any(|entry| entry.name == **file);
    let files = [
        THROUGHPUT.file,
        throughput::DATA,
        "report.html",
        "study.toml",
        "plots/cost_f32.svg",
        "plots/cost_f64.png",
        "plots/end_to_end_f32.png",
    ];
    assert!(files.iter().all(named), "{:?}", outcome.manifest.files);
    // Nothing but what the manifest lists.
    assert!(!out.join("scratch.parquet").exists());
    let data = json(&out.join(throughput::DATA));
    for (key, unit) in [("step", "s"), ("duration_judged", "s"), ("budget", "s"), ("taken", "s")] {
        assert!(data[key]["value"].as_f64().unwrap() > 0.0 && data[key]["unit"] == unit, "{key}");
    }
    let rungs = [
        ("backend", ""),
        ("precision", ""),
        ("size", "1"),
        ("steps", "1"),
        ("rate", "1/s"),
        ("cost", "ns"),
        ("spread", "1"),
        ("operations", "1"),
        ("peak", "1/s"),
        ("peak_spread", "1"),
        ("share_of_peak", "1"),
        ("end_to_end_rate", "1/s"),
        ("end_to_end_spread", "1"),
        ("failed", "1"),
        ("attitude_error", "rad"),
        ("position_error", "m"),
    ];
    check_listing(&data["rungs"], &rungs, &["end_to_end_rate", "end_to_end_spread"]);
    let accuracies = [
        ("backend", ""),
        ("device", ""),
        ("attitude_error", "rad"),
        ("angular_velocity_error", "rad/s"),
        ("position_error", "m"),
        ("energy_drift", "1"),
        ("peak", "GFLOP/s"),
        ("operations", "1"),
    ];
    check_listing(&data["accuracies"], &accuracies, &[]);
    let rows = data["rungs"]["rows"].as_array().unwrap();
    let rows_of = |backend: &str| rows.iter().filter(|row| row["backend"] == backend).count();
    // Interpreter and threads at every size and number of steps in both precisions, the reference
    // at the first size.
    for precision in ["f32", "f64"] {
        for backend in ["CPU, interpreted, 1 thread", "CPU, 1 thread", "CPU, 2 threads"] {
            assert_eq!(rows_of(&format!("{backend}, {precision}")), 4, "{backend}, {precision}");
        }
    }
    assert_eq!(rows_of("reference"), 2);
    // A speed is the inverse of a cost, and the accuracy beside it is that of the staggered method.
    for row in rows {
        let (rate, cost) = (row["rate"].as_f64().unwrap(), row["cost"].as_f64().unwrap());
        assert!((rate * cost * 1e-9 - 1.0).abs() < 1e-12);
        assert!((1e-9..1e-3).contains(&row["attitude_error"].as_f64().unwrap()), "{row}");
        assert_eq!(row["failed"], 0);
        let [operations, peak, share] =
            ["operations", "peak", "share_of_peak"].map(|key| row[key].as_f64().unwrap());
        assert!((share * peak / (operations * rate) - 1.0).abs() < 1e-12, "{row}");
    }
    // The study that lent its mechanism can be measured again.
    read_study(&out.join("study.toml")).unwrap();
    let refused = replay(&out, 0).unwrap_err().to_string();
    assert_eq!(
        refused,
        format!("{}: a study of kind throughput stores no instances to replay", out.display())
    );
}

#[test]
fn a_budget_that_nothing_fits_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = measured(&folder.path().join("out"), 1e-6, false).unwrap_err().to_string();
    assert!(error.contains("64 instances in f32: over the budget"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_interrupt_leaves_a_whole_folder_that_is_marked() {
    let convergence = convergence_study("\"rk4\"", "0.1, 0.05", "");
    for kind in ["throughput", "convergence"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let outcome = match kind {
            "throughput" => measured(&out, 60.0, true).unwrap(),
            _ => run(&convergence, &out, true).unwrap(),
        };
        assert!(!outcome.manifest.complete);
        let manifest = Manifest::read(&outcome.folder).unwrap();
        assert!(!manifest.complete && manifest.kind == kind);
        for file in &manifest.files {
            assert_eq!(std::fs::metadata(outcome.folder.join(&file.name)).unwrap().len(), file.bytes);
        }
        let report = std::fs::read_to_string(outcome.folder.join("report.html")).unwrap();
        assert!(report.contains("Incomplete"));
    }
}

#[test]
fn what_has_no_accurate_motion_is_refused_and_leaves_nothing() {
    let kind = "[study]\nkind = \"convergence\"\nmethods = [\"rk4\"]\nsteps = [0.1, 0.05]\n";
    let light = "[ensemble]\nsize = 32\n[ensemble.vary]\n\
                 \"body.inertia.xx\" = { normal = { mean = 0.5, std = 3.0 } }\n";
    let study = study(&[
        FREE_BODY,
        light,
        kind,
        "[method]\nname = \"staggered\"\nstep = \"10 ms\"\nduration = \"2 s\"\n",
    ]);
    let folder = tempfile::tempdir().unwrap();
    let error = run(&study, &folder.path().join("out"), false).unwrap_err();
    assert!(matches!(error, RunError::Unserved(_)), "{error}");
    assert!(error.to_string().contains(" has no accurate motion to be compared with: "), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
