//! Tables whose keys are declared once: [`declare!`] makes the keys, the reader and the writer of a
//! struct. The type of a field and the form of its key say how a value is read and written.

use toml::Value;

use super::document::{Node, Table};
use super::keys::{Form, MAX_SEED, Presence, Section};
use super::writer::{Entries, count, text};

/// A struct with a table of files.
pub(super) trait Declared: Sized {
    const SECTION: &'static Section;

    /// All keys are read before a fault ends it.
    fn read(table: &Table<'_>) -> Option<Self>;

    fn entries(&self) -> Entries;
}

/// A type of which files have values.
pub(super) trait FileValue: Sized {
    /// Reads a value of this form.
    fn read(node: &Node<'_>, form: &'static Form) -> Option<Self>;

    /// `None`: the key is left out.
    fn write(&self) -> Option<Value>;

    /// Reads the value of a key; `None` too where it is absent.
    fn of_key(table: &Table<'_>, key: &str) -> Option<Self> {
        Self::read(&table.get(key)?, table.form(key))
    }

    /// Reads a list of values of this form, all of them before a fault ends it.
    fn read_list(node: &Node<'_>, form: &'static Form) -> Option<Vec<Self>> {
        each(node, |entry| Self::read(entry, form))
    }
}

impl Table<'_> {
    /// The value of a key, in the form that its section says; a fault is reported.
    pub(super) fn read<T: FileValue>(&self, name: &str) -> Option<T> {
        T::of_key(self, name)
    }
}

/// The entries of a list, all of which are read before a fault ends it.
pub(super) fn each<T>(node: &Node<'_>, read: impl FnMut(&Node<'_>) -> Option<T>) -> Option<Vec<T>> {
    let read: Vec<Option<T>> = node.list()?.iter().map(read).collect();
    read.into_iter().collect()
}

/// A type whose values have names in files.
pub(super) trait Named: Copy + PartialEq + 'static {
    const ALL: &'static [(&'static str, Self)];
    const NAMES: &'static [&'static str];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

/// The names of values.
pub(super) const fn names<T, const N: usize>(of: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut k = 0;
    while k < N {
        names[k] = of[k].0;
        k += 1;
    }
    names
}

/// Names the values of types: `named! { Type { Variant = "name", .. } .. }`, or by a list of pairs.
macro_rules! named {
    ($($type:ident { $($variant:ident = $name:literal),* $(,)? })*) => {
        $(named!($type, [$(($name, $type::$variant)),*]);)*
    };
    ($type:ty, $pairs:expr) => {
        impl $crate::declared::Named for $type {
            const ALL: &'static [(&'static str, $type)] = &$pairs;
            const NAMES: &'static [&'static str] = &$crate::declared::names(&$pairs);
        }

        impl $crate::declared::FileValue for $type {
            fn read(
                node: &$crate::document::Node<'_>,
                _: &'static $crate::keys::Form,
            ) -> Option<$type> {
                node.choice($crate::declared::Named::ALL)
            }

            fn write(&self) -> Option<toml::Value> {
                Some($crate::declared::Named::name(*self).into())
            }

            fn read_list(
                node: &$crate::document::Node<'_>,
                _: &'static $crate::keys::Form,
            ) -> Option<Vec<$type>> {
                node.some_of($crate::declared::Named::ALL)
            }
        }
    };
}

/// A table of keys: `section! { static NAME = "meaning"; key: form, presence, "meaning"; .. }`.
/// `@KEY;` is a key that several tables have.
macro_rules! section {
    ($vis:vis static $name:ident = $doc:expr; $($rows:tt)*) => {
        $vis static $name: $crate::keys::Section =
            $crate::declared::section!($doc; $($rows)*);
    };
    ($doc:expr; $(
        $(@$given:ident)? $($key:ident $(as $name:literal)?: $form:expr, $presence:expr, $meaning:expr)?;
    )*) => {{
        #[allow(unused_imports, reason = "a table may have keys of others alone")]
        use $crate::keys::{FileKey, Form, Form::*, Presence, Presence::*, Section};
        Section {
            doc: $doc,
            keys: &[$($($given,)? $(FileKey {
                name: $crate::declared::name_of!($key $($name)?),
                form: $form,
                presence: $presence,
                doc: $meaning,
            },)?)*],
        }
    }};
}

/// The name of a key: that of the field, or another.
macro_rules! name_of {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

/// Declares the table of a struct: `declare! { Struct, "meaning" [, part: field] [, check:
/// function]; field: form, presence, "meaning"; .. }`, with rows as in [`section!`]. A key of
/// another name than its field is `field as "key"`. The keys of the field `part` are among the rows
/// of `@`.
macro_rules! declare {
    ($type:ident, $doc:expr $(, part: $part:ident)? $(, check: $check:expr)?; $(
        $(@$given:ident)? $($field:ident $(as $name:literal)?: $form:expr, $presence:expr, $meaning:expr)?;
    )*) => {
        impl $crate::declared::Declared for $type {
            const SECTION: &'static $crate::keys::Section = {
                static SECTION: $crate::keys::Section = $crate::declared::section!(
                    $doc; $($(@$given)? $($field $(as $name)?: $form, $presence, $meaning)?;)*
                );
                &SECTION
            };

            #[allow(unused_variables, reason = "a table may have no keys")]
            fn read(table: &$crate::document::Table<'_>) -> Option<$type> {
                $(let $part = $crate::declared::Declared::read(table);)?
                $($(let $field = table.read($crate::declared::name_of!($field $($name)?));)?)*
                let read = $type { $($part: $part?,)? $($($field: $field?,)?)* };
                $($check(&read, table)?;)?
                Some(read)
            }

            fn entries(&self) -> $crate::writer::Entries {
                #[allow(unused_mut, reason = "a table may have no keys")]
                let mut entries = $crate::writer::Entries::new();
                $(entries.extend(self.$part.entries());)?
                $($($crate::declared::put(
                    &mut entries,
                    Self::SECTION,
                    $crate::declared::name_of!($field $($name)?),
                    &self.$field,
                );)?)*
                entries
            }
        }

        impl $crate::declared::FileValue for $type {
            fn read(
                node: &$crate::document::Node<'_>,
                _: &'static $crate::keys::Form,
            ) -> Option<$type> {
                use $crate::declared::Declared;
                Declared::read(&node.table($type::SECTION)?)
            }

            fn write(&self) -> Option<toml::Value> {
                Some($crate::writer::table($crate::declared::Declared::entries(self)))
            }
        }
    };
}

pub(super) use {declare, name_of, named, section};

/// Adds a value; an empty list is left out where its key may be absent.
pub(super) fn put(entries: &mut Entries, of: &Section, key: &'static str, value: &impl FileValue) {
    let may_be_absent = of.key(key).is_some_and(|key| matches!(key.presence, Presence::Optional));
    let is_nothing = |value: &Value| may_be_absent && value.as_array().is_some_and(Vec::is_empty);
    entries.extend(value.write().filter(|value| !is_nothing(value)).map(|value| (key, value)));
}

impl FileValue for f64 {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<f64> {
        match *form {
            Form::Bounded { min, max } => node.bounded(min, max),
            Form::Quantity(dimension) => node.quantity(dimension),
            Form::Positive(dimension) => node.positive(dimension),
            Form::NotNegative(dimension) => node.not_negative(dimension),
            _ => node.number(),
        }
    }

    fn write(&self) -> Option<Value> {
        Some((*self).into())
    }

    fn read_list(node: &Node<'_>, form: &'static Form) -> Option<Vec<f64>> {
        match *form {
            Form::Quantity(dimension) => node.quantities(dimension),
            _ => each(node, |entry| f64::read(entry, form)),
        }
    }
}

impl FileValue for u64 {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<u64> {
        match *form {
            Form::Count { min, max } => node.count(min, max),
            _ => node.count(0, MAX_SEED),
        }
    }

    fn write(&self) -> Option<Value> {
        Some(count(*self))
    }
}

impl FileValue for usize {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<usize> {
        u64::read(node, form).map(|count| count as usize)
    }

    fn write(&self) -> Option<Value> {
        Some(count(*self as u64))
    }
}

impl FileValue for bool {
    fn read(node: &Node<'_>, _: &'static Form) -> Option<bool> {
        node.flag()
    }

    fn write(&self) -> Option<Value> {
        Some((*self).into())
    }
}

impl FileValue for String {
    fn read(node: &Node<'_>, _: &'static Form) -> Option<String> {
        node.text().map(str::to_string)
    }

    fn write(&self) -> Option<Value> {
        Some(text(self))
    }
}

/// One of the names of a form.
impl FileValue for &'static str {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<&'static str> {
        match form {
            Form::Choice(names) => node.one_of(names),
            Form::Names(names) => node.one_of(names()),
            _ => node.one_of(&[]),
        }
    }

    fn write(&self) -> Option<Value> {
        Some(text(self))
    }
}

impl FileValue for [f64; 3] {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<[f64; 3]> {
        match *form {
            Form::Vector(dimension) => node.vector3(dimension),
            _ => node.numbers()?.try_into().ok(),
        }
    }

    fn write(&self) -> Option<Value> {
        Some(self.to_vec().into())
    }
}

/// An empty list stands for a key that is absent and may be so.
impl<T: FileValue> FileValue for Vec<T> {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<Vec<T>> {
        match form {
            Form::List(entry) => T::read_list(node, entry),
            _ => T::read_list(node, &Form::Number),
        }
    }

    fn write(&self) -> Option<Value> {
        Some(Value::Array(self.iter().filter_map(T::write).collect()))
    }

    fn of_key(table: &Table<'_>, key: &str) -> Option<Vec<T>> {
        match (table.get(key), table.presence(key)) {
            (Some(node), _) => Vec::read(&node, table.form(key)),
            (None, Presence::Optional) => Some(Vec::new()),
            (None, _) => None,
        }
    }
}

impl<T: FileValue> FileValue for Option<T> {
    fn read(node: &Node<'_>, form: &'static Form) -> Option<Option<T>> {
        T::read(node, form).map(Some)
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().and_then(T::write)
    }

    fn of_key(table: &Table<'_>, key: &str) -> Option<Option<T>> {
        table.get(key).map_or(Some(None), |node| Option::read(&node, table.form(key)))
    }
}
