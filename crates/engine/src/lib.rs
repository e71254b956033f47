//! The engine of polhode: steps that are recorded once and run for all instances.
//!
//! [`backend`] records one step of a method as a program and runs it as machine code for SIMD
//! lanes, as a kernel on a GPU, or by an interpreter; [`observe`] computes channels and adds up
//! statistics. Nothing here reads or writes a file of a user: studies, tables and reports are those
//! of the crates above.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Its interface is shown by the crate `polhode`.
#![doc(hidden)]

pub mod backend;
pub mod observe;

pub use polhode_description::{base, describe, math, real, treatments};
pub use polhode_dynamics::{elements, ensemble, kinematics, methods, model, yardsticks};
