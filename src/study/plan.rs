//! From a resolved study to what backends run, and the start of any range of its instances.

use rayon::prelude::*;

use crate::backend::{Batch, Bounds, Plan};
use crate::describe::{Channel, Mechanism, Study};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::methods::{AnyMethod, STEP};
use crate::model::{Model, NoMechanism, Varied, WIDTH};
use crate::observe::Verdict;
use crate::treatments::AnyTreatment;

/// What all instances of this study share. Fails when its nominal values describe no mechanism.
pub fn plan(study: &Study) -> Result<Plan, NoMechanism> {
    let varied: Vec<Varied> =
        study.ensemble.vary.iter().map(|v| (v.target.body, v.target.quantity)).collect();
    let treatment = AnyTreatment::new(study.constraints.treatment, &study.constraints.options)
        .expect("the name of a treatment in a study is one of the registry");
    let work = study.observe.channels.contains(&Channel::PotentialEstimate.into());
    let model = Model::new(&study.mechanism, treatment, &varied, study.verdict.energy.is_some())
        .watching(work, watched_angles(study));
    let mut constants = vec![0.0; model.parameters()];
    model.resolve(&Quantities::nominal(&study.mechanism), &mut constants)?;
    let method = AnyMethod::new(study.method.name, &study.method.options)
        .expect("the name of a method in a study is one of the registry");
    let mut samples = method.samples();
    if work {
        samples.push(STEP);
    }
    let schedule = Schedule {
        h: study.method.step,
        steps: study.method.steps,
        every: study.observe.every,
        resynchronise: study.method.resynchronise,
        check: study.verdict.every,
        samples,
        spans: model.spans().to_vec(),
    };
    Ok(Plan {
        moving: model.moving(&varied),
        bounds: Bounds { energy: study.verdict.energy, quaternion_norm: study.verdict.quaternion_norm },
        schedule,
        model,
        method,
        constants,
    })
}

/// The joints whose angle is observed.
fn watched_angles(study: &Study) -> Vec<usize> {
    let angles = study.observe.channels.iter().filter(|seen| seen.channel == Channel::Angle);
    angles
        .flat_map(|seen| seen.of.map_or_else(|| study.mechanism.owners(Channel::Angle), |k| vec![k]))
        .collect()
}

/// The plan of a mechanism exactly as described, nothing varied, seen at the end alone.
///
/// # Errors
/// The mechanism describes no body.
pub fn nominal(mechanism: &Mechanism, method: AnyMethod, h: f64, steps: u64) -> Result<Plan, NoMechanism> {
    let model = Model::new(mechanism, AnyTreatment::default(), &[], false);
    let mut constants = vec![0.0; model.parameters()];
    model.resolve(&Quantities::nominal(mechanism), &mut constants)?;
    let schedule = Schedule {
        h,
        steps,
        every: steps,
        resynchronise: 0,
        check: steps,
        samples: method.samples(),
        spans: model.spans().to_vec(),
    };
    Ok(Plan { moving: model.moving(&[]), bounds: Bounds::default(), schedule, model, method, constants })
}

/// `count` instances of the study, ready to start, and their drawn numbers (one row an instance). The i-th of them is
/// instance `index(i)`.
pub fn draw(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    count: usize,
    index: impl Fn(usize) -> u64 + Sync,
) -> (Batch, Vec<f64>) {
    /// Instances a task draws; large enough that a task's own buffers do not count.
    const TASK: usize = 1024;
    let width = sampler.width();
    let nominal = Quantities::nominal(&study.mechanism);
    let starts: Vec<Starts> = (0..count.div_ceil(TASK))
        .into_par_iter()
        .map(|task| {
            let instances = task * TASK..count.min((task + 1) * TASK);
            Starts::draw(plan, sampler, &nominal, instances.map(&index))
        })
        .collect();
    let mut batch = Batch::new(plan, count);
    let mut drawn = Vec::with_capacity(width * count);
    let parameters = plan.model.parameters();
    let mut at = 0;
    for task in starts {
        for (i, verdict) in task.verdicts.into_iter().enumerate() {
            let wide = plan.moving.len();
            for c in 0..wide {
                batch.states[c][at] = task.states[i * wide + c];
            }
            for p in 0..parameters {
                if let Some(x) = batch.parameters[p].get_mut(at) {
                    *x = task.parameters[i * parameters + p];
                }
            }
            batch.verdicts[at] = verdict;
            at += 1;
        }
        drawn.extend(task.drawn);
    }
    (batch, drawn)
}

/// Some instances, row by row.
struct Starts {
    drawn: Vec<f64>,
    states: Vec<f64>,
    parameters: Vec<f64>,
    verdicts: Vec<Verdict>,
}

impl Starts {
    fn draw(
        plan: &Plan,
        sampler: &Sampler,
        nominal: &Quantities,
        instances: impl ExactSizeIterator<Item = u64>,
    ) -> Starts {
        let (n, width, parameters) = (instances.len(), sampler.width(), plan.model.parameters());
        let wide = plan.moving.len();
        let mut starts = Starts {
            drawn: vec![0.0; n * width],
            states: vec![0.0; n * wide],
            parameters: vec![0.0; n * parameters],
            verdicts: vec![Verdict::Finished; n],
        };
        let mut quantities = nominal.clone();
        for (i, instance) in instances.enumerate() {
            let row = &mut starts.drawn[i * width..(i + 1) * width];
            sampler.draw(instance, row);
            sampler.apply(row, &mut quantities);
            let values = &mut starts.parameters[i * parameters..(i + 1) * parameters];
            match plan.model.resolve(&quantities, values) {
                Ok(start) => starts.states[i * wide..(i + 1) * wide]
                    .copy_from_slice(&plan.model.start_state(&start, &|p| values[p])),
                // Never started; the numbers are those of a body at rest so that nothing trips over them.
                Err(NoMechanism::NoBody | NoMechanism::NotAssembled(_)) => {
                    values.copy_from_slice(&plan.constants);
                    starts.states[i * wide..][..WIDTH * plan.model.bodies()]
                        .iter_mut()
                        .step_by(WIDTH)
                        .for_each(|q0| *q0 = 1.0);
                    starts.verdicts[i] = Verdict::InvalidSample;
                }
            }
        }
        starts
    }
}
