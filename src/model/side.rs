//! One side of a joint, spring or contact: a point and a frame on a body, or on the ground, and how they move.
//!
//! For a point at `s` (principal axes) from the mass centre: `Pdot = v + Lam (w x s)` and
//! `Pddot = vdot + Lam (wdot x s + w x (w x s))`.

use super::body::{Motion, Wrench};
use super::row::Part;
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, add, cross};
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

/// A side at one instant: everything in space axes.
pub struct Placed<'a, R> {
    pub side: &'a Side<R>,
    pub motion: Option<&'a Motion<R>>,
    /// The arm, turned.
    pub arm: Vec3<R>,
    pub point: Vec3<R>,
}

impl<R: Real> Side<R> {
    pub fn placed<'a>(&'a self, motions: &'a [Motion<R>]) -> Placed<'a, R> {
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
    pub fn zero(&self) -> Vec3<R> {
        [self.arm[0].lift(0.0); 3]
    }

    /// A vector of the frame, space axes.
    pub fn axis(&self, k: usize) -> Vec3<R> {
        let axis = self.side.frame[k];
        self.motion.map_or(axis, |m| to_space(m.q, axis))
    }

    pub fn velocity(&self) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => {
                let turning = to_space(m.q, cross(m.w, self.side.arm));
                if self.side.moves { add(m.v, turning) } else { turning }
            }
        }
    }

    /// `Lam (w x (w x s))` for a vector `s` fixed in the body, principal axes.
    pub fn centripetal(&self, s: Vec3<R>) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => to_space(m.q, cross(m.w, cross(m.w, s))),
        }
    }

    /// `Lam (w x s)`
    pub fn turning(&self, s: Vec3<R>) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => to_space(m.q, cross(m.w, s)),
        }
    }

    /// The part of a row whose rate contains `e . Pdot`, and `c . Lam (w x s)` for a vector `s` of the frame.
    pub fn part(&self, e: Option<Vec3<R>>, c: Option<(Vec3<R>, Vec3<R>)>) -> Option<Part<R>> {
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
