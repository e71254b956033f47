//! Reads the table `[study]`: what is asked of the ensemble.

use super::document::Node;
use super::keys::{DEFAULT_KIND, kind_names, kind_section};
use super::write::{Writer, text};
use crate::describe::kind::Kind;
use crate::describe::{
    Constraints, Convergence, Ensemble, Lyapunov, Mechanism, Method, Sensitivity, StabilityMap, Throughput,
};

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
    pub(super) fn read(node: &Node<'_>, asked: &Asked<'_>) -> Option<Kind> {
        if let Some(sensitivity) = asked.sensitivity {
            return sensitivity.map(Kind::Sensitivity);
        }
        let table = &node.table(kind_section(node.peek("kind").unwrap_or(DEFAULT_KIND)))?;
        match table.get("kind").and_then(|node| node.one_of(kind_names()))? {
            "lyapunov" => Lyapunov::read(table).map(Kind::Lyapunov),
            "stability_map" => StabilityMap::read(table, asked).map(Kind::StabilityMap),
            "throughput" => Throughput::read(table).map(Kind::Throughput),
            "convergence" => Convergence::read(table, asked).map(Kind::Convergence),
            _ => Some(Kind::MonteCarlo),
        }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.heading("[study]");
        out.key("kind", text(self.name()));
        match self {
            Kind::MonteCarlo => {}
            Kind::Lyapunov(settings) => settings.write(out),
            Kind::Sensitivity(sensitivity) => sensitivity.write(out),
            Kind::StabilityMap(map) => map.write(out),
            Kind::Throughput(throughput) => throughput.write(out),
            Kind::Convergence(convergence) => convergence.write(out),
        }
    }
}
