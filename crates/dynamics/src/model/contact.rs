//! Contacts of an instance: their rows, as the file of the kind under `elements/contacts/` has
//! them.

use crate::describe::Contact;
use crate::elements::contacts::{Touches, touching};
use crate::kinematics::body::Motion;
use crate::kinematics::row::Row;
use crate::kinematics::side::Side;
use crate::math::vector::{Vec3, scale_add};
use crate::real::Real;

/// A contact of an instance.
pub struct ContactRows<R> {
    side: Side<R>,
    touches: Box<dyn Touches<R>>,
    /// Number of its rows.
    rows: usize,
}

impl<R: Real> ContactRows<R> {
    /// `side` is the point that touches; the [directions](Contact::directions) fixed
    /// in the body are its frame.
    pub fn new(contact: &Contact, side: Side<R>) -> ContactRows<R> {
        ContactRows { side, touches: touching(contact), rows: contact.kind.rows }
    }

    /// Its rows, with the bodies where `motions` has them.
    pub fn evaluate(&self, motions: &[Motion<R>], constants: &[R]) -> Vec<Row<R>> {
        self.touches.rows(&self.side.placed(motions), constants)
    }

    /// Number of its rows.
    pub fn count(&self) -> usize {
        self.rows
    }

    /// Force on the body (N, space axes) with the multipliers of its rows: `-B_v^T lam`.
    pub fn force(&self, multipliers: &[R], motions: &[Motion<R>], constants: &[R]) -> Vec3<R> {
        // The velocity of a fixed point is no unknown; the force there is wanted all the same.
        let (mut side, mut motions) = (self.side.clone(), motions.to_vec());
        if let Some(body) = side.body.filter(|_| !side.moves) {
            (motions[body].r, side.moves) = (side.origin, true);
        }
        let rows = self.touches.rows(&side.placed(&motions), constants);
        let mut force = [multipliers[0].lift(0.0); 3];
        for (row, multiplier) in rows.iter().zip(multipliers) {
            for v in row.parts.iter().filter_map(|part| part.v) {
                force = scale_add(-*multiplier, v, force);
            }
        }
        force
    }
}
