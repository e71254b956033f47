//! `f32_compensated`: what is left of the rounding of single precision, by mechanism, method and
//! step.

use std::time::Instant;

use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::free_body;
use crate::common::methods::variants;
use crate::common::root;
use crate::common::study::{Varied, study};
use crate::common::tolerances::{
    COMPENSATED_OVER_A_MILLION_STEPS, COMPENSATED_SHARE_OF_A_METHOD, FREE_BODY_COMPENSATED,
};
use fearless_simd::Level;
use polhode::backend::program::Program;
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::methods::chooses_steps;
use polhode::model::WIDTH;
use polhode::observe::Verdict;
use polhode::study_file::read_study;

/// The largest difference of two ends of the same instances: in quaternions, and in rates,
/// positions, velocities and modal numbers as a share of the largest of their kind.
fn difference(ready: &Ready, a: &Outcome, b: &Outcome) -> f64 {
    let bodies = WIDTH * ready.plan.model.bodies();
    let kind = |channel: usize| match channel % WIDTH {
        _ if channel >= bodies => 4,
        0..4 => 0,
        4..7 => 1,
        7..10 => 2,
        _ => 3,
    };
    let (mut largest, mut off) = ([0.0f64; 5], [0.0f64; 5]);
    for channel in 0..ready.plan.model.width() {
        for (x, y) in a.states[channel].iter().zip(&b.states[channel]) {
            let kind = kind(channel);
            largest[kind] = largest[kind].max(y.abs());
            off[kind] = off[kind].max(if (x - y).is_nan() { f64::INFINITY } else { (x - y).abs() });
        }
    }
    off.iter().zip(largest).map(|(off, largest)| off / largest.max(1e-3)).fold(0.0, f64::max)
}

/// A shipped study of few instances, with this step and so many of them, or as many as it has, by
/// fused code.
fn shipped(name: &str, step: f64, steps: u64) -> Study {
    let path = root().join(format!("studies/{name}.toml"));
    let mut study = read_study(&path).unwrap_or_else(|problems| panic!("{problems}"));
    study.ensemble.size = 32;
    let steps = steps.min((study.method.step * study.method.steps as f64 / step).round() as u64);
    (study.method.step, study.method.steps, study.observe.every) = (step, steps, steps);
    (study.run.fused, study.verdict.every) = (true, steps);
    // Compliances by rule are those of single precision in all runs.
    study.run.precision = Precision::F32Compensated;
    study
}

/// Ends in this precision, and the time of an instance's step (s).
fn run(ready: &Ready, precision: Precision) -> (Outcome, f64) {
    let mut backend = ready.cpu(precision, Level::new(), true);
    let begun = Instant::now();
    let outcome = ready.run(&mut *backend, 0, ready.size());
    (outcome, begun.elapsed().as_secs_f64() / (ready.study.method.steps * 32) as f64)
}

fn operations(ready: &Ready, precision: Precision) -> usize {
    let program = Program::new(&ready.plan, precision);
    program.operations(&program.step).total()
}

/// Twelve mechanisms with a step (s), and the share of the error of f32 that may be left at a
/// quarter of it. Joints that are held by multipliers see rounded positions, and so do springs:
/// there less is gained.
const MECHANISMS: [(&str, f64, f64); 12] = [
    ("tumbling", 1e-3, 0.05),
    ("hulbert_52", 5e-4, 0.5),
    ("rolling_ball", 2e-3, 1.0),
    ("cart_pole", 1e-3, 0.05),
    ("double_pendulum", 1e-3, 1.0),
    ("solar_panels", 2e-3, 0.1),
    ("four_bar", 1e-4, 1.5),
    ("slider_crank", 5e-5, 1.5),
    ("manipulator", 5e-4, 0.05),
    ("reaction_wheels", 2e-3, 0.05),
    ("spacecraft", 2e-3, 0.05),
    ("crane", 5e-4, 1.5),
];

/// Against f64 by the same method and step; printed as the table of docs/precision.md.
#[test]
fn compensated_states_keep_what_single_ones_lose() {
    println!("| mechanism | step | f32 | f32_compensated | operations | CPU rate |");
    println!("|---|---|---|---|---|---|");
    let mut lost = Vec::new();
    for (name, coarse, allowed) in MECHANISMS {
        for finer in [1.0, 2.0, 4.0] {
            let step = coarse / finer;
            let ready = Ready::new(shipped(name, step, (4000.0 * finer) as u64));
            let [double, single, sums] =
                [Precision::F64, Precision::F32, Precision::F32Compensated].map(|p| run(&ready, p));
            let [of_single, of_sums] = [&single, &sums].map(|(end, _)| difference(&ready, end, &double.0));
            let operations = [Precision::F32, Precision::F32Compensated].map(|p| operations(&ready, p));
            println!(
                "| `{name}` | {step:e} s | {of_single:.1e} | {of_sums:.1e} | {} to {}, {:.2} | {:.2} |",
                operations[0],
                operations[1],
                operations[1] as f64 / operations[0] as f64,
                single.1 / sums.1
            );
            if finer == 4.0 && (of_sums / of_single).partial_cmp(&allowed) != Some(std::cmp::Ordering::Less) {
                lost.push((name, of_sums / of_single));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
}

/// These find the angular velocity anew at every step, from numbers of the order of 1 or of 1/h,
/// and round it as f32 does: docs/precision.md.
const FOUND_ANEW: [&str; 3] = ["midpoint", "newmark_euler_parameters", "newmark_rotation_vector"];

/// By every other method of fixed steps, the free body of PCD90 over 10 s.
#[test]
fn every_method_of_fixed_steps_keeps_sums() {
    let mut lost: Vec<String> = Vec::new();
    for variant in variants().into_iter().filter(|v| !chooses_steps(v.name, &v.options)) {
        for h in [4e-3, 1e-3, 2.5e-4] {
            let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
            let ready =
                Ready::new(variant.apply(study(body, 32, h, (10.0 / h).round() as u64).any_attitude()));
            let [double, single, sums] =
                [Precision::F64, Precision::F32, Precision::F32Compensated].map(|p| run(&ready, p).0);
            let [of_single, of_sums] = [single, sums].map(|end| difference(&ready, &end, &double));
            let operations = [Precision::F32, Precision::F32Compensated].map(|p| operations(&ready, p));
            let what = format!("{}, {h} s: {of_single:.1e} {of_sums:.1e} {operations:?}", variant.label());
            println!("{what}");
            if FOUND_ANEW.contains(&variant.name) {
                continue;
            }
            if !(of_sums < COMPENSATED_SHARE_OF_A_METHOD * of_single && of_sums < FREE_BODY_COMPENSATED) {
                lost.push(what);
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

/// A million steps of tumbling, against f64.
#[test]
fn a_million_steps_are_those_of_double_precision() {
    let mut study = shipped("tumbling", 1e-4, 500_000);
    (study.method.steps, study.observe.every, study.verdict.every) = (1_000_000, 1_000_000, 1_000_000);
    let ready = Ready::new(study);
    let [double, single, sums] =
        [Precision::F64, Precision::F32, Precision::F32Compensated].map(|p| run(&ready, p).0);
    let [of_single, of_sums] = [single, sums].map(|end| difference(&ready, &end, &double));
    println!("{of_single:.1e} {of_sums:.1e}");
    assert!(of_sums < COMPENSATED_OVER_A_MILLION_STEPS, "{of_sums:.1e}, f32 {of_single:.1e}");
}

/// Machine code and lanes, fused and not; and every state goes on from its sum.
#[test]
fn machine_code_and_lanes_have_the_same_sums() {
    for (name, step) in [("tumbling", 1e-3), ("double_pendulum", 1e-3), ("slider_crank", 5e-5)] {
        let ready = Ready::new(shipped(name, step, 500));
        for fused in [false, true] {
            let on = |code: bool| {
                let mut backend = match code {
                    true => ready.cpu(Precision::F32Compensated, Level::new(), fused),
                    false => ready.interpreted(Precision::F32Compensated, Level::new(), fused),
                };
                assert!(backend.describe().contains("f32_compensated"), "{}", backend.describe());
                ready.run(&mut *backend, 0, ready.size())
            };
            let code = on(true);
            assert_same(&format!("{name}, fused {fused}"), &code, &on(false));
            assert_eq!(code.count(Verdict::Finished), ready.size());
            // The numbers that are read are none of single precision.
            let of_sums = code.states[0].iter().filter(|x| f64::from(**x as f32) != **x).count();
            assert!(of_sums > ready.size() / 2, "{name}: {of_sums}");
        }
    }
}
