//! Neighbouring groups of a batch: they advance on the thread that calls, and are read
//! while they are in its caches.

use std::sync::{Arc, Mutex, PoisonError};

use fearless_simd::{Level, dispatch};

use super::group::{Group, Job, Workspace};
use super::tape::GROUP;
use crate::backend::{BatchSection, End, StateReader};
use crate::base::Verdict;
use crate::real::Element;

/// Instances that stand as they were loaded, to be read.
pub struct InOrder<'a, E> {
    /// The first instance, of those of the batch.
    pub first: usize,
    /// Instances of a group.
    pub lanes: usize,
    /// State and parameters of its groups, `[group][row]`, and how many rows a group has.
    pub stored: &'a [[E; GROUP]],
    pub rows: usize,
    pub verdicts: &'a [Verdict],
    pub steps: &'a [u64],
    pub kept: KeptRows<'a, E>,
    pub level: Level,
}

/// Where the channels of the motions are.
pub struct KeptRows<'a, E> {
    /// For every channel, its row among those of a group; `None`: it is not kept.
    pub places: &'a [Option<usize>],
    /// Likewise the row of its lower part; `None`: it has none.
    pub lows: &'a [Option<usize>],
    /// Values of the channels that are not kept, of all instances of the batch:
    /// `[channel][instance]`.
    pub resting: &'a [Vec<E>],
}

impl<E> Clone for KeptRows<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for KeptRows<'_, E> {}

impl<E: Element> InOrder<'_, E> {
    /// As [`StateReader::read_channel`].
    pub fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        let Some(row) = self.kept.places[channel] else {
            let source = &self.kept.resting[channel][first..first + out.len()];
            return dispatch!(self.level, _simd => widen(out, source));
        };
        let first = first - self.first;
        let mut at = 0;
        while at < out.len() {
            let (group, lane) = ((first + at) / self.lanes, (first + at) % self.lanes);
            let n = (self.lanes - lane).min(out.len() - at);
            let source = |row: usize| &self.stored[group * self.rows + row][lane..lane + n];
            let (target, high) = (&mut out[at..at + n], source(row));
            dispatch!(self.level, _simd => widen(target, high));
            if let Some(low) = self.kept.lows[channel] {
                target.iter_mut().zip(source(low)).for_each(|(to, low)| *to += low.flushed().to_f64());
            }
            at += n;
        }
    }

    /// As [`StateReader::are_under_way`].
    pub fn are_under_way(&self, first: usize, count: usize) -> bool {
        let verdicts = &self.verdicts[first - self.first..][..count];
        dispatch!(self.level, _simd => are_finished(verdicts))
    }

    /// As [`StateReader::ends`].
    pub fn ends(&self, first: usize, out: &mut [End]) {
        let from = first - self.first;
        let ends = self.verdicts[from..].iter().zip(&self.steps[from..]);
        for (end, (&verdict, &step)) in out.iter_mut().zip(ends) {
            *end = End { verdict, step };
        }
    }
}

/// All are compared: without a way out before the last the loop is done in vectors. Inlined, so
/// that these are the caller's: of the width that every processor has, they take eight times as
/// long.
#[inline(always)]
fn are_finished(verdicts: &[Verdict]) -> bool {
    verdicts.iter().fold(true, |all, verdict| all & matches!(verdict, Verdict::Finished))
}

/// Copies numbers without those that have decayed, in f64. Inlined, so that it is compiled for
/// the caller's SIMD level.
#[inline(always)]
fn widen<E: Element>(to: &mut [f64], from: &[E]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.flushed().to_f64();
    }
}

/// Some groups that stand side by side, with an interval before them.
pub struct Groups<'a, E> {
    pub job: Arc<Job<'a>>,
    pub spare: &'a Workspaces<E>,
    pub first: usize,
    pub instances: usize,
    /// Those of a group.
    pub lanes: usize,
    pub stored: &'a mut [[E; GROUP]],
    pub verdicts: &'a mut [Verdict],
    pub steps: &'a mut [u64],
    pub kept: KeptRows<'a, E>,
}

/// Workspaces that no thread works in now.
pub struct Workspaces<E>(Mutex<Vec<Workspace<E>>>);

impl<E> Default for Workspaces<E> {
    fn default() -> Self {
        Workspaces(Mutex::default())
    }
}

impl<E: Element> Workspaces<E> {
    fn take(&self, job: &Job<'_>) -> Workspace<E> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| job.workspace())
    }

    fn give_back(&self, workspace: Workspace<E>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }
}

impl<E: Element> Groups<'_, E> {
    fn in_order(&self) -> InOrder<'_, E> {
        let Groups { job, first, lanes, stored, verdicts, steps, kept, .. } = self;
        let (rows, level) = (job.engine.stored(), job.engine.level);
        InOrder { first: *first, lanes: *lanes, stored, rows, verdicts, steps, kept: *kept, level }
    }
}

impl<E: Element> BatchSection for Groups<'_, E> {
    fn advance(&mut self) {
        let Groups { job, spare, instances, lanes: of_group, stored, verdicts, steps, .. } = self;
        let mut workspace = spare.take(job);
        let groups = stored.chunks_mut(job.engine.stored().max(1));
        let ends = verdicts.chunks_mut(*of_group).zip(steps.chunks_mut(*of_group));
        for (number, (stored, (verdicts, steps))) in groups.zip(ends).enumerate() {
            if verdicts.contains(&Verdict::Finished) {
                let lanes = (*instances - number * *of_group).min(*of_group);
                let rows = workspace.rows();
                Group { job, rows, lanes, stored, verdicts, steps, prepared: None }.advance();
            }
        }
        spare.give_back(workspace);
    }
}

impl<E: Element> StateReader for Groups<'_, E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.in_order().read_channel(channel, first, out);
    }

    fn are_under_way(&self, first: usize, count: usize) -> bool {
        self.in_order().are_under_way(first, count)
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        self.in_order().ends(first, out);
    }
}
