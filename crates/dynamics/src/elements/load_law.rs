//! A force or torque on a body that depends on the motion: a `[[load]]` whose functions use sensors
//! or signals.
//!
//! ```text
//! on the body: F(t, motion) at a point, or T(t, motion); components in its axes, or in space axes
//! ```
//!
//! Loads of time alone act apart from elements, by their mean over the step where they are constant
//! by pieces.

use super::{Conditions, Configuration, ForceLaw};
use crate::describe::{Axes, Expression, LoadKind};
use crate::kinematics::body::Wrench;
use crate::kinematics::function::evaluate;
use crate::kinematics::side::Side;
use crate::math::quaternion::{Quat, to_body, to_space};
use crate::math::vector::Vec3;
use crate::real::Real;

/// A load of an instance that depends on the motion.
pub struct LoadLaw<R> {
    pub kind: LoadKind,
    pub axes: Axes,
    pub functions: [Expression; 3],
    /// The point at which it acts.
    pub side: Side<R>,
    /// Principal axes to the user's; `None`: they are the same.
    pub principal: Option<Quat<R>>,
}

impl<R: Real> ForceLaw<R> for LoadLaw<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let Some(body) = self.side.body else { return };
        let q = configuration.at[body].q;
        let value: Vec3<R> = [0, 1, 2].map(|k| evaluate(&self.functions[k], &now.inputs));
        let in_space = match (self.axes, self.principal) {
            (Axes::Space, _) => value,
            (Axes::Body, None) => to_space(q, value),
            // Written in the user's body axes.
            (Axes::Body, Some(principal)) => to_space(q, to_body(principal, value)),
        };
        let placed = self.side.placed(configuration.at);
        let none = placed.zero();
        match self.kind {
            LoadKind::Force => self.side.push(configuration.at, in_space, wrenches),
            LoadKind::Torque => placed.load(none, None, in_space, wrenches),
        }
    }
}
