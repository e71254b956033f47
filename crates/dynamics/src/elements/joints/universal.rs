//! Universal joint: the points coincide, zA and zB are perpendicular.

use super::rows::{Sides, Z};
use crate::describe::JointCard;
use crate::describe::joint::{Alignment, Coordinate, Places};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static UNIVERSAL: JointCard = JointCard {
    coordinates: &[Coordinate::AngleA, Coordinate::AngleB],
    alignment: Alignment::Perpendicular,
    places: Places::ByPoints,
    ..JointCard::new("universal", &["position e1", "position e2", "position e3", "z_A.z_B"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    let mut rows = Vec::from(sides.coincidence());
    rows.push(sides.perpendicular(Z, Z));
    rows
}
