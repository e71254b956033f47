//! Distributions, one file each: a card that says what a study file gives, and a map from unit
//! numbers to values.
//!
//! A map takes `dimension()` independent numbers, uniform on (0, 1), and nothing else, and always
//! the same count; so random, Sobol and Latin hypercube points go through the same code. Maps of
//! one variable rise with their unit number: this keeps stratified points stratified.
//!
//! The reader, the writer, the JSON Schema, the messages and `docs/distributions.md` come from the
//! cards. To add a distribution, write its file and add its line to [`CARDS`]
//! (`docs/extending.md`).

pub mod covariance;
pub mod log_uniform;
pub mod mixture;
pub mod normal;
pub mod small_rotation;
pub mod triangular;
pub mod truncated_normal;
pub mod uniform;
pub mod uniform_attitude;
pub mod von_mises_fisher;

use std::fmt::Debug;
use std::sync::Arc;

use thiserror::Error;

use crate::describe::{Quantity, Target, Values};

/// All distributions, in the order in which they are listed for people.
pub const CARDS: &[&DistributionCard] = &[
    &normal::CARD,
    &uniform::CARD,
    &log_uniform::CARD,
    &truncated_normal::CARD,
    &triangular::CARD,
    &mixture::CARD,
    &von_mises_fisher::CARD,
    &small_rotation::CARD,
    &uniform_attitude::CARD,
];

/// The card of the distribution of this name.
pub fn card(name: &str) -> Option<&'static DistributionCard> {
    CARDS.iter().find(|card| card.name == name).copied()
}

/// A distribution's description.
#[derive(Debug)]
pub struct DistributionCard {
    /// Name in study files.
    pub name: &'static str,
    /// The word that stands for it in study files, where it has no parameters.
    pub word: Option<&'static str>,
    /// One line.
    pub title: &'static str,
    /// Heading of its table of parameters.
    pub heading: &'static str,
    /// Density or law, in the symbols of its parameters.
    pub law: &'static str,
    /// Map from unit numbers u to the value.
    pub map_in_words: &'static str,
    pub fits: Fits,
    pub parameters: &'static [Parameter],
    /// Conditions that the parameters must satisfy together.
    pub rules: &'static [Rule],
    /// Parameters that are its lowest and its highest value.
    pub ends: Option<[&'static str; 2]>,
    /// Whether a text such as "±10 %" stands for its ends, about the mechanism's own value.
    pub takes_share: bool,
    /// Parameter that leaves a single value where it is 0.
    pub spread: Option<&'static str>,
    /// Returns how many unit numbers each input of a sensitivity study takes, for a target of this
    /// width: numbers that are drawn independently are inputs of their own.
    pub inputs: fn(&Values, usize) -> Vec<usize>,
    /// Its map for a target, from values of its parameters.
    pub map: MakeMap,
}

/// A map for a target, from values of parameters.
pub type MakeMap = fn(&Values, &Target) -> Result<Arc<dyn Map>, DistributionError>;

impl DistributionCard {
    /// Whether a study file gives it by a list of parts.
    pub fn is_mixture(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.form, ParameterForm::Parts))
    }

    /// Whether a study file gives this parameter or another one.
    pub fn is_alternative(&self, parameter: &str) -> bool {
        self.rules.iter().any(|rule| matches!(rule, Rule::ExactlyOne(names) if names.contains(&parameter)))
    }
}

/// Targets that a distribution can draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fits {
    /// Anything but an attitude; a vector component by component.
    Numbers,
    /// A whole vector, which has a direction.
    Vector,
    /// A whole attitude.
    Attitude,
}

impl Fits {
    pub fn target(self, target: &Target) -> bool {
        let attitude = target.quantity == Quantity::Attitude;
        match self {
            Fits::Numbers => !attitude,
            Fits::Vector => !attitude && target.quantity != Quantity::Inertia && target.width() == 3,
            Fits::Attitude => attitude && target.component.is_none(),
        }
    }
}

/// One parameter of a distribution.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub form: ParameterForm,
    /// One line.
    pub meaning: &'static str,
}

/// The values that a study file gives for a parameter, and what is read where it gives nothing.
#[derive(Clone, Copy, Debug)]
pub enum ParameterForm {
    /// Values of the target. Absent: those of the mechanism.
    OwnValues,
    /// Values of the target.
    Values,
    /// Values that the description of the target allows.
    AllowedValues,
    /// Values that the description of the target allows, above 0.
    PositiveValues,
    /// Values of the target. Absent: this one, which stands for no bound.
    Bound(f64),
    /// Standard deviations of the target's numbers, not negative.
    Deviation,
    /// Standard deviations above 0.
    PositiveDeviation,
    /// The deviations named `std` as a share of the magnitude of the mean.
    RelativeDeviation,
    /// Covariance matrix of the target's numbers (SI units squared).
    Covariance,
    /// Unit vector.
    Direction,
    /// Pure number, not negative.
    Ratio,
    /// Length of the target's vector, not negative.
    Magnitude,
    /// Three angles (rad), not negative.
    Angles,
    /// Unit quaternion. Absent: the mechanism's initial attitude.
    Attitude,
    /// The parts of a mixture: their weights, and their distributions beside them.
    Parts,
}

impl ParameterForm {
    /// Whether a study file may leave it out.
    pub fn is_optional(self) -> bool {
        use ParameterForm::{Attitude, Bound, OwnValues};
        matches!(self, OwnValues | Bound(_) | Attitude)
    }
}

/// A condition on several parameters.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// A study file gives exactly one of these.
    ExactlyOne(&'static [&'static str]),
    /// A study file gives at least one of these two; else this is the advice.
    Either([&'static str; 2], &'static str),
    /// No number of the first is above that of the second.
    NotAbove(&'static str, &'static str),
    /// Every number of the first is below that of the second.
    Below(&'static str, &'static str),
}

/// Why a distribution cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DistributionError {
    #[error("there is no distribution {0}")]
    Unknown(&'static str),
    /// Values of parameters out of range.
    #[error("{wanted}, not {}", words(given))]
    Range { wanted: &'static str, given: Vec<f64> },
    #[error("a parameter has {given} numbers where the target takes {width}")]
    Width { given: usize, width: usize },
    #[error("the mean needs {width} finite numbers")]
    Mean { width: usize },
    #[error("the covariance matrix needs {width} rows of {width}")]
    CovarianceShape { width: usize },
    #[error("{0}")]
    Covariance(#[from] covariance::CovarianceError),
    #[error("a small rotation needs three std >= 0")]
    Angles,
    #[error("the {0}")]
    NotUnit(&'static str),
    #[error("the interval {low:?} to {high:?} is more than {farthest:e} std from the mean")]
    TooFar { low: f64, high: f64, farthest: f64 },
    #[error("an attitude is drawn uniformly, by a small rotation, from a list or from a table")]
    OfAttitude,
    #[error("only a whole attitude can be drawn by this distribution")]
    NoAttitude,
    #[error("the numbers of a part of a mixture are drawn one by one, which {0} does not do here")]
    Joint(&'static str),
    #[error("a von Mises-Fisher distribution needs a whole vector")]
    NoVector,
}

fn words(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    numbers.join(" and ")
}

/// The most unit numbers a map takes.
pub const MOST_DIMENSIONS: usize = 3;

/// A map from unit numbers to the values of a target.
pub trait Map: Debug + Send + Sync {
    /// Returns how many unit numbers the map takes, at most [`MOST_DIMENSIONS`].
    fn dimension(&self) -> usize;

    /// The target's values at the unit numbers `u`, of which the first `dimension()` count.
    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]);

    /// The map of number k, which takes unit number k alone; `None`: numbers are drawn together.
    fn marginal(&self, _k: usize) -> Option<&dyn Scalar> {
        None
    }
}

/// A map of one variable.
pub trait Scalar: Debug + Send + Sync + 'static {
    /// The value at a unit number; rises with it.
    fn value(&self, u: f64) -> f64;

    /// The distribution function: the unit number up to which values are below x; 0 and 1 beyond
    /// all of them.
    fn probability(&self, x: f64) -> f64;
}

/// The distribution function of a map by bisection, where no formula is accurate.
fn inverted(scalar: &dyn Scalar, x: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > f64::EPSILON {
        let middle = 0.5 * (low + high);
        if scalar.value(middle) < x { low = middle } else { high = middle }
    }
    high
}

/// Each value of a target from a unit number of its own.
#[derive(Debug)]
struct Independent<S>(Vec<S>);

impl<S: Scalar> Map for Independent<S> {
    fn dimension(&self) -> usize {
        self.0.len()
    }

    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        for ((scalar, u), out) in self.0.iter().zip(u).zip(out) {
            *out = scalar.value(u);
        }
    }

    fn marginal(&self, k: usize) -> Option<&dyn Scalar> {
        self.0.get(k).map(|scalar| scalar as &dyn Scalar)
    }
}

/// One map for each number of the target, from the k-th entry of every parameter.
fn each<const N: usize, S: Scalar>(
    values: &Values,
    target: &Target,
    parameters: [&'static str; N],
    scalar: impl Fn([f64; N]) -> Result<S, DistributionError>,
) -> Result<Arc<dyn Map>, DistributionError> {
    let width = numbers(target)?;
    let parameters = parameters.map(|name| values.vector(name));
    for parameter in parameters {
        require(parameter.len() == width, DistributionError::Width { given: parameter.len(), width })?;
    }
    let scalars = (0..width).map(|k| scalar(parameters.map(|parameter| parameter[k])));
    Ok(Arc::new(Independent(scalars.collect::<Result<Vec<S>, _>>()?)))
}

/// Every number is an input of its own.
fn one_each(_: &Values, width: usize) -> Vec<usize> {
    vec![1; width]
}

/// The width of a target whose numbers may be drawn one by one.
fn numbers(target: &Target) -> Result<usize, DistributionError> {
    require(target.quantity != Quantity::Attitude, DistributionError::OfAttitude)?;
    Ok(target.width())
}

/// A parameter of a fixed number of numbers.
fn fixed<const N: usize>(values: &Values, name: &str) -> Result<[f64; N], DistributionError> {
    let given = values.vector(name);
    given.try_into().map_err(|_| DistributionError::Width { given: given.len(), width: N })
}

/// Whether a vector has length 1, to the digits that people write.
pub fn is_unit(vector: &[f64]) -> bool {
    (vector.iter().map(|part| part * part).sum::<f64>().sqrt() - 1.0).abs() <= 1e-6
}

fn require(condition: bool, error: DistributionError) -> Result<(), DistributionError> {
    if condition { Ok(()) } else { Err(error) }
}

fn in_range(
    condition: bool,
    wanted: &'static str,
    given: impl Into<Vec<f64>>,
) -> Result<(), DistributionError> {
    if condition { Ok(()) } else { Err(DistributionError::Range { wanted, given: given.into() }) }
}
