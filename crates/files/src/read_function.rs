//! Reads functions of time and motion, and curves, in any of their forms: a quantity, an
//! expression, a polynomial, a harmonic oscillation or a table of values. All become an
//! `Expression`.

use std::f64::consts::TAU;

use super::document::{Node, Table};
use super::expression_text::{ExpressionError, FUNCTIONS, InputNames, Vocabulary, parse, parse_vector};
use super::keys::{CURVE, FUNCTION, HARMONIC};
use super::read_forms::three;
use super::read_lookup::{self, CURVE_TABLE, FUNCTION_TABLE, lookup};
use polhode_description::base::units::{Dimension, UnitError, parse_quantity};
use polhode_description::describe::expression::{self, Expression, Function, Smoothness};
use polhode_description::describe::mechanism::Constant;

/// Most coefficients of a polynomial.
const MAX_COEFFICIENTS: usize = 20;

/// The argument of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// `t` (s)
    Time,
    /// `x` (m)
    Place,
}

impl Variable {
    pub(super) fn name(self) -> &'static str {
        match self {
            Variable::Time => "t",
            Variable::Place => "x",
        }
    }
}

/// The requirements that a function must meet.
#[derive(Clone, Copy)]
pub(super) struct FunctionRequirements<'c> {
    pub variable: Variable,
    /// The dimension of its value; `None`: any.
    pub dimension: Option<Dimension>,
    /// `None` where they could not be read.
    pub constants: Option<&'c [Constant]>,
    /// The numbers of the motion that it may use; `None`: none.
    pub inputs: Option<&'c dyn InputNames>,
    /// The tables that it may call.
    pub tables: &'c [expression::FunctionTable],
    /// Who needs derivatives, and how many, for messages; `None`: nobody.
    pub derivatives: Option<&'static str>,
}

/// The function that stands here.
pub(super) fn function(node: &Node<'_>, requirements: FunctionRequirements<'_>) -> Option<Expression> {
    let expression = if node.is_text() {
        of_text(node, requirements)?
    } else if node.is_table() && !node.has_key("value") {
        of_table(node, requirements)?
    } else if node.is_list() {
        node.refuse("one function", "give a number, a quantity, an expression or a table");
        return None;
    } else {
        Expression::Number(match requirements.dimension {
            Some(dimension) => node.quantity(dimension)?,
            None => node.any_quantity()?.0,
        })
    };
    if let (Some(who), Some(name)) = (requirements.derivatives, kink(&expression)) {
        node.report(format!("`{name}` has no derivative where it bends, and {who}"), |problem| {
            problem.advise("use a smooth function, such as tanh or a table whose interpolation is \"cubic\"")
        });
        return None;
    }
    Some(expression)
}

/// A quantity if it reads as one, else an expression.
fn of_text(node: &Node<'_>, requirements: FunctionRequirements<'_>) -> Option<Expression> {
    let text = node.text()?;
    let quantity = requirements.dimension.map(|dimension| (dimension, parse_quantity(text, dimension)));
    match quantity {
        Some((_, Ok(value))) => return Some(Expression::Number(value)),
        // A quantity all the same, of something else.
        Some((dimension, Err(error @ (UnitError::Dimension { .. } | UnitError::TooLarge)))) => {
            let example = format!("2*{}", requirements.variable.name());
            node.report(format!("{} {error}", node.source()), |problem| {
                let advice = dimension.advice();
                problem.advise(format!("{advice}, or an expression such as \"{example}\""))
            });
            return None;
        }
        Some((_, Err(UnitError::NoNumber | UnitError::NoUnit | UnitError::UnknownUnit { .. })))
        | Some((_, Err(UnitError::Syntax { .. } | UnitError::Ambiguous)))
        | None => {}
    }
    parsed(node, requirements, parse)
}

/// Parses the text that stands here.
fn parsed<T>(
    node: &Node<'_>,
    requirements: FunctionRequirements<'_>,
    parse: impl FnOnce(&str, Vocabulary<'_>) -> Result<T, ExpressionError>,
) -> Option<T> {
    let names = Vocabulary {
        variable: Some(requirements.variable.name()),
        constants: requirements.constants?,
        inputs: requirements.inputs,
        tables: requirements.tables,
        units: true,
    };
    match parse(node.text()?, names) {
        Ok(expression) => Some(expression),
        // The fault from which it follows is reported where it stands.
        Err(error) if error.follows => None,
        Err(error) => {
            node.report_expression(error);
            None
        }
    }
}

/// The three functions that stand here: a list of them, or a vector.
pub(super) fn three_functions(
    node: &Node<'_>,
    requirements: FunctionRequirements<'_>,
) -> Option<[Expression; 3]> {
    match node.is_text() {
        true => parsed(node, requirements, parse_vector),
        false => three(node, |node| function(node, requirements)),
    }
}

/// The one form that is given. An unknown name in its place is reported as such already.
fn form(node: &Node<'_>, table: &Table<'_>, forms: &[&'static str]) -> Option<&'static str> {
    let none = !forms.iter().any(|form| table.has(form));
    if none && !node.map()?.is_empty() { None } else { table.exactly_one(forms) }
}

fn of_table(node: &Node<'_>, requirements: FunctionRequirements<'_>) -> Option<Expression> {
    match requirements.variable {
        Variable::Time => {
            let table = node.table(&FUNCTION)?;
            match form(node, &table, &["polynomial", "harmonic", "table"])? {
                "polynomial" => polynomial(&table.get("polynomial")?),
                "harmonic" => harmonic(&table.get("harmonic")?.table(&HARMONIC)?, requirements.dimension),
                _ => {
                    let node = table.get("table")?;
                    let table = node.table(&FUNCTION_TABLE)?;
                    of_argument(lookup(&table, read_lookup::OF_TIME, requirements.dimension)?)
                }
            }
        }
        Variable::Place => {
            let table = node.table(&CURVE)?;
            match form(node, &table, &["polynomial", "table"])? {
                "polynomial" => polynomial(&table.get("polynomial")?),
                _ => {
                    let node = table.get("table")?;
                    let table = node.table(&CURVE_TABLE)?;
                    of_argument(lookup(&table, read_lookup::OF_PLACE, requirements.dimension)?)
                }
            }
        }
    }
}

/// The table at the variable.
fn of_argument(table: expression::FunctionTable) -> Option<Expression> {
    Some(Expression::Lookup(Box::new(table), Box::new(Expression::Argument)))
}

/// c0 + t (c1 + t (c2 + ...))
fn polynomial(node: &Node<'_>) -> Option<Expression> {
    let coefficients = node.numbers()?;
    if coefficients.is_empty() || coefficients.len() > MAX_COEFFICIENTS {
        node.report(
            format!("has {} coefficients, not 1 to {MAX_COEFFICIENTS}", coefficients.len()),
            |problem| problem.advise("give [c0, c1, c2] for c0 + c1 t + c2 t^2"),
        );
        return None;
    }
    let (last, first) = coefficients.split_last()?;
    Some(
        first.iter().rev().fold(Expression::Number(*last), |inner, c| {
            sum(number(*c), product(Expression::Argument, inner))
        }),
    )
}

/// offset + amplitude sin(w t + phase), w = 2 pi frequency
fn harmonic(table: &Table<'_>, dimension: Option<Dimension>) -> Option<Expression> {
    let quantity = |node: Node<'_>| match dimension {
        Some(dimension) => node.quantity(dimension),
        None => node.any_quantity().map(|(value, _)| value),
    };
    let amplitude = table.get("amplitude").and_then(quantity);
    let rate = match table.exactly_one(&["frequency", "angular_frequency"]) {
        Some("frequency") => table.read("frequency").map(|f: f64| TAU * f),
        Some(_) => table.read("angular_frequency"),
        None => None,
    };
    let phase = table.read::<f64>("phase");
    let offset = table.get("offset").and_then(quantity);
    let angle = sum(product(number(rate?), Expression::Argument), number(phase?));
    let swing = product(number(amplitude?), Expression::Call(Function::Sin, Box::new(angle)));
    Some(sum(number(offset?), swing))
}

fn number(value: f64) -> Expression {
    Expression::Number(value)
}

fn sum(one: Expression, other: Expression) -> Expression {
    Expression::Sum(Box::new(one), Box::new(other))
}

fn product(one: Expression, other: Expression) -> Expression {
    Expression::Product(Box::new(one), Box::new(other))
}

/// The name of a function in `expression` that bends or jumps as its argument moves, if there is
/// one.
fn kink(expression: &Expression) -> Option<&'static str> {
    let moves = expression.depends_on_argument() || expression.depends_on_motion();
    let own = match expression {
        // Whether its argument comes across the jump is the user's affair.
        Expression::Atan2(..) => None,
        smooth if smooth.smoothness() == Smoothness::Smooth => None,
        Expression::Call(function, _) => {
            FUNCTIONS.iter().find(|(_, known)| known == function).map(|(name, _)| *name)
        }
        Expression::Least(..) => Some("min"),
        Expression::Greatest(..) => Some("max"),
        Expression::Less(..) => Some("<"),
        Expression::Lookup(table, _) => Some(table.interpolation.name()),
        _ => Some("select"),
    };
    own.filter(|_| moves).or_else(|| expression.parts().into_iter().find_map(kink))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bends_are_found_where_the_argument_is() {
        let names =
            Vocabulary { variable: Some("t"), constants: &[], inputs: None, tables: &[], units: false };
        let bends = |text| kink(&parse(text, names).unwrap());
        assert_eq!(bends("abs(2)*t + min(1, 2)"), None);
        assert_eq!(bends("2*abs(t - 1)^2"), Some("abs"));
        assert_eq!(bends("sin(step(-t))"), Some("step"));
        assert_eq!(bends("1/max(3, t)"), Some("max"));
        assert_eq!(bends("-min(t, 1)"), Some("min"));
        assert_eq!(bends("2*(t < 1)"), Some("<"));
        assert_eq!(bends("select(1, t, 2)"), Some("select"));
    }
}
