//! Words that everything else speaks in: precision, the end of an instance, cards of methods and
//! treatments with their settings, units. Nothing here knows of mechanisms.

pub mod card;
pub mod digits;
pub mod memory;
pub mod nearest;
pub mod options;
pub mod precision;
pub mod registry;
pub mod regular;
pub mod spread;
pub mod text;
pub mod units;
pub mod verdict;

pub use card::{Card, Circumstances, Key, Kind, MethodRole, Setting, Takes};
pub use digits::{
    bytes, grouped, in_brackets, instances, known_within, number_or_nan, quantity, rounded, shown,
    shown_within, significant, with_error, with_unit,
};
pub use nearest::{distance, meant, nearest};
pub use options::Options;
pub use precision::Precision;
pub use spread::spread;
pub use text::capital;
pub use verdict::{Verdict, VerdictNames};
