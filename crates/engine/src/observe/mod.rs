//! Observation of an ensemble: channels of every instance, statistics over all, verdicts.

mod bins;
pub mod channels;
pub mod correlation;
#[cfg(test)]
mod distributions;
pub mod exact_sum;
mod grid;
pub mod indices;
pub mod pairs;
pub mod quantiles;
pub mod share;
pub mod stability;
pub mod statistics;
pub mod stored;

pub use crate::base::Verdict;
pub use exact_sum::ExactSum;
pub use quantiles::Histogram;
pub use quantiles::PILOT;
pub use share::Share;
pub use statistics::{CellStatistics, Pilot, Statistics, Summary};
