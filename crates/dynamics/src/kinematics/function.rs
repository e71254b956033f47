//! Functions of time, place and motion as the user wrote them, with their derivatives by time or
//! place.

use crate::describe::Expression;
use crate::describe::expression::{Function, FunctionTable, Interpolation, MotionInput};
use crate::math::functions::{self, abs, exp, greatest, least, sin_cos, tanh};
use crate::real::{Dual, Real};

/// An instant at which functions of time are taken.
#[derive(Clone, Debug)]
pub struct Moment<R> {
    /// (s)
    pub time: R,
    /// Where branches are chosen (s). Empty: at `time`. One: as on that side of it, a few last bits
    /// away. Two: on both sides, and the value is the mean.
    pub sides: Vec<R>,
}

impl<R> Moment<R> {
    /// Branches are chosen at the time itself.
    pub fn at(time: R) -> Moment<R> {
        Moment { time, sides: Vec::new() }
    }
}

/// The numbers that expressions use.
#[derive(Clone, Debug)]
pub struct FunctionInputs<'a, R> {
    /// The variable: time (s) or place (m).
    pub argument: R,
    /// The numbers that they [call](crate::describe::Mechanism::called).
    pub constants: &'a [R],
    /// Values that its sensors measure.
    pub sensors: Vec<R>,
    /// The values of the states of laws.
    pub states: Vec<R>,
    /// The values of its signals, as far as they are known.
    pub signals: Vec<R>,
    /// By signal the value at which it was held before this instant, where any is sampled now.
    pub held: Vec<R>,
    /// The sides of the [moment](Moment).
    sides: Vec<SideOfMoment<'a, R>>,
    /// Those at another instant, from which angles go on: of all turns the nearest is taken.
    near: Option<Box<FunctionInputs<'a, R>>>,
}

/// Values that differ beside a moment.
#[derive(Clone, Debug)]
struct SideOfMoment<'a, R> {
    /// By which branches are chosen.
    there: FunctionInputs<'a, R>,
    /// The values of signals at the moment itself, on their branches of this side.
    signals: Vec<R>,
}

impl<'a, R: Real> FunctionInputs<'a, R> {
    /// Inputs of functions that the motion has no effect on.
    pub fn of(argument: R, constants: &'a [R]) -> FunctionInputs<'a, R> {
        FunctionInputs {
            argument,
            constants,
            sensors: Vec::new(),
            states: Vec::new(),
            signals: Vec::new(),
            held: Vec::new(),
            sides: Vec::new(),
            near: None,
        }
    }

    /// At a moment; `sensors` and `states` as the motion has them.
    pub fn at(
        moment: &Moment<R>,
        constants: &'a [R],
        sensors: Vec<R>,
        states: Vec<R>,
    ) -> FunctionInputs<'a, R> {
        let inputs = |argument| FunctionInputs {
            sensors: sensors.clone(),
            states: states.clone(),
            ..FunctionInputs::of(argument, constants)
        };
        let side = |time: &R| SideOfMoment { there: inputs(*time), signals: Vec::new() };
        FunctionInputs { sides: moment.sides.iter().map(side).collect(), ..inputs(moment.time) }
    }

    /// Knows at which values signals were held before this instant.
    pub fn hold(&mut self, values: Vec<R>) {
        for side in &mut self.sides {
            side.there.held.clone_from(&values);
        }
        self.held = values;
    }

    /// Angles go on from those there; before any signal is known.
    pub fn go_on_from(&mut self, near: FunctionInputs<'a, R>) {
        self.near = Some(Box::new(near));
    }

    /// Puts the number of a sensor in its place.
    pub fn put_sensor(&mut self, sensor: usize, value: R) {
        self.sensors[sensor] = value;
        for side in &mut self.sides {
            side.there.sensors[sensor] = value;
        }
    }

    /// Knows one signal more: one that has this value everywhere.
    pub fn push_held(&mut self, value: R) {
        self.signals.push(value);
        for side in &mut self.sides {
            side.there.signals.push(value);
            side.signals.push(value);
        }
    }

    /// Knows one signal more: one that follows the motion. Returns its value.
    pub fn push_signal(&mut self, expression: &Expression) -> R {
        let value = evaluate(expression, self);
        let values: Vec<[R; 2]> = (self.sides.iter())
            .map(|side| [evaluate(expression, &side.there), tree(expression, self, Some(side))])
            .collect();
        for (side, [there, here]) in self.sides.iter_mut().zip(values) {
            side.there.signals.push(there);
            side.signals.push(here);
        }
        self.signals.push(value);
        value
    }
}

/// The value at `argument` of a function that the motion has no effect on; `constants`: those of
/// the mechanism.
pub fn value<R: Real>(expression: &Expression, argument: R, constants: &[R]) -> R {
    evaluate(expression, &FunctionInputs::of(argument, constants))
}

/// Its value at a moment.
pub fn value_at<R: Real>(expression: &Expression, moment: &Moment<R>, constants: &[R]) -> R {
    evaluate(expression, &FunctionInputs::at(moment, constants, Vec::new(), Vec::new()))
}

/// The value with these inputs.
pub fn evaluate<R: Real>(expression: &Expression, inputs: &FunctionInputs<'_, R>) -> R {
    match &inputs.sides[..] {
        [one] => tree(expression, inputs, Some(one)),
        [before, after] if expression.any(&branches) => {
            let half = inputs.argument.lift(0.5);
            (tree(expression, inputs, Some(before)) + tree(expression, inputs, Some(after))) * half
        }
        _ => tree(expression, inputs, None),
    }
}

/// Whether it has a branch, or may call what has one.
fn branches(expression: &Expression) -> bool {
    expression.branches() || matches!(expression, Expression::Input(MotionInput::Signal(_)))
}

/// The value with these inputs, on the branches of this side.
fn tree<R: Real>(
    expression: &Expression,
    inputs: &FunctionInputs<'_, R>,
    side: Option<&SideOfMoment<'_, R>>,
) -> R {
    let argument = inputs.argument;
    let value = |expression: &Expression| tree(expression, inputs, side);
    // By which a branch is chosen.
    let by = |expression: &Expression| match side {
        Some(side) => tree(expression, &side.there, None),
        None => value(expression),
    };
    match expression {
        Expression::Number(x) => argument.lift(*x),
        Expression::Argument => argument,
        Expression::Constant(k) => inputs.constants[*k],
        Expression::Input(MotionInput::Sensor(k)) => inputs.sensors[*k],
        Expression::Input(MotionInput::State(k)) => inputs.states[*k],
        Expression::Input(MotionInput::Held(k)) => inputs.held[*k],
        Expression::Input(MotionInput::Signal(k)) => side.map_or(&inputs.signals, |side| &side.signals)[*k],
        Expression::Negative(a) => -value(a),
        Expression::Sum(a, b) => value(a) + value(b),
        Expression::Difference(a, b) => value(a) - value(b),
        Expression::Product(a, b) => value(a) * value(b),
        Expression::Quotient(a, b) => value(a) / value(b),
        Expression::Power(a, n) => power(value(a), *n),
        Expression::RealPower(a, b) => functions::power(value(a), value(b)),
        Expression::Atan2(y, x) => {
            let angle = functions::atan2(value(y), value(x));
            let angle =
                side.map_or(angle, |_| functions::nearest_turn(angle, functions::atan2(by(y), by(x))));
            let near = inputs.near.as_ref().map(|near| evaluate(expression, near));
            near.map_or(angle, |near| functions::nearest_turn(angle, near))
        }
        Expression::Call(Function::Abs, a) => {
            let x = value(a);
            by(a).select_less(argument.lift(0.0), -x, x)
        }
        Expression::Call(function @ (Function::Step | Function::Sign), a) => call(*function, by(a)),
        Expression::Call(function, a) => call(*function, value(a)),
        Expression::Least(a, b) => by(b).select_less(by(a), value(b), value(a)),
        Expression::Greatest(a, b) => by(a).select_less(by(b), value(b), value(a)),
        Expression::Less(a, b) => by(a).select_less(by(b), argument.lift(1.0), argument.lift(0.0)),
        Expression::Select(parts) => {
            let [condition, one, other] = &**parts;
            argument.lift(0.0).select_less(abs(by(condition)), value(one), value(other))
        }
        Expression::Lookup(table, a) => lookup(table, value(a), by(a), inputs.constants),
    }
}

/// Value, first and second derivative of a function of time or place.
pub fn jet<R: Real>(expression: &Expression, moment: &Moment<R>, constants: &[R]) -> [R; 3] {
    let one = moment.time.lift(1.0);
    let x = |value| Dual { value: Dual { value, tangent: one }, tangent: Dual::constant(one) };
    let moment = Moment { time: x(moment.time), sides: moment.sides.iter().copied().map(x).collect() };
    let constants: Vec<Dual<Dual<R>>> =
        constants.iter().map(|c| Dual::constant(Dual::constant(*c))).collect();
    let y = value_at(expression, &moment, &constants);
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

/// Between knots a and b with s = x - a: the polynomial in s that joins their values. `by`: chooses
/// between which knots. `called`: among these are the numbers of a table that instances have
/// columns of.
fn lookup<R: Real>(table: &FunctionTable, x: R, by: R, called: &[R]) -> R {
    let at = |k: usize| x.lift(table.knots[k]);
    let last = table.knots.len() - 1;
    let own = called.get(table.first..).filter(|_| !table.columns.is_empty());
    let constant = |k: usize| own.map_or_else(|| x.lift(table.values[k]), |own| own[k]);
    let cubic = |k: usize| {
        let Some(own) = own else { return table.cubic(k).map(|c| x.lift(c)) };
        let (width, rise) = (table.knots[k + 1] - table.knots[k], own[k + 1] - own[k]);
        let inverse = x.lift(1.0 / width);
        if table.interpolation == Interpolation::Linear {
            return [own[k], rise * inverse, x.lift(0.0), x.lift(0.0)];
        }
        let [from, to] = [own[last + 1 + k], own[last + 2 + k]];
        let square = x.lift(1.0 / (width * width));
        let second = rise.mul_add(x.lift(3.0 / (width * width)), -((from + from + to) * inverse));
        let third = rise.mul_add(x.lift(-2.0 / (width * width * width)), (from + to) * square);
        [own[k], from, second, third]
    };
    let mut result = constant(0);
    for k in 0..last {
        let piece = match table.interpolation {
            Interpolation::Hold => constant(k),
            joined => {
                let [_, first, second, third] = cubic(k);
                let along = x - at(k);
                let slope = match joined {
                    Interpolation::Linear => first,
                    _ => along.mul_add(along.mul_add(third, second), first),
                };
                along.mul_add(slope, constant(k))
            }
        };
        result = by.select_less(at(k), result, piece);
    }
    by.select_less(at(last), result, constant(last))
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
        let found = jet(&quotient, &Moment::at(at), &[c]);
        for (found, expected) in found.into_iter().zip([value, first, second]) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn tables_meet_their_knots_and_rest_beyond_them() {
        let table = |interpolation, slopes: &[f64]| FunctionTable {
            name: None,
            knots: vec![0.0, 1.0, 3.0],
            values: vec![2.0, -1.0, 4.0],
            interpolation,
            slopes: slopes.to_vec(),
            columns: Vec::new().into(),
            first: 0,
        };
        let at = |table: &FunctionTable, x: f64| {
            jet(
                &Expression::Lookup(Box::new(table.clone()), Box::new(Expression::Argument)),
                &Moment::at(x),
                &[],
            )
        };
        let cubic = table(Interpolation::Cubic, &[0.0, 0.5, 0.0]);
        let linear = table(Interpolation::Linear, &[]);
        let hold = table(Interpolation::Hold, &[]);
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
