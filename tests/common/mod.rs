//! What the integration tests share: tolerances, published solutions, mechanisms and studies built in code, and ways
//! to run them.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod alone;
pub mod cases;
pub mod engine;
pub mod methods;
pub mod published;
pub mod study;
pub mod tolerances;

use polhode::describe::{Axes, Body, InertiaAbout, Initial, Load, LoadKind, Mechanism, Piece, Support};

/// A torque-free body of 1 kg, principal moments in kg m², `w` in body axes (rad/s), no gravity.
pub fn free_body(moments: [f64; 3], attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    Mechanism {
        name: "free body".to_string(),
        gravity: [0.0; 3],
        body: Body {
            name: "body".to_string(),
            mass: 1.0,
            inertia: [[moments[0], 0.0, 0.0], [0.0, moments[1], 0.0], [0.0, 0.0, moments[2]]],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [0.0; 3],
            support: Support::Free,
            initial: Initial {
                position: [0.0; 3],
                velocity: [0.0; 3],
                attitude,
                angular_velocity: w,
                angular_velocity_axes: Axes::Body,
            },
        },
        loads: vec![],
    }
}

/// H92 5.2: the heavy top, mass centre 1 m along body axis 3 from the fixed tip, m g l = 20 N m.
pub fn heavy_top(moments: [f64; 3], about: InertiaAbout, attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    let mut mechanism = free_body(moments, attitude, w);
    mechanism.name = "heavy top".to_string();
    mechanism.gravity = [0.0, 0.0, -9.81];
    mechanism.body.mass = 20.0 / 9.81;
    mechanism.body.inertia_about = about;
    mechanism.body.centre_of_mass = [0.0, 0.0, 1.0];
    mechanism.body.support = Support::FixedPoint;
    mechanism
}

/// A torque (N m) over pieces `(from, until, value)` (s).
pub fn torque(name: &str, axes: Axes, pieces: &[(f64, f64, [f64; 3])]) -> Load {
    let pieces = pieces.iter().map(|&(from, until, value)| Piece { from, until, value }).collect();
    Load { name: name.to_string(), kind: LoadKind::Torque, axes, point: [0.0; 3], pieces }
}

/// A force (N) at `point` from the body's origin in body axes (m), over the same kind of pieces.
pub fn force(name: &str, axes: Axes, point: [f64; 3], pieces: &[(f64, f64, [f64; 3])]) -> Load {
    Load { kind: LoadKind::Force, point, ..torque(name, axes, pieces) }
}

/// H92 5.1: 20 N m about body axis 1 from rest until 2 s - dt, then an impulse of .2 N m s about axis 2 (of space or
/// body) within dt, then free.
pub fn hulbert51(dt: f64, disturbance: Axes) -> Mechanism {
    let mut mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    let end = 2.0;
    mechanism.loads = vec![
        torque("spin-up", Axes::Body, &[(0.0, end - dt, [20.0, 0.0, 0.0])]),
        torque("disturbance", disturbance, &[(end - dt, end, [0.0, 0.2 / dt, 0.0])]),
    ];
    mechanism
}

/// The largest component of |a - b|.
pub fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// [`distance`] of two attitudes: q and -q are the same.
pub fn attitude_distance(a: [f64; 4], b: [f64; 4]) -> f64 {
    distance(a, b).min(distance(a, b.map(|x| -x)))
}

pub fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The slope of ln(error) over ln(h), least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, error)| (h.ln(), error.ln())).collect();
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let across: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    across / logs.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>()
}
