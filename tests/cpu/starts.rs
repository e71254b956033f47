//! Starts: what is given is kept, what is not given is free, and what contradicts itself is refused
//! by name.

use crate::common::engine::{Outcome, Ready};
use crate::common::root;
use crate::common::tolerances::{ASSEMBLED_ALIKE, KEPT_EXACTLY, RATES_OF_THE_FOUR_BAR};
use polhode::backend::End;
use polhode::base::Precision;
use polhode::describe::{Channel, Owner, Study};
use polhode::ensemble::Quantities;
use polhode::model::Model;
use polhode::model::assemble::Change;
use polhode::observe::{Verdict, channels};
use polhode::reference::methods::{self, Schedule};
use polhode::study::plan::plan;
use polhode::study::replay::to_reference;
use polhode::study_file::{read_study, read_study_text, start_problems};

/// A study of a mechanism that takes two steps.
fn study(vary: &str, mechanism: &str) -> Study {
    let text = format!(
        "method = {{ name = \"staggered\", step = 1e-4, steps = 2 }}\nensemble.size = 20\n[ensemble.vary]\n\
         {vary}\n[run]\nfused = false\n[mechanism]\n{mechanism}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, &text).expect("written");
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The four-bar linkage of `mechanisms/four_bar.toml`; `crank`, `coupler` and `rocker`: what each
/// gives of its start besides position and attitude, which are those of the file to four digits.
fn four_bar(crank: &str, coupler: &str, rocker: &str) -> String {
    let body = |name: &str, length: f64, position: &str, angle: &str, more: &str| {
        let (mass, across) = (length, length.powi(3) / 12.0);
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!(
            "[[mechanism.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [{:e}, {across:e}, {across:e}]\n\
             initial = {{ position = {position}, attitude = {{ axis = [0, 1, 0], \
             angle = \"{angle} deg\" }}{more} }}\n",
            1e-4 * length
        )
    };
    let joint = |name: &str, bodies: [&str; 2], points: [f64; 2]| {
        format!(
            "[[mechanism.joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = [\"{}\", \"{}\"]\n\
             axes = [0, 1, 0]\npoints = [[{:?}, 0, 0], [{:?}, 0, 0]]\n",
            bodies[0], bodies[1], points[0], points[1]
        )
    };
    [
        body("crank", 0.3, "[0.075, 0, 0.1299]", "-60", crank),
        body("coupler", 0.9, "[0.5135, 0, 0.5251]", "-36.13", coupler),
        body("rocker", 0.8, "[0.9385, 0, 0.3952]", "-98.85", rocker),
        joint("crankshaft", ["ground", "crank"], [0.0, -0.15]),
        joint("crankpin", ["crank", "coupler"], [0.15, -0.45]),
        joint("wrist", ["coupler", "rocker"], [0.45, 0.4]),
        joint("pivot", ["ground", "rocker"], [1.0, -0.4]),
    ]
    .concat()
}

/// Angular velocities about space axis y of all bodies at the start of instance i.
fn spins(ready: &Ready, i: usize) -> Vec<f64> {
    let batch = ready.batch(0, ready.size());
    let state: Vec<f64> = batch.states.iter().map(|plane| plane[i]).collect();
    ready.plan.model.motions(&state).iter().map(|motion| motion.w[1]).collect()
}

fn change(study: &Study) -> Change {
    let plan = plan(study).expect("it can be assembled");
    let mut parameters = vec![0.0; plan.model.parameters()];
    let mut start = plan.model.place(&Quantities::nominal(study), &mut parameters).expect("bodies");
    plan.model.assembled(&mut start, &|p| parameters[p]).expect("it can be assembled")
}

/// The reference assembles by itself, and comes to the same start: seen after two steps.
fn same_in_the_reference(study: Study) {
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(Precision::F64, 1);
    let rows = ready.observe(&outcome, &[channels::POSITION, channels::VELOCITY, channels::ANGULAR_VELOCITY]);
    let (method, mechanism) = (&ready.study.method, &ready.study.mechanism);
    for (i, row) in rows.iter().enumerate() {
        let mut drawn = vec![f64::NAN; ready.sampler.width()];
        ready.sampler.draw(i as u64, &mut drawn);
        let mut quantities = Quantities::nominal(&ready.study);
        ready.sampler.apply(&drawn, &mut quantities);
        let schedule = Schedule { h: method.step, steps: 2, resynchronise: method.resynchronise, every: 2 };
        let (mechanism, instance) = to_reference(mechanism, quantities).expect("a mechanism");
        let constraints = &ready.study.constraints;
        let run = methods::run(method.name, &method.options, constraints, &mechanism, &instance, schedule);
        let last = run.expect("the reference takes it").states.pop().expect("a state");
        let positions = last.bodies.iter().flat_map(|body| body.position);
        let velocities = last.bodies.iter().flat_map(|body| body.velocity);
        let spins = last.bodies.iter().flat_map(|body| body.angular_velocity);
        for (found, expected) in row.iter().zip(positions.chain(velocities).chain(spins)) {
            let same = (found - expected).abs() < ASSEMBLED_ALIKE * expected.abs().max(1.0);
            assert!(same, "{i}: {found} {expected}");
        }
    }
}

/// The rates of coupler and rocker (rad/s) while the crank turns at -6 rad/s: those of
/// `mechanisms/four_bar.toml`.
const LOOP: [f64; 3] = [-6.0, 1.411_592_515_108, -1.024_401_313_716];

#[test]
fn a_crank_that_is_given_its_rate_moves_the_loop() {
    let text = four_bar("angular_velocity = [0, -6, 0]", "", "");
    let study = study("", &text);
    let ready = Ready::new(study.clone());
    let found = spins(&ready, 0);
    println!("{found:?}");
    assert!((found[0] - LOOP[0]).abs() < KEPT_EXACTLY, "{found:?}");
    for (found, expected) in found.iter().zip(LOOP) {
        assert!((found - expected).abs() < RATES_OF_THE_FOUR_BAR, "{found} {expected}");
    }
    let change = change(&study);
    // The positions were given to four digits, the rate is met.
    assert!(change.given.displacement > 1e-6 && change.given.displacement < 1e-3, "{change:?}");
    assert!(change.given.angular_velocity < KEPT_EXACTLY, "{change:?}");
    same_in_the_reference(study);
}

#[test]
fn a_rate_that_is_drawn_is_kept_and_moves_the_loop() {
    let text = four_bar("angular_velocity = [0, -6, 0]", "", "");
    let vary = "\"crank.angular_velocity.y\" = { uniform = { low = -12, high = 12 } }";
    let study = study(vary, &text);
    let ready = Ready::new(study.clone());
    for i in 0..ready.size() {
        let mut drawn = vec![f64::NAN; ready.sampler.width()];
        ready.sampler.draw(i as u64, &mut drawn);
        let found = spins(&ready, i);
        for (found, of_loop) in found.iter().zip(LOOP) {
            let expected = drawn[0] * of_loop / LOOP[0];
            assert!((found - expected).abs() < 2.0 * RATES_OF_THE_FOUR_BAR, "{i}: {found} {expected}");
        }
    }
    same_in_the_reference(study);
}

/// The crank's angle is drawn and kept; the other bodies say only roughly where they are.
#[test]
fn a_guess_moves_and_a_drawn_angle_stays() {
    let text = four_bar("", "approximate = true", "approximate = true")
        .replace("position = [0.075, 0, 0.1299], attitude = { axis = [0, 1, 0], angle = \"-60 deg\" } ", "")
        .replace("[-0.15, 0, 0]]\n", "[-0.15, 0, 0]]\nangle = \"-60 deg\"\nangular_velocity = -6\n");
    let study = study("\"crankshaft.angle\" = { normal = { std = \"8 deg\" } }", &text);
    let ready = Ready::new(study.clone());
    let batch = ready.batch(0, ready.size());
    assert!(batch.verdicts.iter().all(|verdict| *verdict == Verdict::Finished));
    let outcome = ready.on_cpu(Precision::F64, 1);
    let start = crate::common::engine::Outcome { states: batch.states, ends: outcome.ends };
    let angles = ready.observe(&start, &[channels::ANGLE]);
    let rates = ready.observe(&start, &[channels::ANGLE_RATE]);
    for i in 0..ready.size() {
        let mut drawn = vec![f64::NAN; ready.sampler.width()];
        ready.sampler.draw(i as u64, &mut drawn);
        assert!((angles[i][0] - drawn[0]).abs() < KEPT_EXACTLY, "{i}: {} {}", angles[i][0], drawn[0]);
        assert!((rates[i][0] + 6.0).abs() < KEPT_EXACTLY, "{i}: {}", rates[i][0]);
        // The elbow stays on its side.
        assert!((0.0..1.5).contains(&angles[i][1]), "{i}: {:?}", angles[i]);
    }
    same_in_the_reference(study);
}

/// A body on a fixed joint, one on a ball joint and one on a universal joint are where these put
/// them, and what comes after them as well.
#[test]
fn joints_without_coordinates_place_their_bodies() {
    let body = |name: &str, initial: &str| {
        format!(
            "[[mechanism.body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.01, 0.09, 0.09]\n\
             initial = {{ {initial} }}\n"
        )
    };
    let joint = |name: &str, kind: &str, bodies: [&str; 2], more: &str| {
        let at = if bodies[0] == "ground" { 0.0 } else { 0.5 };
        format!(
            "[[mechanism.joint]]\nname = \"{name}\"\nkind = \"{kind}\"\nbodies = [\"{}\", \"{}\"]\n\
             points = [[{at:?}, 0, 0], [-0.5, 0, 0]]\n{more}\n",
            bodies[0], bodies[1]
        )
    };
    let hinge = |angle: &str| format!("axes = [0, 1, 0]\nangle = \"{angle} deg\"");
    let turned = "attitude = { axis = [0, 1, 0], angle = \"30 deg\" }";
    let text = [
        body("upper", ""),
        body("sleeve", ""),
        body("fore", ""),
        body("rod", turned),
        body("fork", turned),
        joint("shoulder", "revolute", ["ground", "upper"], &hinge("30")),
        joint("clamp", "fixed", ["upper", "sleeve"], ""),
        joint("elbow", "revolute", ["sleeve", "fore"], &hinge("60")),
        joint("ball", "spherical", ["fore", "rod"], ""),
        joint("cross", "universal", ["rod", "fork"], "axes = [[0, 1, 0], [0, 0, 1]]"),
    ]
    .concat();
    let study = study("\"shoulder.angle\" = { normal = { std = \"20 deg\" } }", &text);
    // Nothing is left to assemble.
    let all = change(&study).all;
    assert!(all.displacement < KEPT_EXACTLY && all.rotation < KEPT_EXACTLY, "{all:?}");
    let ready = Ready::new(study.clone());
    let outcome = ready.on_cpu(Precision::F64, 1);
    let start =
        crate::common::engine::Outcome { states: ready.batch(0, ready.size()).states, ends: outcome.ends };
    for (i, angles) in ready.observe(&start, &[channels::ANGLE]).iter().enumerate() {
        assert!((angles[1] - 60f64.to_radians()).abs() < KEPT_EXACTLY, "{i}: {angles:?}");
    }
    // A link of 1 m at 30 degrees and one on the same line; the fore arm at 90 degrees, down; the
    // rod at 30 degrees.
    let tilted = [30f64.to_radians().cos(), -30f64.to_radians().sin()];
    let ends = [2.0 * tilted[0], 2.0 * tilted[1] - 1.0];
    let quantities = Quantities::nominal(&study).placed(&study.mechanism);
    let rod = quantities[3].position;
    let expected = [ends[0] + 0.5 * tilted[0], 0.0, ends[1] + 0.5 * tilted[1]];
    for (found, expected) in rod.iter().zip(expected) {
        assert!((found - expected).abs() < KEPT_EXACTLY, "{rod:?}");
    }
    same_in_the_reference(study);
}

#[test]
fn what_is_given_against_the_joints_is_refused_by_both_names() {
    let refused = |text: &str, names: [&str; 3]| {
        let study = study("", text);
        let error = plan(&study).expect_err("it contradicts itself");
        let message = Model::explain(&study.mechanism, error);
        println!("{message}");
        assert!(message.contains("cannot be assembled as given"), "{message}");
        assert!(names.iter().all(|name| message.contains(name)), "{names:?}: {message}");
    };
    // Two rates of a loop that has one freedom.
    let both = four_bar("angular_velocity = [0, -6, 0]", "", "angular_velocity = [0, 3, 0]");
    refused(&both, ["angular_velocity", "body `", "joint `"]);
    // A velocity beside the hinge.
    let aside = four_bar("velocity = [0, 2, 0]", "", "");
    refused(&aside, ["`velocity`", "body `crank`", "joint `"]);
    // A position 2 cm off.
    let off = four_bar("", "", "").replace("[0.9385, 0, 0.3952]", "[0.9585, 0, 0.3952]");
    refused(&off, ["would have to change", "body `", "joint `"]);
    // A motor that runs, and a rate that says otherwise.
    let motor = "[[mechanism.body]]\nname = \"disc\"\nmass = 1\ninertia = [1, 1, 1]\n\
                 [[mechanism.joint]]\nname = \"shaft\"\nkind = \"revolute\"\n\
                 bodies = [\"ground\", \"disc\"]\n\
                 points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangle = 0\nangular_velocity = 2\n\
                 [[mechanism.generator]]\nname = \"motor\"\njoint = \"shaft\"\nvalue = \"3*t\"\n";
    refused(motor, ["`angular_velocity`", "joint `shaft`", "generator `motor`"]);
}

/// Instances whose drawn values contradict the joints are none.
#[test]
fn a_draw_against_the_joints_is_an_invalid_sample() {
    let text = four_bar("angular_velocity = [0, -6, 0]", "", "angular_velocity = [0, -1.0244, 0]");
    for (low, high, verdict) in [(-1.0245, -1.0243, Verdict::Finished), (2.0, 3.0, Verdict::InvalidSample)] {
        let vary =
            format!("\"rocker.angular_velocity.y\" = {{ uniform = {{ low = {low:?}, high = {high:?} }} }}");
        let ready = Ready::new(study(&vary, &text));
        let verdicts = ready.batch(0, ready.size()).verdicts;
        assert!(verdicts.iter().all(|found| *found == verdict), "{verdicts:?}");
    }
}

/// Guesses far from where the joints hold may close a loop on another side than the nominal one;
/// those that follow what is drawn do not.
#[test]
fn known_weakness_a_guess_far_from_its_draw_folds_the_toggle() {
    let text = std::fs::read_to_string(root().join("mechanisms/toggle.toml")).expect("a mechanism");
    let linked = text
        .replace("angle = \"-20 deg\"", "angle = \"a\"")
        .replace("angle = \"40 deg\"", "angle = \"-2*a\"");
    let folded = |mechanism: &str, drawn: &str| {
        let study = format!(
            "method = {{ name = \"rk4\", step = 1e-4, steps = 2 }}\n\
             ensemble = {{ size = 60, seed = 3, vary.\"{drawn}\" = \
             {{ uniform = {{ low = \"-40 deg\", high = \"40 deg\" }} }} }}\n"
        );
        let study = read_study_text("toggle", &study, mechanism).unwrap_or_else(|faults| panic!("{faults}"));
        let Ready { study, plan, sampler } = Ready::new(study);
        let mut drawn = vec![0.0; sampler.width()];
        let mut quantities = Quantities::nominal(&study);
        let mut parameters = plan.constants.clone();
        let slider = |instance: u64| {
            sampler.draw(instance, &mut drawn);
            sampler.apply(&drawn, &mut quantities);
            plan.model.resolve(&quantities, &mut parameters).ok().map(|start| start[2].r[0])
        };
        (0..60).filter_map(slider).filter(|x| x.abs() < 0.1).count()
    };
    assert_eq!(folded(&text, "foot.angle"), 11);
    assert_eq!(folded(&format!("constants.a = \"-20 deg\"\n{linked}"), "constants.a"), 0);
}

#[test]
fn the_fault_is_found_in_its_file() {
    let text = four_bar("velocity = [0, 2, 0]", "", "");
    let text = format!(
        "method = {{ name = \"staggered\", step = 1e-4, steps = 2 }}\nensemble.size = 1\n[mechanism]\n{text}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, &text).expect("written");
    let study = read_study(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let problems = start_problems(&study, &path).expect("it contradicts itself");
    assert_eq!(problems.0.len(), 1);
    assert_eq!(problems.0[0].key, "mechanism.body[0].initial.velocity");
    assert_eq!(problems.0[0].line, Some(8), "{problems}");
}

/// A ball joint and a cross, the one on the other, whose turns and rates are given.
const TURNED: &str = "\
[[mechanism.body]]
name = \"ball\"
mass = 1
inertia = [0.1, 0.2, 0.3]
[[mechanism.body]]
name = \"arm\"
mass = 1
inertia = [0.3, 0.2, 0.1]
[[mechanism.joint]]
name = \"socket\"
kind = \"spherical\"
bodies = [\"ground\", \"ball\"]
points = [[0, 0, 1], [0.2, 0.1, 0]]
angle_x = \"20 deg\"
angle_y = -0.6
angle_z = \"200 deg\"
angle_x_rate = 0.3
angle_y_rate = \"-0.7 rad/s\"
angle_z_rate = 1.1
[[mechanism.joint]]
name = \"cross\"
kind = \"universal\"
bodies = [\"ball\", \"arm\"]
points = [[0, 0.3, 0], [0, 0, -0.4]]
axes = [[0.6, 0.8, 0], [0, 0, 1]]
angle_a = -2.2
angle_b = \"40 deg\"
angle_a_rate = 0.9
angle_b_rate = -1.3
";

#[test]
fn turns_of_balls_and_crosses_start_as_they_are_given() {
    let turns = ["angle_x", "angle_y", "angle_z", "angle_a", "angle_b"];
    let rates = ["angle_x_rate", "angle_y_rate", "angle_z_rate", "angle_a_rate", "angle_b_rate"];
    let channels: Vec<Channel> =
        turns.iter().chain(&rates).map(|name| Channel::of(Owner::Joint, name)).collect();
    let vary = "\"cross.angle_b\" = { uniform = { low = \"-60 deg\", high = \"60 deg\" } }\n\
                \"socket.angle_y_rate\" = { uniform = { low = -2, high = 2 } }\n";
    for vary in ["", vary] {
        let mut study = study(vary, TURNED);
        study.observe.channels = channels.iter().map(|channel| (*channel).into()).collect();
        let ready = Ready::new(study.clone());
        let ends = vec![End { verdict: Verdict::Finished, step: 0 }; ready.size()];
        let start = Outcome { states: ready.batch(0, ready.size()).states, ends };
        for (i, found) in ready.observe(&start, &channels).iter().enumerate() {
            let mut known = [
                20f64.to_radians(),
                -0.6,
                200f64.to_radians(),
                -2.2,
                40f64.to_radians(),
                0.3,
                -0.7,
                1.1,
                0.9,
                -1.3,
            ];
            let mut row = vec![f64::NAN; ready.sampler.width()];
            ready.sampler.draw(i as u64, &mut row);
            if let [angle_b, rate] = row[..] {
                (known[4], known[6]) = (angle_b, rate);
            }
            for (found, known) in found.iter().zip(known) {
                assert!((found - known).abs() < KEPT_EXACTLY, "{i}: {found} {known}");
            }
        }
        same_in_the_reference(study);
    }
}
