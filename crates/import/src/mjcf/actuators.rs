//! Actuators: motors, servos of position and velocity, and general ones that are linear.

use nalgebra::{Isometry3, Vector3};

use super::known::{self, ACTUATORS};
use super::law::Law;
use super::{Driven, MjcfReading};
use crate::fault::{Feature, NotePlace};
use crate::source::{ActsOn, JointMotion, SourceActuator, SourceSite};
use crate::xml::{Layered, XmlElement};

fn at(list: &[f64], k: usize) -> f64 {
    list.get(k).copied().unwrap_or(0.0)
}

impl<'a> MjcfReading<'a> {
    pub(super) fn actuators(&mut self, root: &'a XmlElement) {
        for element in root.all("actuator").flat_map(|section| &section.children) {
            if !ACTUATORS.contains(&element.name.as_str()) {
                let message = format!("an actuator <{}> is not known", element.name);
                self.found.lacks(Feature::Actuator, &element.at, NotePlace::End, message);
                self.driven.push(Driven { kept: None, sizes: [None; 2] });
                continue;
            }
            let classes = self.defaults.classes(element, &ACTUATORS, None, &mut self.found);
            let law = Law::resolved(element, &classes, &self.defaults.root(&ACTUATORS), &mut self.found);
            let read = self.actuator(element, &law);
            let kept = read.is_some().then_some(self.model.actuators.len());
            self.driven.push(Driven { kept, sizes: law.sizes() });
            self.model.actuators.extend(read);
        }
    }

    fn actuator(&mut self, element: &'a XmlElement, law: &Law) -> Option<SourceActuator> {
        let layered = self.defaults.layered(element, &ACTUATORS, None, &mut self.found);
        let name = element.value("name").unwrap_or_default().to_string();
        let shown =
            if name.is_empty() { "an actuator".to_string() } else { format!("the actuator `{name}`") };
        let lacks = |reading: &mut MjcfReading<'a>, feature: Feature, message: String| {
            reading.found.lacks(feature, &element.at, NotePlace::End, message);
            None
        };
        let is_set = |reading: &mut MjcfReading<'a>, key: &str| {
            let numbers = layered.numbers(key, &mut reading.found);
            numbers.is_some_and(|all| all.iter().any(|number| *number != 0.0))
        };
        // These stay where an actuator is switched off.
        for key in ["armature", "damping"] {
            if is_set(self, key) {
                let why = if key == "armature" { "an armature" } else { "a damping" };
                return lacks(self, Feature::Actuator, format!("{shown} has {why} of its own"));
            }
        }
        let group = layered.number("group", &mut self.found).unwrap_or(0.0);
        if self.is_off.actuation || self.is_off.groups.contains(&group) {
            self.found.counts("actuators that <flag> or `actuatorgroupdisable` switches off");
            return None;
        }
        if let Some(tendon) = layered.value("tendon") {
            return lacks(self, Feature::Tendon, format!("{shown} pulls the tendon `{tendon}`"));
        }
        if let Some(strange) = law.strange(&shown) {
            return lacks(self, Feature::Actuator, strange);
        }
        known::check(element, "general", NotePlace::End, &mut self.found);
        for (key, why) in [("cranksite", "is a slider-crank"), ("body", "is an adhesion")] {
            if layered.attribute(key).is_some() {
                return lacks(self, Feature::Actuator, format!("{shown} {why}"));
            }
        }
        if is_set(self, "delay") {
            return lacks(self, Feature::Actuator, format!("{shown} has a delay"));
        }
        let gears = layered.numbers("gear", &mut self.found).unwrap_or_else(|| vec![1.0]);
        let acts_on = self.acts_on(&layered, element, (&shown, &gears))?;
        let lag = law.lag();
        let mut ranges = law.ranges;
        if let (Some(share), ActsOn::Joint(b, j)) = (law.inherited_range(), &acts_on) {
            let [low, high] = self.model.joint_at((*b, *j)).range;
            let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0 * share);
            ranges[usize::from(lag == Some(0.0))] = [middle - half, middle + half];
        }
        let limited = layered.flag("ctrllimited", &mut self.found);
        let command_range = self.in_force(("ctrlrange", &element.at), ranges[0], limited);
        let limited = law.activation_limited;
        let activation_range = self.in_force(("actrange", &element.at), ranges[1], limited);
        Some(SourceActuator {
            name,
            at: element.at.clone(),
            gear: if matches!(acts_on, ActsOn::Joint(..)) { at(&gears, 0) } else { 1.0 },
            acts_on,
            gain: law.gains(),
            bias: law.biases(),
            lag,
            activation_range: activation_range.filter(|_| lag.is_some()),
            command_range: command_range.filter(|_| !self.is_off.clamping),
            force_range: self.limits(&layered, ["forcerange", "forcelimited"]),
            command: 0.0,
            activation: 0.0,
        })
    }

    /// The joint or site on which it acts; a fault is found where there is none.
    fn acts_on(
        &mut self,
        layered: &Layered<'a>,
        element: &'a XmlElement,
        (shown, gears): (&str, &[f64]),
    ) -> Option<ActsOn> {
        let lacks = |reading: &mut MjcfReading<'a>, message: String| {
            reading.found.lacks(Feature::Actuator, &element.at, NotePlace::End, message);
            None
        };
        if let Some(joint) = layered.value("joint").or(layered.value("jointinparent")) {
            let Some(at) = self.model.joint(joint).filter(|_| !joint.is_empty()) else {
                let names: Vec<&str> = self.joint_names();
                let meant = polhode_description::base::meant(joint, names);
                self.found.fault(&element.at, format!("{shown}: there is no joint `{joint}`{meant}"));
                return None;
            };
            if !matches!(self.model.joint_at(at).motion, JointMotion::Hinge | JointMotion::Slide) {
                let message = format!("{shown} turns the joint `{joint}`, which is neither hinge nor slide");
                return lacks(self, message);
            }
            return Some(ActsOn::Joint(at.0, at.1));
        }
        let Some(site) = layered.value("site") else {
            self.found.fault(&element.at, format!("{shown} names no joint and no site on which it acts"));
            return None;
        };
        let found = self.acted_site(site, shown, element)?;
        let Some(body) = found.body else {
            return lacks(self, format!("{shown} pushes the ground"));
        };
        let against = match layered.value("refsite") {
            None => None,
            Some(name) => {
                let reference = self.acted_site(name, shown, element)?;
                if reference.body.is_some_and(|body| self.model.carrier(body).0.is_some()) {
                    let message = format!("{shown} works against a site that moves (`refsite`)");
                    return lacks(self, message);
                }
                let place = reference.body.map_or_else(Isometry3::identity, |on| self.model.carrier(on).1);
                Some(place * reference.frame)
            }
        };
        let gear = |k: usize| Vector3::new(at(gears, k), at(gears, k + 1), at(gears, k + 2));
        Some(ActsOn::Site { body, frame: found.frame, against, force: gear(0), torque: gear(3) })
    }

    /// The site of this name; a fault is found where there is none.
    fn acted_site(&mut self, name: &str, shown: &str, element: &'a XmlElement) -> Option<SourceSite> {
        let found = self.model.sites.iter().find(|known| known.name == name && !name.is_empty()).cloned();
        if found.is_none() {
            self.found.fault(&element.at, format!("{shown}: there is no site `{name}`"));
        }
        found
    }

    fn joint_names(&self) -> Vec<&str> {
        let joints = self.model.bodies.iter().flat_map(|body| &body.joints);
        joints.map(|joint| joint.name.as_str()).collect()
    }
}
