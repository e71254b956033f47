//! Every method of the reference: its order, what it conserves, and the behaviour that sets it
//! apart.

use crate::common::tolerances::{
    CONVERGED, HIGH_ORDER, IMPULSE, KEPT_MOMENTUM, METHOD_ORDER, NEXT_ORDER, NO_DRIFT, RATE,
};
use crate::common::{
    attitude_distance, distance, force, free_body, heavy_top, hulbert51, norm, slope, torque,
};
use polhode::base::{Options, Setting};
use polhode::describe::{Axes, Constraints, InertiaAbout, Mechanism};
use polhode::reference::methods::{self, METHODS, Schedule};
use polhode::reference::{Instance, ReferenceError, State, Trajectory, accurate};

/// A method with its options, by a name that says which.
struct Variant {
    label: &'static str,
    method: &'static str,
    options: Options,
    order: f64,
    /// The order shows itself with this many times more steps than others need.
    finer: u64,
}

impl Variant {
    fn plain(method: &'static str, order: f64) -> Variant {
        Variant { label: method, method, options: Options::default(), order, finer: 1 }
    }

    fn choosing(label: &'static str, method: &'static str, key: &'static str, name: &'static str) -> Variant {
        let options = Options::default().with(key, Setting::Choice(name));
        Variant { label, options, ..Variant::plain(method, 2.0) }
    }

    fn run(&self, mechanism: &Mechanism, h: f64, steps: u64, resynchronise: u64, every: u64) -> Trajectory {
        let schedule = Schedule { h, steps, resynchronise, every };
        let instance = Instance::nominal(mechanism);
        methods::run(self.method, &self.options, &Constraints::default(), mechanism, &instance, schedule)
            .unwrap()
    }

    /// The state after `steps` steps to `t` (s).
    fn end(&self, mechanism: &Mechanism, t: f64, steps: u64) -> State {
        self.run(mechanism, t / steps as f64, steps, 0, steps).states.remove(1)
    }
}

/// All methods, each with every variant.
fn variants() -> Vec<Variant> {
    let on = |key| Options::default().with(key, Setting::Flag(true));
    vec![
        Variant {
            label: "midpoint, one iteration",
            options: Options::default().with("iterations", Setting::Count(1)),
            ..Variant::plain("midpoint", 2.0)
        },
        Variant {
            label: "midpoint as printed",
            options: on("as_printed"),
            finer: 16,
            ..Variant::plain("midpoint", 1.0)
        },
        Variant {
            label: "midpoint, three iterations",
            options: Options::default().with("iterations", Setting::Count(3)),
            ..Variant::plain("midpoint", 2.0)
        },
        Variant {
            label: "midpoint enforced in the middle",
            options: on("enforce_midpoint").with("iterations", Setting::Count(1)),
            finer: 16,
            ..Variant::plain("midpoint", 2.0)
        },
        Variant::plain("staggered", 2.0),
        Variant::choosing("staggered corrected", "staggered", "update", "cayley_phase_corrected"),
        Variant::choosing("staggered exponential", "staggered", "update", "exponential"),
        Variant::plain("simo_wong", 2.0),
        Variant::choosing("simo_wong midpoint", "simo_wong", "impulse", "midpoint"),
        Variant::plain("predictor_corrector", 2.0),
        Variant::choosing("predictor_corrector trapezoidal", "predictor_corrector", "impulse", "trapezoidal"),
        Variant::plain("staggered_conserving", 2.0),
        Variant::choosing(
            "staggered_conserving trapezoidal",
            "staggered_conserving",
            "impulse",
            "trapezoidal",
        ),
        Variant::plain("newmark_euler_parameters", 2.0),
        Variant::plain("newmark_rotation_vector", 2.0),
        Variant::plain("trapezoidal", 2.0),
        Variant::plain("rk4", 4.0),
        Variant::plain("tsit5", 5.0),
        Variant::plain("dop853", 8.0),
    ]
}

fn variant(label: &str) -> Variant {
    variants().into_iter().find(|variant| variant.label == label).expect("a variant of this name")
}

fn tumbling() -> Mechanism {
    free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0])
}

/// H92 5.2: tilted .3 rad, spun at 50 rad/s.
fn fast_top() -> Mechanism {
    let tilt = [0.15_f64.cos(), 0.15_f64.sin(), 0.0, 0.0];
    heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, tilt, [0.0, 0.0, 50.0])
}

fn slow_asymmetric_top() -> Mechanism {
    let tilt = [0.15_f64.cos(), 0.15_f64.sin(), 0.0, 0.0];
    heavy_top([5.0, 4.0, 1.0], InertiaAbout::Origin, tilt, [0.5, 0.2, 15.0])
}

/// A thrown body under forces and a torque, in both kinds of axes, that jump at quarters of a
/// second.
fn pushed() -> Mechanism {
    let mut mechanism = free_body([5.0, 7.0, 3.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
    mechanism.gravity = [0.3, 0.0, -9.81];
    mechanism.bodies[0].centre_of_mass = [0.1, -0.2, 0.3];
    mechanism.bodies[0].initial.velocity = [1.0, 2.0, 3.0];
    mechanism.loads = vec![
        force("thruster", Axes::Body, [0.4, 0.1, -0.2], &[(0.0, f64::INFINITY, [2.0, -1.0, 0.5])]),
        force("wind", Axes::Space, [-0.2, 0.4, 0.1], &[(0.25, 0.75, [0.5, 1.0, -1.0])]),
        torque("wheel", Axes::Body, &[(0.0, 0.5, [2.0, 0.0, 1.0]), (0.5, 0.75, [0.0, -1.0, 0.0])]),
    ];
    mechanism
}

fn exact(mechanism: &Mechanism, t: f64) -> State {
    let run = accurate::run(mechanism, &Instance::nominal(mechanism), &[t], accurate::TOLERANCE);
    run.unwrap().states.remove(0)
}

/// The largest error of attitude, angular velocity, position and velocity.
fn error(a: &State, b: &State) -> f64 {
    attitude_distance(a.bodies[0].attitude, b.bodies[0].attitude)
        .max(distance(a.bodies[0].angular_velocity, b.bodies[0].angular_velocity))
        .max(distance(a.bodies[0].position, b.bodies[0].position))
        .max(distance(a.bodies[0].velocity, b.bodies[0].velocity))
}

/// The error at t falls with the declared power of the step; `of_order_5` and `of_order_8` are the
/// numbers of steps for methods of these orders, with how far the order may lie above 5.
fn assert_orders(
    mechanism: &Mechanism,
    t: f64,
    steps: &[u64],
    (of_order_5, above_5): (&[u64], f64),
    of_order_8: &[u64],
) {
    let exact = exact(mechanism, t);
    for variant in variants() {
        let (steps, tolerance) = match variant.order {
            8.0 => (of_order_8, HIGH_ORDER),
            5.0 => (of_order_5, HIGH_ORDER),
            _ => (steps, METHOD_ORDER),
        };
        let errors: Vec<(f64, f64)> = steps
            .iter()
            .map(|steps| {
                let steps = steps * variant.finer;
                (t / steps as f64, error(&variant.end(mechanism, t, steps), &exact))
            })
            .collect();
        println!("{}: {} {errors:?}", variant.label, slope(&errors));
        let off = slope(&errors) - variant.order;
        let above = if variant.order == 5.0 { above_5 } else { tolerance };
        assert!(-tolerance < off && off < above, "{}: {} {errors:?}", variant.label, slope(&errors));
    }
}

#[test]
fn every_method_of_the_registry_is_tried() {
    for (name, _) in METHODS {
        assert!(variants().iter().any(|variant| variant.method == name), "{name}");
    }
}

#[test]
fn free_body_shows_the_order_of_every_method() {
    assert_orders(
        &tumbling(),
        4.0,
        &[400, 800, 1600, 3200],
        (&[256, 384, 512], HIGH_ORDER),
        &[24, 32, 48, 64],
    );
}

#[test]
fn heavy_top_shows_the_order_of_every_method() {
    assert_orders(
        &fast_top(),
        2.0,
        &[2000, 4000, 8000, 16000],
        (&[600, 1200, 2400], HIGH_ORDER),
        &[100, 150, 200, 300],
    );
}

/// Translation too, with jumps on the grid.
#[test]
fn pushed_body_shows_the_order_of_every_method() {
    assert_orders(&pushed(), 1.0, &[64, 128, 256, 512], (&[16, 32, 64], NEXT_ORDER), &[4, 8]);
    let fine = variant("dop853").end(&pushed(), 1.0, 64);
    assert!(error(&fine, &exact(&pushed(), 1.0)) < CONVERGED);
}

#[test]
fn impulse_is_exact_wherever_a_jump_lies_in_a_step() {
    let mut mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    mechanism.loads = vec![
        torque("spin-up", Axes::Body, &[(0.1234, 0.9876, [20.0, 0.0, 0.0])]),
        force("push", Axes::Space, [0.0; 3], &[(0.4321, 1.6789, [0.0, 3.0, 0.0])]),
    ];
    for variant in variants() {
        for steps in [100, 333] {
            let end = variant.end(&mechanism, 2.0, steps);
            let (w, v) = (end.bodies[0].angular_velocity[0], end.bodies[0].velocity[1]);
            let label = variant.label;
            // PC87 finds w from the quaternion and its rate, which keep the impulse as closely as
            // they keep the motion.
            let exact = variant.method != "midpoint";
            let change = (w - 4.0 * (0.9876 - 0.1234)).abs();
            assert!(change < if exact { IMPULSE } else { 1e-3 }, "{label}: {w}");
            assert!((v - 3.0 * (1.6789 - 0.4321)).abs() < IMPULSE, "{label}: {v}");
        }
    }
}

// --- What is
// conserved -------------------------------------------------------------------------------------

/// The energy relative to that of the first state.
fn energies(states: &[State]) -> Vec<(f64, f64)> {
    states.iter().map(|state| (state.time, state.energy / states[0].energy - 1.0)).collect()
}

/// The largest relative change of energy.
fn energy_error(states: &[State]) -> f64 {
    energies(states).iter().map(|(_, change)| change.abs()).fold(0.0, f64::max)
}

/// The rate of the energy (1/s), least squares.
fn energy_rate(states: &[State]) -> f64 {
    let points = energies(states);
    let n = points.len() as f64;
    let (mt, me) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let across: f64 = points.iter().map(|(t, e)| (t - mt) * (e - me)).sum();
    across / points.iter().map(|(t, _)| (t - mt).powi(2)).sum::<f64>()
}

/// The rate over 200 s with steps of h.
fn drift(label: &str, mechanism: &Mechanism, h: f64) -> f64 {
    let steps = (200.0 / h).round() as u64;
    let rate = energy_rate(&variant(label).run(mechanism, h, steps, 0, 7).states);
    println!("{label}, h = {h} s: {rate:e}/s");
    rate
}

#[test]
fn momentum_as_state_is_kept_to_rounding_without_torque() {
    for variant in variants() {
        if !["simo_wong", "predictor_corrector", "staggered_conserving"].contains(&variant.method) {
            continue;
        }
        let states = variant.run(&tumbling(), 0.05, 10_000, 100, 100).states;
        let momentum = norm(states[0].angular_momentum);
        for state in &states {
            let change = distance(state.angular_momentum, states[0].angular_momentum);
            assert!(change < KEPT_MOMENTUM * momentum, "{}: {change:e}", variant.label);
        }
    }
}

/// equations.md, section 1: 2.1e-6/s at h = 1 ms, as h³. Without torque after 2 s the impulse makes
/// no difference.
#[test]
fn predictor_corrector_gains_energy_as_the_cube_of_the_step() {
    let mechanism = hulbert51(0.01, Axes::Space);
    let rate = |label: &str, h: f64| {
        let mut states = variant(label).run(&mechanism, h, (100.0 / h).round() as u64, 0, 10).states;
        states.retain(|state| state.time > 2.1);
        energy_rate(&states)
    };
    for label in ["predictor_corrector", "predictor_corrector trapezoidal"] {
        let (whole, half) = (rate(label, 0.001), rate(label, 0.0005));
        println!("{label}: {whole:e}/s, {half:e}/s");
        assert!((whole / 2.1e-6 - 1.0).abs() < RATE, "{whole:e}");
        assert!((whole / half / 8.0 - 1.0).abs() < RATE, "{whole:e} {half:e}");
    }
}

#[test]
fn simo_wong_gains_energy_by_the_midpoint_impulse_alone() {
    let (whole, half) = (0.002, 0.001);
    let gain = drift("simo_wong midpoint", &fast_top(), whole);
    assert!((gain / 1.92e-8 - 1.0).abs() < RATE, "{gain:e}");
    assert!((gain / drift("simo_wong midpoint", &fast_top(), half) / 8.0 - 1.0).abs() < RATE);
    assert!(drift("simo_wong", &fast_top(), whole).abs() < NO_DRIFT * gain);
}

#[test]
fn rotation_vector_loses_energy_and_euler_parameters_do_not() {
    let (whole, half) = (0.01, 0.005);
    let loss = drift("newmark_rotation_vector", &tumbling(), whole);
    assert!((loss / -2.27e-7 - 1.0).abs() < RATE, "{loss:e}");
    assert!((loss / drift("newmark_rotation_vector", &tumbling(), half) / 8.0 - 1.0).abs() < RATE);
    assert!(drift("newmark_euler_parameters", &tumbling(), whole).abs() < NO_DRIFT * loss.abs());
    let loss = drift("newmark_rotation_vector", &fast_top(), 0.002);
    assert!(drift("newmark_euler_parameters", &fast_top(), 0.002).abs() < NO_DRIFT * loss.abs());
}

/// (5.15) and (5.16) as bordered systems, h|w| = .5, one iteration: 7.0e-3 after 20 s and 1.9e-2
/// after 100 s. A page of NumPy that solves them in closed form has the same.
#[test]
fn the_bordered_midpoint_keeps_the_energy_of_the_fast_top() {
    let energy = |steps: u64| {
        energy_error(&variant("midpoint enforced in the middle").run(&fast_top(), 0.01, steps, 0, 10).states)
    };
    let (short, long) = (energy(2000), energy(10_000));
    println!("{short:e} {long:e}");
    assert!((short / 7.0e-3 - 1.0).abs() < RATE && (long / 1.9e-2 - 1.0).abs() < RATE, "{short:e} {long:e}");
}

/// Known weakness: one iteration leaves a growth of the energy as h³, which ends the same top
/// later. Three do not.
#[test]
fn known_weakness_one_iteration_of_the_midpoint_blows_the_fast_top_up_later() {
    let energy = |label: &str| energy_error(&variant(label).run(&fast_top(), 0.01, 15_000, 0, 100).states);
    let (one, three) = (energy("midpoint, one iteration"), energy("midpoint, three iterations"));
    println!("{one:e} {three:e}");
    assert!(one > 1e3 && three < 1e-4, "{one:e} {three:e}");
    let (whole, half) = (
        drift("midpoint, one iteration", &tumbling(), 0.01),
        drift("midpoint, one iteration", &tumbling(), 0.005),
    );
    assert!((whole / 8.14e-7 - 1.0).abs() < RATE, "{whole:e}");
    assert!((whole / half / 8.0 - 1.0).abs() < RATE, "{whole:e} {half:e}");
}

#[test]
fn midpoint_without_iteration_is_unstable() {
    let mut states = variant("midpoint as printed").run(&fast_top(), 0.002, 5000, 0, 5000).states;
    let last = states.pop().expect("the last state");
    assert!(last.energy > 1e3 * states[0].energy, "{}", last.energy);
}

/// equations.md, section 1: 1 % at 18 s for h = 5 ms, then gone; held over 100 s by restarts every
/// 100 steps.
#[test]
fn staggered_conserving_needs_restarts_on_the_slow_asymmetric_top() {
    for label in ["staggered_conserving", "staggered_conserving trapezoidal"] {
        let run = |restart| variant(label).run(&slow_asymmetric_top(), 0.005, 20_000, restart, 10).states;
        let (without, with) = (run(0), run(100));
        let first = energies(&without).into_iter().find(|(_, change)| change.abs() > 0.01);
        println!(
            "{label}: 1 % at {first:?}, at most {:e}; {:e}",
            energy_error(&without),
            energy_error(&with)
        );
        assert!(first.is_some_and(|(time, _)| (15.0..19.0).contains(&time)), "{first:?}");
        assert!(energy_error(&with) < 1e-4, "{:e}", energy_error(&with));
    }
}

/// The largest h|w| with less than 10 % energy error over 10^5 steps of the free body J = (5,
/// 10, 1) turning about its intermediate axis, disturbed by w2/w1 = 1/400, without restarts: each
/// method passes the first number and fails the second.
#[test]
fn long_runs_fail_where_they_are_known_to() {
    let mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [8.0, 0.02, 0.0]);
    for (label, passes, fails) in [
        ("staggered_conserving", 0.49, 0.53),
        ("simo_wong", 0.27, 0.32),
        ("newmark_euler_parameters", 0.23, 0.25),
        ("midpoint, three iterations", 0.15, 0.17),
        ("staggered", 0.14, 0.16),
        ("newmark_rotation_vector", 0.07, 0.08),
        ("midpoint, one iteration", 0.045, 0.055),
        ("predictor_corrector", 0.029, 0.033),
    ] {
        let error = |reach: f64| {
            let run = variant(label).run(&mechanism, reach / 8.0, 100_000, 0, 5);
            if run.non_finite_at.is_some() { f64::INFINITY } else { energy_error(&run.states) }
        };
        let (below, above) = (error(passes), error(fails));
        println!("{label}: {passes} {below:e}, {fails} {above:e}");
        assert!(below < 0.1 && above > 0.1, "{label} {below:e} {above:e}");
    }
}

// ---
// Runs ------------------------------------------------------------------------------------------

#[test]
fn a_state_that_is_not_finite_ends_the_run_and_is_named() {
    let mut mechanism = fast_top();
    mechanism.bodies[0].inertia[0][0] = 20.0;
    let trajectory = variant("staggered").run(&mechanism, 10.0, 1000, 0, 1);
    let step = trajectory.non_finite_at.expect("a step far beyond stability");
    assert_eq!(trajectory.states.len() as u64, step);
    assert!(
        trajectory.states.iter().all(|state| state.bodies[0].angular_velocity.iter().all(|w| w.is_finite()))
    );
}

#[test]
fn unknown_names_are_refused_by_name() {
    let mechanism = tumbling();
    let refused = |name: &str, options: &Options| {
        let once = Schedule { h: 0.01, steps: 1, resynchronise: 0, every: 1 };
        let instance = Instance::nominal(&mechanism);
        methods::run(name, options, &Constraints::default(), &mechanism, &instance, once).unwrap_err()
    };
    let unknown = refused("leapfrog", &Options::default());
    assert!(matches!(unknown, ReferenceError::NoMethod { name } if name == "leapfrog"));
    for (method, key) in [
        ("staggered", "update"),
        ("simo_wong", "impulse"),
        ("predictor_corrector", "impulse"),
        ("staggered_conserving", "impulse"),
    ] {
        let options = Options::default().with(key, Setting::Choice("guess"));
        let given = match refused(method, &options) {
            ReferenceError::Update { given } if key == "update" => given,
            ReferenceError::Impulse { given } if key == "impulse" => given,
            other => panic!("{method}: {other}"),
        };
        assert_eq!(given, "guess", "{method}");
    }
    for method in ["newmark_euler_parameters", "newmark_rotation_vector"] {
        let options = Options::default().with("beta", Setting::Number(0.0));
        let why = refused(method, &options);
        assert!(matches!(why, ReferenceError::Newmark { beta: 0.0, .. }), "{method}: {why}");
    }
}

/// Newmark's constants other than the default. Without torque the order is 2, or 3 where gamma = 3
/// beta; with torque, alpha other than 1/2 is of order 1.
#[test]
fn newmark_takes_its_constants_from_the_options() {
    for (mechanism, steps, [alpha, beta, gamma], order) in [
        (tumbling(), 1600, [0.5, 1.0 / 6.0, 0.5], 3.0),
        (tumbling(), 1600, [0.5, 0.3025, 0.6], 2.0),
        (slow_asymmetric_top(), 6400, [0.6, 0.25, 0.5], 1.0),
    ] {
        let exact = exact(&mechanism, 2.0);
        for method in ["newmark_euler_parameters", "newmark_rotation_vector"] {
            let options = [("alpha", alpha), ("beta", beta), ("gamma", gamma)]
                .into_iter()
                .fold(Options::default(), |options, (key, value)| options.with(key, Setting::Number(value)));
            let variant = Variant { options, ..Variant::plain(method, order) };
            let errors: Vec<(f64, f64)> = [steps, 2 * steps, 4 * steps]
                .map(|steps| (2.0 / steps as f64, error(&variant.end(&mechanism, 2.0, steps), &exact)))
                .to_vec();
            println!("{method} {alpha} {beta} {gamma}: {} {errors:?}", slope(&errors));
            assert!((slope(&errors) - order).abs() < METHOD_ORDER, "{method} {} {errors:?}", slope(&errors));
        }
    }
}

/// A force that acts in the later half of a step only: the rule sees a0 = 0 and a1 = 3 m/s².
#[test]
fn newmark_moves_by_the_accelerations_of_both_ends() {
    let (h, beta, gamma) = (0.1, 0.3, 0.6);
    let mut mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    mechanism.loads = vec![force("push", Axes::Space, [0.0; 3], &[(h / 2.0, h, [3.0, 0.0, 0.0])])];
    for method in ["newmark_euler_parameters", "newmark_rotation_vector"] {
        let options =
            Options::default().with("beta", Setting::Number(beta)).with("gamma", Setting::Number(gamma));
        let end = Variant { options, ..Variant::plain(method, 2.0) }.end(&mechanism, h, 1);
        assert!(
            (end.bodies[0].position[0] - h * h * beta * 3.0).abs() < IMPULSE,
            "{method}: {:?}",
            end.bodies[0].position
        );
        assert!(
            (end.bodies[0].velocity[0] - h * gamma * 3.0).abs() < IMPULSE,
            "{method}: {:?}",
            end.bodies[0].velocity
        );
    }
}
