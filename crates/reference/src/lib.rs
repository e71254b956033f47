//! The judge: a mechanism's motion in f64, written for clarity in the reports' notation.
//!
//! It shares no numerics with the fast generic code. It keeps the user's body axes and the full
//! inertia matrix (no principal axes), solves dense systems with nalgebra, and reads only the
//! resolved description and an [`Instance`]'s numbers. [`body`] has the equations of one body,
//! [`system`] those of several with all that holds and pushes them. [`methods`] are the methods
//! under test done plainly, one file each; [`accurate`] is the accurate solution of any mechanism;
//! [`free_body`] is the torque-free body in closed form. The three judge each other, and reference
//! solutions judge them all.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
pub mod accurate;
#[doc(hidden)]
pub mod body;
#[doc(hidden)]
pub mod contact;
#[doc(hidden)]
pub mod coordinate;
#[doc(hidden)]
pub mod elements;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod flexible;
#[doc(hidden)]
pub mod free_body;
#[doc(hidden)]
pub mod function;
#[doc(hidden)]
pub mod generator;
#[doc(hidden)]
pub mod joint;
#[doc(hidden)]
pub mod laws;
#[doc(hidden)]
pub mod loads;
#[doc(hidden)]
pub mod lock;
#[doc(hidden)]
pub mod methods;
#[doc(hidden)]
pub mod rotation;
#[doc(hidden)]
pub mod series;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod treatment;
#[doc(hidden)]
pub use error::ReferenceError;

use polhode_description::describe::placement::placed;
use polhode_description::describe::{Body, Initial, Mechanism};
use serde::{Deserialize, Serialize};

/// One copy of a mechanism: every number it needs, in SI units. The mechanism itself keeps the
/// structure: supports, axes, the point an inertia is about, joints, where and when loads and
/// springs act.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// In the order of the mechanism.
    pub bodies: Vec<BodyNumbers>,
    /// In space axes (m/s²).
    pub gravity: [f64; 3],
    /// Load values, `loads[load][piece]` (N or N m).
    pub loads: Vec<Vec<[f64; 3]>>,
    /// Those of joints, forces and locks, in the order of [`Mechanism::numbers`].
    pub numbers: Vec<f64>,
    /// Rows of joints that are known to follow from others.
    pub solved: SolvedRows,
}

/// Which rows multipliers are solved for, and in which coordinates. Nothing is known of them by
/// default: all, and dependent ones are told by small eigenvalues.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolvedRows {
    /// By row: a plan found that others imply it wherever the bodies can go. [`accurate`] does not
    /// make use of it, nor do loads of joints.
    pub left_out: Vec<bool>,
    /// The others are known to be independent but for singular positions.
    pub independent: bool,
    /// Coordinates that are solved for after every step, as a plan chose them.
    pub dependents: Vec<Dependent>,
}

impl SolvedRows {
    /// Where no row is to be left out: the rows are known to be independent if none was.
    pub fn of_all(&self) -> SolvedRows {
        let independent = self.independent && !self.left_out.contains(&true);
        SolvedRows { independent, ..SolvedRows::default() }
    }
}

/// A coordinate that depends on the others (PCD90 III.A): a unit velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependent {
    /// Number of the body.
    pub body: usize,
    /// It is a turn, not a place.
    pub turn: bool,
    /// 0 to 2: of a place in space axes, of a turn in body axes.
    pub axis: usize,
    /// Positions are solved for in it, not velocities alone.
    pub of_positions: bool,
}

/// The numbers of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyNumbers {
    /// (kg)
    pub mass: f64,
    /// In body axes, about the point that the mechanism's `inertia_about` names (kg m²).
    pub inertia: [[f64; 3]; 3],
    /// Mass centre from the body's origin, in body axes (m).
    pub centre_of_mass: [f64; 3],
    /// Position of the body's origin, in space axes (m).
    pub position: [f64; 3],
    /// Velocity of the body's origin, in space axes (m/s); ignored with a fixed point.
    pub velocity: [f64; 3],
    /// Quaternion, body to space, scalar first; normalised before use.
    pub attitude: [f64; 4],
    /// In the axes that the mechanism's `angular_velocity_axes` names (rad/s).
    pub angular_velocity: [f64; 3],
}

impl Instance {
    /// The mechanism exactly as described, nothing varied.
    pub fn nominal(mechanism: &Mechanism) -> Instance {
        let numbers = mechanism.numbers();
        let values: Vec<f64> = numbers.iter().map(|number| number.value).collect();
        let given: Vec<Initial> = mechanism.bodies.iter().map(|body| body.initial.clone()).collect();
        let body = |(body, initial): (&Body, Initial)| BodyNumbers {
            mass: body.mass,
            inertia: body.inertia_in_body(),
            centre_of_mass: body.centre_of_mass,
            position: initial.position,
            velocity: initial.velocity,
            attitude: initial.attitude,
            angular_velocity: initial.angular_velocity,
        };
        let starts = placed(mechanism, &given, &numbers, &values);
        Instance {
            bodies: mechanism.bodies.iter().zip(starts).map(body).collect(),
            gravity: mechanism.gravity,
            loads: mechanism
                .loads
                .iter()
                .map(|load| load.pieces.iter().map(|piece| piece.value).collect())
                .collect(),
            numbers: values,
            solved: SolvedRows::default(),
        }
    }

    /// The numbers that expressions [call](Mechanism::called).
    pub fn called(&self, mechanism: &Mechanism) -> Vec<f64> {
        mechanism.called(&self.numbers)
    }
}

/// The state of a mechanism at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// (s)
    pub time: f64,
    /// In the order of the mechanism's.
    pub bodies: Vec<BodyState>,
    /// Kinetic, gravitational and elastic energy (J).
    pub energy: f64,
    /// The first of these (J).
    pub kinetic: f64,
    /// Space axes (kg m²/s): of a single body about its mass centre or fixed point, of several
    /// about the space origin.
    pub angular_momentum: [f64; 3],
    /// Root of the sum of squares of Phi of all joints, generators, contacts and locks that hold:
    /// lengths in m, angles in rad, cosines.
    pub constraint_violation: f64,
    /// Every coordinate of every joint that has some, joints in order, angle before displacement
    /// (rad or m).
    pub coordinates: Vec<f64>,
    /// By joint, to the loads' means over half a step on either side, at the start on one; of the
    /// accurate solution to the loads just before.
    pub reactions: Vec<Reaction>,
    /// By generator: along its coordinate, as the first number (N m or N), or on its point, space
    /// axes (N).
    pub drives: Vec<[f64; 3]>,
    /// By lock: along its coordinate (N m or N); zero while it holds nothing.
    pub lock_loads: Vec<f64>,
    /// By contact: its force on the body, space axes (N), by multipliers without a history.
    pub contact_forces: Vec<[f64; 3]>,
    /// By contact: the point that touches, from the origin of its body in body axes (m).
    pub contact_points: Vec<[f64; 3]>,
}

/// Force and torque of a joint's own rows on its body B, by multipliers without a history
/// ([`borne`](system::MultibodySystem::borne)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// Space axes (N).
    pub force: [f64; 3],
    /// About the joint's point B, space axes (N m).
    pub torque: [f64; 3],
}

/// When a lock caught and when it let go (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockTimes {
    /// When it caught (s).
    pub locked: Option<f64>,
    /// When it let go (s).
    pub released: Option<f64>,
}

/// The state of one body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Position of the body's origin, space axes (m).
    pub position: [f64; 3],
    /// Velocity of the body's origin, space axes (m/s).
    pub velocity: [f64; 3],
    /// Unit quaternion, body to space, scalar first; its sign is continuous in time.
    pub attitude: [f64; 4],
    /// Body axes (rad/s).
    pub angular_velocity: [f64; 3],
    /// eta, of a flexible body.
    pub amplitudes: Vec<f64>,
    /// Its rate.
    pub amplitude_rates: Vec<f64>,
}

/// States in time order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// At the times that were asked for.
    pub states: Vec<State>,
    /// The step that gave the first state with a value that is NaN or beyond 1e140; the run stopped
    /// there, and `states` ends before it. `None`: the run reached its end.
    pub non_finite_at: Option<u64>,
    /// By lock, up to the end of the run.
    pub locks: Vec<LockTimes>,
}
