//! How fast the generated kernel of a free body is on a GPU, against `shaders/rigid_body.wgsl` by hand.
//!
//!     cargo bench --bench gpu                        ladder 1e4 .. 1e8 on hardware, 1e4 on a software adapter
//!     cargo bench --bench gpu -- 10000 1000000       these numbers of instances
//!
//! J = (5, 10, 1), h = 1 ms, half chain restarted every 100 steps. Both kernels run through the same backend in turns in
//! one process; medians are printed as CSV. The first adapter is used, real ones before software. An ensemble larger than
//! what the adapter binds at once is left out, and said to be.

use std::time::Instant;

use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::{Gpu, rigid_body};
use polhode::backend::{Backend, BackendError, Batch, Plan};
use polhode::base::Precision;
use polhode::methods::AnyMethod;
use polhode::real::Element;
use polhode::study::plan::nominal;
use polhode::study::yardsticks;

/// Turns that medians are taken over.
const TURNS: usize = 9;
/// What one measurement should take (s).
const TIME: f64 = 0.2;
const PERIOD: u64 = 100;

fn free_body() -> Plan {
    let mechanism = yardsticks::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
    let steps = u64::from(u32::MAX);
    let mut plan =
        nominal(&mechanism, AnyMethod::default(), 1e-3, steps).expect("the mechanism describes a body");
    (plan.schedule.resynchronise, plan.schedule.check) = (PERIOD, PERIOD);
    plan
}

fn batch(plan: &Plan, count: usize) -> Batch {
    let mut batch = Batch::new(plan, count);
    for (c, value) in [1.0, 0.0, 0.0, 0.0, 0.1, 2.0, 0.1].into_iter().enumerate() {
        batch.states[c].fill(value);
    }
    for (i, w) in batch.states[5].iter_mut().enumerate() {
        *w += 0.05 * (i % 1024) as f64 / 1024.0;
    }
    batch
}

fn seconds<E: Element>(gpu: &mut Gpu<E>, steps: u64) -> Result<f64, BackendError> {
    let started = Instant::now();
    gpu.advance(0, steps)?;
    Ok(started.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Both kernels in turns over this many instances.
fn measure<E: Element>(precision: Precision, count: usize) -> Result<(), BackendError> {
    let plan = free_body();
    let open = || Device::open(&AdapterChoice::Any, precision);
    let device = open()?;
    let limit = device.limits.max_storage_buffer_binding_size.min(device.limits.max_buffer_size);
    let generated = Kernel::new(&plan, precision);
    let operations = generated.step.total() as f64;
    let bytes = (generated.state.len() * count * std::mem::size_of::<E>()) as u64;
    if bytes > limit {
        println!("# {} instances in {} left out: {bytes} bytes of state, {limit} at most", count, E::NAME);
        return Ok(());
    }
    let by_hand = rigid_body::kernel(&plan, precision).expect("a free body");
    let batch = batch(&plan, count);
    let mut by_hand = Gpu::<E>::with_kernel(plan.clone(), open()?, by_hand)?;
    let mut generated = Gpu::<E>::with_kernel(plan, device, generated)?;
    for gpu in [&mut generated, &mut by_hand] {
        gpu.load(&batch)?;
    }
    // As many steps as take the wanted time; on the way the backend finds the length of its dispatches.
    let mut steps = PERIOD;
    loop {
        let slower = seconds(&mut generated, steps)?.max(seconds(&mut by_hand, steps)?);
        if slower > 0.5 * TIME || steps > 1 << 30 {
            break;
        }
        let wanted = (steps as f64 * (TIME / slower).min(8.0)) as u64;
        steps = wanted.next_multiple_of(PERIOD);
    }
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (rates, gpu) in rates.iter_mut().zip([&mut generated, &mut by_hand]) {
            rates.push((count as u64 * steps) as f64 / seconds(gpu, steps)?);
        }
    }
    let ratio = median(rates[0].iter().zip(&rates[1]).map(|(g, h)| g / h).collect());
    let [g, h] = rates.map(median);
    println!(
        "{},{count},{steps},{:.1},{:.1},{ratio:.3},{:.1}",
        E::NAME,
        g / 1e6,
        h / 1e6,
        g * operations / 1e9
    );
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let device = match Device::open(&AdapterChoice::Any, Precision::F32) {
        Ok(device) => device,
        Err(error) => {
            println!("nothing measured: {error}");
            return;
        }
    };
    let adapter = device.summary.clone();
    drop(device);
    let ladder = match (asked.is_empty(), adapter.kind) {
        (false, _) => asked,
        (true, "software") => vec![10_000],
        (true, _) => vec![10_000, 100_000, 1_000_000, 10_000_000, 100_000_000],
    };
    println!(
        "# {} ({}), {}, {}; medians of {TURNS} turns",
        adapter.name, adapter.kind, adapter.backend, adapter.driver
    );
    println!("# generated and by_hand in 1e6 instance-steps/s");
    println!("precision,instances,steps,generated,by_hand,generated_of_by_hand,generated_GFLOP/s");
    for count in ladder {
        for result in [measure::<f32>(Precision::F32, count), measure::<f64>(Precision::F64, count)] {
            if let Err(error) = result {
                println!("# {count} instances: {error}");
            }
        }
    }
}
