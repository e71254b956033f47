//! Forces, one file each: its card, its named numbers, what it does to bodies, its energy and its dampers.
//!
//! A force is written once, over [`Real`]. Keys of files, JSON Schema, reader, writer, ranges of drawn numbers, reports and drawings come
//! from its card. To add one: write its file, add its line to the registry at the end of this file, and write its plain twin under
//! `src/reference/elements/` for it to be judged by (`docs/adding-an-element.md`).

pub mod armature;
pub mod beam_element;
pub mod bushing;
pub mod contacts;
pub mod drag;
pub mod friction;
pub mod joint_spring;
pub mod joints;
pub mod spring;
pub mod stop;

use crate::describe::force::NumberKey;
use crate::describe::{Force, ForceCard, JointCoordinate};
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::row::Row;
use crate::kinematics::side::Side;
use crate::math::vector::Vec3;
use crate::real::Real;

/// The coordinates of joints.
pub trait Coordinates<R: Real> {
    /// The row of a joint's coordinate: its value is the violation (rad or m), its rate that of the row.
    fn coordinate(&self, of: JointCoordinate, at: &[Motion<R>]) -> Row<R>;
}

/// Where a force looks at the bodies.
pub struct Seen<'a, R> {
    /// Positions and attitudes, with velocities of their own.
    pub at: &'a [Motion<R>],
    /// The same positions with the velocities that are being advanced.
    pub moving: &'a [Motion<R>],
    pub joints: &'a dyn Coordinates<R>,
}

/// What a force sees besides positions.
pub struct Now<'a, R> {
    /// The positions of [`Seen::at`] with the velocities that dampers see: those of [`Seen::moving`], and zero where dampers are implicit
    /// over the step.
    pub rates: &'a [Motion<R>],
    /// What [`Acts::dampers`] gives acts over the step besides.
    pub implicit: bool,
    /// (s)
    pub t: R,
    /// What expressions call by name.
    pub constants: &'a [R],
}

/// A force of an instance.
pub trait Acts<R: Real> {
    /// Adds what it does to the bodies, its dampers included unless these are implicit over the step.
    fn act(&self, seen: &Seen<'_, R>, now: &Now<'_, R>, wrenches: &mut [Wrench<R>]);

    /// Whether [`Self::act`] does anything; `implicit`: where dampers are implicit.
    fn acts(&self, implicit: bool) -> bool {
        let _ = implicit;
        true
    }

    /// Whether it damps in any instance.
    fn is_damped(&self) -> bool {
        false
    }

    /// Its dampers, for a step over which they are implicit.
    fn dampers(&self, seen: &Seen<'_, R>) -> Vec<Damper<R>> {
        let _ = seen;
        Vec::new()
    }

    /// Whether it has inertia of its own.
    fn is_inertial(&self) -> bool {
        false
    }

    /// Its inertia: rows that resist acceleration ([`Damper::inertia`]).
    fn inertias(&self, seen: &Seen<'_, R>) -> Vec<Damper<R>> {
        let _ = seen;
        Vec::new()
    }

    /// Kinetic energy of that (J), with the velocities of [`Seen::moving`]; `None`: it has none.
    fn kinetic(&self, seen: &Seen<'_, R>) -> Option<R> {
        let _ = seen;
        None
    }

    /// Where a force along a line stands, for its channels; `None`: it has none.
    fn stretch(&self, seen: &Seen<'_, R>) -> Option<Stretch<R>> {
        let _ = seen;
        None
    }

    /// Potential energy (J); `None`: it has none.
    fn energy(&self, seen: &Seen<'_, R>) -> Option<R> {
        let _ = seen;
        None
    }
}

/// A force along the line between two points, where it stands.
pub struct Stretch<R> {
    /// Distance of the points (m).
    pub length: R,
    /// (m/s)
    pub rate: R,
    /// With its damper (N); positive pushes apart.
    pub force: R,
    /// From A to B, a unit vector.
    pub along: Vec3<R>,
}

/// A kind of force, implemented by the struct of its numbers.
pub trait Kind<R: Real>: Sized {
    const CARD: &'static ForceCard;

    /// From the numbers of an instance, in the order of the card.
    fn from_values(values: &[R]) -> Self;

    /// The force with these numbers.
    fn acting(self, made: Made<'_, R>) -> Box<dyn Acts<R>>;
}

/// What a force of an instance is made of besides its numbers.
pub struct Made<'a, R> {
    pub force: &'a Force,
    pub joined: Joined<R>,
    /// Whether any number that [loses](crate::describe::force::Role::Loses) energy is anything but 0 in any instance.
    pub damped: bool,
}

/// What a force joins.
pub enum Joined<R> {
    Sides(Box<[Side<R>; 2]>),
    Coordinate(JointCoordinate),
    Body {
        body: usize,
        /// From the fixed point to the mass centre, principal axes (m); `None`: the body has no fixed point.
        arm: Option<Vec3<R>>,
    },
}

impl<R> Joined<R> {
    /// The two sides of a force between points.
    ///
    /// # Panics
    /// It is attached otherwise than its card says.
    pub fn sides(self) -> [Side<R>; 2] {
        match self {
            Joined::Sides(sides) => *sides,
            Joined::Coordinate(_) | Joined::Body { .. } => panic!("the force acts between no points"),
        }
    }

    /// The coordinate of a force at a joint.
    ///
    /// # Panics
    /// It is attached otherwise than its card says.
    pub fn coordinate(self) -> JointCoordinate {
        match self {
            Joined::Coordinate(of) => of,
            Joined::Sides(_) | Joined::Body { .. } => panic!("the force acts at no joint"),
        }
    }

    /// Body and arm of a force on one body.
    ///
    /// # Panics
    /// It is attached otherwise than its card says.
    pub fn body(self) -> (usize, Option<Vec3<R>>) {
        match self {
            Joined::Body { body, arm } => (body, arm),
            Joined::Sides(_) | Joined::Coordinate(_) => panic!("the force acts on no single body"),
        }
    }
}

/// One number or three: a field of the struct of a force's numbers.
pub trait Field<R>: Copy {
    const COUNT: usize;

    /// From the next values.
    fn take(values: &mut impl Iterator<Item = R>) -> Self;

    /// On to the values.
    fn put(self, values: &mut Vec<R>);
}

/// Fewer values than the card has.
const TOO_FEW: &str = "an instance has all numbers of its forces";

impl<R: Real> Field<R> for R {
    const COUNT: usize = 1;

    fn take(values: &mut impl Iterator<Item = R>) -> R {
        values.next().expect(TOO_FEW)
    }

    fn put(self, values: &mut Vec<R>) {
        values.push(self);
    }
}

impl<R: Real> Field<R> for [R; 3] {
    const COUNT: usize = 3;

    fn take(values: &mut impl Iterator<Item = R>) -> [R; 3] {
        [(); 3].map(|()| values.next().expect(TOO_FEW))
    }

    fn put(self, values: &mut Vec<R>) {
        values.extend(self);
    }
}

/// A key with its name and count.
const fn named(name: &'static str, count: usize, doc: &'static str, key: NumberKey) -> NumberKey {
    NumberKey { name, count, doc, ..key }
}

/// The struct of a force's numbers and the keys of its card from one list: `field: type = key, "meaning";`.
macro_rules! numbers {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $key:expr, $doc:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<R> {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl<R: $crate::real::Real> $name<R> {
            /// The keys of its numbers.
            pub const KEYS: &'static [$crate::describe::force::NumberKey] = &[$($crate::elements::named(
                stringify!($field),
                <$type as $crate::elements::Field<R>>::COUNT,
                $doc,
                $key,
            )),*];

            fn of_values(values: &[R]) -> Self {
                let mut values = values.iter().copied();
                $name { $($field: $crate::elements::Field::take(&mut values)),* }
            }
        }

        impl $name<f64> {
            /// A force of a mechanism with these numbers.
            pub fn force(
                self,
                name: impl Into<String>,
                attached: $crate::describe::Attached,
            ) -> $crate::describe::Force {
                let mut values = Vec::new();
                $($crate::elements::Field::<f64>::put(self.$field, &mut values);)*
                let card = <$name<f64> as $crate::elements::Kind<f64>>::CARD;
                $crate::describe::Force::new(card, name, attached, values)
            }
        }
    };
}
pub(crate) use numbers;

macro_rules! registry {
    ($($first:ident::$of_first:ident),* ; beam_element ; $($last:ident::$of_last:ident),* $(,)?) => {
        /// The cards of all forces, in the order in which these act.
        pub const CARDS: &[&ForceCard] = &[
            $(<$first::$of_first<f64> as Kind<f64>>::CARD,)*
            $(<$last::$of_last<f64> as Kind<f64>>::CARD,)*
        ];

        /// Forces of so many kinds act before beam elements.
        pub const BEFORE_BEAM_ELEMENTS: usize = [$(stringify!($first)),*].len();

        /// The force of an instance with these numbers.
        ///
        /// # Panics
        /// There is no such kind, or the force is attached otherwise than its card says.
        pub fn acting<R: Real>(values: &[R], made: Made<'_, R>) -> Box<dyn Acts<R>> {
            let card = made.force.card;
            $(if *card == *<$first::$of_first<R> as Kind<R>>::CARD {
                return $first::$of_first::from_values(values).acting(made);
            })*
            $(if *card == *<$last::$of_last<R> as Kind<R>>::CARD {
                return $last::$of_last::from_values(values).acting(made);
            })*
            panic!("there is no force of the kind {}", card.table)
        }
    };
}

/// The place of a kind among [`CARDS`].
pub fn rank(card: &ForceCard) -> usize {
    CARDS.iter().position(|other| *other == card).unwrap_or(CARDS.len())
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
}
