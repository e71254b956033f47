//! Snapshots added up on the device, see [`crate::backend::tally`]: one kernel computes the columns
//! of some instances, another adds them up in groups; then the next instances follow. A last one
//! joins the groups.
//!
//! For each column its sums (56 bytes) and counts (32 KB) come back, with the values apart and the
//! states that are shown, as a result in a ring (`ring.rs`).

use std::time::Duration;

use bytemuck::{Pod, Zeroable};

use super::columns::{ColumnsKernel, GivenNumber, LOOK};
use super::commands::{Commands, DevicePass};
use super::device::Device;
use super::kernel::WORKGROUP;
use super::loading::{Loader, Plane};
use super::ring::{Ring, RingPlace};
use super::staging::{self, CopiedBytes};
use crate::backend::BackendError;
use crate::backend::tally::{BLOCK, MOST_BLOCKS, Observation, SLOTS, Tally, TallyPart, TallyRule};
use crate::base::Precision;
use crate::real::Element;

/// Bytes of columns between the two kernels: they should stay in a device's caches.
const VALUES_BYTES: usize = 32 << 20;

/// Room for values apart: for one in eight, within these bounds.
const FEWEST_APART: usize = 1 << 12;
const MOST_APART: usize = 1 << 20;

/// As many of these as one value in so many come back with the sums, within these bounds. Where
/// there are more, the others are fetched, and the device waits for that.
const APART_SHARE: usize = 1 << 8;
const FEWEST_AT_ONCE: usize = 1 << 10;
const MOST_AT_ONCE: usize = 1 << 16;

/// Results of a submission at most: what a submission and its way back cost is shared by as many.
const MOST_SLOTS: usize = 16;

/// Bytes of a ring, on the host and on the device, that it has at most, unless one result for each
/// half takes more.
const RING_BYTES: u64 = 128 << 20;

/// Values that a workgroup adds up.
const GROUP: usize = 8 * BLOCK;

/// Most instances of a dispatch.
const LARGEST_SLICE: usize = 1 << 20;

/// Lines of the columns' kernel beyond which the host observes: drivers compile in a time that
/// grows faster than the text.
const LONGEST: usize = 10_000;

/// `struct Look` of `shaders/look.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct LookUniform {
    first: u32,
    count: u32,
    stride: u32,
    values_stride: u32,
    capacity: u32,
    never: u32,
    /// Uniform buffers come in multiples of 16 bytes.
    padding: [u32; 2],
}

const TALLY: &str = include_str!("../../../shaders/tally.wgsl");

/// The text of the kernel that adds columns up.
fn tally_text() -> String {
    [include_str!("../../../shaders/real_f64.wgsl"), LOOK, TALLY].map(str::trim_end).join("\n\n") + "\n"
}

/// The kernels on a device, and the buffers of the batch that is loaded.
pub struct Tallier {
    kernel: ColumnsKernel,
    observe: Stage,
    /// Adds up blocks, and joins them.
    tally: Stage,
    batch: Option<TallyBuffers>,
}

/// Where a batch lies on the device, and a buffer by which it comes back.
#[derive(Clone, Copy)]
pub struct BatchBuffers<'a> {
    /// Distance between planes, in instances.
    pub stride: usize,
    /// Planes of the states from the first on.
    pub state: &'a wgpu::Buffer,
    pub ends: &'a wgpu::Buffer,
    pub staging: &'a wgpu::Buffer,
}

/// Adds up snapshots of a backend's batches, as long as the device can.
pub struct Snapshots {
    /// `None` until it is first needed.
    tallier: Option<Tallier>,
    /// They are left to the host: the device does not add them up, or not so many columns.
    are_left: bool,
}

impl Snapshots {
    pub fn of(device: &Device) -> Snapshots {
        Snapshots { tallier: None, are_left: !device.observes }
    }

    /// Forgets the batch.
    pub fn unload(&mut self) {
        if let Some(tallier) = &mut self.tallier {
            tallier.unload();
        }
    }

    /// Forgets all that belongs to a device that was lost.
    pub fn reopen(&mut self) {
        self.tallier = None;
    }

    /// Results on their way, if there is a batch.
    pub fn ring(&mut self) -> Option<&mut Ring> {
        self.tallier.as_mut().and_then(Tallier::ring)
    }

    pub fn tallier(&mut self) -> Result<&mut Tallier, BackendError> {
        self.tallier.as_mut().ok_or(BackendError::NotLoaded)
    }

    /// Makes ready the kernels that add up this batch, of whose channels some are kept and the
    /// others rest; false: it is left to the host. Else as [`Tallier::load`].
    pub fn are_ready<E: Element>(
        &mut self,
        device: &Device,
        ways: (&Commands, &mut Loader),
        buffers: BatchBuffers<'_>,
        planes: (usize, usize),
        (kept, resting): (&[usize], &[Vec<E>]),
        what: &Observation<'_>,
    ) -> Result<bool, BackendError> {
        if self.are_left {
            return Ok(false);
        }
        if self.tallier.as_ref().is_some_and(|tallier| tallier.batch.is_some()) {
            return Ok(true);
        }
        let before = self.tallier.take();
        let made = match Tallier::new(device, kept, what, before) {
            // A run can go on without kernels that a driver refuses.
            Err(BackendError::Kernel(_)) => None,
            other => other?,
        };
        let load = |mut made: Tallier| {
            let fits = made.load(device, ways, buffers, planes, resting, what)?;
            Ok::<_, BackendError>(fits.then_some(made))
        };
        self.tallier = made.map(load).transpose()?.flatten();
        self.are_left = self.tallier.is_none();
        Ok(!self.are_left)
    }
}

/// Pipelines of the same bindings.
struct Stage {
    layout: wgpu::BindGroupLayout,
    pipelines: Vec<wgpu::ComputePipeline>,
}

impl Stage {
    /// Bindings: the uniform, and then buffers, of which those are read only for which it says
    /// so. Of those that move, each pass has its own.
    fn new(
        device: &Device,
        entries: &[&str],
        text: &str,
        moving: &[u32],
        read_only: &[bool],
    ) -> Result<Stage, BackendError> {
        let module = device.compile(entries[0], text)?;
        let layout = device.layout(entries[0], moving, read_only);
        let pipeline = |entry: &&str| device.pipeline(entry, &module, entry, &layout);
        let pipelines = entries.iter().map(pipeline).collect::<Result<_, _>>()?;
        Ok(Stage { layout, pipelines })
    }

    fn bind(&self, device: &Device, bound: Vec<wgpu::BindingResource<'_>>) -> wgpu::BindGroup {
        let entries: Vec<wgpu::BindGroupEntry<'_>> =
            (0..).zip(bound).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }
}

/// Where the parts of a result lie (bytes).
struct ResultLayout {
    columns: usize,
    /// Instances whose states are shown, and the bytes of their planes.
    shown: usize,
    plane_bytes: usize,
    counts: usize,
    apart: usize,
    /// Values apart that it has.
    at_once: usize,
    ends: usize,
    states: usize,
    end: usize,
}

impl ResultLayout {
    fn new<E: Element>(columns: usize, count: usize, shown: usize, planes: usize) -> ResultLayout {
        let counts = columns * size_of::<TallyPart>();
        let apart = (counts + (columns * SLOTS + 1) * 4).next_multiple_of(8);
        let at_once = (count * columns / APART_SHARE).clamp(FEWEST_AT_ONCE, MOST_AT_ONCE);
        let ends = apart + at_once * APART_BYTES;
        let states = ends + shown * 8;
        let plane_bytes = shown * size_of::<E>();
        let end = (states + planes * plane_bytes).next_multiple_of(8);
        ResultLayout { columns, shown, plane_bytes, counts, apart, at_once, ends, states, end }
    }
}

/// A result, if not too many values were apart; and the work of its submission with the time that
/// this took, where the host has waited.
type TallyRead = (Option<Tally>, Option<(f64, Duration)>);

/// Bytes of `struct Apart` of `shaders/tally.wgsl`.
const APART_BYTES: usize = 16;

/// Buffers of a batch, as the kernels declare them.
struct TallyBuffers {
    /// Instances that go through two kernels together.
    slice: usize,
    /// Values apart, at most; each result of the ring has room of its own for them.
    capacity: usize,
    counts: wgpu::Buffer,
    apart: wgpu::Buffer,
    totals: wgpu::Buffer,
    observe: wgpu::BindGroup,
    tally: wgpu::BindGroup,
    layout: ResultLayout,
    ring: Ring,
}

impl Tallier {
    /// Compiles the kernels, or takes those of `before`, if they are the same. `None`: the columns
    /// are too long.
    fn new(
        device: &Device,
        state: &[usize],
        what: &Observation<'_>,
        before: Option<Tallier>,
    ) -> Result<Option<Tallier>, BackendError> {
        let precisions = [device.precision, Precision::F64];
        let kernel = ColumnsKernel::new(state, precisions, device.nearest_columns, &what.arithmetic);
        if let Some(before) = before.filter(|before| before.kernel.text == kernel.text) {
            return Ok(Some(Tallier { batch: None, ..before }));
        }
        if kernel.text.lines().count() > LONGEST {
            return Ok(None);
        }
        let observe =
            Stage::new(device, &["observe"], &kernel.text, &[0, 4], &[true, true, true, true, false])?;
        let read_only = [true, true, false, false, false, false];
        let tally = Stage::new(device, &["tally", "join"], &tally_text(), &[0, 2, 5], &read_only)?;
        Ok(Some(Tallier { kernel, observe, tally, batch: None }))
    }

    fn unload(&mut self) {
        self.batch = None;
    }

    /// The results of the batch on their way.
    pub fn ring(&mut self) -> Option<&mut Ring> {
        self.batch.as_mut().map(|batch| &mut batch.ring)
    }

    /// Makes the buffers of a batch of `count` instances, of whose motion so many `planes` are
    /// read, and fills those that stay the same: what rests is in `resting`. False: they do not
    /// fit.
    fn load<E: Element>(
        &mut self,
        device: &Device,
        (commands, loader): (&Commands, &mut Loader),
        buffers: BatchBuffers<'_>,
        (planes, count): (usize, usize),
        resting: &[Vec<E>],
        what: &Observation<'_>,
    ) -> Result<bool, BackendError> {
        let columns = what.arithmetic.columns.len();
        let groups = count.div_ceil(GROUP);
        let slice = (VALUES_BYTES / (8 * columns.max(1)) / GROUP * GROUP)
            .clamp(GROUP, LARGEST_SLICE)
            .min(groups * GROUP);
        let capacity = (count * columns / 8).clamp(FEWEST_APART, MOST_APART).next_multiple_of(BLOCK);
        let layout = ResultLayout::new::<E>(columns, count, what.shown.min(count), planes);
        let result_bytes = (layout.end + capacity * APART_BYTES) as u64;
        let slots = ((RING_BYTES / (2 * result_bytes)) as usize).clamp(1, MOST_SLOTS);
        let sizes = [
            self.kernel.given.len().max(1) * buffers.stride * 8,
            slice * columns * 8,
            groups * columns * size_of::<TallyPart>(),
            (columns * SLOTS + 1) * 4,
            capacity * APART_BYTES,
            columns * size_of::<TallyPart>(),
        ]
        .map(|size| size.max(16) as u64);
        let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
        let longest = columns * size_of::<TallyRule>() + (self.kernel.shared.len() + what.factors.len()) * 8;
        let is_large =
            sizes.iter().any(|size| *size > limit) || longest as u64 > commands.arguments.size() / 2;
        if is_large || count > MOST_BLOCKS * BLOCK {
            return Ok(false);
        }
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC;
        let ring = Ring::new(device, slots, layout.end as u64);
        let mut made = sizes.map(|size| device.buffer("observing", size, storage));
        made[4] = device.buffer("values apart", ring.places() as u64 * sizes[4], storage);
        if pollster::block_on(scope.pop()).is_some() {
            return Ok(false);
        }
        let [given, values, parts, counts, apart, totals] = made;
        let numbers = |number: &GivenNumber| match *number {
            GivenNumber::Resting(c) => resting[c].iter().map(|x| x.flushed().to_f64()).collect(),
            GivenNumber::Parameter(p) => what.parameters[p].clone(),
            GivenNumber::Start(number) => (what.start)(number),
        };
        for (plane, of) in self.kernel.given.iter().enumerate() {
            let offset = (plane * buffers.stride * 8) as u64;
            let plane = Plane::<f64> { values: &numbers(of), target: &given, offset, copy: None };
            loader.load(device, vec![plane])?;
        }
        let look = || commands.binding(size_of::<LookUniform>());
        let observe = vec![
            look(),
            buffers.state.as_entire_binding(),
            buffers.ends.as_entire_binding(),
            given.as_entire_binding(),
            commands.binding((self.kernel.shared.len() + what.factors.len()) * 8),
            values.as_entire_binding(),
        ];
        let apart_of_a_result = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &apart,
            offset: 0,
            size: std::num::NonZeroU64::new(sizes[4]),
        });
        let tally = vec![
            look(),
            values.as_entire_binding(),
            commands.binding((columns * size_of::<TallyRule>()).max(size_of::<TallyRule>())),
            parts.as_entire_binding(),
            counts.as_entire_binding(),
            apart_of_a_result,
            totals.as_entire_binding(),
        ];
        let observe = self.observe.bind(device, observe);
        let tally = self.tally.bind(device, tally);
        self.batch =
            Some(TallyBuffers { slice, capacity, counts, apart, totals, observe, tally, layout, ring });
        Ok(true)
    }

    /// Records what adds up the `count` instances of the batch, of which so many `planes` are read,
    /// and brings back the result. The ring has room.
    pub fn record<E: Element>(
        &mut self,
        device: &Device,
        commands: &mut Commands,
        buffers: BatchBuffers<'_>,
        (planes, count): (usize, usize),
        what: &Observation<'_>,
    ) {
        let Some(batch) = &mut self.batch else { return };
        let Some(RingPlace { slot, staging, offset }) = batch.ring.place() else { return };
        let columns = what.arithmetic.columns.len();
        let shared: Vec<f64> = self.kernel.shared.iter().chain(what.factors).copied().collect();
        let shared = bytemuck::cast_slice(&shared);
        let rules = bytemuck::cast_slice(what.rules);
        let apart = (slot * batch.capacity * APART_BYTES) as u32;
        commands.encoder(device).clear_buffer(&batch.counts, 0, None);
        let look = |first: usize, count: usize| LookUniform {
            first: first as u32,
            count: count as u32,
            stride: buffers.stride as u32,
            values_stride: batch.slice as u32,
            capacity: batch.capacity as u32,
            never: 0,
            padding: [0; 2],
        };
        let [tally, join] = &self.tally.pipelines[..] else { return };
        for first in (0..count).step_by(batch.slice) {
            let here = batch.slice.min(count - first);
            let look = look(first, here);
            let look = bytemuck::bytes_of(&look);
            commands.pass(
                device,
                &DevicePass {
                    pipeline: &self.observe.pipelines[0],
                    group: &batch.observe,
                    arguments: &[look, shared],
                    offsets: &[],
                    groups: [(here as u32).div_ceil(WORKGROUP), 1],
                },
            );
            commands.pass(
                device,
                &DevicePass {
                    pipeline: tally,
                    group: &batch.tally,
                    arguments: &[look, rules],
                    offsets: &[apart],
                    groups: [here.div_ceil(GROUP) as u32, columns as u32],
                },
            );
        }
        commands.pass(
            device,
            &DevicePass {
                pipeline: join,
                group: &batch.tally,
                arguments: &[bytemuck::bytes_of(&look(0, count)), rules],
                offsets: &[apart],
                groups: [columns as u32, 1],
            },
        );
        let ResultLayout { shown, plane_bytes, .. } = batch.layout;
        let (stride, layout) = (buffers.stride * size_of::<E>(), &batch.layout);
        let mut copies = vec![
            (&batch.totals, 0, 0, layout.counts),
            (&batch.counts, 0, layout.counts, (columns * SLOTS + 1) * 4),
            (&batch.apart, apart as usize, layout.apart, layout.at_once * APART_BYTES),
            (buffers.ends, 0, layout.ends, shown * 8),
        ];
        let plane = |p: usize| (buffers.state, p * stride, layout.states + p * plane_bytes, plane_bytes);
        copies.extend((0..planes).map(plane));
        let encoder = commands.encoder(device);
        for (source, start, to, bytes) in copies.into_iter().filter(|copy| copy.3 > 0) {
            encoder.copy_buffer_to_buffer(source, start as u64, &staging, offset + to as u64, bytes as u64);
        }
    }

    /// The earliest result, once it is there. States and ends of what is shown go to the host's
    /// copy.
    pub fn read<E: Element>(
        &mut self,
        device: &Device,
        buffers: BatchBuffers<'_>,
        (states, ends): (&mut [E], &mut [[u32; 2]]),
    ) -> Result<TallyRead, BackendError> {
        let Some(batch) = &mut self.batch else { return Ok((None, None)) };
        let layout = &batch.layout;
        let arrived = batch.ring.next(device)?;
        let (slot, took) = (arrived.slot, arrived.took);
        let bytes = |from: usize, length: usize| &arrived.bytes[from..from + length];
        let mut parts = vec![TallyPart::default(); layout.columns];
        bytemuck::cast_slice_mut(&mut parts).copy_from_slice(bytes(0, layout.counts));
        let mut counts = vec![0_u32; layout.columns * SLOTS + 1];
        let length = counts.len() * 4;
        bytemuck::cast_slice_mut(&mut counts).copy_from_slice(bytes(layout.counts, length));
        let found = counts.pop().unwrap_or(0) as usize;
        let mut values = vec![[0.0_f64; 2]; found.min(batch.capacity)];
        let here = values.len().min(layout.at_once);
        bytemuck::cast_slice_mut(&mut values[..here])
            .copy_from_slice(bytes(layout.apart, here * APART_BYTES));
        bytemuck::cast_slice_mut(&mut ends[..layout.shown])
            .copy_from_slice(bytes(layout.ends, layout.shown * 8));
        for (p, plane) in states.chunks_mut(ends.len().max(1)).enumerate() {
            let from = layout.states + p * layout.plane_bytes;
            bytemuck::cast_slice_mut(&mut plane[..layout.shown])
                .copy_from_slice(bytes(from, layout.plane_bytes));
        }
        batch.ring.release();
        if found > batch.capacity {
            return Ok((None, took));
        }
        if found > here {
            let start = ((slot * batch.capacity + here) * APART_BYTES) as u64;
            let target = bytemuck::cast_slice_mut(&mut values[here..]);
            let rest = CopiedBytes { source: &batch.apart, start, target };
            staging::copy_back(device, buffers.staging, vec![rest])?;
        }
        let mut apart = vec![Vec::new(); layout.columns];
        values.into_iter().for_each(|[column, value]| apart[column as usize].push(value));
        Ok((Some(Tally { parts, counts, apart }), took))
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::backend::gpu::layouts::{members, structure};
    use crate::backend::tally::{TallyPart, TallyRule};

    #[test]
    fn structures_of_the_kernel_are_those_of_rust() {
        let text = tally_text();
        let look = members!(LookUniform: first, count, stride, values_stride, capacity, never);
        let (found, size) = structure(&text, "Look");
        assert_eq!(found, look);
        assert!(size <= size_of::<LookUniform>());
        let rule = members!(
            TallyRule: centre, scale, shift, coarse_shift, square_shift, square_coarse_shift, bin_centre,
            bin_scale, first
        );
        assert_eq!(structure(&text, "Rule"), (rule, size_of::<TallyRule>()));
        // Pairs of numbers are arrays in Rust.
        let pairs = members!(TallyPart: sum, squares).into_iter().flat_map(|(name, offset)| {
            [(format!("{name}_high"), offset), (format!("{name}_low"), offset + size_of::<f64>() as u32)]
        });
        let single = [("smallest", offset_of!(TallyPart, min)), ("largest", offset_of!(TallyPart, max))];
        let single = single.map(|(name, offset)| (name.to_string(), offset as u32));
        let part: Vec<_> = pairs.chain(single).chain(members!(TallyPart: count)).collect();
        assert_eq!(structure(&text, "Part"), (part, size_of::<TallyPart>()));
    }
}
