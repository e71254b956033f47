//! The judge: one body's motion in f64, written for clarity in the reports' notation.
//!
//! It shares no numerics with the fast generic code. It keeps the user's body axes and the full inertia matrix (no
//! principal axes), solves dense systems with nalgebra, and reads only the resolved description and an
//! [`Instance`]'s numbers. [`methods`] are the methods under test done plainly, one file each; [`accurate`] is the
//! accurate solution of any one-body mechanism; [`free_body`] is the torque-free body in closed form. The three judge
//! each other, and published solutions judge them all.

pub mod accurate;
pub mod body;
pub mod free_body;
pub mod loads;
pub mod methods;
pub mod rotation;

use crate::describe::Mechanism;

/// One copy of a mechanism: every number it needs, in SI units. The mechanism itself keeps the structure: support,
/// axes, the point the inertia is about, where and when loads act.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// (kg)
    pub mass: f64,
    /// In body axes, about the point that the mechanism's `inertia_about` names (kg m²).
    pub inertia: [[f64; 3]; 3],
    /// Mass centre from the body's origin, in body axes (m).
    pub centre_of_mass: [f64; 3],
    /// Of the body's origin, in space axes (m).
    pub position: [f64; 3],
    /// Of the body's origin, in space axes (m/s); ignored with a fixed point.
    pub velocity: [f64; 3],
    /// Quaternion, body to space, scalar first; normalised before use.
    pub attitude: [f64; 4],
    /// In the axes that the mechanism's `angular_velocity_axes` names (rad/s).
    pub angular_velocity: [f64; 3],
    /// In space axes (m/s²).
    pub gravity: [f64; 3],
    /// Load values, `loads[load][piece]` (N or N m).
    pub loads: Vec<Vec<[f64; 3]>>,
}

impl Instance {
    /// The only body of the mechanism exactly as described, nothing varied.
    pub fn nominal(mechanism: &Mechanism) -> Instance {
        let body = &mechanism.bodies[0];
        Instance {
            mass: body.mass,
            inertia: body.inertia,
            centre_of_mass: body.centre_of_mass,
            position: body.initial.position,
            velocity: body.initial.velocity,
            attitude: body.initial.attitude,
            angular_velocity: body.initial.angular_velocity,
            gravity: mechanism.gravity,
            loads: mechanism
                .loads
                .iter()
                .map(|load| load.pieces.iter().map(|piece| piece.value).collect())
                .collect(),
        }
    }
}

/// What is known of the body at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// (s)
    pub time: f64,
    /// Of the body's origin, space axes (m).
    pub position: [f64; 3],
    /// Of the body's origin, space axes (m/s).
    pub velocity: [f64; 3],
    /// Unit quaternion, body to space, scalar first; its sign is continuous in time.
    pub attitude: [f64; 4],
    /// Body axes (rad/s).
    pub angular_velocity: [f64; 3],
    /// Kinetic and gravitational energy (J).
    pub energy: f64,
    /// Space axes, about the mass centre of a free body or the fixed point (kg m²/s).
    pub angular_momentum: [f64; 3],
}

/// States in time order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    pub states: Vec<State>,
    /// The step that gave the first state with an infinite or NaN value; the run stopped there, and `states` ends
    /// before it. `None`: the run reached its end.
    pub non_finite_at: Option<u64>,
}
