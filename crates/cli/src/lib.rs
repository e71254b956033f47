//! The command line: one file a command, with its arguments and what it prints. To add one, write
//! its file and add its line to `commands!`.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod bench;
mod browser;
mod check;
mod compare;
mod completions;
mod devices;
mod export;
mod extend;
mod import;
mod init;
mod kernel;
mod list;
mod merge;
mod methods;
mod page;
mod plot;
mod progress;
mod replay;
mod run;
mod schema;
mod shards;
mod verify;
mod view;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::progress::tell;
use polhode::base::text::harmless;
use polhode::base::units::{Dimension, UnitError, parse_quantity};
use polhode::base::{Precision, grouped, instances, significant};
use polhode::describe::kind::InstanceRows;
use polhode::describe::{BackendChoice, Study};
use polhode::ensemble::Shard;
use polhode::methods::Adaptive;
use polhode::methods::adaptive::Unsuited;
use polhode::output::{Accuracy, Manifest, REPORT, ReplotError, abandon};
use polhode::study::RunError;
use polhode::study::RunOutcome;
use polhode::study::choose_method::chosen;
use polhode::study_file::kinds;
use polhode::study_file::{KeySetting, key_problem, read_study_with, start_problems};

/// Ensembles of small mechanisms on CPU and GPU.
///
/// You write two text files. The mechanism has bodies, joints, forces and motors. The study says
/// what varies from instance to instance, and what you want to know. `polhode run` advances all
/// instances and writes tables (Parquet), plots and a report.
///
/// Begin with: polhode init my-study && polhode run my-study/study.toml
#[derive(Debug, Parser)]
#[command(name = "polhode", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

macro_rules! commands {
    ($($command:ident => $module:ident::$arguments:ident),* $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($command($module::$arguments),)*
        }

        impl Command {
            fn run(self) -> Result<u8, Failure> {
                match self {
                    $(Command::$command(arguments) => $module::run(arguments),)*
                }
            }
        }
    };
}

commands! {
    Init => init::InitArguments,
    Import => import::ImportArguments,
    List => list::ListArguments,
    Run => run::RunArguments,
    Merge => merge::MergeArguments,
    Extend => extend::ExtendArguments,
    Shards => shards::ShardsArguments,
    Check => check::CheckArguments,
    View => view::ViewArguments,
    Page => page::PageArguments,
    Plot => plot::PlotArguments,
    Export => export::ExportArguments,
    Compare => compare::CompareArguments,
    Replay => replay::ReplayArguments,
    Devices => devices::DevicesArguments,
    Kernel => kernel::KernelArguments,
    Methods => methods::MethodsArguments,
    Verify => verify::VerifyArguments,
    Bench => bench::BenchArguments,
    Schema => schema::SchemaArguments,
    Completions => completions::CompletionsArguments,
}

/// Settings of the study's [run] table, changed for this once.
#[derive(Debug, clap::Args)]
struct Changes {
    /// auto, cpu, gpu, or gpu:NAME for the first adapter whose name contains NAME.
    #[arg(long, value_name = "BACKEND", value_parser = parse_backend)]
    backend: Option<BackendChoice>,
    /// Precision of the computation.
    #[arg(long, value_enum)]
    precision: Option<PrecisionArgument>,
    /// CPU threads [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    threads: Option<u64>,
    /// Instances advanced together [default: chosen from caches and memory]. Results do not depend
    /// on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    chunk: Option<u64>,
    /// Replace a value of the file, by the path of its key: ensemble.size=500, method.step="1 ms",
    /// mechanism.body.lower.mass=2. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<KeySetting>,
    /// Take a key and all that is in it out of the file, before --set: ensemble.vary, method.step,
    /// mechanism.load.gust. May be given several times.
    #[arg(long, value_name = "KEY", value_parser = KeySetting::removal)]
    unset: Vec<KeySetting>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PrecisionArgument {
    F32,
    #[value(name = "f32_compensated")]
    F32Compensated,
    F64,
}

impl From<PrecisionArgument> for Precision {
    fn from(named: PrecisionArgument) -> Precision {
        match named {
            PrecisionArgument::F32 => Precision::F32,
            PrecisionArgument::F32Compensated => Precision::F32Compensated,
            PrecisionArgument::F64 => Precision::F64,
        }
    }
}

/// Why an argument is not what it should be.
#[derive(Debug, thiserror::Error)]
enum ArgumentError {
    #[error("give auto, cpu, gpu or gpu:NAME")]
    Backend,
    #[error("give a time above zero, as \"60 s\"")]
    NoTime,
    #[error("{0}; give a time, as \"60 s\"")]
    Time(UnitError),
    #[error("{meant}give some of {}", allowed.join(", "))]
    Engine { meant: String, allowed: Vec<&'static str> },
    #[error("from 0.1 to 600 seconds")]
    FilmLength,
    #[error("give some of {}{meant}", allowed.join(", "))]
    Feature { meant: String, allowed: Vec<&'static str> },
}

/// A time above zero (s).
fn parse_time(text: &str) -> Result<f64, ArgumentError> {
    let time = parse_quantity(text, Dimension::Time).map_err(ArgumentError::Time)?;
    if time > 0.0 { Ok(time) } else { Err(ArgumentError::NoTime) }
}

fn parse_backend(text: &str) -> Result<BackendChoice, ArgumentError> {
    match text {
        "auto" => Ok(BackendChoice::Auto),
        "cpu" => Ok(BackendChoice::Cpu),
        "gpu" => Ok(BackendChoice::Gpu { adapter: None }),
        _ => match text.strip_prefix("gpu:") {
            Some(name) if !name.is_empty() => Ok(BackendChoice::Gpu { adapter: Some(name.to_string()) }),
            _ => Err(ArgumentError::Backend),
        },
    }
}

impl Changes {
    fn settings(&self) -> Vec<KeySetting> {
        self.unset.iter().chain(&self.set).cloned().collect()
    }

    fn apply(&self, study: &mut Study) -> Result<(), Failure> {
        if let Some(backend) = &self.backend {
            study.run.backend = backend.clone();
        }
        if let Some(precision) = self.precision {
            study.run.precision = precision.into();
            if let Some(open) = &mut study.method.open {
                open.precision = false;
            }
        }
        if let Some(threads) = self.threads {
            study.run.threads = Some(threads as usize);
        }
        if self.chunk.is_some() {
            study.run.chunk = self.chunk;
        }
        match study.uncountable() {
            Some(why) => Err(wrong(format!("{why}; use --precision f64"))),
            None => Ok(()),
        }
    }
}

const SUCCESS: u8 = 0;
/// Wrong input: nothing was begun.
const WRONG_INPUT: u8 = 2;
/// The run failed.
const FAILED: u8 = 1;
/// The results are written, and not one instance came to its end.
const NOTHING_FINISHED: u8 = 3;
const INTERRUPTED: u8 = 130;

/// A message for standard error and the exit code with it.
struct Failure {
    code: u8,
    message: String,
}

fn wrong(message: impl ToString) -> Failure {
    Failure { code: WRONG_INPUT, message: message.to_string() }
}

/// Runs the command by the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(command(std::env::args_os()))
}

/// Parses the arguments, of which the first is the name of the program, runs the command, returns
/// the exit code. Arguments that are wrong, or ask for help, end the process.
pub fn command(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    CommandLine::parse_from(arguments).command.run().unwrap_or_else(|failure| {
        match failure.code {
            INTERRUPTED => tell(failure.message.trim_end()),
            // Several faults have a line each.
            _ => failure.message.trim_end().lines().for_each(|line| tell(&format!("error: {line}"))),
        }
        failure.code
    })
}

/// Prints to standard output; a closed pipe (`| head`) is no failure.
fn print(text: &str) -> Result<u8, Failure> {
    use std::io::Write;
    match std::io::stdout().write_all(harmless(text).as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure { code: FAILED, message: format!("standard output: {error}") })
        }
        _ => Ok(SUCCESS),
    }
}

/// Prints what a command has done, when all of it is on the disk: not being able to print is then
/// no failure.
fn print_summary(text: &str) -> u8 {
    if let Err(failure) = print(text) {
        tell(&format!("{}; all results are written", failure.message));
    }
    SUCCESS
}

fn read(path: &Path, changes: &Changes) -> Result<Study, Failure> {
    let mut study = read_study_with(path, &changes.settings()).map_err(wrong)?;
    changes.apply(&mut study)?;
    // The reader has reported this of the file itself; arguments may bring it about, too.
    let method = Adaptive::new(study.method.name, &study.method.options);
    let unsuited = method.and_then(|method| method.unsuited(&study.run));
    if let Some(Unsuited { found, advice }) = unsuited {
        return Err(wrong(format!("{found}: {advice}")));
    }
    match start_problems(&study, path) {
        Some(problems) => Err(wrong(problems)),
        None => Ok(study),
    }
}

/// The study with method and step chosen, where it leaves them open; why is printed.
fn with_method(
    (path, settings): (&Path, &[KeySetting]),
    study: Study,
    interrupted: &AtomicBool,
    quiet: bool,
) -> Result<Study, Failure> {
    let chosen = chosen(&study, interrupted).map_err(|error| refused(path, settings, error))?;
    chosen.told.iter().filter(|_| !quiet).for_each(|line| tell(line));
    Ok(chosen.study)
}

/// Where a study's results go if nobody says where: `runs/NAME`, or `runs/NAME-1-of-4`.
fn default_folder(study: &Path, shard: Option<Shard>) -> PathBuf {
    let mut name = study.file_stem().unwrap_or_default().to_owned();
    if let Some(Shard { part, of }) = shard {
        name.push(format!("-{part}-of-{of}"));
    }
    Path::new("runs").join(name)
}

/// A flag that Ctrl-C, SIGTERM and SIGHUP set.
fn on_interrupt() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    on_signal(move || {
        // The second time the user means it.
        if flag.swap(true, Ordering::Relaxed) {
            end_at_once();
        }
    });
    interrupted
}

/// Lets the first of these signals end the process, with nothing left that is not whole.
fn end_on_interrupt() {
    on_signal(end_at_once);
}

fn on_signal(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        tell(&format!("Ctrl-C will end polhode without clearing up: {error}"));
    }
}

fn end_at_once() {
    abandon();
    std::process::exit(i32::from(INTERRUPTED));
}

fn failed_run(error: RunError) -> Failure {
    let code = match &error {
        RunError::Interrupted | RunError::NotReplaced { .. } => INTERRUPTED,
        error if error.is_refusal() => WRONG_INPUT,
        _ => FAILED,
    };
    Failure { code, message: error.to_string() }
}

/// As [`failed_run`], of the study of this file: a refusal has the place of its key.
fn refused(study: &Path, settings: &[KeySetting], error: RunError) -> Failure {
    let key = error.key();
    let mut failure = failed_run(error);
    let problem = key.and_then(|key| key_problem(study, settings, &key, &failure.message));
    failure.message = problem.map_or(failure.message, |problem| problem.to_string());
    failure
}

fn not_drawn(error: ReplotError) -> Failure {
    let code = match &error {
        ReplotError::Output(error) if !error.is_refusal() => FAILED,
        _ => WRONG_INPUT,
    };
    Failure { code, message: error.to_string() }
}

/// The account of a run. `start_up`: the time before it began, and what took most of it: that the
/// study was read, or its method chosen.
fn run_summary(outcome: &RunOutcome, start_up: Option<(&str, Duration)>) -> String {
    let m = &outcome.manifest;
    let mut text = String::new();
    // Studies of speed do not advance their instances once from start to end; they report in lines
    // of their own.
    if kinds::card(&m.kind).is_none_or(|card| card.rows != InstanceRows::None) {
        text = ensemble_summary(m, start_up);
    }
    for line in &outcome.found {
        let _ = writeln!(text, "{line}");
    }
    for line in m.accuracy.iter().flat_map(Accuracy::lines) {
        let _ = writeln!(text, "{line}");
    }
    let has_report = m.files.iter().any(|file| file.name == REPORT);
    let wrote = if has_report { outcome.folder.join(REPORT) } else { outcome.folder.clone() };
    let _ = writeln!(text, "wrote {}", wrote.display());
    text
}

/// The time (s), or the step where steps differ, to which all instances are kept that an
/// interruption stopped; `None`: some had not begun.
fn kept_to(m: &Manifest) -> Option<String> {
    let step = m.interrupted_at.filter(|_| kinds::card(&m.kind).is_some_and(|card| card.stops_together))?;
    let begun: u64 = m.verdicts.values().sum();
    let all = m.interrupted() > 0 && begun == m.instances;
    all.then(|| match m.varied_step {
        Some(_) => format!("step {}", grouped(step)),
        None => format!("t = {} s", plain(step as f64 * m.step)),
    })
}

/// A number without the last digits, which rounding made.
fn plain(x: f64) -> String {
    significant(x, 13)
}

/// A step as a study gives it; one that divides the duration has digits that nobody chose.
fn step_told(step: f64) -> String {
    let whole = plain(step);
    if whole == significant(step, 6) {
        format!("of {whole} s")
    } else {
        format!("of about {} s", significant(step, 4))
    }
}

fn ensemble_summary(m: &Manifest, start_up: Option<(&str, Duration)>) -> String {
    let mut text = String::new();
    if let Some(shard) = m.shard {
        let _ = writeln!(text, "shard {shard}");
    }
    let begins = match kept_to(m) {
        Some(until) => format!("all {} are kept to {until}, of", instances(m.instances)),
        None => format!("{} of {} x", grouped(m.advanced), instances(m.instances)),
    };
    if kinds::card(&m.kind).is_some_and(|card| !card.steps) {
        let ends: Vec<String> =
            m.verdicts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
        let (done, all) = (grouped(m.advanced), instances(m.instances));
        let seconds = start_up.map_or(0.0, |(_, time)| time.as_secs_f64()) + m.timings.total;
        let _ = writeln!(text, "{done} of {all} in {seconds:.2} s, {}: {}", m.method, ends.join(", "));
        return text;
    }
    // Steps of instances that came to nothing are no speed of any.
    let speed = match m.advanced > 0 || kept_to(m).is_some() {
        true => format!(": {:.2e} instance-steps/s", m.instance_steps_per_second),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "{begins} {} steps {}{speed} ({})",
        grouped(m.steps),
        m.varied_step.map_or_else(|| step_told(m.step), |varied| varied.sentence()),
        m.precision
    );
    if let Some(start) = &m.start {
        let _ = writeln!(text, "start: {start}");
    }
    let mut stages = m.timings.stages().map(|(stage, time)| format!("{stage} {time:.2}")).join(", ");
    let before = start_up.map(|(what, time)| (what, time.as_secs_f64()));
    if let Some((what, time)) = before {
        stages = format!("{what} {time:.2}, {stages}");
    }
    let slowest = m.timings.bottleneck(before);
    let slowest = slowest.map_or_else(String::new, |slowest| format!("; {slowest} takes longest"));
    let total = before.map_or(0.0, |(_, time)| time) + m.timings.total;
    let _ = writeln!(text, "time: {total:.2} s in all; {stages} s{slowest}");
    let verdicts: Vec<String> = m
        .verdicts
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{name} {}", grouped(*count)))
        .collect();
    if !verdicts.is_empty() {
        let _ = writeln!(text, "verdicts: {}", verdicts.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_tells_to_which_time_all_are_kept() {
        let manifest = |finished: u64, interrupted: u64| {
            let verdicts = [("finished".to_string(), finished), ("interrupted".to_string(), interrupted)];
            Manifest {
                kind: "monte_carlo".to_string(),
                instances: 40_000,
                advanced: finished,
                step: 1e-3,
                steps: 500_000,
                interrupted_at: Some(449_000),
                verdicts: verdicts.into(),
                ..Manifest::default()
            }
        };
        for (finished, interrupted) in [(0, 40_000), (30_000, 10_000)] {
            let summary = ensemble_summary(&manifest(finished, interrupted), None);
            let all = "all 40,000 instances are kept to t = 449 s, of 500,000 steps of 0.001 s: ";
            assert!(summary.starts_with(all), "{summary}");
        }
        // A part had not begun, or nothing was stopped on its way.
        for (finished, interrupted, start) in [(0, 10_000, "0 of "), (40_000, 0, "40,000 of ")] {
            let found = ensemble_summary(&manifest(finished, interrupted), None);
            assert!(found.starts_with(&format!("{start}40,000 instances x 500,000 steps")), "{found}");
            assert!(found.contains("verdicts: "), "{found}");
            assert_eq!(found.contains("instance-steps/s"), finished > 0, "{found}");
        }
        let none = ensemble_summary(&manifest(0, 0), None);
        assert!(!none.contains("verdicts"), "{none}");
    }
}
