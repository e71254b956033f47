//! The floating-point types that backends compute in.

use bytemuck::Pod;
use fearless_simd::SimdFloatElement;

use super::Real;

/// `f32` or `f64`: an element of a SIMD vector, of a device's buffer, and a [`Real`].
pub trait Element:
    SimdFloatElement + Real + Pod + Default + PartialOrd + Send + Sync + std::fmt::Debug
{
    const NAME: &'static str;
    /// The largest number of a sound state. Energies are products of two such numbers and of masses or stiffnesses: in f64 a tenth of
    /// the exponents is left for these, so that what is computed of the last sound state is finite. Quantities of f32
    /// states are computed in f64.
    const LARGEST: f64;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    /// Whether a state may hold it: a number, no larger than [`LARGEST`](Element::LARGEST).
    #[inline(always)]
    fn is_sound(self) -> bool {
        self.to_f64().abs() <= Self::LARGEST
    }
}

impl Element for f32 {
    const NAME: &'static str = "f32";
    const LARGEST: f64 = f32::MAX as f64;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Element for f64 {
    const NAME: &'static str = "f64";
    const LARGEST: f64 = 1e140;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}
