//! The command as a user meets it: what it prints, what it leaves on the disk, and with which code
//! it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use clap::CommandFactory;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use polhode::ensemble::Shard;
use polhode::study::{RunContext, run_under};
use polhode::study_file::read_study;
use tempfile::TempDir;

use crate::command::{Running, Until, altered, contents, ends_with, interrupt, names, path, polhode, text};
use crate::common::sweep::alternate;
use crate::common::{in_root, root};

/// 300 bodies that tumble for two seconds, seen 11 times.
fn small(folder: &Path) -> PathBuf {
    let changes = [
        ("ensemble.size", "300"),
        ("method.duration", "\"2 s\""),
        ("observe.every", "\"0.2 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.keep", "8"),
        ("run.backend", "\"cpu\""),
    ];
    altered("tumbling", folder, &changes)
}

pub(crate) fn table(folder: &Path, name: &str) -> RecordBatch {
    let file = fs::File::open(folder.join(name)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<RecordBatch> =
        builder.with_batch_size(1 << 20).build().unwrap().map(Result::unwrap).collect();
    match &batches[..] {
        [] => RecordBatch::new_empty(schema),
        [one] => one.clone(),
        _ => panic!("{name} has more rows than these tests expect"),
    }
}

pub(crate) fn integers(table: &RecordBatch, column: &str) -> Vec<u64> {
    table.column_by_name(column).unwrap().as_primitive::<UInt64Type>().values().to_vec()
}

/// Text of a dictionary-encoded column.
pub(crate) fn texts(table: &RecordBatch, column: &str) -> Vec<String> {
    let dictionary = table.column_by_name(column).unwrap().as_any_dictionary();
    let values = dictionary.values().as_string::<i32>();
    dictionary.normalized_keys().into_iter().map(|key| values.value(key).to_string()).collect()
}

fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn wrong_files_are_refused_by_check_and_run_alike() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    in_root();
    let mut files: Vec<String> = names(Path::new("tests/wrong"));
    files.retain(|name| name.ends_with(".toml"));
    assert!(files.len() >= 30);
    for (number, name) in files.into_iter().enumerate() {
        let file = format!("tests/wrong/{name}");
        let problems = read_study(Path::new(&file)).expect_err(&file).to_string();
        let expected: String = problems.trim_end().lines().map(|line| format!("error: {line}\n")).collect();
        let commands = [&["check", &file][..], &["run", &file, "--out", path(&out), "--overwrite"]];
        for arguments in alternate(number, &commands) {
            let (printed, said) = ends_with(2, arguments);
            assert_eq!((printed.as_str(), &said), ("", &expected), "{arguments:?}");
        }
        assert!(names(home.path()).is_empty(), "{file}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let study = "studies/tumbling.toml";
    for arguments in [
        &["run"][..],
        &["run", study, "--chunk", "0"],
        &["run", study, "--threads", "0"],
        &["run", study, "--backend", "cuda"],
        &["run", study, "--precision", "f16"],
        &["check", "studies/tumblin.toml"],
        &["replay", "tests", "--instance", "0"],
        &["replay", "tests", "--instance", "-1"],
        &["tumble"],
        &[],
    ] {
        let (printed, said) = ends_with(2, arguments);
        assert!(printed.is_empty() && !said.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_study_with_too_many_snapshots_is_refused() {
    let home = TempDir::new().unwrap();
    let study =
        altered("tumbling", home.path(), &[("observe.every", "\"1 ms\""), ("method.duration", "\"500 s\"")]);
    let out = home.path().join("out");
    let (_, checked) = ends_with(2, &["check", path(&study)]);
    let (_, ran) = ends_with(2, &["run", path(&study), "--out", path(&out)]);
    assert!(ran.ends_with(&checked), "{checked}{ran}");
    assert!(checked.contains("500001 snapshots") && ran.contains("observe less often"), "{ran}");
    assert_eq!(names(home.path()), ["tumbling.toml"]);
}

#[test]
fn an_adapter_that_is_not_there_changes_nothing() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let out = home.path().join("out");
    let (_, said) =
        ends_with(1, &["run", path(&study), "--out", path(&out), "--backend", "gpu:no such thing"]);
    assert!(said.contains("no such thing"), "{said}");
    assert_eq!(names(home.path()), ["tumbling.toml"]);
}

#[test]
fn an_output_folder_is_replaced_only_on_request() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let out = home.path().join("out");
    let run = ["run", path(&study), "--out", path(&out)];
    ends_with(0, &run);
    let first = contents(&out);

    let (_, said) = ends_with(2, &run);
    assert!(said.contains("--overwrite"), "{said}");
    assert_eq!(contents(&out), first);

    ends_with(0, &[&run[..], &["--overwrite", "--precision", "f64"]].concat());
    assert_eq!(manifest(&out)["precision"], "f64");

    let foreign = home.path().join("thesis");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.tex"), "mine").unwrap();
    let (_, said) = ends_with(2, &["run", path(&study), "--out", path(&foreign), "--overwrite"]);
    assert!(said.contains("not a polhode result"), "{said}");
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let (_, said) = ends_with(2, &[&run[..], &["--overwrite"]].concat());
    assert!(said.contains("notes.txt"), "{said}");
    assert_eq!(fs::read_to_string(foreign.join("thesis.tex")).unwrap(), "mine");
    assert_eq!(names(home.path()), ["out", "thesis", "tumbling.toml"]);
}

#[test]
fn without_out_the_result_lies_under_runs() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let output = polhode(&["run", path(&study)]).current_dir(home.path()).output().unwrap();
    assert!(output.status.success());
    let wrote = format!("wrote {}", Path::new("runs/tumbling/report.html").display());
    assert!(text(&output.stdout).contains(&wrote));
    let folder = home.path().join("runs/tumbling");
    let files = [
        "accuracy.parquet",
        "correlations.parquet",
        "histograms.parquet",
        "instances.parquet",
        "manifest.json",
        "motion.parquet",
        "report.html",
        "run.state",
        "statistics.parquet",
        "study.toml",
    ];
    assert_eq!(names(&folder), [&files[..], &["trajectories.parquet"]].concat());
    // The resolved study says the same.
    let again = home.path().join("again");
    ends_with(0, &["run", path(&folder.join("study.toml")), "--out", path(&again)]);
    for table in [
        "correlations.parquet",
        "histograms.parquet",
        "instances.parquet",
        "motion.parquet",
        "statistics.parquet",
        "trajectories.parquet",
        "study.toml",
    ] {
        assert_eq!(fs::read(folder.join(table)).unwrap(), fs::read(again.join(table)).unwrap(), "{table}");
    }
}

/// A full disk, as far as a test can make one: files may not grow beyond some blocks.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out)]);
    let before = contents(home.path());
    let mut named = Vec::new();
    // In blocks of 512 bytes: from a disk that holds nothing to one that is full just before the
    // end.
    let largest = before.values().map(Vec::len).max().unwrap() / 512;
    for blocks in [1, largest / 8, largest / 2, largest - 1] {
        for target in [&out, &home.path().join("new")] {
            let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
            let run = polhode(&["run", path(&study), "--overwrite", "--out", path(target)]);
            let mut shell = Command::new("sh");
            shell.args(["-c", &limited, "sh"]).arg(run.get_program()).args(run.get_args());
            let output = shell.env("XDG_RUNTIME_DIR", home.path()).output().unwrap();
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{said}");
            let last = said.lines().last().unwrap();
            assert!(
                last.starts_with(&format!("error: {}", path(target))) && last.contains("File too large"),
                "{said}"
            );
            assert!(!said.contains("panicked"), "{said}");
            assert_eq!(contents(home.path()), before);
            named.push(last.rsplit('/').next().unwrap().to_string());
        }
    }
    named.sort();
    named.dedup();
    assert!(named.len() > 1, "always the same file: {named:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_as_standard_output_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = polhode(&["schema", "study"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: standard output: "));
}

/// Ends a run of the tumbling study when it has done this share of its instance-steps, and returns
/// its folder.
fn interrupted(changes: &[(&str, &str)], shard: Option<Shard>, share: f64) -> (TempDir, PathBuf) {
    let home = TempDir::new().unwrap();
    let run =
        [("run.backend", "\"cpu\""), ("run.precision", "\"f64\""), ("observe.channels", "[\"energy\"]")];
    let study = read_study(&altered("tumbling", home.path(), &[&run, changes].concat())).unwrap();
    let out = home.path().join("out");
    let stop = AtomicBool::new(false);
    let listener = Until(share, &stop);
    let under = RunContext { shard, ..RunContext::new(&out, &[], &listener, &stop) };
    let ended = run_under(&study, &under);
    assert!(!ended.unwrap().manifest.complete);
    assert_eq!(manifest(&out)["complete"], false);
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
    (home, out)
}

#[test]
fn an_interrupt_keeps_what_has_finished() {
    let (_home, out) = interrupted(
        &[
            ("ensemble.size", "100_000"),
            ("run.chunk", "5000"),
            ("method.duration", "\"5 s\""),
            ("observe.every", "\"1 s\""),
        ],
        None,
        0.13,
    );
    let manifest = manifest(&out);
    // The third chunk is cut off on its way: the pilot and two chunks are some 11 %, with the third
    // 16 %.
    assert_eq!((&manifest["advanced"], &manifest["verdicts"]["finished"]), (&10_000.into(), &10_000.into()));
    assert_eq!(manifest["verdicts"]["interrupted"], 5000);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Incomplete: the run was interrupted."));

    let statistics = table(&out, "statistics.parquet");
    let counts = integers(&statistics, "count");
    assert_eq!((counts[0], counts.last()), (15_000, Some(&10_000)));
    let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "0"]);
    assert!(printed.contains("the run's verdict: finished at step 5000"), "{printed}");
    let (_, said) = ends_with(2, &["replay", path(&out), "--instance", "15000"]);
    assert!(said.contains("interrupted before it"), "{said}");
}

#[test]
fn an_interrupt_between_snapshots_keeps_the_state_reached() {
    let (_home, out) = interrupted(
        &[("ensemble.size", "10_000"), ("method.duration", "\"20 s\""), ("observe.every", "\"20 s\"")],
        None,
        0.3,
    );
    let manifest = manifest(&out);
    assert_eq!((&manifest["advanced"], &manifest["verdicts"]["interrupted"]), (&0.into(), &10_000.into()));
    let statistics = table(&out, "statistics.parquet");
    assert_eq!(integers(&statistics, "count"), [10_000, 0]);
    assert_eq!(table(&out, "motion.parquet").num_rows(), 1, "the start alone");
    // Whoever interrupts waits for no picture.
    assert!(!out.join("plots/motion.png").exists());
    ends_with(0, &["plot", path(&out)]);
    assert!(out.join("plots/motion.png").exists());
    // A state between two snapshots, and it is the one the reference finds there.
    let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "17"]);
    let step = printed.split("interrupted at step ").nth(1).unwrap().lines().next().unwrap();
    let step: u64 = step.parse().unwrap();
    assert!(step > 0 && step < 20_000, "{step}");
    assert_eq!(manifest["interrupted_at"], step);
    assert!(largest_difference(&printed) < 1e-9, "{printed}");
}

#[test]
fn an_interrupt_during_the_pilot_leaves_an_empty_result() {
    let (_home, out) = interrupted(&[("ensemble.size", "10_000"), ("method.duration", "\"5 s\"")], None, 0.0);
    assert_eq!(manifest(&out)["advanced"], 0);
    assert_eq!(table(&out, "instances.parquet").num_rows(), 0);
    assert!(integers(&table(&out, "statistics.parquet"), "count").iter().all(|&n| n == 0));
    assert_eq!(table(&out, "motion.parquet").num_rows(), 0);
    assert!(!out.join("plots/motion.svg").exists());
    let (_, said) = ends_with(2, &["replay", path(&out), "--instance", "0"]);
    assert!(said.contains("interrupted before it"), "{said}");
}

/// The run would take days: that it ends at all is the test.
#[cfg(unix)]
#[test]
fn an_interrupt_from_the_keyboard_ends_a_run() {
    let home = TempDir::new().unwrap();
    let changes = [("method.duration", "\"50_000 s\""), ("observe.every", "\"10_000 s\"")];
    let study = altered("tumbling", home.path(), &changes);
    let out = home.path().join("out");
    let mut run =
        Running::start(&mut polhode(&["run", path(&study), "--out", path(&out), "--backend", "cpu"]));
    // Before it has a backend nothing is there to be kept, and it says so.
    run.says("backend: ");
    run.send("INT");
    let output = run.output();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let last = "interrupted: the result is incomplete, and marked so; it had no checkpoint yet, from which \
                --resume could go on";
    assert_eq!(said.lines().last().unwrap(), last);
    assert_eq!(manifest(&out)["complete"], false);
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
}

/// Kinds that are not taken up again do not offer it.
#[cfg(unix)]
#[test]
fn an_interrupted_study_of_modes_is_to_be_run_again() {
    let home = TempDir::new().unwrap();
    let study = root().join("studies/modes_vibration.toml");
    let out = home.path().join("out");
    let size = ["--set", "ensemble.size=3_000_000"];
    let run = ["run", path(&study), "--out", path(&out)];
    let mut run = Running::start(&mut polhode(&[&run[..], &size].concat()));
    assert!(run.comes(|| home.path().join("out.unfinished").exists()), "it has ended");
    run.send("INT");
    let output = run.output();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let last = "interrupted: the result is incomplete, and marked so; run it again with --overwrite";
    assert_eq!(said.lines().last().unwrap(), last);
}

/// The choice takes some ten seconds; nothing is there to be kept.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_during_the_choice_of_a_method_leaves_nothing() {
    let home = TempDir::new().unwrap();
    let changes = [("method.accuracy", "1e-9"), ("method.duration", "\"60 s\""), ("ensemble.size", "256")];
    let file = altered("double_pendulum", home.path(), &changes);
    let mut study: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
    let method = study["method"].as_table_mut().unwrap();
    for key in ["name", "step", "resynchronise"] {
        method.remove(key);
    }
    fs::write(&file, study.to_string()).unwrap();
    let out = home.path().join("out");
    let arguments = ["run", path(&file), "--out", path(&out)];
    let output = interrupt(&mut polhode(&arguments), "INT");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted before the first step: nothing was run"), "{said}");
    assert_eq!(names(home.path()), ["double_pendulum.toml"]);
}

#[test]
fn nobody_listening_does_not_end_a_run() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let out = home.path().join("out");
    let mut child = polhode(&["run", path(&study), "--out", path(&out)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().unwrap().success());
    assert!(out.join("report.html").exists());
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for arguments in [
        &["kernel", "studies/spacecraft.toml"][..],
        &["check", "studies/spacecraft.toml"],
        &["schema", "study"],
        &["completions", "zsh"],
        &["devices"],
    ] {
        let mut child = polhode(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn pipes_get_plain_lines_and_quiet_gets_none() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let (printed, said) = ends_with(0, &["run", path(&study), "--out", path(&home.path().join("a"))]);
    assert!(!(printed.clone() + &said).contains(['\x1b', '\r']), "{printed}{said}");
    assert!(said.starts_with("warning: no rigid body") && said.contains("\nbackend: CPU"), "{said}");
    assert!(printed.starts_with("300 of 300 instances x 2,000 steps of 0.001 s"), "{printed}");
    assert!(printed.contains("\nverdicts: finished 300\n"), "{printed}");

    let out = home.path().join("b");
    let quiet = ["run", path(&study), "--out", path(&out), "--quiet"];
    let (printed, said) = ends_with(0, &quiet);
    assert!(
        printed.is_empty() && said.starts_with("warning: ") && said.lines().count() == 1,
        "{printed}{said}"
    );
    let (printed, said) = ends_with(2, &quiet);
    assert!(printed.is_empty() && said.contains("not empty"), "{said}");
}

/// Where instances have steps of their own, no step is told that hardly one of them has.
#[test]
fn steps_that_vary_are_told_as_they_are() {
    let home = TempDir::new().unwrap();
    let few = |step: &str| {
        let grid = format!(r#"{{ "method.step" = {step}, "constraints.eps" = {{ list = [1e-6, 1e-5] }} }}"#);
        let changes = [("ensemble.vary", grid.as_str()), ("method.steps", "20"), ("run.backend", "\"cpu\"")];
        altered("map_multipliers", home.path(), &changes)
    };
    for (step, told) in [
        (
            r#"{ logspace = { from = "0.25 ms", to = "4 ms", count = 3 } }"#,
            "20 steps of 0.00025 to 0.004 s: ",
        ),
        (r#"{ list = ["1 ms", "2 ms", "3 ms"] }"#, "20 steps of 0.001 to 0.003 s: "),
    ] {
        let study = few(step);
        let (printed, _) =
            ends_with(0, &["run", path(&study), "--out", path(&home.path().join("out")), "--overwrite"]);
        assert!(printed.lines().next().unwrap().contains(told), "{printed}");
        let (checked, _) = ends_with(0, &["check", path(&study)]);
        let steps = checked.lines().find(|line| line.starts_with("steps ")).unwrap();
        assert!(told.contains(&steps["steps ".len()..].trim().replace("20 of", "20 steps of")), "{steps}");
    }
}

#[test]
fn every_command_explains_itself() {
    let (printed, _) = ends_with(0, &["--help"]);
    let command = polhode_cli::CommandLine::command();
    for sub in command.get_subcommands() {
        let name = sub.get_name();
        assert!(printed.contains(&format!("  {name}")), "{name}");
        let (help, _) = ends_with(0, &[name, "--help"]);
        assert!(help.contains(&format!("Usage: polhode {name}")), "{help}");
        for argument in sub.get_arguments() {
            assert!(
                argument.get_help().is_some() || name == "schema" || name == "completions",
                "{name} {argument}"
            );
        }
    }
    let (version, _) = ends_with(0, &["--version"]);
    assert_eq!(version, format!("polhode {}\n", env!("CARGO_PKG_VERSION")));
}

/// A study of a chain of twelve rods, no two of which turn alike: its kernel is longer than a GPU
/// gets.
fn long_chain(folder: &Path) -> PathBuf {
    let mut study = String::from(
        "title = \"chain\"\n[method]\nname = \"staggered\"\nstep = \"1 ms\"\nsteps = 4\n[ensemble]\n\
         size = 2\nseed = 1\n[observe]\nchannels = [\"energy\"]\nevery = 2\n[run]\nbackend = \"auto\"\n\
         [mechanism]\nname = \"chain\"\ngravity = \"9.81 m/s^2\"\n",
    );
    for k in 0..24 {
        study += &format!(
            "[[mechanism.body]]\nname = \"rod{k}\"\nmass = 1\ninertia = [0.01, 0.09, 0.09]\n\
             centre_of_mass = [0.5, 0, 0]\n\
             [mechanism.body.initial]\nposition = [{k}, 0, 0]\nvelocity = [0, {k}, 0]\n\
             angular_velocity = [{spin}, 0, 1]\n",
            spin = k + 1
        );
    }
    for k in 0..24 {
        let (above, at) = if k == 0 { ("ground".to_string(), 0) } else { (format!("rod{}", k - 1), 1) };
        study += &format!(
            "[[mechanism.joint]]\nname = \"ball{k}\"\nkind = \"spherical\"\n\
             bodies = [\"{above}\", \"rod{k}\"]\npoints = [[{at}, 0, 0], [0, 0, 0]]\n"
        );
    }
    let file = folder.join("chain.toml");
    fs::write(&file, study).unwrap();
    file
}

#[test]
fn a_mechanism_too_large_for_a_kernel_gets_several() {
    let home = TempDir::new().unwrap();
    let study = long_chain(home.path());
    let (kernel, _) = ends_with(0, &["kernel", path(&study)]);
    let lines = kernel.lines().filter(|line| !line.starts_with("// ")).count();
    assert!(lines > 40_000, "{lines}");
    let length = " lines, more than 8,000";
    let instead = format!("{length}: a GPU takes it in several");
    assert!(kernel.contains(&format!("{instead}, if asked.\n")), "{}", &kernel[..1000]);
    let (checked, _) = ends_with(0, &["check", path(&study)]);
    assert!(checked.contains("\nkernel        about ") && checked.contains(&instead), "{checked}");
    // A mechanism that is small enough gets no such line.
    for command in ["kernel", "check"] {
        let (printed, _) = ends_with(0, &[command, "studies/double_pendulum.toml"]);
        assert!(!printed.contains("several"), "{printed}");
    }
}

#[test]
fn what_the_other_commands_print() {
    ends_with(0, &["devices"]);
    let (devices, _) = ends_with(0, &["devices", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&devices).unwrap().is_array());
    for of in ["study", "mechanism"] {
        let (schema, _) = ends_with(0, &["schema", of]);
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
        assert!(schema["$schema"].is_string() && schema["properties"].is_object(), "{of}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (script, _) = ends_with(0, &["completions", shell]);
        assert!(script.contains("replay"), "{shell}");
    }
    for study in ["tumbling", "hulbert_52", "double_pendulum", "four_bar", "manipulator", "bricard"] {
        let file = format!("studies/{study}.toml");
        let (kernel, _) = ends_with(0, &["kernel", &file]);
        assert!(kernel.contains("// A step: ") && kernel.contains("@compute"), "{study}");
        let (checked, _) = ends_with(0, &["check", &file, "--verbose"]);
        let number = |before: &str| -> usize {
            let after = kernel.split(before).nth(1).unwrap_or_else(|| panic!("{before}\n{kernel}"));
            after.split(' ').next().unwrap().parse().unwrap()
        };
        if study == "four_bar" {
            assert!(3 * number("// A step: ") < number("numbers of the state: with it, "));
            assert!(
                checked.contains("left out is what is zero in every instance, 48 of 98 numbers"),
                "{checked}"
            );
        }
        // Its locks hold nothing at the start and are no redundant rows.
        let joints = checked.lines().find(|line| line.starts_with("joints "));
        assert!(study != "manipulator" || joints.unwrap().contains(" 3, 15 rows; treatment"), "{checked}");
        let loops = joints.is_some_and(|line| line.contains("30 rows, 1 of them redundant here"));
        assert_eq!(loops, study == "bricard", "{checked}");
        let plain = ends_with(0, &["check", &file]).0;
        for line in ["state ", "operations ", "inertia "] {
            assert!(!plain.lines().any(|l| l.starts_with(line)), "{study}: {line}\n{plain}");
            assert!(checked.lines().any(|l| l.starts_with(line)), "{study}: {line}\n{checked}");
        }
        for line in ["instances ", "steps ", "varied ", "memory ", "on disk ", "cost "] {
            assert!(checked.lines().any(|l| l.starts_with(line)), "{study}: {line}\n{checked}");
        }
    }
}

/// Motions of mechanisms as fast as these are told with digits, not with zeros.
#[test]
fn short_times_are_told_in_the_shorter_notation() {
    let home = TempDir::new().unwrap();
    let spin = "{ \"body.angular_velocity\" = { normal = { mean = [2e6, 1e5, 1e5], std = 5e4 } } }";
    let study = altered(
        "tumbling",
        home.path(),
        &[
            ("method.step", "\"1 ns\""),
            ("method.accuracy", "1e-6"),
            ("method.duration", "\"50 us\""),
            ("observe.every", "\"0.1 us\""),
            ("ensemble.vary", spin),
            ("ensemble.size", "64"),
            ("run.backend", "\"cpu\""),
        ],
    );
    let (checked, _) = ends_with(0, &["check", path(&study)]);
    assert!(checked.contains("50,000 of 1e-9 s (5e-5 s)"), "{checked}");
    assert!(checked.contains("\nbackend       CPU, "), "{checked}");
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&home.path().join("out"))]);
    assert!(printed.contains("x 50,000 steps of 1e-9 s") && !printed.contains("0.0000"), "{printed}");
    let line = printed.lines().find(|line| line.starts_with("accuracy: ")).unwrap();
    assert!(
        line.contains("The steps are too long after ") && line.contains("e-7 s: largest error"),
        "{line}"
    );
}

/// The largest difference in the table that `replay` prints, relative to the numbers where these
/// are large.
fn largest_difference(printed: &str) -> f64 {
    let rows = printed.split("at the end").nth(1).unwrap().lines().skip(1).take_while(|row| !row.is_empty());
    let difference = |row: &str| {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let [reference, difference] = [2, 3].map(|i| cells[i].parse::<f64>().unwrap().abs());
        difference / reference.max(1.0)
    };
    rows.map(difference).fold(0.0, f64::max)
}

/// A shipped study, made shorter by `changes`, and what its run must leave: instances, snapshots,
/// columns observed and drawn, and whether the mass centre moves.
#[derive(Clone, Copy)]
struct Shortened<'a> {
    name: &'a str,
    changes: &'a [(&'a str, &'a str)],
    instances: u64,
    snapshots: usize,
    observed: usize,
    drawn: usize,
    moves: bool,
}

#[expect(clippy::too_many_lines, reason = "one run, looked at from all sides")]
fn runs_end_to_end(study: Shortened) {
    let Shortened { name, changes, instances, snapshots, observed, drawn, moves } = study;
    let home = TempDir::new().unwrap();
    let study = altered(name, home.path(), &[changes, &KEPT, &F64_ON_CPU].concat());
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--set", "output.plots=true"]);

    let table_of_instances = table(&out, "instances.parquet");
    assert_eq!(integers(&table_of_instances, "instance"), (0..instances).collect::<Vec<u64>>(), "{name}");
    assert!(texts(&table_of_instances, "verdict").iter().all(|v| v == "finished"), "{name}");
    let count = |prefix: &str| {
        table_of_instances.schema().fields().iter().filter(|f| f.name().starts_with(prefix)).count()
    };
    assert_eq!(count("drawn."), drawn, "{name}");
    for field in table_of_instances.schema().fields() {
        assert!(field.metadata().contains_key("unit"), "{name}: {}", field.name());
        assert!(!field.metadata()["description"].is_empty(), "{name}: {}", field.name());
    }
    let units = |column: &str| {
        table_of_instances.schema().field_with_name(column).unwrap().metadata()["unit"].clone()
    };
    let body = match name {
        "spacecraft" => "spacecraft",
        "double_pendulum" => "lower",
        "pendulum_clock" => "pendulum",
        "four_bar" | "four_bar_spatial" | "slider_crank" => "crank",
        "rolling_ball" | "rolling_ball_offset" => "ball",
        "manipulator" => "first",
        "crane" => "jib",
        "crane_driven" => "load",
        "bricard" => "edge1",
        "furuta_pendulum" => "pendulum",
        "solar_panels" => "bus",
        "triangle" => "triangle",
        "triangle_levels" => "level_0",
        "spinning_beam" => "beam",
        "pendulum_flexible" | "pendulum_rigid" | "slider_crank_elastic" => "rod",
        "crane_modal" => "jib",
        "crane_flexible" => "boom.2",
        "crane_joints_rigid" | "crane_joints_modal" => "jib",
        "crane_joints_beams" => "jib.4",
        "flexible_pendulum" => "strip.4",
        "boom" => "hub",
        _ => "body",
    };
    assert_eq!(units(&format!("final.{body}.angular_velocity.x")), "rad/s", "{name}");
    assert_eq!(units("verdict_time"), "s", "{name}");
    let position = format!("final.{body}.position.x");
    assert_eq!(table_of_instances.column_by_name(&position).is_some(), moves, "{name}");

    let statistics = table(&out, "statistics.parquet");
    assert_eq!(statistics.num_rows(), snapshots * observed, "{name}");
    // Events count only in the instances in which they have come.
    let event = |channel: &String| channel.ends_with(".caught") || channel == "half_period";
    let events: Vec<bool> = texts(&statistics, "channel").iter().map(event).collect();
    let counts = integers(&statistics, "count");
    let means = statistics.column_by_name("mean").unwrap().as_primitive::<Float64Type>();
    for row in 0..statistics.num_rows() {
        let counted = if events[row] { counts[row] <= instances } else { counts[row] == instances };
        assert!(counted && means.is_null(row) == (counts[row] == 0), "{name}, row {row}");
        assert!(means.is_null(row) || means.value(row).is_finite(), "{name}, row {row}");
    }
    // Bounds that the studies state for their errors: of the constraints, and of the energy where
    // it is kept.
    let bounds = match name {
        "rolling_ball" | "rolling_ball_offset" => Some((1e-7, Some(1e-5))),
        "manipulator" => Some((2e-2, None)),
        "solar_panels" => Some((5e-3, None)),
        "crane" => Some((1e-8, None)),
        "crane_driven" | "four_bar_spatial" | "slider_crank" => Some((1e-6, None)),
        "bricard" | "furuta_pendulum" => Some((1e-5, Some(1e-4))),
        "pendulum_flexible" | "pendulum_rigid" => Some((1e-7, Some(1e-5))),
        "slider_crank_elastic" | "crane_modal" => Some((1e-8, None)),
        "crane_joints_rigid" | "crane_joints_modal" | "crane_joints_beams" => Some((1e-8, None)),
        _ => None,
    };
    if let Some((violation, drift)) = bounds {
        let (low, high) = (numbers(&statistics, "min"), numbers(&statistics, "max"));
        let extreme = |end: &str| {
            let rows = texts(&statistics, "channel").into_iter().zip(low.iter().zip(&high));
            let channels = rows.filter(|(channel, _)| channel.ends_with(end));
            largest(channels.flat_map(|(_, (low, high))| [*low, *high]))
        };
        assert!(extreme("constraint_violation") < violation, "{name}");
        assert!(drift.is_none_or(|drift| extreme("energy_drift") < drift), "{name}");
        assert!(name != "solar_panels" || extreme("angular_momentum_drift") < 5e-3);
    }
    assert_eq!(
        events.contains(&true),
        ["manipulator", "solar_panels", "pendulum_clock"].contains(&name),
        "{name}"
    );
    let trajectories = table(&out, "trajectories.parquet");
    assert_eq!(
        (trajectories.num_rows(), trajectories.num_columns()),
        (3 * snapshots, 2 + observed),
        "{name}"
    );

    let pictures = names(&out.join("plots"));
    let against_inputs = pictures.iter().filter(|picture| picture.contains("_inputs.")).count();
    let of_outcomes = pictures.iter().filter(|picture| picture.contains("_distribution.")).count();
    assert_eq!(pictures.len() - against_inputs - of_outcomes, 2 * (2 * observed + 2), "{name}");
    // Where nothing is drawn there are no inputs.
    let expected = if drawn == 0 { 0..=0 } else { 2..=2 * observed };
    assert!(expected.contains(&against_inputs), "{name}: {against_inputs}");
    if name == "manipulator" {
        // None has caught at the start.
        let fan = fs::read_to_string(out.join("plots/wrist_lock.caught_fan.svg")).unwrap();
        assert!(fan.contains("wrist lock caught: 90 % end within"));
    }
    let motion = table(&out, "motion.parquet");
    assert_eq!(motion.num_rows(), snapshots, "{name}");
    let strobes = fs::read_to_string(out.join("plots/motion.svg")).unwrap();
    let strobes = strobes.matches("class=\"strobe\"").count();
    assert!((12..=16).contains(&strobes) || strobes == snapshots.min(12), "{name}: {strobes}");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    // A name space is no address.
    let links = report.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("src=\"plots") && !links.contains("http://"), "{name}: not self-contained");
    let manifest = manifest(&out);
    assert_eq!((&manifest["complete"], &manifest["advanced"]), (&true.into(), &instances.into()), "{name}");
    for file in manifest["files"].as_array().unwrap() {
        let length = fs::metadata(out.join(file["name"].as_str().unwrap())).unwrap().len();
        assert_eq!(file["bytes"], length, "{name}: {file}");
    }

    for instance in [0, instances - 1] {
        let instance = instance.to_string();
        let (printed, _) =
            ends_with(0, &["replay", path(&out), "--instance", &instance, "--patience", "0.1 s"]);
        assert!(largest_difference(&printed) < 1e-9, "{name}\n{printed}");
    }
    let (csv, _) = ends_with(0, &["replay", path(&out), "--instance", "1", "--csv"]);
    assert_eq!(csv.lines().count(), snapshots + 1, "{name}");
    let (_, said) = ends_with(2, &["replay", path(&out), "--instance", &instances.to_string()]);
    assert!(said.contains(&format!("it has instances 0 to {}", instances - 1)), "{name}: {said}");
}

const F64_ON_CPU: [(&str, &str); 2] = [("run.precision", "\"f64\""), ("run.backend", "\"cpu\"")];
const KEPT: [(&str, &str); 1] = [("observe.keep", "3")];
const SIZE: (&str, &str) = ("ensemble.size", "40");
const FEW: (&str, &str) = ("ensemble.size", "4");
const GRID: (&str, &str) = (
    "ensemble.vary",
    r#"{ "disturbance.value.y" = { linspace = { from = "10 N m", to = "30 N m", count = 11 } } }"#,
);
const OFFSETS: (&str, &str) = (
    "ensemble.vary",
    r#"{ "ball.centre_of_mass.z" = { linspace = { from = 0, to = "16.35 mm", count = 11 } } }"#,
);
const ANGLES: (&str, &str) = (
    "ensemble.vary",
    "{ \"shoulder.angle\" = { linspace = { from = -1, to = 1, count = 3 } }, \
       \"hinge.angle\" = { linspace = { from = -2, to = 2, count = 3 } } }",
);

macro_rules! shipped {
    ($($name:ident: $changes:expr, $instances:literal, $snapshots:literal, $observed:literal,
       $drawn:literal, $moves:literal;)+) => {
        /// A test for each shipped study.
        mod every_shipped_study_runs_end_to_end {
            use super::*;

            $(#[test]
            fn $name() {
                runs_end_to_end(Shortened {
                    name: stringify!($name),
                    changes: &$changes,
                    instances: $instances,
                    snapshots: $snapshots,
                    observed: $observed,
                    drawn: $drawn,
                    moves: $moves,
                });
            })+
        }
    };
}

// Name: changes, instances, snapshots, observed columns, drawn columns, whether the mass centre
// moves.
shipped! {
    tumbling: [SIZE, ("method.duration", "\"2 s\"")], 40, 21, 7, 7, false;
    pendulum_clock: [SIZE], 40, 23, 2, 3, true;
    hulbert_51: [GRID, ("method.duration", "\"3 s\"")], 11, 31, 7, 1, false;
    hulbert_52: [SIZE, ("method.duration", "\"1 s\"")], 40, 51, 5, 5, false;
    hulbert_fig1: [FEW, ("method.duration", "\"3 s\"")], 4, 31, 7, 0, false;
    hulbert_fig2: [FEW, ("method.duration", "\"3 s\"")], 4, 31, 7, 0, false;
    hulbert_fig3: [FEW, ("method.duration", "\"3 s\"")], 4, 31, 7, 0, false;
    hulbert_fig4: [FEW, ("method.duration", "\"3 s\"")], 4, 31, 7, 0, false;
    kasti_fig1: [FEW, ("method.duration", "\"0.4 s\"")], 4, 21, 3, 0, false;
    spacecraft: [SIZE, ("method.duration", "\"15 s\"")], 40, 61, 8, 8, true;
    double_pendulum: [SIZE, ("method.duration", "\"2 s\"")], 40, 21, 6, 7, true;
    four_bar: [SIZE, ("method.duration", "\"0.1 s\"")], 40, 11, 9, 3, true;
    rolling_ball: [SIZE, ("method.duration", "\"2 s\"")], 40, 21, 8, 2, true;
    rolling_ball_offset: [OFFSETS, ("method.duration", "\"1 s\"")], 11, 11, 8, 1, true;
    manipulator: [SIZE, ("method.duration", "\"2 s\"")], 40, 101, 8, 4, true;
    crane: [SIZE, ("method.duration", "\"0.4 s\"")], 40, 21, 14, 4, true;
    crane_driven: [SIZE, ("method.duration", "\"0.4 s\"")], 40, 21, 10, 2, true;
    four_bar_spatial: [SIZE, ("method.duration", "\"0.2 s\"")], 40, 21, 5, 2, true;
    bricard: [SIZE, ("method.duration", "\"0.4 s\"")], 40, 21, 7, 2, true;
    slider_crank: [SIZE, ("method.duration", "\"0.03 s\"")], 40, 31, 9, 2, true;
    furuta_pendulum: [ANGLES, ("method.duration", "\"1 s\"")], 9, 11, 4, 2, true;
    solar_panels: [SIZE, ("method.duration", "\"8 s\"")], 40, 41, 9, 7, true;
    vibration: [SIZE, ("method.duration", "\"0.1 s\"")], 40, 11, 4, 2, false;
    triangle: [SIZE, ("method.duration", "\"0.2 s\"")], 40, 21, 9, 2, false;
    triangle_levels: [FEW, ("method.duration", "\"0.2 s\"")], 4, 21, 27, 0, true;
    spinning_beam: [SIZE, ("method.duration", "\"0.2 s\"")], 40, 21, 8, 2, false;
    pendulum_flexible: [SIZE, ("method.duration", "\"0.4 s\"")], 40, 21, 12, 4, true;
    pendulum_rigid: [SIZE, ("method.duration", "\"0.4 s\"")], 40, 21, 8, 3, true;
    slider_crank_elastic: [SIZE, ("method.duration", "\"8 ms\"")], 40, 21, 8, 2, true;
    crane_modal: [SIZE, ("method.duration", "\"0.2 s\"")], 40, 11, 13, 3, true;
    crane_flexible: [FEW, ("method.duration", "\"0.04 s\"")], 4, 3, 13, 4, true;
    crane_joints_rigid: [("method.duration", "\"0.1 s\"")], 9, 6, 9, 2, true;
    crane_joints_modal: [("method.duration", "\"0.04 s\"")], 9, 3, 9, 2, true;
    crane_joints_beams: [("method.duration", "\"0.02 s\"")], 9, 2, 9, 2, true;
    flexible_pendulum: [SIZE, ("method.duration", "\"0.2 s\"")], 40, 11, 13, 2, true;
    boom: [SIZE, ("method.duration", "\"1.2 s\"")], 40, 13, 11, 2, true;
}

/// Deformation is part of the last state, observed or not, and what is observed of it is compared
/// too.
#[test]
fn a_replay_compares_how_bodies_deform() {
    let home = TempDir::new().unwrap();
    let compared = |channels: &str| -> (String, Vec<(String, f64)>) {
        let changes = [
            ("ensemble.size", "3"),
            ("method.duration", "\"0.1 s\""),
            ("observe.channels", channels),
            ("run.precision", "\"f64\""),
        ];
        // Stiffness is drawn for each instance.
        let study = altered("pendulum_flexible", home.path(), &changes);
        let out = home.path().join("out");
        ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite"]);
        let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "2"]);
        assert!(largest_difference(&printed) < 1e-9, "{printed}");
        let rows =
            printed.split("at the end").nth(1).unwrap().lines().skip(1).take_while(|row| !row.is_empty());
        let cells = |row: &str| row.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let rows = rows.map(cells).map(|row| (row[0].clone(), row[2].parse().unwrap())).collect();
        let (csv, _) = ends_with(0, &["replay", path(&out), "--instance", "2", "--csv"]);
        (csv, rows)
    };
    let (csv, rows) = compared("[\"deflection\", \"strain_energy\", \"rod.amplitude_0\"]");
    let number = |rows: &[(String, f64)], name: &str| {
        let row = rows.iter().find(|(known, _)| known == name);
        row.unwrap_or_else(|| panic!("{name} is not compared")).1
    };
    let of_mode = |kind: &str, k: usize| format!("rod.{kind}_{k}");
    let modes =
        || ["amplitude", "amplitude_rate"].into_iter().flat_map(|kind| (0..4).map(move |k| (kind, k)));
    for name in ["rod.deflection.y", "rod.deflection.z", "rod.strain_energy"] {
        assert!(number(&rows, name) != 0.0, "{name}");
    }
    let (header, last) = (csv.lines().next().unwrap(), csv.lines().last().unwrap());
    for (kind, k) in modes() {
        let reference = number(&rows, &of_mode(kind, k));
        assert!(reference != 0.0);
        let column = if kind == "amplitude" { format!("{kind}_{k}") } else { format!("{kind}_{k}_per_s") };
        let at = header.split(',').position(|name| name == column);
        let cell: f64 =
            last.split(',').nth(at.unwrap_or_else(|| panic!("{column}"))).unwrap().parse().unwrap();
        assert!((cell - reference).abs() < 1e-9, "{column}: {cell} {reference}");
    }
    let (_, unobserved) = compared("[\"energy\"]");
    for (kind, k) in modes() {
        assert_eq!(number(&unobserved, &of_mode(kind, k)), number(&rows, &of_mode(kind, k)));
    }
    assert!(!unobserved.iter().any(|(name, _)| name.starts_with("rod.deflection")));
}

#[test]
fn a_report_names_the_parts_of_a_mechanism() {
    let once =
        [("ensemble.size", "2"), ("ensemble.vary", "{}"), ("observe.keep", "1"), ("method.steps", "2")];
    let once = [&once[..], &[("observe.every", "1"), ("observe.channels", "[\"energy\"]")]].concat();
    for (name, parts) in [
        ("tumbling", "1 rigid body, free"),
        ("hulbert_52", "1 rigid body with a fixed point"),
        ("pendulum_flexible", "1 flexible body (4 modes), 1 joint"),
        ("vibration", "1 flexible body (3 modes), free"),
        ("boom", "2 rigid bodies, 1 flexible body (3 modes), 1 bushing, 1 beam element, 1 load"),
        ("rubber_hinge", "2 rigid bodies, 2 bushings"),
        ("rolling_ball", "1 rigid body, 2 contacts"),
        ("crane_flexible", "3 beams (12 elements), 3 joints, 1 generator"),
        ("manipulator", "3 rigid bodies, 3 joints, 3 joint springs, 3 locks, 1 load"),
        ("double_pendulum", "2 rigid bodies, 2 joints"),
    ] {
        let home = TempDir::new().unwrap();
        let study = altered(name, home.path(), &once);
        let mut text: toml::Table = fs::read_to_string(&study).unwrap().parse().unwrap();
        text["method"].as_table_mut().unwrap().remove("duration");
        fs::write(&study, text.to_string()).unwrap();
        let out = home.path().join("out");
        ends_with(0, &["run", path(&study), "--out", path(&out)]);
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        let row = report.split("<th>Mechanism</th><td>").nth(1).unwrap().split("</td>").next().unwrap();
        assert_eq!(row.split_once(": ").unwrap().1, parts, "{name}");
    }
}

/// A column of numbers; NaN where it is empty.
pub(crate) fn numbers(table: &RecordBatch, column: &str) -> Vec<f64> {
    let column = table.column_by_name(column).unwrap_or_else(|| panic!("no column {column}"));
    column.as_primitive::<Float64Type>().iter().map(|x| x.unwrap_or(f64::NAN)).collect()
}

/// Runs a shipped study once, as its mechanism is described: the trajectory.
fn nominal(name: &str) -> RecordBatch {
    let home = TempDir::new().unwrap();
    let once =
        [("ensemble.size", "1"), ("ensemble.vary", "{}"), ("observe.keep", "1"), ("run.backend", "\"cpu\"")];
    let study = altered(name, home.path(), &once);
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out)]);
    table(&out, "trajectories.parquet")
}

fn reference_file(file: &str) -> serde_json::Value {
    let file = root().join("tests/reference").join(file);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.map(f64::abs).fold(0.0, |a, b| if a >= b { a } else { b })
}

/// The claims of `docs/mechanisms.md` on the shipped mechanisms hold against reference solutions
/// and closed forms.
#[test]
fn shipped_mechanisms_move_as_the_reference_solutions() {
    for (name, file, tolerance) in
        [("rolling_ball", "ball_r0_0.json", 1e-6), ("rolling_ball_offset", "ball_r0_0.15a.json", 5e-5)]
    {
        let (ball, json) = (nominal(name), reference_file(file));
        let (times, x) = (numbers(&ball, "time"), numbers(&ball, "ball.position.x"));
        let states = json["times"].as_array().unwrap().iter().zip(json["states"]["x"].as_array().unwrap());
        let errors = states.map(|(time, wanted)| {
            let k = times.iter().position(|t| (t - time.as_f64().unwrap()).abs() < 1e-9).unwrap();
            x[k] - wanted.as_f64().unwrap()
        });
        let error = largest(errors);
        assert!(error < tolerance, "{name}: {error} m");
    }

    let manipulator = nominal("manipulator");
    let json = reference_file("manipulator.json");
    for (event, lock) in json["events"].as_array().unwrap().iter().zip(["wrist", "elbow", "shoulder"]) {
        let caught = *numbers(&manipulator, &format!("{lock}_lock.caught")).last().unwrap();
        assert!((caught - event["t"].as_f64().unwrap()).abs() < 4e-4, "{lock}: {caught} s, {event}");
    }

    let (crane, json) = (nominal("crane"), reference_file("crane_rigid.json"));
    let force = ["x", "y", "z"].map(|axis| numbers(&crane, &format!("tip.drive_force.{axis}")));
    let three = |name: &str, k: usize| [0, 1, 2].map(|i| json[name][k][i].as_f64().unwrap());
    let error = largest((0..crane.num_rows()).flat_map(|k| {
        assert!((numbers(&crane, "time")[k] - json["times"][k].as_f64().unwrap()).abs() < 1e-9);
        let (tip, wanted) = (three("tip_m", k), three("foot_torque_N_m", k));
        let f = [&force[0], &force[1], &force[2]].map(|f| f[k]);
        [0, 1, 2].map(|i| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            tip[j] * f[l] - tip[l] * f[j] - wanted[i]
        })
    }));
    assert!(error < 1e-5, "{error} N m at the foot");

    // At rest the gear holds boom, jib and load: the jib and the load hang below the boom's end.
    let gear = numbers(&nominal("crane_driven"), "luffing_gear.drive_torque")[0];
    let torque = 9.81 * 10f64.to_radians().cos() * (0.8 * 0.4 + (0.48 + 2.0) * 0.8);
    assert!((gear - torque).abs() < 1e-2, "{gear} N m, {torque} N m");

    let linkage = nominal("four_bar_spatial");
    let (crank, rocker) = (numbers(&linkage, "crankshaft.angle"), numbers(&linkage, "pivot.angle"));
    let error = largest(crank.iter().zip(&rocker).map(|(crank, rocker)| {
        let apart = [0.1 * crank.cos() - 0.4 - 0.25 * rocker.sin(), 0.1 * crank.sin(), 0.25 * rocker.cos()];
        apart.map(|x| x * x).iter().sum::<f64>().sqrt() - 0.1525f64.sqrt()
    }));
    assert!(error < 1e-6 && crank.last().unwrap() > &25.0, "{error} m");

    let engine = nominal("slider_crank");
    let stroke = numbers(&engine, "time").into_iter().zip(numbers(&engine, "cylinder.displacement"));
    let error = largest(stroke.map(|(time, displacement)| {
        let angle = 60f64.to_radians() + 50.0 * std::f64::consts::PI * time;
        let rod = (0.15f64.powi(2) - (0.05 * angle.sin()).powi(2)).sqrt();
        0.05 * angle.cos() + rod - 0.15 - displacement
    }));
    assert!(error < 2e-6, "{error} m");
}

/// `docs/mechanisms.md` says of Bricard's linkage that the violation of its positions must be drawn
/// back.
#[test]
fn a_loop_that_nothing_draws_back_loses_its_energy() {
    let home = TempDir::new().unwrap();
    let energy_error = |changes: &[(&str, &str)]| {
        let few = [("ensemble.size", "10"), ("observe.keep", "1"), ("run.backend", "\"cpu\"")];
        let study = altered("bricard", home.path(), &[&few[..], changes].concat());
        let out = home.path().join("out");
        ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite"]);
        let mut drifts = numbers(&table(&out, "instances.parquet"), "final.energy_drift");
        drifts.sort_by(f64::total_cmp);
        drifts[5].abs()
    };
    let printed = [("constraints.gamma", "5"), ("constraints.beta", "0"), ("method.step", "\"0.5 ms\"")];
    let projected = [&printed[..2], &[("constraints.project", "20")]].concat();
    let unjudged =
        [&printed[..], &[("verdict.constraint", "\"none\""), ("verdict.energy", "\"none\"")]].concat();
    assert!(energy_error(&[]) < 1e-4);
    assert!(energy_error(&projected) < 1e-4);
    // Fifty times what projection leaves.
    assert!(energy_error(&unjudged) > 3e-3);
}

/// Whatever is observed, the motion is there: of the first instance that finishes, where the
/// reference has it.
#[test]
fn the_motion_of_an_instance_is_stored_and_drawn() {
    let home = TempDir::new().unwrap();
    let changes = [
        ("ensemble.size", "20"),
        ("method.duration", "\"0.5 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.keep", "0"),
        ("output.plots", "true"),
    ];
    let study = altered("four_bar", home.path(), &changes);
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet"]);

    let motion = table(&out, "motion.parquet");
    assert_eq!((motion.num_rows(), motion.num_columns()), (51, 2 + 3 * 7));
    assert!(integers(&motion, "instance").iter().all(|&i| i == 0));
    let (csv, _) = ends_with(0, &["replay", path(&out), "--instance", "0", "--csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    for (column, reference, unit) in [
        ("time", "time_s", "s"),
        ("crank.position.x", "crank.x_m", "m"),
        ("rocker.position.z", "rocker.z_m", "m"),
        ("coupler.attitude.q0", "coupler.q0", "1"),
        ("coupler.attitude.q2", "coupler.q2", "1"),
    ] {
        let field = motion.schema().field_with_name(column).unwrap().clone();
        assert_eq!(
            (field.metadata()["unit"].as_str(), field.metadata()["description"].is_empty()),
            (unit, false)
        );
        let stored = motion.column_by_name(column).unwrap().as_primitive::<Float64Type>();
        let at = header.iter().position(|name| *name == reference).unwrap();
        for (row, stored) in rows.iter().zip(stored.values()) {
            let reference: f64 = row[at].parse().unwrap();
            assert!((reference - stored).abs() < 1e-9, "{column}: {stored} {reference}");
        }
    }

    let picture = fs::read_to_string(out.join("plots/motion.svg")).unwrap();
    let strobes = picture.matches("class=\"strobe\"").count();
    assert!((12..=16).contains(&strobes), "{strobes}");
    for text in ["Four-bar linkage, every", "x (m)", "z (m)", "crank", "coupler", "rocker"] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(!picture.contains("y (m)"), "a plane motion is seen across its plane");
    assert!(fs::read(out.join("plots/motion.png")).unwrap().starts_with(b"\x89PNG"));
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("<div class=\"player\">"));
    let manifest = manifest(&out);
    let listed = |name: &str| manifest["files"].as_array().unwrap().iter().any(|file| file["name"] == name);
    assert!(listed("motion.parquet") && listed("plots/motion.svg") && listed("plots/motion.png"));
}

/// An instance that fails is not the one to be shown, where one of those that are recorded, of a
/// grid all over it, comes to its end.
#[test]
fn an_instance_that_finishes_is_drawn_for_any_chunk() {
    let home = TempDir::new().unwrap();
    // 500 rad/s is too fast for steps of a millisecond.
    let fast = "500.0, ".repeat(8);
    for (speeds, chosen, snapshots) in [("500.0, 2.0, 1.0", 1, 21), (&*(fast + "1.0"), 8, 21)] {
        let vary = format!(r#"{{ "body.angular_velocity.x" = {{ list = [{speeds}] }} }}"#);
        let changes = [
            ("ensemble.vary", vary.as_str()),
            ("verdict.energy", "1e-4"),
            ("method.duration", "\"2 s\""),
            ("observe.channels", "[\"energy\"]"),
            ("observe.keep", "1"),
            ("run.precision", "\"f64\""),
            ("run.backend", "\"cpu\""),
        ];
        let file = altered("tumbling", home.path(), &changes);
        let mut study: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
        study["ensemble"].as_table_mut().unwrap().remove("size");
        fs::write(&file, study.to_string()).unwrap();
        for chunk in ["1", "2", "100"] {
            let out = home.path().join("out");
            let run = ["run", path(&file), "--out", path(&out), "--overwrite", "--quiet", "--chunk", chunk];
            ends_with(0, &run);
            let motion = table(&out, "motion.parquet");
            assert_eq!(integers(&motion, "instance"), vec![chosen; snapshots], "--chunk {chunk}");
            assert_eq!(texts(&table(&out, "instances.parquet"), "verdict")[0], "energy_bound");
        }
    }
}

#[test]
fn results_do_not_depend_on_threads_or_chunks() {
    let home = TempDir::new().unwrap();
    let study = small(home.path());
    let mut first: Option<Vec<Vec<u8>>> = None;
    for threads in ["1", "2"] {
        for chunk in [&[][..], &["--chunk", "1"], &["--chunk", "7"], &["--chunk", "1000"]] {
            let out = home.path().join("out");
            let run =
                ["run", path(&study), "--overwrite", "--quiet", "--out", path(&out), "--threads", threads];
            ends_with(0, &[&run[..], chunk].concat());
            let tables =
                ["instances.parquet", "motion.parquet", "statistics.parquet", "trajectories.parquet"];
            let bytes: Vec<Vec<u8>> = tables.iter().map(|name| fs::read(out.join(name)).unwrap()).collect();
            match &first {
                None => first = Some(bytes),
                Some(first) => {
                    for ((name, a), b) in tables.iter().zip(first).zip(&bytes) {
                        assert!(a == b, "{name} differs with --threads {threads} {chunk:?}");
                    }
                }
            }
        }
    }
}

/// A run of the linkage with some trajectories, in single precision.
fn linkage(home: &Path) -> PathBuf {
    let changes = [
        ("ensemble.size", "1100"),
        ("method.duration", "\"0.2 s\""),
        ("observe.keep", "8"),
        ("run.backend", "\"cpu\""),
        ("run.precision", "\"f32\""),
        ("output.plots", "true"),
    ];
    let study = altered("four_bar", home, &changes);
    let out = home.join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet"]);
    out
}

#[test]
fn plots_made_again_from_the_folder_are_those_of_the_run() {
    let home = TempDir::new().unwrap();
    let out = linkage(home.path());
    // It needs nothing but the folder, wherever that is.
    let moved = home.path().join("moved");
    fs::rename(&out, &moved).unwrap();
    fs::remove_file(home.path().join("four_bar.toml")).unwrap();
    let before = contents(&moved);
    let (printed, _) = ends_with(0, &["plot", path(&moved)]);
    assert!(printed.starts_with("wrote ") && printed.contains("moved/plots"), "{printed}");
    assert!(contents(&moved) == before, "the same pictures");
    fs::remove_dir_all(moved.join("plots")).unwrap();
    ends_with(0, &["plot", path(&moved)]);
    assert!(contents(&moved) == before, "the same pictures again");

    // A part of them elsewhere.
    let elsewhere = home.path().join("plots");
    let plot = ["plot", path(&moved), "--out", path(&elsewhere)];
    let channel = "crank.angular_velocity.y";
    let fan = format!("{channel}_fan.svg");
    ends_with(0, &[&plot[..], &["--channel", channel, "--format", "svg"]].concat());
    let drawn = ["_fan", "_final", "_inputs"].map(|kind| format!("{channel}{kind}.svg"));
    assert_eq!(names(&elsewhere), [&drawn[..], &["manifest.json".to_string()]].concat());
    let as_before =
        |name: &str| before[&moved.join("plots").join(name)] == fs::read(elsewhere.join(name)).unwrap();
    assert!(as_before(&fan));
    let (_, said) = ends_with(2, &plot);
    assert!(said.contains("--overwrite"), "{said}");
    let others =
        ["--channel", "crank.angular_velocity", "--instances", "7", "--format", "png", "--overwrite"];
    ends_with(0, &[&plot[..], &others].concat());
    let drawn = names(&elsewhere);
    assert!(drawn.len() == 8 && drawn.iter().all(|name| name.ends_with(".png") || name == "manifest.json"));
    ends_with(0, &[&plot[..], &["--instances", "0,3,5", "--overwrite"]].concat());
    assert!(!as_before(&fan) && as_before(&format!("{channel}_final.svg")) && as_before("motion.svg"));
    let curves = |picture: &Path| fs::read_to_string(picture).unwrap().matches("#8a949d").count();
    assert!(curves(&elsewhere.join(&fan)) < curves(&moved.join("plots").join(&fan)), "three for four");
    assert!(contents(&moved) == before, "the run is as it was");
    // Pictures changed in place are told in the manifest.
    ends_with(0, &["plot", path(&moved), "--instances", "1", "--channel", channel]);
    for file in manifest(&moved)["files"].as_array().unwrap() {
        let length = fs::metadata(moved.join(file["name"].as_str().unwrap())).unwrap().len();
        assert_eq!(file["bytes"], length, "{file}");
    }
}

#[test]
fn what_cannot_be_plotted_or_compared_is_refused_by_name() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let out = linkage(home.path());
    let study = home.path().join("four_bar.toml");
    ends_with(0, &["run", path(&study), "--out", path(&at("shard")), "--shard", "2/3", "--quiet"]);
    let damaged = |name: &str, file: &str, bytes: Option<&[u8]>| {
        fs::create_dir(at(name)).unwrap();
        for entry in names(&out).into_iter().filter(|entry| entry != "plots") {
            fs::copy(out.join(&entry), at(name).join(&entry)).unwrap();
        }
        match bytes {
            Some(bytes) => fs::write(at(name).join(file), bytes).unwrap(),
            None => fs::remove_file(at(name).join(file)).unwrap(),
        }
    };
    damaged("cut", "statistics.parquet", Some(b"PAR1"));
    damaged("lost", "study.toml", None);
    damaged("other", "statistics.parquet", Some(&fs::read(out.join("motion.parquet")).unwrap()));
    damaged("manifest", "manifest.json", Some(b"{}"));
    fs::create_dir(at("empty")).unwrap();
    let before = contents(home.path());
    let bytes = |table: &str| fs::metadata(out.join(table)).unwrap().len();
    let (whole, other) = (bytes("statistics.parquet"), bytes("motion.parquet"));
    let mut said = String::new();
    let mut refuse = |arguments: &[&str]| {
        let (printed, message) = ends_with(2, arguments);
        assert!(printed.is_empty(), "{arguments:?}: {printed}");
        let given: Vec<&str> = arguments.iter().map(|a| a.rsplit('/').next().unwrap()).collect();
        // The compression decides how many bytes a table has.
        let message = message
            .replace(path(home.path()), "")
            .replace(&format!("had {whole} when"), "had WHOLE when")
            .replace(&format!("has {other} bytes"), "has OTHER bytes");
        said += &format!("{}\n  {message}", given.join(" "));
        assert!(contents(home.path()) == before, "{arguments:?}");
    };
    refuse(&["plot", path(&out), "--channel", "crank.angular_velocty"]);
    refuse(&["plot", path(&out), "--instances", "0,8"]);
    refuse(&["plot", path(&out), "--out", path(&at("cut"))]);
    for folder in ["shard", "cut", "lost", "other", "manifest", "empty", "nowhere"] {
        refuse(&["plot", path(&at(folder))]);
        refuse(&["compare", path(&out), path(&at(folder))]);
    }
    insta::assert_snapshot!(said);
    for arguments in [&["--format", "pdf"][..], &["--instances", "x"], &["--overwrite"]] {
        ends_with(2, &[&["plot", path(&out)], arguments].concat());
    }
}

#[test]
fn two_runs_are_compared() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let run = |name: &str, changes: &[(&str, &str)], more: &[&str]| {
        let all: [&[(&str, &str)]; 4] = [
            &[("observe.keep", "8")],
            &[("ensemble.size", "60"), ("observe.every", "\"0.2 s\""), ("run.backend", "\"cpu\"")],
            &[("method.duration", "\"2 s\""), ("observe.channels", "[\"energy\", \"angular_velocity\"]")],
            changes,
        ];
        let study = altered("tumbling", home.path(), &all.concat());
        // Where a bound stops all instances, nothing has come to its end.
        let code = if name == "bound" { 3 } else { 0 };
        ends_with(code, &[&["run", path(&study), "--quiet", "--out", path(&at(name))], more].concat());
    };
    run("f32", &[], &["--precision", "f32"]);
    run("f64", &[], &["--precision", "f64"]);
    run("seed", &[("ensemble.seed", "9")], &["--precision", "f64"]);
    run("short", &[("method.duration", "\"1 s\"")], &["--precision", "f64"]);
    run("bound", &[("verdict.energy", "1e-9")], &["--precision", "f64"]);
    let compared = |a: &str, b: &str| -> serde_json::Value {
        let (printed, said) = ends_with(0, &["compare", path(&at(a)), path(&at(b)), "--json"]);
        assert_eq!(said, "");
        serde_json::from_str(&printed).unwrap()
    };
    let keys = |found: &serde_json::Value| -> Vec<String> {
        let keys = found["study"].as_array().unwrap().iter();
        keys.map(|key| key["key"].as_str().unwrap().to_string()).collect()
    };

    let same = compared("f64", "f64");
    assert!(keys(&same).is_empty() && same["not_compared"].as_array().unwrap().is_empty());
    assert_eq!(same["instances"]["other_ends"], 0);
    assert!(same["instances"]["columns"].as_array().unwrap().iter().all(|column| column["max"] == 0.0));
    assert!(same["statistics"].as_array().unwrap().iter().all(|row| row["largest"] == 0.0));

    let found = compared("f32", "f64");
    assert_eq!(keys(&found), ["run.precision"]);
    assert_eq!(found["verdicts"][0]["first"], 60);
    // The tables themselves say the same.
    let (a, b) = (table(&at("f32"), "instances.parquet"), table(&at("f64"), "instances.parquet"));
    let name = "final.body.angular_velocity.x";
    let single = a.column_by_name(name).unwrap().as_primitive::<arrow_array::types::Float32Type>().clone();
    let double = b.column_by_name(name).unwrap().as_primitive::<Float64Type>().clone();
    let mut apart: Vec<f64> =
        single.values().iter().zip(double.values()).map(|(x, y)| (y - f64::from(*x)).abs()).collect();
    apart.sort_by(f64::total_cmp);
    let columns = found["instances"]["columns"].as_array().unwrap();
    let column = columns.iter().find(|c| c["name"] == name["final.".len()..]).unwrap();
    assert_eq!((column["max"].as_f64(), column["compared"].as_u64()), (Some(apart[59]), Some(60)));
    assert_eq!(column["median"].as_f64(), Some((apart[29] + apart[30]) / 2.0));
    let means = |folder: &str| {
        let statistics = table(&at(folder), "statistics.parquet");
        let mean = statistics.column_by_name("mean").unwrap().as_primitive::<Float64Type>().values().to_vec();
        mean.into_iter().step_by(4).collect::<Vec<f64>>()
    };
    let (a, b) = (means("f32"), means("f64"));
    let row = &found["statistics"][0];
    assert_eq!((&row["channel"], &row["statistic"]), (&"body.energy".into(), &"mean".into()));
    assert_eq!(row["difference"].as_f64(), Some(b[10] - a[10]));
    let largest = a.iter().zip(&b).map(|(x, y)| (y - x).abs()).fold(0.0, f64::max);
    assert!(largest > 0.0 && row["largest"].as_f64() == Some(largest));

    // The result says what cannot be compared.
    let notes = |found: &serde_json::Value| found["not_compared"].to_string();
    let found = compared("f64", "seed");
    assert_eq!(keys(&found), ["ensemble.seed"]);
    assert!(found["instances"].is_null() && notes(&found).contains("start from other values"), "{found}");
    let found = compared("f64", "short");
    assert_eq!(found["time"], 1.0);
    assert!(found["instances"].is_null() && notes(&found).contains("last 2 s and 1 s"), "{found}");
    let found = compared("f64", "bound");
    let stopped = found["instances"]["other_ends"].as_u64().unwrap();
    let count = &found["verdicts"][1];
    assert_eq!((count["verdict"].as_str(), count["second"].as_u64()), (Some("energy_bound"), Some(stopped)));
    assert!(stopped > 0);
    let other = linkage(home.path());
    let found = compared("f64", other.file_name().unwrap().to_str().unwrap());
    for note in ["the mechanisms differ", "only ", "compared as independent ones"] {
        assert!(notes(&found).contains(note), "{note}: {}", notes(&found));
    }
    let (printed, _) = ends_with(0, &["compare", path(&at("f32")), path(&at("f64"))]);
    for line in
        ["differences of the studies", "run.precision", "statistics at 2 s", "60 instances one by one: 0 end"]
    {
        assert!(printed.contains(line), "{printed}");
    }
}

/// More than two runs are compared with the first, and drawn over each other where all have a
/// channel.
#[test]
fn several_runs_are_drawn_over_each_other() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let run = |name: &str, duration: &str, channels: &str| {
        let changes = [
            ("ensemble.size", "20"),
            ("observe.keep", "1"),
            ("observe.every", "\"0.1 s\""),
            ("method.duration", duration),
            ("observe.channels", channels),
            ("run.backend", "\"cpu\""),
        ];
        let study = altered("tumbling", home.path(), &changes);
        ends_with(0, &["run", path(&study), "--quiet", "--out", path(&at(name))]);
    };
    run("a", "\"2 s\"", "[\"energy\", \"angular_velocity\"]");
    run("b", "\"1 s\"", "[\"energy\", \"angular_velocity\", \"tilt\"]");
    run("c", "\"2 s\"", "[\"angular_velocity\"]");
    let (a, b, c, out) = (at("a"), at("b"), at("c"), at("beside"));
    let all = ["compare", path(&a), path(&b), path(&c), "--labels", "first,short,third"];
    let (printed, _) = ends_with(0, &[&all[..], &["--out", path(&out)]].concat());
    for line in ["apart: root mean square", "first", "short", "third", "wrote the pictures into"] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    let mut expected = vec!["all.png".to_string(), "all.svg".to_string(), "comparison.json".to_string()];
    for component in ["x", "y", "z"] {
        for kind in ["", "_difference"] {
            expected.extend(["png", "svg"].map(|e| format!("body.angular_velocity.{component}{kind}.{e}")));
        }
    }
    expected.push("manifest.json".to_string());
    expected.sort();
    assert_eq!(names(&out), expected);
    let svg = fs::read_to_string(out.join("body.angular_velocity.y.svg")).unwrap();
    assert!(["first", "short", "third"].iter().all(|label| svg.contains(label)), "a legend");
    let difference = fs::read_to_string(out.join("body.angular_velocity.y_difference.svg")).unwrap();
    assert!(difference.contains("short") && difference.contains("first"));

    // The numbers are those of the tables.
    let found: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("comparison.json")).unwrap()).unwrap();
    assert_eq!(found["comparisons"].as_array().unwrap().len(), 2);
    let y = &found["largest"][1];
    assert_eq!(y["channel"], "body.angular_velocity.y");
    assert_eq!((&y["runs"][0]["apart"], &y["runs"][2]["apart"]), (&0.0.into(), &0.0.into()));
    let statistics = table(&a, "statistics.parquet");
    let extreme = |end: &str| {
        let rows = texts(&statistics, "component").into_iter().zip(numbers(&statistics, end));
        largest(rows.filter(|(component, _)| component == "y").map(|(_, value)| value))
    };
    let reach = y["runs"][0]["largest"].as_f64().unwrap().abs();
    assert_eq!(reach, extreme("min").max(extreme("max")));

    // One component alone, and what is refused.
    let one = ["--channel", "angular_velocity.z", "--json"];
    let (printed, _) = ends_with(0, &[&all[..], &one].concat());
    let found: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(found["largest"].as_array().unwrap().len(), 1);
    assert_eq!(found["comparisons"][0]["instances"], serde_json::Value::Null);
    let before = contents(home.path());
    for (arguments, told) in [
        (&["--out", path(&out)][..], "beside"),
        (&["--channel", "tilt"], "has no channel"),
        (&["--channel", "velocity.z"], "has no channel"),
        (&["--overwrite"], "--out"),
    ] {
        let (printed, said) = ends_with(2, &[&all[..], arguments].concat());
        assert!(printed.is_empty() && said.contains(told), "{arguments:?}: {said}");
    }
    let (_, said) = ends_with(2, &["compare", path(&a), path(&b), "--labels", "one"]);
    assert!(said.contains("there are 2 runs and 1 labels"), "{said}");
    let (_, said) = ends_with(2, &["compare", path(&a), path(&b), "--labels", "one,one"]);
    assert!(said.contains("has the label \"one\", which another run has already"), "{said}");
    ends_with(2, &["compare", path(&a)]);
    assert!(contents(home.path()) == before);
}

/// An interrupted shard says so, and is not merged.
#[cfg(unix)]
#[test]
fn an_interrupted_shard_is_marked_and_refused() {
    let (home, out) = interrupted(
        &[("ensemble.size", "10_000"), ("method.duration", "\"5 s\""), ("observe.every", "\"1 s\"")],
        Some(Shard { part: 2, of: 2 }),
        0.5,
    );
    let manifest = manifest(&out);
    assert_eq!((&manifest["shard"]["part"], &manifest["instances"]), (&2.into(), &5000.into()));
    let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "5000"]);
    assert!(printed.contains("the run's verdict: "), "{printed}");
    let (_, said) = ends_with(2, &["merge", path(&out), "--out", path(&home.path().join("whole"))]);
    assert!(said.starts_with(&format!("error: {}", path(&out))), "{said}");
    assert!(said.contains("shard 2/2 was interrupted after") && said.contains("run it again"), "{said}");
    assert_eq!(names(home.path()), ["out", "tumbling.toml"]);
}

/// `check` says how fast what is elastic vibrates, and a run with a step beyond it warns.
#[test]
fn a_step_that_is_too_long_for_what_vibrates_is_told() {
    let home = TempDir::new().unwrap();
    let few = [
        ("ensemble.size", "2"),
        ("method.duration", "\"1 ms\""),
        ("observe.keep", "1"),
        ("observe.every", "1"),
    ];
    let (checked, _) = ends_with(0, &["check", "studies/flexible_pendulum.toml"]);
    let stiff = checked.lines().find(|line| line.starts_with("stiffness ")).unwrap();
    assert!(stiff.contains("rad/s") && stiff.contains("omega h = 2") && !stiff.contains("above"), "{stiff}");
    for (step, told) in [("\"0.1 ms\"", false), ("\"0.2 ms\"", true)] {
        let study = altered("flexible_pendulum", home.path(), &[&few[..], &[("method.step", step)]].concat());
        let out = home.path().join("out");
        let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite", "--quiet"]);
        assert_eq!(said.contains("warning: ") && said.contains("is above that"), told, "{said}");
    }
    // Nothing that vibrates, no word of it.
    let (checked, _) = ends_with(0, &["check", "studies/tumbling.toml"]);
    assert!(!checked.lines().any(|line| line.starts_with("stiffness ")), "{checked}");
}

/// Where what vibrates varies, `check` says what step the stiffest or lightest instance allows, and
/// a run beyond it warns though the nominal one is within its own.
#[test]
fn a_step_that_is_too_long_for_some_instances_is_told() {
    let home = TempDir::new().unwrap();
    let few = [
        ("ensemble.size", "9"),
        ("ensemble.design", "\"random\""),
        ("observe.keep", "1"),
        ("observe.every", "1"),
    ];
    let limit = |checked: &str| -> Option<f64> {
        let line = checked.lines().find(|line| line.starts_with("stable steps "))?;
        Some(line.split("down to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap())
    };
    // By the modes of a flexible body, 2/10591 s nominally: with twice the stiffness of that the
    // root of two less.
    let scales = "{ \"rod.stiffness_scale\" = { linspace = { from = 0.5, to = 2, count = 9 } } }";
    // By beams, springs and masses, h = 4 / (c + sqrt(c² + 4 omega²)): with a quarter of the
    // density both c and omega² are four times what they are nominally.
    let densities = "{ \"strip.density_factor\" = { linspace = { from = 0.25, to = 1, count = 9 } } }";
    let central = [
        ("method.name", "\"staggered\""),
        ("constraints.treatment", "\"staggered\""),
        ("constraints.project", "0"),
    ];
    let nominally = altered("flexible_pendulum", home.path(), &central);
    let checked = ends_with(0, &["check", path(&nominally)]).0;
    let number = |before: &str| -> f64 {
        let line = checked.lines().find(|line| line.starts_with("stiffness ")).unwrap();
        line.split(before).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let (omega, nominal) = (number("up to "), number("stable up to "));
    let c = (16.0 / nominal / nominal - 4.0 * omega * omega) / (8.0 / nominal);
    let lighter = 4.0 / (4.0 * c + (16.0 * c * c + 16.0 * omega * omega).sqrt());
    for (name, vary, expected, steps) in [
        (
            "slider_crank_elastic",
            scales,
            2.0 / 10591.371253303343 / 2f64.sqrt(),
            ["\"0.13 ms\"", "\"0.15 ms\""],
        ),
        ("flexible_pendulum", densities, lighter, ["\"0.04 ms\"", "\"0.1 ms\""]),
    ] {
        for (step, told) in steps.into_iter().zip([false, true]) {
            let duration = if name == "flexible_pendulum" { "\"0.2 ms\"" } else { "\"1.95 ms\"" };
            let changes = [("ensemble.vary", vary), ("method.step", step), ("method.duration", duration)];
            let study = altered(name, home.path(), &[&few[..], &central, &changes].concat());
            let (checked, _) = ends_with(0, &["check", path(&study)]);
            let found = limit(&checked).unwrap_or_else(|| panic!("{checked}"));
            assert!((found / expected - 1.0).abs() < 2e-3, "{name}: {found} {expected}");
            let out = home.path().join("out");
            let (_, said) =
                ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite", "--quiet"]);
            let warned = said.contains("warning: stable steps are over the ensemble down to ");
            assert_eq!(warned && said.contains("is above that"), told, "{name}, {step}: {said}");
            assert!(!said.contains("nominal"), "{said}");
        }
    }
    // The implicit method takes steps of its own inside those of the study.
    let changes = [("ensemble.size", "2"), ("observe.keep", "1"), ("method.duration", "\"50 ms\"")];
    let study = altered("rubber_hinge", home.path(), &changes);
    let out = home.path().join("out");
    let (_, said) = ends_with(0, &["run", path(&study), "--out", path(&out), "--overwrite", "--quiet"]);
    assert!(!said.contains("warning"), "{said}");
    // A body without stiffness of its own allows any step, which is no number.
    let (checked, _) = ends_with(0, &["check", "studies/triangle_levels.toml"]);
    assert!(checked.contains("no mode has stiffness of its own") && !checked.contains("inf s"), "{checked}");
    // A varied number that does not change how fast the mechanism vibrates is no reason for a line.
    for (name, changes) in
        [("triangle", &central[..0]), ("pendulum_flexible", &central[..]), ("tumbling", &[])]
    {
        let study = altered(name, home.path(), changes);
        let (checked, _) = ends_with(0, &["check", path(&study)]);
        let varied =
            checked.lines().any(|line| line.starts_with("varied ") && line.contains("stiffness_scale"));
        assert_eq!(limit(&checked).is_some(), varied, "{name}: {checked}");
    }
}

/// The constants of W84's triangle, and what is known at its points.
#[test]
fn check_prints_all_constants_of_flexible_bodies() {
    let (checked, _) = ends_with(0, &["check", "studies/triangle.toml", "--constants"]);
    for line in [
        "steps         2,800 of 0.0005 s (1.4 s)",
        "Buckens frame: s and alpha vanish",
        "K_ij [[1500, 0, 0], [0, 1500, 0], [0, 0, 3000]] N m",
        "amplitude_2: J1 [[3, 0, 0], [0, 3, 0], [0, 0, 6]] kg m²",
        "G [0, 0, 3] kg m²",
        "point `mass2` at [0.8660254, -0.5, 0] m",
        "amplitude_1: phi [0.8660254, 0.5, 0] m, theta not known",
    ] {
        assert!(checked.contains(line), "{line}: {checked}");
    }
    let (attached, _) = ends_with(0, &["check", "studies/boom.toml", "--constants"]);
    assert!(attached.contains("attached frame: s and alpha up to 0.830 sqrt(M_kk/M)"), "{attached}");
    let (short, _) = ends_with(0, &["check", "studies/triangle.toml"]);
    assert!(!short.contains("J2") && !short.contains("phi"), "{short}");
}

/// Names in backquotes with an underscore and nothing else are tests, or modules of them.
#[test]
fn the_architecture_names_tests_that_exist() {
    let root = root();
    let document = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    assert!(document.lines().count() <= 150);
    let mut sources = String::new();
    for folder in ["src", "crates", "tests"] {
        for (file, content) in contents(&root.join(folder)) {
            if file.extension().is_some_and(|e| e == "rs") {
                sources += &text(&content);
            }
        }
    }
    let invariants: Vec<&str> = document.split("\n- Invariant: ").skip(1).collect();
    assert!(invariants.len() > 10);
    for invariant in invariants {
        let name =
            |word: &&str| word.contains('_') && word.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        let tests: Vec<&str> = invariant.split('`').skip(1).step_by(2).filter(name).collect();
        assert!(!tests.is_empty(), "no test: {invariant}");
        for test in tests {
            let is_one =
                [format!("fn {test}("), format!("mod {test} {{")].iter().any(|text| sources.contains(text));
            assert!(is_one, "{test} is no test");
        }
    }
}

/// A body whose motion dies out: the tables end with zeros, and hold no number of which a digit is
/// lost.
#[test]
fn tables_hold_no_subnormal_number_after_a_decay() {
    let home = TempDir::new().unwrap();
    let study = home.path().join("decay.toml");
    let text = "method = { name = \"staggered\", step = 0.01, duration = 100 }\nensemble.size = 50\n\
                [ensemble.vary]\n\"ball.velocity\" = { normal = { mean = [1, 2, 3], std = 0.5 } }\n\
                [observe]\nchannels = [\"energy\", \"ball.velocity\", \"ball.angular_momentum\"]\n\
                every = 500\nkeep = 3\n\
                [mechanism]\ngravity = 0\n[mechanism.body]\nname = \"ball\"\nmass = 1\ninertia = [1, 2, 3]\n\
                initial = { angular_velocity = [1, 2, 3] }\n\
                [[mechanism.drag]]\nname = \"air\"\nbody = \"ball\"\nlinear = 10\nangular_linear = 20\n";
    for precision in ["f32", "f64"] {
        fs::write(&study, format!("{text}[run]\nbackend = \"cpu\"\nprecision = \"{precision}\"\n")).unwrap();
        let out = home.path().join(precision);
        ends_with(0, &["run", path(&study), "--out", path(&out), "-q"]);
        let mut looked_at = 0;
        for name in ["statistics.parquet", "trajectories.parquet", "motion.parquet", "instances.parquet"] {
            let table = table(&out, name);
            for (field, column) in table.schema().fields().iter().zip(table.columns()) {
                let double = column.as_primitive_opt::<Float64Type>().into_iter().flatten().flatten();
                let single = column.as_primitive_opt::<Float32Type>().into_iter().flatten().flatten();
                for (x, subnormal) in double
                    .map(|x| (x, x.is_subnormal()))
                    .chain(single.map(|x| (f64::from(x), x.is_subnormal())))
                {
                    assert!(!subnormal, "{precision}, {name}, {}: {x:e}", field.name());
                    looked_at += 1;
                }
            }
        }
        assert!(looked_at > 500, "{looked_at} numbers");
        let energy = *numbers(&table(&out, "statistics.parquet"), "max").last().expect("a row");
        assert_eq!(energy, 0.0, "{precision}");
    }
}
