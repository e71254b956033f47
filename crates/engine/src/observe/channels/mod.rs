//! Channels: named numbers per instance and time, computed in f64, on the host from the states that
//! a backend hands back or where these are. One file a channel or a close family, each with its
//! cards.
//!
//! All columns are written over [`Real`], so that they are recorded once ([`ChannelProgram`]) and
//! run for groups of instances.
//!
//! The reader, the names of columns, units, the JSON Schema, the messages and `docs/channels.md`
//! come from the cards. To add a channel, write its file and add its line to the registry at the
//! end of this one (`docs/extending.md`).

mod acceleration;
mod angular_momentum;
mod angular_velocity;
mod attitude;
mod baseline;
mod constraint_violation;
mod contact;
mod coordinate;
mod drive;
mod energy;
mod flexible;
mod group;
mod iterations;
mod lock;
mod observer;
mod outcome;
mod own_steps;
mod point;
mod position;
mod potential_estimate;
mod program;
mod reaction;
mod rotor;
mod scene;
mod signal;
mod spring;
mod turns;

use baseline::Baseline;
pub use baseline::Baselines;
pub use observer::{Observer, Planes};
pub use program::ChannelProgram;
use scene::Scene;

pub use acceleration::{ACCELERATION, ANGLE_ACCELERATION, DISPLACEMENT_ACCELERATION};
pub use angular_momentum::{ANGULAR_MOMENTUM, ANGULAR_MOMENTUM_ABOUT_CENTRE, ANGULAR_MOMENTUM_DRIFT};
pub use angular_velocity::ANGULAR_VELOCITY;
pub use attitude::{ATTITUDE, QUATERNION_NORM_ERROR, TILT};
pub use constraint_violation::CONSTRAINT_VIOLATION;
pub use contact::{CONTACT_FORCE, CONTACT_POINT};
pub use coordinate::{ANGLE, ANGLE_RATE, DISPLACEMENT, DISPLACEMENT_RATE};
pub use drive::{DRIVE_FORCE, DRIVE_TORQUE};
pub use energy::{ENERGY, ENERGY_DRIFT};
pub use flexible::{AMPLITUDE, AMPLITUDE_RATE, DEFLECTION, STRAIN_ENERGY};
pub use group::{GROUP_ANGULAR_MOMENTUM, GROUP_LINEAR_MOMENTUM};
pub use iterations::ITERATIONS;
pub use lock::{CAUGHT, LOCK_FORCE, LOCK_TORQUE, RELEASED};
pub use outcome::{OUTCOME_TIME, OUTCOME_VALUE};
pub use own_steps::{OWN_STEPS, REJECTED_STEPS};
pub use point::{POINT_ACCELERATION, POINT_POSITION, POINT_VELOCITY};
pub use position::{POSITION, VELOCITY};
pub use potential_estimate::POTENTIAL_ESTIMATE;
pub use reaction::{FORCE, TORQUE};
pub use rotor::{MOTOR_TORQUE, ROTOR_MOMENTUM, ROTOR_SPEED};
pub use signal::{SIGNAL_VALUE, STATE_VALUE};
pub use spring::{SPRING_FORCE, SPRING_LENGTH, SPRING_RATE};
pub use turns::coordinate;

use std::borrow::Cow;

use crate::describe::{Channel, Mechanism, ObservedChannel, Owner};
use crate::real::Real;

/// A channel's description.
#[derive(Debug)]
pub struct ChannelCard {
    pub channel: Channel,
    /// SI; `1` for a pure number.
    pub unit: &'static str,
    /// Suffixes of its columns: [`SCALAR`], [`VECTOR`] or its own.
    pub components: &'static [&'static str],
    /// One line, with the axes.
    pub description: &'static str,
    /// Whether it has one channel for each mode.
    pub modes: bool,
    pub scale: ErrorScale,
    /// Whether one of its owners has it: the owner's position, and the mode.
    pub has: fn(&Mechanism, usize, Option<u8>) -> bool,
}

/// The scale that errors of a channel are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorScale {
    /// The range of its numbers, 0 among them.
    Size,
    /// The range of its numbers: 0 is a value like others.
    Range,
    /// 1.
    One,
}

pub const SCALAR: &[&str] = &[""];
pub const VECTOR: &[&str] = &[".x", ".y", ".z"];

/// Returns true: every owner has the channel.
fn always(_: &Mechanism, _: usize, _: Option<u8>) -> bool {
    true
}

/// A channel: its card, and its numbers.
trait Observable {
    const CARD: ChannelCard;

    /// Its columns.
    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R>;

    /// A number above 0 where its columns are defined; elsewhere they become NaN. `None`: they are
    /// defined everywhere. `numbers` must not make the NaN itself: WGSL lets a compiler take for
    /// granted that there is none.
    fn defined<R: Real>(_: &Scene<'_, R>) -> Option<R> {
        None
    }
}

/// One column of numbers: a scalar channel, or one component of a vector channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelColumn {
    pub channel: Channel,
    pub component: usize,
    /// For example `body.angular_velocity.x`.
    pub name: String,
    /// `1` for a pure number.
    pub unit: Cow<'static, str>,
    pub description: &'static str,
}

/// The registry's knowledge of a channel.
pub trait Registered: Copy {
    /// Its card.
    ///
    /// # Panics
    /// If it is none of the registry.
    fn card(self) -> &'static ChannelCard;

    fn unit(self) -> &'static str {
        self.card().unit
    }

    fn description(self) -> &'static str {
        self.card().description
    }

    /// Suffixes of its columns.
    fn components(self) -> &'static [&'static str] {
        self.card().components
    }

    /// Whether it has several columns.
    fn is_vector(self) -> bool {
        self.components().len() > 1
    }

    /// Whether its numbers are of the whole motion: before its end they are not final.
    fn is_of_the_end(self) -> bool;
}

impl Registered for Channel {
    fn card(self) -> &'static ChannelCard {
        let card = CARDS.iter().find(|card| card.channel == self.of_modes());
        card.expect("a channel is one of the registry")
    }

    fn is_of_the_end(self) -> bool {
        [OUTCOME_VALUE, OUTCOME_TIME].contains(&self)
    }
}

/// The channels of this name: one for each kind of owner that has such.
pub fn named(name: &str) -> Vec<Channel> {
    // One name each: not amplitude_07, not amplitude_+7.
    let mode = name.rsplit('_').next().and_then(|number| number.parse().ok());
    let of_card = |card: &&ChannelCard| match (card.modes, mode) {
        (true, Some(mode)) => card.channel.of_mode(mode),
        _ => card.channel,
    };
    let modes = |channel: &Channel| channel.mode().is_some() == channel.card().modes;
    CARDS.iter().map(of_card).filter(|channel| channel.name() == name).filter(modes).collect()
}

/// The names of all channels; of those of modes, the name for mode 0.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for card in CARDS {
        let channel = if card.modes { card.channel.of_mode(0) } else { card.channel };
        if !names.contains(&channel.name().into_owned()) {
            names.push(channel.name().into_owned());
        }
    }
    names
}

/// The positions of those owners in a mechanism that have this channel.
pub fn owners(mechanism: &Mechanism, channel: Channel) -> Vec<usize> {
    let count = match channel.owner() {
        Owner::Mechanism => 1,
        owner => owner.names(mechanism).len(),
    };
    let card = channel.card();
    (0..count).filter(|k| (card.has)(mechanism, *k, channel.mode())).collect()
}

/// One channel of one body, joint, ..., or of the mechanism.
#[derive(Clone, Copy, Debug)]
struct Watched {
    channel: Channel,
    /// 0 for what is of the mechanism.
    of: usize,
}

/// These channels one by one.
fn watched(mechanism: &Mechanism, observed: &[ObservedChannel]) -> Vec<Watched> {
    let each = |ObservedChannel { channel, of }: &ObservedChannel| {
        let owners = of.map_or_else(|| owners(mechanism, *channel), |owner| vec![owner]);
        let channel = *channel;
        owners.into_iter().map(move |of| Watched { channel, of })
    };
    observed.iter().flat_map(each).collect()
}

/// The columns of these channels. Channels of a whole mechanism of several bodies have no prefix.
pub fn columns(mechanism: &Mechanism, observed: &[ObservedChannel]) -> Vec<ChannelColumn> {
    let mut columns = Vec::new();
    for Watched { channel, of } in watched(mechanism, observed) {
        let name = match channel.owner() {
            Owner::Mechanism if mechanism.bodies.len() > 1 => channel.name().into_owned(),
            Owner::Mechanism => channel.name_of(&mechanism.bodies[0].name),
            owner => channel.name_of(owner.names(mechanism)[of]),
        };
        let unit = match channel.owner() {
            Owner::State => mechanism.states[of].unit.clone(),
            Owner::Signal => mechanism.signals[of].unit.clone(),
            Owner::Outcome if channel.is_value() => mechanism.outcomes[of].unit.clone(),
            _ => channel.unit().into(),
        };
        for (component, suffix) in channel.components().iter().enumerate() {
            columns.push(ChannelColumn {
                channel,
                component,
                name: format!("{name}{suffix}"),
                unit: unit.clone(),
                description: channel.description(),
            });
        }
    }
    columns
}

macro_rules! registry {
    ($($module:ident :: $channel:ident),* $(,)?) => {
        /// The cards of all channels, in the order in which they are listed for people.
        pub const CARDS: &[&ChannelCard] = &[$(&$module::$channel::CARD,)*];

        /// The numbers of a channel.
        fn numbers<R: Real>(channel: Channel, scene: &Scene<'_, R>) -> Vec<R> {
            $(if channel.of_modes() == $module::$channel::CARD.channel {
                return $module::$channel::numbers(scene);
            })*
            Vec::new()
        }

        /// Whether the columns of a channel are defined ([`Observable::defined`]).
        fn defined<R: Real>(channel: Channel, scene: &Scene<'_, R>) -> Option<R> {
            $(if channel.of_modes() == $module::$channel::CARD.channel {
                return $module::$channel::defined(scene);
            })*
            None
        }
    };
}

registry! {
    angular_velocity::AngularVelocity,
    attitude::Attitude,
    position::Position,
    position::Velocity,
    energy::MechanicalEnergy,
    energy::EnergyDrift,
    angular_momentum::AngularMomentum,
    angular_momentum::AngularMomentumAboutCentre,
    angular_momentum::AngularMomentumDrift,
    attitude::Tilt,
    attitude::QuaternionNormError,
    constraint_violation::ConstraintViolation,
    potential_estimate::PotentialEstimate,
    own_steps::StepsTaken,
    own_steps::StepsRejected,
    iterations::StepIterations,
    coordinate::Angle,
    coordinate::AngleRate,
    coordinate::Displacement,
    coordinate::DisplacementRate,
    turns::AngleA,
    turns::AngleARate,
    turns::AngleB,
    turns::AngleBRate,
    turns::AngleX,
    turns::AngleXRate,
    turns::AngleY,
    turns::AngleYRate,
    turns::AngleZ,
    turns::AngleZRate,
    reaction::JointForce,
    reaction::Torque,
    drive::DriveTorque,
    drive::DriveForce,
    lock::Caught,
    lock::Released,
    lock::LockTorque,
    lock::LockForce,
    flexible::Deflection,
    flexible::StrainEnergy,
    flexible::Amplitude,
    flexible::AmplitudeRate,
    acceleration::Acceleration,
    acceleration::AngleAcceleration,
    acceleration::DisplacementAcceleration,
    spring::SpringLength,
    spring::SpringRate,
    spring::SpringForce,
    rotor::RotorSpeed,
    rotor::RotorMomentum,
    rotor::MotorTorque,
    contact::ContactForce,
    contact::ContactPoint,
    point::PointPosition,
    point::PointVelocity,
    point::PointAcceleration,
    group::GroupLinearMomentum,
    group::GroupAngularMomentum,
    signal::StateValue,
    signal::SignalValue,
    outcome::OutcomeValue,
    outcome::OutcomeTime,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Owner, name, unit and columns of every channel, as files and readers of tables know them.
    #[test]
    fn every_channel_has_its_unit_and_its_columns() {
        use Owner::{
            Body, Contact, Generator, Group, Joint, Lock, Mechanism, Outcome, Point, Rotor, Signal, Spring,
            State,
        };
        let known: &[(Owner, &str, &str, usize)] = &[
            (Body, "angular_velocity", "rad/s", 3),
            (Body, "attitude", "1", 4),
            (Body, "position", "m", 3),
            (Body, "velocity", "m/s", 3),
            (Mechanism, "energy", "J", 1),
            (Mechanism, "energy_drift", "1", 1),
            (Mechanism, "angular_momentum", "kg m²/s", 3),
            (Mechanism, "angular_momentum_about_centre", "kg m²/s", 3),
            (Mechanism, "angular_momentum_drift", "1", 1),
            (Body, "tilt", "rad", 1),
            (Body, "quaternion_norm_error", "1", 1),
            (Mechanism, "constraint_violation", "1", 1),
            (Mechanism, "potential_estimate", "J", 1),
            (Mechanism, "own_steps", "1", 1),
            (Mechanism, "rejected_steps", "1", 1),
            (Mechanism, "iterations", "1", 3),
            (Joint, "angle", "rad", 1),
            (Joint, "angle_rate", "rad/s", 1),
            (Joint, "displacement", "m", 1),
            (Joint, "displacement_rate", "m/s", 1),
            (Joint, "angle_a", "rad", 1),
            (Joint, "angle_a_rate", "rad/s", 1),
            (Joint, "angle_b", "rad", 1),
            (Joint, "angle_b_rate", "rad/s", 1),
            (Joint, "angle_x", "rad", 1),
            (Joint, "angle_x_rate", "rad/s", 1),
            (Joint, "angle_y", "rad", 1),
            (Joint, "angle_y_rate", "rad/s", 1),
            (Joint, "angle_z", "rad", 1),
            (Joint, "angle_z_rate", "rad/s", 1),
            (Joint, "force", "N", 3),
            (Joint, "torque", "N m", 3),
            (Generator, "drive_torque", "N m", 1),
            (Generator, "drive_force", "N", 3),
            (Lock, "caught", "s", 1),
            (Lock, "released", "s", 1),
            (Lock, "lock_torque", "N m", 1),
            (Lock, "lock_force", "N", 1),
            (Body, "deflection", "m", 3),
            (Body, "strain_energy", "J", 1),
            (Body, "amplitude", "1", 1),
            (Body, "amplitude_rate", "1/s", 1),
            (Body, "acceleration", "m/s²", 3),
            (Joint, "angle_acceleration", "rad/s²", 1),
            (Joint, "displacement_acceleration", "m/s²", 1),
            (Spring, "length", "m", 1),
            (Spring, "rate", "m/s", 1),
            (Spring, "force", "N", 1),
            (Rotor, "speed", "rad/s", 1),
            (Rotor, "momentum", "N m s", 1),
            (Rotor, "torque", "N m", 1),
            (Contact, "contact_force", "N", 3),
            (Contact, "contact_point", "m", 3),
            (Point, "position", "m", 3),
            (Point, "velocity", "m/s", 3),
            (Point, "acceleration", "m/s²", 3),
            (Group, "linear_momentum", "kg m/s", 3),
            (Group, "angular_momentum", "kg m²/s", 3),
            (State, "value", "1", 1),
            (Signal, "value", "1", 1),
            (Outcome, "value", "1", 1),
            (Outcome, "time", "s", 1),
        ];
        for (owner, name, unit, columns) in known {
            let channel = Channel::of(*owner, name);
            assert_eq!((channel.unit(), channel.components().len()), (*unit, *columns), "{name}");
        }
        for card in CARDS {
            let (owner, name) = (card.channel.owner(), card.channel.name());
            let listed = known.iter().any(|(known_owner, known, ..)| *known_owner == owner && *known == name);
            assert!(listed, "{name} of {owner:?} has no unit in this test");
            assert!(!card.description.is_empty(), "{name}");
            let same = CARDS.iter().filter(|other| other.channel == card.channel);
            assert_eq!(same.count(), 1, "{name} of {owner:?}");
        }
    }

    #[test]
    fn channels_are_named_in_one_way() {
        assert_eq!(named("amplitude_rate_7"), [AMPLITUDE_RATE.of_mode(7)]);
        for none in ["amplitude", "amplitude_07", "amplitude_+7", "amplitude_256", "angle_0", "pace"] {
            assert_eq!(named(none), [], "{none}");
        }
        for name in names() {
            assert!(named(&name).iter().all(|channel| channel.name() == name), "{name}");
        }
    }
}
