//! A kind of study as files have it: its card, its table, its reader and its writer.

use crate::document::Table;
use crate::keys::Section;
use crate::writer::Entries;
use polhode_description::describe::Question;
use polhode_description::describe::kind::KindCard;
use polhode_description::describe::{Constraints, Ensemble, Mechanism, Sensitivity, TimeIntegration};

/// The parts of the study that a question refers to, as far as they could be read.
pub(crate) struct QuestionContext<'a> {
    /// As [`begun`](super::sensitivity::begun) gives it.
    pub sensitivity: Option<Option<Sensitivity>>,
    pub mechanism: Option<&'a Mechanism>,
    pub method: Option<&'a TimeIntegration>,
    pub constraints: Option<&'a Constraints>,
    pub ensemble: Option<&'a Ensemble>,
}

pub(super) trait Keyed: Question + Sized {
    const CARD: &'static KindCard;

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
        impl $crate::kinds::keyed::Keyed for $kind {
            const CARD: &'static polhode_description::describe::kind::KindCard = &$kind::CARD;

            fn keys() -> &'static $crate::keys::Section {
                <$kind as $crate::declared::Declared>::SECTION
            }

            fn read(
                table: &$crate::document::Table<'_>,
                context: &$crate::kinds::keyed::QuestionContext<'_>,
            ) -> Option<$kind> {
                let check: $crate::kinds::keyed::Check<$kind> = $check;
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
