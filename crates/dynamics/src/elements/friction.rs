//! Dry friction at a joint's coordinate `s`, and along the line between two points of distance `l`.
//!
//! ```text
//! at a joint  Q = -F tanh(sdot/v0)       on a line  f = -F tanh(ldot/v0)   (positive pushes apart)
//! -dQ/dsdot = F/v0 (1 - tanh²(sdot/v0))     the line alike
//! ```
//!
//! F is the force against sliding, v0 the rate at which tanh 1 = 76 % of it act. Below v0 a body
//! creeps where it should stick. A step h of a mass m is accurate while `h F/m` is not above v0.
//!
//! A step over which [dampers](crate::kinematics::damping) are implicit takes the force at the mean
//! of the old and the new rate, linearised about the old one: the force there, and a damper that
//! resists what the step changes of the rate. A damper `F tanh(x)/x` of the mean rate, as
//! quadratic drag has, would lack a negative part of the derivative, which no damper gives: the
//! method would be of order 1.

use super::spring::{along_line, line, push_apart};
use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::base::units::Dimension;
use crate::describe::Drawn;
use crate::describe::Range::{NotNegative, Positive};
use crate::describe::force::{Joins, Measure, NumberKey};
use crate::describe::{ForceCard, JointCoordinate};
use crate::force_numbers;
use crate::kinematics::body::Wrench;
use crate::kinematics::damping::Damper;
use crate::kinematics::side::Side;
use crate::math::functions::tanh;
use crate::math::vector::{Vec3, dot, scale, sub};
use crate::real::Real;

force_numbers! {
    /// Numbers of dry friction at a joint.
    JointFriction {
        force: R = NumberKey::new(Measure::Load, NotNegative).required().loses(),
            "Torque or force F that resists sliding, not negative.";
        rate: R = NumberKey::new(Measure::Rate, Positive).required(),
            "Rate v0 at which 76 % of it act, positive.";
    }
}

force_numbers! {
    /// Numbers of dry friction along a line.
    Friction {
        force: R = NumberKey::new(Measure::Of(Dimension::Force), NotNegative).required().loses(),
            "Force F that resists sliding, not negative.";
        rate: R = NumberKey::new(Measure::Of(Dimension::Speed), Positive).required(),
            "Rate v0 at which 76 % of it act, positive.";
    }
}

impl<R: Real> ForceKind<R> for JointFriction<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Dry friction at a joint's coordinate.",
        doc: "Dry friction in a joint: -force tanh(ds/dt / rate), s the coordinate.",
        numbers: JointFriction::<f64>::KEYS,
        bends: true,
        ..ForceCard::new("joint_friction", "joint friction element", Joins::Coordinate)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(InJoint { numbers: self, of: mounting.joined.coordinate() })
    }
}

impl<R: Real> ForceKind<R> for Friction<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Dry friction along the line between two points.",
        doc: "Dry friction along the line between two points: -force tanh(dl/dt / rate), l their distance; \
              positive pushes them apart.",
        numbers: Friction::<f64>::KEYS,
        drawn: Drawn::Line,
        bends: true,
        ..ForceCard::new("friction", "line friction element", Joins::Points)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(OnLine { numbers: self, sides: mounting.joined.sides() })
    }
}

/// `F tanh(v/v0)`
fn resistance<R: Real>(force: R, rate: R, v: R) -> R {
    force * tanh(v / rate)
}

/// `F/v0 (1 - tanh²(v/v0))`
fn derivative<R: Real>(force: R, rate: R, v: R) -> R {
    let share = tanh(v / rate);
    force / rate * share.neg_mul_add(share, v.lift(1.0))
}

/// Dry friction at a joint of an instance.
struct InJoint<R> {
    numbers: JointFriction<R>,
    of: JointCoordinate,
}

impl<R: Real> ForceLaw<R> for InJoint<R> {
    fn act(&self, configuration: &Configuration<'_, R>, _: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let JointFriction { force, rate } = self.numbers;
        let row = configuration.joints.coordinate(self.of, configuration.at);
        row.react(resistance(force, rate, row.rate(configuration.moving)), wrenches);
    }

    fn is_damped(&self) -> bool {
        true
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let JointFriction { force, rate } = self.numbers;
        let row = configuration.joints.coordinate(self.of, configuration.at);
        let coefficient = derivative(force, rate, row.rate(configuration.moving));
        vec![Damper::new(row.parts, coefficient).of_changes()]
    }
}

/// Dry friction between two points of an instance.
struct OnLine<R> {
    numbers: Friction<R>,
    sides: [Side<R>; 2],
}

impl<R: Real> OnLine<R> {
    /// The direction from A to B, and ldot (m/s).
    fn parting(&self, configuration: &Configuration<'_, R>) -> (Vec3<R>, R) {
        let [(pa, va), (pb, vb)] =
            [self.sides[0].point(configuration.moving), self.sides[1].point(configuration.moving)];
        let (_, along) = line(pa, pb);
        (along, dot(along, sub(vb, va)))
    }
}

impl<R: Real> ForceLaw<R> for OnLine<R> {
    fn act(&self, configuration: &Configuration<'_, R>, _: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let Friction { force, rate } = self.numbers;
        let (along, parting) = self.parting(configuration);
        push_apart(&self.sides, configuration.at, scale(-resistance(force, rate, parting), along), wrenches);
    }

    fn is_damped(&self) -> bool {
        true
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let Friction { force, rate } = self.numbers;
        let (_, parting) = self.parting(configuration);
        let coefficient = derivative(force, rate, parting);
        vec![along_line(&self.sides, configuration.at, coefficient).of_changes()]
    }
}
