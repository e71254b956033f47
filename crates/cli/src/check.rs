//! `polhode check`: tells what a study would do and cost.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Changes, FAILED, Failure, SUCCESS, default_folder, print, read, refused};
use crate::browser::open;
use polhode::study::checking::{CheckOptions, check_study};
use polhode::study::preview::preview;

/// Check a study and its mechanism, print what a run would do and cost, and run nothing.
///
/// Next: polhode run STUDY
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// Print all constants of flexible bodies, and the shapes at their named points.
    #[arg(long)]
    constants: bool,
    /// Output folder of the planned run; polhode checks its disk for room [default: that of run].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the program of a step too: its state, its operations, and what it leaves out.
    #[arg(long, short)]
    verbose: bool,
    /// Open a page that shows the mechanism at its start, and plays its first steps.
    #[arg(long)]
    view: bool,
    #[command(flatten)]
    changes: Changes,
}

pub(super) fn run(arguments: CheckArguments) -> Result<u8, Failure> {
    let CheckArguments { study: path, constants, out, verbose, view, changes } = arguments;
    let begun = Instant::now();
    let study = read(&path, &changes)?;
    let out = out.unwrap_or_else(|| default_folder(&path, None));
    let options =
        CheckOptions { constants, verbose, out: Some(&out), before: begun.elapsed(), interrupt: None };
    let refused = |error| refused(&path, &changes.settings(), error);
    let checked = check_study(&study, &options).map_err(refused)?;
    print(&checked.text())?;
    if !view {
        return Ok(SUCCESS);
    }
    let page = preview(&checked.study).map_err(refused)?;
    let page = shown(page, &path)?;
    open(&page)?;
    print(&format!("opened {}\n", page.display()))
}

/// This page of the mechanism's start, among the files that the system clears away.
fn shown(page: String, path: &Path) -> Result<PathBuf, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let file = tempfile::Builder::new().prefix(&format!("polhode-{name}-")).suffix(".html").tempfile();
    let write = |file: tempfile::NamedTempFile| -> io::Result<PathBuf> {
        fs::write(file.path(), page)?;
        Ok(file.keep()?.1)
    };
    file.and_then(write)
        .map_err(|error| Failure { code: FAILED, message: format!("a page for the browser: {error}") })
}
