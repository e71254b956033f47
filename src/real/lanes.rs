//! A SIMD vector of instances, at whatever width the processor has.
//!
//! `FUSED` chooses between the two reproducible arithmetics: multiply-add rounded once (fastest where the processor
//! has it), or rounded twice (the bits of scalar code and of a GPU that does not fuse). Every lane computes exactly
//! what one instance alone would: no operation crosses lanes.

use std::ops::{Add, Div, Mul, Neg, Sub};

use bytemuck::Pod;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdFloatElement};

use super::Real;

/// The floating-point types a backend can compute in.
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

/// One vector of native width: lane i is instance i of a group.
#[derive(Clone, Copy)]
pub struct Lanes<S: Simd, E: Element, const FUSED: bool> {
    vector: E::Native<S>,
    simd: S,
}

impl<S: Simd, E: Element, const FUSED: bool> Lanes<S, E, FUSED> {
    pub const LEN: usize = <E::Native<S> as SimdBase<S>>::LEN;

    #[inline(always)]
    pub fn load(simd: S, slice: &[E]) -> Self {
        Self { vector: E::Native::<S>::from_slice(simd, slice), simd }
    }

    #[inline(always)]
    pub fn splat(simd: S, value: E) -> Self {
        Self { vector: E::Native::<S>::splat(simd, value), simd }
    }

    #[inline(always)]
    pub fn store(self, slice: &mut [E]) {
        self.vector.store_slice(slice);
    }

    /// The lanes as a slice, in instance order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[E] {
        self.vector.as_slice()
    }

    #[inline(always)]
    fn with(self, vector: E::Native<S>) -> Self {
        Self { vector, simd: self.simd }
    }
}

macro_rules! operator {
    ($trait:ident, $f:ident, $op:tt) => {
        impl<S: Simd, E: Element, const FUSED: bool> $trait for Lanes<S, E, FUSED> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, other: Self) -> Self {
                self.with(self.vector $op other.vector)
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<S: Simd, E: Element, const FUSED: bool> Neg for Lanes<S, E, FUSED> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.with(-self.vector)
    }
}

impl<S: Simd, E: Element, const FUSED: bool> Real for Lanes<S, E, FUSED> {
    #[inline(always)]
    fn lift(self, value: f64) -> Self {
        Self::splat(self.simd, E::from_f64(value))
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let v = self.vector;
        self.with(if FUSED { v.mul_add(b.vector, c.vector) } else { v * b.vector + c.vector })
    }
    #[inline(always)]
    fn mul_sub(self, b: Self, c: Self) -> Self {
        let v = self.vector;
        self.with(if FUSED { v.mul_sub(b.vector, c.vector) } else { v * b.vector - c.vector })
    }
    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        let v = self.vector;
        self.with(if FUSED { (-v).mul_add(b.vector, c.vector) } else { c.vector - v * b.vector })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.with(self.vector.sqrt())
    }
}
