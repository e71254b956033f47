//! Reads the table `[study]`: what is asked of the ensemble. Every kind has its keys, its reader and its
//! writer in a file of its own.

use super::document::{Node, Table};
use super::keys::{Section, kind_key, kind_names};
use super::write::{Writer, text};
use crate::describe::kind::{KindCard, MonteCarlo, Question, StudyKind, every_kind, with_kind};
use crate::describe::{Constraints, Ensemble, Mechanism, Sensitivity, TimeIntegration};

/// The parts of the study that a question refers to, as far as they could be read.
pub(super) struct QuestionContext<'a> {
    /// As [`Sensitivity::begun`] gives it.
    pub sensitivity: Option<Option<Sensitivity>>,
    pub mechanism: Option<&'a Mechanism>,
    pub method: Option<&'a TimeIntegration>,
    pub constraints: Option<&'a Constraints>,
    pub ensemble: Option<&'a Ensemble>,
}

/// A kind of study as files have it.
pub(super) trait Keyed: Question {
    /// Its table.
    fn keys() -> &'static Section;

    fn read(table: &Table<'_>, asked: &QuestionContext<'_>) -> Option<Self>;

    /// Writes its keys, but for the name of the kind.
    fn write(&self, out: &mut Writer);
}

impl Keyed for MonteCarlo {
    fn keys() -> &'static Section {
        static KEYS: Section = Section { doc: MonteCarlo::CARD.question, keys: &[kind_key()] };
        &KEYS
    }

    fn read(_: &Table<'_>, _: &QuestionContext<'_>) -> Option<MonteCarlo> {
        Some(MonteCarlo)
    }

    fn write(&self, _: &mut Writer) {}
}

/// The card, keys and reader of one kind.
struct Reader {
    card: &'static KindCard,
    keys: fn() -> &'static Section,
    read: fn(&Table<'_>, &QuestionContext<'_>) -> Option<StudyKind>,
}

const fn reader<K: Keyed>() -> Reader {
    Reader { card: &K::CARD, keys: K::keys, read: |table, asked| K::read(table, asked).map(Into::into) }
}

/// The first is that of a study that does not say.
const READERS: [Reader; 8] = every_kind!(reader);

/// The tables of all kinds, by name.
pub(super) fn kind_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    READERS.iter().map(|reader| (reader.card.name, (reader.keys)()))
}

impl StudyKind {
    pub(super) fn read(node: &Node<'_>, asked: &QuestionContext<'_>) -> Option<StudyKind> {
        if let Some(sensitivity) = asked.sensitivity {
            return sensitivity.map(StudyKind::Sensitivity);
        }
        let named = node.peek("kind").unwrap_or(MonteCarlo::CARD.name);
        let reader = READERS.iter().find(|reader| reader.card.name == named).unwrap_or(&READERS[0]);
        let table = &node.table((reader.keys)())?;
        // An unknown name is reported here.
        table.get("kind").and_then(|node| node.one_of(kind_names()))?;
        (reader.read)(table, asked)
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.heading("[study]");
        out.key("kind", text(self.name()));
        with_kind!(self, asked => asked.write(out));
    }
}
