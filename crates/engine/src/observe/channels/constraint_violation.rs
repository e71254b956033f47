//! Violation of joints: the amount by which they are open.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// |Phi|, the root of the sum of squares of all joints' violations (m, or 1 for angles).
pub struct ConstraintViolation;

pub const CONSTRAINT_VIOLATION: Channel = Channel::of(Owner::Mechanism, "constraint_violation");

impl Observable for ConstraintViolation {
    const CARD: ChannelCard = ChannelCard {
        channel: CONSTRAINT_VIOLATION,
        unit: "1",
        components: SCALAR,
        description: "root of the sum of squares of all joints' Phi: lengths in m, cosines",
        modes: false,
        scale: ErrorScale::One,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![scene.violation()]
    }
}
