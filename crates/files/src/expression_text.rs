//! Expressions as text, such as `2*sin(3*t) - 0.5*t^2`: what a user writes, and what is written
//! back.
//!
//! ```text
//! compared := sum (('<' | '<=' | '>' | '>=') sum)?
//! sum      := product (('+' | '-') product)*
//! product  := unary (('*' | '/') unary)*
//! unary    := ('-' | '+') unary | power
//! power    := part ('^' unary)?
//! part     := primary ('.' component)?
//! primary  := quantity | pi | variable | constant | input
//!           | function '(' compared (',' compared)* ')'
//!           | '(' compared ')' | '[' compared ',' compared ',' compared ']'
//! quantity := number unit? | "'" number unit "'"
//! input    := name ('.' name)*
//! ```
//!
//! A comparison is 1 where it holds, else 0. Inputs are numbers of the motion, such as
//! `pivot.angle_rate`, where a law may use them. An input without its component, such as
//! `tip.position`, is a vector; `arm.attitude` is an attitude.
//!
//! `^` binds more tightly than a minus before it: `-t^2` is `-(t^2)`. A minus before a number is
//! part of the number. A power whose exponent is a whole number takes any base; any other one is
//! [`Expression::RealPower`].
//!
//! A unit ends where a name begins that is no unit, or is known here. No quantity with a unit
//! stands bare behind `/` or `^`: readers disagree.

use std::f64::consts::PI;

use super::error::by_distance;
use super::vectors::{self, QuaternionParts, Vector};
use polhode_description::base::nearest;
use polhode_description::base::units::{UnitError, parse_any_quantity, parse_unit};
use polhode_description::describe::EnergyPart;
use polhode_description::describe::expression::{Expression, Function, FunctionTable, MotionInput};
use polhode_description::describe::mechanism::Constant;
use polhode_dynamics::kinematics::function;

/// Functions of one argument by name.
pub(super) const FUNCTIONS: [(&str, Function); 13] = [
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("exp", Function::Exp),
    ("tanh", Function::Tanh),
    ("sqrt", Function::Sqrt),
    ("log", Function::Log),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("sign", Function::Sign),
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
/// `atan2(y, x)`: the angle of the point (x, y).
const ATAN2: &str = "atan2";
/// All functions of several arguments.
const OF_SEVERAL: [&str; 5] = [LEAST, GREATEST, CLAMP, SELECT, ATAN2];
/// Functions of vectors and attitudes, with an example of each. Constants and signals may have
/// these names.
const OF_VECTORS: [(&str, &str); 6] = [
    ("norm", "norm(tip.velocity)"),
    ("dot", "dot(a.position, [0, 0, 1])"),
    ("cross", "cross(a.position, b.velocity)"),
    ("rotate", "rotate(arm.attitude, [1, 0, 0])"),
    ("inverse", "inverse(arm.attitude)"),
    ("tilt", "tilt(arm.attitude, [0, 0, 1], [0, 0, 1])"),
];

/// Components of a vector, and of an attitude.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["q0", "q1", "q2", "q3"];

/// Largest magnitude of a whole power.
const MAX_POWER: i32 = 100;
/// Most operations of an expression, vectors written out, and how deep it and its parentheses may
/// nest: far beyond any real one, and small enough to walk a tree by recursion.
const MAX_NODES: usize = 3000;
const MAX_DEPTH: usize = 40;
const MAX_HEIGHT: usize = 1000;

/// Whether a constant may not have this name.
pub(super) fn is_reserved(name: &str) -> bool {
    let is_energy = EnergyPart::ALL.iter().any(|part| part.name() == name);
    ["t", "x", "pi"].contains(&name) || is_energy || is_function(name)
}

/// Whether it is a function of numbers.
fn is_function(name: &str) -> bool {
    OF_SEVERAL.contains(&name) || FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// Whether it is one of vectors.
fn is_of_vectors(name: &str) -> bool {
    OF_VECTORS.iter().any(|(known, _)| *known == name)
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
    /// The tables that it may call, each with a name.
    pub tables: &'a [FunctionTable],
    /// Whether its numbers may have units.
    pub units: bool,
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
    whole(text, names, |parser, value| parser.scalar(value, 0))
}

/// The vector in `text`, by components.
pub(super) fn parse_vector(text: &str, names: Vocabulary<'_>) -> Result<Vector, ExpressionError> {
    whole(text, names, |parser, value| parser.vector(value, 0))
}

/// Reads all of `text`, and makes of its value what `read` does.
fn whole<T>(
    text: &str,
    names: Vocabulary<'_>,
    read: impl FnOnce(&Parser<'_>, Value) -> Parsed<T>,
) -> Result<T, ExpressionError> {
    let mut parser = Parser { text, at: 0, names, nodes: 0, depth: 0, quantity: None };
    let value = parser.compared()?;
    match parser.peek() {
        None => {
            let (_, height) = value.parts().iter().fold((0, 0), |most, part| measured(part, 1, most));
            if height > MAX_HEIGHT {
                let found = format!("the expression nests deeper than {MAX_HEIGHT} operations");
                return Err(parser.fault(&found).advise("give parts of it names: [[signal]]"));
            }
            read(&parser, value)
        }
        Some(')') => Err(parser.fault("`)` closes nothing")),
        Some('=') => Err(parser.fault("found `=`").advise("compare with <, <=, > or >=")),
        Some(_) => {
            let found = format!("found `{}` where an operator was expected", parser.word());
            let factor = names.variable.unwrap_or("pi");
            Err(parser.fault(&found).advise(&format!("write e.g. 2*{factor}, or a quantity such as \"2 N\"")))
        }
    }
}

/// The number of operations so far, and the greatest height, with those of this tree below `height`
/// others.
fn measured(expression: &Expression, height: usize, (size, highest): (usize, usize)) -> (usize, usize) {
    let most = (size + 1, highest.max(height));
    expression.parts().into_iter().fold(most, |most, part| measured(part, height + 1, most))
}

/// The value of a part of the text.
#[derive(Clone, Debug)]
enum Value {
    Scalar(Expression),
    Vector(Box<Vector>),
    Attitude(Box<QuaternionParts>),
}

impl Value {
    fn noun(&self) -> &'static str {
        match self {
            Value::Scalar(_) => "a number",
            Value::Vector(_) => "a vector",
            Value::Attitude(_) => "an attitude",
        }
    }

    fn parts(&self) -> &[Expression] {
        match self {
            Value::Scalar(expression) => std::slice::from_ref(expression),
            Value::Vector(vector) => &vector[..],
            Value::Attitude(attitude) => &attitude[..],
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
    /// Where the last quantity with a bare unit begins.
    quantity: Option<usize>,
}

/// Makes one expression of two.
type Pair = fn(Box<Expression>, Box<Expression>) -> Expression;
type Parsed<T = Value> = Result<T, ExpressionError>;

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

    /// Where the next character stands that is no space.
    fn here(&mut self) -> usize {
        self.skip_spaces();
        self.at
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

    /// One operation more, of numbers.
    fn node(&mut self, node: Expression) -> Parsed {
        self.nodes += 1;
        self.few(self.nodes)?;
        Ok(Value::Scalar(node))
    }

    fn few(&self, nodes: usize) -> Parsed<()> {
        if nodes > MAX_NODES {
            let found = format!("the expression has more than {MAX_NODES} parts, vectors written out");
            return Err(self.fault(&found).advise("give parts of it names: [[signal]]"));
        }
        Ok(())
    }

    fn pair(&mut self, make: Pair, one: Expression, other: Expression) -> Parsed {
        self.node(make(Box::new(one), Box::new(other)))
    }

    /// A value made of vectors counts as many operations as its components have, written out.
    fn written_out(&mut self, value: Value) -> Parsed {
        let size = |nodes: usize, part: &Expression| measured(part, 1, (nodes, 0)).0;
        self.nodes = self.nodes.max(value.parts().iter().fold(0, size));
        self.few(self.nodes)?;
        Ok(value)
    }

    /// The number that `value`, read from `start` on, must be.
    fn scalar(&self, value: Value, start: usize) -> Parsed<Expression> {
        match value {
            Value::Scalar(expression) => Ok(expression),
            other => Err(self.no("a number", &other, start)),
        }
    }

    fn vector(&self, value: Value, start: usize) -> Parsed<Vector> {
        match value {
            Value::Vector(vector) => Ok(*vector),
            other => Err(self.no("a vector", &other, start)),
        }
    }

    fn no(&self, wanted: &str, found: &Value, start: usize) -> ExpressionError {
        let advice = match (wanted, found) {
            ("a number", Value::Vector(_)) => {
                "take a component, such as tip.position.x, or norm(tip.position)"
            }
            ("a number", _) => {
                "take a component, such as arm.attitude.q0, or rotate(arm.attitude, [1, 0, 0])"
            }
            ("a vector", _) => "give e.g. tip.position or [0, 0, 1]",
            _ => "give e.g. arm.attitude",
        };
        self.fault_at(start, &format!("found {} where {wanted} was expected", found.noun())).advise(advice)
    }

    fn compared(&mut self) -> Parsed {
        let start = self.here();
        let one = self.sum()?;
        let Some(sign @ ('<' | '>')) = self.peek() else { return Ok(one) };
        let one = self.scalar(one, start)?;
        self.at += 1;
        let or_equal = self.text[self.at..].starts_with('=');
        self.at += usize::from(or_equal);
        let start = self.here();
        let other = self.sum()?;
        let other = self.scalar(other, start)?;
        if let Some('<' | '>') = self.peek() {
            return Err(self
                .fault("found a second comparison")
                .advise("write (a < b)*(b < c) for both, max(a < b, c < d) for either"));
        }
        // a <= b is 1 - (b < a).
        let (less, greater) = if (sign == '<') == or_equal { (other, one) } else { (one, other) };
        let less = Expression::Less(Box::new(less), Box::new(greater));
        if !or_equal {
            return self.node(less);
        }
        self.pair(Expression::Difference, Expression::Number(1.0), less)
    }

    fn sum(&mut self) -> Parsed {
        let start = self.here();
        let mut sum = self.product()?;
        loop {
            let (make, of_vectors): (Pair, fn(Expression, Expression) -> Expression) = match self.peek() {
                Some('+') => (Expression::Sum, vectors::sum),
                Some('-') => (Expression::Difference, vectors::difference),
                _ => return Ok(sum),
            };
            self.at += 1;
            let at = self.here();
            let term = self.product()?;
            sum = match (sum, term) {
                (Value::Scalar(sum), Value::Scalar(term)) => self.pair(make, sum, term)?,
                (Value::Vector(sum), term) => {
                    let vector = vectors::by_components(of_vectors, *sum, self.vector(term, at)?);
                    self.written_out(Value::Vector(Box::new(vector)))?
                }
                (Value::Scalar(_), term) => return Err(self.no("a number", &term, at)),
                (sum @ Value::Attitude(_), _) => return Err(self.no("a number", &sum, start)),
            };
        }
    }

    fn product(&mut self) -> Parsed {
        let start = self.here();
        let mut product = self.unary()?;
        loop {
            let divides = match self.peek() {
                Some('*') if self.text[self.at..].starts_with("**") => {
                    return Err(self.fault("found `**`").advise("write ^ for powers"));
                }
                Some('*') => false,
                Some('/') => true,
                _ => return Ok(product),
            };
            self.at += 1;
            let at = self.here();
            let factor = self.unary()?;
            if divides {
                self.no_bare_quantity(at)?;
            }
            let make = if divides { Expression::Quotient } else { Expression::Product };
            product = match (product, factor) {
                (Value::Scalar(product), Value::Scalar(factor)) => self.pair(make, product, factor)?,
                (Value::Vector(vector), Value::Scalar(factor)) => {
                    let scaled = |part: Expression| match divides {
                        true if part == Expression::Number(0.0) => part,
                        true => Expression::Quotient(Box::new(part), Box::new(factor.clone())),
                        false => vectors::product(part, factor.clone()),
                    };
                    self.written_out(Value::Vector(Box::new(vector.map(scaled))))?
                }
                (Value::Scalar(factor), Value::Vector(vector)) if !divides => {
                    let vector = vector.map(|part| vectors::product(factor.clone(), part));
                    self.written_out(Value::Vector(Box::new(vector)))?
                }
                (Value::Vector(_), Value::Vector(_)) if !divides => {
                    let found = "found a product of two vectors";
                    return Err(self.fault_at(at, found).advise("write dot(a, b) or cross(a, b)"));
                }
                (attitude @ Value::Attitude(_), _) => return Err(self.no("a number", &attitude, start)),
                (_, other) => return Err(self.no("a number", &other, at)),
            };
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

    /// An argument, which must be a number.
    fn argument(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let value = self.deeper(Self::compared)?;
        self.scalar(value, start)
    }

    fn unary(&mut self) -> Parsed {
        if self.take('-') {
            if let Some(number) = self.literal_without_power()? {
                return self.node(Expression::Number(-number));
            }
            let start = self.here();
            return match self.deeper(Self::unary)? {
                Value::Scalar(inner) => self.node(Expression::Negative(Box::new(inner))),
                Value::Vector(vector) => {
                    self.written_out(Value::Vector(Box::new(vector.map(vectors::negative))))
                }
                other => Err(self.no("a number", &other, start)),
            };
        }
        if self.take('+') {
            return self.deeper(Self::unary);
        }
        self.power()
    }

    /// The number that stands here, unless it is the base of a power: that binds more tightly than
    /// the sign before it.
    fn literal_without_power(&mut self) -> Parsed<Option<f64>> {
        let start = self.here();
        if self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
            let number = self.quantity()?;
            if self.peek() != Some('^') {
                return Ok(Some(number));
            }
        }
        self.at = start;
        Ok(None)
    }

    fn power(&mut self) -> Parsed {
        let start = self.here();
        let base = self.part()?;
        if !self.take('^') {
            return Ok(base);
        }
        let base = self.scalar(base, start)?;
        let start = self.here();
        let exponent = self.deeper(Self::unary)?;
        self.no_bare_quantity(start)?;
        let exponent = self.scalar(exponent, start)?;
        match raised(base, exponent) {
            Ok(power) => self.node(power),
            Err(whole) => {
                let found = format!("the power {whole} is not from -{MAX_POWER} to {MAX_POWER}");
                Err(self.fault_at(start, &found).advise("write exp(n*log(x)) for larger powers of x > 0"))
            }
        }
    }

    /// Refuses a quantity with a unit behind `/` or `^`, which ends before `start`, unless it
    /// stands in parentheses.
    fn no_bare_quantity(&self, start: usize) -> Parsed<()> {
        let between = |at: usize| self.text.get(start..at);
        match self
            .quantity
            .filter(|at| between(*at).is_some_and(|text| text.trim_matches([' ', '+', '-']).is_empty()))
        {
            Some(at) => {
                let quantity = self.text[at..self.at].trim();
                let found = format!("found `{quantity}` behind an operator that may be part of its unit");
                Err(self.fault_at(at, &found).advise(&format!("put it in parentheses: ({quantity})")))
            }
            None => Ok(()),
        }
    }

    /// A component of what stands here, or all of it.
    fn part(&mut self) -> Parsed {
        let start = self.here();
        let value = self.primary()?;
        if matches!(value, Value::Scalar(_)) || !self.take('.') {
            return Ok(value);
        }
        let word = self.word().to_string();
        let names = if matches!(value, Value::Vector(_)) { &COMPONENTS[..] } else { &QUATERNION[..] };
        let Some(at) = names.iter().position(|name| *name == word) else {
            let mut error = self.fault(&format!("{} has no component `{word}`", value.noun()));
            error.allowed = names.iter().map(|name| name.to_string()).collect();
            return Err(error);
        };
        self.at += word.len();
        self.scalar(Value::Scalar(value.parts()[at].clone()), start).map(Value::Scalar)
    }

    /// A number, with a unit if one follows, in SI.
    fn quantity(&mut self) -> Parsed<f64> {
        let start = self.here();
        let number = self.number()?;
        let Some(end) = self.end_of_unit()? else { return Ok(number) };
        let text = &self.text[start..end];
        match parse_any_quantity(text) {
            Ok((value, _)) => {
                (self.quantity, self.at) = (Some(start), end);
                Ok(value)
            }
            Err(error) => Err(self.fault_at(start, &format!("`{text}` {error}"))),
        }
    }

    /// Where the unit ends that follows here; `None`: none does.
    fn end_of_unit(&self) -> Parsed<Option<usize>> {
        if !self.names.units {
            return Ok(None);
        }
        let spaces = |at: usize| at + self.text[at..].len() - self.text[at..].trim_start().len();
        let mut end = None;
        let mut at = spaces(self.at);
        loop {
            let divides = end.is_some() && self.text[at..].starts_with('/');
            let begin = if divides { spaces(at + 1) } else { at };
            let rest = &self.text[begin..];
            let length = rest.find(|c: char| !is_of_unit(c)).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(length);
            let is_name = behind
                .starts_with(|c: char| c == '_' || c == '.' || c == '(' || c.is_alphanumeric())
                && !behind.starts_with(|c: char| c.is_ascii_digit());
            if name.is_empty() || is_name || parse_unit(name).is_err() {
                return Ok(end);
            }
            let digits =
                |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let mut next = begin + length;
            if let Some(raised) = behind.strip_prefix('^') {
                let sign = usize::from(raised.starts_with(['-', '+']));
                match digits(&raised[sign..]) {
                    0 => return Ok(end),
                    count => next += 1 + sign + count,
                }
            } else {
                next += digits(behind);
            }
            if self.is_known(name) {
                // Behind a number it is a factor without its sign; behind a unit it may be both.
                if end.is_none() {
                    return Ok(None);
                }
                let found = format!("`{name}` is a unit, and a name that is known here");
                let unit = &self.text[self.at..next];
                let advice =
                    format!("put the quantity in quotes, as in '1{unit}', or write the factor first");
                return Err(self.fault_at(begin, &found).advise(&advice));
            }
            end = Some(next);
            at = spaces(next);
        }
    }

    /// Whether it is the name of a number here.
    fn is_known(&self, name: &str) -> bool {
        self.names.variable == Some(name)
            || self.names.constants.iter().any(|constant| constant.name == name)
            || self.names.inputs.is_some_and(|inputs| inputs.input(name).is_ok())
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
            let number = self.quantity()?;
            return self.node(Expression::Number(number));
        }
        if matches!(next, '\'' | '"') {
            return self.quoted(next);
        }
        if self.take('(') {
            let inner = self.deeper(Self::compared)?;
            self.close()?;
            return Ok(inner);
        }
        if self.take('[') {
            return self.components();
        }
        if !(next.is_alphabetic() || next == '_') {
            return Err(self.fault(&format!("found `{next}` where a number, a name or `(` was expected")));
        }
        let start = self.here();
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
        if let Some(vector) = self.components_of(name, COMPONENTS) {
            return self.written_out(Value::Vector(Box::new(vector)));
        }
        if let Some(attitude) = self.components_of(name, QUATERNION) {
            return self.written_out(Value::Attitude(Box::new(attitude)));
        }
        Err(self.unknown(name, start, unknown))
    }

    /// The numbers of the motion that are called `name` with each of these endings.
    fn components_of<const N: usize>(&self, name: &str, endings: [&str; N]) -> Option<[Expression; N]> {
        let inputs = self.names.inputs?;
        let read =
            endings.map(|ending| inputs.input(&format!("{name}.{ending}")).ok().map(Expression::Input));
        let all: Option<Vec<Expression>> = read.into_iter().collect();
        all?.try_into().ok()
    }

    /// A quantity in quotes.
    fn quoted(&mut self, quote: char) -> Parsed {
        let start = self.at + 1;
        let Some(length) = self.text[start..].find(quote) else {
            return Err(self.fault(&format!("the text ends where {quote} was expected")));
        };
        let text = &self.text[start..start + length];
        match parse_any_quantity(text) {
            Ok((value, _)) => {
                self.at = start + length + 1;
                self.node(Expression::Number(value))
            }
            Err(error) => {
                let mut fault = self.fault_at(start, &format!("`{text}` {error}"));
                if let UnitError::UnknownUnit { nearest, .. } = error {
                    fault.nearest = nearest;
                }
                Err(fault.advise("quotes hold a quantity, such as '5 deg'"))
            }
        }
    }

    /// Reads the vector that follows `[`.
    fn components(&mut self) -> Parsed {
        let start = self.here();
        let mut parts = vec![self.argument()?];
        while self.take(',') {
            parts.push(self.argument()?);
        }
        if !self.take(']') {
            return Err(self.fault("found no `]` behind the components of a vector"));
        }
        match Vector::try_from(parts) {
            Ok(vector) => self.written_out(Value::Vector(Box::new(vector))),
            Err(parts) => {
                let found = format!("a vector has three components, not {}", parts.len());
                Err(self.fault_at(start, &found).advise("write e.g. [0, 0, 1]"))
            }
        }
    }

    /// `unknown`: why it is no number of the motion; `None`: the motion has no effect here.
    fn unknown(&self, name: &str, start: usize, unknown: Option<UnknownInput>) -> ExpressionError {
        let is_table = self.names.tables.iter().any(|table| table.name.as_deref() == Some(name));
        if is_function(name) || is_of_vectors(name) || is_table {
            return self
                .fault_at(start, &format!("`{name}` is a function"))
                .advise(&format!("write e.g. {name}(...)"));
        }
        if ["t", "x"].contains(&name) {
            let found = match self.names.variable {
                Some(variable) => format!("`{name}` is not known here: the variable is `{variable}`"),
                None => format!("`{name}` is not known here: this number is constant"),
            };
            return self.fault_at(start, &found);
        }
        let simple = !name.contains('.');
        if unknown.is_none() && !simple {
            let found = format!("`{name}` is part of the motion, which this expression cannot use");
            let advice = "forces, loads, actuators and signals can use it";
            return self.fault_at(start, &found).advise(advice);
        }
        let (found, inputs, follows) = match unknown {
            Some(UnknownInput { found, allowed, follows }) => (found, allowed, follows),
            None => (format!("there is no constant `{name}`"), Vec::new(), false),
        };
        let mut error = ExpressionError { follows, ..self.fault_at(start, &found) };
        let constants = self.names.constants.iter().map(|constant| constant.name.as_str());
        let own = self.names.variable.into_iter().chain(["pi"]).chain(constants).filter(|_| simple);
        error.allowed = by_distance(name, own.map(str::to_string).chain(inputs).collect());
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

    /// Parses the rest of a call after `name(`.
    fn call(&mut self, name: &str, start: usize) -> Parsed {
        if is_of_vectors(name) {
            return self.call_of_vectors(name, start);
        }
        let one = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let two: Option<Pair> = match name {
            LEAST => Some(Expression::Least),
            GREATEST => Some(Expression::Greatest),
            _ => None,
        };
        let tables = self.names.tables;
        if let Some(table) = tables.iter().find(|table| table.name.as_deref() == Some(name)) {
            let argument = self.argument()?;
            self.close()?;
            return self.node(Expression::Lookup(Box::new(table.clone()), Box::new(argument)));
        }
        if !is_function(name) {
            let mut error = self.fault_at(start, &format!("there is no function or table `{name}`"));
            let names = FUNCTIONS.iter().map(|(known, _)| *known).chain(OF_SEVERAL);
            let names = names.chain(OF_VECTORS.map(|(known, _)| known));
            let tables = tables.iter().filter_map(|table| table.name.as_deref());
            error.allowed = by_distance(name, names.chain(tables).map(str::to_string).collect());
            error.nearest = nearest(name, error.allowed.iter().map(String::as_str));
            return Err(error);
        }
        let fixed = match name {
            CLAMP => Some(("three", "clamp(x, low, high)")),
            SELECT => Some(("three", "select(condition, one, other)")),
            ATAN2 => Some(("two", "atan2(y, x)")),
            _ => None,
        };
        if let Some((count, example)) = fixed {
            return self.call_of_several(name, start, count, example);
        }
        let mut value = self.argument()?;
        let mut count = 1;
        while self.take(',') {
            let next = self.argument()?;
            count += 1;
            match two {
                Some(make) => {
                    let pair = self.pair(make, value, next)?;
                    value = self.scalar(pair, start)?;
                }
                None => return Err(self.fault_at(start, &format!("`{name}` takes one argument"))),
            }
        }
        self.close()?;
        match one {
            Some((_, function)) => self.node(Expression::Call(*function, Box::new(value))),
            None if count < 2 => Err(self.fault_at(start, &format!("`{name}` takes two arguments or more"))),
            None => Ok(Value::Scalar(value)),
        }
    }

    /// A function of this many arguments.
    fn call_of_several(&mut self, name: &str, start: usize, count: &str, example: &str) -> Parsed {
        let mut parts = vec![self.argument()?];
        while self.take(',') {
            parts.push(self.argument()?);
        }
        self.close()?;
        let mut parts = parts.into_iter();
        let wrong = || {
            let found = format!("`{name}` takes {count} arguments");
            self.fault_at(start, &found).advise(&format!("write {example}"))
        };
        match (name, parts.next(), parts.next(), parts.next(), parts.next()) {
            (ATAN2, Some(y), Some(x), None, _) => self.pair(Expression::Atan2, y, x),
            (SELECT, Some(a), Some(b), Some(c), None) => self.node(Expression::Select(Box::new([a, b, c]))),
            (CLAMP, Some(a), Some(b), Some(c), None) => {
                self.nodes += 1;
                let above = Expression::Greatest(Box::new(a), Box::new(b));
                self.pair(Expression::Least, above, c)
            }
            _ => Err(wrong()),
        }
    }

    /// A function of vectors.
    fn call_of_vectors(&mut self, name: &str, start: usize) -> Parsed {
        let mut starts = vec![self.here()];
        let mut values = vec![self.deeper(Self::compared)?];
        while self.take(',') {
            starts.push(self.here());
            values.push(self.deeper(Self::compared)?);
        }
        self.close()?;
        let mut arguments = starts.into_iter().zip(values);
        let mut next = || arguments.next();
        let attitude = |parser: &Self, argument: Option<(usize, Value)>| match argument {
            Some((_, Value::Attitude(attitude))) => Ok(*attitude),
            Some((at, other)) => Err(parser.no("an attitude", &other, at)),
            None => Err(parser.count_of(name, start)),
        };
        let vector = |parser: &Self, argument: Option<(usize, Value)>| match argument {
            Some((at, value)) => parser.vector(value, at),
            None => Err(parser.count_of(name, start)),
        };
        let value = match name {
            "norm" => Value::Scalar(vectors::norm(&vector(self, next())?)),
            "dot" => Value::Scalar(vectors::dot(&vector(self, next())?, &vector(self, next())?)),
            "cross" => {
                Value::Vector(Box::new(vectors::cross(&vector(self, next())?, &vector(self, next())?)))
            }
            "rotate" => {
                let attitude = attitude(self, next())?;
                Value::Vector(Box::new(vectors::rotate(&attitude, &vector(self, next())?)))
            }
            "inverse" => Value::Attitude(Box::new(vectors::inverse(attitude(self, next())?))),
            _ => {
                let attitude = attitude(self, next())?;
                let axis = vector(self, next())?;
                Value::Scalar(vectors::tilt(&attitude, &axis, &vector(self, next())?))
            }
        };
        if next().is_some() {
            return Err(self.count_of(name, start));
        }
        self.written_out(value)
    }

    fn count_of(&self, name: &str, start: usize) -> ExpressionError {
        let example = OF_VECTORS.iter().find(|(known, _)| *known == name).map_or("", |(_, example)| example);
        let found = format!("`{name}` takes another number of arguments");
        self.fault_at(start, &found).advise(&format!("write e.g. {example}"))
    }
}

/// A letter, or a sign that units have.
fn is_of_unit(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '°' | 'µ' | 'μ' | '²' | '³' | '⁻' | '¹')
}

/// `base^exponent`: a whole power where the exponent is a number that is whole. The error is such
/// an exponent out of range.
fn raised(base: Expression, exponent: Expression) -> Result<Expression, f64> {
    let is_name = |part: &Expression| !matches!(part, Expression::Number(_)) && part.parts().is_empty();
    if exponent.any(&is_name) {
        return Ok(Expression::RealPower(Box::new(base), Box::new(exponent)));
    }
    let value: f64 = function::value(&exponent, 0.0, &[]);
    match value {
        whole if whole.fract() == 0.0 && whole.abs() <= f64::from(MAX_POWER) => {
            Ok(Expression::Power(Box::new(base), whole as i32))
        }
        real if real.is_finite() && real.abs() < f64::from(MAX_POWER) => {
            Ok(Expression::RealPower(Box::new(base), Box::new(exponent)))
        }
        beyond => Err(beyond),
    }
}

/// The expression as text that [`parse`] makes the same tree of. A table without a name is no part
/// of an expression in files: it stands alone. `input`: the name of a number of the motion.
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

/// Binding strength of a form, as in the grammar; the weakest is first.
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
        Expression::Power(..) | Expression::RealPower(..) => Level::Power,
        Expression::Number(_)
        | Expression::Argument
        | Expression::Constant(_)
        | Expression::Input(_)
        | Expression::Select(_)
        | Expression::Call(..)
        | Expression::Least(..)
        | Expression::Greatest(..)
        | Expression::Atan2(..)
        | Expression::Lookup(..) => Level::Primary,
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
    let put_part = |part: &Expression, least, text: &mut String| put(part, least, names, text);
    let arguments = |name: &str, parts: &[&Expression], text: &mut String| {
        text.push_str(name);
        for (k, part) in parts.iter().enumerate() {
            text.push_str(if k == 0 { "(" } else { ", " });
            put_part(part, Level::Compared, text);
        }
        text.push(')');
    };
    let mut pair = |one: &Expression, sign: &str, other: &Expression, [left, right]: [Level; 2]| {
        put_part(one, left, text);
        text.push_str(sign);
        put_part(other, right, text);
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
        Expression::Atan2(y, x) => arguments(ATAN2, &[y, x], text),
        Expression::Negative(inner) => {
            text.push('-');
            // A minus before a bare number would become part of it.
            let bare = matches!(**inner, Expression::Number(number) if number.is_sign_positive());
            if bare {
                text.push('(');
            }
            put_part(inner, Level::Unary, text);
            if bare {
                text.push(')');
            }
        }
        Expression::Power(base, exponent) => {
            put_part(base, Level::Primary, text);
            text.push_str(&format!("^{exponent}"));
        }
        Expression::RealPower(base, exponent) => {
            put_part(base, Level::Primary, text);
            text.push('^');
            put_part(exponent, Level::Primary, text);
        }
        Expression::Call(function, inner) => {
            let name = FUNCTIONS.iter().find(|(_, known)| known == function).map_or("", |(name, _)| name);
            arguments(name, &[inner], text);
        }
        Expression::Number(number) => text.push_str(&format!("{number:?}")),
        Expression::Argument => text.push_str(names.variable),
        Expression::Constant(position) => text.push_str(&names.constants[*position].name),
        Expression::Input(input) => text.push_str(&(names.input)(*input)),
        Expression::Lookup(table, argument) => {
            arguments(table.name.as_deref().unwrap_or_default(), &[argument], text);
        }
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

    fn table() -> FunctionTable {
        FunctionTable {
            name: Some("curve".to_string()),
            knots: vec![0.0, 1.0],
            values: vec![2.0, 3.0],
            interpolation: polhode_description::describe::expression::Interpolation::Linear,
            slopes: Vec::new(),
            columns: Vec::new().into(),
            first: 0,
        }
    }

    /// Numbers of the motion.
    struct SomeInputs;

    const INPUTS: [(&str, MotionInput); 9] = [
        ("pivot.angle", MotionInput::Sensor(0)),
        ("effort", MotionInput::Signal(0)),
        ("tip.position.x", MotionInput::Sensor(1)),
        ("tip.position.y", MotionInput::Sensor(2)),
        ("tip.position.z", MotionInput::Sensor(3)),
        ("arm.attitude.q0", MotionInput::Sensor(4)),
        ("arm.attitude.q1", MotionInput::Sensor(5)),
        ("arm.attitude.q2", MotionInput::Sensor(6)),
        ("arm.attitude.q3", MotionInput::Sensor(7)),
    ];
    /// The values of the sensors: an angle, a point, and a third of a turn about (1, 1, 1).
    const SENSORS: [f64; 8] = [0.5, 1.0, 2.0, -2.0, 0.5, 0.5, 0.5, 0.5];

    impl InputNames for SomeInputs {
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
            Vocabulary {
                variable: Some(variable),
                constants: &constants(),
                inputs: Some(&SomeInputs),
                tables: &[table()],
                units: true,
            },
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
        let value_of = |e: &Expression| value(e, t);
        match expression {
            Expression::Number(number) => *number,
            Expression::Argument => t,
            Expression::Constant(position) => constants()[*position].value,
            Expression::Input(MotionInput::Sensor(k)) => SENSORS[*k],
            Expression::Input(MotionInput::Signal(_)) => -4.0,
            Expression::Input(MotionInput::State(_) | MotionInput::Held(_)) => {
                unreachable!("no text has a state")
            }
            Expression::Less(a, b) => f64::from(u8::from(value_of(a) < value_of(b))),
            Expression::Select(parts) => value_of(&parts[if value_of(&parts[0]) != 0.0 { 1 } else { 2 }]),
            Expression::Negative(a) => -value_of(a),
            Expression::Sum(a, b) => value_of(a) + value_of(b),
            Expression::Difference(a, b) => value_of(a) - value_of(b),
            Expression::Product(a, b) => value_of(a) * value_of(b),
            Expression::Quotient(a, b) => value_of(a) / value_of(b),
            Expression::Power(a, n) => value_of(a).powi(*n),
            Expression::RealPower(a, b) => value_of(a).powf(value_of(b)),
            Expression::Atan2(y, x) => value_of(y).atan2(value_of(x)),
            Expression::Call(Function::Log, a) => value_of(a).ln(),
            Expression::Call(Function::Asin, a) => value_of(a).asin(),
            Expression::Call(Function::Acos, a) => value_of(a).acos(),
            Expression::Call(Function::Sign, a) => {
                if value_of(a) == 0.0 {
                    0.0
                } else {
                    value_of(a).signum()
                }
            }
            Expression::Least(a, b) => value_of(a).min(value_of(b)),
            Expression::Greatest(a, b) => value_of(a).max(value_of(b)),
            Expression::Call(Function::Sin, a) => value_of(a).sin(),
            Expression::Call(Function::Cos, a) => value_of(a).cos(),
            Expression::Call(Function::Tan, a) => value_of(a).tan(),
            Expression::Call(Function::Exp, a) => value_of(a).exp(),
            Expression::Call(Function::Tanh, a) => value_of(a).tanh(),
            Expression::Call(Function::Sqrt, a) => value_of(a).sqrt(),
            Expression::Call(Function::Abs, a) => value_of(a).abs(),
            Expression::Call(Function::Step, a) => f64::from(u8::from(value_of(a) >= 0.0)),
            Expression::Call(Function::SmoothStep, a) => {
                let u = value_of(a).clamp(0.0, 1.0);
                10.0 * u.powi(3) - 15.0 * u.powi(4) + 6.0 * u.powi(5)
            }
            Expression::Lookup(table, a) => {
                assert_eq!(table.name.as_deref(), Some("curve"));
                value_of(a) + 100.0
            }
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
            ("4^1.5 + 4^-0.5 + 4^(1/2)", 10.5),
            ("t^(4/2)", 9.0),
            ("2^t^2", 512.0),
            ("(t + 1)^(t/2)", 8.0),
            ("-4^0.5", -2.0),
            ("log(1) + asin(0) + acos(1) + sign(-t) + sign(0) + sign(t)", 0.0),
            ("atan2(1 - 1, -1)", PI),
            ("norm(tip.position) + norm([3, 0, 4])", 8.0),
            ("dot(tip.position, [1, 2, 3] - [0, 1, 1])", -1.0),
            ("cross(tip.position, [0, 0, 1]).x", 2.0),
            ("(2*tip.position/4 - -tip.position).z", -3.0),
            ("rotate(arm.attitude, [1, 2, 3]).x", 3.0),
            ("rotate(arm.attitude, [1, 2, 3]).y", 1.0),
            ("rotate(inverse(arm.attitude), rotate(arm.attitude, [1, 2, 3])).z", 3.0),
            ("tilt(arm.attitude, [0, 0, 1], [0, 0, 2])", PI / 2.0),
            ("tilt(arm.attitude, [0, 0, 1], [3, 0, 0])", 0.0),
            ("arm.attitude.q0", 0.5),
            ("180 deg", PI),
            ("90 deg + 2*45 deg", PI),
            ("t < 2 min", 1.0),
            ("pivot.angle > 20 deg", 1.0),
            ("-10 cm/s^2*t", -0.1 * 3.0),
            ("3 N m*t", 9.0),
            ("t/(2 km)*'500 m' + \"2 g cm^2\"*0", 0.75),
            ("2 h/omega", 3600.0),
            ("2*curve(t + 1)", 208.0),
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
            ("t^101", 3, "the power 101 is not from -100 to 100"),
            ("t^100.5", 3, "the power 100.5 is not from -100 to 100"),
            ("2^3^9", 3, "the power 19683 is not from -100 to 100"),
            ("tip.position", 1, "found a vector where a number was expected"),
            ("2 + tip.position", 5, "found a vector where a number was expected"),
            ("norm(t)", 6, "found a number where a vector was expected"),
            ("norm([1, 2])", 7, "a vector has three components, not 2"),
            ("sin(arm.attitude)", 5, "found an attitude where a number was expected"),
            ("rotate([0, 0, 1], [0, 0, 1]).x", 8, "found a vector where an attitude was expected"),
            ("cross(tip.position).x", 1, "`cross` takes another number of arguments"),
            ("norm(tip.position, 1)", 1, "`norm` takes another number of arguments"),
            ("tip.position*tip.position", 14, "found a product of two vectors"),
            ("t/tip.position", 3, "found a vector where a number was expected"),
            ("cross(tip.position, [0, 0, 1]).w", 32, "a vector has no component `w`"),
            ("norm + 1", 1, "`norm` is a function"),
            ("atan2(t)", 1, "`atan2` takes two arguments"),
            ("t/5 deg", 3, "found `5 deg` behind an operator that may be part of its unit"),
            ("2^-5 s", 4, "found `5 s` behind an operator that may be part of its unit"),
            ("6 m/t", 5, "`t` is a unit, and a name that is known here"),
            ("2 N m x", 7, "found `x` where an operator was expected"),
            ("'5 degg'", 2, "`5 degg` has the unknown unit `degg`"),
            ("'5 deg", 1, "the text ends where ' was expected"),
            ("t**2", 2, "found `**`"),
            ("2 + sine(t)", 5, "there is no function or table `sine`"),
            ("curve + 1", 1, "`curve` is a function"),
            ("curve(t, 1)", 8, "found `,` where an operator or `)` was expected"),
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
        // `t` is a unit too.
        let ambiguous = read("5 kg/t", "s").unwrap();
        assert_eq!(ambiguous, Expression::Number(5e-3));
        let near = |text| read(text, "t").unwrap_err().nearest;
        assert_eq!(near("sine(t)").as_deref(), Some("sin"));
        assert_eq!(near("omga*t").as_deref(), Some("omega"));
        assert_eq!(near("pivot.angel").as_deref(), Some("pivot.angle"));
        let still = Vocabulary {
            variable: Some("t"),
            constants: &constants(),
            inputs: None,
            tables: &[],
            units: false,
        };
        let found = |text| parse(text, still).unwrap_err().found;
        assert_eq!(found("omga*t"), "there is no constant `omga`");
        assert_eq!(found("a.b"), "`a.b` is part of the motion, which this expression cannot use");
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
                pair(Expression::Atan2),
                inner.clone().prop_map(|a| Expression::Lookup(Box::new(table()), Box::new(a))),
                two.clone().prop_filter_map("a power in range", |(a, b)| raised(a, b).ok()),
                (inner.clone(), inner.clone(), inner.clone())
                    .prop_map(|(a, b, c)| Expression::Select(Box::new([a, b, c]))),
                inner.clone().prop_map(|a| Expression::Negative(Box::new(a))),
                (inner.clone(), -9i32..10).prop_map(|(a, n)| Expression::Power(Box::new(a), n)),
                (inner.clone(), 0usize..FUNCTIONS.len())
                    .prop_map(|(a, k)| Expression::Call(FUNCTIONS[k].1, Box::new(a))),
            ]
        })
    }

    proptest! {
        /// A printed tree is read back as the same tree, with the same bits.
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
