//! `polhode merge`: puts shards of a study together.

use std::path::PathBuf;

use super::{FAILED, Failure, WRONG_INPUT, end_on_interrupt, failed_run, print_summary, run_summary};
use crate::progress::tell;
use polhode::output::is_unfinished;
use polhode::{MergeError, OutputError, RunOptions};

/// Merge the shards of a study: the result is, bit for bit, that of one undivided run.
///
/// polhode refuses shards that are missing, doubled, interrupted, damaged, or of another study,
/// version or arithmetic. It names them, and writes nothing. Ctrl-C leaves nothing either.
///
/// Before: polhode shards DIR shows which shards are done
#[derive(Debug, clap::Args)]
pub struct MergeArguments {
    /// Folders of all shards, in any order.
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Output folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// Print nothing but warnings and errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: MergeArguments) -> Result<u8, Failure> {
    let MergeArguments { shards, out, overwrite, quiet } = arguments;
    end_on_interrupt();
    let (left, shards): (Vec<PathBuf>, Vec<PathBuf>) =
        shards.into_iter().partition(|folder| is_unfinished(folder));
    for folder in left {
        tell(&format!("{} is passed over: the run that wrote it has not finished", folder.display()));
    }
    let results =
        polhode::merge(&shards, &RunOptions::new().out(&out).overwrite(overwrite)).map_err(|error| {
            let error = match error {
                MergeError::Run(error) => return failed_run(error),
                other => other,
            };
            let code = match &error {
                MergeError::Output(OutputError::Manifest { .. }) => WRONG_INPUT,
                MergeError::Output(error) if !error.is_refusal() => FAILED,
                MergeError::Threads(_) => FAILED,
                _ => WRONG_INPUT,
            };
            Failure { code, message: error.to_string() }
        })?;
    Ok(print_summary(&if quiet { String::new() } else { run_summary(results.outcome(), None) }))
}
