//! Stops at a joint's coordinate s.
//!
//! ```text
//! Q = -k e - (c + k d |e|) sdot for e = s - high > 0, alike for e = s - low < 0, else 0,
//! V = k/2 e²
//! ```

use polhode_description::describe::Force;

use super::super::function::Given;
use super::super::series::Series;
use super::AtCoordinate;

/// One stop.
#[derive(Clone, Debug)]
pub struct Stop {
    /// (rad or m); may be infinite
    low: f64,
    high: f64,
    /// (N m/rad or N/m)
    stiffness: f64,
    /// (N m s/rad or N s/m)
    damping: f64,
    /// d (s/rad or s/m)
    dissipation: f64,
}

impl Stop {
    pub fn new(force: &Force) -> Stop {
        Stop {
            low: force.number("low"),
            high: force.number("high"),
            stiffness: force.number("stiffness"),
            damping: force.number("damping"),
            dissipation: force.number("dissipation"),
        }
    }

    /// Returns how far s is beyond either end: positive above, negative below, 0 between them.
    fn excess(&self, s: f64) -> f64 {
        (s - self.high).max(0.0) + (s - self.low).min(0.0)
    }

    fn is_between(&self, s: f64) -> bool {
        (self.low..=self.high).contains(&s)
    }
}

impl AtCoordinate for Stop {
    fn force(&self, s: Series<f64>, _: &Given) -> f64 {
        -self.stiffness * self.excess(s.value) - self.resistance(s) * s.rate
    }

    fn resistance(&self, s: Series<f64>) -> f64 {
        if self.is_between(s.value) {
            return 0.0;
        }
        self.damping + self.stiffness * self.dissipation * self.excess(s.value).abs()
    }

    fn energy(&self, s: Series<f64>) -> f64 {
        0.5 * self.stiffness * self.excess(s.value).powi(2)
    }

    fn limits(&self) -> Vec<f64> {
        [self.low, self.high].into_iter().filter(|limit| limit.is_finite()).collect()
    }
}
