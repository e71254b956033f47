//! Contacts of an instance: their rows, as the file of the kind under `src/elements/contacts/` has them.

use crate::describe::Contact;
use crate::elements::contacts::{Touches, touching};
use crate::kinematics::body::Motion;
use crate::kinematics::row::Row;
use crate::kinematics::side::Side;
use crate::real::Real;

/// A contact of an instance.
pub struct ContactRows<R> {
    side: Side<R>,
    touches: Box<dyn Touches<R>>,
}

impl<R: Real> ContactRows<R> {
    /// `side` is the point that touches; the [directions](Contact::directions) fixed in the body are its frame.
    pub fn new(contact: &Contact, side: Side<R>) -> ContactRows<R> {
        ContactRows { side, touches: touching(contact) }
    }

    /// Its rows, with the bodies where `motions` has them.
    pub fn evaluate(&self, motions: &[Motion<R>], constants: &[R]) -> Vec<Row<R>> {
        self.touches.rows(&self.side.placed(motions), constants)
    }
}
