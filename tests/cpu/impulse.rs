//! The impulse that methods take over a step: against the integral of loads that grow with time,
//! and with loads that are constant by pieces taken at instants in place of their means.

use polhode::base::{Precision, Setting};
use polhode::describe::{Axes, Expression, Load};

use crate::common::engine::Ready;
use crate::common::judged::{reference, worst};
use crate::common::methods::Variant;
use crate::common::study::study;
use crate::common::tolerances::{EXACT_IMPULSE, REFERENCE_PER_STEP};
use crate::common::{force, free_body, hulbert51, torque};

/// Where the velocities are among the channels of a body.
const W_Z: usize = 6;
const V_X: usize = 10;

/// A load that grows in its component `axis` by `rate` each second.
fn growing(load: Load, axis: usize, rate: f64) -> Load {
    let component = |k: usize| {
        let rate = Expression::Number(if k == axis { rate } else { 0.0 });
        Expression::Product(Box::new(rate), Box::new(Expression::Argument))
    };
    Load { function: Some(std::array::from_fn(component)), ..load }
}

/// Both rules of quadrature are exact for what is linear in time: `w = k T²/(2 J)` and
/// `v = f T²/(2 m)`. A rule that weighs the two ends of a step differently is off by a share h/T.
#[test]
fn loads_that_grow_with_time_give_the_impulse_of_their_integral() {
    let (t, steps) = (2.0, 20);
    let (torque_rate, force_rate) = (0.3, 0.7);
    let mut body = free_body([2.0, 3.0, 5.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    body.loads = vec![
        growing(torque("torque", Axes::Body, &[]), 2, torque_rate),
        growing(force("force", Axes::Space, [0.0; 3], &[]), 0, force_rate),
    ];
    let mass = body.bodies[0].mass;
    for method in ["simo_wong", "predictor_corrector", "staggered_conserving"] {
        for impulse in ["trapezoidal", "midpoint"] {
            let variant = Variant::new(method).with("impulse", Setting::Choice(impulse));
            let ready = Ready::new(variant.apply(study(body.clone(), 1, t / steps as f64, steps)));
            let end = ready.on_cpu(Precision::F64, 1).state(0);
            let [w, v] = [torque_rate * t * t / (2.0 * 5.0), force_rate * t * t / (2.0 * mass)];
            let off = [end[W_Z] / w - 1.0, end[V_X] / v - 1.0];
            println!("{method} {impulse}: {off:?}");
            assert!(off.iter().all(|off| off.abs() < EXACT_IMPULSE), "{method} {impulse}: {off:?}");
        }
    }
}

/// The methods that take loads at instants, by either rule where they have one.
fn at_instants() -> Vec<Variant> {
    let plain = ["staggered", "simo_wong", "predictor_corrector", "staggered_conserving"].map(Variant::new);
    let rules = plain[1..].iter().flat_map(|method| {
        ["midpoint", "trapezoidal"].map(|rule| method.clone().with("impulse", Setting::Choice(rule)))
    });
    let all = [plain[0].clone()].into_iter().chain(rules);
    all.map(|variant| variant.with("loads", Setting::Choice("instant"))).collect()
}

/// With torques that jump on a step, in the middle of one and elsewhere, and with restarts where
/// they do.
#[test]
fn loads_at_instants_are_those_of_the_reference() {
    for variant in at_instants() {
        let mut differs = false;
        for (dt, h, resynchronise) in
            [(0.01, 0.01, 0), (0.01, 0.005, 40), (0.0175, 0.005, 0), (0.011, 0.004, 100)]
        {
            let steps = (3.0f64 / h).round() as u64;
            let run = |variant: &Variant| {
                let mut study = study(hulbert51(dt, Axes::Space), 1, h, steps);
                study.method.resynchronise = resynchronise;
                let ready = Ready::new(variant.apply(study));
                let outcome = ready.on_cpu(Precision::F64, 1);
                (worst(&ready, &outcome, &[reference(&ready, 0)]), outcome.state(0))
            };
            let (off, end) = run(&variant);
            println!("{} {dt} {h}: {off:e}", variant.label());
            assert!(off < REFERENCE_PER_STEP * steps as f64, "{} {dt} {h}: {off:e}", variant.label());
            let (_, by_means) = run(&variant.clone().with("loads", Setting::Choice("mean")));
            // The midpoint rule of a single chain, with jumps on steps, does not see the
            // difference.
            differs |= end != by_means;
        }
        assert!(differs, "{}", variant.label());
    }
}

/// A torque of 1 N m about a principal axis of unit inertia until 0.7 s, by steps of 0.1 s: the
/// midpoint rule looks at 0.05 s, 0.15 s and so on, the trapezoidal rule at both ends of each step.
/// The instant at which the torque begins is before it, but for the start; that at which it ends is
/// in it.
#[test]
fn a_load_at_instants_gives_the_impulse_of_those_in_which_it_acts() {
    for (from, midpoint, trapezoidal) in [(0.3, 0.4, 0.4), (0.35, 0.3, 0.4), (0.0, 0.7, 0.75)] {
        let mut body = free_body([1.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        body.loads = vec![torque("torque", Axes::Body, &[(from, 0.7, [0.0, 0.0, 1.0])])];
        for variant in at_instants() {
            let ready = Ready::new(variant.apply(study(body.clone(), 1, 0.1, 10)));
            let w = ready.on_cpu(Precision::F64, 1).state(0)[W_Z];
            let expected = if variant.label().contains("trapezoidal") { trapezoidal } else { midpoint };
            println!("{} from {from} s: {w}", variant.label());
            assert!((w - expected).abs() < EXACT_IMPULSE, "{} from {from} s: {w}", variant.label());
        }
    }
}
