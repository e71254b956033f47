//! The numbers of the motion, as expressions name them.

use std::cell::RefCell;

use super::expression_text::{InputNames, UnknownInput};
use super::read_forms::{AXES, QUATERNION};
use polhode_description::describe::expression::MotionInput;
use polhode_description::describe::{
    Body, Coordinate, Effect, EnergyPart, Joint, JointCoordinate, Mechanism, NamedPoint, Sensor, Signal, Spot,
};

/// The numbers of the motion that expressions may use, as far as the mechanism is read; those that
/// are used become its sensors.
#[derive(Default)]
pub(super) struct Motions<'m> {
    pub bodies: &'m [Body],
    pub joints: &'m [Joint],
    /// Names of [forces along lines](Mechanism::lines), in their order.
    pub springs: Vec<String>,
    /// So many of them are springs, which come first: their force is known.
    pub pulling: usize,
    /// Names of [rotors](Mechanism::rotors), in their order.
    pub rotors: Vec<String>,
    pub points: Vec<NamedPoint>,
    /// Names of states, in the order of the file.
    pub states: Vec<String>,
    pub signals: Vec<Signal>,
    pub sensors: RefCell<Vec<Sensor>>,
    /// Whether what forces cause is known: to outcomes and verdicts, and not to laws.
    pub effects: bool,
    /// Whether something that has a name could not be read: a name that is not known may be its.
    pub has_faults: bool,
}

/// Something that is measured: its name after that of its owner, and the sensor.
type Measured = (String, Sensor);

impl<'m> Motions<'m> {
    /// Those of a mechanism that has been read.
    pub fn of(mechanism: &'m Mechanism) -> Motions<'m> {
        Motions {
            bodies: &mechanism.bodies,
            joints: &mechanism.joints,
            springs: mechanism.lines().map(|line| line.name.clone()).collect(),
            pulling: mechanism.forces_of("spring").count(),
            rotors: mechanism.rotors().map(|rotor| rotor.name.clone()).collect(),
            points: mechanism.points.clone(),
            states: mechanism.states.iter().map(|state| state.name.clone()).collect(),
            signals: mechanism.signals.clone(),
            sensors: RefCell::new(mechanism.sensors.clone()),
            effects: true,
            has_faults: false,
        }
    }

    /// All that can be measured of the owner of this name; `None`: there is none.
    fn measured(&self, owner: &str) -> Option<Vec<Measured>> {
        if let Some(joint) = self.joints.iter().position(|joint| joint.name == owner) {
            let coordinates = self.joints[joint].kind.coordinates.iter();
            let sensors = |coordinate: &Coordinate| {
                let name = coordinate.name();
                let joint_coordinate = JointCoordinate { joint, coordinate: *coordinate };
                [
                    (name.to_string(), Sensor::Coordinate(joint_coordinate)),
                    (format!("{name}_rate"), Sensor::CoordinateRate(joint_coordinate)),
                    (
                        format!("{name}_acceleration"),
                        Sensor::Effect(Effect::CoordinateAcceleration(joint_coordinate)),
                    ),
                ]
            };
            let forces = AXES.into_iter().enumerate().map(|(axis, name)| {
                (format!("force.{name}"), Sensor::Effect(Effect::JointForce { joint, axis }))
            });
            let torques = AXES.into_iter().enumerate().map(|(axis, name)| {
                (format!("torque.{name}"), Sensor::Effect(Effect::JointTorque { joint, axis }))
            });
            return Some(coordinates.flat_map(sensors).chain(forces).chain(torques).collect());
        }
        if let Some(spring) = self.springs.iter().position(|name| name == owner) {
            let sensors = [("length", Sensor::Length { spring }), ("rate", Sensor::LengthRate { spring })];
            let tension = ("force", Sensor::Effect(Effect::Tension { spring }));
            let all = sensors.into_iter().chain((spring < self.pulling).then_some(tension));
            return Some(all.map(|(name, sensor)| (name.to_string(), sensor)).collect());
        }
        if let Some(rotor) = self.rotors.iter().position(|name| name == owner) {
            let sensors = [
                ("speed", Sensor::RotorSpeed { rotor }),
                ("momentum", Sensor::RotorMomentum { rotor }),
                ("torque", Sensor::Effect(Effect::MotorTorque { rotor })),
            ];
            return Some(sensors.map(|(name, sensor)| (name.to_string(), sensor)).into());
        }
        if let Some(named) = self.points.iter().position(|named| named.name == owner) {
            return Some(of_spot(Spot::Named(named)));
        }
        let body = self.bodies.iter().position(|body| body.name == owner)?;
        let of_axis = |(axis, name): (usize, &str)| {
            (format!("angular_velocity.{name}"), Sensor::AngularVelocity { body, axis })
        };
        let of_attitude = |(component, name): (usize, &str)| {
            (format!("attitude.{name}"), Sensor::Attitude { body, component })
        };
        // The origin of a flexible body may be no point whose deflection is known.
        let position =
            of_spot(Spot::Origin(body)).into_iter().filter(|_| self.bodies[body].flexible.is_none());
        let turning = AXES.into_iter().enumerate().map(of_axis);
        Some(position.chain(turning).chain(QUATERNION.into_iter().enumerate().map(of_attitude)).collect())
    }

    /// The names of all that has something to measure.
    fn owners(&self) -> impl Iterator<Item = &str> {
        // A joint without coordinates has only the effects of forces to measure.
        let joints = self.joints.iter().filter(|joint| self.effects || !joint.kind.coordinates.is_empty());
        let points = self.points.iter().map(|point| point.name.as_str());
        let names = joints.map(|joint| joint.name.as_str());
        let springs = self.springs.iter().chain(&self.rotors).map(String::as_str);
        let bodies = self.bodies.iter().map(|body| body.name.as_str());
        names.chain(bodies).chain(springs).chain(points)
    }

    /// Whether expressions may use this.
    fn knows(&self, sensor: Sensor) -> bool {
        self.effects || !sensor.is_effect()
    }

    /// The number of a sensor, which the mechanism has from now on.
    fn sensor(&self, sensor: Sensor) -> MotionInput {
        let mut sensors = self.sensors.borrow_mut();
        let known = sensors.iter().position(|other| *other == sensor);
        MotionInput::Sensor(known.unwrap_or_else(|| {
            sensors.push(sensor);
            sensors.len() - 1
        }))
    }
}

/// Position, velocity and acceleration of a point.
fn of_spot(spot: Spot) -> Vec<Measured> {
    let position = AXES
        .into_iter()
        .enumerate()
        .map(|(axis, name)| (format!("position.{name}"), Sensor::Position { spot, axis }));
    let velocity = AXES
        .into_iter()
        .enumerate()
        .map(|(axis, name)| (format!("velocity.{name}"), Sensor::Velocity { spot, axis }));
    let acceleration = AXES.into_iter().enumerate().map(|(axis, name)| {
        (format!("acceleration.{name}"), Sensor::Effect(Effect::Acceleration { spot, axis }))
    });
    position.chain(velocity).chain(acceleration).collect()
}

impl InputNames for Motions<'_> {
    fn input(&self, name: &str) -> Result<MotionInput, UnknownInput> {
        if let Some(signal) = self.signals.iter().position(|signal| signal.name == name) {
            return Ok(MotionInput::Signal(signal));
        }
        if let Some(state) = self.states.iter().position(|state| state == name) {
            return Ok(MotionInput::State(state));
        }
        if let Some(part) = EnergyPart::ALL.into_iter().find(|part| part.name() == name) {
            return Ok(self.sensor(Sensor::Energy(part)));
        }
        let Some((owner, of)) = name.split_once('.') else {
            let signals = self.signals.iter().map(|signal| signal.name.clone());
            let split = self.owners().find(|owner| owner.split_once('-').is_some_and(|(a, _)| a == name));
            let found = match split {
                Some(owner) => format!(
                    "there is no `{name}`: the name `{owner}` holds a `-`, which expressions take for a \
                     difference"
                ),
                None => format!("there is no constant, state, signal or energy `{name}`"),
            };
            let energies = EnergyPart::ALL.map(|part| part.name().to_string());
            return Err(UnknownInput {
                found,
                allowed: self.states.iter().cloned().chain(signals).chain(energies).collect(),
                follows: self.has_faults,
            });
        };
        let Some(measured) = self.measured(owner) else {
            let found = format!("there is no body, joint, spring, wheel or point `{owner}`");
            let has = |owner: &&str| {
                let usable = |(known, sensor): &Measured| known == of && self.knows(*sensor);
                self.measured(owner).is_some_and(|all| all.iter().any(usable))
            };
            let with: Vec<String> = self.owners().filter(has).map(|owner| format!("{owner}.{of}")).collect();
            let allowed = if with.is_empty() { self.owners().map(str::to_string).collect() } else { with };
            return Err(UnknownInput { found, allowed, follows: self.has_faults });
        };
        let found = match measured.iter().find(|(known, _)| known == of) {
            Some((_, sensor)) if self.knows(*sensor) => return Ok(self.sensor(*sensor)),
            // An algebraic loop: the law would need the forces that it is a part of.
            Some(_) => format!(
                "a law cannot use `{name}`, which depends on the law's own force; outcomes and verdicts can \
                 use it"
            ),
            None => format!("`{owner}` has no `{of}` that expressions can use"),
        };
        let usable = measured.iter().filter(|(_, sensor)| self.knows(*sensor));
        let allowed = usable.map(|(known, _)| format!("{owner}.{known}")).collect();
        Err(UnknownInput { found, allowed, follows: false })
    }
}
