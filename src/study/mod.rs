//! A study turned into an answer.

pub mod accuracy;
pub mod bending;
pub mod choose_method;
pub mod compare;
pub mod converged;
pub mod convergence;
pub mod cost;
mod driver;
pub mod judge;
pub mod lyapunov;
pub mod march;
pub mod method_page;
pub mod monte_carlo;
pub mod plan;
pub mod recorder;
pub mod replay;
pub mod results;
pub mod sensitivity;
pub mod shard;
pub mod stability_map;
pub mod stable_step;
pub mod throughput;
pub mod together;
pub mod yardsticks;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::backend::Plan;
use crate::describe::kind::with_kind;
use crate::describe::{Question, Study};
use choose_method::chosen;
use monte_carlo::{Listener, Outcome, RunError};

/// Answers the study's question and writes the folder `out`; method and step are [chosen](choose_method) first where they are left open. Setting `interrupted` ends it early: what is finished is kept.
pub fn run(
    study: &Study,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    let chosen = chosen(study, interrupted)?;
    chosen.told.iter().for_each(|line| listener.say(line));
    let study = &chosen.study;
    with_kind!(&study.kind, asked => asked.run(study, &RunContext { out, overwrite, listener, interrupted }))
}

/// What a run is given besides its study.
pub(crate) struct RunContext<'a> {
    pub out: &'a Path,
    /// Whether an earlier result in `out` is replaced.
    pub overwrite: bool,
    pub listener: &'a dyn Listener,
    /// Setting it ends the run early: what is finished is kept.
    pub interrupted: &'a AtomicBool,
}

/// A kind of study, as it runs.
trait Runnable: Question {
    /// Runs the study and writes its folder.
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<Outcome, RunError>;

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

    /// The plan with all that the question has followed besides the motion.
    fn followed(&self, plan: &Plan) -> Plan {
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
pub fn followed(study: &Study, plan: &Plan) -> Plan {
    with_kind!(&study.kind, asked => asked.followed(plan))
}
