//! Mechanisms and studies as they are described, for polhode: resolved to SI numbers, with cards of
//! their parts, and the scalars and mathematics over which physics is written. Nothing here reads
//! text or runs.
//!
//! Programs use it by `polhode`, which shows of it what is part of the interface.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod describe;
#[doc(hidden)]
pub mod flexible;
#[doc(hidden)]
pub mod math;
#[doc(hidden)]
pub mod real;
#[doc(hidden)]
pub mod treatments;
