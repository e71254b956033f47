//! Who gives a quantity of the start.

use super::mechanism::Mechanism;

/// Who gives a quantity of the start, by position in the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Giver {
    Body(usize),
    Joint(usize),
}

impl Giver {
    /// With its kind, for people.
    pub fn name(self, mechanism: &Mechanism) -> String {
        match self {
            Giver::Body(b) => format!("body `{}`", mechanism.bodies[b].name),
            Giver::Joint(k) => format!("joint `{}`", mechanism.joints[k].name),
        }
    }
}
