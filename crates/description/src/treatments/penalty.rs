//! Penalty: stiff springs and dampers in place of constraints.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::base::{MethodRole, Options};
use crate::math::cholesky::solve;
use crate::real::Real;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Penalty;

impl Treatment for Penalty {
    const CARD: TreatmentCard = TreatmentCard {
        name: "penalty",
        source: "PCD90 III.C, (22)-(24)",
        meaning: "lam = Phi/eps + damping B u. Needs steps below the period of the stiff springs it puts in: \
                  h^2 mu < 4 eps.",
        carries: 0,
        solves: false,
        partitions: false,
        stabilises: false,
        roles: &[MethodRole::Elastic],
        keys: &[
            number("eps", [1e-12, 1.0, 1e-6], "m/N or 1/(N m)", "Compliance."),
            number("damping", [0.0, 1e12, 0.0], "N s/m or N m s", "Damping."),
        ],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, _previous: &[R], numbers: &[R]) -> Vec<R> {
        let [eps, damping] = [numbers[0], numbers[1]];
        let stiffness = tau.lift(1.0) / eps;
        let pair = demand.violation.iter().zip(&demand.rate);
        let Some(h) = demand.within else {
            return pair.map(|(phi, rate)| damping.mul_add(*rate, stiffness * *phi)).collect();
        };
        // The mean of B u over the step, `B u' + h/2 (r - mu lam)`.
        let half = h * h.lift(0.5);
        let mut matrix = demand.coupling.clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let own = damping * half;
                *entry = if i == j { own.mul_add(*entry, h.lift(1.0)) } else { own * *entry };
            }
        }
        let mean = pair.zip(&demand.acceleration).map(|((phi, rate), acceleration)| {
            damping.mul_add(half.mul_add(*acceleration, *rate), stiffness * *phi)
        });
        solve(matrix, mean.collect())
    }
}
