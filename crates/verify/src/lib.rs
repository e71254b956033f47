//! `polhode verify`: statements of the reports and findings of ours, measured on the engine and
//! judged.
//!
//! A [`Claim`] keeps apart what a report says ([`Says`], in our words, with its place) and what we
//! found (with our digits). Where a report makes a statement that can be measured, the verdict is
//! on that; where none does, the finding is polhode's own, and the verdict is on it. A function
//! measures, and compares with what is asked, by a `Criterion` each; from these alone follows the
//! `ClaimVerdict`. What is expected is typed in with the claim; everything measured is computed at
//! the run.
//!
//! To add a claim: a constant in the file of its theme, and a line in [`CLAIMS`].

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod crane;
mod energy_bound;
pub mod figures;
mod h92;
mod iterations;
mod joints;
mod k14;
mod manipulator;
mod measures;
mod orders;
mod pc87;
mod pcd90;
mod reach;
mod report;
mod rotation_update;
mod structural_dynamics;
mod trial;
mod vibration;
mod w84;
mod w84_runs;
mod weak_instability;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

pub use figures::{DrawnFigure, ReportFigure};
use polhode::backend::BackendError;
use polhode::base::rounded;
use polhode::ensemble::SamplingError;
use polhode::output::figures::Figure;
use polhode::output::{OutputError, OutputFolder};
use polhode::reference::ReferenceError;
pub use report::{json, summary, table};
pub use trial::Context;
pub(crate) use trial::{History, Trial};

/// All claims, in the order of the table.
pub const CLAIMS: &[Claim] = &[
    orders::EVERY_METHOD,
    pc87::PASSES,
    pc87::ONE_ITERATION,
    pc87::MIDPOINT_PROJECTION,
    pc87::ROLLING_BALL,
    pc87::BALL_STEPS,
    pc87::OFFSET_BALL,
    pc87::PERIODS,
    pc87::FORCES,
    pcd90::DENOMINATOR,
    pcd90::NORM,
    pcd90::LAG,
    pcd90::EXPONENTIAL,
    pcd90::PHASE_CORRECTED,
    pcd90::CHAINS,
    pcd90::SINGLE_PRECISION,
    joints::CONDITION,
    joints::STRAIGHT_CHAIN,
    joints::REDUNDANT_ROWS,
    joints::DECAY,
    joints::AS_PRINTED,
    joints::EPS_RULE,
    joints::DISSIPATION,
    iterations::ITERATIONS,
    pcd90::SAMPLES,
    crane::TORQUES,
    h92::MOMENTUM,
    h92::MOMENTUM_SINGLE,
    h92::MOMENTUM_RECOMPUTED,
    h92::SIMO_WONG_IMPULSE,
    h92::PREDICTOR_CORRECTOR,
    h92::RESTARTS,
    h92::SPECTRUM,
    h92::LINEAR_LIMIT,
    reach::LIMITS,
    reach::WHAT_DECIDES,
    h92::SPUN_UP_BODY,
    h92::FAST_TOP,
    rotation_update::CORRECTOR,
    rotation_update::OTHER_START,
    structural_dynamics::CENTRAL_DIFFERENCE,
    structural_dynamics::FIRST_ACCELERATION,
    structural_dynamics::TWO_RULES,
    weak_instability::IDENTICAL,
    weak_instability::BURSTS,
    weak_instability::UNCONDITIONAL,
    weak_instability::TOP_SHORT,
    weak_instability::TOP_PREDICTOR_CORRECTOR,
    weak_instability::TOP_STAGGERED,
    weak_instability::VISIBLE,
    k14::DRIFT,
    k14::TOP,
    k14::JUMPS,
    energy_bound::BOUND,
    energy_bound::REDUCED,
    vibration::FREE_VIBRATION,
    w84::BEAM_FREQUENCIES,
    w84::DEFLECTIONS,
    w84::ERRORS,
    w84::FIRST_MODE,
    w84::FREE_MODES,
    w84::HELD_SHAPES,
    w84::SUPERPOSITION,
    w84_runs::SUPERPOSED_RUN,
    w84_runs::ROD,
    w84_runs::LEVELS,
    w84_runs::TIP_IMPULSE,
    w84::TWO_MASSES,
    w84::MULTIPLIES,
    w84::IMPLICIT,
];

/// A statement of a report.
#[derive(Clone, Copy, Debug)]
pub struct Says {
    /// PC87, PCD90, H92, K14 or W84.
    pub report: &'static str,
    /// Section, equation, figure or page.
    pub place: &'static str,
    /// In our words.
    pub text: &'static str,
}

impl fmt::Display for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.report, self.place)
    }
}

/// Whose statement a verdict is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The statement of the first of the reports.
    Report,
    /// A sentence of the first of the reports about a problem whose data it does not print. We
    /// choose data, and what is asked of the claim tells whether the printed figure can be had.
    Unprinted,
    /// A finding of ours: no report makes that statement.
    Finding,
}

/// A statement that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Short and unique, for people and scripts.
    pub id: &'static str,
    /// The claim's subject, as a heading; it names no report.
    pub title: &'static str,
    /// Statements of reports on the claim; where it is a finding of ours, their statements beside
    /// it.
    pub says: &'static [Says],
    /// Whose statement the verdict is on.
    pub judged: Judged,
    /// Our finding, in our words and digits.
    pub found: &'static str,
    /// The condition under which the claim holds where it does not hold as stated.
    pub condition: Option<&'static str>,
    pub(crate) measure: fn(&Context<'_>) -> Result<Evidence, Failure>,
}

impl Claim {
    /// Whose statement is judged: report and place, or polhode.
    pub(crate) fn source(&self) -> String {
        match (self.judged, self.says.first()) {
            (Judged::Report | Judged::Unprinted, Some(says)) => says.to_string(),
            (Judged::Report | Judged::Unprinted, None) | (Judged::Finding, _) => "polhode".to_string(),
        }
    }
}

/// Numbers and figures that a claim's function found.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) measured: Vec<Measured>,
    pub(crate) figures: Vec<Figure>,
}

/// One number, and what is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// `1` for a pure number.
    pub(crate) unit: &'static str,
    pub(crate) asked: Option<Requirement>,
}

/// A requirement on a number, by the form of the claim that it tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Requirement {
    /// Tests the claim as it is stated.
    AsStated(Criterion),
    /// Tests the claim under its condition.
    OnCondition(Criterion),
    /// Tests what we found beside what a report says: it decides nothing of the report.
    OfFinding(Criterion),
}

impl Requirement {
    pub(crate) fn criterion(self) -> Criterion {
        match self {
            Requirement::AsStated(criterion)
            | Requirement::OnCondition(criterion)
            | Requirement::OfFinding(criterion) => criterion,
        }
    }
}

impl Measured {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Measured {
        Measured { name: name.into(), value, unit, asked: None }
    }

    pub(crate) fn claimed(self, criterion: Criterion) -> Measured {
        Measured { asked: Some(Requirement::AsStated(criterion)), ..self }
    }

    pub(crate) fn on_condition(self, criterion: Criterion) -> Measured {
        Measured { asked: Some(Requirement::OnCondition(criterion)), ..self }
    }

    pub(crate) fn found(self, criterion: Criterion) -> Measured {
        Measured { asked: Some(Requirement::OfFinding(criterion)), ..self }
    }
}

/// The values that a number may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Criterion {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
    /// This value, to within this share of it.
    Near(f64, f64),
}

impl Criterion {
    /// The lowest and the highest value that meet it.
    pub(crate) fn bounds(self) -> (Option<f64>, Option<f64>) {
        match self {
            Criterion::AtMost(bound) => (None, Some(bound)),
            Criterion::AtLeast(bound) => (Some(bound), None),
            Criterion::Between(low, high) => (Some(low), Some(high)),
            Criterion::Near(expected, within) => {
                let room = within * expected.abs();
                (Some(expected - room), Some(expected + room))
            }
        }
    }

    /// NaN meets nothing.
    pub(crate) fn is_met(self, value: f64) -> bool {
        let (low, high) = self.bounds();
        !value.is_nan() && low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Criterion::AtMost(high) => write!(f, "at most {}", bound(high)),
            Criterion::AtLeast(low) => write!(f, "at least {}", bound(low)),
            Criterion::Between(low, high) => write!(f, "{} to {}", bound(low), bound(high)),
            Criterion::Near(expected, within) => {
                // To three digits: 100 times a power of ten is not always one.
                let share = short(rounded(100.0 * within, 3));
                write!(f, "{} ± {share} %", short(rounded(expected, EXPECTED)))
            }
        }
    }
}

/// Digits of an expected value: a printed number is shown whole, and a product of ours without its
/// rounding.
const EXPECTED: usize = 12;

/// A bound to six digits: one that was computed has more of them than anyone meant.
fn bound(value: f64) -> String {
    short(rounded(value, 6))
}

/// As given, large and small numbers as powers of ten.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimVerdict {
    Holds,
    /// Not as stated, but under this condition.
    HoldsOnlyIf(&'static str),
    DoesNotHold,
    /// The report does not print the data of its problem.
    CannotBeJudged {
        /// Data of ours give all that is asked of the claim.
        can_be_had: bool,
    },
}

impl ClaimVerdict {
    /// A claim holds when all that is asked of it as stated is met; else, only under its condition,
    /// when all that is asked on condition is met. What was asked nothing of decides nothing. Where
    /// a report prints no data, what is asked tells whether data of ours give what it prints.
    pub(crate) fn of(judged: Judged, measured: &[Measured], condition: Option<&'static str>) -> ClaimVerdict {
        let satisfied = |criterion_of: &dyn Fn(Requirement) -> Option<Criterion>| {
            let mut all = measured.iter().filter_map(|m| Some((criterion_of(m.asked?)?, m.value))).peekable();
            all.peek().is_some() && all.all(|(criterion, value)| criterion.is_met(value))
        };
        let stated = |requirement| match requirement {
            Requirement::AsStated(criterion) => Some(criterion),
            Requirement::OnCondition(_) | Requirement::OfFinding(_) => None,
        };
        let conditional = |requirement| match requirement {
            Requirement::AsStated(_) | Requirement::OfFinding(_) => None,
            Requirement::OnCondition(criterion) => Some(criterion),
        };
        if judged == Judged::Unprinted {
            return ClaimVerdict::CannotBeJudged { can_be_had: satisfied(&stated) };
        }
        match condition {
            _ if satisfied(&stated) => ClaimVerdict::Holds,
            Some(condition) if satisfied(&conditional) => ClaimVerdict::HoldsOnlyIf(condition),
            _ => ClaimVerdict::DoesNotHold,
        }
    }
}

impl fmt::Display for ClaimVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimVerdict::Holds => f.write_str("holds"),
            ClaimVerdict::HoldsOnlyIf(condition) => write!(f, "holds only if {condition}"),
            ClaimVerdict::DoesNotHold => f.write_str("does not hold"),
            ClaimVerdict::CannotBeJudged { can_be_had } => {
                let had = if *can_be_had { "can be had" } else { "was not had" };
                write!(f, "cannot be judged: data not printed; the printed figure {had} with ours")
            }
        }
    }
}

/// A claim with what was found.
#[derive(Debug)]
pub struct Finding {
    pub(crate) claim: Claim,
    pub(crate) outcome: Evidence,
    pub(crate) verdict: ClaimVerdict,
    pub(crate) taken: Duration,
}

impl Finding {
    /// Whether what we found beside what a report says was found again; `None`: nothing is asked of
    /// it.
    pub(crate) fn found_again(&self) -> Option<bool> {
        let mut criteria = self
            .outcome
            .measured
            .iter()
            .filter_map(|m| match m.asked? {
                Requirement::OfFinding(criterion) => Some(criterion.is_met(m.value)),
                Requirement::AsStated(_) | Requirement::OnCondition(_) => None,
            })
            .peekable();
        criteria.peek()?;
        Some(criteria.all(|met| met))
    }
}

/// Why a claim could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The CPU backend cannot run it.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Its ensemble cannot be drawn.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The mechanism cannot be put together.
    #[error("the mechanism describes no body")]
    NoBody,
    /// The judge has no solution.
    #[error("the reference failed: {0}")]
    Reference(#[from] ReferenceError),
    /// A measured number, by its name, is NaN or infinite.
    #[error("\"{0}\" is not a finite number")]
    NotFinite(String),
    /// A problem, or a part of it, is not as the claim needs it: why.
    #[error("{0}")]
    Missing(&'static str),
    /// The user ended it.
    #[error("interrupted")]
    Interrupted,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The folder or a file of it cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The user ended it.
    #[error("interrupted: nothing was written")]
    Interrupted,
    /// A claim or a figure failed.
    #[error("{id} could not be computed: {failure}")]
    Claim {
        /// Its name.
        id: &'static str,
        /// Its reason.
        failure: Box<Failure>,
    },
    /// No claim or figure has a name that begins so.
    #[error("there is no claim and no figure whose name begins with \"{name}\"; perhaps \"{nearest}\"?")]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The most similar one.
        nearest: &'static str,
    },
}

impl VerifyError {
    /// Whether the user asked for something that cannot be.
    pub fn is_refusal(&self) -> bool {
        match self {
            VerifyError::Output(error) => error.is_refusal(),
            VerifyError::Unknown { .. } => true,
            VerifyError::Interrupted | VerifyError::Claim { .. } => false,
        }
    }
}

/// The findings, the figures drawn, and the folder where all was written.
#[derive(Debug)]
pub struct Verified {
    /// One for each claim that was wanted.
    pub findings: Vec<Finding>,
    /// The figures that were wanted.
    pub figures: Vec<DrawnFigure>,
    /// The folder of the report.
    pub folder: PathBuf,
    /// The time that all took together.
    pub taken: Duration,
}

/// Measures claims and draws the figures of the reports on all threads, and writes the report into
/// the folder `out`. `only`: those whose names begin with one of these; all if there are none.
/// `say` gets a line for each as it is done.
pub fn verify(
    context: &Context<'_>,
    only: &[String],
    out: &Path,
    overwrite: bool,
    say: &(dyn Fn(&str) + Sync),
) -> Result<Verified, VerifyError> {
    let started = Instant::now();
    check_names(only)?;
    let is_selected = |id: &str| only.is_empty() || only.iter().any(|name| id.starts_with(name.as_str()));
    let claims: Vec<&Claim> = CLAIMS.iter().filter(|claim| is_selected(claim.id)).collect();
    let figures: Vec<&ReportFigure> = figures::all().filter(|figure| is_selected(figure.id)).collect();
    let folder = OutputFolder::create(out, overwrite)?;
    let count = claims.len() + figures.len();
    let done = AtomicUsize::new(0);
    let tell =
        |what: String| say(&format!("{} of {count}: {what}", done.fetch_add(1, Ordering::Relaxed) + 1));
    let measure_all = || -> Result<Vec<Finding>, VerifyError> {
        let finding = |claim: &&Claim| {
            let finding = measure(claim, context)?;
            tell(format!("{}, {:.1} s: {}", claim.id, finding.taken.as_secs_f64(), finding.verdict));
            Ok(finding)
        };
        claims.par_iter().map(finding).collect()
    };
    let draw_all = || -> Result<Vec<DrawnFigure>, VerifyError> {
        let drawn = |figure: &&ReportFigure| {
            let started = Instant::now();
            let panels = (figure.draw)(context).map_err(|failure| failed(figure.id, failure))?;
            tell(format!("{}, {:.1} s: drawn", figure.id, started.elapsed().as_secs_f64()));
            Ok(DrawnFigure { figure: **figure, panels })
        };
        figures.par_iter().map(drawn).collect()
    };
    let (findings, figures) = rayon::join(measure_all, draw_all);
    let (findings, figures) = (findings?, figures?);
    report::write(&folder, &findings, &figures, context.long, started)?;
    let folder = folder.finish()?;
    Ok(Verified { findings, figures, folder, taken: started.elapsed() })
}

/// Every name is the beginning of a claim's or of a figure's.
fn check_names(only: &[String]) -> Result<(), VerifyError> {
    let known = || CLAIMS.iter().map(|claim| claim.id).chain(figures::all().map(|figure| figure.id));
    for name in only {
        if !known().any(|id| id.starts_with(name.as_str())) {
            let far = |id: &&str| strsim::normalized_damerau_levenshtein(id, name);
            let nearest = known().max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_default();
            return Err(VerifyError::Unknown { name: name.clone(), nearest });
        }
    }
    Ok(())
}

fn failed(id: &'static str, failure: Failure) -> VerifyError {
    match failure {
        Failure::Interrupted => VerifyError::Interrupted,
        failure => VerifyError::Claim { id, failure: Box::new(failure) },
    }
}

fn measure(claim: &Claim, context: &Context<'_>) -> Result<Finding, VerifyError> {
    let started = Instant::now();
    let outcome = (claim.measure)(context).and_then(finite).map_err(|failure| failed(claim.id, failure))?;
    let verdict = ClaimVerdict::of(claim.judged, &outcome.measured, claim.condition);
    Ok(Finding { claim: *claim, outcome, verdict, taken: started.elapsed() })
}

/// A number that is not finite says nothing, and no verdict follows from it.
fn finite(outcome: Evidence) -> Result<Evidence, Failure> {
    match outcome.measured.iter().find(|m| !m.value.is_finite()) {
        Some(m) => Err(Failure::NotFinite(m.name.clone())),
        None => Ok(outcome),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn found(value: f64) -> Measured {
        Measured::new("slope", value, "1")
    }

    #[test]
    fn criteria_are_met_at_their_ends_and_by_no_nan() {
        for (criterion, inside, outside) in [
            (Criterion::AtMost(2.0), 2.0, 2.1),
            (Criterion::AtLeast(2.0), 2.0, 1.9),
            (Criterion::Between(1.0, 2.0), 1.0, 0.9),
            (Criterion::Between(1.0, 2.0), 2.0, 2.1),
            (Criterion::Near(-4.0, 0.25), -5.0, -5.1),
        ] {
            assert!(criterion.is_met(inside) && !criterion.is_met(outside), "{criterion}");
            assert!(!criterion.is_met(f64::NAN), "{criterion}");
        }
    }

    #[test]
    fn a_bound_that_was_computed_is_shown_as_it_was_meant() {
        assert_eq!(Criterion::Between(5.0 * 0.94, 6.0).to_string(), "4.7 to 6");
        assert_eq!(Criterion::AtMost(1e-12).to_string(), "at most 1e-12");
        assert_eq!(Criterion::Near(9.2094246, 1e-6).to_string(), "9.2094246 ± 1e-4 %");
        assert_eq!(Criterion::Near(1.2 * 2.25, 1e-14).to_string(), "2.7 ± 1e-12 %");
    }

    #[test]
    fn a_wrong_expectation_does_not_hold() {
        let right = [found(2.0).claimed(Criterion::Near(2.0, 0.1)), found(7.0)];
        assert_eq!(ClaimVerdict::of(Judged::Report, &right, None), ClaimVerdict::Holds);
        let wrong = [found(2.0).claimed(Criterion::Near(3.0, 0.1)), found(7.0)];
        assert_eq!(ClaimVerdict::of(Judged::Report, &wrong, None), ClaimVerdict::DoesNotHold);
        // One of two is enough.
        assert_eq!(
            ClaimVerdict::of(Judged::Report, &[right, wrong].concat(), Some("never used")),
            ClaimVerdict::DoesNotHold
        );
    }

    #[test]
    fn a_condition_counts_only_where_the_claim_fails_as_stated() {
        let stated = |is_met: bool| found(if is_met { 2.0 } else { 9.0 }).claimed(Criterion::AtMost(3.0));
        let conditional =
            |is_met: bool| found(if is_met { 2.0 } else { 9.0 }).on_condition(Criterion::AtMost(3.0));
        let verdict =
            |a: bool, b: bool| ClaimVerdict::of(Judged::Report, &[stated(a), conditional(b)], Some("x"));
        assert_eq!(verdict(true, false), ClaimVerdict::Holds);
        assert_eq!(verdict(false, true), ClaimVerdict::HoldsOnlyIf("x"));
        assert_eq!(verdict(false, false), ClaimVerdict::DoesNotHold);
        assert_eq!(
            ClaimVerdict::of(Judged::Report, &[stated(false), conditional(true)], None),
            ClaimVerdict::DoesNotHold
        );
        assert_eq!(ClaimVerdict::of(Judged::Report, &[found(1.0)], Some("x")), ClaimVerdict::DoesNotHold);
    }

    #[test]
    fn a_claim_without_data_is_never_judged() {
        let verdict = |value: f64| {
            let measured = [found(value).claimed(Criterion::AtMost(3.0))];
            ClaimVerdict::of(Judged::Unprinted, &measured, Some("never used"))
        };
        assert_eq!(verdict(2.0), ClaimVerdict::CannotBeJudged { can_be_had: true });
        assert_eq!(verdict(9.0), ClaimVerdict::CannotBeJudged { can_be_had: false });
        let said = "cannot be judged: data not printed; the printed figure can be had with ours";
        assert_eq!(verdict(2.0).to_string(), said);
    }

    #[test]
    fn what_we_found_decides_nothing_of_a_report() {
        let stated = found(2.0).claimed(Criterion::AtMost(3.0));
        let again = |is_met: bool| {
            let ours = found(if is_met { 2.0 } else { 9.0 }).found(Criterion::AtMost(3.0));
            let outcome = Evidence { measured: vec![stated.clone(), ours], figures: vec![] };
            let verdict = ClaimVerdict::of(Judged::Report, &outcome.measured, None);
            let finding = Finding { claim: CLAIMS[0], outcome, verdict, taken: Duration::ZERO };
            (finding.verdict, finding.found_again())
        };
        assert_eq!(again(true), (ClaimVerdict::Holds, Some(true)));
        assert_eq!(again(false), (ClaimVerdict::Holds, Some(false)));
    }

    #[test]
    fn numbers_that_are_not_finite_are_no_finding() {
        let interrupted = AtomicBool::new(false);
        let context = Context { long: false, interrupted: &interrupted };
        let claim =
            Claim { measure: |_| Ok(Evidence { measured: vec![found(2.0)], figures: vec![] }), ..CLAIMS[0] };
        assert_eq!(measure(&claim, &context).unwrap().verdict, ClaimVerdict::DoesNotHold);
        let infinite = |_: &Context<'_>| {
            Ok(Evidence { measured: vec![found(2.0), found(f64::INFINITY)], figures: vec![] })
        };
        let failed = measure(&Claim { measure: infinite, ..claim }, &context).unwrap_err();
        let VerifyError::Claim { failure, .. } = &failed else { panic!("{failed}") };
        assert!(matches!(**failure, Failure::NotFinite(_)), "{failed}");
    }

    #[test]
    fn an_interrupted_claim_is_none() {
        let interrupted = AtomicBool::new(true);
        let context = Context { long: false, interrupted: &interrupted };
        assert!(matches!(measure(&pc87::PASSES, &context), Err(VerifyError::Interrupted)));
    }

    #[test]
    fn claims_are_told_apart_and_say_where_they_come_from() {
        let mut ids: Vec<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), CLAIMS.len());
        for claim in CLAIMS {
            let id = claim.id;
            assert!(claim.found.ends_with('.') && !claim.title.is_empty(), "{id}");
            assert!(claim.judged == Judged::Finding || !claim.says.is_empty(), "{id}: which report?");
            for says in claim.says {
                assert!(REPORTS.contains(&says.report) && !says.place.is_empty(), "{id}");
                assert!(says.text.ends_with('.'), "{id}");
            }
            assert!(!REPORTS.iter().any(|report| claim.title.contains(report)), "{id}: {}", claim.title);
        }
    }

    const REPORTS: [&str; 5] = ["PC87", "PCD90", "H92", "K14", "W84"];
}
