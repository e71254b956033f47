//! What a study asks of its ensemble: the table `[study]`.

use serde::Serialize;

use super::convergence::Convergence;
use super::document::Node;
use super::keys::{DEFAULT_KIND, kind_names, kind_section};
use super::lyapunov::Lyapunov;
use super::mechanism::Mechanism;
use super::sensitivity::Sensitivity;
use super::stability_map::StabilityMap;
use super::study::{Constraints, Ensemble, Method};
use super::throughput::Throughput;
use super::write::{Writer, text};

/// The question, with what it needs to know besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// How do the instances move: statistics in time and at the end.
    MonteCarlo,
    /// How fast neighbours of the instances part.
    Lyapunov(Lyapunov),
    /// How much of each output do the varied inputs account for.
    Sensitivity(Sensitivity),
    /// Where in the plane of two quantities a method is stable.
    StabilityMap(StabilityMap),
    /// How fast are the instances advanced, on what, and how accurately.
    Throughput(Throughput),
    /// How does the error fall with the step, and what does that cost.
    Convergence(Convergence),
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
    /// Those whose results are statistics in time.
    pub const IN_TIME: [&'static str; 2] = ["monte_carlo", "lyapunov"];

    /// As studies name it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::MonteCarlo => "monte_carlo",
            Kind::Lyapunov(_) => "lyapunov",
            Kind::Sensitivity(_) => "sensitivity",
            Kind::StabilityMap(_) => "stability_map",
            Kind::Throughput(_) => "throughput",
            Kind::Convergence(_) => "convergence",
        }
    }

    /// Whether the step may differ between instances: where no figure of many instances stands at one time.
    pub fn takes_varied_step(&self) -> bool {
        match self {
            Kind::MonteCarlo
            | Kind::Lyapunov(_)
            | Kind::Sensitivity(_)
            | Kind::Throughput(_)
            | Kind::Convergence(_) => false,
            Kind::StabilityMap(_) => true,
        }
    }

    /// Whether it follows or counts the operations of a step, beyond running it.
    pub fn wants_program(&self) -> bool {
        match self {
            Kind::Lyapunov(_) | Kind::Throughput(_) | Kind::Convergence(_) => true,
            Kind::MonteCarlo | Kind::Sensitivity(_) | Kind::StabilityMap(_) => false,
        }
    }

    /// What is asked, in a line, where there is more to say than its name.
    pub fn summary(&self) -> Option<String> {
        match self {
            Kind::Lyapunov(settings) => Some(settings.summary()),
            Kind::MonteCarlo
            | Kind::Sensitivity(_)
            | Kind::StabilityMap(_)
            | Kind::Throughput(_)
            | Kind::Convergence(_) => None,
        }
    }

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
