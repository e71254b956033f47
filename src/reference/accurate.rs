//! The accurate motion of any mechanism: Dormand and Prince's order 8 Runge-Kutta method with error control.
//!
//! The integrator is the crate `differential-equations`, method `dop853` (Hairer, Nørsett & Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd edition, 1993, II.10). Every load jump ends one integration and begins the next, so
//! that each piece is smooth; so does every output time, so that no interpolation enters the result.

use differential_equations::prelude::{ExplicitRungeKutta, IVP, ODE};
use nalgebra::DVector;

use crate::describe::Mechanism;

use super::body::Motion;
use super::rotation::unit;
use super::system::{MultibodySystem, SystemLoads};
use super::treatment::Treatment;
use super::{Instance, Trajectory};

/// The tolerance to ask for: near the best that f64 gives on every published solution.
pub const TOLERANCE: f64 = 1e-14;

/// More steps than this between two stops is taken as failure.
const MOST_STEPS: usize = 10_000_000;

/// No integration goes further than this (s) before positions and velocities are projected on to the constraints, whose
/// accelerations alone the equations keep.
const LONGEST_UNPROJECTED: f64 = 0.05;

/// The states at `times` (s), ascending and not negative. `tolerance` bounds the error estimate of each step, relative
/// and absolute alike in SI units; see [`TOLERANCE`]. With joints the start is projected on to the constraints.
///
/// # Errors
/// The instance describes no mechanism, the times are out of order, or the integrator fails.
pub fn run(
    mechanism: &Mechanism,
    instance: &Instance,
    times: &[f64],
    tolerance: f64,
) -> Result<Trajectory, String> {
    let in_order = times.iter().all(|t| t.is_finite() && *t >= 0.0) && times.is_sorted();
    if !in_order {
        return Err("output times must be finite, not negative and ascending".to_string());
    }
    let system = MultibodySystem::new(mechanism, instance)?;
    let mut motions = system.projected(&system.start(mechanism, instance)?);
    let mut jumps = system.jumps();
    jumps.sort_by(f64::total_cmp);

    let mut now = 0.0;
    let mut states = Vec::with_capacity(times.len());
    for &time in times {
        for &stop in jumps.iter().filter(|jump| **jump < time).chain([&time]) {
            if stop <= now {
                continue;
            }
            let parts = if system.has_joints() { ((stop - now) / LONGEST_UNPROJECTED).ceil() } else { 1.0 };
            let from = now;
            for part in 1..=parts as u64 {
                let until =
                    if part == parts as u64 { stop } else { from + (stop - from) * part as f64 / parts };
                motions = system.projected(&integrate(&system, &motions, now, until, tolerance)?);
                now = until;
            }
        }
        states.push(system.state(time, &motions));
    }
    Ok(Trajectory { states, non_finite_at: None })
}

/// From `from` to `until` (s), between which no load jumps.
fn integrate(
    system: &MultibodySystem,
    start: &[Motion],
    from: f64,
    until: f64,
    tolerance: f64,
) -> Result<Vec<Motion>, String> {
    let equations = Smooth { system, loads: system.mean_load(from, until) };
    let method = ExplicitRungeKutta::dop853()
        .rtol(tolerance)
        .atol(tolerance)
        .max_steps(MOST_STEPS)
        .max_rejects(MOST_STEPS);
    let solution = IVP::ode(&equations, from, until, system.flat(start))
        .method(method)
        .solve()
        .map_err(|error| format!("between {from} s and {until} s: {error}"))?;
    match solution.y.last() {
        Some(end) => {
            let end = system.from_flat(end);
            Ok(end.into_iter().map(|end| Motion { attitude: unit(end.attitude), ..end }).collect())
        }
        None => Err(format!("no solution between {from} s and {until} s")),
    }
}

/// The equations of motion while the loads are constant, of index 1: multipliers keep the constraints' accelerations.
struct Smooth<'a> {
    system: &'a MultibodySystem,
    loads: SystemLoads,
}

impl ODE<f64, DVector<f64>> for Smooth<'_> {
    fn diff(&self, _time: f64, y: &DVector<f64>, rate: &mut DVector<f64>) {
        *rate = self.system.rate(y, &self.loads, &Treatment::Exact);
    }
}
