//! Couplings: one coordinate of a joint as a function of another.

use super::super::declared::section;
use super::super::document::Table;
use super::super::keys::{COORDINATE, COORDINATE_NAMES, NAME};
use super::super::partial_mechanism::PartialMechanism;
use super::super::read_forms::fresh_name;
use super::super::read_function::{FunctionRequirements, Variable, function};
use super::super::read_joint::{joint_coordinate, named_coordinate};
use super::super::write_parts;
use super::super::write_parts::write_coordinate;
use super::super::writer::{Writer, text};
use super::contact::OF_PLACE;
use polhode_description::base::units::Dimension;
use polhode_description::describe::{Expression, Generator, Mechanism};
use polhode_dynamics::elements::generator::coupling;

section! { pub static COUPLING =
        "A coupling: one coordinate s of a joint is a function of another x, as by gears, racks, screws and \
         pulleys. Exactly one of `ratio` and `value` is given.";
    @NAME;
    joint: Text, Required, "The joint whose coordinate s follows.";
    @COORDINATE;
    follows: Text, Required, "The joint whose coordinate x is followed; it may be the same joint.";
    follows_coordinate: Choice(COORDINATE_NAMES), Optional, "Its coordinate. Absent: the only one it has.";
    ratio:
        Either(&[
            &Quantity(Dimension::Number),
            &Quantity(Dimension::LengthPerAngle),
            &Quantity(Dimension::AnglePerLength),
        ]), Optional,
        "s = offset + ratio x: -z_x/z_s of gears that mesh outside, 1 of a mimic; between a length and an \
         angle the radius of a pinion (\"20 mm/rad\") or the lead of a screw (\"2 mm/turn\").";
    offset: AnyQuantity, Default("0"), "s where x is 0, with `ratio`.";
    value: OF_PLACE, Optional,
        "s as a function of x in SI: \"0.1*x - 0.2*x^2\", { polynomial = [0, 0.1, -0.2] }.";
}

pub fn read(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<Generator> {
    let name = fresh_name(table, &mut partial.taken);
    let follower = joint_coordinate(table, partial.joints);
    let leader = named_coordinate(table, ["follows", "follows_coordinate"], partial.joints);
    let given = table.exactly_one(&["ratio", "value"])?;
    let (follower, leader) = (follower?, leader?);
    if follower == leader {
        table.report("a coordinate cannot follow itself", |problem| {
            problem.advise("name two coordinates, of two joints or of one")
        });
        return None;
    }
    let dimension = if follower.coordinate.is_turn() { Dimension::Angle } else { Dimension::Length };
    let value = if given == "ratio" {
        let ratio_dimension = match [follower, leader].map(|end| end.coordinate.is_turn()) {
            [false, true] => Dimension::LengthPerAngle,
            [true, false] => Dimension::AnglePerLength,
            _ => Dimension::Number,
        };
        let ratio = table.get("ratio").and_then(|node| node.quantity(ratio_dimension));
        let offset = table.get("offset").and_then(|node| node.quantity(dimension));
        let along = Expression::Product(Expression::Number(ratio?).into(), Expression::Argument.into());
        match offset? {
            0.0 => along,
            offset => Expression::Sum(Expression::Number(offset).into(), along.into()),
        }
    } else {
        let required = FunctionRequirements {
            variable: Variable::Place,
            dimension: Some(dimension),
            constants: partial.constants,
            inputs: None,
            tables: &partial.tables,
            derivatives: Some("a coupling needs two derivatives"),
        };
        let value = function(&table.get("value")?, required);
        if table.has("offset") {
            table.report("`offset` goes with `ratio`", |problem| {
                problem.advise("write it into `value`, such as \"0.1 + 2*x\"")
            });
            return None;
        }
        value?
    };
    Some(coupling(name?, follower, leader, value))
}

pub fn write(out: &mut Writer, coupling: &Generator, mechanism: &Mechanism) {
    let (Some(follower), Some(leader)) = (coupling.coordinate(), coupling.follows) else { return };
    out.heading("[[mechanism.coupling]]");
    out.key("name", text(&coupling.name));
    write_coordinate(out, follower, mechanism);
    out.key("follows", text(&mechanism.joints[leader.joint].name));
    out.key("follows_coordinate", text(leader.coordinate.name()));
    for (_, value) in coupling.prescribed() {
        out.key("value", write_parts::function(value, Variable::Place, mechanism));
    }
}
