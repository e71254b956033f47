//! The ensemble run: draw, advance, observe, write.
//!
//! Instances go through in chunks, each from the first step to the last, so that memory depends on the size of a
//! chunk alone. Statistics of all snapshots are kept meanwhile; they are exact sums and counts, so chunks and
//! threads leave no trace in them. Their bins come from a pilot: about a thousand instances of the study, run
//! beforehand.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::accuracy::{Watch, measure};
use super::bending::{Bending, FlexiblePart};
use super::choose_method::chosen;
use super::converged::Course;
use super::driver::{Driver, FinishedRows};
use super::march::{BatchRun, Piece};
use super::plan::{NotZero, draw, draw_chunk, plan, replanned};
use super::recorder::PoseObserver;
use super::results::RunRecords;
use super::shard::{FinishedShard, STATE};
use super::{RunContext, Runnable};
use crate::backend::choose::ChosenBackend;
use crate::backend::{Backend, BackendError, Batch, End, Plan};
use crate::base::Precision;
use crate::describe::kind::MonteCarlo;
use crate::describe::{Body, Channel, ObservedChannel, Study, StudyKind};
use crate::ensemble::{Sampler, SamplingError, Shard};
use crate::model::{AT_REST, Model, WIDTH};
use crate::observe::channels::{ChannelColumn, Observer, columns};
use crate::observe::{Pilot, Statistics};
use crate::output::{
    self, Associations, Column, INSTANCES, InstancesWriter, Manifest, OutputError, OutputFolder, ReportData,
    STUDY, UnknownColumn, check_columns, write_results,
};
use crate::study_file::resolved_toml;

/// Largest number of statistics cells (snapshots times columns), of about 7 KB each.
pub const LARGEST_CELLS: usize = 1 << 18;

/// Bars of the histograms of final values.
const BARS: usize = 60;

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder or a file of it cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The wanted processor cannot run it.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The ensemble cannot be drawn.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The mechanism cannot be put together: why.
    #[error("{0}")]
    NoMechanism(String),
    /// The study's question cannot be asked of its mechanism, method or ensemble.
    #[error("{0}")]
    Unserved(String),
    /// A number that a study says to be zero is drawn as another one.
    #[error(transparent)]
    NotZero(#[from] NotZero),
    /// The table of instances has no column of a name that is wanted.
    #[error(transparent)]
    Columns(#[from] UnknownColumn),
    /// The same, in an instance of a shard that the others know nothing of.
    #[error(
        "{0}, and unlike all that are looked at beforehand: a step that leaves it out is no step of this instance, and this \
         shard would not be a part of the whole run; run the study whole, or give the mechanism itself other than zero there"
    )]
    NotForeseen(NotZero),
    /// There are fewer instances than parts.
    #[error("an ensemble of {size} instances cannot be cut into {of} parts; 1 to {size} can be had")]
    TooManyParts { size: u64, of: u64 },
    /// The statistics do not fit in memory.
    #[error(
        "{snapshots} snapshots of {columns} columns need {gib:.1} GiB for their statistics; observe less often: \
         observe.every = {every} or more steps, or fewer channels"
    )]
    TooManySnapshots { snapshots: usize, columns: usize, gib: f64, every: u64 },
    /// Ctrl-C, before anything was run.
    #[error("interrupted while the method was chosen: nothing was run")]
    Interrupted,
    /// The system gives no threads: why.
    #[error("threads could not be started: {0}")]
    Threads(String),
}

/// What the caller is told while the run goes on.
pub trait Listener: Sync {
    /// Something worth a line.
    fn say(&self, line: &str);
    /// `done` of `total` instance-steps.
    fn progress(&self, done: u64, total: u64);
    /// At work on something before steps are taken: how long it takes says nothing of them.
    fn preparing(&self, what: &str) {
        let _ = what;
    }
}

/// Where a run ends up.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub folder: PathBuf,
    pub manifest: Manifest,
    /// What was found, in lines; what the manifest tells is not among them.
    pub found: Vec<String>,
}

/// Bytes of a cell of the statistics, about.
pub const CELL_BYTES: usize = 7 << 10;

impl Runnable for MonteCarlo {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<Outcome, RunError> {
        let RunContext { out, overwrite, listener, interrupted } = *under;
        run(study, out, overwrite, listener, interrupted)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        let columns = instance_columns(study, &Sampler::new(study)?, &final_channels(study, plan));
        check_columns(&study.output.instances, &columns)?;
        check_snapshots(study, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        statistics_bytes(study, plan)
    }
}

/// Runs the study and writes the folder `out`. Setting `interrupted` ends it early: what is finished is kept.
pub fn run(
    study: &Study,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    run_part(study, None, out, overwrite, listener, interrupted)
}

/// As [`run`], of a part of the ensemble alone: the folder `out` is then one to be [merged](super::shard::merge). It depends
/// on study and shard and nothing else.
pub fn run_shard(
    study: &Study,
    shard: Shard,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    if study.kind != StudyKind::MonteCarlo {
        return Err(RunError::Unserved(format!(
            "a study of kind {} is not cut into shards; leave --shard out",
            study.kind.name()
        )));
    }
    let chosen = chosen(study, interrupted)?;
    chosen.told.iter().for_each(|line| listener.say(line));
    run_part(&chosen.study, Some(shard), out, overwrite, listener, interrupted)
}

fn run_part(
    study: &Study,
    shard: Option<Shard>,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    let size = study.ensemble.size;
    if let Some(Shard { of, .. }) = shard.filter(|shard| shard.of > size) {
        return Err(RunError::TooManyParts { size, of });
    }
    on_plan(study, listener, |plan| {
        Ensemble::new(study, shard, plan)?.run(out, overwrite, listener, interrupted)
    })
}

/// Runs something on as many threads as the study asks for.
pub(super) fn on_threads<T: Send>(
    study: &Study,
    run: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(study.run.threads.unwrap_or(0))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    threads.install(run)
}

/// The study's plan; what is wrong with its mechanism, in words.
pub(super) fn planned(study: &Study) -> Result<Plan, RunError> {
    plan(study).map_err(|error| RunError::NoMechanism(Model::explain(&study.mechanism, error)))
}

/// Plans the study and runs it, on as many threads as it asks for, and again with another plan where an instance shows that
/// the plan took something for zero that is not.
pub(super) fn on_plan(
    study: &Study,
    listener: &dyn Listener,
    run: impl Fn(Plan) -> Result<Outcome, RunError> + Sync,
) -> Result<Outcome, RunError> {
    on_threads(study, || {
        let mut plan = planned(study)?;
        loop {
            match run(plan.clone()) {
                // Every turn takes channels out of the plan's, and so the plan of the end is one of all instances. A
                // shard comes here from the pilot alone, which is the same for all shards.
                Err(RunError::NotZero(found)) => {
                    listener.say(&format!("{found}: starting again"));
                    plan = replanned(plan, study, &found);
                }
                done => return done,
            }
        }
    })
}

/// What is known of a run before its first step.
pub(super) fn manifest_of(study: &Study, chosen: &ChosenBackend) -> Manifest {
    Manifest { device: chosen.line.clone(), backend: chosen.kind.to_string(), ..Manifest::of(study) }
}

/// The columns of `instances.parquet` after the verdicts: what was drawn, and the end.
pub(super) fn instance_columns(study: &Study, sampler: &Sampler, finals: &[ObservedChannel]) -> Vec<Column> {
    let drawn = sampler.columns().into_iter().map(|c| Column {
        name: format!("drawn.{}", c.name),
        unit: c.unit.to_string(),
        description: "drawn for this instance".to_string(),
        precision: Precision::F64,
    });
    let finals = columns(&study.mechanism, finals).into_iter().map(|c| Column {
        name: format!("final.{}", c.name),
        unit: c.unit.to_string(),
        description: format!("{}; at the end, or in the last sound state", c.description),
        precision: study.run.precision,
    });
    drawn.chain(finals).collect()
}

/// The channels of a run that are written for every instance at its end: those observed, the state, the drifts.
pub fn final_channels(study: &Study, plan: &Plan) -> Vec<ObservedChannel> {
    let mut channels = study.observe.channels.clone();
    let mut also = vec![Channel::ANGULAR_VELOCITY, Channel::ATTITUDE];
    let translates = plan.moving.chunks_exact(WIDTH).take(plan.model.bodies()).any(|body| body[AT_REST]);
    if translates {
        also.extend([Channel::POSITION, Channel::VELOCITY]);
    }
    let modes = study.mechanism.bodies.iter().map(Body::modes).max().unwrap_or_default();
    let of_modes = |mode| [Channel::AMPLITUDE.of_mode(mode), Channel::AMPLITUDE_RATE.of_mode(mode)];
    also.extend((0..modes as u8).flat_map(of_modes));
    also.extend([Channel::ENERGY_DRIFT, Channel::ANGULAR_MOMENTUM_DRIFT]);
    if plan.model.rows() > 0 {
        also.push(Channel::CONSTRAINT_VIOLATION);
    }
    if !study.mechanism.locks.is_empty() {
        also.push(Channel::CAUGHT);
    }
    if study.mechanism.locks.iter().any(|lock| lock.release.is_finite()) {
        also.push(Channel::RELEASED);
    }
    if plan.method.own_steps().is_some() {
        also.extend([Channel::OWN_STEPS, Channel::REJECTED_STEPS]);
    }
    for channel in also {
        // What is observed of one body is written for all.
        channels.retain(|seen: &ObservedChannel| seen.channel != channel || seen.of.is_none());
        if !channels.contains(&channel.into()) {
            channels.push(channel.into());
        }
    }
    channels
}

/// Memory of the statistics of all snapshots (bytes).
pub fn statistics_bytes(study: &Study, plan: &Plan) -> u64 {
    let cells = plan.schedule.snapshots().len() * Observer::new(plan, &study.observe.channels).width();
    cells as u64 * CELL_BYTES as u64
}

/// Refuses a study whose statistics would not fit in memory.
pub fn check_snapshots(study: &Study, plan: &Plan) -> Result<(), RunError> {
    let snapshots = plan.schedule.steps.div_ceil(plan.schedule.every) as usize + 1;
    let columns = Observer::new(plan, &study.observe.channels).width();
    if snapshots.saturating_mul(columns) <= LARGEST_CELLS {
        return Ok(());
    }
    let allowed = (LARGEST_CELLS / columns.max(1)).saturating_sub(1).max(1) as u64;
    Err(RunError::TooManySnapshots {
        snapshots,
        columns,
        gib: (snapshots as f64 * columns as f64 * CELL_BYTES as f64) / f64::from(1 << 30),
        every: plan.schedule.steps.div_ceil(allowed),
    })
}

/// A study under way.
struct Ensemble<'a> {
    study: &'a Study,
    shard: Option<Shard>,
    /// Those to be run.
    instances: Range<u64>,
    plan: Plan,
    sampler: Sampler,
    columns: Vec<ChannelColumn>,
    /// Of `instances.parquet`, after the verdicts: what is drawn, and the end.
    table: Vec<Column>,
    final_channels: Vec<ObservedChannel>,
    times: Vec<f64>,
    /// Time that making the backend took.
    opening: Duration,
    /// Those of the pilot whose error is measured.
    judged: Option<Course>,
    bending: Option<Bending>,
}

impl<'a> Ensemble<'a> {
    fn new(study: &'a Study, shard: Option<Shard>, plan: Plan) -> Result<Ensemble<'a>, RunError> {
        check_snapshots(study, &plan)?;
        let sampler = Sampler::new(study)?;
        let final_channels = final_channels(study, &plan);
        let table = instance_columns(study, &sampler, &final_channels);
        check_columns(&study.output.instances, &table)?;
        let columns = columns(&study.mechanism, &study.observe.channels);
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        let size = study.ensemble.size;
        let instances = shard.map_or(0..size, |shard| shard.instances(size));
        Ok(Ensemble {
            study,
            shard,
            table,
            final_channels,
            bending: Bending::new(&plan),
            instances,
            plan,
            sampler,
            columns,
            times,
            opening: Duration::ZERO,
            judged: None,
        })
    }

    /// Instance-steps in all, the pilot's included.
    fn total(&self) -> u64 {
        let pilot = Pilot::instances(self.study.ensemble.size).len() as u64;
        let instances = self.instances.end - self.instances.start;
        (instances + pilot).saturating_mul(self.plan.schedule.steps)
    }

    fn run(
        mut self,
        out: &Path,
        overwrite: bool,
        listener: &dyn Listener,
        interrupted: &AtomicBool,
    ) -> Result<Outcome, RunError> {
        let mut driver = Driver::new(listener, interrupted, self.total());
        let folder = OutputFolder::create(out, overwrite)?;
        let chosen = driver.choose(&self.plan, &self.study.run)?;
        self.opening = chosen.opening;
        driver.say(&format!("backend: {}", chosen.line));
        let begun =
            Manifest { rows_left_out: self.plan.model.rows_left_out(), ..manifest_of(self.study, &chosen) };
        let mut backend = chosen.backend;

        let mut statistics = self.pilot(&mut driver, &mut *backend)?;
        let mut results = RunRecords::new(self.study, self.columns.len(), self.times.len());
        let kept = &self.study.output.instances;
        let mut writer =
            InstancesWriter::create(&folder.path(INSTANCES), &self.table, self.plan.schedule.h, kept)?;
        let (instances, capacity) = (self.instances.clone(), backend.capacity());
        let count = instances.end - instances.start;
        let (study, shard, plan, sampler) = (self.study, self.shard, self.plan.clone(), self.sampler.clone());
        let finals = self.table.len() - sampler.width();
        let last: &[ObservedChannel] = match writer.keeps_any(sampler.width()..self.table.len()) {
            true => &self.final_channels.clone(),
            false => &[],
        };
        let observers = Observers {
            seen: Observer::new(&plan, &study.observe.channels),
            last: Observer::new(&plan, last),
        };
        let drawn = |range: Range<u64>| {
            draw_chunk(study, &plan, &sampler, range).map_err(|found| match shard {
                Some(_) => RunError::NotForeseen(found),
                None => RunError::NotZero(found),
            })
        };
        let advance = |driver: &mut Driver<'_>, range: Range<u64>, batch: (Batch, Vec<f64>)| {
            self.chunk(driver, &mut *backend, &observers, range.start, batch, &mut statistics, &mut results)
        };
        let write = |mut chunk: FinishedChunk| {
            // A column that is not kept needs no values.
            chunk.finals.resize(finals, Vec::new());
            let FinishedChunk { first, ends, drawn, finals } = &chunk;
            let rows = FinishedRows { first: *first, ends, drawn, own_steps: None };
            rows.write(&mut writer, &[], &finals.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        driver.pipeline(instances, study.run.chunk, capacity, drawn, advance, write)?;
        driver.close(writer)?;

        let advanced = count.min(results.advanced);
        let measured = match (self.judged.take(), advanced == count) {
            (Some(course), true) => measure(self.study, Some(course), driver.elapsed(), interrupted),
            _ => None,
        };
        if let Some(measured) = &measured {
            measured.write(&folder, self.study)?;
        }
        let mut manifest = Manifest {
            accuracy: measured.map(|measured| measured.accuracy),
            complete: advanced == count,
            shard: self.shard,
            instances: count,
            advanced,
            verdicts: results.counts.clone(),
            bent: self.bending.as_ref().and_then(Bending::found),
            ..driver.account(begun)
        };
        let study_toml = resolved_toml(self.study);
        let collected = Collected { times: self.times, statistics, results };
        match self.shard {
            None => conclude(&folder, self.study, &study_toml, collected, &mut manifest)?,
            Some(shard) => {
                let arithmetic = backend.arithmetic();
                let state =
                    FinishedShard::new(self.study, &study_toml, shard, arithmetic, &self.plan, collected);
                state.write(&folder.path(STATE))?;
                folder.write(STUDY, study_toml.as_bytes())?;
                folder.write_manifest(&mut manifest)?;
            }
        }
        let folder = folder.finish()?;
        let found = manifest.found();
        Ok(Outcome { folder, manifest, found })
    }

    /// Runs the pilot; its values fix the bins of the statistics.
    fn pilot(&mut self, driver: &mut Driver<'_>, backend: &mut dyn Backend) -> Result<Statistics, RunError> {
        let size = self.study.ensemble.size;
        let indices = Pilot::instances(size);
        let mut pilot = Pilot::new(self.times.len(), self.columns.len(), size);
        let sampled =
            driver.sample(|| draw(self.study, &self.plan, &self.sampler, indices.len(), |i| indices[i]));
        let (batch, _) = sampled?;
        let observer = Observer::new(&self.plan, &self.study.observe.channels);
        let mut march = BatchRun::new(&self.plan, observer, &batch);
        let mut values = Vec::with_capacity(batch.count);
        let mut watch = Watch::new(self.study, &self.plan, &indices);
        let seen = |time: usize, pieces: &[Piece]| {
            if let Some(watch) = &mut watch {
                watch.record(pieces);
            }
            for column in 0..self.columns.len() {
                values.clear();
                pieces.iter().for_each(|piece| values.extend_from_slice(&piece.values[column]));
                pilot.record(time, column, &values);
            }
        };
        driver.advance(backend, &mut march, None, seen)?;
        self.judged = watch.and_then(|watch| watch.finish(&march, self.opening));
        driver.count(&march);
        Ok(Statistics::new(Arc::new(pilot), &self.study.observe.quantiles))
    }

    /// Takes a batch, whose first instance is `first`, and its drawn numbers to the end.
    #[expect(clippy::too_many_arguments, reason = "what a run keeps is borrowed apart from its writer")]
    fn chunk(
        &mut self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        observers: &Observers<'_>,
        first: u64,
        (batch, drawn): (Batch, Vec<f64>),
        statistics: &mut Statistics,
        results: &mut RunRecords,
    ) -> Result<FinishedChunk, RunError> {
        let lens = PoseObserver::new(&self.plan, &batch, first);
        let shown = match &self.bending {
            Some(_) => batch.count,
            None => results.shown(first).max(lens.as_ref().map_or(0, PoseObserver::count)),
        };
        let mut march = BatchRun::new(&self.plan, observers.seen.clone(), &batch).keeping(shown);
        let watched = if self.bending.is_some() { batch.count } else { 0 };
        let mut bent = vec![(0.0, FlexiblePart::default()); watched];
        let seen = |time: usize, pieces: &[Piece]| {
            results.keep(first, time, pieces);
            if let Some(bending) = &self.bending {
                bending.look(pieces, &mut bent);
            }
            if let Some(lens) = &lens {
                results.recorder.record(lens, self.times[time], pieces);
            }
        };
        driver.advance(backend, &mut march, Some(statistics), seen)?;
        if let Some(bending) = &mut self.bending {
            bending.count(first, &bent, &self.study.mechanism);
        }
        let (finals, ends) = driver.finish(&mut march, &observers.last);
        results.count(first, &ends);
        results.recorder.ended(first, &ends);
        Ok(FinishedChunk { first, ends, drawn, finals })
    }
}

/// What is seen of every chunk.
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

/// What a run has seen.
pub struct Collected {
    /// Of the snapshots (s).
    pub times: Vec<f64>,
    pub statistics: Statistics,
    pub results: RunRecords,
}

/// Writes all that follows from what was seen, and completes the manifest.
pub fn conclude(
    folder: &OutputFolder,
    study: &Study,
    study_toml: &str,
    collected: Collected,
    manifest: &mut Manifest,
) -> Result<(), OutputError> {
    let Collected { times, statistics, results } = collected;
    let observing = Instant::now();
    let columns: Vec<output::ColumnLabel> =
        columns(&study.mechanism, &study.observe.channels).iter().map(report_column).collect();
    let width = columns.len();
    let summaries: Vec<Vec<_>> = (0..times.len())
        .into_par_iter()
        .map(|time| (0..width).map(|column| statistics.summary(time, column)).collect())
        .collect();
    let last = times.len() - 1;
    let histograms: Vec<_> = (0..width).map(|column| statistics.histogram(last, column, BARS)).collect();
    let associations = Associations::read(&folder.path(INSTANCES), study, &columns)?;
    let elapsed = observing.elapsed().as_secs_f64();
    manifest.timings.observing += elapsed;
    manifest.timings.total += elapsed;
    let motion = results.recorder.chosen();
    let data = ReportData {
        study,
        study_toml,
        columns: &columns,
        times: &times,
        summaries: &summaries,
        final_histograms: &histograms,
        associations: &associations,
        trajectories: &results.trajectories,
        motion: &motion,
        failures: &results.failures,
    };
    write_results(folder, &data, manifest)
}

pub(super) fn report_column(column: &ChannelColumn) -> output::ColumnLabel {
    let (channel, component) = match column.name.rsplit_once('.') {
        Some((channel, component)) if column.channel.is_vector() => (channel, component),
        _ => (column.name.as_str(), ""),
    };
    output::ColumnLabel {
        channel: channel.to_string(),
        component: component.to_string(),
        unit: column.unit.to_string(),
        description: column.description.to_string(),
    }
}
