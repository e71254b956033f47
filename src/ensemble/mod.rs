//! Many instances of one mechanism: what differs between them and how it is drawn.

pub mod quantities;
pub mod sampling;

pub use quantities::Quantities;
pub use sampling::{Column, Sampler, SamplingError};
