//! The scalar that physics and methods are written over.
//!
//! One source of physics, several instantiations: `f32` and `f64` advance one instance, [`Lanes`] a SIMD vector of
//! instances, [`Traced`] records the computation as an expression graph from which a GPU kernel is printed.
//! Nothing written over `Real` may branch on a value; that one discipline serves SIMD and GPU alike.

mod lanes;
pub mod traced;

use std::ops::{Add, Div, Mul, Neg, Sub};

pub use lanes::{Element, Lanes};
pub use traced::Traced;

/// A real number, or many side by side, or the record of how one would be computed.
///
/// The three multiply-add forms are operations of their own, because whether they round once or twice is a property
/// of the instantiation, and because the count of operations depends on it.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The constant `value`, rounded to this precision. `self` only says where: which lanes, which recording.
    fn lift(self, value: f64) -> Self;
    /// `self * b + c`
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `self * b - c`
    fn mul_sub(self, b: Self, c: Self) -> Self;
    /// `c - self * b`
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! scalar {
    ($t:ty) => {
        /// One instance. Multiply-adds round twice, as on a GPU that does not fuse.
        impl Real for $t {
            #[inline(always)]
            fn lift(self, value: f64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                self * b - c
            }
            #[inline(always)]
            fn neg_mul_add(self, b: Self, c: Self) -> Self {
                c - self * b
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
        }
    };
}

scalar!(f32);
scalar!(f64);
