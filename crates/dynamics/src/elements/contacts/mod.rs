//! Contacts with the ground, one file each: the card of a kind, its named values and its constraint
//! rows.
//!
//! Rows are written once, over [`Real`]. Keys of files, JSON Schema, reader, writer and drawings
//! come from the card. To add a kind: write its file, add its two lines here, and add the line of
//! its twin to `crates/reference/src/contact.rs` for it to be judged by
//! (`docs/adding-an-element.md`).

pub mod curve;
pub mod knife_edge;
pub mod rolling;

use crate::describe::contact::{ContactKey, ContactValue};
use crate::describe::{Contact, ContactCard, Expression};
use crate::kinematics::row::Row;
use crate::kinematics::side::Placed;
use crate::real::Real;

/// A contact, as its values make it.
pub trait Touches<R: Real> {
    /// Its constraint rows with its point there; directions fixed in the body are the axes of the
    /// point's frame, in the order of the card. Functions call `constants` by position.
    fn rows(&self, point: &Placed<'_, R>, constants: &[R]) -> Vec<Row<R>>;
}

/// A value of a contact as a field of a struct.
pub trait ValueOf: Sized {
    /// `None`: the value is of another shape.
    fn of(value: &ContactValue) -> Option<Self>;

    fn value(self) -> ContactValue;
}

macro_rules! value_of {
    ($($type:ty: $shape:ident,)*) => {
        $(impl ValueOf for $type {
            fn of(value: &ContactValue) -> Option<Self> {
                match value {
                    ContactValue::$shape(value) => Some(value.clone()),
                    _ => None,
                }
            }

            fn value(self) -> ContactValue {
                ContactValue::$shape(self)
            }
        })*
    };
}

value_of! {
    f64: Number,
    [f64; 3]: Vector,
    [[f64; 3]; 3]: Frame,
    Expression: Function,
}

/// The key with its name and meaning.
const fn named(name: &'static str, doc: &'static str, key: ContactKey) -> ContactKey {
    ContactKey { name, doc, ..key }
}

/// The struct of a contact's values and the keys of its card from one list:
/// `field: type = key, "meaning";`.
macro_rules! values {
    ($(#[$meta:meta])* $values:ident of $card:ident {
        $($field:ident: $type:ty = $key:expr, $doc:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $values {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl $values {
            /// The keys of its values.
            pub const KEYS: &'static [$crate::describe::contact::ContactKey] =
                &[$($crate::elements::contacts::named(stringify!($field), $doc, $key)),*];

            /// The values of a contact of this kind.
            ///
            /// # Panics
            /// The contact has other values than its card says.
            pub fn of(contact: &$crate::describe::Contact) -> $values {
                let mut values = contact.values.iter();
                $values {
                    $($field: values
                        .next()
                        .and_then($crate::elements::contacts::ValueOf::of)
                        .expect("a contact has the values of its card"),)*
                }
            }

            /// A contact of a mechanism with these values.
            pub fn contact(
                self,
                name: impl Into<String>,
                point: $crate::describe::Point,
            ) -> $crate::describe::Contact {
                let values = vec![$($crate::elements::contacts::ValueOf::value(self.$field)),*];
                $crate::describe::Contact { name: name.into(), kind: &$card, point, values }
            }
        }
    };
}
pub(crate) use values;

macro_rules! registry {
    ($($file:ident::$card:ident($values:ident)),* $(,)?) => {
        /// The cards of all contacts, in the order in which they are listed.
        pub static CARDS: &[&ContactCard] = &[$(&$file::$card),*];

        /// This contact in an instance.
        ///
        /// # Panics
        /// There is no such kind, or the contact has other values than its card says.
        pub fn touching<R: Real>(contact: &Contact) -> Box<dyn Touches<R>> {
            $(if *contact.kind == $file::$card {
                return Box::new($file::$values::of(contact));
            })*
            panic!("there is no contact of the kind {}", contact.kind.name)
        }
    };
}

registry! {
    rolling::ROLLING(Rolling),
    knife_edge::KNIFE_EDGE(KnifeEdge),
    curve::CURVE(OnCurve),
}

#[cfg(test)]
mod tests {
    use super::CARDS;

    /// Cards are compared by their names.
    #[test]
    fn no_two_contacts_have_the_same_name() {
        for (k, card) in CARDS.iter().enumerate() {
            assert!(!CARDS[..k].contains(card), "{card:?}");
        }
    }
}
