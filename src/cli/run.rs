//! `polhode run`: runs a study.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Changes, Failure, INTERRUPTED, failed_run, on_interrupt, print, read, told, with_method, wrong};
use crate::ensemble::Shard;
use crate::observe::Verdict;
use crate::progress::{Progress, tell};
use crate::study;
use crate::study::monte_carlo;
use crate::study::stable_step;

/// Run a study and write its tables, plots and report into a folder.
///
/// Ctrl-C ends the run cleanly: what is finished is written, and marked incomplete. Exit code 0: written; 1: the
/// run failed and nothing was changed; 2: wrong input; 130: interrupted.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// Output folder [default: runs/ and the study file's name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compute part K of N of the ensemble alone (1/N to N/N), to be put together by `polhode merge`.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// Do not measure the error of the run.
    #[arg(long)]
    no_accuracy: bool,
    #[command(flatten)]
    changes: Changes,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: RunArguments) -> Result<ExitCode, Failure> {
    let RunArguments { study: path, out, shard, overwrite, no_accuracy, changes, quiet } = arguments;
    let interrupted = on_interrupt();
    let mut study = with_method(read(&path, &changes)?, &interrupted, quiet)?;
    if no_accuracy {
        study.accuracy.budget = Some(0.0);
    }
    let out = out.unwrap_or_else(|| {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        if let Some(Shard { part, of }) = shard {
            name.push(format!("-{part}-of-{of}"));
        }
        Path::new("runs").join(name)
    });
    for warning in stable_step::warnings(&study).map_err(wrong)? {
        tell(&format!("warning: {warning}"));
    }
    let progress = Progress::new(quiet);
    let outcome = match shard {
        None => study::run(&study, &out, overwrite, &progress, &interrupted),
        Some(shard) => monte_carlo::run_shard(&study, shard, &out, overwrite, &progress, &interrupted),
    };
    progress.finish();
    let outcome = outcome.map_err(failed_run)?;
    if !quiet {
        print(&told(&outcome))?;
    }
    let seen =
        |verdict: &Verdict| outcome.manifest.verdicts.get(verdict.name()).is_some_and(|count| *count > 0);
    for reason in Verdict::ALL.into_iter().filter(seen).filter_map(|verdict| verdict.reason(&study.mechanism))
    {
        tell(&reason);
    }
    if !outcome.manifest.complete {
        tell("interrupted: the result is incomplete, and marked so");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
