//! A study turned into an answer.

pub mod plan;
