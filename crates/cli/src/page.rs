//! `polhode page`: a page on which a browser advances a study.

use std::path::PathBuf;

use super::export::{Exporting, put};
use super::{Changes, Failure, on_interrupt, read, refused, with_method};
use polhode::base::bytes;
use polhode::study::live::live;
use polhode::study_file::KeySetting;

/// Write a page on which a browser with WebGPU advances the study's instances, and draws them.
///
/// The page has the kernel of the study in f32, or in f32_compensated where the study asks for
/// that, and the starts of its first instances: instance i moves as instance i of a run. It is one
/// file and opens offline. Without WebGPU it plays a few motions.
#[derive(Debug, clap::Args)]
pub struct PageArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// File for the page [default: page.html].
    #[arg(long, short, value_name = "FILE", default_value = "page.html", hide_default_value = true)]
    out: PathBuf,
    /// Replace the file of --out.
    #[arg(long)]
    overwrite: bool,
    /// Instances whose starts the page has, from the first on [default: all, 10,000 at most].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    instances: Option<u64>,
    /// Show a second picture of the same instances, with this value in place of the file's:
    /// method.name=rk4, method.step="2 ms". May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    beside: Vec<KeySetting>,
    #[command(flatten)]
    changes: Changes,
}

pub(super) fn run(arguments: PageArguments) -> Result<u8, Failure> {
    let PageArguments { study, out, overwrite, instances, beside, mut changes } = arguments;
    let interrupted = on_interrupt();
    let complete = |changes: &Changes| {
        with_method((&study, &changes.settings()), read(&study, changes)?, &interrupted, false)
    };
    let mut studies = vec![complete(&changes)?];
    if !beside.is_empty() {
        changes.set.extend(beside);
        studies.push(complete(&changes)?);
    }
    let refused = |error| refused(&study, &changes.settings(), error);
    let page = live(&studies, instances).map_err(refused)?;
    let size = bytes(page.len() as f64);
    put(&Exporting::Whole(page.into_bytes(), size), Some(out), overwrite, &interrupted)
}
