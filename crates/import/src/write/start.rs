//! Starts that couplings and welds ask for.

use nalgebra::{Isometry3, Point3};

use super::{CLOSED, Writing};
use crate::fault::{Feature, Findings, NotePlace};
use crate::source::{JointMotion, LoopKind, SourceModel, SourcePosture};

/// A weld that the start misses by more (m, or rad) is another pose than the one that it asks for.
const WELDED: f64 = 1e-3;

/// Lets what follows start where its leader does.
pub(super) fn follow(model: &mut SourceModel) {
    // Followers may lead others: as many passes as there are of them reach all.
    for _ in 0..model.couplings.len() {
        for coupling in model.couplings.clone() {
            let lead = coupling.leader.map(|leader| model.joint_at(leader));
            let x = lead.map_or(0.0, |leader| leader.start_value() - leader.reference);
            let follower = model.joint_at(coupling.follower);
            let powers = coupling.coefficients.iter().rev();
            let value = follower.reference
                + match lead {
                    Some(_) => powers.fold(0.0, |sum, c| sum * x + c),
                    None => coupling.coefficients.first().copied().unwrap_or(0.0),
                };
            let (body, joint) = coupling.follower;
            model.bodies[body].joints[joint].start = Some(vec![value]);
        }
    }
}

/// Puts free bodies where a weld wants them, and refuses what a weld holds in another pose than the
/// start's.
pub(super) fn close_welds(model: &mut SourceModel, found: &mut Findings) {
    for weld in model.loops.clone() {
        let LoopKind::Weld(wanted) = weld.kind else { continue };
        let places = model.places(SourcePosture::Start);
        let place = |body: Option<usize>| body.map_or_else(Isometry3::identity, |body| places[body]);
        let [one, two] = weld.bodies.map(place);
        let off = (one * wanted).inverse() * two;
        if off.translation.vector.norm() <= WELDED && off.rotation.angle() <= WELDED {
            continue;
        }
        let free = |body: Option<usize>| {
            let body = body?;
            let joints = &model.bodies[body].joints;
            (joints.len() == 1 && joints[0].motion == JointMotion::Free).then_some(body)
        };
        let (body, to) = match (free(weld.bodies[1]), free(weld.bodies[0])) {
            (Some(body), _) => (body, one * wanted),
            (None, Some(body)) => (body, two * wanted.inverse()),
            (None, None) => {
                let message = format!(
                    "the weld `{}` holds a pose that is {:.1e} m and {:.1e} rad from the start",
                    weld.name,
                    off.translation.vector.norm(),
                    off.rotation.angle()
                );
                found.lacks(Feature::Equality, &weld.at, NotePlace::End, message);
                continue;
            }
        };
        let (r, q) = (to.translation.vector, to.rotation);
        model.bodies[body].joints[0].start = Some(vec![r.x, r.y, r.z, q.w, q.i, q.j, q.k]);
    }
}

impl Writing<'_> {
    /// Whether what closes a loop is apart at the start.
    pub(super) fn loops_open(&self) -> bool {
        let places = self.model.places(SourcePosture::Start);
        let place = |body: Option<usize>| body.map_or_else(Isometry3::identity, |body| places[body]);
        self.model.loops.iter().any(|closing| {
            let LoopKind::Connect(points) = closing.kind else { return false };
            let [one, two] = [0, 1].map(|side| place(closing.bodies[side]) * Point3::from(points[side]));
            (one - two).norm() > CLOSED
        })
    }
}
