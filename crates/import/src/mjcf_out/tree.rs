//! Chooses the tree of bodies, and hangs each on its parent by joints of MJCF.

use std::f64::consts::TAU;

use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use polhode_description::describe::{Coordinate, JointCoordinate, Support};

use super::{HOLDS, MjcfWriting, OutJoint};
use crate::pose::{clean, pose};
use crate::source::JointMotion;

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
    /// Chooses the tree and places its bodies.
    pub(super) fn tree(&mut self) {
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
        let at = |suffix: &str, motion: JointMotion, axis: Vector3<f64>, coordinate: Coordinate| {
            let at = JointCoordinate { joint: k, coordinate };
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
        // The place of the child where all angles are zero, `between` from its frame to the
        // parent's.
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

    /// Slides and hinge of a planar joint: two slides and a hinge, two slides where a generator
    /// holds the angle, or a slide and a hinge where a slot holds it too.
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
            if !mechanism
                .generators
                .iter()
                .any(|of| self.fixed_coordinate(of).is_some_and(|(at, _)| at.joint == k))
            {
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
            joint.name = self.fresh("joint", &joint.name);
        }
        let local = on.place.inverse() * base;
        match parent {
            Some(parent) => self.bodies[parent].children.push(child),
            None => self.top.push(child),
        }
        let body = &mut self.bodies[child];
        (body.local, body.parent, body.joints) = (local, parent, joints);
    }
}
