//! Joints as rows of a constraint Jacobian (W84 table 6.1), built from three kinds of row and the rod's.
//!
//! With `P` the joint's points, `d = P_B - P_A`, `a` and `b` unit vectors fixed in A and B, all in space axes:
//!
//! ```text
//! coincidence    Phi = e.(P_A - P_B), e = e1, e2, e3          in-plane   Phi = a.d
//! perpendicular  Phi = a.b                                    distance   Phi = (d.d - L^2) / (2 L)
//! ```
//!
//! Each is differentiated twice: `B u` is its rate, `B udot + Bdot u` its acceleration, with `u` the velocities `v` (space
//! axes) of the mass centres and `w` (principal axes). For a point at `s` (principal axes) from the mass centre,
//! `Pdot = v + Lam (w x s)` and `Pddot = vdot + Lam (wdot x s + w x (w x s))`.

use super::body::{Motion, Wrench};
use crate::describe::JointKind;
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, add, cross, dot, scale, scale_add, sub, times};
use crate::real::Real;

/// One side of a joint or spring.
#[derive(Clone, Debug)]
pub struct Side<R> {
    /// `None`: the ground.
    pub body: Option<usize>,
    /// The point, from the mass centre (or the fixed point) in principal axes; of the ground in space axes (m).
    pub arm: Vec3<R>,
    /// Where the arm begins if the body does not move: a fixed point, the ground's origin; space axes (m).
    pub origin: Vec3<R>,
    /// The frame's x, y, z in the same axes as the arm.
    pub frame: [Vec3<R>; 3],
    /// The mass centre moves: there is no fixed point, and it is not the ground.
    pub moves: bool,
}

/// A joint of an instance.
#[derive(Clone, Debug)]
pub struct Joint<R> {
    pub kind: JointKind,
    pub sides: [Side<R>; 2],
    /// (m)
    pub length: R,
}

/// How a row sees one body: `Jv . v + Jw . w`.
#[derive(Clone, Debug)]
pub struct Part<R> {
    pub body: usize,
    /// Space axes; `None` for a body with a fixed point.
    pub v: Option<Vec3<R>>,
    /// Principal axes.
    pub w: Vec3<R>,
}

/// One scalar constraint at one instant.
#[derive(Clone, Debug)]
pub struct Row<R> {
    pub parts: Vec<Part<R>>,
    /// `Phi` (m, or 1).
    pub violation: R,
    /// `Bdot u` (m/s², or 1/s²).
    pub bias: R,
}

/// A side at one instant: everything in space axes.
struct Placed<'a, R> {
    side: &'a Side<R>,
    motion: Option<&'a Motion<R>>,
    /// The arm, turned.
    arm: Vec3<R>,
    point: Vec3<R>,
}

impl<R: Real> Side<R> {
    fn placed<'a>(&'a self, motions: &'a [Motion<R>]) -> Placed<'a, R> {
        let motion = self.body.map(|body| &motions[body]);
        let arm = motion.map_or(self.arm, |m| to_space(m.q, self.arm));
        let start = match motion {
            Some(m) if self.moves => m.r,
            _ => self.origin,
        };
        Placed { side: self, motion, arm, point: add(start, arm) }
    }

    /// The point's position and velocity, space axes (m, m/s).
    pub fn point(&self, motions: &[Motion<R>]) -> (Vec3<R>, Vec3<R>) {
        let placed = self.placed(motions);
        (placed.point, placed.velocity())
    }

    /// What a force (N, space axes) at the point does to the body; `None`: it is the ground's.
    pub fn wrench(&self, motions: &[Motion<R>], force: Vec3<R>) -> Option<(usize, Wrench<R>)> {
        let body = self.body?;
        Some((body, Wrench { force, torque: cross(self.arm, to_body(motions[body].q, force)) }))
    }
}

impl<R: Real> Placed<'_, R> {
    fn zero(&self) -> Vec3<R> {
        [self.arm[0].lift(0.0); 3]
    }

    /// A vector of the frame, space axes.
    fn axis(&self, k: usize) -> Vec3<R> {
        let axis = self.side.frame[k];
        self.motion.map_or(axis, |m| to_space(m.q, axis))
    }

    fn velocity(&self) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => {
                let turning = to_space(m.q, cross(m.w, self.side.arm));
                if self.side.moves { add(m.v, turning) } else { turning }
            }
        }
    }

    /// `Lam (w x (w x s))` for a vector `s` fixed in the body, principal axes.
    fn centripetal(&self, s: Vec3<R>) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => to_space(m.q, cross(m.w, cross(m.w, s))),
        }
    }

    /// `Lam (w x s)`
    fn turning(&self, s: Vec3<R>) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => to_space(m.q, cross(m.w, s)),
        }
    }

    /// The part of a row whose rate contains `e . Pdot`, and `c . Lam (w x s)` for a vector `s` of the frame.
    fn part(&self, e: Option<Vec3<R>>, c: Option<(Vec3<R>, Vec3<R>)>) -> Option<Part<R>> {
        let body = self.side.body?;
        let m = self.motion?;
        let mut w = self.zero();
        // e . Lam (w x s) = (s x Lam^T e) . w
        if let Some(e) = e {
            w = cross(self.side.arm, to_body(m.q, e));
        }
        if let Some((c, s)) = c {
            w = add(w, cross(s, to_body(m.q, c)));
        }
        Some(Part { body, v: e.filter(|_| self.side.moves), w })
    }
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

    /// Its rows, with the bodies where `motions` has them.
    pub fn evaluate(&self, motions: &[Motion<R>]) -> Vec<Row<R>> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        const X: usize = 0;
        const Y: usize = 1;
        const Z: usize = 2;
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
    let bias = sub(a.centripetal(a.side.arm), b.centripetal(b.side.arm));
    std::array::from_fn(|k| {
        let unit = |x: f64| {
            let mut e = a.zero();
            e[k] = e[k].lift(x);
            e
        };
        let parts = [a.part(Some(unit(1.0)), None), b.part(Some(unit(-1.0)), None)];
        Row { parts: parts.into_iter().flatten().collect(), violation: violation[k], bias: bias[k] }
    })
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
    let own = a.side.frame[axis];
    let minus = normal.map(|x| -x);
    let parts = [a.part(Some(minus), Some((d, own))), b.part(Some(normal), None)];
    let curved = sub(b.centripetal(b.side.arm), a.centripetal(a.side.arm));
    let relative = sub(b.velocity(), a.velocity());
    let two = d[0].lift(2.0);
    let bias = dot(normal, curved) + dot(d, a.centripetal(own)) + two * dot(relative, a.turning(own));
    Row { parts: parts.into_iter().flatten().collect(), violation: dot(normal, d), bias }
}

/// `Phi = a.b`, vectors of the two frames:
///
/// ```text
/// Phidot = b.Lam_A (w_A x a') + a.Lam_B (w_B x b')
/// bias   = b.Lam_A (w_A x (w_A x a')) + a.Lam_B (w_B x (w_B x b')) + 2 Lam_A (w_A x a') . Lam_B (w_B x b')
/// ```
fn perpendicular<R: Real>(a: &Placed<'_, R>, axis_a: usize, b: &Placed<'_, R>, axis_b: usize) -> Row<R> {
    let (of_a, of_b) = (a.axis(axis_a), b.axis(axis_b));
    let (own_a, own_b) = (a.side.frame[axis_a], b.side.frame[axis_b]);
    let parts = [a.part(None, Some((of_b, own_a))), b.part(None, Some((of_a, own_b)))];
    let two = of_a[0].lift(2.0);
    let bias = dot(of_b, a.centripetal(own_a))
        + dot(of_a, b.centripetal(own_b))
        + two * dot(a.turning(own_a), b.turning(own_b));
    Row { parts: parts.into_iter().flatten().collect(), violation: dot(of_a, of_b), bias }
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
    let curved = sub(b.centripetal(b.side.arm), a.centripetal(a.side.arm));
    let half = length.lift(0.5);
    Row {
        parts: parts.into_iter().flatten().collect(),
        violation: half * (dot(along, d) - length),
        bias: inverse * (dot(d, curved) + dot(relative, relative)),
    }
}

impl<R: Real> Row<R> {
    /// `B u`
    pub fn rate(&self, motions: &[Motion<R>]) -> R {
        self.sum(|part| dot(part.w, motions[part.body].w), |v, part| dot(v, motions[part.body].v))
    }

    /// `B a` for accelerations by body: `(wdot, vdot)`.
    pub fn acceleration(&self, of: &[(Vec3<R>, Vec3<R>)]) -> R {
        self.sum(|part| dot(part.w, of[part.body].0), |v, part| dot(v, of[part.body].1))
    }

    /// `B M^-1 B^T` of two rows: `mobility[body]` is `(J^-1, 1/m)`.
    pub fn coupling(&self, other: &Row<R>, mobility: &[(Vec3<R>, R)]) -> Option<R> {
        let mut sum: Option<R> = None;
        for part in &self.parts {
            let Some(twin) = other.parts.iter().find(|twin| twin.body == part.body) else { continue };
            let (inverse_inertia, inverse_mass) = mobility[part.body];
            let mut term = dot(part.w, times(inverse_inertia, twin.w));
            if let (Some(v), Some(twin)) = (part.v, twin.v) {
                term = inverse_mass.mul_add(dot(v, twin), term);
            }
            sum = Some(sum.map_or(term, |sum| sum + term));
        }
        sum
    }

    /// Adds `-B^T lam` to the wrenches by body.
    pub fn react(&self, multiplier: R, wrenches: &mut [Wrench<R>]) {
        for part in &self.parts {
            let wrench = &mut wrenches[part.body];
            wrench.torque = scale_add(-multiplier, part.w, wrench.torque);
            if let Some(v) = part.v {
                wrench.force = scale_add(-multiplier, v, wrench.force);
            }
        }
    }

    fn sum(&self, of_w: impl Fn(&Part<R>) -> R, of_v: impl Fn(Vec3<R>, &Part<R>) -> R) -> R {
        let mut sum: Option<R> = None;
        for part in &self.parts {
            let mut term = of_w(part);
            if let Some(v) = part.v {
                term = of_v(v, part) + term;
            }
            sum = Some(sum.map_or(term, |sum| sum + term));
        }
        // A row between the ground and nothing is refused by the reader.
        sum.unwrap_or(self.violation.lift(0.0))
    }
}
