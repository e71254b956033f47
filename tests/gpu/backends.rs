//! Every backend computes the same instances: bit for bit, as the arithmetic is the same.
//!
//! Equality is of values: zeros of either sign are equal. All instances and all state channels are
//! compared, with verdicts and steps; what is read was NaN before.

use crate::common::arms::study_of;
use crate::common::cases;
use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::study::Varied;
use fearless_simd::Level;
use polhode::backend::gpu::Gpu;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::peak::Peak;
use polhode::backend::tangents::{Tangents, coordinates_of};
use polhode::backend::{Backend, Batch, StateReader, cpu, gpu};
use polhode::base::Precision;
use polhode::describe::{Quantity, Study};
use polhode::observe::{Verdict, channels};
use polhode::real::Element;
use proptest::prelude::*;

const SIZE: u64 = 10_000;

fn finite(outcome: &Outcome) -> bool {
    outcome.states.iter().flatten().all(|x| x.is_finite())
}

/// The kernel's results are those of the CPU's lanes without fusing.
fn assert_kernel_equals_lanes(study: Study, precision: Precision) {
    let ready = Ready::new(study);
    let cpu = ready.on_cpu(precision, 2);
    assert!(finite(&cpu));
    assert_same("kernel and lanes", &ready.on_gpu(precision), &cpu);
}

macro_rules! kernel_equals_lanes {
    ($($case:ident)*) => { $(
        mod $case {
            use super::*;

            #[test]
            fn kernel_equals_lanes_in_f32() {
                assert_kernel_equals_lanes(cases::$case(SIZE), Precision::F32);
            }

            #[test]
            fn kernel_equals_lanes_in_f64() {
                assert_kernel_equals_lanes(cases::$case(SIZE), Precision::F64);
            }
        }
    )* };
}

kernel_equals_lanes!(free varied_inertia_and_mass top thrown jumps full_inertia all_varied bounded);

#[test]
fn bounds_are_passed_by_some_and_not_by_others() {
    let outcome = Ready::new(cases::bounded(SIZE)).on_cpu(Precision::F32, 2);
    for verdict in [Verdict::Finished, Verdict::EnergyBound, Verdict::NormBound] {
        println!("{verdict:?} {}", outcome.count(verdict));
        assert!(outcome.count(verdict) > 100, "{verdict:?}: {}", outcome.count(verdict));
    }
}

/// Products of small rates fall below the smallest normal f32: neither side may flush them to zero.
#[test]
fn kernel_keeps_subnormal_numbers() {
    let mut study = cases::free(1000);
    study.ensemble.vary.remove(0);
    assert_kernel_equals_lanes(study.normal(Quantity::AngularVelocity, [1e-19; 3], 1e-19), Precision::F32);
}

/// Motions that die out within the steps, through all small numbers: a ball by drag, a door by a
/// spring and damper at its hinge.
pub fn decaying(steps: u64) -> [(&'static str, Study); 2] {
    let ball = "[[mechanism.body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 2, 3]\n\
                initial = { velocity = [1, 0, 2] }\n\
                [[mechanism.drag]]\nname = \"air\"\nbody = \"ball\"\nlinear = 30\nquadratic = 1\n\
                angular_linear = 40\nangular_quadratic = 1\n";
    let turning = "\"ball.angular_velocity\" = { normal = { mean = [1, 2, 3], std = 0.5 } }";
    let door = "[[mechanism.body]]\nname = \"door\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\n\
                initial = { position = [0.5, 0, 0] }\n\
                [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\naxes = [0, 0, 1]\n\
                bodies = [\"ground\", \"door\"]\npoints = [[0, 0, 0], [-0.5, 0, 0]]\n\
                [[mechanism.joint_spring]]\nname = \"closer\"\njoint = \"hinge\"\nstiffness = 200\n\
                damping = 12\n";
    let swinging = "\"closer.stiffness\" = { uniform = { low = 150, high = 250 } }\n\
                    \"door.angular_velocity.z\" = { uniform = { low = 1, high = 3 } }";
    let study = |vary: &str, mechanism: &str| {
        let mut study = study_of("", vary, mechanism, 0.01, steps);
        study.mechanism.gravity = [0.0; 3];
        study.observe.every = steps / 4;
        study
    };
    [("ball", study(turning, ball)), ("door", study(swinging, door))]
}

/// The smallest number but zero that a state may hold.
fn tiny(precision: Precision) -> f64 {
    match precision {
        Precision::F32 | Precision::F32Compensated => f64::from(f32::TINY),
        Precision::F64 => f64::TINY,
    }
}

const DECAY: u64 = 10_000;

/// A motion that has decayed is zero on every backend from the same step on, and no channel is left
/// with a subnormal number.
#[test]
fn what_has_decayed_is_zero_everywhere() {
    for (name, study) in decaying(DECAY) {
        let ready = Ready::new(study);
        for precision in [Precision::F32, Precision::F64] {
            let mut reference = Vec::new();
            ready.watch(&mut *ready.cpu(precision, Level::new(), false), 0, ready.size(), |outcome| {
                let values = outcome.states.iter().flatten();
                let small: Vec<f64> =
                    values.filter(|x| **x != 0.0 && x.abs() < tiny(precision)).copied().collect();
                assert!(small.is_empty(), "{name}, {precision:?}: {small:?}");
                reference.push(outcome.clone());
            });
            let last = reference.last().expect("a snapshot");
            // The rates about and along all axes.
            let rates = [4, 5, 6, 10, 11, 12].map(|c| &last.states[c]);
            let rests = rates.iter().copied().flatten().all(|x| *x == 0.0);
            println!("{name}, {precision:?}: rests {rests}");
            // On the hinge the multipliers answer to the rounding of positions for ever.
            assert!(rests || name == "door", "{name}, {precision:?}: {rates:?}");
            let channels = [
                channels::ENERGY,
                channels::ANGULAR_VELOCITY,
                channels::VELOCITY,
                channels::ANGULAR_MOMENTUM,
            ];
            for outcome in &reference {
                let observed = ready.observe(outcome, &channels);
                assert!(
                    observed.iter().flatten().all(|x| !x.is_subnormal()),
                    "{name}, {precision:?}: {observed:?}"
                );
            }
            let same = |what: &str, mut backend: Box<dyn Backend>| {
                let mut expected = reference.iter();
                ready.watch(&mut *backend, 0, ready.size(), |outcome| {
                    let what = format!("{name}, {precision:?}, {what}");
                    assert_same(&what, outcome, expected.next().expect("as many snapshots"));
                });
            };
            same("the kernel", ready.gpu(precision));
            for (level_name, level) in levels() {
                same(level_name, ready.cpu(precision, level, false));
            }
            same("interpreted", ready.interpreted(precision, Level::new(), false));
        }
    }
}

/// Directions of Lyapunov's exponents die out too: those of the ball's own motion, beside those
/// that turn and shift it.
#[test]
fn tangents_that_have_decayed_are_zero_everywhere() {
    let [(_, mut study), _] = decaying(DECAY);
    study.ensemble.size = 8;
    let ready = Ready::new(study);
    for precision in [Precision::F32, Precision::F64] {
        for orthonormal in [true, false] {
            let tangents = Tangents { orthonormal, ..Tangents::exact(2) };
            let plan = ready.plan.unfolded().following(tangents);
            let mut batch = ready.batch(0, ready.size());
            let coordinates = coordinates_of(&plan.model);
            plan.start_directions(&mut batch, &|i| {
                (0..2 * coordinates).map(|k| ((k * 37 + i * 11 + 5) % 17) as f64 / 8.0 - 1.0).collect()
            });
            let states = |mut backend: Box<dyn Backend>| {
                stepped(&mut *backend, &batch, plan.moving.len(), plan.schedule.steps)
            };
            let code = states(cpu::open(plan.clone(), precision, false, Level::new()));
            let small = code.iter().flatten().filter(|x| **x != 0.0 && x.abs() < tiny(precision)).count();
            assert_eq!(small, 0, "{precision:?}, {orthonormal}");
            assert!(code.iter().flatten().all(|x| x.is_finite()), "{precision:?}, {orthonormal}");
            let device =
                Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
            let kernel = states(gpu::open(plan.clone(), device, precision).expect("the kernel compiles"));
            assert!(kernel == code, "the kernel, {precision:?}, {orthonormal}");
            let interpreted = cpu::Execution::Interpreted;
            let interpreted = cpu::open_with(plan.clone(), precision, false, Level::new(), interpreted);
            assert!(states(interpreted) == code, "interpreted, {precision:?}, {orthonormal}");
        }
    }
}

/// The states after so many steps, `[channel][instance]`.
fn stepped(backend: &mut dyn Backend, batch: &Batch, channels: usize, steps: u64) -> Vec<Vec<f64>> {
    backend.load(batch).expect("load");
    backend.advance(0, steps).expect("advance");
    backend.fetch().expect("fetch");
    let mut states = vec![vec![f64::NAN; batch.count]; channels];
    backend.read(0, &mut states);
    states
}

/// Runs this and says whether any operation had a subnormal operand, or a result that is no normal
/// number. The processor keeps a flag of either until it is told to forget it.
#[cfg(target_arch = "x86_64")]
fn meets_subnormal_numbers(what: impl FnOnce()) -> bool {
    /// Bits of MXCSR: denormal operand, underflow.
    const FLAGS: u32 = 0b01_0010;
    let mut register = 0_u32;
    // SAFETY: the registers' flags are cleared, which no computation depends on; modes and masks
    // stay as they are.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register);
        register &= !FLAGS;
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register);
    }
    what();
    // SAFETY: the register is stored, and nothing else.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register) };
    register & FLAGS != 0
}

/// Steps after the decay cost what all others do: no operation meets a subnormal number, which
/// takes many processors a hundred cycles.
#[cfg(target_arch = "x86_64")]
#[test]
fn steps_after_a_decay_meet_no_subnormal_number() {
    assert!(meets_subnormal_numbers(|| {
        std::hint::black_box(std::hint::black_box(f64::MIN_POSITIVE) * std::hint::black_box(0.3));
    }));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (name, mut study) in decaying(DECAY) {
        // Whole groups of lanes: those that no instance takes begin anew with every interval.
        study.ensemble.size = 64;
        let ready = Ready::new(study);
        for precision in [Precision::F32, Precision::F64] {
            let backends = [
                ready.cpu(precision, Level::new(), false),
                ready.interpreted(precision, Level::new(), false),
            ];
            for mut backend in backends {
                let slow = pool.install(|| {
                    backend.load(&ready.batch(0, ready.size())).expect("load");
                    let quarter = DECAY / 4;
                    (0..4)
                        .map(|k| {
                            meets_subnormal_numbers(|| {
                                backend.advance(k * quarter, (k + 1) * quarter).expect("advance");
                            })
                        })
                        .collect::<Vec<bool>>()
                });
                println!("{name}, {precision:?}: {slow:?}");
                assert!(!slow[3], "{name}, {precision:?}, {}", backend.describe());
            }
        }
    }
}

/// Every SIMD level this machine has, from the widest down.
fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut levels = vec![("best", best)];
    #[cfg(target_arch = "x86_64")]
    levels.extend(
        [
            ("AVX-512", best.as_avx512().map(Level::Avx512)),
            ("AVX2", best.as_avx2().map(Level::Avx2)),
            ("SSE4.2", best.as_sse4_2().map(Level::Sse4_2)),
            ("SSE2", best.as_sse2().map(Level::Sse2)),
        ]
        .into_iter()
        .filter_map(|(name, level)| Some((name, level?))),
    );
    levels
}

/// Smaller ensembles of every kind; the sizes leave lanes and blocks part empty.
fn all_cases() -> Vec<(&'static str, Study)> {
    let n = 1003;
    vec![
        ("free", cases::free(n)),
        ("varied inertia and mass", cases::varied_inertia_and_mass(n)),
        ("top", cases::top(n)),
        ("thrown", cases::thrown(n)),
        ("jumps", cases::jumps(n)),
        ("full inertia", cases::full_inertia(n)),
        ("all varied", cases::all_varied(n)),
        ("bounded", cases::bounded(n)),
    ]
}

#[test]
fn threads_and_lane_widths_do_not_change_a_bit() {
    for (name, study) in all_cases() {
        let ready = Ready::new(study);
        for precision in [Precision::F32, Precision::F64] {
            let one = ready.on_cpu(precision, 1);
            assert_same(&format!("{name}, threads"), &ready.on_cpu(precision, 2), &one);
            for (level_name, level) in levels() {
                let outcome = ready.run(&mut *ready.cpu(precision, level, false), 0, ready.size());
                assert_same(&format!("{name}, {level_name}"), &outcome, &one);
            }
        }
    }
}

/// Where multiply-adds can be fused, they are at every width.
#[test]
fn fused_arithmetic_is_one_arithmetic_and_another_than_unfused() {
    let ready = Ready::new(cases::thrown(1003));
    let best = Level::new();
    for precision in [Precision::F32, Precision::F64] {
        let fused = ready.run(&mut *ready.cpu(precision, best, true), 0, ready.size());
        #[cfg(target_arch = "x86_64")]
        {
            let Some(avx2) = best.as_avx2() else {
                println!("not shown: this machine does not fuse");
                return;
            };
            let narrow = ready.run(&mut *ready.cpu(precision, Level::Avx2(avx2), true), 0, ready.size());
            assert_same("fused, AVX2", &narrow, &fused);
        }
        assert_ne!(fused.states, ready.on_cpu(precision, 1).states);
    }
}

/// Whether multiply-adds are fused or not, at every width that machine code is made for and at
/// those that it is not.
#[test]
fn machine_code_does_not_change_a_bit() {
    for (name, study) in all_cases() {
        let ready = Ready::new(study);
        for (level_name, level) in levels() {
            let (single, double) = (Precision::F32, Precision::F64);
            for (precision, fused) in [(single, false), (single, true), (double, false), (double, true)] {
                let mut code = ready.cpu(precision, level, fused);
                let mut interpreted = ready.interpreted(precision, level, fused);
                assert!(interpreted.describe().ends_with("interpreted"), "{}", interpreted.describe());
                if cfg!(target_arch = "x86_64") && level_name.starts_with("AVX") {
                    assert!(code.describe().ends_with("machine code"), "{}", code.describe());
                }
                let by_code = ready.run(&mut *code, 0, ready.size());
                let by_lanes = ready.run(&mut *interpreted, 0, ready.size());
                assert_same(&format!("{name}, {level_name}, {precision:?}, {fused}"), &by_code, &by_lanes);
            }
        }
    }
}

fn appended(parts: Vec<Outcome>) -> Outcome {
    let mut parts = parts.into_iter();
    let mut all = parts.next().expect("a part");
    for part in parts {
        for (plane, more) in all.states.iter_mut().zip(part.states) {
            plane.extend(more);
        }
        all.ends.extend(part.ends);
    }
    all
}

/// The ensemble in chunks of this size, one after another on one backend.
fn in_chunks(ready: &Ready, backend: &mut dyn polhode::backend::Backend, chunk: usize) -> Outcome {
    let starts = (0..ready.size()).step_by(chunk);
    appended(starts.map(|first| ready.run(backend, first, chunk.min(ready.size() - first))).collect())
}

#[test]
fn chunks_do_not_change_a_bit_on_the_cpu() {
    for (name, study) in all_cases() {
        let ready = Ready::new(study);
        let whole = ready.on_cpu(Precision::F32, 1);
        for chunk in [1, 7, 1000] {
            let mut backend = ready.cpu(Precision::F32, Level::new(), false);
            assert_same(
                &format!("{name}, chunks of {chunk}"),
                &in_chunks(&ready, &mut *backend, chunk),
                &whole,
            );
        }
    }
}

#[test]
fn chunks_do_not_change_a_bit_on_the_gpu() {
    for (name, study, chunks) in [
        // A dispatch costs about a millisecond: chunks of one instance are shown once.
        ("bounded", cases::bounded(300), vec![1, 7, 299]),
        ("all varied", cases::all_varied(1003), vec![7, 1000]),
    ] {
        let ready = Ready::new(study);
        let whole = ready.on_gpu(Precision::F32);
        for chunk in chunks {
            let mut backend = ready.gpu(Precision::F32);
            assert_same(
                &format!("{name}, chunks of {chunk}"),
                &in_chunks(&ready, &mut *backend, chunk),
                &whole,
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any range of instances, in either fusing, is that range of the whole ensemble.
    #[test]
    fn any_part_is_that_part_of_the_whole(
        case in 0usize..8, first in 0usize..1003, count in 1usize..200, fused: bool,
    ) {
        let (name, mut study) = all_cases().swap_remove(case);
        study.method.steps = 60;
        study.observe.every = 25;
        let ready = Ready::new(study);
        let count = count.min(ready.size() - first);
        let mut backend = ready.cpu(Precision::F32, Level::new(), fused);
        let whole = ready.run(&mut *backend, 0, ready.size());
        let part = ready.run(&mut *backend, first, count);
        let expected = Outcome {
            states: whole.states.iter().map(|plane| plane[first..first + count].to_vec()).collect(),
            ends: whole.ends[first..first + count].to_vec(),
        };
        assert_same(name, &part, &expected);
    }
}

/// A batch of many pieces of memory arrives whole, on the device and in what the host keeps of it.
/// Speeds are told as shares of it.
#[test]
fn the_peak_of_a_device_is_measured() {
    for precision in [Precision::F32, Precision::F64] {
        let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter");
        let peak = Peak::new(device, precision).expect("a kernel").measure().expect("a time");
        assert!((1e6..1e16).contains(&peak), "{precision:?}: {peak} operations a second");
    }
}

#[test]
fn a_batch_of_many_pieces_is_loaded_whole() {
    let ready = Ready::new(cases::free(100));
    let count = 2_000_003;
    let mut batch = Batch::new(&ready.plan, count);
    for (c, plane) in batch.states.iter_mut().enumerate() {
        plane.iter_mut().enumerate().for_each(|(i, x)| *x = (i + c) as f64 / 3.0);
    }
    let device = Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter");
    let mut gpu = Gpu::<f32>::new(ready.plan.clone(), device, Precision::F32).expect("a kernel");
    let loaded = gpu.kernel().state.clone();
    for round in 0..2 {
        let begun = std::time::Instant::now();
        gpu.load(&batch).expect("it fits");
        println!("round {round}: {count} instances, {} planes: {:?}", loaded.len(), begun.elapsed());
        for from in ["the host", "the device"] {
            for c in loaded.iter().filter(|c| ready.plan.moving.get(**c) == Some(&true)) {
                let mut read = vec![f64::NAN; count];
                gpu.read_channel(*c, 0, &mut read);
                let differs =
                    read.iter().zip(&batch.states[*c]).position(|(a, b)| *a != f64::from(*b as f32));
                assert_eq!(differs, None, "channel {c}, from {from}");
            }
            gpu.fetch().expect("it is there");
        }
        batch.states.iter_mut().flatten().for_each(|x| *x += 1.0);
    }
}

/// A device whose speed is known gets its work at once; of another one, dispatches grow by four at
/// most.
#[test]
fn the_first_dispatches_know_the_device() {
    let mut study = cases::free(100);
    study.method.steps = 3200;
    let ready = Ready::new(study);
    let batch = ready.batch(0, ready.size());
    let dispatches = |rate: &dyn Fn(f64) -> f64| {
        let mut device = Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter");
        let kernel = Kernel::new(&ready.plan, Precision::F32);
        device.rate = Some(rate(batch.count as f64 * kernel.step.total() as f64));
        let traffic = device.traffic.clone();
        let mut gpu = Gpu::<f32>::with_kernel(ready.plan.clone(), device, kernel).expect("a pipeline");
        gpu.load(&batch).expect("it fits");
        gpu.advance(0, 3200).expect("it goes on");
        traffic.so_far().dispatches
    };
    // All steps in the first 10 ms.
    assert_eq!(dispatches(&|operations| 1e2 * 3200.0 * operations), 1);
    // A hundred of them: then 400, 1600 and the last 1100, where the device is quick enough.
    let several = dispatches(&|operations| 1e2 * 100.0 * operations);
    assert!((4..20).contains(&several), "{several}");
}
