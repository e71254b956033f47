//! The torque-free body in closed form: angular velocity by Jacobi elliptic functions, attitude by
//! one quadrature.
//!
//! Landau & Lifshitz, *Mechanics*, §37. Let axis 3 be the principal axis about which the momentum
//! vector circles in the body (of the greatest moment when L² > 2T J2, of the least when L² < 2T
//! J2), axis 2 the intermediate one. Then
//!
//! ```text
//! w1 = A cn(u|m),  w2 = ±B sn(u|m),  w3 = ±C dn(u|m),  u = u0 + n t
//! A² = D/(J1 (J3-J1)),  B² = D/(J2 (J3-J2)),  C² = G/(J3 (J3-J1)),  D = 2T J3 - L²,
//! G = L² - 2T J1
//! n² = (J3-J2) G / (J1 J2 J3),   m = (J2-J1) D / ((J3-J2) G)
//! ```
//!
//! The plane through L and axis 3 turns about L, fixed in space, at
//! `L (J1 w1² + J2 w2²)/(J1² w1² + J2² w2²)`; the integral of that and the direction of L in the
//! body give the attitude. The moments are principal here, and the body axes principal axes: the
//! closed form has no other.

use nalgebra::{Matrix3, Quaternion, Rotation3, Unit, UnitQuaternion, Vector3};

use super::ReferenceError;
use super::rotation::{lam, quaternion};

/// A torque-free motion, ready to be evaluated at any time.
#[derive(Clone, Debug)]
pub struct FreeBody {
    /// Principal moments in the user's order (kg m²).
    moments: Vector3<f64>,
    /// `axes[0..3]`: which user axis is axis 1, 2 and 3 above.
    axes: [usize; 3],
    /// A, ±B, ±C (rad/s).
    amplitude: [f64; 3],
    /// n (rad/s).
    rate: f64,
    /// m, in 0..1.
    parameter: f64,
    /// u at t = 0.
    phase: f64,
    /// |L| (kg m²/s).
    momentum: f64,
    /// L's direction in space.
    momentum_direction: Unit<Vector3<f64>>,
    /// In space at t = 0: the triad of [`FreeBody::body_triad`].
    space_triad: Matrix3<f64>,
}

impl FreeBody {
    /// `moments`: distinct principal moments about the mass centre (kg m²); `attitude`: quaternion
    /// at t = 0, scalar first; `w`: angular velocity at t = 0 in the principal body axes (rad/s).
    ///
    /// # Errors
    /// The moments are not positive and distinct, the body does not turn or turns steadily about a
    /// principal axis, or it moves on the separatrix, where m = 1.
    pub fn new(moments: [f64; 3], attitude: [f64; 4], w: [f64; 3]) -> Result<FreeBody, ReferenceError> {
        let j = Vector3::from(moments);
        let w = Vector3::from(w);
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| j[*a].total_cmp(&j[*b]));
        if !(j[axes[0]] > 0.0 && j[axes[0]] < j[axes[1]] && j[axes[1]] < j[axes[2]]) {
            return Err(ReferenceError::Moments);
        }
        // L² - 2T J2 = sum Ji (Ji - J2) wi²: its sign tells about which axis the momentum circles.
        let side: f64 = (0..3).map(|i| j[i] * (j[i] - j[axes[1]]) * w[i] * w[i]).sum();
        if side < 0.0 {
            axes.reverse();
        }
        let [j1, j2, j3] = axes.map(|i| j[i]);
        let [w1, w2, w3] = axes.map(|i| w[i]);
        // D and G as sums of squares, all of one sign: nothing cancels. Both change sign with the
        // order of the axes.
        let d = j1 * (j3 - j1) * w1 * w1 + j2 * (j3 - j2) * w2 * w2;
        let g = j2 * (j2 - j1) * w2 * w2 + j3 * (j3 - j1) * w3 * w3;
        if d == 0.0 || g == 0.0 {
            return Err(ReferenceError::SteadyTurn);
        }
        let parameter = (j2 - j1) * d / ((j3 - j2) * g);
        if !(0.0..1.0).contains(&parameter) {
            return Err(ReferenceError::Separatrix);
        }
        // J2 w2dot = ±(J3 - J1) w3 w1, + if the axes 1, 2, 3 are right-handed: fixes the sign of w2
        // for A > 0.
        let right_handed = (axes[0] + 1) % 3 == axes[1];
        let turns_forward = (j3 > j1) == right_handed;
        let sign3 = w3.signum();
        let sign2 = if turns_forward { sign3 } else { -sign3 };
        let amplitude = [
            (d / (j1 * (j3 - j1))).sqrt(),
            sign2 * (d / (j2 * (j3 - j2))).sqrt(),
            sign3 * (g / (j3 * (j3 - j1))).sqrt(),
        ];
        let rate = ((j3 - j2) * g / (j1 * j2 * j3)).sqrt();
        let phase = elliptic_f((w2 / amplitude[1]).atan2(w1 / amplitude[0]), parameter);

        let lam0 = lam(quaternion(attitude));
        let in_body = j.component_mul(&w);
        let mut free = FreeBody {
            moments: j,
            axes,
            amplitude,
            rate,
            parameter,
            phase,
            momentum: in_body.norm(),
            momentum_direction: Unit::new_normalize(lam0 * in_body),
            space_triad: Matrix3::identity(),
        };
        free.space_triad = lam0 * free.body_triad(w);
        Ok(free)
    }

    /// Angular velocity in body axes (rad/s) at t (s).
    pub fn angular_velocity(&self, t: f64) -> [f64; 3] {
        let (sn, cn, dn) = jacobi(self.phase + self.rate * t, self.parameter);
        let mut w = [0.0; 3];
        w[self.axes[0]] = self.amplitude[0] * cn;
        w[self.axes[1]] = self.amplitude[1] * sn;
        w[self.axes[2]] = self.amplitude[2] * dn;
        w
    }

    /// Attitude quaternion at t (s), scalar first, with either sign.
    pub fn attitude(&self, t: f64) -> [f64; 4] {
        let turn = Rotation3::from_axis_angle(&self.momentum_direction, self.precession_angle(t));
        let lam =
            turn * self.space_triad * self.body_triad(Vector3::from(self.angular_velocity(t))).transpose();
        let q: Quaternion<f64> = UnitQuaternion::from_matrix(&lam).into_inner();
        [q.w, q.i, q.j, q.k]
    }

    /// The period of the angular velocity (s): `4 K(m)/n`.
    pub fn period(&self) -> f64 {
        4.0 * elliptic_f(std::f64::consts::FRAC_PI_2, self.parameter) / self.rate
    }

    /// Columns: L's direction n, axis 3 x n normalised, and their product; in body axes.
    fn body_triad(&self, w: Vector3<f64>) -> Matrix3<f64> {
        let n = self.moments.component_mul(&w).normalize();
        let mut axis3 = Vector3::zeros();
        axis3[self.axes[2]] = 1.0;
        let node = axis3.cross(&n).normalize();
        Matrix3::from_columns(&[n, node, n.cross(&node)])
    }

    /// The integral of the precession rate from 0 to t: Gauss-Legendre with five points on short
    /// panels.
    fn precession_angle(&self, t: f64) -> f64 {
        // The rate is analytic on a scale of 1/n; panels of a tenth of it leave an error below
        // rounding.
        let panels = (10.0 * self.rate * t.abs()).ceil().max(1.0);
        let width = t / panels;
        let r = (10.0_f64 / 7.0).sqrt();
        let s = 70.0_f64.sqrt();
        let (inner, outer) = ((5.0 - 2.0 * r).sqrt() / 3.0, (5.0 + 2.0 * r).sqrt() / 3.0);
        let (inner_weight, outer_weight) = ((322.0 + 13.0 * s) / 900.0, (322.0 - 13.0 * s) / 900.0);
        let points = [
            (0.0, 128.0 / 225.0),
            (inner, inner_weight),
            (-inner, inner_weight),
            (outer, outer_weight),
            (-outer, outer_weight),
        ];
        let mut sum = 0.0;
        for panel in 0..panels as u64 {
            let middle = (panel as f64 + 0.5) * width;
            for (x, weight) in points {
                sum += weight * self.precession_rate(middle + 0.5 * width * x);
            }
        }
        0.5 * width * sum
    }

    fn precession_rate(&self, t: f64) -> f64 {
        let w = self.angular_velocity(t);
        let [a, b, _] = self.axes;
        let (pa, pb) = (self.moments[a] * w[a], self.moments[b] * w[b]);
        self.momentum * (pa * w[a] + pb * w[b]) / (pa * pa + pb * pb)
    }
}

/// sn, cn, dn of (u | m), 0 <= m < 1, by descending Landen transformations (Abramowitz & Stegun
/// 16.4).
fn jacobi(u: f64, m: f64) -> (f64, f64, f64) {
    let mut a = vec![1.0];
    let mut c = vec![m.sqrt()];
    let mut b = (1.0 - m).sqrt();
    while let (Some(&a_n), Some(&c_n)) = (a.last(), c.last())
        && c_n.abs() > f64::EPSILON * a_n
    {
        a.push(0.5 * (a_n + b));
        c.push(0.5 * (a_n - b));
        b = (a_n * b).sqrt();
    }
    let last = a.len() - 1;
    let mut phi = a[last] * u * (last as f64).exp2();
    for n in (1..=last).rev() {
        phi = 0.5 * (phi + (c[n] / a[n] * phi.sin()).asin());
    }
    let (sn, cn) = phi.sin_cos();
    // 1 - m sn² = (1 - m) + m cn²: no cancellation for m near 1.
    (sn, cn, ((1.0 - m) + m * cn * cn).sqrt())
}

/// The incomplete elliptic integral of the first kind F(phi | m), |phi| <= pi, by Carlson's R_F
/// (DLMF 19.25.5).
fn elliptic_f(phi: f64, m: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI};
    if phi.abs() > FRAC_PI_2 {
        // F(pi - x) = 2K - F(x)
        let complete = elliptic_f(FRAC_PI_2, m);
        return phi.signum() * (2.0 * complete - elliptic_f(PI - phi.abs(), m));
    }
    let (s, c) = phi.sin_cos();
    s * carlson_rf(c * c, (1.0 - m) + m * c * c, 1.0)
}

/// Carlson's symmetric integral R_F(x, y, z) by duplication (B. C. Carlson, Numer. Algorithms 10,
/// 1995).
fn carlson_rf(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    const MOST_DUPLICATIONS: usize = 2000;
    // The differences shrink fourfold a turn, from 1e308 to 1e-308 in a thousand. Of NaN there is
    // no end.
    for _ in 0..MOST_DUPLICATIONS {
        let mean = (x + y + z) / 3.0;
        let (dx, dy, dz) = (1.0 - x / mean, 1.0 - y / mean, 1.0 - z / mean);
        // The series below is cut off at order 6.
        if dx.abs().max(dy.abs()).max(dz.abs()) < 1e-3 {
            let e2 = dx * dy - dz * dz;
            let e3 = dx * dy * dz;
            let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0;
            return series / mean.sqrt();
        }
        let shift = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        (x, y, z) = ((x + shift) / 4.0, (y + shift) / 4.0, (z + shift) / 4.0);
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elliptic_functions_at_known_values() {
        // K(1/2) = Gamma(1/4)² / (4 sqrt(pi))
        let k = elliptic_f(std::f64::consts::FRAC_PI_2, 0.5);
        assert!((k - 1.854_074_677_301_371_9).abs() < 1e-15, "{k}");
        // sn(K/2) = 1/sqrt(1 + sqrt(1-m)) (DLMF 22.5.ii)
        let (sn, cn, dn) = jacobi(k / 2.0, 0.5);
        assert!((sn - (1.0 / (1.0 + 0.5_f64.sqrt())).sqrt()).abs() < 1e-15);
        assert!((sn * sn + cn * cn - 1.0).abs() < 1e-15);
        assert!((dn * dn + 0.5 * sn * sn - 1.0).abs() < 1e-15);
    }

    #[test]
    fn phase_and_function_are_inverse_over_the_whole_circle() {
        for m in [0.0, 0.3, 0.87, 0.99997] {
            for step in -31..=31 {
                let phi = f64::from(step) / 10.0;
                let (sn, cn, _) = jacobi(elliptic_f(phi, m), m);
                assert!((sn - phi.sin()).abs() < 1e-13 && (cn - phi.cos()).abs() < 1e-13, "{m} {phi}");
            }
        }
    }

    #[test]
    fn refuses_what_it_has_no_formula_for() {
        let q = [1.0, 0.0, 0.0, 0.0];
        assert!(FreeBody::new([5.0, 5.0, 1.0], q, [1.0, 2.0, 3.0]).is_err());
        assert!(FreeBody::new([5.0, 10.0, 1.0], q, [0.0, 0.0, 3.0]).is_err());
        assert!(FreeBody::new([5.0, 10.0, 1.0], q, [0.0, 0.0, 0.0]).is_err());
        assert!(FreeBody::new([5.0, 10.0, 1.0], q, [3.0, 0.0, 0.0]).is_err());
    }
}
