//! A mixture: one of several distributions, chosen by their weights.
//!
//! The distribution function is `F(x) = sum w_k F_k(x)`, with weights that sum to 1. Its inverse at
//! u lies between the least and the largest of the parts' own values at u, where it is found by
//! bisection: so the value rises with u, points that are stratified stay so, and correlations by
//! ranks mean the same as for any other distribution. With the parts' means m_k and variances s_k²
//! the mean is `m = sum w_k m_k` and the variance `sum w_k (s_k² + (m_k - m)²)`.

use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, Independent, Map, Parameter, ParameterForm, Scalar, card,
    in_range, numbers, one_each, require,
};
use crate::describe::{MixturePart, Target, Values};

/// The parameter with the parts.
const PARTS: &str = "weight";

pub const CARD: DistributionCard = DistributionCard {
    name: "mixture",
    word: None,
    title: "One of several distributions, chosen by weight: a list of parts, each with a `weight` and one \
            distribution of numbers.",
    heading: "A part of a mixture: its weight, and exactly one distribution.",
    law: "sum w_k f_k(x), f_k the law of part k and w_k its share of all weights",
    map_in_words: "the x where sum w_k F_k(x) = u, F_k the distribution function of part k",
    fits: Fits::Numbers,
    parameters: &[Parameter {
        name: PARTS,
        form: ParameterForm::Parts,
        meaning: "Of each part: its weight, positive. The share of all weights counts.",
    }],
    rules: &[],
    ends: None,
    takes_share: false,
    spread: None,
    inputs: one_each,
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    let width = numbers(target)?;
    let parts = values.parts(PARTS);
    let weights: Vec<f64> = parts.iter().map(|part| part.weight).collect();
    let total: f64 = weights.iter().sum();
    let positive = weights.iter().all(|weight| *weight > 0.0) && total > 0.0 && total.is_finite();
    in_range(positive, "a mixture needs positive weights", weights)?;
    let of_part = |part: &MixturePart| {
        let card = card(part.name).ok_or(DistributionError::Unknown(part.name))?;
        let map = (card.map)(&part.values, target)?;
        require((0..width).all(|k| map.marginal(k).is_some()), DistributionError::Joint(part.name))?;
        Ok((part.weight / total, map))
    };
    let parts: Arc<Vec<(f64, Arc<dyn Map>)>> =
        Arc::new(parts.iter().map(of_part).collect::<Result<_, DistributionError>>()?);
    let of_number = |k| Mixture { parts: parts.clone(), number: k };
    Ok(Arc::new(Independent((0..width).map(of_number).collect())))
}

/// One number of a mixture.
#[derive(Debug)]
struct Mixture {
    /// Weights, which sum to 1, and maps whose numbers are drawn one by one.
    parts: Arc<Vec<(f64, Arc<dyn Map>)>>,
    number: usize,
}

impl Mixture {
    fn scalars(&self) -> impl Iterator<Item = (f64, &dyn Scalar)> {
        self.parts.iter().filter_map(|(weight, map)| Some((*weight, map.marginal(self.number)?)))
    }
}

impl Scalar for Mixture {
    fn value(&self, u: f64) -> f64 {
        /// More halvings than leave anything between two numbers of one magnitude.
        const MOST: usize = 100;
        let values = || self.scalars().map(|(_, scalar)| scalar.value(u));
        let mut low = values().fold(f64::INFINITY, f64::min);
        let mut high = values().fold(f64::NEG_INFINITY, f64::max);
        for _ in 0..MOST {
            let middle = 0.5 * low + 0.5 * high;
            if !(low < middle && middle < high) {
                break;
            }
            if self.probability(middle) < u { low = middle } else { high = middle }
        }
        high
    }

    fn probability(&self, x: f64) -> f64 {
        self.scalars().map(|(weight, scalar)| weight * scalar.probability(x)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::{Distribution, Quantity};

    fn mass() -> Target {
        Target { key: "body.mass".to_string(), body: 0, quantity: Quantity::Mass, component: None }
    }

    fn mixture(parts: Vec<(f64, Distribution)>) -> Arc<dyn Map> {
        let part = |(weight, distribution)| match distribution {
            Distribution::Drawn { name, values } => MixturePart { weight, name, values },
            other => panic!("{other:?} is not drawn"),
        };
        let mut values = Values::default();
        values.set(PARTS, parts.into_iter().map(part).collect::<Vec<_>>().into());
        map(&values, &mass()).unwrap()
    }

    fn drawn<const N: usize>(name: &'static str, values: [(&'static str, f64); N]) -> Distribution {
        Distribution::drawn(name, values.map(|(key, value)| (key, [value].into())))
    }

    fn at(map: &dyn Map, u: f64) -> f64 {
        map.marginal(0).unwrap().value(u)
    }

    /// Mean and variance by the midpoint rule over unit numbers, against the closed forms.
    #[test]
    fn mean_and_variance_are_those_of_the_closed_forms() {
        let normal = |mean, std| drawn("normal", [("mean", mean), ("std", std)]);
        let uniform = |low, high| drawn("uniform", [("low", low), ("high", high)]);
        // Weight, distribution, mean, variance.
        let cases: [Vec<(f64, Distribution, f64, f64)>; 3] = [
            vec![(0.9, normal(1.0, 0.1), 1.0, 0.01), (0.1, uniform(2.0, 4.0), 3.0, 1.0 / 3.0)],
            vec![(3.0, normal(0.0, 1.0), 0.0, 1.0), (1.0, normal(0.0, 5.0), 0.0, 25.0)],
            vec![
                (1.0, uniform(0.0, 2.0), 1.0, 1.0 / 3.0),
                (1.0, uniform(-1.0, 1.0), 0.0, 1.0 / 3.0),
                (2.0, normal(0.5, 0.2), 0.5, 0.04),
            ],
        ];
        for parts in cases {
            let total: f64 = parts.iter().map(|part| part.0).sum();
            let mean: f64 = parts.iter().map(|part| part.0 * part.2).sum::<f64>() / total;
            let square = |part: &(f64, Distribution, f64, f64)| part.0 * (part.3 + (part.2 - mean).powi(2));
            let variance: f64 = parts.iter().map(square).sum::<f64>() / total;
            let map = mixture(parts.into_iter().map(|part| (part.0, part.1)).collect());
            let n = 20_000;
            let values: Vec<f64> = (0..n).map(|k| at(&*map, (f64::from(k) + 0.5) / f64::from(n))).collect();
            let found = values.iter().sum::<f64>() / f64::from(n);
            let spread = values.iter().map(|x| (x - found).powi(2)).sum::<f64>() / f64::from(n);
            // The rule cuts off tails of 1/(2 n).
            assert!((found - mean).abs() < 1e-3 * variance.sqrt(), "{found} {mean}");
            assert!((spread / variance - 1.0).abs() < 2e-3, "{spread} {variance}");
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "values rise");
        }
    }

    #[test]
    fn a_mixture_of_one_law_is_that_law_and_values_invert_the_distribution_function() {
        let normal = || drawn("normal", [("mean", 3.0), ("std", 0.5)]);
        let truncated = || {
            drawn("truncated_normal", [("mean", 0.0), ("std", 1.0), ("low", 1.0), ("high", f64::INFINITY)])
        };
        let log = || drawn("log_uniform", [("low", 0.1), ("high", 10.0)]);
        for law in [normal, truncated, log] {
            let alone = match law() {
                Distribution::Drawn { name, values } => (card(name).unwrap().map)(&values, &mass()).unwrap(),
                other => panic!("{other:?}"),
            };
            let twice = mixture(vec![(0.3, law()), (0.7, law())]);
            for u in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
                let (x, y) = (at(&*alone, u), at(&*twice, u));
                assert_eq!(x, y);
                let below = alone.marginal(0).unwrap().probability(x);
                assert!((below - u).abs() < 1e-12, "{u} {below}");
            }
        }
    }
}
