//! A run whose program is cut into several kernels, through the command, on a software device: it
//! leaves the tables of the CPU, whole, killed and resumed, or in shards.

use std::path::Path;

use tempfile::TempDir;

use crate::command::{altered, contents, ends_with, path, polhode};
use crate::resume::{assert_same, checkpoint_of, killed_when};

/// The tables of a folder by their names.
fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let all = contents(folder)
        .into_iter()
        .map(|(file, bytes)| (path(file.strip_prefix(folder).unwrap()).to_string(), bytes));
    all.filter(|(name, _)| name.ends_with(".parquet") && name != "accuracy.parquet").collect()
}

#[test]
fn a_cut_program_leaves_the_tables_of_the_cpu_killed_or_in_shards() {
    let home = TempDir::new().unwrap();
    let settings = |backend: &'static str| {
        [
            ("ensemble.size", "1500"),
            ("method.duration", "\"0.4 s\""),
            ("observe.every", "\"0.1 s\""),
            ("run.chunk", "300"),
            ("run.checkpoint", "\"0 s\""),
            ("run.fused", "false"),
            ("run.kernels", "\"cut\""),
            ("accuracy.budget", "0"),
            ("run.backend", backend),
        ]
    };
    let at = |name: &str| home.path().join(name);
    let run = |study: &Path, out: &str| {
        ends_with(0, &["run", path(study), "--out", path(&at(out))]);
        at(out)
    };
    let on_cpu = run(&altered("tumbling", home.path(), &settings("\"cpu\"")), "cpu");
    let study = altered("tumbling", home.path(), &settings("\"gpu:llvmpipe\""));
    let whole = run(&study, "whole");
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(whole.join("manifest.json")).unwrap()).unwrap();
    let device = manifest["device"].as_str().unwrap();
    assert!(
        device.contains("bits of any CPU with run.fused = false, a step in 1 kernels: as asked"),
        "{device}"
    );
    let expected = tables(&on_cpu);
    assert!(expected.len() > 2);
    assert!(tables(&whole) == expected, "the CPU has other tables");

    let out = at("killed");
    let arguments = ["run", path(&study), "--out", path(&out), "--resume", "--quiet"];
    killed_when(&mut polhode(&arguments), &out, || checkpoint_of(&out).exists());
    ends_with(0, &arguments);
    assert_same("killed", &whole, &out);

    let parts = [("1/2", at("first")), ("2/2", at("second"))];
    for (part, out) in &parts {
        ends_with(0, &["run", path(&study), "--shard", part, "--out", path(out), "--quiet"]);
    }
    let merged = at("merged");
    let [(_, first), (_, second)] = &parts;
    ends_with(0, &["merge", path(first), path(second), "--out", path(&merged)]);
    assert!(tables(&merged) == expected, "merged shards have other tables");

    let (printed, _) = ends_with(0, &["replay", path(&whole), "--instance", "17"]);
    assert!(printed.contains("17"), "{printed}");
}
