//! Baumgarte's stabilisation: the acceleration of a violated constraint draws it back.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::describe::Options;
use crate::math::cholesky::solve;
use crate::real::Real;

/// The treatment with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Baumgarte {
    gamma: f64,
    beta: f64,
}

impl Treatment for Baumgarte {
    const CARD: TreatmentCard = TreatmentCard {
        name: "baumgarte",
        source: "Baumgarte 1972, as PCD90 compares it",
        meaning: "mu lam = r + gamma B u + beta Phi. Fails where `exact` does.",
        carries: false,
        keys: &[
            number("gamma", 0.0, 1e6, 10.0, "Weight of the constraints' rate (1/s)."),
            number("beta", 0.0, 1e12, 25.0, "Weight of the constraints' violation (1/s²)."),
        ],
    };

    fn new(options: &Options) -> Self {
        Self { gamma: options.number("gamma", 10.0), beta: options.number("beta", 25.0) }
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, _tau: R, _previous: &[R]) -> Vec<R> {
        let stabilised = (0..demand.rate.len())
            .map(|i| {
                let gamma = demand.rate[i].lift(self.gamma);
                let beta = gamma.lift(self.beta);
                beta.mul_add(demand.violation[i], gamma.mul_add(demand.rate[i], demand.acceleration[i]))
            })
            .collect();
        solve(demand.coupling.clone(), stabilised)
    }
}
