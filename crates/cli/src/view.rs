//! `polhode view`: the report of a result in a browser, and its motion as a scene or a film.

use std::path::{Path, PathBuf};

use super::export::{Exporting, put};
use super::{ArgumentError, FAILED, Failure, INTERRUPTED, on_interrupt, parse_time, print_summary, wrong};
use crate::browser::{NoPage, open, shown_page};
use crate::progress::tell;
use polhode::base::significant;
use polhode::output::saved::saved_motion;
use polhode::output::{Film, Manifest, REPORT, gltf};

/// Frames of a film a second.
const RATE: u32 = 20;

/// Open the report of a finished run in a browser; it plays the motion.
///
/// With --gltf or --film polhode writes the motion into a file, and opens nothing.
#[derive(Debug, clap::Args)]
pub struct ViewArguments {
    /// Output folder of a run.
    dir: PathBuf,
    /// Write the motion as a glTF 2.0 scene (.gltf), for Blender and others.
    #[arg(long, value_name = "FILE", conflicts_with = "film")]
    gltf: Option<PathBuf>,
    /// Write the motion as a film (.webp). Chromium or Chrome draws it.
    #[arg(long, value_name = "FILE")]
    film: Option<PathBuf>,
    /// Length of the film, as 8 (seconds) or "8 s".
    #[arg(long, default_value_t = 8.0, value_parser = length, requires = "film")]
    seconds: f64,
    /// Time of the motion with which the film ends, as 2.5 (seconds) or "20 ms" [default: its end].
    #[arg(long, value_name = "TIME", value_parser = seconds, requires = "film")]
    until: Option<f64>,
    /// Pixels of the film from left to right.
    #[arg(long, default_value_t = 720, requires = "film")]
    #[arg(value_parser = clap::value_parser!(u32).range(60..=3840))]
    width: u32,
    /// Replace the file.
    #[arg(long)]
    overwrite: bool,
}

/// A time above zero (s); a number alone is seconds.
fn seconds(text: &str) -> Result<f64, ArgumentError> {
    let seconds = text.parse().or_else(|_| parse_time(text))?;
    if seconds > 0.0 && f64::is_finite(seconds) { Ok(seconds) } else { Err(ArgumentError::NoTime) }
}

/// Most frames are those of ten minutes.
fn length(text: &str) -> Result<f64, ArgumentError> {
    let seconds = seconds(text)?;
    if (0.1..=600.0).contains(&seconds) { Ok(seconds) } else { Err(ArgumentError::FilmLength) }
}

pub(super) fn run(arguments: ViewArguments) -> Result<u8, Failure> {
    let ViewArguments { dir, gltf: scene, film, seconds, until, width, overwrite } = arguments;
    if let Some(out) = scene {
        ends_with(&out, "gltf")?;
        let (study, motion) = saved_motion(&dir).map_err(wrong)?;
        let made = gltf(&study.mechanism, &motion).ok_or_else(|| no_motion(&dir))?;
        if !made.jumping.is_empty() {
            tell(&format!(
                "{} turn{} too far between snapshots to be followed, and jump{0}: a smaller observe.every \
                 shows the turning",
                made.jumping.join(", "),
                if made.jumping.len() == 1 { "s" } else { "" },
            ));
        }
        let what = Exporting::Whole(made.text.into_bytes(), format!("instance {}", motion.instance));
        return put(&what, Some(out), overwrite, &on_interrupt());
    }
    if let Some(out) = film {
        ends_with(&out, "webp")?;
        let (study, motion) = saved_motion(&dir).map_err(wrong)?;
        let end = motion.times.last().copied().unwrap_or(0.0);
        if until.is_some_and(|until| until > end) {
            tell(&format!("the motion ends at {} s, and the film with it", significant(end, 6)));
        }
        let film = Film { width, seconds, until, rate: RATE };
        let page = film.page(&study.mechanism, &motion).ok_or_else(|| no_motion(&dir))?;
        let interrupted = on_interrupt();
        let shown = shown_page(&page, &interrupted).map_err(|why| Failure {
            code: if matches!(why, NoPage::Interrupted) { INTERRUPTED } else { FAILED },
            message: why.to_string(),
        })?;
        let made = film
            .of_page(&shown)
            .map_err(|why| Failure { code: FAILED, message: format!("{}: {why}", out.display()) })?;
        let what = Exporting::Whole(made, format!("instance {}, {seconds} s", motion.instance));
        return put(&what, Some(out), overwrite, &interrupted);
    }
    if let Some(shard) = Manifest::read(&dir).map_err(wrong)?.shard {
        return Err(wrong(format!(
            "{}: is shard {shard} of a run; put the shards together by polhode merge",
            dir.display()
        )));
    }
    let report = dir.join(REPORT);
    if !report.is_file() {
        return Err(wrong(format!(
            "{}: is not there; a run writes it unless output.report is false",
            report.display()
        )));
    }
    open(&report)?;
    Ok(print_summary(&format!("opened {}\n", report.display())))
}

fn ends_with(out: &Path, extension: &str) -> Result<(), Failure> {
    match out.extension().is_some_and(|found| found == extension) {
        true => Ok(()),
        false => Err(wrong(format!("{}: give a name that ends with .{extension}", out.display()))),
    }
}

fn no_motion(dir: &Path) -> Failure {
    wrong(format!("{}: its motion has no snapshots after the start, or has run away", dir.display()))
}
