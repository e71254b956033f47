//! The bodies of an instance by their constants, and what holds them.

use super::contact::ContactRows;
use super::joint::JointRows;
use crate::describe::JointCoordinate;
use crate::elements::Coordinates;
use crate::elements::generator::GeneratorRows;
use crate::elements::lock::LockRow;
use crate::kinematics::body::Motion;
use crate::kinematics::deformation::Deformation;
use crate::kinematics::function::Moment;
use crate::kinematics::row::{Mobility, Row};
use crate::math::vector::Vec3;
use crate::real::Real;

/// The constants of a body in one instance.
#[derive(Clone, Debug)]
pub struct BodyConstants<R> {
    /// Principal moments of inertia (kg m²).
    pub inertia: Vec3<R>,
    /// (kg)
    pub mass: R,
    /// The mass centre moves: the body has no fixed point.
    pub moves: bool,
    /// The deformation of a flexible body; `None`: the body is rigid.
    pub deformation: Option<Deformation<R>>,
    /// A rigid body that carries states of laws and momenta of rotors.
    pub carries: bool,
}

impl<R: Real> BodyConstants<R> {
    /// Returns the body's mobility, as it is deformed at `at`. `within`: the step (s) over which
    /// damping is implicit, here that of modes.
    pub fn mobility(&self, at: &Motion<R>, within: Option<R>) -> Mobility<R> {
        let one = self.mass.lift(1.0);
        Mobility {
            inertia: self.inertia.map(|j| one / j),
            mass: one / self.mass,
            yielding: self.deformation.as_ref().map(|body| body.yielding(&at.modal.amplitudes, within)),
            carries: self.carries,
        }
    }
}

/// The constraints that hold the bodies.
pub struct ConstraintSet<R> {
    pub joints: Vec<JointRows<R>>,
    pub generators: Vec<GeneratorRows<R>>,
    pub contacts: Vec<ContactRows<R>>,
    pub locks: Vec<LockRow<R>>,
    /// Numbers that expressions call by position.
    pub constants: Vec<R>,
    /// Near which turns angles are taken.
    pub angles: Vec<(JointCoordinate, R)>,
}

impl<R: Real> ConstraintSet<R> {
    /// All rows at time t (s): of joints, generators, contacts, locks.
    pub fn rows(&self, at: &[Motion<R>], t: R) -> Vec<Row<R>> {
        self.rows_at(at, &Moment::at(t))
    }

    pub(super) fn rows_at(&self, at: &[Motion<R>], now: &Moment<R>) -> Vec<Row<R>> {
        let mut rows = self.rows_besides_locks(at, now);
        rows.extend(self.locks.iter().map(|lock| lock.row(self.coordinate(lock.of, at))));
        rows
    }

    /// Those that a start must satisfy.
    pub fn rows_without_locks(&self, at: &[Motion<R>], t: R) -> Vec<Row<R>> {
        self.rows_besides_locks(at, &Moment::at(t))
    }

    fn rows_besides_locks(&self, at: &[Motion<R>], now: &Moment<R>) -> Vec<Row<R>> {
        let mut rows: Vec<Row<R>> = self.joints.iter().flat_map(|joint| joint.evaluate(at)).collect();
        for generator in &self.generators {
            rows.extend(generator.evaluate(self, at, now, &self.constants));
        }
        for contact in &self.contacts {
            rows.extend(contact.evaluate(at, &self.constants));
        }
        rows
    }

    /// A joint's coordinate.
    pub fn coordinate(&self, measured: JointCoordinate, at: &[Motion<R>]) -> Row<R> {
        let near = self.angles.iter().find(|(angle, _)| *angle == measured).map(|(_, near)| *near);
        self.joints[measured.joint].coordinate(measured.coordinate, at, near)
    }
}

impl<R: Real> Coordinates<R> for ConstraintSet<R> {
    fn coordinate(&self, measured: JointCoordinate, at: &[Motion<R>]) -> Row<R> {
        ConstraintSet::coordinate(self, measured, at)
    }
}
