//! Staggered multipliers by the midpoint form of PCD90 (33)/(56), to the letter or with the coefficient that
//! is meant. It is here to be compared, not to be used: see `staggered` for PC87's form, which can be.
//!
//! Over an interval tau, which is h/2 in the two-stage step:
//!
//! ```text
//! (eps I + t mu) lam_m = eps lam_{k-1} + c (r_k + gamma B u') ;   lam_k = 2 lam_m - lam_{k-1} ;
//! t = tau/4 = h/8
//! c = tau/2 = h/4    as printed
//! c = tau/4 = h/8    corrected: what is meant
//! ```
//!
//! or, without the value in the middle,
//!
//! ```text
//! (eps I + t mu) lam_k = (eps I - t mu) lam_{k-1} + 2 c (r_k + gamma B u')
//! ```
//!
//! whose fixed point is `mu lam = (c/t) (r + gamma B u')`: as printed twice what holds the joints, whatever
//! eps.
//!
//! The report's equation is `(eps I + h/4 mu) lam_m = eps lam_{k-1} + h/4 (r_k + r_{k-1})`: the sum of two r
//! is weighed by h/4 where h/8 is meant. Here r_k stands for the mean of the two, and all is divided by 2:
//! the report's form with an eps is the one here with half of it. gamma B u' is not in the print: unless
//! gamma is set it is not there.
//!
//! The midpoint rule over h/2 for `eps lamdot + mu lam = r` has t = c = h/4. That is the corrected form with
//! half its eps.
//!
//! Corrected or not, a disturbance of the multipliers is multiplied by `(eps - t mu)/(eps + t mu)`, which
//! tends to -1 for small eps: it stays, with its sign changed in every half step, and feeds the odd-even mode
//! in which the two chains part.

use super::{COMPLIANCE, Demand, Treatment, TreatmentCard, number, staggered};
use crate::base::{Key, Kind, Options};
use crate::math::cholesky::solve;
use crate::real::Real;

/// The treatment with what is set of it besides numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AsPrinted {
    corrected: bool,
}

impl Treatment for AsPrinted {
    const CARD: TreatmentCard = TreatmentCard {
        name: "staggered_as_printed",
        source: "PCD90 (33), (56)",
        meaning: "(eps I + t mu) lam = (eps I - t mu) lam' + 4 t (r + gamma B u'), t = h/8; corrected: 2 t in place of 4 t. \
                  To be compared, not to be used: as printed the multipliers are twice what holds the joints, and either \
                  form blows up for small eps (gamma puts it off).",
        carries: true,
        solves: false,
        partitions: false,
        stabilises: false,
        keys: &[
            number("eps", [1e-12, 1.0, 1e-8], COMPLIANCE, "Compliance in time: how fast multipliers follow."),
            number("gamma", [0.0, 1e6, 0.0], "1/s", "Weight of the constraints' rate."),
            Key {
                name: "corrected",
                kind: Kind::Flag,
                unit: "",
                meaning: "Weigh r by h/8, as is meant, and not by the printed h/4.",
            },
        ],
    };

    fn new(options: &Options) -> Self {
        Self { corrected: options.flag("corrected", false) }
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R> {
        let [eps, gamma] = [numbers[0], numbers[1]];
        if previous.is_empty() {
            // A midpoint forgets no start.
            return staggered::without_history(demand);
        }
        let t = tau * tau.lift(0.25);
        let c = if self.corrected { t } else { tau * tau.lift(0.5) };
        let mut matrix = demand.coupling.clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = if i == j { t.mul_add(*entry, eps) } else { t * *entry };
            }
        }
        let right = previous.iter().enumerate().map(|(i, before)| {
            c.mul_add(gamma.mul_add(demand.rate[i], demand.acceleration[i]), eps * *before)
        });
        let middle = solve(matrix, right.collect());
        let two = tau.lift(2.0);
        middle.into_iter().zip(previous).map(|(middle, before)| two.mul_add(middle, -*before)).collect()
    }
}
