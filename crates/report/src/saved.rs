//! Results of a run, read again: all that its plots were drawn from.

use std::path::{Path, PathBuf};

use super::answer::STUDY;
use super::associations::Associations;
use super::cards::{HISTOGRAMS, MOTION, STATISTICS, TRAJECTORIES, read_back};
use super::error::OutputError;
use super::exponents::table_of_instances;
use super::manifest::{MANIFEST, Manifest};
use super::motion::{Track, read_motion};
use super::report_data::ReportData;
use super::saved_table::SavedTable;
use super::series::{Trajectories, quantile_name};
use super::table::ColumnLabel;
use polhode_description::base::{Precision, regular};
use polhode_description::describe::Study;
use polhode_engine::observe::{Histogram, Summary};
use polhode_files::{Problems, kinds, read_finished_study};

/// Why a folder cannot be read as the result of a run.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Study(#[from] Problems),
    #[error("{}: {why}", folder.display())]
    NoRun { folder: PathBuf, why: String },
}

/// The result of a run, of its instances what is shown.
pub struct Saved {
    pub manifest: Manifest,
    pub study: Study,
    pub study_toml: String,
    pub statistics: SavedStatistics,
    pub trajectories: Trajectories,
    pub motion: Track,
    pub histograms: Vec<Histogram>,
    pub associations: Associations,
}

/// Statistics of all columns at all times.
pub struct SavedStatistics {
    pub columns: Vec<ColumnLabel>,
    pub times: Vec<f64>,
    /// `summaries[time][column]`, with the quantiles at these probabilities.
    pub summaries: Vec<Vec<Summary>>,
    pub probabilities: Vec<f64>,
}

/// The manifest of a whole run with statistics in time.
pub fn manifest_of(folder: &Path) -> Result<Manifest, SavedError> {
    let no_run = |why: String| SavedError::NoRun { folder: folder.to_owned(), why };
    if !folder.join(MANIFEST).exists() {
        return Err(no_run(format!(
            "is no result of polhode (no {MANIFEST}); give the output folder of a run"
        )));
    }
    let manifest = Manifest::read(folder)?;
    let in_time: Vec<&str> = kinds::cards().filter(|card| card.in_time).map(|card| card.name).collect();
    if !in_time.contains(&manifest.kind.as_str()) {
        let subject = match manifest.kind.as_str() {
            "" => "measures claims".to_string(),
            kind => format!("is of a study of kind {kind}"),
        };
        return Err(no_run(format!(
            "{subject}, and has no statistics in time and keeps no motion; studies of kind {} do",
            in_time.join(" or ")
        )));
    }
    match manifest.shard {
        None => Ok(manifest),
        Some(shard) => {
            Err(no_run(format!("is shard {shard} of a run; put the shards together by polhode merge")))
        }
    }
}

/// The study of a whole run, and the motion that it has kept.
pub fn saved_motion(folder: &Path) -> Result<(Study, Track), SavedError> {
    manifest_of(folder)?.check(folder, &read_back("view", [STUDY]))?;
    let study = read_finished_study(&folder.join(STUDY))?;
    let motion = read_motion(&folder.join(MOTION.file), &study.mechanism)?;
    Ok((study, motion))
}

impl Saved {
    /// Reads the folder of a run and nothing else.
    pub fn read(folder: &Path) -> Result<Saved, SavedError> {
        let manifest = manifest_of(folder)?;
        let file = folder.join(STUDY);
        manifest.check(folder, &read_back("plot", [STUDY]))?;
        let study = read_finished_study(&file)?;
        let study_toml = regular::read_text(&file).map_err(OutputError::io(&file))?;
        let statistics = SavedStatistics::read(folder, &study)?;
        let columns = &statistics.columns;
        let trajectories =
            read_trajectories(&folder.join(TRAJECTORIES.file), columns, statistics.times.len())?;
        let motion = read_motion(&folder.join(MOTION.file), &study.mechanism)?;
        let histograms = read_histograms(&folder.join(HISTOGRAMS.file), columns)?;
        let associations =
            Associations::read(&folder.join(table_of_instances(study.kind.card())), &study, columns)?;
        Ok(Saved { manifest, study, study_toml, statistics, trajectories, motion, histograms, associations })
    }

    /// Returns the data that plots are made from.
    pub fn data(&self) -> ReportData<'_> {
        ReportData {
            study: &self.study,
            study_toml: &self.study_toml,
            columns: &self.statistics.columns,
            times: &self.statistics.times,
            summaries: &self.statistics.summaries,
            final_histograms: &self.histograms,
            densities: &[],
            associations: &self.associations,
            trajectories: &self.trajectories,
            motions: std::slice::from_ref(&self.motion),
            failures: &[],
        }
    }
}

impl SavedStatistics {
    /// Reads those in the folder of a run of this study.
    pub fn read(folder: &Path, study: &Study) -> Result<SavedStatistics, OutputError> {
        let probabilities = study.observe.quantiles.clone();
        let table = SavedTable::open(&folder.join(STATISTICS.file))?;
        let time = table.floats("time")?;
        let [channel, component, unit] =
            [table.texts("channel")?, table.texts("component")?, table.texts("unit")?];
        let width = time.iter().take_while(|t| Some(*t) == time.first()).count().max(1);
        if !time.len().is_multiple_of(width) {
            return Err(table.strange(format!("has {} rows, which are no whole times", time.len())));
        }
        let columns = (0..width.min(time.len())).map(|i| ColumnLabel {
            channel: channel[i].clone(),
            component: component[i].clone(),
            unit: unit[i].clone(),
            description: String::new(),
        });
        let [count, excluded] = [table.integers("count")?, table.integers("excluded")?];
        let [mean, std, min, max] =
            [table.floats("mean")?, table.floats("std")?, table.floats("min")?, table.floats("max")?];
        let quantiles = probabilities.iter().map(|p| table.floats(&quantile_name(*p)));
        let quantiles = quantiles.collect::<Result<Vec<_>, _>>()?;
        let summary = |i: usize| Summary {
            count: count[i],
            excluded: excluded[i],
            mean: mean[i],
            std: std[i],
            min: min[i],
            max: max[i],
            quantiles: quantiles.iter().map(|q| q[i]).collect(),
        };
        Ok(SavedStatistics {
            columns: columns.collect(),
            times: time.iter().copied().step_by(width).collect(),
            summaries: (0..time.len())
                .step_by(width)
                .map(|t| (t..t + width).map(summary).collect())
                .collect(),
            probabilities,
        })
    }
}

fn read_trajectories(
    file: &Path,
    columns: &[ColumnLabel],
    times: usize,
) -> Result<Trajectories, OutputError> {
    let table = SavedTable::open(file)?;
    let instance = table.integers("instance")?;
    if times == 0 || !instance.len().is_multiple_of(times) {
        return Err(
            table.strange(format!("has {} rows, and the statistics have {times} times", instance.len()))
        );
    }
    let instances: Vec<u64> = instance.iter().copied().step_by(times).collect();
    let kept = instances.len();
    let mut values = Vec::with_capacity(columns.len());
    for column in columns {
        // There one instance after the other, here one time after the other.
        let series = table.floats(&column.name())?;
        values.push(
            (0..times).flat_map(|t| (0..kept).map(move |k| k * times + t)).map(|i| series[i]).collect(),
        );
    }
    let single = columns.first().is_some_and(|column| table.is_single(&column.name()));
    let precision = Some(if single { Precision::F32 } else { Precision::F64 });
    Ok(Trajectories { instances, values, precision })
}

fn read_histograms(file: &Path, columns: &[ColumnLabel]) -> Result<Vec<Histogram>, OutputError> {
    let table = SavedTable::open(file)?;
    let [channel, component] = [table.texts("channel")?, table.texts("component")?];
    let [from, until] = [table.floats("from")?, table.floats("until")?];
    // Results of 0.2.0 before these columns: bars are full.
    let known = table.names();
    let or = |name: &str, edges: &Vec<f64>| match known.iter().any(|column| column == name) {
        true => table.floats(name),
        false => Ok(edges.clone()),
    };
    let [least, greatest] = [or("least", &from)?, or("greatest", &until)?];
    let count = table.integers("count")?;
    let histogram = |column: &ColumnLabel| {
        let mut histogram = Histogram::default();
        let mine = |i: &usize| channel[*i] == column.channel && component[*i] == column.component;
        for i in (0..count.len()).filter(mine) {
            match (from[i].is_nan(), until[i].is_nan()) {
                (true, _) => histogram.below += count[i],
                (false, true) => histogram.above += count[i],
                (false, false) => {
                    if histogram.edges.is_empty() {
                        histogram.edges.push(from[i]);
                    }
                    histogram.edges.push(until[i]);
                    histogram.counts.push(count[i]);
                    histogram.ends.push([least[i], greatest[i]]);
                }
            }
        }
        histogram
    };
    Ok(columns.iter().map(histogram).collect())
}
