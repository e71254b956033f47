//! The uniform distribution between two bounds.

use super::{
    DistributionCard, DistributionError, Fits, Map, Parameter, ParameterForm, Rule, Scalar, each, in_range,
    one_each,
};
use crate::describe::{Target, Values};
use std::sync::Arc;

pub const CARD: DistributionCard = DistributionCard {
    name: "uniform",
    word: None,
    title: "Uniform between two bounds.",
    heading: "A uniform distribution.",
    law: "1/(high - low)",
    map_in_words: "(1 - u) low + u high",
    fits: Fits::Numbers,
    parameters: &[
        Parameter { name: "low", form: ParameterForm::AllowedValues, meaning: "Lower bound." },
        Parameter { name: "high", form: ParameterForm::Values, meaning: "Upper bound, not below `low`." },
    ],
    rules: &[Rule::NotAbove("low", "high")],
    ends: Some(["low", "high"]),
    takes_share: true,
    spread: None,
    inputs: one_each,
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    each(values, target, ["low", "high"], |[low, high]| {
        let wanted = "a uniform distribution needs finite low <= high";
        in_range(low.is_finite() && high.is_finite() && low <= high, wanted, [low, high])?;
        Ok(Uniform { low, high })
    })
}

#[derive(Debug)]
struct Uniform {
    low: f64,
    high: f64,
}

impl Scalar for Uniform {
    fn value(&self, u: f64) -> f64 {
        // The sum of two products cannot overflow where high - low would; it can round past an end.
        ((1.0 - u) * self.low + u * self.high).clamp(self.low, self.high)
    }

    fn probability(&self, x: f64) -> f64 {
        match x {
            x if x < self.low => 0.0,
            x if x >= self.high => 1.0,
            // Halves, so that the difference of huge ends is finite.
            x => (0.5 * x - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low),
        }
    }
}
