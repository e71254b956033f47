//! The engine of polhode: steps that are recorded once and run for all instances.
//!
//! [`model`] assembles a mechanism and records one step of a method ([`methods`]) as a program; [`backend`]
//! runs it as machine code for SIMD lanes, as a kernel on a GPU, or by an interpreter; [`observe`] computes
//! channels and adds up statistics; [`ensemble`] draws the numbers of each instance. Nothing here reads or
//! writes a file of a user: studies, tables and reports are the crate `polhode`'s.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
pub mod backend;
#[doc(hidden)]
pub mod elements;
#[doc(hidden)]
pub mod ensemble;
#[doc(hidden)]
pub mod kinematics;
#[doc(hidden)]
pub mod methods;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod observe;
#[doc(hidden)]
pub mod yardsticks;

#[doc(hidden)]
pub use polhode_description::{base, describe, flexible, math, real, treatments};
