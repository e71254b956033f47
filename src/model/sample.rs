//! When loads are evaluated.

/// When a method asks for loads, in steps from the current one.
///
/// A load that is constant by pieces enters by its mean over `from..until`. A mean keeps the impulse exact wherever a load
/// jumps; over half a step it is, for a jump on a grid point, the one-sided value at the step's start or end. A function of
/// time, of a load or of a constraint, is taken at the instant `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The mean begins so many steps from now.
    pub from: f64,
    /// The mean ends so many steps from now.
    pub until: f64,
    /// The instant for functions of time, in steps from now.
    pub at: f64,
}

impl Sample {
    /// A mean from `from` to `until`, and an instant, in steps from now.
    pub const fn new(from: f64, until: f64, at: f64) -> Sample {
        Sample { from, until, at }
    }

    /// So many steps later.
    pub fn later(self, steps: f64) -> Sample {
        Sample { from: self.from + steps, until: self.until + steps, at: self.at + steps }
    }
}

/// The whole step, seen in its middle.
pub const STEP: Sample = Sample::new(0.0, 1.0, 0.5);
/// What acts at the start of the step.
pub const AFTER_START: Sample = Sample::new(0.0, 0.5, 0.0);
/// What acts at the end of the step.
pub const BEFORE_END: Sample = Sample::new(0.5, 1.0, 1.0);
