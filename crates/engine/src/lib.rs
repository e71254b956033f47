//! The engine of polhode: steps that are recorded once and run for all instances.
//!
//! [`model`] assembles a mechanism and records one step of a method ([`methods`]) as a program; [`backend`]
//! runs it as machine code for SIMD lanes, as a kernel on a GPU, or by an interpreter; [`observe`] computes
//! channels and adds up statistics; [`ensemble`] draws the numbers of each instance. Nothing here reads or
//! writes a file of a user: studies, tables and reports are the crate `polhode`'s.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Its interface is shown by the crate `polhode`.
#![doc(hidden)]

pub mod backend;
pub mod elements;
pub mod ensemble;
pub mod kinematics;
pub mod methods;
pub mod model;
pub mod observe;
pub mod yardsticks;

pub use polhode_description::{base, describe, flexible, math, real, treatments};
