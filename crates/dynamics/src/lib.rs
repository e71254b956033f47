//! Mechanisms as models, the forces and joints in them, and the methods that advance them.
//!
//! Everything is written once over a scalar: [`elements`] are forces, joints and contacts,
//! [`model`] makes a system of them, [`methods`] advance it, [`ensemble`] says what each instance
//! is and starts from. [`yardsticks`] are the mechanisms on which methods are compared.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Its interface is shown by the crate `polhode`.
#![doc(hidden)]

pub mod elements;
pub mod ensemble;
pub mod kinematics;
pub mod methods;
pub mod model;
pub mod yardsticks;

pub use polhode_description::{base, describe, flexible, math, real, treatments};
