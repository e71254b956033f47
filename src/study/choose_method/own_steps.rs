//! Steps that every instance chooses for itself, where they are cheaper than the best step for all.
//!
//! The steps that were tried for all show how long a step each instance of the pilot bears. Where these differ much, methods that can choose
//! their steps are tried, by tolerances that follow from the errors. The cost is exact: attempts of all instances of the pilot times the
//! operations of one, and what an attempt takes besides. Lanes of a group go as far as the slowest of them, and those of like cost stand
//! side by side: so the cost of an instance is that of the dearest of its group.

use super::{
    CODE, Candidate, Choice, Course, MARGIN, OF_LEFT, RequestedAccuracy, RunError, StepTrial, unbounded,
};
use crate::backend::cpu::tape::GROUP;
use crate::backend::program::Program;
use crate::base::Setting;
use crate::describe::{Channel, ObservedChannel};
use crate::methods::own_steps::{KEY, RANGE};
use crate::study::converged::{ConvergedRun, MOVED};

/// Steps of their own are tried where instances bear steps so much longer, that all together need less than this share of the steps for all.
const DIFFERENT: f64 = 0.6;
/// They are taken where they cost less than this share of one step for all. Counted 0.67, bobs on springs over six decades take 0.56 of the time;
/// counted 0.77, a four-bar takes 0.91 to 0.98 of it.
const WORTH: f64 = 0.7;
/// Tolerances that are tried of one method.
const MOST_TOLERANCES: usize = 8;
/// How much tighter the tolerance is that another is compared with.
const TIGHTER: f64 = 0.03;

/// Instances over steps of their own.
struct OwnTrial {
    course: Course,
    /// By instance: steps, and attempts that were none.
    attempts: Vec<f64>,
    /// Operations of an attempt with all that it takes besides, and of the projections from start to end.
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
    /// The best by steps of their own, where it costs less than the best of one step for all, which came
    /// after these longer ones; `None`: forces bend, and none is known.
    pub(super) fn by_own_steps(
        &self,
        best: Option<(&StepTrial, &[StepTrial])>,
    ) -> Result<Option<StepTrial>, RunError> {
        let study = self.study;
        let asked = matches!(study.method.accuracy, Some(RequestedAccuracy::Error(_)));
        let sampled = study.mechanism.sampled_signals().next().is_some();
        let serves = asked && self.open.step && !study.kind.card().wants_program && !sampled;
        if !serves || best.is_some_and(|(best, longer)| !self.differ(best, longer)) {
            return Ok(None);
        }
        let dearest = best.map_or(f64::INFINITY, |(best, _)| WORTH * best.cost);
        let mut cheapest: Option<StepTrial> = None;
        for candidate in self.candidates_of_own_steps() {
            let limit = cheapest.as_ref().map_or(dearest, |known| known.cost);
            if let Some(found) = self.by_tolerances(&candidate, limit)? {
                cheapest = Some(found);
            }
        }
        Ok(cheapest)
    }

    /// Whether the longest steps that instances bear, of those tried, are so different that all together need far fewer.
    fn differ(&self, best: &StepTrial, longer: &[StepTrial]) -> bool {
        let wanted = self.wanted();
        let needed = |i: usize| {
            let serving = longer.iter().filter(|rung| rung.by_instance[i] <= wanted).map(|rung| rung.parts);
            serving.fold(best.parts, u64::min) as f64 / best.parts as f64
        };
        let shares: Vec<f64> = (0..best.by_instance.len()).map(needed).collect();
        grouped(&shares, self.truth.size) < DIFFERENT
    }

    /// The candidates that can choose their steps, joints projected at the end of every step of the study.
    fn candidates_of_own_steps(&self) -> Vec<Candidate> {
        let mut candidates = self.candidates();
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
    fn by_tolerances(&self, candidate: &Candidate, limit: f64) -> Result<Option<StepTrial>, RunError> {
        let wanted = self.wanted();
        let instances = &self.truth.converged.course.instances;
        let mut best: Option<StepTrial> = None;
        // The tightest tolerance that did not serve.
        let mut failed = f64::INFINITY;
        let mut tolerance = rounded(wanted);
        for _ in 0..MOST_TOLERANCES {
            let own = with_tolerance(candidate, tolerance);
            let Some(tried) = self.own_trial(&own, instances, OF_LEFT * self.allowance.left())? else {
                break;
            };
            let cost = tried.cost(self.truth.size);
            let rung = self.judged(own, 1, &tried.course, cost);
            let error = rung.error;
            let factor = if error.is_finite() { MARGIN * wanted / error } else { 0.0 };
            let next = if error <= wanted {
                self.allowance.widen(cost);
                if cost <= limit {
                    best = Some(rung);
                }
                // A tolerance hardly looser gains nothing: steps are an eighth root of it, or a fifth.
                if factor < 3.0 {
                    break;
                }
                rounded(tolerance * factor.min(1e3))
            } else {
                failed = tolerance;
                if best.is_some() || cost > limit {
                    break;
                }
                rounded(tolerance * factor.clamp(1e-3, 0.5))
            };
            if next >= failed || next == tolerance {
                break;
            }
            tolerance = next;
        }
        Ok(best)
    }

    /// Instances over steps of their own, by at most so many operations; `None`: interrupted, or steps too
    /// many to be counted.
    fn own_trial(
        &self,
        candidate: &Candidate,
        instances: &[u64],
        most: f64,
    ) -> Result<Option<OwnTrial>, RunError> {
        let Some(own) = candidate.of(self.study, 1).map(unbounded) else { return Ok(None) };
        let counts = [Channel::OWN_STEPS, Channel::REJECTED_STEPS];
        let mut channels = self.channels.clone();
        channels.retain(|seen| !counts.contains(&seen.channel));
        let first = channels.len();
        channels.extend(counts.map(ObservedChannel::from));
        let followed = ConvergedRun { channels: &channels, ..self.followed(instances) };
        let mut ready = followed.ready(&own)?;
        let program = Program::new(&ready.plan, own.run.precision);
        let operations = |updates| program.operations(updates).total() as f64;
        let each = operations(&program.step) + MOVED * program.state.len() as f64;
        let restarts = match ready.plan.schedule.resynchronise {
            0 => 0.0,
            often => program.restart(&program.resynchronised) as f64 * (own.method.steps / often) as f64,
        };
        self.allowance.spend(CODE * each);
        ready.most = most / each;
        let Some(course) = followed.run(&mut ready)? else {
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

    /// As [`Choice::tried`] of a candidate of own steps: with a tighter tolerance where instances beyond the pilot need it, and the largest
    /// error found.
    pub(super) fn tried_by_tolerance(
        &self,
        mut best: StepTrial,
        share: f64,
        instances: &[u64],
    ) -> Result<(StepTrial, f64), RunError> {
        let mut largest = best.error;
        for _ in 0..4 {
            let tolerance = best.candidate.options.number(KEY.name, RANGE.1);
            let tighter = with_tolerance(&best.candidate, (TIGHTER * tolerance).max(RANGE.0));
            let Some(coarse) = self.own_trial(&best.candidate, instances, self.allowance.left())? else {
                break;
            };
            let Some(fine) = self.own_trial(&tighter, instances, self.allowance.left())? else { break };
            let found = self.apart(&coarse.course, &fine.course);
            let helps = found < 0.7 * largest || largest == best.error;
            largest = found;
            if largest <= share || !helps {
                break;
            }
            let factor = if largest.is_finite() { MARGIN * share / largest } else { 0.1 };
            best.candidate = with_tolerance(&best.candidate, rounded(tolerance * factor.clamp(0.01, 0.5)));
        }
        Ok((best, largest))
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

/// The mean over an ensemble of this size of the dearest in each group of lanes, those of like cost side by side, where the costs of a pilot are
/// these.
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
