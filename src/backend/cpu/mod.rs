//! The CPU backend: groups of instances, a routine over their rows, all cores.
//!
//! The program of a study is compiled when the backend is opened: on x86-64 into machine code of this processor's vector
//! width ([`jit`]), elsewhere into SIMD instructions that are run one by one ([`lanes`]), with the same bits. A thread
//! takes a group of instances through the whole interval, its rows in the first-level cache; of the last group, the vectors
//! that have an instance. A check of the bounds costs
//! nothing per step: if an instance has failed at the end of an interval, the interval is run again from its stored
//! start, step by step, to find the step; the instance keeps the last state that satisfied all bounds.

mod arrangement;
#[cfg(target_arch = "x86_64")]
pub mod jit;
#[cfg(not(target_arch = "x86_64"))]
#[path = "jit_absent.rs"]
pub mod jit;
pub mod lanes;
pub mod peak;
pub mod tape;

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

use super::program::{OwnStepPlaces, Program};
use super::{Backend, BackendError, Batch, End, Plan, implicit};
use crate::base::{Precision, Verdict};
use crate::ensemble::schedule::{Schedule, StepRange};
use crate::math::quaternion::norm_squared;
use crate::methods::Advance;
use crate::model::WIDTH;
use crate::real::Element;
use arrangement::Arrangement;
use jit::Code;
use lanes::{Rows, has_fused};
use tape::{GROUP, LeadPart, Routine, Tape};

/// The CPU backend in one precision.
struct Cpu<E: Element> {
    plan: Plan,
    engine: Engine,
    count: usize,
    /// State and parameters of all groups, `[group][row]`: the first rows of a group's.
    stored: Vec<[E; GROUP]>,
    /// For every state channel of the motions, its row among those of a group; `None`: it is not kept.
    places: Vec<Option<usize>>,
    /// Initial values of the channels that are not kept, which therefore never change: `[channel][instance]`.
    resting: Vec<Vec<E>>,
    verdicts: Vec<Verdict>,
    steps: Vec<u64>,
    arrangement: Arrangement,
}

/// Instances of a batch for each thread, and for all.
const PER_THREAD: usize = 1 << 14;
const MOST: usize = 1 << 19;

/// How routines are run. The bits are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// As machine code where it can be had, else interpreted.
    MachineCode,
    /// Instruction by instruction ([`lanes`]).
    Interpreted,
}

/// What runs routines.
struct Engine {
    program: Program,
    tape: Tape,
    codes: Codes,
    level: Level,
    fused: bool,
}

/// The routines of a tape as machine code.
struct Codes {
    prepare: Option<Code>,
    begin: Option<Code>,
    resynchronised: Option<Code>,
    lead: Option<LeadCodes>,
    step: Option<Code>,
    judge: Option<Code>,
}

/// Those of a lead: of the whole, or of its parts.
#[derive(Default)]
struct LeadCodes {
    whole: Option<Code>,
    open: Option<Code>,
    stage: Option<Code>,
    settled: Option<Code>,
    close: Option<Code>,
}

impl Engine {
    fn new<E: Element>(program: Program, level: Level, fused: bool, execution: Execution) -> Engine {
        let tape = Tape::new(&program);
        let fused = fused && has_fused(level);
        let code = |routine: &Routine| match execution {
            Execution::MachineCode => Code::compile::<E>(routine, level, fused),
            Execution::Interpreted => None,
        };
        let codes = Codes {
            prepare: code(&tape.prepare),
            begin: code(&tape.begin),
            resynchronised: code(&tape.resynchronised),
            lead: tape.lead.as_ref().map(|lead| match &lead.whole {
                Some(whole) => LeadCodes { whole: code(whole), ..LeadCodes::default() },
                None => LeadCodes {
                    whole: None,
                    open: code(&lead.open),
                    stage: code(&lead.stage),
                    settled: code(&lead.settled),
                    close: code(&lead.close),
                },
            }),
            step: code(&tape.step),
            judge: code(&tape.judge),
        };
        Engine { program, tape, codes, level, fused }
    }

    fn prepare<E: Element>(&self, rows: &mut Rows<E>, lanes: usize) {
        self.run(&self.tape.prepare, &self.codes.prepare, rows, lanes, 1);
    }

    fn begin<E: Element>(&self, rows: &mut Rows<E>, lanes: usize) {
        self.run(&self.tape.begin, &self.codes.begin, rows, lanes, 1);
        self.lead(rows, lanes);
    }

    fn resynchronise<E: Element>(&self, rows: &mut Rows<E>, lanes: usize) {
        self.run(&self.tape.resynchronised, &self.codes.resynchronised, rows, lanes, 1);
        self.lead(rows, lanes);
    }

    /// Leads the chain that the method carries away from the motions.
    fn lead<E: Element>(&self, rows: &mut Rows<E>, lanes: usize) {
        let Some((routines, codes)) = self.tape.lead.as_ref().zip(self.codes.lead.as_ref()) else { return };
        if let Some(whole) = &routines.whole {
            return self.run(whole, &codes.whole, rows, lanes, 1);
        }
        for (part, routine) in routines.parts() {
            let code = match part {
                LeadPart::Open => &codes.open,
                LeadPart::Numbers(_) => &None,
                LeadPart::Stage => &codes.stage,
                LeadPart::Settled => &codes.settled,
                LeadPart::Close => &codes.close,
            };
            self.run(routine, code, rows, lanes, 1);
        }
    }

    fn step<E: Element>(&self, rows: &mut Rows<E>, lanes: usize, times: u64) {
        self.run(&self.tape.step, &self.codes.step, rows, lanes, times);
    }

    fn judge<E: Element>(&self, rows: &mut Rows<E>, lanes: usize) {
        self.run(&self.tape.judge, &self.codes.judge, rows, lanes, 1);
    }

    /// On the first `lanes` of the group, at least.
    fn run<E: Element>(
        &self,
        routine: &Routine,
        code: &Option<Code>,
        rows: &mut Rows<E>,
        lanes: usize,
        times: u64,
    ) {
        match code {
            Some(code) => code.run(rows, lanes, times),
            None => lanes::run(self.level, self.fused, &routine.instructions, rows, times),
        }
    }

    /// Rows of a group that outlive an interval: state, then parameters.
    fn stored(&self) -> usize {
        self.tape.parameters.end
    }
}

/// What this processor offers, and what of it is used.
fn level_name(level: Level) -> &'static str {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if level.as_avx512().is_some() {
            return "AVX-512";
        }
        if level.as_avx2().is_some() {
            return "AVX2";
        }
        if level.as_sse4_2().is_some() {
            return "SSE4.2";
        }
        return "SSE2";
    }
    #[cfg(target_arch = "aarch64")]
    if level.as_neon().is_some() {
        return "NEON";
    }
    #[allow(unreachable_code, reason = "every x86-64 processor has returned by here")]
    if level.is_fallback() { "scalar" } else { "SIMD" }
}

/// What this processor is to the backend: `CPU, AVX-512`.
pub fn processor() -> String {
    format!("CPU, {}", level_name(Level::new()))
}

/// The CPU backend in this precision at this SIMD level. `fused`: multiply-adds rounded once where the processor can.
/// Work is done by the rayon pool that calls. A plan without a program is advanced by the [implicit] backend, in f64.
pub fn open(plan: Plan, precision: Precision, fused: bool, level: Level) -> Box<dyn Backend> {
    open_with(plan, precision, fused, level, Execution::MachineCode)
}

/// As [`open`], the execution chosen.
pub fn open_with(
    plan: Plan,
    precision: Precision,
    fused: bool,
    level: Level,
    execution: Execution,
) -> Box<dyn Backend> {
    if let Advance::Adaptive(bdf) = plan.method {
        return implicit::open(plan, bdf);
    }
    let program = Program::new(&plan, precision);
    open_recorded(plan, program, precision, fused, level, execution)
}

/// As [`open_with`], from the plan's program in this precision.
pub fn open_recorded(
    plan: Plan,
    program: Program,
    precision: Precision,
    fused: bool,
    level: Level,
    execution: Execution,
) -> Box<dyn Backend> {
    match precision {
        Precision::F32 => Box::new(Cpu::<f32>::new(plan, program, level, fused, execution)),
        Precision::F64 => Box::new(Cpu::<f64>::new(plan, program, level, fused, execution)),
    }
}

impl<E: Element> Cpu<E> {
    fn new(plan: Plan, program: Program, level: Level, fused: bool, execution: Execution) -> Cpu<E> {
        Cpu {
            places: (0..plan.moving.len()).map(|channel| program.place(channel)).collect(),
            plan,
            engine: Engine::new::<E>(program, level, fused, execution),
            count: 0,
            stored: Vec::new(),
            resting: Vec::new(),
            verdicts: Vec::new(),
            steps: Vec::new(),
            arrangement: Arrangement::default(),
        }
    }

    /// As [`Backend::advance`].
    fn advance_all(&mut self, first: u64, end: u64) {
        let stretches = self.plan.schedule.stretches(first, end);
        let job = Job { plan: &self.plan, engine: &self.engine, stretches: &stretches, first, end };
        let width = self.engine.stored().max(1);
        let count = self.count;
        self.stored
            .par_chunks_mut(width)
            .enumerate()
            .zip(self.verdicts.par_chunks_mut(GROUP).zip(self.steps.par_chunks_mut(GROUP)))
            .with_min_len(4)
            .for_each_init(
                || job.workspace(),
                |workspace: &mut Workspace<E>, ((number, stored), (verdicts, steps))| {
                    if verdicts.contains(&Verdict::Finished) {
                        let rows = workspace.rows();
                        let lanes = (count - number * GROUP).min(GROUP);
                        Group { job: &job, rows, lanes, stored, verdicts, steps, prepared: None }.advance();
                    }
                },
            );
    }

    /// Puts instances that choose their own steps beside others that take as many: a group takes as long as the slowest of its lanes.
    fn rearrange(&mut self, attempts: &[f64]) {
        let Some(order) = arrangement::order(attempts, GROUP) else { return };
        let rows = self.engine.stored();
        let mut stored = vec![[E::default(); GROUP]; self.stored.len()];
        stored.par_chunks_mut(rows.max(1)).enumerate().for_each(|(group, target)| {
            for lane in 0..GROUP {
                let from = order[group * GROUP + lane];
                let source = &self.stored[from / GROUP * rows..][..rows];
                for (target, source) in target.iter_mut().zip(source) {
                    target[lane] = source[from % GROUP];
                }
            }
        });
        self.stored = stored;
        self.verdicts = order.iter().map(|from| self.verdicts[*from]).collect();
        self.steps = order.iter().map(|from| self.steps[*from]).collect();
        self.arrangement.reorder(&order);
    }

    /// By lane, how many attempts its last step of the study took; 0 where nothing runs, less past the end.
    fn attempts(&self, places: OwnStepPlaces) -> Vec<f64> {
        let rows = self.engine.stored();
        let row = self.engine.tape.state.start + places.attempts;
        let of = |(lane, verdict): (usize, &Verdict)| match verdict {
            _ if lane >= self.count => -1.0,
            Verdict::Finished => self.stored[lane / GROUP * rows + row][lane % GROUP].to_f64(),
            _ => 0.0,
        };
        self.verdicts.iter().enumerate().map(of).collect()
    }
}

impl<E: Element> Backend for Cpu<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        let groups = batch.count.div_ceil(GROUP);
        let Engine { program, .. } = &self.engine;
        let rows = self.engine.stored();
        self.stored.clear();
        self.stored.resize(groups * rows, [E::default(); GROUP]);
        self.verdicts.clear();
        self.verdicts.extend_from_slice(&batch.verdicts);
        // Lanes past the end repeat the last instance and are never looked at.
        self.verdicts.resize(groups * GROUP, Verdict::InvalidSample);
        self.steps.clear();
        self.steps.resize(groups * GROUP, 0);
        self.arrangement = Arrangement::default();
        self.stored.par_chunks_mut(rows.max(1)).enumerate().for_each(|(g, rows)| {
            let planes = program.state.iter().map(|c| batch.states.get(*c));
            let planes = planes.chain(program.parameters.iter().map(|p| batch.parameters.get(*p)));
            for (row, plane) in rows.iter_mut().zip(planes) {
                // What the method carries has no plane: it is computed at step 0.
                let Some(plane) = plane else { continue };
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = E::from_f64(plane[(g * GROUP + lane).min(batch.count - 1)]);
                }
            }
        });
        self.resting = (0..self.plan.moving.len())
            .map(|c| match program.place(c) {
                Some(_) => Vec::new(),
                None => batch.states[c].iter().map(|x| E::from_f64(*x)).collect(),
            })
            .collect();
        Ok(())
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let Some(places) = self.engine.program.own_steps else {
            self.advance_all(first, end);
            return Ok(());
        };
        // The first step of all shows who is slow. Every step is judged by itself, so that an interval may be cut.
        let shown = first.max(1).min(end);
        for (from, to) in [(first, shown), (shown, end)] {
            if from < to {
                self.advance_all(from, to);
                self.rearrange(&self.attempts(places));
            }
        }
        Ok(())
    }

    fn reschedule(&mut self, schedule: &Schedule) -> bool {
        let can = self.plan.model.varies(self.plan.model.step());
        if can {
            self.plan.schedule.clone_from(schedule);
        }
        can
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        Ok(())
    }

    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        let rows = self.engine.stored();
        match self.places[channel] {
            Some(row) if !self.arrangement.is_in_order() => {
                for (i, out) in out.iter_mut().enumerate() {
                    let lane = self.arrangement.lane(first + i);
                    *out = self.stored[lane / GROUP * rows + row][lane % GROUP].flushed().to_f64();
                }
            }
            Some(row) => {
                let mut at = 0;
                while at < out.len() {
                    let (group, lane) = ((first + at) / GROUP, (first + at) % GROUP);
                    let n = (GROUP - lane).min(out.len() - at);
                    let source = &self.stored[group * rows + row][lane..lane + n];
                    let target = &mut out[at..at + n];
                    dispatch!(self.engine.level, _simd => widen(target, source));
                    at += n;
                }
            }
            None => {
                let source = &self.resting[channel][first..first + out.len()];
                dispatch!(self.engine.level, _simd => widen(out, source));
            }
        }
    }

    fn are_under_way(&self, first: usize, count: usize) -> bool {
        match self.arrangement.is_in_order() {
            true => {
                let verdicts = &self.verdicts[first..first + count];
                dispatch!(self.engine.level, _simd => are_finished(verdicts))
            }
            false => (first..first + count).all(|i| is_finished(&self.verdicts[self.arrangement.lane(i)])),
        }
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        if self.arrangement.is_in_order() {
            let ends = self.verdicts[first..].iter().zip(&self.steps[first..]);
            for (end, (&verdict, &step)) in out.iter_mut().zip(ends) {
                *end = End { verdict, step };
            }
            return;
        }
        for (i, end) in out.iter_mut().enumerate() {
            let lane = self.arrangement.lane(first + i);
            *end = End { verdict: self.verdicts[lane], step: self.steps[lane] };
        }
    }

    fn capacity(&self) -> usize {
        // As many as stay in the caches from step to step and from there to the statistics, and yet so many that waiting for
        // the last thread at every snapshot costs little. Two more chunks, one drawn and one written, are kept beside it.
        (PER_THREAD * rayon::current_num_threads()).min(MOST)
    }

    fn describe(&self) -> String {
        let Engine { fused, level, .. } = self.engine;
        let execution = if self.engine.codes.step.is_some() { "machine code" } else { "interpreted" };
        let arithmetic = if fused { "fused multiply-add" } else { "unfused multiply-add" };
        let threads = rayon::current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("CPU, {threads} thread{plural}, {} {}, {arithmetic}, {execution}", level_name(level), E::NAME)
    }

    fn arithmetic(&self) -> String {
        format!("CPU, {}, {} multiply-add", E::NAME, if self.engine.fused { "fused" } else { "unfused" })
    }
}

#[inline(always)]
fn is_finished(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Finished)
}

/// All are compared: without a way out before the last the loop is done in vectors. Inlined, so that these are the caller's: of the width that
/// every processor has, they take eight times as long.
#[inline(always)]
fn are_finished(verdicts: &[Verdict]) -> bool {
    verdicts.iter().fold(true, |all, verdict| all & is_finished(verdict))
}

/// Copies numbers without those that have decayed, in f64. Inlined, so that it is compiled for the caller's SIMD level.
#[inline(always)]
fn widen<E: Element>(to: &mut [f64], from: &[E]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.flushed().to_f64();
    }
}

/// An interval of steps for all groups.
struct Job<'a> {
    plan: &'a Plan,
    engine: &'a Engine,
    stretches: &'a [StepRange],
    first: u64,
    end: u64,
}

impl Job<'_> {
    /// Rows for one group after another: constants are set, the rest is the group's.
    fn workspace<E: Element>(&self) -> Workspace<E> {
        let tape = &self.engine.tape;
        let mut workspace = Workspace::new(tape.rows);
        for (row, value) in &tape.constants {
            workspace.rows()[*row] = [E::from_f64(*value); GROUP];
        }
        workspace
    }
}

/// Rows of which no vector crosses the border of two cache lines.
struct Workspace<E> {
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

    fn rows(&mut self) -> &mut Rows<E> {
        bytemuck::cast_slice_mut(&mut self.lines)
    }
}

/// One group under way.
struct Group<'a, E> {
    job: &'a Job<'a>,
    rows: &'a mut Rows<E>,
    /// The first lanes that are instances, counted.
    lanes: usize,
    stored: &'a mut [[E; GROUP]],
    verdicts: &'a mut [Verdict],
    steps: &'a mut [u64],
    /// The stretch, and the piece of its steps, for which invariants stand in their rows.
    prepared: Option<(usize, usize)>,
}

impl<E: Element> Group<'_, E> {
    /// Takes the group through the whole interval of the job, check by check.
    fn advance(&mut self) {
        let check = self.job.plan.schedule.check;
        self.rows[..self.stored.len()].copy_from_slice(self.stored);
        let mut from = self.job.first;
        while from < self.job.end {
            // Where a load jumps the verdict is checked too: a dispatch on a GPU ends there.
            let jump = self.job.stretches.iter().map(|s| s.end).find(|end| *end > from);
            let to = ((from / check + 1) * check).min(jump.unwrap_or(self.job.end));
            self.run(from, to);
            let ends = self.judge();
            self.store(|i| ends[i] == Verdict::Finished);
            if ends.iter().any(|end| *end != Verdict::Finished) {
                self.recover(&ends, from, to);
            }
            from = to;
        }
        for (verdict, step) in self.verdicts.iter().zip(self.steps.iter_mut()) {
            if *verdict == Verdict::Finished {
                *step = self.job.end;
            }
        }
    }

    /// Steps `from..to` of all lanes, starts of what the method carries included.
    fn run(&mut self, from: u64, to: u64) {
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
                None => engine.step(self.rows, self.lanes, stop - k),
                Some(places) => (k..stop).for_each(|_| self.own_step(places, number)),
            }
            k = stop;
        }
    }

    /// Puts the factors of a piece of a stretch's steps, and all that stays the same over it, into their rows.
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

    /// One step of the study of instances that choose their own, piece by piece: attempts, until all that run have come to its end. The first
    /// ones go out together, as many as the step before took, so that the state stays in registers: who is at the end already stays there.
    /// After a lock's event comes a resynchronisation, so there each is looked at.
    fn own_step(&mut self, places: OwnStepPlaces, stretch: usize) {
        let Job { engine, stretches, .. } = self.job;
        let first = engine.tape.state.start;
        let runs: [bool; GROUP] = std::array::from_fn(|i| self.verdicts[i] == Verdict::Finished);
        let before = &self.rows[first + places.attempts];
        let before = before.iter().zip(&runs).filter(|(_, runs)| **runs).map(|(taken, _)| taken.to_f64());
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

    /// Attempts, until all lanes that run have come to this share of the step of the study; so many at first without a look.
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
            let progress = &self.rows[first + places.progress];
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

    /// Stores the state of the running lanes for which `wanted` holds; the others keep what they have.
    fn store(&mut self, wanted: impl Fn(usize) -> bool) {
        let keep: [bool; GROUP] = std::array::from_fn(|i| self.verdicts[i] == Verdict::Finished && wanted(i));
        let state = self.job.engine.tape.state.clone();
        for (target, row) in self.stored[state.clone()].iter_mut().zip(&self.rows[state]) {
            if keep.iter().all(|k| *k) {
                *target = *row;
                continue;
            }
            for (i, target) in target.iter_mut().enumerate() {
                if keep[i] {
                    *target = row[i];
                }
            }
        }
    }

    /// How every lane would end if it ended now: `Finished` for the sound and for the stopped ones.
    fn judge(&mut self) -> [Verdict; GROUP] {
        let Job { plan, engine, .. } = self.job;
        let mut ends = [Verdict::Finished; GROUP];
        let mut mark = |verdict: Verdict, bad: &dyn Fn(usize) -> bool| {
            for (i, end) in ends.iter_mut().enumerate() {
                if self.verdicts[i] == Verdict::Finished && bad(i) {
                    *end = verdict;
                }
            }
        };
        if !engine.program.judged.is_empty() {
            engine.judge(self.rows, self.lanes);
        }
        // The worst verdict is marked last. A bound of zero bounds nothing: without energy at the start there is nothing to
        // compare with.
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
                    // What is not kept rests at zero.
                    let norm = norm_squared(rows.map(|row| row.map_or(E::default(), |row| row[i]))).sqrt();
                    (norm - norm.lift(1.0)).to_f64().abs() > bound
                });
            }
        }
        // What else the method carries is not asked: what it has lost, the motion loses next.
        let observed = &self.rows[..engine.program.observed()];
        let mut lost = [false; GROUP];
        for row in observed {
            for (lost, x) in lost.iter_mut().zip(row) {
                *lost |= !x.is_sound();
            }
        }
        mark(Verdict::NonFinite, &|i| lost[i]);
        ends
    }

    /// Some lanes failed between `from` and `to`, and are still stored as they were at `from`: finds the step at which
    /// each did, and leaves each in its last sound state.
    #[cold]
    fn recover(&mut self, ends: &[Verdict; GROUP], from: u64, to: u64) {
        let state = self.job.engine.tape.state.clone();
        let after = self.rows[state.clone()].to_vec();
        let mut found: Vec<(usize, Verdict, u64)> = Vec::new();
        self.rows[state.clone()].copy_from_slice(&self.stored[state.clone()]);
        for k in from..to {
            self.run(k, k + 1);
            for (i, verdict) in self.judge().into_iter().enumerate() {
                let failed = ends[i] != Verdict::Finished && verdict != Verdict::Finished;
                if failed && !found.iter().any(|f| f.0 == i) {
                    found.push((i, verdict, k + 1));
                }
            }
        }
        for (i, verdict, step) in found {
            self.rows[state.clone()].copy_from_slice(&self.stored[state.clone()]);
            self.run(from, step - 1);
            self.store(|lane| lane == i);
            self.verdicts[i] = verdict;
            self.steps[i] = step;
        }
        self.rows[state].copy_from_slice(&after);
    }
}
