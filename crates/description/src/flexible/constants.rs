//! The constants of a flexible body (W84 chapter III), from its particles.
//!
//! With r from the mass centre, Jn the rotary inertia of a particle about its own centre and theta
//! its turn:
//!
//! ```text
//! M = sum m      J0 = sum m (r.r I - r r^T) + Jn
//! J1_i = sum m (2 r.psi_i I - r psi_i^T - psi_i r^T)
//! J2_ij = sum m (psi_i.psi_j I - (psi_i psi_j^T + psi_j psi_i^T)/2)
//! G_ij = sum m psi_i x psi_j = -G_ji
//! s_i = sum m psi_i / M      alpha_i = sum m r x psi_i + Jn theta_i
//! M_ij = sum m psi_i.psi_j + theta_i.Jn theta_j
//! ```
//!
//! Rotary inertia keeps its axes: it enters J0, alpha and M alone. s and alpha vanish in a Buckens
//! frame, not in an attached one.
//!
//! Where s does not vanish, the velocity v of the momentary mass centre, at `r_cm + sum eta_i s_i`
//! from the frame, in place of the origin's takes the mass centre's motion out of all shapes, and
//! with it translation out of the other equations. Then
//!
//! ```text
//! J2'_ij = J2_ij - M (s_i.s_j I - (s_i s_j^T + s_j s_i^T)/2)     G'_ij = G_ij - M s_i x s_j
//! M'_ij = M_ij - M s_i.s_j
//! ```
//!
//! stand for J2, G and M; J1 and alpha stay, since r is from the undeformed mass centre.

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::ModalError;
use crate::base::significant;
use crate::math::symmetric::{least_eigenvalue, symmetric_eigenvalues};

/// Entries below this share of their kind are rounding, and are zero: what a plane beam has not,
/// costs nothing.
const ROUNDING: f64 = 1e-13;
/// Largest share of s or alpha that a mode orthogonal to the rigid fields may have.
const NOT_ORTHOGONAL: f64 = 1e-6;
/// Modes of an attached frame of which less than this share of the mass is left besides rigid
/// motion are rigid motion.
const DEPENDENT: f64 = 1e-10;

/// A piece of mass of a body and how it moves with each mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Particle {
    /// (kg)
    pub mass: f64,
    /// From the body's origin, body axes (m).
    pub at: Vector3<f64>,
    /// About its own centre (kg m²).
    pub inertia: Matrix3<f64>,
    /// psi: displacement with each mode.
    pub shapes: Vec<Vector3<f64>>,
    /// theta: small rotation with each mode.
    pub turns: Vec<Vector3<f64>>,
}

/// Constants of a body in the equations of motion, in its axes about its mass centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// (kg)
    pub mass: f64,
    /// From the body's origin (m).
    pub centre: Vector3<f64>,
    /// J0 (kg m²).
    pub inertia: Matrix3<f64>,
    pub j1: Vec<Matrix3<f64>>,
    pub j2: Vec<Vec<Matrix3<f64>>>,
    pub g: Vec<Vec<Vector3<f64>>>,
    pub s: Vec<Vector3<f64>>,
    pub alpha: Vec<Vector3<f64>>,
    /// M_ij.
    pub modal_mass: DMatrix<f64>,
    /// K_ij.
    pub stiffness: DMatrix<f64>,
}

/// A mode that is not orthogonal to rigid motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("mode {mode} {motion}")]
pub struct NotOrthogonal {
    /// Counted from 1.
    pub mode: usize,
    pub motion: RigidMotion,
}

/// The rigid motion that a mode has a share of.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RigidMotion {
    #[error("moves the mass centre: |s| = {}", significant(*.s, 3))]
    Translation { s: f64 },
    #[error("has angular momentum: |alpha| = {}", significant(*.alpha, 3))]
    Rotation { alpha: f64 },
}

impl Constants {
    /// The constants of particles that move with as many modes as `stiffness` has rows.
    ///
    /// # Errors
    /// A mass is negative or their sum is not positive, the inertia is not positive definite,
    /// lengths do not fit.
    pub fn of(particles: &[Particle], stiffness: DMatrix<f64>) -> Result<Constants, ModalError> {
        let modes = stiffness.nrows();
        for (p, particle) in particles.iter().enumerate() {
            if !(particle.mass >= 0.0 && particle.mass.is_finite()) {
                return Err(ModalError::ParticleMass { particle: p, mass: particle.mass });
            }
            if particle.shapes.len() != modes || particle.turns.len() != modes {
                let shapes = particle.shapes.len();
                return Err(ModalError::ParticleShapes { particle: p, shapes, modes });
            }
        }
        let mass: f64 = particles.iter().map(|p| p.mass).sum();
        if mass <= 0.0 {
            return Err(ModalError::NoMass);
        }
        let centre = particles.iter().map(|p| p.mass * p.at).sum::<Vector3<f64>>() / mass;
        let sum = |f: &dyn Fn(&Particle, Vector3<f64>) -> Matrix3<f64>| -> Matrix3<f64> {
            particles.iter().map(|p| f(p, p.at - centre)).sum()
        };
        let vector = |f: &dyn Fn(&Particle, Vector3<f64>) -> Vector3<f64>| -> Vector3<f64> {
            particles.iter().map(|p| f(p, p.at - centre)).sum()
        };
        let about = |a: &Vector3<f64>, b: &Vector3<f64>| {
            Matrix3::identity() * a.dot(b) - (a * b.transpose() + b * a.transpose()) / 2.0
        };
        let each = 0..modes;
        let modal_mass = DMatrix::from_fn(modes, modes, |i, j| {
            let kinetic = |p: &Particle| {
                p.mass * p.shapes[i].dot(&p.shapes[j]) + p.turns[i].dot(&(p.inertia * p.turns[j]))
            };
            particles.iter().map(kinetic).sum()
        });
        let constants = Constants {
            mass,
            centre,
            inertia: sum(&|p, r| p.mass * about(&r, &r) + p.inertia),
            j1: each.clone().map(|i| sum(&|p, r| 2.0 * p.mass * about(&r, &p.shapes[i]))).collect(),
            j2: each
                .clone()
                .map(|i| {
                    let entry = |j| sum(&|p, _| p.mass * about(&p.shapes[i], &p.shapes[j]));
                    each.clone().map(entry).collect()
                })
                .collect(),
            g: each
                .clone()
                .map(|i| {
                    let entry = |j| vector(&|p, _| p.mass * p.shapes[i].cross(&p.shapes[j]));
                    each.clone().map(entry).collect()
                })
                .collect(),
            s: each.clone().map(|i| vector(&|p, _| p.mass * p.shapes[i] / mass)).collect(),
            alpha: each
                .map(|i| vector(&|p, r| p.mass * r.cross(&p.shapes[i]) + p.inertia * p.turns[i]))
                .collect(),
            modal_mass,
            stiffness,
        };
        let constants = constants.without_rounding();
        constants.check()?;
        Ok(constants)
    }

    /// Checks the conditions that any body must satisfy, wherever its constants come from.
    ///
    /// # Errors
    /// The inertia or the modal mass is not positive definite, the stiffness is not positive
    /// semidefinite or not symmetric.
    pub fn check(&self) -> Result<(), ModalError> {
        let modes = self.j1.len();
        let smallest = least_eigenvalue(self.inertia);
        if smallest.is_nan() || smallest <= 1e-12 * self.inertia.amax() {
            return Err(ModalError::Inertia { smallest });
        }
        let (m, k) = (&self.modal_mass, &self.stiffness);
        if m.shape() != (modes, modes) || k.shape() != (modes, modes) {
            return Err(ModalError::ModalSize { modes });
        }
        if m.clone().cholesky().is_none() {
            return Err(ModalError::ModalMass);
        }
        if (k - k.transpose()).amax() > 1e-9 * k.amax() {
            return Err(ModalError::Asymmetric);
        }
        if modes > 0 {
            let smallest = least_eigenvalue(k.clone());
            if smallest.is_nan() || smallest < -1e-9 * k.amax() {
                return Err(ModalError::Indefinite { smallest });
            }
        }
        Ok(())
    }

    /// Whether the modes neither move the mass centre nor have angular momentum about it, as a
    /// Buckens frame wants.
    ///
    /// # Errors
    /// The first mode that is not so.
    pub fn check_orthogonal(&self) -> Result<(), NotOrthogonal> {
        for k in 0..self.s.len() {
            let size = self.modal_mass[(k, k)].sqrt();
            let (s, alpha) = (self.s[k].norm(), self.alpha[k].norm());
            if s * self.mass > NOT_ORTHOGONAL * self.mass.sqrt() * size {
                return Err(NotOrthogonal { mode: k + 1, motion: RigidMotion::Translation { s } });
            }
            if alpha > NOT_ORTHOGONAL * self.inertia.trace().sqrt() * size {
                return Err(NotOrthogonal { mode: k + 1, motion: RigidMotion::Rotation { alpha } });
            }
        }
        Ok(())
    }

    /// The constants of the shapes without their motion of the mass centre, `psi_i - s_i`: J2', G'
    /// and M'.
    pub fn about_centre(&self) -> Constants {
        let modes = 0..self.s.len();
        let j2 = |i: usize, j: usize| {
            let (a, b) = (&self.s[i], &self.s[j]);
            let about = Matrix3::identity() * a.dot(b) - (a * b.transpose() + b * a.transpose()) / 2.0;
            self.j2[i][j] - self.mass * about
        };
        let g = |i: usize, j: usize| self.g[i][j] - self.mass * self.s[i].cross(&self.s[j]);
        let constants = Constants {
            j2: modes.clone().map(|i| modes.clone().map(|j| j2(i, j)).collect()).collect(),
            g: modes.clone().map(|i| modes.clone().map(|j| g(i, j)).collect()).collect(),
            modal_mass: DMatrix::from_fn(modes.len(), modes.len(), |i, j| {
                self.modal_mass[(i, j)] - self.mass * self.s[i].dot(&self.s[j])
            }),
            ..self.clone()
        };
        constants.without_rounding()
    }

    /// `M_ij - M s_i.s_j - alpha_i.J0^-1 alpha_j`: what is left of the modal mass where the body
    /// moves and turns freely as its modes want. It does not depend on the frame.
    pub(crate) fn free_modal_mass(&self) -> DMatrix<f64> {
        let modes = self.s.len();
        let inverse = self.inertia.try_inverse().unwrap_or_else(Matrix3::zeros);
        DMatrix::from_fn(modes, modes, |i, j| {
            self.modal_mass[(i, j)]
                - self.mass * self.s[i].dot(&self.s[j])
                - self.alpha[i].dot(&(inverse * self.alpha[j]))
        })
    }

    /// Whether the mass matrix of level 2 is positive definite at these modal coordinates:
    /// `J - sum c_k (M^-1 c)_k^T` is. What centrifugal stiffening takes from J has no counterpart
    /// in c, so that it is not wherever modes bear nearly all of a rotation.
    pub fn is_definite_at(&self, amplitudes: &[f64]) -> bool {
        let own = self.about_centre();
        let modes = || amplitudes.iter().enumerate();
        let linear: Matrix3<f64> = modes().map(|(k, e)| own.j1[k] * *e).sum();
        let of_pairs = modes().flat_map(|(i, a)| modes().map(move |(j, b)| (i, j, a * b)));
        let square: Matrix3<f64> = of_pairs.map(|(i, j, product)| own.j2[i][j] * product).sum();
        let carried: Vec<Vector3<f64>> = (0..amplitudes.len())
            .map(|k| own.alpha[k] + modes().map(|(m, e)| own.g[m][k] * *e).sum::<Vector3<f64>>())
            .collect();
        let rows = DMatrix::from_fn(carried.len(), 3, |k, i| carried[k][i]);
        let Some(inverse) = own.modal_mass.clone().try_inverse() else { return false };
        let borne = rows.transpose() * inverse * rows;
        let left = own.inertia + linear + square - Matrix3::from_fn(|i, j| borne[(i, j)]);
        left.symmetric_eigenvalues().min() > 0.0
    }

    /// Whether the modes of an attached frame deform the body: none is a motion of the rigid body
    /// against the particle.
    ///
    /// # Errors
    /// They are not independent of rigid motion.
    pub(crate) fn check_free(&self) -> Result<(), ModalError> {
        let root = self.modal_mass.diagonal().map(f64::sqrt);
        let free = self.free_modal_mass();
        let scaled = DMatrix::from_fn(free.nrows(), free.ncols(), |i, j| free[(i, j)] / (root[i] * root[j]));
        let left = least_eigenvalue(scaled);
        if left.is_nan() || left <= DEPENDENT {
            return Err(ModalError::RigidModes { left });
        }
        Ok(())
    }

    /// Natural angular frequencies (rad/s), ascending; those of negative stiffness are zero.
    pub fn frequencies(&self) -> Vec<f64> {
        self.frequencies_with(self.modal_mass.clone())
    }

    /// Natural angular frequencies (rad/s) with another modal mass, ascending.
    pub(crate) fn frequencies_with(&self, modal_mass: DMatrix<f64>) -> Vec<f64> {
        let Some(factors) = modal_mass.cholesky() else { return Vec::new() };
        let l_inverse = factors.l().try_inverse().unwrap_or_else(|| DMatrix::zeros(0, 0));
        if l_inverse.is_empty() {
            return Vec::new();
        }
        let scaled = &l_inverse * &self.stiffness * l_inverse.transpose();
        let Some(squares) = symmetric_eigenvalues(scaled) else { return Vec::new() };
        let mut squares: Vec<f64> = squares.iter().copied().collect();
        squares.sort_by(f64::total_cmp);
        squares.into_iter().map(|square| square.max(0.0).sqrt()).collect()
    }

    /// Returns these constants in axes whose quaternion-free matrix `turn` takes vectors from here
    /// to there.
    pub fn turned(&self, turn: &Matrix3<f64>) -> Constants {
        let matrix = |m: &Matrix3<f64>| turn * m * turn.transpose();
        let vector = |v: &Vector3<f64>| turn * v;
        Constants {
            mass: self.mass,
            centre: vector(&self.centre),
            inertia: matrix(&self.inertia),
            j1: self.j1.iter().map(matrix).collect(),
            j2: self.j2.iter().map(|row| row.iter().map(matrix).collect()).collect(),
            g: self.g.iter().map(|row| row.iter().map(vector).collect()).collect(),
            s: self.s.iter().map(vector).collect(),
            alpha: self.alpha.iter().map(vector).collect(),
            modal_mass: self.modal_mass.clone(),
            stiffness: self.stiffness.clone(),
        }
    }

    /// With zeros where rounding left next to nothing.
    fn without_rounding(self) -> Constants {
        let clean = |x: f64, scale: f64| if x.abs() <= ROUNDING * scale { 0.0 } else { x };
        let m = &self.modal_mass;
        let size = |i: usize| m[(i, i)].sqrt();
        let whole = self.inertia.amax();
        let first = |i: usize| whole.sqrt() * size(i);
        let stiff = |i: usize, j: usize| (self.stiffness[(i, i)] * self.stiffness[(j, j)]).abs().sqrt();
        let modes = self.j1.len();
        let arm = (whole / self.mass).sqrt();
        Constants {
            mass: self.mass,
            centre: self.centre.map(|x| clean(x, arm)),
            inertia: self.inertia.map(|x| clean(x, whole)),
            j1: (0..modes).map(|i| self.j1[i].map(|x| clean(x, first(i)))).collect(),
            j2: (0..modes)
                .map(|i| (0..modes).map(|j| self.j2[i][j].map(|x| clean(x, size(i) * size(j)))).collect())
                .collect(),
            g: (0..modes)
                .map(|i| (0..modes).map(|j| self.g[i][j].map(|x| clean(x, size(i) * size(j)))).collect())
                .collect(),
            s: (0..modes).map(|i| self.s[i].map(|x| clean(x, size(i) / self.mass.sqrt()))).collect(),
            alpha: (0..modes).map(|i| self.alpha[i].map(|x| clean(x, first(i)))).collect(),
            modal_mass: DMatrix::from_fn(modes, modes, |i, j| clean(m[(i, j)], size(i) * size(j))),
            stiffness: DMatrix::from_fn(modes, modes, |i, j| clean(self.stiffness[(i, j)], stiff(i, j))),
        }
    }
}
