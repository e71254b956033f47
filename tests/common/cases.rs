//! Ensembles that between them use every part of the engine.

use polhode::describe::{Axes, InertiaAbout, Mechanism, Quantity, Study, Support};

use super::study::{Varied, study};
use super::{force, free_body, heavy_top, torque};

const ATTITUDE: [f64; 4] = [0.8, 0.2, -0.4, 0.4];
const SPIN: [f64; 3] = [1.0, 0.5, 2.0];
const HULBERT: [f64; 3] = [5.0, 10.0, 1.0];
const ALWAYS: (f64, f64) = (0.0, f64::INFINITY);
const STEPS: u64 = 1000;

fn body() -> Mechanism {
    free_body(HULBERT, ATTITUDE, SPIN)
}

fn always(value: [f64; 3]) -> [(f64, f64, [f64; 3]); 1] {
    [(ALWAYS.0, ALWAYS.1, value)]
}

fn tumbling(mechanism: Mechanism, size: u64, h: f64) -> Study {
    study(mechanism, size, h, STEPS).normal(Quantity::AngularVelocity, [1.0, 0.5, 2.0], 0.7).any_attitude()
}

/// No load, the same inertia for all: the shortest step.
pub fn free(size: u64) -> Study {
    tumbling(body(), size, 0.01)
}

pub fn varied_inertia_and_mass(size: u64) -> Study {
    tumbling(body(), size, 0.01).uniform(Quantity::Inertia, [4.0, 7.0, 2.0], [7.0, 11.0, 4.0]).uniform(
        Quantity::Mass,
        [0.5],
        [3.0],
    )
}

/// A fixed point and gravity.
pub fn top(size: u64) -> Study {
    let top = heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, ATTITUDE, [0.0, 0.0, 50.0]);
    study(top, size, 1e-3, STEPS).normal(Quantity::AngularVelocity, [0.0, 0.0, 50.0], 3.0).any_attitude()
}

/// A thrown body with forces and torques fixed in the body and in space, none through the mass
/// centre.
pub fn thrown(size: u64) -> Study {
    let mut mechanism = body();
    mechanism.gravity = [0.3, -0.2, -9.81];
    mechanism.bodies[0].mass = 1.7;
    mechanism.bodies[0].centre_of_mass = [0.1, -0.2, 0.3];
    mechanism.bodies[0].initial.velocity = [1.0, 2.0, 3.0];
    mechanism.loads = vec![
        force("thruster", Axes::Body, [0.3, 0.1, -0.2], &always([0.2, -0.4, 0.7])),
        force("wind", Axes::Space, [-0.1, 0.4, 0.2], &always([-0.5, 0.3, 0.1])),
        torque("wheel", Axes::Body, &always([0.1, 0.3, -0.2])),
        torque("field", Axes::Space, &always([-0.2, 0.1, 0.4])),
    ];
    tumbling(mechanism, size, 0.01)
}

/// Torques that begin and end at steps, and between them; one in the first half of the first step,
/// where a second chain is led away.
pub fn jumps(size: u64) -> Study {
    let mut mechanism = body();
    mechanism.loads = vec![
        torque("spin-up", Axes::Body, &[(0.003, 1.99, [2.0, 0.0, 0.0]), (1.99, 3.0, [0.0, -1.0, 0.5])]),
        torque(
            "knock",
            Axes::Space,
            &[(0.123_45, 0.127_3, [0.0, 20.0, 0.0]), (4.567_89, 7.1, [0.3, -0.2, 0.1])],
        ),
    ];
    tumbling(mechanism, size, 0.01)
}

/// Inertia with products, loads and offset turned to principal axes.
pub fn full_inertia(size: u64) -> Study {
    let mut mechanism = body();
    mechanism.bodies[0].inertia = [[3.0, 0.4, -0.3], [0.4, 4.0, 0.5], [-0.3, 0.5, 2.5]];
    mechanism.bodies[0].centre_of_mass = [0.2, -0.1, 0.15];
    mechanism.gravity = [0.0, 0.0, -9.81];
    mechanism.loads = vec![force("thruster", Axes::Body, [0.3, 0.1, -0.2], &always([0.2, -0.4, 0.7]))];
    tumbling(mechanism, size, 0.01)
}

/// Nothing is the same for two instances.
pub fn all_varied(size: u64) -> Study {
    let mut mechanism = full_inertia(1).mechanism;
    mechanism.bodies[0].inertia_about = InertiaAbout::Origin;
    mechanism.loads.push(torque("field", Axes::Space, &[(0.5, 2.345, [0.4, -0.3, 0.2])]));
    tumbling(mechanism, size, 0.01)
        .uniform(Quantity::Inertia, [3.0; 3], [5.0; 3])
        .uniform(Quantity::Mass, [0.5], [2.0])
        .uniform(Quantity::CentreOfMass, [-0.2; 3], [0.2; 3])
        .normal(Quantity::Position, [1.0, -2.0, 3.0], 1.0)
        .normal(Quantity::Velocity, [0.0; 3], 1.0)
        .normal(Quantity::Gravity, [0.0, 0.0, -9.81], 0.3)
        .normal(Quantity::LoadValue { load: 0, piece: 0 }, [0.1, 0.2, 0.3], 0.2)
        .normal(Quantity::LoadValue { load: 1, piece: 0 }, [0.1, 0.2, 0.3], 0.2)
}

/// Both bounds, passed by many instances each: the quaternion's norm is off by rounding only, the
/// energy by the method's error.
pub fn bounded(size: u64) -> Study {
    let mut mechanism = full_inertia(1).mechanism;
    mechanism.loads.clear();
    mechanism.bodies[0].support = Support::FixedPoint;
    let mut study = tumbling(mechanism, size, 0.01);
    study.verdict.energy = Some(2e-5);
    study.verdict.quaternion_norm = Some(1e-7);
    study.verdict.every = 100;
    study
}
