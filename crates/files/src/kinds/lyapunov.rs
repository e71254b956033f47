//! `[study] kind = "lyapunov"`: how fast neighbours of the instances part.

use super::keyed::keyed;
use crate::declared::declare;
use crate::keys::KIND;
use polhode_description::describe::Question;
use polhode_description::describe::Study;
use polhode_description::describe::kind::{InstanceRows, KindCard};

/// Exponents that can be asked for: every one of them is a copy of the step.
const MOST_EXPONENTS: u64 = 48;

/// Settings of a study of kind `lyapunov`: the results besides the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl Lyapunov {
    pub const CARD: KindCard = KindCard {
        name: "lyapunov",
        question: "How fast neighbours of the instances part: exponents of Lyapunov by exact tangents.",
        in_time: true,
        wants_program: true,
        follows_tangents: true,
        grows: true,
        rows: InstanceRows::Exponents,
        ..KindCard::ADVANCED
    };
}

impl Question for Lyapunov {
    fn card(&self) -> &'static KindCard {
        &Lyapunov::CARD
    }

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

    fn ensembles(&self, pilot: u64, study: &Study) -> (usize, Vec<u64>) {
        let (size, ways) = (study.ensemble.size, 1 + usize::from(self.pairs));
        (ways, [size.min(pilot), size].repeat(ways))
    }
}

declare! { Lyapunov, Lyapunov::CARD.question;
    @KIND;
    exponents: Count { min: 1, max: MOST_EXPONENTS }, Default("1"),
        "How many exponents (1/s) are followed, the largest first; the others are from the largest down in \
         the limit of long times.";
    pairs: Flag, Default("true"), "The largest again, from a neighbour of every instance.";
    distance: Bounded { min: 1e-12, max: 1.0 }, Optional,
        "How far neighbours are, in numbers of the state in SI. Absent: 1e-7 in f64, 1e-2 in f32.";
    transition: Flag, Default("false"),
        "The derivative of the end by the start, of the kept instances: into transition.parquet.";
}

keyed!(Lyapunov);
