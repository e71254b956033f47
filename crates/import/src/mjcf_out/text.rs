//! The text of an MJCF file.

use std::fmt::Write as _;

use nalgebra::{UnitQuaternion, Vector3};
use polhode_description::describe::InertiaAbout;
use polhode_description::math::inertia::{matrix, of_mass_at};

use super::{MjcfWriting, OutJoint};
use crate::pose::{MassProperties, clean, is_identity};
use crate::source::JointMotion;
use crate::toml::number;

/// Both ends of a range that has none on one side (rad or m): MJCF wants two.
const NO_END: f64 = 1e6;

/// Least moment of inertia of a body that moves (kg m²), MuJoCo's `mjMINVAL`.
const LEAST_INERTIA: f64 = 1e-15;
/// Rounding of principal moments, as a part of the largest.
const ROUNDING: f64 = 1e-12;

impl MjcfWriting<'_> {
    /// Why MuJoCo takes no such body: its moments of inertia are those of no solid.
    pub(super) fn no_solid(&self, body: usize) -> Option<String> {
        let mut moments = self.mass(body).inertia.symmetric_eigenvalues();
        moments.as_mut_slice().sort_by(f64::total_cmp);
        let [a, b, c] = moments.into();
        let [a, b, c] = [a, b, c].map(number);
        let shown = |why: &str| Some(format!("its moments of inertia are {a}, {b} and {c} kg m^2; {why}"));
        if moments[0] < LEAST_INERTIA {
            return shown("MuJoCo takes none that is zero");
        }
        let flat = moments[0] + moments[1] < moments[2] * (1.0 - ROUNDING);
        flat.then(|| shown("MuJoCo takes none that is greater than the other two together"))?
    }

    /// Mass, centre and inertia about it, in body axes.
    fn mass(&self, body: usize) -> MassProperties {
        let described = &self.mechanism.bodies[body];
        let centre = Vector3::from(described.centre_of_mass);
        let given = matrix(&described.inertia_in_body());
        let inertia = match described.inertia_about {
            InertiaAbout::MassCentre => given,
            InertiaAbout::Origin => given - of_mass_at(described.mass, centre),
        };
        MassProperties { mass: described.mass, centre, inertia }
    }

    /// The inertia that a joint moves alone, all other joints held (kg or kg m²).
    fn moved(&self, body: usize, joint: &OutJoint) -> f64 {
        fn hanging(writing: &MjcfWriting<'_>, body: usize) -> MassProperties {
            writing.bodies[body].children.iter().fold(writing.mass(body), |sum, child| {
                sum.with(&hanging(writing, *child).placed(&writing.bodies[*child].local))
            })
        }
        let all = hanging(self, body);
        let alone = match joint.motion {
            JointMotion::Slide => all.mass,
            _ => all.about_line(joint.anchor, joint.axis),
        };
        alone + joint.armature
    }

    pub(super) fn text(&self) -> String {
        let mechanism = self.mechanism;
        let mut text = format!(
            "<!-- {}, written by polhode {}. The keyframe `start` has its start and commands. -->\n",
            mechanism.name.replace("--", "- "),
            env!("CARGO_PKG_VERSION")
        );
        let _ = writeln!(text, "<mujoco model=\"{}\">", escaped(&mechanism.name));
        text.push_str("  <compiler angle=\"radian\" autolimits=\"true\"/>\n");
        let _ =
            writeln!(text, "  <option gravity=\"{}\" integrator=\"RK4\"/>", three(mechanism.gravity.into()));
        text.push_str("  <worldbody>\n");
        for site in &self.ground_sites {
            let _ = writeln!(text, "    {site}");
        }
        let mut order = Vec::new();
        self.top.iter().for_each(|body| self.body(*body, 2, &mut text, &mut order));
        text.push_str("  </worldbody>\n");
        let mut section = |name: &str, lines: &[String]| {
            if !lines.is_empty() {
                let _ = writeln!(text, "  <{name}>");
                lines.iter().for_each(|line| {
                    let _ = writeln!(text, "    {line}");
                });
                let _ = writeln!(text, "  </{name}>");
            }
        };
        section("equality", &self.equalities);
        section("tendon", &self.tendons);
        section(
            "actuator",
            &self.actuators.iter().map(|actuator| actuator.element.clone()).collect::<Vec<_>>(),
        );
        let joints = || {
            order.iter().flat_map(|body| self.bodies[*body].joints.iter().map(move |joint| (*body, joint)))
        };
        let coordinates: Vec<String> = joints()
            .map(|(body, joint)| match joint.motion {
                JointMotion::Hinge | JointMotion::Slide => number(joint.value),
                JointMotion::Ball => "1 0 0 0".to_string(),
                JointMotion::Free => {
                    let place = self.starts[body].place;
                    format!("{} {}", three(place.translation.vector), turn(&place.rotation))
                }
            })
            .collect();
        let rates: Vec<String> =
            joints().flat_map(|(_, joint)| joint.rates.iter().map(|rate| number(*rate))).collect();
        let listed = |key: &str, numbers: Vec<String>| match numbers.is_empty() {
            true => String::new(),
            false => format!(" {key}=\"{}\"", numbers.join(" ")),
        };
        let actuators = &self.actuators;
        let commands = listed("ctrl", actuators.iter().map(|actuator| number(actuator.command)).collect());
        let activations =
            listed("act", actuators.iter().filter_map(|actuator| actuator.activation.map(number)).collect());
        let key = format!(
            "<key name=\"start\" qpos=\"{}\" qvel=\"{}\"{activations}{commands}/>",
            coordinates.join(" "),
            rates.join(" ")
        );
        section("keyframe", &[key]);
        text.push_str("</mujoco>\n");
        text
    }

    fn body(&self, body: usize, depth: usize, text: &mut String, order: &mut Vec<usize>) {
        order.push(body);
        let indent = "  ".repeat(depth);
        let own = &self.bodies[body];
        let _ = write!(text, "{indent}<body name=\"{}\"", escaped(&own.name));
        let at = clean(own.local.translation.vector);
        if at != Vector3::zeros() {
            let _ = write!(text, " pos=\"{}\"", three(at));
        }
        if !is_identity(&own.local.rotation) {
            let _ = write!(text, " quat=\"{}\"", turn(&own.local.rotation));
        }
        if own.weightless != 0.0 {
            let _ = write!(text, " gravcomp=\"{}\"", number(own.weightless));
        }
        text.push_str(">\n");
        for joint in &own.joints {
            let _ = writeln!(text, "{indent}  {}", self.joint(body, joint));
        }
        let mass = self.mass(body);
        let i = mass.inertia;
        let inertia = match i[(0, 1)] == 0.0 && i[(0, 2)] == 0.0 && i[(1, 2)] == 0.0 {
            true => format!("diaginertia=\"{}\"", three(i.diagonal())),
            false => {
                let all = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| number(i[at]));
                format!("fullinertia=\"{}\"", all.join(" "))
            }
        };
        let _ = writeln!(
            text,
            "{indent}  <inertial pos=\"{}\" mass=\"{}\" {inertia}/>",
            three(mass.centre),
            number(mass.mass)
        );
        for site in &own.sites {
            let _ = writeln!(text, "{indent}  {site}");
        }
        own.children.iter().for_each(|child| self.body(*child, depth + 1, text, order));
        let _ = writeln!(text, "{indent}</body>");
    }

    fn joint(&self, body: usize, joint: &OutJoint) -> String {
        let name = escaped(&joint.name);
        let mut text = match joint.motion {
            JointMotion::Free => return format!("<freejoint name=\"{name}\"/>"),
            JointMotion::Ball => format!("<joint name=\"{name}\" type=\"ball\""),
            JointMotion::Hinge => {
                format!("<joint name=\"{name}\" type=\"hinge\" axis=\"{}\"", three(joint.axis))
            }
            JointMotion::Slide => {
                format!("<joint name=\"{name}\" type=\"slide\" axis=\"{}\"", three(joint.axis))
            }
        };
        let mut key = |name: &str, value: f64| {
            if value != 0.0 {
                let _ = write!(text, " {name}=\"{}\"", number(value));
            }
        };
        key("ref", joint.reference);
        key("stiffness", joint.stiffness);
        key("springref", if joint.stiffness > 0.0 { joint.pull / joint.stiffness } else { 0.0 });
        key("damping", joint.damping);
        key("armature", joint.armature);
        key("frictionloss", joint.friction);
        if joint.anchor != Vector3::zeros() {
            let _ = write!(text, " pos=\"{}\"", three(joint.anchor));
        }
        if let Some([low, high, k, c]) = joint.stop {
            let moved = self.moved(body, joint);
            let _ = write!(
                text,
                " range=\"{} {}\" solreflimit=\"{} {}\"",
                number(low.max(-NO_END)),
                number(high.min(NO_END)),
                number(-k / moved),
                number(-c / moved)
            );
        }
        text.push_str("/>");
        text
    }
}

pub(super) fn three(v: Vector3<f64>) -> String {
    let v = clean(v);
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}

pub(super) fn turn(q: &UnitQuaternion<f64>) -> String {
    [q.w, q.i, q.j, q.k].map(number).join(" ")
}

/// A text within an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
