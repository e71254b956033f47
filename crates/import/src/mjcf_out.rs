//! A mechanism written as MJCF, the language of MuJoCo.
//!
//! Joints that reach further bodies from the ground make the tree; the others close loops and become
//! equalities. MJCF's reference position is the start, but for universal joints and ball joints with angles,
//! whose axes MJCF gives where all angles are zero. The keyframe `start` has coordinates, rates and commands.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt;
use std::fmt::Write as _;

use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use polhode_description::describe::expression::MotionInput;
use polhode_description::describe::signal::Sensor;
use polhode_description::describe::{
    Axes, Coordinate, Expression, Force, Generator, InertiaAbout, Initial, Joint, JointCoordinate, Load,
    LoadKind, Mechanism, Point, Support,
};
use polhode_description::math::inertia::{matrix, of_mass_at};

use crate::pose::{MassProperties, clean, is_identity, pose};
use crate::source::{JointMotion, quaternion};
use crate::toml::number;

/// A joint whose bodies stand further apart at the start (m, rad) does not hold there.
const HOLDS: f64 = 1e-6;
/// Both ends of a range that has none on one side (rad or m): MJCF wants two.
const NO_END: f64 = 1e6;
/// Distance of the two points by which a hinge closes a loop (m).
const HINGE_POINTS: f64 = 0.1;

/// A part of a mechanism that MJCF cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFault {
    /// Table of the mechanism file, such as `contact`.
    pub table: String,
    /// Name of the part.
    pub name: String,
    /// Why MJCF cannot say it.
    pub text: String,
}

impl fmt::Display for ExportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[[{}]] `{}`: {}", self.table, self.name, self.text)
    }
}

/// An MJCF file, and lines for the user.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Text of the MJCF file.
    pub text: String,
    /// Lines on parts that MuJoCo moves otherwise, or that move nothing and are left out.
    pub told: Vec<String>,
}

/// Writes a mechanism whose bodies start in these states, in which all joints hold.
///
/// # Errors
/// All parts that MJCF cannot say.
pub fn export_mjcf(mechanism: &Mechanism, starts: &[Initial]) -> Result<Exported, Vec<ExportFault>> {
    let mut writing = MjcfWriting {
        mechanism,
        starts: starts.iter().map(BodyAtStart::of).collect(),
        bodies: mechanism.bodies.iter().map(|_| OutBody::default()).collect(),
        top: Vec::new(),
        loops: Vec::new(),
        actuators: Vec::new(),
        equalities: Vec::new(),
        tendons: Vec::new(),
        ground_sites: Vec::new(),
        told: Vec::new(),
        faults: Vec::new(),
    };
    writing.refuse_parts();
    if writing.faults.is_empty() {
        writing.tree();
    }
    if writing.faults.is_empty() {
        writing.forces();
        writing.loads();
        writing.equalities();
        writing.points();
    }
    match writing.faults.is_empty() {
        true => Ok(Exported { text: writing.text(), told: writing.told }),
        false => Err(writing.faults),
    }
}

/// A body's motion at the start, in space axes.
#[derive(Clone, Copy, Default)]
struct BodyAtStart {
    place: Isometry3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

impl BodyAtStart {
    fn of(initial: &Initial) -> BodyAtStart {
        let place = pose(initial.position.into(), quaternion(initial.attitude));
        let spin = Vector3::from(initial.angular_velocity);
        BodyAtStart {
            place,
            velocity: initial.velocity.into(),
            spin: match initial.angular_velocity_axes {
                Axes::Body => place.rotation * spin,
                Axes::Space => spin,
            },
        }
    }

    fn velocity_at(&self, point: Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(&(point - self.place.translation.vector))
    }
}

/// A joint of MJCF. Axis and anchor are in the axes of its body, in the reference position.
#[derive(Clone, Debug)]
struct OutJoint {
    name: String,
    motion: JointMotion,
    axis: Vector3<f64>,
    anchor: Vector3<f64>,
    /// `None`: nothing of the mechanism addresses it.
    of: Option<JointCoordinate>,
    /// Coordinate in the reference position.
    reference: f64,
    /// Coordinate and rates at the start.
    value: f64,
    rates: Vec<f64>,
    stiffness: f64,
    /// Stiffness times rest, of all springs.
    pull: f64,
    damping: f64,
    armature: f64,
    friction: f64,
    /// Ends, stiffness and damping.
    stop: Option<[f64; 4]>,
}

impl OutJoint {
    fn new(name: String, motion: JointMotion, axis: Vector3<f64>, anchor: Vector3<f64>) -> OutJoint {
        OutJoint {
            name,
            motion,
            axis: clean(axis),
            anchor: clean(anchor),
            of: None,
            reference: 0.0,
            value: 0.0,
            rates: Vec::new(),
            stiffness: 0.0,
            pull: 0.0,
            damping: 0.0,
            armature: 0.0,
            friction: 0.0,
            stop: None,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct OutBody {
    /// In its parent's axes, in the reference position.
    local: Isometry3<f64>,
    parent: Option<usize>,
    joints: Vec<OutJoint>,
    children: Vec<usize>,
    sites: Vec<String>,
    weightless: f64,
}

struct MjcfWriting<'a> {
    mechanism: &'a Mechanism,
    starts: Vec<BodyAtStart>,
    bodies: Vec<OutBody>,
    /// Bodies on the ground, and free ones.
    top: Vec<usize>,
    /// Joints that close loops.
    loops: Vec<usize>,
    /// Elements, and their commands at the start.
    actuators: Vec<(String, f64)>,
    equalities: Vec<String>,
    tendons: Vec<String>,
    ground_sites: Vec<String>,
    told: Vec<String>,
    faults: Vec<ExportFault>,
}

/// Kinds that MJCF can have in a tree.
const IN_TREE: [&str; 7] =
    ["fixed", "revolute", "translational", "cylindrical", "universal", "spherical", "planar"];
/// Kinds that its equalities can hold.
const IN_LOOPS: [&str; 3] = ["spherical", "revolute", "fixed"];

/// An edge of the graph of bodies.
#[derive(Clone, Copy, PartialEq)]
enum TreeEdge {
    Joint(usize),
    /// The support of this body.
    FixedPoint(usize),
}

impl MjcfWriting<'_> {
    fn refuse(&mut self, table: &str, name: &str, text: impl Into<String>) {
        self.faults.push(ExportFault { table: table.to_string(), name: name.to_string(), text: text.into() });
    }

    /// Parts that have no twin, whatever their numbers are.
    fn refuse_parts(&mut self) {
        let mechanism = self.mechanism;
        // Nodes of beams are refused with their beams.
        let own = (0..mechanism.bodies.len()).filter(|b| mechanism.beam_of(*b).is_none());
        for body in own.map(|b| &mechanism.bodies[b]) {
            if body.flexible.is_some() {
                self.refuse("body", &body.name, "its modes (`flexible`) have no twin in MJCF");
            } else if body.is_point {
                self.refuse(
                    "body",
                    &body.name,
                    "a point mass has no inertia, and MuJoCo wants one of every body that moves",
                );
            }
        }
        for beam in &mechanism.beams {
            self.refuse("beam", &beam.name, "MJCF has no beams");
        }
        for element in mechanism.beam_elements.iter().filter(|element| element.beam.is_none()) {
            self.refuse("beam_element", &element.name, "MJCF has no beams");
        }
        for contact in &mechanism.contacts {
            let text =
                format!("MJCF has no contact that is held exactly (`kind = \"{}\"`)", contact.kind.name);
            self.refuse("contact", &contact.name, text);
        }
        for lock in &mechanism.locks {
            self.refuse("lock", &lock.name, "MJCF has no locks");
        }
        for (k, joint) in mechanism.joints.iter().enumerate() {
            let kind = joint.kind.name;
            if !IN_TREE.contains(&kind) && self.plane_of(k).is_none() {
                self.refuse("joint", &joint.name, format!("`kind = \"{kind}\"` has no twin in MJCF"));
            }
        }
        for generator in &mechanism.generators {
            if generator.coupled().is_none() && self.held(generator).is_none() {
                self.refuse("generator", &generator.name, "MJCF prescribes no motion");
            }
        }
        for (count, noun) in [
            (mechanism.signals.len(), "signals"),
            (mechanism.groups.len(), "groups of bodies"),
            (mechanism.outcomes.len(), "outcomes"),
            (mechanism.ends.len(), "conditions of an end"),
        ] {
            if count > 0 {
                self.told.push(format!("without effect on the motion, and left out: {count} {noun}"));
            }
        }
    }

    /// The planar joint between the bodies of this slot, which together are a slide and a hinge.
    fn plane_of(&self, slot: usize) -> Option<usize> {
        let joints = &self.mechanism.joints;
        let ends = |joint: &Joint| {
            let mut ends = joint.points.map(|point| point.body);
            ends.sort_unstable();
            ends
        };
        let same = |joint: &Joint| joint.kind.name == "planar" && ends(joint) == ends(&joints[slot]);
        (joints[slot].kind.name == "slot").then(|| joints.iter().position(same))?
    }

    /// The coordinate that this generator holds where it is, and the value.
    fn held(&self, generator: &Generator) -> Option<(JointCoordinate, f64)> {
        let of = generator.coordinate().filter(|_| generator.follows.is_none())?;
        let (_, value) = generator.prescribed().next()?;
        let value = self.constant(value).filter(|_| !generator.kind.rate_alone)?;
        Some((of, value))
    }

    /// Whether something acts at a coordinate of this joint, or gives one.
    fn is_addressed(&self, joint: usize) -> bool {
        let of = |at: JointCoordinate| at.joint == joint;
        let mechanism = self.mechanism;
        mechanism.joints[joint].initial.is_some()
            || mechanism.forces.iter().filter_map(Force::coordinate).any(of)
            || mechanism
                .generators
                .iter()
                .any(|generator| generator.coordinate().is_some_and(of) || generator.follows.is_some_and(of))
            || mechanism.sensors.iter().filter_map(|sensor| sensor.coordinate()).any(of)
    }

    fn state(&self, body: Option<usize>) -> BodyAtStart {
        body.map_or_else(BodyAtStart::default, |body| self.starts[body])
    }

    fn place_of(&self, point: &Point) -> Vector3<f64> {
        (self.state(point.body).place * Point3::from(Vector3::from(point.at))).coords
    }

    /// Chooses the tree and places its bodies.
    fn tree(&mut self) {
        let mechanism = self.mechanism;
        let ground = mechanism.bodies.len();
        let mut edges: Vec<TreeEdge> = Vec::new();
        for (b, body) in mechanism.bodies.iter().enumerate() {
            if body.support == Support::FixedPoint {
                edges.push(TreeEdge::FixedPoint(b));
            }
        }
        edges
            .extend((0..mechanism.joints.len()).filter(|k| self.plane_of(*k).is_none()).map(TreeEdge::Joint));
        let late = |edge: &TreeEdge| match edge {
            TreeEdge::Joint(k) if !IN_LOOPS.contains(&mechanism.joints[*k].kind.name) => 0,
            TreeEdge::Joint(k) if self.is_addressed(*k) => 1,
            _ => 2,
        };
        edges.sort_by_key(late);
        let ends = |edge: &TreeEdge| match edge {
            TreeEdge::Joint(k) => mechanism.joints[*k].points.map(|point| point.body.unwrap_or(ground)),
            TreeEdge::FixedPoint(b) => [ground, *b],
        };
        let mut above: Vec<usize> = (0..=ground).collect();
        let root = |above: &[usize], mut k: usize| {
            while above[k] != k {
                k = above[k];
            }
            k
        };
        let mut kept: Vec<TreeEdge> = Vec::new();
        for edge in edges {
            let [a, b] = ends(&edge).map(|end| root(&above, end));
            if a != b {
                above[a] = b;
                kept.push(edge);
                continue;
            }
            match edge {
                TreeEdge::Joint(k) if IN_LOOPS.contains(&mechanism.joints[k].kind.name) => self.loops.push(k),
                TreeEdge::Joint(k) => {
                    let joint = &mechanism.joints[k];
                    let text = format!(
                        "`kind = \"{}\"` closes a loop, and MJCF closes loops by points and welds alone",
                        joint.kind.name
                    );
                    self.refuse("joint", &joint.name, text);
                }
                TreeEdge::FixedPoint(b) => {
                    let name = &mechanism.bodies[b].name;
                    self.refuse("body", name, "its fixed point (`support`) closes a loop");
                }
            }
        }
        let mut reached = vec![false; ground];
        let mut waiting = vec![ground];
        loop {
            while let Some(at) = waiting.pop() {
                for edge in &kept {
                    let [a, b] = ends(edge);
                    let Some(other) = [(a, b), (b, a)].iter().find(|(x, _)| *x == at).map(|(_, y)| *y) else {
                        continue;
                    };
                    if other == ground || reached[other] {
                        continue;
                    }
                    reached[other] = true;
                    waiting.push(other);
                    self.hang(other, (at != ground).then_some(at), *edge);
                }
            }
            let Some(free) = reached.iter().position(|is| !is) else { break };
            reached[free] = true;
            waiting.push(free);
            let joint = OutJoint::new(
                format!("{}_free", mechanism.bodies[free].name),
                JointMotion::Free,
                Vector3::zeros(),
                Vector3::zeros(),
            );
            self.put(free, None, vec![joint], self.starts[free].place);
        }
        // A body is written where it stands in the file of the mechanism.
        self.top.sort_unstable();
        self.bodies.iter_mut().for_each(|body| body.children.sort_unstable());
    }

    /// Joints that hang a body on another one, or on the ground.
    fn hang(&mut self, child: usize, parent: Option<usize>, edge: TreeEdge) {
        let mechanism = self.mechanism;
        let place = self.starts[child].place;
        let TreeEdge::Joint(k) = edge else {
            let name = format!("{}_support", mechanism.bodies[child].name);
            let ball = OutJoint::new(name, JointMotion::Ball, Vector3::zeros(), Vector3::zeros());
            self.put(child, parent, vec![ball], place);
            return;
        };
        let joint = &mechanism.joints[k];
        let forward = joint.points[1].body == Some(child);
        let sign = if forward { 1.0 } else { -1.0 };
        let [own, other] = if forward { [1, 0] } else { [0, 1] };
        let frame = |side: usize| Matrix3::from_columns(&joint.frames[side].map(Vector3::from));
        let [own_frame, other_frame] = [own, other].map(frame);
        let anchor = Vector3::from(joint.points[own].at);
        let z: Vector3<f64> = own_frame.column(2).into();
        let on = self.state(parent).place;
        let of = |coordinate: Coordinate| JointCoordinate { joint: k, coordinate };
        let at = |suffix: &str, motion: JointMotion, axis: Vector3<f64>, coordinate: Coordinate| {
            let at = of(coordinate);
            let value = self.value(at);
            let new = OutJoint::new(format!("{}{suffix}", joint.name), motion, axis, anchor);
            OutJoint { of: Some(at), reference: value, value, ..new }
        };
        // Directions of the parent's side in the axes of the child.
        let across = |column: usize| {
            let direction: Vector3<f64> = other_frame.column(column).into();
            place.rotation.inverse() * (on.rotation * direction)
        };
        let zeroed = |joints: Vec<OutJoint>| {
            joints.into_iter().map(|joint| OutJoint { reference: 0.0, ..joint }).collect::<Vec<_>>()
        };
        // The place of the child where all angles are zero, `between` from its frame to the parent's.
        let at_zero = |between: Matrix3<f64>| {
            let turn =
                on.rotation.to_rotation_matrix().into_inner() * other_frame * between * own_frame.transpose();
            let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
            let point = on * Point3::from(Vector3::from(joint.points[other].at));
            pose(point.coords - turn * anchor, turn)
        };
        let (joints, base) = match joint.kind.name {
            "fixed" => (Vec::new(), place),
            "revolute" => (vec![at("", JointMotion::Hinge, z * sign, Coordinate::Angle)], place),
            "translational" => (vec![at("", JointMotion::Slide, z * sign, Coordinate::Displacement)], place),
            "cylindrical" => {
                let slide = at("_slide", JointMotion::Slide, z * sign, Coordinate::Displacement);
                (vec![slide, at("", JointMotion::Hinge, z * sign, Coordinate::Angle)], place)
            }
            "universal" => {
                let cross = Matrix3::new(0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0);
                let first: Vector3<f64> = (own_frame * cross).column(2).into();
                let keys = if forward {
                    [("", Coordinate::AngleA), ("_b", Coordinate::AngleB)]
                } else {
                    [("_b", Coordinate::AngleB), ("", Coordinate::AngleA)]
                };
                let joints = [first, z].into_iter().zip(keys);
                let joints =
                    joints.map(|(axis, (suffix, key))| at(suffix, JointMotion::Hinge, axis * sign, key));
                (zeroed(joints.collect()), at_zero(cross))
            }
            "spherical" if self.is_addressed(k) => {
                let keys = [("", Coordinate::AngleX), ("_y", Coordinate::AngleY), ("_z", Coordinate::AngleZ)];
                let mut joints: Vec<OutJoint> = keys
                    .into_iter()
                    .enumerate()
                    .map(|(column, (suffix, key))| {
                        let axis: Vector3<f64> = own_frame.column(column).into();
                        at(suffix, JointMotion::Hinge, axis * sign, key)
                    })
                    .collect();
                if !forward {
                    joints.reverse();
                }
                (zeroed(joints), at_zero(Matrix3::identity()))
            }
            "spherical" => {
                (vec![OutJoint::new(joint.name.clone(), JointMotion::Ball, Vector3::zeros(), anchor)], place)
            }
            _ => (
                self.planar(k, child, at("", JointMotion::Hinge, z * sign, Coordinate::Angle), across),
                place,
            ),
        };
        self.put(child, parent, joints, base);
    }

    /// Slides and hinge of a planar joint: two slides and a hinge, two slides where a generator holds the
    /// angle, or a slide and a hinge where a slot holds it too.
    fn planar(
        &self,
        k: usize,
        child: usize,
        hinge: OutJoint,
        across: impl Fn(usize) -> Vector3<f64>,
    ) -> Vec<OutJoint> {
        let mechanism = self.mechanism;
        let name = &mechanism.joints[k].name;
        let Some(slot) = (0..mechanism.joints.len()).find(|slot| self.plane_of(*slot) == Some(k)) else {
            let slide = |column: usize| {
                let name = format!("{name}_{}", ["x", "y"][column]);
                OutJoint::new(name, JointMotion::Slide, across(column), hinge.anchor)
            };
            let mut joints = vec![slide(0), slide(1)];
            if !mechanism.generators.iter().any(|of| self.held(of).is_some_and(|(at, _)| at.joint == k)) {
                joints.push(hinge);
            }
            return joints;
        };
        let joint = &mechanism.joints[slot];
        let into = self.starts[child].place.inverse();
        let line = self.state(joint.points[0].body).place.rotation * Vector3::from(joint.frames[0][2]);
        let line = into.rotation * line;
        let point = into * Point3::from(self.place_of(&joint.points[1]));
        let at = JointCoordinate { joint: slot, coordinate: Coordinate::Displacement };
        let value = self.value(at);
        let slide = |axis: Vector3<f64>| OutJoint {
            of: Some(at),
            reference: value,
            value,
            ..OutJoint::new(joint.name.clone(), JointMotion::Slide, axis, point.coords)
        };
        // The line is of the slot's first body, along which the point of the second one slides.
        let turned = OutJoint { anchor: clean(point.coords), ..hinge };
        match joint.points[1].body == Some(child) {
            true => vec![slide(line), turned],
            false => vec![turned, slide(-line)],
        }
    }

    /// A coordinate at the start (rad or m).
    fn value(&self, at: JointCoordinate) -> f64 {
        let joint = &self.mechanism.joints[at.joint];
        let axis = |side: usize, column: usize| {
            self.state(joint.points[side].body).place.rotation * Vector3::from(joint.frames[side][column])
        };
        let [[xa, ya, za], [xb, yb, zb]] = [0, 1].map(|side| [0, 1, 2].map(|column| axis(side, column)));
        let value = match at.coordinate {
            Coordinate::Displacement => {
                return za.dot(&(self.place_of(&joint.points[1]) - self.place_of(&joint.points[0])));
            }
            Coordinate::Angle => ya.dot(&xb).atan2(xa.dot(&xb)),
            Coordinate::AngleA => ya.dot(&zb).atan2(xa.dot(&zb)),
            Coordinate::AngleB => (-yb.dot(&za)).atan2(xb.dot(&za)),
            Coordinate::AngleX => (-ya.dot(&zb)).atan2(za.dot(&zb)),
            Coordinate::AngleY => return xa.dot(&zb).clamp(-1.0, 1.0).asin(),
            Coordinate::AngleZ => (-xa.dot(&yb)).atan2(xa.dot(&xb)),
        };
        // Turns that the file counts.
        let given = joint.initial.map_or(0.0, |initial| initial.of(at.coordinate).numbers[0]);
        value + TAU * ((given - value) / TAU).round()
    }

    /// Puts a body on another one by these joints, of which `base` is the reference position.
    fn put(&mut self, child: usize, parent: Option<usize>, joints: Vec<OutJoint>, base: Isometry3<f64>) {
        let [own, on] = [self.starts[child], self.state(parent)];
        let mut joints = joints;
        let mut at = base;
        let mut columns: Vec<[Vector3<f64>; 2]> = Vec::new();
        let here = own.place.translation.vector;
        for joint in &joints {
            let axis = at.rotation * joint.axis;
            let anchor = (at * Point3::from(joint.anchor)).coords;
            let about = |axis: Vector3<f64>| [axis, axis.cross(&(here - anchor))];
            match joint.motion {
                JointMotion::Hinge => {
                    columns.push(about(axis));
                    let turn = UnitQuaternion::from_axis_angle(
                        &nalgebra::Unit::new_normalize(axis),
                        joint.value - joint.reference,
                    );
                    let moved = anchor + turn * (at.translation.vector - anchor);
                    at = pose(moved, turn * at.rotation);
                }
                JointMotion::Slide => {
                    columns.push([Vector3::zeros(), axis]);
                    at.translation.vector += axis * (joint.value - joint.reference);
                }
                JointMotion::Ball => {
                    columns.extend([0, 1, 2].map(|k| {
                        about(own.place.rotation * Vector3::from_fn(|row, _| f64::from(u8::from(row == k))))
                    }));
                }
                JointMotion::Free => {
                    let unit = |k: usize| Vector3::<f64>::from_fn(|row, _| f64::from(u8::from(row == k)));
                    columns.extend([0, 1, 2].map(|k| [Vector3::zeros(), unit(k)]));
                    columns.extend([0, 1, 2].map(|k| [own.place.rotation * unit(k), Vector3::zeros()]));
                }
            }
        }
        let off = at.inverse() * own.place;
        if off.translation.vector.norm() > HOLDS || off.rotation.angle() > HOLDS {
            let text = format!(
                "its joint does not hold at the start: {:.1e} m and {:.1e} rad are missing",
                off.translation.vector.norm(),
                off.rotation.angle()
            );
            let name = &self.mechanism.bodies[child].name;
            self.refuse("body", name, text);
        }
        // Rates of the joints that give the child's motion against its parent.
        let twist = [own.spin - on.spin, own.velocity - on.velocity_at(here)];
        let system = DMatrix::from_fn(6, columns.len(), |row, column| columns[column][row / 3][row % 3]);
        let moved = DVector::from_fn(6, |row, _| twist[row / 3][row % 3]);
        let rates = match columns.is_empty() {
            true => Vec::new(),
            false => system
                .svd(true, true)
                .solve(&moved, 1e-12)
                .map_or(Vec::new(), |x| x.iter().copied().collect()),
        };
        let size = rates.iter().fold(0.0f64, |most, rate| most.max(rate.abs()));
        let mut rates = rates.into_iter().map(|rate| if rate.abs() < 1e-13 * size { 0.0 } else { rate });
        for joint in &mut joints {
            let count = match joint.motion {
                JointMotion::Hinge | JointMotion::Slide => 1,
                JointMotion::Ball => 3,
                JointMotion::Free => 6,
            };
            joint.rates = rates.by_ref().take(count).collect();
        }
        let local = on.place.inverse() * base;
        match parent {
            Some(parent) => self.bodies[parent].children.push(child),
            None => self.top.push(child),
        }
        let body = &mut self.bodies[child];
        (body.local, body.parent, body.joints) = (local, parent, joints);
    }

    fn joint_at(&mut self, at: JointCoordinate) -> Option<&mut OutJoint> {
        self.bodies.iter_mut().flat_map(|body| &mut body.joints).find(|joint| joint.of == Some(at))
    }

    /// Forces at joints, and springs between points.
    fn forces(&mut self) {
        for force in &self.mechanism.forces {
            let (table, name) = (force.card.table, &force.name);
            let number_of = |key: &str| force.number(key);
            if let Some(at) = force.coordinate() {
                if self.joint_at(at).is_none() {
                    self.refuse(table, name, "it acts at a coordinate of a joint that closes a loop");
                    continue;
                }
                if table == "joint_spring" {
                    self.motor(force, at);
                }
                let Some(joint) = self.joint_at(at) else { continue };
                match table {
                    "joint_spring" => {
                        joint.stiffness += number_of("stiffness");
                        joint.pull += number_of("stiffness") * number_of("rest");
                        joint.damping += number_of("damping");
                    }
                    "armature" => joint.armature += number_of("inertia"),
                    "joint_friction" => {
                        joint.friction += number_of("force");
                        self.told.push(format!(
                            "[[joint_friction]] `{name}`: MuJoCo holds the joint where polhode lets it creep"
                        ));
                    }
                    "stop" if joint.stop.is_none() => {
                        let ends = ["low", "high", "stiffness", "damping"].map(number_of);
                        joint.stop = Some(ends);
                        self.told.push(format!(
                            "[[stop]] `{name}`: MuJoCo's limits depend on more than the place; within them the motion is the same"
                        ));
                    }
                    "stop" => self.refuse(table, name, "a joint of MJCF has one range"),
                    _ => self.refuse(table, name, "it has no twin in MJCF"),
                }
                continue;
            }
            match table {
                "spring" => self.tendon(force),
                "bushing" => self.ball_damper(force),
                _ => self.refuse(table, name, "it has no twin in MJCF"),
            }
        }
    }

    /// The actuator of a joint spring: linear in coordinate and rate of its own joint.
    fn motor(&mut self, force: &Force, at: JointCoordinate) {
        let law = &force.functions[0];
        if *law == Expression::Number(0.0) {
            return;
        }
        let own = |sensor: Sensor| match sensor {
            Sensor::Coordinate(of) if of == at => Some([1, 0]),
            Sensor::CoordinateRate(of) if of == at => Some([0, 1]),
            _ => None,
        };
        let linear =
            self.polynomial(law, None, &own).filter(|terms| terms.keys().all(|[s, rate]| s + rate <= 1));
        let Some(terms) = linear else {
            let text = "its `actuator` is no constant, nor linear in coordinate and rate of its own joint";
            self.refuse("joint_spring", &force.name, text);
            return;
        };
        let Some(joint) = self.joint_at(at).map(|joint| joint.name.clone()) else { return };
        let of = |key: [u8; 2]| terms.get(&key).copied().unwrap_or(0.0);
        let head = format!("name=\"{}\" joint=\"{}\"", escaped(&force.name), escaped(&joint));
        let element = match (of([1, 0]), of([0, 1])) {
            (0.0, 0.0) => format!("<motor {head}/>"),
            (s, rate) => format!(
                "<general {head} gainprm=\"1\" biastype=\"affine\" biasprm=\"0 {} {}\"/>",
                number(s),
                number(rate)
            ),
        };
        self.actuators.push((element, of([0, 0])));
    }

    /// A spring and damper between two points, as a tendon.
    fn tendon(&mut self, force: &Force) {
        let [k, c, rest, push] =
            ["stiffness", "damping", "free_length", "actuator"].map(|key| force.number(key));
        let rest = if push == 0.0 { rest } else { rest + push / k };
        if !rest.is_finite() || rest < 0.0 {
            self.refuse("spring", &force.name, "MJCF has no constant force between points (`actuator`)");
            return;
        }
        let names = ["a", "b"].map(|side| format!("{}_{side}", force.name));
        for (name, point) in names.iter().zip(force.points()) {
            self.site(name, point);
        }
        self.tendons.push(format!(
            "<spatial name=\"{}\" stiffness=\"{}\" damping=\"{}\" springlength=\"{}\"><site site=\"{}\"/><site site=\"{}\"/></spatial>",
            escaped(&force.name), number(k), number(c), number(rest), escaped(&names[0]), escaped(&names[1])
        ));
    }

    /// A bushing that damps the turn of a ball joint alike about all axes.
    fn ball_damper(&mut self, force: &Force) {
        let [x, y, z] = [0, 1, 2].map(|k| force.values("torsional_damping")[k]);
        let others = ["stiffness", "damping", "torsional_stiffness"];
        let alone = others.iter().all(|key| force.values(key).iter().all(|number| *number == 0.0));
        let ends = [force.points()[0].body, force.points()[1].body];
        let ball = self.bodies.iter_mut().enumerate().find_map(|(b, body)| {
            let joined = ends == [body.parent, Some(b)] || ends == [Some(b), body.parent];
            let is_ball = body.joints.len() == 1 && body.joints[0].motion == JointMotion::Ball;
            (joined && is_ball).then(|| &mut body.joints[0])
        });
        match ball {
            Some(ball) if alone && x == y && y == z => ball.damping += x,
            _ => self.refuse("bushing", &force.name, "it is no damper of a ball joint, alike about all axes"),
        }
    }

    /// A place on a body with a name.
    fn site(&mut self, name: &str, point: &Point) {
        let text = format!("<site name=\"{}\" pos=\"{}\"/>", escaped(name), three(point.at.into()));
        match point.body {
            Some(body) => self.bodies[body].sites.push(text),
            None => self.ground_sites.push(text),
        }
    }

    /// Loads that never change: a part of the weight, or in the axes of their body.
    fn loads(&mut self) {
        for load in &self.mechanism.loads {
            let Some(value) = self.constant_load(load) else {
                self.refuse("load", &load.name, "it depends on time or motion");
                continue;
            };
            let body = &self.mechanism.bodies[load.body];
            let weight = Vector3::from(self.mechanism.gravity) * body.mass;
            let part = -value.dot(&weight) / weight.norm_squared();
            let off = Vector3::from(load.point) - Vector3::from(body.centre_of_mass);
            let lifts = load.kind == LoadKind::Force
                && load.axes == Axes::Space
                && off.norm() < HOLDS
                && (value + weight * part).norm() <= 1e-12 * value.norm();
            if value == Vector3::zeros() {
                continue;
            }
            if lifts {
                self.bodies[load.body].weightless += part;
                continue;
            }
            if load.axes == Axes::Space {
                self.refuse("load", &load.name, "MJCF has no constant load in space axes (`axes`)");
                continue;
            }
            let at = match load.kind {
                LoadKind::Force => load.at(),
                LoadKind::Torque => Point { at: [0.0; 3], ..load.at() },
            };
            self.site(&load.name, &at);
            let gear = match load.kind {
                LoadKind::Force => format!("{} 0 0 0", three(value)),
                LoadKind::Torque => format!("0 0 0 {}", three(value)),
            };
            let name = escaped(&load.name);
            self.actuators.push((format!("<motor name=\"{name}\" site=\"{name}\" gear=\"{gear}\"/>"), 1.0));
        }
    }

    fn constant_load(&self, load: &Load) -> Option<Vector3<f64>> {
        if let Some(functions) = &load.function {
            let [x, y, z] = functions.each_ref().map(|function| self.constant(function));
            return Some(Vector3::new(x?, y?, z?));
        }
        match &load.pieces[..] {
            [] => Some(Vector3::zeros()),
            [one] if !load.is_timed() => Some(one.value.into()),
            _ => None,
        }
    }

    /// Loops and couplings.
    fn equalities(&mut self) {
        for k in self.loops.clone() {
            let joint = &self.mechanism.joints[k];
            let [mut a, mut b] = joint.points;
            if a.body.is_none() {
                std::mem::swap(&mut a, &mut b);
            }
            if joint.kind.name == "fixed" {
                let of = |body: Option<usize>| {
                    body.map_or(String::new(), |body| escaped(&self.mechanism.bodies[body].name))
                };
                let second = b.body.map_or(String::new(), |_| format!(" body2=\"{}\"", of(b.body)));
                let off = self.state(a.body).place.inverse() * self.state(b.body).place;
                self.equalities.push(format!(
                    "<weld name=\"{}\" body1=\"{}\"{second} relpose=\"{} {}\"/>",
                    escaped(&joint.name),
                    of(a.body),
                    three(off.translation.vector),
                    turn(&off.rotation)
                ));
                continue;
            }
            self.connect(&joint.name, &joint.name, [a, b]);
            if joint.kind.name == "revolute" {
                let place = |side: usize| {
                    let axis = Vector3::from(joint.frames[side][2]) * HINGE_POINTS;
                    let point = joint.points[side];
                    Point { at: (Vector3::from(point.at) + axis).into(), ..point }
                };
                let points =
                    if joint.points[0].body.is_none() { [place(1), place(0)] } else { [place(0), place(1)] };
                self.connect(&joint.name, &format!("{}_axis", joint.name), points);
            }
        }
        for generator in &self.mechanism.generators {
            if let Some((at, value)) = self.held(generator) {
                // Two slides have no angle that can be held.
                let joint = self.joint_at(at).map(|joint| (joint.name.clone(), value - joint.reference));
                if let Some((joint, off)) = joint {
                    let names = [&generator.name, &joint].map(|name| escaped(name));
                    let [name, joint] = names;
                    let off = number(off);
                    self.equalities.push(format!(
                        "<joint name=\"{name}\" joint1=\"{joint}\" polycoef=\"{off} 0 0 0 0\"/>"
                    ));
                } else if self.mechanism.joints[at.joint].kind.name != "planar" {
                    let text = "it holds a coordinate of a joint that closes a loop";
                    self.refuse("generator", &generator.name, text);
                }
                continue;
            }
            let Some((follower, leader, function)) = generator.coupled() else { continue };
            let (name, table) = (&generator.name, "coupling");
            let none = |_: Sensor| None;
            let terms = self
                .polynomial(function, Some([1, 0]), &none)
                .filter(|terms| terms.keys().all(|[power, _]| *power <= 4));
            let Some(terms) = terms else {
                self.refuse(table, name, "its `value` is no polynomial of at most the fourth power");
                continue;
            };
            let ends = [follower, leader]
                .map(|at| self.joint_at(at).map(|joint| (joint.name.clone(), joint.reference)));
            let [Some((joint1, y0)), Some((joint2, x0))] = ends else {
                self.refuse(table, name, "it couples a coordinate of a joint that closes a loop");
                continue;
            };
            // y - y0 = sum of c (x - x0)^k
            let mut shifted = [0.0; 5];
            for (key, c) in &terms {
                let power = usize::from(key[0]);
                let mut binomial = 1.0;
                for (k, sum) in shifted.iter_mut().enumerate().take(power + 1) {
                    *sum += c * binomial * x0.powi((power - k) as i32);
                    binomial *= (power - k) as f64 / (k + 1) as f64;
                }
            }
            shifted[0] -= y0;
            let size = shifted.iter().fold(1.0f64, |most, c| most.max(c.abs()));
            let all = shifted.map(|c| number(if c.abs() < 1e-15 * size { 0.0 } else { c })).join(" ");
            self.equalities.push(format!(
                "<joint name=\"{}\" joint1=\"{}\" joint2=\"{}\" polycoef=\"{all}\"/>",
                escaped(name),
                escaped(&joint1),
                escaped(&joint2)
            ));
        }
    }

    /// Two points that stay together, by sites: they need not be so in the reference position.
    fn connect(&mut self, joint: &str, name: &str, points: [Point; 2]) {
        let apart = (self.place_of(&points[0]) - self.place_of(&points[1])).norm();
        if apart > HOLDS {
            self.refuse("joint", joint, format!("its points are {apart:.1e} m apart at the start"));
        }
        let names = ["a", "b"].map(|side| format!("{name}_{side}"));
        for (name, point) in names.iter().zip(&points) {
            self.site(name, point);
        }
        let [a, b] = names.map(|name| escaped(&name));
        self.equalities.push(format!("<connect name=\"{}\" site1=\"{a}\" site2=\"{b}\"/>", escaped(name)));
    }

    fn points(&mut self) {
        for named in &self.mechanism.points {
            self.site(&named.name, &named.point);
        }
    }

    fn constant(&self, of: &Expression) -> Option<f64> {
        let terms = self.polynomial(of, None, &|_| None)?;
        let constant = terms.get(&[0, 0]).copied().unwrap_or(0.0);
        terms.keys().all(|key| *key == [0, 0]).then_some(constant)
    }

    /// An expression as a polynomial of two variables, by their powers; `None`: it is none. `argument`: the
    /// powers for which the expression's own variable stands; `of`: those of a sensor.
    fn polynomial(
        &self,
        expression: &Expression,
        argument: Option<[u8; 2]>,
        of: &dyn Fn(Sensor) -> Option<[u8; 2]>,
    ) -> Option<PolynomialTerms> {
        use Expression as E;
        let read = |expression: &Expression| self.polynomial(expression, argument, of);
        let plain = |expression: &Expression| {
            let terms = read(expression)?;
            terms.keys().all(|key| *key == [0, 0]).then(|| terms.get(&[0, 0]).copied().unwrap_or(0.0))
        };
        let scaled = |mut terms: PolynomialTerms, by: f64| {
            terms.values_mut().for_each(|value| *value *= by);
            terms
        };
        let sum = |mut one: PolynomialTerms, other: PolynomialTerms| {
            for (key, value) in other {
                *one.entry(key).or_insert(0.0) += value;
            }
            one
        };
        let product = |one: &PolynomialTerms, other: &PolynomialTerms| {
            let mut terms = PolynomialTerms::new();
            for ([a, b], x) in one {
                for ([c, d], y) in other {
                    *terms.entry([a + c, b + d]).or_insert(0.0) += x * y;
                }
            }
            terms
        };
        let single = |key: [u8; 2], value: f64| PolynomialTerms::from([(key, value)]);
        let terms = match expression {
            E::Number(value) => single([0, 0], *value),
            E::Constant(k) => single([0, 0], self.mechanism.constants[*k].value),
            E::Argument => single(argument?, 1.0),
            E::Input(MotionInput::Sensor(k)) => single(of(self.mechanism.sensors[*k])?, 1.0),
            E::Input(_) => return None,
            E::Negative(a) => scaled(read(a)?, -1.0),
            E::Sum(a, b) => sum(read(a)?, read(b)?),
            E::Difference(a, b) => sum(read(a)?, scaled(read(b)?, -1.0)),
            E::Product(a, b) => product(&read(a)?, &read(b)?),
            E::Quotient(a, b) => scaled(read(a)?, 1.0 / plain(b)?),
            // Limits of a command that is a constant.
            E::Least(a, b) => single([0, 0], plain(a)?.min(plain(b)?)),
            E::Greatest(a, b) => single([0, 0], plain(a)?.max(plain(b)?)),
            E::Power(a, power @ 0..=4) => {
                let base = read(a)?;
                (0..*power).fold(single([0, 0], 1.0), |terms, _| product(&terms, &base))
            }
            _ => return None,
        };
        let low = terms.keys().all(|[a, b]| a + b <= 8) && terms.values().all(|value| value.is_finite());
        low.then(|| terms.into_iter().filter(|(key, value)| *key == [0, 0] || *value != 0.0).collect())
    }

    /// Mass, centre and inertia about it, in body axes.
    fn mass(&self, body: usize) -> MassProperties {
        let described = &self.mechanism.bodies[body];
        let centre = Vector3::from(described.centre_of_mass);
        let given = matrix(&described.inertia_in_body());
        let inertia = match described.inertia_about {
            InertiaAbout::MassCentre => given,
            InertiaAbout::Origin => given - of_mass_at(described.mass, centre),
        };
        MassProperties { mass: described.mass, centre, inertia }
    }

    /// The inertia that a joint moves alone, all other joints held (kg or kg m²).
    fn moved(&self, body: usize, joint: &OutJoint) -> f64 {
        fn hanging(writing: &MjcfWriting<'_>, body: usize) -> MassProperties {
            writing.bodies[body].children.iter().fold(writing.mass(body), |sum, child| {
                sum.with(&hanging(writing, *child).placed(&writing.bodies[*child].local))
            })
        }
        let all = hanging(self, body);
        let alone = match joint.motion {
            JointMotion::Slide => all.mass,
            _ => all.about_line(joint.anchor, joint.axis),
        };
        alone + joint.armature
    }

    fn text(&self) -> String {
        let mechanism = self.mechanism;
        let mut text = format!(
            "<!-- {}, written by polhode {}. The keyframe `start` has its start and commands. -->\n",
            mechanism.name.replace("--", "- "),
            env!("CARGO_PKG_VERSION")
        );
        let _ = writeln!(text, "<mujoco model=\"{}\">", escaped(&mechanism.name));
        text.push_str("  <compiler angle=\"radian\" autolimits=\"true\"/>\n");
        let _ =
            writeln!(text, "  <option gravity=\"{}\" integrator=\"RK4\"/>", three(mechanism.gravity.into()));
        text.push_str("  <worldbody>\n");
        for site in &self.ground_sites {
            let _ = writeln!(text, "    {site}");
        }
        let mut order = Vec::new();
        self.top.iter().for_each(|body| self.body(*body, 2, &mut text, &mut order));
        text.push_str("  </worldbody>\n");
        let mut section = |name: &str, lines: &[String]| {
            if !lines.is_empty() {
                let _ = writeln!(text, "  <{name}>");
                lines.iter().for_each(|line| {
                    let _ = writeln!(text, "    {line}");
                });
                let _ = writeln!(text, "  </{name}>");
            }
        };
        section("equality", &self.equalities);
        section("tendon", &self.tendons);
        section("actuator", &self.actuators.iter().map(|(element, _)| element.clone()).collect::<Vec<_>>());
        let joints = || {
            order.iter().flat_map(|body| self.bodies[*body].joints.iter().map(move |joint| (*body, joint)))
        };
        let coordinates: Vec<String> = joints()
            .map(|(body, joint)| match joint.motion {
                JointMotion::Hinge | JointMotion::Slide => number(joint.value),
                JointMotion::Ball => "1 0 0 0".to_string(),
                JointMotion::Free => {
                    let place = self.starts[body].place;
                    format!("{} {}", three(place.translation.vector), turn(&place.rotation))
                }
            })
            .collect();
        let rates: Vec<String> =
            joints().flat_map(|(_, joint)| joint.rates.iter().map(|rate| number(*rate))).collect();
        let commands: Vec<String> = self.actuators.iter().map(|(_, command)| number(*command)).collect();
        let commands = match commands.is_empty() {
            true => String::new(),
            false => format!(" ctrl=\"{}\"", commands.join(" ")),
        };
        let key = format!(
            "<key name=\"start\" qpos=\"{}\" qvel=\"{}\"{commands}/>",
            coordinates.join(" "),
            rates.join(" ")
        );
        section("keyframe", &[key]);
        text.push_str("</mujoco>\n");
        text
    }

    fn body(&self, body: usize, depth: usize, text: &mut String, order: &mut Vec<usize>) {
        order.push(body);
        let indent = "  ".repeat(depth);
        let (own, described) = (&self.bodies[body], &self.mechanism.bodies[body]);
        let _ = write!(text, "{indent}<body name=\"{}\"", escaped(&described.name));
        let at = clean(own.local.translation.vector);
        if at != Vector3::zeros() {
            let _ = write!(text, " pos=\"{}\"", three(at));
        }
        if !is_identity(&own.local.rotation) {
            let _ = write!(text, " quat=\"{}\"", turn(&own.local.rotation));
        }
        if own.weightless != 0.0 {
            let _ = write!(text, " gravcomp=\"{}\"", number(own.weightless));
        }
        text.push_str(">\n");
        for joint in &own.joints {
            let _ = writeln!(text, "{indent}  {}", self.joint(body, joint));
        }
        let mass = self.mass(body);
        let i = mass.inertia;
        let inertia = match i[(0, 1)] == 0.0 && i[(0, 2)] == 0.0 && i[(1, 2)] == 0.0 {
            true => format!("diaginertia=\"{}\"", three(i.diagonal())),
            false => {
                let all = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| number(i[at]));
                format!("fullinertia=\"{}\"", all.join(" "))
            }
        };
        let _ = writeln!(
            text,
            "{indent}  <inertial pos=\"{}\" mass=\"{}\" {inertia}/>",
            three(mass.centre),
            number(mass.mass)
        );
        for site in &own.sites {
            let _ = writeln!(text, "{indent}  {site}");
        }
        own.children.iter().for_each(|child| self.body(*child, depth + 1, text, order));
        let _ = writeln!(text, "{indent}</body>");
    }

    fn joint(&self, body: usize, joint: &OutJoint) -> String {
        let name = escaped(&joint.name);
        let mut text = match joint.motion {
            JointMotion::Free => return format!("<freejoint name=\"{name}\"/>"),
            JointMotion::Ball => format!("<joint name=\"{name}\" type=\"ball\""),
            JointMotion::Hinge => {
                format!("<joint name=\"{name}\" type=\"hinge\" axis=\"{}\"", three(joint.axis))
            }
            JointMotion::Slide => {
                format!("<joint name=\"{name}\" type=\"slide\" axis=\"{}\"", three(joint.axis))
            }
        };
        let mut key = |name: &str, value: f64| {
            if value != 0.0 {
                let _ = write!(text, " {name}=\"{}\"", number(value));
            }
        };
        key("ref", joint.reference);
        key("stiffness", joint.stiffness);
        key("springref", if joint.stiffness > 0.0 { joint.pull / joint.stiffness } else { 0.0 });
        key("damping", joint.damping);
        key("armature", joint.armature);
        key("frictionloss", joint.friction);
        if joint.anchor != Vector3::zeros() {
            let _ = write!(text, " pos=\"{}\"", three(joint.anchor));
        }
        if let Some([low, high, k, c]) = joint.stop {
            let moved = self.moved(body, joint);
            let _ = write!(
                text,
                " range=\"{} {}\" solreflimit=\"{} {}\"",
                number(low.max(-NO_END)),
                number(high.min(NO_END)),
                number(-k / moved),
                number(-c / moved)
            );
        }
        text.push_str("/>");
        text
    }
}

/// Coefficients by the powers of two variables.
type PolynomialTerms = BTreeMap<[u8; 2], f64>;

fn three(v: Vector3<f64>) -> String {
    let v = clean(v);
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}

fn turn(q: &UnitQuaternion<f64>) -> String {
    [q.w, q.i, q.j, q.k].map(number).join(" ")
}

/// A text within an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
