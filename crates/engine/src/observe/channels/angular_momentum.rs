//! Angular momentum of the mechanism, and its change.

use super::baseline::{is_something, relative};
use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::math::vector::{length, sub};
use crate::real::Real;

/// Space axes, about the mass centre of a free body or the fixed point (kg m²/s).
pub struct AngularMomentum;

pub const ANGULAR_MOMENTUM: Channel = Channel::of(Owner::Mechanism, "angular_momentum");

impl Observable for AngularMomentum {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGULAR_MOMENTUM,
        unit: "kg m²/s",
        components: VECTOR,
        description: "angular momentum, space axes: about a single body's mass centre or fixed point, else \
                      about the space origin",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.angular_momentum().to_vec()
    }
}

/// Space axes, about the mass centre of all bodies (kg m²/s).
pub struct AngularMomentumAboutCentre;

pub const ANGULAR_MOMENTUM_ABOUT_CENTRE: Channel =
    Channel::of(Owner::Mechanism, "angular_momentum_about_centre");

impl Observable for AngularMomentumAboutCentre {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGULAR_MOMENTUM_ABOUT_CENTRE,
        unit: "kg m²/s",
        components: VECTOR,
        description: "angular momentum of all bodies about the mass centre of all, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, _, _| mechanism.bodies.iter().all(|body| body.flexible.is_none()),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.angular_momentum_about_centre().to_vec()
    }
}

/// |H - H0| / |H0|.
pub struct AngularMomentumDrift;

pub const ANGULAR_MOMENTUM_DRIFT: Channel = Channel::of(Owner::Mechanism, "angular_momentum_drift");

impl Observable for AngularMomentumDrift {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGULAR_MOMENTUM_DRIFT,
        unit: "1",
        components: SCALAR,
        description: "|H - H0| of |H0|, H the angular momentum",
        modes: false,
        scale: ErrorScale::One,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let start = scene.start().momentum;
        vec![relative(length(sub(scene.angular_momentum(), start)), length(start))]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(is_something(length(scene.start().momentum)))
    }
}
