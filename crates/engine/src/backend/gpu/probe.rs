//! A kernel of one's own over lists of numbers: by it a device is asked how it computes.

use super::device::Device;
use super::kernel::WORKGROUP;
use super::staging::{self, CopiedBytes};
use crate::backend::BackendError;
use crate::real::Element;

/// Answers of the entry point `probe` of this text: so many numbers, after `invocations`, whose
/// number is a multiple of [`WORKGROUP`].
///
/// # Errors
/// The driver refuses the kernel, or the device is lost.
pub fn answers<E: Element>(
    device: &Device,
    text: &str,
    numbers: &[E],
    answers: usize,
    invocations: usize,
) -> Result<Vec<E>, BackendError> {
    let module = device.compile("polhode probe", text)?;
    let layout = device.layout("polhode probe", &[], &[true, false]);
    let pipeline = device.pipeline("polhode probe", &module, "probe", &layout)?;
    use wgpu::BufferUsages as Usage;
    let make = |size: usize, usage| device.buffer("polhode probe", size as u64, usage);
    let run = make(16, Usage::UNIFORM | Usage::COPY_DST);
    let given = make(size_of_val(numbers), Usage::STORAGE | Usage::COPY_DST);
    let bytes = answers * size_of::<E>();
    let answered = make(bytes, Usage::STORAGE | Usage::COPY_SRC);
    let staging = make(bytes, Usage::MAP_READ | Usage::COPY_DST);
    device.queue.write_buffer(&run, 0, bytemuck::cast_slice(&[1_u32, 0, 0, 0]));
    device.queue.write_buffer(&given, 0, bytemuck::cast_slice(numbers));
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip([&run, &given, &answered])
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("polhode probe"),
        layout: &layout,
        entries: &entries,
    });
    let mut encoder = device.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(invocations as u32 / WORKGROUP, 1, 1);
    }
    device.submit([encoder]);
    device.wait()?;
    let mut found = vec![E::default(); answers];
    let target = bytemuck::cast_slice_mut(&mut found);
    staging::copy_back(device, &staging, vec![CopiedBytes { source: &answered, start: 0, target }])?;
    Ok(found)
}
