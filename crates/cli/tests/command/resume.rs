//! A run that was killed, interrupted or refused by its disk goes on from its last checkpoint, and
//! ends with the bytes of one that was never disturbed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use polhode::output::FIRST_LINE;
use polhode::study_file::read_study;
use polhode::{Results, RunError, RunOptions};
use tempfile::TempDir;

use crate::command::{Running, Until, altered, contents, ends_with, in_time, names, path, polhode, text};

/// A study of accuracy of ten steps and targets.
const LADDER: [(&str, &str); 5] = [
    ("study.methods", "[\"staggered\", \"rk4\"]"),
    ("study.steps", "[\"200 ms\", \"100 ms\", \"20 ms\", \"1 ms\"]"),
    ("study.targets", "[1e-3]"),
    ("study.repeats", "1"),
    ("ensemble.size", "12"),
];

/// Studies of every kind that has parts: more instances than chunks, a checkpoint after each.
pub fn kinds(home: &Path) -> Vec<(&'static str, PathBuf)> {
    let every_chunk = [("run.backend", "\"cpu\""), ("run.checkpoint", "\"0 s\""), ("accuracy.budget", "0")];
    let kind = |study: &'static str, changes: &[(&str, &str)]| {
        (study, altered(study, home, &[&every_chunk, changes].concat()))
    };
    vec![
        kind(
            "tumbling",
            &[
                ("ensemble.size", "10_000"),
                ("method.duration", "\"4 s\""),
                ("observe.channels", "[\"energy\"]"),
                ("observe.every", "\"1 s\""),
                ("observe.keep", "2000"),
                ("verdict.energy", "3e-6"),
                ("run.chunk", "600"),
            ],
        ),
        // Its body bends by more than a tenth in instances of every shard.
        kind(
            "triangle",
            &[
                ("ensemble.size", "300"),
                ("method.duration", "\"0.2 s\""),
                ("observe.channels", "[\"amplitude_0\", \"strain_energy\"]"),
                ("run.chunk", "17"),
            ],
        ),
        kind(
            "furuta_chaos",
            &[
                (
                    "ensemble.vary",
                    "{ \"shoulder.angle\" = { linspace = { from = -3.1, to = 3.1, count = 14 } }, \
                       \"hinge.angle\" = { linspace = { from = -3.1, to = 3.1, count = 14 } } }",
                ),
                ("method.duration", "\"1 s\""),
                ("observe.every", "\"0.1 s\""),
                ("study.transition", "true"),
                ("observe.keep", "2"),
                ("run.chunk", "17"),
            ],
        ),
        kind(
            "furuta_sensitivity",
            &[
                ("run.precision", "\"f32_compensated\""),
                ("study.samples", "32"),
                ("method.step", "\"0.2 ms\""),
                ("method.duration", "\"0.5 s\""),
                ("observe.channels", "[\"angle\"]"),
                ("observe.every", "\"0.1 s\""),
                ("run.chunk", "15"),
            ],
        ),
        kind(
            "map_oscillator",
            &[
                (
                    "ensemble.vary",
                    "{ \"method.step\" = { linspace = { from = 0.01, to = 4, count = 60 } }, \
                       \"coil.stiffness\" = { logspace = { from = 0.3, to = 30, count = 40 } } }",
                ),
                ("study.bisect", "1e-3"),
                ("run.chunk", "130"),
            ],
        ),
        // Layers: one for each of three treatments.
        kind(
            "map_multipliers",
            &[
                (
                    "ensemble.vary",
                    "{ \"method.step\" = { logspace = { from = 1e-4, to = 0.05, count = 12 } }, \
                       \"constraints.eps\" = { logspace = { from = 1e-9, to = 1e-2, count = 10 } } }",
                ),
                ("method.steps", "1000"),
                ("run.chunk", "35"),
            ],
        ),
        kind("work_precision", &LADDER),
        // By a method without a program.
        kind(
            "rubber_hinge",
            &[
                ("ensemble.size", "24"),
                ("method.duration", "\"0.2 s\""),
                ("observe.channels", "[\"energy\"]"),
                ("run.chunk", "2"),
            ],
        ),
    ]
}

/// All files but those that tell of times and machine, and the manifest without them.
pub fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut results = BTreeMap::new();
    for (file, bytes) in contents(folder) {
        let name = path(file.strip_prefix(folder).unwrap()).to_string();
        match name.as_str() {
            "report.html" | "accuracy.parquet" => {}
            // The numbers of its table, times among them, are in the text below too.
            "convergence.parquet" => {}
            "convergence.json" => {
                let mut all: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                for listing in ["rungs", "targets"] {
                    for row in all[listing]["rows"].as_array_mut().unwrap() {
                        let row = row.as_object_mut().unwrap();
                        assert!(row.remove("cpu_time").is_some() && row.remove("spread").is_some());
                    }
                }
                results.insert(name, all.to_string().into_bytes());
            }
            "manifest.json" => {
                let all: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                let of_results = ["complete", "instances", "advanced", "verdicts", "bent", "steps", "method"];
                let values = of_results.map(|key| all[key].to_string());
                results.insert(name, values.join("\n").into_bytes());
            }
            _ => {
                results.insert(name, bytes);
            }
        }
    }
    results
}

#[track_caller]
pub fn assert_same(what: &str, whole: &Path, other: &Path) {
    let (whole, other) = (results(whole), results(other));
    assert_eq!(whole.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in &whole {
        assert!(*bytes == other[name], "{what}: {name} differs");
    }
}

fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// Numbers in 0..1 that follow from a seed.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub fn checkpoint_of(out: &Path) -> PathBuf {
    PathBuf::from(format!("{}.unfinished", path(out))).join("checkpoint.state")
}

/// Kills runs of this study at random moments, so many of them, then lets it end; how often it was
/// taken up from a checkpoint.
fn killed(study: &Path, out: &Path, kills: usize, random: &mut Uniform) -> u64 {
    let arguments = ["run", path(study), "--out", path(out), "--resume", "--quiet"];
    // The first kill meets a checkpoint. Those after it may come too late, as the run may have
    // ended by then.
    killed_when(&mut polhode(&arguments), out, || checkpoint_of(out).exists());
    for _ in 1..kills {
        let mut run = Running::start(&mut polhode(&arguments));
        // Each checkpoint takes the place of the one before.
        let written = || fs::metadata(checkpoint_of(out)).and_then(|file| file.modified()).ok();
        let (mut last, mut since, mut left) = (written(), Instant::now(), (6.0 * random.next()) as usize);
        let mut between = Duration::ZERO;
        run.comes(|| {
            let now = written();
            if now != last {
                left = left.saturating_sub(1);
                (last, between, since) = (now, since.elapsed(), Instant::now());
            }
            left == 0
        });
        // The kill comes somewhere on the way to the next one, or in its midst.
        std::thread::sleep(between.mul_f64(random.next()));
        run.kill();
    }
    ends_with(0, &arguments);
    manifest(out)["resumed"].as_u64().unwrap_or(0)
}

/// Kills a run when this is so, and it has a checkpoint; again, as long as runs end before.
#[track_caller]
pub fn killed_when(run: &mut Command, out: &Path, mut is_so: impl FnMut() -> bool) {
    in_time(|| {
        let mut running = Running::start(run);
        let is_met = running.comes(&mut is_so) && running.kill() && checkpoint_of(out).exists();
        if !is_met {
            cleared(out);
        }
        is_met.then_some(())
    })
}

/// Removes what a run has left.
fn cleared(out: &Path) {
    for folder in [out, checkpoint_of(out).parent().unwrap()] {
        if folder.exists() {
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

fn killed_and_resumed(kills: usize, seed: u64) {
    let mut random = Uniform(seed);
    let home = TempDir::new().unwrap();
    for (name, study) in kinds(home.path()) {
        let whole = home.path().join(format!("{name}-whole"));
        ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
        let out = home.path().join(name);
        let resumed = killed(&study, &out, kills, &mut random);
        assert!(resumed >= 1, "{name}: {resumed} of {kills} kills left a checkpoint");
        assert_same(name, &whole, &out);
        assert!(!names(home.path()).iter().any(|name| name.ends_with(".unfinished")));
        assert!(!out.join("checkpoint.state").exists());
    }
}

#[test]
fn runs_of_every_kind_go_on_after_kills() {
    killed_and_resumed(3, 18);
}

#[test]
#[ignore = "a hundred kills take a minute and a half"]
fn a_hundred_kills_leave_no_trace() {
    for seed in 0..6 {
        killed_and_resumed(3, seed);
    }
}

/// A kill between the last two acts of a run, the folder's name and the removal of what only a run
/// needs, leaves a result that is complete.
#[test]
fn a_result_whose_run_was_killed_at_the_end_is_cleared_of_what_is_left() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &[("ensemble.size", "64"), ("method.duration", "\"5 s\"")]);
    let out = home.path().join("out");
    let run = ["run", path(&study), "--out", path(&out), "--resume"];
    ends_with(0, &run);
    let whole = contents(home.path());
    let old = out.join("replaced");
    fs::create_dir(&old).unwrap();
    fs::copy(out.join("manifest.json"), old.join("manifest.json")).unwrap();
    fs::write(out.join("checkpoint.state"), "").unwrap();
    fs::write(out.join("lock"), format!("{FIRST_LINE}checkpoint.state\nreplaced\n")).unwrap();
    let (_, said) = ends_with(0, &run);
    assert!(said.contains("is complete: nothing is left to do"), "{said}");
    assert!(contents(home.path()) == whole, "{:?}", names(&out));
}

/// A study of accuracy keeps every accurate motion and every step that is finished, tells how far
/// it is, and goes on; its shards too. What measures a machine is not taken up again, and says why.
#[cfg(unix)]
#[test]
fn a_study_of_accuracy_keeps_every_step() {
    let home = TempDir::new().unwrap();
    let often = [("run.checkpoint", "\"0 s\""), ("study.steps", "[\"100 ms\", \"50 ms\", \"0.05 us\"]")];
    let study = altered("work_precision", home.path(), &[&LADDER[..], &often].concat());
    let parts = home.path().join("parts");
    let out = parts.join("1");
    let run = ["run", path(&study), "--shard", "1/2", "--out", path(&out), "--resume"];
    let mut first = Running::start(&mut polhode(&run));
    // The units of this shard: three steps and a target of one method; the third step takes long.
    let share = || -> Option<f64> {
        let listed = polhode(&["shards", path(&parts), "--json"]).output().unwrap();
        let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).ok()?;
        listed[0]["share"].as_f64()
    };
    assert!(first.comes(|| share().is_some_and(|share| share > 0.0)) && first.kill(), "it has ended");
    let (printed, _) = ends_with(1, &["shards", path(&parts)]);
    assert!(printed.contains("interrupted") && printed.contains("--shard 1/2"), "{printed}");
    // It goes on from there, and an interrupt keeps what is finished, though the long step is not.
    let mut going_on = Running::start(&mut polhode(&run));
    going_on.says("going on from");
    going_on.send("INT");
    let ended = going_on.output();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("--resume goes on"), "{said}");
    assert!(share().is_some_and(|share| share > 0.0 && share < 1e-3), "{:?}", share());
    let (_, said) = ends_with(2, &["merge", path(&out), "--out", path(&home.path().join("none"))]);
    assert!(said.contains("shard 1/2 was interrupted; run it again with --resume"), "{said}");
    // More parts than pieces.
    let (_, said) =
        ends_with(2, &["run", path(&study), "--shard", "1/9", "--out", path(&home.path().join("x"))]);
    assert!(
        said.contains("a study of 8 steps and targets of all methods cannot be cut into 9 parts"),
        "{said}"
    );
}

/// Steps that there is no time for are left out by name: the finest first, of all methods.
#[test]
fn a_budget_ends_a_study_of_accuracy() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    // One of them suffices for the coarse step of both methods; the fine step takes hours.
    let (budget, told) = ["0.3", "3.0", "30.0", "300.0"]
        .into_iter()
        .find_map(|budget| {
            let duration = format!("\"{budget} s\"");
            let long = [("study.steps", "[\"100 ms\", \"0.02 us\"]"), ("study.budget", duration.as_str())];
            let study = altered("work_precision", home.path(), &[&LADDER[..], &long].concat());
            let ended = polhode(&["run", path(&study), "--out", path(&out), "--overwrite"]).output().unwrap();
            let (printed, said) = (text(&ended.stdout), text(&ended.stderr));
            assert!(ended.status.success() || said.contains("instances are known: give a longer"), "{said}");
            let is_coarse = |line: &str| line.contains(": 0.1 s, ") && line.contains(" left out: ");
            let suffices = ended.status.success() && !printed.lines().any(is_coarse);
            suffices.then_some((budget, printed))
        })
        .expect("a budget that suffices for a hundred steps");
    let data: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("convergence.json")).unwrap()).unwrap();
    let left_out: Vec<&str> =
        data["left_out"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(left_out.len(), 2, "{data}");
    for (line, method) in left_out.iter().zip(["staggered", "rk4"]) {
        let wanted =
            format!("{method}: 2e-8 s, the target of 0.001 rad left out: the budget of {budget} s was spent");
        assert_eq!(*line, wanted);
        assert!(told.contains(&wanted), "{told}");
        assert!(fs::read_to_string(out.join("report.html")).unwrap().contains(&wanted));
    }
    let steps: Vec<f64> =
        data["rungs"]["rows"].as_array().unwrap().iter().map(|row| row["step"].as_f64().unwrap()).collect();
    assert_eq!(steps, [0.1, 0.1]);
    let none = altered("work_precision", home.path(), &[("study.budget", "\"1 ns\"")]);
    let (_, said) = ends_with(2, &["run", path(&none), "--out", path(&home.path().join("none"))]);
    assert!(said.contains("accurate motions of 0 of 32 instances are known"), "{said}");
}

/// A run of two dozen chunks, with a checkpoint after each.
fn slow(home: &Path, changes: &[(&str, &str)]) -> PathBuf {
    let mine = [
        ("run.backend", "\"cpu\""),
        ("run.checkpoint", "\"0 s\""),
        ("run.chunk", "1000"),
        ("accuracy.budget", "0"),
        ("ensemble.size", "24_000"),
        ("method.duration", "\"15 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.every", "\"0.5 s\""),
    ];
    altered("tumbling", home, &[&mine, changes].concat())
}

/// Begins a run and waits for its first checkpoint. `None`: it ended before that was seen, and is
/// cleared away.
fn begun(study: &Path, out: &Path) -> Option<Running> {
    let mut run = Running::start(&mut polhode(&["run", path(study), "--out", path(out)]));
    let is_met = run.comes(|| checkpoint_of(out).exists());
    if !is_met {
        cleared(out);
    }
    is_met.then_some(run)
}

/// A run that stands still in its midst: it has a checkpoint, and is not at its end.
#[cfg(target_os = "linux")]
fn standing_still(study: &Path, out: &Path) -> Running {
    in_time(|| {
        let mut run = begun(study, out)?;
        if run.stands_still() && checkpoint_of(out).exists() {
            return Some(run);
        }
        drop(run);
        cleared(out);
        None
    })
}

#[cfg(unix)]
#[test]
fn an_interrupted_result_goes_on() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[]);
    let (whole, out) = (home.path().join("whole"), home.path().join("out"));
    ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
    for signal in ["INT", "TERM"] {
        let ended = in_time(|| {
            let mut run = begun(&study, &out)?;
            run.send(signal);
            let ended = run.output();
            if ended.status.success() {
                cleared(&out);
                return None;
            }
            Some(ended)
        });
        assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
        assert_eq!(manifest(&out)["complete"], false);
        assert!(out.join("checkpoint.state").exists());
        assert!(text(&ended.stderr).contains("--resume"), "{}", text(&ended.stderr));
        // Without --resume it is a result like any other.
        let (_, said) = ends_with(2, &["run", path(&study), "--out", path(&out)]);
        assert!(said.contains("the same command with --resume goes on from its last checkpoint"), "{said}");
        let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--resume"]);
        assert!(said.contains("going on from "), "{said}");
        assert_same(signal, &whole, &out);
        let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--resume"]);
        assert!(said.contains("is complete: nothing is left to do"), "{said}");
        fs::remove_dir_all(&out).unwrap();
    }
    assert_eq!(names(home.path()), ["tumbling.toml", "whole"]);
}

/// All instances are at their ends, and the error is being measured, or the edge of a map is looked
/// for: the run is not complete, and goes on with that. So it does where it is interrupted again
/// before it has begun.
#[test]
fn a_run_that_is_interrupted_behind_its_last_instance_goes_on() {
    let home = TempDir::new().unwrap();
    let at_ends = ["tumbling", "furuta_chaos", "furuta_sensitivity", "map_oscillator"];
    for (kind, file) in kinds(home.path()).into_iter().filter(|(kind, _)| at_ends.contains(kind)) {
        let mut study = read_study(&file).unwrap();
        study.accuracy.budget = None;
        study.run.checkpoint = None;
        let (whole, out) = (home.path().join("whole"), home.path().join("out"));
        let judged = polhode::run(&study, &RunOptions::new().out(&whole)).unwrap();
        let until = |share: f64| {
            let stop = AtomicBool::new(false);
            let options = RunOptions::new().out(&out).resume(true);
            polhode::run(&study, &options.listener(&Until(share, &stop)).interrupt(&stop))
        };
        let ended = until(1.0).unwrap();
        let manifest = ended.manifest();
        assert_eq!((ended.is_complete(), manifest.advanced), (false, manifest.instances), "{kind}");
        assert!(out.join("checkpoint.state").exists(), "{kind}");
        // One without a pilot takes no step any more, and comes to its end.
        if let Err(error) = until(0.0) {
            assert!(matches!(error, RunError::Interrupted), "{kind}: {error}");
            assert!(checkpoint_of(&out).exists(), "{kind}");
        }
        let resumed = polhode::run(&study, &RunOptions::new().out(&out).resume(true)).unwrap();
        assert!(resumed.is_complete(), "{kind}");
        assert_same(kind, &whole, &out);
        let word = |results: &Results| {
            results.manifest().accuracy.as_ref().map(|accuracy| (accuracy.word, accuracy.largest))
        };
        assert_eq!(word(&resumed), word(&judged), "{kind}");
        let has_table = |folder: &Path| folder.join("accuracy.parquet").exists();
        assert_eq!((has_table(&out), has_table(&whole)), [kind != "map_oscillator"; 2].into(), "{kind}");
        [whole, out].iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    }
}

#[test]
fn what_is_no_checkpoint_of_this_run_is_refused() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[]);
    let out = home.path().join("out");
    killed_when(&mut polhode(&["run", path(&study), "--out", path(&out)]), &out, || {
        checkpoint_of(&out).exists()
    });
    let unfinished = home.path().join("out.unfinished");
    let before = contents(&unfinished);
    let (printed, _) = ends_with(1, &["shards", path(home.path())]);
    assert!(printed.contains("is left by a whole run, and no shard"), "{printed}");
    let refused = |arguments: &[&str], message: &str| {
        let all = [&["run", path(&study), "--out", path(&out), "--resume"], arguments].concat();
        let (_, said) = ends_with(2, &all);
        assert!(said.contains(message) && said.contains("out.unfinished"), "{arguments:?}: {said}");
        assert!(contents(&unfinished) == before, "{arguments:?}");
    };
    refused(&["--precision", "f32"], "run.precision is \"f64\", and \"f32\" in what is to be run now");
    refused(&["--shard", "1/2"], "is that of the whole, and not of shard 1/2");
    let checkpoint = unfinished.join("checkpoint.state");
    let bytes = fs::read(&checkpoint).unwrap();
    for place in [0, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(&checkpoint, damaged).unwrap();
        let (_, said) = ends_with(2, &["run", path(&study), "--out", path(&out), "--resume"]);
        assert!(said.contains("checkpoint.state is"), "byte {place}: {said}");
    }
    fs::write(&checkpoint, &bytes).unwrap();
    // Rows of the table behind the last whole group are in the checkpoint; a table that is gone is
    // not.
    fs::remove_file(unfinished.join("instances.parquet")).unwrap();
    let (_, said) = ends_with(2, &["run", path(&study), "--out", path(&out), "--resume"]);
    assert!(said.contains("begin again without --resume") && said.contains("instances.parquet"), "{said}");
    // A run that is to begin anew clears it away, and says so.
    let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out)]);
    assert!(said.contains("was not finished, and is begun anew"), "{said}");
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
}

/// All files of a folder, as if they had been written at this time.
fn dated(folder: &Path, time: SystemTime) {
    for file in contents(folder).into_keys() {
        fs::File::options().append(true).open(file).unwrap().set_modified(time).unwrap();
    }
}

/// The clock of the day may be wrong, or be set between a kill and what comes after: files are
/// older than the run, or not written yet.
#[test]
fn a_clock_that_is_set_changes_nothing() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[]);
    let whole = home.path().join("whole");
    ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
    let century = Duration::from_secs(100 * 365 * 86_400);
    for (name, time) in [("early", SystemTime::UNIX_EPOCH), ("late", SystemTime::now() + century)] {
        let parts = home.path().join(name);
        let run = |part: &str| {
            let out = parts.join(part);
            (
                polhode(&[
                    "run",
                    path(&study),
                    "--shard",
                    &format!("{part}/2"),
                    "--out",
                    path(&out),
                    "--resume",
                ]),
                out,
            )
        };
        let (mut first, out) = run("1");
        killed_when(&mut first, &out, || checkpoint_of(&out).exists());
        dated(&parts, time);
        let (printed, _) = ends_with(1, &["shards", path(&parts)]);
        assert!(printed.contains("interrupted") && printed.contains("missing"), "{name}: {printed}");
        let resumed = first.output().unwrap();
        assert!(text(&resumed.stderr).contains("going on from"), "{name}: {}", text(&resumed.stderr));
        run("2").0.output().unwrap();
        dated(&parts, time);
        ends_with(0, &["shards", path(&parts)]);
        let again = run("2").0.output().unwrap();
        assert!(text(&again.stderr).contains("nothing is left to do"), "{name}: {}", text(&again.stderr));
        let merged = home.path().join(format!("{name}-merged"));
        ends_with(
            0,
            &["merge", path(&parts.join("1")), path(&parts.join("2")), "--out", path(&merged), "--quiet"],
        );
        assert_same(name, &whole, &merged);
        dated(&merged, time);
        ends_with(0, &["replay", path(&merged), "--instance", "3"]);
        ends_with(0, &["plot", path(&merged)]);
    }
}

/// After a power cut the disk has what a checkpoint had synced, and of what came later anything:
/// nothing, a part, or other bytes.
#[test]
fn what_a_power_cut_leaves_behind_the_last_checkpoint_is_not_used() {
    let home = TempDir::new().unwrap();
    // There are more rows than a group of the table has, and few columns.
    let rows = [
        ("ensemble.size", "340_000"),
        ("method.duration", "\"0.5 s\""),
        ("run.chunk", "20_000"),
        ("output.instances", "[\"drawn.body.angular_velocity\"]"),
    ];
    let study = slow(home.path(), &rows);
    let (whole, out) = (home.path().join("whole"), home.path().join("out"));
    ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
    let unfinished = checkpoint_of(&out).parent().unwrap().to_owned();
    for rest in ["nothing", "zeros", "other bytes", "a half checkpoint"] {
        // Some chunks on, rows of the table are on the disk.
        let table = unfinished.join("instances.parquet");
        killed_when(&mut polhode(&["run", path(&study), "--out", path(&out)]), &out, || {
            fs::metadata(&table).is_ok_and(|file| file.len() >= 100_000) && checkpoint_of(&out).exists()
        });
        let mut bytes = fs::read(&table).unwrap();
        match rest {
            "nothing" => {}
            "zeros" => bytes.extend([0; 70_000]),
            "other bytes" => bytes.extend((0..70_000_u32).map(|k| (k * k / 7) as u8)),
            _ => {
                let checkpoint = fs::read(unfinished.join("checkpoint.state")).unwrap();
                fs::write(unfinished.join("checkpoint.state.new"), &checkpoint[..checkpoint.len() / 2])
                    .unwrap();
            }
        }
        fs::write(&table, bytes).unwrap();
        let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--resume"]);
        assert!(said.contains("going on from"), "{rest}: {said}");
        assert_same(rest, &whole, &out);
        assert!(!names(&out).iter().any(|name| name.contains("checkpoint")), "{rest}: {:?}", names(&out));
        fs::remove_dir_all(&out).unwrap();
    }
}

/// The calls of a run to the system, in their order: its threads' lines put together, each with its
/// arguments.
#[cfg(target_os = "linux")]
fn calls_of(arguments: &[&str], home: &Path) -> Option<Vec<String>> {
    let log = home.join("calls");
    let run = polhode(arguments);
    let mut strace = Command::new("strace");
    strace.args([
        "-f",
        "-y",
        "-s",
        "0",
        "-e",
        "trace=write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2",
    ]);
    strace.arg("-o").arg(&log).arg(run.get_program()).args(run.get_args()).env("XDG_RUNTIME_DIR", home);
    // Where there is no strace, or it may not look on, there is nothing to be seen.
    let ran = strace.stdout(Stdio::null()).stderr(Stdio::piped()).output().ok()?;
    if text(&ran.stderr).contains("ptrace") {
        return None;
    }
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let log = fs::read_to_string(&log).unwrap();
    // A call that another thread's interrupts stands in two lines, of which the second one ends it.
    let mut begun: BTreeMap<String, String> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let Some((thread, call)) = line.trim().split_once(char::is_whitespace) else { continue };
        let call = call.trim_start();
        if let Some(first) = call.strip_suffix(" <unfinished ...>") {
            begun.insert(thread.to_string(), first.to_string());
        } else if let Some((_, rest)) = call.split_once(" resumed>").filter(|_| call.starts_with("<...")) {
            calls.push(begun.remove(thread).unwrap_or_default() + rest);
        } else {
            calls.push(call.to_string());
        }
    }
    Some(calls)
}

/// Before a checkpoint, a picture or a folder takes its name, every file of it that was written is
/// synced; a folder's lists too, and the list that has its new name after.
#[cfg(target_os = "linux")]
#[test]
fn files_are_on_the_disk_before_they_have_their_names() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[("ensemble.size", "6000")]);
    let out = home.path().join("out");
    let ladder =
        altered("work_precision", home.path(), &[&LADDER[..], &[("run.checkpoint", "\"0 s\"")]].concat());
    for arguments in [
        &["run", path(&study), "--out", path(&out), "--quiet"][..],
        &["plot", path(&out)],
        &["run", path(&ladder), "--out", path(&out), "--overwrite", "--quiet"],
    ] {
        let Some(calls) = calls_of(arguments, home.path()) else {
            eprintln!("no strace: the order of calls was not looked at");
            return;
        };
        // The file of a call: between the brackets behind its number.
        let file_of = |call: &str| {
            call.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(file, _)| file.to_string())
        };
        let mut unsynced: BTreeMap<String, usize> = BTreeMap::new();
        let (mut renames, mut since) = (0, Vec::new());
        for (at, call) in calls.iter().enumerate() {
            let name = call.split('(').next().unwrap();
            let file = file_of(call).filter(|file| file.starts_with(path(home.path())));
            match (name, file) {
                ("write" | "pwrite64" | "writev", Some(file)) => drop(unsynced.insert(file, at)),
                ("fsync" | "fdatasync", Some(file)) => {
                    unsynced.remove(&file);
                    since.push(file);
                }
                ("rename" | "renameat" | "renameat2", _) => {
                    let quoted: Vec<&str> = call.split('"').skip(1).step_by(2).collect();
                    let [from, to] = quoted[..] else { panic!("{call}") };
                    renames += 1;
                    if to.ends_with("/replaced") {
                        // The old result makes room.
                        continue;
                    }
                    // A checkpoint counts the rows of the table beside it.
                    let all = match to.ends_with("checkpoint.state") {
                        true => path(Path::new(from).parent().unwrap()),
                        false => from,
                    };
                    let late: Vec<&String> = unsynced.keys().filter(|file| file.starts_with(all)).collect();
                    assert!(late.is_empty(), "{arguments:?}: {call} before {late:?} are synced");
                    if to.ends_with("out") {
                        assert!(
                            since.iter().any(|file| file == from),
                            "{call}: its list of files is not synced"
                        );
                        since.clear();
                    }
                }
                _ => {}
            }
        }
        assert!(renames > 1, "{arguments:?}: {calls:?}");
        if arguments[0] == "run" {
            assert!(
                since.iter().any(|file| file == path(home.path())),
                "{arguments:?}: the new name is not synced"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_has_one_run_at_a_time() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[]);
    let out = home.path().join("out");
    let run = standing_still(&study, &out);
    for arguments in [&[][..], &["--overwrite"], &["--resume"]] {
        // A scheduler tries it again.
        let (_, said) = ends_with(1, &[&["run", path(&study), "--out", path(&out)], arguments].concat());
        assert!(said.contains("another run of polhode is writing here"), "{said}");
        assert!(!said.contains("--resume goes on"), "{said}");
    }
    assert!(run.kill(), "it has ended, though it stood still");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--resume", "--quiet"]);
}

#[test]
fn an_overwrite_that_was_killed_between_its_renames_is_repaired() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[("ensemble.size", "100")]);
    let out = home.path().join("out");
    let again = || ends_with(2, &["run", path(&study), "--out", path(&out)]);
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet"]);
    let before = contents(&out);
    // The old result has given up its name, and the new one does not have it yet.
    let beside = home.path().join("out.unfinished");
    let marked = |folder: &Path| fs::write(folder.join("lock"), format!("{FIRST_LINE}replaced\n")).unwrap();
    fs::rename(&out, &beside).unwrap();
    fs::create_dir(beside.join("replaced")).unwrap();
    fs::copy(beside.join("manifest.json"), beside.join("replaced/manifest.json")).unwrap();
    marked(&beside);
    again();
    assert!(contents(&out) == before);
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
    // The new one has it, and the old one is still there, or a part of it.
    fs::create_dir(out.join("replaced")).unwrap();
    fs::write(out.join("replaced/instances.parquet"), "").unwrap();
    marked(&out);
    ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite", "--quiet"]);
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
    assert!(!names(&out).iter().any(|name| name == "replaced"));
}

#[cfg(unix)]
#[test]
fn a_run_goes_on_once_its_disk_has_room_again() {
    let home = TempDir::new().unwrap();
    let study = slow(
        home.path(),
        &[("ensemble.size", "300_000"), ("method.duration", "\"0.5 s\""), ("run.chunk", "20_000")],
    );
    let (whole, out) = (home.path().join("whole"), home.path().join("out"));
    ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
    let table = fs::metadata(whole.join("instances.parquet")).unwrap().len() / 512;
    let run = polhode(&["run", path(&study), "--out", path(&out)]);
    let limited = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", table - 10);
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited, "sh"]).arg(run.get_program()).args(run.get_args());
    let full = shell.env("XDG_RUNTIME_DIR", home.path()).output().unwrap();
    assert_eq!(full.status.code(), Some(1), "{}", text(&full.stderr));
    let said = text(&full.stderr);
    assert!(said.contains("File too large") && said.contains("--resume"), "{said}");
    let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--resume"]);
    assert!(said.contains("going on from"), "{said}");
    assert_same("a full disk", &whole, &out);
}

/// Someone deletes the folder under a run: that is said, nothing is called a result, and the same
/// command begins again.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_taken_away_is_an_error() {
    let home = TempDir::new().unwrap();
    let study = slow(home.path(), &[]);
    let (whole, out) = (home.path().join("whole"), home.path().join("out"));
    ends_with(0, &["run", path(&study), "--out", path(&whole), "--quiet"]);
    let mut run = standing_still(&study, &out);
    fs::remove_dir_all(checkpoint_of(&out).parent().unwrap()).unwrap();
    run.send("CONT");
    let ended = run.output();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.lines().last().unwrap().starts_with(&format!("error: {}", path(&out))), "{said}");
    assert!(!said.contains("panicked") && !out.exists(), "{said}");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--resume", "--quiet"]);
    assert_same("taken away", &whole, &out);
    assert_eq!(names(home.path()), ["out", "tumbling.toml", "whole"]);
}

/// A result whose samples have changed since is none of the study as it is now, and is not replayed
/// by other numbers.
#[test]
fn a_result_of_other_samples_is_not_taken_for_this_one() {
    let home = TempDir::new().unwrap();
    let samples = home.path().join("k.csv");
    let table = format!(
        "{{ \"body.angular_velocity.x\" = {{ table = {{ file = {samples:?}, columns = [\"w\"] }} }} }}"
    );
    fs::write(&samples, "w\n1.5\n2.5\n").unwrap();
    let changes = [("ensemble.vary", table.as_str()), ("ensemble.size", "2"), ("method.duration", "\"1 s\"")];
    let study = altered("tumbling", home.path(), &changes);
    let out = home.path().join("out");
    let again = ["run", path(&study), "--out", path(&out), "--resume"];
    let replay = ["replay", path(&out), "--instance", "1"];
    ends_with(0, &again);
    assert!(ends_with(0, &again).1.contains("nothing is left to do"));
    ends_with(0, &replay);
    let before = contents(&out);
    fs::write(&samples, "w\n1.5\n2.75\n").unwrap();
    for (arguments, word) in [(&again[..], "tables of samples"), (&replay, "other samples")] {
        let (_, error) = ends_with(2, arguments);
        assert!(error.contains(word), "{error}");
    }
    assert!(contents(&out) == before);
    ends_with(0, &[&again[..], &["--overwrite"]].concat());
    ends_with(0, &replay);
}
