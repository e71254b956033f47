//! Attitudes and directions from unit numbers.

use std::f64::consts::TAU;

/// A uniformly distributed (Haar) unit quaternion, scalar part not negative, from three unit numbers.
///
/// Two radii with squares 1 - u0 and u0, each turned by a uniform angle: the subgroup method, K. Shoemake, "Uniform
/// random rotations", Graphics Gems III (1992) 124-132.
pub fn uniform_attitude(u: [f64; 3]) -> [f64; 4] {
    let (inner, outer) = ((1.0 - u[0]).sqrt(), u[0].sqrt());
    let (sin1, cos1) = libm::sincos(TAU * u[1]);
    let (sin2, cos2) = libm::sincos(TAU * u[2]);
    let sign = 1f64.copysign(cos2);
    [outer * cos2, inner * sin1, inner * cos1, outer * sin2].map(|part| sign * part)
}

/// nominal ∘ Exp(φ): the body turned from its nominal attitude by the rotation vector φ (rad), in body axes. Of the
/// two quaternions the one continuous with `nominal` is given.
pub fn turned(nominal: [f64; 4], phi: [f64; 3]) -> [f64; 4] {
    let angle = (phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]).sqrt();
    let (sin, cos) = libm::sincos(0.5 * angle);
    let scale = if angle > 0.0 { sin / angle } else { 0.5 };
    let [a, b, c, d] = nominal;
    let [x, y, z] = phi.map(|part| scale * part);
    let mut product = [
        a * cos - b * x - c * y - d * z,
        a * x + b * cos + c * z - d * y,
        a * y + c * cos + d * x - b * z,
        a * z + d * cos + b * y - c * x,
    ];
    normalise(&mut product);
    product
}

/// Scales a vector to length 1.
pub fn normalise(vector: &mut [f64]) {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|part| *part /= length);
}

/// The von Mises-Fisher distribution on the unit sphere: density κ / (4π sinh κ) exp(κ μ·x).
#[derive(Clone, Debug)]
pub struct VonMisesFisher {
    /// μ and two unit vectors across it, each times the magnitude.
    axes: [[f64; 3]; 3],
    concentration: f64,
}

impl VonMisesFisher {
    /// About the unit vector `direction`; concentration κ >= 0. The values are unit vectors times `magnitude`.
    pub fn new(direction: [f64; 3], concentration: f64, magnitude: f64) -> Self {
        // T. Duff et al., "Building an orthonormal basis, revisited", J. Computer Graphics Techniques 6 (2017) 1-8.
        let [x, y, z] = direction;
        let sign = 1f64.copysign(z);
        let (a, b) = (-1.0 / (sign + z), -x * y / (sign + z));
        let across1 = [1.0 + sign * x * x * a, sign * b, -sign * x];
        let across2 = [b, sign + y * y * a, -y];
        let axes = [direction, across1, across2].map(|axis| axis.map(|part| magnitude * part));
        VonMisesFisher { axes, concentration }
    }

    /// The vector at two unit numbers: the first sets the angle from μ, the second the turn about it.
    pub fn value(&self, u: [f64; 2]) -> [f64; 3] {
        let t = self.versine(u[0]);
        let across = (t * (2.0 - t)).sqrt();
        let (sin, cos) = libm::sincos(TAU * u[1]);
        let parts = [1.0 - t, across * cos, across * sin];
        std::array::from_fn(|k| (0..3).map(|axis| parts[axis] * self.axes[axis][k]).sum())
    }

    /// 1 - cos of the angle from μ: t = -ln(1 - u (1 - exp(-2κ))) / κ, in whichever form keeps it accurate.
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

    #[test]
    fn turned_about_one_axis_is_that_rotation_in_body_axes() {
        let angle: f64 = 0.3;
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // Nominal: a quarter turn about e3, so that the body's first axis is the space axis e2.
        let [q0, q1, q2, q3] = turned([half, 0.0, 0.0, half], [angle, 0.0, 0.0]);
        let (sin, cos) = (0.5 * angle).sin_cos();
        for (found, exact) in [(q0, half * cos), (q1, half * sin), (q2, half * sin), (q3, half * cos)] {
            assert!((found - exact).abs() < 1e-15);
        }
        assert_eq!(turned([1.0, 0.0, 0.0, 0.0], [0.0; 3]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(turned([1.0, 0.0, 0.0, 0.0], [2e-200, 0.0, 0.0]), [1.0, 1e-200, 0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn attitudes_are_unit_quaternions(u in prop::array::uniform3(1e-16..1.0f64), phi in prop::array::uniform3(-9.0..9.0f64)) {
            let uniform = uniform_attitude(u);
            prop_assert!(uniform[0] >= 0.0);
            for quaternion in [uniform, turned(uniform, phi)] {
                let norm: f64 = quaternion.iter().map(|part| part * part).sum();
                prop_assert!((norm - 1.0).abs() < 8.0 * f64::EPSILON);
            }
        }

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

    /// The distribution function of t = 1 - cos is (1 - exp(-κ t)) / (1 - exp(-2 κ)); its map must invert it from
    /// the uniform sphere to a needle, at both poles.
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
