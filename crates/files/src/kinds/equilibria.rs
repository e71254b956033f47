//! `[study] kind = "static"`: where a mechanism is in equilibrium.

use super::keyed::keyed;
use super::modes::{AT, ROTATION, SEARCH, checked};
use crate::declared::declare;
use crate::keys::KIND;
use polhode_description::describe::Question;
use polhode_description::describe::SteadyMotion;
use polhode_description::describe::kind::KindCard;

/// Settings of a study of kind `static`: which equilibria are looked for, and which count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Static {
    pub about: SteadyMotion,
    /// Equilibria this close are the same: root mean square displacement as a share of the
    /// mechanism's extent.
    pub same: f64,
}

impl Static {
    pub const CARD: KindCard = KindCard {
        name: "static",
        question: "Where the instances are in equilibrium near their starts, and whether it is stable. \
                   Nothing is advanced in time.",
        at_rest: true,
        ..KindCard::STEADY
    };
}

impl Question for Static {
    fn card(&self) -> &'static KindCard {
        &Static::CARD
    }

    fn steady(&self) -> Option<&SteadyMotion> {
        Some(&self.about)
    }

    fn summary(&self) -> Option<String> {
        let about = if self.about.rotation.is_some() { " in steady rotation" } else { "" };
        Some(format!("the equilibrium{about} near the start of each instance"))
    }
}

declare! { Static, Static::CARD.question, part: about;
    @KIND;
    @ROTATION;
    @AT;
    @SEARCH;
    same: Bounded { min: 1e-9, max: 1.0 }, Default("1e-6"),
        "Equilibria this close count as one: root mean square displacement as a share of the mechanism's \
         extent, both weighed by masses.";
}

keyed!(Static, |question, table, context| checked(&question.about, table, context.mechanism)
    .map(|()| question));
