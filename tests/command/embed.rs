//! The door for other programs gives what the command gives.

use std::fs;
use std::sync::atomic::AtomicBool;

use polhode::{RunOptions, Study};
use tempfile::TempDir;

use crate::common::command::{altered, contents, ends_with, names, path};

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
