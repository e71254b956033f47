//! Functions of time, place and motion as the user wrote them, with their derivatives by time or place.

use crate::describe::Expression;
use crate::describe::expression::{Function, FunctionTable, Interpolation, MotionInput};
use crate::math::functions::{self, abs, exp, greatest, least, sin_cos, tanh};
use crate::real::{Dual, Real};

/// The numbers that expressions use.
#[derive(Clone, Debug)]
pub struct FunctionInputs<'a, R> {
    /// The variable: time (s) or place (m).
    pub argument: R,
    /// Those of the mechanism.
    pub constants: &'a [R],
    /// What its sensors measure.
    pub sensors: Vec<R>,
    /// The values of the states of laws.
    pub states: Vec<R>,
    /// The values of its signals, as far as they are known.
    pub signals: Vec<R>,
    /// By signal the value at which it was held before this instant, where any is sampled now.
    pub held: Vec<R>,
}

impl<'a, R: Real> FunctionInputs<'a, R> {
    /// Of functions that the motion has no effect on.
    pub fn of(argument: R, constants: &'a [R]) -> FunctionInputs<'a, R> {
        let none = Vec::new;
        FunctionInputs { argument, constants, sensors: none(), states: none(), signals: none(), held: none() }
    }

    fn input(&self, input: MotionInput) -> R {
        match input {
            MotionInput::Sensor(k) => self.sensors[k],
            MotionInput::State(k) => self.states[k],
            MotionInput::Signal(k) => self.signals[k],
            MotionInput::Held(k) => self.held[k],
        }
    }
}

/// The value at `argument` of a function that the motion has no effect on; `constants`: those of the mechanism.
pub fn value<R: Real>(expression: &Expression, argument: R, constants: &[R]) -> R {
    evaluate(expression, &FunctionInputs::of(argument, constants))
}

/// The value with these inputs.
pub fn evaluate<R: Real>(expression: &Expression, inputs: &FunctionInputs<'_, R>) -> R {
    let argument = inputs.argument;
    let of = |expression: &Expression| evaluate(expression, inputs);
    match expression {
        Expression::Number(x) => argument.lift(*x),
        Expression::Argument => argument,
        Expression::Constant(k) => inputs.constants[*k],
        Expression::Input(input) => inputs.input(*input),
        Expression::Negative(a) => -of(a),
        Expression::Sum(a, b) => of(a) + of(b),
        Expression::Difference(a, b) => of(a) - of(b),
        Expression::Product(a, b) => of(a) * of(b),
        Expression::Quotient(a, b) => of(a) / of(b),
        Expression::Power(a, n) => power(of(a), *n),
        Expression::RealPower(a, b) => functions::power(of(a), of(b)),
        Expression::Atan2(y, x) => functions::atan2(of(y), of(x)),
        Expression::Call(function, a) => call(*function, of(a)),
        Expression::Least(a, b) => least(of(a), of(b)),
        Expression::Greatest(a, b) => greatest(of(a), of(b)),
        Expression::Less(a, b) => of(a).select_less(of(b), argument.lift(1.0), argument.lift(0.0)),
        Expression::Select(parts) => {
            let [condition, one, other] = &**parts;
            argument.lift(0.0).select_less(abs(of(condition)), of(one), of(other))
        }
        Expression::Lookup(table, a) => lookup(table, of(a)),
    }
}

/// Value, first and second derivative at `argument`.
pub fn jet<R: Real>(expression: &Expression, argument: R, constants: &[R]) -> [R; 3] {
    let one = argument.lift(1.0);
    let x = Dual { value: Dual { value: argument, tangent: one }, tangent: Dual::constant(one) };
    let constants: Vec<Dual<Dual<R>>> =
        constants.iter().map(|c| Dual::constant(Dual::constant(*c))).collect();
    let y = value(expression, x, &constants);
    [y.value.value, y.value.tangent, y.tangent.tangent]
}

fn call<R: Real>(function: Function, x: R) -> R {
    match function {
        Function::Sin => sin_cos(x).0,
        Function::Cos => sin_cos(x).1,
        Function::Tan => {
            let (sin, cos) = sin_cos(x);
            sin / cos
        }
        Function::Exp => exp(x),
        Function::Tanh => tanh(x),
        Function::Sqrt => x.sqrt(),
        Function::Log => functions::log(x),
        Function::Asin => functions::arc_sine(x),
        Function::Acos => functions::arc_cosine(x),
        Function::Sign => functions::sign(x),
        Function::Abs => abs(x),
        Function::Step => x.select_less(x.lift(0.0), x.lift(0.0), x.lift(1.0)),
        Function::SmoothStep => {
            let u = least(greatest(x, x.lift(0.0)), x.lift(1.0));
            let factor = u.mul_add(u.mul_add(x.lift(6.0), x.lift(-15.0)), x.lift(10.0));
            u * u * u * factor
        }
    }
}

/// By repeated squaring.
fn power<R: Real>(x: R, n: i32) -> R {
    let mut result: Option<R> = None;
    let (mut square, mut left) = (x, n.unsigned_abs());
    while left > 0 {
        if left % 2 == 1 {
            result = Some(result.map_or(square, |so_far| so_far * square));
        }
        left /= 2;
        if left > 0 {
            square = square * square;
        }
    }
    let one = x.lift(1.0);
    let result = result.unwrap_or(one);
    if n < 0 { one / result } else { result }
}

/// Between knots a and b with s = x - a: the polynomial in s that joins their values.
fn lookup<R: Real>(table: &FunctionTable, x: R) -> R {
    let at = |k: usize| x.lift(table.knots[k]);
    let constant = |k: usize| x.lift(table.values[k]);
    let last = table.knots.len() - 1;
    let mut result = constant(0);
    for k in 0..last {
        let [_, first, second, third] = table.cubic(k);
        let along = x - at(k);
        let piece = match table.interpolation {
            Interpolation::Hold => constant(k),
            Interpolation::Linear => along.mul_add(x.lift(first), constant(k)),
            Interpolation::Monotone | Interpolation::Cubic => {
                let cubic = along.mul_add(x.lift(third), x.lift(second));
                let cubic = along.mul_add(cubic, x.lift(first));
                along.mul_add(cubic, constant(k))
            }
        };
        result = x.select_less(at(k), result, piece);
    }
    x.select_less(at(last), result, constant(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_function() {
        let x = || Box::new(Expression::Argument);
        // c x^3 sin(x) / exp(x)
        let product = Expression::Product(
            Box::new(Expression::Product(
                Box::new(Expression::Constant(0)),
                Box::new(Expression::Power(x(), 3)),
            )),
            Box::new(Expression::Call(Function::Sin, x())),
        );
        let quotient =
            Expression::Quotient(Box::new(product), Box::new(Expression::Call(Function::Exp, x())));
        let at = 0.7f64;
        let (c, s, k, e) = (2.5, at.sin(), at.cos(), (-at).exp());
        let value = c * at.powi(3) * s * e;
        let first = c * e * (3.0 * at.powi(2) * s + at.powi(3) * k - at.powi(3) * s);
        let second = c * e * ((6.0 * at - 6.0 * at.powi(2)) * s + (6.0 * at.powi(2) - 2.0 * at.powi(3)) * k);
        let found = jet(&quotient, at, &[c]);
        for (found, expected) in found.into_iter().zip([value, first, second]) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn tables_meet_their_knots_and_rest_beyond_them() {
        let of = |interpolation, slopes: &[f64]| FunctionTable {
            name: None,
            knots: vec![0.0, 1.0, 3.0],
            values: vec![2.0, -1.0, 4.0],
            interpolation,
            slopes: slopes.to_vec(),
        };
        let at = |table: &FunctionTable, x: f64| {
            jet(&Expression::Lookup(Box::new(table.clone()), Box::new(Expression::Argument)), x, &[])
        };
        let cubic = of(Interpolation::Cubic, &[0.0, 0.5, 0.0]);
        let linear = of(Interpolation::Linear, &[]);
        let hold = of(Interpolation::Hold, &[]);
        for table in [&cubic, &linear] {
            for (k, knot) in table.knots.iter().enumerate() {
                assert!((at(table, *knot)[0] - table.values[k]).abs() < 1e-15);
                assert!((at(table, *knot - 1e-9)[0] - table.values[k]).abs() < 1e-8);
            }
        }
        assert!((at(&cubic, 1.0)[1] - 0.5).abs() < 1e-15 && (at(&cubic, 1.0 - 1e-12)[1] - 0.5).abs() < 1e-10);
        assert_eq!((at(&linear, 0.5), at(&linear, 2.0)), ([0.5, -3.0, 0.0], [1.5, 2.5, 0.0]));
        assert_eq!([0.0, 0.99, 1.0, 2.99, 3.0].map(|x| at(&hold, x)[0]), [2.0, 2.0, -1.0, -1.0, 4.0]);
        for table in [&cubic, &linear, &hold] {
            assert_eq!((at(table, -5.0), at(table, 9.0)), ([2.0, 0.0, 0.0], [4.0, 0.0, 0.0]));
        }
    }
}
