//! Penalty: stiff springs and dampers in place of constraints.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::describe::Options;
use crate::real::Real;

/// The treatment with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Penalty {
    eps: f64,
    damping: f64,
}

impl Treatment for Penalty {
    const CARD: TreatmentCard = TreatmentCard {
        name: "penalty",
        source: "PCD90 II",
        meaning: "lam = Phi/eps + damping B u. Needs steps below the period of the stiff springs it puts in: h^2 mu < 4 eps.",
        carries: false,
        keys: &[
            number("eps", 1e-12, 1.0, 1e-6, "Compliance (m/N, or 1/(N m))."),
            number("damping", 0.0, 1e12, 0.0, "Damping (N s/m, or N m s)."),
        ],
    };

    fn new(options: &Options) -> Self {
        Self { eps: options.number("eps", 1e-6), damping: options.number("damping", 0.0) }
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, _tau: R, _previous: &[R]) -> Vec<R> {
        let pair = demand.violation.iter().zip(&demand.rate);
        pair.map(|(phi, rate)| rate.lift(self.damping).mul_add(*rate, phi.lift(1.0 / self.eps) * *phi))
            .collect()
    }
}
