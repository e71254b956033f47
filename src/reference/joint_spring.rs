//! Springs, dampers, actuators and stops at a joint's coordinate s.
//!
//! ```text
//! spring  Q = -k (s - rest) - c sdot + f(t)                                     V = k/2 (s - rest)²
//! stop    Q = -k (s - high) - c sdot for s > high, alike for s < low, else 0    V = k/2 excess²
//! ```
//!
//! What acts on the bodies is `Q B^T`, B the coordinate's derivative by the velocities.

use crate::describe::Expression;

use super::function;
use super::series::Series;

/// What acts at a coordinate.
#[derive(Clone, Debug)]
pub struct JointSpring {
    /// Position in the system's list of coordinates.
    pub coordinate: usize,
    /// (N m/rad or N/m)
    pub stiffness: f64,
    /// (N m s/rad or N s/m)
    pub damping: f64,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// rest (rad or m), actuator (N m or N)
    Spring { rest: f64, actuator: Expression },
    /// (rad or m)
    Stop { low: f64, high: f64 },
}

impl JointSpring {
    /// Q (N m or N). `s`: value at the positions, rate with the velocities that dampers see.
    pub fn force(&self, s: Series<f64>, time: f64, constants: &[f64]) -> f64 {
        let resisting = -self.stiffness * self.excess(s.value) - self.damping * s.rate;
        match &self.kind {
            Kind::Spring { actuator, .. } => resisting + function::at(actuator, time, constants).value,
            Kind::Stop { low, high } if (*low..=*high).contains(&s.value) => 0.0,
            Kind::Stop { .. } => resisting,
        }
    }

    /// `-dQ/dsdot` where the coordinate is s (N m s/rad or N s/m).
    pub fn resistance(&self, s: f64) -> f64 {
        match &self.kind {
            Kind::Stop { low, high } if (*low..=*high).contains(&s) => 0.0,
            Kind::Stop { .. } | Kind::Spring { .. } => self.damping,
        }
    }

    /// V (J).
    pub fn energy(&self, s: f64) -> f64 {
        0.5 * self.stiffness * self.excess(s).powi(2)
    }

    /// By how much the spring is wound.
    fn excess(&self, s: f64) -> f64 {
        match self.kind {
            Kind::Spring { rest, .. } => s - rest,
            Kind::Stop { low, high } => (s - high).max(0.0) + (s - low).min(0.0),
        }
    }

    /// Where its force is not smooth.
    pub fn limits(&self) -> Vec<f64> {
        match self.kind {
            Kind::Spring { .. } => Vec::new(),
            Kind::Stop { low, high } => [low, high].into_iter().filter(|limit| limit.is_finite()).collect(),
        }
    }
}
