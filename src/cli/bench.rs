//! `polhode bench`: measures speeds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::{
    ArgumentError, FAILED, Failure, INTERRUPTED, failed_run, on_interrupt, parse_time, print, with_method,
    wrong,
};
use crate::backend::choose::outlook;
use crate::backend::program::Program;
use crate::base::nearest;
use crate::describe::throughput::ENGINES;
use crate::describe::{Engine, Study, StudyKind};
use crate::output::REPORT;
use crate::progress::{Progress, tell};
use crate::study;
use crate::study::plan::plan;
use crate::study::throughput;
use crate::study_file::{Problems, default_throughput, read_study, read_study_text};

/// Measure how fast a mechanism is advanced on everything there is, each speed with its accuracy.
///
/// Without a study, a free body and a heavy top, in about a minute. A study of another kind lends its
/// mechanism, method and ensemble. Prints a table and writes throughput.json, plots and a report. Exit codes
/// as of run.
#[derive(Debug, clap::Args)]
pub struct BenchArguments {
    /// Study file (TOML) [default: a free body and a heavy top].
    study: Option<PathBuf>,
    /// Output folder [default: runs/bench, or runs/ and the study file's name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// Wall-clock time that it may take, as "60 s".
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<f64>,
    /// Backends to measure, as reference,interpreted,cpu,gpu [default: all].
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = parse_engine)]
    backends: Vec<Engine>,
    /// Print the measurements as JSON.
    #[arg(long)]
    json: bool,
    /// Say nothing while it goes on.
    #[arg(long, short)]
    quiet: bool,
}

/// The backend that a run of the study takes, in a line; none where it is no ensemble that is advanced by a
/// program.
fn of_a_run(study: &Study) -> Option<String> {
    let card = study.kind.card();
    let plan = plan(study).ok().filter(|plan| card.has_parts && card.steps && !plan.method.is_adaptive())?;
    let plan = study::followed(study, &plan);
    let program = Program::new(&plan, study.run.precision);
    let taken = outlook(&plan, &study.run, &study::workload(study, &plan, None, false), &program);
    Some(format!("a run takes the {taken}\n"))
}

/// The built-in measurements, for a call without a study: name, study and mechanism.
const BUILT_IN: [(&str, &str, &str); 2] = [
    (
        "free_body",
        include_str!("../../studies/throughput_free_body.toml"),
        include_str!("../../mechanisms/free_body.toml"),
    ),
    (
        "heavy_top",
        include_str!("../../studies/throughput_heavy_top.toml"),
        include_str!("../../mechanisms/heavy_top.toml"),
    ),
];

pub(super) fn run(arguments: BenchArguments) -> Result<ExitCode, Failure> {
    let BenchArguments { study: path, out, overwrite, budget, backends, json, quiet } = arguments;
    let studies = match &path {
        Some(path) => {
            let name = Path::new("runs").join(path.file_stem().unwrap_or_default());
            let study = read_study(path).map_err(wrong)?;
            vec![(with_method(study, &AtomicBool::new(false), quiet)?, out.unwrap_or(name))]
        }
        None => {
            let out = out.unwrap_or_else(|| Path::new("runs/bench").to_owned());
            let of =
                |(name, study, mechanism)| Ok((read_study_text(name, study, mechanism)?, out.join(name)));
            BUILT_IN.into_iter().map(of).collect::<Result<Vec<_>, Problems>>().map_err(wrong)?
        }
    };
    let interrupted = on_interrupt();
    let progress = Progress::new(quiet);
    let mut printed = Vec::new();
    let mut complete = true;
    let share = studies.len() as f64;
    for (mut study, out) in studies {
        let taken = of_a_run(&study).unwrap_or_default();
        let mut asked = match study.kind {
            StudyKind::Throughput(asked) => asked,
            _ => default_throughput(),
        };
        if let Some(budget) = budget {
            asked.budget = budget / share;
        }
        if !backends.is_empty() {
            asked.backends.clone_from(&backends);
        }
        study.kind = StudyKind::Throughput(asked);
        let outcome = study::run(&study, &out, overwrite, &progress, &interrupted).map_err(failed_run)?;
        complete &= outcome.manifest.complete;
        printed.push(match json {
            true => std::fs::read_to_string(outcome.folder.join(throughput::DATA))
                .map_err(|error| Failure { code: FAILED, message: error.to_string() })?,
            false => format!(
                "{}\n{taken}{}\nwrote {}\n",
                study.title,
                outcome.found.join("\n"),
                outcome.folder.join(REPORT).display()
            ),
        });
    }
    progress.finish();
    print(&match (json, &path) {
        (true, None) => format!("[\n{}\n]\n", printed.join(",\n")),
        _ => printed.join("\n"),
    })?;
    if complete {
        return Ok(ExitCode::SUCCESS);
    }
    tell("interrupted: the result is incomplete, and marked so");
    Ok(ExitCode::from(INTERRUPTED))
}

fn parse_engine(text: &str) -> Result<Engine, ArgumentError> {
    let named = ENGINES.iter().find(|(name, _)| *name == text);
    let allowed: Vec<&'static str> = ENGINES.iter().map(|(name, _)| *name).collect();
    named
        .map(|(_, engine)| *engine)
        .ok_or_else(|| ArgumentError::Engine { meant: nearest(text, allowed.iter().copied()), allowed })
}
