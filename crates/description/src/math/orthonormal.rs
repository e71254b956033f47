//! Orthonormal directions by the modified process of Gram and Schmidt, and how much they have
//! grown: over [`Real`], without a branch or a logarithm.
//!
//! ```text
//! r_jj = |v_j|,  u_j = v_j / r_jj,   v_k <- v_k - (u_j . v_k) u_j   for k > j
//! ```
//!
//! The volume that the first j directions span grows by `r_11 ... r_jj`; the logarithm of its
//! growth, divided by the time, comes to the sum of the j largest exponents of Lyapunov (G.
//! Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, Meccanica 15 (1980) 9-30; I. Shimada, T.
//! Nagashima, Progress of Theoretical Physics 61 (1979) 1605-1616).

use crate::real::Real;

/// A direction: what its length is measured by, and what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction<R> {
    pub along: Vec<R>,
    /// Multiplied and added like `along`.
    pub carried: Vec<R>,
}

/// Makes directions orthonormal in place; returns by how much each had grown: `r_jj`.
pub fn orthonormalise<R: Real>(directions: &mut [Direction<R>]) -> Vec<R> {
    let mut grown = Vec::with_capacity(directions.len());
    for j in 0..directions.len() {
        let (done, rest) = directions.split_at_mut(j + 1);
        let unit = &mut done[j];
        let length = dot(&unit.along, &unit.along).sqrt();
        let shrink = length.lift(1.0) / length;
        unit.along.iter_mut().chain(&mut unit.carried).for_each(|x| *x = *x * shrink);
        for other in rest {
            let part = dot(&unit.along, &other.along);
            let pairs = unit.along.iter().zip(&mut other.along);
            for (u, x) in pairs.chain(unit.carried.iter().zip(&mut other.carried)) {
                *x = part.neg_mul_add(*u, *x);
            }
        }
        grown.push(length);
    }
    grown
}

/// The scalar product, one product added at a time.
fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    let mut products = a.iter().zip(b);
    let (first, other) = products.next().expect("a direction has components");
    products.fold(*first * *other, |sum, (a, b)| a.mul_add(*b, sum))
}

/// A positive number as `mantissa 2^doublings`, 1 <= mantissa < 2: a product of many growths
/// neither overflows nor loses digits as a sum of logarithms does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth<R> {
    pub mantissa: R,
    pub doublings: R,
}

impl<R: Real> Growth<R> {
    /// None yet.
    pub fn none(anything: R) -> Growth<R> {
        Growth { mantissa: anything.lift(1.0), doublings: anything.lift(0.0) }
    }

    /// Multiplied by a factor from 2^-30 to 2^30; one beyond leaves the mantissa out of its range,
    /// and nothing else.
    pub fn times(self, factor: R) -> Growth<R> {
        let number = |x: f64| factor.lift(x);
        let (mut mantissa, mut doublings) = (self.mantissa * factor, self.doublings);
        for n in [16, 8, 4, 2, 1] {
            let (power, steps) = (f64::from(n).exp2(), number(f64::from(n)));
            let (halved, more) = (mantissa * number(1.0 / power), doublings + steps);
            doublings = mantissa.select_less(number(power), doublings, more);
            mantissa = mantissa.select_less(number(power), mantissa, halved);
        }
        for n in [16, 8, 4, 2, 1] {
            let (power, steps) = (f64::from(n).exp2(), number(f64::from(n)));
            let (doubled, less) = (mantissa * number(power), doublings - steps);
            doublings = mantissa.select_less(number(2.0 / power), less, doublings);
            mantissa = mantissa.select_less(number(2.0 / power), doubled, mantissa);
        }
        Growth { mantissa, doublings }
    }
}

impl Growth<f64> {
    /// The logarithm of the number.
    pub fn ln(self) -> f64 {
        self.doublings.mul_add(std::f64::consts::LN_2, self.mantissa.ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths_and_angles(directions: &[Direction<f64>]) -> f64 {
        let mut worst = 0.0f64;
        for (j, a) in directions.iter().enumerate() {
            for (k, b) in directions.iter().enumerate() {
                let expected = if j == k { 1.0 } else { 0.0 };
                worst = worst.max((dot(&a.along, &b.along) - expected).abs());
            }
        }
        worst
    }

    #[test]
    fn directions_become_orthonormal_and_their_volume_is_what_they_had_grown() {
        let direction = |along: [f64; 3]| Direction { carried: vec![10.0 * along[0]], along: along.to_vec() };
        let mut directions =
            [direction([3.0, 0.0, 4.0]), direction([1.0, 2.0, -1.0]), direction([0.5, -1.0, 2.0])];
        let determinant = 3.0 * (2.0 * 2.0 - 1.0) + 4.0 * (-1.0 - 2.0 * 0.5);
        let grown = orthonormalise(&mut directions);
        // Some roundings of numbers about 1, and about 10.
        assert!(lengths_and_angles(&directions) < 1e-14);
        assert!((grown.iter().product::<f64>() - f64::abs(determinant)).abs() < 1e-13);
        // The carried numbers have become the same combination.
        for direction in &directions {
            assert!((direction.carried[0] - 10.0 * direction.along[0]).abs() < 1e-13);
        }
    }

    fn products<R: Real + Into<f64>>(factors: &[f64], anything: R) -> (f64, f64) {
        let grown = factors.iter().fold(Growth::none(anything), |g, f| g.times(anything.lift(*f)));
        let mantissa: f64 = grown.mantissa.into();
        assert!((1.0..2.0).contains(&mantissa), "{mantissa}");
        let ln = Growth { mantissa, doublings: grown.doublings.into() }.ln();
        (ln, factors.iter().map(|f| f.ln()).sum())
    }

    #[test]
    fn growth_is_the_product_of_its_factors() {
        let mut factors: Vec<f64> = (0..2000).map(|k| 1.0 + 0.3 * f64::sin(f64::from(k))).collect();
        factors.extend([2.0, 0.5, 1.0, 1e9, 1e-9, 3e8, 2.5e-9, 1.9999999, 0.99999994]);
        let (got, expected) = products(&factors, 0.0f64);
        assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        let (got, expected) = products(&factors, 0.0f32);
        assert!((got - expected).abs() < 1e-4, "{got} {expected}");
        // Far beyond the numbers of single precision.
        let (got, expected) = products(&[1.3; 5000], 0.0f32);
        assert!((got - expected).abs() < 1e-3 && expected > 1000.0, "{got} {expected}");
    }
}
