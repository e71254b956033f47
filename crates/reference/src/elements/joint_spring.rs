//! Springs, dampers and actuators at a joint's coordinate s.
//!
//! ```text
//! Q = -k (s - rest) - c sdot + f(t),   V = k/2 (s - rest)²
//! ```

use polhode_description::describe::{Expression, Force};

use super::super::function::Given;
use super::super::series::Series;
use super::AtCoordinate;

/// One spring at a coordinate.
#[derive(Clone, Debug)]
pub struct JointSpring {
    /// (N m/rad or N/m)
    pub stiffness: f64,
    /// (N m s/rad or N s/m)
    pub damping: f64,
    /// (rad or m)
    pub rest: f64,
    /// (N m or N)
    pub actuator: Expression,
}

impl JointSpring {
    pub fn new(force: &Force) -> JointSpring {
        JointSpring {
            stiffness: force.number("stiffness"),
            damping: force.number("damping"),
            rest: force.number("rest"),
            actuator: force.functions[0].clone(),
        }
    }
}

impl AtCoordinate for JointSpring {
    fn force(&self, s: Series<f64>, given: &Given) -> f64 {
        let resisting = -self.stiffness * (s.value - self.rest) - self.damping * s.rate;
        resisting + given.value(&self.actuator)
    }

    fn resistance(&self, _: Series<f64>) -> f64 {
        self.damping
    }

    fn energy(&self, s: Series<f64>) -> f64 {
        0.5 * self.stiffness * (s.value - self.rest).powi(2)
    }

    fn functions(&self) -> Vec<&Expression> {
        vec![&self.actuator]
    }
}
