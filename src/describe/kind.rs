//! What a study asks of its ensemble: the table `[study]`.

use serde::Serialize;

use super::convergence::Convergence;
use super::lyapunov::Lyapunov;
use super::sensitivity::Sensitivity;
use super::stability_map::StabilityMap;
use super::throughput::Throughput;

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
}
