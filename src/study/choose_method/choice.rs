//! A choice under way: the pilot, its accurate solution, and trials that are judged by it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::allowance::Allowance;
use super::candidate::{Candidate, stiffly, takes_bdf};
use super::truth::{FINEST, Truth};
use crate::base::{quantity, significant};
use crate::describe::bounds::unexplained;
use crate::describe::{ObservedChannel, Open, RequestedAccuracy, Study, Unexplained, VerdictBounds};
use crate::observe::channels::{ChannelColumn, Registered};
use crate::study::accuracy::judged_channels;
use crate::study::converged::{
    Budget, CODE, ConvergedRun, Course, Goal, Groundwork, Ready, converged, differences,
};
use crate::study::plausible::{not_advanced, starts};
use crate::study::run_error::RunError;
use crate::study::unserved::Unserved;

/// Instances of the pilot.
pub(super) const PILOT: usize = 32;
/// Those of them that change most, on which shorter steps are tried: a group of lanes.
const HARDEST: usize = 64;
/// Share of the accuracy that their changes may have: the run adds to an error what is not known of
/// it.
pub(super) const SURE: f64 = 0.9;
/// Share of the accuracy that the error on the pilot may have: others err by more.
pub(super) const MARGIN: f64 = 0.7;
/// Share of the accuracy that the accurate solution may be off by itself.
const TRUTH: f64 = 0.1;
/// Share of the operations of a choice that the accurate solution may take.
const FOR_TRUTH: f64 = 0.5;
/// No rung takes longer than this; its operations bound it before.
const LONGEST: Duration = Duration::from_secs(3600);
/// Share of the operations left that a step that is tried may take: its like of other methods are
/// to be tried too.
pub(super) const OF_LEFT: f64 = 1.0 / 3.0;
/// A step is tried if it costs at most this many times the best known: so far the second best is
/// known.
pub(super) const WIDER: f64 = 2.0;
/// Why instances beyond the pilot err by more than asked.
pub(super) const SPENT: &str = "which shorter steps may mend: the operations of the choice are spent";

/// A candidate with a number of steps, and what that is worth.
#[derive(Clone)]
pub(super) struct StepTrial {
    pub candidate: Candidate,
    /// Steps for each of the longest.
    pub parts: u64,
    pub error: f64,
    /// The largest error of each instance of the pilot, as a share of the column's scale.
    pub by_instance: Vec<f64>,
    /// Operations an instance, or seconds where the method has no program.
    pub cost: f64,
    /// The largest error, or the bias of the worst mean, where that is asked for.
    pub worst: String,
}

/// A trial that was tried on instances beyond the pilot.
pub(super) struct Tried {
    pub best: StepTrial,
    /// The largest error found.
    pub error: f64,
    /// Why it is larger than asked, where it is.
    pub why: String,
}

/// A choice under way.
pub(super) struct Choice<'a> {
    pub study: &'a Study,
    /// Those whose errors count.
    pub channels: Vec<ObservedChannel>,
    pub open: Open,
    pub truth: Arc<Truth>,
    /// The largest error that serves.
    pub goal: f64,
    /// Steps come in multiples of so many parts: loads jump at their ends then.
    pub unit: u64,
    pub allowance: &'a Allowance,
    pub interrupted: &'a AtomicBool,
}

impl<'a> Choice<'a> {
    pub(super) fn new(
        study: &'a Study,
        known: &Groundwork,
        open: Open,
        allowance: &'a Allowance,
        interrupted: &'a AtomicBool,
    ) -> Result<Choice<'a>, RunError> {
        let size = study.ensemble.size;
        let (goal, tolerance) = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => (share, TRUTH * share),
            // Means are known far better than instances.
            Some(RequestedAccuracy::Statistical) => (0.1, 1e-9),
            None => (f64::INFINITY, 1e-9),
        };
        if study.method.accuracy == Some(RequestedAccuracy::Statistical)
            && (study.ensemble.vary.is_empty() || size < 2)
        {
            return Err(Unserved::StatisticalOfOne.into());
        }
        let (pilot, channels) = (study.ensemble.spread(PILOT as u64), judged_channels(study));
        if channels.is_empty() {
            return Err(Unserved::NothingHasError.into());
        }
        let by_bdf = (allowance.stiff && takes_bdf(study)).then(|| stiffly(study));
        let share = Goal::Share(tolerance.max(FINEST));
        let budget = Budget { operations: FOR_TRUTH * allowance.all(), time: LONGEST };
        let problem = (by_bdf.as_ref().unwrap_or(study), known);
        let found = converged(problem, (&pilot, &[]), &channels, share, &budget, interrupted)?;
        allowance.spend(found.as_ref().map_or(budget.operations, |found| found.operations));
        let Some(found) = found else {
            let invalid = starts(study)?.invalid;
            let why = invalid.map_or_else(|| not_advanced(study), |why| Ok(Some(why)))?;
            let none = Unserved::NoAccurateSolution(study.mechanism.may_end_early());
            return Err(why.map_or(none, Unserved::NoMotion).into());
        };
        let most = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => 0.5 * share,
            Some(RequestedAccuracy::Statistical) | None => 1e-6,
        };
        let accurate = |snapshot: &Vec<Vec<f64>>| {
            snapshot
                .iter()
                .zip(&found.scales)
                .all(|(errors, scale)| errors.iter().all(|error| error.is_nan() || *error <= most * scale))
        };
        let trusted = found.errors.iter().take_while(|snapshot| accurate(snapshot)).count();
        if trusted < 2 {
            let (how, share) = (found.how.to_string(), significant(found.largest_share(), 2));
            let column = found.least_known().map_or(String::new(), |c| {
                let column = &found.course.columns[c];
                format!(" of the scale of {}, {}", column.name, quantity(found.scales[c], 2, &column.unit))
            });
            return Err(Unserved::MotionUnknown { how, share: share + &column }.into());
        }
        // A motion may be known to the end, and an outcome not: it would count for nothing.
        let ends = found.errors.last().filter(|_| trusted + 1 == found.errors.len());
        let unknown = ends.and_then(|errors| {
            let share = |c: usize| errors[c].iter().copied().fold(0.0, f64::max) / found.scales[c];
            let shares = (0..errors.len()).filter(|c| found.course.columns[*c].channel.is_of_the_end());
            let worst = shares.max_by(|a, b| share(*a).total_cmp(&share(*b)))?;
            (share(worst) > most).then(|| (found.course.columns[worst].name.clone(), share(worst)))
        });
        if let Some((name, share)) = unknown {
            let (how, share) = (found.how.to_string(), significant(share, 2));
            return Err(Unserved::OutcomeUnknown { outcome: name, how, share }.into());
        }
        Ok(Choice {
            study,
            channels,
            open,
            truth: Arc::new(Truth { converged: found, trusted, size }),
            goal,
            unit: if open.step { known.parts_at_breaks(study) } else { 1 },
            allowance,
            interrupted,
        })
    }

    pub(super) fn converged_run<'b>(&'b self, instances: &'b [u64]) -> ConvergedRun<'b> {
        let (channels, interrupted) = (&self.channels, self.interrupted);
        // Operations bound the time of a rung, not the clock: the choice is alike everywhere.
        let deadline = Instant::now() + LONGEST;
        let (asked, known) = (self.study, None);
        ConvergedRun { asked, known, amends: true, instances, channels, deadline, interrupted }
    }

    /// The largest error on the pilot that serves.
    pub(super) fn wanted(&self) -> f64 {
        match self.study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => MARGIN * share,
            Some(RequestedAccuracy::Statistical) | None => self.goal,
        }
    }

    pub(super) fn judged(&self, candidate: Candidate, parts: u64, course: &Course, cost: f64) -> StepTrial {
        let mut worst = String::new();
        let by_instance = self.truth.by_instance(course);
        let error = match self.study.method.accuracy {
            Some(RequestedAccuracy::Statistical) => match self.truth.bias(course) {
                None => f64::INFINITY,
                Some(found) => {
                    let column = &course.columns[found.column];
                    worst = format!(
                        "bias of the mean of {} at {}: {} ± {}, its standard error {}",
                        column.name,
                        quantity(course.times[found.snapshot], 6, "s"),
                        significant(found.bias, 2),
                        quantity(found.interval, 1, &column.unit),
                        quantity(found.standard_error, 2, &column.unit)
                    );
                    found.ratio()
                }
            },
            Some(RequestedAccuracy::Error(_)) | None => {
                worst = self.truth.worst(course);
                most(&by_instance)
            }
        };
        StepTrial { candidate, parts, error, by_instance, cost, worst }
    }

    /// By instance the largest difference of two courses, as a share of the scales, at the
    /// snapshots that are trusted, in the columns that count.
    pub(super) fn apart(
        &self,
        coarse: &Course,
        fine: &Course,
        counts: impl Fn(&ChannelColumn) -> bool,
    ) -> Vec<f64> {
        let mut largest = vec![0.0f64; fine.instances.len()];
        for (k, columns) in differences(coarse, fine).into_iter().enumerate().take(self.truth.trusted) {
            let counted = columns.into_iter().enumerate().filter(|(c, _)| counts(&coarse.columns[*c]));
            for (c, column) in counted {
                for (i, off) in column.into_iter().enumerate() {
                    let [a, b] = [coarse, fine]
                        .map(|course| course.values[k][c][i].is_finite() && course.counts(k, c));
                    let share = off / self.truth.converged.scales[c];
                    largest[i] = if fine.jumps_at(k, c, i) {
                        largest[i]
                    } else if a != b {
                        f64::INFINITY
                    } else if a {
                        largest[i].max(share)
                    } else {
                        largest[i]
                    };
                }
            }
        }
        largest
    }
}

/// A candidate on some instances, compiled for all steps.
pub(super) struct CompiledCandidate<'a> {
    pub choice: &'a Choice<'a>,
    pub candidate: Candidate,
    pub instances: Vec<u64>,
    pub ready: Ready,
}

impl<'a> CompiledCandidate<'a> {
    pub(super) fn new(
        choice: &'a Choice<'a>,
        candidate: &Candidate,
        instances: &[u64],
    ) -> Result<CompiledCandidate<'a>, RunError> {
        let own = bounded_by_steps(candidate.of(choice.study, 1).ok_or(Unserved::TooManySteps)?);
        let ready = choice.converged_run(instances).ready(&own)?;
        choice.allowance.spend(CODE * ready.of_a_step);
        Ok(CompiledCandidate { choice, candidate: candidate.clone(), instances: instances.to_vec(), ready })
    }

    /// Operations an instance from start to end.
    pub(super) fn cost(&self, parts: u64) -> f64 {
        let steps = self.choice.study.method.steps as f64 * parts as f64;
        let restarts = match self.ready.plan.schedule.resynchronise {
            0 => 0.0,
            often => steps / often as f64,
        };
        self.ready.of_a_step * steps + self.ready.of_a_restart * restarts
    }

    /// Whether there are operations for so many steps.
    pub(super) fn is_affordable(&self, parts: u64) -> bool {
        self.instances.len() as f64 * self.cost(parts) <= OF_LEFT * self.choice.allowance.left()
    }

    /// The instances at these places over so many steps for each of the longest; `None`:
    /// interrupted, or too many to be counted.
    pub(super) fn course(&mut self, parts: u64, places: &[usize]) -> Result<Option<Course>, RunError> {
        match self.candidate.of(self.choice.study, parts) {
            Some(own) if self.ready.turned(&own) => {
                let (allowance, each) = (self.choice.allowance, self.ready.of_a_step);
                if self.candidate.tolerance().is_some() {
                    self.ready.most = allowance.left() / each;
                }
                let converged = self.choice.converged_run(&self.instances);
                let found = converged.run_some(&mut self.ready, places)?;
                let attempts = found.as_ref().and_then(|(_, attempts)| *attempts);
                let counted = places.len() as f64 * self.cost(parts);
                allowance.spend(attempts.map_or(counted, |attempts| each * attempts));
                Ok(found.map(|(course, _)| course))
            }
            _ => Ok(None),
        }
    }
}

/// Takes this trial for the closest so far where its error is smaller.
pub(super) fn keep_closest(closest: &mut Option<StepTrial>, step_trial: &StepTrial) {
    if closest.as_ref().is_none_or(|closest| step_trial.error < closest.error) {
        *closest = Some(step_trial.clone());
    }
}

/// The largest of all; 0 of none.
pub(super) fn most(changes: &[f64]) -> f64 {
    changes.iter().copied().fold(0.0, f64::max)
}

/// Those that change most, in their order.
pub(super) fn hardest<T: Copy>(all: &[T], changes: &[f64]) -> Vec<T> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| changes[*b].total_cmp(&changes[*a]));
    order.truncate(HARDEST);
    order.sort_unstable();
    order.into_iter().map(|place| all[place]).collect()
}

/// The study, of which no instance is stopped by a bound that its motion may leave: steps that are
/// too long alone open joints, or change an energy that nothing changes.
pub(super) fn bounded_by_steps(study: Study) -> Study {
    let is_kept = unexplained(&study.mechanism, &study.ensemble.vary) == Unexplained::Change;
    let energy = study.verdict.energy.filter(|_| is_kept);
    Study { verdict: VerdictBounds { energy, ..study.verdict }, ..study }
}
