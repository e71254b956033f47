//! Attitudes and directions from unit numbers.

use std::f64::consts::TAU;

/// A uniformly distributed (Haar) unit quaternion, scalar part not negative, from three unit
/// numbers.
///
/// Two radii with squares 1 - u0 and u0, each turned by a uniform angle: the subgroup method, K.
/// Shoemake, "Uniform random rotations", Graphics Gems III (1992) 124-132.
pub fn uniform_attitude(u: [f64; 3]) -> [f64; 4] {
    let (inner, outer) = ((1.0 - u[0]).sqrt(), u[0].sqrt());
    let (sin1, cos1) = libm::sincos(TAU * u[1]);
    let (sin2, cos2) = libm::sincos(TAU * u[2]);
    let sign = 1f64.copysign(cos2);
    [outer * cos2, inner * sin1, inner * cos1, outer * sin2].map(|part| sign * part)
}

/// nominal ∘ Exp(φ): the body turned from its nominal attitude by the rotation vector φ (rad), in
/// body axes. Of the two quaternions the one continuous with `nominal` is given.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        fn attitudes_are_unit_quaternions(
            u in prop::array::uniform3(1e-16..1.0f64),
            phi in prop::array::uniform3(-9.0..9.0f64),
        ) {
            let uniform = uniform_attitude(u);
            prop_assert!(uniform[0] >= 0.0);
            for quaternion in [uniform, turned(uniform, phi)] {
                let norm: f64 = quaternion.iter().map(|part| part * part).sum();
                prop_assert!((norm - 1.0).abs() < 8.0 * f64::EPSILON);
            }
        }
    }
}
