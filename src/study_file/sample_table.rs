//! Reads named columns of numbers from the user's own table of samples, CSV (with a header row) or Parquet.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::document::{Node, tidy};
use super::input::{self, Longest};

/// What went wrong, and whether it concerns the file or the choice of columns.
enum Fault {
    File(String),
    Column { missing: String, present: Vec<String> },
}

/// The named columns, row by row. Faults are reported at the node that names the file, or the columns.
pub(super) fn read_table(
    path: &Path,
    columns: &[String],
    file_node: &Node<'_>,
    columns_node: &Node<'_>,
) -> Option<Vec<Vec<f64>>> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let read = match extension.as_str() {
        "csv" => open(path).and_then(|file| read_csv(file, columns)),
        "parquet" => open(path).and_then(|file| read_parquet(file, columns)),
        _ => {
            file_node.refuse("a table", "give a .csv or .parquet file");
            return None;
        }
    };
    match read {
        Ok(rows) if rows.is_empty() => {
            file_node.report(format!("{} has no rows", tidy(path).display()), |problem| problem);
            None
        }
        Ok(rows) => Some(rows),
        Err(Fault::File(_)) if !path.exists() => {
            file_node.report_missing_file(path);
            None
        }
        Err(Fault::File(found)) => {
            file_node.report(format!("{}: {found}", tidy(path).display()), |problem| problem);
            None
        }
        Err(Fault::Column { missing, present }) => {
            let found = format!("{} has no column `{missing}`", tidy(path).display());
            columns_node.report(found, |problem| problem.allow(&missing, present.iter().map(String::as_str)));
            None
        }
    }
}

fn open(path: &Path) -> Result<File, Fault> {
    input::open(path, Longest::TABLE).map_err(|refused| Fault::File(refused.to_string()))
}

/// The position of each wanted column among those present.
fn positions(columns: &[String], present: &[String]) -> Result<Vec<usize>, Fault> {
    let position = |name: &String| {
        let mut found = (0..present.len()).filter(|at| present[*at] == *name);
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (Some(_), Some(_)) => Err(Fault::File(format!("has two columns of the name `{name}`"))),
            (None, _) => Err(Fault::Column { missing: name.clone(), present: present.to_vec() }),
        }
    };
    columns.iter().map(position).collect()
}

fn read_csv(file: File, columns: &[String]) -> Result<Vec<Vec<f64>>, Fault> {
    let broken = |error: csv::Error| Fault::File(format!("is not a readable CSV table: {error}"));
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
    let header = reader.headers().map_err(broken)?;
    // Spreadsheets put a byte order mark before the first name.
    let present: Vec<String> =
        header.iter().map(|name| name.trim_start_matches('\u{feff}').to_string()).collect();
    let wanted = positions(columns, &present)?;
    let mut rows = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |(at, name): (&usize, &String)| {
            let text = record.get(*at).unwrap_or_default();
            let value = text.parse::<f64>().map_err(|_| {
                Fault::File(format!("line {line}, column `{name}`: {text:?} is not a number"))
            })?;
            finite(value, || format!("line {line}, column `{name}`"))
        };
        rows.push(wanted.iter().zip(columns).map(cell).collect::<Result<_, _>>()?);
    }
    Ok(rows)
}

fn finite(value: f64, place: impl FnOnce() -> String) -> Result<f64, Fault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Fault::File(format!("{}: {value} is not finite", place())))
    }
}

fn read_parquet(file: File, columns: &[String]) -> Result<Vec<Vec<f64>>, Fault> {
    let broken =
        |error: &dyn std::fmt::Display| Fault::File(format!("is not a readable Parquet table: {error}"));
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| broken(&error))?;
    let present: Vec<String> = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
    let wanted = positions(columns, &present)?;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for batch in builder.build().map_err(|error| broken(&error))? {
        let batch = batch.map_err(|error| broken(&error))?;
        let first = rows.len();
        rows.resize_with(first + batch.num_rows(), || Vec::with_capacity(columns.len()));
        for (at, name) in wanted.iter().zip(columns) {
            let numbers = numbers(batch.column(*at), name)?;
            for (offset, number) in numbers.into_iter().enumerate() {
                let place = || format!("row {}, column `{name}`", first + offset + 1);
                let number = number.ok_or_else(|| Fault::File(format!("{}: the cell is empty", place())))?;
                rows[first + offset].push(finite(number, place)?);
            }
        }
    }
    Ok(rows)
}

/// A column as f64; empty cells are `None`.
fn numbers(column: &ArrayRef, name: &str) -> Result<Vec<Option<f64>>, Fault> {
    match column.data_type() {
        DataType::Float64 => Ok(column.as_primitive::<Float64Type>().iter().collect()),
        DataType::Float32 => {
            Ok(column.as_primitive::<Float32Type>().iter().map(|x| x.map(f64::from)).collect())
        }
        DataType::Int32 => Ok(column.as_primitive::<Int32Type>().iter().map(|x| x.map(f64::from)).collect()),
        DataType::Int64 => {
            Ok(column.as_primitive::<Int64Type>().iter().map(|x| x.map(|x| x as f64)).collect())
        }
        other => Err(Fault::File(format!("column `{name}` holds {other}, not numbers"))),
    }
}
