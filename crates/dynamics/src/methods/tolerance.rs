//! The tolerances of methods that choose order and step as they go.

use super::own_steps::RANGE;
use crate::base::{Key, Kind};

/// The default of a relative and of an absolute tolerance.
pub const DEFAULT: f64 = 1e-8;

/// A tolerance of this meaning that is at least so large.
pub const fn tolerance(name: &'static str, least: f64, meaning: &'static str) -> Key {
    Key { name, kind: Kind::Number(least, RANGE.1, DEFAULT), unit: "", meaning }
}
