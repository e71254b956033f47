//! Numbers of a whole ensemble: errors of means, quantiles of wide distributions, columns that not
//! all instances have, shares of events.

use std::fs;
use std::path::{Path, PathBuf};

use polhode::output::SavedTable;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{ends_with, path};

const BODY: &str = "gravity = 0\n[constants]\na = 0.5\nb = 0\n[[body]]\nname = \"p\"\nmass = 1\n\
    inertia = [1, 1, 1]\ninitial.velocity = [0.1, 0, 0]\n";

/// Runs a free body whose numbers `a`, uniform in 0 to 1, and `b`, normal, serve these outcomes.
fn run(home: &TempDir, name: &str, size: u64, outcomes: &str) -> (PathBuf, String) {
    let [mechanism, study, out] = ["body.toml", "study.toml", name].map(|file| home.path().join(file));
    fs::write(&mechanism, BODY).unwrap();
    let text = format!(
        "mechanism = \"body.toml\"\nmethod = {{ name = \"rk4\", step = \"10 ms\", duration = \"1 s\" }}\n\
         observe.channels = []\n[ensemble]\nsize = {size}\nseed = 1\n\
         vary.\"constants.a\" = {{ uniform = {{ low = 0, high = 1 }} }}\n\
         vary.\"constants.b\" = {{ normal = {{ mean = 0, std = 1 }} }}\n{outcomes}"
    );
    fs::write(&study, text).unwrap();
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&out), "--backend", "cpu"]);
    (out, printed)
}

/// The error that is measured of a run, without the time that this took.
fn accuracy(folder: &Path) -> Value {
    let manifest = fs::read(folder.join("manifest.json")).unwrap();
    let mut accuracy = serde_json::from_slice::<Value>(&manifest).unwrap()["accuracy"].take();
    assert!(accuracy.as_object_mut().unwrap().remove("took").is_some());
    accuracy
}

/// Judged instances are no fair draw of the ensemble: it has errors of its own, and shards that are
/// merged have those of all of them.
#[test]
fn the_statistical_error_of_a_mean_is_that_of_the_whole_ensemble() {
    let home = TempDir::new().unwrap();
    let outcomes = "[[outcome]]\nname = \"cube\"\nfinal = \"b^3\"\n\
                    [[outcome]]\nname = \"rare\"\nfinal = \"a > 0.995\"\n";
    let (out, _) = run(&home, "out", 4000, outcomes);
    let table = |name: &str| SavedTable::open(&out.join(name)).unwrap();
    let [judged, all] = ["accuracy.parquet", "statistics.parquet"].map(table);
    let (names, errors) =
        (judged.texts("channel").unwrap(), judged.floats("mean_statistical_error").unwrap());
    let (channels, spreads) = (all.texts("channel").unwrap(), all.floats("std").unwrap());
    let measured = accuracy(&out);
    for name in ["cube", "rare"] {
        let row = names.iter().rposition(|other| other == name).unwrap();
        let last = channels.iter().rposition(|other| other == name).unwrap();
        let exact = spreads[last] / 4000f64.sqrt();
        assert!(exact > 0.0 && (errors[row] / exact - 1.0).abs() < 1e-12, "{name}: {} {exact}", errors[row]);
        let shown = measured["channels"].as_array().unwrap();
        let shown = shown.iter().find(|channel| channel["column"] == name).unwrap();
        assert_eq!(shown["statistical"].as_f64(), Some(errors[row]), "{name}");
    }
    let study = home.path().join("study.toml");
    let parts = ["1/3", "2/3", "3/3"].map(|part| {
        let folder = home.path().join(part.replace('/', "-of-"));
        let arguments = ["run", path(&study), "--backend", "cpu", "--shard", part, "--out", path(&folder)];
        ends_with(0, &arguments);
        folder
    });
    let merged = home.path().join("merged");
    let [first, second, third] = parts.each_ref().map(|part| path(part));
    ends_with(0, &["merge", third, first, second, "--out", path(&merged)]);
    let bytes = |folder: &Path| fs::read(folder.join("accuracy.parquet")).unwrap();
    assert!(bytes(&merged) == bytes(&out));
    assert_eq!(accuracy(&merged), measured);
}

/// Words that count instances fit ensembles of one or two.
#[test]
fn few_instances_are_no_share_of_many() {
    let home = TempDir::new().unwrap();
    for (size, within) in
        [(1, "allowed)."), (2, "; all instances are within that."), (10, "; all instances are within that.")]
    {
        run(&home, &format!("rk4-{size}"), size, "");
        let study = home.path().join("study.toml");
        let out = home.path().join(format!("bdf-{size}"));
        let method = ["--set", "method.name=bdf", "--set", "observe.channels=[\"position\"]"];
        let arguments = [&["run", path(&study), "--out", path(&out)][..], &method].concat();
        let (printed, _) = ends_with(0, &arguments);
        let line = printed.lines().find(|line| line.starts_with("accuracy: RESOLVED")).unwrap();
        assert!(line.ends_with(within), "{size}: {line}");
    }
}

#[test]
fn quantiles_of_a_wide_distribution_keep_their_digits() {
    let home = TempDir::new().unwrap();
    let (_, printed) = run(&home, "out", 2000, "[[outcome]]\nname = \"wide\"\nfinal = \"exp(2 + 4*b)\"\n");
    let line = printed.lines().find(|line| line.starts_with("wide: ")).unwrap();
    // The 5 % quantile is exp(2 - 4 * 1.645), known to a quarter or so.
    let low: f64 = line.split("5 to 95 %: ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((low.ln() - (2.0 - 4.0 * 1.645)).abs() < 0.6, "{line}");
}

/// A report says of a constant that only some instances have it.
#[test]
fn what_some_instances_have_is_not_said_of_all() {
    let home = TempDir::new().unwrap();
    let (out, _) = run(&home, "out", 200, "[[outcome]]\nname = \"half\"\nfirst = \"t*(a > 0.4) > 0.5\"\n");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!report.contains("In all instances at all times: half"));
    assert!(report.contains("In all instances that have a value: half"));
}

/// An event has one interval, whether it is written as a value or as a time.
#[test]
fn shares_of_an_event_are_compared_by_intervals_of_shares() {
    let home = TempDir::new().unwrap();
    let event = |bound: f64| {
        format!(
            "[[outcome]]\nname = \"rare\"\nfinal = \"a > {bound}\"\n[[outcome]]\nname = \"hit\"\n\
             first = \"a > {bound}\"\n"
        )
    };
    let (first, _) = run(&home, "first", 200, &event(0.99));
    let (second, _) = run(&home, "second", 200, &event(2.0));
    let (printed, _) = ends_with(0, &["compare", path(&first), path(&second), "--json"]);
    let found: Value = serde_json::from_str(&printed).unwrap();
    println!("{found:#}");
    let means = found["ends"]["means"].as_array().unwrap();
    let rare = means.iter().find(|mean| mean["name"] == "rare").unwrap();
    let (low, high) =
        (rare["difference"]["low"].as_f64().unwrap(), rare["difference"]["high"].as_f64().unwrap());
    // Some are 1 in the first run, none in the second: by the spread alone ±0 of the second.
    assert!(low < rare["difference"]["value"].as_f64().unwrap() && high > 0.0, "{rare}");
}
