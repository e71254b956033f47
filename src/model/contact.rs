//! Bodies that touch the ground: a rolling sphere, a knife edge, a point on a curve.
//!
//! ```text
//! rolling     Phi = n.(P - plane) - a ;   x.Pdot - a (omega.y) = 0 ;   y.Pdot + a (omega.x) = 0     frame x, y, n
//! knife edge  Lam b . Pdot = 0                    curve  Phi = P_y - f(P_x)
//! ```
//!
//! P is the sphere's centre, `Pdot - a omega x n` the velocity of the point that touches (PC87 7, whose `xdot = a w1` must
//! read `xdot = a w2`). Rows without Phi hold the rate alone: they are not integrable.

use crate::describe::ContactKind;
use crate::kinematics::body::Motion;
use crate::kinematics::function::jet;
use crate::kinematics::row::Row;
use crate::kinematics::side::{Of, Placed, Side};
use crate::math::quaternion::to_body;
use crate::math::vector::{Vec3, add, dot, scale, sub};
use crate::real::Real;

/// A contact of an instance.
#[derive(Clone, Debug)]
pub struct Contact<R> {
    /// Of a knife edge, the frame's x is its direction.
    pub side: Side<R>,
    pub kind: ContactKind,
}

impl<R: Real> Contact<R> {
    /// Its rows.
    pub fn evaluate(&self, motions: &[Motion<R>], constants: &[R]) -> Vec<Row<R>> {
        let placed = self.side.placed(motions);
        let curved = placed.centripetal(Of::Arm);
        let lift = |v: [f64; 3]| v.map(|x| curved[0].lift(x));
        match &self.kind {
            ContactKind::Rolling { radius, plane, frame } => {
                let [x, y, n] = frame.map(lift);
                let a = curved[0].lift(*radius);
                let height = dot(n, sub(placed.point, lift(*plane))) - a;
                let slip = |along: Vec3<R>, about: Vec3<R>| {
                    let part = placed.part(Some(along), None).map(|mut part| {
                        part.w = add(part.w, turned(&placed, scale(a, about)));
                        part
                    });
                    Row::of_rate(part, dot(along, curved))
                };
                vec![
                    Row::new(placed.part(Some(n), None), height, dot(n, curved)),
                    slip(x, y.map(|y| -y)),
                    slip(y, x),
                ]
            }
            ContactKind::KnifeEdge { .. } => {
                let across = placed.axis(0);
                let velocity = placed.velocity();
                let bias = dot(across, curved) + dot(placed.turning(Of::Axis(0)), velocity);
                vec![Row::of_rate(placed.part(Some(across), None), bias)]
            }
            ContactKind::Curve { y } => {
                let [f, slope, bend] = jet(y, placed.point[0], constants);
                let one = f.lift(1.0);
                let across = [-slope, one, one.lift(0.0)];
                let along = placed.velocity()[0];
                let bias = dot(across, curved) - bend * (along * along);
                vec![Row::new(placed.part(Some(across), None), placed.point[1] - f, bias)]
            }
        }
    }

    /// Number of rows.
    pub fn rows(kind: &ContactKind) -> usize {
        match kind {
            ContactKind::Rolling { .. } => 3,
            ContactKind::KnifeEdge { .. } | ContactKind::Curve { .. } => 1,
        }
    }
}

/// A vector of space in principal axes.
fn turned<R: Real>(placed: &Placed<'_, R>, v: Vec3<R>) -> Vec3<R> {
    placed.motion.map_or(v, |m| to_body(m.q, v))
}
