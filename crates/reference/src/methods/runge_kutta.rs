//! Explicit Runge-Kutta methods by their tables, on position, velocity, quaternion and angular
//! velocity.
//!
//! All stages take loads mean[0, 1], and functions of time at their own instants; the quaternion is
//! normalised at the end of the step, not in between.

use nalgebra::DVector;

use super::super::body::Motion;
use super::super::rotation::unit;
use super::super::system::MultibodySystem;
use super::super::treatment::Treatment;
use super::integrator::{SystemIntegrator, instant};

/// The estimate of the error that a table has.
#[derive(Clone, Copy, Debug)]
pub enum Estimate {
    /// Weights of the rates of all stages, and of one at the end of the step.
    AtTheEnd(&'static [f64]),
    /// `err5² / sqrt(err5² + 0.01 err3²)`, from the weights of the rates in both.
    OfTwo(&'static [f64], &'static [f64]),
}

/// Row i of `a` has the weights of the rates 0 to i - 1 in stage i, `c` the nodes of the stages,
/// `b` the weights of the solution.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    pub a: &'static [&'static [f64]],
    pub b: &'static [f64],
    pub c: &'static [f64],
    /// By which steps of its own are chosen, where they are.
    pub estimate: Option<Estimate>,
}

/// A method with this table, and where it is.
pub struct RungeKutta {
    table: &'static Table,
    treatment: Treatment,
    now: Vec<Motion>,
}

impl RungeKutta {
    pub fn new(table: &'static Table, treatment: Treatment, start: &[Motion]) -> RungeKutta {
        RungeKutta { table, treatment, now: start.to_vec() }
    }
}

impl SystemIntegrator for RungeKutta {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let y = system.flat(&self.now);
        let mut rates: Vec<DVector<f64>> = Vec::new();
        for (weights, c) in self.table.a.iter().zip(self.table.c) {
            let stage = &y + h * sum(y.len(), weights, &rates);
            rates.push(system.rate(&stage, &instant(system, k, h, 0.0, 1.0, *c), &self.treatment));
        }
        let end = system.from_flat(&(&y + h * sum(y.len(), self.table.b, &rates)));
        self.now = end.into_iter().map(|end| Motion { attitude: unit(end.attitude), ..end }).collect();
    }

    fn motions(&self) -> Vec<Motion> {
        self.now.clone()
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.now = motions.to_vec();
    }
}

/// The weighted sum of the rates.
pub fn sum(length: usize, weights: &[f64], rates: &[DVector<f64>]) -> DVector<f64> {
    let terms = weights.iter().zip(rates);
    terms.fold(DVector::zeros(length), |sum, (weight, rate)| sum + rate * *weight)
}

#[cfg(test)]
impl Table {
    /// The rows add up to the nodes, and the weights integrate polynomials below the order over the
    /// step: a wrong digit in either shows.
    pub fn assert_order(&self, order: i32) {
        for (weights, c) in self.a.iter().zip(self.c) {
            assert!((weights.iter().sum::<f64>() - c).abs() < 1e-14, "{c}");
        }
        for power in 0..order {
            let sum: f64 = self.b.iter().zip(self.c).map(|(b, c)| b * c.powi(power)).sum();
            assert!((sum - 1.0 / f64::from(power + 1)).abs() < 1e-14, "{power}: {sum}");
        }
    }
}
