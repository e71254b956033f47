//! Resistance of the surroundings.
//!
//! ```text
//! F = -(c1 + c2 |v|) v  at the mass centre,   tau = -(k1 + k2 |w|) w
//! -dF/dv = (c1 + c2 |v|) I + c2 |v| n n^T,  n = v/|v|                 the torque alike
//! ```
//!
//! A step over which [dampers](crate::kinematics::damping) are implicit takes the force at the mean
//! of the old and the new velocity, linearised about the old one: three dampers of coefficient
//! `c1 + c2 |v|`, and along n one of `c2 |v|` that resists changes. A single mass under c2 alone
//! then slows down to `v/(1 + h c2 |v|/m)`, which is exact. With the speed of the other chain in
//! place of |v| the difference of the two chains would not decay at all.

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::base::units::Dimension;
use crate::describe::ForceCard;
use crate::describe::Range::NotNegative;
use crate::describe::force::Measure::Of;
use crate::describe::force::{Joins, NumberKey};
use crate::force_numbers;
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::row::JacobianBlock;
use crate::math::functions::greatest;
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, add, cross, length, scale};
use crate::real::Real;

force_numbers! {
    /// Numbers of a drag.
    Drag {
        linear: R = NumberKey::new(Of(Dimension::Damping), NotNegative), "Not negative.";
        quadratic: R = NumberKey::new(Of(Dimension::QuadraticDrag), NotNegative), "Not negative.";
        angular_linear: R = NumberKey::new(Of(Dimension::TorsionalDamping), NotNegative), "Not negative.";
        angular_quadratic: R = NumberKey::new(Of(Dimension::AngularQuadraticDrag), NotNegative),
            "Not negative.";
    }
}

impl<R: Real> ForceKind<R> for Drag<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Resistance of the surroundings.",
        doc: "Resistance at a body's mass centre: the force -(linear + quadratic |v|) v and the torque \
              -(angular_linear + angular_quadratic |w|) w.",
        numbers: Drag::<f64>::KEYS,
        loses: true,
        ..ForceCard::new("drag", "drag", Joins::Body)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        let (body, arm) = mounting.joined.body();
        Box::new(Acting { numbers: self, body, arm })
    }
}

/// A drag of an instance.
struct Acting<R> {
    numbers: Drag<R>,
    body: usize,
    /// From the fixed point to the mass centre, principal axes (m); `None`: the body has no fixed
    /// point.
    arm: Option<Vec3<R>>,
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, _: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        if now.implicit {
            return;
        }
        let Drag { linear, quadratic, angular_linear, angular_quadratic } = self.numbers;
        let m = &now.rates[self.body];
        let velocity = match self.arm {
            Some(arm) => to_space(m.q, cross(m.w, arm)),
            None => m.v,
        };
        let resistance = quadratic.mul_add(length(velocity), linear);
        let force = scale(-resistance, velocity);
        let resistance = angular_quadratic.mul_add(length(m.w), angular_linear);
        let wrench = &mut wrenches[self.body];
        wrench.torque = add(wrench.torque, scale(-resistance, m.w));
        match self.arm {
            Some(arm) => wrench.torque = add(wrench.torque, cross(arm, to_body(m.q, force))),
            None => wrench.force = add(wrench.force, force),
        }
    }

    fn acts(&self, implicit: bool) -> bool {
        !implicit
    }

    fn is_damped(&self) -> bool {
        true
    }

    /// Linearised about the velocities that are being advanced.
    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let Drag { linear, quadratic, angular_linear, angular_quadratic } = self.numbers;
        let Motion { w, v, modal, .. } = &configuration.moving[self.body];
        let zero = linear.lift(0.0);
        let part = |v: Option<Vec3<R>>, w: Vec3<R>| {
            [JacobianBlock { body: self.body, v, w, modal: vec![zero; modal.rates.len()] }]
        };
        let mut dampers = match self.arm {
            // In the body's axes.
            Some(arm) => resisting([linear, quadratic], cross(*w, arm), |e| part(None, cross(arm, e))),
            None => resisting([linear, quadratic], *v, |e| part(Some(e), [zero; 3])),
        };
        dampers.extend(resisting([angular_linear, angular_quadratic], *w, |e| part(None, e)));
        dampers
    }
}

/// The dampers of a resistance `-(c1 + c2 |x|) x`, by the rows of the directions of x.
fn resisting<R: Real>(
    [c1, c2]: [R; 2],
    x: Vec3<R>,
    row: impl Fn(Vec3<R>) -> [JacobianBlock<R>; 1],
) -> Vec<Damper<R>> {
    /// Below this speed (m/s, rad/s) a direction is none, and c2 counts for nothing.
    const REST: f64 = 1e-30;
    let (zero, one) = (c1.lift(0.0), c1.lift(1.0));
    let speed = length(x);
    let along = scale(one / greatest(speed, c1.lift(REST)), x);
    let mut dampers: Vec<Damper<R>> = (0..3)
        .map(|k| {
            let mut axis = [zero; 3];
            axis[k] = one;
            Damper::new(row(axis), c2.mul_add(speed, c1))
        })
        .collect();
    dampers.push(Damper::new(row(along), c2 * speed).of_changes());
    dampers
}
