//! Reads and writes what a study of kind `lyapunov` sets.

use super::document::Table;
use super::keys::Presence::{Default, Optional};
use super::keys::{Form, Section, key, kind_key};
use super::read_kind::{Keyed, QuestionContext};
use super::write::{Writer, count};
use crate::describe::{Lyapunov, Question};

/// Exponents that can be asked for: every one of them is a copy of the step.
const MOST_EXPONENTS: u64 = 48;

static KEYS: Section = Section {
    doc: Lyapunov::CARD.question,
    keys: &[
        kind_key(),
        key(
            "exponents",
            Form::Count { min: 1, max: MOST_EXPONENTS },
            Default("1"),
            "How many exponents (1/s) are followed, the largest first; the others are from the largest down in the limit of long times.",
        ),
        key("pairs", Form::Flag, Default("true"), "The largest again, from a neighbour of every instance."),
        key(
            "distance",
            Form::Bounded { min: 1e-12, max: 1.0 },
            Optional,
            "How far neighbours are, in numbers of the state in SI. Absent: 1e-7 in f64, 1e-2 in f32.",
        ),
        key(
            "transition",
            Form::Flag,
            Default("false"),
            "The derivative of the end by the start, of the kept instances: into transition.parquet.",
        ),
    ],
};

impl Keyed for Lyapunov {
    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, _: &QuestionContext<'_>) -> Option<Lyapunov> {
        let exponents = table.get("exponents").and_then(|node| node.count(1, MOST_EXPONENTS));
        let flag = |name: &str| table.get(name).and_then(|node| node.flag());
        let (pairs, transition) = (flag("pairs"), flag("transition"));
        let distance = match table.get("distance") {
            Some(node) => Some(node.bounded(1e-12, 1.0)?),
            None => None,
        };
        Some(Lyapunov { exponents: exponents? as usize, pairs: pairs?, distance, transition: transition? })
    }

    fn write(&self, out: &mut Writer) {
        out.key("exponents", count(self.exponents as u64));
        out.key("pairs", self.pairs);
        if let Some(distance) = self.distance {
            out.key("distance", distance);
        }
        out.key("transition", self.transition);
    }
}
