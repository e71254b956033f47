//! How an instance ended: data stored with it, never a lost process.

use serde::Serialize;

/// The end of one instance. The numbers are the codes in kernels and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Verdict {
    /// Reached the last step.
    Finished = 0,
    /// A state channel became NaN or larger than [`Element::LARGEST`](crate::real::Element::LARGEST); a beam element was turned beyond [its largest turn](crate::describe::BeamElement::LARGEST_TURN).
    NonFinite = 1,
    /// The energy bound was passed.
    EnergyBound = 2,
    /// The quaternion norm bound was passed.
    NormBound = 3,
    /// The drawn parameters describe no body (mass or a principal moment not positive, a value not finite).
    InvalidSample = 4,
    /// The run was interrupted before its last step.
    Interrupted = 5,
    /// The bound on the constraints' violation was passed.
    ConstraintBound = 6,
    /// A method that chooses its steps did not reach the end of a step within its tolerances.
    StepTooSmall = 7,
    /// The condition held at which the study ends an instance.
    Condition = 8,
}

impl Verdict {
    pub const ALL: [Verdict; 9] = [
        Verdict::Finished,
        Verdict::NonFinite,
        Verdict::EnergyBound,
        Verdict::NormBound,
        Verdict::InvalidSample,
        Verdict::Interrupted,
        Verdict::ConstraintBound,
        Verdict::StepTooSmall,
        Verdict::Condition,
    ];

    /// The name in files and messages.
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
            Verdict::Condition => "condition",
        }
    }
}
