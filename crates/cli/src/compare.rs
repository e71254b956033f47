//! `polhode compare`: compares finished runs.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Failure, end_on_interrupt, not_drawn, print};
use polhode::ComparisonOptions;

/// Compare finished runs: settings, statistics, verdicts, and instances where the ensembles are
/// equal.
///
/// polhode compares each run with the first. With --out it draws every channel that all of them
/// have, with a curve of each run and its differences from the first.
#[derive(Debug, clap::Args)]
pub struct CompareArguments {
    /// Output folders of runs.
    #[arg(required = true, num_args = 2.., value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Only this channel: of all bodies or joints (drive_torque) or of one (motor.drive_torque),
    /// whole or by component (angular_velocity.x). May be given several times.
    #[arg(long, value_name = "NAME")]
    channel: Vec<String>,
    /// Labels of the runs, as rigid,modal,beams [default: by their folders].
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    labels: Vec<String>,
    /// Folder for pictures (SVG, PNG) and comparison.json [default: none].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace earlier pictures in the folder of --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: CompareArguments) -> Result<u8, Failure> {
    let CompareArguments { dirs, channel, labels, out, overwrite, json } = arguments;
    let wanted = ComparisonOptions { channels: channel, labels, out, overwrite, interrupt: None };
    end_on_interrupt();
    let found = polhode::compare(&dirs, &wanted).map_err(not_drawn)?;
    if json {
        return print(&found.json());
    }
    let mut text = found.text();
    if let Some(out) = &wanted.out {
        let _ = writeln!(text, "\nwrote the pictures into {}", out.display());
    }
    print(&text)
}
