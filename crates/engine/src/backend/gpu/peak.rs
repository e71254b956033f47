//! Measures the peak rate of a device: `shaders/peak.wgsl`, fused multiply-adds and nothing else.

use std::time::{Duration, Instant};

use super::device::Device;
use crate::backend::BackendError;
use crate::base::Precision;

/// Operations of an invocation: 12 sums, rounds as in the kernel, a fused multiply-add counted as
/// two.
const OPERATIONS: f64 = 2.0 * 12.0 * 8.0 * 512.0;
const WORKGROUP: u32 = 64;
/// Workgroups of the largest dispatch.
const MOST_GROUPS: u32 = 1 << 15;
/// A dispatch is made larger until it takes this.
const LONG_ENOUGH: Duration = Duration::from_millis(10);

/// A device and the kernel on it.
pub struct Peak {
    device: Device,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    groups: u32,
}

impl Peak {
    /// Compiles the kernel, and finds how much work takes long enough to be timed.
    pub fn new(device: Device, precision: Precision) -> Result<Peak, BackendError> {
        let real = match precision {
            Precision::F32 | Precision::F32Compensated => "alias real = f32;\n",
            Precision::F64 => "alias real = f64;\n",
        };
        let text = format!("{real}{}", include_str!("../../../shaders/peak.wgsl"));
        let module = device.compile("polhode peak", &text)?;
        let storage = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: false },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let binding = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: storage,
            count: None,
        };
        // A kernel that is SPIR-V tells wgpu no layout.
        let layout = device.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("polhode peak"),
            entries: &[binding],
        });
        let pipeline = device.pipeline("polhode peak", &module, "multiply_adds", &layout)?;
        let size = u64::from(MOST_GROUPS * WORKGROUP) * precision.bytes();
        let sums = device.buffer("sums", size, wgpu::BufferUsages::STORAGE);
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("polhode peak"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: sums.as_entire_binding() }],
        });
        let mut peak = Peak { device, pipeline, group, groups: 64 };
        while peak.seconds()? < LONG_ENOUGH.as_secs_f64() && peak.groups < MOST_GROUPS {
            peak.groups *= 2;
        }
        Ok(peak)
    }

    /// Operations a second.
    pub fn measure(&self) -> Result<f64, BackendError> {
        let operations = f64::from(self.groups * WORKGROUP) * OPERATIONS;
        Ok(operations / self.seconds()?)
    }

    /// Duration of a dispatch (s).
    fn seconds(&self) -> Result<f64, BackendError> {
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.dispatch_workgroups(self.groups, 1, 1);
        }
        let started = Instant::now();
        self.device.queue.submit([encoder.finish()]);
        self.device.wait()?;
        Ok(started.elapsed().as_secs_f64())
    }
}
