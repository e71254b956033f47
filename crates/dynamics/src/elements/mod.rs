//! Forces, one file each: its card, its named numbers, what it does to bodies, its energy and its
//! dampers.
//!
//! A force is written once, over [`Real`]. Keys of files, JSON Schema, reader, writer, ranges of
//! drawn numbers, reports and drawings come from its card. To add one: write its file, add its line
//! to the registry at the end of this file, and write its plain twin under
//! `crates/reference/src/elements/` for it to be judged by (`docs/adding-an-element.md`). A program
//! that embeds polhode adds forces without any of this: [`own`].

pub mod armature;
pub mod beam_element;
pub mod bushing;
pub mod contacts;
pub mod drag;
pub mod friction;
pub mod generator;
pub mod joint_spring;
pub mod joints;
mod law;
pub mod line_actuator;
pub(crate) mod load_law;
pub mod lock;
mod numbers;
pub mod own;
pub(crate) mod sensing;
pub mod spring;
pub mod stop;
pub mod wheel;

use crate::describe::ForceCard;
use crate::real::Real;

pub use law::{Conditions, Configuration, Coordinates, ForceKind, ForceLaw, Joined, Mounting, Spin, Stretch};
pub use numbers::{Field, Numbers, named};

macro_rules! registry {
    ($($first:ident::$of_first:ident),* ; beam_element ; $($last:ident::$of_last:ident),* $(,)?) => {
        /// The cards of polhode's own forces, in the order in which these act.
        pub const BUILT_IN: &[&ForceCard] = &[
            $(<$first::$of_first<f64> as ForceKind<f64>>::CARD,)*
            $(<$last::$of_last<f64> as ForceKind<f64>>::CARD,)*
        ];

        /// Forces of so many kinds act before beam elements.
        pub const BEFORE_BEAM_ELEMENTS: usize = [$(stringify!($first)),*].len();

        /// The law of a force with the numbers of an instance.
        ///
        /// # Panics
        /// There is no such kind, or the force is attached otherwise than its card says.
        pub fn law<R: Real>(values: &[R], mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
            let card = mounting.force.card;
            $(if *card == *<$first::$of_first<R> as ForceKind<R>>::CARD {
                return $first::$of_first::from_values(values).law(mounting);
            })*
            $(if *card == *<$last::$of_last<R> as ForceKind<R>>::CARD {
                return $last::$of_last::from_values(values).law(mounting);
            })*
            own::law(values, mounting)
        }
    };
}

/// The cards of all forces in the order in which these act: polhode's own, then those of the
/// program around it. From the first call on none is added.
pub fn cards() -> &'static [&'static ForceCard] {
    own::all_cards()
}

/// The place of a kind among [`cards`].
pub fn rank(card: &ForceCard) -> usize {
    cards().iter().position(|other| *other == card).unwrap_or(cards().len())
}

registry! {
    spring::Spring,
    joint_spring::JointSpring,
    stop::Stop,
    bushing::Bushing ;
    beam_element ;
    drag::Drag,
    friction::JointFriction,
    friction::Friction,
    armature::Armature,
    line_actuator::LineActuator,
    wheel::Wheel,
}
