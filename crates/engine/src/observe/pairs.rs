//! Differences between two runs, of means and of shares, with 95 % intervals. Pure: numbers in,
//! numbers out.
//!
//! **Pairs.** Instance i of both runs drew the same numbers, and d_i is the second value less the
//! first. The n differences are independent of each other, though both values go up and down
//! together:
//!
//! ```text
//! mean of d - l s_d / sqrt(n)  to  mean of d + u s_d / sqrt(n)
//! u = t + max(g, 0) c,   l = t + max(-g, 0) c,   c = (1 + 2 t^2) / (6 sqrt(n))
//! ```
//!
//! t: Student's, n - 1 degrees of freedom; g: the skewness of d. s_d^2 = s_1^2 + s_2^2 - 2 cov:
//! what both runs owe to the same draws falls out. Where a few instances fall in one run and stand
//! in the other, s_d is too small whenever the mean is off to the other side: the quantile of the t
//! statistic that counts there is -t - g c (P. Hall, Annals of Probability 15 (1987) 920-931; N. J.
//! Johnson, Journal of the American Statistical Association 73 (1978) 536-544). The other side is
//! not drawn in, because g of few instances is known badly. It is exact for normal d up to the
//! scatter of g, and in the limit of many instances for any d of finite third moment. Where less
//! than five carry most of the variance it is still too narrow.
//!
//! **Independent runs** (B. L. Welch, Biometrika 34 (1947) 28-35), v_k = s_k^2 / n_k:
//!
//! ```text
//! m_2 - m_1 +- t sqrt(v_1 + v_2),
//! degrees of freedom (v_1 + v_2)^2 / (v_1^2/(n_1 - 1) + v_2^2/(n_2 - 1))
//! ```
//!
//! **Shares** of n pairs, f_1 of which have something in the first run alone and f_2 in the second
//! alone (D. G. Bonett and R. M. Price, Journal of Educational and Behavioral Statistics 37 (2012)
//! 479-488), with p_k = (f_k + 1)/(n + 2):
//!
//! ```text
//! p_2 - p_1 +- z sqrt((p_1 + p_2 - (p_2 - p_1)^2) / (n + 2))
//! ```
//!
//! and for independent runs from [Wilson's intervals](Share::interval) of both (R. G. Newcombe,
//! Statistics in Medicine 17 (1998) 873-890, method 10).

use serde::Serialize;

use super::correlation::NORMAL_95;
use super::indices::{Estimate, quantile};
use super::quantiles::{Histogram, bars_over};
use super::share::Share;

/// Instances that carry the variance of a mean, below which its interval is not to be trusted: of
/// 1,000 pairs, five of which carry it on average, 95.3 % hold the mean, and with three 92.5 %.
const CARRIERS: f64 = 5.0;
/// Kurtosis from which a few instances carry the variance; that of a normal distribution is 3.
const HEAVY: f64 = 9.0;

/// Share of the differences that a picture leaves out at either end, where they lie far apart.
const BEYOND: f64 = 0.01;

/// Count, mean and standard deviation of independent values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    pub count: u64,
    pub mean: f64,
    /// With n - 1.
    pub std: f64,
}

impl Moments {
    /// All values are finite.
    pub fn of(values: &[f64]) -> Moments {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        Moments { count: values.len() as u64, mean, std: (squares / (n - 1.0)).sqrt() }
    }
}

/// The mean of independent finite values with its interval; without ends for less than two values.
pub fn mean(values: &[f64]) -> Estimate {
    let n = values.len() as f64;
    let Moments { mean, std, .. } = Moments::of(values);
    let (t, skewness) = (student(n - 1.0), moment(values, 3) / moment(values, 2).powf(1.5));
    // Without a spread there is no skewness, which `max` passes over.
    let half = |tail: f64| (t + tail.max(0.0) * (1.0 + 2.0 * t * t) / (6.0 * n.sqrt())) * std / n.sqrt();
    between(mean, half(-skewness), half(skewness))
}

/// The mean of independent values with Student's interval, which does not look at their skewness;
/// without ends for less than two values.
pub fn symmetric_mean(sample: Moments) -> Estimate {
    let n = sample.count as f64;
    let half = student(n - 1.0) * sample.std / n.sqrt();
    between(sample.mean, half, half)
}

/// A moment about the mean.
fn moment(values: &[f64], power: i32) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n
}

/// The second mean less the first, for independent samples.
pub fn independent(first: Moments, second: Moments) -> Estimate {
    let variance = |sample: Moments| sample.std * sample.std / sample.count as f64;
    let (v, w) = (variance(first), variance(second));
    let spread = v * v / (first.count as f64 - 1.0) + w * w / (second.count as f64 - 1.0);
    let half = if v + w == 0.0 { 0.0 } else { student((v + w) * (v + w) / spread) * (v + w).sqrt() };
    between(second.mean - first.mean, half, half)
}

/// The second share less the first, if so many of n pairs have something in the first or the second
/// run alone.
pub fn paired_share(first_alone: u64, second_alone: u64, n: u64) -> Estimate {
    let n = n as f64;
    let p = |count: u64| (count as f64 + 1.0) / (n + 2.0);
    let (p, q) = (p(first_alone), p(second_alone));
    let half = NORMAL_95 * ((p + q - (q - p) * (q - p)) / (n + 2.0)).sqrt();
    let value = (second_alone as f64 - first_alone as f64) / n;
    Estimate { value, low: (q - p - half).max(-1.0), high: (q - p + half).min(1.0) }
}

/// The second share less the first, for independent runs.
pub fn independent_share(first: Share, second: Share) -> Estimate {
    let ([l, u], [m, v]) = (first.interval(), second.interval());
    let (p, q) = (first.value(), second.value());
    Estimate { value: q - p, low: q - p - (q - m).hypot(u - p), high: q - p + (v - q).hypot(p - l) }
}

/// The number of values that make up the variance, n / kurtosis, where so few do that a 95 %
/// interval holds the mean less often; `None`: enough.
pub fn carriers(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let kurtosis = moment(values, 4) / moment(values, 2).powi(2);
    (kurtosis > HEAVY && n / kurtosis < CARRIERS).then_some(n / kurtosis)
}

/// Equal bars over differences, those far from the others left out and counted; empty where all are
/// alike.
pub fn bars(differences: &[f64], bars: usize) -> Histogram {
    let mut ascending = differences.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (ascending.first(), ascending.last()) else {
        return Histogram::default();
    };
    let ends = [quantile(&ascending, BEYOND), quantile(&ascending, 1.0 - BEYOND)];
    // Where nearly all are alike, those that are not are what there is to see.
    let reach = if ends[0] < ends[1] { ends[1] - ends[0] } else { most - least };
    let inside = |end: f64, near: f64| if (end - near).abs() <= reach { end } else { near };
    let (low, high) = (inside(least, ends[0]), inside(most, ends[1]));
    let width = (high - low) / bars as f64;
    if !(width > 0.0 && low + width > low && high - width < high) {
        return Histogram::default();
    }
    bars_over([low, high], ascending.iter().map(|x| (*x, 1)), bars)
}

fn between(value: f64, below: f64, above: f64) -> Estimate {
    if below.is_nan() || above.is_nan() {
        return Estimate { value, ..Estimate::NONE };
    }
    Estimate { value, low: value - below, high: value + above }
}

/// Student's t that 2.5 % lie above, with these degrees of freedom; NaN below one. It is the
/// expansion about the normal quantile, 26.7.5 of M. Abramowitz and I. A. Stegun, Handbook of
/// Mathematical Functions, within 0.2 % from three on, and exact for one and two.
fn student(freedom: f64) -> f64 {
    const TWO_SIDED: f64 = 0.95;
    match freedom {
        // Between one and two (Welch) the wider of both.
        _ if freedom.is_nan() || freedom < 1.0 => f64::NAN,
        _ if freedom < 2.0 => libm::tan(0.5 * std::f64::consts::PI * TWO_SIDED),
        _ if freedom < 3.0 => TWO_SIDED * (2.0 / (1.0 - TWO_SIDED * TWO_SIDED)).sqrt(),
        _ => {
            let z = NORMAL_95;
            let s = z * z;
            let terms = [
                z * (s + 1.0) / 4.0,
                z * ((5.0 * s + 16.0) * s + 3.0) / 96.0,
                z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
                z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0,
            ];
            z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_distr::{Distribution, Exp1, StandardNormal};

    use super::*;

    #[test]
    fn quantiles_of_student_are_those_of_the_tables() {
        for (freedom, t) in
            [(1.0, 12.7062), (2.0, 4.3027), (3.0, 3.1824), (5.0, 2.5706), (10.0, 2.2281), (30.0, 2.0423)]
        {
            assert!((student(freedom) / t - 1.0).abs() < 2e-3, "{freedom}: {}", student(freedom));
        }
        assert!((student(1e9) - NORMAL_95).abs() < 1e-8);
        assert!(student(0.0).is_nan());
    }

    /// 1, 2, 3, 4 and 2, 4, 9 have 4.75^2 / (0.4167^2/3 + 4.3333^2/2) = 2.39 degrees of freedom; t
    /// is that of two.
    #[test]
    fn few_values_have_the_wider_quantile() {
        let (a, b) = (Moments::of(&[1.0, 2.0, 3.0, 4.0]), Moments::of(&[2.0, 4.0, 9.0]));
        let found = independent(a, b);
        let error = (a.std * a.std / 4.0 + b.std * b.std / 3.0).sqrt();
        assert!((found.value - 2.5).abs() < 1e-12 && (found.half_width() / error - 4.3027).abs() < 1e-3);
        assert_eq!(independent(Moments::of(&[1.0; 3]), Moments::of(&[1.0; 3])).half_width(), 0.0);
        assert!(!mean(&[1.0]).low.is_finite());
        assert_eq!(mean(&[1.0; 3]).half_width(), 0.0);
    }

    /// Newcombe's table II (1998), method 10: 56/70 less 48/80 is 0.2 with 0.0524 to 0.3339.
    #[test]
    fn intervals_of_shares_are_the_published_ones() {
        let found = independent_share(Share::new(48, 80).unwrap(), Share::new(56, 70).unwrap());
        assert!((found.value - 0.2).abs() < 1e-12);
        assert!((found.low - 0.0524).abs() < 5e-5 && (found.high - 0.3339).abs() < 5e-5, "{found:?}");
        // Nobody is apart: the interval is about zero, and no point.
        let none = paired_share(0, 0, 100);
        assert!(none.value == 0.0 && none.low < -0.02 && none.high == -none.low);
        assert!(paired_share(2, 30, 100).low > 0.0);
    }

    #[test]
    fn a_few_instances_that_carry_the_variance_are_counted() {
        let mut values: Vec<f64> = (0..1000).map(|i| f64::from(i % 10)).collect();
        assert_eq!(carriers(&values), None);
        [3, 400, 800].iter().for_each(|i| values[*i] = 1e4);
        let few = carriers(&values).unwrap();
        assert!((2.9..3.1).contains(&few), "{few}");
        assert_eq!(carriers(&[1.0, 2.0, 9.0]), None, "three values are few anyway, and Student's t knows");
        assert_eq!(carriers(&[0.0; 50]), None);
    }

    #[test]
    fn bars_count_every_difference_and_leave_out_those_far_away() {
        let mut values: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1e-3).collect();
        let all = bars(&values, 10);
        assert_eq!(
            (all.counts.len(), all.counts.iter().sum::<u64>(), all.below, all.above),
            (10, 1000, 0, 0)
        );
        values.extend([-1e6, 1e6, 2e6]);
        let near = bars(&values, 10);
        assert_eq!((near.counts.iter().sum::<u64>() + near.below + near.above, near.edges.len()), (1003, 11));
        assert!(near.above >= 2 && near.below >= 1 && near.edges[10] < 2.0, "{near:?}");
        let rare = [vec![0.0; 995], vec![1.0, 2.0, 3.0, 4.0, 5.0]].concat();
        assert_eq!(bars(&rare, 5).counts, [995, 1, 1, 1, 2]);
        assert!(bars(&[0.5; 9], 10).edges.is_empty() && bars(&[], 10).edges.is_empty());
    }

    /// The share of 4000 repeats whose interval holds the true difference.
    fn coverage(
        interval: impl Fn(&[f64], &[f64]) -> Estimate,
        draw: impl Fn(&mut ChaCha8Rng) -> [f64; 2],
    ) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(38);
        let repeats = 4000;
        let holds = (0..repeats).filter(|_| {
            let pairs: Vec<[f64; 2]> = (0..60).map(|_| draw(&mut rng)).collect();
            let [a, b] = [0, 1].map(|k| pairs.iter().map(|pair| pair[k]).collect::<Vec<f64>>());
            let found = interval(&a, &b);
            found.low <= 0.25 && 0.25 <= found.high
        });
        holds.count() as f64 / f64::from(repeats)
    }

    fn difference(a: &[f64], b: &[f64]) -> Estimate {
        mean(&a.iter().zip(b).map(|(a, b)| b - a).collect::<Vec<f64>>())
    }

    fn welch(a: &[f64], b: &[f64]) -> Estimate {
        independent(Moments::of(a), Moments::of(b))
    }

    #[test]
    fn intervals_hold_the_difference_as_often_as_they_say() {
        let normal = |rng: &mut ChaCha8Rng| -> f64 { StandardNormal.sample(rng) };
        let skew = |rng: &mut ChaCha8Rng| -> f64 { Exp1.sample(rng) };
        let paired = |rng: &mut ChaCha8Rng| {
            let shared = skew(rng);
            [shared, shared + 0.25 + 0.1 * normal(rng)]
        };
        let apart = |rng: &mut ChaCha8Rng| [skew(rng), skew(rng) + 0.25];
        // Three of twenty instances fall in one of the runs; without the skewness 92.8 % hold.
        let falls = |rng: &mut ChaCha8Rng| {
            let fell = if normal(rng) > 1.036_433 { (1.0 + 0.3 * normal(rng)) / 0.6 } else { 0.0 };
            [0.0, fell + 0.02 * normal(rng)]
        };
        // One of ten falls in the first or in the second run: there is no skewness that counts.
        // With as few degrees of freedom as the kurtosis leaves 97.5 % hold.
        let either = |rng: &mut ChaCha8Rng| {
            let fell = if normal(rng) > 1.281_552 { 1.0 + 0.3 * normal(rng) } else { 0.0 };
            [0.0, 0.25 + fell.copysign(normal(rng)) + 0.02 * normal(rng)]
        };
        for (name, covered) in [
            ("pairs", coverage(difference, paired)),
            ("pairs that share nothing", coverage(difference, apart)),
            ("independent runs", coverage(welch, apart)),
            ("a few pairs that carry the difference", coverage(difference, falls)),
            ("a few pairs on either side", coverage(difference, either)),
        ] {
            assert!((0.93..=0.97).contains(&covered), "{name}: {covered}");
        }
        // An interval of the other kind is a wrong one, and is seen to be.
        assert!(coverage(welch, paired) > 0.999);
    }
}
