//! The command, and what it leaves on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use polhode::study::Listener;

use crate::common::root;

/// The program, in the repository's root.
pub fn polhode(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("polhode"));
    command.args(arguments).current_dir(root()).env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command
}

pub fn output(arguments: &[&str]) -> Output {
    polhode(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A test that waits for an event fails after this time, which is far longer than a busy machine
/// takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program on its way, which says nothing that is not kept. It ends with its test, though that
/// fails.
pub struct Running {
    child: Option<Child>,
    /// The words it was started with, for those who read of a failure.
    asked: String,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Running { child: Some(child.unwrap()), asked: format!("{command:?}") }
    }

    fn child(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }

    /// Waits until this is so; false: the program ended before.
    pub fn comes(&mut self, mut is_so: impl FnMut() -> bool) -> bool {
        let begun = Instant::now();
        while !is_so() {
            if self.child().try_wait().unwrap().is_some() {
                return false;
            }
            assert!(begun.elapsed() < PATIENCE, "what was waited for did not come: {}", self.asked);
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Waits until it has said this on standard error.
    #[track_caller]
    pub fn says(&mut self, words: &str) {
        let pipe = self.child().stderr.as_mut().unwrap();
        let (mut said, mut byte) = (Vec::new(), [0]);
        while !said.ends_with(words.as_bytes()) {
            let ended = pipe.read(&mut byte).unwrap() == 0;
            assert!(
                !ended,
                "{} ended before it said {words:?}: {}",
                self.asked,
                String::from_utf8_lossy(&said)
            );
            said.push(byte[0]);
        }
    }

    /// Waits for the end, but not for ever. It must not say more than a pipe holds.
    pub fn ends(mut self) -> Output {
        self.comes(|| false);
        self.output()
    }

    /// Waits for the end.
    pub fn output(mut self) -> Output {
        self.child.take().unwrap().wait_with_output().unwrap()
    }

    /// Kills it, and nothing of it is asked; false: it had ended by then, as it should.
    #[track_caller]
    pub fn kill(mut self) -> bool {
        self.child().kill().unwrap();
        let ended = self.output();
        // On Unix one that was killed has no exit code.
        let was_killed = ended.status.code().is_none() || cfg!(windows);
        assert!(was_killed || ended.status.success(), "{}", text(&ended.stderr));
        !ended.status.success()
    }
}

#[cfg(unix)]
impl Running {
    /// Sends a signal (`INT`), which may find a program that has ended.
    pub fn send(&mut self, signal: &str) {
        if self.child().try_wait().unwrap().is_none() {
            let id = self.child().id().to_string();
            // As long as nobody has waited for its end, the number is nobody else's.
            assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        }
    }
}

#[cfg(target_os = "linux")]
impl Running {
    /// Waits until it has a handler of this signal; false: it ended before.
    pub fn handles(&mut self, signal: &str) -> bool {
        let number = match signal {
            "HUP" => 1,
            "INT" => 2,
            "TERM" => 15,
            _ => panic!("{signal}"),
        };
        let status = format!("/proc/{}/status", self.child().id());
        let caught = |line: &str| {
            line.strip_prefix("SigCgt:").map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap())
        };
        self.comes(|| {
            let lines = fs::read_to_string(&status).unwrap();
            lines.lines().find_map(caught).unwrap() >> (number - 1) & 1 == 1
        })
    }

    /// Makes it stand still, all threads of it, until `CONT` is sent; false: it ended before.
    pub fn stands_still(&mut self) -> bool {
        self.send("STOP");
        let threads = PathBuf::from(format!("/proc/{}/task", self.child().id()));
        // Behind the name, which stands in brackets.
        let is_stopped = |thread: &String| {
            let state = fs::read_to_string(threads.join(thread).join("stat")).unwrap_or_default();
            state.rsplit(") ").next().unwrap().starts_with('T')
        };
        self.comes(|| threads.exists() && names(&threads).iter().all(is_stopped))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Makes another attempt where the last one came too late: a program may end before it is met.
#[track_caller]
pub fn in_time<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    (0..20).find_map(|_| attempt()).expect("twenty programs ended before they were met")
}

/// Sends a signal (`INT`, `TERM` or `HUP`) once the program has a handler of it, and waits for the
/// end.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn interrupt(command: &mut Command, signal: &str) -> Output {
    let mut running = Running::start(command);
    assert!(
        running.handles(signal),
        "ended before it could be interrupted: {}",
        text(&running.output().stderr)
    );
    running.send(signal);
    running.output()
}

/// Runs, expects this exit code, returns standard output and standard error.
#[track_caller]
pub fn ends_with(code: i32, arguments: &[&str]) -> (String, String) {
    let output = output(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{arguments:?}\n{err}");
    (out, err)
}

pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

/// Every file below a folder with its content.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for name in names(folder) {
        let entry = folder.join(name);
        if entry.is_dir() {
            all.extend(contents(&entry));
        } else {
            let content = fs::read(&entry).unwrap();
            all.insert(entry, content);
        }
    }
    all
}

/// A shipped study with some keys changed (`"ensemble.size"` to `"200"`), written into `folder`.
pub fn altered(name: &str, folder: &Path, changes: &[(&str, &str)]) -> PathBuf {
    let root = root();
    let source = fs::read_to_string(root.join("studies").join(name).with_extension("toml")).unwrap();
    let mut study: toml::Table = source.parse().unwrap();
    if let Some(file) = study["mechanism"].as_str() {
        let file = root.join("studies").join(file);
        study.insert("mechanism".into(), path(&file).into());
    }
    for (key, value) in changes {
        let value = format!("x = {value}").parse::<toml::Table>().unwrap().remove("x").unwrap();
        let (table, key) = key.split_once('.').unwrap();
        let table = study.entry(table).or_insert(toml::Table::new().into());
        table.as_table_mut().unwrap().insert(key.to_string(), value);
    }
    let file = folder.join(name).with_extension("toml");
    fs::write(&file, study.to_string()).unwrap();
    file
}

/// Makes a folder as a polhode before checksums wrote it.
pub fn without_checksums(folder: &Path) {
    let file = folder.join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert!(manifest.as_object_mut().unwrap().remove("checksum").is_some());
    for entry in manifest["files"].as_array_mut().unwrap() {
        assert!(entry.as_object_mut().unwrap().remove("xxh3").is_some());
    }
    fs::write(&file, serde_json::to_string_pretty(&manifest).unwrap() + "\n").unwrap();
}

/// Whether the first fault that was said has a line of this file.
pub fn has_place(said: &str, file: &Path) -> bool {
    let place = format!("error: {}:", path(file));
    let fault = said.lines().find_map(|line| line.strip_prefix(&place));
    fault.and_then(|rest| rest.split_once(": ")).is_some_and(|(line, _)| line.parse::<usize>().is_ok())
}

/// Ends a run once it has done this share of its instance-steps.
pub struct Until<'a>(pub f64, pub &'a AtomicBool);

impl Listener for Until<'_> {
    fn say(&self, _: &str) {}
    fn progress(&self, done: u64, total: u64) {
        if done as f64 >= self.0 * total as f64 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}
