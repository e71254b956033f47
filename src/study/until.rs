//! When an ensemble has enough instances: the mean of a column at the end is known to within what
//! is asked.
//!
//! With n values, their mean m and standard deviation s, and z = quantile of the normal
//! distribution at (1 + confidence)/2, the mean is known to
//!
//! | column | half-width |
//! |---|---|
//! | a share: all values are 0 or 1 | of Wilson's interval (1927), from m to its farther end |
//! | any other | z s / sqrt(n) |
//!
//! Wilson's ends are [m + z^2/2n +- z sqrt(m (1 - m)/n + z^2/4n^2)] / (1 + z^2/n). They know how
//! rare an event may be that none of n instances has met. Other columns are believed if s is not 0,
//! if there are [`FEWEST`] values, and if n >= 100 G^2, where G is their skewness: that is
//! Cochran's rule for a mean whose distribution is normal enough, with room for a G from few
//! values. What has a value in no instance counts for nothing: n is a number of values.
//!
//! The question is asked at fixed numbers of instances alone, so that chunks and threads leave no
//! trace in the answer, and not before the first 2048, so that s is known well. The rule is that of
//! Chow and Robbins (1965): the interval holds the mean with the given probability as `half_width`
//! goes to 0.

use super::run_error::RunError;
use super::unserved::Unserved;
use crate::base::nearest;
use crate::describe::outcome::Outcome;
use crate::describe::study::StoppingRule;
use crate::describe::{Design, Study};
use crate::ensemble::sampling::normal;
use crate::math::wilson::wilson;
use crate::observe::channels::{ChannelColumn, columns};
use crate::observe::{PILOT, Statistics, Summary};
use crate::output::MeanInterval;
use std::borrow::Cow;

/// Instances at which the question is asked first: more than the pilot's, so that the bins of the
/// statistics are those of a larger run.
const FIRST: u64 = 2 * PILOT;

/// Values that tell a standard deviation.
const FEWEST: u64 = 256;

/// Values for each square of their skewness. Cochran (Sampling Techniques, 1977, section 2.15)
/// takes 25 of the true skewness. That of few values is too small: with 25, of 200 intervals of
/// log-normal values (deviation 1.5) 180 held the mean.
const SKEW: f64 = 100.0;

/// The question is asked again when there are so many more, as a share of those so far.
const MORE: u64 = 8;

/// The stopping rule of a study.
pub(super) struct Stopping<'a> {
    rule: &'a StoppingRule,
    column: usize,
    unit: Cow<'static, str>,
    /// Whether the column can be 0 and 1 alone, by what it is.
    of_condition: bool,
    /// The time of the last snapshot.
    time: usize,
    design: Design,
    /// Trajectories that are kept: there are no fewer instances.
    kept: u64,
}

impl<'a> Stopping<'a> {
    /// That of a study whose last snapshot is the `time`-th; `None`: it has none.
    ///
    /// # Errors
    /// There is no such column, or it has another unit.
    pub fn new(study: &'a Study, time: usize) -> Result<Option<Stopping<'a>>, RunError> {
        let Some(rule) = &study.ensemble.until else { return Ok(None) };
        let columns = columns(&study.mechanism, &study.observe.channels);
        // A body's name may be left out where there is only one.
        let bare = |column: &ChannelColumn| {
            let first = (study.mechanism.bodies.len() == 1).then(|| &study.mechanism.bodies[0].name)?;
            Some(column.name.strip_prefix(first.as_str())?.strip_prefix('.')?.to_owned())
        };
        let named = |column: &ChannelColumn| {
            column.name == rule.channel || bare(column).is_some_and(|name| name == rule.channel)
        };
        let Some(place) = columns.iter().position(named) else {
            let names = || columns.iter().map(|column| column.name.as_str());
            let near = nearest(&rule.channel, names());
            let observed = names().collect::<Vec<_>>().join(", ");
            return Err(Unserved::NoColumn { channel: rule.channel.clone(), near, observed }.into());
        };
        let unit = columns[place].unit.clone();
        if rule.unit != "1" && rule.unit != unit {
            let (given, column) = (rule.unit.to_string(), columns[place].name.clone());
            return Err(Unserved::OtherUnit { given, column, unit: unit.into_owned() }.into());
        }
        let kept = study.observe.keep.min(study.ensemble.size);
        let own = study.mechanism.outcomes.iter().find(|outcome| outcome.name == columns[place].name);
        let of_condition = own.is_some_and(Outcome::is_share);
        let design = study.ensemble.design;
        Ok(Some(Stopping { rule, column: place, unit, of_condition, time, design, kept }))
    }

    /// At how many instances the question is asked next after so many.
    pub fn next(&self, after: u64) -> u64 {
        let first = FIRST.max(self.kept.next_multiple_of(PILOT));
        let mut next = match self.design {
            // Sobol points are balanced in full powers of two.
            Design::Sobol => first.next_power_of_two(),
            _ => first,
        };
        while next <= after {
            next = match self.design {
                Design::Sobol => 2 * next,
                _ => (next + next / MORE).next_multiple_of(PILOT),
            };
        }
        next
    }

    /// Whether the question is asked at so many instances.
    fn asks_at(&self, instances: u64) -> bool {
        instances > 0 && self.next(instances - 1) == instances
    }

    /// Whether so many instances, whose statistics these are, are enough.
    pub fn is_reached(&self, instances: u64, statistics: &Statistics) -> bool {
        if !self.asks_at(instances) {
            return false;
        }
        let known = self.known(statistics);
        known.is_believed && known.half_width <= self.rule.half_width
    }

    /// The mean as it is known.
    pub fn interval(&self, statistics: &Statistics) -> MeanInterval {
        let known = self.known(statistics);
        MeanInterval {
            channel: self.rule.channel.clone(),
            count: statistics.summary(self.time, self.column).count,
            unit: self.unit.to_string(),
            mean: known.mean,
            half_width: known.half_width,
            wanted: self.rule.half_width,
            confidence: self.rule.confidence,
        }
    }

    fn known(&self, statistics: &Statistics) -> Known {
        let summary = statistics.summary(self.time, self.column);
        let skewness = statistics.skewness(self.time, self.column);
        Known::of(&summary, skewness, self.of_condition, self.rule.confidence)
    }
}

/// A mean, and the interval that it is known to.
#[derive(Clone, Copy, Debug)]
struct Known {
    mean: f64,
    half_width: f64,
    /// Whether the half-width is what it says.
    is_believed: bool,
}

impl Known {
    fn of(summary: &Summary, skewness: f64, of_condition: bool, confidence: f64) -> Known {
        let z = normal::quantile(0.5 * (1.0 + confidence));
        let Summary { count, mean, std, min, max, .. } = *summary;
        let n = count as f64;
        // Among values from 0 to 1, only those at the ends alone have so large a deviation.
        let largest = (mean * (1.0 - mean) * n / (n - 1.0)).sqrt();
        if of_condition && count > 0 || (min, max) == (0.0, 1.0) && std >= (1.0 - 1e-9) * largest {
            let [low, high] = wilson(mean, n, z);
            let half_width = (high - mean).max(mean - low);
            return Known { mean, half_width, is_believed: true };
        }
        let is_believed = std > 0.0 && count >= FEWEST && n >= SKEW * skewness * skewness;
        Known { mean, half_width: z * std / n.sqrt(), is_believed }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_distr::{Distribution, Exp1, LogNormal, Pareto, StandardNormal, StandardUniform};

    use super::*;
    use crate::observe::Pilot;

    type Draw = fn(&mut ChaCha8Rng) -> f64;

    fn uniform(rng: &mut ChaCha8Rng) -> f64 {
        StandardUniform.sample(rng)
    }

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        StandardNormal.sample(rng)
    }

    fn exponential(rng: &mut ChaCha8Rng) -> f64 {
        Exp1.sample(rng)
    }

    fn happens(rng: &mut ChaCha8Rng, share: f64) -> f64 {
        f64::from(u8::from(uniform(rng) < share))
    }

    /// Name, true mean, half-width asked, whether it is a condition, and the values.
    const PROBLEMS: [(&str, f64, f64, bool, Draw); 10] = [
        ("normal", 0.0, 0.022, false, normal),
        ("a condition of 0.3", 0.3, 0.01, true, |rng| happens(rng, 0.3)),
        ("a condition of 0.001", 1e-3, 5e-4, true, |rng| happens(rng, 1e-3)),
        ("a condition of 0.0002", 2e-4, 1e-4, true, |rng| happens(rng, 2e-4)),
        ("0 or 1, 0.002 of 1", 2e-3, 1e-3, false, |rng| happens(rng, 2e-3)),
        ("0.995 zeros, the rest exponential", 5e-3, 2e-3, false, |rng| {
            happens(rng, 0.005) * exponential(rng)
        }),
        ("a tenth has a value", 0.0, 0.06, false, |rng| match uniform(rng) {
            x if x < 0.1 => normal(rng),
            _ => f64::NAN,
        }),
        ("exponential", 1.0, 0.02, false, exponential),
        ("log-normal, deviation 1.5", 3.080_216_848_918_031, 0.3, false, |rng| {
            LogNormal::new(0.0, 1.5).expect("parameters").sample(rng)
        }),
        ("Pareto, exponent 2.5", 5.0 / 3.0, 0.03, false, |rng| {
            Pareto::new(1.0, 2.5).expect("parameters").sample(rng)
        }),
    ];

    /// The instances that were enough for a problem, and the interval of the mean.
    fn stopped(seed: u64, wanted: f64, of_condition: bool, draw: Draw) -> (u64, Known) {
        let rule =
            StoppingRule { channel: String::new(), half_width: wanted, unit: "1".into(), confidence: 0.95 };
        let (design, unit) = (Design::Random, "1".into());
        let stopping = Stopping { rule: &rule, column: 0, unit, of_condition, time: 0, design, kept: 0 };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut had = 0;
        let mut statistics = None;
        loop {
            let next = stopping.next(had);
            let values: Vec<f64> = (had..next).map(|_| draw(&mut rng)).collect();
            let statistics = statistics.get_or_insert_with(|| {
                let mut pilot = Pilot::new(1, 1, u64::MAX);
                pilot.record(0, 0, &values[..PILOT as usize]);
                Statistics::new(Arc::new(pilot), &[])
            });
            statistics.add(0, 0, &values);
            had = next;
            if stopping.is_reached(had, statistics) || had > 10_000_000 {
                return (had, stopping.known(statistics));
            }
        }
    }

    /// Among repeats with other seeds, at least so many intervals as are promised hold the mean,
    /// within three standard deviations of that number. With
    /// `POLHODE_SWEEPS=full` there are 200, and the table of docs/ensemble-size.md is printed.
    #[test]
    fn intervals_of_ten_problems_hold_the_mean_as_often_as_they_say() {
        let repeats: u32 = match std::env::var("POLHODE_SWEEPS").is_ok_and(|sweeps| sweeps == "full") {
            true => 200,
            false => 40,
        };
        let least = 0.95 * f64::from(repeats) - 3.0 * (0.95 * 0.05 * f64::from(repeats)).sqrt();
        let mut wrong = Vec::new();
        for (name, mean, wanted, of_condition, draw) in PROBLEMS {
            let ends: Vec<(u64, Known)> =
                (0..repeats).map(|seed| stopped(u64::from(seed), wanted, of_condition, draw)).collect();
            let covered =
                ends.iter().filter(|(_, known)| (known.mean - mean).abs() <= known.half_width).count();
            let mut sizes: Vec<u64> = ends.iter().map(|(size, _)| *size).collect();
            sizes.sort_unstable();
            println!("| {name} | {wanted} | {covered} of {repeats} | {} |", sizes[sizes.len() / 2]);
            if (covered as f64) < least {
                wrong.push(format!("{name}: {covered} of {repeats}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Equal values tell no deviation, nor do few; a condition that nobody has met tells how rare
    /// it may be.
    #[test]
    fn a_mean_is_not_known_while_its_deviation_is_not() {
        let summary = |count: u64, mean: f64, std: f64, min: f64, max: f64| Summary {
            count,
            excluded: 0,
            mean,
            std,
            min,
            max,
            quantiles: Vec::new(),
        };
        let none = summary(2048, 0.0, 0.0, 0.0, 0.0);
        assert!(!Known::of(&none, f64::NAN, false, 0.95).is_believed);
        // Wilson's end for no event in n is z^2 / (n + z^2).
        let known = Known::of(&none, f64::NAN, true, 0.95);
        assert!(known.is_believed && (known.half_width - 3.8415 / 2051.8415).abs() < 1e-7, "{known:?}");
        assert!(!Known::of(&summary(100, 0.5, 0.1, 0.2, 0.9), 0.0, false, 0.95).is_believed);
        assert!(Known::of(&summary(1000, 0.5, 0.1, 0.2, 0.9), 0.0, false, 0.95).is_believed);
        assert!(!Known::of(&summary(1000, 0.5, 0.1, 0.2, 0.9), 7.0, false, 0.95).is_believed);
    }
}
