//! The floating-point types that backends compute in.

use bytemuck::Pod;
use fearless_simd::SimdFloatElement;

use super::Real;

/// `f32` or `f64`: an element of a SIMD vector, of a device's buffer, and a [`Real`].
pub trait Element:
    SimdFloatElement + Real + Pod + Default + PartialOrd + Send + Sync + std::fmt::Debug
{
    const NAME: &'static str;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
}

impl Element for f32 {
    const NAME: &'static str = "f32";
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
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}
