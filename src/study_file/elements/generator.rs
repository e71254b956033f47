//! Generators: motions prescribed in time.

use super::super::document::{Node, Table};
use super::super::keys::Presence::Optional;
use super::super::keys::{COORDINATE, FUNCTION_FORM, Form, NAME, POINT, Section, THREE_FUNCTIONS, key};
use super::super::read_flexible::place_acted_on;
use super::super::read_function::{FunctionRequirements, Variable, function};
use super::super::read_joint::joint_coordinate;
use super::super::read_mechanism::{PartialMechanism, acted_on, fresh_name, three};
use super::super::write::{Writer, of_time, text, write_coordinate, write_point};
use crate::base::nearest;
use crate::base::units::Dimension;
use crate::describe::expression::Expression;
use crate::describe::mechanism::{Generator, Mechanism, Point, Prescribed};
use toml::Value;

/// A component of a point's motion that no generator prescribes.
const FREE: &str = "free";

pub static GENERATOR: Section = Section {
    doc: "A prescribed motion: of a joint's coordinate, or of a point of a body. Exactly one of `joint` and `body` is given.",
    keys: &[
        NAME,
        key("joint", Form::Text, Optional, "The joint whose coordinate is prescribed, with `value`."),
        COORDINATE,
        key("value", FUNCTION_FORM, Optional, "The coordinate (rad or m) as a function of time."),
        key(
            "body",
            Form::Text,
            Optional,
            "The body of which a point is moved, with `position` or `velocity`.",
        ),
        POINT,
        key(
            "position",
            THREE_FUNCTIONS,
            Optional,
            "Its position in space axes (m): three functions of time; \"free\" for a component that is not prescribed.",
        ),
        key("velocity", THREE_FUNCTIONS, Optional, "Its velocity in space axes (m/s) instead."),
    ],
};

pub fn read(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<Generator> {
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

fn coordinate_motion(table: &Table<'_>, seen: &PartialMechanism<'_>) -> Option<Prescribed> {
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
    let asked = FunctionRequirements {
        variable: Variable::Time,
        dimension: of.dimension(),
        constants: seen.constants,
        derivatives: Some("a generator of a coordinate needs two derivatives"),
    };
    let value = function(&node, asked)?;
    sound.map(|()| Prescribed::Coordinate { of, value })
}

fn point_motion(table: &Table<'_>, seen: &PartialMechanism<'_>) -> Option<Prescribed> {
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
    let asked = FunctionRequirements {
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
fn component(node: &Node<'_>, asked: FunctionRequirements<'_>) -> Option<Option<Expression>> {
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

pub fn write(out: &mut Writer, generator: &Generator, mechanism: &Mechanism) {
    out.heading("[[mechanism.generator]]");
    out.key("name", text(&generator.name));
    let components = |value: &[Option<Expression>; 3]| {
        let of = |f: &Option<Expression>| f.as_ref().map_or(text(FREE), |f| of_time(f, mechanism));
        Value::Array(value.iter().map(of).collect())
    };
    match &generator.motion {
        Prescribed::Coordinate { of, value } => {
            write_coordinate(out, *of, mechanism);
            out.key("value", of_time(value, mechanism));
        }
        Prescribed::Position { point, value } => {
            write_point(out, point, mechanism);
            out.key("position", components(value));
        }
        Prescribed::Velocity { point, value } => {
            write_point(out, point, mechanism);
            out.key("velocity", components(value));
        }
    }
}
