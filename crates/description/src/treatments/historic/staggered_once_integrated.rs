//! Staggered stabilised multipliers of positions, from equations of motion that are integrated
//! once: PCD90 (30)-(32).
//!
//! ```text
//! u_k = u' + delta M^-1 (Q - B^T lam_k)         (30), the advanced chain from its level k - 1 to k
//! lam' = (B u_k + Phi_t)/eps                        (31), the rate of a penalty Phi/eps
//! (eps I + tau delta mu) lam_k = eps lam_{k-1} + tau (B u' + delta r_k)      (32), backward Euler
//! ```
//!
//! In the two-stage step tau = delta = h/2. Here `eps` is E = eps I + eps_relative tau² D, D the
//! diagonal of mu; eps is the compliance of a penalty (m/N), where `staggered` has one in time.
//! PCD90 prints (33), the midpoint rule, for "the above equation", which is (32); over tau it is
//! the odd-even mode of `staggered_as_printed` again, so backward Euler stands here as in PC87
//! (6.6).
//!
//! With e = E/(E + tau² mu) a single row has, per half step, the roots z of
//! `z³ - e z² + (1 - 2 e) z + e`: all within the unit circle for 0 < e < 1, and +-i for e = 0,
//! where velocities of the two chains alternate undamped. |z| is about 1 - e for small e. This is
//! why eps_relative is no small number here: 0.1 by default, e = 0.09.
//!
//! The multiplier is a penalty's: `lam = Phi/eps` less what Phi was when multipliers started.
//! Joints open by `E mu lam/mu`, of order h² with eps_relative, and what rounding and the step add
//! to Phi is not drawn back.
//!
//! The report asks for `eps ~ c/(|mu^-1| |mu|)`, c the accuracy of lam: `eps_accuracy`, evaluated
//! where an instance starts, since the report takes eps for constant. It is a pure number where eps
//! has a unit, and it falls where mu becomes singular, where a larger eps is wanted. By default a
//! share of tau² mu stands there.

use crate::base::{Circumstances, MethodRole, Options};
use crate::math::cholesky::solve;
use crate::real::Real;
use crate::treatments::{BY_RULE, Demand, Treatment, TreatmentCard, derived, is_positive, staggered};

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct OnceIntegrated;

/// Positions of `eps` and `eps_accuracy` among the numbers.
const EPS: usize = 0;
const ACCURACY: usize = 2;

/// Compliance of rows that no body can follow, whose mu is zero (m/N).
fn eps(_circumstances: &Circumstances<'_>) -> f64 {
    1e-18
}

fn eps_relative(circumstances: &Circumstances<'_>) -> f64 {
    let is_given = circumstances.given[EPS].is_some() || is_positive(circumstances.given, ACCURACY);
    if is_given { 0.0 } else { 0.1 }
}

impl Treatment for OnceIntegrated {
    const CARD: TreatmentCard = TreatmentCard {
        name: "staggered_once_integrated",
        source: "PCD90 III.D, (30)-(32)",
        meaning: "(E + tau² mu) lam = E lam' + tau (B u + tau r), E = eps + eps_relative tau² D, D the \
                  diagonal of mu: an implicit penalty of compliance E. Joints open in proportion to E, and \
                  nothing draws them back.",
        carries: 1,
        solves: false,
        partitions: false,
        stabilises: false,
        roles: &[MethodRole::Historic],
        keys: &[
            derived("eps", [1e-20, 1.0], ("1e-18", eps), "m/N or 1/(N m)", "Compliance."),
            derived(
                "eps_relative",
                [0.0, 1e6],
                ("0.1; 0 where eps or eps_accuracy is given", eps_relative),
                "",
                "Compliance as a share of tau² times the diagonal of mu.",
            ),
            BY_RULE,
        ],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R> {
        if previous.is_empty() {
            return staggered::without_history(demand);
        }
        let [eps, relative] = [numbers[EPS], numbers[1]];
        let squared = tau * tau;
        let share = relative * squared;
        let mut matrix = demand.coupling.clone();
        let mut compliance = Vec::with_capacity(matrix.len());
        for (i, row) in matrix.iter_mut().enumerate() {
            compliance.push(share.mul_add(row[i], eps));
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = if i == j { squared.mul_add(*entry, compliance[i]) } else { squared * *entry };
            }
        }
        let right = (0..demand.rate.len())
            .map(|i| {
                let rate = tau.mul_add(demand.acceleration[i], demand.rate[i]);
                tau.mul_add(rate, compliance[i] * previous[i])
            })
            .collect();
        solve(matrix, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By what a disturbed velocity of one row is multiplied per half step, on average over 400.
    fn amplification(eps_relative: f64) -> f64 {
        let (h, coupling) = (0.01, 3.0);
        let mut multiplier = 0.0;
        // B u of the chain that is advanced and of the other one.
        let mut rates = [1.0, 0.5];
        let size = |rates: [f64; 2]| f64::hypot(rates[0], rates[1]);
        let (mut first, count) = (0.0, 400);
        for k in 0..2 * count {
            if k == count {
                first = size(rates);
            }
            let demand = Demand {
                coupling: vec![vec![coupling]],
                acceleration: vec![0.0],
                rate: vec![rates[0]],
                violation: vec![0.0],
                within: None,
                dependent: false,
            };
            let numbers = [0.0, eps_relative];
            multiplier = OnceIntegrated.multipliers(&demand, 0.5 * h, &[multiplier], &numbers)[0];
            rates = [rates[1], rates[0] - h * coupling * multiplier];
        }
        (size(rates) / first).powf(1.0 / f64::from(count))
    }

    /// The largest root of `z³ - e z² + (1 - 2 e) z + e`, e = E/(E + tau² mu), by its real one.
    #[test]
    fn disturbances_decay_as_the_cubic_says() {
        for share in [0.02, 0.1, 0.5] {
            let e = share / (1.0 + share);
            let mut real = -e;
            for _ in 0..50 {
                let value = ((real - e) * real + 1.0 - 2.0 * e) * real + e;
                let slope = (3.0 * real - 2.0 * e) * real + 1.0 - 2.0 * e;
                real -= value / slope;
            }
            let pair = (-e / real).sqrt();
            assert!((amplification(share) - pair).abs() < 2e-3, "{share}: {} {pair}", amplification(share));
            assert!(pair < 1.0, "{share}");
        }
        assert!((amplification(0.0) - 1.0).abs() < 1e-12, "nothing is damped without a compliance");
    }
}
