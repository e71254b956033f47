//! The reference judged: against reference solutions, invariants, closed forms, and each part
//! against the others.

use crate::common::solutions::Solution;
use crate::common::tolerances::{
    ACCURATE, ACCURATE_NEAR_SEPARATRIX, CLOSED_FORM, CLOSED_FORM_NEAR_SEPARATRIX, IMPULSE, INVARIANT, ORDER,
    SAME_METHOD_MOTION, SAME_MOTION,
};
use crate::common::{
    attitude_distance, distance, force, free_body, heavy_top, hulbert51, norm, slope, torque,
};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use polhode::base::Options;
use polhode::describe::{Axes, Constraints, InertiaAbout, Mechanism, Support};
use polhode::reference::free_body::FreeBody;
use polhode::reference::methods::{self, METHODS, Schedule};
use polhode::reference::{Instance, ReferenceError, State, Trajectory, accurate};
use proptest::prelude::*;

const HULBERT: [f64; 3] = [5.0, 10.0, 1.0];
const TOP: [f64; 3] = [5.0, 5.0, 1.0];

fn accurate(mechanism: &Mechanism, times: &[f64]) -> Vec<State> {
    accurate::run(mechanism, &Instance::nominal(mechanism), times, accurate::TOLERANCE).unwrap().states
}

fn stagger(mechanism: &Mechanism, h: f64, steps: u64, resynchronise: u64, every: u64) -> Trajectory {
    let schedule = Schedule { h, steps, resynchronise, every };
    run_staggered(mechanism, &Instance::nominal(mechanism), schedule).unwrap()
}

fn run_staggered(
    mechanism: &Mechanism,
    instance: &Instance,
    schedule: Schedule,
) -> Result<Trajectory, ReferenceError> {
    methods::run("staggered", &Options::default(), &Constraints::default(), mechanism, instance, schedule)
}

fn reference_free_body(solution: &Solution) -> Mechanism {
    free_body(HULBERT, solution.initial_attitude, solution.initial_angular_velocity)
}

fn reference_top(solution: &Solution, about: InertiaAbout) -> Mechanism {
    heavy_top(TOP, about, solution.initial_attitude, solution.initial_angular_velocity)
}

/// The larger of the errors in q and w.
fn error(state: &State, solution: &Solution, index: usize) -> f64 {
    attitude_distance(state.bodies[0].attitude, solution.attitude[index])
        .max(distance(state.bodies[0].angular_velocity, solution.angular_velocity[index]))
}

fn assert_accurate(mechanism: &Mechanism, solution: &Solution, tolerance: f64) {
    for (index, state) in accurate(mechanism, &solution.times).iter().enumerate() {
        let error = error(state, solution, index);
        assert!(error < tolerance, "{} at {} s: {error:e}", solution.file, state.time);
    }
}

// --- The accurate
// solution ---------------------------------------------------------------------------------

#[test]
fn dop853_meets_the_reference_free_bodies() {
    let solution = Solution::read("free_J5_10_1", None);
    assert_accurate(&reference_free_body(&solution), &solution, ACCURATE);
    let solution = Solution::read("free_J5_10_1_near_intermediate", None);
    assert_accurate(&reference_free_body(&solution), &solution, ACCURATE_NEAR_SEPARATRIX);
}

#[test]
fn dop853_meets_hulbert_5_1_in_both_readings() {
    for (dt, file) in [(0.01, "hulbert51_dt0.01"), (0.001, "hulbert51_dt0.001")] {
        for (axes, reading) in [(Axes::Space, "spatial_disturbance"), (Axes::Body, "body_disturbance")] {
            let solution = Solution::read(file, Some(reading));
            assert_accurate(&hulbert51(dt, axes), &solution, ACCURATE_NEAR_SEPARATRIX);
        }
    }
}

#[test]
fn dop853_meets_the_reference_heavy_tops() {
    let solution = Solution::read("hulbert52_kasti_top", None);
    assert_accurate(&reference_top(&solution, InertiaAbout::Origin), &solution, ACCURATE);
    let solution = Solution::read("hulbert52_top_J_about_cm", None);
    assert_accurate(&reference_top(&solution, InertiaAbout::MassCentre), &solution, ACCURATE);
}

#[test]
fn free_body_keeps_energy_and_momentum() {
    let mechanism = free_body(HULBERT, [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    let states = accurate(&mechanism, &[0.0, 1.0, 10.0, 100.0]);
    for state in &states {
        assert!((state.energy / states[0].energy - 1.0).abs() < INVARIANT);
        let change = distance(state.angular_momentum, states[0].angular_momentum);
        assert!(change < INVARIANT * norm(states[0].angular_momentum));
    }
}

#[test]
fn heavy_top_keeps_energy_and_vertical_momentum_and_its_reference_values() {
    let solution = Solution::read("hulbert52_kasti_top", None);
    let states = accurate(&reference_top(&solution, InertiaAbout::Origin), &[0.0, 1.0, 20.0]);
    for state in &states {
        assert!((state.energy / 1_269.106_729_782_512 - 1.0).abs() < INVARIANT);
        assert!((state.angular_momentum[2] / 47.766_824_456_280_29 - 1.0).abs() < INVARIANT);
        // The spin of a symmetric top is constant.
        assert!((state.bodies[0].angular_velocity[2] / 50.0 - 1.0).abs() < INVARIANT);
    }
}

#[test]
fn thrown_body_falls_on_a_parabola_while_it_turns() {
    let mut mechanism = free_body(HULBERT, [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    mechanism.gravity = [0.3, 0.0, -9.81];
    mechanism.bodies[0].centre_of_mass = [0.1, -0.2, 0.3];
    mechanism.bodies[0].initial.velocity = [1.0, 2.0, 3.0];
    let by_staggered = stagger(&mechanism, 0.001, 1000, 0, 1000).states;
    let by_dop853 = accurate(&mechanism, &[0.0, 1.0]);
    let mass_centre = |state: &State| {
        let q = state.bodies[0].attitude;
        let q = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        let c = Vector3::from(mechanism.bodies[0].centre_of_mass);
        let w = Vector3::from(state.bodies[0].angular_velocity);
        let velocity = Vector3::from(state.bodies[0].velocity) + q * w.cross(&c);
        (Vector3::from(state.bodies[0].position) + q * c, velocity)
    };
    let (r0, v0) = mass_centre(&by_dop853[0]);
    let g = Vector3::from(mechanism.gravity);
    for state in [&by_staggered[1], &by_dop853[1]] {
        let (r, v) = mass_centre(state);
        assert!((r - (r0 + v0 + 0.5 * g)).norm() < SAME_MOTION);
        assert!((v - (v0 + g)).norm() < SAME_MOTION);
        assert!((state.energy - by_dop853[0].energy).abs() < 1e-3);
    }
}

#[test]
fn force_at_a_point_is_a_force_and_a_torque() {
    let mut pushed = free_body(HULBERT, [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    pushed.bodies[0].centre_of_mass = [0.1, -0.2, 0.3];
    let mut replaced = pushed.clone();
    let f = [2.0, -1.0, 0.5];
    pushed.loads = vec![force("thruster", Axes::Body, [0.4, 0.0, -0.2], &[(0.2, 0.7, f)])];
    let arm = Vector3::new(0.4, 0.0, -0.2) - Vector3::from(replaced.bodies[0].centre_of_mass);
    replaced.loads = vec![
        force("thrust", Axes::Body, replaced.bodies[0].centre_of_mass, &[(0.2, 0.7, f)]),
        torque("moment", Axes::Body, &[(0.2, 0.7, arm.cross(&Vector3::from(f)).into())]),
    ];
    let (a, b) = (accurate(&pushed, &[1.0]), accurate(&replaced, &[1.0]));
    assert_same_motion(&a[0], &b[0], SAME_MOTION);
}

#[test]
fn weight_on_a_fixed_point_is_a_space_force_at_the_mass_centre() {
    let top = heavy_top([5.0, 4.0, 1.0], InertiaAbout::Origin, [0.9, 0.3, 0.1, 0.2], [0.5, 1.0, 9.0]);
    let mut weighed = top.clone();
    weighed.gravity = [0.0; 3];
    weighed.loads =
        vec![force("weight", Axes::Space, [0.0, 0.0, 1.0], &[(0.0, f64::INFINITY, [0.0, 0.0, -20.0])])];
    let (a, b) = (accurate(&top, &[2.0]), accurate(&weighed, &[2.0]));
    assert!(attitude_distance(a[0].bodies[0].attitude, b[0].bodies[0].attitude) < SAME_MOTION);
    let (a, b) = (stagger(&top, 0.001, 2000, 200, 2000), stagger(&weighed, 0.001, 2000, 200, 2000));
    assert!(
        attitude_distance(a.states[1].bodies[0].attitude, b.states[1].bodies[0].attitude)
            < SAME_METHOD_MOTION
    );
}

#[test]
fn space_torque_adds_its_impulse_to_the_spatial_momentum() {
    let mut mechanism = free_body(HULBERT, [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    mechanism.loads = vec![torque("push", Axes::Space, &[(0.1234, 0.9876, [1.0, -2.0, 3.0])])];
    let states = accurate(&mechanism, &[0.0, 1.0]);
    let gained = Vector3::from(states[1].angular_momentum) - Vector3::from(states[0].angular_momentum);
    let impulse = Vector3::new(1.0, -2.0, 3.0) * (0.9876 - 0.1234);
    assert!((gained - impulse).norm() < SAME_MOTION);
}

// --- The closed
// form ---------------------------------------------------------------------------------------

#[test]
fn closed_form_meets_the_reference_free_bodies() {
    for (file, tolerance) in
        [("free_J5_10_1", CLOSED_FORM), ("free_J5_10_1_near_intermediate", CLOSED_FORM_NEAR_SEPARATRIX)]
    {
        let solution = Solution::read(file, None);
        let free =
            FreeBody::new(HULBERT, solution.initial_attitude, solution.initial_angular_velocity).unwrap();
        for (index, &time) in solution.times.iter().enumerate() {
            let error = attitude_distance(free.attitude(time), solution.attitude[index])
                .max(distance(free.angular_velocity(time), solution.angular_velocity[index]));
            assert!(error < tolerance, "{file} at {time} s: {error:e}");
        }
    }
}

// --- The staggered
// method ----------------------------------------------------------------------------------

#[test]
fn staggered_free_body_is_of_second_order() {
    let solution = Solution::read("free_J5_10_1", None);
    let index = solution.at(10.0);
    let mechanism = reference_free_body(&solution);
    let points: Vec<(f64, f64)> = [1000, 2000, 4000, 8000, 16000]
        .map(|steps| {
            let h = 10.0 / steps as f64;
            (h, error(&stagger(&mechanism, h, steps, 0, steps).states[1], &solution, index))
        })
        .to_vec();
    assert!((slope(&points) - 2.0).abs() < ORDER, "{} {points:?}", slope(&points));
}

#[test]
fn staggered_heavy_top_is_of_second_order() {
    let solution = Solution::read("hulbert52_kasti_top", None);
    let index = solution.at(2.0);
    let mechanism = reference_top(&solution, InertiaAbout::Origin);
    let points: Vec<(f64, f64)> = [1000, 2000, 4000, 8000, 16000]
        .map(|steps| {
            let h = 2.0 / steps as f64;
            (h, error(&stagger(&mechanism, h, steps, 0, steps).states[1], &solution, index))
        })
        .to_vec();
    assert!((slope(&points) - 2.0).abs() < ORDER, "{} {points:?}", slope(&points));
}

#[test]
fn staggered_hulbert_5_1_is_of_second_order_with_jumps_on_the_grid() {
    for (dt, file) in [(0.01, "hulbert51_dt0.01"), (0.001, "hulbert51_dt0.001")] {
        let solution = Solution::read(file, Some("spatial_disturbance"));
        let index = solution.at(10.0);
        let mechanism = hulbert51(dt, Axes::Space);
        let points: Vec<(f64, f64)> = [1, 2, 4, 8]
            .map(|parts| {
                let h = dt / f64::from(parts);
                let steps = (10.0 / h).round() as u64;
                (h, error(&stagger(&mechanism, h, steps, 0, steps).states[1], &solution, index))
            })
            .to_vec();
        assert!((slope(&points) - 2.0).abs() < ORDER, "{file} {} {points:?}", slope(&points));
    }
}

/// Between grid points the constant depends on where in a step the jumps lie, so the slope is
/// ragged; the bound on error/h² is not. It holds once the pulse lasts longer than a step.
/// Measured: at most 100.
#[test]
fn staggered_hulbert_5_1_keeps_second_order_with_jumps_off_the_grid() {
    let solution = Solution::read("hulbert51_dt0.01", Some("spatial_disturbance"));
    let index = solution.at(3.0);
    let mechanism = hulbert51(0.01, Axes::Space);
    for steps in [429, 857, 1714, 3431, 6857, 13717, 27431] {
        let h = 3.0 / steps as f64;
        let error = error(&stagger(&mechanism, h, steps, 0, steps).states[1], &solution, index);
        assert!(error < 300.0 * h * h, "h = {h}: {error:e} = {} h²", error / (h * h));
    }
}

/// Known weakness: a pulse shorter than a step leaves the chains apart, each with an error that the
/// other balances. A restart keeps the integer chain's alone, which here puts the body on the other
/// side of the separatrix.
#[test]
fn known_weakness_resynchronising_split_chains_keeps_one_chains_error() {
    let solution = Solution::read("hulbert51_dt0.001", Some("spatial_disturbance"));
    let index = solution.at(5.0);
    let mechanism = hulbert51(0.001, Axes::Space);
    let steps = 1667;
    let with = |resynchronise| {
        let state = &stagger(&mechanism, 5.0 / steps as f64, steps, resynchronise, steps).states[1];
        attitude_distance(state.bodies[0].attitude, solution.attitude[index])
    };
    assert!(with(0) < 0.1, "{}", with(0));
    assert!(with(200) > 0.5, "{}", with(200));
}

#[test]
fn impulse_is_exact_wherever_a_jump_lies_in_a_step() {
    let mut mechanism = free_body(HULBERT, [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    mechanism.loads = vec![torque("spin-up", Axes::Body, &[(0.1234, 0.9876, [20.0, 0.0, 0.0])])];
    for steps in [100, 333, 1001] {
        let end = &stagger(&mechanism, 2.0 / steps as f64, steps, 0, steps).states[1];
        assert!((end.bodies[0].angular_velocity[0] - 20.0 * (0.9876 - 0.1234) / 5.0).abs() < IMPULSE);
    }
}

/// Largest relative changes of energy and momentum on the way.
fn drift(mechanism: &Mechanism, h: f64, steps: u64, resynchronise: u64) -> (f64, f64) {
    let states = stagger(mechanism, h, steps, resynchronise, steps / 1000).states;
    let first = &states[0];
    let momentum = |state: &State| {
        (Vector3::from(state.angular_momentum) - Vector3::from(first.angular_momentum)).norm()
            / norm(first.angular_momentum)
    };
    let energy = |state: &State| (state.energy / first.energy - 1.0).abs();
    (states.iter().map(energy).fold(0.0, f64::max), states.iter().map(momentum).fold(0.0, f64::max))
}

/// equations.md, section 1: energy error 4.5e-3, momentum 1.8e-2; the initial rates are those of
/// `free_J5_10_1`.
#[test]
fn chains_drift_apart_in_long_runs_and_resynchronising_holds_them() {
    let mechanism = free_body(HULBERT, [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    let (energy, momentum) = drift(&mechanism, 0.01, 1_000_000, 0);
    assert!((4.4e-3..4.7e-3).contains(&energy), "{energy:e}");
    assert!((1.7e-2..1.9e-2).contains(&momentum), "{momentum:e}");
    let (energy, momentum) = drift(&mechanism, 0.01, 1_000_000, 200);
    assert!(energy < 1e-3 && momentum < 1e-3, "{energy:e} {momentum:e}");
}

#[test]
fn trajectory_holds_the_steps_asked_for() {
    let mechanism = free_body(HULBERT, [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let times: Vec<f64> = stagger(&mechanism, 0.5, 10, 3, 4).states.iter().map(|state| state.time).collect();
    assert_eq!(times, [0.0, 2.0, 4.0, 5.0]);
}

// --- The
// description -----------------------------------------------------------------------------------

#[test]
fn refuses_what_is_no_body() {
    let good = free_body(HULBERT, [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let once = Schedule { h: 0.01, steps: 1, resynchronise: 0, every: 1 };
    let refused = |change: &dyn Fn(&mut Instance)| {
        let mut instance = Instance::nominal(&good);
        change(&mut instance);
        run_staggered(&good, &instance, once).unwrap_err()
    };
    assert_eq!(refused(&|i| i.bodies[0].mass = 0.0), ReferenceError::Mass { mass: 0.0 });
    let indefinite = ReferenceError::NotPositiveDefinite { matrix: "inertia" };
    assert_eq!(refused(&|i| i.bodies[0].inertia[1][1] = -1.0), indefinite);
    assert_eq!(refused(&|i| i.bodies[0].inertia[0][1] = 0.5), ReferenceError::Asymmetric);
    assert_eq!(refused(&|i| i.bodies[0].attitude = [0.0; 4]), ReferenceError::ZeroAttitude);
    let no_number = ReferenceError::NotFinite { quantity: "angular_velocity" };
    assert_eq!(refused(&|i| i.bodies[0].angular_velocity[1] = f64::NAN), no_number);
    assert_eq!(refused(&|i| i.loads.push(vec![])), ReferenceError::LoadValues);
    let instance = Instance::nominal(&good);
    assert!(run_staggered(&good, &instance, Schedule { h: 0.0, ..once }).is_err());
    assert!(run_staggered(&good, &instance, Schedule { every: 0, ..once }).is_err());
    assert!(accurate::run(&good, &instance, &[1.0, 0.5], accurate::TOLERANCE).is_err());
}

fn assert_same_motion(a: &State, b: &State, tolerance: f64) {
    assert!(distance(a.bodies[0].position, b.bodies[0].position) < tolerance, "{a:?} {b:?}");
    assert!(distance(a.bodies[0].velocity, b.bodies[0].velocity) < tolerance, "{a:?} {b:?}");
    assert!(attitude_distance(a.bodies[0].attitude, b.bodies[0].attitude) < tolerance, "{a:?} {b:?}");
    assert!(distance(a.bodies[0].angular_velocity, b.bodies[0].angular_velocity) < tolerance, "{a:?} {b:?}");
    assert!(distance(a.angular_momentum, b.angular_momentum) < 100.0 * tolerance, "{a:?} {b:?}");
}

fn any_attitude() -> impl Strategy<Value = UnitQuaternion<f64>> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("too short to normalise", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.1)
        .prop_map(|q| UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])))
}

fn components(q: UnitQuaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

fn rows(m: Matrix3<f64>) -> [[f64; 3]; 3] {
    // Symmetric to the last bit, as a description must be.
    std::array::from_fn(|row| std::array::from_fn(|column| 0.5 * (m[(row, column)] + m[(column, row)])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Turn the body axes by R: v' = R^T v, J' = R^T J R, q' = q o R. Nothing in space changes.
    #[test]
    fn turned_body_axes_give_the_same_motion(
        turn in any_attitude(),
        attitude in any_attitude(),
        w in prop::array::uniform3(-2.0..2.0_f64),
        c in prop::array::uniform3(-0.5..0.5_f64),
        free in any::<bool>(),
    ) {
        let mut plain = heavy_top([5.0, 7.0, 3.0], InertiaAbout::MassCentre, components(attitude), w);
        plain.bodies[0].support = if free { Support::Free } else { Support::FixedPoint };
        plain.bodies[0].centre_of_mass = c;
        plain.loads = vec![
            force("body force", Axes::Body, [0.3, 0.1, -0.2], &[(0.1, 0.55, [1.0, -2.0, 0.5])]),
            force("space force", Axes::Space, [-0.2, 0.4, 0.1], &[(0.0, f64::INFINITY, [0.5, 1.0, -1.0])]),
            torque("body torque", Axes::Body, &[(0.0, 0.3, [2.0, 0.0, 1.0]), (0.3, 0.9, [0.0, -1.0, 0.0])]),
        ];
        let mut turned = plain.clone();
        let back = |v: [f64; 3]| -> [f64; 3] { (turn.inverse() * Vector3::from(v)).into() };
        let r = turn.to_rotation_matrix().into_inner();
        let j = Matrix3::from_fn(|row, column| plain.bodies[0].inertia[row][column]);
        turned.bodies[0].inertia = rows(r.transpose() * j * r);
        turned.bodies[0].centre_of_mass = back(c);
        turned.bodies[0].initial.attitude = components(attitude * turn);
        turned.bodies[0].initial.angular_velocity = back(w);
        for load in &mut turned.loads {
            load.point = back(load.point);
            if load.axes == Axes::Body {
                for piece in &mut load.pieces {
                    piece.value = back(piece.value);
                }
            }
        }
        // The turned body's state, expressed in the plain body axes.
        let undone = |state: &State| {
            let q = state.bodies[0].attitude;
            let q = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
            let mut undone = state.clone();
            undone.bodies[0].attitude = components(q * turn.inverse());
            undone.bodies[0].angular_velocity =
                (turn * Vector3::from(state.bodies[0].angular_velocity)).into();
            undone
        };
        let (a, b) = (accurate(&plain, &[1.0]), accurate(&turned, &[1.0]));
        assert_same_motion(&a[0], &undone(&b[0]), SAME_MOTION);
        let schedule = Schedule { h: 0.01, steps: 100, resynchronise: 30, every: 100 };
        for (method, _) in METHODS {
            let end = |mechanism: &Mechanism| {
                let instance = Instance::nominal(mechanism);
                let (options, constraints) = (Options::default(), Constraints::default());
                let run = methods::run(method, &options, &constraints, mechanism, &instance, schedule);
                run.unwrap().states.remove(1)
            };
            assert_same_motion(&end(&plain), &undone(&end(&turned)), SAME_METHOD_MOTION);
        }
    }

    /// A body moves alike whether its inertia is given about its mass centre or its origin, and its
    /// rates in body axes or in space axes.
    #[test]
    fn inertia_about_either_point_and_rates_in_either_axes_are_the_same_body(
        attitude in any_attitude(),
        w in prop::array::uniform3(-2.0..2.0_f64),
        c in prop::array::uniform3(-0.5..0.5_f64),
        free in any::<bool>(),
    ) {
        let mut one = heavy_top([5.0, 7.0, 3.0], InertiaAbout::MassCentre, components(attitude), w);
        one.bodies[0].support = if free { Support::Free } else { Support::FixedPoint };
        one.bodies[0].centre_of_mass = c;
        let mut other = one.clone();
        let v = Vector3::from(c);
        let steiner = one.bodies[0].mass * (Matrix3::identity() * v.norm_squared() - v * v.transpose());
        let j = Matrix3::from_fn(|row, column| one.bodies[0].inertia[row][column]);
        other.bodies[0].inertia = rows(j + steiner);
        other.bodies[0].inertia_about = InertiaAbout::Origin;
        other.bodies[0].initial.angular_velocity = (attitude * Vector3::from(w)).into();
        other.bodies[0].initial.angular_velocity_axes = Axes::Space;
        assert_same_motion(&accurate(&one, &[1.0])[0], &accurate(&other, &[1.0])[0], SAME_MOTION);
    }

    /// Closed form and integration agree in every branch: any order of the moments, either sign
    /// of every rate.
    #[test]
    fn closed_form_and_dop853_agree(
        order in Just([2.0, 3.0, 4.5]).prop_shuffle(),
        attitude in any_attitude(),
        w in prop::array::uniform3(-2.0..2.0_f64),
    ) {
        // Near the separatrix, L² = 2T J2 with J2 = 3, rounding grows as ACCURATE_NEAR_SEPARATRIX
        // says.
        let weighed = |f: fn(f64) -> f64| order.iter().zip(w).map(|(j, w)| f(*j) * w * w).sum::<f64>();
        prop_assume!(weighed(|j| j * (j - 3.0)).abs() > 0.01 * weighed(|j| j * j));
        let free = FreeBody::new(order, components(attitude), w).unwrap();
        for state in &accurate(&free_body(order, components(attitude), w), &[0.7, 3.0]) {
            let t = state.time;
            prop_assert!(distance(free.angular_velocity(t), state.bodies[0].angular_velocity) < SAME_MOTION);
            prop_assert!(attitude_distance(free.attitude(t), state.bodies[0].attitude) < SAME_MOTION);
        }
    }
}
