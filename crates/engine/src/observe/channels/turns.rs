//! Angles of joints that turn about several axes, and their rates: as [`Coordinate`] defines them.

use super::coordinate::has;
use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR};
use crate::describe::{Channel, Coordinate, Owner};
use crate::real::Real;

macro_rules! turns {
    ($($angle:ident, $rate:ident: $of:expr, $name:literal, $name_of_rate:literal, $which:literal;)*) => {$(
        #[doc = concat!($which, " (rad).")]
        pub struct $angle;

        impl Observable for $angle {
            const CARD: ChannelCard = ChannelCard {
                channel: Channel::of(Owner::Joint, $name),
                unit: "rad",
                components: SCALAR,
                description: $which,
                modes: false,
                scale: ErrorScale::Range,
                has: |mechanism, joint, _| has(mechanism, joint, $of),
            };

            fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
                vec![scene.coordinate($of).violation]
            }
        }

        #[doc = concat!("Rate of ", $name, " (rad/s).")]
        pub struct $rate;

        impl Observable for $rate {
            const CARD: ChannelCard = ChannelCard {
                channel: Channel::of(Owner::Joint, $name_of_rate),
                unit: "rad/s",
                components: SCALAR,
                description: concat!("rate of ", $name),
                modes: false,
                scale: ErrorScale::Size,
                has: |mechanism, joint, _| has(mechanism, joint, $of),
            };

            fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
                vec![scene.coordinate($of).rate(scene.motions())]
            }
        }
    )*};
}

turns! {
    AngleA, AngleARate: Coordinate::AngleA, "angle_a", "angle_a_rate",
        "turn of the joint's cross about the axis in body A";
    AngleB, AngleBRate: Coordinate::AngleB, "angle_b", "angle_b_rate",
        "turn of body B about the joint's cross, about the axis in body B";
    AngleX, AngleXRate: Coordinate::AngleX, "angle_x", "angle_x_rate",
        "first turn of a ball joint, about x of body A";
    AngleY, AngleYRate: Coordinate::AngleY, "angle_y", "angle_y_rate",
        "second turn of a ball joint, about y as the first leaves it, within a quarter turn";
    AngleZ, AngleZRate: Coordinate::AngleZ, "angle_z", "angle_z_rate",
        "third turn of a ball joint, about z of body B";
}

/// The coordinate of a joint that a channel is; `None`: it is none.
pub fn coordinate(channel: Channel) -> Option<Coordinate> {
    let is_name = |coordinate: &Coordinate| Channel::of(Owner::Joint, coordinate.name()) == channel;
    Coordinate::ALL.into_iter().find(is_name)
}
