//! Planar joint: B stays in the plane through A with normal zA, zA and zB are parallel.

use super::rows::{Sides, Z};
use crate::describe::JointCard;
use crate::describe::joint::{Alignment, Coordinate, Places};
use crate::kinematics::row::Row;
use crate::real::Real;

pub static PLANAR: JointCard = JointCard {
    coordinates: &[Coordinate::Angle],
    alignment: Alignment::Parallel,
    holds_attitude: true,
    places: Places::Never("a planar joint places no body: two displacements of it have no coordinate"),
    ..JointCard::new("planar", &["position along z_A", "x_A.z_B", "y_A.z_B"])
};

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    let mut rows = vec![sides.in_plane(Z)];
    rows.extend(sides.parallel());
    rows
}
