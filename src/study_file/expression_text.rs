//! Expressions as text, such as `2*sin(3*t) - 0.5*t^2`: what a user writes, and what is written back.
//!
//! ```text
//! compared := sum (('<' | '<=' | '>' | '>=') sum)?
//! sum      := product (('+' | '-') product)*
//! product  := unary (('*' | '/') unary)*
//! unary    := ('-' | '+') unary | power
//! power    := primary ('^' whole)?            whole := '-'? digits ('^' whole)? | '(' whole ')'
//! primary  := number | pi | variable | constant | input | function '(' compared (',' compared)* ')' | '(' compared ')'
//! input    := name ('.' name)*
//! ```
//!
//! A comparison is 1 where it holds, else 0. Inputs are numbers of the motion, such as `pivot.angle_rate`, where a law may use them.
//!
//! `^` binds more tightly than a minus before it: `-t^2` is `-(t^2)`. A minus before a number is part of the number.

use std::f64::consts::PI;

use crate::base::nearest;
use crate::describe::expression::{Expression, Function, MotionInput};
use crate::describe::mechanism::Constant;

/// Functions of one argument by name.
pub(super) const FUNCTIONS: [(&str, Function); 9] = [
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("exp", Function::Exp),
    ("tanh", Function::Tanh),
    ("sqrt", Function::Sqrt),
    ("abs", Function::Abs),
    ("step", Function::Step),
    ("smoothstep", Function::SmoothStep),
];
const LEAST: &str = "min";
const GREATEST: &str = "max";
/// `clamp(x, low, high)`: `min(max(x, low), high)`.
const CLAMP: &str = "clamp";
/// `select(condition, a, b)`: a where the condition is not 0, else b.
const SELECT: &str = "select";
/// All functions of several arguments.
const OF_SEVERAL: [&str; 4] = [LEAST, GREATEST, CLAMP, SELECT];

/// Largest magnitude of a power.
const MAX_POWER: i32 = 100;
/// Most operations of an expression, and how deep its parentheses may nest: far beyond any real one, and small enough to
/// walk a tree by recursion.
const MAX_NODES: usize = 1000;
const MAX_DEPTH: usize = 100;

/// Whether a constant may not have this name.
pub(super) fn is_reserved(name: &str) -> bool {
    ["t", "x", "pi"].contains(&name) || is_function(name)
}

fn is_function(name: &str) -> bool {
    OF_SEVERAL.contains(&name) || FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// The numbers of the motion that an expression may use, by their names.
pub(super) trait InputNames {
    /// The number of this name.
    fn input(&self, name: &str) -> Result<MotionInput, UnknownInput>;
}

/// Why a name is no number of the motion.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnknownInput {
    pub found: String,
    /// Names that stand for one.
    pub allowed: Vec<String>,
    /// Whether it may be the name of something that has a fault itself.
    pub follows: bool,
}

/// The names that an expression may use besides functions.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary<'a> {
    /// The name of the argument; `None`: there is none.
    pub variable: Option<&'a str>,
    pub constants: &'a [Constant],
    /// `None`: the motion has no effect on it.
    pub inputs: Option<&'a dyn InputNames>,
}

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionError {
    /// Where, in characters of the text, counted from 1.
    pub at: usize,
    pub found: String,
    pub nearest: Option<String>,
    pub advice: Option<String>,
    pub allowed: Vec<String>,
    /// Whether it only follows from another fault, which is reported.
    pub follows: bool,
}

/// The expression in `text`.
pub(super) fn parse(text: &str, names: Vocabulary<'_>) -> Result<Expression, ExpressionError> {
    let mut parser = Parser { text, at: 0, names, nodes: 0, depth: 0 };
    let expression = parser.compared()?;
    match parser.peek() {
        None => Ok(expression),
        Some(')') => Err(parser.fault("`)` closes nothing")),
        Some('=') => Err(parser.fault("found `=`").advise("compare with <, <=, > or >=")),
        Some(_) => {
            let found = format!("found `{}` where an operator was expected", parser.word());
            let factor = names.variable.unwrap_or("pi");
            Err(parser.fault(&found).advise(&format!("write e.g. 2*{factor}, or a quantity such as \"2 N\"")))
        }
    }
}

impl ExpressionError {
    fn advise(mut self, advice: &str) -> ExpressionError {
        self.advice = Some(advice.to_string());
        self
    }
}

struct Parser<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
    names: Vocabulary<'a>,
    nodes: usize,
    depth: usize,
}

/// Makes one expression of two.
type Pair = fn(Box<Expression>, Box<Expression>) -> Expression;
type Parsed<T = Expression> = Result<T, ExpressionError>;

impl Parser<'_> {
    fn fault(&self, found: &str) -> ExpressionError {
        self.fault_at(self.at, found)
    }

    fn fault_at(&self, at: usize, found: &str) -> ExpressionError {
        ExpressionError {
            at: self.text[..at].chars().count() + 1,
            found: found.to_string(),
            nearest: None,
            advice: None,
            allowed: Vec::new(),
            follows: false,
        }
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    /// The next character that is no space, not taken.
    fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    /// The name, number or single character that stands here, for messages.
    fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        match length {
            Some(0) => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            Some(length) => &rest[..length],
            None => rest,
        }
    }

    fn node(&mut self, node: Expression) -> Parsed {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.fault(&format!("the expression has more than {MAX_NODES} parts")));
        }
        Ok(node)
    }

    fn pair(&mut self, make: Pair, one: Expression, other: Expression) -> Parsed {
        self.node(make(Box::new(one), Box::new(other)))
    }

    fn compared(&mut self) -> Parsed {
        let one = self.sum()?;
        let Some(sign @ ('<' | '>')) = self.peek() else { return Ok(one) };
        self.at += 1;
        let or_equal = self.text[self.at..].starts_with('=');
        self.at += usize::from(or_equal);
        let other = self.sum()?;
        if let Some('<' | '>') = self.peek() {
            return Err(self
                .fault("found a second comparison")
                .advise("write (a < b)*(b < c) for both, max(a < b, c < d) for either"));
        }
        // a <= b is 1 - (b < a).
        let (less, greater) = if (sign == '<') == or_equal { (other, one) } else { (one, other) };
        let less = self.pair(Expression::Less, less, greater)?;
        if !or_equal {
            return Ok(less);
        }
        self.pair(Expression::Difference, Expression::Number(1.0), less)
    }

    fn sum(&mut self) -> Parsed {
        let mut sum = self.product()?;
        loop {
            let make = match self.peek() {
                Some('+') => Expression::Sum,
                Some('-') => Expression::Difference,
                _ => return Ok(sum),
            };
            self.at += 1;
            let term = self.product()?;
            sum = self.pair(make, sum, term)?;
        }
    }

    fn product(&mut self) -> Parsed {
        let mut product = self.unary()?;
        loop {
            let make = match self.peek() {
                Some('*') if self.text[self.at..].starts_with("**") => {
                    return Err(self.fault("found `**`").advise("write ^ for powers"));
                }
                Some('*') => Expression::Product,
                Some('/') => Expression::Quotient,
                _ => return Ok(product),
            };
            self.at += 1;
            let factor = self.unary()?;
            product = self.pair(make, product, factor)?;
        }
    }

    /// One level further down, which must not be too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fault(&format!("the expression nests deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn unary(&mut self) -> Parsed {
        if self.take('-') {
            if let Some(number) = self.literal_without_power()? {
                return self.node(Expression::Number(-number));
            }
            let inner = self.deeper(Self::unary)?;
            return self.node(Expression::Negative(Box::new(inner)));
        }
        if self.take('+') {
            return self.deeper(Self::unary);
        }
        self.power()
    }

    /// The number that stands here, unless it is the base of a power: that binds more tightly than the sign before it.
    fn literal_without_power(&mut self) -> Parsed<Option<f64>> {
        let start = self.at;
        if self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
            let number = self.number()?;
            if self.peek() != Some('^') {
                return Ok(Some(number));
            }
        }
        self.at = start;
        Ok(None)
    }

    fn power(&mut self) -> Parsed {
        let base = self.primary()?;
        if !self.take('^') {
            return Ok(base);
        }
        self.skip_spaces();
        let start = self.at;
        let exponent = self.whole()?;
        match exponent {
            Some(exponent) if exponent.abs() <= MAX_POWER => {
                self.node(Expression::Power(Box::new(base), exponent))
            }
            _ => {
                let wanted = format!("the power is not a whole number from -{MAX_POWER} to {MAX_POWER}");
                Err(self.fault_at(start, &wanted).advise("use sqrt or exp for other powers"))
            }
        }
    }

    /// `None`: something else stands here, or a number out of range.
    fn whole(&mut self) -> Parsed<Option<i32>> {
        if self.take('(') {
            let inner = self.deeper(Self::whole)?;
            let closed = self.take(')');
            return Ok(inner.filter(|_| closed));
        }
        let negative = self.take('-');
        self.skip_spaces();
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(mut value) = rest[..digits].parse::<i32>() else { return Ok(None) };
        if rest[digits..].starts_with(['.', 'e', 'E']) {
            return Ok(None);
        }
        self.at += digits;
        if self.take('^') {
            let power = self.deeper(Self::whole)?.and_then(|power| u32::try_from(power).ok());
            let Some(raised) = power.and_then(|power| value.checked_pow(power)) else { return Ok(None) };
            value = raised;
        }
        Ok(Some(if negative { -value } else { value }))
    }

    fn number(&mut self) -> Parsed<f64> {
        self.skip_spaces();
        let bytes = self.text.as_bytes();
        let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(self.at);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let stop = digits((end + 1 + sign).min(bytes.len()));
            if stop > end + 1 + sign {
                end = stop;
            }
        }
        let text = &self.text[self.at..end];
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let Some(number) = number else {
            return Err(self.fault(&format!("`{text}` is no finite number")));
        };
        self.at = end;
        Ok(number)
    }

    fn primary(&mut self) -> Parsed {
        let Some(next) = self.peek() else {
            return Err(self.fault("the text ends where a number, a name or `(` was expected"));
        };
        if next.is_ascii_digit() || next == '.' {
            let number = self.number()?;
            return self.node(Expression::Number(number));
        }
        if self.take('(') {
            let inner = self.deeper(Self::compared)?;
            self.close()?;
            return Ok(inner);
        }
        if !(next.is_alphabetic() || next == '_') {
            return Err(self.fault(&format!("found `{next}` where a number, a name or `(` was expected")));
        }
        let start = self.at;
        let rest = &self.text[start..];
        let length =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        if self.take('(') {
            return self.call(name, start);
        }
        if self.names.variable == Some(name) {
            return self.node(Expression::Argument);
        }
        if name == "pi" {
            return self.node(Expression::Number(PI));
        }
        if let Some(position) = self.names.constants.iter().position(|constant| constant.name == name) {
            return self.node(Expression::Constant(position));
        }
        let unknown = match self.names.inputs.map(|inputs| inputs.input(name)) {
            Some(Ok(input)) => return self.node(Expression::Input(input)),
            Some(Err(unknown)) => Some(unknown),
            None => None,
        };
        Err(self.unknown(name, start, unknown))
    }

    /// `unknown`: why it is no number of the motion; `None`: the motion has no effect here.
    fn unknown(&self, name: &str, start: usize, unknown: Option<UnknownInput>) -> ExpressionError {
        if is_function(name) {
            return self
                .fault_at(start, &format!("`{name}` is a function"))
                .advise(&format!("write e.g. {name}(...)"));
        }
        if ["t", "x"].contains(&name) {
            let found = match self.names.variable {
                Some(variable) => format!("`{name}` is not known here: the variable is `{variable}`"),
                None => format!("`{name}` is not known here: this number stays as it is"),
            };
            return self.fault_at(start, &found);
        }
        let simple = !name.contains('.');
        if unknown.is_none() && !simple {
            let found = format!("`{name}` would be a number of the motion, which is not known here");
            let advice = "use the motion in forces, loads, actuators and signals";
            return self.fault_at(start, &found).advise(advice);
        }
        let (found, inputs, follows) = match unknown {
            Some(UnknownInput { found, allowed, follows }) => (found, allowed, follows),
            None => (format!("there is no constant `{name}`"), Vec::new(), false),
        };
        let mut error = ExpressionError { follows, ..self.fault_at(start, &found) };
        let constants = self.names.constants.iter().map(|constant| constant.name.as_str());
        let own = self.names.variable.into_iter().chain(["pi"]).chain(constants).filter(|_| simple);
        error.allowed = own.map(str::to_string).chain(inputs).collect();
        error.nearest = nearest(name, error.allowed.iter().map(String::as_str));
        error
    }

    fn close(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.fault("the text ends where `)` was expected")),
            Some(_) => {
                Err(self.fault(&format!("found `{}` where an operator or `)` was expected", self.word())))
            }
        }
    }

    /// What follows `name(`.
    fn call(&mut self, name: &str, start: usize) -> Parsed {
        let one = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let two: Option<Pair> = match name {
            LEAST => Some(Expression::Least),
            GREATEST => Some(Expression::Greatest),
            _ => None,
        };
        if !is_function(name) {
            let mut error = self.fault_at(start, &format!("there is no function `{name}`"));
            let names = FUNCTIONS.iter().map(|(known, _)| *known).chain(OF_SEVERAL);
            error.allowed = names.map(str::to_string).collect();
            error.nearest = nearest(name, error.allowed.iter().map(String::as_str));
            return Err(error);
        }
        if [CLAMP, SELECT].contains(&name) {
            return self.call_of_three(name, start);
        }
        let mut value = self.deeper(Self::compared)?;
        let mut count = 1;
        while self.take(',') {
            let next = self.deeper(Self::compared)?;
            count += 1;
            match two {
                Some(make) => value = self.pair(make, value, next)?,
                None => return Err(self.fault_at(start, &format!("`{name}` takes one argument"))),
            }
        }
        self.close()?;
        match one {
            Some((_, function)) => self.node(Expression::Call(*function, Box::new(value))),
            None if count < 2 => Err(self.fault_at(start, &format!("`{name}` takes two arguments or more"))),
            None => Ok(value),
        }
    }

    /// The arguments of a function of three.
    fn call_of_three(&mut self, name: &str, start: usize) -> Parsed {
        let mut parts = vec![self.deeper(Self::compared)?];
        while self.take(',') {
            parts.push(self.deeper(Self::compared)?);
        }
        self.close()?;
        let Ok([a, b, c]) = <[Expression; 3]>::try_from(parts) else {
            let example = if name == CLAMP { "clamp(x, low, high)" } else { "select(condition, one, other)" };
            let found = format!("`{name}` takes three arguments");
            return Err(self.fault_at(start, &found).advise(&format!("write {example}")));
        };
        if name == SELECT {
            return self.node(Expression::Select(Box::new([a, b, c])));
        }
        let above = self.pair(Expression::Greatest, a, b)?;
        self.pair(Expression::Least, above, c)
    }
}

/// The expression as text that [`parse`] makes the same tree of. A spline is no part of an expression in files: it stands
/// alone, as a table. `input`: the name of a number of the motion.
pub(super) fn print(
    expression: &Expression,
    variable: &str,
    constants: &[Constant],
    input: &dyn Fn(MotionInput) -> String,
) -> String {
    let mut text = String::new();
    put(expression, Level::Compared, &PrintedNames { variable, constants, input }, &mut text);
    text
}

/// The names that an expression is printed with.
struct PrintedNames<'a> {
    variable: &'a str,
    constants: &'a [Constant],
    input: &'a dyn Fn(MotionInput) -> String,
}

/// How tightly a form binds, as in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Compared,
    Sum,
    Product,
    Unary,
    Power,
    Primary,
}

fn level(expression: &Expression) -> Level {
    match expression {
        Expression::Number(number) if number.is_sign_negative() => Level::Unary,
        Expression::Less(..) => Level::Compared,
        Expression::Sum(..) | Expression::Difference(..) => Level::Sum,
        Expression::Product(..) | Expression::Quotient(..) => Level::Product,
        Expression::Negative(_) => Level::Unary,
        Expression::Power(..) => Level::Power,
        Expression::Number(_)
        | Expression::Argument
        | Expression::Constant(_)
        | Expression::Input(_)
        | Expression::Select(_)
        | Expression::Call(..)
        | Expression::Least(..)
        | Expression::Greatest(..)
        | Expression::Spline(_) => Level::Primary,
    }
}

/// Writes `expression`, in parentheses where it binds less tightly than `least`.
fn put(expression: &Expression, least: Level, names: &PrintedNames<'_>, text: &mut String) {
    if level(expression) < least {
        text.push('(');
        put(expression, Level::Compared, names, text);
        text.push(')');
        return;
    }
    let of = |part: &Expression, least, text: &mut String| put(part, least, names, text);
    let arguments = |name: &str, parts: &[&Expression], text: &mut String| {
        text.push_str(name);
        for (k, part) in parts.iter().enumerate() {
            text.push_str(if k == 0 { "(" } else { ", " });
            of(part, Level::Compared, text);
        }
        text.push(')');
    };
    let mut pair = |one: &Expression, sign: &str, other: &Expression, [left, right]: [Level; 2]| {
        of(one, left, text);
        text.push_str(sign);
        of(other, right, text);
    };
    match expression {
        Expression::Sum(a, b) => pair(a, " + ", b, [Level::Sum, Level::Product]),
        Expression::Difference(a, b) => pair(a, " - ", b, [Level::Sum, Level::Product]),
        Expression::Product(a, b) => pair(a, "*", b, [Level::Product, Level::Unary]),
        Expression::Quotient(a, b) => pair(a, "/", b, [Level::Product, Level::Unary]),
        Expression::Less(a, b) => pair(a, " < ", b, [Level::Sum, Level::Sum]),
        Expression::Least(a, b) => arguments(LEAST, &[a, b], text),
        Expression::Greatest(a, b) => arguments(GREATEST, &[a, b], text),
        Expression::Select(parts) => arguments(SELECT, &parts.each_ref(), text),
        Expression::Negative(inner) => {
            text.push('-');
            // A minus before a bare number would become part of it.
            let bare = matches!(**inner, Expression::Number(number) if number.is_sign_positive());
            if bare {
                text.push('(');
            }
            of(inner, Level::Unary, text);
            if bare {
                text.push(')');
            }
        }
        Expression::Power(base, exponent) => {
            of(base, Level::Primary, text);
            text.push_str(&format!("^{exponent}"));
        }
        Expression::Call(function, inner) => {
            let name = FUNCTIONS.iter().find(|(_, known)| known == function).map_or("", |(name, _)| name);
            arguments(name, &[inner], text);
        }
        Expression::Number(number) => text.push_str(&format!("{number:?}")),
        Expression::Argument => text.push_str(names.variable),
        Expression::Constant(position) => text.push_str(&names.constants[*position].name),
        Expression::Input(input) => text.push_str(&(names.input)(*input)),
        Expression::Spline(_) => text.push_str("spline"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn constants() -> Vec<Constant> {
        ["omega", "a_1"]
            .map(|name| Constant { name: name.to_string(), value: 2.0, unit: "1".into() })
            .to_vec()
    }

    /// Two numbers of the motion.
    struct TwoInputs;

    const INPUTS: [(&str, MotionInput); 2] =
        [("pivot.angle", MotionInput::Sensor(0)), ("effort", MotionInput::Signal(0))];

    impl InputNames for TwoInputs {
        fn input(&self, name: &str) -> Result<MotionInput, UnknownInput> {
            let found = INPUTS.iter().find(|(known, _)| *known == name).map(|(_, input)| *input);
            let names = || INPUTS.map(|(name, _)| name.to_string()).to_vec();
            found.ok_or_else(|| UnknownInput {
                found: format!("there is no `{name}`"),
                allowed: names(),
                follows: false,
            })
        }
    }

    fn read(text: &str, variable: &str) -> Result<Expression, ExpressionError> {
        parse(
            text,
            Vocabulary { variable: Some(variable), constants: &constants(), inputs: Some(&TwoInputs) },
        )
    }

    fn printed(tree: &Expression) -> String {
        let name =
            |input| INPUTS.iter().find(|(_, known)| *known == input).map_or("", |(name, _)| name).to_string();
        print(tree, "t", &constants(), &name)
    }

    fn parsed(text: &str) -> Expression {
        read(text, "t").unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    /// The value at `t`, with the constants above.
    fn value(expression: &Expression, t: f64) -> f64 {
        let of = |e: &Expression| value(e, t);
        match expression {
            Expression::Number(number) => *number,
            Expression::Argument => t,
            Expression::Constant(position) => constants()[*position].value,
            Expression::Input(MotionInput::Sensor(_)) => 0.5,
            Expression::Input(MotionInput::Signal(_)) => -4.0,
            Expression::Input(MotionInput::State(_)) => unreachable!("no text has a state"),
            Expression::Less(a, b) => f64::from(u8::from(of(a) < of(b))),
            Expression::Select(parts) => of(&parts[if of(&parts[0]) != 0.0 { 1 } else { 2 }]),
            Expression::Negative(a) => -of(a),
            Expression::Sum(a, b) => of(a) + of(b),
            Expression::Difference(a, b) => of(a) - of(b),
            Expression::Product(a, b) => of(a) * of(b),
            Expression::Quotient(a, b) => of(a) / of(b),
            Expression::Power(a, n) => of(a).powi(*n),
            Expression::Least(a, b) => of(a).min(of(b)),
            Expression::Greatest(a, b) => of(a).max(of(b)),
            Expression::Call(Function::Sin, a) => of(a).sin(),
            Expression::Call(Function::Cos, a) => of(a).cos(),
            Expression::Call(Function::Tan, a) => of(a).tan(),
            Expression::Call(Function::Exp, a) => of(a).exp(),
            Expression::Call(Function::Tanh, a) => of(a).tanh(),
            Expression::Call(Function::Sqrt, a) => of(a).sqrt(),
            Expression::Call(Function::Abs, a) => of(a).abs(),
            Expression::Call(Function::Step, a) => f64::from(u8::from(of(a) >= 0.0)),
            Expression::Call(Function::SmoothStep, a) => {
                let u = of(a).clamp(0.0, 1.0);
                10.0 * u.powi(3) - 15.0 * u.powi(4) + 6.0 * u.powi(5)
            }
            Expression::Spline(_) => unreachable!("no text has a spline"),
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("8 - 4 - 2", 2.0),
            ("8/4/2", 1.0),
            ("8/4*2", 4.0),
            ("-3^2", -9.0),
            ("-t^2", -9.0),
            ("smoothstep(-1) + smoothstep(0.5) + smoothstep(7)", 1.5),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("2^(3)", 8.0),
            ("(-3)^2", 9.0),
            ("2 - -3", 5.0),
            ("2*-3", -6.0),
            ("-(2)", -2.0),
            ("+t", 3.0),
            ("--t", 3.0),
            ("omega*t + a_1", 8.0),
            ("cos(pi)", -1.0),
            ("min(5, t, 4)", 3.0),
            ("max(t, 4)", 4.0),
            ("abs(1 - t)", 2.0),
            ("step(t - 3) + step(t - 3.5)", 1.0),
            ("sqrt(t*3)/1.5e0", 2.0),
            (".5e1", 5.0),
            ("tanh(0) + exp(0) + tan(0) + sin(0)", 1.0),
            ("2*pivot.angle - effort", 5.0),
            ("t < 3", 0.0),
            ("t <= 3", 1.0),
            ("t > 2 + 1", 0.0),
            ("t >= 2 + 1", 1.0),
            ("10*(t > 1)*(effort < 0)", 10.0),
            ("clamp(effort, -1, 1)", -1.0),
            ("clamp(t, -1, 7)", 3.0),
            ("select(effort < 0, 5, 6) + select(t < 0, 10, 20)", 25.0),
        ] {
            assert_eq!(value(&parsed(text), 3.0), expected, "{text}");
        }
    }

    #[test]
    fn faults_say_where_and_what() {
        for (text, at, found) in [
            ("", 1, "the text ends where a number, a name or `(` was expected"),
            ("2*", 3, "the text ends where a number, a name or `(` was expected"),
            ("2 t", 3, "found `t` where an operator was expected"),
            ("sin(t", 6, "the text ends where `)` was expected"),
            ("sin(t omega)", 7, "found `omega` where an operator or `)` was expected"),
            ("t)", 2, "`)` closes nothing"),
            ("2 + *t", 5, "found `*` where a number, a name or `(` was expected"),
            ("t^0.5", 3, "the power is not a whole number from -100 to 100"),
            ("t^omega", 3, "the power is not a whole number from -100 to 100"),
            ("t^101", 3, "the power is not a whole number from -100 to 100"),
            ("2^3^9", 3, "the power is not a whole number from -100 to 100"),
            ("t**2", 2, "found `**`"),
            ("2 + sine(t)", 5, "there is no function `sine`"),
            ("omga*t", 1, "there is no `omga`"),
            ("1 + pivot.angel", 5, "there is no `pivot.angel`"),
            ("0 < t < 1", 7, "found a second comparison"),
            ("clamp(t, 1)", 1, "`clamp` takes three arguments"),
            ("x + 1", 1, "`x` is not known here: the variable is `t`"),
            ("sin + 1", 1, "`sin` is a function"),
            ("min(t)", 1, "`min` takes two arguments or more"),
            ("sin(t, 2)", 1, "`sin` takes one argument"),
            ("1e999", 1, "`1e999` is no finite number"),
            (".", 1, "`.` is no finite number"),
        ] {
            let error = read(text, "t").expect_err(text);
            assert_eq!((error.at, error.found.as_str()), (at, found), "{text}");
        }
        let near = |text| read(text, "t").unwrap_err().nearest;
        assert_eq!(near("sine(t)").as_deref(), Some("sin"));
        assert_eq!(near("omga*t").as_deref(), Some("omega"));
        assert_eq!(near("pivot.angel").as_deref(), Some("pivot.angle"));
        let still = Vocabulary { variable: Some("t"), constants: &constants(), inputs: None };
        let found = |text| parse(text, still).unwrap_err().found;
        assert_eq!(found("omga*t"), "there is no constant `omga`");
        assert_eq!(found("a.b"), "`a.b` would be a number of the motion, which is not known here");
    }

    #[test]
    fn monsters_are_refused() {
        let refused = |text: String| read(&text, "t").is_err();
        assert!(refused("(".repeat(100_000)));
        assert!(refused("-".repeat(100_000)));
        assert!(refused("1^".repeat(100_000)));
        assert!(refused("t + ".repeat(100_000) + "t"));
        assert!(refused("sin(".repeat(100_000)));
    }

    fn trees() -> impl Strategy<Value = Expression> {
        let leaf = prop_oneof![
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Expression::Number),
            Just(Expression::Argument),
            (0usize..2).prop_map(Expression::Constant),
            (0usize..2).prop_map(|k| Expression::Input(INPUTS[k].1)),
        ];
        leaf.prop_recursive(6, 60, 2, |inner| {
            let two = (inner.clone(), inner.clone());
            let pair = |make: Pair| two.clone().prop_map(move |(a, b)| make(Box::new(a), Box::new(b)));
            prop_oneof![
                pair(Expression::Sum),
                pair(Expression::Difference),
                pair(Expression::Product),
                pair(Expression::Quotient),
                pair(Expression::Least),
                pair(Expression::Greatest),
                pair(Expression::Less),
                (inner.clone(), inner.clone(), inner.clone())
                    .prop_map(|(a, b, c)| Expression::Select(Box::new([a, b, c]))),
                inner.clone().prop_map(|a| Expression::Negative(Box::new(a))),
                (inner.clone(), -9i32..10).prop_map(|(a, n)| Expression::Power(Box::new(a), n)),
                (inner, 0usize..FUNCTIONS.len())
                    .prop_map(|(a, k)| Expression::Call(FUNCTIONS[k].1, Box::new(a))),
            ]
        })
    }

    proptest! {
        /// What is printed is read as the same tree, with the same bits.
        #[test]
        fn printed_expressions_are_read_back(tree in trees()) {
            let text = printed(&tree);
            let again = read(&text, "t").unwrap();
            // Debug tells -0 from 0.
            prop_assert_eq!(format!("{again:?}"), format!("{tree:?}"), "{}", text);
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", likely in "[-+*/^()<>=. 0-9etx,a]{0,30}") {
            let _ = read(&text, "t");
            let _ = read(&likely, "x");
        }
    }
}
