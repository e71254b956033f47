//! Functions of bending along a uniform beam, `xi` from 0 to 1: the natural modes for given ends,
//! and static deflections.
//!
//! ```text
//! w = (cosh b xi -+ cos b xi) - sigma (sinh b xi -+ sin b xi),   + for two free ends
//! free, fixed at both ends  cos b cosh b = 1
//! cantilever                cos b cosh b = -1
//! fixed and hinged          tan b = tanh b
//! ```
//!
//! The growing exponential is written `(1 - sigma) e^(b xi)` with `1 - sigma` in closed form, so
//! that high modes keep their digits.

use nalgebra::{Matrix4, Vector4};
use std::f64::consts::{PI, SQRT_2};

/// Supports of a beam's ends while its shapes are found; x = 0 comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Boundary {
    Free,
    SimplySupported,
    Cantilever,
    FixedHinged,
    FixedFixed,
}

/// A function of bending with its first two derivatives.
#[derive(Clone, Debug, PartialEq)]
pub enum BendingFunction {
    /// A rigid displacement.
    Shift,
    /// A rigid rotation about the middle.
    Turn,
    Sine {
        half_waves: f64,
    },
    /// Stretching and twisting between free ends.
    Cosine {
        half_waves: f64,
    },
    Mode {
        b: f64,
        /// 1 - sigma, times `e^b`.
        growing: f64,
        sigma: f64,
        free: bool,
    },
    /// `c0 + c1 xi + c2 xi^2/2 + c3 xi^3/6 + <xi - at>^3/6`
    Static {
        c: [f64; 4],
        at: f64,
    },
}

impl BendingFunction {
    /// Natural mode number k, from 1 on, elastic ones only.
    pub fn mode(boundary: Boundary, k: usize) -> BendingFunction {
        let k = k as f64;
        let (guess, f): (f64, fn(f64) -> [f64; 2]) = match boundary {
            Boundary::SimplySupported => return BendingFunction::Sine { half_waves: k },
            Boundary::Free | Boundary::FixedFixed => {
                ((k + 0.5) * PI, |b| [b.cos() - 1.0 / b.cosh(), -b.sin() + b.tanh() / b.cosh()])
            }
            Boundary::Cantilever => {
                ((k - 0.5) * PI, |b| [b.cos() + 1.0 / b.cosh(), -b.sin() - b.tanh() / b.cosh()])
            }
            Boundary::FixedHinged => ((k + 0.25) * PI, |b| {
                let (sin, cos, tanh) = (b.sin(), b.cos(), b.tanh());
                [sin - cos * tanh, cos + sin * tanh - cos * (1.0 - tanh * tanh)]
            }),
        };
        let mut b = guess;
        for _ in 0..20 {
            let [value, slope] = f(b);
            b -= value / slope;
        }
        let (sin, cos, small) = (b.sin(), b.cos(), (-b).exp());
        let sinh = (1.0 - small * small) / 2.0;
        let growing = match boundary {
            Boundary::Cantilever => (sin - cos - small) / (sinh + sin * small),
            _ => (cos - sin - small) / (sinh - sin * small),
        };
        BendingFunction::Mode { b, growing, sigma: 1.0 - growing * small, free: boundary == Boundary::Free }
    }

    /// The deflection under a force at `at` (0 to 1) with these ends; `None`: they do not hold the
    /// beam.
    pub(crate) fn under_force(boundary: Boundary, at: f64) -> Option<BendingFunction> {
        let row = |order: usize, xi: f64| {
            let power =
                |j: usize| if j < order { 0.0 } else { xi.powi((j - order) as i32) / factorial(j - order) };
            (Vector4::from_fn(|j, _| power(j)), power_of_force(order, xi - at))
        };
        let ends: [(usize, f64); 4] = match boundary {
            Boundary::Free => return None,
            Boundary::SimplySupported => [(0, 0.0), (2, 0.0), (0, 1.0), (2, 1.0)],
            Boundary::Cantilever => [(0, 0.0), (1, 0.0), (2, 1.0), (3, 1.0)],
            Boundary::FixedHinged => [(0, 0.0), (1, 0.0), (0, 1.0), (2, 1.0)],
            Boundary::FixedFixed => [(0, 0.0), (1, 0.0), (0, 1.0), (1, 1.0)],
        };
        let rows = ends.map(|(order, xi)| row(order, xi));
        let matrix = Matrix4::from_rows(&rows.map(|(row, _)| row.transpose()));
        let right = Vector4::from(rows.map(|(_, force)| -force));
        let c = matrix.lu().solve(&right)?;
        Some(BendingFunction::Static { c: c.into(), at })
    }

    /// w, w', w'' at xi.
    pub fn at(&self, xi: f64) -> [f64; 3] {
        match *self {
            BendingFunction::Shift => [1.0, 0.0, 0.0],
            BendingFunction::Turn => [xi - 0.5, 1.0, 0.0],
            BendingFunction::Sine { half_waves } => {
                let b = half_waves * PI;
                let (sin, cos) = (b * xi).sin_cos();
                [SQRT_2 * sin, SQRT_2 * b * cos, -SQRT_2 * b * b * sin]
            }
            BendingFunction::Cosine { half_waves } => {
                let b = half_waves * PI;
                let (sin, cos) = (b * xi).sin_cos();
                [SQRT_2 * cos, -SQRT_2 * b * sin, -SQRT_2 * b * b * cos]
            }
            BendingFunction::Mode { b, growing, sigma, free } => {
                let up = growing * (b * (xi - 1.0)).exp() / 2.0;
                let down = (1.0 + sigma) * (-b * xi).exp() / 2.0;
                let (sin, cos) = (b * xi).sin_cos();
                let sign = if free { 1.0 } else { -1.0 };
                let (wave, slope) = (sign * (cos - sigma * sin), sign * (-sin - sigma * cos));
                [up + down + wave, b * (up - down + slope), b * b * (up + down - wave)]
            }
            BendingFunction::Static { c, at } => std::array::from_fn(|order| {
                let power = |j: usize| xi.powi((j - order) as i32) / factorial(j - order);
                (order..4).map(|j| c[j] * power(j)).sum::<f64>() + power_of_force(order, xi - at)
            }),
        }
    }

    /// The rate at which it varies (1): Gauss points lie closer than the inverse of this.
    pub(crate) fn waviness(&self) -> f64 {
        match *self {
            BendingFunction::Shift | BendingFunction::Turn | BendingFunction::Static { .. } => 1.0,
            BendingFunction::Sine { half_waves } | BendingFunction::Cosine { half_waves } => half_waves * PI,
            BendingFunction::Mode { b, .. } => b,
        }
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// The derivative of this order of `<x>^3/6`.
fn power_of_force(order: usize, x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x.powi(3 - order as i32) / factorial(3 - order) }
}

/// Abscissae and weights of Gauss's rule of 16 points on 0 to 1.
pub(crate) fn gauss() -> Vec<(f64, f64)> {
    const POINTS: usize = 16;
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for k in 2..=POINTS {
            let k = k as f64;
            (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
        }
        let slope = POINTS as f64 * (x * now - before) / (x * x - 1.0);
        (now, slope)
    };
    (0..POINTS)
        .map(|i| {
            let mut x = -(PI * (i as f64 + 0.75) / (POINTS as f64 + 0.5)).cos();
            for _ in 0..10 {
                let (value, slope) = legendre(x);
                x -= value / slope;
            }
            let (_, slope) = legendre(x);
            ((1.0 + x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Boundary; 5] = [
        Boundary::Free,
        Boundary::SimplySupported,
        Boundary::Cantilever,
        Boundary::FixedHinged,
        Boundary::FixedFixed,
    ];

    #[test]
    fn eigenvalues_are_those_of_the_tables() {
        let first =
            [4.730_040_744_862_704, PI, 1.875_104_068_711_961, 3.926_602_312_047_919, 4.730_040_744_862_704];
        for (boundary, b) in ALL.into_iter().zip(first) {
            assert!((BendingFunction::mode(boundary, 1).waviness() - b).abs() < 1e-14, "{boundary:?}");
        }
    }

    /// Ends are held as they should be, and modes of any number have unit square and are
    /// orthogonal.
    #[test]
    fn modes_keep_their_ends_and_are_orthonormal() {
        for boundary in ALL {
            let modes: Vec<BendingFunction> = (1..=12).map(|k| BendingFunction::mode(boundary, k)).collect();
            for mode in &modes {
                let b = mode.waviness();
                let [start, end] = [0.0, 1.0].map(|xi| mode.at(xi));
                let zero = |value: f64, order: i32| value.abs() < 1e-11 * b.powi(order);
                let satisfied = match boundary {
                    Boundary::Free => zero(start[2], 2) && zero(end[2], 2),
                    Boundary::SimplySupported => [start, end].iter().all(|e| zero(e[0], 0) && zero(e[2], 2)),
                    Boundary::Cantilever => zero(start[0], 0) && zero(start[1], 1) && zero(end[2], 2),
                    Boundary::FixedHinged => zero(start[0], 0) && zero(start[1], 1) && zero(end[0], 0),
                    Boundary::FixedFixed => [start, end].iter().all(|e| zero(e[0], 0) && zero(e[1], 1)),
                };
                assert!(satisfied, "{boundary:?} {mode:?} {start:?} {end:?}");
            }
            let rule = gauss();
            let product = |a: &BendingFunction, b: &BendingFunction| {
                let panels = 24;
                let points = (0..panels).flat_map(|p| {
                    rule.iter().map(move |(x, w)| ((p as f64 + x) / panels as f64, w / panels as f64))
                });
                points.map(|(xi, w)| w * a.at(xi)[0] * b.at(xi)[0]).sum::<f64>()
            };
            for (i, a) in modes.iter().enumerate() {
                for (j, b) in modes.iter().enumerate() {
                    let want = if i == j { 1.0 } else { 0.0 };
                    assert!((product(a, b) - want).abs() < 1e-12, "{boundary:?} {i} {j} {}", product(a, b));
                }
            }
        }
    }

    #[test]
    fn static_deflections_are_those_of_the_tables() {
        let middle = |boundary| BendingFunction::under_force(boundary, 0.5).unwrap().at(0.5)[0];
        assert!((middle(Boundary::SimplySupported) - 1.0 / 48.0).abs() < 1e-15);
        assert!((middle(Boundary::FixedFixed) - 1.0 / 192.0).abs() < 1e-15);
        assert!((middle(Boundary::FixedHinged) - 7.0 / 768.0).abs() < 1e-15);
        assert!(
            (BendingFunction::under_force(Boundary::Cantilever, 1.0).unwrap().at(1.0)[0] - 1.0 / 3.0).abs()
                < 1e-15
        );
        assert!(BendingFunction::under_force(Boundary::Free, 0.5).is_none());
    }
}
