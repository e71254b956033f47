//! Baumgarte's stabilisation, PCD90 (20), (21): the acceleration of a violated constraint draws it
//! back.
//!
//! ```text
//! Phi'' + 2 alpha Phi' + beta Phi = 0          of positions, gamma = 2 alpha
//! Phi' + gamma Phi = 0                         of rates: Phi is B u there
//! ```
//!
//! PCD90 speaks of errors that are critically damped and prints no numbers: beta = alpha² is what
//! makes them so. The defaults, gamma = 10/s and beta = 25/s², have alpha = 5/s; a violation at
//! rest then decays as `(1 + alpha t) e^(-alpha t)`. They are ours.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::base::Options;
use crate::real::Real;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Baumgarte;

impl Treatment for Baumgarte {
    const CARD: TreatmentCard = TreatmentCard {
        name: "baumgarte",
        source: "Baumgarte 1972; PCD90 III.B, (20), (21)",
        meaning: "mu lam = r + gamma B u + beta Phi, so that Phi'' + 2 alpha Phi' + beta Phi = 0 with gamma \
                  = 2 alpha: critically damped where beta = gamma²/4, as by default. Rows of joints that \
                  others imply are left out.",
        carries: 0,
        solves: true,
        partitions: false,
        stabilises: true,
        roles: &[],
        keys: &[
            number(
                "gamma",
                [0.0, 1e6, 10.0],
                "1/s",
                "Weight of the constraints' rate: 2 alpha of the report.",
            ),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// One row on a mass of 2 kg, disturbed by 1 m at rest: with the defaults Phi decays as
    /// (1 + alpha t) e^(-alpha t), alpha = 5/s.
    #[test]
    fn a_violation_decays_as_the_defaults_say() {
        let numbers = Baumgarte::CARD.resolved(
            &Baumgarte::CARD.given(&Options::default()),
            1e-3,
            crate::base::Precision::F64,
        );
        let coupling = 0.5;
        let acceleration = |phi: f64, rate: f64| {
            let demand = Demand {
                coupling: vec![vec![coupling]],
                acceleration: vec![0.0],
                rate: vec![rate],
                violation: vec![phi],
                within: None,
                dependent: false,
            };
            -coupling * Baumgarte.multipliers(&demand, 1e-3, &[], &numbers)[0]
        };
        let (mut phi, mut rate, h, alpha) = (1.0, 0.0, 1e-3, 5.0);
        for k in 1..=1000 {
            // The midpoint rule, explicit: its error is of the order of (alpha h)².
            let middle = (phi + 0.5 * h * rate, rate + 0.5 * h * acceleration(phi, rate));
            (phi, rate) = (phi + h * middle.1, rate + h * acceleration(middle.0, middle.1));
            let t = h * f64::from(k);
            let expected = (1.0 + alpha * t) * (-alpha * t).exp();
            assert!((phi - expected).abs() < 1e-5, "{t} s: {phi} {expected}");
        }
    }
}
