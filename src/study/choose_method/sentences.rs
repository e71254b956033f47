//! A choice, in sentences.

use super::choice::{Choice, StepTrial, WIDER};
use crate::base::{Precision, rounded, significant};
use crate::describe::RequestedAccuracy;
use crate::methods::{Adaptive, own_steps};
use crate::study::converged::bends;
use crate::study::run_error::RunError;
use crate::study::unserved::Unserved;

impl Choice<'_> {
    pub(super) fn sentence(
        &self,
        step_trial: &StepTrial,
        next: Option<&StepTrial>,
        (error, why): (f64, &str),
    ) -> String {
        let study = self.study;
        let is_constrained = study.mechanism.is_held();
        let adaptive = Adaptive::new(step_trial.candidate.card.name, &step_trial.candidate.options).is_some();
        let how = self.steps_of(step_trial);
        let count = match self.truth.converged.course.instances.len() {
            1 => "1 instance".to_string(),
            count => format!("{count} instances"),
        };
        let found = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => {
                let beyond = match error > share {
                    true => format!(", and up to {} on others, {why}", significant(error, 2)),
                    false => String::new(),
                };
                // Nothing is known to be off by less than what it is compared with.
                let measured = match step_trial.error > self.truth.own() {
                    true => significant(step_trial.error, 2),
                    false => format!("at most {}", significant(self.truth.own(), 2)),
                };
                format!("error {measured} of {} asked on {count}{beyond}", significant(share, 6))
            }
            Some(RequestedAccuracy::Statistical) => {
                format!("{}, a tenth of which is allowed", step_trial.worst)
            }
            None => format!("error {} on {count}", significant(error, 2)),
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
    pub(super) fn steps_of(&self, step_trial: &StepTrial) -> String {
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

    /// The error that shorter steps leave on instances beyond the pilot, in words.
    pub(super) fn left_by(&self, shorter: &StepTrial, error: f64) -> String {
        format!("of which {} leaves {}", self.steps_of(shorter), significant(error, 2))
    }

    /// Returns a line on the motion that the choice does not cover; `None`: the accurate solution
    /// is trusted to the end.
    pub(super) fn limits(&self) -> Option<String> {
        let course = &self.truth.converged.course;
        let last = *course.times.get(self.truth.trusted - 1)?;
        (self.truth.trusted < course.times.len()).then(|| {
            format!(
                "method: chosen by the motion up to {} s, after which no instance is known so accurately (it \
                 is chaotic, or not smooth)",
                significant(last, 6)
            )
        })
    }

    pub(super) fn unreached(&self, closest: Option<&StepTrial>) -> RunError {
        let study = self.study;
        let requested = match study.method.accuracy {
            Some(RequestedAccuracy::Error(share)) => format!("an accuracy of {} is", significant(share, 6)),
            Some(RequestedAccuracy::Statistical) => "an accuracy \"statistical\" is".to_string(),
            None => "the end is".to_string(),
        };
        let precision = study.run.precision;
        let in_double = if precision.is_single() { "use precision = \"f64\", " } else { "" };
        let given = match own_steps::tolerance(&study.method.options) {
            Some(_) => "a smaller method.tolerance",
            None => "[method] name and step",
        };
        let advice = format!("{in_double}ask for less, or give {given}");
        let how = |step_trial: &StepTrial| {
            let method = step_trial.candidate.sentence(study.mechanism.is_held());
            format!("{method}, {}", self.steps_of(step_trial))
        };
        let reached = match closest {
            None if self.allowance.stiff => {
                "explicit steps that are stable are too many to be tried".to_string()
            }
            None => "no method that takes the mechanism keeps the instances finite".to_string(),
            Some(step_trial) if step_trial.error.is_finite() => format!(
                "the least error is {} ({}), by {}",
                significant(step_trial.error, 2),
                step_trial.worst,
                how(step_trial)
            ),
            Some(step_trial) => {
                let worst = match step_trial.worst.is_empty() {
                    true => "an instance stops short",
                    false => &step_trial.worst,
                };
                format!("no method that was tried keeps all instances whole: by {}, {worst}", how(step_trial))
            }
        };
        Unserved::NotReached { requested, precision: precision.name(), reached, advice }.into()
    }
}

/// Says which precision was chosen, and by how much cheaper ones are off.
pub(super) fn precision_told(chosen: Precision, failed: &[(Precision, String)]) -> String {
    let off: Vec<String> =
        failed.iter().map(|(precision, error)| format!("{} leaves {error}", precision.name())).collect();
    let why = match off.is_empty() {
        true => "the cheapest on a GPU, and accurate enough".to_string(),
        false => off.join(", "),
    };
    format!("precision: {}, as none is named: {why}", chosen.name())
}

/// A time in the unit that suits it.
pub(super) fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "us"),
    };
    format!("{} {unit}", rounded(value, 4))
}
