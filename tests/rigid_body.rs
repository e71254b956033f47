//! The kernel written by hand against the generated one and the CPU: the same bits.

mod common;

use fearless_simd::Level;
use polhode::backend::cpu;
use polhode::backend::gpu::device::{Device, Wanted};
use polhode::backend::gpu::{Gpu, rigid_body};
use polhode::backend::{Backend, Batch, End, Plan};
use polhode::describe::Precision;
use polhode::methods::AnyMethod;
use polhode::model::WIDTH;
use polhode::observe::Verdict;
use polhode::real::Element;
use polhode::study::plan::nominal;

const INSTANCES: usize = 1000;
const STEPS: u64 = 1000;

fn free_body() -> Plan {
    let mechanism = common::free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [0.1, 2.0, 0.1]);
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
    let open = || Device::open(&Wanted::Any, precision).expect("an adapter (a software Vulkan will do)");
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
