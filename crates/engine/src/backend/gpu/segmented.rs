//! The backend for plans whose kernel would be too long: their program cut into [`Segments`].
//!
//! The host says what comes next, as the CPU backend does for a group: kernels go out as passes,
//! each with the range of instances in a uniform, many passes in a submission of about 50 ms, and
//! one submission while another is under way. From check to check all instances go through their
//! steps; then each is judged, and the state of the sound ones is stored. If any has failed, it
//! starts again from its stored state, step by step, each of them judged, until it has failed
//! again: the others wait. So a sound instance pays nothing for the search, and results depend on
//! neither passes nor submissions.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::commands::Commands;
use super::device::Device;
use super::host_copy::HostCopy;
use super::kernel::WORKGROUP;
use super::loading::{Loader, Plane, starts};
use super::printed::CUT;
use super::segments::{CutRoutine, CutRoutines, Segments};
use super::staging::{self, CopiedBytes};
use super::tally::{BatchBuffers, Snapshots};
use crate::backend::program::OwnStepPlaces;
use crate::backend::tally::{Begun, Observation, Tally};
use crate::backend::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::base::{Verdict, grouped};
use crate::ensemble::schedule::{Schedule, StepPiece};
use crate::real::Element;

/// A submission should take this long: see `ensemble.rs`.
const SUBMISSION_TIME: Duration = Duration::from_millis(50);

/// Statements of all instances in the first submission: what a slow GPU does in
/// [`SUBMISSION_TIME`].
const FIRST_WORK: f64 = 2e8;

/// Passes of a submission at most, and of them those that are told something else than the one
/// before.
const MOST_PASSES: usize = 1 << 14;
const MOST_SPANS: usize = 1 << 10;

/// Attempts that follow, where some instances have not come to the end of their step.
const MORE_ATTEMPTS: u64 = 4;

/// No row: `NO_ROW` of the shader.
const NO_ROW: u32 = u32::MAX;

/// `SUSPECT` of the shader, beside the codes of verdicts.
const SUSPECT: u32 = 0xff;

/// `struct Span` of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Span {
    start: u32,
    count: u32,
    verdict: u32,
    only: u32,
    stride: u32,
    step: u32,
    number: u32,
    never: u32,
}

/// A kernel by its place, or what is done around the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Kernel(usize),
    Around(Around),
}

/// Entry points of `shaders/around.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Restore,
    Flush,
    OpenStep,
    UnderWay,
    Judge,
    JudgeStep,
}

impl Around {
    const NAMES: [&str; 6] = ["restore", "flush", "open_step", "under_way", "judge", "judge_step"];
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

/// The kernels of a program as they run on a device.
struct Machine {
    layout: wgpu::BindGroupLayout,
    kernels: Vec<wgpu::ComputePipeline>,
    around: Vec<wgpu::ComputePipeline>,
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

/// Passes that wait for being submitted, each with the place of its span, and their work.
#[derive(Default)]
struct Waiting {
    passes: Vec<(Entry, usize)>,
    spans: Vec<Span>,
    work: f64,
}

/// The device has been given this work.
struct Flight {
    submission: wgpu::SubmissionIndex,
    work: f64,
    /// It could begin then.
    from: Instant,
}

/// The backend of segments in one precision.
pub struct Segmented<E: Element> {
    plan: Plan,
    segments: Segments,
    device: Device,
    machine: Machine,
    capacity: usize,
    /// Why the plan has no kernel of its own, for people.
    why: String,
    buffers: Option<Buffers>,
    count: usize,
    waiting: Waiting,
    flight: Option<Flight>,
    /// Statements of all instances that take about [`SUBMISSION_TIME`].
    submission_work: f64,
    /// Attempts that the last step took at most.
    attempts: u64,
    loader: Loader,
    host: HostCopy<E>,
    /// Work of snapshots for the device.
    commands: Commands,
    snapshots: Snapshots,
}

impl Machine {
    /// Compiles all kernels side by side: drivers take a thread for each.
    fn new(device: &Device, segments: &Segments) -> Result<Machine, BackendError> {
        let layout = device.layout("polhode segment", &[0], &[false, true, false, false]);
        let kernel = |text: &String| {
            let module = device.compile("polhode segment", text)?;
            device.unkept_pipeline("polhode segment", &module, "advance", &layout)
        };
        let kernels = segments.texts.par_iter().map(kernel).collect::<Result<_, _>>()?;
        let module = device.compile("polhode around the steps", &segments.around)?;
        let entry =
            |entry: &&str| device.unkept_pipeline("polhode around the steps", &module, entry, &layout);
        let around = Around::NAMES.par_iter().map(entry).collect::<Result<_, _>>()?;
        device.keep_pipelines()?;
        Ok(Machine { layout, kernels, around })
    }

    fn pipeline(&self, entry: Entry) -> &wgpu::ComputePipeline {
        match entry {
            Entry::Kernel(place) => &self.kernels[place],
            Entry::Around(around) => &self.around[around as usize],
        }
    }
}

impl Buffers {
    fn new<E: Element>(
        device: &Device,
        layout: &wgpu::BindGroupLayout,
        segments: &Segments,
        stride: usize,
    ) -> Result<Buffers, BackendError> {
        let size = size_of::<E>() as u64;
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let make = |label: &str, size: u64, usage| device.buffer(label, size, usage);
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_DST;
        let span_bytes = size_of::<Span>()
            .next_multiple_of(device.limits.min_uniform_buffer_offset_alignment.max(1) as usize);
        let rows = make("rows", (segments.rows * stride) as u64 * size, storage | Usage::COPY_SRC);
        let shared =
            make("shared values", (segments.shared.len() + segments.factors).max(2) as u64 * size, storage);
        let ends = make("ends", stride as u64 * 8, storage | Usage::COPY_SRC);
        let counted = make("counted", 4, storage | Usage::COPY_SRC);
        let spans = make("spans", (MOST_SPANS * span_bytes) as u64, Usage::UNIFORM | Usage::COPY_DST);
        let all = (segments.observed * stride) as u64 * size + stride as u64 * 8;
        let staging = make("staging", all.min(staging::MOST_BYTES), Usage::MAP_READ | Usage::COPY_DST);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(BackendError::Lost(error.to_string()));
        }
        let span = wgpu::BufferBinding {
            buffer: &spans,
            offset: 0,
            size: std::num::NonZeroU64::new(size_of::<Span>() as u64),
        };
        let bound = [
            wgpu::BindingResource::Buffer(span),
            rows.as_entire_binding(),
            shared.as_entire_binding(),
            ends.as_entire_binding(),
            counted.as_entire_binding(),
        ];
        let entries: Vec<wgpu::BindGroupEntry<'_>> =
            (0..).zip(bound).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("polhode segment"),
            layout,
            entries: &entries,
        });
        Ok(Buffers { stride, rows, shared, ends, counted, spans, span_bytes, staging, group })
    }

    /// Where snapshots are added up: the last sound state is in the first rows.
    fn of_batch(&self) -> BatchBuffers<'_> {
        let Buffers { stride, rows, ends, staging, .. } = self;
        BatchBuffers { stride: *stride, state: rows, ends, staging }
    }
}

impl<E: Element> Segmented<E> {
    /// The backend of a plan whose program is cut into these kernels; `why` it is cut stands in the
    /// line that tells what computes.
    ///
    /// # Errors
    /// The driver refuses a kernel, or fewer instances than a workgroup fit on the device.
    pub fn new(plan: Plan, device: Device, segments: Segments, why: String) -> Result<Self, BackendError> {
        let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
        let instance_bytes = (segments.rows * size_of::<E>()) as u64;
        // Numbers of all rows are counted in 32 bits.
        let fitting = (limit / instance_bytes).min(u64::from(u32::MAX) / segments.rows as u64);
        let groups = fitting / u64::from(WORKGROUP);
        if groups == 0 {
            let rows = grouped(segments.rows as u64);
            return Err(BackendError::Unsuited(format!(
                "its program has {rows} numbers an instance, too many for {}",
                device.summary.name
            )));
        }
        let machine = Machine::new(&device, &segments)?;
        let (commands, snapshots) = (Commands::new(&device, 0), Snapshots::of(&device));
        let capacity = (groups * u64::from(WORKGROUP)) as usize;
        Ok(Segmented {
            plan,
            segments,
            device,
            machine,
            capacity,
            why,
            buffers: None,
            count: 0,
            waiting: Waiting::default(),
            flight: None,
            submission_work: FIRST_WORK,
            attempts: MORE_ATTEMPTS,
            loader: Loader::default(),
            host: HostCopy::default(),
            commands,
            snapshots,
        })
    }

    fn buffers(&self) -> Result<&Buffers, BackendError> {
        self.buffers.as_ref().ok_or(BackendError::NotLoaded)
    }

    /// Ranges of the batch that a dispatch in one dimension takes.
    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<E> {
        let most = self.device.limits.max_compute_workgroups_per_dimension as usize * WORKGROUP as usize;
        let count = self.count;
        (0..count).step_by(most).map(move |start| start..count.min(start + most))
    }

    /// Puts the kernels of a part, done so many times, in the queue of passes; `number`: of a
    /// lead's stage.
    fn run(&mut self, who: Who, part: &CutRoutine, times: u64, number: u32) -> Result<(), BackendError> {
        let each = part.statements as f64 / part.kernels.len().max(1) as f64;
        for instances in self.ranges() {
            for _ in 0..times {
                for kernel in &part.kernels {
                    let span = Span { number, ..self.span(who, &instances, 0)? };
                    self.pass(Entry::Kernel(*kernel), span, each)?;
                }
            }
        }
        Ok(())
    }

    /// All instances through an entry point around the steps.
    fn around(&mut self, entry: Around, who: Who, step: u64) -> Result<(), BackendError> {
        let each = self.segments.state.len() as f64;
        for instances in self.ranges() {
            let span = self.span(who, &instances, step)?;
            self.pass(Entry::Around(entry), span, each)?;
        }
        Ok(())
    }

    fn span(&self, who: Who, instances: &std::ops::Range<usize>, step: u64) -> Result<Span, BackendError> {
        Ok(Span {
            start: instances.start as u32,
            count: instances.end as u32,
            verdict: who.verdict,
            only: who.only,
            stride: self.buffers()?.stride as u32,
            step: step as u32,
            number: 0,
            never: 0,
        })
    }

    /// A pass with so many statements an instance.
    fn pass(&mut self, entry: Entry, span: Span, statements: f64) -> Result<(), BackendError> {
        let Waiting { passes, spans, work } = &mut self.waiting;
        if spans.last() != Some(&span) {
            spans.push(span);
        }
        passes.push((entry, spans.len() - 1));
        *work += statements * f64::from(span.count - span.start);
        if *work >= self.submission_work || passes.len() == MOST_PASSES || spans.len() == MOST_SPANS {
            self.submit()?;
        }
        Ok(())
    }

    /// Gives the device what waits, and waits until it has done what it was given before.
    fn submit(&mut self) -> Result<(), BackendError> {
        let Waiting { passes, spans, work } = std::mem::take(&mut self.waiting);
        if passes.is_empty() {
            return Ok(());
        }
        let buffers = self.buffers()?;
        let mut bytes = vec![0_u8; spans.len() * buffers.span_bytes];
        for (place, span) in bytes.chunks_exact_mut(buffers.span_bytes).zip(&spans) {
            place[..size_of::<Span>()].copy_from_slice(bytemuck::bytes_of(span));
        }
        self.device.queue.write_buffer(&buffers.spans, 0, &bytes);
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        {
            let mut recorded = encoder.begin_compute_pass(&Default::default());
            let (mut set, mut told) = (None, None);
            for (entry, place) in passes {
                if set != Some(entry) {
                    recorded.set_pipeline(self.machine.pipeline(entry));
                    set = Some(entry);
                }
                if told != Some(place) {
                    recorded.set_bind_group(0, &buffers.group, &[(place * buffers.span_bytes) as u32]);
                    told = Some(place);
                }
                let span = spans[place];
                recorded.dispatch_workgroups((span.count - span.start).div_ceil(WORKGROUP), 1, 1);
                self.device.traffic.dispatched();
            }
        }
        let submission = self.device.submit([encoder]);
        let before = self.flight.replace(Flight { submission, work, from: Instant::now() });
        before.map_or(Ok(()), |before| self.land(before))
    }

    /// Waits until this is done, and learns from how long it took.
    fn land(&mut self, Flight { submission, work, from }: Flight) -> Result<(), BackendError> {
        self.device.wait_for(submission)?;
        let now = Instant::now();
        if let Some(next) = &mut self.flight {
            next.from = now;
        }
        // Half the way there each time: one slow submission does not decide, and a short one says
        // nothing.
        if work >= 0.5 * self.submission_work {
            let taken = (now - from).as_secs_f64().max(1e-6);
            let fitting = work * SUBMISSION_TIME.as_secs_f64() / taken;
            self.submission_work = 0.5 * (self.submission_work + fitting);
        }
        Ok(())
    }

    /// Does what waits.
    fn settle(&mut self) -> Result<(), BackendError> {
        self.submit()?;
        self.flight.take().map_or(Ok(()), |flight| self.land(flight))
    }

    /// Does what waits, and says how many instances it has counted since the last time.
    fn counted(&mut self) -> Result<u32, BackendError> {
        self.settle()?;
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
        let CutRoutines { begin, step, .. } = self.segments.parts.clone();
        let mut k = from;
        while k < to {
            if Schedule::flushes(k) {
                self.around(Around::Flush, who, k)?;
            }
            if self.plan.schedule.resynchronises(k) {
                self.resynchronise(who)?;
            }
            if self.plan.schedule.begins(k) {
                self.run(who, &begin, 1, 0)?;
                self.lead(who)?;
            }
            let stop = self.plan.schedule.next_event(k, to);
            match self.segments.own_steps {
                None => self.run(who, &step, stop - k, 0)?,
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
        let CutRoutines { resynchronised, .. } = self.segments.parts.clone();
        self.run(who, &resynchronised, 1, 0)?;
        self.lead(who)
    }

    /// Leads the chain that the method carries away from the motions.
    fn lead(&mut self, who: Who) -> Result<(), BackendError> {
        self.segments.parts.lead.clone().iter().try_for_each(|(number, part)| self.run(who, part, 1, *number))
    }

    /// A step of the study of instances that choose their own, piece by piece.
    fn own_step(
        &mut self,
        who: Who,
        places: OwnStepPlaces,
        pieces: &[StepPiece],
    ) -> Result<(), BackendError> {
        self.around(Around::OpenStep, who, 0)?;
        for piece in pieces {
            // A step that is a whole stands prepared.
            if pieces.len() > 1 {
                self.prepare(who, piece)?;
            }
            self.attempts(who, places)?;
        }
        Ok(())
    }

    /// Attempts, until all have come to the end of the piece. Who is there already stays there, so
    /// that at first so many go out together as the piece before took. After a lock's event comes a
    /// resynchronisation, of those alone that had one.
    fn attempts(&mut self, who: Who, places: OwnStepPlaces) -> Result<(), BackendError> {
        let CutRoutines { step, .. } = self.segments.parts.clone();
        let (mut taken, mut next) = (0, self.attempts);
        loop {
            match places.event {
                None => self.run(who, &step, next, 0)?,
                Some(event) => {
                    for _ in 0..next {
                        self.run(who, &step, 1, 0)?;
                        self.resynchronise(Who { only: event as u32, ..who })?;
                    }
                }
            }
            taken += next;
            next = MORE_ATTEMPTS;
            self.around(Around::UnderWay, who, 0)?;
            if self.counted()? == 0 {
                self.attempts = taken;
                return Ok(());
            }
        }
    }

    /// Some instances failed between `from` and `to`, and are still stored as they were at `from`:
    /// finds the step at which each did.
    fn recover(&mut self, pieces: &[StepPiece], from: u64, to: u64) -> Result<(), BackendError> {
        self.around(Around::Restore, Who::SUSPECT, from)?;
        for k in from..to {
            self.steps(Who::SUSPECT, pieces, k, k + 1)?;
            self.judge(Who::SUSPECT, Around::JudgeStep, k + 1)?;
        }
        Ok(())
    }

    /// Judges instances after so many steps.
    fn judge(&mut self, who: Who, entry: Around, step: u64) -> Result<(), BackendError> {
        let CutRoutines { judge, .. } = self.segments.parts.clone();
        self.run(who, &judge, 1, 0)?;
        self.around(entry, who, step)
    }

    /// The factors of a stretch or of a piece of a step, and all that stays the same over it.
    fn prepare(&mut self, who: Who, piece: &StepPiece) -> Result<(), BackendError> {
        let CutRoutines { prepare, .. } = self.segments.parts.clone();
        // The passes that wait have other factors.
        self.submit()?;
        let shared = self.segments.shared.iter().chain(&piece.factors);
        let shared: Vec<E> = shared.map(|x| E::from_f64(*x)).collect();
        if !shared.is_empty() {
            self.device.queue.write_buffer(&self.buffers()?.shared, 0, bytemuck::cast_slice(&shared));
        }
        self.run(who, &prepare, 1, 0)
    }
}

impl<E: Element> Backend for Segmented<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        self.waiting = Waiting::default();
        self.flight = None;
        self.commands.clear();
        self.snapshots.unload();
        if self.buffers.as_ref().is_none_or(|buffers| buffers.stride < batch.count) {
            self.buffers = None;
            let stride = batch.count.next_multiple_of(WORKGROUP as usize);
            let made = Buffers::new::<E>(&self.device, &self.machine.layout, &self.segments, stride)?;
            self.buffers = Some(made);
        }
        let first_parameter = self.segments.first_parameter;
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let (copies, ends) = self.host.room(self.segments.observed, batch.count);
        ends.iter_mut().zip(&batch.verdicts).for_each(|(end, verdict)| *end = [verdict.code(), 0]);
        self.device.queue.write_buffer(&buffers.ends, 0, bytemuck::cast_slice(ends));
        let offset = |row: usize| (row * buffers.stride * size_of::<E>()) as u64;
        let mut copies: Vec<Option<&mut [E]>> = copies.chunks_mut(batch.count.max(1)).map(Some).collect();
        // The channels that the method carries are computed at step 0.
        let starts = starts::<E>(batch, &self.segments.state, self.segments.lows);
        let states = starts.iter().map(|(place, values)| Plane {
            values,
            target: &buffers.rows,
            offset: offset(*place),
            copy: copies.get_mut(*place).and_then(Option::take),
        });
        let mut planes: Vec<Plane<'_, E>> = states.collect();
        planes.extend(self.segments.parameters.iter().enumerate().map(|(place, p)| Plane {
            values: &batch.parameters[*p],
            target: &buffers.rows,
            offset: offset(first_parameter + place),
            copy: None,
        }));
        self.loader.load(&self.device, planes)?;
        self.device.queue.write_buffer(&buffers.counted, 0, &[0; 4]);
        let shared: Vec<E> = self.segments.shared.iter().map(|x| E::from_f64(*x)).collect();
        if !shared.is_empty() {
            self.device.queue.write_buffer(&buffers.shared, 0, bytemuck::cast_slice(&shared));
        }
        self.host.rest(batch, self.plan.moving.len(), &self.segments.state);
        self.around(Around::Restore, Who::SOUND, 0)?;
        self.submit()
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let check = self.plan.schedule.check;
        for stretch in self.plan.schedule.stretches(first, end) {
            let pieces = &stretch.pieces;
            self.prepare(Who::SOUND, &pieces[0])?;
            let mut from = stretch.first;
            while from < stretch.end {
                let to = (from / check).saturating_add(1).saturating_mul(check).min(stretch.end);
                self.steps(Who::SOUND, pieces, from, to)?;
                // After a single step nobody is suspect, so the device need not be waited for.
                if to == from + 1 {
                    self.judge(Who::SOUND, Around::JudgeStep, to)?;
                } else {
                    self.judge(Who::SOUND, Around::Judge, to)?;
                    if self.counted()? > 0 {
                        self.recover(pieces, from, to)?;
                    }
                }
                from = to;
            }
        }
        self.settle()
    }

    fn reopen(&mut self) -> Result<(), BackendError> {
        let device = self.device.reopen()?;
        self.machine = Machine::new(&device, &self.segments)?;
        self.commands = Commands::new(&device, 0);
        self.snapshots.reopen();
        self.device = device;
        self.loader = Loader::default();
        self.buffers = None;
        Ok(())
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        self.fetch_first(self.count)
    }

    fn fetch_first(&mut self, instances: usize) -> Result<(), BackendError> {
        let (values, ends) = self.host.room(self.segments.observed, self.count);
        if instances == 0 {
            return Ok(());
        }
        let Some(buffers) = &self.buffers else { return Err(BackendError::NotLoaded) };
        let (rows, instances) = ((&buffers.rows, 0), instances.min(self.count));
        let pieces = staging::planes(rows, &buffers.ends, buffers.stride, instances, values, ends);
        staging::copy_back(&self.device, &buffers.staging, pieces)
    }

    fn begin_look(&mut self, first: u64, end: u64, what: &Observation<'_>) -> Result<Begun, BackendError> {
        // Many passes take the batch to a snapshot: it goes alone.
        if end > first {
            return Ok(Begun::No);
        }
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let planes = (self.segments.observed, self.count);
        let are_ready = self.snapshots.are_ready(
            &self.device,
            (&self.commands, &mut self.loader),
            buffers.of_batch(),
            planes,
            (&self.segments.state, self.host.resting()),
            what,
        )?;
        if !are_ready {
            return Ok(Begun::No);
        }
        if self.snapshots.ring().is_none_or(|ring| ring.is_full()) {
            return Ok(Begun::Later);
        }
        let tallier = self.snapshots.tallier()?;
        tallier.record::<E>(&self.device, &mut self.commands, buffers.of_batch(), planes, what);
        let submission = self.commands.submit(&self.device);
        if let Some(ring) = tallier.ring() {
            ring.flies(submission, 0.0);
        }
        Ok(Begun::Yes)
    }

    fn end_look(&mut self) -> Result<Option<Tally>, BackendError> {
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let host = self.host.room(self.segments.observed, self.count);
        let (tally, _) = self.snapshots.tallier()?.read(&self.device, buffers.of_batch(), host)?;
        Ok(tally)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn describe(&self) -> String {
        let line = self.device.line(self.segments.lows.precision(E::NAME), self.segments.phrasing);
        let (kernels, why) = (self.segments.parts.step.kernels.len(), &self.why);
        format!("{line}, a step in {kernels} kernels: {why}")
    }

    fn arithmetic(&self) -> String {
        let arithmetic =
            self.device.arithmetic(self.segments.lows.precision(E::NAME), self.segments.phrasing);
        format!("{arithmetic}{CUT}")
    }
}

impl<E: Element> StateReader for Segmented<E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.host.read_channel(&self.segments.state, self.segments.lows, channel, first, out);
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        self.host.ends(first, out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::segments::head;
    use super::super::straight_line::Phrasing;
    use super::*;
    use crate::backend::gpu::layouts::{members, structure};
    use crate::base::Precision;

    #[test]
    fn structures_of_the_kernel_are_those_of_rust() {
        let span = members!(Span: start, count, verdict, only, stride, step, number, never);
        let text = head(Precision::F32, Phrasing::default()) + "fn none() {}";
        assert_eq!(structure(&text, "Span"), (span, size_of::<Span>()));
    }
}
