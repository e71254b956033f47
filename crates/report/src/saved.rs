//! Results of a run, read again: all that its plots were drawn from.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection};

use super::answer::STUDY;
use super::associations::Associations;
use super::cards::{HISTOGRAMS, MOTION, STATISTICS, TRAJECTORIES, read_back};
use super::error::OutputError;
use super::exponents::table_of_instances;
use super::manifest::{MANIFEST, Manifest};
use super::motion::{Track, read_motion};
use super::report::ReportData;
use super::series::{Trajectories, quantile_name};
use super::table::{Column, ColumnLabel};
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
        return Err(no_run(format!(
            "is of a study of kind {}, which has no statistics in time and keeps no motion; those of kind {} do",
            manifest.kind,
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
    let [least, greatest] = [table.floats("least")?, table.floats("greatest")?];
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

/// A Parquet table that polhode wrote, or some of its rows. Columns are read one at a time, as they
/// are asked for.
pub struct SavedTable {
    file: PathBuf,
    schema: SchemaRef,
    /// The rows; none: those of the file.
    rows: Option<RecordBatch>,
}

impl SavedTable {
    pub fn open(file: &Path) -> Result<SavedTable, OutputError> {
        let schema = builder(file)?.schema().clone();
        Ok(SavedTable { file: file.to_owned(), schema, rows: None })
    }

    /// Returns the number of rows of a table.
    pub(super) fn rows(file: &Path) -> Result<usize, OutputError> {
        Ok(builder(file)?.metadata().file_metadata().num_rows().max(0) as usize)
    }

    /// Some columns of some rows, given in ascending order, in parts.
    pub(super) fn selected(
        file: &Path,
        columns: &[&str],
        rows: Vec<Range<usize>>,
    ) -> Result<impl Iterator<Item = Result<SavedTable, OutputError>>, OutputError> {
        /// Rows at a time.
        const PART: usize = 1 << 14;
        let builder = builder(file)?;
        let schema = builder.schema().clone();
        let total = builder.metadata().file_metadata().num_rows().max(0) as usize;
        let places: Vec<usize> = columns.iter().filter_map(|name| schema.index_of(name).ok()).collect();
        let columns = ProjectionMask::roots(builder.parquet_schema(), places);
        let rows = RowSelection::from_consecutive_ranges(rows.into_iter(), total);
        let builder = builder.with_projection(columns).with_row_selection(rows).with_batch_size(PART);
        let batches = builder.build().map_err(OutputError::parquet(file))?;
        let file = file.to_owned();
        Ok(batches.map(move |batch| match batch {
            Ok(rows) => Ok(SavedTable { file: file.clone(), schema: schema.clone(), rows: Some(rows) }),
            Err(error) => Err(OutputError::Table { file: file.clone(), message: error.to_string() }),
        }))
    }

    /// Names and units of the columns of numbers whose names begin so.
    pub fn columns(&self, prefix: &str) -> Vec<(String, String)> {
        let fields = self.schema.fields().iter().filter(|field| field.name().starts_with(prefix));
        let unit = |field: &arrow_schema::Field| field.metadata().get("unit").cloned().unwrap_or_default();
        fields.map(|field| (field.name().clone(), unit(field))).collect()
    }

    /// Names of all columns.
    pub(super) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The columns after the first few, which hold numbers.
    pub(super) fn number_columns(&self, first: usize) -> Vec<Column> {
        let fields = self.schema.fields().iter().skip(first);
        let about =
            |field: &arrow_schema::Field, key: &str| field.metadata().get(key).cloned().unwrap_or_default();
        let column = |field: &arrow_schema::Field| Column {
            name: field.name().clone(),
            unit: about(field, "unit"),
            description: about(field, "description"),
            precision: if self.is_single(field.name()) { Precision::F32 } else { Precision::F64 },
        };
        fields.map(|field| column(field)).collect()
    }

    fn is_single(&self, column: &str) -> bool {
        self.schema.field_with_name(column).is_ok_and(|field| *field.data_type() == DataType::Float32)
    }

    fn strange(&self, message: String) -> OutputError {
        OutputError::Table { file: self.file.clone(), message }
    }

    /// The column in parts; each is read by `read`, which says `None` where it holds something
    /// else.
    fn column<T>(
        &self,
        name: &str,
        what: &str,
        read: impl Fn(&ArrayRef) -> Option<Vec<T>>,
    ) -> Result<Vec<T>, OutputError> {
        let mut all = Vec::new();
        let Ok(place) = self.schema.index_of(name) else {
            return Err(self.strange(format!("has no column {name}; it is no table that polhode wrote here")));
        };
        let mut take = |batch: &RecordBatch| {
            let values = batch.column_by_name(name).and_then(&read);
            all.extend(values.ok_or_else(|| self.strange(format!("its column {name} holds no {what}")))?);
            Ok(())
        };
        if let Some(rows) = &self.rows {
            take(rows)?;
            return Ok(all);
        }
        let builder = builder(&self.file)?;
        let column = ProjectionMask::roots(builder.parquet_schema(), [place]);
        let batches = builder.with_projection(column).build().map_err(OutputError::parquet(&self.file))?;
        for batch in batches {
            take(&batch.map_err(|error| self.strange(error.to_string()))?)?;
        }
        Ok(all)
    }

    /// NaN where there is none.
    pub fn floats(&self, name: &str) -> Result<Vec<f64>, OutputError> {
        self.column(name, "numbers", |array| {
            if let Some(double) = array.as_primitive_opt::<Float64Type>() {
                return Some(double.iter().map(|x| x.unwrap_or(f64::NAN)).collect());
            }
            let single = array.as_primitive_opt::<Float32Type>()?;
            Some(single.iter().map(|x| x.map_or(f64::NAN, f64::from)).collect())
        })
    }

    pub fn integers(&self, name: &str) -> Result<Vec<u64>, OutputError> {
        self.column(name, "whole numbers", |array| {
            Some(array.as_primitive_opt::<UInt64Type>()?.values().to_vec())
        })
    }

    /// For every row, whether a dictionary-encoded column holds one of these texts.
    pub fn holds(&self, name: &str, texts: &[&str]) -> Result<Vec<bool>, OutputError> {
        self.column(name, "text", |array| {
            let dictionary = array.as_any_dictionary_opt()?;
            let values = dictionary.values().as_string_opt::<i32>()?;
            let wanted: Vec<bool> =
                values.iter().map(|value| value.is_some_and(|value| texts.contains(&value))).collect();
            Some(dictionary.normalized_keys().into_iter().map(|key| wanted[key]).collect())
        })
    }

    /// Returns the texts of a dictionary-encoded column.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, OutputError> {
        self.column(name, "text", |array| {
            let dictionary = array.as_any_dictionary_opt()?;
            let values = dictionary.values().as_string_opt::<i32>()?;
            Some(dictionary.normalized_keys().into_iter().map(|key| values.value(key).to_string()).collect())
        })
    }
}

fn builder(file: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, OutputError> {
    let open = regular::open(file).map_err(OutputError::io(file))?;
    ParquetRecordBatchReaderBuilder::try_new(open).map_err(OutputError::parquet(file))
}
