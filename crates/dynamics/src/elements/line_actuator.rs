//! A force along the line between two points, as any function of time and motion.
//!
//! ```text
//! d = P_B - P_A,  l = |d|:   on B f(t, motion) d/l,  on A the opposite;  positive pushes apart
//! ```

use std::marker::PhantomData;

use super::spring::{line, push_apart};
use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting, Numbers};
use crate::base::units::Dimension;
use crate::describe::Drawn;
use crate::describe::force::{FunctionKey, Joins, Measure};
use crate::describe::{Expression, ForceCard};
use crate::kinematics::body::Wrench;
use crate::kinematics::function::evaluate;
use crate::kinematics::side::Side;
use crate::math::vector::scale;
use crate::real::Real;

/// An actuator along a line, which has no numbers besides its function.
pub struct LineActuator<R>(PhantomData<R>);

impl<R: Real> Numbers<R> for LineActuator<R> {
    fn from_values(_: &[R]) -> Self {
        LineActuator(PhantomData)
    }
}

impl<R: Real> ForceKind<R> for LineActuator<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Actuators along the line between two points.",
        doc: "A force along the line between two points, any function of time and motion; positive pushes \
              them apart.",
        functions: &[FunctionKey {
            name: "force",
            measure: Measure::Of(Dimension::Force),
            doc: "The force (N), as a function of time and motion.",
        }],
        drawn: Drawn::Line,
        ..ForceCard::new("line_actuator", "line actuator", Joins::Points)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        let force = mounting.force.functions[0].clone();
        Box::new(Acting { force, sides: mounting.joined.sides() })
    }
}

/// Its card.
pub fn card() -> &'static ForceCard {
    <LineActuator<f64> as ForceKind<f64>>::CARD
}

/// An actuator of an instance.
struct Acting<R> {
    /// (N)
    force: Expression,
    sides: [Side<R>; 2],
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let [a, b] = [0, 1].map(|side| self.sides[side].point(configuration.at).0);
        let (_, along) = line(a, b);
        push_apart(&self.sides, configuration.at, scale(evaluate(&self.force, &now.inputs), along), wrenches);
    }
}
