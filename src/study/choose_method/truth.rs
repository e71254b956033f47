//! The accurate solution on the pilot, by which candidates are judged.

use crate::base::quantity;
use crate::observe::channels::{ChannelColumn, Registered};
use crate::study::accuracy::is_error;
use crate::study::converged::{Converged, Course, differences};

/// Below this share of a column's scale the accurate solution is not asked to be.
pub(super) const FINEST: f64 = 1e-12;

/// The accurate solution on the pilot.
pub(super) struct Truth {
    pub converged: Converged,
    /// Snapshots, from the start, at which all its numbers are accurate enough.
    pub trusted: usize,
    /// Instances of the ensemble.
    pub size: u64,
}

/// The bias of a mean.
pub(super) struct Bias {
    pub column: usize,
    pub snapshot: usize,
    pub bias: f64,
    /// Twice the standard error of the bias itself.
    pub interval: f64,
    /// The standard error of the mean, at the size of the ensemble.
    pub standard_error: f64,
}

impl Truth {
    /// By instance the largest error of all snapshots and columns, as a share of the column's
    /// scale.
    pub(super) fn by_instance(&self, course: &Course) -> Vec<f64> {
        self.by_instance_of(course, |_| true)
    }

    /// As [`Truth::by_instance`], in the columns that count.
    pub(super) fn by_instance_of(
        &self,
        course: &Course,
        counts: impl Fn(&ChannelColumn) -> bool,
    ) -> Vec<f64> {
        let exact = &self.converged.course;
        let mut largest = vec![0.0f64; exact.instances.len()];
        self.for_each(course, |[_, c, i], _, share| {
            if counts(&exact.columns[c]) {
                largest[i] = largest[i].max(share);
            }
        });
        // A bound may be looked at after the last snapshot alone. Where the motion is not known to
        // its end a condition may end an instance at another time, and a failure is one all the
        // same.
        let (places, to_the_end) = (course.places(&exact.instances), self.trusted == exact.times.len());
        let fails = |i: &usize| places[*i].is_some_and(|place| !course.ends[place].verdict.is_condition());
        let stopped = course.stopped_before(exact).filter(|i| to_the_end || fails(i));
        stopped.for_each(|i| largest[i] = f64::INFINITY);
        largest
    }

    /// All errors that are known where the accurate solution is trusted, by snapshot, column and
    /// instance, in the units of the columns and as shares of their scales. An instance that stops
    /// short has no small error: its share is infinite.
    fn for_each(&self, course: &Course, mut take: impl FnMut([usize; 3], f64, f64)) {
        let exact = &self.converged.course;
        for (k, columns) in differences(course, exact).into_iter().enumerate().take(self.trusted) {
            for (c, column) in columns.into_iter().enumerate().filter(|(c, _)| exact.counts(k, *c)) {
                for (i, off) in column.into_iter().enumerate() {
                    if exact.values[k][c][i].is_finite() && !exact.jumps_at(k, c, i) {
                        let share = off / self.converged.scales[c];
                        take([k, c, i], off, if share.is_nan() { f64::INFINITY } else { share });
                    }
                }
            }
        }
    }

    /// The error that is the largest share of its scale, in words; empty where there is none.
    pub(super) fn worst(&self, course: &Course) -> String {
        let (mut largest, mut worst) = (0.0, None);
        self.for_each(course, |place, off, share| {
            if share > largest {
                (largest, worst) = (share, Some((place, off)));
            }
        });
        let Some(([k, c, i], off)) = worst else { return String::new() };
        let exact = &self.converged.course;
        let (column, instance) = (&exact.columns[c], exact.instances[i]);
        let name = &column.name;
        let when = match column.channel.is_of_the_end() {
            true => String::new(),
            false => format!(" at {}", quantity(exact.times[k], 6, "s")),
        };
        match off.is_finite() {
            true => format!("{} of {name}{when} in instance {instance}", quantity(off, 2, &column.unit)),
            false => format!("instance {instance} has no {name}{when}"),
        }
    }

    /// The largest error of the accurate solution itself where it is trusted, as a share of the
    /// scales.
    pub(super) fn own(&self) -> f64 {
        let Converged { errors, scales, .. } = &self.converged;
        let trusted = errors.iter().take(self.trusted);
        let shares = trusted
            .flat_map(|columns| columns.iter().zip(scales))
            .flat_map(|(column, scale)| column.iter().map(move |error| error / scale));
        shares.fold(0.0, f64::max)
    }

    /// The bias that is largest against the standard error of its mean, among the means of all
    /// columns and snapshots; `None`: an instance stopped short, or nothing differs between
    /// instances.
    pub(super) fn bias(&self, course: &Course) -> Option<Bias> {
        let exact = &self.converged.course;
        let mut largest: Option<Bias> = None;
        for k in 0..self.trusted {
            for c in (0..exact.columns.len()).filter(|c| exact.counts(k, *c)) {
                let finite = |i: &usize| exact.values[k][c][*i].is_finite() && !exact.jumps_at(k, c, *i);
                let kept: Vec<usize> = (0..exact.instances.len()).filter(finite).collect();
                let off: Vec<f64> =
                    kept.iter().map(|i| exact.values[k][c][*i] - course.values[k][c][*i]).collect();
                if off.iter().any(|off| !off.is_finite()) {
                    return None;
                }
                let values: Vec<f64> = kept.iter().map(|i| exact.values[k][c][*i]).collect();
                let (_, deviation) = mean_and_deviation(&values);
                if deviation <= FINEST * self.converged.scales[c] || is_error(exact.columns[c].channel) {
                    continue;
                }
                let (bias, of_bias) = mean_and_deviation(&off);
                let found = Bias {
                    column: c,
                    snapshot: k,
                    bias,
                    interval: 2.0 * of_bias / (kept.len() as f64).sqrt(),
                    standard_error: deviation / (self.size as f64).sqrt(),
                };
                if largest.as_ref().is_none_or(|largest| found.ratio() > largest.ratio()) {
                    largest = Some(found);
                }
            }
        }
        largest
    }
}

impl Bias {
    /// The largest bias that its interval allows, over the standard error of the mean.
    pub(super) fn ratio(&self) -> f64 {
        (self.bias.abs() + self.interval) / self.standard_error
    }
}

/// The mean of all values and their standard deviation.
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}
