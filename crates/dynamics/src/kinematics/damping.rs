//! Dampers that act over a step at the mean of the rates before and after it.
//!
//! With `u` the velocities from which the step h starts, `a` their mean acceleration over it,
//! `r = B u` the rates of the dampers and c their coefficients, B where positions stand in the
//! middle of the step:
//!
//! ```text
//! M a = Q - B_d^T f - B^T lam ,   f = c (r + h/2 B_d a)
//! b = sqrt(h c/2) B_d ,   (1 + b M^-1 b^T) psi = 2/h b u + b a0 - b M^-1 B^T lam ,
//! B_d^T f = b^T psi ,   a0 = M^-1 Q
//! ```
//!
//! For one mass this is `v1 = (v (1 - h c/2m) + h F/m)/(1 + h c/2m)`: of order 2, and stable with a
//! spring up to omega h = 2 whatever the damping ratio. Dampers that act at `u` alone are of order
//! 1, at rates extrapolated from two steps stable only to omega h = .8 (ratio .5), and at the rates
//! of the other chain they drive the chains of the staggered method apart (docs/findings.md 14).
//!
//! To the joints the bodies are then of the masses `M + h/2 D`, `D = B_d^T c B_d`:
//!
//! ```text
//! W = b M^-1 B^T ,   G = 1 + b M^-1 b^T ,   mu = B M^-1 B^T - W^T G^-1 W ,
//! r = B a0 + Bdot u - W^T G^-1 (2/h b u + b a0)
//! ```
//!
//! An inertia I along a row, such as a rotor's that turns with a joint, is of the same algebra in
//! any step: `f = I (B a + Bdot u)`, with `b = sqrt(I) B` and `sqrt(I) Bdot u` in place of
//! `2/h b u`; the bodies are then of the masses `M + B^T I B`.
//!
//! G is regular whatever the coefficients, zero among them, and no larger than the dampers are
//! many.

use super::body::{Motion, Velocities, Wrench};
use super::row::{JacobianBlock, Mobility, Row};
use crate::math::factor::Factor;
use crate::math::vector::{add, scale};
use crate::real::Real;

/// A resistance to motion along a row of velocities.
#[derive(Clone, Debug)]
pub struct Damper<R> {
    /// B, where the positions stand.
    pub parts: Vec<JacobianBlock<R>>,
    /// c, or an inertia I; not negative.
    pub coefficient: R,
    /// Rate, change of rate, or acceleration.
    pub resists: Resists<R>,
}

/// The quantity that a damper resists.
#[derive(Clone, Copy, Debug)]
pub enum Resists<R> {
    /// The mean rate over a step, `f = c (r + h/2 B a)`.
    Rate,
    /// The change of the rate over a step, `f = c h/2 B a`: c is part of the derivative of a force
    /// that is not linear.
    Change,
    /// The acceleration, `f = I (B a + Bdot u)`, whatever the step. `bias`: Bdot u.
    Acceleration { bias: R },
}

impl<R: Real> Damper<R> {
    /// A damper of the mean rate over a step.
    pub fn new(parts: impl IntoIterator<Item = JacobianBlock<R>>, coefficient: R) -> Damper<R> {
        Damper { parts: parts.into_iter().collect(), coefficient, resists: Resists::Rate }
    }

    /// This damper, but resisting the change of the rate over a step.
    pub fn of_changes(self) -> Damper<R> {
        Damper { resists: Resists::Change, ..self }
    }

    /// An inertia (kg, or kg m²) along a row.
    pub fn inertia(row: Row<R>, inertia: R) -> Damper<R> {
        Damper { resists: Resists::Acceleration { bias: row.bias }, ..Damper::new(row.parts, inertia) }
    }

    /// `sqrt(h c/2)`, or `sqrt(I)`.
    fn root(&self, h: R) -> R {
        match self.resists {
            Resists::Rate | Resists::Change => (self.coefficient * (h * h.lift(0.5))).sqrt(),
            Resists::Acceleration { .. } => self.coefficient.sqrt(),
        }
    }

    /// Its row multiplied by its [root](Self::root), with one part a body.
    fn scaled(self, root: R, h: R) -> Row<R> {
        let mut parts: Vec<JacobianBlock<R>> = Vec::new();
        for part in self.parts {
            match parts.iter_mut().find(|other| other.body == part.body) {
                // Both ends are on one flexible body.
                Some(other) => other.join(part),
                None => parts.push(part),
            }
        }
        let zero = h.lift(0.0);
        Row::new(parts.into_iter().map(|part| part.scaled(root)), zero, zero)
    }
}

/// All dampers of a mechanism over one step.
pub struct Damping<R> {
    /// b.
    rows: Vec<Row<R>>,
    /// G.
    factor: Factor<R>,
    /// `L^-1 (2/h b u + b a0)`, L the factor's.
    wanted: Vec<Option<R>>,
}

impl<R: Real> Damping<R> {
    /// Over the step h (s) from the velocities of `start`; `free`: a0.
    pub fn new(
        dampers: Vec<Damper<R>>,
        h: R,
        start: &[Motion<R>],
        mobility: &[Mobility<R>],
        free: &[Velocities<R>],
    ) -> Damping<R> {
        let per_half_step = h.lift(2.0) / h;
        let (mut rows, mut wanted): (Vec<Row<R>>, Vec<Option<R>>) = (Vec::new(), Vec::new());
        for damper in dampers {
            let (root, resists) = (damper.root(h), damper.resists);
            let row = damper.scaled(root, h);
            let change = row.acceleration(free);
            wanted.push(Some(match resists {
                Resists::Rate => per_half_step.mul_add(row.rate(start), change),
                Resists::Change => change,
                Resists::Acceleration { bias } => root.mul_add(bias, change),
            }));
            rows.push(row);
        }
        let below = |i: usize| (0..i).map(|j| rows[i].coupling(&rows[j], mobility)).collect();
        let below = (0..rows.len()).map(below).collect();
        let one = h.lift(1.0);
        let diagonal = rows.iter().map(|row| row.coupling(row, mobility).map_or(one, |own| own + one));
        let factor = Factor::new(below, diagonal.collect());
        let wanted = factor.forward(wanted);
        Damping { rows, factor, wanted }
    }

    /// `L^-1 W` of a row of the joints.
    pub fn beside(&self, row: &Row<R>, mobility: &[Mobility<R>]) -> Vec<Option<R>> {
        self.factor.forward(self.rows.iter().map(|own| own.coupling(row, mobility)).collect())
    }

    /// An entry of `B M^-1 B^T` between two rows, less the part that the dampers take; each row is
    /// given as it is [beside](Self::beside) the dampers.
    pub fn coupling_left(&self, row: &[Option<R>], other: &[Option<R>], entry: R) -> R {
        self.factor.less(row, other, entry)
    }

    /// The acceleration of a row, its bias included, under the dampers.
    pub fn acceleration_left(&self, row: &[Option<R>], acceleration: R) -> R {
        self.factor.less(row, &self.wanted, acceleration)
    }

    /// Adds what the dampers do to the bodies, while rows, as they are [beside](Self::beside) the
    /// dampers, have these multipliers.
    pub fn act(&self, beside: &[Vec<Option<R>>], multipliers: &[R], wrenches: &mut [Wrench<R>]) {
        let Some(zero) = self.rows.first().map(|row| row.violation) else { return };
        let left = |(k, wanted): (usize, &Option<R>)| {
            let wanted = wanted.unwrap_or(zero);
            beside.iter().zip(multipliers).fold(wanted, |left, (row, multiplier)| match row[k] {
                Some(entry) => entry.neg_mul_add(*multiplier, left),
                None => left,
            })
        };
        let forces = self.factor.backward(self.wanted.iter().enumerate().map(left).collect());
        for (row, force) in self.rows.iter().zip(forces) {
            row.react(force, wrenches);
        }
    }
}

impl<R: Real> JacobianBlock<R> {
    /// Returns the block multiplied by s.
    pub fn scaled(self, s: R) -> JacobianBlock<R> {
        JacobianBlock {
            v: self.v.map(|v| scale(s, v)),
            w: scale(s, self.w),
            modal: self.modal.iter().map(|x| s * *x).collect(),
            ..self
        }
    }

    /// Adds another part of the same body.
    pub fn join(&mut self, other: JacobianBlock<R>) {
        self.v = match (self.v, other.v) {
            (Some(own), Some(other)) => Some(add(own, other)),
            (own, other) => own.or(other),
        };
        self.w = add(self.w, other.w);
        if self.modal.is_empty() {
            self.modal = other.modal;
        } else {
            for (own, other) in self.modal.iter_mut().zip(other.modal) {
                *own = *own + other;
            }
        }
    }
}
