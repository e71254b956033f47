//! The two-stage staggered explicit method of PCD90 (Park, Chiou & Downer, CU-CSSC-90-07, 1990), done plainly.
//!
//! Two chains leapfrog: the integer chain at t_k = k h and the half chain at t_k + h/2. Each takes its rates from the
//! other, rotation and translation alike:
//!
//! ```text
//! q1  = unit(Mid(h wh) q),  w1  = w  + h acc(qh, wh),  r1  = r  + h vh,  v1  = v  + h a(qh)
//! qh1 = unit(Mid(h w1) qh), wh1 = wh + h acc(q1, w1),  rh1 = rh + h v1,  vh1 = vh + h a(q1)
//! Mid(h w) = (I - h/4 A(w))^-1 (I + h/4 A(w)),   A(w) q = q o (0, w)
//! ```
//!
//! `Mid` is the implicit midpoint rule for qdot = 1/2 A(w) q. PCD90 gives it in closed form, (54); here it is solved as
//! the 4 x 4 system it is, so that the closed form is judged too. Loads enter a chain's kick by their mean over the step
//! of that chain ([`super::loads`]). The half chain starts from the integer chain by two RK4 steps over h/2.
//!
//! The chains drift apart in long runs (an odd-even mode), so every `resynchronise` steps the half chain is dropped and
//! started again. That has a price of its own: each restart leaves a small bias in energy, so restarting every 1 to 20
//! steps drifts more than every 100; and what the integer chain has at that step is kept. Loads that jump between grid
//! points leave the two chains O(h) apart on either side of the solution; a restart then keeps one side's error. Put
//! jumps on grid points.

use nalgebra::{Matrix4, Quaternion, Vector3, Vector4};

use crate::describe::Mechanism;

use super::body::{MeanLoads, Motion, RigidBody, unit};
use super::{Instance, Trajectory, rk4};

/// Runs `steps` steps of h (s), with the half chain restarted every `resynchronise` steps (0: never). The trajectory has
/// the integer chain's states at steps 0, `every`, 2 `every`, ... and the last; with a state that is not finite it stops
/// and says at which step.
///
/// # Errors
/// h is not positive and finite, `every` is 0, or the instance describes no body ([`RigidBody::new`]).
pub fn run(
    mechanism: &Mechanism,
    instance: &Instance,
    h: f64,
    steps: u64,
    resynchronise: u64,
    every: u64,
) -> Result<Trajectory, String> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(format!("step {h} s is not positive and finite"));
    }
    if every == 0 {
        return Err("states cannot be kept every 0 steps".to_string());
    }
    let body = RigidBody::new(mechanism, instance)?;
    let start = body.start(mechanism, instance)?;
    Ok(run_with(&body, start, Schedule { h, steps, resynchronise, every }, midpoint_update))
}

/// How far to go and what to keep.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    h: f64,
    steps: u64,
    resynchronise: u64,
    every: u64,
}

/// The method with any attitude update `(q, w, h) -> q1`, so that tests can compare others with the midpoint rule.
fn run_with(
    body: &RigidBody,
    start: Motion,
    schedule: Schedule,
    update: impl Fn(Quaternion<f64>, Vector3<f64>, f64) -> Quaternion<f64>,
) -> Trajectory {
    let Schedule { h, steps, resynchronise, every } = schedule;
    let time = |step: u64| step as f64 * h;
    let half_time = |step: u64| (step as f64 + 0.5) * h;

    // One chain's motion over a step, with rates taken from the other chain in the middle of it.
    let advance = |own: &Motion, other: &Motion, loads: &MeanLoads| Motion {
        position: own.position + h * other.velocity,
        velocity: own.velocity + h * body.acceleration(other.attitude, loads),
        attitude: unit(update(own.attitude, other.angular_velocity, h)),
        angular_velocity: own.angular_velocity
            + h * body.angular_acceleration(other.attitude, other.angular_velocity, loads),
    };

    let mut whole = start;
    let mut half = half_step_later(body, &whole, time(0), h);
    let mut states = vec![body.state(0.0, &whole)];
    for step in 0..steps {
        if resynchronise > 0 && step > 0 && step.is_multiple_of(resynchronise) {
            half = half_step_later(body, &whole, time(step), h);
        }
        whole = advance(&whole, &half, &body.mean_load(time(step), time(step + 1)));
        half = advance(&half, &whole, &body.mean_load(half_time(step), half_time(step + 1)));

        let done = step + 1;
        if !whole.is_finite() {
            return Trajectory { states, non_finite_at: Some(done) };
        }
        if done.is_multiple_of(every) || done == steps {
            states.push(body.state(time(done), &whole));
        }
    }
    Trajectory { states, non_finite_at: None }
}

/// Starts the half chain: from the integer chain at `time` by RK4 over h/2 in two substeps.
fn half_step_later(body: &RigidBody, whole: &Motion, time: f64, h: f64) -> Motion {
    let quarter = h / 4.0;
    let middle = rk4::step(body, whole, &body.mean_load(time, time + quarter), quarter);
    rk4::step(body, &middle, &body.mean_load(time + quarter, time + 2.0 * quarter), quarter)
}

/// `q1 = (I - h/4 A(w))^-1 (I + h/4 A(w)) q`
fn midpoint_update(q: Quaternion<f64>, w: Vector3<f64>, h: f64) -> Quaternion<f64> {
    #[rustfmt::skip]
    let a = Matrix4::new(
        0.0, -w.x, -w.y, -w.z,
        w.x,  0.0,  w.z, -w.y,
        w.y, -w.z,  0.0,  w.x,
        w.z,  w.y, -w.x,  0.0,
    );
    let right = (Matrix4::identity() + h / 4.0 * a) * Vector4::new(q.w, q.i, q.j, q.k);
    // I - h/4 A has determinant (1 + h²|w|²/16)², so only a value that is not finite leaves it without a solution.
    match (Matrix4::identity() - h / 4.0 * a).lu().solve(&right) {
        Some(q1) => Quaternion::new(q1[0], q1[1], q1[2], q1[3]),
        None => Quaternion::new(f64::NAN, f64::NAN, f64::NAN, f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    //! Attitude updates other than the midpoint rule, to confirm what equations.md says of them.

    use super::*;
    use crate::describe::{Axes, Body, InertiaAbout, Initial, Support};
    use crate::reference::{body::quaternion, dop853};

    /// H92 5.2, the fast heavy top.
    fn fast_top() -> Mechanism {
        Mechanism {
            name: "fast top".to_string(),
            gravity: [0.0, 0.0, -10.0],
            body: Body {
                name: "body".to_string(),
                mass: 2.0,
                inertia: [[5.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 1.0]],
                inertia_about: InertiaAbout::Origin,
                centre_of_mass: [0.0, 0.0, 1.0],
                support: Support::FixedPoint,
                initial: Initial {
                    position: [0.0; 3],
                    velocity: [0.0; 3],
                    attitude: [0.15_f64.cos(), 0.15_f64.sin(), 0.0, 0.0],
                    angular_velocity: [0.0, 0.0, 50.0],
                    angular_velocity_axes: Axes::Body,
                },
            },
            loads: vec![],
        }
    }

    /// The angle (rad) between the accurate attitude at 1 s and that of the method with this update, h = 2 ms.
    fn error_with(update: impl Fn(Quaternion<f64>, Vector3<f64>, f64) -> Quaternion<f64>) -> f64 {
        let mechanism = fast_top();
        let instance = Instance::nominal(&mechanism);
        let body = RigidBody::new(&mechanism, &instance).unwrap();
        let start = body.start(&mechanism, &instance).unwrap();
        let schedule = Schedule { h: 0.002, steps: 500, resynchronise: 0, every: 500 };
        let got = run_with(&body, start, schedule, update).states.last().unwrap().attitude;
        let exact = dop853::run(&mechanism, &instance, &[1.0], dop853::TOLERANCE).unwrap().states[0].attitude;
        2.0 * (quaternion(exact).conjugate() * quaternion(got)).imag().norm().asin()
    }

    /// `q1 = 2 qm - q` with `qm = (q + h/4 A q)/Delta`, the form in which (54) is meant.
    fn by_mid_point(q: Quaternion<f64>, w: Vector3<f64>, h: f64, delta: f64) -> Quaternion<f64> {
        let middle = (q + q * Quaternion::from_imag(w) * (h / 4.0)) / delta;
        middle * 2.0 - q
    }

    fn exponential(q: Quaternion<f64>, w: Vector3<f64>, h: f64) -> Quaternion<f64> {
        q * Quaternion::from_imag(w * (h / 2.0)).exp()
    }

    /// The midpoint rule with the half-angle vector a = h w/4 scaled by 1 + |a|²/3.
    fn phase_corrected(q: Quaternion<f64>, w: Vector3<f64>, h: f64) -> Quaternion<f64> {
        let a = w * (h / 4.0);
        midpoint_update(q, w * (1.0 + a.norm_squared() / 3.0), h)
    }

    #[test]
    fn midpoint_system_is_the_closed_form_with_sixteen() {
        let q = unit(Quaternion::new(0.3, -0.2, 0.9, 0.4));
        let w = Vector3::new(8.0, -3.0, 40.0);
        let h = 0.01;
        let closed = by_mid_point(q, w, h, 1.0 + h * h * w.norm_squared() / 16.0);
        assert!((midpoint_update(q, w, h) - closed).norm() < 1e-15);
    }

    #[test]
    fn midpoint_lags_by_the_cube_over_48() {
        let q = Quaternion::new(1.0, 0.0, 0.0, 0.0);
        let (w, h) = (Vector3::new(0.0, 0.0, 10.0), 0.01);
        let (midpoint, exact) = (midpoint_update(q, w, h), exponential(q, w, h));
        let lag = 2.0 * (midpoint.conjugate() * exact).imag().z.asin();
        let cube = (h * w.z).powi(3) / 48.0;
        assert!((lag / cube - 1.0).abs() < 1e-2, "{lag} {cube}");
    }

    #[test]
    fn printed_delta_makes_the_attitude_error_eight_times_larger() {
        let right = error_with(midpoint_update);
        let printed = error_with(|q, w, h| by_mid_point(q, w, h, 1.0 + h * h * w.norm_squared() / 4.0));
        println!("h²|w|²/16: {right:e} rad, h²|w|²/4: {printed:e} rad");
        assert!((7.0..9.0).contains(&(printed / right)), "{right} {printed}");
    }

    #[test]
    fn exponential_and_phase_correction_remove_most_of_the_lag() {
        let midpoint = error_with(midpoint_update);
        let exponential = error_with(exponential);
        let corrected = error_with(phase_corrected);
        println!("midpoint {midpoint:e}, exponential {exponential:e}, corrected {corrected:e} rad");
        assert!(midpoint > 10.0 * exponential && midpoint > 10.0 * corrected);
    }

    #[test]
    fn a_state_that_is_not_finite_ends_the_run_and_is_named() {
        let mut mechanism = fast_top();
        mechanism.body.inertia[0][0] = 20.0;
        let instance = Instance::nominal(&mechanism);
        let trajectory = run(&mechanism, &instance, 10.0, 1000, 0, 1).unwrap();
        let step = trajectory.non_finite_at.expect("a step far beyond stability");
        assert_eq!(trajectory.states.len() as u64, step);
        assert!(trajectory.states.iter().all(|state| state.angular_velocity.iter().all(|w| w.is_finite())));
    }
}
