//! Laws of the motion: reads points and signals, and resolves the names of what expressions
//! measure.

use super::declared::section;
use super::document::{Node, Table};
use super::expression_text::{Vocabulary, parse};
use super::keys::{FUNCTION_FORM, NAME, OF_BODY, PLACE};
use super::partial_mechanism::{PartialMechanism, usable_name};
use super::read_forms::{GROUND, fresh_name};
use super::read_function::{FunctionRequirements, Variable, function};
use super::read_lookup;
use super::read_points::{acted_on, body_or_ground, place};
use super::write_parts::of_time;
use super::writer::{Writer, text};
use polhode_description::base::units::Dimension;
use polhode_description::describe::expression::{self, MotionInput};
use polhode_description::describe::{Expression, LawState, Mechanism, NamedPoint, Point, Signal};

section! { pub static POINT =
        "A point of a body that has a name: expressions and channels use NAME.position and NAME.velocity.";
    @NAME;
    @OF_BODY;
    at: PLACE, Required,
        "The place from the body's origin in body axes; of a flexible body also by name; of the ground in \
         space axes.";
}

section! { pub static SIGNAL =
        "An expression of time and motion that has a name: other expressions use NAME, channels NAME.value.";
    name: Text, Required, "Name, unique: letters, digits and _, a letter first.";
    value: FUNCTION_FORM, Required, "Its value, in SI units, from the motion and earlier signals.";
    unit: Text, Optional, "SI unit of its value, such as \"N m\". Absent: it is a plain number.";
    every: Positive(Dimension::Time), Optional,
        "It is sampled: taken at t = 0 and at every multiple of this time, and held in between. Whole steps. \
         Absent: it follows the motion.";
}

section! { pub static STATE =
        "A state of a law: dz/dt = rate, or with `every` z(k+1) = next. An integral, a filter, an actuator \
         with a lag, a delay. Expressions and channels use NAME.";
    name: Text, Required, "Name, unique: letters, digits and _, a letter first.";
    rate: FUNCTION_FORM, Optional, "dz/dt, in SI units, from the motion, states and signals.";
    next: FUNCTION_FORM, Optional,
        "In place of `rate`, with `every`: the value from the next sample on, from the motion, states and \
         signals at this one.";
    every: Positive(Dimension::Time), Optional,
        "It is sampled: it takes its next value at every multiple of this time, and holds it in between. \
         Whole steps.";
    initial: AnyQuantity, Default("0"), "z at t = 0.";
    unit: Text, Optional, "SI unit of z. Absent: that of `initial`.";
}

/// A table with a name.
pub(super) fn named_table(
    table: &Table<'_>,
    partial: &mut PartialMechanism<'_>,
) -> Option<expression::FunctionTable> {
    let name = usable_name(table, partial);
    let read = read_lookup::lookup(table, read_lookup::OF_ANYTHING, None);
    let before = partial.tables.iter().map(expression::FunctionTable::called).sum::<usize>();
    let first = partial.constants.map_or(0, <[_]>::len) + before;
    Some(expression::FunctionTable { name: Some(name?), first, ..read? })
}

/// A point with a name.
pub(super) fn point(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<NamedPoint> {
    let name = fresh_name(table, &mut partial.taken);
    let bodies = partial.motions.bodies;
    let body = match table.get("body") {
        Some(node) => body_or_ground(&node, partial.bodies?),
        None => acted_on(table, Some(bodies), "a point").map(Some),
    };
    let at = table.get("at").and_then(|node| place(&node, body?.map(|b| &bodies[b])));
    Some(NamedPoint { name: name?, point: Point { body: body?, at: at? } })
}

/// A function of time and motion of any dimension.
fn any_function(node: &Node<'_>, partial: &PartialMechanism<'_>) -> Option<Expression> {
    let required = FunctionRequirements {
        variable: Variable::Time,
        dimension: None,
        constants: partial.constants,
        inputs: Some(&partial.motions),
        tables: &partial.tables,
        derivatives: None,
    };
    function(node, required)
}

/// A state. All states and signals are known.
pub(super) fn state(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<LawState> {
    let name = usable_name(table, partial);
    let initial = table.get("initial").and_then(|node| node.any_quantity());
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => initial.as_ref().map(|(_, unit)| unit.clone()),
    };
    let rate = match table.get("rate") {
        Some(node) => any_function(&node, partial),
        None => {
            table.report_missing("rate");
            None
        }
    };
    if !partial.motions.bodies.is_empty() && partial.motions.bodies.iter().all(|body| body.flexible.is_some())
    {
        table.report("states of laws need a rigid body in the mechanism", |problem| {
            problem.advise("add a rigid body, however small")
        });
        return None;
    }
    Some(LawState { name: name?, unit: unit?, rate: rate?, initial: initial?.0 })
}

/// The keys that a state has which is sampled.
pub(super) const OF_SAMPLED: [&str; 2] = ["next", "every"];

/// Whether a state is sampled.
pub(super) fn is_sampled(node: &Node<'_>) -> bool {
    OF_SAMPLED.iter().any(|key| node.has_key(key))
}

/// A state that is sampled, as the signal that shows it. `next`: where the signal of its next value
/// will stand.
pub(super) fn sampled_state(
    table: &Table<'_>,
    partial: &mut PartialMechanism<'_>,
    next: usize,
) -> Option<Signal> {
    let name = usable_name(table, partial);
    let rate = table.get("rate");
    if let Some(node) = &rate {
        node.report("is the rate of a state that is not sampled", |problem| {
            problem.advise("give `next` in its place, or leave `every` out")
        });
    }
    for key in OF_SAMPLED.into_iter().filter(|key| rate.is_none() && !table.has(key)) {
        table.report_missing(key);
    }
    let every = table.read("every");
    let initial = table.get("initial").and_then(|node| initial_of_sampled(&node, partial));
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => initial.as_ref().map(|(_, unit)| unit.clone()),
    };
    let value = Expression::Input(MotionInput::Held(next));
    let initial = initial.map(|(initial, _)| initial);
    Some(Signal { name: name?, unit: unit?, value, every: Some(every?), initial: Some(initial?) })
}

/// A quantity, or an expression of constants that stays one, with the name of its SI unit.
fn initial_of_sampled(
    node: &Node<'_>,
    partial: &PartialMechanism<'_>,
) -> Option<(Expression, std::borrow::Cow<'static, str>)> {
    let constants = partial.constants?;
    let names = Vocabulary { variable: None, constants, inputs: None, tables: &partial.tables, units: false };
    if let Some(text) = node.text_if_any()
        && let Ok(expression) = parse(text, names)
        && expression.any(&|part| matches!(part, Expression::Constant(_)))
    {
        return Some((expression, "1".into()));
    }
    node.any_quantity().map(|(value, unit)| (Expression::Number(value), unit))
}

/// The next value of a state that is sampled, as the signal that it is. All states and signals are
/// known.
pub(super) fn next_of_state(
    table: &Table<'_>,
    partial: &PartialMechanism<'_>,
    shown: Option<&Signal>,
) -> Option<Signal> {
    let value = table.get("next").and_then(|node| any_function(&node, partial))?;
    Some(Signal { name: String::new(), value, initial: None, ..shown?.clone() })
}

/// A signal.
pub(super) fn signal(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<Signal> {
    let name = usable_name(table, partial);
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => Some("1".into()),
    };
    let value = table.get("value").and_then(|node| any_function(&node, partial));
    let every = match table.get("every") {
        Some(node) => node.positive(Dimension::Time).map(Some),
        None => Some(None),
    };
    Some(Signal { name: name?, unit: unit?, value: value?, every: every?, initial: None })
}

/// The unit of a signal: any that measures in SI, by its SI name.
pub(super) fn si_unit(node: &Node<'_>) -> Option<std::borrow::Cow<'static, str>> {
    use polhode_description::base::units::parse_any_quantity;
    let name = node.text()?;
    if name == "1" {
        return Some("1".into());
    }
    match parse_any_quantity(&format!("1 {name}")) {
        // Energy and torque have one unit, and different names of it.
        Ok((1.0, _)) if name == "J" => Some("J".into()),
        Ok((1.0, unit)) => Some(unit),
        Ok((_, unit)) => {
            node.report(format!("{} is no SI unit", node.source()), |problem| {
                problem.advise(format!("values of expressions are in SI: write {unit:?}"))
            });
            None
        }
        Err(error) => {
            node.report(format!("{} {error}", node.source()), |problem| {
                problem.advise("give an SI unit, such as \"N m\", or leave it out for a plain number")
            });
            None
        }
    }
}

pub(super) fn write_point(out: &mut Writer, named: &NamedPoint, mechanism: &Mechanism) {
    out.heading("[[mechanism.point]]");
    out.key("name", text(&named.name));
    out.key("body", text(named.point.body.map_or(GROUND, |b| mechanism.bodies[b].name.as_str())));
    out.key("at", named.point.at.to_vec());
}

pub(super) fn write_state(out: &mut Writer, state: &LawState, mechanism: &Mechanism) {
    out.heading("[[mechanism.state]]");
    out.key("name", text(&state.name));
    out.key("rate", of_time(&state.rate, mechanism));
    out.key("initial", state.initial);
    out.key("unit", text(&state.unit));
}

/// A state that is sampled, from the signals that show it and that are its next value.
pub(super) fn write_sampled_state(out: &mut Writer, shown: usize, next: usize, mechanism: &Mechanism) {
    let [shown, next] = [shown, next].map(|k| &mechanism.signals[k]);
    out.heading("[[mechanism.state]]");
    out.key("name", text(&shown.name));
    out.key("next", of_time(&next.value, mechanism));
    if let Some(initial) = &shown.initial {
        out.key("initial", of_time(initial, mechanism));
    }
    if let Some(every) = shown.every {
        out.key("every", every);
    }
    out.key("unit", text(&shown.unit));
}

pub(super) fn write_signal(out: &mut Writer, signal: &Signal, mechanism: &Mechanism) {
    out.heading("[[mechanism.signal]]");
    out.key("name", text(&signal.name));
    out.key("value", of_time(&signal.value, mechanism));
    if signal.unit != "1" {
        out.key("unit", text(&signal.unit));
    }
    if let Some(every) = signal.every {
        out.key("every", every);
    }
}
