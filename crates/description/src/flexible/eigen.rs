//! Natural modes of a structure with masses at some of its coordinates.

use nalgebra::{DMatrix, DVector};

use crate::math::symmetric::symmetric_eigen;

/// Why there are no modes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoModes {
    #[error("{asked} modes are asked for, but the masses allow {possible} besides rigid motion")]
    TooMany { asked: usize, possible: usize },
    /// This coordinate has neither mass nor stiffness.
    #[error("a node can turn or move without mass or stiffness: give it rotary inertia")]
    Loose(usize),
    /// Several coordinates can move together without mass or stiffness, this one the most.
    #[error("nodes can turn or move together without mass or stiffness: give one of them rotary inertia")]
    LooseTogether(usize),
    #[error("the stiffness is indefinite")]
    Indefinite,
    #[error("stiffness or masses are too large: their quotients are not finite")]
    NotFinite,
}

/// The modes `K v = w² M v` of a stiffness K with masses (kg, or kg m²) on its diagonal;
/// coordinates without mass follow statically. The first `rigid` modes, of zero frequency, are left
/// out. Columns are ascending in frequency and have `v.M v = 1`.
///
/// # Errors
/// A coordinate without mass is not held by any stiffness, or there are not that many modes.
pub fn free_modes(
    stiffness: &DMatrix<f64>,
    masses: &DVector<f64>,
    rigid: usize,
    modes: usize,
) -> Result<DMatrix<f64>, NoModes> {
    let n = masses.len();
    let (heavy, light): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| masses[*i] > 0.0);
    if rigid + modes > heavy.len() {
        return Err(NoModes::TooMany { asked: modes, possible: heavy.len().saturating_sub(rigid) });
    }
    let part = |rows: &[usize], columns: &[usize]| {
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| stiffness[(rows[i], columns[j])])
    };
    // Light coordinates follow: u_l = -K_ll^-1 K_lh u_h. K_ll is scaled, since it mixes lengths and
    // angles.
    let mut follow = DMatrix::zeros(light.len(), heavy.len());
    let mut condensed = part(&heavy, &heavy);
    if !light.is_empty() {
        let k = part(&light, &light);
        let scale = DVector::from_fn(light.len(), |i, _| k[(i, i)].max(0.0).sqrt());
        if let Some(i) = scale.iter().position(|s| *s <= 0.0) {
            return Err(NoModes::Loose(light[i]));
        }
        let unit = DMatrix::from_fn(light.len(), light.len(), |i, j| k[(i, j)] / (scale[i] * scale[j]));
        let eigen = symmetric_eigen(unit.clone()).ok_or(NoModes::NotFinite)?;
        let (softest, least) = eigen.eigenvalues.argmin();
        if least <= 1e-12 {
            return Err(NoModes::LooseTogether(light[eigen.eigenvectors.column(softest).iamax()]));
        }
        let factors = unit.cholesky().ok_or(NoModes::Indefinite)?;
        let mut right = part(&light, &heavy);
        for (i, mut row) in right.row_iter_mut().enumerate() {
            row /= -scale[i];
        }
        follow = factors.solve(&right);
        for (i, mut row) in follow.row_iter_mut().enumerate() {
            row /= scale[i];
        }
        condensed += part(&heavy, &light) * &follow;
    }
    let root = DVector::from_fn(heavy.len(), |i, _| masses[heavy[i]].sqrt());
    let scaled = DMatrix::from_fn(heavy.len(), heavy.len(), |i, j| {
        (condensed[(i, j)] + condensed[(j, i)]) / (2.0 * root[i] * root[j])
    });
    let eigen = symmetric_eigen(scaled).ok_or(NoModes::NotFinite)?;
    let mut order: Vec<usize> = (0..heavy.len()).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let mut shapes = DMatrix::zeros(n, modes);
    for (column, &of) in order[rigid..rigid + modes].iter().enumerate() {
        let moved = eigen.eigenvectors.column(of).component_div(&root);
        let following = &follow * &moved;
        for (i, &place) in heavy.iter().enumerate() {
            shapes[(place, column)] = moved[i];
        }
        for (i, &place) in light.iter().enumerate() {
            shapes[(place, column)] = following[i];
        }
    }
    Ok(shapes)
}
