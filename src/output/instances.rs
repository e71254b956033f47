//! `instances.parquet`: one row an instance, written chunk after chunk while the run goes on.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_schema::Field;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::error::OutputError;
use super::table::{Column, Kind, TableWriter, field, float_array, integer_array, text_array};
use crate::describe::Precision;
use crate::observe::Verdict;

/// What a row is.
const ROWS: &str = "one row an instance of the ensemble";

/// Writes how each instance was drawn, how it ended and with what values.
pub struct InstancesWriter {
    table: TableWriter,
    precisions: Vec<Precision>,
    step: f64,
}

/// Instances `first`, `first + 1`, ... Every slice is as long as `verdicts`.
pub struct InstancesChunk<'a> {
    pub first: u64,
    pub verdicts: &'a [Verdict],
    /// The step at which each verdict was passed: the last one for those that finished.
    pub verdict_steps: &'a [u64],
    /// One slice for each column given to [`InstancesWriter::create`]; NaN is written as null.
    pub values: &'a [&'a [f64]],
}

impl InstancesWriter {
    /// `columns`: drawn values, initial and final channels, ... in any order; `step` h (s).
    pub fn create(file: &Path, columns: &[Column], step: f64) -> Result<Self, OutputError> {
        let mut fields: Vec<Field> = vec![
            field("instance", "1", "index of the instance", Kind::Integer),
            field("verdict", "", "how the instance ended", Kind::Text),
            field("verdict_step", "1", "step at which the verdict was passed", Kind::Integer),
            field("verdict_time", "s", "time at which the verdict was passed", Kind::Float(Precision::F64)),
        ];
        let number = |column: &Column| {
            field(&column.name, &column.unit, &column.description, Kind::Float(column.precision))
        };
        fields.extend(columns.iter().map(number));
        let table = TableWriter::create(file, fields, ROWS)?;
        Ok(Self { table, precisions: columns.iter().map(|column| column.precision).collect(), step })
    }

    /// Appends a chunk.
    ///
    /// # Panics
    /// If the number of value slices is not that of the columns.
    pub fn write(&mut self, chunk: &InstancesChunk<'_>) -> Result<(), OutputError> {
        assert_eq!(chunk.values.len(), self.precisions.len(), "one slice of values a column");
        let mut arrays = vec![
            integer_array(chunk.first..chunk.first + chunk.verdicts.len() as u64),
            text_array(chunk.verdicts.iter().map(|verdict| verdict.name())),
            integer_array(chunk.verdict_steps.iter().copied()),
            float_array(chunk.verdict_steps.iter().map(|&step| step as f64 * self.step), Precision::F64),
        ];
        let values = chunk.values.iter().zip(&self.precisions);
        arrays.extend(values.map(|(values, &precision)| float_array(values.iter().copied(), precision)));
        self.table.write(arrays)
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), OutputError> {
        self.table.finish()
    }
}

/// Writes the rows of several such tables, with how many each has, one after the other: the bytes of a table written at
/// once.
///
/// # Errors
/// A table cannot be read, or does not have these rows.
pub fn append_tables(file: &Path, tables: &[(PathBuf, u64)]) -> Result<(), OutputError> {
    let mut all: Option<TableWriter> = None;
    let mut next = 0;
    for (table, rows) in tables {
        let strange = |message: String| OutputError::Table { file: table.clone(), message };
        let open = File::open(table).map_err(OutputError::io(table))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(open).map_err(OutputError::parquet(table))?;
        if builder.metadata().file_metadata().num_rows() as u64 != *rows {
            let found = builder.metadata().file_metadata().num_rows();
            return Err(strange(format!("has {found} rows, and {rows} were written")));
        }
        let fields: Vec<Field> = builder.schema().fields().iter().map(|field| (**field).clone()).collect();
        if all.is_none() {
            all = Some(TableWriter::create(file, fields, ROWS)?);
        }
        for batch in builder.build().map_err(OutputError::parquet(table))? {
            let batch = batch.map_err(|error| strange(error.to_string()))?;
            let instances = batch.column_by_name("instance").and_then(|c| c.as_primitive_opt::<UInt64Type>());
            let expected = next..next + batch.num_rows() as u64;
            if !instances.is_some_and(|found| found.values().iter().copied().eq(expected.clone())) {
                return Err(strange(format!("does not go on with instance {next}")));
            }
            next = expected.end;
            if let Some(all) = &mut all {
                all.write(batch.columns().to_vec())?;
            }
        }
    }
    all.map_or(Ok(()), TableWriter::finish)
}
