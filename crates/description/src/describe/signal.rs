//! Laws of the motion: sensors, which measure it, signals, which are expressions of them, and
//! points that have names.

use std::borrow::Cow;

use super::expression::Expression;
use super::joint::JointCoordinate;
use super::point::Point;

/// A number of the motion that expressions may use, such as `pivot.angle_rate` or `tip.position.x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sensor {
    /// A joint's coordinate (rad or m), an angle with all turns.
    Coordinate(JointCoordinate),
    /// Its rate (rad/s or m/s).
    CoordinateRate(JointCoordinate),
    /// A component of where a point is, space axes (m).
    Position { spot: Spot, axis: usize },
    /// A component of a point's velocity, space axes (m/s).
    Velocity { spot: Spot, axis: usize },
    /// A component of a body's angular velocity, body axes (rad/s).
    AngularVelocity { body: usize, axis: usize },
    /// A component of a body's attitude: a unit quaternion, scalar first and not negative, from
    /// body axes to space axes.
    Attitude { body: usize, component: usize },
    /// Distance between the points of a spring (m), by its position among the springs.
    Length { spring: usize },
    /// Its rate (m/s).
    LengthRate { spring: usize },
    /// Rate of a rotor against its body (rad/s), by its position among the
    /// [rotors](super::mechanism::Mechanism::rotors).
    RotorSpeed { rotor: usize },
    /// Its momentum along its axis (N m s), the part from the body's rotation included.
    RotorMomentum { rotor: usize },
    /// A part of the energy of the mechanism (J).
    Energy(EnergyPart),
    /// An effect of forces: outcomes and verdicts know it, and laws cannot.
    Effect(Effect),
}

/// A part of the energy: as the channels of these names, without loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyPart {
    Total,
    Kinetic,
    Potential,
}

impl EnergyPart {
    pub const ALL: [EnergyPart; 3] = [EnergyPart::Total, EnergyPart::Kinetic, EnergyPart::Potential];

    /// As expressions call it.
    pub fn name(self) -> &'static str {
        match self {
            EnergyPart::Total => "energy",
            EnergyPart::Kinetic => "kinetic_energy",
            EnergyPart::Potential => "potential_energy",
        }
    }
}

/// A number that follows from all forces at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// A component of a point's acceleration, space axes (m/s²).
    Acceleration { spot: Spot, axis: usize },
    /// Second derivative of a joint's coordinate (rad/s² or m/s²).
    CoordinateAcceleration(JointCoordinate),
    /// A component of the force of a joint on its second body, space axes (N).
    JointForce { joint: usize, axis: usize },
    /// A component of the torque of a joint on its second body, about the joint's point, space axes
    /// (N m).
    JointTorque { joint: usize, axis: usize },
    /// Tension of a spring with its damper and actuator (N), by its position among the springs.
    Tension { spring: usize },
    /// Torque of a rotor's motor within its limits (N m), by its position among the
    /// [rotors](super::mechanism::Mechanism::rotors).
    MotorTorque { rotor: usize },
}

impl Sensor {
    /// Whether it measures velocities.
    pub(crate) fn is_rate(self) -> bool {
        match self {
            Sensor::CoordinateRate(_)
            | Sensor::Velocity { .. }
            | Sensor::AngularVelocity { .. }
            | Sensor::LengthRate { .. }
            | Sensor::RotorSpeed { .. }
            | Sensor::RotorMomentum { .. }
            | Sensor::Effect(_) => true,
            Sensor::Energy(part) => part != EnergyPart::Potential,
            Sensor::Coordinate(_)
            | Sensor::Position { .. }
            | Sensor::Attitude { .. }
            | Sensor::Length { .. } => false,
        }
    }

    /// The point at which it measures.
    pub fn spot(self) -> Option<Spot> {
        match self {
            Sensor::Position { spot, .. }
            | Sensor::Velocity { spot, .. }
            | Sensor::Effect(Effect::Acceleration { spot, .. }) => Some(spot),
            _ => None,
        }
    }

    /// The joint's coordinate that it measures.
    pub fn coordinate(self) -> Option<JointCoordinate> {
        match self {
            Sensor::Coordinate(of) | Sensor::CoordinateRate(of) => Some(of),
            _ => None,
        }
    }

    /// Whether forces cause it.
    pub fn is_effect(self) -> bool {
        matches!(self, Sensor::Effect(_))
    }
}

/// A point at which laws measure or act, or that has a name. Two that coincide as described may
/// part where one of them follows from constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A point of [`Mechanism::points`](super::mechanism::Mechanism::points).
    Named(usize),
    /// The origin of a body.
    Origin(usize),
    /// Where a law among [`Mechanism::loads`](super::mechanism::Mechanism::loads) acts.
    Load(usize),
}

/// A point with a name, fixed in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPoint {
    /// As channels and expressions address it.
    pub name: String,
    /// Where it is.
    pub point: Point,
}

/// A first-order state of a law, such as an integral, a filter or an actuator's lag:
/// `dz/dt = rate`.
#[derive(Clone, Debug, PartialEq)]
pub struct LawState {
    /// As channels and expressions address it.
    pub name: String,
    /// SI unit of its values; "1" of plain numbers.
    pub unit: Cow<'static, str>,
    /// dz/dt, of states, signals and the motion.
    pub rate: Expression,
    /// z at t = 0.
    pub initial: f64,
}

/// An expression of the motion with a name.
///
/// A state that is sampled, `z_(k+1) = f(z_k, ...)`, is two of them: the first shows z_k, which is
/// what the second was held at before; the second, which has no name and comes after all others, is
/// f.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// As channels and expressions address it; empty: they do not.
    pub name: String,
    /// SI unit of its values; "1" of plain numbers.
    pub unit: Cow<'static, str>,
    /// Expression of states, earlier signals and the motion.
    pub value: Expression,
    /// It is sampled: taken at t = 0 and at all multiples of this time (s), and held in between.
    /// `None`: it follows the motion.
    pub every: Option<f64>,
    /// At t = 0 it has this value, an expression of constants; `None`: that of `value`.
    pub initial: Option<Expression>,
}
