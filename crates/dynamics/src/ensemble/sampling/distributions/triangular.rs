//! The triangular distribution: its density rises linearly from `low` to `mode` and falls linearly
//! to `high`.
//!
//! With w = high - low the distribution function is (x - low)²/(w (mode - low)) below the mode and
//! 1 - (high - x)²/(w (high - mode)) above it; the mean is (low + mode + high)/3 and the variance
//! (low² + mode² + high² - low mode - low high - mode high)/18. S. Kotz, J. R. van Dorp, "Beyond
//! Beta" (World Scientific, 2004), chapter 1.

use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, Map, Parameter, ParameterForm, Rule, Scalar, each, in_range,
    one_each,
};
use crate::describe::{Target, Values};

pub const CARD: DistributionCard = DistributionCard {
    name: "triangular",
    word: None,
    title: "Triangular: the density rises from `low` to `mode` and falls to `high`.",
    heading: "A triangular distribution.",
    law: "2 (x - low)/((high - low)(mode - low)) up to the mode, 2 (high - x)/((high - low)(high - mode)) \
          above",
    map_in_words: "low + √(u (high - low)(mode - low)) up to the mode, high - √((1 - u)(high - low)(high - \
                   mode)) above",
    fits: Fits::Numbers,
    parameters: &[
        Parameter { name: "low", form: ParameterForm::AllowedValues, meaning: "Lowest value." },
        Parameter {
            name: "mode",
            form: ParameterForm::OwnValues,
            meaning: "Most likely value, from `low` to `high`. Absent: the mechanism's own value.",
        },
        Parameter { name: "high", form: ParameterForm::Values, meaning: "Highest value." },
    ],
    rules: &[Rule::NotAbove("low", "mode"), Rule::NotAbove("mode", "high")],
    ends: Some(["low", "high"]),
    takes_share: true,
    spread: None,
    inputs: one_each,
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    each(values, target, ["low", "mode", "high"], |[low, mode, high]| {
        let finite = low.is_finite() && high.is_finite();
        let wanted = "a triangular distribution needs finite low <= mode <= high";
        in_range(finite && low <= mode && mode <= high, wanted, [low, mode, high])?;
        Ok(Triangular { low, mode, high })
    })
}

#[derive(Debug)]
struct Triangular {
    low: f64,
    mode: f64,
    high: f64,
}

impl Scalar for Triangular {
    fn value(&self, u: f64) -> f64 {
        let Triangular { low, mode, high } = *self;
        // Products of roots: a product of lengths overflows where they do not.
        let (width, rise, fall) = ((high - low).sqrt(), (mode - low).sqrt(), (high - mode).sqrt());
        let value = if u * (high - low) <= mode - low {
            (low + u.sqrt() * width * rise).min(mode)
        } else {
            (high - (1.0 - u).sqrt() * width * fall).max(mode)
        };
        value.clamp(low, high)
    }

    fn probability(&self, x: f64) -> f64 {
        let Triangular { low, mode, high } = *self;
        let width = high - low;
        match x {
            x if x < low => 0.0,
            x if x >= high => 1.0,
            x if x <= mode => (x - low) / width * ((x - low) / (mode - low)),
            x => 1.0 - (high - x) / width * ((high - x) / (high - mode)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Mean and variance by the midpoint rule over unit numbers, against the closed forms.
    #[test]
    fn mean_and_variance_are_those_of_the_closed_forms() {
        for [low, mode, high] in [[0.0, 1.0, 4.0], [-3.0, -3.0, 2.0], [1.0, 7.0, 7.0], [5.0, 5.5, 6.0]] {
            let triangular = Triangular { low, mode, high };
            let n = 100_000;
            let values = || (0..n).map(|k| triangular.value((f64::from(k) + 0.5) / f64::from(n)));
            let mean = values().sum::<f64>() / f64::from(n);
            let variance = values().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
            let width: f64 = high - low;
            assert!((mean - (low + mode + high) / 3.0).abs() < 1e-8 * width, "{mean}");
            let squares = low * low + mode * mode + high * high - low * mode - low * high - mode * high;
            // The rule loses about n^-3/2 where the quantile has the slope of a root.
            assert!((variance - squares / 18.0).abs() < 1e-7 * width * width, "{variance}");
        }
    }

    proptest! {
        #[test]
        fn values_rise_with_the_unit_number_and_invert_the_distribution_function(
            low in -10.0..10.0f64,
            rise in prop_oneof![Just(0.0), 1e-9..10.0f64],
            fall in prop_oneof![Just(0.0), 1e-9..10.0f64],
            mut u in prop::array::uniform2(1e-16..1.0f64),
        ) {
            u.sort_by(f64::total_cmp);
            let triangular = Triangular { low, mode: low + rise, high: low + rise + fall };
            let [one, other] = u.map(|u| triangular.value(u));
            prop_assert!(low <= one && one <= other && other <= triangular.high);
            let (rise, width) = (triangular.mode - low, triangular.high - low);
            if width > 1e-3 {
                let below = if one <= triangular.mode && rise > 0.0 {
                    (one - low).powi(2) / (width * rise)
                } else {
                    1.0 - (triangular.high - one).powi(2) / (width * (triangular.high - triangular.mode))
                };
                prop_assert!((below - u[0]).abs() < 1e-9, "{below} {}", u[0]);
            }
        }
    }
}
