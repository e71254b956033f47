//! Attitudes in the forms that users have: quaternion, rotation vector, axis and angle, Euler
//! angles, matrix.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::document::Node;
use super::keys::{AXIS_ANGLE, EULER, MATRIX, QUATERNION, ROTATION_VECTOR};
use super::read_forms::{direction, normalised};
use polhode_description::base::significant;
use polhode_description::base::units::Dimension;
use polhode_description::math::quaternion::{Quat, product};

/// Largest error of a quaternion's norm that is taken for rounding without a word.
const ROUNDED: f64 = 1e-6;
/// Largest error of what was printed with few digits: of a quaternion's norm, and of the entries of
/// `R^T R - 1`. It is told.
const PRINTED: f64 = 1e-3;

/// An attitude in any of its forms, as a unit quaternion.
pub(super) fn attitude(node: &Node<'_>) -> Option<[f64; 4]> {
    if node.is_list() {
        return unit_quaternion(node);
    }
    if !node.is_table() {
        let forms = "give [q0, q1, q2, q3], { euler = \"ZYX\", angles = [..] }, { rotation_vector = [..] }, \
                     { matrix = [..] } or { axis = [..], angle = \"30 deg\" }";
        node.refuse("an attitude", forms);
        return None;
    }
    let forms = ["quaternion", "rotation_vector", "axis", "euler", "matrix"];
    let given: Vec<&str> = forms.into_iter().filter(|form| node.has_key(form)).collect();
    if given.len() > 1 {
        node.report(format!("{} are given together", given.join(" and ")), |problem| {
            problem.advise("give one form of attitude")
        });
        return None;
    }
    match given.first() {
        Some(&"quaternion") => unit_quaternion(&node.table(&QUATERNION)?.get("quaternion")?),
        Some(&"rotation_vector") => {
            let table = node.table(&ROTATION_VECTOR)?;
            exponential(Vector3::from(table.read::<[f64; 3]>("rotation_vector")?), node)
        }
        Some(&"euler") => euler(node),
        Some(&"matrix") => of_matrix(&node.table(&MATRIX)?.get("matrix")?),
        _ => {
            let table = node.table(&AXIS_ANGLE)?;
            let axis = table.get("axis").and_then(|node| direction(&node));
            let angle = table.read::<f64>("angle");
            exponential(Vector3::from(axis?) * angle?, node)
        }
    }
}

/// (cos(|v|/2), v sin(|v|/2)/|v|), normalised. Rotations too large for f64 to square are refused.
fn exponential(vector: Vector3<f64>, node: &Node<'_>) -> Option<[f64; 4]> {
    let angle = vector.norm();
    if !angle.is_finite() {
        node.refuse("a rotation: it is too large", "give an angle of some turns at most");
        return None;
    }
    let (sin, cos) = of_half(angle);
    let scale = if angle > 0.0 { sin / angle } else { 0.5 };
    let imaginary = vector * scale;
    Some(normalised([cos, imaginary.x, imaginary.y, imaginary.z]))
}

/// Sine and cosine of half the angle (rad); of whole half turns exactly, of which rounding of pi
/// would leave 6e-17: what is turned over would leave its plane by it.
fn of_half(angle: f64) -> (f64, f64) {
    /// More are no half turns to the last bit of the angle.
    const MOST: f64 = 16.0;
    let half_turns = (angle / PI).round();
    if half_turns.abs() > MOST || angle != half_turns * PI {
        return (angle / 2.0).sin_cos();
    }
    [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][half_turns.rem_euclid(4.0) as usize]
}

/// Three turns about coordinate axes, the first angle first:
///
/// ```text
/// upper case, about axes that turn along:    q = q_A(a) o q_B(b) o q_C(c)
/// lower case, about axes that stand still:   q = q_c(c) o q_b(b) o q_a(a)
/// ```
fn euler(node: &Node<'_>) -> Option<[f64; 4]> {
    let table = node.table(&EULER)?;
    let sequence = table.get("euler").and_then(|node| {
        let axes: Vec<char> = node.text()?.chars().collect();
        let place = |axis: &char| "xyz".find(axis.to_ascii_lowercase());
        let places: Option<Vec<usize>> = axes.iter().map(place).collect();
        let alike = axes.iter().all(char::is_ascii_uppercase) || axes.iter().all(char::is_ascii_lowercase);
        match places.as_deref() {
            Some(&[a, b, c]) if alike && a != b && b != c => Some(([a, b, c], axes[0].is_ascii_uppercase())),
            _ => {
                let wanted = "a sequence of three axes, each other than the one before it, all in upper or \
                              all in lower case";
                let advice = "give e.g. \"ZXZ\" or \"ZYX\" for turns about axes that turn along (intrinsic), \
                              \"xyz\" for axes that stand still (extrinsic)";
                node.refuse(wanted, advice);
                None
            }
        }
    });
    let angles = table.read::<[f64; 3]>("angles");
    let ((axes, intrinsic), angles) = (sequence?, angles?);
    let turn = |k: usize| -> Quat<f64> {
        let (sin, cos) = of_half(angles[k]);
        let mut turn = [cos, 0.0, 0.0, 0.0];
        turn[1 + axes[k]] = sin;
        turn
    };
    let [first, second, third] = [turn(0), turn(1), turn(2)];
    let whole = match intrinsic {
        true => product(product(first, second), third),
        false => product(product(third, second), first),
    };
    Some(normalised(whole))
}

/// The rotation nearest to a matrix R, by its singular values: `U V^T` of `R = U S V^T`.
fn of_matrix(node: &Node<'_>) -> Option<[f64; 4]> {
    let given = node.matrix(Dimension::Number, 3)?;
    let matrix = Matrix3::from_fn(|row, column| given[row][column]);
    let off = (matrix.transpose() * matrix - Matrix3::identity()).amax();
    if off.is_nan() || off > PRINTED {
        let found = format!("the matrix is not orthonormal: R^T R is off by {}", significant(off, 3));
        node.report(found, |problem| {
            problem.advise(format!(
                "give a rotation, with R^T R = 1 to within {PRINTED:?}: its columns are the body's axes in \
                 space"
            ))
        });
        return None;
    }
    if matrix.determinant() < 0.0 {
        node.report("the matrix is a mirror: its determinant is -1", |problem| {
            problem.advise("turn the sign of one axis: columns make a right-handed frame")
        });
        return None;
    }
    if off > 2.0 * ROUNDED {
        node.note(format!("R^T R is off by {}: polhode took the nearest rotation", significant(off, 2)));
    }
    let parts = matrix.svd(true, true);
    let nearest = parts.u? * parts.v_t?;
    Some(normalised(of_rotation(&nearest)))
}

/// The quaternion of a rotation, by the largest of its four numbers, which is not negative.
fn of_rotation(r: &Matrix3<f64>) -> Quat<f64> {
    let squares = [
        1.0 + r.trace(),
        1.0 + 2.0 * r[(0, 0)] - r.trace(),
        1.0 + 2.0 * r[(1, 1)] - r.trace(),
        1.0 + 2.0 * r[(2, 2)] - r.trace(),
    ];
    let largest = (1..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let root = squares[largest].sqrt();
    let (skew, sum) = (
        |i: usize, j: usize| (r[(i, j)] - r[(j, i)]) / root,
        |i: usize, j: usize| (r[(i, j)] + r[(j, i)]) / root,
    );
    let doubled = match largest {
        0 => [root, skew(2, 1), skew(0, 2), skew(1, 0)],
        1 => [skew(2, 1), root, sum(0, 1), sum(0, 2)],
        2 => [skew(0, 2), sum(0, 1), root, sum(1, 2)],
        _ => [skew(1, 0), sum(0, 2), sum(1, 2), root],
    };
    doubled.map(|x| x / 2.0)
}

fn unit_quaternion(node: &Node<'_>) -> Option<[f64; 4]> {
    let quaternion: [f64; 4] = node.vector(Dimension::Number, 4)?.try_into().ok()?;
    let norm = norm(quaternion);
    let Some((unit, rounded)) = nearly_unit(quaternion) else {
        let advice = "give a unit quaternion, scalar first, or { axis = [..], angle = \"30 deg\" }";
        node.refuse(&format!("a unit quaternion: its norm is {norm:.6}"), advice);
        return None;
    };
    if !rounded {
        node.note(format!("the quaternion's norm is {norm:.6}: polhode divided by it"));
    }
    Some(unit)
}

fn norm(quaternion: [f64; 4]) -> f64 {
    quaternion.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The quaternion, normalised, if its norm is 1 to the digits of a printed one, and whether it is
/// so up to rounding.
pub(super) fn nearly_unit(quaternion: [f64; 4]) -> Option<([f64; 4], bool)> {
    let error = (norm(quaternion) - 1.0).abs();
    (error <= PRINTED).then(|| (normalised(quaternion), error < ROUNDED))
}
