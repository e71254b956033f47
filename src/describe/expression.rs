//! Functions of one variable as the user wrote them: time `t`, or the place `x` along a curve.

use serde::Serialize;

/// A scalar function, in SI units, as a tree. Constants of the mechanism stay by their position, because an ensemble
/// may vary them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expression {
    Number(f64),
    /// The variable.
    Argument,
    /// Position in [`Mechanism::constants`](super::Mechanism::constants).
    Constant(usize),
    Negative(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    /// To a whole power.
    Power(Box<Expression>, i32),
    Call(Function, Box<Expression>),
    Least(Box<Expression>, Box<Expression>),
    Greatest(Box<Expression>, Box<Expression>),
    Spline(Spline),
}

/// What an expression may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Tanh,
    Sqrt,
    Abs,
    /// 0 before 0, 1 from there on.
    Step,
}

/// A table of values, joined by cubics: twice continuously differentiable inside, with zero slope at both ends and constant
/// beyond them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spline {
    /// Ascending, at least two.
    pub knots: Vec<f64>,
    pub values: Vec<f64>,
    /// At the knots.
    pub slopes: Vec<f64>,
}

impl Expression {
    /// Whether the variable occurs in it.
    pub fn depends_on_argument(&self) -> bool {
        match self {
            Expression::Number(_) | Expression::Constant(_) => false,
            Expression::Argument | Expression::Spline(_) => true,
            Expression::Negative(a) | Expression::Power(a, _) | Expression::Call(_, a) => {
                a.depends_on_argument()
            }
            Expression::Sum(a, b)
            | Expression::Difference(a, b)
            | Expression::Product(a, b)
            | Expression::Quotient(a, b)
            | Expression::Least(a, b)
            | Expression::Greatest(a, b) => a.depends_on_argument() || b.depends_on_argument(),
        }
    }
}
