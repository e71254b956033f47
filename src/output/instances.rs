//! `instances.parquet`: one row an instance, written chunk after chunk while the run goes on.

use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_schema::Field;
use rayon::prelude::*;

use super::error::OutputError;
use super::saved::SavedTable;
use super::table::{Column, ColumnType, TableWriter, field, float_array, integer_array, text_array};
use crate::base::{Precision, nearest};
use crate::describe::InstanceTable;
use crate::observe::Verdict;

/// Columns of every such table, before those that [`InstancesWriter::create`] is given.
const FIRST_COLUMNS: usize = 4;

/// What a row is.
const ROWS: &str = "one row an instance of the ensemble";

/// Rows written at once, always: pages end where a writer looks at their size, and it looks by what it is given.
const TOGETHER: usize = 1 << 14;

/// A study wants a column that the table of its run does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "output.instances: there is no column {wanted:?}{}; {}",
    nearest.as_ref().map_or_else(String::new, |near| format!("; did you mean {near:?}?")),
    if columns.is_empty() { "a study of this kind has no table of instances".to_owned() } else { format!("there are {}", columns.join(", ")) }
)]
pub struct UnknownColumn {
    pub wanted: String,
    pub nearest: Option<String>,
    pub columns: Vec<String>,
}

/// Refuses names that stand for none of the columns.
///
/// # Errors
/// The first such name.
pub fn check_columns(kept: &InstanceTable, columns: &[Column]) -> Result<(), UnknownColumn> {
    let InstanceTable::Columns(names) = kept else { return Ok(()) };
    let is_there = |name: &str| columns.iter().any(|column| InstanceTable::names(name, &column.name));
    match names.iter().find(|name| !is_there(name)) {
        None => Ok(()),
        Some(wanted) => {
            let columns: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
            // Names may end before any of their dots.
            let candidates = columns
                .iter()
                .flat_map(|name| name.match_indices('.').map(|(end, _)| &name[..end]).chain([name.as_str()]));
            let nearest = nearest(wanted, candidates);
            Err(UnknownColumn { wanted: wanted.clone(), nearest, columns })
        }
    }
}

/// Writes how each instance was drawn, how it ended and with what values.
pub struct InstancesWriter {
    /// None: the study wants no table.
    table: Option<TableWriter>,
    /// The places of the columns that are written among those given.
    kept: Vec<usize>,
    columns: usize,
    precisions: Vec<Precision>,
    step: f64,
    /// Rows that wait to be [`TOGETHER`]: the number of the first, and what was given.
    first: u64,
    verdicts: Vec<Verdict>,
    verdict_steps: Vec<u64>,
    verdict_times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

/// Instances `first`, `first + 1`, ... Every slice is as long as `verdicts`.
pub struct InstancesChunk<'a> {
    pub first: u64,
    pub verdicts: &'a [Verdict],
    /// The step at which each verdict was passed: the last one for those that finished.
    pub verdict_steps: &'a [u64],
    /// The full step of each (s), where they differ.
    pub own_steps: Option<&'a [f64]>,
    /// One slice for each column given to [`InstancesWriter::create`], empty where it is not kept; NaN is written as null.
    pub values: &'a [&'a [f64]],
}

impl InstancesWriter {
    /// `columns`: drawn values, initial and final channels, ... in any order, of which those are written that the table
    /// [`keeps`](InstanceTable::keeps); `step` h (s).
    pub fn create(
        file: &Path,
        columns: &[Column],
        step: f64,
        table: &InstanceTable,
    ) -> Result<Self, OutputError> {
        let kept: Vec<usize> = (0..columns.len()).filter(|k| table.keeps(&columns[*k].name)).collect();
        let mut fields: Vec<Field> = vec![
            field("instance", "1", "index of the instance", ColumnType::Integer),
            field("verdict", "", "how the instance ended", ColumnType::Text),
            field("verdict_step", "1", "step at which the verdict was passed", ColumnType::Integer),
            field(
                "verdict_time",
                "s",
                "time at which the verdict was passed",
                ColumnType::Float(Precision::F64),
            ),
        ];
        let number = |column: &Column| {
            field(&column.name, &column.unit, &column.description, ColumnType::Float(column.precision))
        };
        fields.extend(kept.iter().map(|k| number(&columns[*k])));
        let table = match table {
            InstanceTable::None => None,
            _ => Some(TableWriter::create(file, fields, ROWS)?),
        };
        Ok(Self {
            table,
            columns: columns.len(),
            precisions: kept.iter().map(|k| columns[*k].precision).collect(),
            step,
            first: 0,
            verdicts: Vec::new(),
            verdict_steps: Vec::new(),
            verdict_times: Vec::new(),
            values: vec![Vec::new(); kept.len()],
            kept,
        })
    }

    /// Whether any of the columns given at these places is written.
    pub fn keeps_any(&self, columns: Range<usize>) -> bool {
        self.kept.iter().any(|k| columns.contains(k))
    }

    /// Whether there is a table.
    pub fn is_kept(&self) -> bool {
        self.table.is_some()
    }

    /// Appends a chunk.
    ///
    /// # Panics
    /// If the number of value slices is not that of the columns.
    pub fn write(&mut self, chunk: &InstancesChunk<'_>) -> Result<(), OutputError> {
        assert_eq!(chunk.values.len(), self.columns, "one slice of values a column");
        if self.table.is_none() {
            return Ok(());
        }
        let mut at = 0;
        while at < chunk.verdicts.len() {
            if self.verdicts.is_empty() {
                self.first = chunk.first + at as u64;
            }
            let end = chunk.verdicts.len().min(at + TOGETHER - self.verdicts.len());
            self.verdicts.extend_from_slice(&chunk.verdicts[at..end]);
            self.verdict_steps.extend_from_slice(&chunk.verdict_steps[at..end]);
            let step = |i: usize| chunk.own_steps.map_or(self.step, |steps| steps[i]);
            self.verdict_times.extend((at..end).map(|i| chunk.verdict_steps[i] as f64 * step(i)));
            for (waiting, k) in self.values.iter_mut().zip(&self.kept) {
                waiting.extend_from_slice(&chunk.values[*k][at..end]);
            }
            if self.verdicts.len() == TOGETHER {
                self.flush()?;
            }
            at = end;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), OutputError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let mut arrays = vec![
            integer_array(self.first..self.first + self.verdicts.len() as u64),
            text_array(self.verdicts.iter().map(|verdict| verdict.name())),
            integer_array(self.verdict_steps.iter().copied()),
            float_array(self.verdict_times.iter().copied(), Precision::F64),
        ];
        let values = self.values.par_iter().zip(&self.precisions);
        let values = values.map(|(values, &precision)| float_array(values.iter().copied(), precision));
        arrays.extend(values.collect::<Vec<_>>());
        self.verdicts.clear();
        self.verdict_steps.clear();
        self.verdict_times.clear();
        self.values.iter_mut().for_each(Vec::clear);
        table.write(arrays)
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), OutputError> {
        if !self.verdicts.is_empty() {
            self.flush()?;
        }
        self.table.map_or(Ok(()), TableWriter::finish)
    }
}

/// Writes the rows of several such tables, with how many each has, one after the other: the bytes of a table written at
/// once. `step` h (s).
///
/// # Errors
/// A table cannot be read, or does not have these rows.
pub fn append_tables(file: &Path, tables: &[(PathBuf, u64)], step: f64) -> Result<(), OutputError> {
    let mut all: Option<(InstancesWriter, Vec<Column>)> = None;
    let mut next = 0;
    for (table, rows) in tables {
        let strange = |message: String| OutputError::Table { file: table.clone(), message };
        let columns = SavedTable::open(table)?.number_columns(FIRST_COLUMNS);
        let (writer, known) = match &mut all {
            Some(all) => all,
            None => all.insert((
                InstancesWriter::create(file, &columns, step, &InstanceTable::All)?,
                columns.clone(),
            )),
        };
        if *known != columns {
            return Err(strange("has other columns than the shards before".to_string()));
        }
        let verdict = |name: &String| {
            let known = Verdict::ALL.into_iter().find(|verdict| verdict.name() == name);
            known.ok_or_else(|| strange(format!("has the verdict {name}, which there is not")))
        };
        let end = next + rows;
        for part in SavedTable::parts(table, TOGETHER)? {
            let part = part?;
            let instances = part.integers("instance")?;
            let expected = next..next + instances.len() as u64;
            if expected.end > end || !instances.iter().copied().eq(expected.clone()) {
                return Err(strange(format!("does not go on with instance {next} up to {end}")));
            }
            let verdicts = part.texts("verdict")?.iter().map(verdict).collect::<Result<Vec<_>, _>>()?;
            let values = columns.iter().map(|column| part.floats(&column.name));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            writer.write(&InstancesChunk {
                first: next,
                verdicts: &verdicts,
                verdict_steps: &part.integers("verdict_step")?,
                own_steps: None,
                values: &values.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            })?;
            next = expected.end;
        }
        if next != end {
            return Err(strange(format!("ends before instance {next}, and should before {end}")));
        }
    }
    all.map_or(Ok(()), |(writer, _)| writer.finish())
}
