//! A study turned into an answer.

pub mod compare;
pub mod march;
pub mod monte_carlo;
pub mod plan;
pub mod recorder;
pub mod replay;
pub mod results;
pub mod shard;
pub mod yardsticks;
