//! B stays in the plane through A with normal zA, and turns freely.

use super::rows::{Sides, Z};
use crate::describe::JointCard;
use crate::kinematics::row::Row;
use crate::real::Real;

pub static PLANAR_POINT: JointCard =
    JointCard { doc: "B in the plane through A", ..JointCard::new("planar_point", &["position along z_A"]) };

pub fn rows<R: Real>(sides: &Sides<'_, R>) -> Vec<Row<R>> {
    vec![sides.in_plane(Z)]
}
