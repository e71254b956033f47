//! The rotational integration methods of the reports, done plainly: one file a method, one line in [`METHODS`].
//!
//! All share these conventions. `q` is the attitude, `w` (or `W`) the angular velocity in body axes, `pi = Lam J w` the
//! momentum in space axes, `m` the moment about the pivot in space axes, `a` the pivot's acceleration; h the full step.
//!
//! ```text
//! acc(q, w; L) = J^-1 (M(q; L) - w x J w)      m(q; L) = Lam M(q; L)
//! ```
//!
//! `L = mean[a, b]` says which loads act: every load's mean over steps k + a to k + b, where k is the step that begins.
//! `unit` follows every product of quaternions. `Lam(q)` is that of the unit quaternion along q, so a stage's q
//! that is not of unit norm turns loads and gravity as its direction does.
//!
//! Each file says what was measured of its method, and `tests/reference_methods.rs` measures it again. There, *error* is
//! the largest of the components of q and w (also of r and v for the pushed body), *free body* is J = (5, 10, 1) kg m²
//! with w = (1, .5, 2) rad/s after 4 s, *fast top* is H92 5.2 (J = (5, 5, 1), tilt .3 rad, 50 rad/s, 20 N m) after 2 s,
//! *slow top* is J = (5, 4, 1) with w = (.5, .2, 15) in the same place, and *pushed body* has an offset mass centre,
//! gravity, and forces and torques that jump on the grid, after 1 s. Energies are relative. *Reach* is the largest h|w|
//! with less than 10 % energy error over 10^5 steps, J = (5, 10, 1) turning about its intermediate axis, no restarts.

pub mod dop853;
pub mod midpoint;
mod newmark;
pub mod newmark_euler_parameters;
pub mod newmark_rotation_vector;
pub mod predictor_corrector;
pub mod rk4;
pub mod simo_wong;
pub mod staggered;
pub mod staggered_conserving;

use nalgebra::{Quaternion, Vector3};

use crate::describe::{Mechanism, Options};

use super::body::{MeanLoads, Motion, RigidBody};
use super::{Instance, Trajectory};

/// One body on its way by one method.
pub trait Integrator {
    /// From step k to k + 1, h in s.
    fn step(&mut self, body: &RigidBody, k: u64, h: f64);

    /// The motion at the step reached.
    fn motion(&self) -> Motion;

    /// Drops what drifts and starts it again at step k; methods without a second chain have nothing to drop.
    fn restart(&mut self, _body: &RigidBody, _k: u64, _h: f64) {}
}

/// Makes the integrator of a body that starts from a motion, with steps of h (s). It fails on an option's value that
/// the method does not have.
pub type Start = fn(&Options, &RigidBody, &Motion, f64) -> Result<Box<dyn Integrator>, String>;

/// Every method by the name that a study gives it.
pub const METHODS: [(&str, Start); 9] = [
    ("midpoint", midpoint::start),
    ("staggered", staggered::start),
    ("simo_wong", simo_wong::start),
    ("predictor_corrector", predictor_corrector::start),
    ("staggered_conserving", staggered_conserving::start),
    ("newmark_euler_parameters", newmark_euler_parameters::start),
    ("newmark_rotation_vector", newmark_rotation_vector::start),
    ("rk4", rk4::start),
    ("dop853", dop853::start),
];

/// How far to go and what to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// (s)
    pub h: f64,
    pub steps: u64,
    /// Restart every so many steps ([`Integrator::restart`]); 0: never.
    pub resynchronise: u64,
    /// The trajectory has the states at steps 0, `every`, 2 `every`, ... and the last.
    pub every: u64,
}

/// Runs the method `name`. With a state that is not finite the trajectory stops and says at which step.
///
/// # Errors
/// No method has this name, an option has a value that the method does not have, h is not positive and finite, `every`
/// is 0, or the instance describes no body ([`RigidBody::new`]).
pub fn run(
    name: &str,
    options: &Options,
    mechanism: &Mechanism,
    instance: &Instance,
    schedule: Schedule,
) -> Result<Trajectory, String> {
    let Schedule { h, every, .. } = schedule;
    if !(h > 0.0 && h.is_finite()) {
        return Err(format!("step {h} s is not positive and finite"));
    }
    if every == 0 {
        return Err("states cannot be kept every 0 steps".to_string());
    }
    let Some((_, start)) = METHODS.iter().find(|(known, _)| *known == name) else {
        return Err(format!("the reference has no method `{name}`"));
    };
    let body = RigidBody::new(mechanism, instance)?;
    let motion = body.start(mechanism, instance)?;
    let mut integrator = start(options, &body, &motion, h)?;
    Ok(follow(&body, &motion, &mut *integrator, schedule))
}

/// The trajectory of an integrator that stands at `start`.
fn follow(
    body: &RigidBody,
    start: &Motion,
    integrator: &mut dyn Integrator,
    schedule: Schedule,
) -> Trajectory {
    let Schedule { h, steps, resynchronise, every } = schedule;
    let mut states = vec![body.state(0.0, start)];
    for k in 0..steps {
        if resynchronise > 0 && k > 0 && k.is_multiple_of(resynchronise) {
            integrator.restart(body, k, h);
        }
        integrator.step(body, k, h);
        let done = k + 1;
        let motion = integrator.motion();
        if !motion.is_finite() {
            return Trajectory { states, non_finite_at: Some(done) };
        }
        if done.is_multiple_of(every) || done == steps {
            states.push(body.state(done as f64 * h, &motion));
        }
    }
    Trajectory { states, non_finite_at: None }
}

/// `mean[a, b]`: every load's mean over steps k + a to k + b.
fn mean(body: &RigidBody, k: u64, h: f64, a: f64, b: f64) -> MeanLoads {
    body.mean_load((k as f64 + a) * h, (k as f64 + b) * h)
}

/// How the momentum conserving methods take a step's impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Impulse {
    /// Half from each end of the step.
    Trapezoidal,
    /// From the middle of the step.
    Midpoint,
}

impl Impulse {
    fn read(options: &Options, default: &'static str) -> Result<Impulse, String> {
        match options.choice("impulse", default) {
            "trapezoidal" => Ok(Impulse::Trapezoidal),
            "midpoint" => Ok(Impulse::Midpoint),
            other => Err(format!("impulse is trapezoidal or midpoint, not `{other}`")),
        }
    }
}

/// What changes a momentum and a velocity over a step.
#[derive(Clone, Copy, Debug)]
struct Kick {
    /// Space axes (N m s).
    impulse: Vector3<f64>,
    /// Space axes (m/s).
    velocity: Vector3<f64>,
}

impl Kick {
    /// h times moment and acceleration at one attitude.
    fn at(body: &RigidBody, q: Quaternion<f64>, loads: &MeanLoads, h: f64) -> Kick {
        Kick { impulse: h * body.spatial_moment(q, loads), velocity: h * body.acceleration(q, loads) }
    }
}

impl std::ops::Add for Kick {
    type Output = Kick;

    fn add(self, other: Kick) -> Kick {
        Kick { impulse: self.impulse + other.impulse, velocity: self.velocity + other.velocity }
    }
}
