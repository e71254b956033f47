//! The time that a run is foretold to take on a backend, or has taken.

use crate::base::quantity;

/// The parts of a time (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// The device is opened, and the kernel compiled.
    pub preparing: f64,
    /// Snapshots pass between device and host.
    pub waiting: f64,
    pub stepping: f64,
}

impl Forecast {
    pub fn total(&self) -> f64 {
        self.preparing + self.waiting + self.stepping
    }

    /// For example `about 0.84 s`.
    pub fn sentence(&self) -> String {
        format!("about {}", quantity(self.total(), 2, "s"))
    }
}
