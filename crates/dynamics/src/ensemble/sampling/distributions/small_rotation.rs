//! A nominal attitude, then a normal rotation vector φ in body axes. For a small std the angle
//! about each body axis has that std; a large one wraps around.

use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, MOST_DIMENSIONS, Map, Parameter, ParameterForm, fixed,
    is_unit, require,
};
use crate::describe::{Target, Values};
use crate::ensemble::sampling::directions;
use crate::ensemble::sampling::normal::quantile;

pub const CARD: DistributionCard = DistributionCard {
    name: "small_rotation",
    word: None,
    title: "Attitude: the nominal one, then a normal rotation vector in body axes.",
    heading: "A small random rotation about a nominal attitude.",
    law: "nominal ∘ Exp(φ), φ normal in body axes",
    map_in_words: "φ = std Φ⁻¹(u)",
    fits: Fits::Attitude,
    parameters: &[
        Parameter {
            name: "std",
            form: ParameterForm::Angles,
            meaning: "Standard deviation of the rotation vector, not negative; one for all axes or one each.",
        },
        Parameter {
            name: "nominal",
            form: ParameterForm::Attitude,
            meaning: "Nominal attitude. Absent: the mechanism's initial attitude.",
        },
    ],
    rules: &[],
    ends: None,
    takes_share: false,
    spread: None,
    inputs: |_, _| vec![3],
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    require(Fits::Attitude.target(target), DistributionError::NoAttitude)?;
    let (nominal, std) = (fixed(values, "nominal")?, fixed(values, "std")?);
    require(is_unit(&nominal), DistributionError::NotUnit("nominal attitude is not a unit quaternion"))?;
    require(std.iter().all(|std| std.is_finite() && *std >= 0.0), DistributionError::Angles)?;
    Ok(Arc::new(SmallRotation { nominal, std }))
}

#[derive(Debug)]
struct SmallRotation {
    nominal: [f64; 4],
    /// rad
    std: [f64; 3],
}

impl Map for SmallRotation {
    fn dimension(&self) -> usize {
        3
    }

    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        let phi = std::array::from_fn(|k| self.std[k] * quantile(u[k]));
        out.copy_from_slice(&directions::turned(self.nominal, phi));
    }
}
