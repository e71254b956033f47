//! Forces of the program around polhode: kinds that are registered before the first study is read.
//!
//! Physics is generic over [`Real`], and a list that is filled at run time knows no generics. So a
//! kind is kept as one function for each scalar with which polhode computes ([`PerScalar`]).

use std::marker::PhantomData;
use std::sync::LazyLock;

use super::{BUILT_IN, ForceKind, ForceLaw, Mounting, Numbers};
use crate::base::registry::{KeyFault, Registry, check_keys, is_key};
use crate::describe::ForceCard;
use crate::real::{OverScalars, PerScalar, Real};

/// A kind of force of your own, by the structs of its numbers over all scalars.
///
/// ```ignore
/// struct MagnetKind;
/// impl OwnForce for MagnetKind {
///     type Over<R: Real> = Magnet<R>;
/// }
/// ```
pub trait OwnForce: 'static {
    /// The struct of its numbers over `R`.
    type Over<R: Real>: ForceKind<R> + 'static;
}

/// Why a kind of force cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceRefused {
    /// A study or mechanism was read before.
    #[error(
        "the force `{table}` comes too late: register forces before the first study or mechanism is read or \
         made"
    )]
    TooLate { table: &'static str },
    /// Mechanism files have a table of this name.
    #[error("there is a table `{table}` already: a kind of force needs a name of its own")]
    TableTaken { table: &'static str },
    /// A name cannot be a key of a file.
    #[error("`{name}` of the force `{table}` is no key: give small letters, digits and `_`, a letter first")]
    NoKey { table: &'static str, name: &'static str },
    /// Two keys of the table are the same.
    #[error(
        "the force `{table}` has two keys `{key}`: its numbers, its functions and where it is attached need \
         different ones"
    )]
    KeyTwice { table: &'static str, key: &'static str },
}

/// The law of a force over one scalar.
type Make<R> = fn(&[R], Mounting<'_, R>) -> Box<dyn ForceLaw<R>>;

/// A kind with its function for each scalar.
struct Registered {
    card: &'static ForceCard,
    makes: PerScalar,
}

static OWN: Registry<Registered> = Registry::new();

fn make<R: Real, K: OwnForce>(values: &[R], mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
    K::Over::<R>::from_values(values).law(mounting)
}

struct Makes<K>(PhantomData<K>);

impl<K: OwnForce> OverScalars for Makes<K> {
    type Over<R: Real> = Make<R>;

    fn over<R: Real>() -> Make<R> {
        make::<R, K>
    }
}

/// The card of a kind.
pub fn card<K: OwnForce>() -> &'static ForceCard {
    <K::Over<f64> as ForceKind<f64>>::CARD
}

/// Adds a kind of force. `taken`: tables that mechanism files have besides forces; `attachment`:
/// the keys of what it joins.
///
/// # Errors
/// Its card cannot be, or the registry has been read already.
pub fn register<K: OwnForce>(taken: &[&str], attachment: &[&'static str]) -> Result<(), ForceRefused> {
    let registered = Registered { card: card::<K>(), makes: PerScalar::of::<Makes<K>>() };
    OWN.add(registered, ForceRefused::TooLate { table: card::<K>().table }, |others| {
        check(card::<K>(), others, taken, attachment)
    })
}

/// Compares a card with those that are there.
fn check(
    card: &ForceCard,
    others: &[Registered],
    taken: &[&str],
    attachment: &[&'static str],
) -> Result<(), ForceRefused> {
    let table = card.table;
    let known = || BUILT_IN.iter().copied().chain(others.iter().map(|kind| kind.card));
    if taken.contains(&table) || known().any(|other| other == card) {
        return Err(ForceRefused::TableTaken { table });
    }
    if !is_key(table) {
        return Err(ForceRefused::NoKey { table, name: table });
    }
    let keys = card.numbers.iter().map(|key| key.name).chain(card.functions.iter().map(|key| key.name));
    check_keys(attachment, keys).map_err(|fault| match fault {
        KeyFault::NoKey(name) => ForceRefused::NoKey { table, name },
        KeyFault::Twice(key) => ForceRefused::KeyTwice { table, key },
    })
}

/// [`cards`](super::cards).
pub(super) fn all_cards() -> &'static [&'static ForceCard] {
    static ALL: LazyLock<Vec<&'static ForceCard>> = LazyLock::new(|| {
        BUILT_IN.iter().copied().chain(OWN.settled().iter().map(|kind| kind.card)).collect()
    });
    &ALL
}

/// [`law`](super::law()) of a force that is none of polhode's own.
///
/// # Panics
/// There is no such kind, or `R` is no scalar with which polhode computes.
pub(super) fn law<R: Real>(values: &[R], mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
    let card = mounting.force.card;
    let Some(kind) = OWN.settled().iter().find(|kind| kind.card == card) else {
        panic!("there is no force of the kind {}", card.table)
    };
    kind.makes.get::<Make<R>>()(values, mounting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Range;
    use crate::describe::force::{FunctionKey, Joins, Measure, NumberKey};

    const NUMBER: NumberKey = NumberKey { name: "strength", ..NumberKey::new(Measure::Load, Range::Any) };

    fn refused(card: &'static ForceCard) -> Option<String> {
        let others = [Registered { card: &MAGNET, makes: PerScalar::default() }];
        check(card, &others, &["joint"], &["name", "body"]).err().map(|refused| refused.to_string())
    }

    static MAGNET: ForceCard = ForceCard::new("magnet", "magnet", Joins::Body);

    #[test]
    fn cards_that_cannot_be_are_refused_by_name() {
        static SOUND: ForceCard =
            ForceCard { numbers: &[NUMBER], ..ForceCard::new("wind", "wind", Joins::Body) };
        assert_eq!(refused(&SOUND), None);
        for table in ["spring", "magnet", "joint"] {
            let card: &'static ForceCard = Box::leak(Box::new(ForceCard::new(table, "x", Joins::Body)));
            let wanted =
                format!("there is a table `{table}` already: a kind of force needs a name of its own");
            assert_eq!(refused(card), Some(wanted));
        }
        static UPPER: ForceCard = ForceCard::new("Wind", "wind", Joins::Body);
        assert_eq!(
            refused(&UPPER).unwrap(),
            "`Wind` of the force `Wind` is no key: give small letters, digits and `_`, a letter first"
        );
        static NAMELESS: ForceCard = ForceCard {
            numbers: &[NumberKey { name: "", ..NUMBER }],
            ..ForceCard::new("wind", "wind", Joins::Body)
        };
        assert!(refused(&NAMELESS).unwrap().starts_with("`` of the force `wind` is no key"));
        static TWICE: ForceCard = ForceCard {
            numbers: &[NUMBER],
            functions: &[FunctionKey { name: "strength", measure: Measure::Load, doc: "" }],
            ..ForceCard::new("wind", "wind", Joins::Body)
        };
        assert!(refused(&TWICE).unwrap().starts_with("the force `wind` has two keys `strength`"));
        static BODY: ForceCard = ForceCard {
            numbers: &[NumberKey { name: "body", ..NUMBER }],
            ..ForceCard::new("wind", "wind", Joins::Body)
        };
        assert!(refused(&BODY).unwrap().starts_with("the force `wind` has two keys `body`"));
    }
}
