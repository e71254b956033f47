//! Wheels that spin in bodies, against closed forms.

use crate::common::engine::Ready;
use crate::common::study::{Varied, study};
use crate::common::tolerances::{WHEEL, WHEEL_BY_SECOND_ORDER};
use polhode::base::Precision;
use polhode::describe::{Channel, ObservedChannel, Owner, Quantity};
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study_file::mechanism_of_text;

/// A free body without a wheel's inertia, which starts to turn so, with wheels.
fn gyrostat(turning: &str, wheels: &str) -> String {
    format!(
        "[[body]]\nname = \"hub\"\nmass = 1\ninertia = [2, 2, 3]\n\
         initial = {{ angular_velocity = {turning} }}\n{wheels}"
    )
}

/// A wheel along z with J = 0.1 kg m².
fn wheel(more: &str) -> String {
    format!("[[wheel]]\nname = \"wheel\"\naxis = [0, 0, 2]\ninertia = 0.1\n{more}\n")
}

/// The channels after this time (s), in so many steps by this method.
fn observed(text: &str, method: &'static str, end: f64, steps: u64, channels: &[Channel]) -> Vec<f64> {
    let mechanism = mechanism_of_text("gyrostat", text).unwrap_or_else(|problems| panic!("{problems}"));
    let mut study = study(mechanism, 1, end / steps as f64, steps);
    (study.method.name, study.method.resynchronise) = (method, 0);
    let ready = Ready::new(study);
    ready.observe(&ready.on_cpu(Precision::F64, 1), channels).remove(0)
}

fn near(found: &[f64], known: &[f64], tolerance: f64) {
    assert_eq!(found.len(), known.len(), "{found:?}");
    let size = known.iter().fold(0.0f64, |size, x| size.max(x.abs()));
    let off = found.iter().zip(known).map(|(a, b)| (a - b).abs());
    assert!(
        off.clone().all(|off| off <= tolerance * size),
        "{found:?} {known:?} {:?}",
        off.collect::<Vec<_>>()
    );
}

const TURN: Channel = Channel::of(Owner::Body, "angular_velocity");

/// `C w = C w0 - tau t`, `h = h0 + tau t`: what the wheel takes up the body gives, and the whole
/// keeps its momentum.
#[test]
fn a_motor_spins_a_wheel_up_and_turns_its_body_back() {
    let text = gyrostat("[0, 0, 0.3]", &wheel("speed = \"10 rad/s\"\ntorque = \"0.05\""));
    let (t, tau, c, j) = (4.0, 0.05, 3.0, 0.1);
    let (w, h) = (0.3 - tau * t / c, j * 10.3 + tau * t);
    let known = [0.0, 0.0, w, h / j - w, h, tau, 0.0, 0.0, c * w + h, 0.5 * (c * w * w + h * h / j)];
    let channels = [
        TURN,
        channels::ROTOR_SPEED,
        channels::ROTOR_MOMENTUM,
        channels::MOTOR_TORQUE,
        channels::ANGULAR_MOMENTUM,
        channels::ENERGY,
    ];
    for (method, tolerance) in
        [("staggered", WHEEL), ("rk4", WHEEL), ("dop853", WHEEL), ("midpoint", WHEEL_BY_SECOND_ORDER)]
    {
        near(&observed(&text, method, t, 100, &channels), &known, tolerance);
    }
}

/// With the wheel along the axis of a body of revolution, `w_x + i w_y` turns with
/// `((C - A) n + h)/A`.
#[test]
fn a_dual_spin_body_nutates_by_its_momenta() {
    let text = gyrostat("[0.01, 0, 0.4]", &wheel("speed = \"30 rad/s\""));
    let (a, c, n) = (2.0, 3.0, 0.4);
    let h: f64 = 0.1 * 30.4;
    let (t, rate) = (5.0, ((c - a) * n + h) / a);
    let known = [0.01 * (rate * t).cos(), 0.01 * (rate * t).sin(), n];
    let state = |steps| observed(&text, "staggered", t, steps, &[TURN]);
    near(&observed(&text, "dop853", t, 200, &[TURN]), &known, WHEEL);
    near(&state(4000), &known, WHEEL_BY_SECOND_ORDER);
    let mechanism = mechanism_of_text("gyrostat", &text).unwrap();
    let judged = accurate::run(&mechanism, &Instance::nominal(&mechanism), &[t], accurate::TOLERANCE);
    near(&judged.unwrap().states[0].bodies[0].angular_velocity, &known, WHEEL);
}

/// Three wheels without motors, across the body's axes of inertia: momentum, in space, and energy
/// stay what they are.
#[test]
fn a_free_gyrostat_keeps_momentum_and_energy() {
    let more = "[[wheel]]\nname = \"x\"\naxis = [1, 1, 0]\ninertia = 0.05\nspeed = \"300 rpm\"\n\
                [[wheel]]\nname = \"y\"\naxis = [1, -1, 0.5]\ninertia = 0.02\nspeed = -50\n";
    let text = gyrostat("[0.5, 0.2, 0.4]", &(wheel("speed = 20") + more))
        .replace("[2, 2, 3]", "[[2, 0.3, 0.1], [0.3, 2.5, 0], [0.1, 0, 3]]");
    let channels = [channels::ANGULAR_MOMENTUM, channels::ANGULAR_MOMENTUM_ABOUT_CENTRE, channels::ENERGY];
    let start = observed(&text, "dop853", 1e-9, 1, &channels);
    // H = J w + sum h a, with the user's axes those of space.
    let (w, root): ([f64; 3], f64) = ([0.5, 0.2, 0.4], 0.5f64.sqrt());
    let x = 0.05 * (300.0 * std::f64::consts::TAU / 60.0 + root * (w[0] + w[1]));
    let y = 0.02 * (-50.0 + (w[0] - w[1] + 0.5 * w[2]) / 1.5);
    let z = 0.1 * (20.0 + w[2]);
    let whole = [
        2.0 * w[0] + 0.3 * w[1] + 0.1 * w[2] + root * x + y / 1.5,
        0.3 * w[0] + 2.5 * w[1] + root * x - y / 1.5,
        0.1 * w[0] + 3.0 * w[2] + z + y / 3.0,
    ];
    near(&start[..3], &whole, WHEEL_BY_SECOND_ORDER);
    near(&observed(&text, "dop853", 20.0, 4000, &channels), &start, WHEEL);
    let conserving = observed(&text, "staggered", 20.0, 40_000, &channels);
    near(&conserving, &start, WHEEL_BY_SECOND_ORDER);
}

/// `Omega' = -c (1/J + 1/C) Omega`: friction brings wheel and body together.
#[test]
fn a_wheel_with_friction_comes_to_rest_in_its_body() {
    let text = gyrostat("[0, 0, 0]", &wheel("speed = \"10 rad/s\"\ndamping = \"0.02 N m s/rad\""));
    let (t, c, inertia, j) = (3.0, 0.02, 3.0, 0.1);
    let speed = 10.0 * f64::exp(-c * (1.0 / j + 1.0 / inertia) * t);
    // J (speed + w) + C w = J 10
    let known = [speed, j * (10.0 - speed) / (inertia + j)];
    for (method, tolerance) in [("dop853", WHEEL), ("staggered", WHEEL_BY_SECOND_ORDER)] {
        let found = observed(&text, method, t, 3000, &[channels::ROTOR_SPEED, TURN]);
        near(&[found[0], found[3]], &known, tolerance);
    }
}

/// The motor speeds a wheel up to its limit, on either side, and not beyond; it gives no more than
/// its torque and brakes at the limit as anywhere.
#[test]
fn a_motor_saturates_at_its_torque_and_its_speed() {
    let law = |torque: &str| {
        let limits = "max_torque = \"0.5 N m\"\nmax_speed = \"20 rad/s\"\n";
        gyrostat("[0, 0, 0]", &wheel(&format!("{limits}torque = \"{torque}\"")))
    };
    let channels = [channels::ROTOR_SPEED, channels::MOTOR_TORQUE];
    for sign in [1.0, -1.0] {
        let spun = |end, steps| observed(&law(&format!("{}", 7.0 * sign)), "rk4", end, steps, &channels);
        // Below the limit 0.5 N m act on the wheel and the body.
        near(&spun(2.0, 20), &[sign * 0.5 * (10.0 + 1.0 / 3.0) * 2.0, sign * 0.5], WHEEL);
        let [speed, torque] = spun(20.0, 2000)[..] else { panic!("two channels") };
        assert!((19.6..20.0).contains(&(sign * speed)) && torque.abs() < 1e-3, "{speed} {torque}");
        let braked = format!("{sign}*select(t < 10, 7, -0.2)");
        let [speed, torque] = observed(&law(&braked), "rk4", 15.0, 1500, &channels)[..] else {
            panic!("two")
        };
        assert_eq!(torque, -0.2 * sign);
        assert!((sign * speed - (20.0 - 0.2 * (10.0 + 1.0 / 3.0) * 5.0)).abs() < 0.4, "{speed}");
    }
}

/// Inertia and speed of each instance are its own.
#[test]
fn inertia_and_speed_of_wheels_vary() {
    let text = gyrostat("[0, 0, 0]", &wheel("speed = 10\ntorque = \"-0.02*wheel.speed\""));
    let mechanism = mechanism_of_text("gyrostat", &text).unwrap();
    let number = |part: &str| {
        let numbers = mechanism.numbers();
        Quantity::Number(numbers.iter().position(|n| n.name(&mechanism) == format!("wheel.{part}")).unwrap())
    };
    let varied = study(mechanism.clone(), 4, 0.01, 300);
    let varied = varied.uniform(number("inertia"), [0.05], [0.2]).uniform(number("speed"), [-20.0], [20.0]);
    let mut varied = varied;
    (varied.method.name, varied.method.resynchronise) = ("rk4", 0);
    let ready = Ready::new(varied);
    let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ROTOR_SPEED]);
    for (i, speed) in found.iter().enumerate() {
        let mut row = vec![f64::NAN; ready.sampler.width()];
        ready.sampler.draw(i as u64, &mut row);
        let [j, start] = row[..] else { panic!("{row:?}") };
        near(speed, &[start * f64::exp(-0.02 * (1.0 / j + 1.0 / 3.0) * 3.0)], 1e-9);
    }
}

/// A wheel's channels go by its name, as those of springs do.
#[test]
fn channels_of_wheels_are_theirs() {
    let text = gyrostat("[0, 0, 0]", &wheel(""));
    let mechanism = mechanism_of_text("gyrostat", &text).unwrap();
    let observed: Vec<ObservedChannel> =
        [channels::ROTOR_SPEED, channels::ROTOR_MOMENTUM, channels::MOTOR_TORQUE].map(Into::into).into();
    let columns = polhode::observe::channels::columns(&mechanism, &observed);
    let named: Vec<String> =
        columns.iter().map(|column| format!("{} ({})", column.name, column.unit)).collect();
    assert_eq!(named, ["wheel.speed (rad/s)", "wheel.momentum (N m s)", "wheel.torque (N m)"]);
}
