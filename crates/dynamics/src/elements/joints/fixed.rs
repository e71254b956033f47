//! Fixed joint: the points coincide, and the frames.

use super::rows::Sides;
use crate::describe::JointCard;
use crate::describe::joint::{Alignment, AxisKey, Places};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static FIXED: JointCard = JointCard {
    axis: AxisKey::Optional,
    alignment: Alignment::AsBodiesStand,
    holds_attitude: true,
    places: Places::ByPoints,
    ..JointCard::new("fixed", &["position e1", "position e2", "position e3", "x_A.z_B", "y_A.z_B", "x_A.y_B"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    let mut rows = Vec::from(sides.coincidence());
    rows.extend(sides.parallel());
    rows.push(sides.unturned());
    rows
}
