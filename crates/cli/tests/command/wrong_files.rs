//! Each file of `tests/wrong/` is wrong in one way, or in a few related ones. What the reader says
//! about it is kept in one snapshot: a change of wording or of a line number is seen at once.

use std::fmt::Write;
use std::path::Path;

use polhode::study_file::read_study;

use crate::common::in_root;

#[test]
fn every_wrong_file_gets_its_message() {
    in_root();
    let mut files: Vec<String> = std::fs::read_dir("tests/wrong")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort_unstable();
    assert!(files.len() >= 410);
    let mut messages = String::new();
    for file in &files {
        let problems = read_study(&Path::new("tests/wrong").join(file)).expect_err(file);
        for problem in &problems.0 {
            let shown = problem.to_string();
            assert!(!shown.contains('\n'), "{file}: {shown}");
            assert!(problem.line.is_some(), "{file}: {shown}");
        }
        writeln!(messages, "{problems}\n").unwrap();
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn an_element_that_begins_wound_too_far_is_refused_by_name() {
    in_root();
    let study = read_study(Path::new("tests/wrong/unbuildable/overbent.toml"));
    let study = study.unwrap_or_else(|problems| panic!("{problems}"));
    let error = polhode::study::plan::plan(&study).expect_err("it begins wound too far");
    assert_eq!(
        polhode::model::Model::explain(&study.mechanism, error),
        "the beam element `shaft` begins turned by 170.0 degrees between its nodes; at most 160 are allowed: \
         check attitudes and frames, or divide the beam into more elements"
    );
}

/// Mechanisms of which no file is wrong by itself, but which cannot stand as described: the joint
/// that is off most is named.
#[test]
fn what_cannot_stand_is_refused_by_the_name_of_a_joint() {
    in_root();
    for (file, joints) in [
        ("cannot_assemble", ["shoulder", "elbow", "far"].as_slice()),
        ("overconstrained_and_inconsistent", &["rod", "other"]),
    ] {
        let study = read_study(&Path::new("tests/wrong/unbuildable").join(format!("{file}.toml")));
        let study = study.unwrap_or_else(|problems| panic!("{problems}"));
        let error = polhode::study::plan::plan(&study).expect_err(file);
        let message = polhode::model::Model::explain(&study.mechanism, error);
        assert!(message.contains("cannot be assembled"), "{file}: {message}");
        assert!(
            joints.iter().any(|joint| message.contains(&format!("joint `{joint}`"))),
            "{file}: {message}"
        );
    }
}

#[test]
fn a_study_that_is_not_there() {
    in_root();
    let problems = read_study(Path::new("studies/tumblin.toml")).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "studies/tumblin.toml: there is no such file; did you mean `tumbling.toml`?"
    );
    let problems = read_study(Path::new("studies")).unwrap_err();
    assert_eq!(problems.to_string(), "studies: is a folder, and no file");
    let problems = read_study(Path::new(".")).unwrap_err();
    assert_eq!(problems.to_string(), ".: is a folder, and no file");
}

#[test]
fn a_study_that_is_not_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latin1.toml");
    std::fs::write(&path, b"title = \"a\"\n# caf\xe9\n").unwrap();
    let problems = read_study(&path).unwrap_err();
    assert_eq!((problems.0[0].line, problems.0[0].found.as_str()), (Some(2), "is not UTF-8 text"));
}
