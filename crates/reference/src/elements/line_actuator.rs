//! Actuators along the line between two points: `f(t, motion)`, positive pushes apart.

use polhode_description::describe::{Expression, Force};

use super::super::body::{Motion, RigidBody};
use super::super::function::Given;
use super::super::joint::Side;
use super::spring::{apart, ends};
use super::{Push, Pushing};

/// One actuator.
#[derive(Clone, Debug)]
pub struct LineActuator {
    sides: [Side; 2],
    /// (N)
    force: Expression,
}

impl LineActuator {
    pub fn new(force: &Force, bodies: &[RigidBody]) -> LineActuator {
        LineActuator { sides: ends(force, bodies), force: force.functions[0].clone() }
    }
}

impl Pushing for LineActuator {
    fn pushes(&self, _: &[RigidBody], _: &[Motion]) -> Vec<Push> {
        Vec::new()
    }

    fn driven(&self, _: &[RigidBody], at: &[Motion], _: &[Motion], given: &Given) -> Vec<Push> {
        let [a, b] = self.sides.each_ref().map(|side| side.point(at).value);
        apart(&self.sides, given.value(&self.force) * (b - a).normalize(), at)
    }

    fn functions(&self) -> Vec<&Expression> {
        vec![&self.force]
    }
}
