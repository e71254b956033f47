//! Staggered stabilised multipliers (PCD90 LINT), in the form that can be used: backward Euler.
//!
//! ```text
//! (eps I + tau mu) lam_k = eps lam_{k-1} + tau (r_k + gamma B u' + beta Phi)
//! ```
//!
//! The printed midpoint form (33)/(56), the treatment `staggered_as_printed`, locks on to the odd-even mode of the two-stage
//! step: its amplification (eps - t mu)/(eps + t mu) tends to -1. `B u'` is that of the chain that is being advanced, at its own level k - 1:
//! with the velocities of the other chain any term proportional to velocity is unstable, and with its Jacobian the
//! joints drift by O(h).
//!
//! It dissipates energy in proportion to eps, and violates constraints by O(h^2) + O(eps lam). It is indifferent to
//! redundant or nearly dependent rows, because eps keeps the matrix regular: PCD90's claim, and it holds.

use super::{COMPLIANCE, Demand, Treatment, TreatmentCard, number};
use crate::describe::Options;
use crate::math::cholesky::solve;
use crate::real::Real;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct StaggeredMultipliers;

impl Treatment for StaggeredMultipliers {
    const CARD: TreatmentCard = TreatmentCard {
        name: "staggered",
        source: "PCD90 (33), (56), as backward Euler",
        meaning: "(eps I + tau mu) lam = eps lam' + tau (r + gamma B u' + beta Phi). Takes redundant rows and singular \
                  positions; dissipates energy in proportion to eps.",
        carries: true,
        solves: false,
        keys: &[
            number("eps", [1e-12, 1.0, 1e-8], COMPLIANCE, "Compliance in time: how fast multipliers follow."),
            number("gamma", [0.0, 1e6, 5.0], "1/s", "Weight of the constraints' rate."),
            number("beta", [0.0, 1e12, 0.0], "1/s²", "Weight of the constraints' violation."),
        ],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R> {
        let [eps, gamma, beta] = [numbers[0], numbers[1], numbers[2]];
        let mut matrix = demand.coupling.clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = if i == j { tau.mul_add(*entry, eps) } else { tau * *entry };
            }
        }
        let right = (0..demand.rate.len())
            .map(|i| {
                let wanted =
                    beta.mul_add(demand.violation[i], gamma.mul_add(demand.rate[i], demand.acceleration[i]));
                let inertia = previous.get(i).map_or(tau.lift(0.0), |before| eps * *before);
                tau.mul_add(wanted, inertia)
            })
            .collect();
        solve(matrix, right)
    }
}
