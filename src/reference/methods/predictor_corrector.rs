//! The explicit predictor-corrector method of H92 4.3 (Hulbert, Computers & Structures, 1992).
//!
//! Besides q it carries the momentum pi in space axes.
//!
//! ```text
//! qt  = unit(q o Exp(h W))
//! dp  = h m(qm; mean[0, 1]),  qm = unit(q o Exp(h/2 W))                                  (midpoint)
//! dp  = h/2 (m(q; mean[0, .5]) + m(qt; mean[.5, 1]))                                     (trapezoidal)
//! Wt  = J^-1 Lamt^T (pi + dp);  q1 = unit(q o Exp(h/2 (W + Wt)))
//! pi1 = pi + dp;  W1 = J^-1 Lam1^T pi1
//! v1  = v + the same quadrature of a;  r1 = r + h/2 (v + v1)
//! start: pi = Lam J W
//! ```
//!
//! (53) prints a tilde on Lam_n that is not meant. Option `impulse`: `midpoint`, or `trapezoidal`.
//!
//! Measured. Error 2.9e-3 (free body, h = 10 ms), 8.3e-4 (fast top, 1 ms); order 2.00 to 2.06, both impulses. Without
//! torque pi is constant to the last bit. The energy grows always, as h³: on H92 5.1 (dt = 10 ms) after its torques at
//! 2.1e-6/s for 1 ms, 2.5e-7/s for .5 ms, 3.1e-8/s for .25 ms, and the impulse makes no difference; on the free body at
//! 5.3e-6/s for 10 ms; on the fast top at 1.0e-7/s for 2 ms, trapezoidal 1.4e-7/s. Reach: .030.

use nalgebra::{Quaternion, Vector3};

use crate::base::Options;

use super::super::ReferenceError;
use super::super::body::{Motion, RigidBody};
use super::super::rotation::turned;
use super::{Impulse, Integrator, Kick, mean};

struct PredictorCorrector {
    impulse: Impulse,
    r: Vector3<f64>,
    v: Vector3<f64>,
    q: Quaternion<f64>,
    pi: Vector3<f64>,
    w: Vector3<f64>,
}

pub fn start(
    options: &Options,
    body: &RigidBody,
    start: &Motion,
    _: f64,
) -> Result<Box<dyn Integrator>, ReferenceError> {
    let Motion { position: r, velocity: v, attitude: q, angular_velocity: w, .. } = *start;
    let impulse = Impulse::read(options, "midpoint")?;
    Ok(Box::new(PredictorCorrector { impulse, r, v, q, pi: body.momentum(q, w), w }))
}

impl Integrator for PredictorCorrector {
    fn step(&mut self, body: &RigidBody, k: u64, h: f64) {
        let PredictorCorrector { impulse, r, v, q, pi, w } = *self;
        let qt = turned(q, h * w);
        let kick = match impulse {
            Impulse::Midpoint => Kick::at(body, turned(q, h / 2.0 * w), &mean(body, k, h, 0.0, 1.0, 0.5), h),
            Impulse::Trapezoidal => {
                Kick::at(body, q, &mean(body, k, h, 0.0, 0.5, 0.0), h / 2.0)
                    + Kick::at(body, qt, &mean(body, k, h, 0.5, 1.0, 1.0), h / 2.0)
            }
        };
        let pi1 = pi + kick.impulse;
        let v1 = v + kick.velocity;
        let wt = body.angular_velocity(qt, pi1);
        let q1 = turned(q, h / 2.0 * (w + wt));
        *self = PredictorCorrector {
            impulse,
            r: r + h / 2.0 * (v + v1),
            v: v1,
            q: q1,
            pi: pi1,
            w: body.angular_velocity(q1, pi1),
        };
    }

    fn motion(&self) -> Motion {
        Motion::rigid(self.r, self.v, self.q, self.w)
    }
}
