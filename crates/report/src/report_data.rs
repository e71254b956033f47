//! A result to be written, plotted and reported.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::associations::Associations;
use super::cards::STATISTICS;
use super::density::Density;
use super::manifest::Manifest;
use super::motion::Track;
use super::numbers::number;
use super::series::Trajectories;
use super::table::ColumnLabel;
use polhode_description::base::{
    grouped, instances, known_within, quantity, shown, shown_within, significant, with_unit,
};
use polhode_description::describe::Study;
use polhode_engine::observe::{Histogram, Share, Summary, Verdict};

/// Outcomes that the end of a run prints; a screen has room for these above the accuracy.
const OUTCOME_LINES: usize = 5;

/// A result to be written, plotted and reported. The run fills it once, at the end.
pub struct ReportData<'a> {
    pub study: &'a Study,
    /// The study as resolved, as text that can be run again.
    pub study_toml: &'a str,
    /// The components of all observed channels.
    pub columns: &'a [ColumnLabel],
    /// Times of the snapshots (s).
    pub times: &'a [f64],
    /// `summaries[time][column]`, with the quantiles at `study.observe.quantiles`.
    pub summaries: &'a [Vec<Summary>],
    /// Histogram of each column at the last time, see
    /// [`polhode_engine::observe::Statistics::histogram`].
    pub final_histograms: &'a [Histogram],
    /// By column, its spread over time, where quantiles say little of it; empty: none is known.
    pub densities: &'a [Option<Density>],
    pub associations: &'a Associations,
    pub trajectories: &'a Trajectories,
    /// Motions of some instances, that to be drawn first; empty if none had begun.
    pub motions: &'a [Track],
    /// The first instances (some ten) that did not finish, by index.
    pub failures: &'a [FailedInstance],
}

impl ReportData<'_> {
    /// The share that has a value at the last time, of a column that not all instances have which
    /// may.
    pub(super) fn lacking(&self, manifest: &Manifest, column: usize) -> Option<Share> {
        // Outcomes are lacking too where all instances failed.
        let least = u64::from(is_outcome(self.study, &self.columns[column]));
        Share::lacking(
            &self.summaries.last()?[column],
            expected(self.study, manifest, &self.columns[column]).max(least),
        )
    }

    /// A line for a person where joints came apart of which rows had been left out, about the first
    /// instance that ended so.
    pub fn came_apart(&self, manifest: &Manifest) -> Option<String> {
        let apart = |failure: &&FailedInstance| failure.verdict == Verdict::ConstraintBound;
        let first = self.failures.iter().find(apart).filter(|_| !manifest.rows_left_out.is_empty())?;
        Some(format!(
            "instance {} ended at {} s because joints came apart: the step is too long for them, \
             or rows of {}, which were left out because others implied them where polhode looked, \
             do not follow from these there. constraints.treatment = \"staggered\" keeps all rows",
            grouped(first.instance),
            number(first.step as f64 * self.study.method.step),
            manifest.rows_left_out.join("; ")
        ))
    }

    /// Lines for a person about the columns that not all instances have.
    pub fn lacking_lines(&self, manifest: &Manifest) -> Vec<String> {
        (0..self.columns.len()).filter_map(|i| self.lacking_line(manifest, i)).collect()
    }

    /// The share of instances that have a value of this column, and its mean; `None`: all have.
    fn lacking_line(&self, manifest: &Manifest, i: usize) -> Option<String> {
        let (summary, time, column) = (&self.summaries.last()?[i], *self.times.last()?, &self.columns[i]);
        let share = self.lacking(manifest, i)?;
        let mut line = format!("{}: {}", column.name(), share.sentence(grouped));
        if share.count > 0 {
            let mean = quantity(summary.mean, 3, &column.unit);
            line += &format!("; mean of the {}: {mean}", grouped(share.count));
        }
        let others = share.of.saturating_sub(expected(self.study, manifest, column));
        if others > 0 {
            line += &format!(
                "; {} failed before {} s, and count among those without",
                grouped(others),
                shown(time)
            );
        }
        Some(line)
    }

    /// A line about every outcome, for the head of the report.
    pub(super) fn answers(&self, manifest: &Manifest) -> Option<Markup> {
        let row = self.summaries.last()?;
        let line = |(i, column): (usize, &ColumnLabel)| {
            let of_all = || (row[i].count > 0).then(|| self.outcome_line(column, &row[i]));
            self.lacking_line(manifest, i).or_else(of_all).filter(|_| is_outcome(self.study, column))
        };
        let lines: Vec<String> = self.columns.iter().enumerate().filter_map(line).collect();
        (!lines.is_empty()).then(|| html! { ul { @for line in lines { li { (line) } } } })
    }

    /// Lines for a person about the outcomes that all finished instances have, the first few.
    pub fn outcome_lines(&self, manifest: &Manifest) -> Vec<String> {
        let Some(row) = self.summaries.last() else { return Vec::new() };
        let all_have_it = |(i, column): &(usize, &ColumnLabel)| {
            is_outcome(self.study, column) && row[*i].count > 0 && self.lacking(manifest, *i).is_none()
        };
        let outcomes: Vec<_> = self.columns.iter().enumerate().filter(all_have_it).collect();
        let line = |&(i, column): &(usize, &ColumnLabel)| self.outcome_line(column, &row[i]);
        let mut lines: Vec<String> = outcomes.iter().take(OUTCOME_LINES).map(line).collect();
        let more = outcomes.len() - lines.len();
        if more > 0 {
            let place = if self.study.output.report { "report.html" } else { STATISTICS.file };
            lines.push(format!("and {} more in {place}", grouped(more as u64)));
        }
        lines
    }

    /// `travel: mean 2.31 m, standard deviation 0.52 m, 5 to 95 %: 1.4 to 3.2 m`
    fn outcome_line(&self, column: &ColumnLabel, summary: &Summary) -> String {
        let value = |value: f64| shown_within(value, summary.std);
        let last = |number: f64| with_unit(&value(number), &column.unit);
        let all = summary.count + summary.excluded;
        let mut line = format!("{}: ", column.name());
        if summary.min == summary.max {
            line += &quantity(summary.mean, 6, &column.unit);
        } else {
            let (mean, std) = (last(summary.mean), quantity(summary.std, 3, &column.unit));
            line += &format!("mean {mean}, standard deviation {std}");
            let ends = |numbers: &[f64]| Some([*numbers.first()?, *numbers.last()?]);
            let quantiles = ends(&self.study.observe.quantiles).zip(ends(&summary.quantiles));
            if summary.count < FEWEST_FOR_QUANTILES {
                let ends = [summary.min, summary.max]
                    .map(|end| known_within(end, 0.4 * (summary.max - summary.min)));
                let high = with_unit(&ends[1], &column.unit);
                line += &format!(", from {} to {high} in {}", ends[0], grouped(summary.count));
            } else if let Some(([from, to], [low, high])) = quantiles.filter(|([from, to], _)| from < to) {
                let percent = |p: f64| significant(100.0 * p, 4);
                // An outer quantile is known to about two standard errors of a mean.
                let error = 20.0 * summary.std / (summary.count as f64).sqrt();
                let within = error.min(0.4 * (high - low));
                let [low, high] = [(low, 0), (high, summary.quantiles.len() - 1)]
                    .map(|(end, k)| known_within(end, error_of_quantile(summary, k, within)));
                let high = with_unit(&high, &column.unit);
                line += &format!(", {} to {} %: {low} to {high}", percent(from), percent(to));
            }
        }
        if summary.excluded > 0 {
            line += &format!("; of {} of {}", grouped(summary.count), instances(all));
        } else if summary.min == summary.max && all > 1 {
            line += &format!(" in all {} instances", grouped(all));
        }
        line
    }
}

/// Fewer values have no outer quantiles of their own.
const FEWEST_FOR_QUANTILES: u64 = 20;

/// An instance that did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedInstance {
    pub instance: u64,
    pub verdict: Verdict,
    pub step: u64,
}

/// Whether the study asks for the column by an outcome.
pub(super) fn is_outcome(study: &Study, column: &ColumnLabel) -> bool {
    study.mechanism.outcomes.iter().any(|outcome| outcome.name == column.channel)
}

/// The instances that may have a value of a column at the last time.
pub(super) fn expected(study: &Study, manifest: &Manifest, column: &ColumnLabel) -> u64 {
    match is_outcome(study, column) {
        true => manifest.with_outcomes(),
        false => manifest.finished(study),
    }
}

/// Likewise, or for the peak whose time it is.
pub(super) fn is_of_outcome(study: &Study, column: &ColumnLabel) -> bool {
    let name = column.channel.strip_suffix(".time").unwrap_or(&column.channel);
    study.mechanism.outcomes.iter().any(|outcome| outcome.name == name)
}

/// True of a run of one instance, which has values and no statistics.
pub(super) fn is_of_one(data: &ReportData<'_>) -> bool {
    data.study.ensemble.size == 1
}

/// The error within which the `k`-th quantile is shown: this one, or less for a number that would
/// lose the digits of its own size. A quantile is a number of its own where its neighbours are far.
pub(super) fn error_of_quantile(summary: &Summary, k: usize, error: f64) -> f64 {
    let Summary { quantiles, min, max, std, .. } = summary;
    let value: f64 = quantiles[k];
    let before = if k == 0 { *min } else { quantiles[k - 1] };
    let after = quantiles.get(k + 1).unwrap_or(max);
    let apart = [value - before, after - value].into_iter().filter(|apart| *apart > 0.0);
    let own = (0.25 * value.abs()).max(0.4 * apart.fold(f64::INFINITY, f64::min));
    // Less is rounding.
    error.min(own.max(1e-9 * std))
}
