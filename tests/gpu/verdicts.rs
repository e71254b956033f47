//! Ends of instances: each verdict at its step, alike on every backend, and none to the harm of
//! another.

use crate::common::alone::run_alone;
use crate::common::arms::{KINDS, mechanism_of, study_of};
use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::root;
use crate::common::study::{Varied, study};
use crate::common::tolerances::CELL_ANGLE;
use crate::common::{cases, free_body};
use fearless_simd::Level;
use polhode::backend::{Batch, End};
use polhode::base::Precision;
use polhode::describe::{Quantity, Study, Unexplained};
use polhode::observe::{Verdict, channels};
use polhode::study_file::read_study_text;

/// Every instance, stepped alone.
fn alone(ready: &Ready, precision: Precision) -> Outcome {
    let batch: Batch = ready.batch(0, ready.size());
    let results: Vec<([f64; 13], End)> = (0..ready.size())
        .map(|i| match precision {
            Precision::F32 => run_alone::<f32>(&ready.plan, &batch, i),
            _ => run_alone::<f64>(&ready.plan, &batch, i),
        })
        .collect();
    Outcome {
        states: (0..13).map(|c| results.iter().map(|(state, _)| state[c]).collect()).collect(),
        ends: results.iter().map(|(_, end)| *end).collect(),
    }
}

/// Lanes and kernel give every instance the verdict, the step and the last state that it has alone.
fn assert_as_alone(name: &str, study: Study) -> Outcome {
    let ready = Ready::new(study);
    let mut first = None;
    for precision in [Precision::F32, Precision::F64] {
        let expected = alone(&ready, precision);
        assert_same(&format!("{name}, lanes, {precision:?}"), &ready.on_cpu(precision, 2), &expected);
        assert_same(&format!("{name}, kernel, {precision:?}"), &ready.on_gpu(precision), &expected);
        first.get_or_insert(expected);
    }
    first.expect("an outcome")
}

/// h|w| from 0 to 2: the faster ones blow up, each at its own step.
fn too_fast(size: u64) -> Study {
    let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    study(body, size, 0.01, 250).uniform(Quantity::AngularVelocity, [0.0; 3], [120.0; 3]).any_attitude()
}

#[test]
fn non_finite_is_found_at_its_step_whatever_the_check() {
    let mut outcomes = vec![];
    for check in [1, 7, 100] {
        let mut study = too_fast(333);
        study.verdict.every = check;
        outcomes.push(assert_as_alone(&format!("check every {check}"), study));
    }
    let lost = outcomes[0].count(Verdict::NonFinite);
    let steps: std::collections::BTreeSet<u64> = outcomes[0].ends.iter().map(|end| end.step).collect();
    assert!(lost > 50 && lost < 323 && steps.len() > 20, "{lost} {}", steps.len());
    // The state before the failure is kept, and is finite.
    assert!(outcomes[0].states.iter().flatten().all(|x| x.is_finite()));
    assert_same("check every 7", &outcomes[1], &outcomes[0]);
    assert_same("check every 100", &outcomes[2], &outcomes[0]);
}

#[test]
fn non_finite_is_found_in_flight_and_under_load() {
    for (name, mut study) in
        [("thrown", cases::thrown(100)), ("jumps", cases::jumps(100)), ("top", cases::top(100))]
    {
        study.ensemble.vary.clear();
        // Equal moments make a factor 0, which the kernel leaves out and the CPU multiplies by a
        // product that has overflowed: then it is lost some steps earlier there.
        study.mechanism.bodies[0].inertia[1][1] = 6.0;
        study.method.step = 0.01;
        study.method.steps = 250;
        study.observe.every = 90;
        let study = study.uniform(Quantity::AngularVelocity, [0.0; 3], [500.0; 3]);
        let outcome = assert_as_alone(name, study);
        let lost = outcome.count(Verdict::NonFinite);
        assert!(lost > 10, "{name}: {lost}");
    }
}

#[test]
fn a_state_that_starts_beyond_the_precision_is_lost_at_the_first_step() {
    let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let rows = [[1.0, 0.5, 2.0], [1e30, 1e30, 1e30], [1e38, 1.0, 1.0], [1.0, 0.5, 2.0]];
    let ready = Ready::new(study(body, 4, 0.01, 50).rows(Quantity::AngularVelocity, &rows));
    for outcome in [ready.on_cpu(Precision::F32, 1), ready.on_gpu(Precision::F32)] {
        assert_eq!(outcome.ends[1], End { verdict: Verdict::NonFinite, step: 1 });
        assert_eq!(outcome.ends[2].verdict, Verdict::NonFinite);
        assert_eq!(outcome.ends[0], End { verdict: Verdict::Finished, step: 50 });
        assert_eq!(outcome.state(0), outcome.state(3));
    }
}

/// Squares of numbers near the largest raise an alarm before the number is beyond it: the instance
/// is lost where it is, and its neighbours are not.
#[test]
fn a_state_is_lost_where_it_passes_the_largest_number() {
    let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let rows = [[8e139, 0.0, 0.0], [1.0, 0.5, 2.0], [0.0, 9.5e139, 0.0], [0.0, 0.0, 3e139]];
    for check in [1, 7, 100] {
        let mut study = study(body.clone(), 4, 0.01, 250).rows(Quantity::Velocity, &rows);
        study.verdict.every = check;
        let ready = Ready::new(study);
        let found = ready.on_cpu(Precision::F64, 1);
        assert_same("alone", &found, &alone(&ready, Precision::F64));
        assert_same("kernel", &ready.on_gpu(Precision::F64), &found);
        let lost = |end: &End| (end.verdict == Verdict::NonFinite).then_some(end.step);
        let steps: Vec<Option<u64>> = found.ends.iter().map(lost).collect();
        assert!(matches!(steps[..], [Some(124..=127), None, Some(104..=107), None]), "{steps:?}");
    }
}

#[test]
fn bounds_are_found_at_their_step() {
    let mut counts = [0; 2];
    for check in [1, 7, 100] {
        let mut study = cases::bounded(600);
        study.method.steps = 300;
        study.observe.every = 130;
        study.verdict.every = check;
        let outcome = assert_as_alone(&format!("check every {check}"), study);
        for (counts, verdict) in counts.iter_mut().zip([Verdict::EnergyBound, Verdict::NormBound]) {
            *counts += outcome.count(verdict);
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

/// Bounds are checked where a load jumps, on and off the grid, by both backends.
#[test]
fn bounds_are_checked_where_loads_jump() {
    let mut study = cases::jumps(300);
    study.verdict.energy = Some(0.3);
    let outcome = assert_as_alone("jumps", study);
    let passed = outcome.count(Verdict::EnergyBound);
    assert!((50..250).contains(&passed), "{passed}");
}

#[test]
fn neighbours_of_failed_instances_have_the_bits_they_have_without_them() {
    let size = 500;
    let spin = |i: usize, failing: bool| {
        let x = 0.01 * i as f64;
        if failing && i % 3 == 1 { [300.0 + x, 400.0, 350.0] } else { [1.0 + x, 0.5 - x, 2.0] }
    };
    for failing_in in [Precision::F32, Precision::F64] {
        let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
        let with = |failing: bool| {
            let rows: Vec<[f64; 3]> = (0..size).map(|i| spin(i, failing)).collect();
            Ready::new(study(body.clone(), size as u64, 0.01, 300).rows(Quantity::AngularVelocity, &rows))
        };
        let (sick, sound) = (with(true), with(false));
        for (sick, sound) in [
            (sick.on_cpu(failing_in, 1), sound.on_cpu(failing_in, 1)),
            (sick.on_gpu(failing_in), sound.on_gpu(failing_in)),
        ] {
            for i in 0..size {
                if i % 3 == 1 {
                    assert_eq!(sick.ends[i].verdict, Verdict::NonFinite, "{i}");
                } else {
                    assert_eq!((sick.state(i), sick.ends[i]), (sound.state(i), sound.ends[i]), "{i}");
                }
            }
        }
    }
}

#[test]
fn a_drawn_mass_below_zero_never_starts_and_harms_nobody() {
    for case in [cases::free(1000), cases::thrown(1000)] {
        let mut study = case.normal(Quantity::Mass, [1.0], 1.0);
        study.method.steps = 100;
        study.observe.every = 40;
        let outcome = assert_as_alone("negative masses", study);
        let invalid = outcome.count(Verdict::InvalidSample);
        assert!((100..220).contains(&invalid), "{invalid}");
        assert!(outcome.ends.iter().all(|end| (end.verdict == Verdict::InvalidSample) == (end.step == 0)));
    }
}

/// An instance whose drawn numbers a file may not give is invalid: it never starts.
#[test]
fn drawn_numbers_that_no_file_may_give_are_invalid() {
    let elements = "[[mechanism.spring]]\nname = \"strut\"\nbodies = [\"ground\", \"lower\"]\n\
                    points = [[1, 0, 1], [0, 0, 0]]\nstiffness = 20\ndamping = 0.5\nfree_length = 0.8\n\
                    [[mechanism.bushing]]\nname = \"mount\"\nbodies = [\"ground\", \"upper\"]\n\
                    points = [[0, 0, 0], [0, 0, 0]]\nstiffness = 3\n\
                    [[mechanism.beam_element]]\nname = \"strip\"\nbodies = [\"ground\", \"lower\"]\n\
                    points = [[0, 0, 0], [0, 0, 0]]\nEA = 10\nGA = [5, 5]\nGJ = 1\nEI = [1, 1]\n";
    let mechanism = mechanism_of(KINDS[0]) + elements;
    for name in [
        "strut.stiffness",
        "strut.damping",
        "strut.free_length",
        "mount.stiffness.x",
        "strip.EI.y",
        "strip.damping",
        "strip.stiffness_factor",
    ] {
        let vary = format!("\"{name}\" = {{ normal = {{ mean = 1, std = 1 }} }}");
        let ready = Ready::new(study_of("", &vary, &mechanism, 1e-3, 2));
        let verdicts = ready.batch(0, ready.size()).verdicts;
        let mut negative = 0;
        for (i, verdict) in verdicts.iter().enumerate() {
            let mut drawn = vec![f64::NAN; ready.sampler.width()];
            ready.sampler.draw(i as u64, &mut drawn);
            negative += usize::from(drawn[0] < 0.0);
            assert_eq!(*verdict == Verdict::InvalidSample, drawn[0] < 0.0, "{name} {}", drawn[0]);
        }
        assert!(negative > 2 && negative < 30, "{name}: {negative}");
    }
}

/// A rod in a hinge that nothing draws back, at steps that are too long: it slides out, each at its
/// own step.
const SLIDING: &str = r#"
[method]
name = "staggered"
step = "20 ms"
steps = 300

[constraints]
treatment = "exact"

[ensemble]
size = 60
seed = 3

[ensemble.vary]
"rod.angular_velocity.z" = { uniform = { low = 1, high = 6 } }

[mechanism]
gravity = [0, "-9.81 m/s^2", 0]

[mechanism.body]
name = "rod"
mass = 1
inertia = [0.01, 0.1, 0.1]
centre_of_mass = [0.5, 0, 0]

[[mechanism.joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [0, 0, 1]
"#;

#[test]
fn constraint_bounds_are_found_at_their_step() {
    const BOUND: f64 = 2.2e-2;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sliding.toml");
    std::fs::write(&file, SLIDING).expect("writable");
    let mut study = polhode::study_file::read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    study.run.fused = false;
    study.verdict.constraint = Some(BOUND);
    study.verdict.unexplained = Unexplained::Nothing;
    let mut first: Option<Outcome> = None;
    for check in [1, 7, 100] {
        study.verdict.every = check;
        let outcome = assert_as_alone(&format!("check every {check}"), study.clone());
        let passed = outcome.count(Verdict::ConstraintBound);
        assert!((10..60).contains(&passed), "{passed}");
        first.get_or_insert(outcome);
    }
    // The reference passes the bound at the same step (f64).
    study.verdict.every = 1;
    let ready = Ready::new(study);
    let ends = ready.on_cpu(Precision::F64, 1).ends;
    for (i, end) in ends.iter().enumerate().filter(|(_, end)| end.verdict == Verdict::ConstraintBound) {
        let violation = |steps: u64| {
            let mut study = ready.study.clone();
            study.method.steps = steps;
            crate::common::judged::reference(&Ready::new(study), i).constraint_violation
        };
        let (before, after) = (violation(end.step - 1), violation(end.step));
        assert!(before <= BOUND && after > BOUND, "{i}: {before} {after} at {}", end.step);
    }
}

/// A mass on a spring of omega h = 10, which throws it out a hundredfold a step.
const THROWN_OUT: &str = r#"
[method]
name = "staggered"
step = "1 s"
steps = 2000
resynchronise = 0

[ensemble]
size = 5

[ensemble.vary]
"mass.position.x" = { linspace = { from = 1.001, to = 1.005, count = 5 } }

[run]
precision = "f64"
fused = false

[mechanism]
[mechanism.body]
name = "mass"
mass = 1
inertia = [1, 1, 1]

[[mechanism.spring]]
name = "coil"
bodies = ["ground", "mass"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 100
free_length = 1
"#;

/// A load that grows beyond all numbers, for a method that chooses its steps.
const DRIVEN_OUT: &str = r#"
[method]
name = "bdf"
step = "0.1 s"
steps = 40

[ensemble]
size = 2

[run]
precision = "f64"

[mechanism]
[mechanism.body]
name = "mass"
mass = 1
inertia = [1, 1, 1]
initial = { velocity = [1, 0, 0] }

[[mechanism.load]]
name = "growing"
body = "mass"
kind = "force"
axes = "space"
function = ["exp(300*t)", 0, 0]
"#;

/// Energies are squares of what has grown: they are finite in the last sound state, on every
/// backend.
#[test]
fn final_values_of_lost_instances_are_finite() {
    let folder = tempfile::tempdir().expect("a folder");
    let ready = |text: &str| {
        let file = folder.path().join("lost.toml");
        std::fs::write(&file, text).expect("writable");
        Ready::new(polhode::study_file::read_study(&file).unwrap_or_else(|problems| panic!("{problems}")))
    };
    let channels = [channels::POSITION, channels::VELOCITY, channels::ENERGY, channels::ENERGY_DRIFT];
    let sound = |name: &str, ready: &Ready, outcome: &Outcome| {
        assert_eq!(outcome.count(Verdict::NonFinite), ready.size(), "{name}: {:?}", outcome.ends);
        let finals = ready.observe(outcome, &channels);
        assert!(finals.iter().flatten().all(|x| x.is_finite()), "{name}: {finals:?}");
    };
    let thrown = ready(THROWN_OUT);
    for precision in [Precision::F32, Precision::F64] {
        let code = thrown.on_cpu(precision, 1);
        sound("machine code", &thrown, &code);
        let mut interpreter = thrown.interpreted(precision, Level::new(), false);
        let interpreted = thrown.run(&mut *interpreter, 0, thrown.size());
        assert_same("interpreted", &interpreted, &code);
        let kernel = thrown.on_gpu(precision);
        assert_same("kernel", &kernel, &code);
    }
    let driven = ready(DRIVEN_OUT);
    sound("bdf", &driven, &driven.on_cpu(Precision::F64, 1));
}

/// The cart and pole with a sampled controller, a limit and a lagging motor, by SciPy 1.16: the
/// equations of the two coordinates written out by hand, `solve_ivp` with DOP853, rtol 1e-11 and
/// atol 1e-12 from sample to sample, ends as events. By gain (0.25 to 4) and angle (4 to 74
/// degrees): `f` the pole has fallen, `o` the cart has left the rail, with the time (s); `s` it
/// stands after 6 s, with the angle (rad).
const CELLS: [[(char, f64); 8]; 8] = [
    [
        ('f', 1.21338584),
        ('f', 0.805661566),
        ('f', 0.715035755),
        ('o', 0.626755611),
        ('o', 0.589468901),
        ('f', 0.374365576),
        ('f', 0.254580023),
        ('f', 0.172913501),
    ],
    [
        ('s', 2.618e-5),
        ('s', 9.19992e-5),
        ('s', 0.000153745),
        ('s', 0.000173207),
        ('f', 0.971876869),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.00014784),
        ('s', 0.00054049),
        ('s', 0.00105255),
        ('s', 0.00213172),
        ('o', 0.741436513),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.00188174),
        ('s', 0.00682607),
        ('s', 0.0138286),
        ('s', 0.0251595),
        ('o', 0.726508628),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.00246917),
        ('s', 0.00909994),
        ('s', 0.0186466),
        ('o', 1.60170404),
        ('o', 0.722275401),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.00204988),
        ('s', 0.00771286),
        ('s', 0.0156451),
        ('o', 1.38026683),
        ('o', 0.720301473),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.00128247),
        ('s', 0.0048728),
        ('s', 0.00969911),
        ('o', 1.3038486),
        ('o', 0.719145219),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
    [
        ('s', 0.000492196),
        ('s', 0.00182266),
        ('s', 0.00341341),
        ('o', 1.26200819),
        ('o', 0.718373742),
        ('o', 0.512987198),
        ('f', 0.296876123),
        ('f', 0.181140675),
    ],
];

/// Every cell ends as SciPy says, at the step after its event, and so it does on lavapipe with the
/// same bits.
#[test]
fn cells_of_a_sampled_controller_are_those_of_scipy() {
    let file = root().join("studies/map_cart_pole_sampled.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let mechanism = root().join("mechanisms/cart_pole_sampled.toml");
    let mechanism = std::fs::read_to_string(mechanism).unwrap();
    let text = text.replace("mechanism = \"../mechanisms/cart_pole_sampled.toml\"\n", "");
    let text = text.replace(
        "from = \"0 deg\", to = \"80 deg\", count = 100",
        "from = \"4 deg\", to = \"74 deg\", count = 8",
    );
    let text = text.replace("from = 0, to = 4, count = 100", "from = 0.25, to = 4, count = 8");
    let mut study = read_study_text("cells", &text, &mechanism).unwrap_or_else(|faults| panic!("{faults}"));
    study.verdict.every = 1;
    let h = study.method.step;
    let ready = Ready::new(study);
    let names = ready.study.mechanism.verdict_names();
    let found = ready.on_cpu(Precision::F64, 2);
    let angles = ready.observe(&found, &[channels::ANGLE]);
    for (i, end) in found.ends.iter().enumerate() {
        // x, the angle, is the first of the grid entries, and so the slower one.
        let (angle, gain) = (i / 8, i % 8);
        let (how, value) = CELLS[gain][angle];
        let name = match how {
            'f' => "fallen",
            'o' => "off_the_rail",
            _ => "finished",
        };
        assert_eq!(names.of(end.verdict), name, "gain {gain}, angle {angle}: {end:?}");
        if how == 's' {
            assert!((angles[i][0] - value).abs() < CELL_ANGLE, "{gain} {angle}: {} {value}", angles[i][0]);
        } else {
            assert_eq!(end.step, (value / h).ceil() as u64, "gain {gain}, angle {angle}: {end:?} {value}");
        }
    }
    assert_same("lavapipe", &ready.on_gpu(Precision::F64), &found);
    let mut interpreted = ready.interpreted(Precision::F64, Level::new(), false);
    assert_same("interpreted", &ready.run(&mut *interpreted, 0, ready.size()), &found);
}

/// Peaks of a reaction, an acceleration and the energy, and several conditions, have the same
/// bits everywhere.
#[test]
fn outcomes_of_forces_have_the_same_bits_everywhere() {
    let mechanism = std::fs::read_to_string(root().join("mechanisms/cart_pole_sampled.toml")).unwrap();
    let text = r#"
ensemble = { size = 40, vary."hinge.angle" = { uniform = { low = "0 deg", high = "80 deg" } } }
run.precision = "f64"
[method]
name = "staggered"
step = "2 ms"
duration = "1 s"
[[outcome]]
name = "load"
max = "sqrt(hinge.force.x^2 + hinge.force.z^2)"
unit = "N"
[[outcome]]
name = "jerky"
rms = "tip.acceleration.x"
[[outcome]]
name = "work"
final = "energy - kinetic_energy"
[[verdict]]
energy = "none"
every = 16
[[verdict]]
name = "fallen"
when = "abs(hinge.angle) > pi/2"
[[verdict]]
name = "overloaded"
when = "abs(hinge.force.z) > 2.1"
"#;
    let tip = "[[point]]\nname = \"tip\"\nbody = \"pole\"\nat = [0, 0, \"0.6 m\"]\n";
    for every in [1, 16] {
        let text = text.replace("every = 16", &format!("every = {every}"));
        let ready = Ready::new(
            read_study_text("loads", &text, &format!("{mechanism}{tip}"))
                .unwrap_or_else(|faults| panic!("{faults}")),
        );
        for precision in [Precision::F32, Precision::F64] {
            let found = ready.on_cpu(precision, 2);
            let verdicts = [0, 1].map(|number| found.count(Verdict::Condition(number)));
            println!("every {every}, {precision:?}: {verdicts:?} of {}", ready.size());
            assert!(verdicts.iter().all(|count| *count > 0), "{verdicts:?}");
            assert_same("lavapipe", &ready.on_gpu(precision), &found);
            let mut interpreted = ready.interpreted(precision, Level::new(), false);
            assert_same("interpreted", &ready.run(&mut *interpreted, 0, ready.size()), &found);
            let mut cut = ready.cut_on_gpu(precision);
            assert_same("cut on lavapipe", &ready.run(&mut *cut, 0, ready.size()), &found);
        }
    }
}

/// A root or logarithm of a negative number, a division by zero and an overflow: an outcome without
/// a value, of a motion that has nothing to do with it.
#[test]
fn outcomes_without_a_value_end_no_instance() {
    const OUTCOMES: [&str; 6] = [
        "final = \"sqrt(angle)\"",
        "max = \"log(0.3 - t + 0*angle)*step(0.2 - t) + asin(angle*3)\"",
        "mean = \"1/(angle - angle)\"",
        "first = \"acos(5*angle) > 1.7\"",
        "at = { time = \"0.3 s\", value = \"(0.1 + angle)^0.5\" }",
        "integral = \"exp(2000*angle)*exp(2000*angle)\"",
    ];
    let outcomes: Vec<String> = (0..)
        .zip(OUTCOMES)
        .map(|(k, of)| format!("[[outcome]]\nname = \"o{k}\"\n{}\n", of.replace("angle", "hinge.angle")))
        .collect();
    let mechanism = std::fs::read_to_string(root().join("mechanisms/cart_pole_sampled.toml")).unwrap();
    for (method, own) in [("rk4", ""), ("staggered", ""), ("tsit5", "tolerance = 1e-6\n")] {
        let text = format!(
            "[ensemble]\nsize = 40\nvary.\"hinge.angle\" = {{ uniform = {{ low = \"-20 deg\", \
             high = \"20 deg\" }} }}\n\
             [method]\nname = \"{method}\"\nstep = \"10 ms\"\nduration = \"0.5 s\"\n{own}{}",
            outcomes.concat()
        );
        let ready = Ready::new(
            read_study_text("empty", &text, &mechanism).unwrap_or_else(|faults| panic!("{faults}")),
        );
        for precision in [Precision::F32, Precision::F64] {
            let seen = |found: &Outcome, backend: &str| {
                assert_eq!(found.count(Verdict::Finished), ready.size(), "{method} {backend} {precision:?}");
                ready.observe(found, &[channels::OUTCOME_VALUE])
            };
            let found = ready.on_cpu(precision, 2);
            let exact = seen(&found, "cpu");
            let counts: Vec<usize> = (0..OUTCOMES.len())
                .map(|column| exact.iter().filter(|row| row[column].is_finite()).count())
                .collect();
            println!("{method} {precision:?}: {counts:?}");
            assert!(counts.iter().any(|count| (1..40).contains(count)) && counts.contains(&0), "{counts:?}");
            let mut interpreted = ready.interpreted(precision, Level::new(), false);
            let mut cut = ready.cut_on_gpu(precision);
            for (backend, found) in [
                ("interpreted", ready.run(&mut *interpreted, 0, ready.size())),
                ("lavapipe", ready.on_gpu(precision)),
                ("cut on lavapipe", ready.run(&mut *cut, 0, ready.size())),
            ] {
                for (mine, exact) in seen(&found, backend).iter().zip(&exact) {
                    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                    assert!(
                        mine.iter().zip(exact).all(same),
                        "{method} {backend} {precision:?}: {mine:?} {exact:?}"
                    );
                }
            }
        }
    }
}
