//! Energy and angular momentum that an instance started with, from which drifts are measured.

use crate::backend::Plan;
use crate::kinematics::body::Motion;
use crate::math::vector::Vec3;
use crate::real::Real;

/// Count of the numbers in a baseline.
pub(super) const NUMBERS: usize = 5;

/// Energy and angular momentum at the start.
#[derive(Clone, Copy, Debug)]
pub struct Baseline<R> {
    /// T0 + V0 (J).
    pub(super) energy: R,
    /// T0 + |V0| (J); 0 where that is [nothing](crate::model::Model::start_energies).
    pub(super) energy_scale: R,
    /// H0, space axes (kg m²/s).
    pub(super) momentum: Vec3<R>,
}

impl<R: Real> Baseline<R> {
    /// Returns the baseline of an instance that starts with these motions.
    pub(super) fn new(
        plan: &Plan,
        motions: &[Motion<R>],
        parameter: &impl Fn(usize) -> R,
        memory: &[R],
    ) -> Self {
        let [energy, energy_scale] = plan.model.start_energies(parameter, memory, motions);
        Baseline { energy, energy_scale, momentum: plan.model.angular_momentum(motions, parameter) }
    }

    pub(super) fn from_numbers(number: impl Fn(usize) -> R) -> Self {
        Baseline { energy: number(0), energy_scale: number(1), momentum: [2, 3, 4].map(number) }
    }

    /// In the order of [`from_numbers`](Self::from_numbers).
    pub(super) fn numbers(self) -> [R; NUMBERS] {
        let [x, y, z] = self.momentum;
        [self.energy, self.energy_scale, x, y, z]
    }
}

/// The baselines of some instances: `[number][instance]`.
#[derive(Clone, Debug)]
pub struct Baselines(pub(super) [Vec<f64>; NUMBERS]);

impl Baselines {
    /// Returns the baselines of so many instances, all zero.
    pub fn new(instances: usize) -> Baselines {
        Baselines(std::array::from_fn(|_| vec![0.0; instances]))
    }

    /// A number of all instances, by its place in [`Baseline::numbers`].
    pub fn number(&self, number: usize) -> &[f64] {
        &self.0[number]
    }

    /// Number of instances.
    pub fn instances(&self) -> usize {
        self.0[0].len()
    }
}

/// Less than this (J, or kg m²/s) is what rounding leaves of nothing: springs at rest
/// start with some 1e-32 J.
const NOTHING: f64 = 1e-27;

/// 1 where a change can be compared with `value`, else 0.
pub(super) fn is_something<R: Real>(value: R) -> R {
    value.lift(NOTHING).select_less(value, value.lift(1.0), value.lift(0.0))
}

/// The change as a share of `scale`, where this [is something](is_something); elsewhere the change
/// itself.
pub(super) fn relative<R: Real>(change: R, scale: R) -> R {
    change / scale.lift(NOTHING).select_less(scale, scale, scale.lift(1.0))
}
