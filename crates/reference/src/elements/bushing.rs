//! Bushings: springs and dampers between two frames, in all six directions.
//!
//! With F the frames as matrices (columns x, y, z; on flexible bodies
//! [fixed to them](Side::fixed_frame)), `d = F_A^T (P_B - P_A)` and q the quaternion of
//! `F_A^T F_B`, v its vector part:
//!
//! ```text
//! force on B   F_A (-K d - C ddot) at P_B,  the opposite on A at the same place of space
//! torque on B  F_B (-2 (q0 Kt v + (Kt v) x v) - Ct F_B^T (omega_B - omega_A)),  the opposite on A
//! V = 1/2 d.K d + 2 v.Kt v
//! ```
//!
//! The torque is what the energy leaves: B turning by dphi in its own axes changes v by
//! (q0 dphi + v x dphi)/2.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use polhode_description::describe::Force;

use super::super::body::{Motion, RigidBody};
use super::super::joint::Side;
use super::super::rotation::lam;
use super::{Push, Pushing};

/// One bushing.
#[derive(Clone, Debug)]
pub struct Bushing {
    sides: [Side; 2],
    /// (N/m)
    stiffness: Vector3<f64>,
    /// (N s/m)
    damping: Vector3<f64>,
    /// (N m/rad)
    torsional_stiffness: Vector3<f64>,
    /// (N m s/rad)
    torsional_damping: Vector3<f64>,
}

/// Where the frames stand to each other, and how they move.
struct Deformation {
    /// d and ddot, in A's frame.
    stretch: Vector3<f64>,
    stretch_rate: Vector3<f64>,
    turn: UnitQuaternion<f64>,
    /// Angular velocity of B against A, in B's frame (rad/s).
    turning: Vector3<f64>,
    frames: [Matrix3<f64>; 2],
    place: Vector3<f64>,
}

impl Bushing {
    pub fn new(force: &Force, bodies: &[RigidBody]) -> Bushing {
        let three = |key: &str| Vector3::from_column_slice(force.values(key));
        Bushing {
            sides: [0, 1].map(|k| Side::new(&force.points()[k], &force.frames()[k], bodies)),
            stiffness: three("stiffness"),
            damping: three("damping"),
            torsional_stiffness: three("torsional_stiffness"),
            torsional_damping: three("torsional_damping"),
        }
    }

    fn deformation(&self, moving: &[Motion]) -> Deformation {
        let [(frame_a, omega_a), (frame_b, omega_b)] =
            [&self.sides[0], &self.sides[1]].map(|side| side.fixed_frame(moving));
        let place = self.sides[1].point(moving);
        let d = place.minus(&self.sides[0].point(moving));
        let turn = Rotation3::from_matrix_unchecked(frame_a.transpose() * frame_b);
        Deformation {
            stretch: frame_a.transpose() * d.value,
            stretch_rate: frame_a.transpose() * (d.rate - omega_a.cross(&d.value)),
            turn: UnitQuaternion::from_rotation_matrix(&turn),
            turning: frame_b.transpose() * (omega_b - omega_a),
            frames: [frame_a, frame_b],
            place: place.value,
        }
    }
}

impl Pushing for Bushing {
    fn pushes(&self, _: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        let Deformation { stretch, stretch_rate, turn, turning, frames, place } = self.deformation(moving);
        let force = -self.stiffness.component_mul(&stretch) - self.damping.component_mul(&stretch_rate);
        let force = frames[0] * force;
        let v = turn.imag();
        let wound = self.torsional_stiffness.component_mul(&v);
        let torque =
            -2.0 * (turn.w * wound + wound.cross(&v)) - self.torsional_damping.component_mul(&turning);
        let torque = frames[1] * torque;
        [(&self.sides[0], -1.0), (&self.sides[1], 1.0)]
            .into_iter()
            .filter_map(|(side, sign)| {
                let body = side.body?;
                let (force, torque) = (sign * force, sign * torque);
                let to_body = lam(moving[body].attitude).transpose();
                let at_point = (place - side.point(moving).value).cross(&force) + torque;
                let modal = side.modal_of(force, at_point, moving);
                let arm = place - moving[body].position;
                let torque = to_body * (arm.cross(&force) + torque);
                Some(Push { body, force, torque, modal })
            })
            .collect()
    }

    fn energy(&self, motions: &[Motion]) -> f64 {
        let Deformation { stretch, turn, .. } = self.deformation(motions);
        let v = turn.imag();
        0.5 * stretch.dot(&self.stiffness.component_mul(&stretch))
            + 2.0 * v.dot(&self.torsional_stiffness.component_mul(&v))
    }
}
