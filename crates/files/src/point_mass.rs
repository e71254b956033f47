//! Point masses: bodies that are one mass in their origin. Nothing turns them, so that they need no
//! inertia.
//!
//! A force through the mass centre has no moment about it, and a row of a joint that holds the mass
//! centre alone has none either. Where all that is attached to a body is of this sort, its motion
//! is that of its mass, `m a = F + G^T lambda`, whatever its inertia; what would turn it is refused
//! here.

use nalgebra::{Matrix3, Vector3};

use super::document::{Node, Table};
use super::read_joint::kinds;
use polhode_description::describe::contact::ContactRequirement;
use polhode_description::describe::force::Attached;
use polhode_description::describe::generator::Driven;
use polhode_description::describe::joint::{Alignment, AxisKey};
use polhode_description::describe::{
    Body, InertiaAbout, Initial, JointCard, LoadKind, Mechanism, Point, Support,
};
use polhode_description::math::inertia::rows;

/// A body of this mass (kg) in its origin.
pub(super) fn point_mass(
    table: &Table<'_>,
    name: String,
    mass: f64,
    support: Support,
    initial: Initial,
) -> Option<Body> {
    let given = initial.given;
    let turned = [("attitude", given.attitude), ("angular_velocity", given.angular_velocity)];
    if let Some((key, _)) = turned.into_iter().find(|(_, is_given)| *is_given) {
        table.get("initial")?.report(format!("a point mass does not turn, and has no {key}"), |problem| {
            problem.advise(format!("leave `{key}` out, or give the body an extent"))
        });
        return None;
    }
    Some(Body {
        name,
        mass,
        inertia: rows(&Matrix3::identity()),
        inertia_axes: [1.0, 0.0, 0.0, 0.0],
        inertia_about: InertiaAbout::MassCentre,
        centre_of_mass: Vector3::zeros().into(),
        support,
        initial,
        is_point: true,
        flexible: None,
    })
}

/// Refuses what would turn a point mass. `bodies`: what the first of the mechanism's bodies were
/// read from.
pub(super) fn check_point_masses(bodies: Option<&Node<'_>>, mechanism: &Mechanism) -> Option<()> {
    let mut sound = Some(());
    for (b, body) in mechanism.bodies.iter().enumerate().filter(|(_, body)| body.is_point) {
        let Some(Turning { what, advice }) = turning(mechanism, b) else { continue };
        let found = format!("`{}` is a point mass, which does not turn, and {what}", body.name);
        let report = |node: &Node<'_>| {
            node.report(&*found, |problem| problem.advise(format!("{advice}, or give the body an extent")));
        };
        let node = bodies?;
        if node.is_list() {
            report(node.list()?.get(b)?)
        } else {
            report(node)
        }
        sound = None;
    }
    sound
}

/// Whether a joint of this kind depends on how the body on this side stands by its point alone:
/// there is no condition on the axes, and the first body has the axis if there is one.
fn holds_a_point(kind: &JointCard, side: usize) -> bool {
    kind.alignment == Alignment::Any
        && (side == 1 || matches!(kind.axis, AxisKey::Refused | AxisKey::OfTurns))
}

/// Something that would turn a body, with what may stand there instead.
struct Turning {
    what: String,
    advice: String,
}

/// The first thing attached to body `b` that does not act on its origin alone.
fn turning(mechanism: &Mechanism, b: usize) -> Option<Turning> {
    let is_off = |point: &Point| point.body == Some(b) && point.at != [0.0; 3];
    let off = |what: &str, name: &str| Turning {
        what: format!("the {what} `{name}` is not in its origin"),
        advice: "attach it there".to_string(),
    };
    let turns = |what: &str, name: &str, advice: &str| Turning {
        what: format!("the {what} `{name}` would turn it"),
        advice: advice.to_string(),
    };
    for joint in &mechanism.joints {
        let name = &joint.name;
        if joint.points.iter().any(is_off) {
            return Some(off("joint", name));
        }
        let side = joint.points.iter().position(|point| point.body == Some(b));
        if side.is_some_and(|side| !holds_a_point(joint.kind, side)) {
            let on_both = kinds("or", |card| holds_a_point(card, 0));
            let on_second = kinds("or", |card| holds_a_point(card, 1) && !holds_a_point(card, 0));
            let advice = format!(
                "hold it by a joint of kind {on_both}, or as the second body of one of kind {on_second}"
            );
            return Some(turns("joint", name, &advice));
        }
    }
    for force in &mechanism.forces {
        if force.points().iter().any(is_off) {
            return Some(off("force", &force.name));
        }
        let is_here = |point: &Point| point.body == Some(b);
        if matches!(&force.attached, Attached::Frames { points, .. } if points.iter().any(is_here)) {
            return Some(turns("force", &force.name, "use springs"));
        }
        if force.card.spins && force.attached == Attached::Body(b) {
            return Some(turns(force.card.noun, &force.name, "spin it in another body"));
        }
    }
    for element in &mechanism.beam_elements {
        if element.points.iter().any(|point| point.body == Some(b)) {
            return Some(turns("beam element", &element.name, "put a body with an extent at its end"));
        }
    }
    for contact in mechanism.contacts.iter().filter(|contact| contact.point.body == Some(b)) {
        if is_off(&contact.point) {
            return Some(off("contact", &contact.name));
        }
        if contact.kind.requirement != ContactRequirement::Nothing {
            return Some(turns("contact", &contact.name, "use a contact of another kind"));
        }
    }
    for generator in &mechanism.generators {
        if matches!(&generator.driven, Driven::Point(point) if is_off(point)) {
            return Some(off("generator", &generator.name));
        }
    }
    for load in mechanism.loads.iter().filter(|load| load.body == b) {
        if load.kind == LoadKind::Torque {
            return Some(turns("load", &load.name, "take the torque away"));
        }
        if is_off(&load.at()) {
            return Some(off("load", &load.name));
        }
    }
    mechanism.points.iter().find(|named| is_off(&named.point)).map(|named| off("point", &named.name))
}
