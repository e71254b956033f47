//! A wheel that spins about an axis fixed in a body: a reaction wheel, a momentum wheel, the rotor
//! of a gyrostat.
//!
//! With the axis a, the inertia J about it, the momentum h along it with what it has of the body's
//! turn, the body's angular velocity w, and the rate Omega against the body:
//!
//! ```text
//! dh/dt = tau - c Omega,   Omega = h/J - a.w           on the body  -(tau - c Omega) a - w x (h a)
//! T = h^2/(2 J),   H = h a,  besides those of the body
//! ```
//!
//! Mass, and inertia across the axis, belong to the body; its inertia along the axis is without J.
//! The wheel is of revolution, so that no number depends on its angle, and its speed limits no
//! step.
//!
//! The motor's torque f(t, motion) is limited to `max_torque`. A torque that would speed the wheel
//! up beyond `max_speed` fades over the last [share](FADE) of that, with two continuous
//! derivatives, so that every method keeps its order and no event has to be found:
//!
//! ```text
//! tau = max(f, 0) s((max - Omega)/(FADE max)) + min(f, 0) s((max + Omega)/(FADE max)),
//! s(x) = x^3 (6 x^2 - 15 x + 10), 0 to 1
//! ```
//!
//! The rate that is carried is `z = h/sqrt(J)`: its mass is one, as the carrier's are, and friction
//! acts on the row `Omega = z/sqrt(J) - a.w` alike on both.
//!
//! P.C. Hughes, Spacecraft Attitude Dynamics (1986), chapter 6: gyrostats.

use super::law::Spin;
use super::{Conditions, Configuration, ForceKind, ForceLaw, Joined, Mounting};
use crate::base::units::Dimension;
use crate::describe::Range::{Any, NotNegative, Positive};
use crate::describe::force::Measure::Of;
use crate::describe::force::{Contradiction, Force, FunctionKey, Joins, NumberKey};
use crate::describe::{Expression, ForceCard};
use crate::force_numbers;
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::function::{FunctionInputs, evaluate};
use crate::kinematics::row::JacobianBlock;
use crate::math::functions::{greatest, least};
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, cross, dot, length, scale, scale_add, sub};
use crate::real::Real;

/// Share of `max_speed` over which the torque that speeds a wheel up fades.
pub const FADE: f64 = 0.02;

force_numbers! {
    /// Numbers of a wheel.
    Wheel {
        axis: [R; 3] = NumberKey::new(Of(Dimension::Number), Any).required(),
            "Its axis in body axes, of any length but 0.";
        inertia: R = NumberKey::new(Of(Dimension::Inertia), Positive).required(),
            "Inertia about its axis, positive.";
        speed: R = NumberKey::new(Of(Dimension::AngularSpeed), Any),
            "Rate about its axis against the body at t = 0.";
        damping: R = NumberKey::new(Of(Dimension::TorsionalDamping), NotNegative).loses(),
            "Friction of its bearing for each rate against the body, not negative.";
        max_torque: R = NumberKey::new(Of(Dimension::Torque), Positive).infinite(f64::INFINITY),
            "The motor gives no more, positive. Absent: no limit.";
        max_speed: R = NumberKey::new(Of(Dimension::AngularSpeed), Positive).infinite(f64::INFINITY),
            "The motor speeds the wheel up to this rate against the body; its torque fades over the last 2 \
             %. Absent: no limit.";
    }
}

impl<R: Real> ForceKind<R> for Wheel<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Wheels that spin in bodies: reaction wheels, gyrostats.",
        doc: "A wheel that spins about an axis fixed in a rigid body, with its motor. Mass, and inertia \
              across the axis, belong to the body; the body's inertia about the axis is without the wheel's. \
              Expressions and channels use NAME.speed (against the body) and NAME.momentum (with the body's \
              turn); outcomes and channels NAME.torque (of the motor).",
        numbers: Wheel::<f64>::KEYS,
        functions: &[FunctionKey {
            name: "torque",
            measure: Of(Dimension::Torque),
            doc: "Torque of the motor on the wheel (N m), as a function of time and motion; the body gets \
                  the opposite.",
        }],
        spins: true,
        saturates: |wheel| ["max_torque", "max_speed"].iter().any(|key| wheel.number(key).is_finite()),
        contradiction,
        ..ForceCard::new("wheel", "wheel", Joins::Body)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        let limit = |key, value| mounting.force.number(key).is_finite().then_some(value);
        let Joined::Body { body, principal, .. } = mounting.joined else { panic!("a wheel spins in a body") };
        let axis = principal.map_or(self.axis, |principal| to_body(principal, self.axis));
        let one = self.inertia.lift(1.0);
        Box::new(Spinning {
            body,
            carried: mounting.carried.expect("a rotor's momentum is carried"),
            axis: scale(one / length(axis), axis),
            root: self.inertia.sqrt(),
            speed: self.speed,
            damping: mounting.damped.then_some(self.damping),
            max_torque: limit("max_torque", self.max_torque),
            max_speed: limit("max_speed", self.max_speed),
            torque: mounting.force.functions[0].clone(),
        })
    }
}

/// It has no axis, or starts beyond its limit.
fn contradiction(wheel: &Force) -> Option<Contradiction> {
    if wheel.values("axis").iter().all(|x| *x == 0.0) {
        let found = "`axis` has no direction: all three numbers are 0".to_string();
        return Some(Contradiction { found, advice: "give the direction in body axes, such as [0, 0, 1]" });
    }
    let (speed, most) = (wheel.number("speed"), wheel.number("max_speed"));
    (speed.abs() > most).then(|| Contradiction {
        found: format!("`speed` is beyond `max_speed`: {speed:?} rad/s and {most:?} rad/s"),
        advice: "start within the limit, or raise it",
    })
}

/// A wheel of an instance.
struct Spinning<R> {
    body: usize,
    /// The body that carries z, and which of its rates that is.
    carried: (usize, usize),
    /// a, principal axes.
    axis: Vec3<R>,
    /// The root of J.
    root: R,
    /// At the start (rad/s).
    speed: R,
    /// (N m s/rad); `None`: no instance has any.
    damping: Option<R>,
    /// (N m); `None`: there is no limit.
    max_torque: Option<R>,
    /// (rad/s)
    max_speed: Option<R>,
    torque: Expression,
}

impl<R: Real> Spinning<R> {
    /// h.
    fn momentum(&self, motions: &[Motion<R>]) -> R {
        let (carrier, at) = self.carried;
        self.root * motions[carrier].modal.rates[at]
    }

    /// Omega.
    fn rate(&self, motions: &[Motion<R>]) -> R {
        let (carrier, at) = self.carried;
        motions[carrier].modal.rates[at] / self.root - dot(self.axis, motions[self.body].w)
    }

    /// tau.
    fn motor_torque(&self, felt: &[Motion<R>], inputs: &FunctionInputs<'_, R>) -> R {
        let mut torque = evaluate(&self.torque, inputs);
        let zero = torque.lift(0.0);
        if let Some(most) = self.max_torque {
            torque = greatest(-most, least(most, torque));
        }
        let Some(most) = self.max_speed else { return torque };
        let rate = self.rate(felt);
        let width = most.lift(FADE) * most;
        let up = greatest(torque, zero) * fading((most - rate) / width);
        least(torque, zero).mul_add(fading((most + rate) / width), up)
    }
}

/// s(x), 0 below 0 and 1 above 1.
fn fading<R: Real>(x: R) -> R {
    let x = greatest(x.lift(0.0), least(x.lift(1.0), x));
    let sum = x.mul_add(x.lift(6.0), x.lift(-15.0));
    x * x * x * x.mul_add(sum, x.lift(10.0))
}

impl<R: Real> ForceLaw<R> for Spinning<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let (carrier, at) = self.carried;
        let mut torque = self.motor_torque(now.felt, &now.inputs);
        if let Some(damping) = self.damping.filter(|_| !now.implicit) {
            torque = damping.neg_mul_add(self.rate(now.rates), torque);
        }
        // As the body's own momentum, the wheel's is turned by the velocities of the chain that has
        // the positions.
        let turned = cross(configuration.at[self.body].w, scale(self.momentum(configuration.at), self.axis));
        let wrench = &mut wrenches[self.body];
        wrench.torque = sub(scale_add(-torque, self.axis, wrench.torque), turned);
        let own = &mut wrenches[carrier].modal[at];
        *own = *own + torque / self.root;
    }

    fn is_damped(&self) -> bool {
        self.damping.is_some()
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let Some(damping) = self.damping else { return Vec::new() };
        let (carrier, at) = self.carried;
        let (zero, one) = (damping.lift(0.0), damping.lift(1.0));
        let part = |body: usize| {
            let mut modal = vec![zero; configuration.at[body].modal.rates.len()];
            if body == carrier {
                modal[at] = one / self.root;
            }
            let w = if body == self.body { self.axis.map(|x| -x) } else { [zero; 3] };
            JacobianBlock { body, v: None, w, modal }
        };
        let bodies = [Some(self.body), Some(carrier).filter(|carrier| *carrier != self.body)];
        vec![Damper::new(bodies.into_iter().flatten().map(part), damping)]
    }

    fn kinetic(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let (carrier, at) = self.carried;
        let z = configuration.moving[carrier].modal.rates[at];
        Some(z.lift(0.5) * (z * z))
    }

    fn spin(&self, motions: &[Motion<R>]) -> Option<Spin<R>> {
        Some(Spin {
            speed: self.rate(motions),
            momentum: self.momentum(motions),
            along: to_space(motions[self.body].q, self.axis),
        })
    }

    fn motor(&self, motions: &[Motion<R>], inputs: &FunctionInputs<'_, R>) -> Option<R> {
        Some(self.motor_torque(motions, inputs))
    }

    fn start(&self, motions: &mut [Motion<R>]) {
        let (carrier, at) = self.carried;
        let rate = self.speed + dot(self.axis, motions[self.body].w);
        motions[carrier].modal.rates[at] = self.root * rate;
    }
}
