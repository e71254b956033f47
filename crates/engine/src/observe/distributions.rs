//! Quantiles of forty-one distributions, against sorting.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{
    Beta, Cauchy, Distribution, Exp1, Gamma, Gumbel, LogNormal, Pareto, Poisson, StandardNormal,
    StandardUniform, StudentT, Triangular, Weibull,
};
use std::sync::Arc;

use super::PILOT;
use super::quantiles::from_sorted;
use super::statistics::{Pilot, Statistics};
use super::stored::{StoreReader, StoreWriter};
use crate::base::spread;

const PROBABILITIES: [f64; 11] = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

/// By what an error is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ErrorBasis {
    /// The distance of the quantile from the median, and that of the quartiles, of the values each
    /// once.
    Distance,
    /// The quantile itself.
    Value,
}

/// A thousandth, and a quarter of it because the bins' centre and spread are the pilot's.
const TOLERANCE: f64 = 1e-3 * 1.25;

type Draw = fn(&mut ChaCha8Rng) -> f64;

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    StandardUniform.sample(rng)
}

fn exponential(rng: &mut ChaCha8Rng) -> f64 {
    Exp1.sample(rng)
}

fn sign(rng: &mut ChaCha8Rng) -> f64 {
    if uniform(rng) < 0.5 { -1.0 } else { 1.0 }
}

/// From 1e-6 to 1e6.
fn decades(rng: &mut ChaCha8Rng) -> f64 {
    10_f64.powf(12.0 * uniform(rng) - 6.0)
}

fn sample(distribution: Result<impl Distribution<f64>, impl std::fmt::Debug>, rng: &mut ChaCha8Rng) -> f64 {
    distribution.expect("parameters").sample(rng)
}

const DISTRIBUTIONS: [(&str, ErrorBasis, Draw); 41] = [
    ("normal", ErrorBasis::Distance, normal),
    ("normal at 1e9, deviation 1e-3", ErrorBasis::Distance, |rng| 1e9 + 1e-3 * normal(rng)),
    ("normal, deviation 1e-300", ErrorBasis::Distance, |rng| 1e-300 * normal(rng)),
    ("normal, deviation 1e300", ErrorBasis::Distance, |rng| 1e300 * normal(rng)),
    ("normal in single precision", ErrorBasis::Distance, |rng| f64::from(normal(rng) as f32)),
    ("normal, some infinite or undefined", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 0.02 => f64::NAN,
        x if x < 0.03 => f64::INFINITY,
        x if x < 0.04 => f64::NEG_INFINITY,
        _ => normal(rng),
    }),
    ("uniform", ErrorBasis::Distance, uniform),
    ("uniform from -1e6", ErrorBasis::Distance, |rng| 1e-3 * uniform(rng) - 1e6),
    ("triangle", ErrorBasis::Distance, |rng| sample(Triangular::new(0.0, 1.0, 0.9), rng)),
    ("arcsine", ErrorBasis::Distance, |rng| sample(Beta::new(0.5, 0.5), rng)),
    ("exponential", ErrorBasis::Distance, exponential),
    ("negative exponential", ErrorBasis::Distance, |rng| -exponential(rng)),
    ("Laplace", ErrorBasis::Distance, |rng| sign(rng) * exponential(rng)),
    ("Gumbel", ErrorBasis::Distance, |rng| sample(Gumbel::new(0.0, 1.0), rng)),
    ("Weibull, shape 0.5", ErrorBasis::Value, |rng| sample(Weibull::new(1.0, 0.5), rng)),
    ("gamma, shape 0.3", ErrorBasis::Value, |rng| sample(Gamma::new(0.3, 1.0), rng)),
    ("square of normal", ErrorBasis::Value, |rng| normal(rng).powi(2)),
    ("cube of normal", ErrorBasis::Distance, |rng| normal(rng).powi(3)),
    ("log-normal, deviation 1", ErrorBasis::Distance, |rng| sample(LogNormal::new(0.0, 1.0), rng)),
    ("log-normal, deviation 3", ErrorBasis::Value, |rng| sample(LogNormal::new(0.0, 3.0), rng)),
    ("log-uniform over 12 decades", ErrorBasis::Value, decades),
    ("negative log-uniform over 12 decades", ErrorBasis::Value, |rng| -decades(rng)),
    ("log-uniform over 12 decades, both signs", ErrorBasis::Distance, |rng| sign(rng) * decades(rng)),
    ("log-uniform over 4 decades", ErrorBasis::Value, |rng| 10_f64.powf(4.0 * uniform(rng))),
    ("Cauchy", ErrorBasis::Distance, |rng| sample(Cauchy::new(0.0, 1.0), rng)),
    ("Student, 2 degrees", ErrorBasis::Distance, |rng| sample(StudentT::new(2.0), rng)),
    ("Pareto, exponent 1", ErrorBasis::Distance, |rng| sample(Pareto::new(1.0, 1.0), rng)),
    ("Pareto, exponent 0.3", ErrorBasis::Value, |rng| sample(Pareto::new(1.0, 0.3), rng)),
    ("0.999 N(1, 0.01) + 0.001 N(1e6, 1)", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 1e-3 => 1e6 + normal(rng),
        _ => 1.0 + 0.01 * normal(rng),
    }),
    ("0.9 N(0, 0.001) + 0.1 N(0, 1000)", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 0.1 => 1e3 * normal(rng),
        _ => 1e-3 * normal(rng),
    }),
    ("0.7 N(0, 0.004) + 0.3 of 1 to 100, both signs", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 0.3 => sign(rng) * (1.0 + 99.0 * uniform(rng)),
        _ => 0.004 * normal(rng),
    }),
    ("0.5 N(-2, 0.05) + 0.5 N(2, 0.05)", ErrorBasis::Distance, |rng| 2.0 * sign(rng) + 0.05 * normal(rng)),
    ("0.9 zeros, 0.1 exponential", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 0.9 => 0.0,
        _ => exponential(rng),
    }),
    ("0.6 zeros, 0.4 N(2, 0.05)", ErrorBasis::Distance, |rng| match uniform(rng) {
        x if x < 0.6 => 0.0,
        _ => 2.0 + 0.05 * normal(rng),
    }),
    ("normal between limits of 1", ErrorBasis::Distance, |rng| normal(rng).clamp(-1.0, 1.0)),
    ("whole, normal of 100", ErrorBasis::Distance, |rng| (100.0 * normal(rng)).round()),
    ("constant", ErrorBasis::Distance, |_| 3.7),
    ("zeros of both signs", ErrorBasis::Distance, |rng| 0.0 * sign(rng)),
    ("0 or 1, 0.3 of 1", ErrorBasis::Distance, |rng| f64::from(u8::from(uniform(rng) < 0.3))),
    ("Poisson of 3, tenths", ErrorBasis::Distance, |rng| 0.1 * sample(Poisson::new(3.0), rng)),
    ("20 levels", ErrorBasis::Distance, |rng| (20.0 * uniform(rng)).floor() / 3.0),
];

/// Bins chosen by the pilot, by which cells are made.
fn empty(values: &[f64]) -> Statistics {
    let n = values.len() as u64;
    let mut pilot = Pilot::new(1, 1, n);
    let chosen: Vec<f64> = spread(n, PILOT).iter().map(|&i| values[i as usize]).collect();
    pilot.record(0, 0, &chosen);
    Statistics::new(Arc::new(pilot), &PROBABILITIES)
}

/// Parts merged in another order, one of them stored and loaded.
fn merged(values: &[f64]) -> Statistics {
    let mut all = empty(values);
    for part in [3, 0, 4, 1, 2] {
        let mut of_part = empty(values);
        let own: Vec<f64> = values.iter().skip(part).step_by(5).rev().copied().collect();
        of_part.add(0, 0, &own);
        let mut stored = Vec::new();
        of_part.store(&mut StoreWriter::new(&mut stored)).expect("stored");
        all.merge(&Statistics::load(&mut StoreReader::new(&stored[..])).expect("loaded"));
    }
    all
}

/// `POLHODE_SWEEPS=full` prints the table of docs/quantiles.md, to 10^7 values.
#[test]
fn quantiles_of_many_distributions_are_those_of_sorting() {
    let full = std::env::var("POLHODE_SWEEPS").is_ok_and(|sweeps| sweeps == "full");
    let sizes: &[usize] =
        if full { &[1000, 3000, 100_000, 1_000_000, 10_000_000] } else { &[1000, 3000, 100_000] };
    let mut wrong = Vec::new();
    for (name, of, draw) in DISTRIBUTIONS {
        let mut row = format!("| {name} | {of:?} |");
        for &n in sizes {
            let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
            let mut values: Vec<f64> = (0..n).map(|_| draw(&mut rng)).collect();
            let mut whole = empty(&values);
            whole.add(0, 0, &values);
            let summary = whole.summary(0, 0);
            let bits = |quantiles: &[f64]| quantiles.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let other = merged(&values).summary(0, 0);
            assert_eq!(bits(&summary.quantiles), bits(&other.quantiles), "{name}, {n}");

            values.retain(|x| x.is_finite());
            values.iter_mut().for_each(|x| *x += 0.0);
            values.sort_unstable_by(f64::total_cmp);
            let exact = from_sorted(&values, &PROBABILITIES);
            let mut distinct = values.clone();
            distinct.dedup();
            let [lower, centre, upper] = from_sorted(&distinct, &[0.25, 0.5, 0.75])[..] else {
                panic!("three quartiles")
            };
            let mut worst = 0.0_f64;
            for (found, right) in summary.quantiles.iter().zip(&exact) {
                let unit = match of {
                    ErrorBasis::Distance => upper - lower + (right - centre).abs(),
                    ErrorBasis::Value => right.abs(),
                };
                let error = (found - right).abs();
                worst = worst.max(if error == 0.0 { 0.0 } else { error / unit });
                let equal = values.partition_point(|x| x <= right) - values.partition_point(|x| x < right);
                if error > 0.0 && equal > n / 100 {
                    wrong.push(format!("{name}, {n}: {found:?} for the atom {right:?}"));
                }
            }
            row += &format!(" {worst:.1e} |");
            if worst > if n as u64 <= PILOT { 0.0 } else { TOLERANCE } {
                wrong.push(format!("{name}, {n}: {worst:.2e}\n {:?}\n {exact:?}", summary.quantiles));
            }
        }
        println!("{row}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
