//! `[study] kind = "static"`: where a mechanism is in equilibrium.

use serde::Serialize;

use super::kind::{KindCard, Question};
use super::modes::SteadyMotion;

/// Settings of a study of kind `static`: which equilibria are looked for, and which count as one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Static {
    #[serde(flatten)]
    pub about: SteadyMotion,
    /// Equilibria this close are the same: root mean square displacement as a share of the
    /// mechanism's extent.
    pub same: f64,
}

impl Question for Static {
    const CARD: KindCard = KindCard {
        name: "static",
        question: "Where the instances are in equilibrium near their starts, and whether it is stable. Nothing is advanced in time.",
        at_rest: true,
        ..KindCard::STEADY
    };

    fn steady(&self) -> Option<&SteadyMotion> {
        Some(&self.about)
    }

    fn summary(&self) -> Option<String> {
        let about = if self.about.rotation.is_some() { " in steady rotation" } else { "" };
        Some(format!("the equilibrium{about} near the start of each instance"))
    }
}
