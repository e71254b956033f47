//! Outcomes of a study: `[[outcome]]`, an expression of the motion, and how it is reduced
//! over time.

use super::declared::section;
use super::document::{Node, Table};
use super::keys::{FUNCTION_FORM, NAME};
use super::motions::Motions;
use super::read_forms::{few, fresh_name, identifier};
use super::read_function::{FunctionRequirements, Variable, function};
use super::read_law::si_unit;
use super::read_observe::is_of_the_whole;
use super::write_parts::of_time;
use super::writer::{Writer, text};
use polhode_description::base::Verdict;
use polhode_description::base::units::Dimension;
use polhode_description::describe::outcome::{EndCondition, Outcome, OutcomeKind, margin};
use polhode_description::describe::{Expression, Mechanism, Owner};

/// The kinds that take one expression.
const KINDS: [OutcomeKind; 10] = [
    OutcomeKind::Final,
    OutcomeKind::Max,
    OutcomeKind::Min,
    OutcomeKind::Integral,
    OutcomeKind::Mean,
    OutcomeKind::Rms,
    OutcomeKind::First,
    OutcomeKind::Last,
    OutcomeKind::Settled,
    OutcomeKind::Duration,
];

/// The key of the value at a time.
const AT: &str = "at";

section! {
    pub static OUTCOME = "A number that every instance comes to. Exactly one of `final` to `at` is given.";
    @NAME;
    unit: Text, Optional,
        "SI unit of its value, such as \"rad\". Absent: it is a plain number, or a time in s.";
    final: FUNCTION_FORM, Optional, "The expression at the end.";
    max: FUNCTION_FORM, Optional, "The largest value of the expression; NAME.time says when.";
    min: FUNCTION_FORM, Optional, "The least value of the expression; NAME.time says when.";
    integral: FUNCTION_FORM, Optional, "The integral of the expression over time.";
    mean: FUNCTION_FORM, Optional, "The mean of the expression over time.";
    rms: FUNCTION_FORM, Optional, "The root of the mean of its square over time.";
    first: FUNCTION_FORM, Optional,
        "When the condition, such as \"tip.position.z < 0\", held for the first time.";
    last: FUNCTION_FORM, Optional, "When the condition held for the last time.";
    settled: FUNCTION_FORM, Optional, "Since when the condition holds for good.";
    duration: FUNCTION_FORM, Optional, "For how long the condition held in all.";
    at: Table(&OUTCOME_AT), Optional, "The expression at a time of the run.";
}

section! { pub static OUTCOME_AT = "An expression at a time.";
    time: Quantity(Dimension::Time), Required, "The time.";
    value: FUNCTION_FORM, Required, "The expression.";
}

/// All outcomes of a study, which become outcomes of its mechanism; `None`: one is faulty.
pub(super) fn outcomes(node: &Node<'_>, mechanism: &mut Mechanism) -> Option<()> {
    let mut taken: Vec<String> = names_of(mechanism);
    let motions = Motions::of(mechanism);
    let read: Vec<Option<Outcome>> = few(node, node.list()?)?
        .iter()
        .map(|node| outcome(&node.table(&OUTCOME)?, &motions, mechanism, &mut taken))
        .collect();
    let sensors = motions.sensors.into_inner();
    let outcomes = read.into_iter().collect::<Option<Vec<Outcome>>>()?;
    (mechanism.sensors, mechanism.outcomes) = (sensors, outcomes);
    Some(())
}

/// The names of all that has channels, and of constants.
fn names_of(mechanism: &Mechanism) -> Vec<String> {
    let owners = Owner::ALL.into_iter().flat_map(|owner| owner.names(mechanism));
    let constants = mechanism.constants.iter().map(|constant| constant.name.as_str());
    owners.chain(constants).map(str::to_string).collect()
}

/// The name that a table of cells gives to the end of a cell that was not run.
const NOT_RUN: &str = "not_run";

/// Keys of bounds, which stand in one entry of `verdict`.
const BOUNDS: [&str; 4] = ["energy", "quaternion_norm", "constraint", "every"];

/// The table among those of `verdict` that has the bounds; the first, which has none then, where no
/// table has any.
pub(super) fn table_of_bounds<'t, 'n>(tables: &'t [Table<'n>]) -> Option<&'t Table<'n>> {
    let bound = |table: &Table<'_>| BOUNDS.into_iter().find(|key| table.has(key));
    let mut with = tables.iter().filter_map(|table| Some((table, bound(table)?)));
    let Some((first, _)) = with.next() else { return tables.first() };
    if let Some((second, key)) = with.next() {
        second.report(&format!("`{key}` is a second entry's bound"), |problem| {
            problem.advise("give all bounds in one entry of `verdict`")
        });
        return None;
    }
    Some(first)
}

/// The conditions at which instances end, which become those of the mechanism.
pub(super) fn ends(tables: &[Table<'_>], mechanism: &mut Mechanism) -> Option<()> {
    let motions = Motions::of(mechanism);
    let mut taken: Vec<String> = Vec::new();
    let read: Vec<Option<Option<EndCondition>>> =
        tables.iter().map(|table| end(table, tables.len(), &motions, mechanism, &mut taken)).collect();
    let sensors = motions.sensors.into_inner();
    let ends: Vec<EndCondition> =
        read.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    if ends.len() > Verdict::MOST_CONDITIONS {
        let found = format!("there are {} conditions", ends.len());
        tables[Verdict::MOST_CONDITIONS].report(&found, |problem| {
            problem.advise(format!("{} are the most; join some by max(a, b)", Verdict::MOST_CONDITIONS))
        });
        return None;
    }
    (mechanism.sensors, mechanism.ends) = (sensors, ends);
    Some(())
}

/// The condition of one of so many tables; `None` inside: it has bounds alone.
fn end(
    table: &Table<'_>,
    tables: usize,
    motions: &Motions<'_>,
    mechanism: &Mechanism,
    taken: &mut Vec<String>,
) -> Option<Option<EndCondition>> {
    let unnamed = Verdict::Condition(0).name();
    let name = match table.get("name") {
        Some(node) => {
            let name = identifier(&node)?;
            if Verdict::ALL.iter().any(|verdict| verdict.name() == name) || name == NOT_RUN {
                node.report(format!("{} is the name of another verdict", node.source()), |problem| {
                    problem.advise("give the condition a name of its own, such as \"toppled\"")
                });
                return None;
            }
            Some(name)
        }
        None => None,
    };
    let at_end = table.read::<bool>("at_end");
    let Some(node) = table.get("when") else {
        if name.is_some() || table.has("at_end") {
            let what = if name.is_some() { "the name" } else { "`at_end`" };
            table.report(&format!("there is no `when` to which {what} belongs"), |problem| {
                problem.advise("give the condition, such as when = \"abs(hinge.angle) > 1\"")
            });
            return None;
        }
        if tables > 1 && !BOUNDS.iter().any(|key| table.has(key)) {
            table.report("the entry ends no instance", |problem| {
                problem.advise("give `when` with a `name`, or a bound")
            });
            return None;
        }
        return Some(None);
    };
    let called = name.clone().unwrap_or_else(|| unnamed.to_string());
    if taken.contains(&called) {
        let found = match &name {
            Some(name) => format!("there are two verdicts \"{name}\""),
            None => "there is a second condition without a name".to_string(),
        };
        table.report(&found, |problem| problem.advise("give each a `name` of its own"));
        return None;
    }
    taken.push(called);
    let when = of_motion(&node, motions, mechanism)?;
    if margin(&when).is_none() {
        no_condition(&node);
        return None;
    }
    Some(Some(EndCondition { name, when, at_end: at_end? }))
}

pub(super) fn write_end(out: &mut Writer, end: &EndCondition, mechanism: &Mechanism) {
    if let Some(name) = &end.name {
        out.key("name", text(name));
    }
    out.key("when", of_time(&end.when, mechanism));
    if end.at_end {
        out.key("at_end", true);
    }
}

/// An expression of time and motion.
fn of_motion(node: &Node<'_>, motions: &Motions<'_>, mechanism: &Mechanism) -> Option<Expression> {
    let required = FunctionRequirements {
        variable: Variable::Time,
        dimension: None,
        constants: Some(&mechanism.constants),
        inputs: Some(motions),
        tables: &mechanism.tables,
        derivatives: None,
    };
    function(node, required)
}

fn no_condition(node: &Node<'_>) {
    node.report(format!("{} is no condition", node.source()), |problem| {
        problem.advise(
            "compare two expressions, such as \"abs(hinge.angle) < 0.1\"; both of two conditions: \"min(a, \
             b) > 0\"",
        )
    });
}

fn outcome(
    table: &Table<'_>,
    motions: &Motions<'_>,
    mechanism: &Mechanism,
    taken: &mut Vec<String>,
) -> Option<Outcome> {
    let name = fresh_name(table, taken).filter(|name| is_free(table, name));
    let keys: Vec<&'static str> = KINDS.iter().map(|kind| kind.key()).chain([AT]).collect();
    let given = table.exactly_one(&keys)?;
    let read = |node: &Node<'_>| of_motion(node, motions, mechanism);
    let (kind, of) = if given == AT {
        let node = table.get(AT)?;
        let at = node.table(&OUTCOME_AT)?;
        let time = at.get("time").and_then(|node| node.not_negative(Dimension::Time));
        let function = at.get("value").and_then(|node| read(&node));
        (OutcomeKind::At(time?), function?)
    } else {
        let node = table.get(given)?;
        let kind = KINDS.iter().find(|kind| kind.key() == given)?;
        let function = read(&node)?;
        if kind.is_of_condition() && margin(&function).is_none() {
            no_condition(&node);
            return None;
        }
        (*kind, function)
    };
    let unit = match table.get("unit") {
        Some(node) if kind.is_of_condition() => {
            node.report("the outcome is a time", |problem| problem.advise("leave `unit` out: it is in s"));
            None
        }
        _ if kind.is_of_condition() => Some("s".into()),
        Some(node) => si_unit(&node),
        None => Some("1".into()),
    };
    Some(Outcome { name: name?, unit: unit?, kind, of })
}

/// Whether no channel of the whole mechanism has the name: the outcome would hide it.
fn is_free(table: &Table<'_>, name: &str) -> bool {
    let is_free = !is_of_the_whole(name);
    if let (false, Some(node)) = (is_free, table.get("name")) {
        node.report(format!("{} is the name of a channel too", node.source()), |problem| {
            problem.advise("give the outcome another name")
        });
    }
    is_free
}

/// Reports outcomes at times after the end of the run, `end` (s).
pub(super) fn check_times(node: &Node<'_>, mechanism: &Mechanism, end: f64) {
    /// Rounding of a duration that is so many steps.
    const ROUNDING: f64 = 1e-9;
    for (entry, outcome) in node.list().into_iter().flatten().zip(&mechanism.outcomes) {
        let OutcomeKind::At(time) = outcome.kind else { continue };
        if time > end * (1.0 + ROUNDING) {
            let found = format!("the run ends at {end} s, and never comes to {time} s");
            entry.report(found, |problem| problem.advise("give a time of the run"));
        }
    }
}

/// The expression of an outcome, as files have it: `settled: abs(hinge.angle) < 0.1`; `None`: it
/// takes more than a line.
pub fn outcome_words(outcome: &Outcome, mechanism: &Mechanism) -> Option<String> {
    let function = of_time(&outcome.of, mechanism);
    let function = function.as_str()?;
    Some(match outcome.kind {
        OutcomeKind::At(time) => format!("{function} at {time} s"),
        kind => format!("{}: {function}", kind.key()),
    })
}

pub(super) fn write_outcome(out: &mut Writer, outcome: &Outcome, mechanism: &Mechanism) {
    out.heading("[[outcome]]");
    out.key("name", text(&outcome.name));
    if !outcome.kind.is_of_condition() {
        out.key("unit", text(&outcome.unit));
    }
    let function = of_time(&outcome.of, mechanism);
    match outcome.kind {
        OutcomeKind::At(time) => {
            out.key(AT, super::writer::table([("time", time.into()), ("value", function)]));
        }
        kind => out.key(kind.key(), function),
    }
}
