//! The question as described: a mechanism, a method, an ensemble, what to observe. Values are
//! resolved (SI, checked).

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use super::channel::ObservedChannel;
use super::kind::{KindCard, MonteCarlo};
use super::mechanism::Mechanism;
use super::sensitivity::Sensitivity;
use super::steady::SteadyMotion;
use super::vary::{Distribution, Vary};
use crate::base::{Options, Precision, Setting, shown, spread};
use crate::treatments::{self, TreatmentCard};

/// A study file, resolved: every value in SI units, every default filled in, the mechanism read.
#[derive(Clone, Debug, PartialEq)]
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

/// A kind of study, by what its table sets.
pub trait Question: Settings {
    fn card(&self) -> &'static KindCard;

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

    /// The number of kernels that it takes, and the instances of each ensemble that it advances: of
    /// a `pilot` first, by which bins are laid.
    fn ensembles(&self, pilot: u64, study: &Study) -> (usize, Vec<u64>) {
        (1, vec![study.ensemble.size.min(pilot), study.ensemble.size])
    }

    /// Its own bounds on an instance, where a study gives none; checked `every` so many steps.
    fn bounds(&self, every: u64, mechanism: &Mechanism, vary: &[Vary]) -> Option<VerdictBounds> {
        let _ = (every, mechanism, vary);
        None
    }

    /// The studies whose instances it numbers one after the other.
    fn studies(&self, study: &Study) -> Vec<Study> {
        vec![study.clone()]
    }
}

/// Settings that can be compared and shown without their type.
pub trait Settings: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn Question) -> bool;
}

impl<K: Any + Debug + PartialEq + Send + Sync> Settings for K {
    fn equals(&self, other: &dyn Question) -> bool {
        other.settings::<K>() == Some(self)
    }
}

impl dyn Question {
    /// As studies name it.
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    /// The settings of its table, if it is of this kind.
    pub fn settings<K: Any>(&self) -> Option<&K> {
        (self as &dyn Any).downcast_ref()
    }
}

/// The question of a study, of whatever kind.
#[derive(Clone, Debug)]
pub struct StudyKind(Arc<dyn Question>);

impl<K: Question> From<K> for StudyKind {
    fn from(kind: K) -> StudyKind {
        StudyKind(Arc::new(kind))
    }
}

impl Deref for StudyKind {
    type Target = dyn Question;

    fn deref(&self) -> &dyn Question {
        &*self.0
    }
}

impl PartialEq for StudyKind {
    fn eq(&self, other: &StudyKind) -> bool {
        (**self).equals(&**other)
    }
}

impl Question for MonteCarlo {
    fn card(&self) -> &'static KindCard {
        &MonteCarlo::CARD
    }
}

impl Question for Sensitivity {
    fn card(&self) -> &'static KindCard {
        &Sensitivity::CARD
    }

    fn screening(&self) -> Option<&Sensitivity> {
        Some(self)
    }

    fn ensembles(&self, _: u64, study: &Study) -> (usize, Vec<u64>) {
        (1, vec![study.ensemble.size])
    }
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

#[derive(Clone, Debug, PartialEq)]
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
    pub chosen: bool,
}

/// Accuracy that the results of a study must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Open {
    pub name: bool,
    pub step: bool,
    pub treatment: bool,
    pub project: bool,
    pub resynchronise: bool,
    /// The precision of the steps: chosen where a GPU takes them.
    pub precision: bool,
    /// Time between checks of the verdict (s), where it does not follow the step.
    pub checks: Option<f64>,
}

/// Treatment of the joints.
#[derive(Clone, Debug, PartialEq)]
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

#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// One ChaCha stream an instance.
    Random,
    /// Sobol points by index, digitally shifted by the seed.
    Sobol,
    /// Latin hypercube by index over the whole ensemble.
    LatinHypercube,
}

#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AccuracySettings {
    /// Longest time that it may take (s), 0: it is not measured; `None`: a minute. What takes
    /// longer is not judged.
    pub budget: Option<f64>,
    /// Operations that it may take, as a share of the run's; `None`: a tenth.
    pub share: Option<f64>,
}

/// Which files a run leaves besides its statistics.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// One, or several where it would be too long.
    #[default]
    Auto,
    /// One, however long.
    Whole,
    /// Several, however short.
    Cut,
}

#[derive(Clone, Debug, PartialEq, Eq)]
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
