//! Unit quaternions `q = (q0, q1, q2, q3)`, scalar first, that map body to space: `v_space = Lam(q) v_body`.

use super::vector::{Vec3, add, cross, cross_add, scale};
use crate::real::Real;

pub type Quat<R> = [R; 4];

/// `q o (0, a)`, without the factor 1/2 of the kinematic equation.
#[inline(always)]
pub fn times_vector<R: Real>(q: Quat<R>, a: Vec3<R>) -> Quat<R> {
    [
        -(q[3].mul_add(a[2], q[2].mul_add(a[1], q[1] * a[0]))),
        q[3].neg_mul_add(a[1], q[2].mul_add(a[2], q[0] * a[0])),
        q[1].neg_mul_add(a[2], q[3].mul_add(a[0], q[0] * a[1])),
        q[2].neg_mul_add(a[0], q[1].mul_add(a[1], q[0] * a[2])),
    ]
}

/// `|q|^2`
#[inline(always)]
pub fn norm_squared<R: Real>(q: Quat<R>) -> R {
    q[3].mul_add(q[3], q[2].mul_add(q[2], q[1].mul_add(q[1], q[0] * q[0])))
}

/// `q / |q|`
#[inline(always)]
pub fn unit<R: Real>(q: Quat<R>) -> Quat<R> {
    let r = q[0].lift(1.0) / norm_squared(q).sqrt();
    [q[0] * r, q[1] * r, q[2] * r, q[3] * r]
}

/// The midpoint (Cayley) update `unit(q o Cay(h w))` with `a = h w / 4`, in 52 operations (PCD90 (54), with /16).
///
/// `Cay(v) = ((1-|v|^2/16), v/2) / (1+|v|^2/16)`; with `d = 2/(1+|a|^2)` this is `d (q + q o (0,a)) - q`: the midpoint
/// attitude, doubled, minus the old one.
#[inline(always)]
pub fn cayley<R: Real>(q: Quat<R>, a: Vec3<R>) -> Quat<R> {
    let one = q[0].lift(1.0);
    let d = q[0].lift(2.0) / a[2].mul_add(a[2], a[1].mul_add(a[1], a[0].mul_add(a[0], one)));
    let p = [
        q[3].neg_mul_add(a[2], q[2].neg_mul_add(a[1], q[1].neg_mul_add(a[0], q[0]))),
        q[3].neg_mul_add(a[1], q[2].mul_add(a[2], q[0].mul_add(a[0], q[1]))),
        q[1].neg_mul_add(a[2], q[3].mul_add(a[0], q[0].mul_add(a[1], q[2]))),
        q[2].neg_mul_add(a[0], q[1].mul_add(a[1], q[0].mul_add(a[2], q[3]))),
    ];
    unit([d.mul_sub(p[0], q[0]), d.mul_sub(p[1], q[1]), d.mul_sub(p[2], q[2]), d.mul_sub(p[3], q[3])])
}

/// `Lam(q) v`: body components to space components.
#[inline(always)]
pub fn to_space<R: Real>(q: Quat<R>, v: Vec3<R>) -> Vec3<R> {
    to_space_add(q, v, [q[0].lift(0.0); 3])
}

/// `Lam(q) v + base`
#[inline(always)]
pub fn to_space_add<R: Real>(q: Quat<R>, v: Vec3<R>, base: Vec3<R>) -> Vec3<R> {
    let u = [q[1], q[2], q[3]];
    let t = scale(q[0].lift(2.0), cross(u, v));
    let c = cross_add(u, t, base);
    add([q[0].mul_add(t[0], c[0]), q[0].mul_add(t[1], c[1]), q[0].mul_add(t[2], c[2])], v)
}

/// `Lam(q)^T v`: space components to body components.
#[inline(always)]
pub fn to_body<R: Real>(q: Quat<R>, v: Vec3<R>) -> Vec3<R> {
    let u = [q[1], q[2], q[3]];
    let t = scale(q[0].lift(2.0), cross(u, v));
    let c = cross_add(u, t, v);
    [q[0].neg_mul_add(t[0], c[0]), q[0].neg_mul_add(t[1], c[1]), q[0].neg_mul_add(t[2], c[2])]
}

/// `p o q`
#[inline(always)]
pub fn product<R: Real>(p: Quat<R>, q: Quat<R>) -> Quat<R> {
    let [x, y, z] = [q[1], q[2], q[3]];
    let v = times_vector(p, [x, y, z]);
    [p[0].mul_add(q[0], v[0]), p[1].mul_add(q[0], v[1]), p[2].mul_add(q[0], v[2]), p[3].mul_add(q[0], v[3])]
}

/// `q^-1` of a unit quaternion.
#[inline(always)]
pub fn inverse<R: Real>(q: Quat<R>) -> Quat<R> {
    [q[0], -q[1], -q[2], -q[3]]
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
        let length = |a: [f64; 3]| a.iter().map(|x| x * x).sum::<f64>();
        assert!((length(s) - length(v)).abs() < 1e-14);
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
    fn the_cayley_update_turns_by_four_atan_of_a_quarter() {
        // Cay(v) turns about v by the angle 4 atan(|v|/4): tan(angle/4) = |v|/4.
        let q = cayley([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.1]);
        let angle = 2.0 * f64::atan2(q[3], q[0]);
        assert!((angle - 4.0 * 0.1f64.atan()).abs() < 1e-15);
    }
}
