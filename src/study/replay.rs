//! One instance of a finished run again, alone, by the independent f64 reference, beside what the
//! run stored.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as Time};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use nalgebra::{DVector, Vector3};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::base::{Verdict, regular, significant};
use crate::describe::kind::InstanceRows;
use crate::describe::numbers::position;
use crate::describe::{Body, Channel, InstanceTable, Mechanism, NumberOwner, Owner, Study};
use crate::ensemble::{DrawnColumn, Quantities, Sampler, SamplingError};
use crate::model::quantities::BodyQuantities;
use crate::model::redundancy::Redundancy;
use crate::model::{Model, partition};
use crate::observe::channels;
use crate::output::{INSTANCES, Manifest, NEVER, OutputError, STUDY, read_back};
use crate::reference::methods::{self, Schedule};
use crate::reference::{
    BodyNumbers, Dependent, Instance, ReferenceError, SolvedRows, State, Trajectory, accurate,
};
use crate::study::plan::plan;
use crate::study_file::kinds;
use crate::study_file::{Problems, read_study};
use crate::treatments;

/// Why an instance could not be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The user has ended it.
    #[error("interrupted")]
    Interrupted,
    /// A file of the folder is damaged or missing.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The resolved study of the folder cannot be read.
    #[error(transparent)]
    Study(#[from] Problems),
    /// A table of samples has changed since the run.
    #[error(
        "{}: the run drew from other samples than the files in its {STUDY} have now; put these back as they \
         were, or run the study again",
        folder.display()
    )]
    OtherSamples { folder: PathBuf },
    /// The instance cannot be drawn again.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The run has instances `first` to `last` only.
    #[error("instance {instance} is not in this run; it has instances {first} to {last}")]
    NoInstance { instance: u64, first: u64, last: u64 },
    /// A run of this kind stores no states.
    #[error(
        "a run of kind {0} does not store the states that a replay is compared with; \
         run its study as \"monte_carlo\""
    )]
    OtherKind(&'static str),
    /// A run of this kind stores no instances.
    #[error("{}: a study of kind {kind} stores no instances to replay", folder.display())]
    NoInstances { folder: PathBuf, kind: String },
    /// A run of this kind advances nothing.
    #[error("{}: a study of kind {kind} advances nothing in time: there is no motion to \
             replay", folder.display())]
    NothingMoves { folder: PathBuf, kind: &'static str },
    /// The run was told not to store what a replay is compared with.
    #[error(
        "{}: the run stored no {missing} (output.instances of its study), which a replay is compared with; \
         set output.instances = \"all\" there and run the study again", folder.display()
    )]
    NotStored { folder: PathBuf, missing: &'static str },
    /// The table of instances cannot be read.
    #[error("{}: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: String },
    /// The judge takes no such instance: why.
    #[error("the reference refused the instance: {0}")]
    Reference(#[from] ReferenceError),
    /// The accurate motion stands for the method, and takes longer than it may.
    #[error(
        "the accurate motion, by which the method {method} is judged, came to {} s of {} s; give it \
         longer: --patience \"10 min\"",
        significant(*reached, 2), significant(*end, 6)
    )]
    OutOfPatience { method: &'static str, reached: f64, end: f64 },
    /// The accurate motion stands for the method, and its joints do not yield.
    #[error(
        "the reference refused the instance: the method {method} is judged by the accurate motion, whose \
         joints do not yield as those of the treatment {treatment} do"
    )]
    Yields { method: &'static str, treatment: &'static str },
}

/// One instance replayed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replay {
    /// The study of the run, resolved.
    pub study: Study,
    /// Columns of what was drawn.
    pub columns: Vec<DrawnColumn>,
    /// Its values (SI), by column.
    pub drawn: Vec<f64>,
    /// The reference's states at the snapshots, or up to the last sound state of an instance that
    /// stopped.
    pub states: Vec<State>,
    /// Set when the reference itself met a state that is not finite, at this step.
    pub non_finite_at: Option<u64>,
    /// The verdict that the run stored, and its step.
    pub verdict: String,
    /// Number of steps before the verdict.
    pub verdict_step: u64,
    /// Final numbers, stored by the run and found by the reference.
    pub comparison: Vec<ReplayedNumber>,
    /// Why there is no accurate solution to compare with, if there is none.
    pub not_accurate: Option<ReferenceError>,
    /// The method has no twin, as it chooses its steps, or is a program's own: the accurate
    /// solution stands for both.
    pub without_twin: bool,
}

/// The distances of the run from the reference over the same steps, and from the accurate solution,
/// as shares: of every vector or number the difference at the end over its size, or over `SMALL`
/// where it is smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distances {
    pub coding: f64,
    /// NaN: there is no accurate solution.
    pub step: f64,
}

/// Numbers smaller than this (SI) are compared with it.
const SMALL: f64 = 1e-3;
/// It integrates no longer than so many steps of the study between two looks at the clock.
const STRETCH: f64 = 5.0;
/// Longest time that the accurate solution may take, where nothing else is said.
pub const PATIENCE: Duration = Duration::from_secs(10);

impl Replay {
    /// The largest distances of all numbers of the end.
    pub fn distances(&self) -> Distances {
        let mut distances = Distances { coding: 0.0, step: f64::NAN };
        let group = |c: &ReplayedNumber| {
            c.name.rsplit_once('.').map_or(c.name.clone(), |(group, _)| group.to_string())
        };
        for numbers in self.comparison.chunk_by(|a, b| group(a) == group(b) && a.unit == b.unit) {
            let norm = |of: &dyn Fn(&ReplayedNumber) -> f64| {
                numbers.iter().map(|c| of(c).powi(2)).sum::<f64>().sqrt()
            };
            let size = norm(&|c| c.reference).max(SMALL);
            let coding = norm(&|c| c.stored - c.reference) / size;
            distances.coding = if coding.is_nan() { f64::INFINITY } else { distances.coding.max(coding) };
            distances.step =
                distances.step.max(norm(&|c| c.stored - c.accurate) / norm(&|c| c.accurate).max(SMALL));
        }
        distances
    }
}

/// One stored number beside the reference's.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedNumber {
    pub name: String,
    pub unit: String,
    pub stored: f64,
    /// By the same method over the same steps.
    pub reference: f64,
    /// The number in the accurate solution; NaN: there is none.
    pub accurate: f64,
}

/// Replays one instance of the run in `folder`.
pub fn replay(folder: &Path, instance: u64) -> Result<Replay, ReplayError> {
    replay_within(folder, instance, PATIENCE, &NEVER)
}

/// [`replay`] with an accurate solution that may take so long; once `interrupted` is true it ends.
pub fn replay_within(
    folder: &Path,
    instance: u64,
    patience: Duration,
    interrupted: &AtomicBool,
) -> Result<Replay, ReplayError> {
    let replayed = replay_until(folder, instance, patience, interrupted);
    if interrupted.load(Ordering::Relaxed) { Err(ReplayError::Interrupted) } else { replayed }
}

/// The study of a folder, whose samples are those that the run drew from.
fn study_of(folder: &Path, manifest: &Manifest) -> Result<Study, ReplayError> {
    let study = read_study(&folder.join(STUDY))?;
    let others = manifest.drew_others(&study);
    if others { Err(ReplayError::OtherSamples { folder: folder.to_owned() }) } else { Ok(study) }
}

fn replay_until(
    folder: &Path,
    instance: u64,
    patience: Duration,
    interrupted: &AtomicBool,
) -> Result<Replay, ReplayError> {
    let manifest = Manifest::read(folder)?;
    manifest.check(folder, &read_back("replay", [STUDY]))?;
    let no_instances = |kind| ReplayError::NoInstances { folder: folder.to_owned(), kind };
    if kinds::card(&manifest.kind).is_none() {
        return Err(no_instances(manifest.kind.clone()));
    }
    let study = study_of(folder, &manifest)?;
    let kind = study.kind.name();
    match study.kind.card().rows {
        InstanceRows::Ends => {}
        InstanceRows::Exponents => return Err(ReplayError::OtherKind(kind)),
        InstanceRows::Equilibria => {
            return Err(ReplayError::NothingMoves { folder: folder.to_owned(), kind });
        }
        InstanceRows::None => return Err(no_instances(kind.to_string())),
    }
    // The instances of a map's layers have their numbers one after the other.
    let layers = study.kind.studies(&study);
    let (own, size) = (layers[0].ensemble.size, layers[0].ensemble.size * layers.len() as u64);
    let stored = manifest.shard.map_or(0..size, |shard| shard.instances(size));
    if !stored.contains(&instance) {
        return Err(ReplayError::NoInstance { instance, first: stored.start, last: stored.end - 1 });
    }
    let not_stored = |missing| ReplayError::NotStored { folder: folder.to_owned(), missing };
    if layers[0].output.instances == InstanceTable::None {
        return Err(not_stored("table of instances"));
    }
    let row = stored_row(&folder.join(INSTANCES.file), instance - stored.start)?;
    if row.finals.is_empty() {
        return Err(not_stored("final values"));
    }
    let study = layers[(instance / own) as usize].clone();
    let instance = instance % own;
    let sampler = Sampler::new(&study)?;
    let mut drawn = vec![0.0; sampler.width()];
    sampler.draw(instance, &mut drawn);
    let mut quantities = Quantities::nominal(&study);
    sampler.apply(&drawn, &mut quantities);
    // An instance that failed was left in the state before the step of its verdict.
    let names = study.mechanism.verdict_names();
    let fails = |of: Verdict| of != Verdict::Interrupted && !of.is_condition() && !names.is_whole(of);
    let stopped = names.find(&row.verdict).is_some_and(fails);
    let steps = row.verdict_step.saturating_sub(u64::from(stopped));
    let method = &study.method;
    let has_own_steps = crate::methods::chooses_steps(method.name, &method.options);
    // Rounding decides how own steps come to a kink.
    let has_kinks = !study.mechanism.locks.is_empty() || study.mechanism.bends();
    let without_twin = !methods::has(method.name) || has_own_steps && has_kinks;
    let mut not_accurate = None;
    let (states, non_finite_at, comparison) = if row.verdict == "invalid_sample" {
        (Vec::new(), None, Vec::new())
    } else {
        let schedule = Schedule {
            h: quantities.step,
            steps,
            resynchronise: method.resynchronise,
            every: study.observe.every,
        };
        let constraints = quantities.constraints(&study.constraints);
        let solved = match plan(&study) {
            Ok(plan) if constraints.card().solves => solved_rows(&plan.model),
            _ => SolvedRows::default(),
        };
        let (mechanism, instance) = to_reference(&study.mechanism, quantities)?;
        let instance = Instance { solved, ..instance };
        let run = if without_twin {
            accurate_run(&study, &mechanism, &instance, schedule, (patience, interrupted))?
        } else {
            let (name, options) = (method.name, &method.options);
            methods::run_until(name, options, &constraints, &mechanism, &instance, schedule, interrupted)?
        };
        let accurate = run.states.last().and_then(|last| {
            if without_twin {
                return Some(last.clone());
            }
            let limits = accurate::Limits {
                deadline: Time::now().checked_add(patience),
                interrupted: Some(interrupted),
                ..accurate::Limits::until(Time::now(), STRETCH * schedule.h)
            };
            let times = [last.time];
            let exact =
                accurate::run_within(&mechanism, &instance, &times, accurate::TOLERANCE, Some(&limits));
            exact.map_err(|why| not_accurate = Some(why)).ok()?.states.pop()
        });
        let last = run.states.last();
        let comparison =
            last.map_or(Vec::new(), |last| compare(&row, last, accurate.as_ref(), &mechanism, &instance));
        (run.states, run.non_finite_at, comparison)
    };
    Ok(Replay {
        columns: sampler.columns(),
        drawn,
        non_finite_at,
        states,
        verdict: row.verdict,
        verdict_step: row.verdict_step,
        comparison,
        not_accurate,
        without_twin,
        study,
    })
}

/// The accurate motion at the snapshots: a method that chooses its steps itself has no twin. It has
/// no end of patience where that is zero: nothing else is wanted of it.
fn accurate_run(
    study: &Study,
    mechanism: &Mechanism,
    instance: &Instance,
    schedule: Schedule,
    (patience, interrupted): (Duration, &AtomicBool),
) -> Result<Trajectory, ReplayError> {
    let treatment = study.constraints.treatment;
    if treatment == treatments::ELASTIC.name && study.mechanism.is_held() {
        return Err(ReplayError::Yields { method: study.method.name, treatment });
    }
    let Schedule { h, steps, every, .. } = schedule;
    let snapshots = (0..steps).step_by(every as usize).chain([steps]);
    let times: Vec<f64> = snapshots.map(|k| k as f64 * h).collect();
    let deadline = Time::now().checked_add(patience).filter(|_| !patience.is_zero());
    let limits = accurate::Limits { deadline, ..accurate::Limits::by_user(interrupted) };
    accurate::run_within(mechanism, instance, &times, accurate::TOLERANCE, Some(&limits)).map_err(|why| {
        match why {
            ReferenceError::OutOfTime { time: reached } => {
                ReplayError::OutOfPatience { method: study.method.name, reached, end: steps as f64 * h }
            }
            why => why.into(),
        }
    })
}

/// The mechanism of an instance with its numbers, as the reference takes them.
///
/// # Errors
/// With the constants of the instance there is no such mechanism.
pub fn to_reference(
    mechanism: &Mechanism,
    q: Quantities,
) -> Result<(Cow<'_, Mechanism>, Instance), ReferenceError> {
    let linked = q.linked(mechanism).map_err(|why| ReferenceError::NoMechanism { why })?;
    let (q, mechanism) = match linked {
        Some((linked, own)) => (linked, Cow::Owned(own)),
        None => (q, Cow::Borrowed(mechanism)),
    };
    let body = |body: BodyQuantities| BodyNumbers {
        mass: body.mass,
        inertia: body.inertia_in_body(),
        centre_of_mass: body.centre_of_mass,
        position: body.position,
        velocity: body.velocity,
        attitude: body.attitude,
        angular_velocity: body.angular_velocity,
    };
    let instance = Instance {
        bodies: q.placed(&mechanism).into_iter().map(body).collect(),
        gravity: q.gravity,
        loads: q.loads,
        numbers: q.numbers,
        solved: SolvedRows::default(),
    };
    Ok((mechanism, instance))
}

/// Which rows the reference is to solve for, as a model was planned.
pub fn solved_rows(model: &Model) -> SolvedRows {
    let Redundancy { left_out, dependent } = model.redundancy().clone();
    let dependency = |dependent: &partition::Dependent| {
        let (turn, axis) = match dependent.coordinate {
            partition::BodyCoordinate::Place(axis) => (false, axis),
            partition::BodyCoordinate::Turn(axis) => (true, axis),
        };
        Dependent { body: dependent.body, turn, axis, of_positions: dependent.of_positions }
    };
    let dependents =
        model.partition().map_or(Vec::new(), |all| all.dependents.iter().map(dependency).collect());
    SolvedRows { left_out, independent: !dependent, dependents }
}

struct Row {
    verdict: String,
    verdict_step: u64,
    /// Name, unit and value of the final columns.
    finals: Vec<(String, String, f64)>,
}

fn stored_row(file: &Path, row_number: u64) -> Result<Row, ReplayError> {
    let unreadable = |reason: String| ReplayError::Unreadable { file: file.to_owned(), reason };
    let open = regular::open(file).map_err(|error| unreadable(error.to_string()))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(open)
        .and_then(|builder| builder.with_offset(row_number as usize).with_limit(1).build())
        .map_err(|error| unreadable(error.to_string()))?;
    for batch in reader {
        let batch = batch.map_err(|error| unreadable(error.to_string()))?;
        if batch.num_rows() > 0 {
            return row(&batch).ok_or_else(|| unreadable("not the table of instances of a run".to_string()));
        }
    }
    Err(unreadable("has no row for this instance: the run was interrupted before it".to_string()))
}

fn row(batch: &RecordBatch) -> Option<Row> {
    let verdicts = batch.column_by_name("verdict")?;
    let verdicts = arrow_cast_text(verdicts)?;
    let verdict_step = batch.column_by_name("verdict_step")?.as_primitive_opt::<UInt64Type>()?.value(0);
    let mut finals = Vec::new();
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        let Some(name) = field.name().strip_prefix("final.") else { continue };
        let value = match array.as_primitive_opt::<Float64Type>() {
            _ if array.is_null(0) => f64::NAN,
            Some(array) => array.value(0),
            None => f64::from(array.as_primitive_opt::<Float32Type>()?.value(0)),
        };
        let unit = field.metadata().get("unit").cloned().unwrap_or_default();
        finals.push((name.to_string(), unit, value));
    }
    Some(Row { verdict: verdicts, verdict_step, finals })
}

/// The first text of a plain or dictionary-encoded column.
fn arrow_cast_text(array: &dyn Array) -> Option<String> {
    if let Some(plain) = array.as_string_opt::<i32>() {
        return Some(plain.value(0).to_string());
    }
    let dictionary = array.as_any_dictionary_opt()?;
    let key = dictionary.normalized_keys().first().copied()?;
    Some(dictionary.values().as_string_opt::<i32>()?.value(key).to_string())
}

fn compare(
    row: &Row,
    last: &State,
    accurate: Option<&State>,
    mechanism: &Mechanism,
    instance: &Instance,
) -> Vec<ReplayedNumber> {
    row.finals
        .iter()
        .filter_map(|(name, unit, stored)| {
            let reference = number_of(last, mechanism, instance, name)?;
            let accurate = accurate.and_then(|state| number_of(state, mechanism, instance, name));
            let accurate = accurate.unwrap_or(f64::NAN);
            Some(ReplayedNumber {
                name: name.clone(),
                unit: unit.clone(),
                stored: *stored,
                reference,
                accurate,
            })
        })
        .collect()
}

/// The reference's number of the column `name`: of the mechanism, or of a body whose name and a dot
/// stand ahead. What is of a mechanism of one body has the body's name ahead too.
fn number_of(state: &State, mechanism: &Mechanism, instance: &Instance, name: &str) -> Option<f64> {
    // Names of nodes have dots, channels one at most.
    let channel = |body: &Body| name.strip_prefix(&body.name)?.strip_prefix('.');
    let found = mechanism.bodies.iter().enumerate().find_map(|(b, body)| Some((b, channel(body)?)));
    let (of_body, channel) = found.map_or((None, name), |(b, channel)| (Some(b), channel));
    let component = |v: [f64; 3], name: &str| match name {
        "x" => Some(v[0]),
        "y" => Some(v[1]),
        "z" => Some(v[2]),
        _ => None,
    };
    match channel.split_once('.') {
        None if channel == "energy" => return Some(state.energy),
        None if channel == "constraint_violation" => return Some(state.constraint_violation),
        Some(("angular_momentum", c)) => return component(state.angular_momentum, c),
        _ => {}
    }
    let b = of_body?;
    let body = &state.bodies[b];
    let Some((vector, c)) = channel.split_once('.') else {
        let of_body = |channel: &Channel| channel.owner() == Owner::Body;
        let channel = channels::named(channel).into_iter().find(of_body)?;
        return match (channel.of_modes(), channel.mode()) {
            (channels::AMPLITUDE, Some(k)) => body.amplitudes.get(usize::from(k)).copied(),
            (channels::AMPLITUDE_RATE, Some(k)) => body.amplitude_rates.get(usize::from(k)).copied(),
            (channels::STRAIN_ENERGY, _) => {
                let modal = &mechanism.bodies[b].flexible.as_ref()?.modal;
                let scale = instance.numbers[position(&mechanism.numbers(), NumberOwner::Flexible, b)?];
                let eta = DVector::from_column_slice(&body.amplitudes);
                Some(0.5 * scale * eta.dot(&(&modal.constants.stiffness * &eta)))
            }
            _ => None,
        };
    };
    match (vector, c) {
        ("angular_velocity", c) => component(body.angular_velocity, c),
        ("position", c) => component(body.position, c),
        ("velocity", c) => component(body.velocity, c),
        ("attitude", c) => {
            let sign = if body.attitude[0] < 0.0 { -1.0 } else { 1.0 };
            let k: usize = c.strip_prefix('q')?.parse().ok()?;
            body.attitude.get(k).map(|x| sign * x)
        }
        ("deflection", c) => {
            let flexible = mechanism.bodies[b].flexible.as_ref()?;
            let shapes = flexible.modal.local(flexible.watch).ok()?.shapes;
            let moved: Vector3<f64> = shapes.iter().zip(&body.amplitudes).map(|(phi, eta)| *eta * phi).sum();
            component(moved.into(), c)
        }
        _ => None,
    }
}
