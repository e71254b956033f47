//! The kind `sensitivity`: rows of a design run like any ensemble,
//! and [indices](crate::observe::indices) of every output.
//!
//! Outputs are the observed channels at the end, their highest and lowest values over the
//! snapshots, and their values at snapshots in time. All of them are kept for all instances until
//! the end, and so memory limits how many there may be.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::prelude::*;

use crate::backend::{Backend, Batch, End, Plan};
use crate::describe::{ObservedChannel, Sensitivity, Study};
use crate::ensemble::Sampler;
use crate::ensemble::sampling::screening::MorrisTrajectory;
use crate::observe::channels::{ChannelColumn, Observer, columns};
use crate::observe::indices::{Answer, RESAMPLES, answer};
use crate::observe::stored::{StoreReader, StoreWriter, wrong};
use crate::observe::{Share, channels};
use crate::output::sensitivity::{IndexConvergence, Output, SensitivityFindings, SensitivityReport, When};
use crate::output::{Column, INSTANCES, InstancesWriter, Manifest, OutputFolder, RunOutcome, check_columns};
use crate::study::accuracy::measure;
use crate::study::checkpoint::{Found, Header, Kept, TableOf, folder_of};
use crate::study::cost::{RunOutlook, threads};
use crate::study::driver::{Driver, FinishedRows, room, run_workload};
use crate::study::final_columns::{final_channels, instance_columns};
use crate::study::march::{BatchRun, Piece};
use crate::study::merging::{MergeError, Merging, finish_shard};
use crate::study::plan::draw_chunk;
use crate::study::planned_run::{on_plan, planned, unforeseen};
use crate::study::results::RunRecords;
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::unserved::Unserved;

/// Most snapshots at which indices are found; of more, some evenly spread are taken.
const TIMES: usize = 100;

/// Sets of rows drawn for the intervals of an index in time, which are shown as bands.
const RESAMPLES_IN_TIME: usize = 100;

/// Most memory for the outputs of all instances (bytes).
const MEMORY: u64 = 8 << 30;

/// Part of that memory for the snapshots in time (bytes).
const MEMORY_IN_TIME: u64 = 2 << 30;

/// Parts of the design whose indices are compared, as divisors of the number of rows.
const PARTS: [usize; 4] = [8, 4, 2, 1];

/// Numbers of all instances for every column: `[column][instance]`.
type Table = Vec<Vec<f64>>;

/// Refuses a study whose outputs would not fit in memory.
fn check(settings: &Sensitivity, study: &Study, plan: &Plan) -> Result<(), RunError> {
    let width = Observer::new(plan, &study.observe.channels).width() as u64;
    if width == 0 {
        return Err(Unserved::NothingObserved.into());
    }
    let sampler = Sampler::new(study)?;
    // A study file has no other size; one that was changed in code may have.
    if let Some(found) = settings.is_not(study.ensemble.size, sampler.inputs().len()) {
        return Err(Unserved::OtherSize(found).into());
    }
    check_columns(&study.output.instances, &table_columns(study, plan, &sampler))?;
    let bytes = outputs_bytes(study, width);
    if bytes <= MEMORY {
        return Ok(());
    }
    let (instances, gib) = (study.ensemble.size, bytes as f64 / f64::from(1 << 30));
    Err(Unserved::TooManyOutputs { instances, width, gib, most: MEMORY >> 30 }.into())
}

/// At the end, highest and lowest.
fn outputs_bytes(study: &Study, width: u64) -> u64 {
    study.ensemble.size.saturating_mul(3 * 8 * width)
}

/// All outputs of all instances (bytes).
pub fn kept_bytes(study: &Study, plan: &Plan) -> u64 {
    let width = Observer::new(plan, &study.observe.channels).width();
    let outputs = outputs_bytes(study, width as u64);
    let times = chosen_times(study, plan.schedule.snapshots().len(), width).len() as u64;
    outputs + outputs / 3 * times
}

/// The snapshots at which indices are found, a function of the study alone.
fn chosen_times(study: &Study, snapshots: usize, width: usize) -> Vec<usize> {
    let each = outputs_bytes(study, width as u64) / 3;
    let affordable = usize::try_from(MEMORY_IN_TIME / each.max(1)).unwrap_or(usize::MAX);
    let count = snapshots.min(TIMES + 1).min(affordable);
    let last = snapshots - 1;
    match count {
        0 | 1 => Vec::new(),
        _ => (0..count).map(|k| k * last / (count - 1)).collect(),
    }
}

/// The columns of `instances.parquet` after the verdicts: those of any run, and the extremes of
/// what is observed.
fn table_columns(study: &Study, plan: &Plan, sampler: &Sampler) -> Vec<Column> {
    let mut all = instance_columns(study, sampler, &final_channels(study, plan));
    for (prefix, what) in
        [("highest", "highest value of all snapshots"), ("lowest", "lowest value of all snapshots")]
    {
        all.extend(columns(&study.mechanism, &study.observe.channels).into_iter().map(|c| Column {
            name: format!("{prefix}.{}", c.name),
            unit: c.unit.to_string(),
            description: format!("{}; {what}, where the instance finished", c.description),
            precision: study.run.precision,
        }));
    }
    all
}

impl Runnable for Sensitivity {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        on_plan(study, under, |plan, found| {
            check(self, study, &plan)?;
            let sampler = Sampler::new(study)?;
            Design::new(study, *self, plan, sampler).run(under, found)
        })
    }

    fn merge(&self, study: &Study, mut merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let plan = merging.planned(planned(study)?, 0, study);
        let sampler = Sampler::new(study).map_err(RunError::from)?;
        let design = Design::new(study, *self, plan, sampler);
        let mut kept = design.nothing_kept(0..study.ensemble.size);
        merging.absorb(&mut kept)?;
        merging.append_instances(study, INSTANCES.file, 1)?;
        let Merging { folder, manifest, study_toml, interrupted, .. } = merging;
        let found = design.analyse(&kept.tables, false);
        Ok(design.conclude(folder, interrupted, &kept, &found, &study_toml, manifest)?)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        check(self, study, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        kept_bytes(study, plan)
    }

    /// Indices are found once, of numbers that are any, to know how long that takes.
    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let mut forecast = RunOutlook { pictures: 0, ..RunOutlook::judged(study) };
        let sampler = Sampler::new(study).ok()?;
        let trajectories: Vec<MorrisTrajectory> =
            (0..self.samples).map_while(|row| sampler.trajectory(row)).collect();
        let values: Vec<f64> = (0..study.ensemble.size).map(|i| (i as f64).sin()).collect();
        let (inputs, seed) = (sampler.inputs().len(), study.ensemble.seed);
        let begun = Instant::now();
        answer(self.method, &values, inputs, &trajectories, RESAMPLES_IN_TIME, seed);
        let width = columns(&study.mechanism, &study.observe.channels).len();
        let snapshots = study.method.steps.div_ceil(study.observe.every) as usize + 1;
        let times = chosen_times(study, snapshots, width).len() as f64;
        let of_all = 3.0 * RESAMPLES as f64 / RESAMPLES_IN_TIME as f64 + times;
        forecast.afterwards = begun.elapsed().as_secs_f64() * width as f64 * of_all / threads(study) as f64;
        forecast.passes.iter_mut().for_each(|pass| pass.batches.truncate(1));
        forecast.pictures = 4 * width;
        Some(forecast)
    }
}

/// A study under way.
struct Design<'a> {
    study: &'a Study,
    asked: Sensitivity,
    plan: Plan,
    sampler: Sampler,
    columns: Vec<ChannelColumn>,
    final_channels: Vec<ObservedChannel>,
    /// Times of the snapshots (s).
    times: Vec<f64>,
    /// Those at which indices are found.
    chosen: Vec<usize>,
}

/// A chunk that is to be written.
struct FinishedChunk {
    first: u64,
    ends: Vec<End>,
    drawn: Vec<f64>,
    /// By column.
    values: Vec<Vec<f64>>,
}

/// Outputs that the instances have shown; NaN: none.
struct OutputTables {
    /// The instance of the first row.
    base: u64,
    last: Table,
    highest: Table,
    lowest: Table,
    /// By chosen time.
    series: Vec<Table>,
}

/// The outputs and records that are kept over all chunks.
struct OutputsKept {
    tables: OutputTables,
    results: RunRecords,
}

impl OutputTables {
    /// The rows of these instances.
    fn rows(&self, instances: &Range<u64>) -> Range<usize> {
        (instances.start - self.base) as usize..(instances.end - self.base) as usize
    }

    fn columns(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let Self { last, highest, lowest, series, .. } = self;
        [last, highest, lowest].into_iter().chain(series).flatten()
    }
}

impl Kept for OutputsKept {
    fn store<W: Write>(&self, instances: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        let rows = self.tables.rows(instances);
        let OutputTables { last, highest, lowest, series, .. } = &self.tables;
        for column in [last, highest, lowest].into_iter().chain(series).flatten() {
            to.value(&column[rows.clone()])?;
        }
        self.results.store(instances, to)
    }

    fn absorb<R: Read>(&mut self, instances: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        let rows = self.tables.rows(instances);
        for column in self.tables.columns() {
            let stored: Vec<f64> = from.value()?;
            if stored.len() != rows.len() {
                return Err(wrong("it has not as many outputs as instances"));
            }
            column[rows.clone()].copy_from_slice(&stored);
        }
        self.results.absorb(instances, from)
    }
}

impl<'a> Design<'a> {
    /// Returns the outputs and records of these instances before any of them has been advanced.
    fn nothing_kept(&self, instances: Range<u64>) -> OutputsKept {
        let count = (instances.end - instances.start) as usize;
        let table = || vec![vec![f64::NAN; count]; self.columns.len()];
        let tables = OutputTables {
            base: instances.start,
            last: table(),
            highest: table(),
            lowest: table(),
            series: self.chosen.iter().map(|_| table()).collect(),
        };
        OutputsKept { tables, results: RunRecords::new(self.study, 0, 0) }
    }

    fn new(study: &'a Study, settings: Sensitivity, plan: Plan, sampler: Sampler) -> Design<'a> {
        let columns = columns(&study.mechanism, &study.observe.channels);
        let times: Vec<f64> =
            plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        let chosen = chosen_times(study, times.len(), columns.len());
        let final_channels = final_channels(study, &plan);
        Design { study, asked: settings, plan, sampler, columns, final_channels, times, chosen }
    }

    fn run(self, under: &RunContext<'_>, found: Option<Found>) -> Result<RunOutcome, RunError> {
        let RunContext { listener, interrupted, .. } = *under;
        let instances = under.instances(self.study.ensemble.size);
        let count = instances.end - instances.start;
        let mut driver = Driver::new(listener, interrupted, count.saturating_mul(self.plan.schedule.steps));
        let folder = folder_of(under, found.as_ref(), &[INSTANCES.file])?;
        let work = run_workload(self.study, under, found.as_ref());
        let chosen = driver.choose(&self.plan, &self.study.run, &work)?;
        driver.say(&format!("backend: {}", chosen.line));
        let begun = under.manifest(self.study, &chosen);
        let mut backend = chosen.backend;

        under.check_alike(&backend.arithmetic())?;
        let header = Header::new(self.study, under.shard, backend.arithmetic(), &[&self.plan]);
        let columns = table_columns(self.study, &self.plan, &self.sampler);
        let table = TableOf { file: INSTANCES.file, columns: &columns, step: self.plan.schedule.h };
        let kept = self.nothing_kept(instances.clone());
        let begin = (folder, found);
        let mut keeping = driver.begin(self.study, kept, &table, begin, (&header, &instances))?;
        let capacity = room(&self.plan, columns.len()).min(backend.capacity() as u64);
        let drawn = |range: Range<u64>| {
            draw_chunk(self.study, &self.plan, &self.sampler, range, interrupted)
                .map_err(unforeseen(under.shard))
        };
        let advance = |driver: &mut Driver<'_>, kept: &mut OutputsKept, range: Range<u64>, batch| {
            self.chunk(driver, &mut *backend, range, batch, kept)
        };
        let write = |writer: &mut InstancesWriter, chunk: FinishedChunk| {
            let FinishedChunk { first, ends, drawn, values } = &chunk;
            let rows = FinishedRows { first: *first, ends, drawn, own_steps: None };
            rows.write(writer, &[], &values.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let size = (self.study.run.chunk, capacity);
        driver.pipeline(&mut keeping, instances.end, size, drawn, advance, write)?;
        let (measured, complete) = match keeping.kept.results.advanced == count {
            true => driver.judge(&mut keeping, || measure(self.study, None, interrupted))?,
            false => (None, false),
        };
        let (kept, writer, mut folder) = keeping.end();
        driver.close(writer)?;
        if complete {
            folder.complete();
        }
        if let Some(measured) = &measured {
            measured.write(&folder, self.study)?;
        }
        // A shard is of no use for indices.
        let cut = !complete && driver.is_interrupted();
        let found = under.shard.is_none().then(|| driver.observe(|| self.analyse(&kept.tables, cut)));
        let manifest = Manifest {
            complete,
            accuracy: measured.map(|measured| measured.accuracy),
            shard: under.shard,
            instances: count,
            advanced: kept.results.advanced,
            verdicts: kept.results.counts.clone(),
            ..driver.account(begun)
        };
        match found {
            Some(found) => self.conclude(folder, interrupted, &kept, &found, &header.study, manifest),
            None => Ok(finish_shard(self.study, folder, &header, &instances, &kept, manifest)?),
        }
    }

    /// Writes all that follows from what was kept.
    fn conclude(
        &self,
        folder: OutputFolder,
        interrupted: &AtomicBool,
        kept: &OutputsKept,
        found: &SensitivityFindings,
        study_toml: &str,
        manifest: Manifest,
    ) -> Result<RunOutcome, RunError> {
        let report = SensitivityReport {
            study: self.study,
            study_toml,
            asked: self.asked,
            found,
            failures: &kept.results.failures,
        };
        Ok(report.answer(&manifest).write(folder, interrupted, manifest)?)
    }

    /// Takes a batch and its drawn numbers to the end.
    fn chunk(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        range: Range<u64>,
        (batch, drawn): (Batch, Vec<f64>),
        OutputsKept { tables: seen, results }: &mut OutputsKept,
    ) -> Result<FinishedChunk, RunError> {
        let rows = seen.rows(&range);
        let first = rows.start;
        let observer = Observer::new(&self.plan, &self.study.observe.channels);
        let mut march = BatchRun::new(&self.plan, observer, &batch);
        let last_time = self.times.len() - 1;
        let each = |time: usize, pieces: &[Piece]| {
            if let Some(k) = self.chosen.iter().position(|chosen| *chosen == time) {
                take(&mut seen.series[k], first, pieces, |_, x| x);
            }
            // Neither of NaN: of a channel without a value yet, such as the time of an event.
            take(&mut seen.highest, first, pieces, f64::max);
            take(&mut seen.lowest, first, pieces, f64::min);
            if time == last_time {
                take(&mut seen.last, first, pieces, |_, x| x);
            }
        };
        driver.advance(backend, &mut march, None, each)?;
        let (finals, ends) = driver.finish(&mut march, &Observer::new(&self.plan, &self.final_channels));
        // An instance that ended early has no outputs, and its row none.
        let names = self.study.mechanism.verdict_names();
        for (i, _) in ends.iter().enumerate().filter(|(_, end)| !names.is_whole(end.verdict)) {
            seen.columns().for_each(|column| column[first + i] = f64::NAN);
        }
        results.count(range.start, &ends);
        let mut values = finals;
        values.extend(seen.highest.iter().chain(&seen.lowest).map(|column| column[rows.clone()].to_vec()));
        Ok(FinishedChunk { first: range.start, ends, drawn, values })
    }

    /// The indices of every output. Whoever has interrupted the run waits for coarse intervals at
    /// the end, and for none in time.
    fn analyse(&self, tables: &OutputTables, interrupted: bool) -> SensitivityFindings {
        let inputs = self.sampler.inputs();
        let rows = self.asked.samples;
        let places = self.asked.places(inputs.len()) as usize;
        let trajectories: Vec<MorrisTrajectory> =
            (0..rows).map_while(|row| self.sampler.trajectory(row)).collect();
        let seed = self.study.ensemble.seed;
        let (at_end, in_time) = match interrupted {
            true => (RESAMPLES_IN_TIME, 0),
            false => (RESAMPLES, RESAMPLES_IN_TIME),
        };
        let answer_of = |values: &[f64], resamples: usize| {
            answer(self.asked.method, values, inputs.len(), &trajectories, resamples, seed)
        };
        let mut jobs: Vec<(Output, &[f64], usize)> = Vec::new();
        for (when, table) in
            [(When::End, &tables.last), (When::Highest, &tables.highest), (When::Lowest, &tables.lowest)]
        {
            for (column, values) in table.iter().enumerate() {
                // A time of an event has neither: it is what it is once it has come.
                let event = matches!(self.columns[column].channel, channels::CAUGHT | channels::RELEASED);
                if when == When::End || !event {
                    jobs.push((Output { column, when }, values, at_end));
                }
            }
        }
        for (k, table) in tables.series.iter().enumerate() {
            for (column, values) in table.iter().enumerate() {
                let when = When::At(self.times[self.chosen[k]]);
                jobs.push((Output { column, when }, values, in_time));
            }
        }
        let answers: Vec<(Output, Answer)> = jobs
            .into_par_iter()
            .map(|(output, values, resamples)| (output, answer_of(values, resamples)))
            .collect();
        let (in_time, outputs) =
            answers.into_iter().partition(|(output, _)| matches!(output.when, When::At(_)));
        // Rows in their order: a power of two of Sobol points begins with those of half as many.
        let parts: Vec<(usize, usize)> = (0..self.columns.len())
            .flat_map(|column| PARTS.map(|part| (column, rows as usize / part)))
            .filter(|(_, rows)| *rows >= 2 && !interrupted)
            .collect();
        let convergence = parts
            .into_par_iter()
            .map(|(column, rows)| IndexConvergence {
                column,
                rows,
                answer: answer_of(&tables.last[column][..rows * places], RESAMPLES),
            })
            .collect();
        let at_end = |values: &Vec<f64>| Share {
            count: values.iter().filter(|x| x.is_finite()).count() as u64,
            of: values.len() as u64,
            // The instances of a row share numbers.
            draws: rows,
        };
        SensitivityFindings {
            at_end: tables.last.iter().map(at_end).collect(),
            inputs,
            columns: self.columns.iter().map(crate::study::final_columns::report_column).collect(),
            outputs,
            in_time,
            convergence,
        }
    }
}

/// Puts the values of pieces into a table, with what is there.
fn take(table: &mut Table, first: usize, pieces: &[Piece], with: impl Fn(f64, f64) -> f64 + Sync) {
    table.par_iter_mut().enumerate().for_each(|(column, values)| {
        let new = pieces.iter().flat_map(|piece| &piece.values[column]);
        values[first..].iter_mut().zip(new).for_each(|(old, new)| *old = with(*old, *new));
    });
}
