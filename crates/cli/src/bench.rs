//! `polhode bench`: measures speeds.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::value_parser;

use super::{
    ArgumentError, FAILED, Failure, INTERRUPTED, PrecisionArgument, SUCCESS, failed_run, on_interrupt,
    parse_time, print, refused, with_method, wrong,
};
use crate::progress::{Progress, tell};
use polhode::backend::choose::outlook;
use polhode::backend::program::Program;
use polhode::base::nearest;
use polhode::describe::Study;
use polhode::output::REPORT;
use polhode::shipped::part;
use polhode::study;
use polhode::study::plan::plan;
use polhode::study::throughput::{DATA, ENGINES, MOST_INSTANCES};
use polhode::study_file::kinds::convergence::{MOST_JUDGED, MOST_REPEATS};
use polhode::study_file::{MAX_STEPS, read_study, read_study_text};
use polhode::{Engine, Problems, RunOptions, Throughput};

/// Measure how many steps a second this machine takes on each backend, and with what accuracy.
///
/// Without a study polhode takes a free body and a heavy top, and about a minute. With a study it
/// takes its mechanism, method and ensemble. It prints a table and writes throughput.json, plots
/// and a report. Exit codes are those of run.
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
    /// Numbers of instances [default: 1000,10000,100000,1000000].
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_INSTANCES))]
    sizes: Vec<u64>,
    /// Steps between two looks of the host [default: 100,1000].
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u64).range(1..=MAX_STEPS))]
    steps: Vec<u64>,
    /// Precisions of the computation [default: f32,f64].
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_enum)]
    precisions: Vec<PrecisionArgument>,
    /// Measurements of which polhode takes the median [default: 5].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_REPEATS))]
    repeats: Option<u64>,
    /// Instances whose end polhode compares with the accurate motion [default: 4, or 8 without a
    /// study].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_JUDGED))]
    judged: Option<u64>,
    /// Wall-clock time limit, as "60 s". polhode names what does not fit and leaves it out. The
    /// accurate motions of the judged instances come first, and are not cut short.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<f64>,
    /// Backends to measure, as reference,interpreted,cpu,gpu [default: all].
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = parse_engine)]
    backends: Vec<Engine>,
    /// Print the measurements as JSON.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// The backend that a run of the study takes, in a line; none where it is no ensemble that is
/// advanced by a program.
fn of_a_run(study: &Study) -> Option<String> {
    let card = study.kind.card();
    let plan = plan(study).ok().filter(|plan| card.steps && !plan.method.is_adaptive())?;
    let plan = study::with_directions(study, &plan);
    let program = Program::new(&plan, study.run.precision);
    let taken = outlook(&plan, &study.run, &study::workload(study, None, false), &program);
    Some(format!("a run takes the {taken}\n"))
}

/// The built-in measurements, for a call without a study: name, study and mechanism.
const BUILT_IN: [(&str, &str, &str); 2] = [
    ("free_body", include_str!("templates/speed_free_body.toml"), part("free_body.toml")),
    ("heavy_top", include_str!("templates/speed_heavy_top.toml"), part("heavy_top.toml")),
];

pub(super) fn run(arguments: BenchArguments) -> Result<u8, Failure> {
    let mut settings = Throughput::default();
    if arguments.study.is_none() {
        // For each of the two.
        (settings.budget, settings.judged) = (30.0, 8);
    }
    let BenchArguments { study: path, out, overwrite, sizes, steps, precisions, .. } = arguments;
    let BenchArguments { repeats, judged, budget, backends, json, quiet, .. } = arguments;
    let studies = match &path {
        Some(path) => {
            let name = Path::new("runs").join(path.file_stem().unwrap_or_default());
            let study = read_study(path).map_err(wrong)?;
            vec![(with_method((path, &[]), study, &AtomicBool::new(false), quiet)?, out.unwrap_or(name))]
        }
        None => {
            let out = out.unwrap_or_else(|| Path::new("runs/bench").to_owned());
            let question =
                |(name, study, mechanism)| Ok((read_study_text(name, study, mechanism)?, out.join(name)));
            BUILT_IN.into_iter().map(question).collect::<Result<Vec<_>, Problems>>().map_err(wrong)?
        }
    };
    for (ladder, given) in [(&mut settings.sizes, sizes), (&mut settings.steps, steps)] {
        if !given.is_empty() {
            *ladder = given;
            ladder.sort_unstable();
            ladder.dedup();
        }
    }
    if !precisions.is_empty() {
        settings.precisions = precisions.into_iter().map(Into::into).collect();
    }
    if !backends.is_empty() {
        settings.backends = backends;
    }
    settings.repeats = repeats.unwrap_or(settings.repeats);
    settings.judged = judged.unwrap_or(settings.judged);
    settings.budget = budget.map_or(settings.budget, |budget| budget / studies.len() as f64);
    let interrupted = on_interrupt();
    let progress = Progress::new(quiet);
    let mut printed = Vec::new();
    let mut complete = true;
    for (study, out) in studies {
        let taken = of_a_run(&study).unwrap_or_default();
        let options = RunOptions::new().out(&out).overwrite(overwrite);
        let options = options.listener(&progress).interrupt(&interrupted);
        let results = polhode::bench(&study, &settings, &options).map_err(|error| match &path {
            Some(path) => refused(path, &[], error),
            None => failed_run(error),
        })?;
        complete &= results.is_complete();
        printed.push(match json {
            true => std::fs::read_to_string(results.folder().join(DATA))
                .map_err(|error| Failure { code: FAILED, message: error.to_string() })?,
            false => format!(
                "{}\n{taken}{}\nwrote {}\n",
                study.title,
                results.lines().join("\n"),
                results.folder().join(REPORT).display()
            ),
        });
    }
    progress.finish();
    print(&match (json, &path) {
        (true, None) => format!("[\n{}\n]\n", printed.join(",\n")),
        _ => printed.join("\n"),
    })?;
    if complete {
        return Ok(SUCCESS);
    }
    tell("interrupted: the result is incomplete, and marked so");
    Ok(INTERRUPTED)
}

fn parse_engine(text: &str) -> Result<Engine, ArgumentError> {
    let named = ENGINES.iter().find(|(name, _)| *name == text);
    let allowed: Vec<&'static str> = ENGINES.iter().map(|(name, _)| *name).collect();
    named.map(|(_, engine)| *engine).ok_or_else(|| {
        let meant = nearest(text, allowed.iter().copied());
        let meant = meant.map_or(String::new(), |name| format!("did you mean `{name}`? "));
        ArgumentError::Engine { meant, allowed }
    })
}
