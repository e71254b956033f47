//! A study turned into an answer.

pub mod compare;
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
    match study.kind {
        Kind::MonteCarlo => monte_carlo::run(study, out, overwrite, listener, interrupted),
    }
}
