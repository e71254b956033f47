//! Small dense systems of linear equations, in closed form: no pivoting, because that would branch
//! on values.

use super::vector::{Vec3, cross, dot};
use crate::real::Real;

/// A 3 x 3 matrix by columns.
pub type Columns3<R> = [Vec3<R>; 3];

/// `x` with `columns x = b`, by Cramer's rule. A singular matrix gives what is not finite.
pub fn solve3<R: Real>(columns: Columns3<R>, b: Vec3<R>) -> Vec3<R> {
    let [u, v, w] = columns;
    let (vw, wu, uv) = (cross(v, w), cross(w, u), cross(u, v));
    let inverse = b[0].lift(1.0) / dot(u, vw);
    [dot(b, vw) * inverse, dot(b, wu) * inverse, dot(b, uv) * inverse]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let columns = [[4.0, 1.0, -0.5], [0.2, 3.0, 0.7], [-1.0, 0.4, 5.0]];
        let x = solve3(columns, [1.0, 2.0, 3.0]);
        let b: [f64; 3] = [0, 1, 2].map(|row| (0..3).map(|k| columns[k][row] * x[k]).sum());
        for (got, want) in b.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((got - want).abs() < 1e-15);
        }
    }
}
