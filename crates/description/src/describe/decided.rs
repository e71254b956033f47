//! Parts of a mechanism that numbers decide which are expressions of constants.

use super::vary::Quantity;

/// A number that is an expression of constants, or an element that stands as its bodies do at the
/// start.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedNumber {
    /// Its key in the file, such as `body[0].mass`.
    pub key: String,
    /// The constants that it depends on, by position, directly or by others.
    pub constants: Vec<usize>,
    /// All that it decides.
    pub decides: Vec<Decided>,
}

/// A part of a mechanism that a number decides.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// A quantity of this body that ensembles can vary, or a component of it, as of a
    /// [`Target`](super::Target).
    Quantity(usize, Quantity, Option<usize>),
    /// Where a side of an element is, or how its frame stands.
    Side(ElementSide),
    /// A part that is the same in all instances, in words.
    Common(String),
}

/// The point or the frame of a side of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementSide {
    pub element: Sided,
    /// Which of its sides.
    pub side: usize,
    /// Whether it is the side's frame; else its point.
    pub is_frame: bool,
}

/// An element that has sides, by its position among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sided {
    Joint(usize),
    Force(usize),
    BeamElement(usize),
    Contact(usize),
    Generator(usize),
    Load(usize),
    /// A point with a name.
    Point(usize),
}
