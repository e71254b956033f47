//! The cards of kinds of studies: what each says of itself.

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
    /// It follows tangents, which see no jump of a force.
    pub follows_tangents: bool,
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
        follows_tangents: false,
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
}

/// Motion of the instances: statistics in time and at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonteCarlo;

impl MonteCarlo {
    pub const CARD: KindCard = KindCard {
        name: "monte_carlo",
        question: "How the instances move: statistics in time and at the end.",
        in_time: true,
        grows: true,
        plain: true,
        stops_together: true,
        ..KindCard::ADVANCED
    };
}
