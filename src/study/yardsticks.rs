//! The mechanisms on which methods are compared, as the reports give them.

use crate::describe::{Axes, Body, InertiaAbout, Initial, Load, LoadKind, Mechanism, Piece, Support};

/// A torque-free body of 1 kg, principal moments in kg m², `w` in body axes (rad/s), no gravity.
pub fn free_body(moments: [f64; 3], attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    Mechanism {
        name: "free body".to_string(),
        gravity: [0.0; 3],
        ..Mechanism::of(vec![Body {
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
        }])
    }
}

/// H92 5.2: the heavy top, mass centre 1 m along body axis 3 from the fixed tip, m g l = 20 N m.
pub fn heavy_top(moments: [f64; 3], about: InertiaAbout, attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    let mut mechanism = free_body(moments, attitude, w);
    mechanism.name = "heavy top".to_string();
    mechanism.gravity = [0.0, 0.0, -9.81];
    mechanism.bodies[0].mass = 20.0 / 9.81;
    mechanism.bodies[0].inertia_about = about;
    mechanism.bodies[0].centre_of_mass = [0.0, 0.0, 1.0];
    mechanism.bodies[0].support = Support::FixedPoint;
    mechanism
}

/// The fast top of H92 5.2 and K14 as it starts: J = (5,5,1) kg m² about the tip, tilted by .3 rad, spinning at 50 rad/s.
pub fn fast_top() -> Mechanism {
    let half = 0.15f64;
    heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, [half.cos(), half.sin(), 0.0, 0.0], [0.0, 0.0, 50.0])
}

/// A torque (N m) over pieces `(from, until, value)` (s).
pub fn torque(name: &str, axes: Axes, pieces: &[(f64, f64, [f64; 3])]) -> Load {
    let pieces = pieces.iter().map(|&(from, until, value)| Piece { from, until, value }).collect();
    Load {
        name: name.to_string(),
        body: 0,
        kind: LoadKind::Torque,
        axes,
        point: [0.0; 3],
        pieces,
        function: None,
    }
}

/// H92 5.1: 20 N m about body axis 1 from rest until 2 s - dt, then an impulse of .2 N m s about axis 2 (of space or
/// body) within dt (s), then free.
pub fn hulbert51(dt: f64, disturbance: Axes) -> Mechanism {
    let mut mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    let end = 2.0;
    mechanism.loads = vec![
        torque("spin-up", Axes::Body, &[(0.0, end - dt, [20.0, 0.0, 0.0])]),
        torque("disturbance", disturbance, &[(end - dt, end, [0.0, 0.2 / dt, 0.0])]),
    ];
    mechanism
}
