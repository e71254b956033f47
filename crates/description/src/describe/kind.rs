//! The question that a study asks of its ensemble: the table `[study]`. Every kind has a card here,
//! reads and writes its keys in `study_file`, and runs in `study`; this file lists them once.

use serde::Serialize;

use super::convergence::Convergence;
use super::equilibria::Static;
use super::lyapunov::Lyapunov;
use super::modes::{Modes, SteadyMotion};
use super::sensitivity::Sensitivity;
use super::stability_map::StabilityMap;
use super::study::Study;

/// Properties of a kind of study.
#[derive(Debug)]
pub struct KindCard {
    /// As studies name it.
    pub name: &'static str,
    /// The question, in a line.
    pub question: &'static str,
    /// Whether instances are advanced in time, by a method and a step.
    pub steps: bool,
    /// Whether its results are statistics in time.
    pub in_time: bool,
    /// Whether the step may differ between instances: where no figure of many instances stands at
    /// one time.
    pub takes_varied_step: bool,
    /// Whether it follows or counts the operations of a step, beyond running it.
    pub wants_program: bool,
    /// Whether a complete run can be extended by more instances.
    pub grows: bool,
    /// Whether it compares methods or their steps, and so leaves none to be chosen.
    pub own_methods: bool,
    /// Whether its size may follow from a mean, and its cost be measured by a run of few instances.
    pub plain: bool,
    /// Whether an interruption stops all instances at one time.
    pub stops_together: bool,
    /// Whether channels are observed where nothing is advanced.
    pub at_rest: bool,
    /// The word for what is kept of all instances.
    pub keeps: &'static str,
    pub ends: Ends,
    pub rows: InstanceRows,
}

/// The meaning of an instance's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// An instance has bounds to keep, and one that leaves them is lost.
    Bounded,
    /// A failure is an answer, by bounds of the kind's own.
    Asked,
    /// Errors or equilibria take the place of verdicts.
    Unjudged,
}

/// The content of the table with one row an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceRows {
    /// Ends of motions, with which a replay is compared.
    Ends,
    Exponents,
    Equilibria,
    /// There is no such table.
    None,
}

impl KindCard {
    /// The card of a kind that advances its instances once, from which others differ.
    pub const ADVANCED: KindCard = KindCard {
        name: "",
        question: "",
        steps: true,
        in_time: false,
        takes_varied_step: false,
        wants_program: false,
        grows: false,
        own_methods: false,
        plain: false,
        stops_together: false,
        at_rest: false,
        keeps: "statistics",
        ends: Ends::Bounded,
        rows: InstanceRows::Ends,
    };

    /// The card of a kind that advances nothing.
    pub const STEADY: KindCard =
        KindCard { steps: false, ends: Ends::Unjudged, rows: InstanceRows::Equilibria, ..KindCard::ADVANCED };

    /// The card of this name; none: no kind has it.
    pub fn named(name: &str) -> Option<&'static KindCard> {
        CARDS.into_iter().find(|card| card.name == name)
    }
}

/// A kind of study, by what its table sets.
pub trait Question: Clone + Into<StudyKind> {
    const CARD: KindCard;

    /// The question, in a line, where there is more to say than its name.
    fn summary(&self) -> Option<String> {
        None
    }

    /// The rest or rotation about which it asks.
    fn steady(&self) -> Option<&SteadyMotion> {
        None
    }

    /// The design by which it draws.
    fn screening(&self) -> Option<&Sensitivity> {
        None
    }

    /// The studies whose instances it numbers one after the other.
    fn studies(&self, study: &Study) -> Vec<Study> {
        vec![study.clone()]
    }
}

/// Motion of the instances: statistics in time and at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonteCarlo;

impl Question for MonteCarlo {
    const CARD: KindCard = KindCard {
        name: "monte_carlo",
        question: "How the instances move: statistics in time and at the end.",
        in_time: true,
        grows: true,
        plain: true,
        stops_together: true,
        ..KindCard::ADVANCED
    };
}

impl From<MonteCarlo> for StudyKind {
    fn from(_: MonteCarlo) -> StudyKind {
        StudyKind::MonteCarlo
    }
}

/// The kinds besides [`MonteCarlo`], in the order in which they are listed for people. `$`: a
/// dollar, for the macros that it makes.
macro_rules! kinds {
    ($dollar:tt, $($kind:ident),* $(,)?) => {
        /// The question, with what it needs to know besides.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum StudyKind {
            MonteCarlo,
            $($kind($kind),)*
        }

        $(impl From<$kind> for StudyKind {
            fn from(settings: $kind) -> StudyKind {
                StudyKind::$kind(settings)
            }
        })*

        const COUNT: usize = 1 + [$(stringify!($kind)),*].len();

        /// `$does` with what this kind of study sets as `$asked`.
        #[macro_export]
        macro_rules! with_kind {
            ($dollar kind:expr, $dollar asked:ident => $dollar does:expr) => {
                match $dollar kind {
                    $crate::describe::StudyKind::MonteCarlo => {
                        let $dollar asked = &$crate::describe::kind::MonteCarlo;
                        $dollar does
                    }
                    $($crate::describe::StudyKind::$kind($dollar asked) => $dollar does,)*
                }
            };
        }

        /// A generic function of every kind.
        #[macro_export]
        macro_rules! every_kind {
            ($dollar of:ident) => {
                [
                    $dollar of::<$crate::describe::kind::MonteCarlo>(),
                    $($dollar of::<$crate::describe::$kind>(),)*
                ]
            };
        }
    };
}

kinds! { $, Lyapunov, Sensitivity, StabilityMap, Static, Modes, Convergence }

pub use {every_kind, with_kind};

/// The cards of all kinds.
pub const CARDS: [&KindCard; COUNT] = every_kind!(card);

const fn card<Q: Question>() -> &'static KindCard {
    &Q::CARD
}

impl StudyKind {
    pub fn card(&self) -> &'static KindCard {
        fn of<Q: Question>(_: &Q) -> &'static KindCard {
            &Q::CARD
        }
        with_kind!(self, asked => of(asked))
    }

    /// As studies name it.
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    /// As [`Question::summary`].
    pub fn summary(&self) -> Option<String> {
        with_kind!(self, asked => asked.summary())
    }

    /// As [`Question::steady`].
    pub fn steady(&self) -> Option<&SteadyMotion> {
        with_kind!(self, asked => asked.steady())
    }

    /// As [`Question::screening`].
    pub fn screening(&self) -> Option<&Sensitivity> {
        with_kind!(self, asked => asked.screening())
    }

    /// As [`Question::studies`].
    pub fn studies(&self, study: &Study) -> Vec<Study> {
        with_kind!(self, asked => asked.studies(study))
    }
}
