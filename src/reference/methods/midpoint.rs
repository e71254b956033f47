//! The nonlinearly implicit midpoint rule of PC87 (Park & Chiou, CU-CSSC-87-08, 1987) on Euler parameters.
//!
//! The midpoint is sought with `A(w) q = 1/2 q o (0, w)`, the scaling in which (5.7a) and (5.7b) say the same. With
//! d = h/2, loads mean[0, 1] throughout:
//!
//! ```text
//! wm = w; am = acc(q, w); qd = A(w) q
//! repeat 1 + iterations times:
//!   qm  = (I - A(d wm + d² am))^-1 (q + d A(w - wm) q)       (5.7a)
//!   qdm = (I - A(d wm))^-1 (qd + d A(am) qm)                 (5.7b), where A(w) is printed for A(am)
//!   wm  = 2 vec(qm* o qdm)/|qm|²;  am = acc(unit qm, wm)     (5.11)
//! q1 = unit(2 qm - q);  qd1 = 2 qdm - qd;  qd1 -= q1 (q1.qd1);  w1 = 2 vec(q1* o qd1)      (5.17), (5.18)
//! v1 = v + h a(unit qm);  r1 = r + h/2 (v + v1)
//! ```
//!
//! PC87 inverts in closed form, (5.12); here the 4 x 4 systems are solved as they stand, so that the closed form is
//! judged too. Options: `iterations` (3); `as_printed`, the algorithm as (5.8) prints it, without iteration, whatever
//! `iterations` says; `project_midpoint`, which further enforces |qm| = 1 and qm.qdm = 0, (5.15) and (5.16), after each
//! pair of solutions.
//!
//! Measured, with one iteration where nothing is said. Error 2.4e-3 (free body, h = 10 ms), 2.5e-3 (fast top, 1 ms); order 1.98 to 2.00. As printed it is of
//! order 1.00 and unstable: the fast top's energy is 7e5 times too large after 10 s at 2 ms. One iteration leaves a
//! growth of energy as h³: 8.1e-7/s on the free body at 10 ms, and at h|w| = .5 the fast top has twice its energy
//! after 100 s and 10^5 times after 150 s. Two iterations lose energy at a tenth of that rate (-7.3e-8/s; fast top
//! -2e-3 over 400 s), three have no rate that can be told from zero on the free body and -2.6e-5 over the same 400 s of
//! the top. With the midpoint projected the fast top at h|w| = .5 has three times its energy after 10 s and 10^4 times
//! after 20 s. Reach: .048 (one iteration), .076 (two), .154 (three), .231 (eight). Momentum is not conserved,
//! and a torque's impulse about a fixed axis is not exact, as w comes from the quaternion and its rate.

use nalgebra::{Matrix4, Vector3};

use crate::base::Options;

use super::super::ReferenceError;
use super::super::body::{Motion, RigidBody};
use super::super::rotation::{angular_velocity, column, from_column, rate_matrix, solve, unit};
use super::{Integrator, mean};

struct Midpoint {
    passes: u64,
    project: bool,
    now: Motion,
}

pub fn start(
    options: &Options,
    _: &RigidBody,
    start: &Motion,
    _: f64,
) -> Result<Box<dyn Integrator>, ReferenceError> {
    let passes = if options.flag("as_printed", false) { 1 } else { 1 + options.count("iterations", 3) };
    Ok(Box::new(Midpoint { passes, project: options.flag("project_midpoint", false), now: start.clone() }))
}

impl Integrator for Midpoint {
    fn step(&mut self, body: &RigidBody, k: u64, h: f64) {
        let loads = mean(body, k, h, 0.0, 1.0, 0.5);
        let Motion { position: r, velocity: v, attitude, angular_velocity: w, .. } = self.now;
        let d = h / 2.0;
        let (one, a) = (Matrix4::identity(), |w: Vector3<f64>| rate_matrix(w));

        let q = column(attitude);
        let qd = a(w) * q;
        let (mut wm, mut am) = (w, body.angular_acceleration(attitude, w, &loads));
        let (mut qm, mut qdm) = (q, qd);
        for _ in 0..self.passes {
            qm = solve(one - a(d * wm + d * d * am), q + d * a(w - wm) * q);
            qdm = solve(one - a(d * wm), qd + d * a(am) * qm);
            if self.project {
                qm /= qm.norm();
                qdm -= qm * qm.dot(&qdm);
            }
            wm = angular_velocity(from_column(qm), from_column(qdm)) / qm.norm_squared();
            am = body.angular_acceleration(unit(from_column(qm)), wm, &loads);
        }

        let q1 = unit(from_column(2.0 * qm - q));
        let qd1 = 2.0 * qdm - qd;
        let qd1 = qd1 - column(q1) * column(q1).dot(&qd1);
        let v1 = v + h * body.acceleration(unit(from_column(qm)), &loads);
        let w1 = angular_velocity(q1, from_column(qd1));
        self.now = Motion::rigid(r + h / 2.0 * (v + v1), v1, q1, w1);
    }

    fn motion(&self) -> Motion {
        self.now.clone()
    }
}
