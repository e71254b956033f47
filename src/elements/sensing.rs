//! What laws know of the motion: the numbers that sensors measure, and the signals that are made of them.

use super::Coordinates;
use super::spring::line;
use crate::describe::{Expression, JointCoordinate, Signal};
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
        let sensors = self.sensors.iter().map(|sensor| sensor.value(motions, joints)).collect();
        let states = self.carrier.map(|body| motions[body].modal.rates.clone()).unwrap_or_default();
        let mut inputs = FunctionInputs { sensors, states, ..FunctionInputs::of(t, constants) };
        for signal in &self.signals {
            let value = evaluate(&signal.value, &inputs);
            inputs.signals.push(value);
        }
        inputs
    }
}
