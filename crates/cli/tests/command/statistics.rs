//! Numbers of a whole ensemble: quantiles of wide distributions, columns that not all instances
//! have, shares of events.

use std::fs;
use std::path::PathBuf;

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
            "[[outcome]]\nname = \"rare\"\nfinal = \"a > {bound}\"\n[[outcome]]\nname = \"hit\"\nfirst = \"a > {bound}\"\n"
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
