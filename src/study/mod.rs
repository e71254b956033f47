//! A study turned into an answer.

pub mod accuracy;
pub mod bending;
pub mod checking;
mod checkpoint;
pub mod choose_method;
pub mod compare;
mod compared_run;
pub mod converged;
pub mod cost;
mod driver;
pub mod extend;
mod final_columns;
pub mod judge;
mod jumping;
pub mod kinds;
mod listener;
pub mod live;
pub mod march;
mod merging;
pub mod method_page;
pub(crate) mod pairing;
pub mod plan;
pub(crate) mod planned_run;
pub mod plausible;
pub mod preview;
pub(crate) mod recorder;
pub mod replay;
pub mod results;
pub mod room;
mod run_context;
mod run_error;
mod runnable;
pub mod shard;
mod spread;
pub mod stable_step;
mod statistics_size;
pub mod steady;
pub mod survey;
pub mod throughput;
pub mod together;
mod trial;
mod unserved;
mod until;
pub use polhode_dynamics::yardsticks;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::ensemble::Shard;

use crate::backend::BackendError;
use crate::describe::{BackendChoice, Run, Study};
pub use crate::output::RunOutcome;
use crate::output::recover;
pub use checkpoint::of_another_study;
use choose_method::chosen;
pub use driver::workload;
pub use final_columns::final_channels;
use kinds::runnable;
pub use kinds::{check, with_directions};
pub use listener::{Listener, Silent};
pub use merging::MergeError;
pub use run_context::RunContext;
pub use run_error::RunError;
pub use unserved::Unserved;

/// Answers the study's question and writes the folder `out`; method and step are
/// [chosen](choose_method) first where they are left open. Setting `interrupted` ends it early:
/// what is finished is kept.
pub fn run(
    study: &Study,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<RunOutcome, RunError> {
    let warnings = plausible::doubts(study)?;
    run_under(study, &RunContext { overwrite, ..RunContext::new(out, &warnings, listener, interrupted) })
}

/// As [`run`], with all that a run can be given.
///
/// # Errors
/// As [`run`]; where going on from a checkpoint is wanted, also that it is damaged or of another
/// study.
pub fn run_under(study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
    let chosen = chosen(study, under.interrupted)?;
    chosen.told.iter().for_each(|line| under.listener.say(line));
    let study = &chosen.study;
    if !study.kind.card().steps {
        let option = match (under.shard, under.resume) {
            (Some(_), _) => Some(("is not cut into shards", "--shard")),
            (None, true) => Some(("is not taken up again: it takes seconds", "--resume")),
            (None, false) => None,
        };
        if let Some((what, option)) = option {
            let kind = study.kind.name();
            return Err(Unserved::NoOption { kind, what, option }.into());
        }
    }
    if study.ensemble.until.is_some() && under.shard.is_some() {
        return Err(Unserved::ShardUntil.into());
    }
    let (parts, whole) = runnable(study).parts(study);
    if let Some(Shard { of, .. }) = under.shard.filter(|shard| shard.of > parts) {
        return Err(RunError::TooManyParts { whole, parts, of });
    }
    recover(under.out)?;
    let left = checkpoint::left(study, under)?;
    if let Some(manifest) = left.as_ref().filter(|manifest| manifest.complete) {
        under.listener.say(&format!("{} is complete: nothing is left to do", under.out.display()));
        let (folder, found) = (under.out.to_owned(), manifest.found());
        return Ok(RunOutcome { folder, manifest: manifest.clone(), found, fan: None });
    }
    // An interrupted result that left no checkpoint has nothing that this run would not compute
    // again.
    let under = &RunContext { overwrite: under.overwrite || left.is_some(), ..*under };
    let run = |study: &Study| runnable(study).run(study, under);
    match run(study) {
        // Chosen by nobody, a device that is lost again and again costs time alone.
        Err(RunError::Backend(lost @ BackendError::Lost(_)))
            if study.run.backend == BackendChoice::Auto && !under.resume =>
        {
            under.listener.say(&format!("{lost}; the run begins again on the CPU"));
            let on_cpu = Run { backend: BackendChoice::Cpu, ..study.run.clone() };
            run(&Study { run: on_cpu, ..study.clone() })
        }
        outcome => outcome,
    }
}
