//! `[study] kind = "lyapunov"`: how fast neighbours of the instances part.

use serde::Serialize;

use super::document::Table;
use super::write::{Writer, count};

/// What is asked besides the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lyapunov {
    /// How many exponents, in the order of their directions: in the limit of long times from the largest down.
    pub exponents: usize,
    /// The largest exponent again, from a neighbour of every instance.
    pub pairs: bool,
    /// How far neighbours are; `None`: as the precision wants.
    pub distance: Option<f64>,
    /// The derivative of the end by the start, of the kept instances.
    pub transition: bool,
}

impl Lyapunov {
    pub(super) fn read(table: &Table<'_>) -> Option<Lyapunov> {
        let exponents = table.get("exponents").and_then(|node| node.count(1, super::keys::MOST_EXPONENTS));
        let flag = |name: &str| table.get(name).and_then(|node| node.flag());
        let (pairs, transition) = (flag("pairs"), flag("transition"));
        let distance = match table.get("distance") {
            Some(node) => Some(node.bounded(1e-12, 1.0)?),
            None => None,
        };
        Some(Lyapunov { exponents: exponents? as usize, pairs: pairs?, distance, transition: transition? })
    }

    /// In a line.
    pub fn summary(&self) -> String {
        let plural = if self.exponents == 1 { "" } else { "s" };
        let mut text = format!("{} exponent{plural} of Lyapunov", self.exponents);
        if self.pairs {
            text += ", the largest by pairs too";
        }
        if self.transition {
            text += ", derivatives of the ends";
        }
        text
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
