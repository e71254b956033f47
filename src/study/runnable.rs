//! A kind of study as it runs: the trait that each implements.

use super::cost::RunOutlook;
use super::merging::{MergeError, Merging};
use super::run_context::RunContext;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::Plan;
use crate::describe::{Question, Study};
use crate::output::RunOutcome;

/// A kind of study, as it runs.
pub(super) trait Runnable: Question {
    /// Runs the study and writes its folder.
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError>;

    /// Puts the shards of the study together and writes its folder.
    fn merge(&self, study: &Study, merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let _ = merging;
        Err(RunError::from(Unserved::NotCut(study.kind.name())).into())
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

    /// Whether a complete run leaves what is kept in a file, from which one of more instances goes
    /// on.
    fn leaves_state(&self) -> bool {
        false
    }

    /// Returns lines with their names on its size and cost, beforehand.
    fn outlook(&self, study: &Study) -> Result<Vec<(&'static str, String)>, RunError> {
        let _ = study;
        Ok(Vec::new())
    }

    /// All that a run takes, from which its time is foretold; `None`: it is not.
    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let _ = study;
        None
    }

    /// The plan with all that the question has followed besides the motion.
    fn with_directions(&self, plan: &Plan) -> Plan {
        plan.clone()
    }
}
