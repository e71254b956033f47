//! Functions as the user wrote them: of time `t`, of the place `x` along a curve, and of the motion, as far as it is measured.

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
    /// A number of the motion.
    Input(MotionInput),
    Negative(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    /// To a whole power.
    Power(Box<Expression>, i32),
    /// To any power, of a base that is not negative.
    RealPower(Box<Expression>, Box<Expression>),
    /// The angle of the point (x, y) from the x axis, of y and x.
    Atan2(Box<Expression>, Box<Expression>),
    Call(Function, Box<Expression>),
    Least(Box<Expression>, Box<Expression>),
    Greatest(Box<Expression>, Box<Expression>),
    /// 1 where the first is less than the second, else 0.
    Less(Box<Expression>, Box<Expression>),
    /// The second where the first is not 0, else the third.
    Select(Box<[Expression; 3]>),
    Spline(Spline),
}

/// A number of the motion that an expression uses, by its position in lists of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionInput {
    /// In [`Mechanism::sensors`](super::Mechanism::sensors).
    Sensor(usize),
    /// In [`Mechanism::states`](super::Mechanism::states).
    State(usize),
    /// In [`Mechanism::signals`](super::Mechanism::signals).
    Signal(usize),
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
    /// The natural logarithm.
    Log,
    Asin,
    Acos,
    Abs,
    /// -1, 0 or 1.
    Sign,
    /// 0 before 0, 1 from there on.
    Step,
    /// From 0 at 0 to 1 at 1 by 10 x³ - 15 x⁴ + 6 x⁵, constant before and after: twice continuously differentiable.
    SmoothStep,
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

/// Where the value of an expression is no smooth function of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Smoothness {
    Smooth,
    /// Its slope jumps somewhere.
    Bends,
    /// Its value jumps somewhere.
    Jumps,
}

impl Expression {
    /// How smooth its value is as its parts move, these aside.
    pub fn smoothness(&self) -> Smoothness {
        match self {
            Expression::Least(..) | Expression::Greatest(..) | Expression::Call(Function::Abs, _) => {
                Smoothness::Bends
            }
            Expression::Less(..)
            | Expression::Select(_)
            | Expression::Atan2(..)
            | Expression::Call(Function::Step | Function::Sign, _) => Smoothness::Jumps,
            _ => Smoothness::Smooth,
        }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Number(_)
            | Expression::Argument
            | Expression::Constant(_)
            | Expression::Input(_)
            | Expression::Spline(_) => Vec::new(),
            Expression::Negative(a) | Expression::Power(a, _) | Expression::Call(_, a) => vec![a],
            Expression::Sum(a, b)
            | Expression::Difference(a, b)
            | Expression::Product(a, b)
            | Expression::Quotient(a, b)
            | Expression::RealPower(a, b)
            | Expression::Atan2(a, b)
            | Expression::Least(a, b)
            | Expression::Greatest(a, b)
            | Expression::Less(a, b) => vec![a, b],
            Expression::Select(parts) => parts.iter().collect(),
        }
    }

    /// Whether this is true of it or of anything that it is made of.
    pub fn any(&self, is: &impl Fn(&Expression) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// Whether the variable occurs in it.
    pub fn depends_on_argument(&self) -> bool {
        self.any(&|part| matches!(part, Expression::Argument | Expression::Spline(_)))
    }

    /// Whether a number of the motion occurs in it.
    pub fn depends_on_motion(&self) -> bool {
        self.any(&|part| matches!(part, Expression::Input(_)))
    }

    /// The numbers of the motion that occur in it.
    pub fn inputs(&self) -> Vec<MotionInput> {
        let own = match self {
            Expression::Input(input) => vec![*input],
            _ => Vec::new(),
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Expression::inputs)).collect()
    }
}
