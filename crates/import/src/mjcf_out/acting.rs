//! Springs, motors and loads of a mechanism, at the joints and sites of MJCF.

use nalgebra::Vector3;
use polhode_description::describe::expression::MotionInput;
use polhode_description::describe::signal::{Sensor, Spot};
use polhode_description::describe::{
    Attached, Axes, Expression, Force, JointCoordinate, Load, LoadKind, Point,
};

use super::text::{escaped, three};
use super::{HOLDS, MjcfWriting, OutActuator, OutJoint};
use crate::source::JointMotion;
use crate::toml::number;

/// A force without a bound on one side (N or N m): MJCF wants two.
const NO_FORCE: f64 = 1e30;

/// `F = gain u + b0 + b1 l + b2 l'` between bounds, of length and velocity as MuJoCo has them.
#[derive(Clone, Copy)]
struct LinearLaw {
    command: f64,
    gain: f64,
    bias: [f64; 3],
    range: Option<[f64; 2]>,
    /// Time constant (s) of a lag between command and u, zero: u is the integral of the command;
    /// and u at the start.
    lag: Option<[f64; 2]>,
}

impl Default for LinearLaw {
    fn default() -> LinearLaw {
        LinearLaw { command: 0.0, gain: 1.0, bias: [0.0; 3], range: None, lag: None }
    }
}

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
                        self.notes.push(format!(
                            "[[joint_friction]] `{name}`: MuJoCo holds the joint where polhode lets it creep"
                        ));
                    }
                    "stop" if joint.stop.is_none() => {
                        let ends = ["low", "high", "stiffness", "damping"].map(number_of);
                        joint.stop = Some(ends);
                        self.notes.push(format!(
                            "[[stop]] `{name}`: MuJoCo's limits depend on more than the place; within them \
                             the motion is the same"
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
                "drag" => self.drag(force),
                _ => self.refuse(table, name, "it has no twin in MJCF"),
            }
        }
    }

    /// The actuator of a joint spring: linear in coordinate and rate of its own joint, and in one
    /// state.
    fn motor(&mut self, force: &Force, at: JointCoordinate) {
        let law = &force.functions[0];
        if *law == Expression::Number(0.0) {
            return;
        }
        let own = |input: MotionInput| match input {
            MotionInput::Sensor(k) => match self.mechanism.sensors[k] {
                Sensor::Coordinate(of) if of == at => Some([1, 0, 0]),
                Sensor::CoordinateRate(of) if of == at => Some([0, 1, 0]),
                _ => None,
            },
            _ => None,
        };
        let Some(law) = self.linear(law, &own) else {
            let text = "its `actuator` is no constant, nor linear in coordinate and rate of its own joint";
            self.refuse("joint_spring", &force.name, text);
            return;
        };
        let Some(joint) = self.joint_at(at).map(|joint| joint.name.clone()) else { return };
        self.actuator(&force.name, &format!("joint=\"{}\"", escaped(&joint)), &law);
    }

    /// A law that is linear in what `own` knows, between bounds, with at most one lag or integral.
    fn linear(&self, law: &Expression, own: &dyn Fn(MotionInput) -> Option<[u8; 3]>) -> Option<LinearLaw> {
        let states = (0..self.mechanism.states.len()).map(Some);
        std::iter::once(None).chain(states).find_map(|state| {
            let with = |input: MotionInput| match input {
                MotionInput::State(k) => (state == Some(k)).then_some([0, 0, 1]),
                other => own(other),
            };
            let (terms, range) = self.bounded(law, &with)?;
            let coefficient = |key: [u8; 3]| terms.get(&key).copied().unwrap_or(0.0);
            if terms.keys().any(|key| key.iter().sum::<u8>() > 1) {
                return None;
            }
            let [constant, place, rate, gain] = [[0; 3], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(coefficient);
            let Some(state) = state.map(|k| &self.mechanism.states[k]) else {
                return Some(LinearLaw {
                    command: constant,
                    gain: 1.0,
                    bias: [0.0, place, rate],
                    range,
                    lag: None,
                });
            };
            let terms =
                self.polynomial(&state.rate, None, &|input| with(input).filter(|key| *key == [0, 0, 1]))?;
            let [push, decay] = [[0; 3], [0, 0, 1]].map(|key| terms.get(&key).copied().unwrap_or(0.0));
            let is_lag = terms.keys().all(|key| key[2] <= 1) && decay <= 0.0;
            let time = if decay < 0.0 { -1.0 / decay } else { 0.0 };
            is_lag.then_some(LinearLaw {
                command: if decay < 0.0 { push * time } else { push },
                gain,
                bias: [constant, place, rate],
                range,
                lag: Some([time, state.initial]),
            })
        })
    }

    /// An actuator with this law, on what `acts_on` says.
    fn actuator(&mut self, name: &str, acts_on: &str, law: &LinearLaw) {
        let LinearLaw { command, gain, bias, range, lag } = law;
        let name = escaped(&self.fresh("actuator", name));
        let mut keys = format!("name=\"{name}\" {acts_on}");
        let limited = range.map(|[low, high]| {
            let [low, high] = [low.max(-NO_FORCE), high.min(NO_FORCE)].map(number);
            format!(" forcerange=\"{low} {high}\"")
        });
        keys += &limited.unwrap_or_default();
        if let Some([time, _]) = lag {
            keys += &match *time {
                0.0 => " dyntype=\"integrator\"".to_string(),
                time => format!(" dyntype=\"filterexact\" dynprm=\"{}\"", number(time)),
            };
        }
        let element = match (bias, lag) {
            ([0.0, 0.0, 0.0], None) => format!("<motor {keys}/>"),
            (bias, _) => format!(
                "<general {keys} gainprm=\"{}\" biastype=\"affine\" biasprm=\"{}\"/>",
                number(*gain),
                bias.map(number).join(" ")
            ),
        };
        let activation = lag.map(|[_, initial]| initial);
        self.actuators.push(OutActuator { element, command: *command, activation });
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
            "<spatial name=\"{}\" stiffness=\"{}\" damping=\"{}\" springlength=\"{}\"><site site={a}/><site \
             site={b}/></spatial>",
            escaped(&force.name),
            number(k),
            number(c),
            number(rest)
        ));
    }

    /// A bushing that damps the turn of a ball joint alike about all axes, or acts along a slide of
    /// a planar joint.
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

    /// The body and the slide of a planar joint along which z of this bushing is, and where it is
    /// at rest.
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

    /// Loads that never change, or follow what MuJoCo measures where they act.
    pub(super) fn loads(&mut self) {
        for (k, load) in self.mechanism.loads.iter().enumerate() {
            if self.rests("load", &load.name, load.body) {
                continue;
            }
            let Some(value) = self.constant_load(load) else {
                self.law_of_load(k, load);
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
            let acts_on = self.acts_on(load, value);
            self.actuator(&load.name, &acts_on, &LinearLaw { command: 1.0, ..LinearLaw::default() });
        }
    }

    /// Whether a body is fixed to the ground, with a note that what acts on it is left out.
    fn rests(&mut self, table: &str, name: &str, body: usize) -> bool {
        let mut carriers = std::iter::successors(Some(body), |body| self.bodies[*body].parent);
        let rests = carriers.all(|body| self.bodies[body].joints.is_empty());
        if rests {
            self.notes.push(format!(
                "[[{table}]] `{name}`: without effect on the motion, and left out: its body is fixed"
            ));
        }
        rests
    }

    /// The site of a load, along whose axes or those of space it acts by `gear`.
    fn acts_on(&mut self, load: &Load, gear: Vector3<f64>) -> String {
        let at = match load.kind {
            LoadKind::Force => load.at(),
            LoadKind::Torque => Point { at: [0.0; 3], ..load.at() },
        };
        let site = self.site(&load.name, &at);
        let against = match load.axes {
            Axes::Body => String::new(),
            Axes::Space => format!(" refsite={}", self.origin()),
        };
        let gear = match load.kind {
            LoadKind::Force => format!("{} 0 0 0", three(gear)),
            LoadKind::Torque => format!("0 0 0 {}", three(gear)),
        };
        format!("site={site}{against} gear=\"{gear}\"")
    }

    /// The site on the ground whose axes are those of space.
    fn origin(&mut self) -> String {
        if self.space.is_empty() {
            self.space = self.site("space", &Point { body: None, at: [0.0; 3] });
        }
        self.space.clone()
    }

    /// A load whose components follow the turn of its body, or place and velocity of its point,
    /// along their own axes.
    fn law_of_load(&mut self, number: usize, load: &Load) {
        let mechanism = self.mechanism;
        let is_here = |spot: Spot| match spot {
            Spot::Named(k) => mechanism.points[k].point == load.at(),
            Spot::Origin(body) => body == load.body && load.point == [0.0; 3],
            Spot::Load(k) => k == number,
        };
        let law = |k: usize, function: &Expression| {
            let own = |input: MotionInput| {
                let MotionInput::Sensor(sensor) = input else { return None };
                match (mechanism.sensors[sensor], load.kind, load.axes) {
                    (Sensor::AngularVelocity { body, axis }, LoadKind::Torque, Axes::Body) => {
                        (body == load.body && axis == k).then_some([0, 1, 0])
                    }
                    (Sensor::Position { spot, axis }, LoadKind::Force, Axes::Space) => {
                        (is_here(spot) && axis == k).then_some([1, 0, 0])
                    }
                    (Sensor::Velocity { spot, axis }, LoadKind::Force, Axes::Space) => {
                        (is_here(spot) && axis == k).then_some([0, 1, 0])
                    }
                    _ => None,
                }
            };
            self.linear(function, &own)
        };
        let functions = load.function.iter().flatten().enumerate();
        let laws: Option<Vec<LinearLaw>> = functions.map(|(k, function)| law(k, function)).collect();
        let Some(laws) = laws.filter(|laws| laws.len() == 3) else {
            let text = "it depends on time, or on more of the motion than MuJoCo measures where it acts";
            self.refuse("load", &load.name, text);
            return;
        };
        self.along_axes(load, &laws);
    }

    /// A load by an actuator for each axis.
    fn along_axes(&mut self, load: &Load, laws: &[LinearLaw]) {
        for (k, law) in laws.iter().enumerate() {
            if (law.command, law.bias, law.lag) == (0.0, [0.0; 3], None) {
                continue;
            }
            let acts_on = self.acts_on(load, Vector3::ith(k, 1.0));
            self.actuator(&format!("{}_{}", load.name, ["x", "y", "z"][k]), &acts_on, law);
        }
    }

    /// Resistance that grows with the velocity: loads along the axes of space and of the body.
    fn drag(&mut self, force: &Force) {
        let Attached::Body(body) = force.attached else { return };
        if self.rests("drag", &force.name, body) {
            return;
        }
        if ["quadratic", "angular_quadratic"].iter().any(|key| force.number(key) != 0.0) {
            let text =
                "MJCF has no resistance by the square of a velocity (`quadratic`, `angular_quadratic`)";
            return self.refuse("drag", &force.name, text);
        }
        let kinds =
            [(LoadKind::Force, Axes::Space, "linear"), (LoadKind::Torque, Axes::Body, "angular_linear")];
        for (kind, axes, key) in kinds {
            let point = self.mechanism.bodies[body].centre_of_mass;
            let name = force.name.clone();
            let load = Load { name, body, kind, axes, point, pieces: Vec::new(), function: None };
            let law = LinearLaw { bias: [0.0, 0.0, -force.number(key)], ..LinearLaw::default() };
            self.along_axes(&load, &[law; 3]);
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
