//! Springs, dampers, armatures, friction and limits of joints.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::{CLOSED, Writing, components};
use crate::assembly::{PlannedCoordinate, PlannedJoint, SlideInPlane, direction_across};
use crate::fault::{Feature, NotePlace};
use crate::names::Names;
use crate::pose::{MassProperties, is_identity};
use crate::source::{JointMotion, Limit, SourceBody, SourceJoint, SourcePosture, SourceSpring};
use crate::toml::{Page, angle, both, number, pair, quantity, text, vector};

/// Rate at which 76 % of a joint's dry friction act (rad/s or m/s). MuJoCo holds a joint that
/// friction can hold; here it creeps below this rate.
const FRICTION_RATE: f64 = 0.01;

/// No force changes the rate of a coordinate with so much inertia behind it (kg m² or kg).
const FLYWHEEL: f64 = 1e9;

impl Writing<'_> {
    /// Springs, dampers, armatures, friction and limits of all joints, and what gravity leaves
    /// alone.
    pub(super) fn passive(&mut self) -> String {
        let mut page = Page::default();
        let model = self.model;
        let places = model.places(SourcePosture::Reference);
        for (b, body) in model.bodies.iter().enumerate() {
            for (joint, of) in body.joints.iter().zip(&self.assembly.coordinates[b]) {
                match of {
                    PlannedCoordinate::InJoint { joint: name, coordinate, sign, shift } => {
                        let single =
                            |joint: &PlannedJoint| matches!(joint.kind, "revolute" | "translational");
                        let alone =
                            self.assembly.joints.iter().any(|other| other.name == *name && single(other));
                        let to = To { joint: name, coordinate, sign: *sign, shift: *shift, alone };
                        self.at_coordinate(&mut page, joint, b, &to, &places);
                    }
                    PlannedCoordinate::Along(slide) => self.along(&mut page, joint, b, slide, &places),
                    PlannedCoordinate::None(why) => self.without(&mut page, joint, b, why),
                    PlannedCoordinate::Refused => {}
                }
            }
            if body.weightless != 0.0 {
                self.weightless(&mut page, b, body);
            }
        }
        for spring in &model.springs {
            self.between_sites(&mut page, spring);
        }
        page.done()
    }

    fn between_sites(&mut self, page: &mut Page, spring: &SourceSpring) {
        let ends = spring.sites.map(|site| {
            let site = &self.model.sites[site];
            let (body, place) = self.assembly.on(site.body, &site.frame);
            (body, place.translation.vector)
        });
        let name = self.names.of_source(&spring.name, "spring");
        if ends[0].0 == ends[1].0 {
            let message = format!("the tendon `{name}` is between parts that do not move to each other");
            self.found.lacks(Feature::Tendon, &spring.at, NotePlace::End, message);
            return;
        }
        page.table("[[spring]]");
        page.key("name", text(&name));
        let bodies = ends.map(|(body, _)| text(self.assembly.name_of(body)));
        page.key("bodies", format!("[{}]", bodies.join(", ")));
        page.key("points", both(ends.map(|(_, at)| at)));
        page.key("stiffness", quantity(spring.stiffness, "N/m"));
        if spring.damping != 0.0 {
            page.key("damping", quantity(spring.damping, "N s/m"));
        }
        page.key("free_length", quantity(spring.rest, "m"));
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
        if joint.armature >= FLYWHEEL {
            let [start, rate] =
                [joint.start_value() - to.shift, joint.start_rate.as_ref().map_or(0.0, |v| v[0])];
            head(page, &mut self.names, "[[generator]]", "rate");
            page.key("value", text(&format!("{} + {}*t", number(to.sign * start), number(to.sign * rate))));
            self.found
                .lines
                .push(format!("{}: the armature of `{own}` keeps its rate: a generator", joint.at));
        } else if joint.armature != 0.0 {
            head(page, &mut self.names, "[[armature]]", "rotor");
            page.key("inertia", quantity(joint.armature, unit("kg m^2", "kg")));
        }
        if joint.friction != 0.0 {
            let text = format!(
                "Friction of `{own}` is smooth here: the joint creeps below {FRICTION_RATE} {} where \
                 MuJoCo's sticks",
                unit("rad/s", "m/s")
            );
            page.blank();
            page.comment(&format!("{text}."));
            self.found.lines.push(format!("{}: {text}", joint.at));
            head(page, &mut self.names, "[[joint_friction]]", "friction");
            page.key("force", quantity(joint.friction, unit("N m", "N")));
            page.key("rate", quantity(FRICTION_RATE, unit("rad/s", "m/s")));
        }
        if let Some(limit) = joint.limit {
            let [k, c] = self.soft_limit(page, own, joint, limit, body, places);
            head(page, &mut self.names, "[[stop]]", "stop");
            let mut ends = limit.range.map(|end| to.sign * (end - to.shift));
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

    /// Stiffness and damping of a limit, told before what it becomes.
    fn soft_limit(
        &mut self,
        page: &mut Page,
        own: &str,
        joint: &SourceJoint,
        limit: Limit,
        body: usize,
        places: &[Isometry3<f64>],
    ) -> [f64; 2] {
        let moved = self.moved(joint, body, places);
        let text = format!(
            "The limits of `{own}` are a spring and damper as soft as MuJoCo's, which depend on more than \
             the place"
        );
        page.blank();
        page.comment(&format!("{text}."));
        self.found.lines.push(format!("{}: {text}; within them the motion is the same", joint.at));
        softness(limit.solref).map(|of_one| two_digits(of_one * moved))
    }

    /// The inertia that a joint moves alone, all other joints held at their references (kg or kg
    /// m²).
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

    /// Springs, dampers and limits along a slide of a planar joint.
    fn along(
        &mut self,
        page: &mut Page,
        joint: &SourceJoint,
        body: usize,
        slide: &SlideInPlane,
        places: &[Isometry3<f64>],
    ) {
        let along = PlannedCoordinate::Along(*slide);
        let coordinate = self.expression(&along);
        self.refuse(
            joint,
            body,
            "a planar joint has no coordinate along its slides",
            &[
                (joint.armature != 0.0, "its armature"),
                (joint.friction != 0.0, "its friction"),
                (joint.limit.is_some() && coordinate.is_none(), "its limits"),
            ],
        );
        let own = if joint.name.is_empty() { self.assembly.name_of(Some(slide.body)) } else { &joint.name };
        if joint.stiffness != 0.0 || joint.damping != 0.0 {
            let rest = slide.origin + slide.direction * joint.rest;
            page.table("[[bushing]]");
            page.key("name", text(&self.names.fresh(&format!("{own}_spring"), "spring")));
            let bodies = [slide.on, Some(slide.body)].map(|body| text(self.assembly.name_of(body)));
            page.key("bodies", format!("[{}]", bodies.join(", ")));
            page.key("points", both([rest, slide.point]));
            // A bushing has no force at half a turn between its frames: they coincide at the start.
            let starts = self.model.places(SourcePosture::Start);
            let turn = |body: Option<usize>| {
                let body = body.map(|body| &self.assembly.bodies[body]);
                body.map_or_else(UnitQuaternion::identity, |body| starts[body.source].rotation)
            };
            let into_own = turn(Some(slide.body)).inverse() * turn(slide.on);
            let x = direction_across(slide.direction);
            page.key("axes", pair([slide.direction, into_own * slide.direction]));
            if !is_identity(&into_own) {
                page.key("references", both([x, into_own * x]));
            }
            if joint.stiffness != 0.0 {
                page.key("stiffness", format!("[0, 0, {}]", quantity(joint.stiffness, "N/m")));
            }
            if joint.damping != 0.0 {
                page.key("damping", format!("[0, 0, {}]", quantity(joint.damping, "N s/m")));
            }
        }
        if let (Some(limit), Some([value, rate])) = (joint.limit, coordinate) {
            let [low, high] = limit.range.map(number);
            let [k, c] = self.soft_limit(page, own, joint, limit, body, places);
            let beyond = format!("clamp({value}, {low}, {high}) - {value}");
            let mut law = format!("{}*({beyond})", number(k));
            if c > 0.0 {
                law += &format!(" - {}*{rate}*sign(abs({beyond}))", number(c));
            }
            self.pushed(page, &along, &format!("{own}_stop"), &law);
        }
    }

    /// A force along a slide of a planar joint.
    pub(super) fn pushed(&mut self, page: &mut Page, planned: &PlannedCoordinate, name: &str, force: &str) {
        let PlannedCoordinate::Along(SlideInPlane { body, point, direction, .. }) = planned else { return };
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
            let message = format!("the joint `{}` loses {}: {why}", joint.name, lost.join(", "));
            self.found.lacks(Feature::Joint, &joint.at, NotePlace::Body(body), message);
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

    fn weightless(&mut self, page: &mut Page, body: usize, source: &SourceBody) {
        let Some(own) = self.owner(body) else { return };
        let mass = source.mass.properties();
        let at = self.assembly.carriers[body].1 * Point3::from(mass.centre);
        page.blank();
        page.comment(&format!(
            "Gravity leaves {} of the weight of `{}` (gravcomp).",
            number(1.0 - source.weightless),
            source.name
        ));
        page.table("[[load]]");
        page.key("name", text(&self.names.fresh(&format!("{}_lift", source.name), "lift")));
        page.key("body", text(&self.assembly.bodies[own].name));
        page.key("kind", text("force"));
        page.key("axes", text("space"));
        page.key("point", vector(at.coords));
        page.key("value", vector(self.model.gravity * (-source.weightless * mass.mass)));
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

/// Stiffness and damping for each unit of inertia that a limit's `solref` stands for: of an
/// oscillator with that time constant and damping ratio.
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
