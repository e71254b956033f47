//! Staggered multipliers by the midpoint form of PCD90 (33)/(56), to the letter or with the
//! coefficient that is meant. It is here to be compared, not to be used: see `staggered` for PC87's
//! form, which can be.
//!
//! Over an interval tau, which is h/2 in the two-stage step:
//!
//! ```text
//! (eps I + t mu) lam_m = eps lam_{k-1} + c (r_{k-1} + r_k)/2 ;   lam_k = 2 lam_m - lam_{k-1} ;
//! t = tau/2 = h/4
//! c = 2 t = h/2    as printed: h/4 times the sum of the two r
//! c = t   = h/4    corrected: what is meant
//! ```
//!
//! eps is the report's. r stands for `r + gamma B u'`: gamma B u' is not in the print, and unless
//! gamma is set it is not there. A start has its own r, `mu lam = r`. Half of r is carried beside
//! lam: the mean is one product added to a value that was stored, which no driver regroups.
//!
//! A constant r has the fixed point `mu lam = (c/t) r`: as printed twice what holds the joints,
//! whatever eps.
//!
//! The corrected form is the midpoint rule over tau for `eps lamdot + mu lam = r`, with the newest
//! mu.
//!
//! Corrected or not, a disturbance of the multipliers is multiplied by `(eps - t mu)/(eps + t mu)`,
//! which tends to -1 for small eps: it stays, with its sign changed in every half step, and feeds
//! the odd-even mode in which the two chains part.
//!
//! The report asks for `eps ~ c/(|mu^-1| |mu|)`, c the accuracy of lam: `eps_accuracy`.

use crate::base::{Circumstances, Key, Kind, MethodRole, Options};
use crate::math::cholesky::solve;
use crate::real::Real;
use crate::treatments::{BY_RULE, COMPLIANCE, Demand, Treatment, TreatmentCard, derived, number, staggered};

/// The treatment with what is set of it besides numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AsPrinted {
    corrected: bool,
}

/// The compliance where none is given: the print has no number (s/kg).
fn eps(_circumstances: &Circumstances<'_>) -> f64 {
    1e-8
}

impl Treatment for AsPrinted {
    const CARD: TreatmentCard = TreatmentCard {
        name: "staggered_as_printed",
        source: "PCD90 (33), (56)",
        meaning: "(eps I + t mu) lam = (eps I - t mu) lam' + 2 t (r + r'), t = h/4, r with gamma B u'; \
                  corrected: t in place of 2 t. To be compared, not to be used: as printed the multipliers \
                  are twice what holds the joints, and either form blows up for small eps (gamma puts it \
                  off).",
        carries: 2,
        solves: false,
        partitions: false,
        stabilises: false,
        roles: &[MethodRole::Historic],
        keys: &[
            derived(
                "eps",
                [1e-12, 1.0],
                ("1e-8", eps),
                COMPLIANCE,
                "Compliance in time: how fast multipliers follow.",
            ),
            number("gamma", [0.0, 1e6, 0.0], "1/s", "Weight of the constraints' rate."),
            Key {
                name: "corrected",
                kind: Kind::Flag,
                unit: "",
                meaning: "Weigh the sum of two r by h/8, as is meant, and not by the printed h/4.",
            },
            BY_RULE,
        ],
    };

    fn new(options: &Options) -> Self {
        Self { corrected: options.flag("corrected", false) }
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R> {
        let [eps, gamma] = [numbers[0], numbers[1]];
        let half = tau.lift(0.5);
        let wanted = demand.acceleration.iter().zip(&demand.rate);
        let halves: Vec<R> = wanted.map(|(r, rate)| half * gamma.mul_add(*rate, *r)).collect();
        if previous.is_empty() {
            return [staggered::without_history(demand), halves].concat();
        }
        let t = tau * half;
        let c = if self.corrected { t } else { tau };
        let mut matrix = demand.coupling.clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = if i == j { t.mul_add(*entry, eps) } else { t * *entry };
            }
        }
        let (before, halves_before) = previous.split_at(halves.len());
        let means = halves.iter().zip(halves_before).map(|(now, before)| *now + *before);
        let right = means.zip(before).map(|(mean, before)| c.mul_add(mean, eps * *before));
        let middle = solve(matrix, right.collect());
        let two = tau.lift(2.0);
        let now = middle.into_iter().zip(before).map(|(middle, before)| two.mul_add(middle, -*before));
        now.chain(halves).collect()
    }
}
