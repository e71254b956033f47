//! Equalities: joints that close loops, coordinates that are held, and couplings.

use std::fmt::Write as _;

use nalgebra::Vector3;
use polhode_description::describe::Point;

use super::text::{escaped, three, turn};
use super::{HOLDS, MjcfWriting};
use crate::toml::number;

/// Inertia that keeps the rate of a coordinate (kg m² or kg): 1 N m changes it by 1e-12 rad/s in a
/// second.
const FLYWHEEL: f64 = 1e12;

/// Distance of the two points by which a hinge closes a loop (m).
const HINGE_POINTS: f64 = 0.1;

impl MjcfWriting<'_> {
    /// Loops and couplings.
    pub(super) fn equalities(&mut self) {
        for k in self.loops.clone() {
            let joint = &self.mechanism.joints[k];
            let [mut a, mut b] = joint.points;
            if a.body.is_none() {
                std::mem::swap(&mut a, &mut b);
            }
            if joint.kind.name == "fixed" {
                let off = self.state(a.body).place.inverse() * self.state(b.body).place;
                let mut weld = format!("<weld name=\"{}\"", escaped(&self.fresh("equality", &joint.name)));
                for (key, side) in [("body1", a), ("body2", b)] {
                    // Without the second one it is the ground.
                    if let Some(body) = side.body {
                        let _ = write!(weld, " {key}=\"{}\"", escaped(&self.bodies[body].name));
                    }
                }
                let (at, turned) = (three(off.translation.vector), turn(&off.rotation));
                self.equalities.push(format!("{weld} relpose=\"{at} {turned}\"/>"));
                continue;
            }
            self.connect(&joint.name, &joint.name, [a, b]);
            if joint.kind.name == "revolute" {
                let place = |side: usize| {
                    let axis = Vector3::from(joint.frames[side][2]) * HINGE_POINTS;
                    let point = joint.points[side];
                    Point { at: (Vector3::from(point.at) + axis).into(), ..point }
                };
                let points =
                    if joint.points[0].body.is_none() { [place(1), place(0)] } else { [place(0), place(1)] };
                self.connect(&joint.name, &format!("{}_axis", joint.name), points);
            }
        }
        for generator in &self.mechanism.generators {
            if let Some((at, value)) = self.fixed_coordinate(generator) {
                // Two slides have no angle that can be held.
                let joint = self.joint_at(at).map(|joint| (joint.name.clone(), value - joint.reference));
                if let Some((joint, off)) = joint {
                    let name = escaped(&self.fresh("equality", &generator.name));
                    let joint = escaped(&joint);
                    let off = number(off);
                    self.equalities.push(format!(
                        "<joint name=\"{name}\" joint1=\"{joint}\" polycoef=\"{off} 0 0 0 0\"/>"
                    ));
                } else if self.mechanism.joints[at.joint].kind.name != "planar" {
                    let text = "it holds a coordinate of a joint that closes a loop";
                    self.refuse("generator", &generator.name, text);
                }
                continue;
            }
            if let Some((at, rate)) = self.steady(generator) {
                let Some(joint) = self.joint_at(at) else {
                    let text = "it drives a coordinate of a joint that closes a loop";
                    self.refuse("generator", &generator.name, text);
                    continue;
                };
                joint.armature = FLYWHEEL;
                self.notes.push(format!(
                    "[[generator]] `{}`: an armature of {FLYWHEEL:e} keeps the rate of {rate} (rad/s or m/s) \
                     that the keyframe `start` gives",
                    generator.name
                ));
                continue;
            }
            let Some((follower, leader, function)) = generator.coupled() else { continue };
            let (name, table) = (&generator.name, "coupling");
            let terms = self
                .polynomial(function, Some([1, 0, 0]), &|_| None)
                .filter(|terms| terms.keys().all(|[power, ..]| *power <= 4));
            let Some(terms) = terms else {
                self.refuse(table, name, "its `value` is no polynomial of at most the fourth power");
                continue;
            };
            let ends = [follower, leader]
                .map(|at| self.joint_at(at).map(|joint| (joint.name.clone(), joint.reference)));
            let [Some((joint1, y0)), Some((joint2, x0))] = ends else {
                self.refuse(table, name, "it couples a coordinate of a joint that closes a loop");
                continue;
            };
            // y - y0 = sum of c (x - x0)^k
            let mut shifted = [0.0; 5];
            for (key, c) in &terms {
                let power = usize::from(key[0]);
                let mut binomial = 1.0;
                for (k, sum) in shifted.iter_mut().enumerate().take(power + 1) {
                    *sum += c * binomial * x0.powi((power - k) as i32);
                    binomial *= (power - k) as f64 / (k + 1) as f64;
                }
            }
            shifted[0] -= y0;
            let size = shifted.iter().fold(1.0f64, |most, c| most.max(c.abs()));
            let all = shifted.map(|c| number(if c.abs() < 1e-15 * size { 0.0 } else { c })).join(" ");
            let name = escaped(&self.fresh("equality", name));
            let [joint1, joint2] = [joint1, joint2].map(|joint| escaped(&joint));
            self.equalities.push(format!(
                "<joint name=\"{name}\" joint1=\"{joint1}\" joint2=\"{joint2}\" polycoef=\"{all}\"/>"
            ));
        }
    }

    /// Two points that stay together, by sites: they need not be so in the reference position.
    fn connect(&mut self, joint: &str, name: &str, points: [Point; 2]) {
        let apart = (self.place_of(&points[0]) - self.place_of(&points[1])).norm();
        if apart > HOLDS {
            self.refuse("joint", joint, format!("its points are {apart:.1e} m apart at the start"));
        }
        let [a, b] = [0, 1].map(|side| self.site(&format!("{name}_{}", ["a", "b"][side]), &points[side]));
        let name = escaped(&self.fresh("equality", name));
        self.equalities.push(format!("<connect name=\"{name}\" site1={a} site2={b}/>"));
    }

    pub(super) fn points(&mut self) {
        for named in &self.mechanism.points {
            self.site(&named.name, &named.point);
        }
    }
}
