//! Laws of the motion: sensors, which measure it, signals, which are expressions of them, and
//! points that have names.

use std::borrow::Cow;

use serde::Serialize;

use super::contact::ContactValue;
use super::expression::{Expression, Function, MotionInput, Smoothness};
use super::force::Force;
use super::generator::Generator;
use super::joint::JointCoordinate;
use super::mechanism::{Mechanism, Point};
use super::outcome::{Outcome, OutcomeKind};

/// A number of the motion that expressions may use, such as `pivot.angle_rate` or `tip.position.x`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// [rotors](Mechanism::rotors).
    RotorSpeed { rotor: usize },
    /// Its momentum along its axis (N m s), the part from the body's rotation included.
    RotorMomentum { rotor: usize },
    /// A part of the energy of the mechanism (J).
    Energy(EnergyPart),
    /// An effect of forces: outcomes and verdicts know it, and laws cannot.
    Effect(Effect),
}

/// A part of the energy: as the channels of these names, without loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// [rotors](Mechanism::rotors).
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// A point of [`Mechanism::points`].
    Named(usize),
    /// The origin of a body.
    Origin(usize),
    /// Where a law among [`Mechanism::loads`] acts.
    Load(usize),
}

/// A point with a name, fixed in a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedPoint {
    /// As channels and expressions address it.
    pub name: String,
    /// Where it is.
    pub point: Point,
}

/// A first-order state of a law, such as an integral, a filter or an actuator's lag:
/// `dz/dt = rate`.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl Mechanism {
    /// Whether the variable, time, has any effect on this expression.
    pub fn depends_on_time(&self, expression: &Expression) -> bool {
        self.any_followed(expression, |_| true, Expression::depends_on_argument)
    }

    /// Whether any of its functions may jump or bend at a time that is known beforehand.
    pub fn branches_in_time(&self) -> bool {
        let in_time = |part: &Expression| part.branches() && self.depends_on_time(part);
        let generated = self.generators.iter().flat_map(Generator::prescribed).map(|(_, function)| function);
        let mut functions = generated
            .chain(self.acting_functions())
            .chain(self.signals.iter().map(|signal| &signal.value))
            .chain(self.ends.iter().map(|end| &end.when));
        functions.any(|function| function.any(&in_time))
            || self.outcomes.iter().any(|outcome| outcome.function().any(&in_time))
    }

    /// Whether the largest (or least) values of this outcome lie where its function is smooth, so
    /// that they can be found between steps.
    pub fn peaks_are_smooth(&self, outcome: &Outcome) -> bool {
        let jumps = |part: &Expression| part.smoothness() == Smoothness::Jumps;
        // A number that forces cause jumps as they do.
        let causes = || self.acting_functions().chain(self.signals.iter().map(|signal| &signal.value));
        let caused = |part: &Expression| self.asks_effects_in(part) && causes().any(|f| f.any(&jumps));
        self.bends_away(&outcome.of, outcome.kind != OutcomeKind::Min)
            && !self.reached(&outcome.of).any(caused)
    }

    /// Whether an expression bends upwards alone, so that no peak is at a bend; or downwards alone
    /// (`up` is false), so that no trough is. Factors whose sign is not written count as positive.
    fn bends_away(&self, expression: &Expression, up: bool) -> bool {
        fn is_negative(factor: &Expression) -> bool {
            match factor {
                Expression::Number(number) => *number < 0.0,
                Expression::Negative(expression) => !is_negative(expression),
                _ => false,
            }
        }
        match expression {
            Expression::Call(Function::Abs, expression) => {
                up && self.bends_away(expression, true) && self.bends_away(expression, false)
            }
            Expression::Negative(expression) => self.bends_away(expression, !up),
            Expression::Difference(a, b) => self.bends_away(a, up) && self.bends_away(b, !up),
            Expression::Product(a, b) => {
                self.bends_away(a, up != is_negative(b)) && self.bends_away(b, up != is_negative(a))
            }
            Expression::Quotient(a, b) => self.bends_away(a, up != is_negative(b)) && self.bends_away(b, !up),
            Expression::Input(MotionInput::Signal(k)) => {
                let signal = &self.signals[*k];
                signal.every.is_some() || self.bends_away(&signal.value, up)
            }
            expression => {
                // An angle jumps by convention, and is continued.
                let is_smooth = matches!(expression, Expression::Atan2(..))
                    || expression.smoothness() == Smoothness::Smooth;
                is_smooth && expression.parts().into_iter().all(|part| self.bends_away(part, up))
            }
        }
    }

    /// The sensors of attitudes that have an effect on this expression, other than by sampled
    /// signals.
    pub fn attitudes_in(&self, expression: &Expression) -> Vec<usize> {
        let inputs = self.reached(expression).flat_map(Expression::inputs);
        let attitude = |input: MotionInput| match input {
            MotionInput::Sensor(k) => matches!(self.sensors[k], Sensor::Attitude { .. }).then_some(k),
            MotionInput::State(_) | MotionInput::Signal(_) | MotionInput::Held(_) => None,
        };
        inputs.filter_map(attitude).collect()
    }

    /// The angles from -pi to pi that have an effect on this expression, other than by sampled
    /// signals.
    pub fn angles_in<'m>(&'m self, expression: &'m Expression) -> Vec<&'m Expression> {
        fn gather<'m>(expression: &'m Expression, angles: &mut Vec<&'m Expression>) {
            angles.extend(matches!(expression, Expression::Atan2(..)).then_some(expression));
            expression.parts().into_iter().for_each(|part| gather(part, angles));
        }
        let mut angles = Vec::new();
        self.reached(expression).for_each(|part| gather(part, &mut angles));
        angles
    }

    /// By how much a function jumps where an angle in it goes on a turn away: the function is a
    /// constant times the angle, plus what has none. `None`: it does not.
    pub fn turn_of(&self, expression: &Expression) -> Option<f64> {
        let mut of_signals: Vec<Option<f64>> = Vec::new();
        for signal in &self.signals {
            of_signals.push(signal.value.turn(&of_signals));
        }
        expression.turn(&of_signals)
    }

    /// This expression and the signals that it is made of, each once; not those that are sampled.
    fn reached<'m>(&'m self, expression: &'m Expression) -> impl Iterator<Item = &'m Expression> {
        let mut reached = vec![false; self.signals.len()];
        let mark = |reached: &mut Vec<bool>, expression: &Expression| {
            for input in expression.inputs() {
                if let MotionInput::Signal(k) = input {
                    reached[k] |= self.signals[k].every.is_none();
                }
            }
        };
        mark(&mut reached, expression);
        // A signal is made of earlier ones.
        for k in (0..reached.len()).rev() {
            if reached[k] {
                mark(&mut reached, &self.signals[k].value);
            }
        }
        let signals = self.signals.iter().zip(reached).filter(|(_, reached)| *reached);
        std::iter::once(expression).chain(signals.map(|(signal, _)| &signal.value))
    }

    /// Whether velocities have any effect on this expression.
    pub fn feels_rates(&self, expression: &Expression) -> bool {
        // States are advanced like velocities.
        let is_rate = |input: &MotionInput| match input {
            MotionInput::Sensor(k) => self.sensors[*k].is_rate(),
            MotionInput::State(_) => true,
            MotionInput::Signal(_) | MotionInput::Held(_) => false,
        };
        // A sampled signal is constant between samples: it feels no velocity.
        let follows = |signal: &Signal| signal.every.is_none();
        self.any_followed(expression, follows, |part| part.inputs().iter().any(is_rate))
    }

    /// Whether this expression jumps where a signal is sampled.
    pub fn jumps_with_samples(&self, expression: &Expression) -> bool {
        let is_sampled =
            |input: &MotionInput| matches!(input, MotionInput::Signal(k) if self.signals[*k].every.is_some());
        self.any_followed(expression, |_| true, |part| part.inputs().iter().any(is_sampled))
    }

    /// Whether outcomes or verdicts ask what forces cause.
    pub fn asks_effects(&self) -> bool {
        self.sensors.iter().any(|sensor| sensor.is_effect())
    }

    /// Whether this expression does.
    pub fn asks_effects_in(&self, expression: &Expression) -> bool {
        let is_effect =
            |input: &MotionInput| matches!(input, MotionInput::Sensor(k) if self.sensors[*k].is_effect());
        expression.inputs().iter().any(is_effect)
    }

    /// The signals that are sampled, by position, and how often each is (s).
    pub fn sampled_signals(&self) -> impl Iterator<Item = (usize, f64)> {
        self.signals.iter().enumerate().filter_map(|(k, signal)| Some((k, signal.every?)))
    }

    /// The states that are sampled: by position the signal that shows one, and the one that is its
    /// next value.
    pub fn sampled_states(&self) -> impl Iterator<Item = (usize, usize)> {
        let shown = self.signals.iter().enumerate().filter(|(_, signal)| signal.initial.is_some());
        shown.filter_map(|(k, signal)| match signal.value {
            Expression::Input(MotionInput::Held(next)) => Some((k, next)),
            _ => None,
        })
    }

    /// Steps of h (s) after which signals may be sampled: the largest number of which all their
    /// times are multiples. 0: none is sampled.
    pub fn sampling_steps(&self, h: f64) -> u64 {
        let steps = self.sampled_signals().map(|(_, every)| ((every / h).round() as u64).max(1));
        steps.fold(0, common_divisor)
    }

    /// Whether this expression is so, or a signal that it follows, by itself or through others.
    /// Each is looked at once.
    fn any_followed(
        &self,
        expression: &Expression,
        follows: impl Fn(&Signal) -> bool,
        is_so: impl Fn(&Expression) -> bool,
    ) -> bool {
        let mut visited = vec![false; self.signals.len()];
        let mut waiting = vec![expression];
        while let Some(part) = waiting.pop() {
            if is_so(part) {
                return true;
            }
            for input in part.inputs() {
                if let MotionInput::Signal(k) = input
                    && !std::mem::replace(&mut visited[k], true)
                    && follows(&self.signals[k])
                {
                    waiting.push(&self.signals[k].value);
                }
            }
        }
        false
    }

    /// The functions by which forces and loads act and states change.
    pub(crate) fn acting_functions(&self) -> impl Iterator<Item = &Expression> {
        let of_forces = self.forces.iter().flat_map(|force| &force.functions);
        let of_loads = self.loads.iter().flat_map(|load| load.function.iter().flatten());
        of_forces.chain(of_loads).chain(self.states.iter().map(|state| &state.rate))
    }

    /// The functions of time and motion that are followed: those by which generators drive, forces
    /// and loads act and states change, and signals that are not sampled.
    pub fn followed_functions(&self) -> impl Iterator<Item = &Expression> {
        let driven = self.generators.iter().flat_map(Generator::of_time);
        let signals = self.signals.iter().filter(|signal| signal.every.is_none());
        driven.chain(self.acting_functions()).chain(signals.map(|signal| &signal.value))
    }

    /// Whether forces bend or jump where the motion brings them to it: stops, friction, locks, laws
    /// by cases.
    pub fn bends(&self) -> bool {
        let by_cases = |part: &Expression| part.smoothness() != Smoothness::Smooth;
        let signals = self.signals.iter().map(|signal| &signal.value);
        let mut laws = self.acting_functions().chain(signals).filter(|law| !law.inputs().is_empty());
        !self.locks.is_empty()
            || self.forces.iter().any(|force| force.card.bends || (force.card.saturates)(force))
            || laws.any(|law| law.any(&by_cases))
    }

    /// All functions of its elements, with names for messages.
    pub fn named_functions(&self) -> Vec<(String, &Expression)> {
        let of_forces = self.forces.iter().flat_map(|force| {
            force
                .functions
                .iter()
                .map(move |function| (format!("{} `{}`", force.card.table, force.name), function))
        });
        let of_loads = self.loads.iter().flat_map(|load| {
            load.function.iter().flatten().map(move |function| (format!("load `{}`", load.name), function))
        });
        let of_generators = self.generators.iter().flat_map(|generator| {
            let functions = generator.functions.iter().flatten();
            functions.map(move |function| (format!("generator `{}`", generator.name), function))
        });
        let of_contacts = self.contacts.iter().flat_map(|contact| {
            contact.values.iter().filter_map(move |value| match value {
                ContactValue::Function(function) => Some((format!("contact `{}`", contact.name), function)),
                _ => None,
            })
        });
        let of_signals =
            self.signals.iter().map(|signal| (format!("signal `{}`", signal.name), &signal.value));
        let of_states = self.states.iter().map(|state| (format!("state `{}`", state.name), &state.rate));
        let of_outcomes =
            self.outcomes.iter().map(|outcome| (format!("outcome `{}`", outcome.name), &outcome.of));
        of_forces
            .chain(of_loads)
            .chain(of_generators)
            .chain(of_contacts)
            .chain(of_signals)
            .chain(of_states)
            .chain(of_outcomes)
            .collect()
    }

    /// The body whose motion carries the states of laws, and after them the momenta of rotors: a
    /// rigid one. Each state is the rate of a coordinate of its own that nothing else feels, of
    /// unit mass under the force `rate`, so that every method advances it as it does velocities.
    /// `None`: there is none of them.
    pub fn carrier(&self) -> Option<usize> {
        let rigid = self.bodies.iter().position(|body| body.flexible.is_none());
        rigid.filter(|_| self.carried() > 0)
    }

    /// Number of rates that the [carrier](Self::carrier) has besides its own.
    pub fn carried(&self) -> usize {
        self.states.len() + self.rotors().count()
    }

    /// The forces that are rotors.
    pub fn rotors(&self) -> impl Iterator<Item = &Force> {
        self.forces.iter().filter(|force| force.card.spins)
    }

    /// Whether any force or load feels the velocities by its function.
    pub fn laws_feel_rates(&self) -> bool {
        self.acting_functions().any(|function| self.feels_rates(function))
            || self.forces.iter().any(|force| (force.card.saturates)(force))
    }
}

/// The largest number of which both are multiples; of 0 and another that one.
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
