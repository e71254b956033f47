//! A study of kind `sensitivity`: how much of an output each varied input accounts for. What is
//! settled here is how many instances that takes, and what cannot be asked.

use super::kind::KindCard;

/// Least number of rows: fewer say nothing.
pub const FEWEST: u64 = 8;

/// Settings of a study of kind `sensitivity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sensitivity {
    pub method: Screening,
    /// N: rows of the design by Sobol's method, trajectories by Morris's.
    pub samples: u64,
}

/// The method by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screening {
    /// Shares of the variance: first-order and total indices, and those of pairs if asked for.
    Sobol { second_order: bool },
    /// Elementary effects on a grid of so many levels, an even number.
    Morris { levels: u64 },
}

impl Screening {
    /// As studies name it.
    pub fn name(self) -> &'static str {
        match self {
            Screening::Sobol { .. } => "sobol",
            Screening::Morris { .. } => "morris",
        }
    }
}

impl Sensitivity {
    pub const CARD: KindCard = KindCard {
        name: "sensitivity",
        question: "How much of each output the varied inputs account for.",
        stops_together: true,
        keeps: "outputs",
        ..KindCard::ADVANCED
    };
}

impl Sensitivity {
    /// Instances a row of the design has, of k inputs: A, B and k mixed ones, or 2 k for pairs;
    /// k + 1 points of a trajectory.
    pub fn places(&self, inputs: usize) -> u64 {
        let k = inputs as u64;
        match self.method {
            Screening::Sobol { second_order: false } => k + 2,
            Screening::Sobol { second_order: true } => 2 * k + 2,
            Screening::Morris { .. } => k + 1,
        }
    }

    /// Instances of the whole design.
    pub fn instances(&self, inputs: usize) -> u64 {
        self.samples.saturating_mul(self.places(inputs))
    }

    /// Why a study of so many instances is not this one; `None`: it is.
    pub fn is_not(&self, size: u64, inputs: usize) -> Option<String> {
        let is_other = size != self.instances(inputs);
        is_other.then(|| format!("{size} instances are not those of this study: {}", self.explained(inputs)))
    }

    /// Returns an explanation of the design's rows, for people.
    pub fn explained(&self, inputs: usize) -> String {
        let places = self.places(inputs);
        match self.method {
            Screening::Sobol { second_order } => {
                let each = if second_order { "two" } else { "one" };
                format!("{} rows of {places}: A, B and {each} for each of {}", self.samples, counted(inputs))
            }
            Screening::Morris { .. } => {
                format!("{} trajectories of {places} points: {} moved in turn", self.samples, counted(inputs))
            }
        }
    }
}

pub fn counted(inputs: usize) -> String {
    format!("{inputs} input{}", if inputs == 1 { "" } else { "s" })
}
