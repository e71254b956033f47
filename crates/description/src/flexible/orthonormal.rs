//! Shapes made orthonormal to the rigid motions and to each other: Gram and Schmidt, two passes,
//! mass inner product (W84 4.7).

use nalgebra::DMatrix;

/// Fields of which less than this share of their square is left depend on those before.
const DEPENDENT: f64 = 1e-10;

/// The matrix T of `new_i = sum_j T_ij old_j` for the fields from `rigid` on, where `gram` has the
/// inner products of all fields, rigid ones first. A rigid field without mass (a turn about the
/// line on which all mass is) is left out.
///
/// # Errors
/// The number, from 1 on, of the first shape that depends on the fields before it.
pub fn orthonormal(gram: &DMatrix<f64>, rigid: usize) -> Result<DMatrix<f64>, usize> {
    let n = gram.nrows();
    let largest = (0..rigid).map(|i| gram[(i, i)]).fold(0.0, f64::max);
    let mut basis: Vec<nalgebra::DVector<f64>> = Vec::new();
    let mut rows = Vec::new();
    for i in 0..n {
        let mut field = nalgebra::DVector::zeros(n);
        field[i] = 1.0;
        let before = gram[(i, i)];
        if i < rigid && before <= 1e-14 * largest {
            continue;
        }
        for _ in 0..2 {
            for other in &basis {
                let along = other.dot(&(gram * &field));
                field -= other * along;
            }
        }
        let square = field.dot(&(gram * &field));
        if square.is_nan() || square <= DEPENDENT * before {
            if i < rigid {
                continue;
            }
            return Err(i - rigid + 1);
        }
        field /= square.sqrt();
        if i >= rigid {
            rows.push(field.transpose());
        }
        basis.push(field);
    }
    Ok(DMatrix::from_rows(&rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_lose_what_is_rigid_in_them() {
        // Fields 1, x, x^2, x^3 on four points.
        let x = [-1.0, -0.2, 0.3, 0.9];
        let fields = DMatrix::from_fn(4, 4, |i, p| f64::powi(x[p], i as i32));
        let t = orthonormal(&(&fields * fields.transpose()), 2).unwrap();
        let new = &t * &fields;
        assert!((&new * new.transpose() - DMatrix::identity(2, 2)).amax() < 1e-13);
        assert!((&new * fields.rows(0, 2).transpose()).amax() < 1e-13);
        let twice = DMatrix::from_fn(4, 4, |i, p| fields[(i.min(2), p)]);
        assert_eq!(orthonormal(&(&twice * twice.transpose()), 2), Err(2));
    }
}
