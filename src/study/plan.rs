//! From a resolved study to what backends run, and the start of any range of its instances.

use rayon::prelude::*;

use crate::backend::{Batch, Bounds, Plan};
use crate::describe::{Quantity, Study};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::model::{Model, NoBody, WIDTH, channels};
use crate::observe::Verdict;

/// What all instances of this study share. Fails when its nominal values describe no body.
pub fn plan(study: &Study) -> Result<Plan, NoBody> {
    let varied: Vec<Quantity> = study.ensemble.vary.iter().map(|v| v.target.quantity).collect();
    let model = Model::new(&study.mechanism, &varied, study.verdict.energy.is_some());
    let mut constants = vec![0.0; model.parameters()];
    model.resolve(&Quantities::nominal(&study.mechanism), &mut constants)?;
    let schedule = Schedule {
        h: study.method.step,
        steps: study.method.steps,
        every: study.observe.every,
        resynchronise: study.method.resynchronise,
        check: study.verdict.every,
        spans: model.spans().to_vec(),
    };
    Ok(Plan {
        loaded: model.loaded(&varied),
        translates: !model.rests(&varied),
        bounds: Bounds { energy: study.verdict.energy, quaternion_norm: study.verdict.quaternion_norm },
        schedule,
        model,
        constants,
    })
}

/// Instances `first .. first + count` of the study, ready to start, and their drawn numbers (one row an instance).
pub fn draw(study: &Study, plan: &Plan, sampler: &Sampler, first: u64, count: usize) -> (Batch, Vec<f64>) {
    /// Instances a task draws; large enough that a task's own buffers do not count.
    const TASK: usize = 1024;
    let width = sampler.width();
    let mut drawn = vec![0.0; width * count];
    let parameters = plan.model.parameters();
    let nominal = Quantities::nominal(&study.mechanism);
    let tasks: Vec<(Vec<f64>, Vec<f64>, Vec<Verdict>)> = drawn
        .par_chunks_mut((width * TASK).max(1))
        .enumerate()
        .map(|(task, drawn)| {
            let n = if width == 0 { 0 } else { drawn.len() / width };
            start_task(plan, sampler, &nominal, first + (task * TASK) as u64, n, drawn)
        })
        .collect();
    let mut batch = Batch::new(plan, count);
    if width == 0 {
        let (states, _, verdicts) = start_task(plan, sampler, &nominal, first, 1, &mut []);
        for c in 0..WIDTH {
            batch.states[c].fill(states[c]);
        }
        for (p, plane) in batch.parameters.iter_mut().enumerate() {
            plane.fill(plan.constants[p]);
        }
        batch.verdicts.fill(verdicts[0]);
        return (batch, drawn);
    }
    let mut at = 0;
    for (states, values, verdicts) in tasks {
        for (i, verdict) in verdicts.into_iter().enumerate() {
            for c in 0..WIDTH {
                batch.states[c][at] = states[i * WIDTH + c];
            }
            for p in 0..parameters {
                if let Some(x) = batch.parameters[p].get_mut(at) {
                    *x = values[i * parameters + p];
                }
            }
            batch.verdicts[at] = verdict;
            at += 1;
        }
    }
    (batch, drawn)
}

/// States, parameters and verdicts of `n` instances, row by row.
fn start_task(
    plan: &Plan,
    sampler: &Sampler,
    nominal: &Quantities,
    first: u64,
    n: usize,
    drawn: &mut [f64],
) -> (Vec<f64>, Vec<f64>, Vec<Verdict>) {
    let (width, parameters) = (sampler.width(), plan.model.parameters());
    let mut states = vec![0.0; n * WIDTH];
    let mut values = vec![0.0; n * parameters];
    let mut verdicts = vec![Verdict::Finished; n];
    let mut quantities = nominal.clone();
    for i in 0..n {
        let row = &mut drawn[i * width..(i + 1) * width];
        sampler.draw(first + i as u64, row);
        sampler.apply(row, &mut quantities);
        let values = &mut values[i * parameters..(i + 1) * parameters];
        match plan.model.resolve(&quantities, values) {
            Ok(start) => states[i * WIDTH..(i + 1) * WIDTH].copy_from_slice(&channels(&start)),
            // Never started; the numbers are those of a body at rest so that nothing trips over them.
            Err(NoBody) => {
                values.copy_from_slice(&plan.constants);
                states[i * WIDTH] = 1.0;
                verdicts[i] = Verdict::InvalidSample;
            }
        }
    }
    (states, values, verdicts)
}
