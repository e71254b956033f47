//! The explicit predictor-corrector method of H92 4.3 (Hulbert, Computers & Structures, 1992).
//!
//! Besides q it carries the momentum pi in space axes.
//!
//! ```text
//! qt  = unit(q o Exp(h W))
//! dp  = h m(qm; mean[0, 1]),  qm = unit(q o Exp(h/2 W))                                 (midpoint)
//! dp  = h/2 (m(q; mean[0, .5]) + m(qt; mean[.5, 1]))                                 (trapezoidal)
//! Wt  = J^-1 Lamt^T (pi + dp);  q1 = unit(q o Exp(h/2 (W + Wt)))
//! pi1 = pi + dp;  W1 = J^-1 Lam1^T pi1
//! v1  = v + the same quadrature of a;  r1 = r + h/2 (v + v1)
//! start: pi = Lam J W
//! ```
//!
//! (53) prints a tilde on Lam_n that is not meant. Option `impulse`: `midpoint`, or `trapezoidal`.
//!
//! Joined bodies: loads, and what elements do to bodies at rest, enter by the quadrature of m and
//! a; all else from the middle of the step, `rest` of `momentum.rs`, at `qm` and `r + h/2 v`. The
//! predictor has W, v and the multipliers carried; then dp is found once more, with `(W + Wt)/2`,
//! `(v + vt)/2` and multipliers found there over h/2 from those of the step before.
//!
//! Measured. Error 2.9e-3 (free body, h = 10 ms), 8.3e-4 (fast top, 1 ms); order 2.00 to 2.06, both
//! impulses. Without torque pi is constant to the last bit. The energy grows always, as h³: on H92
//! 5.1 (dt = 10 ms) after its torques at 2.1e-6/s for 1 ms, 2.5e-7/s for .5 ms, 3.1e-8/s for .25
//! ms, and the impulse makes no difference; on the free body at 5.3e-6/s for 10 ms; on the fast top
//! at 1.0e-7/s for 2 ms, trapezoidal 1.4e-7/s. Reach: .030.
//!
//! Option `loads`: `mean`, or `instant`: every load at the instant of the attitude beside it.

use nalgebra::{DVector, Vector3};

use polhode_description::base::Options;

use super::momentum::{Push, Step, momenta};
use crate::ReferenceError;
use crate::body::Motion;
use crate::methods::integrator::{Impulse, SystemIntegrator};
use crate::rotation::turned;
use crate::system::{Advanced, Instant, MultibodySystem};
use crate::treatment::Treatment;

struct PredictorCorrector {
    impulse: Impulse,
    treatment: Treatment,
    now: Vec<Motion>,
    pi: Vec<Vector3<f64>>,
    multipliers: DVector<f64>,
}

pub fn start(
    options: &Options,
    treatment: Treatment,
    system: &MultibodySystem,
    start: &[Motion],
    h: f64,
) -> Result<Box<dyn SystemIntegrator>, ReferenceError> {
    let impulse = Impulse::read(options, "midpoint")?;
    let (now, multipliers) = (start.to_vec(), DVector::zeros(0));
    let mut method = PredictorCorrector { impulse, treatment, now, pi: Vec::new(), multipliers };
    method.begin(system, 0, h);
    Ok(Box::new(method))
}

impl SystemIntegrator for PredictorCorrector {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let (now, before) = (self.now.clone(), self.multipliers.clone());
        let own = Advanced { motions: &now, time: k as f64 * h, within: h };
        let whole = self.impulse.loads.instant(system, k, h, 0.0, 1.0, 0.5);
        let found = |at: &[Motion]| system.multipliers(&self.treatment, &whole, at, own, h / 2.0, &before);
        let drifted = |t: f64| -> Vec<Motion> {
            let motion = |now: &Motion| Motion {
                position: now.position + t * now.velocity,
                attitude: turned(now.attitude, t * now.angular_velocity),
                ..now.clone()
            };
            now.iter().map(motion).collect()
        };
        let (mut middle, end) = (drifted(h / 2.0), drifted(h));
        let impulses = |middle: &[Motion], multipliers: &DVector<f64>| {
            let step = Step { own, middle, end: &end, k, offset: 0.0 };
            self.impulse.over(system, &step, h, multipliers)
        };
        let mut multipliers = if self.treatment.carries() { before.clone() } else { found(&middle) };
        let mut pushes: Vec<Push> = impulses(&middle, &multipliers);
        let bodies = system.bodies().iter().enumerate();
        let predicted: Vec<Vector3<f64>> = bodies
            .map(|(b, body)| body.angular_velocity(end[b].attitude, self.pi[b] + pushes[b].moment))
            .collect();
        if !system.is_free() {
            for (b, body) in system.bodies().iter().enumerate() {
                middle[b].angular_velocity = (now[b].angular_velocity + predicted[b]) / 2.0;
                middle[b].velocity = now[b].velocity + pushes[b].force / (2.0 * body.mass());
            }
            multipliers = found(&middle);
            pushes = impulses(&middle, &multipliers);
        }
        for (b, body) in system.bodies().iter().enumerate() {
            self.pi[b] += pushes[b].moment;
            let velocity = now[b].velocity + pushes[b].force / body.mass();
            let attitude = turned(now[b].attitude, h / 2.0 * (now[b].angular_velocity + predicted[b]));
            self.now[b] = Motion {
                position: now[b].position + h / 2.0 * (now[b].velocity + velocity),
                velocity,
                attitude,
                angular_velocity: body.angular_velocity(attitude, self.pi[b]),
                ..now[b].clone()
            };
        }
        self.multipliers = multipliers;
    }

    fn motions(&self) -> Vec<Motion> {
        self.now.clone()
    }

    fn restart(&mut self, system: &MultibodySystem, _: u64, _: f64) {
        if system.is_constrained() {
            self.pi = momenta(system, &self.now);
        }
    }

    fn begin(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let early = self.impulse.loads.instant(system, k, h, 0.0, 0.5, 0.0);
        self.multipliers = system.instantaneous_multipliers(&self.treatment, &early, &self.now);
        self.pi = momenta(system, &self.now);
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.now = motions.to_vec();
    }

    fn end(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        self.impulse.loads.instant(system, k, h, 0.5, 1.0, 1.0)
    }
}
