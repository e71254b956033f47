//! Quaternions and rotations, as equations.md writes them: `q = (q0, q1, q2, q3)` maps body to
//! space, `o` is the quaternion product, `w` the angular velocity in body axes.

use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};

/// A quaternion from its components, scalar first.
pub fn quaternion(components: [f64; 4]) -> Quaternion<f64> {
    Quaternion::new(components[0], components[1], components[2], components[3])
}

/// `q/|q|`
pub fn unit(q: Quaternion<f64>) -> Quaternion<f64> {
    q / q.norm()
}

/// `Lam(q)`: the rotation matrix, body to space, of the unit quaternion along q.
pub fn lam(q: Quaternion<f64>) -> Matrix3<f64> {
    UnitQuaternion::from_quaternion(q).to_rotation_matrix().into_inner()
}

/// `Exp(v) = (cos(|v|/2), v sin(|v|/2)/|v|)`: the turn by the rotation vector v (rad).
pub fn exponential(v: Vector3<f64>) -> Quaternion<f64> {
    let angle = v.norm();
    let part = if angle == 0.0 { 0.5 } else { (angle / 2.0).sin() / angle };
    Quaternion::from_parts((angle / 2.0).cos(), v * part)
}

/// `unit(q o Exp(v))`
pub fn turned(q: Quaternion<f64>, v: Vector3<f64>) -> Quaternion<f64> {
    unit(q * exponential(v))
}

/// `qdot = 1/2 q o (0, w)`
pub(crate) fn attitude_rate(q: Quaternion<f64>, w: Vector3<f64>) -> Quaternion<f64> {
    q * Quaternion::from_imag(w) * 0.5
}

/// `w = 2 vec(q* o qdot)`, the inverse of `attitude_rate` for a unit q.
pub fn angular_velocity(q: Quaternion<f64>, rate: Quaternion<f64>) -> Vector3<f64> {
    (q.conjugate() * rate).imag() * 2.0
}

/// `A(w)` with `A(w) q = 1/2 q o (0, w)`, for q as a column, scalar first.
pub(crate) fn rate_matrix(w: Vector3<f64>) -> Matrix4<f64> {
    #[rustfmt::skip]
    let twice = Matrix4::new(
        0.0, -w.x, -w.y, -w.z,
        w.x,  0.0,  w.z, -w.y,
        w.y, -w.z,  0.0,  w.x,
        w.z,  w.y, -w.x,  0.0,
    );
    0.5 * twice
}

/// q as a column, scalar first.
pub fn column(q: Quaternion<f64>) -> Vector4<f64> {
    Vector4::new(q.w, q.i, q.j, q.k)
}

/// The inverse of [`column()`].
pub(crate) fn from_column(q: Vector4<f64>) -> Quaternion<f64> {
    Quaternion::new(q[0], q[1], q[2], q[3])
}

/// The solution of `matrix x = right`; not finite where there is none.
pub fn solve(matrix: Matrix4<f64>, right: Vector4<f64>) -> Vector4<f64> {
    matrix.lu().solve(&right).unwrap_or(Vector4::repeat(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_matrix_is_the_product_with_the_angular_velocity() {
        let q = Quaternion::new(0.3, -0.2, 0.9, 0.4);
        let w = Vector3::new(8.0, -3.0, 40.0);
        let rate = attitude_rate(q, w);
        assert!((from_column(rate_matrix(w) * column(q)) - rate).norm() < 1e-14);
        assert!((angular_velocity(unit(q), rate / q.norm()) - w).norm() < 1e-13);
    }

    #[test]
    fn exponential_turns_by_its_vector() {
        for v in [Vector3::new(0.3, -0.7, 1.9), Vector3::new(1e-9, 2e-9, 0.0), Vector3::zeros()] {
            let turn = UnitQuaternion::from_scaled_axis(v);
            assert!((exponential(v) - turn.into_inner()).norm() < 1e-15);
        }
    }
}
