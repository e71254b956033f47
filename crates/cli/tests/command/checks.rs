//! Numbers that `polhode check` shows: what vibrates, which steps are stable, modes, units; and
//! that it ends.

use std::fs;
use std::path::PathBuf;

use crate::command::{Running, altered, ends_with, path, polhode};
use crate::common::root;
use polhode::describe::Study;
use polhode::ensemble::{Quantities, Sampler};
use polhode::model::small_vibrations::{SmallVibrations, Stops};
use polhode::study_file::kinds::stability_map::StabilityMap;
use polhode::study_file::{read_study, resolved_toml};
use tempfile::TempDir;

const METHOD: &str = "[method]\nname = \"staggered\"\nstep = \"10 ms\"\nsteps = 10\n";
const ONE: &str = "[ensemble]\nsize = 1\n";

/// A mass of 1 kg at `at` (m) on a hinge about the z axis, under weight along -y.
fn hinged(at: [f64; 3]) -> String {
    format!(
        "{METHOD}{ONE}[mechanism]\ngravity = [0, \"-9.81 m/s^2\", 0]\n\
         [[mechanism.body]]\nname = \"rod\"\nmass = 1\ninertia = [1e-6, 1e-6, 1e-6]\n\
         centre_of_mass = {at:?}\n\
         [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"rod\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n"
    )
}

fn written(home: &TempDir, text: &str) -> PathBuf {
    let file = home.path().join("study.toml");
    fs::write(&file, text).unwrap();
    file
}

fn study(text: &str) -> Study {
    let home = TempDir::new().unwrap();
    read_study(&written(&home, text)).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// Returns the line of `check` on stiffness; `None`: there is none.
fn stiffness(text: &str) -> Option<String> {
    let home = TempDir::new().unwrap();
    let (checked, _) = ends_with(0, &["check", path(&written(&home, text))]);
    checked.lines().find(|line| line.starts_with("stiffness ")).map(str::to_string)
}

/// Stops would be touched late or never: the start does not show them.
#[test]
fn stops_count_as_touched() {
    let stop = "[[mechanism.stop]]\nname = \"end\"\njoint = \"hinge\"\nlow = \"-30 deg\"\nhigh = \"30 deg\"\n\
                stiffness = 1e6\n";
    let sentence = stiffness(&(hinged([0.0, -1.0, 0.0]) + stop)).unwrap();
    assert!(sentence.contains("stops touched") && sentence.contains("stable up to 0.002 s"), "{sentence}");
    assert!(sentence.contains("the step of 0.01 s is above that"), "{sentence}");
}

/// `omega² = m g l / (J + m l²)` hanging; lying and upright it will be so, and is not yet.
#[test]
fn weight_draws_a_pendulum_back() {
    let omega = (9.81f64 / (1.0 + 1e-6)).sqrt();
    let longest = format!("stable up to {:.4} s", 2.0 / omega);
    let hanging = stiffness(&hinged([0.0, -1.0, 0.0])).unwrap();
    assert!(hanging.contains(&format!("up to {omega:.4} rad/s")) && hanging.contains(&longest), "{hanging}");
    for at in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        let sentence = stiffness(&hinged(at)).unwrap();
        assert!(
            sentence.contains("nothing vibrates about the start") && sentence.contains(&longest),
            "{sentence}"
        );
    }
    let weightless = hinged([0.0, -1.0, 0.0]).replace("\"-9.81 m/s^2\"", "0");
    assert_eq!(stiffness(&weightless), None);
}

/// Two masses on two rods of a metre, hanging: `omega² = g/l (2 ± sqrt 2)`, of which every term
/// comes from what the hinges bear.
#[test]
fn a_hanging_double_pendulum_has_its_frequencies() {
    let second = "[[mechanism.body]]\nname = \"lower\"\nmass = 1\ninertia = [1e-9, 1e-9, 1e-9]\n\
                  centre_of_mass = [0, -2, 0]\n\
                  [[mechanism.joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbodies = [\"rod\", \"lower\"]\n\
                  points = [[0, -1, 0], [0, -1, 0]]\naxes = [0, 0, 1]\n";
    let text = hinged([0.0, -1.0, 0.0]).replace("1e-6", "1e-9") + second;
    let study = study(&text);
    let quantities = Quantities::nominal(&study);
    let found =
        SmallVibrations::about_start(&study.mechanism, &quantities, &study.constraints, Stops::Touched)
            .unwrap();
    let expected = [-1.0, 1.0].map(|sign| (9.81 * (2.0 + sign * 2f64.sqrt())).sqrt());
    assert_eq!(found.frequencies.len(), 2, "{:?}", found.frequencies);
    for (omega, expected) in found.frequencies.iter().zip(expected) {
        assert!((omega / expected - 1.0).abs() < 1e-6, "{omega} {expected}");
    }
    // Weight from another side makes no shorter step.
    let hung = SmallVibrations::however_hung(&study.mechanism, &quantities, &study.constraints).unwrap();
    assert_eq!(hung, found);
}

/// A body that falls or is thrown vibrates nowhere, whatever its frame; what rounding leaves of a
/// spring between welded points is no frequency.
#[test]
fn noise_is_no_stiffness() {
    let spring = "[[mechanism.spring]]\nname = \"coil\"\nbodies = [\"ground\", \"rod\"]\n\
                  points = [[3, 1, 1], [0.2, 0.4, 0.5]]\nstiffness = 1000\nfree_length = 1.3\n";
    let welded =
        hinged([0.3, -1.0, 0.7]).replace("\"revolute\"", "\"fixed\"").replace("axes = [0, 0, 1]\n", "");
    assert_eq!(stiffness(&(welded.clone() + spring)), None);
    let unwound = spring.replace("stiffness = 1000", "stiffness = 0");
    let free = hinged([0.3, -1.0, 0.7]);
    let free = &free[..free.find("[[mechanism.joint]]").unwrap()];
    assert_eq!(stiffness(&(free.to_string() + &unwound)), None);
}

/// Under a penalty joints are springs, and the shortest step is theirs.
#[test]
fn joints_that_give_way_count() {
    let text = hinged([0.0, -1.0, 0.0])
        .replace("[mechanism]", "[constraints]\ntreatment = \"penalty\"\neps = 1e-6\n[mechanism]");
    let sentence = stiffness(&text).unwrap();
    let longest: f64 =
        sentence.split("stable up to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(longest < 3e-3, "{sentence}");
}

/// Numbers whose squares overflow end in a message or an invalid sample, and `check` and `run` end.
#[test]
fn numbers_that_overflow_end() {
    let spring = "[[mechanism.joint_spring]]\nname = \"coil\"\njoint = \"hinge\"\nstiffness = 1000\n";
    let base = hinged([0.0, 0.0, 0.0]).replace("1e-6", "1") + spring;
    let far = base
        .replace("name = \"rod\"\n", "name = \"rod\"\ninitial = { position = [1e156, 0, 0] }\n")
        .replace("points = [[0, 0, 0], [0, 0, 0]]", "points = [[0, 0, 0], [-1e156, 0, 0]]");
    let both = base.replace("points = [[0, 0, 0], [0, 0, 0]]", "points = [[1e200, 0, 0], [1e200, 0, 0]]");
    let drawn = base.replace(ONE, "").replace(
        "[mechanism]",
        "[ensemble.vary]\n\"rod.centre_of_mass.x\" = { list = [0.0, 1.0, 1e156, 1e160] }\n[mechanism]",
    );
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    for (text, code) in [(far, 2), (both, 2), (drawn, 0)] {
        let file = written(&home, &text);
        for arguments in [
            &["check", path(&file)][..],
            &["run", path(&file), "--out", path(&out), "--overwrite", "--quiet"],
        ] {
            let ended = Running::start(&mut polhode(arguments)).ends();
            let said = std::str::from_utf8(&ended.stderr).unwrap();
            assert_eq!(ended.status.code(), Some(code), "{said}\n{text}");
            assert!(code == 0 || said.contains("overflow"), "{said}");
            assert!(!said.contains("panicked"), "{said}");
        }
    }
}

/// Bending in y, twice, and in z: in the order of frequencies the third is the second.
#[test]
fn modes_are_listed_in_the_order_of_their_channels() {
    let text = format!(
        "{METHOD}{ONE}[mechanism]\n[[mechanism.body]]\nname = \"rod\"\n[mechanism.body.flexible]\n\
         beam = {{ length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = [4, 6], modes_y = 2, \
         modes_z = 1 }}\ndamping = [0.01, 0.02, 0.03]\n"
    );
    let home = TempDir::new().unwrap();
    let (checked, _) = ends_with(0, &["check", path(&written(&home, &text)), "--constants"]);
    let line = checked.lines().find(|line| line.contains("3 modes")).unwrap();
    let hertz = |k: usize, ratio: &str| -> f64 {
        let after = line.split(&format!("amplitude_{k} ")).nth(1).unwrap();
        assert!(after.split(')').next().unwrap().ends_with(&format!("damping ratio {ratio}")), "{line}");
        after.split(' ').next().unwrap().parse().unwrap()
    };
    let [first, second, across] = [hertz(0, "0.01"), hertz(1, "0.02"), hertz(2, "0.03")];
    assert!(first < across && across < second, "{line}");
    // Its stiffness is half as much again.
    assert!((across / first - 1.5f64.sqrt()).abs() < 1e-3, "{line}");
    assert!(!checked.contains("mode 1") && !checked.contains("modes couple"), "{checked}");
}

/// The table's columns have the units of the drawn constants, and the resolved study keeps the
/// constants and their units.
#[test]
fn drawn_constants_have_their_units() {
    let text = hinged([0.0, -1.0, 0.0]).replace(ONE, "").replace(
        "[mechanism]",
        "[ensemble]\nsize = 3\n[ensemble.vary]\n\
         \"constants.pull\" = { uniform = { low = \"1 N\", high = \"2 N\" } }\n\
         \"constants.speed\" = { uniform = { low = \"1 rpm\", high = \"2 rpm\" } }\n\
         \"constants.odd\" = { uniform = { low = 1, high = 2 } }\n\
         \"constants.bare\" = { uniform = { low = 1, high = 2 } }\n\
         [mechanism.constants]\npull = \"2 kN\"\nspeed = \"60 rpm\"\nodd = \"3 kg^2/m\"\nbare = 0.7\n\
         [mechanism]",
    );
    let study = study(&text);
    let units = |study: &Study| -> Vec<String> {
        Sampler::new(study).unwrap().columns().iter().map(|column| column.unit.to_string()).collect()
    };
    assert_eq!(units(&study), ["N", "rad/s", "kg^2/m", "1"]);
    let home = TempDir::new().unwrap();
    let again = read_study(&written(&home, &resolved_toml(&study))).unwrap();
    assert_eq!(
        (again.mechanism.constants.clone(), units(&again)),
        (study.mechanism.constants.clone(), units(&study))
    );
}

/// The study's own method is the first of what a map compares, unless it stands there.
#[test]
fn a_map_compares_with_its_own_method() {
    let map = |compare: &str| {
        let text = format!(
            "[study]\nkind = \"stability_map\"\ncompare = [{compare}]\n{METHOD}[ensemble.vary]\n\
             \"method.step\" = {{ linspace = {{ from = 0.1, to = 0.2, count = 2 }} }}\n\
             \"body.mass\" = {{ linspace = {{ from = 1, to = 2, count = 2 }} }}\n\
             [mechanism]\n[mechanism.body]\nname = \"body\"\nmass = 1\ninertia = [1, 2, 3]\n"
        );
        let study = study(&text);
        let map = study.kind.settings::<StabilityMap>().expect("a map");
        let methods: Vec<&str> = map.layers(&study).iter().map(|layer| layer.study.method.name).collect();
        (map.names(&study), methods)
    };
    let expected = |names: &[&str], methods: &[&'static str]| {
        (names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), methods.to_vec())
    };
    let rk4 = "{ name = \"RK\", method = { name = \"rk4\" } }";
    assert_eq!(map(rk4), expected(&["staggered", "RK"], &["staggered", "rk4"]));
    let own = format!("{rk4}, {{ name = \"Ours\", method = {{ name = \"staggered\" }} }}");
    assert_eq!(map(&own), expected(&["RK", "Ours"], &["rk4", "staggered"]));
    let taken = "{ name = \"staggered\", method = { name = \"rk4\" } }";
    assert_eq!(map(taken).1, ["staggered", "rk4"]);
    // The resolved study has it too, once.
    let shipped = root().join("studies/map_free_body.toml");
    let study = read_study(&shipped).unwrap();
    let map = study.kind.settings::<StabilityMap>().expect("a map");
    assert_eq!(map.compare.len(), 6);
}

/// A mode of 0.5 bends the rod beyond its own length, one of 1e-4 by a few thousandths.
#[test]
fn bodies_that_bend_too_far_are_counted() {
    let text = format!(
        "{METHOD}[ensemble.vary]\n\"rod.amplitude[0]\" = {{ list = [1e-4, 0.5, 1e-3] }}\n[mechanism]\n\
         [[mechanism.body]]\nname = \"rod\"\n[mechanism.body.flexible]\n\
         beam = {{ length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = 4, modes_y = 1 }}\n"
    );
    let text = text.replace("10 ms", "1 ms");
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let file = written(&home, &text);
    let (said, _) = ends_with(0, &["run", path(&file), "--out", path(&out)]);
    let warning = said.lines().find(|line| line.starts_with("warning: instances whose flexible bodies bend"));
    let warning = warning.unwrap_or_else(|| panic!("{said}"));
    assert!(warning.contains("size: 1, up to 1.") && warning.contains("of `rod` in instance 1"), "{warning}");
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!((&manifest["bent"]["instances"], &manifest["bent"]["instance"]), (&1.into(), &1.into()));
    assert!(
        fs::read_to_string(out.join("report.html")).unwrap().contains("Warning: instances whose flexible")
    );
    let small = written(&home, &text.replace("0.5, 1e-3", "1e-3, 1e-3"));
    let (said, _) = ends_with(0, &["run", path(&small), "--out", path(&out), "--overwrite"]);
    assert!(!said.contains("bend"), "{said}");
}

/// A block of 1 kg at the end of an element of 1 m whose EI is 4 N m² yields like a spring of
/// 12 N/m or more: at 3 m/s it bends it by much more than a tenth, at 0.1 and 0.2 m/s by less.
#[test]
fn beam_elements_that_bend_too_far_are_counted() {
    let text = format!(
        "{METHOD}[ensemble.vary]\n\"block.velocity\" = {{ list = [[0, 0.1, 0], [0, 3, 0]] }}\n[mechanism]\n\
         [[mechanism.body]]\nname = \"block\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
         [mechanism.body.initial]\nposition = [1, 0, 0]\n\
         [[mechanism.beam_element]]\nname = \"strut\"\nbodies = [\"ground\", \"block\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\nEA = 1e3\nGA = [1e3, 1e3]\nGJ = 4\nEI = [4, 4]\n"
    );
    let text = text.replace("step = \"10 ms\"\nsteps = 10\n", "step = \"1 ms\"\nsteps = 1000\n");
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let file = written(&home, &text);
    let (said, _) = ends_with(0, &["run", path(&file), "--out", path(&out)]);
    let warning = said.lines().find(|line| line.starts_with("warning: instances whose beam elements bend"));
    let warning = warning.unwrap_or_else(|| panic!("{said}"));
    assert!(warning.contains("size: 1, up to ") && warning.contains("of `strut` in instance 1"), "{warning}");
    let small = written(&home, &text.replace("[0, 3, 0]", "[0, 0.2, 0]"));
    let (said, _) = ends_with(0, &["run", path(&small), "--out", path(&out), "--overwrite"]);
    assert!(!said.contains("bend"), "{said}");
}

/// `check` times a trial: every part is named, and the parts make the whole.
#[test]
fn the_time_of_a_run_is_measured_in_parts() {
    let (checked, _) = ends_with(0, &["check", "studies/four_bar.toml"]);
    let line = checked.lines().find(|line| line.starts_with("time ")).unwrap_or_else(|| panic!("{checked}"));
    let number = |after: &str| -> f64 {
        let text = line.split(after).nth(1).unwrap_or_else(|| panic!("{line}"));
        text.trim_start().split([' ', ',']).next().unwrap().parse().unwrap()
    };
    let parts =
        ["reading and planning", "compiling", "sampling", "stepping", "observing", "judging", "writing"]
            .map(number);
    let total = number("about");
    assert!(parts.iter().all(|part| *part >= 0.0) && number("stepping") > 0.0, "{line}");
    assert!(number("judging") > 0.0, "{line}");
    // The total has three digits, each part two after the point.
    assert!((parts.iter().sum::<f64>() - total).abs() < 0.04 + 0.005 * total, "{line}");
}

/// The file from which a run of more instances goes on may be larger than all tables.
#[test]
fn room_for_the_state_of_a_run_is_counted() {
    let home = TempDir::new().unwrap();
    let (study, out) = (altered("pendulum_clock", home.path(), &[]), home.path().join("out"));
    let on_disk = |more: &[&str]| {
        let (checked, _) = ends_with(0, &[&["check", path(&study)], more].concat());
        checked.lines().find(|line| line.starts_with("on disk")).unwrap().to_string()
    };
    let told = on_disk(&[]);
    let state = told.split(" of tables and ").nth(1).and_then(|rest| rest.strip_suffix(" KiB of run.state"));
    let kib: f64 = state.unwrap_or_else(|| panic!("{told}")).parse().unwrap();
    ends_with(0, &["run", path(&study), "--out", path(&out)]);
    let written = std::fs::metadata(out.join("run.state")).unwrap().len() as f64 / 1024.0;
    assert!(written <= kib && written > 0.1 * kib, "{written} KiB: {told}");
    assert!(!on_disk(&["--set", "output.state=false"]).contains("run.state"));
}

/// A study that goes down a ladder of steps needs no other one.
#[test]
fn the_first_of_the_steps_of_a_question_stands_for_one_that_is_absent() {
    let (checked, _) = ends_with(0, &["check", "studies/work_precision.toml", "--unset", "method.step"]);
    assert!(checked.contains("50 of 0.2 s (10 s)"), "{checked}");
}

/// Memory is that of chunks, of which there are three at a time, however large the ensemble; a disk
/// without room is warned of.
#[test]
fn check_counts_memory_by_the_chunk_and_room_on_the_disk() {
    let home = TempDir::new().unwrap();
    let checked_by = |size: &str, keep: &str, chunk: &str| {
        let changes = [("ensemble.size", size), ("observe.keep", keep), ("run.chunk", chunk)];
        let study = altered("tumbling", home.path(), &changes);
        let out = home.path().join("far/away");
        let (printed, _) = ends_with(0, &["check", path(&study), "--backend", "cpu", "--out", path(&out)]);
        assert!(!out.parent().unwrap().exists());
        // The free body has an inertia that no rigid body has, of which another warning tells.
        let mut lines = printed.lines().filter(|line| !line.contains("no rigid body has the inertia"));
        let warning = lines.clone().find(|line| line.starts_with("warning")).map(str::to_string);
        (lines.find(|line| line.starts_with("memory")).unwrap().to_string(), warning)
    };
    let checked = |size: &str, keep: &str| checked_by(size, keep, "5000");
    let chunks = |memory: &str| {
        // Libraries in memory are others now and then.
        let from = memory.find(" pictures, ").unwrap();
        let to = memory.find(" of chunks under way, 5,000 instances each at most, ");
        memory[from..to.unwrap_or_else(|| panic!("{memory}"))].to_string()
    };
    let (small, warning) = checked("10_000", "0");
    assert!(small.ends_with(" 0.0 B of kept trajectories"), "{small}");
    assert_eq!(warning, None);
    // Beyond every disk and every memory: all trajectories of 10^9 instances.
    let (large, warning) = checked("1_000_000_000", "1_000_000_000");
    assert_eq!(chunks(&small), chunks(&large));
    assert!(large.ends_with(" TiB of kept trajectories"), "{large}");
    let warning = warning.unwrap();
    assert!(warning.contains("the tables may need") && warning.contains("far/away"), "{warning}");
    // A run takes no larger chunks than there is memory for, whatever it is given, and never more
    // than 2^21 instances.
    let (most, _) = checked_by("1_000_000_000", "0", "1_000_000_000");
    let (before, _) = most.split_once(" instances each at most").unwrap();
    let chunk: u64 = before.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap();
    assert!((1024..=1 << 21).contains(&chunk), "{most}");
}
