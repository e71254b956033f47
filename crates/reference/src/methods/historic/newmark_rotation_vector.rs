//! C1 of K14 (Kasti, IJRES 2(8), 2014): Newmark's rule on the rotation vector about the attitude at
//! the step's start.
//!
//! The unknown P is the turn over the step, `q1 = unit(q o Exp(P))`:
//!
//! ```text
//! P0 = 0,  Pd0 = w,  Pdd0 = wd,  wd = acc(q, w; mean[0, .5])
//! Pd1 = c1 P + c2 Pd0 + c3 Pdd0,
//! c1 = gamma/(beta h), c2 = 1 - gamma/beta, c3 = h (1 - gamma/(2 beta))
//! w1 = T(P) Pd1,   T = I - (1 - cos|P|)/|P|² P~ + (|P| - sin|P|)/|P|³ P~²
//! R(P) (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0
//! tau0 = M(q; mean[0, .5]),  tau1 = M(q1; mean[.5, 1])       (body axes)
//! ```
//!
//! Translation, options and the solution are those of [`super::newmark_euler_parameters`].
//!
//! Measured. Error 1.2e-3 (free body, h = 10 ms), 1.1e-4 (fast top, 1 ms); order 1.99 to 2.01; 2.99
//! without torque for beta = 1/6. Momentum without torque to 4e-13 over 10^4 steps. Energy is lost
//! steadily, as h³: -2.27e-7/s on the free body at 10 ms, -5.6e-8/s on the fast top at 2 ms. Reach:
//! .072.

use nalgebra::{Matrix3, Quaternion, Vector3};

use polhode_description::base::Options;

use super::newmark::{Newmark, NewmarkBodies, Start, Turn, root};
use crate::ReferenceError;
use crate::body::Motion;
use crate::methods::integrator::SystemIntegrator;
use crate::rotation::exponential;
use crate::system::MultibodySystem;
use crate::treatment::Treatment;

pub fn start(
    options: &Options,
    treatment: Treatment,
    system: &MultibodySystem,
    start: &[Motion],
    h: f64,
) -> Result<Box<dyn SystemIntegrator>, ReferenceError> {
    Ok(Box::new(NewmarkBodies::start(solved, options, treatment, system, start, h)?))
}

/// A body's rotation over a step.
fn solved(
    rule: &Newmark,
    start: Start,
    balance: &dyn Fn(Quaternion<f64>, Vector3<f64>) -> Vector3<f64>,
) -> Turn {
    let Start { h, w, wd } = start;
    let w1 = |p: Vector3<f64>| tangent(p) * rule.rate(h, p, w, wd);
    let p = root(h * w + h * h / 2.0 * wd, |p| balance(exponential(p), w1(p)));
    Turn { whole: exponential(p), half: exponential(p / 2.0), w1: w1(p) }
}

/// T(P) with `w = T(P) Pd` in the turned body's axes.
fn tangent(p: Vector3<f64>) -> Matrix3<f64> {
    let x = p.norm();
    // (1 - cos x)/x² = 1/2 (sin(x/2)/(x/2))², which loses nothing near 0.
    let half = x / 2.0;
    let sinc = if half == 0.0 { 1.0 } else { half.sin() / half };
    let second = p.cross_matrix();
    Matrix3::identity() - 0.5 * sinc * sinc * second + cubic(x) * second * second
}

/// `(x - sin x)/x³`, by its series where the difference would lose digits.
fn cubic(x: f64) -> f64 {
    if x > 1.0 {
        return (x - x.sin()) / (x * x * x);
    }
    // 1/3! - x²/5! + x⁴/7! - ...
    let (mut term, mut sum) = (1.0 / 6.0, 0.0);
    for n in 1..=9 {
        sum += term;
        let next = f64::from(2 * n + 2) * f64::from(2 * n + 3);
        term *= -x * x / next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_quotient_agree_where_they_meet() {
        for x in [0.7_f64, 0.9, 1.0] {
            assert!((cubic(x) / ((x - x.sin()) / (x * x * x)) - 1.0).abs() < 1e-14);
        }
        assert_eq!(cubic(0.0), 1.0 / 6.0);
    }

    /// Exp(P(t)) turns at T(P) Pdot, by a difference quotient.
    #[test]
    fn tangent_gives_the_angular_velocity_of_a_turning_rotation_vector() {
        let (p, rate, dt) = (Vector3::new(0.4, -1.1, 0.7), Vector3::new(2.0, 1.0, -3.0), 1e-5);
        let (before, after) = (exponential(p - dt * rate), exponential(p + dt * rate));
        let w = (before.conjugate() * after).imag() / dt;
        assert!((w - tangent(p) * rate).norm() < 1e-8);
    }
}
