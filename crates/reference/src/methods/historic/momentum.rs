//! Parts that the momentum methods of H92, and those of K14, share where several bodies are joined.
//!
//! Loads, and what elements do to bodies at rest, act as a method's own rule of quadrature says.
//! All else, which is the reactions of joints, and what damps or adds inertia along coordinates,
//! acts from the middle of the step, where the multipliers are found:
//!
//! ```text
//! rest = M udot + (0, w x J w) - Q0,   udot = M'^-1 (Q - B^T lam),   M' = M + h/2 D + B^T I B
//! ```
//!
//! Q0 is Q of bodies at rest.

use nalgebra::{DVector, Vector3};

use crate::body::Motion;
use crate::methods::integrator::Impulse;
use crate::rotation::lam;
use crate::system::{Advanced, Instant, MultibodySystem};

/// Force (N) and moment about the pivot (N m) on a body, both in space axes; or an impulse of
/// these.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    pub force: Vector3<f64>,
    pub moment: Vector3<f64>,
}

impl Push {
    fn none() -> Push {
        Push { force: Vector3::zeros(), moment: Vector3::zeros() }
    }
}

impl std::ops::Add for Push {
    type Output = Push;

    fn add(self, other: Push) -> Push {
        Push { force: self.force + other.force, moment: self.moment + other.moment }
    }
}

impl std::ops::Mul<Push> for f64 {
    type Output = Push;

    fn mul(self, push: Push) -> Push {
        Push { force: self * push.force, moment: self * push.moment }
    }
}

/// `a + b`, body by body.
pub fn sum(a: Vec<Push>, b: Vec<Push>) -> Vec<Push> {
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}

/// s times each.
pub fn times(s: f64, pushes: Vec<Push>) -> Vec<Push> {
    pushes.into_iter().map(|push| s * push).collect()
}

/// Those that the generalised forces are, body by body.
fn pushes(system: &MultibodySystem, at: &[Motion], forces: &DVector<f64>) -> Vec<Push> {
    let parts = system.with_velocities(at, forces);
    parts
        .iter()
        .map(|part| Push { force: part.velocity, moment: lam(part.attitude) * part.angular_velocity })
        .collect()
}

/// Q0: loads, and what elements do to bodies at rest.
pub fn at_rest(system: &MultibodySystem, at: &[Motion], instant: &Instant) -> Vec<Push> {
    let still: Vec<Motion> = at
        .iter()
        .map(|at| Motion { velocity: Vector3::zeros(), angular_velocity: Vector3::zeros(), ..at.clone() })
        .collect();
    pushes(system, at, &system.forces(&still, &still, instant))
}

/// All besides Q0, where bodies are in the middle of the step from `own`.
pub fn rest(
    system: &MultibodySystem,
    at: &[Motion],
    own: Advanced,
    instant: &Instant,
    multipliers: &DVector<f64>,
) -> Vec<Push> {
    if system.is_free() {
        return at.iter().map(|_| Push::none()).collect();
    }
    let accelerations = system.with_velocities(at, &system.accelerations(at, own, instant, multipliers));
    let bodies = system.bodies().iter().zip(at).zip(accelerations).zip(at_rest(system, at, instant));
    bodies
        .map(|(((body, at), a), known)| {
            let w = at.angular_velocity;
            let moment = body.inertia() * a.angular_velocity + w.cross(&(body.inertia() * w));
            let all = Push { force: body.mass() * a.velocity, moment: lam(at.attitude) * moment };
            all + -1.0 * known
        })
        .collect()
}

/// The impulses over step k + `offset`; `middle` and `end`: the motions there.
pub struct Step<'a> {
    pub own: Advanced<'a>,
    pub middle: &'a [Motion],
    pub end: &'a [Motion],
    pub k: u64,
    pub offset: f64,
}

impl Impulse {
    /// The impulses over a step with these multipliers in its middle.
    pub fn over(
        self,
        system: &MultibodySystem,
        step: &Step,
        h: f64,
        multipliers: &DVector<f64>,
    ) -> Vec<Push> {
        let Step { own, middle, end, k, offset } = *step;
        let loads =
            |a: f64, b: f64, at: f64| self.loads.instant(system, k, h, offset + a, offset + b, offset + at);
        let whole = loads(0.0, 1.0, 0.5);
        let known = if self.trapezoidal {
            sum(
                times(h / 2.0, at_rest(system, own.motions, &loads(0.0, 0.5, 0.0))),
                times(h / 2.0, at_rest(system, end, &loads(0.5, 1.0, 1.0))),
            )
        } else {
            times(h, at_rest(system, middle, &whole))
        };
        sum(known, times(h, rest(system, middle, own, &whole, multipliers)))
    }
}

/// `pi = Lam J w` of all bodies.
pub fn momenta(system: &MultibodySystem, motions: &[Motion]) -> Vec<Vector3<f64>> {
    let bodies = system.bodies().iter().zip(motions);
    bodies.map(|(body, at)| body.momentum(at.attitude, at.angular_velocity)).collect()
}
