//! The measured error of a run: some of its instances beside their [converged](super::converged) motion.
//!
//! Those instances are spread evenly over the ensemble. What the run found for them is compared with the accurate values at every
//! snapshot, and where the errors are larger than was asked, a few more runs of the same instances find out why: in f64, over half
//! the step, with joints projected.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::converged::{
    Converged, ConvergedRun, Course, Goal, Ready, Solved, advanced, converged, differences,
};
use super::march::{BatchRun, Piece};
use super::monte_carlo::{RunError, report_column};
use super::stable_step;
use crate::backend::Plan;
use crate::base::{Precision, Setting, significant};
use crate::describe::{self, Channel, ObservedChannel, Study};
use crate::methods::{AnyMethod, chooses_steps, own_steps, tolerances};
use crate::observe::Verdict;
use crate::observe::channels::{ChannelColumn, columns};
use crate::output::{
    ACCURACY, Accuracy, AccuracyRow, ChannelAccuracy, MeanBias, OutputError, OutputFolder, Word, Worst,
    write_accuracy,
};

/// Instances that are judged, or all.
pub const JUDGED: usize = 64;
/// The error of an instance asked for where the study says nothing, as a share of the scale of its column.
pub const STANDARD: f64 = 1e-4;
/// Where a study asks for statistics: the bias of a mean asked for, as a share of its standard error.
pub const STATISTICAL: f64 = 0.1;
/// The share of the run's time that judging may take.
const SHARE: f64 = 0.1;
/// It may take so long (s) however short the run was, and no longer than that however long.
const LEAST: f64 = 0.5;
const MOST: f64 = 30.0;
/// A day (s): no budget is longer.
const LONGEST: f64 = 86_400.0;
/// The share of this time after which only reasons are looked for.
const SOLVING: f64 = 0.7;
/// The accurate values are to be better than the run's by so much.
const BETTER: f64 = 0.05;
/// Below this share of the scale instances do not differ: it is rounding.
const NO_SPREAD: f64 = 1e-12;
/// An error that falls by less than this with half the step does not fall with the step.
const FALLS: f64 = 1.4;
/// Errors so many times larger than asked, which half the step leaves as they are where it made smaller ones less, have grown by chaos.
const CHAOTIC: f64 = 100.0;
/// Steps that are tried before one is advised.
const MOST_GUESSES: usize = 3;
/// The bias of a mean that is no larger than this many of its standard errors does not show.
const UNSEEN: f64 = 1.0;

/// Some instances as a run finds them, at all snapshots.
pub struct Watch {
    course: Course,
    /// Where they are in the batch.
    places: Vec<usize>,
}

impl Watch {
    /// Of the instances of a batch whose i-th is `batch[i]`, ascending, those that are judged; `None`: nothing is.
    pub fn new(study: &Study, plan: &Plan, batch: &[u64]) -> Option<Watch> {
        if !is_asked(study) {
            return None;
        }
        let judged = study.ensemble.spread(JUDGED as u64);
        let found: Vec<(u64, usize)> = judged
            .into_iter()
            .filter_map(|number| Some((number, batch.binary_search(&number).ok()?)))
            .collect();
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        let course = Course {
            instances: found.iter().map(|(number, _)| *number).collect(),
            times,
            columns: columns(&study.mechanism, &study.observe.channels),
            values: Vec::new(),
            ends: Vec::new(),
            opening: Duration::ZERO,
            stepping: Duration::ZERO,
        };
        Some(Watch { course, places: found.into_iter().map(|(_, place)| place).collect() })
    }

    /// Takes a snapshot in.
    pub fn record(&mut self, pieces: &[Piece]) {
        let width = self.course.columns.len();
        let mut columns = vec![Vec::with_capacity(self.places.len()); width];
        for place in &self.places {
            let mut at = *place;
            let mut pieces = pieces.iter();
            let piece = pieces.find(|piece| {
                let here = at < piece.instances();
                at -= if here { 0 } else { piece.instances() };
                here
            });
            for (column, values) in columns.iter_mut().enumerate() {
                values.push(piece.map_or(f64::NAN, |piece| piece.values[column][at]));
            }
        }
        self.course.values.push(columns);
    }

    /// What was recorded, if all snapshots were.
    /// `opening`: what the run's machine code took to be made.
    pub fn finish(mut self, march: &BatchRun<'_>, opening: Duration) -> Option<Course> {
        let batch: usize = march.pieces().iter().map(Piece::instances).sum();
        self.course.opening = opening;
        self.course.stepping = march.spent.stepping.mul_f64(self.places.len() as f64 / batch.max(1) as f64);
        let ends: Vec<_> = march.pieces().iter().flat_map(|piece| piece.ends().iter().copied()).collect();
        self.course.ends = self.places.iter().map(|place| ends[*place]).collect();
        (self.course.values.len() == self.course.times.len()).then_some(self.course)
    }
}

/// Whether the study wants its error measured.
pub fn is_asked(study: &Study) -> bool {
    study.accuracy.budget != Some(0.0)
}

/// The measured error and the rows of its table.
pub struct AccuracyAssessment {
    pub accuracy: Accuracy,
    pub rows: Vec<AccuracyRow>,
}

impl AccuracyAssessment {
    /// Writes the table where there are rows.
    pub fn write(&self, folder: &OutputFolder, study: &Study) -> Result<(), OutputError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        write_accuracy(&folder.path(ACCURACY), &study.observe.quantiles, &self.rows)
    }

    fn not_judged(why: impl Into<String>) -> AccuracyAssessment {
        AccuracyAssessment { accuracy: Accuracy::not_judged(why), rows: Vec::new() }
    }
}

/// The time that judging a run that took `run` may take.
pub fn budget(study: &Study, run: Duration) -> Duration {
    let usual = (SHARE * run.as_secs_f64()).clamp(LEAST, MOST);
    Duration::from_secs_f64(study.accuracy.budget.unwrap_or(usual).min(LONGEST))
}

/// Measures the error of a run that took `run`, of which `seen` is what it found; `None`: its instances are advanced again.
/// A study that does not want it gets nothing. The run stands, whatever happens here.
pub fn measure(
    study: &Study,
    seen: Option<Course>,
    run: Duration,
    interrupted: &AtomicBool,
) -> Option<AccuracyAssessment> {
    let measured = || try_measure(study, seen, run, interrupted);
    is_asked(study)
        .then(|| measured().unwrap_or_else(|error| AccuracyAssessment::not_judged(error.to_string())))
}

fn try_measure(
    study: &Study,
    seen: Option<Course>,
    run: Duration,
    interrupted: &AtomicBool,
) -> Result<AccuracyAssessment, RunError> {
    let started = Instant::now();
    let budget = budget(study, run);
    let deadline = started + budget;
    let channels = judged_channels(study);
    if channels.is_empty() {
        return Ok(AccuracyAssessment::not_judged("no observed channel is a number of the motion"));
    }
    let seen = match seen {
        Some(course) => course.only(&study.mechanism, &study.observe.channels, &channels),
        None => {
            let instances = study.ensemble.spread(JUDGED as u64);
            match advanced(study, &instances, &channels, deadline, interrupted)? {
                Some(course) => course,
                None => return Ok(AccuracyAssessment::not_judged(short_of_time(budget))),
            }
        }
    };
    let goal = Goal::Judging(&seen, BETTER);
    let solving = (budget.mul_f64(SOLVING)).saturating_sub(started.elapsed());
    let Some(exact) = converged(study, &seen.instances, &channels, goal, solving, interrupted)? else {
        return Ok(AccuracyAssessment::not_judged(short_of_time(budget)));
    };
    let judge =
        Judge { study, channels: &channels, exact: &exact, opening: seen.opening, deadline, interrupted };
    let mut measured = judge.judged(&seen)?;
    measured.accuracy.took = started.elapsed().as_secs_f64();
    measured.accuracy.how = format!("{}; took {:.2} s", exact.how, measured.accuracy.took);
    Ok(measured)
}

fn short_of_time(budget: Duration) -> String {
    format!(
        "no accurate solution within {:.2} s; give it longer: accuracy.budget = \"30 s\"",
        budget.as_secs_f64()
    )
}

/// The error that is allowed: what the study asks for.
pub fn asked(study: &Study) -> f64 {
    match study.method.accuracy {
        Some(describe::RequestedAccuracy::Error(share)) => share,
        Some(describe::RequestedAccuracy::Statistical) | None => STANDARD,
    }
}

/// Whether what is asked for is the bias of means.
fn is_of_means(study: &Study) -> bool {
    study.method.accuracy == Some(describe::RequestedAccuracy::Statistical)
}

/// Channels that are an error by themselves, which has no mean to be known.
const ERRORS: [Channel; 3] =
    [Channel::ENERGY_DRIFT, Channel::ANGULAR_MOMENTUM_DRIFT, Channel::CONSTRAINT_VIOLATION];

pub(super) fn is_error(channel: Channel) -> bool {
    ERRORS.contains(&channel)
}

fn is_of_error(row: &AccuracyRow) -> bool {
    ERRORS.iter().any(|channel| row.channel.ends_with(&*channel.name()))
}

/// Of the means of columns whose instances differ, at all snapshots, the bias that is largest against the standard error.
fn worst_bias(rows: &[AccuracyRow], size: u64) -> Option<MeanBias> {
    let differs = |row: &&AccuracyRow| {
        row.statistical * (size as f64).sqrt() > NO_SPREAD * row.scale && !is_of_error(row)
    };
    let of = |row: &AccuracyRow| MeanBias {
        column: row.column(),
        unit: row.unit.clone(),
        time: row.time,
        bias: -row.mean,
        interval: row.mean_interval,
        standard_error: row.statistical,
    };
    rows.iter()
        .filter(differs)
        .map(of)
        .filter(|bias| bias.ratio().is_finite())
        .max_by(|a, b| a.ratio().total_cmp(&b.ratio()))
}

/// The observed channels that are numbers of the motion; a method's own estimate of something is none.
pub(super) fn judged_channels(study: &Study) -> Vec<ObservedChannel> {
    let own = |seen: &&ObservedChannel| {
        let of_the_method = [
            Channel::POTENTIAL_ESTIMATE,
            Channel::QUATERNION_NORM_ERROR,
            Channel::OWN_STEPS,
            Channel::REJECTED_STEPS,
        ];
        !of_the_method.contains(&seen.channel)
    };
    study.observe.channels.iter().filter(own).copied().collect()
}

/// What judges.
struct Judge<'a> {
    study: &'a Study,
    channels: &'a [ObservedChannel],
    exact: &'a Converged,
    /// Time that the run's machine code took to be made.
    opening: Duration,
    deadline: Instant,
    interrupted: &'a AtomicBool,
}

/// The errors of a course.
struct Errors {
    /// `[snapshot][column][instance]`
    all: Vec<Vec<Vec<f64>>>,
    /// The largest, as a share of the scale: what it is, snapshot, column; infinite where an instance stopped alone.
    largest: f64,
    at: Option<(usize, usize)>,
    /// By snapshot, the largest share.
    by_time: Vec<f64>,
    /// Instances that stopped before the accurate ones did.
    stopped: u64,
}

impl Judge<'_> {
    fn errors(&self, seen: &Course) -> Errors {
        let exact = &self.exact.course;
        let all = differences(seen, exact);
        let mut errors = Errors { largest: 0.0, at: None, by_time: vec![0.0; all.len()], stopped: 0, all };
        for (k, columns) in errors.all.iter().enumerate() {
            for (c, column) in columns.iter().enumerate() {
                let worst = column.iter().copied().filter(|x| !x.is_nan()).fold(0.0, f64::max);
                let share = worst / self.exact.scales[c];
                errors.by_time[k] = errors.by_time[k].max(share);
                if share > errors.largest || errors.at.is_none() {
                    (errors.largest, errors.at) = (share, Some((k, c)));
                }
            }
        }
        for (number, end) in exact.instances.iter().zip(&exact.ends) {
            let Some(place) = seen.instances.iter().position(|other| other == number) else { continue };
            let is_wrong = |verdict: Verdict| {
                !matches!(verdict, Verdict::Finished | Verdict::Interrupted | Verdict::InvalidSample)
            };
            if is_wrong(seen.ends[place].verdict) && end.verdict == Verdict::Finished {
                errors.stopped += 1;
            }
        }
        errors
    }

    fn judged(&self, seen: &Course) -> Result<AccuracyAssessment, RunError> {
        let exact = self.exact;
        let asked = asked(self.study);
        let errors = self.errors(seen);
        let own = exact.largest_share();
        let rows = self.rows(seen, &errors);
        let beyond = errors.by_time.iter().position(|share| share.is_nan() || *share > asked);
        let last =
            |before: usize| exact.course.times.get(before.saturating_sub(1)).copied().unwrap_or_default();
        let of_means = is_of_means(self.study);
        let bias = worst_bias(&rows, self.study.ensemble.size);
        let is_resolved = errors.stopped == 0
            && match (of_means, &bias) {
                (false, _) => errors.largest + own <= asked,
                (true, Some(bias)) => bias.ratio() <= STATISTICAL,
                (true, None) => true,
            };
        let worst = errors.at.map(|(k, c)| {
            let column = &exact.course.columns[c];
            Worst {
                column: column.name.clone(),
                unit: column.unit.to_string(),
                time: exact.course.times[k],
                error: errors.largest * exact.scales[c],
                median: median(&errors.all[k][c]),
            }
        });
        let mut accuracy = Accuracy {
            word: if is_resolved { Word::Resolved } else { Word::Unresolved },
            asked: if of_means { STATISTICAL } else { asked },
            of_means,
            largest: Some(errors.largest).filter(|largest| largest.is_finite()),
            worst,
            trusted_until: beyond.map(last),
            statistics: self.of_statistics(&rows),
            instances: exact.course.instances.len() as u64,
            stopped: errors.stopped,
            channels: self.of_channels(&rows),
            ..Accuracy::default()
        };
        if let Some(bias) = bias.as_ref().filter(|_| of_means && !is_resolved) {
            (accuracy.reason, accuracy.advice) = self.reason_of_bias(bias);
        } else if !is_resolved {
            let (reason, advice) = self.reason(&errors, own, asked)?;
            (accuracy.reason, accuracy.advice) = (reason.to_string(), advice);
        }
        accuracy.bias = bias;
        Ok(AccuracyAssessment { accuracy, rows })
    }

    /// Why the bias of a mean counts, and what to set: a bias falls as errors do.
    fn reason_of_bias(&self, bias: &MeanBias) -> (String, String) {
        let method = &self.study.method;
        if bias.bias.abs() <= STATISTICAL * bias.standard_error && bias.interval > bias.bias.abs() {
            let count = self.exact.course.instances.len();
            return ("not known".to_string(), format!("{count} instances do not show a smaller bias"));
        }
        let order = AnyMethod::new(method.name, &method.options).map_or(1, |method| method.order());
        let factor = (STATISTICAL / (1.5 * bias.ratio())).powf(1.0 / f64::from(order.max(1)));
        let tolerances = tolerances(method.name, &method.options);
        let keys: Vec<String> = tolerances.iter().map(|(key, _)| format!("method.{key}")).collect();
        let advice = match keys[..] {
            [] => format!("set method.step = \"{:e} s\" or less", nice(factor * method.step)),
            _ => format!("set {} to less", keys.join(" and ")),
        };
        ("step".to_string(), advice)
    }

    /// Why the errors are as large as they are, and what to set.
    fn reason(&self, errors: &Errors, own: f64, asked: f64) -> Result<(&'static str, String), RunError> {
        let (study, h) = (self.study, self.study.method.step);
        if own > 0.3 * errors.largest.max(asked) {
            let until = self.exact.errors.iter().position(|columns| {
                columns
                    .iter()
                    .zip(&self.exact.scales)
                    .any(|(column, scale)| column.iter().any(|x| x / scale > asked))
            });
            let until = until
                .and_then(|k| self.exact.course.times.get(k.saturating_sub(1)))
                .copied()
                .unwrap_or_default();
            // Steps may lose a solution where joints are singular, or between two events: that is no chaos of the motion.
            let is_chaotic = study.mechanism.locks.is_empty() && errors.largest > (CHAOTIC * asked).min(0.1);
            if until > 0.0 && self.exact.solved == Solved::Refined && is_chaotic {
                return Ok((
                    "chaos",
                    format!(
                        "no step follows single instances beyond {} s: judge statistics, or end sooner",
                        significant(until, 5)
                    ),
                ));
            }
            let advice = format!(
                "no solution was found that is more accurate than {own:.0e}; give it longer: accuracy.budget = \"30 s\""
            );
            return Ok(("not converged", advice));
        }
        if chooses_steps(study.method.name, &study.method.options) {
            return self.of_tolerances(errors, own);
        }
        // Compared where the errors become too large: later, chaos may have taken all of them to the same size.
        let beyond = errors.by_time.iter().position(|share| share.is_nan() || *share > asked);
        let beyond = beyond.unwrap_or(errors.by_time.len().saturating_sub(1));
        let until = |errors: &Errors| match errors.stopped {
            0 => errors.by_time.iter().take(beyond + 1).copied().fold(0.0, f64::max),
            _ => f64::INFINITY,
        };
        let now = until(errors);
        let too_late = || {
            let order = AnyMethod::new(study.method.name, &study.method.options).map_or(2, |m| m.order());
            let share = (asked / (1.5 * errors.largest.min(1.0))).powf(1.0 / f64::from(order)).min(0.5);
            let step = nice(h * share);
            ("step", format!("no time was left to look for the reason; try method.step = \"{step:e} s\""))
        };
        // One machine code serves all steps.
        let mut opened = None;
        let mut double = study.clone();
        double.run.precision = Precision::F64;
        let mut of_step = now;
        if study.run.precision == Precision::F32 {
            let Some(error) = self.again(&double, &mut opened)?.map(|errors| until(&errors)) else {
                return Ok(too_late());
            };
            if error <= asked || error < now / 3.0 {
                return Ok(("precision", "set run.precision = \"f64\"".to_string()));
            }
            of_step = error;
        }
        let Some(of_half) = self.again(&shorter(&double, 2), &mut opened)? else { return Ok(too_late()) };
        let halved = until(&of_half);
        let falls = of_step / halved;
        if falls >= FALLS || (of_step.is_infinite() && halved.is_finite()) {
            let still = errors.largest > CHAOTIC * asked && of_half.largest * FALLS > errors.largest;
            if still && beyond + 1 < errors.by_time.len() && errors.stopped + of_half.stopped == 0 {
                return Ok(("chaos", self.until_when(beyond, &of_half, asked)));
            }
            let stiff = stable_step::nominal(study).filter(|stiffness| h > 0.5 * stiffness.longest);
            let order = falls.log2().clamp(0.7, 8.0);
            let left = of_half.largest.max(halved);
            let left = if left.is_finite() { left } else { of_step.min(1.0) };
            let guess = nice(0.5 * h * (asked / (1.5 * left)).powf(1.0 / order).min(1.0));
            let (step, leaves) = self.short_enough(guess, order, &double, &mut opened, own)?;
            let advice = format!("set method.step = \"{step:e} s\" or less{leaves}");
            return Ok(match stiff {
                Some(stiffness) => {
                    let why = format!("{advice}: steps are stable up to {:.1e} s", stiffness.longest);
                    ("stiffness", why)
                }
                None => ("step", advice),
            });
        }
        if study.mechanism.is_held() {
            let mut projected = double.clone();
            projected.constraints.project = 1;
            if study.constraints.project != 1
                && let Some(errors) = self.again(&projected, &mut None)?
                && until(&errors) < 0.5 * of_step
            {
                let further = if errors.largest + own > asked { ", and half the step" } else { "" };
                return Ok(("constraints", format!("set constraints.project = 1{further}")));
            }
            let advice = "multipliers leave an error that the step does not remove: set constraints.treatment = \"exact\" with \
                          method.name = \"rk4\" or \"dop853\"";
            return Ok(("constraints", advice.to_string()));
        }
        let advice =
            "the error does not fall with the step: put jumps of loads on whole steps, or take shorter steps";
        Ok(("step", advice.to_string()))
    }

    /// Why the errors of steps that instances choose are as large as this, and what to set: f64 where that is enough, else tolerances that were tried and
    /// are small enough.
    fn of_tolerances(&self, errors: &Errors, own: f64) -> Result<(&'static str, String), RunError> {
        let (study, asked) = (self.study, asked(self.study));
        // An instance that stops has no error at the end.
        let size = |errors: &Errors| if errors.stopped == 0 { errors.largest } else { f64::INFINITY };
        let error = size(errors);
        let set = tolerances(study.method.name, &study.method.options);
        let given = set.iter().map(|(_, tolerance)| *tolerance).fold(f64::INFINITY, f64::min);
        let is_single = study.run.precision == Precision::F32;
        let advice = |(precision, tolerance): (Precision, f64)| {
            let double =
                (is_single && precision == Precision::F64).then(|| "run.precision = \"f64\"".to_string());
            let keys = set.iter().map(|(key, _)| format!("method.{key} = {tolerance:e}"));
            let tighter =
                (tolerance < given).then(|| format!("{} or less", keys.collect::<Vec<_>>().join(" and ")));
            format!("set {}", double.into_iter().chain(tighter).collect::<Vec<_>>().join(" and "))
        };
        let reason =
            |precision: Precision| if precision == study.run.precision { "step" } else { "precision" };
        // Where instances stop, no error tells how much tighter.
        let next = |tolerance: f64, error: f64| {
            let share = if error.is_finite() { (0.3 * asked / error).clamp(1e-3, 0.5) } else { 0.01 };
            nice(tolerance * share).max(own_steps::RANGE.0)
        };
        let first = (study.run.precision, next(given, error));
        let trials = match is_single {
            true => vec![(Precision::F64, given), first, (Precision::F64, first.1)],
            false => vec![first],
        };
        let mut best: Option<(f64, (Precision, f64))> = None;
        for (precision, mut tolerance) in trials {
            for _ in 0..MOST_GUESSES {
                let mut tried = study.clone();
                tried.run.precision = precision;
                for (key, _) in &set {
                    let options = std::mem::take(&mut tried.method.options);
                    tried.method.options = options.with(key, Setting::Number(tolerance));
                }
                let Some(found) = self.again(&tried, &mut None)? else { break };
                let (now, left) = (size(&found), size(&found) + own);
                if left <= asked {
                    let leaves = format!(", which leaves {left:.1e}");
                    return Ok((reason(precision), advice((precision, tolerance)) + &leaves));
                }
                if best.is_none_or(|(least, _)| now < least) {
                    best = Some((now, (precision, tolerance)));
                }
                let tighter = next(tolerance, now);
                if tighter >= tolerance || tolerance == given {
                    break;
                }
                tolerance = tighter;
            }
        }
        Ok(match best {
            None => ("step", format!("no time was left to look for the reason; try to {}", advice(first))),
            Some((least, set)) if least < error / FALLS => (reason(set.0), advice(set)),
            Some(_) if error.is_infinite() => (
                "step",
                "with tighter tolerances instances stop too: look at one by `polhode replay`".to_string(),
            ),
            Some(_) => (
                "step",
                "tighter tolerances do not make it smaller: judge statistics, or end sooner".to_string(),
            ),
        })
    }

    /// The errors of another study of the same instances; `None`: there is no time for it. `opened` serves several steps of one study.
    fn again(&self, changed: &Study, opened: &mut Option<Ready>) -> Result<Option<Errors>, RunError> {
        let followed = ConvergedRun {
            asked: self.study,
            amends: true,
            instances: &self.exact.course.instances,
            channels: self.channels,
            deadline: self.deadline,
            interrupted: self.interrupted,
        };
        if !opened.as_mut().is_some_and(|ready| ready.turned(changed)) {
            if Instant::now() + self.opening > self.deadline {
                return Ok(None);
            }
            *opened = Some(followed.ready(changed)?);
        }
        let Some(ready) = opened else { return Ok(None) };
        Ok(followed.run(ready)?.map(|course| self.errors(&course)))
    }

    /// From a first guess to a step (s) whose error was measured to be as small as was asked, while there is time; and what it leaves,
    /// in words, where that is known to be enough.
    fn short_enough(
        &self,
        guess: f64,
        order: f64,
        double: &Study,
        opened: &mut Option<Ready>,
        own: f64,
    ) -> Result<(f64, String), RunError> {
        let (asked, mut step) = (asked(self.study), guess);
        for _ in 0..MOST_GUESSES {
            let pieces = (double.method.step / step).ceil() as u64;
            let Some(errors) = self.again(&shorter(double, pieces), opened)? else { break };
            let left = errors.largest + own;
            if errors.stopped == 0 && left <= asked {
                return Ok((step, format!(", which leaves {left:.1e}")));
            }
            let share = (asked / (1.5 * left)).powf(1.0 / order);
            step = nice(step * if share.is_finite() { share.clamp(0.01, 0.9) } else { 0.5 });
        }
        Ok((step, String::new()))
    }

    /// Until when instances can be trusted, where half the step does not carry them to the end.
    fn until_when(&self, beyond: usize, of_half: &Errors, asked: f64) -> String {
        let times = &self.exact.course.times;
        let time = |k: usize| times.get(k).copied().unwrap_or(f64::INFINITY);
        let longer = of_half.by_time.iter().position(|share| *share > asked).unwrap_or(times.len());
        if beyond.max(longer) <= 1 {
            return format!(
                "all is lost before the first snapshot at {} s, with half the step too: judge statistics, or observe and end sooner",
                significant(time(1), 5)
            );
        }
        let last = |first_off: usize| time(first_off.saturating_sub(1));
        format!(
            "half the step is right to {} s, this one to {} s: judge statistics, or end sooner",
            significant(last(longer), 5),
            significant(last(beyond), 5)
        )
    }

    /// One row per snapshot and column.
    fn rows(&self, seen: &Course, errors: &Errors) -> Vec<AccuracyRow> {
        let exact = &self.exact.course;
        let size = self.study.ensemble.size as f64;
        let places: Vec<Option<usize>> =
            exact.instances.iter().map(|n| seen.instances.iter().position(|other| other == n)).collect();
        let mut rows = Vec::with_capacity(exact.times.len() * exact.columns.len());
        for (k, time) in exact.times.iter().enumerate() {
            for (c, column) in exact.columns.iter().enumerate() {
                let pairs: Vec<(f64, f64)> = places
                    .iter()
                    .enumerate()
                    .filter_map(|(i, place)| Some((seen.values[k][c][(*place)?], exact.values[k][c][i])))
                    .filter(|(run, exact)| run.is_finite() && exact.is_finite())
                    .collect();
                let (run, accurate): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
                let told = report_column(column);
                let off = &errors.all[k][c];
                let own = self.exact.errors[k][c].iter().copied().filter(|x| !x.is_nan()).fold(0.0, f64::max);
                let quantiles = self.study.observe.quantiles.iter();
                let biases: Vec<f64> = pairs.iter().map(|(run, exact)| run - exact).collect();
                rows.push(AccuracyRow {
                    time: *time,
                    channel: told.channel,
                    component: told.component,
                    unit: told.unit,
                    count: pairs.len() as u64,
                    largest: off.iter().copied().filter(|x| !x.is_nan()).fold(0.0, f64::max),
                    median: median(off),
                    mean: biases.iter().sum::<f64>() / pairs.len() as f64,
                    mean_interval: 2.0 * deviation(&biases) / (pairs.len() as f64).sqrt(),
                    quantiles: quantiles.map(|p| quantile(&run, *p) - quantile(&accurate, *p)).collect(),
                    statistical: deviation(&accurate) / size.sqrt(),
                    own,
                    scale: self.exact.scales[c],
                });
            }
        }
        rows
    }

    /// Errors at the last time.
    fn of_channels(&self, rows: &[AccuracyRow]) -> Vec<ChannelAccuracy> {
        let columns = &self.exact.course.columns;
        let last = &rows[rows.len() - columns.len()..];
        let finite = |x: f64| x.is_finite().then_some(x);
        let told = |(row, column): (&AccuracyRow, &ChannelColumn)| ChannelAccuracy {
            column: column.name.clone(),
            unit: row.unit.clone(),
            scale: row.scale,
            largest: finite(row.largest),
            median: finite(row.median),
            mean: finite(row.mean.abs()),
            statistical: finite(row.statistical),
            mean_interval: finite(row.mean_interval),
        };
        last.iter().zip(columns).map(told).collect()
    }

    /// What the errors do to means, in words.
    fn of_statistics(&self, rows: &[AccuracyRow]) -> String {
        if self.exact.course.instances.len() < 8 {
            return String::new();
        }
        // Errors that are rounding are no part of it.
        let counts = |row: &&AccuracyRow| {
            row.mean.abs() > 1e-12 * row.scale && row.statistical > 1e-12 * row.scale && !is_of_error(row)
        };
        let ratio = |row: &AccuracyRow| row.mean.abs() / row.statistical;
        let worst = rows.iter().filter(counts).max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        if rows.iter().all(|row| row.count == 0 || row.time == rows[0].time) {
            return "no mean is known after the start".to_string();
        }
        let Some(worst) = worst else { return "means are right to rounding".to_string() };
        let name = worst.column();
        if ratio(worst) <= UNSEEN {
            return format!(
                "means are off by at most {} of their statistical error",
                significant(ratio(worst), 2)
            );
        }
        // With the errors of single instances grown beyond all bounds, means of few can differ by chance alone.
        let chance = worst.statistical * (self.study.ensemble.size as f64 / worst.count.max(1) as f64).sqrt();
        let by_chance = if worst.mean.abs() <= 3.0 * std::f64::consts::SQRT_2 * chance
            && worst.median > 0.1 * worst.scale
        {
            ", as chance lets means of so few differ"
        } else {
            ""
        };
        format!(
            "the mean of {name} is off by {:.1e} {} at {} s, {} of its statistical error{by_chance}",
            worst.mean.abs(),
            worst.unit,
            significant(worst.time, 5),
            significant(ratio(worst), 2)
        )
    }
}

/// The study over steps that are cut into so many.
fn shorter(study: &Study, pieces: u64) -> Study {
    let mut shorter = study.clone();
    shorter.method.step /= pieces as f64;
    shorter.method.steps = shorter.method.steps.saturating_mul(pieces);
    shorter.observe.every = shorter.observe.every.saturating_mul(pieces);
    shorter.method.resynchronise = shorter.method.resynchronise.saturating_mul(pieces);
    shorter
}

/// The next smaller of 1, 2 and 5 times a power of ten.
fn nice(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return x;
    }
    let exponent = x.log10().floor();
    let part = x / 10f64.powf(exponent);
    let leading = if part >= 5.0 {
        5
    } else if part >= 2.0 {
        2
    } else {
        1
    };
    // Not a product, whose last digit is rounded.
    format!("{leading}e{exponent}").parse().unwrap_or(x)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// By linear interpolation between the ranks; NaN of none.
fn quantile(values: &[f64], p: f64) -> f64 {
    let sorted = sorted(values);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = p * last as f64;
    let (low, share) = (at.floor() as usize, at.fract());
    sorted[low] + share * (sorted[(low + 1).min(last)] - sorted[low])
}

/// Standard deviation with n - 1.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0)).sqrt()
}
