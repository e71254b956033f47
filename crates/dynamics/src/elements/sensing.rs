//! The motion as laws know it: the numbers that sensors measure, and the signals that are made of
//! them.

use super::spring::line;
use super::{Coordinates, ForceLaw, Spin};
use crate::describe::{EnergyPart, Expression, JointCoordinate, Signal};
use crate::kinematics::body::Motion;
use crate::kinematics::function::{FunctionInputs, Moment, evaluate};
use crate::kinematics::side::Side;
use crate::math::functions::abs;
use crate::math::quaternion::{Quat, inverse, product, to_space};
use crate::math::vector::{dot, sub};
use crate::real::Real;

/// The sensors and signals of an instance.
pub struct Sensing<R> {
    pub sensors: Vec<MountedSensor<R>>,
    /// The rates of the states of laws.
    pub rates: Vec<Expression>,
    /// The body whose motion carries these states, and after them the momenta of rotors.
    pub carrier: Option<usize>,
    /// Number of rates that it carries.
    pub carried: usize,
    pub signals: Vec<Signal>,
    /// By signal: the value that it was sampled at, and has until it is sampled again; `None`: it
    /// follows the motion.
    pub held: Vec<Option<R>>,
    /// Whether velocities have an effect on any force, through a law.
    pub feels_rates: bool,
}

/// A [`Sensor`](crate::describe::Sensor) with the numbers of an instance. `principal` maps a body's
/// principal axes to the user's; `None`: they are the same.
pub enum MountedSensor<R> {
    Coordinate(JointCoordinate),
    CoordinateRate(JointCoordinate),
    Position(Side<R>, usize),
    Velocity(Side<R>, usize),
    AngularVelocity {
        body: usize,
        axis: usize,
        principal: Option<Quat<R>>,
    },
    Attitude {
        body: usize,
        component: usize,
        principal: Option<Quat<R>>,
    },
    Length(Box<[Side<R>; 2]>),
    LengthRate(Box<[Side<R>; 2]>),
    /// Its momentum, or else its speed.
    Rotor(Box<dyn ForceLaw<R>>, bool),
    Energy(Box<dyn EnergyOf<R>>, EnergyPart),
    Effect(MountedEffect<R>),
}

/// An [`Effect`](crate::describe::Effect) with the numbers of an instance: a system of all forces
/// finds it.
#[derive(Clone)]
pub enum MountedEffect<R> {
    Acceleration(Box<Side<R>>, usize),
    CoordinateAcceleration(JointCoordinate),
    JointForce(usize, usize),
    JointTorque(usize, usize),
    Tension(usize),
    MotorTorque(usize),
}

/// The energy of a mechanism.
pub trait EnergyOf<R> {
    /// A part of it (J).
    fn part(&self, part: EnergyPart, motions: &[Motion<R>]) -> R;
}

impl<R: Real> MountedSensor<R> {
    /// Its number, of bodies that move so. `near`: attitudes are quaternions of the sign that is
    /// nearest to those there, whose scalar is not negative; `None`: their own scalar is not.
    fn value(&self, motions: &[Motion<R>], joints: &dyn Coordinates<R>, near: Option<&[Motion<R>]>) -> R {
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
                let attitude = |motions: &[Motion<R>]| users(motions[*body].q, *principal);
                let (q, zero) = (attitude(motions), motions[*body].q[0].lift(0.0));
                match near.map(attitude) {
                    None => q[0].select_less(zero, -q[*component], q[*component]),
                    Some(near) => {
                        let component = side(q, near).select_less(zero, -q[*component], q[*component]);
                        near[0].select_less(zero, -component, component)
                    }
                }
            }
            MountedSensor::Length(sides) => line(sides[0].point(motions).0, sides[1].point(motions).0).0,
            MountedSensor::LengthRate(sides) => {
                let [(a, va), (b, vb)] = [sides[0].point(motions), sides[1].point(motions)];
                dot(line(a, b).1, sub(vb, va))
            }
            MountedSensor::Rotor(rotor, momentum) => {
                let Spin { speed, momentum: h, .. } = rotor.spin(motions).expect("a rotor spins");
                if *momentum { h } else { speed }
            }
            MountedSensor::Energy(of, part) => of.part(*part, motions),
            // The system that asks puts the number in its place.
            MountedSensor::Effect(_) => motions[0].q[0].lift(0.0),
        }
    }
}

impl<R: Real> Sensing<R> {
    /// All that laws know at this moment while bodies move so.
    pub fn inputs<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        now: &Moment<R>,
        constants: &'a [R],
    ) -> FunctionInputs<'a, R> {
        self.inputs_near(motions, joints, now, constants, &self.held, None)
    }

    /// As without the last two, but sampled signals have these values, and what jumps by convention
    /// goes on from `near`: attitudes have the sign, and angles the turn, that is nearest to that
    /// there.
    pub fn inputs_near<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        now: &Moment<R>,
        constants: &'a [R],
        signals: &[Option<R>],
        near: Option<(&[Motion<R>], FunctionInputs<'a, R>)>,
    ) -> FunctionInputs<'a, R> {
        let mut inputs =
            self.without_signals(motions, joints, now, constants, near.as_ref().map(|(there, _)| *there));
        if let Some((_, near)) = near {
            inputs.go_on_from(near);
        }
        for (signal, signals) in self.signals.iter().zip(signals) {
            match signals {
                Some(value) => inputs.push_held(*value),
                None => {
                    inputs.push_signal(signal.initial.as_ref().unwrap_or(&signal.value));
                }
            }
        }
        inputs
    }

    /// By signal what is held after an instant at which some are sampled, each of signals that
    /// stand before it as they are then: `held(signal, value now, value before)`. `None`: it
    /// follows the motion.
    pub fn sampled(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        now: &Moment<R>,
        constants: &[R],
        signal_value: &dyn Fn(usize, R, R) -> R,
    ) -> Vec<Option<R>> {
        let mut inputs = self.without_signals(motions, joints, now, constants, None);
        inputs.hold(self.held.iter().map(|value| value.unwrap_or(now.time.lift(0.0))).collect());
        for (k, (signal, before)) in self.signals.iter().zip(&self.held).enumerate() {
            match before {
                Some(before) => inputs.push_held(signal_value(k, evaluate(&signal.value, &inputs), *before)),
                None => {
                    inputs.push_signal(&signal.value);
                }
            }
        }
        let values = self.held.iter().zip(inputs.signals);
        values.map(|(before, value)| before.map(|_| value)).collect()
    }

    /// Scalars of these sensors of attitudes at both ends of a step, with the other sign: as they
    /// go on from one that is not negative. A quaternion changes its sign where its scalar
    /// passes 0.
    pub fn scalars(&self, sensors: &[usize], before: &[Motion<R>], after: &[Motion<R>]) -> Vec<[R; 2]> {
        let scalar = |sensor: &usize| {
            let MountedSensor::Attitude { body, principal, .. } = &self.sensors[*sensor] else { return None };
            let [before, after] = [before, after].map(|motions| users(motions[*body].q, *principal));
            let zero = before[0].lift(0.0);
            // As it goes on from a scalar that is not negative.
            let scalar = side(before, after).select_less(zero, -after[0], after[0]);
            let scalar = before[0].select_less(zero, -scalar, scalar);
            Some([-abs(before[0]), -scalar])
        };
        sensors.iter().filter_map(scalar).collect()
    }

    fn without_signals<'a>(
        &self,
        motions: &[Motion<R>],
        joints: &dyn Coordinates<R>,
        now: &Moment<R>,
        constants: &'a [R],
        near: Option<&[Motion<R>]>,
    ) -> FunctionInputs<'a, R> {
        let sensors = self.sensors.iter().map(|sensor| sensor.value(motions, joints, near)).collect();
        let states = self.carrier.map(|body| motions[body].modal.rates.clone()).unwrap_or_default();
        FunctionInputs::at(now, constants, sensors, states)
    }
}

/// An attitude in the user's body axes.
fn users<R: Real>(q: Quat<R>, principal: Option<Quat<R>>) -> Quat<R> {
    principal.map_or(q, |principal| product(q, inverse(principal)))
}

/// Below 0 where a quaternion is nearer to the negative of the other one.
fn side<R: Real>(a: Quat<R>, b: Quat<R>) -> R {
    let terms = a.into_iter().zip(b).map(|(a, b)| a * b);
    terms.reduce(|sum, term| sum + term).expect("four components")
}
