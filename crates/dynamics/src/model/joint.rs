//! Joints of an instance: their rows, as the file of the kind under `elements/joints/` has them,
//! and their coordinates.

use crate::describe::{Coordinate, JointCard};
use crate::elements::joints::rows::{Sides, X, Y, Z, in_plane, perpendicular};
use crate::elements::joints::{RowsOf, rows_of};
use crate::kinematics::body::Motion;
use crate::kinematics::row::{JacobianBlock, Row};
use crate::kinematics::side::Side;
use crate::math::functions::{atan2, greatest, nearest_turn};
use crate::math::vector::{Vec3, dot, scale, scale_add};
use crate::real::Real;

/// A joint of an instance.
#[derive(Clone, Debug)]
pub struct JointRows<R> {
    rows: RowsOf<R>,
    count: usize,
    pub sides: [Side<R>; 2],
    /// (m)
    length: R,
}

impl<R: Real> JointRows<R> {
    /// `length` is that of a joint which keeps its points at a distance (m).
    pub fn new(kind: &JointCard, sides: [Side<R>; 2], length: R) -> JointRows<R> {
        JointRows { rows: rows_of(kind), count: kind.rows.len(), sides, length }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A coordinate as a row, as [`Coordinate`] defines it: its violation is the coordinate's value
    /// (rad or m), its rate the coordinate's. Of all turns of an angle the one nearest to `near` is
    /// taken, without which it is in (-pi, pi].
    ///
    /// ```text
    /// angle  theta = atan2(yA.xB, xA.xB),  thetadot = zB'.wB - zA'.wA  (z' in body axes: constant)
    /// ```
    ///
    /// On a flexible body, whose frame bends, the derivatives are those of the angle as it stands.
    pub fn coordinate(&self, which: Coordinate, motions: &[Motion<R>], near: Option<R>) -> Row<R> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let across = |of_a: usize, of_b: usize| perpendicular(&a, of_a, &b, of_b);
        let turned = |sine: Row<R>, cosine: Row<R>| {
            let raw = atan2(sine.violation, cosine.violation);
            turn(&sine, &cosine, near.map_or(raw, |near| nearest_turn(raw, near)), motions)
        };
        match which {
            Coordinate::Displacement => return in_plane(&a, Z, &b),
            Coordinate::AngleA => return turned(across(Y, Z), across(X, Z)),
            Coordinate::AngleB => return turned(opposite(across(Z, Y)), across(Z, X)),
            Coordinate::AngleX => return turned(opposite(across(Y, Z)), across(Z, Z)),
            Coordinate::AngleY => return quarter(across(X, Z), motions),
            Coordinate::AngleZ => return turned(opposite(across(X, Y)), across(X, X)),
            Coordinate::Angle => {}
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
        (self.rows)(&Sides::new(&self.sides, self.length, motions))
    }
}

/// This row with the other sign.
fn opposite<R: Real>(row: Row<R>) -> Row<R> {
    let minus = row.violation.lift(-1.0);
    let parts = row.parts.into_iter().map(|part| part.scaled(minus));
    Row::new(parts, -row.violation, -row.bias)
}

/// The angle within a quarter turn whose sine is this row's violation s, c = sqrt(1 - s²):
///
/// ```text
/// rate  s'/c        bias  s''/c + s s'²/c³
/// ```
fn quarter<R: Real>(sine: Row<R>, motions: &[Motion<R>]) -> Row<R> {
    let s = sine.violation;
    let (zero, one) = (s.lift(0.0), s.lift(1.0));
    let cosine = greatest(zero, s.neg_mul_add(s, one)).sqrt();
    let inverse = one / cosine;
    let rate = inverse * sine.rate(motions);
    let bias = inverse * (rate * rate).mul_add(s, sine.bias);
    Row::new(sine.parts.into_iter().map(|part| part.scaled(inverse)), atan2(s, cosine), bias)
}

/// The angle whose sine and cosine are `r` times these rows' violations:
///
/// ```text
/// rate  (c s' - s c') / r²       bias  (c s'' - s c'' - 2 rate (s s' + c c')) / r²,   r² = s² + c²
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
