//! The engine against reference solutions and against the independent reference.

use std::cell::Cell;

use crate::common::engine::{Outcome, Ready};
use crate::common::judged::reference;
use crate::common::methods::variants;
use crate::common::solutions::Solution;
use crate::common::study::{Varied, study};
use crate::common::tolerances::{
    ORDER, REFERENCE_PER_STEP, SINGLE, SINGLE_AGAINST_REFERENCE, SINGLE_REFERENCE_PER_STEP,
};
use crate::common::{attitude_distance, distance, force, free_body, heavy_top, hulbert51, slope, torque};
use polhode::base::{Precision, Setting};
use polhode::describe::{Axes, Channel, InertiaAbout, Load, Mechanism, Quantity, Study, Support};
use polhode::observe::channels;
use polhode::reference::State;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

const CHANNELS: [Channel; 6] = [
    channels::ATTITUDE,
    channels::ANGULAR_VELOCITY,
    channels::POSITION,
    channels::VELOCITY,
    channels::ENERGY,
    channels::ANGULAR_MOMENTUM,
];

fn part<const N: usize>(row: &[f64], at: usize) -> [f64; N] {
    std::array::from_fn(|k| row[at + k])
}

/// Attitude and angular velocity of the only instance after `steps` steps of `h` (s).
fn end(
    mechanism: &Mechanism,
    h: f64,
    steps: u64,
    resynchronise: u64,
    precision: Precision,
) -> ([f64; 4], [f64; 3]) {
    let mut study = study(mechanism.clone(), 1, h, steps);
    study.method.resynchronise = resynchronise;
    let ready = Ready::new(study);
    let row = ready.observe(&ready.on_cpu(precision, 1), &CHANNELS).remove(0);
    (part(&row, 0), part(&row, 4))
}

/// The error, the larger of those in attitude and angular velocity, falls with the square of the
/// step.
fn assert_second_order(mechanism: &Mechanism, solution: &Solution, t: f64, coarse: f64, parts: &[u32]) {
    let index = solution.at(t);
    let errors: Vec<(f64, f64)> = parts
        .iter()
        .map(|parts| {
            let h = coarse / f64::from(*parts);
            let (q, w) = end(mechanism, h, (t / h).round() as u64, 0, Precision::F64);
            let attitude = attitude_distance(q, solution.attitude[index]);
            (h, attitude.max(distance(w, solution.angular_velocity[index])))
        })
        .collect();
    println!("{}: slope {}", solution.file, slope(&errors));
    assert!((slope(&errors) - 2.0).abs() < ORDER, "{} {} {errors:?}", solution.file, slope(&errors));
}

fn reference_free_body() -> (Mechanism, Solution) {
    let solution = Solution::read("free_J5_10_1", None);
    let (q, w) = (solution.initial_attitude, solution.initial_angular_velocity);
    (free_body([5.0, 10.0, 1.0], q, w), solution)
}

#[test]
fn free_body_is_of_second_order() {
    let (mechanism, solution) = reference_free_body();
    assert_second_order(&mechanism, &solution, 10.0, 0.01, &[1, 2, 4, 8, 16]);
}

#[test]
fn heavy_top_is_of_second_order() {
    let solution = Solution::read("hulbert52_kasti_top", None);
    let (q, w) = (solution.initial_attitude, solution.initial_angular_velocity);
    let top = heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, q, w);
    assert_second_order(&top, &solution, 2.0, 0.002, &[1, 2, 4, 8, 16]);
    let solution = Solution::read("hulbert52_top_J_about_cm", None);
    let top = heavy_top([5.0, 5.0, 1.0], InertiaAbout::MassCentre, q, w);
    assert_second_order(&top, &solution, 2.0, 0.002, &[1, 2, 4, 8, 16]);
}

#[test]
fn hulbert_5_1_is_of_second_order_with_jumps_on_the_grid() {
    for (axes, reading) in [(Axes::Space, "spatial_disturbance"), (Axes::Body, "body_disturbance")] {
        for (dt, file) in [(0.01, "hulbert51_dt0.01"), (0.001, "hulbert51_dt0.001")] {
            let solution = Solution::read(file, Some(reading));
            assert_second_order(&hulbert51(dt, axes), &solution, 10.0, dt, &[1, 2, 4, 8]);
        }
    }
}

/// Single precision: near the double of the same steps, and near the reference solution.
#[test]
fn free_body_in_single_precision() {
    let (mechanism, solution) = reference_free_body();
    let index = solution.at(10.0);
    let (q, w) = end(&mechanism, 0.002, 5000, 200, Precision::F32);
    let (q64, w64) = end(&mechanism, 0.002, 5000, 200, Precision::F64);
    let rounding = attitude_distance(q, q64).max(distance(w, w64));
    let error =
        attitude_distance(q, solution.attitude[index]).max(distance(w, solution.angular_velocity[index]));
    println!("rounding {rounding:e}, error {error:e}");
    assert!(rounding < SINGLE, "{rounding:e}");
    assert!(error < SINGLE_AGAINST_REFERENCE, "{error:e}");
}

// --- Against the
// reference ---------------------------------------------------------------------------------

/// Instances of each random mechanism.
const INSTANCES: u64 = 250;
const STEPS: u64 = 20;
const H: f64 = 0.01;

fn vector(reach: f64) -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-reach..reach)
}

fn some_axes() -> impl Strategy<Value = Axes> {
    prop_oneof![Just(Axes::Body), Just(Axes::Space)]
}

/// A force or torque that acts always, or over two pieces that begin and end anywhere, grid points
/// included.
fn some_load() -> impl Strategy<Value = Load> {
    let pieces = prop_oneof![
        Just(vec![(0.0, f64::INFINITY)]),
        (0.0f64..0.1, 0.0f64..0.1).prop_map(|(a, b)| vec![(a, a + b), (a + b, f64::INFINITY)]),
        Just(vec![(0.03, 0.05), (0.11, 0.15)]),
    ];
    (some_axes(), pieces, vector(0.3), vector(2.0), vector(2.0), any::<bool>()).prop_map(
        |(axes, pieces, point, a, b, is_force)| {
            let pieces: Vec<_> =
                pieces.into_iter().zip([a, b]).map(|((s, e), value)| (s, e, value)).collect();
            if is_force { force("force", axes, point, &pieces) } else { torque("torque", axes, &pieces) }
        },
    )
}

fn some_mechanism() -> impl Strategy<Value = Mechanism> {
    let inertia = (prop::array::uniform3(3.0f64..5.0), prop_oneof![vector(0.6), Just([0.0; 3])]);
    let support = prop_oneof![Just(Support::Free), Just(Support::FixedPoint)];
    let about = prop_oneof![Just(InertiaAbout::MassCentre), Just(InertiaAbout::Origin)];
    let gravity = prop_oneof![vector(10.0), Just([0.0; 3])];
    let loads = prop::collection::vec(some_load(), 0..4);
    (inertia, support, about, vector(0.2), gravity, loads, some_axes()).prop_map(
        |((d, o), support, about, centre, gravity, loads, axes)| {
            let mut mechanism = free_body([1.0; 3], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
            let body = &mut mechanism.bodies[0];
            body.inertia = [[d[0], o[0], o[1]], [o[0], d[1], o[2]], [o[1], o[2], d[2]]];
            body.inertia_about = about;
            body.centre_of_mass = centre;
            body.support = support;
            body.initial.angular_velocity_axes = axes;
            mechanism.gravity = gravity;
            mechanism.loads = loads;
            mechanism
        },
    )
}

/// All that can vary, varied, or only the start.
fn ensemble(mechanism: Mechanism, all: bool) -> Study {
    let free = mechanism.bodies[0].support == Support::Free;
    let gravity = mechanism.gravity;
    let loads: Vec<usize> = mechanism.loads.iter().map(|load| load.pieces.len()).collect();
    let mut study = study(mechanism, INSTANCES, H, STEPS)
        .any_attitude()
        .normal(Quantity::AngularVelocity, [0.0; 3], 3.0)
        .normal(Quantity::Position, [0.0; 3], 1.0);
    study.method.resynchronise = 7;
    if free {
        study = study.normal(Quantity::Velocity, [0.0; 3], 1.0);
    }
    if !all {
        return study;
    }
    study = study
        .uniform(Quantity::Inertia, [3.0; 3], [5.0; 3])
        .uniform(Quantity::Mass, [0.5], [2.0])
        .uniform(Quantity::CentreOfMass, [-0.2; 3], [0.2; 3])
        .normal(Quantity::Gravity, gravity, 1.0);
    for (load, pieces) in loads.into_iter().enumerate() {
        for piece in 0..pieces {
            study = study.normal(Quantity::LoadValue { load, piece }, [0.3; 3], 1.0);
        }
    }
    study
}

/// The largest relative difference of any channel of any instance.
fn worst(ready: &Ready, outcome: &Outcome, references: &[State]) -> f64 {
    let rows = ready.observe(outcome, &CHANNELS);
    let relative = |a: [f64; 3], b: [f64; 3]| distance(a, b) / b.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    let mut worst = 0.0f64;
    for (row, state) in rows.iter().zip(references) {
        let differences = [
            attitude_distance(part(row, 0), state.bodies[0].attitude),
            relative(part(row, 4), state.bodies[0].angular_velocity),
            relative(part(row, 7), state.bodies[0].position),
            relative(part(row, 10), state.bodies[0].velocity),
            (row[13] - state.energy).abs() / state.energy.abs().max(1.0),
            relative(part(row, 14), state.angular_momentum),
        ];
        for difference in differences {
            // NaN is the worst.
            worst = if difference <= worst { worst } else { difference };
        }
    }
    worst
}

/// Runs the test on mechanisms and on whether all varies.
fn for_any_body(cases: u32, test: impl Fn(Mechanism, bool) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let strategy = (some_mechanism(), any::<bool>());
    let result = TestRunner::new(config).run(&strategy, |(mechanism, all)| test(mechanism, all));
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Four mechanisms of 250 instances for every method on the CPU, the first by the kernel too, in
/// both precisions.
#[test]
fn any_body_moves_as_the_reference_says_by_every_method() {
    for variant in variants() {
        // The reference solves the balance of momentum to convergence; two Newton iterations of
        // large steps do not.
        let converged = match variant.name {
            "newmark_euler_parameters" | "newmark_rotation_vector" => {
                variant.clone().with("iterations", Setting::Count(5))
            }
            _ => variant.clone(),
        };
        let worst_of_all = Cell::new([0.0f64; 3]);
        let is_first = Cell::new(true);
        for_any_body(4, |mechanism, all| {
            let ready = Ready::new(converged.apply(ensemble(mechanism, all)));
            let references: Vec<State> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
            let double = worst(&ready, &ready.on_cpu(Precision::F64, 1), &references);
            let by_kernel = match is_first.replace(false) {
                true => worst(&ready, &ready.on_gpu(Precision::F64), &references),
                false => double,
            };
            let found = [double, by_kernel, worst(&ready, &ready.on_cpu(Precision::F32, 1), &references)];
            let so_far = worst_of_all.get();
            worst_of_all.set(std::array::from_fn(|k| so_far[k].max(found[k])));
            let per_step = [REFERENCE_PER_STEP, REFERENCE_PER_STEP, SINGLE_REFERENCE_PER_STEP];
            for (found, per_step) in found.into_iter().zip(per_step) {
                prop_assert!(found <= per_step * STEPS as f64, "{}: {found:e}", variant.label());
            }
            Ok(())
        });
        let [cpu, kernel, single] = worst_of_all.get();
        println!("{}: f64 {cpu:.1e}, kernel {kernel:.1e}, f32 {single:.1e}", variant.label());
    }
}
