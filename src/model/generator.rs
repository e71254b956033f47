//! Prescribed motions as rows: a joint's coordinate, a point's position or its velocity follows a function of time.
//!
//! ```text
//! coordinate  Phi = s - f(t)        position  Phi = e.P - f(t)        velocity  e.Pdot - f(t) = 0, the rate alone
//! ```

use super::joint::JointRows;
use crate::describe::{Expression, JointCoordinate};
use crate::kinematics::body::Motion;
use crate::kinematics::function::jet;
use crate::kinematics::row::Row;
use crate::kinematics::side::{Of, Side};
use crate::math::vector::dot;
use crate::real::Real;

/// A generator of an instance.
#[derive(Clone, Debug)]
pub enum Generator<R> {
    Coordinate { of: JointCoordinate, value: Expression },
    Position { side: Side<R>, value: [Option<Expression>; 3] },
    Velocity { side: Side<R>, value: [Option<Expression>; 3] },
}

impl<R: Real> Generator<R> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Generator::Coordinate { .. } => 1,
            Generator::Position { value, .. } | Generator::Velocity { value, .. } => {
                value.iter().flatten().count()
            }
        }
    }

    /// Its rows at time t (s). `angles`: by joint, near which its angle is taken.
    pub fn evaluate(
        &self,
        joints: &[JointRows<R>],
        motions: &[Motion<R>],
        angles: &[Option<R>],
        t: R,
        constants: &[R],
    ) -> Vec<Row<R>> {
        match self {
            Generator::Coordinate { of, value } => {
                let row = joints[of.joint].coordinate(of.coordinate, motions, angles[of.joint]);
                vec![row.driven(jet(value, t, constants))]
            }
            Generator::Position { side, value } => {
                rows(side, value, motions, |row, f| row.driven(jet(f, t, constants)))
            }
            Generator::Velocity { side, value } => rows(side, value, motions, |row, f| {
                let [value, rate, _] = jet(f, t, constants);
                Row { own_rate: Some(-value), ..Row::of_rate(row.parts, row.bias - rate) }
            }),
        }
    }
}

/// The rows `e.P` of the components that are given, each made into what is held.
fn rows<R: Real>(
    side: &Side<R>,
    value: &[Option<Expression>; 3],
    motions: &[Motion<R>],
    held: impl Fn(Row<R>, &Expression) -> Row<R>,
) -> Vec<Row<R>> {
    let placed = side.placed(motions);
    let curved = placed.centripetal(Of::Arm);
    let of = |(k, f): (usize, &Option<Expression>)| {
        let f = f.as_ref()?;
        let mut e = placed.zero();
        e[k] = e[k].lift(1.0);
        Some(held(Row::new(placed.part(Some(e), None), dot(e, placed.point), curved[k]), f))
    };
    value.iter().enumerate().filter_map(of).collect()
}
