//! `instances.parquet`: one row an instance, written chunk after chunk while the run goes on, and
//! taken up again where a run was given up.

use serde::Deserialize;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_schema::Field;
use rayon::prelude::*;

use super::cards::INSTANCES;
use super::error::OutputError;
use super::new_file::NewFile;
use super::saved_table::SavedTable;
use super::table::{
    Column, ColumnType, ROWS_A_GROUP, TableState, TableWriter, field, float_array, integer_array, names_array,
};
use polhode_description::base::{Precision, VerdictNames, nearest};
use polhode_description::describe::InstanceTable;
use polhode_engine::observe::Verdict;
use polhode_engine::observe::stored::{StoreReader, StoreWriter, wrong};

/// Rows written at once, always: pages end where a writer looks at their size, and it looks by what
/// it is given.
const TOGETHER: usize = 1 << 14;
const _: () = assert!(ROWS_A_GROUP.is_multiple_of(TOGETHER));

/// A study wants a column that the table of its run does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "output.instances: there is no column {wanted:?}{}; {}",
    nearest.as_ref().map_or_else(String::new, |near| format!("; did you mean {near:?}?")),
    if columns.is_empty() { "a study of this kind has no table of \
                             instances".to_owned() } else { format!("there are {}", columns.join(", ")) }
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
    /// Names of the verdicts.
    names: VerdictNames,
    /// Rows of the row group under way. They are kept until it is whole, since a table that is
    /// taken up again goes on behind a whole one.
    instances: Vec<u64>,
    verdicts: Vec<Verdict>,
    verdict_steps: Vec<u64>,
    verdict_times: Vec<f64>,
    values: Vec<Vec<f64>>,
    /// The number of these rows that are in the table.
    flushed: usize,
}

/// A table under way, as it waits in a file to be taken up again.
#[derive(Deserialize)]
pub struct InstancesState {
    table: TableState,
    instances: Vec<u64>,
    verdicts: Vec<Verdict>,
    verdict_steps: Vec<u64>,
    verdict_times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl InstancesState {
    /// Reads what [`InstancesWriter::store`] wrote.
    pub fn load<R: Read>(from: &mut StoreReader<R>) -> io::Result<InstancesState> {
        let state: InstancesState = from.value()?;
        let rows = state.verdicts.len();
        let integers =
            [&state.instances, &state.verdict_steps].into_iter().all(|column| column.len() == rows);
        let numbers = state.values.iter().chain([&state.verdict_times]).all(|column| column.len() == rows);
        match integers && numbers && rows < ROWS_A_GROUP {
            true => Ok(state),
            false => Err(wrong("rows of a table that are not whole")),
        }
    }
}

/// Instances `first`, `first + 1`, ... Every slice is as long as `verdicts`.
pub struct InstancesChunk<'a> {
    pub first: u64,
    pub verdicts: &'a [Verdict],
    /// The step at which each verdict was passed: the last one for those that finished.
    pub verdict_steps: &'a [u64],
    /// The full step of each (s), where they differ.
    pub own_steps: Option<&'a [f64]>,
    /// The time at which each verdict was passed (s); `None`: it follows from the steps.
    pub verdict_times: Option<&'a [f64]>,
    /// One slice for each column given to [`InstancesWriter::create`], empty where it is not kept;
    /// NaN is written as null.
    pub values: &'a [&'a [f64]],
}

impl InstancesWriter {
    /// `columns`: drawn values, initial and final channels, ... in any order, of which those are
    /// written that the table [`keeps`](InstanceTable::keeps); `step` h (s); `names`: of verdicts.
    pub fn create(
        file: &NewFile,
        columns: &[Column],
        step: f64,
        table: &InstanceTable,
        names: &VerdictNames,
    ) -> Result<Self, OutputError> {
        Self::new(columns, step, table, names, |fields| TableWriter::create(file, fields, INSTANCES.row))
    }

    /// As [`create`](Self::create), going on with a file that was given up at this state.
    ///
    /// # Errors
    /// The file does not begin with the rows that it had then.
    pub fn resume(
        file: &NewFile,
        columns: &[Column],
        step: f64,
        table: &InstanceTable,
        names: &VerdictNames,
        state: InstancesState,
    ) -> Result<Self, OutputError> {
        let InstancesState { table: of_table, instances, verdicts, verdict_steps, verdict_times, values } =
            state;
        let resumed = |fields| TableWriter::resume(file, fields, INSTANCES.row, &of_table);
        let mut writer = Self::new(columns, step, table, names, resumed)?;
        if values.len() != writer.kept.len() {
            let message = "has other columns than when it was written".to_owned();
            return Err(OutputError::Table { file: file.to_path_buf(), message });
        }
        writer = Self { instances, verdicts, verdict_steps, verdict_times, values, ..writer };
        while writer.flushed + TOGETHER <= writer.verdicts.len() {
            writer.flush(writer.flushed + TOGETHER)?;
        }
        Ok(writer)
    }

    /// Writes how far the table is, and syncs its rows to the disk.
    pub fn store<W: Write>(&mut self, to: &mut StoreWriter<W>) -> Result<io::Result<()>, OutputError> {
        let Some(table) = &mut self.table else { return Ok(Ok(())) };
        let state = table.state()?;
        let Self { instances, verdicts, verdict_steps, verdict_times, values, .. } = &*self;
        Ok(to.value(&(state, instances, verdicts, verdict_steps, verdict_times, values)))
    }

    fn new(
        columns: &[Column],
        step: f64,
        table: &InstanceTable,
        names: &VerdictNames,
        open: impl FnOnce(Vec<Field>) -> Result<TableWriter, OutputError>,
    ) -> Result<Self, OutputError> {
        let kept: Vec<usize> = (0..columns.len()).filter(|k| table.keeps(&columns[*k].name)).collect();
        let number = |column: &Column| {
            field(&column.name, &column.unit, &column.description, ColumnType::Float(column.precision))
        };
        let fields = INSTANCES.fields(&[]).chain(kept.iter().map(|k| number(&columns[*k]))).collect();
        let table = match table {
            InstanceTable::None => None,
            _ => Some(open(fields)?),
        };
        Ok(Self {
            table,
            columns: columns.len(),
            precisions: kept.iter().map(|k| columns[*k].precision).collect(),
            step,
            names: names.clone(),
            instances: Vec::new(),
            verdicts: Vec::new(),
            verdict_steps: Vec::new(),
            verdict_times: Vec::new(),
            values: vec![Vec::new(); kept.len()],
            flushed: 0,
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
            let waiting = self.verdicts.len() - self.flushed;
            let end = chunk.verdicts.len().min(at + TOGETHER - waiting);
            self.instances.extend(chunk.first + at as u64..chunk.first + end as u64);
            self.verdicts.extend_from_slice(&chunk.verdicts[at..end]);
            self.verdict_steps.extend_from_slice(&chunk.verdict_steps[at..end]);
            match chunk.verdict_times {
                Some(times) => self.verdict_times.extend_from_slice(&times[at..end]),
                None => {
                    let step = |i: usize| chunk.own_steps.map_or(self.step, |steps| steps[i]);
                    self.verdict_times.extend((at..end).map(|i| chunk.verdict_steps[i] as f64 * step(i)));
                }
            }
            for (waiting, k) in self.values.iter_mut().zip(&self.kept) {
                waiting.extend_from_slice(&chunk.values[*k][at..end]);
            }
            if self.verdicts.len() - self.flushed == TOGETHER {
                self.flush(self.verdicts.len())?;
            }
            at = end;
        }
        Ok(())
    }

    /// Hands the rows that wait to the table, up to this one.
    fn flush(&mut self, end: usize) -> Result<(), OutputError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let rows = self.flushed..end;
        let mut arrays = vec![
            integer_array(self.instances[rows.clone()].iter().copied()),
            names_array(&self.verdicts[rows.clone()], |verdict| self.names.of(verdict)),
            integer_array(self.verdict_steps[rows.clone()].iter().copied()),
            float_array(self.verdict_times[rows.clone()].iter().copied(), Precision::F64),
        ];
        let values = self.values.par_iter().zip(&self.precisions);
        let values =
            values.map(|(values, &precision)| float_array(values[rows.clone()].iter().copied(), precision));
        arrays.extend(values.collect::<Vec<_>>());
        self.flushed = rows.end;
        if self.flushed == ROWS_A_GROUP {
            self.instances.clear();
            self.verdicts.clear();
            self.verdict_steps.clear();
            self.verdict_times.clear();
            self.values.iter_mut().for_each(Vec::clear);
            self.flushed = 0;
        }
        table.write(arrays)
    }

    /// Appends rows of a table that is whole, whose instances go on with `first`; `columns` are
    /// those given to [`create`](Self::create).
    ///
    /// # Errors
    /// The table cannot be read, or does not have these rows.
    pub fn append(
        &mut self,
        columns: &[Column],
        TableRows { table, rows }: &TableRows,
        first: u64,
        interrupted: &AtomicBool,
    ) -> Result<(), OutputError> {
        let strange = |message: String| OutputError::Table { file: table.clone(), message };
        let verdicts = self.names.clone();
        let verdict = |name: &String| {
            let known = verdicts.find(name);
            known.ok_or_else(|| strange(format!("has the verdict {name}, which there is not")))
        };
        let (mut next, end) = (first, first + rows.len() as u64);
        if rows.end > SavedTable::rows(table)? {
            return Err(strange(format!("ends before instance {end}")));
        }
        let names = SavedTable::open(table)?.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for part in SavedTable::selected(table, &names, vec![rows.clone()])? {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            let part = part?;
            let instances = part.integers("instance")?;
            let expected = next..next + instances.len() as u64;
            if expected.end > end || !instances.iter().copied().eq(expected.clone()) {
                return Err(strange(format!("does not go on with instance {next} up to {end}")));
            }
            let verdicts = part.texts("verdict")?.iter().map(verdict).collect::<Result<Vec<_>, _>>()?;
            let values = columns.iter().enumerate().map(|(k, column)| match self.kept.contains(&k) {
                true => part.floats(&column.name),
                false => Ok(Vec::new()),
            });
            let values = values.collect::<Result<Vec<_>, _>>()?;
            self.write(&InstancesChunk {
                first: next,
                verdicts: &verdicts,
                verdict_steps: &part.integers("verdict_step")?,
                own_steps: None,
                verdict_times: Some(&part.floats("verdict_time")?),
                values: &values.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            })?;
            next = expected.end;
        }
        match next == end {
            true => Ok(()),
            false => Err(strange(format!("ends before instance {next}, and should before {end}"))),
        }
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), OutputError> {
        if self.verdicts.len() > self.flushed {
            self.flush(self.verdicts.len())?;
        }
        self.table.map_or(Ok(()), TableWriter::finish)
    }
}

/// Some rows of such a table.
pub struct TableRows {
    pub table: PathBuf,
    pub rows: Range<usize>,
}

/// Writes rows of several such tables, one after the other: the bytes of a table written at once.
/// Their instances follow each other. Once `interrupted` is true, rows are left out.
///
/// # Errors
/// A table cannot be read, or does not have these rows.
pub fn append_tables(
    file: &NewFile,
    parts: &[TableRows],
    names: &VerdictNames,
    interrupted: &AtomicBool,
) -> Result<(), OutputError> {
    let mut all: Option<(InstancesWriter, Vec<Column>)> = None;
    let mut next = 0;
    for part in parts {
        let columns = SavedTable::open(&part.table)?.number_columns(INSTANCES.columns.len());
        let (writer, known) = match &mut all {
            Some(all) => all,
            None => {
                let writer = InstancesWriter::create(file, &columns, f64::NAN, &InstanceTable::All, names)?;
                all.insert((writer, columns.clone()))
            }
        };
        if *known != columns {
            let message = "has other columns than the shards before".to_string();
            return Err(OutputError::Table { file: part.table.clone(), message });
        }
        writer.append(&columns, part, next, interrupted)?;
        next += part.rows.len() as u64;
    }
    all.map_or(Ok(()), |(writer, _)| writer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u64 = 2 * ROWS_A_GROUP as u64 + 100_000;

    fn columns() -> Vec<Column> {
        let column = |name: &str, precision| Column {
            name: name.to_owned(),
            unit: "m".to_owned(),
            description: String::new(),
            precision,
        };
        vec![
            column("wide", Precision::F64),
            column("left_out", Precision::F64),
            column("single", Precision::F32),
        ]
    }

    fn kept() -> InstanceTable {
        InstanceTable::Columns(vec!["wide".to_owned(), "single".to_owned()])
    }

    fn write(writer: &mut InstancesWriter, instances: Range<u64>) {
        let verdict = |i: u64| if i.is_multiple_of(1000) { Verdict::NonFinite } else { Verdict::Finished };
        let verdicts: Vec<Verdict> = instances.clone().map(verdict).collect();
        let steps: Vec<u64> = instances.clone().map(|i| i % 77).collect();
        let wide: Vec<f64> =
            instances.clone().map(|i| if i % 97 == 0 { f64::NAN } else { (i as f64).sin() }).collect();
        writer
            .write(&InstancesChunk {
                first: instances.start,
                verdicts: &verdicts,
                verdict_steps: &steps,
                own_steps: None,
                verdict_times: None,
                values: &[&wide, &[], &wide],
            })
            .unwrap();
    }

    /// The table written in chunks of this size from the first one on, at the ends of which it may
    /// be given up and taken up again.
    fn table(file: &NewFile, chunk: u64, given_up_at: &[u64]) -> Vec<u8> {
        let mut writer =
            InstancesWriter::create(file, &columns(), 0.01, &kept(), &VerdictNames::default()).unwrap();
        let mut next = 0;
        while next < SIZE {
            let end = SIZE.min(next + chunk);
            write(&mut writer, next..end);
            next = end;
            if !given_up_at.contains(&next) {
                continue;
            }
            let mut state = Vec::new();
            let mut to = StoreWriter::new(&mut state);
            writer.store(&mut to).unwrap().unwrap();
            to.finish().unwrap();
            // More was written before it was given up.
            write(&mut writer, end..end + 300_000);
            drop(writer);
            let state = InstancesState::load(&mut StoreReader::new(&state[..])).unwrap();
            writer =
                InstancesWriter::resume(file, &columns(), 0.01, &kept(), &VerdictNames::default(), state)
                    .unwrap();
        }
        writer.finish().unwrap();
        std::fs::read(&**file).unwrap()
    }

    #[test]
    fn a_table_taken_up_again_has_the_bytes_of_one_written_at_once() {
        let home = tempfile::tempdir().unwrap();
        let file = NewFile::alone(home.path().join(INSTANCES.file));
        let whole = table(&file, 100_000, &[]);
        assert!(table(&file, 100_000, &[300_000]) == whole, "given up once");
        assert!(table(&file, 70_000, &[70_000, 280_000, 560_000]) == whole, "given up three times");
        assert_eq!(SavedTable::rows(&file).unwrap() as u64, SIZE);
    }

    #[test]
    fn damaged_rows_are_not_taken_up_again() {
        let home = tempfile::tempdir().unwrap();
        let file = NewFile::alone(home.path().join(INSTANCES.file));
        let mut writer =
            InstancesWriter::create(&file, &columns(), 0.01, &kept(), &VerdictNames::default()).unwrap();
        write(&mut writer, 0..300_000);
        let mut state = Vec::new();
        let mut to = StoreWriter::new(&mut state);
        writer.store(&mut to).unwrap().unwrap();
        to.finish().unwrap();
        drop(writer);
        let whole = std::fs::read(&*file).unwrap();
        let again = || {
            let state = InstancesState::load(&mut StoreReader::new(&state[..])).unwrap();
            InstancesWriter::resume(&file, &columns(), 0.01, &kept(), &VerdictNames::default(), state)
                .map(drop)
        };
        for place in [0, 10, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            std::fs::write(&*file, &damaged).unwrap();
            assert!(again().unwrap_err().to_string().contains("is damaged"), "byte {place}");
        }
        std::fs::write(&*file, &whole[..whole.len() - 1]).unwrap();
        assert!(again().unwrap_err().to_string().contains("is damaged"), "cut short");
        std::fs::write(&*file, &whole).unwrap();
        again().unwrap();
    }
}
