//! Every distribution as one map from unit numbers to the values of its target.
//!
//! A map takes `dimension()` independent numbers, uniform on (0, 1), and nothing else, and always the same count; so
//! random, Sobol and Latin hypercube points go through the same code. Maps of one variable rise with it, which is
//! what keeps stratified points stratified.

use super::covariance;
use super::directions::{self, VonMisesFisher};
use super::normal;
use super::truncated_normal::TruncatedNormal;
use crate::describe::{Quantity, Target};

/// The most unit numbers a map takes.
pub const MOST_DIMENSIONS: usize = 3;

#[derive(Clone, Debug)]
pub enum Map {
    /// Each value from a unit number of its own.
    Independent(Vec<Scalar>),
    /// mean + factor z; the factor by columns.
    JointNormal {
        mean: Vec<f64>,
        factor: [[f64; 3]; 3],
    },
    UniformAttitude,
    SmallRotation {
        nominal: [f64; 4],
        std: [f64; 3],
    },
    VonMisesFisher(VonMisesFisher),
}

/// A map of one variable.
#[derive(Clone, Debug)]
pub enum Scalar {
    Normal { mean: f64, std: f64 },
    Uniform { low: f64, high: f64 },
    LogUniform { low: f64, high: f64, ln_low: f64, ln_high: f64 },
    TruncatedNormal(TruncatedNormal),
}

impl Map {
    /// Each component normal.
    ///
    /// # Errors
    /// In words, here and below: if parameters are out of range or the distribution does not fit the target.
    pub fn normal(target: &Target, mean: &[f64], std: &[f64]) -> Result<Self, String> {
        components(target, [mean, std], |[mean, std]| {
            require(mean.is_finite() && std.is_finite() && std >= 0.0, || {
                format!("a normal needs a finite mean and std >= 0, not {mean:?} and {std:?}")
            })?;
            Ok(Scalar::Normal { mean, std })
        })
    }

    pub fn joint_normal(target: &Target, mean: &[f64], covariance: &[Vec<f64>]) -> Result<Self, String> {
        let width = numbers(target)?;
        require(mean.len() == width && mean.iter().all(|mean| mean.is_finite()), || {
            format!("the mean needs {width} finite numbers")
        })?;
        require(covariance.len() == width && covariance.iter().all(|row| row.len() == width), || {
            format!("the covariance matrix needs {width} rows of {width}")
        })?;
        Ok(Map::JointNormal { mean: mean.to_vec(), factor: covariance::factor(covariance)? })
    }

    pub fn uniform(target: &Target, low: &[f64], high: &[f64]) -> Result<Self, String> {
        components(target, [low, high], |[low, high]| {
            require(low.is_finite() && high.is_finite() && low <= high, || {
                format!("a uniform distribution needs finite low <= high, not {low:?} and {high:?}")
            })?;
            Ok(Scalar::Uniform { low, high })
        })
    }

    pub fn log_uniform(target: &Target, low: &[f64], high: &[f64]) -> Result<Self, String> {
        components(target, [low, high], |[low, high]| {
            require(0.0 < low && low < high && high.is_finite(), || {
                format!("a log-uniform distribution needs 0 < low < high, not {low:?} and {high:?}")
            })?;
            Ok(Scalar::LogUniform { low, high, ln_low: libm::log(low), ln_high: libm::log(high) })
        })
    }

    pub fn truncated_normal(
        target: &Target,
        mean: &[f64],
        std: &[f64],
        low: &[f64],
        high: &[f64],
    ) -> Result<Self, String> {
        components(target, [mean, std, low, high], |[mean, std, low, high]| {
            require(mean.is_finite() && std.is_finite() && std > 0.0, || {
                format!("a truncated normal needs a finite mean and std > 0, not {mean:?} and {std:?}")
            })?;
            require(low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY, || {
                format!("a truncated normal needs low <= high, not {low:?} and {high:?}")
            })?;
            Ok(Scalar::TruncatedNormal(TruncatedNormal::new(mean, std, low, high)?))
        })
    }

    pub fn uniform_attitude(target: &Target) -> Result<Self, String> {
        attitude(target)?;
        Ok(Map::UniformAttitude)
    }

    pub fn small_rotation(target: &Target, nominal: [f64; 4], std: [f64; 3]) -> Result<Self, String> {
        attitude(target)?;
        require(is_unit(&nominal), || "the nominal attitude is not a unit quaternion".into())?;
        require(std.iter().all(|std| std.is_finite() && *std >= 0.0), || {
            "a small rotation needs three std >= 0".into()
        })?;
        Ok(Map::SmallRotation { nominal, std })
    }

    pub fn von_mises_fisher(
        target: &Target,
        direction: [f64; 3],
        concentration: f64,
        magnitude: f64,
    ) -> Result<Self, String> {
        let vector = !matches!(target.quantity, Quantity::Inertia | Quantity::Attitude);
        require(vector && target.width() == 3, || {
            "a von Mises-Fisher distribution needs a whole vector".into()
        })?;
        require(is_unit(&direction), || "the direction is not a unit vector".into())?;
        require(concentration.is_finite() && concentration >= 0.0, || {
            format!("the concentration must be finite and >= 0, not {concentration:?}")
        })?;
        require(magnitude.is_finite(), || format!("the magnitude must be finite, not {magnitude:?}"))?;
        let mut direction = direction;
        directions::normalise(&mut direction);
        Ok(Map::VonMisesFisher(VonMisesFisher::new(direction, concentration, magnitude)))
    }

    /// How many unit numbers it takes, at most `MOST_DIMENSIONS`.
    pub fn dimension(&self) -> usize {
        match self {
            Map::Independent(scalars) => scalars.len(),
            Map::JointNormal { mean, .. } => mean.len(),
            Map::UniformAttitude | Map::SmallRotation { .. } => 3,
            Map::VonMisesFisher(_) => 2,
        }
    }

    /// The target's values at the unit numbers `u`, of which the first `dimension()` count.
    pub fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        match self {
            Map::Independent(scalars) => {
                for ((scalar, u), out) in scalars.iter().zip(u).zip(out) {
                    *out = scalar.value(u);
                }
            }
            Map::JointNormal { mean, factor } => {
                for (k, out) in out.iter_mut().enumerate() {
                    *out = mean[k];
                }
                for (column, &u) in u.iter().enumerate().take(mean.len()) {
                    let z = normal::quantile(u);
                    for (k, out) in out.iter_mut().enumerate() {
                        *out += factor[column][k] * z;
                    }
                }
            }
            Map::UniformAttitude => out.copy_from_slice(&directions::uniform_attitude(u)),
            Map::SmallRotation { nominal, std } => {
                let phi = std::array::from_fn(|k| std[k] * normal::quantile(u[k]));
                out.copy_from_slice(&directions::turned(*nominal, phi));
            }
            Map::VonMisesFisher(fisher) => out.copy_from_slice(&fisher.value([u[0], u[1]])),
        }
    }
}

impl Scalar {
    fn value(&self, u: f64) -> f64 {
        match *self {
            Scalar::Normal { mean, std } => mean + std * normal::quantile(u),
            // The sum of two products cannot overflow where high - low would; it can round past an end.
            Scalar::Uniform { low, high } => ((1.0 - u) * low + u * high).clamp(low, high),
            Scalar::LogUniform { low, high, ln_low, ln_high } => {
                libm::exp((1.0 - u) * ln_low + u * ln_high).clamp(low, high)
            }
            Scalar::TruncatedNormal(ref truncated) => truncated.value(u),
        }
    }
}

/// Whether a vector has length 1, to the digits that people write.
pub fn is_unit(vector: &[f64]) -> bool {
    (vector.iter().map(|part| part * part).sum::<f64>().sqrt() - 1.0).abs() <= 1e-6
}

/// One map for each value of the target, from the k-th entry of every parameter.
fn components<const N: usize>(
    target: &Target,
    parameters: [&[f64]; N],
    scalar: impl Fn([f64; N]) -> Result<Scalar, String>,
) -> Result<Map, String> {
    let width = numbers(target)?;
    for parameter in parameters {
        require(parameter.len() == width, || {
            format!("a parameter has {} numbers where the target takes {width}", parameter.len())
        })?;
    }
    (0..width)
        .map(|k| scalar(parameters.map(|parameter| parameter[k])))
        .collect::<Result<_, _>>()
        .map(Map::Independent)
}

/// The width of a target whose numbers may be drawn one by one.
fn numbers(target: &Target) -> Result<usize, String> {
    require(target.quantity != Quantity::Attitude, || {
        "an attitude is drawn uniformly, by a small rotation, from a list or from a table".into()
    })?;
    Ok(target.width())
}

fn attitude(target: &Target) -> Result<(), String> {
    require(target.quantity == Quantity::Attitude && target.component.is_none(), || {
        "only a whole attitude can be drawn by this distribution".into()
    })
}

pub fn require(condition: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(why()) }
}
