//! Deformation of flexible bodies.

use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, VECTOR};
use crate::describe::{Channel, Mechanism, Owner};
use crate::kinematics::deformation::Deformation;
use crate::real::Real;

/// Deflection of a flexible body: the displacement of its watched point against the floating frame,
/// body axes (m).
pub struct Deflection;

pub const DEFLECTION: Channel = Channel::of(Owner::Body, "deflection");

impl Observable for Deflection {
    const CARD: ChannelCard = ChannelCard {
        channel: DEFLECTION,
        unit: "m",
        components: VECTOR,
        description: "displacement of the watched point against the body's floating frame, body axes",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, body, _| mechanism.bodies[body].modes() > 0,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        scene.deflection().to_vec()
    }
}

/// Strain energy of a flexible body (J).
pub struct StrainEnergy;

pub const STRAIN_ENERGY: Channel = Channel::of(Owner::Body, "strain_energy");

impl Observable for StrainEnergy {
    const CARD: ChannelCard = ChannelCard {
        channel: STRAIN_ENERGY,
        unit: "J",
        components: SCALAR,
        description: "strain energy of the body",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, body, _| mechanism.bodies[body].modes() > 0,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        let strain = |body: &Deformation<R>| body.strain(&scene.motion().modal.amplitudes);
        vec![scene.energy().deformations[scene.of].as_ref().map_or(scene.zero(), strain)]
    }
}

/// Modal coordinate of one mode.
pub struct Amplitude;

pub const AMPLITUDE: Channel = Channel::of(Owner::Body, "amplitude");

impl Observable for Amplitude {
    const CARD: ChannelCard = ChannelCard {
        channel: AMPLITUDE,
        unit: "1",
        components: SCALAR,
        description: "modal coordinate, in the unit that the mode's shape gives it",
        modes: true,
        scale: ErrorScale::Size,
        has: has_mode,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![of_mode(scene, &scene.motion().modal.amplitudes)]
    }
}

/// Its rate.
pub struct AmplitudeRate;

pub const AMPLITUDE_RATE: Channel = Channel::of(Owner::Body, "amplitude_rate");

impl Observable for AmplitudeRate {
    const CARD: ChannelCard = ChannelCard {
        channel: AMPLITUDE_RATE,
        unit: "1/s",
        components: SCALAR,
        description: "rate of the modal coordinate, in that unit a second",
        modes: true,
        scale: ErrorScale::Size,
        has: has_mode,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![of_mode(scene, &scene.motion().modal.rates)]
    }
}

/// Whether a body has this mode.
fn has_mode(mechanism: &Mechanism, body: usize, mode: Option<u8>) -> bool {
    mechanism.bodies[body].modes() > mode.map_or(0, usize::from)
}

fn of_mode<R: Real>(scene: &Scene<'_, R>, numbers: &[R]) -> R {
    let mode = scene.mode.map_or(0, usize::from);
    numbers.get(mode).copied().unwrap_or(scene.zero())
}
