//! What laws know of the motion: the numbers that sensors measure, and the signals that are made of them.

use super::Coordinates;
use super::spring::line;
use crate::describe::{EnergyPart, Expression, JointCoordinate, Signal};
use crate::kinematics::body::Motion;
use crate::kinematics::function::{FunctionInputs, evaluate};
use crate::kinematics::side::Side;
use crate::math::quaternion::{Quat, inverse, product, to_space};
use crate::math::vector::{dot, sub};
use crate::real::Real;

/// The sensors and signals of an instance.
pub struct Sensing<R> {
    pub sensors: Vec<MountedSensor<R>>,
    /// The rates of the states of laws.
    pub rates: Vec<Expression>,
    /// The body whose motion carries these states.
    pub carrier: Option<usize>,
    pub signals: Vec<Signal>,
    /// By signal: the value that it was sampled at, and has until it is sampled again; `None`: it follows the motion.
    pub held: Vec<Option<R>>,
    /// Whether velocities have an effect on any force, through a law.
    pub feels_rates: bool,
}

/// A [`Sensor`](crate::describe::Sensor) with the numbers of an instance. `principal` maps a body's principal axes to the user's; `None`: they are
/// the same.
pub enum MountedSensor<R> {
    Coordinate(JointCoordinate),
    CoordinateRate(JointCoordinate),
    Position(Side<R>, usize),
    Velocity(Side<R>, usize),
    AngularVelocity { body: usize, axis: usize, principal: Option<Quat<R>> },
    Attitude { body: usize, component: usize, principal: Option<Quat<R>> },
    Length(Box<[Side<R>; 2]>),
    LengthRate(Box<[Side<R>; 2]>),
    Energy(Box<dyn EnergyOf<R>>, EnergyPart),
    Effect(MountedEffect<R>),
}

/// An [`Effect`](crate::describe::Effect) with the numbers of an instance: a system of all forces finds it.
#[derive(Clone)]
pub enum MountedEffect<R> {
    Acceleration(Box<Side<R>>, usize),
    CoordinateAcceleration(JointCoordinate),
    JointForce(usize, usize),
    JointTorque(usize, usize),
    Tension(usize),
}

/// The energy of a mechanism.
pub trait EnergyOf<R> {
    /// A part of it (J).
    fn part(&self, part: EnergyPart, motions: &[Motion<R>]) -> R;
}

impl<R: Real> MountedSensor<R> {
    /// Its number, of bodies that move so.
    fn value(&self, motions: &[Motion<R>], joints: &dyn Coordinates<R>) -> R {
        match self {
            MountedSensor::Coordinate(of) => joints.coordinate(*of, motions).violation,
            MountedSensor::CoordinateRate(of) => joints.coordinate(*of, motions).rate(motions),
            MountedSensor::Position(side, axis) => side.point(motions).0[*axis],
            MountedSensor::Velocity(side, axis) => side.point(motions).1[*axis],
            MountedSensor::AngularVelocity { body, axis, principal } => {
                let w = motions[*body].w;
                principal.map_or(w, |principal| to_space(principal, w))[*axis]
            }
            MountedSensor::Attitude { body, component, principal } => {
                let q = motions[*body].q;
                let q = principal.map_or(q, |principal| product(q, inverse(principal)));
                q[0].select_less(q[0].lift(0.0), -q[*component], q[*component])
            }
            MountedSensor::Length(sides) => line(sides[0].point(motions).0, sides[1].point(motions).0).0,
            MountedSensor::LengthRate(sides) => {
                let [(a, va), (b, vb)] = [sides[0].point(motions), sides[1].point(motions)];
                dot(line(a, b).1, sub(vb, va))
            }
            MountedSensor::Energy(of, part) => of.part(*part, motions),
            // The system that asks puts the number in its place.
            MountedSensor::Effect(_) => motions[0].q[0].lift(0.0),
        }
    }
}

impl<R: Real> Sensing<R> {
    /// All that laws know at time t (s) while bodies move so.
    pub fn inputs<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        t: R,
        constants: &'a [R],
    ) -> FunctionInputs<'a, R> {
        self.inputs_holding(motions, joints, t, constants, &self.held)
    }

    /// The same while sampled signals have these values.
    pub fn inputs_holding<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        t: R,
        constants: &'a [R],
        held: &[Option<R>],
    ) -> FunctionInputs<'a, R> {
        let mut inputs = self.without_signals(motions, joints, t, constants);
        for (signal, held) in self.signals.iter().zip(held) {
            let first = signal.initial.as_ref().unwrap_or(&signal.value);
            let value = held.unwrap_or_else(|| evaluate(first, &inputs));
            inputs.signals.push(value);
        }
        inputs
    }

    /// By signal what is held after an instant at which some are sampled, each of signals that stand before it as they are then:
    /// `held(signal, value now, value before)`. `None`: it follows the motion.
    pub fn sampled(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        t: R,
        constants: &[R],
        held: &dyn Fn(usize, R, R) -> R,
    ) -> Vec<Option<R>> {
        let mut inputs = self.without_signals(motions, joints, t, constants);
        inputs.held = self.held.iter().map(|held| held.unwrap_or(t.lift(0.0))).collect();
        for (k, (signal, before)) in self.signals.iter().zip(&self.held).enumerate() {
            let now = evaluate(&signal.value, &inputs);
            inputs.signals.push(before.map_or(now, |before| held(k, now, before)));
        }
        let values = self.held.iter().zip(inputs.signals);
        values.map(|(before, value)| before.map(|_| value)).collect()
    }

    fn without_signals<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        t: R,
        constants: &'a [R],
    ) -> FunctionInputs<'a, R> {
        let sensors = self.sensors.iter().map(|sensor| sensor.value(motions, joints)).collect();
        let states = self.carrier.map(|body| motions[body].modal.rates.clone()).unwrap_or_default();
        FunctionInputs { sensors, states, ..FunctionInputs::of(t, constants) }
    }
}
