//! Every key of the study and mechanism files: name, form, default and meaning, in one table each.
//!
//! The reader opens a table of a file only through its `Section` here: keys outside it are refused,
//! defaults are taken from it. The JSON Schema is printed from the same sections, so that the two
//! cannot drift apart.

mod attachment;
mod flexible;
mod function;
mod mechanism;
mod method;
mod study;

use polhode_description::base::units::Dimension;

pub use attachment::*;
pub use flexible::*;
pub use function::*;
pub use mechanism::*;
pub use method::*;
pub use study::*;

/// A TOML table with a fixed set of keys.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub doc: &'static str,
    pub keys: &'static [FileKey],
}

#[derive(Clone, Copy, Debug)]
pub struct FileKey {
    pub name: &'static str,
    pub form: Form,
    pub presence: Presence,
    pub doc: &'static str,
}

/// The effect of an absent key.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    Required,
    /// Nothing, or what `doc` says.
    Optional,
    /// This TOML value is read instead.
    Default(&'static str),
}

/// The shape of a key's value.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Text,
    Flag,
    Choice(&'static [&'static str]),
    /// A text that starts with one of these choices or is one of them; the pattern is for the
    /// schema.
    Pattern(&'static str),
    Count {
        min: u64,
        max: u64,
    },
    /// A pure number.
    Number,
    /// A pure number within these ends, both included.
    Bounded {
        min: f64,
        max: f64,
    },
    /// A number in SI, or a text with a unit.
    Quantity(Dimension),
    /// A quantity above zero; of a plain number the schema shows a number.
    Positive(Dimension),
    /// A quantity that is not below zero.
    NotNegative(Dimension),
    /// Only a text with a unit.
    QuantityText(Dimension),
    /// Three quantities.
    Vector(Dimension),
    /// Two quantities.
    Pair(Dimension),
    /// Three rows of three.
    Matrix(Dimension),
    /// A number in SI, or a text with a unit, of a dimension that depends on where it stands, or of
    /// any.
    AnyQuantity,
    /// One or several quantities, of the dimension that the varied quantity has.
    Varied,
    /// As many pure numbers as given here; `None`: any count.
    Numbers(Option<usize>),
    /// A list of lists of pure numbers.
    NumberRows,
    List(&'static Form),
    Table(&'static Section),
    /// The table of a mechanism: see [`mechanism_section`].
    Mechanism,
    /// The table of an integration method: see [`method_section`].
    Method,
    /// The table of an integration method without step and duration: see
    /// [`compared_method_section`].
    ComparedMethod,
    /// The table of a treatment of joints: see [`treatment_section`].
    Constraints,
    /// The table `[study]`, whose keys follow from the kind of study.
    Kind,
    /// A distribution: its word, or the table of [`distribution_section`].
    Distribution,
    /// Names of channels: see [`channels_by_owner`].
    Channels,
    /// One of the names of a registry.
    Names(fn() -> &'static [&'static str]),
    /// Any key, each with a value of this form.
    Map(&'static Form),
    Either(&'static [&'static Form]),
}

impl Section {
    pub fn key(&self, name: &str) -> Option<&FileKey> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The key whose table, or list of tables, has a key of this name.
    pub fn holder(&self, name: &str) -> Option<&'static str> {
        self.keys.iter().find(|key| key.form.has_key(name)).map(|key| key.name)
    }
}

impl Form {
    /// Whether it is a table, or a list of tables, with a key of this name.
    fn has_key(&self, name: &str) -> bool {
        match self {
            Form::Table(section) => section.key(name).is_some(),
            Form::List(form) => form.has_key(name),
            Form::Either(forms) => forms.iter().any(|form| form.has_key(name)),
            _ => false,
        }
    }
}

pub const fn key(name: &'static str, form: Form, presence: Presence, doc: &'static str) -> FileKey {
    FileKey { name, form, presence, doc }
}

/// Largest ensemble.
pub const MAX_SIZE: u64 = 1_000_000_000;
/// Largest number of full steps.
pub const MAX_STEPS: u64 = u32::MAX as u64;
/// Largest integer that every TOML reader takes.
pub const MAX_SEED: u64 = i64::MAX as u64;
