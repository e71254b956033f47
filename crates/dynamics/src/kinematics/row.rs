//! One scalar constraint at one instant: what joints, generators, contacts and locks demand.
//!
//! `B u` is its rate, `B udot + Bdot u` its acceleration, with `u` the velocities `v` (space axes)
//! of the mass centres and `w` (principal axes).

use super::body::{Motion, Velocities, Wrench, scale_add_all};
use super::deformation::Yielding;
use crate::math::vector::{Vec3, dot, scale_add, times};
use crate::real::Real;

/// The part of a row for one body: `Jv . v + Jw . w`, and of a flexible one the rates of its modal
/// coordinates.
#[derive(Clone, Debug)]
pub struct JacobianBlock<R> {
    pub body: usize,
    /// Space axes; `None` for a body with a fixed point.
    pub v: Option<Vec3<R>>,
    /// Principal axes.
    pub w: Vec3<R>,
    /// By mode.
    pub modal: Vec<R>,
}

/// Mobility of a body, `M^-1`.
#[derive(Clone, Debug)]
pub struct Mobility<R> {
    /// `J^-1` of a rigid body.
    pub inertia: Vec3<R>,
    /// `1/m`; of a body with a fixed point 0 where that counts.
    pub mass: R,
    /// Mobility of a flexible body, in place of `inertia`.
    pub yielding: Option<Yielding<R>>,
    /// Modal coordinates of this rigid body are states of laws and momenta of rotors, of unit mass.
    /// Otherwise they are those of modes that stay as they are.
    pub carries: bool,
}

/// One scalar constraint at one instant.
#[derive(Clone, Debug)]
pub struct Row<R> {
    /// Its derivatives by the velocities of each body.
    pub parts: Vec<JacobianBlock<R>>,
    /// `Phi` (m, or 1).
    pub violation: R,
    /// `Bdot u`, and second derivatives of what is prescribed (m/s², or 1/s²).
    pub bias: R,
    /// Part of the rate besides `B u`, where it is prescribed; `None`: nothing.
    pub own_rate: Option<R>,
    /// Only the rate is held: `violation` is zero.
    pub rate_alone: bool,
    /// 1 or 0 for a lock: whether it holds. Its parts and numbers are zero while it does not.
    pub active: Option<R>,
}

impl<R: Real> Row<R> {
    /// A row of positions.
    pub fn new(parts: impl IntoIterator<Item = JacobianBlock<R>>, violation: R, bias: R) -> Row<R> {
        let parts = parts.into_iter().collect();
        Row { parts, violation, bias, own_rate: None, rate_alone: false, active: None }
    }

    /// A row of velocities, whose rate is to be zero.
    pub fn of_rate(parts: impl IntoIterator<Item = JacobianBlock<R>>, bias: R) -> Row<R> {
        Row { rate_alone: true, ..Row::new(parts, bias.lift(0.0), bias) }
    }

    /// Returns the row of `Phi - f`, `f` a function of time given with its first and second
    /// derivatives.
    pub fn driven(self, f: [R; 3]) -> Row<R> {
        let [value, rate, second] = f;
        Row { violation: self.violation - value, own_rate: Some(-rate), bias: self.bias - second, ..self }
    }

    /// The row of `Phi - f(x)`, x the violation of another row, f given with its first and second
    /// derivatives by x.
    pub fn following(self, other: Row<R>, f: [R; 3], motions: &[Motion<R>]) -> Row<R> {
        let [value, slope, bend] = f;
        let rate = other.rate(motions);
        let bias = bend.neg_mul_add(rate * rate, slope.neg_mul_add(other.bias, self.bias));
        let mut parts = self.parts;
        for part in other.parts.into_iter().map(|part| part.scaled(-slope)) {
            match parts.iter_mut().find(|own| own.body == part.body) {
                // Both coordinates are of this body.
                Some(own) => own.join(part),
                None => parts.push(part),
            }
        }
        Row::new(parts, self.violation - value, bias)
    }

    /// Returns the row multiplied by `active`, 1 or 0.
    pub fn switched(self, active: R) -> Row<R> {
        Row {
            parts: self.parts.into_iter().map(|part| part.scaled(active)).collect(),
            violation: active * self.violation,
            bias: active * self.bias,
            own_rate: self.own_rate.map(|rate| active * rate),
            rate_alone: self.rate_alone,
            active: Some(active),
        }
    }

    /// `B u`, less what is prescribed.
    pub fn rate(&self, motions: &[Motion<R>]) -> R {
        let rate = self.sum(
            |part| along(part, motions[part.body].w, &motions[part.body].modal.rates),
            |v, part| dot(v, motions[part.body].v),
        );
        self.own_rate.map_or(rate, |own| rate + own)
    }

    /// `B a` for accelerations by body.
    pub fn acceleration(&self, accelerations: &[Velocities<R>]) -> R {
        self.sum(
            |part| along(part, accelerations[part.body].w, &accelerations[part.body].modal),
            |v, part| dot(v, accelerations[part.body].v),
        )
    }

    /// `B M^-1 B^T` of two rows, by the mobility of each body.
    pub fn coupling(&self, other: &Row<R>, mobility: &[Mobility<R>]) -> Option<R> {
        let mut sum: Option<R> = None;
        for part in &self.parts {
            let Some(twin) = other.parts.iter().find(|twin| twin.body == part.body) else { continue };
            let Mobility { inertia, mass, yielding, carries } = &mobility[part.body];
            let mut term = match yielding {
                None if *carries => along(part, times(*inertia, twin.w), &twin.modal),
                None => dot(part.w, times(*inertia, twin.w)),
                Some(yielding) => {
                    let (w, modal) = yielding.solve(twin.w, &twin.modal);
                    along(part, w, &modal)
                }
            };
            if let (Some(v), Some(twin)) = (part.v, twin.v) {
                term = mass.mul_add(dot(v, twin), term);
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
            if !part.modal.is_empty() {
                wrench.modal = scale_add_all(-multiplier, &part.modal, &wrench.modal);
            }
        }
    }

    fn sum(
        &self,
        of_w: impl Fn(&JacobianBlock<R>) -> R,
        of_v: impl Fn(Vec3<R>, &JacobianBlock<R>) -> R,
    ) -> R {
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

/// `Jw . w` and the modal parts with these rates.
fn along<R: Real>(part: &JacobianBlock<R>, w: Vec3<R>, modal: &[R]) -> R {
    part.modal.iter().zip(modal).fold(dot(part.w, w), |sum, (part, rate)| part.mul_add(*rate, sum))
}
