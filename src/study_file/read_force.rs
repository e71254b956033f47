//! Reads what drives, touches and loads a mechanism besides its joints: generators, contacts, locks, and forces by their cards.

use super::document::{Node, Table};
use super::keys::{CONTACT, CURVE_CONTACT, KNIFE_EDGE, ROLLING, Section};
use super::read_flexible::place_acted_on;
use super::read_function::{Asked, Variable, function};
use super::read_joint::{across_axes, frame_about, joint_coordinate, least_frames, turns_known};
use super::read_mechanism::{
    Seen, acted_on, direction, ends_of_spring, fresh_name, three, two_directions, two_points,
};
use crate::base::nearest;
use crate::base::units::Dimension;
use crate::describe::expression::Expression;
use crate::describe::force::{Absent, Attached, Contradiction, Force, ForceCard, Joins, NumberKey};
use crate::describe::mechanism::{Contact, ContactKind, Generator, Lock, Point, Prescribed};
use crate::describe::numbers::Range;

/// The tables of all kinds of contact.
pub const CONTACT_SECTIONS: [(&str, &Section); 3] =
    [("rolling", &ROLLING), ("knife_edge", &KNIFE_EDGE), ("curve", &CURVE_CONTACT)];
/// A component of a point's motion that no generator prescribes.
pub const FREE: &str = "free";

pub(super) fn generator(table: &Table<'_>, seen: &mut Seen<'_>) -> Option<Generator> {
    let name = fresh_name(table, &mut seen.taken);
    let motion = match table.exactly_one(&["joint", "body"])? {
        "joint" => coordinate_motion(table, seen),
        _ => point_motion(table, seen),
    };
    Some(Generator { name: name?, motion: motion? })
}

/// Reports those of `keys` that are given, which belong to the other kind of generator.
fn refuse_keys(table: &Table<'_>, keys: &[&str], advice: &str) -> Option<()> {
    let mut sound = Some(());
    for node in keys.iter().filter(|key| table.has(key)).filter_map(|key| table.get(key)) {
        node.report("is not for this kind of generator", |problem| problem.advise(advice));
        sound = None;
    }
    sound
}

fn coordinate_motion(table: &Table<'_>, seen: &Seen<'_>) -> Option<Prescribed> {
    let sound = refuse_keys(
        table,
        &["point", "position", "velocity"],
        "a joint's coordinate is prescribed by `value`; a point goes with `body`",
    );
    let of = joint_coordinate(table, seen.joints);
    let Some(node) = table.get("value") else {
        table.report("`value` is missing", |problem| {
            problem.advise("give the coordinate as a function of time, e.g. value = \"0.5*sin(2*t)\"")
        });
        return None;
    };
    let of = of?;
    let asked = Asked {
        variable: Variable::Time,
        dimension: of.dimension(),
        constants: seen.constants,
        derivatives: Some("a generator of a coordinate needs two derivatives"),
    };
    let value = function(&node, asked)?;
    sound.map(|()| Prescribed::Coordinate { of, value })
}

fn point_motion(table: &Table<'_>, seen: &Seen<'_>) -> Option<Prescribed> {
    let sound = refuse_keys(
        table,
        &["coordinate", "value"],
        "a body's point is prescribed by `position` or `velocity`; a coordinate goes with `joint`",
    );
    let body = acted_on(table, seen.bodies, "a generator");
    let on = body.and_then(|b| seen.bodies?.get(b));
    let at = place_acted_on(table, on);
    let which = table.exactly_one(&["position", "velocity"])?;
    let is_position = which == "position";
    let asked = Asked {
        variable: Variable::Time,
        dimension: if is_position { Dimension::Length } else { Dimension::Speed },
        constants: seen.constants,
        derivatives: Some(if is_position {
            "a generator of a position needs two derivatives"
        } else {
            "a generator of a velocity needs one derivative"
        }),
    };
    let node = table.get(which)?;
    let value = three(&node, |node| component(node, asked))?;
    if value.iter().all(Option::is_none) {
        node.report("all components are free", |problem| problem.advise("prescribe at least one"));
        return None;
    }
    let point = Point { body: Some(body?), at: at? };
    sound.map(|()| match is_position {
        true => Prescribed::Position { point, value },
        false => Prescribed::Velocity { point, value },
    })
}

/// A function, or [`FREE`].
fn component(node: &Node<'_>, asked: Asked<'_>) -> Option<Option<Expression>> {
    if node.is_text() {
        let text = node.text()?;
        if text == FREE {
            return Some(None);
        }
        let is_constant = asked.constants?.iter().any(|constant| constant.name == text);
        if !is_constant && nearest(text, [FREE]).is_some() {
            node.report(format!("{} is not known", node.source()), |problem| {
                problem.allow(text, [FREE]).advise("or give a function of time")
            });
            return None;
        }
    }
    function(node, asked).map(Some)
}

pub(super) fn contact(node: &Node<'_>, seen: &mut Seen<'_>) -> Option<Contact> {
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
            let asked = Asked {
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

/// The value of a key, which has a default, and is not negative.
pub(super) fn not_negative(table: &Table<'_>, key: &str, dimension: Dimension) -> Option<f64> {
    table.get(key)?.not_negative(dimension)
}

/// A force of any kind, as its card says.
pub(super) fn force(table: &Table<'_>, card: &'static ForceCard, seen: &mut Seen<'_>) -> Option<Force> {
    let name = fresh_name(table, &mut seen.taken);
    let attached = attached(table, card, seen);
    // Of numbers at a coordinate that is not known nothing can be said.
    if card.joins == Joins::Coordinate && attached.is_none() {
        return None;
    }
    let coordinate = match &attached {
        Some(Attached::Coordinate(of)) => Some(of.coordinate),
        _ => None,
    };
    let numbers: Vec<Option<Vec<f64>>> =
        card.numbers.iter().map(|key| numbers(table, key, key.measure.at(coordinate))).collect();
    let functions: Vec<Option<Expression>> = card
        .functions
        .iter()
        .map(|key| seen.function(&table.get(key.name)?, key.measure.at(coordinate)))
        .collect();
    let force = Force {
        card,
        name: name?,
        attached: attached?,
        numbers: numbers.into_iter().collect::<Option<Vec<_>>>()?.concat(),
        functions: functions.into_iter().collect::<Option<_>>()?,
    };
    if let Some(Contradiction { found, advice }) = (card.contradiction)(&force) {
        table.report(&found, |problem| problem.advise(advice));
        return None;
    }
    Some(force)
}

fn attached(table: &Table<'_>, card: &ForceCard, seen: &Seen<'_>) -> Option<Attached> {
    match card.joins {
        Joins::Points => ends_of_spring(table, seen.bodies).map(Attached::Points),
        Joins::Frames => {
            let points = two_points(table, seen.bodies);
            if let (Some(bodies), Some(points)) = (seen.bodies, &points) {
                turns_known(table, bodies, points, "or use a spring")?;
            }
            let axes = table.get("axes").and_then(|node| two_directions(&node));
            let references = match table.get("references") {
                Some(node) => {
                    two_directions(&node).and_then(|given| across_axes(&node, given, axes?)).map(Some)
                }
                None => Some(None),
            };
            Some(Attached::Frames { points: points?, frames: least_frames(axes?, references?) })
        }
        Joins::Coordinate => joint_coordinate(table, seen.joints).map(Attached::Coordinate),
        Joins::Body => acted_on(table, seen.bodies, card.noun).map(Attached::Body),
    }
}

/// The number of a key, or its three.
fn numbers(table: &Table<'_>, key: &NumberKey, dimension: Dimension) -> Option<Vec<f64>> {
    let node = match (table.get(key.name), key.absent) {
        (Some(node), _) => node,
        (None, Absent::Infinite(value)) => return Some(vec![value; key.count]),
        (None, Absent::Refused | Absent::Zero) => return None,
    };
    if key.count == 1 {
        let value = match key.range {
            Range::NotNegative => node.not_negative(dimension),
            Range::Positive => node.positive(dimension),
            Range::Any | Range::Within(..) => node.quantity(dimension),
        };
        return Some(vec![value?]);
    }
    let values = node.vector_or_repeated(dimension, key.count)?;
    if !values.iter().all(|value| key.range.holds(*value)) {
        let wanted = match key.range {
            Range::NotNegative => "that is not negative",
            Range::Positive | Range::Any | Range::Within(..) => "that is positive",
        };
        node.refuse(&format!("a {} {wanted} in any direction", dimension.name()), &dimension.advice());
        return None;
    }
    Some(values)
}

pub(super) fn lock(table: &Table<'_>, seen: &mut Seen<'_>) -> Option<Lock> {
    let name = fresh_name(table, &mut seen.taken);
    let of = joint_coordinate(table, seen.joints)?;
    let at = table.get("at").and_then(|node| node.quantity(of.dimension()));
    let release = match table.get("release") {
        None => Some(f64::INFINITY),
        Some(node) if node.is_infinite() => Some(f64::INFINITY),
        Some(node) => node.positive(of.load()),
    };
    Some(Lock { name: name?, of, at: at?, release: release? })
}
