//! A frame that is attached to a particle and turns with it (W84 chapter III), made of modes in any
//! other frame.
//!
//! The rigid part at the particle a is taken away from each shape, so that the particle neither
//! moves nor turns:
//!
//! ```text
//! psi_k(x) = phi_k(x) - phi_k(a) - theta_k(a) x (x - a)       theta_k(x) = theta_k(x) - theta_k(a)
//! ```
//!
//! Strain does not see it: K stays. s and alpha do not vanish any more, and the body's origin is
//! the particle.

use nalgebra::{Matrix3, Vector3};

use super::{Constants, Local, Modal, ModalError, Particle};

/// Largest share of the mass centre's motion and of the rotation of a mode that the particle of
/// given constants may take part in.
const AT_REST: f64 = 1e-9;

/// The particle, and what the source's shapes do there.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// As the source counts (m).
    pub at: Vector3<f64>,
    shapes: Vec<Vector3<f64>>,
    turns: Vec<Vector3<f64>>,
}

impl Attachment {
    /// The shapes at a place (as the source counts) in the attached frame, from those of the
    /// source.
    pub fn relative(&self, place: Vector3<f64>, of_source: Local) -> Local {
        let arm = place - self.at;
        let parts = of_source.shapes.iter().zip(self.shapes.iter().zip(&self.turns));
        Local {
            shapes: parts.map(|(phi, (shift, turn))| phi - shift - turn.cross(&arm)).collect(),
            turns: of_source.turns.map(|turns| turns.iter().zip(&self.turns).map(|(a, b)| a - b).collect()),
        }
    }
}

impl Modal {
    /// Returns the body with its frame attached to the particle at `at` (m), counted as the source
    /// does: the body's origin is there.
    ///
    /// # Errors
    /// There is no such particle, it is not known how it turns, the modes are motions of a rigid
    /// body, or constants are given of another frame.
    pub fn attached(&self, at: [f64; 3]) -> Result<Modal, ModalError> {
        let local = self.local(at)?;
        let Some(turns) = local.turns else {
            return Err(ModalError::NoTurns);
        };
        let attachment = Attachment { at: Vector3::from(at), shapes: local.shapes, turns };
        let constants = if self.particles.is_empty() {
            self.constants_given(&attachment)?
        } else {
            self.constants_of_particles(&attachment)?
        };
        constants.check_free()?;
        Ok(Modal { constants, attachment: Some(attachment), ..self.clone() })
    }

    fn constants_of_particles(&self, attachment: &Attachment) -> Result<Constants, ModalError> {
        let moved = |particle: &Particle| {
            let source = Local { shapes: particle.shapes.clone(), turns: Some(particle.turns.clone()) };
            let Local { shapes, turns } = attachment.relative(particle.at, source);
            Particle {
                at: particle.at - attachment.at,
                shapes,
                turns: turns.unwrap_or_default(),
                ..particle.clone()
            }
        };
        let particles: Vec<Particle> = self.particles.iter().map(moved).collect();
        let mut constants = Constants::of(&particles, self.constants.stiffness.clone())?;
        // Slopes count from the attached frame.
        for (i, row) in constants.j2.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let share = |(particle, tension): (&Particle, &f64)| {
                    let across = |k: usize| particle.turns[k].yz();
                    tension * across(i).dot(&across(j))
                };
                let stiffening: f64 = particles.iter().zip(&self.tensions).map(share).sum();
                *entry -= Matrix3::from_diagonal(&Vector3::new(0.0, stiffening, stiffening));
            }
        }
        Ok(constants)
    }

    /// Those of a body that is given by its constants are those of the attached frame already.
    fn constants_given(&self, attachment: &Attachment) -> Result<Constants, ModalError> {
        let c = &self.constants;
        for k in 0..self.modes() {
            let size = c.modal_mass[(k, k)].sqrt();
            let (moves, turns) = (attachment.shapes[k].norm(), attachment.turns[k].norm());
            if moves * c.mass.sqrt() > AT_REST * size || turns * c.inertia.trace().sqrt() > AT_REST * size {
                return Err(ModalError::MovesTheFrame { mode: k + 1 });
            }
        }
        Ok(Constants { centre: c.centre - attachment.at, ..c.clone() })
    }
}
