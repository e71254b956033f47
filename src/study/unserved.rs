//! Questions that cannot be asked of a mechanism, a method or an ensemble: why, and what to do.

use std::error::Error;

use crate::base::grouped;

/// Why a question cannot be asked of the mechanism, the method or the ensemble.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unserved {
    #[error(
        "study.kind = \"lyapunov\": the lock `{0}` catches with an impact, which has no tangent here; \
         take the lock away, or ask for \"monte_carlo\""
    )]
    LockHasNoTangent(String),
    #[error(
        "study.exponents = {exponents}: the mechanism's state has {freedoms} dimensions, positions and \
         velocities that nothing holds; 1 to {freedoms} exponents can be had"
    )]
    TooManyExponents { exponents: usize, freedoms: usize },
    #[error(
        "study.exponents = {exponents}: the method {method} carries a second chain, which is never restarted \
         (method.resynchronise = 0): its distance from the first has exponents of its own; restart it \
         every 20 steps, say, or ask for one exponent"
    )]
    NeverRestarted { exponents: usize, method: &'static str },
    #[error(
        "{snapshots} snapshots of {columns} exponents are too many; observe less often: observe.every = \
         {every} or more steps"
    )]
    TooManyCells { snapshots: usize, columns: usize, every: u64 },
    #[error(
        "study.transition is written for the kept instances, {numbers} numbers each; observe.keep = {kept}, \
         and 1 to {most} can be had"
    )]
    TransitionsKept { numbers: u64, kept: u64, most: u64 },
    #[error(
        "the shards were computed by {shards}, and boundaries would be refined by {here}: the bits may \
         differ; merge on a machine like theirs"
    )]
    MergedElsewhere { shards: String, here: String },
    #[error(
        "the budget of {budget:?} s is spent, and accurate motions of {known} of {judged} instances are \
         known: give a longer study.budget, or fewer instances"
    )]
    BudgetSpent { budget: f64, known: usize, judged: usize },
    #[error("a sensitivity is one of observed channels, and none is observed; give observe.channels")]
    NothingObserved,
    /// The text of [`Sensitivity::is_not`](crate::describe::Sensitivity::is_not).
    #[error("{0}")]
    OtherSize(String),
    #[error(
        "{instances} instances with {width} observed numbers need {gib:.1} GiB for their outputs, and at \
         most {most} GiB are taken; give fewer samples or channels"
    )]
    TooManyOutputs { instances: u64, width: u64, gib: f64, most: u64 },
    #[error(
        "ensemble.until.channel: there is no column {channel:?}{}; observed are {observed}",
        near.as_ref().map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
    )]
    NoColumn { channel: String, near: Option<String>, observed: String },
    #[error("ensemble.until.half_width: is in {given}, and {column} is in {unit}")]
    OtherUnit { given: String, column: String, unit: String },
    #[error("a study of kind {0} is computed in f64 on the CPU: leave --backend and --precision out")]
    OnCpuAlone(&'static str),
    #[error(
        "the sampled state `{signal}` depends on its own last value, and a study of kind {kind} follows no \
         samples: write it with `rate`, such as rate = \"(NEXT - {signal})/EVERY\""
    )]
    FollowsNoSamples { signal: String, kind: &'static str },
    #[error(
        "observe.channels: \"{channel}\" is of a motion in time, and a study of kind {kind} has none; leave \
         it out"
    )]
    OfMotion { channel: String, kind: &'static str },
    #[error("a study of kind {0} takes no steps, and its start is not drawn; its report draws what it finds")]
    NoPreview(&'static str),
    #[error("none of the first instances moves so that it could be drawn")]
    NothingMoves,
    #[error("{requested} not reached in {precision}: {reached}; {advice}")]
    NotReached { requested: String, precision: &'static str, reached: String, advice: String },
    #[error("accuracy \"statistical\" is of an ensemble whose instances differ: give a number, e.g. 1e-4")]
    StatisticalOfOne,
    #[error("nothing that is observed has an error to choose a method by; give [method] name and step")]
    NothingHasError,
    /// Whether conditions may end instances.
    #[error(
        "no accurate solution to choose a method by could be had; {}give [method] name and step",
        if *.0 {
            "observe more often, if conditions end all instances before the first snapshot, or "
        } else {
            ""
        }
    )]
    NoAccurateSolution(bool),
    /// The text of [`starts`](super::plausible::starts), or of
    /// [`not_advanced`](super::plausible::not_advanced).
    #[error("{0}")]
    NoMotion(String),
    #[error(
        "the motion is not known to the accuracy that is asked: {how} is off by {share} itself; ask for \
         less, or give [method] name and step"
    )]
    MotionUnknown { how: String, share: String },
    #[error(
        "`{outcome}` is not known to the accuracy that is asked: {how} is off by {share} of its scale \
         itself; ask for less, or give [method] name and step"
    )]
    OutcomeUnknown { outcome: String, how: String, share: String },
    #[error("the steps are too many to be counted")]
    TooManySteps,
    #[error("the steps chosen are too many to be counted")]
    TooManyStepsChosen,
    #[error("a study of kind {kind} {what}; leave {option} out")]
    NoOption { kind: &'static str, what: &'static str, option: &'static str },
    #[error("a shard does not know how many instances are enough: leave out ensemble.until, or --shard")]
    ShardUntil,
    #[error("a study of kind {0} is not cut into shards")]
    NotCut(&'static str),
    #[error("a study of kind {0} advances nothing in time: there is no speed to measure")]
    NoSpeed(&'static str),
    #[error("the budget is {0} s: give a time above zero")]
    NoBudget(f64),
    #[error("no speed was measured within the budget of {budget} s: {why}; give a longer --budget")]
    NothingFits { budget: f64, why: String },
    #[error("{0}")]
    NoTwin(Box<dyn Error + Send + Sync>),
    #[error("instance {instance} has no accurate motion to be compared with: {why}")]
    NoAccurateMotion { instance: u64, why: Box<dyn Error + Send + Sync> },
    #[error(
        "parts that are there were computed by {there}, and this one would be by {here}: the bits may \
         differ; choose one with run.backend, run.precision, run.fused"
    )]
    OtherArithmetic { there: String, here: String },
    #[error("there is no study")]
    NoStudy,
    #[error(
        "{} instances are more than the {} of the study (ensemble.size)",
        grouped(*count),
        grouped(*size)
    )]
    MoreThanAll { count: u64, size: u64 },
    #[error(
        "{} instances are too many for a page; give --instances, at most {}",
        grouped(*count),
        grouped(*most)
    )]
    TooManyOnPage { count: u64, most: u64 },
    #[error(
        "{} instances are too many for a page: a buffer of a browser holds {mib} MiB, and so {} of this \
         study; give --instances",
        grouped(*count),
        grouped(*most)
    )]
    TooManyInBuffer { count: u64, mib: u64, most: u64 },
    #[error(
        "pictures beside each other show the same bodies and channels; change the method, its step or numbers"
    )]
    PicturesDiffer,
    #[error("a page advances no such study: {0}")]
    OnPage(String),
}

impl Unserved {
    /// The key of the study that it is about; `None`: none alone.
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Unserved::LockHasNoTangent(_)
            | Unserved::NotCut(_)
            | Unserved::NoSpeed(_)
            | Unserved::OnCpuAlone(_)
            | Unserved::FollowsNoSamples { .. }
            | Unserved::NoPreview(_) => Some("study.kind"),
            Unserved::TooManyExponents { .. } | Unserved::NeverRestarted { .. } => Some("study.exponents"),
            Unserved::TooManyCells { .. } => Some("observe.every"),
            Unserved::TransitionsKept { .. } => Some("study.transition"),
            Unserved::BudgetSpent { .. } => Some("study.budget"),
            Unserved::NothingObserved | Unserved::OfMotion { .. } | Unserved::TooManyOutputs { .. } => {
                Some("observe.channels")
            }
            Unserved::OtherSize(_) | Unserved::MoreThanAll { .. } => Some("ensemble.size"),
            Unserved::NoColumn { .. } => Some("ensemble.until.channel"),
            Unserved::OtherUnit { .. } => Some("ensemble.until.half_width"),
            Unserved::ShardUntil => Some("ensemble.until"),
            Unserved::NotReached { .. }
            | Unserved::StatisticalOfOne
            | Unserved::MotionUnknown { .. }
            | Unserved::OutcomeUnknown { .. } => Some("method.accuracy"),
            Unserved::NothingHasError
            | Unserved::NoAccurateSolution(_)
            | Unserved::TooManySteps
            | Unserved::TooManyStepsChosen => Some("method"),
            Unserved::MergedElsewhere { .. }
            | Unserved::NoMotion(_)
            | Unserved::NothingMoves
            | Unserved::NoOption { .. }
            | Unserved::NoBudget(_)
            | Unserved::NothingFits { .. }
            | Unserved::NoTwin(_)
            | Unserved::NoAccurateMotion { .. }
            | Unserved::OtherArithmetic { .. }
            | Unserved::NoStudy
            | Unserved::TooManyOnPage { .. }
            | Unserved::TooManyInBuffer { .. }
            | Unserved::PicturesDiffer
            | Unserved::OnPage(_) => None,
        }
    }
}
