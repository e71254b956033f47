//! The floating-point types that backends compute in.

use bytemuck::Pod;
use fearless_simd::SimdFloatElement;

use super::Real;

/// `f32` or `f64`: an element of a SIMD vector, of a device's buffer, and a [`Real`].
pub trait Element:
    SimdFloatElement + Real + Pod + Default + PartialOrd + Send + Sync + std::fmt::Debug
{
    const NAME: &'static str;
    /// Numbers of a state that are closer to zero than this count as zero (SI units): see
    /// [`Element::flushed`].
    ///
    /// In f64 2^-255 = 1.7e-77: a product of four larger numbers is a normal number. In f32
    /// 2^-96 = 1.3e-29, which leaves out nothing that single precision can mean in any unit, and
    /// lies nine decimal orders above the subnormal numbers.
    const TINY: Self;
    /// The largest number of a sound state. Energies are products of two such numbers and of masses
    /// or stiffnesses: in f64 a tenth of the exponents is left for these, so that what is computed
    /// of the last sound state is finite. Quantities of f32 states are computed in f64.
    const LARGEST: f64;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;

    /// The rest of a number, rounded, when its rounding is taken from it.
    fn low_of(value: f64) -> Self {
        Self::from_f64(value - Self::from_f64(value).to_f64())
    }

    /// Whether a state may hold it: a number, no larger than [`LARGEST`](Element::LARGEST).
    #[inline(always)]
    fn is_sound(self) -> bool {
        self.to_f64().abs() <= Self::LARGEST
    }

    /// Zero in the place of a number below [`Element::TINY`]; everything else, infinities and NaN
    /// too, is left as it is.
    ///
    /// A number that decays would end among the subnormal numbers and stay there, since a twentieth
    /// less than the smallest of them is rounded back to it. Many processors take a hundred cycles
    /// for each operation on such numbers.
    #[inline(always)]
    fn flushed(self) -> Self {
        if self < Self::TINY && self > -Self::TINY { Self::default() } else { self }
    }
}

impl Element for f32 {
    const NAME: &'static str = "f32";
    const TINY: f32 = 1.0 / (1_u128 << 96) as f32;
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
    // 2^-255
    const TINY: f64 = 1.0 / ((1_u128 << 127) as f64 * (1_u128 << 127) as f64 * 2.0);
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
