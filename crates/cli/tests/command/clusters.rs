//! The scripts of docs/clusters.md do what the page says, as far as a machine without a scheduler
//! can tell: stand-ins take the place of `scontrol`, `hq` and `parallel`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use crate::command::{Running, altered, ends_with, in_time, path, polhode, text};
use crate::common::root;
use crate::resume::assert_same;

/// The fenced blocks of a section of the page.
fn blocks(section: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/clusters.md")).unwrap();
    let section = page.split("\n## ").find(|text| text.starts_with(section)).expect("the section");
    section
        .split("```")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').unwrap().1.to_string())
        .collect()
}

/// A folder with a study, and stand-ins on the path.
struct Cluster {
    home: TempDir,
    study: PathBuf,
}

impl Cluster {
    fn new(changes: &[(&str, &str)]) -> Cluster {
        let home = TempDir::new().unwrap();
        let mine = [
            ("run.backend", "\"cpu\""),
            ("accuracy.budget", "0"),
            ("ensemble.size", "3200"),
            ("method.duration", "\"1 s\""),
            ("observe.channels", "[\"energy\"]"),
        ];
        let tumbling = altered("tumbling", home.path(), &[&mine, changes].concat());
        let study = home.path().join("study.toml");
        fs::rename(tumbling, &study).unwrap();
        fs::create_dir(home.path().join("bin")).unwrap();
        let cluster = Cluster { home, study };
        cluster.stand_in("scontrol", "echo \"$@\" >> scontrol.log");
        cluster
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn stand_in(&self, name: &str, script: &str) {
        let file = self.at("bin").join(name);
        fs::write(&file, format!("#!/bin/bash\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn shell(&self, script: &str, variables: &[(&str, &str)]) -> Command {
        let programs = cargo_bin("polhode");
        let programs = programs.parent().unwrap();
        let search = format!(
            "{}:{}:{}",
            path(&self.at("bin")),
            path(programs),
            std::env::var("PATH").unwrap_or_default()
        );
        let mut shell = Command::new("bash");
        shell.args(["-c", script, "job"]).current_dir(self.home.path()).env("PATH", search);
        shell.env("XDG_RUNTIME_DIR", self.home.path()).envs(variables.iter().copied());
        shell
    }

    #[track_caller]
    fn runs(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        let output = self.shell(script, variables).output().unwrap();
        assert!(output.status.success(), "{script}\n{}", text(&output.stderr));
        output
    }

    #[track_caller]
    fn is_whole(&self) {
        ends_with(0, &["run", path(&self.study), "--out", path(&self.at("at_once")), "--quiet"]);
        // Jobs say how many threads they take: that alone is another in the study.
        let file = |folder: &str| self.at(folder).join("study.toml");
        let study = |folder: &str| fs::read_to_string(file(folder)).unwrap();
        let without_threads = |text: &str| {
            text.lines().filter(|line| !line.starts_with("threads")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(without_threads(&study("whole")), without_threads(&study("at_once")));
        fs::copy(file("at_once"), file("whole")).unwrap();
        // The study stands in it too.
        fs::copy(self.at("at_once").join("run.state"), self.at("whole").join("run.state")).unwrap();
        assert_same("merged", &self.at("at_once"), &self.at("whole"));
    }
}

const TASKS: u64 = 16;

fn slurm_variables(task: u64) -> Vec<(&'static str, String)> {
    vec![
        ("SLURM_ARRAY_TASK_ID", task.to_string()),
        ("SLURM_ARRAY_TASK_COUNT", TASKS.to_string()),
        ("SLURM_ARRAY_JOB_ID", "77".to_string()),
        ("SLURM_CPUS_PER_TASK", "1".to_string()),
    ]
}

fn borrowed<'a>(variables: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    variables.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[test]
fn the_slurm_job_computes_and_merges() {
    let cluster = Cluster::new(&[]);
    let [job, merge] = <[String; 2]>::try_from(blocks("Slurm")).unwrap();
    for task in 1..=TASKS {
        cluster.runs(&job, &borrowed(&slurm_variables(task)));
    }
    // A job that is started again has nothing to do.
    cluster.runs(&job, &borrowed(&slurm_variables(3)));
    cluster.runs(&merge, &[]);
    cluster.is_whole();
    assert!(!cluster.at("scontrol.log").exists());
    let shards = ends_with(0, &["shards", path(&cluster.at("parts"))]).0;
    assert!(shards.ends_with("16 of 16 done\n"), "{shards}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_slurm_job_puts_itself_into_the_queue_before_its_time_is_over() {
    let cluster = Cluster::new(&[
        ("ensemble.size", "320_000"),
        ("method.duration", "\"5 s\""),
        ("run.chunk", "200"),
        ("run.checkpoint", "\"0 s\""),
    ]);
    let [job, _] = <[String; 2]>::try_from(blocks("Slurm")).unwrap();
    let variables = slurm_variables(5);
    let ended = in_time(|| {
        let mut shell = Running::start(&mut cluster.shell(&job, &borrowed(&variables)));
        let checkpoint = cluster.at("parts/5.unfinished/checkpoint.state");
        let is_met = shell.comes(|| checkpoint.exists()) && shell.handles("TERM");
        let shards = polhode(&["shards", path(&cluster.at("parts"))]).output().unwrap();
        shell.send("TERM");
        let ended = shell.output();
        if !is_met || ended.status.success() {
            // The run had come to its end before.
            fs::remove_dir_all(cluster.at("parts")).unwrap();
            return None;
        }
        let shards = text(&shards.stdout);
        assert!(shards.contains("5/16     running") && shards.contains("4/16     missing"), "{shards}");
        Some(ended)
    });
    assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
    assert_eq!(fs::read_to_string(cluster.at("scontrol.log")).unwrap(), "requeue 77_5\n");
    let shards = ends_with(1, &["shards", path(&cluster.at("parts")), "--json"]).0;
    let shards: serde_json::Value = serde_json::from_str(&shards).unwrap();
    let fifth = shards.as_array().unwrap().iter().find(|shard| shard["shard"] == "5/16").unwrap();
    assert_eq!(fifth["stage"], "interrupted");
    assert!(
        fifth["share"].as_f64().unwrap() > 0.0 && fifth["command"].as_str().unwrap().ends_with(" --resume")
    );
    let again = cluster.runs(&job, &borrowed(&variables));
    assert!(again.status.success());
    let manifest = fs::read_to_string(cluster.at("parts/5/manifest.json")).unwrap();
    assert!(manifest.contains("\"resumed\": 1"), "{manifest}");
}

#[test]
fn the_kubernetes_container_computes_its_shard() {
    let cluster = Cluster::new(&[]);
    let [job] = <[String; 1]>::try_from(blocks("Kubernetes")).unwrap();
    let script: Vec<&str> = job.lines().skip_while(|line| !line.ends_with("- |")).skip(1).collect();
    let script: Vec<&str> =
        script.into_iter().take_while(|line| line.starts_with("              ")).collect();
    for index in 0..TASKS {
        cluster.runs(&script.join("\n"), &[("JOB_COMPLETION_INDEX", &index.to_string())]);
    }
    cluster.runs("polhode merge parts/* --out whole", &[]);
    cluster.is_whole();
    // A wrong study is not to be tried again.
    fs::write(&cluster.study, "title = 3").unwrap();
    let wrong = cluster.shell(&script.join("\n"), &[("JOB_COMPLETION_INDEX", "0")]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn the_hyperqueue_job_computes_and_merges() {
    let cluster = Cluster::new(&[]);
    // The command behind `--` is run for every task, as HyperQueue does.
    let each = "while [ \"$1\" != -- ]; do shift; done; shift\n\
                for HQ_TASK_ID in $(seq 16); do HQ_TASK_ID=$HQ_TASK_ID \"$@\" || exit 1; done";
    cluster.stand_in("hq", each);
    let [job] = <[String; 1]>::try_from(blocks("HyperQueue")).unwrap();
    cluster.runs(&job, &[]);
    cluster.runs("polhode merge parts/* --out whole", &[]);
    cluster.is_whole();
}

#[test]
fn the_gnu_parallel_job_computes_and_merges() {
    let cluster = Cluster::new(&[]);
    // The command stands between the options and `:::`, the arguments behind it.
    let each = "while [ \"$1\" != polhode ]; do shift; done\ncommand=()\n\
                while [ \"$1\" != ::: ]; do command+=(\"$1\"); shift; done; shift\n\
                for part in \"$@\"; do \"${command[@]//\\{\\}/$part}\" || exit 1; done";
    cluster.stand_in("parallel", each);
    let [job] = <[String; 1]>::try_from(blocks("GNU parallel")).unwrap();
    cluster.runs(&job, &[]);
    cluster.is_whole();
}
