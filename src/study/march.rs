//! A batch of instances taken from the first step to the last, seen at every snapshot.
//!
//! At a snapshot the batch is cut into pieces that fit the cache. Each piece computes its channels by itself; then
//! every column, by itself, takes the pieces in. So all cores work, nothing is merged, and nothing is copied.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::backend::{Backend, BackendError, Batch, End, Plan};
use crate::observe::Verdict;
use crate::observe::channels::{Baseline, Observer, Planes};

/// Longest time between two looks at whether to go on.
const LOOK: Duration = Duration::from_millis(300);

/// Losses of a device that a batch survives: one that is lost again and again will not finish.
const MOST_LOSSES: u32 = 3;

/// Instances a piece: its states and channels stay in the second-level cache.
const PIECE: usize = 1024;

/// Some neighbouring instances of a batch and what is observed of them now.
pub struct Piece {
    first: usize,
    states: Vec<Vec<f64>>,
    ends: Vec<End>,
    baselines: Vec<Baseline>,
    /// `[column][instance]`; NaN for an instance that has stopped.
    pub values: Vec<Vec<f64>>,
}

impl Piece {
    /// Number of its instances.
    pub fn instances(&self) -> usize {
        self.ends.len()
    }

    /// The state of its instances now, or the last sound one of those that have stopped: `[channel][instance]`.
    pub fn states(&self) -> &[Vec<f64>] {
        &self.states
    }

    /// How its instances ended so far.
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Whether the piece's i-th instance is under way.
    pub fn runs(&self, i: usize) -> bool {
        self.ends[i].verdict == Verdict::Finished
    }

    /// Columns of another observer of the piece's i-th instance now; NaN if it has stopped.
    pub fn observe(&self, observer: &Observer<'_>, batch: &Batch, i: usize, row: &mut [f64]) {
        if self.ends[i].verdict == Verdict::Finished {
            let planes = Planes { states: &self.states, parameters: &batch.parameters, first: self.first };
            // An instance under way is as far as the piece is.
            observer.observe(&planes, i, self.ends[i].step, &self.baselines[i], row);
        } else {
            row.fill(f64::NAN);
        }
    }
}

/// Where wall-clock time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub stepping: Duration,
    pub observing: Duration,
}

/// A batch under way.
pub struct BatchRun<'a> {
    plan: &'a Plan,
    observer: Observer<'a>,
    batch: &'a Batch,
    pieces: Vec<Piece>,
    /// Steps advanced at once: as many as fit well in [`LOOK`].
    stride: u64,
    /// The last step that all have reached, or stopped before.
    reached: u64,
    pub spent: Spent,
    /// How often the device was lost.
    pub losses: u32,
}

impl<'a> BatchRun<'a> {
    /// `observer`: what is seen at every snapshot.
    pub fn new(plan: &'a Plan, observer: Observer<'a>, batch: &'a Batch) -> BatchRun<'a> {
        let piece = |first: usize| {
            let n = PIECE.min(batch.count - first);
            Piece {
                first,
                states: vec![vec![0.0; n]; plan.moving.len()],
                ends: vec![End { verdict: Verdict::Finished, step: 0 }; n],
                baselines: vec![Baseline::default(); n],
                values: vec![vec![f64::NAN; n]; observer.width()],
            }
        };
        let pieces = (0..batch.count).step_by(PIECE).map(piece).collect();
        BatchRun {
            plan,
            observer,
            batch,
            pieces,
            stride: plan.schedule.check,
            reached: 0,
            spent: Spent::default(),
            losses: 0,
        }
    }

    /// Takes the batch through all snapshots. `seen` gets the number of the snapshot and the pieces.
    /// `under_way` is told the step reached, several times a second; breaking there ends the march, between two
    /// snapshots if need be. Returns the last step reached.
    pub fn run(
        &mut self,
        backend: &mut dyn Backend,
        mut seen: impl FnMut(usize, &[Piece]),
        mut under_way: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<u64, BackendError> {
        let started = Instant::now();
        backend.load(self.batch)?;
        self.spent.stepping += started.elapsed();
        let mut reached = 0;
        for (number, step) in self.plan.schedule.snapshots().into_iter().enumerate() {
            let started = Instant::now();
            let mut flow = ControlFlow::Continue(());
            while flow.is_continue() {
                match self.towards(backend, reached, step) {
                    Ok(Some(to)) => {
                        reached = to;
                        flow = under_way(reached);
                    }
                    Ok(None) => break,
                    Err(BackendError::Lost(reason)) if self.losses < MOST_LOSSES => {
                        // The batch is taken to the same step again on a fresh device, with the same bits: what was
                        // seen on the way is not seen twice.
                        self.losses += 1;
                        backend.reopen().map_err(|_| BackendError::Lost(reason))?;
                        backend.load(self.batch)?;
                        reached = 0;
                    }
                    Err(other) => return Err(other),
                }
            }
            if flow.is_break() && step > 0 {
                backend.fetch()?;
            }
            let advanced = Instant::now();
            self.observe(&*backend, reached, number == 0);
            if reached == step {
                seen(number, &self.pieces);
            }
            self.spent.stepping += advanced - started;
            self.spent.observing += advanced.elapsed();
            if flow.is_break() {
                break;
            }
        }
        self.reached = reached;
        Ok(reached)
    }

    /// Number of instances.
    pub fn instances(&self) -> usize {
        self.batch.count
    }

    /// A stride towards `end`, or, there already, the states fetched: `None`.
    fn towards(
        &mut self,
        backend: &mut dyn Backend,
        reached: u64,
        end: u64,
    ) -> Result<Option<u64>, BackendError> {
        if reached < end {
            return self.stride(backend, reached, end).map(Some);
        }
        if end > 0 {
            backend.fetch()?;
        }
        Ok(None)
    }

    /// One stride from `first` towards `end`. It ends at a check of the verdicts, where the backends look up
    /// anyway: the results do not depend on the length of strides, which follows the clock.
    fn stride(&mut self, backend: &mut dyn Backend, first: u64, end: u64) -> Result<u64, BackendError> {
        let check = self.plan.schedule.check;
        let to = (first.saturating_add(self.stride) / check * check).max(first + 1).min(end);
        let started = Instant::now();
        backend.advance(first, to)?;
        let taken = started.elapsed();
        if taken < LOOK / 4 {
            self.stride = self.stride.max(2 * (to - first));
        } else if taken > LOOK {
            self.stride = ((to - first) / 2).max(check);
        }
        Ok(to)
    }

    fn observe(&mut self, backend: &dyn Backend, step: u64, at_start: bool) {
        let (observer, batch) = (&self.observer, self.batch);
        // Position and velocity of mass centres that all rest need reading only once.
        let moving = self.plan.moving.iter().rposition(|moves| *moves).map_or(0, |last| last + 1);
        let moving = if at_start { self.plan.moving.len() } else { moving };
        self.pieces.par_iter_mut().for_each(|piece| {
            let Piece { first, states, ends, baselines, values } = piece;
            backend.read(*first, &mut states[..moving]);
            backend.ends(*first, ends);
            // A start that is beyond the precision is shown as it was drawn: there is no sound state after it.
            for (i, end) in ends.iter().enumerate() {
                let lost = at_start || end.verdict == Verdict::NonFinite;
                if lost && states.iter().any(|plane| !plane[i].is_finite()) {
                    for (plane, drawn) in states.iter_mut().zip(&batch.states) {
                        plane[i] = drawn[*first + i];
                    }
                }
            }
            let planes = Planes { states, parameters: &batch.parameters, first: *first };
            if at_start {
                for (i, baseline) in baselines.iter_mut().enumerate() {
                    *baseline = observer.baseline(&planes, i);
                }
            }
            observer.observe_all(&planes, step, baselines, values);
            for (i, end) in ends.iter().enumerate() {
                if end.verdict != Verdict::Finished {
                    values.iter_mut().for_each(|column| column[i] = f64::NAN);
                }
            }
        });
    }

    /// The batch as it was seen last.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Columns of another observer from the last state of every instance (the last sound one of those that
    /// stopped), `[column][instance]`, and how each ended: as interrupted, where the user stopped the batch.
    pub fn finish(&mut self, last: &Observer<'_>) -> (Vec<Vec<f64>>, Vec<End>) {
        let started = Instant::now();
        let mut columns = vec![Vec::with_capacity(self.batch.count); last.width()];
        let mut ends = Vec::with_capacity(self.batch.count);
        let mut row = vec![f64::NAN; last.width()];
        let cut = self.reached < self.plan.schedule.steps;
        for piece in &self.pieces {
            let planes =
                Planes { states: &piece.states, parameters: &self.batch.parameters, first: piece.first };
            for (i, end) in piece.ends.iter().enumerate() {
                if end.verdict == Verdict::InvalidSample {
                    row.fill(f64::NAN);
                } else {
                    last.observe(&planes, i, end.step, &piece.baselines[i], &mut row);
                }
                for (column, x) in columns.iter_mut().zip(&row) {
                    column.push(*x);
                }
                let interrupted = cut && end.verdict == Verdict::Finished;
                ends.push(if interrupted { End { verdict: Verdict::Interrupted, ..*end } } else { *end });
            }
        }
        self.spent.observing += started.elapsed();
        (columns, ends)
    }
}
