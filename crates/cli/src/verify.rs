//! `polhode verify`: measures the claims of the reports.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{FAILED, Failure, INTERRUPTED, WRONG_INPUT, on_interrupt, print};
use crate::progress::tell;
use polhode::output::REPORT;
use polhode_verify::{self as verify, Context, VerifyError};

/// Measure what the reports claim, and judge it; draw their figures.
///
/// Every claim on the methods is run as a study on the CPU and compared with what is asked of it:
/// it holds, holds only on a condition, does not hold, or cannot be judged because the report does
/// not print its data. What a report says stands apart from what we found; where no report states
/// it, the finding is polhode's own. Prints the table and writes a report with plots. Exit code 0:
/// all were computed, whatever the verdicts; 1: one could not be, and nothing was changed; 2: wrong
/// input; 130: interrupted.
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// Only the claims and figures whose names begin with this, such as "pc87" or "h92_fig7"; may
    /// be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Output folder.
    #[arg(long, value_name = "DIR", default_value = "runs/verify")]
    out: PathBuf,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// With the runs of 10^6 steps that the short form leaves out.
    #[arg(long)]
    long: bool,
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
    /// Say nothing while it goes on.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: VerifyArguments) -> Result<u8, Failure> {
    let VerifyArguments { only, out, overwrite, long, json, quiet } = arguments;
    let interrupted = on_interrupt();
    let context = Context { long, interrupted: &interrupted };
    let say = |line: &str| {
        if !quiet {
            tell(line);
        }
    };
    let verified = verify::verify(&context, &only, &out, overwrite, &say).map_err(|error| {
        let code = match &error {
            VerifyError::Interrupted => INTERRUPTED,
            error if error.is_refusal() => WRONG_INPUT,
            _ => FAILED,
        };
        Failure { code, message: error.to_string() }
    })?;
    if json {
        return print(&verify::json(&verified.findings));
    }
    let mut text = verify::table(&verified.findings);
    let seconds = verified.taken.as_secs_f64();
    let _ = writeln!(text, "\n{}; {seconds:.1} s", verify::summary(&verified.findings, &verified.figures));
    let _ = writeln!(text, "wrote {}", verified.folder.join(REPORT).display());
    print(&text)
}
