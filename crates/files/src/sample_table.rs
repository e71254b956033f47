//! Reads named columns of numbers from the user's own table, CSV (with a header row), Parquet or
//! record batches in memory, in SI.
//!
//! A header may give the unit, as in `a1 (deg)` or `a1 [deg]`; so do the metadata of a Parquet
//! column (`unit`). A column is named with its unit or without. What `polhode export` writes is
//! read back to the same bits.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::document::{Node, tidy};
use super::error::Problem;
use super::input::{self, Longest};
use polhode_description::base::units::{Dimension, Unit, UnitError, parse_unit};

/// A fault of the file, or of the choice of columns.
enum Fault {
    File(String),
    Unit { found: String, advice: Option<String> },
    Column { missing: String, present: Vec<String> },
}

/// A column that is wanted: its name, and what it measures, or `None` if that is any.
pub(super) type Wanted = (String, Option<Dimension>);

/// Judges a row of numbers, by its place in the table: what is wrong with it.
pub(super) type RowCheck<'j> = &'j mut dyn FnMut(&[f64]) -> Result<(), RowFault>;

/// A row of numbers that the table cannot have.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowFault {
    #[error("the sample of instance {instance} is not a unit quaternion: {quaternion:?}")]
    NoUnitQuaternion { instance: usize, quaternion: [f64; 4] },
    #[error("column `{column}`, the sample of instance {instance}: {value} is not {wanted}")]
    OutOfRange { column: String, instance: usize, value: String, wanted: String },
    #[error("the table has more than {0} rows; leave rows out")]
    TooManyRows(usize),
    #[error("the columns have more than {0} values in all; leave rows or columns out")]
    TooManyValues(String),
    #[error("{next:?} does not come after {last:?}; sort the rows, each once")]
    NotSorted { last: f64, next: f64 },
}

/// The named columns of so many rows at most, row by row, in SI; nothing else is kept of the table.
/// Faults are reported at the node that names the file, or the column: the last one names all that
/// follow. `given`: the table in memory that stands for the file.
pub(super) fn read_table(
    path: &Path,
    given: Option<&[RecordBatch]>,
    columns: &[Wanted],
    most: usize,
    (file_node, columns_nodes): (&Node<'_>, &[&Node<'_>]),
    check: RowCheck<'_>,
) -> Option<Vec<Vec<f64>>> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = match given {
        Some(_) => "the table of samples".to_string(),
        None => tidy(path).display().to_string(),
    };
    let read = match extension.as_str() {
        _ if given.is_some() => read_batches(given.unwrap_or_default(), columns, most, check),
        "csv" => open(path).and_then(|file| read_csv(file, columns, most, check)),
        "parquet" => open(path).and_then(|file| read_parquet(file, columns, most, check)),
        _ => {
            file_node.refuse("a table", "give a .csv or .parquet file");
            return None;
        }
    };
    match read {
        Ok(rows) if rows.is_empty() => {
            file_node.report(format!("{name} has no rows"), |problem| problem);
            None
        }
        Ok(rows) => Some(rows),
        Err(Fault::File(_)) if given.is_none() && !path.exists() => {
            file_node.report_missing_file(path);
            None
        }
        Err(Fault::File(found)) => {
            file_node.report(format!("{name}: {found}"), |problem| problem);
            None
        }
        Err(Fault::Unit { found, advice }) => {
            file_node.report(format!("{name}: {found}"), |problem| Problem { advice, ..problem });
            None
        }
        Err(Fault::Column { missing, present }) => {
            let found = format!("{name} has no column `{missing}`");
            let named = columns.iter().zip(columns_nodes).find(|((column, _), _)| *column == missing);
            let node = named.map(|(_, node)| node).or(columns_nodes.last())?;
            node.report(found, |problem| problem.allow(&missing, present.iter().map(String::as_str)));
            None
        }
    }
}

fn open(path: &Path) -> Result<File, Fault> {
    input::open(path, Longest::TABLE).map_err(|refused| Fault::File(refused.to_string()))
}

/// A column of a file.
struct Heading {
    /// As the file has it.
    whole: String,
    /// Without its unit.
    name: String,
    /// `None`: it says none.
    unit: Option<String>,
}

/// The name of a column without its unit.
pub(super) fn without_unit(column: &str) -> String {
    Heading::of(column).name
}

impl Heading {
    fn of(text: &str) -> Heading {
        let parts = [('(', ')'), ('[', ']')].into_iter().find_map(|(opens, closes)| {
            let (name, unit) = text.strip_suffix(closes)?.rsplit_once(opens)?;
            let name = name.trim_end();
            (!name.is_empty()).then(|| (name.to_string(), unit.trim().to_string()))
        });
        let whole = text.to_string();
        match parts {
            Some((name, unit)) => Heading { whole, name, unit: Some(unit) },
            None => Heading { name: whole.clone(), whole, unit: None },
        }
    }

    fn of_field(field: &Field) -> Heading {
        let heading = Heading::of(field.name());
        match field.metadata().get("unit").filter(|unit| heading.unit.is_none() && !unit.is_empty()) {
            Some(unit) => Heading { unit: Some(unit.clone()), ..heading },
            None => heading,
        }
    }

    /// The unit of its numbers; `None`: they are in SI.
    fn unit(&self, wanted: Option<Dimension>) -> Result<Option<Unit>, Fault> {
        let Some(name) = &self.unit else { return Ok(None) };
        let unit = match name.as_str() {
            "" | "1" | "-" => Ok(Unit::ONE),
            name => parse_unit(name),
        };
        let checked = unit.and_then(|unit| wanted.map_or(Ok(()), |wanted| unit.check(wanted)).map(|()| unit));
        checked.map(Some).map_err(|error| {
            let nearest = match &error {
                UnitError::UnknownUnit { nearest: Some(nearest), .. } => {
                    format!("; did you mean `{nearest}`?")
                }
                _ => String::new(),
            };
            let example = wanted.and_then(|wanted| wanted.examples().first()?.split_once(' '));
            let advice = example.map(|(_, unit)| format!("give e.g. `{} ({unit})`", self.name));
            Fault::Unit { found: format!("column `{}` {error}{nearest}", self.whole), advice }
        })
    }
}

/// The position of each wanted column among those present, and its unit.
fn positions(columns: &[Wanted], present: &[Heading]) -> Result<Vec<(usize, Option<Unit>)>, Fault> {
    let position = |(name, dimension): &Wanted| {
        let called = |is: &dyn Fn(&Heading) -> bool| -> Vec<usize> {
            (0..present.len()).filter(|at| is(&present[*at])).collect()
        };
        let whole = called(&|heading| heading.whole == *name);
        let found = if whole.is_empty() { called(&|heading| heading.name == *name) } else { whole };
        match found[..] {
            [at] => Ok((at, present[at].unit(*dimension)?)),
            [] => Err(Fault::Column {
                missing: name.clone(),
                present: present.iter().map(|heading| heading.whole.clone()).collect(),
            }),
            _ => Err(Fault::File(format!("has two columns of the name `{name}`"))),
        }
    };
    columns.iter().map(position).collect()
}

fn read_csv(
    file: File,
    columns: &[Wanted],
    most: usize,
    check: RowCheck<'_>,
) -> Result<Vec<Vec<f64>>, Fault> {
    let broken = |error: csv::Error| Fault::File(format!("is not a readable CSV table: {error}"));
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(ShortLines { file, since: 0 });
    let header = reader.headers().map_err(broken)?;
    // Spreadsheets put a byte order mark before the first name.
    let present: Vec<Heading> =
        header.iter().map(|name| Heading::of(name.trim_start_matches('\u{feff}').trim())).collect();
    let other = [";", "\t"].into_iter().find(|other| header.len() == 1 && header[0].contains(*other));
    if let Some(separator) = other {
        let found = format!("has {separator:?} between its columns; write commas, and decimal points");
        return Err(Fault::File(found));
    }
    let wanted = positions(columns, &present)?;
    let mut rows = Vec::new();
    for record in reader.into_records().take(most) {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |((at, unit), (name, _)): (&(usize, Option<Unit>), &Wanted)| {
            let text = record.get(*at).unwrap_or_default();
            let place = || format!("line {line}, column `{name}`");
            let value = text.parse::<f64>().map_err(|_| {
                let found = match text {
                    "" => "the cell is empty".to_string(),
                    text => format!("{text:?} is not a number"),
                };
                Fault::File(format!("{}: {found}", place()))
            })?;
            in_si(finite(value, place)?, text, *unit, place)
        };
        let row = wanted.iter().zip(columns).map(cell).collect::<Result<Vec<f64>, _>>()?;
        check(&row).map_err(|found| Fault::File(format!("line {line}: {found}")))?;
        rows.push(row);
    }
    Ok(rows)
}

/// Lets no line pass that no table has: all of a line is kept in memory.
struct ShortLines {
    file: File,
    /// Bytes since the last end of a line.
    since: usize,
}

impl ShortLines {
    /// Bytes of a line at most: some ten thousand columns.
    const LONGEST: usize = 1 << 20;
}

impl Read for ShortLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.since = match buffer[..read].iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read - end,
            None => self.since + read,
        };
        match self.since > Self::LONGEST {
            true => Err(io::Error::other("a line has more than 1 MiB")),
            false => Ok(read),
        }
    }
}

fn finite(value: f64, place: impl FnOnce() -> String) -> Result<f64, Fault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Fault::File(format!("{}: {value} is not finite", place())))
    }
}

/// The number, of which `text` is all digits, in SI.
fn in_si(value: f64, text: &str, unit: Option<Unit>, place: impl FnOnce() -> String) -> Result<f64, Fault> {
    let Some(unit) = unit else { return Ok(value) };
    unit.apply(text).map_err(|error| Fault::File(format!("{}: {text} {error}", place())))
}

fn read_parquet(
    file: File,
    columns: &[Wanted],
    most: usize,
    check: RowCheck<'_>,
) -> Result<Vec<Vec<f64>>, Fault> {
    let broken =
        |error: &dyn std::fmt::Display| Fault::File(format!("is not a readable Parquet table: {error}"));
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| broken(&error))?;
    let present: Vec<Heading> =
        builder.schema().fields().iter().map(|field| Heading::of_field(field)).collect();
    let wanted = positions(columns, &present)?;
    let read: BTreeSet<usize> = wanted.iter().map(|(at, _)| *at).collect();
    let projection = ProjectionMask::roots(builder.parquet_schema(), read.iter().copied());
    let builder = builder.with_projection(projection).with_limit(most);
    let batches = builder.build().map_err(|error| broken(&error))?;
    rows_of(batches.map(|batch| batch.map_err(|error| broken(&error))), columns, (&wanted, &read), check)
}

fn read_batches(
    batches: &[RecordBatch],
    columns: &[Wanted],
    most: usize,
    check: RowCheck<'_>,
) -> Result<Vec<Vec<f64>>, Fault> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let present: Vec<Heading> =
        first.schema().fields().iter().map(|field| Heading::of_field(field)).collect();
    let wanted = positions(columns, &present)?;
    let read: BTreeSet<usize> = wanted.iter().map(|(at, _)| *at).collect();
    let projected: Vec<usize> = read.iter().copied().collect();
    let mut left = most;
    let batches = batches.iter().map_while(|batch| {
        let rows = batch.num_rows().min(left);
        left -= rows;
        (rows > 0).then(|| {
            let batch = batch.slice(0, rows).project(&projected);
            batch.map_err(|error| Fault::File(format!("is not one table: {error}")))
        })
    });
    rows_of(batches, columns, (&wanted, &read), check)
}

/// The wanted columns of batches that have the columns `read` of the table, in the order of the
/// table.
fn rows_of(
    batches: impl Iterator<Item = Result<RecordBatch, Fault>>,
    columns: &[Wanted],
    (wanted, read): (&[(usize, Option<Unit>)], &BTreeSet<usize>),
    check: RowCheck<'_>,
) -> Result<Vec<Vec<f64>>, Fault> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for batch in batches {
        let batch = batch?;
        let first = rows.len();
        rows.resize_with(first + batch.num_rows(), || Vec::with_capacity(columns.len()));
        for ((at, unit), (name, _)) in wanted.iter().zip(columns) {
            let numbers = numbers(batch.column(read.range(..at).count()), name)?;
            for (offset, number) in numbers.into_iter().enumerate() {
                let place = || format!("row {}, column `{name}`", first + offset + 1);
                let number = number.ok_or_else(|| Fault::File(format!("{}: the cell is empty", place())))?;
                let number = finite(number, place)?;
                rows[first + offset].push(match unit {
                    None => number,
                    unit => in_si(number, &format!("{number:?}"), *unit, place)?,
                });
            }
        }
        for (offset, row) in rows[first..].iter().enumerate() {
            let found = check(row);
            found.map_err(|found| Fault::File(format!("row {}: {found}", first + offset + 1)))?;
        }
    }
    Ok(rows)
}

/// A column as f64; empty cells are `None`.
fn numbers(column: &ArrayRef, name: &str) -> Result<Vec<Option<f64>>, Fault> {
    macro_rules! widened {
        ($kind:ty) => {
            Ok(column.as_primitive::<$kind>().iter().map(|x| x.map(f64::from)).collect())
        };
    }
    match column.data_type() {
        DataType::Float64 => widened!(Float64Type),
        DataType::Float32 => widened!(Float32Type),
        DataType::Float16 => widened!(Float16Type),
        DataType::Boolean => {
            Ok(column.as_boolean().iter().map(|x| x.map(|x| f64::from(u8::from(x)))).collect())
        }
        DataType::Int8 => widened!(Int8Type),
        DataType::Int16 => widened!(Int16Type),
        DataType::Int32 => widened!(Int32Type),
        DataType::UInt8 => widened!(UInt8Type),
        DataType::UInt16 => widened!(UInt16Type),
        DataType::UInt32 => widened!(UInt32Type),
        DataType::Int64 => {
            Ok(column.as_primitive::<Int64Type>().iter().map(|x| x.map(|x| x as f64)).collect())
        }
        DataType::UInt64 => {
            Ok(column.as_primitive::<UInt64Type>().iter().map(|x| x.map(|x| x as f64)).collect())
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = numbers(dictionary.values(), name)?;
            let keys = dictionary.keys();
            let value = |(row, key): (usize, usize)| if keys.is_null(row) { None } else { values[key] };
            // Keys of a dictionary without values are all null.
            match values.is_empty() {
                true => Ok(vec![None; keys.len()]),
                false => Ok(dictionary.normalized_keys().into_iter().enumerate().map(value).collect()),
            }
        }
        other => Err(Fault::File(format!(
            "column `{name}` holds {other}; integers and floating-point numbers are taken, also in a \
             dictionary"
        ))),
    }
}
