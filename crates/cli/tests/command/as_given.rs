//! Numbers are varied as the mechanism gives them: in its axes, about its point, and downwards
//! where gravity is a number.

use polhode::output::SavedTable;
use polhode::study_file::{read_study, read_study_text, resolved_toml};
use polhode::{Results, RunOptions};
use tempfile::TempDir;

use crate::common::tolerances::{SAME_MOTION, STEP_FIT};

fn run(vary: &str, mechanism: &str) -> Results {
    let study = format!(
        "[method]\nname = \"rk4\"\nstep = \"1 ms\"\nduration = \"0.5 s\"\n[observe]\n\
         channels = [\"angular_velocity\", \"position\"]\n\
         [ensemble]\nsize = 2\n{vary}[accuracy]\nbudget = 0\n[run]\nbackend = \"cpu\"\n"
    );
    let study = read_study_text("given", &study, mechanism).unwrap_or_else(|problems| panic!("{problems}"));
    polhode::run(&study, &RunOptions::new()).unwrap()
}

fn finals(results: &Results, column: &str) -> Vec<f64> {
    let home = TempDir::new().unwrap();
    let folder = results.write_to(home.path().join("out"), false).unwrap();
    SavedTable::open(&folder.join("instances.parquet")).unwrap().floats(&format!("final.{column}")).unwrap()
}

/// A body whose inertia is given in axes that are turned, and varied by the numbers that the file
/// has, is the body of the file.
#[test]
fn inertia_is_varied_in_the_axes_in_which_it_is_given() {
    let body = |axes: &str, inertia: &str| {
        format!("[body]\nmass = 2\ninertia = {inertia}\n{axes}initial.angular_velocity = [0.3, 1, -2]\n")
    };
    let quarter = "inertia_axes = { axis = [0, 0, 1], angle = \"90 deg\" }\n";
    let oblique = "inertia_axes = { euler = \"ZXZ\", angles = [0.4, 0.9, -0.2] }\n";
    let origin = "inertia_axes = { euler = \"ZXZ\", angles = [0.4, 0.9, -0.2] }\ninertia_about = \"origin\"\n\
                  centre_of_mass = [0.1, 0.2, 0.3]\n";
    for axes in [quarter, oblique, origin] {
        let plain = run("", &body(axes, "[2, 3, 4]"));
        // As whole moments, and one moment alone of a body whose own one is another.
        for (vary, own) in [
            ("vary.\"body.inertia\" = { list = [[2, 3, 4], [2.5, 3, 4]] }\n", "[2.2, 3.3, 4.4]"),
            ("vary.\"body.inertia.xx\" = { list = [2, 2.5] }\n", "[2.2, 3, 4]"),
        ] {
            let varied = run(vary, &body(axes, own));
            for component in ["x", "y", "z"] {
                let column = format!("body.angular_velocity.{component}");
                let (exact, found) = (finals(&plain, &column), finals(&varied, &column));
                assert!((exact[0] - found[0]).abs() < SAME_MOTION, "{axes}{vary}: {exact:?} {found:?}");
            }
        }
        // The judge agrees of the other instance, too.
        let varied =
            run("vary.\"body.inertia\" = { list = [[2, 3, 4], [2.5, 3, 4]] }\n", &body(axes, "[2, 3, 4]"));
        let other = run("", &body(axes, "[2.5, 3, 4]"));
        let column = "body.angular_velocity.y";
        assert!((finals(&varied, column)[1] - finals(&other, column)[0]).abs() < SAME_MOTION);
    }
    // A quarter turn about axis 3 changes the first two moments.
    let (turned, plain) = (run("", &body(quarter, "[2, 3, 4]")), run("", &body("", "[3, 2, 4]")));
    let column = "body.angular_velocity.x";
    assert!((finals(&turned, column)[0] - finals(&plain, column)[0]).abs() < SAME_MOTION);
}

#[test]
fn a_gravity_that_is_a_number_is_varied_as_a_number_downwards() {
    let body = |gravity: &str| format!("gravity = {gravity}\n[body]\nmass = 1\ninertia = [1, 1, 1]\n");
    for (vary, expected) in [
        ("vary.gravity = { list = [1.62, 9.81] }\n", [1.62, 9.81]),
        ("vary.gravity = { linspace = { from = 2, to = 4, count = 2 } }\n", [2.0, 4.0]),
        ("vary.gravity = { list = [[0, 0, -3], [0, 0, -5]] }\n", [3.0, 5.0]),
        ("vary.\"gravity.z\" = { list = [-3, -5] }\n", [3.0, 5.0]),
    ] {
        let results = run(vary, &body("9.81"));
        for (axis, share) in [("x", 0.0), ("y", 0.0), ("z", -0.125)] {
            let found = finals(&results, &format!("body.position.{axis}"));
            for (found, g) in found.iter().zip(expected) {
                assert!((found - share * g).abs() < SAME_MOTION, "{vary}{axis}: {found}");
            }
        }
    }
    // A result's study says the same.
    let home = TempDir::new().unwrap();
    for vary in [
        "normal = { std = 0.1 }",
        "uniform = { low = 1, high = 2 }",
        "list = [1, 2]",
        "mixture = [{ weight = 1, normal = { mean = 9, std = 1 } }, { weight = 2, uniform = { low = 1, \
         high = 2 } }]",
        "logspace = { from = 1, to = 2, count = 3 }",
    ] {
        let text = "[method]\nstep = \"1 ms\"\nduration = \"1 s\"\n[ensemble]\nsize = 6\n";
        let text = format!("{text}vary.gravity = {{ {vary} }}\n");
        let study = read_study_text("given", &text, &body("9.81")).unwrap();
        let file = home.path().join("study.toml");
        std::fs::write(&file, resolved_toml(&study)).unwrap();
        let read = read_study(&file).unwrap_or_else(|problems| panic!("{vary}: {problems}"));
        assert_eq!(read.ensemble.vary, study.ensemble.vary);
    }
    // Drawn numbers are downwards too, and an overlap is seen.
    let results =
        run("vary.gravity = { uniform = { low = 1, high = 2 } }\n", &body("[0, 0, \"-9.81 m/s^2\"]"));
    assert!(finals(&results, "body.position.x").iter().all(|x| *x == 0.0));
    assert!(finals(&results, "body.position.z").iter().all(|z| (-0.25..=-0.125).contains(z)));
    let both = "[method]\nstep = \"1 ms\"\nduration = \"1 s\"\n[ensemble]\n\
                vary = { gravity = { list = [1, 2] }, \"gravity.x\" = { list = [1, 2] } }\n";
    let problems = read_study_text("both", both, &body("9.81")).unwrap_err().to_string();
    assert!(problems.contains("varies what `gravity` varies already"), "{problems}");
}

/// Where polhode chooses the step, times that are given are whole numbers of the longest that it
/// may take: the time between checks too, which was rounded to it, and however seldom snapshots
/// are.
#[test]
fn times_that_are_given_bound_the_step_that_is_chosen() {
    let body = "gravity = 0\n[body]\nmass = 1\ninertia = [1, 1, 1]\n";
    let study = |checks: &str, snapshots: &str, duration: &str| {
        format!(
            "[method]\naccuracy = 1e-4\nduration = \"{duration}\"\n[observe]\nevery = \"{snapshots}\"\n\
             [[verdict]]\nname = \"far\"\nwhen = \"body.position.x > 1\"\nevery = \"{checks}\"\n"
        )
    };
    for (checks, snapshots, duration, step) in [
        ("1 ms", "0.1 s", "0.2 s", 1e-3),
        ("7 ms", "0.1 s", "0.2 s", 1e-3),
        ("1 ms", "5 s", "10 s", 1e-3),
        ("0.2 s", "0.1 s", "0.2 s", 0.1),
    ] {
        let text = study(checks, snapshots, duration);
        let study = read_study_text("given", &text, body).unwrap_or_else(|problems| panic!("{problems}"));
        let longest = study.method.step;
        assert!((longest / step - 1.0).abs() < STEP_FIT, "{checks} {snapshots}: {longest} s");
        let time = study.method.open.unwrap().checks.unwrap() / longest;
        assert!((time - study.verdict.every as f64).abs() < STEP_FIT, "{checks} {snapshots}: {time}");
    }
    let error = read_study_text("given", &study("0.1234567 s", "0.1 s", "0.2 s"), body).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("verdict[0].every: no step divides both \"0.1234567 s\" and"), "{error}");
    // A sampled signal and snapshots 5000 times as far apart.
    let sampled = format!("{body}[[signal]]\nname = \"s\"\nvalue = \"body.position.x\"\nevery = \"1 ms\"\n");
    let text = "[method]\naccuracy = 1e-4\nduration = \"10 s\"\n[observe]\nevery = \"5 s\"\n";
    let study = read_study_text("given", text, &sampled).unwrap_or_else(|problems| panic!("{problems}"));
    assert!((study.method.step / 1e-3 - 1.0).abs() < STEP_FIT, "{} s", study.method.step);
}
