//! Reads and writes what a study of kind `lyapunov` sets.

use super::document::Table;
use super::keys::MOST_EXPONENTS;
use super::write::{Writer, count};
use crate::describe::Lyapunov;

impl Lyapunov {
    pub(super) fn read(table: &Table<'_>) -> Option<Lyapunov> {
        let exponents = table.get("exponents").and_then(|node| node.count(1, MOST_EXPONENTS));
        let flag = |name: &str| table.get(name).and_then(|node| node.flag());
        let (pairs, transition) = (flag("pairs"), flag("transition"));
        let distance = match table.get("distance") {
            Some(node) => Some(node.bounded(1e-12, 1.0)?),
            None => None,
        };
        Some(Lyapunov { exponents: exponents? as usize, pairs: pairs?, distance, transition: transition? })
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.key("exponents", count(self.exponents as u64));
        out.key("pairs", self.pairs);
        if let Some(distance) = self.distance {
            out.key("distance", distance);
        }
        out.key("transition", self.transition);
    }
}
