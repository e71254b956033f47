//! Beam elements: strains, constant along the element, of rotations of any size, and what does
//! virtual work upon them.
//!
//! With F the frames of nodes A and B as matrices (columns x, y, z; on flexible bodies [fixed to
//! them](Side::fixed_frame)), P their points, `theta` the rotation vector of `F_A^T F_B` and
//! `F_m = F_A exp(theta/2)`:
//!
//! ```text
//! Gamma = F_m^T (P_B - P_A) / L - e1,   V = L/2 Gamma.C_N Gamma + 1/(2 L) theta.C_M theta
//! ```
//!
//! The strains' rates are linear in the velocities. With omega_A, omega_B in axes of A and T the
//! tangent of the exponential map,
//!
//! ```text
//! d/dt exp(theta) = (exp(theta) T(theta) thetadot)~,
//! T(theta) = I - (1 - cos)/phi² theta~ + (phi - sin)/phi³ theta~²
//! thetadot = T(theta)^-1 (F_B^T (omega_B - omega_A)),
//! omega_m = F_m^T omega_A + T(theta/2) thetadot/2, axes of F_m
//! L Gammadot = F_m^T (Pdot_B - Pdot_A) - omega_m x F_m^T (P_B - P_A)
//! ```
//!
//! and a generalised force is minus the work of the stresses on the rates that its velocity alone
//! would cause:
//!
//! ```text
//! Q_j = -(L N.Gammadot_j + M.thetadot_j),  N = C_N (Gamma + c Gammadot),
//! M = C_M (theta + c thetadot) / L
//! ```

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use polhode_description::describe;

use super::super::body::{Motion, RigidBody};
use super::super::joint::Side;
use super::super::rotation::lam;
use super::{Push, Pushing};

/// One beam element.
#[derive(Clone, Debug)]
pub struct BeamElement {
    sides: [Side; 2],
    /// L (m)
    length: f64,
    /// EA, GA_y, GA_z (N)
    stretching: Vector3<f64>,
    /// GJ, EI_y, EI_z (N m²)
    bending: Vector3<f64>,
    /// c (s)
    damping: f64,
}

/// Gamma and theta, or their rates.
#[derive(Clone, Copy, Debug)]
struct Strain {
    gamma: Vector3<f64>,
    theta: Vector3<f64>,
}

/// Where the frames stand, and what turns velocities into rates of strain.
struct Deformation {
    strain: Strain,
    /// F_B and F_m.
    frame: Matrix3<f64>,
    halfway: Matrix3<f64>,
    apart: Vector3<f64>,
    /// `T(theta)^-1` and `T(theta/2)`.
    untangled: Matrix3<f64>,
    half_tangent: Matrix3<f64>,
}

impl BeamElement {
    /// `numbers`: as [`Mechanism::numbers`](describe::Mechanism::numbers) lists those of a section.
    pub fn new(element: &describe::BeamElement, numbers: &[f64; 8], bodies: &[RigidBody]) -> BeamElement {
        let factor = numbers[7];
        BeamElement {
            sides: [0, 1].map(|k| Side::new(&element.points[k], &element.frames[k], bodies)),
            length: element.length,
            stretching: factor * Vector3::from_column_slice(&numbers[0..3]),
            bending: factor * Vector3::from_column_slice(&numbers[3..6]),
            damping: numbers[6],
        }
    }

    fn deformation(&self, motions: &[Motion]) -> Deformation {
        let frames = [0, 1].map(|k| self.sides[k].fixed_frame(motions).0);
        let points = [0, 1].map(|k| self.sides[k].point(motions).value);
        let relative = Rotation3::from_matrix_unchecked(frames[0].transpose() * frames[1]);
        // Not from the matrix's trace, which is rounded away from 3 where the turn is small.
        let theta = UnitQuaternion::from_rotation_matrix(&relative).scaled_axis();
        let within = theta.norm() <= describe::BeamElement::LARGEST_TURN;
        let theta = if within { theta } else { Vector3::repeat(f64::NAN) };
        let halfway = frames[0] * Rotation3::from_scaled_axis(theta / 2.0).into_inner();
        let apart = points[1] - points[0];
        let gamma = halfway.transpose() * apart / self.length - Vector3::x();
        Deformation {
            strain: Strain { gamma, theta },
            frame: frames[1],
            halfway,
            apart,
            untangled: tangent(theta).try_inverse().unwrap_or(Matrix3::from_element(f64::NAN)),
            half_tangent: tangent(theta / 2.0),
        }
    }

    /// Velocity of the point and angular velocity of side k, space axes.
    fn velocities(&self, k: usize, moving: &[Motion]) -> [Vector3<f64>; 2] {
        [self.sides[k].point(moving).rate, self.sides[k].fixed_frame(moving).1]
    }

    /// The rates of the strains from those velocities of both sides.
    fn rates(&self, at: &Deformation, [[v_a, omega_a], [v_b, omega_b]]: [[Vector3<f64>; 2]; 2]) -> Strain {
        let theta = at.untangled * at.frame.transpose() * (omega_b - omega_a);
        let omega_m = at.halfway.transpose() * omega_a + at.half_tangent * theta / 2.0;
        let to_halfway = at.halfway.transpose();
        let gamma = (to_halfway * (v_b - v_a) - omega_m.cross(&(to_halfway * at.apart))) / self.length;
        Strain { gamma, theta }
    }

    /// Gamma, and twist and curvatures theta/L (1/m).
    pub fn strains(&self, motions: &[Motion]) -> [Vector3<f64>; 2] {
        let Strain { gamma, theta } = self.deformation(motions).strain;
        [gamma, theta / self.length]
    }
}

impl Pushing for BeamElement {
    fn pushes(&self, _: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        let at = self.deformation(moving);
        let rates = self.rates(&at, [0, 1].map(|k| self.velocities(k, moving)));
        let felt = |strain: Vector3<f64>, rate| strain + self.damping * rate;
        let n = self.stretching.component_mul(&felt(at.strain.gamma, rates.gamma));
        let m = self.bending.component_mul(&felt(at.strain.theta, rates.theta)) / self.length;
        let push = |k: usize| {
            let body = self.sides[k].body?;
            let to_space = lam(moving[body].attitude);
            // The power on these velocities of the side, all others at rest.
            let power = |velocity: Vector3<f64>, omega: Vector3<f64>| {
                let mut velocities = [[Vector3::zeros(); 2]; 2];
                velocities[k] = [velocity, omega];
                let rates = self.rates(&at, velocities);
                -(self.length * n.dot(&rates.gamma) + m.dot(&rates.theta))
            };
            let none = Vector3::zeros();
            let force = Vector3::from_fn(|i, _| power(Vector3::ith(i, 1.0), none));
            let torque = Vector3::from_fn(|i, _| power(none, Vector3::ith(i, 1.0)));
            let arm = to_space * self.sides[k].arm(moving);
            Some(Push {
                body,
                force,
                torque: to_space.transpose() * (arm.cross(&force) + torque),
                modal: self.sides[k].modal_of(force, torque, moving),
            })
        };
        [0, 1].into_iter().filter_map(push).collect()
    }

    fn energy(&self, motions: &[Motion]) -> f64 {
        let Strain { gamma, theta } = self.deformation(motions).strain;
        self.length / 2.0 * gamma.dot(&self.stretching.component_mul(&gamma))
            + theta.dot(&self.bending.component_mul(&theta)) / (2.0 * self.length)
    }
}

/// `T(theta)`; small angles by the series of its coefficients.
fn tangent(theta: Vector3<f64>) -> Matrix3<f64> {
    let phi = theta.norm();
    let (first, second) = if phi < 1e-2 {
        let square = phi * phi;
        (0.5 - square / 24.0 + square * square / 720.0, 1.0 / 6.0 - square / 120.0 + square * square / 5040.0)
    } else {
        (2.0 * (phi / 2.0).sin().powi(2) / phi.powi(2), (phi - phi.sin()) / phi.powi(3))
    };
    let tilde = theta.cross_matrix();
    Matrix3::identity() - first * tilde + second * tilde * tilde
}
