//! Joints as constraints `Phi(q) = 0` of W84 table 6.1, differentiated along the motion by
//! truncated Taylor series.
//!
//! With P the joint's points, `d = P_B - P_A`, and x, y, z the vectors of the two frames, all in
//! space axes:
//!
//! ```text
//! coincidence  P_A - P_B, three rows         on a line  x_A.d, y_A.d         in a plane  z_A.d
//! aligned      x_A.z_B, y_A.z_B              perpendicular  z_A.z_B          unturned    x_A.y_B
//! distance     (d.d - L²)/(2 L)
//! ```
//!
//! Only Phi is written down. A body that keeps its v and w for a time s stands at
//!
//! ```text
//! r(s) = r + s v,   Lam(s) = Lam (I + s w~ + s²/2 w~ w~ + ...)
//! ```
//!
//! (a flexible body's shapes with it, see [`Side::turned`]) and Phi of these series is
//! `Phi + s B u + s²/2 Bdot u + ...`: its first coefficient with one velocity 1 and the others 0 is
//! a column of B, its second is half of `Bdot u`.

use nalgebra::{DVector, Matrix3, UnitQuaternion, Vector3};

use polhode_description::describe::{self, Point};

use super::body::{Motion, RigidBody};
use super::error::ReferenceError;
use super::flexible::Shapes;
use super::rotation::lam;
use super::series::Series;

/// A point and a frame of one side.
#[derive(Clone, Debug)]
pub struct Side {
    /// `None`: the ground.
    pub body: Option<usize>,
    /// From the body's pivot, body axes; of the ground from the space origin (m).
    arm: Vector3<f64>,
    /// x, y, z in the same axes.
    frame: [Vector3<f64>; 3],
    /// Shapes by which the point of a flexible body moves with its modes, and the frame turns.
    shapes: Shapes,
}

/// One joint.
#[derive(Clone, Debug)]
pub struct Joint {
    violation: Violation,
    sides: [Side; 2],
    /// (m)
    length: f64,
}

/// A side in motion, space axes.
struct Moving {
    point: Series<Vector3<f64>>,
    x: Series<Vector3<f64>>,
    y: Series<Vector3<f64>>,
    z: Series<Vector3<f64>>,
}

impl Side {
    /// The side at a point, with its frame by columns in the axes of the body.
    pub fn new(point: &Point, frame: &[[f64; 3]; 3], bodies: &[RigidBody]) -> Side {
        let pivot = point.body.map_or(Vector3::zeros(), |b| bodies[b].pivot());
        let rigid = Shapes { displacement: Vec::new(), rotation: Vec::new() };
        let shapes = point.body.map_or(rigid, |b| bodies[b].shapes(point.at));
        let arm = Vector3::from(point.at) - pivot;
        Side { body: point.body, arm, frame: frame.map(Vector3::from), shapes }
    }

    /// A point that needs no frame.
    pub fn of_point(point: &Point, bodies: &[RigidBody]) -> Side {
        Side::new(point, &[[0.0; 3]; 3], bodies)
    }

    /// z in the axes of the side's body.
    pub(crate) fn own_axis(&self) -> Vector3<f64> {
        self.frame[2]
    }

    /// x, y, z in space axes.
    pub fn axes(&self, motions: &[Motion]) -> [Series<Vector3<f64>>; 3] {
        self.frame.map(|axis| self.turned(axis, motions))
    }

    /// Its body deforms.
    pub(crate) fn is_flexible(&self) -> bool {
        !self.shapes.displacement.is_empty()
    }

    /// The arm in the axes of the side's body (m).
    pub fn arm(&self, motions: &[Motion]) -> Vector3<f64> {
        self.arm + self.body.map_or(Vector3::zeros(), |b| self.shapes.displaced(&motions[b].amplitudes))
    }

    /// Returns the modal forces of a force at the point (body axes), one for each mode of its body.
    pub fn modal(&self, force: Vector3<f64>) -> DVector<f64> {
        self.shapes.work(force, Vector3::zeros())
    }

    /// The frame as it is fixed to the body at the point, orthonormal however the body deforms, by
    /// columns, and its angular velocity (rad/s); space axes.
    pub fn fixed_frame(&self, motions: &[Motion]) -> (Matrix3<f64>, Vector3<f64>) {
        let frame = Matrix3::from_columns(&self.frame);
        let Some(b) = self.body else { return (frame, Vector3::zeros()) };
        let Motion { attitude, angular_velocity, amplitudes, amplitude_rates, .. } = &motions[b];
        let to_space = lam(*attitude);
        let turning = self.shapes.turning(amplitudes, amplitude_rates);
        (to_space * self.shapes.turned(amplitudes) * frame, to_space * (angular_velocity + turning))
    }

    /// Returns the modal forces of a force and a torque (space axes, N, N m) on what is fixed to
    /// the body at the point: for each mode, their power on the velocities that its rate alone
    /// would cause.
    pub fn modal_of(&self, force: Vector3<f64>, torque: Vector3<f64>, motions: &[Motion]) -> DVector<f64> {
        let Some(b) = self.body else { return DVector::zeros(0) };
        let to_body = lam(motions[b].attitude).transpose();
        let (force, torque) = (to_body * force, to_body * torque);
        let n = self.shapes.displacement.len();
        DVector::from_fn(n, |k, _| {
            let alone = DVector::from_fn(n, |i, _| if i == k { 1.0 } else { 0.0 });
            let turning = self.shapes.turning(&motions[b].amplitudes, &alone);
            self.shapes.displacement[k].dot(&force) + turning.dot(&torque)
        })
    }

    /// The point, space axes (m).
    pub fn point(&self, motions: &[Motion]) -> Series<Vector3<f64>> {
        let arm = self.series(self.arm, &self.shapes.displacement, motions);
        let (position, velocity) = self
            .body
            .map_or((Vector3::zeros(), Vector3::zeros()), |b| (motions[b].position, motions[b].velocity));
        Series { value: position + arm.value, rate: velocity + arm.rate, second: arm.second }
    }

    /// A vector fixed in the side's body at its point, turning with it:
    /// `a + sum eta_k theta_k x a`.
    pub fn turned(&self, vector: Vector3<f64>, motions: &[Motion]) -> Series<Vector3<f64>> {
        let columns: Vec<Vector3<f64>> =
            self.shapes.rotation.iter().map(|theta| theta.cross(&vector)).collect();
        self.series(vector, &columns, motions)
    }

    /// `Lam s` of `s = s0 + sum eta_k s_k`, while w and eta' stay: rate `Lam (w x s + s')`, then
    /// `Lam (w x w x s + 2 w x s')`.
    fn series(
        &self,
        vector: Vector3<f64>,
        columns: &[Vector3<f64>],
        motions: &[Motion],
    ) -> Series<Vector3<f64>> {
        match self.body {
            None => Series { value: vector, rate: Vector3::zeros(), second: Vector3::zeros() },
            Some(b) => {
                let Motion { attitude, angular_velocity, amplitudes, amplitude_rates, .. } = &motions[b];
                // Products of quaternions and vectors are compiled in place, those of small
                // matrices are not.
                let to_space = UnitQuaternion::from_quaternion(*attitude);
                let w = angular_velocity;
                let along = |eta: &DVector<f64>| -> Vector3<f64> {
                    columns.iter().zip(eta.iter()).map(|(column, eta)| column * *eta).sum()
                };
                let (s, rate) = (vector + along(amplitudes), along(amplitude_rates));
                Series {
                    value: to_space * s,
                    rate: to_space * (w.cross(&s) + rate),
                    second: to_space * w.cross(&(w.cross(&s) + 2.0 * rate)),
                }
            }
        }
    }

    fn moving(&self, motions: &[Motion]) -> Moving {
        let [x, y, z] = self.axes(motions);
        Moving { point: self.point(motions), x, y, z }
    }
}

impl Joint {
    /// `length`: of a rod (m).
    ///
    /// # Errors
    /// Its kind has no twin here.
    pub fn new(joint: &describe::Joint, length: f64, bodies: &[RigidBody]) -> Result<Joint, ReferenceError> {
        let twin = TWINS.iter().find(|(name, _)| *name == joint.kind.name);
        let none = || ReferenceError::NoJointTwin { element: joint.name.clone(), kind: joint.kind.name };
        let (_, violation) = twin.ok_or_else(none)?;
        Ok(Joint {
            violation: *violation,
            sides: [0, 1].map(|k| Side::new(&joint.points[k], &joint.frames[k], bodies)),
            length,
        })
    }

    /// Sides A and B.
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// Phi and its first and second derivatives while every body keeps its velocities.
    pub fn violation(&self, motions: &[Motion]) -> Vec<Series<f64>> {
        let [a, b] = [self.sides[0].moving(motions), self.sides[1].moving(motions)];
        let d = b.point.minus(&a.point);
        (self.violation)(&Pair { a, b, d, length: self.length })
    }
}

/// Both sides in motion.
struct Pair {
    a: Moving,
    b: Moving,
    /// `P_B - P_A`
    d: Series<Vector3<f64>>,
    /// (m)
    length: f64,
}

impl Pair {
    fn coincident(&self) -> Vec<Series<f64>> {
        let apart = self.a.point.minus(&self.b.point);
        (0..3).map(|k| apart.component(k)).collect()
    }

    fn on_line(&self) -> Vec<Series<f64>> {
        vec![self.a.x.dot(&self.d), self.a.y.dot(&self.d)]
    }

    fn in_plane(&self) -> Vec<Series<f64>> {
        vec![self.a.z.dot(&self.d)]
    }

    fn aligned(&self) -> Vec<Series<f64>> {
        vec![self.a.x.dot(&self.b.z), self.a.y.dot(&self.b.z)]
    }

    fn perpendicular(&self) -> Vec<Series<f64>> {
        vec![self.a.z.dot(&self.b.z)]
    }

    fn unturned(&self) -> Vec<Series<f64>> {
        vec![self.a.x.dot(&self.b.y)]
    }

    fn apart(&self) -> Vec<Series<f64>> {
        let square = self.d.dot(&self.d);
        let scale = 2.0 * self.length;
        vec![Series {
            value: (square.value - self.length * self.length) / scale,
            rate: square.rate / scale,
            second: square.second / scale,
        }]
    }
}

type Violation = fn(&Pair) -> Vec<Series<f64>>;

/// The twins of all kinds of joints, by the names of their cards.
const TWINS: &[(&str, Violation)] = &[
    ("spherical", Pair::coincident),
    ("universal", |pair| [pair.coincident(), pair.perpendicular()].concat()),
    ("revolute", |pair| [pair.coincident(), pair.aligned()].concat()),
    ("slot", Pair::on_line),
    ("cylindrical", |pair| [pair.on_line(), pair.aligned()].concat()),
    ("translational", |pair| [pair.on_line(), pair.aligned(), pair.unturned()].concat()),
    ("planar_point", Pair::in_plane),
    ("planar", |pair| [pair.in_plane(), pair.aligned()].concat()),
    ("fixed", |pair| [pair.coincident(), pair.aligned(), pair.unturned()].concat()),
    ("distance", Pair::apart),
];
