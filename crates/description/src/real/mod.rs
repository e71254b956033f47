//! The scalar that physics and methods are written over.
//!
//! One source of physics, several instantiations: `f32` and `f64` advance one instance; [`Traced`]
//! records the computation as an expression graph, from which backends make what advances
//! ensembles: a GPU kernel as text, machine code or SIMD instructions on a CPU; [`Dual`] adds the
//! tangent to any of them. Nothing written over `Real` may branch on a value; that one discipline
//! serves all.

mod dual;
mod element;
mod per_scalar;
pub mod traced;

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::base::Precision;
pub use dual::Dual;
pub use element::Element;
pub use per_scalar::{OverScalars, PerScalar};
pub use traced::Traced;

/// A real number, or many side by side, or the record of how one would be computed.
///
/// The three multiply-add forms are operations of their own, because whether they round once or
/// twice is a property of the instantiation, and because the count of operations depends on it.
pub trait Real:
    Copy
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The constant `value`, rounded to this precision. `self` only says where: which lanes, which
    /// recording.
    fn lift(self, value: f64) -> Self;
    /// `self * b + c`
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `self * b - c`
    fn mul_sub(self, b: Self, c: Self) -> Self;
    /// `c - self * b`
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The largest integer that is not above it.
    fn floor(self) -> Self;
    /// `yes` where `self < b`, else `no`; `no` where one of the two is NaN. Both are computed: this
    /// is no branch.
    fn select_less(self, b: Self, yes: Self, no: Self) -> Self;
    /// The precision in which this is rounded: series are as long as it needs.
    fn precision(self) -> Precision;
    /// This, which is 1 but for rounding or the error of a step: a factor that changes a sum of two
    /// numbers by little. Elsewhere it is this.
    fn near_one(self) -> Self {
        self
    }
    /// Whether products with this may be left out: a plain number that is zero, or a record of the
    /// constant 0. Recorded products of that kind fold away by themselves; large systems of
    /// equations skip them to save the time.
    fn is_known_zero(self) -> bool;
}

macro_rules! scalar {
    ($t:ty, $precision:expr) => {
        /// One instance. Multiply-adds round twice, as on a GPU that does not fuse.
        impl Real for $t {
            #[inline]
            fn lift(self, value: f64) -> Self {
                value as $t
            }
            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            #[inline]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                self * b - c
            }
            #[inline]
            fn neg_mul_add(self, b: Self, c: Self) -> Self {
                c - self * b
            }
            #[inline]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline]
            fn floor(self) -> Self {
                <$t>::floor(self)
            }
            #[inline]
            fn select_less(self, b: Self, yes: Self, no: Self) -> Self {
                if self < b { yes } else { no }
            }
            #[inline]
            fn precision(self) -> Precision {
                $precision
            }
            #[inline]
            fn is_known_zero(self) -> bool {
                self == 0.0
            }
        }
    };
}

scalar!(f32, Precision::F32);
scalar!(f64, Precision::F64);
