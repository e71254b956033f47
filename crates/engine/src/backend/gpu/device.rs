//! Devices: which adapters there are, and which one a study gets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::adapter::{AdapterChoice, AdapterSummary};
use super::pipeline_cache::PipelineCache;
use super::rounding::Rounding;
use super::straight_line::{Phrasing, Rest};
use crate::backend::BackendError;
use crate::backend::learned::Learned;
use crate::base::Precision;

/// Time that a device may take for the work it was given before it counts as lost. A software
/// device also compiles a kernel when it first runs it, on the processor that others use too.
const PATIENCE: Duration = Duration::from_secs(120);
const SOFTWARE_PATIENCE: Duration = Duration::from_secs(900);

/// Whether an adapter computes on the processor.
fn is_software(kind: wgpu::DeviceType) -> bool {
    kind == wgpu::DeviceType::Cpu
}

fn kind_name(kind: wgpu::DeviceType) -> &'static str {
    match kind {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    }
}

/// The system's drivers. To load them takes a tenth of a second, so a process does it once.
static DRIVERS: LazyLock<wgpu::Instance> = LazyLock::new(|| {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
});

fn adapters() -> Vec<wgpu::Adapter> {
    let mut adapters = pollster::block_on(DRIVERS.enumerate_adapters(wgpu::Backends::PRIMARY));
    // Real GPUs first, the fastest kind first; the order of equals is the system's.
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::VirtualGpu => 1,
        wgpu::DeviceType::IntegratedGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    AdapterSummary {
        name: info.name,
        kind: kind_name(info.device_type),
        backend: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        f64: adapter.features().contains(wgpu::Features::SHADER_F64),
        binding_limit_bytes: limits.max_storage_buffer_binding_size,
        buffer_limit_bytes: limits.max_buffer_size,
        workgroup_invocations: limits.max_compute_invocations_per_workgroup,
    }
}

/// All adapters, real GPUs first.
pub fn list() -> Vec<AdapterSummary> {
    adapters().iter().map(summary).collect()
}

/// The traffic between the host and a device so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub submissions: u64,
    pub dispatches: u64,
    /// Number of times that the host has waited for the device.
    pub waits: u64,
    /// Bytes that the host has read.
    pub read: u64,
}

impl Traffic {
    /// Returns the traffic since then.
    pub fn since(&self, before: &Traffic) -> Traffic {
        Traffic {
            submissions: self.submissions - before.submissions,
            dispatches: self.dispatches - before.dispatches,
            waits: self.waits - before.waits,
            read: self.read - before.read,
        }
    }
}

/// Counts [`Traffic`].
#[derive(Debug, Default)]
pub struct TrafficCounter {
    submissions: AtomicU64,
    dispatches: AtomicU64,
    waits: AtomicU64,
    read: AtomicU64,
}

impl TrafficCounter {
    pub fn so_far(&self) -> Traffic {
        let TrafficCounter { submissions, dispatches, waits, read } = self;
        let [submissions, dispatches, waits, read] =
            [submissions, dispatches, waits, read].map(|counter| counter.load(Ordering::Relaxed));
        Traffic { submissions, dispatches, waits, read }
    }

    pub fn dispatched(&self) {
        self.dispatches.fetch_add(1, Ordering::Relaxed);
    }

    pub fn read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A device with its queue and the limits it was given.
pub struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub limits: wgpu::Limits,
    pub summary: AdapterSummary,
    /// Whether it adds up snapshots: it computes in double precision, and is no software device,
    /// whose processor does that eight times faster by the host's code.
    pub observes: bool,
    /// Precision of the steps.
    pub precision: Precision,
    /// Kernels round as they are written: see [`exact`](super::exact).
    is_exact: bool,
    /// The answer to how it rounds, once it was asked.
    pub(super) rounding: Option<Rounding>,
    /// The way by which quotients and roots of columns, which are in double precision, are
    /// corrected.
    pub nearest_columns: Option<Rest>,
    /// The driver's report that nobody asked for: the first error, or that the device is gone.
    fault: Arc<Mutex<Option<String>>>,
    info: wgpu::AdapterInfo,
    pub traffic: Arc<TrafficCounter>,
    /// Operations a second that earlier runs have seen, where it remembers them.
    pub rate: Option<f64>,
    /// Whether it has what [earlier runs left](Device::recall).
    pub(super) remembers: bool,
    cache: Option<Mutex<PipelineCache>>,
}

/// An adapter that is wanted, before its device is opened.
pub struct FoundAdapter {
    adapter: wgpu::Adapter,
    pub summary: AdapterSummary,
    precision: Precision,
}

impl FoundAdapter {
    /// The first adapter that is wanted and computes in this precision.
    pub fn find(wanted: &AdapterChoice, precision: Precision) -> Result<FoundAdapter, BackendError> {
        let mut all = adapters();
        let accepts = |adapter: &wgpu::Adapter| {
            let info = adapter.get_info();
            match wanted {
                AdapterChoice::Real => !is_software(info.device_type),
                AdapterChoice::Any => true,
                AdapterChoice::Named(name) => info.name.to_lowercase().contains(&name.to_lowercase()),
            }
        };
        let Some(place) = all.iter().position(accepts) else {
            let names: Vec<String> = all.iter().map(summary).map(|s| s.name + ", " + s.kind).collect();
            return Err(BackendError::NoAdapter {
                wanted: match wanted {
                    AdapterChoice::Real => " of real hardware".to_string(),
                    AdapterChoice::Any => String::new(),
                    AdapterChoice::Named(name) => format!(" named {name:?}"),
                },
                found: if names.is_empty() {
                    "none found; is a Vulkan driver installed?".to_string()
                } else {
                    format!("found {}", names.join("; "))
                },
            });
        };
        let adapter = all.swap_remove(place);
        let summary = summary(&adapter);
        if precision == Precision::F64 && !summary.f64 {
            return Err(BackendError::NoDouble { adapter: summary.name });
        }
        Ok(FoundAdapter { adapter, summary, precision })
    }

    /// Opens its device, which was not yet asked how it computes.
    pub(super) fn open_unprobed(self) -> Result<Device, BackendError> {
        let FoundAdapter { adapter, summary, precision } = self;
        // Snapshots are observed in double precision, whatever the steps are taken in.
        let wanted =
            wgpu::Features::SHADER_F64 | PipelineCache::FEATURE | wgpu::Features::PASSTHROUGH_SHADERS;
        let features = adapter.features() & wanted;
        let limits = adapter.limits();
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("polhode"),
            required_features: features,
            required_limits: limits.clone(),
            ..Default::default()
        });
        let (device, queue) = pollster::block_on(request).map_err(|error| BackendError::NoDevice {
            adapter: summary.name.clone(),
            reason: error.to_string(),
        })?;
        let fault = Arc::new(Mutex::new(None));
        let note = |fault: &Arc<Mutex<Option<String>>>| {
            let fault = Arc::clone(fault);
            move |what: String| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
            }
        };
        let (error, lost) = (note(&fault), note(&fault));
        // Without a handler wgpu panics.
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| error(e.to_string())));
        device.set_device_lost_callback(move |reason, text| lost(format!("{reason:?}: {text}")));
        let info = adapter.get_info();
        let observes = summary.f64 && !is_software(info.device_type);
        Ok(Device {
            device,
            queue,
            limits,
            summary,
            // The lower parts of a state are added to it on the host.
            observes: observes && precision != Precision::F32Compensated,
            precision,
            is_exact: cfg!(not(target_vendor = "apple"))
                && info.backend == wgpu::Backend::Vulkan
                && features.contains(wgpu::Features::PASSTHROUGH_SHADERS),
            rounding: None,
            nearest_columns: None,
            fault,
            info,
            traffic: Arc::default(),
            rate: None,
            remembers: false,
            cache: None,
        })
    }
}

fn locked(cache: &Mutex<PipelineCache>) -> MutexGuard<'_, PipelineCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Device {
    /// Name of its adapter.
    pub fn name(&self) -> &str {
        &self.summary.name
    }

    /// Takes the pipelines that earlier runs left in the user's cache folder, to which those of
    /// this one are added, and the speed that they saw.
    pub fn recall(&mut self) {
        self.remembers = true;
        self.rate = Learned::of(&self.summary.known_as()).rate(self.precision);
        self.cache = PipelineCache::open(&self.device, &self.info).map(Mutex::new);
    }

    /// Whether it computes on the processor.
    pub fn is_software(&self) -> bool {
        is_software(self.info.device_type)
    }

    /// The words for sums and products by which its kernels have a processor's bits, as far as it
    /// can have them: `fused` where it was found to round multiply-adds once.
    pub fn phrasing(&self, fused: bool) -> Phrasing {
        let fuses = self.rounding.is_some_and(|rounding| rounding.fuses);
        let nearest = self.rounding.and_then(|rounding| rounding.nearest);
        Phrasing { fused: fused && fuses, selected: !self.is_exact, nearest }
    }

    /// One line: its name, the precision, and whose bits its kernels have, where it was asked.
    pub fn line(&self, precision: &str, phrasing: Phrasing) -> String {
        let s = &self.summary;
        let bits = self.rounding.map(|rounding| format!(", {}", rounding.whose_bits(phrasing.fused)));
        format!("GPU {} ({}, {}), {precision}{}", s.name, s.kind, s.backend, bits.unwrap_or_default())
    }

    /// Names all that decides the bits of its kernels.
    pub fn arithmetic(&self, precision: &str, phrasing: Phrasing) -> String {
        let s = &self.summary;
        let products = match (phrasing.fused, self.is_exact) {
            (true, _) => ", fused multiply-add",
            (false, true) => ", unfused multiply-add",
            // Whether products and sums are fused is the driver's choice.
            (false, false) => "",
        };
        let nearest = if phrasing.nearest.is_some() { ", corrected quotients and roots" } else { "" };
        format!("GPU {} ({}, {}), {precision}{products}{nearest}", s.name, s.backend, s.driver)
    }

    /// Leaves the speed that a run saw (operations a second) to later ones, where it
    /// remembers what earlier ones left.
    pub fn remember(&self, rate: f64) {
        if self.remembers {
            let device = self.summary.known_as();
            let mut learned = Learned::of(&device);
            learned.see(self.precision, rate);
            learned.keep(&device);
        }
    }

    /// A buffer of so many bytes.
    pub fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let label = Some(label);
        self.device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
    }

    /// The layout of a uniform at binding 0 and of storage buffers behind it, each with whether it
    /// is read only. Of those bindings that `move` a pass says where they begin.
    pub fn layout(&self, label: &str, moving: &[u32], read_only: &[bool]) -> wgpu::BindGroupLayout {
        let storage = |read_only: &bool| wgpu::BufferBindingType::Storage { read_only: *read_only };
        let types = [wgpu::BufferBindingType::Uniform].into_iter().chain(read_only.iter().map(storage));
        let entry = |(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: moving.contains(&binding),
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..).zip(types).map(entry).collect();
        self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        })
    }

    /// The compute pipeline of a module's entry point; `layout`: of its bindings.
    pub fn pipeline(
        &self,
        label: &str,
        module: &wgpu::ShaderModule,
        entry: &str,
        layout: &wgpu::BindGroupLayout,
    ) -> Result<wgpu::ComputePipeline, BackendError> {
        let pipeline = self.unkept_pipeline(label, module, entry, layout)?;
        self.keep_pipelines()?;
        Ok(pipeline)
    }

    /// As [`Device::pipeline`], from any thread; [`Device::keep_pipelines`] comes after.
    pub fn unkept_pipeline(
        &self,
        label: &str,
        module: &wgpu::ShaderModule,
        entry: &str,
        layout: &wgpu::BindGroupLayout,
    ) -> Result<wgpu::ComputePipeline, BackendError> {
        let cache = self.cache.as_ref().map(|cache| locked(cache).cache.clone());
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: cache.as_ref(),
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(BackendError::Kernel(error.to_string())),
            None => Ok(pipeline),
        }
    }

    /// Leaves the pipelines made so far to later runs.
    ///
    /// # Errors
    /// A driver that gives up on a kernel takes the whole device along, and no scope hears of it.
    pub fn keep_pipelines(&self) -> Result<(), BackendError> {
        self.wait()?;
        if let Some(cache) = &self.cache {
            locked(cache).store();
        }
        Ok(())
    }

    /// Compiles WGSL of our own: all its loops end, so that they are not bounded again. Indices are
    /// checked.
    pub fn compile(&self, label: &str, text: &str) -> Result<wgpu::ShaderModule, BackendError> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let checks =
            wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        #[cfg(not(target_vendor = "apple"))]
        if self.is_exact {
            let exact = super::exact::ExactModule::of(text, self.summary.f64)?;
            return self.taken(label, exact, scope);
        }
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        };
        // SAFETY: every loop of our kernels ends. Its counter grows to a bound that does not
        // change: `next_multiple` in shaders/prelude.wgsl returns a step after the one it is given,
        // up to the last step number that there is (tests/gpu/rigid_body.rs,
        // `the_next_multiple_lies_ahead_up_to_the_last_step`); attempts of own steps are counted in
        // u32 up to a constant, whatever the numbers of the state; pieces of a step count to a
        // number of a uniform; rows of `around.wgsl` to constants.
        let module = unsafe { self.device.create_shader_module_trusted(descriptor, checks) };
        match pollster::block_on(scope.pop()) {
            None => Ok(module),
            Some(error) => Err(BackendError::Kernel(error.to_string())),
        }
    }

    /// A module of SPIR-V, as [`Device::compile`]; `scope`: of errors.
    #[cfg(not(target_vendor = "apple"))]
    fn taken(
        &self,
        label: &str,
        exact: super::exact::ExactModule,
        scope: wgpu::ErrorScopeGuard,
    ) -> Result<wgpu::ShaderModule, BackendError> {
        let entry = |(name, [x, y, z]): (String, [u32; 3])| wgpu::PassthroughShaderEntryPoint {
            name: name.into(),
            workgroup_size: (x, y, z),
        };
        let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
            label: Some(label),
            entry_points: exact.entries.into_iter().map(entry).collect(),
            spirv: Some(exact.words.into()),
            ..Default::default()
        };
        // SAFETY: naga made it of WGSL that it found valid, and decorations alone were added. The
        // layout that a pipeline is given has the bindings of the text. All loops end, as
        // `compile` says.
        let module = unsafe { self.device.create_shader_module_passthrough(descriptor) };
        match pollster::block_on(scope.pop()) {
            None => Ok(module),
            Some(error) => Err(BackendError::Kernel(error.to_string())),
        }
    }

    /// Gives the device work.
    pub fn submit(&self, work: impl IntoIterator<Item = wgpu::CommandEncoder>) -> wgpu::SubmissionIndex {
        self.traffic.submissions.fetch_add(1, Ordering::Relaxed);
        self.queue.submit(work.into_iter().map(wgpu::CommandEncoder::finish))
    }

    /// Waits until the device has done all it was given.
    pub fn wait(&self) -> Result<(), BackendError> {
        self.wait_until(None)
    }

    /// Waits until the device has done this, and all before it.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), BackendError> {
        self.wait_until(Some(submission))
    }

    fn wait_until(&self, submission_index: Option<wgpu::SubmissionIndex>) -> Result<(), BackendError> {
        self.traffic.waits.fetch_add(1, Ordering::Relaxed);
        let patience = if self.is_software() { SOFTWARE_PATIENCE } else { PATIENCE };
        self.poll(wgpu::PollType::Wait { submission_index, timeout: Some(patience) })
    }

    /// Looks what the device has done by now.
    pub fn look(&self) -> Result<(), BackendError> {
        self.poll(wgpu::PollType::Poll)
    }

    fn poll(&self, poll: wgpu::PollType) -> Result<(), BackendError> {
        let polled =
            self.device.poll(poll).map(|_| ()).map_err(|error| BackendError::Lost(error.to_string()));
        match self.fault.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(fault) => Err(BackendError::Lost(fault.clone())),
            None => polled,
        }
    }
}
