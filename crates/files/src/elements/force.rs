//! Forces of every kind, as their cards say.

use std::sync::LazyLock;

use super::super::document::{Node, Table};
use super::super::keys::Presence::{Default, Optional, Required};
use super::super::keys::{
    BODIES, COORDINATE, FRAME_AXES, FRAME_REFERENCES, FUNCTION_FORM, FileKey, Form, NAME, OF_BODY, OF_JOINT,
    POINTS, Section, key, leaked,
};
use super::super::partial_mechanism::PartialMechanism;
use super::super::read_forms::{fresh_name, two_directions};
use super::super::read_joint::{across_axes, joint_coordinate, least_frames, turns_known};
use super::super::read_points::{acted_on, ends_of_spring, two_points};
use super::super::write_parts::{of_time, write_coordinate, write_points};
use super::super::writer::{Writer, numbers as list, text, vectors};
use polhode_description::base::units::Dimension;
use polhode_description::describe::Range;
use polhode_description::describe::expression::Expression;
use polhode_description::describe::force::{
    Absent, Attached, Contradiction, Force, ForceCard, Joins, NumberKey,
};
use polhode_description::describe::{Coordinate, Mechanism};
use polhode_dynamics::elements::cards;

/// The table of a kind of force.
///
/// # Panics
/// It is not in the registry.
pub fn section(card: &ForceCard) -> &'static Section {
    let found = FORCES.iter().find(|(of, _)| *of == card);
    found.map_or_else(|| panic!("there is no force of the kind {}", card.table), |(_, section)| section)
}

/// The tables of all kinds.
pub fn sections() -> impl Iterator<Item = (&'static ForceCard, &'static Section)> {
    FORCES.iter().map(|(card, section)| (*card, section))
}

/// The tables of all forces, from their cards.
static FORCES: LazyLock<Vec<(&'static ForceCard, Section)>> = LazyLock::new(|| {
    let of_card = |card: &&'static ForceCard| {
        let keys = attachment(card.joins)
            .iter()
            .copied()
            .chain(card.numbers.iter().map(number_key))
            .chain(card.functions.iter().map(|f| key(f.name, FUNCTION_FORM, Default("0"), f.doc)));
        (*card, Section { doc: card.doc, keys: keys.collect::<Vec<FileKey>>().leak() })
    };
    cards().iter().map(of_card).collect()
});

/// The keys of a force's name and of where it is attached.
pub fn attachment(joins: Joins) -> &'static [FileKey] {
    match joins {
        Joins::Points => &[NAME, BODIES, POINTS],
        Joins::Frames => &[NAME, BODIES, POINTS, FRAME_AXES, FRAME_REFERENCES],
        Joins::Coordinate => &[NAME, OF_JOINT, COORDINATE],
        Joins::Body => &[NAME, OF_BODY],
    }
}

/// The key of a number, or of three: one for all directions, or one for each.
pub(super) fn number_key(number: &NumberKey) -> FileKey {
    let presence = match number.absent {
        Absent::Refused => Required,
        Absent::Zero => Default("0"),
        Absent::Infinite(_) => Optional,
    };
    let along = |coordinate| number.measure.at(Some(coordinate));
    let (turning, sliding) = (along(Coordinate::Angle), along(Coordinate::Displacement));
    let either = |forms: [Form; 2]| Form::Either(forms.map(leaked).to_vec().leak());
    let form = match (number.count, turning == sliding) {
        (1, true) => Form::Quantity(sliding),
        (1, false) => either([Form::Quantity(turning), Form::Quantity(sliding)]),
        _ => either([Form::Quantity(sliding), Form::Vector(sliding)]),
    };
    key(number.name, form, presence, number.doc)
}

/// A force of any kind, as its card says.
pub fn read(
    table: &Table<'_>,
    card: &'static ForceCard,
    partial: &mut PartialMechanism<'_>,
) -> Option<Force> {
    let name = fresh_name(table, &mut partial.taken);
    let attached = attached(table, card, partial);
    // The numbers have dimensions by their coordinate: without it they cannot be checked.
    if card.joins == Joins::Coordinate && attached.is_none() {
        return None;
    }
    let coordinate = match &attached {
        Some(Attached::Coordinate(of)) => Some(of.coordinate),
        _ => None,
    };
    let numbers = all_numbers(table, card, coordinate);
    let functions: Vec<Option<Expression>> = card
        .functions
        .iter()
        .map(|key| partial.function(&table.get(key.name)?, key.measure.at(coordinate)))
        .collect();
    let force = Force {
        card,
        name: name?,
        attached: attached?,
        numbers: numbers?,
        functions: functions.into_iter().collect::<Option<_>>()?,
    };
    is_sound(table, &force).then_some(force)
}

/// Takes the places and numbers of a force as they are with other constants.
pub fn follow(table: &Table<'_>, force: &mut Force, partial: &PartialMechanism<'_>) -> Option<()> {
    force.attached = attached(table, force.card, partial)?;
    force.numbers = all_numbers(table, force.card, force.coordinate().map(|of| of.coordinate))?;
    is_sound(table, force).then_some(())
}

/// Reports what contradicts itself.
fn is_sound(table: &Table<'_>, force: &Force) -> bool {
    let contradiction = (force.card.contradiction)(force);
    let is_sound = contradiction.is_none();
    if let Some(Contradiction { found, advice }) = contradiction {
        table.report(&found, |problem| problem.advise(advice));
    }
    is_sound
}

/// The numbers of all keys of a force at this coordinate.
fn all_numbers(table: &Table<'_>, card: &ForceCard, coordinate: Option<Coordinate>) -> Option<Vec<f64>> {
    let number_of = |key: &NumberKey| numbers(table, key, key.measure.at(coordinate));
    let numbers: Vec<Option<Vec<f64>>> = card.numbers.iter().map(number_of).collect();
    Some(numbers.into_iter().collect::<Option<Vec<_>>>()?.concat())
}

fn attached(table: &Table<'_>, card: &ForceCard, partial: &PartialMechanism<'_>) -> Option<Attached> {
    match card.joins {
        Joins::Points => ends_of_spring(table, partial.bodies).map(Attached::Points),
        Joins::Frames => {
            let points = two_points(table, partial.bodies);
            if let (Some(bodies), Some(points)) = (partial.bodies, &points) {
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
        Joins::Coordinate => joint_coordinate(table, partial.joints).map(Attached::Coordinate),
        Joins::Body => {
            let body = acted_on(table, partial.bodies, card.noun)?;
            let described = &partial.bodies?[body];
            if card.spins && described.flexible.is_some() {
                let found =
                    format!("a {} spins in a rigid body, and `{}` deforms", card.noun, described.name);
                table.report(&found, |problem| {
                    problem.advise("name a rigid body; a joint of kind fixed holds one to a flexible one")
                });
                return None;
            }
            Some(Attached::Body(body))
        }
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
        return Some(vec![number(&node, key, dimension)?]);
    }
    let values = node.vector_or_repeated(dimension, key.count)?;
    if !values.iter().all(|value| key.range.holds(*value)) {
        let wanted = match key.range {
            Range::NotNegative => "of 0 or more",
            Range::Positive | Range::Any | Range::Within(..) | Range::Upto(_) => "above 0",
        };
        node.refuse(&format!("a {} {wanted} in any direction", dimension.name()), &dimension.advice());
        return None;
    }
    Some(values)
}

/// One number, in the range of its key.
pub(super) fn number(node: &Node<'_>, key: &NumberKey, dimension: Dimension) -> Option<f64> {
    match key.range {
        Range::NotNegative => node.not_negative(dimension),
        Range::Positive => node.positive(dimension),
        Range::Any | Range::Within(..) | Range::Upto(_) => node.quantity(dimension),
    }
}

/// As its card says. What is infinite is not written: absent it is that.
pub fn write(out: &mut Writer, force: &Force, mechanism: &Mechanism) {
    out.heading(&format!("[[mechanism.{}]]", force.card.table));
    out.key("name", text(&force.name));
    match &force.attached {
        Attached::Points(points) => write_points(out, points, mechanism),
        Attached::Frames { points, frames } => {
            write_points(out, points, mechanism);
            out.key("axes", vectors(frames, 2));
            out.key("references", vectors(frames, 0));
        }
        Attached::Coordinate(of) => write_coordinate(out, *of, mechanism),
        Attached::Body(body) => out.key("body", text(&mechanism.bodies[*body].name)),
    }
    for key in force.card.numbers {
        match force.values(key.name) {
            [value] if value.is_finite() => out.key(key.name, *value),
            [_] => {}
            values => out.key(key.name, list(values)),
        }
    }
    for (key, function) in force.card.functions.iter().zip(&force.functions) {
        out.key(key.name, of_time(function, mechanism));
    }
}
