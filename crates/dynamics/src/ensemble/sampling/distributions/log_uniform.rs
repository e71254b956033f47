//! The logarithm is uniform: equal ratios are equally likely.

use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, Map, Parameter, ParameterForm, Rule, Scalar, each, in_range,
    one_each,
};
use crate::describe::{Target, Values};

pub const CARD: DistributionCard = DistributionCard {
    name: "log_uniform",
    word: None,
    title: "The logarithm is uniform between two bounds.",
    heading: "A log-uniform distribution.",
    law: "1/(x ln(high/low))",
    map_in_words: "low^(1-u) high^u",
    fits: Fits::Numbers,
    parameters: &[
        Parameter { name: "low", form: ParameterForm::PositiveValues, meaning: "Lower bound, positive." },
        Parameter { name: "high", form: ParameterForm::Values, meaning: "Upper bound, not below `low`." },
    ],
    rules: &[Rule::NotAbove("low", "high")],
    ends: Some(["low", "high"]),
    takes_share: false,
    spread: None,
    inputs: one_each,
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    each(values, target, ["low", "high"], |[low, high]| {
        let wanted = "a log-uniform distribution needs 0 < low < high";
        in_range(0.0 < low && low < high && high.is_finite(), wanted, [low, high])?;
        Ok(LogUniform { low, high, ln_low: libm::log(low), ln_high: libm::log(high) })
    })
}

#[derive(Debug)]
struct LogUniform {
    low: f64,
    high: f64,
    ln_low: f64,
    ln_high: f64,
}

impl Scalar for LogUniform {
    fn value(&self, u: f64) -> f64 {
        libm::exp((1.0 - u) * self.ln_low + u * self.ln_high).clamp(self.low, self.high)
    }

    fn probability(&self, x: f64) -> f64 {
        match x {
            x if x < self.low => 0.0,
            x if x >= self.high => 1.0,
            x => (libm::log(x) - self.ln_low) / (self.ln_high - self.ln_low),
        }
    }
}
