//! A spring, damper and actuator at a joint's coordinate `s`.
//!
//! ```text
//! Q = -k (s - rest) - c sdot + f(t, motion),   V = k/2 (s - rest)^2
//! ```
//!
//! The force on the bodies is `Q B^T`, B the row of the coordinate.

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::describe::Range::{Any, NotNegative};
use crate::describe::force::{FunctionKey, Joins, Measure, NumberKey};
use crate::describe::{Expression, ForceCard, JointCoordinate};
use crate::force_numbers;
use crate::kinematics::body::Wrench;
use crate::kinematics::damping::Damper;
use crate::kinematics::function::evaluate;
use crate::real::Real;

force_numbers! {
    /// Numbers of a spring at a joint.
    JointSpring {
        stiffness: R = NumberKey::new(Measure::Stiffness, NotNegative), "Stiffness, not negative.";
        damping: R = NumberKey::new(Measure::Damping, NotNegative).loses(), "Damping, not negative.";
        rest: R = NumberKey::new(Measure::Coordinate, Any), "Coordinate without force.";
    }
}

impl<R: Real> ForceKind<R> for JointSpring<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Springs, dampers and actuators at a joint's coordinate.",
        doc: "A torque about, or force along, a joint's axis: -stiffness (s - rest) - damping ds/dt + \
              actuator, s the coordinate.",
        numbers: JointSpring::<f64>::KEYS,
        functions: &[FunctionKey {
            name: "actuator",
            measure: Measure::Load,
            doc: "A torque (N m) or force (N) besides, as a function of time and motion.",
        }],
        is_elastic: true,
        ..ForceCard::new("joint_spring", "joint spring", Joins::Coordinate)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        let actuator = mounting.force.functions[0].clone();
        Box::new(Acting {
            numbers: self,
            of: mounting.joined.coordinate(),
            actuator,
            damped: mounting.damped,
        })
    }
}

/// A spring at a joint of an instance.
struct Acting<R> {
    numbers: JointSpring<R>,
    of: JointCoordinate,
    /// (N m or N) of time and motion.
    actuator: Expression,
    damped: bool,
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let JointSpring { stiffness, damping, rest } = self.numbers;
        let row = configuration.joints.coordinate(self.of, now.rates);
        // The resistance is computed, so that no sign stands before a product: see
        // `Graph::regrouped`.
        let actuator = evaluate(&self.actuator, &now.inputs);
        let elastic = stiffness.mul_sub(row.violation - rest, actuator);
        row.react(damping.mul_add(row.rate(now.rates), elastic), wrenches);
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        vec![Damper::new(
            configuration.joints.coordinate(self.of, configuration.at).parts,
            self.numbers.damping,
        )]
    }

    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let JointSpring { stiffness, rest, .. } = self.numbers;
        let row = configuration.joints.coordinate(self.of, configuration.at);
        let stretched = row.violation - rest;
        Some(stretched.lift(0.5) * stiffness * (stretched * stretched))
    }
}
