//! Numbers that are hardly meant are told once each, in `check` and `run`, and what is meant is
//! told nothing of; and the line of `check` on the start.

use std::fs;

use polhode::study::plausible::warnings;
use polhode::study_file::{read_study, read_study_text};
use tempfile::TempDir;

use crate::command::{ends_with, path};
use crate::common::root;

const STUDY: &str = "[method]\nname = \"rk4\"\nstep = \"1 ms\"\nduration = \"10 ms\"\n";
const ARM: &str = "gravity = 9.81\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1e-3, 0.02, 0.02]\n\
                   [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
                   axes = [0, 1, 0]\n";
const STOP: &str = "[[stop]]\nname = \"stop\"\njoint = \"hinge\"\nlow = -1\nhigh = 1\nstiffness = 90\n";

fn warnings_of(study: &str, mechanism: &str) -> Vec<String> {
    let study = read_study_text("study", study, mechanism).unwrap_or_else(|problems| panic!("{problems}"));
    warnings(&study).unwrap()
}

#[test]
fn each_kind_of_slip_is_told_once_with_instance_and_number() {
    let points = "points = [[0, 0, 0], [-0.2, 0, 0]]\n";
    let arm = |rest: &str| format!("{ARM}{points}{rest}");
    let body = |inertia: &str| format!("[body]\nmass = 1\ninertia = {inertia}\n");
    let spring = "[[spring]]\nname = \"strut\"\nbodies = [\"ground\", \"arm\"]\n\
                  points = [[0, 0, 0], [-0.2, 0, 0]]\nstiffness = 10\nfree_length = 0.1\n";
    let vary = |what: &str| format!("{STUDY}[ensemble]\nvary.{what}\n");
    let cases: [(String, String, &[&str]); 15] = [
        (
            STUDY.into(),
            body("[1, 1, 1]")
                + "initial.position = [0.6, 0.8, 0]\n[[beam_element]]\nname = \"strip\"\n\
                   bodies = [\"ground\", \"body\"]\npoints = [[0, 0, 0], [0, 0, 0]]\nEA = 1e5\nGA = 1e5\n\
                   GJ = 1\nEI = [1, 100]\n",
            &["along y and z, and nothing says where y is: [0, 0, 1] in the axes of A"],
        ),
        (
            STUDY.into(),
            "gravity = -9.81\n".to_string() + &body("[1, 1, 1]"),
            &["gravity: -9.81 points upwards: a single number is downwards, [0, 0, -g]"],
        ),
        (STUDY.into(), body("[1, 1, 5]"), &["inertia of `body` in instance 0", "1, 1 and 5 kg m^2"]),
        (STUDY.into(), body("[0.001, 0.0835, 0.001]"), &["0.001, 0.001 and 0.0835"]),
        (
            vary("\"body.inertia\" = { list = [[2, 3, 4], [1, 2, 3], [1, 1, 7]] }"),
            body("[2, 3, 4]"),
            &["inertia of `body` in instance 2", "1, 1 and 7"],
        ),
        (STUDY.into(), arm("angle = 40\n"), &["joint[0].angle: 40 rad are 6.37 turns; write \"40 deg\""]),
        (
            STUDY.into(),
            body("[1, 1, 1]") + "initial.attitude = { axis = [0, 0, 1], angle = 90 }\n",
            &["attitude.angle: 90 rad are 14.3 turns"],
        ),
        (
            vary("\"hinge.angle\" = { normal = { mean = 0, std = 10 } }\nsize = 3"),
            arm("angle = 0\n"),
            &["normal.std: 10 rad are 1.59 turns"],
        ),
        (
            vary("\"hinge.angle\" = { list = [1, 30, 45, 60] }"),
            arm("angle = 0\n"),
            &["list[1]: 30 rad are 4.77 turns"],
        ),
        (
            format!("{STUDY}[observe]\nevery = \"1 s\"\n"),
            body("[1, 1, 1]"),
            &["observe.every: \"1 s\" is beyond the end of the run, 0.01 s"],
        ),
        (
            STUDY.into(),
            arm("angle = 0\n[[signal]]\nname = \"seen\"\nvalue = \"hinge.angle\"\nunit = \"rad\"\n\
                 every = \"20 ms\"\n"),
            &["`seen` is sampled every 0.02 s, which is beyond the end of the run"],
        ),
        (
            STUDY.into(),
            arm("[[spring]]\nname = \"far\"\nbodies = [\"ground\", \"arm\"]\n\
                 points = [[0, 0, 1], [100, 0, 0]]\nstiffness = 1\n\
                 [[point]]\nname = \"tip\"\nbody = \"arm\"\nat = [0.2, 0, 0]\n"),
            &["a point of `far` is 100 m from the origin of `arm`", "0.2 m or less"],
        ),
        (
            STUDY.into(),
            arm(spring),
            &["the points of the spring `strut` coincide at the start of instance 0"],
        ),
        (
            vary("\"hinge.angle\" = { list = [0.1, 0, 0.2] }"),
            arm("angle = 0\n[[line_actuator]]\nname = \"push\"\nbodies = [\"ground\", \"arm\"]\n\
                 points = [[0.4, 0, 0], [0.2, 0, 0]]\nforce = \"1\"\n"),
            &["the points of the line actuator `push` coincide at the start of instance 1"],
        ),
        (
            STUDY.into(),
            body("[1, 1, 1]") + "initial.attitude = [0.7071, 0.7071, 0, 0]\n",
            &["norm is 0.999990"],
        ),
    ];
    for (study, mechanism, parts) in &cases {
        let found = warnings_of(study, mechanism);
        assert_eq!(found.len(), 1, "{mechanism}: {found:?}");
        for part in *parts {
            assert!(found[0].contains(part), "{part}: {found:?}");
        }
    }
    // `check` and `run` say the same.
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    fs::write(&file, format!("{STUDY}[mechanism.body]\nmass = 1\ninertia = [1, 1, 5]\n")).unwrap();
    let (check, _) = ends_with(0, &["check", path(&file)]);
    let (_, run) = ends_with(0, &["run", path(&file), "--out", path(&home.path().join("out")), "--quiet"]);
    for said in [check, run] {
        assert_eq!(said.matches("no rigid body has the inertia of `body`").count(), 1, "{said}");
    }
}

/// A constant that another one follows from is used where that one is: by the function of a
/// coupling, and not by a constant that nothing uses.
#[test]
fn a_constant_is_used_where_one_that_follows_it_is() {
    let study = format!(
        "{STUDY}[ensemble]\nsize = 4\nvary.\"constants.k\" = {{ uniform = {{ low = 1, high = 2 }} }}\n"
    );
    let wheels = |coupling: &str| {
        let wheel = |name: &str, joint: &str| {
            format!(
                "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"{joint}\"\n\
                 kind = \"revolute\"\n\
                 bodies = [\"ground\", \"{name}\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
                 angle = 0\n"
            )
        };
        let (a, b) = (wheel("one", "a"), wheel("two", "b").replace("angle = 0\n", ""));
        format!(
            "constants = {{ k = 2, twice = \"2*k\" }}\n{a}{b}[[coupling]]\nname = \"gears\"\njoint = \"b\"\n\
             follows = \"a\"\n{coupling}"
        )
    };
    for used in ["k*x", "twice*x", "x + sin(twice*x)"] {
        let told = warnings_of(&study, &wheels(&format!("value = \"{used}\"\n")));
        assert!(told.is_empty(), "{used}: {told:?}");
    }
    let told = warnings_of(&study, &wheels("ratio = 2\n"));
    assert_eq!(told, ["nothing uses the constant `k`, which the study varies: it changes no motion"]);
    // A ratio is the same in all instances, and belongs to a coupling.
    let refused = read_study_text("study", &study, &wheels("ratio = \"k\"\n")).unwrap_err().to_string();
    assert!(refused.contains("the coupling `gears` uses it"), "{refused}");
}

/// A run that cannot even start says why, and does not advise a smaller step.
#[test]
fn a_force_without_direction_is_named_where_no_instance_moves() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    let strut = "[[spring]]\nname = \"strut\"\nbodies = [\"ground\", \"ball\"]\n\
                 points = [[0, 0, 0], [0, 0, 0]]\nstiffness = 10\nfree_length = 0.1\n";
    fs::write(
        home.path().join("mechanism.toml"),
        format!("[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n{strut}"),
    )
    .unwrap();
    fs::write(&file, format!("mechanism = \"mechanism.toml\"\n{STUDY}")).unwrap();
    let (_, said) = ends_with(3, &["run", path(&file), "--out", path(&home.path().join("out")), "--quiet"]);
    assert_eq!(
        said.matches("the points of the spring `strut` coincide at the start of instance 0").count(),
        2,
        "{said}"
    );
    assert!(said.contains("non_finite 1") && !said.contains("smaller step"), "{said}");
}

#[test]
fn what_is_meant_is_told_nothing_of() {
    let body = |inertia: &str| format!("[body]\nmass = 1\ninertia = {inertia}\n");
    for (study, mechanism) in [
        // A plate, and one of three digits; a rod without thickness.
        (STUDY.to_string(), body("[1, 2, 3]")),
        (STUDY.to_string(), body("[0.0833, 0.0833, 0.167]")),
        (STUDY.to_string(), body("[1e-9, 1, 1]")),
        // About the origin, where the mass centre is far away.
        (
            STUDY.to_string(),
            body("[101, 101, 1]") + "inertia_about = \"origin\"\ncentre_of_mass = [0, 0, 10]\n",
        ),
        // Angles with their unit, one whole turn, and intervals up to the end.
        (STUDY.to_string(), format!("{ARM}points = [[0, 0, 0], [0, 0, 0]]\nangle = \"2000 deg\"\n")),
        (STUDY.to_string(), format!("{ARM}points = [[0, 0, 0], [0, 0, 0]]\nangle = 6.283185307179586\n")),
        (format!("{STUDY}[observe]\nevery = 10\n"), body("[1, 1, 1]")),
        // A ball on a long thread, two lengths alone.
        (STUDY.to_string(), format!("{ARM}points = [[0, 0, 0], [50, 0, 0]]\n")),
    ] {
        assert_eq!(warnings_of(&study, &mechanism), [""; 0], "{mechanism}");
    }
    // The reports' free body has moments that no rigid body has: 1 + 5 < 10.
    let fictitious = [
        "tumbling",
        "hulbert_51",
        "hulbert_fig1",
        "hulbert_fig2",
        "hulbert_fig3",
        "hulbert_fig4",
        "map_free_body",
        "work_precision",
    ];
    for entry in fs::read_dir(root().join("studies")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
        let found = warnings(&study).unwrap();
        match fictitious.contains(&&*name) {
            true => {
                assert!(found.len() == 1 && found[0].contains("the inertia of `body`"), "{name}: {found:?}")
            }
            false => assert_eq!(found, [""; 0], "{name}"),
        }
    }
}

#[test]
fn check_has_a_line_on_the_start() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    for (mechanism, expected) in [
        // omega = sqrt(m g l / (J + m l²)) = 5.7184 rad/s.
        (
            format!("{ARM}points = [[0, 0, 0], [0, 0, 0.2]]\n"),
            "hangs at rest in an equilibrium: nothing moves it at t = 0; the lowest vibration about the \
             start has 5.718 rad/s (0.9101 Hz)",
        ),
        (
            format!("{ARM}points = [[0, 0, 0], [0, 0, -0.2]]\n"),
            "stands at rest in an unstable equilibrium: disturbances grow by e^(5.72 t)",
        ),
        // Stops that are not touched, which counted as touched: 28.8 rad/s.
        (
            format!("{ARM}points = [[0, 0, 0], [0, 0, 0.2]]\n{STOP}"),
            "hangs at rest in an equilibrium: nothing moves it at t = 0; the lowest vibration about the \
             start has 5.718 rad/s (0.9101 Hz)",
        ),
        (
            format!("{ARM}points = [[0, 0, 0], [0, 0, -0.2]]\n{STOP}"),
            "stands at rest in an unstable equilibrium: disturbances grow by e^(5.72 t)",
        ),
        (format!("{ARM}points = [[0, 0, 0], [0.2, 0, 0]]\n"), "at rest, and sets out at once"),
        (
            format!("{ARM}points = [[0, 0, 0], [0.2, 0, 0]]\n").replace("[0, 1, 0]", "[0, 0, 1]"),
            "at rest, and nothing moves it at t = 0",
        ),
        (format!("{ARM}points = [[0, 0, 0], [0, 0, 0]]\nangular_velocity = 1\n"), "in motion"),
        ("[body]\nmass = 1\ninertia = [1, 1, 1]\n".to_string(), "at rest, and nothing moves it at t = 0"),
    ] {
        fs::write(home.path().join("mechanism.toml"), mechanism).unwrap();
        fs::write(&file, format!("mechanism = \"mechanism.toml\"\n{STUDY}")).unwrap();
        let (said, _) = ends_with(0, &["check", path(&file)]);
        let line = said.lines().find(|line| line.starts_with("at t = 0")).unwrap();
        assert!(line["at t = 0".len()..].trim().starts_with(expected), "{said}");
    }
}
