//! Methods, treatments and steps that are chosen for an accuracy.

use crate::common::root;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use polhode::base::Precision;
use polhode::base::spread;
use polhode::describe::{RequestedAccuracy, Study};
use polhode::observe::Verdict;
use polhode::output::Word;
use polhode::study::RunError;
use polhode::study::accuracy::measure;
use polhode::study::choose_method::chosen;
use polhode::study::converged::{
    Budget, Converged, Course, Goal, Groundwork, advanced, converged, differences,
};
use polhode::study_file::{read_study_text, resolved_toml};

/// Below this standard error (SI units) instances do not differ: it is rounding.
const NO_SPREAD: f64 = 1e-9;

/// Largest bias, as a share of a standard error: a tenth is asked for, and 32 instances give the
/// standard error to an eighth.
const STATISTICAL: f64 = 0.13;

/// Two digits are told.
const TOLD: f64 = 0.06;

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// A shipped study with another table `[method]`, its joints held as is chosen, of so many
/// instances.
fn shipped(name: &str, method: &str, duration: &str, size: u64) -> Study {
    let root = root();
    let text = std::fs::read_to_string(root.join(format!("studies/{name}.toml"))).unwrap();
    let mut study: toml::Table = text.parse().unwrap();
    let mechanism = study["mechanism"].as_str().unwrap().to_string();
    let mechanism = std::fs::read_to_string(root.join("studies").join(mechanism)).unwrap();
    study.remove("constraints");
    study.insert(
        "method".into(),
        format!("duration = {duration:?}\n{method}").parse::<toml::Table>().unwrap().into(),
    );
    let ensemble = study["ensemble"].as_table_mut().unwrap();
    // Without a size it is as large as its grid.
    if ensemble.contains_key("size") {
        ensemble.insert("size".into(), (size as i64).into());
    }
    if let Some(observe) = study.get_mut("observe").and_then(toml::Value::as_table_mut) {
        observe.insert("keep".into(), 0.into());
    }
    // Files of modal data stand beside the mechanism.
    let beside = root.join("mechanisms").join(name);
    read_study_text(&beside.to_string_lossy(), &study.to_string(), &mechanism)
        .unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

/// The error that is told beside a step is that of this step: where it was shortened beyond the
/// pilot, both steps have their own.
#[test]
fn a_shortened_step_has_its_own_error() {
    let templates = root().join("crates/cli/src/templates");
    let study = polhode::study_file::read_study(&templates.join("study.toml")).unwrap();
    let sentences = chosen(&study, &never()).unwrap().told;
    let [first, shortened] = [0, 1].map(|k| sentences[k].as_str());
    assert!(first.contains("step 20 ms: error 2.") && first.contains("e-6 of 1e-5 asked"), "{sentences:?}");
    assert!(
        shortened.starts_with("method: shortened to 10 ms for instances beyond the pilot: error"),
        "{sentences:?}"
    );
}

/// Largest error of so many instances, as a share of the scales.
fn error(study: &Study, count: usize) -> f64 {
    let exact = exact(study, count, 1e-11, 100);
    largest(&course(study, &exact.course.instances), &exact)
}

/// The accurate solution to such a share of the scales, or as near as so many seconds allow, of
/// 2e10 operations each.
fn exact(study: &Study, count: usize, share: f64, seconds: u64) -> Converged {
    let instances = spread(study.ensemble.size, count as u64);
    let channels = &study.observe.channels;
    let budget = Budget { operations: 2e10 * seconds as f64, time: Duration::from_secs(10 * seconds) };
    converged(
        (study, &Groundwork::of(study).unwrap()),
        (&instances, &[]),
        channels,
        Goal::Share(share),
        &budget,
        &never(),
    )
    .unwrap()
    .unwrap()
}

fn course(study: &Study, instances: &[u64]) -> Course {
    let deadline = Instant::now() + Duration::from_secs(100);
    advanced(study, instances, &study.observe.channels, deadline, &never()).unwrap().unwrap()
}

/// Largest error of a course, as a share of the scales; infinite where an instance has stopped
/// alone.
fn largest(course: &Course, exact: &Converged) -> f64 {
    let off = differences(course, &exact.course);
    off.iter()
        .flat_map(|columns| columns.iter().zip(&exact.scales))
        .flat_map(|(column, scale)| column.iter().map(move |off| off / scale))
        .filter(|share| !share.is_nan())
        .fold(0.0, f64::max)
}

#[test]
fn the_accuracy_is_reached_by_instances_beyond_the_pilot() {
    for (name, duration) in
        [("spacecraft", "10 s"), ("four_bar", "0.5 s"), ("rolling_ball", "2 s"), ("tumbling", "5 s")]
    {
        for accuracy in [1e-3, 1e-6, 1e-9] {
            let mut study = shipped(name, &format!("accuracy = {accuracy:e}"), duration, 256);
            study.run.precision = Precision::F64;
            let found =
                chosen(&study, &never()).unwrap_or_else(|error| panic!("{name} {accuracy:e}: {error}"));
            let largest = error(&found.study, 256);
            assert!(largest <= accuracy, "{name} {accuracy:e}: {largest:e}; {}", found.told.join("; "));
            assert!(found.told[0].starts_with("method: "), "{}", found.told[0]);
        }
    }
}

/// A mass of 1 kg on a slide from `x0` at `v0`, on which `forces` act, of so many instances.
fn slide(forces: &str, vary: &str, accuracy: f64, end: f64, outcome: &str, size: u64) -> Study {
    let mechanism = format!(
        r#"
        [constants]
        x0 = 0.2
        v0 = 0
        f = 2
        [[body]]
        name = "m"
        mass = 1
        inertia = [1, 1, 1]
        [[joint]]
        name = "s"
        kind = "translational"
        bodies = ["ground", "m"]
        points = [[0, 0, 0], [0, 0, 0]]
        axes = [1, 0, 0]
        displacement = "x0"
        velocity = "v0"
        [[signal]]
        name = "v"
        value = "s.displacement_rate"
        {forces}"#
    );
    let study = format!(
        r#"
        title = "a slide"
        mechanism = "slide.toml"
        [method]
        duration = "{end} s"
        accuracy = {accuracy:e}
        [ensemble]
        size = {size}
        seed = 20
        [ensemble.vary]
        {vary}
        [[outcome]]
        name = "sought"
        {outcome}
        [observe]
        channels = ["s.displacement", "v", "sought"]
        every = "20 ms"
        keep = 0"#
    );
    read_study_text("slide", &study, &mechanism).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Few instances of hundreds graze a stop, or come to rest just inside a bound, and err ten times
/// more than all others.
#[test]
fn what_is_chosen_serves_the_instances_that_err_most() {
    let friction = r#"
        [[joint_spring]]
        name = "drive"
        joint = "s"
        actuator = "-40*s.displacement"
        [[joint_friction]]
        name = "dry"
        joint = "s"
        force = "f"
        rate = 0.02"#;
    let stops = r#"
        [[joint_spring]]
        name = "drive"
        joint = "s"
        actuator = "-5*s.displacement - 0.4*v + f*sin(6*t)"
        [[stop]]
        name = "lim"
        joint = "s"
        low = -0.3
        high = 0.3
        stiffness = 4e3"#;
    let uniform = |name: &str, low: f64, high: f64| {
        format!("\"constants.{name}\" = {{ uniform = {{ low = {low}, high = {high} }} }}\n")
    };
    let settled = r#"settled = "abs(s.displacement) < 0.02""#;
    let rate = "max = \"v\"\nunit = \"m/s\"";
    let rests = uniform("x0", 0.2, 0.5) + &uniform("f", 0.5, 2.0);
    let strikes = uniform("x0", -0.2, 0.2) + &uniform("v0", -1.0, 1.0) + &uniform("f", 4.0, 8.0);
    for (study, asked) in [
        (slide(friction, &rests, 1e-5, 4.0, settled, 500), 1e-5),
        (slide(stops, &strikes, 1e-6, 4.0, rate, 500), 1e-6),
    ] {
        let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{error}"));
        let sentences = found.told.join("; ");
        assert!(!sentences.contains("on others"), "{sentences}");
        let exact = exact(&found.study, 500, 0.1 * asked, 100);
        let largest = largest(&course(&found.study, &exact.course.instances), &exact);
        assert_eq!(exact.course.instances.len(), 500, "{sentences}");
        assert!(largest <= asked, "{largest:e}: {sentences}");
    }
}

/// All peaks of a motion without losses are as high: which of them is the highest is left to
/// rounding.
#[test]
fn times_of_peaks_that_are_alike_are_told_and_not_judged() {
    let relay = r#"
        [[joint_spring]]
        name = "drive"
        joint = "s"
        actuator = "-f*sign(s.displacement)""#;
    let vary = "\"constants.x0\" = { uniform = { low = 0.1, high = 1 } }";
    let study = slide(relay, vary, 1e-6, 8.0, "max = \"v\"\nunit = \"m/s\"", 200);
    let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{error}"));
    let accuracy = measure(&found.study, None, &never()).unwrap().accuracy;
    let said = accuracy.sentence();
    assert_eq!(accuracy.word.name(), "RESOLVED", "{said}");
    assert!(accuracy.alike > 0 && said.contains("a second peak is as high"), "{said}");
}

/// The bobs on springs of 100 N/m and more, up to so much, over 4 s.
fn bobs(high: &str, size: u64) -> Study {
    let root = root();
    let text = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let (study, mechanism) = (text("studies/stiffness_decades.toml"), text("mechanisms/bob_on_spring.toml"));
    let mut study: toml::Table = study.replace("1 MN/m", high).parse().unwrap();
    study.insert(
        "method".into(),
        "duration = \"4 s\"\naccuracy = 1e-9".parse::<toml::Table>().unwrap().into(),
    );
    study["ensemble"].as_table_mut().unwrap().insert("size".into(), (size as i64).into());
    // Channels that count own steps do not exist in a study that has no own steps yet.
    let observe = "channels = [\"bob.position\", \"length\"]\nevery = \"0.1 s\"\nkeep = 0";
    study.insert("observe".into(), observe.parse::<toml::Table>().unwrap().into());
    read_study_text("bob_on_spring", &study.to_string(), &mechanism)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn own_steps_are_chosen_where_stiffness_spans_decades_and_nowhere_else() {
    let tolerance = |study: &Study| polhode::methods::own_steps::tolerance(&study.method.options);
    let choice = |high, size| chosen(&bobs(high, size), &never()).unwrap();
    let found = choice("100 MN/m", 10_000);
    println!("{}", found.told.join("\n"));
    assert!(tolerance(&found.study).is_some(), "{}", found.told.join("; "));
    assert!(found.told[0].contains("steps of each instance's own"), "{}", found.told[0]);
    let largest = error(&found.study, 128);
    assert!(largest <= 1e-9, "{largest:e}");
    // The resolved study has the tolerance, and chooses nothing any more.
    let text = resolved_toml(&found.study);
    assert!(text.contains("tolerance = "), "{text}");
    // One group of lanes costs what its stiffest costs; and where all are alike, own steps gain
    // nothing.
    for (high, size) in [("100 MN/m", 64), ("120 N/m", 10_000)] {
        let found = choice(high, size);
        println!("{}", found.told.join("\n"));
        assert_eq!(tolerance(&found.study), None, "{}", found.told.join("; "));
    }
    let mut study = bobs("100 MN/m", 10_000);
    study.run.threads = Some(1);
    assert_eq!(chosen(&study, &never()).unwrap().study.method, found.study.method);
}

#[test]
fn a_choice_is_the_same_on_any_number_of_threads_and_is_kept_by_the_resolved_study() {
    let mut study = shipped("four_bar", "accuracy = 1e-6", "0.5 s", 100);
    let mut found: Vec<Study> = Vec::new();
    for threads in [1, 2] {
        study.run.threads = Some(threads);
        found.push(chosen(&study, &never()).unwrap().study);
    }
    assert_eq!(found[0].method, found[1].method);
    assert_eq!(found[0].constraints, found[1].constraints);
    assert_eq!(found[0].method.accuracy, Some(RequestedAccuracy::Error(1e-6)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    std::fs::write(&file, resolved_toml(&found[1])).unwrap();
    let again = polhode::study_file::read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    // The study that is read names its method itself.
    found[1].method.chosen = false;
    assert_eq!(again, found[1]);
    assert!(again.method.open.is_none());
    assert!(chosen(&again, &never()).unwrap().told.is_empty());
}

#[test]
fn parts_of_the_choice_can_be_given() {
    let named = shipped("four_bar", "name = \"rk4\"\naccuracy = 1e-6", "0.5 s", 100);
    let named = chosen(&named, &never()).unwrap().study;
    assert_eq!((named.method.name, named.constraints.treatment), ("rk4", "exact"));
    assert!(error(&named, 64) <= 1e-6);
    // A step without a name: the method of the least error, which no other has at this step.
    let stepped = shipped("four_bar", "step = \"5 ms\"", "0.5 s", 100);
    let stepped = chosen(&stepped, &never()).unwrap().study;
    assert_eq!(stepped.method.step, 0.005);
    let least = error(&stepped, 32);
    let mut other = stepped.clone();
    other.method.name = "rk4";
    assert!(least < error(&other, 32), "{least:e}");
    // Nothing: a ten-thousandth.
    let nothing = shipped("spacecraft", "", "10 s", 100);
    assert_eq!(nothing.method.accuracy, Some(RequestedAccuracy::STANDARD));
    assert!(error(&chosen(&nothing, &never()).unwrap().study, 100) <= 1e-4);
}

/// Settings of joints whose defaults follow the step do so on the pilot too.
#[test]
fn the_error_that_is_told_is_that_of_the_run() {
    for name in ["staggered", "rk4"] {
        let study = shipped("four_bar", &format!("name = {name:?}\naccuracy = 1e-3"), "0.5 s", 32);
        let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let stated = found.told[0].split("error ").nth(1).and_then(|rest| rest.split(' ').next());
        let stated: f64 = stated.unwrap().parse().unwrap();
        let measured = error(&found.study, 32);
        assert!((stated / measured - 1.0).abs() < TOLD, "{name}: {stated:e} is told, {measured:e} measured");
    }
}

#[test]
fn an_accuracy_beyond_single_precision_is_refused_with_numbers() {
    let mut study = shipped("four_bar", "accuracy = 1e-9", "0.5 s", 100);
    study.run.precision = Precision::F32;
    let refused = chosen(&study, &never()).err().unwrap().to_string();
    for words in ["not reached in f32", "the least error is", "precision = \"f64\""] {
        assert!(refused.contains(words), "{refused}");
    }
    // The error by name: (1.2e-6 rad of rocker.angle at 0.5 s in instance 7).
    let worst = refused.split_once(" (").and_then(|(_, rest)| rest.split_once(" in instance "));
    let (error, column) = worst.and_then(|(worst, _)| worst.split_once(" of ")).expect(&refused);
    let (column, _) = column.split_once(" at ").expect(&refused);
    let columns = polhode::observe::channels::columns(&study.mechanism, &study.observe.channels);
    let column = columns.iter().find(|known| known.name == column).expect(&refused);
    let value = error.strip_suffix(&*column.unit).expect(&refused).trim();
    assert!(value.parse::<f64>().is_ok_and(|value| value > 0.0), "{refused}");
}

/// An error that serves is not said to want shorter steps: the study of the tutorial, over 60 s.
#[test]
fn an_error_that_serves_wants_no_shorter_steps() {
    let text =
        |name: &str| std::fs::read_to_string(root().join("crates/cli/src/templates").join(name)).unwrap();
    let mut study: toml::Table = text("study.toml").parse().unwrap();
    study["method"]["duration"] = "60 s".into();
    let study = read_study_text("study", &study.to_string(), &text("mechanism.toml"));
    let told = chosen(&study.unwrap_or_else(|why| panic!("{why}")), &never()).unwrap().told;
    let shortened = told.iter().find(|line| line.contains("shortened")).expect("it is shortened");
    let error = shortened.split_once("error ").and_then(|(_, rest)| rest.split_once(" on ")).unwrap().0;
    assert!(error.parse::<f64>().unwrap() < 1e-5, "{shortened}");
    assert!(shortened.ends_with("on those that err most"), "{shortened}");
}

/// Pendulums fall from the top, and nobody knows when: how far they are known, 100 ms serve. By
/// them all joints open later, and shorter steps are chosen.
#[test]
fn what_is_chosen_keeps_instances_where_their_motion_is_not_known() {
    let study = r#"
        method = { accuracy = 1e-6, duration = "20 s" }
        ensemble = { size = 8, vary = { "b.damping" = { uniform = { low = 0.1, high = 1 } } } }
        observe = { keep = 0 }
    "#;
    let mechanism = r#"
        gravity = 9.81
        [[body]]
        name = "p"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [[joint]]
        name = "h"
        kind = "revolute"
        bodies = ["ground", "p"]
        points = [[0, 0, 0], [0, 0, 0.5]]
        axes = [0, 1, 0]
        angle = "180 deg"
        angular_velocity = 0
        [[joint_spring]]
        name = "b"
        joint = "h"
        damping = 0.3
    "#;
    let study = read_study_text("top", study, mechanism).unwrap_or_else(|why| panic!("{why}"));
    let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.told.iter().any(|line| line.contains("chosen by the motion up to")), "{:?}", found.told);
    let all: Vec<u64> = (0..8).collect();
    let ends = course(&found.study, &all).ends;
    assert!(ends.iter().all(|end| end.verdict == Verdict::Finished), "{:?}: {ends:?}", found.told);
}

/// A cart begins at its lock, with a speed: own steps end there. The refusal says so, and which
/// number is missing.
#[test]
fn a_refusal_names_what_no_method_has() {
    let study = r#"
        method = { accuracy = 1e-5, duration = "0.5 s" }
        ensemble = { size = 2, vary = { "x.velocity" = { list = [1, 2] } } }
        observe = { channels = ["x.displacement", "k.caught"], every = "100 ms" }
    "#;
    let mechanism = r#"
        [[body]]
        name = "cart"
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        [[joint]]
        name = "x"
        kind = "translational"
        bodies = ["ground", "cart"]
        points = [[0, 0, 0], [0, 0, 0]]
        axes = [1, 0, 0]
        velocity = 1
        [[lock]]
        name = "k"
        joint = "x"
        at = 0
    "#;
    let study = read_study_text("lock", study, mechanism).unwrap_or_else(|why| panic!("{why}"));
    let refused = chosen(&study, &never()).err().unwrap().to_string();
    assert!(refused.contains("that was tried keeps all instances whole"), "{refused}");
    assert!(refused.contains("instance 1 has no x.displacement at 0.1 s"), "{refused}");
}

#[test]
fn statistics_are_biased_by_less_than_a_tenth_of_their_standard_error() {
    let study = shipped("four_bar", "accuracy = \"statistical\"", "0.5 s", 1000);
    let statistical = chosen(&study, &never()).unwrap();
    assert!(statistical.told[0].contains("bias of the mean of "), "{}", statistical.told[0]);
    let accurate = shipped("four_bar", "accuracy = 1e-9", "0.5 s", 1000);
    let accurate = chosen(&accurate, &never()).unwrap().study;
    assert!(statistical.study.method.step > accurate.method.step);
    // All instances, by what was chosen and accurately.
    let all: Vec<u64> = (0..1000).collect();
    let course = |study: &Study| {
        let deadline = Instant::now() + Duration::from_secs(100);
        advanced(study, &all, &study.observe.channels, deadline, &never()).unwrap().unwrap()
    };
    let [coarse, exact] = [course(&statistical.study), course(&accurate)];
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (coarse, exact) in coarse.values.iter().zip(&exact.values) {
        for (coarse, exact) in coarse.iter().zip(exact) {
            let average = mean(exact);
            let squares: Vec<f64> = exact.iter().map(|x| (x - average).powi(2)).collect();
            let standard_error = (mean(&squares) / 1000.0).sqrt();
            if standard_error < NO_SPREAD {
                continue;
            }
            let bias = (mean(coarse) - average).abs();
            assert!(bias <= STATISTICAL * standard_error, "{bias:e} of {standard_error:e}");
        }
    }
}

/// The word is about the bias, not about single instances, and the bias is stored with its
/// interval.
#[test]
fn a_run_for_statistics_is_judged_by_its_bias() {
    let study = shipped("four_bar", "accuracy = \"statistical\"", "2 s", 2000);
    let mut study = chosen(&study, &never()).unwrap().study;
    let judged = |study: &Study| measure(study, None, &never()).unwrap().accuracy;
    let found = judged(&study);
    let said = found.sentence();
    let bias = found.bias.expect("a bias");
    assert_eq!(found.word.name(), "RESOLVED", "{said}");
    assert!(said.starts_with("Bias of the mean of "), "{said}");
    assert!(bias.ratio() <= 0.1 && bias.interval > 0.0 && bias.standard_error > 0.0, "{said}");
    assert!(found.largest.unwrap() > 1e-4, "{said}");
    // Longer steps of a method of lower order are biased.
    for number in [&mut study.method.steps, &mut study.observe.every] {
        *number = (*number / 3).max(1);
    }
    study.method.name = "staggered";
    study.constraints.treatment = "staggered";
    study.method.step = 2.0 / study.method.steps as f64;
    let coarse = judged(&study);
    assert_eq!(coarse.word.name(), "NOT RESOLVED", "{}", coarse.sentence());
    assert!(coarse.bias.unwrap().ratio() > 0.1);
}

/// The motion of an arm is known to far better than is asked, and when it has settled is not: a
/// method that is chosen by its motion alone errs by 1.2e-3 of that.
/// A planar loop in space, whose redundant rows share loads: neighbours whose bodies left the plane
/// would part by 1e-8 of the reactions, and 1e-9 was refused. The run never leaves it.
#[test]
fn neighbours_of_a_planar_loop_stay_in_its_plane() {
    let study = shipped("slider_crank", "accuracy = 1e-9", "0.04 s", 64);
    let study = chosen(&study, &never()).unwrap_or_else(|why| panic!("{why}")).study;
    assert!(error(&study, 64) < 1e-9);
}

/// 100 t swing about an axis that is askew; a torque across it is there for rounding alone, 1e-9
/// N m beside the 2e6 N m of its weight. Compared with its own range it was 66 % off, and every
/// accuracy was refused.
#[test]
fn what_rests_but_for_rounding_is_compared_with_what_moves() {
    let study = r#"
        title = "heavy"
        mechanism = "heavy.toml"
        method = { duration = "5 s", accuracy = 1e-6 }
        observe = { channels = ["j.angle", "j.torque"], every = "0.1 s" }
        [ensemble]
        size = 64
        [ensemble.vary]
        "j.angular_velocity" = { uniform = { low = 0.5, high = 1.5 } }"#;
    let torque_scale = |inertia: &str| {
        let mechanism = format!(
            r#"
            gravity = 9.81
            [[body]]
            name = "rod"
            mass = 1e5
            inertia = {inertia}
            centre_of_mass = [0, 0, -2]
            [[joint]]
            name = "j"
            kind = "revolute"
            bodies = ["ground", "rod"]
            points = [[0, 0, 0], [0, 0, 0]]
            axes = [[0.6, 0.8, 0], [0.6, 0.8, 0]]
            angular_velocity = 1"#
        );
        let study = read_study_text("heavy", study, &mechanism).unwrap_or_else(|why| panic!("{why}"));
        let study = chosen(&study, &never()).unwrap_or_else(|why| panic!("{why}")).study;
        let run = course(&study, &spread(64, 64));
        let measured = measure(&study, Some(run), &never()).unwrap().accuracy;
        assert_eq!(measured.word, Word::Resolved, "{measured:?}");
        let torque = measured.channels.iter().find(|channel| channel.column == "j.torque.x");
        torque.expect("a torque").scale
    };
    // A millionth of M L^2/T^2: T is the time in which it falls.
    let (rests, bears) = (torque_scale("[8000, 8000, 10000]"), torque_scale("[8000, 9000, 10000]"));
    assert!((0.1..10.0).contains(&rests) && bears > 1e3, "{rests} {bears}");
}

/// A body that turns about z, and what is looked for in its motion of 20 s.
fn turning(method: &str, asked: &str) -> Study {
    let study = format!(
        r#"
        title = "sun in the sensor"
        mechanism = "turning.toml"
        method = {{ duration = "20 s", {method} }}
        observe = {{ channels = ["angular_velocity"], every = "5 s" }}
        [ensemble]
        size = 100
        [ensemble.vary]
        "sat.angular_velocity.z" = {{ uniform = {{ low = 0.9, high = 1.2 }} }}
        {asked}"#
    );
    let mechanism = r#"
        [[body]]
        name = "sat"
        mass = 10
        inertia = [1, 1.2, 1.5]
        [body.initial]
        attitude = { axis = [0, 0, 1], angle = "60 deg" }
        angular_velocity = [0, 0, 1]
        [[signal]]
        name = "side"
        value = "abs(sat.angular_velocity.x)""#;
    read_study_text("turning", &study, mechanism).unwrap_or_else(|why| panic!("{why}"))
}

/// 0.02 deg are passed in 0.7 ms.
#[test]
fn an_outcome_that_is_not_known_is_not_left_out() {
    let outcome = "[[outcome]]\nname = \"seen\"\n\
                   first = \"tilt(sat.attitude, [1, 0, 0], [1, 0, 0]) < 0.02 deg\"";
    let found = chosen(&turning("accuracy = 1e-4", outcome), &never()).map(|found| found.told);
    assert!(matches!(found, Err(RunError::Unserved(_))), "{:?}", found.ok());
}

/// The motion itself is known over four steps of 5 s. What it passes in 0.2 s is looked for all the
/// same, at the same times by all methods.
#[test]
fn what_ends_instances_is_looked_for_often() {
    let ends = "[[verdict]]\nname = \"blinded\"\nwhen = \"tilt(sat.attitude, [1, 0, 0], [1, 0, 0]) < 5 deg\"";
    let study =
        chosen(&turning("accuracy = 1e-4", ends), &never()).unwrap_or_else(|why| panic!("{why}")).study;
    let between = study.verdict.every as f64 * study.method.step;
    assert!((between - 0.02).abs() < 1e-9, "{between} s");
    let ended = course(&study, &spread(100, 100)).ends;
    assert!(ended.iter().all(|end| matches!(end.verdict, Verdict::Condition(0))), "{ended:?}");
    let given = "name = \"rk4\", step = \"10 ms\"";
    assert_eq!(turning(given, ends).verdict.every, 1);
    assert_eq!(turning(given, &format!("{ends}\nevery = 30")).verdict.every, 30);
    assert_eq!(turning(given, &format!("{ends}\nat_end = true")).verdict.every, 100);
}

/// A signal that nothing follows may have a kink.
#[test]
fn only_what_acts_bends_forces() {
    assert!(!turning("accuracy = 1e-4", "").mechanism.bends());
}

/// Loads that jump between two of the longest steps hold up no method: steps end where they jump.
#[test]
fn steps_end_where_loads_jump() {
    let study = shipped("hulbert_51", "accuracy = 1e-6", "5 s", 1);
    let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{error}"));
    let h = found.study.method.step;
    let jump = 1.99 / h;
    assert!((jump - jump.round()).abs() < 1e-6, "{h}");
    assert!(error(&found.study, 1) <= 1e-6, "{}", found.told.join("; "));
}

#[test]
fn an_interrupted_choice_says_that_it_was_interrupted() {
    let study = shipped("four_bar", "accuracy = 1e-6", "0.5 s", 100);
    let ended = chosen(&study, &AtomicBool::new(true)).err();
    assert!(matches!(ended, Some(RunError::Interrupted)), "{ended:?}");
}

/// The clock does not bound the accurate solution of a choice: it is the same however slow the
/// machine is.
#[test]
fn an_accurate_solution_bounded_by_operations_is_always_the_same() {
    let study = shipped("four_bar", "accuracy = 1e-6", "0.5 s", 100);
    let instances = spread(100, 8);
    let within = |operations: f64| {
        let budget = Budget { operations, time: Duration::from_secs(100) };
        let channels = &study.observe.channels;
        converged(
            (&study, &Groundwork::of(&study).unwrap()),
            (&instances, &[]),
            channels,
            Goal::Share(1e-12),
            &budget,
            &never(),
        )
        .unwrap()
    };
    assert!(within(1e4).is_none());
    let [coarse, fine] = [3e7, 1e9].map(|operations| within(operations).unwrap());
    assert!(coarse.largest_share() > 10.0 * fine.largest_share(), "{} {}", coarse.how, fine.how);
    assert_eq!(within(3e7).unwrap().how, coarse.how);
}

/// Shipped studies whose motion is smooth, but for loads that jump at known times.
const SMOOTH: [&str; 29] = [
    "spacecraft",
    "tumbling",
    "hulbert_51",
    "hulbert_52",
    "vibration",
    "triangle",
    "triangle_levels",
    "spinning_beam",
    "pendulum_rigid",
    "pendulum_flexible",
    "flexible_pendulum",
    "four_bar",
    "four_bar_spatial",
    "bricard",
    "slider_crank",
    "slider_crank_elastic",
    "furuta_pendulum",
    "rolling_ball",
    "rolling_ball_offset",
    "crane",
    "crane_driven",
    "crane_joints_rigid",
    "crane_modal",
    "crane_joints_modal",
    "crane_joints_beams",
    "crane_flexible",
    "boom",
    "rubber_hinge",
    "double_pendulum",
];

/// Those that a choice is compared with; `bdf`, where it is chosen, with itself: no explicit method
/// reaches the accuracy in the time.
const BY_HAND: [&str; 5] = ["staggered", "rk4", "tsit5", "dop853", "bdf"];

/// Time that the steps of all instances take on one thread (s), the least of several, and the
/// largest error.
fn measured(study: &Study, exact: &Converged) -> (f64, f64) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let run = || one.install(|| course(study, &exact.course.instances));
    let first = run();
    let time = |course: &Course| course.stepping.as_secs_f64();
    // Other work on the machine makes short runs look long.
    let often = ((0.4 / time(&first)) as usize).clamp(2, 12);
    let least = (0..often).map(|_| time(&run())).fold(time(&first), f64::min);
    (least, largest(&first, exact))
}

/// A method picked by hand: its step, and the time it takes.
struct Picked {
    name: &'static str,
    step: f64,
    time: f64,
}

/// The longest step of a method that reaches the accuracy on all instances: from the step that is
/// chosen for it on, some hundredths longer each time.
fn by_hand(named: &Study, accuracy: f64, exact: &Converged) -> Option<Picked> {
    let mut best = None;
    let mut own = named.clone();
    for _ in 0..6 {
        let (time, error) = measured(&own, exact);
        if error > accuracy {
            break;
        }
        best = Some(Picked { name: own.method.name, step: own.method.step, time });
        let parts = own.observe.every;
        let fewer = ((0.94 * parts as f64).ceil() as u64).min(parts - 1);
        if fewer == 0 || own.method.name == "bdf" {
            break;
        }
        own.method.step *= parts as f64 / fewer as f64;
        own.method.steps = own.method.steps / parts * fewer;
        own.observe.every = fewer;
    }
    best
}

/// The table of docs/accuracy.md: `STUDIES="boom crane"` leaves it at these.
#[test]
#[ignore = "an hour; cargo test --release --test choose_method -- --ignored --nocapture \
            the_accuracy_is_reached_on"]
fn the_accuracy_is_reached_on_all_smooth_mechanisms() {
    let wanted = std::env::var("STUDIES").unwrap_or_default();
    let mut missed: Vec<String> = Vec::new();
    println!(
        "| study | accuracy | chosen | step (s) | error on the pilot | largest error | choosing (s) | run \
         (s) | best by hand | its run (s) | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for name in SMOOTH.into_iter().filter(|name| wanted.is_empty() || wanted.split(' ').any(|w| w == *name)) {
        let root = root();
        let text = std::fs::read_to_string(root.join(format!("studies/{name}.toml"))).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let duration = table["method"]["duration"].as_str().unwrap();
        let study = |method: String| {
            let mut study = shipped(name, &method, duration, 256);
            study.run.precision = Precision::F64;
            study
        };
        let mut truth: Option<Converged> = None;
        for accuracy in [1e-3, 1e-6, 1e-9] {
            let method = format!("accuracy = {accuracy:e}");
            let begun = Instant::now();
            let found = match chosen(&study(method.clone()), &never()) {
                Ok(found) => found,
                Err(error) => {
                    println!("| {name} | {accuracy:e} | {error} | | | | | | | | |");
                    missed.push(format!("{name} {accuracy:e}"));
                    continue;
                }
            };
            let choosing = begun.elapsed().as_secs_f64();
            // By a method that is stiff where that was chosen.
            let truth = truth.get_or_insert_with(|| exact(&found.study, 256, 5e-11, 20));
            let (time, error) = measured(&found.study, truth);
            let mut hands = Vec::new();
            let is_adaptive = found.study.method.name == "bdf";
            for hand in BY_HAND.into_iter().filter(|hand| is_adaptive == (*hand == "bdf")) {
                if let Ok(named) = chosen(&study(format!("name = {hand:?}\n{method}")), &never()) {
                    hands.extend(by_hand(&named.study, accuracy, truth));
                }
            }
            let best = hands.into_iter().min_by(|a, b| a.time.total_cmp(&b.time));
            let stated = found.told[0].split("error ").nth(1).and_then(|rest| rest.split(' ').next());
            let Study { method, .. } = &found.study;
            let ratio = best.as_ref().map_or(f64::NAN, |best| time / best.time);
            let by_hand = best.map_or("none| ".to_string(), |best| {
                format!("{}, {:.4e} | {:.4}", best.name, best.step, best.time)
            });
            println!(
                "| {name} | {accuracy:e} | {} | {:.4e} | {} | {error:.1e} | {choosing:.1} | {time:.4} | \
                 {by_hand} | {ratio:.2} |",
                method.name,
                method.step,
                stated.unwrap_or_default(),
            );
            found.told.iter().skip(1).for_each(|line| println!("<!-- {line} -->"));
            if error > accuracy {
                let own = truth.largest_share();
                println!("<!-- own error of the accurate solution: {own:.1e} -->");
                missed.push(format!("{name} {accuracy:e}: {error:.1e}"));
            }
        }
    }
    println!("not reached: {missed:#?}");
}
