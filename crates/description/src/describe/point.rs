//! Parts of what joints, forces and contacts are: points, ranges of numbers, signs in drawings.

/// A point fixed in a body, or in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position in `Mechanism::bodies`; `None`: the ground.
    pub body: Option<usize>,
    /// From the body's origin in body axes; of the ground: from the space origin in space axes (m).
    pub at: [f64; 3],
}

/// The sign by which a force or a joint is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// It is left out.
    Nothing,
    /// A coil between its points.
    Coil,
    /// A line between its points.
    Line,
}

/// The values that a number or another quantity may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Any finite number.
    Any,
    /// Zero or more.
    NotNegative,
    /// More than zero.
    Positive,
    /// Between two ends, both included.
    Within(f64, f64),
    /// A whole number from 0 to this one.
    Upto(usize),
}

impl Range {
    /// Whether the value is within.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Range::Any => true,
            Range::NotNegative => value >= 0.0,
            Range::Positive => value > 0.0,
            Range::Within(low, high) => value >= low && value <= high,
            Range::Upto(last) => value >= 0.0 && value <= last as f64 && value.fract() == 0.0,
        }
    }

    /// In words.
    pub fn wanted(self) -> String {
        match self {
            Range::Any => "a number".to_string(),
            Range::NotNegative => "zero or positive".to_string(),
            Range::Positive => "positive".to_string(),
            Range::Within(low, high) => format!("a number from {low:?} to {high:?}"),
            Range::Upto(last) => format!("a whole number from 0 to {last}"),
        }
    }
}
