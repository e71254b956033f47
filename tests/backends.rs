//! Every backend computes the same instances: bit for bit where the arithmetic is the same.

use fearless_simd::Level;
use polhode::backend::cpu::Cpu;
use polhode::backend::gpu::Gpu;
use polhode::backend::gpu::device::{Device, Wanted};
use polhode::backend::{Backend, End, Plan};
use polhode::describe::*;
use polhode::ensemble::Sampler;
use polhode::model::WIDTH;
use polhode::real::Element;
use polhode::study::plan::{draw, plan};

fn study(size: u64, steps: u64) -> Study {
    let mechanism = Mechanism {
        name: "free body".into(),
        gravity: [0.0; 3],
        body: Body {
            name: "body".into(),
            mass: 1.0,
            inertia: [[5.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 1.0]],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [0.0; 3],
            support: Support::Free,
            initial: Initial {
                position: [0.0; 3],
                velocity: [0.0; 3],
                attitude: [0.8, 0.2, -0.4, 0.4],
                angular_velocity: [1.0, 0.5, 2.0],
                angular_velocity_axes: Axes::Body,
            },
        },
        loads: vec![],
    };
    let target = |key: &str, quantity| Target { key: key.into(), quantity, component: None };
    Study {
        title: "parity".into(),
        mechanism,
        method: Method { name: MethodName::Staggered, step: 0.01, steps, resynchronise: 200 },
        ensemble: Ensemble {
            size,
            seed: 7,
            design: Design::Random,
            vary: vec![
                Vary {
                    target: target("body.angular_velocity", Quantity::AngularVelocity),
                    distribution: Distribution::Normal { mean: vec![2.0, 0.1, 0.1], std: vec![0.05; 3] },
                },
                Vary {
                    target: target("body.attitude", Quantity::Attitude),
                    distribution: Distribution::UniformAttitude,
                },
            ],
        },
        observe: Observe { channels: vec![Channel::Energy], every: steps, keep: 0, quantiles: vec![0.5] },
        verdict: VerdictBounds { energy: None, quaternion_norm: None, every: 100 },
        run: Run {
            backend: BackendChoice::Cpu,
            precision: Precision::F32,
            fused: false,
            threads: Some(1),
            chunk: None,
        },
    }
}

/// Final states `[channel][instance]`, poisoned before, and how each ended.
fn run(study: &Study, plan: &Plan, backend: &mut dyn Backend) -> (Vec<Vec<f64>>, Vec<End>) {
    let sampler = Sampler::new(study).expect("sampler");
    let n = study.ensemble.size as usize;
    let (batch, _) = draw(study, plan, &sampler, 0, n);
    backend.load(&batch).expect("load");
    for pair in plan.schedule.snapshots().windows(2) {
        backend.advance(pair[0], pair[1]).expect("advance");
    }
    backend.fetch().expect("fetch");
    let mut planes = vec![vec![f64::NAN; n]; WIDTH];
    backend.read(0, &mut planes);
    let mut ends = vec![End { verdict: polhode::observe::Verdict::InvalidSample, step: u64::MAX }; n];
    backend.ends(0, &mut ends);
    (planes, ends)
}

fn cpu<E: Element>(study: &Study, fused: bool, threads: usize, level: Level) -> (Vec<Vec<f64>>, Vec<End>) {
    let plan = plan(study).expect("plan");
    let mut backend = Cpu::<E>::with_level(plan.clone(), fused, level);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| run(study, &plan, &mut backend))
}

fn gpu<E: Element>(study: &Study, precision: Precision) -> (Vec<Vec<f64>>, Vec<End>) {
    let plan = plan(study).expect("plan");
    let device = Device::open(&Wanted::Any, precision)
        .expect("an adapter (install a software Vulkan: ./test.sh does)");
    let mut backend = Gpu::<E>::new(plan.clone(), device, precision).expect("gpu");
    run(study, &plan, &mut backend)
}

/// Number of values that differ, zeros of either sign being equal.
fn differences(a: &[Vec<f64>], b: &[Vec<f64>]) -> usize {
    a.iter().flatten().zip(b.iter().flatten()).filter(|(x, y)| x != y).count()
}

#[test]
fn the_kernel_equals_the_unfused_cpu_bit_for_bit_in_f32() {
    let study = study(10_000, 1000);
    let (c, ce) = cpu::<f32>(&study, false, 2, Level::new());
    let (g, ge) = gpu::<f32>(&study, Precision::F32);
    assert!(c.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(differences(&c, &g), 0);
    assert_eq!(ce, ge);
}

#[test]
fn the_kernel_equals_the_unfused_cpu_bit_for_bit_in_f64() {
    let study = study(10_000, 1000);
    let (c, ce) = cpu::<f64>(&study, false, 2, Level::new());
    let (g, ge) = gpu::<f64>(&study, Precision::F64);
    assert!(c.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(differences(&c, &g), 0);
    assert_eq!(ce, ge);
}
