//! A study turned into an answer.

pub mod march;
pub mod monte_carlo;
pub mod plan;
pub mod replay;
pub mod yardsticks;
