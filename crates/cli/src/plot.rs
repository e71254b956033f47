//! `polhode plot`: draws the plots of a finished run again.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Failure, end_on_interrupt, not_drawn, print_summary};
use crate::progress::tell;
use polhode::output::{Format, Replot, replot};

/// Draw the plots of a finished run again, or others, from its folder alone.
///
/// Without options polhode draws the plots of the run. With --out they go into another folder; else
/// they replace those of the run (report.html keeps its own).
#[derive(Debug, clap::Args)]
pub struct PlotArguments {
    /// Output folder of a run.
    dir: PathBuf,
    /// Only this channel: of all bodies or joints (angle) or of one (crank.angle), whole or by
    /// component (angular_velocity.x). May be given several times.
    #[arg(long, value_name = "NAME")]
    channel: Vec<String>,
    /// Kept instances to draw over the quantiles, as 0,3,5 [default: the first four].
    #[arg(long, value_name = "I,J,..", value_delimiter = ',')]
    instances: Option<Vec<u64>>,
    /// Only this format [default: both].
    #[arg(long, value_enum)]
    format: Option<FormatArgument>,
    /// Folder for the plots [default: the plots of the run].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace earlier plots in the folder of --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArgument {
    Png,
    Svg,
}

pub(super) fn run(arguments: PlotArguments) -> Result<u8, Failure> {
    let PlotArguments { dir, channel, instances, format, out, overwrite } = arguments;
    let format = format.map(|format| match format {
        FormatArgument::Png => Format::Png,
        FormatArgument::Svg => Format::Svg,
    });
    end_on_interrupt();
    let wanted = Replot { channels: channel, instances, format, out, overwrite };
    let plotted = replot(&dir, &wanted).map_err(not_drawn)?;
    if let Some(missing) = &plotted.missing {
        tell(missing);
    }
    Ok(print_summary(&format!("wrote {} files into {}\n", plotted.files, plotted.folder.display())))
}
