//! Keys of a study besides its method: the question, the ensemble, what is observed, and how it is
//! run.

use std::sync::LazyLock;

use super::super::declared::{Declared, Named, section};
use super::super::read_correlated::CORRELATED;
use super::super::read_outcome::OUTCOME;
use super::Presence::{Default, Optional, Required};
use super::function::FUNCTION_FORM;
use super::mechanism::ATTITUDE;
use super::{FileKey, Form, MAX_SEED, MAX_SIZE, MAX_STEPS, Section, key};
use polhode_description::base::units::Dimension::{self, Angle, Time};
use polhode_description::describe::Owner;
use polhode_description::describe::study::{AccuracySettings, Design, OutputSettings, Run};
use polhode_dynamics::ensemble::sampling::distributions;
use polhode_dynamics::ensemble::sampling::distributions::{DistributionCard, Fits, Parameter, ParameterForm};
use polhode_engine::observe::channels;

section! { pub static STUDY = "A study: a mechanism, a method, an ensemble, and what to observe.";
    title: Text, Optional, "Title of plots and report. Absent: the file's name.";
    mechanism: Either(&[&Text, &Mechanism]), Required,
        "The mechanism: a file, relative to this one, or a table in place.";
    study: Kind, Default("{}"), "What is asked of the ensemble.";
    method: Method, Optional,
        "How time is stepped. Absent in studies of kind static and modes alone, which advance nothing.";
    constraints: Constraints, Default("{}"), "How the joints of the mechanism are held.";
    ensemble: Table(&ENSEMBLE), Default("{}"),
        "How many instances, and how they differ. Absent: one instance, which is the mechanism as it is \
         described.";
    outcome: List(&Table(&OUTCOME)), Default("[]"),
        "Numbers that every instance comes to: peaks, times, means. They are observed like channels.";
    observe: Table(&OBSERVE), Default("{}"), "What is recorded, and when.";
    verdict: Either(&[&Table(&VERDICT), &List(&Table(&VERDICT))]), Default("{}"),
        "Bounds, and conditions, at which an instance is stopped: one table, or a list of them, [[verdict]], \
         one of which has the bounds.";
    accuracy: Table(AccuracySettings::SECTION), Default("{}"), "How the error of the run is measured.";
    output: Table(OutputSettings::SECTION), Default("{}"), "Which files the run leaves.";
    run: Table(Run::SECTION), Default("{}"), "Where and how it is computed.";
}

/// The key that says which kind of study it is. Its names are those of the list of kinds, which
/// reads it, and in the schema of a kind its own.
pub const KIND: FileKey =
    key("kind", Form::Names(|| &[]), Default("\"monte_carlo\""), "What is asked of the ensemble.");

section! { pub static ENSEMBLE = "The instances.";
    size: Count { min: 1, max: MAX_SIZE }, Optional,
        "Number of instances: a multiple of the number of grid points, at most the rows of a table of \
         samples. Absent: as many as the grid, the table or the kind of study has.";
    seed: Count { min: 0, max: MAX_SEED }, Default("0"), "Seed of everything random.";
    design: Choice(Design::NAMES), Optional,
        "How the unit cube is sampled: independent random points, Sobol points, or a Latin hypercube. \
         Absent: random; sobol in a sensitivity study.";
    vary: Map(&Distribution), Default("{}"),
        "Varied quantities, by name in quotes: \"BODY.angular_velocity\", \"BODY.mass\", \
         \"BODY.inertia.xx\", \"gravity\", \"LOAD.value[0].z\", \"JOINT.angle\", \"SPRING.stiffness\", \
         \"constants.NAME\" ... Each has one distribution; \"uniform\" alone is for an attitude.";
    correlated: List(&Table(&CORRELATED)), Default("[]"),
        "Varied numbers that are drawn together. Not in a sensitivity study, whose inputs are independent.";
    until: Table(&UNTIL), Optional,
        "When there are enough instances; `size` is the most then. Absent: there are `size`. For designs \
         random and sobol without grids and tables, in Monte Carlo studies.";
}

section! { pub static UNTIL =
        "The run ends when the mean of a column at the end is known: z s/sqrt(n) <= half_width, with the \
         standard deviation s of the n instances so far and the normal quantile z of (1 + confidence)/2. It \
         looks at n = 2048 first, then when there are an eighth more (sobol: twice as many), so that the \
         result does not depend on chunks and threads.";
    channel: Text, Required,
        "Name of an observed column, with its component: \"tilt\", \"top.angular_velocity.x\", an outcome.";
    half_width: AnyQuantity, Required, "Half-width of the mean's confidence interval, in the column's unit.";
    confidence: Bounded { min: 0.5, max: 0.9999 }, Default("0.95"),
        "Probability with which the interval holds the mean, in large ensembles; 0.5 to 0.9999.";
}

/// The table in which a study file gives a distribution: one key each, then what is laid out.
pub fn distribution_section() -> &'static Section {
    static SECTION: LazyLock<Section> = LazyLock::new(|| {
        let drawn = distributions::CARDS.iter().filter(|card| card.word.is_none());
        let drawn = drawn.map(|card| {
            let parameters = Form::Table(distribution_parameters(card.name));
            let form = match card.takes_share {
                _ if card.is_mixture() => Form::List(Box::leak(Box::new(Form::Table(mixture_part())))),
                true => Form::Either(Box::leak(Box::new([&*Box::leak(Box::new(parameters)), &Form::Text]))),
                false => parameters,
            };
            key(card.name, form, Optional, card.title)
        });
        let keys: Vec<FileKey> = drawn.chain(laid_out()).collect();
        Section { doc: "Exactly one distribution.", keys: keys.leak() }
    });
    &SECTION
}

/// A part of a mixture: its weight, and one distribution of numbers that are drawn one by one.
pub fn mixture_part() -> &'static Section {
    static SECTION: LazyLock<Section> = LazyLock::new(|| {
        let mixture = distributions::CARDS.iter().find(|card| card.is_mixture());
        let weights = mixture.into_iter().flat_map(|card| {
            card.parameters
                .iter()
                .map(|parameter| key(parameter.name, Form::Number, Required, parameter.meaning))
        });
        let of_numbers =
            distributions::CARDS.iter().filter(|card| card.fits == Fits::Numbers && !card.is_mixture());
        let parts = of_numbers.map(|card| {
            let parameters = Form::Table(distribution_parameters(card.name));
            let form = match card.takes_share {
                true => Form::Either(Box::leak(Box::new([&*Box::leak(Box::new(parameters)), &Form::Text]))),
                false => parameters,
            };
            key(card.name, form, Optional, card.title)
        });
        let keys: Vec<FileKey> = weights.chain(parts).collect();
        Section { doc: mixture.map_or("", |card| card.heading), keys: keys.leak() }
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

pub(super) fn parameter_key(card: &DistributionCard, parameter: &Parameter) -> FileKey {
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
        ParameterForm::Ratio | ParameterForm::Parts => Form::Number,
        ParameterForm::RelativeDeviation => Form::Either(&[&Form::Number, &Form::Text]),
        ParameterForm::Angles => Form::Either(&[&Form::Quantity(Angle), &Form::Vector(Angle)]),
        ParameterForm::Attitude => ATTITUDE,
    };
    let presence =
        if parameter.form.is_optional() || card.is_alternative(parameter.name) { Optional } else { Required };
    key(parameter.name, form, presence, parameter.meaning)
}

/// All channels by owner, in a sentence each.
pub fn channels_by_owner() -> String {
    let sentence = |owner: &Owner| {
        let channels = channels::CARDS.iter().filter(|card| card.channel.owner() == *owner);
        let names = channels.map(|card| match card.modes {
            false => card.channel.name().into_owned(),
            true => format!("{} and so on", card.channel.of_mode(0).name()),
        });
        format!("Of {}: {}.", owner.plural(), names.collect::<Vec<_>>().join(", "))
    };
    Owner::ALL.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

/// The keys of values that are laid out, not drawn.
pub(super) fn laid_out() -> [FileKey; 4] {
    [
        key(
            "list",
            Form::List(&Form::Either(&[&Form::Varied, &ATTITUDE])),
            Optional,
            "One value after another. Lists and grids are the axes of a Cartesian product, the last one \
             fastest.",
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

section! { pub static LINSPACE = "Equally spaced values, both ends included.";
    from: Varied, Required, "First value.";
    to: Varied, Required, "Last value.";
    count: Count { min: 2, max: MAX_SIZE }, Required, "Number of values.";
}

section! { pub static LOGSPACE = "Values of equal ratio, both ends included.";
    from: Varied, Required, "First value, positive.";
    to: Varied, Required, "Last value, positive.";
    count: Count { min: 2, max: MAX_SIZE }, Required, "Number of values.";
}

section! { pub static TABLE = "A table of samples.";
    file: Text, Required, "A .csv file with a header row or a .parquet file, relative to this file.";
    columns: Either(&[&Text, &List(&Text)]), Required,
        "Column names, one for each number of the quantity, in its order, with or without their units. Units \
         stand in the header, `a1 (deg)`, or in the metadata `unit` of a Parquet column; without one values \
         are in SI.";
}

section! { pub static OBSERVE = "What is recorded.";
    channels:
        Channels, Default("[\"angular_velocity\", \"attitude\", \"energy_drift\", \
                           \"angular_momentum_drift\"]"),
        "Channels, as a bare name for all that have it, or of one, \
         e.g. \"BODY.angular_velocity\". Absent: with `position` of point masses, \
         and `displacement` of joints.";
    every: Either(&[&Count { min: 1, max: MAX_STEPS }, &QuantityText(Time)]), Optional,
        "Time between snapshots: a text with a unit (a whole number of steps), or an integer number of \
         steps. Absent: a two-hundredth of the run.";
    keep: Count { min: 0, max: MAX_SIZE }, Optional,
        "Number of instances (the first ones) whose trajectories are kept, all where there are fewer; \
         statistics use all. Absent: 16.";
    quantiles: Numbers(None), Default("[0.05, 0.25, 0.5, 0.75, 0.95]"),
        "Probabilities of the quantiles in the statistics, ascending, between 0 and 1.";
}

/// The word that switches a bound off.
pub const NO_BOUND: &[&str] = &["none"];

pub(super) const BOUND_FORM: Form = Form::Either(&[&Form::Number, &Form::Choice(NO_BOUND)]);

section! { pub static VERDICT =
        "Bounds on errors, and a condition on the motion: an instance that passes one is stopped in its last \
         good state, the others go on.";
    energy: BOUND_FORM, Optional,
        "Largest relative energy drift |E - E0| / (T0 + |V0|), or \"none\". Absent: where joints hold bodies \
         (not by a penalty) and no load, generator or actuator does work, the energy may grow by a tenth of \
         T0 + |V0| + T + sum of m g s, and where nothing takes energy it may change by no more; s is how far \
         joints are from the origins of their bodies. Maps and studies of methods have no such default.";
    quaternion_norm: Positive(Dimension::Number), Optional,
        "Largest error of the quaternion's norm. Absent: not checked.";
    constraint: BOUND_FORM, Optional,
        "Largest |Phi| of what holds the bodies, as the channel constraint_violation has it (m, or 1 for \
         cosines), or \"none\". Absent: a thousandth of how far joints are from the origins of their bodies, \
         at least 1e-5 and at most 1e-3; 0.1 where locks may catch; none for a penalty, in maps and in \
         studies of methods.";
    when: FUNCTION_FORM, Optional,
        "A condition on the motion, such as \"abs(hinge.angle) > 1\", at which an instance ends. It is \
         looked at with the bounds.";
    name: Text, Optional,
        "Name of the verdict of an instance that ends by `when`, such as \"toppled\". Absent: `condition`. \
         Of several conditions that hold at a check, the first of the file gives the verdict.";
    at_end: Flag, Default("false"),
        "true: the condition is looked at when an instance has come to its end, and there alone. It stops \
         nothing.";
    every: Either(&[&Count { min: 1, max: MAX_STEPS }, &QuantityText(Time)]), Optional,
        "Steps between checks: an integer, or a time with its unit. Absent: each step is checked where a \
         condition `when` may end an instance on its way, else every hundredth.";
}
