//! Generators: motions prescribed in time.

use std::sync::LazyLock;

use super::super::document::{Node, Table};
use super::super::keys::Presence::Optional;
use super::super::keys::{
    COORDINATE, FUNCTION_FORM, FileKey, Form, NAME, POINT, Section, THREE_FUNCTIONS, key,
};
use super::super::partial_mechanism::PartialMechanism;
use super::super::read_forms::{fresh_name, three};
use super::super::read_function::{FunctionRequirements, Variable, function};
use super::super::read_joint::{joint_coordinate, listed};
use super::super::read_points::{acted_on, place_acted_on};
use super::super::write_parts::{of_time, write_coordinate, write_point};
use super::super::writer::{Writer, text};
use polhode_description::base::nearest;
use polhode_description::describe::expression::Expression;
use polhode_description::describe::generator::{Driven, Drives};
use polhode_description::describe::{Coordinate, Generator, GeneratorCard, Mechanism, Point};
use polhode_dynamics::elements::generator::CARDS;
use toml::Value;

/// A component of a point's motion that no generator prescribes.
const FREE: &str = "free";

/// The table of a generator, from the cards.
pub fn section() -> &'static Section {
    static GENERATOR: LazyLock<Section> = LazyLock::new(|| {
        let of_joint =
            format!("The joint whose coordinate is prescribed, with {}.", quoted(Drives::Coordinate));
        let of_body = format!("The body of which a point is moved, with {}.", quoted(Drives::Point));
        let one = |card: &'static GeneratorCard| key(card.key, FUNCTION_FORM, Optional, card.doc);
        let three = |card: &'static GeneratorCard| key(card.key, THREE_FUNCTIONS, Optional, card.doc);
        let keys = [NAME, key("joint", Form::Text, Optional, of_joint.leak()), COORDINATE]
            .into_iter()
            .chain(kinds(Drives::Coordinate).map(one))
            .chain([key("body", Form::Text, Optional, of_body.leak()), POINT])
            .chain(kinds(Drives::Point).map(three));
        Section {
            doc: "A prescribed motion: of a joint's coordinate, or of a point of a body. Exactly one of \
                  `joint` and `body` is given.",
            keys: keys.collect::<Vec<FileKey>>().leak(),
        }
    });
    &GENERATOR
}

/// The kinds that drive coordinates, or points.
fn kinds(drives: Drives) -> impl Iterator<Item = &'static GeneratorCard> {
    CARDS.iter().copied().filter(move |card| card.drives == drives)
}

/// The keys of their functions, in a sentence.
fn quoted(drives: Drives) -> String {
    listed(kinds(drives).map(|card| format!("`{}`", card.key)), "or")
}

/// The kind whose functions are given. A single kind is taken even where its function is missing.
fn given(table: &Table<'_>, drives: Drives) -> Option<&'static GeneratorCard> {
    let keys: Vec<&'static str> = kinds(drives).map(|card| card.key).collect();
    let given = match &keys[..] {
        [only] => only,
        _ => table.exactly_one(&keys)?,
    };
    kinds(drives).find(|card| card.key == given)
}

pub fn read(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<Generator> {
    let name = fresh_name(table, &mut partial.taken);
    let read = match table.exactly_one(&["joint", "body"])? {
        "joint" => coordinate_motion(table, partial),
        _ => point_motion(table, partial),
    };
    let (kind, driven, functions) = read?;
    Some(Generator { name: name?, kind, driven, follows: None, functions })
}

/// The kind of a generator, the coordinate or point that it drives, and its functions by component.
type Prescription = (&'static GeneratorCard, Driven, Vec<Option<Expression>>);

/// Reports those of `keys` that are given, which belong to the other kind of generator.
fn refuse_keys(table: &Table<'_>, keys: &[&str], advice: &str) -> Option<()> {
    let mut sound = Some(());
    for node in keys.iter().filter(|key| table.has(key)).filter_map(|key| table.get(key)) {
        node.report("is not for this kind of generator", |problem| problem.advise(advice));
        sound = None;
    }
    sound
}

fn coordinate_motion(table: &Table<'_>, partial: &PartialMechanism<'_>) -> Option<Prescription> {
    let of_points: Vec<&str> =
        std::iter::once("point").chain(kinds(Drives::Point).map(|card| card.key)).collect();
    let sound = refuse_keys(
        table,
        &of_points,
        &format!(
            "a joint's coordinate is prescribed by {}; a point goes with `body`",
            quoted(Drives::Coordinate)
        ),
    );
    let coordinate = joint_coordinate(table, partial.joints);
    let kind = given(table, Drives::Coordinate)?;
    let Some(node) = table.get(kind.key) else {
        table.report(&format!("`{}` is missing", kind.key), |problem| {
            problem.advise(format!(
                "give the coordinate as a function of time, e.g. {} = \"0.5*sin(2*t)\"",
                kind.key
            ))
        });
        return None;
    };
    let coordinate = coordinate?;
    let requirements = requirements_of(kind, Some(coordinate.coordinate), partial);
    let value = function(&node, requirements)?;
    sound.map(|()| (kind, Driven::Coordinate(coordinate), vec![Some(value)]))
}

fn point_motion(table: &Table<'_>, partial: &PartialMechanism<'_>) -> Option<Prescription> {
    let of_coordinates: Vec<&str> =
        std::iter::once("coordinate").chain(kinds(Drives::Coordinate).map(|card| card.key)).collect();
    let sound = refuse_keys(
        table,
        &of_coordinates,
        &format!("a body's point is prescribed by {}; a coordinate goes with `joint`", quoted(Drives::Point)),
    );
    let body = acted_on(table, partial.bodies, "a generator");
    let on = body.and_then(|b| partial.bodies?.get(b));
    let at = place_acted_on(table, on);
    let kind = given(table, Drives::Point)?;
    let requirements = requirements_of(kind, None, partial);
    let node = table.get(kind.key)?;
    let value = three(&node, |node| component(node, requirements))?;
    if value.iter().all(Option::is_none) {
        node.report("all components are free", |problem| problem.advise("prescribe at least one"));
        return None;
    }
    let point = Point { body: Some(body?), at: at? };
    sound.map(|()| (kind, Driven::Point(point), value.into()))
}

/// The demands on a function of this kind.
fn requirements_of<'c>(
    kind: &GeneratorCard,
    of: Option<Coordinate>,
    partial: &'c PartialMechanism<'_>,
) -> FunctionRequirements<'c> {
    FunctionRequirements {
        variable: Variable::Time,
        dimension: Some(kind.measure.at(of)),
        constants: partial.constants,
        inputs: None,
        tables: &partial.tables,
        derivatives: Some(kind.needs),
    }
}

/// A function, or [`FREE`].
fn component(node: &Node<'_>, requirements: FunctionRequirements<'_>) -> Option<Option<Expression>> {
    if node.is_text() {
        let text = node.text()?;
        if text == FREE {
            return Some(None);
        }
        let is_constant = requirements.constants?.iter().any(|constant| constant.name == text);
        if !is_constant && nearest(text, [FREE]).is_some() {
            node.report(format!("{} is not known", node.source()), |problem| {
                problem.allow(text, [FREE]).advise("or give a function of time")
            });
            return None;
        }
    }
    function(node, requirements).map(Some)
}

pub fn write(out: &mut Writer, generator: &Generator, mechanism: &Mechanism) {
    out.heading("[[mechanism.generator]]");
    out.key("name", text(&generator.name));
    let value = |f: &Option<Expression>| f.as_ref().map_or(text(FREE), |f| of_time(f, mechanism));
    match &generator.driven {
        Driven::Coordinate(of) => write_coordinate(out, *of, mechanism),
        Driven::Point(point) => write_point(out, point, mechanism),
    }
    let prescribed = match &generator.functions[..] {
        [only] => value(only),
        all => Value::Array(all.iter().map(value).collect()),
    };
    out.key(generator.kind.key, prescribed);
}
