//! A model written as a mechanism and a study.

mod actuators;
mod closing;
mod passive;
mod start;
mod study;

use nalgebra::{Isometry3, Point3, Vector3};

use crate::ImportedCoordinate;
use crate::assembly::{Assembly, PlannedBody, PlannedCoordinate, SlideInPlane, assemble};
use crate::fault::{Findings, Note, NotePlace};
use crate::names::Names;
use crate::pose::{MassProperties, clean, is_identity};
use crate::source::{
    JointMotion, Sensed, Solid, SolidShape, SourceJoint, SourceMass, SourceModel, SourcePosture,
};
use crate::toml::{Page, angle, attitude, both, inertia, number, pair, quantity, text, vector};
use crate::xml::SourceFile;

use start::{close_welds, follow};

/// A loop whose sides are further apart at the start (m, or rad) is closed by moving what the file
/// gives.
const CLOSED: f64 = 1e-6;

/// The texts of both files.
pub(crate) struct Texts {
    pub mechanism: String,
    pub study: String,
    pub bodies: Vec<[String; 2]>,
    pub coordinates: Vec<ImportedCoordinate>,
}

/// Writes a model. Faults that only show here join those of the reading.
pub(crate) fn write(model: &mut SourceModel, files: &[SourceFile], found: &mut Findings) -> Texts {
    follow(model);
    close_welds(model, found);
    let mut names = Names::of(model.names());
    let assembly = assemble(model, &mut names, found);
    let mut writing = Writing {
        model,
        assembly: &assembly,
        names,
        found,
        constants: Vec::new(),
        channels: Vec::new(),
        points: Vec::new(),
    };
    let parts = writing.parts();
    writing.tell_names();
    let mechanism = writing.mechanism(files, parts);
    let study = writing.study();
    let bodies = assembly.bodies.iter();
    let bodies = bodies.map(|body| [model.bodies[body.source].name.clone(), body.name.clone()]).collect();
    let joints = model.bodies.iter().flat_map(|body| &body.joints);
    let both = joints.zip(assembly.coordinates.iter().flatten());
    let single = |joint: &SourceJoint| matches!(joint.motion, JointMotion::Hinge | JointMotion::Slide);
    let coordinates = both
        .filter(|(joint, _)| single(joint))
        .map(|(joint, planned)| imported_coordinate(joint, planned))
        .collect();
    Texts { mechanism, study, bodies, coordinates }
}

fn imported_coordinate(joint: &SourceJoint, planned: &PlannedCoordinate) -> ImportedCoordinate {
    let source = joint.name.clone();
    match planned {
        PlannedCoordinate::InJoint { joint, coordinate, sign, shift } => {
            let joint = Some([joint.clone(), coordinate.to_string()]);
            ImportedCoordinate { source, joint, sign: *sign, shift: *shift }
        }
        _ => ImportedCoordinate { source, joint: None, sign: 1.0, shift: 0.0 },
    }
}
struct Writing<'a> {
    model: &'a SourceModel,
    assembly: &'a Assembly,
    names: Names,
    found: &'a mut Findings,
    /// Name, value as text, and a comment.
    constants: Vec<(String, String, String)>,
    channels: Vec<String>,
    /// Points with names: the planned body, and where on it.
    points: Vec<(String, usize, Vector3<f64>)>,
}

impl Writing<'_> {
    /// All but the head: loads, springs and what else acts, in the order of the model.
    fn parts(&mut self) -> Vec<String> {
        let mut parts = vec![self.bodies(), self.joints()];
        parts.push(self.passive());
        parts.push(self.actuators());
        parts.push(self.loops());
        parts.push(self.couplings());
        parts.push(self.points());
        parts
    }

    /// Names of the source that are others here: a comment at the head, and a line.
    fn tell_names(&mut self) {
        let changed = self.names.changed.iter().map(|[was, is]| format!("`{was}` is `{is}`"));
        let changed: Vec<String> = changed.collect();
        if !changed.is_empty() {
            let text = format!("Names that are not those of the source: {}.", changed.join(", "));
            self.found.lines.push(text.clone());
            self.found.notes.push(Note { place: NotePlace::Head, text });
        }
    }

    fn mechanism(&mut self, files: &[SourceFile], parts: Vec<String>) -> String {
        let mut page = Page::default();
        let model = self.model;
        let name = self.title();
        let source = &files[0];
        page.comment(&format!(
            "{name}, imported from {} ({}, {} bytes, xxh3 {:016x}) by polhode {}.",
            source.name,
            model.format,
            source.bytes,
            source.checksum,
            env!("CARGO_PKG_VERSION")
        ));
        for file in &files[1..] {
            page.comment(&format!(
                "It includes {} ({} bytes, xxh3 {:016x}).",
                file.name, file.bytes, file.checksum
            ));
        }
        if !self.found.shown_only.is_empty() {
            page.comment(&shown_only(self.found));
        }
        self.notes(&mut page, NotePlace::Head);
        page.key("name", text(&name));
        let g = model.gravity;
        match g.x == 0.0 && g.y == 0.0 && g.z < 0.0 {
            true => page.key("gravity", quantity(-g.z, "m/s^2")),
            false => page.key("gravity", vector(g)),
        }
        if !self.constants.is_empty() {
            page.table("[constants]");
            for (name, value, comment) in &self.constants {
                let comment = if comment.is_empty() { String::new() } else { format!("  # {comment}") };
                page.key(name, format!("{value}{comment}"));
            }
        }
        for part in parts.iter().filter(|part| !part.is_empty()) {
            page.blank();
            page.line(part.trim_end());
        }
        let end: Vec<NotePlace> = std::iter::once(NotePlace::End)
            .chain((0..model.bodies.len()).filter(|body| self.owner(*body).is_none()).map(NotePlace::Body))
            .collect();
        page.blank();
        end.into_iter().for_each(|place| self.notes(&mut page, place));
        format!("{}\n", page.done().trim_end())
    }

    fn title(&self) -> String {
        let name = self.model.name.trim();
        if name.is_empty() { "Imported".to_string() } else { name.chars().take(200).collect() }
    }

    fn notes(&self, page: &mut Page, place: NotePlace) {
        self.found.notes.iter().filter(|note| note.place == place).for_each(|note| page.comment(&note.text));
    }

    /// The planned body that carries a body of the model.
    fn owner(&self, body: usize) -> Option<usize> {
        self.assembly.carriers[body].0
    }

    fn bodies(&mut self) -> String {
        let mut page = Page::default();
        let starts = self.model.states(SourcePosture::Start);
        for (own, planned) in self.assembly.bodies.iter().enumerate() {
            let parts: Vec<usize> =
                (0..self.model.bodies.len()).filter(|b| self.owner(*b) == Some(own)).collect();
            page.blank();
            parts.iter().for_each(|part| self.notes(&mut page, NotePlace::Body(*part)));
            let with: Vec<&str> = parts
                .iter()
                .filter(|part| **part != planned.source)
                .map(|part| self.model.bodies[*part].name.as_str())
                .filter(|name| !name.is_empty())
                .collect();
            if !with.is_empty() {
                page.comment(&format!("With what is fixed to it: {}.", with.join(", ")));
            }
            page.table("[[body]]");
            page.key("name", text(&planned.name));
            self.mass(&mut page, planned, &parts);
            if planned.states_start {
                let state = starts[planned.source];
                let start = state.place;
                let mut keys = Vec::new();
                let source = &self.model.bodies[planned.source];
                let is_ball = source.joints.len() == 1 && source.joints[0].motion == JointMotion::Ball;
                let at = start.translation.vector;
                // A ball joint says where its body is.
                if !is_ball && at != Vector3::zeros() {
                    keys.push(format!("position = {}", vector(at)));
                }
                if !is_identity(&start.rotation) {
                    keys.push(format!("attitude = {}", attitude(&start.rotation)));
                }
                if !is_ball && state.velocity != Vector3::zeros() {
                    keys.push(format!("velocity = {}", vector(state.velocity)));
                }
                if state.spin != Vector3::zeros() {
                    let spin = start.rotation.inverse() * state.spin;
                    keys.push(format!("angular_velocity = {}", vector(spin)));
                }
                if !keys.is_empty() {
                    page.key("initial", format!("{{ {} }}", keys.join(", ")));
                }
                self.channels.push(format!("{}.position", planned.name));
            }
        }
        page.done()
    }

    fn mass(&mut self, page: &mut Page, planned: &PlannedBody, parts: &[usize]) {
        let model = self.model;
        let masses: Vec<(usize, &SourceMass)> = parts
            .iter()
            .map(|part| (*part, &model.bodies[*part].mass))
            .filter(|(_, mass)| !mass.is_none())
            .collect();
        let place = |part: usize| self.assembly.carriers[part].1;
        let source = &model.bodies[planned.source];
        if masses.is_empty() {
            let message = format!("the body `{}` moves and has no mass", planned.name);
            let remedy = match model.format {
                "URDF" => "give its link, or a link fixed to it, an <inertial>",
                _ => "give it an <inertial>, or geoms with mass",
            };
            self.found.fault(&source.at, format!("{message}: {remedy}"));
            return;
        }
        let sum = masses.iter().fold(MassProperties::NONE, |sum, (part, mass)| {
            sum.with(&mass.properties().placed(&place(*part)))
        });
        let least = sum.inertia.symmetric_eigenvalues().min();
        if sum.mass <= 0.0 || least <= 0.0 {
            let message = format!(
                "the body `{}` has a mass of {} kg and a least moment of inertia of {} kg m^2; both must be \
                 positive",
                planned.name,
                number(sum.mass),
                number(least)
            );
            self.found.fault(&source.at, message);
            return;
        }
        let solids: Option<Vec<(Isometry3<f64>, &Solid)>> = masses
            .iter()
            .map(|(part, mass)| match mass {
                SourceMass::Solids(solids) => {
                    Some(solids.iter().map(|solid| (place(*part) * solid.pose, solid)))
                }
                SourceMass::Given(_) => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(|all| all.into_iter().flatten().collect());
        if let Some(solids) = solids {
            let lines: Vec<String> = solids.iter().map(|(place, solid)| self.solid(place, solid)).collect();
            match &lines[..] {
                [one] => page.key("solid", one),
                all => page.key("solid", format!("[\n    {},\n]", all.join(",\n    "))),
            }
            return;
        }
        if let [(part, SourceMass::Given(given))] = masses[..] {
            let place = place(part);
            let axes = place.rotation * given.axes;
            let centre = place * Point3::from(given.centre);
            page.key("mass", quantity(given.mass, "kg"));
            page.key("inertia", inertia(&given.inertia));
            let is_round = given.inertia == nalgebra::Matrix3::from_diagonal_element(given.inertia[(0, 0)]);
            if !is_identity(&axes) && !is_round {
                page.key("inertia_axes", attitude(&axes));
            }
            if centre.coords != Vector3::zeros() {
                page.key("centre_of_mass", vector(centre.coords));
            }
            return;
        }
        page.key("mass", quantity(sum.mass, "kg"));
        page.key("inertia", inertia(&sum.inertia));
        page.key("centre_of_mass", vector(sum.centre));
    }

    fn solid(&self, place: &Isometry3<f64>, solid: &Solid) -> String {
        let long = |[radius, length]: [f64; 2]| {
            format!("{{ radius = {}, length = {} }}", quantity(radius, "m"), quantity(length, "m"))
        };
        let three = |s: [f64; 3]| format!("[{}, {}, {}]", number(s[0]), number(s[1]), number(s[2]));
        let (shape, is_round) = match solid.shape {
            SolidShape::Box(sides) => (format!("box = {}", three(sides)), false),
            SolidShape::Sphere(radius) => (format!("sphere = {}", quantity(radius, "m")), true),
            SolidShape::Ellipsoid(axes) => (format!("ellipsoid = {}", three(axes)), false),
            SolidShape::Cylinder(size) => (format!("cylinder = {}", long(size)), false),
            SolidShape::Capsule(size) => (format!("capsule = {}", long(size)), false),
        };
        let substance = match solid.density {
            Some(density) => format!("density = {}", quantity(density, "kg/m^3")),
            None => format!("mass = {}", quantity(solid.mass, "kg")),
        };
        let mut keys = vec![shape, substance];
        let centre = clean(place.translation.vector);
        if centre != Vector3::zeros() {
            keys.push(format!("centre = {}", vector(centre)));
        }
        if !is_identity(&place.rotation) && !is_round {
            keys.push(format!("attitude = {}", attitude(&place.rotation)));
        }
        format!("{{ {} }}", keys.join(", "))
    }

    fn joints(&mut self) -> String {
        let mut page = Page::default();
        let open = self.loops_open();
        for joint in &self.assembly.joints {
            page.table("[[joint]]");
            page.key("name", text(&joint.name));
            page.key("kind", text(joint.kind));
            let [a, b] = joint.bodies.map(|body| self.assembly.name_of(body).to_string());
            page.key("bodies", format!("[{}, {}]", text(&a), text(&b)));
            page.key("points", both(joint.points));
            if let Some(axes) = joint.axes {
                page.key("axes", pair(axes));
            }
            if let Some(references) = joint.references {
                page.key("references", both(references));
            }
            for (key, value) in &joint.starts {
                let value = match *key {
                    "displacement" => quantity(*value, "m"),
                    "velocity" => quantity(*value, "m/s"),
                    key if key.contains("rate") || key.contains("velocity") => quantity(*value, "rad/s"),
                    _ => angle(*value, self.model.degrees),
                };
                page.key(key, value);
            }
            if open && !joint.starts.is_empty() {
                page.key("approximate", "true");
            }
        }
        for joint in &self.assembly.held {
            let name = self.names.fresh(&format!("{joint}_held"), "held");
            page.table("[[generator]]");
            page.key("name", text(&name));
            page.key("joint", text(joint));
            page.key("value", "0");
        }
        page.done()
    }

    /// The coordinate of the source as an expression, and its rate.
    fn expression(&mut self, planned: &PlannedCoordinate) -> Option<[String; 2]> {
        match planned {
            PlannedCoordinate::InJoint { joint, coordinate, sign, shift } => {
                let signed = |part: String| if *sign < 0.0 { format!("(-{part})") } else { part };
                let rate = signed(format!("{joint}.{coordinate}_rate"));
                let value = match (signed(format!("{joint}.{coordinate}")), *shift) {
                    (value, 0.0) => value,
                    (value, shift) => format!("({value} + {})", number(shift)).replace("+ -", "- "),
                };
                Some([value, rate])
            }
            PlannedCoordinate::Along(SlideInPlane { on: Some(_), .. })
            | PlannedCoordinate::None(_)
            | PlannedCoordinate::Refused => None,
            PlannedCoordinate::Along(SlideInPlane { body, point, direction, origin, on: None }) => {
                let name = self.point(*body, *point);
                let along = |what: &str| {
                    let terms = (0..3).filter(|k| direction[*k] != 0.0).map(|k| {
                        let component = format!("{name}.{what}.{}", ["x", "y", "z"][k]);
                        match direction[k] {
                            1.0 => component,
                            factor => format!("{}*{component}", number(factor)),
                        }
                    });
                    terms.collect::<Vec<_>>().join(" + ")
                };
                let value = match direction.dot(origin) {
                    0.0 if !along("position").contains(' ') => along("position"),
                    off => format!("({} - {})", along("position"), number(off)).replace("- -", "+ "),
                };
                let rate = along("velocity");
                Some([value, if rate.contains(' ') { format!("({rate})") } else { rate }])
            }
        }
    }

    /// The name of a point, which is written with the others.
    fn point(&mut self, body: usize, at: Vector3<f64>) -> String {
        if let Some((name, ..)) = self.points.iter().find(|(_, on, place)| (*on, *place) == (body, at)) {
            return name.clone();
        }
        let name = self.names.fresh(&format!("{}_anchor", self.assembly.bodies[body].name), "point");
        self.points.push((name.clone(), body, at));
        name
    }

    /// Sites that have names, and points of the laws.
    fn points(&mut self) -> String {
        let mut page = Page::default();
        let mut sites = Vec::new();
        for site in &self.model.sites {
            let (on, place) = self.assembly.on(site.body, &site.frame);
            let Some(on) = on.filter(|_| !site.name.is_empty()) else {
                sites.push(None);
                continue;
            };
            let name = self.names.of_source(&site.name, "point");
            self.points.push((name.clone(), on, clean(place.translation.vector)));
            sites.push(Some(name));
        }
        for (name, on, at) in &self.points {
            page.table("[[point]]");
            page.key("name", text(name));
            page.key("body", text(&self.assembly.bodies[*on].name));
            page.key("at", vector(*at));
        }
        for sensed in &self.model.sensed {
            let coordinate =
                |body: usize, joint: usize, rate: &str| match &self.assembly.coordinates[body][joint] {
                    PlannedCoordinate::InJoint { joint, coordinate, .. } => {
                        Some(format!("{joint}.{coordinate}{rate}"))
                    }
                    _ => None,
                };
            let body = |body: usize, what: &str| {
                let planned = self.assembly.bodies.iter().find(|planned| planned.source == body);
                planned.map(|planned| format!("{}.{what}", planned.name))
            };
            let keeps_axes = |body: usize| is_identity(&self.assembly.carriers[body].1.rotation);
            let site = |site: usize, what: &str| sites[site].as_ref().map(|name| format!("{name}.{what}"));
            let channel = match sensed {
                Sensed::Coordinate(body, joint) => coordinate(*body, *joint, ""),
                Sensed::CoordinateRate(body, joint) => coordinate(*body, *joint, "_rate"),
                Sensed::SitePosition(at) => site(*at, "position"),
                Sensed::SiteVelocity(at) => site(*at, "velocity"),
                Sensed::BodyPosition(at) => body(*at, "position"),
                Sensed::BodyVelocity(at) => body(*at, "velocity"),
                Sensed::BodyAttitude(at) => body(*at, "attitude").filter(|_| keeps_axes(*at)),
                Sensed::Gyro(at) => {
                    let site = &self.model.sites[*at];
                    let along = site.body.filter(|b| is_identity(&self.assembly.carriers[*b].1.rotation));
                    let along = along.filter(|_| is_identity(&site.frame.rotation));
                    along
                        .and_then(|b| self.owner(b))
                        .map(|own| format!("{}.angular_velocity", self.assembly.bodies[own].name))
                }
            };
            match channel {
                Some(channel) => self.channels.push(channel),
                None => self.found.counts("sensors without a channel"),
            }
        }
        page.done()
    }
}

/// A force along a direction, component by component.
fn components(force: &str, direction: Vector3<f64>) -> String {
    let component = |factor: f64| match factor {
        0.0 => "0".to_string(),
        1.0 => text(force),
        factor => text(&format!("{}*({force})", number(factor))),
    };
    format!("[{}, {}, {}]", component(direction.x), component(direction.y), component(direction.z))
}

/// One line of what was counted.
pub(crate) fn shown_only(found: &Findings) -> String {
    let counted: Vec<String> =
        found.shown_only.iter().map(|(name, count)| format!("{count} {name}")).collect();
    format!("Without effect on the motion, and left out: {}.", counted.join(", "))
}
