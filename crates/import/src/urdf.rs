//! URDF read into a [`SourceModel`].

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use crate::collide::{CollisionRules, CollisionShape};
use crate::fault::{Feature, FilePlace, Findings, NotePlace};
use crate::pose::pose;
use crate::source::{
    ActsOn, GivenMass, JointMotion, Limit, SourceActuator, SourceBody, SourceCoupling, SourceJoint,
    SourceMass, SourceModel, SourceSite,
};
use crate::xml::{Layered, XmlElement};

/// The root link of a robot that floats, or stands on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootLink {
    /// Its root link is fixed to the ground, as MuJoCo takes it.
    #[default]
    Fixed,
    /// Its root link moves freely.
    Free,
}

/// A joint as the file has it.
struct UrdfJoint<'a> {
    element: &'a XmlElement,
    name: &'a str,
    kind: &'a str,
    parent: &'a str,
    child: &'a str,
}

/// The model of a URDF file.
pub(crate) fn read(root: &XmlElement, base: RootLink, found: Findings) -> (SourceModel, Findings) {
    let mut reading = UrdfReading {
        found,
        model: SourceModel {
            name: root.value("name").unwrap_or_default().to_string(),
            format: "URDF",
            gravity: Vector3::new(0.0, 0.0, -9.81),
            ..SourceModel::default()
        },
        rules: CollisionRules::default(),
    };
    reading.whole(root, base);
    (reading.model, reading.found)
}

struct UrdfReading {
    found: Findings,
    model: SourceModel,
    rules: CollisionRules,
}

/// The name by which files call the ground.
const WORLD: &str = "world";

impl UrdfReading {
    fn whole(&mut self, root: &XmlElement, base: RootLink) {
        let ground = XmlElement {
            name: "link".to_string(),
            attributes: Vec::new(),
            children: Vec::new(),
            ..root.clone()
        };
        let mut links: BTreeMap<&str, &XmlElement> = BTreeMap::new();
        let mut joints: Vec<UrdfJoint<'_>> = Vec::new();
        for element in &root.children {
            match element.name.as_str() {
                "link" => {
                    let Some(name) = self.named(element) else { continue };
                    if links.insert(name, element).is_some() {
                        self.found.fault(&element.at, format!("a second link has the name `{name}`"));
                    }
                }
                "joint" => joints.extend(self.joint_of(element)),
                "material" | "gazebo" | "sensor" | "ros2_control" | "visual" => {
                    self.found.counts(&format!("<{}>", element.name));
                }
                "transmission" | "mujoco" | "frame" => {}
                other if other.starts_with("xacro") || other == "macro" => {
                    self.found.fault(
                        &element.at,
                        "this file is for xacro: run it first, and import what it prints",
                    );
                }
                other => {
                    let message = format!("<{other}> in a robot is not known");
                    self.found.lacks(Feature::Unknown, &element.at, NotePlace::Head, message);
                }
            }
        }
        if joints.iter().any(|joint| joint.parent == WORLD) {
            // Drake wants no link for the ground.
            links.entry(WORLD).or_insert(&ground);
        }
        for joint in &joints {
            for (what, link) in [("parent", joint.parent), ("child", joint.child)] {
                if !links.contains_key(link) {
                    let meant = polhode_description::base::meant(link, links.keys().copied());
                    let message =
                        format!("the {what} of the joint `{}`: there is no link `{link}`{meant}", joint.name);
                    self.found.fault(&joint.element.at, message);
                }
            }
        }
        for (k, joint) in joints.iter().enumerate() {
            if joints[..k].iter().any(|other| other.name == joint.name) {
                self.found.fault(&joint.element.at, format!("a second joint has the name `{}`", joint.name));
            }
            if joints[..k].iter().any(|other| other.child == joint.child) {
                let message = format!("the link `{}` hangs on two joints; URDF has trees alone", joint.child);
                self.found.fault(&joint.element.at, message);
            }
        }
        if !self.found.faults.is_empty() {
            return;
        }
        let roots: Vec<&str> =
            links.keys().copied().filter(|link| joints.iter().all(|joint| joint.child != *link)).collect();
        let [top] = roots[..] else {
            let message = match roots.len() {
                0 if links.is_empty() => "the robot has no links".to_string(),
                0 => "no link is the root: joints go in a circle".to_string(),
                _ => format!("several links are roots: {}", roots.join(", ")),
            };
            self.found.fault(&root.at, message);
            return;
        };
        self.link(top, &links, &joints, None, None);
        let read = self.model.bodies.len();
        if read < links.len() {
            let message = format!(
                "{} links do not hang on the root `{top}`: joints go in a circle",
                links.len() - read
            );
            self.found.fault(&root.at, message);
        }
        match base {
            RootLink::Free => {
                let free = joint_named("", &links[top].at, JointMotion::Free);
                self.model.bodies[0].joints.push(free);
            }
            RootLink::Fixed if top != WORLD => {
                self.found.lines.push(format!(
                    "the root link `{top}` is fixed to the ground; `--base free` lets it move"
                ));
            }
            RootLink::Fixed => {}
        }
        self.mimics(&joints);
        self.transmissions(root, &joints);
        self.frames(root);
        self.rules.report(&self.model, &mut self.found);
    }

    fn named<'a>(&mut self, element: &'a XmlElement) -> Option<&'a str> {
        let name = element.value("name");
        if name.is_none() {
            self.found.fault(&element.at, format!("a <{}> has no name", element.name));
        }
        name
    }

    fn joint_of<'a>(&mut self, element: &'a XmlElement) -> Option<UrdfJoint<'a>> {
        let name = self.named(element)?;
        let mut link = |child: &str| {
            let link = element.first(child).and_then(|child| child.value("link"));
            if link.is_none() {
                self.found.fault(&element.at, format!("the joint `{name}` has no <{child} link=\"..\"/>"));
            }
            link
        };
        let (parent, child) = (link("parent")?, link("child")?);
        let kinds = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];
        let kind = element.value("type").unwrap_or_default();
        if !kinds.contains(&kind) {
            let message = format!(
                "the joint `{name}` is of type \"{kind}\", and should be one of {}",
                kinds.join(", ")
            );
            self.found.fault(&element.at, message);
            return None;
        }
        let known = [
            "origin",
            "parent",
            "child",
            "axis",
            "limit",
            "dynamics",
            "mimic",
            "safety_controller",
            "calibration",
        ];
        for child in element.children.iter().filter(|child| !known.contains(&child.name.as_str())) {
            let message = format!("<{}> in the joint `{name}` is not known", child.name);
            self.found.lacks(Feature::Unknown, &child.at, NotePlace::Head, message);
        }
        Some(UrdfJoint { element, name, kind, parent, child })
    }

    /// The pose of an <origin>, if there is one.
    fn origin(&mut self, element: &XmlElement) -> Isometry3<f64> {
        element.first("origin").map_or_else(Isometry3::identity, |origin| self.place(origin))
    }

    fn place(&mut self, element: &XmlElement) -> Isometry3<f64> {
        let own = Layered::alone(element);
        let at: Vector3<f64> = own.few::<3>("xyz", &mut self.found).unwrap_or_default().into();
        let [roll, pitch, yaw] = own.few("rpy", &mut self.found).unwrap_or_default();
        pose(at, UnitQuaternion::from_euler_angles(roll, pitch, yaw))
    }

    /// Adds a link, and all that hangs on it.
    fn link(
        &mut self,
        name: &str,
        links: &BTreeMap<&str, &XmlElement>,
        joints: &[UrdfJoint<'_>],
        by: Option<&UrdfJoint<'_>>,
        parent: Option<usize>,
    ) {
        // A loop of joints would reach this link again.
        if self.model.bodies.iter().any(|body| body.name == name) {
            return;
        }
        let element = links[name];
        let own = self.model.bodies.len();
        let place = by.map_or_else(Isometry3::identity, |joint| self.origin(joint.element));
        let mass = self.mass(element);
        self.model.bodies.push(SourceBody {
            name: name.to_string(),
            at: element.at.clone(),
            parent,
            pose: place,
            joints: Vec::new(),
            mass,
            weightless: 0.0,
        });
        if let Some(joint) = by {
            let moving = self.moving(joint);
            self.model.bodies[own].joints = moving;
        }
        for child in &element.children {
            match child.name.as_str() {
                "inertial" => {}
                "visual" => self.found.counts("<visual>"),
                "collision" => self.rules.shapes.push(CollisionShape {
                    name: child.value("name").unwrap_or(name).to_string(),
                    at: child.at.clone(),
                    body: Some(own),
                    masks: [1, 1],
                    is_ground: false,
                }),
                other => {
                    let message = format!("<{other}> in the link `{name}` is not known");
                    self.found.lacks(Feature::Unknown, &child.at, NotePlace::Body(own), message);
                }
            }
        }
        for joint in joints.iter().filter(|joint| joint.parent == name) {
            self.link(joint.child, links, joints, Some(joint), Some(own));
        }
    }

    fn mass(&mut self, link: &XmlElement) -> SourceMass {
        let none = SourceMass::Solids(Vec::new());
        let Some(inertial) = link.first("inertial") else { return none };
        let place = self.origin(inertial);
        let Some(mass) = inertial.first("mass") else {
            self.found.fault(&inertial.at, "<inertial> has no <mass>");
            return none;
        };
        let mass = Layered::alone(mass).number("value", &mut self.found).unwrap_or(0.0);
        let Some(inertia) = inertial.first("inertia") else {
            self.found.fault(&inertial.at, "<inertial> has no <inertia>");
            return none;
        };
        let own = Layered::alone(inertia);
        let [xx, xy, xz, yy, yz, zz] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]
            .map(|name| own.number(name, &mut self.found).unwrap_or(0.0));
        let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        if mass == 0.0 && inertia == Matrix3::zeros() {
            return none;
        }
        SourceMass::Given(GivenMass { mass, centre: place.translation.vector, axes: place.rotation, inertia })
    }

    /// The joints by which a link moves in its parent.
    fn moving(&mut self, joint: &UrdfJoint<'_>) -> Vec<SourceJoint> {
        let UrdfJoint { element, name, kind, .. } = joint;
        let at = &element.at;
        let axis = match element.first("axis") {
            Some(axis) => Layered::alone(axis).few::<3>("xyz", &mut self.found).unwrap_or([1.0, 0.0, 0.0]),
            None => [1.0, 0.0, 0.0],
        };
        let single = |motion: JointMotion, name: &str, axis: Vector3<f64>| SourceJoint {
            axis,
            ..joint_named(name, at, motion)
        };
        // These have several freedoms, and one number is given.
        if ["floating", "planar"].contains(kind) {
            let is_lost = |child: &&XmlElement| {
                child.name != "limit" || child.value("lower").or(child.value("upper")).is_some()
            };
            for child in ["dynamics", "limit"].iter().filter_map(|child| element.first(child)).filter(is_lost)
            {
                let message = format!("<{}> of the joint `{name}`, which is {kind}, has no twin", child.name);
                self.found.lacks(Feature::Unknown, &child.at, NotePlace::Head, message);
            }
        }
        let motion = match *kind {
            "fixed" => return Vec::new(),
            "floating" => return vec![joint_named(name, at, JointMotion::Free)],
            "prismatic" => JointMotion::Slide,
            _ => JointMotion::Hinge,
        };
        let Some(axis) = Vector3::from(axis).try_normalize(1e-9) else {
            self.found.fault(at, format!("the axis of the joint `{name}` has no length"));
            return Vec::new();
        };
        if *kind == "planar" {
            let x = axis.cross(&if axis.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() }).normalize();
            return vec![
                single(JointMotion::Slide, &format!("{name}_x"), x),
                single(JointMotion::Slide, &format!("{name}_y"), axis.cross(&x)),
                single(JointMotion::Hinge, name, axis),
            ];
        }
        let mut read = single(motion, name, axis);
        let mut number =
            |child: &str, key: &str| Layered::alone(element.first(child)?).number(key, &mut self.found);
        read.damping = number("dynamics", "damping").unwrap_or(0.0);
        read.friction = number("dynamics", "friction").unwrap_or(0.0);
        let given = ["lower", "upper"].map(|key| number("limit", key));
        let [low, high] = given.map(|bound| bound.unwrap_or(0.0));
        let effort = number("limit", "effort");
        read.force_range = effort.filter(|effort| *effort > 0.0).map(|effort| [-effort, effort]);
        let at_limit = element.first("limit").map_or(at, |limit| &limit.at);
        if *kind == "continuous" {
            if low != 0.0 || high != 0.0 {
                let message = format!("the joint `{name}` is continuous, and its limits are left out");
                self.found.differs(at_limit, NotePlace::Head, &message);
            }
        } else if low < high {
            read.limit = Some(Limit { range: [low, high], solref: [0.02, 1.0] });
        } else if low > high {
            let message =
                format!("the limits of the joint `{name}` end at {high}, before they begin at {low}");
            self.found.fault(at_limit, message);
        } else if given != [None; 2] {
            let message = format!(
                "the limits of the joint `{name}` begin and end at {low}: it is taken to have none, as \
                 MuJoCo takes it"
            );
            self.found.differs(at_limit, NotePlace::Head, &message);
        }
        vec![read]
    }

    fn mimics(&mut self, joints: &[UrdfJoint<'_>]) {
        for joint in joints {
            let Some(mimic) = joint.element.first("mimic") else { continue };
            let leader = mimic.value("joint").unwrap_or_default();
            let own = Layered::alone(mimic);
            let multiplier = own.number("multiplier", &mut self.found).unwrap_or(1.0);
            let offset = own.number("offset", &mut self.found).unwrap_or(0.0);
            let at = [joint.name, leader].map(|name| self.model.joint(name));
            let [Some(follower), Some(leader)] = at else {
                let message =
                    format!("the joint `{}` mimics `{leader}`, and one of them does not move", joint.name);
                self.found.fault(&mimic.at, message);
                continue;
            };
            if follower == leader {
                self.found.fault(&mimic.at, format!("the joint `{}` mimics itself", joint.name));
                continue;
            }
            self.model.couplings.push(SourceCoupling {
                name: format!("{}_mimic", joint.name),
                at: mimic.at.clone(),
                follower,
                leader: Some(leader),
                coefficients: vec![offset, multiplier],
            });
        }
    }

    /// Drake's frames: places on links that have names.
    fn frames(&mut self, root: &XmlElement) {
        for frame in root.all("frame") {
            let Some(name) = self.named(frame) else { continue };
            let link = frame.value("link").unwrap_or_default();
            let body = self.model.bodies.iter().position(|body| body.name == link);
            if body.is_none() {
                let meant =
                    polhode_description::base::meant(link, self.model.bodies.iter().map(|body| &*body.name));
                self.found.fault(&frame.at, format!("the frame `{name}`: there is no link `{link}`{meant}"));
            }
            let frame = self.place(frame);
            self.model.sites.push(SourceSite { name: name.to_string(), body, frame });
        }
    }

    /// A joint with a transmission has a motor, whose effort is what `<limit>` says.
    fn transmissions(&mut self, root: &XmlElement, joints: &[UrdfJoint<'_>]) {
        for transmission in root.all("transmission") {
            self.known_in(
                transmission,
                &["type", "joint", "actuator", "mechanicalReduction", "hardwareInterface"],
            );
            for actuator in transmission.all("actuator") {
                let known = ["mechanicalReduction", "hardwareInterface", "gear_ratio", "rotor_inertia"];
                self.known_in(actuator, &known);
            }
            let number = |child: &str, found: &mut Findings| {
                let element = transmission.all("actuator").find_map(|actuator| actuator.first(child))?;
                Layered::alone(element).number("value", found)
            };
            let [ratio, rotor] = ["gear_ratio", "rotor_inertia"].map(|child| number(child, &mut self.found));
            let name_of = |joint: &&XmlElement| joint.value("name").unwrap_or_default().to_string();
            for name in transmission.all("joint").map(|joint| name_of(&joint)).collect::<Vec<_>>() {
                let single = joints.iter().any(|joint| {
                    joint.name == name && ["revolute", "continuous", "prismatic"].contains(&joint.kind)
                });
                let Some((body, at)) = self.model.joint(&name).filter(|_| single) else {
                    self.found.fault(
                        &transmission.at,
                        format!("a transmission drives the joint `{name}`, which does not turn or slide"),
                    );
                    continue;
                };
                let joint = &mut self.model.bodies[body].joints[at];
                joint.armature += ratio.unwrap_or(1.0).powi(2) * rotor.unwrap_or(0.0);
                let effort = joint.force_range.take();
                self.model.actuators.push(SourceActuator {
                    name: String::new(),
                    at: transmission.at.clone(),
                    acts_on: ActsOn::Joint(body, at),
                    gear: 1.0,
                    gain: [1.0, 0.0, 0.0],
                    bias: [0.0; 3],
                    lag: None,
                    activation_range: None,
                    command_range: effort,
                    force_range: None,
                    command: 0.0,
                    activation: 0.0,
                });
            }
        }
        for (element, plural) in root.all("mujoco").map(|element| (element, "<mujoco>")) {
            match element.children.iter().all(|child| child.name == "compiler") {
                true => self.compiler(element),
                false => self.found.lacks(
                    Feature::Unknown,
                    &element.at,
                    NotePlace::Head,
                    format!("{plural} has more than <compiler>"),
                ),
            }
        }
    }

    fn known_in(&mut self, element: &XmlElement, known: &[&str]) {
        for child in element.children.iter().filter(|child| !known.contains(&child.name.as_str())) {
            let message = format!("<{}> in <{}> is not known", child.name, element.name);
            self.found.lacks(Feature::Unknown, &child.at, NotePlace::End, message);
        }
    }

    /// MuJoCo's own section: settings that change masses are refused; the others have no effect.
    fn compiler(&mut self, element: &XmlElement) {
        for attribute in element.children.iter().flat_map(|compiler| &compiler.attributes) {
            let idle = ["meshdir", "discardvisual", "fusestatic", "strippath", "autolimits"];
            let off = matches!(attribute.value.as_str(), "false" | "0" | "-1" | "radian" | "auto");
            if !idle.contains(&attribute.name.as_str()) && !off {
                let message = format!("`{}` of <compiler> changes the model", attribute.name);
                self.found.lacks(Feature::Unknown, &attribute.at, NotePlace::Head, message);
            }
        }
    }
}

/// A joint that does nothing but move.
fn joint_named(name: &str, at: &FilePlace, motion: JointMotion) -> SourceJoint {
    SourceJoint {
        name: name.to_string(),
        at: at.clone(),
        motion,
        anchor: Vector3::zeros(),
        axis: Vector3::z(),
        reference: 0.0,
        stiffness: 0.0,
        rest: 0.0,
        damping: 0.0,
        armature: 0.0,
        friction: 0.0,
        limit: None,
        range: [0.0; 2],
        force_range: None,
        start: None,
        start_rate: None,
    }
}
