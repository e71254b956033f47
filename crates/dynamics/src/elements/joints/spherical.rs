//! Ball joint: the points coincide, and the bodies turn freely.

use super::rows::Sides;
use crate::describe::JointCard;
use crate::describe::joint::{AxisKey, Coordinate, Places};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static SPHERICAL: JointCard = JointCard {
    coordinates: &[Coordinate::AngleX, Coordinate::AngleY, Coordinate::AngleZ],
    axis: AxisKey::OfTurns,
    places: Places::ByPoints,
    ..JointCard::new("spherical", &["position e1", "position e2", "position e3"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    sides.coincidence().into()
}
