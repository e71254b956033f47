//! Numbers with a derivative: running generic code over [`Dual`] gives the value and, exactly, how
//! it changes along one direction of its inputs. Over `Dual<Traced>` it records a step together
//! with its tangent.
//!
//! ```text
//! (x + e x')(y + e y') = x y + e (x' y + x y'),   e^2 = 0
//! ```

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Real;
use crate::base::Precision;

/// A value and its derivative along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<R> {
    pub value: R,
    pub tangent: R,
}

impl<R: Real> Dual<R> {
    /// A number that does not change.
    pub fn constant(value: R) -> Self {
        Self { value, tangent: value.lift(0.0) }
    }
}

impl<R: Real> Add for Dual<R> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, tangent: self.tangent + other.tangent }
    }
}

impl<R: Real> Sub for Dual<R> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, tangent: self.tangent - other.tangent }
    }
}

impl<R: Real> Mul for Dual<R> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            tangent: self.tangent.mul_add(other.value, self.value * other.tangent),
        }
    }
}

impl<R: Real> Div for Dual<R> {
    type Output = Self;
    /// `(x/y)' = (x' - (x/y) y') / y`
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, tangent: value.neg_mul_add(other.tangent, self.tangent) / other.value }
    }
}

impl<R: Real> Neg for Dual<R> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, tangent: -self.tangent }
    }
}

impl<R: Real> Real for Dual<R> {
    fn lift(self, value: f64) -> Self {
        Self::constant(self.value.lift(value))
    }
    fn mul_add(self, b: Self, c: Self) -> Self {
        Self {
            value: self.value.mul_add(b.value, c.value),
            tangent: self.tangent.mul_add(b.value, self.value.mul_add(b.tangent, c.tangent)),
        }
    }
    fn mul_sub(self, b: Self, c: Self) -> Self {
        self.mul_add(b, -c)
    }
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        (-self).mul_add(b, c)
    }
    /// `sqrt(x)' = x' / (2 sqrt(x))`; at 0 it is `x'`, which is 0 there for a sum of squares: a
    /// length that is zero has no slope.
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        let zero = value.lift(0.0);
        let twice = zero.select_less(value, value + value, value.lift(1.0));
        Self { value, tangent: self.tangent / twice }
    }
    /// Constant between its jumps: its derivative is 0 everywhere, at the jumps too.
    fn floor(self) -> Self {
        Self::constant(self.value.floor())
    }
    /// Values decide, and the tangent of what is selected goes with it.
    fn select_less(self, b: Self, yes: Self, no: Self) -> Self {
        let select = |yes: R, no: R| self.value.select_less(b.value, yes, no);
        Self { value: select(yes.value, no.value), tangent: select(yes.tangent, no.tangent) }
    }
    fn precision(self) -> Precision {
        self.value.precision()
    }
    fn near_one(self) -> Self {
        Self { value: self.value.near_one(), ..self }
    }
    fn is_known_zero(self) -> bool {
        self.value.is_known_zero() && self.tangent.is_known_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn everything<R: Real>(x: R, y: R) -> R {
        let sum = x + y * y - x / y;
        sum.mul_add(x, y).mul_sub(y, x.neg_mul_add(y, -x)) / (x * x + y.lift(2.0)).sqrt()
    }

    proptest! {
        #[test]
        fn every_operation_has_its_derivative(
            x in -2.0f64..2.0, y in 0.5f64..2.0, dx in -1.0f64..1.0, dy in -1.0f64..1.0,
        ) {
            let dual = everything(Dual { value: x, tangent: dx }, Dual { value: y, tangent: dy });
            let h = 1e-5;
            let along = |s: f64| everything(x + s * dx, y + s * dy);
            prop_assert_eq!(dual.value, everything(x, y));
            let difference = (along(h) - along(-h)) / (2.0 * h);
            prop_assert!((dual.tangent - difference).abs() < 1e-7 * difference.abs().max(1.0));
        }
    }

    #[test]
    fn a_length_of_zero_has_no_slope() {
        let rest = Dual { value: 0.0, tangent: 3.0 };
        assert_eq!((rest * rest).sqrt(), Dual { value: 0.0, tangent: 0.0 });
        assert_eq!(Dual { value: 4.0, tangent: 3.0 }.sqrt(), Dual { value: 2.0, tangent: 0.75 });
    }

    #[test]
    fn what_is_selected_brings_its_tangent() {
        let (x, y) = (Dual { value: 1.5, tangent: 2.0 }, Dual { value: -0.5, tangent: 3.0 });
        assert_eq!(x.floor(), Dual { value: 1.0, tangent: 0.0 });
        assert_eq!(y.floor(), Dual { value: -1.0, tangent: 0.0 });
        assert_eq!(y.select_less(x, x, y), x);
        assert_eq!(x.select_less(y, x, y), y);
        // Values are compared, not tangents.
        let late = Dual { value: 1.5, tangent: 9.0 };
        assert_eq!(x.select_less(late, x, y), y);
        assert_eq!(x.lift(f64::NAN).select_less(x, x, y), y);
        assert_eq!(x.select_less(x.lift(f64::NAN), x, y), y);
    }
}
