//! The reference of mechanisms judged: Jacobians by differences, ranks, invariants, a reference
//! solution.

use crate::common::mechanisms::{
    Draws, NUMBERS, chain, loop_of_hinges, numerical_rank, push, rank, some_body, some_joint,
};
use crate::common::rest::carried_on;
use crate::common::solutions::SolutionPair;
use crate::common::tolerances::{
    ACCURATE_PENDULUM, DIFFERENCES, INVARIANT_OF_MECHANISM, PENDULUM_ORDER, PROJECTED, TAYLOR,
};
use crate::common::{attitude_distance, distance, norm, slope};
use nalgebra::{DVector, Vector3};
use polhode::base::{Options, Setting};
use polhode::describe::{Attached, Constraints, Mechanism, Point};
use polhode::elements::joints::{CARDS, UNIVERSAL};
use polhode::elements::spring::Spring;
use polhode::reference::body::Motion;
use polhode::reference::methods::{self, Schedule};
use polhode::reference::system::MultibodySystem;
use polhode::reference::{Instance, ReferenceError, State, accurate};
use polhode::study::yardsticks::double_pendulum;
use proptest::prelude::*;

fn system(mechanism: &Mechanism) -> MultibodySystem {
    MultibodySystem::new(mechanism, &Instance::nominal(mechanism)).unwrap()
}

fn start(mechanism: &Mechanism) -> (MultibodySystem, Vec<Motion>) {
    let system = system(mechanism);
    let motions = system.start(mechanism, &Instance::nominal(mechanism)).unwrap();
    (system, motions)
}

fn draws() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0f64, NUMBERS)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any positions, assembled or not: the columns of B, `B u` and `Bdot u` against central
    /// differences of Phi and B u.
    #[test]
    fn derivatives_of_every_joint_are_those_of_its_violation(numbers in draws()) {
        for &kind in CARDS {
            for bodies in [[Some(0), Some(1)], [None, Some(1)], [Some(0), None]] {
                let mut draws = Draws::new(numbers.clone());
                let mut mechanism = crate::common::free_body([1.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
                mechanism.joints = vec![some_joint(kind, bodies, &mut draws)];
                mechanism.bodies = vec![some_body("a", &mut draws), some_body("b", &mut draws)];
                let system = system(&mechanism);
                let mut some = || {
                    let (r, v) = (draws.vector(), draws.vector());
                    Motion::rigid(r, v, draws.turn().into_inner(), 2.0 * draws.vector())
                };
                let motions = vec![some(), some()];
                let (b, u) = (system.jacobian(&motions), system.velocities(&motions));
                let found = system.constraints(&motions, 0.0);
                prop_assert!((&b * &u - &found.rate).amax() < TAYLOR, "{kind:?}");

                let s = 1e-5;
                let central = |f: &dyn Fn(&[Motion]) -> DVector<f64>| {
                    (f(&carried_on(&motions, s)) - f(&carried_on(&motions, -s))) / (2.0 * s)
                };
                let rate = central(&|m| system.constraints(m, 0.0).value);
                prop_assert!((&rate - &found.rate).amax() < DIFFERENCES, "{kind:?} B u");
                let second = central(&|m| system.jacobian(m) * &u);
                prop_assert!((&second - &found.second).amax() < DIFFERENCES, "{kind:?} Bdot u");
            }
        }
    }

    /// W84 table 6.1.
    #[test]
    fn every_joint_has_the_rank_of_the_table(numbers in draws()) {
        for &kind in CARDS {
            let mechanism = chain(None, kind, &mut Draws::new(numbers.clone()));
            let (system, motions) = start(&mechanism);
            let found = (system.rows(), numerical_rank(&system, &motions));
            prop_assert_eq!(found, (rank(kind), rank(kind)), "{:?}", kind);
            let violation = system.constraints(&motions, 0.0);
            prop_assert!(violation.value.amax() < PROJECTED && violation.rate.amax() < PROJECTED, "{kind:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two floating bodies keep energy and both momenta; with a joint to the ground and gravity and
    /// springs without dampers, energy.
    #[test]
    fn accurate_solution_keeps_the_invariants(numbers in draws()) {
        for &kind in CARDS {
            let floating = chain(None, kind, &mut Draws::new(numbers.clone()));
            let states = accurate(&floating, &[0.0, 0.5, 1.0]);
            for state in &states {
                let [energy, momentum] = changes(&floating, &states[0], state);
                let kept = energy.max(momentum) < INVARIANT_OF_MECHANISM;
                prop_assert!(kept, "{kind:?} {energy:e} {momentum:e}");
                let violation = state.constraint_violation;
                prop_assert!(violation < PROJECTED, "{kind:?} {violation:e}");
            }

            let mut draws = Draws::new(numbers.clone());
            let mut conserving = chain(Some(kind), &UNIVERSAL, &mut draws);
            push(&mut conserving, &mut draws);
            conserving.loads.clear();
            // Stiffness, damping, free length, actuator.
            conserving.forces.iter_mut().for_each(|spring| spring.numbers[1] = 0.0);
            let states = accurate(&conserving, &[0.0, 0.5, 1.0]);
            for state in &states {
                let energy = (state.energy - states[0].energy).abs();
                let allowed = INVARIANT_OF_MECHANISM * states[0].energy.abs().max(10.0);
            prop_assert!(energy < allowed, "{kind:?} {energy:e}");
                let violation = state.constraint_violation;
                prop_assert!(violation < PROJECTED, "{kind:?} {violation:e}");
            }
        }
    }
}

fn accurate(mechanism: &Mechanism, times: &[f64]) -> Vec<State> {
    accurate::run(mechanism, &Instance::nominal(mechanism), times, accurate::TOLERANCE).unwrap().states
}

/// Relative changes of energy, and of linear and angular momentum, by what is reported alone.
fn changes(mechanism: &Mechanism, first: &State, now: &State) -> [f64; 2] {
    let momentum = |state: &State| -> Vector3<f64> {
        let parts = mechanism.bodies.iter().zip(&state.bodies);
        parts
            .map(|(body, state)| {
                let q = polhode::reference::rotation::quaternion(state.attitude);
                let turning =
                    Vector3::from(state.angular_velocity).cross(&Vector3::from(body.centre_of_mass));
                let v = Vector3::from(state.velocity) + polhode::reference::rotation::lam(q) * turning;
                body.mass * v
            })
            .sum()
    };
    let linear = (momentum(now) - momentum(first)).norm() / momentum(first).norm().max(1.0);
    let angular =
        distance(now.angular_momentum, first.angular_momentum) / norm(first.angular_momentum).max(1.0);
    [(now.energy / first.energy - 1.0).abs(), linear.max(angular)]
}

// --- Redundant
// rows ----------------------------------------------------------------------------------------

/// Four hinges with parallel axes: 20 rows of rank 17.
fn four_bar() -> Mechanism {
    let up = [0.2, 0.3, 1.0];
    loop_of_hinges(&[[0.0, 0.0, 0.0], [0.2, 1.0, -0.34], [1.5, 1.3, -0.69], [1.8, 0.1, -0.39]], &[up; 4])
}

/// Bricard's linkage of six hinges along the edges of a cube: 30 rows of rank 29.
fn bricard() -> Mechanism {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.0, 0.0, 1.0],
    ];
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    loop_of_hinges(&corners, &[y, z, x, y, z, x])
}

#[test]
fn closed_loops_have_their_known_ranks() {
    for (mechanism, rows, rank) in [(four_bar(), 20, 17), (bricard(), 30, 29)] {
        let (system, motions) = start(&mechanism);
        assert!(system.constraints(&motions, 0.0).value.amax() < PROJECTED);
        assert_eq!((system.rows(), numerical_rank(&system, &motions)), (rows, rank));
    }
}

/// Redundant rows do not stop the accurate solution: energy stays under gravity, the loop stays
/// closed.
#[test]
fn closed_loops_move_and_keep_their_energy() {
    for mut mechanism in [four_bar(), bricard()] {
        mechanism.gravity = [0.3, -2.0, -9.81];
        let states = accurate(&mechanism, &[0.0, 0.3, 0.6]);
        let moved = distance(states[2].bodies[1].position, states[0].bodies[1].position);
        assert!(moved > 0.05, "{moved}");
        for state in &states {
            println!("{:e} {:e}", state.energy - states[0].energy, state.constraint_violation);
            assert!((state.energy - states[0].energy).abs() < INVARIANT_OF_MECHANISM * 100.0);
            assert!(state.constraint_violation < PROJECTED);
        }
    }
}

// --- The reference double
// pendulum -------------------------------------------------------------------------

/// The largest error of positions of the mass centres, velocities, attitudes and angular
/// velocities.
fn error(state: &State, solution: &SolutionPair, index: usize) -> f64 {
    (0..2)
        .map(|b| {
            let (state, p) = (&state.bodies[b], &solution.states[index][b]);
            distance(state.position, p.position)
                .max(distance(state.velocity, p.velocity))
                .max(attitude_distance(state.attitude, p.attitude))
                .max(distance(state.angular_velocity, p.angular_velocity))
        })
        .fold(0.0, f64::max)
}

#[test]
fn accurate_solution_meets_the_reference_double_pendulum() {
    let solution = SolutionPair::read("double_pendulum");
    let states = accurate(&double_pendulum(), &solution.times);
    for (index, state) in states.iter().enumerate() {
        let error = error(state, &solution, index);
        println!("{} s: {error:e}, energy {:e}", state.time, state.energy - solution.energy[index]);
        // Motion is chaotic: an error grows some tenfold in a second and a half.
        let tolerance = ACCURATE_PENDULUM * (1.0 + (0.9 * (state.time - 4.0)).exp());
        assert!(error < tolerance, "{} s: {error:e}", state.time);
        assert!(state.constraint_violation < PROJECTED);
    }
}

/// Order 2 by every treatment, before chaos makes errors of their own.
#[test]
fn staggered_method_is_of_second_order_on_the_double_pendulum() {
    let solution = SolutionPair::read("double_pendulum");
    let mechanism = double_pendulum();
    let index = solution.times.iter().position(|t| (t - 0.5).abs() < 1e-9).expect("0.5 s");
    let staggered = Options::default().with("eps", Setting::Number(1e-10));
    for (treatment, options) in
        [("staggered", staggered), ("exact", Options::default()), ("baumgarte", Options::default())]
    {
        let constraints = Constraints { treatment, options, project: 0 };
        let points: Vec<(f64, f64)> = [100, 200, 400, 800]
            .map(|steps| {
                let h = 0.5 / steps as f64;
                let schedule = Schedule { h, steps, resynchronise: 0, every: steps };
                let instance = Instance::nominal(&mechanism);
                let options = Options::default();
                let run = methods::run("staggered", &options, &constraints, &mechanism, &instance, schedule);
                (h, error(&run.unwrap().states[1], &solution, index))
            })
            .to_vec();
        println!("{treatment}: {} {points:?}", slope(&points));
        assert!((slope(&points) - 2.0).abs() < PENDULUM_ORDER, "{treatment} {} {points:?}", slope(&points));
    }
}

/// A damper at the mean of the old and the new rate keeps the order: 2 of the staggered method, as
/// RK4 with the same treatment is of order 4. (`tests/cpu/damping.rs` has every kind of damping.)
#[test]
fn dampers_keep_the_staggered_method_of_second_order() {
    let mut mechanism = double_pendulum();
    let points = [Point { body: None, at: [1.0, 1.0, 1.0] }, Point { body: Some(1), at: [0.5, 0.0, 0.0] }];
    let damper = Spring { stiffness: 10.0, damping: 1.0, free_length: 1.0, actuator: 0.0 };
    mechanism.forces = vec![damper.force("damper", Attached::Points(points))];
    let exact = &accurate(&mechanism, &[0.5])[0];
    for (method, order) in [("staggered", 2.0), ("rk4", 4.0)] {
        let constraints = Constraints { treatment: "exact", options: Options::default(), project: 0 };
        let points: Vec<(f64, f64)> = [100, 200, 400, 800]
            .map(|steps| {
                let h = 0.5 / steps as f64;
                let schedule = Schedule { h, steps, resynchronise: 0, every: steps };
                let instance = Instance::nominal(&mechanism);
                let options = Options::default();
                let run = methods::run(method, &options, &constraints, &mechanism, &instance, schedule);
                let state = run.unwrap().states.remove(1);
                (h, distance(state.bodies[1].position, exact.bodies[1].position))
            })
            .to_vec();
        println!("{method}: {} {points:?}", slope(&points));
        assert!((slope(&points) - order).abs() < PENDULUM_ORDER, "{method} {} {points:?}", slope(&points));
    }
}

// --- What is
// refused ---------------------------------------------------------------------------------------

#[test]
fn what_a_method_does_not_take_is_refused_by_name() {
    let mechanism = double_pendulum();
    let refused = |method: &str, treatment: &'static str| {
        let once = Schedule { h: 0.01, steps: 1, resynchronise: 0, every: 1 };
        let constraints = Constraints { treatment, options: Options::default(), project: 0 };
        let instance = Instance::nominal(&mechanism);
        methods::run(method, &Options::default(), &constraints, &mechanism, &instance, once).unwrap_err()
    };
    let name = |method: &str| method.to_string();
    assert_eq!(refused("rk4", "staggered"), ReferenceError::NoMultipliers { name: name("rk4") });
    assert_eq!(refused("staggered", "glue"), ReferenceError::UnknownTreatment { name: "glue" });
}
