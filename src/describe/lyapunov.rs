//! `[study] kind = "lyapunov"`: how fast neighbours of the instances part.

use serde::Serialize;

use super::document::Table;
use super::write::{Writer, count};

/// What is asked besides the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Lyapunov {
    /// How many exponents, from the largest down.
    pub exponents: usize,
    /// The largest exponent again, from a neighbour of every instance.
    pub pairs: bool,
    /// The derivative of the end by the start, of the kept instances.
    pub transition: bool,
}

impl Lyapunov {
    pub(super) fn read(table: &Table<'_>) -> Option<Lyapunov> {
        let exponents = table.get("exponents").and_then(|node| node.count(1, super::keys::MOST_EXPONENTS));
        let flag = |name: &str| table.get(name).and_then(|node| node.flag());
        let (pairs, transition) = (flag("pairs"), flag("transition"));
        Some(Lyapunov { exponents: exponents? as usize, pairs: pairs?, transition: transition? })
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.key("exponents", count(self.exponents as u64));
        out.key("pairs", self.pairs);
        out.key("transition", self.transition);
    }
}
