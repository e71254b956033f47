//! The door for other programs gives what the command gives.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use arrow_array::{Array, RecordBatch};
use polhode::study::replay::{PATIENCE, replay_within};
use polhode::{
    ComparisonOptions, FromKeys, Listener, Mechanism, MergeError, Part, ReplayError, ReplotError, RunOptions,
    Stage, Study,
};
use tempfile::TempDir;

use crate::command::{altered, contents, ends_with, names, path};

#[test]
fn results_are_those_of_the_command() {
    let home = TempDir::new().unwrap();
    let changes = [
        ("ensemble.size", "300"),
        ("method.duration", "\"2 s\""),
        ("observe.every", "\"0.2 s\""),
        ("run.backend", "\"cpu\""),
    ];
    let file = altered("tumbling", home.path(), &changes);
    let by_command = home.path().join("command");
    ends_with(0, &["run", path(&file), "--out", path(&by_command), "--quiet"]);

    let study = Study::from_file(&file).unwrap();
    let results = polhode::run(&study, &RunOptions::new()).unwrap();
    assert!(results.is_complete() && results.verdicts()["finished"] == 300);
    let by_library = results.write_to(home.path().join("library"), false).unwrap();
    assert!(results.write_to(&by_library, false).unwrap_err().to_string().contains("not empty"));
    results.write_to(&by_library, true).unwrap();

    let (a, b) = (contents(&by_command), contents(&by_library));
    assert_eq!(a.len(), b.len());
    for name in results.tables().into_iter().filter(|name| *name != "accuracy") {
        let file = format!("{name}.parquet");
        assert!(a[&by_command.join(&file)] == b[&by_library.join(&file)], "{name}");
        let rows: usize = results.table(name).unwrap().iter().map(|batch| batch.num_rows()).sum();
        assert!(rows > 0, "{name}");
    }
    let (printed, _) = ends_with(0, &["replay", path(&by_library), "--instance", "3"]);
    assert!(printed.contains("the run's verdict: finished"), "{printed}");
    assert!(results.table("nothing").unwrap_err().to_string().contains("nothing.parquet"));
}

#[test]
fn a_flag_ends_a_run_and_the_scratch_folder_goes_with_the_results() {
    let home = TempDir::new().unwrap();
    let file = altered("tumbling", home.path(), &[("ensemble.size", "2000"), ("run.backend", "\"cpu\"")]);
    let study = Study::from_file(&file).unwrap();
    let at_once = AtomicBool::new(true);
    let results = polhode::run(&study, &RunOptions::new().interrupt(&at_once)).unwrap();
    assert!(!results.is_complete());
    let out = results.write_to(home.path().join("out"), false).unwrap();
    drop(results);
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("Incomplete"));
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
}

/// Keeps what it is told.
#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl Listener for Lines {
    fn say(&self, line: &str) {
        self.0.lock().unwrap().push(line.to_string());
    }
    fn progress(&self, _: u64, _: u64) {}
}

/// A mass on a spring is stable to `omega h = 2`: here omega is 100 rad/s.
#[test]
fn a_step_that_is_too_long_is_said_as_by_the_command() {
    let mass = Part::named("mass")
        .set("mass", 1.0)
        .set("inertia", [1.0, 1.0, 1.0])
        .set("initial.position", [1.1, 0.0, 0.0]);
    let spring = Part::named("spring")
        .set("bodies", vec!["ground", "mass"])
        .set("points", vec![[0.0; 3], [0.0; 3]])
        .set("stiffness", 1e4)
        .set("free_length", 1.0);
    let run = |step: &str| {
        let study = Study::builder(
            Mechanism::builder("oscillator").add("body", mass.clone()).add("spring", spring.clone()),
        )
        .set("method.name", "staggered")
        .set("method.step", step)
        .set("method.duration", "1.2 s")
        .set("ensemble.size", 4)
        .set("run.backend", "cpu")
        .build()
        .unwrap();
        let lines = Lines::default();
        let results = polhode::run(&study, &RunOptions::new().listener(&lines)).unwrap();
        (results.warnings().to_vec(), lines.0.into_inner().unwrap())
    };
    let (warnings, lines) = run("30 ms");
    assert!(warnings.len() == 1 && warnings[0].contains("stable up to 0.02 s"), "{warnings:?}");
    assert!(lines.contains(&format!("warning: {}", warnings[0])), "{lines:?}");
    let (warnings, lines) = run("10 ms");
    assert!(
        warnings.is_empty() && !lines.iter().any(|line| line.starts_with("warning")),
        "{warnings:?} {lines:?}"
    );
}

/// Samples from memory are drawn, in any unit, and stay with the run: parts, their merge, a replay.
#[test]
fn own_samples_come_from_memory_and_stay_with_the_run() {
    let home = TempDir::new().unwrap();
    let place = |name: &str| home.path().join(name);
    let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 6.0]);
    let study = Study::builder(Mechanism::builder("tumbling").add("body", body))
        .set("method.name", "rk4")
        .set("method.step", "1 ms")
        .set("method.duration", "20 ms")
        .set("ensemble.size", 100)
        .set("run.backend", "cpu")
        .vary("body.mass", "uniform", Part::new().set("low", 1.0).set("high", 2.0))
        .vary("body.angular_velocity", "normal", Part::new().set("mean", [0.1, 2.0, 0.1]).set("std", 0.05));
    let first = polhode::run(&study.build().unwrap(), &RunOptions::new()).unwrap();
    let drawn: Vec<_> = first.stream("instances").unwrap().map(|batch| batch.unwrap()).collect();
    let some = drawn[0].slice(40, 30);

    // Columns of the table of results that were drawn stand for the draws, and no others do.
    let own = study.clone().samples([some.clone()]).build().unwrap();
    assert_eq!((own.ensemble.size, own.ensemble.vary.len()), (30, 4));
    let whole = polhode::run(&own, &RunOptions::new().out(&place("whole"))).unwrap();
    let again = whole.table("instances").unwrap();
    let of_draws = |batch: &RecordBatch| {
        let schema = batch.schema();
        let kept = schema.fields().iter().filter(|field| field.name() != "instance");
        let column = |name: &str| batch.column_by_name(name).unwrap().to_data();
        kept.map(|field| (field.name().clone(), column(field.name()))).collect::<BTreeMap<_, _>>()
    };
    let (was, now) = (of_draws(&some), of_draws(&again[0]));
    for (name, column) in &was {
        assert!(name == "verdict" || now[name] == *column, "{name}");
    }
    let replayed = polhode::replay(&place("whole"), 7).unwrap();
    assert!(replayed.distances().coding < 1e-8);

    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let out = home.path().join(shard.replace('/', "-"));
        polhode::run(&own, &RunOptions::new().out(&out).shard(shard.parse().unwrap()))
            .unwrap()
            .folder()
            .to_owned()
    });
    let stages = polhode::shards(&parts).unwrap();
    assert!(stages.iter().all(|shard| shard.stage == Stage::Done), "{stages:?}");
    let merged = polhode::merge(&parts, &RunOptions::new().out(&place("merged"))).unwrap();
    for name in ["instances", "statistics", "samples"] {
        let file = format!("{name}.parquet");
        let read = |folder: &Path| fs::read(folder.join(&file)).unwrap();
        assert!(read(merged.folder()) == read(whole.folder()), "{name}");
    }
    // Whoever ends a merge, a comparison or a replay finds nothing of it.
    let (ends, out) = (AtomicBool::new(true), place("ended"));
    let ended = polhode::merge(&parts, &RunOptions::new().out(&out).interrupt(&ends)).unwrap_err();
    assert!(matches!(ended, MergeError::Ended), "{ended}");
    let options = ComparisonOptions { out: Some(out), interrupt: Some(&ends), ..Default::default() };
    let ended = polhode::compare(&[merged.folder(), whole.folder()], &options).unwrap_err();
    assert!(matches!(ended, ReplotError::Interrupted), "{ended}");
    let ended = replay_within(&place("whole"), 7, PATIENCE, &ends).unwrap_err();
    assert!(matches!(ended, ReplayError::Interrupted), "{ended}");
    let there = names(home.path());
    assert!(there.iter().all(|name| !name.starts_with("ended")), "{there:?}");

    let missing = polhode::merge(&parts[..2], &RunOptions::new()).unwrap_err();
    assert!(matches!(missing, MergeError::Missing(_)), "{missing}");
    // The merged run needs no part any more.
    parts.iter().for_each(|part| fs::remove_dir_all(part).unwrap());
    polhode::replay(&place("merged"), 7).unwrap();
    let compared = polhode::compare(&[merged.folder(), whole.folder()], &ComparisonOptions::default());
    assert!(compared.unwrap().text().contains("body"));

    let fault = study.samples([some.project(&[0]).unwrap()]).build().unwrap_err().to_string();
    assert!(fault.contains("instance"), "{fault}");
}
