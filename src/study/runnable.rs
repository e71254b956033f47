//! A kind of study as it runs: the trait that each implements, and its calls by the kind of a
//! study.

use super::merging::{MergeError, Merging};
use super::run_context::RunContext;
use super::run_error::RunError;
use crate::backend::Plan;
use crate::describe::kind::with_kind;
use crate::describe::{Question, Study};
use crate::observe::PILOT;
use crate::output::RunOutcome;

/// A kind of study, as it runs.
pub(super) trait Runnable: Question {
    /// Runs the study and writes its folder.
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError>;

    /// Puts the shards of the study together and writes its folder.
    fn merge(&self, study: &Study, merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let _ = merging;
        let why = format!("a study of kind {} is not cut into shards", study.kind.name());
        Err(RunError::Unserved(why).into())
    }

    /// Returns the largest number of shards, and what is cut, in words.
    fn parts(&self, study: &Study) -> (u64, String) {
        (study.ensemble.size, format!("an ensemble of {} instances", study.ensemble.size))
    }

    /// Refuses what can be known beforehand not to be served.
    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        let _ = (study, plan);
        Ok(())
    }

    /// Memory for what is kept of an ensemble besides the instances under way (bytes).
    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        let _ = (study, plan);
        0
    }

    /// Returns lines with their names on its size and cost, beforehand.
    fn outlook(&self, study: &Study) -> Result<Vec<(&'static str, String)>, RunError> {
        let _ = study;
        Ok(Vec::new())
    }

    /// Returns the number of kernels that it takes, and the instances of each ensemble that it
    /// advances.
    fn ensembles(&self, size: u64, study: &Study) -> (usize, Vec<u64>) {
        let _ = study;
        (1, vec![size.min(PILOT), size])
    }

    /// The plan with all that the question has followed besides the motion.
    fn with_directions(&self, plan: &Plan) -> Plan {
        plan.clone()
    }
}

/// Refuses what can be known beforehand not to be served by the study's kind.
///
/// # Errors
/// The reason, in words.
pub fn check(study: &Study, plan: &Plan) -> Result<(), RunError> {
    with_kind!(&study.kind, asked => asked.check(study, plan))
}

/// Memory for what the study's kind keeps of an ensemble besides the instances under way (bytes).
pub fn kept_bytes(study: &Study, plan: &Plan) -> u64 {
    with_kind!(&study.kind, asked => asked.kept_bytes(study, plan))
}

/// The plan with all that the study's kind has followed besides the motion.
pub fn with_directions(study: &Study, plan: &Plan) -> Plan {
    with_kind!(&study.kind, asked => asked.with_directions(plan))
}

/// Lines with their names on the size and cost of a study, beforehand.
///
/// # Errors
/// A part of it describes no mechanism.
pub fn outlook(study: &Study) -> Result<Vec<(&'static str, String)>, RunError> {
    with_kind!(&study.kind, asked => asked.outlook(study))
}

/// The number of kernels that a study takes, and the instances of each ensemble that it advances.
pub(super) fn ensembles(study: &Study) -> (usize, Vec<u64>) {
    with_kind!(&study.kind, asked => asked.ensembles(study.ensemble.size, study))
}
