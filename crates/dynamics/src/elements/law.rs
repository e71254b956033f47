//! The law of a force: the trait that every force implements, and the configuration and conditions
//! it depends on.

use crate::describe::{Force, ForceCard, JointCoordinate};
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::function::FunctionInputs;
use crate::kinematics::row::Row;
use crate::kinematics::side::Side;
use crate::math::quaternion::Quat;
use crate::math::vector::Vec3;
use crate::real::Real;

use super::numbers::Numbers;

/// The coordinates of joints.
pub trait Coordinates<R: Real> {
    /// The row of a joint's coordinate: its value is the violation (rad or m), its rate that of the
    /// row.
    fn coordinate(&self, of: JointCoordinate, at: &[Motion<R>]) -> Row<R>;
}

/// The bodies as a force finds them.
pub struct Configuration<'a, R> {
    /// Positions and attitudes, with velocities of their own.
    pub at: &'a [Motion<R>],
    /// Those positions with the velocities that are being advanced.
    pub moving: &'a [Motion<R>],
    /// The coordinates of joints.
    pub joints: &'a dyn Coordinates<R>,
}

/// Everything besides positions that a force depends on.
pub struct Conditions<'a, R> {
    /// The positions of [`Configuration::at`] with the velocities that dampers see: those of
    /// [`Configuration::moving`], and zero where dampers are implicit over the step.
    pub rates: &'a [Motion<R>],
    /// True: the step adds [`ForceLaw::dampers`] by itself, so [`ForceLaw::act`] leaves them out.
    pub implicit: bool,
    /// The positions of [`Configuration::at`] with the velocities that laws feel, as in `inputs`.
    pub felt: &'a [Motion<R>],
    /// Time (s), the constants of the mechanism, and what its laws know of the motion: all that
    /// expressions use. Their velocities are those in the middle of the step where dampers are
    /// implicit over it, as far as they are known before it is taken.
    pub inputs: FunctionInputs<'a, R>,
}

/// A force of an instance.
pub trait ForceLaw<R: Real> {
    /// Adds what it does to the bodies, its dampers included unless these are implicit over the
    /// step.
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]);

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
    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let _ = configuration;
        Vec::new()
    }

    /// Whether it has inertia of its own.
    fn is_inertial(&self) -> bool {
        false
    }

    /// Its inertia: rows that resist acceleration ([`Damper::inertia`]).
    fn inertias(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let _ = configuration;
        Vec::new()
    }

    /// Kinetic energy of that (J), with the velocities of [`Configuration::moving`]; `None`: it has
    /// none.
    fn kinetic(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let _ = configuration;
        None
    }

    /// Where a force along a line stands, for its channels; `None`: it has none.
    fn stretch(&self, configuration: &Configuration<'_, R>) -> Option<Stretch<R>> {
        let _ = configuration;
        None
    }

    /// Spin of a rotor; `None`: it is none.
    fn spin(&self, motions: &[Motion<R>]) -> Option<Spin<R>> {
        let _ = motions;
        None
    }

    /// Torque of a rotor's motor (N m), of bodies that move so; `None`: it is no rotor.
    fn motor(&self, motions: &[Motion<R>], inputs: &FunctionInputs<'_, R>) -> Option<R> {
        let _ = (motions, inputs);
        None
    }

    /// Gives a rotor the momentum with which it starts, bodies moving so.
    fn start(&self, motions: &mut [Motion<R>]) {
        let _ = motions;
    }

    /// Potential energy (J); `None`: it has none.
    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let _ = configuration;
        None
    }
}

/// A rotor in its motion.
pub struct Spin<R> {
    /// Against its body (rad/s).
    pub speed: R,
    /// Along its axis (N m s), the part from the body's rotation included.
    pub momentum: R,
    /// Its axis, space axes: a unit vector.
    pub along: Vec3<R>,
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
pub trait ForceKind<R: Real>: Numbers<R> {
    /// All that files, reports and drawings need to know of the kind.
    const CARD: &'static ForceCard;

    /// The law with these numbers, where the force is mounted.
    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>>;
}

/// Where a force of an instance is mounted.
pub struct Mounting<'a, R> {
    /// As it is described.
    pub force: &'a Force,
    /// The bodies or the joint between which it acts.
    pub joined: Joined<R>,
    /// Whether any number that [loses](crate::describe::force::Role::Loses) energy is anything but
    /// 0 in any instance.
    pub damped: bool,
    /// The body that carries a rotor's momentum, and which of the rates that it carries this is.
    pub carried: Option<(usize, usize)>,
}

/// The bodies or the joint between which a force acts.
pub enum Joined<R> {
    /// Two points, each with its frame.
    Sides(Box<[Side<R>; 2]>),
    /// A joint's coordinate.
    Coordinate(JointCoordinate),
    /// One body.
    Body {
        body: usize,
        /// From the fixed point to the mass centre, principal axes (m); `None`: the body has no
        /// fixed point.
        arm: Option<Vec3<R>>,
        /// Principal axes to the user's; `None`: they are the same.
        principal: Option<Quat<R>>,
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
            Joined::Body { body, arm, .. } => (body, arm),
            Joined::Sides(_) | Joined::Coordinate(_) => panic!("the force acts on no single body"),
        }
    }
}
