//! The engine against the independent reference, for mechanisms with joints, springs and loads.

use std::cell::Cell;

use crate::common::engine::Ready;
use crate::common::judged::{CHANNELS, reference, worst};
use crate::common::mechanisms::{Draws, NUMBERS, chain, push};
use crate::common::solutions::SolutionPair;
use crate::common::study::{Varied, study};
use crate::common::sweep::third;
use crate::common::tolerances::{PENDULUM_ORDER, REFERENCE_PER_STEP, SINGLE_REFERENCE_PER_STEP};
use crate::common::{attitude_distance, distance, slope};
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Constraints, JointCard, Mechanism, NumberOwner, Quantity, Study, Support};
use polhode::elements::joints::CARDS;
use polhode::reference::State;
use polhode::study::yardsticks::double_pendulum;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const INSTANCES: u64 = 6;
const STEPS: u64 = 20;
const H: f64 = 0.005;

/// Every method that takes joints with every treatment that it takes, away from the treatments'
/// defaults where they are too stiff for the step.
fn ways() -> Vec<(&'static str, Constraints)> {
    let number = Setting::Number;
    let with = |treatment, settings: &[(&'static str, f64)]| {
        let options =
            settings.iter().fold(Options::default(), |options, (key, x)| options.with(key, number(*x)));
        Constraints { treatment, options, project: 0 }
    };
    let printed = |corrected| {
        // So large that disturbances are not multiplied: those of rounding would be.
        let Constraints { options, .. } = with("", &[("eps", 0.1), ("gamma", 5.0)]);
        let options = options.with("corrected", Setting::Flag(corrected));
        Constraints { treatment: "staggered_as_printed", options, project: 0 }
    };
    let exact = with("exact", &[]);
    let baumgarte = with("baumgarte", &[("gamma", 8.0), ("beta", 30.0)]);
    let penalty = with("penalty", &[("eps", 1e-2), ("damping", 0.3)]);
    vec![
        ("staggered", with("staggered", &[("eps", 1e-6), ("gamma", 5.0), ("beta", 20.0)])),
        ("staggered", Constraints::default()),
        ("staggered", printed(false)),
        ("staggered", printed(true)),
        ("staggered", with("staggered_once_integrated", &[])),
        ("staggered", with("staggered", &[("eps_accuracy", 1e-4), ("gamma", 5.0), ("beta", 20.0)])),
        ("staggered", with("staggered_once_integrated", &[("eps_accuracy", 1e-2)])),
        ("staggered", exact.clone()),
        ("staggered", baumgarte.clone()),
        ("staggered", penalty.clone()),
        ("midpoint", with("staggered", &[("eps", 1e-6), ("gamma", 5.0), ("beta", 20.0)])),
        ("midpoint", Constraints::default()),
        ("midpoint", exact.clone()),
        ("midpoint", penalty.clone()),
        ("simo_wong", Constraints::default()),
        ("simo_wong", exact.clone()),
        ("predictor_corrector", Constraints::default()),
        ("predictor_corrector", penalty.clone()),
        ("staggered_conserving", Constraints::default()),
        ("staggered_conserving", baumgarte.clone()),
        ("newmark_euler_parameters", Constraints::default()),
        ("newmark_rotation_vector", exact.clone()),
        ("trapezoidal", Constraints::default()),
        ("trapezoidal", exact.clone()),
        ("trapezoidal", baumgarte.clone()),
        ("trapezoidal", penalty.clone()),
        ("rk4", exact.clone()),
        ("rk4", baumgarte),
        ("rk4", penalty),
        ("rk4", with("partition", &[])),
        ("tsit5", exact.clone()),
        ("dop853", exact),
    ]
}

/// The settings with which a method comes to what the reference finds: that solves a Newmark step
/// until rounding stops it.
fn converged(method: &str) -> Options {
    match method {
        "newmark_euler_parameters" | "newmark_rotation_vector" => {
            Options::default().with("iterations", Setting::Count(12))
        }
        _ => Options::default(),
    }
}

/// Two bodies under gravity, loads and springs, all of whose numbers vary that leave the joints as
/// they are.
fn ensemble(mechanism: Mechanism, method: &'static str, constraints: &Constraints) -> Study {
    let gravity = mechanism.gravity;
    let mut study = study(mechanism.clone(), INSTANCES, H, STEPS).normal(Quantity::Gravity, gravity, 1.0);
    study.method.name = method;
    study.method.options = converged(method);
    study.method.resynchronise = if method.starts_with("staggered") { 7 } else { 0 };
    study.constraints = constraints.clone();
    for (load, described) in mechanism.loads.iter().enumerate() {
        for piece in 0..described.pieces.len() {
            study = study.normal(Quantity::LoadValue { load, piece }, [0.3; 3], 0.5);
        }
    }
    for (position, number) in mechanism.numbers().iter().enumerate() {
        let bounds = match (number.element, &*number.part) {
            (NumberOwner::Force, "stiffness") => [5.0, 30.0],
            (NumberOwner::Force, "damping") => [0.0, 2.0],
            (NumberOwner::Force, "free_length") => [0.5, 1.5],
            (NumberOwner::Force, "actuator") => [-1.0, 1.0],
            _ => continue,
        };
        study = study.uniform(Quantity::Number(position), [bounds[0]], [bounds[1]]);
    }
    for body in 0..2 {
        let first = study.ensemble.vary.len();
        study = study
            .uniform(Quantity::Inertia, [0.6; 3], [1.0; 3])
            .uniform(Quantity::Mass, [0.5], [2.0])
            .uniform(Quantity::CentreOfMass, [-0.2; 3], [0.2; 3]);
        study.ensemble.vary[first..].iter_mut().for_each(|vary| vary.target.body = body);
    }
    study
}

/// A chain with these joints; without the one to the ground it floats, or turns about a fixed
/// point.
fn mechanism(ground: Option<&'static JointCard>, pair: &'static JointCard, numbers: &[f64]) -> Mechanism {
    let mut draws = Draws::new(numbers.to_vec());
    let mut mechanism = chain(ground, pair, &mut draws);
    if ground.is_none() && draws.number() > 0.0 {
        // Held where it starts: the joint lets the other body follow.
        mechanism.bodies[0].support = Support::FixedPoint;
        let velocities = [0; 2].map(|_| (draws.vector(), 1.5 * draws.vector()));
        crate::common::mechanisms::set_going(&mut mechanism, &velocities);
    }
    push(&mut mechanism, &mut draws);
    mechanism
}

/// Differences on the CPU in f64, by the kernel in f64 if wanted, on the CPU in f32.
fn differences(study: Study, kernel: bool) -> [f64; 3] {
    let ready = Ready::new(study);
    let references: Vec<State> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
    let double = worst(&ready, &ready.on_cpu(Precision::F64, 1), &references);
    let by_kernel = if kernel { worst(&ready, &ready.on_gpu(Precision::F64), &references) } else { double };
    [double, by_kernel, worst(&ready, &ready.on_cpu(Precision::F32, 1), &references)]
}

/// Every way to hold joints with a covering set of their kinds, between ground and body and between
/// bodies, new ones in every run. The kernel has every kind once.
#[test]
fn any_mechanism_moves_as_the_reference_says_by_every_treatment() {
    let ways = ways();
    for (w, (method, constraints)) in ways.iter().enumerate() {
        // Twelve stages make long programs: fewer of them.
        let kinds = if *method == "dop853" { 2..4 } else { 0..CARDS.len() };
        let worst_of_all = Cell::new([0.0f64; 3]);
        let config = ProptestConfig { cases: 1, failure_persistence: None, ..ProptestConfig::default() };
        let numbers = prop::collection::vec(-1.0..1.0f64, NUMBERS);
        let result = TestRunner::new(config).run(&numbers, |numbers| {
            for k in third(w, kinds.clone()) {
                let pair = CARDS[k];
                // Every third chain is without a joint to the ground; the kinds of the others
                // differ from way to way.
                let ground = (!(k / 3 + w).is_multiple_of(3)).then_some(CARDS[(3 * k + w) % CARDS.len()]);
                let mechanism = mechanism(ground, pair, &numbers);
                let study = ensemble(mechanism, method, constraints);
                let found = differences(study, k % (ways.len() - 1) == w);
                let so_far = worst_of_all.get();
                worst_of_all.set(std::array::from_fn(|k| so_far[k].max(found[k])));
                let per_step = [REFERENCE_PER_STEP, REFERENCE_PER_STEP, SINGLE_REFERENCE_PER_STEP];
                for (found, per_step) in found.into_iter().zip(per_step) {
                    let holds = found <= per_step * STEPS as f64;
                    prop_assert!(
                        holds,
                        "{method} {}, {ground:?}, {pair:?}: {found:e}",
                        constraints.treatment
                    );
                }
            }
            Ok(())
        });
        let [cpu, kernel, single] = worst_of_all.get();
        println!("{method} {}: f64 {cpu:.1e}, kernel {kernel:.1e}, f32 {single:.1e}", constraints.treatment);
        if let Err(error) = result {
            panic!("{error}");
        }
    }
}

/// The engine itself against the reference solution of the double pendulum, before chaos, with the
/// settings that a study has if it names none.
#[test]
fn double_pendulum_is_of_second_order() {
    let solution = SolutionPair::read("double_pendulum");
    let t = 0.5;
    let index = solution.times.iter().position(|time| (time - t).abs() < 1e-9).expect("0.5 s");
    let points: Vec<(f64, f64)> = [100, 200, 400, 800]
        .map(|steps| {
            let h = t / steps as f64;
            let mut study = study(double_pendulum(), 1, h, steps);
            study.method.resynchronise = 0;
            let ready = Ready::new(study);
            let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &CHANNELS).remove(0);
            let errors = solution.states[index].iter().enumerate().map(|(b, solution)| {
                let vector = |at: usize| std::array::from_fn(|k| found[at + 3 * b + k]);
                let attitude = std::array::from_fn(|k| found[4 * b + k]);
                attitude_distance(attitude, solution.attitude)
                    .max(distance(vector(8), solution.angular_velocity))
                    .max(distance(vector(14), solution.position))
                    .max(distance(vector(20), solution.velocity))
            });
            (h, errors.fold(0.0, f64::max))
        })
        .to_vec();
    println!("slope {} {points:?}", slope(&points));
    assert!((slope(&points) - 2.0).abs() < PENDULUM_ORDER, "{} {points:?}", slope(&points));
}
