//! The staggered momentum conserving method of H92 4.4 (Hulbert, Computers & Structures, 1992).
//!
//! Two chains leapfrog as in PCD90, each with its own momentum in space axes; the other chain's
//! attitude gives the moment:
//!
//! ```text
//! q1  = unit(q o Exp(h Wh));   pi1  = pi  + h m(qh; mean[0, 1]);      W1  = J^-1 Lam1^T pi1
//! qh1 = unit(qh o Exp(h W1));  pih1 = pih + h m(q1; mean[.5, 1.5]);   Wh1 = J^-1 Lamh1^T pih1
//! r1  = r + h vh;   v1  = v  + h a(qh; mean[0, 1])
//! rh1 = rh + h v1;  vh1 = vh + h a(q1; mean[.5, 1.5])
//! start: pi = Lam J W (at t = 0 only),  A0 = acc(q, W; mean[0, .5]),
//!        qh = unit(q o Exp(h/2 W + h²/8 A0)),  Wh = J^-1 Lamh^T pih,
//!        pih = pi + h/2 m(qq; mean[0, .5]),  qq = unit(q o Exp(h/4 W + h²/32 A0)),
//!        rh = r + h/2 v + h²/8 a(q; mean[0, .5]),  vh = v + h/2 a(qq; mean[0, .5])
//! ```
//!
//! Option `impulse`: `midpoint` as above, as printed; `trapezoidal` takes a chain's impulse half
//! from each of its own two attitudes,
//!
//! ```text
//! pi1  = pi  + h/2 (m(q;  mean[0, .5]) + m(q1;  mean[.5, 1]))
//! pih1 = pih + h/2 (m(qh; mean[.5, 1]) + m(qh1; mean[1, 1.5]))
//! ```
//!
//! and v and vh likewise. A restart drops the half chain and keeps pi.
//!
//! Joined bodies: loads, and what elements do to bodies at rest, enter by the quadrature of m and
//! a; all else from where the other chain stands, `rest` of `momentum.rs`, with the multipliers
//! found there over h/2 from those of the kick before. The start has those of the start, and
//! damping that is implicit over h/2. A restart of joined bodies takes `pi = Lam J W`, for a
//! projection may have changed W.
//!
//! Measured. Error 9.7e-4 (free body, h = 10 ms), 2.1e-4 (fast top, 1 ms); order 2.00, both
//! impulses. Without torque pi is constant to the last bit. Slow top, 5 ms: the energy is wrong by
//! 1 % at 18.2 s and by 10 % at 21.7 s, and is 300 times too large within 100 s; half the step only
//! postpones it, to 21.6 s; restarted every 100 steps it stays within 3.6e-5. With the trapezoidal
//! impulse 1 % comes at 16.2 s, but the error stays below one half; restarted 4.3e-5. That impulse
//! parts the chains on the fast top too: after 60 s the energy is wrong by 1.5 % whatever h;
//! restarted, 1e-6. Without torque restarts cost more than they save: free body, 10^6 steps of
//! 10 ms, energy within 2.8e-5 without, 1.7e-4 every 100 steps. Reach: .49, the largest of all.
//!
//! Option `loads`: `mean`, or `instant`: every load at the instant of the attitude beside it.

use nalgebra::{DVector, Vector3};

use polhode_description::base::Options;

use super::momentum::{Push, Step, at_rest, momenta, rest, sum, times};
use crate::ReferenceError;
use crate::body::Motion;
use crate::methods::integrator::{Impulse, SystemIntegrator};
use crate::rotation::turned;
use crate::system::{Advanced, Instant, MultibodySystem};
use crate::treatment::Treatment;

struct StaggeredConserving {
    impulse: Impulse,
    treatment: Treatment,
    whole: Chain,
    half: Chain,
    /// Multipliers of the chain that was advanced last.
    multipliers: DVector<f64>,
}

#[derive(Clone, Debug)]
struct Chain {
    motions: Vec<Motion>,
    pi: Vec<Vector3<f64>>,
}

pub fn start(
    options: &Options,
    treatment: Treatment,
    system: &MultibodySystem,
    start: &[Motion],
    h: f64,
) -> Result<Box<dyn SystemIntegrator>, ReferenceError> {
    let impulse = Impulse::read(options, "midpoint")?;
    let chain = || Chain { motions: start.to_vec(), pi: Vec::new() };
    let (whole, half, multipliers) = (chain(), chain(), DVector::zeros(0));
    let mut method = StaggeredConserving { impulse, treatment, whole, half, multipliers };
    method.begin(system, 0, h);
    Ok(Box::new(method))
}

/// The half chain, started from the integer chain under these loads.
fn half_step_later(
    system: &MultibodySystem,
    treatment: &Treatment,
    whole: &Chain,
    carried: &DVector<f64>,
    early: &Instant,
    h: f64,
) -> Chain {
    let now = &whole.motions;
    let own = Advanced { motions: now, time: early.time, within: h / 2.0 };
    let multipliers = if treatment.carries() {
        carried.clone()
    } else {
        system.multipliers(treatment, early, now, own, h / 2.0, carried)
    };
    let a0 = system.with_velocities(now, &system.accelerations(now, own, early, &multipliers));
    let moved = |t: f64| -> Vec<Motion> {
        let motion = |(now, a): (&Motion, &Motion)| Motion {
            position: now.position + t * now.velocity + t * t / 2.0 * a.velocity,
            velocity: now.velocity + t * a.velocity,
            attitude: turned(now.attitude, t * now.angular_velocity + t * t / 2.0 * a.angular_velocity),
            angular_velocity: now.angular_velocity + t * a.angular_velocity,
            ..now.clone()
        };
        now.iter().zip(&a0).map(motion).collect()
    };
    let (quarter, half) = (moved(h / 4.0), moved(h / 2.0));
    let known = at_rest(system, &quarter, early);
    let pushes = times(h / 2.0, sum(known, rest(system, &quarter, own, early, &multipliers)));
    advanced(system, whole, &pushes, half)
}

/// The chain after these impulses, where positions and attitudes have come to those of `end`.
fn advanced(system: &MultibodySystem, own: &Chain, pushes: &[Push], end: Vec<Motion>) -> Chain {
    let pi: Vec<Vector3<f64>> = own.pi.iter().zip(pushes).map(|(pi, push)| pi + push.moment).collect();
    let bodies = system.bodies().iter().zip(end).enumerate();
    let motions = bodies
        .map(|(b, (body, end))| Motion {
            velocity: own.motions[b].velocity + pushes[b].force / body.mass(),
            angular_velocity: body.angular_velocity(end.attitude, pi[b]),
            ..end
        })
        .collect();
    Chain { motions, pi }
}

impl StaggeredConserving {
    /// Loads at step k, where the half chain starts.
    fn early(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        self.impulse.loads.instant(system, k, h, 0.0, 0.5, 0.0)
    }

    /// One chain over its step, which begins `offset` steps after step k, with rates from the other
    /// chain.
    fn advance(
        &mut self,
        own: &Chain,
        other: &Chain,
        system: &MultibodySystem,
        k: u64,
        h: f64,
        offset: f64,
    ) -> Chain {
        let middle = self.impulse.loads.instant(system, k, h, offset, offset + 1.0, offset + 0.5);
        let start = Advanced { motions: &own.motions, time: (k as f64 + offset) * h, within: h };
        self.multipliers =
            system.multipliers(&self.treatment, &middle, &other.motions, start, h / 2.0, &self.multipliers);
        let end: Vec<Motion> = own
            .motions
            .iter()
            .zip(&other.motions)
            .map(|(own, other)| Motion {
                position: own.position + h * other.velocity,
                attitude: turned(own.attitude, h * other.angular_velocity),
                ..other.clone()
            })
            .collect();
        let step = Step { own: start, middle: &other.motions, end: &end, k, offset };
        let pushes = self.impulse.over(system, &step, h, &self.multipliers);
        advanced(system, own, &pushes, end)
    }
}

impl SystemIntegrator for StaggeredConserving {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let (whole, half) = (self.whole.clone(), self.half.clone());
        self.whole = self.advance(&whole, &half, system, k, h, 0.0);
        let whole = self.whole.clone();
        self.half = self.advance(&half, &whole, system, k, h, 0.5);
    }

    fn motions(&self) -> Vec<Motion> {
        self.whole.motions.clone()
    }

    fn restart(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        if system.is_constrained() {
            self.whole.pi = momenta(system, &self.whole.motions);
        }
        let early = self.early(system, k, h);
        self.half = half_step_later(system, &self.treatment, &self.whole, &self.multipliers, &early, h);
    }

    fn begin(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let early = self.early(system, k, h);
        self.multipliers = system.instantaneous_multipliers(&self.treatment, &early, &self.whole.motions);
        self.whole.pi = momenta(system, &self.whole.motions);
        self.half = half_step_later(system, &self.treatment, &self.whole, &self.multipliers, &early, h);
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.whole.motions = motions.to_vec();
    }

    fn end(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        self.impulse.loads.instant(system, k, h, 0.5, 1.0, 1.0)
    }
}
