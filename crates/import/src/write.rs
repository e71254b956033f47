//! A model written as a mechanism and a study.

use nalgebra::{Isometry3, Point3, Vector3};

use crate::ImportedCoordinate;
use crate::assembly::{Assembly, PlannedBody, PlannedCoordinate, PlannedJoint, assemble};
use crate::fault::{Feature, Findings, NotePlace};
use crate::names::Names;
use crate::pose::{MassProperties, clean, is_identity, pose};
use crate::source::{
    ActsOn, JointMotion, Limit, LoopKind, Sensed, Solid, SolidShape, SourceActuator, SourceBody, SourceJoint,
    SourceMass, SourceModel,
};
use crate::toml::{Page, angle, attitude, both, inertia, number, pair, quantity, text, vector};
use crate::xml::SourceFile;

/// Rate at which 76 % of a joint's dry friction act (rad/s or m/s). MuJoCo holds a joint that friction can
/// hold; here it creeps below this rate.
const FRICTION_RATE: f64 = 0.01;
/// A loop whose sides are further apart at the start (m, or rad) is closed by moving what the file gives.
const CLOSED: f64 = 1e-6;
/// A weld that the start misses by more (m, or rad) is another pose than the one that it asks for.
const WELDED: f64 = 1e-3;

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
    let mut names = Names::new();
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
    let mechanism = writing.mechanism(files, parts);
    let study = writing.study();
    let bodies = assembly.bodies.iter();
    let bodies = bodies.map(|body| [model.bodies[body.source].name.clone(), body.name.clone()]).collect();
    let joints = model.bodies.iter().flat_map(|body| &body.joints);
    let both = joints.zip(assembly.coordinates.iter().flatten());
    let single = |joint: &SourceJoint| matches!(joint.motion, JointMotion::Hinge | JointMotion::Slide);
    let coordinates = both.filter(|(joint, _)| single(joint)).map(|(joint, of)| told(joint, of)).collect();
    Texts { mechanism, study, bodies, coordinates }
}

fn told(joint: &SourceJoint, of: &PlannedCoordinate) -> ImportedCoordinate {
    let source = joint.name.clone();
    match of {
        PlannedCoordinate::Of { joint, coordinate, sign, shift } => {
            let joint = Some([joint.clone(), coordinate.to_string()]);
            ImportedCoordinate { source, joint, sign: *sign, shift: *shift }
        }
        _ => ImportedCoordinate { source, joint: None, sign: 1.0, shift: 0.0 },
    }
}

/// Lets what follows start where its leader does.
fn follow(model: &mut SourceModel) {
    // Followers may lead others: as many passes as there are of them reach all.
    for _ in 0..model.couplings.len() {
        for coupling in model.couplings.clone() {
            let lead = coupling.leader.map(|leader| model.joint_at(leader));
            let x = lead.map_or(0.0, |leader| leader.start_value() - leader.reference);
            let follower = model.joint_at(coupling.follower);
            let powers = coupling.coefficients.iter().rev();
            let value = follower.reference
                + match lead {
                    Some(_) => powers.fold(0.0, |sum, c| sum * x + c),
                    None => coupling.coefficients.first().copied().unwrap_or(0.0),
                };
            let (body, joint) = coupling.follower;
            model.bodies[body].joints[joint].start = Some(vec![value]);
        }
    }
}

/// Puts free bodies where a weld wants them, and refuses what a weld holds in another pose than the start's.
fn close_welds(model: &mut SourceModel, found: &mut Findings) {
    for weld in model.loops.clone() {
        let LoopKind::Weld(wanted) = weld.kind else { continue };
        let places = model.places(true);
        let place = |body: Option<usize>| body.map_or_else(Isometry3::identity, |body| places[body]);
        let [one, two] = weld.bodies.map(place);
        let off = (one * wanted).inverse() * two;
        if off.translation.vector.norm() <= WELDED && off.rotation.angle() <= WELDED {
            continue;
        }
        let free = |body: Option<usize>| {
            let body = body?;
            let joints = &model.bodies[body].joints;
            (joints.len() == 1 && joints[0].motion == JointMotion::Free).then_some(body)
        };
        let (body, to) = match (free(weld.bodies[1]), free(weld.bodies[0])) {
            (Some(body), _) => (body, one * wanted),
            (None, Some(body)) => (body, two * wanted.inverse()),
            (None, None) => {
                let told = format!(
                    "the weld `{}` holds a pose that is {:.1e} m and {:.1e} rad from the start",
                    weld.name,
                    off.translation.vector.norm(),
                    off.rotation.angle()
                );
                found.lacks(Feature::Equality, &weld.at, NotePlace::End, told);
                continue;
            }
        };
        let (r, q) = (to.translation.vector, to.rotation);
        model.bodies[body].joints[0].start = Some(vec![r.x, r.y, r.z, q.w, q.i, q.j, q.k]);
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
        let starts = self.model.states(true);
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
                let start = state.place * pose(Vector3::zeros(), planned.axes);
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
            let told = format!("the body `{}` moves and has no mass", planned.name);
            let of = match model.format {
                "URDF" => "give its link, or a link fixed to it, an <inertial>",
                _ => "give it an <inertial>, or geoms with mass",
            };
            self.found.fault(&source.at, format!("{told}: {of}"));
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
        let sum = masses.iter().fold(MassProperties::NONE, |sum, (part, mass)| {
            sum.with(&mass.properties().placed(&place(*part)))
        });
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

    /// Whether what closes a loop is apart at the start.
    fn loops_open(&self) -> bool {
        let places = self.model.places(true);
        let place = |body: Option<usize>| body.map_or_else(Isometry3::identity, |body| places[body]);
        self.model.loops.iter().any(|closing| {
            let LoopKind::Connect(points) = closing.kind else { return false };
            let [one, two] = [0, 1].map(|side| place(closing.bodies[side]) * Point3::from(points[side]));
            (one - two).norm() > CLOSED
        })
    }

    /// The coordinate of the source as an expression, and its rate.
    fn expression(&mut self, of: &PlannedCoordinate) -> Option<[String; 2]> {
        match of {
            PlannedCoordinate::Of { joint, coordinate, sign, shift } => {
                let minus = if *sign < 0.0 { "-" } else { "" };
                let rate = format!("{minus}{joint}.{coordinate}_rate");
                let value = format!("{minus}{joint}.{coordinate}");
                let value = match *shift {
                    0.0 => value,
                    shift => format!("({value} + {})", number(shift)),
                };
                Some([value, rate])
            }
            PlannedCoordinate::Along { body, point, direction, origin } => {
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
                let value = match *origin {
                    0.0 => along("position"),
                    origin => format!("({} - {})", along("position"), number(origin)).replace("- -", "+ "),
                };
                Some([value, along("velocity")])
            }
            PlannedCoordinate::None(_) => None,
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

    /// Springs, dampers, armatures, friction and limits of all joints, and what gravity leaves alone.
    fn passive(&mut self) -> String {
        let mut page = Page::default();
        let model = self.model;
        let places = model.places(false);
        for (b, body) in model.bodies.iter().enumerate() {
            for (joint, of) in body.joints.iter().zip(&self.assembly.coordinates[b]) {
                match of {
                    PlannedCoordinate::Of { joint: name, coordinate, sign, shift } => {
                        let single = |of: &PlannedJoint| matches!(of.kind, "revolute" | "translational");
                        let alone = self.assembly.joints.iter().any(|of| of.name == *name && single(of));
                        let to = To { joint: name, coordinate, sign: *sign, shift: *shift, alone };
                        self.at_coordinate(&mut page, joint, b, &to, &places);
                    }
                    PlannedCoordinate::Along { .. } => self.along(&mut page, joint, b, of),
                    PlannedCoordinate::None(why) => self.without(&mut page, joint, b, why),
                }
            }
            if body.weightless != 0.0 {
                self.weightless(&mut page, b, body);
            }
        }
        page.done()
    }

    fn at_coordinate(
        &mut self,
        page: &mut Page,
        joint: &SourceJoint,
        body: usize,
        to: &To<'_>,
        places: &[Isometry3<f64>],
    ) {
        let is_turn = joint.motion == JointMotion::Hinge;
        let unit = |turn: &'static str, way: &'static str| if is_turn { turn } else { way };
        let length = |x: f64, degrees: bool| if is_turn { angle(x, degrees) } else { quantity(x, "m") };
        let degrees = self.model.degrees;
        let own = if joint.name.is_empty() { to.joint } else { &joint.name };
        let head = |page: &mut Page, names: &mut Names, table: &str, suffix: &str| {
            page.table(table);
            page.key("name", text(&names.fresh(&format!("{own}_{suffix}"), suffix)));
            page.key("joint", text(to.joint));
            if !to.alone {
                page.key("coordinate", text(to.coordinate));
            }
        };
        if joint.stiffness != 0.0 || joint.damping != 0.0 {
            head(page, &mut self.names, "[[joint_spring]]", "spring");
            if joint.stiffness != 0.0 {
                page.key("stiffness", quantity(joint.stiffness, unit("N m/rad", "N/m")));
                let rest = to.sign * (joint.rest - to.shift);
                if rest != 0.0 {
                    page.key("rest", length(rest, degrees));
                }
            }
            if joint.damping != 0.0 {
                page.key("damping", quantity(joint.damping, unit("N m s/rad", "N s/m")));
            }
        }
        if joint.armature != 0.0 {
            head(page, &mut self.names, "[[armature]]", "rotor");
            page.key("inertia", quantity(joint.armature, unit("kg m^2", "kg")));
        }
        if joint.friction != 0.0 {
            let text = format!(
                "Friction of `{own}` is smooth here: the joint creeps below {FRICTION_RATE} {} where MuJoCo's sticks",
                unit("rad/s", "m/s")
            );
            page.blank();
            page.comment(&format!("{text}."));
            self.found.told.push(format!("{}: {text}", joint.at));
            head(page, &mut self.names, "[[joint_friction]]", "friction");
            page.key("force", quantity(joint.friction, unit("N m", "N")));
            page.key("rate", quantity(FRICTION_RATE, unit("rad/s", "m/s")));
        }
        if let Some(Limit { range, solref }) = joint.limit {
            let moved = self.moved(joint, body, places);
            let [k, c] = softness(solref).map(|of_one| two_digits(of_one * moved));
            let text = format!(
                "The limits of `{own}` are a spring and damper as soft as MuJoCo's, which depend on more than the place"
            );
            page.blank();
            page.comment(&format!("{text}."));
            self.found.told.push(format!("{}: {text}; within them the motion is the same", joint.at));
            head(page, &mut self.names, "[[stop]]", "stop");
            let mut ends = range.map(|end| to.sign * (end - to.shift));
            if to.sign < 0.0 {
                ends.swap(0, 1);
            }
            page.key("low", length(ends[0], degrees));
            page.key("high", length(ends[1], degrees));
            page.key("stiffness", quantity(k, unit("N m/rad", "N/m")));
            if c > 0.0 {
                page.key("damping", quantity(c, unit("N m s/rad", "N s/m")));
            }
        }
    }

    /// The inertia that a joint moves alone, all other joints held at their references (kg or kg m²).
    fn moved(&self, joint: &SourceJoint, body: usize, places: &[Isometry3<f64>]) -> f64 {
        let model = self.model;
        let hangs = |mut at: usize| loop {
            match (at == body, model.bodies[at].parent) {
                (true, _) => return true,
                (_, Some(parent)) => at = parent,
                _ => return false,
            }
        };
        let all = (0..model.bodies.len()).filter(|at| hangs(*at));
        let sum = all.fold(MassProperties::NONE, |sum, at| {
            sum.with(&model.bodies[at].mass.properties().placed(&places[at]))
        });
        let place = places[body];
        let axis = place.rotation * joint.axis;
        let moved = match joint.motion {
            JointMotion::Slide => sum.mass,
            _ => sum.about_line((place * Point3::from(joint.anchor)).coords, axis),
        };
        moved + joint.armature
    }

    /// Springs and dampers of a slide whose coordinate is a place in space.
    fn along(&mut self, page: &mut Page, joint: &SourceJoint, body: usize, of: &PlannedCoordinate) {
        self.refuse(
            joint,
            body,
            "a planar joint has no coordinate along its slides",
            &[
                (joint.armature != 0.0, "its armature"),
                (joint.friction != 0.0, "its friction"),
                (joint.limit.is_some(), "its limits"),
            ],
        );
        if joint.stiffness == 0.0 && joint.damping == 0.0 {
            return;
        }
        let Some([value, rate]) = self.expression(of) else { return };
        let mut terms = Vec::new();
        if joint.stiffness != 0.0 {
            terms.push(format!("-{}*({value} - {})", number(joint.stiffness), number(joint.rest)));
        }
        if joint.damping != 0.0 {
            terms.push(format!("-{}*({rate})", number(joint.damping)));
        }
        self.pushed(page, of, &format!("{}_spring", joint.name), &terms.join(" "));
    }

    /// A force along a slide of a planar joint.
    fn pushed(&mut self, page: &mut Page, of: &PlannedCoordinate, name: &str, force: &str) {
        let PlannedCoordinate::Along { body, point, direction, .. } = of else { return };
        page.table("[[load]]");
        page.key("name", text(&self.names.fresh(name, "push")));
        page.key("body", text(&self.assembly.bodies[*body].name));
        page.key("kind", text("force"));
        page.key("axes", text("space"));
        if *point != Vector3::zeros() {
            page.key("point", vector(*point));
        }
        page.key("function", components(force, *direction));
    }

    /// Reports numbers of a joint that have no place.
    fn refuse(&mut self, joint: &SourceJoint, body: usize, why: &str, numbers: &[(bool, &str)]) {
        let lost: Vec<&str> =
            numbers.iter().filter(|(is_there, _)| *is_there).map(|(_, name)| *name).collect();
        if !lost.is_empty() {
            let told = format!("the joint `{}` loses {}: {why}", joint.name, lost.join(", "));
            self.found.lacks(Feature::Joint, &joint.at, NotePlace::Body(body), told);
        }
    }

    /// A joint without coordinates: dampers are all that it can have.
    fn without(&mut self, page: &mut Page, joint: &SourceJoint, body: usize, why: &str) {
        let own = self.owner(body);
        let has_centre = own.is_some_and(|own| {
            let parts = (0..self.model.bodies.len()).filter(|part| self.owner(*part) == Some(own));
            let sum = parts.fold(MassProperties::NONE, |sum, part| {
                sum.with(&self.model.bodies[part].mass.properties().placed(&self.assembly.carriers[part].1))
            });
            sum.centre.norm() < CLOSED
        });
        let is_ball = joint.motion == JointMotion::Ball && self.model.bodies[body].joints.len() == 1;
        let is_free = joint.motion == JointMotion::Free && has_centre;
        self.refuse(
            joint,
            body,
            why,
            &[
                (joint.stiffness != 0.0, "its stiffness"),
                (joint.damping != 0.0 && !is_ball && !is_free, "its damping"),
                (joint.armature != 0.0, "its armature"),
                (joint.friction != 0.0, "its friction"),
                (joint.limit.is_some(), "its limits"),
            ],
        );
        let Some(own) = own.filter(|_| joint.damping != 0.0) else { return };
        let name = &self.assembly.bodies[own].name;
        if is_ball {
            let planned = self.assembly.joints.iter().find(|planned| planned.bodies[1] == Some(own));
            let Some(planned) = planned else { return };
            page.table("[[bushing]]");
            page.key("name", text(&self.names.fresh(&format!("{}_damper", planned.name), "damper")));
            page.key(
                "bodies",
                format!("[{}, {}]", text(self.assembly.name_of(planned.bodies[0])), text(name)),
            );
            page.key("points", both(planned.points));
            page.key("torsional_damping", quantity(joint.damping, "N m s/rad"));
        } else if is_free {
            page.table("[[drag]]");
            page.key("name", text(&self.names.fresh(&format!("{name}_drag"), "drag")));
            page.key("body", text(name));
            page.key("linear", quantity(joint.damping, "N s/m"));
            page.key("angular_linear", quantity(joint.damping, "N m s/rad"));
        }
    }

    fn weightless(&mut self, page: &mut Page, body: usize, of: &SourceBody) {
        let Some(own) = self.owner(body) else { return };
        let mass = of.mass.properties();
        let at = self.assembly.carriers[body].1 * Point3::from(mass.centre);
        page.blank();
        page.comment(&format!(
            "Gravity leaves {} of the weight of `{}` (gravcomp).",
            number(1.0 - of.weightless),
            of.name
        ));
        page.table("[[load]]");
        page.key("name", text(&self.names.fresh(&format!("{}_lift", of.name), "lift")));
        page.key("body", text(&self.assembly.bodies[own].name));
        page.key("kind", text("force"));
        page.key("axes", text("space"));
        page.key("point", vector(at.coords));
        page.key("value", vector(self.model.gravity * (-of.weightless * mass.mass)));
    }

    fn actuators(&mut self) -> String {
        let mut page = Page::default();
        let model = self.model;
        let mut limited: Vec<((usize, usize), String, Vec<String>)> = Vec::new();
        for actuator in &model.actuators {
            let fallback = match &actuator.acts_on {
                ActsOn::Joint(body, joint) => format!("{}_motor", model.bodies[*body].joints[*joint].name),
                ActsOn::Site { .. } => "thruster".to_string(),
            };
            let own = if actuator.name.is_empty() { &fallback } else { &actuator.name };
            let name = self.names.fresh(own, "motor");
            match &actuator.acts_on {
                ActsOn::Joint(body, joint) => {
                    let of = self.assembly.coordinates[*body][*joint].clone();
                    let Some(coordinate) = self.expression(&of) else {
                        let told =
                            format!("the actuator `{name}` drives a coordinate that its joint does not have");
                        self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, told);
                        continue;
                    };
                    let force = self.force(&mut page, actuator, &name, Some(&coordinate));
                    let torque = match actuator.gear {
                        1.0 => force,
                        gear => format!("{}*{force}", number(gear)),
                    };
                    let range = model.joint_at((*body, *joint)).force_range;
                    match (range, limited.iter_mut().find(|(at, ..)| *at == (*body, *joint))) {
                        (Some(_), Some((_, _, all))) => all.push(torque),
                        (Some(_), None) => limited.push(((*body, *joint), name, vec![torque])),
                        (None, _) => self.driven(&mut page, &of, &name, &torque),
                    }
                }
                ActsOn::Site { body, frame, force, torque } => {
                    let (Some(on), place) = self.assembly.on(Some(*body), frame) else {
                        let told = format!("the actuator `{name}` pushes what does not move");
                        self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, told);
                        continue;
                    };
                    let law = self.force(&mut page, actuator, &name, None);
                    for (kind, along) in [("force", force), ("torque", torque)] {
                        if *along == Vector3::zeros() {
                            continue;
                        }
                        page.table("[[load]]");
                        page.key("name", text(&self.names.fresh(&format!("{name}_{kind}"), kind)));
                        page.key("body", text(&self.assembly.bodies[on].name));
                        page.key("kind", text(kind));
                        page.key("axes", text("body"));
                        if kind == "force" {
                            page.key("point", vector(place.translation.vector));
                        }
                        page.key("function", components(&law, clean(place.rotation * along)));
                    }
                }
            }
        }
        for ((body, joint), name, all) in limited {
            let of = self.assembly.coordinates[body][joint].clone();
            let [low, high] = model.joint_at((body, joint)).force_range.unwrap_or([f64::MIN, f64::MAX]);
            let sum = format!("clamp({}, {}, {})", all.join(" + "), number(low), number(high));
            self.driven(&mut page, &of, &name, &sum);
        }
        page.done()
    }

    /// A torque or force, an expression, along a coordinate of the source.
    fn driven(&mut self, page: &mut Page, of: &PlannedCoordinate, name: &str, law: &str) {
        let PlannedCoordinate::Of { joint, coordinate, sign, .. } = of else {
            return self.pushed(page, of, &format!("{name}_force"), law);
        };
        page.table("[[joint_spring]]");
        page.key("name", text(name));
        page.key("joint", text(joint));
        let planned = self.assembly.joints.iter().find(|planned| planned.name == *joint);
        if planned.is_some_and(|planned| !matches!(planned.kind, "revolute" | "translational")) {
            page.key("coordinate", text(coordinate));
        }
        let law = if *sign < 0.0 { format!("-({law})") } else { law.to_string() };
        page.key("actuator", text(&law));
    }

    /// The force of an actuator as an expression. Its command and gains are constants, its activation is a
    /// state.
    fn force(
        &mut self,
        page: &mut Page,
        actuator: &SourceActuator,
        name: &str,
        coordinate: Option<&[String; 2]>,
    ) -> String {
        let command = self.names.fresh(&format!("{name}_command"), "command");
        let value = number(actuator.command);
        let range = actuator.command_range;
        let comment =
            range.map_or(String::new(), |[low, high]| format!("from {} to {}", number(low), number(high)));
        self.constants.push((command.clone(), value, comment));
        let mut drive = command;
        if let Some([low, high]) = range {
            drive = format!("clamp({drive}, {}, {})", number(low), number(high));
        }
        if let Some(lag) = actuator.lag {
            let state = self.names.fresh(&format!("{name}_activation"), "state");
            page.table("[[state]]");
            page.key("name", text(&state));
            let rate = match lag {
                0.0 => drive,
                lag => format!("({drive} - {state})/{}", number(lag)),
            };
            page.key("rate", text(&rate));
            page.key("initial", number(actuator.activation));
            drive = state;
        }
        let mut gain = |what: &str, value: f64| {
            let constant = self.names.fresh(&format!("{name}_{what}"), what);
            self.constants.push((constant.clone(), number(value), String::new()));
            constant
        };
        let geared = |part: &str| match actuator.gear {
            1.0 => part.to_string(),
            gear => format!("{}*{part}", number(gear)),
        };
        let [b0, b1, b2] = actuator.bias;
        let mut terms = Vec::new();
        match coordinate {
            Some([value, rate]) => {
                // A servo: `kp (u - q) - kv q'`, or `kv (u - q')`.
                let is_position = b1 != 0.0 && actuator.gain == -b1;
                let is_velocity = b1 == 0.0 && b2 != 0.0 && actuator.gain == -b2;
                if is_position {
                    let kp = gain("kp", actuator.gain);
                    terms.push(format!("{kp}*({drive} - {})", geared(value)));
                } else if is_velocity {
                    let kv = gain("kv", actuator.gain);
                    terms.push(format!("{kv}*({drive} - {})", geared(rate)));
                } else {
                    terms.push(match actuator.gain {
                        1.0 => drive.clone(),
                        own => format!("{}*{drive}", gain("gain", own)),
                    });
                    if b1 != 0.0 {
                        terms.push(format!("{}*({})", gain("stiffness", b1), geared(value)));
                    }
                }
                if b2 != 0.0 && !is_velocity {
                    terms.push(format!("{}*({})", number(b2), geared(rate)));
                }
            }
            None => terms.push(match actuator.gain {
                1.0 => drive,
                own => format!("{}*{drive}", gain("gain", own)),
            }),
        }
        if b0 != 0.0 {
            terms.push(number(b0));
        }
        let sum = terms.join(" + ").replace("+ -", "- ");
        match actuator.force_range {
            Some([low, high]) => format!("clamp({sum}, {}, {})", number(low), number(high)),
            None if terms.len() > 1 => format!("({sum})"),
            None => sum,
        }
    }

    fn loops(&mut self) -> String {
        let mut page = Page::default();
        for closing in &self.model.loops {
            let name = self.names.fresh(&closing.name, "loop");
            let [one, two] = closing.bodies.map(|body| self.assembly.on(body, &Isometry3::identity()));
            if one.0 == two.0 {
                let told =
                    format!("the equality `{name}` holds parts together that do not move to each other");
                self.found.fault(&closing.at, told);
                continue;
            }
            // The ground comes first, and places nothing.
            let (kind, mut sides) = match closing.kind {
                LoopKind::Connect(points) => ("spherical", [(one, points[0]), (two, points[1])]),
                LoopKind::Weld(pose) => ("fixed", [(one, pose.translation.vector), (two, Vector3::zeros())]),
            };
            if sides[1].0.0.is_none() {
                sides.swap(0, 1);
            }
            let points = sides.map(|((_, place), at)| (place * Point3::from(at)).coords);
            let [a, b] = sides.map(|((body, _), _)| self.assembly.name_of(body).to_string());
            page.table("[[joint]]");
            page.key("name", text(&name));
            page.key("kind", text(kind));
            page.key("bodies", format!("[{}, {}]", text(&a), text(&b)));
            page.key("points", both(points));
        }
        page.done()
    }

    fn couplings(&mut self) -> String {
        let mut page = Page::default();
        for coupling in &self.model.couplings {
            let name = self.names.fresh(&coupling.name, "coupling");
            let of =
                |at: (usize, usize)| (self.model.joint_at(at), self.assembly.coordinates[at.0][at.1].clone());
            let (follower, to) = of(coupling.follower);
            let leader = coupling.leader.map(of);
            let (PlannedCoordinate::Of { joint, coordinate, sign, shift }, from) = (to, &leader) else {
                let told = format!("the coupling `{name}` moves a coordinate that its joint does not have");
                self.found.lacks(Feature::Equality, &coupling.at, NotePlace::End, told);
                continue;
            };
            let c = |k: usize| coupling.coefficients.get(k).copied().unwrap_or(0.0);
            let Some((lead, from)) = from else {
                page.table("[[generator]]");
                page.key("name", text(&name));
                page.key("joint", text(&joint));
                page.key("coordinate", text(coordinate));
                page.key("value", number(sign * (follower.reference + c(0) - shift)));
                continue;
            };
            let PlannedCoordinate::Of { joint: leads, coordinate: by, sign: turned, shift: moved } = from
            else {
                let told = format!("the coupling `{name}` follows a coordinate that its joint does not have");
                self.found.lacks(Feature::Equality, &coupling.at, NotePlace::End, told);
                continue;
            };
            page.table("[[coupling]]");
            page.key("name", text(&name));
            page.key("joint", text(&joint));
            page.key("coordinate", text(coordinate));
            page.key("follows", text(leads));
            page.key("follows_coordinate", text(by));
            // s - s0 = c0 + c1 (x - x0) + .., with s = shift + sign S and x = moved + turned X
            if (2..5).all(|k| c(k) == 0.0) {
                page.key("ratio", number(sign * c(1) * turned));
                let offset = sign * (follower.reference + c(0) + c(1) * (moved - lead.reference) - shift);
                if offset != 0.0 {
                    page.key("offset", number(offset));
                }
            } else {
                let x = match turned * moved - turned * lead.reference {
                    0.0 => format!("({}*x)", number(*turned)),
                    off => format!("({}*(x + {}))", number(*turned), number(off)),
                };
                let constant = follower.reference + c(0) - shift;
                let terms = (1..5).filter(|k| c(*k) != 0.0).map(|k| format!(" + {}*{x}^{k}", number(c(k))));
                let sum: String = terms.collect();
                page.key("value", text(&format!("{}*({}{sum})", number(sign), number(constant))));
            }
        }
        page.done()
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
            let name = self.names.fresh(&site.name, "point");
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
                    PlannedCoordinate::Of { joint, coordinate, .. } => {
                        Some(format!("{joint}.{coordinate}{rate}"))
                    }
                    _ => None,
                };
            let body = |body: usize, what: &str| {
                let planned = self.assembly.bodies.iter().find(|planned| planned.source == body);
                planned.map(|planned| format!("{}.{what}", planned.name))
            };
            let site = |site: usize, what: &str| sites[site].as_ref().map(|name| format!("{name}.{what}"));
            self.channels.extend(match sensed {
                Sensed::Coordinate(body, joint) => coordinate(*body, *joint, ""),
                Sensed::CoordinateRate(body, joint) => coordinate(*body, *joint, "_rate"),
                Sensed::SitePosition(at) => site(*at, "position"),
                Sensed::SiteVelocity(at) => site(*at, "velocity"),
                Sensed::BodyPosition(at) => body(*at, "position"),
                Sensed::BodyVelocity(at) => body(*at, "velocity"),
            });
        }
        page.done()
    }

    fn study(&mut self) -> String {
        let mut page = Page::default();
        page.comment(
            "A study to start from: one motion of the mechanism. `polhode schema study` lists all keys.",
        );
        page.key("title", text(&self.title()));
        page.key("mechanism", text("mechanism.toml"));
        page.table("[method]");
        page.key("accuracy", "1e-5                         # method and step are chosen for it");
        page.key("duration", text("5 s"));
        page.blank();
        page.comment("Lines that begin with \"#:\" make an ensemble of it: take these two characters away.");
        page.line("#: [ensemble]");
        page.line("#: size = 1000");
        page.line("#: [ensemble.vary]");
        for joint in &self.assembly.joints {
            let placed = !joint.starts.is_empty();
            if let Some((key, value)) = joint.starts.first().filter(|_| placed) {
                let (unit, spread) = if *key == "displacement" { ("m", 0.01) } else { ("rad", 0.05) };
                let mean = number(*value);
                page.line(&format!(
                    "#: \"{}.{key}\" = {{ normal = {{ mean = \"{mean} {unit}\", std = \"{spread} {unit}\" }} }}",
                    joint.name
                ));
            }
        }
        for (name, value, _) in &self.constants {
            let low = value.parse::<f64>().unwrap_or(0.0);
            let high = if low == 0.0 { 1.0 } else { 1.1 * low };
            let [low, high] = [low.min(high), low.max(high)].map(number);
            page.line(&format!("#: \"constants.{name}\" = {{ uniform = {{ low = {low}, high = {high} }} }}"));
        }
        page.table("[observe]");
        let mut channels: Vec<String> = Vec::new();
        for joint in self.assembly.joints.iter() {
            channels.extend(
                joint
                    .starts
                    .iter()
                    .map(|(key, _)| *key)
                    .filter(|key| !key.contains("rate") && !key.contains("velocity"))
                    .map(|key| format!("{}.{key}", joint.name)),
            );
        }
        channels.append(&mut self.channels);
        let mut seen = std::collections::BTreeSet::new();
        channels.retain(|channel| seen.insert(channel.clone()));
        channels.push("energy".to_string());
        let lines: Vec<String> = channels.iter().map(|channel| text(channel)).collect();
        match lines.len() {
            0..=5 => page.key("channels", format!("[{}]", lines.join(", "))),
            _ => page.key("channels", format!("[\n    {},\n]", lines.join(",\n    "))),
        }
        page.key("every", text("20 ms"));
        page.done()
    }
}

/// A coordinate of a written joint.
struct To<'a> {
    joint: &'a str,
    coordinate: &'a str,
    sign: f64,
    shift: f64,
    /// It is the only one that the joint has.
    alone: bool,
}

/// Stiffness and damping for each unit of inertia that a limit's `solref` stands for: of an oscillator with
/// that time constant and damping ratio.
fn softness([time, ratio]: [f64; 2]) -> [f64; 2] {
    if time < 0.0 && ratio <= 0.0 {
        return [-time, -ratio];
    }
    let (time, ratio) = (time.max(1e-4), ratio.max(1e-2));
    [1.0 / (time * ratio).powi(2), 2.0 / time]
}

fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

/// A force along a direction, component by component.
fn components(force: &str, direction: Vector3<f64>) -> String {
    let of = |factor: f64| match factor {
        0.0 => "0".to_string(),
        1.0 => text(force),
        factor => text(&format!("{}*({force})", number(factor))),
    };
    format!("[{}, {}, {}]", of(direction.x), of(direction.y), of(direction.z))
}

/// One line of what was counted.
pub(crate) fn shown_only(found: &Findings) -> String {
    let counted: Vec<String> =
        found.shown_only.iter().map(|(name, count)| format!("{count} {name}")).collect();
    format!("Without effect on the motion, and left out: {}.", counted.join(", "))
}
