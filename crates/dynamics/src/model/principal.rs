//! Inertia matrices: the parallel-axis theorem and principal axes.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::math::symmetric::symmetric_eigen;

/// `J + m (|c|^2 I - c c^T)`: with `m` the mass, from the mass centre to a point at
/// distance `c`; with `-m`, back.
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

/// The unit quaternion that maps a frame with these x, y, z to the axes in which they are given.
pub fn quaternion_of(frame: [[f64; 3]; 3]) -> [f64; 4] {
    let columns = Matrix3::from_columns(&frame.map(Vector3::from));
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(columns));
    [q.w, q.i, q.j, q.k]
}

/// Principal moments (kg m²) and the unit quaternion that maps principal axes to body axes.
///
/// The 24 right-handed orders and signs of the eigenvectors are tried, and the one nearest to the
/// body axes is taken, so that an almost diagonal matrix gets almost no rotation. Moments of a
/// matrix that is not finite are NaN. Where one axis is principal already, the rotation is about it
/// exactly, so that what is planar stays so.
pub fn axes(inertia: [[f64; 3]; 3]) -> ([f64; 3], [f64; 4]) {
    if let Some(found) = (0..3).find_map(|k| about(k, inertia)) {
        return found;
    }
    let matrix = Matrix3::from_fn(|i, j| 0.5 * (inertia[i][j] + inertia[j][i]));
    let Some(eigen) = symmetric_eigen(matrix) else { return ([f64::NAN; 3], [1.0, 0.0, 0.0, 0.0]) };
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

/// As [`axes`] where axis `k` is principal, by a rotation of at most 45 degrees about it:
///
/// ```text
/// tan 2 phi = 2 J_ij / (J_ii - J_jj),   (i, j, k) right-handed
/// ```
fn about(k: usize, inertia: [[f64; 3]; 3]) -> Option<([f64; 3], [f64; 4])> {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let entry = |a: usize, b: usize| 0.5 * (inertia[a][b] + inertia[b][a]);
    if entry(i, k) != 0.0 || entry(j, k) != 0.0 {
        return None;
    }
    let (mean, half) = (0.5 * (entry(i, i) + entry(j, j)), 0.5 * (entry(i, i) - entry(j, j)));
    let radius = half.hypot(entry(i, j));
    // The angle from axis i to the larger moment's axis; the smaller one's is nearer where
    // it is beyond 45 degrees.
    let larger = 0.5 * entry(i, j).atan2(half);
    let nearest = if larger > FRAC_PI_4 {
        larger - FRAC_PI_2
    } else if larger < -FRAC_PI_4 {
        larger + FRAC_PI_2
    } else {
        larger
    };
    let signed = if nearest == larger { radius } else { -radius };
    let (mut moments, mut q) = ([inertia[k][k]; 3], [0.0; 4]);
    (moments[i], moments[j]) = (mean + signed, mean - signed);
    (q[1 + k], q[0]) = (0.5 * nearest).sin_cos();
    Some((moments, q))
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
            q in prop::array::uniform4(-1.0f64..1.0)
                .prop_filter("not zero", |q| q.iter().any(|x| x.abs() > 0.1)),
        ) {
            let rotation = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
                .to_rotation_matrix();
            let diagonal = Matrix3::from_diagonal(&moments.into());
            let matrix = rotation.matrix() * diagonal * rotation.matrix().transpose();
            let inertia = std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)]));
            let (found, p) = axes(inertia);
            let back = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(p[0], p[1], p[2], p[3]))
                .to_rotation_matrix();
            let again = back.matrix() * Matrix3::from_diagonal(&found.into()) * back.matrix().transpose();
            prop_assert!((again - matrix).amax() < 1e-13 * 10.0);
        }

        #[test]
        fn one_principal_axis_stays_where_it_is(
            moments in prop::array::uniform3(1.0f64..10.0),
            share in -0.99f64..0.99,
            k in 0usize..3,
        ) {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let mut matrix = Matrix3::from_diagonal(&moments.into());
            let product = share * (moments[i] * moments[j]).sqrt();
            (matrix[(i, j)], matrix[(j, i)]) = (product, product);
            let (found, p) = axes(std::array::from_fn(|a| std::array::from_fn(|b| matrix[(a, b)])));
            prop_assert!(p[1 + i] == 0.0 && p[1 + j] == 0.0 && found[k] == moments[k]);
            // No more than 45 degrees.
            prop_assert!(2.0 * p[0] * p[0] - 1.0 > 0.707);
            let back = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(p[0], p[1], p[2], p[3]))
                .to_rotation_matrix();
            let again = back.matrix() * Matrix3::from_diagonal(&found.into()) * back.matrix().transpose();
            prop_assert!((again - matrix).amax() < 1e-13 * 10.0);
        }
    }
}
