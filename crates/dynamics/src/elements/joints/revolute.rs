//! Hinge: the points coincide, zA and zB are parallel.

use super::rows::Sides;
use crate::describe::JointCard;
use crate::describe::joint::{Alignment, Coordinate};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static REVOLUTE: JointCard = JointCard {
    coordinates: &[Coordinate::Angle],
    alignment: Alignment::Parallel,
    holds_attitude: true,
    ..JointCard::new("revolute", &["position e1", "position e2", "position e3", "x_A.z_B", "y_A.z_B"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    let mut rows = Vec::from(sides.coincidence());
    rows.extend(sides.parallel());
    rows
}
