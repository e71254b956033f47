//! The CPU backend: every SIMD lane an instance, several vectors interleaved to hide latency, all cores.
//!
//! Instances are kept in blocks of [`BLOCK`]: within a block one row per channel. A thread takes a block through the
//! whole interval, its state in registers between checks. A check costs nothing per step: if a lane has failed at
//! the end of an interval, the interval is run again from its stored start, step by step, to find the step; the
//! lane keeps the last state that satisfied all bounds, the others are stored as they are.

use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;

use super::{Backend, BackendError, Batch, End, Plan};
use crate::describe::Precision;
use crate::ensemble::schedule::Stretch;
use crate::math::quaternion::norm_squared;
use crate::methods::staggered::{Chains, Prepared, Start};
use crate::model::body::{LoadSum, Motion};
use crate::model::{Parameter, WIDTH, channels, motion};
use crate::observe::Verdict;
use crate::real::{Element, Lanes, Real};

/// Instances a block; a multiple of every group of lanes.
pub const BLOCK: usize = 64;

/// Vectors advanced side by side: two hide the latency of the multiply-adds.
const INTERLEAVED: usize = 2;

/// The state channels that are kept, of the 26 of both chains, and the parameters that vary, as rows of a block.
#[derive(Clone, Debug)]
struct Layout {
    whole: [Option<usize>; WIDTH],
    half: [Option<usize>; WIDTH],
    parameters: Vec<Option<usize>>,
    rows: usize,
}

impl Layout {
    fn new(plan: &Plan) -> Layout {
        let mut rows = 0;
        let mut row = |kept: bool| {
            kept.then(|| {
                rows += 1;
                rows - 1
            })
        };
        let attitude = 0..4;
        let spin = 4..7;
        let kept = |c: usize, attitude_kept: bool| {
            attitude.contains(&c) && attitude_kept || spin.contains(&c) || c >= 7 && plan.translates
        };
        let whole = std::array::from_fn(|c| row(kept(c, true)));
        let half = std::array::from_fn(|c| row(kept(c, plan.loaded)));
        let parameters = (0..plan.model.parameters()).map(|p| row(plan.model.varies(p))).collect();
        Layout { whole, half, parameters, rows }
    }
}

/// The CPU backend in one precision.
pub struct Cpu<E: Element> {
    plan: Plan,
    layout: Layout,
    level: Level,
    fused: bool,
    count: usize,
    /// `[block][row][BLOCK]`
    rows: Vec<E>,
    /// Initial values of the channels that are not kept, which therefore never change: `[channel][instance]`.
    resting: Vec<Vec<E>>,
    verdicts: Vec<Verdict>,
    steps: Vec<u64>,
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
    #[allow(unreachable_code)]
    if level.is_fallback() { "scalar" } else { "SIMD" }
}

/// Whether multiply-add at this level rounds once.
fn has_fused(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_avx2().is_some() || level.as_avx512().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return !level.is_fallback() && cfg!(target_arch = "aarch64");
}

/// The CPU backend in this precision at this SIMD level, as [`Cpu::with_level`]. Compiled once, here: the code for all
/// levels and kinds of study is large.
pub fn open(plan: Plan, precision: Precision, fused: bool, level: Level) -> Box<dyn Backend> {
    match precision {
        Precision::F32 => Box::new(Cpu::<f32>::with_level(plan, fused, level)),
        Precision::F64 => Box::new(Cpu::<f64>::with_level(plan, fused, level)),
    }
}

impl<E: Element> Cpu<E> {
    /// `fused`: multiply-adds rounded once where the processor can. Work is done by the rayon pool that calls.
    pub fn new(plan: Plan, fused: bool) -> Cpu<E> {
        Self::with_level(plan, fused, Level::new())
    }

    /// As [`Cpu::new`] at a chosen SIMD level.
    pub fn with_level(plan: Plan, fused: bool, level: Level) -> Cpu<E> {
        let layout = Layout::new(&plan);
        Cpu {
            plan,
            layout,
            level,
            fused: fused && has_fused(level),
            count: 0,
            rows: Vec::new(),
            resting: Vec::new(),
            verdicts: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl<E: Element> Backend for Cpu<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        let blocks = batch.count.div_ceil(BLOCK);
        self.rows.clear();
        self.rows.resize(blocks * self.layout.rows * BLOCK, E::default());
        self.verdicts.clear();
        self.verdicts.extend_from_slice(&batch.verdicts);
        // Lanes past the end repeat the last instance and are never looked at.
        self.verdicts.resize(blocks * BLOCK, Verdict::InvalidSample);
        self.steps.clear();
        self.steps.resize(blocks * BLOCK, 0);
        let layout = &self.layout;
        self.rows.par_chunks_mut((layout.rows * BLOCK).max(1)).enumerate().for_each(|(b, rows)| {
            let mut fill = |row: Option<usize>, plane: &[f64]| {
                let Some(row) = row else { return };
                for (lane, value) in rows[row * BLOCK..(row + 1) * BLOCK].iter_mut().enumerate() {
                    *value = E::from_f64(plane[(b * BLOCK + lane).min(batch.count - 1)]);
                }
            };
            for c in 0..WIDTH {
                fill(layout.whole[c], &batch.states[c]);
                fill(layout.half[c], &batch.states[c]);
            }
            for (p, plane) in batch.parameters.iter().enumerate() {
                fill(layout.parameters[p], plane);
            }
        });
        self.resting = (0..WIDTH)
            .map(|c| match layout.whole[c] {
                Some(_) => Vec::new(),
                None => batch.states[c].iter().map(|x| E::from_f64(*x)).collect(),
            })
            .collect();
        Ok(())
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let stretches = self.plan.schedule.stretches(first, end);
        let job = Job { plan: &self.plan, layout: &self.layout, stretches: &stretches, first, end };
        let width = (self.layout.rows * BLOCK).max(1);
        let (level, fused) = (self.level, self.fused);
        let (rows, verdicts, steps) = (&mut self.rows, &mut self.verdicts, &mut self.steps);
        rows.par_chunks_mut(width)
            .zip(verdicts.par_chunks_mut(BLOCK).zip(steps.par_chunks_mut(BLOCK)))
            .with_min_len(4)
            .for_each(|(rows, (verdicts, steps))| {
                let block = Block { rows, verdicts, steps };
                if fused {
                    job.advance_fused(level, block);
                } else {
                    job.advance_unfused(level, block);
                }
            });
        Ok(())
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        Ok(())
    }

    fn read(&self, first: usize, planes: &mut [Vec<f64>]) {
        for (c, plane) in planes.iter_mut().enumerate() {
            match self.layout.whole[c] {
                Some(row) => {
                    let mut at = 0;
                    while at < plane.len() {
                        let (block, lane) = ((first + at) / BLOCK, (first + at) % BLOCK);
                        let n = (BLOCK - lane).min(plane.len() - at);
                        let start = (block * self.layout.rows + row) * BLOCK + lane;
                        for (out, x) in plane[at..at + n].iter_mut().zip(&self.rows[start..start + n]) {
                            *out = x.to_f64();
                        }
                        at += n;
                    }
                }
                None => {
                    let n = plane.len();
                    for (out, x) in plane.iter_mut().zip(&self.resting[c][first..first + n]) {
                        *out = x.to_f64();
                    }
                }
            }
        }
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        for (i, end) in out.iter_mut().enumerate() {
            *end = End { verdict: self.verdicts[first + i], step: self.steps[first + i] };
        }
    }

    fn capacity(&self) -> usize {
        // Rows are small; the limit keeps a chunk's samples, states and tables within some hundred MiB.
        1 << 19
    }

    fn describe(&self) -> String {
        let arithmetic = if self.fused { "fused multiply-add" } else { "unfused multiply-add" };
        let threads = rayon::current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("CPU, {threads} thread{plural}, {} {}, {arithmetic}", level_name(self.level), E::NAME)
    }
}

struct Job<'a> {
    plan: &'a Plan,
    layout: &'a Layout,
    stretches: &'a [Stretch],
    first: u64,
    end: u64,
}

struct Block<'a, E> {
    rows: &'a mut [E],
    verdicts: &'a mut [Verdict],
    steps: &'a mut [u64],
}

impl Job<'_> {
    /// At a level that has fused multiply-adds: only for those is this compiled.
    fn advance_fused<E: Element>(&self, level: Level, block: Block<'_, E>) {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some(simd) = level.as_avx512() {
                return self.advance::<_, E, true>(simd, block);
            }
            if let Some(simd) = level.as_avx2() {
                return self.advance::<_, E, true>(simd, block);
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        return dispatch!(level, simd => self.advance::<_, E, true>(simd, block));
        #[allow(unreachable_code)]
        self.advance_unfused(level, block)
    }

    fn advance_unfused<E: Element>(&self, level: Level, block: Block<'_, E>) {
        dispatch!(level, simd => self.advance::<_, E, false>(simd, block));
    }

    #[inline(always)]
    fn advance<S: Simd, E: Element, const FUSED: bool>(&self, simd: S, block: Block<'_, E>) {
        match (self.plan.loaded, self.plan.translates) {
            (false, false) => self.block::<S, E, FUSED, false, false>(simd, block),
            (false, true) => self.block::<S, E, FUSED, false, true>(simd, block),
            (true, false) => self.block::<S, E, FUSED, true, false>(simd, block),
            (true, true) => self.block::<S, E, FUSED, true, true>(simd, block),
        }
    }

    #[inline(always)]
    fn block<S: Simd, E: Element, const FUSED: bool, const LOADED: bool, const TRANSLATES: bool>(
        &self,
        simd: S,
        mut block: Block<'_, E>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let group = Lanes::<S, E, FUSED>::LEN * INTERLEAVED;
                for lane in (0..BLOCK).step_by(group) {
                    let running = &block.verdicts[lane..lane + group];
                    if running.contains(&Verdict::Finished) {
                        Group::<S, E, FUSED, LOADED, TRANSLATES>::new(self, simd, lane).advance(&mut block);
                    }
                }
            },
        );
    }
}

/// `INTERLEAVED` vectors of one block, from `lane` on.
struct Group<'a, S: Simd, E: Element, const FUSED: bool, const LOADED: bool, const TRANSLATES: bool> {
    job: &'a Job<'a>,
    simd: S,
    lane: usize,
    /// What holds during the stretch of this number.
    prepared: Option<Stage<Lanes<S, E, FUSED>>>,
}

/// What stays the same during one stretch, for each vector.
struct Stage<R> {
    stretch: usize,
    step: [Prepared<R>; INTERLEAVED],
    start: [Start<R>; INTERLEAVED],
}

/// What one vector needs during a stretch: for its steps, and for starts of the half chain.
type Constants<R> = (Prepared<R>, Start<R>);

type Vectors<S, E, const FUSED: bool> = [Chains<Lanes<S, E, FUSED>>; INTERLEAVED];

impl<'a, S: Simd, E: Element, const FUSED: bool, const LOADED: bool, const TRANSLATES: bool>
    Group<'a, S, E, FUSED, LOADED, TRANSLATES>
{
    const LANES: usize = Lanes::<S, E, FUSED>::LEN;

    #[inline(always)]
    fn new(job: &'a Job<'a>, simd: S, lane: usize) -> Self {
        Group { job, simd, lane, prepared: None }
    }

    /// Takes the group through the whole interval of the job, check by check.
    #[inline(always)]
    fn advance(&mut self, block: &mut Block<'_, E>) {
        let check = self.job.plan.schedule.check;
        let mut chains = self.load(block);
        let mut from = self.job.first;
        while from < self.job.end {
            // Where a load jumps the verdict is checked too: a dispatch on a GPU ends there.
            let jump = self.job.stretches.iter().map(|s| s.end).find(|end| *end > from);
            let to = ((from / check + 1) * check).min(jump.unwrap_or(self.job.end));
            self.run(block, &mut chains, from, to);
            let ends = self.judge(block, &chains);
            if ends.iter().any(|end| *end != Verdict::Finished) {
                self.recover(block, &chains, &ends, from, to);
            } else {
                self.store(block, &chains, |_| true);
            }
            from = to;
        }
        for i in self.lane..self.lane + Self::LANES * INTERLEAVED {
            if block.verdicts[i] == Verdict::Finished {
                block.steps[i] = self.job.end;
            }
        }
    }

    /// Steps `from..to` of all lanes, restarts of the half chain included. One function, not one more copy for every
    /// caller: it is most of the code, once for each kind of processor, precision and mechanism.
    #[inline(never)]
    fn run(&mut self, block: &Block<'_, E>, chains: &mut Vectors<S, E, FUSED>, from: u64, to: u64) {
        let simd = self.simd;
        simd.vectorize(
            #[inline(always)]
            || self.run_inlined(block, chains, from, to),
        );
    }

    #[inline(always)]
    // By index: the vectors are few and unrolled, and no iterator stands between them and the processor's features.
    #[allow(clippy::needless_range_loop)]
    fn run_inlined(&mut self, block: &Block<'_, E>, chains: &mut Vectors<S, E, FUSED>, from: u64, to: u64) {
        let schedule = &self.job.plan.schedule;
        let mut k = from;
        while k < to {
            let number = self.job.stretches.partition_point(|s| s.end <= k);
            if self.prepared.as_ref().is_none_or(|p| p.stretch != number) {
                self.prepared = Some(self.prepare(block, number));
            }
            let Some(stage) = &self.prepared else { return };
            if schedule.restarts(k) {
                for j in 0..INTERLEAVED {
                    chains[j].half = stage.start[j].half_chain::<LOADED>(&chains[j].whole);
                }
            }
            let stop = schedule.next_event(k, to).min(self.job.stretches[number].end);
            let mut c = *chains;
            for _ in k..stop {
                for j in 0..INTERLEAVED {
                    stage.step[j].step::<LOADED, TRANSLATES>(&mut c[j]);
                }
            }
            *chains = c;
            k = stop;
        }
    }

    #[inline(always)]
    fn prepare(&self, block: &Block<'_, E>, stretch: usize) -> Stage<Lanes<S, E, FUSED>> {
        let [(a, s), (b, t)] = [self.prepare_one(block, stretch, 0), self.prepare_one(block, stretch, 1)];
        Stage { stretch, step: [a, b], start: [s, t] }
    }

    /// The same for vector `j` alone.
    #[inline(always)]
    fn prepare_one(&self, block: &Block<'_, E>, stretch: usize, j: usize) -> Constants<Lanes<S, E, FUSED>> {
        let h = Lanes::splat(self.simd, E::from_f64(self.job.plan.schedule.h));
        let inertia = self.job.plan.model.inertia(&inlined(
            #[inline(always)]
            |p: usize| self.parameter(block, j, p),
        ));
        let factors = &self.job.stretches[stretch].factors;
        let [a, b, c, d] = [
            self.loads(block, &factors[0], j),
            self.loads(block, &factors[1], j),
            self.loads(block, &factors[2], j),
            self.loads(block, &factors[3], j),
        ];
        (Prepared::new(h, inertia, &a, &b), Start::new(h, inertia, &c, &d))
    }

    /// The loads on vector `j`, the timed ones multiplied by `factors`.
    #[inline(always)]
    fn loads(&self, block: &Block<'_, E>, factors: &[f64], j: usize) -> LoadSum<Lanes<S, E, FUSED>> {
        let model = &self.job.plan.model;
        let parameter = inlined(
            #[inline(always)]
            |p: usize| self.parameter(block, j, p),
        );
        if !LOADED {
            return LoadSum::new(model.inertia(&parameter));
        }
        let factor = inlined(
            #[inline(always)]
            |f: usize| Lanes::splat(self.simd, E::from_f64(factors[f])),
        );
        model.loads(&parameter, &factor)
    }

    #[inline(always)]
    fn parameter(&self, block: &Block<'_, E>, j: usize, p: usize) -> Lanes<S, E, FUSED> {
        match self.job.layout.parameters[p] {
            Some(row) => self.row(block, row, j),
            None => Lanes::splat(self.simd, E::from_f64(self.job.plan.constants[p])),
        }
    }

    #[inline(always)]
    fn row(&self, block: &Block<'_, E>, row: usize, j: usize) -> Lanes<S, E, FUSED> {
        let at = row * BLOCK + self.lane + j * Self::LANES;
        Lanes::load(self.simd, &block.rows[at..at + Self::LANES])
    }

    #[inline(always)]
    fn load(&self, block: &Block<'_, E>) -> Vectors<S, E, FUSED> {
        let layout = self.job.layout;
        [
            Chains { whole: self.chain(block, &layout.whole, 0), half: self.chain(block, &layout.half, 0) },
            Chains { whole: self.chain(block, &layout.whole, 1), half: self.chain(block, &layout.half, 1) },
        ]
    }

    /// One chain of vector `j`; channels without a row are zero.
    #[inline(always)]
    fn chain(
        &self,
        block: &Block<'_, E>,
        rows: &[Option<usize>; WIDTH],
        j: usize,
    ) -> Motion<Lanes<S, E, FUSED>> {
        let mut c = [Lanes::splat(self.simd, E::default()); WIDTH];
        for (c, row) in c.iter_mut().zip(rows) {
            if let Some(row) = row {
                *c = self.row(block, *row, j);
            }
        }
        motion(&c)
    }

    /// Stores the running lanes for which `wanted` holds; the others keep what they have.
    #[inline(always)]
    fn store(&self, block: &mut Block<'_, E>, chains: &Vectors<S, E, FUSED>, wanted: impl Fn(usize) -> bool) {
        let layout = self.job.layout;
        for (j, chains) in chains.iter().enumerate() {
            let first = self.lane + j * Self::LANES;
            let mut keep = [false; BLOCK];
            let mut all = true;
            for (i, keep) in keep[..Self::LANES].iter_mut().enumerate() {
                *keep = block.verdicts[first + i] == Verdict::Finished && wanted(first + i);
                all &= *keep;
            }
            let whole = layout.whole.iter().zip(channels(&chains.whole));
            let half = layout.half.iter().zip(channels(&chains.half));
            for (row, value) in whole.chain(half) {
                let Some(row) = row else { continue };
                let at = row * BLOCK + first;
                let target = &mut block.rows[at..at + Self::LANES];
                if all {
                    value.store(target);
                } else {
                    for (i, x) in value.as_slice().iter().enumerate() {
                        if keep[i] {
                            target[i] = *x;
                        }
                    }
                }
            }
        }
    }

    /// How every lane of the group would end if it ended now: `Finished` for the sound and for the stopped ones.
    #[inline(never)]
    fn judge(&self, block: &Block<'_, E>, chains: &Vectors<S, E, FUSED>) -> [Verdict; BLOCK] {
        let simd = self.simd;
        simd.vectorize(
            #[inline(always)]
            || self.judge_inlined(block, chains),
        )
    }

    #[inline(always)]
    fn judge_inlined(&self, block: &Block<'_, E>, chains: &Vectors<S, E, FUSED>) -> [Verdict; BLOCK] {
        let plan = self.job.plan;
        let mut ends = [Verdict::Finished; BLOCK];
        for (j, chains) in chains.iter().enumerate() {
            let first = self.lane + j * Self::LANES;
            let running = |i: usize| block.verdicts[first + i] == Verdict::Finished;
            if let Some(bound) = plan.bounds.energy {
                let parameter = inlined(
                    #[inline(always)]
                    |p: usize| self.parameter(block, j, p),
                );
                let energy = plan.model.energy(&parameter);
                let change = energy.change(&chains.whole, parameter(Parameter::ENERGY));
                let scale = parameter(Parameter::ENERGY_SCALE);
                let allowed = scale * scale.lift(bound);
                // Without energy at the start there is nothing to compare with.
                let passed = |i: usize| {
                    let (change, allowed) = (change.as_slice()[i].to_f64(), allowed.as_slice()[i].to_f64());
                    allowed > 0.0 && change.abs() > allowed
                };
                self.mark(&mut ends, first, Verdict::EnergyBound, |i| running(i) && passed(i));
            }
            if let Some(bound) = plan.bounds.quaternion_norm {
                let norm = norm_squared(chains.whole.q).sqrt();
                let error = norm - norm.lift(1.0);
                let bound = E::from_f64(bound).to_f64();
                let passed = |i: usize| error.as_slice()[i].to_f64().abs() > bound;
                self.mark(&mut ends, first, Verdict::NormBound, |i| running(i) && passed(i));
            }
            let probe = finite_probe(&chains.whole);
            let lost = |i: usize| probe.as_slice()[i].to_f64().is_nan();
            self.mark(&mut ends, first, Verdict::NonFinite, |i| running(i) && lost(i));
        }
        ends
    }

    /// Gives the lanes of one vector, from `first` on, for which `bad` holds, this verdict.
    #[inline(always)]
    fn mark(&self, ends: &mut [Verdict; BLOCK], first: usize, verdict: Verdict, bad: impl Fn(usize) -> bool) {
        for i in 0..Self::LANES {
            if bad(i) {
                ends[first + i] = verdict;
            }
        }
    }

    /// Some lanes failed between `from` and `to`: finds the step at which each did, and leaves each in its last
    /// sound state.
    #[cold]
    fn recover(
        &mut self,
        block: &mut Block<'_, E>,
        chains: &Vectors<S, E, FUSED>,
        ends: &[Verdict; BLOCK],
        from: u64,
        to: u64,
    ) {
        let simd = self.simd;
        simd.vectorize(
            #[inline(always)]
            || self.search(block, chains, ends, from, to),
        );
    }

    #[inline(always)]
    fn search(
        &mut self,
        block: &mut Block<'_, E>,
        chains: &Vectors<S, E, FUSED>,
        ends: &[Verdict; BLOCK],
        from: u64,
        to: u64,
    ) {
        let failed = |i: usize| ends[i] != Verdict::Finished;
        let saved = self.load(block);
        let mut found: Vec<(usize, Verdict, u64)> = Vec::new();
        let mut careful = saved;
        for k in from..to {
            self.run(block, &mut careful, k, k + 1);
            for (i, verdict) in self.judge(block, &careful).into_iter().enumerate() {
                if failed(i) && verdict != Verdict::Finished && !found.iter().any(|f| f.0 == i) {
                    found.push((i, verdict, k + 1));
                }
            }
        }
        self.store(block, chains, |i| !failed(i));
        for (i, verdict, step) in found {
            let mut last = saved;
            self.run(block, &mut last, from, step - 1);
            self.store(block, &last, |lane| lane == i);
            block.verdicts[i] = verdict;
            block.steps[i] = step;
        }
    }
}

/// The closure itself. It stands as an argument here because only there may it be marked `#[inline(always)]`, and it must
/// be: what is not inlined is compiled without the processor features of SIMD code, every operation a call.
#[inline(always)]
fn inlined<F>(closure: F) -> F {
    closure
}

/// 0 where every channel of the whole chain is finite, else NaN: `x 0` is 0 for finite `x` alone. The half chain is
/// not asked: which of its channels exist depends on the backend, and what it has lost, the whole one loses next.
#[inline(always)]
fn finite_probe<R: Real>(whole: &Motion<R>) -> R {
    let zero = whole.w[0].lift(0.0);
    // A loop, not `fold`: its closure would be a call, out of the processor features of SIMD code.
    let mut sum = zero;
    for x in channels(whole) {
        sum = x.mul_add(zero, sum);
    }
    sum
}
