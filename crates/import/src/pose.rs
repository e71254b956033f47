//! Positions, attitudes and masses of the elements of a file.

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use polhode_description::math::inertia::of_mass_at;

/// Rounding of turns and products leaves as much of a component that is zero, as a part of the
/// whole.
const ROUNDING: f64 = 1e-13;

/// A rotation about one of the coordinate axes.
fn about(axis: char, angle: f64) -> UnitQuaternion<f64> {
    let axis = match axis.to_ascii_lowercase() {
        'x' => Vector3::x_axis(),
        'y' => Vector3::y_axis(),
        _ => Vector3::z_axis(),
    };
    UnitQuaternion::from_axis_angle(&axis, angle)
}

/// Three turns, the first one first: letters in lower case turn along with the body (MJCF's
/// convention, the other way round than SciPy's).
pub(crate) fn euler(sequence: &str, angles: [f64; 3]) -> UnitQuaternion<f64> {
    sequence.chars().zip(angles).fold(UnitQuaternion::identity(), |turn, (axis, angle)| {
        if axis.is_ascii_lowercase() { turn * about(axis, angle) } else { about(axis, angle) * turn }
    })
}

/// The least rotation that takes z to a direction.
pub(crate) fn z_to(direction: Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::rotation_between(&Vector3::z(), &direction)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI))
}

/// The frame with this x, and y in the plane of it and `y`.
pub(crate) fn xy_axes(x: Vector3<f64>, y: Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let x = x.try_normalize(1e-9)?;
    let y = (y - x * x.dot(&y)).try_normalize(1e-9)?;
    let frame = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(frame)))
}

pub(crate) fn pose(at: Vector3<f64>, turn: UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(at), turn)
}

/// The vector without components that are rounding.
pub(crate) fn clean(v: Vector3<f64>) -> Vector3<f64> {
    let least = ROUNDING * v.amax();
    v.map(|x| if x.abs() <= least { 0.0 } else { x })
}

/// Whether a rotation is the identity, up to rounding.
pub(crate) fn is_identity(turn: &UnitQuaternion<f64>) -> bool {
    turn.imag().norm() < ROUNDING
}

/// A mass with its centre and its inertia about that, in some axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassProperties {
    pub mass: f64,
    pub centre: Vector3<f64>,
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    pub const NONE: MassProperties = MassProperties {
        mass: 0.0,
        centre: Vector3::new(0.0, 0.0, 0.0),
        inertia: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// In the axes in which `pose` is given.
    pub fn placed(&self, pose: &Isometry3<f64>) -> MassProperties {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        MassProperties {
            mass: self.mass,
            centre: pose.rotation * self.centre + pose.translation.vector,
            inertia: turn * self.inertia * turn.transpose(),
        }
    }

    /// Both together.
    pub fn with(&self, other: &MassProperties) -> MassProperties {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return MassProperties { inertia: self.inertia + other.inertia, ..*self };
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |part: &MassProperties| part.inertia + of_mass_at(part.mass, part.centre - centre);
        MassProperties { mass, centre, inertia: about(self) + about(other) }
    }

    /// The moment of inertia about a line (kg m²).
    pub fn about_line(&self, at: Vector3<f64>, along: Vector3<f64>) -> f64 {
        along.dot(&((self.inertia + of_mass_at(self.mass, self.centre - at)) * along))
    }
}
