//! Values in place of a file's: `--set KEY=VALUE`.

use std::fs;

use polhode::study_file::{KeySetting, SettingError, read_study, read_study_with};
use tempfile::TempDir;

use crate::command::{ends_with, path};
use crate::common::root;

fn shipped(name: &str) -> std::path::PathBuf {
    root().join("studies").join(name).with_extension("toml")
}

fn settings(texts: &[&str]) -> Vec<KeySetting> {
    texts.iter().map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

/// A study with settings is the study in which they are written.
#[test]
fn a_setting_is_as_if_it_were_written() {
    let home = TempDir::new().unwrap();
    for folder in ["studies", "mechanisms"] {
        fs::create_dir(home.path().join(folder)).unwrap();
    }
    let root = root();
    let [study, mechanism] = ["studies/cart_pole.toml", "mechanisms/cart_pole.toml"]
        .map(|name| (home.path().join(name), fs::read_to_string(root.join(name)).unwrap()));
    // The setting, and what it replaces in which file; of what is not there, what it adds behind.
    for (setting, of_mechanism, was, is) in [
        ("method.step=2 ms", false, "step = \"10 ms\"", "step = \"2 ms\""),
        ("method.step = 2e-3", false, "step = \"10 ms\"", "step = 2e-3"),
        ("ensemble.size=17", false, "size = 10_000", "size = 17"),
        (
            "title=as it is = so",
            false,
            "title = \"Cart and pole under state feedback\"",
            "title = \"as it is = so\"",
        ),
        ("ensemble.vary.\"pole.mass\".uniform.low=0.2", false, "low = \"0.15 kg\"", "low = 0.2"),
        (
            "ensemble.vary.'hinge.angle'={list=[0, 0.1]}",
            false,
            "{ uniform = { low = \"-60 deg\", high = \"60 deg\" } }",
            "{ list = [0, 0.1] }",
        ),
        ("run.precision=f32", false, "precision = \"f64\"", "precision = \"f32\""),
        ("observe.keep=3", false, "every = \"50 ms\"", "every = \"50 ms\"\nkeep = 3"),
        (
            "outcome.travel.max=abs(hinge.angle)",
            false,
            "max = \"abs(rail.displacement)\"\nunit = \"m\"",
            "max = \"abs(hinge.angle)\"\nunit = \"m\"",
        ),
        ("outcome.1.unit=rad", false, "unit = \"m\"", "unit = \"rad\""),
        ("mechanism.gravity=1.62 m/s^2", true, "gravity = \"9.81 m/s^2\"", "gravity = \"1.62 m/s^2\""),
        ("mechanism.body.pole.mass=0.3", true, "mass = \"0.2 kg\"", "mass = 0.3"),
        ("mechanism.body.0.mass=2 kg", true, "mass = \"1 kg\"", "mass = \"2 kg\""),
        ("mechanism.constants.limit=5 N", true, "limit = \"20 N\"", "limit = \"5 N\""),
        (
            "mechanism.body.pole.centre_of_mass=[0, 0, '0.2 m']",
            true,
            "[0, 0, \"0.3 m\"]",
            "[0, 0, \"0.2 m\"]",
        ),
    ] {
        fs::write(&study.0, &study.1).unwrap();
        fs::write(&mechanism.0, &mechanism.1).unwrap();
        let set = read_study_with(&study.0, &settings(&[setting])).map_err(|problems| problems.to_string());
        let plain = read_study(&study.0).unwrap();
        let (file, text) = if of_mechanism { &mechanism } else { &study };
        assert!(text.contains(was), "{was}");
        fs::write(file, text.replacen(was, is, 1)).unwrap();
        let written = read_study(&study.0).map_err(|problems| problems.to_string());
        match (set, written) {
            (Ok(set), Ok(written)) => {
                assert_eq!(set, written, "{setting}");
                assert_ne!(set, plain, "{setting}");
            }
            // A value that is wrong when it is written is wrong when it is set, too.
            (Err(set), Err(written)) => {
                assert_eq!(set.lines().count(), written.lines().count(), "{set}\n{written}")
            }
            (set, written) => panic!("{setting}: {set:?}\n{written:?}"),
        }
    }
    // The last one wins.
    fs::write(&study.0, &study.1).unwrap();
    fs::write(&mechanism.0, &mechanism.1).unwrap();
    let twice = read_study_with(&study.0, &settings(&["ensemble.size=5", "ensemble.size=7"])).unwrap();
    assert_eq!(twice.ensemble.size, 7);
    // A mechanism in place, and one that is another file.
    let other =
        read_study_with(&shipped("tumbling"), &settings(&["mechanism=../mechanisms/hulbert_51.toml"]))
            .unwrap();
    assert_eq!(other.mechanism.name, read_study(&shipped("hulbert_51")).unwrap().mechanism.name);
    let inline =
        read_study_with(&shipped("map_oscillator"), &settings(&["mechanism.body.mass=3 kg"])).unwrap();
    assert_eq!(inline.mechanism.bodies[0].mass, 3.0);
}

#[test]
fn what_is_no_setting_is_refused() {
    for (text, why) in [
        ("", SettingError::NoValue),
        ("ensemble.size", SettingError::NoValue),
        ("ensemble.size=", SettingError::NoValue),
        ("a=1\nb=2", SettingError::NoValue),
        ("=5", SettingError::NoKey(String::new())),
        ("[run]=5", SettingError::NoKey("[run]".to_string())),
        ("ensemble..size=5", SettingError::NoKey("ensemble..size".to_string())),
        ("observe.channels=[\"tilt\"", SettingError::NoTomlValue("[\"tilt\"".to_string())),
        ("title=\"open", SettingError::NoTomlValue("\"open".to_string())),
    ] {
        assert_eq!(text.parse::<KeySetting>(), Err(why), "{text}");
    }
}

/// A setting may choose another kind. Keys of the kind before are told with the options that take
/// them away; with these the study is read.
#[test]
fn keys_of_the_kind_before_are_told_with_what_takes_them_away() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    let text = "\
mechanism = { body = [{ name = \"a\", solid = { density = 1, sphere = 0.5 } }] }
method = { name = \"staggered\", step = \"1 ms\", duration = \"1 s\", \
resynchronise = 20, update = \"exponential\" }
ensemble = { size = 4, vary = { \"a.position.x\" = { uniform = { low = 1, high = 2 } } } }
";
    fs::write(&file, text).unwrap();
    for (set, unset) in [
        ("method.name=rk4", &["method.resynchronise", "method.update"][..]),
        ("study.kind=modes", &["method"]),
        ("mechanism.body.a.solid.box=[1, 1, 1]", &["mechanism.body.0.solid.sphere"]),
        ("ensemble.vary.'a.position.x'.normal={mean=0, std=1}", &["ensemble.vary.\"a.position.x\".uniform"]),
    ] {
        let given = settings(&[set]);
        let problems = read_study_with(&file, &given).expect_err(set).to_string();
        for key in unset {
            let quoted = if key.contains('"') { format!("'{key}'") } else { key.to_string() };
            assert!(problems.contains(&format!("--unset {quoted} takes")), "{set}: {problems}");
        }
        let removed = unset.iter().map(|key| KeySetting::removal(key).unwrap());
        let all: Vec<KeySetting> = given.into_iter().chain(removed).collect();
        read_study_with(&file, &all).unwrap_or_else(|problems| panic!("{set}: {problems}"));
    }
    // Tables in which nothing is set, and slips of the file, are told as before.
    let plain =
        read_study_with(&file, &settings(&["method.name=rk4", "ensemble.size=3"])).unwrap_err().to_string();
    assert!(plain.contains("--unset method.update") && !plain.contains("--unset ensemble"), "{plain}");
    fs::write(&file, text.replace("update =", "updat =")).unwrap();
    let typed = read_study(&file).unwrap_err().to_string();
    assert!(typed.contains("updat") && !typed.contains("--unset"), "{typed}");
}

/// A study from which keys are taken is the study in which they are not written.
#[test]
fn a_key_is_taken_away_as_if_it_were_not_written() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    let text = "\
mechanism = \
{ body = [{ name = \"a\", mass = 1, inertia = [1, 1, 1] }, \
{ name = \"b\", mass = 2, inertia = [1, 1, 1] }], gravity = 9.81 }
method = { step = \"1 ms\", duration = \"1 s\" }
ensemble = { size = 4, vary = { \"a.mass\" = { uniform = { low = 1, high = 2 } } } }
outcome = [{ name = \"drop\", final = \"a.position.z\" }, { name = \"peak\", max = \"b.position.z\" }]
";
    for (key, was) in [
        ("mechanism.gravity", ", gravity = 9.81"),
        ("mechanism.body.b", ", { name = \"b\", mass = 2, inertia = [1, 1, 1] }"),
        ("ensemble.vary.\"a.mass\"", " \"a.mass\" = { uniform = { low = 1, high = 2 } } "),
        ("ensemble.vary", ", vary = { \"a.mass\" = { uniform = { low = 1, high = 2 } } }"),
        ("ensemble", "ensemble = { size = 4, vary = { \"a.mass\" = { uniform = { low = 1, high = 2 } } } }"),
        ("outcome.0", "{ name = \"drop\", final = \"a.position.z\" }, "),
        (
            "outcome",
            "outcome = [{ name = \"drop\", final = \"a.position.z\" }, \
             { name = \"peak\", max = \"b.position.z\" }]",
        ),
    ] {
        let text = match key {
            "mechanism.body.b" => text.replace(", { name = \"peak\", max = \"b.position.z\" }", ""),
            _ => text.to_string(),
        };
        fs::write(&file, &text).unwrap();
        let taken = read_study_with(&file, &[KeySetting::removal(key).unwrap()]);
        assert!(text.contains(was), "{was}");
        fs::write(&file, text.replacen(was, "", 1)).unwrap();
        let written = read_study(&file);
        assert_eq!(taken.map_err(|p| p.to_string()), written.map_err(|p| p.to_string()), "{key}");
    }
    // A key that is taken away may be given anew.
    fs::write(&file, text).unwrap();
    let (printed, _) = ends_with(
        0,
        &[
            "check",
            path(&file),
            "--unset",
            "ensemble.vary",
            "--set",
            "ensemble.vary.\"b.mass\"={list=[1, 2]}",
        ],
    );
    assert!(printed.contains("b.mass (kg)") && !printed.contains("a.mass (kg)"), "{printed}");
    for (key, found) in [
        (
            "method.stpe",
            "--unset: method.stpe: there is no such key to take away; did you mean `step`? (allowed: step, \
             duration)",
        ),
        (
            "ensemble.vary.a.mass",
            "--unset: ensemble.vary.a: `a.mass` is one name: give 'ensemble.vary.\"a.mass\"'",
        ),
        ("outcome.3", "--unset: outcome.3: the list has no entry \"3\" (allowed: drop, peak)"),
        ("method.step.unit", "--unset: method.step.unit: \"unit\" is no part of the text \"1 ms\""),
        ("mechanism.body.a.mass", "mass: is missing"),
        ("mechanism", "mechanism: is missing"),
        ("method..step", "`method..step` is no key"),
    ] {
        let (_, said) = ends_with(2, &["check", path(&file), "--unset", key]);
        assert!(said.contains(found), "{key}: {said}");
    }
}

/// Faults are of the setting, by its key, and not of a line of the file.
#[test]
fn wrong_settings_get_their_messages() {
    let mut said = String::new();
    for set in [
        "methd.step=1 ms",
        "method.stp=1 ms",
        "method.step=1 kg",
        "method.step.unit=3",
        "ensemble.size=many",
        "ensemble.vary.\"pole.mas\".uniform.low=1",
        "ensemble.vary.\"pole.mass\".uniform.low=9 kg",
        "outcome.travle.max=1",
        "outcome.7.max=1",
        "observe.channels.9=angle",
        "mechanism.body.pol.mass=3",
        "mechanism.body.pole.mass=-3",
        "mechanism.body.pole.mas=3",
        "mechanism=nowhere.toml",
    ] {
        let problems = read_study_with(&shipped("cart_pole"), &settings(&[set])).unwrap_err();
        let home = path(root()).to_owned() + "/";
        said += &format!("--set '{set}'\n{}\n\n", problems.to_string().replace(&home, ""));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn commands_take_settings() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let study = shipped("tumbling");
    let set =
        ["--set", "ensemble.size=70", "--set", "method.duration=1 s", "--set", "mechanism.body.mass=2 kg"];
    ends_with(
        0,
        &[&["run", path(&study), "--out", path(&out), "--backend", "cpu", "--quiet"], &set[..]].concat(),
    );
    let kept = read_study(&out.join("study.toml")).unwrap();
    assert_eq!((kept.ensemble.size, kept.mechanism.bodies[0].mass), (70, 2.0));
    let (printed, _) = ends_with(0, &[&["check", path(&study)], &set[..]].concat());
    assert!(printed.contains("\ninstances     70\n"), "{printed}");
    let (plain, _) = ends_with(0, &["kernel", path(&study)]);
    let (held, _) = ends_with(0, &["kernel", path(&study), "--set", "method.update=exponential"]);
    assert!(plain != held);
    let (_, said) = ends_with(2, &["run", path(&study), "--out", path(&out), "--set", "ensemble.sise=5"]);
    assert!(said.starts_with("error: --set: ensemble.sise: unknown key; did you mean `size`?"), "{said}");
    let (_, said) = ends_with(2, &["check", path(&study), "--set", "ensemble.size"]);
    assert!(said.contains("give KEY=VALUE"), "{said}");
}

/// Numbers of a treatment can be drawn in any study, though it is judged by a treatment without.
#[test]
fn numbers_of_treatments_can_be_drawn() {
    let home = TempDir::new().unwrap();
    let (file, out) = (home.path().join("study.toml"), home.path().join("out"));
    let mechanism = root().join("mechanisms/double_pendulum.toml");
    let text = format!(
        "mechanism = {mechanism:?}\n[method]\nname = \"staggered\"\nstep = \"1 ms\"\nduration = \"0.1 s\"\n\
         [constraints]\ntreatment = \"staggered\"\n[ensemble]\nsize = 4\n[ensemble.vary]\n\
         \"constraints.gamma\" = {{ list = [100, 200] }}\n[run]\nbackend = \"cpu\"\nprecision = \"f64\"\n"
    );
    fs::write(&file, text).unwrap();
    let (said, _) = ends_with(0, &["run", path(&file), "--out", path(&out)]);
    assert!(said.contains("accuracy: ") && !said.contains("NOT JUDGED"), "{said}");
}
