//! Results on their way back to the host, in a ring of two halves: while the device fills one, the
//! host reads the other.

use std::time::{Duration, Instant};

use super::device::Device;
use super::staging::{Mapping, lost};
use crate::backend::BackendError;

/// Results that come back.
pub struct Ring {
    halves: [Half; 2],
    /// The half that takes in the next result, and the one with the earliest.
    filling: usize,
    reading: usize,
    /// Results of a half at most, and the bytes of each.
    slots: usize,
    slot_bytes: u64,
    /// The half before has come back then.
    arrived: Instant,
}

struct Half {
    staging: wgpu::Buffer,
    /// Results that were given room, and how many of them the host has read.
    filled: usize,
    read: usize,
    state: HalfState,
}

enum HalfState {
    /// The host records what fills it.
    Open,
    /// The device fills it.
    Flying(Flight),
    /// The host reads it.
    Here(wgpu::BufferView),
}

/// A submission under way.
struct Flight {
    submission: wgpu::SubmissionIndex,
    mapping: Mapping,
    work: f64,
    begun: Instant,
}

/// Room for a result.
pub struct RingPlace {
    /// Its number, below [`Ring::places`].
    pub slot: usize,
    pub staging: wgpu::Buffer,
    pub offset: u64,
}

/// A result that has come.
pub struct Arrived<'a> {
    pub slot: usize,
    pub bytes: &'a [u8],
    /// The work of its submission and the time that it took, where the host has waited for it.
    pub took: Option<(f64, Duration)>,
}

impl Ring {
    /// For so many results of so many bytes a half.
    pub fn new(device: &Device, slots: usize, slot_bytes: u64) -> Ring {
        use wgpu::BufferUsages as Usage;
        let half = || Half {
            staging: device.buffer("results", slots as u64 * slot_bytes, Usage::MAP_READ | Usage::COPY_DST),
            filled: 0,
            read: 0,
            state: HalfState::Open,
        };
        Ring { halves: [half(), half()], filling: 0, reading: 0, slots, slot_bytes, arrived: Instant::now() }
    }

    /// Results that there is room for.
    pub fn places(&self) -> usize {
        2 * self.slots
    }

    /// Whether all room is taken until the host has read the results that come first.
    pub fn is_full(&self) -> bool {
        let half = &self.halves[self.filling];
        !matches!(half.state, HalfState::Open)
    }

    /// Room for one more result; none where the ring [is full](Self::is_full).
    pub fn place(&mut self) -> Option<RingPlace> {
        let first = self.filling * self.slots;
        let half = &mut self.halves[self.filling];
        if !matches!(half.state, HalfState::Open) || half.filled == self.slots {
            return None;
        }
        half.filled += 1;
        let within = half.filled - 1;
        let offset = within as u64 * self.slot_bytes;
        Some(RingPlace { slot: first + within, staging: half.staging.clone(), offset })
    }

    /// Results that wait for a submission.
    pub fn waiting(&self) -> usize {
        let half = &self.halves[self.filling];
        if matches!(half.state, HalfState::Open) { half.filled } else { 0 }
    }

    /// Whether the half that is filled has no room left.
    pub fn is_due(&self) -> bool {
        self.waiting() == self.slots
    }

    /// Results that wait have gone out with this submission, of so much work.
    pub fn flies(&mut self, submission: wgpu::SubmissionIndex, work: f64) {
        let half = &mut self.halves[self.filling];
        let bytes = half.filled as u64 * self.slot_bytes;
        let mapping = Mapping::of(&half.staging, wgpu::MapMode::Read, ..bytes);
        half.state = HalfState::Flying(Flight { submission, mapping, work, begun: Instant::now() });
        self.filling = 1 - self.filling;
    }

    /// Whether the earliest result has still to go out.
    pub fn is_ahead(&self) -> bool {
        self.filling == self.reading && self.waiting() > 0
    }

    /// The earliest result, once it is here. What is read of it is done with at the next call.
    pub fn next(&mut self, device: &Device) -> Result<Arrived<'_>, BackendError> {
        let (slots, slot_bytes, reading) = (self.slots, self.slot_bytes, self.reading);
        let half = &mut self.halves[reading];
        let mut took = None;
        if let HalfState::Flying(Flight { submission, mapping, work, begun }) = &half.state {
            device.look()?;
            if !mapping.is_here() {
                device.wait_for(submission.clone())?;
                took = Some((*work, self.arrived.max(*begun).elapsed()));
            }
            mapping.check()?;
            self.arrived = Instant::now();
            let bytes = half.filled as u64 * slot_bytes;
            let view = half.staging.get_mapped_range(..bytes).map_err(lost)?;
            device.traffic.read(bytes);
            half.state = HalfState::Here(view);
        }
        let HalfState::Here(view) = &half.state else { return Err(lost("nothing was asked for")) };
        let within = half.read;
        half.read += 1;
        let bytes = &view[within * slot_bytes as usize..][..slot_bytes as usize];
        Ok(Arrived { slot: reading * slots + within, bytes, took })
    }

    /// Results that were read make room, once all of their half were.
    pub fn release(&mut self) {
        let half = &mut self.halves[self.reading];
        if half.read == half.filled && matches!(half.state, HalfState::Here(_)) {
            half.state = HalfState::Open;
            half.staging.unmap();
            (half.filled, half.read) = (0, 0);
            self.reading = 1 - self.reading;
        }
    }
}
