//! A spring and damper between two frames in all six directions, along the axes of frame A.
//!
//! With F the frames, on a flexible body those that are [fixed to it](Placed::attitude), `d = F_A^T (P_B - P_A)`,
//! `q = (q0, v)` the quaternion from F_A to F_B:
//!
//! ```text
//! force on B  f = -K d - C ddot   (axes of A; A takes -f where P_B is)
//! torque on B  -2 (q0 Kt v + (Kt v) x v) - Ct (w_B - w_A)   (axes of F_B; A takes the opposite)
//! V = 1/2 d.K d + 2 v.Kt v
//! ```

use super::body::{Motion, Wrench};
use super::damping::Damper;
use super::side::{Placed, Side};
use crate::math::vector::{Vec3, add, cross, dot, scale, sub, times};
use crate::real::Real;

/// A bushing of an instance.
#[derive(Clone, Debug)]
pub struct Bushing<R> {
    pub sides: [Side<R>; 2],
    /// (N/m)
    pub stiffness: Vec3<R>,
    /// (N s/m)
    pub damping: Vec3<R>,
    /// (N m/rad)
    pub torsional_stiffness: Vec3<R>,
    /// (N m s/rad)
    pub torsional_damping: Vec3<R>,
    /// Whether it damps in any instance.
    pub damped: bool,
}

/// Where the two frames are, as far as positions say.
struct Between<R> {
    /// Frame vectors of A and B, space axes.
    frames: [[Vec3<R>; 3]; 2],
    /// `P_B - P_A`, space axes (m).
    apart: Vec3<R>,
    /// `d` (m)
    d: Vec3<R>,
    q0: R,
    v: Vec3<R>,
}

impl<R: Real> Bushing<R> {
    fn between(&self, motions: &[Motion<R>]) -> Between<R> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let frames = [&a, &b].map(Placed::fixed_frame);
        let apart = sub(b.point, a.point);
        let [x, y, z] = frames[0];
        let d = [dot(x, apart), dot(y, apart), dot(z, apart)];
        // R = F_A^T F_B; q0 = 1/2 sqrt(1 + tr R), v = (R32 - R23, R13 - R31, R21 - R12) / (4 q0). Half a turn is out of reach
        // of what a bushing is for.
        let r = |i: usize, j: usize| dot(frames[0][i], frames[1][j]);
        let one = apart[0].lift(1.0);
        let q0 = ((one + r(0, 0)) + (r(1, 1) + r(2, 2))).sqrt() * one.lift(0.5);
        let quarter = one.lift(0.25) / q0;
        let v = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
        Between { frames, apart, d, q0, v: scale(quarter, v) }
    }

    /// Adds what it does to the bodies, with positions and velocities of `seen`.
    pub fn act(&self, seen: &[Motion<R>], wrenches: &mut [Wrench<R>]) {
        let Between { frames, apart, d, q0, v } = self.between(seen);
        let [a, b] = [self.sides[0].placed(seen), self.sides[1].placed(seen)];
        let (wa, wb) = (a.spin(), b.spin());
        // The rate of d in the frame of A.
        let relative = sub(sub(b.velocity(), a.velocity()), cross(wa, apart));
        let rate = frames[0].map(|axis| dot(axis, relative));
        let f = add(times(self.stiffness, d), times(self.damping, rate)).map(|x| -x);
        let force = combination(frames[0], f);
        let stretched = times(self.torsional_stiffness, v);
        let elastic = scale(d[0].lift(2.0), add(scale(q0, stretched), cross(stretched, v)));
        let turning = frames[1].map(|axis| dot(axis, sub(wb, wa)));
        let torque = add(elastic, times(self.torsional_damping, turning)).map(|x| -x);
        let torque = combination(frames[1], torque);
        let minus = |v: Vec3<R>| v.map(|x| -x);
        // Both forces act where P_B is.
        b.load(force, None, torque, wrenches);
        a.load(minus(force), Some(apart), minus(torque), wrenches);
    }

    /// Its dampers: along the axes of A, and about those of B.
    pub fn dampers(&self, motions: &[Motion<R>]) -> Vec<Damper<R>> {
        let Between { frames, apart, .. } = self.between(motions);
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let none = [apart[0].lift(0.0); 3];
        let minus = |v: Vec3<R>| v.map(|x| -x);
        let along = (0..3).map(|k| {
            let force = frames[0][k];
            let parts = [b.part_of_load(force, None, none), a.part_of_load(minus(force), Some(apart), none)];
            Damper::new(parts.into_iter().flatten(), self.damping[k])
        });
        let about = (0..3).map(|k| {
            let torque = frames[1][k];
            let parts = [b.part_of_load(none, None, torque), a.part_of_load(none, None, minus(torque))];
            Damper::new(parts.into_iter().flatten(), self.torsional_damping[k])
        });
        along.chain(about).collect()
    }

    /// Potential energy (J).
    pub fn energy(&self, motions: &[Motion<R>]) -> R {
        let Between { d, v, .. } = self.between(motions);
        let half = d[0].lift(0.5);
        let two = d[0].lift(2.0);
        half * dot(times(self.stiffness, d), d) + two * dot(times(self.torsional_stiffness, v), v)
    }
}

/// The vector with these components along three others.
fn combination<R: Real>(axes: [Vec3<R>; 3], c: Vec3<R>) -> Vec3<R> {
    add(add(scale(c[0], axes[0]), scale(c[1], axes[1])), scale(c[2], axes[2]))
}
