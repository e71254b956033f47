//! Springs, motors and loads of a mechanism, at the joints and sites of MJCF.

use nalgebra::Vector3;
use polhode_description::describe::signal::Sensor;
use polhode_description::describe::{Axes, Expression, Force, JointCoordinate, Load, LoadKind, Point};

use super::text::{escaped, three};
use super::{HOLDS, MjcfWriting, OutJoint};
use crate::source::JointMotion;
use crate::toml::number;

impl MjcfWriting<'_> {
    pub(super) fn joint_at(&mut self, at: JointCoordinate) -> Option<&mut OutJoint> {
        self.bodies.iter_mut().flat_map(|body| &mut body.joints).find(|joint| joint.of == Some(at))
    }

    /// Forces at joints, and springs between points.
    pub(super) fn forces(&mut self) {
        for force in &self.mechanism.forces {
            let (table, name) = (force.card.table, &force.name);
            let number_of = |key: &str| force.number(key);
            if let Some(at) = force.coordinate() {
                if self.joint_at(at).is_none() {
                    self.refuse(table, name, "it acts at a coordinate of a joint that closes a loop");
                    continue;
                }
                if table == "joint_spring" {
                    self.motor(force, at);
                }
                let Some(joint) = self.joint_at(at) else { continue };
                match table {
                    "joint_spring" => {
                        joint.stiffness += number_of("stiffness");
                        joint.pull += number_of("stiffness") * number_of("rest");
                        joint.damping += number_of("damping");
                    }
                    "armature" => joint.armature += number_of("inertia"),
                    "joint_friction" => {
                        joint.friction += number_of("force");
                        self.told.push(format!(
                            "[[joint_friction]] `{name}`: MuJoCo holds the joint where polhode lets it creep"
                        ));
                    }
                    "stop" if joint.stop.is_none() => {
                        let ends = ["low", "high", "stiffness", "damping"].map(number_of);
                        joint.stop = Some(ends);
                        self.told.push(format!(
                            "[[stop]] `{name}`: MuJoCo's limits depend on more than the place; within them the motion is the same"
                        ));
                    }
                    "stop" => self.refuse(table, name, "a joint of MJCF has one range"),
                    _ => self.refuse(table, name, "it has no twin in MJCF"),
                }
                continue;
            }
            match table {
                "spring" => self.tendon(force),
                "bushing" => self.bushing(force),
                _ => self.refuse(table, name, "it has no twin in MJCF"),
            }
        }
    }

    /// The actuator of a joint spring: linear in coordinate and rate of its own joint.
    fn motor(&mut self, force: &Force, at: JointCoordinate) {
        let law = &force.functions[0];
        if *law == Expression::Number(0.0) {
            return;
        }
        let own = |sensor: Sensor| match sensor {
            Sensor::Coordinate(of) if of == at => Some([1, 0]),
            Sensor::CoordinateRate(of) if of == at => Some([0, 1]),
            _ => None,
        };
        let linear =
            self.polynomial(law, None, &own).filter(|terms| terms.keys().all(|[s, rate]| s + rate <= 1));
        let Some(terms) = linear else {
            let text = "its `actuator` is no constant, nor linear in coordinate and rate of its own joint";
            self.refuse("joint_spring", &force.name, text);
            return;
        };
        let Some(joint) = self.joint_at(at).map(|joint| joint.name.clone()) else { return };
        let of = |key: [u8; 2]| terms.get(&key).copied().unwrap_or(0.0);
        let name = self.fresh("actuator", &force.name);
        let head = format!("name=\"{}\" joint=\"{}\"", escaped(&name), escaped(&joint));
        let element = match (of([1, 0]), of([0, 1])) {
            (0.0, 0.0) => format!("<motor {head}/>"),
            (s, rate) => format!(
                "<general {head} gainprm=\"1\" biastype=\"affine\" biasprm=\"0 {} {}\"/>",
                number(s),
                number(rate)
            ),
        };
        self.actuators.push((element, of([0, 0])));
    }

    /// A spring and damper between two points, as a tendon.
    fn tendon(&mut self, force: &Force) {
        let [k, c, rest, push] =
            ["stiffness", "damping", "free_length", "actuator"].map(|key| force.number(key));
        let rest = if push == 0.0 { rest } else { rest + push / k };
        if !rest.is_finite() || rest < 0.0 {
            self.refuse("spring", &force.name, "MJCF has no constant force between points (`actuator`)");
            return;
        }
        let [a, b] = [0, 1]
            .map(|side| self.site(&format!("{}_{}", force.name, ["a", "b"][side]), &force.points()[side]));
        self.tendons.push(format!(
            "<spatial name=\"{}\" stiffness=\"{}\" damping=\"{}\" springlength=\"{}\"><site site={a}/><site site={b}/></spatial>",
            escaped(&force.name), number(k), number(c), number(rest)
        ));
    }

    /// A bushing that damps the turn of a ball joint alike about all axes, or acts along a slide of a planar
    /// joint.
    fn bushing(&mut self, force: &Force) {
        let [k, c, turning, [x, y, z]] = ["stiffness", "damping", "torsional_stiffness", "torsional_damping"]
            .map(|key| [0, 1, 2].map(|k| force.values(key)[k]));
        let none = [0.0; 3];
        let ends = [force.points()[0].body, force.points()[1].body];
        let is_ball = |joints: &[OutJoint]| joints.len() == 1 && joints[0].motion == JointMotion::Ball;
        let ball = self.bodies.iter_mut().enumerate().find_map(|(b, body)| {
            let joined = ends == [body.parent, Some(b)] || ends == [Some(b), body.parent];
            (joined && is_ball(&body.joints)).then(|| &mut body.joints[0])
        });
        let turns_alike = [k, c, turning] == [none; 3] && x == y && y == z;
        if let Some(ball) = ball.filter(|_| turns_alike) {
            ball.damping += x;
            return;
        }
        let along = [k[0], k[1], c[0], c[1]] == [0.0; 4] && [turning, [x, y, z]] == [none; 2];
        if let Some((body, slide, rest)) = self.slide_along(force).filter(|_| along) {
            let slide = &mut self.bodies[body].joints[slide];
            slide.stiffness += k[2];
            slide.pull += k[2] * rest;
            slide.damping += c[2];
            return;
        }
        let text =
            "it neither damps a ball joint, alike about all axes, nor acts along a slide of a planar one";
        self.refuse("bushing", &force.name, text);
    }

    /// The body and the slide of a planar joint along which z of this bushing is, and where it is at rest.
    fn slide_along(&self, force: &Force) -> Option<(usize, usize, f64)> {
        let [on, sliding] = force.points() else { return None };
        let child = sliding.body.filter(|child| self.bodies[*child].parent == on.body)?;
        let place = self.starts[child].place;
        let z = self.state(on.body).place.rotation * Vector3::from(force.frames()[0][2]);
        let joints = &self.bodies[child].joints;
        // Where the body turns, its point stays on the axis.
        let off = |joint: &OutJoint| (Vector3::from(sliding.at) - joint.anchor).cross(&joint.axis).norm();
        let stays = |joint: &OutJoint| joint.motion != JointMotion::Hinge || off(joint) < HOLDS;
        let along = |joint: &OutJoint| z.dot(&(place.rotation * joint.axis));
        let is_slide = |joint: &OutJoint| joint.motion == JointMotion::Slide && joint.of.is_none();
        let slide = joints.iter().position(|joint| is_slide(joint) && along(joint).abs() > 1.0 - HOLDS)?;
        let rest = z.dot(&(self.place_of(on) - self.place_of(sliding))) * along(&joints[slide]).signum();
        joints.iter().all(stays).then_some((child, slide, rest))
    }

    /// A place on a body with a name like this one, which it returns within quotes.
    pub(super) fn site(&mut self, name: &str, point: &Point) -> String {
        let name = format!("\"{}\"", escaped(&self.fresh("site", name)));
        let text = format!("<site name={name} pos=\"{}\"/>", three(point.at.into()));
        match point.body {
            Some(body) => self.bodies[body].sites.push(text),
            None => self.ground_sites.push(text),
        }
        name
    }

    /// Loads that never change: a part of the weight, or in the axes of their body.
    pub(super) fn loads(&mut self) {
        for load in &self.mechanism.loads {
            let Some(value) = self.constant_load(load) else {
                self.refuse("load", &load.name, "it depends on time or motion");
                continue;
            };
            let body = &self.mechanism.bodies[load.body];
            let weight = Vector3::from(self.mechanism.gravity) * body.mass;
            let part = -value.dot(&weight) / weight.norm_squared();
            let off = Vector3::from(load.point) - Vector3::from(body.centre_of_mass);
            let lifts = load.kind == LoadKind::Force
                && load.axes == Axes::Space
                && off.norm() < HOLDS
                && (value + weight * part).norm() <= 1e-12 * value.norm();
            if value == Vector3::zeros() {
                continue;
            }
            if lifts {
                self.bodies[load.body].weightless += part;
                continue;
            }
            if load.axes == Axes::Space {
                self.refuse("load", &load.name, "MJCF has no constant load in space axes (`axes`)");
                continue;
            }
            let at = match load.kind {
                LoadKind::Force => load.at(),
                LoadKind::Torque => Point { at: [0.0; 3], ..load.at() },
            };
            let site = self.site(&load.name, &at);
            let gear = match load.kind {
                LoadKind::Force => format!("{} 0 0 0", three(value)),
                LoadKind::Torque => format!("0 0 0 {}", three(value)),
            };
            let name = escaped(&self.fresh("actuator", &load.name));
            self.actuators.push((format!("<motor name=\"{name}\" site={site} gear=\"{gear}\"/>"), 1.0));
        }
    }

    fn constant_load(&self, load: &Load) -> Option<Vector3<f64>> {
        if let Some(functions) = &load.function {
            let [x, y, z] = functions.each_ref().map(|function| self.constant(function));
            return Some(Vector3::new(x?, y?, z?));
        }
        match &load.pieces[..] {
            [] => Some(Vector3::zeros()),
            [one] if !load.is_timed() => Some(one.value.into()),
            _ => None,
        }
    }
}
