//! Many instances of one mechanism: what differs between them, how it is drawn, and what happens at
//! which step.

pub mod sampling;
pub mod schedule;
pub mod shard;

pub use crate::model::quantities::Quantities;
pub use sampling::{DrawnColumn, Sampler, SamplingError};
pub use shard::Shard;
