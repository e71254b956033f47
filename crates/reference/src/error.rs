//! The refusals of the judge.

use polhode_description::base::significant;
use polhode_description::describe::NotMade;
use polhode_description::flexible::ModalError;

/// Why the judge says nothing of an instance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// `quantity` is not finite.
    #[error("{quantity} is not finite")]
    NotFinite { quantity: &'static str },
    /// The number `number` is not finite.
    #[error("the number {number} is not finite")]
    NumberNotFinite { number: String },
    /// With its constants the mechanism is none.
    #[error("with the constants of the instance there is no such mechanism: {why}")]
    NoMechanism { why: NotMade },
    /// Mass `mass` kg is not positive.
    #[error("mass {mass} kg is not positive")]
    Mass { mass: f64 },
    /// The `matrix` matrix is not positive definite.
    #[error("the {matrix} matrix is not positive definite")]
    NotPositiveDefinite { matrix: &'static str },
    /// The inertia matrix is not symmetric.
    #[error("the inertia matrix is not symmetric")]
    Asymmetric,
    /// The attitude quaternion is zero.
    #[error("the attitude quaternion is zero")]
    ZeroAttitude,
    /// The modal data of a body are wrong.
    #[error(transparent)]
    Modal(#[from] ModalError),
    /// The instance does not have the numbers of each body.
    #[error("the instance does not have the numbers of each body")]
    BodyCount,
    /// The instance does not have all numbers of joints and forces.
    #[error("the instance does not have all numbers of joints and forces")]
    NumberCount,
    /// `element`: its joint has no such coordinate.
    #[error("{element}: its joint has no such coordinate")]
    NoCoordinate { element: String },
    /// `element`: joints of kind `kind` have no twin.
    #[error("{element}: joints of kind {kind} have no twin")]
    NoJointTwin { element: String, kind: &'static str },
    /// `element`: forces of kind `kind` have no twin.
    #[error("{element}: forces of kind {kind} have no twin")]
    NoForceTwin { element: String, kind: &'static str },
    /// `element`: contacts of kind `kind` have no twin.
    #[error("{element}: contacts of kind {kind} have no twin")]
    NoContactTwin { element: String, kind: &'static str },
    /// `element`: generators of `kind` have no twin.
    #[error("{element}: generators of `{kind}` have no twin")]
    NoGeneratorTwin { element: String, kind: &'static str },

    /// The instance does not have one value for each piece of each load.
    #[error("the instance does not have one value for each piece of each load")]
    LoadValues,
    /// The values given for the start contradict the constraints.
    #[error("what is given of the start contradicts what holds the bodies")]
    Contradiction,

    /// There is no treatment `name`.
    #[error("there is no treatment `{name}`")]
    UnknownTreatment { name: &'static str },
    /// The reference has no treatment `name`.
    #[error("the reference has no treatment `{name}`")]
    NoTreatment { name: &'static str },
    /// The treatment `treatment` has no number `number`.
    #[error("the treatment {treatment} has no number {number}")]
    NoTreatmentNumber { treatment: &'static str, number: &'static str },
    /// The treatment penalty holds no locks.
    #[error("the treatment penalty holds no locks")]
    PenaltyWithLocks,
    /// Locks are looked at when a step of the study ends, not when an own step does.
    #[error("steps of their own hold no locks in the reference")]
    OwnStepsWithLocks,

    /// The reference has no method `name`.
    #[error("the reference has no method `{name}`")]
    NoMethod { name: String },
    /// The method `name` takes one body alone.
    #[error("the method {name} takes one body alone")]
    OneBodyAlone { name: String },
    /// The method `name` carries no multipliers.
    #[error("the method {name} carries no multipliers")]
    NoMultipliers { name: String },
    /// Impulse is trapezoidal or midpoint, not `given`.
    #[error("impulse is trapezoidal or midpoint, not `{given}`")]
    Impulse { given: &'static str },
    /// Loads are taken by mean or instant, not `given`.
    #[error("loads are taken by mean or instant, not `{given}`")]
    Loads { given: &'static str },
    /// Update is cayley, cayley_phase_corrected or exponential, not `given`.
    #[error("update is cayley, cayley_phase_corrected or exponential, not `{given}`")]
    Update { given: &'static str },
    /// Alpha `alpha`, beta `beta`, gamma `gamma`: beta must be positive.
    #[error("alpha {alpha}, beta {beta}, gamma {gamma}: beta must be positive")]
    Newmark { alpha: f64, beta: f64, gamma: f64 },
    /// Step `step` s is not positive and finite.
    #[error("step {step} s is not positive and finite")]
    Step { step: f64 },
    /// States cannot be kept every 0 steps.
    #[error("states cannot be kept every 0 steps")]
    NeverKept,

    /// Output times must be finite, not negative and ascending.
    #[error("output times must be finite, not negative and ascending")]
    Times,
    /// At `time` s an angle turns at `rate` rad/s, too fast to be followed to `end` s.
    #[error("at {time} s an angle turns at {rate:e} rad/s, too fast to be followed to {end} s")]
    TooFast { time: f64, rate: f64, end: f64 },
    /// Stretches of `stretch` s are too short to go on from `time` s.
    #[error("stretches of {stretch:e} s are too short to go on from {time} s")]
    TooShort { time: f64, stretch: f64 },
    /// At `time` s, after `integrations` integrations and `events` events, it was given up.
    #[error("at {time} s, after {integrations} integrations and {events} events, it was given up")]
    GivenUp { time: f64, integrations: u64, events: u64 },
    /// The time that it may take was over at `time` s.
    #[error("the time that it may take was over at {} s", significant(*time, 4))]
    OutOfTime { time: f64 },
    /// In the words of the integrator.
    #[error("between {from} s and {until} s: {why}")]
    Integrator { from: f64, until: f64, why: String },
    /// It ended early.
    #[error("it ended early")]
    EndedEarly,
    /// No solution between `from` s and `until` s.
    #[error("no solution between {from} s and {until} s")]
    NoSolution { from: f64, until: f64 },

    /// The closed form needs three distinct positive moments.
    #[error("the closed form needs three distinct positive moments")]
    Moments,
    /// The body turns steadily about a principal axis, or not at all.
    #[error("the body turns steadily about a principal axis, or not at all")]
    SteadyTurn,
    /// The body moves on the separatrix.
    #[error("the body moves on the separatrix")]
    Separatrix,
}
