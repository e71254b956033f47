//! Energy of the mechanism, and its change.

use super::baseline::{is_something, relative};
use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, always};
use crate::describe::{Channel, Owner};
use crate::real::Real;

/// Kinetic, gravitational and elastic energy (J).
pub struct MechanicalEnergy;

pub const ENERGY: Channel = Channel::of(Owner::Mechanism, "energy");

impl Observable for MechanicalEnergy {
    const CARD: ChannelCard = ChannelCard {
        channel: ENERGY,
        unit: "J",
        components: SCALAR,
        description: "kinetic, gravitational and elastic energy",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![energy(scene)]
    }
}

/// (E - E0) / (T0 + |V0|).
pub struct EnergyDrift;

pub const ENERGY_DRIFT: Channel = Channel::of(Owner::Mechanism, "energy_drift");

impl Observable for EnergyDrift {
    const CARD: ChannelCard = ChannelCard {
        channel: ENERGY_DRIFT,
        unit: "1",
        components: SCALAR,
        description: "change of the energy since the start, of T0 + |V0|",
        modes: false,
        scale: ErrorScale::One,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let start = scene.start();
        vec![relative(energy(scene) - start.energy, start.energy_scale)]
    }

    fn defined<R: Real>(scene: &Scene<'_, R>) -> Option<R> {
        Some(is_something(scene.start().energy_scale))
    }
}

fn energy<R: Real>(scene: &Scene<'_, R>) -> R {
    let energy = scene.energy();
    energy.kinetic(scene.motions()) + energy.potential(scene.motions())
}
