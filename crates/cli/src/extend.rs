//! `polhode extend`: more instances of a run.

use std::path::PathBuf;

use super::run::ended;
use super::{
    BackendChoice, FAILED, Failure, WRONG_INPUT, failed_run, on_interrupt, parse_backend, print_summary,
    run_summary,
};
use crate::progress::Progress;
use polhode::embed::extend_with;
use polhode::{ExtendError, RunOptions};

/// Add instances to a complete run: the result is, bit for bit, that of a run by the same method
/// and step which had them from the start.
///
/// It takes Monte Carlo studies and exponents of Lyapunov whose instances are all drawn, by the
/// design random or sobol. polhode replaces the result when the larger one is complete. After a
/// kill, give the same command again: it goes on from the last checkpoint.
#[derive(Debug, clap::Args)]
pub struct ExtendArguments {
    /// Output folder of the run.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of instances, old and new together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    size: u64,
    /// Write the larger result there, and leave the other as it is.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an earlier result in the folder of --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// auto, cpu, gpu, or gpu:NAME for the first adapter whose name contains NAME. Its arithmetic
    /// must be that of the run.
    #[arg(long, value_name = "BACKEND", value_parser = parse_backend)]
    backend: Option<BackendChoice>,
    /// CPU threads [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    threads: Option<u64>,
    /// Print nothing but warnings and errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: ExtendArguments) -> Result<u8, Failure> {
    let ExtendArguments { folder, size, out, overwrite, backend, threads, quiet } = arguments;
    let interrupted = on_interrupt();
    let progress = Progress::new(quiet);
    let mut options = RunOptions::new().overwrite(overwrite).listener(&progress).interrupt(&interrupted);
    options.out = out.as_deref();
    let outcome = extend_with(&folder, size, &options, |run| {
        run.backend = backend.unwrap_or_else(|| run.backend.clone());
        run.threads = threads.map(|threads| threads as usize).or(run.threads);
    });
    progress.finish();
    let results = outcome.map_err(|error| match error {
        ExtendError::Run(error) => failed_run(error),
        ExtendError::Output(error) if !error.is_refusal() => {
            Failure { code: FAILED, message: error.to_string() }
        }
        other => Failure { code: WRONG_INPUT, message: other.to_string() },
    })?;
    if !quiet {
        print_summary(&run_summary(results.outcome(), None));
    }
    Ok(ended(results.outcome(), out.as_deref().unwrap_or(&folder), None))
}
