//! The backend: the kernel of a plan on a device.
//!
//! State and parameters lie in planes in one buffer each, below the adapter's limits by the size of a batch. Work
//! goes out in dispatches of about 50 ms, found by measuring, the first by the length of the kernel: some steps of all instances, cut at
//! checks of the verdicts alone, or where that is too much, the steps to one check of some instances. Results do not depend on it.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::buffers::{self, Buffers, RunUniform};
use super::device::Device;
use super::host_copy::HostCopy;
use super::kernel::{Kernel, WORKGROUP};
use super::tally::Tallier;
use crate::backend::tally::{Observation, Tally};
use crate::backend::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::base::Precision;
use crate::ensemble::schedule::StepPiece;
use crate::real::Element;

/// A dispatch should take this long. Drivers reset a device that does not answer for seconds; a desktop shares it.
const DISPATCH_TIME: Duration = Duration::from_millis(50);

/// Fewest steps of a dispatch of all instances (rounded up to a check): below, the launch is what is paid for.
const FEWEST_STEPS: u64 = 100;

/// Operations of the first dispatch: what a slow GPU does in [`DISPATCH_TIME`].
const FIRST_OPERATIONS: f64 = 2e9;

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
    /// Instance-steps of a dispatch that take about [`DISPATCH_TIME`].
    dispatch_work: f64,
    host: HostCopy<E>,
    /// What adds up snapshots, once it was asked for.
    tallier: Option<Tallier>,
    /// Whether snapshots are left to the host: the device does not add them up, or not so many columns.
    leaves_snapshots: bool,
}

fn not_loaded() -> BackendError {
    BackendError::Lost("no batch was loaded".to_string())
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

/// The GPU backend in this precision, as [`Gpu::new`].
pub fn open(plan: Plan, device: Device, precision: Precision) -> Result<Box<dyn Backend>, BackendError> {
    let kernel = Kernel::new(&plan, precision);
    open_with(plan, device, precision, kernel)
}

/// As [`open`] with the plan's kernel in this precision, where it is at hand.
pub fn open_with(
    plan: Plan,
    device: Device,
    precision: Precision,
    kernel: Kernel,
) -> Result<Box<dyn Backend>, BackendError> {
    Ok(match precision {
        Precision::F32 => Box::new(Gpu::<f32>::with_kernel(plan, device, kernel)?),
        Precision::F64 => Box::new(Gpu::<f64>::with_kernel(plan, device, kernel)?),
    })
}

/// As [`open_with`], with the pipelines that [earlier runs left](Device::remembering).
pub fn open_remembering(
    plan: Plan,
    device: Device,
    precision: Precision,
    kernel: Kernel,
) -> Result<Box<dyn Backend>, BackendError> {
    open_with(plan, device.remembering(), precision, kernel)
}

impl<E: Element> Gpu<E> {
    /// Compiles the kernel of this plan for this device.
    pub fn new(plan: Plan, device: Device, precision: Precision) -> Result<Gpu<E>, BackendError> {
        let kernel = Kernel::new(&plan, precision);
        Self::with_kernel(plan, device, kernel)
    }

    /// As [`Gpu::new`] with a kernel of one's own: entry point and bindings of `shaders/ensemble.wgsl`, the planes that
    /// `kernel` names.
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
        let dispatch_work = FIRST_OPERATIONS / kernel.step.total().max(1) as f64;
        Ok(Gpu {
            leaves_snapshots: !device.observes,
            tallier: None,
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

    fn buffers(&self) -> Result<&Buffers, BackendError> {
        self.buffers.as_ref().ok_or_else(not_loaded)
    }

    /// Takes these instances from step `first` to step `end`.
    fn dispatch(
        &self,
        first: u64,
        end: u64,
        instances: Range<usize>,
        pieces: &[StepPiece],
    ) -> Result<(), BackendError> {
        let buffers = self.buffers()?;
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
        let shared: Vec<E> = shared.map(|x| E::from_f64(*x)).collect();
        buffers.set_run(&self.device, &uniform, &shared);
        let groups = (instances.len() as u32).div_ceil(WORKGROUP);
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        let rows = groups.div_ceil(widest);
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &buffers.group, &[]);
            pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
        }
        self.device.queue.submit([encoder.finish()]);
        self.device.wait()
    }
}

impl<E: Element> Backend for Gpu<E> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.count = batch.count;
        if let Some(tallier) = &mut self.tallier {
            tallier.unload();
        }
        let fits = self.buffers.as_ref().is_some_and(|b| b.stride >= batch.count);
        if !fits {
            self.buffers = None;
            let stride = batch.count.next_multiple_of(WORKGROUP as usize);
            self.buffers = Some(Buffers::new::<E>(&self.device, &self.layout, &self.kernel, stride)?);
        }
        let buffers = self.buffers()?;
        for (plane, c) in self.kernel.state.iter().enumerate() {
            // The kernel computes at step 0 what the method carries.
            let Some(values) = batch.states.get(*c) else { break };
            let values: Vec<E> = values.iter().map(|x| E::from_f64(*x)).collect();
            buffers.write_plane(&self.device, &buffers.state, plane, &values);
        }
        for (plane, p) in self.kernel.parameters.iter().enumerate() {
            let values: Vec<E> = batch.parameters[*p].iter().map(|x| E::from_f64(*x)).collect();
            buffers.write_plane(&self.device, &buffers.parameters, plane, &values);
        }
        let ends: Vec<[u32; 2]> = batch.verdicts.iter().map(|v| [v.code(), 0]).collect();
        self.device.queue.write_buffer(&buffers.ends, 0, bytemuck::cast_slice(&ends));
        self.host.rest(batch, self.plan.moving.len(), &self.kernel.state);
        self.device.wait()?;
        self.fetch()
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let check = self.plan.schedule.check;
        let own_steps = self.plan.method.own_steps().is_some();
        for stretch in self.plan.schedule.stretches(first, end) {
            let mut from = stretch.first;
            while from < stretch.end {
                // Steps end at a check, or where the stretch does. How long own steps take nobody knows: one step of the study is bounded.
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
                    self.dispatch(from, to, part, &stretch.pieces)?;
                    let taken = started.elapsed().as_secs_f64().max(1e-6);
                    // Half the way there each time: one slow dispatch does not decide. One that is the last of its stretch, and short, says nothing.
                    if work >= 0.5 * self.dispatch_work.min((fewest * self.count as u64) as f64) {
                        let fitting = work * DISPATCH_TIME.as_secs_f64() / taken;
                        self.dispatch_work = 0.5 * (self.dispatch_work + fitting);
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
        self.device = device;
        self.buffers = None;
        self.tallier = None;
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
        let Some(buffers) = &self.buffers else { return Err(not_loaded()) };
        buffers.read_back(&self.device, instances.min(self.count), values, ends)
    }

    fn tally(&mut self, what: &Observation<'_>) -> Result<Option<Tally>, BackendError> {
        if self.leaves_snapshots {
            return Ok(None);
        }
        let Some(buffers) = &self.buffers else { return Err(not_loaded()) };
        let ready = match self.tallier.take() {
            Some(ready) if ready.is_loaded() => Some(ready),
            before => {
                match Tallier::new::<E>(&self.device, &self.kernel, what, before) {
                    // What a driver refuses is no reason to end a run that can go on without it.
                    Err(BackendError::Kernel(_)) | Ok(None) => None,
                    Err(other) => return Err(other),
                    Ok(Some(mut made)) => made
                        .load(&self.device, buffers, self.count, self.host.resting(), what)?
                        .then_some(made),
                }
            }
        };
        let Some(ready) = ready else {
            self.leaves_snapshots = true;
            return Ok(None);
        };
        let tally = ready.run(&self.device, buffers, self.count, what);
        self.tallier = Some(ready);
        tally
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn describe(&self) -> String {
        let s = &self.device.summary;
        let observed = if s.f64 { "" } else { ", observed on the host: no 64-bit floating point" };
        format!("GPU {} ({}, {}), {}{observed}", s.name, s.kind, s.backend, E::NAME)
    }

    fn arithmetic(&self) -> String {
        // Whether products and sums are fused is the driver's choice.
        let s = &self.device.summary;
        format!("GPU {} ({}, {}), {}", s.name, s.backend, s.driver, E::NAME)
    }
}

impl<E: Element> StateReader for Gpu<E> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.host.read_channel(&self.kernel.state, channel, first, out);
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        self.host.ends(first, out);
    }
}
