//! Verdicts at the end alone, and studies of one instance.

use std::fs;

use polhode::output::SavedTable;
use polhode::study_file::read_study_text;
use polhode::{RunOptions, Study};
use tempfile::TempDir;

use crate::command::{ends_with, output, path};
use crate::common::tolerances::{CLOSED_FORM, ROUNDING_AT_THE_END};

fn study(text: &str) -> Study {
    read_study_text("ends", text, "[body]\nmass = 1\ninertia = [1, 1, 1]\ninitial.velocity = [1, 0, 0]\n")
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A body that passes 0.5 m on its way to 1 m: a condition that holds at the end does not see where
/// it was, one that holds on the way ends it.
#[test]
fn a_condition_at_the_end_looks_there_alone_and_stops_nothing() {
    for (backend, method) in [("cpu", "staggered"), ("cpu", "rk4"), ("cpu", "bdf"), ("gpu", "rk4")] {
        let text = format!(
            "[method]\nname = \"{method}\"\nstep = \"50 ms\"\nduration = \"1 s\"\n[ensemble]\n\
             vary.\"body.velocity.x\" = {{ list = [0.2, 0.9, 1.5, 4] }}\n\
             [[outcome]]\nname = \"way\"\nfinal = \"body.position.x\"\nunit = \"m\"\n\
             [[verdict]]\nname = \"short\"\nwhen = \"body.position.x < 0.5\"\nat_end = true\n\
             [[verdict]]\nname = \"far\"\nwhen = \"body.position.x > 1.2\"\nat_end = true\n\
             [[verdict]]\nname = \"lost\"\nwhen = \"body.position.x > 3\"\nevery = 1\n\
             [accuracy]\nbudget = 0\n[run]\nbackend = \"{backend}\"\nprecision = \"f64\"\n"
        );
        let Ok(results) = polhode::run(&study(&text), &RunOptions::new()) else {
            assert_eq!(backend, "gpu");
            continue;
        };
        let home = TempDir::new().unwrap();
        let folder = results.write_to(home.path().join("out"), false).unwrap();
        let table = SavedTable::open(&folder.join("instances.parquet")).unwrap();
        let verdicts = table.texts("verdict").unwrap();
        assert_eq!(verdicts, ["short", "finished", "far", "lost"], "{backend} {method}");
        assert!(table.floats("verdict_time").unwrap()[..3].iter().all(|t| (t - 1.0).abs() < CLOSED_FORM));
        // Outcomes of those that came to their end are of the end.
        let way = table.floats("final.way").unwrap();
        for (found, exact) in way.iter().zip([0.2, 0.9, 1.5]) {
            assert!((found - exact).abs() < CLOSED_FORM, "{backend} {method}: {found}");
        }
    }
}

/// The shares of x = a + b/2 are .8 and .2, whether or not instances miss at the end; replay shows
/// the last step of those that miss.
#[test]
fn an_instance_that_misses_at_the_end_counts_as_all_others() {
    let given = |size: &str, kind: &str| {
        format!(
            "[method]\nname = \"rk4\"\nstep = \"10 ms\"\nduration = \"1 s\"\n[ensemble]\n{size}\n\
             vary.\"constants.a\" = {{ uniform = {{ low = 0, high = 1 }} }}\n\
             vary.\"constants.b\" = {{ uniform = {{ low = 0, high = 1 }} }}\n{kind}\
             [observe]\nchannels = []\n[[outcome]]\nname = \"x\"\nfinal = \"a + 0.5*b\"\n\
             [[verdict]]\nname = \"missed\"\nwhen = \"a > 0.5\"\nat_end = true\n"
        )
    };
    let body = "[constants]\na = 0.5\nb = 0.5\n[body]\nmass = 1\ninertia = [1, 1, 1]\n\
                initial.velocity = [1, 0, 0]\n";
    let home = TempDir::new().unwrap();
    let run = |name: &str, text: &str| {
        let study = read_study_text(name, text, body).unwrap_or_else(|problems| panic!("{problems}"));
        let results = polhode::run(&study, &RunOptions::new()).unwrap();
        assert!(results.verdicts()["missed"] > 20, "{:?}", results.verdicts());
        let folder = results.write_to(home.path().join(name), false).unwrap();
        (folder.clone(), fs::read_to_string(folder.join("report.html")).unwrap())
    };

    let (folder, report) = run("shares", &given("", "[study]\nkind = \"sensitivity\"\nsamples = 256\n"));
    assert!(!report.contains("have a value ("), "all have one");
    let indices = SavedTable::open(&folder.join("indices.parquet")).unwrap();
    assert!(indices.integers("left_out").unwrap().iter().all(|rows| *rows == 0));
    assert!((indices.floats("estimate").unwrap()[0] - 0.8).abs() < 0.02);

    let (folder, report) = run("spread", &given("size = 64", ""));
    assert!(report.contains("64 of 64 instances"), "correlations are of all");
    let table = SavedTable::open(&folder.join("instances.parquet")).unwrap();
    let missed = table.texts("verdict").unwrap().iter().position(|verdict| verdict == "missed").unwrap();
    let replayed = output(&["replay", path(&folder), "--instance", &missed.to_string()]);
    let printed = String::from_utf8(replayed.stdout).unwrap();
    assert!(printed.lines().any(|line| line.trim_start().starts_with("1  body ")), "{printed}");
    assert!(printed.contains("the run's verdict: missed at step 100"), "{printed}");
}

/// Each body passes the place where the outcome is 1, and is ended by a condition behind it: steps
/// that are too long to see the peak are not called resolved, and the outcome is spoken of.
#[test]
fn outcomes_of_instances_that_a_condition_ends_are_judged() {
    let home = TempDir::new().unwrap();
    let mechanism = "[body]\nmass = 1\ninertia = [1, 1, 1]\ninitial.velocity = [1, 0, 0]\n";
    fs::write(home.path().join("mechanism.toml"), mechanism).unwrap();
    let file = home.path().join("study.toml");
    let text = "mechanism = \"mechanism.toml\"\n[method]\nname = \"rk4\"\nstep = \"50 ms\"\n\
                duration = \"2 s\"\n[ensemble]\nsize = 40\n\
                vary.\"body.velocity.x\" = { uniform = { low = 0.8, high = 1.2 } }\n\
                [observe]\nchannels = [\"position\"]\nevery = \"100 ms\"\n[[outcome]]\nname = \"peak\"\n\
                max = \"1/(1 + ((body.position.x - 0.313)/0.02)^2)\"\n\
                [[verdict]]\nname = \"passed\"\nwhen = \"body.position.x > 0.6\"\n";
    fs::write(&file, text).unwrap();
    for (step, word, error) in [("50 ms", "NOT RESOLVED", 0.2..1.0), ("0.1 ms", "RESOLVED", 0.0..1e-6)] {
        let out = home.path().join(word);
        let set = format!("method.step={step}");
        let run = output(&["run", path(&file), "--out", path(&out), "--set", &set]);
        let printed = String::from_utf8(run.stdout).unwrap();
        assert!(printed.contains(&format!("accuracy: {word}. ")), "{step}: {printed}");
        // All are counted, as they were when they ended.
        assert!(printed.contains("\npeak: mean ") && !printed.contains("have a value"), "{printed}");
        assert!(!printed.contains("position.x: 0 of"), "{printed}");
        let peaks = SavedTable::open(&out.join("instances.parquet")).unwrap().floats("final.peak").unwrap();
        let largest = peaks.iter().map(|peak| 1.0 - peak).fold(0.0, f64::max);
        assert!(error.contains(&largest), "{step}: {largest}");
        let judged = SavedTable::open(&out.join("accuracy.parquet")).unwrap();
        let at = judged.texts("channel").unwrap().iter().position(|channel| channel == "peak").unwrap();
        assert!(
            judged.integers("count").unwrap()[at] > 0
                && error.contains(&judged.floats("largest_error").unwrap()[at])
        );
    }
}

/// A condition ends an instance after a step, and its outcomes and last values are those of the
/// time of its verdict: x = v t. They were of the step before, and no condition seemed to hold.
#[test]
fn outcomes_last_until_the_condition_that_ends_an_instance() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    for (method, backend) in [("rk4", "cpu"), ("rk4", "gpu"), ("staggered", "cpu"), ("bdf", "cpu")] {
        let text = format!(
            "[method]\nname = \"{method}\"\nstep = \"10 ms\"\nduration = \"2 s\"\n[run]\n\
             precision = \"f64\"\nbackend = \"{backend}\"\n[ensemble]\nsize = 20\n\
             vary.\"b.velocity.x\" = {{ uniform = {{ low = 0.8, high = 1.2 }} }}\n\
             [[outcome]]\nname = \"far\"\nmax = \"b.position.x\"\n\
             [[verdict]]\nname = \"left\"\nwhen = \"b.position.x > 0.5\"\n\
             [[mechanism.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n\
             initial.velocity = [1, 0, 0]\n"
        );
        fs::write(&file, text).unwrap();
        let out = home.path().join("out");
        ends_with(0, &["run", path(&file), "--out", path(&out), "--overwrite"]);
        let table = SavedTable::open(&out.join("instances.parquet")).unwrap();
        let column = |name: &str| table.floats(name).unwrap();
        let speeds = column("drawn.b.velocity.x").into_iter().zip(column("verdict_time"));
        for (far, (v, t)) in column("final.far").into_iter().zip(speeds) {
            assert!((far - v * t).abs() < ROUNDING_AT_THE_END, "{method} {backend}: {far}, {}", v * t);
        }
        let replayed = output(&["replay", path(&out), "--instance", "3"]);
        let printed = String::from_utf8(replayed.stdout).unwrap();
        let word = if method == "bdf" { "not judged by itself" } else { "confirmed" };
        assert!(printed.contains(&format!("coding: {word}")), "{method} {backend}: {printed}");
    }
}

/// All instances end before anything is observed: what helps is said, and does.
#[test]
fn a_choice_says_that_conditions_may_end_all_before_a_snapshot() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    fs::write(
        &file,
        "[method]\naccuracy = 1e-4\nduration = \"2 s\"\n[observe]\nevery = \"1 s\"\n[ensemble]\nsize = 20\n\
         vary.\"b.velocity.x\" = { uniform = { low = 0.9, high = 1.1 } }\n[output]\nreport = false\n\
         [[verdict]]\nname = \"left\"\nwhen = \"b.position.x > 0.3\"\n\
         [[mechanism.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\ninitial.velocity = [1, 0, 0]\n",
    )
    .unwrap();
    let out = home.path().join("out");
    let (_, error) = ends_with(2, &["run", path(&file), "--out", path(&out)]);
    assert!(error.contains("observe more often, if conditions end all instances before the"), "{error}");
    ends_with(0, &["run", path(&file), "--out", path(&out), "--set", "observe.every=0.1 s"]);
}

#[test]
fn a_study_without_an_ensemble_is_of_one_instance() {
    let alone = study("[method]\nstep = \"1 ms\"\nduration = \"10 ms\"\n");
    assert_eq!((alone.ensemble.size, alone.ensemble.vary.len()), (1, 0));
    let results = polhode::run(&alone, &RunOptions::new()).unwrap();
    assert_eq!(results.verdicts()["finished"], 1);
    // A kind of study that takes its size from what varies still asks for it.
    let study = "[study]\nkind = \"sensitivity\"\nmethod = \"sobol\"\nsamples = 64\n[method]\n\
                 step = \"1 ms\"\nduration = \"10 ms\"\n";
    let problems = read_study_text("asked", study, "[body]\nmass = 1\ninertia = [1, 1, 1]\n").unwrap_err();
    assert!(
        problems.to_string().contains("nothing varies") || problems.to_string().contains("vary"),
        "{problems}"
    );
}

/// Speed and errors are those of instances that go to the end, whatever would end them on the way.
#[test]
fn a_benchmark_leaves_out_what_ends_instances() {
    let home = TempDir::new().unwrap();
    let (file, out) = (home.path().join("study.toml"), home.path().join("speed"));
    let text = "method = { name = \"rk4\", step = \"10 ms\", duration = \"1 s\" }\n\
                [ensemble]\nsize = 16\n[[verdict]]\nname = \"far\"\nwhen = \"body.position.x > 0.5\"\n\
                [[mechanism.body]]\nname = \"body\"\nmass = 1\ninertia = [1, 2, 3]\n\
                initial = { velocity = [1, 0, 0], angular_velocity = [1, 1, 1] }\n";
    fs::write(&file, text).unwrap();
    let ladder = "--sizes 16 --steps 10 --backends cpu --precisions f64 --repeats 1 --judged 2";
    let arguments = ["bench", path(&file), "--out", path(&out), "--budget", "1 s"];
    let found = output(&[&arguments[..], &ladder.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let [said, told] = [found.stdout, found.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!((said.clone() + &told).contains("conditions are left out"), "{said}{told}");
    assert!(!said.contains("inf"), "{said}");
}

/// So are those of a study of accuracy.
#[test]
fn a_study_of_convergence_leaves_out_what_ends_instances() {
    let home = TempDir::new().unwrap();
    let (file, out) = (home.path().join("study.toml"), home.path().join("out"));
    let text = "[study]\nkind = \"convergence\"\nmethods = [\"rk4\"]\nsteps = [\"20 ms\", \"10 ms\"]\n\
                [method]\nname = \"rk4\"\nstep = \"10 ms\"\nduration = \"1 s\"\n\
                [ensemble]\nsize = 2\n[[verdict]]\nname = \"far\"\nwhen = \"body.position.x > 0.5\"\n\
                [[mechanism.body]]\nname = \"body\"\nmass = 1\ninertia = [1, 2, 3]\n\
                initial = { velocity = [1, 0, 0], angular_velocity = [1, 1, 1] }\n";
    fs::write(&file, text).unwrap();
    let (said, _) = ends_with(0, &["run", path(&file), "--out", path(&out)]);
    assert!(said.contains("[[verdict]] conditions are left out"), "{said}");
    assert!(!said.contains("inf"), "{said}");
}

/// A method that chooses its steps needs no step: the longest there can be ends at snapshots.
#[test]
fn own_steps_end_at_snapshots_where_no_step_is_given() {
    let read = |method: &str| {
        let text = format!("method = {{ {method}, duration = \"1 s\" }}\nobserve.every = \"0.25 s\"\n");
        let mechanism = "[body]\nmass = 1\ninertia = [1, 1, 1]\n";
        let study = read_study_text("s", &text, mechanism).map_err(|problems| problems.to_string());
        study.map(|study| (study.method.step, study.method.steps, study.method.open.is_some()))
    };
    for method in ["name = \"dop853\", tolerance = 1e-8", "name = \"bdf\""] {
        assert_eq!(read(method), Ok((0.25, 4, false)), "{method}");
    }
    let fixed = read("name = \"dop853\"").unwrap_err();
    assert!(fixed.contains("`step` is missing"), "{fixed}");
}
