//! The command, and what it leaves on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;

/// The program, in the repository's root.
pub fn polhode(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("polhode"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command
}

pub fn output(arguments: &[&str]) -> Output {
    polhode(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Waits until the program has a handler of this signal (`INT`, `TERM` or `HUP`), sends it, and waits for the end.
#[cfg(target_os = "linux")]
pub fn interrupt(mut child: Child, signal: &str) -> Output {
    let status = format!("/proc/{}/status", child.id());
    let caught =
        |line: &str| line.strip_prefix("SigCgt:").map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let number = match signal {
        "HUP" => 1,
        "INT" => 2,
        "TERM" => 15,
        _ => panic!("{signal}"),
    };
    while fs::read_to_string(&status).unwrap().lines().find_map(caught).unwrap() >> (number - 1) & 1 == 0 {
        assert!(child.try_wait().unwrap().is_none(), "ended before it could be interrupted");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap()
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
