//! Ends of a command: signals, nobody who reads, ensembles of which nothing is left, and libraries
//! that speak unasked.

use std::fs;

use tempfile::TempDir;

use crate::command::{Running, altered, ends_with, in_time, names, path, polhode, text};

const SMALL: [(&str, &str); 6] = [
    ("ensemble.size", "300"),
    ("method.duration", "\"2 s\""),
    ("observe.every", "\"0.2 s\""),
    ("observe.channels", "[\"energy\"]"),
    ("observe.keep", "8"),
    ("run.backend", "\"cpu\""),
];
/// It would take days: that it ends at all is part of the tests.
const ENDLESS: [(&str, &str); 3] =
    [("method.duration", "\"50_000 s\""), ("observe.every", "\"10_000 s\""), ("run.backend", "\"cpu\"")];

#[cfg(unix)]
#[test]
fn every_signal_that_asks_for_the_end_ends_a_run_cleanly() {
    for signal in ["TERM", "HUP"] {
        let home = TempDir::new().unwrap();
        let study = altered("tumbling", home.path(), &ENDLESS);
        let out = home.path().join("out");
        let mut run = Running::start(&mut polhode(&["run", path(&study), "--out", path(&out)]));
        // Before it has a backend nothing is there to be kept, and it says so.
        run.says("backend: ");
        run.send(signal);
        let output = run.output();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{signal}: {said}");
        assert!(said.contains("interrupted: the result is incomplete, and marked so"), "{signal}: {said}");
        assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
    }
}

/// Two signals, of which the second comes while the first is dealt with: both wait for a run that
/// is stopped.
#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_a_run_at_once_and_leaves_nothing() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &ENDLESS);
    let out = home.path().join("out");
    let mut run = Running::start(&mut polhode(&["run", path(&study), "--out", path(&out)]));
    let lock = home.path().join("out.unfinished/lock");
    assert!(run.comes(|| lock.exists()), "ended before there was {}", lock.display());
    assert!(run.stands_still(), "ended though it takes days");
    for signal in ["INT", "TERM", "CONT"] {
        run.send(signal);
    }
    let output = run.output();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "", "the first signal alone has ended it");
    assert_eq!(names(home.path()), ["tumbling.toml"]);
}

/// A merge takes a moment however large it is made, and the signal may come after it: then another
/// one is asked.
#[cfg(unix)]
#[test]
fn an_interrupted_merge_leaves_nothing() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = altered("tumbling", home.path(), &[&[("ensemble.size", "200_000")], &SMALL[1..]].concat());
    for part in ["1", "2"] {
        let shard = format!("{part}/2");
        ends_with(0, &["run", path(&study), "--out", path(&at(part)), "--shard", &shard, "--quiet"]);
    }
    let (one, two, out) = (at("1"), at("2"), at("out"));
    in_time(|| {
        let mut run = Running::start(&mut polhode(&["merge", path(&one), path(&two), "--out", path(&out)]));
        if run.comes(|| at("out.unfinished/lock").exists()) {
            run.send("INT");
        }
        let output = run.output();
        match output.status.code() {
            Some(130) => Some(()),
            Some(0) => {
                fs::remove_dir_all(&out).unwrap();
                None
            }
            code => panic!("{code:?}: {}", text(&output.stderr)),
        }
    });
    assert_eq!(names(home.path()), ["1", "2", "tumbling.toml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_summary_that_nobody_can_be_told_is_no_failure() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = altered("tumbling", home.path(), &SMALL);
    let into_nothing = |arguments: &[&str]| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = polhode(arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("standard output: "), "{said}");
        assert!(last.ends_with("all results are written"), "{said}");
    };
    into_nothing(&["run", path(&study), "--out", path(&at("whole"))]);
    assert!(at("whole/report.html").exists());
    let (one, out) = (at("1"), at("merged"));
    ends_with(0, &["run", path(&study), "--out", path(&one), "--shard", "1/1", "--quiet"]);
    into_nothing(&["merge", path(&one), "--out", path(&out)]);
    assert!(out.join("report.html").exists());
}

/// Rotations by a radian a step and more, by a method that is not stable at such steps, and without
/// the bound on the energy.
#[test]
fn an_ensemble_of_which_nothing_is_left_is_told() {
    let home = TempDir::new().unwrap();
    let unstable = [
        ("method.name", "\"rk4\""),
        ("method.step", "\"20 s\""),
        ("method.duration", "\"2000 s\""),
        ("observe.every", "\"1000 s\""),
        ("verdict.energy", "\"none\""),
    ];
    let study = altered("tumbling", home.path(), &[&SMALL[..1], &SMALL[3..], &unstable].concat());
    let out = home.path().join("out");
    let (printed, said) = ends_with(3, &["run", path(&study), "--out", path(&out)]);
    assert!(printed.contains("\nverdicts: non_finite 300\n"), "{printed}");
    let warning = "warning: not one instance came to its end: non_finite 300; ";
    assert!(said.lines().last().unwrap().starts_with(warning), "{said}");
    assert!(out.join("report.html").exists());
    // With --quiet too: nothing else would tell.
    let (printed, said) = ends_with(3, &["run", path(&study), "--out", path(&out), "--overwrite", "--quiet"]);
    assert!(printed.is_empty() && said.contains(warning), "{printed}{said}");
}

#[test]
fn the_time_has_what_went_before_the_first_step() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &SMALL);
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&home.path().join("out"))]);
    let line = printed.lines().find(|line| line.starts_with("time: ")).unwrap();
    let number = |after: &str| {
        let rest = line.split(after).nth(1).unwrap_or_else(|| panic!("{line}"));
        rest.split([' ', ',']).next().unwrap().parse::<f64>().unwrap()
    };
    let manifest = fs::read_to_string(home.path().join("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let before = number("reading ");
    let total = manifest["timings"]["total"].as_f64().unwrap();
    // Printed with two digits each.
    assert!((number("time: ") - total - before).abs() <= 0.011, "{line}; {total} s without the start");
}

/// The loader of Vulkan tells what it does, if it is loaded.
#[cfg(all(target_os = "linux", feature = "gpu"))]
#[test]
fn the_cpu_alone_needs_no_vulkan() {
    const TOLD: &str = "Vulkan Loader";
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &SMALL[..5]);
    let out = home.path().join("out");
    let said = |arguments: &[&str]| {
        let output = polhode(arguments).env("VK_LOADER_DEBUG", "all").output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        text(&output.stderr)
    };
    assert!(said(&["devices"]).contains(TOLD), "there is no Vulkan here that could be seen to be loaded");
    for arguments in [&["run", path(&study), "--out", path(&out)][..], &["check", path(&study)]] {
        let said = said(&[arguments, &["--backend", "cpu"]].concat());
        assert!(!said.contains(TOLD), "{arguments:?}: {said}");
    }
}

/// Mesa's layers look for a compositor, and complain where the folder of its socket is not given.
#[cfg(all(target_os = "linux", feature = "gpu"))]
#[test]
fn a_machine_without_a_screen_is_no_news() {
    for folder in [None, Some(""), Some("relative")] {
        let mut devices = polhode(&["devices"]);
        match folder {
            None => devices.env_remove("XDG_RUNTIME_DIR"),
            Some(folder) => devices.env("XDG_RUNTIME_DIR", folder),
        };
        let output = devices.output().unwrap();
        assert!(output.status.success());
        assert_eq!(text(&output.stderr), "", "{folder:?}");
    }
}

/// Memory that is not to be had is a failure with a message, and what was there stays.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_to_be_had_is_a_failure() {
    let home = TempDir::new().unwrap();
    let study = altered(
        "tumbling",
        home.path(),
        &[("ensemble.size", "5_000_000"), ("run.chunk", "5_000_000"), ("method.duration", "\"1 s\"")],
    );
    let out = home.path().join("out");
    // The address space of the process (KiB).
    let limited = "ulimit -v 220000; exec \"$@\"";
    let run = polhode(&["run", path(&study), "--out", path(&out), "--backend", "cpu", "--threads", "1"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limited, "sh"]).arg(run.get_program()).args(run.get_args());
    let ended = shell.current_dir(home.path()).output().unwrap();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.lines().last().unwrap().starts_with("error: out of memory: "), "{said}");
    assert!(!out.exists());
    // It stands in no one's way.
    let few = ["--set", "ensemble.size=100", "--set", "run.chunk=100", "--backend", "cpu", "--quiet"];
    ends_with(0, &[&["run", path(&study), "--out", path(&out)], &few[..]].concat());
}
