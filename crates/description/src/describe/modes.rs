//! `[study] kind = "modes"`: how a mechanism vibrates about an equilibrium or in steady rotation.

use serde::Serialize;

use super::kind::{KindCard, Question};

/// The steady state that is looked for from the start of an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SteadyMotion {
    /// The body whose rotation at the start the whole mechanism has; `None`: it is at rest.
    pub rotation: Option<String>,
    /// Which equilibrium is looked for.
    pub search: EquilibriumSearch,
    /// The instant at which what depends on the time is taken (s); `None`: nothing does.
    pub at: Option<f64>,
}

/// Which equilibrium is looked for from a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// Settings of a study of kind `modes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Modes {
    #[serde(flatten)]
    pub about: SteadyMotion,
    /// Modes of each instance, from the slowest on.
    pub count: usize,
    /// Instances whose shapes are written, the first ones.
    pub keep: u64,
}

impl Question for Modes {
    const CARD: KindCard = KindCard {
        name: "modes",
        question: "How the instances vibrate about an equilibrium or in steady rotation: frequencies, damping, shapes. Nothing is advanced in time.",
        ..KindCard::STEADY
    };

    fn steady(&self) -> Option<&SteadyMotion> {
        Some(&self.about)
    }

    fn summary(&self) -> Option<String> {
        let about = if self.about.rotation.is_some() {
            "a steady rotation"
        } else {
            "the equilibrium near the start"
        };
        Some(format!("the {} slowest modes about {about}", self.count))
    }
}
