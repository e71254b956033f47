//! A study turned into an answer.

pub mod compare;
pub mod march;
pub mod monte_carlo;
pub mod plan;
pub mod recorder;
pub mod replay;
pub mod results;
pub mod sensitivity;
pub mod shard;
pub mod stability_map;
pub mod yardsticks;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::backend::Plan;
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
        Kind::Sensitivity(asked) => sensitivity::run(study, *asked, out, overwrite, listener, interrupted),
        Kind::StabilityMap(map) => stability_map::run(study, map, out, overwrite, listener, interrupted),
    }
}

/// Refuses what can be known beforehand not to be served.
pub fn check(study: &Study, plan: &Plan) -> Result<(), RunError> {
    match study.kind {
        Kind::MonteCarlo | Kind::StabilityMap(_) => monte_carlo::check_snapshots(study, plan),
        Kind::Sensitivity(_) => sensitivity::check(study, plan),
    }
}

/// Memory for what is kept of an ensemble besides the instances under way (bytes).
pub fn kept_bytes(study: &Study, plan: &Plan) -> u64 {
    match study.kind {
        Kind::MonteCarlo | Kind::StabilityMap(_) => monte_carlo::statistics_bytes(study, plan),
        Kind::Sensitivity(_) => sensitivity::kept_bytes(study, plan),
    }
}
