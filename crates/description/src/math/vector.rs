//! Vectors of three components.

use crate::real::Real;

/// x, y, z.
pub type Vec3<R> = [R; 3];

/// `a + b`
#[inline]
pub fn add<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`
#[inline]
pub fn sub<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `s a`
#[inline]
pub fn scale<R: Real>(s: R, a: Vec3<R>) -> Vec3<R> {
    [s * a[0], s * a[1], s * a[2]]
}

/// `s a + b`
#[inline]
pub fn scale_add<R: Real>(s: R, a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    [s.mul_add(a[0], b[0]), s.mul_add(a[1], b[1]), s.mul_add(a[2], b[2])]
}

/// Component by component, `a b + c`
#[inline]
pub fn mul_add<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> Vec3<R> {
    [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1]), a[2].mul_add(b[2], c[2])]
}

/// Component by component, `a b`
#[inline]
pub fn times<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// `a . b`
#[inline]
pub fn dot<R: Real>(a: Vec3<R>, b: Vec3<R>) -> R {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

/// `|a|`
#[inline]
pub fn length<R: Real>(a: Vec3<R>) -> R {
    dot(a, a).sqrt()
}

/// `a x b + c`, one product added at a time. Mesa turns `(x y + z u) + c` into `(x y + c) + z u`,
/// which rounds otherwise, and `x y + x z` into `x (y + z)`: where kernels come from, a sum of two
/// products is never added to what is no product, and two products with a common factor are never
/// added.
#[inline]
pub fn cross_add<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> Vec3<R> {
    [
        a[2].neg_mul_add(b[1], a[1].mul_add(b[2], c[0])),
        a[0].neg_mul_add(b[2], a[2].mul_add(b[0], c[1])),
        a[1].neg_mul_add(b[0], a[0].mul_add(b[1], c[2])),
    ]
}

/// `a x b`
#[inline]
pub fn cross<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    [a[1].mul_sub(b[2], a[2] * b[1]), a[2].mul_sub(b[0], a[0] * b[2]), a[0].mul_sub(b[1], a[1] * b[0])]
}
