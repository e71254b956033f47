//! Every integration method: its order, what it conserves, its behaviour in the linear limit, and
//! the same bits from every backend.

use crate::common::alone::led;
use crate::common::engine::Ready;
use crate::common::methods::{Variant, variants};
use crate::common::solutions::Solution;
use crate::common::study::study;
use crate::common::sweep::alternate;
use crate::common::tolerances::{
    HIGH_ORDER, LINEAR_FREQUENCY, METHOD_ORDER, MOMENTUM_DOUBLE, MOMENTUM_SINGLE, ROUNDING_AT_THE_END,
    TANGENT, TANGENT_REACH,
};
use crate::common::{attitude_distance, cases, distance, free_body, heavy_top, slope};
use polhode::backend::Plan;
use polhode::base::{Precision, Setting};
use polhode::describe::{InertiaAbout, Mechanism, Study};
use polhode::methods::{AnyMethod, State};
use polhode::model::{all_channels, motions};
use polhode::observe::channels;
use polhode::real::{Dual, Real};
use polhode::study::yardsticks::fast_top;

// ---
// Order -----------------------------------------------------------------------------------------

/// The error at `t`, the larger of those in attitude and angular velocity.
fn error(variant: &Variant, mechanism: &Mechanism, solution: &Solution, t: f64, h: f64) -> f64 {
    let index = solution.at(t);
    let mut study = study(mechanism.clone(), 1, h, (t / h).round() as u64);
    study.method.resynchronise = 0;
    let ready = Ready::new(variant.apply(study));
    let outcome = ready.on_cpu(Precision::F64, 1);
    let row = ready.observe(&outcome, &[channels::ATTITUDE, channels::ANGULAR_VELOCITY]).remove(0);
    let q = std::array::from_fn(|k| row[k]);
    let w = std::array::from_fn(|k| row[4 + k]);
    attitude_distance(q, solution.attitude[index]).max(distance(w, solution.angular_velocity[index]))
}

/// The error falls with the declared power of the step, over steps whose error is not yet rounding.
fn assert_order(mechanism: &Mechanism, solution: &Solution, t: f64, coarse: f64, coarse_for_order_8: f64) {
    for variant in variants() {
        let method = AnyMethod::new(variant.name, &variant.options).expect("a method");
        let order = f64::from(method.order());
        // Low orders need more steps to show what they are; high ones come to rounding with few
        // halvings.
        let (coarse, ratio) = match method.order() {
            1 => (coarse / 8.0, 2.0f64),
            2 => (coarse / 2.0, 2.0),
            4 => (coarse, 1.5),
            // With larger steps its error is still one of order 6.
            5 => (coarse_for_order_8 / 8.0, 1.2),
            _ => (coarse_for_order_8, 1.15),
        };
        let tolerance = if method.order() == 5 { HIGH_ORDER } else { METHOD_ORDER };
        let errors: Vec<(f64, f64)> = (0..5)
            .map(|k| t / (t / coarse * ratio.powi(k)).round())
            .map(|h| (h, error(&variant, mechanism, solution, t, h)))
            .filter(|(_, error)| *error > ROUNDING_AT_THE_END)
            .collect();
        let found = slope(&errors);
        println!("{}: order {found:.3}, error {:.1e} at {} s", variant.label(), errors[0].1, errors[0].0);
        assert!(errors.len() >= 3, "{}: {errors:?}", variant.label());
        assert!((found - order).abs() < tolerance, "{}: {found} {errors:?}", variant.label());
    }
}

/// At 2 s: later, the error of order 8 is mostly one of the period, which falls faster (slopes up
/// to 8.5).
#[test]
fn every_method_has_its_order_on_the_free_body() {
    let solution = Solution::read("free_J5_10_1", None);
    let (q, w) = (solution.initial_attitude, solution.initial_angular_velocity);
    assert_order(&free_body([5.0, 10.0, 1.0], q, w), &solution, 2.0, 0.008, 0.13);
}

#[test]
fn every_method_has_its_order_on_the_heavy_top() {
    let solution = Solution::read("hulbert52_kasti_top", None);
    let (q, w) = (solution.initial_attitude, solution.initial_angular_velocity);
    assert_order(&heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, q, w), &solution, 2.0, 0.002, 0.014);
}

// ---
// Momentum --------------------------------------------------------------------------------------

/// The methods that carry the angular momentum keep it over 10^6 torque-free steps: the largest
/// relative drift seen at a hundred snapshots.
fn momentum_drift(name: &'static str, precision: Precision, on_gpu: bool) -> f64 {
    let mut free =
        study(free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]), 4, 0.005, 1_000_000);
    free.observe.every = 10_000;
    let ready = Ready::new(Variant::new(name).apply(free));
    let mut backend =
        if on_gpu { ready.gpu(precision) } else { ready.cpu(precision, fearless_simd::Level::new(), false) };
    let mut worst = 0.0f64;
    ready.watch(&mut *backend, 0, ready.size(), |outcome| {
        for row in ready.observe(outcome, &[channels::ANGULAR_MOMENTUM_DRIFT]) {
            worst = if row[0] <= worst { worst } else { row[0] };
        }
    });
    println!("{name}, {precision:?}, {}: {worst:e}", if on_gpu { "kernel" } else { "CPU" });
    worst
}

#[test]
fn conserving_methods_keep_the_angular_momentum() {
    for name in ["simo_wong", "predictor_corrector", "staggered_conserving"] {
        for on_gpu in [false, true] {
            let double = momentum_drift(name, Precision::F64, on_gpu);
            assert!(double < MOMENTUM_DOUBLE, "{name} in f64: {double:e}");
            let single = momentum_drift(name, Precision::F32, on_gpu);
            assert!(single < MOMENTUM_SINGLE, "{name} in f32: {single:e}");
        }
    }
}

// --- The linear
// limit --------------------------------------------------------------------------------------

/// A body that hangs from a fixed point and swings by a millionth of a radian is a linear
/// oscillator. The explicit forms of H92 section 2 (central difference, staggered, Tamma and
/// Namburu) have one spectrum there: the frequency w' of which `cos w' h = 1 - (w h)^2 / 2`. At
/// `w h = 1` the period is six steps.
#[test]
fn the_explicit_methods_share_the_spectrum_of_the_central_difference() {
    let (swing, inertia) = (1e-6, 2.0);
    let mut pendulum = free_body([inertia, inertia, 1.0], [1.0, 0.0, 0.0, 0.0], [swing, 0.0, 0.0]);
    pendulum.bodies[0].support = polhode::describe::Support::FixedPoint;
    pendulum.bodies[0].inertia_about = InertiaAbout::Origin;
    pendulum.bodies[0].centre_of_mass = [0.0, 0.0, -1.0];
    // m g l = J: the frequency is 1 rad/s, and h = 1 s.
    pendulum.gravity = [0.0, 0.0, -inertia];
    for (name, impulse) in [
        ("staggered", None),
        ("simo_wong", Some("trapezoidal")),
        ("predictor_corrector", Some("midpoint")),
        ("staggered_conserving", Some("midpoint")),
    ] {
        let mut variant = Variant::new(name);
        if let Some(impulse) = impulse {
            variant = variant.with("impulse", Setting::Choice(impulse));
        }
        let angle = |steps: u64| {
            let mut study = study(pendulum.clone(), 1, 1.0, steps);
            study.method.resynchronise = 0;
            let ready = Ready::new(variant.apply(study));
            let state = ready.on_cpu(Precision::F64, 1).state(0);
            2.0 * state[1] / swing
        };
        // x_k = A sin(k pi / 3): back at zero after 3 and 6 steps, at the same height after 1
        // and 2.
        let [one, two, three, six] = [1, 2, 3, 600].map(angle);
        println!("{name}: {one} {two} {three:e} {six:e}");
        assert!(one > 0.5 && (one - two).abs() < LINEAR_FREQUENCY, "{name}: {one} {two}");
        assert!(
            three.abs() < LINEAR_FREQUENCY && six.abs() < 100.0 * LINEAR_FREQUENCY,
            "{name}: {three} {six}"
        );
    }
}

// ---
// Work ------------------------------------------------------------------------------------------

/// K14's estimate of the change of potential energy, from moments and rotations alone, comes to the
/// true one with the square of the step; on the CPU and by the kernel alike.
#[test]
fn the_estimated_potential_energy_comes_to_the_true_one() {
    let error = |h: f64| {
        let mut top = study(fast_top(), 1, h, (0.3 / h).round() as u64);
        top.observe.channels.push(channels::POTENTIAL_ESTIMATE.into());
        let ready = Ready::new(Variant::new("newmark_euler_parameters").apply(top));
        let (cpu, kernel) = (ready.on_cpu(Precision::F64, 1), ready.on_gpu(Precision::F64));
        let observe =
            |outcome| ready.observe(outcome, &[channels::POTENTIAL_ESTIMATE, channels::TILT]).remove(0);
        let (on_cpu, on_gpu) = (observe(&cpu), observe(&kernel));
        assert_eq!(on_cpu, on_gpu);
        // V = m g l cos(tilt), m g l = 20 N m.
        let change = 20.0 * (on_cpu[1].cos() - 0.3f64.cos());
        assert!(change.abs() > 0.05, "the top nutates: {change}");
        (h, (on_cpu[0] - change).abs())
    };
    let errors = [0.003, 0.0015, 0.00075].map(error);
    println!("{} {errors:?}", slope(&errors));
    assert!((slope(&errors) - 2.0).abs() < METHOD_ORDER, "{errors:?}");
    assert!(errors[2].1 < 1e-3, "{errors:?}");
}

// ---
// Tangents --------------------------------------------------------------------------------------

/// Motion and what is carried after some steps from a start, as one list.
fn steps_from<R: Real>(plan: &Plan, start: &[R], steps: u64) -> Vec<R> {
    let anything = start[0];
    let parameter = |p: usize| anything.lift(plan.constants[p]);
    let factor = |_: usize, _: usize| anything.lift(1.0);
    let system = plan.model.system(&plan.schedule.samples, &parameter, &[], &factor);
    let start = motions(&[0], start);
    let method = plan.method.recorded();
    let chain = led(plan, &start, &parameter, &[], &factor);
    let carried = [chain, method.begin(&system, &start)].concat();
    let mut state = State { carried, motions: start };
    for _ in 0..steps {
        state = plan.method.recorded().step(&system, &state);
    }
    [all_channels(&state.motions), state.carried].concat()
}

/// The tangent of every method, start included, is its derivative: by dual numbers and by central
/// differences, over 20 steps, along a direction that changes attitude, angular velocity,
/// position and velocity.
#[test]
fn the_tangent_of_every_method_is_its_derivative() {
    let mut thrown = cases::thrown(1);
    thrown.ensemble.vary.clear();
    for variant in variants() {
        let ready = Ready::new(variant.apply(thrown.clone()));
        let batch = ready.batch(0, 1);
        let start: Vec<f64> = batch.states.iter().map(|plane| plane[0]).collect();
        let direction: Vec<f64> = (0..start.len()).map(|c| ((c * 7 + 3) % 5) as f64 * 0.25 - 0.5).collect();
        let dual: Vec<Dual<f64>> = start
            .iter()
            .zip(&direction)
            .map(|(value, tangent)| Dual { value: *value, tangent: *tangent })
            .collect();
        let along = |s: f64| {
            let moved: Vec<f64> = start.iter().zip(&direction).map(|(x, d)| x + s * d).collect();
            steps_from(&ready.plan, &moved, 20)
        };
        let exact = steps_from(&ready.plan, &dual, 20);
        let (ahead, behind) = (along(TANGENT_REACH), along(-TANGENT_REACH));
        let mut worst = 0.0f64;
        for (k, tangent) in exact.iter().enumerate() {
            let difference = (ahead[k] - behind[k]) / (2.0 * TANGENT_REACH);
            let off = (tangent.tangent - difference).abs() / difference.abs().max(1.0);
            worst = if off <= worst { worst } else { off };
        }
        println!("{}: {worst:e}", variant.label());
        assert!(worst < TANGENT, "{}: {worst:e}", variant.label());
    }
}

// ---
// Backends --------------------------------------------------------------------------------------

/// Fewer steps than the cases have.
fn shortened(mut study: Study) -> Study {
    study.method.steps = 300;
    study.observe.every = 300;
    study.method.resynchronise = 50;
    study
}

/// The kernel's results are those of the CPU, bit for bit, for every method.
#[test]
fn kernels_equal_the_cpu_for_every_method() {
    const SIZE: u64 = 200;
    let mut differing = Vec::new();
    for (k, variant) in variants().into_iter().enumerate() {
        for (c, (case, study)) in [
            ("free", cases::free(SIZE)),
            ("top", cases::top(SIZE)),
            ("thrown", cases::thrown(SIZE)),
            ("jumps", cases::jumps(SIZE)),
            ("all varied", cases::all_varied(SIZE)),
            ("bounded", cases::bounded(SIZE)),
        ]
        .into_iter()
        .enumerate()
        {
            let ready = Ready::new(variant.apply(shortened(study)));
            // Each method meets each case in one precision, and half of the cases in either.
            for precision in alternate(k + c, &[Precision::F32, Precision::F64]) {
                let cpu = ready.on_cpu(precision, 1);
                assert!(cpu.states.iter().flatten().all(|x| x.is_finite()), "{} {case}", variant.label());
                let kernel = ready.on_gpu(precision);
                if (0..ready.size()).any(|i| cpu.state(i) != kernel.state(i) || cpu.ends[i] != kernel.ends[i])
                {
                    differing.push(format!("{}, {case}, {precision:?}", variant.label()));
                }
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
