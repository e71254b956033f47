//! The numbers of a force: a struct whose fields are the keys of its card.

use crate::describe::force::NumberKey;
use crate::real::Real;

/// One number or three: a field of the struct of a force's numbers.
pub trait Field<R>: Copy {
    const COUNT: usize;

    /// From the next values.
    fn take(values: &mut impl Iterator<Item = R>) -> Self;

    /// On to the values.
    fn put(self, values: &mut Vec<R>);
}

/// Fewer values than the card has.
const TOO_FEW: &str = "an instance has all numbers of its forces";

impl<R: Real> Field<R> for R {
    const COUNT: usize = 1;

    fn take(values: &mut impl Iterator<Item = R>) -> R {
        values.next().expect(TOO_FEW)
    }

    fn put(self, values: &mut Vec<R>) {
        values.push(self);
    }
}

impl<R: Real> Field<R> for [R; 3] {
    const COUNT: usize = 3;

    fn take(values: &mut impl Iterator<Item = R>) -> [R; 3] {
        [(); 3].map(|()| values.next().expect(TOO_FEW))
    }

    fn put(self, values: &mut Vec<R>) {
        values.extend(self);
    }
}

/// The numbers of a force over the scalar `R`, as [`force_numbers!`](crate::force_numbers) makes
/// them.
pub trait Numbers<R>: Sized {
    /// From the numbers of an instance, in the order of the card.
    fn from_values(values: &[R]) -> Self;
}

/// A key with its name and count.
#[doc(hidden)]
pub const fn named(name: &'static str, count: usize, doc: &'static str, key: NumberKey) -> NumberKey {
    NumberKey { name, count, doc, ..key }
}

/// The struct of a force's numbers and the keys of its card (`KEYS`), from one list of
/// `field: type = key, "meaning";`.
///
/// A field is an `R`, or `[R; 3]` for one number along each axis. Of the struct over f64, `force`
/// makes a force of a mechanism with these numbers.
#[macro_export]
macro_rules! force_numbers {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $key:expr, $doc:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<R> {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl<R: $crate::real::Real> $name<R> {
            /// The keys of its numbers.
            pub const KEYS: &'static [$crate::describe::force::NumberKey] = &[$($crate::elements::named(
                stringify!($field),
                <$type as $crate::elements::Field<R>>::COUNT,
                $doc,
                $key,
            )),*];
        }

        impl<R: $crate::real::Real> $crate::elements::Numbers<R> for $name<R> {
            fn from_values(values: &[R]) -> Self {
                let mut values = values.iter().copied();
                $name { $($field: $crate::elements::Field::take(&mut values)),* }
            }
        }

        impl $name<f64> {
            /// A force of a mechanism with these numbers.
            pub fn force(
                self,
                name: impl Into<String>,
                attached: $crate::describe::Attached,
            ) -> $crate::describe::Force {
                let mut values = Vec::new();
                $($crate::elements::Field::<f64>::put(self.$field, &mut values);)*
                let card = <$name<f64> as $crate::elements::ForceKind<f64>>::CARD;
                $crate::describe::Force::new(card, name, attached, values)
            }
        }
    };
}
