//! `<replicate>`: its content several times, each in a frame that is moved on from the one before.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use crate::MOST_ELEMENTS;
use crate::fault::{Findings, NotePlace};
use crate::pose::{euler, pose};
use crate::xml::{Attribute, Layered, XmlElement};

use super::known;

/// The file with the copies that all `<replicate>` in it make, and with those of the elements that
/// refer to what is copied.
pub(super) fn unrolled(root: &XmlElement, found: &mut Findings) -> XmlElement {
    let mut copying = Copying { turns: &turns(root), copied: BTreeMap::new(), found };
    let mut whole = copying.unroll(root);
    for section in whole.children.iter_mut().filter(|section| REFERRING.contains(&&*section.name)) {
        let children = std::mem::take(&mut section.children);
        children.into_iter().for_each(|child| copying.refer(child, &mut section.children));
    }
    whole
}

/// Sections whose elements are copied with what they refer to.
const REFERRING: [&str; 5] = ["actuator", "sensor", "equality", "tendon", "contact"];

struct Copying<'a> {
    turns: &'a dyn Fn([f64; 3]) -> UnitQuaternion<f64>,
    /// Suffixes of the copies, by element and name.
    copied: BTreeMap<[String; 2], Vec<String>>,
    found: &'a mut Findings,
}

impl Copying<'_> {
    fn unroll(&mut self, element: &XmlElement) -> XmlElement {
        let mut children = Vec::new();
        for child in &element.children {
            let child = self.unroll(child);
            match child.name.as_str() {
                "replicate" => self.copies(&child, &mut children),
                _ => children.push(child),
            }
        }
        XmlElement { children, ..element.clone() }
    }

    fn copies(&mut self, element: &XmlElement, into: &mut Vec<XmlElement>) {
        known::check(element, "replicate", NotePlace::Head, self.found);
        let own = Layered::alone(element);
        let count = own.number("count", self.found).unwrap_or(0.0);
        let offset: Vector3<f64> = own.few::<3>("offset", self.found).unwrap_or_default().into();
        let angles: [f64; 3] = own.few("euler", self.found).unwrap_or_default();
        if count < 1.0 || count.fract() != 0.0 {
            return self
                .found
                .fault(&element.at, "`count` of <replicate> should be a whole number, 1 or greater");
        }
        if count * crate::elements(element) as f64 > MOST_ELEMENTS as f64 {
            return self
                .found
                .fault(&element.at, format!("<replicate> makes more than {MOST_ELEMENTS} elements"));
        }
        let digits = format!("{count}").len();
        let mut at = Isometry3::identity();
        for number in 0..count as usize {
            let suffix = format!("{}{number:0digits$}", element.value("sep").unwrap_or_default());
            into.push(self.copy(element, &at, &suffix));
            // Offsets are along the axes of the copy before; angles add up, each for itself.
            let moved = (at * nalgebra::Point3::from(offset)).coords;
            at = pose(moved, (self.turns)(angles.map(|angle| (number + 1) as f64 * angle)));
        }
    }

    /// The content of a `<replicate>` within a frame, all names with a suffix.
    fn copy(&mut self, element: &XmlElement, at: &Isometry3<f64>, suffix: &str) -> XmlElement {
        let key = |name: &str, numbers: &[f64]| Attribute {
            name: name.to_string(),
            value: numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
            at: element.at.clone(),
        };
        let (x, q) = (at.translation.vector, at.rotation);
        let mut frame = XmlElement {
            name: "frame".to_string(),
            attributes: vec![key("pos", x.as_slice()), key("quat", &[q.w, q.i, q.j, q.k])],
            ..element.clone()
        };
        frame.children.iter_mut().for_each(|child| self.rename(child, suffix));
        frame
    }

    fn rename(&mut self, element: &mut XmlElement, suffix: &str) {
        for name in element.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
            let kind = element.name.trim_start_matches("free");
            let copied = [kind.to_string(), name.value.clone()];
            self.copied.entry(copied).or_default().push(suffix.to_string());
            name.value.push_str(suffix);
        }
        element.children.iter_mut().for_each(|child| self.rename(child, suffix));
    }

    /// The element, or its copies where it refers to something that is copied.
    fn refer(&mut self, element: XmlElement, into: &mut Vec<XmlElement>) {
        let Some(suffixes) = self.copied_in(&element) else { return into.push(element) };
        if into.len() + suffixes.len() > MOST_ELEMENTS {
            return self.found.fault(&element.at, "it refers to more copies than polhode takes");
        }
        for suffix in suffixes {
            let mut copy = element.clone();
            self.point_to(&mut copy, &suffix);
            let name = copy.attributes.iter_mut().find(|attribute| attribute.name == "name");
            name.into_iter().for_each(|name| name.value.push_str(&suffix));
            // Copies may have been copied again.
            self.refer(copy, into);
        }
    }

    /// The suffixes of what an attribute refers to.
    fn copies_of(&self, attribute: &Attribute) -> Option<&Vec<String>> {
        let kinds = ["joint", "site", "body", "geom"];
        let kind = kinds.into_iter().find(|kind| attribute.name.contains(kind));
        let mut kinds =
            kinds.into_iter().filter(|other| kind.map_or(attribute.name == "objname", |kind| kind == *other));
        kinds.find_map(|kind| self.copied.get(&[kind.to_string(), attribute.value.clone()]))
    }

    fn copied_in(&self, element: &XmlElement) -> Option<Vec<String>> {
        let own = element.attributes.iter().find_map(|attribute| self.copies_of(attribute));
        own.cloned().or_else(|| element.children.iter().find_map(|child| self.copied_in(child)))
    }

    fn point_to(&self, element: &mut XmlElement, suffix: &str) {
        for attribute in &mut element.attributes {
            if self.copies_of(attribute).is_some_and(|all| all.iter().any(|other| other == suffix)) {
                attribute.value.push_str(suffix);
            }
        }
        element.children.iter_mut().for_each(|child| self.point_to(child, suffix));
    }
}

/// The rotation that three angles of the file make.
fn turns(root: &XmlElement) -> impl Fn([f64; 3]) -> UnitQuaternion<f64> + use<> {
    let setting = |name: &str| root.all("compiler").filter_map(|section| section.value(name)).last();
    let degrees = setting("angle") != Some("radian");
    let sequence = setting("eulerseq").filter(|sequence| sequence.len() == 3).unwrap_or("xyz").to_string();
    move |angles| euler(&sequence, angles.map(|angle| if degrees { angle.to_radians() } else { angle }))
}
