//! Reads and writes what a study of kind `static` sets.

use super::document::Table;
use super::keys::Presence::Default;
use super::keys::{Form, Section, key, kind_key};
use super::read_kind::{Keyed, QuestionContext};
use super::read_modes::{at_key, rotation_key, search_key};
use super::write::Writer;
use crate::describe::{Question, Static, SteadyMotion};

/// The smallest and the largest `same` that is allowed.
const CLOSEST: [f64; 2] = [1e-9, 1.0];

static KEYS: Section = Section {
    doc: Static::CARD.question,
    keys: &[
        kind_key(),
        rotation_key(),
        at_key(),
        search_key(),
        key(
            "same",
            Form::Bounded { min: CLOSEST[0], max: CLOSEST[1] },
            Default("1e-6"),
            "Equilibria this close count as one: root mean square displacement as a share of the mechanism's extent, both weighed by masses.",
        ),
    ],
};

impl Keyed for Static {
    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, asked: &QuestionContext<'_>) -> Option<Static> {
        let about = SteadyMotion::read(table, asked.mechanism);
        let same = table.get("same").and_then(|node| node.bounded(CLOSEST[0], CLOSEST[1]));
        Some(Static { about: about?, same: same? })
    }

    fn write(&self, out: &mut Writer) {
        self.about.write(out);
        out.key("same", self.same);
    }
}
