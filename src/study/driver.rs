//! The driver of all runs of an ensemble: chunks of instances, each drawn, taken from the first step to the last, and written.
//!
//! Instances go through in chunks so that memory depends on the size of a chunk alone. They go through a
//! [pipeline](Driver::pipeline): while one is advanced, the next is drawn and the last one written, so that three are kept. What a kind of study does with a chunk is its
//! own; what all kinds do is here: the chunks, the listener, the interrupt, the count of instance-steps, the time that each part
//! takes, the lost devices, and the rows of `instances.parquet`.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::march::{BatchRun, Piece};
use super::monte_carlo::{Listener, RunError};
use crate::backend::choose::{ChosenBackend, choose};
use crate::backend::{Backend, End, Plan};
use crate::describe::Run;
use crate::observe::channels::Observer;
use crate::observe::{Statistics, Verdict};
use crate::output::{InstancesChunk, InstancesWriter, Manifest, OutputError, Timings};

/// Largest chunk where the study asks for none: what the host keeps per instance (samples, states, tables) stays below about 1 GiB.
pub(super) const LARGEST_CHUNK: u64 = 1 << 21;

/// A run under way.
pub(super) struct Driver<'a> {
    listener: &'a dyn Listener,
    interrupted: &'a AtomicBool,
    started: Instant,
    spent: Spent,
    device_losses: u32,
    /// Instance-steps done, and in all.
    done: u64,
    total: u64,
}

/// Wall-clock time by part of a run.
#[derive(Default)]
struct Spent {
    sampling: Duration,
    preparing: Duration,
    stepping: Duration,
    observing: Duration,
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
            spent: Spent::default(),
            device_losses: 0,
            done: 0,
            total,
        }
    }

    pub fn say(&self, line: &str) {
        self.listener.say(line);
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// What computes the plan.
    pub fn choose(&mut self, plan: &Plan, run: &Run) -> Result<ChosenBackend, RunError> {
        let started = Instant::now();
        let chosen = choose(plan, run, &|with| self.listener.preparing(with))?;
        self.spent.preparing += started.elapsed();
        Ok(chosen)
    }

    /// Runs instances in chunks: of `wanted` instances, of as many as the backend takes where fewer; each by `draw`, `advance` and `write`.
    /// Ends early when the user asks. While a chunk is advanced
    /// here, the next one is drawn and the last one is written by other threads. Chunks are advanced, and written, in their order,
    /// and an error is that of the earliest chunk which has one: nothing depends on what is done at a time. On a single thread
    /// the stages take turns.
    pub fn pipeline<B: Send, R: Send>(
        &mut self,
        instances: Range<u64>,
        wanted: Option<u64>,
        capacity: usize,
        draw: impl Fn(Range<u64>) -> Result<B, RunError> + Sync,
        mut advance: impl FnMut(&mut Self, Range<u64>, B) -> Result<R, RunError>,
        mut write: impl FnMut(R) -> Result<(), OutputError> + Send,
    ) -> Result<(), RunError> {
        let size = wanted.unwrap_or(LARGEST_CHUNK).min(capacity as u64);
        let chunk_from = |first: u64| first..first + size.min(instances.end - first);
        let interrupted = self.interrupted;
        let timed_draw = |range: Range<u64>| {
            let started = Instant::now();
            let drawn = (!interrupted.load(Ordering::Relaxed)).then(|| draw(range));
            (drawn, started.elapsed())
        };
        let mut next = Some(chunk_from(instances.start)).filter(|range| !range.is_empty());
        let mut drawn = next.clone().map(timed_draw);
        let mut finished: Option<R> = None;
        while let (Some(range), Some((batch, time))) = (next.take(), drawn.take()) {
            self.spent.sampling += time;
            // None: the user ended the run.
            let Some(batch) = batch else { break };
            let batch = batch?;
            if self.is_interrupted() {
                break;
            }
            next = Some(chunk_from(range.end)).filter(|range| !range.is_empty());
            let (following, last) = (next.clone(), finished.take());
            let mut written = Ok(Duration::ZERO);
            let advanced = rayon::in_place_scope(|scope| {
                scope.spawn(|_| drawn = following.map(timed_draw));
                scope.spawn(|_| {
                    let started = Instant::now();
                    written = last.map_or(Ok(()), &mut write).map(|()| started.elapsed());
                });
                advance(self, range, batch)
            });
            self.spent.writing += written?;
            finished = Some(advanced?);
        }
        let started = Instant::now();
        finished.map_or(Ok(()), write)?;
        self.spent.writing += started.elapsed();
        Ok(())
    }

    /// What `draw` makes, its time counted as sampling.
    pub fn sample<T>(&mut self, draw: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let drawn = draw();
        self.spent.sampling += started.elapsed();
        drawn
    }

    /// Takes a batch to its end, or as far as the user lets it; the last step that it reached. `statistics` take in all snapshots.
    pub fn advance(
        &mut self,
        backend: &mut dyn Backend,
        march: &mut BatchRun<'_>,
        statistics: Option<&mut Statistics>,
        seen: impl FnMut(usize, &[Piece]),
    ) -> Result<u64, RunError> {
        let count = march.instances() as u64;
        let reached = march.run(backend, statistics, seen, |step| {
            self.listener.progress((self.done + count * step).min(self.total), self.total);
            match self.is_interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        self.done += count * reached;
        Ok(reached)
    }

    /// Columns of another observer at the end of a batch, and how each instance ended, those that the user stopped as interrupted.
    pub fn finish(&mut self, march: &mut BatchRun<'_>, last: &Observer<'_>) -> (Vec<Vec<f64>>, Vec<End>) {
        let finished = march.finish(last);
        self.count(march);
        finished
    }

    /// Counts what a batch took.
    pub fn count(&mut self, march: &BatchRun<'_>) {
        self.spent.stepping += march.spent.stepping;
        self.spent.observing += march.spent.observing;
        self.device_losses += march.losses;
    }

    /// Does something whose time counts as observing.
    pub fn observe<T>(&mut self, look: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let seen = look();
        self.spent.observing += started.elapsed();
        seen
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

    /// Time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The manifest with what the run took.
    pub fn account(&self, manifest: Manifest) -> Manifest {
        let stepping = self.spent.stepping.as_secs_f64();
        Manifest {
            timings: Timings {
                sampling: self.spent.sampling.as_secs_f64(),
                preparing: self.spent.preparing.as_secs_f64(),
                stepping,
                observing: self.spent.observing.as_secs_f64(),
                writing: self.spent.writing.as_secs_f64(),
                total: self.elapsed().as_secs_f64(),
            },
            instance_steps_per_second: self.done as f64 / stepping.max(1e-9),
            device_losses: self.device_losses,
            ..manifest
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    struct Quiet;

    impl Listener for Quiet {
        fn say(&self, _: &str) {}
        fn progress(&self, _: u64, _: u64) {}
    }

    /// What is alive of a chunk, counted.
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
    }

    /// Runs 100 instances by 8 on so many threads: what was advanced and written, the most chunks alive, and how it ended.
    fn run(threads: usize, faults: Faults) -> ([Vec<u64>; 2], usize, Result<(), String>) {
        let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (advanced, written) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let interrupted = AtomicBool::new(false);
        let mut driver = Driver::new(&Quiet, &interrupted, 100);
        let failed = |stage: &str, first: u64| RunError::Unserved(format!("{stage} {first}"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ended = pool.install(|| {
            driver.pipeline(
                0..100,
                Some(8),
                1000,
                |range| match faults.draw == Some(range.start) {
                    true => Err(failed("draw", range.start)),
                    false => Ok(Alive::new(range.start, &alive, &most)),
                },
                |_, range, batch| {
                    assert_eq!(batch.0, range.start);
                    // The other stages have time to run ahead, if anything lets them.
                    std::thread::sleep(Duration::from_millis(3));
                    advanced.lock().unwrap().push(range.start);
                    if faults.interrupt == Some(range.start) {
                        interrupted.store(true, Ordering::Relaxed);
                    }
                    match faults.advance == Some(range.start) {
                        true => Err(failed("advance", range.start)),
                        false => Ok(batch),
                    }
                },
                |chunk: Alive<'_>| {
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
        let done = [advanced, written].map(|firsts| firsts.into_inner().unwrap());
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
        assert_eq!(run(4, Faults::default()).1, 3);
    }

    #[test]
    fn the_error_is_that_of_the_earliest_chunk() {
        for threads in [1, 4] {
            let of = |faults: Faults| run(threads, faults).2.unwrap_err();
            assert!(of(Faults { draw: Some(0), ..Faults::default() }).contains("draw 0"));
            let (done, _, ended) = run(threads, Faults { draw: Some(24), ..Faults::default() });
            assert!(ended.unwrap_err().contains("draw 24"));
            assert_eq!(done[0], [0, 8, 16]);
            // The chunk before cannot be written, and the next cannot be drawn.
            let both = Faults { draw: Some(24), advance: Some(16), write: Some(8), ..Faults::default() };
            assert!(of(both).contains("write 8"));
            assert!(of(Faults { write: None, ..both }).contains("advance 16"));
            assert!(of(Faults { write: Some(96), ..Faults::default() }).contains("write 96"));
        }
    }

    #[test]
    fn an_interrupt_keeps_what_was_advanced() {
        for threads in [1, 4] {
            let (done, _, ended) = run(threads, Faults { interrupt: Some(16), ..Faults::default() });
            assert_eq!((done, ended), ([vec![0, 8, 16], vec![0, 8, 16]], Ok(())));
        }
    }
}
