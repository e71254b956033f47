//! Angular momentum of the mechanism, and its change.

use super::observer::relative;
use super::scene::Scene;
use super::{Baseline, ChannelCard, ErrorScale, Observable, SCALAR, VECTOR, always};
use crate::describe::{Channel, Owner};
use crate::math::vector::length;
use crate::real::Real;

/// Space axes, about the mass centre of a free body or the fixed point (kg m²/s).
pub struct AngularMomentum;

impl Channel {
    pub const ANGULAR_MOMENTUM: Channel = Channel::of(Owner::Mechanism, "angular_momentum");
}

impl Observable for AngularMomentum {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::ANGULAR_MOMENTUM,
        unit: "kg m²/s",
        components: VECTOR,
        description: "angular momentum, space axes: about a single body's mass centre or fixed point, else about the space origin",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
        finish: None,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.angular_momentum().to_vec()
    }
}

/// |H - H0| / |H0|.
pub struct AngularMomentumDrift;

impl Channel {
    pub const ANGULAR_MOMENTUM_DRIFT: Channel = Channel::of(Owner::Mechanism, "angular_momentum_drift");
}

impl Observable for AngularMomentumDrift {
    const CARD: ChannelCard = ChannelCard {
        channel: Channel::ANGULAR_MOMENTUM_DRIFT,
        unit: "1",
        components: SCALAR,
        description: "|H - H0| of |H0|, H the angular momentum",
        modes: false,
        scale: ErrorScale::One,
        has: always,
        finish: Some(drift),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.angular_momentum().to_vec()
    }
}

fn drift(n: [f64; 4], start: &Baseline) -> [f64; 4] {
    let h = start.momentum;
    let change = length([n[0] - h[0], n[1] - h[1], n[2] - h[2]]);
    [relative(change, length(h)), 0.0, 0.0, 0.0]
}
