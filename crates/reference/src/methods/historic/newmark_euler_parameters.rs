//! E1 of K14 (Kasti, IJRES 2(8), 2014): Newmark's rule on Euler parameters about the attitude at
//! the step's start.
//!
//! The unknown p is the turn over the step, `q1 = unit(q o unit p)`:
//!
//! ```text
//! p0 = (1, 0),  pd0 = 1/2 (0, w),  pdd0 = (-|w|²/4, wd/2),  wd = acc(q, w; mean[0, .5])
//! pd1 = c1 (p - p0) + c2 pd0 + c3 pdd0,
//! c1 = gamma/(beta h), c2 = 1 - gamma/beta, c3 = h (1 - gamma/(2 beta))
//! w1 = 2 vec(p* o pd1)
//! R(p) (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0,  |p| = 1
//! tau0 = M(q; mean[0, .5]),  tau1 = M(unit(q o p); mean[.5, 1])       (body axes)
//! v1 = v + h ((1 - gamma) a0 + gamma a1),  r1 = r + h v + h² ((1/2 - beta) a0 + beta a1)
//! a0 = a(q; mean[0, .5]),  a1 = a(q1; mean[.5, 1])
//! ```
//!
//! Options: `alpha` (1/2), `beta` (1/4), `gamma` (1/2). The equations are solved until rounding
//! stops the iteration: the judge knows the method, not what a fixed number of Newton's iterations
//! leaves of it, so `iterations` is ignored. With these beta and gamma c3 = 0.
//!
//! c1, c2 and c3 hold beta and gamma only in their ratio: the rotation has one constant. Its order
//! is 2 for any ratio, as wd is taken from the equations anew at each step, and 3 without torque
//! for gamma = 3 beta, where the turn's error is of order 4 a step and the momentum exact. The
//! translation is Newmark's with both.
//!
//! Measured. Error 1.1e-3 (free body, h = 10 ms), 2.5e-3 (fast top, 1 ms); order 2.00; 3.01 without
//! torque for beta = 1/6; 1 with torque for alpha = .6. Momentum without torque to 7e-13 over 10^4
//! steps. No rate of energy: free body, 10^6 steps of 10 ms, within 2.8e-5; fast top, 200 s of
//! 2 ms, within 6e-8. Reach: .231.
//!
//! Newton's method with the exact Jacobian, started from p = Exp(h w + h²/2 wd), leaves of w in one
//! step at h|w| = .02, .15 and .23: 4e-10, 7e-9 and 4e-5 after one iteration, 1e-15, 1e-15 and
//! 1e-11 after two, rounding after three. The reach is .145 with one iteration and the same with
//! two as with all.

use nalgebra::{Quaternion, Vector3, Vector4};

use polhode_description::base::Options;

use super::newmark::{Newmark, NewmarkBodies, Start, Turn, root};
use crate::ReferenceError;
use crate::body::Motion;
use crate::methods::integrator::SystemIntegrator;
use crate::rotation::{angular_velocity, column, exponential, from_column, unit};
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
    let scalar_first = |scalar: f64, v: Vector3<f64>| Vector4::new(scalar, v.x, v.y, v.z);
    let p0 = scalar_first(1.0, Vector3::zeros());
    let pd0 = scalar_first(0.0, w / 2.0);
    let pdd0 = scalar_first(-w.norm_squared() / 4.0, wd / 2.0);
    let w1 = |p: Vector4<f64>| angular_velocity(from_column(p), from_column(rule.rate(h, p - p0, pd0, pdd0)));
    let p = root(column(exponential(h * w + h * h / 2.0 * wd)), |p| {
        scalar_first(p.norm_squared() - 1.0, balance(from_column(p), w1(p)))
    });
    Turn { whole: unit(from_column(p)), half: unit(from_column(p + p0)), w1: w1(p) }
}
