//! Expressions of the description as truncated Taylor series, with the functions of the standard
//! library.
//!
//! ```text
//! (f o x) = f + s f' x' + s²/2 (f'' x'² + f' x'') + ...
//! ```
//!
//! A kink has the derivatives of the branch taken: `Abs` that of -x for x < 0, else of x; `Step`
//! and `Sign` none; `Least` those of its first argument where a <= b, `Greatest` where a >= b. A
//! table is constant for x before its first knot and from its last knot on; between, knot i belongs
//! to the interval that begins there.

use polhode_description::describe::expression::{
    Expression, Function, FunctionTable, Interpolation, MotionInput,
};
use polhode_description::describe::switches::{Bends, bends, jump_switches, sign_changes};

use super::series::Series;

/// The numbers that expressions use at one instant.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// (s)
    pub time: f64,
    /// Those of the instance.
    pub constants: Vec<f64>,
    /// The values that its sensors measure.
    pub sensors: Vec<f64>,
    /// The values of the states of laws.
    pub states: Vec<f64>,
    /// The values of its signals, as far as they are known.
    pub signals: Vec<f64>,
    /// By signal the value at which it was held before, where signals are sampled.
    pub held: Vec<f64>,
    /// Values beside this instant, where the mean of both sides counts.
    pub beside: Option<Box<Given>>,
}

impl Given {
    /// The value of an expression.
    pub fn value(&self, expression: &Expression) -> f64 {
        let here = evaluate(expression, Series::constant(self.time), self).value;
        match &self.beside {
            Some(beside) => 0.5 * (here + beside.value(expression)),
            None => here,
        }
    }
}

/// A time with those beside it at which expressions that branch are taken: none, one side of it, or
/// both, whose mean counts.
#[derive(Clone, Debug)]
pub struct SidedTime {
    /// (s)
    pub time: f64,
    sides: Vec<f64>,
}

impl SidedTime {
    /// The time itself.
    pub fn at(time: f64) -> SidedTime {
        SidedTime { time, sides: Vec::new() }
    }

    /// Only the side after it.
    pub fn after(time: f64, scale: f64) -> SidedTime {
        SidedTime { time, sides: vec![time + rounding(time, scale)] }
    }

    /// As seen from between `from` and `until`: at either end from inside.
    pub fn within(from: f64, until: f64, time: f64) -> SidedTime {
        let bits = rounding(time, until - from);
        let (before, after) = (time - bits, time + bits);
        let sides = if time <= from {
            vec![after]
        } else if time >= until {
            vec![before]
        } else {
            vec![before, after]
        };
        SidedTime { time, sides }
    }

    /// The mean over its sides of what `value` is there, for an expression.
    fn mean<T>(&self, expression: &Expression, value: impl Fn(f64) -> T, mean: impl Fn(T, T) -> T) -> T {
        match self.sides[..] {
            [one] if expression.any(&may_branch) => value(one),
            [before, after] if expression.any(&may_branch) => mean(value(before), value(after)),
            _ => value(self.time),
        }
    }

    /// An expression of time alone, with its derivatives.
    pub fn series(&self, expression: &Expression, constants: &[f64]) -> Series<f64> {
        let value = |time| at(expression, time, constants);
        self.mean(expression, value, |a, b| a.plus(b).times(0.5))
    }

    /// The times at which laws are looked at: one, or both of which the mean counts.
    pub fn looks(&self) -> &[f64] {
        if self.sides.is_empty() { std::slice::from_ref(&self.time) } else { &self.sides }
    }
}

/// By how much a time (s) may be off what was meant, and what is beside it.
fn rounding(time: f64, scale: f64) -> f64 {
    8.0 * f64::EPSILON * time.abs().max(scale)
}

/// Whether it branches, or may call what does.
fn may_branch(expression: &Expression) -> bool {
    expression.branches() || matches!(expression, Expression::Input(MotionInput::Signal(_)))
}

/// The expression at `x`, numbers of the motion as they are given.
pub fn evaluate(expression: &Expression, x: Series<f64>, given: &Given) -> Series<f64> {
    let value = |expression: &Expression| evaluate(expression, x, given);
    match expression {
        Expression::Number(value) => Series::constant(*value),
        Expression::Argument => x,
        Expression::Constant(k) => Series::constant(given.constants[*k]),
        Expression::Input(MotionInput::Sensor(k)) => Series::constant(given.sensors[*k]),
        Expression::Input(MotionInput::State(k)) => Series::constant(given.states[*k]),
        Expression::Input(MotionInput::Signal(k)) => Series::constant(given.signals[*k]),
        Expression::Input(MotionInput::Held(k)) => Series::constant(given.held[*k]),
        Expression::Negative(a) => value(a).times(-1.0),
        Expression::Sum(a, b) => value(a).plus(value(b)),
        Expression::Difference(a, b) => value(a).minus(value(b)),
        Expression::Product(a, b) => value(a).product(value(b)),
        Expression::Quotient(a, b) => {
            let b = value(b);
            let inverse = b.value.recip();
            let powers = [inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse];
            value(a).product(b.through(powers))
        }
        Expression::Power(a, n) => {
            let a = value(a);
            // A factor of zero beside an infinite power of zero is zero: the power is lower than
            // its derivative.
            let part = |factor: f64, n: i32| if factor == 0.0 { 0.0 } else { factor * a.value.powi(n) };
            let exponent = f64::from(*n);
            a.through([a.value.powi(*n), part(exponent, n - 1), part(exponent * (exponent - 1.0), n - 2)])
        }
        Expression::RealPower(a, b) => real_power(value(a), value(b)),
        Expression::Atan2(y, x) => angle(value(y), value(x)),
        Expression::Call(function, a) => call(*function, value(a)),
        Expression::Least(a, b) => {
            let (a, b) = (value(a), value(b));
            if a.value <= b.value { a } else { b }
        }
        Expression::Greatest(a, b) => {
            let (a, b) = (value(a), value(b));
            if a.value >= b.value { a } else { b }
        }
        Expression::Less(a, b) => Series::constant(if value(a).value < value(b).value { 1.0 } else { 0.0 }),
        Expression::Select(parts) => {
            let [condition, one, other] = &**parts;
            if value(condition).value != 0.0 { value(one) } else { value(other) }
        }
        Expression::Lookup(table, a) => {
            let a = value(a);
            a.through(interpolated(&table.of_instance(&given.constants), a.value))
        }
    }
}

/// The expression, of its argument alone, and its first two derivatives by it.
pub fn at(expression: &Expression, x: f64, constants: &[f64]) -> Series<f64> {
    along(expression, Series::variable(x), constants)
}

/// The expression, of its argument alone, along a motion of that.
pub fn along(expression: &Expression, x: Series<f64>, constants: &[f64]) -> Series<f64> {
    evaluate(expression, x, &Given { constants: constants.to_vec(), ..Given::default() })
}

fn call(function: Function, a: Series<f64>) -> Series<f64> {
    let x = a.value;
    a.through(match function {
        Function::Sin => [x.sin(), x.cos(), -x.sin()],
        Function::Cos => [x.cos(), -x.sin(), -x.cos()],
        Function::Tan => {
            let (tan, square) = (x.tan(), 1.0 + x.tan().powi(2));
            [tan, square, 2.0 * tan * square]
        }
        Function::Exp => [x.exp(); 3],
        Function::Tanh => {
            let tanh = x.tanh();
            // 1 - tanh², without cancellation.
            let first = x.cosh().powi(-2);
            [tanh, first, -2.0 * tanh * first]
        }
        Function::Sqrt => {
            let root = x.sqrt();
            [root, 0.5 / root, -0.25 / (x * root)]
        }
        Function::Log => [x.ln(), x.recip(), -x.powi(-2)],
        Function::Asin => [x.asin(), (1.0 - x * x).powf(-0.5), x * (1.0 - x * x).powf(-1.5)],
        Function::Acos => [x.acos(), -(1.0 - x * x).powf(-0.5), -x * (1.0 - x * x).powf(-1.5)],
        Function::Sign => [if x == 0.0 { 0.0 } else { x.signum() }, 0.0, 0.0],
        Function::Abs if x < 0.0 => [-x, -1.0, 0.0],
        Function::Abs => [x, 1.0, 0.0],
        Function::Step => [if x < 0.0 { 0.0 } else { 1.0 }, 0.0, 0.0],
        Function::SmoothStep if x <= 0.0 => [0.0; 3],
        Function::SmoothStep if x >= 1.0 => [1.0, 0.0, 0.0],
        Function::SmoothStep => {
            let left = 1.0 - x;
            [
                x.powi(3) * (10.0 + x * (6.0 * x - 15.0)),
                30.0 * (x * left).powi(2),
                60.0 * x * left * (1.0 - 2.0 * x),
            ]
        }
    })
}

/// `x^y = e^g`, `g = y log x`: `f' = f g'`, `f'' = f (g'' + g'²)`. NaN of x < 0; of 0 without
/// derivatives.
fn real_power(x: Series<f64>, y: Series<f64>) -> Series<f64> {
    match x.value {
        0.0 => Series::constant(0f64.powf(y.value)),
        base if base < 0.0 => Series::constant(f64::NAN),
        base => y.product(call(Function::Log, x)).through([base.powf(y.value); 3]),
    }
}

/// The angle of (x, y), 0 in the origin:
///
/// ```text
/// r² = x² + y²,  c = x y' - y x',  angle' = c/r²,  angle'' = (c' - 2 c (x x' + y y')/r²)/r²
/// ```
fn angle(y: Series<f64>, x: Series<f64>) -> Series<f64> {
    let square = x.value * x.value + y.value * y.value;
    if square == 0.0 {
        return Series::constant(0.0);
    }
    let across = x.value * y.rate - y.value * x.rate;
    let along = x.value * x.rate + y.value * y.rate;
    let change = x.value * y.second - y.value * x.second;
    Series {
        value: y.value.atan2(x.value),
        rate: across / square,
        second: (change - 2.0 * across * along / square) / square,
    }
}

/// Value, first and second derivative of what joins the values at both ends of x's interval: the
/// left value, the straight line, or the cubic with the given slopes.
fn interpolated(table: &FunctionTable, x: f64) -> [f64; 3] {
    let FunctionTable { knots, values, slopes, interpolation, .. } = table;
    let last = knots.len() - 1;
    if x < knots[0] {
        return [values[0], 0.0, 0.0];
    }
    if x >= knots[last] {
        return [values[last], 0.0, 0.0];
    }
    let i = knots.partition_point(|knot| *knot <= x) - 1;
    let width = knots[i + 1] - knots[i];
    let rise = (values[i + 1] - values[i]) / width;
    let s = x - knots[i];
    match interpolation {
        Interpolation::Hold => [values[i], 0.0, 0.0],
        Interpolation::Linear => [values[i] + rise * s, rise, 0.0],
        Interpolation::Monotone | Interpolation::Cubic => {
            // c0 + c1 s + c2 s² + c3 s³
            let (c0, c1) = (values[i], slopes[i]);
            let c2 = (3.0 * rise - 2.0 * slopes[i] - slopes[i + 1]) / width;
            let c3 = (slopes[i] + slopes[i + 1] - 2.0 * rise) / (width * width);
            [c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2.0 * c2 + 3.0 * s * c3), 2.0 * c2 + 6.0 * s * c3]
        }
    }
}

/// The arguments between `from` and `until` at which the expression has a kink or a jump: knots of
/// its tables, and where its branches change by it alone, as far as a thousandth of the interval
/// shows them.
pub fn kinks(expression: &Expression, from: f64, until: f64, constants: &[f64]) -> Vec<f64> {
    let Bends { knots, switches } = bends(expression);
    let value = |switch: &Expression, x: f64| at(switch, x, constants).value;
    let changes = sign_changes(&switches, from, until, value);
    let inside = |x: &f64| (from..=until).contains(x);
    knots.into_iter().chain(changes).filter(inside).collect()
}

/// Halvings of the interval in which [`longest_step`] looks, and the share of the integral of |f|
/// that steps may miss.
const LOOKED_AT: u32 = 16;
const MISSED: f64 = 0.01;

/// The longest step h, `until` over a power of two, that meets a function of time from 0 to
/// `until`: over it, and over all shorter ones, Simpson's rule for each step is off by less than
/// 1 % of the integral of |f| in all. A pulse between two evaluations is met by none.
pub fn longest_step(expression: &Expression, until: f64, constants: &[f64]) -> f64 {
    let given = Given { constants: constants.to_vec(), ..Given::default() };
    let count = 1usize << LOOKED_AT;
    let value = |k: usize| {
        let time = until * k as f64 / count as f64;
        Some(evaluate(expression, Series::constant(time), &given).value)
            .filter(|f| f.is_finite())
            .unwrap_or(0.0)
    };
    let values: Vec<f64> = (0..=count).map(value).collect();
    let size: f64 = values.iter().map(|f| f.abs()).sum();
    // By step: trapezia over all values between, against Simpson's rule of three.
    let missed = |width: usize| -> f64 {
        let steps = values.windows(width + 1).step_by(width);
        let difference = |f: &[f64]| {
            let inner: f64 = f[1..width].iter().sum();
            let whole = inner + 0.5 * (f[0] + f[width]);
            (whole - width as f64 * (f[0] + 4.0 * f[width / 2] + f[width]) / 6.0).abs()
        };
        steps.map(difference).sum()
    };
    let widths = (1..=LOOKED_AT).map(|halvings| 1usize << halvings);
    let width = widths.take_while(|width| missed(*width) <= MISSED * size).last().unwrap_or(1);
    until * width as f64 / count as f64
}

/// As [`kinks`], the arguments alone at which its value jumps.
pub fn jumps(expression: &Expression, from: f64, until: f64, constants: &[f64]) -> Vec<f64> {
    let value = |switch: &Expression, x: f64| at(switch, x, constants).value;
    sign_changes(&jump_switches(expression), from, until, value)
}

/// The expressions at whose zeros a branch changes with the motion.
pub(crate) fn switches_of_motion(expression: &Expression) -> Vec<Expression> {
    let mut switches = bends(expression).switches;
    switches.retain(Expression::depends_on_motion);
    switches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(expression: Expression) -> Box<Expression> {
        Box::new(expression)
    }

    fn argument() -> Box<Expression> {
        boxed(Expression::Argument)
    }

    fn call(function: Function, a: Expression) -> Expression {
        Expression::Call(function, boxed(a))
    }

    /// Every kind of node, positive where a root is taken.
    fn all() -> Vec<Expression> {
        let (x, number) = (Expression::Argument, Expression::Number);
        let square = Expression::Power(argument(), 2);
        let shifted = Expression::Sum(boxed(square.clone()), boxed(Expression::Constant(0)));
        let table = |interpolation, argument| {
            let table = FunctionTable {
                name: None,
                knots: vec![-1.0, 0.5, 2.0, 3.0],
                values: vec![1.0, -0.5, 2.0, 0.25],
                interpolation,
                slopes: vec![0.0, 0.75, -1.5, 0.0],
                columns: Vec::new().into(),
                first: 0,
            };
            Expression::Lookup(Box::new(table), argument)
        };
        let mut all = vec![
            Expression::Negative(boxed(shifted.clone())),
            Expression::Difference(boxed(number(3.0)), argument()),
            Expression::Product(boxed(call(Function::Sin, x.clone())), boxed(shifted.clone())),
            Expression::Quotient(boxed(call(Function::Cos, x.clone())), boxed(shifted.clone())),
            Expression::Power(boxed(shifted.clone()), -3),
            Expression::Least(argument(), boxed(square.clone())),
            Expression::Greatest(argument(), boxed(square.clone())),
            table(Interpolation::Cubic, argument()),
            table(Interpolation::Linear, argument()),
            table(Interpolation::Hold, boxed(call(Function::Sin, x.clone()))),
        ];
        for function in [
            Function::Tan,
            Function::Exp,
            Function::Tanh,
            Function::Abs,
            Function::Step,
            Function::SmoothStep,
            Function::Sign,
        ] {
            all.push(call(function, x.clone()));
        }
        all.push(call(Function::Log, shifted.clone()));
        for function in [Function::Asin, Function::Acos] {
            all.push(call(function, Expression::Product(boxed(number(0.2)), argument())));
        }
        all.push(Expression::RealPower(boxed(shifted.clone()), boxed(call(Function::Cos, x.clone()))));
        all.push(Expression::Atan2(
            boxed(square),
            boxed(Expression::Sum(boxed(shifted.clone()), argument())),
        ));
        all.push(call(Function::Sqrt, shifted.clone()));
        all.push(call(Function::Exp, Expression::Negative(boxed(shifted))));
        all
    }

    #[test]
    fn series_are_the_derivatives() {
        let constants = [0.7];
        for expression in all() {
            for x in [-1.4, -0.6, 0.3, 0.8, 1.3, 2.7, 3.5] {
                let s = 1e-4;
                let value = |x: f64| at(&expression, x, &constants).value;
                let found = at(&expression, x, &constants);
                let rate = (value(x + s) - value(x - s)) / (2.0 * s);
                let second = (value(x + s) - 2.0 * value(x) + value(x - s)) / (s * s);
                let scale = 1.0 + found.rate.abs() + found.second.abs();
                assert!((found.rate - rate).abs() < 1e-5 * scale, "{expression:?} {x}");
                assert!((found.second - second).abs() < 1e-5 * scale, "{expression:?} {x}");
                // Along a motion x(s) = x + 2 s + 3/2 s².
                let moving = Series { value: x, rate: 2.0, second: 3.0 };
                let along = along(&expression, moving, &constants);
                let expected = 4.0 * found.second + 3.0 * found.rate;
                assert!((along.rate - 2.0 * found.rate).abs() < 1e-12 * scale, "{expression:?} {x}");
                assert!((along.second - expected).abs() < 1e-11 * scale, "{expression:?} {x}");
            }
        }
    }

    #[test]
    fn whole_powers_have_derivatives_at_zero() {
        let power = |n| at(&Expression::Power(argument(), n), 0.0, &[]);
        assert_eq!(power(0), Series { value: 1.0, rate: 0.0, second: 0.0 });
        assert_eq!(power(1), Series { value: 0.0, rate: 1.0, second: 0.0 });
        assert_eq!(power(2), Series { value: 0.0, rate: 0.0, second: 2.0 });
    }

    #[test]
    fn kinks_are_found_where_branches_change() {
        let shifted = Expression::Difference(argument(), boxed(Expression::Constant(0)));
        let step = call(Function::Step, shifted);
        assert_eq!(kinks(&step, 0.0, 2.0, &[0.7]), [0.7]);
        let table = all().swap_remove(7);
        assert_eq!(kinks(&table, 0.0, 2.5, &[]), [0.5, 2.0]);
        assert!(jumps(&table, 0.0, 2.5, &[]).is_empty());
        // sin x = 1/2
        let sine = all().swap_remove(9);
        let [up, down] = jumps(&sine, 0.0, 3.0, &[])[..] else { panic!("two jumps") };
        assert!((up - std::f64::consts::FRAC_PI_6).abs() < 1e-12);
        assert!((up + down - std::f64::consts::PI).abs() < 1e-12);
    }
}
