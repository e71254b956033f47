//! Groups of bodies whose momenta channels tell.

/// Some of the bodies, none of which deforms.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyGroup {
    pub name: String,
    /// Positions in [`Mechanism::bodies`](super::Mechanism::bodies), each once, at least one.
    pub bodies: Vec<usize>,
}
