//! Eigenvalues and shapes of the general linear equations `ydot = T z, zdot = S y + D z`, told from
//! what rounding makes of them.
//!
//! Stiffness S and damping D are as exact as rounding of the largest entries. A change of them
//! moves an eigenvalue with vectors v, w by up to
//!
//! ```text
//! |w_z| (|v_y| |dS| + |v_z| |dD|) / |w^H v|
//! ```
//!
//! (J. H. Wilkinson, The Algebraic Eigenvalue Problem, Oxford 1965, 2.8), and one of a double root,
//! whose vectors are any, by no more than `|dS| / |lambda| + |dD|`. Two kinds of multiple roots are
//! taken apart before that, because rounding moves them by its root:
//!
//! - Places Y with `S Y = 0`, which nothing resists, are eigenvectors of zero, and all others are
//!   those of the equations without them: `y = (c, q + E c)`, with c that move along alone. A
//!   satellite on its orbit or a shaft in its bearing has a double zero without a second vector;
//!   of the equations in (q, z) it is a single one.
//! - Without damping (S symmetric, D of gyroscopic terms alone, `D = -D^T`) eigenvalues lie
//!   symmetrically about the imaginary axis. One without such a partner is on it; where S is
//!   negative, all are.
//!
//! An iteration finds one vector of several that belong to a repeated eigenvalue. Inverse iteration
//! with as many vectors finds the space that they span, of which those shapes are taken that have
//! zeros where the others are 1: parts of a mechanism that have nothing to do with each other
//! keep shapes of their own.

use nalgebra::{Complex, DMatrix, DVector, SVD};

use super::steady_state::{LinearEquations, MOST_ITERATIONS, NotSteady};
use crate::math::eigen::{Eigenpairs, balancing, eigenpairs, eigenpairs_near};
use crate::math::symmetric::least_eigenvalue;

/// Entries of a symmetric stiffness, and of damping where there is none, that rounding may leave
/// in equations without losses, as shares of the largest: some ten times what it was found to.
const SYMMETRIC: f64 = 1e-13;
const LOSSLESS: f64 = 1e-14;
/// Squares of rates below this share of the largest cannot be told from zero. Where the stiffness
/// is not symmetric, neither can an eigenvalue that this share of stiffness and damping moves so
/// far.
pub(super) const RIGID: f64 = 1e-13;
/// Growth and decay that this share of stiffness and damping makes are rounding, as is the second
/// share of an eigenvalue that rounding moves further, such as a double one.
const NEUTRAL: f64 = 4e-15;
const NEUTRAL_OF_DOUBLE: f64 = 1e-6;
/// Rounding parts a double real eigenvalue into a pair whose imaginary part is below this share.
const REAL: f64 = 2e-7;
/// Slow eigenvalues are found near this share of the stiffest rate where damping makes others ten
/// times as fast: the iteration would leave them the rounding of the fastest.
const SLOW: f64 = 1e-3;
/// Eigenvalues that are nearer to each other than this share of the largest are one: vectors of
/// such have no digits. Singular values below the second share belong to its eigenvectors.
const REPEATED: f64 = 1e-13;
const OF_SPACE: f64 = 1e-11;

/// Eigenvalues with the shapes that belong to them, and the number of rigid motions.
pub(super) type ModePairs = (Vec<(Complex<f64>, DVector<Complex<f64>>)>, usize);

/// The modes of general equations; `states`: by direction of velocities, whether a state of a law
/// is in it, which has a unit of its own.
pub(super) fn general_pairs(equations: &LinearEquations, states: &[bool]) -> Result<ModePairs, NotSteady> {
    let reduced = Reduced::new(equations, states)?;
    let scale = balancing(&reduced.clean);
    let a = DMatrix::from_fn(scale.len(), scale.len(), |i, j| reduced.matrix[(i, j)] * scale[j] / scale[i]);
    let places = reduced.resisted.len();
    let rates = a.nrows() - places;
    let stiffness = a.view((places, 0), (rates, places)).norm();
    let damping = a.view((places, places), (rates, rates)).norm();
    let stiffest = (a.view((0, places), (places, rates)).norm() * stiffness).sqrt();
    let mut found = eigenpairs(&a).ok_or(NotSteady::NotFinite)?;
    let fastest = found.values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let mut largest = fastest;
    let shift = SLOW * stiffest;
    if (RIGID * fastest..SLOW / 10.0 * fastest).contains(&shift)
        && let Some(near) = eigenpairs_near(shift, &a)
    {
        (found, largest) = (near, stiffest);
    }
    let balance = Balance::of(equations);
    let mut zeros = reduced.free.len();
    let mut kept = Vec::new();
    for (k, value) in found.values.iter().enumerate() {
        let size = value.norm();
        let (right, left) = (found.right.column(k), found.left.column(k));
        let sensitivity = left.rows(places, rates).norm() / left.dotc(&right).norm();
        let moved = right.rows(0, places).norm() * stiffness + right.rows(places, rates).norm() * damping;
        let (single, double) = (sensitivity * moved, stiffest * stiffest / size + fastest);
        if size <= RIGID * single.min(double).max(largest) {
            zeros += 1;
            continue;
        }
        let rounding = (NEUTRAL * single).min((NEUTRAL * double).max(NEUTRAL_OF_DOUBLE * size));
        let is_neutral = value.re.abs() <= rounding || balance.keeps(k, &found.values);
        let re = if is_neutral { 0.0 } else { value.re };
        let is_real = value.im.abs() <= REAL * size;
        if is_real || value.im > 0.0 {
            kept.push((k, Complex::new(re, if is_real { 0.0 } else { value.im })));
        }
    }
    let (vectors, spaces) = separated(&a, &found, &kept, REPEATED * largest);
    let shape = |((_, value), vector): (&(usize, Complex<f64>), DVector<Complex<f64>>)| {
        let vector = DVector::from_fn(a.nrows(), |i, _| vector[i] * scale[i]);
        reduced.shape(equations, *value, &vector)
    };
    let mut shapes: Vec<DVector<Complex<f64>>> = kept.iter().zip(vectors).map(shape).collect();
    for space in spaces {
        let own: Vec<_> = space.iter().map(|k| shapes[*k].clone()).collect();
        let (_, basis) = echelon(DMatrix::from_columns(&own));
        if basis.iter().all(|entry| entry.is_finite()) {
            space.iter().zip(basis.column_iter()).for_each(|(k, own)| shapes[*k] = own.into_owned());
        }
    }
    let pairs = kept.into_iter().zip(shapes).map(|((_, value), shape)| (value, shape)).collect();
    // A rigid motion has two zeros, its place and its velocity; where only one of them is free it
    // is one.
    Ok((pairs, zeros.div_ceil(2)))
}

/// The equations without places that nothing resists.
struct Reduced {
    /// Places among all, by columns of P: those that stay, q, and those that go, c.
    resisted: Vec<usize>,
    free: Vec<usize>,
    /// E
    along: DMatrix<f64>,
    matrix: DMatrix<f64>,
    /// The matrix without entries that rounding has left, by which scales are chosen: a coordinate
    /// of which nothing but rounding remains would be given one without bounds.
    clean: DMatrix<f64>,
}

impl Reduced {
    fn new(equations: &LinearEquations, states: &[bool]) -> Result<Reduced, NotSteady> {
        let LinearEquations { kinematic, stiffness, damping, .. } = equations;
        let count = kinematic.nrows();
        let unresisted = unresisted(stiffness, states).ok_or(NotSteady::NotFinite)?;
        let (free, basis) = echelon(unresisted);
        let resisted: Vec<usize> = (0..count).filter(|k| !free.contains(k)).collect();
        let along = DMatrix::from_fn(resisted.len(), free.len(), |i, k| basis[(resisted[i], k)]);
        let moved = kinematic.select_rows(&resisted) - &along * kinematic.select_rows(&free);
        let stiff = stiffness.select_columns(&resisted);
        let (q, n) = (resisted.len(), damping.nrows());
        let joined = |kinematic: &DMatrix<f64>, stiffness: &DMatrix<f64>, damping: &DMatrix<f64>| {
            let mut all = DMatrix::zeros(q + n, q + n);
            all.view_mut((0, q), (q, n)).copy_from(kinematic);
            all.view_mut((q, 0), (n, q)).copy_from(stiffness);
            all.view_mut((q, q), (n, n)).copy_from(damping);
            all
        };
        let is_state = |k: usize| states.get(k) == Some(&true);
        let clean = |block: &DMatrix<f64>, has_unit: &dyn Fn(usize, usize) -> bool| {
            let of_masses = |i, j| if has_unit(i, j) { 0.0 } else { block[(i, j)].abs() };
            let places = (0..block.nrows()).flat_map(|i| (0..block.ncols()).map(move |j| (i, j)));
            let largest = places.map(|(i, j)| of_masses(i, j)).fold(0.0, f64::max);
            let cleaned = |i, j| {
                let is_rounding = !has_unit(i, j) && block[(i, j)].abs() <= RIGID * largest;
                if is_rounding { 0.0 } else { block[(i, j)] }
            };
            DMatrix::from_fn(block.nrows(), block.ncols(), cleaned)
        };
        let of_state = |i: usize, j: usize| is_state(i) || is_state(j);
        let cleaned = joined(
            &clean(&moved, &|_, j| is_state(j)),
            &clean(&stiff, &|i, _| is_state(i)),
            &clean(damping, &of_state),
        );
        let matrix = joined(&moved, &stiff, damping);
        Ok(Reduced { resisted, free, along, matrix, clean: cleaned })
    }

    /// Displacements of an eigenvector (q, z), in the form of velocities over a unit of time; of a
    /// motion of velocities or laws alone these.
    fn shape(
        &self,
        equations: &LinearEquations,
        value: Complex<f64>,
        vector: &DVector<Complex<f64>>,
    ) -> DVector<Complex<f64>> {
        let complex = |matrix: &DMatrix<f64>| matrix.map(|x| Complex::new(x, 0.0));
        let q = self.resisted.len();
        let velocities = vector.rows(q, vector.len() - q);
        let free = complex(&equations.kinematic.select_rows(&self.free)) * velocities / value;
        let resisted = vector.rows(0, q) + complex(&self.along) * &free;
        let mut places = DVector::zeros(equations.kinematic.nrows());
        self.free.iter().zip(free.iter()).for_each(|(k, x)| places[*k] = *x);
        self.resisted.iter().zip(resisted.iter()).for_each(|(k, x)| places[*k] = *x);
        let displaced = complex(&equations.positions.along) * places;
        let moving = complex(&equations.velocities.along) * velocities;
        let share = displaced.norm() * value.norm();
        if share > 1e-12 * moving.norm() { displaced } else { moving }
    }
}

/// Orthonormal places, by columns, on which no entry of the stiffness acts but for rounding.
fn unresisted(stiffness: &DMatrix<f64>, states: &[bool]) -> Option<DMatrix<f64>> {
    let (n, p) = stiffness.shape();
    let largest = |row: usize| stiffness.row(row).amax();
    let is_state = |row: usize| states.get(row) == Some(&true);
    let of_masses = (0..n).filter(|row| !is_state(*row)).map(largest).fold(0.0, f64::max);
    let mut square = DMatrix::zeros(n.max(p), p);
    for row in 0..n {
        // Rates of states have units of their own.
        let size = if is_state(row) && largest(row) > 0.0 {
            (if of_masses > 0.0 { of_masses } else { 1.0 }) / largest(row)
        } else {
            1.0
        };
        square.row_mut(row).copy_from(&(stiffness.row(row) * size));
    }
    if p == 0 || square.amax() == 0.0 {
        return Some(DMatrix::identity(p, p));
    }
    let most = MOST_ITERATIONS * (square.nrows() + p);
    let svd = SVD::try_new(square, false, true, f64::EPSILON, most)?;
    let (values, vectors) = (svd.singular_values, svd.v_t?.transpose());
    let cut = RIGID * values.max();
    let free: Vec<usize> = (0..values.len()).filter(|k| values[*k] <= cut).collect();
    Some(vectors.select_columns(&free))
}

/// Columns that span the same space, each 1 in a row where all others are 0, and these rows.
fn echelon<T: nalgebra::ComplexField<RealField = f64>>(columns: DMatrix<T>) -> (Vec<usize>, DMatrix<T>) {
    let mut columns = columns;
    let mut rows = Vec::new();
    for k in 0..columns.ncols() {
        let size = |row: usize| columns[(row, k)].clone().modulus();
        // The first of those that are equal but for rounding.
        let better = |best: usize, row: usize| if size(row) > (1.0 + 1e-9) * size(best) { row } else { best };
        let row = (0..columns.nrows()).fold(0, better);
        let own = columns.column(k) / columns[(row, k)].clone();
        columns.set_column(k, &own);
        for other in (0..columns.ncols()).filter(|other| *other != k) {
            let cleared = columns.column(other) - &own * columns[(row, other)].clone();
            columns.set_column(other, &cleared);
        }
        rows.push(row);
    }
    (rows, columns)
}

/// The symmetry of eigenvalues about the imaginary axis.
enum Balance {
    /// None: something damps, or drives.
    Broken,
    /// Nothing does.
    Undamped,
    /// Nor can anything topple: all are on the axis.
    Bound,
}

impl Balance {
    fn of(equations: &LinearEquations) -> Balance {
        let LinearEquations { positions, velocities, kinematic, stiffness, damping } = equations;
        if positions.along.ncols() != velocities.along.ncols() || stiffness.is_empty() {
            return Balance::Broken;
        }
        let stiffness = stiffness * kinematic;
        let size = stiffness.amax();
        let is_symmetric = (&stiffness - stiffness.transpose()).amax() <= SYMMETRIC * size;
        let losses = (damping + damping.transpose()).amax();
        if !(is_symmetric && losses <= LOSSLESS * damping.amax().max(size.sqrt())) {
            return Balance::Broken;
        }
        let least = least_eigenvalue((&stiffness + stiffness.transpose()) / -2.0);
        if least >= -RIGID * size { Balance::Bound } else { Balance::Undamped }
    }

    /// Whether the real part of this eigenvalue is rounding.
    fn keeps(&self, k: usize, values: &[Complex<f64>]) -> bool {
        let opposite = -values[k].conj();
        let off = values[k].re.abs() / 2.0;
        let has_partner =
            || values.iter().enumerate().any(|(other, value)| other != k && (value - opposite).norm() <= off);
        match self {
            Balance::Broken => false,
            Balance::Undamped => !has_partner(),
            Balance::Bound => true,
        }
    }
}

/// Right vectors of these eigenvalues, and positions of those that belong to one: of eigenvalues no
/// further apart than `apart`.
fn separated(
    a: &DMatrix<f64>,
    found: &Eigenpairs,
    kept: &[(usize, Complex<f64>)],
    apart: f64,
) -> (Vec<DVector<Complex<f64>>>, Vec<Vec<usize>>) {
    let values = &found.values;
    let mut vectors: Vec<_> = kept.iter().map(|(k, _)| found.right.column(*k).into_owned()).collect();
    let mut spaces = Vec::new();
    let mut done = vec![false; kept.len()];
    for first in 0..kept.len() {
        let near = |k: &usize| !done[*k] && (values[kept[*k].0] - values[kept[first].0]).norm() <= apart;
        let group: Vec<usize> = (first..kept.len()).filter(near).collect();
        group.iter().for_each(|k| done[*k] = true);
        if group.len() > 1 {
            let mean = group.iter().map(|k| values[kept[*k].0]).sum::<Complex<f64>>() / group.len() as f64;
            let Some(space) = eigenspace(a, mean, group.len()) else { continue };
            // A root with fewer vectors has those that there are.
            for (k, vector) in group.iter().zip(space.column_iter()) {
                vectors[*k] = vector.into_owned();
            }
            spaces.push(group[..space.ncols()].to_vec());
        }
    }
    (vectors, spaces)
}

/// Orthonormal eigenvectors of this eigenvalue, which is repeated so often, by columns. `None`:
/// they are not found.
fn eigenspace(a: &DMatrix<f64>, value: Complex<f64>, count: usize) -> Option<DMatrix<Complex<f64>>> {
    let complex = a.map(|x| Complex::new(x, 0.0));
    let size = a.norm();
    let space = invariant_space(&complex, value, count)?;
    let inside = space.adjoint() * &complex * &space - DMatrix::identity(count, count) * value;
    let svd = SVD::try_new(inside, false, true, f64::EPSILON, MOST_ITERATIONS * 2 * count)?;
    let (values, vectors) = (svd.singular_values, svd.v_t?.adjoint());
    let own: Vec<usize> = (0..count).filter(|k| values[*k] <= OF_SPACE * size).collect();
    let space = space * vectors.select_columns(&own);
    space.iter().all(|entry| entry.is_finite()).then_some(space)
}

/// The space of so many vectors that belongs to eigenvalues near this one, by orthonormal columns.
fn invariant_space(
    complex: &DMatrix<Complex<f64>>,
    value: Complex<f64>,
    count: usize,
) -> Option<DMatrix<Complex<f64>>> {
    const TURNS: usize = 3;
    let n = complex.nrows();
    let begun = |i: usize, k: usize| Complex::new((1.0 + 1.618 * i as f64 + 2.399 * k as f64).sin(), 0.0);
    // A little beside the eigenvalue, for which there is no inverse; further away where rounding
    // ends there.
    [1.0, 7.0, 50.0].into_iter().find_map(|away| {
        let shift = value + away * f64::EPSILON * complex.norm();
        let factors = (complex - DMatrix::identity(n, n) * shift).lu();
        let mut space = DMatrix::from_fn(n, count, begun);
        for _ in 0..TURNS {
            space = factors.solve(&space).filter(|found| found.iter().all(|x| x.is_finite()))?.qr().q();
        }
        Some(space)
    })
}

#[cfg(test)]
mod tests {
    use super::super::steady_state::Directions;
    use super::*;

    /// One slow oscillator that grows, `lambda² - 2e-3 lambda + 1 = 0`, and three that are stiff
    /// and damped, in axes that mix them: the iteration alone has it wrong by 2e-4.
    #[test]
    fn a_slow_mode_keeps_its_digits_beside_fast_ones() {
        let n = 4;
        let along = DVector::from_fn(n, |i, _| 1.0 + i as f64).normalize();
        let mirror = DMatrix::identity(n, n) - &along * along.transpose() * 2.0;
        let mixed = |slow: f64, fast: f64| {
            let entry = |i: usize, _| if i == 0 { slow } else { fast / i as f64 };
            &mirror * DMatrix::from_diagonal(&DVector::from_fn(n, entry)) * &mirror
        };
        let one = || DMatrix::identity(n, n);
        let all = || Directions { along: one(), coordinates: one() };
        let (stiffness, damping) = (mixed(-1.0, -1e10), mixed(2e-3, -1e9));
        let (positions, velocities) = (all(), all());
        let equations = LinearEquations { positions, velocities, kinematic: one(), stiffness, damping };
        let (pairs, rigid) = general_pairs(&equations, &[]).unwrap();
        let known = Complex::new(1e-3, (1.0f64 - 1e-6).sqrt());
        let off = pairs.iter().map(|(value, _)| (value - known).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < 1e-6 && rigid == 0, "off by {off:e}, {rigid} rigid");
    }
}
