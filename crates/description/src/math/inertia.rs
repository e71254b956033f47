//! Inertia matrices: from rows and back, turned, and of a mass away from a point.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Entries, as parts of the largest, that are rounding.
pub const ROUNDING: f64 = 1e-14;

/// The quaternion of axes that are the body's own.
pub const UNTURNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// As [`turned`], from rows to rows.
pub fn in_body(inertia: [[f64; 3]; 3], axes: [f64; 4]) -> [[f64; 3]; 3] {
    if axes == UNTURNED { inertia } else { rows(&turned(&matrix(&inertia), axes)) }
}

/// The matrix of these rows.
pub fn matrix(rows: &[[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|row, column| rows[row][column])
}

/// The rows of a matrix.
pub fn rows(matrix: &Matrix3<f64>) -> [[f64; 3]; 3] {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[(row, column)]))
}

/// m (|d|² I - d dᵀ): the inertia of a mass m at d, about the point from which d leads there
/// (Steiner's term).
pub fn of_mass_at(mass: f64, d: Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * mass
}

/// R J Rᵀ: the inertia J of axes that the unit quaternion of R maps to other axes, in those. What
/// rounding leaves of a quarter turn is taken for nothing, as a step is cheaper without it.
pub fn turned(inertia: &Matrix3<f64>, axes: [f64; 4]) -> Matrix3<f64> {
    let [q0, q1, q2, q3] = axes;
    if axes == UNTURNED {
        return *inertia;
    }
    let axes = UnitQuaternion::from_quaternion(Quaternion::new(q0, q1, q2, q3)).to_rotation_matrix();
    let turned = axes * inertia * axes.transpose();
    let least = ROUNDING * turned.amax();
    ((turned + turned.transpose()) / 2.0).map(|x| if x.abs() < least { 0.0 } else { x })
}
