//! A study turned into an answer.

pub mod compare;
pub mod lyapunov;
pub mod march;
pub mod monte_carlo;
pub mod plan;
pub mod recorder;
pub mod replay;
pub mod results;
pub mod shard;
pub mod yardsticks;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::backend::Plan;
use crate::backend::tangents::Tangents;
use crate::describe::{Kind, Study};
use monte_carlo::{Listener, Outcome, RunError};

/// Answers the study's question and writes the folder `out`. Setting `interrupted` ends it early: what is finished is kept.
pub fn run(
    study: &Study,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    match &study.kind {
        Kind::MonteCarlo => monte_carlo::run(study, out, overwrite, listener, interrupted),
        Kind::Lyapunov(settings) => lyapunov::run(study, settings, out, overwrite, listener, interrupted),
    }
}

/// Refuses a study whose question cannot be asked of its mechanism, method or ensemble: what [`run`] does first.
pub fn check(study: &Study, plan: &Plan) -> Result<(), RunError> {
    match &study.kind {
        Kind::MonteCarlo => monte_carlo::check_snapshots(study, plan),
        Kind::Lyapunov(settings) => lyapunov::check(study, settings, plan),
    }
}

/// The plan with all that the study's question has followed besides the motion.
pub fn followed(study: &Study, plan: &Plan) -> Plan {
    match &study.kind {
        Kind::MonteCarlo => plan.clone(),
        Kind::Lyapunov(settings) => plan.following(Tangents::exact(settings.exponents)),
    }
}
