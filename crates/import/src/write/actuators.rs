//! Motors and servos as laws, whose commands and gains are constants.

use nalgebra::Vector3;

use super::{Writing, components};
use crate::assembly::PlannedCoordinate;
use crate::fault::{Feature, NotePlace};
use crate::pose::clean;
use crate::source::{ActsOn, SourceActuator};
use crate::toml::{Page, number, text, vector};

impl Writing<'_> {
    pub(super) fn actuators(&mut self) -> String {
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
                        terms.push(format!("{}*{}", gain("stiffness", b1), geared(value)));
                    }
                }
                if b2 != 0.0 && !is_velocity {
                    terms.push(format!("-{}*{}", gain("kv", -b2), geared(rate)));
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
}
