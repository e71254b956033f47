//! The refusals of the judge.

use crate::flexible::ModalError;

/// Why the judge says nothing of an instance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReferenceError {
    #[error("{quantity} is not finite")]
    NotFinite { quantity: &'static str },
    #[error("the number {number} is not finite")]
    NumberNotFinite { number: String },
    #[error("mass {mass} kg is not positive")]
    Mass { mass: f64 },
    #[error("the {matrix} matrix is not positive definite")]
    NotPositiveDefinite { matrix: &'static str },
    #[error("the inertia matrix is not symmetric")]
    Asymmetric,
    #[error("the attitude quaternion is zero")]
    ZeroAttitude,
    #[error(transparent)]
    Modal(#[from] ModalError),
    #[error("the instance does not have the numbers of each body")]
    BodyCount,
    #[error("the instance does not have all numbers of joints and forces")]
    NumberCount,
    #[error("{element}: its joint has no such coordinate")]
    NoCoordinate { element: String },

    #[error("the instance does not have one value for each piece of each load")]
    LoadValues,
    #[error("what is given of the start contradicts what holds the bodies")]
    Contradiction,

    #[error("there is no treatment `{name}`")]
    UnknownTreatment { name: &'static str },
    #[error("the reference has no treatment `{name}`")]
    NoTreatment { name: &'static str },
    #[error("the treatment {treatment} has no number {number}")]
    NoTreatmentNumber { treatment: &'static str, number: &'static str },
    #[error("the treatment penalty holds no locks")]
    PenaltyWithLocks,

    #[error("the reference has no method `{name}`")]
    NoMethod { name: String },
    #[error("the method {name} takes one body alone")]
    OneBodyAlone { name: String },
    #[error("the method {name} carries no multipliers")]
    NoMultipliers { name: String },
    #[error("impulse is trapezoidal or midpoint, not `{given}`")]
    Impulse { given: &'static str },
    #[error("update is cayley, cayley_phase_corrected or exponential, not `{given}`")]
    Update { given: &'static str },
    #[error("alpha {alpha}, beta {beta}, gamma {gamma}: beta must be positive")]
    Newmark { alpha: f64, beta: f64, gamma: f64 },
    #[error("step {step} s is not positive and finite")]
    Step { step: f64 },
    #[error("states cannot be kept every 0 steps")]
    NeverKept,

    #[error("output times must be finite, not negative and ascending")]
    Times,
    #[error("at {time} s an angle turns at {rate:e} rad/s, too fast to be followed to {end} s")]
    TooFast { time: f64, rate: f64, end: f64 },
    #[error("stretches of {stretch:e} s are too short to go on from {time} s")]
    TooShort { time: f64, stretch: f64 },
    #[error("at {time} s, after {integrations} integrations and {events} events, it was given up")]
    GivenUp { time: f64, integrations: u64, events: u64 },
    #[error("the time that it may take was over at {time} s")]
    OutOfTime { time: f64 },
    /// In the words of the integrator.
    #[error("between {from} s and {until} s: {why}")]
    Integrator { from: f64, until: f64, why: String },
    #[error("it ended early")]
    EndedEarly,
    #[error("no solution between {from} s and {until} s")]
    NoSolution { from: f64, until: f64 },

    #[error("the assembled start is not finite")]
    StartNotFinite,
    #[error("the rows of the joints are not finite at the start")]
    RowsNotFinite,
    #[error("the forces at the start are not finite")]
    ForcesNotFinite,
    #[error("the {matrix} could not be decomposed")]
    NotDecomposed { matrix: &'static str },

    #[error("the closed form needs three distinct positive moments")]
    Moments,
    #[error("the body turns steadily about a principal axis, or not at all")]
    SteadyTurn,
    #[error("the body moves on the separatrix")]
    Separatrix,
}
