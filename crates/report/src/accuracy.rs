//! The accuracy of a run: `accuracy.parquet`, one row per snapshot and channel component, the
//! manifest's entry, and the sentences that people read.

use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::cards::ACCURACY;
use super::error::OutputError;
use super::new_file::NewFile;
use super::numbers::with_minus;
use super::saved_table::SavedTable;
use super::series::quantile_name;
use super::table::{ColumnType, field, float_array, integer_array, text_array};
use polhode_description::base::{Precision, capital, grouped, number_or_nan, quantity, significant};

/// Rows made into arrays at once.
const ROWS: usize = 1 << 16;

/// Whether the errors are below what was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// Every judged error is.
    Resolved,
    /// One is not, or it cannot be shown.
    Unresolved,
    /// Nothing was measured.
    #[default]
    NotJudged,
}

impl Word {
    pub fn name(self) -> &'static str {
        match self {
            Word::Resolved => "RESOLVED",
            Word::Unresolved => "NOT RESOLVED",
            Word::NotJudged => "NOT JUDGED",
        }
    }
}

/// The measured error of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    pub word: Word,
    /// One word for why it is unresolved; empty where it is resolved.
    pub reason: String,
    /// Settings to use instead, or why nothing was measured.
    pub advice: String,
    /// Largest error of an instance asked for, as a share of the scale of its column; where the
    /// word is about means, of their bias as a share of their standard error.
    pub asked: f64,
    /// Largest error of an instance measured, as a share of the scale; none: it is infinite.
    pub largest: Option<f64>,
    /// The column, the time (s), the error there in its unit, and the median over the instances
    /// there.
    pub worst: Option<Worst>,
    /// Until then (s) every instance is as accurate as was asked.
    pub trusted_until: Option<f64>,
    /// The error of the statistics, in words.
    pub statistics: String,
    /// Instances judged, of how many, and those of them that stopped before the end.
    pub instances: u64,
    #[serde(default)]
    pub of: u64,
    /// Instances, spread over the ensemble, for which the judged ones speak: themselves, and those
    /// that were looked at over other steps and change less than the judged ones.
    #[serde(default)]
    pub spoken_for: u64,
    pub stopped: u64,
    /// Judged instances of which an outcome has a value in the run or in the accurate
    /// solution alone.
    #[serde(default)]
    pub without: u64,
    /// Judged instances of which the time of a peak is not judged: another one is as high, within
    /// the error asked.
    #[serde(default)]
    pub alike: u64,
    /// In which way the accurate values were had.
    pub how: String,
    /// Wall-clock time of it all (s).
    pub took: f64,
    /// At the last time.
    pub channels: Vec<ChannelAccuracy>,
    /// The bias of a mean that counts most, and whether the word is about it: the study asks for
    /// statistics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<MeanBias>,
    #[serde(default)]
    pub of_means: bool,
}

/// The bias of a column's mean by the method, and how well it is known; in the column's unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanBias {
    pub column: String,
    pub unit: String,
    /// (s)
    pub time: f64,
    /// Accurate less run, over the judged instances: the correction of two-level Monte Carlo.
    #[serde(deserialize_with = "number_or_nan")]
    pub bias: f64,
    /// Twice the standard error of the bias.
    #[serde(deserialize_with = "number_or_nan")]
    pub interval: f64,
    /// Standard error of the mean, at the size of the ensemble.
    #[serde(deserialize_with = "number_or_nan")]
    pub standard_error: f64,
}

impl MeanBias {
    /// Returns how large the bias may be, over the standard error of the mean.
    pub fn ratio(&self) -> f64 {
        (self.bias.abs() + self.interval) / self.standard_error
    }

    fn sentence(&self) -> String {
        let unit = &*self.unit;
        format!(
            "bias of the mean of {} at {}: {} ± {} (accurate less run), up to {} of its standard error {}",
            self.column,
            quantity(self.time, 6, "s"),
            significant(self.bias, 2),
            quantity(self.interval, 1, unit),
            significant(self.ratio(), 2),
            quantity(self.standard_error, 2, unit),
        )
    }
}

/// Where the largest error is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    pub column: String,
    pub unit: String,
    /// The number of the instance.
    #[serde(default)]
    pub instance: Option<u64>,
    /// (s)
    pub time: f64,
    #[serde(deserialize_with = "number_or_nan")]
    pub error: f64,
    #[serde(deserialize_with = "number_or_nan")]
    pub median: f64,
}

/// Errors of a column at the last time, in its unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChannelAccuracy {
    pub column: String,
    pub unit: String,
    /// The scale with which errors are compared.
    #[serde(deserialize_with = "number_or_nan")]
    pub scale: f64,
    /// Largest and median error of the instances.
    pub largest: Option<f64>,
    pub median: Option<f64>,
    /// Error of the mean, and the statistical error that chance leaves of it.
    pub mean: Option<f64>,
    pub statistical: Option<f64>,
    /// Twice the standard error of the error of the mean.
    #[serde(default)]
    pub mean_interval: Option<f64>,
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct AccuracyRow {
    /// (s)
    pub time: f64,
    pub channel: String,
    pub component: String,
    pub unit: String,
    /// Instances with a number in both.
    pub count: u64,
    pub largest: f64,
    pub median: f64,
    /// Errors of the mean and of the quantiles, with their sign: run less accurate.
    pub mean: f64,
    /// Twice the standard error of the error of the mean.
    pub mean_interval: f64,
    pub quantiles: Vec<f64>,
    /// Standard error of the mean of the whole ensemble.
    pub statistical: f64,
    /// Estimated error of the accurate values.
    pub own: f64,
    pub scale: f64,
}

impl AccuracyRow {
    /// Channel and component.
    pub fn column(&self) -> String {
        match self.component.is_empty() {
            true => self.channel.clone(),
            false => format!("{}.{}", self.channel, self.component),
        }
    }
}

/// Writes the table.
pub fn write_accuracy(
    file: &NewFile,
    probabilities: &[f64],
    rows: &[AccuracyRow],
) -> Result<(), OutputError> {
    let error_of = |p: &f64| {
        let about =
            format!("error of the quantile of probability {p} over the sub-ensemble: run less accurate");
        field(
            &format!("{}_error", quantile_name(*p)),
            "see column unit",
            &about,
            ColumnType::Float(Precision::F64),
        )
    };
    let mut table = ACCURACY.create(file, &[], probabilities.iter().map(error_of))?;
    for rows in rows.chunks(ROWS) {
        let number =
            |value: &dyn Fn(&AccuracyRow) -> f64| float_array(rows.iter().map(value), Precision::F64);
        let mut arrays = vec![
            number(&|row| row.time),
            text_array(rows.iter().map(|row| row.channel.as_str())),
            text_array(rows.iter().map(|row| row.component.as_str())),
            text_array(rows.iter().map(|row| row.unit.as_str())),
            integer_array(rows.iter().map(|row| row.count)),
            number(&|row| row.largest),
            number(&|row| row.median),
            number(&|row| row.mean),
            number(&|row| row.mean_interval),
            number(&|row| row.statistical),
            number(&|row| row.own),
            number(&|row| row.scale),
        ];
        arrays.extend((0..probabilities.len()).map(|q| number(&|row| row.quantiles[q])));
        table.write(arrays)?;
    }
    table.finish()
}

/// Reads the table again.
///
/// # Errors
/// It is not there, or is no such table.
pub fn read_accuracy(file: &Path, probabilities: &[f64]) -> Result<Vec<AccuracyRow>, OutputError> {
    let table = SavedTable::open(file)?;
    let quantiles = probabilities.iter().map(|p| table.floats(&format!("{}_error", quantile_name(*p))));
    let quantiles = quantiles.collect::<Result<Vec<_>, _>>()?;
    let [channels, components, units] = ["channel", "component", "unit"].map(|name| table.texts(name));
    let texts = channels?.into_iter().zip(components?).zip(units?);
    let numbers = ["time", "largest_error", "median_error", "mean_error", "mean_error_interval"];
    let [times, largest, median, mean, interval] = numbers.map(|name| table.floats(name));
    let (times, largest, median, mean, interval) = (times?, largest?, median?, mean?, interval?);
    let numbers = ["mean_statistical_error", "own_error", "scale"].map(|name| table.floats(name));
    let [statistical, own, scale] = numbers;
    let (statistical, own, scale, counts) = (statistical?, own?, scale?, table.integers("count")?);
    let row = |(k, ((channel, component), unit)): (usize, ((String, String), String))| AccuracyRow {
        time: times[k],
        channel,
        component,
        unit,
        count: counts[k],
        largest: largest[k],
        median: median[k],
        mean: mean[k],
        mean_interval: interval[k],
        quantiles: quantiles.iter().map(|errors| errors[k]).collect(),
        statistical: statistical[k],
        own: own[k],
        scale: scale[k],
    };
    Ok(texts.enumerate().map(row).collect())
}

impl Accuracy {
    /// Returns the entry of a run whose accuracy was not measured, with the reason.
    pub fn not_judged(why: impl Into<String>) -> Accuracy {
        Accuracy { advice: why.into(), ..Accuracy::default() }
    }

    /// The lines printed at the end of a run: the word with one sentence, and what to set.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("accuracy: {}. {}.", self.word.name(), self.sentence())];
        if self.word == Word::Unresolved && !self.advice.is_empty() {
            lines.push(format!("  {}", self.advice));
        }
        lines
    }

    /// The part of the ensemble that is as accurate as was asked where all judged instances are:
    /// with a confidence of 95 %, as none of n is worse, `.05^(1/n)` (the exact bound of the
    /// binomial distribution for no event), and of few instances the number that n draws without
    /// replacement leave. Empty where there is one instance.
    fn reach(&self) -> String {
        /// Fewer are counted, and not told as a share.
        const FEW: u64 = 100;
        let (count, of) = (self.spoken_for, self.of);
        if of <= 1 {
            return String::new();
        }
        if count.max(self.instances) >= of {
            return "; all instances are within that".to_string();
        }
        if of < FEW {
            let least = (of - worse(count, of)).max(self.instances);
            return format!("; at least {least} of {of} instances are within that (95 % confidence)");
        }
        let share = 100.0 * 0.05_f64.powf(1.0 / count.max(1) as f64);
        // Never more than was shown.
        let shown = if share >= 90.0 { (10.0 * share).floor() / 10.0 } else { share.floor() };
        format!("; {shown} % of all instances are within that (95 % confidence)")
    }

    /// Why the word is not *resolved*.
    fn because(&self) -> &'static str {
        match &*self.reason {
            "step" => "The steps are too long",
            "stiffness" => "The steps are too long for the fastest vibration",
            "precision" => "Single precision is too coarse",
            "constraints" => "Joints are not held well enough",
            "chaos" => "Rounding decides: neighbours part",
            "not converged" => "No solution accurate enough to judge by was found",
            "not known" => "The judged instances do not show the bias well enough",
            _ => "The reason was not found",
        }
    }

    /// The largest error and what follows from it, in one sentence.
    pub fn sentence(&self) -> String {
        if self.word == Word::NotJudged {
            return self.advice.clone();
        }
        let resolved = self.word == Word::Resolved;
        let allowed = significant(self.asked, 6);
        let mut text = match resolved {
            true => String::new(),
            false => {
                let until = self.trusted_until.filter(|until| *until > 0.0 && !self.of_means);
                // Rounding may decide later than this run goes astray.
                let since = if self.reason == "chaos" { ", and this run is off after" } else { " after" };
                let after = until.map(|until| format!("{since} {}", quantity(until, 6, "s")));
                format!("{}{}: ", self.because(), after.unwrap_or_default())
            }
        };
        match (&self.worst, self.largest, &self.bias) {
            (_, _, Some(bias)) if self.of_means => {
                text.push_str(&format!("{} ({allowed} allowed)", bias.sentence()));
            }
            _ if self.of_means => text.push_str("no mean differs between instances"),
            (Some(worst), Some(largest), _) => {
                let instance = worst
                    .instance
                    .map(|number| format!(", instance {}", grouped(number)))
                    .unwrap_or_default();
                text.push_str(&format!(
                    "largest error {} in {} at {}{instance}, {} of its scale ({allowed} allowed)",
                    quantity(worst.error, 2, &worst.unit),
                    worst.column,
                    quantity(worst.time, 6, "s"),
                    significant(largest, 2),
                ));
                if resolved {
                    text.push_str(&self.reach());
                } else if self.instances < self.of {
                    // The largest error of these bounds none of the others.
                    let (judged, of) = (grouped(self.instances), grouped(self.of));
                    text.push_str(&format!(
                        "; {judged} of {of} instances were judged, others may err by more"
                    ));
                }
            }
            _ => text.push_str("no error could be measured"),
        }
        let is_small = self.largest.is_some_and(|largest| largest <= self.asked) && !self.of_means;
        if !resolved && is_small && self.stopped == 0 {
            text.push_str("; with what the accurate solution may be off itself it is more than that");
        }
        if self.stopped > 0 {
            let (stopped, of) = (grouped(self.stopped), grouped(self.instances));
            text.push_str(&match self.of {
                1 => "; the instance stops before the end".to_string(),
                _ => format!("; {stopped} of {of} judged instances stop before the end"),
            });
        }
        if self.without > 0 {
            let (without, of) = (grouped(self.without), grouped(self.instances));
            text.push_str(&format!("; in {without} of {of} an outcome exists in one solution alone"));
        }
        if self.alike > 0 {
            let (alike, of) = (grouped(self.alike), grouped(self.instances));
            text.push_str(&format!(
                "; in {alike} of {of} a second peak is as high, and its time is not judged"
            ));
        }
        capital(&text)
    }

    /// Sentences that say how it was measured, and what else was found.
    fn details(&self) -> Vec<String> {
        let plural = if self.instances == 1 { " was" } else { "s were" };
        let mut sentences =
            vec![format!("{} instance{plural} judged by {}.", grouped(self.instances), self.how)];
        if let Some(worst) = self.worst.as_ref().filter(|_| !self.of_means && self.instances > 1) {
            let median = quantity(worst.median, 2, &worst.unit);
            sentences.push(format!("Where the largest error is, the median error is {median}."));
        }
        if let (Some(largest), true) = (self.largest, self.of_means) {
            sentences
                .push(format!("Single instances are off by up to {} of the scale.", significant(largest, 2)));
        }
        if self.trusted_until.is_some_and(|until| until <= 0.0) && !self.of_means {
            sentences.push(
                "At the first snapshot after the start not all instances are right to that.".to_string(),
            );
        }
        if !self.statistics.is_empty() && !self.of_means {
            sentences.push(self.statistics.clone());
        }
        sentences
    }

    /// The head of a report: the word with its sentence, and folded what it rests on.
    pub fn section(&self) -> Markup {
        let class = match self.word {
            Word::Resolved => "badge good",
            Word::Unresolved => "badge bad",
            Word::NotJudged => "badge",
        };
        let cell = |x: Option<f64>| x.map_or("–".to_string(), |x| with_minus(&significant(x, 2)));
        html! {
            p { span class=(class) { (self.word.name()) } " " (self.sentence()) "." }
            @if self.word == Word::Unresolved && !self.advice.is_empty() { p { (capital(&self.advice)) "." } }
            @if self.word != Word::NotJudged { details {
                summary { "How this was measured" }
                @for sentence in self.details() { p { (sentence) } }
                @if !self.channels.is_empty() {
                    div.scroll tabindex="0" { table {
                        thead { tr {
                            th { "at the last time" } th { "unit" }
                            th.number { "largest error" } th.number { "median error" }
                            th.number { "error of the mean" } th.number { "±" }
                            th.number { "statistical error" } th.number { "scale" }
                        } }
                        // Channels that are zero by construction have no errors.
                        @let channels = self.channels.iter().filter(|channel| channel.scale > 0.0);
                        tbody { @for channel in channels { tr {
                            td { (channel.column) }
                            td { (channel.unit) }
                            @let of_mean = [channel.mean, channel.mean_interval, channel.statistical];
                            @for x in [channel.largest, channel.median].into_iter().chain(of_mean) {
                                td.number { (cell(x)) }
                            }
                            td.number { (cell(Some(channel.scale))) }
                        } } }
                    } }
                    p { "Errors of the judged instances, which were advanced again by an accurate method. ± \
                         is twice the standard error of the error of the mean; the statistical error is that \
                         of the mean of the whole ensemble. All snapshots are \
                         in " code { (ACCURACY.file) } "." }
                }
            } }
        }
    }
}

/// Instances of `of` that may be worse, where none of `count` that were drawn of them is: one more
/// would have shown with a probability above 95 %.
fn worse(count: u64, of: u64) -> u64 {
    let mut unseen = 1.0;
    let is_likely = |k: &u64| {
        unseen *= (of - count - k) as f64 / (of - k) as f64;
        unseen >= 0.05
    };
    (0..of - count).take_while(is_likely).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(spoken_for: u64, instances: u64, of: u64) -> String {
        let worst = Some(Worst { column: "x".to_string(), unit: "m".to_string(), ..Worst::default() });
        let accuracy = Accuracy {
            word: Word::Resolved,
            asked: 1e-4,
            largest: Some(1e-6),
            worst,
            instances,
            of,
            spoken_for,
            ..Accuracy::default()
        };
        accuracy.sentence()
    }

    #[test]
    fn what_counts_instances_fits_few_and_many() {
        for (judged, within) in [
            ((0, 1, 1), "(0.0001 allowed)"),
            ((1, 2, 2), "; all instances are within that"),
            ((5, 10, 10), "; all instances are within that"),
            // One draw of two misses the worse one in every second case.
            ((0, 1, 2), "; at least 1 of 2 instances are within that (95 % confidence)"),
            // Four draws of 10 miss 5 that are worse with a probability of 2.4 %, and 4 with 7.1 %.
            ((4, 4, 10), "; at least 6 of 10 instances are within that (95 % confidence)"),
            ((50, 50, 99), "; at least 95 of 99 instances are within that (95 % confidence)"),
            ((300, 300, 100_000), "; 99 % of all instances are within that (95 % confidence)"),
        ] {
            let (spoken_for, instances, of) = judged;
            let sentence = resolved(spoken_for, instances, of);
            assert!(sentence.ends_with(within), "{judged:?}: {sentence}");
        }
    }

    /// Counted over all sets that may be drawn.
    #[test]
    fn one_more_that_is_worse_would_have_shown() {
        for (count, of) in [(1, 2), (3, 7), (4, 10), (8, 9)] {
            let most = worse(count, of);
            let drawn = |set: &u32| u64::from(set.count_ones()) == count;
            let share = |worse: u64| {
                let sets: Vec<u32> = (0..1u32 << of).filter(drawn).collect();
                let missed = sets.iter().filter(|set| **set & ((1 << worse) - 1) == 0).count();
                missed as f64 / sets.len() as f64
            };
            assert!(share(most) >= 0.05 && (most == of - count || share(most + 1) < 0.05), "{count} of {of}");
        }
    }
}
