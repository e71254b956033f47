//! A device that is lost on purpose in the middle of a run: the run opens it again, and its results
//! have the same bits.

use std::ops::ControlFlow;
use std::time::Instant;

use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::{Batch, Plan, gpu};
use polhode::base::Precision;
use polhode::observe::channels;
use polhode::observe::channels::Observer;
use polhode::study::judge::planned;
use polhode::study::march::{BatchRun, Piece};

use crate::Context;
use crate::bits::shipped;
use crate::rows::Row;

const INSTANCES: usize = 10_000;
const STEPS: u64 = 2_000;
const EVERY: u64 = 500;
/// The snapshot at which the device is destroyed.
const LOST_AT: usize = 2;

/// The numbers of all snapshots, how often the device was lost, and the time (s).
fn march(
    plan: &Plan,
    batch: &Batch,
    adapter: &AdapterSummary,
    destroy: bool,
) -> Result<(Vec<Vec<f64>>, u32, f64), String> {
    let precision = Precision::F32;
    let device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision);
    let device = device.map_err(|error| error.to_string())?;
    let handle = device.device.clone();
    let mut backend = gpu::open(plan.clone(), device, precision).map_err(|error| error.to_string())?;
    let mut march =
        BatchRun::new(plan, Observer::new(plan, &[channels::ANGULAR_VELOCITY, channels::ENERGY]), batch);
    let mut snapshots: Vec<Vec<f64>> = Vec::new();
    let started = Instant::now();
    let look = |number: usize, pieces: &[Piece]| {
        snapshots.push(pieces.iter().flat_map(|piece| piece.values.concat()).collect());
        if destroy && number == LOST_AT {
            handle.destroy();
        }
    };
    let reached = march.run(&mut *backend, None, look, |_| ControlFlow::Continue(()));
    let reached = reached.map_err(|error| error.to_string())?;
    match reached == STEPS {
        true => Ok((snapshots, march.losses, started.elapsed().as_secs_f64())),
        false => Err(format!("only step {reached} was reached")),
    }
}

/// A run whose device is destroyed beside one that is left alone.
pub fn on_purpose(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        let mut study = shipped("tumbling", Precision::F32, STEPS)?;
        study.observe.every = EVERY;
        let (plan, batch) = planned(&study, INSTANCES).map_err(|error| error.to_string())?;
        let row =
            || Row::of("loss", &adapter.name, "tumbling").in_precision(Precision::F32).over(INSTANCES, STEPS);
        let sound = march(&plan, &batch, &adapter, false)?;
        let lost = march(&plan, &batch, &adapter, true)?;
        let differ =
            sound.0.iter().flatten().zip(lost.0.iter().flatten()).filter(|(a, b)| a.to_bits() != b.to_bits());
        let compared = sound.0.iter().flatten().count();
        for (figure, value, unit) in [
            ("losses survived", f64::from(lost.1), "1"),
            ("numbers compared", compared as f64, "1"),
            ("differ", (differ.count() + compared.abs_diff(lost.0.iter().flatten().count())) as f64, "1"),
            ("undisturbed", sound.2, "s"),
            ("with the loss", lost.2, "s"),
        ] {
            context.rows.push(row().number(figure, value, unit, None))?;
        }
    }
    Ok(())
}
