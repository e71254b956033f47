//! Laws of the motion on mechanisms of two bodies: every sensor, through signals, in every kind of
//! force that has a function.

use super::mechanisms::{call, number};
use polhode::describe::expression::{Function, MotionInput};
use polhode::describe::{
    Attached, Axes, Expression, Force, JointCoordinate, LawState, Load, LoadKind, Mechanism, NamedPoint,
    Outcome, OutcomeKind, Point, Sensor, Signal, Spot,
};
use polhode::elements::joint_spring::JointSpring;
use polhode::elements::line_actuator;
use polhode::elements::spring::Spring;
use polhode::elements::wheel::Wheel;

fn boxed(expression: Expression) -> Box<Expression> {
    Box::new(expression)
}

fn times(factor: f64, expression: Expression) -> Expression {
    Expression::Product(boxed(number(factor)), boxed(expression))
}

fn sum(terms: impl IntoIterator<Item = Expression>) -> Expression {
    let add = |sum: Expression, term| Expression::Sum(boxed(sum), boxed(term));
    terms.into_iter().reduce(add).expect("a sum has terms")
}

/// A smooth function that feels every sensor of its own weight, and the argument.
fn smooth(sensors: &[Expression], seed: f64) -> Expression {
    let weight = |k: usize| (seed + 2.3 * k as f64).sin();
    let linear = sensors.iter().enumerate().map(|(k, sensor)| times(weight(k), sensor.clone()));
    let bent = call(Function::Tanh, sum(linear));
    sum([times(0.5, bent), times(0.1, call(Function::Sin, times(4.0, Expression::Argument)))])
}

/// Adds the smooth laws of [`with_laws`] to the mechanism, and states: an actuator that follows its
/// signal with a lag, and an integral that it also feels.
pub fn with_states(mechanism: Mechanism, coordinates: &[JointCoordinate]) -> Mechanism {
    let mut mechanism = with_laws(mechanism, coordinates, false);
    let state = |k| Expression::Input(MotionInput::State(k));
    let effort = Expression::Input(MotionInput::Signal(0));
    let lagging = sum([times(12.0, effort), times(-12.0, state(0)), times(-0.5, state(1))]);
    let state_of =
        |name: &str, rate, initial| LawState { name: name.to_string(), unit: "N m".into(), rate, initial };
    mechanism.states =
        vec![state_of("lag", lagging, 0.2), state_of("sum", sum([state(0), times(-0.3, state(1))]), -0.1)];
    let driven = mechanism.forces.iter_mut().flat_map(|force| &mut force.functions);
    for function in driven {
        *function = sum([function.clone(), state(0), times(0.5, state(1))]);
    }
    mechanism
}

/// A mechanism of two bodies with a wheel in each, one with limits, driven by a law that feels
/// both.
pub fn with_wheels(mut mechanism: Mechanism) -> Mechanism {
    let first = mechanism.sensors.len();
    let both = [0, 1].map(|rotor| [Sensor::RotorSpeed { rotor }, Sensor::RotorMomentum { rotor }]);
    mechanism.sensors.extend(both.concat());
    mechanism.sensors.push(Sensor::AngularVelocity { body: 1, axis: 2 });
    let measured: Vec<Expression> =
        (first..mechanism.sensors.len()).map(|k| Expression::Input(MotionInput::Sensor(k))).collect();
    let free = Wheel {
        axis: [0.0, 0.6, 0.8],
        inertia: 0.02,
        speed: 40.0,
        damping: 0.0,
        max_torque: f64::INFINITY,
        max_speed: f64::INFINITY,
    };
    let limited = Wheel {
        axis: [1.0, 2.0, -1.0],
        inertia: 0.03,
        speed: -19.7,
        damping: 0.01,
        max_torque: 0.9,
        max_speed: 20.0,
    };
    let law = |seed: f64| sum([times(3.0, smooth(&measured, seed)), number(-0.8)]);
    let wheel = |wheel: Wheel<f64>, name: &str, body, seed| {
        wheel.force(name, Attached::Body(body)).with_function("torque", law(seed))
    };
    mechanism.forces.extend([wheel(free, "momentum", 0, 0.6), wheel(limited, "reaction", 1, 1.7)]);
    mechanism
}

/// Adds the smooth laws of [`with_laws`] to the mechanism, with signals that are sampled at every
/// third and at every second step of h (s): one feels the motion, the other feels the first and
/// time.
pub fn with_samples(mechanism: Mechanism, coordinates: &[JointCoordinate], h: f64) -> Mechanism {
    let mut mechanism = with_laws(mechanism, coordinates, false);
    let signal = |k| Expression::Input(MotionInput::Signal(k));
    let value =
        sum([times(0.7, signal(0)), times(0.2, call(Function::Sin, times(9.0, Expression::Argument)))]);
    mechanism.signals[0].every = Some(3.0 * h);
    mechanism.signals.push(Signal {
        name: "seen".to_string(),
        unit: "N m".into(),
        value,
        every: Some(2.0 * h),
        initial: None,
    });
    let peak = |name: &str, kind| Outcome { name: name.to_string(), unit: "1".into(), kind, of: signal(2) };
    mechanism.outcomes.extend([peak("most", OutcomeKind::Max), peak("sum", OutcomeKind::Integral)]);
    for function in mechanism.forces.iter_mut().flat_map(|force| &mut force.functions) {
        *function = sum([function.clone(), signal(2)]);
    }
    mechanism
}

/// A mechanism of two bodies with laws of all kinds. `coordinates`: those of its joints that laws
/// measure and drive. `kinked`: laws have limits and switches too.
pub fn with_laws(mut mechanism: Mechanism, coordinates: &[JointCoordinate], kinked: bool) -> Mechanism {
    let on = |body: usize, at: [f64; 3]| Point { body: Some(body), at };
    let (tip, other) = (on(1, [0.3, -0.2, 0.4]), Point { body: None, at: [1.0, 2.0, -1.5] });
    let points = [other, on(0, [0.1, 0.5, -0.2])];
    let strut = Spring { stiffness: 4.0, damping: 0.3, free_length: 0.8, actuator: 0.2 };
    // The springs are the first of all forces.
    mechanism.forces.insert(0, strut.force("strut", Attached::Points(points)));
    mechanism.points = vec![NamedPoint { name: "tip".to_string(), point: tip }];
    let mut sensors: Vec<Sensor> =
        coordinates.iter().flat_map(|of| [Sensor::Coordinate(*of), Sensor::CoordinateRate(*of)]).collect();
    sensors.extend([
        Sensor::Position { spot: Spot::Named(0), axis: 0 },
        Sensor::Velocity { spot: Spot::Named(0), axis: 2 },
        Sensor::Velocity { spot: Spot::Named(0), axis: 1 },
        Sensor::AngularVelocity { body: 0, axis: 1 },
        Sensor::AngularVelocity { body: 1, axis: 0 },
        Sensor::Attitude { body: 0, component: 2 },
        Sensor::Attitude { body: 1, component: 0 },
        Sensor::Length { spring: 0 },
        Sensor::LengthRate { spring: 0 },
    ]);
    let measured: Vec<Expression> =
        (0..sensors.len()).map(|k| Expression::Input(MotionInput::Sensor(k))).collect();
    mechanism.sensors = sensors;
    let signal = |name: &str, value| Signal {
        name: name.to_string(),
        unit: "N m".into(),
        value,
        every: None,
        initial: None,
    };
    let effort = Expression::Input(MotionInput::Signal(0));
    let limited = if kinked {
        let low = Expression::Greatest(boxed(effort), boxed(number(-0.2)));
        let low = Expression::Least(boxed(low), boxed(number(0.3)));
        // Continuous: where it jumps, a rounding decides by which branch a step goes on.
        let switched = Expression::Less(boxed(low.clone()), boxed(number(0.1)));
        let parts = [switched, low.clone(), sum([times(0.5, low), number(0.05)])];
        Expression::Select(Box::new(parts))
    } else {
        call(Function::Tanh, effort)
    };
    mechanism.signals = vec![signal("effort", smooth(&measured, 0.4)), signal("limited", limited)];
    let outcome =
        |name: &str, kind, of: Expression| Outcome { name: name.to_string(), unit: "1".into(), kind, of };
    let above = Expression::Less(boxed(number(0.1)), boxed(measured[1].clone()));
    mechanism.outcomes = vec![
        outcome("last", OutcomeKind::Final, measured[0].clone()),
        outcome("peak", OutcomeKind::Max, measured[0].clone()),
        outcome("dip", OutcomeKind::Min, Expression::Input(MotionInput::Signal(1))),
        outcome("then", OutcomeKind::At(0.0613), measured[2].clone()),
        outcome("area", OutcomeKind::Integral, measured[1].clone()),
        outcome("mean", OutcomeKind::Mean, measured[1].clone()),
        outcome("rms", OutcomeKind::Rms, measured[1].clone()),
        outcome("first", OutcomeKind::First, above.clone()),
        outcome("until", OutcomeKind::Last, above.clone()),
        outcome("settled", OutcomeKind::Settled, above.clone()),
        outcome("duration", OutcomeKind::Duration, above),
    ];
    let limited = Expression::Input(MotionInput::Signal(1));
    for (k, of) in coordinates.iter().enumerate() {
        let motor = JointSpring { stiffness: 0.5, damping: 0.1, rest: 0.0 };
        let law = sum([limited.clone(), smooth(&measured, 1.1 + k as f64)]);
        let force = motor.force(format!("motor{k}"), Attached::Coordinate(*of));
        mechanism.forces.push(force.with_function("actuator", law));
    }
    let ends = [tip, on(0, [-0.4, 0.1, 0.6])];
    let piston = Force::new(line_actuator::card(), "piston", Attached::Points(ends), Vec::new());
    mechanism.forces.push(piston.with_function("force", times(2.0, limited.clone())));
    let load = |name: &str, body, kind, axes, point, seed: f64| Load {
        name: name.to_string(),
        body,
        kind,
        axes,
        point,
        pieces: Vec::new(),
        function: Some([0.0, 0.7, 1.9].map(|shift| smooth(&measured, seed + shift))),
    };
    mechanism.loads.extend([
        load("thrust", 1, LoadKind::Force, Axes::Body, [0.2, 0.1, -0.3], 2.0),
        load("pull", 0, LoadKind::Force, Axes::Space, [0.0, -0.3, 0.1], 3.1),
        load("wheel", 0, LoadKind::Torque, Axes::Body, [0.0; 3], 4.5),
        load("twist", 1, LoadKind::Torque, Axes::Space, [0.0; 3], 5.2),
    ]);
    mechanism
}
