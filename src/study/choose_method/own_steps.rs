//! Steps that every instance chooses for itself, where they are cheaper than the best step for all.
//!
//! The steps that were tried for all show how long a step each instance of the pilot bears. Where
//! these differ much, methods that can choose their steps are tried, by tolerances that follow from
//! the errors. The cost is exact: attempts of all instances of the pilot times the operations of
//! one, and what an attempt takes besides. Lanes of a group go as far as the slowest of them, and
//! those of like cost stand side by side: so the cost of an instance is that of the dearest of its
//! group.
//!
//! Outcomes are found between own steps, of which the study's step is the longest: where they err
//! and the motion does not, it is cut.

use super::candidate::{Candidate, candidates};
use super::choice::{
    Choice, MARGIN, OF_LEFT, SPENT, SURE, StepTrial, Tried, bounded_by_steps, hardest, keep_closest, most,
};
use crate::backend::cpu::tape::GROUP;
use crate::base::Setting;
use crate::describe::{ObservedChannel, RequestedAccuracy};
use crate::methods::own_steps::{KEY, RANGE};
use crate::observe::channels;
use crate::observe::channels::Registered;
use crate::study::converged::{CODE, ConvergedRun, Course, Ready};
use crate::study::run_error::RunError;

/// Steps of their own are tried where instances bear steps so much longer, that all together need
/// less than this share of the steps for all.
const DIFFERENT: f64 = 0.6;
/// They are taken where they cost less than this share of one step for all. Counted 0.67, bobs on
/// springs over six decades take 0.56 of the time; counted 0.77, a four-bar takes 0.91 to 0.98 of
/// it.
const WORTH: f64 = 0.7;
/// Tolerances that are tried of one method.
const MOST_TOLERANCES: usize = 12;
/// The study's step is cut into so many for outcomes, and cut or tightened no more where that
/// leaves more than this share of the error.
const CUT: u64 = 4;
const NO_GAIN: f64 = 0.7;
/// A tolerance is compared with one that is this multiple of it.
const TIGHTER: f64 = 0.03;

/// The best trials of own steps.
#[derive(Default)]
pub(super) struct OwnSurvey {
    /// The cheapest that serve.
    pub serving: Option<StepTrial>,
    /// The trial with the least error.
    pub closest: Option<StepTrial>,
}

/// Instances over steps of their own.
struct OwnTrial {
    course: Course,
    /// By instance: steps, and attempts that were none.
    attempts: Vec<f64>,
    /// Operations of an attempt with all that it takes besides, and of the projections from start
    /// to end.
    each: f64,
    restarts: f64,
}

impl OwnTrial {
    /// Operations an instance of an ensemble of this size.
    fn cost(&self, size: u64) -> f64 {
        self.each * grouped(&self.attempts, size) + self.restarts
    }
}

impl Choice<'_> {
    /// The best by steps of their own, where it costs less than the best of one step for all, which
    /// came after these longer ones; `None`: forces bend, and none is known.
    pub(super) fn by_own_steps(
        &self,
        best: Option<(&StepTrial, &[StepTrial])>,
    ) -> Result<OwnSurvey, RunError> {
        let study = self.study;
        let mut survey = OwnSurvey::default();
        let has_accuracy = matches!(study.method.accuracy, Some(RequestedAccuracy::Error(_)));
        let sampled = study.mechanism.sampled_signals().next().is_some();
        let serves = has_accuracy && self.open.step && !study.kind.card().wants_program && !sampled;
        if !serves || best.is_some_and(|(best, longer)| !self.differ(best, longer)) {
            return Ok(survey);
        }
        let dearest = best.map_or(f64::INFINITY, |(best, _)| WORTH * best.cost);
        for candidate in self.candidates_of_own_steps() {
            let limit = survey.serving.as_ref().map_or(dearest, |known| known.cost);
            self.by_tolerances(&candidate, limit, &mut survey)?;
        }
        Ok(survey)
    }

    /// Whether the longest steps that instances bear, of those tried, are so different that all
    /// together need far fewer.
    fn differ(&self, best: &StepTrial, longer: &[StepTrial]) -> bool {
        let wanted = self.wanted();
        let needed = |i: usize| {
            let serving = longer
                .iter()
                .filter(|step_trial| step_trial.by_instance[i] <= wanted)
                .map(|step_trial| step_trial.parts);
            serving.fold(best.parts, u64::min) as f64 / best.parts as f64
        };
        let shares: Vec<f64> = (0..best.by_instance.len()).map(needed).collect();
        grouped(&shares, self.truth.size) < DIFFERENT
    }

    /// The candidates that can choose their steps, joints projected at the end of every step of the
    /// study.
    fn candidates_of_own_steps(&self) -> Vec<Candidate> {
        let mut candidates = candidates(self.study, self.open);
        candidates.retain(|candidate| {
            candidate.card.keys.iter().any(|key| key.name == KEY.name)
                && candidate.options.get(KEY.name).is_none()
        });
        for candidate in &mut candidates {
            let projects = self.open.project && candidate.constraints.project > 0;
            if projects || !self.study.mechanism.locks.is_empty() {
                candidate.constraints.project = 1;
            }
        }
        candidates
    }

    /// The loosest tolerance that serves, of those that cost less than `limit`.
    fn by_tolerances(
        &self,
        candidate: &Candidate,
        limit: f64,
        survey: &mut OwnSurvey,
    ) -> Result<(), RunError> {
        let wanted = self.wanted();
        let instances = &self.truth.converged.course.instances;
        let mut has_served = false;
        // The tightest tolerance that did not serve, and what it left.
        let (mut failed, mut before) = (f64::INFINITY, f64::INFINITY);
        let (mut tolerance, mut parts, mut was_cut) = (rounded(wanted), 1, false);
        let mut opened = None;
        for _ in 0..MOST_TOLERANCES {
            let own = with_tolerance(candidate, tolerance);
            let most = OF_LEFT * self.allowance.left();
            let Some(tried) = self.own_trial(&own, parts, instances, &mut opened, most)? else { break };
            let cost = tried.cost(self.truth.size);
            let trial = self.judged(own, parts, &tried.course, cost);
            let error = trial.error;
            keep_closest(&mut survey.closest, &trial);
            let factor = if error.is_finite() { MARGIN * wanted / error } else { 0.0 };
            if error <= wanted {
                self.allowance.widen(cost);
                if cost <= limit {
                    survey.serving = Some(trial);
                }
                has_served = true;
                // A tolerance hardly looser gains nothing: steps are an eighth root of it, or a
                // fifth.
                if factor < 3.0 {
                    break;
                }
            } else if has_served || cost > limit {
                break;
            }
            let of_motion =
                self.truth.by_instance_of(&tried.course, |column| !column.channel.is_of_the_end());
            let is_of_outcomes = of_motion.into_iter().fold(0.0, f64::max) <= wanted && error > wanted;
            // A cut that has brought nothing is not repeated at once.
            if is_of_outcomes && !(was_cut && error > NO_GAIN * before) {
                (parts, was_cut, failed, before) = (CUT * parts, true, f64::INFINITY, error);
                continue;
            }
            let next = if error <= wanted {
                rounded(tolerance * factor.min(1e3))
            } else {
                failed = tolerance;
                rounded(tolerance * factor.clamp(1e-3, 0.5))
            };
            (was_cut, before) = (false, error);
            if next >= failed || next == tolerance {
                break;
            }
            tolerance = next;
        }
        Ok(())
    }

    /// Instances over steps of their own, by at most so many operations; `None`: interrupted, or
    /// steps too many to be counted. `opened`: nothing, or what was opened for these instances and
    /// another tolerance of the candidate.
    fn own_trial(
        &self,
        candidate: &Candidate,
        parts: u64,
        instances: &[u64],
        opened: &mut Option<Ready>,
        most: f64,
    ) -> Result<Option<OwnTrial>, RunError> {
        let Some(own) = candidate.of(self.study, parts).map(bounded_by_steps) else { return Ok(None) };
        let counts = [channels::OWN_STEPS, channels::REJECTED_STEPS];
        let mut channels = self.channels.clone();
        channels.retain(|observed| !counts.contains(&observed.channel));
        let first = channels.len();
        channels.extend(counts.map(ObservedChannel::from));
        let converged = ConvergedRun { channels: &channels, ..self.converged_run(instances) };
        let known = opened.take().and_then(|mut known| known.turned(&own).then_some(known));
        let ready = opened.insert(match known {
            Some(known) => known,
            None => {
                let ready = converged.ready(&own)?;
                self.allowance.spend(CODE * ready.of_a_step);
                ready
            }
        });
        let (each, often) = (ready.of_a_step, ready.plan.schedule.resynchronise);
        let restarts = ready.of_a_restart * own.method.steps.checked_div(often).unwrap_or(0) as f64;
        ready.most = most / each;
        let Some(course) = converged.run(ready)? else {
            // It would have taken more.
            self.allowance.spend(most);
            return Ok(None);
        };
        let width = course.columns.len();
        let attempts: Vec<f64> = match course.values.last() {
            Some(end) => {
                end[width - 2].iter().zip(&end[width - 1]).map(|(taken, none)| taken + none).collect()
            }
            None => return Ok(None),
        };
        self.allowance.spend(each * attempts.iter().sum::<f64>());
        let course = course.only(&own.mechanism, &channels, &channels[..first]);
        Ok(Some(OwnTrial { course, attempts, each, restarts }))
    }

    /// As `Choice::tried` of a candidate of own steps: with a tighter tolerance, or over shorter
    /// steps of the study, where instances beyond the pilot need it.
    pub(super) fn tried_by_tolerance(
        &self,
        given: StepTrial,
        share: f64,
        all: &[u64],
    ) -> Result<Tried, RunError> {
        let mut tried = Tried { error: given.error, best: given.clone(), why: String::new() };
        let mut at_given = None;
        let (mut before, mut was_cut, mut had_gained) = (f64::INFINITY, false, true);
        let mut instances = all.to_vec();
        let mut opened = None;
        for _ in 0..MOST_TOLERANCES {
            let best = &mut tried.best;
            let tolerance = best.candidate.options.number(KEY.name, RANGE.1);
            let tighter = with_tolerance(&best.candidate, (TIGHTER * tolerance).max(RANGE.0));
            let left = || 0.5 * self.allowance.left();
            let finer = 2 * best.parts;
            let Some(fine) = self.own_trial(&tighter, finer, &instances, &mut opened, left())? else { break };
            let (coarser, parts) = (&best.candidate, best.parts);
            let Some(coarse) = self.own_trial(coarser, parts, &instances, &mut opened, left())? else {
                break;
            };
            let changes = self.apart(&coarse.course, &fine.course, |_| true);
            let found = most(&changes);
            let gains = found <= NO_GAIN * before;
            if !gains && !had_gained {
                let why = self.left_by(&tried.best, found);
                return Ok(Tried { error: at_given.unwrap_or(found), best: given, why });
            }
            at_given = at_given.or(Some(found));
            tried.error = found;
            if found <= SURE * share {
                if instances.len() == all.len() {
                    return Ok(tried);
                }
                // With other steps others may be the hardest.
                (instances, opened, before, had_gained) = (all.to_vec(), None, f64::INFINITY, true);
                continue;
            }
            let motion =
                most(&self.apart(&coarse.course, &fine.course, |column| !column.channel.is_of_the_end()));
            // Where one of the two has brought nothing the other is tried.
            was_cut = if gains { motion <= SURE * share } else { !was_cut };
            if was_cut {
                best.parts *= CUT;
            } else {
                let worst = if motion <= SURE * share { found } else { motion };
                let factor = if worst.is_finite() { MARGIN * share / worst } else { 0.1 };
                best.candidate =
                    with_tolerance(&best.candidate, rounded(tolerance * factor.clamp(0.01, 0.5)));
            }
            (before, had_gained) = (found, gains);
            (instances, opened) = (hardest(&instances, &changes), None);
        }
        Ok(Tried { why: SPENT.to_string(), ..tried })
    }
}

/// The candidate with this tolerance.
fn with_tolerance(candidate: &Candidate, tolerance: f64) -> Candidate {
    let options = candidate.options.clone().with(KEY.name, Setting::Number(tolerance));
    Candidate { options, resynchronise: 0, ..candidate.clone() }
}

/// A tolerance that people can read, not above the number, within what the setting allows.
fn rounded(tolerance: f64) -> f64 {
    let within = tolerance.clamp(RANGE.0, RANGE.1);
    let power = within.log10().floor();
    let digit = (within / 10f64.powf(power) * (1.0 + 1e-9)).floor();
    format!("{digit}e{power}").parse().unwrap_or(within).max(RANGE.0)
}

/// The mean over an ensemble of this size of the dearest in each group of lanes, those of like cost
/// side by side, where the costs of a pilot are these.
fn grouped(costs: &[f64], size: u64) -> f64 {
    let mut costs = costs.to_vec();
    costs.sort_by(|a, b| b.total_cmp(a));
    let groups = size.div_ceil(GROUP as u64).clamp(1, costs.len().max(1) as u64) as usize;
    let dearest = |group: usize| costs.get(group * costs.len() / groups).copied().unwrap_or(0.0);
    (0..groups).map(dearest).sum::<f64>() / groups as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_costs_as_much_as_its_dearest() {
        let costs = [1.0, 8.0, 2.0, 4.0];
        assert_eq!(grouped(&costs, 1), 8.0);
        assert_eq!(grouped(&costs, 2 * GROUP as u64), (8.0 + 2.0) / 2.0);
        assert_eq!(grouped(&costs, 1000 * GROUP as u64), 15.0 / 4.0);
    }

    #[test]
    fn tolerances_are_readable_and_allowed() {
        assert_eq!([3.7e-7, 1e-9, 9.99e-4, 1e-20, 1.0].map(rounded), [3e-7, 1e-9, 9e-4, 1e-13, 1e-2]);
    }
}
