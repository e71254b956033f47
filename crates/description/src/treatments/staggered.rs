//! Staggered stabilised multipliers by backward Euler, as PC87 (6.6) prints them; gamma, beta and E
//! are ours.
//!
//! ```text
//! (E + tau mu) lam_k = E lam_{k-1} + tau (r_k + gamma B u' + beta Phi) ;
//! E = eps I + eps_relative tau D ;   D the diagonal of mu
//! ```
//!
//! PCD90's later midpoint form (33)/(56), the treatment `staggered_as_printed`, locks on to the
//! odd-even mode of the two-stage step: its amplification (eps - t mu)/(eps + t mu) tends to -1.
//! `B u'` is that of the chain that is being advanced, at its own level k - 1: with the velocities
//! of the other chain any term proportional to velocity is unstable, and with its Jacobian the
//! joints drift by O(h).
//!
//! It is indifferent to redundant or nearly dependent rows, because E keeps the matrix regular:
//! PCD90 III.D says so of a mu that is nearly singular, and it holds. What E costs: the multipliers
//! lag behind by `E/mu`. The reports' eps (s/kg) is a time over a mass, so that one number suits
//! neither a mechanism of 1 g and one of 10 t, nor two steps: with a constant one the lag does not
//! fall with the step. A share of `tau mu` does, as `eps_relative tau`, and joints open by O(h³).
//!
//! `gamma = 1/h` and `beta = 1/(4 h²)` let a violation die out within some steps, critically
//! damped. The advanced chain's own rate is half a step old there: larger weights than
//! `gamma h = 2` are unstable. gamma = 5/s and beta = 0, our first choice, take half a second, in
//! which closed loops part.
//!
//! A start has no history: it has `mu lam = r`, with D grown by a trace, and one correction by what
//! that leaves.

use super::{BY_RULE, COMPLIANCE, Demand, Treatment, TreatmentCard, derived, is_positive};
use crate::base::{Circumstances, MethodRole, Options, Precision};
use crate::math::cholesky::solve;
use crate::real::Real;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct StaggeredMultipliers;

/// Positions of `eps`, `gamma` and `eps_accuracy` among the numbers.
const EPS: usize = 0;
const GAMMA: usize = 1;
const ACCURACY: usize = 4;

/// Compliance of rows that no body can follow, whose mu is zero (s/kg).
fn eps(circumstances: &Circumstances<'_>) -> f64 {
    match circumstances.precision {
        Precision::F32 | Precision::F32Compensated => 1e-14,
        Precision::F64 => 1e-18,
    }
}

fn eps_relative(circumstances: &Circumstances<'_>) -> f64 {
    match circumstances.precision {
        _ if circumstances.given[EPS].is_some() || is_positive(circumstances.given, ACCURACY) => 0.0,
        Precision::F32 | Precision::F32Compensated => 1e-4,
        Precision::F64 => 1e-7,
    }
}

fn gamma(circumstances: &Circumstances<'_>) -> f64 {
    1.0 / circumstances.step
}

/// A violation is critically damped, whatever gamma.
fn beta(circumstances: &Circumstances<'_>) -> f64 {
    let gamma = circumstances.given[GAMMA].unwrap_or_else(|| gamma(circumstances));
    0.25 * (gamma * gamma)
}

impl Treatment for StaggeredMultipliers {
    const CARD: TreatmentCard = TreatmentCard {
        name: "staggered",
        source: "PC87 (6.6); PCD90 III.D",
        meaning: "(E + tau mu) lam = E lam' + tau (r + gamma B u' + beta Phi), E = eps + eps_relative tau D, \
                  D the diagonal of mu. Takes redundant rows and singular positions; dissipates energy in \
                  proportion to E.",
        carries: 1,
        solves: false,
        partitions: false,
        stabilises: false,
        roles: &[MethodRole::Default],
        keys: &[
            derived(
                "eps",
                [1e-20, 1.0],
                ("1e-18 in f64, 1e-14 in f32", eps),
                COMPLIANCE,
                "Compliance in time: how fast multipliers follow.",
            ),
            derived("gamma", [0.0, 1e12], ("1/step", gamma), "1/s", "Weight of the constraints' rate."),
            derived("beta", [0.0, 1e24], ("gamma²/4", beta), "1/s²", "Weight of the constraints' violation."),
            derived(
                "eps_relative",
                [0.0, 1.0],
                ("1e-7 in f64, 1e-4 in f32; 0 where eps or eps_accuracy is given", eps_relative),
                "",
                "Compliance in time as a share of tau times the diagonal of mu.",
            ),
            BY_RULE,
        ],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R> {
        if previous.is_empty() {
            return without_history(demand);
        }
        let [eps, gamma, beta, relative] = [numbers[EPS], numbers[GAMMA], numbers[2], numbers[3]];
        let mut matrix = demand.coupling.clone();
        let mut compliance = Vec::with_capacity(matrix.len());
        let share = relative * tau;
        for (i, row) in matrix.iter_mut().enumerate() {
            compliance.push(share.mul_add(row[i], eps));
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = if i == j { tau.mul_add(*entry, compliance[i]) } else { tau * *entry };
            }
        }
        let right = (0..demand.rate.len())
            .map(|i| {
                let wanted =
                    beta.mul_add(demand.violation[i], gamma.mul_add(demand.rate[i], demand.acceleration[i]));
                tau.mul_add(wanted, compliance[i] * previous[i])
            })
            .collect();
        solve(matrix, right)
    }
}

/// Multipliers that hold the accelerations alone, redundant rows apart by a trace of compliance:
///
/// ```text
/// A lam1 = r ;   lam = lam1 + A^-1 (r - mu lam1) ;   A = mu + rho D
/// ```
///
/// The correction leaves `(rho D/mu)²` of what the trace takes. Neither rates nor violations count:
/// they would be weighed by what a whole step makes of them.
pub(super) fn without_history<R: Real>(demand: &Demand<R>) -> Vec<R> {
    let Demand { coupling, acceleration, .. } = demand;
    let Some(first) = acceleration.first() else { return Vec::new() };
    let (rho, least) = match first.precision() {
        Precision::F32 | Precision::F32Compensated => (1e-5, 1e-14),
        Precision::F64 => (1e-8, 1e-18),
    };
    let (grown, least) = (first.lift(1.0 + rho), first.lift(least));
    let mut matrix = coupling.clone();
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] = grown.mul_add(row[i], least);
    }
    let near = solve(matrix.clone(), acceleration.clone());
    let left = (0..near.len()).map(|i| {
        (0..near.len()).fold(acceleration[i], |left, j| {
            let entry = if j <= i { coupling[i][j] } else { coupling[j][i] };
            entry.neg_mul_add(near[j], left)
        })
    });
    let corrections = solve(matrix, left.collect());
    near.into_iter().zip(corrections).map(|(near, correction)| near + correction).collect()
}
