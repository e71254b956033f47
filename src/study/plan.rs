//! From a resolved study to what backends run, and the start of any range of its instances.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::backend::program::staying_zero;
use crate::backend::{Batch, Bounds, Plan, Zeros};
use crate::base::Precision;
use crate::describe::switches::{jump_switches, sign_changes};
use crate::describe::{
    Coordinate, Decided, Expression, JointCoordinate, Mechanism, ObservedChannel, Study, Unexplained,
};
use crate::ensemble::schedule::Schedule;
use crate::ensemble::{Quantities, Sampler};
use crate::kinematics::body::Motion;
use crate::kinematics::function::{FunctionInputs, evaluate};
use crate::methods::{Advance, AnyMethod, STEP};
use crate::model::redundancy::Start;
use crate::model::{InstanceStart, Model, NoMechanism, Varied, WIDTH, all_channels, channel_names};
use crate::observe::{Verdict, channels};
use crate::output::NEVER;
use crate::treatments::{self, AnyTreatment};

/// Instances, spread over the ensemble, that are looked at to find what starts at zero, besides the
/// [representatives](Sampler::representatives) of what is laid out.
const LOOKED_AT: u64 = 16;

/// Instances, besides the nominal one, in which rows that others imply are looked for.
const MOVED_ABOUT: u64 = 4;

/// The plan assumed a zero that an instance does not have: the plan is not one of this instance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("instance {instance} starts with {} other than zero", names.join(", "))]
pub struct NotZero {
    pub instance: u64,
    /// Names of the channels and parameters that follow.
    names: Vec<String>,
    /// All that are other than zero in any instance that was drawn with it.
    pub channels: Vec<usize>,
    pub parameters: Vec<usize>,
}

/// Returns the plan that all instances of this study share. Fails when its nominal values describe
/// no mechanism.
pub fn plan(study: &Study) -> Result<Plan, NoMechanism> {
    plan_varying(study, &[])
}

/// As [`plan`], with further quantities that vary, though the study's ensemble does not draw them.
///
/// # Errors
/// As [`plan`].
pub fn plan_varying(study: &Study, further: &[Varied]) -> Result<Plan, NoMechanism> {
    let mut plan = plan_by_starts(study, further)?;
    let zeros = std::mem::take(&mut plan.zeros);
    set_zeros(&mut plan, zeros, study);
    Ok(plan)
}

/// As [`plan_varying`], whose zeros are those of the start: what stays zero is found where the
/// program is recorded.
///
/// # Errors
/// As [`plan`].
pub fn plan_by_starts(study: &Study, further: &[Varied]) -> Result<Plan, NoMechanism> {
    let drawn = study.ensemble.vary.iter().map(|v| (v.target.body, v.target.quantity));
    let leading = study.mechanism.leading(study.ensemble.vary.iter().map(|vary| &vary.target));
    let following = study.mechanism.following(&leading).into_iter().map(|(body, of, _)| (body, of));
    let varied: Vec<Varied> = drawn.chain(following).chain(further.iter().copied()).collect();
    let treatment = AnyTreatment::new(study.constraints.treatment, &study.constraints.options)
        .expect("the name of a treatment in a study is one of the registry");
    let judges_energy = study.verdict.energy.is_some() || study.verdict.unexplained != Unexplained::Nothing;
    let work = study.observe.channels.contains(&channels::POTENTIAL_ESTIMATE.into());
    let model =
        Model::new(&study.mechanism, treatment, &varied, judges_energy).watching(work, watched_angles(study));
    let method = Advance::new(study.method.name, &study.method.options)
        .expect("the name of a method in a study is one of the registry");
    let mut model = Plan::remembering(model, &method);
    let mut constants = vec![0.0; model.parameters()];
    let start = model.resolve(&Quantities::nominal(study), &mut constants)?;
    if let Some(eps) = model.parameter_by_rule(&constants).filter(|_| !varied.is_empty()) {
        model.vary(&[eps]);
    }
    for decided in study.mechanism.decided(&leading) {
        if let Decided::Side(side) = decided {
            model.vary_side(*side);
        }
    }
    let adaptive = method.is_adaptive();
    let mut samples = method.samples();
    if work {
        samples.push(STEP);
    }
    let samples = model.samples(samples);
    let schedule = Schedule {
        h: study.method.step,
        steps: study.method.steps,
        every: study.observe.every,
        resynchronise: match study.constraints.project {
            0 => study.method.resynchronise,
            steps => steps,
        },
        begin: Plan::begin_steps(&model, &method, study.method.step),
        // A step of own steps is long, and a dispatch takes no more than one of them.
        check: if method.own_steps().is_some() { 1 } else { study.verdict.every },
        samples,
        spans: model.spans().to_vec(),
        own_steps: method.own_steps().is_some(),
        breaks: match method.own_steps() {
            Some(_) => breaks(&study.mechanism, study.method.step, study.method.steps, study.run.precision),
            None => Vec::new(),
        },
        tolerance: None,
    };
    let mut plan = Plan {
        moving: model.moving(&varied),
        zeros: Zeros::default(),
        // The violation of a joint that yields is what loads it.
        projects: study.constraints.project > 0
            || adaptive && study.constraints.treatment != treatments::ELASTIC.name,
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
    if is_recorded(&plan, study) {
        plan.zeros = zeros(study, &plan, &all_channels(&start));
    }
    Ok(plan)
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
fn watched_angles(study: &Study) -> Vec<JointCoordinate> {
    let counts = |observed: &ObservedChannel| {
        channels::coordinate(observed.channel).filter(|angle| angle.counts_turns())
    };
    let angles = study.observe.channels.iter().filter_map(|observed| Some((observed, counts(observed)?)));
    let watched = |(observed, coordinate): (&ObservedChannel, Coordinate)| {
        let joints =
            observed.of.map_or_else(|| channels::owners(&study.mechanism, observed.channel), |k| vec![k]);
        joints.into_iter().map(move |joint| JointCoordinate { joint, coordinate })
    };
    angles.flat_map(watched).collect()
}

/// Returns the plan without the zeros that an instance of the study has shown to be other than
/// zero.
pub fn replanned(plan: Plan, study: &Study, found: &NotZero) -> Plan {
    let mut plan = without_zeros(plan, found);
    let zeros = std::mem::take(&mut plan.zeros);
    set_zeros(&mut plan, zeros, study);
    plan
}

/// As [`replanned`] of a plan [by starts](plan_by_starts).
pub fn without_zeros(mut plan: Plan, found: &NotZero) -> Plan {
    found.channels.iter().for_each(|c| plan.zeros.channels[*c] = false);
    found.parameters.iter().for_each(|p| plan.zeros.parameters[*p] = false);
    plan
}

/// The plan with these channels and parameters taken for zero, as another run of the study has
/// found them.
pub fn with_zeros(mut plan: Plan, study: &Study, [channels, parameters]: [Vec<bool>; 2]) -> Plan {
    set_zeros(&mut plan, Zeros { channels, parameters }, study);
    plan
}

fn set_zeros(plan: &mut Plan, zeros: Zeros, study: &Study) {
    if is_recorded(plan, study) {
        plan.zeros = zeros;
        // A number that does not stay zero is of no use, and need not be watched.
        plan.zeros.channels = staying_zero(plan, study.run.precision);
    }
}

/// Whether a step of the study is recorded: not by a method that chooses its steps as it goes, nor
/// of a study that advances nothing.
fn is_recorded(plan: &Plan, study: &Study) -> bool {
    !plan.method.is_adaptive() && study.kind.card().steps
}

/// Returns the numbers that are zero nominally and in instances that show what the ensemble can
/// bring. They are a function of the study alone, so that all shards of it are planned alike. The
/// other instances are compared when they are [drawn](draw).
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

/// Pairs of times (s), ascending, between which a function of time alone jumps, in the nominal
/// mechanism. Their distance is a few last bits of the time, so that no instant of a step that ends
/// at one of them is seen from the wrong side. Jumps whose times differ between instances, and
/// those of functions of the motion, are left to the control of errors.
fn breaks(mechanism: &Mechanism, h: f64, steps: u64, precision: Precision) -> Vec<f64> {
    /// Intervals that are searched, a thousand looks each.
    const INTERVALS: u64 = 100;
    let numbers: Vec<f64> = mechanism.numbers().iter().map(|number| number.value).collect();
    let called = mechanism.called(&numbers);
    let value = |switch: &Expression, t: f64| evaluate(switch, &FunctionInputs::of(t, &called));
    let switches: Vec<Expression> = mechanism.followed_functions().flat_map(jump_switches).collect();
    let intervals = steps.min(INTERVALS);
    let time = |interval: u64| steps as f64 * h * interval as f64 / intervals as f64;
    let mut jumps: Vec<f64> =
        (0..intervals).flat_map(|i| sign_changes(&switches, time(i), time(i + 1), value)).collect();
    jumps.sort_by(f64::total_cmp);
    let last_bits = 8.0
        * match precision {
            Precision::F32 | Precision::F32Compensated => f64::from(f32::EPSILON),
            Precision::F64 => f64::EPSILON,
        };
    jumps.dedup_by(|later, earlier| *later - *earlier <= 4.0 * last_bits * later.max(h));
    jumps.into_iter().flat_map(|t| [t - last_bits * t.max(h), t + last_bits * t.max(h)]).collect()
}

/// As [`Plan::nominal`], with the instants at which own steps end.
///
/// # Errors
/// The mechanism describes no body.
pub fn nominal(mechanism: &Mechanism, method: AnyMethod, h: f64, steps: u64) -> Result<Plan, NoMechanism> {
    let mut plan = Plan::nominal(mechanism, method, h, steps)?;
    if plan.schedule.own_steps {
        plan.schedule.breaks = breaks(mechanism, h, steps, Precision::F64);
    }
    Ok(plan)
}

/// `count` instances of the study, ready to start, and their drawn numbers (one row an instance).
/// The i-th of them is instance `index(i)`.
///
/// # Errors
/// A number that the plan takes for [zero](Plan::zeros) is not zero in one of them.
pub fn draw(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    count: usize,
    index: impl Fn(usize) -> u64 + Sync,
) -> Result<(Batch, Vec<f64>), NotZero> {
    draw_amended(study, plan, sampler, count, index, |_, _| {})
}

/// As [`draw`], the instances of a chunk; `None`: interrupted.
///
/// # Errors
/// As [`draw`].
pub fn draw_chunk(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    chunk: Range<u64>,
    interrupted: &AtomicBool,
) -> Result<Option<(Batch, Vec<f64>)>, NotZero> {
    let count = (chunk.end - chunk.start) as usize;
    draw_until(study, plan, sampler, count, (|i| chunk.start + i as u64, |_, _| {}), interrupted)
}

/// As [`draw`]; the quantities of the i-th are first `amended`, by something that no draw sets or
/// every call does.
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
    let drawn = draw_until(study, plan, sampler, count, (index, amended), &NEVER)?;
    Ok(drawn.expect("nothing interrupts it"))
}

fn draw_until(
    study: &Study,
    plan: &Plan,
    sampler: &Sampler,
    count: usize,
    (index, amended): (impl Fn(usize) -> u64 + Sync, impl Fn(usize, &mut Quantities) + Sync),
    interrupted: &AtomicBool,
) -> Result<Option<(Batch, Vec<f64>)>, NotZero> {
    /// Instances a task draws: few enough that no thread waits where one takes long, and many
    /// enough that a task's own buffers do not count.
    const TASKS_A_THREAD: usize = 4;
    const TASK: RangeInclusive<usize> = 16..=1024;
    let task = count.div_ceil(TASKS_A_THREAD * rayon::current_num_threads());
    let task = task.clamp(*TASK.start(), *TASK.end());
    let width = sampler.width();
    let nominal = Quantities::nominal(study);
    let mut batch = Batch::new(plan, count);
    let mut drawn = vec![0.0; width * count];
    let mut parts: Vec<BatchPart<'_>> = batch.verdicts.chunks_mut(task).map(BatchPart::new).collect();
    for plane in &mut batch.states {
        parts.iter_mut().zip(plane.chunks_mut(task)).for_each(|(part, of)| part.states.push(of));
    }
    // No plane is kept of a parameter that does not vary.
    for (p, plane) in batch.parameters.iter_mut().enumerate() {
        parts.iter_mut().zip(plane.chunks_mut(task)).for_each(|(part, of)| part.parameters.push((p, of)));
    }
    if width > 0 {
        parts.iter_mut().zip(drawn.chunks_mut(width * task)).for_each(|(part, rows)| part.drawn = rows);
    }
    parts.into_par_iter().enumerate().for_each(|(at, part)| {
        let first = at * task;
        let of_part = (|i| index(first + i), |i, q: &mut Quantities| amended(first + i, q));
        part.draw(plan, sampler, &nominal, of_part, interrupted);
    });
    if interrupted.load(Ordering::Relaxed) {
        return Ok(None);
    }
    match not_zero(plan, &batch, index) {
        None => Ok(Some((batch, drawn))),
        Some(found) => Err(found),
    }
}

/// Returns the channels and parameters that the plan takes for zero and that are not zero in these
/// instances.
fn not_zero(plan: &Plan, batch: &Batch, index: impl Fn(usize) -> u64) -> Option<NotZero> {
    // Where each that is other than zero is so first.
    let others = |zero: &[bool], planes: &[Vec<f64>]| -> Vec<(usize, usize)> {
        let taken = (0..planes.len()).filter(|k| zero.get(*k) == Some(&true));
        taken.filter_map(|k| Some((k, planes[k].iter().position(|x| *x != 0.0)?))).collect()
    };
    let channels = others(&plan.zeros.channels, &batch.states);
    let parameters = others(&plan.zeros.parameters, &batch.parameters);
    let first = channels.iter().chain(&parameters).map(|(_, at)| *at).min()?;
    let numbers = |of: Vec<(usize, usize)>| of.into_iter().map(|(k, _)| k).collect::<Vec<usize>>();
    let (channels, parameters) = (numbers(channels), numbers(parameters));
    let all = channel_names(&plan.model.modes());
    let names = channels.iter().map(|c| all[*c].clone());
    let names = names.chain(parameters.iter().map(|p| plan.model.parameter_name(*p))).collect();
    Some(NotZero { instance: index(first), names, channels, parameters })
}

/// Some instances of a batch: their places in its planes.
struct BatchPart<'a> {
    verdicts: &'a mut [Verdict],
    states: Vec<&'a mut [f64]>,
    /// Parameters that vary: the number of each, and its values.
    parameters: Vec<(usize, &'a mut [f64])>,
    /// One row an instance.
    drawn: &'a mut [f64],
}

impl<'a> BatchPart<'a> {
    fn new(verdicts: &'a mut [Verdict]) -> BatchPart<'a> {
        BatchPart { verdicts, states: Vec::new(), parameters: Vec::new(), drawn: &mut [] }
    }

    /// Draws its instances, the i-th of them as instance `index(i)`, `amended`, or not all where
    /// interrupted.
    fn draw(
        mut self,
        plan: &Plan,
        sampler: &Sampler,
        nominal: &Quantities,
        (index, amended): (impl Fn(usize) -> u64, impl Fn(usize, &mut Quantities)),
        interrupted: &AtomicBool,
    ) {
        /// Instances whose rows go to the planes at a time: the lines of all planes lie in the same
        /// few places of the cache, which are too few for one number at a time.
        const ROWS: usize = 16;
        let (count, width, wide) = (self.verdicts.len(), sampler.width(), self.states.len());
        let mut quantities = nominal.clone();
        let mut start = InstanceStart::default();
        let mut values = vec![0.0; plan.model.parameters()];
        let mut states = vec![0.0; ROWS * wide];
        let mut varying = vec![0.0; ROWS * self.parameters.len()];
        for first in (0..count).step_by(ROWS).take_while(|_| !interrupted.load(Ordering::Relaxed)) {
            let rows = ROWS.min(count - first);
            for row in 0..rows {
                let i = first + row;
                let drawn = &mut self.drawn[i * width..(i + 1) * width];
                sampler.draw(index(i), drawn);
                sampler.apply(drawn, &mut quantities);
                amended(i, &mut quantities);
                let resolved = plan.model.resolve_into(&quantities, &mut values, &mut start);
                let state = &mut states[row * wide..(row + 1) * wide];
                let taken = match resolved {
                    Ok(()) => {
                        state.copy_from_slice(start.state());
                        &values
                    }
                    // Never started; the numbers are those of a body at rest so that nothing trips
                    // over them.
                    Err(_) => {
                        self.verdicts[i] = Verdict::InvalidSample;
                        state.fill(0.0);
                        let bodies = &mut state[..WIDTH * plan.model.bodies()];
                        bodies.iter_mut().step_by(WIDTH).for_each(|q0| *q0 = 1.0);
                        &plan.constants
                    }
                };
                for (k, (p, _)) in self.parameters.iter().enumerate() {
                    varying[k * ROWS + row] = taken[*p];
                }
            }
            for (c, plane) in self.states.iter_mut().enumerate() {
                for (row, to) in plane[first..first + rows].iter_mut().enumerate() {
                    *to = states[row * wide + c];
                }
            }
            for ((_, plane), values) in self.parameters.iter_mut().zip(varying.chunks(ROWS)) {
                plane[first..first + rows].copy_from_slice(&values[..rows]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study_file::{read_study, read_study_text};

    /// The bits of what these instances are drawn with and start from, and their verdicts.
    fn bits(study: &Study, count: usize, index: impl Fn(usize) -> u64 + Sync) -> (Vec<u64>, Vec<Verdict>) {
        let plan = plan(study).expect("a mechanism");
        let sampler = Sampler::new(study).expect("an ensemble");
        let (batch, drawn) = draw(study, &plan, &sampler, count, index).expect("zeros that are");
        let planes = batch.states.iter().chain(&batch.parameters);
        let numbers = drawn.iter().chain(planes.flatten());
        (numbers.map(|x| x.to_bits()).collect(), batch.verdicts)
    }

    /// FNV-1a of the starts of shipped studies, of bodies that nothing joins. Runs already
    /// published can be repeated only while these stay: a change that moves them is a breaking one.
    /// When it is meant, mint them anew and note here when and why.
    #[test]
    fn first_starts_are_what_they_have_always_been() {
        let hash = |name: &str| {
            let file = format!("{}/studies/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let study = read_study(file.as_ref()).unwrap_or_else(|problems| panic!("{problems}"));
            let (numbers, verdicts) = bits(&study, 1100, |i| i as u64);
            assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Finished));
            numbers.into_iter().flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        };
        let hashes = ["tumbling", "spacecraft"].map(|name| format!("{:016x}", hash(name)));
        assert_eq!(hashes, ["1ec7aee773835291", "bbb869f599745e33"]);
    }

    /// Instances are drawn in rooms that have served others, also such as describe no body.
    #[test]
    fn an_instance_starts_alike_alone_and_among_others() {
        let text = "method = { name = \"staggered\", step = 1e-4, steps = 2 }\nensemble.size = 1041\n\
                    [ensemble.vary]\n\"crank.mass\" = { normal = { mean = 1.0, std = 0.6 } }\n\
                    \"crank.angular_velocity\" = { normal = { mean = [0, 2, 0], std = 0.1 } }\n";
        let mechanism = "gravity = [0, 0, -9.81]\n[[body]]\nname = \"crank\"\nmass = 1\ninertia = [1, 2, 3]\n\
                         inertia_about = \"origin\"\ncentre_of_mass = [0.1, 0, 0.05]\n";
        let study = read_study_text("study", text, mechanism).unwrap_or_else(|problems| panic!("{problems}"));
        let (together, verdicts) = bits(&study, 1041, |i| i as u64);
        let invalid = verdicts.iter().filter(|verdict| **verdict == Verdict::InvalidSample).count();
        assert!((20..200).contains(&invalid), "{invalid} masses that are none");
        let numbers = together.len() / verdicts.len();
        let width = Sampler::new(&study).unwrap().width();
        for i in (0..1041).rev().step_by(13) {
            let (alone, verdict) = bits(&study, 1, |_| i as u64);
            assert_eq!(verdict[0], verdicts[i]);
            let drawn = together[i * width..(i + 1) * width].iter();
            let planes = together[width * verdicts.len()..].chunks(verdicts.len()).map(|plane| &plane[i]);
            assert_eq!(drawn.chain(planes).copied().collect::<Vec<_>>(), alone, "instance {i}");
            assert_eq!(alone.len(), numbers);
        }
    }
}
