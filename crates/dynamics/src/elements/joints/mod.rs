//! Joints, one file each: the card of a kind and its constraint rows (W84 table 6.1, and the rod).
//!
//! Rows are written once, over [`Real`], of the pieces in `rows.rs`. Keys of files, JSON Schema,
//! reader, writer, placement and drawings come from the card. To add a kind: write its file, add
//! its two lines here, and add the line of its twin to `crates/reference/src/joint.rs` for it to be
//! judged by (`docs/adding-an-element.md`).

mod cylindrical;
mod distance;
mod fixed;
mod planar;
mod planar_point;
mod revolute;
pub mod rows;
mod slot;
mod spherical;
mod translational;
mod universal;

use crate::describe::JointCard;
use crate::kinematics::row::Row;
use crate::real::Real;

/// The constraint rows of a kind of joint.
pub type RowsOf<R> = fn(&rows::Sides<'_, R>) -> Vec<Row<R>>;

macro_rules! registry {
    ($($file:ident::$card:ident),* $(,)?) => {
        $(pub use $file::$card;)*

        /// The cards of all joints, in the order in which they are listed.
        pub static CARDS: &[&JointCard] = &[$(&$card),*];

        /// The rows of this kind.
        ///
        /// # Panics
        /// There is no such kind.
        pub fn rows_of<R: Real>(card: &JointCard) -> RowsOf<R> {
            $(if *card == $card {
                return $file::rows;
            })*
            panic!("there is no joint of the kind {}", card.name)
        }
    };
}

registry! {
    spherical::SPHERICAL,
    universal::UNIVERSAL,
    revolute::REVOLUTE,
    slot::SLOT,
    cylindrical::CYLINDRICAL,
    translational::TRANSLATIONAL,
    planar_point::PLANAR_POINT,
    planar::PLANAR,
    fixed::FIXED,
    distance::DISTANCE,
}

#[cfg(test)]
mod tests {
    use super::CARDS;

    /// Cards are compared by their names.
    #[test]
    fn no_two_joints_have_the_same_name() {
        for (k, card) in CARDS.iter().enumerate() {
            assert!(!CARDS[..k].contains(card), "{card:?}");
        }
    }
}
