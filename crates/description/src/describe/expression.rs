//! Functions as the user wrote them: of time `t`, of the place `x` along a curve, and of the
//! motion, as far as it is measured.

use std::borrow::Cow;
use std::sync::Arc;

/// A scalar function, in SI units, as a tree. Constants of the mechanism stay by their position,
/// because an ensemble may vary them.
#[derive(Clone, Debug, PartialEq)]
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
    /// A table at the value of an expression.
    Lookup(Box<FunctionTable>, Box<Expression>),
}

/// A number of the motion that an expression uses, by its position in lists of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionInput {
    /// In [`Mechanism::sensors`](super::Mechanism::sensors).
    Sensor(usize),
    /// In [`Mechanism::states`](super::Mechanism::states).
    State(usize),
    /// In [`Mechanism::signals`](super::Mechanism::signals).
    Signal(usize),
    /// The value at which a sampled signal there was held before this instant.
    Held(usize),
}

/// Functions that an expression may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// From 0 at 0 to 1 at 1 by 10 x³ - 15 x⁴ + 6 x⁵, constant before and after: twice continuously
    /// differentiable.
    SmoothStep,
}

/// A function that is given by values at some arguments; constant before the first and from the
/// last on.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionTable {
    /// By which expressions call it; `None`: it is the function of one element alone.
    pub name: Option<String>,
    /// Ascending, at least two.
    pub knots: Vec<f64>,
    pub values: Vec<f64>,
    pub interpolation: Interpolation,
    /// At the knots, of cubics; empty: there are none.
    pub slopes: Vec<f64>,
    /// Columns of which each instance has one, by the number `NAME.column`; empty: all have the
    /// values above. Else those values are the first column's.
    pub columns: Arc<[TableColumn]>,
    /// Where values and slopes of an instance's column stand among the
    /// [called numbers](super::Mechanism::called).
    pub first: usize,
}

/// Values of a table in some instances.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    pub name: String,
    pub values: Vec<f64>,
    /// As of a [table](FunctionTable::slopes).
    pub slopes: Vec<f64>,
}

impl TableColumn {
    /// Values, then slopes.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        self.values.iter().chain(&self.slopes).copied()
    }
}

/// A way to join the values of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Each value holds until the next knot.
    Hold,
    /// By straight lines.
    Linear,
    /// By cubics that rise and fall where the values do.
    Monotone,
    /// By cubics: twice continuously differentiable inside unless the slopes are given, with zero
    /// slope at both ends.
    Cubic,
}

impl Interpolation {
    /// All, by their names in files.
    pub const ALL: [(&'static str, Interpolation); 4] = [
        ("cubic", Interpolation::Cubic),
        ("monotone", Interpolation::Monotone),
        ("linear", Interpolation::Linear),
        ("hold", Interpolation::Hold),
    ];

    pub fn name(self) -> &'static str {
        Interpolation::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

/// Where a table goes furthest beyond the two values beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overshoot {
    /// The knots on both sides.
    pub between: [f64; 2],
    /// Its value there (SI).
    pub value: f64,
    /// The value at a knot beyond which that is.
    pub beyond: f64,
}

impl FunctionTable {
    /// Count of called numbers that an instance's column takes; 0: all instances have the same
    /// values.
    pub fn called(&self) -> usize {
        if self.columns.is_empty() { 0 } else { self.values.len() + self.slopes.len() }
    }

    /// As it is in an instance with these [called numbers](super::Mechanism::called).
    pub fn of_instance(&self, called: &[f64]) -> Cow<'_, FunctionTable> {
        if self.columns.is_empty() {
            return Cow::Borrowed(self);
        }
        let (values, slopes) = called[self.first..][..self.called()].split_at(self.knots.len());
        Cow::Owned(self.with(values, slopes))
    }

    /// By column as it is in instances that have that.
    pub fn by_column(&self) -> Vec<Cow<'_, FunctionTable>> {
        match &self.columns[..] {
            [] => vec![Cow::Borrowed(self)],
            all => all.iter().map(|column| Cow::Owned(self.with(&column.values, &column.slopes))).collect(),
        }
    }

    fn with(&self, values: &[f64], slopes: &[f64]) -> FunctionTable {
        let (name, knots, columns) = (self.name.clone(), self.knots.clone(), Arc::default());
        let (values, slopes) = (values.to_vec(), slopes.to_vec());
        FunctionTable { name, knots, values, slopes, columns, ..*self }
    }

    /// c0 to c3 of `c0 + c1 s + c2 s² + c3 s³` with s from knot k on, until the next knot.
    pub fn cubic(&self, k: usize) -> [f64; 4] {
        let width = self.knots[k + 1] - self.knots[k];
        let rise = (self.values[k + 1] - self.values[k]) / width;
        match self.interpolation {
            Interpolation::Hold => [self.values[k], 0.0, 0.0, 0.0],
            Interpolation::Linear => [self.values[k], rise, 0.0, 0.0],
            Interpolation::Monotone | Interpolation::Cubic => {
                let (from, to) = (self.slopes[k], self.slopes[k + 1]);
                let second = (3.0 * rise - 2.0 * from - to) / width;
                let third = (from + to - 2.0 * rise) / (width * width);
                [self.values[k], from, second, third]
            }
        }
    }

    /// Where it goes beyond the values at both ends of an interval by most, if that is more than a
    /// hundredth of the range of all values.
    pub fn overshoot(&self) -> Option<Overshoot> {
        const SHARE: f64 = 0.01;
        let of_all = |pick: fn(f64, f64) -> f64| self.values.iter().copied().reduce(pick).unwrap_or(0.0);
        let range = of_all(f64::max) - of_all(f64::min);
        let overshoot = |k: usize| {
            let [c0, c1, c2, c3] = self.cubic(k);
            let (from, to) = (self.knots[k], self.knots[k + 1]);
            let (low, high) =
                (self.values[k].min(self.values[k + 1]), self.values[k].max(self.values[k + 1]));
            // c1 + 2 c2 s + 3 c3 s² = 0, by the form of the solution that is no difference of like
            // numbers.
            let root = (c2 * c2 - 3.0 * c1 * c3).sqrt();
            let q = -(c2 + root.copysign(c2));
            let inside = [q / (3.0 * c3), c1 / q].into_iter().filter(|s| *s > 0.0 && *s < to - from);
            let beyond = inside.map(|s| c0 + s * (c1 + s * (c2 + s * c3))).map(|value| Overshoot {
                between: [from, to],
                value,
                beyond: value.clamp(low, high),
            });
            beyond.max_by(|a, b| a.by().total_cmp(&b.by()))
        };
        let all = (0..self.knots.len() - 1).filter_map(overshoot);
        all.max_by(|a, b| a.by().total_cmp(&b.by())).filter(|most| most.by() > SHARE * range)
    }
}

impl Overshoot {
    /// By how much it goes beyond.
    pub fn by(&self) -> f64 {
        (self.value - self.beyond).abs()
    }
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
    /// The smoothness of its value as a function of its parts.
    pub fn smoothness(&self) -> Smoothness {
        match self {
            Expression::Least(..) | Expression::Greatest(..) | Expression::Call(Function::Abs, _) => {
                Smoothness::Bends
            }
            Expression::Less(..)
            | Expression::Select(_)
            | Expression::Atan2(..)
            | Expression::Call(Function::Step | Function::Sign, _) => Smoothness::Jumps,
            Expression::Lookup(table, _) => match table.interpolation {
                Interpolation::Hold => Smoothness::Jumps,
                Interpolation::Linear => Smoothness::Bends,
                // Beyond its ends it is constant.
                Interpolation::Monotone | Interpolation::Cubic => {
                    let ends = |slopes: &[f64]| [slopes.first(), slopes.last()] == [Some(&0.0); 2];
                    match ends(&table.slopes) && table.columns.iter().all(|column| ends(&column.slopes)) {
                        true => Smoothness::Smooth,
                        false => Smoothness::Bends,
                    }
                }
            },
            _ => Smoothness::Smooth,
        }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Number(_) | Expression::Argument | Expression::Constant(_) | Expression::Input(_) => {
                Vec::new()
            }
            Expression::Negative(a)
            | Expression::Power(a, _)
            | Expression::Call(_, a)
            | Expression::Lookup(_, a) => vec![a],
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

    /// Whether it has no value for some numbers, such as the logarithm of negative ones.
    pub(crate) fn is_partial(&self) -> bool {
        let partial = [Function::Sqrt, Function::Log, Function::Asin, Function::Acos];
        self.any(&|part| match part {
            Expression::RealPower(..) => true,
            Expression::Call(function, _) => partial.contains(function),
            _ => false,
        })
    }

    /// By how much it jumps where an angle in it goes on a turn away; `of_signals`: by how much
    /// these do.
    pub fn turn(&self, of_signals: &[Option<f64>]) -> Option<f64> {
        match self {
            Expression::Atan2(..) => Some(std::f64::consts::TAU),
            Expression::Input(MotionInput::Signal(k)) => *of_signals.get(*k)?,
            Expression::Negative(a) => a.turn(of_signals),
            Expression::Sum(a, b) | Expression::Difference(a, b) => {
                a.turn(of_signals).xor(b.turn(of_signals))
            }
            Expression::Product(a, b) => match a.number() {
                Some(factor) => b.turn(of_signals).map(|turn| (factor * turn).abs()),
                None => a.turn(of_signals).and_then(|turn| Some((b.number()? * turn).abs())),
            },
            Expression::Quotient(a, b) => {
                a.turn(of_signals).and_then(|turn| Some((turn / b.number()?).abs()))
            }
            _ => None,
        }
    }

    /// The number that it is, if it is a product or quotient of numbers.
    fn number(&self) -> Option<f64> {
        match self {
            Expression::Number(x) => Some(*x),
            Expression::Negative(a) => a.number().map(|x| -x),
            Expression::Product(a, b) => Some(a.number()? * b.number()?),
            Expression::Quotient(a, b) => Some(a.number()? / b.number()?),
            _ => None,
        }
    }

    /// Whether the variable occurs in it.
    pub fn depends_on_argument(&self) -> bool {
        self.any(&|part| matches!(part, Expression::Argument))
    }

    /// Whether a number of the motion occurs in it.
    pub fn depends_on_motion(&self) -> bool {
        self.any(&|part| matches!(part, Expression::Input(_)))
    }

    /// Whether it jumps or bends by itself, somewhere; a table at its ends.
    pub fn branches(&self) -> bool {
        self.smoothness() != Smoothness::Smooth || matches!(self, Expression::Lookup(..))
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
