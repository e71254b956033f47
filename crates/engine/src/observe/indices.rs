//! Sensitivity indices from the outputs of a design, with intervals by the bootstrap. Pure:
//! numbers in, numbers out.
//!
//! **Shares of the variance** of an output f of independent inputs, from rows with f(a), f(b), f(a
//! with input j of b) = f_j and, for pairs, f(b with input j of a) = g_j; all less the mean of f(a)
//! and f(b), whose variance is V:
//!
//! ```text
//! first order  S_j  = <f(b) (f_j - f(a))> / V          what fixing input j alone would take away
//! total        T_j  = <(f(a) - f_j)^2> / (2 V)         what is left when all but input j are fixed
//! pairs        S_jl = <g_j f_l - f(a) f(b)> / V - S_j - S_l
//! ```
//!
//! first order and the choice of estimators by A. Saltelli et al., Computer Physics Communications
//! 181 (2010) 259-270; total by M. J. W. Jansen, Computer Physics Communications 117 (1999) 35-43;
//! pairs by A. Saltelli, Computer Physics Communications 145 (2002) 280-297. An input that is a
//! group of numbers has the closed first-order index of the group.
//!
//! **Elementary effects**: d = change of f per unit of the moved unit number, that is over the
//! whole range of its input; mu is their mean, mu* the mean of |d|, sigma their standard deviation,
//! over one less than their number. M. D. Morris, Technometrics 33 (1991) 161-174; mu* by F.
//! Campolongo et al., Environmental Modelling & Software 22 (2007) 1509-1518. A group has no
//! direction: mu* alone.
//!
//! **Intervals** hold 95 %: between the 2.5 % and the 97.5 % quantile over [`RESAMPLES`] sets of
//! rows drawn with replacement. Rows of Sobol points are not independent: most intervals are too
//! wide for them, some of few rows too narrow.

use serde::Serialize;

use crate::describe::Screening;
use crate::ensemble::sampling::screening::{MorrisTrajectory, resampled};

/// Sets of rows drawn for an interval.
pub const RESAMPLES: usize = 1000;

/// Probability that is left out at either end of an interval.
const TAIL: f64 = 0.025;

/// An output is a constant if it varies by less than this, of its size: the rest is rounding.
const CONSTANT: f64 = 8.0 * f64::EPSILON;

/// A number and an interval that holds it with a probability of 95 %; all NaN where it cannot be
/// told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    pub const NONE: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    pub fn is_known(&self) -> bool {
        self.value.is_finite()
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// Shares of the variance of one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// Rows that count.
    pub rows: usize,
    /// Mean of the output over a and b.
    pub mean: f64,
    pub variance: f64,
    /// By input.
    pub first: Vec<Estimate>,
    pub total: Vec<Estimate>,
    /// By pair (0, 1), (0, 2), ..., (1, 2), ...; empty unless the design has them.
    pub pairs: Vec<Estimate>,
}

/// Elementary effects on one output, in its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Effects {
    /// Trajectories that count.
    pub rows: usize,
    /// By input.
    pub mu_star: Vec<Estimate>,
    pub mu: Vec<Estimate>,
    pub sigma: Vec<Estimate>,
}

/// The pairs of inputs in the order of [`Shares::pairs`].
pub fn pairs(inputs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..inputs).flat_map(move |j| (j + 1..inputs).map(move |l| (j, l)))
}

/// Shares of the variance from the values of Saltelli's design, row
/// by row, each with `inputs` + 2 places, or 2 `inputs` + 2. Rows with a value that is not finite
/// are left out. Without resamples there are no intervals.
///
/// # Panics
/// If the values are no whole rows.
pub fn shares(values: &[f64], inputs: usize, with_pairs: bool, resamples: usize, seed: u64) -> Shares {
    let k = inputs;
    let places = if with_pairs { 2 * k + 2 } else { k + 2 };
    let rows = whole_rows(values, places);
    let n = rows.len();
    let all = || rows.iter().flat_map(|row| row[..2].iter().copied());
    let mean = all().sum::<f64>() / (2 * n) as f64;
    let pair_count = if with_pairs { k * (k - 1) / 2 } else { 0 };
    if is_constant(rows.iter().flat_map(|row| row.iter().copied())) {
        let none = |count| vec![Estimate::NONE; count];
        let variance = if n > 0 { 0.0 } else { f64::NAN };
        return Shares { rows: n, mean, variance, first: none(k), total: none(k), pairs: none(pair_count) };
    }
    // Means over rows, of which every index is a function: sum, squares, then of each
    // input, then of each pair.
    let mut columns = vec![Vec::with_capacity(n); 2 + 2 * k + pair_count];
    for row in &rows {
        let f = |place: usize| row[place] - mean;
        let (a, b) = (f(0), f(1));
        columns[0].push(0.5 * (a + b));
        columns[1].push(0.5 * (a * a + b * b));
        for j in 0..k {
            let mixed = f(2 + j);
            columns[2 + j].push(b * (mixed - a));
            columns[2 + k + j].push(0.5 * (a - mixed) * (a - mixed));
        }
        if with_pairs {
            for (p, (j, l)) in pairs(k).enumerate() {
                columns[2 + 2 * k + p].push(f(2 + k + j) * f(2 + l) - a * b);
            }
        }
    }
    let of_means = |means: &[f64]| {
        let variance = means[1] - means[0] * means[0];
        let mut indices: Vec<f64> = means[2..].iter().map(|mean| mean / variance).collect();
        if with_pairs {
            for (p, (j, l)) in pairs(k).enumerate() {
                indices[2 * k + p] -= indices[j] + indices[l];
            }
        }
        indices
    };
    let variance = mean_of(&columns[1]) - mean_of(&columns[0]).powi(2);
    let mut indices = estimates(&columns, of_means, resamples, seed);
    let pairs = indices.split_off(2 * k);
    let total = indices.split_off(k);
    Shares { rows: n, mean, variance, first: indices, total, pairs }
}

/// Elementary effects from the values along trajectories, row by row. Rows with a value that is
/// not finite are left out.
///
/// # Panics
/// If the values are no whole rows, or are more than there are trajectories.
pub fn effects(
    values: &[f64],
    trajectories: &[MorrisTrajectory],
    inputs: usize,
    resamples: usize,
    seed: u64,
) -> Effects {
    /// Amount by which a move changes a unit number.
    const MOVE: f64 = 0.5;
    let k = inputs;
    let rows: Vec<(&[f64], &MorrisTrajectory)> = values
        .chunks_exact(k + 1)
        .zip(trajectories)
        .filter(|(row, _)| row.iter().all(|x| x.is_finite()))
        .collect();
    // For each input |d|, d and d^2, the last two less d of the first row: where all are alike, a
    // deviation from the squares of d itself would be rounding.
    let mut columns = vec![vec![0.0; rows.len()]; 3 * k];
    let mut first = vec![0.0; k];
    for (r, (row, trajectory)) in rows.iter().enumerate() {
        for (step, &j) in trajectory.order.iter().enumerate() {
            let up = trajectory.upwards[j].unwrap_or(true);
            let d = (row[step + 1] - row[step]) / if up { MOVE } else { -MOVE };
            if r == 0 {
                first[j] = d;
            }
            let apart = d - first[j];
            (columns[j][r], columns[k + j][r], columns[2 * k + j][r]) = (d.abs(), apart, apart * apart);
        }
    }
    let n = rows.len() as f64;
    let of_means = |means: &[f64]| {
        let variance = |j: usize| (means[2 * k + j] - means[k + j] * means[k + j]).max(0.0);
        let sigmas = (0..k).map(|j| (variance(j) * n / (n - 1.0)).sqrt());
        let mus = (0..k).map(|j| first[j] + means[k + j]);
        means[..k].iter().copied().chain(mus).chain(sigmas).collect()
    };
    let mut mu_star = estimates(&columns, of_means, resamples, seed);
    let mut sigma = mu_star.split_off(2 * k);
    let mut mu = mu_star.split_off(k);
    let directed = |j: usize| trajectories.first().is_some_and(|trajectory| trajectory.upwards[j].is_some());
    for j in (0..k).filter(|j| !directed(*j)) {
        (mu[j], sigma[j]) = (Estimate::NONE, Estimate::NONE);
    }
    Effects { rows: rows.len(), mu_star, mu, sigma }
}

/// The rows in which all values are finite.
fn whole_rows(values: &[f64], places: usize) -> Vec<&[f64]> {
    assert!(values.len().is_multiple_of(places), "{} values in rows of {places}", values.len());
    values.chunks_exact(places).filter(|row| row.iter().all(|x| x.is_finite())).collect()
}

/// Whether values are the same but for rounding; none are.
pub(super) fn is_constant(values: impl Iterator<Item = f64>) -> bool {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    low > high || high - low <= CONSTANT * low.abs().max(high.abs())
}

/// Functions of the means of columns, and the bootstrap's intervals of them.
fn estimates(
    columns: &[Vec<f64>],
    of_means: impl Fn(&[f64]) -> Vec<f64>,
    resamples: usize,
    seed: u64,
) -> Vec<Estimate> {
    let n = columns[0].len();
    let values = of_means(&columns.iter().map(|column| mean_of(column)).collect::<Vec<f64>>());
    if n == 0 {
        return vec![Estimate::NONE; values.len()];
    }
    let mut drawn = vec![Vec::with_capacity(resamples); values.len()];
    let mut counts = vec![0.0; n];
    for resample in 0..resamples {
        resampled(seed, resample as u64, &mut counts);
        let means: Vec<f64> = columns.iter().map(|column| product(column, &counts) / n as f64).collect();
        drawn.iter_mut().zip(of_means(&means)).for_each(|(drawn, value)| drawn.push(value));
    }
    let interval = |(value, mut drawn): (f64, Vec<f64>)| {
        drawn.retain(|x| x.is_finite());
        drawn.sort_unstable_by(f64::total_cmp);
        Estimate { value, low: quantile(&drawn, TAIL), high: quantile(&drawn, 1.0 - TAIL) }
    };
    values.into_iter().zip(drawn).map(interval).collect()
}

/// Returns a quantile of ascending values, linear between them; NaN of none.
pub fn quantile(ascending: &[f64], p: f64) -> f64 {
    if ascending.is_empty() {
        return f64::NAN;
    }
    let [below, above] = quantile_places(ascending.len(), p);
    let part = (p * (ascending.len() - 1) as f64).fract();
    (1.0 - part) * ascending[below] + part * ascending[above]
}

/// Places in ascending order of the values, n > 0 in all, that a quantile lies between.
pub fn quantile_places(n: usize, p: f64) -> [usize; 2] {
    let below = (p * (n - 1) as f64).floor() as usize;
    [below, (below + 1).min(n - 1)]
}

fn mean_of(column: &[f64]) -> f64 {
    column.iter().sum::<f64>() / column.len() as f64
}

/// The sum of products, eight sums side by side so that they vectorise.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (whole, rest) = a.as_chunks::<8>();
    let (others, rest_of_others) = b.as_chunks::<8>();
    for (a, b) in whole.iter().zip(others) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f64>() + rest.iter().zip(rest_of_others).map(|(a, b)| a * b).sum::<f64>()
}

/// One index of every input.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityMeasure {
    /// As tables name it: `first`, `total`, `mu_star`, `mu`, `sigma`.
    pub name: &'static str,
    pub of: Vec<Estimate>,
}

/// The indices found for one output, by either method.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Rows that count, and those left out because one of their instances has no finite value.
    pub rows: usize,
    pub left_out: usize,
    /// The first ranks the inputs.
    pub measures: Vec<SensitivityMeasure>,
    /// Indices of pairs of inputs, in the order of [`pairs`]; empty unless asked for.
    pub pairs: Vec<Estimate>,
}

/// Returns the indices from the values of one output, in the order of instances, by the study's
/// method.
pub fn answer(
    method: Screening,
    values: &[f64],
    inputs: usize,
    trajectories: &[MorrisTrajectory],
    resamples: usize,
    seed: u64,
) -> Answer {
    let measure = |name: &'static str, estimates: Vec<Estimate>| SensitivityMeasure { name, of: estimates };
    match method {
        Screening::Sobol { second_order } => {
            let places = if second_order { 2 * inputs + 2 } else { inputs + 2 };
            let shares = shares(values, inputs, second_order, resamples, seed);
            Answer {
                rows: shares.rows,
                left_out: values.len() / places - shares.rows,
                measures: vec![measure("total", shares.total), measure("first", shares.first)],
                pairs: shares.pairs,
            }
        }
        Screening::Morris { .. } => {
            let effects = effects(values, trajectories, inputs, resamples, seed);
            Answer {
                rows: effects.rows,
                left_out: values.len() / (inputs + 1) - effects.rows,
                measures: vec![
                    measure("mu_star", effects.mu_star),
                    measure("mu", effects.mu),
                    measure("sigma", effects.sigma),
                ],
                pairs: Vec::new(),
            }
        }
    }
}
