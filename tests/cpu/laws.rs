//! Laws of the motion: order of the methods of higher order with a smooth law, laws that closed forms know, and channels of signals and points.

use crate::common::engine::Ready;
use crate::common::judged::{apart, engine_state};
use crate::common::slope;
use crate::common::study::study;
use crate::common::tolerances::{BRAKED_SPIN, HIGH_ORDER, LAW_AS_SPRING, NEXT_ORDER, POINT_CHANNELS};
use crate::damping::{BODIES, LAWS};
use polhode::base::{Precision, Verdict};
use polhode::describe::{Channel, Constraints, Mechanism, Study};
use polhode::reference::{Instance, accurate};
use polhode::study_file::{mechanism_of_text, read_study_text};

fn by(method: &'static str, mechanism: &Mechanism, h: f64, steps: u64) -> Study {
    let mut study = study(mechanism.clone(), 1, h, steps);
    study.method.name = method;
    study.method.resynchronise = 0;
    study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
    study
}

#[test]
fn methods_of_higher_order_keep_it_with_a_smooth_law() {
    let hinged = mechanism_of_text("laws", &format!("{BODIES}{LAWS}")).unwrap();
    let end = 0.4;
    let exact = accurate::run(&hinged, &Instance::nominal(&hinged), &[end], accurate::TOLERANCE);
    let exact = exact.unwrap().states.remove(0);
    for (method, order, steps) in
        [("rk4", 4.0, [40, 80, 160]), ("tsit5", 5.0, [20, 40, 80]), ("dop853", 8.0, [8, 12, 16])]
    {
        let errors = steps.map(|steps| {
            let found = engine_state(&Ready::new(by(method, &hinged, end / steps as f64, steps)), &exact);
            (end / steps as f64, apart(&found, &exact))
        });
        let found = slope(&errors);
        println!("{method}: order {found:.2}, errors {:?}", errors.map(|(_, error)| error));
        let above = if method == "tsit5" { NEXT_ORDER + HIGH_ORDER } else { HIGH_ORDER };
        assert!(found > order - HIGH_ORDER && found < order + above, "{method}: {found}");
    }
}

const SLIDE: &str = r#"
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "rail"
kind = "translational"
bodies = ["ground", "cart"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [1, 0, 0]
displacement = 0.5
velocity = -0.3
"#;

/// A law that is written as a spring with a damper moves as these, to the order of the method; by a method that evaluates all forces at
/// one instant to rounding.
#[test]
fn a_law_of_displacement_and_rate_is_a_spring_with_a_damper() {
    let of = |spring: &str| {
        let text = format!("{SLIDE}[[joint_spring]]\nname = \"s\"\njoint = \"rail\"\n{spring}\n");
        mechanism_of_text("slide", &text).unwrap()
    };
    let spring = of("stiffness = 8\ndamping = 1.5\nrest = 0.1");
    let law = of("actuator = \"-8*(rail.displacement - 0.1) - 1.5*rail.displacement_rate\"");
    let at_end = |method, mechanism: &Mechanism, steps: u64| {
        let ready = Ready::new(by(method, mechanism, 2.0 / steps as f64, steps));
        ready.observe(&ready.on_cpu(Precision::F64, 1), &[Channel::DISPLACEMENT])[0][0]
    };
    // m x'' + c x' + k (x - rest) = 0.
    let (m, c, k, x0, v0): (f64, f64, f64, f64, f64) = (2.0, 1.5, 8.0, 0.4, -0.3);
    let (decay, omega) = (c / (2.0 * m), f64::sqrt(k / m - (c / (2.0 * m)).powi(2)));
    let t: f64 = 2.0;
    let exact =
        0.1 + (-decay * t).exp() * (x0 * (omega * t).cos() + (v0 + decay * x0) / omega * (omega * t).sin());
    assert!((at_end("rk4", &law, 1000) - exact).abs() < LAW_AS_SPRING);
    assert!((at_end("rk4", &law, 1000) - at_end("rk4", &spring, 1000)).abs() < LAW_AS_SPRING);
    for method in ["staggered", "midpoint", "newmark_rotation_vector"] {
        let errors =
            [100, 200, 400].map(|steps| (2.0 / steps as f64, (at_end(method, &law, steps) - exact).abs()));
        let order = slope(&errors);
        println!("{method}: {order:.3} {:?}", errors.map(|(_, error)| error));
        assert!((order - 2.0).abs() < 0.1, "{method}: {order}");
    }
}

/// Position, velocity and acceleration of a point of a turning body that is off its axis.
#[test]
fn channels_of_points_and_signals_are_those_of_a_body_that_spins() {
    let text = r#"
[[body]]
name = "disc"
mass = 1
inertia = [1, 1, 2]
centre_of_mass = [0, 0, 0.2]
initial = { position = [1, 2, 3], angular_velocity = [0, 0, 3] }
[[point]]
name = "rim"
body = "disc"
at = [0.5, 0, 0.1]
[[point]]
name = "post"
body = "ground"
at = [0, 1, 0]
[[signal]]
name = "across"
value = "rim.position.x*rim.velocity.y + 2*t + disc.attitude.q0 + post.position.y"
unit = "m^2/s"
"#;
    let mechanism = mechanism_of_text("disc", text).unwrap();
    let ready = Ready::new(by("rk4", &mechanism, 1e-3, 500));
    let channels = [
        Channel::POINT_POSITION,
        Channel::POINT_VELOCITY,
        Channel::POINT_ACCELERATION,
        Channel::SIGNAL_VALUE,
    ];
    let found = &ready.observe(&ready.on_cpu(Precision::F64, 1), &channels)[0];
    let (s, c) = 1.5f64.sin_cos();
    let across = (1.0 + 0.5 * c) * 1.5 * c + 1.0 + 0.75f64.cos() + 1.0;
    let rim = [[1.0 + 0.5 * c, 2.0 + 0.5 * s, 3.1], [-1.5 * s, 1.5 * c, 0.0], [-4.5 * c, -4.5 * s, 0.0]];
    let expected: Vec<f64> = [[rim[0], [0.0, 1.0, 0.0]], [rim[1], [0.0; 3]], [rim[2], [0.0; 3]]]
        .concat()
        .concat()
        .into_iter()
        .chain([across])
        .collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < POINT_CHANNELS, "{found} {expected}");
    }
}

/// A body of equal moments J that turns about one axis, braked by `-clamp(k w, -L, L)`: w falls by L/J t to L/k, and from there as
/// exp(-k t/J). What a study asks of it has closed forms.
#[test]
fn outcomes_of_a_braked_spin_are_those_of_closed_forms() {
    let mechanism = r#"
[constants]
k = 0.02
limit = 0.004
[[body]]
name = "satellite"
mass = 4
inertia = [0.05, 0.05, 0.05]
initial = { angular_velocity = [0.9, 0, 0] }
[[signal]]
name = "brake"
value = "clamp(k*satellite.angular_velocity.x, -limit, limit)"
unit = "N m"
[[load]]
name = "wheel"
body = "satellite"
kind = "torque"
axes = "body"
function = ["-brake", 0, 0]
"#;
    let study = |more: &str| {
        format!(
            r#"
method = {{ name = "rk4", step = "20 ms", duration = "20 s" }}
ensemble.size = 1
run.precision = "f64"
[[outcome]]
name = "calm"
settled = "abs(satellite.angular_velocity.x) < 0.05"
[[outcome]]
name = "saturated"
duration = "k*satellite.angular_velocity.x > limit"
[[outcome]]
name = "momentum"
integral = "brake"
unit = "N m s"
[[outcome]]
name = "early"
at = {{ time = "3.33 s", value = "satellite.angular_velocity.x" }}
unit = "rad/s"
[[outcome]]
name = "never"
first = "satellite.angular_velocity.x > 1"
[verdict]
every = 1
{more}
"#
        )
    };
    let ready = |more| Ready::new(read_study_text("spin", &study(more), mechanism).unwrap());
    let (j, k, limit, w0): (f64, f64, f64, f64) = (0.05, 0.02, 0.004, 0.9);
    let until = (w0 - limit / k) * j / limit;
    let rate = |t: f64| {
        if t < until { w0 - limit / j * t } else { limit / k * (-(t - until) * k / j).exp() }
    };
    let calm = until + j / k * (limit / k / 0.05).ln();
    let whole = ready("");
    let outcome = whole.on_cpu(Precision::F64, 1);
    let found = &whole.observe(&outcome, &[Channel::OUTCOME_VALUE])[0];
    let expected = [calm, until, j * (w0 - rate(20.0)), rate(3.33)];
    for (found, expected) in found.iter().zip(expected) {
        println!("{found} {expected}");
        assert!((found - expected).abs() < BRAKED_SPIN, "{found} {expected}");
    }
    assert!(found[4].is_nan(), "{}", found[4]);

    // Stopped at the first step after which the condition holds.
    let stopped = ready("when = \"satellite.angular_velocity.x < 0.4987\"");
    let end = stopped.on_cpu(Precision::F64, 1).ends[0];
    let crossing = (w0 - 0.4987) * j / limit;
    assert_eq!(end.verdict, Verdict::Condition, "{end:?}");
    assert_eq!(end.step, (crossing / 0.02).ceil() as u64, "{end:?}");
}
