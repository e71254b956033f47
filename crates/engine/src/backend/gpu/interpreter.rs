//! The backend for plans whose kernel would be too long: a short kernel, `shaders/interpreter.wgsl`, that
//! runs their [`InstructionList`].
//!
//! The host says what comes next, as the CPU backend does for a group: parts of the list go out as passes,
//! each with the range of instructions and of instances in a uniform, many passes in a submission of about
//! 50 ms. From check to check all instances go through their steps; then each is judged, and the state of the
//! sound ones is stored. If any has failed, it starts again from its stored state, step by step, each of them
//! judged, until it has failed again: the others wait. So a sound instance pays nothing for the search, and
//! results depend on neither passes nor submissions.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::device::Device;
use super::host_copy::HostCopy;
use super::kernel::{WORKGROUP, comparisons, prelude};
use super::listing::{InstructionList, ListPart, ListParts, MOST_ROWS};
use super::loading::{Loader, Plane, starts};
use super::staging::{self, CopiedBytes};
use crate::backend::program::{OwnStepPlaces, Program};
use crate::backend::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::base::{Precision, Verdict, grouped};
use crate::ensemble::schedule::{Schedule, StepPiece};
use crate::real::Element;

/// A submission should take this long: see `ensemble.rs`.
const SUBMISSION_TIME: Duration = Duration::from_millis(50);

/// Instructions of all instances in the first submission: what a slow GPU does in [`SUBMISSION_TIME`].
const FIRST_WORK: f64 = 2e8;

/// Fewest instances of a pass (or all): fewer leave most of a GPU idle.
const FEWEST_INSTANCES: usize = 1 << 14;

/// Instructions of a pass: at most, because Mesa's software device leaves all loops of a kernel after
/// 65,535 rounds, and at least.
const MOST_ROUNDS: usize = 60_000;
const FEWEST_ROUNDS: usize = 500;

/// Passes of a submission at most.
const MOST_PASSES: usize = 1 << 12;

/// Attempts that follow, where some instances have not come to the end of their step.
const MORE_ATTEMPTS: u64 = 4;

/// No row: `NO_ROW` of the shader.
const NO_ROW: u32 = u32::MAX;

/// `SUSPECT` of the shader, beside the codes of verdicts.
const SUSPECT: u32 = 0xff;

/// The kernel, by hand.
const TEXT: &str = include_str!("../../../../../shaders/interpreter.wgsl");

/// `struct Span` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Span {
    first: u32,
    end: u32,
    times: u32,
    start: u32,
    count: u32,
    verdict: u32,
    only: u32,
    stride: u32,
    step: u32,
    observed: u32,
    kept: u32,
    stored: u32,
    progress: u32,
    edge: u32,
    never: u32,
}

/// Entry points of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Advance,
    Judge,
    UnderWay,
}

/// Which instances take part: by verdict so far, and where they have a one in this row.
#[derive(Clone, Copy, Debug)]
struct Who {
    verdict: u32,
    only: u32,
}

impl Who {
    const SOUND: Who = Who { verdict: Verdict::Finished.code(), only: NO_ROW };
    const SUSPECT: Who = Who { verdict: SUSPECT, only: NO_ROW };
}

/// The kernel as it runs on a device; it serves all plans.
struct Machine {
    layout: wgpu::BindGroupLayout,
    advance: wgpu::ComputePipeline,
    judge: wgpu::ComputePipeline,
    under_way: wgpu::ComputePipeline,
}

/// The buffers of a batch.
struct Buffers {
    /// Distance between rows, in instances.
    stride: usize,
    rows: wgpu::Buffer,
    shared: wgpu::Buffer,
    ends: wgpu::Buffer,
    counted: wgpu::Buffer,
    spans: wgpu::Buffer,
    /// Distance between the spans of two passes (bytes).
    span_bytes: usize,
    staging: wgpu::Buffer,
    group: wgpu::BindGroup,
}

/// The interpreting backend in one precision.
pub struct Interpreter<E: Element> {
    plan: Plan,
    listing: InstructionList,
    device: Device,
    machine: Machine,
    capacity: usize,
    /// Why the plan has no kernel of its own, for people.
    why: String,
    buffers: Option<Buffers>,
    count: usize,
    /// Passes that wait for being submitted, and their work.
    waiting: Vec<(Entry, Span)>,
    waiting_work: f64,
    /// Instructions of all instances that take about [`SUBMISSION_TIME`].
    submission_work: f64,
    /// Attempts that the last step took at most.
    attempts: u64,
    loader: Loader,
    host: HostCopy<E>,
}

/// WGSL of the whole module.
fn text(precision: Precision) -> String {
    format!("{}\nconst WORKGROUP = {WORKGROUP}u;\n\n{}\n{TEXT}", prelude(precision), comparisons(precision))
}

impl Machine {
    fn new(device: &Device) -> Result<Machine, BackendError> {
        let module = device.compile("polhode interpreter", &text(device.precision))?;
        let layout = device.layout("polhode interpreter", &[0], &[false, true, true, false, false]);
        let pipeline = |entry: &str| device.pipeline("polhode interpreter", &module, entry, &layout);
        let (advance, judge, under_way) = (pipeline("advance")?, pipeline("judge")?, pipeline("under_way")?);
        Ok(Machine { layout, advance, judge, under_way })
    }
}

impl Buffers {
    fn new<E: Element>(
        device: &Device,
        layout: &wgpu::BindGroupLayout,
        listing: &InstructionList,
        stride: usize,
    ) -> Result<Buffers, BackendError> {
        let size = size_of::<E>() as u64;
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let make = |label: &str, size: u64, usage: wgpu::BufferUsages| {
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_DST;
        let span_bytes = size_of::<Span>()
            .next_multiple_of(device.limits.min_uniform_buffer_offset_alignment.max(1) as usize);
        let rows = make("rows", (listing.rows * stride) as u64 * size, storage | Usage::COPY_SRC);
        let instructions = make("instructions", (listing.instructions.len().max(1) * 16) as u64, storage);
        let shared =
            make("shared values", (listing.shared.len() + listing.factors).max(2) as u64 * size, storage);
        let ends = make("ends", stride as u64 * 8, storage | Usage::COPY_SRC);
        let counted = make("counted", 4, storage | Usage::COPY_SRC);
        let spans = make("spans", (MOST_PASSES * span_bytes) as u64, Usage::UNIFORM | Usage::COPY_DST);
        let all = (listing.observed * stride) as u64 * size + stride as u64 * 8;
        let staging = make("staging", all.min(staging::MOST_BYTES), Usage::MAP_READ | Usage::COPY_DST);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(BackendError::Lost(error.to_string()));
        }
        device.queue.write_buffer(&instructions, 0, bytemuck::cast_slice(&listing.instructions));
        let span = wgpu::BufferBinding {
            buffer: &spans,
            offset: 0,
            size: std::num::NonZeroU64::new(size_of::<Span>() as u64),
        };
        let bound = [
            wgpu::BindingResource::Buffer(span),
            rows.as_entire_binding(),
            instructions.as_entire_binding(),
            shared.as_entire_binding(),
            ends.as_entire_binding(),
            counted.as_entire_binding(),
        ];
        let entries: Vec<wgpu::BindGroupEntry<'_>> =
            (0..).zip(bound).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("polhode interpreter"),
            layout,
            entries: &entries,
        });
        Ok(Buffers { stride, rows, shared, ends, counted, spans, span_bytes, staging, group })
    }
}

/// The interpreter of this plan, from its program in this precision; `why` it is taken stands in
/// the line that tells what computes. With the pipelines that [earlier runs
/// left](Device::remembering): they serve all plans.
///
/// # Errors
/// The program has more rows than an instruction can name, or fewer instances than a
/// workgroup fit on the device.
pub fn open_interpreted(
    plan: Plan,
    device: Device,
    precision: Precision,
    program: &Program,
    why: String,
) -> Result<Box<dyn Backend>, BackendError> {
    let listing = InstructionList::new(&plan, program);
    let device = device.remembering();
    Ok(match precision {
        Precision::F32 | Precision::F32Compensated => {
            Box::new(Interpreter::<f32>::new(plan, device, listing, why)?)
        }
        Precision::F64 => Box::new(Interpreter::<f64>::new(plan, device, listing, why)?),
    })
}

impl<E: Element> Interpreter<E> {
    fn new(plan: Plan, device: Device, listing: InstructionList, why: String) -> Result<Self, BackendError> {
        let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
        let instance_bytes = (listing.rows * size_of::<E>()) as u64;
        // Numbers of all rows are counted in 32 bits.
        let fitting = (limit / instance_bytes).min(u64::from(u32::MAX) / listing.rows as u64);
        let groups = fitting / u64::from(WORKGROUP);
        let most = listing.rows.max(listing.shared.len() + listing.factors);
        if most > MOST_ROWS || groups == 0 {
            let rows = grouped(listing.rows as u64);
            return Err(BackendError::Unsuited(format!(
                "its program has {rows} numbers an instance, too many for {}",
                device.summary.name
            )));
        }
        let machine = Machine::new(&device)?;
        let capacity = (groups * u64::from(WORKGROUP)) as usize;
        Ok(Interpreter {
            plan,
            listing,
            device,
            machine,
            capacity,
            why,
            buffers: None,
            count: 0,
            waiting: Vec::new(),
            waiting_work: 0.0,
            submission_work: FIRST_WORK,
            attempts: MORE_ATTEMPTS,
            loader: Loader::default(),
            host: HostCopy::default(),
        })
    }

    fn buffers(&self) -> Result<&Buffers, BackendError> {
        self.buffers.as_ref().ok_or(BackendError::NotLoaded)
    }

    /// Puts a part of the list, done so many times, in the queue of passes.
    fn run(&mut self, who: Who, part: &ListPart, times: u64) -> Result<(), BackendError> {
        let together = ((self.submission_work / MOST_ROUNDS as f64) as usize).max(FEWEST_INSTANCES);
        let together = together.next_multiple_of(WORKGROUP as usize).min(self.most_instances());
        let rounds = self.submission_work / together.min(self.count) as f64;
        let rounds = (rounds as usize).clamp(FEWEST_ROUNDS, MOST_ROUNDS);
        // A round more for each time.
        let each = (rounds / (part.len() + 1)) as u64;
        let mut start = 0;
        while start < self.count && !part.is_empty() {
            let instances = start..self.count.min(start + together);
            start = instances.end;
            let mut done = 0;
            while done < times {
                if each > 0 {
                    let now = each.min(times - done);
                    self.pass(Entry::Advance, who, part.clone(), now, instances.clone(), 0)?;
                    done += now;
                    continue;
                }
                for first in part.clone().step_by(rounds) {
                    let slice = first..part.end.min(first + rounds);
                    self.pass(Entry::Advance, who, slice, 1, instances.clone(), 0)?;
                }
                done += 1;
            }
        }
        Ok(())
    }

    /// Instances of one dispatch in one dimension.
    fn most_instances(&self) -> usize {
        self.device.limits.max_compute_workgroups_per_dimension as usize * WORKGROUP as usize
    }

    /// All instances through another entry point than that of the steps.
    fn look(&mut self, entry: Entry, who: Who, part: ListPart, step: u64) -> Result<(), BackendError> {
        let mut start = 0;
        while start < self.count {
            let instances = start..self.count.min(start + self.most_instances());
            start = instances.end;
            self.pass(entry, who, part.clone(), 1, instances, step)?;
        }
        Ok(())
    }

    fn pass(
        &mut self,
        entry: Entry,
        who: Who,
        part: ListPart,
        times: u64,
        instances: std::ops::Range<usize>,
        step: u64,
    ) -> Result<(), BackendError> {
        let listing = &self.listing;
        let span = Span {
            first: part.start as u32,
            end: part.end as u32,
            times: times as u32,
            start: instances.start as u32,
            count: instances.end as u32,
            verdict: who.verdict,
            only: who.only,
            stride: self.buffers()?.stride as u32,
            step: step as u32,
            observed: listing.observed as u32,
            kept: listing.state.len() as u32,
            stored: listing.stored as u32,
            progress: listing.own_steps.map_or(NO_ROW, |places| places.progress as u32),
            edge: match self.plan.schedule.has_edge() {
                true => (listing.shared.len() + listing.factors - 1) as u32,
                false => NO_ROW,
            },
            never: 0,
        };
        self.waiting.push((entry, span));
        self.waiting_work += (part.len() as u64 * times) as f64 * instances.len() as f64;
        if self.waiting_work >= self.submission_work || self.waiting.len() == MOST_PASSES {
            self.submit()?;
        }
        Ok(())
    }

    /// Does what waits.
    fn submit(&mut self) -> Result<(), BackendError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let passes = std::mem::take(&mut self.waiting);
        let work = std::mem::take(&mut self.waiting_work);
        let buffers = self.buffers()?;
        let mut spans = vec![0_u8; passes.len() * buffers.span_bytes];
        for (place, (_, span)) in spans.chunks_exact_mut(buffers.span_bytes).zip(&passes) {
            place[..size_of::<Span>()].copy_from_slice(bytemuck::bytes_of(span));
        }
        self.device.queue.write_buffer(&buffers.spans, 0, &spans);
        let started = Instant::now();
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            let mut set = None;
            for (number, (entry, span)) in passes.iter().enumerate() {
                if set != Some(*entry) {
                    pass.set_pipeline(match entry {
                        Entry::Advance => &self.machine.advance,
                        Entry::Judge => &self.machine.judge,
                        Entry::UnderWay => &self.machine.under_way,
                    });
                    set = Some(*entry);
                }
                pass.set_bind_group(0, &buffers.group, &[(number * buffers.span_bytes) as u32]);
                pass.dispatch_workgroups((span.count - span.start).div_ceil(WORKGROUP), 1, 1);
            }
        }
        self.device.submit([encoder]);
        self.device.wait()?;
        let taken = started.elapsed().as_secs_f64().max(1e-6);
        // Half the way there each time: one slow submission does not decide, and a short one says nothing.
        if work >= 0.5 * self.submission_work {
            let fitting = work * SUBMISSION_TIME.as_secs_f64() / taken;
            self.submission_work = 0.5 * (self.submission_work + fitting);
        }
        Ok(())
    }

    /// Does what waits, and says how many instances it has counted since the last time.
    fn counted(&mut self) -> Result<u32, BackendError> {
        self.submit()?;
        let buffers = self.buffers()?;
        let mut counted = [0_u32];
        let target = bytemuck::cast_slice_mut(&mut counted);
        let piece = CopiedBytes { source: &buffers.counted, start: 0, target };
        staging::copy_back(&self.device, &buffers.staging, vec![piece])?;
        if counted != [0] {
            self.device.queue.write_buffer(&buffers.counted, 0, &[0; 4]);
        }
        Ok(counted[0])
    }

    /// Steps `from..to`, starts of what the method carries included, within one stretch, whose
    /// steps have these pieces.
    fn steps(&mut self, who: Who, pieces: &[StepPiece], from: u64, to: u64) -> Result<(), BackendError> {
        let ListParts { flush, begin, step, .. } = self.listing.parts.clone();
        let mut k = from;
        while k < to {
            if Schedule::flushes(k) {
                self.run(who, &flush, 1)?;
            }
            if self.plan.schedule.resynchronises(k) {
                self.resynchronise(who)?;
            }
            if self.plan.schedule.begins(k) {
                self.run(who, &begin, 1)?;
                self.lead(who)?;
            }
            let stop = self.plan.schedule.next_event(k, to);
            match self.listing.own_steps {
                None => self.run(who, &step, stop - k)?,
                Some(places) => {
                    for _ in k..stop {
                        self.own_step(who, places, pieces)?;
                    }
                }
            }
            k = stop;
        }
        Ok(())
    }

    fn resynchronise(&mut self, who: Who) -> Result<(), BackendError> {
        let ListParts { resynchronised, .. } = self.listing.parts.clone();
        self.run(who, &resynchronised, 1)?;
        self.lead(who)
    }

    /// Leads the chain that the method carries away from the motions.
    fn lead(&mut self, who: Who) -> Result<(), BackendError> {
        self.listing.parts.lead.clone().iter().try_for_each(|part| self.run(who, part, 1))
    }

    /// A step of the study of instances that choose their own, piece by piece.
    fn own_step(
        &mut self,
        who: Who,
        places: OwnStepPlaces,
        pieces: &[StepPiece],
    ) -> Result<(), BackendError> {
        let ListParts { open_step, .. } = self.listing.parts.clone();
        self.run(who, &open_step, 1)?;
        for piece in pieces {
            // A step that is a whole stands prepared.
            if pieces.len() > 1 {
                self.prepare(who, piece)?;
            }
            self.attempts(who, places)?;
        }
        Ok(())
    }

    /// Attempts, until all have come to the end of the piece. Who is there already stays there, so that at
    /// first so many go out together as the piece before took. After a lock's event comes a
    /// resynchronisation, of those alone that had one.
    fn attempts(&mut self, who: Who, places: OwnStepPlaces) -> Result<(), BackendError> {
        let ListParts { step, .. } = self.listing.parts.clone();
        let (mut taken, mut next) = (0, self.attempts);
        loop {
            match places.event {
                None => self.run(who, &step, next)?,
                Some(event) => {
                    for _ in 0..next {
                        self.run(who, &step, 1)?;
                        self.resynchronise(Who { only: event as u32, ..who })?;
                    }
                }
            }
            taken += next;
            next = MORE_ATTEMPTS;
            self.look(Entry::UnderWay, who, 0..0, 0)?;
            if self.counted()? == 0 {
                self.attempts = taken;
                return Ok(());
            }
        }
    }

    /// Some instances failed between `from` and `to`, and are still stored as they were at `from`: finds
    /// the step at which each did.
    fn recover(&mut self, pieces: &[StepPiece], from: u64, to: u64) -> Result<(), BackendError> {
        let ListParts { restore, judge, bounds, .. } = self.listing.parts.clone();
        self.run(Who::SUSPECT, &restore, 1)?;
        for k in from..to {
            self.steps(Who::SUSPECT, pieces, k, k + 1)?;
            self.run(Who::SUSPECT, &judge, 1)?;
            self.look(Entry::Judge, Who::SUSPECT, bounds.clone(), k + 1)?;
        }
        self.submit()
    }

    /// The factors of a stretch or of a piece of a step, and all that stays the same over it.
    fn prepare(&mut self, who: Who, piece: &StepPiece) -> Result<(), BackendError> {
        let ListParts { factors: load, prepare, .. } = self.listing.parts.clone();
        // The instructions that wait have other factors.
        self.submit()?;
        let shared = self.listing.shared.iter().chain(&piece.factors);
        let shared: Vec<E> = shared.map(|x| E::from_f64(*x)).collect();
        if !shared.is_empty() {
            self.device.queue.write_buffer(&self.buffers()?.shared, 0, bytemuck::cast_slice(&shared));
        }
        self.run(who, &load, 1)?;
        self.run(who, &prepare, 1)
    }
}

impl<E: Element> Backend for Interpreter<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        self.waiting.clear();
        self.waiting_work = 0.0;
        if self.buffers.as_ref().is_none_or(|buffers| buffers.stride < batch.count) {
            self.buffers = None;
            let stride = batch.count.next_multiple_of(WORKGROUP as usize);
            let made = Buffers::new::<E>(&self.device, &self.machine.layout, &self.listing, stride)?;
            self.buffers = Some(made);
        }
        let InstructionList { stored, first_parameter, .. } = self.listing;
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let (copies, ends) = self.host.room(self.listing.observed, batch.count);
        ends.iter_mut().zip(&batch.verdicts).for_each(|(end, verdict)| *end = [verdict.code(), 0]);
        self.device.queue.write_buffer(&buffers.ends, 0, bytemuck::cast_slice(ends));
        let offset = |row: usize| (row * buffers.stride * size_of::<E>()) as u64;
        let mut copies: Vec<Option<&mut [E]>> = copies.chunks_mut(batch.count.max(1)).map(Some).collect();
        // The channels that the method carries are computed at step 0.
        let starts = starts::<E>(batch, &self.listing.state, self.listing.lows);
        let states = starts.iter().map(|(place, values)| Plane {
            values,
            target: &buffers.rows,
            offset: offset(stored + place),
            copy: copies.get_mut(*place).and_then(Option::take),
        });
        let mut planes: Vec<Plane<'_, E>> = states.collect();
        planes.extend(self.listing.parameters.iter().enumerate().map(|(place, p)| Plane {
            values: &batch.parameters[*p],
            target: &buffers.rows,
            offset: offset(first_parameter + place),
            copy: None,
        }));
        self.loader.load(&self.device, planes)?;
        self.device.queue.write_buffer(&buffers.counted, 0, &[0; 4]);
        let shared: Vec<E> = self.listing.shared.iter().map(|x| E::from_f64(*x)).collect();
        if !shared.is_empty() {
            self.device.queue.write_buffer(&buffers.shared, 0, bytemuck::cast_slice(&shared));
        }
        self.host.rest(batch, self.plan.moving.len(), &self.listing.state);
        let ListParts { constants, restore, .. } = self.listing.parts.clone();
        self.run(Who::SOUND, &constants, 1)?;
        self.run(Who::SOUND, &restore, 1)?;
        self.submit()
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let check = self.plan.schedule.check;
        let ListParts { judge, bounds, .. } = self.listing.parts.clone();
        for stretch in self.plan.schedule.stretches(first, end) {
            let pieces = &stretch.pieces;
            self.prepare(Who::SOUND, &pieces[0])?;
            let mut from = stretch.first;
            while from < stretch.end {
                let to = (from / check).saturating_add(1).saturating_mul(check).min(stretch.end);
                self.steps(Who::SOUND, pieces, from, to)?;
                self.run(Who::SOUND, &judge, 1)?;
                self.look(Entry::Judge, Who::SOUND, bounds.clone(), to)?;
                if self.counted()? > 0 {
                    self.recover(pieces, from, to)?;
                }
                from = to;
            }
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), BackendError> {
        let device = self.device.reopen()?;
        self.machine = Machine::new(&device)?;
        self.device = device;
        self.loader = Loader::default();
        self.buffers = None;
        Ok(())
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        self.fetch_first(self.count)
    }

    fn fetch_first(&mut self, instances: usize) -> Result<(), BackendError> {
        let (values, ends) = self.host.room(self.listing.observed, self.count);
        if instances == 0 {
            return Ok(());
        }
        let Some(buffers) = &self.buffers else { return Err(BackendError::NotLoaded) };
        let (rows, instances) = ((&buffers.rows, self.listing.stored), instances.min(self.count));
        let pieces = staging::planes(rows, &buffers.ends, buffers.stride, instances, values, ends);
        staging::copy_back(&self.device, &buffers.staging, pieces)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn describe(&self) -> String {
        let s = &self.device.summary;
        let precision = self.listing.lows.precision(E::NAME);
        format!("GPU {} ({}, {}), {precision}, interpreted: {}", s.name, s.kind, s.backend, self.why)
    }

    fn arithmetic(&self) -> String {
        // Products and sums are not fused; how quotients and roots are rounded is the driver's choice.
        let s = &self.device.summary;
        let precision = self.listing.lows.precision(E::NAME);
        format!("GPU {} ({}, {}), {precision}, interpreted", s.name, s.backend, s.driver)
    }
}

impl<E: Element> StateReader for Interpreter<E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.host.read_channel(&self.listing.state, self.listing.lows, channel, first, out);
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        self.host.ends(first, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::layouts::{members, structure};

    #[test]
    fn structures_of_the_kernel_are_those_of_rust() {
        let span = members!(
            Span: first, end, times, start, count, verdict, only, stride, step, observed, kept, stored,
            progress, edge, never
        );
        assert_eq!(structure(&text(Precision::F32), "Span"), (span, size_of::<Span>()));
    }
}
