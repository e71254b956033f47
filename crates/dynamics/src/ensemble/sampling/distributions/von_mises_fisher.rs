//! A vector of fixed magnitude whose direction has the von Mises-Fisher distribution. κ = 0 is
//! uniform on the sphere; for large κ the angle from μ is near 1/√κ (rad) on each axis.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::{
    DistributionCard, DistributionError, Fits, MOST_DIMENSIONS, Map, Parameter, ParameterForm, fixed,
    in_range, is_unit, require,
};
use crate::describe::{Target, Values};
use crate::ensemble::sampling::directions::normalise;

pub const CARD: DistributionCard = DistributionCard {
    name: "von_mises_fisher",
    word: None,
    title: "A vector of fixed magnitude with a von Mises-Fisher direction.",
    heading: "A von Mises-Fisher direction times a magnitude.",
    law: "κ exp(κ μ·d) / (4π sinh κ), x = magnitude d",
    map_in_words: "1 - μ·d = -ln(1 - u (1 - e^(-2κ)))/κ",
    fits: Fits::Vector,
    parameters: &[
        Parameter {
            name: "direction",
            form: ParameterForm::Direction,
            meaning: "Mean direction, of any length but 0.",
        },
        Parameter {
            name: "concentration",
            form: ParameterForm::Ratio,
            meaning: "Concentration kappa, not negative; 0: uniform on the sphere.",
        },
        Parameter {
            name: "magnitude",
            form: ParameterForm::Magnitude,
            meaning: "Length of the vector, not negative.",
        },
    ],
    rules: &[],
    ends: None,
    takes_share: false,
    spread: None,
    inputs: |_, _| vec![2],
    map,
};

fn map(values: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    require(Fits::Vector.target(target), DistributionError::NoVector)?;
    let mut direction = fixed(values, "direction")?;
    require(is_unit(&direction), DistributionError::NotUnit("direction is not a unit vector"))?;
    let (concentration, magnitude) = (values.number("concentration"), values.number("magnitude"));
    let wanted = "the concentration must be finite and >= 0";
    in_range(concentration.is_finite() && concentration >= 0.0, wanted, [concentration])?;
    in_range(magnitude.is_finite(), "the magnitude must be finite", [magnitude])?;
    normalise(&mut direction);
    Ok(Arc::new(VonMisesFisher::new(direction, concentration, magnitude)))
}

impl Map for VonMisesFisher {
    fn dimension(&self) -> usize {
        2
    }

    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        out.copy_from_slice(&self.value([u[0], u[1]]));
    }
}

/// The von Mises-Fisher distribution on the unit sphere: density κ / (4π sinh κ) exp(κ μ·x).
#[derive(Clone, Debug)]
struct VonMisesFisher {
    /// μ and two unit vectors across it, each times the magnitude.
    axes: [[f64; 3]; 3],
    concentration: f64,
}

impl VonMisesFisher {
    /// About the unit vector `direction`; concentration κ >= 0. The values are unit vectors times
    /// `magnitude`.
    fn new(direction: [f64; 3], concentration: f64, magnitude: f64) -> Self {
        // T. Duff et al., "Building an orthonormal basis, revisited", J. Computer Graphics
        // Techniques 6 (2017) 1-8.
        let [x, y, z] = direction;
        let sign = 1f64.copysign(z);
        let (a, b) = (-1.0 / (sign + z), -x * y / (sign + z));
        let across1 = [1.0 + sign * x * x * a, sign * b, -sign * x];
        let across2 = [b, sign + y * y * a, -y];
        let axes = [direction, across1, across2].map(|axis| axis.map(|part| magnitude * part));
        VonMisesFisher { axes, concentration }
    }

    /// The vector at two unit numbers: the first sets the angle from μ, the second the turn about
    /// it.
    fn value(&self, u: [f64; 2]) -> [f64; 3] {
        let t = self.versine(u[0]);
        let across = (t * (2.0 - t)).sqrt();
        let (sin, cos) = libm::sincos(TAU * u[1]);
        let parts = [1.0 - t, across * cos, across * sin];
        std::array::from_fn(|k| (0..3).map(|axis| parts[axis] * self.axes[axis][k]).sum())
    }

    /// 1 - cos of the angle from μ: t = -ln(1 - u (1 - exp(-2κ))) / κ, in whichever form keeps it
    /// accurate.
    fn versine(&self, u: f64) -> f64 {
        let kappa = self.concentration;
        if kappa < f64::EPSILON {
            return 2.0 * u;
        }
        let fall = u * libm::expm1(-2.0 * kappa);
        let log =
            if fall > -0.5 { libm::log1p(fall) } else { libm::log((1.0 - u) + u * libm::exp(-2.0 * kappa)) };
        (-log / kappa).clamp(0.0, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    proptest! {
        #[test]
        fn directions_have_the_magnitude_and_turn_about_the_mean(
            mut mean in prop::array::uniform3(-1.0..1.0f64),
            kappa in prop_oneof![Just(0.0), Just(1e-300), 0.0..50.0f64, Just(1e12)],
            u in prop::array::uniform2(1e-16..1.0f64),
        ) {
            normalise(&mut mean);
            let fisher = VonMisesFisher::new(mean, kappa, 3.0);
            let vector = fisher.value(u);
            prop_assert!((dot(vector, vector) - 9.0).abs() < 1e-13);
            prop_assert!((dot(vector, mean) - 3.0 * (1.0 - fisher.versine(u[0]))).abs() < 1e-14);
            let opposite = fisher.value([u[0], if u[1] < 0.5 { u[1] + 0.5 } else { u[1] - 0.5 }]);
            let sum: [f64; 3] = std::array::from_fn(|k| vector[k] + opposite[k]);
            prop_assert!((dot(sum, mean).powi(2) - dot(sum, sum)).abs() < 1e-12);
        }
    }

    /// The distribution function of t = 1 - cos is (1 - exp(-κ t)) / (1 - exp(-2 κ)); its map must
    /// invert it from the uniform sphere to a needle, at both poles.
    #[test]
    fn angles_invert_their_distribution_function() {
        for kappa in [1e-300, 1e-17, 1e-9, 1e-3, 0.7, 3.0, 17.0, 300.0, 1e6] {
            let fisher = VonMisesFisher::new([0.0, 0.0, 1.0], kappa, 1.0);
            for u in [1e-12, 1e-3, 0.3, 0.5, 0.9, 1.0 - 1e-9] {
                let t = fisher.versine(u);
                let below =
                    if kappa < 1e-16 { t / 2.0 } else { (-kappa * t).exp_m1() / (-2.0 * kappa).exp_m1() };
                let above = if kappa < 1e-16 {
                    1.0 - t / 2.0
                } else {
                    (-kappa * (2.0 - t)).exp_m1() / (-2.0 * kappa).exp_m1() * (-kappa * t).exp()
                };
                assert!((below / u - 1.0).abs() < 1e-13, "kappa {kappa}, u {u}: {below}");
                assert!((above / (1.0 - u) - 1.0).abs() < 1e-6, "kappa {kappa}, u {u}: {above}");
            }
        }
    }
}
