//! Locks: the card of locks, and one lock of a mechanism.
//!
//! The card is in `crates/dynamics/src/elements/lock.rs`; files and the list of numbers are made
//! from it.

use super::force::NumberKey;
use super::joint::JointCoordinate;

/// The law and the numbers of locks.
#[derive(Debug)]
pub struct LockCard {
    pub doc: &'static str,
    pub at: NumberKey,
    pub release: NumberKey,
}

impl LockCard {
    /// The keys of a lock's numbers, in the order in which ensembles have them.
    pub fn keys(&self) -> [&NumberKey; 2] {
        [&self.at, &self.release]
    }
}

/// A joint's coordinate is caught when it passes a value: a perfectly plastic impact, after which
/// it is held.
#[derive(Clone, Debug)]
pub struct Lock {
    pub card: &'static LockCard,
    pub name: String,
    pub of: JointCoordinate,
    /// (rad or m)
    pub at: f64,
    /// The lock lets go for good when it has to hold more than this (N m or N); infinite: never.
    pub release: f64,
}

impl Lock {
    /// Its numbers with their keys.
    pub fn numbers(&self) -> [(&'static NumberKey, f64); 2] {
        [(&self.card.at, self.at), (&self.card.release, self.release)]
    }
}

/// All locks have the same card.
impl PartialEq for Lock {
    fn eq(&self, other: &Lock) -> bool {
        (&self.name, self.of, self.at, self.release) == (&other.name, other.of, other.at, other.release)
    }
}
