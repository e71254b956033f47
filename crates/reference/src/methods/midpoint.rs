//! The nonlinearly implicit midpoint rule of PC87 (Park & Chiou, CU-CSSC-87-08, 1987) on Euler
//! parameters.
//!
//! The midpoint is sought with `A(w) q = 1/2 q o (0, w)`, the scaling in which (5.7a) and (5.7b)
//! say the same. With d = h/2, loads mean[0, 1] throughout:
//!
//! ```text
//! wm = w; am = acc(q, w); qd = A(w) q
//! repeat 1 + iterations times:
//!   qm  = (I - A(d wm + d² am))^-1 (q + d A(w - wm) q)         (5.7a)
//!   qdm = (I - A(d wm))^-1 (qd + d A(am) qm)                 (5.7b), with A(w) printed for A(am)
//!   wm  = 2 vec(qm* o qdm)/|qm|²;  am = acc(unit qm, wm)       (5.11)
//! q1 = unit(2 qm - q);  qd1 = 2 qdm - qd;  qd1 -= q1 (q1.qd1);  (5.17), (5.18)
//! w1 = 2 vec(q1* o qd1)
//! v1 = v + h a(unit qm);  r1 = r + h/2 (v + v1)
//! ```
//!
//! Several bodies go on together. acc and a are then those of [`MultibodySystem::accelerations`] in
//! the middle of the step, where positions and modal coordinates are `r + d v` and their rates
//! `v + d a`, (6.4) shifted by half a step; the multipliers are found there over `tau = d` from
//! those of the step before, (6.6), in every pass anew, and those found last are carried. In the
//! first pass the accelerations are those of the start, with the multipliers carried, or, where the
//! treatment carries none, with those it finds there.
//!
//! PC87 inverts in closed form, (5.12); here the 4 x 4 systems are solved as they stand, so that
//! the closed form is judged too. Options: `iterations` (3); `as_printed`, the algorithm as (5.8)
//! prints it, without iteration, whatever `iterations` says; `enforce_midpoint`, which
//! enforces |qm| = 1 and qm.qdm = 0 by the bordered systems
//!
//! ```text
//! E  qm  + lam qm  = b  ;  qm.qm  = 1    (5.15), by Newton's iteration, from lam = 0
//! E' qdm + lam' qm = b' ;  qm.qdm = 0    (5.16), with qm as the column, where qdm is printed
//! ```
//!
//! Measured, with one iteration where nothing is said. Error 2.4e-3 (free body, h = 10 ms), 2.5e-3
//! (fast top, 1 ms); order 1.98 to 2.00. As printed it is of order 1.00 and unstable: the fast
//! top's energy is 7e5 times too large after 10 s at 2 ms. One iteration leaves a growth of energy
//! as h³: 8.1e-7/s on the free body at 10 ms, and at h|w| = .5 the fast top has twice its energy
//! after 100 s and 10^5 times after 150 s. Two iterations lose energy at a tenth of that rate
//! (-7.3e-8/s; fast top -2e-3 over 400 s), three have no rate that can be told from zero on the
//! free body and -2.6e-5 over the same 400 s of the top. With (5.15)-(5.16) the fast top at
//! h|w| = .5 is within 7.1e-3 after 20 s and 1.9e-2 after 100 s, with one iteration as with three.
//! Reach: .048 (one iteration), .076 (two), .154 (three), .231 (eight). Momentum is not conserved,
//! and a torque's impulse about a fixed axis is not exact, as w comes from the quaternion and its
//! rate.

use nalgebra::{DVector, Matrix4, Matrix5, Vector3, Vector4, Vector5};

use polhode_description::base::Options;

use super::super::ReferenceError;
use super::super::body::Motion;
use super::super::rotation::{angular_velocity, column, from_column, rate_matrix, solve, unit};
use super::super::system::{Advanced, Instant, MultibodySystem};
use super::super::treatment::Treatment;
use super::integrator::{SystemIntegrator, instant};

struct Midpoint {
    passes: u64,
    enforce: bool,
    treatment: Treatment,
    now: Vec<Motion>,
    /// Those found last.
    multipliers: DVector<f64>,
}

pub fn start(
    options: &Options,
    treatment: Treatment,
    system: &MultibodySystem,
    start: &[Motion],
    h: f64,
) -> Result<Box<dyn SystemIntegrator>, ReferenceError> {
    let passes = if options.flag("as_printed", false) { 1 } else { 1 + options.count("iterations", 3) };
    let mut method = Midpoint {
        passes,
        enforce: options.flag("enforce_midpoint", false),
        treatment,
        now: start.to_vec(),
        multipliers: DVector::zeros(0),
    };
    method.begin(system, 0, h);
    Ok(Box::new(method))
}

/// A body's attitude and its rate in the middle of the step, and its angular velocity there.
struct Middle {
    q: Vector4<f64>,
    qd: Vector4<f64>,
    w: Vector3<f64>,
}

impl Midpoint {
    /// (5.7) and (5.11) for one body, with its angular acceleration so far.
    fn pass(&self, start: &Motion, before: &Middle, am: Vector3<f64>, d: f64) -> Middle {
        let (one, a) = (Matrix4::identity(), |w: Vector3<f64>| rate_matrix(w));
        let (q, w, wm) = (column(start.attitude), start.angular_velocity, before.w);
        let (matrix, right) = (one - a(d * wm + d * d * am), q + d * a(w - wm) * q);
        let qm = if self.enforce { with_norm(&matrix, &right) } else { solve(matrix, right) };
        let (matrix, right) = (one - a(d * wm), a(w) * q + d * a(am) * qm);
        let qdm = if self.enforce { bordered(&matrix, &qm, &right, 0.0).0 } else { solve(matrix, right) };
        let wm = angular_velocity(from_column(qm), from_column(qdm)) / qm.norm_squared();
        Middle { q: qm, qd: qdm, w: wm }
    }
}

/// `x` and lam of `matrix x + lam column = right`, `column . x = along`; not finite where there are
/// none.
fn bordered(
    matrix: &Matrix4<f64>,
    column: &Vector4<f64>,
    right: &Vector4<f64>,
    along: f64,
) -> (Vector4<f64>, f64) {
    let mut all = Matrix5::zeros();
    all.fixed_view_mut::<4, 4>(0, 0).copy_from(matrix);
    all.fixed_view_mut::<4, 1>(0, 4).copy_from(column);
    all.fixed_view_mut::<1, 4>(4, 0).copy_from(&column.transpose());
    let x = all.lu().solve(&right.push(along)).unwrap_or(Vector5::repeat(f64::NAN));
    (x.fixed_rows::<4>(0).into_owned(), x[4])
}

/// (5.15) by Newton's iteration: `matrix q + lam q = right`, `|q| = 1`.
fn with_norm(matrix: &Matrix4<f64>, right: &Vector4<f64>) -> Vector4<f64> {
    let (mut q, mut lam) = (solve(*matrix, *right), 0.0);
    // It squares the error, which is of the size (h |w|)^4 at first.
    for _ in 0..8 {
        let tangent = matrix + Matrix4::identity() * lam;
        let left = right - tangent * q;
        let (by, more) = bordered(&tangent, &q, &left, 0.5 * (1.0 - q.norm_squared()));
        q += by;
        lam += more;
    }
    q
}

impl SystemIntegrator for Midpoint {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let d = h / 2.0;
        let (now, before) = (self.now.clone(), self.multipliers.clone());
        let loads = instant(system, k, h, 0.0, 1.0, 0.5);
        let own = Advanced { motions: &now, time: k as f64 * h, within: h };
        let found = |at: &[Motion]| system.multipliers(&self.treatment, &loads, at, own, d, &before);
        let accelerations = |at: &[Motion], multipliers: &DVector<f64>| {
            system.with_velocities(at, &system.accelerations(at, own, &loads, multipliers))
        };

        let mut multipliers = if self.treatment.carries() { before.clone() } else { found(&now) };
        let mut a = accelerations(&now, &multipliers);
        let rates = now.iter().map(|now| rate_matrix(now.angular_velocity) * column(now.attitude));
        let mut middles: Vec<Middle> = now
            .iter()
            .zip(rates)
            .map(|(now, qd)| Middle { q: column(now.attitude), qd, w: now.angular_velocity })
            .collect();
        for _ in 0..self.passes {
            let bodies = now.iter().zip(&middles).zip(&a);
            middles =
                bodies.map(|((now, middle), a)| self.pass(now, middle, a.angular_velocity, d)).collect();
            let bodies = now.iter().zip(&middles).zip(&a);
            let at: Vec<Motion> = bodies
                .map(|((now, middle), a)| Motion {
                    position: now.position + d * now.velocity,
                    velocity: now.velocity + d * a.velocity,
                    attitude: unit(from_column(middle.q)),
                    angular_velocity: middle.w,
                    amplitudes: &now.amplitudes + d * &now.amplitude_rates,
                    amplitude_rates: &now.amplitude_rates + d * &a.amplitude_rates,
                })
                .collect();
            multipliers = found(&at);
            a = accelerations(&at, &multipliers);
        }

        let bodies = now.iter().zip(&middles).zip(&a);
        self.now = bodies
            .map(|((now, middle), a)| {
                let q1 = unit(from_column(2.0 * middle.q - column(now.attitude)));
                let qd = rate_matrix(now.angular_velocity) * column(now.attitude);
                let qd1 = 2.0 * middle.qd - qd;
                let qd1 = qd1 - column(q1) * column(q1).dot(&qd1);
                let velocity = now.velocity + h * a.velocity;
                let amplitude_rates = &now.amplitude_rates + h * &a.amplitude_rates;
                Motion {
                    position: now.position + d * (now.velocity + velocity),
                    velocity,
                    attitude: q1,
                    angular_velocity: angular_velocity(q1, from_column(qd1)),
                    amplitudes: &now.amplitudes + d * (&now.amplitude_rates + &amplitude_rates),
                    amplitude_rates,
                }
            })
            .collect();
        self.multipliers = multipliers;
    }

    fn motions(&self) -> Vec<Motion> {
        self.now.clone()
    }

    fn begin(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let first = instant(system, k, h, 0.0, 1.0, 0.5);
        self.multipliers = system.instantaneous_multipliers(&self.treatment, &first, &self.now);
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.now = motions.to_vec();
    }

    fn end(&self, system: &MultibodySystem, k: u64, h: f64) -> Instant {
        instant(system, k, h, 0.0, 1.0, 0.5)
    }
}
