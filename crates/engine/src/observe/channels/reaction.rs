//! Forces and torques of joints on their bodies.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Force of a joint on body B, space axes (N).
pub struct JointForce;

pub const FORCE: Channel = Channel::of(Owner::Joint, "force");

impl Observable for JointForce {
    const CARD: ChannelCard = ChannelCard {
        channel: FORCE,
        unit: "N",
        components: VECTOR,
        description: "force of the joint on its second body, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.system().reaction(scene.of, scene.motions()).0.to_vec()
    }
}

/// Torque of a joint on body B about its point, space axes (N m).
pub struct Torque;

pub const TORQUE: Channel = Channel::of(Owner::Joint, "torque");

impl Observable for Torque {
    const CARD: ChannelCard = ChannelCard {
        channel: TORQUE,
        unit: "N m",
        components: VECTOR,
        description: "torque of the joint on its second body, about its point there, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.system().reaction(scene.of, scene.motions()).1.to_vec()
    }
}
