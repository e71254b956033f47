//! The door for other programs gives what the command gives.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use polhode::{FromKeys, Listener, Mechanism, Part, RunOptions, Study};
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
