//! What the two Newmark methods of K14 share: the rule, the translation, and the solution of the step's equations.

use nalgebra::{Const, DimMin, Matrix3, SMatrix, SVector, Vector3};

use crate::base::Options;

use super::super::ReferenceError;
use super::super::body::{MeanLoads, Motion, RigidBody};
use super::mean;

/// Iterations after which a step has no solution; a sound step needs four or five.
const MOST_ITERATIONS: u32 = 50;

/// The constants of the rule.
#[derive(Clone, Copy, Debug)]
pub struct Newmark {
    pub alpha: f64,
    beta: f64,
    gamma: f64,
}

/// What is known when a step begins.
pub struct Known {
    /// `J w + h (1 - alpha) tau(q; mean[0, .5])`, body axes at the start of the step.
    pub momentum: Vector3<f64>,
    /// wd (rad/s²).
    pub acceleration: Vector3<f64>,
    pub early: MeanLoads,
    pub late: MeanLoads,
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

    pub fn known(&self, body: &RigidBody, now: &Motion, k: u64, h: f64) -> Known {
        let Motion { attitude: q, angular_velocity: w, .. } = *now;
        let early = mean(body, k, h, 0.0, 0.5, 0.0);
        Known {
            momentum: body.inertia() * w + h * (1.0 - self.alpha) * body.moment(q, &early),
            acceleration: body.angular_acceleration(q, w, &early),
            early,
            late: mean(body, k, h, 0.5, 1.0, 1.0),
        }
    }

    /// `R (J w1 - h alpha tau1) - J w - h (1 - alpha) tau0`: what the step brings to zero.
    pub fn residual(
        &self,
        body: &RigidBody,
        known: &Known,
        h: f64,
        turn: Matrix3<f64>,
        w1: Vector3<f64>,
        tau1: Vector3<f64>,
    ) -> Vector3<f64> {
        turn * (body.inertia() * w1 - h * self.alpha * tau1) - known.momentum
    }

    /// Position and velocity of the pivot after the step: Newmark's rule for the accelerations a at both its ends.
    pub fn translated(
        &self,
        body: &RigidBody,
        known: &Known,
        now: &Motion,
        q1: nalgebra::Quaternion<f64>,
        h: f64,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let Newmark { beta, gamma, .. } = *self;
        let a0 = body.acceleration(now.attitude, &known.early);
        let a1 = body.acceleration(q1, &known.late);
        (
            now.position + h * now.velocity + h * h * ((0.5 - beta) * a0 + beta * a1),
            now.velocity + h * ((1.0 - gamma) * a0 + gamma * a1),
        )
    }
}

/// The root of `f` near x by Newton's method with central differences for the Jacobian, until the correction is below
/// rounding; not finite where there is none.
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
