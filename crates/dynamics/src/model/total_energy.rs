//! The energy of a mechanism: of its bodies, forces and deformations.

use super::constraint_set::ConstraintSet;
use crate::describe::EnergyPart;
use crate::elements::sensing::EnergyOf;
use crate::elements::{Configuration, ForceLaw};
use crate::kinematics::body::{Energy, ModalCoordinates, Motion};
use crate::kinematics::deformation::Deformation;
use crate::real::Real;

/// The terms of a mechanism's energy.
pub struct TotalEnergy<R> {
    pub bodies: Vec<Energy<R>>,
    pub elements: Vec<Box<dyn ForceLaw<R>>>,
    pub held: ConstraintSet<R>,
    /// By body; of a rigid one `None`.
    pub deformations: Vec<Option<Deformation<R>>>,
}

impl<R: Real> EnergyOf<R> for TotalEnergy<R> {
    fn part(&self, part: EnergyPart, motions: &[Motion<R>]) -> R {
        match part {
            EnergyPart::Total => self.kinetic(motions) + self.potential(motions),
            EnergyPart::Kinetic => self.kinetic(motions),
            EnergyPart::Potential => self.potential(motions),
        }
    }
}

impl<R: Real> TotalEnergy<R> {
    /// (J)
    pub fn kinetic(&self, motions: &[Motion<R>]) -> R {
        let bodies = self.bodies.iter().zip(&self.deformations).zip(motions);
        let bodies = bodies.map(|((body, deformation), motion)| match deformation {
            None => body.kinetic(motion),
            Some(deformation) => {
                let ModalCoordinates { amplitudes, rates } = &motion.modal;
                body.of_centre(motion) + deformation.kinetic(motion.w, amplitudes, rates)
            }
        });
        let configuration = Configuration { at: motions, moving: motions, joints: &self.held };
        sum(bodies.chain(self.elements.iter().filter_map(|element| element.kinetic(&configuration))))
    }

    /// Energy of deformation (J), by body that deforms.
    pub fn strain<'a>(&'a self, motions: &'a [Motion<R>]) -> impl Iterator<Item = R> + 'a {
        let bodies = self.deformations.iter().zip(motions);
        bodies
            .filter_map(|(deformation, motion)| Some(deformation.as_ref()?.strain(&motion.modal.amplitudes)))
    }

    /// Potential energy (J): of gravity, of springs and of deformation.
    pub fn potential(&self, motions: &[Motion<R>]) -> R {
        let bodies = self.bodies.iter().zip(motions).map(|(body, motion)| body.potential(motion));
        let configuration = Configuration { at: motions, moving: motions, joints: &self.held };
        let elements = self.elements.iter().filter_map(|element| element.energy(&configuration));
        sum(bodies.chain(elements).chain(self.strain(motions)))
    }

    /// Energy less `start` (J).
    pub fn change(&self, motions: &[Motion<R>], start: R) -> R {
        self.kinetic(motions) - start + self.potential(motions)
    }
}

/// The sum of at least one term.
#[inline]
pub(super) fn sum<R: Real>(terms: impl Iterator<Item = R>) -> R {
    terms.reduce(|sum, term| sum + term).expect("a mechanism has a body")
}
