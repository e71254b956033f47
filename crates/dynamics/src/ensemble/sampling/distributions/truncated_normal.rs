//! A normal conditioned on an interval, by inverting its distribution function.
//!
//! With a = (low - mean)/std and b = (high - mean)/std the value is mean + std z, where
//!
//! ```text
//! Φ(z) = (1 - u) Φ(a) + u Φ(b).
//! ```
//!
//! Taken literally this fails where Φ is near 1 or underflows. So the interval is first mirrored,
//! if need be, to lie at or right of the mean; then, in the body of the normal, the equation is
//! solved for Φ - 1/2 or for the smaller of Φ and 1 - Φ, each a sum of positive terms. Far in the
//! tail (a > 10) it is solved for the distance d = z - a beyond the bound: with Mills' ratio
//! R(x) = (1 - Φ(x))/φ(x) its logarithm reads
//!
//! ```text
//! d (a + d/2) - ln(R(a + d)/R(a)) = -ln(1 - u M),    M = 1 - (1 - Φ(b))/(1 - Φ(a)),
//! ```
//!
//! free of cancellation at any distance; Newton's method needs three steps.

use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, Map, Parameter, ParameterForm, Rule, Scalar, each, in_range,
    inverted, one_each,
};
use crate::describe::{Target, Values};
use crate::ensemble::sampling::normal;

pub const CARD: DistributionCard = DistributionCard {
    name: "truncated_normal",
    word: None,
    title: "Normal, conditioned on lying within bounds.",
    heading: "A truncated normal distribution: at least one bound is given.",
    law: "that of a normal with `mean` and `std`, given low <= x <= high",
    map_in_words: "Φ(z) = (1 - u) Φ(a) + u Φ(b), a and b the bounds in deviations from the mean",
    fits: Fits::Numbers,
    parameters: &[
        Parameter {
            name: "mean",
            form: ParameterForm::OwnValues,
            meaning: "Mean before truncation. Absent: the mechanism's own value.",
        },
        Parameter {
            name: "std",
            form: ParameterForm::PositiveDeviation,
            meaning: "Standard deviation before truncation, positive.",
        },
        Parameter {
            name: "relative_std",
            form: ParameterForm::RelativeDeviation,
            meaning: "Standard deviation as a share of the mean's magnitude: 0.1 or \"10 %\".",
        },
        Parameter {
            name: "low",
            form: ParameterForm::Bound(f64::NEG_INFINITY),
            meaning: "Lower bound. Absent: none.",
        },
        Parameter {
            name: "high",
            form: ParameterForm::Bound(f64::INFINITY),
            meaning: "Upper bound, above `low`. Absent: none.",
        },
    ],
    rules: &[
        Rule::ExactlyOne(&["std", "relative_std"]),
        Rule::Either(["low", "high"], "give one, or use `normal`"),
        Rule::Below("low", "high"),
    ],
    ends: Some(["low", "high"]),
    takes_share: false,
    spread: Some("std"),
    inputs: one_each,
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    each(values, target, ["mean", "std", "low", "high"], |[mean, std, low, high]| {
        let finite = mean.is_finite() && std.is_finite();
        in_range(finite && std > 0.0, "a truncated normal needs a finite mean and std > 0", [mean, std])?;
        let bounds = low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY;
        in_range(bounds, "a truncated normal needs low <= high", [low, high])?;
        TruncatedNormal::new(mean, std, low, high)
    })
}

/// The bound (in standard deviations) beyond which the tail form is used.
const FAR: f64 = 10.0;

const FARTHEST: f64 = 1e150;

#[derive(Clone, Debug)]
struct TruncatedNormal {
    mean: f64,
    std: f64,
    low: f64,
    high: f64,
    /// -1 when the interval was mirrored about the mean, else 1.
    sign: f64,
    form: Form,
}

/// In standard deviations from the mean, after mirroring.
#[derive(Clone, Debug)]
enum Form {
    /// Φ - 1/2, Φ and 1 - Φ at both bounds.
    Body { centred: [f64; 2], below: [f64; 2], above: [f64; 2] },
    /// The nearer bound and how much of the tail beyond it the interval holds (M).
    Tail { start: f64, mass: f64 },
}

impl TruncatedNormal {
    /// `std` > 0 and `low` <= `high`; either may be infinite.
    ///
    /// # Errors
    /// If the interval is so far out that the distance cannot be squared.
    fn new(mean: f64, std: f64, low: f64, high: f64) -> Result<Self, DistributionError> {
        let (mut a, mut b) = ((low - mean) / std, (high - mean) / std);
        let sign = if b + a < 0.0 { -1.0 } else { 1.0 };
        if sign < 0.0 {
            (a, b) = (-b, -a);
        }
        if a > FARTHEST {
            return Err(DistributionError::TooFar { low, high, farthest: FARTHEST });
        }
        let form = if a > FAR {
            let width = (high - low) / std;
            let decay = width * (a + 0.5 * width)
                - libm::log(normal::mills_ratio(a + width) / normal::mills_ratio(a));
            Form::Tail { start: a, mass: -libm::expm1(-decay) }
        } else {
            Form::Body {
                centred: [normal::from_centre(a), normal::from_centre(b)],
                below: [normal::below(a), normal::below(b)],
                above: [normal::below(-a), normal::below(-b)],
            }
        };
        Ok(TruncatedNormal { mean, std, low, high, sign, form })
    }
}

impl Scalar for TruncatedNormal {
    /// The value at the unit number u; rises with u, and never leaves the interval.
    fn value(&self, u: f64) -> f64 {
        let u = if self.sign < 0.0 { 1.0 - u } else { u };
        let between = |[from, to]: [f64; 2]| (1.0 - u) * from + u * to;
        let value = match self.form {
            Form::Body { centred, below, above } => {
                let q = between(centred);
                let z = if q.abs() <= normal::CENTRE {
                    normal::central_quantile(q)
                } else if q < 0.0 {
                    normal::lower_quantile(between(below))
                } else {
                    -normal::lower_quantile(between(above))
                };
                self.mean + self.sign * self.std * z
            }
            Form::Tail { start, mass } => {
                let bound = if self.sign < 0.0 { self.high } else { self.low };
                bound + self.sign * self.std * beyond(start, -libm::log1p(-u * mass))
            }
        };
        value.clamp(self.low, self.high)
    }

    fn probability(&self, x: f64) -> f64 {
        let Form::Body { centred: [from, to], .. } = self.form else {
            return inverted(self, x);
        };
        if x < self.low || x >= self.high {
            return f64::from(u8::from(x >= self.high));
        }
        let share = (normal::from_centre(self.sign * (x - self.mean) / self.std) - from) / (to - from);
        if self.sign < 0.0 { 1.0 - share } else { share }
    }
}

/// The distance d beyond `start` at which the tail probability has fallen by exp(-decay).
fn beyond(start: f64, decay: f64) -> f64 {
    let ratio = normal::mills_ratio(start);
    let mut d = 2.0 * decay / (start + libm::hypot(start, (2.0 * decay).sqrt()));
    for _ in 0..3 {
        let mills = normal::mills_ratio(start + d);
        d -= mills * (d * (start + 0.5 * d) - libm::log(mills / ratio) - decay);
    }
    d.max(0.0)
}

#[cfg(test)]
#[expect(clippy::excessive_precision, reason = "reference values as computed")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Distance beyond the nearer bound: (a, b, u, d), by mpmath 1.3 with 50 digits.
    const DISTANCES: [(f64, f64, f64, f64); 8] = [
        (8.0, f64::INFINITY, 0.5, 0.08491100739154410238),
        (8.0, 8.5, 0.25, 0.03472583009777172346),
        (12.0, f64::INFINITY, 0.5, 0.05723455700726238029),
        (12.0, f64::INFINITY, 0.999, 0.5588867805597805758),
        (12.0, 12.05, 0.5, 0.0212980208637447561),
        (40.0, f64::INFINITY, 0.125, 0.003336063344350762155),
        (1e6, f64::INFINITY, 0.5, 6.931471805590119357e-7),
        (10.5, 11.0, 0.75, 0.1288403568925247651),
    ];

    #[test]
    fn both_tails_are_accurate() {
        for (a, b, u, exact) in DISTANCES {
            let upper = TruncatedNormal::new(-a, 1.0, 0.0, b - a).unwrap().value(u);
            let lower = TruncatedNormal::new(a, 1.0, a - b, 0.0).unwrap().value(1.0 - u);
            // erfc is as ill-conditioned as a²; b - a = 0.05 is itself rounded.
            assert!((upper / exact - 1.0).abs() < 1e-12, "a = {a}: {upper}");
            assert!((-lower / exact - 1.0).abs() < 1e-12, "a = -{a}: {lower}");
        }
    }

    #[test]
    fn without_bounds_it_is_the_normal() {
        let normal = TruncatedNormal::new(3.0, 2.0, f64::NEG_INFINITY, f64::INFINITY).unwrap();
        for u in [1e-16, 1e-6, 0.05, 0.3, 0.5, 0.7, 0.99, 1.0 - 1e-16] {
            assert_eq!(normal.value(u), 3.0 + 2.0 * normal::quantile(u));
        }
    }

    #[test]
    fn forms_meet_where_they_change() {
        let at = |a: f64| TruncatedNormal::new(0.0, 1.0, a, f64::INFINITY).unwrap();
        let (body, tail) = (at(FAR), at(FAR * (1.0 + f64::EPSILON)));
        assert!(matches!(body.form, Form::Body { .. }) && matches!(tail.form, Form::Tail { .. }));
        for u in [1e-6, 0.1, 0.5, 0.9, 1.0 - 1e-12] {
            assert!((body.value(u) - tail.value(u)).abs() < 1e-13, "u = {u}");
        }
    }

    #[test]
    fn a_distance_that_cannot_be_squared_is_refused() {
        assert!(TruncatedNormal::new(0.0, 1e-300, 1.0, 2.0).is_err());
    }

    proptest! {
        /// Also for intervals of rounding width, and for points.
        #[test]
        fn values_rise_and_stay_inside(
            mean in -1e3..1e3f64,
            std in prop_oneof![1e-3..1e3f64, Just(1e-9)],
            low in prop_oneof![-1e4..1e4f64, Just(f64::NEG_INFINITY)],
            width in prop_oneof![0.0..1e4f64, 0.0..1e-9f64, Just(0.0), Just(f64::INFINITY)],
            u in 1e-16..0.999f64,
            step in 1e-6..1e-3f64,
        ) {
            let high = if low.is_finite() { low + width } else { mean + width };
            let truncated = TruncatedNormal::new(mean, std, low, high).unwrap();
            let (first, second) = (truncated.value(u), truncated.value(u + step));
            // Values that lie within rounding of each other may change places: of mean + std z,
            // both of which may be larger.
            let rounding = 4.0 * f64::EPSILON * second.abs().max(mean.abs());
            prop_assert!(low <= first && second <= high, "{first} {second}");
            prop_assert!(first <= second + rounding, "{first} {second}");
        }
    }
}
