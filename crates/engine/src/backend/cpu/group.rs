//! A group of instances on its way through an interval: its rows in the first-level
//! cache, checked at every check.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

use super::Engine;
use super::alarm::Alarm;
use super::lanes::Rows;
use super::tape::GROUP;
use crate::backend::Plan;
use crate::backend::program::OwnStepPlaces;
use crate::base::Verdict;
use crate::ensemble::schedule::{Schedule, StepRange};
use crate::math::quaternion::norm_squared;
use crate::model::WIDTH;
use crate::real::Element;

/// An interval of steps for all groups.
pub struct Job<'a> {
    pub plan: &'a Plan,
    pub engine: &'a Engine,
    pub stretches: Vec<StepRange>,
    pub first: u64,
    pub end: u64,
}

impl Job<'_> {
    /// Rows for one group after another: constants are set, the rest is the group's.
    pub fn workspace<E: Element>(&self) -> Workspace<E> {
        let tape = &self.engine.tape;
        let mut workspace = Workspace::new(tape.rows);
        for (row, value) in &tape.constants {
            workspace.rows()[*row] = [E::from_f64(*value); GROUP];
        }
        workspace
    }
}

/// Rows of which no vector crosses the border of two cache lines.
pub struct Workspace<E> {
    lines: Vec<CacheLine>,
    element: PhantomData<E>,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

impl<E: Element> Workspace<E> {
    fn new(rows: usize) -> Self {
        let lines = rows * size_of::<[E; GROUP]>() / size_of::<CacheLine>();
        Workspace { lines: vec![CacheLine::zeroed(); lines], element: PhantomData }
    }

    pub fn rows(&mut self) -> &mut Rows<E> {
        bytemuck::cast_slice_mut(&mut self.lines)
    }
}

/// One group under way.
pub struct Group<'a, E> {
    pub job: &'a Job<'a>,
    pub rows: &'a mut Rows<E>,
    /// The first lanes that are instances, counted.
    pub lanes: usize,
    pub stored: &'a mut [[E; GROUP]],
    pub verdicts: &'a mut [Verdict],
    pub steps: &'a mut [u64],
    /// The stretch, and the piece of its steps, for which invariants stand in their rows.
    pub prepared: Option<(usize, usize)>,
}

impl<E: Element> Group<'_, E> {
    /// Takes the group through the whole interval of the job, from check to check; where every step
    /// is checked, over several at once. Own steps are not: one that has ended may take ever more
    /// attempts.
    pub fn advance(&mut self) {
        let Job { plan, engine, stretches, first, end } = self.job;
        let check = plan.schedule.check;
        let each = check == 1 && engine.program.own_steps.is_none();
        let together = if each { Schedule::FLUSH } else { check };
        self.rows[..self.stored.len()].copy_from_slice(self.stored);
        let mut from = *first;
        while from < *end {
            // Where a load jumps the verdict is checked too: a dispatch on a GPU ends there.
            let jump = stretches.iter().map(|s| s.end).find(|end| *end > from);
            let to = ((from / together + 1) * together).min(jump.unwrap_or(*end));
            let alarms = self.watch(from, to, each);
            if alarms.iter().any(Option::is_some) {
                self.recover(alarms, from, to, each);
            }
            self.store(|_| true);
            from = to;
        }
        for (verdict, step) in self.verdicts.iter().zip(self.steps.iter_mut()) {
            if *verdict == Verdict::Finished {
                *step = self.job.end;
            }
        }
    }

    /// Takes all lanes through steps `from..to`. By lane that runs, the first step after which an
    /// alarm was raised: of `each` step, or of the last alone.
    fn watch(&mut self, from: u64, to: u64, each: bool) -> [Option<u64>; GROUP] {
        let engine = self.job.engine;
        let Alarm { quiet, passed, .. } = *engine.alarm;
        self.rows[quiet] = [E::from_f64(1.0); GROUP];
        self.rows[passed] = [E::default(); GROUP];
        self.run(from, to, each);
        if !each {
            engine.judge(self.rows, self.lanes);
        }
        let mut alarms = [None; GROUP];
        for (i, alarm) in alarms[..self.lanes].iter_mut().enumerate() {
            if self.rows[quiet][i] == E::default() && self.verdicts[i] == Verdict::Finished {
                let passed = self.rows[passed][i].to_f64() as u64;
                *alarm = Some(if each { from + passed + 1 } else { to });
            }
        }
        alarms
    }

    /// Steps `from..to` of all lanes, starts of what the method carries included; after `each` one
    /// a look.
    fn run(&mut self, from: u64, to: u64, each: bool) {
        let Job { plan, engine, stretches, .. } = self.job;
        let schedule = &plan.schedule;
        let mut k = from;
        while k < to {
            let number = stretches.partition_point(|s| s.end <= k);
            let stretch = &stretches[number];
            self.prepare(number, 0);
            if Schedule::flushes(k) {
                let state = self.rows[engine.tape.state.clone()].as_flattened_mut();
                state.iter_mut().for_each(|x| *x = x.flushed());
            }
            if schedule.resynchronises(k) {
                engine.resynchronise(self.rows, self.lanes);
            }
            if schedule.begins(k) {
                engine.begin(self.rows, self.lanes);
            }
            let stop = schedule.next_event(k, to).min(stretch.end);
            match engine.program.own_steps {
                None if each => engine.watched_step(self.rows, self.lanes, stop - k),
                None => engine.step(self.rows, self.lanes, stop - k),
                Some(places) => (k..stop).for_each(|_| self.own_step(places, number)),
            }
            k = stop;
        }
    }

    /// Puts the factors of a piece of a stretch's steps, and all that stays the same
    /// over it, into their rows.
    fn prepare(&mut self, stretch: usize, piece: usize) {
        if self.prepared == Some((stretch, piece)) {
            return;
        }
        let Job { engine, stretches, .. } = self.job;
        let factors = &stretches[stretch].pieces[piece].factors;
        for (row, factor) in engine.tape.factors.clone().zip(factors) {
            self.rows[row] = [E::from_f64(*factor); GROUP];
        }
        engine.prepare(self.rows, self.lanes);
        self.prepared = Some((stretch, piece));
    }

    /// One step of the study of instances that choose their own, piece by piece: attempts, until
    /// all that run have come to its end. The first ones go out together, as many as the step
    /// before took, so that the state stays in registers: who is at the end already stays there.
    /// After a lock's event comes a resynchronisation, so there each is looked at.
    fn own_step(&mut self, places: OwnStepPlaces, stretch: usize) {
        let Job { engine, stretches, .. } = self.job;
        let first = engine.tape.state.start;
        let runs: [bool; GROUP] = std::array::from_fn(|i| {
            self.verdicts.get(i).is_some_and(|verdict| *verdict == Verdict::Finished)
        });
        let before = &self.rows[first + places.attempts];
        let before = before[..self.lanes].iter().zip(&runs);
        let before = before.filter(|(_, runs)| **runs).map(|(taken, _)| taken.to_f64());
        let before = if places.event.is_some() { 1.0 } else { before.fold(1.0, f64::max) };
        self.rows[first + places.progress] = [E::default(); GROUP];
        self.rows[first + places.attempts] = [E::default(); GROUP];
        let mut from = 0.0;
        for (number, piece) in stretches[stretch].pieces.iter().enumerate() {
            self.prepare(stretch, number);
            let together = (before * (piece.until - from)).max(1.0) as u64;
            self.attempt(places, &runs, E::from_f64(piece.until), together);
            from = piece.until;
        }
    }

    /// Attempts, until all lanes that run have come to this share of the step of the study; so many
    /// at first without a look.
    fn attempt(&mut self, places: OwnStepPlaces, runs: &[bool; GROUP], edge: E, mut together: u64) {
        let engine = self.job.engine;
        let first = engine.tape.state.start;
        loop {
            engine.step(self.rows, self.lanes, together);
            together = 1;
            if let Some(event) = places.event {
                let one = E::from_f64(1.0);
                let lanes: [bool; GROUP] = std::array::from_fn(|i| self.rows[first + event][i] == one);
                self.resynchronise(&lanes);
            }
            let progress = &self.rows[first + places.progress][..self.lanes];
            if !progress.iter().zip(runs).any(|(progress, runs)| *runs && *progress < edge) {
                return;
            }
        }
    }

    /// Resynchronises these lanes alone.
    fn resynchronise(&mut self, lanes: &[bool; GROUP]) {
        if !lanes.contains(&true) {
            return;
        }
        let engine = self.job.engine;
        let state = engine.tape.state.clone();
        let before = self.rows[state.clone()].to_vec();
        engine.resynchronise(self.rows, self.lanes);
        for (row, before) in self.rows[state].iter_mut().zip(&before) {
            for ((x, before), wanted) in row.iter_mut().zip(before).zip(lanes) {
                if !wanted {
                    *x = *before;
                }
            }
        }
    }

    /// Stores the state of the running lanes for which `wanted` holds; the others keep what they
    /// have.
    fn store(&mut self, wanted: impl Fn(usize) -> bool) {
        let state = self.job.engine.tape.state.clone();
        let lanes = self.lanes;
        let mut keep = [false; GROUP];
        for (i, keep) in keep[..lanes].iter_mut().enumerate() {
            *keep = self.verdicts[i] == Verdict::Finished && wanted(i);
        }
        let are_all = keep[..lanes].iter().all(|keep| *keep);
        for (target, row) in self.stored[state.clone()].iter_mut().zip(&self.rows[state]) {
            if are_all {
                target[..lanes].copy_from_slice(&row[..lanes]);
                continue;
            }
            for (i, target) in target[..lanes].iter_mut().enumerate() {
                if keep[i] {
                    *target = row[i];
                }
            }
        }
    }

    /// Tells how every lane would end if it ended now: `Finished` for the sound and for the stopped
    /// ones.
    fn judge(&mut self) -> [Verdict; GROUP] {
        let Job { plan, engine, .. } = self.job;
        let lanes = self.lanes;
        let mut ends = [Verdict::Finished; GROUP];
        let mut mark = |verdict: Verdict, bad: &dyn Fn(usize) -> bool| {
            for (i, end) in ends[..lanes].iter_mut().enumerate() {
                if self.verdicts[i] == Verdict::Finished && bad(i) {
                    *end = verdict;
                }
            }
        };
        if !engine.program.judged.is_empty() {
            engine.judge(self.rows, self.lanes);
        }
        // The first bound that is passed gives the verdict, and so it is marked last. A bound of
        // zero bounds nothing: without energy at the start there is nothing to compare with.
        for (k, judged) in engine.program.judged.iter().enumerate().rev() {
            let first = engine.tape.judged.start + 2 * k;
            let (value, allowed) = (&self.rows[first], &self.rows[first + 1]);
            mark(judged.verdict, &|i| {
                allowed[i].to_f64() > 0.0 && value[i].to_f64().abs() > allowed[i].to_f64()
            });
        }
        if let Some(bound) = plan.bounds.quaternion_norm {
            let bound = E::from_f64(bound).to_f64();
            for body in plan.turning() {
                let place = |c: usize| engine.program.place(body * WIDTH + c);
                let rows: [Option<&[E; GROUP]>; 4] =
                    std::array::from_fn(|c| place(c).map(|row| &self.rows[row]));
                mark(Verdict::NormBound, &|i| {
                    // A component that is not kept rests at zero.
                    let [a, b, c, d] = rows;
                    let at = |row: Option<&[E; GROUP]>| row.map_or(E::default(), |row| row[i]);
                    let norm = norm_squared([at(a), at(b), at(c), at(d)]).sqrt();
                    (norm - norm.lift(1.0)).to_f64().abs() > bound
                });
            }
        }
        // Rows beyond these, which the method carries, are not asked: the motion loses
        // next what they have lost.
        for places in &engine.program.finite {
            let rows = &self.rows[places.clone()];
            mark(Verdict::NonFinite, &|i| rows.iter().any(|row| !row[i].is_sound()));
        }
        ends
    }

    /// Alarms were raised in some lanes between `from` and `to`, all of which are still stored as
    /// they were at `from`: finds those that failed, and leaves each in its last sound state, which
    /// is that of its last step where a condition ended it.
    #[cold]
    fn recover(&mut self, mut alarms: [Option<u64>; GROUP], from: u64, to: u64, each: bool) {
        let state = self.job.engine.tape.state.clone();
        let after = self.rows[state.clone()].to_vec();
        if !each {
            let ends = self.judge();
            self.rows[state.clone()].copy_from_slice(&self.stored[state.clone()]);
            let is_longer = to - from > 1;
            let of_each = if is_longer { self.watch(from, to, true) } else { alarms };
            let failed = |i: usize| of_each[i].filter(|_| ends[i] != Verdict::Finished);
            alarms = std::array::from_fn(failed);
        }
        self.rows[state.clone()].copy_from_slice(&self.stored[state.clone()]);
        let mut k = from;
        loop {
            // An alarm may be false. From there on every step is judged.
            let running = alarms.iter().zip(&*self.verdicts).filter(|(_, end)| **end == Verdict::Finished);
            let next = running.filter_map(|(alarm, _)| alarm.map(|alarm| alarm.max(k + 1))).min();
            let Some(next) = next.filter(|next| *next <= to) else { break };
            let concerns = |i: usize| alarms[i].is_some_and(|alarm| alarm <= next);
            self.run(k, next - 1, false);
            self.store(concerns);
            self.run(next - 1, next, false);
            let ends = self.judge();
            self.store(|i| concerns(i) && ends[i].is_condition());
            for (i, end) in ends.into_iter().enumerate() {
                if concerns(i) && end != Verdict::Finished {
                    (self.verdicts[i], self.steps[i]) = (end, next);
                }
            }
            k = next;
        }
        self.rows[state].copy_from_slice(&after);
    }
}
