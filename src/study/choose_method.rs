//! Method, treatment of joints and step of a study that asks for an accuracy: the cheapest that
//! reach it on a pilot.
//!
//! Some instances, spread over the ensemble, are advanced by every method that takes the mechanism,
//! over steps that are shortened until the error against the [converged](super::converged) solution
//! is small enough. The error is the largest of all instances, snapshots and observed columns, as a
//! share of the column's scale. A method is compiled once for all its steps; how fast its errors
//! fall says which step to try next; a step that would cost more than the best known by `WIDER` is
//! not tried. The cost of a step is the exact number of operations of its program, and so a study
//! is chosen for alike on every machine and in every shard; `bdf`, which has no program, is timed.
//! Where instances bear steps of very different lengths, steps of their own are tried too
//! (`choose_method/own_steps.rs`).
//!
//! The instances among which the run looks for its largest errors are then advanced by what was
//! chosen over its step and half of it: the largest difference shows instances that are harder than
//! those of the pilot, and shortens the step where there are such.

mod allowance;
mod own_steps;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use self::allowance::Allowance;
use self::own_steps::OwnSurvey;
use super::accuracy::{is_error, judged_channels};
use super::converged::{
    Budget, CODE, Converged, ConvergedRun, Course, Goal, Groundwork, Ready, bends, converged, differences,
    operations_of_a_step,
};
use super::planned_run::{on_threads, planned};
use super::plausible::invalid_samples;
use super::run_error::RunError;
use crate::base::{Options, Precision, Setting, quantity, rounded, significant};
use crate::describe::bounds::unexplained;
use crate::describe::{
    BackendChoice, Constraints, ObservedChannel, Open, RequestedAccuracy, Study, TimeIntegration,
    Unexplained, VerdictBounds,
};
use crate::methods::{self, Adaptive, AnyMethod, Card, Takes, cards};
use crate::observe::channels::{ChannelColumn, Registered};
use crate::treatments;

/// Instances of the pilot.
const PILOT: usize = 32;
/// Instances that the chosen step is tried on at the end: those among which the run looks for its
/// largest errors.
const TRIED: usize = 1024;
/// Those of them that change most, on which shorter steps are tried: a group of lanes.
const HARDEST: usize = 64;
/// Steps that are tried on them.
const MOST_TRIED: usize = 8;
/// Share of the accuracy that their changes may have: the run adds to an error what is not known of
/// it.
const SURE: f64 = 0.9;
/// Share of the accuracy that the error on the pilot may have: others err by more.
const MARGIN: f64 = 0.7;
/// Share of the accuracy that the accurate solution may be off by itself.
const TRUTH: f64 = 0.1;
/// Below this share of a column's scale the accurate solution is not asked to be.
const FINEST: f64 = 1e-12;
/// Share of the operations of a choice that the accurate solution may take.
const FOR_TRUTH: f64 = 0.5;
/// Tolerance at which the accurate solution of what is stiff begins to be refined.
const STIFF_TOLERANCE: f64 = 1e-6;
/// No rung takes longer than this; its operations bound it before.
const LONGEST: Duration = Duration::from_secs(3600);
/// A step is tried if it costs at most this many times the best known: so far the second best is
/// known.
const WIDER: f64 = 2.0;
/// No method is tried with more steps than these, of one method.
const MOST_TRIALS: usize = 24;
/// Steps of a run over which constraints are projected, where nothing is said.
const PROJECT: u64 = 10;
/// Restarts of half chains where joints hold bodies.
const RESYNCHRONISE: u64 = 20;
/// The last step is known to this ratio.
const REFINED: f64 = 1.1;
/// Share of the operations left that a step that is tried may take: its like of other methods are
/// to be tried too.
const OF_LEFT: f64 = 1.0 / 3.0;
/// `bdf` is taken if it costs less than this share of the best explicit method.
const IMPLICIT: f64 = 0.5;
/// Operations of machine code that take as long as one of an evaluation in plain numbers, with its
/// part in solving for a step.
const PLAIN: f64 = 100.0;
/// Share of the operations of a choice, those already spent included, that trying more instances
/// may take.
const FOR_TRIED: f64 = 1.0 / 3.0;

/// A study with nothing left to be chosen.
pub struct ChosenMethod {
    pub study: Study,
    /// The choice and its reasons, in a line or two; empty: there was nothing to choose.
    pub told: Vec<String>,
}

/// The study with method, treatment and step chosen, where it leaves them open.
///
/// # Errors
/// [`RunError::Unserved`]: nothing reaches the accuracy, or it cannot be measured.
/// [`RunError::Interrupted`]: the flag was set.
pub fn chosen(study: &Study, interrupted: &AtomicBool) -> Result<ChosenMethod, RunError> {
    match study.method.open {
        None => Ok(ChosenMethod { study: study.clone(), told: Vec::new() }),
        Some(open) => {
            let made = on_threads(study, || {
                let known = Groundwork::of(study)?;
                let allowance = Allowance::of(study, &known);
                Choice::new(study, &known, open, &allowance, interrupted)?.made()
            });
            // Nothing that was measured until then is whole.
            if interrupted.load(Ordering::Relaxed) { Err(RunError::Interrupted) } else { made }
        }
    }
}

/// A method with its settings and the treatment of joints.
#[derive(Clone)]
struct Candidate {
    card: &'static Card,
    options: Options,
    resynchronise: u64,
    constraints: Constraints,
}

impl Candidate {
    fn order(&self) -> f64 {
        let method = AnyMethod::new(self.card.name, &self.options);
        f64::from(method.map_or(self.card.order, |method| method.order()))
    }

    /// The study by this method, `parts` steps for each of the longest.
    fn of(&self, study: &Study, parts: u64) -> Option<Study> {
        let mut own = study.clone();
        let steps = study.method.steps.checked_mul(parts)?;
        own.method = TimeIntegration {
            name: self.card.name,
            options: self.options.clone(),
            step: study.method.step / parts as f64,
            steps,
            resynchronise: self.resynchronise,
            accuracy: study.method.accuracy,
            open: None,
            chosen: true,
        };
        own.observe.every = study.observe.every.checked_mul(parts)?;
        own.constraints = self.constraints.clone();
        let counts = steps <= u64::from(u32::MAX) && own.uncountable().is_none();
        counts.then_some(own)
    }

    /// By which instances choose their own steps; `None`: all take the same.
    fn tolerance(&self) -> Option<f64> {
        methods::own_steps::tolerance(&self.options)
    }

    /// As people call it.
    fn sentence(&self, is_constrained: bool) -> String {
        let mut sentence = self.card.name.to_string();
        if is_constrained {
            sentence.push_str(&format!(", joints {}", self.constraints.treatment.replace('_', " ")));
            if self.constraints.project > 0 {
                let often = match self.constraints.project {
                    1 => " projected every step".to_string(),
                    steps => format!(" projected every {steps} steps"),
                };
                sentence.push_str(&often);
            }
        }
        sentence
    }
}

/// A candidate with a number of steps, and what that is worth.
#[derive(Clone)]
struct StepTrial {
    candidate: Candidate,
    /// Steps for each of the longest.
    parts: u64,
    error: f64,
    /// The largest error of each instance of the pilot, as a share of the column's scale.
    by_instance: Vec<f64>,
    /// Operations an instance, or seconds where the method has no program.
    cost: f64,
    /// The bias of the worst mean, where that is asked for.
    bias: String,
}

/// A trial that was tried on instances beyond the pilot.
struct Tried {
    best: StepTrial,
    /// The largest error found.
    error: f64,
    /// Why it is larger than asked, where it is.
    why: &'static str,
}

/// The explicit candidates, tried on the pilot.
struct Surveyed {
    /// The best trial of each candidate that serves, and the longer steps that were tried.
    serving: Vec<(StepTrial, Vec<StepTrial>)>,
    /// The trial with the least error of all.
    closest: Option<StepTrial>,
}

/// A choice under way.
struct Choice<'a> {
    study: &'a Study,
    /// Those whose errors count.
    channels: Vec<ObservedChannel>,
    open: Open,
    truth: Arc<Truth>,
    /// The largest error that serves.
    goal: f64,
    /// Steps come in multiples of so many parts: loads jump at their ends then.
    unit: u64,
    allowance: &'a Allowance,
    interrupted: &'a AtomicBool,
}

/// The accurate solution on the pilot.
struct Truth {
    converged: Converged,
    /// Snapshots, from the start, at which all its numbers are accurate enough.
    trusted: usize,
    /// Instances of the ensemble.
    size: u64,
}

/// The bias of a mean.
struct Bias {
    column: usize,
    snapshot: usize,
    bias: f64,
    /// Twice the standard error of the bias itself.
    interval: f64,
    /// The standard error of the mean, at the size of the ensemble.
    standard_error: f64,
}

impl Truth {
    /// By instance the largest error of all snapshots and columns, as a share of the column's
    /// scale.
    fn by_instance(&self, course: &Course) -> Vec<f64> {
        self.by_instance_of(course, |_| true)
    }

    /// As [`Truth::by_instance`], in the columns that count.
    fn by_instance_of(&self, course: &Course, counts: impl Fn(&ChannelColumn) -> bool) -> Vec<f64> {
        let exact = &self.converged.course;
        let mut largest = vec![0.0f64; exact.instances.len()];
        for (k, columns) in differences(course, exact).into_iter().enumerate().take(self.trusted) {
            for (c, column) in columns.into_iter().enumerate() {
                for (i, off) in column.into_iter().enumerate() {
                    let is_known = exact.values[k][c][i].is_finite() && exact.counts(k, c);
                    if !is_known || !counts(&exact.columns[c]) {
                        continue;
                    }
                    // An instance that stops short has no small error.
                    let share = off / self.converged.scales[c];
                    largest[i] = if share.is_nan() { f64::INFINITY } else { largest[i].max(share) };
                }
            }
        }
        // A bound may be looked at after the last snapshot alone.
        if self.trusted == exact.times.len() {
            course.stopped_before(exact).for_each(|i| largest[i] = f64::INFINITY);
        }
        largest
    }

    /// The largest error of the accurate solution itself where it is trusted, as a share of the
    /// scales.
    fn own(&self) -> f64 {
        let Converged { errors, scales, .. } = &self.converged;
        let trusted = errors.iter().take(self.trusted);
        let shares = trusted
            .flat_map(|columns| columns.iter().zip(scales))
            .flat_map(|(column, scale)| column.iter().map(move |error| error / scale));
        shares.fold(0.0, f64::max)
    }

    /// The bias that is largest against the standard error of its mean, among the means of all
    /// columns and snapshots; `None`: an instance stopped short, or nothing differs between
    /// instances.
    fn bias(&self, course: &Course) -> Option<Bias> {
        let exact = &self.converged.course;
        let mut largest: Option<Bias> = None;
        for k in 0..self.trusted {
            for c in (0..exact.columns.len()).filter(|c| exact.counts(k, *c)) {
                let finite = |i: &usize| exact.values[k][c][*i].is_finite();
                let kept: Vec<usize> = (0..exact.instances.len()).filter(finite).collect();
                let off: Vec<f64> =
                    kept.iter().map(|i| exact.values[k][c][*i] - course.values[k][c][*i]).collect();
                if off.iter().any(|off| !off.is_finite()) {
                    return None;
                }
                let values: Vec<f64> = kept.iter().map(|i| exact.values[k][c][*i]).collect();
                let (_, deviation) = mean_and_deviation(&values);
                if deviation <= FINEST * self.converged.scales[c] || is_error(exact.columns[c].channel) {
                    continue;
                }
                let (bias, of_bias) = mean_and_deviation(&off);
                let found = Bias {
                    column: c,
                    snapshot: k,
                    bias,
                    interval: 2.0 * of_bias / (kept.len() as f64).sqrt(),
                    standard_error: deviation / (self.size as f64).sqrt(),
                };
                if largest.as_ref().is_none_or(|largest| found.ratio() > largest.ratio()) {
                    largest = Some(found);
                }
            }
        }
        largest
    }
}

impl Bias {
    /// The largest bias that its interval allows, over the standard error of the mean.
    fn ratio(&self) -> f64 {
        (self.bias.abs() + self.interval) / self.standard_error
    }
}

/// The mean of all values and their standard deviation.
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}

impl<'a> Choice<'a> {
    fn new(
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
            return Err(RunError::Unserved(
                "accuracy \"statistical\" is of an ensemble whose instances differ: give a number, e.g. 1e-4"
                    .to_string(),
            ));
        }
        let (pilot, channels) = (study.ensemble.spread(PILOT as u64), judged_channels(study));
        if channels.is_empty() {
            return Err(RunError::Unserved(
                "nothing that is observed has an error to choose a method by; give [method] name and step"
                    .to_string(),
            ));
        }
        let by_bdf = (allowance.stiff && takes_bdf(study)).then(|| stiffly(study));
        let share = Goal::Share(tolerance.max(FINEST));
        let budget = Budget { operations: FOR_TRUTH * allowance.all(), time: LONGEST };
        let problem = (by_bdf.as_ref().unwrap_or(study), known);
        let found = converged(problem, (&pilot, &[]), &channels, share, &budget, interrupted)?;
        allowance.spend(found.as_ref().map_or(budget.operations, |found| found.operations));
        let Some(found) = found else {
            let why = invalid_samples(study)?.unwrap_or_else(|| {
                "no accurate solution to choose a method by could be had; give [method] name and step"
                    .to_string()
            });
            return Err(RunError::Unserved(why));
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
            return Err(RunError::Unserved(format!(
                "the motion is not known to the accuracy that is asked: {} is off by {} itself; ask for less, or give \
                 [method] name and step",
                found.how,
                significant(found.largest_share(), 2)
            )));
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
            return Err(RunError::Unserved(format!(
                "`{name}` is not known to the accuracy that is asked: {} is off by {} of its scale itself; ask for less, or \
                 give [method] name and step",
                found.how,
                significant(share, 2)
            )));
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

    fn converged_run<'b>(&'b self, instances: &'b [u64]) -> ConvergedRun<'b> {
        let (channels, interrupted) = (&self.channels, self.interrupted);
        // Operations bound the time of a rung, not the clock: the choice is alike everywhere.
        let deadline = Instant::now() + LONGEST;
        let (asked, known) = (self.study, None);
        ConvergedRun { asked, known, amends: true, instances, channels, deadline, interrupted }
    }

    /// Those of the registry that can be chosen, besides what chooses its steps by itself.
    fn candidates(&self) -> Vec<Candidate> {
        let (study, open) = (self.study, self.open);
        let mechanism = &study.mechanism;
        let is_constrained = mechanism.is_held() || !mechanism.locks.is_empty();
        let mut candidates = Vec::new();
        for card in cards().iter().copied() {
            let wanted = open.name || card.name == study.method.name;
            let fits = match card.takes {
                Takes::OneBody => mechanism.is_one_body(),
                // On joined bodies a step of these costs at least what one of `staggered` costs,
                // and seldom errs by less (docs/findings.md 40): they are not tried unless they are
                // named.
                Takes::RigidBodies if open.name => mechanism.is_one_body(),
                Takes::RigidBodies => mechanism.is_rigid(),
                Takes::AnyMechanism | Takes::AnyMechanismAndTreatment => true,
                Takes::WithoutLocks | Takes::PositionsOfJoints => false,
            };
            // A step of iterations costs many evaluations, at the order of one: it is not tried
            // unless it is named.
            let iterates = methods::iterates(card.name);
            if !wanted || !fits || open.name && iterates {
                continue;
            }
            let options = match open.name {
                true => defaults(card.keys),
                false => study.method.options.clone(),
            };
            for treatment in treatments::CARDS {
                let usable = card.takes.carries() || treatment.carries == 0;
                let offered = match open.treatment {
                    true => OFFERED.contains(&treatment.name),
                    false => treatment.name == study.constraints.treatment,
                };
                // Where nothing is held, one stands for all.
                let counts = is_constrained
                    || candidates.last().is_none_or(|last: &Candidate| last.card.name != card.name);
                if !(usable && offered || !is_constrained) || !counts {
                    continue;
                }
                let constraints = match open.treatment && is_constrained {
                    false => study.constraints.clone(),
                    true => Constraints {
                        treatment: treatment.name,
                        options: defaults(treatment.keys),
                        project: study.constraints.project,
                    },
                };
                let project = if open.project && is_constrained { PROJECT } else { constraints.project };
                let resynchronise = match (card.resynchronises, open.resynchronise) {
                    (false, _) => 0,
                    (true, false) => study.method.resynchronise,
                    (true, true) => RESYNCHRONISE,
                };
                let constraints = Constraints { project, ..constraints };
                candidates.push(Candidate { card, options: options.clone(), resynchronise, constraints });
            }
        }
        // High orders first: they find the most accurate steps at once, and so few others need be
        // tried.
        candidates.sort_by(|a, b| b.order().total_cmp(&a.order()));
        candidates
    }

    /// The best rung of each explicit candidate that serves, and the longer steps that were tried;
    /// and of all the least error.
    fn surveyed(&self) -> Result<Surveyed, RunError> {
        let mut serving: Vec<(StepTrial, Vec<StepTrial>)> = Vec::new();
        let mut closest: Option<StepTrial> = None;
        let candidates = if self.allowance.stiff { Vec::new() } else { self.candidates() };
        for candidate in candidates {
            let least = serving.iter().map(|(step_trial, _)| step_trial.cost).fold(f64::INFINITY, f64::min);
            let mut trial = match Trial::new(self, &candidate, &self.truth.converged.course.instances) {
                Ok(trial) => trial,
                // Another method may yet hold the mechanism.
                Err(RunError::NoMechanism(_) | RunError::Unserved(_)) => continue,
                Err(other) => return Err(other),
            };
            let climbed = self.climb(&mut trial, WIDER * least)?;
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            for step_trial in &climbed {
                if closest.as_ref().is_none_or(|closest| step_trial.error < closest.error) {
                    closest = Some(step_trial.clone());
                }
            }
            let reached = climbed.iter().filter(|step_trial| step_trial.error <= self.wanted());
            let cheapest = reached.min_by(|a, b| self.preferred(a).total_cmp(&self.preferred(b))).cloned();
            let Some(cheapest) = cheapest else { continue };
            self.allowance.widen(cheapest.cost);
            let longer =
                climbed.iter().filter(|step_trial| step_trial.parts < cheapest.parts).cloned().collect();
            serving.push((cheapest, longer));
        }
        Ok(Surveyed { serving, closest })
    }

    fn made(self) -> Result<ChosenMethod, RunError> {
        let mut of_own = OwnSurvey::default();
        if bends(self.study) {
            of_own = self.by_own_steps(None)?;
            if let Some(best) = of_own.serving {
                return self.concluded(best, None);
            }
        }
        let Surveyed { mut serving, mut closest } = self.surveyed()?;
        if let Some(own) = of_own.closest
            && closest.as_ref().is_none_or(|closest| own.error < closest.error)
        {
            closest = Some(own);
        }
        serving.sort_by(|(a, _), (b, _)| self.preferred(a).total_cmp(&self.preferred(b)));
        let mut serving = serving.into_iter();
        let (best, longer) = serving.next().unzip();
        let next = serving.next().map(|(step_trial, _)| step_trial);
        let longer = longer.unwrap_or_default();
        let own = match &best {
            Some(best) => self.by_own_steps(Some((best, &longer)))?.serving,
            None => None,
        };
        let implicit = self.implicit(best.as_ref(), &longer, own.as_ref())?;
        if let Some(step_trial) = &implicit {
            if closest.as_ref().is_none_or(|closest| step_trial.error < closest.error) {
                closest = Some(step_trial.clone());
            }
            if step_trial.error <= self.wanted() {
                let sentences = vec![self.sentence(step_trial, None, (step_trial.error, ""))];
                return Ok(ChosenMethod { study: self.resolved(step_trial)?, told: sentences });
            }
        }
        // A method that reaches the accuracy without a margin serves where none has one.
        let best = best.or_else(|| closest.clone().filter(|closest| closest.error <= self.goal));
        let Some(best) = best else { return Err(self.unreached(closest.as_ref())) };
        // One step for all is what own steps are compared with.
        let (best, next) = match own {
            Some(own) => (own, Some(best)),
            None => (best, next),
        };
        self.concluded(best, next)
    }

    /// The best, tried on more instances, beside the second best, in the cheapest precision that
    /// reaches what is asked.
    fn concluded(&self, best: StepTrial, next: Option<StepTrial>) -> Result<ChosenMethod, RunError> {
        let is_open = self.open.precision && matches!(self.study.run.backend, BackendChoice::Gpu { .. });
        let Some(RequestedAccuracy::Error(share)) = self.study.method.accuracy.filter(|_| is_open) else {
            let tried = self.tried(best.clone())?;
            return self.settled(&best, tried, next.as_ref());
        };
        let mut failed = Vec::new();
        for precision in CHEAPER {
            let mut study = self.study.clone();
            study.run.precision = precision;
            let own = Choice {
                study: &study,
                channels: self.channels.clone(),
                truth: Arc::clone(&self.truth),
                ..*self
            };
            let error = match own.in_its_precision(&best)? {
                Some(tried) if tried.best.error <= self.wanted() && tried.error <= share => {
                    let mut chosen = own.settled(&best, tried, next.as_ref())?;
                    chosen.told.push(precision_told(precision, &failed));
                    return Ok(chosen);
                }
                Some(tried) => significant(tried.error.max(tried.best.error), 1),
                None => "too many steps".to_string(),
            };
            failed.push((precision, error));
        }
        let tried = self.tried(best.clone())?;
        let mut chosen = self.settled(&best, tried, next.as_ref())?;
        chosen.told.push(precision_told(self.study.run.precision, &failed));
        Ok(chosen)
    }

    /// Tries the best in the precision of this choice, on more instances where
    /// it serves the pilot.
    fn in_its_precision(&self, best: &StepTrial) -> Result<Option<Tried>, RunError> {
        let instances = &self.truth.converged.course.instances;
        match self.step_trial(&mut Trial::new(self, &best.candidate, instances)?, best.parts)? {
            Some(step_trial) if step_trial.error <= self.wanted() => self.tried(step_trial).map(Some),
            step_trial => {
                Ok(step_trial.map(|step_trial| Tried { error: step_trial.error, best: step_trial, why: "" }))
            }
        }
    }

    /// The study by what was tried, and what is said of it.
    fn settled(
        &self,
        measured: &StepTrial,
        tried: Tried,
        next: Option<&StepTrial>,
    ) -> Result<ChosenMethod, RunError> {
        let mut sentences = vec![self.sentence(&tried.best, next, (tried.error, tried.why))];
        let best = tried.best;
        if best.candidate.tolerance() < measured.candidate.tolerance() {
            let before = measured.candidate.tolerance().unwrap_or_default();
            sentences.push(format!("method: tightened from {} by a second look", significant(before, 1)));
        }
        if best.parts > measured.parts && best.candidate.tolerance().is_none() {
            sentences.push(format!(
                "method: shortened from {} for instances beyond the pilot",
                time(self.study.method.step / measured.parts as f64)
            ));
        }
        sentences.extend(self.limits());
        Ok(ChosenMethod { study: self.resolved(&best)?, told: sentences })
    }

    /// The largest error on the pilot that serves.
    fn wanted(&self) -> f64 {
        match self.study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => MARGIN * share,
            Some(RequestedAccuracy::Statistical) | None => self.goal,
        }
    }

    /// By what rungs that serve are compared: the less the better.
    fn preferred(&self, step_trial: &StepTrial) -> f64 {
        if self.open.step { step_trial.cost } else { step_trial.error }
    }

    /// Steps of a candidate, shorter and shorter until one serves, and then the longest that
    /// serves. None costs more than `limit`.
    fn climb(&self, trial: &mut Trial<'_>, limit: f64) -> Result<Vec<StepTrial>, RunError> {
        let mut climbed: Vec<StepTrial> = Vec::new();
        if !self.open.step {
            climbed.extend(self.step_trial(trial, 1)?);
            return Ok(climbed);
        }
        let order = trial.candidate.order();
        let wanted = self.wanted();
        // The longest step of all may do wherever loads jump.
        let mut parts = 1;
        while climbed.len() < MOST_TRIALS && trial.cost(parts) <= limit && trial.is_affordable(parts) {
            let Some(step_trial) = self.step_trial(trial, parts)? else { return Ok(climbed) };
            let error = step_trial.error;
            let before = climbed.last().map(|before| (before.parts, before.error));
            climbed.push(step_trial);
            if error <= wanted {
                let coarsest = climbed.iter().rev().nth(1).map_or(1, |failed| failed.parts + 1);
                self.lengthen(trial, order, coarsest, &mut climbed)?;
                return Ok(climbed);
            }
            let slope = before.and_then(|(coarser, before)| {
                let slope = (before / error).ln() / (parts as f64 / coarser as f64).ln();
                slope.is_finite().then_some(slope)
            });
            // Rounding, or what is not smooth: shorter steps do not help.
            let floor = slope.is_some_and(|slope| slope < 0.1 && error < 1e-2);
            if floor && climbed.iter().rev().take(3).filter(|step_trial| step_trial.error < 1e-2).count() == 3
            {
                return Ok(climbed);
            }
            parts = match slope.filter(|slope| *slope > 0.7) {
                Some(slope) => {
                    let factor = (error / wanted).powf(1.0 / slope.min(order)) * 1.03;
                    ((parts as f64 * factor.min(16.0)).ceil() as u64).max(parts + 1)
                }
                None => 2 * parts,
            };
            parts = parts.next_multiple_of(self.unit);
        }
        Ok(climbed)
    }

    /// The last rung serves: tries longer steps, of at least `coarsest` parts, as its error allows.
    fn lengthen(
        &self,
        trial: &mut Trial<'_>,
        order: f64,
        mut coarsest: u64,
        climbed: &mut Vec<StepTrial>,
    ) -> Result<(), RunError> {
        let wanted = self.wanted();
        for _ in 0..3 {
            let Some(best) = climbed
                .iter()
                .filter(|step_trial| step_trial.error <= wanted)
                .min_by_key(|step_trial| step_trial.parts)
            else {
                return Ok(());
            };
            if best.parts <= self.unit {
                return Ok(());
            }
            let factor = (best.error / wanted).powf(1.0 / order) * 1.02;
            let parts =
                ((best.parts as f64 * factor).ceil() as u64).max(coarsest).next_multiple_of(self.unit);
            if parts as f64 * REFINED > best.parts as f64 || !trial.is_affordable(parts) {
                return Ok(());
            }
            let Some(step_trial) = self.step_trial(trial, parts)? else { return Ok(()) };
            if step_trial.error > wanted {
                coarsest = parts + 1;
            }
            climbed.push(step_trial);
        }
        Ok(())
    }

    fn step_trial(&self, trial: &mut Trial<'_>, parts: u64) -> Result<Option<StepTrial>, RunError> {
        let candidate = trial.candidate.clone();
        let all: Vec<usize> = (0..trial.instances.len()).collect();
        let course = trial.course(parts, &all)?;
        Ok(course.map(|course| self.judged(candidate, parts, &course, trial.cost(parts))))
    }

    fn judged(&self, candidate: Candidate, parts: u64, course: &Course, cost: f64) -> StepTrial {
        let mut bias = String::new();
        let by_instance = self.truth.by_instance(course);
        let error = match self.study.method.accuracy {
            Some(RequestedAccuracy::Statistical) => match self.truth.bias(course) {
                None => f64::INFINITY,
                Some(found) => {
                    let column = &course.columns[found.column];
                    bias = format!(
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
            Some(RequestedAccuracy::Error(_)) | None => by_instance.iter().copied().fold(0.0, f64::max),
        };
        StepTrial { candidate, parts, error, by_instance, cost, bias }
    }

    /// The method that chooses its steps itself, where it is asked for, or explicit steps are held
    /// short by stability and it takes less time.
    fn implicit(
        &self,
        best: Option<&StepTrial>,
        longer: &[StepTrial],
        own: Option<&StepTrial>,
    ) -> Result<Option<StepTrial>, RunError> {
        let (study, open) = (self.study, self.open);
        let named = Adaptive::new(study.method.name, &study.method.options).filter(|_| !open.name);
        let (card, named) = (named.map_or(methods::STIFF, |method| method.formulas.card()), named.is_some());
        let wanted = named || open.name && open.step && is_held_short(best, longer, self.wanted());
        if !wanted || !takes_bdf(study) {
            return Ok(None);
        }
        let instances = &self.truth.converged.course.instances;
        let count = instances.len() as f64;
        let rival = own.or(best).map_or(f64::INFINITY, |best| best.cost);
        let each = PLAIN * self.of_an_evaluation()?;
        let is_constrained = study.mechanism.is_held();
        let mut closest: Option<StepTrial> = None;
        let (mut tolerance, least): (f64, f64) = (1e-3 * self.goal.clamp(1e-9, 1.0), 1e-13);
        while tolerance > least {
            let options = match named {
                true => study.method.options.clone(),
                false => defaults(card.keys),
            };
            let options = options
                .with("relative", Setting::Number(tolerance))
                .with("absolute", Setting::Number(tolerance));
            let constraints = match open.treatment && is_constrained {
                true => {
                    Constraints { treatment: treatments::EXACT.name, options: Options::default(), project: 0 }
                }
                false => study.constraints.clone(),
            };
            let candidate = Candidate { card, options, resynchronise: 0, constraints };
            let Some(own) = candidate.of(study, 1) else { break };
            let converged = ConvergedRun { amends: false, asked: &own, ..self.converged_run(instances) };
            let mut ready = converged.ready(&own)?;
            // A dearer one is not taken.
            let most = if named { f64::INFINITY } else { IMPLICIT * rival * count };
            ready.most = most.min(self.allowance.left()) / each;
            let course = converged.run(&mut ready)?;
            let cost = each * ready.evaluations();
            self.allowance.spend(cost);
            let Some(course) = course else { break };
            let trial = self.judged(candidate, 1, &course, cost / count);
            let serves = trial.error <= self.wanted();
            if closest.as_ref().is_none_or(|closest| trial.error < closest.error) {
                closest = Some(trial);
            }
            if serves || !open.step {
                break;
            }
            tolerance *= 0.1;
        }
        Ok(closest.filter(|step_trial| named || step_trial.cost < IMPLICIT * rival))
    }

    /// Operations of an evaluation of the equations of motion.
    fn of_an_evaluation(&self) -> Result<f64, RunError> {
        let (name, evaluations) = (methods::PLAIN.name, 4.0);
        let options = Options::default();
        let mut own = self.study.clone();
        own.method = TimeIntegration { name, options, resynchronise: 0, open: None, ..own.method };
        Ok(operations_of_a_step(&planned(&own)?) / evaluations)
    }

    /// The rung, with shorter steps where instances beyond the pilot need them, and the largest
    /// error found. Its cost stays that of the pilot's step, as that of the others.
    fn tried(&self, given: StepTrial) -> Result<Tried, RunError> {
        let of_pilot = |best: StepTrial| Tried { error: best.error, best, why: "" };
        let Some(RequestedAccuracy::Error(share)) = self.study.method.accuracy else {
            return Ok(of_pilot(given));
        };
        if !self.open.step {
            return Ok(of_pilot(given));
        }
        let size = self.study.ensemble.size;
        self.allowance.widen(given.cost);
        let allowed = self.allowance.left().min(FOR_TRIED * self.allowance.all());
        let count = (allowed / (3.0 * given.cost)).min(TRIED as f64) as usize;
        let pilot = &self.truth.converged.course.instances;
        let beyond = count > pilot.len() && size as usize > PILOT;
        let instances = if beyond { self.study.ensemble.spread(count as u64) } else { pilot.clone() };
        // Outcomes of own steps have a second judge: the accurate solution may have found them over
        // like steps.
        let outcomes = self.channels.iter().any(|observed| observed.channel.is_of_the_end());
        if given.candidate.tolerance().is_some() && (beyond || outcomes) {
            return self.tried_by_tolerance(given, share, &instances);
        }
        if !beyond {
            return Ok(of_pilot(given));
        }
        let mut trial = Trial::new(self, &given.candidate, &instances)?;
        let order = given.candidate.order();
        let mut places: Vec<usize> = (0..instances.len()).collect();
        let mut tried = of_pilot(given.clone());
        let mut before = f64::INFINITY;
        for _ in 0..MOST_TRIED {
            let parts = tried.best.parts;
            // The run, and that over half the step.
            if 3.0 * places.len() as f64 * trial.cost(parts) > self.allowance.left() {
                break;
            }
            let (Some(coarse), Some(fine)) =
                (trial.course(parts, &places)?, trial.course(2 * parts, &places)?)
            else {
                break;
            };
            let left = 1.0 / (1.0 - 0.5f64.powf(order));
            let changes = self.apart(&coarse, &fine, |_| true);
            let found = left * most(&changes);
            if found.is_finite() && found > 0.5 * before {
                // Instances that no step of this method brings so far: chaotic, or not smooth.
                return Ok(Tried { best: given, why: UNMENDED, ..tried });
            }
            (tried.error, before) = (found, found);
            if found <= SURE * share {
                if places.len() == instances.len() {
                    return Ok(tried);
                }
                // Over other steps others may be the hardest.
                (places, before) = ((0..instances.len()).collect(), f64::INFINITY);
                continue;
            }
            let factor = if found.is_finite() { (found / (MARGIN * share)).powf(1.0 / order) } else { 2.0 };
            let finer = ((parts as f64 * factor.clamp(1.02, 4.0)).ceil() as u64).max(parts + 1);
            tried.best.parts = finer.next_multiple_of(self.unit);
            places = hardest(&places, &changes);
        }
        Ok(Tried { why: SPENT, ..tried })
    }

    /// By instance the largest difference of two courses, as a share of the scales, at the
    /// snapshots that are trusted, in the columns that count.
    fn apart(&self, coarse: &Course, fine: &Course, counts: impl Fn(&ChannelColumn) -> bool) -> Vec<f64> {
        let mut largest = vec![0.0f64; fine.instances.len()];
        for (k, columns) in differences(coarse, fine).into_iter().enumerate().take(self.truth.trusted) {
            let counted = columns.into_iter().enumerate().filter(|(c, _)| counts(&coarse.columns[*c]));
            for (c, column) in counted {
                for (i, off) in column.into_iter().enumerate() {
                    let [a, b] = [coarse, fine]
                        .map(|course| course.values[k][c][i].is_finite() && course.counts(k, c));
                    let share = off / self.truth.converged.scales[c];
                    largest[i] = if a != b {
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

    fn resolved(&self, step_trial: &StepTrial) -> Result<Study, RunError> {
        let too_many = || RunError::Unserved("the steps chosen are too many to be counted".to_string());
        let mut study = step_trial.candidate.of(self.study, step_trial.parts).ok_or_else(too_many)?;
        if let Some(time) = self.open.checks.filter(|_| self.open.step) {
            study.verdict.every = ((time / study.method.step).round() as u64).max(1);
        }
        Ok(study)
    }

    fn sentence(
        &self,
        step_trial: &StepTrial,
        next: Option<&StepTrial>,
        (error, why): (f64, &str),
    ) -> String {
        let study = self.study;
        let is_constrained = study.mechanism.is_held();
        let adaptive = Adaptive::new(step_trial.candidate.card.name, &step_trial.candidate.options).is_some();
        let how = self.steps_of(step_trial);
        let count = self.truth.converged.course.instances.len();
        let found = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => {
                let beyond = match error > share {
                    true => format!(", and up to {} on others, {why}", significant(error, 1)),
                    false => String::new(),
                };
                // Nothing is known to be off by less than what it is compared with.
                let measured = match step_trial.error > self.truth.own() {
                    true => significant(step_trial.error, 2),
                    false => format!("at most {}", significant(self.truth.own(), 2)),
                };
                format!("error {measured} of {} asked on {count} instances{beyond}", significant(share, 6))
            }
            Some(RequestedAccuracy::Statistical) => {
                format!("{}, a tenth of which is allowed", step_trial.bias)
            }
            None => format!("error {} on {count} instances", significant(error, 2)),
        };
        let compared = match (next, self.open.step) {
            _ if adaptive => "; explicit steps that are stable take longer".to_string(),
            (Some(next), true) if step_trial.candidate.tolerance().is_some() => format!(
                "; {:.1} times cheaper than one step for all, {}, step {}",
                next.cost / step_trial.cost,
                next.candidate.sentence(is_constrained),
                time(study.method.step / next.parts as f64)
            ),
            (Some(next), true) => format!(
                "; {:.1} times cheaper than the next, {}",
                next.cost / step_trial.cost,
                next.candidate.sentence(is_constrained)
            ),
            (Some(next), false) => {
                format!(
                    "; the next, {}, has {}",
                    next.candidate.sentence(is_constrained),
                    significant(next.error, 2)
                )
            }
            (None, true) if bends(self.study) && step_trial.candidate.tolerance().is_some() => {
                "; forces bend, and one step for all was not tried".to_string()
            }
            (None, true) if self.open.name => {
                format!("; all others cost more than {WIDER} times as much, or do not reach it")
            }
            (None, _) => String::new(),
        };
        format!("method: {}, {how}: {found}{compared}", step_trial.candidate.sentence(is_constrained))
    }

    /// The steps of a candidate, in words.
    fn steps_of(&self, step_trial: &StepTrial) -> String {
        let step = time(self.study.method.step / step_trial.parts as f64);
        match step_trial.candidate.tolerance() {
            Some(tolerance) => {
                let bound = if step_trial.parts > 1 { format!(" of at most {step}") } else { String::new() };
                format!("steps of each instance's own{bound}, tolerance {}", significant(tolerance, 1))
            }
            None if Adaptive::new(step_trial.candidate.card.name, &step_trial.candidate.options)
                .is_some() =>
            {
                format!(
                    "tolerance {}",
                    significant(step_trial.candidate.options.number("relative", f64::NAN), 1)
                )
            }
            None => format!("step {step}"),
        }
    }

    /// Returns a line on the motion that the choice does not cover; `None`: the accurate solution
    /// is trusted to the end.
    fn limits(&self) -> Option<String> {
        let course = &self.truth.converged.course;
        let last = *course.times.get(self.truth.trusted - 1)?;
        (self.truth.trusted < course.times.len()).then(|| {
            format!(
                "method: chosen by the motion up to {} s, after which no instance is known so accurately (it is chaotic, or not \
                 smooth)",
                significant(last, 6)
            )
        })
    }

    fn unreached(&self, closest: Option<&StepTrial>) -> RunError {
        let study = self.study;
        let requested = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => format!("an accuracy of {} is", significant(share, 6)),
            Some(RequestedAccuracy::Statistical) => "an accuracy \"statistical\" is".to_string(),
            None => "the end is".to_string(),
        };
        let precision = study.run.precision;
        let advice = match precision {
            Precision::F32 | Precision::F32Compensated => {
                "use precision = \"f64\", ask for less, or give [method] name and step"
            }
            Precision::F64 => "ask for less, or give [method] name and step",
        };
        let reached = match closest.filter(|step_trial| step_trial.error.is_finite()) {
            None => "no method that takes the mechanism keeps the instances finite".to_string(),
            Some(step_trial) => format!(
                "the least error is {}, by {}, {}",
                significant(step_trial.error, 2),
                step_trial.candidate.sentence(study.mechanism.is_held()),
                self.steps_of(step_trial)
            ),
        };
        RunError::Unserved(format!("{requested} not reached in {}: {reached}; {advice}", precision.name()))
    }
}

/// Precisions that are tried where none is named and a GPU computes, cheapest first: f64 takes a
/// GPU 2 to 64 times as long as f32. On a CPU it takes twice as long, and leaves rounding out of
/// every question.
const CHEAPER: [Precision; 2] = [Precision::F32, Precision::F32Compensated];

/// Says which precision was chosen, and by how much cheaper ones are off.
fn precision_told(chosen: Precision, failed: &[(Precision, String)]) -> String {
    let off: Vec<String> =
        failed.iter().map(|(precision, error)| format!("{} leaves {error}", precision.name())).collect();
    let why = match off.is_empty() {
        true => "the cheapest on a GPU, and accurate enough".to_string(),
        false => off.join(", "),
    };
    format!("precision: {}, as none is named: {why}", chosen.name())
}

/// Whether the method that chooses its steps itself takes the study.
fn takes_bdf(study: &Study) -> bool {
    let unsuited =
        Adaptive::new(methods::STIFF.name, &Options::default()).and_then(|bdf| bdf.unsuited(&study.run));
    study.mechanism.locks.is_empty() && !study.kind.card().wants_program && unsuited.is_none()
}

/// The study by the method that chooses its steps itself, joints held exactly.
fn stiffly(study: &Study) -> Study {
    let tolerance = Setting::Number(STIFF_TOLERANCE);
    let options =
        defaults(methods::STIFF.keys).with("relative", tolerance.clone()).with("absolute", tolerance);
    let mut own = study.clone();
    own.method =
        TimeIntegration { name: methods::STIFF.name, options, resynchronise: 0, open: None, ..own.method };
    if own.mechanism.is_held() {
        own.constraints =
            Constraints { treatment: treatments::EXACT.name, options: Options::default(), project: 0 };
    }
    own
}

/// Why instances beyond the pilot err by more than asked.
const UNMENDED: &str = "which shorter steps do not mend";
const SPENT: &str = "which shorter steps may mend: the operations of the choice are spent";

/// The largest of all; 0 of none.
fn most(changes: &[f64]) -> f64 {
    changes.iter().copied().fold(0.0, f64::max)
}

/// Those that change most, in their order.
fn hardest<T: Copy>(all: &[T], changes: &[f64]) -> Vec<T> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| changes[*b].total_cmp(&changes[*a]));
    order.truncate(HARDEST);
    order.sort_unstable();
    order.into_iter().map(|place| all[place]).collect()
}

/// Treatments among which one is chosen: those that neither fail by design nor add an elasticity
/// that the mechanism has not.
const OFFERED: [&str; 2] = [treatments::DEFAULT.name, treatments::EXACT.name];

/// Whether steps twice as long as the best were not stable: the error they have is none that falls
/// with the step.
fn is_held_short(best: Option<&StepTrial>, longer: &[StepTrial], wanted: f64) -> bool {
    let Some(best) = best else { return true };
    let fails = |step_trial: &StepTrial| {
        3 * step_trial.parts >= best.parts && (step_trial.error.is_nan() || step_trial.error > 1.0)
    };
    longer.iter().any(fails) && best.error < 0.5 * wanted
}

/// The study, of which no instance is stopped by a bound that its motion may leave: steps that are
/// too long alone open joints, or change an energy that nothing changes.
fn bounded_by_steps(study: Study) -> Study {
    let is_kept = unexplained(&study.mechanism, &study.ensemble.vary) == Unexplained::Change;
    let energy = study.verdict.energy.filter(|_| is_kept);
    Study { verdict: VerdictBounds { energy, ..study.verdict }, ..study }
}

/// Every setting at its default, but for those whose default follows the step.
fn defaults(keys: &'static [crate::methods::Key]) -> Options {
    let given = keys.iter().filter_map(|key| Some((key.name, key.kind.default()?)));
    given.fold(Options::default(), |options, (name, value)| options.with(name, value))
}

/// A time in the unit that suits it.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "us"),
    };
    format!("{} {unit}", rounded(value, 4))
}

/// A candidate on some instances, compiled for all steps.
struct Trial<'a> {
    choice: &'a Choice<'a>,
    candidate: Candidate,
    instances: Vec<u64>,
    ready: Ready,
}

impl<'a> Trial<'a> {
    fn new(choice: &'a Choice<'a>, candidate: &Candidate, instances: &[u64]) -> Result<Trial<'a>, RunError> {
        let too_many = || RunError::Unserved("the steps are too many to be counted".to_string());
        let own = bounded_by_steps(candidate.of(choice.study, 1).ok_or_else(too_many)?);
        let ready = choice.converged_run(instances).ready(&own)?;
        choice.allowance.spend(CODE * ready.of_a_step);
        Ok(Trial { choice, candidate: candidate.clone(), instances: instances.to_vec(), ready })
    }

    /// Operations an instance from start to end.
    fn cost(&self, parts: u64) -> f64 {
        let steps = self.choice.study.method.steps as f64 * parts as f64;
        let restarts = match self.ready.plan.schedule.resynchronise {
            0 => 0.0,
            often => steps / often as f64,
        };
        self.ready.of_a_step * steps + self.ready.of_a_restart * restarts
    }

    /// Whether there are operations for so many steps.
    fn is_affordable(&self, parts: u64) -> bool {
        self.instances.len() as f64 * self.cost(parts) <= OF_LEFT * self.choice.allowance.left()
    }

    /// The instances at these places over so many steps for each of the longest; `None`:
    /// interrupted, or too many to be counted.
    fn course(&mut self, parts: u64, places: &[usize]) -> Result<Option<Course>, RunError> {
        match self.candidate.of(self.choice.study, parts) {
            Some(own) if self.ready.turned(&own) => {
                self.choice.allowance.spend(places.len() as f64 * self.cost(parts));
                let converged = self.choice.converged_run(&self.instances);
                Ok(converged.run_some(&mut self.ready, places)?.map(|(course, _)| course))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::study_file::{KeySetting, read_study_with};

    /// A shipped study whose method is chosen.
    fn open(name: &str, settings: &[&str]) -> Study {
        let path = format!("{}/studies/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let removed = KeySetting::removal("method").expect("a key");
        let set = settings.iter().map(|setting| setting.parse().expect("a setting"));
        let all: Vec<KeySetting> = std::iter::once(removed).chain(set).collect();
        read_study_with(Path::new(&path), &all).unwrap_or_else(|problems| panic!("{problems}"))
    }

    #[test]
    fn the_search_ends_where_nothing_reaches_what_is_asked() {
        for (name, settings) in [
            // Neighbours part by many powers of ten.
            ("double_pendulum", ["method.duration=\"20 s\"", "method.accuracy=1e-12", "ensemble.size=100"]),
            // Single precision rounds.
            ("furuta_pendulum", ["method.duration=\"6 s\"", "method.accuracy=1e-8", "run.precision=\"f32\""]),
            // Forces bend.
            ("cart_pole", ["method.duration=\"6 s\"", "method.accuracy=1e-14", "ensemble.size=10_000"]),
        ] {
            let study = open(name, &settings);
            let known = Groundwork::of(&study).expect("a mechanism");
            let (allowance, interrupted) = (Allowance::of(&study, &known), AtomicBool::new(false));
            let open = study.method.open.expect("nothing is given");
            let found = Choice::new(&study, &known, open, &allowance, &interrupted);
            let found = found.and_then(Choice::made).map(|found| found.told);
            assert!(matches!(found, Err(RunError::Unserved(_))), "{name}: {:?}", found.ok());
            let (spent, all) = (allowance.spent(), allowance.all());
            assert!(spent <= 1.1 * all, "{name}: {spent:e} operations of {all:e}");
        }
    }

    #[test]
    fn a_stiff_method_is_chosen_alike_on_any_number_of_threads() {
        let mut study = open("rubber_hinge", &["method.duration=\"0.5 s\"", "ensemble.size=16"]);
        let found = [1, 2].map(|threads| {
            study.run.threads = Some(threads);
            chosen(&study, &AtomicBool::new(false)).expect("a method").study.method
        });
        assert_eq!(found[0].name, methods::STIFF.name);
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn a_gpu_gets_the_cheapest_precision_that_is_accurate_enough() {
        let tried = |settings: &[&str]| {
            let path = format!("{}/studies/spacecraft.toml", env!("CARGO_MANIFEST_DIR"));
            // Many short steps: rounding is what is left of the error.
            let common = [
                "method.name=\"staggered\"",
                "method.duration=\"10 s\"",
                "ensemble.size=64",
                "observe.every=\"1 s\"",
            ];
            let removed = KeySetting::removal("method").expect("a key");
            let set = common.iter().chain(settings).map(|setting| setting.parse().expect("a setting"));
            let all: Vec<KeySetting> = std::iter::once(removed).chain(set).collect();
            let study = read_study_with(Path::new(&path), &all).expect("a study");
            let chosen = chosen(&study, &AtomicBool::new(false)).expect("a method");
            println!("{:?}", chosen.told);
            let line = chosen.told.iter().find(|line| line.starts_with("precision: ")).cloned();
            (chosen.study.run.precision, line)
        };
        let on_gpu = "run.backend=\"gpu\"";
        for (accuracy, precision, told) in [
            ("method.accuracy=1e-2", Precision::F32, "the cheapest on a GPU, and accurate enough"),
            ("method.accuracy=1e-5", Precision::F32Compensated, "f32 leaves "),
            ("method.accuracy=1e-8", Precision::F64, ", f32_compensated leaves "),
        ] {
            let (found, line) = tried(&[on_gpu, accuracy]);
            assert_eq!(found, precision, "{accuracy}: {line:?}");
            let line = line.expect("it is said");
            let begins = format!("precision: {}, as none is named: ", precision.name());
            assert!(line.starts_with(&begins) && line.contains(told), "{line}");
        }
        // A CPU computes in f64, and a precision that is named is kept.
        let rough = "method.accuracy=1e-2";
        assert_eq!(tried(&[rough, "run.backend=\"cpu\""]), (Precision::F64, None));
        assert_eq!(tried(&[rough, on_gpu, "run.precision=\"f64\""]), (Precision::F64, None));
    }
}
