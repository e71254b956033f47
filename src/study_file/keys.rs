//! Every key of the study and mechanism files: name, form, default and meaning, in one table each.
//!
//! The reader opens a table of a file only through its `Section` here: keys outside it are refused, defaults are taken
//! from it. The JSON Schema is printed from the same sections, so that the two cannot drift apart.

use std::sync::LazyLock;

use super::elements::{contact, force, generator, lock};
use super::{read_beam, read_joint};
use crate::base::units::Dimension;
use crate::base::{Card, Kind};
use crate::describe::{Owner, kind};
use crate::ensemble::sampling::distributions::{self, DistributionCard, Parameter, ParameterForm};
use crate::methods;
use crate::observe::channels;
use crate::treatments;

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

/// What happens when a key is absent.
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
    /// A text that starts with one of these choices or is one of them; the pattern is for the schema.
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
    /// Only a text with a unit.
    QuantityText(Dimension),
    /// Three quantities.
    Vector(Dimension),
    /// Two quantities.
    Pair(Dimension),
    /// Three rows of three.
    Matrix(Dimension),
    /// A number in SI, or a text with a unit, of a dimension that depends on where it stands, or of any.
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
    /// The same without step and duration: see [`compared_method_section`].
    ComparedMethod,
    /// The table of a treatment of joints: see [`treatment_section`].
    Constraints,
    /// The table of what a study asks: see [`kind_section`].
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
}

use Dimension::{Acceleration, Angle, AngularSpeed, Inertia, Length, Mass, Speed, Time};
use Presence::{Default, Optional, Required};

pub const fn key(name: &'static str, form: Form, presence: Presence, doc: &'static str) -> FileKey {
    FileKey { name, form, presence, doc }
}

/// Largest ensemble.
pub const MAX_SIZE: u64 = 1_000_000_000;
/// Largest number of full steps.
pub const MAX_STEPS: u64 = u32::MAX as u64;
/// Largest integer that every TOML reader takes.
pub const MAX_SEED: u64 = i64::MAX as u64;

pub static STUDY: Section = Section {
    doc: "A study: a mechanism, a method, an ensemble, and what to observe.",
    keys: &[
        key("title", Form::Text, Optional, "Title of plots and report. Absent: the file's name."),
        key(
            "mechanism",
            Form::Either(&[&Form::Text, &Form::Mechanism]),
            Required,
            "The mechanism: a file, relative to this one, or a table in place.",
        ),
        key("study", Form::Kind, Default("{}"), "What is asked of the ensemble."),
        key("method", Form::Method, Required, "How time is stepped."),
        key("constraints", Form::Constraints, Default("{}"), "How the joints of the mechanism are held."),
        key("ensemble", Form::Table(&ENSEMBLE), Required, "How many instances, and how they differ."),
        key("observe", Form::Table(&OBSERVE), Default("{}"), "What is recorded, and when."),
        key("verdict", Form::Table(&VERDICT), Default("{}"), "Bounds at which an instance is stopped."),
        key("accuracy", Form::Table(&ACCURACY), Default("{}"), "How the error of the run is measured."),
        key("run", Form::Table(&RUN), Default("{}"), "Where and how it is computed."),
    ],
};

/// The key that says which kind of study it is.
pub const fn kind_key() -> FileKey {
    key("kind", Form::Names(kind_names), Default("\"monte_carlo\""), "What is asked of the ensemble.")
}

/// The names of all kinds of studies.
pub fn kind_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| kind::CARDS.iter().map(|card| card.name).collect());
    &NAMES
}

/// The method of a study that names none.
pub const DEFAULT_METHOD: &str = "staggered";

/// The table of a method that is to be chosen.
pub fn open_method_section() -> &'static Section {
    &METHODS[0].1
}

/// The table of the method of this name; of an unknown one, what all methods have.
pub fn method_section(name: &str) -> &'static Section {
    METHODS.iter().find(|(of, _)| *of == name).map_or(&METHODS[0].1, |(_, section)| section)
}

/// As [`method_section`], without what says how long a step is and how many there are.
pub fn compared_method_section(name: &str) -> &'static Section {
    COMPARED_METHODS.iter().find(|(of, _)| *of == name).map_or(&COMPARED_METHODS[0].1, |(_, section)| section)
}

/// The tables of all methods, by name, without step and duration.
pub fn compared_method_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    COMPARED_METHODS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The treatment of a study that names none.
pub const DEFAULT_TREATMENT: &str = "staggered";

/// The same where the method carries no multipliers, and after how many steps it then projects unless it does so by itself.
pub const DEFAULT_OF_SOLVERS: &str = "exact";
pub const PROJECT_OF_SOLVERS: u64 = 20;

/// The table of the treatment of this name; of an unknown one, what all treatments have.
pub fn treatment_section(name: &str) -> &'static Section {
    TREATMENTS.iter().find(|(of, _)| *of == name).map_or(&TREATMENTS[0].1, |(_, section)| section)
}

/// The tables of all treatments, by name.
pub fn treatment_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    TREATMENTS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The names of all treatments.
pub fn treatment_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| treatments::CARDS.iter().map(|card| card.name).collect());
    &NAMES
}

/// What all treatments have, under no name, then the table of each.
static TREATMENTS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let name = || {
        key(
            "treatment",
            Form::Choice(treatment_names()),
            Default("\"staggered\""),
            "How multipliers are found. With a method that carries none the default is \"exact\".",
        )
    };
    let project = || {
        key(
            "project",
            Form::Count { min: 0, max: MAX_STEPS },
            Default("0"),
            "Positions and velocities are projected on to the joints every so many steps, in place of the method's `resynchronise`; 0: never. Of a study that gives no treatment to a method of fixed steps that carries none: 20.",
        )
    };
    let common =
        Section { doc: "How the joints of the mechanism are held.", keys: vec![name(), project()].leak() };
    let of_card = |card: &&'static treatments::TreatmentCard| {
        let keys: Vec<FileKey> =
            [name(), project()].into_iter().chain(card.keys.iter().map(setting)).collect();
        (card.name, Section { doc: card.meaning, keys: keys.leak() })
    };
    std::iter::once(("", common)).chain(treatments::CARDS.iter().map(of_card)).collect()
});

/// The names of all methods.
pub fn method_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| methods::cards().iter().map(|card| card.name).collect());
    &NAMES
}

/// The tables of all methods, by name.
pub fn method_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    METHODS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// What all methods have, under no name, then the table of each.
static METHODS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let common = "The method, chosen by measurement. Exactly one of `duration` and `steps` is given; `duration` where the step \
                  is chosen too.";
    methods_with(common, timed_method_keys)
});

static COMPARED_METHODS: LazyLock<Vec<(&'static str, Section)>> =
    LazyLock::new(|| methods_with("The integration method.", || vec![method_name()]));

/// The tables of all methods, each with these keys first.
fn methods_with(common: &'static str, first: impl Fn() -> Vec<FileKey>) -> Vec<(&'static str, Section)> {
    let of_card = |card: &&'static Card| {
        let mut keys = first();
        if card.resynchronises {
            keys.push(key(
                "resynchronise",
                Form::Count { min: 0, max: MAX_STEPS },
                Default("200"),
                "Every so many steps the half chain is restarted from the integer chain, which keeps long runs stable; 0: never.",
            ));
        }
        keys.extend(card.keys.iter().map(setting));
        (card.name, Section { doc: card.title, keys: keys.leak() })
    };
    let common = Section { doc: common, keys: first().leak() };
    std::iter::once(("", common)).chain(methods::cards().iter().map(of_card)).collect()
}

fn method_name() -> FileKey {
    key(
        "name",
        Form::Choice(method_names()),
        Default("\"staggered\""),
        "Integration method: `polhode methods` tells of each. Absent in [method]: chosen by measurement (staggered in studies \
         that compare methods, stability_map, throughput and convergence).",
    )
}

fn timed_method_keys() -> Vec<FileKey> {
    vec![
        method_name(),
        key(
            "accuracy",
            Form::Either(&[&Form::Number, &Form::Choice(&["statistical"])]),
            Optional,
            "Largest error of observed columns that is allowed, as a share of each column's scale, between 0 and 1; or \"statistical\": \
             the bias of means is at most a tenth of their standard error. What of `name` and `step` is absent is chosen by \
             measurement. Absent: 1e-4, where the method is to be chosen.",
        ),
        key(
            "step",
            Form::Quantity(Time),
            Optional,
            "Full step h, positive. Absent: chosen for the accuracy.",
        ),
        key(
            "duration",
            Form::Quantity(Time),
            Optional,
            "Simulated time: a whole number of steps (within 1e-6 of a step), at most 2^32 - 1.",
        ),
        key(
            "steps",
            Form::Count { min: 1, max: MAX_STEPS },
            Optional,
            "Number of full steps, instead of `duration`.",
        ),
    ]
}

/// The key of a method's setting.
fn setting(setting: &'static methods::Key) -> FileKey {
    let (form, default) = match setting.kind {
        Kind::Choice(names) => (Form::Choice(names), format!("{:?}", names[0])),
        Kind::Count(min, max, default) => (Form::Count { min, max }, default.to_string()),
        Kind::Number(min, max, default) => (Form::Bounded { min, max }, format!("{default:?}")),
        Kind::Derived { min, max, formula, .. } => {
            let meaning = format!("{} Absent: {formula}.", setting.told());
            return key(setting.name, Form::Bounded { min, max }, Optional, meaning.leak());
        }
        Kind::Flag => (Form::Flag, "false".to_string()),
    };
    key(setting.name, form, Default(default.leak()), setting.told().leak())
}

pub static ENSEMBLE: Section = Section {
    doc: "The instances.",
    keys: &[
        key(
            "size",
            Form::Count { min: 1, max: MAX_SIZE },
            Optional,
            "Number of instances: a multiple of the number of grid points, at most the rows of a table of samples. \
             Absent: as many as the grid, the table or the kind of study has.",
        ),
        key("seed", Form::Count { min: 0, max: MAX_SEED }, Default("0"), "Seed of everything random."),
        key(
            "design",
            Form::Choice(&["random", "sobol", "latin_hypercube"]),
            Optional,
            "How the unit cube is sampled: independent random points, Sobol points, or a Latin hypercube. Absent: random; \
             sobol in a sensitivity study.",
        ),
        key(
            "vary",
            Form::Map(&Form::Distribution),
            Default("{}"),
            "Varied quantities, by name in quotes: \"BODY.angular_velocity\", \"BODY.mass\", \"BODY.inertia.xx\", \
             \"gravity\", \"LOAD.value[0].z\", \"JOINT.angle\", \"SPRING.stiffness\", \"constants.NAME\" ... \
             Each has one distribution; \"uniform\" alone is for an attitude.",
        ),
    ],
};

/// The table in which a study file gives a distribution: one key each, then what is laid out.
pub fn distribution_section() -> &'static Section {
    static SECTION: LazyLock<Section> = LazyLock::new(|| {
        let drawn = distributions::CARDS.iter().filter(|card| card.word.is_none());
        let drawn = drawn.map(|card| {
            key(card.name, Form::Table(distribution_parameters(card.name)), Optional, card.title)
        });
        let keys: Vec<FileKey> = drawn.chain(laid_out()).collect();
        Section { doc: "Exactly one distribution.", keys: keys.leak() }
    });
    &SECTION
}

/// Words that stand for a distribution.
pub fn distribution_words() -> impl Iterator<Item = &'static str> {
    distributions::CARDS.iter().filter_map(|card| card.word)
}

/// The parameters of the distribution of this name; of an unknown one, those of the first.
pub fn distribution_parameters(name: &str) -> &'static Section {
    static SECTIONS: LazyLock<Vec<(&str, Section)>> = LazyLock::new(|| {
        let parameters = |card: &&'static DistributionCard| {
            let keys: Vec<FileKey> =
                card.parameters.iter().map(|parameter| parameter_key(card, parameter)).collect();
            (card.name, Section { doc: card.heading, keys: keys.leak() })
        };
        distributions::CARDS.iter().map(parameters).collect()
    });
    SECTIONS.iter().find(|(of, _)| *of == name).map_or(&SECTIONS[0].1, |(_, section)| section)
}

fn parameter_key(card: &DistributionCard, parameter: &Parameter) -> FileKey {
    let form = match parameter.form {
        ParameterForm::OwnValues
        | ParameterForm::Values
        | ParameterForm::AllowedValues
        | ParameterForm::PositiveValues
        | ParameterForm::Bound(_)
        | ParameterForm::Deviation
        | ParameterForm::PositiveDeviation
        | ParameterForm::Magnitude => Form::Varied,
        ParameterForm::Covariance => Form::NumberRows,
        ParameterForm::Direction => Form::Numbers(Some(3)),
        ParameterForm::Ratio => Form::Number,
        ParameterForm::Angles => Form::Either(&[&Form::Quantity(Angle), &Form::Vector(Angle)]),
        ParameterForm::Attitude => ATTITUDE,
    };
    let presence =
        if parameter.form.is_optional() || card.is_alternative(parameter.name) { Optional } else { Required };
    key(parameter.name, form, presence, parameter.meaning)
}

/// All channels by owner, in a sentence each.
pub fn channels_by_owner() -> String {
    let of = |owner: &Owner| {
        let channels = channels::CARDS.iter().filter(|card| card.channel.owner() == *owner);
        let names = channels.map(|card| match card.modes {
            false => card.channel.name().into_owned(),
            true => format!("{} and so on", card.channel.of_mode(0).name()),
        });
        format!("Of {}: {}.", owners(*owner), names.collect::<Vec<_>>().join(", "))
    };
    Owner::ALL.iter().map(of).collect::<Vec<_>>().join(" ")
}

fn owners(owner: Owner) -> &'static str {
    match owner {
        Owner::Mechanism => "the mechanism",
        Owner::Body => "bodies",
        Owner::Joint => "joints",
        Owner::Generator => "generators",
        Owner::Lock => "locks",
        Owner::Spring => "springs",
    }
}

/// What is laid out, not drawn.
fn laid_out() -> [FileKey; 4] {
    [
        key(
            "list",
            Form::List(&Form::Either(&[&Form::Varied, &ATTITUDE])),
            Optional,
            "One value after another. Lists and grids are the axes of a Cartesian product, the last one fastest.",
        ),
        key(
            "linspace",
            Form::Table(&LINSPACE),
            Optional,
            "Equally spaced values; an axis of the Cartesian product.",
        ),
        key(
            "logspace",
            Form::Table(&LOGSPACE),
            Optional,
            "Values of equal ratio; an axis of the Cartesian product.",
        ),
        key("table", Form::Table(&TABLE), Optional, "Your own samples: row i is for instance i."),
    ]
}

pub static LINSPACE: Section = Section {
    doc: "Equally spaced values, both ends included.",
    keys: &[
        key("from", Form::Varied, Required, "First value."),
        key("to", Form::Varied, Required, "Last value."),
        key("count", Form::Count { min: 2, max: MAX_SIZE }, Required, "Number of values."),
    ],
};

pub static LOGSPACE: Section = Section {
    doc: "Values of equal ratio, both ends included.",
    keys: &[
        key("from", Form::Varied, Required, "First value, positive."),
        key("to", Form::Varied, Required, "Last value, positive."),
        key("count", Form::Count { min: 2, max: MAX_SIZE }, Required, "Number of values."),
    ],
};

pub static TABLE: Section = Section {
    doc: "A table of samples.",
    keys: &[
        key(
            "file",
            Form::Text,
            Required,
            "A .csv file with a header row or a .parquet file, relative to this file.",
        ),
        key(
            "columns",
            Form::Either(&[&Form::Text, &Form::List(&Form::Text)]),
            Required,
            "Column names, one for each number of the quantity, in its order. Values are in SI units.",
        ),
    ],
};

pub static OBSERVE: Section = Section {
    doc: "What is recorded.",
    keys: &[
        key(
            "channels",
            Form::Channels,
            Default("[\"angular_velocity\", \"attitude\", \"energy_drift\", \"angular_momentum_drift\"]"),
            "Channels, as a bare name for all that have it, or of one, e.g. \"BODY.angular_velocity\".",
        ),
        key(
            "every",
            Form::Either(&[&Form::Count { min: 1, max: MAX_STEPS }, &Form::QuantityText(Time)]),
            Optional,
            "Time between snapshots: a text with a unit (a whole number of steps), or an integer number of steps. \
             Absent: a two-hundredth of the run.",
        ),
        key(
            "keep",
            Form::Count { min: 0, max: MAX_SIZE },
            Optional,
            "Number of instances (the first ones) whose trajectories are kept; statistics use all. Absent: 16, or the \
             size if that is less.",
        ),
        key(
            "quantiles",
            Form::Numbers(None),
            Default("[0.05, 0.25, 0.5, 0.75, 0.95]"),
            "Probabilities of the quantiles in the statistics, ascending, between 0 and 1.",
        ),
    ],
};

/// What switches a bound off.
pub const NO_BOUND: &[&str] = &["none"];

const BOUND_FORM: Form = Form::Either(&[&Form::Number, &Form::Choice(NO_BOUND)]);

pub static VERDICT: Section = Section {
    doc: "Bounds on errors: an instance that passes one is stopped in its last good state, the others go on.",
    keys: &[
        key(
            "energy",
            BOUND_FORM,
            Optional,
            "Largest relative energy drift |E - E0| / (T0 + |V0|), or \"none\". Absent: where joints hold bodies (not by a penalty) and \
             no load, generator or actuator does work, the energy may grow by a tenth of T0 + |V0| + T + sum of m g s, and where nothing \
             takes energy it may change by no more; s is how far joints are from the origins of their bodies. Maps and studies of methods have no such default.",
        ),
        key(
            "quaternion_norm",
            Form::Number,
            Optional,
            "Largest error of the quaternion's norm. Absent: not checked.",
        ),
        key(
            "constraint",
            BOUND_FORM,
            Optional,
            "Largest |Phi| of what holds the bodies, as the channel constraint_violation has it (m, or 1 for cosines), or \"none\". \
             Absent: a thousandth of how far joints are from the origins of their bodies, at least 1e-5 and at most 1e-3; 0.1 where \
             locks may catch; none for a penalty, in maps and in studies of methods.",
        ),
        key(
            "every",
            Form::Either(&[&Form::Count { min: 1, max: MAX_STEPS }, &Form::QuantityText(Time)]),
            Default("100"),
            "Steps between checks: an integer, or a time with its unit.",
        ),
    ],
};

pub static ACCURACY: Section = Section {
    doc: "The measured error: some instances are advanced again by a converged method, and compared.",
    keys: &[key(
        "budget",
        Form::Quantity(Time),
        Optional,
        "Longest wall-clock time that it may take; 0 s: it is not measured. Absent: a tenth of the run's time, at least 0.5 s and \
         at most 30 s.",
    )],
};

pub static RUN: Section = Section {
    doc: "Where and how it is computed. Results do not depend on threads and chunk.",
    keys: &[
        key(
            "backend",
            Form::Pattern("^(auto|cpu|gpu|gpu:.+)$"),
            Default("\"auto\""),
            "auto: a real GPU if there is one and the mechanism is not too large for it, else the CPU. cpu. gpu: any GPU, \
             software ones included. gpu:NAME: the first whose name contains NAME.",
        ),
        key(
            "precision",
            Form::Choice(&["f32", "f64"]),
            Default("\"f64\""),
            "Floating-point numbers of the step loop.",
        ),
        key(
            "fused",
            Form::Flag,
            Default("true"),
            "CPU: fuse multiply and add where the processor can. false gives the bits of a GPU that does not fuse.",
        ),
        key("threads", Form::Count { min: 1, max: 65_536 }, Optional, "CPU threads. Absent: all."),
        key(
            "chunk",
            Form::Count { min: 1, max: MAX_SIZE },
            Optional,
            "Instances advanced together. Absent: chosen from memory.",
        ),
    ],
};

/// The table of a mechanism.
pub fn mechanism_section() -> &'static Section {
    static MECHANISM: LazyLock<Section> = LazyLock::new(|| {
        let forces = force::sections().map(|(card, section)| list(card.table, section, card.title));
        Section {
            doc: "A mechanism: rigid bodies, their supports, what keeps or drives them, and what acts on them.",
            keys: keys_besides_forces().chain(forces).collect::<Vec<FileKey>>().leak(),
        }
    });
    &MECHANISM
}

/// The keys of a mechanism that are no kind of force. They are known before any force is registered.
fn keys_besides_forces() -> impl Iterator<Item = FileKey> {
    static PARTS: LazyLock<[FileKey; 7]> = LazyLock::new(|| {
        [
            list("joint", read_joint::section(), "Joints between two bodies, or a body and the ground."),
            list("generator", generator::section(), "Motions prescribed in time."),
            key(
                "contact",
                Form::List(leaked(contact::any())),
                Default("[]"),
                "Bodies that roll or slide on the ground.",
            ),
            list(
                "beam",
                &read_beam::BEAM,
                "Beams that bend, twist and stretch by any amount: nodes NAME.0, NAME.1 and so on, and elements between them.",
            ),
            list("beam_element", &read_beam::BEAM_ELEMENT, "Single beam elements between two bodies."),
            list("lock", lock::section(), "Joints that are caught and held."),
            list("load", &LOAD, "Forces and torques on the bodies."),
        ]
    });
    MECHANISM_KEYS.iter().chain(&*PARTS).copied()
}

/// Their names.
pub fn mechanism_keys_besides_forces() -> impl Iterator<Item = &'static str> {
    keys_besides_forces().map(|key| key.name)
}

/// A list of tables that may be empty.
fn list(name: &'static str, section: &'static Section, doc: &'static str) -> FileKey {
    key(name, Form::List(leaked(Form::Table(section))), Default("[]"), doc)
}

/// A form that is made of cards. It lives as long as the program, in which it is made once.
pub(super) fn leaked(form: Form) -> &'static Form {
    Box::leak(Box::new(form))
}

/// The keys of a mechanism besides the lists of its parts.
static MECHANISM_KEYS: &[FileKey] = &[
    key("name", Form::Text, Optional, "Name in reports. Absent: the file's name."),
    key(
        "gravity",
        Form::Either(&[&Form::Vector(Acceleration), &Form::Quantity(Acceleration)]),
        Default("[0, 0, 0]"),
        "Acceleration of gravity in space axes; a single number g means [0, 0, -g].",
    ),
    key(
        "body",
        Form::Either(&[&ANY_BODY, &Form::List(&ANY_BODY)]),
        Optional,
        "The body, or several of them. Absent: the nodes of beams are all that moves.",
    ),
    key(
        "constants",
        Form::Map(&Form::AnyQuantity),
        Default("{}"),
        "Numbers that expressions call by name: NAME = a number or a quantity of any unit.",
    ),
];

pub static BODY: Section = Section {
    doc: "A rigid body, described in body axes, which need not be principal.",
    keys: &[
        key(
            "name",
            Form::Text,
            Default("\"body\""),
            "Name for varied quantities and channels: letters, digits, _ and -.",
        ),
        key("mass", Form::Quantity(Mass), Required, "Mass, positive."),
        key(
            "inertia",
            Form::Either(&[&Form::Vector(Inertia), &Form::Matrix(Inertia)]),
            Required,
            "Moments of inertia in body axes: three numbers (a diagonal) or a symmetric positive definite matrix.",
        ),
        key(
            "inertia_about",
            Form::Choice(&["mass_centre", "origin"]),
            Default("\"mass_centre\""),
            "The point about which `inertia` is given. With a fixed point, the origin is that point.",
        ),
        key(
            "centre_of_mass",
            Form::Vector(Length),
            Default("[0, 0, 0]"),
            "Mass centre from the body's origin, in body axes.",
        ),
        key(
            "support",
            Form::Choice(&["free", "fixed_point"]),
            Default("\"free\""),
            "free, or fixed_point: the body's origin is held and the body turns about it.",
        ),
        key("initial", Form::Table(&INITIAL), Default("{}"), "The state at t = 0."),
    ],
};

/// A rigid body, or a flexible one.
const ANY_BODY: Form = Form::Either(&[&Form::Table(&BODY), &Form::Table(&FLEXIBLE_BODY)]);

pub static FLEXIBLE_BODY: Section = Section {
    doc: "A flexible body, which has the mass and inertia of its modal data.",
    keys: &[
        key(
            "name",
            Form::Text,
            Default("\"body\""),
            "Name for varied quantities and channels: letters, digits, _ and -.",
        ),
        key("flexible", Form::Table(&FLEXIBLE), Required, "How it deforms."),
        key(
            "initial",
            Form::Table(&INITIAL),
            Default("{}"),
            "The state of the floating frame at t = 0; its origin is that of the modal data, or the point to which it is attached.",
        ),
    ],
};

pub static FLEXIBLE: Section = Section {
    doc: "Deformation by modes in a floating frame (W84). Exactly one of `beam`, `structure` and `modal` is given.",
    keys: &[
        key(
            "level",
            Form::Choice(&["0", "1/2", "1", "3/2", "2"]),
            Default("\"2\""),
            "Which terms couple rotation and deformation; only level 2 conserves energy, levels below 1 have a constant mass matrix.",
        ),
        key(
            "frame",
            Form::Choice(&["buckens", "attached"]),
            Default("\"buckens\""),
            "The floating frame: at the mass centre, so that no mode moves it or turns, or attached to the particle `at`, turning with it; then the body's origin is there, and points and the start count from there.",
        ),
        key(
            "at",
            PLACE,
            Optional,
            "The point to which the frame is attached, by name, or as the source of the modes counts places. Needed by frame = \"attached\".",
        ),
        key(
            "beam",
            Form::Table(&MODAL_BEAM),
            Optional,
            "A uniform beam along body x, its origin in the middle.",
        ),
        key(
            "structure",
            Form::Table(&STRUCTURE),
            Optional,
            "Nodes and straight members, whose modes polhode finds.",
        ),
        key(
            "modal",
            Form::Either(&[&Form::Text, &Form::Table(&MODAL)]),
            Optional,
            "Modal data from elsewhere: a JSON file, relative to this one, such a text in place, or a CSV table with its frequencies.",
        ),
        key(
            "damping",
            Form::Either(&[&Form::Number, &Form::Numbers(None)]),
            Default("0"),
            "Damping ratio of all modes, or of each; not negative.",
        ),
        key("stiffness_scale", Form::Number, Default("1"), "All stiffness is multiplied by this, positive."),
        key("damping_scale", Form::Number, Default("1"), "All damping is multiplied by this, not negative."),
        key("amplitudes", Form::Numbers(None), Optional, "Modal coordinates at t = 0. Absent: 0."),
        key("amplitude_rates", Form::Numbers(None), Optional, "Their rates (1/s) at t = 0. Absent: 0."),
        key(
            "watch",
            PLACE,
            Optional,
            "The point whose deflection the channel `deflection` shows. Absent: the last point that has a name, else the origin.",
        ),
    ],
};

pub static MODAL: Section = Section {
    doc: "Modal data in a file: JSON, which says everything itself, or a CSV table of nodes with masses and shapes, for which exactly one of `frequencies` and `stiffness` is given here.",
    keys: &[
        key("file", Form::Text, Required, "A .csv or .json file, relative to this one."),
        key(
            "frequencies",
            Form::List(&Form::Quantity(Dimension::Frequency)),
            Optional,
            "Natural frequencies of the modes, which must be orthogonal to each other.",
        ),
        key(
            "stiffness",
            Form::NumberRows,
            Optional,
            "The matrix K_ij of the modes (N m), in the scale of the shapes.",
        ),
        key(
            "orthonormalise",
            Form::Flag,
            Default("false"),
            "Whether the shapes are freed of rigid motion and made orthonormal.",
        ),
    ],
};

pub static MODAL_BEAM: Section = Section {
    doc: "A uniform beam along body x with its origin in the middle. Its points are on its axis, or off it in the plane of a section; `start`, `middle` and `end` have names.",
    keys: &[
        key("length", Form::Quantity(Length), Required, "Length, positive."),
        key("mass", Form::Quantity(Mass), Required, "Mass, positive."),
        key(
            "polar_inertia",
            Form::Quantity(Inertia),
            Required,
            "Moment of inertia about its axis, of the whole beam, positive.",
        ),
        key(
            "bending_stiffness",
            EITHER_STIFFNESS,
            Required,
            "EI for bending in y and in z; one for both where they are the same. Positive.",
        ),
        key("axial_stiffness", Form::Quantity(Dimension::Force), Optional, "EA, positive; for axial modes."),
        key(
            "torsional_stiffness",
            Form::Quantity(Dimension::FlexuralRigidity),
            Optional,
            "GJ, positive; for modes of torsion.",
        ),
        key(
            "boundary",
            Form::Choice(&["free", "simply_supported", "cantilever", "fixed_hinged", "fixed_fixed"]),
            Default("\"free\""),
            "Ends of the beam whose bending modes are taken as shapes; the start is fixed first. Shapes of held ends are freed of rigid motion.",
        ),
        key("modes_y", MODE_COUNT, Default("0"), "Number of modes of bending in y."),
        key("modes_z", MODE_COUNT, Default("0"), "Number of modes of bending in z."),
        key("modes_axial", MODE_COUNT, Default("0"), "Number of axial modes, of free ends."),
        key("modes_torsion", MODE_COUNT, Default("0"), "Number of modes of torsion, of free ends."),
        key(
            "deflections",
            Form::List(&Form::Table(&DEFLECTION)),
            Default("[]"),
            "Static deflections of the held beam under a force, as further shapes.",
        ),
        key(
            "masses",
            Form::Count { min: 3, max: 200 },
            Optional,
            "A lumped beam of so many equally spaced masses, its free modes. Absent: mass is spread along the beam.",
        ),
        key(
            "centrifugal_stiffening",
            Form::Flag,
            Default("false"),
            "Whether the tension of a turning beam stiffens it; for levels 1 and above.",
        ),
        key(
            "held_at",
            Form::Choice(&["nowhere", "start", "middle", "end"]),
            Default("\"nowhere\""),
            "Where what holds the beam bears its centrifugal force, which stiffens it more than its own tension; \"nowhere\": it floats, or turns about its middle. With `centrifugal_stiffening`; an attached frame needs it.",
        ),
        key(
            "turns_about",
            Form::Quantity(Length),
            Optional,
            "Where on its axis a held beam turns about, from its middle; beyond its ends with a hub's radius. Absent: where it is held.",
        ),
    ],
};

const MODE_COUNT: Form = Form::Count { min: 0, max: 20 };
const EITHER_STIFFNESS: Form = Form::Either(&[
    &Form::Quantity(Dimension::FlexuralRigidity),
    &Form::List(&Form::Quantity(Dimension::FlexuralRigidity)),
]);

pub static DEFLECTION: Section = Section {
    doc: "The deflection of a beam under a force across it.",
    keys: &[
        key("at", Form::Quantity(Length), Required, "Where the force acts, from the middle."),
        key("direction", Form::Choice(&["y", "z"]), Default("\"y\""), "Its direction."),
    ],
};

pub static STRUCTURE: Section = Section {
    doc: "Nodes with masses, joined by straight members that stretch, bend and twist.",
    keys: &[
        key("nodes", Form::List(&Form::Table(&NODE)), Required, "At least two."),
        key("members", Form::List(&Form::Table(&MEMBER)), Required, "At least one."),
        key("modes", Form::Count { min: 0, max: 40 }, Required, "Number of modes, lowest first."),
        key(
            "held",
            Form::List(&Form::Text),
            Default("[]"),
            "Nodes that are held while shapes are found, which are then freed of rigid motion. None: free modes.",
        ),
        key(
            "deflections",
            Form::List(&Form::Table(&STATIC_LOAD)),
            Default("[]"),
            "Loads whose static deflections are further shapes; where no node is held, the inertia of the body bears them.",
        ),
    ],
};

pub static STATIC_LOAD: Section = Section {
    doc: "A load on a node under which a structure deflects. Exactly one of `force` and `torque` is given.",
    keys: &[
        key("node", Form::Text, Required, "The name of the node."),
        key("force", Form::Vector(Dimension::Number), Optional, "Direction of a force, body axes."),
        key("torque", Form::Vector(Dimension::Number), Optional, "Direction of a torque, body axes."),
    ],
};

pub static NODE: Section = Section {
    doc: "A node of a structure.",
    keys: &[
        NAME,
        key("at", Form::Vector(Length), Required, "From the body's origin in body axes."),
        key("mass", Form::Quantity(Mass), Default("0"), "Mass besides that of the members, not negative."),
        key(
            "rotary_inertia",
            Form::Vector(Inertia),
            Default("[0, 0, 0]"),
            "Moments of inertia of the node itself about x, y, z, not negative.",
        ),
    ],
};

pub static MEMBER: Section = Section {
    doc: "A straight member of a structure.",
    keys: &[
        key("nodes", PAIR, Required, "The names of its two nodes."),
        key("mass", Form::Quantity(Mass), Default("0"), "Mass, half of which goes to each node."),
        key("axial_stiffness", Form::Quantity(Dimension::Force), Required, "EA, positive."),
        key(
            "bending_stiffness",
            EITHER_STIFFNESS,
            Required,
            "EI for bending along its y and along its z, positive.",
        ),
        key("torsional_stiffness", Form::Quantity(Dimension::FlexuralRigidity), Required, "GJ, positive."),
        key(
            "y",
            Form::Vector(Dimension::Number),
            Optional,
            "A direction in the plane of the member and its y, body axes. Absent: any, for equal bending stiffness.",
        ),
    ],
};

/// A point of a body: a vector, or on a flexible body the name of a point.
pub const PLACE: Form = Form::Either(&[&Form::Vector(Length), &Form::Text]);

pub const DIRECTIONS: Form =
    Form::Either(&[&Form::Vector(Dimension::Number), &Form::List(&Form::Vector(Dimension::Number))]);
pub const NAME: FileKey = key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -.");
pub const OF_JOINT: FileKey = key("joint", Form::Text, Required, "The joint.");
pub const COORDINATE: FileKey = key(
    "coordinate",
    Form::Choice(&["angle", "displacement"]),
    Optional,
    "Its coordinate. Absent: the only one it has.",
);
pub const POINT: FileKey = key(
    "point",
    PLACE,
    Optional,
    "From the body's origin in body axes, of a flexible body also by name. Absent: the origin of a rigid body.",
);
pub const OF_BODY: FileKey = key("body", Form::Text, Optional, "The body. Absent: the only one.");
/// A function of time, in any of its forms.
pub const FUNCTION_FORM: Form = Form::Either(&[&Form::Number, &Form::Text, &Form::Table(&FUNCTION)]);
pub const THREE_FUNCTIONS: Form = Form::List(&FUNCTION_FORM);
pub static FUNCTION: Section = Section {
    doc: "A function of time. Exactly one form is given.",
    keys: &[
        key(
            "polynomial",
            Form::Numbers(None),
            Optional,
            "c0, c1, c2, ... of c0 + c1 t + c2 t^2 ..., in SI units.",
        ),
        key(
            "harmonic",
            Form::Table(&HARMONIC),
            Optional,
            "offset + amplitude sin(2 pi frequency t + phase).",
        ),
        key("table", Form::Table(&FUNCTION_TABLE), Optional, "Values at given times, joined by cubics."),
    ],
};

pub static HARMONIC: Section = Section {
    doc: "offset + amplitude sin(2 pi frequency t + phase). Exactly one of `frequency` and `angular_frequency` is given.",
    keys: &[
        key("amplitude", Form::AnyQuantity, Required, "Amplitude."),
        key("frequency", Form::Quantity(Dimension::Frequency), Optional, "Oscillations a second."),
        key("angular_frequency", Form::Quantity(AngularSpeed), Optional, "2 pi times as much."),
        key("phase", Form::Quantity(Angle), Default("0"), "Phase at t = 0."),
        key("offset", Form::AnyQuantity, Default("0"), "Mean value."),
    ],
};

const VALUES: FileKey = key("values", SEVERAL, Required, "The value at each of them.");
const SLOPES: FileKey = key(
    "slopes",
    Form::Numbers(None),
    Optional,
    "The slope at each, in SI units, 0 at both ends. Absent: those that make the second derivative continuous.",
);
const SEVERAL: Form = Form::Either(&[&Form::List(&Form::AnyQuantity), &Form::Table(&WITH_UNIT)]);

pub static FUNCTION_TABLE: Section = Section {
    doc: "Values at given times, joined by cubics that end with zero slope; constant before and after.",
    keys: &[key("times", SEVERAL, Required, "Times, ascending, 2 to 200 of them."), VALUES, SLOPES],
};

pub static CURVE: Section = Section {
    doc: "A curve y(x). Exactly one form is given.",
    keys: &[
        key(
            "polynomial",
            Form::Numbers(None),
            Optional,
            "c0, c1, c2, ... of c0 + c1 x + c2 x^2 ..., in SI units.",
        ),
        key("table", Form::Table(&CURVE_TABLE), Optional, "Heights at given places, joined by cubics."),
    ],
};

pub static CURVE_TABLE: Section = Section {
    doc: "Heights y at given places x, joined by cubics that end with zero slope; constant before and after.",
    keys: &[key("places", SEVERAL, Required, "Places x, ascending, 2 to 200 of them."), VALUES, SLOPES],
};

const PAIR: Form = Form::List(&Form::Text);
pub const PLACES: Form = Form::List(&PLACE);
pub const BODIES: FileKey = key("bodies", PAIR, Required, "Bodies A and B; \"ground\" is the ground.");
pub const POINTS: FileKey = key(
    "points",
    PLACES,
    Required,
    "Point A and point B, each from its body's origin in its body axes; of a flexible body also by name.",
);
pub const FRAME_AXES: FileKey = key(
    "axes",
    DIRECTIONS,
    Default("[0, 0, 1]"),
    "The frames' z, in the axes of A and of B; one for both where they are the same.",
);
pub const FRAME_REFERENCES: FileKey = key(
    "references",
    DIRECTIONS,
    Optional,
    "The frames' x, in the axes of A and of B. Absent: any, so that the frames coincide where the bodies' axes do (after the least rotation that takes A's z to B's).",
);

pub static INITIAL: Section = Section {
    doc: "The state at t = 0.",
    keys: &[
        key(
            "position",
            Form::Vector(Length),
            Default("[0, 0, 0]"),
            "Position of the body's origin, in space axes.",
        ),
        key(
            "velocity",
            Form::Vector(Speed),
            Default("[0, 0, 0]"),
            "Velocity of the body's origin, in space axes; zero with a fixed point.",
        ),
        key("attitude", ATTITUDE, Default("[1, 0, 0, 0]"), "The rotation that maps body axes to space axes."),
        key("angular_velocity", Form::Vector(AngularSpeed), Default("[0, 0, 0]"), "Angular velocity."),
        key(
            "angular_velocity_axes",
            Form::Choice(&["body", "space"]),
            Default("\"body\""),
            "Axes of the components of `angular_velocity`.",
        ),
        key(
            "approximate",
            Form::Flag,
            Default("false"),
            "The values given here say only from where assembly starts to look. Otherwise each that is given is kept.",
        ),
    ],
};

/// An attitude, wherever one is asked for.
pub const ATTITUDE: Form = Form::Either(&[
    &Form::Numbers(Some(4)),
    &Form::Table(&QUATERNION),
    &Form::Table(&ROTATION_VECTOR),
    &Form::Table(&AXIS_ANGLE),
]);

pub static QUATERNION: Section = Section {
    doc: "An attitude as a quaternion.",
    keys: &[key("quaternion", Form::Numbers(Some(4)), Required, "Unit quaternion, scalar first.")],
};

pub static ROTATION_VECTOR: Section = Section {
    doc: "An attitude as a rotation vector.",
    keys: &[key("rotation_vector", Form::Vector(Angle), Required, "Axis times angle.")],
};

pub static AXIS_ANGLE: Section = Section {
    doc: "An attitude as axis and angle.",
    keys: &[
        key("axis", Form::Numbers(Some(3)), Required, "Axis, of any length but 0."),
        key("angle", Form::Quantity(Angle), Required, "Angle."),
    ],
};

pub static LOAD: Section = Section {
    doc: "A force or torque. Exactly one of `value`, `pieces` and `function` is given.",
    keys: &[
        key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -."),
        key("body", Form::Text, Optional, "The body on which it acts. Absent: the only one."),
        key("kind", Form::Choice(&["force", "torque"]), Required, "force (N) or torque (N m)."),
        key(
            "axes",
            Form::Choice(&["body", "space"]),
            Required,
            "Axes of the components, which stay constant in them.",
        ),
        key(
            "point",
            PLACE,
            Optional,
            "Where a force acts, from the body's origin in body axes. Absent: the origin. Not for a torque on a rigid body.",
        ),
        key("value", LOAD_VALUE, Optional, "A load that acts from t = 0 on for ever."),
        key(
            "pieces",
            Form::List(&Form::Table(&PIECE)),
            Optional,
            "A load that is constant by pieces, in time order, and zero outside them.",
        ),
        key(
            "function",
            THREE_FUNCTIONS,
            Optional,
            "Three functions of time, one for each component (N or N m).",
        ),
    ],
};

const LOAD_VALUE: Form = Form::Either(&[&Form::Vector(Dimension::Force), &Form::Vector(Dimension::Torque)]);

pub static PIECE: Section = Section {
    doc: "A stretch of time, `from` <= t < `until`, in which a load is constant.",
    keys: &[
        key("from", Form::Quantity(Time), Default("0"), "Start."),
        key("until", Form::Quantity(Time), Optional, "End, after `from`. Absent, or inf: it acts for ever."),
        key("value", LOAD_VALUE, Required, "Force or torque."),
    ],
};

pub static WITH_UNIT: Section = Section {
    doc: "A number, vector or matrix of plain numbers, with one unit for all.",
    keys: &[
        key(
            "value",
            Form::Either(&[&Form::Number, &Form::Numbers(None), &Form::NumberRows]),
            Required,
            "Plain numbers.",
        ),
        key("unit", Form::Text, Required, "Their unit, such as \"N m\"."),
    ],
};
