//! Files to start from: `polhode init`, and the shipped studies of `polhode list`.

use std::fs;
use std::path::Path;
use std::process::Command;

use polhode::study_file::read_study;
use tempfile::TempDir;

use crate::command::{contents, ends_with, path};
use crate::common::root;

#[test]
fn what_init_writes_runs() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("new");
    let (printed, _) = ends_with(0, &["init", path(&folder)]);
    let study = folder.join("study.toml");
    assert!(printed.ends_with(&format!("next: polhode run {}\n", path(&study))), "{printed}");
    let out = home.path().join("out");
    let few = ["--set", "ensemble.size=40", "--backend", "cpu", "--set", "accuracy.budget=0"];
    let (printed, _) = ends_with(0, &[&["run", path(&study), "--out", path(&out)], &few[..]].concat());
    assert!(printed.contains("finished 40"), "{printed}");
    // Nothing is replaced, and of two files the other is not written either.
    let before = contents(home.path());
    let (_, said) = ends_with(2, &["init", path(&folder)]);
    assert!(said.starts_with("error: ") && said.contains("study.toml: exists already"), "{said}");
    fs::remove_file(&study).unwrap();
    let (_, said) = ends_with(2, &["init", path(&folder)]);
    assert!(said.contains("mechanism.toml: exists already") && !study.exists(), "{said}");
    fs::write(&study, &before[&study]).unwrap();
    assert!(contents(home.path()) == before);
}

/// Numbers that no mechanism can have are named, of the description and of what is drawn.
#[test]
fn numbers_of_no_mechanism_are_named() {
    let home = TempDir::new().unwrap();
    ends_with(0, &["init", path(home.path())]);
    let study = home.path().join("study.toml");
    let check = |code, changes: &[&str]| {
        let given = ["method.name=rk4", "method.step=10 ms"].into_iter().chain(changes.iter().copied());
        let given: Vec<&str> = given.flat_map(|change| ["--set", change]).collect();
        ends_with(code, &[&["check", path(&study), "--unset", "method.accuracy"], &given[..]].concat())
    };
    let (_, said) = check(2, &["mechanism.joint.hinge.angle=1e300"]);
    assert!(said.contains("the energy at the start overflows"), "{said}");
    for (quantity, named) in [
        ("rod.mass", "the mass of `rod` is -"),
        ("rod.inertia.yy", "the principal moments of inertia of `rod` are "),
        ("bearing.damping", "bearing.damping is -"),
    ] {
        let change = format!("ensemble.vary.{quantity:?}={{ normal = {{ mean = -1, std = 0.01 }} }}");
        let (said, _) = check(0, &[&change]);
        assert!(said.contains("is an invalid sample") && said.contains(named), "{said}");
    }
}

/// A command that is printed is one that a shell takes, whatever the folder is called.
#[test]
fn printed_commands_keep_blanks_and_quotes_of_folders() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("it's new é");
    let (printed, _) = ends_with(0, &["init", path(&folder)]);
    let (_, next) = printed.split_once("next: polhode ").unwrap();
    assert!(next.ends_with("it'\\''s new é/study.toml'\n"), "{next}");
    let words = Command::new("sh").args(["-c", &format!("printf '%s\\n' {next}")]).output().unwrap();
    let words = String::from_utf8(words.stdout).unwrap();
    assert_eq!(words, format!("run\n{}\n", folder.join("study.toml").display()));
    // A missing shard is run by the command that is listed.
    let few = ["--set", "ensemble.size=4", "--set", "method.name=rk4", "--set", "method.step=20 ms"];
    let [study, parts] = [folder.join("study.toml"), folder.join("parts")];
    let shard = ["run", path(&study), "--shard", "1/2", "--no-accuracy", "--backend", "cpu", "--out"];
    let out = parts.join("1");
    ends_with(0, &[&shard[..], &[path(&out)], &few[..]].concat());
    let (listed, _) = ends_with(1, &["shards", path(&parts)]);
    let quoted = |file: &Path| format!("'{}'", path(file).replace('\'', "'\\''"));
    let command = format!("polhode run {} --shard 2/2", quoted(&out.join("study.toml")));
    assert!(listed.contains(&command) && listed.contains(&quoted(&parts.join("2"))), "{listed}");
}

/// A title cannot leave the comment that it stands in.
#[test]
fn a_title_of_several_lines_is_one_comment_of_a_kernel() {
    for title in ["\"a\\nfn b() {}\"", "\"a\\u2028fn b() {}\"", "\"a\\r\\u0085fn b() {}\""] {
        let (kernel, _) =
            ends_with(0, &["kernel", "studies/tumbling.toml", "--set", &format!("title={title}")]);
        let first = kernel.split(['\n', '\r', '\u{85}', '\u{2028}']).next().unwrap();
        assert!(first.starts_with("// a") && first.contains("fn b() {}"), "{first}");
    }
}

/// Keys that the files show in comments are keys, all of them at once.
#[test]
fn every_key_that_init_shows_is_read() {
    let home = TempDir::new().unwrap();
    ends_with(0, &["init", path(home.path())]);
    let mut shown = 0;
    for name in ["study.toml", "mechanism.toml"] {
        let file = home.path().join(name);
        let text = fs::read_to_string(&file).unwrap();
        shown += text.matches("\n#: ").count();
        fs::write(&file, text.replace("\n#: ", "\n")).unwrap();
    }
    let study = read_study(&home.path().join("study.toml")).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(shown > 20 && study.method.name == "rk4" && study.mechanism.outcomes.len() == 2, "{shown}");
    ends_with(0, &["check", path(&home.path().join("study.toml"))]);
}

#[test]
fn every_shipped_study_can_be_had() {
    let home = TempDir::new().unwrap();
    let (listed, _) = ends_with(0, &["list", "--json"]);
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let (shown, _) = ends_with(0, &["list"]);
    assert!(listed.len() > 40);
    for study in &listed {
        let name = study["name"].as_str().unwrap();
        assert!(
            shown.contains(&format!("  {name} ")) && shown.contains(study["title"].as_str().unwrap()),
            "{name}"
        );
        let folder = home.path().join(name);
        ends_with(0, &["init", path(&folder), "--from", name]);
        let file = folder.join("studies").join(name).with_extension("toml");
        let had = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
        let root = root();
        assert_eq!(had, read_study(&root.join("studies").join(name).with_extension("toml")).unwrap());
    }
    let (_, said) = ends_with(2, &["init", path(&home.path().join("x")), "--from", "tumblin"]);
    assert_eq!(
        said,
        "error: there is no shipped study \"tumblin\"; did you mean `tumbling`?; polhode list shows all\n"
    );
}
