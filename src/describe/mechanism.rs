//! The machine as described: rigid bodies, joints between them, forces and loads. Values are resolved (SI, checked),
//! nothing is computed here.

use serde::Serialize;

/// A mechanism file, resolved: every value in SI units, every default filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mechanism {
    pub name: String,
    /// Acceleration of gravity in space axes (m/s²).
    pub gravity: [f64; 3],
    /// At least one.
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub springs: Vec<Spring>,
    pub loads: Vec<Load>,
}

impl Mechanism {
    /// One body, held by nothing but its support.
    pub fn is_one_body(&self) -> bool {
        self.bodies.len() == 1 && self.joints.is_empty() && self.springs.is_empty()
    }
}

/// A point fixed in a body, or in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Position in [`Mechanism::bodies`]; `None`: the ground.
    pub body: Option<usize>,
    /// From the body's origin in body axes; of the ground: from the space origin in space axes (m).
    pub at: [f64; 3],
}

/// What keeps two bodies, or a body and the ground, together. Both sides carry a point and a frame: three unit vectors
/// x, y, z fixed in the side's body, z the joint's axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Joint {
    pub name: String,
    pub kind: JointKind,
    /// Of sides A and B; the two are on different bodies.
    pub points: [Point; 2],
    /// `frames[side]`: x, y, z in the axes of the side's body.
    pub frames: [[[f64; 3]; 3]; 2],
    /// Distance between the points (m), for [`JointKind::Distance`].
    pub length: f64,
}

/// The joints of W84 table 6.1 and the rod. `d` is the vector from point A to point B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// Points coincide.
    Spherical,
    /// Points coincide, zA and zB are perpendicular.
    Universal,
    /// Points coincide, zA and zB are parallel.
    Revolute,
    /// B stays on the line through A along zA.
    Slot,
    /// B stays on that line, zA and zB are parallel.
    Cylindrical,
    /// As cylindrical, without rotation about the line.
    Translational,
    /// B stays in the plane through A with normal zA.
    PlanarPoint,
    /// B stays in that plane, zA and zB are parallel.
    Planar,
    /// Points coincide, frames too.
    Fixed,
    /// The points keep their distance.
    Distance,
}

/// A force along the line between two points: positive pushes them apart.
///
/// ```text
/// f = -stiffness (l - free_length) - damping ldot + actuator
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spring {
    pub name: String,
    pub points: [Point; 2],
    /// (N/m)
    pub stiffness: f64,
    /// (N s/m)
    pub damping: f64,
    /// (m)
    pub free_length: f64,
    /// (N)
    pub actuator: f64,
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

/// A force or torque on a body, constant or piecewise constant in time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    pub name: String,
    /// Position in [`Mechanism::bodies`].
    pub body: usize,
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
