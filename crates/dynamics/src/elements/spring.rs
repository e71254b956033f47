//! A force along the line between two points: spring, damper, actuator.
//!
//! ```text
//! d = P_B - P_A,  l = |d|,  ldot = d.ddot / l,  f = -k (l - l0) - c ldot + f0
//!                                            (positive pushes apart)
//! on B: f d/l,  on A: -f d/l;   potential energy 1/2 k (l - l0)^2 - f0 l
//! ```

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting, Stretch};
use crate::base::units::Dimension;
use crate::describe::Drawn;
use crate::describe::ForceCard;
use crate::describe::Range::{Any, NotNegative};
use crate::describe::force::Measure::Of;
use crate::describe::force::{Joins, NumberKey};
use crate::force_numbers;
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::side::{Placed, Side};
use crate::math::vector::{Vec3, dot, length, scale, sub};
use crate::real::Real;

force_numbers! {
    /// Numbers of a spring.
    Spring {
        stiffness: R = NumberKey::new(Of(Dimension::Stiffness), NotNegative), "Stiffness, not negative.";
        damping: R = NumberKey::new(Of(Dimension::Damping), NotNegative).loses(), "Damping, not negative.";
        free_length: R = NumberKey::new(Of(Dimension::Length), NotNegative),
            "Length without force, not negative.";
        actuator: R = NumberKey::new(Of(Dimension::Force), Any).drives(), "A constant force besides.";
    }
}

impl<R: Real> ForceKind<R> for Spring<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Springs, dampers and actuators between two points.",
        doc: "A force along the line between two points, -stiffness (l - free_length) - damping dl/dt + \
              actuator; positive pushes them apart.",
        numbers: Spring::<f64>::KEYS,
        is_elastic: true,
        drawn: Drawn::Coil,
        ..ForceCard::new("spring", "spring", Joins::Points)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(Acting { numbers: self, damped: mounting.damped, sides: mounting.joined.sides() })
    }
}

/// A spring of an instance.
struct Acting<R> {
    numbers: Spring<R>,
    sides: [Side<R>; 2],
    damped: bool,
}

impl<R: Real> Acting<R> {
    /// `rates` has the velocities that the damper sees.
    fn stretched(&self, at: &[Motion<R>], rates: &[Motion<R>]) -> Stretch<R> {
        let Spring { stiffness, damping, free_length, actuator } = self.numbers;
        let (pa, _) = self.sides[0].point(at);
        let (pb, _) = self.sides[1].point(at);
        let (_, va) = self.sides[0].point(rates);
        let (_, vb) = self.sides[1].point(rates);
        let (length, along) = line(pa, pb);
        let elastic = stiffness.neg_mul_add(length - free_length, actuator);
        let rate = dot(along, sub(vb, va));
        Stretch { length, rate, force: damping.neg_mul_add(rate, elastic), along }
    }
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let Stretch { force, along, .. } = self.stretched(configuration.at, now.rates);
        push_apart(&self.sides, configuration.at, scale(force, along), wrenches);
    }

    fn stretch(&self, configuration: &Configuration<'_, R>) -> Option<Stretch<R>> {
        Some(self.stretched(configuration.at, configuration.moving))
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        vec![along_line(&self.sides, configuration.at, self.numbers.damping)]
    }

    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let Spring { stiffness, free_length, actuator, .. } = self.numbers;
        let d = sub(self.sides[1].point(configuration.at).0, self.sides[0].point(configuration.at).0);
        let length = length(d);
        let stretched = length - free_length;
        let half = length.lift(0.5);
        Some(actuator.neg_mul_add(length, half * stiffness * (stretched * stretched)))
    }
}

/// Length (m) of the line between two points, and its rate (m/s).
pub fn lengthening<R: Real>(sides: &[Side<R>; 2], moving: &[Motion<R>]) -> (R, R) {
    let [(pa, va), (pb, vb)] = [sides[0].point(moving), sides[1].point(moving)];
    let (length, along) = line(pa, pb);
    (length, dot(along, sub(vb, va)))
}

/// Length (m) and direction from one point to another.
pub fn line<R: Real>(from: Vec3<R>, to: Vec3<R>) -> (R, Vec3<R>) {
    let d = sub(to, from);
    let length = length(d);
    (length, scale(length.lift(1.0) / length, d))
}

/// Adds what a force (N, space axes) on side B does, and the opposite on side A.
pub fn push_apart<R: Real>(
    sides: &[Side<R>; 2],
    at: &[Motion<R>],
    force: Vec3<R>,
    wrenches: &mut [Wrench<R>],
) {
    sides[1].push(at, force, wrenches);
    sides[0].push(at, force.map(|x| -x), wrenches);
}

/// The damper of this coefficient (N s/m) along the line between two points.
pub fn along_line<R: Real>(sides: &[Side<R>; 2], at: &[Motion<R>], coefficient: R) -> Damper<R> {
    let [a, b] = [sides[0].placed(at), sides[1].placed(at)];
    let (_, along) = line(a.point, b.point);
    let part = |placed: Placed<'_, R>, along: Vec3<R>| placed.part(Some(along), None);
    let parts = [part(a, along.map(|x| -x)), part(b, along)];
    Damper::new(parts.into_iter().flatten(), coefficient)
}
