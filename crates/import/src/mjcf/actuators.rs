//! Actuators: motors, servos of position and velocity, and general ones that are linear.

use nalgebra::{Isometry3, Vector3};

use super::MjcfReading;
use super::known::{self, ACTUATORS};
use crate::fault::{Feature, Findings, NotePlace};
use crate::source::{ActsOn, JointMotion, SourceActuator, SourceSite};
use crate::xml::{Layered, XmlElement};

/// The law of an actuator, as MuJoCo's compiler keeps it.
#[derive(Clone, Default)]
struct Law {
    gain_is: String,
    gain: Vec<f64>,
    bias_is: String,
    bias: Vec<f64>,
    dynamics: String,
    lag: f64,
    damping_ratio: f64,
    inherits: f64,
}

fn at(list: &[f64], k: usize) -> f64 {
    list.get(k).copied().unwrap_or(0.0)
}

impl Law {
    /// Takes over what one element says; layers come in their order.
    fn apply(&mut self, element: &XmlElement, found: &mut Findings) {
        let own = Layered::alone(element);
        let number = |name: &str, found: &mut Findings| own.number(name, found);
        match element.name.as_str() {
            "motor" => *self = Law { gain_is: "fixed".into(), gain: vec![1.0], ..Law::default() },
            "position" | "intvelocity" => {
                let kp = number("kp", found).unwrap_or(at(&self.gain, 0));
                let kv = number("kv", found).map_or(at(&self.bias, 2), |kv| -kv);
                self.gain_is = "fixed".into();
                self.bias_is = "affine".into();
                self.gain = vec![kp];
                self.bias = vec![0.0, -kp, kv];
                if let Some(ratio) = number("dampratio", found) {
                    self.damping_ratio = ratio;
                }
                if let Some(lag) = number("timeconst", found) {
                    self.lag = lag;
                    self.dynamics = if lag == 0.0 { "none" } else { "filterexact" }.into();
                }
                if element.name == "intvelocity" {
                    self.dynamics = "integrator".into();
                }
                if let Some(inherits) = number("inheritrange", found) {
                    self.inherits = inherits;
                }
            }
            "velocity" => {
                let kv = number("kv", found).unwrap_or(at(&self.gain, 0));
                *self = Law {
                    gain_is: "fixed".into(),
                    gain: vec![kv],
                    bias_is: "affine".into(),
                    bias: vec![0.0, 0.0, -kv],
                    ..Law::default()
                };
            }
            "damper" => {
                let kv = number("kv", found).unwrap_or(-at(&self.gain, 2));
                *self = Law { gain_is: "affine".into(), gain: vec![0.0, 0.0, -kv], ..Law::default() };
            }
            "cylinder" => {
                let of_diameter = number("diameter", found).map(|d| std::f64::consts::PI / 4.0 * d * d);
                let area = of_diameter.or(number("area", found)).unwrap_or(at(&self.gain, 0));
                let lag = number("timeconst", found).unwrap_or(if self.lag > 0.0 { self.lag } else { 1.0 });
                let bias = own.few::<3>("bias", found).map_or(std::mem::take(&mut self.bias), Vec::from);
                *self = Law {
                    gain_is: "fixed".into(),
                    gain: vec![area],
                    bias_is: "affine".into(),
                    bias,
                    dynamics: "filter".into(),
                    lag,
                    ..Law::default()
                };
            }
            "general" => {
                for (name, into) in [
                    ("gaintype", &mut self.gain_is),
                    ("biastype", &mut self.bias_is),
                    ("dyntype", &mut self.dynamics),
                ] {
                    if let Some(word) = element.value(name) {
                        *into = word.to_string();
                    }
                }
                for (name, into) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
                    if let Some(read) = own.numbers(name, found) {
                        // Numbers that are not given keep what they were.
                        into.resize(into.len().max(read.len()), 0.0);
                        into[..read.len()].copy_from_slice(&read);
                    }
                }
                if let Some(read) = own.numbers("dynprm", found) {
                    self.lag = at(&read, 0);
                }
            }
            other => self.dynamics = other.to_string(),
        }
    }

    /// Why polhode has no such law.
    fn strange(&self, shown: &str) -> Option<String> {
        let known = |word: &str, allowed: &[&str]| word.is_empty() || allowed.contains(&word);
        let extra = |list: &[f64], from: usize| list.iter().skip(from).any(|number| *number != 0.0);
        if !known(&self.dynamics, &["none", "integrator", "filter", "filterexact"]) {
            return Some(format!("{shown} has dynamics of type `{}`", self.dynamics));
        }
        if !known(&self.gain_is, &["fixed", "affine"]) {
            return Some(format!("{shown} has a gain of type `{}`", self.gain_is));
        }
        if !known(&self.bias_is, &["none", "affine"]) {
            return Some(format!("{shown} has a bias of type `{}`", self.bias_is));
        }
        let gains = if self.gain_is == "affine" { 3 } else { 1 };
        if extra(&self.gain, gains) || extra(&self.bias, 3) {
            return Some(format!("{shown} has more numbers of gain or bias than polhode has a law for"));
        }
        if self.damping_ratio != 0.0 {
            return Some(format!(
                "{shown} has its damping by `dampratio`, which follows from MuJoCo's mass matrix: write kv"
            ));
        }
        None
    }
}

impl<'a> MjcfReading<'a> {
    pub(super) fn actuators(&mut self, root: &'a XmlElement) {
        for element in root.all("actuator").flat_map(|section| &section.children) {
            if !ACTUATORS.contains(&element.name.as_str()) {
                let message = format!("an actuator <{}> is not known", element.name);
                self.found.lacks(Feature::Actuator, &element.at, NotePlace::End, message);
                continue;
            }
            let read = self.actuator(element);
            self.commands.push(read.is_some().then_some(self.model.actuators.len()));
            self.model.actuators.extend(read);
        }
    }

    fn actuator(&mut self, element: &'a XmlElement) -> Option<SourceActuator> {
        let layered = self.defaults.layered(element, &ACTUATORS, None, &mut self.found);
        known::check(element, "general", NotePlace::End, &mut self.found);
        let name = element.value("name").unwrap_or_default().to_string();
        let shown =
            if name.is_empty() { "an actuator".to_string() } else { format!("the actuator `{name}`") };
        let lacks = |reading: &mut MjcfReading<'a>, feature: Feature, message: String| {
            reading.found.lacks(feature, &element.at, NotePlace::End, message);
            None
        };
        if let Some(tendon) = layered.value("tendon") {
            return lacks(self, Feature::Tendon, format!("{shown} pulls the tendon `{tendon}`"));
        }
        if self.is_off.actuation {
            self.found.counts("actuators that <flag> switches off");
            return None;
        }
        let mut law = Law { gain: vec![1.0], ..Law::default() };
        layered.layers.iter().for_each(|layer| law.apply(layer, &mut self.found));
        if let Some(strange) = law.strange(&shown) {
            return lacks(self, Feature::Actuator, strange);
        }
        for (key, why) in [("cranksite", "is a slider-crank"), ("body", "is an adhesion")] {
            if layered.attribute(key).is_some() {
                return lacks(self, Feature::Actuator, format!("{shown} {why}"));
            }
        }
        for (key, why) in [
            ("delay", "has a delay"),
            ("armature", "has an armature of its own"),
            ("damping", "has a damping of its own"),
        ] {
            if layered
                .numbers(key, &mut self.found)
                .is_some_and(|all| all.iter().any(|number| *number != 0.0))
            {
                return lacks(self, Feature::Actuator, format!("{shown} {why}"));
            }
        }
        let gears = layered.numbers("gear", &mut self.found).unwrap_or_else(|| vec![1.0]);
        let acts_on = self.acts_on(&layered, element, (&shown, &gears))?;
        let mut command_range = self.limits(&layered, ["ctrlrange", "ctrllimited"]);
        if let (true, ActsOn::Joint(b, j)) = (law.inherits > 0.0, &acts_on) {
            let limit = self.model.joint_at((*b, *j)).limit;
            command_range = limit.map(|limit| {
                let [low, high] = limit.range;
                let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0 * law.inherits);
                [middle - half, middle + half]
            });
        }
        let lag = match law.dynamics.as_str() {
            "integrator" => Some(0.0),
            "filter" | "filterexact" => Some(law.lag),
            _ => None,
        };
        if law.dynamics.starts_with("filter") && law.lag <= 0.0 {
            return lacks(self, Feature::Actuator, format!("{shown} filters without a time constant"));
        }
        let has_bias = law.bias_is == "affine";
        Some(SourceActuator {
            name,
            at: element.at.clone(),
            gear: if matches!(acts_on, ActsOn::Joint(..)) { at(&gears, 0) } else { 1.0 },
            acts_on,
            gain: [0, 1, 2].map(|k| at(&law.gain, k)),
            bias: [0, 1, 2].map(|k| if has_bias { at(&law.bias, k) } else { 0.0 }),
            lag,
            activation_range: self.limits(&layered, ["actrange", "actlimited"]).filter(|_| lag.is_some()),
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
