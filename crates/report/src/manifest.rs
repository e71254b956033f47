//! `manifest.json`: versions, study, device, times, verdicts and files of a run.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::accuracy::Accuracy;
use super::damage::{FileEntry, check_file, is_damaged, sealed};
use super::error::OutputError;
use super::ours::is_inside;
use super::samples_checksum::{has_tables, samples_checksum};
use polhode_description::base::{
    grouped, instances as counted, number_or_nan, quantity, regular, shown_within,
};
use polhode_description::describe::{Study, VariedStep};
use polhode_dynamics::ensemble::Shard;
use polhode_dynamics::ensemble::sampling::varied_step;
use polhode_dynamics::model::Model;
use polhode_engine::observe::Verdict;

pub const MANIFEST: &str = "manifest.json";

/// The record of a run: `manifest.json` of its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of polhode.
    pub polhode: String,
    /// Title of the study.
    pub study: String,
    /// The question that it asks: one of the kinds of studies.
    #[serde(default = "monte_carlo")]
    pub kind: String,
    /// Every instance was advanced to its end; false after an interruption.
    pub complete: bool,
    /// Which part of the ensemble this is; none: the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Instances asked for.
    pub instances: u64,
    /// Instances advanced to their end, whatever their verdict. Statistics at a time are over these
    /// and over those that an interruption stopped later.
    pub advanced: u64,
    /// The step at which the user stopped the instances; none: the run was not stopped during its
    /// steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted_at: Option<u64>,
    /// Which processor ran it, and why that one.
    pub device: String,
    /// `cpu` or `gpu`
    pub backend: String,
    /// `f32` or `f64`
    pub precision: String,
    /// Multiply-add with one rounding.
    pub fused: bool,
    /// Seed of the draws.
    pub seed: u64,
    /// Checksum of the values in the study's tables of samples; none: there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<String>,
    /// Method with its settings.
    pub method: String,
    /// Full step h (s), as the study gives it.
    pub step: f64,
    /// Where instances have steps of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub varied_step: Option<VariedStep>,
    /// Number of full steps.
    pub steps: u64,
    /// The distance by which assembly moved the mechanism from its start as described, in words;
    /// none: it has no constraints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Start in UTC, RFC 3339.
    pub started: String,
    /// The number of times that the run was taken up again from a checkpoint. Times are those of
    /// all sittings.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub resumed: u32,
    /// Where the time went.
    pub timings: Timings,
    /// Steps advanced, summed over the instances, per second of stepping.
    pub instance_steps_per_second: f64,
    /// The number of times that a GPU was lost and the chunk under way was computed again, with the
    /// same results.
    #[serde(default)]
    pub device_losses: u32,
    /// Rows of joints that others imply and multipliers were not solved for, joint by joint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows_left_out: Vec<String>,
    /// Implausible numbers of the study, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Instances by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// Flexible bodies bent by more than linear theory describes; absent: none did at a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bent: Option<LargeDeflections>,
    /// The mean whose interval was to end the run; none: there were to be `instances`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<MeanInterval>,
    /// The measured error; none if it was switched off or the run was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
    /// Every file of the folder.
    pub files: Vec<FileEntry>,
}

/// A mean of the ensemble at the end with its confidence interval, mean +- half_width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanInterval {
    pub channel: String,
    /// Instances that have a value.
    #[serde(default)]
    pub count: u64,
    /// Unit of the numbers.
    pub unit: String,
    #[serde(deserialize_with = "number_or_nan")]
    pub mean: f64,
    #[serde(deserialize_with = "number_or_nan")]
    pub half_width: f64,
    /// The half-width that was asked for.
    pub wanted: f64,
    pub confidence: f64,
}

impl MeanInterval {
    /// A sentence about so many instances.
    pub fn sentence(&self, instances: u64) -> String {
        if self.mean.is_nan() {
            let all = grouped(instances);
            return format!(
                "warning: none of {all} instances has a value of {} at the end: its mean is not known",
                self.channel
            );
        }
        let sample = match self.count < instances {
            true => format!("the {} of {} that have one", grouped(self.count), counted(instances)),
            false => counted(instances),
        };
        let interval = format!(
            "mean of {} at the end, {sample}: {} ± {} ({} %)",
            self.channel,
            shown_within(self.mean, self.half_width),
            quantity(self.half_width, 3, &self.unit),
            100.0 * self.confidence
        );
        match self.half_width <= self.wanted {
            true => interval,
            false => format!(
                "warning: {interval}; ± {} was asked for: ensemble.size is too small",
                quantity(self.wanted, 3, &self.unit)
            ),
        }
    }
}

/// Instances of which a flexible body, or a beam element, bent at a snapshot by more than a tenth
/// of its size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LargeDeflections {
    pub instances: u64,
    /// The largest deflection, as a share of the size, in which instance, and of which body or beam
    /// element.
    pub share: f64,
    pub instance: u64,
    pub body: String,
    /// It is a beam element.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_element: bool,
}

impl LargeDeflections {
    /// Adds those of later instances.
    pub fn merge(&mut self, later: &LargeDeflections) {
        let instances = self.instances + later.instances;
        if later.share > self.share {
            self.clone_from(later);
        }
        self.instances = instances;
    }

    /// A sentence.
    pub fn sentence(&self) -> String {
        let (subject, advice) = if self.of_element {
            (
                "beam elements",
                "a tenth strain and curvature change along an element: use more and shorter ones",
            )
        } else {
            (
                "flexible bodies",
                "a tenth the linear theory of modes is wrong by more than a hundredth: use beam elements",
            )
        };
        format!(
            "instances whose {subject} bend by more than a tenth of their size: {}, up to {:.2} of `{}` in \
             instance {}; beyond {advice}",
            grouped(self.instances),
            self.share,
            self.body,
            self.instance
        )
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The only question before there were others.
fn monte_carlo() -> String {
    "monte_carlo".to_string()
}

/// Wall-clock times of the stages of a run (s). The next instances are drawn and the last ones
/// written while others are stepped: the stages may add up to more than the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Drawing the instances.
    pub sampling: f64,
    /// Choosing the processor, and compiling the step for it.
    #[serde(default)]
    pub preparing: f64,
    /// The step loop.
    pub stepping: f64,
    /// Channels and statistics.
    pub observing: f64,
    /// The run's error, against accurate motions of some instances.
    #[serde(default)]
    pub judging: f64,
    /// Tables, plots, report.
    pub writing: f64,
    pub total: f64,
}

impl Timings {
    /// The stages in their order, with their times.
    pub fn stages(&self) -> [(&'static str, f64); 6] {
        [
            ("drawing", self.sampling),
            ("preparing", self.preparing),
            ("stepping", self.stepping),
            ("observing", self.observing),
            ("judging", self.judging),
            ("writing", self.writing),
        ]
    }

    /// The stage that takes longer than stepping and all others, that before the run among them, if
    /// there is one.
    pub fn bottleneck<'a>(&self, before: Option<(&'a str, f64)>) -> Option<&'a str> {
        let slowest = self.stages().into_iter().chain(before).max_by(|a, b| a.1.total_cmp(&b.1));
        slowest.filter(|(_, time)| *time > self.stepping).map(|(stage, _)| stage)
    }

    pub fn add(&mut self, other: &Timings) {
        self.sampling += other.sampling;
        self.preparing += other.preparing;
        self.stepping += other.stepping;
        self.observing += other.observing;
        self.judging += other.judging;
        self.writing += other.writing;
        self.total += other.total;
    }
}

impl Manifest {
    /// Steps advanced, summed over the instances.
    pub fn instance_steps(&self) -> f64 {
        self.instance_steps_per_second * self.timings.stepping
    }

    /// Lines about the results: what was asked for, and warnings.
    pub fn found(&self) -> Vec<String> {
        let until = self.until.iter().map(|until| until.sentence(self.advanced));
        until.chain(self.bent.iter().map(|bent| format!("warning: {}", bent.sentence()))).collect()
    }

    /// Returns all that the study says of its run beforehand. The run starts now.
    pub fn of(study: &Study) -> Manifest {
        Manifest {
            polhode: env!("CARGO_PKG_VERSION").to_string(),
            study: study.title.clone(),
            kind: study.kind.name().to_string(),
            instances: study.ensemble.size,
            precision: study.run.precision.name().to_string(),
            fused: study.run.fused,
            seed: study.ensemble.seed,
            samples: has_tables(study).then(|| samples_checksum(study)),
            method: study.method.name.to_string(),
            step: study.method.step,
            varied_step: varied_step(study),
            steps: study.method.steps,
            start: Model::start_summary(study),
            started: now_utc(),
            ..Manifest::default()
        }
    }

    /// Whether the run drew from tables of samples of other values than the study has now.
    pub fn drew_others(&self, study: &Study) -> bool {
        self.samples.as_ref().is_some_and(|samples| *samples != samples_checksum(study))
    }

    /// Reads the manifest of an output folder.
    ///
    /// # Errors
    /// It is missing or damaged, or polhode did not write it.
    pub fn read(folder: &Path) -> Result<Manifest, OutputError> {
        let file = folder.join(MANIFEST);
        if !file.exists() {
            return Err(OutputError::NoResult { folder: folder.to_owned() });
        }
        let text = regular::read(&file).map_err(OutputError::io(&file))?;
        if is_damaged(&text) {
            return Err(OutputError::Damaged { file, why: "its checksum is wrong".to_string() });
        }
        let none = |message: String| OutputError::Manifest { file, message };
        let manifest: Manifest = match serde_json::from_slice(&text) {
            Ok(manifest) => manifest,
            Err(error) => return Err(none(error.to_string())),
        };
        if let Some(Shard { part, of }) = manifest.shard.filter(|shard| !(1..=shard.of).contains(&shard.part))
        {
            return Err(none(format!("there is no part {part} of {of}")));
        }
        match manifest.files.iter().find(|entry| !is_inside(&entry.name)) {
            Some(entry) => Err(none(format!("it lists {:?}, which is not in its folder", entry.name))),
            None => Ok(manifest),
        }
    }

    /// Refuses the first of these files that is not what was written. Names that the manifest does
    /// not have are of files that are not there. A polhode before checksums wrote lengths alone,
    /// which are compared.
    ///
    /// # Errors
    /// One is damaged or missing.
    pub fn check(&self, folder: &Path, names: &[&str]) -> Result<(), OutputError> {
        let unlisted = |name: &&&str| !self.files.iter().any(|entry| entry.name == **name);
        if let Some(name) = names.iter().filter(unlisted).find(|name| folder.join(name).exists()) {
            return Err(OutputError::Damaged {
                file: folder.join(name),
                why: format!("{MANIFEST} does not have it"),
            });
        }
        self.check_files(folder, |entry| names.contains(&&*entry.name))
    }

    /// [`Manifest::check`] for all files.
    pub fn check_all(&self, folder: &Path) -> Result<(), OutputError> {
        self.check_files(folder, |_| true)
    }

    fn check_files(&self, folder: &Path, of: impl Fn(&FileEntry) -> bool) -> Result<(), OutputError> {
        let entries: Vec<&FileEntry> = self.files.iter().filter(|entry| of(entry)).collect();
        let found: Vec<Result<(), OutputError>> =
            entries.par_iter().map(|entry| check_file(&folder.join(&entry.name), entry)).collect();
        // Always the first by name, whichever thread was faster.
        found.into_iter().collect()
    }

    /// As [`read`](Self::read), of a manifest whose checksum is wrong: what it says may not be what
    /// was written. None: it cannot be read.
    pub(super) fn read_damaged(folder: &Path) -> Option<Manifest> {
        serde_json::from_slice(&regular::read(&folder.join(MANIFEST)).ok()?).ok()
    }

    /// Instances of a run of this study that came to the last time.
    pub fn finished(&self, study: &Study) -> u64 {
        let names = study.mechanism.verdict_names();
        names.whole().into_iter().filter_map(|name| self.verdicts.get(name)).sum()
    }

    /// Instances that have outcomes: those that came to the last time, or that a condition ended.
    pub fn with_outcomes(&self) -> u64 {
        let counts = self.verdicts.iter().filter(|(name, _)| !Verdict::names_failure(name));
        counts.map(|(_, count)| count).sum()
    }

    /// Instances that had begun and were stopped by the user.
    pub fn interrupted(&self) -> u64 {
        self.verdicts.get(Verdict::Interrupted.name()).copied().unwrap_or(0)
    }

    /// The verdicts with their counts, "finished" first, in the order of [`Verdict::ALL`]; unknown
    /// ones last.
    pub fn verdicts_in_order(&self) -> Vec<(&str, u64)> {
        let place =
            |name: &str| Verdict::ALL.iter().position(|verdict| verdict.name() == name).unwrap_or(usize::MAX);
        let mut verdicts: Vec<(&str, u64)> =
            self.verdicts.iter().map(|(name, &count)| (name.as_str(), count)).collect();
        verdicts.sort_by_key(|&(name, _)| place(name));
        verdicts
    }

    /// As JSON text, one field a line, with its checksum last.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("all keys of a manifest are texts");
        sealed(&(text + "\n"))
    }
}

/// The present time in UTC, to the second: `2026-11-20T23:10:00Z`.
pub fn now_utc() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_says_of_how_many_it_is() {
        let mean_of = |count: u64| MeanInterval {
            channel: "settling_time".to_string(),
            count,
            unit: "s".to_string(),
            mean: 5.25,
            half_width: 0.125,
            wanted: 0.2,
            confidence: 0.95,
        };
        assert_eq!(
            mean_of(26).sentence(2000),
            "mean of settling_time at the end, the 26 of 2,000 instances that have one: 5.25 ± 0.125 s (95 %)"
        );
        assert_eq!(
            mean_of(2000).sentence(2000),
            "mean of settling_time at the end, 2,000 instances: 5.25 ± 0.125 s (95 %)"
        );
    }

    #[test]
    fn a_stage_that_takes_longer_than_stepping_is_named() {
        let balanced =
            Timings { sampling: 1.0, stepping: 2.0, observing: 2.0, writing: 0.5, ..Timings::default() };
        assert_eq!(balanced.bottleneck(None), None);
        let choosing = |time: f64| balanced.bottleneck(Some(("choosing", time)));
        assert_eq!([choosing(1.9), choosing(2.1)], [None, Some("choosing")]);
        assert_eq!(Timings { writing: 3.0, observing: 2.5, ..balanced }.bottleneck(None), Some("writing"));
        assert_eq!(Timings { preparing: 2.1, ..balanced }.bottleneck(None), Some("preparing"));
    }
}
