//! What a study asks of its ensemble: the table `[study]`.

use serde::Serialize;

use super::document::Node;
use super::keys::{DEFAULT_KIND, kind_names, kind_section};
use super::mechanism::Mechanism;
use super::sensitivity::Sensitivity;
use super::stability_map::StabilityMap;
use super::study::{Constraints, Ensemble, Method};
use super::write::{Writer, text};

/// The question, with what it needs to know besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// How do the instances move: statistics in time and at the end.
    MonteCarlo,
    /// How much of each output do the varied inputs account for.
    Sensitivity(Sensitivity),
    /// Where in the plane of two quantities a method is stable.
    StabilityMap(StabilityMap),
}

/// What the question is asked of, as far as it could be read.
pub(super) struct Asked<'a> {
    /// As [`Sensitivity::begun`] gives it.
    pub sensitivity: Option<Option<Sensitivity>>,
    pub mechanism: Option<&'a Mechanism>,
    pub method: Option<&'a Method>,
    pub constraints: Option<&'a Constraints>,
    pub ensemble: Option<&'a Ensemble>,
}

impl Kind {
    /// As studies name it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::MonteCarlo => "monte_carlo",
            Kind::Sensitivity(_) => "sensitivity",
            Kind::StabilityMap(_) => "stability_map",
        }
    }

    /// Whether the step may differ between instances: where no figure of many instances stands at one time.
    pub fn takes_varied_step(&self) -> bool {
        match self {
            Kind::MonteCarlo | Kind::Sensitivity(_) => false,
            Kind::StabilityMap(_) => true,
        }
    }

    pub(super) fn read(node: &Node<'_>, asked: &Asked<'_>) -> Option<Kind> {
        if let Some(sensitivity) = asked.sensitivity {
            return sensitivity.map(Kind::Sensitivity);
        }
        let table = &node.table(kind_section(node.peek("kind").unwrap_or(DEFAULT_KIND)))?;
        match table.get("kind").and_then(|node| node.one_of(kind_names()))? {
            "stability_map" => StabilityMap::read(table, asked).map(Kind::StabilityMap),
            _ => Some(Kind::MonteCarlo),
        }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.heading("[study]");
        out.key("kind", text(self.name()));
        match self {
            Kind::MonteCarlo => {}
            Kind::Sensitivity(sensitivity) => sensitivity.write(out),
            Kind::StabilityMap(map) => map.write(out),
        }
    }
}
