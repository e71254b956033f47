//! Laws of a mechanism as polynomials.

use std::collections::BTreeMap;

use super::MjcfWriting;
use polhode_description::describe::Expression;
use polhode_description::describe::expression::MotionInput;

/// Coefficients by the powers of three variables.
pub(super) type PolynomialTerms = BTreeMap<[u8; 3], f64>;

/// A polynomial between two bounds, if it has any.
pub(super) type BoundedTerms = (PolynomialTerms, Option<[f64; 2]>);

impl MjcfWriting<'_> {
    pub(super) fn constant(&self, expression: &Expression) -> Option<f64> {
        let terms = self.polynomial(expression, None, &|_| None)?;
        let constant = terms.get(&[0; 3]).copied().unwrap_or(0.0);
        terms.keys().all(|key| *key == [0; 3]).then_some(constant)
    }

    /// An expression as a polynomial between bounds; `None`: it is none.
    pub(super) fn bounded(
        &self,
        expression: &Expression,
        variable: &dyn Fn(MotionInput) -> Option<[u8; 3]>,
    ) -> Option<BoundedTerms> {
        use Expression as E;
        if let Some(terms) = self.polynomial(expression, None, variable) {
            return Some((terms, None));
        }
        let scaled = |bounded: BoundedTerms, by: f64| {
            let (mut terms, range) = bounded;
            terms.values_mut().for_each(|value| *value *= by);
            let range = range.map(|range| range.map(|end| end * by));
            (terms, range.map(|[a, b]| [a.min(b), a.max(b)]))
        };
        let within = |a: &Expression, b: &Expression, least: bool| {
            let (inner, bound) = match (self.constant(a), self.constant(b)) {
                (_, Some(bound)) => (a, bound),
                (Some(bound), _) => (b, bound),
                _ => return None,
            };
            let (terms, range) = self.bounded(inner, variable)?;
            let range = range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let range = range.map(|end| if least { end.min(bound) } else { end.max(bound) });
            Some((terms, Some(range)))
        };
        match expression {
            E::Input(MotionInput::Signal(k)) if self.mechanism.signals[*k].every.is_none() => {
                self.bounded(&self.mechanism.signals[*k].value, variable)
            }
            E::Negative(a) => Some(scaled(self.bounded(a, variable)?, -1.0)),
            E::Product(a, b) => match (self.constant(a), self.constant(b)) {
                (Some(by), _) => Some(scaled(self.bounded(b, variable)?, by)),
                (_, Some(by)) => Some(scaled(self.bounded(a, variable)?, by)),
                _ => None,
            },
            E::Least(a, b) => within(a, b, true),
            E::Greatest(a, b) => within(a, b, false),
            _ => None,
        }
    }

    /// An expression as a polynomial of three variables, by their powers; `None`: it is none.
    /// `argument`: the powers for which the expression's own variable stands; `variable`: those of
    /// a number of the motion.
    pub(super) fn polynomial(
        &self,
        expression: &Expression,
        argument: Option<[u8; 3]>,
        variable: &dyn Fn(MotionInput) -> Option<[u8; 3]>,
    ) -> Option<PolynomialTerms> {
        use Expression as E;
        let read = |expression: &Expression| self.polynomial(expression, argument, variable);
        let plain = |expression: &Expression| {
            let terms = read(expression)?;
            terms.keys().all(|key| *key == [0; 3]).then(|| terms.get(&[0; 3]).copied().unwrap_or(0.0))
        };
        let scaled = |mut terms: PolynomialTerms, by: f64| {
            terms.values_mut().for_each(|value| *value *= by);
            terms
        };
        let sum = |mut one: PolynomialTerms, other: PolynomialTerms| {
            for (key, value) in other {
                *one.entry(key).or_insert(0.0) += value;
            }
            one
        };
        let product = |one: &PolynomialTerms, other: &PolynomialTerms| {
            let mut terms = PolynomialTerms::new();
            for (a, x) in one {
                for (b, y) in other {
                    *terms.entry([0, 1, 2].map(|k| a[k] + b[k])).or_insert(0.0) += x * y;
                }
            }
            terms
        };
        let single = |key: [u8; 3], value: f64| PolynomialTerms::from([(key, value)]);
        let terms = match expression {
            E::Number(value) => single([0; 3], *value),
            E::Constant(k) => single([0; 3], self.mechanism.constants[*k].value),
            E::Argument => single(argument?, 1.0),
            E::Input(MotionInput::Signal(k)) if self.mechanism.signals[*k].every.is_none() => {
                read(&self.mechanism.signals[*k].value)?
            }
            E::Input(input) => single(variable(*input)?, 1.0),
            E::Negative(a) => scaled(read(a)?, -1.0),
            E::Sum(a, b) => sum(read(a)?, read(b)?),
            E::Difference(a, b) => sum(read(a)?, scaled(read(b)?, -1.0)),
            E::Product(a, b) => product(&read(a)?, &read(b)?),
            E::Quotient(a, b) => scaled(read(a)?, 1.0 / plain(b)?),
            // Limits of a command that is a constant.
            E::Least(a, b) => single([0; 3], plain(a)?.min(plain(b)?)),
            E::Greatest(a, b) => single([0; 3], plain(a)?.max(plain(b)?)),
            E::Power(a, power @ 0..=4) => {
                let base = read(a)?;
                (0..*power).fold(single([0; 3], 1.0), |terms, _| product(&terms, &base))
            }
            _ => return None,
        };
        let low = terms.keys().all(|key| key.iter().sum::<u8>() <= 8)
            && terms.values().all(|value| value.is_finite());
        low.then(|| terms.into_iter().filter(|(key, value)| *key == [0; 3] || *value != 0.0).collect())
    }
}
