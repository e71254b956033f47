//! `polhode verify`: measures the claims of the reports.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{FAILED, Failure, INTERRUPTED, WRONG_INPUT, on_interrupt, print};
use crate::progress::tell;
use polhode::output::REPORT;
use polhode_verify::{self as verify, Context, VerifyError};

/// Measure the claims of the reports, judge them, and draw their figures.
///
/// polhode runs every claim on the methods as a study on the CPU. A claim holds, holds on a
/// condition, does not hold, or cannot be judged because the report does not print its data.
/// Findings of our own, which no report states, stand apart.
///
/// Exit codes: 0, all were computed, whatever the verdicts; 1, one could not be, and nothing was
/// changed; 2, wrong input; 130, interrupted.
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// Only the claims and figures whose names begin with this, such as "pc87" or "h92_fig7". May
    /// be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Output folder.
    #[arg(long, value_name = "DIR", default_value = "runs/verify")]
    out: PathBuf,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// Include the runs of 10^6 steps, which take longer.
    #[arg(long)]
    long: bool,
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
    /// Print no progress.
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
