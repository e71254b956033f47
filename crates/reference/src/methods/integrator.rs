//! One body, or a mechanism, on its way by one method, and the loads of a step.

use polhode_description::base::Options;

use super::super::ReferenceError;
use super::super::body::{Motion, RigidBody};
use super::super::system::{Instant, MultibodySystem};

/// One body on its way by one method.
pub trait Integrator {
    /// From step k to k + 1, h in s.
    fn step(&mut self, body: &RigidBody, k: u64, h: f64);

    /// The motion at the step reached.
    fn motion(&self) -> Motion;

    /// Drops what drifts and starts it again at step k; methods without a second chain have nothing
    /// to drop.
    fn restart(&mut self, _body: &RigidBody, _k: u64, _h: f64) {}
}

/// A mechanism on its way by one method.
pub trait SystemIntegrator {
    /// As [`Integrator::step`].
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64);

    /// As [`Integrator::motion`], body by body.
    fn motions(&self) -> Vec<Motion>;

    /// As [`Integrator::restart`].
    fn restart(&mut self, _system: &MultibodySystem, _k: u64, _h: f64) {}

    /// Begins anew at step k from the motions reached, because forces jump there; a method that
    /// carries nothing else goes on.
    fn begin(&mut self, _system: &MultibodySystem, _k: u64, _h: f64) {}

    /// Goes on from these motions instead of those that it reached; what else it carries stays.
    fn move_to(&mut self, motions: &[Motion]);

    /// Returns the [`Instant`] at the end of step k, where a lock is found to hold too much: its
    /// loads are those of the evaluation that stands there.
    fn end(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        instant(system, k, h, 0.0, 1.0, 1.0)
    }
}

/// `mean[a, b]` for every body: every load's mean over steps k + a to k + b, functions of time at
/// step k + `at`.
pub(super) fn instant(system: &MultibodySystem, k: u64, h: f64, a: f64, b: f64, at: f64) -> Instant {
    let time = |part: f64| (k as f64 + part) * h;
    system.instant(time(a), time(b), time(at))
}

/// The option `loads`: loads that are constant by pieces enter a step by mean or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loads {
    /// By `mean[a, b]`.
    Mean,
    /// By their values at the instant for which functions of time are taken.
    AtInstants,
}

impl Loads {
    pub(super) fn read(options: &Options) -> Result<Loads, ReferenceError> {
        match options.choice("loads", "mean") {
            "mean" => Ok(Loads::Mean),
            "instant" => Ok(Loads::AtInstants),
            given => Err(ReferenceError::Loads { given }),
        }
    }

    /// As [`instant`], or with `mean[a, b]` replaced.
    pub(super) fn instant(
        self,
        system: &MultibodySystem,
        k: u64,
        h: f64,
        a: f64,
        b: f64,
        at: f64,
    ) -> Instant {
        let time = |part: f64| (k as f64 + part) * h;
        match self {
            Loads::Mean => instant(system, k, h, a, b, at),
            Loads::AtInstants => system.instant_with_loads_there(time(a), time(b), time(at)),
        }
    }
}

/// The quadrature by which the momentum conserving methods take a step's impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Impulse {
    /// Half from each end of the step; else from its middle.
    pub(super) trapezoidal: bool,
    pub(super) loads: Loads,
}

impl Impulse {
    pub(super) fn read(options: &Options, default: &'static str) -> Result<Impulse, ReferenceError> {
        let trapezoidal = match options.choice("impulse", default) {
            "trapezoidal" => true,
            "midpoint" => false,
            given => return Err(ReferenceError::Impulse { given }),
        };
        Ok(Impulse { trapezoidal, loads: Loads::read(options)? })
    }
}
