//! Joints of a model as joints of polhode: several joints on one body become one kind together.
//!
//! | joints on one body | together |
//! |---|---|
//! | a hinge; a slide; a ball; a free joint | `revolute`; `translational`; `spherical`; none |
//! | a slide along a hinge | `cylindrical` |
//! | two hinges across each other whose lines meet | `universal` |
//! | three that are so pairwise, in one point | `spherical`, with its turns in their order |
//! | two slides and a hinge across both | `planar` |
//! | two slides across each other | `planar`, whose angle a generator holds |
//! | a slide and a hinge across it | `planar` and `slot` |
//! | three slides that span space, with a ball or three hinges | none: the body is free |
//!
//! Coordinates keep the values that they have in the source.

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use crate::fault::{Findings, NotePlace};
use crate::names::Names;
use crate::pose::{clean, is_identity};
use crate::source::{JointMotion, SourceJoint, SourceModel, SourcePosture};

/// Cosine, or distance (m), that rounding in a file leaves of zero.
const ALIGNED: f64 = 1e-6;

/// A body that moves, as it is written.
#[derive(Debug)]
pub(crate) struct PlannedBody {
    /// Position in the model.
    pub source: usize,
    pub name: String,
    /// The body gives its own start, and no joint places it.
    pub states_start: bool,
}

/// A joint as it is written.
#[derive(Debug)]
pub(crate) struct PlannedJoint {
    pub name: String,
    pub kind: &'static str,
    /// Positions among the planned bodies; `None`: the ground.
    pub bodies: [Option<usize>; 2],
    pub points: [Vector3<f64>; 2],
    pub axes: Option<[Vector3<f64>; 2]>,
    pub references: Option<[Vector3<f64>; 2]>,
    /// Coordinates and rates at the start, by their keys.
    pub starts: Vec<(&'static str, f64)>,
}

/// Where a coordinate of the source is in the written mechanism.
#[derive(Clone, Debug)]
pub(crate) enum PlannedCoordinate {
    /// `c = sign (q - shift)`, c of this joint.
    InJoint { joint: String, coordinate: &'static str, sign: f64, shift: f64 },
    /// `q = d.(P - O)` along a slide of a planar joint.
    Along(SlideInPlane),
    /// It has none, for this reason.
    None(&'static str),
    /// Its joint is refused, and what acts along it is no fault of its own.
    Refused,
}

/// The coordinate of a slide that no joint has as its own: `q = d.(P - O)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlideInPlane {
    /// The planned body that slides, and P on it.
    pub body: usize,
    pub point: Vector3<f64>,
    /// The planned body along whose axes it slides (`None`: the ground), with O and d on it.
    pub on: Option<usize>,
    pub origin: Vector3<f64>,
    pub direction: Vector3<f64>,
}

/// The moving parts of a mechanism.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub bodies: Vec<PlannedBody>,
    pub joints: Vec<PlannedJoint>,
    /// Angles that are held: the name of a joint.
    pub held: Vec<String>,
    /// By body of the model, and by joint of it.
    pub coordinates: Vec<Vec<PlannedCoordinate>>,
    /// By body of the model: the planned body that carries it, and its frame there.
    pub carriers: Vec<(Option<usize>, Isometry3<f64>)>,
}

impl Assembly {
    /// A place on a body of the model: the planned body, and the place in its axes.
    pub fn on(&self, body: Option<usize>, place: &Isometry3<f64>) -> (Option<usize>, Isometry3<f64>) {
        match body {
            None => (None, *place),
            Some(body) => (self.carriers[body].0, self.carriers[body].1 * place),
        }
    }

    pub fn name_of(&self, body: Option<usize>) -> &str {
        body.map_or("ground", |body| &self.bodies[body].name)
    }
}

/// The joints of one body, taken together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Together {
    Hinge,
    Slide,
    Ball,
    Free,
    /// Positions of slide and hinge.
    Cylindrical(usize, usize),
    Universal,
    ThreeHinges,
    /// Positions of the hinge, if there is one.
    Planar(Option<usize>),
    /// Positions of slide and hinge, across each other.
    SlideAcross(usize, usize),
}

/// The point in which two lines meet.
fn meeting(one: &SourceJoint, other: &SourceJoint) -> Option<Vector3<f64>> {
    let [a, b] = [one.axis, other.axis];
    let between = other.anchor - one.anchor;
    let c = a.dot(&b);
    let s = (between.dot(&a) - c * between.dot(&b)) / (1.0 - c * c);
    let meets = one.anchor + a * s;
    let off = meets - other.anchor;
    ((off - b * off.dot(&b)).norm() < ALIGNED).then_some(meets)
}

fn across(a: &SourceJoint, b: &SourceJoint) -> bool {
    a.axis.dot(&b.axis).abs() < ALIGNED
}

fn together(joints: &[SourceJoint]) -> Option<Together> {
    use JointMotion::{Ball, Free, Hinge, Slide};
    let motions: Vec<JointMotion> = joints.iter().map(|joint| joint.motion).collect();
    match motions[..] {
        [Hinge] => Some(Together::Hinge),
        [Slide] => Some(Together::Slide),
        [Ball] => Some(Together::Ball),
        [Free] => Some(Together::Free),
        [Slide, Hinge] | [Hinge, Slide] => {
            let (slide, hinge) = if motions[0] == Slide { (0, 1) } else { (1, 0) };
            if joints[0].axis.cross(&joints[1].axis).norm() < ALIGNED {
                return Some(Together::Cylindrical(slide, hinge));
            }
            across(&joints[0], &joints[1]).then_some(Together::SlideAcross(slide, hinge))
        }
        [Hinge, Hinge] => {
            let crossed = across(&joints[0], &joints[1]) && meeting(&joints[0], &joints[1]).is_some();
            crossed.then_some(Together::Universal)
        }
        [Slide, Slide] => across(&joints[0], &joints[1]).then_some(Together::Planar(None)),
        [Hinge, Hinge, Hinge] => {
            let [a, b, c] = [&joints[0], &joints[1], &joints[2]];
            let crossed = across(a, b) && across(b, c) && across(a, c);
            let point = meeting(a, b)?;
            let off = point - c.anchor;
            let meets = (off - c.axis * off.dot(&c.axis)).norm() < ALIGNED;
            (crossed && meets).then_some(Together::ThreeHinges)
        }
        [_, _, _] if motions.iter().filter(|motion| **motion == Slide).count() == 2 => {
            let hinge = motions.iter().position(|motion| *motion == Hinge)?;
            let all_across = (0..3).all(|k| across(&joints[k], &joints[(k + 1) % 3]));
            all_across.then_some(Together::Planar(Some(hinge)))
        }
        // A body that can be anywhere and turn anyhow is free.
        [Slide, Slide, Slide, Ball] | [Slide, Slide, Slide, Hinge, Hinge, Hinge] => {
            let spans =
                |k: usize| joints[k].axis.cross(&joints[k + 1].axis).dot(&joints[k + 2].axis).abs() > ALIGNED;
            (spans(0) && (joints.len() == 4 || spans(3))).then_some(Together::Free)
        }
        _ => None,
    }
}

/// A direction across an axis, of an axis of coordinates if it can be.
pub(crate) fn direction_across(axis: Vector3<f64>) -> Vector3<f64> {
    let mut along = Vector3::zeros();
    along[axis.iamin()] = 1.0;
    clean((along - axis * axis.dot(&along)).normalize())
}

/// Plans all bodies and joints. Names of bodies are taken first, so that they are those of the
/// source.
pub(crate) fn assemble(model: &SourceModel, names: &mut Names, found: &mut Findings) -> Assembly {
    let mut planning =
        Planning { model, starts: model.places(SourcePosture::Start), made: Assembly::default() };
    let moving = |body: usize| !model.bodies[body].joints.is_empty();
    let moving: Vec<usize> = (0..model.bodies.len()).filter(|body| moving(*body)).collect();
    for source in &moving {
        let name = names.of_source(&model.bodies[*source].name, "body");
        planning.made.bodies.push(PlannedBody { source: *source, name, states_start: false });
    }
    for source in 0..model.bodies.len() {
        let (carrier, place) = model.carrier(source);
        let planned = carrier.and_then(|carrier| moving.iter().position(|body| *body == carrier));
        planning.made.carriers.push((planned, place));
        let coordinates = match moving.iter().position(|body| *body == source) {
            Some(own) => planning.body(own, source, names, found),
            None => Vec::new(),
        };
        planning.made.coordinates.push(coordinates);
    }
    planning.made
}

struct Planning<'a> {
    model: &'a SourceModel,
    starts: Vec<Isometry3<f64>>,
    made: Assembly,
}

/// A body that moves, and how it hangs on the body before it.
struct Hung<'a> {
    /// Positions among the planned bodies, and in the model.
    own: usize,
    source: usize,
    joints: &'a [SourceJoint],
    carrier: Option<usize>,
    /// The frame of the body where its joints are at their references, in what carries it: `on * v`
    /// of a vector of it.
    on: Isometry3<f64>,
}

impl Hung<'_> {
    fn bodies(&self) -> [Option<usize>; 2] {
        [self.carrier, Some(self.own)]
    }

    /// A direction in the axes of what carries it.
    fn in_a(&self, v: Vector3<f64>) -> Vector3<f64> {
        clean(self.on.rotation * v)
    }

    /// A place on what carries it.
    fn at_a(&self, v: Vector3<f64>) -> Vector3<f64> {
        (self.on * Point3::from(v)).coords
    }

    fn is_turned(&self) -> bool {
        !is_identity(&self.on.rotation)
    }

    /// A direction of the body on both sides, where their axes are not parallel.
    fn coincident(&self, direction: Vector3<f64>) -> Option<[Vector3<f64>; 2]> {
        self.is_turned().then(|| [self.in_a(direction), direction])
    }

    /// Directions across a hinge that coincide where its coordinate is zero.
    fn references(&self, hinge: &SourceJoint) -> Option<[Vector3<f64>; 2]> {
        let axis = nalgebra::Unit::new_unchecked(hinge.axis);
        let at_zero = self.on.rotation * UnitQuaternion::from_axis_angle(&axis, -hinge.reference);
        let x = direction_across(hinge.axis);
        (!is_identity(&at_zero)).then(|| [clean(at_zero * x), x])
    }
}

/// The start of a coordinate and of its rate, by these keys.
fn start(keys: [&'static str; 2], sign: f64, shift: f64, joint: &SourceJoint) -> Vec<(&'static str, f64)> {
    let mut starts = vec![(keys[0], sign * (joint.start_value() - shift))];
    let rate = joint.start_rate.as_ref().map_or(0.0, |rate| rate[0]);
    if rate != 0.0 {
        starts.push((keys[1], sign * rate));
    }
    starts
}

fn single(joint: String, coordinate: &'static str, sign: f64, shift: f64) -> PlannedCoordinate {
    PlannedCoordinate::InJoint { joint, coordinate, sign, shift }
}

impl<'a> Planning<'a> {
    fn body(
        &mut self,
        own: usize,
        source: usize,
        names: &mut Names,
        found: &mut Findings,
    ) -> Vec<PlannedCoordinate> {
        let model: &'a SourceModel = self.model;
        let body = &model.bodies[source];
        let joints = &body.joints;
        let Some(kind) = together(joints) else {
            let shown: Vec<String> = joints.iter().map(|joint| format!("`{}`", joint.name)).collect();
            let message = format!(
                "the joints {} of the body `{}` are no joint that polhode has: put a body with mass between \
                 them",
                shown.join(", "),
                body.name
            );
            found.fault(&body.at, message);
            return vec![PlannedCoordinate::Refused; joints.len()];
        };
        let (carrier, on) = match body.parent {
            None => (None, Isometry3::identity()),
            Some(parent) => self.made.carriers[parent],
        };
        let hung = Hung { own, source, joints, carrier, on: on * body.pose };
        match kind {
            Together::Hinge => self.hinge(&hung, names),
            Together::Slide => self.slide(&hung, names),
            Together::Cylindrical(slide, hinge) => self.cylindrical(&hung, (slide, hinge), names),
            Together::Universal => self.universal(&hung, names),
            Together::ThreeHinges => self.three_hinges(&hung, names, found),
            Together::Ball => self.ball(&hung, names),
            Together::Free => {
                self.made.bodies[own].states_start = true;
                vec![PlannedCoordinate::None("a body that is free has no coordinates"); joints.len()]
            }
            Together::Planar(hinge) => self.planar(&hung, hinge, names),
            Together::SlideAcross(slide, hinge) => self.slide_across(&hung, (slide, hinge), names),
        }
    }

    /// The name of the joint of the source, or one after its body.
    fn joint_name(&self, names: &mut Names, joint: &SourceJoint, own: usize) -> String {
        match joint.name.is_empty() {
            true => names.fresh(&format!("{}_joint", self.made.bodies[own].name), "joint"),
            false => names.of_source(&joint.name, "joint"),
        }
    }

    fn hinge(&mut self, hung: &Hung<'_>, names: &mut Names) -> Vec<PlannedCoordinate> {
        let hinge = &hung.joints[0];
        let name = self.joint_name(names, hinge, hung.own);
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "revolute",
            bodies: hung.bodies(),
            points: [hung.at_a(hinge.anchor), hinge.anchor],
            axes: Some([hung.in_a(hinge.axis), hinge.axis]),
            references: hung.references(hinge),
            starts: start(["angle", "angular_velocity"], 1.0, 0.0, hinge),
        });
        vec![single(name, "angle", 1.0, 0.0)]
    }

    /// The body keeps its attitude to the parent.
    fn slide(&mut self, hung: &Hung<'_>, names: &mut Names) -> Vec<PlannedCoordinate> {
        let slide = &hung.joints[0];
        let name = self.joint_name(names, slide, hung.own);
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "translational",
            bodies: hung.bodies(),
            points: [hung.at_a(slide.anchor - slide.axis * slide.reference), slide.anchor],
            axes: Some([hung.in_a(slide.axis), slide.axis]),
            references: hung.coincident(direction_across(slide.axis)),
            starts: start(["displacement", "velocity"], 1.0, 0.0, slide),
        });
        vec![single(name, "displacement", 1.0, 0.0)]
    }

    fn cylindrical(
        &mut self,
        hung: &Hung<'_>,
        (slide_at, hinge_at): (usize, usize),
        names: &mut Names,
    ) -> Vec<PlannedCoordinate> {
        let (slide, hinge) = (&hung.joints[slide_at], &hung.joints[hinge_at]);
        let sign = slide.axis.dot(&hinge.axis).signum();
        let name = self.joint_name(names, hinge, hung.own);
        let mut starts = start(["angle", "angular_velocity"], 1.0, 0.0, hinge);
        starts.extend(start(["displacement", "velocity"], sign, 0.0, slide));
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "cylindrical",
            bodies: hung.bodies(),
            points: [hung.at_a(hinge.anchor - slide.axis * slide.reference), hinge.anchor],
            axes: Some([hung.in_a(hinge.axis), hinge.axis]),
            references: hung.references(hinge),
            starts,
        });
        let mut both = vec![single(name.clone(), "angle", 1.0, 0.0), single(name, "displacement", sign, 0.0)];
        if slide_at == 0 {
            both.swap(0, 1);
        }
        both
    }

    /// Both angles are zero where the joints are at their references.
    fn universal(&mut self, hung: &Hung<'_>, names: &mut Names) -> Vec<PlannedCoordinate> {
        let joints = hung.joints;
        let point = meeting(&joints[0], &joints[1]).unwrap_or(joints[0].anchor);
        let name = self.joint_name(names, &joints[0], hung.own);
        let [first, second] = [joints[0].axis, joints[1].axis];
        let keys = [["angle_a", "angle_a_rate"], ["angle_b", "angle_b_rate"]];
        let starts =
            joints.iter().zip(keys).flat_map(|(joint, keys)| start(keys, 1.0, joint.reference, joint));
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "universal",
            bodies: hung.bodies(),
            points: [hung.at_a(point), point],
            axes: Some([hung.in_a(first), second]),
            references: hung.is_turned().then(|| [hung.in_a(second), first]),
            starts: starts.collect(),
        });
        let coordinate = |(joint, [key, _]): (&SourceJoint, [&'static str; 2])| {
            single(name.clone(), key, 1.0, joint.reference)
        };
        joints.iter().zip(keys).map(coordinate).collect()
    }

    fn three_hinges(
        &mut self,
        hung: &Hung<'_>,
        names: &mut Names,
        found: &mut Findings,
    ) -> Vec<PlannedCoordinate> {
        let joints = hung.joints;
        let second = &joints[1];
        let is_turned_by = |end: f64| (end - second.reference).abs() >= FRAC_PI_2;
        if second.limit.is_none_or(|limit| limit.range.into_iter().any(is_turned_by)) {
            let message = format!(
                "`{}` is the second of three hinges at a point: where it has turned by a right angle, \
                 polhode counts the other two from the other side",
                second.name
            );
            found.differs(&second.at, NotePlace::Body(hung.source), &message);
        }
        let point = meeting(&joints[0], &joints[1]).unwrap_or(joints[0].anchor);
        let name = self.joint_name(names, &joints[0], hung.own);
        let [x, y] = [joints[0].axis, joints[1].axis];
        let z = clean(x.cross(&y));
        let signs = [1.0, 1.0, z.dot(&joints[2].axis).signum()];
        let plain = !hung.is_turned() && x == Vector3::x() && y == Vector3::y();
        let keys = [["angle_x", "angle_x_rate"], ["angle_y", "angle_y_rate"], ["angle_z", "angle_z_rate"]];
        let mut starts = Vec::new();
        for ((joint, keys), sign) in joints.iter().zip(keys).zip(signs) {
            starts.extend(start(keys, sign, joint.reference, joint));
        }
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "spherical",
            bodies: hung.bodies(),
            points: [hung.at_a(point), point],
            axes: (!plain).then(|| [hung.in_a(z), z]),
            references: (!plain).then(|| [hung.in_a(x), x]),
            starts,
        });
        let all = joints.iter().zip(keys).zip(signs);
        all.map(|((joint, [key, _]), sign)| single(name.clone(), key, sign, joint.reference)).collect()
    }

    fn ball(&mut self, hung: &Hung<'_>, names: &mut Names) -> Vec<PlannedCoordinate> {
        let ball = &hung.joints[0];
        let name = self.joint_name(names, ball, hung.own);
        self.made.joints.push(PlannedJoint {
            name,
            kind: "spherical",
            bodies: hung.bodies(),
            points: [hung.at_a(ball.anchor), ball.anchor],
            axes: None,
            references: None,
            starts: Vec::new(),
        });
        self.made.bodies[hung.own].states_start = true;
        vec![PlannedCoordinate::None("a ball joint has no coordinates there")]
    }

    /// Two slides, and a hinge or none across both. Its point on the parent is where the body
    /// starts.
    fn planar(&mut self, hung: &Hung<'_>, hinge: Option<usize>, names: &mut Names) -> Vec<PlannedCoordinate> {
        let Hung { own, source, joints, carrier, .. } = *hung;
        let slides: Vec<&SourceJoint> =
            joints.iter().filter(|joint| joint.motion == JointMotion::Slide).collect();
        let normal = slides[0].axis.cross(&slides[1].axis);
        let (anchor, normal) = match hinge {
            Some(hinge) => (joints[hinge].anchor, joints[hinge].axis),
            None => (slides[0].anchor, clean(normal)),
        };
        let named = hinge.map_or(&joints[0], |hinge| &joints[hinge]);
        let name = self.joint_name(names, named, own);
        let start_in_a = match carrier {
            None => self.starts[source],
            Some(carrier) => self.starts[self.made.bodies[carrier].source].inverse() * self.starts[source],
        };
        let point = (start_in_a * Point3::from(anchor)).coords;
        self.made.bodies[own].states_start = true;
        let references = match hinge {
            Some(hinge) => hung.references(&joints[hinge]),
            None => hung.coincident(direction_across(normal)),
        };
        self.made.joints.push(PlannedJoint {
            name: name.clone(),
            kind: "planar",
            bodies: hung.bodies(),
            points: [point, anchor],
            axes: Some([hung.in_a(normal), normal]),
            references,
            starts: Vec::new(),
        });
        if hinge.is_none() {
            self.made.held.push(name.clone());
        }
        // Slides that come before the hinge move along lines that are fixed in the parent.
        let fixed = hinge.is_none_or(|hinge| hinge == 2);
        let coordinate = |joint: &SourceJoint| match joint.motion {
            JointMotion::Hinge => single(name.clone(), "angle", 1.0, 0.0),
            _ if fixed => PlannedCoordinate::Along(SlideInPlane {
                body: own,
                point: anchor,
                on: carrier,
                origin: hung.at_a(anchor - joint.axis * joint.reference),
                direction: hung.in_a(joint.axis),
            }),
            _ => PlannedCoordinate::None("a planar joint has no coordinate along slides behind its hinge"),
        };
        joints.iter().map(coordinate).collect()
    }

    fn slide_across(
        &mut self,
        hung: &Hung<'_>,
        (slide, hinge): (usize, usize),
        names: &mut Names,
    ) -> Vec<PlannedCoordinate> {
        let first = slide == 0;
        let (slide, hinge) = (&hung.joints[slide], &hung.joints[hinge]);
        let plane = self.joint_name(names, hinge, hung.own);
        let line = self.joint_name(names, slide, hung.own);
        self.made.joints.push(PlannedJoint {
            name: plane.clone(),
            kind: "planar",
            bodies: hung.bodies(),
            points: [hung.at_a(hinge.anchor), hinge.anchor],
            axes: Some([hung.in_a(hinge.axis), hinge.axis]),
            references: hung.references(hinge),
            starts: Vec::new(),
        });
        // The line turns with the body where the slide comes behind the hinge.
        let (bodies, points, axes) = match first {
            true => (
                hung.bodies(),
                [hung.at_a(hinge.anchor - slide.axis * slide.reference), hinge.anchor],
                [hung.in_a(slide.axis), slide.axis],
            ),
            false => (
                [Some(hung.own), hung.carrier],
                [hinge.anchor + slide.axis * slide.reference, hung.at_a(hinge.anchor)],
                [slide.axis, hung.in_a(slide.axis)],
            ),
        };
        self.made.joints.push(PlannedJoint {
            name: line.clone(),
            kind: "slot",
            bodies,
            points,
            axes: Some(axes),
            references: None,
            starts: Vec::new(),
        });
        self.made.bodies[hung.own].states_start = true;
        let mut both = vec![
            single(line, "displacement", if first { 1.0 } else { -1.0 }, 0.0),
            single(plane, "angle", 1.0, 0.0),
        ];
        if !first {
            both.swap(0, 1);
        }
        both
    }
}
