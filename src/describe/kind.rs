//! What a study asks of its ensemble: the table `[study]`.

use serde::Serialize;

use super::document::Node;
use super::keys::{DEFAULT_KIND, kind_names, kind_section};
use super::write::{Writer, text};

/// The question, with what it needs to know besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// How do the instances move: statistics in time and at the end.
    MonteCarlo,
}

impl Kind {
    /// As studies name it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::MonteCarlo => "monte_carlo",
        }
    }

    /// Whether the step may differ between instances: where no figure of many instances stands at one time.
    pub fn takes_varied_step(&self) -> bool {
        match self {
            Kind::MonteCarlo => false,
        }
    }

    pub(super) fn read(node: &Node<'_>) -> Option<Kind> {
        let table = &node.table(kind_section(node.peek("kind").unwrap_or(DEFAULT_KIND)))?;
        table.get("kind").and_then(|node| node.one_of(kind_names()))?;
        Some(Kind::MonteCarlo)
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.heading("[study]");
        out.key("kind", text(self.name()));
    }
}
