//! A mechanism written as MJCF, the language of MuJoCo.
//!
//! Joints that reach further bodies from the ground make the tree; the others close loops and
//! become equalities. MJCF's reference position is the start, but for universal joints and ball
//! joints with angles, whose axes MJCF gives where all angles are zero. The keyframe `start` has
//! coordinates, rates and commands.

mod acting;
mod closing;
mod polynomial;
mod text;
mod tree;

use std::collections::BTreeSet;
use std::fmt;

use nalgebra::{Isometry3, Point3, Vector3};
use polhode_description::describe::{
    Axes, Force, Generator, Initial, Joint, JointCoordinate, Mechanism, Point,
};

use crate::pose::{clean, pose};
use crate::source::{JointMotion, quaternion};

/// A joint whose bodies stand further apart at the start (m, rad) does not hold there.
const HOLDS: f64 = 1e-6;

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
    pub notes: Vec<String>,
    /// Those on parts that the study has, and not its mechanism.
    pub study_notes: Vec<String>,
}

/// Writes a mechanism whose bodies start in these states, in which all joints hold.
///
/// # Errors
/// All parts that MJCF cannot say.
pub fn export_mjcf(mechanism: &Mechanism, starts: &[Initial]) -> Result<Exported, Vec<ExportFault>> {
    let mut writing = MjcfWriting {
        mechanism,
        starts: starts.iter().map(BodyAtStart::of).collect(),
        bodies: vec![OutBody::default(); mechanism.bodies.len()],
        top: Vec::new(),
        loops: Vec::new(),
        actuators: Vec::new(),
        equalities: Vec::new(),
        tendons: Vec::new(),
        ground_sites: Vec::new(),
        space: String::new(),
        notes: Vec::new(),
        study_notes: Vec::new(),
        faults: Vec::new(),
        // MuJoCo calls the ground so.
        names: BTreeSet::from([("body", "world".to_string())]),
    };
    for (k, body) in mechanism.bodies.iter().enumerate() {
        writing.bodies[k].name = writing.fresh("body", &body.name);
    }
    writing.refuse_parts();
    if writing.faults.is_empty() {
        writing.tree();
    }
    if writing.faults.is_empty() {
        writing.points();
        writing.forces();
        writing.loads();
        writing.equalities();
    }
    match writing.faults.is_empty() {
        true => Ok(Exported { text: writing.text(), notes: writing.notes, study_notes: writing.study_notes }),
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

/// An element, with its command and activation at the start.
struct OutActuator {
    element: String,
    command: f64,
    activation: Option<f64>,
}

#[derive(Clone, Debug, Default)]
struct OutBody {
    name: String,
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
    actuators: Vec<OutActuator>,
    equalities: Vec<String>,
    tendons: Vec<String>,
    ground_sites: Vec<String>,
    /// The site of the axes of space, within quotes; empty: nothing needs it yet.
    space: String,
    notes: Vec<String>,
    study_notes: Vec<String>,
    faults: Vec<ExportFault>,
    /// Element and name of all that is written.
    names: BTreeSet<(&'static str, String)>,
}

/// Kinds that MJCF can have in a tree.
const IN_TREE: [&str; 7] =
    ["fixed", "revolute", "translational", "cylindrical", "universal", "spherical", "planar"];
impl MjcfWriting<'_> {
    fn refuse(&mut self, table: &str, name: &str, text: impl Into<String>) {
        self.faults.push(ExportFault { table: table.to_string(), name: name.to_string(), text: text.into() });
    }

    /// This name, or it with a number where an element of the kind has it already.
    fn fresh(&mut self, element: &'static str, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut candidates = std::iter::once(wanted.to_string()).chain(numbered);
        let is_new = |name: &String| self.names.insert((element, name.clone()));
        candidates.find(is_new).unwrap_or_default()
    }

    /// Parts that have no twin, whatever their numbers are.
    fn refuse_parts(&mut self) {
        let mechanism = self.mechanism;
        // Nodes of beams are refused with their beams.
        for (k, body) in mechanism.bodies.iter().enumerate() {
            if mechanism.beam_of(k).is_some() {
                continue;
            }
            if body.flexible.is_some() {
                self.refuse("body", &body.name, "its modes (`flexible`) have no twin in MJCF");
            } else if body.is_point {
                self.refuse(
                    "body",
                    &body.name,
                    "a point mass has no inertia, and MuJoCo wants one of every body that moves",
                );
            } else if let Some(text) = self.no_solid(k) {
                self.refuse("body", &body.name, text);
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
            if [
                generator.coupled().is_some(),
                self.fixed_coordinate(generator).is_some(),
                self.steady(generator).is_some(),
            ] == [false; 3]
            {
                let text = "MJCF prescribes no motion but a constant rate of a joint";
                self.refuse("generator", &generator.name, text);
            }
        }
        for (count, noun, of_study) in [
            (mechanism.signals.len(), "signals", false),
            (mechanism.groups.len(), "groups of bodies", false),
            (mechanism.outcomes.len(), "outcomes", true),
            (mechanism.ends.len(), "conditions of an end", true),
        ] {
            if count > 0 {
                let text = format!("without effect on the motion, and left out: {count} {noun}");
                if of_study { &mut self.study_notes } else { &mut self.notes }.push(text);
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
    fn fixed_coordinate(&self, generator: &Generator) -> Option<(JointCoordinate, f64)> {
        let coordinate = generator.coordinate().filter(|_| generator.follows.is_none())?;
        let (_, value) = generator.prescribed().next()?;
        let value = self.constant(value).filter(|_| !generator.kind.rate_alone)?;
        Some((coordinate, value))
    }

    /// The coordinate to which this generator gives a constant rate, and that rate.
    fn steady(&self, generator: &Generator) -> Option<(JointCoordinate, f64)> {
        let coordinate = generator.coordinate().filter(|_| generator.follows.is_none())?;
        let (_, value) = generator.prescribed().next()?;
        let terms = self.polynomial(value, Some([1, 0, 0]), &|_| None)?;
        let power = if generator.kind.rate_alone { 0 } else { 1 };
        let rate = terms.get(&[power, 0, 0]).copied().filter(|rate| *rate != 0.0)?;
        terms.keys().all(|[degree, ..]| *degree <= power).then_some((coordinate, rate))
    }

    /// Whether something acts at a coordinate of this joint, or gives one.
    fn is_addressed(&self, joint: usize) -> bool {
        let is_of_joint = |at: JointCoordinate| at.joint == joint;
        let mechanism = self.mechanism;
        mechanism.joints[joint].initial.is_some()
            || mechanism.forces.iter().filter_map(Force::coordinate).any(is_of_joint)
            || mechanism.generators.iter().any(|generator| {
                generator.coordinate().is_some_and(is_of_joint) || generator.follows.is_some_and(is_of_joint)
            })
            || mechanism.sensors.iter().filter_map(|sensor| sensor.coordinate()).any(is_of_joint)
    }

    fn state(&self, body: Option<usize>) -> BodyAtStart {
        body.map_or_else(BodyAtStart::default, |body| self.starts[body])
    }

    fn place_of(&self, point: &Point) -> Vector3<f64> {
        (self.state(point.body).place * Point3::from(Vector3::from(point.at))).coords
    }
}
