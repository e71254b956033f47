//! Parts that the two Newmark methods of K14 share: the rule, the translation, and the solution of
//! the step's equations.
//!
//! Joined bodies: tau0, tau1, a0 and a1 have what elements do to bodies at rest. All else, `rest`
//! in [`super::momentum`], acts from the middle of the step: positions and velocities there are the
//! means of both ends, attitudes half of the turn away from the start, multipliers those found
//! there over h/2 from those of the step before.
//!
//! ```text
//! R (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0 + h Lam^T rest
//! v1 = v + h ((1 - gamma) a0 + gamma a1 + am),
//! r1 = r + h v + h² ((1/2 - beta) a0 + beta a1 + am/2)
//! ```

use nalgebra::{Const, DVector, DimMin, Quaternion, SMatrix, SVector, Vector3};

use polhode_description::base::Options;

use super::momentum::{at_rest, rest};
use crate::ReferenceError;
use crate::body::Motion;
use crate::methods::integrator::{SystemIntegrator, instant};
use crate::rotation::{exponential, lam, unit};
use crate::system::{Advanced, Instant, MultibodySystem};
use crate::treatment::Treatment;

/// Iterations after which a step has no solution; a sound step needs four or five.
const MOST_ITERATIONS: u32 = 50;

/// The constants of the rule.
#[derive(Clone, Copy, Debug)]
pub struct Newmark {
    alpha: f64,
    beta: f64,
    gamma: f64,
}

impl Newmark {
    pub fn read(options: &Options) -> Result<Newmark, ReferenceError> {
        let alpha = options.number("alpha", 0.5);
        let beta = options.number("beta", 0.25);
        let gamma = options.number("gamma", 0.5);
        if !(beta > 0.0 && gamma.is_finite() && alpha.is_finite()) {
            return Err(ReferenceError::Newmark { alpha, beta, gamma });
        }
        Ok(Newmark { alpha, beta, gamma })
    }

    /// `pd1 = c1 (p - p0) + c2 pd0 + c3 pdd0`, `c1 = gamma/(beta h)`, `c2 = 1 - gamma/beta`,
    /// `c3 = h (1 - gamma/(2 beta))`.
    pub fn rate<const N: usize>(
        &self,
        h: f64,
        moved: SVector<f64, N>,
        pd0: SVector<f64, N>,
        pdd0: SVector<f64, N>,
    ) -> SVector<f64, N> {
        let Newmark { beta, gamma, .. } = *self;
        gamma / (beta * h) * moved + (1.0 - gamma / beta) * pd0 + h * (1.0 - gamma / (2.0 * beta)) * pdd0
    }
}

/// The rotation of a body over a step: all of it, half of it, and the angular velocity at its end.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub whole: Quaternion<f64>,
    pub half: Quaternion<f64>,
    pub w1: Vector3<f64>,
}

/// Where a body's rotation starts.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub h: f64,
    /// w (rad/s) and wd (rad/s²).
    pub w: Vector3<f64>,
    pub wd: Vector3<f64>,
}

/// Finds a rotation in the unknowns of a method, for which this balance of the rotation and w1 is
/// zero.
pub type Solve = fn(&Newmark, Start, &dyn Fn(Quaternion<f64>, Vector3<f64>) -> Vector3<f64>) -> Turn;

/// All bodies by one of the two forms.
pub struct NewmarkBodies {
    pub rule: Newmark,
    pub solve: Solve,
    pub treatment: Treatment,
    pub now: Vec<Motion>,
    pub multipliers: DVector<f64>,
}

impl NewmarkBodies {
    pub fn start(
        solve: Solve,
        options: &Options,
        treatment: Treatment,
        system: &MultibodySystem,
        start: &[Motion],
        h: f64,
    ) -> Result<NewmarkBodies, ReferenceError> {
        let rule = Newmark::read(options)?;
        let (now, multipliers) = (start.to_vec(), DVector::zeros(0));
        let mut method = NewmarkBodies { rule, solve, treatment, now, multipliers };
        method.begin(system, 0, h);
        Ok(method)
    }
}

impl SystemIntegrator for NewmarkBodies {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let Newmark { alpha, beta, gamma } = self.rule;
        let (now, before) = (self.now.clone(), self.multipliers.clone());
        let own = Advanced { motions: &now, time: k as f64 * h, within: h };
        let loads = |a: f64, b: f64, at: f64| instant(system, k, h, a, b, at);
        let (early, whole, late) = (loads(0.0, 0.5, 0.0), loads(0.0, 1.0, 0.5), loads(0.5, 1.0, 1.0));
        let found = |at: &[Motion], instant: &Instant| {
            system.multipliers(&self.treatment, instant, at, own, h / 2.0, &before)
        };
        let first = if self.treatment.carries() { before.clone() } else { found(&now, &early) };
        let a = system.with_velocities(&now, &system.accelerations(&now, own, &early, &first));
        let starts: Vec<Start> = now
            .iter()
            .zip(&a)
            .map(|(now, a)| Start { h, w: now.angular_velocity, wd: a.angular_velocity })
            .collect();
        let at_start = at_rest(system, &now, &early);

        let mut ends: Vec<Motion> = now
            .iter()
            .zip(&starts)
            .map(|(now, start)| Motion {
                position: now.position + h * now.velocity,
                attitude: unit(now.attitude * exponential(h * start.w + h * h / 2.0 * start.wd)),
                ..now.clone()
            })
            .collect();
        let mut halves: Vec<Quaternion<f64>> =
            starts.iter().map(|start| exponential(h / 2.0 * start.w + h * h / 8.0 * start.wd)).collect();
        let mut changed = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let middle: Vec<Motion> = now
                .iter()
                .zip(&ends)
                .zip(&halves)
                .map(|((now, end), half)| Motion {
                    position: (now.position + end.position) / 2.0,
                    velocity: (now.velocity + end.velocity) / 2.0,
                    attitude: unit(now.attitude * half),
                    angular_velocity: (now.angular_velocity + end.angular_velocity) / 2.0,
                    ..now.clone()
                })
                .collect();
            self.multipliers = found(&middle, &whole);
            let acting = rest(system, &middle, own, &whole, &self.multipliers);
            let at_end = at_rest(system, &ends, &late);
            let last = ends.clone();
            for (b, body) in system.bodies().iter().enumerate() {
                let q = now[b].attitude;
                let to_start = lam(q).transpose();
                let momentum = body.inertia() * now[b].angular_velocity
                    + to_start * (h * (1.0 - alpha) * at_start[b].moment + h * acting[b].moment);
                // The moment of elements at the end, in the axes of the body there.
                let elastic = lam(last[b].attitude).transpose() * at_end[b].moment
                    - body.moment(last[b].attitude, &late.loads[b]);
                let turn = (self.solve)(&self.rule, starts[b], &|turn, w1| {
                    let tau1 = body.moment(unit(q * turn), &late.loads[b]) + elastic;
                    lam(turn) * (body.inertia() * w1 - h * alpha * tau1) - momentum
                });
                halves[b] = turn.half;
                let q1 = unit(q * turn.whole);
                let a0 = at_start[b].force / body.mass();
                let elastic =
                    at_end[b].force / body.mass() - body.acceleration(last[b].attitude, &late.loads[b]);
                let a1 = body.acceleration(q1, &late.loads[b]) + elastic;
                let am = acting[b].force / body.mass();
                ends[b] = Motion {
                    position: now[b].position
                        + h * now[b].velocity
                        + h * h * ((0.5 - beta) * a0 + beta * a1 + am / 2.0),
                    velocity: now[b].velocity + h * ((1.0 - gamma) * a0 + gamma * a1 + am),
                    attitude: q1,
                    angular_velocity: turn.w1,
                    ..now[b].clone()
                };
            }
            let change = (system.flat(&ends) - system.flat(&last)).amax();
            // Rounding may keep the change above the bound; then it stops shrinking.
            if system.is_free() || change <= 1e-15 || (change <= 1e-11 && change >= changed) {
                break;
            }
            changed = change;
        }
        self.now = ends;
    }

    fn motions(&self) -> Vec<Motion> {
        self.now.clone()
    }

    fn begin(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let early = instant(system, k, h, 0.0, 0.5, 0.0);
        self.multipliers = system.instantaneous_multipliers(&self.treatment, &early, &self.now);
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.now = motions.to_vec();
    }

    fn end(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        instant(system, k, h, 0.5, 1.0, 1.0)
    }
}

/// The root of `f` near x by Newton's method with central differences for the Jacobian, until the
/// correction is below rounding; not finite where there is none.
pub fn root<const N: usize>(
    mut x: SVector<f64, N>,
    f: impl Fn(SVector<f64, N>) -> SVector<f64, N>,
) -> SVector<f64, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    const STEP: f64 = 1e-6;
    let mut before = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        let mut jacobian = SMatrix::<f64, N, N>::zeros();
        for j in 0..N {
            let mut e = SVector::<f64, N>::zeros();
            e[j] = STEP;
            jacobian.set_column(j, &((f(x + e) - f(x - e)) / (2.0 * STEP)));
        }
        let Some(correction) = jacobian.lu().solve(&f(x)) else { break };
        x -= correction;
        let size = correction.norm() / x.norm().max(f64::MIN_POSITIVE);
        // Rounding of f may keep the correction above the bound; then it stops shrinking.
        if size <= 1e-15 || (size <= 1e-9 && size >= before) {
            return x;
        }
        before = size;
    }
    SVector::repeat(f64::NAN)
}
