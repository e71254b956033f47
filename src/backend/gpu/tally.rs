//! Snapshots added up on the device, see [`crate::backend::tally`]: one kernel computes the columns of some instances, another
//! adds them up; then the next instances follow.
//!
//! The parts (56 bytes for 1024 values), the counts (16 KB a column), and the values apart are copied back.

use std::fmt::Write as _;

use bytemuck::{Pod, Zeroable};

use super::buffers::Buffers;
use super::device::Device;
use super::kernel::{Kernel, WORKGROUP, comparisons, literals, prelude};
use super::staging::CopiedBytes;
use super::straight_line::{self, FunctionSignature, FunctionText, literal};
use crate::backend::BackendError;
use crate::backend::tally::{BLOCK, Observation, ObservedInput, SLOTS, Tally, TallyPart, TallyRule};
use crate::base::Precision;
use crate::real::Element;
use crate::real::traced::{GraphNode, Traced};

/// Bytes of columns between the two kernels: they should stay in a device's caches.
const VALUES_BYTES: usize = 32 << 20;

/// Room for values apart: for one in eight, within these bounds.
const FEWEST_APART: usize = 1 << 12;
const MOST_APART: usize = 1 << 20;

/// Most instances of a dispatch.
const LARGEST_SLICE: usize = 1 << 20;

/// Lines of the columns' kernel beyond which the host observes: drivers compile in a time that grows faster than the text.
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

/// The kernel of the columns, and what it is given besides the states.
struct ColumnsKernel {
    text: String,
    /// Planes of `given`, in their order.
    given: Vec<Given>,
    /// What `shared_values` begins with.
    shared: Vec<f64>,
}

/// A plane of numbers that the kernel of the steps does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    Resting(usize),
    Parameter(usize),
    Start(usize),
}

impl ColumnsKernel {
    /// For states held as the kernel of the steps holds them.
    fn new<E: Element>(kernel: &Kernel, precision: Precision, what: &Observation<'_>) -> ColumnsKernel {
        let values = what.columns.iter().map(|column| column.value);
        let roots: Vec<Traced> = values.chain(what.columns.iter().filter_map(|c| c.defined)).collect();
        let reached = what.graph.reachable(&roots);
        let nodes = || what.graph.nodes().filter(|(node, _)| reached[node.index()]);
        let input = |(node, expression)| match expression {
            GraphNode::Leaf(leaf) => Some((node, (what.input)(leaf))),
            _ => None,
        };
        let inputs: Vec<(Traced, ObservedInput)> = nodes().filter_map(input).collect();
        let mut given = Vec::new();
        for (_, input) in &inputs {
            match *input {
                ObservedInput::State(c) if !kernel.state.contains(&c) => given.push(Given::Resting(c)),
                ObservedInput::Parameter(p) => given.push(Given::Parameter(p)),
                ObservedInput::Start(number) => given.push(Given::Start(number)),
                ObservedInput::State(_) | ObservedInput::Factor(_) => {}
            }
        }
        let literal_nodes = literals(what.graph);
        let is_shared = |n: &Traced| !literal_nodes[n.index()] && what.graph.constant(*n).is_some();
        let constants: Vec<Traced> = nodes().map(|(node, _)| node).filter(is_shared).collect();
        let shared = constants.iter().filter_map(|n| what.graph.constant(*n));
        let shared: Vec<f64> = std::iter::once(f64::INFINITY).chain(shared).collect();
        let plane = |of: Given| given.iter().position(|other| *other == of);
        let text_of = |node: Traced| {
            if let Ok(place) = constants.binary_search(&node) {
                return Some(format!("shared_values[{}u]", place + 1));
            }
            let (_, input) = inputs.iter().find(|(leaf, _)| *leaf == node)?;
            let of_given = |of| plane(of).map(|plane| format!("given[{plane}u * look.stride + instance]"));
            match *input {
                ObservedInput::State(c) => match kernel.state.iter().position(|kept| *kept == c) {
                    Some(plane) => Some(format!("held({plane}u, instance)")),
                    None => of_given(Given::Resting(c)),
                },
                ObservedInput::Parameter(p) => of_given(Given::Parameter(p)),
                ObservedInput::Start(number) => of_given(Given::Start(number)),
                ObservedInput::Factor(span) => Some(format!("shared_values[{}u]", shared.len() + span)),
            }
        };
        let function = FunctionSignature {
            name: "observe_columns",
            parameters: "instance: u32",
            arguments: "instance",
            knows_nan: true,
            keeps_results: true,
        };
        let FunctionText { before, lines, roots } = straight_line::body(
            what.graph,
            Precision::F64,
            &roots,
            &text_of,
            &function,
            straight_line::LONGEST,
        );
        let (held, tiny) = match precision {
            Precision::F32 => ("f32", literal(Precision::F32, E::TINY.to_f64())),
            Precision::F64 => ("f64", literal(Precision::F64, E::TINY.to_f64())),
        };
        let mut own = format!(
            "// The type of the states.\nalias Held = {held};\nconst HELD_TINY: Held = {tiny};\n\
             const WORKGROUP = {WORKGROUP}u;\nconst COLUMNS = {}u;\n\n{}\n{before}\
             fn observe_columns(instance: u32, place: u32) {{\n{lines}",
            what.columns.len(),
            comparisons(Precision::F64),
        );
        let (values, mut defined) = (&roots[..what.columns.len()], roots[what.columns.len()..].iter());
        for (column, (of, value)) in what.columns.iter().zip(values).enumerate() {
            let seen = match of.defined.and_then(|_| defined.next()) {
                Some(defined) => format!("seen_where({defined}, {value})"),
                None => format!("seen({value})"),
            };
            let _ = writeln!(own, "    values[{column}u * look.values_stride + place] = {seen};");
        }
        own.push_str("}\n");
        let begin = prelude(Precision::F64);
        let parts = [&begin, LOOK, &own, OBSERVE].map(str::trim_end);
        ColumnsKernel { text: parts.join("\n\n") + "\n", given, shared }
    }
}

const LOOK: &str = include_str!("../../../shaders/look.wgsl");
const OBSERVE: &str = include_str!("../../../shaders/observe.wgsl");
const TALLY: &str = include_str!("../../../shaders/tally.wgsl");

/// The text of the kernel that adds columns up.
fn tally_text() -> String {
    [include_str!("../../../shaders/real_f64.wgsl"), LOOK, TALLY].map(str::trim_end).join("\n\n") + "\n"
}

/// Both kernels on a device, and the buffers of the batch that is loaded.
pub struct Tallier {
    kernel: ColumnsKernel,
    observe: Stage,
    tally: Stage,
    batch: Option<TallyBuffers>,
}

/// A pipeline with the layout of its bindings.
struct Stage {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl Stage {
    /// Bindings: the uniform, and then buffers, of which those are read only for which it says so.
    fn new(device: &Device, entry: &str, text: &str, read_only: [bool; 5]) -> Result<Stage, BackendError> {
        let module = device.compile(entry, text)?;
        let layout = device.layout(entry, false, &read_only);
        let pipeline = device.pipeline(entry, &module, entry, &layout)?;
        Ok(Stage { layout, pipeline })
    }

    fn bind(&self, device: &Device, buffers: [&wgpu::Buffer; 6]) -> wgpu::BindGroup {
        device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &std::array::from_fn::<_, 6, _>(|k| wgpu::BindGroupEntry {
                binding: k as u32,
                resource: buffers[k].as_entire_binding(),
            }),
        })
    }
}

/// Buffers of a batch, as the two kernels declare them.
struct TallyBuffers {
    /// Instances that go through both kernels together.
    slice: usize,
    /// Values apart, at most.
    capacity: usize,
    blocks: usize,
    look: wgpu::Buffer,
    shared: wgpu::Buffer,
    rules: wgpu::Buffer,
    parts: wgpu::Buffer,
    counts: wgpu::Buffer,
    apart: wgpu::Buffer,
    observe: wgpu::BindGroup,
    tally: wgpu::BindGroup,
}

impl Tallier {
    /// Compiles the kernels, or takes those of `before`, if they are the same. `None`: the columns are too long.
    pub fn new<E: Element>(
        device: &Device,
        kernel: &Kernel,
        what: &Observation<'_>,
        before: Option<Tallier>,
    ) -> Result<Option<Tallier>, BackendError> {
        let kernel = ColumnsKernel::new::<E>(kernel, device.precision, what);
        if let Some(before) = before.filter(|before| before.kernel.text == kernel.text) {
            return Ok(Some(Tallier { batch: None, ..before }));
        }
        if kernel.text.lines().count() > LONGEST {
            return Ok(None);
        }
        let observe = Stage::new(device, "observe", &kernel.text, [true, true, true, true, false])?;
        let tally = Stage::new(device, "tally", &tally_text(), [true, true, false, false, false])?;
        Ok(Some(Tallier { kernel, observe, tally, batch: None }))
    }

    /// Forgets the batch.
    pub fn unload(&mut self) {
        self.batch = None;
    }

    pub fn is_loaded(&self) -> bool {
        self.batch.is_some()
    }

    /// Makes the buffers of a batch of `count` instances and fills those that stay the same: what rests is in `resting`. False:
    /// they do not fit.
    pub fn load<E: Element>(
        &mut self,
        device: &Device,
        buffers: &Buffers,
        count: usize,
        resting: &[Vec<E>],
        what: &Observation<'_>,
    ) -> Result<bool, BackendError> {
        let columns = what.columns.len();
        let blocks = count.div_ceil(BLOCK);
        let slice = (VALUES_BYTES / (8 * columns.max(1)) / BLOCK * BLOCK)
            .clamp(BLOCK, LARGEST_SLICE)
            .min(blocks * BLOCK);
        let capacity = (count * columns / 8).clamp(FEWEST_APART, MOST_APART);
        let sizes = [
            32,
            (self.kernel.given.len().max(1) * buffers.stride * 8) as u64,
            ((self.kernel.shared.len() + what.factors.len()) * 8) as u64,
            (slice * columns * 8) as u64,
            (columns * size_of::<TallyRule>()) as u64,
            (blocks * columns * size_of::<TallyPart>()) as u64,
            ((columns * SLOTS + 1) * 4) as u64,
            (capacity * 16) as u64,
        ];
        let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
        if sizes.iter().any(|size| *size > limit) {
            return Ok(false);
        }
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC;
        let usages = [Usage::UNIFORM | Usage::COPY_DST].into_iter().chain(std::iter::repeat(storage));
        let made: Vec<wgpu::Buffer> = sizes
            .iter()
            .zip(usages)
            .map(|(size, usage)| {
                device.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("observing"),
                    size: (*size).max(16),
                    usage,
                    mapped_at_creation: false,
                })
            })
            .collect();
        if pollster::block_on(scope.pop()).is_some() {
            return Ok(false);
        }
        let Ok([look, given, shared, values, rules, parts, counts, apart]) =
            <[wgpu::Buffer; 8]>::try_from(made)
        else {
            return Ok(false);
        };
        for (plane, of) in self.kernel.given.iter().enumerate() {
            let numbers = match *of {
                Given::Resting(c) => resting[c].iter().map(|x| x.flushed().to_f64()).collect(),
                Given::Parameter(p) => what.parameters[p].clone(),
                Given::Start(number) => (what.start)(number),
            };
            buffers.write_plane(device, &given, plane, &numbers);
        }
        let observe = [&look, &buffers.state, &buffers.ends, &given, &shared, &values];
        let tally = [&look, &values, &rules, &parts, &counts, &apart];
        let observe = self.observe.bind(device, observe);
        let tally = self.tally.bind(device, tally);
        self.batch = Some(TallyBuffers {
            slice,
            capacity,
            blocks,
            look,
            shared,
            rules,
            parts,
            counts,
            apart,
            observe,
            tally,
        });
        Ok(true)
    }

    /// Adds up the `count` instances of the batch. `None`: too many values are apart.
    pub fn run(
        &self,
        device: &Device,
        buffers: &Buffers,
        count: usize,
        what: &Observation<'_>,
    ) -> Result<Option<Tally>, BackendError> {
        let Some(batch) = &self.batch else { return Ok(None) };
        let columns = what.columns.len();
        let shared: Vec<f64> = self.kernel.shared.iter().chain(what.factors).copied().collect();
        device.queue.write_buffer(&batch.shared, 0, bytemuck::cast_slice(&shared));
        device.queue.write_buffer(&batch.rules, 0, bytemuck::cast_slice(what.rules));
        for first in (0..count).step_by(batch.slice) {
            let here = batch.slice.min(count - first);
            let look = LookUniform {
                first: first as u32,
                count: here as u32,
                stride: buffers.stride as u32,
                values_stride: batch.slice as u32,
                capacity: batch.capacity as u32,
                never: 0,
                padding: [0; 2],
            };
            device.queue.write_buffer(&batch.look, 0, bytemuck::bytes_of(&look));
            let mut encoder = device.device.create_command_encoder(&Default::default());
            if first == 0 {
                encoder.clear_buffer(&batch.counts, 0, None);
            }
            let stages = [
                (&self.observe, &batch.observe, (here as u32).div_ceil(WORKGROUP), 1),
                (&self.tally, &batch.tally, here.div_ceil(BLOCK) as u32, columns as u32),
            ];
            for (stage, group, x, y) in stages {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&stage.pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(x, y, 1);
            }
            device.queue.submit([encoder.finish()]);
        }
        let mut parts = vec![TallyPart::default(); batch.blocks * columns];
        let mut counts = vec![0_u32; columns * SLOTS + 1];
        buffers.copy_back(
            device,
            vec![
                CopiedBytes { source: &batch.parts, start: 0, target: bytemuck::cast_slice_mut(&mut parts) },
                CopiedBytes {
                    source: &batch.counts,
                    start: 0,
                    target: bytemuck::cast_slice_mut(&mut counts),
                },
            ],
        )?;
        let found = counts.pop().unwrap_or(0) as usize;
        if found > batch.capacity {
            return Ok(None);
        }
        let mut found = vec![[0.0_f64; 2]; found];
        if !found.is_empty() {
            let target = bytemuck::cast_slice_mut(&mut found);
            buffers.copy_back(device, vec![CopiedBytes { source: &batch.apart, start: 0, target }])?;
        }
        let mut apart = vec![Vec::new(); counts.len() / SLOTS];
        found.into_iter().for_each(|[column, value]| apart[column as usize].push(value));
        Ok(Some(Tally { parts, counts, apart }))
    }
}
