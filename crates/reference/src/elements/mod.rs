//! The twins of the engine's forces, one file each, by hand in the reports' notation: they share
//! cards with the engine, and no numerics.

pub mod armature;
pub mod beam_element;
pub mod bushing;
pub mod drag;
pub mod friction;
pub mod joint_spring;
pub mod line_actuator;
pub mod spring;
pub mod stop;
pub mod wheel;

use std::fmt::Debug;
use std::sync::{Arc, PoisonError, RwLock};

use nalgebra::{DVector, Vector3};

use super::body::{Motion, RigidBody};
use super::function::Given;
use super::series::Series;
use polhode_description::describe::{Expression, Force};

/// Force, torque and modal forces on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// Which body.
    pub body: usize,
    /// Space axes (N).
    pub force: Vector3<f64>,
    /// About the pivot, body axes (N m).
    pub torque: Vector3<f64>,
    /// With each mode of the body.
    pub modal: DVector<f64>,
}

/// A force on bodies.
pub trait Pushing: Debug + Send + Sync {
    /// Returns its forces on the bodies, which move as `moving` says: positions and attitudes of
    /// one chain, velocities of another.
    fn pushes(&self, bodies: &[RigidBody], moving: &[Motion]) -> Vec<Push>;

    /// By how much that changes, to the first order, with velocities that change by those of
    /// `change`; `None`: it is linear in the velocities.
    fn change(&self, bodies: &[RigidBody], moving: &[Motion], change: &[Motion]) -> Option<Vec<Push>> {
        let _ = (bodies, moving, change);
        None
    }

    /// Loads that it puts on bodies besides, by functions of time and motion: laws feel the
    /// velocities of `felt`, as `given` does.
    fn driven(&self, bodies: &[RigidBody], at: &[Motion], felt: &[Motion], given: &Given) -> Vec<Push> {
        let _ = (bodies, at, felt, given);
        Vec::new()
    }

    /// Rate against its body (rad/s) and momentum (N m s) of a rotor; `None`: it is none.
    fn spin(&self, motions: &[Motion]) -> Option<[f64; 2]> {
        let _ = motions;
        None
    }

    /// Angular momentum of its own, space axes (kg m²/s).
    fn momentum(&self, motions: &[Motion]) -> Vector3<f64> {
        let _ = motions;
        Vector3::zeros()
    }

    /// Gives a rotor the momentum with which it starts, bodies moving so.
    fn start(&self, motions: &mut [Motion]) {
        let _ = motions;
    }

    /// Its functions of time and motion.
    fn functions(&self) -> Vec<&Expression> {
        Vec::new()
    }

    /// V, and kinetic energy of its own (J).
    fn energy(&self, motions: &[Motion]) -> f64 {
        let _ = motions;
        0.0
    }
}

/// A force at a joint's coordinate s: `Q B^T`, B the coordinate's derivative by the velocities.
pub trait AtCoordinate: Debug + Send + Sync {
    /// Q (N m or N). `s`: value at the positions, rate with the velocities that dampers see.
    fn force(&self, s: Series<f64>, given: &Given) -> f64;

    /// `-dQ/dsdot` where the coordinate is s (N m s/rad or N s/m).
    fn resistance(&self, s: Series<f64>) -> f64;

    /// Inertia along s (kg m² or kg), besides that of the bodies.
    fn inertia(&self) -> f64 {
        0.0
    }

    /// V, and kinetic energy of its own inertia (J).
    fn energy(&self, s: Series<f64>) -> f64 {
        let _ = s;
        0.0
    }

    /// Its functions of time and motion.
    fn functions(&self) -> Vec<&Expression> {
        Vec::new()
    }

    /// Where its force is not smooth.
    fn limits(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// A force of an instance.
#[derive(Clone, Debug)]
pub enum Twin {
    /// A force on bodies.
    Pushing(Arc<dyn Pushing>),
    /// With the position of its coordinate in the system's list.
    AtCoordinate(usize, Arc<dyn AtCoordinate>),
}

/// From a force with the numbers of an instance, the bodies, and the position of its coordinate, if
/// it has one, or of a rotor's momentum among what the
/// [carrier](polhode_description::describe::Mechanism::carrier) carries.
pub type MakeTwin = fn(&Force, &[RigidBody], usize) -> Twin;

impl Twin {
    /// A force on bodies.
    pub fn pushing(twin: impl Pushing + 'static) -> Twin {
        Twin::Pushing(Arc::new(twin))
    }

    /// A force at a joint's coordinate, whose position in the system's list [`MakeTwin`] is given.
    pub fn at(coordinate: usize, twin: impl AtCoordinate + 'static) -> Twin {
        Twin::AtCoordinate(coordinate, Arc::new(twin))
    }
}

/// The twins by the tables of their kinds: those that act before beam elements.
pub const FIRST: &[(&str, MakeTwin)] = &[
    ("spring", |force, bodies, _| Twin::pushing(spring::Spring::new(force, bodies))),
    ("joint_spring", |force, _, s| Twin::at(s, joint_spring::JointSpring::new(force))),
    ("stop", |force, _, s| Twin::at(s, stop::Stop::new(force))),
    ("bushing", |force, bodies, _| Twin::pushing(bushing::Bushing::new(force, bodies))),
];

/// Those that act after them.
const LAST: &[(&str, MakeTwin)] = &[
    ("drag", |force, _, _| Twin::pushing(drag::Drag::new(force))),
    ("joint_friction", |force, _, s| Twin::at(s, friction::JointFriction::new(force))),
    ("friction", |force, bodies, _| Twin::pushing(friction::Friction::new(force, bodies))),
    ("armature", |force, _, s| Twin::at(s, armature::Armature::new(force))),
    ("line_actuator", |force, bodies, _| Twin::pushing(line_actuator::LineActuator::new(force, bodies))),
    ("wheel", |force, bodies, carried| Twin::pushing(wheel::Wheel::new(force, bodies, carried))),
];

/// Those of forces that a program around polhode has registered.
static OWN: RwLock<Vec<(&'static str, MakeTwin)>> = RwLock::new(Vec::new());

/// Adds the twin of a registered force.
pub fn register(table: &'static str, make: MakeTwin) {
    OWN.write().unwrap_or_else(PoisonError::into_inner).push((table, make));
}

/// All twins that act after beam elements.
pub fn last() -> Vec<(&'static str, MakeTwin)> {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    LAST.iter().chain(own.iter()).copied().collect()
}
