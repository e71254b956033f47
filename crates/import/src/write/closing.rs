//! Joints that close loops, and couplings.

use nalgebra::{Isometry3, Point3, Vector3};

use super::Writing;
use crate::assembly::PlannedCoordinate;
use crate::fault::{Feature, NotePlace};
use crate::source::LoopKind;
use crate::toml::{Page, both, number, text};

impl Writing<'_> {
    pub(super) fn loops(&mut self) -> String {
        let mut page = Page::default();
        for closing in &self.model.loops {
            let name = self.names.of_source(&closing.name, "loop");
            let [one, two] = closing.bodies.map(|body| self.assembly.on(body, &Isometry3::identity()));
            if one.0 == two.0 {
                let message =
                    format!("the equality `{name}` holds parts together that do not move to each other");
                self.found.fault(&closing.at, message);
                continue;
            }
            // The ground comes first, and places nothing.
            let (kind, mut sides) = match closing.kind {
                LoopKind::Connect(points) => ("spherical", [(one, points[0]), (two, points[1])]),
                LoopKind::Weld(pose) => ("fixed", [(one, pose.translation.vector), (two, Vector3::zeros())]),
            };
            if sides[1].0.0.is_none() {
                sides.swap(0, 1);
            }
            let points = sides.map(|((_, place), at)| (place * Point3::from(at)).coords);
            let [a, b] = sides.map(|((body, _), _)| self.assembly.name_of(body).to_string());
            page.table("[[joint]]");
            page.key("name", text(&name));
            page.key("kind", text(kind));
            page.key("bodies", format!("[{}, {}]", text(&a), text(&b)));
            page.key("points", both(points));
        }
        page.done()
    }

    pub(super) fn couplings(&mut self) -> String {
        let mut page = Page::default();
        for coupling in &self.model.couplings {
            let name = match self.model.format {
                // That of a `mimic` is made of its joint's.
                "URDF" => self.names.fresh(&coupling.name, "coupling"),
                _ => self.names.of_source(&coupling.name, "coupling"),
            };
            let ends =
                |at: (usize, usize)| (self.model.joint_at(at), self.assembly.coordinates[at.0][at.1].clone());
            let (follower, to) = ends(coupling.follower);
            let leader = coupling.leader.map(ends);
            let is_refused = |planned: &PlannedCoordinate| matches!(planned, PlannedCoordinate::Refused);
            if is_refused(&to) || leader.as_ref().is_some_and(|(_, from)| is_refused(from)) {
                continue;
            }
            let (PlannedCoordinate::InJoint { joint, coordinate, sign, shift }, from) = (to, &leader) else {
                let message =
                    format!("the coupling `{name}` moves a coordinate that its joint does not have");
                self.found.lacks(Feature::Equality, &coupling.at, NotePlace::End, message);
                continue;
            };
            let c = |k: usize| coupling.coefficients.get(k).copied().unwrap_or(0.0);
            let Some((lead, from)) = from else {
                page.table("[[generator]]");
                page.key("name", text(&name));
                page.key("joint", text(&joint));
                page.key("coordinate", text(coordinate));
                page.key("value", number(sign * (follower.reference + c(0) - shift)));
                continue;
            };
            let PlannedCoordinate::InJoint { joint: leads, coordinate: by, sign: turned, shift: moved } =
                from
            else {
                let message =
                    format!("the coupling `{name}` follows a coordinate that its joint does not have");
                self.found.lacks(Feature::Equality, &coupling.at, NotePlace::End, message);
                continue;
            };
            page.table("[[coupling]]");
            page.key("name", text(&name));
            page.key("joint", text(&joint));
            page.key("coordinate", text(coordinate));
            page.key("follows", text(leads));
            page.key("follows_coordinate", text(by));
            // s - s0 = c0 + c1 (x - x0) + .., with s = shift + sign S and x = moved + turned X
            if (2..5).all(|k| c(k) == 0.0) {
                page.key("ratio", number(sign * c(1) * turned));
                let offset = sign * (follower.reference + c(0) + c(1) * (moved - lead.reference) - shift);
                if offset != 0.0 {
                    page.key("offset", number(offset));
                }
            } else {
                let x = match turned * moved - turned * lead.reference {
                    0.0 => format!("({}*x)", number(*turned)),
                    off => format!("({}*(x + {}))", number(*turned), number(off)),
                };
                let constant = follower.reference + c(0) - shift;
                let terms = (1..5).filter(|k| c(*k) != 0.0).map(|k| format!(" + {}*{x}^{k}", number(c(k))));
                let sum: String = terms.collect();
                page.key("value", text(&format!("{}*({}{sum})", number(sign), number(constant))));
            }
        }
        page.done()
    }
}
