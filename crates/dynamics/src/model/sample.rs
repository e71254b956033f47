//! When loads are evaluated.

/// When a method asks for loads, in steps from the current one.
///
/// A load that is constant by pieces enters by its mean over `from..until`, or by its
/// [value](LoadValue) at the instant `at`. A mean keeps the impulse exact wherever a load jumps;
/// over half a step it is, for a jump on a grid point, the one-sided value at the step's start or
/// end. A function of time, of a load or of a constraint, is taken at the instant `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The mean begins so many steps from now.
    pub from: f64,
    /// The mean ends so many steps from now.
    pub until: f64,
    /// The instant for functions of time, in steps from now.
    pub at: f64,
    /// Mean or value, of loads that are constant by pieces.
    pub loads: LoadValue,
}

/// A load that is constant by pieces enters a step in one of these ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadValue {
    /// By its mean over the interval of the sample.
    Mean,
    /// By its value at the instant of the sample: a piece acts after its begin, up to its end and
    /// there too; at t = 0 those act that begin there or earlier.
    Instant,
}

impl Sample {
    /// A mean from `from` to `until`, and an instant, in steps from now.
    pub const fn new(from: f64, until: f64, at: f64) -> Sample {
        Sample { from, until, at, loads: LoadValue::Mean }
    }

    /// So many steps later.
    pub fn later(self, steps: f64) -> Sample {
        let Sample { from, until, at, loads } = self;
        Sample { from: from + steps, until: until + steps, at: at + steps, loads }
    }

    /// Over which interval, in steps from now, a load that is constant by pieces is looked at: one
    /// of no length is an instant.
    pub fn interval(&self) -> (f64, f64) {
        match self.loads {
            LoadValue::Mean => (self.from, self.until),
            LoadValue::Instant => (self.at, self.at),
        }
    }

    /// With loads as this says.
    pub const fn with_loads(self, loads: LoadValue) -> Sample {
        Sample { loads, ..self }
    }
}

/// The whole step, seen in its middle.
pub const STEP: Sample = Sample::new(0.0, 1.0, 0.5);
/// Takes the loads that act at the start of the step.
pub const AFTER_START: Sample = Sample::new(0.0, 0.5, 0.0);
/// Takes the loads that act at the end of the step.
pub const BEFORE_END: Sample = Sample::new(0.5, 1.0, 1.0);
