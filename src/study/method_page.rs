//! The text on methods: `polhode methods` prints it, and it is the documentation page of each.
//!
//! Operations and evaluations are counted on the recorded step, so that they cannot differ from
//! what runs.

use std::fmt::Write as _;

use crate::backend::program::Program;
use crate::base::{Options, Precision};
use crate::describe::Mechanism;
use crate::methods::{AnyMethod, Card, Kind, Takes, cards, own_steps};
use crate::model::NoMechanism;
use crate::real::traced::Operations;
use crate::study::plan::nominal;
use crate::study::yardsticks::{fast_top, free_body};
use crate::treatments;

/// The cost of a step of a method on one mechanism.
struct Cost {
    operations: Operations,
    evaluations: usize,
}

impl Cost {
    /// All operations, and those that take a processor longest.
    fn sentence(&self) -> String {
        let Operations { divisions, square_roots, .. } = self.operations;
        let counted = |n: usize, name: &str| match n {
            0 => format!("no {name}s"),
            1 => format!("1 {name}"),
            n => format!("{n} {name}s"),
        };
        let slow = format!("{} and {}", counted(divisions, "division"), counted(square_roots, "root"));
        format!("{} operations ({slow})", self.operations.total())
    }
}

fn cost(method: &AnyMethod, mechanism: &Mechanism) -> Result<Cost, NoMechanism> {
    let program = Program::new(&nominal(mechanism, method.clone(), 1e-3, 1)?, Precision::F64);
    Ok(Cost { operations: program.operations(&program.step), evaluations: program.evaluations })
}

fn costs(method: &AnyMethod) -> Result<[Cost; 2], NoMechanism> {
    let free = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
    Ok([cost(method, &free)?, cost(method, &fast_top())?])
}

/// Stands in place of the cost of a step where that is no fixed number of operations.
const ADAPTIVE: &str = "adaptive";

/// The table of all methods.
///
/// # Errors
/// None: the mechanisms that methods are counted on describe bodies.
pub fn list() -> Result<String, NoMechanism> {
    let mut text = format!(
        "{:<26}{:>5}{:>9}{:>12}{:>12}  {}\n",
        "method", "order", "moments", "free body", "heavy top", "source"
    );
    let _ = writeln!(text, "{:<26}{:>5}{:>9}{:>12}{:>12}", "", "", "a step", "operations", "operations");
    for card in cards() {
        let Some(method) = AnyMethod::new(card.name, &Options::default()) else {
            let _ = writeln!(
                text,
                "{:<26}{:>5}{:>9}{:>12}{:>12}  {}",
                card.name, card.order, ADAPTIVE, ADAPTIVE, ADAPTIVE, card.source
            );
            continue;
        };
        let [free, top] = costs(&method)?;
        let _ = writeln!(
            text,
            "{:<26}{:>5}{:>9}{:>12}{:>12}  {}",
            card.name,
            method.order(),
            top.evaluations,
            free.operations.total(),
            top.operations.total(),
            card.source
        );
    }
    text.push_str(
        "\nOperations of one step in f64, a multiply-add counted as two. `polhode methods NAME` tells of one \
         method.\n\nJoints are held by one of these treatments ([constraints] treatment = ...):\n\n",
    );
    for card in treatments::CARDS {
        let _ = writeln!(text, "{:<20} {} ({})", card.name, card.meaning, card.source);
        for key in card.keys {
            let _ =
                writeln!(text, "{:<21}  {} = {}: {}", "", key.name, key.kind.default_text(), key.sentence());
        }
    }
    Ok(text)
}

/// The page of one method, Markdown.
///
/// # Errors
/// None: as [`list`].
pub fn page(card: &Card) -> Result<String, NoMechanism> {
    let cost = match AnyMethod::new(card.name, &Options::default()) {
        None => format!("{ADAPTIVE}: as many internal steps as the tolerances want"),
        Some(method) => {
            let [free, top] = costs(&method)?;
            format!(
                "{} in f64 for a free body, {} for a heavy top; {} evaluations of the moment",
                free.sentence(),
                top.sentence(),
                top.evaluations
            )
        }
    };
    let mut text = format!("# {}\n\n{}.\n\n", card.name, crate::base::capital(card.title));
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "- {name}: {value}");
    };
    row("source", card.source);
    row("order", &card.order.to_string());
    row(
        "takes",
        match card.takes {
            Takes::OneBody => "one body with its loads",
            Takes::RigidBodies => "any mechanism of rigid bodies and any treatment of its joints",
            Takes::AnyMechanism => "any mechanism; treatments of joints that carry no multipliers",
            Takes::WithoutLocks => {
                "any mechanism without locks; treatments of joints that carry no multipliers"
            }
            Takes::PositionsOfJoints => {
                "any mechanism without locks; joints by the treatment `exact`, as equations of their \
                 positions"
            }
            Takes::AnyMechanismAndTreatment => "any mechanism and any treatment of its joints",
        },
    );
    row("conserves", card.conserves);
    row("a step", &cost);
    row(
        "resynchronises",
        if card.resynchronises { "yes: every `resynchronise` steps, 200 by default" } else { "no" },
    );
    text.push('\n');
    text.push_str(card.text);
    if card.keys.iter().any(|key| key.name == own_steps::KEY.name) {
        text.push('\n');
        text.push_str(own_steps::TEXT);
    }
    if !card.keys.is_empty() {
        text.push_str("\n## Settings\n\n| key | values | default | meaning |\n|---|---|---|---|\n");
        for key in card.keys {
            let (values, default) = match key.kind {
                Kind::Choice(names) => {
                    let quoted: Vec<String> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
                    (quoted.join(", "), quoted[0].clone())
                }
                Kind::Count(min, max, default) => (format!("{min} to {max}"), default.to_string()),
                Kind::Number(min, max, default) => {
                    (format!("{} to {}", plain(min), plain(max)), plain(default))
                }
                Kind::Derived { min, max, formula, .. } => {
                    (format!("{} to {}", plain(min), plain(max)), formula.to_string())
                }
                Kind::Optional { min, max, absent } => {
                    (format!("{} to {}", plain(min), plain(max)), format!("none: {absent}"))
                }
                Kind::Flag => ("true, false".to_string(), "false".to_string()),
            };
            let _ = writeln!(text, "| `{}` | {values} | {default} | {} |", key.name, key.sentence());
        }
    }
    Ok(text)
}

/// A small number by its exponent.
fn plain(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-4 { format!("{x:e}") } else { x.to_string() }
}
