//! A model as both formats describe it: a tree of bodies, each with the joints by which it moves in
//! its parent. What is written from it is told by `assembly.rs`.

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use crate::fault::FilePlace;
use crate::pose::{MassProperties, pose};

/// A model; the ground is no body of it.
#[derive(Debug, Default)]
pub(crate) struct SourceModel {
    pub name: String,
    /// `MJCF` or `URDF`.
    pub format: &'static str,
    pub gravity: Vector3<f64>,
    /// Parents before children, a body's descendants right behind it.
    pub bodies: Vec<SourceBody>,
    pub actuators: Vec<SourceActuator>,
    pub loops: Vec<SourceLoop>,
    pub couplings: Vec<SourceCoupling>,
    pub sites: Vec<SourceSite>,
    pub springs: Vec<SourceSpring>,
    /// Channels that sensors ask for.
    pub sensed: Vec<Sensed>,
    /// Whether the start is one of the file's own, which may close loops only nearly.
    pub started_by_key: bool,
    /// The file's angles are in degrees.
    pub degrees: bool,
}

#[derive(Debug)]
pub(crate) struct SourceBody {
    pub name: String,
    pub at: FilePlace,
    /// Position in [`SourceModel::bodies`]; `None`: the ground.
    pub parent: Option<usize>,
    /// In the parent, with all joints at their references.
    pub pose: Isometry3<f64>,
    pub joints: Vec<SourceJoint>,
    pub mass: SourceMass,
    /// The share of its weight that is taken from it.
    pub weightless: f64,
}

/// The mass of a body, in its own axes.
#[derive(Clone, Debug)]
pub(crate) enum SourceMass {
    /// By shapes; none of them: it has no mass.
    Solids(Vec<Solid>),
    Given(GivenMass),
}

/// A mass as numbers.
#[derive(Clone, Debug)]
pub(crate) struct GivenMass {
    pub mass: f64,
    pub centre: Vector3<f64>,
    /// Axes of the inertia in the body.
    pub axes: UnitQuaternion<f64>,
    /// About the mass centre.
    pub inertia: Matrix3<f64>,
}

impl GivenMass {
    pub fn properties(&self) -> MassProperties {
        let turn = self.axes.to_rotation_matrix().into_inner();
        MassProperties {
            mass: self.mass,
            centre: self.centre,
            inertia: turn * self.inertia * turn.transpose(),
        }
    }
}

/// A solid of a body.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub shape: SolidShape,
    /// In the body.
    pub pose: Isometry3<f64>,
    pub mass: f64,
    /// The mass follows from this density (kg/m³), which the file gives.
    pub density: Option<f64>,
}

/// A shape that has mass; lengths in m.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SolidShape {
    /// Its sides.
    Box([f64; 3]),
    Sphere(f64),
    /// Its semi-axes.
    Ellipsoid([f64; 3]),
    /// Radius and length.
    Cylinder([f64; 2]),
    /// Radius, and length without the half spheres.
    Capsule([f64; 2]),
}

impl SolidShape {
    /// (m³)
    pub fn volume(self) -> f64 {
        use std::f64::consts::PI;
        match self {
            SolidShape::Box([a, b, c]) => a * b * c,
            SolidShape::Sphere(r) => 4.0 / 3.0 * PI * r.powi(3),
            SolidShape::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
            SolidShape::Cylinder([r, l]) => PI * r * r * l,
            SolidShape::Capsule([r, l]) => PI * r * r * (l + 4.0 / 3.0 * r),
        }
    }

    /// The principal moments for a mass of 1 kg (m²), as docs/mechanism-files.md says.
    fn moments(self) -> [f64; 3] {
        match self {
            SolidShape::Box(s) => {
                let [a, b, c] = s.map(|s| s * s / 12.0);
                [b + c, a + c, a + b]
            }
            SolidShape::Sphere(r) => [0.4 * r * r; 3],
            SolidShape::Ellipsoid(s) => {
                let [a, b, c] = s.map(|s| s * s / 5.0);
                [b + c, a + c, a + b]
            }
            SolidShape::Cylinder([r, l]) => {
                let across = r * r / 4.0 + l * l / 12.0;
                [across, across, r * r / 2.0]
            }
            SolidShape::Capsule([r, l]) => {
                let p = l / (l + 4.0 / 3.0 * r);
                let caps = 0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r;
                let across = p * (r * r / 4.0 + l * l / 12.0) + (1.0 - p) * caps;
                [across, across, r * r * (p / 2.0 + 0.4 * (1.0 - p))]
            }
        }
    }
}

impl Solid {
    pub fn properties(&self) -> MassProperties {
        let moments = self.shape.moments().map(|moment| moment * self.mass);
        let inertia = Matrix3::from_diagonal(&moments.into());
        MassProperties { mass: self.mass, centre: Vector3::zeros(), inertia }.placed(&self.pose)
    }
}

impl SourceMass {
    pub fn properties(&self) -> MassProperties {
        match self {
            SourceMass::Solids(solids) => {
                solids.iter().fold(MassProperties::NONE, |sum, solid| sum.with(&solid.properties()))
            }
            SourceMass::Given(given) => given.properties(),
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, SourceMass::Solids(solids) if solids.is_empty())
    }
}

/// The motion that a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointMotion {
    Hinge,
    Slide,
    Ball,
    Free,
}

#[derive(Clone, Debug)]
pub(crate) struct SourceJoint {
    pub name: String,
    pub at: FilePlace,
    pub motion: JointMotion,
    /// Its anchor in the body (m).
    pub anchor: Vector3<f64>,
    /// Its axis in the body, of length 1.
    pub axis: Vector3<f64>,
    /// Its coordinate where the body has [`SourceBody::pose`] (rad or m).
    pub reference: f64,
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
    pub armature: f64,
    pub friction: f64,
    pub limit: Option<Limit>,
    /// Its range as it is given, in force or not (rad or m); zeros: none.
    pub range: [f64; 2],
    /// Bounds of all actuators together (N m or N).
    pub force_range: Option<[f64; 2]>,
    /// At t = 0: of a hinge or slide the coordinate; of a ball a quaternion; of a free joint the
    /// place and a quaternion. `None`: where the file puts it.
    pub start: Option<Vec<f64>>,
    /// Rates at t = 0, zero where absent.
    pub start_rate: Option<Vec<f64>>,
}

/// A range of a coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// (rad or m)
    pub range: [f64; 2],
    /// MuJoCo's `solref`: time constant (s) and damping ratio; both negative: stiffness and damping
    /// of a unit of inertia.
    pub solref: [f64; 2],
}

impl SourceJoint {
    /// Coordinates of a configuration.
    pub fn width(&self) -> usize {
        match self.motion {
            JointMotion::Hinge | JointMotion::Slide => 1,
            JointMotion::Ball => 4,
            JointMotion::Free => 7,
        }
    }

    /// The coordinate of a hinge or slide at t = 0.
    pub fn start_value(&self) -> f64 {
        self.start.as_ref().map_or(self.reference, |start| start[0])
    }
}

/// A law of a motor.
#[derive(Clone, Debug)]
pub(crate) struct SourceActuator {
    pub name: String,
    pub at: FilePlace,
    pub acts_on: ActsOn,
    pub gear: f64,
    /// `F = (g0 + g1 l + g2 l') u + b0 + b1 l + b2 l'`, `l = gear q`, u the command or the
    /// activation.
    pub gain: [f64; 3],
    pub bias: [f64; 3],
    /// The time constant of a first-order lag of the activation (s); zero: it integrates the
    /// command.
    pub lag: Option<f64>,
    /// Range of the activation.
    pub activation_range: Option<[f64; 2]>,
    pub command_range: Option<[f64; 2]>,
    pub force_range: Option<[f64; 2]>,
    /// At t = 0.
    pub command: f64,
    /// Activation at t = 0.
    pub activation: f64,
}

/// Where a motor acts.
#[derive(Clone, Debug)]
pub(crate) enum ActsOn {
    /// Body and position among its joints.
    Joint(usize, usize),
    /// A force and a torque at a place on a body, for each unit of the actuator's force, along the
    /// axes of this frame on the body, or of one on the ground.
    Site {
        body: usize,
        frame: Isometry3<f64>,
        against: Option<Isometry3<f64>>,
        force: Vector3<f64>,
        torque: Vector3<f64>,
    },
}

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub(crate) struct SourceLoop {
    pub name: String,
    pub at: FilePlace,
    /// Bodies of the model; `None`: the ground.
    pub bodies: [Option<usize>; 2],
    pub kind: LoopKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopKind {
    /// A point of both bodies, in the axes of each.
    Connect([Vector3<f64>; 2]),
    /// The second body in the first.
    Weld(Isometry3<f64>),
}

/// A coordinate that follows another: `s - s0 = c0 + c1 (x - x0) + ..`.
#[derive(Clone, Debug)]
pub(crate) struct SourceCoupling {
    pub name: String,
    pub at: FilePlace,
    /// Body and position among its joints.
    pub follower: (usize, usize),
    /// `None`: it is held at c0.
    pub leader: Option<(usize, usize)>,
    pub coefficients: Vec<f64>,
}

/// A spring and damper along the line between two sites.
#[derive(Clone, Debug)]
pub(crate) struct SourceSpring {
    pub name: String,
    pub at: FilePlace,
    pub sites: [usize; 2],
    pub stiffness: f64,
    pub damping: f64,
    /// Its length at rest (m).
    pub rest: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct SourceSite {
    pub name: String,
    pub body: Option<usize>,
    pub frame: Isometry3<f64>,
}

/// A channel that a sensor asks for.
#[derive(Clone, Debug)]
pub(crate) enum Sensed {
    Coordinate(usize, usize),
    CoordinateRate(usize, usize),
    /// The place of a site, by its position.
    SitePosition(usize),
    SiteVelocity(usize),
    BodyPosition(usize),
    BodyVelocity(usize),
    BodyAttitude(usize),
    /// The turning of a site, in its own axes.
    Gyro(usize),
}

impl SourceModel {
    /// Names of what is written under a name of its own.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let bodies = self.bodies.iter().filter(|body| !body.joints.is_empty());
        let named = bodies
            .flat_map(|body| std::iter::once(&body.name).chain(body.joints.iter().map(|joint| &joint.name)));
        named
            .chain(self.actuators.iter().map(|actuator| &actuator.name))
            .chain(self.loops.iter().map(|closing| &closing.name))
            .chain(self.couplings.iter().map(|coupling| &coupling.name))
            .chain(self.sites.iter().map(|site| &site.name))
            .chain(self.springs.iter().map(|spring| &spring.name))
            .map(String::as_str)
    }

    /// The joint of this name: body, and position among its joints.
    pub fn joint(&self, name: &str) -> Option<(usize, usize)> {
        self.bodies
            .iter()
            .enumerate()
            .find_map(|(b, body)| body.joints.iter().position(|joint| joint.name == name).map(|j| (b, j)))
    }

    pub fn joint_at(&self, (body, joint): (usize, usize)) -> &SourceJoint {
        &self.bodies[body].joints[joint]
    }

    /// The body that moves with this one: itself, or the nearest above it that has joints; `None`:
    /// the ground. And where this one is in it.
    pub fn carrier(&self, body: usize) -> (Option<usize>, Isometry3<f64>) {
        let mut place = Isometry3::identity();
        let mut at = body;
        loop {
            let body = &self.bodies[at];
            if !body.joints.is_empty() {
                return (Some(at), place);
            }
            place = body.pose * place;
            match body.parent {
                Some(parent) => at = parent,
                None => return (None, place),
            }
        }
    }

    /// Where a body stands in space.
    pub fn places(&self, posture: SourcePosture) -> Vec<Isometry3<f64>> {
        self.states(posture).into_iter().map(|state| state.place).collect()
    }

    /// Where a body stands in space and how it moves.
    pub fn states(&self, posture: SourcePosture) -> Vec<SourceState> {
        let mut states: Vec<SourceState> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let parent = body.parent.map_or_else(SourceState::default, |parent| states[parent]);
            let mut place = parent.place * body.pose;
            // Turns and slides of the joints: the rate, its direction, and a point that it leaves
            // alone.
            let mut moves: Vec<(Vector3<f64>, Option<Vector3<f64>>)> = Vec::new();
            for joint in body.joints.iter().filter(|_| posture != SourcePosture::Reference) {
                let [start, rate] = match posture {
                    SourcePosture::Start => {
                        [&joint.start, &joint.start_rate].map(|read| read.as_deref().unwrap_or_default())
                    }
                    _ if joint.width() == 1 => [std::slice::from_ref(&joint.rest), &[]],
                    _ => [&[][..]; 2],
                };
                let anchor = place * nalgebra::Point3::from(joint.anchor);
                let axis = place.rotation * joint.axis;
                let turned = |turn: UnitQuaternion<f64>, place: Isometry3<f64>| {
                    let rotation = turn * place.rotation;
                    pose(anchor.coords - rotation * joint.anchor, rotation)
                };
                match (joint.motion, start) {
                    (JointMotion::Slide, [s]) => place.translation.vector += axis * (s - joint.reference),
                    (JointMotion::Hinge, [s]) => {
                        let axis = nalgebra::Unit::new_unchecked(axis);
                        place = turned(UnitQuaternion::from_axis_angle(&axis, s - joint.reference), place);
                    }
                    (JointMotion::Ball, [w, x, y, z]) => {
                        let own = quaternion([*w, *x, *y, *z]);
                        place = turned(place.rotation * own * place.rotation.inverse(), place);
                    }
                    (JointMotion::Free, [x, y, z, q0, q1, q2, q3]) => {
                        place = pose(Vector3::new(*x, *y, *z), quaternion([*q0, *q1, *q2, *q3]));
                    }
                    _ => {}
                }
                // A joint behind a slide turns about a point that has slid along.
                let fixed = (place * nalgebra::Point3::from(joint.anchor)).coords;
                match (joint.motion, rate) {
                    (JointMotion::Slide, [v]) => moves.push((axis * *v, None)),
                    (JointMotion::Hinge, [w]) => moves.push((axis * *w, Some(fixed))),
                    (JointMotion::Ball, [x, y, z]) => {
                        moves.push((place.rotation * Vector3::new(*x, *y, *z), Some(fixed)));
                    }
                    (JointMotion::Free, [x, y, z, a, b, c]) => {
                        moves.push((Vector3::new(*x, *y, *z), None));
                        let turns = place.rotation * Vector3::new(*a, *b, *c);
                        moves.push((turns, Some(place.translation.vector)));
                    }
                    _ => {}
                }
            }
            let at = place.translation.vector;
            let mut state = SourceState {
                place,
                velocity: parent.velocity + parent.spin.cross(&(at - parent.place.translation.vector)),
                spin: parent.spin,
            };
            for (rate, about) in moves {
                match about {
                    None => state.velocity += rate,
                    Some(point) => {
                        state.spin += rate;
                        state.velocity += rate.cross(&(at - point));
                    }
                }
            }
            states.push(state);
        }
        states
    }
}

/// Where all joints are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourcePosture {
    /// At t = 0.
    Start,
    /// Where coordinates are those of the reference.
    Reference,
    /// Where springs of joints pull at none of them.
    Rest,
}

/// Place and motion of a body in space axes: of its frame's origin (m, m/s), and its turn (rad/s).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SourceState {
    pub place: Isometry3<f64>,
    pub velocity: Vector3<f64>,
    pub spin: Vector3<f64>,
}

/// The rotation of a quaternion of any length, scalar first; of none where it is zero.
pub(crate) fn quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-9)
        .unwrap_or_else(UnitQuaternion::identity)
}
