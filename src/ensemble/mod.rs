//! The ensemble: what each instance starts from, and what happens at which step.

pub mod quantities;
pub mod schedule;
