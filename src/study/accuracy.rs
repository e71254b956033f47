//! The measured error of a run: some of its instances beside their [converged](super::converged)
//! motion.
//!
//! Those instances are spread evenly over the ensemble. The run's numbers of them are compared with
//! the accurate ones at every snapshot, outcomes at the end. Where the errors are larger than was
//! asked, a few more runs of the same instances find out why, and try what is advised
//! (`accuracy/reason.rs`). All of it follows from the study: operations bound it, and a clock is
//! the fuse.

mod errors;
mod reason;
mod second_look;

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use self::errors::Errors;
use self::reason::reason_of_bias;
use self::second_look::SecondLook;
use super::converged::{
    Budget, Converged, Course, Goal, Groundwork, Ready, advanced, allowed_error, compare_rest,
    converged_from, prepared, scales, shorter, undefined_times,
};
use super::final_columns::report_column;
use super::march::{BatchRun, Piece};
use super::run_error::RunError;
use super::spread::{deviation, median, quantile, sorted};
use crate::backend::Plan;
use crate::base::{quantity, significant};
use crate::describe::{self, Channel, ObservedChannel, Study};
use crate::observe::channels;
use crate::observe::channels::{ChannelColumn, columns};
use crate::output::{
    ACCURACY, Accuracy, AccuracyRow, ChannelAccuracy, MeanBias, OutputError, OutputFolder, Word, Worst,
    read_accuracy, write_accuracy,
};

/// No accurate solution was found to judge by.
const NOT_CONVERGED: &str = "not converged";
/// The accurate solution alone differs from all others: no word follows from it.
const NOT_KNOWN: &str = "not known";
/// Most instances that are judged: where the errors of 300 are small, those of 99 % of all are, at
/// a confidence of 95 %.
const JUDGED: u64 = 300;
/// Most instances that are looked at over other steps, to find those that are judged: all of the
/// pilot.
const LOOKED_AT: u64 = 1024;
/// Where the run has not kept their numbers it is repeated for those that are looked at: for as
/// many as this share of the operations of looking allows, and at least for so many.
const OF_REPEATED: f64 = 0.5;
const REPEATED: u64 = 64;
/// Numbers of judged instances that are kept at most, and instances at least.
const KEPT: u64 = 1 << 23;
const LEAST_JUDGED: u64 = 8;
/// Where a study asks for statistics: the bias of a mean asked for, as a share of its standard
/// error.
pub const STATISTICAL: f64 = 0.1;
/// The share of the run's operations that judging may take, where the study names none.
const SHARE: f64 = 0.1;
/// A run counts as one of so many operations at least, and at most: a tenth of it takes .2 s of two
/// threads, and 3 s.
const LEAST: f64 = 3e10;
const MOST: f64 = 5e11;
/// The shares of the operations that a second look and the accurate solution may take; the rest is
/// for reasons.
const LOOKING: f64 = 0.25;
const SOLVING: f64 = 0.4;
/// Instances, those with the largest errors, by which reasons are looked for and advice is tried:
/// so many that a run of theirs takes this share of the operations that are left, and at least so
/// many.
const OF_TRIED: f64 = 1.0 / 16.0;
const LEAST_TRIED: usize = 4;
/// The fuse (s), where the study names none; and a day.
const FUSE: f64 = 60.0;
const LONGEST: f64 = 86_400.0;
/// The accurate values are to be better than the run's by so much.
const BETTER: f64 = 0.05;
/// Below this share of the scale instances do not differ: it is rounding.
const NO_SPREAD: f64 = 1e-12;
/// The error of a mean shows where it is so many times its standard error: with thousands of means,
/// chance makes some of 4.
const SHOWS: f64 = 5.0;
/// The bias of a mean that is no larger than this many of its standard errors does no harm.
const HARMLESS: f64 = 1.0;

/// Some instances as a run finds them, at all snapshots.
pub struct Watch {
    course: Course,
    /// Where they are in the batch.
    places: Vec<usize>,
}

impl Watch {
    /// It watches those instances of a batch, whose i-th is `batch[i]`, ascending, of which some
    /// are judged; `None`: nothing is.
    pub fn new(study: &Study, plan: &Plan, batch: &[u64]) -> Option<Watch> {
        if !is_asked(study) {
            return None;
        }
        let columns = columns(&study.mechanism, &study.observe.channels);
        let judged = study.ensemble.spread(kept(columns.len(), plan.schedule.snapshots().len()));
        let found: Vec<(u64, usize)> = judged
            .into_iter()
            .filter_map(|number| Some((number, batch.binary_search(&number).ok()?)))
            .collect();
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        let course = Course {
            instances: found.iter().map(|(number, _)| *number).collect(),
            times,
            columns,
            values: Vec::new(),
            ends: Vec::new(),
            jumps: Vec::new(),
            alike: allowed_error(study),
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

    /// Returns the recorded course, if all snapshots were recorded.
    pub fn finish(mut self, march: &BatchRun<'_>) -> Option<Course> {
        let batch: usize = march.pieces().iter().map(Piece::instances).sum();
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
        write_accuracy(&folder.path(ACCURACY.file), &study.observe.quantiles, &self.rows)
    }

    /// Reads what a run has measured whose table is `file`, where it has one.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn read(accuracy: Accuracy, file: &Path, study: &Study) -> Result<AccuracyAssessment, OutputError> {
        let rows = match file.exists() {
            true => read_accuracy(file, &study.observe.quantiles)?,
            false => Vec::new(),
        };
        Ok(AccuracyAssessment { accuracy, rows })
    }

    /// Takes in the standard errors that the means of a run have, where `of` a row's mean one is
    /// known, with what follows from them.
    pub fn with_standard_errors(
        mut self,
        study: &Study,
        of: impl Fn(&AccuracyRow) -> Option<f64>,
    ) -> AccuracyAssessment {
        for row in &mut self.rows {
            row.statistical = of(row).unwrap_or(row.statistical);
        }
        self.conclude(study);
        self
    }

    /// Finds out what follows from the errors of means.
    fn conclude(&mut self, study: &Study) {
        let AccuracyAssessment { accuracy, rows } = self;
        let Some(before_last) = rows.len().checked_sub(accuracy.channels.len()) else { return };
        for (channel, row) in accuracy.channels.iter_mut().zip(&rows[before_last..]) {
            channel.statistical = Some(row.statistical).filter(|error| error.is_finite());
        }
        accuracy.statistics = of_statistics(rows, accuracy.instances);
        accuracy.bias = worst_bias(rows, study.ensemble.size);
        if !accuracy.of_means {
            return;
        }
        let is_small = |bias: &MeanBias| bias.ratio() <= STATISTICAL;
        let is_resolved = accuracy.stopped == 0 && accuracy.bias.as_ref().is_none_or(is_small);
        accuracy.word = if is_resolved { Word::Resolved } else { Word::Unresolved };
        (accuracy.reason, accuracy.advice) = match &accuracy.bias {
            _ if is_resolved => Default::default(),
            Some(bias) => reason_of_bias(study, bias, accuracy.instances),
            None => return,
        };
    }

    fn not_judged(why: impl Into<String>) -> AccuracyAssessment {
        AccuracyAssessment { accuracy: Accuracy::not_judged(why), rows: Vec::new() }
    }
}

/// Instances whose numbers in so many columns at so many snapshots are kept.
fn kept(columns: usize, snapshots: usize) -> u64 {
    let numbers = (columns * snapshots).max(1) as u64;
    (KEPT / numbers).clamp(LEAST_JUDGED, LOOKED_AT)
}

/// The instances for which a run is repeated that has not kept their numbers, where this many
/// operations may be done.
fn repeated(study: &Study, channels: &[ObservedChannel], of_instance: f64, operations: f64) -> Vec<u64> {
    let snapshots = study.method.steps / study.observe.every + 2;
    let most = kept(columns(&study.mechanism, channels).len(), snapshots as usize).max(REPEATED);
    // A method that counts no operations is not looked at.
    let affordable = if of_instance > 0.0 { (operations / of_instance) as u64 } else { 0 };
    study.ensemble.spread(affordable.clamp(REPEATED, most))
}

/// The cost that judging may have: a share of the operations of the run, which follow from the
/// study.
fn budget(study: &Study, of_instance: f64) -> Budget {
    let of_run = of_instance * study.ensemble.size as f64;
    let time = study.accuracy.budget.unwrap_or(FUSE).min(LONGEST);
    Budget {
        operations: study.accuracy.share.unwrap_or(SHARE) * of_run.clamp(LEAST, MOST),
        time: Duration::from_secs_f64(time),
    }
}

/// The operations that judging a study may take; 0: its error is not measured.
pub fn operations(study: &Study) -> f64 {
    let known = is_asked(study).then(|| Groundwork::of(study).ok()).flatten();
    known.map_or(0.0, |known| budget(study, known.of_a_step * study.method.steps as f64).operations)
}

/// Why there is no accurate solution: nothing moves, or it is beyond the operations that judging
/// may take.
fn unsolved(study: &Study, course: &Course) -> String {
    let moves = |k: usize| course.values[k].iter().flatten().any(|value| value.is_finite());
    if course.times.len() > 1 && !(1..course.times.len()).any(moves) {
        let first = significant(course.times[1], 4);
        return format!(
            "There is no motion to judge: no instance that is looked at comes to the first snapshot after \
             the start, at {first} s"
        );
    }
    let allowed = study.accuracy.share.unwrap_or(SHARE);
    let advice = match allowed < 1.0 {
        true => "allow more: accuracy.share = 1".to_string(),
        false => format!(
            "allow more than now: accuracy.share = {}, or end sooner (method.duration)",
            significant(10.0 * allowed, 3)
        ),
    };
    let known = match study.method.accuracy {
        Some(_) => {
            ". The error that the choice of the method measured, on other instances, is all that is known"
        }
        None => "",
    };
    format!("An accurate solution costs more than the run's size allows; {advice}{known}")
}

/// Measures the error of a run; `course`: some of its instances, as it found them; `None`: they are
/// advanced again.
/// A study that does not want it gets nothing. The run stands, whatever happens here.
pub fn measure(
    study: &Study,
    course: Option<Course>,
    interrupted: &AtomicBool,
) -> Option<AccuracyAssessment> {
    let measured = || try_measure((study, &Groundwork::of(study)?), course, interrupted);
    is_asked(study)
        .then(|| measured().unwrap_or_else(|error| AccuracyAssessment::not_judged(error.to_string())))
}

/// As [`measure`], with what is known of the study.
pub fn measure_knowing(
    (study, known): (&Study, &Groundwork),
    course: Option<Course>,
    interrupted: &AtomicBool,
) -> Option<AccuracyAssessment> {
    let measured = || try_measure((study, known), course, interrupted);
    is_asked(study)
        .then(|| measured().unwrap_or_else(|error| AccuracyAssessment::not_judged(error.to_string())))
}

fn try_measure(
    (study, known): (&Study, &Groundwork),
    course: Option<Course>,
    interrupted: &AtomicBool,
) -> Result<AccuracyAssessment, RunError> {
    let started = Instant::now();
    let channels = judged_channels(study);
    if channels.is_empty() {
        return Ok(AccuracyAssessment::not_judged("No observed channel is a number of the motion"));
    }
    let of_instance = known.of_a_step * study.method.steps as f64;
    let budget = budget(study, of_instance);
    let deadline = started + budget.time;
    let blown = || {
        let time = significant(budget.time.as_secs_f64(), 3);
        AccuracyAssessment::not_judged(format!(
            "The limit of {time} s was reached; give it longer: accuracy.budget = \"10 min\""
        ))
    };
    let mut looking = Budget { operations: LOOKING * budget.operations, ..budget };
    let course = match course {
        Some(course) => course.only(&study.mechanism, &study.observe.channels, &channels),
        None => {
            let repeating = OF_REPEATED * looking.operations;
            looking.operations -= repeating;
            let instances = repeated(study, &channels, of_instance, repeating);
            match advanced(study, &instances, &channels, deadline, interrupted)? {
                Some(course) => course,
                None => return Ok(blown()),
            }
        }
    };
    let scales = scales(&course, &known.sizes);
    let mut solving = Budget { operations: SOLVING * budget.operations, ..budget };
    let goal = Goal::Judging(&course, BETTER);
    let known_study = (study, known);
    // While instances are looked at, the machine code for judging some of them is made.
    let (look, prepared) = rayon::join(
        || SecondLook::taken(known_study, (&course, &scales), &channels, &looking, interrupted),
        || prepared(known_study, &channels, goal, &solving, interrupted),
    );
    let look = look?;
    let (instances, foremost) = look.judged(&course.instances, JUDGED as usize);
    solving.operations += look.left;
    solving.time = deadline.saturating_duration_since(Instant::now());
    let chosen = (&instances[..], &foremost[..]);
    let (solved, own_steps) =
        converged_from(prepared, known_study, chosen, &channels, (goal, &solving), interrupted)?;
    let Some(mut exact) = solved else {
        return Ok(match Instant::now() > deadline {
            true => blown(),
            false => AccuracyAssessment::not_judged(unsolved(study, &course)),
        });
    };
    // Those that were chosen to be judged are not the usual ones: all set the scale.
    exact.scales = scales;
    compare_rest(&mut exact.scales, &course, &exact.course, &known.sizes);
    let left = Cell::new((1.0 - SOLVING - LOOKING) * budget.operations);
    let judge = Judge {
        study,
        known,
        channels: &channels,
        exact: &exact,
        look: &look,
        own_steps: &Cell::new(own_steps),
        of_instance,
        left,
        deadline,
        interrupted,
    };
    let mut measured = judge.judged(&course)?;
    if Instant::now() > deadline {
        return Ok(blown());
    }
    measured.accuracy.took = started.elapsed().as_secs_f64();
    measured.accuracy.how = format!("{}{}", exact.how, look.sentence(&exact.course.instances));
    Ok(measured)
}

/// Whether what is asked for is the bias of means.
fn is_of_means(study: &Study) -> bool {
    study.method.accuracy == Some(describe::RequestedAccuracy::Statistical)
}

/// Channels that are an error by themselves, which has no mean to be known.
const ERRORS: [Channel; 3] =
    [channels::ENERGY_DRIFT, channels::ANGULAR_MOMENTUM_DRIFT, channels::CONSTRAINT_VIOLATION];

pub(super) fn is_error(channel: Channel) -> bool {
    ERRORS.contains(&channel)
}

fn is_of_error(row: &AccuracyRow) -> bool {
    ERRORS.iter().any(|channel| row.channel.ends_with(&*channel.name()))
}

/// Returns the bias that is largest against the standard error, among the means of columns whose
/// instances differ, at all snapshots.
fn worst_bias(rows: &[AccuracyRow], size: u64) -> Option<MeanBias> {
    let differs = |row: &&AccuracyRow| {
        row.statistical * (size as f64).sqrt() > NO_SPREAD * row.scale && !is_of_error(row)
    };
    let bias = |row: &AccuracyRow| MeanBias {
        column: row.column(),
        unit: row.unit.clone(),
        time: row.time,
        bias: -row.mean,
        interval: row.mean_interval,
        standard_error: row.statistical,
    };
    rows.iter()
        .filter(differs)
        .map(bias)
        .filter(|bias| bias.ratio().is_finite())
        .max_by(|a, b| a.ratio().total_cmp(&b.ratio()))
}

/// The observed channels that are numbers of the motion; a method's own estimate of something is
/// none.
pub(super) fn judged_channels(study: &Study) -> Vec<ObservedChannel> {
    let own = |observed: &&ObservedChannel| {
        let of_the_method = [
            channels::POTENTIAL_ESTIMATE,
            channels::QUATERNION_NORM_ERROR,
            channels::OWN_STEPS,
            channels::REJECTED_STEPS,
            channels::ITERATIONS,
        ];
        !of_the_method.contains(&observed.channel)
    };
    study.observe.channels.iter().filter(own).copied().collect()
}

/// The judge of a run: the accurate solution, and the operations and the time that are left to it.
struct Judge<'a> {
    study: &'a Study,
    known: &'a Groundwork,
    channels: &'a [ObservedChannel],
    exact: &'a Converged,
    look: &'a SecondLook,
    /// Machine code of own steps, if the accurate solution is by these.
    own_steps: &'a Cell<Option<Ready>>,
    /// Operations of an instance of the run.
    of_instance: f64,
    /// Operations that may still be done.
    left: Cell<f64>,
    deadline: Instant,
    interrupted: &'a AtomicBool,
}

impl Judge<'_> {
    fn errors(&self, course: &Course) -> Errors {
        Errors::of(course, &self.exact.course, &self.exact.scales)
    }

    fn judged(&self, course: &Course) -> Result<AccuracyAssessment, RunError> {
        let exact = self.exact;
        let allowed = allowed_error(self.study);
        let errors = self.errors(course);
        let own = exact.largest_share();
        let rows = self.rows(course, &errors);
        let beyond = errors.by_time.iter().position(|share| share.is_nan() || *share > allowed);
        let last =
            |before: usize| exact.course.times.get(before.saturating_sub(1)).copied().unwrap_or_default();
        let of_means = is_of_means(self.study);
        let is_resolved = errors.stopped == 0 && (of_means || errors.largest + own <= allowed);
        let worst = errors.at.map(|(k, c, i)| {
            let column = &exact.course.columns[c];
            Worst {
                column: column.name.clone(),
                unit: column.unit.to_string(),
                instance: exact.course.instances.get(i).copied(),
                time: exact.course.times[k],
                error: errors.largest * exact.scales[c],
                median: median(&errors.all[k][c]),
            }
        });
        let accuracy = Accuracy {
            word: if is_resolved { Word::Resolved } else { Word::Unresolved },
            asked: if of_means { STATISTICAL } else { allowed },
            of_means,
            largest: Some(errors.largest).filter(|largest| largest.is_finite()),
            worst,
            trusted_until: beyond.map(last),
            instances: exact.course.instances.len() as u64,
            of: self.study.ensemble.size,
            spoken_for: self.look.spoken_for(
                &exact.course.instances,
                &errors.by_instance(&exact.scales),
                allowed,
            ),
            stopped: errors.stopped,
            without: errors.without,
            alike: errors.alike,
            channels: self.of_channels(&rows),
            ..Accuracy::default()
        };
        let mut measured = AccuracyAssessment { accuracy, rows };
        measured.conclude(self.study);
        let is_known = of_means && measured.accuracy.bias.is_some();
        if measured.accuracy.word == Word::Unresolved && !is_known {
            let parts = exact.parts(own);
            let (reason, advice) = match own > 0.3 * errors.largest.max(allowed) {
                // The error may be smaller than what was asked, or larger. Where neighbours part, a
                // larger one that was measured stands.
                true if errors.largest <= allowed + if parts { 0.0 } else { own } && errors.stopped == 0 => {
                    return Ok(AccuracyAssessment::not_judged(self.of_what_is_not_known(own, allowed)));
                }
                true if parts => self.of_chaos(allowed),
                true => (NOT_CONVERGED, self.of_what_is_not_known(own, allowed)),
                false => {
                    let tried = (OF_TRIED * self.left.get() / self.of_instance.max(1.0)) as usize;
                    let worst = exact.of(&errors.worst(&exact.scales, tried.max(LEAST_TRIED)));
                    let judge = Judge { exact: &worst, left: self.left.clone(), ..*self };
                    judge.reason(course, &judge.errors(course), own, allowed)?
                }
            };
            if reason == NOT_KNOWN {
                return Ok(AccuracyAssessment::not_judged(advice));
            }
            (measured.accuracy.reason, measured.accuracy.advice) = (reason.to_string(), advice);
        }
        Ok(measured)
    }

    /// One row per snapshot and column.
    fn rows(&self, course: &Course, errors: &Errors) -> Vec<AccuracyRow> {
        let exact = &self.exact.course;
        let size = self.study.ensemble.size as f64;
        let places = course.places(&exact.instances);
        let undefined = undefined_times(course, exact);
        let row = |k: usize, c: usize| {
            let values = &course.values[k][c];
            let pairs: Vec<(f64, f64)> = places
                .iter()
                .enumerate()
                .filter(|(i, _)| !undefined.contains(&(c, *i)) && !exact.jumps_at(k, c, *i))
                .filter_map(|(i, place)| Some((values[(*place)?], exact.values[k][c][i])))
                .filter(|(run, exact)| run.is_finite() && exact.is_finite())
                .collect();
            let (run, accurate): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            // Judged ones are no fair draw: those that change most are among them.
            let all: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
            let column = report_column(&exact.columns[c]);
            let off = &errors.all[k][c];
            let own = self.exact.errors[k][c].iter().copied().filter(|x| !x.is_nan()).fold(0.0, f64::max);
            let biases: Vec<f64> = pairs.iter().map(|(run, exact)| run - exact).collect();
            let [in_order, accurate_in_order] = [sorted(&run), sorted(&accurate)];
            let bias_of = |p: &f64| quantile(&in_order, *p) - quantile(&accurate_in_order, *p);
            AccuracyRow {
                time: exact.times[k],
                channel: column.channel,
                component: column.component,
                unit: column.unit,
                count: pairs.len() as u64,
                largest: off.iter().copied().filter(|x| !x.is_nan()).fold(0.0, f64::max),
                median: median(off),
                mean: biases.iter().sum::<f64>() / pairs.len() as f64,
                mean_interval: 2.0 * deviation(&biases) / (pairs.len() as f64).sqrt(),
                quantiles: self.study.observe.quantiles.iter().map(bias_of).collect(),
                statistical: deviation(&all) / size.sqrt(),
                own,
                scale: self.exact.scales[c],
            }
        };
        let of_snapshot =
            |k: usize| (0..exact.columns.len()).filter(move |c| exact.counts(k, *c)).map(move |c| (k, c));
        let counted = (0..exact.times.len()).into_par_iter().flat_map_iter(of_snapshot);
        counted.map(|(k, c)| row(k, c)).collect()
    }

    /// Errors at the last time.
    fn of_channels(&self, rows: &[AccuracyRow]) -> Vec<ChannelAccuracy> {
        let columns = &self.exact.course.columns;
        let last = &rows[rows.len() - columns.len()..];
        let finite = |x: f64| x.is_finite().then_some(x);
        let accuracy = |(row, column): (&AccuracyRow, &ChannelColumn)| ChannelAccuracy {
            column: column.name.clone(),
            unit: row.unit.clone(),
            scale: row.scale,
            largest: finite(row.largest),
            median: finite(row.median),
            mean: finite(row.mean.abs()),
            statistical: finite(row.statistical),
            mean_interval: finite(row.mean_interval),
        };
        last.iter().zip(columns).map(accuracy).collect()
    }
}

/// Errors of means, in words: an error of a mean is told where the judged instances, each
/// beside itself, show one.
fn of_statistics(rows: &[AccuracyRow], judged: u64) -> String {
    if judged < 8 {
        return String::new();
    }
    // Errors that are rounding are no part of it.
    let counts = |row: &&AccuracyRow| {
        row.mean.abs() > NO_SPREAD * row.scale
            && row.statistical > NO_SPREAD * row.scale
            && row.mean.abs() > 0.5 * SHOWS * row.mean_interval
            && !is_of_error(row)
    };
    let ratio = |row: &AccuracyRow| row.mean.abs() / row.statistical;
    if rows.iter().all(|row| row.count == 0 || row.time == 0.0) {
        return "No mean is known after the start.".to_string();
    }
    let worst = rows.iter().filter(counts).max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let Some(worst) = worst.filter(|worst| ratio(worst) > 1e-3) else {
        return "No error of a mean shows.".to_string();
    };
    if ratio(worst) <= HARMLESS {
        let most = significant(ratio(worst), 2);
        return format!("Means are off by at most {most} of their statistical error.");
    }
    format!(
        "The mean of {} is off by {} ± {} at {}, {} times its statistical error.",
        worst.column(),
        significant(worst.mean.abs(), 2),
        quantity(worst.mean_interval, 1, &worst.unit),
        quantity(worst.time, 5, "s"),
        significant(ratio(worst), 2)
    )
}
