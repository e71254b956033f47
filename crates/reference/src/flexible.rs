//! Terms that deformation adds to the equations of a body: W84 chapters III and V, level by level,
//! in a floating frame with axes of Buckens or attached to a particle; position and velocity are
//! those of the momentary mass centre.
//!
//! With eta the modal coordinates, w the angular velocity in body axes, constants as
//! [`polhode_description::flexible::constants`] defines them; a term with tag (L) is there from
//! level L on:
//!
//! ```text
//! J = J0 + (1) sum eta_i J1_i + (2) sum eta_i eta_j J2_ij,  C = [alpha_k + (1) c_k],
//!                                                            c_k = sum eta_m G_mk
//! [ J    C ] [ w'   ]   [ M - w x J w - (1/2) [sum eta'_i J1_i w + w x sum alpha_k eta'_k]       ]
//! [        ] [      ] = [      - (3/2) [2 sum eta_i eta'_j J2_ij w + w x sum c_k eta'_k]         ]
//! [ C^T  M ] [ eta'']   [ Q_k - D_k eta'_k - sum K_kp eta_p + 1/2 w.J1_k w                       ]
//!                       [      - (1/2) 2 w.sum eta'_m G_mk + (1) w.sum eta_p J2_kp w             ]
//! T = 1/2 w.J w + w.sum (alpha_k + c_k) eta'_k + 1/2 eta'.M eta',  V = 1/2 eta.K eta
//! H = Lam (J w + sum (alpha_k + c_k) eta'_k)                                   both with all terms
//! ```
//!
//! In a Buckens frame s = alpha = 0. In an attached one the origin O moves with the particle and
//! the mass centre is at `c + sum eta_k s_k` from it; seen from there a point moves by
//! `psi_k - s_k`, so that
//!
//! ```text
//! J2_ij less M (s_i.s_j I - 1/2 (s_i s_j^T + s_j s_i^T)),  G_ij less M s_i x s_j,
//!                                                          M_ij less M s_i.s_j
//! ```

use super::ReferenceError;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use polhode_description::describe::{self, Level};
use polhode_description::flexible::{Constants, Local};

/// The deformation of a body, with an instance's numbers.
#[derive(Clone, Debug)]
pub struct Deformation {
    level: Level,
    /// Constants of the shapes as seen from the mass centre.
    constants: Constants,
    /// s_k, and alpha_k, by columns.
    carried: [DMatrix<f64>; 2],
    stiffness: DMatrix<f64>,
    damping: DVector<f64>,
}

/// The shapes at a point.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// phi by columns.
    pub displacement: Vec<Vector3<f64>>,
    /// theta by columns.
    pub rotation: Vec<Vector3<f64>>,
}

impl Shapes {
    /// `sum eta_k phi_k`
    pub fn displaced(&self, eta: &DVector<f64>) -> Vector3<f64> {
        self.displacement.iter().zip(eta.iter()).map(|(phi, eta)| phi * *eta).sum()
    }

    /// The work of a force and a torque in body axes with each mode.
    pub fn work(&self, force: Vector3<f64>, torque: Vector3<f64>) -> DVector<f64> {
        let modes = self.displacement.iter().zip(&self.rotation);
        let work: Vec<f64> = modes.map(|(phi, theta)| phi.dot(&force) + theta.dot(&torque)).collect();
        DVector::from_vec(work)
    }

    /// P, for `sum eta_k theta_k`.
    fn half_turn(&self, eta: &DVector<f64>) -> Matrix3<f64> {
        let psi: Vector3<f64> = self.rotation.iter().zip(eta.iter()).map(|(theta, eta)| theta * *eta).sum();
        (psi / 2.0).cross_matrix()
    }

    /// Returns the rotation, by the modes, of what is fixed at the point, exactly orthogonal:
    /// Cayley's matrix `C = (I - P)^-1 (I + P)`, `P = 1/2 (sum eta_k theta_k)~`.
    pub fn turned(&self, eta: &DVector<f64>) -> Matrix3<f64> {
        let p = self.half_turn(eta);
        let one = Matrix3::identity();
        (one - p).try_inverse().unwrap_or(Matrix3::from_element(f64::NAN)) * (one + p)
    }

    /// Its angular velocity against the body, body axes (rad/s): that of `C' C^T`, where
    /// `(I - P) C' = P' (I + C)`.
    pub fn turning(&self, eta: &DVector<f64>, rate: &DVector<f64>) -> Vector3<f64> {
        let c = self.turned(eta);
        let one = Matrix3::identity();
        let left = (one - self.half_turn(eta)).try_inverse().unwrap_or(Matrix3::from_element(f64::NAN));
        let spin = left * self.half_turn(rate) * (one + c) * c.transpose();
        0.5 * Vector3::new(
            spin[(2, 1)] - spin[(1, 2)],
            spin[(0, 2)] - spin[(2, 0)],
            spin[(1, 0)] - spin[(0, 1)],
        )
    }
}

impl Deformation {
    /// `scales`: of stiffness and of damping.
    pub fn new(described: &describe::Flexible, scales: [f64; 2]) -> Deformation {
        let [of_stiffness, of_damping] = scales;
        let damping = DVector::from_vec(described.damping_coefficients());
        let mut constants = described.modal.constants.clone();
        let modes = damping.len();
        let mut carried = [DMatrix::zeros(3, modes), DMatrix::zeros(3, modes)];
        if described.modal.is_attached() {
            carried = [&constants.s, &constants.alpha]
                .map(|vectors| DMatrix::from_fn(3, modes, |i, k| vectors[k][i]));
            let s = constants.s.clone();
            for i in 0..modes {
                for j in 0..modes {
                    let product = s[i] * s[j].transpose();
                    let about = Matrix3::identity() * product.trace() - 0.5 * (product + product.transpose());
                    constants.j2[i][j] -= constants.mass * about;
                    constants.g[i][j] -= constants.mass * s[i].cross(&s[j]);
                    constants.modal_mass[(i, j)] -= constants.mass * product.trace();
                }
            }
        }
        Deformation {
            level: described.level,
            constants,
            carried,
            stiffness: &described.modal.constants.stiffness * of_stiffness,
            damping: damping * (of_damping * of_stiffness.sqrt()),
        }
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.damping.len()
    }

    /// The shapes at a point of the described body, as seen from its mass centre; where no rotation
    /// is known it is taken for none.
    pub fn shapes(described: &describe::Flexible, at: [f64; 3]) -> Result<Shapes, ReferenceError> {
        let Local { shapes, turns } = described.modal.local(at)?;
        let none = vec![Vector3::zeros(); shapes.len()];
        let of_centre = if described.modal.is_attached() { &described.modal.constants.s } else { &none };
        let displacement = shapes.iter().zip(of_centre).map(|(psi, s)| psi - s).collect();
        Ok(Shapes { displacement, rotation: turns.unwrap_or(none) })
    }

    /// `sum eta_k s_k`: the mass centre from where it is in the undeformed body, body axes (m); for
    /// rates its velocity there (m/s).
    pub fn centre_moved(&self, eta: &DVector<f64>) -> Vector3<f64> {
        column(&self.carried[0] * eta)
    }

    /// J with the terms of a level.
    fn inertia(&self, eta: &DVector<f64>, level: Level) -> Matrix3<f64> {
        let mut j = self.constants.inertia;
        for (i, eta_i) in eta.iter().enumerate().filter(|_| level >= Level::One) {
            j += self.constants.j1[i] * *eta_i;
            for (k, eta_k) in eta.iter().enumerate().filter(|_| level >= Level::Two) {
                j += self.constants.j2[i][k] * (eta_i * eta_k);
            }
        }
        j
    }

    /// c_k by columns, whatever the level.
    fn coupling(&self, eta: &DVector<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(3, eta.len(), |i, k| {
            (0..eta.len()).map(|m| eta[m] * self.constants.g[m][k][i]).sum()
        })
    }

    /// The mass matrix of w' and eta''; with half of `within` (s) times the damping, for a step
    /// over which damping is implicit.
    pub fn mass_matrix(&self, eta: &DVector<f64>, within: f64) -> DMatrix<f64> {
        let n = self.modes();
        let mut m = DMatrix::zeros(3 + n, 3 + n);
        m.view_mut((0, 0), (3, 3)).copy_from(&self.inertia(eta, self.level));
        let mut c = self.carried[1].clone();
        if self.level >= Level::One {
            c += self.coupling(eta);
        }
        m.view_mut((0, 3), (3, n)).copy_from(&c);
        m.view_mut((3, 0), (n, 3)).copy_from(&c.transpose());
        let implicit = DMatrix::from_diagonal(&(&self.damping * (within / 2.0)));
        m.view_mut((3, 3), (n, n)).copy_from(&(&self.constants.modal_mass + implicit));
        m
    }

    /// Returns the right-hand side besides M and Q_k: torque and modal forces. Damping sees
    /// `damped`, a rate of eta.
    pub fn forces(
        &self,
        w: Vector3<f64>,
        eta: &DVector<f64>,
        rate: &DVector<f64>,
        damped: &DVector<f64>,
    ) -> (Vector3<f64>, DVector<f64>) {
        let Constants { j1, j2, g, .. } = &self.constants;
        let n = self.modes();
        let mut torque = -w.cross(&(self.inertia(eta, self.level) * w));
        let mut modal = -(&self.stiffness * eta) - self.damping.component_mul(damped);
        for k in 0..n {
            modal[k] += 0.5 * w.dot(&(j1[k] * w));
        }
        if self.level >= Level::Half {
            for k in 0..n {
                torque -= j1[k] * w * rate[k];
                modal[k] -= 2.0 * w.dot(&(0..n).map(|m| g[m][k] * rate[m]).sum::<Vector3<f64>>());
            }
            torque -= w.cross(&column(&self.carried[1] * rate));
        }
        if self.level >= Level::One {
            for k in 0..n {
                let j2_eta: Matrix3<f64> = (0..n).map(|p| j2[k][p] * eta[p]).sum();
                modal[k] += w.dot(&(j2_eta * w));
            }
        }
        if self.level >= Level::OneAndHalf {
            for i in 0..n {
                for k in 0..n {
                    torque -= 2.0 * eta[i] * rate[k] * (j2[i][k] * w);
                }
            }
            torque -= w.cross(&column(self.coupling(eta) * rate));
        }
        (torque, modal)
    }

    /// Kinetic energy of rotation and deformation, and strain energy (J).
    pub fn energies(&self, w: Vector3<f64>, eta: &DVector<f64>, rate: &DVector<f64>) -> [f64; 2] {
        let turning = 0.5 * w.dot(&self.momentum(w, eta, rate));
        let carried = 0.5 * w.dot(&column((self.coupling(eta) + &self.carried[1]) * rate));
        let moving = 0.5 * rate.dot(&(&self.constants.modal_mass * rate));
        [turning + carried + moving, 0.5 * eta.dot(&(&self.stiffness * eta))]
    }

    /// Angular momentum about the mass centre, body axes (kg m²/s).
    pub fn momentum(&self, w: Vector3<f64>, eta: &DVector<f64>, rate: &DVector<f64>) -> Vector3<f64> {
        self.inertia(eta, Level::Two) * w + column((self.coupling(eta) + &self.carried[1]) * rate)
    }
}

fn column(of_three: DVector<f64>) -> Vector3<f64> {
    Vector3::from_column_slice(of_three.as_slice())
}
