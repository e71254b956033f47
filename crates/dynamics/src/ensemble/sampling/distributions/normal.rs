//! The normal distribution: independent numbers by their deviations, or joint ones by a covariance
//! matrix.

use std::sync::Arc;

use super::covariance;
use super::{
    DistributionCard, DistributionError, Fits, MOST_DIMENSIONS, Map, Parameter, ParameterForm, Rule, Scalar,
    each, in_range, numbers, require,
};
use crate::describe::{Target, Values};
use crate::ensemble::sampling::normal::{below, quantile};

pub const CARD: DistributionCard = DistributionCard {
    name: "normal",
    word: None,
    title: "Normal, with independent components or a covariance.",
    heading: "A normal distribution. Exactly one of `std`, `relative_std` and `covariance` is given.",
    law: "exp(-z²/2) / (√2π std), z = (x - mean)/std; or normal with covariance C, which may be singular",
    map_in_words: "mean + std Φ⁻¹(u), each component; or mean + F Φ⁻¹(u), F Fᵀ = C",
    fits: Fits::Numbers,
    parameters: &[
        Parameter {
            name: "mean",
            form: ParameterForm::OwnValues,
            meaning: "Mean. Absent: the mechanism's own value.",
        },
        Parameter {
            name: "std",
            form: ParameterForm::Deviation,
            meaning: "Standard deviation, not negative; one for all components or one each.",
        },
        Parameter {
            name: "relative_std",
            form: ParameterForm::RelativeDeviation,
            meaning: "Standard deviation as a share of the mean's magnitude: 0.1 or \"10 %\".",
        },
        Parameter {
            name: "covariance",
            form: ParameterForm::Covariance,
            meaning: "Covariance matrix, symmetric positive semidefinite, in SI units squared.",
        },
    ],
    rules: &[Rule::ExactlyOne(&["std", "relative_std", "covariance"])],
    ends: None,
    takes_share: false,
    spread: Some("std"),
    inputs: |values, width| if values.has("covariance") { vec![width] } else { vec![1; width] },
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    if let Some(covariance) = values.rows("covariance") {
        return joint(values.vector("mean"), covariance, target);
    }
    each(values, target, ["mean", "std"], |[mean, std]| {
        let wanted = "a normal needs a finite mean and std >= 0";
        in_range(mean.is_finite() && std.is_finite() && std >= 0.0, wanted, [mean, std])?;
        Ok(Normal { mean, std })
    })
}

#[derive(Debug)]
struct Normal {
    mean: f64,
    std: f64,
}

impl Scalar for Normal {
    fn value(&self, u: f64) -> f64 {
        self.mean + self.std * quantile(u)
    }

    fn probability(&self, x: f64) -> f64 {
        if self.std > 0.0 { below((x - self.mean) / self.std) } else { f64::from(u8::from(x >= self.mean)) }
    }
}

fn joint(mean: &[f64], covariance: &[Vec<f64>], target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    let width = numbers(target)?;
    let finite = mean.iter().all(|mean| mean.is_finite());
    require(mean.len() == width && finite, DistributionError::Mean { width })?;
    let square = covariance.len() == width && covariance.iter().all(|row| row.len() == width);
    require(square, DistributionError::CovarianceShape { width })?;
    Ok(Arc::new(JointNormal { mean: mean.to_vec(), factor: covariance::factor(covariance)? }))
}

/// mean + F z, z standard normal.
#[derive(Debug)]
struct JointNormal {
    mean: Vec<f64>,
    /// F, by columns.
    factor: Vec<Vec<f64>>,
}

impl Map for JointNormal {
    fn dimension(&self) -> usize {
        self.mean.len()
    }

    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        for (out, mean) in out.iter_mut().zip(&self.mean) {
            *out = *mean;
        }
        for (column, &u) in u.iter().enumerate().take(self.mean.len()) {
            let z = quantile(u);
            for (k, out) in out.iter_mut().enumerate() {
                *out += self.factor[column][k] * z;
            }
        }
    }
}
