//! Cylindrical joint: B stays on the line through A along zA, zA and zB are parallel.

use super::rows::Sides;
use crate::describe::JointCard;
use crate::describe::joint::{Alignment, Coordinate};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static CYLINDRICAL: JointCard = JointCard {
    coordinates: &[Coordinate::Angle, Coordinate::Displacement],
    alignment: Alignment::Parallel,
    holds_attitude: true,
    ..JointCard::new("cylindrical", &["position along x_A", "position along y_A", "x_A.z_B", "y_A.z_B"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    let mut rows = Vec::from(sides.on_line());
    rows.extend(sides.parallel());
    rows
}
