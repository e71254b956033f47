//! Multipliers that keep the constraints' acceleration at zero exactly (Schur complement).

use super::{Demand, Treatment, TreatmentCard};
use crate::base::{MethodRole, Options};
use crate::real::Real;

/// The treatment; it has no settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact;

impl Treatment for Exact {
    const CARD: TreatmentCard = TreatmentCard {
        name: "exact",
        source: "PCD90 (5), (10)-(13)",
        meaning: "mu lam = r. Constraints drift by the method's error, as nothing draws them back. Rows of \
                  joints that others imply are left out.",
        carries: 0,
        solves: true,
        partitions: false,
        stabilises: false,
        roles: &[MethodRole::Accurate],
        keys: &[],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, _tau: R, _previous: &[R], _numbers: &[R]) -> Vec<R> {
        demand.solver().solve(demand.acceleration.clone())
    }
}
