//! A study of kind `sensitivity`: how much of an output each varied input accounts for. What is settled here is how many
//! instances that takes, and what cannot be asked.

use serde::Serialize;

use super::study::{Distribution, Vary};

/// Least number of rows: fewer say nothing.
pub const FEWEST: u64 = 8;

/// How a sensitivity study asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sensitivity {
    pub method: Screening,
    /// N: rows of the design by Sobol's method, trajectories by Morris's.
    pub samples: u64,
}

/// The method by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// Instances a row of the design has, of k inputs: A, B and k mixed ones, or 2 k for pairs; k + 1 points of a trajectory.
    pub fn places(&self, inputs: usize) -> u64 {
        let k = inputs as u64;
        match self.method {
            Screening::Sobol { second_order: false } => k + 2,
            Screening::Sobol { second_order: true } => 2 * k + 2,
            Screening::Morris { .. } => k + 1,
        }
    }

    /// What a row is, for people.
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

pub(crate) fn counted(inputs: usize) -> String {
    format!("{inputs} input{}", if inputs == 1 { "" } else { "s" })
}

/// How many unit numbers each input of a varied quantity takes: components that are drawn independently are inputs of their
/// own, an attitude, a direction or what is correlated is one. `None`: the quantity is laid out, not drawn.
pub fn inputs_of(vary: &Vary) -> Option<Vec<usize>> {
    match &vary.distribution {
        Distribution::Normal { .. }
        | Distribution::Uniform { .. }
        | Distribution::LogUniform { .. }
        | Distribution::TruncatedNormal { .. } => Some(vec![1; vary.target.width()]),
        Distribution::NormalCovariance { .. } => Some(vec![vary.target.width()]),
        Distribution::UniformAttitude | Distribution::SmallRotation { .. } => Some(vec![3]),
        Distribution::VonMisesFisher { .. } => Some(vec![2]),
        Distribution::List { .. }
        | Distribution::Linspace { .. }
        | Distribution::Logspace { .. }
        | Distribution::Table { .. } => None,
    }
}
