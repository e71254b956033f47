//! Tables as CSV: every number comes back, and nothing is replaced unasked.

use std::fs;
use std::path::{Path, PathBuf};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use polhode::output::export_csv;
use tempfile::TempDir;

use crate::command::{altered, ends_with, names, path};

fn ran(home: &Path, precision: &str) -> PathBuf {
    let changes = [
        ("ensemble.size", "30"),
        ("method.duration", "\"1 s\""),
        ("observe.every", "\"0.1 s\""),
        ("observe.channels", "[\"energy_drift\", \"attitude\"]"),
        ("observe.keep", "3"),
        ("verdict.energy", "1e-7"),
        ("run.backend", "\"cpu\""),
        ("run.precision", precision),
        ("output.plots", "false"),
    ];
    let (study, out) = (altered("tumbling", home, &changes), home.join(precision.trim_matches('"')));
    let run = ["run", path(&study), "--out", path(&out), "--quiet"];
    // Single precision does not stay within that bound.
    let ended = if precision.contains("32") { 3 } else { 0 };
    ends_with(ended, &run);
    out
}

/// All tables of a result, cell by cell beside the Parquet file.
#[test]
fn every_cell_comes_back() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
    use arrow_schema::DataType;
    let home = TempDir::new().unwrap();
    let mut numbers = [0; 3];
    for precision in ["\"f64\"", "\"f32\""] {
        let folder = ran(home.path(), precision);
        for table in
            ["instances", "statistics.parquet", "trajectories", "histograms", "motion", "correlations"]
        {
            let mut text = Vec::new();
            let rows =
                export_csv(&folder, table, &mut text).unwrap_or_else(|error| panic!("{table}: {error}"));
            let mut read = csv::Reader::from_reader(&text[..]);
            let header = read.headers().unwrap().clone();
            let records: Vec<csv::StringRecord> = read.records().collect::<Result<_, _>>().unwrap();
            assert_eq!(records.len() as u64, rows);
            let file = folder.join(table.trim_end_matches(".parquet")).with_extension("parquet");
            let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(file).unwrap()).unwrap();
            let fields = reader.schema().fields().clone();
            assert_eq!(header.len(), fields.len());
            for (head, field) in header.iter().zip(&fields) {
                let unit = &field.metadata()["unit"];
                let with_unit = format!("{} ({unit})", field.name());
                assert!(
                    head == with_unit
                        || (["", "1", "see column unit"].contains(&unit.as_str()) && head == field.name()),
                    "{head}"
                );
            }
            let mut at = 0;
            for batch in reader.build().unwrap() {
                let batch = batch.unwrap();
                for row in 0..batch.num_rows() {
                    for (k, column) in batch.columns().iter().enumerate() {
                        let cell = &records[at + row][k];
                        let shown = || format!("{table} {} row {row}: {cell:?}", fields[k].name());
                        let same = match column.data_type() {
                            _ if column.is_null(row) => cell.is_empty(),
                            DataType::Float64 => {
                                numbers[0] += 1;
                                let x = column.as_primitive::<Float64Type>().value(row);
                                if x.is_nan() {
                                    cell.is_empty()
                                } else {
                                    cell.parse::<f64>().unwrap().to_bits() == x.to_bits()
                                }
                            }
                            DataType::Float32 => {
                                numbers[1] += 1;
                                let x = column.as_primitive::<Float32Type>().value(row);
                                if x.is_nan() {
                                    cell.is_empty()
                                } else {
                                    cell.parse::<f32>().unwrap().to_bits() == x.to_bits()
                                }
                            }
                            DataType::UInt64 => {
                                cell.parse() == Ok(column.as_primitive::<UInt64Type>().value(row))
                            }
                            _ => {
                                numbers[2] += 1;
                                let words = arrow_array::cast::downcast_array::<
                                    arrow_array::DictionaryArray<arrow_array::types::UInt32Type>,
                                >(column);
                                let key = words.keys().value(row) as usize;
                                words.values().as_string::<i32>().value(key) == cell
                            }
                        };
                        assert!(same, "{}", shown());
                    }
                }
                at += batch.num_rows();
            }
            assert_eq!(at as u64, rows);
        }
    }
    assert!(numbers.iter().all(|count| *count > 100), "{numbers:?}");
}

#[test]
fn tables_are_printed_or_written_and_nothing_is_replaced_unasked() {
    let home = TempDir::new().unwrap();
    let folder = ran(home.path(), "\"f64\"");
    let file = home.path().join("table.csv");
    let (printed, _) = ends_with(0, &["export", path(&folder), "--csv"]);
    assert!(printed.starts_with("instance,") && printed.lines().count() == 31, "{printed}");
    let (wrote, _) = ends_with(0, &["export", path(&folder), "--out", path(&file)]);
    assert_eq!(wrote, format!("wrote 30 rows into {}\n", path(&file)));
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    let before = names(home.path());
    let again = ["export", path(&folder), "statistics", "--out", path(&file)];
    let (_, said) = ends_with(2, &again);
    assert_eq!(said, format!("error: {}: exists already; --overwrite replaces it\n", path(&file)));
    ends_with(0, &[&again[..], &["--overwrite"]].concat());
    assert!(fs::read_to_string(&file).unwrap().starts_with("time (s),"));
    for (arguments, message) in [
        (
            &["export", path(&folder), "instance"][..],
            "has no table \"instance\"; did you mean `instances`?; it has ",
        ),
        (&["export", path(home.path())], "is no result of polhode (no manifest.json)"),
        (&["export", path(&folder), "../study"], "has no table"),
        (
            &["export", path(&folder), "--out", path(&home.path().join("no/table.csv"))],
            "No such file or directory",
        ),
    ] {
        let code = if message.starts_with("No such") { 1 } else { 2 };
        let (printed, said) = ends_with(code, arguments);
        assert!(printed.is_empty() && said.starts_with("error: ") && said.contains(message), "{said}");
    }
    // A flipped bit, and a full disk.
    let table = folder.join("instances.parquet");
    let bytes = fs::read(&table).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    fs::write(&table, damaged).unwrap();
    let (printed, said) = ends_with(2, &["export", path(&folder)]);
    assert!(printed.is_empty() && said.contains("instances.parquet: is damaged: "), "{said}");
    fs::write(&table, bytes).unwrap();
    if cfg!(target_os = "linux") {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = crate::command::polhode(&["export", path(&folder)]).stdout(full).output().unwrap();
        assert_eq!(ended.status.code(), Some(1));
    }
    assert_eq!(names(home.path()), before);
}

/// An export that was killed leaves a file beside its target, which the next one in the folder
/// removes; one that is under way keeps its own, and so does a file of the user.
#[test]
fn what_a_killed_export_leaves_is_removed_by_the_next() {
    let home = TempDir::new().unwrap();
    let folder = ran(home.path(), "\"f64\"");
    let place = home.path().join("tables");
    fs::create_dir(&place).unwrap();
    for name in [".polhode-export-abc", ".polhode-export-xyz", ".polhode-exports.csv"] {
        fs::write(place.join(name), "half a table").unwrap();
    }
    let under_way = fs::File::options().write(true).open(place.join(".polhode-export-xyz")).unwrap();
    under_way.lock().unwrap();
    ends_with(0, &["export", path(&folder), "--out", path(&place.join("t.csv"))]);
    assert_eq!(names(&place), [".polhode-export-xyz", ".polhode-exports.csv", "t.csv"]);
}
