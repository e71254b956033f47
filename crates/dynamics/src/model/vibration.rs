//! Modes of the equations linearised about a steady state: eigenvalues, frequencies,
//! damping ratios, shapes.
//!
//! ```text
//! A (y, z) = lambda (y, z),  omega_d = Im lambda,  omega_n = |lambda|,
//! zeta = -Re lambda / |lambda|
//! ```
//!
//! Where nothing damps, turns or depends on a law, `N^T M dG/dx P` is symmetric, and the
//! eigenvalues are those of a symmetric matrix: no rounding then looks like damping. A pair of
//! eigenvalues is one mode; a real eigenvalue, of a motion that creeps back or topples without
//! vibrating, is one too, of frequency zero.

use nalgebra::{Complex, DMatrix, DVector};

use super::steady_state::{LinearEquations, NotSteady, Posture, SteadyInstance};
use crate::math::eigen::{balancing, eigenpairs, eigenpairs_near};
use crate::math::symmetric::symmetric_eigen;

/// Entries of a symmetric stiffness, and of no damping, that rounding may leave, as shares of the
/// largest.
const SYMMETRIC: f64 = 1e-11;
const UNDAMPED: f64 = 1e-12;
/// Squares of rates below this share of the largest cannot be told from zero. Where the stiffness
/// is not symmetric, neither can an eigenvalue that this share of stiffness and damping moves so
/// far.
const RIGID: f64 = 1e-13;
/// Growth and decay that this share of stiffness and damping makes are rounding, as is the second
/// share of an eigenvalue that rounding moves further, such as a double one.
const NEUTRAL: f64 = 4e-15;
const NEUTRAL_OF_DOUBLE: f64 = 1e-6;
/// Rounding parts a double real eigenvalue into a pair whose imaginary part is below this share.
const REAL: f64 = 2e-7;
/// Slow eigenvalues are found near this share of the stiffest rate where damping makes others ten
/// times as fast: the iteration would leave them the rounding of the fastest.
const SLOW: f64 = 1e-3;

/// Eigenvalues with the shapes that belong to them, and the number of rigid motions.
type Pairs = (Vec<(Complex<f64>, DVector<Complex<f64>>)>, usize);

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// lambda (1/s, rad/s), the imaginary part not negative.
    pub eigenvalue: Complex<f64>,
    /// Velocities of the model (w, v, modal; body after body) in proportion: how everything moves
    /// along.
    pub shape: Vec<Complex<f64>>,
    /// Shares of the bodies in the kinetic energy.
    pub shares: Vec<f64>,
}

impl Mode {
    /// |lambda| (rad/s)
    pub fn natural(&self) -> f64 {
        self.eigenvalue.norm()
    }

    /// Im lambda / 2 pi (Hz)
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im / std::f64::consts::TAU
    }

    /// -Re lambda / |lambda|
    pub fn damping_ratio(&self) -> f64 {
        let size = self.natural();
        // No minus before a zero.
        if size > 0.0 && self.eigenvalue.re != 0.0 { -self.eigenvalue.re / size } else { 0.0 }
    }

    /// Returns the likeness of two shapes, 0 to 1: the modal assurance criterion
    /// `|a.b*|² / (a.a* b.b*)` (R. J. Allemang, D. L. Brown, Proc. 1st IMAC (1982) 110-116), each
    /// entry multiplied by the root of `weights`.
    pub fn likeness(&self, other: &Mode, weights: &[f64]) -> f64 {
        let product = |a: &Mode, b: &Mode| -> Complex<f64> {
            a.shape.iter().zip(&b.shape).zip(weights).map(|((a, b), weight)| a * b.conj() * *weight).sum()
        };
        let own = product(self, self).re * product(other, other).re;
        if own > 0.0 { product(self, other).norm_sqr() / own } else { 0.0 }
    }
}

/// Whether a small disturbance dies away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// All disturbances die away.
    Damped,
    /// None grows.
    Stable,
    /// None grows but for rigid motions, which nothing resists.
    Neutral,
    /// One grows.
    Unstable,
}

impl Stability {
    pub const ALL: [Stability; 4] =
        [Stability::Damped, Stability::Stable, Stability::Neutral, Stability::Unstable];

    pub fn name(self) -> &'static str {
        match self {
            Stability::Damped => "damped",
            Stability::Stable => "stable",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
        }
    }

    /// Returns the meaning of the name, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Stability::Damped => "all small disturbances die away",
            Stability::Stable => {
                "small disturbances stay small, without damping or with damping of some modes alone"
            }
            Stability::Neutral => "small disturbances stay small, but for motions that nothing resists",
            Stability::Unstable => "a small disturbance grows",
        }
    }
}

/// All modes about a steady state.
#[derive(Clone, Debug, PartialEq)]
pub struct Vibrations {
    /// By |lambda|, the slowest first; rigid motions left out.
    pub modes: Vec<Mode>,
    /// Motions that nothing resists: pairs of zero eigenvalues.
    pub rigid: usize,
    pub stability: Stability,
    /// The largest Re lambda of all modes (1/s); NaN where there is none.
    pub growth: f64,
}

impl SteadyInstance<'_> {
    /// The modes about an equilibrium.
    ///
    /// # Errors
    /// The equations are not finite, or do not turn with the mechanism.
    pub fn modes(&self, posture: &Posture) -> Result<Vibrations, NotSteady> {
        let equations = self.linearised(posture)?;
        self.check_turning(posture, &equations)?;
        let (mut pairs, rigid) = match self.symmetric_pairs(&equations) {
            Some(found) => found?,
            None => general_pairs(&equations)?,
        };
        pairs.sort_by(|(a, _), (b, _)| a.norm().total_cmp(&b.norm()).then(a.re.total_cmp(&b.re)));
        let modes: Vec<Mode> =
            pairs.into_iter().map(|(value, shape)| self.mode(posture, value, shape)).collect();
        let growth = modes.iter().map(|mode| mode.eigenvalue.re).fold(f64::NAN, f64::max);
        let stability = match () {
            () if growth > 0.0 => Stability::Unstable,
            () if rigid > 0 => Stability::Neutral,
            () if growth < 0.0 => Stability::Damped,
            () => Stability::Stable,
        };
        Ok(Vibrations { modes, rigid, stability, growth })
    }

    /// The modes of a symmetric stiffness without damping. `None`: it is not so.
    fn symmetric_pairs(&self, equations: &LinearEquations) -> Option<Result<Pairs, NotSteady>> {
        let LinearEquations { positions, velocities, stiffness, damping, .. } = equations;
        if positions.along.ncols() != velocities.along.ncols() {
            return None;
        }
        if stiffness.is_empty() {
            return Some(Ok((Vec::new(), 0)));
        }
        // P and N span the same space where no contact holds a velocity alone; seen in
        // N the stiffness is symmetric.
        let stiffness = stiffness * &equations.kinematic;
        let size = stiffness.amax();
        let is_symmetric = (&stiffness - stiffness.transpose()).amax() <= SYMMETRIC * size;
        let is_undamped = damping.amax() <= UNDAMPED * size.sqrt();
        if !(is_symmetric && is_undamped) {
            return None;
        }
        let symmetric = (&stiffness + stiffness.transpose()) / -2.0;
        let Some(eigen) = symmetric_eigen(symmetric) else { return Some(Err(NotSteady::NotFinite)) };
        let cut = RIGID * eigen.eigenvalues.amax();
        let mut pairs = Vec::new();
        let mut rigid = 0;
        for (square, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            let shape = (&velocities.along * vector).map(|x| Complex::new(x, 0.0));
            match *square {
                square if square.abs() <= cut => rigid += 1,
                square if square > 0.0 => pairs.push((Complex::new(0.0, square.sqrt()), shape)),
                square => {
                    let rate = (-square).sqrt();
                    pairs.push((Complex::new(rate, 0.0), shape.clone()));
                    pairs.push((Complex::new(-rate, 0.0), shape));
                }
            }
        }
        Some(Ok((pairs, rigid)))
    }

    fn mode(&self, posture: &Posture, eigenvalue: Complex<f64>, shape: DVector<Complex<f64>>) -> Mode {
        // Real and imaginary parts of a shape move a quarter of a period apart: their energies add
        // up.
        let real: Vec<f64> = shape.iter().map(|x| x.re).collect();
        let imaginary: Vec<f64> = shape.iter().map(|x| x.im).collect();
        let energies = self.energies(posture, &real).into_iter().zip(self.energies(posture, &imaginary));
        let energies: Vec<f64> = energies.map(|(a, b)| a + b).collect();
        let whole: f64 = energies.iter().sum();
        let shares = energies.iter().map(|energy| if whole > 0.0 { energy / whole } else { 0.0 }).collect();
        Mode { eigenvalue, shape: normalised(shape), shares }
    }
}

/// The modes of general equations.
///
/// Stiffness S and damping D are as exact as rounding of the largest entries. A change of them
/// moves an eigenvalue with vectors v, w by up to
///
/// ```text
/// |w_z| (|v_y| |dS| + |v_z| |dD|) / |w^H v|
/// ```
///
/// (J. H. Wilkinson, The Algebraic Eigenvalue Problem, Oxford 1965, 2.8), and one of a double root,
/// whose vectors are any, by no more than `|dS| / |lambda| + |dD|`.
fn general_pairs(equations: &LinearEquations) -> Result<Pairs, NotSteady> {
    let a: DMatrix<f64> = equations.matrix();
    let scale = balancing(&a);
    let a = DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * scale[j] / scale[i]);
    let places = equations.kinematic.nrows();
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
    let (positions, velocities) = (
        equations.positions.along.map(|x| Complex::new(x, 0.0)),
        equations.velocities.along.map(|x| Complex::new(x, 0.0)),
    );
    let mut pairs = Vec::new();
    let mut zeros = 0usize;
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
        let re = if value.re.abs() <= rounding { 0.0 } else { value.re };
        let is_real = value.im.abs() <= REAL * size;
        if is_real || value.im > 0.0 {
            let vector = DVector::from_fn(a.nrows(), |i, _| right[i] * scale[i]);
            // Displacements, in the form of velocities over a unit of time; of a motion of
            // velocities or laws alone these.
            let displaced = &positions * vector.rows(0, places);
            let moving = &velocities * vector.rows(places, rates);
            let share = displaced.norm() * size;
            let shape = if share > 1e-12 * moving.norm() { displaced } else { moving };
            pairs.push((Complex::new(re, if is_real { 0.0 } else { value.im }), shape));
        }
    }
    // A rigid motion has two zeros, its place and its velocity; where only one of them is free it
    // is one.
    Ok((pairs, zeros.div_ceil(2)))
}

/// The largest entry made 1.
fn normalised(shape: DVector<Complex<f64>>) -> Vec<Complex<f64>> {
    let largest = shape.iter().copied().fold(Complex::new(0.0, 0.0), |largest, x| {
        // The first of those that are equal but for rounding.
        if x.norm() > (1.0 + 1e-9) * largest.norm() { x } else { largest }
    });
    let size = largest.norm();
    if size > 0.0 { shape.iter().map(|x| x / largest).collect() } else { shape.iter().copied().collect() }
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
        let (pairs, rigid) = general_pairs(&equations).unwrap();
        let known = Complex::new(1e-3, (1.0f64 - 1e-6).sqrt());
        let off = pairs.iter().map(|(value, _)| (value - known).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < 1e-6 && rigid == 0, "off by {off:e}, {rigid} rigid");
    }
}
