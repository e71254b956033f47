//! The sections behind the tree: equalities, tendons, sensors, keyframes, and rules of contact.

use nalgebra::{Isometry3, Point3, Vector3};

use super::{ACTING_TENDON, MjcfReading, known};
use crate::fault::{Feature, NotePlace};
use crate::pose::pose;
use crate::source::{
    JointMotion, LoopKind, Sensed, SourceCoupling, SourceLoop, SourcePosture, SourceSite, SourceSpring,
    quaternion,
};
use crate::xml::{Layered, XmlElement, numbers};

impl<'a> MjcfReading<'a> {
    /// The body of this name; `world`, or none: the ground.
    fn body_named(&mut self, name: Option<&str>, asker: &XmlElement) -> Option<Option<usize>> {
        let Some(name) = name.filter(|name| *name != "world") else { return Some(None) };
        let at = self.model.bodies.iter().position(|body| body.name == name && !name.is_empty());
        if at.is_none() {
            let names = self.model.bodies.iter().map(|body| body.name.as_str());
            let meant = polhode_description::base::meant(name, names);
            self.found.fault(&asker.at, format!("there is no body `{name}`{meant}"));
        }
        at.map(Some)
    }

    fn joint_named(&mut self, name: &str, asker: &XmlElement) -> Option<(usize, usize)> {
        let at = self.model.joint(name).filter(|_| !name.is_empty());
        let Some(at) = at else {
            let joints = self.model.bodies.iter().flat_map(|body| &body.joints);
            let meant = polhode_description::base::meant(name, joints.map(|joint| joint.name.as_str()));
            self.found.fault(&asker.at, format!("there is no joint `{name}`{meant}"));
            return None;
        };
        if !matches!(self.model.joint_at(at).motion, JointMotion::Hinge | JointMotion::Slide) {
            self.found.fault(&asker.at, format!("the joint `{name}` is neither hinge nor slide"));
            return None;
        }
        Some(at)
    }

    fn site_named(&mut self, name: &str, asker: &XmlElement) -> Option<usize> {
        let at = self.model.sites.iter().position(|site| site.name == name && !name.is_empty());
        if at.is_none() {
            self.found.fault(&asker.at, format!("there is no site `{name}`"));
        }
        at
    }

    pub(super) fn equalities(&mut self, root: &'a XmlElement) {
        for element in root.all("equality").flat_map(|section| &section.children) {
            let layered = self.defaults.layered(element, &["equality"], None, &mut self.found);
            known::check(element, "equality", NotePlace::End, &mut self.found);
            if self.is_off.equality || layered.flag("active", &mut self.found) == Some(false) {
                self.found.counts("equalities that are switched off");
                continue;
            }
            let name = element.value("name").unwrap_or_default();
            let shown = format!("the equality `{}`", if name.is_empty() { &element.name } else { name });
            for soft in ["solref", "solimp"] {
                if let Some(attribute) = layered.attribute(soft) {
                    let message = format!(
                        "{shown} asks for a softness of its own (`{soft}`); polhode holds it exactly"
                    );
                    self.found.lacks(Feature::Softness, &attribute.at.clone(), NotePlace::End, message);
                }
            }
            match element.name.as_str() {
                "connect" | "weld" => self.extend_loops(&layered, name),
                "joint" => self.extend_couplings(&layered, name),
                other => {
                    let message = format!("{shown} is of kind <{other}>");
                    let feature = match other {
                        "tendon" => Feature::Tendon,
                        "flex" | "flexvert" | "flexstrain" => Feature::Flex,
                        _ => Feature::Equality,
                    };
                    self.found.lacks(feature, &element.at, NotePlace::End, message);
                }
            }
        }
    }

    fn extend_loops(&mut self, layered: &Layered<'a>, name: &str) {
        let element = layered.own();
        // A weld that does not mind how its bodies turn holds a point.
        let is_weld = element.name == "weld";
        let is_point = is_weld && layered.number("torquescale", &mut self.found) == Some(0.0);
        let places = self.model.places(SourcePosture::Reference);
        let place = |body: Option<usize>| body.map_or_else(Isometry3::identity, |body| places[body]);
        let (bodies, kind) = if let (Some(one), Some(two)) = (layered.value("site1"), layered.value("site2"))
        {
            let [Some(one), Some(two)] = [self.site_named(one, element), self.site_named(two, element)]
            else {
                return;
            };
            let [one, two] = [one, two].map(|site| &self.model.sites[site]);
            let kind = match is_weld && !is_point {
                true => LoopKind::Weld(one.frame * two.frame.inverse()),
                false => LoopKind::Connect([one.frame.translation.vector, two.frame.translation.vector]),
            };
            ([one.body, two.body], kind)
        } else {
            if layered.attribute("body1").is_none() {
                self.found.fault(&element.at, format!("<{}> names no `body1`", element.name));
                return;
            }
            let one = self.body_named(layered.value("body1"), element);
            let two = self.body_named(layered.value("body2"), element);
            let (Some(one), Some(two)) = (one, two) else { return };
            let between = place(one).inverse() * place(two);
            let kind = if is_weld {
                let given = layered
                    .few::<7>("relpose", &mut self.found)
                    .filter(|pose| pose[3..].iter().any(|q| *q != 0.0));
                let wanted = given.map_or(between, |[x, y, z, q0, q1, q2, q3]| {
                    pose(Vector3::new(x, y, z), quaternion([q0, q1, q2, q3]))
                });
                let anchor: Vector3<f64> = layered.few("anchor", &mut self.found).unwrap_or_default().into();
                match is_point {
                    true => LoopKind::Connect([(wanted * Point3::from(anchor)).coords, anchor]),
                    false => LoopKind::Weld(wanted),
                }
            } else {
                let Some(anchor) = layered.few::<3>("anchor", &mut self.found).map(Vector3::from) else {
                    self.found.fault(&element.at, "<connect> has no `anchor`");
                    return;
                };
                let other = between.inverse() * Point3::from(anchor);
                LoopKind::Connect([anchor, other.coords])
            };
            ([one, two], kind)
        };
        self.model.loops.push(SourceLoop { name: name.to_string(), at: element.at.clone(), bodies, kind });
    }

    fn extend_couplings(&mut self, layered: &Layered<'a>, name: &str) {
        let element = layered.own();
        let Some(follower) = layered.value("joint1") else {
            self.found.fault(&element.at, "<joint> of <equality> names no `joint1`");
            return;
        };
        let Some(follower) = self.joint_named(follower, element) else { return };
        let leader = match layered.value("joint2") {
            Some(leader) => match self.joint_named(leader, element) {
                Some(leader) => Some(leader),
                None => return,
            },
            None => None,
        };
        if leader == Some(follower) {
            self.found.fault(&element.at, "a joint follows itself");
            return;
        }
        let read = layered.numbers("polycoef", &mut self.found).unwrap_or_default();
        let coefficients: Vec<f64> =
            (0..5).map(|k| read.get(k).copied().unwrap_or(if k == 1 { 1.0 } else { 0.0 })).collect();
        self.model.couplings.push(SourceCoupling {
            name: name.to_string(),
            at: element.at.clone(),
            follower,
            leader,
            coefficients,
        });
    }

    /// Tendons that act by themselves; those of actuators are reported with the actuators.
    pub(super) fn tendons(&mut self, root: &'a XmlElement) {
        for element in root.all("tendon").flat_map(|section| &section.children) {
            let layered = self.defaults.layered(element, &["tendon"], None, &mut self.found);
            known::check(element, "tendon", NotePlace::End, &mut self.found);
            let acts = ACTING_TENDON.iter().any(|name| {
                layered
                    .numbers(name, &mut self.found)
                    .is_some_and(|all| all.iter().any(|number| *number != 0.0))
            });
            let is_limited = self.limits(&layered, ["range", "limited"]).is_some() && !self.is_off.limits;
            let name = element.value("name").unwrap_or("?");
            if !acts && !is_limited {
                self.found.counts("tendons that nothing acts by");
                continue;
            }
            let spring = match is_limited {
                true => Err(", and its length is limited"),
                false => self.spring(&layered),
            };
            match spring {
                Ok(spring) => self.model.springs.push(spring),
                Err(why) => {
                    let message = format!("the tendon `{name}` pulls by itself{why}");
                    self.found.lacks(Feature::Tendon, &element.at, NotePlace::End, message);
                }
            }
        }
    }

    /// The spring that a tendon between two sites is, or why it is none, behind a sentence.
    fn spring(&mut self, layered: &Layered<'a>) -> Result<SourceSpring, &'static str> {
        let element = layered.own();
        let no_line = match element.name.as_str() {
            "spatial" => ", and not along one line between two sites",
            _ => "",
        };
        let [one, two] = &element.children[..] else { return Err(no_line) };
        let site = |end: &XmlElement| {
            let wanted = end.value("site").filter(|_| end.name == "site")?;
            self.model.sites.iter().position(|site| site.name == wanted)
        };
        let [Some(one), Some(two)] = [site(one), site(two)] else { return Err(no_line) };
        let sites = [one, two];
        let mut numbers = |name: &str| layered.numbers(name, &mut self.found).unwrap_or_default();
        let [stiffness, damping, length] = ["stiffness", "damping", "springlength"].map(&mut numbers);
        let acts_otherwise =
            ["frictionloss", "armature"].iter().any(|name| numbers(name).iter().any(|number| *number != 0.0));
        let is_plain = |all: &[f64]| all.iter().skip(1).all(|number| *number == 0.0);
        // Two lengths leave the tendon alone between them.
        let single = length.len() < 2 || length[0] == length[1];
        if !single {
            return Err(", and is slack between two lengths (`springlength`), where a spring has one");
        }
        if acts_otherwise {
            return Err(", by its `frictionloss` or `armature`");
        }
        if !is_plain(&stiffness) || !is_plain(&damping) {
            return Err(", by a `stiffness` or `damping` that is not linear");
        }
        let rest = length.first().copied().filter(|length| *length >= 0.0).unwrap_or_else(|| {
            let places = self.model.places(SourcePosture::Rest);
            let [one, two] = sites.map(|site| {
                let SourceSite { body, frame, .. } = &self.model.sites[site];
                body.map_or_else(Isometry3::identity, |body| places[body])
                    * Point3::from(frame.translation.vector)
            });
            (one - two).norm()
        });
        let off = &self.is_off;
        let first = |all: &[f64], is_off: bool| all.first().copied().filter(|_| !is_off).unwrap_or(0.0);
        Ok(SourceSpring {
            name: element.value("name").unwrap_or_default().to_string(),
            at: element.at.clone(),
            sites,
            stiffness: first(&stiffness, off.springs),
            damping: first(&damping, off.dampers),
            rest,
        })
    }

    pub(super) fn sensors(&mut self, root: &'a XmlElement) {
        for element in root.all("sensor").flat_map(|section| &section.children) {
            match self.sensed(element) {
                Some(sensed) => self.model.sensed.push(sensed),
                None => self.found.counts(&format!("sensors <{}>", element.name)),
            }
        }
    }

    /// The channel that a sensor asks for, if polhode has one.
    fn sensed(&self, element: &XmlElement) -> Option<Sensed> {
        let model = &self.model;
        let joint = || {
            let (body, at) = model.joint(element.value("joint")?)?;
            (model.bodies[body].joints[at].width() == 1).then_some((body, at))
        };
        let site = |name: &str| model.sites.iter().position(|site| site.name == name);
        let frame_sensor = |on_site: fn(usize) -> Option<Sensed>, on_body: fn(usize) -> Sensed| {
            let name = element.value("objname").filter(|_| element.attribute("reftype").is_none())?;
            match element.value("objtype")? {
                "site" => on_site(site(name)?),
                "xbody" => model.bodies.iter().position(|body| body.name == name).map(on_body),
                _ => None,
            }
        };
        match element.name.as_str() {
            "jointpos" => joint().map(|(body, at)| Sensed::Coordinate(body, at)),
            "jointvel" => joint().map(|(body, at)| Sensed::CoordinateRate(body, at)),
            "framepos" => frame_sensor(|site| Some(Sensed::SitePosition(site)), Sensed::BodyPosition),
            "framelinvel" => frame_sensor(|site| Some(Sensed::SiteVelocity(site)), Sensed::BodyVelocity),
            "framequat" => frame_sensor(|_| None, Sensed::BodyAttitude),
            "gyro" => site(element.value("site")?).map(Sensed::Gyro),
            _ => None,
        }
    }

    /// The start of the keyframe of this name.
    pub(super) fn keyframe(&mut self, root: &'a XmlElement, key: Option<&str>) {
        let keys: Vec<&XmlElement> = root.all("keyframe").flat_map(|section| section.all("key")).collect();
        let names: Vec<&str> = keys.iter().filter_map(|key| key.value("name")).collect();
        let Some(wanted) = key else {
            if !keys.is_empty() {
                let which = if names.is_empty() { "0 and so on".to_string() } else { names.join(", ") };
                self.found
                    .lines
                    .push(format!("the start is the file's own; `--key` takes a keyframe: {which}"));
            }
            return;
        };
        let by_number = wanted.parse::<usize>().ok().and_then(|number| keys.get(number).copied());
        let Some(element) = keys.iter().copied().find(|key| key.value("name") == Some(wanted)).or(by_number)
        else {
            let meant = polhode_description::base::meant(wanted, names.iter().copied());
            self.found.fault(&root.at, format!("there is no keyframe `{wanted}`{meant}"));
            return;
        };
        let read = |reading: &mut MjcfReading<'a>, name: &str, count: usize| {
            let attribute = element.attribute(name)?;
            let all = numbers(attribute, &mut reading.found)?;
            if all.len() != count {
                let message = format!("`{name}` has {} numbers, and should have {count}", all.len());
                reading.found.fault(&attribute.at, message);
                return None;
            }
            Some(all)
        };
        let joints = || self.model.bodies.iter().flat_map(|body| &body.joints);
        let rates = |width: usize| match width {
            4 => 3,
            7 => 6,
            _ => 1,
        };
        let places = joints().map(|joint| joint.width()).sum();
        let freedoms = joints().map(|joint| rates(joint.width())).sum();
        let qpos = read(self, "qpos", places);
        let qvel = read(self, "qvel", freedoms);
        let ctrl = self.driven_numbers(element, "ctrl", 0);
        let act = self.driven_numbers(element, "act", 1);
        let mpos = read(self, "mpos", 3 * self.mocaps.len());
        let mquat = read(self, "mquat", 4 * self.mocaps.len());
        let hangs = |on: usize| self.model.bodies.iter().any(|body| body.parent == Some(on));
        if let Some(body) = self.aligned.iter().find(|body| qpos.is_some() && !hangs(**body)) {
            let message = format!(
                "the keyframe places the body `{}` by its principal axes (`align`): set `align` to \"false\" \
                 and `qpos` to the body's own frame",
                self.model.bodies[*body].name
            );
            self.found.fault(&element.at, message);
        }
        for (k, mocap) in self.mocaps.iter().enumerate() {
            let pose = &mut self.model.bodies[*mocap].pose;
            if let Some(all) = &mpos {
                pose.translation.vector = Vector3::from_column_slice(&all[3 * k..3 * k + 3]);
            }
            if let Some([w, x, y, z]) = mquat.as_deref().and_then(|all| all[4 * k..].first_chunk()) {
                pose.rotation = quaternion([*w, *x, *y, *z]);
            }
        }
        let (mut q, mut v) = (0, 0);
        for joint in self.model.bodies.iter_mut().flat_map(|body| &mut body.joints) {
            let (width, rates) = (joint.width(), rates(joint.width()));
            joint.start = qpos.as_ref().map(|all| all[q..q + width].to_vec());
            joint.start_rate = qvel.as_ref().map(|all| all[v..v + rates].to_vec());
            (q, v) = (q + width, v + rates);
        }
        for (actuator, value) in ctrl {
            self.model.actuators[actuator].command = value;
        }
        for (actuator, value) in act {
            self.model.actuators[actuator].activation = value;
        }
        self.model.started_by_key = true;
    }

    /// Numbers that a keyframe has for the actuators that are kept: commands by `part` 0, and
    /// activations by 1.
    fn driven_numbers(&mut self, key: &XmlElement, name: &str, part: usize) -> Vec<(usize, f64)> {
        let Some(attribute) = key.attribute(name) else { return Vec::new() };
        let Some(all) = numbers(attribute, &mut self.found) else { return Vec::new() };
        let known: usize = self.driven.iter().filter_map(|driven| driven.sizes[part]).sum();
        let unknown = self.driven.iter().filter(|driven| driven.sizes[part].is_none()).count();
        if unknown > 1 || known > all.len() || unknown == 0 && known != all.len() {
            let message = match unknown {
                0 => format!("`{name}` has {} numbers, and should have {known}", all.len()),
                _ => format!("`{name}` has numbers of actuators that polhode does not know"),
            };
            self.found.fault(&attribute.at, message);
            return Vec::new();
        }
        let mut read = Vec::new();
        let mut at = 0;
        for driven in &self.driven {
            // One that polhode does not know has the numbers that the others leave.
            let size = driven.sizes[part].unwrap_or(all.len() - known);
            read.extend(driven.kept.filter(|_| size > 0).map(|kept| (kept, all[at])));
            at += size;
        }
        read
    }

    pub(super) fn contact(&mut self, root: &'a XmlElement) {
        for element in root.all("contact").flat_map(|section| &section.children) {
            match element.name.as_str() {
                "exclude" => {
                    let one = self.body_named(element.value("body1"), element);
                    let two = self.body_named(element.value("body2"), element);
                    self.rules.excluded.extend(one.zip(two).map(|(one, two)| [one, two]));
                }
                _ => self.rules.pairs.push(element.at.clone()),
            }
        }
        self.rules.with_parents = self.is_off.filter_parents;
        if !self.is_off.contact {
            self.rules.report(&self.model, &mut self.found);
        }
    }
}
