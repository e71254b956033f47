//! `[study] kind = "lyapunov"`: how fast neighbours of the instances part.

use serde::Serialize;

use super::kind::{InstanceRows, KindCard, Question};
/// Settings of a study of kind `lyapunov`: the results besides the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lyapunov {
    /// Number of exponents, in the order of their directions: from the largest down in the limit of
    /// long times.
    pub exponents: usize,
    /// The largest exponent again, from a neighbour of every instance.
    pub pairs: bool,
    /// Distance of the neighbours; `None`: as the precision wants.
    pub distance: Option<f64>,
    /// The derivative of the end by the start, of the kept instances.
    pub transition: bool,
}

impl Question for Lyapunov {
    const CARD: KindCard = KindCard {
        name: "lyapunov",
        question: "How fast neighbours of the instances part: exponents of Lyapunov by exact tangents.",
        in_time: true,
        wants_program: true,
        grows: true,
        rows: InstanceRows::Exponents,
        ..KindCard::ADVANCED
    };

    fn summary(&self) -> Option<String> {
        let plural = if self.exponents == 1 { "" } else { "s" };
        let mut text = format!("{} exponent{plural} of Lyapunov", self.exponents);
        if self.pairs {
            text += ", the largest by pairs too";
        }
        if self.transition {
            text += ", derivatives of the ends";
        }
        Some(text)
    }
}
