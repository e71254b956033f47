//! When an ensemble has enough instances: the mean of a column at the end is known to within what is asked.
//!
//! ```text
//! z s / sqrt(n) <= half_width,    z = quantile of the normal distribution at (1 + confidence)/2
//! ```
//!
//! s is the standard deviation of the n instances so far. The question is asked at fixed n alone, so that chunks and threads leave no trace in
//! the answer, and not before the first 2048, so that s is known well. The rule is that of Chow and Robbins (1965): the interval holds the
//! mean with the given probability as `half_width` goes to 0.

use std::borrow::Cow;

use super::monte_carlo::RunError;
use crate::base::nearest;
use crate::describe::study::StoppingRule;
use crate::describe::{Design, Study};
use crate::ensemble::sampling::normal;
use crate::observe::channels::{ChannelColumn, columns};
use crate::observe::{PILOT, Statistics};
use crate::output::MeanInterval;

/// Instances at which the question is asked first: more than the pilot's, so that the bins of the statistics are those of a larger run.
const FIRST: u64 = 2 * PILOT;

/// The question is asked again when there are so many more, as a share of those so far.
const MORE: u64 = 8;

/// The stopping rule of a study.
pub(super) struct Stopping<'a> {
    rule: &'a StoppingRule,
    column: usize,
    unit: Cow<'static, str>,
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
            let mut why = format!("ensemble.until.channel: there is no column {:?}", rule.channel);
            if let Some(near) = nearest(&rule.channel, names()) {
                why.push_str(&format!("; did you mean {near:?}?"));
            }
            why.push_str(&format!("; observed are {}", names().collect::<Vec<_>>().join(", ")));
            return Err(RunError::Unserved(why));
        };
        let unit = columns[place].unit.clone();
        if rule.unit != "1" && rule.unit != unit {
            return Err(RunError::Unserved(format!(
                "ensemble.until.half_width: is in {}, and {} is in {unit}",
                rule.unit, columns[place].name
            )));
        }
        let kept = study.observe.keep.min(study.ensemble.size);
        Ok(Some(Stopping { rule, column: place, unit, time, design: study.ensemble.design, kept }))
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
        self.asks_at(instances) && self.interval(statistics).half_width <= self.rule.half_width
    }

    /// The mean as it is known.
    pub fn interval(&self, statistics: &Statistics) -> MeanInterval {
        let summary = statistics.summary(self.time, self.column);
        let z = normal::quantile(0.5 * (1.0 + self.rule.confidence));
        MeanInterval {
            channel: self.rule.channel.clone(),
            unit: self.unit.to_string(),
            mean: summary.mean,
            half_width: z * summary.std / (summary.count as f64).sqrt(),
            wanted: self.rule.half_width,
            confidence: self.rule.confidence,
        }
    }
}
