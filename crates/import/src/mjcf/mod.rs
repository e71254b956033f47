//! MJCF, the language of MuJoCo, read into a [`SourceModel`].

mod actuators;
mod constraints;
mod defaults;
mod known;
mod law;
mod replicas;

use nalgebra::{Isometry3, Matrix3, SymmetricEigen, UnitQuaternion, Vector3};

use self::defaults::Defaults;
use crate::collide::{CollisionRules, CollisionShape};
use crate::fault::{Feature, FilePlace, Findings, NotePlace};
use crate::pose::{euler, pose, xy_axes, z_to};
use crate::source::{
    GivenMass, JointMotion, Limit, Solid, SolidShape, SourceBody, SourceJoint, SourceMass, SourceModel,
    SourceSite, quaternion,
};
use crate::xml::{Layered, XmlElement, lay_over};

/// Numbers of `<compiler>`.
struct Compiler {
    degrees: bool,
    sequence: String,
    autolimits: bool,
    /// `None`: of bodies that have no `<inertial>`.
    inertia_from_geom: Option<bool>,
    inertia_groups: [f64; 2],
    least_mass: f64,
    least_inertia: f64,
    balances: bool,
    total_mass: f64,
    /// Frames of free bodies on which nothing hangs are put into their mass centres.
    aligns_free: bool,
}

/// Effects that `<flag>` switches off.
#[derive(Default)]
struct Off {
    contact: bool,
    limits: bool,
    friction: bool,
    equality: bool,
    springs: bool,
    dampers: bool,
    gravity: bool,
    actuation: bool,
    /// Groups of actuators.
    groups: Vec<f64>,
    clamping: bool,
    filter_parents: bool,
}

/// An actuator of the file, and the numbers that a keyframe has for it.
struct Driven {
    /// Its position among those that are kept.
    kept: Option<usize>,
    /// Counts of its commands and activations, where polhode knows.
    sizes: [Option<usize>; 2],
}

struct MjcfReading<'a> {
    found: Findings,
    compiler: Compiler,
    is_off: Off,
    defaults: Defaults<'a>,
    model: SourceModel,
    rules: CollisionRules,
    /// By actuator of the file.
    driven: Vec<Driven>,
    /// Bodies that the outside moves.
    mocaps: Vec<usize>,
    /// Free bodies whose frames are put into their mass centres, if nothing hangs on them.
    aligned: Vec<usize>,
    /// The first joint whose actuators are to bear what gravity leaves out.
    bears: Option<(FilePlace, usize, String)>,
    /// Geoms of the body that is being read whose mass needs a mesh: place, name, and name of the
    /// mesh.
    needs_mesh: Vec<(FilePlace, String, String)>,
}

/// The model of an MJCF file. `key`: the keyframe in which it starts.
pub(crate) fn read(root: &XmlElement, key: Option<&str>, mut found: Findings) -> (SourceModel, Findings) {
    let root = &replicas::unrolled(root, &mut found);
    let mut reading = MjcfReading {
        found,
        compiler: Compiler {
            degrees: true,
            sequence: "xyz".to_string(),
            autolimits: true,
            inertia_from_geom: None,
            inertia_groups: [0.0, 5.0],
            least_mass: 0.0,
            least_inertia: 0.0,
            balances: false,
            total_mass: -1.0,
            aligns_free: false,
        },
        is_off: Off::default(),
        defaults: Defaults::default(),
        model: SourceModel {
            name: root.value("model").unwrap_or_default().to_string(),
            format: "MJCF",
            gravity: Vector3::new(0.0, 0.0, -9.81),
            ..SourceModel::default()
        },
        rules: CollisionRules::default(),
        driven: Vec::new(),
        mocaps: Vec::new(),
        aligned: Vec::new(),
        bears: None,
        needs_mesh: Vec::new(),
    };
    reading.whole(root, key);
    (reading.model, reading.found)
}

/// Numbers by which a tendon acts by itself.
const ACTING_TENDON: [&str; 4] = ["stiffness", "damping", "frictionloss", "armature"];
/// Sections that show, and move nothing.
const IDLE: [&str; 6] = ["visual", "statistic", "asset", "custom", "size", "numeric"];

impl<'a> MjcfReading<'a> {
    fn whole(&mut self, root: &'a XmlElement, key: Option<&str>) {
        for section in &root.children {
            match section.name.as_str() {
                "compiler" => self.compiler(section),
                "option" => self.option(section),
                "extension" => section.children.iter().for_each(|plugin| {
                    self.found.lacks(Feature::Plugin, &plugin.at, NotePlace::Head, "a plugin is loaded");
                }),
                "deformable" => section.children.iter().for_each(|part| {
                    let message = format!("<{}> is flexible", part.name);
                    self.found.lacks(Feature::Flex, &part.at, NotePlace::End, message);
                }),
                "default" | "worldbody" | "actuator" | "equality" | "contact" | "tendon" | "sensor"
                | "keyframe" => {}
                idle if IDLE.contains(&idle) => {
                    section.children.iter().for_each(|child| self.found.counts(&format!("<{}>", child.name)));
                }
                other => {
                    let message = format!("the section <{other}> is not known");
                    self.found.lacks(Feature::Unknown, &section.at, NotePlace::Head, message);
                }
            }
        }
        self.defaults.add_all(root, &mut self.found);
        self.model.degrees = self.compiler.degrees;
        if self.is_off.gravity {
            self.model.gravity = Vector3::zeros();
        }
        for world in root.all("worldbody") {
            let childclass = world.value("childclass");
            self.inside(world, None, childclass, &Isometry3::identity());
        }
        self.total_mass();
        if let Some((at, body, name)) = self.bears.take()
            && self.model.bodies.iter().any(|body| body.weightless != 0.0)
        {
            let message = format!(
                "the actuators of the joint `{name}` bear what gravity leaves out (`actuatorgravcomp`)"
            );
            self.found.lacks(Feature::Joint, &at, NotePlace::Body(body), message);
        }
        self.tendons(root);
        self.actuators(root);
        self.equalities(root);
        self.sensors(root);
        self.keyframe(root, key);
        self.contact(root);
    }

    fn compiler(&mut self, element: &XmlElement) {
        known::check(element, "compiler", NotePlace::Head, &mut self.found);
        let own = Layered::alone(element);
        let found = &mut self.found;
        let compiler = &mut self.compiler;
        if let Some(angle) = own.choice("angle", &["degree", "radian"], found) {
            compiler.degrees = angle == "degree";
        }
        if let Some(sequence) = own.attribute("eulerseq") {
            let is_one = sequence.value.len() == 3 && sequence.value.chars().all(|c| "xyzXYZ".contains(c));
            match is_one {
                true => compiler.sequence.clone_from(&sequence.value),
                false => found.fault(&sequence.at, "`eulerseq` should be three of x, y, z, X, Y, Z"),
            }
        }
        if let Some(auto) = own.flag("autolimits", found) {
            compiler.autolimits = auto;
        }
        if own.value("coordinate") == Some("global") {
            found.fault(
                &element.at,
                "`coordinate` is \"global\", which MuJoCo 2.3.4 took away: save the file anew",
            );
        }
        if own.attribute("inertiafromgeom").is_some() {
            compiler.inertia_from_geom = own.flag("inertiafromgeom", found);
        }
        if let Some(groups) = own.few("inertiagrouprange", found) {
            compiler.inertia_groups = groups;
        }
        for (name, into) in [
            ("boundmass", &mut compiler.least_mass),
            ("boundinertia", &mut compiler.least_inertia),
            ("settotalmass", &mut compiler.total_mass),
        ] {
            if let Some(number) = own.number(name, found) {
                *into = number;
            }
        }
        for (name, into) in
            [("balanceinertia", &mut compiler.balances), ("alignfree", &mut compiler.aligns_free)]
        {
            if let Some(flag) = own.flag(name, found) {
                *into = flag;
            }
        }
    }

    fn option(&mut self, element: &XmlElement) {
        known::check(element, "option", NotePlace::Head, &mut self.found);
        let own = Layered::alone(element);
        let found = &mut self.found;
        if let Some(gravity) = own.few::<3>("gravity", found) {
            self.model.gravity = gravity.into();
        }
        let medium = ["density", "viscosity", "wind"]
            .map(|name| own.numbers(name, found).is_some_and(|all| all.iter().any(|number| *number != 0.0)));
        // A wind without a medium moves nothing.
        if medium[0] || medium[1] {
            let message = "the medium resists the bodies (`density`, `viscosity`)";
            found.lacks(Feature::Fluid, &element.at, NotePlace::Head, message);
        }
        self.is_off.groups.extend(own.numbers("actuatorgroupdisable", found).unwrap_or_default());
        for flags in element.all("flag") {
            known::check(flags, "flag", NotePlace::Head, found);
            let flags = Layered::alone(flags);
            let mut off = |name: &str| flags.choice(name, &["enable", "disable"], found) == Some("disable");
            let constraint = off("constraint");
            let passive = off("passive");
            let is_off = &mut self.is_off;
            is_off.contact |= off("contact") || constraint;
            is_off.limits |= off("limit") || constraint;
            is_off.friction |= off("frictionloss") || constraint;
            is_off.equality |= off("equality") || constraint;
            is_off.springs |= off("spring") || passive;
            is_off.dampers |= off("damper") || passive;
            is_off.gravity |= off("gravity");
            is_off.actuation |= off("actuation");
            is_off.clamping |= off("clampctrl");
            is_off.filter_parents |= off("filterparent");
        }
        for child in element.children.iter().filter(|child| child.name != "flag") {
            let message = format!("<{}> within <option> is not known", child.name);
            found.lacks(Feature::Unknown, &child.at, NotePlace::Head, message);
        }
    }

    /// Reads what is in a body or in a frame of one: first its own parts, and then the bodies on
    /// it, so that joints come in MuJoCo's order. `frame`: the frame in the body.
    fn inside(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        self.own_parts(element, body, class, frame);
        self.bodies_in(element, body, class, frame);
    }

    /// The bodies in a body, in their order.
    fn bodies_in(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        for child in &element.children {
            match child.name.as_str() {
                "body" => self.body(child, body, class, frame),
                "frame" => {
                    let within = frame * self.pose_of(&Layered::alone(child));
                    self.bodies_in(child, body, child.value("childclass").or(class), &within);
                }
                _ => {}
            }
        }
    }

    /// The parts of a body but the bodies on it.
    fn own_parts(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        let place = body.map_or(NotePlace::Head, NotePlace::Body);
        for child in &element.children {
            match child.name.as_str() {
                "body" | "inertial" => {}
                "frame" => {
                    known::check(child, "frame", place, &mut self.found);
                    let within = frame * self.pose_of(&Layered::alone(child));
                    self.own_parts(child, body, child.value("childclass").or(class), &within);
                }
                "joint" | "freejoint" => self.joint(child, body, class, frame),
                "geom" => self.geom(child, body, class, frame),
                "site" => self.site(child, body, class, frame),
                "camera" | "light" => self.found.counts(&format!("<{}>", child.name)),
                "plugin" => {
                    let message =
                        format!("a plugin acts on the body `{}`", element.value("name").unwrap_or("?"));
                    self.found.lacks(Feature::Plugin, &child.at, place, message);
                }
                "composite" | "flexcomp" => {
                    let message = format!("<{}> makes flexible parts", child.name);
                    self.found.lacks(Feature::Flex, &child.at, place, message);
                }
                "attach" => {
                    let message = "<attach> makes parts that this file does not show: save the compiled \
                                   model (mj_saveLastXML), and import that";
                    self.found.fault(&child.at, message);
                }
                other => {
                    let message = format!("<{other}> in a body is not known");
                    self.found.lacks(Feature::Unknown, &child.at, place, message);
                }
            }
        }
    }

    fn body(
        &mut self,
        element: &'a XmlElement,
        parent: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        let own = self.model.bodies.len();
        known::check(element, "body", NotePlace::Body(own), &mut self.found);
        let class = element.value("childclass").or(class);
        let layers = Layered::alone(element);
        let name = element.value("name").unwrap_or_default().to_string();
        if !name.is_empty() && self.model.bodies.iter().any(|body| body.name == name) {
            self.found.fault(&element.at, format!("a second body has the name `{name}`"));
        }
        let written = self.pose_of(&layers);
        let given = layers.number("gravcomp", &mut self.found).unwrap_or(0.0);
        // MuJoCo has no passive forces at all where both springs and dampers are off.
        let weightless = if self.is_off.springs && self.is_off.dampers { 0.0 } else { given };
        if layers.flag("mocap", &mut self.found) == Some(true) {
            self.mocaps.push(own);
            let message = format!("`{name}` is moved by the outside (mocap): it stands still");
            self.found.differs(&element.at, NotePlace::Body(own), &message);
        }
        self.model.bodies.push(SourceBody {
            name,
            at: element.at.clone(),
            parent,
            pose: frame * written,
            joints: Vec::new(),
            mass: SourceMass::Solids(Vec::new()),
            weightless,
        });
        let given = element.first("inertial").and_then(|inertial| self.inertial(inertial, own));
        self.inside_of(element, own, class, given);
        self.bound(own, written.translation.vector);
    }

    fn inside_of(
        &mut self,
        element: &'a XmlElement,
        own: usize,
        class: Option<&'a str>,
        given: Option<GivenMass>,
    ) {
        let from_geoms = self.compiler.inertia_from_geom.unwrap_or(given.is_none());
        self.own_parts(element, Some(own), class, &Isometry3::identity());
        let needs_mesh = std::mem::take(&mut self.needs_mesh);
        // A body that stands on the ground needs no mass.
        if from_geoms && self.model.carrier(own).0.is_some() {
            for (at, geom, mesh) in needs_mesh {
                let message = format!(
                    "the mass of the geom `{geom}` follows from the mesh `{mesh}`, which polhode does not \
                     read: give the body an <inertial>, or the geom a mass of 0"
                );
                self.found.fault(&at, message);
            }
        }
        let body = &mut self.model.bodies[own];
        if !from_geoms || body.mass.is_none() {
            body.mass = given.map_or(SourceMass::Solids(Vec::new()), SourceMass::Given);
        }
        self.bodies_in(element, Some(own), class, &Isometry3::identity());
    }

    fn inertial(&mut self, element: &XmlElement, body: usize) -> Option<GivenMass> {
        known::check(element, "inertial", NotePlace::Body(body), &mut self.found);
        let own = Layered::alone(element);
        let place = self.pose_of(&own);
        let mass = own.number("mass", &mut self.found);
        let diagonal = own.few::<3>("diaginertia", &mut self.found);
        let full = own.few::<6>("fullinertia", &mut self.found);
        let inertia = match (diagonal, full) {
            (_, Some([xx, yy, zz, xy, xz, yz])) => Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            (Some(moments), _) => Matrix3::from_diagonal(&moments.into()),
            _ => {
                self.found.fault(&element.at, "<inertial> has neither `diaginertia` nor `fullinertia`");
                return None;
            }
        };
        let Some(mass) = mass else {
            self.found.fault(&element.at, "<inertial> has no `mass`");
            return None;
        };
        Some(GivenMass { mass, centre: place.translation.vector, axes: place.rotation, inertia })
    }

    /// Does what `boundmass`, `boundinertia` and `balanceinertia` ask for of a body whose element
    /// has the place `written` (m).
    fn bound(&mut self, body: usize, written: Vector3<f64>) {
        let Compiler { least_mass, least_inertia, balances, .. } = self.compiler;
        let own = &self.model.bodies[body].mass;
        let mut written_mass = own.properties();
        // MuJoCo takes the place that the element gives for that of a mass which nothing else
        // places, too, and counts it in the body's own frame.
        if own.is_none() {
            written_mass.centre = written;
        }
        let finite = written_mass.inertia.iter().all(|entry| entry.is_finite());
        if least_mass <= 0.0 && least_inertia <= 0.0 && !balances || !finite {
            return;
        }
        let principal = SymmetricEigen::new(written_mass.inertia);
        let mut moments = principal.eigenvalues;
        let mut mass = written_mass.mass;
        mass = mass.max(least_mass);
        moments = moments.map(|moment| moment.max(least_inertia));
        let [a, b, c] = moments.into();
        if balances && (a + b < c || b + c < a || a + c < b) {
            moments = Vector3::repeat((a + b + c) / 3.0);
        }
        if mass == written_mass.mass && moments == principal.eigenvalues {
            return;
        }
        let axes = principal.eigenvectors;
        let turned = axes * Matrix3::from_diagonal(&moments) * axes.transpose();
        let inertia = (turned + turned.transpose()) / 2.0;
        let body = &mut self.model.bodies[body];
        body.mass = SourceMass::Given(GivenMass {
            mass,
            centre: written_mass.centre,
            axes: UnitQuaternion::identity(),
            inertia,
        });
    }

    /// Scales all masses to `settotalmass`.
    fn total_mass(&mut self) {
        let wanted = self.compiler.total_mass;
        let all: f64 = self.model.bodies.iter().map(|body| body.mass.properties().mass).sum();
        if wanted <= 0.0 || all <= 0.0 {
            return;
        }
        let factor = wanted / all;
        for body in &mut self.model.bodies {
            match &mut body.mass {
                SourceMass::Given(given) => {
                    given.mass *= factor;
                    given.inertia *= factor;
                }
                SourceMass::Solids(solids) => solids.iter_mut().for_each(|solid| {
                    solid.mass *= factor;
                    solid.density = None;
                }),
            }
        }
    }

    fn angle(&self, read: f64) -> f64 {
        if self.compiler.degrees { read.to_radians() } else { read }
    }

    /// Position and attitude of an element.
    fn pose_of(&mut self, layered: &Layered<'_>) -> Isometry3<f64> {
        let at: Vector3<f64> = layered.few::<3>("pos", &mut self.found).unwrap_or_default().into();
        pose(at, self.attitude(layered))
    }

    /// Position and attitude of a geom or a site, and half its length where `fromto` gives both.
    fn place_along(&mut self, layered: &Layered<'_>) -> (Isometry3<f64>, Option<f64>) {
        let Some([a, b, c, d, e, f]) = layered.few("fromto", &mut self.found) else {
            return (self.pose_of(layered), None);
        };
        let [from, to] = [Vector3::new(a, b, c), Vector3::new(d, e, f)];
        (pose((from + to) / 2.0, z_to(from - to)), Some((to - from).norm() / 2.0))
    }

    fn attitude(&mut self, layered: &Layered<'_>) -> UnitQuaternion<f64> {
        // An element's own attitude stands for that of its defaults, whatever its form.
        for layer in layered.layers.iter().rev() {
            let layer = Layered::alone(layer);
            let found = &mut self.found;
            if let Some(read) = layer.few::<4>("quat", found) {
                return quaternion(read);
            }
            if let Some([x, y, z, angle]) = layer.few("axisangle", found) {
                let axis = nalgebra::Unit::try_new(Vector3::new(x, y, z), 1e-9);
                let turn = axis.map(|axis| UnitQuaternion::from_axis_angle(&axis, self.angle(angle)));
                return turn.unwrap_or_else(UnitQuaternion::identity);
            }
            if let Some(angles) = layer.few::<3>("euler", found) {
                return euler(&self.compiler.sequence, angles.map(|angle| self.angle(angle)));
            }
            if let Some([a, b, c, d, e, f]) = layer.few("xyaxes", found) {
                let frame = xy_axes(Vector3::new(a, b, c), Vector3::new(d, e, f));
                return frame.unwrap_or_else(UnitQuaternion::identity);
            }
            if let Some(z) = layer.few::<3>("zaxis", found) {
                return z_to(z.into());
            }
        }
        UnitQuaternion::identity()
    }

    /// A range of these attributes, where it is in force.
    fn limits(&mut self, layered: &Layered<'_>, [range, limited]: [&str; 2]) -> Option<[f64; 2]> {
        let read = layered.few::<2>(range, &mut self.found);
        let is_limited = layered.flag(limited, &mut self.found);
        let at = &layered.attribute(range)?.at;
        self.in_force((range, at), read?, is_limited)
    }

    /// The range where it is in force; `None` of `is_limited`: where it is not zero.
    fn in_force(
        &mut self,
        (name, at): (&str, &FilePlace),
        [low, high]: [f64; 2],
        is_limited: Option<bool>,
    ) -> Option<[f64; 2]> {
        let is_given = low != 0.0 || high != 0.0;
        if !is_limited.unwrap_or(self.compiler.autolimits && is_given) {
            return None;
        }
        if low >= high {
            self.found.fault(at, format!("`{name}` ends at {high}, before it begins at {low}"));
            return None;
        }
        Some([low, high])
    }

    fn joint(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        let Some(body) = body else {
            self.found.fault(&element.at, "the world has a joint");
            return;
        };
        let place = NotePlace::Body(body);
        let free = element.name == "freejoint";
        let layered = match free {
            true => Layered::alone(element),
            false => self.defaults.layered(element, &["joint"], class, &mut self.found),
        };
        known::check(element, &element.name, place, &mut self.found);
        let name = element.value("name").unwrap_or_default().to_string();
        if !name.is_empty() && self.model.joint(&name).is_some() {
            self.found.fault(&element.at, format!("a second joint has the name `{name}`"));
        }
        let found = &mut self.found;
        if let Some(bears) = layered.attribute("actuatorgravcomp").filter(|flag| flag.value == "true") {
            self.bears.get_or_insert_with(|| (bears.at.clone(), body, name.clone()));
        }
        let motion = match layered.choice("type", &["free", "ball", "slide", "hinge"], found) {
            _ if free => JointMotion::Free,
            Some("free") => JointMotion::Free,
            Some("ball") => JointMotion::Ball,
            Some("slide") => JointMotion::Slide,
            _ => JointMotion::Hinge,
        };
        let is_single = matches!(motion, JointMotion::Hinge | JointMotion::Slide);
        if motion == JointMotion::Free && layered.flag("align", found).unwrap_or(self.compiler.aligns_free) {
            self.aligned.push(body);
        }
        let anchor: Vector3<f64> = layered.few::<3>("pos", found).unwrap_or_default().into();
        let axis: Vector3<f64> = layered.few::<3>("axis", found).unwrap_or([0.0, 0.0, 1.0]).into();
        let Some(axis) = axis.try_normalize(1e-9) else {
            found.fault(&element.at, format!("the axis of the joint `{name}` has no length"));
            return;
        };
        let turns = motion == JointMotion::Hinge && self.compiler.degrees;
        let angle = |read: f64| if turns { read.to_radians() } else { read };
        let mut reading = |name: &str| layered.number(name, found).unwrap_or(0.0);
        let reference = if is_single { angle(reading("ref")) } else { 0.0 };
        let rest = angle(reading("springref"));
        let armature = reading("armature");
        let friction = reading("frictionloss");
        let margin = reading("margin");
        let mut first_of = |name: &str| {
            let all = layered.numbers(name, found).unwrap_or_default();
            if all.iter().skip(1).any(|number| *number != 0.0) {
                let message = format!(
                    "`{name}` of the joint `{}` is a polynomial",
                    element.value("name").unwrap_or("?")
                );
                found.lacks(Feature::Joint, &element.at, place, message);
            }
            all.first().copied().unwrap_or(0.0)
        };
        let [stiffness, damping] = ["stiffness", "damping"].map(&mut first_of);
        if layered.numbers("springdamper", found).is_some_and(|all| all.iter().any(|number| *number != 0.0)) {
            let message = format!(
                "`springdamper` of the joint `{name}` follows from MuJoCo's mass matrix: write stiffness and \
                 damping"
            );
            found.lacks(Feature::Joint, &element.at, place, message);
        }
        let mut solref = vec![0.02, 1.0];
        lay_over(&mut solref, &layered.numbers("solreflimit", found).unwrap_or_default());
        let solref = [solref[0], solref[1]];
        let given = layered.few::<2>("range", &mut self.found).unwrap_or_default().map(angle);
        let range = self.limits(&layered, ["range", "limited"]).map(|range| range.map(angle));
        let limit = range.filter(|_| !self.is_off.limits).map(|[low, high]| {
            let margin = if margin < (high - low) / 2.0 { margin } else { 0.0 };
            Limit { range: [low + margin, high - margin], solref }
        });
        let force_range = self.limits(&layered, ["actuatorfrcrange", "actuatorfrclimited"]);
        let off = &self.is_off;
        let joint = SourceJoint {
            name,
            at: element.at.clone(),
            motion,
            anchor: frame.rotation * anchor + frame.translation.vector,
            axis: frame.rotation * axis,
            reference,
            stiffness: if off.springs { 0.0 } else { stiffness },
            rest,
            damping: if off.dampers { 0.0 } else { damping },
            armature,
            friction: if off.friction { 0.0 } else { friction },
            limit,
            range: given,
            force_range,
            start: None,
            start_rate: None,
        };
        self.model.bodies[body].joints.push(joint);
    }

    fn geom(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        let layered = self.defaults.layered(element, &["geom"], class, &mut self.found);
        let place = body.map_or(NotePlace::Head, NotePlace::Body);
        known::check(element, "geom", place, &mut self.found);
        let name = element.value("name").unwrap_or_default();
        let types = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];
        let kind = layered.choice("type", &types, &mut self.found).unwrap_or("sphere");
        let mut mask = |name: &str| layered.number(name, &mut self.found).unwrap_or(1.0) as i64;
        let masks = [mask("contype"), mask("conaffinity")];
        let shown = if name.is_empty() { format!("a {kind}") } else { name.to_string() };
        self.rules.shapes.push(CollisionShape {
            name: shown,
            at: element.at.clone(),
            body,
            masks,
            is_ground: matches!(kind, "plane" | "hfield"),
        });
        let group = layered.number("group", &mut self.found).unwrap_or(0.0);
        let [from, to] = self.compiler.inertia_groups;
        let Some(body) = body.filter(|_| (from..=to).contains(&group)) else { return };
        let given = self.compiler.inertia_from_geom == Some(false);
        if given {
            return;
        }
        let Some(solid) = self.solid(&layered, kind, frame) else { return };
        if let SourceMass::Solids(solids) = &mut self.model.bodies[body].mass {
            solids.push(solid);
        }
    }

    /// The solid of a geom; `None`: it has no mass.
    fn solid(&mut self, layered: &Layered<'a>, kind: &str, frame: &Isometry3<f64>) -> Option<Solid> {
        let element = layered.own();
        let mass = layered.number("mass", &mut self.found);
        let density = layered.number("density", &mut self.found).unwrap_or(1000.0);
        if mass == Some(0.0) || mass.is_none() && density == 0.0 {
            return None;
        }
        let name = element.value("name").unwrap_or("?");
        if matches!(kind, "plane" | "hfield") {
            return None;
        }
        if matches!(kind, "mesh" | "sdf") || layered.attribute("mesh").is_some() {
            // A body with numbers of its own asks for none.
            self.needs_mesh.push((
                element.at.clone(),
                name.to_string(),
                layered.value("mesh").unwrap_or("?").to_string(),
            ));
            return None;
        }
        if layered.flag("shellinertia", &mut self.found) == Some(true) {
            let message = format!(
                "the geom `{name}` has its mass in its surface (`shellinertia`): give the body an <inertial>"
            );
            self.found.fault(&element.at, message);
            return None;
        }
        let size = layered.numbers("size", &mut self.found).unwrap_or_default();
        let (place, half) = self.place_along(layered);
        let need = match kind {
            "sphere" => 1,
            "capsule" | "cylinder" => 1 + usize::from(half.is_none()),
            _ if half.is_some() => 1,
            _ => 3,
        };
        if size.len() < need {
            let message =
                format!("`size` of the geom `{name}` has {} numbers; a {kind} has {need}", size.len());
            self.found.fault(&element.at, message);
            return None;
        }
        if size[..need].iter().any(|length| *length <= 0.0) {
            self.found.fault(&element.at, format!("`size` of the geom `{name}` is not positive"));
            return None;
        }
        let three = || match half {
            Some(half) => [size[0], size[0], half],
            None => [size[0], size[1], size[2]],
        };
        let long = || [size[0], 2.0 * half.unwrap_or_else(|| size[1])];
        let shape = match kind {
            "sphere" => SolidShape::Sphere(size[0]),
            "capsule" => SolidShape::Capsule(long()),
            "cylinder" => SolidShape::Cylinder(long()),
            "ellipsoid" => SolidShape::Ellipsoid(three()),
            _ => SolidShape::Box(three().map(|half| 2.0 * half)),
        };
        let (mass, density) = match mass {
            Some(mass) => (mass, None),
            None => (density * shape.volume(), Some(density)),
        };
        Some(Solid { shape, pose: frame * place, mass, density })
    }

    fn site(
        &mut self,
        element: &'a XmlElement,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: &Isometry3<f64>,
    ) {
        let layered = self.defaults.layered(element, &["site"], class, &mut self.found);
        known::check(element, "site", body.map_or(NotePlace::Head, NotePlace::Body), &mut self.found);
        let frame = frame * self.place_along(&layered).0;
        let name = element.value("name").unwrap_or_default().to_string();
        self.model.sites.push(SourceSite { name, body, frame });
    }
}
