//! A turn of less than half a circle either way: its rotation vector, and how that changes.
//!
//! With phi the angle and n the axis, everything is a function of `u = tan(phi/4) n`, at most 1
//! long, and of `x = |u|^2`:
//!
//! ```text
//! quaternion (c, v), c >= 0:  u = v / (1 + c)
//! E(x) = (1 - atan(sqrt x)/sqrt x) / x        a power series in x, which begins 1/3 - x/5 + x^2/7
//! theta = phi n = 4 (1 - x E) u
//! ```
//!
//! A spin w of the turned frame against the other, in the axes halfway between the two, changes
//! theta by the symmetric S, which is 1 along n and `(phi/2) / sin(phi/2)` across:
//!
//! ```text
//! thetadot = S w,   S w = (1 + x) (1 - x E) w - (1 - (1 + x) E) (u . w) u
//! ```
//!
//! Nothing here divides by the angle. E interpolates at the zeros of a Chebyshev polynomial on 0
//! <= x <= 1; theta is wrong by less than half a rounding for it.

use super::quaternion::Quat;
use super::vector::{Vec3, dot, scale, scale_add};
use crate::base::Precision;
use crate::real::Real;

/// E, lowest order first.
const SINGLE: [f64; 9] = [
    0.3333333173306352,
    -0.1999973932983558,
    0.14278568748210602,
    -0.11033764115313455,
    0.08656880430154522,
    -0.06250169444749563,
    0.03587153898204336,
    -0.013507771427020535,
    0.002386997316724113,
];
const DOUBLE: [f64; 20] = [
    0.3333333333333333,
    -0.1999999999999753,
    0.14285714285384132,
    -0.11111111093490827,
    0.09090908590891934,
    -0.07692298971033217,
    0.06666564699289104,
    -0.05881506877793656,
    0.052579733342841106,
    -0.04737749579527779,
    0.04260356632601652,
    -0.03749486812535247,
    0.031277189066996385,
    -0.023696731580048622,
    0.015535152475414177,
    -0.008368931178450162,
    0.0034958859739163094,
    -0.0010496035084968515,
    0.00019996189377901382,
    -1.806195461861215e-5,
];

/// A turn by at most half a circle.
#[derive(Clone, Copy, Debug)]
pub struct Turn<R> {
    /// `tan(phi/4) n`
    pub u: Vec3<R>,
    /// `1 + x`
    above: R,
    /// `E(x)`
    e: R,
    /// `1 - x E`
    shrunk: R,
}

impl<R: Real> Turn<R> {
    /// The turn of a unit quaternion; of `q` and `-q`, which are the same, the shorter way. Beyond
    /// an angle of `largest` (rad) nothing of it is finite.
    pub fn of(q: Quat<R>, largest: f64) -> Turn<R> {
        let (zero, one) = (q[0].lift(0.0), q[0].lift(1.0));
        let sign = q[0].select_less(zero, -one, one);
        let cosine = q[0].select_less(zero, -q[0], q[0]);
        let least = q[0].lift((0.5 * largest).cos());
        let u = scale(sign / cosine.select_less(least, zero, cosine + one), [q[1], q[2], q[3]]);
        let x = dot(u, u);
        let coefficients: &[f64] = match x.precision() {
            Precision::F32 | Precision::F32Compensated => &SINGLE,
            Precision::F64 => &DOUBLE,
        };
        let series = coefficients.iter().rev().map(|c| x.lift(*c));
        let e = series.reduce(|sum, c| sum.mul_add(x, c)).expect("a polynomial has a coefficient");
        let above = u[2].mul_add(u[2], u[1].mul_add(u[1], u[0].mul_add(u[0], one)));
        Turn { u, above, e, shrunk: x.neg_mul_add(e, one) }
    }

    /// The rotation vector theta (rad).
    pub fn vector(&self) -> Vec3<R> {
        scale(self.e.lift(4.0) * self.shrunk, self.u)
    }

    /// `S w`: the rate of theta by a spin, or, S being symmetric, the torque in the axes halfway by
    /// what works upon theta.
    pub fn stretched(&self, w: Vec3<R>) -> Vec3<R> {
        let one = self.e.lift(1.0);
        let along = self.above.mul_sub(self.e, one) * dot(self.u, w);
        scale_add(along, self.u, scale(self.above * self.shrunk, w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vector::{cross, sub};

    fn turned(angle: f64, n: [f64; 3]) -> Quat<f64> {
        let (s, c) = (0.5 * angle).sin_cos();
        [c, s * n[0], s * n[1], s * n[2]]
    }

    const N: [f64; 3] = [0.48, -0.6, 0.64];

    /// Half a circle, and no limit for its rounding.
    const HALF: f64 = std::f64::consts::PI + 1e-9;

    fn of(q: Quat<f64>) -> Turn<f64> {
        Turn::of(q, HALF)
    }

    #[test]
    fn the_vector_is_angle_times_axis_up_to_half_a_circle() {
        for k in 0..=1000 {
            let angle = std::f64::consts::PI * f64::from(k) / 1000.0;
            let theta = of(turned(angle, N)).vector();
            let single = Turn::of(turned(angle, N).map(|q| q as f32), HALF).vector();
            for i in 0..3 {
                assert!((theta[i] - angle * N[i]).abs() < 2e-15, "{angle} {theta:?}");
                assert!((f64::from(single[i]) - angle * N[i]).abs() < 1e-6, "{angle} {single:?}");
            }
        }
    }

    #[test]
    fn a_quaternion_and_its_negative_are_one_turn() {
        let q = turned(2.0, N);
        assert_eq!(of(q).vector(), of(q.map(|x| -x)).vector());
    }

    /// S against its closed form.
    #[test]
    fn a_spin_stretches_across_the_axis() {
        let w = [0.3, 0.9, -0.4];
        for angle in [1e-9, 1e-3, 0.5, 2.0, 3.1] {
            let half: f64 = 0.5 * angle;
            let along = dot(N, w);
            let across = sub(w, scale(along, N));
            let expected = scale_add(half / half.sin(), across, scale(along, N));
            let found = of(turned(angle, N)).stretched(w);
            assert!((0..3).all(|i| (found[i] - expected[i]).abs() < 1e-14), "{angle} {found:?} {expected:?}");
            assert!(dot(cross(found, expected), cross(found, expected)) < 1e-26);
        }
    }

    #[test]
    fn nothing_is_finite_beyond_the_largest_angle() {
        for angle in [2.51, 3.0, std::f64::consts::PI, 3.5, 3.78] {
            let turn = Turn::of(turned(angle, N), 2.5);
            let all = turn.vector().into_iter().chain(turn.stretched([0.3, 0.9, -0.4])).chain(turn.u);
            assert!(all.into_iter().all(|x| !x.is_finite()), "{angle} {turn:?}");
        }
        assert_eq!(Turn::of(turned(2.49, N), 2.5).vector(), of(turned(2.49, N)).vector());
    }
}
