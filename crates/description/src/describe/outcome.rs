//! Outcomes: single numbers of an instance's motion, for example a peak, a settling time or a mean
//! square.

use std::borrow::Cow;

use super::expression::Expression;

/// A number computed from the whole motion up to an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// As channels and tables name it.
    pub name: String,
    /// SI unit of its value; "1" of plain numbers.
    pub unit: Cow<'static, str>,
    pub kind: OutcomeKind,
    /// The expression or condition that it evaluates.
    pub of: Expression,
}

/// A condition on the motion at which a study ends an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct EndCondition {
    /// The verdict's name; `None`: `condition`.
    pub name: Option<String>,
    /// Other than 0 where it holds.
    pub when: Expression,
    /// It is checked only at the end of an instance.
    pub at_end: bool,
}

/// Steps of a whole motion, at least, over which a condition is looked for that may hold for a
/// moment alone.
pub const OF_A_MOMENT: u64 = 1000;

/// Where the largest or least values of a function are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peaks {
    AtSteps,
    Between,
    /// Between steps; the function is nowhere below zero, whatever is put through its values.
    BetweenNotBelowZero,
}

/// Ways to reduce an expression over time to a value, or a condition to a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutcomeKind {
    /// Its value at the instant itself.
    Final,
    /// Its value at a time (s).
    At(f64),
    /// Its largest value so far, and when that was.
    Max,
    /// Its least value so far, and when that was.
    Min,
    /// Its integral over time.
    Integral,
    /// Its mean over time.
    Mean,
    /// The root of the mean of its square over time.
    Rms,
    /// When the condition held for the first time (s).
    First,
    /// When it held for the last time so far (s).
    Last,
    /// Since when it holds without a break (s).
    Settled,
    /// For how long it has held in all (s).
    Duration,
}

impl OutcomeKind {
    /// Its key in files.
    pub fn key(self) -> &'static str {
        match self {
            OutcomeKind::Final => "final",
            OutcomeKind::At(_) => "at",
            OutcomeKind::Max => "max",
            OutcomeKind::Min => "min",
            OutcomeKind::Integral => "integral",
            OutcomeKind::Mean => "mean",
            OutcomeKind::Rms => "rms",
            OutcomeKind::First => "first",
            OutcomeKind::Last => "last",
            OutcomeKind::Settled => "settled",
            OutcomeKind::Duration => "duration",
        }
    }

    /// Whether it evaluates a condition: its value is then a time.
    pub fn is_of_condition(self) -> bool {
        matches!(self, OutcomeKind::First | OutcomeKind::Last | OutcomeKind::Settled | OutcomeKind::Duration)
    }

    /// Whether it has a time besides its value.
    pub fn has_time(self) -> bool {
        matches!(self, OutcomeKind::Max | OutcomeKind::Min)
    }
}

impl Outcome {
    /// Whether its value is 0 or 1, that of a condition: its mean is the share where this holds.
    pub fn is_share(&self) -> bool {
        let is_value = matches!(
            self.kind,
            OutcomeKind::Final | OutcomeKind::At(_) | OutcomeKind::Max | OutcomeKind::Min
        );
        is_value && margin(&self.of).is_some()
    }

    /// The function of time that it reduces; of a condition the margin, above 0 where it holds.
    pub fn function(&self) -> Cow<'_, Expression> {
        match self.kind.is_of_condition() {
            true => margin(&self.of).map_or(Cow::Borrowed(&self.of), Cow::Owned),
            false => Cow::Borrowed(&self.of),
        }
    }
}

/// The margin by which a condition holds: `b - a` of `a < b`, and of `a <= b`. `None`: the
/// expression is no comparison.
pub fn margin(condition: &Expression) -> Option<Expression> {
    match condition {
        Expression::Less(a, b) => Some(Expression::Difference(b.clone(), a.clone())),
        // a <= b is 1 - (b < a).
        Expression::Difference(one, less) => match (&**one, &**less) {
            (Expression::Number(1.0), Expression::Less(b, a)) => {
                Some(Expression::Difference(b.clone(), a.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}
