//! The rotational integration methods of the reports, done plainly: one file a method, one line in
//! [`METHODS`].
//!
//! All share these conventions. `q` is the attitude, `w` (or `W`) the angular velocity in body
//! axes, `pi = Lam J w` the momentum in space axes, `m` the moment about the pivot in space axes,
//! `a` the pivot's acceleration; h the full step.
//!
//! ```text
//! acc(q, w; L) = J^-1 (M(q; L) - w x J w)      m(q; L) = Lam M(q; L)
//! ```
//!
//! `L = mean[a, b]` says which loads act: every load's mean over steps k + a to k + b, where k is
//! the step that begins. A load that is a function of time is taken at one instant instead: that of
//! the attitude beside it, and for a whole step, mean[0, 1], its middle. Stages of Runge-Kutta
//! methods have instants of their own.
//!
//! All take mechanisms of several bodies, those of momenta and Newmark's rigid ones. With joints
//! and springs acc(q, w) and a(q) are those of [`MultibodySystem::accelerations`]. [`Start::Body`]
//! is for methods of other programs that take one body alone.
//!
//! Between steps all methods do the same: after step k the locks catch and let go
//! ([`Lock`](super::lock::Lock)), and the coordinates of joints are remembered for their turns.
//!
//! `unit` follows every product of quaternions. `Lam(q)` is that of the unit quaternion along q, so
//! a stage's q that is not of unit norm turns loads and gravity as its direction does.
//!
//! Each file says what was measured of its method, and `tests/cpu/reference_methods.rs` measures it
//! again. There, *error* is the largest of the components of q and w (also of r and v for the
//! pushed body), *free body* is J = (5, 10, 1) kg m² with w = (1, .5, 2) rad/s after 4 s, *fast
//! top* is H92 5.2 (J = (5, 5, 1), tilt .3 rad, 50 rad/s, 20 N m) after 2 s, *slow top* is J = (5,
//! 4, 1) with w = (.5, .2, 15) in the same place, and *pushed body* has an offset mass centre,
//! gravity, and forces and torques that jump on the grid, after 1 s. Energies are relative. *Reach*
//! is the largest h|w| with less than 10 % energy error over 10^5 steps, J = (5, 10, 1) turning
//! about its intermediate axis, no restarts.

pub mod dop853;
pub mod historic;
pub mod integrator;
pub mod midpoint;
pub mod own_steps;
pub mod rk4;
pub mod runge_kutta;
pub mod staggered;
pub mod trapezoidal;
pub mod tsit5;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use nalgebra::DVector;

use polhode_description::base::{Options, Setting};
use polhode_description::describe::{Constraints, Mechanism};
use polhode_description::treatments::{EPS, EPS_ACCURACY};

use self::historic::{
    newmark_euler_parameters, newmark_rotation_vector, predictor_corrector, simo_wong, staggered_conserving,
};
use self::integrator::instant;
pub use self::integrator::{Integrator, SystemIntegrator};
use self::own_steps::OwnSteps;
use self::runge_kutta::{RungeKutta, Table};
use super::ReferenceError;
use super::body::{Motion, RigidBody};
use super::system::MultibodySystem;
use super::treatment::Treatment;
use super::{Instance, Trajectory};

/// Makes the integrator of a body that starts from a motion, with steps of h (s). It fails on an
/// option's value that the method does not have.
pub type StartBody = fn(&Options, &RigidBody, &Motion, f64) -> Result<Box<dyn Integrator>, ReferenceError>;

/// As [`StartBody`], for a mechanism, whose joints the treatment holds.
pub type StartSystem = fn(
    &Options,
    Treatment,
    &MultibodySystem,
    &[Motion],
    f64,
) -> Result<Box<dyn SystemIntegrator>, ReferenceError>;

/// The start of a method, by the mechanisms that it takes.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// One body without joints and springs.
    Body(StartBody),
    /// Any mechanism, with a treatment that carries no multipliers where there are joints.
    System(StartSystem),
    /// As [`Start::System`], for an explicit Runge-Kutta method.
    Table(&'static Table),
    /// Any mechanism with any treatment.
    CarryingSystem(StartSystem),
}

/// Every method by the name that a study gives it.
pub const METHODS: [(&str, Start); 11] = [
    ("midpoint", Start::CarryingSystem(midpoint::start)),
    ("staggered", Start::CarryingSystem(staggered::start)),
    ("simo_wong", Start::CarryingSystem(simo_wong::start)),
    ("predictor_corrector", Start::CarryingSystem(predictor_corrector::start)),
    ("staggered_conserving", Start::CarryingSystem(staggered_conserving::start)),
    ("newmark_euler_parameters", Start::CarryingSystem(newmark_euler_parameters::start)),
    ("newmark_rotation_vector", Start::CarryingSystem(newmark_rotation_vector::start)),
    ("trapezoidal", Start::CarryingSystem(trapezoidal::start)),
    ("rk4", Start::System(rk4::start)),
    ("tsit5", Start::Table(&tsit5::TABLE)),
    ("dop853", Start::Table(&dop853::TABLE)),
];

/// Those of methods that a program around polhode has registered.
static OWN: RwLock<Vec<(&'static str, Start)>> = RwLock::new(Vec::new());

/// Adds the twin of a registered method.
pub fn register(name: &'static str, start: Start) {
    OWN.write().unwrap_or_else(PoisonError::into_inner).push((name, start));
}

/// Whether a method of this name is there.
pub fn has(name: &str) -> bool {
    start(name).is_some()
}

/// Returns the start of the method of this name; `None`: it has no twin.
fn start(name: &str) -> Option<Start> {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    METHODS.iter().chain(own.iter()).find(|(known, _)| *known == name).map(|(_, start)| *start)
}

/// The length of a run, and the states that it keeps.
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

/// As [`run_until`], which nobody ends.
///
/// # Errors
/// As [`run_until`].
pub fn run(
    name: &str,
    options: &Options,
    constraints: &Constraints,
    mechanism: &Mechanism,
    instance: &Instance,
    schedule: Schedule,
) -> Result<Trajectory, ReferenceError> {
    run_until(name, options, constraints, mechanism, instance, schedule, &AtomicBool::new(false))
}

/// Runs the method `name`, joints held as `constraints` say, from the start
/// [assembled](MultibodySystem::assembled). With `constraints.project` positions and velocities are
/// projected on to the constraints before every so many full steps, as at the start, in place of
/// the restarts. With a state that is not finite the trajectory stops and says at which step.
///
/// # Errors
/// No method has this name, an option has a value that the method does not have, h is not positive
/// and finite, `every` is 0, the instance describes no mechanism ([`MultibodySystem::new`]), the
/// method does not take it, the treatment holds no locks, or the user has ended it.
pub fn run_until(
    name: &str,
    options: &Options,
    constraints: &Constraints,
    mechanism: &Mechanism,
    instance: &Instance,
    schedule: Schedule,
    interrupted: &AtomicBool,
) -> Result<Trajectory, ReferenceError> {
    let Schedule { h, every, .. } = schedule;
    if !(h > 0.0 && h.is_finite()) {
        return Err(ReferenceError::Step { step: h });
    }
    if every == 0 {
        return Err(ReferenceError::NeverKept);
    }
    let Some(start) = start(name) else {
        return Err(ReferenceError::NoMethod { name: name.to_string() });
    };
    let mut system = MultibodySystem::new(mechanism, instance)?;
    let motions = system.assembled(mechanism, instance)?;
    let treatment = Treatment::new(&with_eps_by_rule(constraints, &system, &motions), h)?;
    system.begin(&motions, h);
    let mut integrator = match start {
        Start::Body(start) => {
            let body =
                system.only().ok_or_else(|| ReferenceError::OneBodyAlone { name: name.to_string() })?;
            Box::new(Alone { integrator: start(options, body, &motions[0], h)?, body: body.clone() })
        }
        Start::System(_) | Start::Table(_) if treatment.carries() && system.is_constrained() => {
            return Err(ReferenceError::NoMultipliers { name: name.to_string() });
        }
        Start::System(_) | Start::Table(_) | Start::CarryingSystem(_)
            if matches!(treatment, Treatment::Penalty { .. }) && system.has_locks() =>
        {
            return Err(ReferenceError::PenaltyWithLocks);
        }
        Start::System(start) | Start::CarryingSystem(start) => {
            start(options, treatment, &system, &motions, h)?
        }
        Start::Table(table) => match (options.get("tolerance"), table.estimate) {
            (Some(Setting::Number(_)), _) if system.has_locks() => {
                return Err(ReferenceError::OwnStepsWithLocks);
            }
            (Some(Setting::Number(tolerance)), Some(estimate)) => {
                let own = OwnSteps::new(table, estimate, *tolerance, treatment, &motions);
                Box::new(own) as Box<dyn SystemIntegrator>
            }
            _ => Box::new(RungeKutta::new(table, treatment, &motions)),
        },
    };
    follow(&mut system, &treatment, &motions, &mut *integrator, (schedule, constraints.project), interrupted)
}

/// Returns the constraints with eps by the rule of PCD90 III.D, after (32), where `eps_accuracy`
/// asks for it:
///
/// ```text
/// eps = c / (|mu^-1| |mu|),
/// mu = B M^-1 B^T where the motion starts, of all rows but those of locks
/// ```
///
/// with the largest singular values for norms, and so by the condition number of mu.
fn with_eps_by_rule(constraints: &Constraints, system: &MultibodySystem, start: &[Motion]) -> Constraints {
    let accuracy = constraints.options.number(EPS_ACCURACY, 0.0);
    if accuracy == 0.0 || !system.is_constrained() {
        return constraints.clone();
    }
    let values = system.coupling_without_locks(start).singular_values();
    let eps = Setting::Number(accuracy * values.min() / values.max());
    Constraints { options: constraints.options.clone().with(EPS, eps), ..constraints.clone() }
}

/// A method of one body as one of a mechanism.
struct Alone {
    integrator: Box<dyn Integrator>,
    body: RigidBody,
}

impl SystemIntegrator for Alone {
    fn step(&mut self, _: &MultibodySystem, k: u64, h: f64) {
        self.integrator.step(&self.body, k, h);
    }

    fn motions(&self) -> Vec<Motion> {
        vec![self.integrator.motion()]
    }

    fn restart(&mut self, _: &MultibodySystem, k: u64, h: f64) {
        self.integrator.restart(&self.body, k, h);
    }

    // One body alone has no constraints: nothing moves it but its method.
    fn move_to(&mut self, _: &[Motion]) {}
}

/// The trajectory of an integrator that stands at `start`.
fn follow(
    system: &mut MultibodySystem,
    treatment: &Treatment,
    start: &[Motion],
    integrator: &mut dyn SystemIntegrator,
    (schedule, project): (Schedule, u64),
    interrupted: &AtomicBool,
) -> Result<Trajectory, ReferenceError> {
    let Schedule { h, steps, resynchronise, every } = schedule;
    // Reactions are those to loads' means over half a step on either side, at the start on one.
    let mut states = vec![system.state(treatment, &instant(system, 0, h, 0.0, 0.5, 0.0), start)];
    for k in 0..steps {
        if interrupted.load(Ordering::Relaxed) {
            return Err(ReferenceError::OutOfTime { time: k as f64 * h });
        }
        if project > 0 {
            if k > 0 && k.is_multiple_of(project) {
                let motions = system.projected(&integrator.motions(), k as f64 * h);
                integrator.move_to(&motions);
                integrator.restart(system, k, h);
            }
        } else if resynchronise > 0 && k > 0 && k.is_multiple_of(resynchronise) {
            integrator.restart(system, k, h);
        }
        if k > 0 && system.samples_at(k) {
            integrator.begin(system, k, h);
        }
        integrator.step(system, k, h);
        let done = k + 1;
        if let Treatment::Partition { independent } = *treatment {
            let motions = system.dependents_solved(&integrator.motions(), done as f64 * h, independent);
            integrator.move_to(&motions);
        }
        let time = |part: f64| (k as f64 + part) * h;
        let end = system.instant_after(time(0.5), time(1.5), time(1.0));
        let motions = integrator.motions();
        if !motions.iter().all(Motion::is_sound) {
            return Ok(Trajectory { states, non_finite_at: Some(done), locks: system.lock_times() });
        }
        // Those that a method carries hold what returns a lock's overshoot too, which is no load.
        let multipliers = if system.has_locks() {
            system.borne(treatment, &integrator.end(system, k, h), &motions)
        } else {
            DVector::zeros(0)
        };
        system.after_step(k, &motions, &multipliers);
        if done.is_multiple_of(every) || done == steps {
            states.push(system.state(treatment, &end, &motions));
        }
    }
    Ok(Trajectory { states, non_finite_at: None, locks: system.lock_times() })
}
