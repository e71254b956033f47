//! The way back from a device: pieces of buffers through a staging buffer.

use std::ops::RangeBounds;
use std::sync::{Arc, OnceLock};

use super::device::Device;
use crate::backend::BackendError;

/// Bytes copied back at a time: a staging buffer of a whole batch would double its memory.
pub const MOST_BYTES: u64 = 64 << 20;

/// Memory of a device that the host has asked for.
pub struct Mapping(Arc<OnceLock<Result<(), wgpu::BufferAsyncError>>>);

impl Mapping {
    /// Asks for a part of a buffer, once the device has done what it was given.
    pub fn of(buffer: &wgpu::Buffer, mode: wgpu::MapMode, bytes: impl RangeBounds<u64>) -> Mapping {
        let answer = Arc::new(OnceLock::new());
        let sender = Arc::clone(&answer);
        // The answer is sent once.
        buffer.map_async(mode, bytes, move |result| drop(sender.set(result)));
        Mapping(answer)
    }

    /// Whether it is the host's by now.
    pub fn is_here(&self) -> bool {
        self.0.get().is_some()
    }

    /// It is the host's, or the device was lost.
    pub fn check(&self) -> Result<(), BackendError> {
        match self.0.get() {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(lost(error)),
            None => Err(lost("no answer")),
        }
    }
}

/// Memory of the device could not be had.
pub fn lost(reason: impl std::fmt::Display) -> BackendError {
    BackendError::Lost(format!("reaching its memory: {reason}"))
}

/// Bytes of a buffer and where they go.
pub struct CopiedBytes<'a> {
    pub source: &'a wgpu::Buffer,
    pub start: u64,
    pub target: &'a mut [u8],
}

/// The values of so many `instances` from the first on in the planes from plane `states.1` on, and
/// how these instances ended. On the host planes follow each other, `ends.len()` values each; on
/// the device they are `stride` values apart.
pub fn planes<'a, E: bytemuck::Pod>(
    states: (&'a wgpu::Buffer, usize),
    all_ends: &'a wgpu::Buffer,
    stride: usize,
    instances: usize,
    values: &'a mut [E],
    ends: &'a mut [[u32; 2]],
) -> Vec<CopiedBytes<'a>> {
    let (source, first) = states;
    let piece = |(plane, values): (usize, &'a mut [E])| CopiedBytes {
        source,
        start: ((first + plane) * stride * size_of::<E>()) as u64,
        target: bytemuck::cast_slice_mut(&mut values[..instances]),
    };
    let mut pieces: Vec<CopiedBytes<'a>> =
        values.chunks_mut(ends.len().max(1)).enumerate().map(piece).collect();
    let ends = bytemuck::cast_slice_mut(&mut ends[..instances]);
    pieces.push(CopiedBytes { source: all_ends, start: 0, target: ends });
    pieces
}

/// Copies pieces of buffers, as many at a time as the staging buffer holds.
pub fn copy_back(
    device: &Device,
    staging: &wgpu::Buffer,
    pieces: Vec<CopiedBytes<'_>>,
) -> Result<(), BackendError> {
    let mut waiting = std::collections::VecDeque::from(pieces);
    while !waiting.is_empty() {
        let mut encoder = device.device.create_command_encoder(&Default::default());
        let mut staged = Vec::new();
        let mut used = 0;
        while used < staging.size()
            && let Some(mut piece) = waiting.pop_front()
        {
            let fits = (staging.size() - used).min(piece.target.len() as u64);
            encoder.copy_buffer_to_buffer(piece.source, piece.start, staging, used, fits);
            used += fits;
            let (now, later) = std::mem::take(&mut piece.target).split_at_mut(fits as usize);
            staged.push(now);
            if !later.is_empty() {
                waiting.push_front(CopiedBytes { start: piece.start + fits, target: later, ..piece });
            }
        }
        device.submit([encoder]);
        let mapping = Mapping::of(staging, wgpu::MapMode::Read, ..used);
        device.wait()?;
        mapping.check()?;
        {
            let view = staging.get_mapped_range(..used).map_err(lost)?;
            device.traffic.read(used);
            let mut rest: &[u8] = &view;
            for target in staged {
                let (now, later) = rest.split_at(target.len());
                target.copy_from_slice(now);
                rest = later;
            }
        }
        staging.unmap();
    }
    Ok(())
}
