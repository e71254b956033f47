//! Tables of results, read again.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection};

use super::error::OutputError;
use super::table::Column;
use polhode_description::base::{Precision, regular};

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

    pub(super) fn is_single(&self, column: &str) -> bool {
        self.schema.field_with_name(column).is_ok_and(|field| *field.data_type() == DataType::Float32)
    }

    pub(super) fn strange(&self, message: String) -> OutputError {
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
