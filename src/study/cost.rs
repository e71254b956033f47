//! How long a run will take: measured by a trial of its first instances over a few steps, and carried on to the whole.
//!
//! ```text
//! total = planning + compiling + sampling + (stepping + observing) of the pilot and of all instances + writing
//! ```
//!
//! Planning and compiling are timed as they happen. The trial advances and observes a batch for about `TRIAL`, as the run does.
//! Time grows with groups of lanes. One that is not full costs as many vectors as have an instance; it is tried as it is. Writing is a count of pictures
//! and values, by times that were measured once: pictures cannot be drawn before there is anything to show.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::driver::{LARGEST_CHUNK, instance_bytes, room};
use super::judge::planned;
use super::march::{BatchRun, Piece};
use super::monte_carlo::{RunError, final_channels, on_threads};
use crate::backend::choose::choose;
use crate::backend::cpu::tape::GROUP;
use crate::backend::{Backend, Batch, Plan};
use crate::describe::Study;
use crate::ensemble::Sampler;
use crate::observe::channels::Observer;
use crate::observe::{PILOT, Pilot, Statistics};

/// Stepping that is timed.
const TRIAL: Duration = Duration::from_millis(50);
/// Stretches of about that time, of which the fastest counts; one that takes `ENOUGH` is the last.
const LONG_TRIALS: u32 = 3;
const ENOUGH: Duration = Duration::from_secs(1);
/// Groups of lanes for each thread, so that all threads have work.
const GROUPS: usize = 8;
/// Instances for each thread where each chooses its own steps, one of which may take long.
const ADAPTIVE: usize = 2;
/// Time to draw a picture, SVG and PNG, and to write a value of a table (s). Processor times of `tumbling`, `double_pendulum` and
/// `furuta_pendulum` on a Xeon with AVX-512.
const PICTURE: f64 = 0.025;
const VALUE: f64 = 2e-8;

/// Where the time of a run will go (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Reading the file, looking for the stable step, planning: the caller's own measurement included.
    pub planning: f64,
    pub compiling: f64,
    pub sampling: f64,
    pub stepping: f64,
    pub observing: f64,
    pub writing: f64,
    /// Instances of the largest chunk that the run would take.
    pub chunk: u64,
}

impl Cost {
    pub fn total(&self) -> f64 {
        self.planning + self.compiling + self.sampling + self.stepping + self.observing + self.writing
    }
}

/// Instances of the largest chunk of a run on a backend that takes so many at a time, with so many columns in its table: no more than there is
/// memory for now, whatever the study gives.
pub fn largest_chunk(study: &Study, plan: &Plan, columns: usize, capacity: u64) -> u64 {
    let most = room(plan, columns).min(capacity);
    study.run.chunk.unwrap_or(LARGEST_CHUNK).min(most).min(study.ensemble.size)
}

/// Memory for the chunks under way (bytes).
pub fn chunk_bytes(plan: &Plan, columns: usize, chunk: u64) -> f64 {
    (chunk * instance_bytes(plan, columns)) as f64
}

/// Measures the cost of a run of kind `monte_carlo`; `before`: what was spent until now (s).
///
/// # Errors
/// As the run itself: no device, a plan or an ensemble that cannot be had.
pub fn measured(study: &Study, before: Duration) -> Result<Cost, RunError> {
    on_threads(study, || trial(study, before))
}

fn trial(study: &Study, before: Duration) -> Result<Cost, RunError> {
    let size = study.ensemble.size;
    let threads = rayon::current_num_threads();
    let begun = Instant::now();
    let (first, _) = planned(study, 1)?;
    let planning = begun.elapsed();
    let adaptive = first.method.is_adaptive();
    let most = threads * if adaptive { ADAPTIVE } else { GROUPS * GROUP };
    let count = most.min(usize::try_from(size).unwrap_or(most));
    let begun = Instant::now();
    let (plan, batch) = planned(study, count)?;
    let sampling = begun.elapsed().saturating_sub(planning).as_secs_f64() / count as f64;
    let begun = Instant::now();
    let mut backend = choose(&plan, &study.run, &|_| {})?.backend;
    let compiling = begun.elapsed();

    // Statistics need the bins that a pilot gives them.
    let observer = Observer::new(&plan, &study.observe.channels);
    let mut pilot = Pilot::new(2, observer.width(), size);
    let mut recorded = false;
    stretch(study, &plan, &mut *backend, &batch, 1, None, |pieces| {
        if !std::mem::replace(&mut recorded, true) {
            for column in 0..observer.width() {
                let values: Vec<f64> =
                    pieces.iter().flat_map(|piece| &piece.values[column]).copied().collect();
                // A stretch has two snapshots.
                (0..2).for_each(|time| pilot.record(time, column, &values));
            }
        }
    })?;
    let mut statistics = Statistics::new(Arc::new(pilot), &study.observe.quantiles);
    let all = plan.schedule.steps;
    let mut steps = 1;
    // The least of several: a snapshot takes so little time that others on the machine show in it.
    let mut snapshot = f64::INFINITY;
    // So is a step: on a busy machine a thread may be left waiting longer than a trial takes.
    let mut stepping = f64::INFINITY;
    let mut long = 0;
    while long < LONG_TRIALS {
        let spent = stretch(study, &plan, &mut *backend, &batch, steps, Some(&mut statistics), |_| {})?;
        // Two snapshots of a stretch: its start and its end.
        snapshot = snapshot.min(spent[1] / 2.0);
        stepping = stepping.min(spent[0] / steps as f64);
        if spent[0] >= ENOUGH.as_secs_f64() {
            break;
        }
        long += u32::from(spent[0] >= TRIAL.as_secs_f64() / 2.0 || steps >= all);
        let more = (TRIAL.as_secs_f64() / spent[0].max(1e-9)).clamp(1.0, 1000.0);
        steps = ((steps as f64 * more).ceil() as u64).min(all);
    }

    // The pilot is run beforehand.
    let instances = [size, size.min(PILOT)];
    let rounds = |n: u64| match adaptive {
        true => n as f64 / count as f64,
        false => n.div_ceil(GROUP as u64) as f64 / count.div_ceil(GROUP) as f64,
    };
    let rounds: f64 = instances.into_iter().map(rounds).sum();
    let shares: f64 = instances.iter().map(|n| *n as f64 / count as f64).sum();
    let snapshots = plan.schedule.snapshots().len() as f64;
    let finals = Observer::new(&plan, &final_channels(study, &plan)).width();
    let drawn = Sampler::new(study).map_or(0, |sampler| sampler.width());
    let pictures = 3 * observer.width() + 2;
    let kept = study.observe.keep.min(size) as f64 * snapshots * observer.width() as f64;
    Ok(Cost {
        planning: (before + planning).as_secs_f64(),
        compiling: compiling.as_secs_f64(),
        sampling: sampling * instances.iter().sum::<u64>() as f64,
        stepping: stepping * all as f64 * rounds,
        observing: snapshot * snapshots * shares,
        writing: PICTURE * pictures as f64 + VALUE * (size as f64 * (drawn + finals) as f64 + kept),
        chunk: largest_chunk(study, &plan, drawn + finals, backend.capacity() as u64),
    })
}

/// Times (s) of stepping and observing over so many steps from the start, with a snapshot at either end, which `statistics`
/// take in and `look` is given.
fn stretch(
    study: &Study,
    plan: &Plan,
    backend: &mut dyn Backend,
    batch: &Batch,
    steps: u64,
    statistics: Option<&mut Statistics>,
    mut look: impl FnMut(&[Piece]),
) -> Result<[f64; 2], RunError> {
    let mut short = plan.clone();
    (short.schedule.steps, short.schedule.every) = (steps, steps);
    let mut march = BatchRun::new(&short, Observer::new(&short, &study.observe.channels), batch);
    march.run(backend, statistics, |_, pieces| look(pieces), |_| ControlFlow::Continue(()))?;
    Ok([march.spent.stepping.as_secs_f64(), march.spent.observing.as_secs_f64()])
}
