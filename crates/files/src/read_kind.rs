//! Reads the table `[study]`: what is asked of the ensemble. Every kind has its keys, its reader
//! and its writer in a file of its own.

use super::declared::declare;
use super::document::{Node, Table};
use super::keys::{KIND, Section, kind_names};
use super::writer::{Entries, Writer, text};
use polhode_description::describe::kind::{KindCard, MonteCarlo, Question, StudyKind, every_kind, with_kind};
use polhode_description::describe::{
    Constraints, Ensemble, Lyapunov, Mechanism, Sensitivity, TimeIntegration,
};

/// The parts of the study that a question refers to, as far as they could be read.
pub(super) struct QuestionContext<'a> {
    /// As [`begun`](super::read_sensitivity::begun) gives it.
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

    fn read(table: &Table<'_>, context: &QuestionContext<'_>) -> Option<Self>;

    /// Its keys, but for the name of the kind.
    fn entries(&self) -> Entries;
}

/// A kind whose table is declared, with a check against the rest of the study, which may fill in
/// what it leaves open.
macro_rules! keyed {
    ($kind:ident) => {
        keyed!($kind, |kind, _, _| Some(kind));
    };
    ($kind:ident, $check:expr) => {
        impl $crate::read_kind::Keyed for $kind {
            fn keys() -> &'static $crate::keys::Section {
                <$kind as $crate::declared::Declared>::SECTION
            }

            fn read(
                table: &$crate::document::Table<'_>,
                context: &$crate::read_kind::QuestionContext<'_>,
            ) -> Option<$kind> {
                let check: $crate::read_kind::Check<$kind> = $check;
                check($crate::declared::Declared::read(table)?, table, context)
            }

            fn entries(&self) -> $crate::writer::Entries {
                $crate::declared::Declared::entries(self)
            }
        }
    };
}

/// A check of a kind that was read.
pub(super) type Check<K> = fn(K, &Table<'_>, &QuestionContext<'_>) -> Option<K>;

pub(super) use keyed;

declare! { MonteCarlo, MonteCarlo::CARD.question;
    @KIND;
}

keyed!(MonteCarlo);
keyed!(Lyapunov);

/// The card, keys and reader of one kind.
struct Reader {
    card: &'static KindCard,
    keys: fn() -> &'static Section,
    read: fn(&Table<'_>, &QuestionContext<'_>) -> Option<StudyKind>,
}

const fn reader<K: Keyed>() -> Reader {
    Reader { card: &K::CARD, keys: K::keys, read: |table, context| K::read(table, context).map(Into::into) }
}

/// The first is that of a study that does not say.
const READERS: [Reader; 7] = every_kind!(reader);

/// The tables of all kinds, by name.
pub(super) fn kind_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    READERS.iter().map(|reader| (reader.card.name, (reader.keys)()))
}

/// Reads the table `[study]`.
pub(super) fn read_kind(node: &Node<'_>, context: &QuestionContext<'_>) -> Option<StudyKind> {
    if let Some(sensitivity) = context.sensitivity {
        return sensitivity.map(StudyKind::Sensitivity);
    }
    if let Some(kind) = node.entry("kind").filter(|_| node.peek("kind") == Some("throughput")) {
        kind.report("speed is measured by a command, and is no kind of study".to_string(), |problem| {
            problem.advise("leave the table [study] out, and run: polhode bench STUDY")
        });
        return None;
    }
    let reader = |name: &str| READERS.iter().find(|reader| reader.card.name == name).unwrap_or(&READERS[0]);
    let table =
        &node.table_by(("kind", MonteCarlo::CARD.name), kind_names(), |name| (reader(name).keys)())?;
    // An unknown name is reported here.
    let named = table.get("kind").map_or(Some(MonteCarlo::CARD.name), |node| node.one_of(kind_names()))?;
    (reader(named).read)(table, context)
}

/// Writes the table `[study]`.
pub(super) fn write_kind(kind: &StudyKind, out: &mut Writer) {
    out.heading("[study]");
    out.key("kind", text(kind.name()));
    out.all(with_kind!(kind, asked => asked.entries()));
}
