//! The kernel written by hand against the generated one and the CPU: the same bits.

use fearless_simd::Level;
use polhode::backend::cpu;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::{Kernel, prelude};
use polhode::backend::gpu::{Gpu, rigid_body};
use polhode::backend::{Backend, Batch, End, Plan, StateReader};
use polhode::base::Precision;
use polhode::methods::AnyMethod;
use polhode::model::WIDTH;
use polhode::observe::Verdict;
use polhode::real::Element;
use polhode::study::plan::nominal;

const INSTANCES: usize = 1000;
const STEPS: u64 = 1000;

fn free_body() -> Plan {
    let mechanism = crate::common::free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [0.1, 2.0, 0.1]);
    let mut plan = nominal(&mechanism, AnyMethod::default(), 0.01, STEPS).expect("a body");
    (plan.schedule.resynchronise, plan.schedule.check) = (200, 100);
    plan
}

/// Instances that differ in angular velocity; number 3 is not finite from the start.
fn batch(plan: &Plan) -> Batch {
    let mut batch = Batch::new(plan, INSTANCES);
    for i in 0..INSTANCES {
        let x = i as f64 / INSTANCES as f64;
        let start = [0.8, 0.2, -0.4, 0.4, 0.1 + x, 2.0 - 3.0 * x * x, 0.1 + 0.5 * x];
        for (c, value) in start.into_iter().enumerate() {
            batch.states[c][i] = value;
        }
    }
    batch.states[4][3] = f64::INFINITY;
    batch
}

fn run(backend: &mut dyn Backend, batch: &Batch) -> (Vec<Vec<f64>>, Vec<End>) {
    backend.load(batch).expect("load");
    backend.advance(0, STEPS).expect("advance");
    backend.fetch().expect("fetch");
    let mut planes = vec![vec![f64::NAN; INSTANCES]; WIDTH];
    backend.read(0, &mut planes);
    let mut ends = vec![End { verdict: Verdict::InvalidSample, step: u64::MAX }; INSTANCES];
    backend.ends(0, &mut ends);
    (planes, ends)
}

fn differences(a: &[Vec<f64>], b: &[Vec<f64>]) -> usize {
    let sound = |i: &usize| *i != 3;
    (0..WIDTH).map(|c| (0..INSTANCES).filter(sound).filter(|i| a[c][*i] != b[c][*i]).count()).sum()
}

fn same_bits<E: Element>(precision: Precision) {
    let plan = free_body();
    let batch = batch(&plan);
    let open =
        || Device::open(&AdapterChoice::Any, precision).expect("an adapter (a software Vulkan will do)");
    let kernel = rigid_body::kernel(&plan, precision).expect("a free body");
    let mut by_hand = Gpu::<E>::with_kernel(plan.clone(), open(), kernel).expect("the kernel by hand");
    let mut generated = Gpu::<E>::new(plan.clone(), open(), precision).expect("the generated kernel");
    let (h, he) = run(&mut by_hand, &batch);
    let (g, ge) = run(&mut generated, &batch);
    let (c, _) = run(&mut *cpu::open(plan, precision, false, Level::new()), &batch);
    assert!((0..INSTANCES).filter(|i| *i != 3).all(|i| h.iter().all(|plane| plane[i].is_finite())));
    assert_ne!(h[0][0], batch.states[0][0], "something has moved");
    assert_eq!(differences(&h, &g), 0, "by hand and generated");
    assert_eq!(differences(&h, &c), 0, "by hand and CPU");
    for i in 0..INSTANCES {
        assert_eq!(he[i].verdict, ge[i].verdict, "instance {i}");
    }
    assert_eq!(he[3].verdict, Verdict::NonFinite);
}

#[test]
fn the_kernel_by_hand_has_the_bits_of_the_others_in_f32() {
    same_bits::<f32>(Precision::F32);
}

#[test]
fn the_kernel_by_hand_has_the_bits_of_the_others_in_f64() {
    same_bits::<f64>(Precision::F64);
}

#[test]
fn the_kernel_by_hand_refuses_what_it_does_not_compute() {
    let mut plan = free_body();
    plan.bounds.energy = Some(1e-3);
    assert!(rigid_body::kernel(&plan, Precision::F32).is_none());
    plan = free_body();
    plan.moving.fill(true);
    assert!(rigid_body::kernel(&plan, Precision::F32).is_none());
}

/// The last step numbers there are.
const LAST: u64 = u32::MAX as u64;

/// `next_multiple` of the kernels as the device computes it, of (k, period, end). Whole numbers
/// pass through planes of f32 in halves of 16 bits.
fn next_multiples(arguments: &[[u32; 3]]) -> Vec<u32> {
    let plan = free_body();
    let bindings = "struct Run {\n first: u32, end: u32, count: u32, stride: u32, resynchronise: u32, \
                    check: u32,\n}\n\
                    @group(0) @binding(0) var<uniform> run: Run;\n\
                    @group(0) @binding(1) var<storage, read_write> state: array<real>;\n";
    let main = "fn whole(plane: u32, i: u32) -> u32 {\n    \
                return u32(state[plane * run.stride + i]) * 65536u + u32(state[(plane + 1u) * run.stride + \
                i]);\n}\n\
                @compute @workgroup_size(64)\nfn advance(@builtin(global_invocation_id) id: vec3<u32>) \
                {\n    if id.x >= run.count { return; }\n    \
                let next = next_multiple(whole(0u, id.x), whole(2u, id.x), whole(4u, id.x));\n    \
                state[id.x] = real(next >> 16u);\n    state[run.stride + id.x] = real(next & 0xffffu);\n}\n";
    let kernel = Kernel {
        text: format!("{}\n{bindings}{main}", prelude(Precision::F32)),
        state: (0..6).collect(),
        observed: 2,
        parameters: Vec::new(),
        constants: vec![0.0],
        ..rigid_body::kernel(&plan, Precision::F32).expect("a free body")
    };
    let mut batch = Batch::new(&plan, arguments.len());
    for (i, argument) in arguments.iter().enumerate() {
        for (a, number) in argument.iter().enumerate() {
            batch.states[2 * a][i] = f64::from(number >> 16);
            batch.states[2 * a + 1][i] = f64::from(number & 0xffff);
        }
    }
    let device =
        Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter (a software Vulkan will do)");
    let mut gpu = Gpu::<f32>::with_kernel(plan, device, kernel).expect("the kernel");
    gpu.load(&batch).expect("load");
    gpu.advance(0, 1).expect("advance");
    gpu.fetch().expect("fetch");
    let mut planes = vec![vec![f64::NAN; arguments.len()]; 2];
    gpu.read(0, &mut planes);
    planes[0].iter().zip(&planes[1]).map(|(high, low)| *high as u32 * 65536 + *low as u32).collect()
}

/// A multiple beyond the last step number is not wrapped to one before the step, from which a
/// kernel would never come away.
#[test]
fn the_next_multiple_lies_ahead_up_to_the_last_step() {
    let ends = [1, 100, 1 << 16, 1 << 31, u32::MAX - 199, u32::MAX - 1, u32::MAX];
    let periods = [0, 1, 2, 100, 200, 65_536, 999_983, 1 << 31, u32::MAX - 1, u32::MAX];
    let back = [0, 1, 2, 99, 100, 101, 199, 200, 295, 1000];
    let mut arguments = Vec::new();
    for end in ends {
        for period in periods {
            arguments.extend(back.iter().filter(|b| **b <= end).map(|b| [end - b, period, end]));
        }
    }
    for (argument, next) in arguments.iter().zip(next_multiples(&arguments)) {
        let [k, period, end] = argument.map(u64::from);
        let expected = k.checked_div(period).map_or(end, |periods| end.min((periods + 1) * period));
        assert_eq!(u64::from(next), expected, "{argument:?}");
    }
}

/// Both kernels take the last steps that there are, restarts and checks included, as the CPU does.
#[test]
fn kernels_end_at_the_last_step() {
    let plan = free_body();
    let batch = batch(&plan);
    let precision = Precision::F64;
    let open =
        || Device::open(&AdapterChoice::Any, precision).expect("an adapter (a software Vulkan will do)");
    let by_hand = rigid_body::kernel(&plan, precision).expect("a free body");
    let states = |backend: &mut dyn Backend| {
        backend.load(&batch).expect("load");
        // The start of the half chain is computed at step 0.
        backend.advance(0, 100).expect("advance");
        backend.advance(LAST - 450, LAST).expect("advance");
        backend.fetch().expect("fetch");
        let mut planes = vec![vec![f64::NAN; INSTANCES]; WIDTH];
        backend.read(0, &mut planes);
        planes
    };
    let cpu = states(&mut *cpu::open(plan.clone(), precision, false, Level::new()));
    let mut by_hand = Gpu::<f64>::with_kernel(plan.clone(), open(), by_hand).expect("the kernel by hand");
    let mut generated = Gpu::<f64>::new(plan.clone(), open(), precision).expect("the generated kernel");
    assert_eq!(differences(&states(&mut by_hand), &cpu), 0, "by hand");
    assert_eq!(differences(&states(&mut generated), &cpu), 0, "generated");
}
