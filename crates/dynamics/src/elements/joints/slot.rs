//! Slot: B stays on the line through A along zA, and turns freely.

use super::rows::Sides;
use crate::describe::JointCard;
use crate::describe::joint::Coordinate;
use crate::kinematics::row::Row;
use crate::real::Real;

pub static SLOT: JointCard = JointCard {
    doc: "point B on the line through A",
    coordinates: &[Coordinate::Displacement],
    ..JointCard::new("slot", &["position along x_A", "position along y_A"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    sides.on_line().into()
}
