//! `polhode view`: the report of a result in a browser.

use std::path::PathBuf;

use super::{FAILED, Failure, print_summary, wrong};
use polhode::output::{Manifest, REPORT};

/// Open the report of a finished run in a browser, where its motion can be played.
#[derive(Debug, clap::Args)]
pub struct ViewArguments {
    /// Output folder of a run.
    dir: PathBuf,
}

pub(super) fn run(arguments: ViewArguments) -> Result<u8, Failure> {
    let ViewArguments { dir } = arguments;
    Manifest::read(&dir).map_err(wrong)?;
    let report = dir.join(REPORT);
    if !report.is_file() {
        return Err(wrong(format!(
            "{}: is not there; a run writes it unless output.report is false",
            report.display()
        )));
    }
    open::that_detached(&report).map_err(|error| Failure {
        code: FAILED,
        message: format!("{}: no program opens it ({error}); open it in a browser", report.display()),
    })?;
    Ok(print_summary(&format!("opened {}\n", report.display())))
}
