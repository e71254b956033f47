//! `polhode run`: runs a study.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{
    Changes, FAILED, Failure, INTERRUPTED, NOTHING_FINISHED, SUCCESS, default_folder, on_interrupt,
    print_summary, read, refused, run_summary, wrong,
};
use crate::progress::{Progress, tell};
use polhode::base::grouped;
use polhode::base::text::shell_word;
use polhode::describe::kind::{Ends, InstanceRows};
use polhode::describe::{Constraints, Study};
use polhode::observe::Verdict;
use polhode::output::steady::SearchOutcome;
use polhode::output::{Manifest, left_beside, unfinished};
use polhode::study::RunOutcome;
use polhode::study::plausible;
use polhode::study_file::kinds;
use polhode::{OutputError, RunError, RunOptions, Shard};

/// Run a study and write its tables, plots and report into a folder.
///
/// Ctrl-C, SIGTERM and SIGHUP end the run cleanly: polhode writes what is finished and marks it
/// incomplete. A second signal ends it at once. Exit codes: 0, written; 1, the run failed and
/// nothing was changed; 2, wrong input; 3, written, but no instance came to its end; 130,
/// interrupted.
///
/// Next: polhode view runs/STUDY opens the report
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// Output folder [default: runs/ and the study file's name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compute part K of N of the ensemble alone (1/N to N/N). `polhode merge` puts the parts
    /// together.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Replace an earlier result in the output folder.
    #[arg(long)]
    overwrite: bool,
    /// Go on from the last checkpoint of this run, if it was killed or interrupted. The result is,
    /// bit for bit, that of an undisturbed run. Without a checkpoint the run begins; a complete
    /// result stays as it is.
    #[arg(long)]
    resume: bool,
    /// Do not measure the error of the run.
    #[arg(long)]
    no_accuracy: bool,
    #[command(flatten)]
    changes: Changes,
    /// Print nothing but warnings and errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: RunArguments) -> Result<u8, Failure> {
    let RunArguments { study: path, out, shard, overwrite, resume, no_accuracy, changes, quiet } = arguments;
    let begun = Instant::now();
    let interrupted = on_interrupt();
    let mut study = read(&path, &changes)?;
    let chooses = study.method.open.is_some();
    if no_accuracy {
        study.accuracy.budget = Some(0.0);
    }
    let out = out.unwrap_or_else(|| default_folder(&path, shard));
    let progress = Progress::new(quiet);
    let mut options = RunOptions::new().out(&out).overwrite(overwrite).resume(resume);
    options.shard = shard;
    let read_in = begun.elapsed();
    let results = polhode::run(&study, &options.listener(&progress).interrupt(&interrupted));
    progress.finish();
    let results = results.map_err(|error| {
        // A checkpoint beside the folder may belong to another run that is still going.
        let is_busy = matches!(error, RunError::Output(OutputError::Busy { .. }));
        let is_occupied = matches!(error, RunError::Output(OutputError::Occupied { .. }));
        let mut failure = refused(&path, &changes.settings(), error);
        if is_occupied && unfinished(&out).is_some_and(|folder| folder == out) {
            failure.message += "\nthe run there was interrupted: the same command with --resume goes on from \
                                its last checkpoint, and --overwrite would begin again";
        }
        if [FAILED, INTERRUPTED].contains(&failure.code) && !is_busy && left_beside(&out).is_some() {
            failure.message += "\nwhat was done up to the last checkpoint is kept: the same command with \
                                --resume goes on from there";
        }
        failure
    })?;
    let outcome = results.outcome();
    let study = results.study().unwrap_or(&study);
    if !quiet {
        let start_up = (if chooses { "choosing" } else { "reading" }, read_in + results.choosing());
        print_summary(outcome.fan.as_deref().filter(|_| draws()).unwrap_or_default());
        print_summary(&run_summary(outcome, Some(start_up)));
    }
    let names = study.mechanism.verdict_names();
    let occurred =
        |verdict: &Verdict| outcome.manifest.verdicts.get(names.of(*verdict)).is_some_and(|count| *count > 0);
    for reason in names.all().filter(occurred).filter_map(|verdict| verdict.reason(&study.mechanism)) {
        tell(&reason);
    }
    if occurred(&Verdict::ConstraintBound) {
        drifting(study).iter().for_each(|advice| tell(advice));
    }
    let fault = match nothing_finished(&outcome.manifest) {
        Some(_) => plausible::not_advanced(study).map_err(wrong)?,
        None => None,
    };
    Ok(ended(outcome, &out, fault.as_deref()))
}

/// Whether the output is a terminal that has the characters of a chart.
fn draws() -> bool {
    let is_wide = |name: &str| std::env::var(name).is_ok_and(|value| value.to_uppercase().contains("UTF"));
    let has_characters = !cfg!(unix) || ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().any(is_wide);
    io::stdout().is_terminal() && has_characters
}

/// The reason why joints open, where the study's own weights do not correct their drift.
fn drifting(study: &Study) -> Option<String> {
    let Constraints { treatment, project, .. } = study.constraints;
    let numbers = study.constraints.numbers(study.method.step, study.run.precision);
    let mut named = study.constraints.card().numbers().zip(numbers);
    let (_, beta) = named.find(|(number, _)| number.name == "beta")?;
    (beta == 0.0 && project == 0).then(|| {
        format!(
            "constraint_bound: with constraints.beta = 0 the treatment \"{treatment}\" draws back nothing of \
             what joints and contacts have drifted apart; set constraints.project = 1, \
             leave constraints.gamma and constraints.beta out, or allow more by verdict.constraint"
        )
    })
}

/// Tells how a run has ended that wrote the folder `out`, where there is more to say, and the exit
/// code that says it. `fault`: why no instance can come to its end, if that is known.
pub(super) fn ended(outcome: &RunOutcome, out: &Path, fault: Option<&str>) -> u8 {
    if !outcome.manifest.complete {
        let advice = match unfinished(out) {
            Some(_) => "; the same command with --resume goes on from the last checkpoint",
            None if kinds::card(&outcome.manifest.kind).is_some_and(|card| !card.steps) => {
                "; run it again with --overwrite"
            }
            None => "; it had no checkpoint yet, from which --resume could go on",
        };
        tell(&format!("interrupted: the result is incomplete, and marked so{advice}"));
        return INTERRUPTED;
    }
    if let Some(warning) = no_equilibrium(&outcome.manifest) {
        tell(&format!("warning: {warning}; the column `why` of instances.parquet says why"));
        return NOTHING_FINISHED;
    }
    if let Some(ends) = nothing_finished(&outcome.manifest) {
        let look = format!(
            "Try a smaller step, or look at one: polhode replay {} --instance 0",
            shell_word(&out.to_string_lossy())
        );
        let advice = fault.unwrap_or(&look);
        tell(&format!(
            "warning: not one instance came to its end: {ends}; what is written shows the time before. \
             {advice}"
        ));
        return NOTHING_FINISHED;
    }
    SUCCESS
}

/// Says so where equilibria were looked for, and no instance has one.
fn no_equilibrium(manifest: &Manifest) -> Option<&'static str> {
    let count = |outcome: SearchOutcome| manifest.verdicts.get(outcome.name()).copied().unwrap_or(0);
    let looks = kinds::card(&manifest.kind).is_some_and(|card| card.rows == InstanceRows::Equilibria);
    (looks && count(SearchOutcome::Found) == 0).then(|| match count(SearchOutcome::InvalidSample) {
        invalid if invalid == manifest.instances => "the numbers of no instance describe a mechanism",
        _ => "no instance has an equilibrium near its start",
    })
}

/// Returns the verdicts of all instances with their counts, where every one names a failure.
/// Studies of speed count otherwise, and in a map a failure is an answer.
fn nothing_finished(manifest: &Manifest) -> Option<String> {
    if kinds::card(&manifest.kind).is_none_or(|card| card.ends != Ends::Bounded) {
        return None;
    }
    let ended = || manifest.verdicts_in_order().into_iter().filter(|(_, count)| *count > 0);
    let others: Vec<String> = ended().map(|(name, count)| format!("{name} {}", grouped(count))).collect();
    let nothing = ended().all(|(name, _)| Verdict::names_failure(name)) && !others.is_empty();
    nothing.then(|| others.join(", "))
}
