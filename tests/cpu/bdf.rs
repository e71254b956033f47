//! The implicit method `bdf`: errors that follow its tolerances, stiff parts, loads that jump, what
//! it refuses, and results that depend on nothing but the instance.

use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::flexible::{
    LEVELS, at_level, mechanism, mounted, numbers, pendulum, reference_file, rows, slider_crank,
};
use crate::common::judged::{reference, worst};
use crate::common::study::{Varied, study};
use crate::common::tolerances::{ADAPTIVE_SLIDER_CRANK, OF_ADAPTIVE_TOLERANCE, STIFF_PAIR};
use crate::common::{distance, free_body, torque};
use fearless_simd::Level;
use polhode::backend::choose::{self, Workload};
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Axes, BackendChoice, Constraints, Mechanism, Quantity, Study, TimeIntegration};
use polhode::observe::{Verdict, channels};
use polhode::reference::{Instance, accurate};
use polhode::study::yardsticks::double_pendulum;

/// The study by an implicit method with both tolerances alike.
pub fn adaptive(
    name: &'static str,
    mechanism: &Mechanism,
    size: u64,
    tolerance: f64,
    h: f64,
    steps: u64,
) -> Study {
    let mut study = study(mechanism.clone(), size, h, steps);
    let options = Options::default()
        .with("relative", Setting::Number(tolerance))
        .with("absolute", Setting::Number(tolerance));
    study.method = TimeIntegration { name, options, resynchronise: 0, ..study.method };
    study.run.precision = Precision::F64;
    if mechanism.is_held() {
        study.constraints = Constraints { treatment: "exact", ..study.constraints };
    }
    study
}

fn outcome(study: Study) -> (Ready, Outcome) {
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(Precision::F64, 1);
    (ready, outcome)
}

/// The largest difference of any channel from the accurate motion at the end, of the channel's
/// largest number or 1.
pub fn error(name: &'static str, mechanism: &Mechanism, tolerance: f64, h: f64, steps: u64) -> f64 {
    let (ready, outcome) = outcome(adaptive(name, mechanism, 1, tolerance, h, steps));
    assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    let exact =
        accurate::run(mechanism, &Instance::nominal(mechanism), &[h * steps as f64], accurate::TOLERANCE);
    worst(&ready, &outcome, &exact.expect("an accurate motion").states)
}

#[test]
fn errors_follow_the_tolerances() {
    let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    for (name, mechanism, h, steps) in [
        ("free body", body, 0.25, 8),
        ("double pendulum", double_pendulum(), 0.1, 10),
        ("flexible pendulum", pendulum(), 0.05, 10),
        ("mounts", mounted(false, true), 0.02, 10),
        ("mounts, attached", mounted(true, true), 0.02, 10),
    ] {
        let errors =
            [1e-6, 1e-8, 1e-10].map(|tolerance| (tolerance, error("bdf", &mechanism, tolerance, h, steps)));
        println!("{name}: {errors:?}");
        for (tolerance, error) in errors {
            assert!(error < OF_ADAPTIVE_TOLERANCE * tolerance, "{name}: {errors:?}");
        }
        assert!(errors.windows(2).all(|pair| pair[1].1 < 0.3 * pair[0].1), "{name}: {errors:?}");
    }
}

/// Multipliers from stabilised accelerations leave the motion that of the joints; penalty moves as
/// the mechanism of springs does, which the reference's fixed steps of DOP853 follow.
#[test]
fn other_treatments_move_as_the_reference_says() {
    let (tolerance, h, steps) = (1e-8, 0.05, 8);
    let mut study = adaptive("bdf", &double_pendulum(), 1, tolerance, h, steps);
    study.constraints.treatment = "baumgarte";
    let (ready, outcome) = outcome(study);
    let instance = Instance::nominal(&ready.study.mechanism);
    let exact = accurate::run(&ready.study.mechanism, &instance, &[h * steps as f64], accurate::TOLERANCE);
    let baumgarte = worst(&ready, &outcome, &exact.expect("an accurate motion").states);

    let mut study = adaptive("bdf", &double_pendulum(), 1, tolerance, h, steps);
    let options =
        Options::default().with("eps", Setting::Number(1e-4)).with("damping", Setting::Number(20.0));
    study.constraints = Constraints { treatment: "penalty", options, ..study.constraints };
    let (ready, outcome) = self::outcome(study);
    let fine = 200;
    let mut twin = ready.study.clone();
    let method = TimeIntegration { name: "dop853", options: Options::default(), ..twin.method };
    twin.method = TimeIntegration { step: h / fine as f64, steps: steps * fine, ..method };
    twin.observe.every = twin.method.steps;
    let twin = reference(&Ready::new(twin), 0);
    let penalty = worst(&ready, &outcome, std::slice::from_ref(&twin));
    println!("baumgarte {baumgarte:e}, penalty {penalty:e}; joints open by {:e}", twin.constraint_violation);
    assert!(twin.constraint_violation > 1e-5, "joints that yield");
    for error in [baumgarte, penalty] {
        assert!(error < OF_ADAPTIVE_TOLERANCE * tolerance, "{error:e}");
    }
}

/// Its three modes ring undamped with up to 10^4 rad/s: nothing for which the method is made, and
/// followed all the same.
#[test]
fn the_elastic_slider_crank_moves_as_the_reference_solution() {
    let file = reference_file("slider_crank_elastic_rod");
    let times = numbers(&file["times"]);
    let channels = [
        channels::POSITION,
        channels::ATTITUDE,
        channels::AMPLITUDE.of_mode(0),
        channels::AMPLITUDE.of_mode(1),
        channels::AMPLITUDE.of_mode(2),
    ];
    let tolerance = 1e-8;
    for (name, level) in [("level_half", LEVELS[1].1), ("level2", LEVELS[4].1)] {
        let mechanism = at_level(&slider_crank(), level);
        let steps = 40;
        let mut study = adaptive("bdf", &mechanism, 1, tolerance, times[1], steps);
        study.observe.every = 1;
        let ready = Ready::new(study);
        let states = rows(&file[format!("states_{name}")]);
        let mut backend = ready.cpu(Precision::F64, Level::new(), false);
        let (mut k, mut worst) = (0, 0.0f64);
        ready.watch(&mut *backend, 0, 1, |outcome| {
            k += 1;
            assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
            let row = ready.observe(outcome, &channels).remove(0);
            let angle = 2.0 * row[6].atan2(row[3]);
            let found = [row[0], row[1], angle, row[7], row[8], row[9]];
            let apart = found.iter().zip(&states[k]).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            worst = worst.max(apart);
        });
        println!("{name}: {worst:e}");
        assert!(k == steps as usize && worst < ADAPTIVE_SLIDER_CRANK, "{name}: {worst:e}");
    }
}

/// A spring that is stiff and hardly damped, asked for with the tightest tolerance: the internal
/// steps that it takes are more than there may be, and the verdict says so.
#[test]
fn an_output_step_that_takes_too_many_steps_says_so() {
    let text = r#"
[body]
mass = 1
inertia = [1, 1, 1]
initial = { position = [1.5, 0, 0] }
[[spring]]
name = "rod"
bodies = ["ground", "body"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 1e14
free_length = 1
"#;
    let (_, outcome) = outcome(adaptive("bdf", &mechanism(text), 1, 1e-2, 10.0, 1));
    assert_eq!((outcome.ends[0].verdict, outcome.ends[0].step), (Verdict::StepTooSmall, 1));
}

/// A bob on a rod of 1000 rad/s, damped twice over: its fastest rate is 3732/s, and rk4 is stable
/// up to .746 ms.
fn stiff_pair() -> Mechanism {
    mechanism(
        r#"
gravity = 9.81
[body]
name = "bob"
mass = 1
inertia = [0.01, 0.01, 0.01]
initial = { position = [1, 0, 0] }
[[spring]]
name = "rod"
bodies = ["ground", "bob"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 1e6
damping = 4000
free_length = 1
"#,
    )
}

#[test]
fn a_stiff_rod_bounds_the_explicit_step_and_not_the_implicit_one() {
    let explicit = |h: f64| {
        let mut study = study(stiff_pair(), 1, h, (2.0 / h).round() as u64);
        study.method = TimeIntegration { name: "rk4", resynchronise: 0, ..study.method };
        let (ready, outcome) = outcome(study);
        ready.observe(&outcome, &[channels::POSITION]).remove(0)[0].abs()
    };
    assert!(explicit(0.0005) < 1.01);
    let lost = explicit(0.001);
    assert!(lost.is_nan() || lost > 100.0, "{lost}");
    let error = error("bdf", &stiff_pair(), 1e-8, 0.05, 40);
    println!("{error:e}");
    assert!(error < STIFF_PAIR, "{error:e}");
}

#[test]
fn loads_jump_and_change_within_a_step() {
    let mut body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    body.loads = vec![torque("push", Axes::Body, &[(0.33, 0.81, [20.0, 0.0, 0.0])])];
    let (ready, outcome) = outcome(adaptive("bdf", &body, 1, 1e-10, 0.1, 10));
    let w = ready.observe(&outcome, &[channels::ANGULAR_VELOCITY]).remove(0);
    assert!(distance([w[0], w[1], w[2]], [20.0 * 0.48 / 5.0, 0.0, 0.0]) < 1e-9, "{w:?}");

    let text = "[body]\nmass = 1\ninertia = [5, 10, 1]\n[[load]]\nname = \"swing\"\nkind = \"torque\"\n\
                axes = \"body\"\nfunction = [\"sin(3*t)\", 0, 0]\n";
    let (ready, outcome) = self::outcome(adaptive("bdf", &mechanism(text), 1, 1e-10, 0.5, 4));
    let w = ready.observe(&outcome, &[channels::ANGULAR_VELOCITY]).remove(0);
    let expected = (1.0 - 6.0f64.cos()) / 15.0;
    assert!((w[0] - expected).abs() < 1e-8, "{} {expected}", w[0]);
}

fn ensemble() -> Study {
    let study = adaptive("bdf", &double_pendulum(), 6, 1e-7, 0.1, 5);
    study.normal(Quantity::AngularVelocity, [0.0, 0.0, 1.0], 0.1)
}

#[test]
fn an_instance_has_the_bits_it_has_alone_and_for_any_threads_and_strides() {
    let ready = Ready::new(ensemble());
    let whole = ready.on_cpu(Precision::F64, 1);
    assert_same("threads", &whole, &ready.on_cpu(Precision::F64, 3));
    for i in [0, 4] {
        let alone = ready.run(&mut *ready.cpu(Precision::F64, Level::new(), false), i, 1);
        assert_eq!((whole.state(i), whole.ends[i]), (alone.state(0), alone.ends[0]));
    }
    let mut backend = ready.cpu(Precision::F64, Level::new(), false);
    backend.load(&ready.batch(0, 6)).expect("load");
    for (first, end) in [(0, 2), (2, 3), (3, 5)] {
        backend.advance(first, end).expect("advance");
    }
    let mut strides = whole.clone();
    backend.read(0, &mut strides.states);
    backend.ends(0, &mut strides.ends);
    assert_same("strides", &whole, &strides);
}

#[test]
fn joints_are_closed_at_every_output_step_and_bounds_stop_an_instance() {
    let (ready, outcome) = outcome(ensemble());
    for row in ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION]) {
        assert!(row[0] < 1e-12, "{row:?}");
    }
    let mut bounded = ensemble();
    bounded.verdict.energy = Some(1e-15);
    let (ready, outcome) = self::outcome(bounded);
    let start = ready.batch(0, 6);
    for i in 0..6 {
        assert_eq!((outcome.ends[i].verdict, outcome.ends[i].step), (Verdict::EnergyBound, 1));
        assert!(outcome.states.iter().zip(&start.states).all(|(now, start)| now[i] == start[i]));
    }
}

#[test]
fn what_it_does_not_do_is_refused_by_name() {
    let ready = Ready::new(ensemble());
    let choose = |change: &dyn Fn(&mut Study)| {
        let mut study = ready.study.clone();
        change(&mut study);
        let chosen = choose::choose(&ready.plan, &study.run, &Workload::default(), &|_| {}, None);
        chosen.map(|chosen| chosen.line).map_err(|error| error.to_string())
    };
    let single = choose(&|study| study.run.precision = Precision::F32).unwrap_err();
    assert!(single.contains("method bdf") && single.contains("f32"), "{single}");
    let gpu = choose(&|study| study.run.backend = BackendChoice::Gpu { adapter: None }).unwrap_err();
    assert!(gpu.contains("method bdf") && gpu.contains("gpu"), "{gpu}");
    let auto = choose(&|study| study.run.backend = BackendChoice::Auto).unwrap();
    assert!(auto.starts_with("CPU") && auto.contains("auto: the method bdf has no kernel"), "{auto}");
}
