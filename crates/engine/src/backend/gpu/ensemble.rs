//! The backend: the kernel of a plan on a device.
//!
//! State and parameters lie in planes in one buffer each, below the adapter's limits by the size of
//! a batch. Work goes out in dispatches of about 50 ms, found by measuring: some steps of all
//! instances, cut at checks of the verdicts alone, or where that is too much, the steps to one
//! check of some instances. The first takes 10 ms, by what earlier runs have shown of the device,
//! and none is more than four times longer than the one before. Where snapshots follow each other
//! sooner, several go out in one submission, with the steps between them, and the device goes on
//! while the host reads what they show. Results do not depend on any of this.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::buffers::{self, Buffers, RunUniform};
use super::commands::{Commands, DevicePass};
use super::device::Device;
use super::host_copy::HostCopy;
use super::kernel::{Kernel, WORKGROUP};
use super::loading::{Loader, Plane, starts};
use super::tally::Snapshots;
use crate::backend::tally::{Begun, Observation, Tally};
use crate::backend::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::base::Precision;
use crate::ensemble::schedule::StepPiece;
use crate::real::Element;

/// A dispatch should take this long. Drivers reset a device that does not answer for seconds; a
/// desktop shares it.
const DISPATCH_TIME: Duration = Duration::from_millis(50);

/// Fewest steps of a dispatch of all instances (rounded up to a check): below, the launch is what
/// is paid for.
const FEWEST_STEPS: u64 = 100;

/// The first dispatch should take this long.
const FIRST_TIME: Duration = Duration::from_millis(10);

/// Operations a second of a slow GPU: a device that nothing is known of counts as one.
const SLOW: f64 = 4e10;

/// Most that a dispatch is longer than the one before.
const GROWTH: f64 = 4.0;

/// Most passes of the steps to a snapshot that goes out with others.
const MOST_PASSES: u64 = 1 << 10;

/// Fewest instances of a dispatch (or all): fewer leave most of a GPU idle.
const FEWEST_INSTANCES: usize = 1 << 14;

/// Attempts that a step of the study is taken for where instances choose their own steps.
const ATTEMPTS: u64 = 100;

/// The GPU backend in one precision.
pub struct Gpu<E: Element> {
    plan: Plan,
    device: Device,
    kernel: Kernel,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    capacity: usize,
    buffers: Option<Buffers>,
    count: usize,
    /// Instance-steps of a dispatch that take about [`DISPATCH_TIME`], or four times those of the
    /// last one, if that is less.
    dispatch_work: f64,
    /// Instance-steps a second that were measured, of batches that keep a device busy.
    rate: Option<f64>,
    /// Work recorded for the device, and the instance-steps of the looks among it.
    commands: Commands,
    waiting_work: f64,
    loader: Loader,
    host: HostCopy<E>,
    snapshots: Snapshots,
    /// Whether looks go out one by one, because one of them had too much to show.
    one_by_one: bool,
}

/// Gathers the passes of this kernel.
fn commands_for<E: Element>(device: &Device, kernel: &Kernel) -> Commands {
    Commands::new(device, size_of::<RunUniform>() + buffers::shared_values(kernel) * size_of::<E>())
}

/// The pipeline of this kernel on this device, with the layout of its bindings.
fn pipeline(
    device: &Device,
    kernel: &Kernel,
) -> Result<(wgpu::BindGroupLayout, wgpu::ComputePipeline), BackendError> {
    let module = device.compile("polhode ensemble", &kernel.text)?;
    let layout = buffers::layout(device);
    let pipeline = device.pipeline("polhode ensemble", &module, "advance", &layout)?;
    Ok((layout, pipeline))
}

impl<E: Element> Gpu<E> {
    /// Compiles the kernel of this plan for this device.
    pub fn new(plan: Plan, device: Device, precision: Precision) -> Result<Gpu<E>, BackendError> {
        let kernel = Kernel::new(&plan, precision);
        Self::with_kernel(plan, device, kernel)
    }

    /// As [`Gpu::new`] with a kernel at hand, generated or one's own: entry point and bindings of
    /// `shaders/ensemble.wgsl`, the planes that `kernel` names.
    pub fn with_kernel(plan: Plan, device: Device, kernel: Kernel) -> Result<Gpu<E>, BackendError> {
        let (layout, pipeline) = pipeline(&device, &kernel)?;
        let planes = kernel.state.len().max(kernel.parameters.len()) as u64;
        let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
        let instance_bytes = (planes * std::mem::size_of::<E>() as u64).max(8);
        let groups = u64::from(device.limits.max_compute_workgroups_per_dimension);
        let capacity = (limit / instance_bytes)
            .min(groups * groups * u64::from(WORKGROUP))
            .next_multiple_of(u64::from(WORKGROUP))
            .saturating_sub(u64::from(WORKGROUP))
            .max(u64::from(WORKGROUP)) as usize;
        let operations = device.rate.unwrap_or(SLOW) * FIRST_TIME.as_secs_f64();
        let dispatch_work = operations / kernel.step.total().max(1) as f64;
        let commands = commands_for::<E>(&device, &kernel);
        Ok(Gpu {
            commands,
            waiting_work: 0.0,
            loader: Loader::default(),
            rate: None,
            one_by_one: false,
            snapshots: Snapshots::of(&device),
            plan,
            device,
            kernel,
            pipeline,
            layout,
            capacity,
            buffers: None,
            count: 0,
            dispatch_work,
            host: HostCopy::default(),
        })
    }

    /// The kernel in use.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Records that these instances go from step `first` to step `end`.
    fn record(
        &mut self,
        first: u64,
        end: u64,
        instances: Range<usize>,
        pieces: &[StepPiece],
    ) -> Result<(), BackendError> {
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let schedule = &self.plan.schedule;
        let uniform = RunUniform {
            first: first as u32,
            end: end as u32,
            count: instances.end as u32,
            stride: buffers.stride as u32,
            // A period beyond the last step number (2^32 - 1) never comes.
            resynchronise: schedule.resynchronise.min(u64::from(u32::MAX)) as u32,
            check: schedule.check.min(u64::from(u32::MAX)) as u32,
            start: instances.start as u32,
            pieces: pieces.len() as u32,
            begin: schedule.begin.min(u64::from(u32::MAX)) as u32,
        };
        let factors = pieces.iter().flat_map(|piece| &piece.factors);
        let shared = self.kernel.constants.iter().chain(factors);
        let mut shared: Vec<E> = shared.map(|x| E::from_f64(*x)).collect();
        shared.resize(buffers::shared_values(&self.kernel), E::default());
        let groups = (instances.len() as u32).div_ceil(WORKGROUP);
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        let rows = groups.div_ceil(widest);
        let pass = DevicePass {
            pipeline: &self.pipeline,
            group: &buffers.group,
            arguments: &[bytemuck::bytes_of(&uniform), bytemuck::cast_slice(&shared)],
            offsets: &[],
            groups: [groups.div_ceil(rows), rows],
        };
        self.commands.pass(&self.device, &pass);
        Ok(())
    }

    /// So many instance-steps have taken so long: half of the way to what that says of a dispatch,
    /// because one that was slow does not decide.
    fn learn(&mut self, work: f64, taken: Duration) {
        let rate = work / taken.as_secs_f64().max(1e-6);
        if self.count >= FEWEST_INSTANCES {
            self.rate = Some(rate);
        }
        let fitting = rate * DISPATCH_TIME.as_secs_f64();
        self.dispatch_work =
            (0.5 * (self.dispatch_work + fitting)).min(GROWTH * work.max(self.dispatch_work));
    }

    /// Makes ready the kernels that add up snapshots, with this batch; false: these are left to the
    /// host.
    fn is_ready_to_look(&mut self, what: &Observation<'_>) -> Result<bool, BackendError> {
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        self.snapshots.are_ready(
            &self.device,
            (&self.commands, &mut self.loader),
            buffers.of_batch(),
            (self.kernel.observed, self.count),
            (&self.kernel.state, self.host.resting()),
            what,
        )
    }

    /// Gives the device the looks that are recorded, and all before them.
    fn send_looks(&mut self) {
        let submission = self.commands.submit(&self.device);
        let work = std::mem::take(&mut self.waiting_work);
        if let Some(ring) = self.snapshots.ring() {
            ring.flies(submission, work);
        }
    }
}

impl<E: Element> Drop for Gpu<E> {
    fn drop(&mut self) {
        if let Some(rate) = self.rate {
            self.device.remember(rate * self.kernel.step.total() as f64);
        }
    }
}

impl<E: Element> Backend for Gpu<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        // Work that is still recorded is of a batch that was given up.
        self.commands.clear();
        self.waiting_work = 0.0;
        self.snapshots.unload();
        let fits = self.buffers.as_ref().is_some_and(|b| b.stride >= batch.count);
        if !fits {
            self.buffers = None;
            let stride = batch.count.next_multiple_of(WORKGROUP as usize);
            let made = Buffers::new::<E>(&self.device, &self.layout, &self.kernel, &self.commands, stride)?;
            self.buffers = Some(made);
        }
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        self.host.rest(batch, self.plan.moving.len(), &self.kernel.state);
        let (copies, ends) = self.host.room(self.kernel.observed, batch.count);
        ends.iter_mut().zip(&batch.verdicts).for_each(|(end, verdict)| *end = [verdict.code(), 0]);
        self.device.queue.write_buffer(&buffers.ends, 0, bytemuck::cast_slice(ends));
        let offset = |plane: usize| (plane * buffers.stride * size_of::<E>()) as u64;
        let mut copies: Vec<Option<&mut [E]>> = copies.chunks_mut(batch.count.max(1)).map(Some).collect();
        // The kernel computes at step 0 what the method carries.
        let starts = starts::<E>(batch, &self.kernel.state, self.kernel.lows);
        let states = starts.iter().map(|(plane, values)| Plane {
            values,
            target: &buffers.state,
            offset: offset(*plane),
            copy: copies.get_mut(*plane).and_then(Option::take),
        });
        let mut planes: Vec<Plane<'_, E>> = states.collect();
        planes.extend(self.kernel.parameters.iter().enumerate().map(|(plane, p)| Plane {
            values: &batch.parameters[*p],
            target: &buffers.parameters,
            offset: offset(plane),
            copy: None,
        }));
        self.loader.load(&self.device, planes)
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let check = self.plan.schedule.check;
        let own_steps = self.plan.method.own_steps().is_some();
        for stretch in self.plan.schedule.stretches(first, end) {
            let mut from = stretch.first;
            while from < stretch.end {
                // Steps end at a check, or where the stretch does. Nobody knows how long own steps
                // take: one step of the study is bounded.
                let fitting = (self.dispatch_work / self.count as f64).min(1e9) as u64;
                let fewest = FEWEST_STEPS.next_multiple_of(check);
                let wanted = (from + fitting.max(fewest)) / check * check;
                let to = if own_steps { from + 1 } else { wanted.max(from + 1).min(stretch.end) };
                let mut done = 0;
                while done < self.count {
                    let each = if own_steps { ATTEMPTS } else { to - from };
                    let together = ((self.dispatch_work / each as f64) as usize).max(FEWEST_INSTANCES);
                    let part = done..self.count.min(done + together.next_multiple_of(WORKGROUP as usize));
                    let work = (each * part.len() as u64) as f64;
                    done = part.end;
                    let started = Instant::now();
                    self.record(from, to, part, &stretch.pieces)?;
                    let submission = self.commands.submit(&self.device);
                    self.device.wait_for(submission)?;
                    // One that is the last of its stretch, and short, says nothing.
                    if work >= 0.5 * self.dispatch_work.min((fewest * self.count as u64) as f64) {
                        self.learn(work, started.elapsed());
                    }
                }
                from = to;
            }
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), BackendError> {
        let device = self.device.reopen()?;
        (self.layout, self.pipeline) = pipeline(&device, &self.kernel)?;
        self.commands = commands_for::<E>(&device, &self.kernel);
        self.loader = Loader::default();
        self.device = device;
        self.buffers = None;
        self.snapshots.reopen();
        Ok(())
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        self.fetch_first(self.count)
    }

    fn fetch_first(&mut self, instances: usize) -> Result<(), BackendError> {
        let (values, ends) = self.host.room(self.kernel.observed, self.count);
        if instances == 0 {
            return Ok(());
        }
        let Some(buffers) = &self.buffers else { return Err(BackendError::NotLoaded) };
        buffers.read_back(&self.device, instances.min(self.count), values, ends)
    }

    fn begin_look(&mut self, first: u64, end: u64, what: &Observation<'_>) -> Result<Begun, BackendError> {
        let own_steps = self.plan.method.own_steps().is_some();
        let (each, passes) = if own_steps { (ATTEMPTS, end - first) } else { (1, 1) };
        let work = ((end - first) * each) as f64 * self.count as f64;
        let is_long = work > self.dispatch_work || passes > MOST_PASSES || self.one_by_one;
        if (end > first && is_long) || !self.is_ready_to_look(what)? {
            return Ok(Begun::No);
        }
        let Some(ring) = self.snapshots.ring() else { return Ok(Begun::No) };
        let is_enough = ring.waiting() > 0 && self.waiting_work + work > self.dispatch_work;
        if is_enough {
            self.send_looks();
        }
        if self.snapshots.ring().is_none_or(|ring| ring.is_full()) {
            return Ok(Begun::Later);
        }
        for stretch in self.plan.schedule.stretches(first, end) {
            if own_steps {
                for step in stretch.first..stretch.end {
                    self.record(step, step + 1, 0..self.count, &stretch.pieces)?;
                }
            } else {
                self.record(stretch.first, stretch.end, 0..self.count, &stretch.pieces)?;
            }
        }
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let tallier = self.snapshots.tallier()?;
        tallier.record::<E>(
            &self.device,
            &mut self.commands,
            buffers.of_batch(),
            (self.kernel.observed, self.count),
            what,
        );
        self.waiting_work += work;
        if tallier.ring().is_some_and(|ring| ring.is_due()) {
            self.send_looks();
        }
        Ok(Begun::Yes)
    }

    fn end_look(&mut self) -> Result<Option<Tally>, BackendError> {
        if self.snapshots.ring().is_some_and(|ring| ring.is_ahead()) {
            self.send_looks();
        }
        let buffers = self.buffers.as_ref().ok_or(BackendError::NotLoaded)?;
        let host = self.host.room(self.kernel.observed, self.count);
        let (tally, took) = self.snapshots.tallier()?.read(&self.device, buffers.of_batch(), host)?;
        if let Some((work, taken)) = took {
            self.learn(work, taken);
        }
        self.one_by_one |= tally.is_none();
        Ok(tally)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn describe(&self) -> String {
        let observed =
            if self.device.summary.f64 { "" } else { ", observed on the host: no 64-bit floating point" };
        let precision = self.kernel.lows.precision(E::NAME);
        format!("{}{observed}", self.device.line(precision, self.kernel.phrasing))
    }

    fn arithmetic(&self) -> String {
        self.device.arithmetic(self.kernel.lows.precision(E::NAME), self.kernel.phrasing)
    }
}

impl<E: Element> StateReader for Gpu<E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.host.read_channel(&self.kernel.state, self.kernel.lows, channel, first, out);
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        self.host.ends(first, out);
    }
}
