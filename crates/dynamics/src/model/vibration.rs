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

use nalgebra::{Complex, DVector};

use super::general_modes::{ModePairs, RIGID, general_pairs};
use super::steady_state::{LinearEquations, NotSteady, Posture, SteadyInstance};
use crate::math::symmetric::symmetric_eigen;

/// Entries of a symmetric stiffness, and of no damping, that rounding may leave, as shares of the
/// largest.
const SYMMETRIC: f64 = 1e-11;
const UNDAMPED: f64 = 1e-12;

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
            None => general_pairs(&equations, &self.directions_of_states(&equations))?,
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

    /// By direction of velocities, whether a state of a law is in it.
    fn directions_of_states(&self, equations: &LinearEquations) -> Vec<bool> {
        let states = self.states();
        let columns = equations.velocities.along.column_iter();
        columns.map(|column| column.iter().zip(&states).any(|(x, is)| *is && *x != 0.0)).collect()
    }

    /// The modes of a symmetric stiffness without damping. `None`: it is not so.
    fn symmetric_pairs(&self, equations: &LinearEquations) -> Option<Result<ModePairs, NotSteady>> {
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

/// The largest entry made 1.
fn normalised(shape: DVector<Complex<f64>>) -> Vec<Complex<f64>> {
    let largest = shape.iter().copied().fold(Complex::new(0.0, 0.0), |largest, x| {
        // The first of those that are equal but for rounding.
        if x.norm() > (1.0 + 1e-9) * largest.norm() { x } else { largest }
    });
    let size = largest.norm();
    if size > 0.0 { shape.iter().map(|x| x / largest).collect() } else { shape.iter().copied().collect() }
}
