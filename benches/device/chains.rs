//! Chains of rods in ball joints, by one kernel and by several: how long a kernel may be, and what
//! it does then.

use std::time::Instant;

use polhode::backend::gpu::Phrasing;
use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::printed::Printed;
use polhode::backend::program::Program;
use polhode::backend::{Backend, BackendError, Batch, Plan, gpu};
use polhode::base::Precision;
use polhode::methods::AnyMethod;
use polhode::model::{AT_REST, WIDTH};
use polhode::study::plan::nominal;

#[path = "../chains/mod.rs"]
mod rods;

use crate::rows::Row;
use crate::{Context, software};
use rods::chain;

const BODIES: [usize; 9] = [2, 4, 8, 10, 12, 16, 20, 24, 40];
const STEP: f64 = 1e-4;
const STEPS: u64 = 100;
/// Enough to keep a large device busy; fewer where no hardware is measured.
const INSTANCES: usize = 1 << 16;
const DRY: usize = 1 << 8;

/// The ways to compile the step of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Whole,
    Cut,
}

impl Way {
    const ALL: [Way; 2] = [Way::Cut, Way::Whole];
}

/// The backend, with the number of its kernels and their lines.
type Opened = (Result<Box<dyn Backend>, BackendError>, [f64; 2]);

fn opened(way: Way, plan: Plan, device: Device, precision: Precision) -> Opened {
    let program = Program::new(&plan, precision);
    let phrasing = device.phrasing(true);
    let printed = match way {
        Way::Whole => Printed::whole(&plan, precision, &program, Phrasing { selected: false, ..phrasing }),
        Way::Cut => Printed::cut(&plan, precision, &program, phrasing, "as measured".to_string()),
    };
    let (kernels, lines) = printed.size();
    (gpu::open_with(plan, device, precision, printed), [kernels as f64, lines as f64])
}

/// Kernels, lines of all, time until they are ready (s), and instance-steps a second.
fn one(
    adapter: &AdapterSummary,
    way: Way,
    precision: Precision,
    bodies: usize,
    count: usize,
) -> Result<[f64; 4], String> {
    let plan = nominal(&chain(bodies), AnyMethod::default(), STEP, u64::from(u32::MAX));
    let plan = plan.map_err(|_| "the chain is none")?;
    let mut batch = Batch::new(&plan, count);
    // At rest along x, from where they fall.
    for (k, body) in batch.states.chunks_mut(WIDTH).take(bodies).enumerate() {
        body[0].fill(1.0);
        body[AT_REST].fill(k as f64 + 0.5);
    }
    let device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision);
    let mut device = device.map_err(|error| error.to_string())?;
    device.ask();
    let started = Instant::now();
    let (backend, [kernels, lines]) = opened(way, plan, device, precision);
    let said = |error: BackendError| format!("{lines} lines: {error}");
    let mut backend = backend.map_err(said)?;
    backend.load(&batch).and_then(|()| backend.advance(0, STEPS)).map_err(said)?;
    let ready = started.elapsed().as_secs_f64();
    let started = Instant::now();
    backend.advance(STEPS, 2 * STEPS).map_err(said)?;
    Ok([kernels, lines, ready, (count as u64 * STEPS) as f64 / started.elapsed().as_secs_f64()])
}

/// Chains on all adapters in all their precisions, short ones first, as long as time is left.
pub fn measure(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        let count = if software(&adapter) { DRY } else { INSTANCES };
        // By way. Drivers compile in a time that grows faster than the chain.
        let mut longest = [0.0f64; 2];
        for bodies in BODIES {
            for (way, longest) in Way::ALL.into_iter().zip(&mut longest) {
                for precision in Context::precisions(&adapter) {
                    let cut = if way == Way::Cut { ", cut" } else { "" };
                    let case = format!("chain of {bodies} bodies{cut}");
                    let row =
                        || Row::of("chains", &adapter.name, &case).in_precision(precision).over(count, STEPS);
                    let started = Instant::now();
                    let done = match 2.0 * *longest < context.left() {
                        true => one(&adapter, way, precision, bodies, count),
                        false => Err("no time was left".to_string()),
                    };
                    *longest = longest.max(started.elapsed().as_secs_f64());
                    let figures = match done {
                        Ok(figures) => figures,
                        Err(reason) => {
                            context.rows.push(row().left_out(&reason))?;
                            continue;
                        }
                    };
                    let named = [
                        ("kernels", "1", None),
                        ("lines", "1", None),
                        ("kernel ready after", "s", Some(f64::NAN)),
                        ("speed", "instance-steps/s", Some(f64::NAN)),
                    ];
                    for ((figure, unit, spread), value) in named.into_iter().zip(figures) {
                        context.rows.push(row().number(figure, value, unit, spread))?;
                    }
                }
            }
        }
    }
    Ok(())
}
