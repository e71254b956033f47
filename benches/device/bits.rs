//! Shipped studies on the CPU, unfused and fused, and on every adapter: which numbers of the state
//! differ, and by how much.
//!
//! The generated kernel and the CPU compute the same operations in the same order. Where no driver
//! fuses a multiplication with an addition, flushes subnormal numbers or approximates a division or
//! a root, all bits are equal. A kernel that says `fma` where the CPU fuses has the bits of the
//! fused CPU, where the device rounds that once.

use std::path::Path;

use fearless_simd::Level;
use polhode::backend::gpu::Phrasing;
use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::printed::Printed;
use polhode::backend::program::Program;
use polhode::backend::{Backend, BackendError, Batch, End, Plan, cpu, gpu};
use polhode::base::{Precision, Setting, Verdict};
use polhode::describe::Study;
use polhode::methods::{chooses_steps, own_steps};
use polhode::model::{AT_REST, WIDTH};
use polhode::study::judge::planned;
use polhode::study_file::read_study;

use crate::Context;
use crate::rows::Row;

const STUDIES: [&str; 12] = [
    "tumbling",
    "throughput_heavy_top",
    "hulbert_51",
    "double_pendulum",
    "furuta_pendulum",
    "rolling_ball",
    "spacecraft",
    "four_bar",
    "bricard",
    "slider_crank_elastic",
    "crane",
    "stiffness_decades",
];
/// Single precision holds no smaller tolerance: an instance would find no step.
const TOLERANCE_F32: f64 = 1e-4;
const INSTANCES: usize = 256;
/// The first step shows which operations differ; later ones, what becomes of that.
const STEPS: [u64; 2] = [1, 200];

/// A shipped study in this precision, with so many steps at most, seen at its end alone.
pub fn shipped(name: &str, precision: Precision, steps: u64) -> Result<Study, String> {
    let mut study =
        read_study(Path::new(&format!("studies/{name}.toml"))).map_err(|problems| problems.to_string())?;
    study.run.precision = precision;
    if precision == Precision::F32 && chooses_steps(study.method.name, &study.method.options) {
        let tolerance = Setting::Number(TOLERANCE_F32);
        study.method.options = study.method.options.with(own_steps::KEY.name, tolerance);
    }
    study.method.steps = study.method.steps.min(steps);
    study.observe.every = study.method.steps;
    Ok(study)
}

/// States `[channel][instance]`, and how the instances ended so far.
type Seen = (Vec<Vec<f64>>, Vec<End>);

/// The states and ends after each of [`STEPS`].
fn course(backend: &mut dyn Backend, plan: &Plan, batch: &Batch) -> Result<Vec<Seen>, BackendError> {
    backend.load(batch)?;
    let mut first = 0;
    STEPS
        .iter()
        .map(|&end| {
            backend.advance(first, end)?;
            backend.fetch()?;
            first = end;
            let mut states = vec![vec![f64::NAN; batch.count]; plan.moving.len()];
            let mut ends = vec![End { verdict: Verdict::InvalidSample, step: u64::MAX }; batch.count];
            backend.read(0, &mut states);
            backend.ends(0, &mut ends);
            Ok((states, ends))
        })
        .collect()
}

/// Units of the last place between two numbers of a precision: how many numbers lie between them,
/// and one.
fn ulps(a: f64, b: f64, precision: Precision) -> f64 {
    // Floats of one sign are ordered as their bits; those below zero count downwards.
    let place = |x: f64| match precision {
        Precision::F32 | Precision::F32Compensated => {
            let bits = i64::from((x as f32).to_bits() & 0x7fff_ffff);
            if x < 0.0 { -bits } else { bits }
        }
        Precision::F64 => {
            let bits = (x.to_bits() & 0x7fff_ffff_ffff_ffff) as i64;
            if x < 0.0 { -bits } else { bits }
        }
    };
    match a.is_nan() == b.is_nan() {
        true if a.is_nan() => 0.0,
        true => (place(a) as f64 - place(b) as f64).abs(),
        false => f64::INFINITY,
    }
}

/// By channel, the largest number of its kind in the mechanism: of all attitudes, rates, positions
/// or velocities of bodies, or of the channel where it is none of these. A channel that is rounding
/// alone has no scale of its own.
fn scales(states: &[Vec<f64>], plan: &Plan) -> Vec<f64> {
    let kind = |channel: usize| match channel < WIDTH * plan.model.bodies() {
        true => match channel % WIDTH {
            0..4 => 0,
            4..AT_REST => 1,
            within => 2 + (within - AT_REST) / 3,
        },
        false => WIDTH + channel,
    };
    let largest = |c: usize| states[c].iter().fold(f64::MIN_POSITIVE, |most: f64, x| most.max(x.abs()));
    let own: Vec<f64> = (0..states.len()).map(largest).collect();
    let of_kind = |c: usize| {
        let alike = (0..states.len()).filter(|other| kind(*other) == kind(c));
        alike.fold(f64::MIN_POSITIVE, |most, other| most.max(own[other]))
    };
    (0..states.len()).map(of_kind).collect()
}

/// Differences between the numbers of two runs.
struct Difference {
    numbers: u64,
    differ: u64,
    last_places: f64,
    /// Over the scale of the channel.
    relative: f64,
}

fn difference(expected: &Seen, got: &Seen, plan: &Plan, precision: Precision) -> Difference {
    let mut found = Difference { numbers: 0, differ: 0, last_places: 0.0, relative: 0.0 };
    for ((a, b), scale) in expected.0.iter().zip(&got.0).zip(scales(&expected.0, plan)) {
        for (a, b) in a.iter().zip(b) {
            let places = ulps(*a, *b, precision);
            found.numbers += 1;
            if places > 0.0 {
                found.differ += 1;
                found.last_places = found.last_places.max(places);
                found.relative = found.relative.max((a - b).abs() / scale);
            }
        }
    }
    found
}

fn one(
    context: &mut Context,
    adapter: &AdapterSummary,
    name: &str,
    precision: Precision,
) -> Result<(), String> {
    let study = shipped(name, precision, STEPS[1])?;
    let (plan, batch) = planned(&study, INSTANCES).map_err(|error| error.to_string())?;
    let on_cpu = |fused: bool| {
        let mut backend = cpu::open(plan.clone(), precision, fused, Level::new());
        course(&mut *backend, &plan, &batch).map_err(|error| error.to_string())
    };
    let (unfused, fused) = (on_cpu(false)?, on_cpu(true)?);
    let wanted = AdapterChoice::Named(adapter.name.clone());
    let program = Program::new(&plan, precision);
    let on_gpu = |fused: bool| {
        let mut device = Device::open(&wanted, precision)?;
        device.ask();
        let phrasing = Phrasing { selected: false, ..device.phrasing(fused) };
        let printed = Printed::whole(&plan, precision, &program, phrasing);
        course(&mut *gpu::open_with(plan.clone(), device, precision, printed)?, &plan, &batch)
    };
    let said = |error: BackendError| error.to_string();
    let (got, got_fused) = (on_gpu(false).map_err(said)?, on_gpu(true).map_err(said)?);
    for (k, steps) in STEPS.into_iter().enumerate() {
        let difference_to =
            |expected: &[Seen], got: &[Seen]| difference(&expected[k], &got[k], &plan, precision);
        let (plain, with_fused) = (difference_to(&unfused, &got), difference_to(&fused, &got_fused));
        let verdicts = unfused[k].1.iter().zip(&got[k].1).filter(|(a, b)| a != b).count();
        let row = || Row::of("bits", &adapter.name, name).in_precision(precision).over(INSTANCES, steps);
        for (figure, value, unit) in [
            ("numbers", plain.numbers as f64, "1"),
            ("differ", plain.differ as f64, "1"),
            ("largest difference", plain.last_places, "units of the last place"),
            ("largest difference over the mechanism's scale", plain.relative, "1"),
            ("differ from the fused CPU", with_fused.differ as f64, "1"),
            ("largest difference from it over the mechanism's scale", with_fused.relative, "1"),
            ("verdicts differ", verdicts as f64, "1"),
        ] {
            context.rows.push(row().number(figure, value, unit, None))?;
        }
    }
    Ok(())
}

/// All studies on all adapters in all their precisions, as long as time is left.
pub fn compare(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        // Where time is short, all studies in one precision tell more than some in both.
        for precision in Context::precisions(&adapter) {
            for name in STUDIES {
                let row = || Row::of("bits", &adapter.name, name).in_precision(precision);
                let done = match context.left() > 0.0 {
                    true => one(context, &adapter, name, precision),
                    false => Err("no time was left".to_string()),
                };
                if let Err(reason) = done {
                    context.rows.push(row().left_out(&reason))?;
                }
            }
        }
    }
    Ok(())
}
