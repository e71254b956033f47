//! The rows of which joints are made, each differentiated twice by hand.
//!
//! With `P` the joint's points, `d = P_B - P_A`, `a` and `b` unit vectors fixed in A and B, all in
//! space axes:
//!
//! ```text
//! coincidence    Phi = e.(P_A - P_B), e = e1, e2, e3          in-plane   Phi = a.d
//! perpendicular  Phi = a.b                                    distance   Phi = (d.d - L^2) / (2 L)
//! ```

use crate::kinematics::body::Motion;
use crate::kinematics::row::Row;
use crate::kinematics::side::{Placed, Side, SideVector};
use crate::math::vector::{dot, scale, sub};
use crate::real::Real;

/// The vectors of a frame.
pub const X: usize = 0;
pub const Y: usize = 1;
pub const Z: usize = 2;

/// The two sides of a joint at one instant.
pub struct Sides<'a, R> {
    pub a: Placed<'a, R>,
    pub b: Placed<'a, R>,
    /// L of a joint that keeps its points at a distance (m).
    pub length: R,
}

impl<'a, R: Real> Sides<'a, R> {
    /// Sides A and B, with the bodies where `motions` has them.
    pub fn new([a, b]: &'a [Side<R>; 2], length: R, motions: &'a [Motion<R>]) -> Sides<'a, R> {
        Sides { a: a.placed(motions), b: b.placed(motions), length }
    }

    /// The points coincide.
    pub fn coincidence(&self) -> [Row<R>; 3] {
        coincidence(&self.a, &self.b)
    }

    /// B stays in the plane through A across this axis of A.
    pub fn in_plane(&self, axis: usize) -> Row<R> {
        in_plane(&self.a, axis, &self.b)
    }

    /// B stays on the line through A along zA.
    pub fn on_line(&self) -> [Row<R>; 2] {
        [self.in_plane(X), self.in_plane(Y)]
    }

    /// These axes of A and B are perpendicular.
    pub fn perpendicular(&self, of_a: usize, of_b: usize) -> Row<R> {
        perpendicular(&self.a, of_a, &self.b, of_b)
    }

    /// zA and zB are parallel.
    pub fn parallel(&self) -> [Row<R>; 2] {
        [self.perpendicular(X, Z), self.perpendicular(Y, Z)]
    }

    /// Where zA and zB are parallel, B does not turn about them.
    pub fn unturned(&self) -> Row<R> {
        self.perpendicular(X, Y)
    }

    /// The points keep their distance.
    pub fn distance(&self) -> Row<R> {
        distance(&self.a, &self.b, self.length)
    }
}

/// `Phi = e.(P_A - P_B)` for the three axes of space.
fn coincidence<R: Real>(a: &Placed<'_, R>, b: &Placed<'_, R>) -> [Row<R>; 3] {
    let violation = sub(a.point, b.point);
    let bias = sub(a.centripetal(SideVector::Arm), b.centripetal(SideVector::Arm));
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

/// `Phi = a.d`, `a` the vector `axis` of A's frame:
///
/// ```text
/// Phidot  = a.(Pdot_B - Pdot_A) + d.Lam_A (w_A x a')
/// bias    = a.(centripetal_B - centripetal_A) + d.Lam_A (w_A x (w_A x a'))
///           + 2 (Pdot_B - Pdot_A).Lam_A (w_A x a')
/// ```
pub fn in_plane<R: Real>(a: &Placed<'_, R>, axis: usize, b: &Placed<'_, R>) -> Row<R> {
    let d = sub(b.point, a.point);
    let normal = a.axis(axis);
    let minus = normal.map(|x| -x);
    let parts = [a.part(Some(minus), Some((d, axis))), b.part(Some(normal), None)];
    let curved = sub(b.centripetal(SideVector::Arm), a.centripetal(SideVector::Arm));
    let relative = sub(b.velocity(), a.velocity());
    let two = d[0].lift(2.0);
    let bias = dot(normal, curved)
        + dot(d, a.centripetal(SideVector::Axis(axis)))
        + two * dot(relative, a.turning(SideVector::Axis(axis)));
    Row::new(parts.into_iter().flatten(), dot(normal, d), bias)
}

/// `Phi = a.b`, vectors of the two frames:
///
/// ```text
/// Phidot = b.Lam_A (w_A x a') + a.Lam_B (w_B x b')
/// bias   = b.Lam_A (w_A x (w_A x a')) + a.Lam_B (w_B x (w_B x b'))
///          + 2 Lam_A (w_A x a') . Lam_B (w_B x b')
/// ```
pub fn perpendicular<R: Real>(a: &Placed<'_, R>, axis_a: usize, b: &Placed<'_, R>, axis_b: usize) -> Row<R> {
    let (of_a, of_b) = (a.axis(axis_a), b.axis(axis_b));
    let parts = [a.part(None, Some((of_b, axis_a))), b.part(None, Some((of_a, axis_b)))];
    let two = of_a[0].lift(2.0);
    let bias = dot(of_b, a.centripetal(SideVector::Axis(axis_a)))
        + dot(of_a, b.centripetal(SideVector::Axis(axis_b)))
        + two * dot(a.turning(SideVector::Axis(axis_a)), b.turning(SideVector::Axis(axis_b)));
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
    let curved = sub(b.centripetal(SideVector::Arm), a.centripetal(SideVector::Arm));
    let half = length.lift(0.5);
    let violation = half * (dot(along, d) - length);
    Row::new(parts.into_iter().flatten(), violation, inverse * (dot(d, curved) + dot(relative, relative)))
}
