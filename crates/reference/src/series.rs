//! Truncated Taylor series: a quantity with its first and second derivative.

use nalgebra::Vector3;

/// `value + s rate + s²/2 second`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<T> {
    /// The value.
    pub value: T,
    /// Its first derivative in time.
    pub rate: T,
    /// Its second derivative in time.
    pub second: T,
}

impl Series<f64> {
    /// A number that does not change.
    pub fn constant(value: f64) -> Series<f64> {
        Series { value, rate: 0.0, second: 0.0 }
    }

    /// The variable itself.
    pub fn variable(value: f64) -> Series<f64> {
        Series { value, rate: 1.0, second: 0.0 }
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        Series {
            value: self.value + other.value,
            rate: self.rate + other.rate,
            second: self.second + other.second,
        }
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.times(-1.0))
    }

    /// Multiplied by a number.
    pub fn times(self, factor: f64) -> Self {
        Series { value: self.value * factor, rate: self.rate * factor, second: self.second * factor }
    }

    /// Leibniz's rule.
    pub fn product(self, other: Self) -> Self {
        Series {
            value: self.value * other.value,
            rate: self.rate * other.value + self.value * other.rate,
            second: self.second * other.value + 2.0 * self.rate * other.rate + self.value * other.second,
        }
    }

    /// A function of it, given the function's value and first two derivatives there.
    pub fn through(self, [f, first, second]: [f64; 3]) -> Self {
        Series {
            value: f,
            rate: first * self.rate,
            second: second * self.rate * self.rate + first * self.second,
        }
    }
}

impl Series<Vector3<f64>> {
    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        Series {
            value: self.value - other.value,
            rate: self.rate - other.rate,
            second: self.second - other.second,
        }
    }

    /// Leibniz's rule.
    pub fn dot(&self, other: &Self) -> Series<f64> {
        Series {
            value: self.value.dot(&other.value),
            rate: self.rate.dot(&other.value) + self.value.dot(&other.rate),
            second: self.second.dot(&other.value)
                + 2.0 * self.rate.dot(&other.rate)
                + self.value.dot(&other.second),
        }
    }

    /// One component of a vector.
    pub fn component(&self, k: usize) -> Series<f64> {
        Series { value: self.value[k], rate: self.rate[k], second: self.second[k] }
    }
}
