//! Every backend computes the same instances: bit for bit, as the arithmetic is the same.
//!
//! Equality is of values: zeros of either sign are equal. All instances and all state channels are compared, with
//! verdicts and steps; what is read was NaN before.

mod common;

use common::cases;
use common::engine::{Outcome, Ready, assert_same};
use common::study::Varied;
use fearless_simd::Level;
use polhode::describe::{Precision, Quantity, Study};
use polhode::observe::Verdict;
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

/// Whether multiply-adds are fused or not, at every width that machine code is made for and at those that it is not.
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
    fn any_part_is_that_part_of_the_whole(case in 0usize..8, first in 0usize..1003, count in 1usize..200, fused: bool) {
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
