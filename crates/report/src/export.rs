//! Tables of a result as CSV, for programs that cannot read Parquet. Numbers have the fewest digits
//! that read back as the same number.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::error::OutputError;
use super::manifest::{MANIFEST, Manifest};
use polhode_description::base::{meant, regular};

/// The end of every table's name.
const TABLE: &str = ".parquet";

/// Why a table is not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file of the result is damaged.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder is no result.
    #[error("{}: is no result of polhode (no {MANIFEST}); give the output folder of a run", .0.display())]
    NoRun(PathBuf),
    /// There is no table of this name.
    #[error("{}: has no table {name:?}{}; it has \
             {}", folder.display(), meant(name, tables.iter().map(String::as_str)), tables.join(", "))]
    NoTable { folder: PathBuf, name: String, tables: Vec<String> },
    /// The text could not be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Writes a table of the result in `folder`, as `instances` or `statistics.parquet`, and gives its
/// number of rows. The first line has the names of the columns with their units, as
/// `final.body.energy (J)`. What is absent or not a number is empty.
///
/// # Errors
/// There is no such table, it is damaged, or `to` takes no more.
pub fn export_csv(folder: &Path, table: &str, to: impl Write) -> Result<u64, ExportError> {
    if !folder.join(MANIFEST).exists() {
        return Err(ExportError::NoRun(folder.to_owned()));
    }
    let manifest = Manifest::read(folder)?;
    let name = table.strip_suffix(TABLE).unwrap_or(table);
    let tables: Vec<String> =
        manifest.files.iter().filter_map(|file| file.name.strip_suffix(TABLE)).map(str::to_owned).collect();
    if !tables.iter().any(|known| known == name) {
        return Err(ExportError::NoTable { folder: folder.to_owned(), name: table.to_owned(), tables });
    }
    let file = format!("{name}{TABLE}");
    manifest.check(folder, &[&file])?;
    write_csv(&folder.join(file), to)
}

fn write_csv(file: &Path, to: impl Write) -> Result<u64, ExportError> {
    let open = regular::open(file).map_err(OutputError::io(file))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(open).map_err(OutputError::parquet(file))?;
    let schema = reader.schema().clone();
    let mut to = csv::Writer::from_writer(to);
    to.write_record(schema.fields().iter().map(|field| headed(field))).map_err(io_of)?;
    let mut rows = 0;
    for batch in reader.build().map_err(OutputError::parquet(file))? {
        let batch = batch
            .map_err(|error| OutputError::Table { file: file.to_owned(), message: error.to_string() })?;
        let columns: Vec<Cells<'_>> = batch
            .columns()
            .iter()
            .zip(schema.fields())
            .map(|(column, field)| Cells::of(column, file, field))
            .collect::<Result<_, _>>()?;
        for row in 0..batch.num_rows() {
            for column in &columns {
                to.write_field(column.text(row).as_bytes()).map_err(io_of)?;
            }
            to.write_record(None::<&[u8]>).map_err(io_of)?;
        }
        rows += batch.num_rows() as u64;
    }
    to.flush()?;
    Ok(rows)
}

fn io_of(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, format!("{other:?}")),
    }
}

/// Name and unit of a column.
fn headed(field: &Field) -> String {
    match field.metadata().get("unit").map(String::as_str) {
        // Rows of a long table have units of their own, in a column.
        None | Some("" | "1" | "see column unit") => field.name().clone(),
        Some(unit) => format!("{} ({unit})", field.name()),
    }
}

/// The cells of a column.
enum Cells<'a> {
    Double(&'a arrow_array::Float64Array),
    Single(&'a arrow_array::Float32Array),
    Integer(&'a arrow_array::UInt64Array),
    Text(&'a arrow_array::StringArray),
    /// Words by their numbers.
    Word(&'a arrow_array::UInt32Array, &'a arrow_array::StringArray),
}

impl<'a> Cells<'a> {
    fn of(column: &'a ArrayRef, file: &Path, field: &Field) -> Result<Cells<'a>, OutputError> {
        let words = |of: &'a ArrayRef| {
            let words = of.as_dictionary_opt::<UInt32Type>()?;
            Some(Cells::Word(words.keys(), words.values().as_string_opt()?))
        };
        let cells = match column.data_type() {
            DataType::Float64 => column.as_primitive_opt::<Float64Type>().map(Cells::Double),
            DataType::Float32 => column.as_primitive_opt::<Float32Type>().map(Cells::Single),
            DataType::UInt64 => column.as_primitive_opt::<UInt64Type>().map(Cells::Integer),
            DataType::Utf8 => column.as_string_opt().map(Cells::Text),
            _ => words(column),
        };
        cells.ok_or_else(|| OutputError::Table {
            file: file.to_owned(),
            message: format!("column {:?} is of type {}", field.name(), column.data_type()),
        })
    }

    /// Numbers in the fewest digits that read back as the same number, in the column's precision.
    fn text(&self, row: usize) -> Cow<'a, str> {
        match *self {
            Cells::Double(x) if x.is_valid(row) && !x.value(row).is_nan() => {
                format!("{:?}", x.value(row)).into()
            }
            Cells::Single(x) if x.is_valid(row) && !x.value(row).is_nan() => {
                format!("{:?}", x.value(row)).into()
            }
            Cells::Integer(n) if n.is_valid(row) => n.value(row).to_string().into(),
            Cells::Text(words) if words.is_valid(row) => words.value(row).into(),
            Cells::Word(keys, words) if keys.is_valid(row) => match words.len() as u32 > keys.value(row) {
                true => words.value(keys.value(row) as usize).into(),
                false => "".into(),
            },
            _ => "".into(),
        }
    }
}
