//! The command line: arguments, and what each command prints.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::backend::Plan;
use crate::backend::choose::too_long;
use crate::backend::gpu::device;
use crate::backend::gpu::kernel::Kernel;
use crate::backend::program::Program;
use crate::base::units::{Dimension, parse_quantity};
use crate::base::{Precision, grouped, nearest};
use crate::describe::throughput::ENGINES;
use crate::describe::{BackendChoice, Engine, Kind, Study, Throughput};
use crate::ensemble::sampling::varied_step;
use crate::ensemble::{Quantities, Sampler, Shard};
use crate::methods::bdf::{Unsuited, unsuited};
use crate::methods::{CARDS, adaptive};
use crate::model::{Model, NoMechanism, Parameter};
use crate::observe::Verdict;
use crate::observe::channels::{Observer, columns};
use crate::output::{
    Accuracy, Format, Manifest, OutputError, REPORT, Replot, ReplotError, modal_text, replot,
};
use crate::progress::{Progress, tell};
use crate::study;
use crate::study::choose_method::chosen;
use crate::study::cost;
use crate::study::method_page;
use crate::study::monte_carlo::{self, Outcome, RunError, final_channels};
use crate::study::plan::plan;
use crate::study::replay::{Replay, ReplayError, replay};
use crate::study::shard::{self, MergeError};
use crate::study::stability_map;
use crate::study::stable_step;
use crate::study::throughput;
use crate::study::together::{Wanted, beside};
use crate::study_file::{Problems, mechanism_schema, read_study, read_study_text, study_schema};
use crate::verify::{self, Context, VerifyError};

/// Ensembles of small mechanisms on CPU and GPU.
///
/// A study file (TOML) names a mechanism, an integration method, an ensemble of instances with their own initial
/// values and parameters, and what to observe. `polhode run` advances all instances and writes tables (Parquet),
/// plots and a report. Try: polhode run studies/tumbling.toml
#[derive(Debug, Parser)]
#[command(name = "polhode", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a study and write its tables, plots and report into a folder.
    ///
    /// Ctrl-C ends the run cleanly: what is finished is written, and marked incomplete. Exit code 0: written; 1: the
    /// run failed and nothing was changed; 2: wrong input; 130: interrupted.
    Run {
        /// Study file (TOML).
        study: PathBuf,
        /// Output folder [default: runs/ and the study file's name].
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Compute part K of N of the ensemble alone (1/N to N/N), to be put together by `polhode merge`.
        #[arg(long, value_name = "K/N")]
        shard: Option<Shard>,
        /// Replace an earlier result in the output folder.
        #[arg(long)]
        overwrite: bool,
        /// Do not measure the error of the run.
        #[arg(long)]
        no_accuracy: bool,
        #[command(flatten)]
        changes: Changes,
        /// Print nothing but errors.
        #[arg(long, short)]
        quiet: bool,
    },
    /// Put the shards of a study together: the result is, bit for bit, that of the run of the whole.
    ///
    /// Shards that are missing, doubled, interrupted, damaged or of another study, version or arithmetic are refused by
    /// name, and nothing is written.
    Merge {
        /// Folders of all shards, in any order.
        #[arg(required = true, value_name = "DIR")]
        shards: Vec<PathBuf>,
        /// Output folder.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Replace an earlier result in the output folder.
        #[arg(long)]
        overwrite: bool,
        /// Print nothing but errors.
        #[arg(long, short)]
        quiet: bool,
    },
    /// Read a study, print what it would do and cost, and run nothing.
    Check {
        /// Study file (TOML).
        study: PathBuf,
        /// Print all constants of flexible bodies, and the shapes at their named points.
        #[arg(long)]
        constants: bool,
        #[command(flatten)]
        changes: Changes,
    },
    /// Draw the plots of a finished run again, or others, from its folder alone.
    ///
    /// Without options it draws what the run drew. With --out they go into a folder of their own; else they replace those
    /// of the run (report.html keeps its own).
    Plot {
        /// Output folder of a run.
        dir: PathBuf,
        /// Only this channel, of all bodies or joints (angle) or of one (crank.angle), whole or by component
        /// (angular_velocity.x); may be given again.
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
    },
    /// Show in what finished runs differ: studies, statistics, verdicts, and the instances of equal ensembles.
    ///
    /// The first is compared with each of the others. With --out, every channel that all of them have is drawn with a curve of
    /// each run, and with the differences from the first.
    Compare {
        /// Output folders of runs.
        #[arg(required = true, num_args = 2.., value_name = "DIR")]
        dirs: Vec<PathBuf>,
        /// Only this channel, of all bodies or joints (drive_torque) or of one (motor.drive_torque), whole or by component
        /// (angular_velocity.x); may be given again.
        #[arg(long, value_name = "NAME")]
        channel: Vec<String>,
        /// What the runs are called, as rigid,modal,beams [default: by their folders].
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
    },
    /// Run one instance of a finished run again, alone, by the independent f64 reference, and compare.
    Replay {
        /// Output folder of a run.
        dir: PathBuf,
        /// Which instance, counted from 0.
        #[arg(long, short)]
        instance: u64,
        /// Print the trajectory as CSV and nothing else.
        #[arg(long)]
        csv: bool,
    },
    /// List the GPU adapters with their limits and features.
    Devices {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the GPU kernel (WGSL) made for a study, and its operation counts.
    Kernel {
        /// Study file (TOML).
        study: PathBuf,
        #[command(flatten)]
        changes: Changes,
    },
    /// List the integration methods with their order, cost and source, or tell of one.
    Methods {
        /// The method to tell of: equations, settings, measured behaviour.
        name: Option<String>,
    },
    /// Measure what the reports claim, and judge it.
    ///
    /// Every claim on the methods is run as a study on the CPU and compared with what is asked of it: it holds, holds
    /// only on a condition, or does not hold. Prints the table and writes a report with plots. Exit code 0: all were
    /// computed, whatever the verdicts; 1: one could not be, and nothing was changed; 2: wrong input; 130: interrupted.
    Verify {
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
    },
    /// Measure how fast a mechanism is advanced on everything there is, each speed with its accuracy.
    ///
    /// Without a study, a free body and a heavy top, in about a minute. A study of another kind lends its mechanism, method and
    /// ensemble. Prints a table and writes throughput.json, plots and a report. Exit codes as of run.
    Bench {
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
        /// What computes, as reference,interpreted,cpu,gpu [default: all].
        #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = parse_engine)]
        backends: Vec<Engine>,
        /// Print the measurements as JSON.
        #[arg(long)]
        json: bool,
        /// Say nothing while it goes on.
        #[arg(long, short)]
        quiet: bool,
    },
    /// Print the JSON Schema of study or mechanism files, for editors.
    Schema {
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Print completions for a shell.
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
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
    /// Instances advanced together [default: chosen from memory]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    chunk: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PrecisionArgument {
    F32,
    F64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArgument {
    Png,
    Svg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaOf {
    Study,
    Mechanism,
}

fn parse_backend(text: &str) -> Result<BackendChoice, String> {
    match text {
        "auto" => Ok(BackendChoice::Auto),
        "cpu" => Ok(BackendChoice::Cpu),
        "gpu" => Ok(BackendChoice::Gpu { adapter: None }),
        _ => match text.strip_prefix("gpu:") {
            Some(name) if !name.is_empty() => Ok(BackendChoice::Gpu { adapter: Some(name.to_string()) }),
            _ => Err("give auto, cpu, gpu or gpu:NAME".to_string()),
        },
    }
}

fn parse_time(text: &str) -> Result<f64, String> {
    match parse_quantity(text, Dimension::Time) {
        Ok(time) if time > 0.0 => Ok(time),
        Ok(_) => Err("give a time above zero, as \"60 s\"".to_string()),
        Err(error) => Err(format!("{error}; give a time, as \"60 s\"")),
    }
}

fn parse_engine(text: &str) -> Result<Engine, String> {
    let named = ENGINES.iter().find(|(name, _)| *name == text);
    let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    named.map(|(_, engine)| *engine).ok_or_else(|| {
        let meant = nearest(text, names.iter().copied());
        let meant = meant.map_or(String::new(), |name| format!("did you mean `{name}`? "));
        format!("{meant}give some of {}", names.join(", "))
    })
}

impl Changes {
    fn apply(&self, study: &mut Study) -> Result<(), Failure> {
        if let Some(backend) = &self.backend {
            study.run.backend = backend.clone();
        }
        if let Some(precision) = self.precision {
            study.run.precision = match precision {
                PrecisionArgument::F32 => Precision::F32,
                PrecisionArgument::F64 => Precision::F64,
            };
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

/// Wrong input: nothing was begun.
const WRONG_INPUT: u8 = 2;
/// The run failed.
const FAILED: u8 = 1;
const INTERRUPTED: u8 = 130;

/// A message for standard error and the exit code with it.
struct Failure {
    code: u8,
    message: String,
}

fn wrong(message: impl ToString) -> Failure {
    Failure { code: WRONG_INPUT, message: message.to_string() }
}

/// Parses the arguments, runs the command, returns the exit code.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run { study, out, shard, overwrite, no_accuracy, changes, quiet } => {
            run(&study, out, shard, &Running { overwrite, no_accuracy, quiet }, &changes)
        }
        Command::Merge { shards, out, overwrite, quiet } => merge(&shards, &out, overwrite, quiet),
        Command::Check { study, constants, changes } => check(&study, constants, &changes),
        Command::Plot { dir, channel, instances, format, out, overwrite } => {
            let format = format.map(|format| match format {
                FormatArgument::Png => Format::Png,
                FormatArgument::Svg => Format::Svg,
            });
            plot(&dir, &Replot { channels: channel, instances, format, out, overwrite })
        }
        Command::Compare { dirs, channel, labels, out, overwrite, json } => {
            compare(&dirs, &Wanted { channels: channel, labels, out, overwrite }, json)
        }
        Command::Replay { dir, instance, csv } => replay_command(&dir, instance, csv),
        Command::Devices { json } => devices(json),
        Command::Kernel { study, changes } => kernel(&study, &changes),
        Command::Methods { name } => methods(name.as_deref()),
        Command::Verify { out, overwrite, long, json, quiet } => verify(&out, overwrite, long, json, quiet),
        Command::Bench { study, out, overwrite, budget, backends, json, quiet } => {
            bench(study.as_deref(), out, &Bench { overwrite, budget, backends, json, quiet })
        }
        Command::Schema { of } => schema(of),
        Command::Completions { shell } => completions(shell),
    };
    result.unwrap_or_else(|failure| {
        tell(failure.message.trim_end());
        ExitCode::from(failure.code)
    })
}

/// Prints to standard output; a closed pipe (`| head`) is no failure.
fn print(text: &str) -> Result<ExitCode, Failure> {
    use std::io::Write;
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure { code: FAILED, message: format!("standard output: {error}") })
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn read(path: &Path, changes: &Changes) -> Result<Study, Failure> {
    let mut study = read_study(path).map_err(wrong)?;
    changes.apply(&mut study)?;
    // Of the file itself the reader has said so.
    let unsuited = adaptive(study.method.name, &study.method.options).and_then(|_| unsuited(&study.run));
    if let Some(Unsuited { found, advice }) = unsuited {
        return Err(wrong(format!("{found}: {advice}")));
    }
    match Model::start_problems(&study, path) {
        Some(problems) => Err(wrong(problems)),
        None => Ok(study),
    }
}

/// The study with method and step chosen, where it leaves them open; why is printed.
fn with_method(study: Study, interrupted: &AtomicBool, quiet: bool) -> Result<Study, Failure> {
    let chosen = chosen(&study, interrupted).map_err(failed_run)?;
    chosen.told.iter().filter(|_| !quiet).for_each(|line| tell(line));
    Ok(chosen.study)
}

/// A flag that Ctrl-C sets.
fn on_interrupt() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let handler = ctrlc::set_handler(move || {
        // The second time the user means it.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    if let Err(error) = handler {
        tell(&format!("Ctrl-C will end the run without writing it: {error}"));
    }
    interrupted
}

/// Flags of `polhode run`.
struct Running {
    overwrite: bool,
    no_accuracy: bool,
    quiet: bool,
}

fn run(
    path: &Path,
    out: Option<PathBuf>,
    shard: Option<Shard>,
    running: &Running,
    changes: &Changes,
) -> Result<ExitCode, Failure> {
    let &Running { overwrite, no_accuracy, quiet } = running;
    let interrupted = on_interrupt();
    let mut study = with_method(read(path, changes)?, &interrupted, quiet)?;
    if no_accuracy {
        study.accuracy.budget = Some(0.0);
    }
    let out = out.unwrap_or_else(|| {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        if let Some(Shard { part, of }) = shard {
            name.push(format!("-{part}-of-{of}"));
        }
        Path::new("runs").join(name)
    });
    for warning in stable_step::warnings(&study).map_err(wrong)? {
        tell(&format!("warning: {warning}"));
    }
    let progress = Progress::new(quiet);
    let outcome = match shard {
        None => study::run(&study, &out, overwrite, &progress, &interrupted),
        Some(shard) => monte_carlo::run_shard(&study, shard, &out, overwrite, &progress, &interrupted),
    };
    progress.finish();
    let outcome = outcome.map_err(failed_run)?;
    if !quiet {
        print(&told(&outcome))?;
    }
    let seen =
        |verdict: &Verdict| outcome.manifest.verdicts.get(verdict.name()).is_some_and(|count| *count > 0);
    for reason in Verdict::ALL.into_iter().filter(seen).filter_map(|verdict| verdict.reason(&study.mechanism))
    {
        tell(&reason);
    }
    if !outcome.manifest.complete {
        tell("interrupted: the result is incomplete, and marked so");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

fn failed_run(error: RunError) -> Failure {
    let code = match &error {
        RunError::Sampling(_)
        | RunError::NoMechanism(_)
        | RunError::Unserved(_)
        | RunError::TooManySnapshots { .. }
        | RunError::TooManyParts { .. } => WRONG_INPUT,
        RunError::Output(error) if error.is_refusal() => WRONG_INPUT,
        RunError::Interrupted => INTERRUPTED,
        RunError::Output(_)
        | RunError::Backend(_)
        | RunError::Threads(_)
        | RunError::NotZero(_)
        | RunError::NotForeseen(_) => FAILED,
    };
    Failure { code, message: error.to_string() }
}

/// Options of `polhode bench`.
struct Bench {
    overwrite: bool,
    budget: Option<f64>,
    backends: Vec<Engine>,
    json: bool,
    quiet: bool,
}

/// What is measured without a study: name, study and mechanism.
const BUILT_IN: [(&str, &str, &str); 2] = [
    (
        "free_body",
        include_str!("../studies/throughput_free_body.toml"),
        include_str!("../mechanisms/free_body.toml"),
    ),
    (
        "heavy_top",
        include_str!("../studies/throughput_heavy_top.toml"),
        include_str!("../mechanisms/heavy_top.toml"),
    ),
];

fn bench(path: Option<&Path>, out: Option<PathBuf>, bench: &Bench) -> Result<ExitCode, Failure> {
    let studies = match path {
        Some(path) => {
            let name = Path::new("runs").join(path.file_stem().unwrap_or_default());
            let study = read_study(path).map_err(wrong)?;
            vec![(with_method(study, &AtomicBool::new(false), bench.quiet)?, out.unwrap_or(name))]
        }
        None => {
            let out = out.unwrap_or_else(|| Path::new("runs/bench").to_owned());
            let of =
                |(name, study, mechanism)| Ok((read_study_text(name, study, mechanism)?, out.join(name)));
            BUILT_IN.into_iter().map(of).collect::<Result<Vec<_>, Problems>>().map_err(wrong)?
        }
    };
    let interrupted = on_interrupt();
    let progress = Progress::new(bench.quiet);
    let mut printed = Vec::new();
    let mut complete = true;
    let share = studies.len() as f64;
    for (mut study, out) in studies {
        let mut asked = match study.kind {
            Kind::Throughput(asked) => asked,
            _ => Throughput::default(),
        };
        if let Some(budget) = bench.budget {
            asked.budget = budget / share;
        }
        if !bench.backends.is_empty() {
            asked.backends.clone_from(&bench.backends);
        }
        study.kind = Kind::Throughput(asked);
        let outcome =
            study::run(&study, &out, bench.overwrite, &progress, &interrupted).map_err(failed_run)?;
        complete &= outcome.manifest.complete;
        printed.push(match bench.json {
            true => std::fs::read_to_string(outcome.folder.join(throughput::DATA))
                .map_err(|error| Failure { code: FAILED, message: error.to_string() })?,
            false => format!(
                "{}\n{}\nwrote {}\n",
                study.title,
                outcome.found.join("\n"),
                outcome.folder.join(REPORT).display()
            ),
        });
    }
    progress.finish();
    print(&match (bench.json, path) {
        (true, None) => format!("[\n{}\n]\n", printed.join(",\n")),
        _ => printed.join("\n"),
    })?;
    if complete {
        return Ok(ExitCode::SUCCESS);
    }
    tell("interrupted: the result is incomplete, and marked so");
    Ok(ExitCode::from(INTERRUPTED))
}

fn merge(shards: &[PathBuf], out: &Path, overwrite: bool, quiet: bool) -> Result<ExitCode, Failure> {
    let outcome = shard::merge(shards, out, overwrite).map_err(|error| {
        let code = match &error {
            MergeError::Output(OutputError::Manifest { .. }) => WRONG_INPUT,
            MergeError::Output(error) if !error.is_refusal() => FAILED,
            MergeError::Threads(_) => FAILED,
            _ => WRONG_INPUT,
        };
        Failure { code, message: error.to_string() }
    })?;
    print(&if quiet { String::new() } else { told(&outcome) })
}

fn plot(dir: &Path, wanted: &Replot) -> Result<ExitCode, Failure> {
    let plotted = replot(dir, wanted).map_err(not_drawn)?;
    print(&format!("wrote {} files into {}\n", plotted.files, plotted.folder.display()))
}

fn compare(dirs: &[PathBuf], wanted: &Wanted, json: bool) -> Result<ExitCode, Failure> {
    let found = beside(dirs, wanted).map_err(not_drawn)?;
    if json {
        return print(&found.json());
    }
    let mut text = found.text();
    if let Some(out) = &wanted.out {
        let _ = writeln!(text, "\nwrote the pictures into {}", out.display());
    }
    print(&text)
}

fn not_drawn(error: ReplotError) -> Failure {
    let code = match &error {
        ReplotError::Output(error) if !error.is_refusal() => FAILED,
        _ => WRONG_INPUT,
    };
    Failure { code, message: error.to_string() }
}

/// What a run has done.
fn told(outcome: &Outcome) -> String {
    let m = &outcome.manifest;
    let mut text = String::new();
    // What studies of speed count is not advanced once from start to end: they tell by themselves.
    if !["throughput", "convergence"].contains(&m.kind.as_str()) {
        text = ensemble_told(m);
    }
    for line in &outcome.found {
        let _ = writeln!(text, "{line}");
    }
    for line in m.accuracy.iter().flat_map(Accuracy::lines) {
        let _ = writeln!(text, "{line}");
    }
    let wrote = if m.shard.is_some() { outcome.folder.clone() } else { outcome.folder.join(REPORT) };
    let _ = writeln!(text, "wrote {}", wrote.display());
    text
}

fn ensemble_told(m: &Manifest) -> String {
    let mut text = String::new();
    if let Some(shard) = m.shard {
        let _ = writeln!(text, "shard {shard}");
    }
    let _ = writeln!(
        text,
        "{} of {} instances x {} steps {}: {:.2e} instance-steps/s ({})",
        grouped(m.advanced),
        grouped(m.instances),
        grouped(m.steps),
        m.varied_step.map_or_else(|| format!("of {} s", m.step), |varied| varied.told()),
        m.instance_steps_per_second,
        m.precision
    );
    if let Some(start) = &m.start {
        let _ = writeln!(text, "start: {start}");
    }
    let t = m.timings;
    let _ = writeln!(
        text,
        "time: {:.2} s in all; sampling {:.2}, stepping {:.2}, observing {:.2}, writing {:.2} s",
        t.total, t.sampling, t.stepping, t.observing, t.writing
    );
    let verdicts: Vec<String> = m
        .verdicts
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{name} {}", grouped(*count)))
        .collect();
    let _ = writeln!(text, "verdicts: {}", verdicts.join(", "));
    text
}

fn bytes(n: f64) -> String {
    let mut n = n;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if n < 1024.0 {
            return format!("{n:.1} {unit}");
        }
        n /= 1024.0;
    }
    format!("{n:.1} TiB")
}

/// A number without the last digits, which rounding made.
fn plain(x: f64) -> f64 {
    format!("{x:.12e}").parse().unwrap_or(x)
}

fn check(path: &Path, constants: bool, changes: &Changes) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let chosen = chosen(&read(path, changes)?, &AtomicBool::new(false)).map_err(failed_run)?;
    let study = chosen.study;
    let reading = begun.elapsed();
    let plan = plan(&study).map_err(|error| wrong(Model::explain(&study.mechanism, error)))?;
    study::check(&study, &plan).map_err(wrong)?;
    let sampler = Sampler::new(&study).map_err(wrong)?;
    let followed = study::followed(&study, &plan);
    let kernel = (!plan.method.is_adaptive()).then(|| Kernel::new(&followed, study.run.precision));
    let schedule = &plan.schedule;
    let size = study.ensemble.size;
    let snapshots = schedule.snapshots().len();
    let observed = Observer::new(&plan, &study.observe.channels).width();
    let finals = Observer::new(&plan, &final_channels(&study, &plan)).width();
    let real = match study.run.precision {
        Precision::F32 => 4.0,
        Precision::F64 => 8.0,
    };
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
    line("study", study.title.clone());
    line(
        "mechanism",
        format!(
            "{}, bod{} {}",
            study.mechanism.name,
            if study.mechanism.bodies.len() == 1 { "y" } else { "ies" },
            study.mechanism.bodies.iter().map(|b| format!("\"{}\"", b.name)).collect::<Vec<_>>().join(", ")
        ),
    );
    if let Some(asked) = study.kind.summary() {
        line("asked", asked);
    }
    line("method", study.method.summary());
    for told in &chosen.told {
        line("chosen", told.trim_start_matches("method: ").to_string());
    }
    if !study.mechanism.joints.is_empty() {
        line("joints", joints(&study, &plan.model)?);
        for left_out in plan.model.rows_left_out() {
            line("", format!("left out, since other rows imply them: {left_out}"));
        }
    } else if let Some(start) = Model::start_summary(&study) {
        line("start", start);
    }
    let looking = Instant::now();
    let nominal = stable_step::nominal(&study);
    if let Some(nominal) = &nominal {
        line("stiffness", nominal.told.clone());
    }
    for varied in stable_step::varied(&study, nominal.as_ref()).map_err(wrong)? {
        line("stable steps", varied.told());
    }
    // A run looks for the stable step too.
    let before = reading + looking.elapsed();
    line(
        "instances",
        match study.kind {
            Kind::Sensitivity(asked) => {
                format!("{}: {}", grouped(size), asked.explained(sampler.inputs().len()))
            }
            _ => grouped(size),
        },
    );
    let (steps, h) = (grouped(schedule.steps), schedule.h);
    line(
        "steps",
        match varied_step(&study) {
            Some(varied) => format!("{steps} {}", varied.told()),
            None => format!("{steps} of {h} s ({} s)", plain(h * schedule.steps as f64)),
        },
    );
    let varied: Vec<String> = sampler.columns().iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    let mut maps = 1;
    if let Kind::StabilityMap(map) = &study.kind {
        for (name, value) in stability_map::outlook(&study, map).map_err(wrong)? {
            line(name, value);
        }
        maps = map.layers(&study).len() as u64;
    }
    line("varied", if varied.is_empty() { "nothing".into() } else { varied.join(", ") });
    let names: Vec<String> = columns(&study.mechanism, &study.observe.channels)
        .iter()
        .map(|c| format!("{} ({})", c.name, c.unit))
        .collect();
    line("observed", format!("{} at {} snapshots", names.join(", "), grouped(snapshots as u64)));
    let moments = &plan.constants[Parameter::INERTIA..Parameter::INERTIA + 3];
    line(
        "inertia",
        format!(
            "principal moments {} kg m² (nominal)",
            [0, 1, 2].map(|k| plain(moments[k]).to_string()).join(" ")
        ),
    );
    for body in &study.mechanism.bodies {
        if let Some(flexible) = &body.flexible {
            let told = modal_text::summary(&body.name, flexible);
            let told = told
                .into_iter()
                .chain(constants.then(|| modal_text::constants(flexible)).into_iter().flatten());
            for (k, told) in told.enumerate() {
                line(if k == 0 { "flexible" } else { "" }, told);
            }
        }
    }
    for found in stable_step::too_long_for_modes(&study).into_iter().chain(stable_step::unexcited(&study)) {
        line("warning", found);
    }
    match &kernel {
        None => {
            line("state", format!("{} numbers an instance", plan.moving.len()));
            line("operations", "adaptive: as many as the tolerances want".to_string());
        }
        Some(kernel) => {
            line(
                "state",
                format!(
                    "{} numbers an instance{}",
                    kernel.state.len(),
                    if kernel.dropped.is_empty() {
                        String::new()
                    } else {
                        format!("; nothing reads {}", kernel.dropped.join(", "))
                    }
                ),
            );
            line("operations", format!("{} a step (a multiply-add is two)", kernel.step.total()));
            let left_out = left_out(kernel, &followed, study.run.precision);
            if !left_out.is_empty() {
                line("", left_out);
            }
            if let Some(too_long) = too_long(kernel) {
                line("kernel", format!("{too_long}: auto takes the CPU"));
            }
        }
    }
    let held = match &kernel {
        Some(kernel) => kernel.state.len() + kernel.parameters.len(),
        None => plan.moving.len() + plan.constants.len(),
    };
    let instance_bytes = held as f64 * real;
    line(
        "memory",
        format!(
            "{} of states and parameters ({} an instance), {} of {}",
            bytes(instance_bytes * size as f64),
            bytes(instance_bytes),
            bytes(study::kept_bytes(&study, &plan) as f64),
            if matches!(study.kind, Kind::Sensitivity(_)) { "outputs" } else { "statistics" }
        ),
    );
    let row = 28.0 + sampler.width() as f64 * 8.0 + finals as f64 * real;
    let kept = study.observe.keep.min(size) as f64 * snapshots as f64 * (16.0 + observed as f64 * real);
    line("on disk", format!("at most {} of tables", bytes(row * size as f64 + kept)));
    let work = (size * maps) as f64 * schedule.steps as f64;
    match &kernel {
        None => line("cost", format!("{work:.2e} instance-steps, each of as many internal ones as it needs")),
        Some(kernel) => {
            let operations = work * kernel.step.total() as f64;
            line("cost", format!("{work:.2e} instance-steps, {operations:.2e} operations"));
        }
    }
    if matches!(study.kind, Kind::MonteCarlo) {
        // A device that is missing is a matter of the run, not of the study.
        let time = match cost::measured(&study, before) {
            Ok(cost) => format!(
                "about {:.2} s: reading and planning {:.2}, compiling {:.2}, sampling {:.2}, stepping {:.2}, observing {:.2}, \
                 writing {:.2} s (a trial here and now, writing estimated)",
                cost.total(),
                cost.planning,
                cost.compiling,
                cost.sampling,
                cost.stepping,
                cost.observing,
                cost.writing
            ),
            Err(error) => format!("not measured: {error}"),
        };
        line("time", time);
    }
    print(&text)
}

fn replay_command(dir: &Path, instance: u64, csv: bool) -> Result<ExitCode, Failure> {
    let replay = replay(dir, instance).map_err(|error| {
        let code = match error {
            ReplayError::Reference(_) => FAILED,
            _ => WRONG_INPUT,
        };
        Failure { code, message: error.to_string() }
    })?;
    print(&if csv { trajectory_csv(&replay) } else { replay_text(&replay, instance) })
}

/// The columns of a single body stand without its name.
fn trajectory_csv(replay: &Replay) -> String {
    const OF_BODY: [&str; 13] = [
        "q0", "q1", "q2", "q3", "wx_rad_s", "wy_rad_s", "wz_rad_s", "x_m", "y_m", "z_m", "vx_m_s", "vy_m_s",
        "vz_m_s",
    ];
    let bodies = &replay.study.mechanism.bodies;
    let prefix = |name: &str| if bodies.len() == 1 { String::new() } else { format!("{name}.") };
    let mut names = vec!["time_s".to_string()];
    for body in bodies {
        names.extend(OF_BODY.map(|column| format!("{}{column}", prefix(&body.name))));
        let mode = |k: usize| [format!("amplitude_{k}"), format!("amplitude_rate_{k}_per_s")];
        names.extend((0..body.modes()).flat_map(mode).map(|column| prefix(&body.name) + &column));
    }
    names.extend(["energy_J", "hx_kg_m2_s", "hy_kg_m2_s", "hz_kg_m2_s"].map(str::to_string));
    let has_joints = !replay.study.mechanism.joints.is_empty();
    if has_joints {
        names.push("constraint_violation".to_string());
    }
    let mut text = names.join(",") + "\n";
    for s in &replay.states {
        let mut row = vec![s.time];
        for body in &s.bodies {
            row.extend(body.attitude);
            row.extend(body.angular_velocity);
            row.extend(body.position);
            row.extend(body.velocity);
            let modes = body.amplitudes.iter().zip(&body.amplitude_rates);
            row.extend(modes.flat_map(|(amplitude, rate)| [amplitude, rate]));
        }
        row.push(s.energy);
        row.extend(s.angular_momentum);
        if has_joints {
            row.push(s.constraint_violation);
        }
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        text.push_str(&row.join(","));
        text.push('\n');
    }
    text
}

/// Rows of the trajectory that the replay prints.
const PRINTED_ROWS: usize = 21;

fn replay_text(replay: &Replay, instance: u64) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}, instance {instance}: by the f64 reference", replay.study.title);
    let _ = writeln!(text, "\ndrawn");
    for (column, value) in replay.columns.iter().zip(&replay.drawn) {
        let _ = writeln!(text, "  {:<32} {value:>22} {}", column.name, column.unit);
    }
    let bodies = &replay.study.mechanism.bodies;
    let wide = bodies.iter().map(|body| body.name.chars().count()).max().unwrap_or(0).max(4);
    let _ = writeln!(
        text,
        "\n{:>10}  {:<wide$}  {:>32}  {:>36}  {:>30}  {:>14}",
        "time (s)",
        "body",
        "position x y z (m)",
        "attitude q0 q1 q2 q3 (1)",
        "angular velocity x y z (rad/s)",
        "energy (J)"
    );
    let every = replay.states.len().div_ceil(PRINTED_ROWS).max(1);
    let last = replay.states.len().saturating_sub(1);
    for (i, s) in replay.states.iter().enumerate() {
        if i % every != 0 && i != last {
            continue;
        }
        // Each further body has a line of its own.
        for (b, body) in s.bodies.iter().enumerate() {
            let q: Vec<String> = body.attitude.iter().map(|x| format!("{x:8.5}")).collect();
            let w: Vec<String> = body.angular_velocity.iter().map(|x| format!("{x:9.5}")).collect();
            let r: Vec<String> = body.position.iter().map(|x| format!("{x:10.5}")).collect();
            let (q, w, r) = (q.join(" "), w.join(" "), r.join(" "));
            let name = &bodies[b].name;
            let _ = match b {
                0 => writeln!(
                    text,
                    "{:>10.4}  {name:<wide$}  {r:>32}  {q:>36}  {w:>30}  {:>14.8}",
                    s.time, s.energy
                ),
                _ => writeln!(text, "{:>10}  {name:<wide$}  {r:>32}  {q:>36}  {w:>30}", ""),
            };
        }
    }
    let _ = writeln!(text, "\nthe run's verdict: {} at step {}", replay.verdict, replay.verdict_step);
    if let Some(step) = replay.non_finite_at {
        let _ = writeln!(text, "the reference itself left the finite numbers at step {step}");
    }
    if !replay.comparison.is_empty() {
        let _ = writeln!(
            text,
            "\n{:<32} {:>16} {:>16} {:>12} {:>16} {:>12}",
            "at the end", "run", "same steps", "difference", "accurate", "difference"
        );
        for c in &replay.comparison {
            let _ = writeln!(
                text,
                "{:<32} {:>16.9} {:>16.9} {:>12.2e} {:>16.9} {:>12.2e} {}",
                c.name,
                c.stored,
                c.reference,
                c.stored - c.reference,
                c.accurate,
                c.stored - c.accurate,
                c.unit
            );
        }
        text.push_str(&replay_verdicts(replay));
    }
    text
}

/// Distances that rounding can leave where the coding is right, in f64 and in f32.
const CODING: [f64; 2] = [1e-8, 1e-2];

/// What the two comparisons say.
fn replay_verdicts(replay: &Replay) -> String {
    let study::replay::Distances { coding, step } = replay.distances();
    let mut text = String::new();
    if replay.without_twin {
        let _ = writeln!(
            text,
            "\ncoding: not judged by itself: the method {} chooses its steps, and the reference has no twin of it",
            replay.study.method.name
        );
    } else {
        let [double, single] = CODING;
        let allowed = if replay.study.run.precision == Precision::F32 { single } else { double };
        let word = if coding <= allowed { "confirmed" } else { "not confirmed" };
        let _ = writeln!(
            text,
            "\ncoding: {word}: the independent reference, by the same method and step, differs by {coding:.1e} (at most {allowed:.0e} \
             is rounding)"
        );
    }
    let asked = study::accuracy::asked(&replay.study);
    let _ = match &replay.not_accurate {
        Some(why) => writeln!(text, "step: not judged: no accurate solution: {why}"),
        None if step <= asked => {
            writeln!(text, "step: resolved: the accurate solution differs by {step:.1e} (asked {asked:.0e})")
        }
        None => writeln!(
            text,
            "step: unresolved: the accurate solution differs by {step:.1e} (asked {asked:.0e}): method, step, precision or joints \
             are off by that, however well the coding is confirmed"
        ),
    };
    text
}

fn devices(json: bool) -> Result<ExitCode, Failure> {
    let adapters = device::list();
    if json {
        let text = serde_json::to_string_pretty(&adapters)
            .map_err(|error| Failure { code: FAILED, message: error.to_string() })?;
        return print(&(text + "\n"));
    }
    if adapters.is_empty() {
        return print("no GPU adapter; studies run on the CPU (is a Vulkan driver installed?)\n");
    }
    let mut text = String::new();
    for a in adapters {
        let _ = writeln!(text, "{} ({}, {})", a.name, a.kind, a.backend);
        let _ = writeln!(text, "  driver                {}", a.driver);
        let _ = writeln!(text, "  f64 in kernels        {}", if a.f64 { "yes" } else { "no" });
        let _ = writeln!(text, "  largest binding       {}", bytes(a.binding_limit_bytes as f64));
        let _ = writeln!(text, "  largest buffer        {}", bytes(a.buffer_limit_bytes as f64));
        let _ = writeln!(text, "  workgroup invocations {}", a.workgroup_invocations);
        if a.kind == "software" {
            let _ = writeln!(text, "  taken only when asked: backend = \"gpu\"");
        }
    }
    print(&text)
}

fn kernel(path: &Path, changes: &Changes) -> Result<ExitCode, Failure> {
    let study = with_method(read(path, changes)?, &AtomicBool::new(false), false)?;
    let plan = plan(&study).map_err(|error| wrong(Model::explain(&study.mechanism, error)))?;
    if plan.method.is_adaptive() {
        let name = study.method.name;
        return Err(wrong(format!(
            "the method {name} has no kernel: it chooses its steps as it goes, on the CPU"
        )));
    }
    let plan = study::followed(&study, &plan);
    let kernel = Kernel::new(&plan, study.run.precision);
    let s = kernel.step;
    let rare = match (s.floors, s.selections) {
        (0, 0) => String::new(),
        (floors, selections) => format!(" + {floors} floors + {selections} selections"),
    };
    let mut text = String::new();
    let _ = writeln!(text, "// {}: the kernel of its mechanism and method.", study.title);
    let _ = writeln!(
        text,
        "// A step: {} operations = 2 x {} multiply-adds + {} additions + {} multiplications + {} divisions + {} \
         square roots{rare}.",
        s.total(),
        s.multiply_adds,
        s.additions,
        s.multiplications,
        s.divisions,
        s.square_roots
    );
    let left_out = left_out(&kernel, &plan, study.run.precision);
    if !left_out.is_empty() {
        let _ = writeln!(text, "// Of a step {left_out}.");
    }
    if kernel.begin.total() > 0 {
        let _ =
            writeln!(text, "// The start of what the method carries: {} operations.", kernel.begin.total());
    }
    if !kernel.dropped.is_empty() {
        let _ = writeln!(text, "// Nothing reads {}: not computed.", kernel.dropped.join(", "));
    }
    if let Some(too_long) = too_long(&kernel) {
        let _ = writeln!(text, "// The kernel has {too_long}: auto takes the CPU.");
    }
    let _ = writeln!(text, "// shared_values begins with the constants {:?}.\n", kernel.constants);
    text.push_str(&kernel.text);
    print(&text)
}

/// What is left out of a step because it is zero in every instance, and what that saves; empty: nothing.
fn left_out(kernel: &Kernel, plan: &Plan, precision: Precision) -> String {
    let all = Program::new(&plan.unfolded(), precision);
    let operations = all.operations(&all.step).total();
    let channels = all.state.iter().filter(|c| kernel.zero.contains(c)).count();
    if channels == 0 && operations == kernel.step.total() {
        return String::new();
    }
    format!(
        "left out is what is zero in every instance, {channels} of {} numbers of the state: with it, {operations} operations",
        all.state.len()
    )
}

/// What is to be known of the joints at the start: their rows, and how assembly has moved the bodies.
fn joints(study: &Study, model: &Model) -> Result<String, Failure> {
    let explained = |error| wrong(Model::explain(&study.mechanism, error));
    let mut parameters = vec![0.0; model.parameters()];
    let quantities = Quantities::nominal(study);
    let mut start = model.place(&quantities, &mut parameters).map_err(explained)?;
    let parameter = |p: usize| parameters[p];
    let change = model
        .assembled(&mut start, &parameter)
        .map_err(|error| explained(NoMechanism::NotAssembled(error)))?;
    // A lock holds nothing yet.
    let (rows, rank) = (model.rows() - study.mechanism.locks.len(), model.rank(&start, &parameter));
    let redundant = match rows - rank {
        0 => String::new(),
        n => format!(", {n} of them redundant here"),
    };
    let moved = change.summary();
    Ok(format!(
        "{}, {rows} rows{redundant}; treatment {}; {moved}",
        study.mechanism.joints.len(),
        study.constraints.treatment
    ))
}

fn methods(name: Option<&str>) -> Result<ExitCode, Failure> {
    let text = match name {
        None => method_page::list(),
        Some(name) => match CARDS.iter().find(|card| card.name == name) {
            Some(card) => method_page::page(card),
            None => {
                let names: Vec<&str> = CARDS.iter().map(|card| card.name).collect();
                let advice = nearest(name, names.iter().copied())
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return Err(wrong(format!(
                    "no method is named {name:?}{advice} (there are {})",
                    names.join(", ")
                )));
            }
        },
    };
    print(&text.map_err(|_| Failure { code: FAILED, message: "no operations could be counted".to_string() })?)
}

fn verify(out: &Path, overwrite: bool, long: bool, json: bool, quiet: bool) -> Result<ExitCode, Failure> {
    let interrupted = on_interrupt();
    let context = Context { long, interrupted: &interrupted };
    let say = |line: &str| {
        if !quiet {
            tell(line);
        }
    };
    let verified = verify::verify(&context, out, overwrite, &say).map_err(|error| {
        let code = match &error {
            VerifyError::Interrupted => INTERRUPTED,
            VerifyError::Output(error) if error.is_refusal() => WRONG_INPUT,
            VerifyError::Output(_) | VerifyError::Claim { .. } => FAILED,
        };
        Failure { code, message: error.to_string() }
    })?;
    if json {
        return print(&verify::json(&verified.findings));
    }
    let mut text = verify::table(&verified.findings);
    let seconds = verified.taken.as_secs_f64();
    let _ = writeln!(text, "\n{}; {seconds:.1} s", verify::summary(&verified.findings));
    let _ = writeln!(text, "wrote {}", verified.folder.join(REPORT).display());
    print(&text)
}

fn schema(of: SchemaOf) -> Result<ExitCode, Failure> {
    let schema = match of {
        SchemaOf::Study => study_schema(),
        SchemaOf::Mechanism => mechanism_schema(),
    };
    let text = serde_json::to_string_pretty(&schema)
        .map_err(|error| Failure { code: FAILED, message: error.to_string() })?;
    print(&(text + "\n"))
}

fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "polhode", &mut script);
    print(&String::from_utf8_lossy(&script))
}
