//! Inertia matrices: the parallel-axis theorem and principal axes.

use nalgebra::{Matrix3, Rotation3, SymmetricEigen, UnitQuaternion};

/// `J + m (|c|^2 I - c c^T)`: with `m` the mass, from the mass centre to a point at distance `c`; with `-m`, back.
pub fn shift(inertia: [[f64; 3]; 3], m: f64, c: [f64; 3]) -> [[f64; 3]; 3] {
    let square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    let mut shifted = inertia;
    for i in 0..3 {
        for j in 0..3 {
            let diagonal = if i == j { square } else { 0.0 };
            shifted[i][j] += m * (diagonal - c[i] * c[j]);
        }
    }
    shifted
}

/// Principal moments (kg m²) and the unit quaternion that maps principal axes to body axes.
///
/// Of the 24 right-handed orders and signs of the eigenvectors the one nearest to the body axes is taken, so that an
/// almost diagonal matrix gets almost no rotation.
pub fn axes(inertia: [[f64; 3]; 3]) -> ([f64; 3], [f64; 4]) {
    let matrix = Matrix3::from_fn(|i, j| 0.5 * (inertia[i][j] + inertia[j][i]));
    let eigen = SymmetricEigen::new(matrix);
    let vectors = eigen.eigenvectors;
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let mut best = (f64::NEG_INFINITY, Matrix3::identity(), [0, 1, 2]);
    for order in orders {
        for signs in 0..8u8 {
            let sign = |k: usize| if signs & (1 << k) == 0 { 1.0 } else { -1.0 };
            let candidate = Matrix3::from_columns(&[
                vectors.column(order[0]) * sign(0),
                vectors.column(order[1]) * sign(1),
                vectors.column(order[2]) * sign(2),
            ]);
            if candidate.determinant() > 0.0 && candidate.trace() > best.0 {
                best = (candidate.trace(), candidate, order);
            }
        }
    }
    let (_, rotation, order) = best;
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
    let moments = order.map(|k| eigen.eigenvalues[k]);
    (moments, [q.w, q.i, q.j, q.k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_point_mass_shifted_has_the_inertia_of_a_point_mass() {
        let j = shift([[0.0; 3]; 3], 2.0, [0.0, 0.0, 3.0]);
        assert_eq!(j, [[18.0, 0.0, 0.0], [0.0, 18.0, 0.0], [0.0, 0.0, 0.0]]);
    }

    proptest! {
        #[test]
        fn principal_axes_rebuild_the_matrix(
            moments in prop::array::uniform3(0.1f64..10.0),
            q in prop::array::uniform4(-1.0f64..1.0).prop_filter("not zero", |q| q.iter().any(|x| x.abs() > 0.1)),
        ) {
            let rotation = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
                .to_rotation_matrix();
            let matrix = rotation.matrix() * Matrix3::from_diagonal(&moments.into()) * rotation.matrix().transpose();
            let inertia = std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)]));
            let (found, p) = axes(inertia);
            let back = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(p[0], p[1], p[2], p[3]))
                .to_rotation_matrix();
            let again = back.matrix() * Matrix3::from_diagonal(&found.into()) * back.matrix().transpose();
            prop_assert!((again - matrix).amax() < 1e-13 * 10.0);
        }
    }
}
