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
use crate::backend::tangents::Tangents;
use crate::describe::{Kind, Study};
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
    match &study.kind {
        Kind::MonteCarlo => monte_carlo::run(study, out, overwrite, listener, interrupted),
        Kind::Lyapunov(settings) => lyapunov::run(study, settings, out, overwrite, listener, interrupted),
        Kind::Sensitivity(asked) => sensitivity::run(study, *asked, out, overwrite, listener, interrupted),
        Kind::StabilityMap(map) => stability_map::run(study, map, out, overwrite, listener, interrupted),
        Kind::Convergence(asked) => convergence::run(study, asked, out, overwrite, listener, interrupted),
        Kind::Throughput(asked) => throughput::run(study, asked, out, overwrite, listener, interrupted),
    }
}

/// Refuses what can be known beforehand not to be served.
pub fn check(study: &Study, plan: &Plan) -> Result<(), RunError> {
    match study.kind {
        Kind::Lyapunov(settings) => lyapunov::check(study, &settings, plan),
        Kind::MonteCarlo | Kind::StabilityMap(_) => monte_carlo::check_snapshots(study, plan),
        Kind::Sensitivity(_) => sensitivity::check(study, plan),
        Kind::Convergence(_) | Kind::Throughput(_) => Ok(()),
    }
}

/// Memory for what is kept of an ensemble besides the instances under way (bytes).
pub fn kept_bytes(study: &Study, plan: &Plan) -> u64 {
    match study.kind {
        Kind::MonteCarlo | Kind::Lyapunov(_) | Kind::StabilityMap(_) => {
            monte_carlo::statistics_bytes(study, plan)
        }
        Kind::Sensitivity(_) => sensitivity::kept_bytes(study, plan),
        // Speeds and errors are a few numbers.
        Kind::Convergence(_) | Kind::Throughput(_) => 0,
    }
}

/// The plan with all that the study's question has followed besides the motion.
pub fn followed(study: &Study, plan: &Plan) -> Plan {
    match &study.kind {
        Kind::MonteCarlo
        | Kind::Sensitivity(_)
        | Kind::StabilityMap(_)
        | Kind::Convergence(_)
        | Kind::Throughput(_) => plan.clone(),
        Kind::Lyapunov(settings) => plan.following(Tangents::exact(settings.exponents)),
    }
}
