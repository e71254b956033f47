//! The kinds of studies, the table `[study]`: each has its settings, its card and its keys in a
//! file of its own, and a line in the list here. It runs in `study`.

pub mod convergence;
pub mod equilibria;
mod keyed;
pub mod lyapunov;
pub mod modes;
pub(crate) mod sensitivity;
pub mod stability_map;

use std::sync::LazyLock;

use super::declared::declare;
use super::document::{Node, Table};
use super::keys::{KIND, Section};
use super::writer::{Entries, Writer, text};
pub use convergence::Convergence;
pub use equilibria::Static;
pub(crate) use keyed::QuestionContext;
use keyed::{Keyed, keyed};
pub use lyapunov::Lyapunov;
pub use modes::Modes;
pub use polhode_description::describe::Sensitivity;
use polhode_description::describe::kind::KindCard;
pub use polhode_description::describe::kind::MonteCarlo;
use polhode_description::describe::{Question, StudyKind};
pub use stability_map::StabilityMap;

/// The list of all kinds, each as `$entry::<Kind>()`, in the order in which they are listed for
/// people. The first is that of a study that does not say. Files are read by it, and studies run.
#[macro_export]
macro_rules! study_kinds {
    ($entry:ident) => {
        &[
            $entry::<$crate::kinds::MonteCarlo>(),
            $entry::<$crate::kinds::Lyapunov>(),
            $entry::<$crate::kinds::Sensitivity>(),
            $entry::<$crate::kinds::StabilityMap>(),
            $entry::<$crate::kinds::Static>(),
            $entry::<$crate::kinds::Modes>(),
            $entry::<$crate::kinds::Convergence>(),
        ]
    };
}

const KINDS: &[Reader] = study_kinds!(reader);

declare! { MonteCarlo, MonteCarlo::CARD.question;
    @KIND;
}

keyed!(MonteCarlo);

/// One kind: its card, keys, reader and writer.
struct Reader {
    card: &'static KindCard,
    keys: fn() -> &'static Section,
    read: fn(&Table<'_>, &QuestionContext<'_>) -> Option<StudyKind>,
    entries: fn(&dyn Question) -> Option<Entries>,
}

const fn reader<K: Keyed>() -> Reader {
    Reader {
        card: K::CARD,
        keys: K::keys,
        read: |table, context| K::read(table, context).map(StudyKind::from),
        entries: |kind| kind.settings::<K>().map(K::entries),
    }
}

/// The cards of all kinds.
pub fn cards() -> impl Iterator<Item = &'static KindCard> {
    KINDS.iter().map(|kind| kind.card)
}

/// The card of this name; none: no kind has it.
pub fn card(name: &str) -> Option<&'static KindCard> {
    cards().find(|card| card.name == name)
}

/// The tables of all kinds, by name.
pub(super) fn kind_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    KINDS.iter().map(|kind| (kind.card.name, (kind.keys)()))
}

/// Reads the table `[study]`.
pub(super) fn read_kind(node: &Node<'_>, context: &QuestionContext<'_>) -> Option<StudyKind> {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| cards().map(|card| card.name).collect());
    if let Some(sensitivity) = context.sensitivity {
        return sensitivity.map(StudyKind::from);
    }
    if let Some(kind) = node.entry("kind").filter(|_| node.peek("kind") == Some("throughput")) {
        kind.report("speed is measured by a command, and is no kind of study".to_string(), |problem| {
            problem.advise("leave the table [study] out, and run: polhode bench STUDY")
        });
        return None;
    }
    let reader = |name: &str| KINDS.iter().find(|kind| kind.card.name == name).unwrap_or(&KINDS[0]);
    let default = KINDS[0].card.name;
    let table = &node.table_by(("kind", default), &NAMES, |name| (reader(name).keys)())?;
    // An unknown name is reported here.
    let named = table.get("kind").map_or(Some(default), |node| node.one_of(&NAMES))?;
    (reader(named).read)(table, context)
}

/// Writes the table `[study]`.
pub(super) fn write_kind(kind: &dyn Question, out: &mut Writer) {
    out.heading("[study]");
    out.key("kind", text(kind.name()));
    out.all(KINDS.iter().find_map(|reader| (reader.entries)(kind)).expect("every kind is in the list"));
}
