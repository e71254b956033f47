//! The question as described: a mechanism, a method, an ensemble, what to observe. Values are
//! resolved (SI, checked).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::channel::ObservedChannel;
use super::kind::StudyKind;
use super::mechanism::Mechanism;
use crate::base::{Options, Precision, Setting, shown, spread};
use crate::treatments::{self, TreatmentCard};

/// A study file, resolved: every value in SI units, every default filled in, the mechanism read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Study {
    /// Its title in reports.
    pub title: String,
    /// The question that it asks.
    pub kind: StudyKind,
    /// The mechanism that moves.
    pub mechanism: Mechanism,
    /// Time integration: method, step, number of steps.
    pub method: TimeIntegration,
    /// Treatment of the joints.
    pub constraints: Constraints,
    /// Which instances there are.
    pub ensemble: Ensemble,
    /// Channels that are observed, and when.
    pub observe: Observe,
    /// Bounds beyond which an instance has failed.
    pub verdict: VerdictBounds,
    /// Settings of the measurement of the run's error.
    pub accuracy: AccuracySettings,
    /// Which files a run leaves.
    pub output: OutputSettings,
    /// On which processor, in which precision.
    pub run: Run,
}

/// Whole numbers up to this one are exact in single precision.
const COUNTED_IN_SINGLE: u64 = 1 << 24;

impl Study {
    /// Why its steps cannot be counted in its precision, if they must and cannot.
    pub fn uncountable(&self) -> Option<String> {
        uncountable(&self.mechanism, self.method.steps, self.run.precision)
    }
}

/// As [`Study::uncountable`].
pub fn uncountable(mechanism: &Mechanism, steps: u64, precision: Precision) -> Option<String> {
    let too_many = mechanism.counts_steps() && precision.is_single() && steps > COUNTED_IN_SINGLE;
    too_many.then(|| {
        format!(
            "{steps} steps cannot be counted in f32, which functions of time and locks need: at most \
             {COUNTED_IN_SINGLE} can"
        )
    })
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeIntegration {
    /// One of `methods::cards`.
    pub name: &'static str,
    /// A value for every key of its card.
    pub options: Options,
    /// Full step h (s), positive.
    pub step: f64,
    /// Number of full steps, at least 1: the duration divided by the step, rounded; refused when
    /// they do not fit within 1e-6 of a step.
    pub steps: u64,
    /// Full steps between restarts of what drifts apart; 0: never, or there is nothing to restart.
    pub resynchronise: u64,
    /// Accuracy that the results must reach; `None`: the user does not say.
    pub accuracy: Option<RequestedAccuracy>,
    /// Choices to be made by measurement before anything is run; the fields above stand in for them
    /// till then. `None`: nothing.
    pub open: Option<Open>,
    /// Method and step were chosen so: the study's file does not name both.
    #[serde(skip)]
    pub chosen: bool,
}

/// Accuracy that the results of a study must reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestedAccuracy {
    /// Largest error of any instance, snapshot and observed column, as a share of the column's
    /// scale.
    Error(f64),
    /// The bias of means is at most a tenth of their standard error at the size of the ensemble.
    Statistical,
}

impl RequestedAccuracy {
    /// The accuracy of a study that names neither method nor accuracy.
    pub const STANDARD: RequestedAccuracy = RequestedAccuracy::Error(1e-4);
}

/// The choices that a study leaves to be made by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Open {
    pub name: bool,
    pub step: bool,
    pub treatment: bool,
    pub project: bool,
    pub resynchronise: bool,
    /// The precision of the steps: chosen where a GPU takes them.
    pub precision: bool,
    /// Time between checks of the verdict (s), where it is given as a time.
    pub checks: Option<f64>,
}

/// Treatment of the joints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constraints {
    /// One of [`CARDS`](crate::treatments::CARDS).
    pub treatment: &'static str,
    /// A value for every key of its card, but for numbers whose defaults
    /// [differ between instances](Self::numbers).
    pub options: Options,
    /// Positions and velocities are projected on to the joints every so many steps; 0: never.
    pub project: u64,
}

impl Constraints {
    /// Those of a study that does not say.
    pub fn standard() -> &'static Constraints {
        static STANDARD: LazyLock<Constraints> = LazyLock::new(Constraints::default);
        &STANDARD
    }

    /// The card of its treatment.
    pub fn card(&self) -> &'static TreatmentCard {
        let of_name = treatments::CARDS.iter().find(|card| card.name == self.treatment);
        of_name.expect("the treatment of a study is one of the registry")
    }

    /// The numbers among its settings, in the order of its card; `None`: the default, which differs
    /// between instances.
    pub fn given(&self) -> Vec<Option<f64>> {
        self.card().given(&self.options)
    }

    /// The numbers among its settings, for an instance with this step (s).
    pub fn numbers(&self, step: f64, precision: Precision) -> Vec<f64> {
        self.card().resolved(&self.given(), step, precision)
    }

    /// Returns these constraints with other numbers.
    pub fn with_numbers(&self, numbers: &[f64]) -> Constraints {
        let named = self.card().numbers().zip(numbers);
        let options = named.fold(self.options.clone(), |options, (number, value)| {
            options.with(number.name, Setting::Number(*value))
        });
        Constraints { options, ..self.clone() }
    }
}

impl Default for Constraints {
    fn default() -> Self {
        Constraints { treatment: treatments::DEFAULT.name, options: Options::default(), project: 0 }
    }
}

impl TimeIntegration {
    /// Its name and settings in one line, for people.
    pub fn summary(&self) -> String {
        let mut parts = vec![self.name.to_string()];
        let text = |setting: &Setting| match setting {
            Setting::Number(x) => shown(*x),
            setting => setting.to_string(),
        };
        parts.extend(self.options.iter().map(|(key, setting)| format!("{key} = {}", text(setting))));
        if self.resynchronise > 0 {
            parts.push(format!("resynchronised every {} steps", self.resynchronise));
        }
        parts.join(", ")
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ensemble {
    /// Number of instances, 1 to 10^9.
    pub size: u64,
    pub seed: u64,
    pub design: Design,
    /// In the order of the file.
    pub vary: Vec<Vary>,
    /// Numbers of them that are drawn together.
    pub correlated: Vec<Correlated>,
    /// When there are enough instances; `None`: there are `size`.
    pub until: Option<StoppingRule>,
}

/// Varied numbers that are drawn together, by a Gaussian copula: each keeps its own distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correlated {
    /// Names of numbers, as their columns have them.
    pub of: Vec<String>,
    /// Correlations of the normal numbers behind them: symmetric, positive semidefinite, ones on
    /// the diagonal.
    pub correlation: Vec<Vec<f64>>,
}

impl Ensemble {
    /// Whether its first instances are those of a larger ensemble: instance i is drawn by seed and
    /// i alone.
    pub fn grows(&self) -> bool {
        let drawn = |vary: &Vary| matches!(vary.distribution, Distribution::Drawn { .. });
        matches!(self.design, Design::Random | Design::Sobol) && self.vary.iter().all(drawn)
    }

    /// Instances that stand for all, ascending, `count` of them or all: the first ones where the
    /// ensemble [grows](Self::grows), so that a larger one has the same; else spread, as the first
    /// instances of a grid differ in its last axis only.
    pub fn spread(&self, count: u64) -> Vec<u64> {
        match self.grows() {
            true => (0..count.min(self.size)).collect(),
            false => spread(self.size, count),
        }
    }
}

/// An ensemble has enough instances when the mean of a column at the end is known to within
/// `half_width`: z s / sqrt(n) <= half_width, with the standard deviation s of n instances and the
/// normal quantile z of (1 + confidence)/2.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingRule {
    /// Name of an observed column.
    pub channel: String,
    /// In the column's SI unit.
    pub half_width: f64,
    /// SI unit that the half-width was given with; "1" of a plain number, which has the column's.
    pub unit: Cow<'static, str>,
    /// 0.5 to 0.9999
    pub confidence: f64,
}

/// Where the unit-interval numbers come from that the distributions turn into values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// One ChaCha stream an instance.
    Random,
    /// Sobol points by index, digitally shifted by the seed.
    Sobol,
    /// Latin hypercube by index over the whole ensemble.
    LatinHypercube,
}

/// One varied quantity and how it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Vary {
    pub target: Target,
    pub distribution: Distribution,
}

/// A varied quantity of the mechanism, whole or one component of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Target {
    /// As the user wrote it, e.g. `body.angular_velocity` or `body.angular_velocity.x`.
    pub key: String,
    /// The body whose quantity it is; 0 for what belongs to no body.
    pub body: usize,
    pub quantity: Quantity,
    /// Component 0..3 of a vector (`.x .y .z`), or of the inertia's diagonal (`.xx .yy .zz`);
    /// `None`: the whole.
    pub component: Option<usize>,
}

/// A value or initial value of the mechanism that an ensemble can vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// 1 number (kg)
    Mass,
    /// whole: 3 diagonal entries (kg m²); off-diagonal entries stay as described
    Inertia,
    /// 3 (m)
    CentreOfMass,
    /// 3 (m)
    Position,
    /// 3 (m/s)
    Velocity,
    /// 4: unit quaternion; only whole, only by attitude distributions, list or table
    Attitude,
    /// 3 (rad/s)
    AngularVelocity,
    /// 3 (m/s²)
    Gravity,
    /// 1 (m/s²): g of the gravity [0, 0, -g]
    GravityDown,
    /// 3 (N or N m): `LOAD.value` (a load of one piece) or `LOAD.value[K]`, pieces counted from 0
    LoadValue { load: usize, piece: usize },
    /// One number of a joint, force or lock: its position in [`Mechanism::numbers`].
    Number(usize),
    /// The full step (s)
    Step,
    /// One number of the treatment of joints: its position in
    /// [`TreatmentCard::numbers`](crate::treatments::TreatmentCard::numbers).
    Setting(usize),
}

impl Quantity {
    /// The count of numbers that the whole quantity has.
    pub fn width(self) -> usize {
        match self {
            Quantity::Mass
            | Quantity::GravityDown
            | Quantity::Number(_)
            | Quantity::Step
            | Quantity::Setting(_) => 1,
            Quantity::Attitude => 4,
            Quantity::Inertia
            | Quantity::CentreOfMass
            | Quantity::Position
            | Quantity::Velocity
            | Quantity::AngularVelocity
            | Quantity::Gravity
            | Quantity::LoadValue { .. } => 3,
        }
    }
}

impl Quantity {
    /// Whether it is the gravity, as a vector or downwards.
    pub fn is_gravity(self) -> bool {
        matches!(self, Quantity::Gravity | Quantity::GravityDown)
    }
}

impl Target {
    /// Its position in [`Mechanism::numbers`], if it is one of them.
    pub fn number(&self) -> Option<usize> {
        match self.quantity {
            Quantity::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The count of numbers that are drawn for it: 1 for a component, else the quantity's width.
    pub fn width(&self) -> usize {
        if self.component.is_some() { 1 } else { self.quantity.width() }
    }
}

/// Rule by which a target's numbers are drawn. Vectors have the target's width; a scalar given for
/// a vector is repeated when the description is resolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// By the distribution of this name, one of `ensemble::sampling::distributions::CARDS`,
    /// with these values of its parameters.
    Drawn { name: &'static str, values: Values },
    /// One entry after another. Lists and grids are the axes of a Cartesian product in the order of
    /// the file, the last axis fastest; the product repeats when the ensemble is a multiple of it.
    List { values: Vec<Vec<f64>> },
    /// `count` values from `from` to `to`, both included; an axis of the same product. Width 1
    /// targets only.
    Linspace { from: f64, to: f64, count: u64 },
    /// As `Linspace` in the logarithm; 0 < from, to.
    Logspace { from: f64, to: f64, count: u64 },
    /// The user's own samples, row i for instance i, already read and in SI units: `width` columns.
    Table {
        file: String,
        columns: Vec<String>,
        #[serde(skip)]
        values: std::sync::Arc<Vec<Vec<f64>>>,
    },
}

/// The steps (s) of an ensemble whose instances have each its own: the shortest and the longest
/// that can be drawn; `None`: the distribution has no such end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariedStep {
    pub shortest: Option<f64>,
    pub longest: Option<f64>,
}

impl VariedStep {
    /// The text that follows "steps".
    pub fn sentence(&self) -> String {
        match (self.shortest, self.longest) {
            (Some(shortest), Some(longest)) => format!("of {shortest} to {longest} s"),
            _ => "that vary".to_string(),
        }
    }
}

impl Distribution {
    /// The distribution of this name with these values of its parameters.
    pub fn drawn<const N: usize>(
        name: &'static str,
        values: [(&'static str, ParameterValue); N],
    ) -> Distribution {
        Distribution::Drawn { name, values: Values(BTreeMap::from(values)) }
    }

    /// Whether it is drawn, not laid out.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Distribution::Drawn { .. })
    }

    /// Whether its values are laid out as an axis of the grid.
    pub fn is_axis(&self) -> bool {
        self.points().is_some()
    }

    /// The number of values that an axis of the grid has; `None`: it is no axis.
    pub fn points(&self) -> Option<u64> {
        match self {
            Distribution::List { values } => Some(values.len() as u64),
            Distribution::Linspace { count, .. } | Distribution::Logspace { count, .. } => Some(*count),
            Distribution::Drawn { .. } | Distribution::Table { .. } => None,
        }
    }
}

/// Values of a distribution's parameters, in SI units, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Values(BTreeMap<&'static str, ParameterValue>);

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ParameterValue {
    Number(f64),
    /// One number for each number of the target, or of an attitude or a direction.
    Vector(Vec<f64>),
    /// A matrix, row by row.
    Rows(Vec<Vec<f64>>),
    /// The parts of a mixture.
    Parts(Vec<MixturePart>),
}

/// One part of a mixture: a distribution by its name with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixturePart {
    /// Positive; its share of all weights counts.
    pub weight: f64,
    pub name: &'static str,
    pub values: Values,
}

impl Values {
    pub fn set(&mut self, name: &'static str, value: ParameterValue) {
        self.0.insert(name, value);
    }

    pub fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.0.get(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The vector of this name; empty where there is none.
    pub fn vector(&self, name: &str) -> &[f64] {
        match self.0.get(name) {
            Some(ParameterValue::Vector(vector)) => vector,
            _ => &[],
        }
    }

    /// The number of this name; NaN where there is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(ParameterValue::Number(number)) => *number,
            _ => f64::NAN,
        }
    }

    /// The parts of a mixture; empty where there are none.
    pub fn parts(&self, name: &str) -> &[MixturePart] {
        match self.0.get(name) {
            Some(ParameterValue::Parts(parts)) => parts,
            _ => &[],
        }
    }

    /// The matrix of this name.
    pub fn rows(&self, name: &str) -> Option<&[Vec<f64>]> {
        match self.0.get(name) {
            Some(ParameterValue::Rows(rows)) => Some(rows),
            _ => None,
        }
    }
}

impl From<f64> for ParameterValue {
    fn from(number: f64) -> ParameterValue {
        ParameterValue::Number(number)
    }
}

impl From<Vec<f64>> for ParameterValue {
    fn from(vector: Vec<f64>) -> ParameterValue {
        ParameterValue::Vector(vector)
    }
}

impl<const N: usize> From<[f64; N]> for ParameterValue {
    fn from(vector: [f64; N]) -> ParameterValue {
        ParameterValue::Vector(vector.to_vec())
    }
}

impl From<Vec<MixturePart>> for ParameterValue {
    fn from(parts: Vec<MixturePart>) -> ParameterValue {
        ParameterValue::Parts(parts)
    }
}

impl From<Vec<Vec<f64>>> for ParameterValue {
    fn from(rows: Vec<Vec<f64>>) -> ParameterValue {
        ParameterValue::Rows(rows)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observe {
    pub channels: Vec<ObservedChannel>,
    /// Full steps between snapshots, at least 1. Snapshots are at step 0, every, 2 every, ... and
    /// at the last step.
    pub every: u64,
    /// Number of instances (the first ones) whose trajectories are kept; there may be fewer.
    pub keep: u64,
    /// Probabilities of the quantiles in the statistics, ascending, in (0, 1).
    pub quantiles: Vec<f64>,
}

/// An instance is stopped, with its verdict, in the last state that satisfies these.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VerdictBounds {
    /// Largest |E - E0| / (T0 + |V0|); `None`: not checked.
    pub energy: Option<f64>,
    /// Change of energy that is judged where `energy` is not given.
    pub unexplained: Unexplained,
    /// Largest | |q| - 1 |; `None`: not checked.
    pub quaternion_norm: Option<f64>,
    /// Largest |Phi|, as the channel `constraint_violation` has it; `None`: not checked.
    pub constraint: Option<f64>,
    /// Full steps between checks, at least 1.
    pub every: u64,
}

/// Energy that nothing explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unexplained {
    #[default]
    Nothing,
    /// More than there was: something may take energy, but nothing brings any.
    Gain,
    /// More or less than there was.
    Change,
}

impl Unexplained {
    /// Largest share, of `T0 + |V0| + T + sum of m g s`, `s` how far joints are from the origins of
    /// their bodies. An energy at the start may be zero, and what rests has rounding.
    pub const SHARE: f64 = 0.1;
}

/// Settings of the measurement of a run's error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AccuracySettings {
    /// Longest time that it may take (s), 0: it is not measured; `None`: a minute. What takes
    /// longer is not judged.
    pub budget: Option<f64>,
    /// Operations that it may take, as a share of the run's; `None`: a tenth.
    pub share: Option<f64>,
}

/// Which files a run leaves besides its statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutputSettings {
    /// Columns that are written of each instance.
    pub instances: InstanceTable,
    /// Whether the folder `plots/` is written.
    pub plots: bool,
    /// Whether `report.html` is written.
    pub report: bool,
    /// Whether all that is kept of the ensemble is written, so that the run can be extended.
    pub state: bool,
}

impl Default for OutputSettings {
    fn default() -> OutputSettings {
        OutputSettings { instances: InstanceTable::All, plots: false, report: true, state: true }
    }
}

impl OutputSettings {
    /// Whether pictures are needed: for their folder, or for the report, which has them inside.
    pub fn has_pictures(&self) -> bool {
        self.plots || self.report
    }
}

/// Which columns the table of instances has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceTable {
    /// All of them.
    All,
    /// There is no such table.
    None,
    /// Number and verdict of each instance, and the columns of these names. A name without its last
    /// parts stands for all columns that begin with it: `drawn`, `final.body.angular_velocity`.
    Columns(Vec<String>),
}

impl InstanceTable {
    /// Whether the table has this column.
    pub fn keeps(&self, column: &str) -> bool {
        match self {
            InstanceTable::All => true,
            InstanceTable::None => false,
            InstanceTable::Columns(names) => names.iter().any(|name| InstanceTable::names(name, column)),
        }
    }

    /// Whether `name` stands for the column.
    pub fn names(name: &str, column: &str) -> bool {
        column.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    pub backend: BackendChoice,
    pub precision: Precision,
    /// CPU arithmetic: multiply-add fused to one rounding where the processor can, or never fused
    /// (the bits of a GPU that does not fuse).
    pub fused: bool,
    /// CPU threads; `None`: all.
    pub threads: Option<usize>,
    /// Instances advanced together; `None`: as many as take some seconds. Results do not depend on
    /// it.
    pub chunk: Option<u64>,
    /// The text that a GPU gets.
    pub kernels: Kernels,
    /// Time between checkpoints (s); `None`: as often as they cost little.
    pub checkpoint: Option<f64>,
}

/// The kernels by which a GPU takes a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kernels {
    /// One, or several where it would be too long.
    #[default]
    Auto,
    /// One, however long.
    Whole,
    /// Several, however short.
    Cut,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BackendChoice {
    /// A real GPU if there is one, else the CPU.
    Auto,
    Cpu,
    /// Any GPU, software ones included; with a name: the first adapter whose name contains it (any
    /// case).
    Gpu {
        adapter: Option<String>,
    },
}
