//! Exact tangents: the derivative of what the recorded programs do, by every method, joint and treatment; the same bits
//! from kernels; and the exponents of Lyapunov that follow from them.

mod common;

use common::arms::{KINDS, SPIN, TREATMENTS, mechanism_of, study_of};
use common::cases;
use common::engine::Ready;
use common::methods::{Variant, variants};
use common::tolerances::{TANGENT, TANGENT_REACH};
use fearless_simd::Level;
use polhode::backend::gpu::device::{Device, Wanted};
use polhode::backend::tangents::{COORDINATES, Derivative, Tangents};
use polhode::backend::{Backend, Batch, Plan, cpu, gpu};
use polhode::describe::{Precision, Study};
use polhode::model::WIDTH;

/// Some push of an instance along all coordinates.
fn push(instance: usize, bodies: usize, directions: usize) -> Vec<f64> {
    let number = |k: usize| ((k * 37 + instance * 11 + 5) % 17) as f64 / 8.0 - 1.0;
    (0..COORDINATES * bodies * directions).map(number).collect()
}

/// The states of a batch after all steps, `[channel][instance]`.
fn stepped(backend: &mut dyn Backend, plan: &Plan, batch: &Batch) -> Vec<Vec<f64>> {
    backend.load(batch).expect("load");
    for pair in plan.schedule.snapshots().windows(2) {
        backend.advance(pair[0], pair[1]).expect("advance");
    }
    backend.fetch().expect("fetch");
    let mut states = vec![vec![f64::NAN; batch.count]; plan.moving.len()];
    backend.read(0, &mut states);
    states
}

fn on_cpu(plan: &Plan, batch: &Batch) -> Vec<Vec<f64>> {
    stepped(&mut *cpu::open(plan.clone(), Precision::F64, false, Level::new()), plan, batch)
}

/// Largest difference between the tangent of the recorded program and central differences, relative to the larger of the
/// difference and one.
fn off(study: Study) -> f64 {
    let mut ready = Ready::new(study);
    ready.plan = ready.plan.unfolded();
    let plain = ready.batch(0, ready.size());
    let bodies = ready.plan.model.bodies();
    let followed =
        ready.plan.following(Tangents { directions: 1, by: Derivative::Exact, orthonormal: false });
    let mut batch = plain.clone();
    followed.start_directions(&mut batch, &|i| push(i, bodies, 1));
    let own = ready.plan.moving.len();
    let exact = on_cpu(&followed, &batch);
    let moved = |s: f64| {
        let mut moved = plain.clone();
        for (x, t) in moved.states.iter_mut().zip(&batch.states[own..]) {
            x.iter_mut().zip(t).for_each(|(x, t)| *x += s * t);
        }
        on_cpu(&ready.plan, &moved)
    };
    let (ahead, behind) = (moved(TANGENT_REACH), moved(-TANGENT_REACH));
    let mut worst = 0.0f64;
    for c in 0..WIDTH * bodies {
        for i in 0..ready.size() {
            let difference = (ahead[c][i] - behind[c][i]) / (2.0 * TANGENT_REACH);
            let off = (exact[own + c][i] - difference).abs() / difference.abs().max(1.0);
            worst = if off <= worst { worst } else { off };
        }
    }
    worst
}

#[test]
fn recorded_tangents_are_derivatives_for_every_method() {
    for variant in variants() {
        for (case, mut study) in [("thrown", cases::thrown(8)), ("all varied", cases::all_varied(8))] {
            study.method.steps = 30;
            study.observe.every = 30;
            study.method.resynchronise = 10;
            let worst = off(variant.apply(study));
            println!("{}, {case}: {worst:.1e}", variant.label());
            assert!(worst < TANGENT, "{}, {case}: {worst:e}", variant.label());
        }
    }
}

/// A spring besides, so that forces have a slope too.
const STRUT: &str = "[[mechanism.spring]]\nname = \"strut\"\nbodies = [\"ground\", \"lower\"]\n\
                     points = [[1, 0, 1], [0, 0, 0]]\nstiffness = 20\ndamping = 0.5\nfree_length = 0.8\nactuator = 1\n";

/// Every kind of joint by the staggered method with some treatments each, so that all are there, with projections and
/// without; and by the classical method.
#[test]
fn recorded_tangents_are_derivatives_for_every_joint_and_treatment() {
    for (k, kind) in KINDS.into_iter().enumerate() {
        let mechanism = mechanism_of(kind) + STRUT;
        for t in [0, 1, 1 + k % 5, 2 + k % 4] {
            let treatment = TREATMENTS[t];
            let project = if (k + t) % 2 == 0 { ", project = 10" } else { "" };
            let mut study = study_of(&format!("{treatment}{project}"), SPIN, &mechanism, 1e-3, 30);
            study.method.resynchronise = 10;
            study.ensemble.size = 4;
            let worst = off(study.clone());
            println!("{kind}, {treatment}{project}: {worst:.1e}");
            assert!(worst < TANGENT, "{kind}, {treatment}{project}: {worst:e}");
            if t == 1 {
                let worst = off(Variant::new("rk4").apply(study));
                println!("{kind}, {treatment}{project}, rk4: {worst:.1e}");
                assert!(worst < TANGENT, "{kind}, {treatment}{project}, rk4: {worst:e}");
            }
        }
    }
}

/// How an ensemble with so many directions ends, on the CPU and by the kernel: bit for bit the same.
fn assert_same_bits(what: &str, study: Study, tangents: Tangents, precision: Precision) {
    let ready = Ready::new(study);
    let followed = ready.plan.following(tangents);
    let bodies = ready.plan.model.bodies();
    let mut batch = ready.batch(0, ready.size());
    followed.start_directions(&mut batch, &|i| push(i, bodies, tangents.directions));
    let cpu = stepped(&mut *cpu::open(followed.clone(), precision, false, Level::new()), &followed, &batch);
    let device = Device::open(&Wanted::Any, precision).expect("an adapter: install a software Vulkan");
    let mut kernel = gpu::open(followed.clone(), device, precision).expect("the kernel compiles");
    let kernel = stepped(&mut *kernel, &followed, &batch);
    let differs = |i: &usize| cpu.iter().zip(&kernel).any(|(a, b)| a[*i] != b[*i]);
    let different = (0..batch.count).filter(differs).count();
    let finite = cpu.iter().flatten().all(|x| x.is_finite());
    println!("{what}, {precision:?}: {different} of {} differ", batch.count);
    assert!(finite, "{what}, {precision:?}");
    assert_eq!(different, 0, "{what}, {precision:?}");
}

/// Every method, in both precisions by turns; the staggered one in both.
#[test]
fn tangent_kernels_equal_the_cpu_for_every_method() {
    for (k, variant) in variants().into_iter().enumerate() {
        let precisions = [Precision::F32, Precision::F64];
        let precisions = if k == 0 { &precisions[..] } else { &precisions[k % 2..][..1] };
        for &precision in precisions {
            let mut study = cases::all_varied(64);
            study.method.steps = 60;
            study.observe.every = 60;
            study.method.resynchronise = 20;
            assert_same_bits(&variant.label(), variant.apply(study), Tangents::exact(2), precision);
        }
    }
}

/// (Of neighbours no bits are asked: the difference of two motions is what drivers rearrange.)
#[test]
fn tangent_kernels_equal_the_cpu_for_every_joint() {
    for (k, kind) in KINDS.into_iter().enumerate() {
        let treatment = TREATMENTS[k % 6];
        let mut study = study_of(treatment, SPIN, &mechanism_of(kind), 1e-3, 60);
        study.method.resynchronise = 20;
        let precision = if k % 2 == 0 { Precision::F32 } else { Precision::F64 };
        assert_same_bits(&format!("{kind}, {treatment}"), study, Tangents::exact(1), precision);
    }
}
