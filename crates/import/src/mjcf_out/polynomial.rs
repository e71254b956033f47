//! Laws of a mechanism as polynomials.

use std::collections::BTreeMap;

use polhode_description::describe::Expression;
use polhode_description::describe::expression::MotionInput;
use polhode_description::describe::signal::Sensor;

use super::MjcfWriting;

/// Coefficients by the powers of two variables.
type PolynomialTerms = BTreeMap<[u8; 2], f64>;

impl MjcfWriting<'_> {
    pub(super) fn constant(&self, of: &Expression) -> Option<f64> {
        let terms = self.polynomial(of, None, &|_| None)?;
        let constant = terms.get(&[0, 0]).copied().unwrap_or(0.0);
        terms.keys().all(|key| *key == [0, 0]).then_some(constant)
    }

    /// An expression as a polynomial of two variables, by their powers; `None`: it is none. `argument`: the
    /// powers for which the expression's own variable stands; `of`: those of a sensor.
    pub(super) fn polynomial(
        &self,
        expression: &Expression,
        argument: Option<[u8; 2]>,
        of: &dyn Fn(Sensor) -> Option<[u8; 2]>,
    ) -> Option<PolynomialTerms> {
        use Expression as E;
        let read = |expression: &Expression| self.polynomial(expression, argument, of);
        let plain = |expression: &Expression| {
            let terms = read(expression)?;
            terms.keys().all(|key| *key == [0, 0]).then(|| terms.get(&[0, 0]).copied().unwrap_or(0.0))
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
            for ([a, b], x) in one {
                for ([c, d], y) in other {
                    *terms.entry([a + c, b + d]).or_insert(0.0) += x * y;
                }
            }
            terms
        };
        let single = |key: [u8; 2], value: f64| PolynomialTerms::from([(key, value)]);
        let terms = match expression {
            E::Number(value) => single([0, 0], *value),
            E::Constant(k) => single([0, 0], self.mechanism.constants[*k].value),
            E::Argument => single(argument?, 1.0),
            E::Input(MotionInput::Sensor(k)) => single(of(self.mechanism.sensors[*k])?, 1.0),
            E::Input(_) => return None,
            E::Negative(a) => scaled(read(a)?, -1.0),
            E::Sum(a, b) => sum(read(a)?, read(b)?),
            E::Difference(a, b) => sum(read(a)?, scaled(read(b)?, -1.0)),
            E::Product(a, b) => product(&read(a)?, &read(b)?),
            E::Quotient(a, b) => scaled(read(a)?, 1.0 / plain(b)?),
            // Limits of a command that is a constant.
            E::Least(a, b) => single([0, 0], plain(a)?.min(plain(b)?)),
            E::Greatest(a, b) => single([0, 0], plain(a)?.max(plain(b)?)),
            E::Power(a, power @ 0..=4) => {
                let base = read(a)?;
                (0..*power).fold(single([0, 0], 1.0), |terms, _| product(&terms, &base))
            }
            _ => return None,
        };
        let low = terms.keys().all(|[a, b]| a + b <= 8) && terms.values().all(|value| value.is_finite());
        low.then(|| terms.into_iter().filter(|(key, value)| *key == [0, 0] || *value != 0.0).collect())
    }
}
