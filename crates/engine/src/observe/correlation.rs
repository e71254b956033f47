//! Correlations of samples, with intervals, and how well means and quantiles of a sample are known.
//!
//! Pearson's r = cov(x, y) / (s_x s_y) tells of straight lines; Spearman's ρ is r of the ranks
//! (ties share the mean of theirs) and tells of any monotonic law. A partial rank correlation is
//! the one of two quantities when the straight part that the other inputs have in the ranks of both
//! is taken away: with P the inverse of the matrix of rank correlations of all inputs and the
//! output y, -P_jy / sqrt(P_jj P_yy).
//!
//! Intervals are those of 95 % about Fisher's z = atanh r, tanh(z ± 1.96 d). For ranks the
//! deviation is d = sqrt((1 + ρ²/2) / (n - 3)) (D. G. Bonett and T. A. Wright, Psychometrika 65
//! (2000) 23-28); for partial ones n is less by the number of the other inputs. For Pearson's r it
//! is that of the jackknife, d² = (n - 1)/n sum of (z_i - their mean)², with z_i from all instances
//! but the i-th: it needs fourth moments, and no normal distribution. Where tails are so heavy that
//! a few values decide, few samples have these values, and the interval holds r less often: of
//! exp(b/2) against a normal b, 83 of 100 samples of 500, of exp(3 b/2) half of them.

use rayon::prelude::*;

use super::indices::{Estimate, is_constant, quantile, quantile_places};
use super::pairs::{self, Moments};
use crate::math::wilson::wilson;

/// Two-sided 95 % of the normal distribution, in standard deviations.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A pivot of a matrix of correlations below which one of them follows from the others.
const SINGULAR: f64 = 1e-10;

/// Correlations of one output with every input.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlations {
    /// Instances that count.
    pub count: usize,
    pub pearson: Vec<Estimate>,
    pub spearman: Vec<Estimate>,
    /// Partial correlations of ranks, the other inputs held.
    pub partial: Vec<Estimate>,
}

/// Inputs of an ensemble, `[input][instance]`, made ready for the outputs that are finite
/// wherever they are: for most.
pub struct RankedInputs<'a> {
    values: &'a [Vec<f64>],
    finite: Vec<usize>,
    ready: Standardised,
}

/// Values and ranks of inputs in the instances that count, standardised.
struct Standardised {
    values: Vec<Vec<f64>>,
    ranks: Vec<Vec<f64>>,
    /// Inputs that vary: the others take no part where inputs are held.
    varied: Vec<usize>,
    /// Rank correlations of those: of each with those before it, and with itself.
    among: Vec<Vec<f64>>,
}

impl Standardised {
    fn new(inputs: &[Vec<f64>], counted: &[usize]) -> Standardised {
        let of_input = |x: &Vec<f64>| {
            let x = chosen(x, counted);
            (standardised(&x), standardised(&ranks(&x)))
        };
        let (values, ranks): (Vec<_>, Vec<Vec<f64>>) = inputs.par_iter().map(of_input).unzip();
        let varied: Vec<usize> = (0..ranks.len()).filter(|j| product(&ranks[*j], &ranks[*j]) > 0.5).collect();
        let row = |place: usize| {
            let with = |other: &usize| product(&ranks[varied[place]], &ranks[*other]);
            varied[..=place].iter().map(with).collect()
        };
        let among = (0..varied.len()).into_par_iter().map(row).collect();
        Standardised { values, ranks, varied, among }
    }
}

impl<'a> RankedInputs<'a> {
    /// Inputs of one length.
    pub fn new(values: &'a [Vec<f64>]) -> RankedInputs<'a> {
        let instances = values.first().map_or(0, Vec::len);
        let is_finite = |i: &usize| values.iter().all(|x| x[*i].is_finite());
        let finite: Vec<usize> = (0..instances).filter(is_finite).collect();
        let ready = Standardised::new(values, &finite);
        RankedInputs { values, finite, ready }
    }
}

fn chosen(values: &[f64], counted: &[usize]) -> Vec<f64> {
    counted.iter().map(|i| values[*i]).collect()
}

/// Returns the correlations of an output `y` with each of the inputs, all of one length; instances
/// in which one of them is not finite do not count.
pub fn correlations(inputs: &RankedInputs<'_>, y: &[f64]) -> Correlations {
    let counted: Vec<usize> = inputs.finite.iter().copied().filter(|i| y[*i].is_finite()).collect();
    let n = counted.len();
    let fewer = (n < inputs.finite.len()).then(|| Standardised::new(inputs.values, &counted));
    let inputs = fewer.as_ref().unwrap_or(&inputs.ready);
    let y = chosen(y, &counted);
    let centred_y = standardised(&y);
    let ranked_y = standardised(&ranks(&y));
    let pearson = inputs.values.iter().map(|x| jackknifed(x, &centred_y));
    let rho: Vec<f64> = inputs.ranks.iter().map(|x| correlation(x, &ranked_y)).collect();
    let spearman = rho.iter().map(|rho| fisher(*rho, n as f64, (1.0 + 0.5 * rho * rho).sqrt()));
    Correlations {
        count: n,
        pearson: pearson.collect(),
        spearman: spearman.collect(),
        partial: partial(inputs, &rho, product(&ranked_y, &ranked_y), n),
    }
}

/// Partial rank correlations, in n instances, of an output with each of the inputs: `rho` are those
/// where nothing is held, `with_itself` that of the output with itself.
fn partial(inputs: &Standardised, rho: &[f64], with_itself: f64, n: usize) -> Vec<Estimate> {
    let Standardised { varied, among, .. } = inputs;
    let mut found = vec![Estimate::NONE; rho.len()];
    let last = varied.len();
    let of_output = varied.iter().map(|j| rho[*j]).chain([with_itself]).collect();
    let mut matrix = vec![vec![0.0; last + 1]; last + 1];
    for (i, row) in among.iter().chain([&of_output]).enumerate() {
        for (j, product) in row.iter().enumerate() {
            matrix[i][j] = *product;
            matrix[j][i] = *product;
        }
    }
    if let Some(the_same) = varied.iter().position(|j| rho[*j].abs() == 1.0) {
        // The output follows from this input alone: the others have no part of it, and what is left
        // of it where this one is held has no correlation.
        let others = matrix.iter().take(last).map(|row| row[..last].to_vec());
        if inverse(others.collect()).is_some() {
            let rho = rho[varied[the_same]];
            found[varied[the_same]] = Estimate { value: rho, low: rho, high: rho };
        }
    } else if let Some(inverse) = inverse(matrix) {
        for (place, j) in varied.iter().enumerate() {
            let r = -inverse[place][last] / (inverse[place][place] * inverse[last][last]).sqrt();
            let rho = r.clamp(-1.0, 1.0);
            found[*j] = fisher(rho, n as f64 - (last - 1) as f64, (1.0 + 0.5 * rho * rho).sqrt());
        }
    }
    found
}

/// By Gauss and Jordan; `None` of a matrix that is singular.
fn inverse(mut rows: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = rows.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|k| f64::from(u8::from(k == i))));
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        let scale = rows[k][k];
        if scale.is_nan() || scale.abs() <= SINGULAR {
            return None;
        }
        rows[k].iter_mut().for_each(|x| *x /= scale);
        let of_pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k];
            row.iter_mut().zip(&of_pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// Pearson's r of standardised values, with the jackknife's interval.
fn jackknifed(x: &[f64], y: &[f64]) -> Estimate {
    let n = x.len() as f64;
    let r = correlation(x, y);
    if n < 4.0 || r.is_nan() || r.abs() == 1.0 {
        return fisher(r, n, 1.0);
    }
    // With one left out, sums of products are less by n/(n - 1) of its own.
    let part = n / (n - 1.0);
    let without = |(x, y): (&f64, &f64)| {
        let left = |of_all: f64, product: f64| of_all - part * product;
        let squares = left(1.0, x * x) * left(1.0, y * y);
        // Nothing is told where what is left does not vary.
        let r = if squares > 1e-20 { left(r, x * y) / squares.sqrt() } else { 0.0 };
        libm::atanh(r.clamp(-NEARLY_ONE, NEARLY_ONE))
    };
    let z: Vec<f64> = x.iter().zip(y).map(without).collect();
    let mean = z.iter().sum::<f64>() / n;
    let spread = z.iter().map(|z| (z - mean) * (z - mean)).sum::<f64>();
    fisher(r, n, ((n - 1.0) / n * spread * (n - 3.0)).sqrt())
}

/// A correlation that atanh is finite of.
const NEARLY_ONE: f64 = 1.0 - f64::EPSILON;

/// The correlation of standardised values. One that differs from 1 by rounding is 1.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let r = product(x, y);
    if 1.0 - r.abs() < x.len() as f64 * f64::EPSILON { r.signum() } else { r }
}

/// Fisher's interval of a correlation from n instances, of which the deviation of atanh is
/// `factor` / sqrt(n - 3).
fn fisher(r: f64, n: f64, factor: f64) -> Estimate {
    // The sum over no instance would be -0.
    if n < 2.0 {
        return Estimate::NONE;
    }
    if !r.is_finite() || n <= 3.0 {
        return Estimate { value: r, ..Estimate::NONE };
    }
    let r = r.clamp(-1.0, 1.0);
    let half = NORMAL_95 * factor / (n - 3.0).sqrt();
    let at = |z: f64| if r.abs() == 1.0 { r } else { libm::tanh(libm::atanh(r) + z) };
    Estimate { value: r, low: at(-half), high: at(half) }
}

/// Less the mean, and of length 1; NaN if it does not vary.
fn standardised(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|x| x - mean).collect();
    let length = product(&centred, &centred).sqrt();
    let scale = if is_constant(values.iter().copied()) { f64::NAN } else { length };
    centred.into_iter().map(|x| x / scale).collect()
}

/// From 1; equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    // Values beside their numbers: sorting does not look far away for what it compares.
    let mut numbered: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
    numbered.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let order: Vec<usize> = numbered.into_iter().map(|(_, i)| i).collect();
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let equal = order[first..].iter().take_while(|i| values[**i] == values[order[first]]).count().max(1);
        let shared = first as f64 + 0.5 * (equal as f64 + 1.0);
        order[first..first + equal].iter().for_each(|i| ranks[*i] = shared);
        first += equal;
    }
    ranks
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Mean and quantiles of a sample, with 95 % intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub count: usize,
    pub mean: Estimate,
    pub quantiles: Vec<Estimate>,
}

/// Returns mean and quantiles of independent values, all finite, at least one, with intervals: of a
/// share (values of a condition, or 0 and 1 alone) by Wilson's score, of another mean by Student's
/// t, of a quantile between order statistics (`binomial_ranks`), whatever the distribution. An
/// end that so few values do not have is infinite.
pub fn known(values: &[f64], probabilities: &[f64], is_condition: bool) -> Known {
    let n = values.len() as f64;
    let mean = if is_constant(values.iter().copied()) {
        Estimate { value: values[0], low: values[0], high: values[0] }
    } else {
        pairs::symmetric_mean(Moments::of(values))
    };
    let ones = values.iter().filter(|x| **x == 1.0).count();
    let zeros = values.iter().filter(|x| **x == 0.0).count();
    let is_share = ones + zeros == values.len() && (is_condition || ones > 0 && zeros > 0);
    let mean = if is_share {
        let value = ones as f64 / n;
        let [low, high] = wilson(value, n, NORMAL_95);
        Estimate { value, low, high }
    } else {
        mean
    };
    let ends: Vec<[Option<usize>; 2]> =
        probabilities.iter().map(|p| binomial_ranks(values.len(), *p)).collect();
    let of_values = probabilities.iter().flat_map(|p| quantile_places(values.len(), *p));
    let mut places: Vec<usize> = of_values.chain(ends.iter().flatten().flatten().copied()).collect();
    places.sort_unstable();
    let mut ascending = values.to_vec();
    put_in_place(&mut ascending, 0, &places);
    let at = |(p, [low, high]): (&f64, &[Option<usize>; 2])| Estimate {
        value: quantile(&ascending, *p),
        low: low.map_or(f64::NEG_INFINITY, |place| ascending[place]),
        high: high.map_or(f64::INFINITY, |place| ascending[place]),
    };
    Known { count: values.len(), mean, quantiles: probabilities.iter().zip(&ends).map(at).collect() }
}

/// The places, from 0, of two of n ordered values that a quantile of probability p lies between
/// with a probability of at least 95 %, whatever the distribution: the number of values below it is
/// binomial, and each end is left out with at most 2.5 %. `None`: no value is so far out.
fn binomial_ranks(n: usize, p: f64) -> [Option<usize>; 2] {
    const TAIL: f64 = 0.025;
    if p <= 0.0 || p >= 1.0 {
        return [(p >= 1.0).then_some(n - 1), (p <= 0.0).then_some(0)];
    }
    // Probabilities of neighbours by their ratios, from the most probable number on.
    let most = (((n + 1) as f64 * p) as usize).min(n);
    let odds = p / (1.0 - p);
    let up = |k: usize| (n - k) as f64 / (k + 1) as f64 * odds;
    let there = |weight: &f64| *weight > 1e-18;
    let above = std::iter::successors(Some((most, 1.0)), |(k, w)| (*k < n).then(|| (k + 1, w * up(*k))));
    let below = std::iter::successors(Some((most, 1.0)), |(k, w)| (*k > 0).then(|| (k - 1, w / up(k - 1))));
    let mut weights: Vec<(usize, f64)> = below.take_while(|(_, w)| there(w)).collect();
    weights.reverse();
    weights.extend(above.skip(1).take_while(|(_, w)| there(w)));
    let all: f64 = weights.iter().map(|(_, w)| w).sum();
    let (mut sum, mut low, mut high) = (0.0, None, None);
    for (k, weight) in weights {
        // The k-th value, from 1, is above the quantile if fewer than k are below.
        low = if sum <= TAIL * all && k > 0 { Some(k - 1) } else { low };
        sum += weight;
        // The value after k is above it unless more than k are below.
        if high.is_none() && sum >= (1.0 - TAIL) * all {
            high = (k < n).then_some(k);
            break;
        }
    }
    [low, high]
}

/// Puts values in these places of all where ascending order would have them; the other places hold
/// any of the rest. `values` begin at the place `first`, and `places` ascend. It takes far fewer
/// comparisons than sorting.
fn put_in_place(values: &mut [f64], first: usize, places: &[usize]) {
    let Some(middle) = places.get(places.len() / 2) else { return };
    let (below, _, above) = values.select_nth_unstable_by(middle - first, f64::total_cmp);
    let [lower, higher] =
        [places.partition_point(|place| place < middle), places.partition_point(|place| place <= middle)];
    put_in_place(below, first, &places[..lower]);
    put_in_place(above, middle + 1, &places[higher..]);
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_distr::{Distribution, Open01, StandardNormal};

    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, -2.0, 3.0]), [4.0, 2.0, 4.0, 1.0, 4.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn correlations_are_those_of_a_small_table() {
        let x = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let y = [1.0, 4.0, 2.0, 8.0, 16.0, 11.0];
        let found = correlations(&RankedInputs::new(&[x]), &y);
        // By hand: sxy = 46, sxx = 17.5, syy = 168.
        let r = 46.0 / (17.5f64 * 168.0).sqrt();
        assert!((found.pearson[0].value - r).abs() < 1e-14);
        // Sum of squared differences of ranks 0 + 1 + 1 + 0 + 1 + 1: 1 - 6 * 4 / 210.
        assert!((found.spearman[0].value - (1.0 - 24.0 / 210.0)).abs() < 1e-14);
        let half = NORMAL_95 * ((1.0 + 0.5 * found.spearman[0].value.powi(2)) / 3.0).sqrt();
        let low = (found.spearman[0].value.atanh() - half).tanh();
        assert!((found.spearman[0].low - low).abs() < 1e-14);
        // Alone, nothing is held.
        assert!((found.partial[0].value - found.spearman[0].value).abs() < 1e-12);
    }

    /// Ranks of inputs are kept from output to output, but for those of fewer instances.
    #[test]
    fn an_output_with_gaps_is_compared_in_the_instances_that_it_has() {
        let x: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 101)).collect();
        let mut y: Vec<f64> = x.iter().map(|x| (0.1 * x).sin() + 0.01 * x).collect();
        let inputs = [x.clone(), x.iter().map(|x| (0.3 * x).cos()).collect()];
        let ready = RankedInputs::new(&inputs);
        let whole = correlations(&ready, &y);
        (y[0], y[77]) = (f64::NAN, f64::INFINITY);
        let gaps = correlations(&ready, &y);
        let there = |all: &[f64]| -> Vec<f64> { [&all[1..77], &all[78..]].concat() };
        let short = inputs.each_ref().map(|x| there(x));
        assert_eq!(gaps, correlations(&RankedInputs::new(&short), &there(&y)));
        assert_eq!((whole.count, gaps.count), (100, 98));
        assert_ne!(whole.spearman, gaps.spearman);
    }

    #[test]
    fn what_follows_from_another_input_has_no_part_of_its_own() {
        // z follows x but for a little; y is of x alone.
        let noise = |i: usize| ((i * 7919) % 1009) as f64 / 1009.0;
        let x: Vec<f64> = (0..1009).map(noise).collect();
        let z: Vec<f64> = (0..1009).map(|i| x[i] + 0.3 * ((i * 104_729) % 1013) as f64 / 1013.0).collect();
        let y: Vec<f64> = (0..1009).map(|i| x[i] + 0.3 * ((i * 1_299_709) % 1019) as f64 / 1019.0).collect();
        let found = correlations(&RankedInputs::new(&[x.clone(), z.clone()]), &y);
        assert!(found.spearman[1].value > 0.8 && found.partial[1].value.abs() < 0.1, "{found:?}");
        assert!(found.partial[0].value > 0.6, "{found:?}");
        // Twice the same input: nothing can be held.
        let twice = correlations(&RankedInputs::new(&[x.clone(), x.clone()]), &y);
        assert!(twice.partial.iter().all(|e| !e.is_known()) && twice.pearson[0] == twice.pearson[1]);
        // An input that does not vary.
        let constant = correlations(&RankedInputs::new(&[vec![0.1; 1009], x]), &y);
        assert!(!constant.pearson[0].is_known() && constant.partial[1].value > 0.9);
        // No instance has both, or one alone.
        for n in [0, 1] {
            let mut missing = vec![f64::NAN; 1009];
            missing[..n].fill(1.0);
            let none = correlations(&RankedInputs::new(&[y.clone(), z.clone()]), &missing);
            let all = none.pearson.iter().chain(&none.spearman).chain(&none.partial);
            assert!(
                all.clone().count() == 6 && all.clone().all(|e| !e.is_known() && e.value.is_nan()),
                "{n}"
            );
        }
    }

    /// The values that quantiles need stand where sorting would put them, equal values, zeros of
    /// both signs and infinities too.
    #[test]
    fn places_hold_what_ascending_order_has_there() {
        for n in [1usize, 2, 3, 10, 1000] {
            let value = |i: usize| match i * 7919 % 1009 {
                0..50 => -0.0,
                50..100 => 0.0,
                100..300 => 3.25,
                999.. => f64::INFINITY,
                k => k as f64 - 600.0,
            };
            let values: Vec<f64> = (0..n).map(value).collect();
            let mut ascending = values.clone();
            ascending.sort_unstable_by(f64::total_cmp);
            let all: Vec<usize> = [0, 0, n / 3, n / 2, n / 2, n - 1].into_iter().collect();
            let mut found = values.clone();
            put_in_place(&mut found, 0, &all);
            for place in all {
                assert_eq!(found[place].to_bits(), ascending[place].to_bits(), "{place} of {n}");
            }
            let mut untouched = values.clone();
            put_in_place(&mut untouched, 0, &[]);
            assert_eq!(untouched, values);
        }
    }

    /// Draws of one seed, uniform in (0, 1).
    fn uniform(seed: u64, n: usize) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..n).map(|_| Open01.sample(&mut rng)).collect()
    }

    /// At least the promised 95 % of 400 samples less three standard deviations of their number.
    fn holds(name: &str, held: usize) {
        assert!(held >= 367, "{name}: {held} of 400");
    }

    /// Also outer quantiles of few values, for which there may be no value far enough out.
    #[test]
    fn intervals_of_quantiles_and_shares_hold_them_as_often_as_they_say() {
        for (n, p) in [(200, 0.999), (200, 0.01), (2000, 0.999), (40, 0.5), (500, 0.95)] {
            let held = (0..400).filter(|seed| {
                let e = known(&uniform(*seed, n), &[p], false).quantiles[0];
                e.low <= p && p <= e.high
            });
            holds(&format!("{p} of {n}"), held.count());
        }
        let outer = known(&uniform(1, 200), &[0.001, 0.5, 0.999], false).quantiles;
        assert!(outer[0].low == f64::NEG_INFINITY && outer[0].high.is_finite());
        assert!(outer[2].high == f64::INFINITY && outer[2].low.is_finite());
        assert!(outer[1].low < outer[1].value && outer[1].value < outer[1].high);
        for (n, share) in [(200, 0.01), (62, 0.004), (200, 0.5)] {
            let held = (0..400).filter(|seed| {
                let values: Vec<f64> =
                    uniform(*seed, n).into_iter().map(|u| f64::from(u8::from(u < share))).collect();
                let e = known(&values, &[], true).mean;
                e.low <= share && share <= e.high
            });
            holds(&format!("a share of {share} of {n}"), held.count());
        }
        // No event is not no chance, and a constant is no event.
        let (never, constant) = (known(&[0.0; 62], &[], true).mean, known(&[0.1 + 0.2; 62], &[], false).mean);
        assert!(never.low == 0.0 && never.high > 0.05);
        assert_eq!([constant.value, constant.low, constant.high], [0.1 + 0.2; 3]);
    }

    /// Binomial tails by their sums: for ten values and the median the interval is from the second
    /// to the ninth, which holds it with 97.9 %.
    #[test]
    fn ranks_about_a_quantile_are_those_of_the_tables() {
        assert_eq!(binomial_ranks(10, 0.5), [Some(1), Some(8)]);
        assert_eq!(binomial_ranks(5, 0.5), [None, None]);
        assert_eq!(binomial_ranks(6, 0.5), [Some(0), Some(5)]);
        // 0.99^n is above 0.025 up to 367.
        assert_eq!([binomial_ranks(367, 0.99)[1], binomial_ranks(368, 0.99)[1]], [None, Some(367)]);
        assert_eq!([binomial_ranks(7, 0.0), binomial_ranks(7, 1.0)], [[None, Some(0)], [Some(6), None]]);
        // The normal approximation, of many.
        let [low, high] = binomial_ranks(1 << 20, 0.5).map(|place| place.unwrap() as f64 / (1 << 20) as f64);
        assert!((high - low - 2.0 * NORMAL_95 * 0.5 / 1024.0).abs() < 1e-5);
    }

    /// By Fisher's normal theory, some 300 of 400 would hold r where the spread grows.
    #[test]
    fn intervals_of_correlations_need_no_normal_distribution() {
        let normal = |seed: u64, n: usize| -> Vec<f64> {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            (0..n).map(|_| StandardNormal.sample(&mut rng)).collect()
        };
        type Law = fn(&[f64], &[f64]) -> Vec<f64>;
        let laws: [(&str, f64, Law); 3] = [
            ("a sum", 0.5f64.sqrt(), |x, e| x.iter().zip(e).map(|(x, e)| x + e).collect()),
            ("a spread that grows", 0.0, |x, e| x.iter().zip(e).map(|(x, e)| x * e).collect()),
            ("nothing", 0.0, |_, e| e.to_vec()),
        ];
        for (name, r, law) in laws {
            let held = (0..400).filter(|seed| {
                let x = normal(*seed, 500);
                let y = law(&x, &normal(1000 + seed, 500));
                let e = correlations(&RankedInputs::new(&[x]), &y).pearson[0];
                e.low <= r && r <= e.high
            });
            holds(name, held.count());
        }
    }

    /// Equal ranks are of correlation 1, whatever their rounding; an output that follows from one
    /// input has all of it, also where the others are held.
    #[test]
    fn a_monotone_function_of_an_input_has_a_correlation_of_one() {
        for seed in 0..20 {
            let inputs = [uniform(seed, 501), uniform(100 + seed, 501)];
            let y: Vec<f64> = inputs[0].iter().map(|x| -x.exp()).collect();
            let found = correlations(&RankedInputs::new(&inputs), &y);
            let one = Estimate { value: -1.0, low: -1.0, high: -1.0 };
            assert_eq!((found.spearman[0], found.partial[0]), (one, one), "{seed}");
            assert!(!found.partial[1].is_known() && found.spearman[1].high > found.spearman[1].low);
        }
    }

    #[test]
    fn intervals_of_mean_and_median_narrow_as_the_root() {
        let values: Vec<f64> = (0..10_000).map(|i| (f64::from(i) + 0.5) / 10_000.0).collect();
        let found = known(&values, &[0.5], false);
        let half = NORMAL_95 * (1.0f64 / 12.0).sqrt() / 100.0;
        assert!((found.mean.half_width() - half).abs() < 2e-6);
        assert!((found.quantiles[0].half_width() - NORMAL_95 * 0.5 / 100.0).abs() < 1e-4);
    }
}
