//! Motors and servos as laws, whose commands and gains are constants.

use nalgebra::{Isometry3, Vector3};

use super::{Writing, components};
use crate::assembly::PlannedCoordinate;
use crate::fault::{Feature, NotePlace};
use crate::pose::clean;
use crate::source::{ActsOn, SourceActuator, SourceJoint};
use crate::toml::{Page, number, text, vector};

/// A place on a planned body, and the force and torque there for each unit of an actuator's force.
struct SiteGear {
    on: usize,
    place: Isometry3<f64>,
    /// The frame on the ground along whose axes both are, instead of those of the place.
    against: Option<Isometry3<f64>>,
    force: Vector3<f64>,
    torque: Vector3<f64>,
}

impl Writing<'_> {
    pub(super) fn actuators(&mut self) -> String {
        let mut page = Page::default();
        let model = self.model;
        let mut limited: Vec<((usize, usize), String, Vec<String>)> = Vec::new();
        for actuator in &model.actuators {
            let name = match &actuator.acts_on {
                _ if !actuator.name.is_empty() => self.names.of_source(&actuator.name, "motor"),
                ActsOn::Joint(body, joint) => {
                    self.names.fresh(&format!("{}_motor", model.bodies[*body].joints[*joint].name), "motor")
                }
                ActsOn::Site { .. } => self.names.fresh("thruster", "motor"),
            };
            match &actuator.acts_on {
                ActsOn::Joint(body, joint) => {
                    let planned = self.assembly.coordinates[*body][*joint].clone();
                    if matches!(planned, PlannedCoordinate::Refused) {
                        continue;
                    }
                    let Some(coordinate) = self.expression(&planned) else {
                        let message =
                            format!("the actuator `{name}` drives a coordinate that its joint does not have");
                        self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, message);
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
                        (None, _) => self.driven(&mut page, &planned, &name, &torque),
                    }
                }
                ActsOn::Site { body, frame, against, force, torque } => {
                    let (Some(on), place) = self.assembly.on(Some(*body), frame) else {
                        let message = format!("the actuator `{name}` pushes what does not move");
                        self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, message);
                        continue;
                    };
                    self.refuse_limited_above(actuator, *body, &name);
                    let follows =
                        [&actuator.gain[1..], &actuator.bias[1..]].concat().iter().any(|x| *x != 0.0);
                    let along = SiteGear { on, place, against: *against, force: *force, torque: *torque };
                    let coordinate = if follows { self.along_site(&along) } else { None };
                    if follows && coordinate.is_none() {
                        let message = format!(
                            "the actuator `{name}` measures at its site what polhode's laws do not: turns \
                             against a reference, or a velocity in the site's axes"
                        );
                        self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, message);
                        continue;
                    }
                    let law = self.force(&mut page, actuator, &name, coordinate.as_ref());
                    for (kind, along) in [("force", force), ("torque", torque)] {
                        if *along == Vector3::zeros() {
                            continue;
                        }
                        page.table("[[load]]");
                        page.key("name", text(&self.names.fresh(&format!("{name}_{kind}"), kind)));
                        page.key("body", text(&self.assembly.bodies[on].name));
                        page.key("kind", text(kind));
                        page.key("axes", text(if against.is_some() { "space" } else { "body" }));
                        if kind == "force" {
                            page.key("point", vector(place.translation.vector));
                        }
                        let axes = against.map_or(place.rotation, |against| against.rotation);
                        page.key("function", components(&law, clean(axes * along)));
                    }
                }
            }
        }
        for ((body, joint), name, all) in limited {
            let planned = self.assembly.coordinates[body][joint].clone();
            let [low, high] = model.joint_at((body, joint)).force_range.unwrap_or([f64::MIN, f64::MAX]);
            let sum = format!("clamp({}, {}, {})", all.join(" + "), number(low), number(high));
            self.driven(&mut page, &planned, &name, &sum);
        }
        page.done()
    }

    /// MuJoCo limits what all actuators together do at a joint, those at sites of bodies that hang
    /// on it too.
    fn refuse_limited_above(&mut self, actuator: &SourceActuator, body: usize, name: &str) {
        let model = self.model;
        let above = std::iter::successors(Some(body), |body| model.bodies[*body].parent);
        let limited = |joint: &&SourceJoint| joint.force_range.is_some();
        let joint = above.flat_map(|body| &model.bodies[body].joints).find(limited);
        if let Some(joint) = joint {
            let message = format!(
                "the actuator `{name}` acts at a site, outside the limits of all actuators of the joint `{}` \
                 (`actuatorfrcrange`)",
                joint.name
            );
            self.found.lacks(Feature::Actuator, &actuator.at, NotePlace::End, message);
        }
    }

    /// Length and velocity that MuJoCo gives an actuator at a site, as expressions; `None`: laws do
    /// not know them.
    fn along_site(&mut self, gear: &SiteGear) -> Option<[String; 2]> {
        let sum = |direction: Vector3<f64>, quantity: &str| {
            let direction = clean(direction);
            let terms = (0..3).filter(|k| direction[*k] != 0.0).map(|k| {
                let component = format!("{quantity}.{}", ["x", "y", "z"][k]);
                if direction[k] == 1.0 { component } else { format!("{}*{component}", number(direction[k])) }
            });
            format!("({})", terms.collect::<Vec<_>>().join(" + ").replace("+ -", "- "))
        };
        match gear.against {
            // Without a reference a site has no length, and along its own axes.
            None if gear.force == Vector3::zeros() => {
                let body = format!("{}.angular_velocity", self.assembly.bodies[gear.on].name);
                Some(["0".to_string(), sum(gear.place.rotation * gear.torque, &body)])
            }
            Some(against) if gear.torque == Vector3::zeros() => {
                let point = self.point(gear.on, gear.place.translation.vector);
                let direction = against.rotation * gear.force;
                let off = direction.dot(&against.translation.vector);
                let place = sum(direction, &format!("{point}.position"));
                let place = format!("({place} - {})", number(off)).replace("- -", "+ ");
                Some([place, sum(direction, &format!("{point}.velocity"))])
            }
            _ => None,
        }
    }

    /// A torque or force, an expression, along a coordinate of the source.
    fn driven(&mut self, page: &mut Page, coordinate: &PlannedCoordinate, name: &str, law: &str) {
        let PlannedCoordinate::InJoint { joint, coordinate, sign, .. } = coordinate else {
            return self.pushed(page, coordinate, &format!("{name}_force"), law);
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

    /// The force of an actuator as an expression. Its command and gains are constants, its
    /// activation is a state.
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
            let mut rate = match lag {
                0.0 => drive,
                lag => format!("({drive} - {state})/{}", number(lag)),
            };
            if let Some([low, high]) = actuator.activation_range.map(|range| range.map(number)) {
                rate = format!("({state} < {high})*max(0, {rate}) + ({state} > {low})*min(0, {rate})");
            }
            page.key("rate", text(&rate));
            page.key("initial", number(actuator.activation));
            drive = match actuator.activation_range {
                Some([low, high]) => format!("clamp({state}, {}, {})", number(low), number(high)),
                None => state,
            };
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
        let [g0, g1, g2] = actuator.gain;
        let mut terms = Vec::new();
        match coordinate {
            Some([value, rate]) => {
                // A servo: `kp (u - q) - kv q'`, or `kv (u - q')`.
                let is_plain = g1 == 0.0 && g2 == 0.0;
                let is_position = b1 != 0.0 && g0 == -b1 && is_plain;
                let is_velocity = b1 == 0.0 && b2 != 0.0 && g0 == -b2 && is_plain;
                if is_position {
                    let kp = gain("kp", g0);
                    terms.push(format!("{kp}*({drive} - {})", geared(value)));
                } else if is_velocity {
                    let kv = gain("kv", g0);
                    terms.push(format!("{kv}*({drive} - {})", geared(rate)));
                } else {
                    let follows = [(g1, "gain_of_place", value), (g2, "gain_of_rate", rate)];
                    let follows = follows.iter().filter(|(g, ..)| *g != 0.0);
                    let follows: Vec<String> = follows
                        .map(|(g, what, quantity)| format!("{}*{}", gain(what, *g), geared(quantity)))
                        .collect();
                    terms.push(match (g0, follows.len()) {
                        (1.0, 0) => drive.clone(),
                        (own, 0) => format!("{}*{drive}", gain("gain", own)),
                        (0.0, _) => format!("({})*{drive}", follows.join(" + ")),
                        (own, _) => format!("({} + {})*{drive}", gain("gain", own), follows.join(" + ")),
                    });
                    if b1 != 0.0 {
                        terms.push(format!("{}*{}", gain("stiffness", b1), geared(value)));
                    }
                }
                if b2 != 0.0 && !is_velocity {
                    terms.push(format!("-{}*{}", gain("kv", -b2), geared(rate)));
                }
            }
            None => terms.push(match g0 {
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
}
