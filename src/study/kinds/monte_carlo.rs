//! The ensemble run: draw, advance, observe, write.
//!
//! Instances go through in chunks, each from the first step to the last, so that memory depends on
//! the size of a chunk alone. Statistics of all snapshots are kept meanwhile; they are sums without
//! rounding, and counts, so chunks and threads leave no trace in them. Their bins come from a
//! pilot: about a thousand instances of the study, run beforehand.

use rayon::prelude::*;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::backend::{Backend, Batch, End, Plan};
use crate::describe::kind::MonteCarlo;
use crate::describe::{ObservedChannel, Study};
use crate::ensemble::{Sampler, Shard};
use crate::observe::channels::{ChannelColumn, Observer, columns};
use crate::observe::stored::{StoreReader, StoreWriter};
use crate::observe::{PILOT, Pilot, Statistics};
use crate::output::density::Density;
use crate::output::{
    AccuracyRow, Associations, Column, ColumnLabel, INSTANCES, InstancesWriter, LargeDeflections, Manifest,
    OutputFolder, ReportData, RunOutcome, check_columns,
};
use crate::study::accuracy::{AccuracyAssessment, Watch, is_asked, measure_knowing};
use crate::study::bending::{Bending, FlexiblePart};
use crate::study::checkpoint::{Found, Header, Kept, TableOf, folder_of, leave_state};
use crate::study::converged::{Course, Groundwork};
use crate::study::cost::RunOutlook;
use crate::study::driver::{Driver, FinishedRows, room, run_workload};
use crate::study::final_columns::{final_channels, instance_columns, report_column};
use crate::study::march::{BatchRun, Piece};
use crate::study::merging::{MergeError, Merging, finish_shard};
use crate::study::plan::{NotZero, draw, draw_chunk};
use crate::study::planned_run::{on_plan, planned, unforeseen};
use crate::study::recorder::PoseObserver;
use crate::study::results::RunRecords;
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::statistics_size::{check_snapshots, statistics_bytes};
use crate::study::until::Stopping;
use crate::study_file::resolved_toml;

/// Bars of the histograms of final values.
const BARS: usize = 60;

impl Runnable for MonteCarlo {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        on_plan(study, under, |plan, found| Ensemble::new(study, under.shard, plan)?.run(under, found))
    }

    fn merge(&self, study: &Study, mut merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        // The samples, where there is a table of them, need not be there any more.
        let view = View::new(study, &merging.planned(planned(study)?, 0, study));
        let mut kept = view.nothing_kept();
        merging.absorb(&mut kept)?;
        merging.know_means(study, view.standard_errors(&kept.statistics))?;
        merging.append_instances(study, INSTANCES.file, 1)?;
        let header = merging.header().clone();
        let Merging { folder, manifest, interrupted, .. } = merging;
        Ok(view.conclude(folder, interrupted, kept, &header, manifest)?)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        let columns = instance_columns(study, &Sampler::new(study)?, &final_channels(study, plan));
        check_columns(&study.output.instances, &columns)?;
        Stopping::new(study, 0)?;
        check_snapshots(study, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        statistics_bytes(study, plan)
    }

    fn leaves_state(&self) -> bool {
        true
    }

    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        Some(RunOutlook::judged(study))
    }
}

/// A study under way.
struct Ensemble<'a> {
    study: &'a Study,
    shard: Option<Shard>,
    /// Those to be run.
    instances: Range<u64>,
    plan: Plan,
    sampler: Sampler,
    view: View<'a>,
    /// Columns of `instances.parquet`, after the verdicts: what is drawn, and the end.
    table: Vec<Column>,
    final_channels: Vec<ObservedChannel>,
    /// Those of the pilot whose error is measured.
    judged: Option<Course>,
}

impl<'a> Ensemble<'a> {
    fn new(study: &'a Study, shard: Option<Shard>, plan: Plan) -> Result<Ensemble<'a>, RunError> {
        check_snapshots(study, &plan)?;
        let sampler = Sampler::new(study)?;
        let final_channels = final_channels(study, &plan);
        let table = instance_columns(study, &sampler, &final_channels);
        check_columns(&study.output.instances, &table)?;
        let size = study.ensemble.size;
        let instances = shard.map_or(0..size, |shard| shard.instances(size));
        Ok(Ensemble {
            study,
            shard,
            table,
            final_channels,
            instances,
            view: View::new(study, &plan),
            plan,
            sampler,
            judged: None,
        })
    }

    /// Instance-steps in all, the pilot's included.
    fn total(&self) -> u64 {
        let pilot = self.study.ensemble.size.min(PILOT);
        let instances = self.instances.end - self.instances.start;
        (instances + pilot).saturating_mul(self.plan.schedule.steps)
    }

    fn draw(
        &self,
        chunk: &Range<u64>,
        interrupted: &AtomicBool,
    ) -> Result<Option<(Batch, Vec<f64>)>, NotZero> {
        draw_chunk(self.study, &self.plan, &self.sampler, chunk.clone(), interrupted)
    }

    fn run(mut self, under: &RunContext<'_>, found: Option<Found>) -> Result<RunOutcome, RunError> {
        let RunContext { listener, interrupted, .. } = *under;
        let mut driver = Driver::new(listener, interrupted, self.total());
        let folder = folder_of(under, found.as_ref(), &[INSTANCES.file])?;
        let work = run_workload(self.study, under, found.as_ref());
        let instances = self.instances.clone();
        let stopping = Stopping::new(self.study, self.view.times.len() - 1)?;
        // While a device is opened and its kernel compiled, the first chunk is drawn, of as many as
        // any backend takes.
        let fitting = room(&self.plan, self.table.len());
        let first =
            driver.first_chunk(self.study.run.chunk).min(fitting).min(instances.end - instances.start);
        let first = instances.start..instances.start + first;
        let wants_first = found.is_none() && stopping.is_none();
        // And what judging begins with is found out.
        let choose = || driver.choose(&self.plan, &self.study.run, &work);
        let draw = || wants_first.then(|| self.draw(&first, interrupted));
        let know = || is_asked(self.study).then(|| Groundwork::of_plan(self.study, &self.plan));
        let ((chosen, ahead), known) = rayon::join(|| rayon::join(choose, draw), know);
        let (chosen, ahead) = (chosen?, Mutex::new(ahead));
        driver.say(&format!("backend: {}", chosen.line));
        let begun = Manifest {
            rows_left_out: self.plan.model.rows_left_out(),
            ..under.manifest(self.study, &chosen)
        };
        let mut backend = chosen.backend;
        under.check_alike(&backend.arithmetic())?;
        let header = Header::new(self.study, self.shard, backend.arithmetic(), &[&self.plan]);

        let statistics = self.pilot(&mut driver, &mut *backend)?;
        let kept = EnsembleKept { statistics, ..self.view.nothing_kept() };
        let table = TableOf { file: INSTANCES.file, columns: &self.table, step: self.plan.schedule.h };
        let begin = (folder, found);
        let mut keeping = driver.begin(self.study, kept, &table, begin, (&header, &instances))?;
        let finals = self.table.len() - self.sampler.width();
        let observers = self.observers(keeping.writer.keeps_any(self.sampler.width()..self.table.len()));
        let drawn = |range: Range<u64>| {
            let mut ahead = ahead.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = if range == first { ahead.take() } else { None };
            drop(ahead);
            drawn.unwrap_or_else(|| self.draw(&range, interrupted)).map_err(unforeseen(self.shard))
        };
        let capacity = fitting.min(backend.capacity() as u64);
        let mut advance = |driver: &mut Driver<'_>, kept: &mut EnsembleKept, range: Range<u64>, batch| {
            self.chunk(driver, &mut *backend, &observers, range.start, batch, kept)
        };
        let write = |writer: &mut InstancesWriter, mut chunk: FinishedChunk| {
            // A column that is not kept needs no values.
            chunk.finals.resize(finals, Vec::new());
            let FinishedChunk { first, ends, drawn, finals } = &chunk;
            let rows = FinishedRows { first: *first, ends, drawn, own_steps: None };
            rows.write(writer, &[], &finals.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let size = (self.study.run.chunk, capacity);
        let end = loop {
            let so_far = keeping.next;
            if stopping.as_ref().is_some_and(|rule| rule.is_reached(so_far, &keeping.kept.statistics)) {
                break so_far;
            }
            if so_far >= instances.end || driver.is_interrupted() {
                break instances.end;
            }
            let next = stopping.as_ref().map_or(instances.end, |rule| rule.next(so_far).min(instances.end));
            driver.pipeline(&mut keeping, next, size, drawn, &mut advance, write)?;
        };
        // A run that stopped early has the results of a study of so many instances.
        let mut ended = self.study.clone();
        ended.ensemble.size = end;
        let study = if end < instances.end { &ended } else { self.study };
        let is_whole = keeping.kept.results.advanced >= end - instances.start;
        let (measured, complete) = match (self.judged.take(), known, is_whole) {
            (Some(course), Some(known), true) => {
                driver.judge(&mut keeping, || measure_knowing((study, &known), Some(course), interrupted))?
            }
            _ => (None, is_whole),
        };
        under.check_replaces(complete)?;
        // One that is not complete goes on as the study that it is.
        let (study, end) = if complete { (study, end) } else { (self.study, instances.end) };
        let count = end - instances.start;
        let (kept, writer, mut folder) = keeping.end();
        driver.close(writer)?;
        if complete {
            folder.complete();
        }
        let of_all = |measured: AccuracyAssessment| {
            measured.with_standard_errors(study, self.view.standard_errors(&kept.statistics))
        };
        let measured = match self.shard {
            None => measured.map(of_all),
            // A shard does not know the others.
            Some(_) => measured,
        };
        if let Some(measured) = &measured {
            measured.write(&folder, study)?;
        }
        let manifest = Manifest {
            until: stopping.filter(|_| complete).map(|rule| rule.interval(&kept.statistics)),
            accuracy: measured.map(|measured| measured.accuracy),
            complete,
            shard: self.shard,
            instances: count,
            ..kept.with_results(driver.account(begun))
        };
        match self.shard {
            None => View { study, ..self.view }.conclude(folder, interrupted, kept, &header, manifest),
            Some(_) => Ok(finish_shard(study, folder, &header, &instances, &kept, manifest)?),
        }
    }

    /// `finals`: whether any column of the table is of the last snapshot.
    fn observers(&self, finals: bool) -> Observers<'_> {
        let last: &[ObservedChannel] = if finals { &self.final_channels } else { &[] };
        Observers {
            seen: Observer::new(&self.plan, &self.study.observe.channels),
            last: Observer::new(&self.plan, last),
        }
    }

    /// Runs the pilot; its values fix the bins of the statistics.
    fn pilot(&mut self, driver: &mut Driver<'_>, backend: &mut dyn Backend) -> Result<Statistics, RunError> {
        let size = self.study.ensemble.size;
        let indices = self.study.ensemble.spread(PILOT);
        let mut pilot = Pilot::new(self.view.times.len(), self.view.columns.len(), size);
        let sampled =
            driver.sample(|| draw(self.study, &self.plan, &self.sampler, indices.len(), |i| indices[i]));
        let (batch, _) = sampled?;
        let observer = Observer::new(&self.plan, &self.study.observe.channels);
        let mut march = BatchRun::new(&self.plan, observer, &batch);
        let mut watch = Watch::new(self.study, &self.plan, &indices);
        let record = |time: usize, pieces: &[Piece]| {
            if let Some(watch) = &mut watch {
                watch.record(pieces);
            }
            pilot.record_all(time, |column| pieces.iter().map(move |piece| &piece.values[column][..]));
        };
        driver.advance(backend, &mut march, None, record)?;
        self.judged = watch.and_then(|watch| watch.finish(&march));
        driver.count(&march);
        Ok(Statistics::new(Arc::new(pilot), &self.study.observe.quantiles))
    }

    /// Takes a batch, whose first instance is `first`, and its drawn numbers to the end.
    fn chunk(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        observers: &Observers<'_>,
        first: u64,
        (batch, drawn): (Batch, Vec<f64>),
        EnsembleKept { statistics, results, bending }: &mut EnsembleKept,
    ) -> Result<FinishedChunk, RunError> {
        let observer = PoseObserver::new(self.study, &self.plan, &batch, first);
        let shown = match bending {
            Some(_) => batch.count,
            None => results.shown(first).max(observer.as_ref().map_or(0, PoseObserver::count)),
        };
        let mut march = BatchRun::new(&self.plan, observers.seen.clone(), &batch).keeping(shown);
        let watched = if bending.is_some() { batch.count } else { 0 };
        let mut bent = vec![(0.0, FlexiblePart::default()); watched];
        let record = |time: usize, pieces: &[Piece]| {
            results.keep(first, time, pieces);
            if let Some(bending) = &bending {
                bending.look(pieces, &mut bent);
            }
            if let Some(observer) = &observer {
                results.recorder.record(observer, self.view.times[time], pieces);
            }
        };
        driver.advance(backend, &mut march, Some(statistics), record)?;
        if let Some(bending) = bending {
            bending.count(first, &bent, &self.study.mechanism);
        }
        let (finals, ends) = driver.finish(&mut march, &observers.last);
        results.count(first, &ends);
        Ok(FinishedChunk { first, ends, drawn, finals })
    }
}

/// The view of an ensemble: its columns at its snapshots.
struct View<'a> {
    study: &'a Study,
    columns: Vec<ChannelColumn>,
    /// Times of the snapshots (s).
    times: Vec<f64>,
    /// Before it has seen anything.
    bending: Option<Bending>,
}

impl<'a> View<'a> {
    fn new(study: &'a Study, plan: &Plan) -> View<'a> {
        View {
            study,
            columns: columns(&study.mechanism, &study.observe.channels),
            times: plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect(),
            bending: Bending::new(plan),
        }
    }

    /// Returns the records of no instance, with statistics of nothing.
    fn nothing_kept(&self) -> EnsembleKept {
        EnsembleKept {
            statistics: Statistics::empty(),
            results: RunRecords::new(self.study, self.columns.len(), self.times.len()),
            bending: self.bending.clone(),
        }
    }

    /// The standard errors of the means that rows are about, where these are observed.
    fn standard_errors(&self, statistics: &Statistics) -> impl Fn(&AccuracyRow) -> Option<f64> {
        let labels: Vec<ColumnLabel> = self.columns.iter().map(report_column).collect();
        move |row| {
            // The times of accurate steps are rounded otherwise.
            let from = row.time - 0.5 * self.study.method.step;
            let time = self.times.partition_point(|time| *time < from);
            let is_of_it =
                |label: &ColumnLabel| label.channel == row.channel && label.component == row.component;
            let column = labels.iter().position(is_of_it)?;
            (time < self.times.len()).then(|| statistics.standard_error(time, column))
        }
    }

    /// Writes all that follows from what was kept.
    fn conclude(
        &self,
        folder: OutputFolder,
        interrupted: &AtomicBool,
        kept: EnsembleKept,
        header: &Header,
        mut manifest: Manifest,
    ) -> Result<RunOutcome, RunError> {
        if manifest.complete {
            leave_state(&folder, self.study, header, &kept)?;
        }
        let EnsembleKept { statistics, results, .. } = kept;
        let observing = Instant::now();
        let columns: Vec<ColumnLabel> = self.columns.iter().map(report_column).collect();
        let summaries = statistics.summaries();
        let last = self.times.len() - 1;
        let histograms: Vec<_> =
            (0..columns.len()).map(|column| statistics.histogram(last, column, BARS)).collect();
        let density = |column: usize| {
            let histogram = |time: usize, bars: usize| statistics.histogram(time, column, bars);
            Density::of(&self.times, |time| &summaries[time][column], histogram)
        };
        let has_pictures = self.study.output.has_pictures();
        let densities: Vec<_> =
            (0..columns.len()).into_par_iter().map(|k| density(k).filter(|_| has_pictures)).collect();
        let associations = Associations::read(&folder.path(INSTANCES.file), self.study, &columns)?;
        let elapsed = observing.elapsed().as_secs_f64();
        manifest.timings.observing += elapsed;
        manifest.timings.total += elapsed;
        let motions = results.recorder.motions();
        let data = ReportData {
            study: self.study,
            study_toml: &resolved_toml(self.study),
            columns: &columns,
            times: &self.times,
            summaries: &summaries,
            final_histograms: &histograms,
            densities: &densities,
            associations: &associations,
            trajectories: &results.trajectories,
            motions: &motions,
            failures: &results.failures,
        };
        let apart = data.came_apart(&manifest);
        let outcomes = data.outcome_lines(&manifest).into_iter().chain(data.lacking_lines(&manifest));
        let found = outcomes.chain(apart).chain(manifest.found()).collect();
        Ok(data.answer(found).write(folder, interrupted, manifest)?)
    }
}

/// The statistics and records that are kept over all chunks.
struct EnsembleKept {
    statistics: Statistics,
    results: RunRecords,
    bending: Option<Bending>,
}

impl EnsembleKept {
    /// The manifest with what became of the instances.
    fn with_results(&self, manifest: Manifest) -> Manifest {
        Manifest {
            advanced: self.results.advanced.min(manifest.instances),
            verdicts: self.results.counts.clone(),
            bent: self.bending.as_ref().and_then(Bending::found),
            ..manifest
        }
    }
}

impl Kept for EnsembleKept {
    fn store<W: Write>(&self, instances: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        self.statistics.store(to)?;
        self.results.store(instances, to)?;
        let bent = self.bending.as_ref().and_then(Bending::found);
        to.value(&serde_json::to_string(&bent)?)
    }

    fn absorb<R: Read>(&mut self, instances: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        self.statistics.absorb(from)?;
        self.results.absorb(instances, from)?;
        let bent: Option<LargeDeflections> = serde_json::from_str(&from.value::<String>()?)?;
        if let (Some(bending), Some(bent)) = (&mut self.bending, bent) {
            bending.absorb(&bent);
        }
        Ok(())
    }
}

/// The observers of every chunk.
struct Observers<'a> {
    /// At snapshots.
    seen: Observer<'a>,
    /// At the end.
    last: Observer<'a>,
}

/// A chunk that is to be written.
struct FinishedChunk {
    first: u64,
    ends: Vec<End>,
    drawn: Vec<f64>,
    /// By column.
    finals: Vec<Vec<f64>>,
}
