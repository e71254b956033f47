//! The accurate motion of any one-body mechanism: Dormand and Prince's order 8 Runge-Kutta method with error control.
//!
//! The integrator is the crate `differential-equations`, method `dop853` (Hairer, Nørsett & Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd edition, 1993, II.10). Every load jump ends one integration and begins the next, so
//! that each piece is smooth; so does every output time, so that no interpolation enters the result.

use differential_equations::prelude::{ExplicitRungeKutta, IVP, ODE};

use crate::describe::Mechanism;

use super::body::{Flat, MeanLoads, Motion, RigidBody};
use super::rotation::unit;
use super::{Instance, Trajectory};

/// The tolerance to ask for: near the best that f64 gives on every published solution.
pub const TOLERANCE: f64 = 1e-14;

/// More steps than this between two stops is taken as failure.
const MOST_STEPS: usize = 10_000_000;

/// The states at `times` (s), ascending and not negative. `tolerance` bounds the error estimate of each step, relative
/// and absolute alike in SI units; see [`TOLERANCE`].
///
/// # Errors
/// The instance describes no body, the times are out of order, or the integrator fails.
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
    let body = RigidBody::new(mechanism, instance)?;
    let mut motion = body.start(mechanism, instance)?;
    let mut jumps = body.jumps();
    jumps.sort_by(f64::total_cmp);

    let mut now = 0.0;
    let mut states = Vec::with_capacity(times.len());
    for &time in times {
        for &stop in jumps.iter().filter(|jump| **jump < time).chain([&time]) {
            if stop > now {
                motion = integrate(&body, &motion, now, stop, tolerance)?;
                now = stop;
            }
        }
        states.push(body.state(time, &motion));
    }
    Ok(Trajectory { states, non_finite_at: None })
}

/// From `from` to `until` (s), between which no load jumps.
fn integrate(
    body: &RigidBody,
    start: &Motion,
    from: f64,
    until: f64,
    tolerance: f64,
) -> Result<Motion, String> {
    let equations = Smooth { body, loads: body.mean_load(from, until) };
    let method = ExplicitRungeKutta::dop853()
        .rtol(tolerance)
        .atol(tolerance)
        .max_steps(MOST_STEPS)
        .max_rejects(MOST_STEPS);
    let solution = IVP::ode(&equations, from, until, start.flat())
        .method(method)
        .solve()
        .map_err(|error| format!("between {from} s and {until} s: {error}"))?;
    match solution.y.last() {
        Some(end) => {
            let end = Motion::from_flat(end);
            Ok(Motion { attitude: unit(end.attitude), ..end })
        }
        None => Err(format!("no solution between {from} s and {until} s")),
    }
}

/// The equations of motion while the loads are constant.
struct Smooth<'a> {
    body: &'a RigidBody,
    loads: MeanLoads,
}

impl ODE<f64, Flat> for Smooth<'_> {
    fn diff(&self, _time: f64, y: &Flat, rate: &mut Flat) {
        *rate = self.body.rate(y, &self.loads);
    }
}
