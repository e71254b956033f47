//! Reads functions of time and motion, and curves, in any of their forms: a quantity, an expression, a polynomial, a harmonic
//! oscillation or a table of values. All become an `Expression`.

use std::f64::consts::TAU;

use super::document::{Node, Table};
use super::expression_text::{ExpressionError, FUNCTIONS, InputNames, Vocabulary, parse, parse_vector};
use super::keys::{CURVE, CURVE_TABLE, FUNCTION, FUNCTION_TABLE, HARMONIC};
use super::read_mechanism::three;
use crate::base::units::{Dimension, UnitError, parse_quantity};
use crate::describe::expression::{Expression, Function, Smoothness, Spline};
use crate::describe::mechanism::Constant;

/// Most coefficients of a polynomial.
const MAX_COEFFICIENTS: usize = 20;
/// Most knots of a table.
const MAX_KNOTS: usize = 200;

/// What the argument of an expression is.
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

/// What is asked of a function.
#[derive(Clone, Copy)]
pub(super) struct FunctionRequirements<'c> {
    pub variable: Variable,
    /// Of its value.
    pub dimension: Dimension,
    /// `None` where they could not be read.
    pub constants: Option<&'c [Constant]>,
    /// The numbers of the motion that it may use; `None`: none.
    pub inputs: Option<&'c dyn InputNames>,
    /// Who needs derivatives, and how many, for messages; `None`: nobody.
    pub derivatives: Option<&'static str>,
}

/// The function that stands here.
pub(super) fn function(node: &Node<'_>, asked: FunctionRequirements<'_>) -> Option<Expression> {
    let expression = if node.is_text() {
        of_text(node, asked)?
    } else if node.is_table() && !node.has_key("value") {
        of_table(node, asked)?
    } else if node.is_list() {
        node.refuse("one function", "give a number, a quantity, an expression or a table");
        return None;
    } else {
        Expression::Number(node.quantity(asked.dimension)?)
    };
    if let (Some(who), Some(name)) = (asked.derivatives, kink(&expression)) {
        node.report(format!("`{name}` has no derivative where it bends, and {who}"), |problem| {
            problem.advise("use a smooth function, such as tanh or { table = .. }")
        });
        return None;
    }
    Some(expression)
}

/// A quantity if it reads as one, else an expression.
fn of_text(node: &Node<'_>, asked: FunctionRequirements<'_>) -> Option<Expression> {
    let text = node.text()?;
    match parse_quantity(text, asked.dimension) {
        Ok(value) => return Some(Expression::Number(value)),
        // A quantity all the same, of something else.
        Err(error @ (UnitError::Dimension { .. } | UnitError::TooLarge)) => {
            let example = format!("2*{}", asked.variable.name());
            node.report(format!("{} {error}", node.source()), |problem| {
                let advice = asked.dimension.advice();
                problem.advise(format!("{advice}, or an expression such as \"{example}\""))
            });
            return None;
        }
        Err(UnitError::NoNumber | UnitError::NoUnit | UnitError::UnknownUnit { .. })
        | Err(UnitError::Syntax { .. } | UnitError::Ambiguous) => {}
    }
    parsed(node, asked, parse)
}

/// What `parse` makes of the text that stands here.
fn parsed<T>(
    node: &Node<'_>,
    asked: FunctionRequirements<'_>,
    parse: impl FnOnce(&str, Vocabulary<'_>) -> Result<T, ExpressionError>,
) -> Option<T> {
    let names = Vocabulary {
        variable: Some(asked.variable.name()),
        constants: asked.constants?,
        inputs: asked.inputs,
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
pub(super) fn three_functions(node: &Node<'_>, asked: FunctionRequirements<'_>) -> Option<[Expression; 3]> {
    match node.is_text() {
        true => parsed(node, asked, parse_vector),
        false => three(node, |node| function(node, asked)),
    }
}

/// The one form that is given. An unknown name in its place is reported as such already.
fn form(node: &Node<'_>, table: &Table<'_>, forms: &[&'static str]) -> Option<&'static str> {
    let none = !forms.iter().any(|form| table.has(form));
    if none && !node.map()?.is_empty() { None } else { table.exactly_one(forms) }
}

fn of_table(node: &Node<'_>, asked: FunctionRequirements<'_>) -> Option<Expression> {
    match asked.variable {
        Variable::Time => {
            let table = node.table(&FUNCTION)?;
            match form(node, &table, &["polynomial", "harmonic", "table"])? {
                "polynomial" => polynomial(&table.get("polynomial")?),
                "harmonic" => harmonic(&table.get("harmonic")?.table(&HARMONIC)?, asked.dimension),
                _ => {
                    let table = table.get("table")?;
                    spline(&table.table(&FUNCTION_TABLE)?, "times", Dimension::Time, asked.dimension)
                }
            }
        }
        Variable::Place => {
            let table = node.table(&CURVE)?;
            match form(node, &table, &["polynomial", "table"])? {
                "polynomial" => polynomial(&table.get("polynomial")?),
                _ => {
                    let table = table.get("table")?;
                    spline(&table.table(&CURVE_TABLE)?, "places", Dimension::Length, asked.dimension)
                }
            }
        }
    }
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
fn harmonic(table: &Table<'_>, dimension: Dimension) -> Option<Expression> {
    let amplitude = table.get("amplitude").and_then(|node| node.quantity(dimension));
    let rate = match table.exactly_one(&["frequency", "angular_frequency"]) {
        Some("frequency") => {
            table.get("frequency").and_then(|node| node.quantity(Dimension::Frequency)).map(|f| TAU * f)
        }
        Some(_) => table.get("angular_frequency").and_then(|node| node.quantity(Dimension::AngularSpeed)),
        None => None,
    };
    let phase = table.get("phase").and_then(|node| node.quantity(Dimension::Angle));
    let offset = table.get("offset").and_then(|node| node.quantity(dimension));
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

/// A table of values, with the slopes of the clamped cubic spline unless it gives its own.
fn spline(table: &Table<'_>, at: &str, along: Dimension, dimension: Dimension) -> Option<Expression> {
    let knots = table.get(at).and_then(|node| {
        let knots = node.quantities(along)?;
        if !(2..=MAX_KNOTS).contains(&knots.len()) {
            let found = format!("the number of entries is {}, not 2 to {MAX_KNOTS}", knots.len());
            node.report(found, |problem| problem);
            return None;
        }
        if let Some(k) = knots.windows(2).position(|pair| pair[0] >= pair[1]) {
            let found = format!("is not ascending: {:?} comes before {:?}", knots[k], knots[k + 1]);
            node.report(found, |problem| problem.advise("put the entries in ascending order, each once"));
            return None;
        }
        Some(knots)
    });
    let count = knots.as_ref().map(Vec::len);
    let as_many = |node: &Node<'_>, values: Vec<f64>| {
        let wanted = count.filter(|count| *count != values.len());
        if let Some(wanted) = wanted {
            let found = format!("has {} entries, but `{at}` has {wanted}", values.len());
            node.report(found, |problem| problem);
        }
        wanted.is_none().then_some(values)
    };
    let values = table.get("values").and_then(|node| as_many(&node, node.quantities(dimension)?));
    let slopes = table.get("slopes").map(|node| {
        let slopes = as_many(&node, node.numbers()?)?;
        if [slopes.first(), slopes.last()] != [Some(&0.0); 2] {
            node.report("the first and the last slope are not 0", |problem| {
                problem.advise("beyond its ends the function is constant")
            });
            return None;
        }
        Some(slopes)
    });
    let (knots, values) = (knots?, values?);
    let slopes = match slopes {
        Some(slopes) => slopes?,
        None => clamped(&knots, &values),
    };
    if slopes.iter().any(|slope| !slope.is_finite()) {
        table.report("the slopes between the values are too steep for numbers", |problem| problem);
        return None;
    }
    Some(Expression::Spline(Spline { knots, values, slopes }))
}

/// The slopes s that make the second derivative continuous at the inner knots, with s = 0 at both ends. With
/// `h_i = x_(i+1) - x_i` and `d_i = (y_(i+1) - y_i) / h_i`:
///
/// ```text
/// s_(i-1) / h_(i-1) + 2 (1 / h_(i-1) + 1 / h_i) s_i + s_(i+1) / h_i = 3 (d_(i-1) / h_(i-1) + d_i / h_i)
/// ```
///
/// a tridiagonal system, diagonally dominant, so that elimination without pivoting is stable.
fn clamped(knots: &[f64], values: &[f64]) -> Vec<f64> {
    let n = knots.len();
    let inverse: Vec<f64> = knots.windows(2).map(|x| 1.0 / (x[1] - x[0])).collect();
    let secant: Vec<f64> =
        values.windows(2).zip(&inverse).map(|(y, inverse)| (y[1] - y[0]) * inverse).collect();
    let mut slopes = vec![0.0; n];
    // After elimination row i reads: s_i + upper_i s_(i+1) = slopes_i.
    let mut upper = vec![0.0; n];
    for i in 1..n - 1 {
        let pivot = 2.0 * (inverse[i - 1] + inverse[i]) - inverse[i - 1] * upper[i - 1];
        upper[i] = inverse[i] / pivot;
        let right = 3.0 * (secant[i - 1] * inverse[i - 1] + secant[i] * inverse[i]);
        slopes[i] = (right - inverse[i - 1] * slopes[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        slopes[i] -= upper[i] * slopes[i + 1];
    }
    slopes
}

/// The name of a function in `expression` that bends or jumps as its argument moves, if there is one.
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
        _ => Some("select"),
    };
    own.filter(|_| moves).or_else(|| expression.parts().into_iter().find_map(kink))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x^2 (3 - 2 x) has zero slope at 0 and 1: a cubic is its own spline.
    #[test]
    fn a_cubic_is_its_own_spline() {
        let knots = [0.0, 0.1, 0.35, 0.5, 0.8, 1.0];
        let values = knots.map(|x: f64| x * x * (3.0 - 2.0 * x));
        for (x, slope) in knots.iter().zip(clamped(&knots, &values)) {
            assert!((slope - 6.0 * x * (1.0 - x)).abs() < 1e-14, "{x}: {slope}");
        }
        assert_eq!(clamped(&[0.0, 2.0], &[1.0, 5.0]), [0.0, 0.0]);
    }

    #[test]
    fn bends_are_found_where_the_argument_is() {
        let names = Vocabulary { variable: Some("t"), constants: &[], inputs: None, units: false };
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
