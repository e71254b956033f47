//! Numbers of a node, with their units: scalars, vectors and matrices in SI.

use std::borrow::Cow;

use toml::de::DeValue;

use super::{Call, Calls, Node};
use crate::expression_text::{ExpressionError, Vocabulary, parse};
use crate::keys::WITH_UNIT;
use polhode_description::base::significant;
use polhode_description::base::units::{
    Dimension, Unit, UnitError, parse_any_quantity, parse_quantity, parse_unit,
};
use polhode_description::describe::expression::Expression;
use polhode_dynamics::kinematics::function;

impl Node<'_> {
    /// A quantity, in SI: a plain number, a text with a unit, or `{ value = .., unit = ".." }`.
    pub fn quantity(&self, dimension: Dimension) -> Option<f64> {
        self.scaled(dimension, |node, unit| node.scalar(dimension, unit))
    }

    /// A pure number.
    pub fn number(&self) -> Option<f64> {
        self.scalar(Dimension::Number, None)
    }

    /// A pure number within these ends, both included.
    pub fn bounded(&self, min: f64, max: f64) -> Option<f64> {
        let value = self.number()?;
        if (min..=max).contains(&value) {
            return Some(value);
        }
        self.report(format!("{} is not a number from {min:?} to {max:?}", self.source()), |problem| problem);
        None
    }

    /// A quantity above zero.
    pub fn positive(&self, dimension: Dimension) -> Option<f64> {
        let value = self.quantity(dimension)?;
        if value > 0.0 {
            return Some(value);
        }
        self.refuse(&format!("a positive {}", dimension.name()), &dimension.advice());
        None
    }

    /// `count` quantities, in SI.
    pub fn vector(&self, dimension: Dimension, count: usize) -> Option<Vec<f64>> {
        self.scaled(dimension, |node, unit| node.row(dimension, unit, count))
    }

    /// Any number of quantities, in SI.
    pub fn quantities(&self, dimension: Dimension) -> Option<Vec<f64>> {
        self.scaled(dimension, |node, unit| {
            let read: Vec<_> = node.list()?.iter().map(|entry| entry.scalar(dimension, unit)).collect();
            read.into_iter().collect()
        })
    }

    /// Any number of quantities of this dimension, or of one that is the same for all, in SI.
    pub fn quantities_of(&self, dimension: Option<Dimension>) -> Option<Vec<f64>> {
        if let Some(dimension) = dimension {
            return self.quantities(dimension);
        }
        if self.is_table() {
            let table = self.table(&WITH_UNIT)?;
            let unit = table.get("unit").and_then(|node| {
                let unit = parse_unit(node.text()?);
                unit.map_err(|error| node.report_unit(&error, Dimension::Number)).ok()
            });
            let (value, unit) = (table.get("value")?, unit?);
            let read: Vec<_> =
                value.list()?.iter().map(|entry| entry.scalar(Dimension::Number, Some(&unit))).collect();
            return read.into_iter().collect();
        }
        let nodes = self.list()?;
        let read: Vec<_> = nodes.iter().map(Node::any_quantity).collect();
        let read: Vec<(f64, Cow<'static, str>)> = read.into_iter().collect::<Option<_>>()?;
        // Plain numbers are in SI, whatever they measure.
        let mut with_units = read.iter().enumerate().filter(|(_, (_, unit))| unit != "1");
        if let Some((_, (_, first))) = with_units.next()
            && let Some((other, (_, unit))) = with_units.find(|(_, (_, unit))| unit != first)
        {
            nodes[other].report(format!("is in {unit}, an entry before it in {first}"), |problem| {
                problem.advise("give all entries in units of one dimension")
            });
            return None;
        }
        Some(read.into_iter().map(|(value, _)| value).collect())
    }

    /// A plain number or a quantity of any dimension, in SI, with the name of its SI unit, "1" of a
    /// plain number.
    pub fn any_quantity(&self) -> Option<(f64, Cow<'static, str>)> {
        if let Some(value) = self.evaluated() {
            return Some((self.finite(value)?, "1".into()));
        }
        let read = match self.value() {
            DeValue::String(text) => parse_any_quantity(text),
            _ => return Some((self.number()?, "1".into())),
        };
        if let (Err(error), DeValue::String(text)) = (&read, self.value()) {
            if let Some((value, unit)) = Self::product_with_unit(text) {
                return Some((value, unit.si()));
            }
            if self.is_formula(text, error) {
                return Some((self.formula(text)?, "1".into()));
            }
        }
        if let Err(error) = &read {
            self.report(format!("{} {error}", self.source()), |mut problem| {
                if let UnitError::UnknownUnit { nearest, .. } = error {
                    problem.nearest.clone_from(nearest);
                }
                problem.advise("give a number or a quantity, e.g. 9.81, \"20 mm\"")
            });
        }
        read.ok()
    }

    /// A quantity that is not negative.
    pub fn not_negative(&self, dimension: Dimension) -> Option<f64> {
        let value = self.quantity(dimension)?;
        if value < 0.0 {
            self.refuse(&format!("a {} of 0 or more", dimension.name()), &dimension.advice());
            return None;
        }
        Some(value)
    }

    /// Three quantities, in SI.
    pub fn vector3(&self, dimension: Dimension) -> Option<[f64; 3]> {
        self.vector(dimension, 3)?.try_into().ok()
    }

    /// `count` quantities, or one that is repeated.
    pub fn vector_or_repeated(&self, dimension: Dimension, count: usize) -> Option<Vec<f64>> {
        self.scaled(dimension, |node, unit| {
            if node.is_list() {
                node.row(dimension, unit, count)
            } else {
                Some(vec![node.scalar(dimension, unit)?; count])
            }
        })
    }

    /// `rows` x `rows` quantities.
    pub fn matrix(&self, dimension: Dimension, rows: usize) -> Option<Vec<Vec<f64>>> {
        self.scaled(dimension, |node, unit| {
            let entries = node.list_of(rows, "rows")?;
            let read: Vec<_> = entries.iter().map(|row| row.row(dimension, unit, rows)).collect();
            read.into_iter().collect()
        })
    }

    /// All pure numbers of a list.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let read: Vec<_> = self.list()?.iter().map(Node::number).collect();
        read.into_iter().collect()
    }

    /// Opens `{ value = .., unit = ".." }` if that is what stands here.
    fn scaled<T>(
        &self,
        dimension: Dimension,
        read: impl FnOnce(&Node<'_>, Option<&Unit>) -> Option<T>,
    ) -> Option<T> {
        if !self.is_table() {
            return read(self, None);
        }
        let table = self.table(&WITH_UNIT)?;
        let unit = table.get("unit").and_then(|node| {
            let unit = parse_unit(node.text()?).and_then(|unit| unit.check(dimension).map(|()| unit));
            unit.map_err(|error| node.report_unit(&error, dimension)).ok()
        });
        let value = table.get("value")?;
        read(&value, Some(&unit?))
    }

    fn row(&self, dimension: Dimension, unit: Option<&Unit>, count: usize) -> Option<Vec<f64>> {
        let entries = self.list_of(count, "numbers")?;
        let read: Vec<_> = entries.iter().map(|entry| entry.scalar(dimension, unit)).collect();
        read.into_iter().collect()
    }

    fn list_of(&self, count: usize, what: &str) -> Option<Vec<Node<'_>>> {
        if !self.is_list() {
            self.wrong_type(&format!("a list of {count} {what}"));
            return None;
        }
        let entries = self.list()?;
        if entries.len() != count {
            let found = format!("has {} entries, not {count}", entries.len());
            self.report(found, |problem| problem);
            return None;
        }
        Some(entries)
    }

    fn scalar(&self, dimension: Dimension, unit: Option<&Unit>) -> Option<f64> {
        if let Some(value) = self.evaluated() {
            return self.finite(value);
        }
        let number: Cow<'_, str> = match self.value() {
            DeValue::Float(float) => Cow::Borrowed(float.as_str()),
            DeValue::Integer(integer) if integer.radix() == 10 => Cow::Borrowed(integer.as_str()),
            DeValue::Integer(integer) => match i128::from_str_radix(integer.as_str(), integer.radix()) {
                Ok(value) => Cow::Owned(value.to_string()),
                Err(_) => {
                    self.refuse("a finite number", &dimension.advice());
                    return None;
                }
            },
            DeValue::String(text)
                if unit.is_none()
                    && dimension == Dimension::Number
                    && (self.is_formula(text, &UnitError::NoNumber)
                        || is_arithmetic(text) && text.parse::<f64>().is_err()) =>
            {
                return self.formula(text);
            }
            DeValue::String(text) if unit.is_none() && dimension != Dimension::Number => {
                return match parse_quantity(text, dimension) {
                    Ok(value) => Some(value),
                    Err(_)
                        if let Some((value, unit)) = Self::product_with_unit(text)
                            && unit.check(dimension).is_ok() =>
                    {
                        Some(value)
                    }
                    Err(error) if self.is_formula(text, &error) => self.formula(text),
                    Err(error) => {
                        self.report_unit(&error, dimension);
                        None
                    }
                };
            }
            _ => {
                self.wrong_type(match (unit, dimension) {
                    (None, Dimension::Number) | (Some(_), _) => "a plain number",
                    (None, _) => "a number or a text with a unit",
                });
                return None;
            }
        };
        let value = match unit {
            Some(unit) => unit.apply(&number).ok(),
            None => number.parse::<f64>().ok().filter(|value| value.is_finite()),
        };
        // "nan" and "inf" are floats in TOML; a unit cannot be applied to them.
        let value = value.filter(|value| value.is_finite());
        if value.is_none() {
            self.refuse("a finite number", &dimension.advice());
        }
        if let (None, Dimension::Angle, Some(angle)) = (unit, dimension, value)
            && angle.abs() > std::f64::consts::TAU * (1.0 + 1e-9)
        {
            let (turns, source) = (significant(angle / std::f64::consts::TAU, 3), self.source());
            self.note_once(format!(
                "{source} rad are {turns} turns; write \"{source} deg\" if degrees are meant"
            ));
        }
        value
    }

    /// Whether a text that is no quantity is meant for an expression of constants. A text with a
    /// number ahead and neither an operator that units lack nor a constant's name is a quantity
    /// with a wrong unit.
    fn is_formula(&self, text: &str, error: &UnitError) -> bool {
        let calls = self.document.calls.borrow();
        let constants = calls.as_ref().map_or(&[][..], |calls| &calls.constants);
        let has_faults = calls.as_ref().is_some_and(|calls| calls.has_faults);
        let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let names_constant = || words().any(|word| constants.iter().any(|constant| constant.name == word));
        let has_operator = text.contains(['*', '(', '+']);
        match error {
            UnitError::NoNumber => {
                !constants.is_empty() || has_faults || has_operator || words().any(|word| word == "pi")
            }
            UnitError::UnknownUnit { .. } | UnitError::Syntax { .. } | UnitError::Ambiguous => {
                names_constant() || has_operator || is_arithmetic(text)
            }
            UnitError::NoUnit | UnitError::TooLarge | UnitError::Dimension { .. } => false,
        }
    }

    /// The quantity that a product of plain numbers and a unit behind it are, as in "2/3 mm";
    /// `None`: the text is something else.
    fn product_with_unit(text: &str) -> Option<(f64, Unit)> {
        let (number, unit) = product_and_unit(text)?;
        let names = Vocabulary { variable: None, constants: &[], inputs: None, tables: &[], units: false };
        let value: f64 = function::value(&parse(number, names).ok()?, 0.0, &[]);
        Some((unit.apply(&format!("{value:?}")).ok()?, unit))
    }

    /// The value of an expression of constants, in SI.
    fn formula(&self, text: &str) -> Option<f64> {
        let mut calls = self.document.calls.borrow_mut();
        let mut none = Calls::default();
        let calls = calls.as_mut().unwrap_or(&mut none);
        let names = Vocabulary {
            variable: None,
            constants: &calls.constants,
            inputs: None,
            tables: &[],
            units: false,
        };
        let expression = match parse(text, names) {
            Ok(expression) => expression,
            // It may call the constant that could not be read.
            Err(_) if calls.has_faults => return None,
            Err(error) => {
                self.report_expression(error);
                return None;
            }
        };
        let values: Vec<f64> = calls.constants.iter().map(|constant| constant.value).collect();
        let value = self.finite(function::value(&expression, 0.0, &values))?;
        let mut constants = Vec::new();
        for direct in called(&expression) {
            let path = format!("constants.{}", calls.constants[direct].name);
            let further = calls.made.iter().filter(|call| call.path.ends_with(&path));
            constants.extend(further.flat_map(|call| call.constants.iter().copied()).chain([direct]));
        }
        constants.sort_unstable();
        constants.dedup();
        calls.made.push(Call { path: self.path.clone(), expression, constants });
        Some(value)
    }

    /// The value of an expression with other constants than those of the first reading.
    fn evaluated(&self) -> Option<f64> {
        let (calls, values) = self.document.evaluated.as_ref()?;
        calls.binary_search_by(|call| call.path.as_str().cmp(&self.path)).ok().map(|k| values[k])
    }

    /// The value of an expression, which must be finite.
    fn finite(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            let found = format!("{} is {value} with the constants as they are", self.source());
            self.report(found, |problem| problem.advise("give an expression that is a finite number"));
        }
        value.is_finite().then_some(value)
    }

    /// Reports why this text is no expression.
    pub fn report_expression(&self, error: ExpressionError) {
        let found = format!("{}, character {}: {}", self.source(), error.at, error.found);
        self.report(found, |mut problem| {
            problem.nearest = error.nearest;
            problem.advice = error.advice;
            problem.allowed = error.allowed;
            problem
        });
    }

    fn report_unit(&self, error: &UnitError, dimension: Dimension) {
        self.report(format!("{} {error}", self.source()), |mut problem| {
            if let UnitError::UnknownUnit { nearest, .. } = error {
                problem.nearest.clone_from(nearest);
            }
            match error {
                UnitError::Syntax { rest } if rest.starts_with(',') => {
                    problem.advise("write the decimal point: 1.5 in place of 1,5")
                }
                _ => problem.advise(dimension.advice()),
            }
        });
    }
}

/// The constants that an expression calls itself.
fn called(expression: &Expression) -> Vec<usize> {
    let own = match expression {
        Expression::Constant(k) => vec![*k],
        _ => Vec::new(),
    };
    own.into_iter().chain(expression.parts().into_iter().flat_map(called)).collect()
}

/// Whether a text has digits, and besides them nothing but operators.
fn is_arithmetic(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || "+-*/^(). eE".contains(c))
}

/// A product of plain numbers, and the unit behind it. What has a sum outside parentheses is none:
/// readers disagree about "2 - 1 m".
fn product_and_unit(text: &str) -> Option<(&str, Unit)> {
    let is_exponent = |at: usize| {
        let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or(b' ');
        matches!(byte(at), b'e' | b'E')
            && at > 0
            && (byte(at - 1).is_ascii_digit() || byte(at - 1) == b'.')
            && (byte(at + 1).is_ascii_digit() || matches!(byte(at + 1), b'-' | b'+'))
    };
    let begins = text.char_indices().find(|(at, c)| (c.is_alphabetic() || *c == '°') && !is_exponent(*at))?.0;
    let (number, unit) = text.split_at(begins);
    let mut depth = 0i32;
    // A sign at the beginning is one of a number.
    let mut last = '*';
    for c in number.trim().chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 && !matches!(last, 'e' | 'E' | '*' | '/' | '^') => return None,
            _ => {}
        }
        if c != ' ' {
            last = c;
        }
    }
    Some((number, parse_unit(unit).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::keys::{Form, Presence, Section, key};

    static SECTION: Section =
        Section { doc: "", keys: &[key("q", Form::Quantity(Dimension::Length), Presence::Required, "")] };

    /// The quantity in text, and what is wrong with it.
    fn read(text: &str) -> Result<f64, String> {
        let document = Document::of_text("file", format!("q = \"{text}\""));
        let read = document.read(&SECTION, |table| table.get("q")?.quantity(Dimension::Length));
        read.map_err(|problems| problems.0[0].found.clone())
    }

    #[test]
    fn numbers_may_be_arithmetic_and_have_a_unit_behind_a_product() {
        for (text, value) in [
            ("2/5", 0.4),
            ("1/3", 1.0 / 3.0),
            ("2^2", 4.0),
            ("2 - 1", 1.0),
            ("-1/4", -0.25),
            ("2*3", 6.0),
            ("2/(5)", 0.4),
            ("pi/4", std::f64::consts::FRAC_PI_4),
            ("2/5 mm", 4e-4),
            ("(1 + 2)*1e-1 km", 300.0),
            ("-2^2 m", -4.0),
            ("1e3*2 cm", 20.0),
            ("2 m", 2.0),
        ] {
            let found = read(text).unwrap_or_else(|found| panic!("{text}: {found}"));
            assert!((found - value).abs() < 1e-12, "{text}: {found}");
        }
        for (text, found) in [
            ("5", "\"5\" has no unit"),
            ("2 - 1 mm", "\"2 - 1 mm\" has a unit that cannot be read at `- 1 mm`"),
            ("2/5 kg", "\"2/5 kg\" has a unit that cannot be read at `/5 kg`"),
            ("5 foo/2", "\"5 foo/2\" has the unknown unit `foo`"),
            ("1/0", "\"1/0\" is inf with the constants as they are"),
            ("2/", "\"2/\", character 3: the text ends where a number, a name or `(` was expected"),
        ] {
            assert_eq!(read(text), Err(found.to_string()), "{text}");
        }
    }
}
