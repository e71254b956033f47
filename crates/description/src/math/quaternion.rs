//! Unit quaternions `q = (q0, q1, q2, q3)`, scalar first, that map body to space:
//! `v_space = Lam(q) v_body`.

use super::stumpff::stumpff;
use super::vector::{Vec3, add, cross, cross_add, dot, length, scale};
use crate::real::Real;

/// A quaternion, scalar first.
pub type Quat<R> = [R; 4];

/// `q o (0, a)`, without the factor 1/2 of the kinematic equation.
#[inline]
pub fn times_vector<R: Real>(q: Quat<R>, a: Vec3<R>) -> Quat<R> {
    [
        -(q[3].mul_add(a[2], q[2].mul_add(a[1], q[1] * a[0]))),
        q[3].neg_mul_add(a[1], q[2].mul_add(a[2], q[0] * a[0])),
        q[1].neg_mul_add(a[2], q[3].mul_add(a[0], q[0] * a[1])),
        q[2].neg_mul_add(a[0], q[1].mul_add(a[1], q[0] * a[2])),
    ]
}

/// `q o (0, a) + base`, one product added at a time (see [`cross_add`]).
#[inline]
pub fn times_vector_add<R: Real>(q: Quat<R>, a: Vec3<R>, base: Quat<R>) -> Quat<R> {
    [
        q[3].neg_mul_add(a[2], q[2].neg_mul_add(a[1], q[1].neg_mul_add(a[0], base[0]))),
        q[3].neg_mul_add(a[1], q[2].mul_add(a[2], q[0].mul_add(a[0], base[1]))),
        q[1].neg_mul_add(a[2], q[3].mul_add(a[0], q[0].mul_add(a[1], base[2]))),
        q[2].neg_mul_add(a[0], q[1].mul_add(a[1], q[0].mul_add(a[2], base[3]))),
    ]
}

/// `|q|^2`
#[inline]
pub fn norm_squared<R: Real>(q: Quat<R>) -> R {
    q[3].mul_add(q[3], q[2].mul_add(q[2], q[1].mul_add(q[1], q[0] * q[0])))
}

/// `q / |q|`
#[inline]
pub fn unit<R: Real>(q: Quat<R>) -> Quat<R> {
    let r = (q[0].lift(1.0) / norm_squared(q).sqrt()).near_one();
    [q[0] * r, q[1] * r, q[2] * r, q[3] * r]
}

/// `q / |q|` of a quaternion that is a unit one to rounding, by one step of Newton's iteration for
/// `1/sqrt(|q|^2)` from 1:
///
/// ```text
/// q (3/2 - |q|^2/2)
/// ```
///
/// It leaves 3/8 of the square of what `|q|^2` is off by: of rounding nothing. It takes neither a
/// root nor a division, which cost a processor as much as all else of a step.
#[inline]
pub(crate) fn renormalised<R: Real>(q: Quat<R>) -> Quat<R> {
    let half = q[0].lift(0.5);
    let r = half.neg_mul_add(norm_squared(q), q[0].lift(1.5)).near_one();
    [q[0] * r, q[1] * r, q[2] * r, q[3] * r]
}

/// `q / |q|` nearly, of a quaternion on the way of a step, by Halley's rational step of order 5 for
/// `1/sqrt(n)` from 1, `n = |q|^2`:
///
/// ```text
/// q (5 + 10 n + n^2) / (1 + 10 n + 5 n^2)
/// ```
///
/// It leaves `(n - 1)^5/512`, of a stage that turns by an angle a (rad) at most `a^10/2^19`, and
/// stays between `1/5` and 5 for any n, where Newton's step changes its sign at 3. A division, and
/// no root, which costs a processor twice as much.
#[inline]
pub fn direction<R: Real>(q: Quat<R>) -> Quat<R> {
    let (n, one, five, ten) = (norm_squared(q), q[0].lift(1.0), q[0].lift(5.0), q[0].lift(10.0));
    let r = (n + ten).mul_add(n, five) / five.mul_add(n, ten).mul_add(n, one);
    [q[0] * r, q[1] * r, q[2] * r, q[3] * r]
}

/// The midpoint (Cayley) update `q o Cay(h w)`, renormalised, with `a = h w / 4`, in 53 operations
/// (PCD90 (54), with /16).
///
/// `Cay(v) = ((1-|v|^2/16), v/2) / (1+|v|^2/16)`; with `d = 2/(1+|a|^2)` this is
/// `d (q + q o (0,a)) - q`: the midpoint attitude, doubled, minus the old one. The map keeps the
/// norm, so that of a unit `q` it leaves a unit quaternion to rounding.
#[inline]
pub fn cayley<R: Real>(q: Quat<R>, a: Vec3<R>) -> Quat<R> {
    let one = q[0].lift(1.0);
    let d = q[0].lift(2.0) / a[2].mul_add(a[2], a[1].mul_add(a[1], a[0].mul_add(a[0], one)));
    let p = times_vector_add(q, a, q);
    renormalised([d.mul_sub(p[0], q[0]), d.mul_sub(p[1], q[1]), d.mul_sub(p[2], q[2]), d.mul_sub(p[3], q[3])])
}

/// The exponential update `q o Exp(v)`, renormalised, `Exp(v) = (cos(|v|/2), v sin(|v|/2)/|v|)`,
/// for rotation vectors `v` up to a whole turn (see [`stumpff`]).
#[inline]
pub fn exponential<R: Real>(q: Quat<R>, v: Vec3<R>) -> Quat<R> {
    let half = scale(q[0].lift(0.5), v);
    let x = dot(half, half);
    let (c, a) = (stumpff(0, x), scale(stumpff(1, x), half));
    renormalised(times_vector_add(q, a, [q[0] * c, q[1] * c, q[2] * c, q[3] * c]))
}

/// `Lam(q) v`: body components to space components.
#[inline]
pub fn to_space<R: Real>(q: Quat<R>, v: Vec3<R>) -> Vec3<R> {
    to_space_add(q, v, [q[0].lift(0.0); 3])
}

/// `Lam(q) v + base`
#[inline]
pub fn to_space_add<R: Real>(q: Quat<R>, v: Vec3<R>, base: Vec3<R>) -> Vec3<R> {
    let u = [q[1], q[2], q[3]];
    let t = scale(q[0].lift(2.0), cross(u, v));
    let c = cross_add(u, t, base);
    add([q[0].mul_add(t[0], c[0]), q[0].mul_add(t[1], c[1]), q[0].mul_add(t[2], c[2])], v)
}

/// `Lam(q)^T v`: space components to body components.
#[inline]
pub fn to_body<R: Real>(q: Quat<R>, v: Vec3<R>) -> Vec3<R> {
    let u = [q[1], q[2], q[3]];
    let t = scale(q[0].lift(2.0), cross(u, v));
    let c = cross_add(u, t, v);
    [q[0].neg_mul_add(t[0], c[0]), q[0].neg_mul_add(t[1], c[1]), q[0].neg_mul_add(t[2], c[2])]
}

/// `vec(p^* o q)`: with `q = pdot`, half the angular velocity in body axes.
#[inline]
pub fn conjugate_vector<R: Real>(p: Quat<R>, q: Quat<R>) -> Vec3<R> {
    let product = product(inverse(p), q);
    [product[1], product[2], product[3]]
}

/// `p o q`
#[inline]
pub fn product<R: Real>(p: Quat<R>, q: Quat<R>) -> Quat<R> {
    times_vector_add(p, [q[1], q[2], q[3]], [p[0] * q[0], p[1] * q[0], p[2] * q[0], p[3] * q[0]])
}

/// `q^-1` of a unit quaternion.
#[inline]
pub fn inverse<R: Real>(q: Quat<R>) -> Quat<R> {
    [q[0], -q[1], -q[2], -q[3]]
}

/// The angle between two attitudes (rad), at most half a turn.
#[inline]
pub fn angle(p: Quat<f64>, q: Quat<f64>) -> f64 {
    let [c, v @ ..] = product(inverse(p), q);
    2.0 * length(v).atan2(c.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const Q: Quat<f64> = [0.8, 0.2, -0.4, 0.4];

    #[test]
    fn rotations_invert_each_other_and_keep_length() {
        let v = [1.0, -2.0, 3.0];
        let s = to_space(Q, v);
        let b = to_body(Q, s);
        for i in 0..3 {
            assert!((b[i] - v[i]).abs() < 1e-15);
        }
        assert!((dot(s, s) - dot(v, v)).abs() < 1e-14);
    }

    #[test]
    fn a_quarter_turn_about_the_third_axis_takes_e1_to_e2() {
        let r = std::f64::consts::FRAC_1_SQRT_2;
        let s = to_space([r, 0.0, 0.0, r], [1.0, 0.0, 0.0]);
        assert!((s[0]).abs() < 1e-15 && (s[1] - 1.0).abs() < 1e-15 && s[2].abs() < 1e-15);
    }

    #[test]
    fn the_product_composes_rotations() {
        let p = unit([0.3, -0.5, 0.1, 0.7]);
        let v = [0.3, 0.7, -1.1];
        let one = to_space(product(p, Q), v);
        let two = to_space(p, to_space(Q, v));
        for i in 0..3 {
            assert!((one[i] - two[i]).abs() < 1e-15);
        }
    }

    #[test]
    fn angles_do_not_depend_on_the_sign_of_a_quaternion() {
        let half = 0.4f64;
        let (one, turned) = ([1.0, 0.0, 0.0, 0.0], [half.cos(), 0.0, half.sin(), 0.0]);
        for q in [turned, turned.map(|x| -x)] {
            assert!((angle(one, q) - 0.8).abs() < 1e-15);
            assert!(angle(turned, q) < 1e-15);
        }
    }

    #[test]
    fn directions_are_unit_quaternions_to_the_fifth_order() {
        let off = |n: f64| 1.0 - norm_squared(direction(Q.map(|x| x * n.sqrt()))).sqrt();
        for n in [0.5, 0.9, 1.01, 1.1, 1.5] {
            let (error, expected) = (off(n), (1.0 - n) * (1.0f64 - n).powi(4) / 512.0);
            assert!(
                (error.abs() / expected.abs()).ln().abs() < 5.0 * f64::abs(n - 1.0) || error.abs() < 1e-15,
                "{n}: {error} {expected}"
            );
        }
        // Far off it is of some length, and never turned about.
        for n in [1e-3, 0.1, 5.0, 1e3] {
            let d = direction(Q.map(|x| x * f64::sqrt(n)));
            assert!(
                dot([d[1], d[2], d[3]], [Q[1], Q[2], Q[3]]) > 0.0
                    && norm_squared(d) > 0.02
                    && norm_squared(d) < 50.0,
                "{n}"
            );
        }
    }

    #[test]
    fn the_exponential_update_turns_by_the_length_of_its_vector() {
        for angle in [0.0, 1e-9, 0.1, 1.0, 3.0, 6.0] {
            let q = exponential([1.0, 0.0, 0.0, 0.0], [0.0, angle, 0.0]);
            assert!((2.0 * f64::atan2(q[2], q[0]) - angle).abs() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn the_cayley_update_turns_by_four_atan_of_a_quarter() {
        // Cay(v) turns about v by the angle 4 atan(|v|/4): tan(angle/4) = |v|/4.
        let q = cayley([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.1]);
        let angle = 2.0 * f64::atan2(q[3], q[0]);
        assert!((angle - 4.0 * 0.1f64.atan()).abs() < 1e-15);
    }
}
