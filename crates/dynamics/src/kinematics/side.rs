//! One side of a joint, spring or contact: a point and a frame on a body, or on the ground, and how
//! they move.
//!
//! For a vector `s` of a body (principal axes), which on a flexible body is `s0 + sum e_k s_k` with
//! the modal coordinates e:
//!
//! ```text
//! (Lam s)' = Lam (w x s + s'),   (Lam s)'' = Lam (w' x s + sum e_k'' s_k + w x (w x s) + 2 w x s')
//! P = r + Lam s,   s_k = phi_k for a point,   theta_k x s0 for a direction
//! ```
//!
//! Directions of joints bend so, as in W84; they are orthonormal to first order. What an elastic
//! element is fixed to must be so exactly, or it would feel strains where there are none. Its frame
//! is turned by the orthogonal matrix C (Cayley's) of the same first order, and has an angular
//! velocity of its own; by the power of a torque T (body axes) on that, T works with each mode:
//!
//! ```text
//! Lam C,  C = (I - u~)^-1 (I + u~),  u = 1/2 sum e_k theta_k,
//! as a quaternion (1, u)/sqrt(1 + u.u)
//! omega = Lam (w + 2 (u' + u x u')/(1 + u.u)),   Q_k = theta_k.(T + T x u)/(1 + u.u)
//! ```

use super::body::{Motion, Wrench};
use super::deformation::FlexibleVector;
use super::row::JacobianBlock;
use crate::math::quaternion::{Quat, times_vector_add, to_body, to_space, unit};
use crate::math::vector::{Vec3, add, cross, cross_add, dot, scale, scale_add};
use crate::real::Real;

/// One side of a joint or spring.
#[derive(Clone, Debug)]
pub struct Side<R> {
    /// `None`: the ground.
    pub body: Option<usize>,
    /// The point, from the mass centre (or the fixed point) in principal axes; of the ground in
    /// space axes (m).
    pub arm: Vec3<R>,
    /// Where the arm begins if the body does not move: a fixed point, the ground's origin; space
    /// axes (m).
    pub origin: Vec3<R>,
    /// The frame's x, y, z in the same axes as the arm.
    pub frame: [Vec3<R>; 3],
    /// The mass centre moves: there is no fixed point, and it is not the ground.
    pub moves: bool,
    /// On a flexible body: how arm and frame bend.
    pub bends: Option<SideFlexibility<R>>,
}

/// Bending of a side's arm and frame with the modes of its body.
#[derive(Clone, Debug)]
pub struct SideFlexibility<R> {
    /// phi.
    pub arm: FlexibleVector<R>,
    /// theta x axis, of x, y, z.
    pub frame: [FlexibleVector<R>; 3],
    /// theta.
    pub turn: FlexibleVector<R>,
}

impl<R: Real> SideFlexibility<R> {
    /// u of modal coordinates, u' of their rates.
    fn half_turn(&self, e: &[R]) -> Vec3<R> {
        scale(e[0].lift(0.5), self.turn.alone(e))
    }
}

/// A vector of a side: its point, or an axis of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideVector {
    Arm,
    Axis(usize),
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
    /// The side where the bodies are now.
    pub fn placed<'a>(&'a self, motions: &'a [Motion<R>]) -> Placed<'a, R> {
        let motion = self.body.map(|body| &motions[body]);
        let arm = motion.map_or(self.arm, |m| to_space(m.q, self.own(SideVector::Arm, m)));
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

    /// Adds what a force (N, space axes) at the point does to the body.
    pub fn push(&self, motions: &[Motion<R>], force: Vec3<R>, wrenches: &mut [Wrench<R>]) {
        let Some(body) = self.body else { return };
        let own = to_body(motions[body].q, force);
        let arm = self.own(SideVector::Arm, &motions[body]);
        let wrench = &mut wrenches[body];
        wrench.force = add(wrench.force, force);
        match &self.bends {
            None => wrench.torque = add(wrench.torque, cross(arm, own)),
            // Product by product: see `cross_add`.
            Some(bends) => {
                wrench.torque = cross_add(arm, own, wrench.torque);
                wrench.modal = bends.arm.work_upon(own, &wrench.modal);
            }
        }
    }

    /// A vector as it is undeformed.
    fn rigid(&self, vector: SideVector) -> Vec3<R> {
        match vector {
            SideVector::Arm => self.arm,
            SideVector::Axis(k) => self.frame[k],
        }
    }

    fn bent(&self, vector: SideVector) -> Option<&FlexibleVector<R>> {
        let bends = self.bends.as_ref()?;
        Some(match vector {
            SideVector::Arm => &bends.arm,
            SideVector::Axis(k) => &bends.frame[k],
        })
    }

    /// A vector in the body's axes.
    fn own(&self, vector: SideVector, m: &Motion<R>) -> Vec3<R> {
        self.bent(vector)
            .map_or(self.rigid(vector), |bent| bent.upon(self.rigid(vector), &m.modal.amplitudes))
    }
}

impl<R: Real> Placed<'_, R> {
    pub fn zero(&self) -> Vec3<R> {
        [self.arm[0].lift(0.0); 3]
    }

    /// A vector of the frame, space axes.
    pub fn axis(&self, k: usize) -> Vec3<R> {
        self.motion.map_or(self.side.frame[k], |m| to_space(m.q, self.side.own(SideVector::Axis(k), m)))
    }

    /// Attitude of what is fixed to the body at the point; `None`: the ground's.
    pub fn attitude(&self) -> Option<Quat<R>> {
        let m = self.motion?;
        Some(match &self.side.bends {
            None => m.q,
            Some(bends) => unit(times_vector_add(m.q, bends.half_turn(&m.modal.amplitudes), m.q)),
        })
    }

    /// The vectors of the frame that is fixed so, space axes.
    pub fn fixed_frame(&self) -> [Vec3<R>; 3] {
        self.attitude().map_or(self.side.frame, |q| self.side.frame.map(|axis| to_space(q, axis)))
    }

    /// Angular velocity of what is fixed so, space axes (rad/s).
    pub fn spin(&self) -> Vec3<R> {
        let Some(m) = self.motion else { return self.zero() };
        let Some(bends) = &self.side.bends else { return to_space(m.q, m.w) };
        let (u, rate) = (bends.half_turn(&m.modal.amplitudes), bends.half_turn(&m.modal.rates));
        to_space(m.q, scale_add(after(u) * u[0].lift(2.0), cross_add(u, rate, rate), m.w))
    }

    /// Adds what a force and a torque (N, N m, space axes) on what is fixed so do to the body. The
    /// force acts at the point, or `beyond` it (m, space axes).
    pub fn load(&self, force: Vec3<R>, beyond: Option<Vec3<R>>, torque: Vec3<R>, wrenches: &mut [Wrench<R>]) {
        let Some(body) = self.side.body else { return };
        self.load_upon(force, beyond, torque, &mut wrenches[body]);
    }

    /// The part of a row whose force on the body is that.
    pub fn part_of_load(
        &self,
        force: Vec3<R>,
        beyond: Option<Vec3<R>>,
        torque: Vec3<R>,
    ) -> Option<JacobianBlock<R>> {
        let body = self.side.body?;
        let zero = self.zero();
        let modes = self.side.bends.as_ref().map_or(0, |bends| bends.arm.columns.len());
        let mut wrench = Wrench { force: zero, torque: zero, modal: vec![zero[0]; modes] };
        self.load_upon(force, beyond, torque, &mut wrench);
        let v = self.side.moves.then_some(wrench.force);
        Some(JacobianBlock { body, v, w: wrench.torque, modal: wrench.modal })
    }

    fn load_upon(&self, force: Vec3<R>, beyond: Option<Vec3<R>>, torque: Vec3<R>, wrench: &mut Wrench<R>) {
        let Some(m) = self.motion else { return };
        let arm = beyond.map_or(self.arm, |beyond| add(self.arm, beyond));
        wrench.torque = add(wrench.torque, to_body(m.q, add(cross(arm, force), torque)));
        if self.side.moves {
            wrench.force = add(wrench.force, force);
        }
        let Some(bends) = &self.side.bends else { return };
        let torque = beyond.map_or(torque, |beyond| cross_add(beyond, force, torque));
        let own = to_body(m.q, torque);
        let u = bends.half_turn(&m.modal.amplitudes);
        let twisting = scale(after(u), cross_add(own, u, own));
        wrench.modal = bends.arm.work_upon(to_body(m.q, force), &wrench.modal);
        wrench.modal = bends.turn.work_upon(twisting, &wrench.modal);
    }

    pub fn velocity(&self) -> Vec3<R> {
        match self.motion {
            None => self.zero(),
            Some(m) => {
                let turning = self.turning(SideVector::Arm);
                if self.side.moves { add(m.v, turning) } else { turning }
            }
        }
    }

    /// `Lam (w x (w x s) + 2 w x s')` for a vector `s` of the side.
    pub fn centripetal(&self, vector: SideVector) -> Vec3<R> {
        let Some(m) = self.motion else { return self.zero() };
        let s = self.side.own(vector, m);
        let turning = match self.side.bent(vector) {
            None => cross(m.w, s),
            Some(bent) => scale_add(s[0].lift(2.0), bent.alone(&m.modal.rates), cross(m.w, s)),
        };
        to_space(m.q, cross(m.w, turning))
    }

    /// `Lam (w x s + s')`
    pub fn turning(&self, vector: SideVector) -> Vec3<R> {
        let Some(m) = self.motion else { return self.zero() };
        let turning = cross(m.w, self.side.own(vector, m));
        to_space(
            m.q,
            match self.side.bent(vector) {
                None => turning,
                Some(bent) => bent.upon(turning, &m.modal.rates),
            },
        )
    }

    /// The part of a row whose rate contains `e . Pdot`, and `c . (Lam s)'` for an axis `s` of the
    /// frame.
    pub fn part(&self, e: Option<Vec3<R>>, c: Option<(Vec3<R>, usize)>) -> Option<JacobianBlock<R>> {
        let body = self.side.body?;
        let m = self.motion?;
        let mut w = self.zero();
        let modes = self.side.bends.as_ref().map_or(0, |bends| bends.arm.columns.len());
        let mut modal = vec![w[0]; modes];
        let mut put = |work: Vec<R>| {
            for (sum, more) in modal.iter_mut().zip(work) {
                *sum = *sum + more;
            }
        };
        // e . Lam (w x s) = (s x Lam^T e) . w
        if let Some(e) = e {
            let own = to_body(m.q, e);
            w = cross(self.side.own(SideVector::Arm, m), own);
            self.side.bent(SideVector::Arm).into_iter().for_each(|bent| put(bent.work(own)));
        }
        if let Some((c, axis)) = c {
            let own = to_body(m.q, c);
            w = add(w, cross(self.side.own(SideVector::Axis(axis), m), own));
            self.side.bent(SideVector::Axis(axis)).into_iter().for_each(|bent| put(bent.work(own)));
        }
        Some(JacobianBlock { body, v: e.filter(|_| self.side.moves), w, modal })
    }
}

/// `1/(1 + u.u)`
fn after<R: Real>(u: Vec3<R>) -> R {
    let one = u[0].lift(1.0);
    one / (one + dot(u, u))
}
