//! From a resolved study to what backends run, and the start of any range of its instances.

use std::ops::Range;

use rayon::prelude::*;

use crate::backend::program::staying_zero;
use crate::backend::{Batch, Bounds, Plan, Zeros};
use crate::base::{Options, Precision};
use crate::describe::{Channel, Mechanism, Study, Unexplained};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::kinematics::body::Motion;
use crate::methods::{Advance, AnyMethod, STEP};
use crate::model::redundancy::Start;
use crate::model::{Model, NoMechanism, Varied, WIDTH, all_channels, channel_names};
use crate::observe::Verdict;
use crate::treatments::penalty::Penalty;
use crate::treatments::{AnyTreatment, Treatment};

/// Instances, spread over the ensemble, that are looked at to find what starts at zero, besides the
/// [representatives](Sampler::representatives) of what is laid out.
const LOOKED_AT: u64 = 16;

/// Instances, besides the nominal one, in which rows that others imply are looked for.
const MOVED_ABOUT: u64 = 4;

/// What the plan takes for zero is other than that in an instance: the plan is not one of this instance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("instance {instance} starts with {} other than zero, or other than those before it", names.join(", "))]
pub struct NotZero {
    pub instance: u64,
    /// Of the channels and parameters that follow.
    names: Vec<String>,
    /// All that are other than zero in any instance that was drawn with it.
    pub channels: Vec<usize>,
    pub parameters: Vec<usize>,
    /// Parameters that follow from constants and differ in it from what the plan takes for the same in all.
    pub differing: Vec<usize>,
}

/// What all instances of this study share. Fails when its nominal values describe no mechanism.
pub fn plan(study: &Study) -> Result<Plan, NoMechanism> {
    plan_varying(study, &[])
}

/// As [`plan`], with further quantities that vary, though the study's ensemble does not draw them.
///
/// # Errors
/// As [`plan`].
pub fn plan_varying(study: &Study, further: &[Varied]) -> Result<Plan, NoMechanism> {
    let drawn = study.ensemble.vary.iter().map(|v| (v.target.body, v.target.quantity));
    let leading = leading(study);
    let following = study.mechanism.following(&leading).into_iter().map(|of| (of.body, of.quantity));
    let varied: Vec<Varied> = drawn.chain(following).chain(further.iter().copied()).collect();
    let treatment = AnyTreatment::new(study.constraints.treatment, &study.constraints.options)
        .expect("the name of a treatment in a study is one of the registry");
    let judges_energy = study.verdict.energy.is_some() || study.verdict.unexplained != Unexplained::Nothing;
    let work = study.observe.channels.contains(&Channel::POTENTIAL_ESTIMATE.into());
    let model =
        Model::new(&study.mechanism, treatment, &varied, judges_energy).watching(work, watched_angles(study));
    let method = Advance::new(study.method.name, &study.method.options)
        .expect("the name of a method in a study is one of the registry");
    let mut model = if method.own_steps().is_some() { model.choosing_steps() } else { model };
    let mut constants = vec![0.0; model.parameters()];
    let start = model.resolve(&Quantities::nominal(study), &mut constants)?;
    if !leading.is_empty() {
        let differing = differing(study, &model, &constants);
        model.vary(&differing);
    }
    let adaptive = method.is_adaptive();
    let mut samples = method.samples();
    if work {
        samples.push(STEP);
    }
    let schedule = Schedule {
        h: study.method.step,
        steps: study.method.steps,
        every: study.observe.every,
        resynchronise: match study.constraints.project {
            0 => study.method.resynchronise,
            steps => steps,
        },
        // A step of own steps is long, and a dispatch takes no more than one of them.
        check: if method.own_steps().is_some() { 1 } else { study.verdict.every },
        samples,
        spans: model.spans().to_vec(),
    };
    let mut plan = Plan {
        moving: model.moving(&varied),
        zeros: Zeros::default(),
        // The violation of a joint that yields is what loads it.
        projects: study.constraints.project > 0
            || adaptive && study.constraints.treatment != Penalty::CARD.name,
        bounds: Bounds {
            energy: study.verdict.energy,
            unexplained: study.verdict.unexplained,
            weight: study.mechanism.weight(),
            quaternion_norm: study.verdict.quaternion_norm,
            constraint: study.verdict.constraint.filter(|_| model.rows() > 0),
        },
        schedule,
        model,
        method,
        constants,
        tangents: None,
    };
    let treatment = AnyTreatment::new(study.constraints.treatment, &study.constraints.options);
    if let Some(card) = treatment.map(|treatment| treatment.card()).filter(|_| plan.model.rows() > 0) {
        if card.solves {
            let redundancy = plan.model.find_redundancy(&starts(study, &plan, &start));
            plan.model = plan.model.without_redundant_rows(redundancy);
        }
        if card.partitions {
            let nominal = Start { motions: start.clone(), parameters: plan.constants.clone() };
            let partition = plan.model.find_partition(&nominal);
            plan.model = plan.model.partitioned(partition);
        }
    }
    if adaptive {
        return Ok(plan);
    }
    let zeros = zeros(study, &plan, &all_channels(&start));
    set_zeros(&mut plan, zeros, study);
    Ok(plan)
}

/// The constants that vary and from which numbers of the mechanism follow.
fn leading(study: &Study) -> Vec<usize> {
    study.mechanism.leading(study.ensemble.vary.iter().map(|vary| &vary.target))
}

/// Parameters that follow from constants, as instances that show what the ensemble can bring have them. The others are compared when
/// they are [drawn](draw).
fn differing(study: &Study, model: &Model, constants: &[f64]) -> Vec<usize> {
    // Whoever runs the study is told what is wrong with its ensemble.
    let Ok(sampler) = Sampler::new(study) else { return Vec::new() };
    let mut instances = study.ensemble.spread(LOOKED_AT);
    instances.extend(sampler.representatives());
    let mut row = vec![0.0; sampler.width()];
    let mut found = Vec::new();
    for instance in instances {
        sampler.draw(instance, &mut row);
        let mut quantities = Quantities::nominal(study);
        sampler.apply(&row, &mut quantities);
        let mut parameters = constants.to_vec();
        if model.resolve(&quantities, &mut parameters).is_ok() {
            found.extend(model.differing(constants, &parameters));
        }
    }
    found
}

/// The nominal start and those of some instances, spread over the ensemble.
fn starts(study: &Study, plan: &Plan, nominal: &[Motion<f64>]) -> Vec<Start> {
    let mut starts = vec![Start { motions: nominal.to_vec(), parameters: plan.constants.clone() }];
    // Whoever runs the study is told what is wrong with its ensemble.
    let Ok(sampler) = Sampler::new(study) else { return starts };
    let count = if study.ensemble.vary.is_empty() { 0 } else { MOVED_ABOUT };
    let mut row = vec![0.0; sampler.width()];
    for instance in study.ensemble.spread(count) {
        sampler.draw(instance, &mut row);
        let mut quantities = Quantities::nominal(study);
        sampler.apply(&row, &mut quantities);
        let mut parameters = plan.constants.clone();
        if let Ok(motions) = plan.model.resolve(&quantities, &mut parameters) {
            starts.push(Start { motions, parameters });
        }
    }
    starts
}

/// The joints whose angle is observed.
fn watched_angles(study: &Study) -> Vec<usize> {
    let angles = study.observe.channels.iter().filter(|seen| seen.channel == Channel::ANGLE);
    angles
        .flat_map(|seen| seen.of.map_or_else(|| study.mechanism.owners(Channel::ANGLE), |k| vec![k]))
        .collect()
}

/// The same without what an instance of the study has shown to be other than zero.
pub fn replanned(mut plan: Plan, study: &Study, found: &NotZero) -> Plan {
    let mut zeros = std::mem::take(&mut plan.zeros);
    found.channels.iter().for_each(|c| zeros.channels[*c] = false);
    found.parameters.iter().chain(&found.differing).for_each(|p| zeros.parameters[*p] = false);
    plan.model.vary(&found.differing);
    set_zeros(&mut plan, zeros, study);
    plan
}

/// The plan with these channels and parameters taken for zero, and further ones that vary, as another run of the study has found them.
pub fn with_zeros(mut plan: Plan, study: &Study, [channels, parameters, varying]: [Vec<bool>; 3]) -> Plan {
    let varying: Vec<usize> = (0..varying.len()).filter(|p| varying[*p]).collect();
    plan.model.vary(&varying);
    set_zeros(&mut plan, Zeros { channels, parameters }, study);
    plan
}

fn set_zeros(plan: &mut Plan, zeros: Zeros, study: &Study) {
    plan.zeros = zeros;
    // What does not stay zero is of no use, and need not be watched.
    plan.zeros.channels = staying_zero(plan, study.run.precision);
}

/// What is zero nominally and in instances that show what the ensemble can bring: a function of the study alone, so that
/// all shards of it are planned alike. The others are compared when they are [drawn](draw).
fn zeros(study: &Study, plan: &Plan, nominal: &[f64]) -> Zeros {
    let count = if study.ensemble.vary.is_empty() { 0 } else { LOOKED_AT };
    // Whoever runs the study is told what is wrong with its ensemble.
    let Ok(sampler) = Sampler::new(study) else { return Zeros::default() };
    let mut instances = study.ensemble.spread(count);
    instances.extend(sampler.representatives());
    let Ok((batch, _)) = draw(study, plan, &sampler, instances.len(), |i| instances[i]) else {
        return Zeros::default();
    };
    let all_zero = |plane: &Vec<f64>| plane.iter().all(|x| *x == 0.0);
    let channels = nominal.iter().zip(&batch.states).zip(&plan.moving);
    let channels = channels.map(|((x, plane), moves)| *moves && *x == 0.0 && all_zero(plane));
    let parameters = plan.constants.iter().zip(&batch.parameters);
    let parameters = parameters.map(|(x, plane)| *x == 0.0 && all_zero(plane));
    Zeros { channels: channels.collect(), parameters: parameters.collect() }
}

/// The plan of a mechanism exactly as described, nothing varied, seen at the end alone, whatever it starts from.
///
/// # Errors
/// The mechanism describes no body.
pub fn nominal(mechanism: &Mechanism, method: AnyMethod, h: f64, steps: u64) -> Result<Plan, NoMechanism> {
    let treatment = AnyTreatment::default();
    let settings = treatment.card().given(&Options::default());
    let model = Model::new(mechanism, treatment, &[], false);
    let model = if method.own_steps().is_some() { model.choosing_steps() } else { model };
    let mut constants = vec![0.0; model.parameters()];
    model.resolve(&Quantities::of(mechanism, h, Precision::F64, settings), &mut constants)?;
    let schedule = Schedule {
        h,
        steps,
        every: steps,
        resynchronise: 0,
        check: steps,
        samples: method.samples(),
        spans: model.spans().to_vec(),
    };
    Ok(Plan {
        moving: model.moving(&[]),
        zeros: Zeros::default(),
        projects: false,
        bounds: Bounds::default(),
        schedule,
        model,
        method: Advance::Recorded(method),
        constants,
        tangents: None,
    })
}

/// `count` instances of the study, ready to start, and their drawn numbers (one row an instance). The i-th of them is
/// instance `index(i)`.
///
/// # Errors
/// What the plan takes for [zero](Plan::zeros) is not in one of them.
pub fn draw(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    count: usize,
    index: impl Fn(usize) -> u64 + Sync,
) -> Result<(Batch, Vec<f64>), NotZero> {
    draw_amended(study, plan, sampler, count, index, |_, _| {})
}

/// As [`draw`], the instances of a chunk.
///
/// # Errors
/// As [`draw`].
pub fn draw_chunk(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    chunk: Range<u64>,
) -> Result<(Batch, Vec<f64>), NotZero> {
    let count = (chunk.end - chunk.start) as usize;
    draw(study, plan, sampler, count, |i| chunk.start + i as u64)
}

/// As [`draw`]; the quantities of the i-th are first `amended`, by something that no draw sets or every call does.
///
/// # Errors
/// As [`draw`].
pub fn draw_amended(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    count: usize,
    index: impl Fn(usize) -> u64 + Sync,
    amended: impl Fn(usize, &mut Quantities) + Sync,
) -> Result<(Batch, Vec<f64>), NotZero> {
    /// Instances a task draws; large enough that a task's own buffers do not count.
    const TASK: usize = 1024;
    let width = sampler.width();
    let nominal = Quantities::nominal(study);
    let follows = !leading(study).is_empty();
    let starts: Vec<Starts> = (0..count.div_ceil(TASK))
        .into_par_iter()
        .map(|task| {
            let instances = task * TASK..count.min((task + 1) * TASK);
            let nominal = (&nominal, follows);
            Starts::draw(plan, sampler, nominal, instances.map(|i| (i, index(i))), &amended)
        })
        .collect();
    let mut batch = Batch::new(plan, count);
    let mut drawn = vec![0.0; width * count];
    let (wide, parameters) = (plan.moving.len(), plan.model.parameters());
    // Plane by plane, on all threads: one alone would take longer than they took to draw.
    let fill = |plane: &mut [f64], of: fn(&Starts) -> &[f64], stride: usize, at: usize| {
        let parts = plane.chunks_mut(TASK).zip(&starts);
        parts.for_each(|(part, task)| {
            let values = of(task).iter().skip(at).step_by(stride);
            part.iter_mut().zip(values).for_each(|(to, from)| *to = *from);
        });
    };
    batch.states.par_iter_mut().enumerate().for_each(|(c, plane)| fill(plane, |task| &task.states, wide, c));
    batch
        .parameters
        .par_iter_mut()
        .enumerate()
        .for_each(|(p, plane)| fill(plane, |task| &task.parameters, parameters, p));
    batch
        .verdicts
        .chunks_mut(TASK)
        .zip(&starts)
        .for_each(|(part, task)| part.copy_from_slice(&task.verdicts));
    if width > 0 {
        let parts = drawn.par_chunks_mut(width * TASK).zip(&starts);
        parts.for_each(|(part, task)| part.copy_from_slice(&task.drawn));
    }
    match not_zero(plan, &batch, &starts, index) {
        None => Ok((batch, drawn)),
        Some(found) => Err(found),
    }
}

/// What the plan takes for zero and is not in these instances.
fn not_zero(plan: &Plan, batch: &Batch, starts: &[Starts], index: impl Fn(usize) -> u64) -> Option<NotZero> {
    // Where each that is other than zero is so first.
    let others = |zero: &[bool], planes: &[Vec<f64>]| -> Vec<(usize, usize)> {
        let taken = (0..planes.len()).filter(|k| zero.get(*k) == Some(&true));
        taken.filter_map(|k| Some((k, planes[k].iter().position(|x| *x != 0.0)?))).collect()
    };
    let channels = others(&plan.zeros.channels, &batch.states);
    let parameters = others(&plan.zeros.parameters, &batch.parameters);
    let differing: Vec<(usize, usize)> = starts.iter().flat_map(|starts| starts.differing.clone()).collect();
    let first = channels.iter().chain(&parameters).chain(&differing).map(|(_, at)| *at).min()?;
    let numbers = |of: Vec<(usize, usize)>| of.into_iter().map(|(k, _)| k).collect::<Vec<usize>>();
    let (channels, parameters, differing) = (numbers(channels), numbers(parameters), numbers(differing));
    let all = channel_names(&plan.model.modes());
    let names = channels.iter().map(|c| all[*c].clone());
    let of_parameters = parameters.iter().chain(&differing);
    let names = names.chain(of_parameters.map(|p| plan.model.parameter_name(*p)));
    Some(NotZero { instance: index(first), names: names.collect(), channels, parameters, differing })
}

/// Some instances, row by row.
struct Starts {
    drawn: Vec<f64>,
    states: Vec<f64>,
    parameters: Vec<f64>,
    verdicts: Vec<Verdict>,
    /// Parameters that follow from constants and are other than the plan takes them for, each with the place of the first instance.
    differing: Vec<(usize, usize)>,
}

impl Starts {
    fn draw(
        plan: &Plan,
        sampler: &Sampler,
        (nominal, follows): (&Quantities, bool),
        instances: impl ExactSizeIterator<Item = (usize, u64)>,
        amended: impl Fn(usize, &mut Quantities),
    ) -> Starts {
        let (n, width, parameters) = (instances.len(), sampler.width(), plan.model.parameters());
        let wide = plan.moving.len();
        let mut starts = Starts {
            drawn: vec![0.0; n * width],
            states: vec![0.0; n * wide],
            parameters: vec![0.0; n * parameters],
            verdicts: vec![Verdict::Finished; n],
            differing: Vec::new(),
        };
        let mut quantities = nominal.clone();
        for (i, (place, instance)) in instances.enumerate() {
            let row = &mut starts.drawn[i * width..(i + 1) * width];
            sampler.draw(instance, row);
            sampler.apply(row, &mut quantities);
            amended(place, &mut quantities);
            let values = &mut starts.parameters[i * parameters..(i + 1) * parameters];
            let resolved = plan.model.resolve(&quantities, values);
            if follows && resolved.is_ok() {
                for p in plan.model.differing(&plan.constants, values) {
                    if starts.differing.iter().all(|(known, _)| *known != p) {
                        starts.differing.push((p, place));
                    }
                }
            }
            match resolved {
                Ok(start) => starts.states[i * wide..(i + 1) * wide]
                    .copy_from_slice(&plan.model.start_state(&start, &|p| values[p])),
                // Never started; the numbers are those of a body at rest so that nothing trips over them.
                Err(_) => {
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
