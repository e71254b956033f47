//! Joints as rows of a constraint Jacobian (W84 table 6.1), built from three kinds of row and the rod's.
//!
//! With `P` the joint's points, `d = P_B - P_A`, `a` and `b` unit vectors fixed in A and B, all in space axes:
//!
//! ```text
//! coincidence    Phi = e.(P_A - P_B), e = e1, e2, e3          in-plane   Phi = a.d
//! perpendicular  Phi = a.b                                    distance   Phi = (d.d - L^2) / (2 L)
//! ```
//!
//! Each is differentiated twice by hand.

use crate::describe::{Coordinate, JointKind};
use crate::kinematics::body::Motion;
use crate::kinematics::row::{JacobianBlock, Row};
use crate::kinematics::side::{Of, Placed, Side};
use crate::math::functions::{atan2, nearest_turn};
use crate::math::vector::{Vec3, dot, scale, scale_add, sub};
use crate::real::Real;

/// The vectors of a frame.
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// A joint of an instance.
#[derive(Clone, Debug)]
pub struct Joint<R> {
    pub kind: JointKind,
    pub sides: [Side<R>; 2],
    /// (m)
    pub length: R,
}

impl<R: Real> Joint<R> {
    /// Number of rows.
    pub fn rows(kind: JointKind) -> usize {
        match kind {
            JointKind::Spherical | JointKind::Planar => 3,
            JointKind::Universal | JointKind::Cylindrical => 4,
            JointKind::Revolute | JointKind::Translational => 5,
            JointKind::Slot => 2,
            JointKind::PlanarPoint | JointKind::Distance => 1,
            JointKind::Fixed => 6,
        }
    }

    /// A coordinate as a row: its violation is the coordinate's value (rad or m), its rate the coordinate's. Of all turns of an
    /// angle the one nearest to `near` is taken, without which it is in (-pi, pi].
    ///
    /// ```text
    /// angle  theta = atan2(yA.xB, xA.xB),  thetadot = zB'.wB - zA'.wA  (z' in body axes: constant)
    /// ```
    ///
    /// On a flexible body, whose frame bends, the derivatives are those of the angle as it stands.
    pub fn coordinate(&self, which: Coordinate, motions: &[Motion<R>], near: Option<R>) -> Row<R> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        if which == Coordinate::Displacement {
            return in_plane(&a, Z, &b);
        }
        let toward = b.axis(X);
        let raw = atan2(dot(a.axis(Y), toward), dot(a.axis(X), toward));
        let about = |side: &Side<R>, z: Vec3<R>| {
            side.body.map(|body| JacobianBlock { body, v: None, w: z, modal: Vec::new() })
        };
        let parts = [
            about(&self.sides[0], self.sides[0].frame[Z].map(|z| -z)),
            about(&self.sides[1], self.sides[1].frame[Z]),
        ];
        let angle = near.map_or(raw, |near| nearest_turn(raw, near));
        if self.sides.iter().any(|side| side.bends.is_some()) {
            return turn(&perpendicular(&a, Y, &b, X), &perpendicular(&a, X, &b, X), angle, motions);
        }
        Row::new(parts.into_iter().flatten(), angle, raw.lift(0.0))
    }

    /// Its rows, with the bodies where `motions` has them.
    pub fn evaluate(&self, motions: &[Motion<R>]) -> Vec<Row<R>> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let aligned = |rows: &mut Vec<Row<R>>| {
            rows.push(perpendicular(&a, X, &b, Z));
            rows.push(perpendicular(&a, Y, &b, Z));
        };
        let mut rows = Vec::new();
        match self.kind {
            JointKind::Spherical => rows.extend(coincidence(&a, &b)),
            JointKind::Universal => {
                rows.extend(coincidence(&a, &b));
                rows.push(perpendicular(&a, Z, &b, Z));
            }
            JointKind::Revolute => {
                rows.extend(coincidence(&a, &b));
                aligned(&mut rows);
            }
            JointKind::Slot => rows.extend([in_plane(&a, X, &b), in_plane(&a, Y, &b)]),
            JointKind::Cylindrical => {
                rows.extend([in_plane(&a, X, &b), in_plane(&a, Y, &b)]);
                aligned(&mut rows);
            }
            JointKind::Translational => {
                rows.extend([in_plane(&a, X, &b), in_plane(&a, Y, &b)]);
                aligned(&mut rows);
                rows.push(perpendicular(&a, X, &b, Y));
            }
            JointKind::PlanarPoint => rows.push(in_plane(&a, Z, &b)),
            JointKind::Planar => {
                rows.push(in_plane(&a, Z, &b));
                aligned(&mut rows);
            }
            JointKind::Fixed => {
                rows.extend(coincidence(&a, &b));
                aligned(&mut rows);
                rows.push(perpendicular(&a, X, &b, Y));
            }
            JointKind::Distance => rows.push(distance(&a, &b, self.length)),
        }
        rows
    }
}

/// `Phi = e.(P_A - P_B)` for the three axes of space.
fn coincidence<R: Real>(a: &Placed<'_, R>, b: &Placed<'_, R>) -> [Row<R>; 3] {
    let violation = sub(a.point, b.point);
    let bias = sub(a.centripetal(Of::Arm), b.centripetal(Of::Arm));
    std::array::from_fn(|k| {
        let unit = |x: f64| {
            let mut e = a.zero();
            e[k] = e[k].lift(x);
            e
        };
        let parts = [a.part(Some(unit(1.0)), None), b.part(Some(unit(-1.0)), None)];
        Row::new(parts.into_iter().flatten(), violation[k], bias[k])
    })
}

/// The angle whose sine and cosine are `r` times these rows' violations:
///
/// ```text
/// rate  (c s' - s c') / r²        bias  (c s'' - s c'' - 2 rate (s s' + c c')) / r²,   r² = s² + c²
/// ```
fn turn<R: Real>(sine: &Row<R>, cosine: &Row<R>, angle: R, motions: &[Motion<R>]) -> Row<R> {
    let (s, c) = (sine.violation, cosine.violation);
    let square = s.mul_add(s, c * c);
    let (along, across) = (c / square, -s / square);
    let parts = sine.parts.iter().zip(&cosine.parts).map(|(of_sine, of_cosine)| JacobianBlock {
        body: of_sine.body,
        v: None,
        w: scale_add(across, of_cosine.w, scale(along, of_sine.w)),
        modal: of_sine
            .modal
            .iter()
            .zip(&of_cosine.modal)
            .map(|(s, c)| across.mul_add(*c, along * *s))
            .collect(),
    });
    let (rate_s, rate_c) = (sine.rate(motions), cosine.rate(motions));
    let rate = across.mul_add(rate_c, along * rate_s);
    let grown = c.mul_add(rate_c, s * rate_s) / square;
    let second = across.mul_add(cosine.bias, along * sine.bias);
    let bias = (rate * rate.lift(2.0)).neg_mul_add(grown, second);
    Row::new(parts, angle, bias)
}

/// `Phi = a.d`, `a` the vector `axis` of A's frame:
///
/// ```text
/// Phidot  = a.(Pdot_B - Pdot_A) + d.Lam_A (w_A x a')
/// bias    = a.(centripetal_B - centripetal_A) + d.Lam_A (w_A x (w_A x a')) + 2 (Pdot_B - Pdot_A).Lam_A (w_A x a')
/// ```
fn in_plane<R: Real>(a: &Placed<'_, R>, axis: usize, b: &Placed<'_, R>) -> Row<R> {
    let d = sub(b.point, a.point);
    let normal = a.axis(axis);
    let minus = normal.map(|x| -x);
    let parts = [a.part(Some(minus), Some((d, axis))), b.part(Some(normal), None)];
    let curved = sub(b.centripetal(Of::Arm), a.centripetal(Of::Arm));
    let relative = sub(b.velocity(), a.velocity());
    let two = d[0].lift(2.0);
    let bias = dot(normal, curved)
        + dot(d, a.centripetal(Of::Axis(axis)))
        + two * dot(relative, a.turning(Of::Axis(axis)));
    Row::new(parts.into_iter().flatten(), dot(normal, d), bias)
}

/// `Phi = a.b`, vectors of the two frames:
///
/// ```text
/// Phidot = b.Lam_A (w_A x a') + a.Lam_B (w_B x b')
/// bias   = b.Lam_A (w_A x (w_A x a')) + a.Lam_B (w_B x (w_B x b')) + 2 Lam_A (w_A x a') . Lam_B (w_B x b')
/// ```
fn perpendicular<R: Real>(a: &Placed<'_, R>, axis_a: usize, b: &Placed<'_, R>, axis_b: usize) -> Row<R> {
    let (of_a, of_b) = (a.axis(axis_a), b.axis(axis_b));
    let parts = [a.part(None, Some((of_b, axis_a))), b.part(None, Some((of_a, axis_b)))];
    let two = of_a[0].lift(2.0);
    let bias = dot(of_b, a.centripetal(Of::Axis(axis_a)))
        + dot(of_a, b.centripetal(Of::Axis(axis_b)))
        + two * dot(a.turning(Of::Axis(axis_a)), b.turning(Of::Axis(axis_b)));
    Row::new(parts.into_iter().flatten(), dot(of_a, of_b), bias)
}

/// `Phi = (d.d - L^2)/(2 L)`:
///
/// ```text
/// Phidot = d.(Pdot_B - Pdot_A) / L
/// bias   = (d.(centripetal_B - centripetal_A) + |Pdot_B - Pdot_A|^2) / L
/// ```
fn distance<R: Real>(a: &Placed<'_, R>, b: &Placed<'_, R>, length: R) -> Row<R> {
    let d = sub(b.point, a.point);
    let inverse = length.lift(1.0) / length;
    let along = scale(inverse, d);
    let parts = [a.part(Some(along.map(|x| -x)), None), b.part(Some(along), None)];
    let relative = sub(b.velocity(), a.velocity());
    let curved = sub(b.centripetal(Of::Arm), a.centripetal(Of::Arm));
    let half = length.lift(0.5);
    let violation = half * (dot(along, d) - length);
    Row::new(parts.into_iter().flatten(), violation, inverse * (dot(d, curved) + dot(relative, relative)))
}
