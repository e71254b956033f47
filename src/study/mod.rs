//! A study turned into an answer.

pub mod march;
pub mod monte_carlo;
pub mod plan;
mod recorder;
pub mod replay;
pub mod yardsticks;
