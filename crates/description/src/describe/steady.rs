//! The steady states about which studies ask: rest, or steady rotation.

/// The steady state that is looked for from the start of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SteadyMotion {
    /// The body whose rotation at the start the whole mechanism has; `None`: it is at rest.
    pub rotation: Option<String>,
    /// Which equilibrium is looked for.
    pub search: EquilibriumSearch,
    /// The instant at which what depends on the time is taken (s); `None`: nothing does.
    pub at: Option<f64>,
}

/// Which equilibrium is looked for from a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EquilibriumSearch {
    /// That to which Newton's method leads, stable or not.
    #[default]
    Nearest,
    /// That to which the mechanism creeps.
    Stable,
}

impl SteadyMotion {
    /// Steps from t = 0 to the instant, of a study that advances nothing: a power of two, so that
    /// their product with the step is exact.
    pub const STEPS: f64 = 1_048_576.0;
}
