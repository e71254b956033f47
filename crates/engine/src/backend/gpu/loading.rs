//! The way to a device: planes of numbers, converted by all threads straight into memory that the
//! device reads, piece by piece. While it copies one piece, the next is filled.

use std::borrow::Cow;

use rayon::prelude::*;

use super::device::Device;
use super::staging::{Mapping, lost};
use crate::backend::program::Lows;
use crate::backend::{BackendError, Batch};
use crate::real::Element;

/// Bytes of a piece: at 25 GB/s a device copies it in less than a millisecond, twenty times what a
/// submission costs.
const PIECE_BYTES: u64 = 16 << 20;

/// Pieces that are under way: one is filled, one is copied, and one returns.
const PIECES: usize = 3;

/// Bytes that a thread fills at a time: they stay in its cache.
const TOGETHER: usize = 1 << 14;

/// A plane of numbers and where it goes.
pub struct Plane<'a, E> {
    pub values: &'a [f64],
    pub target: &'a wgpu::Buffer,
    /// Where it begins there (bytes).
    pub offset: u64,
    /// Keeps what the device gets.
    pub copy: Option<&'a mut [E]>,
}

/// The values of these state channels that a batch starts with, each with its place among them;
/// what the method carries has none.
pub fn starts<'a, E: Element>(batch: &'a Batch, state: &[usize], lows: Lows) -> Vec<(usize, Cow<'a, [f64]>)> {
    let start = |(place, channel): (usize, &usize)| {
        let (source, is_low) = lows.source(*channel);
        let values = batch.states.get(source)?;
        let low = |x: &f64| E::low_of(*x).to_f64();
        let values = if is_low {
            Cow::Owned(values.par_iter().map(low).collect())
        } else {
            Cow::Borrowed(&values[..])
        };
        Some((place, values))
    };
    state.iter().enumerate().filter_map(start).collect()
}

/// Memory that the host fills and the device reads.
struct StagingPiece {
    buffer: wgpu::Buffer,
    /// Since it was last given to the device.
    returns: Option<(wgpu::SubmissionIndex, Mapping)>,
}

/// Pieces of memory for loading, kept from batch to batch.
#[derive(Default)]
pub struct Loader {
    pieces: Vec<StagingPiece>,
    next: usize,
}

impl Loader {
    /// Sends planes to the device, rounded to its precision. They are there before what is
    /// submitted next.
    pub fn load<E: Element>(
        &mut self,
        device: &Device,
        planes: Vec<Plane<'_, E>>,
    ) -> Result<(), BackendError> {
        let size = size_of::<E>() as u64;
        let all: u64 = planes.iter().map(|plane| plane.values.len() as u64 * size).sum();
        let mut waiting = std::collections::VecDeque::from(planes);
        while !waiting.is_empty() {
            let number = self.piece(device, all)?;
            let piece = &mut self.pieces[number];
            let mut encoder = device.device.create_command_encoder(&Default::default());
            let mut view = piece.buffer.get_mapped_range_mut(..).map_err(lost)?;
            let mut room = view.slice(..);
            let mut parts = Vec::new();
            let mut used = 0;
            while used < piece.buffer.size()
                && let Some(mut plane) = waiting.pop_front()
            {
                let fits = ((piece.buffer.size() - used) / size).min(plane.values.len() as u64) as usize;
                let bytes = fits as u64 * size;
                encoder.copy_buffer_to_buffer(&piece.buffer, used, plane.target, plane.offset, bytes);
                used += bytes;
                let (now, later) = plane.values.split_at(fits);
                let (here, beyond) = room.split_at(bytes as usize);
                room = beyond;
                let (copy, copy_later) = plane.copy.take().map(|copy| copy.split_at_mut(fits)).unzip();
                parts.push((now, here, copy));
                if !later.is_empty() {
                    let offset = plane.offset + bytes;
                    waiting.push_front(Plane { values: later, offset, copy: copy_later, ..plane });
                }
            }
            fill(parts);
            drop(view);
            piece.buffer.unmap();
            let submission = device.submit([encoder]);
            let mapping = Mapping::of(&piece.buffer, wgpu::MapMode::Write, ..);
            piece.returns = Some((submission, mapping));
        }
        Ok(())
    }

    /// The number of a piece that is the host's.
    fn piece(&mut self, device: &Device, wanted: u64) -> Result<usize, BackendError> {
        let number = self.next;
        self.next = (number + 1) % PIECES;
        let wanted = wanted.clamp(8, PIECE_BYTES).next_multiple_of(8);
        if let Some(piece) = self.pieces.get_mut(number)
            && let Some((submission, mapping)) = piece.returns.take()
        {
            device.wait_for(submission)?;
            mapping.check()?;
        }
        if self.pieces.get(number).is_none_or(|piece| piece.buffer.size() < wanted) {
            let buffer = device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("loading"),
                size: wanted,
                usage: wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            });
            let piece = StagingPiece { buffer, returns: None };
            match self.pieces.get_mut(number) {
                Some(smaller) => *smaller = piece,
                None => self.pieces.push(piece),
            }
        }
        Ok(number)
    }
}

/// Numbers, the device's memory that they go to, and the host's that keeps them.
type Conversion<'a, E> = (&'a [f64], wgpu::WriteOnly<'a, [u8]>, Option<&'a mut [E]>);

/// Converts numbers into the device's memory, by all threads.
fn fill<E: Element>(parts: Vec<Conversion<'_, E>>) {
    let mut tasks = Vec::new();
    for (mut values, room, mut copy) in parts {
        let (rooms, rest) = room.into_chunks::<TOGETHER>();
        for room in rooms {
            let (these, later) = values.split_at(TOGETHER / size_of::<E>());
            let (kept, kept_later) = copy.map(|copy| copy.split_at_mut(these.len())).unzip();
            tasks.push((these, room, kept));
            (values, copy) = (later, kept_later);
        }
        convert((values, rest, copy));
    }
    let whole = |(values, room, copy): (_, wgpu::WriteOnly<'_, [u8; TOGETHER]>, _)| {
        convert::<E>((values, room.into(), copy));
    };
    tasks.into_par_iter().for_each(whole);
}

fn convert<E: Element>((values, mut room, copy): Conversion<'_, E>) {
    let converted = values.iter().map(|x| E::from_f64(*x));
    match copy {
        Some(copy) => {
            copy.iter_mut().zip(converted).for_each(|(copy, x)| *copy = x);
            room.copy_from_slice(bytemuck::cast_slice(copy));
        }
        None => room.copy_from_slice(bytemuck::cast_slice(&converted.collect::<Vec<E>>())),
    }
}
