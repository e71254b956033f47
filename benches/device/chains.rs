//! Chains of rods in ball joints: how long a kernel may be, and what it does then.

use std::time::Instant;

use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::{Batch, gpu};
use polhode::base::Precision;
use polhode::methods::AnyMethod;
use polhode::model::{AT_REST, WIDTH};
use polhode::study::plan::nominal;

#[path = "../chains/mod.rs"]
mod rods;

use crate::rows::Row;
use crate::{Context, software};
use rods::chain;

const BODIES: [usize; 8] = [2, 4, 8, 10, 12, 16, 20, 24];
const STEP: f64 = 1e-4;
const STEPS: u64 = 100;
/// Enough to keep a large device busy; fewer where no hardware is measured.
const INSTANCES: usize = 1 << 16;
const DRY: usize = 1 << 8;

/// Lines, time until the kernel is ready (s), and instance-steps a second.
fn one(
    adapter: &AdapterSummary,
    precision: Precision,
    bodies: usize,
    count: usize,
) -> Result<[f64; 3], String> {
    let plan = nominal(&chain(bodies), AnyMethod::default(), STEP, u64::from(u32::MAX));
    let plan = plan.map_err(|_| "the chain is none")?;
    let mut batch = Batch::new(&plan, count);
    // At rest along x, from where they fall.
    for (k, body) in batch.states.chunks_mut(WIDTH).take(bodies).enumerate() {
        body[0].fill(1.0);
        body[AT_REST].fill(k as f64 + 0.5);
    }
    let kernel = Kernel::new(&plan, precision);
    let lines = kernel.lines() as f64;
    let said = |error: polhode::backend::BackendError| format!("{lines} lines: {error}");
    let device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision).map_err(said)?;
    let started = Instant::now();
    let mut backend = gpu::open_with(plan, device, precision, kernel).map_err(said)?;
    backend.load(&batch).and_then(|()| backend.advance(0, STEPS)).map_err(said)?;
    let ready = started.elapsed().as_secs_f64();
    let started = Instant::now();
    backend.advance(STEPS, 2 * STEPS).map_err(said)?;
    Ok([lines, ready, (count as u64 * STEPS) as f64 / started.elapsed().as_secs_f64()])
}

/// Chains on all adapters in all their precisions, short ones first, as long as time is left.
pub fn measure(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        let count = if software(&adapter) { DRY } else { INSTANCES };
        let mut longest = 0.0f64;
        for bodies in BODIES {
            for precision in Context::precisions(&adapter) {
                let case = format!("chain of {bodies} bodies");
                let row =
                    || Row::of("chains", &adapter.name, &case).in_precision(precision).over(count, STEPS);
                let started = Instant::now();
                // Drivers compile in a time that grows faster than the chain.
                let done = match 2.0 * longest < context.left() {
                    true => one(&adapter, precision, bodies, count),
                    false => Err("no time was left".to_string()),
                };
                longest = longest.max(started.elapsed().as_secs_f64());
                match done {
                    Ok([lines, ready, rate]) => {
                        context.rows.push(row().number("lines", lines, "1", None))?;
                        context.rows.push(row().number("kernel ready after", ready, "s", Some(f64::NAN)))?;
                        context.rows.push(row().number("speed", rate, "instance-steps/s", Some(f64::NAN)))?;
                    }
                    Err(reason) => context.rows.push(row().left_out(&reason))?,
                }
            }
        }
    }
    Ok(())
}
