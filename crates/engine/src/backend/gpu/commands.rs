//! Work for a device, gathered until it goes out in one submission.
//!
//! A pass is given its numbers (uniforms and values that all instances share) at offsets of their
//! own in one buffer, which is written once a submission. So a pass needs neither a buffer nor a
//! submission of its own.

use super::device::Device;

/// Bytes of the numbers of a submission, at least: room for a thousand passes.
const ARGUMENT_BYTES: usize = 1 << 20;

/// A dispatch, and all that it is given.
pub struct DevicePass<'a> {
    pub pipeline: &'a wgpu::ComputePipeline,
    pub group: &'a wgpu::BindGroup,
    /// For the bindings with offsets, in their order.
    pub arguments: &'a [&'a [u8]],
    /// Offsets of the bindings after those.
    pub offsets: &'a [u32],
    pub groups: [u32; 2],
}

/// Work that is not yet given to the device.
pub struct Commands {
    pub arguments: wgpu::Buffer,
    alignment: usize,
    bytes: Vec<u8>,
    encoder: Option<wgpu::CommandEncoder>,
}

impl Commands {
    /// For passes whose numbers have at most so many bytes.
    pub fn new(device: &Device, longest: usize) -> Commands {
        let limits = &device.limits;
        let alignment =
            limits.min_uniform_buffer_offset_alignment.max(limits.min_storage_buffer_offset_alignment);
        let alignment = alignment.max(1) as usize;
        let size = ARGUMENT_BYTES.max(longest + 16 * alignment);
        use wgpu::BufferUsages as Usage;
        let arguments =
            device.buffer("arguments", size as u64, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
        Commands { arguments, alignment, bytes: Vec::new(), encoder: None }
    }

    /// So many bytes of the arguments, from an offset on that each pass tells.
    pub fn binding(&self, bytes: usize) -> wgpu::BindingResource<'_> {
        let size = std::num::NonZeroU64::new(bytes as u64);
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &self.arguments, offset: 0, size })
    }

    /// Where copies are recorded.
    pub fn encoder(&mut self, device: &Device) -> &mut wgpu::CommandEncoder {
        self.encoder.get_or_insert_with(|| device.device.create_command_encoder(&Default::default()))
    }

    /// Records a pass, after those before it have gone out if their numbers fill the buffer.
    pub fn pass(&mut self, device: &Device, pass: &DevicePass<'_>) {
        let aligned = |bytes: usize| bytes.next_multiple_of(self.alignment);
        let needed: usize = pass.arguments.iter().map(|bytes| aligned(bytes.len())).sum();
        if self.bytes.len() + needed > self.arguments.size() as usize {
            self.submit(device);
        }
        let mut offsets = Vec::with_capacity(pass.arguments.len());
        for argument in pass.arguments {
            offsets.push(self.bytes.len() as u32);
            self.bytes.extend_from_slice(argument);
            self.bytes.resize(self.bytes.len().next_multiple_of(self.alignment), 0);
        }
        offsets.extend_from_slice(pass.offsets);
        let mut recorded = self.encoder(device).begin_compute_pass(&Default::default());
        recorded.set_pipeline(pass.pipeline);
        recorded.set_bind_group(0, pass.group, &offsets);
        recorded.dispatch_workgroups(pass.groups[0], pass.groups[1], 1);
        device.traffic.dispatched();
    }

    /// Gives the device what was recorded.
    pub fn submit(&mut self, device: &Device) -> wgpu::SubmissionIndex {
        if !self.bytes.is_empty() {
            device.queue.write_buffer(&self.arguments, 0, &self.bytes);
            self.bytes.clear();
        }
        device.submit(self.encoder.take())
    }

    /// Forgets what was recorded.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.encoder = None;
    }
}
