//! What a study asks of its ensemble: the table `[study]`.

use serde::Serialize;

use super::document::Node;
use super::keys::{DEFAULT_KIND, kind_names, kind_section};
use super::lyapunov::Lyapunov;
use super::write::{Writer, text};

/// The question, with what it needs to know besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// How do the instances move: statistics in time and at the end.
    MonteCarlo,
    /// How fast neighbours of the instances part.
    Lyapunov(Lyapunov),
}

impl Kind {
    /// As studies name it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::MonteCarlo => "monte_carlo",
            Kind::Lyapunov(_) => "lyapunov",
        }
    }

    /// Whether the step may differ between instances: where no figure of many instances stands at one time.
    pub fn takes_varied_step(&self) -> bool {
        match self {
            Kind::MonteCarlo => false,
            Kind::Lyapunov(_) => false,
        }
    }

    /// What is asked, in a line, where it is not how the instances move.
    pub fn summary(&self) -> Option<String> {
        match self {
            Kind::MonteCarlo => None,
            Kind::Lyapunov(settings) => Some(settings.summary()),
        }
    }

    pub(super) fn read(node: &Node<'_>) -> Option<Kind> {
        let table = &node.table(kind_section(node.peek("kind").unwrap_or(DEFAULT_KIND)))?;
        match table.get("kind").and_then(|node| node.one_of(kind_names()))? {
            "lyapunov" => Lyapunov::read(table).map(Kind::Lyapunov),
            _ => Some(Kind::MonteCarlo),
        }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.heading("[study]");
        out.key("kind", text(self.name()));
        match self {
            Kind::MonteCarlo => {}
            Kind::Lyapunov(settings) => settings.write(out),
        }
    }
}
