//! The multipliers of joints and all other rows, by each way to hold them.
//!
//! ```text
//! mu = B M^-1 B^T,   r = B M^-1 Q + c,   c = Bdot u + 2 Phi_ts + Phi_tt
//! exact       mu lam = r                             baumgarte  mu lam = r + gamma B u' + beta Phi
//! penalty     lam = Phi/eps + damping B u'
//!             implicit over h: B u' + h/2 (r - mu lam) in place of B u'
//! staggered   (E + tau mu) lam = E lam_before + tau (r + gamma B u' + beta Phi)        PC87 (6.6)
//!             backward Euler, E = eps I + eps_relative tau diag(mu)
//! staggered_as_printed
//!             (eps I + tau/2 mu) lam_m = eps lam_before + c (r_before + r)   r with gamma B u'
//!             lam = 2 lam_m - lam_before                                          PCD90 (33), (56)
//!             c = tau/2 as printed, tau/4 corrected, so that mu lam = r stays as it is
//! staggered_once_integrated
//!             (E + tau^2 mu) lam = E lam_before + tau (B u' + tau r)                    PCD90 (32)
//!             E = eps I + eps_relative tau^2 diag(mu)
//! partition   mu lam = r; then dependent coordinates are solved for ([`super::system`])
//! ```
//!
//! Without a history the staggered ones have `mu lam = r`, by A = mu + rho diag(mu) and one
//! correction: `lam = lam1 + A^-1 (r - mu lam1)`, `A lam1 = r`.
//!
//! `B u'` is Phidot, with functions of time, of the motions that are being advanced, at their own
//! positions: with B from half a step later it would be wrong by h/2 Bdot u', and the staggered
//! method of order 1. Redundant rows make mu singular; where it is solved as it is, small
//! eigenvalues of the scaled mu are left out (`truncated_solve`).

use super::ReferenceError;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

use polhode_description::base::Precision;
use polhode_description::describe::Constraints;
use polhode_description::treatments::CARDS;

/// Eigenvalues of the scaled mu below this, relative to the largest, belong to redundant rows: off
/// the joints by Phi they are of the order of Phi².
pub const REDUNDANT: f64 = 1e-8;
/// Eigenvalues below this are rounding at a singular position where the rows are known to be
/// independent.
pub const SINGULAR: f64 = 1e-14;

/// The diagonal of mu is grown by this share, and by this (1/kg), where multipliers have no
/// history.
const START_GROWTH: f64 = 1e-8;
const START_LEAST: f64 = 1e-18;

/// A treatment with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Treatment {
    /// eps (s/kg, or s/(kg m²)), gamma (1/s), beta (1/s²); eps_relative of tau mu.
    Staggered {
        eps: f64,
        gamma: f64,
        beta: f64,
        eps_relative: f64,
    },
    /// A treatment that carries multipliers, where there are none to carry; r behind them, with
    /// this gamma, for one that carries it too.
    WithoutHistory {
        gamma: Option<f64>,
    },
    /// eps and gamma as [`Treatment::Staggered`].
    StaggeredAsPrinted {
        eps: f64,
        gamma: f64,
        corrected: bool,
    },
    /// eps (m/N, or 1/(N m)); eps_relative of tau² mu.
    StaggeredOnceIntegrated {
        eps: f64,
        eps_relative: f64,
    },
    Exact,
    /// Exact multipliers; dependent coordinates are solved for after every step, independent ones
    /// give way by this share.
    Partition {
        independent: f64,
    },
    /// gamma (1/s), beta (1/s²).
    Baumgarte {
        gamma: f64,
        beta: f64,
    },
    /// eps (m/N, or 1/(N m)), damping (N s/m, or N m s).
    Penalty {
        eps: f64,
        damping: f64,
    },
}

/// The terms of the rows' equations at one instant.
#[derive(Clone, Debug)]
pub struct Demand {
    pub mu: DMatrix<f64>,
    pub r: DVector<f64>,
    /// `B u'` of the motions that are being advanced.
    pub rate: DVector<f64>,
    /// Phi.
    pub violation: DVector<f64>,
    /// The step (s) over which damping is implicit; 0: it acts at `rate`.
    pub within: f64,
    /// [`REDUNDANT`] or [`SINGULAR`].
    pub truncation: f64,
}

impl Treatment {
    /// As an instance has it that is stepped so (s).
    ///
    /// # Errors
    /// No treatment has this name, or it has no number that is wanted.
    pub fn new(constraints: &Constraints, step: f64) -> Result<Treatment, ReferenceError> {
        let card = CARDS.iter().find(|card| card.name == constraints.treatment);
        let card = card.ok_or(ReferenceError::UnknownTreatment { name: constraints.treatment })?;
        let names = card.numbers().map(|number| number.name);
        let numbers: Vec<(&str, f64)> = names.zip(constraints.numbers(step, Precision::F64)).collect();
        let number = |key: &'static str| {
            let found = numbers.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
            found.ok_or(ReferenceError::NoTreatmentNumber { treatment: constraints.treatment, number: key })
        };
        match constraints.treatment {
            "staggered" => Ok(Treatment::Staggered {
                eps: number("eps")?,
                gamma: number("gamma")?,
                beta: number("beta")?,
                eps_relative: number("eps_relative")?,
            }),
            "staggered_as_printed" => Ok(Treatment::StaggeredAsPrinted {
                eps: number("eps")?,
                gamma: number("gamma")?,
                corrected: constraints.options.flag("corrected", false),
            }),
            "staggered_once_integrated" => Ok(Treatment::StaggeredOnceIntegrated {
                eps: number("eps")?,
                eps_relative: number("eps_relative")?,
            }),
            "exact" => Ok(Treatment::Exact),
            "partition" => Ok(Treatment::Partition { independent: number("independent")? }),
            "baumgarte" => Ok(Treatment::Baumgarte { gamma: number("gamma")?, beta: number("beta")? }),
            "penalty" => Ok(Treatment::Penalty { eps: number("eps")?, damping: number("damping")? }),
            name => Err(ReferenceError::NoTreatment { name }),
        }
    }

    /// Whether its multipliers are integrated from step to step.
    pub fn carries(&self) -> bool {
        matches!(
            self,
            Treatment::Staggered { .. }
                | Treatment::StaggeredAsPrinted { .. }
                | Treatment::StaggeredOnceIntegrated { .. }
        )
    }

    /// Whether it solves for the multipliers as mu stands, without the rows that a plan found to be
    /// redundant.
    pub fn solves(&self) -> bool {
        matches!(self, Treatment::Exact | Treatment::Partition { .. } | Treatment::Baumgarte { .. })
    }

    /// Returns the treatment that finds multipliers that have no history.
    pub fn without_history(&self) -> Treatment {
        match *self {
            Treatment::StaggeredAsPrinted { gamma, .. } => Treatment::WithoutHistory { gamma: Some(gamma) },
            _ => self.of_multipliers_alone(),
        }
    }

    /// As [`without_history`](Self::without_history), with nothing behind the multipliers.
    pub(crate) fn of_multipliers_alone(&self) -> Treatment {
        if self.carries() { Treatment::WithoutHistory { gamma: None } } else { *self }
    }

    /// The multipliers, and r behind them where it is carried too; `before` the same `tau` (s)
    /// earlier.
    pub fn multipliers(&self, demand: &Demand, tau: f64, before: &DVector<f64>) -> DVector<f64> {
        let Demand { mu, r, rate, violation, within, truncation } = demand;
        match *self {
            Treatment::Staggered { eps, gamma, beta, eps_relative } => {
                let compliance = mu.diagonal().map(|entry| eps + eps_relative * tau * entry);
                let matrix = DMatrix::from_diagonal(&compliance) + mu * tau;
                let right = before.component_mul(&compliance) + (r + rate * gamma + violation * beta) * tau;
                matrix.lu().solve(&right).unwrap_or_else(|| DVector::repeat(r.len(), f64::NAN))
            }
            Treatment::WithoutHistory { gamma } => {
                let grown = mu.diagonal().map(|entry| START_GROWTH * entry + START_LEAST);
                let factors = (mu + DMatrix::from_diagonal(&grown)).lu();
                let solved = |right: &DVector<f64>| {
                    factors.solve(right).unwrap_or_else(|| DVector::repeat(r.len(), f64::NAN))
                };
                let near = solved(r);
                let left = r - mu * &near;
                let multipliers = near + solved(&left);
                match gamma {
                    Some(gamma) => stacked(&multipliers, &(r + rate * gamma)),
                    None => multipliers,
                }
            }
            Treatment::StaggeredAsPrinted { eps, gamma, corrected } => {
                let r = r + rate * gamma;
                let (before, r_before) = (before.rows(0, r.len()), before.rows(r.len(), r.len()));
                let matrix = DMatrix::identity(r.len(), r.len()) * eps + mu * (tau / 2.0);
                let c = if corrected { tau / 4.0 } else { tau / 2.0 };
                let right = before * eps + (r_before + &r) * c;
                let middle = matrix.lu().solve(&right);
                let middle = middle.unwrap_or_else(|| DVector::repeat(r.len(), f64::NAN));
                stacked(&(middle * 2.0 - before), &r)
            }
            Treatment::StaggeredOnceIntegrated { eps, eps_relative } => {
                // (E + tau^2 mu) lam = E lam_before + tau (B u' + tau r)
                let squared = mu * (tau * tau);
                let compliance = squared.diagonal().map(|entry| eps + eps_relative * entry);
                let right = before.component_mul(&compliance) + (rate + r * tau) * tau;
                let matrix = DMatrix::from_diagonal(&compliance) + squared;
                matrix.lu().solve(&right).unwrap_or_else(|| DVector::repeat(r.len(), f64::NAN))
            }
            Treatment::Exact | Treatment::Partition { .. } => truncated_solve(mu, r, *truncation),
            Treatment::Baumgarte { gamma, beta } => {
                truncated_solve(mu, &(r + rate * gamma + violation * beta), *truncation)
            }
            Treatment::Penalty { eps, damping } if *within == 0.0 || damping == 0.0 => {
                violation / eps + rate * damping
            }
            // lam = Phi/eps + damping (B u' + h/2 (r - mu lam))
            Treatment::Penalty { eps, damping } => {
                let half = within / 2.0;
                let matrix = DMatrix::identity(r.len(), r.len()) + mu * (damping * half);
                let right = violation / eps + (rate + r * half) * damping;
                matrix.lu().solve(&right).unwrap_or_else(|| DVector::repeat(r.len(), f64::NAN))
            }
        }
    }
}

fn stacked(first: &DVector<f64>, second: &DVector<f64>) -> DVector<f64> {
    DVector::from_iterator(first.len() + second.len(), first.iter().chain(second).copied())
}

/// `lam` with `mu lam = r`, by the eigenvalues of mu scaled to a unit diagonal, those left out that
/// are below `truncation` of the largest: of all solutions the one of least norm, each multiplier
/// multiplied by the root of its entry of the diagonal.
pub(crate) fn truncated_solve(mu: &DMatrix<f64>, r: &DVector<f64>, truncation: f64) -> DVector<f64> {
    if r.is_empty() {
        return DVector::zeros(0);
    }
    if !mu.iter().chain(r).all(|x| x.is_finite()) {
        return DVector::repeat(r.len(), f64::NAN);
    }
    // A row on which no body can act has a zero diagonal, and no multiplier.
    let scale = mu.diagonal().map(|x| if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 });
    let scaled = DMatrix::from_fn(r.len(), r.len(), |i, j| scale[i] * mu[(i, j)] * scale[j]);
    // The scaled entries are at most one, or come of an overflow. The number of iterations is
    // bounded all the same.
    let none = || DVector::repeat(r.len(), f64::NAN);
    if !scaled.iter().all(|x| x.is_finite()) {
        return none();
    }
    let Some(eigen) = SymmetricEigen::try_new(scaled, f64::EPSILON, 100 * (r.len() + 1)) else {
        return none();
    };
    let least = truncation * eigen.eigenvalues.amax();
    let mut along = eigen.eigenvectors.transpose() * r.component_mul(&scale);
    for (part, eigenvalue) in along.iter_mut().zip(&eigen.eigenvalues) {
        *part = if *eigenvalue > least { *part / eigenvalue } else { 0.0 };
    }
    (eigen.eigenvectors * along).component_mul(&scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows, the third the sum of the others, of different sizes.
    fn redundant() -> Demand {
        let b =
            DMatrix::from_row_slice(3, 4, &[1.0, 0.2, 0.0, -0.3, 0.0, 1e3, 4e2, 1e2, 1.0, 1000.2, 4e2, 99.7]);
        let mu = &b * b.transpose();
        let r = &b * DVector::from_vec(vec![0.3, -0.7, 1.1, 0.4]);
        Demand {
            mu,
            r,
            rate: DVector::zeros(3),
            violation: DVector::zeros(3),
            within: 0.0,
            truncation: REDUNDANT,
        }
    }

    #[test]
    fn redundant_rows_are_solved_as_far_as_they_go() {
        let demand = redundant();
        let lam = truncated_solve(&demand.mu, &demand.r, REDUNDANT);
        assert!((&demand.mu * lam - &demand.r).amax() < 1e-9 * demand.r.amax());
    }

    #[test]
    fn a_row_on_which_nothing_acts_has_no_multiplier() {
        let mu = DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 0.0]));
        assert_eq!(
            truncated_solve(&mu, &DVector::from_vec(vec![3.0, 0.0]), REDUNDANT),
            DVector::from_vec(vec![1.5, 0.0])
        );
    }

    /// Without compliance, and without redundant rows, staggered multipliers are exact whatever
    /// came before.
    #[test]
    fn staggered_multipliers_tend_to_the_exact_ones() {
        let all = redundant();
        let demand = Demand {
            mu: all.mu.view((0, 0), (2, 2)).into(),
            r: all.r.rows(0, 2).into(),
            rate: DVector::zeros(2),
            violation: DVector::zeros(2),
            within: 0.0,
            truncation: REDUNDANT,
        };
        let before = DVector::from_vec(vec![5.0, -4.0]);
        let exact = Treatment::Exact.multipliers(&demand, 1e-3, &before);
        let near = Treatment::Staggered { eps: 1e-14, gamma: 5.0, beta: 0.0, eps_relative: 0.0 };
        assert!((near.multipliers(&demand, 1e-3, &before) - exact).amax() < 1e-9);
    }

    /// (33)/(56) leaves twice the exact multipliers as they are, whatever eps; corrected it leaves
    /// the exact ones.
    #[test]
    fn printed_multipliers_stay_at_twice_the_exact_ones() {
        let all = redundant();
        let demand = Demand {
            mu: all.mu.view((0, 0), (2, 2)).into(),
            r: all.r.rows(0, 2).into(),
            rate: DVector::zeros(2),
            violation: DVector::zeros(2),
            within: 0.0,
            truncation: REDUNDANT,
        };
        let exact = Treatment::Exact.multipliers(&demand, 1e-3, &DVector::zeros(2));
        for (corrected, times) in [(false, 2.0), (true, 1.0)] {
            for eps in [1e-2, 1e-8] {
                let form = Treatment::StaggeredAsPrinted { eps, gamma: 5.0, corrected };
                let stays = &exact * times;
                let after = |before: &DVector<f64>| {
                    form.multipliers(&demand, 1e-3, &stacked(before, &demand.r)).rows(0, 2).into_owned()
                };
                let next = after(&stays);
                assert!((&next - &stays).amax() < 1e-9, "{corrected} {eps} {next} {stays}");
                // A disturbance comes back with the other sign where eps is small.
                let disturbed = after(&(&stays * 1.1)) - next;
                let turned = (&disturbed + &stays * 0.1).amax() < 1e-3 * stays.amax();
                assert_eq!(turned, eps == 1e-8, "{corrected} {eps} {disturbed}");
            }
        }
    }
}
