//! The driver of all runs of an ensemble: chunks of instances, each drawn, taken from the first
//! step to the last, and written.
//!
//! Instances go through in chunks so that memory depends on the size of a chunk alone. They go
//! through a [pipeline](Driver::pipeline): while one is advanced, the next is drawn and the last
//! one written, so that three are kept. What a kind of study does with a chunk is its own; what all
//! kinds do is here: the chunks, the listener, the interrupt, the checkpoints, the count of
//! instance-steps, the time that each part takes, the lost devices, and the rows of
//! `instances.parquet`.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::accuracy::AccuracyAssessment;
use super::checkpoint::{Account, Found, Header, Keeping, Kept, TableOf};
use super::listener::Listener;
use super::march::{BatchRun, Piece};
use super::run_context::RunContext;
use super::run_error::RunError;
use super::trial::tried;
use crate::backend::choose::{ChosenBackend, Lesson, Workload, choose};
use crate::backend::forecast_time::Forecast;
use crate::backend::{Backend, BackendError, End, Plan, cpu};
use crate::base::{grouped, memory};
use crate::describe::{BackendChoice, Run, Study};
use crate::observe::channels::Observer;
use crate::observe::{PILOT, Statistics, Verdict};
use crate::output::{InstancesChunk, InstancesWriter, Manifest, OutputError, OutputFolder, Timings, now_utc};

/// Largest chunk where the study asks for none.
pub(super) const LARGEST_CHUNK: u64 = 1 << 21;

/// A chunk should take this long where the study does not give its size: what is under way is lost
/// when a run is killed.
const CHUNK_TIME: Duration = Duration::from_secs(15);

/// Chunks are of multiples of this, where there are so many instances.
const CHUNK_UNIT: u64 = 1 << 10;

/// The first chunk where nothing has told yet how long an instance takes, at most.
const FIRST_CHUNK: u64 = 1 << 16;

/// Most that a chunk is larger than the one before: where few were slow, many need not be, on a
/// GPU.
const GROWTH: u64 = 4;

/// Chunks under way take this share of the free memory, at most.
const MEMORY_SHARE: f64 = 0.25;

/// Memory of an instance in the chunks under way (bytes), of which three are kept: each with what
/// was drawn, its parameters, its states here and in the backend, and so many columns of its table.
pub(super) fn instance_bytes(plan: &Plan, columns: usize) -> u64 {
    let varying = (0..plan.model.parameters()).filter(|p| plan.model.varies(*p)).count();
    let numbers = 2 * plan.moving.len() + varying + 2 * columns;
    3 * 8 * (numbers as u64 + 4)
}

/// Most instances of a chunk for which there is room now.
pub(super) fn room(plan: &Plan, columns: usize) -> u64 {
    let most = (memory::available() as f64 * MEMORY_SHARE) as u64 / instance_bytes(plan, columns);
    most.clamp(CHUNK_UNIT, LARGEST_CHUNK)
}

/// A run under way.
pub(super) struct Driver<'a> {
    listener: &'a dyn Listener,
    interrupted: &'a AtomicBool,
    started: Instant,
    /// (UTC, RFC 3339)
    started_at: String,
    spent: Spent,
    device_losses: u32,
    /// The step at which the user stopped a batch.
    interrupted_at: Option<u64>,
    /// Instance-steps of the plan that are behind the run, and in all.
    done: u64,
    total: u64,
    /// Those that instances have taken: fewer, where some have ended early.
    taken: u64,
    /// The account of this run's earlier sittings.
    before: Account,
    /// The instances of the chunk advanced last, and the time they took.
    pace: Option<(u64, Duration)>,
    /// The kind of backend that was chosen first: all plans of a run get one of it.
    kind: Option<&'static str>,
    /// The run's lesson about its device.
    lesson: Option<Lesson>,
}

/// The work of a run under this context, which goes on from what was found.
pub fn run_workload<'s>(study: &'s Study, under: &RunContext<'_>, found: Option<&Found>) -> Workload<'s> {
    workload(study, under.begun(found.map(Found::arithmetic)), under.shard.is_some())
}

/// The work of a study, in chunks as its run takes them. It goes on from `begun`; it `is_part`
/// of a run.
pub fn workload(study: &Study, begun: Option<String>, is_part: bool) -> Workload<'_> {
    let (kernels, ensembles) = study.kind.ensembles(PILOT, study);
    let batches = ensembles.into_iter().flat_map(|mut left| {
        let mut chunk = study.run.chunk.unwrap_or(FIRST_CHUNK);
        std::iter::from_fn(move || {
            let batch = left.min(chunk);
            left -= batch;
            chunk = if study.run.chunk.is_some() { chunk } else { (chunk * GROWTH).min(LARGEST_CHUNK) };
            (batch > 0).then_some(batch)
        })
    });
    Workload {
        kernels,
        batches: batches.collect(),
        trial: Some(Box::new(|plan, program| tried(study, plan, program))),
        begun,
        is_part,
    }
}

/// Wall-clock time by part of a run.
#[derive(Default)]
struct Spent {
    sampling: Duration,
    preparing: Duration,
    stepping: Duration,
    observing: Duration,
    judging: Duration,
    writing: Duration,
}

/// Instances of a chunk that are at their end.
pub(super) struct FinishedRows<'a> {
    pub first: u64,
    pub ends: &'a [End],
    /// Drawn numbers, instance by instance.
    pub drawn: &'a [f64],
    /// Full step of each instance (s), where they differ.
    pub own_steps: Option<&'a [f64]>,
}

impl FinishedRows<'_> {
    /// Writes them: `ahead`, what was drawn, `values`; each by column.
    pub fn write(
        &self,
        writer: &mut InstancesWriter,
        ahead: &[&[f64]],
        values: &[&[f64]],
    ) -> Result<(), OutputError> {
        if !writer.is_kept() {
            return Ok(());
        }
        let width = self.drawn.len().checked_div(self.ends.len()).unwrap_or(0);
        let drawn: Vec<Vec<f64>> = (0..width)
            .into_par_iter()
            .map(|column| self.drawn.iter().skip(column).step_by(width).copied().collect())
            .collect();
        let columns: Vec<&[f64]> = ahead
            .iter()
            .copied()
            .chain(drawn.iter().map(Vec::as_slice))
            .chain(values.iter().copied())
            .collect();
        let verdicts: Vec<Verdict> = self.ends.iter().map(|end| end.verdict).collect();
        let verdict_steps: Vec<u64> = self.ends.iter().map(|end| end.step).collect();
        writer.write(&InstancesChunk {
            first: self.first,
            verdicts: &verdicts,
            verdict_steps: &verdict_steps,
            own_steps: self.own_steps,
            verdict_times: None,
            values: &columns,
        })
    }
}

impl<'a> Driver<'a> {
    /// A run of `total` instance-steps. Setting `interrupted` ends it early.
    pub fn new(listener: &'a dyn Listener, interrupted: &'a AtomicBool, total: u64) -> Driver<'a> {
        Driver {
            listener,
            interrupted,
            started: Instant::now(),
            started_at: now_utc(),
            spent: Spent::default(),
            device_losses: 0,
            interrupted_at: None,
            done: 0,
            total,
            taken: 0,
            before: Account::default(),
            pace: None,
            kind: None,
            lesson: None,
        }
    }

    /// Begins the instances of a run with `kept`, or goes on from the checkpoint that was found.
    ///
    /// # Errors
    /// As [`Keeping::begin`]; or the user has ended a run before it could go on.
    pub fn begin<K: Kept>(
        &mut self,
        study: &Study,
        kept: K,
        table: &TableOf<'_>,
        begin: (OutputFolder, Option<Found>),
        (header, instances): (&Header, &Range<u64>),
    ) -> Result<Keeping<K>, RunError> {
        // The pilot was cut off: its bins are not those of the checkpoint.
        if begin.1.is_some() && self.is_interrupted() {
            return Err(RunError::Interrupted);
        }
        let take_up = &mut |account| self.take_up(account);
        Keeping::begin(study, kept, table, begin, header.clone(), instances.clone(), take_up)
    }

    /// Goes on with a run that has taken this so far.
    fn take_up(&mut self, account: Account) {
        self.listener.say(&format!(
            "going on from {} of {} instance-steps",
            grouped(account.done.min(self.total)),
            grouped(self.total)
        ));
        self.before = Account { resumed: account.resumed + 1, ..account };
    }

    /// Returns the account of the run so far, all its sittings together.
    fn sittings(&self) -> Account {
        let spent = &self.spent;
        let mut timings = Timings {
            sampling: spent.sampling.as_secs_f64(),
            preparing: spent.preparing.as_secs_f64(),
            stepping: spent.stepping.as_secs_f64(),
            observing: spent.observing.as_secs_f64(),
            judging: spent.judging.as_secs_f64(),
            writing: spent.writing.as_secs_f64(),
            total: self.started.elapsed().as_secs_f64(),
        };
        timings.add(&self.before.timings);
        let first = if self.before.resumed > 0 { &self.before.started } else { &self.started_at };
        Account {
            timings,
            done: self.before.done + self.done,
            total: self.total,
            taken: self.before.taken + self.taken,
            device_losses: self.before.device_losses + self.device_losses,
            started: first.clone(),
            resumed: self.before.resumed,
        }
    }

    /// Instances of the first chunk, where so many are wanted in a chunk: no more than the CPU
    /// takes at once.
    pub fn first_chunk(&self, wanted: Option<u64>) -> u64 {
        wanted.unwrap_or(FIRST_CHUNK).min(cpu::largest_batch() as u64)
    }

    /// Instances of the next chunk: as many as take about [`CHUNK_TIME`], by those of the last one.
    fn portion(&self, last: Option<u64>) -> u64 {
        let Some((instances, time)) = self.pace else { return self.first_chunk(None) };
        let wanted = CHUNK_TIME.as_secs_f64() / time.as_secs_f64().max(1e-9) * instances as f64;
        let most = last.map_or(LARGEST_CHUNK, |last| last.saturating_mul(GROWTH));
        let wanted = wanted.min(most as f64) as u64;
        (wanted / CHUNK_UNIT * CHUNK_UNIT).clamp(CHUNK_UNIT, LARGEST_CHUNK)
    }

    pub fn say(&self, line: &str) {
        self.listener.say(line);
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The backend of the plan: of the kind of the run's others, where it is not the first.
    pub fn choose(&mut self, plan: &Plan, run: &Run, work: &Workload) -> Result<ChosenBackend, RunError> {
        let started = Instant::now();
        let mut run = run.clone();
        if run.backend == BackendChoice::Auto {
            run.backend = match self.kind {
                None => BackendChoice::Auto,
                Some("cpu") => BackendChoice::Cpu,
                Some(_) => BackendChoice::Gpu { adapter: None },
            };
        }
        let at_work = |with: &str| self.listener.preparing(with);
        let chosen = choose(plan, &run, work, &at_work, Some(self.interrupted));
        let mut chosen = chosen.map_err(|error| match error {
            BackendError::Interrupted => RunError::Interrupted,
            error => error.into(),
        })?;
        self.kind.get_or_insert(chosen.kind);
        if let Some(lesson) = chosen.lesson.take() {
            self.lesson = Some(lesson);
        }
        self.spent.preparing += started.elapsed();
        Ok(chosen)
    }

    /// Keeps what a whole run has taught of its device.
    fn learn(&self) {
        let whole = self.done >= self.total && self.before.resumed == 0 && self.device_losses == 0;
        if let Some(lesson) = self.lesson.as_ref().filter(|_| whole) {
            let Spent { preparing, stepping, observing, .. } = &self.spent;
            let [preparing, stepping, waiting] = [preparing, stepping, observing].map(Duration::as_secs_f64);
            lesson.learn(&Forecast { preparing, waiting, stepping });
        }
    }

    /// Runs the instances that `keeping` has not seen yet in chunks, those before `end`: of
    /// `wanted` instances, of as many as the backend takes where fewer, of as many as take
    /// [`CHUNK_TIME`] where none is wanted; each by `draw` (`None`: interrupted), `advance` and
    /// `write`, with a checkpoint where one is due. Ends early when the user asks. While a chunk is
    /// advanced here, the next one is drawn and the last one is written by other threads. Chunks
    /// are advanced, and written, in their order, and an error is that of the earliest chunk which
    /// has one: nothing depends on what is done at a time. On a single thread the stages take
    /// turns.
    pub fn pipeline<K: Kept + Send, B: Send, R: Send>(
        &mut self,
        keeping: &mut Keeping<K>,
        end: u64,
        (wanted, capacity): (Option<u64>, u64),
        draw: impl Fn(Range<u64>) -> Result<Option<B>, RunError> + Sync,
        mut advance: impl FnMut(&mut Self, &mut K, Range<u64>, B) -> Result<R, RunError>,
        write: impl Fn(&mut InstancesWriter, R) -> Result<(), OutputError> + Sync,
    ) -> Result<(), RunError> {
        let chunk_from = |first: u64, size: u64| {
            let range = first..first + size.min(capacity).min(end - first);
            Some(range).filter(|range| !range.is_empty())
        };
        let interrupted = self.interrupted;
        let timed_draw = |range: Range<u64>| {
            let started = Instant::now();
            let drawn = if interrupted.load(Ordering::Relaxed) { Ok(None) } else { draw(range) };
            (drawn, started.elapsed())
        };
        let mut size = wanted.unwrap_or_else(|| self.portion(None));
        let mut next = chunk_from(keeping.next, size);
        let mut drawn = next.clone().map(timed_draw);
        let mut finished: Option<R> = None;
        while let (Some(range), Some((batch, time))) = (next.take(), drawn.take()) {
            self.spent.sampling += time;
            // None: the user ended the run.
            let Some(batch) = batch? else { break };
            if self.is_interrupted() {
                break;
            }
            size = wanted.unwrap_or_else(|| self.portion(Some(size)));
            next = chunk_from(range.end, size);
            let (following, last) = (next.clone(), finished.take());
            let mut written = Ok(Duration::ZERO);
            let Keeping { kept, writer, .. } = keeping;
            let started = Instant::now();
            let advanced = rayon::in_place_scope(|scope| {
                scope.spawn(|_| drawn = following.map(timed_draw));
                scope.spawn(|_| {
                    let started = Instant::now();
                    let done = last.map_or(Ok(()), |last| write(writer, last));
                    written = done.map(|()| started.elapsed());
                });
                let advanced = advance(self, kept, range.clone(), batch);
                self.pace = Some((range.end - range.start, started.elapsed()));
                advanced
            });
            self.spent.writing += written?;
            let advanced = advanced?;
            keeping.next = range.end;
            // A checkpoint leaves out an interrupted chunk, which has not come to its end.
            if keeping.is_due() && !self.is_interrupted() {
                let started = Instant::now();
                write(&mut keeping.writer, advanced)?;
                self.spent.writing += started.elapsed();
                self.checkpoint(keeping)?;
            } else {
                finished = Some(advanced);
            }
        }
        let started = Instant::now();
        finished.map_or(Ok(()), |last| write(&mut keeping.writer, last))?;
        self.spent.writing += started.elapsed();
        Ok(())
    }

    /// Writes a checkpoint.
    pub fn checkpoint<K: Kept>(&mut self, keeping: &mut Keeping<K>) -> Result<(), OutputError> {
        let started = Instant::now();
        keeping.save(&self.sittings())?;
        self.spent.writing += started.elapsed();
        Ok(())
    }

    /// Returns the result of `draw`, and counts its time as sampling.
    pub fn sample<T>(&mut self, draw: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let drawn = draw();
        self.spent.sampling += started.elapsed();
        drawn
    }

    /// Measures the error of a run whose instances are all in, where that is wanted, and counts the
    /// time as judging; and whether the run is complete then: it is not where that
    /// [was cut off](Self::is_cut).
    pub fn judge<K: Kept>(
        &mut self,
        keeping: &mut Keeping<K>,
        measure: impl FnOnce() -> Option<AccuracyAssessment>,
    ) -> Result<(Option<AccuracyAssessment>, bool), OutputError> {
        let started = Instant::now();
        let measured = measure();
        self.spent.judging += started.elapsed();
        match measured.is_some() && self.is_cut(keeping)? {
            true => Ok((None, false)),
            false => Ok((measured, true)),
        }
    }

    /// Whether the user has ended what follows the last instance. A checkpoint is left then, from
    /// which it is done again.
    pub fn is_cut<K: Kept>(&mut self, keeping: &mut Keeping<K>) -> Result<bool, OutputError> {
        let is_cut = self.is_interrupted();
        if is_cut {
            self.checkpoint(keeping)?;
        }
        Ok(is_cut)
    }

    /// Takes a batch to its end, or as far as the user lets it; the last step that it reached.
    /// `statistics` take in all snapshots.
    pub fn advance(
        &mut self,
        backend: &mut dyn Backend,
        march: &mut BatchRun<'_>,
        statistics: Option<&mut Statistics>,
        record: impl FnMut(usize, &[Piece]),
    ) -> Result<u64, RunError> {
        let count = march.instances() as u64;
        let before = self.before.done + self.done;
        let reached = march.run(backend, statistics, record, |step| {
            self.listener.progress((before + count * step).min(self.total), self.total);
            match self.is_interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        self.done += count * reached;
        if self.is_interrupted() {
            self.interrupted_at = Some(reached);
        }
        Ok(reached)
    }

    /// Columns of another observer at the end of a batch, and how each instance ended, those that
    /// the user stopped as interrupted.
    pub fn finish(&mut self, march: &mut BatchRun<'_>, last: &Observer<'_>) -> (Vec<Vec<f64>>, Vec<End>) {
        let (columns, mut ends) = march.finish(last);
        self.judge_ends(march, &mut ends);
        self.count(march);
        (columns, ends)
    }

    /// Gives those that came to their end the verdict of the first condition
    /// [at the end](EndCondition::at_end) that holds.
    fn judge_ends(&self, march: &mut BatchRun<'_>, ends: &mut [End]) {
        let conditions = march.plan().model.mechanism().ends.iter().enumerate();
        let at_end: Vec<u8> = conditions.filter(|(_, end)| end.at_end).map(|(k, _)| k as u8).collect();
        if at_end.is_empty() {
            return;
        }
        let (holds, _) = march.finish(&Observer::of_ends(march.plan()));
        for (i, end) in ends.iter_mut().enumerate().filter(|(_, end)| end.verdict == Verdict::Finished) {
            if let Some(first) = holds.iter().position(|column| column[i] > 0.5) {
                end.verdict = Verdict::Condition(at_end[first]);
            }
        }
    }

    /// Counts what a batch took.
    pub fn count(&mut self, march: &BatchRun<'_>) {
        self.taken += march.instance_steps();
        self.spent.stepping += march.spent.stepping;
        self.spent.observing += march.spent.observing;
        self.device_losses += march.losses;
    }

    /// Does something whose time counts as observing.
    pub fn observe<T>(&mut self, look: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let observed = look();
        self.spent.observing += started.elapsed();
        observed
    }

    /// Time that counts as observing.
    pub fn observed(&mut self, time: Duration) {
        self.spent.observing += time;
    }

    /// Completes the table of instances.
    pub fn close(&mut self, writer: InstancesWriter) -> Result<(), OutputError> {
        let started = Instant::now();
        writer.finish()?;
        self.spent.writing += started.elapsed();
        Ok(())
    }

    /// Counts instance-steps that were taken beside it, and all time that nothing else has counted
    /// as that of stepping.
    pub fn stepped(&mut self, instance_steps: u64) {
        self.done += instance_steps;
        self.taken += instance_steps;
        let Spent { sampling, preparing, observing, writing, .. } = self.spent;
        self.spent.stepping =
            self.started.elapsed().saturating_sub(sampling + preparing + observing + writing);
        self.listener.progress((self.before.done + self.done).min(self.total), self.total);
    }

    /// The time that earlier sittings of the run have taken (s).
    pub fn spent_before(&self) -> f64 {
        self.before.timings.total
    }

    /// The manifest with what the run took, all its sittings together.
    pub fn account(&self, manifest: Manifest) -> Manifest {
        self.learn();
        let Account { timings, taken, device_losses, started, resumed, .. } = self.sittings();
        Manifest {
            timings,
            instance_steps_per_second: taken as f64 / timings.stepping.max(1e-9),
            device_losses,
            interrupted_at: self.interrupted_at.filter(|step| *step < manifest.steps),
            started,
            resumed,
            ..manifest
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, AtomicUsize};

    use super::super::checkpoint::open_state;
    use super::*;
    use crate::observe::stored::{StoreReader, StoreWriter};
    use crate::output::{CHECKPOINT, OutputFolder, unfinished};

    struct Quiet;

    impl Listener for Quiet {
        fn say(&self, _: &str) {}
        fn progress(&self, _: u64, _: u64) {}
    }

    /// The chunks that were advanced, by their first instances.
    #[derive(Default)]
    struct Advanced(Vec<u64>);

    impl Kept for Advanced {
        fn store<W: Write>(&self, _: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
            to.value(&self.0)
        }

        fn absorb<R: Read>(&mut self, _: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
            self.0 = from.value()?;
            Ok(())
        }
    }

    /// A chunk that counts itself as long as it is alive.
    struct Alive<'a>(u64, &'a AtomicUsize);

    impl<'a> Alive<'a> {
        fn new(first: u64, count: &'a AtomicUsize, most: &AtomicUsize) -> Alive<'a> {
            most.fetch_max(count.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            Alive(first, count)
        }
    }

    impl Drop for Alive<'_> {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Where a run fails, or is interrupted while it advances: the first instance of the chunk.
    #[derive(Clone, Copy, Default)]
    struct Faults {
        draw: Option<u64>,
        advance: Option<u64>,
        write: Option<u64>,
        interrupt: Option<u64>,
        /// Where it is interrupted while it draws.
        cut: Option<u64>,
        /// Time between checkpoints; none: without.
        every: Option<Duration>,
        /// A chunk is written only when the one after the next is drawn: there must be a thread for
        /// each.
        meets: bool,
    }

    /// Runs 100 instances by 8 on so many threads: what was advanced and written, the most chunks
    /// alive, and how it ended.
    fn run(threads: usize, faults: Faults) -> ([Vec<u64>; 2], usize, Result<(), String>) {
        let home = tempfile::tempdir().unwrap();
        run_in(home.path(), threads, faults)
    }

    fn run_in(home: &Path, threads: usize, faults: Faults) -> ([Vec<u64>; 2], usize, Result<(), String>) {
        let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let drawn = AtomicU64::new(0);
        let written = Mutex::new(Vec::new());
        let folder = OutputFolder::create(&home.join("run"), false).unwrap();
        let mut keeping =
            Keeping::of(Advanced::default(), folder, 0..100, faults.every.unwrap_or(Duration::MAX));
        let interrupted = AtomicBool::new(false);
        let mut driver = Driver::new(&Quiet, &interrupted, 100);
        let failed = |stage: &str, first: u64| RunError::NoMechanism(format!("{stage} {first}"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ended = pool.install(|| {
            driver.pipeline(
                &mut keeping,
                100,
                (Some(8), 1000),
                |range| match faults.draw == Some(range.start) {
                    _ if faults.cut == Some(range.start) => Ok(None),
                    true => Err(failed("draw", range.start)),
                    false => {
                        let chunk = Alive::new(range.start, &alive, &most);
                        drawn.store(range.end, Ordering::SeqCst);
                        Ok(Some(chunk))
                    }
                },
                |_, advanced: &mut Advanced, range, batch| {
                    assert_eq!(batch.0, range.start);
                    // The other stages have time to run ahead, if anything lets them.
                    std::thread::sleep(Duration::from_millis(3));
                    advanced.0.push(range.start);
                    if faults.interrupt == Some(range.start) {
                        interrupted.store(true, Ordering::Relaxed);
                    }
                    match faults.advance == Some(range.start) {
                        true => Err(failed("advance", range.start)),
                        false => Ok(batch),
                    }
                },
                |_, chunk: Alive<'_>| {
                    while faults.meets && drawn.load(Ordering::SeqCst) < (chunk.0 + 24).min(100) {
                        std::thread::yield_now();
                    }
                    if faults.write == Some(chunk.0) {
                        return Err(OutputError::NotAFolder {
                            folder: PathBuf::from(format!("write {}", chunk.0)),
                        });
                    }
                    written.lock().unwrap().push(chunk.0);
                    Ok(())
                },
            )
        });
        assert_eq!(alive.load(Ordering::SeqCst), 0);
        let done = [keeping.kept.0.clone(), written.into_inner().unwrap()];
        (done, most.load(Ordering::SeqCst), ended.map_err(|error| error.to_string()))
    }

    #[test]
    fn chunks_go_through_in_order_and_three_are_kept_at_most() {
        let all: Vec<u64> = (0..100).step_by(8).collect();
        for threads in [1, 2, 4] {
            let (done, most, ended) = run(threads, Faults::default());
            assert_eq!((done, ended), ([all.clone(), all.clone()], Ok(())), "{threads} threads");
            assert!(most <= 3, "{threads} threads: {most} chunks");
        }
        // Three are kept where there is a thread for each, or nothing would overlap.
        assert_eq!(run(4, Faults { meets: true, ..Faults::default() }).1, 3);
    }

    #[test]
    fn the_error_is_that_of_the_earliest_chunk() {
        for threads in [1, 4] {
            let error_of = |faults: Faults| run(threads, faults).2.unwrap_err();
            assert!(error_of(Faults { draw: Some(0), ..Faults::default() }).contains("draw 0"));
            let (done, _, ended) = run(threads, Faults { draw: Some(24), ..Faults::default() });
            assert!(ended.unwrap_err().contains("draw 24"));
            assert_eq!(done[0], [0, 8, 16]);
            // The chunk before cannot be written, and the next cannot be drawn.
            let both = Faults { draw: Some(24), advance: Some(16), write: Some(8), ..Faults::default() };
            assert!(error_of(both).contains("write 8"));
            assert!(error_of(Faults { write: None, ..both }).contains("advance 16"));
            assert!(error_of(Faults { write: Some(96), ..Faults::default() }).contains("write 96"));
        }
    }

    #[test]
    fn a_checkpoint_has_whole_chunks_that_were_written() {
        for threads in [1, 4] {
            for (faults, last) in [
                (Faults { advance: Some(24), ..Faults::default() }, 24),
                (Faults { draw: Some(40), ..Faults::default() }, 40),
                (Faults { write: Some(32), ..Faults::default() }, 32),
                (Faults { interrupt: Some(48), ..Faults::default() }, 48),
            ] {
                let home = tempfile::tempdir().unwrap();
                let (done, _, _) =
                    run_in(home.path(), threads, Faults { every: Some(Duration::ZERO), ..faults });
                let found = unfinished(&home.path().join("run")).unwrap();
                let (_, mut body) = open_state(&found.join(CHECKPOINT)).unwrap();
                let next: u64 = body.value().unwrap();
                body.value::<String>().unwrap();
                let mut kept = Advanced::default();
                kept.absorb(&(0..next), &mut body).unwrap();
                let whole: Vec<u64> = (0..last).step_by(8).collect();
                assert_eq!((next, &kept.0), (last, &whole), "{threads} threads");
                assert!(done[1].starts_with(&whole), "{threads} threads: {done:?}");
            }
        }
    }

    #[test]
    fn an_interrupt_keeps_what_was_advanced() {
        for threads in [1, 4] {
            let (done, _, ended) = run(threads, Faults { interrupt: Some(16), ..Faults::default() });
            assert_eq!((done, ended), ([vec![0, 8, 16], vec![0, 8, 16]], Ok(())));
            let (done, _, ended) = run(threads, Faults { cut: Some(24), ..Faults::default() });
            assert_eq!((done, ended), ([vec![0, 8, 16], vec![0, 8, 16]], Ok(())));
        }
    }
}
