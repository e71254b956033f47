//! Traffic with a device: a batch that is loaded, and snapshots that are added up.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use polhode::backend::gpu;
use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::{Device, Traffic};
use polhode::backend::gpu::kernel::Kernel;
use polhode::base::Precision;
use polhode::observe::channels::Observer;
use polhode::observe::{PILOT, Pilot, Statistics};
use polhode::study::judge::planned;
use polhode::study::march::{BatchRun, Piece};

use crate::bits::shipped;
use crate::rows::Row;
use crate::speed::{bytes, does_not_fit, free_bodies, free_body};
use crate::{Context, software};

/// Turns, the first of which makes the buffers.
const TURNS: usize = 4;
/// Snapshots of a march, and the steps between them.
const SNAPSHOTS: u64 = 102;
const EVERY: u64 = 10;
/// Instances that are shown.
const SHOWN: usize = 64;

/// Measures so many instances on an adapter.
type Traversal = fn(&mut Context, &AdapterSummary, Precision, usize) -> Result<(), String>;

/// Sizes of these parts.
fn sizes(context: &Context, adapter: &AdapterSummary) -> Vec<usize> {
    match (context.sizes.is_empty(), software(adapter)) {
        (false, _) => context.sizes.clone(),
        (true, true) => vec![10_000, 100_000],
        (true, false) => vec![10_000, 100_000, 1_000_000, 10_000_000],
    }
}

/// Free bodies on their way to the device and back.
fn load(
    context: &mut Context,
    adapter: &AdapterSummary,
    precision: Precision,
    count: usize,
) -> Result<(), String> {
    let plan = free_body()?;
    let kernel = Kernel::new(&plan, precision);
    let space = bytes(&plan, &kernel, precision);
    if let Some(why) = does_not_fit(adapter, count, space) {
        return Err(why);
    }
    let said = |error: polhode::backend::BackendError| error.to_string();
    let sent = (space.0 * count as u64) as f64 / 1e9;
    let device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision).map_err(said)?;
    let batch = free_bodies(&plan, count);
    let mut backend = gpu::open_with(plan, device, precision, kernel).map_err(said)?;
    let (mut there, mut back) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let started = Instant::now();
        // The device has all that was loaded once a part of it comes back.
        backend.load(&batch).and_then(|()| backend.fetch_first(1)).map_err(said)?;
        there.push(sent / started.elapsed().as_secs_f64());
        let started = Instant::now();
        backend.fetch().map_err(said)?;
        back.push(sent / started.elapsed().as_secs_f64());
    }
    let row = || Row::of("flow", &adapter.name, "free body, loaded").in_precision(precision).over(count, 0);
    context.rows.push(row().number("loaded first", there[0], "GB/s", Some(f64::NAN)))?;
    context.rows.push(row().median("loaded again", &there[1..], "GB/s"))?;
    context.rows.push(row().median("fetched", &back[1..], "GB/s"))
}

/// Tumbling bodies, whose snapshots the device adds up.
fn look(
    context: &mut Context,
    adapter: &AdapterSummary,
    precision: Precision,
    count: usize,
) -> Result<(), String> {
    let mut study = shipped("tumbling", precision, EVERY * (SNAPSHOTS - 1))?;
    study.observe.every = EVERY;
    let said = |error: polhode::backend::BackendError| error.to_string();
    let (plan, drawn) = planned(&study, PILOT as usize).map_err(|error| error.to_string())?;
    let space = bytes(&plan, &Kernel::new(&plan, precision), precision);
    if let Some(why) = does_not_fit(adapter, count, space) {
        return Err(why);
    }
    let mut device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision).map_err(said)?;
    // A software device would leave them to the host.
    device.observes = adapter.f64;
    let counter = Arc::clone(&device.traffic);
    let mut backend = gpu::open(plan.clone(), device, precision).map_err(said)?;
    let observer = Observer::new(&plan, &study.observe.channels);
    let mut pilot = Pilot::new(SNAPSHOTS as usize, observer.width(), count as u64);
    let record = |time: usize, pieces: &[Piece]| {
        pilot.record_all(time, |column| pieces.iter().map(move |piece| &piece.values[column][..]));
    };
    let mut march = BatchRun::new(&plan, observer.clone(), &drawn);
    march.run(&mut *backend, None, record, |_| ControlFlow::Continue(())).map_err(said)?;
    let pilot = Arc::new(pilot);
    let places: Vec<usize> = (0..count).map(|i| i % drawn.count).collect();
    let batch = drawn.of(&places);
    let (mut times, mut traffic) = (Vec::new(), Traffic::default());
    for _ in 0..TURNS {
        let mut statistics = Statistics::new(pilot.clone(), &[0.5]);
        let mut march = BatchRun::new(&plan, observer.clone(), &batch).keeping(SHOWN);
        let before = counter.so_far();
        let started = Instant::now();
        let go_on = |_| ControlFlow::Continue(());
        march.run(&mut *backend, Some(&mut statistics), |_, _| {}, go_on).map_err(said)?;
        times.push(started.elapsed().as_secs_f64() / SNAPSHOTS as f64);
        traffic = counter.so_far().since(&before);
    }
    let row =
        || Row::of("flow", &adapter.name, "tumbling, observed").in_precision(precision).over(count, EVERY);
    context.rows.push(row().median("a snapshot", &times[1..], "s"))?;
    let Traffic { submissions, dispatches, waits, read } = traffic;
    for (figure, value, unit) in [
        ("submissions a snapshot", submissions, "1"),
        ("dispatches a snapshot", dispatches, "1"),
        ("waits a snapshot", waits, "1"),
        ("read back a snapshot", read, "B"),
    ] {
        context.rows.push(row().number(figure, value as f64 / SNAPSHOTS as f64, unit, None))?;
    }
    Ok(())
}

/// Both on all adapters in all their precisions, as long as time is left.
pub fn measure(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        for count in sizes(context, &adapter) {
            for precision in Context::precisions(&adapter) {
                let parts: [(&str, Traversal); 2] =
                    [("free body, loaded", load), ("tumbling, observed", look)];
                for (case, part) in parts {
                    let done = match context.left() > 0.0 {
                        true => part(context, &adapter, precision, count),
                        false => Err("no time was left".to_string()),
                    };
                    if let Err(reason) = done {
                        let row = Row::of("flow", &adapter.name, case).in_precision(precision).over(count, 0);
                        context.rows.push(row.left_out(&reason))?;
                    }
                }
            }
        }
    }
    Ok(())
}
