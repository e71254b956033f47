//! Torques and forces by which generators impose their motion.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, VECTOR};
use crate::describe::{Channel, Mechanism, Owner};
use crate::real::Real;

/// Torque of a generator of an angle (N m).
pub struct DriveTorque;

pub const DRIVE_TORQUE: Channel = Channel::of(Owner::Generator, "drive_torque");

impl Observable for DriveTorque {
    const CARD: ChannelCard = ChannelCard {
        channel: DRIVE_TORQUE,
        unit: "N m",
        components: SCALAR,
        description: "torque of the generator along the joint's angle",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, generator, _| turns(mechanism, generator),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let [torque, ..] = scene.system().drive(scene.of, scene.motions());
        vec![torque]
    }
}

/// Force of a generator of a displacement or a point (N).
pub struct DriveForce;

pub const DRIVE_FORCE: Channel = Channel::of(Owner::Generator, "drive_force");

impl Observable for DriveForce {
    const CARD: ChannelCard = ChannelCard {
        channel: DRIVE_FORCE,
        unit: "N",
        components: VECTOR,
        description: "force of the generator on the joint's second body, along the joint's axis, or on the \
                      point; space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, generator, _| !turns(mechanism, generator),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.system().drive(scene.of, scene.motions()).to_vec()
    }
}

/// Whether a generator imposes an angle.
fn turns(mechanism: &Mechanism, generator: usize) -> bool {
    mechanism.generators[generator].coordinate().is_some_and(|driven| driven.coordinate.is_turn())
}
