//! Sensors and signals, by which laws know the motion, from the equations of the description.

use std::sync::Arc;

use nalgebra::Vector3;

use polhode_description::describe::{EnergyPart, Expression, JointCoordinate, Mechanism, Sensor, Spot};

use super::ReferenceError;
use super::body::{Motion, RigidBody};
use super::elements::Pushing;
use super::function::Given;
use super::joint::Side;
use super::rotation::unit;
use super::series::Series;

/// The energy of a mechanism (J); zero where no law asks for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energies {
    pub kinetic: f64,
    pub potential: f64,
}

/// One number of the motion.
#[derive(Clone, Debug)]
enum Measurement {
    /// A coordinate, by its position in the system's list, or its rate.
    Coordinate { at: usize, rate: bool },
    /// A component of a point, or of its velocity.
    Point { side: Side, axis: usize, rate: bool },
    /// A component of w.
    AngularVelocity { body: usize, axis: usize },
    /// A component of q, scalar first and not negative.
    Attitude { body: usize, component: usize },
    /// `|P_B - P_A|`, or its rate.
    Distance { sides: [Side; 2], rate: bool },
    /// Momentum of a rotor, or else its speed.
    Rotor { of: Arc<dyn Pushing>, momentum: bool },
    /// Energy of the mechanism, or a part of it.
    Energy(EnergyPart),
    /// Not for laws, which are all that is known here.
    Effect,
}

/// A signal, and where it is sampled how often (s) and what value it is held at.
#[derive(Clone, Debug)]
struct SignalLaw {
    value: Expression,
    sampled: Option<(f64, f64)>,
    /// Its value where it is sampled for the first time, if that is not `value`.
    first: Option<Expression>,
}

/// The sensors and signals of a mechanism.
#[derive(Clone, Debug)]
pub struct Laws {
    sensors: Vec<Measurement>,
    signals: Vec<SignalLaw>,
    /// dz/dt of the states.
    rates: Vec<Expression>,
    /// The body whose motion carries them.
    carrier: Option<usize>,
    /// Whether velocities have an effect on any force, through a law.
    pub feel_rates: bool,
    /// Whether any function may jump or bend at a time that is known beforehand.
    pub branch_in_time: bool,
}

impl Laws {
    /// # Errors
    /// A joint does not have the coordinate that a sensor measures.
    pub fn new(
        mechanism: &Mechanism,
        bodies: &[RigidBody],
        place: impl Fn(JointCoordinate) -> Option<usize>,
        rotors: &[Arc<dyn Pushing>],
    ) -> Result<Laws, ReferenceError> {
        let coordinate = |measured: JointCoordinate, rate: bool| {
            let lacking =
                || ReferenceError::NoCoordinate { element: mechanism.joints[measured.joint].name.clone() };
            place(measured).map(|at| Measurement::Coordinate { at, rate }).ok_or_else(lacking)
        };
        let ends = |spring: usize| {
            let lines: Vec<_> = mechanism.lines().collect();
            [0, 1].map(|k| Side::of_point(&lines[spring].points()[k], bodies))
        };
        let at = |spot: Spot| Side::of_point(&mechanism.place(spot), bodies);
        let measurement = |sensor: &Sensor| match *sensor {
            Sensor::Coordinate(of) => coordinate(of, false),
            Sensor::CoordinateRate(of) => coordinate(of, true),
            Sensor::Position { spot, axis } => Ok(Measurement::Point { side: at(spot), axis, rate: false }),
            Sensor::Velocity { spot, axis } => Ok(Measurement::Point { side: at(spot), axis, rate: true }),
            Sensor::AngularVelocity { body, axis } => Ok(Measurement::AngularVelocity { body, axis }),
            Sensor::Attitude { body, component } => Ok(Measurement::Attitude { body, component }),
            Sensor::Length { spring } => Ok(Measurement::Distance { sides: ends(spring), rate: false }),
            Sensor::LengthRate { spring } => Ok(Measurement::Distance { sides: ends(spring), rate: true }),
            Sensor::RotorSpeed { rotor } => {
                Ok(Measurement::Rotor { of: rotors[rotor].clone(), momentum: false })
            }
            Sensor::RotorMomentum { rotor } => {
                Ok(Measurement::Rotor { of: rotors[rotor].clone(), momentum: true })
            }
            Sensor::Energy(part) => Ok(Measurement::Energy(part)),
            Sensor::Effect(_) => Ok(Measurement::Effect),
        };
        Ok(Laws {
            sensors: mechanism.sensors.iter().map(measurement).collect::<Result<_, _>>()?,
            signals: mechanism
                .signals
                .iter()
                .map(|signal| SignalLaw {
                    value: signal.value.clone(),
                    sampled: signal.every.map(|every| (every, f64::NAN)),
                    first: signal.initial.clone(),
                })
                .collect(),
            rates: mechanism.states.iter().map(|state| state.rate.clone()).collect(),
            carrier: mechanism.carrier(),
            feel_rates: mechanism.laws_feel_rates(),
            branch_in_time: mechanism.branches_in_time(),
        })
    }

    /// All that laws know at `time` (s) while bodies move so. `coordinates`: those of all joints.
    pub fn given(
        &self,
        motions: &[Motion],
        coordinates: &[Series<f64>],
        energies: Energies,
        time: f64,
        constants: &[f64],
    ) -> Given {
        let mut given = self.measured(motions, coordinates, energies, time, constants);
        for signal in &self.signals {
            let value = signal.sampled.map_or_else(|| given.value(&signal.value), |(_, value)| value);
            given.signals.push(value);
        }
        given
    }

    /// Takes the signals that `is_due`, by how often they are sampled (s), and holds them from now
    /// on.
    pub fn sample(
        &mut self,
        motions: &[Motion],
        coordinates: &[Series<f64>],
        energies: Energies,
        time: f64,
        constants: &[f64],
        is_due: impl Fn(f64) -> bool,
    ) {
        let mut given = self.measured(motions, coordinates, energies, time, constants);
        given.held =
            self.signals.iter().map(|signal| signal.sampled.map_or(f64::NAN, |(_, value)| value)).collect();
        for signal in &mut self.signals {
            let value = match (signal.sampled, signal.first.take()) {
                (Some((every, held)), None) if !is_due(every) => held,
                (_, first) => given.value(first.as_ref().unwrap_or(&signal.value)),
            };
            if let Some((_, held)) = &mut signal.sampled {
                *held = value;
            }
            given.signals.push(value);
        }
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.rates.len()
    }

    /// Whether any law asks for the energy.
    pub(crate) fn ask_energy(&self) -> bool {
        self.sensors.iter().any(|sensor| matches!(sensor, Measurement::Energy(_)))
    }

    /// Returns the sampling intervals of signals (s).
    pub(crate) fn sampling_times(&self) -> impl Iterator<Item = f64> {
        self.signals.iter().filter_map(|signal| signal.sampled.map(|(every, _)| every))
    }

    /// All but the signals.
    fn measured(
        &self,
        motions: &[Motion],
        coordinates: &[Series<f64>],
        energies: Energies,
        time: f64,
        constants: &[f64],
    ) -> Given {
        let value =
            |value_itself: f64, derivative: f64, rate: bool| if rate { derivative } else { value_itself };
        let measure = |measurement: &Measurement| match measurement {
            Measurement::Coordinate { at, rate } => {
                value(coordinates[*at].value, coordinates[*at].rate, *rate)
            }
            Measurement::Point { side, axis, rate } => {
                let point = side.point(motions);
                value(point.value[*axis], point.rate[*axis], *rate)
            }
            Measurement::AngularVelocity { body, axis } => motions[*body].angular_velocity[*axis],
            Measurement::Attitude { body, component } => {
                let q = unit(motions[*body].attitude);
                let x = [q.w, q.i, q.j, q.k][*component];
                if q.w < 0.0 { -x } else { x }
            }
            Measurement::Distance { sides, rate } => {
                let [a, b] = sides.each_ref().map(|side| side.point(motions));
                let d: Vector3<f64> = b.value - a.value;
                value(d.norm(), d.dot(&(b.rate - a.rate)) / d.norm(), *rate)
            }
            Measurement::Rotor { of, momentum } => {
                of.spin(motions).map_or(f64::NAN, |[speed, h]| if *momentum { h } else { speed })
            }
            Measurement::Energy(EnergyPart::Total) => energies.kinetic + energies.potential,
            Measurement::Energy(EnergyPart::Kinetic) => energies.kinetic,
            Measurement::Energy(EnergyPart::Potential) => energies.potential,
            Measurement::Effect => f64::NAN,
        };
        let sensors = self.sensors.iter().map(measure).collect();
        let states = self.carrier.map(|body| motions[body].amplitude_rates.iter().copied().collect());
        let states = states.unwrap_or_default();
        Given { time, constants: constants.to_vec(), sensors, states, ..Given::default() }
    }

    /// The expressions of its signals that follow the motion, and the rates of its states.
    pub fn functions(&self) -> impl Iterator<Item = &Expression> {
        let continuous = self.signals.iter().filter(|signal| signal.sampled.is_none());
        continuous.map(|signal| &signal.value).chain(&self.rates)
    }

    /// The body that carries states, and dz/dt of each.
    pub fn rates(&self, given: &Given) -> Option<(usize, Vec<f64>)> {
        Some((self.carrier?, self.rates.iter().map(|rate| given.value(rate)).collect()))
    }
}
