//! The kinds of studies as they run, a file each. Their settings and keys are in `study_file`, with
//! the list of all kinds.

pub mod convergence;
mod equilibria;
mod lyapunov;
mod modes;
mod monte_carlo;
mod sensitivity;
mod stability_map;

use crate::backend::Plan;
use crate::describe::{Question, Study};
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study_file::study_kinds;

type Runs = fn(&dyn Question) -> Option<&dyn Runnable>;

const KINDS: &[Runs] = study_kinds!(runs);

const fn runs<K: Runnable>() -> Runs {
    |kind| kind.settings::<K>().map(|kind| kind as _)
}

/// The kind of a study, as it runs.
pub(super) fn runnable(study: &Study) -> &dyn Runnable {
    KINDS.iter().find_map(|runs| runs(&*study.kind)).expect("every kind that is read is in the list")
}

/// Refuses what can be known beforehand not to be served by the study's kind.
///
/// # Errors
/// The reason, in words.
pub fn check(study: &Study, plan: &Plan) -> Result<(), RunError> {
    runnable(study).check(study, plan)
}

/// The plan with all that the study's kind has followed besides the motion.
pub fn with_directions(study: &Study, plan: &Plan) -> Plan {
    runnable(study).with_directions(plan)
}
