//! The machine as described: one rigid body, its support, its loads. Values are resolved (SI, checked), nothing is
//! computed here.

use serde::Serialize;

/// A mechanism file, resolved: every value in SI units, every default filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mechanism {
    pub name: String,
    /// Acceleration of gravity in space axes (m/s²).
    pub gravity: [f64; 3],
    pub body: Body,
    pub loads: Vec<Load>,
}

/// One rigid body. `body axes` are the axes in which the user describes it; they need not be principal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Body {
    /// Name under which channels and varied quantities are addressed, e.g. `body.angular_velocity`.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Inertia matrix in body axes (kg m²), symmetric positive definite, about the point `inertia_about` names.
    pub inertia: [[f64; 3]; 3],
    pub inertia_about: InertiaAbout,
    /// Mass centre from the body's origin, in body axes (m).
    pub centre_of_mass: [f64; 3],
    pub support: Support,
    pub initial: Initial,
}

/// The point about which the inertia matrix is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InertiaAbout {
    MassCentre,
    /// The body's origin; with a fixed point, that is the fixed point.
    Origin,
}

/// How the body is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    Free,
    /// The body's origin stays where it starts; the body turns about it.
    FixedPoint,
}

/// The state at t = 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Initial {
    /// Position of the body's origin in space axes (m).
    pub position: [f64; 3],
    /// Velocity of the body's origin in space axes (m/s); zero with a fixed point.
    pub velocity: [f64; 3],
    /// Unit quaternion (scalar first) that maps body axes to space axes.
    pub attitude: [f64; 4],
    /// Angular velocity (rad/s) in `angular_velocity_axes`.
    pub angular_velocity: [f64; 3],
    pub angular_velocity_axes: Axes,
}

/// The axes in which a vector's components are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    Body,
    Space,
}

/// A force or torque on the body, constant or piecewise constant in time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    pub name: String,
    pub kind: LoadKind,
    pub axes: Axes,
    /// Where a force acts, from the body's origin in body axes (m). Unused for a torque.
    pub point: [f64; 3],
    /// In time order, never overlapping. A load is zero outside its pieces.
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadKind {
    Force,
    Torque,
}

/// A constant stretch of a load: `from <= t < until` (s); `until` may be infinite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    pub from: f64,
    pub until: f64,
    /// Force (N) or torque (N m).
    pub value: [f64; 3],
}
