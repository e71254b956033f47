//! When locks caught and let go, and what they hold.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::model::memory::Memory;
use crate::real::Real;

/// When a lock caught (s); NaN before.
pub struct Caught;

pub const CAUGHT: Channel = Channel::of(Owner::Lock, "caught");

impl Observable for Caught {
    const CARD: ChannelCard = ChannelCard {
        channel: CAUGHT,
        unit: "s",
        components: SCALAR,
        description: "time at which the lock caught",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.remembered(Memory::Caught(scene.of))]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(has_come(scene.remembered(Memory::Caught(scene.of))))
    }
}

/// When a lock let go (s); NaN before.
pub struct Released;

pub const RELEASED: Channel = Channel::of(Owner::Lock, "released");

impl Observable for Released {
    const CARD: ChannelCard = ChannelCard {
        channel: RELEASED,
        unit: "s",
        components: SCALAR,
        description: "time at which the lock let go",
        modes: false,
        scale: ErrorScale::Range,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.remembered(Memory::Released(scene.of))]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(has_come(scene.remembered(Memory::Released(scene.of))))
    }
}

/// Torque of a lock of an angle (N m).
pub struct LockTorque;

pub const LOCK_TORQUE: Channel = Channel::of(Owner::Lock, "lock_torque");

impl Observable for LockTorque {
    const CARD: ChannelCard = ChannelCard {
        channel: LOCK_TORQUE,
        unit: "N m",
        components: SCALAR,
        description: "torque of the lock along the joint's angle, 0 while it holds nothing",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, lock, _| mechanism.locks[lock].of.coordinate.is_turn(),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().lock_load(scene.of, scene.motions())]
    }
}

/// Force of a lock of a displacement (N).
pub struct LockForce;

pub const LOCK_FORCE: Channel = Channel::of(Owner::Lock, "lock_force");

impl Observable for LockForce {
    const CARD: ChannelCard = ChannelCard {
        channel: LOCK_FORCE,
        unit: "N",
        components: SCALAR,
        description: "force of the lock along the joint's axis, 0 while it holds nothing",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, lock, _| !mechanism.locks[lock].of.coordinate.is_turn(),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.system().lock_load(scene.of, scene.motions())]
    }
}

/// 1 where a time has come, else 0: it is negative before.
fn has_come<R: Real>(time: R) -> R {
    time.select_less(time.lift(0.0), time.lift(0.0), time.lift(1.0))
}
