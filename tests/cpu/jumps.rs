//! Functions that jump in time: a step that ends at a jump sees what was before it, the next what
//! comes after. Every method keeps its order where the jump is on a step, engine and reference
//! alike; outcomes do too.

use crate::common::engine::Ready;
use crate::common::judged::{apart, engine_state, reference, worst};
use crate::common::slope;
use crate::common::study::study;
use crate::common::tolerances::{HIGH_ORDER, IMPULSE, METHOD_ORDER, NEXT_ORDER, REFERENCE_PER_STEP};
use crate::damping::BODIES;
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Constraints, Mechanism, Study};
use polhode::methods::{Adaptive, Card, Takes, cards};
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study_file::{mechanism_of_text, read_study_text};

/// Forces of every kind that a function of time drives, all of which jump at .2 s: by `step`, a
/// comparison, `select`, through a signal, in a product of two that jump, and with the motion; and
/// a bend.
const JUMPS: &str = r#"
[[signal]]
name = "ramp"
value = "5*t"
unit = "1"
[[signal]]
name = "on"
value = "select(ramp < 1, 0.3, 1)"
unit = "1"
[[joint_spring]]
name = "motor"
joint = "hinge"
actuator = "4*on*(0.2 + step(t - 0.2)) - 2*hinge.angle_rate*(t >= 0.2)"
[[line_actuator]]
name = "piston"
bodies = ["arm", "block"]
points = [[0.3, 0, 0.1], [0, 0.1, 0]]
force = "5*sin(3*t)*(1 - step(t/0.1 - 2)) + 20*max(0, t - 0.2)"
[[load]]
name = "wheel"
body = "block"
kind = "torque"
axes = "body"
function = ["0.3*step(0.2 - t)", "select(t < 0.2, sin(9*t), -0.4)", "abs(t - 0.2)"]
[[state]]
name = "lag"
rate = "9*(on - lag)"
initial = "0.3"
[[joint_spring]]
name = "late"
joint = "sleeve"
coordinate = "angle"
actuator = "-0.2*lag"
"#;

const END: f64 = 0.4;

fn jumping(method: &str) -> Mechanism {
    // Some methods take no states.
    let all = format!("{BODIES}{JUMPS}");
    let with_states = ["staggered", "midpoint", "rk4", "tsit5", "dop853"].contains(&method);
    let text = if with_states { &all } else { all.split("[[state]]").next().unwrap() };
    mechanism_of_text("jumps", text).unwrap()
}

fn by(method: &'static str, mechanism: &Mechanism, end: f64, steps: u64) -> Study {
    let mut study = study(mechanism.clone(), 1, end / steps as f64, steps);
    study.method.name = method;
    study.method.resynchronise = 0;
    // The reference solves what others leave after a few iterations.
    let iterations =
        if method.starts_with("newmark") { Some(20) } else { (method == "midpoint").then_some(3) };
    if let Some(count) = iterations {
        study.method.options = Options::default().with("iterations", Setting::Count(count));
    }
    study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
    study
}

/// Those whose step is that of the study.
fn of_fixed_steps() -> impl Iterator<Item = &'static Card> {
    let recorded = |card: &&Card| Adaptive::new(card.name, &Options::default()).is_none();
    cards().iter().copied().filter(|card| card.takes != Takes::OneBody).filter(recorded)
}

#[test]
fn every_method_keeps_its_order_with_a_jump_on_a_step() {
    let mut off = Vec::new();
    let exact = ["staggered", "simo_wong"].map(|method| {
        let mechanism = jumping(method);
        let exact = accurate::run(&mechanism, &Instance::nominal(&mechanism), &[END], accurate::TOLERANCE);
        exact.unwrap().states.remove(0)
    });
    for card in of_fixed_steps() {
        let mechanism = jumping(card.name);
        let exact = &exact[usize::from(mechanism.states.is_empty())];
        let (steps, above) = match card.order {
            5 => ([20, 40, 80], NEXT_ORDER + HIGH_ORDER),
            8 => ([8, 12, 16], HIGH_ORDER),
            4 => ([40, 80, 160], HIGH_ORDER),
            _ => ([200, 400, 800], METHOD_ORDER),
        };
        let errors = steps.map(|steps| {
            let ready = Ready::new(by(card.name, &mechanism, END, steps));
            (END / steps as f64, apart(&engine_state(&ready, exact), exact))
        });
        let (found, order) = (slope(&errors), f64::from(card.order));
        println!("{}: order {found:.2}, errors {:?}", card.name, errors.map(|(_, error)| error));
        let below = if card.order > 2 { HIGH_ORDER } else { METHOD_ORDER };
        if !(found > order - below && found < order + above) {
            off.push((card.name, found));
        }
    }
    assert!(off.is_empty(), "{off:?}");
}

/// A jump a third of a step after a step's start is met to first order by every method of fixed
/// steps, and within its tolerance by one that chooses its own steps.
#[test]
fn a_jump_inside_a_step_is_met_to_first_order_and_by_own_steps_within_their_tolerance() {
    const OWN_END: f64 = 0.3;
    let mut off = Vec::new();
    for card in of_fixed_steps() {
        let mechanism = jumping(card.name);
        let instance = Instance::nominal(&mechanism);
        let exact = accurate::run(&mechanism, &instance, &[OWN_END], accurate::TOLERANCE).unwrap();
        let exact = &exact.states[0];
        let errors = [101u64, 200, 401].map(|steps| {
            let ready = Ready::new(by(card.name, &mechanism, OWN_END, steps));
            (OWN_END / steps as f64, apart(&engine_state(&ready, exact), exact))
        });
        println!("{}: order {:.3}, errors {errors:?}", card.name, slope(&errors));
        if (slope(&errors) - 1.0).abs() > METHOD_ORDER {
            off.push((card.name, slope(&errors)));
        }
        if !["tsit5", "dop853"].contains(&card.name) {
            continue;
        }
        for tolerance in [1e-5, 1e-8] {
            let mut study = by(card.name, &mechanism, OWN_END, 2);
            study.method.options = Options::default().with("tolerance", Setting::Number(tolerance));
            let ready = Ready::new(study);
            let error = apart(&engine_state(&ready, exact), exact);
            let worst = worst(&ready, &ready.on_cpu(Precision::F64, 1), &[reference(&ready, 0)]);
            println!("{} {tolerance:e}: {error:e}, reference {worst:e}", card.name);
            // The tolerance is that of a step; the errors of all add up.
            assert!(error.max(worst) < 30.0 * tolerance, "{} {tolerance:e}: {error:e}, {worst:e}", card.name);
        }
    }
    assert!(off.is_empty(), "{off:?}");
}

/// The accurate solution takes a sampled signal at every tick, which no binary number is: after n
/// ticks of T the rate is `v0 (1 - c T/m)^n`, at the ticks and between them.
#[test]
fn the_accurate_solution_samples_at_every_tick() {
    const TICK: f64 = 0.3;
    let text = "[[body]]\nname = \"block\"\nmass = 2\ninertia = [1, 1, 1]\n\
                initial = { velocity = [1, 0, 0] }\n\
                [[point]]\nname = \"middle\"\nbody = \"block\"\nat = [0, 0, 0]\n\
                [[signal]]\nname = \"brake\"\nvalue = \"-0.4*middle.velocity.x\"\nunit = \"N\"\n\
                every = \"0.3 s\"\n\
                [[load]]\nname = \"push\"\nbody = \"block\"\nkind = \"force\"\naxes = \"space\"\n\
                function = [\"brake\", \"0\", \"0\"]\n";
    let mechanism = mechanism_of_text("braked", text).unwrap();
    // Sums of ticks are off by some last bits on either side of the products.
    let mut sum = 0.0;
    let ticks = (1..=60).map(|k| {
        sum += TICK;
        if k % 2 == 0 { sum } else { f64::from(k) * TICK }
    });
    let times: Vec<f64> = ticks.flat_map(|tick| [tick, tick + 0.1]).collect();
    let found =
        accurate::run(&mechanism, &Instance::nominal(&mechanism), &times, accurate::TOLERANCE).unwrap();
    let share = 0.4 * TICK / 2.0;
    for (k, (state, time)) in found.states.iter().zip(&times).enumerate() {
        let ticks = (k / 2 + 1) as f64;
        let at_tick = (1.0 - share).powf(ticks);
        let exact = if k % 2 == 0 { at_tick } else { at_tick * (1.0 - share / 3.0) };
        let v = state.bodies[0].velocity[0];
        assert!((v - exact).abs() < 1e-9, "{time}: {v} {exact}");
    }
}

#[test]
fn engine_and_reference_take_a_jump_alike_wherever_it_is_in_a_step() {
    for card in of_fixed_steps() {
        // The jump at .2 s is on a step, in the middle of one, and elsewhere.
        for (end, steps) in [(0.4, 40), (0.4, 41), (0.45, 40)] {
            let ready = Ready::new(by(card.name, &jumping(card.name), end, steps));
            let worst = worst(&ready, &ready.on_cpu(Precision::F64, 1), &[reference(&ready, 0)]);
            println!("{} {end} {steps}: {worst:e}", card.name);
            assert!(worst < REFERENCE_PER_STEP * steps as f64, "{} {end} {steps}: {worst:e}", card.name);
        }
    }
}

/// w of a body of unit inertia under a torque that ends at a whole step, which rounding moves to
/// either side; it turns so slowly that methods by iteration are exact too.
#[test]
fn an_impulse_of_a_function_that_ends_on_a_step_is_exact() {
    const TORQUE: f64 = 1e-6;
    for card in of_fixed_steps() {
        for (steps, jump) in [(10u64, 0.5), (10, 0.3), (10, 0.7), (20, 0.35), (30, 0.2), (1000, 0.657)] {
            let torque = format!("{TORQUE}*(1 - step(t - {jump}))");
            let mechanism = mechanism_of_text(
                "push",
                &format!(
                    "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n[[load]]\nname = \"push\"\n\
                     body = \"body\"\n\
                     kind = \"torque\"\naxes = \"body\"\nfunction = [\"0\", \"0\", \"{torque}\"]\n"
                ),
            );
            let ready = Ready::new(by(card.name, &mechanism.unwrap(), 1.0, steps));
            let outcome = ready.on_cpu(Precision::F64, 1);
            let w = ready.observe(&outcome, &[channels::ANGULAR_VELOCITY])[0][2];
            println!("{} {steps} {jump}: {w:e}", card.name);
            assert!((w / TORQUE - jump).abs() < IMPULSE, "{} {steps} {jump}: {w:e}", card.name);
        }
    }
}

/// Outcomes of a study of one body, in their order.
fn outcomes(mechanism: &str, method: &str, outcomes: &[(&str, &str)]) -> Vec<f64> {
    let rows = outcomes.iter().enumerate();
    let rows =
        rows.map(|(k, (kind, function))| format!("[[outcome]]\nname = \"o{k}\"\n{kind} = {function}\n"));
    let study = format!(
        "method = {{ {method} }}\nensemble.size = 1\nrun.precision = \"f64\"\n{}",
        rows.collect::<String>()
    );
    let ready = Ready::new(read_study_text("jumps", &study, mechanism).unwrap());
    let observed = [channels::OUTCOME_VALUE, channels::OUTCOME_TIME];
    ready.observe(&ready.on_cpu(Precision::F64, 1), &observed).remove(0)
}

/// A function that jumps on a step is integrated by what it is on either side, and peaks on either
/// side.
#[test]
fn outcomes_of_a_function_that_jumps_on_a_step_are_exact() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let found = outcomes(
        body,
        "name = \"rk4\", step = \"0.1 s\", duration = \"1 s\"",
        &[
            ("integral", "\"select(t < 0.3, 2 + t, 5 - t)\""),
            ("max", "\"select(t < 0.3, 2 + t, 1 - t)\""),
            ("min", "\"select(t < 0.7, 2 - t, 5)\""),
            ("duration", "\"step(0.7 - t) + step(t - 0.9) > 0.5\""),
            ("rms", "\"1 - 2*step(t - 0.7)\""),
        ],
    );
    let want = [2.0 * 0.3 + 0.045 + 5.0 * 0.7 - 0.455, 2.3, 1.3, 0.8, 1.0];
    for (found, want) in found.iter().zip(want) {
        assert!((found - want).abs() < IMPULSE, "{found} {want}");
    }
}

/// A peak at a bend is that of the steps: nothing is interpolated across, and no peak is above the
/// function. One beside a bend that points away is found between steps.
#[test]
fn peaks_at_a_bend_are_not_beyond_the_function() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                [[signal]]\nname = \"off\"\nvalue = \"-abs(sin(3*t + 0.2))\"\nunit = \"1\"\n";
    let found = outcomes(
        body,
        "name = \"rk4\", step = \"37 ms\", duration = \"3.7 s\"",
        &[
            ("max", "\"1 - abs(sin(3*t + 0.2))\""),
            ("max", "\"-2*abs(sin(3*t + 0.2))\""),
            ("max", "\"off\""),
            ("min", "\"-3*off\""),
            ("max", "\"abs(sin(3*t + 0.2))\""),
            ("min", "\"-abs(sin(3*t + 0.2))\""),
            ("max", "\"-2*off\""),
        ],
    );
    let want = [1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 2.0];
    let beyond = [1.0, 1.0, 1.0, -1.0];
    for ((found, want), sign) in found.iter().zip(want).zip(beyond) {
        assert!(sign * (found - want) <= 0.0, "{found} is beyond {want}");
    }
    for (found, want) in found.iter().zip(want).skip(beyond.len()) {
        assert!((found - want).abs() < 3e-5, "{found} {want}");
    }
}

/// q = (cos t/2, sin t/2, 0, 0), whose scalar is not negative by convention: at t = pi q1 goes from
/// 1 to -1. Nothing is interpolated across.
#[test]
fn outcomes_of_an_attitude_do_not_reach_across_its_change_of_sign() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                initial = { angular_velocity = [1, 0, 0] }\n[[signal]]\nname = \"torque\"\n\
                value = \"-3*body.attitude.q1\"\nunit = \"1\"\n";
    let end = 4.0f64;
    let (pi, half) = (std::f64::consts::PI, 0.5 * end);
    let want = [
        -1.0,
        1.0,
        3.0,
        2.0 - 2.0 * (-half.cos()),
        (0.5f64 - 0.25 * (2.0 * half).sin() / half).sqrt(),
        pi - 2.0 * 0.25f64.asin(),
        pi,
    ];
    let functions = [
        ("min", "\"body.attitude.q1\""),
        ("max", "\"body.attitude.q1\""),
        ("max", "\"torque\""),
        ("integral", "\"body.attitude.q1\""),
        ("rms", "\"body.attitude.q1\""),
        ("duration", "\"body.attitude.q1 > 0.25\""),
        ("last", "\"body.attitude.q1 > 0.25\""),
    ];
    for method in ["rk4", "staggered", "dop853"] {
        let errors = [40, 80, 160].map(|steps| {
            let method = format!("name = \"{method}\", step = {}, duration = {end}", end / f64::from(steps));
            let found = outcomes(body, &method, &functions);
            found.iter().zip(want).map(|(found, want)| (found - want).abs()).collect::<Vec<f64>>()
        });
        println!("{method}: {errors:?}");
        for (k, functions) in functions.iter().enumerate() {
            let [first, _, last] = [0, 1, 2].map(|i| errors[i][k]);
            // Order 2 gives a sixteenth, but for what falls on a step by chance.
            assert!(
                last < 1e-3 && (last < first / 8.0 || last < 1e-5),
                "{method} {functions:?}: {first:e} {last:e}"
            );
        }
    }
}

/// The heading of a point that goes round at 1 rad/s: atan2 goes from pi to -pi at t = pi. Nothing
/// is interpolated across, whether it is asked for itself, through a signal, or of what forces
/// cause.
#[test]
fn outcomes_of_an_angle_do_not_reach_across_its_turn() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                initial = { angular_velocity = [0, 0, 1] }\n[[point]]\nname = \"tip\"\nbody = \"body\"\n\
                at = [1, 0, 0]\n\
                [[signal]]\nname = \"heading\"\nvalue = \"atan2(tip.position.y, tip.position.x)\"\n\
                unit = \"rad\"\n";
    let end = 4.0f64;
    let pi = std::f64::consts::PI;
    let behind = end - 2.0 * pi;
    let heading = "atan2(tip.position.y, tip.position.x)";
    let caused = "atan2(-tip.acceleration.y, -tip.acceleration.x)";
    let integral = 0.5 * pi * pi + 0.5 * (behind * behind - pi * pi);
    let square = (pi.powi(3) / 3.0 + (behind.powi(3) + pi.powi(3)) / 3.0) / end;
    let expected = [
        ("max", heading.to_string(), pi),
        ("min", "3*heading".to_string(), -3.0 * pi),
        ("integral", heading.to_string(), integral),
        ("mean", "heading".to_string(), integral / end),
        ("rms", heading.to_string(), square.sqrt()),
        ("first", format!("{heading} > 3"), 3.0),
        ("duration", "heading > 3".to_string(), pi - 3.0),
        ("settled", "heading < 0".to_string(), pi),
        ("max", caused.to_string(), pi),
        ("integral", caused.to_string(), integral),
    ];
    let quoted: Vec<(&str, String)> =
        expected.iter().map(|(kind, function, _)| (*kind, format!("\"{function}\""))).collect();
    let functions: Vec<(&str, &str)> =
        quoted.iter().map(|(kind, function)| (*kind, function.as_str())).collect();
    for method in ["rk4", "staggered", "dop853"] {
        let errors = [40, 160].map(|steps| {
            let method = format!("name = \"{method}\", step = {}, duration = {end}", end / f64::from(steps));
            let found = outcomes(body, &method, &functions);
            found.iter().zip(&expected).map(|(found, (.., want))| (found - want).abs()).collect::<Vec<f64>>()
        });
        for (k, expected) in expected.iter().enumerate() {
            let [first, last] = [0, 1].map(|i| errors[i][k]);
            println!("{method} {expected:?}: {first:e} {last:e}");
            // Order 2 gives a sixteenth, but for what falls on a step by chance.
            assert!(
                last < 1e-3 && (last < first / 8.0 || last < 1e-5),
                "{method} {expected:?}: {first:e} {last:e}"
            );
        }
    }
}

/// The height of a point that goes round at 1 rad/s peaks close to half a turn, where its attitude
/// changes its sign, and its heading goes on a turn away: it does not jump there. Between steps its
/// peak is that of a cubic.
#[test]
fn outcomes_that_do_not_jump_reach_across_half_a_turn() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                initial = { angular_velocity = [0, 0, 1] }\n[[point]]\nname = \"tip\"\nbody = \"body\"\n\
                at = [1, 0, 0]\n\
                [[signal]]\nname = \"heading\"\nvalue = \"atan2(tip.position.y, tip.position.x)\"\n\
                unit = \"rad\"\n";
    let h = 0.1f64;
    for share in [-0.4, -0.02, 0.0, 0.02, 0.3] {
        let peak = std::f64::consts::PI + share * h;
        let (x, y) = (peak.cos(), peak.sin());
        let turned = format!("\"2 + dot(rotate(body.attitude, [1, 0, 0]), [{x}, {y}, 0])\"");
        let headed = format!("\"cos(heading - {peak})\"");
        let functions = [("max", &*turned), ("max", &*headed)];
        for method in ["rk4", "dop853"] {
            let method = format!("name = \"{method}\", step = {h}, duration = 4");
            let found = outcomes(body, &method, &functions);
            let [turned, headed, turned_at, headed_at] = found[..] else { panic!("{found:?}") };
            println!("{method} {share}: {} {}", turned - 3.0, turned_at - peak);
            for (value, want, time) in [(turned, 3.0, turned_at), (headed, 1.0, headed_at)] {
                assert!((value - want).abs() < h.powi(4) / 8.0, "{method} {share}: {}", value - want);
                assert!((time - peak).abs() < h.powi(3) / 2.0, "{method} {share}: {}", time - peak);
            }
        }
    }
}

/// A body that begins at half a turn has the other sign, and the other end of the angles, from then
/// on.
#[test]
fn outcomes_that_begin_where_a_branch_ends_are_of_the_next() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                initial = { attitude = [0, 0, 0, 1], angular_velocity = [0, 0, 1] }\n\
                [[point]]\nname = \"tip\"\nbody = \"body\"\nat = [1, 0, 0]\n";
    let functions = [
        ("integral", "\"body.attitude.q3\""),
        ("integral", "\"atan2(tip.position.y, tip.position.x)\""),
        ("settled", "\"atan2(tip.position.y, tip.position.x) < 0\""),
    ];
    let found = outcomes(body, "name = \"rk4\", step = 0.1, duration = 1", &functions);
    let want = [-2.0 * 0.5f64.sin(), 0.5 - std::f64::consts::PI, 0.0];
    for (found, want) in found.iter().zip(want) {
        // A thousandth of a step belongs to the branch before.
        assert!((found - want).abs() < 1e-3, "{found} {want}");
    }
}

/// A bushing's torque is `-k sin(angle)`: nothing jumps where its quaternion changes its sign.
#[test]
fn a_bushing_goes_through_half_a_turn() {
    let text = "[[body]]\nname = \"disc\"\nmass = 1\ninertia = [1, 1, 1]\n\
                initial = { angular_velocity = [0, 0, 3.5] }\n\
                [[bushing]]\nname = \"shaft\"\nbodies = [\"ground\", \"disc\"]\n\
                points = [[0, 0, 0], [0, 0, 0]]\ntorsional_stiffness = [3, 1, 2]\n";
    let mechanism = mechanism_of_text("shaft", text).unwrap();
    let errors = [100, 200, 400].map(|steps| {
        let ready = Ready::new(by("rk4", &mechanism, 3.0, steps));
        let outcome = ready.on_cpu(Precision::F64, 1);
        let worst = worst(&ready, &outcome, &[reference(&ready, 0)]);
        assert!(worst < REFERENCE_PER_STEP * steps as f64, "{steps}: {worst:e}");
        let exact =
            accurate::run(&mechanism, &Instance::nominal(&mechanism), &[3.0], accurate::TOLERANCE).unwrap();
        let turned = ready.observe(&outcome, &[channels::ATTITUDE])[0][0];
        assert!(turned < 0.9, "it has turned: {turned}");
        (3.0 / steps as f64, apart(&engine_state(&ready, &exact.states[0]), &exact.states[0]))
    });
    let order = slope(&errors);
    assert!((order - 4.0).abs() < HIGH_ORDER, "{order} {errors:?}");
}

/// A force that jumps in time leaves outcomes of accelerations their branches: |a| of what slows
/// down.
#[test]
fn outcomes_of_accelerations_take_their_branch_beside_a_jump_in_time() {
    let body = "[[body]]\nname = \"body\"\nmass = 2\ninertia = [1, 1, 1]\n[[load]]\nname = \"push\"\n\
                body = \"body\"\n\
                kind = \"force\"\naxes = \"space\"\nfunction = [\"-6*(1 - step(t - 0.5))\", \"0\", \"0\"]\n";
    let method = "name = \"rk4\", step = 0.1, duration = 1";
    let functions = [("max", "\"abs(body.acceleration.x)\""), ("min", "\"max(body.acceleration.x, -5)\"")];
    let found = outcomes(body, method, &functions);
    for (found, want) in found.iter().zip([3.0, -3.0]) {
        assert!((found - want).abs() < IMPULSE, "{found} {want}");
    }
}

/// A load that jumps within a step is a jump of what it causes: no peak is beyond both sides, and a
/// value beside the jump is not a mean of both.
#[test]
fn numbers_that_a_jumping_load_causes_are_those_of_their_side() {
    let body = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n[[load]]\nname = \"push\"\n\
                body = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
                pieces = [{ from = 0.2, until = 0.42, value = [1, 0, 0] }]\n";
    let functions = [
        ("max", "\"body.acceleration.x\""),
        ("min", "\"-body.acceleration.x\""),
        ("max", "\"-body.acceleration.x\""),
        ("at", "{ time = 0.4, value = \"body.acceleration.x\" }"),
    ];
    for method in [
        "name = \"staggered\"",
        "name = \"rk4\"",
        "name = \"simo_wong\"",
        "name = \"tsit5\", tolerance = 1e-8",
        "name = \"bdf\", relative = 1e-8, absolute = 1e-8",
    ] {
        let found = outcomes(body, &format!("{method}, step = 0.05, duration = 1"), &functions);
        for (found, want) in found.iter().zip([1.0, -1.0, 0.0, 1.0]) {
            assert!((found - want).abs() < IMPULSE, "{method}: {found} {want}");
        }
        let study = format!(
            "method = {{ {method}, step = 0.05, duration = 0.4 }}\nensemble.size = 1\n\
             run.precision = \"f64\"\n"
        );
        let ready = Ready::new(read_study_text("jumps", &study, body).unwrap());
        let seen = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ACCELERATION])[0][0];
        assert!((seen - 1.0).abs() < IMPULSE, "{method}: {seen}");
    }
}

/// The force that drives a slide along (0, .6, .8) is told along the axes of space.
#[test]
fn the_force_that_drives_a_slide_has_components_in_space() {
    let text = "[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = \"slide\"\n\
                kind = \"translational\"\n\
                bodies = [\"ground\", \"cart\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0.6, 0.8]\n\
                [[generator]]\nname = \"motor\"\njoint = \"slide\"\nvalue = \"0.5*t^2\"\n";
    let ready = Ready::new(by("rk4", &mechanism_of_text("slide", text).unwrap(), 0.1, 10));
    let force = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::DRIVE_FORCE]).remove(0);
    for (found, want) in force.iter().zip([0.0, 1.2, 1.6]) {
        assert!((found - want).abs() < REFERENCE_PER_STEP, "{force:?}");
    }
}
