//! The impulse that the momentum methods take over a step, against the integral of loads that grow with time.

use polhode::base::{Precision, Setting};
use polhode::describe::{Axes, Expression, Load};

use crate::common::engine::Ready;
use crate::common::methods::Variant;
use crate::common::study::study;
use crate::common::tolerances::EXACT_IMPULSE;
use crate::common::{force, free_body, torque};

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

/// Both rules of quadrature are exact for what is linear in time: `w = k T²/(2 J)` and `v = f T²/(2 m)`. A rule that weighs the two
/// ends of a step differently is off by a share h/T.
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
