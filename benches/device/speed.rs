//! Speeds of kernels: the free body's against the engine's `rigid_body.wgsl` by hand, and those of
//! mechanisms, each with the peak of fused multiply-adds in the same turns.
//!
//! All that is compared takes turns, so that a device that changes its clock changes it for all.
//! Steps are fixed: as many as take the wanted time, the same for all of a row.

use std::time::Instant;

use fearless_simd::Level;
use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::peak::Peak;
use polhode::backend::gpu::{self, rigid_body};
use polhode::backend::{Backend, BackendError, Batch, End, Plan, cpu};
use polhode::base::{Options, Precision, Setting, Verdict};
use polhode::methods::{AnyMethod, chooses_steps, own_steps};
use polhode::study::judge::planned;
use polhode::study::plan::nominal;
use polhode::study::yardsticks;

use crate::Context;
use crate::bits::shipped;
use crate::rows::Row;

/// Turns that medians are taken over; less where time ends, three at least.
const TURNS: usize = 9;
/// One measurement should take so long (s).
const TIME: f64 = 0.2;
const PERIOD: u64 = 100;
/// Instances of a workgroup of the ensemble kernels, to which their buffers are rounded up.
pub const WORKGROUP: usize = 64;
/// Different starts of a large ensemble, repeated: drawing 10^8 on the host would take the time of
/// all parts.
const DRAWN: usize = 1 << 16;

/// J = (5, 10, 1), h = 1 ms, half chain restarted every 100 steps.
pub fn free_body() -> Result<Plan, String> {
    let mechanism = yardsticks::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
    let plan = nominal(&mechanism, AnyMethod::default(), 1e-3, u64::from(u32::MAX));
    let mut plan = plan.map_err(|_| "the free body is none")?;
    (plan.schedule.resynchronise, plan.schedule.check) = (PERIOD, PERIOD);
    Ok(plan)
}

/// Free bodies that spin a little differently.
pub fn free_bodies(plan: &Plan, count: usize) -> Batch {
    let mut batch = Batch::new(plan, count);
    for (c, value) in [1.0, 0.0, 0.0, 0.0, 0.1, 2.0, 0.1].into_iter().enumerate() {
        batch.states[c].fill(value);
    }
    for (i, w) in batch.states[5].iter_mut().enumerate() {
        *w += 0.05 * (i % 1024) as f64 / 1024.0;
    }
    batch
}

/// Bytes of an instance on the device, and on the host, which keeps it in f64 and as it is fetched.
pub fn bytes(plan: &Plan, kernel: &Kernel, precision: Precision) -> (u64, u64) {
    let real = precision.bytes();
    let planes = kernel.state.len().max(kernel.parameters.len()) as u64;
    let host = plan.moving.len() as u64 + kernel.parameters.len() as u64;
    (planes * real, 2 * host * 8)
}

/// Memory that the host has left (bytes), where it says so.
pub fn host_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

/// Why so many instances are not tried on this adapter, if they are not.
pub fn does_not_fit(adapter: &AdapterSummary, count: usize, (device, host): (u64, u64)) -> Option<String> {
    let limit = adapter.binding_limit_bytes.min(adapter.buffer_limit_bytes);
    let wanted = device * count.next_multiple_of(WORKGROUP) as u64;
    if wanted > limit {
        return Some(format!("{wanted} B of state, the adapter binds {limit} B at most"));
    }
    let free = host_memory()?;
    (host * count as u64 > free / 10 * 8)
        .then(|| format!("{} B on the host, {free} B are free", host * count as u64))
}

fn seconds(backend: &mut dyn Backend, steps: u64) -> Result<f64, BackendError> {
    let started = Instant::now();
    backend.advance(0, steps)?;
    Ok(started.elapsed().as_secs_f64())
}

/// Times of turns (s), a column a backend, and the peaks (1/s) of the same turns.
struct Turns {
    steps: u64,
    times: Vec<Vec<f64>>,
    peaks: Vec<f64>,
}

/// All backends in turns over the batch; no more steps than `most`, and no longer than `budget`
/// (s), loading included. `reload`: every turn begins at the start of the motion, else where the
/// one before ended.
fn turns(
    backends: &mut [Box<dyn Backend>],
    peak: &Peak,
    batch: &Batch,
    reload: bool,
    most: u64,
    budget: f64,
) -> Result<Turns, BackendError> {
    let started = Instant::now();
    let time = (budget / (2 * TURNS * backends.len()) as f64).min(TIME);
    let mut steps = PERIOD.min(most);
    // The first dispatch compiles.
    for backend in backends.iter_mut() {
        backend.load(batch)?;
        seconds(&mut **backend, steps)?;
    }
    // On the way the backends find the length of their dispatches.
    loop {
        let mut slowest = 0.0f64;
        for backend in backends.iter_mut() {
            if reload {
                backend.load(batch)?;
            }
            slowest = slowest.max(seconds(&mut **backend, steps)?);
        }
        if slowest > 0.5 * time || steps >= most || started.elapsed().as_secs_f64() > 0.5 * budget {
            break;
        }
        let wanted = (steps as f64 * (time / slowest.max(1e-9)).min(8.0)) as u64;
        steps = wanted.next_multiple_of(PERIOD).min(most);
    }
    let mut turns = Turns { steps, times: vec![Vec::new(); backends.len()], peaks: Vec::new() };
    for turn in 0..TURNS {
        if turn >= 3 && started.elapsed().as_secs_f64() > budget {
            break;
        }
        for (backend, times) in backends.iter_mut().zip(&mut turns.times) {
            if reload {
                backend.load(batch)?;
            }
            times.push(seconds(&mut **backend, steps)?);
        }
        turns.peaks.push(peak.measure()?);
    }
    Ok(turns)
}

/// Rows of a kernel that was measured: speed, operations a second and their share of the peak.
fn speeds(
    context: &mut Context,
    row: &Row,
    name: &str,
    times: &[f64],
    work: f64,
    operations: f64,
    peaks: &[f64],
) -> Result<(), String> {
    let rates: Vec<f64> = times.iter().map(|time| work / time).collect();
    context.rows.push(row.clone().median(name, &rates, "instance-steps/s"))?;
    let flops: Vec<f64> = rates.iter().map(|rate| rate * operations / 1e9).collect();
    context.rows.push(row.clone().median(&format!("{name}, operations"), &flops, "GFLOP/s"))?;
    let shares: Vec<f64> = flops.iter().zip(peaks).map(|(flops, peak)| 1e9 * flops / peak).collect();
    context.rows.push(row.clone().median(&format!("{name}, share of the peak"), &shares, "1"))
}

/// Returns the time that making the batch took (s).
fn kernel_row(
    context: &mut Context,
    adapter: &AdapterSummary,
    precision: Precision,
    count: usize,
    budget: f64,
) -> Result<f64, String> {
    let said = |error: BackendError| error.to_string();
    let plan = free_body()?;
    let generated = Kernel::new(&plan, precision);
    let operations = generated.step.total() as f64;
    if let Some(why) = does_not_fit(adapter, count, bytes(&plan, &generated, precision)) {
        return Err(why);
    }
    let by_hand = rigid_body::kernel(&plan, precision).ok_or("no kernel by hand")?;
    let wanted = AdapterChoice::Named(adapter.name.clone());
    let open = || Device::open(&wanted, precision).map_err(said);
    let peak = Peak::new(open()?, precision).map_err(said)?;
    let preparing = Instant::now();
    let batch = free_bodies(&plan, count);
    let prepared = preparing.elapsed().as_secs_f64();
    let mut backends = vec![
        gpu::open_with(plan.clone(), open()?, precision, generated).map_err(said)?,
        gpu::open_with(plan, open()?, precision, by_hand).map_err(said)?,
    ];
    let turns = turns(&mut backends, &peak, &batch, false, 1 << 30, budget).map_err(said)?;
    let row = Row::of("kernels", &adapter.name, "free body").in_precision(precision).over(count, turns.steps);
    let work = count as f64 * turns.steps as f64;
    for (name, times) in ["generated", "by hand"].into_iter().zip(&turns.times) {
        speeds(context, &row, name, times, work, operations, &turns.peaks)?;
    }
    let ratios: Vec<f64> = turns.times[1].iter().zip(&turns.times[0]).map(|(h, g)| h / g).collect();
    context.rows.push(row.clone().median("generated over by hand", &ratios, "1"))?;
    let peaks: Vec<f64> = turns.peaks.iter().map(|peak| peak / 1e9).collect();
    context.rows.push(row.median("FMA peak", &peaks, "GFLOP/s"))?;
    Ok(prepared)
}

/// The free body: the generated kernel and the one by hand.
pub fn kernels(context: &mut Context) -> Result<(), String> {
    let mut wanted = Vec::new();
    for adapter in context.adapters.clone() {
        for count in context.ladder(&adapter) {
            wanted.extend(Context::precisions(&adapter).into_iter().map(|p| (adapter.clone(), p, count)));
        }
    }
    // Time that an instance costs before the first step (s).
    let mut each = 0.0f64;
    for (k, (adapter, precision, count)) in wanted.iter().enumerate() {
        let budget = context.left() / (wanted.len() - k) as f64;
        // Making the batch, and loading it twice.
        let preparing = 3.0 * each * *count as f64;
        let done = match 2.0 * preparing < context.left() {
            true => kernel_row(context, adapter, *precision, *count, budget),
            false => Err(format!("no time was left: loading takes about {preparing:.1} s")),
        };
        let done = done.map(|prepared| each = prepared / *count as f64);
        if let Err(reason) = done {
            let row = Row::of("kernels", &adapter.name, "free body").in_precision(*precision).over(*count, 0);
            context.rows.push(row.left_out(&reason))?;
        }
    }
    Ok(())
}

/// The steps of a mechanism.
#[derive(Clone, Copy, PartialEq)]
enum Steps {
    /// Those of its study.
    Own,
    /// All instances take steps so long (s).
    Fixed(f64),
    /// Instances choose steps of `dop853` for [`EQUAL_TOLERANCE`], over this time (s): what
    /// programs of the same accuracy are compared by.
    Accurate(f64),
}

/// Mechanisms as shipped: a top, two bodies in joints, a closed loop, an elastic body, springs
/// whose stiffness spans four decades.
const MECHANISMS: [(&str, &str, Steps); 8] = [
    ("free body, as drawn", "tumbling", Steps::Own),
    ("free body, dop853 at 1e-9, 10 s", "throughput_free_body", Steps::Accurate(10.0)),
    ("heavy top", "throughput_heavy_top", Steps::Own),
    ("double pendulum", "double_pendulum", Steps::Own),
    ("four-bar linkage", "four_bar", Steps::Own),
    ("flexible crank", "slider_crank_elastic", Steps::Own),
    ("bobs on springs, own steps", "stiffness_decades", Steps::Own),
    ("bobs on springs, 1.25 ms for all", "stiffness_decades", Steps::Fixed(1.25e-3)),
];

/// Most instances of a mechanism: they fill every device, and more are made on the host for longer
/// than they are measured.
const MOST: usize = 1_000_000;

/// The accuracy at which methods that choose their steps are compared.
const EQUAL_TOLERANCE: f64 = 1e-9;

/// Counts the instances of the last batch that did not reach the end.
fn failed(backend: &mut dyn Backend, count: usize) -> Result<usize, BackendError> {
    let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; count];
    backend.fetch()?;
    backend.ends(0, &mut ends);
    Ok(ends.iter().filter(|end| end.verdict != Verdict::Finished).count())
}

/// A mechanism over all sizes in one precision; the smallest size on the CPU with all threads too.
fn mechanism(
    context: &mut Context,
    adapter: &AdapterSummary,
    (name, study, steps): (&str, &str, Steps),
    precision: Precision,
    budget: f64,
) -> Result<(), String> {
    let said = |error: BackendError| error.to_string();
    let end = Instant::now() + std::time::Duration::from_secs_f64(budget);
    let mut study = shipped(study, precision, u64::MAX)?;
    let replaced = match steps {
        Steps::Own => None,
        Steps::Fixed(step) => {
            study.method.options = Options::default();
            Some((step, (study.method.step * study.method.steps as f64 / step).round() as u64))
        }
        Steps::Accurate(duration) => {
            study.method.name = "dop853";
            study.method.options =
                Options::default().with(own_steps::KEY.name, Setting::Number(EQUAL_TOLERANCE));
            Some((1.0, duration as u64))
        }
    };
    if let Some(chosen) = replaced {
        (study.method.step, study.method.steps) = chosen;
        study.observe.every = study.method.steps;
        study.observe.channels.clear();
    }
    let own_steps = chooses_steps(study.method.name, &study.method.options);
    let (plan, drawn) =
        planned(&study, DRAWN.min(study.ensemble.size as usize)).map_err(|error| error.to_string())?;
    let kernel = Kernel::new(&plan, precision);
    let (operations, space) = (kernel.step.total() as f64, bytes(&plan, &kernel, precision));
    let wanted = AdapterChoice::Named(adapter.name.clone());
    let open = || Device::open(&wanted, precision).map_err(said);
    let compiling = Instant::now();
    let backend = gpu::open_with(plan.clone(), open()?, precision, kernel).map_err(said)?;
    let compiled = compiling.elapsed().as_secs_f64();
    let row = || Row::of("mechanisms", &adapter.name, name).in_precision(precision);
    let peak = Peak::new(open()?, precision).map_err(said)?;
    let on_cpu = cpu::open(plan.clone(), precision, study.run.fused, Level::new());
    let mut backends = [backend, on_cpu];
    let mut ladder = context.ladder(adapter);
    ladder.retain(|count| *count <= MOST);
    // Time that an instance costs before the first step (s).
    let mut each = 0.0f64;
    for (k, &count) in ladder.iter().enumerate() {
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        // Making the batch, and loading it for three turns and what comes before.
        let preparing = 7.0 * each * count as f64;
        let why = match preparing < left {
            true => does_not_fit(adapter, count, space),
            false => Some(format!("no time was left: loading takes about {preparing:.1} s")),
        };
        if let Some(why) = why {
            context.rows.push(row().over(count, 0).left_out(&why))?;
            continue;
        }
        let preparing = Instant::now();
        let places: Vec<usize> = (0..count).map(|i| i % drawn.count).collect();
        let batch = drawn.of(&places);
        each = preparing.elapsed().as_secs_f64() / count as f64;
        let most = plan.schedule.steps;
        // The CPU's time an instance-step hardly depends on the number of instances: once is
        // enough.
        let compared = if k == 0 { 2 } else { 1 };
        let taken =
            turns(&mut backends[..compared], &peak, &batch, true, most, left / (ladder.len() - k) as f64)
                .map_err(said)?;
        let work = count as f64 * taken.steps as f64;
        let measured = row().over(count, taken.steps);
        let motion: Vec<f64> = taken.times[0].iter().map(|time| work * plan.schedule.h / time).collect();
        context.rows.push(measured.clone().median("motion", &motion, "instance-seconds/s"))?;
        // The device alone knows how many attempts a step took.
        if !own_steps {
            speeds(context, &measured, "kernel", &taken.times[0], work, operations, &taken.peaks)?;
        }
        let lost = failed(&mut *backends[0], count).map_err(said)?;
        context.rows.push(measured.clone().number("failed", lost as f64, "1", None))?;
        if let Some(times) = taken.times.get(1) {
            context.rows.push(measured.clone().number(
                "device and kernel ready after",
                compiled,
                "s",
                None,
            ))?;
            let rates: Vec<f64> = times.iter().map(|time| work / time).collect();
            context.rows.push(measured.median("CPU, all threads", &rates, "instance-steps/s"))?;
        }
    }
    Ok(())
}

/// Mechanisms of several kinds, each by the method of its study.
pub fn mechanisms(context: &mut Context) -> Result<(), String> {
    let mut wanted = Vec::new();
    for adapter in context.adapters.clone() {
        for case in MECHANISMS {
            let mut precisions = Context::precisions(&adapter);
            // Single precision holds no such accuracy.
            precisions.retain(|p| *p == Precision::F64 || !matches!(case.2, Steps::Accurate(_)));
            wanted.extend(precisions.into_iter().map(|p| (adapter.clone(), case, p)));
        }
    }
    for (k, (adapter, case, precision)) in wanted.iter().enumerate() {
        let budget = context.left() / (wanted.len() - k) as f64;
        let done = match budget > 0.0 {
            true => mechanism(context, adapter, *case, *precision, budget),
            false => Err("no time was left".to_string()),
        };
        if let Err(reason) = done {
            let row = Row::of("mechanisms", &adapter.name, case.0).in_precision(*precision);
            context.rows.push(row.left_out(&reason))?;
        }
    }
    Ok(())
}
