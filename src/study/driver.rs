//! The driver of all runs of an ensemble: chunks of instances, each drawn, taken from the first step to the last, and written.
//!
//! Instances go through in chunks so that memory depends on the size of a chunk alone. What a kind of study does with a chunk is its
//! own; what all kinds do is here: the chunks, the listener, the interrupt, the count of instance-steps, the time that each part
//! takes, the lost devices, and the rows of `instances.parquet`.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::march::{BatchRun, Piece};
use super::monte_carlo::{Listener, RunError};
use crate::backend::choose::{ChosenBackend, choose};
use crate::backend::{Backend, End, Plan};
use crate::describe::Run;
use crate::observe::Verdict;
use crate::observe::channels::Observer;
use crate::output::{InstancesChunk, InstancesWriter, Manifest, OutputError, Timings};

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

    /// What computes the plan; notes of the choice are said.
    pub fn choose(&self, plan: &Plan, run: &Run) -> Result<ChosenBackend, RunError> {
        Ok(choose(plan, run, &|line| self.listener.say(line))?)
    }

    /// Runs instances in chunks: of `wanted` instances, of as many as the backend takes where fewer. Ends early when the user asks.
    pub fn chunks(
        &mut self,
        instances: Range<u64>,
        wanted: Option<u64>,
        capacity: usize,
        mut each: impl FnMut(&mut Self, Range<u64>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let size = wanted.unwrap_or(u64::MAX).min(capacity as u64);
        let mut first = instances.start;
        while first < instances.end && !self.is_interrupted() {
            let end = first + size.min(instances.end - first);
            each(self, first..end)?;
            first = end;
        }
        Ok(())
    }

    /// What `draw` makes, its time counted as sampling.
    pub fn sample<T>(&mut self, draw: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let drawn = draw();
        self.spent.sampling += started.elapsed();
        drawn
    }

    /// Takes a batch to its end, or as far as the user lets it; the last step that it reached.
    pub fn advance(
        &mut self,
        backend: &mut dyn Backend,
        march: &mut BatchRun<'_>,
        seen: impl FnMut(usize, &[Piece]),
    ) -> Result<u64, RunError> {
        let count = march.instances() as u64;
        let reached = march.run(backend, seen, |step| {
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

    /// Writes the rows of a chunk: `ahead`, what was drawn, `values`; each by column.
    pub fn write(
        &mut self,
        writer: &mut InstancesWriter,
        rows: &FinishedRows<'_>,
        ahead: &[&[f64]],
        values: &[&[f64]],
    ) -> Result<(), OutputError> {
        if !writer.is_kept() {
            return Ok(());
        }
        let started = Instant::now();
        let width = rows.drawn.len().checked_div(rows.ends.len()).unwrap_or(0);
        let drawn: Vec<Vec<f64>> = (0..width)
            .map(|column| rows.drawn.iter().skip(column).step_by(width).copied().collect())
            .collect();
        let columns: Vec<&[f64]> = ahead
            .iter()
            .copied()
            .chain(drawn.iter().map(Vec::as_slice))
            .chain(values.iter().copied())
            .collect();
        let verdicts: Vec<Verdict> = rows.ends.iter().map(|end| end.verdict).collect();
        let verdict_steps: Vec<u64> = rows.ends.iter().map(|end| end.step).collect();
        writer.write(&InstancesChunk {
            first: rows.first,
            verdicts: &verdicts,
            verdict_steps: &verdict_steps,
            own_steps: rows.own_steps,
            values: &columns,
        })?;
        self.spent.writing += started.elapsed();
        Ok(())
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
