//! The buffers of a batch, as `shaders/ensemble.wgsl` declares them, and their way to the device
//! and back.

use bytemuck::{Pod, Zeroable};

use super::commands::Commands;
use super::device::Device;
use super::kernel::Kernel;
use super::staging;
use super::tally::BatchBuffers;
use crate::backend::BackendError;
use crate::real::Element;

/// `struct Run` of the ensemble kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct RunUniform {
    pub first: u32,
    pub end: u32,
    /// Instances `start .. count` are advanced.
    pub count: u32,
    pub stride: u32,
    pub resynchronise: u32,
    pub check: u32,
    pub start: u32,
    /// Pieces of the step that is taken, for own steps; the factors of one follow those of the
    /// other.
    pub pieces: u32,
    pub begin: u32,
}

/// The buffers of a batch.
pub struct Buffers {
    /// Distance between planes, in instances.
    pub stride: usize,
    pub state: wgpu::Buffer,
    pub parameters: wgpu::Buffer,
    pub ends: wgpu::Buffer,
    pub group: wgpu::BindGroup,
    staging: wgpu::Buffer,
}

/// The bindings of the ensemble kernel. Each pass has its own `Run` and shared values.
pub fn layout(device: &Device) -> wgpu::BindGroupLayout {
    device.layout("polhode ensemble", &[0, 3], &[false, true, true, false])
}

/// Numbers of the shared values of a kernel; there is one at least.
pub fn shared_values(kernel: &Kernel) -> usize {
    (kernel.constants.len() + kernel.factors * kernel.pieces).max(1)
}

impl Buffers {
    /// Buffers for `stride` instances.
    pub fn new<E: Element>(
        device: &Device,
        layout: &wgpu::BindGroupLayout,
        kernel: &Kernel,
        commands: &Commands,
        stride: usize,
    ) -> Result<Buffers, BackendError> {
        let size = std::mem::size_of::<E>() as u64;
        let planes = |n: usize| (n.max(1) * stride) as u64 * size;
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let make = |label: &str, size: u64, usage| device.buffer(label, size, usage);
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_DST;
        let state = make("state", planes(kernel.state.len()), storage | Usage::COPY_SRC);
        let parameters = make("parameters", planes(kernel.parameters.len()), storage);
        let ends = make("ends", stride as u64 * 8, storage | Usage::COPY_SRC);
        let all = planes(kernel.observed) + stride as u64 * 8;
        let staging = make("staging", all.min(staging::MOST_BYTES), Usage::MAP_READ | Usage::COPY_DST);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(BackendError::Lost(error.to_string()));
        }
        let bound = [
            commands.binding(size_of::<RunUniform>()),
            state.as_entire_binding(),
            parameters.as_entire_binding(),
            commands.binding(shared_values(kernel) * size_of::<E>()),
            ends.as_entire_binding(),
        ];
        let entries: Vec<wgpu::BindGroupEntry<'_>> =
            (0..).zip(bound).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("polhode ensemble"),
            layout,
            entries: &entries,
        });
        Ok(Buffers { stride, state, parameters, ends, group, staging })
    }

    /// The values of so many `instances` from the first on in the first planes, and how these
    /// instances ended. On the host planes follow each other, `ends.len()` values each; on the
    /// device they end in what fills the last workgroup.
    pub fn read_back<E: Element>(
        &self,
        device: &Device,
        instances: usize,
        states: &mut [E],
        ends: &mut [[u32; 2]],
    ) -> Result<(), BackendError> {
        let pieces = staging::planes((&self.state, 0), &self.ends, self.stride, instances, states, ends);
        staging::copy_back(device, &self.staging, pieces)
    }

    /// Where snapshots are added up.
    pub fn of_batch(&self) -> BatchBuffers<'_> {
        let Buffers { stride, state, ends, staging, .. } = self;
        BatchBuffers { stride: *stride, state, ends, staging }
    }
}

#[cfg(test)]
mod tests {
    use wgpu::naga::front::wgsl;
    use wgpu::naga::{Expression, Literal};

    use super::*;
    use crate::backend::Plan;
    use crate::backend::gpu::layouts::{members, structure};
    use crate::backend::gpu::rigid_body;
    use crate::base::{Precision, Verdict};
    use crate::methods::AnyMethod;
    use crate::yardsticks::free_body;

    /// WGSL by hand and Rust agree on the layout of `struct Run` and on the codes of verdicts.
    #[test]
    fn kernels_by_hand_agree_with_rust() {
        let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
        let plan = Plan::nominal(&body, AnyMethod::default(), 1e-3, 100).expect("a body");
        let by_hand = rigid_body::kernel(&plan, Precision::F32).expect("a free body").text;
        let members =
            members!(RunUniform: first, end, count, stride, resynchronise, check, start, pieces, begin);
        let codes = [Verdict::Finished, Verdict::NonFinite, Verdict::NormBound, Verdict::Condition(0)];
        for (text, verdicts) in [(Kernel::new(&plan, Precision::F32).text, &codes[..]), (by_hand, &[])] {
            let (found, size) = structure(&text, "Run");
            assert_eq!(found, members);
            assert!(size <= size_of::<RunUniform>());
            let module = wgsl::parse_str(&text).expect("valid WGSL");
            for verdict in verdicts {
                let name = verdict.name().to_uppercase();
                let code =
                    module.constants.iter().find(|(_, constant)| constant.name.as_ref() == Some(&name));
                let code = &module.global_expressions[code.expect(&name).1.init];
                assert!(
                    matches!(code, Expression::Literal(Literal::U32(x)) if *x == verdict.code()),
                    "{name}: {code:?}"
                );
            }
        }
    }
}
