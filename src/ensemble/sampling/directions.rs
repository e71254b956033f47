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
