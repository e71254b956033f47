//! Rod without mass: the points keep their distance.

use super::rows::Sides;
use crate::describe::Drawn;
use crate::describe::JointCard;
use crate::describe::joint::AxisKey;
use crate::kinematics::row::Row;
use crate::real::Real;

pub static DISTANCE: JointCard = JointCard {
    axis: AxisKey::Refused,
    length: Some("use kind = \"spherical\", or points that lie apart"),
    drawn: Drawn::Line,
    ..JointCard::new("distance", &["distance"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    vec![sides.distance()]
}
