//! Eigenvalues and eigenvectors of general real matrices, by faer, on one thread: the result does
//! not depend on how many there are.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, evd_real, evd_scratch};
use faer::{Mat, Par};
use nalgebra::{Complex, DMatrix, DVector};

/// Eigenvalues and, by columns, eigenvectors of unit length.
pub struct Eigenpairs {
    pub values: Vec<Complex<f64>>,
    /// `A v = lambda v`
    pub right: DMatrix<Complex<f64>>,
    /// `w^H A = lambda w^H`
    pub left: DMatrix<Complex<f64>>,
}

/// Eigenvalues and eigenvectors, exact to rounding of the largest entries: [`balancing`] makes
/// these alike. `None`: an entry is not finite, or the iteration does not end.
pub fn eigenpairs(matrix: &DMatrix<f64>) -> Option<Eigenpairs> {
    let n = matrix.nrows();
    if n == 0 || !matrix.iter().all(|entry| entry.is_finite()) {
        let none = || DMatrix::zeros(0, 0);
        return (n == 0).then(|| Eigenpairs { values: Vec::new(), right: none(), left: none() });
    }
    let entries = Mat::from_fn(n, n, |i, j| matrix[(i, j)]);
    let (mut real, mut imaginary) = (Diag::<f64>::zeros(n), Diag::<f64>::zeros(n));
    let (mut left, mut right) = (Mat::<f64>::zeros(n, n), Mat::<f64>::zeros(n, n));
    let all = ComputeEigenvectors::Yes;
    let mut memory = MemBuffer::new(evd_scratch::<f64>(n, all, all, Par::Seq, Default::default()));
    let (re, im, stack) = (real.as_mut(), imaginary.as_mut(), MemStack::new(&mut memory));
    let vectors = (Some(left.as_mut()), Some(right.as_mut()));
    evd_real(entries.as_ref(), re, im, vectors.0, vectors.1, Par::Seq, stack, Default::default()).ok()?;
    let values: Vec<Complex<f64>> =
        (0..n).map(|k| Complex::new(real.column_vector()[k], imaginary.column_vector()[k])).collect();
    let columns = |vectors: &Mat<f64>| {
        let column = |(k, value): (usize, &Complex<f64>)| {
            // A complex pair has two columns: the real and the imaginary part of the eigenvector of
            // its first value.
            let (re, im) = if value.im < 0.0 { (k - 1, k) } else { (k, k + 1) };
            let imaginary = |i| if value.im == 0.0 { 0.0 } else { value.im.signum() * vectors[(i, im)] };
            let column = DVector::from_fn(n, |i, _| Complex::new(vectors[(i, re)], imaginary(i)));
            let length = column.norm();
            if length > 0.0 { column.unscale(length) } else { column }
        };
        DMatrix::from_columns(&values.iter().enumerate().map(column).collect::<Vec<_>>())
    };
    let (right, left) = (columns(&right), columns(&left));
    Some(Eigenpairs { values, right, left })
}

/// Eigenvalues and eigenvectors by those of `(A - shift)^-1`. The iteration is exact to rounding of
/// the largest: here that is the one nearest to `shift`, and slow ones beside fast ones keep their
/// digits. `None`: as [`eigenpairs`], or `shift` is an eigenvalue.
pub fn eigenpairs_near(shift: f64, matrix: &DMatrix<f64>) -> Option<Eigenpairs> {
    let n = matrix.nrows();
    let inverse = (matrix - DMatrix::identity(n, n) * shift).try_inverse()?;
    let mut pairs = eigenpairs(&inverse)?;
    pairs.values.iter_mut().for_each(|value| *value = value.inv() + shift);
    pairs.values.iter().all(|value| value.is_finite()).then_some(pairs)
}

/// Powers of two d that make rows and columns of `D^-1 A D` alike in size (B. N. Parlett, C.
/// Reinsch, Numerische Mathematik 13 (1969) 293-304): coordinates in different units would
/// otherwise spoil small eigenvalues. A coordinate whose row or column has nothing but zeros keeps
/// its own; entries of rounding in their place would give it one without bounds.
pub fn balancing(matrix: &DMatrix<f64>) -> Vec<f64> {
    /// A scale changes only where this brings the sum of both norms below this share of what it
    /// was.
    const WORTH: f64 = 0.95;
    const MOST_TURNS: usize = 100;
    let n = matrix.nrows();
    let mut scale = vec![1.0; n];
    for _ in 0..MOST_TURNS {
        let mut changed = false;
        for i in 0..n {
            let others = || (0..n).filter(|j| *j != i);
            let row: f64 = others().map(|j| (matrix[(i, j)] * scale[j] / scale[i]).abs()).sum();
            let column: f64 = others().map(|j| (matrix[(j, i)] * scale[i] / scale[j]).abs()).sum();
            if !(row > 0.0 && column > 0.0 && row.is_finite() && column.is_finite()) {
                continue;
            }
            let factor = ((row / column).log2() / 2.0).round().exp2();
            if column * factor + row / factor < WORTH * (column + row) {
                scale[i] *= factor;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residuals of all pairs, as a share of the matrix.
    fn residual(a: &DMatrix<f64>, pairs: &Eigenpairs) -> f64 {
        let complex = a.map(|x| Complex::new(x, 0.0));
        let residual = |(k, value): (usize, &Complex<f64>)| {
            let (v, w) = (pairs.right.column(k), pairs.left.column(k));
            (&complex * v - v * *value).norm() + (complex.ad_mul(&w) - w * value.conj()).norm()
        };
        pairs.values.iter().enumerate().map(residual).fold(0.0, f64::max) / a.norm()
    }

    #[test]
    fn pairs_satisfy_their_equations() {
        let a = DMatrix::from_fn(7, 7, |i, j| ((3 * i + 5 * j * j) as f64).sin());
        for pairs in [eigenpairs(&a), eigenpairs_near(0.1, &a)].map(Option::unwrap) {
            assert!(residual(&a, &pairs) < 1e-13, "{:e}", residual(&a, &pairs));
        }
        assert!(eigenpairs(&DMatrix::from_element(2, 2, f64::NAN)).is_none());
    }

    /// An oscillator of 1 rad/s beside one of 10^5, in units that differ by 10^6.
    #[test]
    fn balancing_keeps_small_eigenvalues() {
        let mut a = DMatrix::zeros(4, 4);
        (a[(0, 1)], a[(1, 0)]) = (1e-6, -1e6);
        (a[(2, 3)], a[(3, 2)]) = (1.0, -1e10);
        let scale = balancing(&a);
        let a = DMatrix::from_fn(4, 4, |i, j| a[(i, j)] * scale[j] / scale[i]);
        let values = eigenpairs(&a).unwrap().values;
        let mut sizes: Vec<f64> = values.iter().map(|value| value.norm()).collect();
        sizes.sort_by(f64::total_cmp);
        for (size, known) in sizes.iter().zip([1.0, 1.0, 1e5, 1e5]) {
            assert!((size / known - 1.0).abs() < 1e-14, "{sizes:?}");
        }
    }
}
