//! Parts of elements as they are written: their points, coordinates and functions.

use toml::Value;

use super::expression_text::print;
use super::read_forms::{AXES, GROUND, QUATERNION};
use super::read_function::Variable;
use super::read_lookup;
use super::writer::{Writer, numbers, only, text};
use polhode_description::describe::expression::{Expression, MotionInput};
use polhode_description::describe::{Effect, JointCoordinate, Mechanism, Point, Sensor, Spot};

/// The bodies and points of two sides.
pub(super) fn write_points(out: &mut Writer, points: &[Point; 2], mechanism: &Mechanism) {
    let name = |point: &Point| text(point.body.map_or(GROUND, |b| mechanism.bodies[b].name.as_str()));
    out.key("bodies", Value::Array(points.iter().map(name).collect()));
    out.key("points", Value::Array(points.iter().map(|point| numbers(&point.at)).collect()));
}

pub(super) fn write_coordinate(out: &mut Writer, of: JointCoordinate, mechanism: &Mechanism) {
    out.key("joint", text(&mechanism.joints[of.joint].name));
    out.key("coordinate", text(of.coordinate.name()));
}

pub(super) fn write_point(out: &mut Writer, point: &Point, mechanism: &Mechanism) {
    out.key("body", text(point.body.map_or(GROUND, |b| mechanism.bodies[b].name.as_str())));
    out.key("point", numbers(&point.at));
}

/// A number where it is one, a table where it is one, else a text.
pub(super) fn function(expression: &Expression, variable: Variable, mechanism: &Mechanism) -> Value {
    match expression {
        Expression::Number(number) => (*number).into(),
        Expression::Lookup(table, argument) if table.name.is_none() && **argument == Expression::Argument => {
            let columns = match variable {
                Variable::Time => read_lookup::OF_TIME,
                Variable::Place => read_lookup::OF_PLACE,
            };
            only("table", read_lookup::written(columns, table))
        }
        other => {
            let input = |input| input_name(input, mechanism);
            text(&print(other, variable.name(), &mechanism.constants, &input))
        }
    }
}

pub(super) fn of_time(expression: &Expression, mechanism: &Mechanism) -> Value {
    function(expression, Variable::Time, mechanism)
}

/// The name of a number of the motion, as [`Motions`](super::motions::Motions) knows it.
pub(super) fn input_name(input: MotionInput, mechanism: &Mechanism) -> String {
    match input {
        MotionInput::State(state) => mechanism.states[state].name.clone(),
        MotionInput::Signal(signal) | MotionInput::Held(signal) => mechanism.signals[signal].name.clone(),
        MotionInput::Sensor(sensor) => sensor_name(mechanism.sensors[sensor], mechanism),
    }
}

fn sensor_name(sensor: Sensor, mechanism: &Mechanism) -> String {
    let of_joint = |of: JointCoordinate, suffix: &str| {
        format!("{}.{}{suffix}", mechanism.joints[of.joint].name, of.coordinate.name())
    };
    let body = |body: usize| mechanism.bodies[body].name.as_str();
    let of_spot = |spot: Spot| match spot {
        Spot::Named(k) => mechanism.points[k].name.as_str(),
        Spot::Origin(k) => body(k),
        Spot::Load(k) => body(mechanism.loads[k].body),
    };
    let spring = |spring: usize| mechanism.lines().nth(spring).map_or("", |force| &force.name);
    let rotor = |rotor: usize| mechanism.rotors().nth(rotor).map_or("", |force| &force.name);
    match sensor {
        Sensor::Coordinate(of) => of_joint(of, ""),
        Sensor::CoordinateRate(of) => of_joint(of, "_rate"),
        Sensor::Position { spot, axis } => format!("{}.position.{}", of_spot(spot), AXES[axis]),
        Sensor::Velocity { spot, axis } => format!("{}.velocity.{}", of_spot(spot), AXES[axis]),
        Sensor::AngularVelocity { body: of, axis } => format!("{}.angular_velocity.{}", body(of), AXES[axis]),
        Sensor::Attitude { body: of, component } => {
            format!("{}.attitude.{}", body(of), QUATERNION[component])
        }
        Sensor::Length { spring: of } => format!("{}.length", spring(of)),
        Sensor::LengthRate { spring: of } => format!("{}.rate", spring(of)),
        Sensor::RotorSpeed { rotor: of } => format!("{}.speed", rotor(of)),
        Sensor::RotorMomentum { rotor: of } => format!("{}.momentum", rotor(of)),
        Sensor::Energy(part) => part.name().to_string(),
        Sensor::Effect(Effect::Acceleration { spot, axis }) => {
            format!("{}.acceleration.{}", of_spot(spot), AXES[axis])
        }
        Sensor::Effect(Effect::CoordinateAcceleration(of)) => of_joint(of, "_acceleration"),
        Sensor::Effect(Effect::JointForce { joint, axis }) => {
            format!("{}.force.{}", mechanism.joints[joint].name, AXES[axis])
        }
        Sensor::Effect(Effect::JointTorque { joint, axis }) => {
            format!("{}.torque.{}", mechanism.joints[joint].name, AXES[axis])
        }
        Sensor::Effect(Effect::Tension { spring: of }) => format!("{}.force", spring(of)),
        Sensor::Effect(Effect::MotorTorque { rotor: of }) => format!("{}.torque", rotor(of)),
    }
}
