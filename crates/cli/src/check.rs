//! `polhode check`: tells what a study would do and cost.

use std::path::PathBuf;
use std::time::Instant;

use super::{Changes, Failure, default_folder, failed_run, print, read};
use polhode::study::checking::{CheckOptions, check_study};

/// Read a study, print what it would do and cost, and run nothing.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// Print all constants of flexible bodies, and the shapes at their named points.
    #[arg(long)]
    constants: bool,
    /// Output folder that the run would have, whose disk is looked at for room [default: that of run].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the program of a step too: its state, its operations, and what is left out of it.
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    changes: Changes,
}

pub(super) fn run(arguments: CheckArguments) -> Result<u8, Failure> {
    let CheckArguments { study: path, constants, out, verbose, changes } = arguments;
    let begun = Instant::now();
    let study = read(&path, &changes)?;
    let out = out.unwrap_or_else(|| default_folder(&path, None));
    let options =
        CheckOptions { constants, verbose, out: Some(&out), before: begun.elapsed(), interrupt: None };
    let checked = check_study(&study, &options).map_err(failed_run)?;
    print(&checked.text())
}
