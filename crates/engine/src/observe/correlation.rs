//! Correlations of samples, with intervals, and how well means and quantiles of a sample are known.
//!
//! Pearson's r = cov(x, y) / (s_x s_y) tells of straight lines; Spearman's ρ is r of the ranks
//! (ties share the mean of theirs) and tells of any monotonic law. A partial rank correlation is
//! the one of two quantities when the straight part that the other inputs have in the ranks of both
//! is taken away: with P the inverse of the matrix of rank correlations of all inputs and the
//! output y, -P_jy / sqrt(P_jj P_yy).
//!
//! Intervals hold 95 %, by Fisher's z: tanh(atanh r ± 1.96 / sqrt(n - 3)); for ranks the deviation
//! is sqrt((1 + ρ²/2) / (n - 3)) (D. G. Bonett and T. A. Wright, Psychometrika 65 (2000) 23-28);
//! for partial ones n is less by the number of the other inputs.

use rayon::prelude::*;

use super::indices::{Estimate, is_constant, quantile, quantile_places};

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
    let pearson = inputs.values.iter().map(|x| fisher(product(x, &centred_y), n as f64, 1.0));
    let rho: Vec<f64> = inputs.ranks.iter().map(|x| product(x, &ranked_y)).collect();
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
    if let Some(inverse) = inverse(matrix) {
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

/// Returns mean and quantiles of independent values, all finite, with intervals: the mean ± 1.96
/// s/sqrt(n); a quantile of probability p between those of p ± 1.96 sqrt(p (1 - p)/n), whatever the
/// distribution.
pub fn known(values: &[f64], probabilities: &[f64]) -> Known {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    let half = NORMAL_95 * (variance / n).sqrt();
    let ends = |p: &f64| {
        let half = NORMAL_95 * (p * (1.0 - p) / n).sqrt();
        [*p, p - half, p + half].map(|p| p.clamp(0.0, 1.0))
    };
    let ends: Vec<[f64; 3]> = probabilities.iter().map(ends).collect();
    let mut places: Vec<usize> =
        ends.iter().flatten().flat_map(|p| quantile_places(values.len(), *p)).collect();
    places.sort_unstable();
    let mut ascending = values.to_vec();
    put_in_place(&mut ascending, 0, &places);
    let at = |ends: &[f64; 3]| {
        let [value, low, high] = ends.map(|p| quantile(&ascending, p));
        Estimate { value, low, high }
    };
    Known {
        count: values.len(),
        mean: Estimate { value: mean, low: mean - half, high: mean + half },
        quantiles: ends.iter().map(at).collect(),
    }
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
        let half = NORMAL_95 / 3f64.sqrt();
        assert!((found.pearson[0].low - (r.atanh() - half).tanh()).abs() < 1e-14);
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

    #[test]
    fn intervals_of_mean_and_median_narrow_as_the_root() {
        let values: Vec<f64> = (0..10_000).map(|i| (f64::from(i) + 0.5) / 10_000.0).collect();
        let found = known(&values, &[0.5]);
        let half = NORMAL_95 * (1.0f64 / 12.0).sqrt() / 100.0;
        assert!((found.mean.half_width() - half).abs() < 1e-6);
        assert!((found.quantiles[0].half_width() - NORMAL_95 * 0.5 / 100.0).abs() < 1e-4);
    }
}
