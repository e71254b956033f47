//! Rotors that spin in bodies: how fast, with which momentum, and what their motors give.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Rate against the body (rad/s).
pub struct RotorSpeed;

pub const ROTOR_SPEED: Channel = Channel::of(Owner::Rotor, "speed");

impl Observable for RotorSpeed {
    const CARD: ChannelCard = ChannelCard {
        channel: ROTOR_SPEED,
        unit: "rad/s",
        components: SCALAR,
        description: "rate of the wheel about its axis, against its body",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().spin(scene.of, scene.motions()).speed]
    }
}

/// Angular momentum along the axis (N m s).
pub struct RotorMomentum;

pub const ROTOR_MOMENTUM: Channel = Channel::of(Owner::Rotor, "momentum");

impl Observable for RotorMomentum {
    const CARD: ChannelCard = ChannelCard {
        channel: ROTOR_MOMENTUM,
        unit: "N m s",
        components: SCALAR,
        description: "angular momentum of the wheel along its axis, with what it has of the body's turn",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().spin(scene.of, scene.motions()).momentum]
    }
}

/// Torque of the motor (N m).
pub struct MotorTorque;

pub const MOTOR_TORQUE: Channel = Channel::of(Owner::Rotor, "torque");

impl Observable for MotorTorque {
    const CARD: ChannelCard = ChannelCard {
        channel: MOTOR_TORQUE,
        unit: "N m",
        components: SCALAR,
        description: "torque of the motor on the wheel, within its limits and without friction",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().motor_torque(scene.of, 0, scene.motions())]
    }
}
