//! Baumgarte's stabilisation: the acceleration of a violated constraint draws it back.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::base::Options;
use crate::real::Real;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Baumgarte;

impl Treatment for Baumgarte {
    const CARD: TreatmentCard = TreatmentCard {
        name: "baumgarte",
        source: "Baumgarte 1972, as PCD90 compares it",
        meaning: "mu lam = r + gamma B u + beta Phi. Rows of joints that others imply are left out.",
        carries: false,
        solves: true,
        keys: &[
            number("gamma", [0.0, 1e6, 10.0], "1/s", "Weight of the constraints' rate."),
            number("beta", [0.0, 1e12, 25.0], "1/s²", "Weight of the constraints' violation."),
        ],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, _tau: R, _previous: &[R], numbers: &[R]) -> Vec<R> {
        let [gamma, beta] = [numbers[0], numbers[1]];
        let stabilised = (0..demand.rate.len())
            .map(|i| beta.mul_add(demand.violation[i], gamma.mul_add(demand.rate[i], demand.acceleration[i])))
            .collect();
        demand.solver().solve(stabilised)
    }
}
