//! `polhode extend` and `ensemble.until`: a run of more instances, or of as many as are enough, is
//! the run that had so many from the start.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use polhode::describe::Study;
use polhode::study::run;
use polhode::study_file::{read_study_text, resolved_toml};
use tempfile::TempDir;

use crate::command::{Running, altered, contents, ends_with, has_place, in_time, names, path, polhode, text};
use crate::common::engine::Quiet;

const SHORT: [(&str, &str); 5] = [
    ("method.duration", "\"0.5 s\""),
    ("observe.every", "\"0.1 s\""),
    ("run.backend", "\"cpu\""),
    ("accuracy.budget", "0"),
    ("ensemble.seed", "5"),
];

/// Tables, state, plots and study of a run: all but what tells of times.
fn results(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = contents(folder)
        .into_iter()
        .map(|(file, bytes)| (file.strip_prefix(folder).unwrap().to_owned(), bytes));
    all.filter(|(file, _)| !file.ends_with("manifest.json") && !file.ends_with("report.html")).collect()
}

#[track_caller]
fn assert_same(expected: &Path, found: &Path, what: &str) {
    let (expected, found) = (results(expected), results(found));
    assert!(expected.len() > 4, "{what}");
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{what}");
    for (file, bytes) in &expected {
        assert!(*bytes == found[file], "{what}: {} differs", file.display());
    }
}

fn sized(name: &str, home: &Path, size: &str, more: &[(&str, &str)]) -> PathBuf {
    let changes: Vec<(&str, &str)> =
        SHORT.into_iter().chain(more.iter().copied()).chain([("ensemble.size", size)]).collect();
    altered(name, home, &changes)
}

/// A run of more instances from the start may choose another step.
#[test]
fn an_extended_run_says_that_its_choice_stays() {
    let home = TempDir::new().unwrap();
    let (file, out) = (home.path().join("study.toml"), home.path().join("out"));
    for (method, stays) in [("accuracy = 1e-3", true), ("name = \"rk4\"\nstep = \"10 ms\"", false)] {
        let study = format!(
            "[method]\n{method}\nduration = \"0.5 s\"\n[ensemble]\nsize = 20\n\
             vary.\"b.angular_velocity.y\" = {{ uniform = {{ low = 1, high = 3 }} }}\n\
             [output]\nreport = false\n[[mechanism.body]]\nname = \"b\"\nmass = 1\ninertia = [1.5, 2, 3]\n\
             initial.angular_velocity = [0, 2, 1]\n"
        );
        fs::write(&file, study).unwrap();
        ends_with(0, &["run", path(&file), "--out", path(&out), "--overwrite"]);
        let (said, told) = ends_with(0, &["extend", path(&out), "--size", "30"]);
        let line = "method and step stay those that were chosen for 20 instances: a run of 30 from the start";
        assert_eq!((said.clone() + &told).contains(line), stays, "{said}{told}");
    }
}

/// Runs of every kind that can be extended, by both designs, with all columns, some and none, in
/// both precisions; twice over; and of so few instances that statistics had kept their values.
#[test]
fn an_extended_run_is_the_run_that_had_all_instances_from_the_start() {
    let home = TempDir::new().unwrap();
    type Case<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);
    // It is enough to draw pictures of some, of one channel.
    const NO_PLOTS: (&str, &str) = ("output.plots", "false");
    const NO_REPORT: (&str, &str) = ("output.report", "false");
    let cases: [Case<'_>; 7] = [
        // At first there are fewer instances than trajectories to keep.
        ("tumbling", "10", "400", &[("observe.keep", "30"), NO_PLOTS, NO_REPORT]),
        ("tumbling", "1200", "3500", &[("ensemble.design", "\"random\""), NO_PLOTS, NO_REPORT]),
        (
            "tumbling",
            "2000",
            "5000",
            &[
                ("ensemble.design", "\"sobol\""),
                ("run.precision", "\"f32\""),
                ("observe.keep", "3"),
                NO_PLOTS,
                NO_REPORT,
            ],
        ),
        (
            "tumbling",
            "1500",
            "2600",
            &[("output.instances", "[\"drawn\", \"final.body.energy_drift\"]"), NO_PLOTS, NO_REPORT],
        ),
        ("tumbling", "1500", "2600", &[("output.instances", "\"none\""), NO_PLOTS, NO_REPORT]),
        ("tumbling", "700", "2600", &[("observe.channels", "[\"energy\"]")]),
        (
            "double_pendulum",
            "1100",
            "1300",
            &[
                ("study.kind", "\"lyapunov\""),
                ("study.exponents", "1"),
                ("ensemble.design", "\"random\""),
                ("method.duration", "\"0.1 s\""),
                ("observe.channels", "[\"energy_drift\"]"),
            ],
        ),
    ];
    for (number, (name, few, many, more)) in cases.into_iter().enumerate() {
        let at = |folder: &str| home.path().join(format!("{number}-{folder}"));
        let study = |size: &str| sized(name, home.path(), size, more);
        ends_with(0, &["run", path(&study(many)), "--out", path(&at("whole")), "--quiet"]);
        ends_with(0, &["run", path(&study(few)), "--out", path(&at("grown")), "--quiet"]);
        let before = results(&at("grown"));
        // Beside it; then in its place, by way of a size between.
        let (grown, aside) = (at("grown"), at("aside"));
        ends_with(0, &["extend", path(&grown), "--size", many, "--out", path(&aside), "--quiet"]);
        assert!(results(&at("grown")) == before, "{name}");
        assert_same(&at("whole"), &at("aside"), name);
        let between = (few.parse::<u64>().unwrap() + 150).to_string();
        ends_with(0, &["extend", path(&at("grown")), "--size", &between, "--quiet"]);
        let (printed, _) = ends_with(0, &["extend", path(&at("grown")), "--size", many]);
        assert!(printed.contains(&format!("wrote {}", path(&at("grown")))), "{printed}");
        assert_same(&at("whole"), &at("grown"), name);
        fs::remove_dir_all(at("grown")).unwrap();
    }
}

#[test]
fn merged_shards_are_extended_like_a_run() {
    let home = TempDir::new().unwrap();
    let at = |folder: &str| home.path().join(folder);
    let study = sized("tumbling", home.path(), "2500", &[]);
    for part in ["1/2", "2/2"] {
        ends_with(0, &["run", path(&study), "--shard", part, "--out", path(&at(&part[..1])), "--quiet"]);
    }
    ends_with(0, &["merge", path(&at("1")), path(&at("2")), "--out", path(&at("grown")), "--quiet"]);
    ends_with(0, &["extend", path(&at("grown")), "--size", "4000", "--quiet"]);
    ends_with(
        0,
        &["run", path(&sized("tumbling", home.path(), "4000", &[])), "--out", path(&at("whole")), "--quiet"],
    );
    assert_same(&at("whole"), &at("grown"), "merged");
    // A result that is not a whole run has nothing to grow from.
    let (_, said) = ends_with(2, &["extend", path(&at("1")), "--size", "4000"]);
    assert!(said.contains("is shard 1/2: merge all shards, and extend the whole"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_extension_goes_on() {
    let home = TempDir::new().unwrap();
    let at = |folder: &str| home.path().join(folder);
    let more = [
        ("method.duration", "\"10 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.every", "\"2 s\""),
        ("run.checkpoint", "0"),
        ("run.chunk", "1024"),
    ];
    ends_with(
        0,
        &[
            "run",
            path(&sized("tumbling", home.path(), "2000", &more)),
            "--out",
            path(&at("grown")),
            "--quiet",
        ],
    );
    let unfinished = at("grown.unfinished").join("checkpoint.state");
    let (grown, small) = (at("grown"), contents(&at("grown")));
    let extend = ["extend", path(&grown), "--size", "26000", "--quiet"];
    in_time(|| {
        let mut run = Running::start(&mut polhode(&extend));
        if run.comes(|| unfinished.exists()) && run.kill() && unfinished.exists() {
            return Some(());
        }
        // The extension has ended: all goes back to where it was.
        for name in names(home.path()).iter().filter(|name| name.starts_with("grown")) {
            fs::remove_dir_all(at(name)).unwrap();
        }
        fs::create_dir_all(at("grown/plots")).unwrap();
        small.iter().for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
        None
    });
    assert!(grown.join("manifest.json").exists());
    let (_, said) = ends_with(0, &extend[..4]);
    assert!(said.contains("going on from"), "{said}");
    ends_with(
        0,
        &[
            "run",
            path(&sized("tumbling", home.path(), "26000", &more)),
            "--out",
            path(&at("whole")),
            "--quiet",
        ],
    );
    assert_same(&at("whole"), &at("grown"), "killed");
}

/// A result that is complete gives way to a larger one that is complete, and to nothing less.
#[test]
#[cfg(unix)]
fn an_interrupted_extension_leaves_the_result_as_it_was() {
    let home = TempDir::new().unwrap();
    let at = |folder: &str| home.path().join(folder);
    let more = [
        ("method.duration", "\"10 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.every", "\"2 s\""),
        ("run.checkpoint", "0"),
        ("run.chunk", "1024"),
    ];
    let run = |size: &str, out: &str| {
        let study = sized("tumbling", home.path(), size, &more);
        ends_with(0, &["run", path(&study), "--out", path(&at(out)), "--quiet"]);
    };
    run("2000", "grown");
    let small = contents(&at("grown"));
    let grown = at("grown");
    // Before the first checkpoint, and behind it.
    for (file, then) in [
        ("lock", "there was no checkpoint yet, and the same command begins again"),
        ("checkpoint.state", "the same command goes on from the last checkpoint"),
    ] {
        let mut running = Running::start(&mut polhode(&["extend", path(&grown), "--size", "200000"]));
        let waits = at("grown.unfinished").join(file);
        assert!(running.comes(|| waits.exists()), "it has ended");
        if file == "lock" {
            running.says("going on from");
        }
        running.send("INT");
        let ended = running.output();
        let said = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{said}");
        assert!(contents(&grown) == small, "{file}: {said}");
        if file != "lock" {
            assert!(said.contains(&format!("grown is as it was; {then}")), "{said}");
        }
    }
    let (_, said) = ends_with(0, &["extend", path(&grown), "--size", "200000"]);
    assert!(said.contains("going on from"), "{said}");
    run("200000", "whole");
    assert_same(&at("whole"), &grown, "interrupted");
}

#[test]
fn what_cannot_be_extended_is_refused_and_left_as_it_is() {
    let home = TempDir::new().unwrap();
    let refuse = |more: &[(&str, &str)], name: &str, size: &str, message: &str| {
        let out = home.path().join("out");
        let _ = fs::remove_dir_all(&out);
        ends_with(0, &["run", path(&sized(name, home.path(), "1200", more)), "--out", path(&out), "--quiet"]);
        let before = contents(home.path());
        let (printed, said) = ends_with(2, &["extend", path(&out), "--size", size]);
        assert!(printed.is_empty() && said.contains(message), "{message}: {said}");
        assert!(contents(home.path()) == before, "{message}");
    };
    let lhs = [("ensemble.design", "\"latin_hypercube\"")];
    refuse(&lhs, "tumbling", "2000", "is of design latin_hypercube, which is laid out for its size");
    let listed = [("ensemble.vary", "{ \"gravity.z\" = { list = [-9, -8] } }")];
    refuse(&listed, "tumbling", "2000", "has values of \"gravity.z\" that are listed, and not drawn");
    refuse(&[("output.state", "false")], "tumbling", "2000", "has no run.state, from which a run goes on");
    refuse(&[], "tumbling", "1100", "has 1,200 instances already; give a --size above that");
    // So a command that was killed at its very end is given again.
    let there = contents(home.path());
    let (_, said) = ends_with(0, &["extend", path(&home.path().join("out")), "--size", "1200"]);
    assert!(said.contains("has 1,200 instances: nothing is left to do"), "{said}");
    assert!(contents(home.path()) == there);
    // The state is one of the files whose checksums are compared.
    let out = home.path().join("out");
    let mut state = fs::read(out.join("run.state")).unwrap();
    let middle = state.len() / 2;
    state[middle] ^= 1;
    fs::write(out.join("run.state"), state).unwrap();
    let (_, said) = ends_with(2, &["extend", path(&out), "--size", "2000"]);
    assert!(said.contains("run.state: is damaged"), "{said}");
    let (_, said) = ends_with(2, &["extend", path(home.path()), "--size", "2000"]);
    assert!(said.contains("is no result of polhode"), "{said}");
}

const BODY: &str = "name = \"m\"\n[body]\nname = \"top\"\nmass = 1\ninertia = [2, 2, 2]\n";

/// A sphere, whose energy w^2 of a rate w about e3 has a known mean.
fn sphere(seed: u64, design: &str, size: u64, until: &str) -> Study {
    let text = format!(
        "method = {{ name = \"staggered\", step = \"0.1 s\", duration = \"0.2 s\" }}\n\
         observe = {{ channels = [\"energy\", \"angular_velocity\"], every = \"0.2 s\" }}\n\
         accuracy = {{ budget = 0 }}\noutput = {{ plots = false, report = false, state = false }}\n\
         run = {{ backend = \"cpu\" }}\n\
         [ensemble]\nsize = {size}\nseed = {seed}\ndesign = \"{design}\"\n{until}\n\
         [ensemble.vary]\n\"top.angular_velocity.z\" = {{ normal = {{ mean = 1, std = 0.5 }} }}\n"
    );
    read_study_text("study", &text, BODY).unwrap_or_else(|problems| panic!("{problems}"))
}

/// E w^2 = 1 + 1/4, of variance 4 (1/4) + 2/16 = 1.125: 0.022 and 95 % want (1.96/0.022)^2
/// 1.125 = 8929 instances.
const UNTIL: &str = "until = { channel = \"energy\", half_width = 0.022 }";

#[test]
fn a_run_ends_when_its_mean_is_known() {
    let home = TempDir::new().unwrap();
    for design in ["random", "sobol"] {
        let at = |folder: &str| home.path().join(format!("{design}-{folder}"));
        let written = |study: &Study, to: &str| {
            let file = home.path().join(to).with_extension("toml");
            fs::write(&file, resolved_toml(study).replace("plots = false", "plots = true")).unwrap();
            file
        };
        let study = written(&sphere(3, design, 1_000_000, UNTIL), "asked");
        let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&at("until"))]);
        let manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(at("until").join("manifest.json")).unwrap()).unwrap();
        let size = manifest["instances"].as_u64().unwrap();
        // An eighth more at a time, or twice as many; both rounded up to 1024.
        let looks = if design == "sobol" { [16_384; 2] } else { [8000, 10_500] };
        assert!(size >= looks[0] && size <= looks[1] && size.is_multiple_of(1024), "{size}");
        assert!(
            printed.contains("mean of energy at the end, ")
                && printed.contains(" J (95 %)")
                && !printed.contains("warning"),
            "{printed}"
        );
        let until = |key: &str| manifest["until"][key].as_f64().unwrap();
        assert_eq!(until("wanted"), 0.022);
        assert!(until("half_width") <= 0.022);
        // The mean is printed to a hundredth of its half-width.
        let (_, mean) = printed.split_once(" instances: ").unwrap();
        let mean: f64 = mean.split_once(" ± ").unwrap().0.parse().unwrap();
        assert!((mean - until("mean")).abs() < 0.01 * until("half_width"), "{printed}");
        // In chunks of another size, by one thread: the same.
        let again = ["--chunk", "1000", "--threads", "1", "--quiet", "--out"];
        ends_with(0, &[&["run", path(&study)], &again[..], &[path(&at("chunks"))]].concat());
        // It is the run of so many instances, but for what its study says of that.
        let plain = written(&sphere(3, design, size, ""), "plain");
        ends_with(0, &["run", path(&plain), "--out", path(&at("plain")), "--quiet"]);
        for (file, other) in ["instances.parquet", "statistics.parquet", "trajectories.parquet"]
            .into_iter()
            .flat_map(|file| [(file, "plain"), (file, "chunks")])
        {
            assert!(
                fs::read(at("until").join(file)).unwrap() == fs::read(at(other).join(file)).unwrap(),
                "{other} {file}"
            );
        }
        // Instances that are there are not computed again.
        let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&at("until")), "--resume"]);
        assert!(said.contains("is complete: nothing is left to do"), "{said}");
        // Fewer than are enough: all are run, and the user is told.
        let few = written(&sphere(3, design, 5000, UNTIL), "few");
        let (printed, _) = ends_with(0, &["run", path(&few), "--out", path(&at("few"))]);
        assert!(
            printed.contains("warning: mean of energy")
                && printed.contains("± 0.022 J was asked for: ensemble.size is too small"),
            "{printed}"
        );
    }
}

/// Intervals of 200 repeats hold the true mean as often as they say: 190 are expected, with a
/// standard deviation of 3.1.
#[test]
fn intervals_at_the_end_hold_the_mean_as_often_as_they_say() {
    let home = TempDir::new().unwrap();
    let mut covered = 0;
    for seed in 0..200 {
        let out = home.path().join(seed.to_string());
        let outcome =
            run(&sphere(seed, "random", 1_000_000, UNTIL), &out, false, &Quiet, &AtomicBool::new(false))
                .unwrap();
        let until = outcome.manifest.until.unwrap();
        covered += u32::from((until.mean - 1.25).abs() <= until.half_width);
        fs::remove_dir_all(out).unwrap();
    }
    assert!((178..=200).contains(&covered), "{covered} of 200");
    println!("{covered} of 200");
}

#[test]
fn a_rule_that_cannot_be_followed_is_refused_by_name() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    let text = resolved_toml(&sphere(1, "random", 5000, UNTIL));
    for (from, to, told) in [
        (
            "\"energy\"\nhalf_width",
            "\"enrgy\"\nhalf_width",
            "ensemble.until.channel: there is no column \"enrgy\"",
        ),
        (
            "\"energy\"\nhalf_width",
            "\"angular_velocity\"\nhalf_width",
            "observed are top.energy, top.angular_velocity.x",
        ),
        (
            "half_width = 0.022",
            "half_width = \"1 mm\"",
            "ensemble.until.half_width: is in m, and top.energy is in J",
        ),
        ("half_width = 0.022", "half_width = 0", "0 is not a half-width above zero"),
        ("confidence = 0.95", "confidence = 1", "confidence"),
        (
            "design = \"random\"",
            "design = \"latin_hypercube\"",
            "instances of this ensemble are laid out for its whole size",
        ),
        ("kind = \"monte_carlo\"", "kind = \"lyapunov\"", "`until` is not for studies of kind lyapunov"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        fs::write(&file, text.replace(from, to)).unwrap();
        let (_, said) = ends_with(2, &["check", path(&file)]);
        assert!(said.contains(told), "{to}: {said}");
        let (_, said) = ends_with(2, &["run", path(&file), "--out", path(&home.path().join("out"))]);
        assert!(said.contains(told) && has_place(&said, &file), "{to}: {said}");
    }
    fs::write(&file, text).unwrap();
    let (_, said) =
        ends_with(2, &["run", path(&file), "--shard", "1/2", "--out", path(&home.path().join("out"))]);
    assert!(said.contains("a shard does not know how many instances are enough"), "{said}");
    assert!(has_place(&said, &file), "{said}");
    // Values given beside the file have the place of the option.
    let set = "ensemble.until.channel=\"enrgy\"";
    let (_, said) = ends_with(2, &["check", path(&file), "--set", set]);
    assert!(said.starts_with("error: --set: ensemble.until.channel: there is no column"), "{said}");
}
