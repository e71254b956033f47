//! Momenta of groups of bodies.
//!
//! With the mass centre r_b of body b, its velocity v_b, and the angular momentum H_b about it:
//!
//! ```text
//! P = sum m_b v_b ;   H = sum H_b + m_b (r_b - r) x (v_b - v),   r = sum m_b r_b / m,   v = P / m
//! ```

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// P of a group, space axes (kg m/s).
pub struct GroupLinearMomentum;

pub const GROUP_LINEAR_MOMENTUM: Channel = Channel::of(Owner::Group, "linear_momentum");

impl Observable for GroupLinearMomentum {
    const CARD: ChannelCard = ChannelCard {
        channel: GROUP_LINEAR_MOMENTUM,
        unit: "kg m/s",
        components: VECTOR,
        description: "linear momentum of the group's bodies, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.momenta_of_group()[0].to_vec()
    }
}

/// H of a group, space axes (kg m²/s).
pub struct GroupAngularMomentum;

pub const GROUP_ANGULAR_MOMENTUM: Channel = Channel::of(Owner::Group, "angular_momentum");

impl Observable for GroupAngularMomentum {
    const CARD: ChannelCard = ChannelCard {
        channel: GROUP_ANGULAR_MOMENTUM,
        unit: "kg m²/s",
        components: VECTOR,
        description: "angular momentum of the group's bodies, with wheels on them, about their mass centre, \
                      space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.momenta_of_group()[1].to_vec()
    }
}
