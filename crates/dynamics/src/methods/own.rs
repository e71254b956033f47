//! Methods of the program around polhode: registered before the first study is read.
//!
//! A [`Method`] is generic over the scalar, and a list that is filled at run time knows no
//! generics. So a method is kept as its functions for each scalar with which polhode computes
//! ([`PerScalar`]).

use std::fmt::{Debug, Formatter};
use std::marker::PhantomData;
use std::sync::LazyLock;

use super::{BUILT_IN, Card, Lead, Method, Sample, Shape, State};
use crate::base::Options;
use crate::base::registry::{KeyFault, Registry, check_keys, is_key};
use crate::kinematics::body::Motion;
use crate::model::system::System;
use crate::real::{OverScalars, PerScalar, Real};

/// Why a method cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodRefused {
    /// A study was read before.
    #[error("the method `{name}` comes too late: register methods before the first study is read or made")]
    TooLate { name: &'static str },
    /// There is a method of this name.
    #[error("there is a method `{name}` already: a method needs a name of its own")]
    NameTaken { name: &'static str },
    /// A name cannot be a word of a file.
    #[error(
        "`{found}` of the method `{name}` is no name: give small letters, digits and `_`, a letter first"
    )]
    NoName { name: &'static str, found: &'static str },
    /// Two settings have the same name, or one has that of a key of all methods.
    #[error(
        "the method `{name}` has two keys `{key}`: settings need names of their own, besides those that all \
         methods have"
    )]
    KeyTwice { name: &'static str, key: &'static str },
    /// The order is 0.
    #[error(
        "the method `{name}` has order 0: the order says how the step follows from an accuracy, and is 1 at \
         least"
    )]
    NoOrder { name: &'static str },
}

/// [`Method::begin`] with the settings of the method.
type Begin<R> = fn(&Options, &System<R>, &[Motion<R>]) -> Vec<R>;

/// The functions of a method over one scalar.
struct Steps<R> {
    begin: Begin<R>,
    resynchronised: fn(&Options, &System<R>, &State<R>) -> Vec<R>,
    step: fn(&Options, &System<R>, &State<R>) -> State<R>,
}

struct StepsOf<M>(PhantomData<M>);

impl<M: Method> OverScalars for StepsOf<M> {
    type Over<R: Real> = Steps<R>;

    fn over<R: Real>() -> Steps<R> {
        Steps {
            begin: |options, system, motions| M::new(options).begin(system, motions),
            resynchronised: |options, system, state| M::new(options).resynchronised(system, state),
            step: |options, system, state| M::new(options).step(system, state),
        }
    }
}

/// A method with its functions for each scalar.
struct Registered {
    card: &'static Card,
    samples: fn(&Options) -> Vec<Sample>,
    order: fn(&Options) -> u32,
    carried: fn(&Options, &Shape) -> Vec<String>,
    lead: fn(&Options) -> Option<Lead>,
    steps: PerScalar,
}

static OWN: Registry<Registered> = Registry::new();

/// The card of a method, for good.
struct CardOf<M>(M);

impl<M: Method> CardOf<M> {
    const CARD: &'static Card = &M::CARD;
}

/// Keys of `[method]` that all methods have.
pub const COMMON_KEYS: [&str; 6] = ["name", "accuracy", "step", "duration", "steps", "resynchronise"];

/// Adds a method. It can be named by studies from then on, runs on every backend, and is a
/// candidate where a study leaves the choice to polhode.
///
/// # Errors
/// Its card cannot be, or the registry has been read already.
pub fn register<M: Method + 'static>() -> Result<&'static Card, MethodRefused> {
    let card = CardOf::<M>::CARD;
    let too_late = MethodRefused::TooLate { name: card.name };
    OWN.add(registered::<M>(), too_late, |others| check(card, others))?;
    Ok(card)
}

fn registered<M: Method>() -> Registered {
    Registered {
        card: CardOf::<M>::CARD,
        samples: |options| M::new(options).samples(),
        order: |options| M::new(options).order(),
        carried: |options, shape| M::new(options).carried(shape),
        lead: |options| M::new(options).lead(),
        steps: PerScalar::of::<StepsOf<M>>(),
    }
}

/// Compares a card with those that are there.
fn check(card: &'static Card, others: &[Registered]) -> Result<(), MethodRefused> {
    let name = card.name;
    let mut known = BUILT_IN.iter().copied().chain(others.iter().map(|method| method.card));
    if known.any(|other| other.name == name) {
        return Err(MethodRefused::NameTaken { name });
    }
    if !is_key(name) {
        return Err(MethodRefused::NoName { name, found: name });
    }
    check_keys(&COMMON_KEYS, card.keys.iter().map(|key| key.name)).map_err(|fault| match fault {
        KeyFault::NoKey(found) => MethodRefused::NoName { name, found },
        KeyFault::Twice(key) => MethodRefused::KeyTwice { name, key },
    })?;
    if card.order == 0 {
        return Err(MethodRefused::NoOrder { name });
    }
    Ok(())
}

/// [`cards`](super::cards).
pub(super) fn all_cards() -> &'static [&'static Card] {
    static ALL: LazyLock<Vec<&'static Card>> = LazyLock::new(|| {
        BUILT_IN.iter().copied().chain(OWN.settled().iter().map(|method| method.card)).collect()
    });
    &ALL
}

/// The registered method of this name with these settings; `None`: there is none.
pub(super) fn method(name: &str, options: &Options) -> Option<Own> {
    let registered = OWN.settled().iter().find(|method| method.card.name == name)?;
    Some(Own { registered, options: options.clone() })
}

/// A registered method with its settings.
#[derive(Clone)]
pub struct Own {
    registered: &'static Registered,
    options: Options,
}

impl Debug for Own {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.registered.card.name, self.options)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.registered.card.name == other.registered.card.name && self.options == other.options
    }
}

impl Own {
    /// As [`Method::CARD`].
    pub fn card(&self) -> &'static Card {
        self.registered.card
    }

    /// As [`Method::samples`].
    pub fn samples(&self) -> Vec<Sample> {
        (self.registered.samples)(&self.options)
    }

    /// As [`Method::order`].
    pub fn order(&self) -> u32 {
        (self.registered.order)(&self.options)
    }

    /// As [`Method::carried`].
    pub fn carried(&self, shape: &Shape) -> Vec<String> {
        (self.registered.carried)(&self.options, shape)
    }

    /// As [`Method::lead`].
    pub fn lead(&self) -> Option<Lead> {
        (self.registered.lead)(&self.options)
    }

    fn steps<R: Real>(&self) -> &Steps<R> {
        self.registered.steps.get()
    }

    /// As [`Method::begin`].
    pub fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        (self.steps().begin)(&self.options, system, motions)
    }

    /// As [`Method::resynchronised`].
    pub fn resynchronised<R: Real>(&self, system: &System<R>, state: &State<R>) -> Vec<R> {
        (self.steps().resynchronised)(&self.options, system, state)
    }

    /// As [`Method::step`].
    pub fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        (self.steps().step)(&self.options, system, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Key, Kind, Takes};

    const SOUND: Card = Card {
        name: "euler",
        title: "",
        source: "",
        order: 1,
        limit: None,
        conserves: "",
        takes: Takes::OneBody,
        resynchronises: false,
        roles: &[],
        keys: &[],
        text: "",
    };

    fn refused(card: &'static Card) -> Option<String> {
        check(card, &[]).err().map(|refused| refused.to_string())
    }

    #[test]
    fn cards_that_cannot_be_are_refused_by_name() {
        const FLAG: Key = Key { name: "step", kind: Kind::Flag, unit: "", meaning: "" };
        static CARDS: [Card; 6] = [
            SOUND,
            Card { name: "rk4", ..SOUND },
            Card { name: "bdf", ..SOUND },
            Card { name: "my method", ..SOUND },
            Card { order: 0, ..SOUND },
            Card { keys: &[FLAG], ..SOUND },
        ];
        let found: Vec<Option<String>> = CARDS.iter().map(refused).collect();
        let taken = |name: &str| {
            Some(format!("there is a method `{name}` already: a method needs a name of its own"))
        };
        assert_eq!(found[..3], [None, taken("rk4"), taken("bdf")]);
        assert!(found[3].as_ref().unwrap().contains("is no name"));
        assert!(found[4].as_ref().unwrap().contains("has order 0"));
        assert!(found[5].as_ref().unwrap().contains("two keys `step`"));
    }
}
