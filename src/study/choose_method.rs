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
mod candidate;
mod choice;
mod own_steps;
mod sentences;
mod truth;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use self::allowance::Allowance;
use self::candidate::{Candidate, candidates, defaults, takes_bdf};
use self::choice::{
    Choice, CompiledCandidate, MARGIN, PILOT, SPENT, SURE, StepTrial, Tried, WIDER, hardest, keep_closest,
    most,
};
use self::own_steps::OwnSurvey;
use self::sentences::{precision_told, time};
use super::converged::{ConvergedRun, Groundwork, bends, operations_of_a_step};
use super::planned_run::{on_threads, planned};
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::base::{Options, Precision, Setting, significant};
use crate::describe::{BackendChoice, Constraints, RequestedAccuracy, Study, TimeIntegration};
use crate::methods::{self, Adaptive};
use crate::observe::channels::Registered;
use crate::treatments;

/// Instances that the chosen step is tried on at the end: those among which the run looks for its
/// largest errors.
const TRIED: usize = 1024;
/// Steps that are tried on them.
const MOST_TRIED: usize = 8;
/// No method is tried with more steps than these, of one method.
const MOST_TRIALS: usize = 24;
/// The last step is known to this ratio.
const REFINED: f64 = 1.1;
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

/// The explicit candidates, tried on the pilot.
struct Surveyed {
    /// The best trial of each candidate that serves, and the longer steps that were tried.
    serving: Vec<(StepTrial, Vec<StepTrial>)>,
    /// The trial with the least error of all.
    closest: Option<StepTrial>,
}

impl Choice<'_> {
    /// The best rung of each explicit candidate that serves, and the longer steps that were tried;
    /// and of all the least error.
    fn surveyed(&self) -> Result<Surveyed, RunError> {
        let mut serving: Vec<(StepTrial, Vec<StepTrial>)> = Vec::new();
        let mut closest: Option<StepTrial> = None;
        let candidates = if self.allowance.stiff { Vec::new() } else { candidates(self.study, self.open) };
        for candidate in candidates {
            let least = serving.iter().map(|(step_trial, _)| step_trial.cost).fold(f64::INFINITY, f64::min);
            let mut trial =
                match CompiledCandidate::new(self, &candidate, &self.truth.converged.course.instances) {
                    Ok(trial) => trial,
                    // Another method may yet hold the mechanism.
                    Err(RunError::NoMechanism(_) | RunError::Unserved(_)) => continue,
                    Err(other) => return Err(other),
                };
            let climbed = self.climb(&mut trial, WIDER * least)?;
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            climbed.iter().for_each(|step_trial| keep_closest(&mut closest, step_trial));
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
        if let Some(own) = &of_own.closest {
            keep_closest(&mut closest, own);
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
            keep_closest(&mut closest, step_trial);
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
        match self.step_trial(&mut CompiledCandidate::new(self, &best.candidate, instances)?, best.parts)? {
            Some(step_trial) if step_trial.error <= self.wanted() => self.tried(step_trial).map(Some),
            step_trial => {
                let tried = |best: StepTrial| Tried { error: best.error, best, why: String::new() };
                Ok(step_trial.map(tried))
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
        let best = tried.best;
        let is_shortened = best.parts > measured.parts && best.candidate.tolerance().is_none();
        let mut sentences = vec![match is_shortened {
            // The pilot was measured over its own step.
            true => {
                self.sentence(&StepTrial { parts: measured.parts, ..best.clone() }, next, (best.error, ""))
            }
            false => self.sentence(&best, next, (tried.error, &tried.why)),
        }];
        if best.candidate.tolerance() < measured.candidate.tolerance() {
            let before = measured.candidate.tolerance().unwrap_or_default();
            sentences.push(format!("method: tightened from {} by a second look", significant(before, 1)));
        }
        if is_shortened {
            let why = match self.study.method.accuracy {
                _ if tried.why.is_empty() => String::new(),
                // They serve, and the others were not tried over this step.
                Some(RequestedAccuracy::Error(share)) if tried.error <= SURE * share => {
                    " that err most".to_string()
                }
                _ => format!(", {}", tried.why),
            };
            sentences.push(format!(
                "method: shortened to {} for instances beyond the pilot: error {} on those{why}",
                time(self.study.method.step / best.parts as f64),
                significant(tried.error, 2)
            ));
        }
        sentences.extend(self.limits());
        Ok(ChosenMethod { study: self.resolved(&best)?, told: sentences })
    }

    /// By what rungs that serve are compared: the less the better.
    fn preferred(&self, step_trial: &StepTrial) -> f64 {
        if self.open.step { step_trial.cost } else { step_trial.error }
    }

    /// Steps of a candidate, shorter and shorter until one serves, and then the longest that
    /// serves. None costs more than `limit`.
    fn climb(&self, trial: &mut CompiledCandidate<'_>, limit: f64) -> Result<Vec<StepTrial>, RunError> {
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
            // Own steps change as soon as those of the study are shorter.
            let floor = trial.candidate.tolerance().is_none()
                && slope.is_some_and(|slope| slope < 0.1 && error < 1e-2);
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
        trial: &mut CompiledCandidate<'_>,
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

    fn step_trial(
        &self,
        trial: &mut CompiledCandidate<'_>,
        parts: u64,
    ) -> Result<Option<StepTrial>, RunError> {
        let candidate = trial.candidate.clone();
        let all: Vec<usize> = (0..trial.instances.len()).collect();
        let course = trial.course(parts, &all)?;
        Ok(course.map(|course| self.judged(candidate, parts, &course, trial.cost(parts))))
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
            keep_closest(&mut closest, &trial);
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
        let of_pilot = |best: StepTrial| Tried { error: best.error, best, why: String::new() };
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
        let mut trial = CompiledCandidate::new(self, &given.candidate, &instances)?;
        let order = given.candidate.order();
        let mut places: Vec<usize> = (0..instances.len()).collect();
        let mut tried = of_pilot(given.clone());
        // The error of the given step, and of the last one, in so many parts.
        let mut at_given = None;
        let (mut before, mut coarser) = (f64::INFINITY, given.parts);
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
            let least_fall = (parts as f64 / coarser as f64).powf(0.5 * order).min(2.0);
            if found.is_finite() && found * least_fall > before {
                // Instances that no step of this method brings so far: chaotic, or not smooth.
                let why = self.left_by(&tried.best, found);
                return Ok(Tried { error: at_given.unwrap_or(found), best: given, why });
            }
            at_given = at_given.or(Some(found));
            (tried.error, before, coarser) = (found, found, parts);
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
        Ok(Tried { why: SPENT.to_string(), ..tried })
    }

    fn resolved(&self, step_trial: &StepTrial) -> Result<Study, RunError> {
        let study = step_trial.candidate.of(self.study, step_trial.parts);
        Ok(study.ok_or(Unserved::TooManyStepsChosen)?)
    }
}

/// Precisions that are tried where none is named and a GPU computes, cheapest first: f64 takes a
/// GPU 2 to 64 times as long as f32. On a CPU it takes twice as long, and leaves rounding out of
/// every question.
const CHEAPER: [Precision; 2] = [Precision::F32, Precision::F32Compensated];

/// Whether steps twice as long as the best were not stable: the error they have is none that falls
/// with the step.
fn is_held_short(best: Option<&StepTrial>, longer: &[StepTrial], wanted: f64) -> bool {
    let Some(best) = best else { return true };
    let fails = |step_trial: &StepTrial| {
        3 * step_trial.parts >= best.parts && (step_trial.error.is_nan() || step_trial.error > 1.0)
    };
    longer.iter().any(fails) && best.error < 0.5 * wanted
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

    /// Steps that follow a tolerance do not change until those of the study are shorter still.
    #[test]
    fn steps_are_cut_until_they_bind_own_ones() {
        let of_method = ["method.name=\"dop853\"", "method.tolerance=1e-7", "method.duration=\"2 s\""];
        let others = ["method.accuracy=1e-9", "constraints.treatment=\"exact\"", "observe.every=\"1 s\""];
        let settings = [&of_method[..], &others, &["ensemble.size=2"]].concat();
        let study = open("double_pendulum", &settings);
        let found = chosen(&study, &AtomicBool::new(false)).map(|found| found.study.method.step);
        assert!(found.as_ref().is_ok_and(|step| *step < 0.2), "{found:?}");
    }

    #[test]
    fn what_was_not_tried_or_is_given_is_said() {
        let of_method = ["method.name=\"dop853\"", "method.tolerance=1e-4", "method.duration=\"1 s\""];
        let settings = [&of_method[..], &["method.accuracy=1e-6", "ensemble.size=2"]].concat();
        let found = chosen(&open("rubber_hinge", &settings), &AtomicBool::new(false));
        let said = found.err().expect("no step was tried").to_string();
        assert!(said.contains(": explicit steps that are stable are too many to be tried; "), "{said}");
        assert!(said.ends_with("or give a smaller method.tolerance"), "{said}");
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
