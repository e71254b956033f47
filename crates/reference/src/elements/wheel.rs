//! Wheels, whose rate `z = h/sqrt(J)` a rigid body carries with unit mass.
//!
//! ```text
//! Omega = z/sqrt(J) - a.w,   z' = (tau - c Omega)/sqrt(J)
//! on the body  -(tau - c Omega) a - w x (sqrt(J) z a)
//! T = z^2/2,   H = sqrt(J) z Lam a
//! ```

use nalgebra::{DVector, Vector3};

use polhode_description::describe::{Attached, Expression, Force};

use super::super::body::{Motion, RigidBody};
use super::super::function::Given;
use super::super::rotation::lam;
use super::{Push, Pushing};

/// The torque fades over this share of `max_speed`.
const FADING: f64 = 1.0 / 50.0;

/// One wheel.
#[derive(Clone, Debug)]
pub struct Wheel {
    body: usize,
    /// The body that carries z, and where among what it carries.
    carrier: usize,
    at: usize,
    /// a, body axes.
    axis: Vector3<f64>,
    /// J (kg m²)
    inertia: f64,
    /// At the start (rad/s).
    speed: f64,
    /// c (N m s/rad)
    damping: f64,
    /// (N m), (rad/s); infinite without a limit.
    max_torque: f64,
    max_speed: f64,
    torque: Expression,
}

impl Wheel {
    /// # Panics
    /// The force is on no body, or no body is rigid.
    pub fn new(force: &Force, bodies: &[RigidBody], at: usize) -> Wheel {
        let Attached::Body(body) = force.attached else { panic!("a wheel is on a body") };
        let rigid = bodies.iter().position(|body| body.deformation().is_none());
        Wheel {
            body,
            carrier: rigid.expect("a rigid body, in which the wheel spins"),
            at,
            axis: Vector3::from_column_slice(force.values("axis")).normalize(),
            inertia: force.number("inertia"),
            speed: force.number("speed"),
            damping: force.number("damping"),
            max_torque: force.number("max_torque"),
            max_speed: force.number("max_speed"),
            torque: force.functions[0].clone(),
        }
    }

    fn momentum_along(&self, motions: &[Motion]) -> f64 {
        motions[self.carrier].amplitude_rates[self.at] * self.inertia.sqrt()
    }

    fn rate(&self, motions: &[Motion]) -> f64 {
        self.momentum_along(motions) / self.inertia - self.axis.dot(&motions[self.body].angular_velocity)
    }

    /// tau, where the law asks for `wanted` (N m).
    fn limited(&self, wanted: f64, felt: &[Motion]) -> f64 {
        let torque = wanted.clamp(-self.max_torque, self.max_torque);
        if self.max_speed.is_infinite() {
            return torque;
        }
        // Distance from the speed at which this torque ends.
        let left = self.max_speed - self.rate(felt) * if torque < 0.0 { -1.0 } else { 1.0 };
        let x = (left / (FADING * self.max_speed)).clamp(0.0, 1.0);
        torque * (6.0 * x.powi(5) - 15.0 * x.powi(4) + 10.0 * x.powi(3))
    }

    /// By this torque on the wheel (N m), and another on its body.
    fn push(&self, motions: &[Motion], torque: f64, besides: Vector3<f64>) -> Vec<Push> {
        let on = |body: usize| Push {
            body,
            force: Vector3::zeros(),
            torque: Vector3::zeros(),
            modal: DVector::zeros(motions[body].amplitudes.len()),
        };
        let mut of_body = on(self.body);
        of_body.torque = besides - torque * self.axis;
        let mut of_wheel = on(self.carrier);
        of_wheel.modal[self.at] = torque / self.inertia.sqrt();
        vec![of_body, of_wheel]
    }
}

impl Pushing for Wheel {
    fn pushes(&self, _: &[RigidBody], moving: &[Motion]) -> Vec<Push> {
        self.push(moving, -self.damping * self.rate(moving), Vector3::zeros())
    }

    fn driven(&self, _: &[RigidBody], at: &[Motion], felt: &[Motion], given: &Given) -> Vec<Push> {
        let turned = at[self.body].angular_velocity.cross(&(self.momentum_along(at) * self.axis));
        self.push(at, self.limited(given.value(&self.torque), felt), -turned)
    }

    fn spin(&self, motions: &[Motion]) -> Option<[f64; 2]> {
        Some([self.rate(motions), self.momentum_along(motions)])
    }

    fn momentum(&self, motions: &[Motion]) -> Vector3<f64> {
        self.momentum_along(motions) * (lam(motions[self.body].attitude) * self.axis)
    }

    fn start(&self, motions: &mut [Motion]) {
        let rate = self.speed + self.axis.dot(&motions[self.body].angular_velocity);
        motions[self.carrier].amplitude_rates[self.at] = self.inertia.sqrt() * rate;
    }

    fn functions(&self) -> Vec<&Expression> {
        vec![&self.torque]
    }

    /// `z^2/2`
    fn energy(&self, motions: &[Motion]) -> f64 {
        self.momentum_along(motions).powi(2) / (2.0 * self.inertia)
    }
}
