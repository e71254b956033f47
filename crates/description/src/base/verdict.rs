//! The end of an instance: data stored with it, never a lost process.

use serde::{Deserialize, Serialize};

/// The end of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub enum Verdict {
    /// Reached the last step.
    Finished,
    /// A state channel became NaN or larger than
    /// [`Element::LARGEST`](crate::real::Element::LARGEST); a beam element was turned beyond [its
    /// largest turn](crate::describe::BeamElement::LARGEST_TURN).
    NonFinite,
    /// The energy bound was passed.
    EnergyBound,
    /// The quaternion norm bound was passed.
    NormBound,
    /// The drawn parameters describe no body (mass or a principal moment not positive, a value not
    /// finite).
    InvalidSample,
    /// The run was interrupted before its last step.
    Interrupted,
    /// The bound on the constraints' violation was passed.
    ConstraintBound,
    /// A method that chooses its steps did not reach the end of a step within its tolerances.
    StepTooSmall,
    /// A method that iterates did not solve a step within its greatest number of iterations.
    NotConverged,
    /// A condition held at which the study ends an instance: by its number among those of the
    /// study, below [`Verdict::MOST_CONDITIONS`].
    Condition(u8),
}

impl Verdict {
    /// A study has no more conditions than this.
    pub const MOST_CONDITIONS: usize = 16;

    /// Number of verdicts that are no conditions.
    const BESIDE_CONDITIONS: usize = 9;

    /// All, in the order of their [codes](Verdict::code).
    pub const ALL: [Verdict; Verdict::BESIDE_CONDITIONS + Verdict::MOST_CONDITIONS] = {
        let mut all = [Verdict::Finished; Verdict::BESIDE_CONDITIONS + Verdict::MOST_CONDITIONS];
        all[1] = Verdict::NonFinite;
        all[2] = Verdict::EnergyBound;
        all[3] = Verdict::NormBound;
        all[4] = Verdict::InvalidSample;
        all[5] = Verdict::Interrupted;
        all[6] = Verdict::ConstraintBound;
        all[7] = Verdict::StepTooSmall;
        all[8] = Verdict::NotConverged;
        let mut number = 0;
        while number < Verdict::MOST_CONDITIONS {
            all[Verdict::BESIDE_CONDITIONS + number] = Verdict::Condition(number as u8);
            number += 1;
        }
        all
    };

    /// Its number in kernels and files of a run under way.
    pub const fn code(self) -> u32 {
        match self {
            Verdict::Finished => 0,
            Verdict::NonFinite => 1,
            Verdict::EnergyBound => 2,
            Verdict::NormBound => 3,
            Verdict::InvalidSample => 4,
            Verdict::Interrupted => 5,
            Verdict::ConstraintBound => 6,
            Verdict::StepTooSmall => 7,
            Verdict::NotConverged => 8,
            Verdict::Condition(number) => Verdict::BESIDE_CONDITIONS as u32 + number as u32,
        }
    }

    /// The verdict with this code; `None`: there is none.
    pub fn of_code(code: u32) -> Option<Verdict> {
        Verdict::ALL.get(code as usize).copied()
    }

    /// Its name in files and messages, where no condition has a name of its own ([`VerdictNames`]).
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Finished => "finished",
            Verdict::NonFinite => "non_finite",
            Verdict::EnergyBound => "energy_bound",
            Verdict::NormBound => "norm_bound",
            Verdict::InvalidSample => "invalid_sample",
            Verdict::Interrupted => "interrupted",
            Verdict::ConstraintBound => "constraint_bound",
            Verdict::StepTooSmall => "step_too_small",
            Verdict::NotConverged => "not_converged",
            Verdict::Condition(_) => "condition",
        }
    }

    /// True for the name of a failure. A study's own names are those of its conditions, which are
    /// none.
    pub fn names_failure(name: &str) -> bool {
        let known = Verdict::ALL.into_iter().find(|known| known.name() == name);
        known.is_some_and(|known| known != Verdict::Finished && !known.is_condition())
    }

    /// Whether it is a condition of the study, which is no failure.
    pub fn is_condition(self) -> bool {
        matches!(self, Verdict::Condition(_))
    }
}

/// Its code, as states of runs have it.
impl From<Verdict> for u32 {
    fn from(verdict: Verdict) -> u32 {
        verdict.code()
    }
}

impl TryFrom<u32> for Verdict {
    type Error = &'static str;

    fn try_from(code: u32) -> Result<Verdict, &'static str> {
        Verdict::of_code(code).ok_or("no such verdict")
    }
}

/// The names that the verdicts of a study have in files and messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictNames {
    /// The names of its conditions, by number.
    pub conditions: Vec<String>,
    /// By condition: it is looked at once, after the last step.
    pub at_end: Vec<bool>,
}

impl VerdictNames {
    /// The name of a verdict of the study.
    pub fn of(&self, verdict: Verdict) -> &str {
        match verdict {
            Verdict::Condition(number) => {
                self.conditions.get(usize::from(number)).map_or(verdict.name(), String::as_str)
            }
            other => other.name(),
        }
    }

    /// Whether an instance with this verdict has its whole motion.
    pub fn is_whole(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Finished => true,
            Verdict::Condition(number) => self.at_end.get(usize::from(number)) == Some(&true),
            _ => false,
        }
    }

    /// The names of verdicts whose instances have [their whole motion](Self::is_whole).
    pub fn whole(&self) -> Vec<&str> {
        self.all().filter(|verdict| self.is_whole(*verdict)).map(|verdict| self.of(verdict)).collect()
    }

    /// All verdicts that instances of the study can have.
    pub fn all(&self) -> impl Iterator<Item = Verdict> + use<> {
        let conditions = self.conditions.len().max(1);
        Verdict::ALL.into_iter().take(Verdict::BESIDE_CONDITIONS + conditions)
    }

    /// The verdict of this name.
    pub fn find(&self, name: &str) -> Option<Verdict> {
        self.all().find(|verdict| self.of(*verdict) == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places_and_names_are_those_of_the_study() {
        for (place, verdict) in Verdict::ALL.into_iter().enumerate() {
            assert_eq!(verdict.code() as usize, place);
            assert_eq!(Verdict::of_code(place as u32), Some(verdict));
        }
        assert_eq!(Verdict::of_code(Verdict::ALL.len() as u32), None);
        let names = VerdictNames {
            conditions: vec!["toppled".to_string(), "escaped".to_string()],
            at_end: vec![false, true],
        };
        assert_eq!(names.find("escaped"), Some(Verdict::Condition(1)));
        assert_eq!((names.find("condition"), names.find("finished")), (None, Some(Verdict::Finished)));
        assert_eq!(names.all().count(), 11);
        assert_eq!(names.whole(), ["finished", "escaped"]);
        assert_eq!(VerdictNames::default().find("condition"), Some(Verdict::Condition(0)));
    }
}
