//! The CPU backend: groups of instances, a routine over their rows, all cores.
//!
//! The program of a study is compiled when the backend is opened: on x86-64 into machine code of
//! this processor's vector width (`jit`), elsewhere into SIMD instructions that are run one by one
//! ([`lanes`]), with the same bits. A thread takes a group of instances through the whole interval,
//! its rows in the first-level cache; of the last group, the vectors that have an instance. Checks
//! of the bounds raise an alarm (`alarm.rs`), in lanes. If one was raised, the interval is run
//! again from its stored start, up to each step that it was raised at; the instance keeps the last
//! state that satisfied all bounds.

mod alarm;
mod arrangement;
mod group;
#[cfg(target_arch = "x86_64")]
pub(crate) mod jit;
#[cfg(not(target_arch = "x86_64"))]
#[path = "jit_absent.rs"]
pub(crate) mod jit;
pub mod lanes;
pub mod peak;
mod section;
pub mod tape;

use std::sync::{Arc, OnceLock};

use fearless_simd::Level;
use rayon::prelude::*;

use super::program::{OwnStepPlaces, Program};
use super::{Backend, BackendError, Batch, BatchSection, End, Opening, Plan, StateReader, implicit};
use crate::base::{Precision, Verdict};
use crate::ensemble::schedule::Schedule;
use crate::methods::Advance;
use crate::real::Element;
use alarm::Alarm;
use arrangement::Arrangement;
use group::Job;
use jit::Code;
use lanes::{Rows, has_fused};
use section::{Groups, InOrder, KeptRows, Workspaces};
use tape::{GROUP, LeadPart, Routine, Tape};

/// The CPU backend in one precision.
struct Cpu<E: Element> {
    plan: Plan,
    engine: Engine,
    count: usize,
    /// Instances of a group.
    lanes: usize,
    /// State and parameters of all groups, `[group][row]`: the first rows of a group's.
    stored: Vec<[E; GROUP]>,
    /// For every state channel of the motions, its row among those of a group; `None`: it is not
    /// kept.
    places: Vec<Option<usize>>,
    /// Likewise the rows of their lower parts.
    lows: Vec<Option<usize>>,
    /// Initial values of the channels that are not kept, which therefore never change:
    /// `[channel][instance]`.
    resting: Vec<Vec<E>>,
    verdicts: Vec<Verdict>,
    steps: Vec<u64>,
    arrangement: Arrangement,
    workspaces: Workspaces<E>,
}

/// Instances of a batch for each thread, and for all.
const PER_THREAD: usize = 1 << 14;
const MOST: usize = 1 << 19;

/// Instances of the largest batch: as many as stay in the caches from step to step and from there
/// to the statistics, and yet so many that waiting for the last thread at every snapshot costs
/// little. Two more chunks, one drawn and one written, are kept beside it.
pub fn largest_batch() -> usize {
    (PER_THREAD * rayon::current_num_threads()).min(MOST)
}

/// Groups that a thread takes at once, where each thread has several times as many.
const TOGETHER: usize = 4;

/// Groups of a batch that a thread takes at once: no thread is without work while another has a
/// second group.
fn together(instances: usize, threads: usize) -> usize {
    (instances.div_ceil(GROUP) / (TOGETHER * threads)).clamp(1, TOGETHER)
}

/// Lanes of the smallest groups, two of the widest vectors, and what those of others are multiples
/// of, one.
const LEAST_LANES: usize = 16;
const VECTOR: usize = 8;

/// Instances of each group of a batch: where there are fewer groups than threads, less than a group
/// may have.
fn lanes_of_groups(instances: usize, threads: usize) -> usize {
    instances.div_ceil(threads).next_multiple_of(VECTOR).clamp(LEAST_LANES, GROUP)
}

/// The way in which routines are run. The bits are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// As machine code where it can be had, else interpreted.
    MachineCode,
    /// Instruction by instruction ([`lanes`]).
    Interpreted,
}

impl Execution {
    fn compile<E: Element>(self, routine: &Routine, level: Level, fused: bool) -> Option<Code> {
        match self {
            Execution::MachineCode => Code::compile::<E>(routine, level, fused),
            Execution::Interpreted => None,
        }
    }
}

/// Runs the routines of a program, as machine code or interpreted.
struct Engine {
    program: Arc<Program>,
    tape: Arc<Tape>,
    alarm: Arc<Alarm>,
    codes: Codes,
    level: Level,
    fused: bool,
    execution: Execution,
}

/// The routines of a tape as machine code.
struct Codes {
    prepare: Option<Code>,
    begin: Option<Code>,
    resynchronised: Option<Code>,
    lead: Option<LeadCodes>,
    step: Option<Code>,
    /// Made when a step is watched first.
    watched_step: OnceLock<Option<Code>>,
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

impl Codes {
    fn of<E: Element>(tape: &Tape, level: Level, fused: bool, execution: Execution) -> Codes {
        let code = |routine: &Routine| execution.compile::<E>(routine, level, fused);
        Codes {
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
            watched_step: OnceLock::new(),
            judge: code(&tape.judge),
        }
    }
}

impl Engine {
    fn new<E: Element>(
        plan: &Plan,
        program: Program,
        level: Level,
        fused: bool,
        execution: Execution,
    ) -> Engine {
        let mut tape = Tape::new(&program);
        let alarm = Alarm::add::<E>(plan, &program, &mut tape);
        Engine::of::<E>((Arc::new(program), Arc::new(tape), Arc::new(alarm)), level, fused, execution)
    }

    /// Makes the machine code of a program, its tape and its alarm.
    fn of<E: Element>(
        (program, tape, alarm): (Arc<Program>, Arc<Tape>, Arc<Alarm>),
        level: Level,
        fused: bool,
        execution: Execution,
    ) -> Engine {
        let fused = fused && has_fused(level);
        let codes = Codes::of::<E>(&tape, level, fused, execution);
        Engine { program, tape, alarm, codes, level, fused, execution }
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

    /// As [`Engine::step`], after each a look.
    fn watched_step<E: Element>(&self, rows: &mut Rows<E>, lanes: usize, times: u64) {
        let Engine { alarm, codes, level, fused, execution, .. } = self;
        let routine = &alarm.watched_step;
        let code = codes.watched_step.get_or_init(|| execution.compile::<E>(routine, *level, *fused));
        self.run(routine, code, rows, lanes, times);
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

/// Returns the name of the SIMD level: the instruction set that this processor offers and the
/// backend uses.
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

/// Numbers of f64 in a vector of this processor.
pub fn vector_width() -> f64 {
    match level_name(Level::new()) {
        "AVX-512" => 8.0,
        "AVX2" => 4.0,
        "scalar" => 1.0,
        _ => 2.0,
    }
}

/// Returns the name of this processor to the backend, for example `CPU, AVX-512`.
pub fn processor() -> String {
    format!("CPU, {}", level_name(Level::new()))
}

/// The CPU backend in this precision at this SIMD level. `fused`: multiply-adds rounded once where
/// the processor can. Work is done by the rayon pool that calls. A plan without a program is
/// advanced by the implicit backend, in f64.
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
    if let Advance::Adaptive(method) = plan.method {
        return implicit::open(plan, method);
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
        Precision::F32 | Precision::F32Compensated => {
            Box::new(Cpu::<f32>::new(plan, program, level, fused, execution))
        }
        Precision::F64 => Box::new(Cpu::<f64>::new(plan, program, level, fused, execution)),
    }
}

impl<E: Element> Cpu<E> {
    fn new(plan: Plan, program: Program, level: Level, fused: bool, execution: Execution) -> Cpu<E> {
        let engine = Engine::new::<E>(&plan, program, level, fused, execution);
        Cpu::of(plan, engine)
    }

    fn of(plan: Plan, engine: Engine) -> Cpu<E> {
        let program = &engine.program;
        Cpu {
            places: (0..plan.moving.len()).map(|channel| program.place(channel)).collect(),
            lows: (0..plan.moving.len()).map(|channel| program.place_of_low(channel)).collect(),
            plan,
            engine,
            count: 0,
            lanes: GROUP,
            stored: Vec::new(),
            resting: Vec::new(),
            verdicts: Vec::new(),
            steps: Vec::new(),
            arrangement: Arrangement::default(),
            workspaces: Workspaces::default(),
        }
    }

    /// The groups of the batch with these steps before them, so many side by side.
    fn groups(&mut self, first: u64, end: u64, groups: usize) -> Vec<Groups<'_, E>> {
        let lanes = self.lanes;
        let Cpu { plan, engine, count, stored, places, lows, resting, verdicts, steps, workspaces, .. } =
            self;
        let stretches = plan.schedule.stretches(first, end);
        let width = engine.stored().max(1);
        let job = Arc::new(Job { plan, engine, stretches, first, end });
        let kept = KeptRows { places, lows, resting };
        let instances = groups * lanes;
        let stored = stored.chunks_mut(groups * width);
        let ends = verdicts.chunks_mut(instances).zip(steps.chunks_mut(instances));
        let section = |(number, (stored, (verdicts, steps)))| {
            let first = number * instances;
            let instances = instances.min(*count - first);
            let job = Arc::clone(&job);
            Groups { job, spare: workspaces, first, instances, lanes, stored, verdicts, steps, kept }
        };
        stored.zip(ends).enumerate().map(section).collect()
    }

    /// As [`Backend::advance`].
    fn advance_all(&mut self, first: u64, end: u64) {
        let groups = together(self.count, rayon::current_num_threads());
        self.groups(first, end, groups).par_iter_mut().for_each(BatchSection::advance);
    }

    fn in_order(&self) -> InOrder<'_, E> {
        let Cpu { engine, lanes, stored, places, lows, resting, verdicts, steps, .. } = self;
        let kept = KeptRows { places, lows, resting };
        let (rows, level, lanes) = (engine.stored(), engine.level, *lanes);
        InOrder { first: 0, lanes, stored, rows, verdicts, steps, kept, level }
    }

    /// Puts instances that choose their own steps beside others that take as many: a group takes as
    /// long as the slowest of its lanes.
    fn rearrange(&mut self, attempts: &[f64]) {
        let lanes = self.lanes;
        let Some(order) = arrangement::order(attempts, lanes) else { return };
        let rows = self.engine.stored();
        let mut stored = vec![[E::default(); GROUP]; self.stored.len()];
        stored.par_chunks_mut(rows.max(1)).enumerate().for_each(|(group, target)| {
            for lane in 0..lanes {
                let from = order[group * lanes + lane];
                let source = &self.stored[from / lanes * rows..][..rows];
                for (target, source) in target.iter_mut().zip(source) {
                    target[lane] = source[from % lanes];
                }
            }
        });
        self.stored = stored;
        self.verdicts = order.iter().map(|from| self.verdicts[*from]).collect();
        self.steps = order.iter().map(|from| self.steps[*from]).collect();
        self.arrangement.reorder(&order);
    }

    /// By lane, how many attempts its last step of the study took; 0 where nothing runs, less past
    /// the end.
    fn attempts(&self, places: OwnStepPlaces) -> Vec<f64> {
        let rows = self.engine.stored();
        let row = self.engine.tape.state.start + places.attempts;
        let attempts = |(lane, verdict): (usize, &Verdict)| match verdict {
            _ if lane >= self.count => -1.0,
            Verdict::Finished => self.stored[lane / self.lanes * rows + row][lane % self.lanes].to_f64(),
            _ => 0.0,
        };
        self.verdicts.iter().enumerate().map(attempts).collect()
    }
}

impl<E: Element> Backend for Cpu<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        self.lanes = lanes_of_groups(batch.count, rayon::current_num_threads());
        let lanes = self.lanes;
        let groups = batch.count.div_ceil(lanes);
        let Engine { program, .. } = &self.engine;
        let rows = self.engine.stored();
        self.stored.clear();
        self.stored.resize(groups * rows, [E::default(); GROUP]);
        self.verdicts.clear();
        self.verdicts.extend_from_slice(&batch.verdicts);
        // Lanes past the end repeat the last instance and are never looked at.
        self.verdicts.resize(groups * lanes, Verdict::InvalidSample);
        self.steps.clear();
        self.steps.resize(groups * lanes, 0);
        self.arrangement = Arrangement::default();
        self.stored.par_chunks_mut(rows.max(1)).enumerate().for_each(|(g, rows)| {
            let planes = program.state.iter().map(|c| {
                let (channel, is_low) = program.lows.source(*c);
                (batch.states.get(channel), is_low)
            });
            let parameters = program.parameters.iter().map(|p| (batch.parameters.get(*p), false));
            for (row, (plane, is_low)) in rows.iter_mut().zip(planes.chain(parameters)) {
                // Values that the method carries have no plane: they are computed at step 0.
                let Some(plane) = plane else { continue };
                for (lane, value) in row.iter_mut().enumerate() {
                    let x = plane[(g * lanes + lane).min(batch.count - 1)];
                    *value = if is_low { E::low_of(x) } else { E::from_f64(x) };
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
        // The first step of all shows who is slow. Every step is judged by itself, so that an
        // interval may be cut.
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

    fn rounding_otherwise(&self) -> Option<Opening> {
        let Engine { program, tape, alarm, level, fused, execution, .. } = &self.engine;
        let recorded = (Arc::clone(program), Arc::clone(tape), Arc::clone(alarm));
        let plan = self.plan.clone();
        let (level, fused, execution) = (*level, !fused, *execution);
        let engine = move || Engine::of::<E>(recorded, level, fused, execution);
        Some(Box::new(move || Box::new(Cpu::<E>::of(plan, engine()))))
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        Ok(())
    }

    fn sections(
        &mut self,
        first: u64,
        end: u64,
        instances: usize,
    ) -> Option<Vec<Box<dyn BatchSection + '_>>> {
        // Where instances choose their own steps they do not stand as they were loaded.
        let in_order = self.engine.program.own_steps.is_none();
        let suits = in_order && self.engine.stored() > 0 && instances.is_multiple_of(self.lanes);
        let boxed = |section| -> Box<dyn BatchSection + '_> { Box::new(section) };
        suits.then(|| self.groups(first, end, instances / self.lanes).into_iter().map(boxed).collect())
    }

    fn capacity(&self) -> usize {
        largest_batch()
    }

    fn describe(&self) -> String {
        let Engine { fused, level, .. } = self.engine;
        let execution = if self.engine.codes.step.is_some() { "machine code" } else { "interpreted" };
        let arithmetic = if fused { "fused multiply-add" } else { "unfused multiply-add" };
        let threads = rayon::current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        let precision = self.engine.program.lows.precision(E::NAME);
        format!("CPU, {threads} thread{plural}, {} {precision}, {arithmetic}, {execution}", level_name(level))
    }

    fn arithmetic(&self) -> String {
        let precision = self.engine.program.lows.precision(E::NAME);
        format!("CPU, {precision}, {} multiply-add", if self.engine.fused { "fused" } else { "unfused" })
    }
}

impl<E: Element> StateReader for Cpu<E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        match self.places[channel] {
            Some(row) if !self.arrangement.is_in_order() => {
                let rows = self.engine.stored();
                for (i, out) in out.iter_mut().enumerate() {
                    let lane = self.arrangement.lane(first + i);
                    let (group, lane) = (lane / self.lanes, lane % self.lanes);
                    let at = |row: usize| self.stored[group * rows + row][lane].flushed().to_f64();
                    *out = at(row) + self.lows[channel].map_or(0.0, at);
                }
            }
            _ => self.in_order().read_channel(channel, first, out),
        }
    }

    fn are_under_way(&self, first: usize, count: usize) -> bool {
        if self.arrangement.is_in_order() {
            return self.in_order().are_under_way(first, count);
        }
        (first..first + count).all(|i| self.verdicts[self.arrangement.lane(i)] == Verdict::Finished)
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        if self.arrangement.is_in_order() {
            return self.in_order().ends(first, out);
        }
        for (i, end) in out.iter_mut().enumerate() {
            let lane = self.arrangement.lane(first + i);
            *end = End { verdict: self.verdicts[lane], step: self.steps[lane] };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pilot of 1024 instances has sixteen groups.
    #[test]
    fn every_thread_has_work_where_there_are_groups_enough() {
        assert_eq!(together(1024, 16), 1);
        assert_eq!(together(300, 2), 1);
        assert_eq!(together(1024, 2), 2);
        assert_eq!(together(100_000, 16), TOGETHER);
        assert_eq!(together(1, 64), 1);
    }

    /// A few instances more than one thread has are shared by all.
    #[test]
    fn a_small_batch_is_shared_by_the_threads() {
        assert_eq!(lanes_of_groups(53, 2), 32);
        assert_eq!(lanes_of_groups(100, 5), 24);
        assert_eq!(lanes_of_groups(8, 2), LEAST_LANES);
        assert_eq!(lanes_of_groups(300, 2), GROUP);
    }
}
