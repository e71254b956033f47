//! The laws of a mechanism: what they depend on, and when they branch and are sampled.

use super::contact::ContactValue;
use super::expression::{Expression, Function, MotionInput, Smoothness};
use super::force::Force;
use super::generator::Generator;
use super::mechanism::{Load, Mechanism};
use super::outcome::{Outcome, OutcomeKind, Peaks};
use super::signal::{EnergyPart, Sensor, Signal};

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

    /// Returns where the largest (or least) values of this outcome are found: between steps, if its
    /// function is smooth there.
    pub fn peaks(&self, outcome: &Outcome) -> Peaks {
        match self.peaks_are_smooth(outcome) {
            false => Peaks::AtSteps,
            true if outcome.kind == OutcomeKind::Min && self.is_never_negative(&outcome.of) => {
                Peaks::BetweenNotBelowZero
            }
            true => Peaks::Between,
        }
    }

    /// Whether the form of an expression says that it is nowhere below zero.
    fn is_never_negative(&self, expression: &Expression) -> bool {
        let never = |part: &Expression| self.is_never_negative(part);
        match expression {
            Expression::Number(number) => *number >= 0.0,
            Expression::Call(function, _) => matches!(
                function,
                Function::Abs
                    | Function::Sqrt
                    | Function::Exp
                    | Function::Acos
                    | Function::Step
                    | Function::SmoothStep
            ),
            Expression::Power(base, exponent) => exponent % 2 == 0 || never(base),
            Expression::RealPower(..) | Expression::Less(..) => true,
            Expression::Atan2(y, _) => never(y),
            Expression::Product(a, b) => a == b || never(a) && never(b),
            Expression::Sum(a, b) | Expression::Quotient(a, b) | Expression::Least(a, b) => {
                never(a) && never(b)
            }
            Expression::Greatest(a, b) => never(a) || never(b),
            Expression::Select(parts) => never(&parts[1]) && never(&parts[2]),
            Expression::Input(MotionInput::Signal(k)) => never(&self.signals[*k].value),
            Expression::Input(MotionInput::Sensor(k)) => {
                matches!(self.sensors[*k], Sensor::Length { .. } | Sensor::Energy(EnergyPart::Kinetic))
            }
            Expression::Argument
            | Expression::Constant(_)
            | Expression::Input(_)
            | Expression::Negative(_)
            | Expression::Difference(..)
            | Expression::Lookup(..) => false,
        }
    }

    /// Whether the largest (or least) values of this outcome lie where its function is smooth.
    fn peaks_are_smooth(&self, outcome: &Outcome) -> bool {
        let jumps = |part: &Expression| part.smoothness() == Smoothness::Jumps;
        // A number that forces cause jumps as they do.
        let causes = || self.acting_functions().chain(self.signals.iter().map(|signal| &signal.value));
        let forces_jump = || {
            self.loads.iter().any(Load::is_timed)
                || !self.locks.is_empty()
                || self.forces.iter().any(|force| force.card.bends)
                || self.acting_functions().any(|law| self.jumps_with_samples(law))
                || causes().any(|function| function.any(&jumps))
        };
        let caused = |part: &Expression| self.asks_effects_in(part) && forces_jump();
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
    pub fn reached<'m>(&'m self, expression: &'m Expression) -> impl Iterator<Item = &'m Expression> {
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

    /// The first sampled signal that depends on its own last value, as an integrator does.
    pub fn recurrent_signal(&self) -> Option<&Signal> {
        let depends = |k: &usize| {
            let mut visited = vec![false; self.signals.len()];
            let mut waiting = vec![*k];
            while let Some(part) = waiting.pop() {
                for input in self.signals[part].value.inputs() {
                    let (MotionInput::Signal(next) | MotionInput::Held(next)) = input else { continue };
                    if next == *k {
                        return true;
                    }
                    if !std::mem::replace(&mut visited[next], true) {
                        waiting.push(next);
                    }
                }
            }
            false
        };
        (0..self.signals.len()).find(depends).map(|k| &self.signals[k])
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
    pub fn acting_functions(&self) -> impl Iterator<Item = &Expression> {
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
        !self.locks.is_empty()
            || self.forces.iter().any(|force| force.card.bends || (force.card.saturates)(force))
            || self.acts_by(|law| !law.inputs().is_empty() && law.any(&by_cases))
    }

    /// Whether a condition of the study may end an instance on its way.
    pub fn may_end_early(&self) -> bool {
        self.ends.iter().any(|end| !end.at_end)
    }

    /// Whether a function by which forces and loads act or states change is so, or a signal that
    /// one follows. Signals that are only observed act on nothing.
    pub fn acts_by(&self, is_so: impl Fn(&Expression) -> bool) -> bool {
        self.acting_functions().any(|law| self.any_followed(law, |_| true, &is_so))
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
pub fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
