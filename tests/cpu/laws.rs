//! Laws of the motion: order of the methods of higher order with a smooth law, laws that closed
//! forms know, and channels of signals and points.

use std::time::{Duration, Instant as Time};

use crate::common::arms::{KINDS, mechanism_of};
use crate::common::engine::Ready;
use crate::common::judged::{apart, engine_state};
use crate::common::root;
use crate::common::slope;
use crate::common::study::study;
use crate::common::tolerances::{
    BRAKED_SPIN, DETUMBLED_APART, HIGH_ORDER, LAW_AS_SPRING, NEXT_ORDER, POINT_CHANNELS, SAMPLED,
    SAMPLED_BY_TOLERANCE, SWING,
};
use crate::common::words::WORDS;
use crate::damping::{BODIES, LAWS, WHEELS};
use polhode::base::{Options, Precision, Verdict};
use polhode::describe::outcome::Peaks;
use polhode::describe::{Constraints, Mechanism, Study};
use polhode::methods::{Adaptive, Takes, cards};
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study_file::{mechanism_of_text, read_study, read_study_text};

const HOUR: Duration = Duration::from_secs(3600);

fn by(method: &'static str, mechanism: &Mechanism, h: f64, steps: u64) -> Study {
    let mut study = study(mechanism.clone(), 1, h, steps);
    study.method.name = method;
    study.method.resynchronise = 0;
    study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
    study
}

#[test]
fn methods_of_higher_order_keep_it_with_a_smooth_law() {
    keeps_its_order(&format!("{BODIES}{LAWS}"), &HIGHER);
}

/// Wheels too. Where one comes to its limit the third derivative of its torque jumps: that leaves
/// rk4 its order.
#[test]
fn methods_of_higher_order_keep_it_with_wheels() {
    keeps_its_order(&format!("{BODIES}{}", WHEELS.replace("max_speed = 20", "")), &HIGHER);
    keeps_its_order(&format!("{BODIES}{WHEELS}"), &HIGHER[..1]);
}

/// Every smooth function that expressions know leaves rk4 its order; errors of tsit5 and dop853 are
/// near rounding there.
#[test]
fn methods_of_higher_order_keep_it_with_every_smooth_function() {
    let mut arms = format!("gravity = 9.81\n{}{WORDS}", mechanism_of(KINDS[2])).replace("mechanism.", "");
    for at in ["0.5", "1.5"] {
        arms = arms.replace(&format!("initial = {{ position = [{at}, 0, 0], approximate = true }}\n"), "");
    }
    let arms = arms.replace("kind = \"revolute\"", "kind = \"revolute\"\nangle = 0.3");
    keeps_its_order(&arms, &HIGHER[..1]);
}

/// Where a signal is sampled the law jumps, and all methods begin anew: the sampled law is smooth
/// in between.
#[test]
fn methods_of_higher_order_keep_it_with_a_law_that_is_sampled() {
    let laws = LAWS.replace("unit = \"N m\"\n", "unit = \"N m\"\nevery = \"0.1 s\"\n");
    keeps_its_order(&format!("{BODIES}{laws}"), &HIGHER);
}

/// Methods, their orders, and numbers of steps.
const HIGHER: [(&str, f64, [u64; 3]); 3] =
    [("rk4", 4.0, [40, 80, 160]), ("tsit5", 5.0, [20, 40, 80]), ("dop853", 8.0, [8, 12, 16])];

fn keeps_its_order(mechanism: &str, methods: &[(&'static str, f64, [u64; 3])]) {
    let hinged = mechanism_of_text("laws", mechanism).unwrap_or_else(|problems| panic!("{problems}"));
    let end = 0.4;
    let exact = accurate::run(&hinged, &Instance::nominal(&hinged), &[end], accurate::TOLERANCE);
    let exact = exact.unwrap().states.remove(0);
    for &(method, order, steps) in methods {
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

/// A law that is written as a spring with a damper moves as these, to the order of the method; by a
/// method that evaluates all forces at one instant to rounding.
#[test]
fn a_law_of_displacement_and_rate_is_a_spring_with_a_damper() {
    let mechanism = |spring: &str| {
        let text = format!("{SLIDE}[[joint_spring]]\nname = \"s\"\njoint = \"rail\"\n{spring}\n");
        mechanism_of_text("slide", &text).unwrap()
    };
    let spring = mechanism("stiffness = 8\ndamping = 1.5\nrest = 0.1");
    let law = mechanism("actuator = \"-8*(rail.displacement - 0.1) - 1.5*rail.displacement_rate\"");
    let at_end = |method, mechanism: &Mechanism, steps: u64| {
        let ready = Ready::new(by(method, mechanism, 2.0 / steps as f64, steps));
        ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::DISPLACEMENT])[0][0]
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
        channels::POINT_POSITION,
        channels::POINT_VELOCITY,
        channels::POINT_ACCELERATION,
        channels::SIGNAL_VALUE,
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

/// When the first CubeSats of the shipped study turn slower than 1 deg/s for good, by SciPy 1.17:
/// Euler's equations by DOP853 with rtol 1e-11, begun anew where a wheel reaches its limit
/// (`benches/peers/cubesat_scipy.py`).
const DETUMBLED: [f64; 8] = [
    7.647_765_268_820_05,
    33.235_172_011_002_01,
    32.485_295_600_599_8,
    40.884_717_461_409_465,
    44.877_883_238_258_71,
    30.095_053_260_618_265,
    47.397_378_733_833_05,
    27.878_575_714_053_035,
];

#[test]
fn cubesats_stop_to_tumble_when_scipy_says() {
    let file = root().join("studies/cubesat.toml");
    let mut study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    study.ensemble.size = DETUMBLED.len() as u64;
    let ready = Ready::new(study);
    let rows = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::OUTCOME_VALUE]);
    for (row, scipy) in rows.iter().zip(DETUMBLED) {
        println!("{} {scipy}", row[0]);
        assert!((row[0] - scipy).abs() < DETUMBLED_APART, "{} {scipy}", row[0]);
    }
}

/// A body of equal moments J that turns about one axis, braked by `-clamp(k w, -L, L)`: w falls by
/// L/J t to L/k, and from there as exp(-k t/J). What a study asks of it has closed forms.
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
    let found = &whole.observe(&outcome, &[channels::OUTCOME_VALUE])[0];
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
    assert_eq!(end.verdict, Verdict::Condition(0), "{end:?}");
    assert_eq!(end.step, (crossing / 0.02).ceil() as u64, "{end:?}");
}

/// A pendulum of mass 2 kg, l = 0.5 m, J = 0.1 kg m² about its mass centre, let go at an angle of
/// 1.2 from hanging.
const PENDULUM: &str = r#"
gravity = 9.81
[[body]]
name = "bob"
mass = 2
inertia = [0.1, 0.1, 0.1]
centre_of_mass = [0, 0, -0.5]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "bob"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [0, 1, 0]
angle = 1.2
[[point]]
name = "tip"
body = "bob"
at = [0, 0, -0.8]
"#;

/// Forces, the accelerations that they cause, and energies of a pendulum that swings down. With J
/// the inertia about the hinge, at the bottom `w² = 2 m g l (1 - cos 1.2)/J`, the hinge bears
/// `m g + m l w²`, and a point at r is accelerated by `r w²`.
#[test]
fn outcomes_of_forces_and_energies_are_those_of_a_pendulum() {
    let study = r#"
method = { name = "rk4", step = "1 ms", duration = "2 s" }
ensemble.size = 1
run.precision = "f64"
[[outcome]]
name = "load"
max = "hinge.force.z"
[[outcome]]
name = "hurried"
max = "tip.acceleration.z"
[[outcome]]
name = "fastest"
max = "kinetic_energy"
[[outcome]]
name = "deepest"
min = "potential_energy"
[[outcome]]
name = "drift"
max = "abs(energy + 2*9.81*0.5*cos(1.2))"
[[outcome]]
name = "turning"
max = "abs(hinge.angle_acceleration)"
[[outcome]]
name = "torque"
max = "abs(hinge.torque.y)"
"#;
    let ready = Ready::new(read_study_text("pendulum", study, PENDULUM).unwrap());
    let found = &ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::OUTCOME_VALUE])[0];
    let (m, g, l, r, start) = (2.0, 9.81, 0.5, 0.8, 1.2f64);
    let j = 0.1 + m * l * l;
    let square = 2.0 * m * g * l * (1.0 - start.cos()) / j;
    let expected = [
        m * g + m * l * square,
        r * square,
        m * g * l * (1.0 - start.cos()),
        -m * g * l,
        0.0,
        m * g * l * start.sin() / j,
        0.0,
    ];
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        println!("{k}: {found} {expected}");
        assert!((found - expected).abs() < SWING, "{k}: {found} {expected}");
    }
}

/// A law of the energy, which swings a pendulum up: engine, accurate solution, and the order of the
/// method.
#[test]
fn a_law_of_the_energy_acts_as_the_reference_says() {
    let motor = "[[joint_spring]]\nname = \"motor\"\njoint = \"hinge\"\n\
                 actuator = \"0.2*hinge.angle_rate*(9 - energy) + 0.1*kinetic_energy - \
                 0.05*potential_energy\"\n";
    let mechanism = mechanism_of_text("pumped", &format!("{PENDULUM}{motor}")).unwrap();
    let end = 1.0;
    let exact = accurate::run(&mechanism, &Instance::nominal(&mechanism), &[end], accurate::TOLERANCE);
    let exact = exact.unwrap().states.remove(0);
    for (method, order, steps) in [("rk4", 4.0, [50, 100, 200]), ("staggered", 2.0, [200, 400, 800])] {
        let errors = steps.map(|steps| {
            let found = engine_state(&Ready::new(by(method, &mechanism, end / steps as f64, steps)), &exact);
            (end / steps as f64, apart(&found, &exact))
        });
        println!("{method}: {} {errors:?}", slope(&errors));
        assert!((slope(&errors) - order).abs() < HIGH_ORDER, "{method}: {errors:?}");
    }
}

/// A mass on a rail under a sampled damper, `v' = -c v_k/m` from t_k on: after n samples
/// `v = v0 (1 - c T/m)^n`, whatever the method.
#[test]
fn a_sampled_damper_is_a_geometric_series() {
    let text = format!(
        "{SLIDE}[[signal]]\nname = \"brake\"\nvalue = \"-1.5*rail.displacement_rate\"\nunit = \"N\"\n\
         every = \"0.1 s\"\n[[joint_spring]]\nname = \"s\"\njoint = \"rail\"\nactuator = \"brake\"\n"
    );
    let mechanism = mechanism_of_text("slide", &text).unwrap();
    let factor: f64 = 1.0 - 1.5 * 0.1 / 2.0;
    for card in cards().iter().filter(|card| card.takes != Takes::OneBody) {
        let by_tolerance = Adaptive::new(card.name, &Options::default()).is_some();
        // The last step ends where the signal is sampled: what is shown holds from there on.
        let mut study = by(card.name, &mechanism, 0.02, 100);
        if by_tolerance {
            study.constraints.project = 1;
        }
        let ready = Ready::new(study);
        let rates = [channels::DISPLACEMENT_RATE, channels::SIGNAL_VALUE];
        let found = &ready.observe(&ready.on_cpu(Precision::F64, 1), &rates)[0];
        let v = -0.3 * factor.powi(20);
        println!("{}: {found:?} {v}", card.name);
        let within = if by_tolerance { SAMPLED_BY_TOLERANCE } else { SAMPLED };
        let off = (found[0] - v).abs().max((found[1] + 1.5 * v).abs());
        assert!(off < within, "{}: {found:?}", card.name);
    }
}

/// An outcome of what is sampled sees both sides of its jumps: the held signal is a staircase.
#[test]
fn outcomes_of_a_sampled_signal_are_those_of_a_staircase() {
    let mechanism = format!(
        "{SLIDE}[[signal]]\nname = \"seen\"\nvalue = \"t\"\nevery = \"0.1 s\"\n\
         [[state]]\nname = \"area\"\nrate = \"seen\"\n"
    );
    let study = r#"
method = { name = "rk4", step = "20 ms", duration = "1 s" }
ensemble.size = 1
run.precision = "f64"
[[outcome]]
name = "integral"
integral = "seen"
[[outcome]]
name = "most"
max = "seen"
[[outcome]]
name = "first"
first = "seen > 0.55"
[[outcome]]
name = "long"
duration = "seen > 0.55"
[[outcome]]
name = "carried"
final = "area"
"#;
    let ready = Ready::new(read_study_text("staircase", study, &mechanism).unwrap());
    let found = &ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::OUTCOME_VALUE])[0];
    for (found, expected) in found.iter().zip([0.45, 1.0, 0.6, 0.4, 0.45]) {
        assert!((found - expected).abs() < SAMPLED, "{found} {expected}");
    }
}

/// The first of several conditions to hold ends the instance, by its number; and a state starts
/// where the ensemble puts it.
#[test]
fn named_conditions_end_instances_and_states_start_where_they_are_drawn() {
    let mechanism = format!("{SLIDE}[[state]]\nname = \"clock\"\nrate = \"1\"\ninitial = \"0.5 s\"\n");
    let study = r#"
method = { name = "rk4", step = "10 ms", duration = "2 s" }
run.precision = "f64"
ensemble.vary."clock.initial" = { linspace = { from = "0 s", to = "3 s", count = 4 } }
[[verdict]]
name = "behind"
when = "rail.displacement < 0.1985"
[[verdict]]
energy = "none"
every = 7
name = "late"
when = "clock >= 2.005"
"#;
    let ready = Ready::new(read_study_text("ends", study, &mechanism).unwrap());
    let ends = ready.on_cpu(Precision::F64, 1).ends;
    let names = ready.study.mechanism.verdict_names();
    let found: Vec<(&str, u64)> = ends.iter().map(|end| (names.of(end.verdict), end.step)).collect();
    // The slide passes 0.1985 m after 1.005 s; the clock reads 2.005 s after 2.005 s less its
    // start.
    assert_eq!(found, [("behind", 101), ("behind", 101), ("late", 1), ("late", 1)]);
    assert_eq!(names.conditions, ["behind", "late"]);
}

/// A unit delay shows what its input was a sample before, and a filter has its closed form:
/// `y_(k+1) = a y_k
/// + (1 - a) u` of a step u = 1.
#[test]
fn sampled_states_are_delays_and_filters() {
    let text = format!(
        "{SLIDE}{}",
        r#"
[constants]
first = "0.25"
[[state]]
name = "late"
next = "t"
initial = "7 s"
every = "0.1 s"
[[state]]
name = "later"
next = "late"
initial = -1
every = "0.1 s"
[[state]]
name = "smoothed"
next = "first*smoothed + (1 - first)*now"
initial = "2*first"
every = "0.2 s"
[[signal]]
name = "now"
value = "1 + 0*late"
every = "0.1 s"
"#
    );
    let mechanism = mechanism_of_text("delays", &text).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(channels::SIGNAL_VALUE.owner().names(&mechanism), ["late", "later", "smoothed", "now"]);
    for method in ["rk4", "staggered", "dop853"] {
        for (steps, late, later, filtered) in [
            (3, 7.0, -1.0, 0),
            (4, 0.0, 7.0, 0),
            (7, 0.0, 7.0, 0),
            (8, 0.1, 0.0, 1),
            (12, 0.2, 0.1, 1),
            (31, 0.6, 0.5, 3),
        ] {
            // 1 - y_k = a^k (1 - y_0)
            let expected = 1.0 - 0.25f64.powi(filtered) * 0.5;
            let ready = Ready::new(by(method, &mechanism, 0.025, steps));
            let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::SIGNAL_VALUE]).remove(0);
            for (found, expected) in found.iter().zip([late, later, expected, 1.0]) {
                assert!((found - expected).abs() < SAMPLED, "{method}, {steps}: {found} {expected}");
            }
        }
    }
}

/// An instance that ends without numbers: its verdict names the elements whose functions have no
/// value for some arguments. Outcomes act on nothing.
#[test]
fn laws_that_may_have_no_value_are_named_where_an_instance_ends() {
    let reason_of = |law: &str| {
        let text = format!(
            "{SLIDE}[[signal]]\nname = \"seen\"\nvalue = \"{law}\"\n\
             [[joint_spring]]\nname = \"s\"\njoint = \"rail\"\nactuator = \"seen\"\n"
        );
        Verdict::NonFinite.reason(&mechanism_of_text("slide", &text).unwrap())
    };
    for law in ["log(rail.displacement)", "rail.displacement^1.5", "2 + asin(rail.displacement)", "sqrt(t)"] {
        let reason = reason_of(law).unwrap_or_default();
        assert!(reason.contains("has no value for its argument in signal `seen`"), "{law}: {reason}");
    }
    assert_eq!(reason_of("rail.displacement^2 + atan2(rail.displacement, 1)"), None);
}

/// A law that grows without bound within the time, or has no value there, ends the accurate
/// solution within a second or two: its steps become ever shorter, and are accepted.
#[test]
fn the_accurate_solution_ends_where_a_law_does() {
    for (law, ends) in [
        ("sqrt(0.1 - t)", 0.1),
        ("1/(0.1 - t)^2", 0.1),
        ("sqrt(-1 - t)", 0.0),
        ("sqrt(1.05 - body.position.x)", 0.2),
        ("100*body.position.x^3", 0.1),
    ] {
        let text = format!(
            "[body]\nmass = 1\ninertia = [1, 1, 1]\n\
             initial = {{ position = [1, 0, 0], velocity = [0.2, 0, 0] }}\n\
             [[load]]\nname = \"push\"\nbody = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
             function = [{law:?}, \"0\", \"0\"]\n"
        );
        let mechanism =
            mechanism_of_text("law", &text).unwrap_or_else(|problems| panic!("{law}: {problems}"));
        let instance = Instance::nominal(&mechanism);
        let limits =
            accurate::Limits { evaluations: 2_000_000, ..accurate::Limits::until(Time::now() + HOUR, 1e9) };
        let run =
            |time| accurate::run_within(&mechanism, &instance, &[time], accurate::TOLERANCE, Some(&limits));
        if ends > 0.0 {
            assert!(run(0.5 * ends).is_ok(), "{law}");
        }
        let error = run(1.0).expect_err(law).to_string();
        println!("{law}: {error}");
        assert!(error.contains("step is short enough at "), "{law}: {error}");
    }
}

/// An expression whose form says that it is nowhere below zero has no least value there.
#[test]
fn least_values_are_not_below_zero_where_the_expression_says_so() {
    let peaks = |kind: &str, expression: &str| {
        let mechanism = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n\
                         [[signal]]\nname = \"speed\"\nvalue = \"norm(b.velocity)\"\n";
        let text = format!(
            "mechanism = \"m.toml\"\nmethod = {{ name = \"rk4\", step = 0.1, steps = 10 }}\n\
             ensemble = {{ size = 1 }}\n[[outcome]]\nname = \"o\"\n{kind} = \"{expression}\"\n"
        );
        let study = read_study_text("m.toml", &text, mechanism).unwrap_or_else(|why| panic!("{why}"));
        study.mechanism.peaks(&study.mechanism.outcomes[0])
    };
    for expression in [
        "norm(b.position)",
        "tilt(b.attitude, [1, 0, 0], [1, 0, 0])",
        "speed",
        "b.position.x^2 + 2*speed",
        "b.position.x*b.position.x",
        "exp(t)/2",
    ] {
        assert_eq!(peaks("min", expression), Peaks::BetweenNotBelowZero, "{expression}");
        assert_ne!(peaks("max", expression), Peaks::BetweenNotBelowZero, "{expression}");
    }
    for expression in
        ["b.position.x", "-speed", "speed - 1", "b.position.x^3", "b.position.x*speed", "-1 + speed"]
    {
        assert_eq!(peaks("min", expression), Peaks::Between, "{expression}");
    }
}
