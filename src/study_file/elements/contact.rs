//! Contacts: bodies that roll or slide on the ground.

use super::super::document::Node;
use super::super::keys::Presence::{Default, Optional, Required};
use super::super::keys::{CURVE, Form, NAME, OF_BODY, PLACE, POINT, Section, key};
use super::super::read_flexible::place_acted_on;
use super::super::read_function::{FunctionRequirements, Variable, function};
use super::super::read_joint::{frame_about, turns_known};
use super::super::read_mechanism::{PartialMechanism, acted_on, direction, fresh_name};
use super::super::write::{Writer, numbers, text, write_point};
use crate::base::units::Dimension;
use crate::base::units::Dimension::Length;
use crate::describe::mechanism::{Contact, ContactKind, Mechanism, Point};

/// The tables of all kinds of contact.
pub const CONTACT_SECTIONS: [(&str, &Section); 3] =
    [("rolling", &ROLLING), ("knife_edge", &KNIFE_EDGE), ("curve", &CURVE_CONTACT)];

pub static ROLLING: Section = Section {
    doc: "A sphere rolls on a plane of the ground without slipping.",
    keys: &[
        NAME,
        key("kind", Form::Choice(&["rolling"]), Required, "rolling"),
        OF_BODY,
        key(
            "point",
            PLACE,
            Optional,
            "The sphere's centre, from the body's origin in body axes. Absent: the origin.",
        ),
        key("radius", Form::Quantity(Length), Required, "The sphere's radius, positive."),
        key("plane", Form::Vector(Length), Default("[0, 0, 0]"), "A point of the plane, in space axes."),
        key(
            "normal",
            Form::Vector(Dimension::Number),
            Default("[0, 0, 1]"),
            "The plane's normal, towards the sphere, in space axes, of any length but 0.",
        ),
    ],
};

pub static KNIFE_EDGE: Section = Section {
    doc: "A point of a body does not move along a direction fixed in the body: a skate, a wheel.",
    keys: &[
        NAME,
        key("kind", Form::Choice(&["knife_edge"]), Required, "knife_edge"),
        OF_BODY,
        POINT,
        key(
            "direction",
            Form::Vector(Dimension::Number),
            Required,
            "The direction in which it does not move, in body axes, of any length but 0.",
        ),
    ],
};

pub static CURVE_CONTACT: Section = Section {
    doc: "A point of a body stays on the curve y = y(x) of space; z is free.",
    keys: &[
        NAME,
        key("kind", Form::Choice(&["curve"]), Required, "curve"),
        OF_BODY,
        POINT,
        key(
            "y",
            Form::Either(&[&Form::Number, &Form::Text, &Form::Table(&CURVE)]),
            Required,
            "The height y (m) as a function of x (m).",
        ),
    ],
};

/// What any contact has, for one whose kind is not known.
pub static CONTACT: Section = Section {
    doc: "A body that touches the ground.",
    keys: &[
        NAME,
        key("kind", Form::Choice(&["rolling", "knife_edge", "curve"]), Required, "Kind of contact."),
        OF_BODY,
        POINT,
        key("radius", Form::Quantity(Length), Optional, "Of a rolling sphere."),
        key("plane", Form::Vector(Length), Optional, "Of a rolling sphere."),
        key("normal", Form::Vector(Dimension::Number), Optional, "Of a rolling sphere."),
        key("direction", Form::Vector(Dimension::Number), Optional, "Of a knife edge."),
        key("y", Form::Text, Optional, "Of a curve."),
    ],
};

pub fn read(node: &Node<'_>, seen: &mut PartialMechanism<'_>) -> Option<Contact> {
    let known = CONTACT_SECTIONS.iter().find(|(kind, _)| node.peek("kind") == Some(kind));
    let table = node.table(known.map_or(&CONTACT, |(_, section)| section))?;
    let name = fresh_name(&table, &mut seen.taken);
    let kind =
        table.get("kind").and_then(|node| node.choice(&CONTACT_SECTIONS.map(|(kind, _)| (kind, kind))));
    let body = acted_on(&table, seen.bodies, "a contact");
    let on = body.and_then(|b| seen.bodies?.get(b));
    if let Some(on) = on.filter(|on| kind == Some("rolling") && on.flexible.is_some()) {
        let found = format!("the body `{}` is flexible", on.name);
        table.report(&found, |problem| {
            problem.advise("what rolls is rigid: give the sphere a body of its own, held by a joint")
        });
        return None;
    }
    let at = place_acted_on(&table, on);
    let kind = match kind? {
        "rolling" => {
            let radius = table.get("radius").and_then(|node| node.positive(Dimension::Length));
            let plane = table.get("plane").and_then(|node| node.vector3(Dimension::Length));
            let normal = table.get("normal").and_then(|node| direction(&node));
            ContactKind::Rolling { radius: radius?, plane: plane?, frame: frame_about(normal?) }
        }
        "knife_edge" => {
            let direction = table.get("direction").and_then(|node| direction(&node));
            let point = Point { body, at: at? };
            turns_known(&table, seen.bodies?, &[point], "a skate turns with its point")?;
            ContactKind::KnifeEdge { direction: direction? }
        }
        _ => {
            let asked = FunctionRequirements {
                variable: Variable::Place,
                dimension: Dimension::Length,
                constants: seen.constants,
                derivatives: Some("a curve needs slope and curvature"),
            };
            ContactKind::Curve { y: function(&table.get("y")?, asked)? }
        }
    };
    Some(Contact { name: name?, point: Point { body: Some(body?), at: at? }, kind })
}

pub fn write(out: &mut Writer, contact: &Contact, mechanism: &Mechanism) {
    out.heading("[[mechanism.contact]]");
    out.key("name", text(&contact.name));
    write_point(out, &contact.point, mechanism);
    match &contact.kind {
        ContactKind::Rolling { radius, plane, frame } => {
            out.key("kind", text("rolling"));
            out.key("radius", *radius);
            out.key("plane", numbers(plane));
            out.key("normal", numbers(&frame[2]));
        }
        ContactKind::KnifeEdge { direction } => {
            out.key("kind", text("knife_edge"));
            out.key("direction", numbers(direction));
        }
        ContactKind::Curve { y } => {
            out.key("kind", text("curve"));
            out.key("y", super::super::write::function(y, Variable::Place, mechanism));
        }
    }
}
