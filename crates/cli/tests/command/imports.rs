//! `polhode import` and `polhode export mjcf`: what they write, what they refuse, and that nothing
//! is written then.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::command::{ends_with, names, path};
use crate::common::root;

fn fixture(name: &str) -> PathBuf {
    root().join("crates/import/tests/fixtures").join(name)
}

fn shipped(name: &str) -> PathBuf {
    root().join("mechanisms").join(name).with_extension("toml")
}

#[test]
fn an_imported_mechanism_runs_and_nothing_is_replaced() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("acrobot");
    let file = fixture("acrobot.urdf");
    let import = ["import", path(&file), "-o", path(&out)];
    let (said, _) = ends_with(0, &import);
    let study = out.join("study.toml");
    let written = ["mechanism.toml", "study.toml"].map(|name| format!("wrote {}\n", path(&out.join(name))));
    assert_eq!(said, format!("{}next: polhode run {}\n", written.concat(), path(&study)));
    ends_with(0, &["check", path(&study)]);
    let mechanism = fs::read_to_string(out.join("mechanism.toml")).unwrap();
    let (_, error) = ends_with(2, &import);
    let there = format!("{}: exists already, and nothing is replaced", path(&out.join("mechanism.toml")));
    assert!(error.starts_with(&format!("error: {there}")), "{error}");
    assert_eq!(fs::read_to_string(out.join("mechanism.toml")).unwrap(), mechanism);
}

#[test]
fn what_an_import_refuses_is_not_written() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("hand.xml");
    let text = fs::read_to_string(fixture("cart_pole.xml")).unwrap();
    let actuator = "<actuator><muscle name=\"m\" joint=\"slider\"/></actuator></mujoco>";
    fs::write(&file, text.replace("</mujoco>", actuator)).unwrap();
    let out = home.path().join("out");
    let refused = |more: &[&str], code: i32| {
        let (_, error) = ends_with(code, &[&["import", path(&file), "-o", path(&out)], more].concat());
        assert_eq!(names(home.path()).len(), if code == 0 { 2 } else { 1 }, "{error}");
        error
    };
    let message = refused(&[], 2);
    let line = "the actuator `m` has dynamics of type `muscle`; `--drop actuator` leaves it out\n";
    assert!(
        message.starts_with("error: ") && message.contains("hand.xml:") && message.ends_with(line),
        "{message}"
    );
    assert!(refused(&["--drop", "actuater"], 2).contains("did you mean `actuator`?"));
    assert!(refused(&["--key", "hom"], 2).contains("there is no keyframe `hom`"));
    let message = refused(&["--drop", "actuator"], 0);
    assert!(message.contains("left out: the actuator `m` has dynamics of type `muscle`\n"), "{message}");
}

#[test]
fn a_mechanism_is_printed_or_written_as_mjcf_and_comes_back() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("furuta.xml");
    let mechanism = shipped("furuta_pendulum");
    let (printed, _) = ends_with(0, &["export", "mjcf", path(&mechanism)]);
    assert!(printed.contains("<mujoco model="), "{printed}");
    let write = ["export", "mjcf", path(&mechanism), "--out", path(&file)];
    let (said, _) = ends_with(0, &write);
    assert_eq!(said, format!("wrote MJCF into {}\n", path(&file)));
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    // A study has the mechanism that it names.
    let (of_study, _) = ends_with(0, &["export", "mjcf", path(&root().join("studies/double_pendulum.toml"))]);
    let (of_file, _) = ends_with(0, &["export", "mjcf", path(&shipped("double_pendulum"))]);
    assert_eq!(of_study, of_file);
    fs::write(&file, "mine").unwrap();
    let (_, error) = ends_with(2, &write);
    assert_eq!(error, format!("error: {}: exists already; --overwrite replaces it\n", path(&file)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    ends_with(0, &[&write[..], &["--overwrite"]].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    let out = home.path().join("again");
    ends_with(0, &["import", path(&file), "-o", path(&out), "--key", "start"]);
    ends_with(0, &["check", path(&out.join("study.toml"))]);
}

#[test]
fn what_mjcf_cannot_say_is_refused_by_line_and_name() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("out.xml");
    for (name, line, told) in [
        ("solar_panels", "name = \"right_latch\"", "[[lock]] `right_latch`: MJCF has no locks"),
        ("flexible_pendulum", "name = \"strip\"", "[[beam]] `strip`: MJCF has no beams"),
        (
            "spacecraft",
            "name = \"thruster\"",
            "[[load]] `thruster`: it depends on time, or on more of the motion",
        ),
        ("free_body", "[body]", "[[body]] `body`: its moments of inertia are 1, 5 and 10 kg m^2; "),
    ] {
        let mechanism = shipped(name);
        let (said, err) = ends_with(2, &["export", "mjcf", path(&mechanism), "--out", path(&file)]);
        let text = fs::read_to_string(&mechanism).unwrap();
        let number = text.lines().position(|of| of == line).unwrap() + 1;
        let expected = format!("error: {}:{number}: {told}", path(&mechanism));
        assert!(err.starts_with(&expected), "{err}");
        assert!(said.is_empty() && names(home.path()).is_empty(), "{said}");
    }
    // A study has its mechanism in place, with a table for each part or in lists; it had no line.
    let motor = "name = \"m\", joint = \"j\", actuator = \"sin(j.angle)\"";
    let lines = motor.replace(", ", "\n");
    for (springs, number) in [
        (format!("[[mechanism.joint_spring]]\n{lines}"), 16),
        (format!("[mechanism]\njoint_spring = [\n{{ {motor} }}]"), 17),
    ] {
        let study = "[[mechanism.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[mechanism.joint]]\n\
                     name = \"j\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b\"]\npoints = [[0, 0, 0], \
                     [0, 0, 1]]\naxes = [0, 1, 0]\n[method]\nname = \"rk4\"\nstep = 0.01\nduration = 1\n";
        let file = home.path().join("in_place.toml");
        fs::write(&file, format!("{study}{springs}\n")).unwrap();
        let (_, error) = ends_with(2, &["export", "mjcf", path(&file)]);
        let expected = format!("error: {}:{number}: [[joint_spring]] `m`: its `actuator`", path(&file));
        assert!(error.starts_with(&expected), "{error}");
        fs::remove_file(&file).unwrap();
    }
    let (_, error) = ends_with(2, &["export", "mjcf"]);
    assert_eq!(error, "error: give an output folder, a study or a mechanism: polhode export mjcf PATH\n");
    let (_, error) = ends_with(2, &["export", "mjcf", path(&home.path().join("no.toml"))]);
    assert!(error.starts_with("error: ") && error.contains("no.toml"), "{error}");
}
