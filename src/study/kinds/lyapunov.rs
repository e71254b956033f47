//! The rate at which neighbours of the instances part: finite-time exponents of Lyapunov by exact
//! [tangents](crate::backend::tangents), a neighbour of every instance as a check, and the
//! derivative of the end by the start.
//!
//! ```text
//! chi_j(t) = ln r_jj(t) / t    r_jj: by how much direction j has grown, those before it taken away
//! ```

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::backend::choose::Workload;
use crate::backend::tangents::{COORDINATES, Derivative, Tangents, coordinates, coordinates_of};
use crate::backend::{Backend, Batch, End, Plan};
use crate::base::{Precision, known_within, quantity, shown_within, significant, with_error, with_unit};
use crate::describe::{Channel, Distribution, Force, Signal, Study};
use crate::ensemble::sampling::directions;
use crate::ensemble::{Quantities, Sampler};
use crate::math::quaternion::{to_body, to_space};
use crate::methods::cards;
use crate::model::{AT_REST, BodyParameter, Model, WIDTH};
use crate::observe::channels::Observer;
use crate::observe::exact_sum::ExactSum;
use crate::observe::pairs::{Moments, symmetric_mean};
use crate::observe::stored::{StoreReader, StoreWriter, wrong};
use crate::observe::{PILOT, Pilot, Statistics, Summary, Verdict};
use crate::output::{
    Associations, Column, ColumnLabel, EXPONENTS, ExponentMap, Exponents, InstancesWriter, Manifest,
    OutputFolder, ReportData, RunOutcome, TRANSITION, Transition, check_columns, write_transition,
};
use crate::study::accuracy::measure;
use crate::study::checkpoint::{Found, Header, Kept, TableOf, folder_of, leave_state};
use crate::study::cost::{GrowthColumn, Pass, RunOutlook};
use crate::study::driver::{Driver, FinishedRows, room, run_workload};
use crate::study::jumping::jumping_forces;
use crate::study::listener::Silent;
use crate::study::march::{BatchRun, Piece};
use crate::study::merging::{MergeError, Merging, finish_shard, unless_ended};
use crate::study::plan::{draw, draw_chunk};
use crate::study::planned_run::{on_plan, planned, unforeseen};
use crate::study::recorder::PoseObserver;
use crate::study::results::RunRecords;
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::statistics_size::LARGEST_CELLS;
use crate::study::statistics_size::statistics_bytes;
use crate::study::unserved::Unserved;
use crate::study_file::kinds::lyapunov::Lyapunov;

/// Bars of the histograms of final values.
const BARS: usize = 60;

/// Numbers of `transition.parquet` at most.
const LARGEST_TRANSITION: u64 = 1 << 22;

/// Returns the distance of neighbours, for numbers of the order of one: about the root of a
/// rounding, where the error by the square of the distance and the error by rounding are alike.
fn distance(precision: Precision) -> f64 {
    match precision {
        Precision::F32 | Precision::F32Compensated => 1e-2,
        Precision::F64 => 1e-7,
    }
}

/// The direction to a neighbour that is followed itself.
fn neighbours(settings: &Lyapunov, study: &Study) -> Tangents {
    let far = settings.distance.unwrap_or(distance(study.run.precision));
    Tangents { by: Derivative::Neighbour(far), ..Tangents::exact(1) }
}

/// Refuses what has no exponents, or has them not in this way.
pub fn check(study: &Study, settings: &Lyapunov, plan: &Plan) -> Result<(), RunError> {
    let refused = |why: Unserved| Err(why.into());
    check_columns(&study.output.instances, &instance_columns(&Sampler::new(study)?, &columns(settings)))?;
    if let Some(lock) = study.mechanism.locks.first() {
        return refused(Unserved::LockHasNoTangent(lock.name.clone()));
    }
    let explained = |error| RunError::NoMechanism(Model::explain(&study.mechanism, error));
    let mut parameters = vec![0.0; plan.model.parameters()];
    let start = plan.model.resolve(&Quantities::nominal(study), &mut parameters).map_err(explained)?;
    let freedoms = plan.model.freedoms(&start, &plan.moving, &|p| parameters[p])
        + study.mechanism.sampled_states().count();
    if settings.exponents > freedoms {
        return refused(Unserved::TooManyExponents { exponents: settings.exponents, freedoms });
    }
    let restarts = cards().iter().any(|card| card.name == study.method.name && card.resynchronises);
    if settings.exponents > 1 && restarts && plan.schedule.resynchronise == 0 {
        let (exponents, method) = (settings.exponents, study.method.name);
        return refused(Unserved::NeverRestarted { exponents, method });
    }
    let columns = settings.exponents + usize::from(settings.pairs);
    let snapshots = plan.schedule.snapshots().len();
    if snapshots.saturating_mul(columns) > LARGEST_CELLS {
        let allowed = (LARGEST_CELLS / columns).saturating_sub(1).max(1) as u64;
        let every = plan.schedule.steps.div_ceil(allowed);
        return refused(Unserved::TooManyCells { snapshots, columns, every });
    }
    if settings.transition {
        let kept = study.observe.keep.min(study.ensemble.size);
        let numbers = coordinates_of(&plan.model).pow(2) as u64;
        if kept == 0 || kept.saturating_mul(numbers) > LARGEST_TRANSITION {
            return refused(Unserved::TransitionsKept { numbers, kept, most: LARGEST_TRANSITION / numbers });
        }
    }
    Ok(())
}

/// The columns of `exponents.parquet` after the verdicts: what was drawn, and the exponents.
fn instance_columns(sampler: &Sampler, exponents: &[ColumnLabel]) -> Vec<Column> {
    let drawn = sampler.columns().into_iter().map(|c| Column {
        name: format!("drawn.{}", c.name),
        unit: c.unit.to_string(),
        description: "drawn for this instance".to_string(),
        precision: Precision::F64,
    });
    let finals = exponents.iter().map(|c| Column {
        name: format!("final.{}", c.name()),
        unit: c.unit.clone(),
        description: format!("{}; at the end, or as far as an interrupted run came", c.description),
        precision: Precision::F64,
    });
    drawn.chain(finals).collect()
}

impl Runnable for Lyapunov {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        on_plan(study, under, |plan, found| {
            check(study, self, &plan)?;
            let sampler = Sampler::new(study)?;
            NeighbourRun::new(study, self, &plan, sampler).run(under, found)
        })
    }

    fn merge(&self, study: &Study, mut merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let plan = merging.planned(planned(study)?, 0, study);
        let sampler = Sampler::new(study).map_err(RunError::from)?;
        let run = NeighbourRun::new(study, self, &plan, sampler);
        let mut kept = run.nothing_kept();
        merging.absorb(&mut kept)?;
        merging.append_instances(study, EXPONENTS.file, 1)?;
        run.write_transitions(&merging.folder, &mut Driver::new(&Silent, merging.interrupted, 0))?;
        unless_ended(merging.interrupted)?;
        let header = merging.header().clone();
        let Merging { folder, manifest, interrupted, .. } = merging;
        Ok(run.conclude(folder, interrupted, kept, &header, manifest)?)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        check(study, self, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        statistics_bytes(study, plan)
    }

    fn leaves_state(&self) -> bool {
        true
    }

    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let size = study.ensemble.size;
        let pairs = self.pairs.then(|| neighbours(self, study));
        let ways = std::iter::once(Tangents::exact(self.exponents)).chain(pairs);
        let pass = |tangents| Pass {
            study: study.clone(),
            followed: Some((tangents, exponents as GrowthColumn)),
            batches: vec![size, size.min(PILOT)],
            stops: false,
        };
        let pictures = 3 * columns(self).len() + 2;
        Some(RunOutlook { passes: ways.map(pass).collect(), pictures, ..RunOutlook::judged(study) })
    }

    fn with_directions(&self, plan: &Plan) -> Plan {
        plan.following(Tangents::exact(self.exponents))
    }
}

/// The exponents of this ensemble, as columns: of tangents in the order of their directions, then
/// that of pairs.
pub fn columns(settings: &Lyapunov) -> Vec<ColumnLabel> {
    let column = |channel: &str, component: String, description: &str| ColumnLabel {
        channel: channel.to_string(),
        component,
        unit: "1/s".to_string(),
        description: description.to_string(),
    };
    let meaning = "ln of the growth of a tangent, those before it taken away, over the time since the start";
    let mut columns: Vec<ColumnLabel> =
        (1..=settings.exponents).map(|j| column("exponent", j.to_string(), meaning)).collect();
    if settings.pairs {
        let meaning = "ln of the growth of the distance from a neighbour over the time since the start";
        columns.push(column("exponent_of_pairs", String::new(), meaning));
    }
    columns
}

/// An ensemble whose neighbours are followed.
struct NeighbourRun<'a> {
    study: &'a Study,
    settings: &'a Lyapunov,
    /// Without directions.
    plan: &'a Plan,
    sampler: Sampler,
    columns: Vec<ColumnLabel>,
    times: Vec<f64>,
}

/// One way to follow: a plan with directions, what runs it, and its columns among all.
struct Way {
    plan: Plan,
    backend: Box<dyn Backend>,
    first_column: usize,
}

/// The statistics and records that are kept over all chunks.
struct ExponentsKept {
    statistics: Statistics,
    results: RunRecords,
    map: Option<Cells>,
}

impl Kept for ExponentsKept {
    fn store<W: Write>(&self, instances: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        self.statistics.store(to)?;
        self.results.store(instances, to)?;
        self.map.iter().try_for_each(|map| to.value(&(&map.counts, &map.sums)))
    }

    fn absorb<R: Read>(&mut self, instances: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        self.statistics.absorb(from)?;
        self.results.absorb(instances, from)?;
        let Some(map) = &mut self.map else { return Ok(()) };
        let (counts, sums) = from.value::<(Vec<u64>, Vec<ExactSum>)>()?;
        if [counts.len(), sums.len()] != [map.counts.len(), map.sums.len()] {
            return Err(wrong("it has not as many cells as the map"));
        }
        map.counts.iter_mut().zip(counts).for_each(|(mine, count)| *mine += count);
        map.sums.iter_mut().zip(&sums).for_each(|(mine, sum)| mine.merge(sum));
        Ok(())
    }
}

/// The outcome of a chunk.
struct Chunk {
    drawn: Vec<f64>,
    ends: Vec<End>,
    /// `[column][instance]`, at the end or as far as an interrupted one came.
    finals: Vec<Vec<f64>>,
}

impl<'a> NeighbourRun<'a> {
    fn new(study: &'a Study, settings: &'a Lyapunov, plan: &'a Plan, sampler: Sampler) -> NeighbourRun<'a> {
        NeighbourRun {
            study,
            settings,
            plan,
            sampler,
            columns: columns(settings),
            times: plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect(),
        }
    }

    /// Instance-steps of so many instances in all, those of the pilot and of neighbours included.
    fn total(&self, instances: u64) -> u64 {
        let ways = 1 + u64::from(self.settings.pairs);
        let pilot = self.study.ensemble.size.min(PILOT);
        (instances + pilot).saturating_mul(self.plan.schedule.steps).saturating_mul(ways)
    }

    fn run(self, under: &RunContext<'_>, found: Option<Found>) -> Result<RunOutcome, RunError> {
        let RunContext { listener, interrupted, .. } = *under;
        let instances = under.instances(self.study.ensemble.size);
        let count = instances.end - instances.start;
        let mut driver = Driver::new(listener, interrupted, self.total(count));
        let folder = folder_of(under, found.as_ref(), &[EXPONENTS.file])?;
        let tangents = self.plan.following(Tangents::exact(self.settings.exponents));
        let run = &self.study.run;
        let work = run_workload(self.study, under, found.as_ref());
        let chosen = driver.choose(&tangents, run, &work)?;
        driver.say(&format!("backend: {}", chosen.line));
        let begun = under.manifest(self.study, &chosen);
        let mut ways = vec![Way { plan: tangents, backend: chosen.backend, first_column: 0 }];
        if self.settings.pairs {
            let plan = self.plan.following(neighbours(self.settings, self.study));
            let backend = driver.choose(&plan, run, &work)?.backend;
            ways.push(Way { plan, backend, first_column: self.settings.exponents });
        }

        if self.settings.exponents > 1 && self.plan.model.rows() > 0 && !self.plan.projects {
            driver.say(
                "note: tangents drift off the joints, and the smallest exponents may be those of the drift; \
                 constraints.project keeps them there",
            );
        }

        let arithmetic = ways[0].backend.arithmetic();
        under.check_alike(&arithmetic)?;
        let header = Header::new(self.study, under.shard, arithmetic, &[self.plan]);
        let statistics = self.pilot(&mut driver, &mut ways)?;
        let kept = ExponentsKept { statistics, ..self.nothing_kept() };
        let columns = instance_columns(&self.sampler, &self.columns);
        let table = TableOf { file: EXPONENTS.file, columns: &columns, step: self.plan.schedule.h };
        let begin = (folder, found);
        let mut keeping = driver.begin(self.study, kept, &table, begin, (&header, &instances))?;
        let fits = |way: &Way| room(&way.plan, columns.len()).min(way.backend.capacity() as u64);
        let capacity = ways.iter().map(fits).min().unwrap_or(1);
        let drawn = |range: Range<u64>| {
            draw_chunk(self.study, self.plan, &self.sampler, range, interrupted)
                .map_err(unforeseen(under.shard))
        };
        let advance = |driver: &mut Driver<'_>, kept: &mut ExponentsKept, range: Range<u64>, batch| {
            Ok((range.start, self.chunk(driver, &mut ways, range.start, batch, kept)?))
        };
        let write = |writer: &mut InstancesWriter, (first, chunk): (u64, Chunk)| {
            let rows = FinishedRows { first, ends: &chunk.ends, drawn: &chunk.drawn, own_steps: None };
            rows.write(writer, &[], &chunk.finals.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let size = (self.study.run.chunk, capacity);
        driver.pipeline(&mut keeping, instances.end, size, drawn, advance, write)?;
        let mut complete = keeping.kept.results.advanced >= count;
        if complete && under.shard.is_none() && self.settings.transition {
            self.write_transitions(keeping.folder(), &mut driver)?;
            complete = !driver.is_cut(&mut keeping)?;
        }
        let mut measured = None;
        if complete {
            (measured, complete) = driver.judge(&mut keeping, || measure(self.study, None, interrupted))?;
        }
        under.check_replaces(complete)?;
        let (kept, writer, mut folder) = keeping.end();
        driver.close(writer)?;
        if complete {
            folder.complete();
        }
        if let Some(measured) = &measured {
            measured.write(&folder, self.study)?;
        }
        let manifest = Manifest {
            complete,
            accuracy: measured.map(|measured| measured.accuracy),
            shard: under.shard,
            instances: count,
            advanced: kept.results.advanced.min(count),
            verdicts: kept.results.counts.clone(),
            ..driver.account(begun)
        };
        match under.shard {
            None => self.conclude(folder, interrupted, kept, &header, manifest),
            Some(_) => Ok(finish_shard(self.study, folder, &header, &instances, &kept, manifest)?),
        }
    }

    /// Returns the records before any instance has been advanced, with statistics of nothing.
    fn nothing_kept(&self) -> ExponentsKept {
        ExponentsKept {
            statistics: Statistics::empty(),
            results: RunRecords::new(self.study, self.columns.len(), self.times.len()),
            map: Cells::of(self.study),
        }
    }

    /// Writes the derivatives of ends by starts, where they are wanted.
    fn write_transitions(&self, folder: &OutputFolder, driver: &mut Driver<'_>) -> Result<(), RunError> {
        if self.settings.transition {
            write_transition(&folder.path(TRANSITION.file), &self.transitions(driver)?)?;
        }
        Ok(())
    }

    /// Follows the instances of a chunk, of which the first is `first`, and takes in what they
    /// show.
    fn chunk(
        &self,
        driver: &mut Driver<'_>,
        ways: &mut [Way],
        first: u64,
        batch: (Batch, Vec<f64>),
        ExponentsKept { statistics, results, map }: &mut ExponentsKept,
    ) -> Result<Chunk, RunError> {
        let width = self.columns.len();
        let kept = results.trajectories.instances.len();
        let RunRecords { recorder, trajectories, .. } = results;
        let chunk = self.follow(driver, ways, batch, |i| first + i as u64, &mut |snapshot| {
            let cells = &mut statistics.cells_mut()[snapshot.time * width..(snapshot.time + 1) * width];
            for (column, values) in snapshot.values.iter().enumerate() {
                let column = snapshot.first_column + column;
                cells[column].add(values);
                for (i, value) in values.iter().enumerate().take(kept.saturating_sub(first as usize)) {
                    let rounded = match trajectories.precision {
                        Some(Precision::F32) => f64::from(*value as f32),
                        _ => *value,
                    };
                    trajectories.values[column][snapshot.time * kept + first as usize + i] = rounded;
                }
            }
            if snapshot.first_column == 0
                && let Some(observer) = PoseObserver::new(self.study, snapshot.plan, snapshot.batch, first)
            {
                recorder.record(&observer, self.times[snapshot.time], snapshot.pieces);
            }
        })?;
        results.count(first, &chunk.ends);
        if let Some(map) = map {
            map.add(first, &chunk.finals[0]);
        }
        Ok(chunk)
    }

    /// Writes all that follows from what was kept.
    fn conclude(
        &self,
        folder: OutputFolder,
        interrupted: &AtomicBool,
        kept: ExponentsKept,
        header: &Header,
        manifest: Manifest,
    ) -> Result<RunOutcome, RunError> {
        if manifest.complete {
            leave_state(&folder, self.study, header, &kept)?;
        }
        let ExponentsKept { statistics, results, map } = kept;
        let (width, last) = (self.columns.len(), self.times.len() - 1);
        let summaries = statistics.summaries();
        let histograms: Vec<_> = (0..width).map(|column| statistics.histogram(last, column, BARS)).collect();
        let jumping = jumping_forces(self.study);
        let found = found(self.settings, &jumping, &summaries[last], self.times[last]);
        let motions = results.recorder.motions();
        let associations = Associations::read(&folder.path(EXPONENTS.file), self.study, &self.columns)?;
        let data = ReportData {
            study: self.study,
            study_toml: &header.study,
            columns: &self.columns,
            times: &self.times,
            summaries: &summaries,
            final_histograms: &histograms,
            densities: &[],
            associations: &associations,
            trajectories: &results.trajectories,
            motions: &motions,
            failures: &results.failures,
        };
        let map = map.map(Cells::means);
        let exponents = Exponents { data: &data, exponents: self.settings.exponents, map, found: &found };
        Ok(exponents.answer().write(folder, interrupted, manifest)?)
    }

    /// Runs the pilot; its values fix the bins of the statistics.
    fn pilot(&self, driver: &mut Driver<'_>, ways: &mut [Way]) -> Result<Statistics, RunError> {
        let size = self.study.ensemble.size;
        let instances = self.study.ensemble.spread(PILOT);
        let mut pilot = Pilot::new(self.times.len(), self.columns.len(), size);
        let index = |i: usize| instances[i];
        let batch = driver.sample(|| draw(self.study, self.plan, &self.sampler, instances.len(), index))?;
        self.follow(driver, ways, batch, index, &mut |snapshot| {
            for (column, values) in snapshot.values.iter().enumerate() {
                pilot.record(snapshot.time, snapshot.first_column + column, values);
            }
        })?;
        Ok(Statistics::new(Arc::new(pilot), &self.study.observe.quantiles))
    }

    /// Follows the instances of a batch in every way.
    fn follow(
        &self,
        driver: &mut Driver<'_>,
        ways: &mut [Way],
        (plain, drawn): (Batch, Vec<f64>),
        index: impl Fn(usize) -> u64 + Sync,
        record: &mut dyn FnMut(&Snapshot<'_>),
    ) -> Result<Chunk, RunError> {
        let (h, seed) = (self.plan.schedule.h, self.study.ensemble.seed);
        let coordinates = coordinates_of(&self.plan.model);
        let mut chunk = Chunk { drawn, ends: Vec::new(), finals: Vec::new() };
        for Way { plan, backend, first_column } in ways {
            let mut batch = plain.clone();
            let tangents = plan.tangents.expect("a way follows directions");
            driver.sample(|| {
                plan.start_directions(&mut batch, &|i| {
                    let direction = |d: usize| directions(seed, index(i), d as u64, coordinates);
                    (0..tangents.directions).flat_map(direction).collect()
                });
            });
            let observer = Observer::new(plan, &[] as &[Channel]);
            let mut march = BatchRun::new(plan, observer, &batch);
            let reached = driver.advance(&mut **backend, &mut march, None, |time, pieces| {
                let values = (0..tangents.directions)
                    .map(|d| exponents(plan, &tangents, d, self.times[time], pieces))
                    .collect::<Vec<_>>();
                let first_column = *first_column;
                record(&Snapshot { time, first_column, values, plan, batch: &batch, pieces });
            })?;
            let finals = (0..tangents.directions)
                .map(|d| exponents(plan, &tangents, d, reached as f64 * h, march.pieces()));
            chunk.finals.extend(finals);
            let (_, ends) = driver.finish(&mut march, &Observer::new(plan, &[] as &[Channel]));
            // An instance whose neighbour was not followed to the end is one that was interrupted.
            match chunk.ends.is_empty() {
                true => chunk.ends = ends,
                false => {
                    let cut = |end: &&End| end.verdict == Verdict::Interrupted;
                    for (mine, end) in chunk.ends.iter_mut().zip(&ends).filter(|(_, end)| cut(end)) {
                        if mine.verdict == Verdict::Finished {
                            *mine = *end;
                        }
                    }
                }
            }
        }
        Ok(chunk)
    }

    /// The derivatives of the ends of the kept instances by their starts.
    fn transitions(&self, driver: &mut Driver<'_>) -> Result<Vec<Transition>, RunError> {
        let kept = self.study.observe.keep.min(self.study.ensemble.size) as usize;
        let (plain, _) = draw(self.study, self.plan, &self.sampler, kept, |i| i as u64)?;
        let tangents = Tangents { directions: 1, by: Derivative::Exact, orthonormal: false };
        let plan = self.plan.following(tangents);
        let mut backend = driver.choose(&plan, &self.study.run, &Workload::default())?.backend;
        let model = &plan.model;
        let names = coordinate_names(self.study);
        let moves = |k: usize| {
            if names[k].is_none() {
                return false;
            }
            let body = k / COORDINATES;
            let first = if k % COORDINATES < 6 { 0 } else { AT_REST };
            body >= model.bodies() || plan.moving[body * WIDTH + first]
        };
        let moving: Vec<usize> = (0..coordinates_of(model)).filter(|k| moves(*k)).collect();
        let mut transitions = Vec::new();
        let start_channels = tangents.channels(model, 0);
        for &k in &moving {
            let mut batch = plain.clone();
            plan.start_directions(&mut batch, &|i| {
                let mut push = vec![0.0; coordinates_of(model)];
                push[k] = 1.0;
                let parameter = |p: usize| plain.parameters[p].get(i).copied().unwrap_or(plan.constants[p]);
                in_axes(model, &parameter, &mut push, to_body);
                momenta(model, &mut push, &parameter, |of_user, root| of_user / root);
                push
            });
            let mut march = BatchRun::new(&plan, Observer::new(&plan, &[] as &[Channel]), &batch);
            let reached = driver.advance(&mut *backend, &mut march, None, |_, _| {})?;
            driver.count(&march);
            if reached < plan.schedule.steps {
                return Ok(Vec::new());
            }
            let mut first = 0;
            for piece in march.pieces() {
                for i in 0..piece.instances() {
                    let state: Vec<f64> = piece.states().iter().map(|plane| plane[i]).collect();
                    let (along, sampled) = state[start_channels.clone()].split_at(model.width());
                    let mut values = coordinates(&model.motions(&state), &model.motions(along));
                    values.extend(sampled);
                    let parameter =
                        |p: usize| plain.parameters[p].get(first + i).copied().unwrap_or(plan.constants[p]);
                    in_axes(model, &parameter, &mut values, to_space);
                    momenta(model, &mut values, &parameter, |carried, root| carried * root);
                    for &end in &moving {
                        let (Some((initial, initial_unit)), Some((last, last_unit))) =
                            (names[k].clone(), names[end].clone())
                        else {
                            continue;
                        };
                        transitions.push(Transition {
                            instance: (first + i) as u64,
                            initial,
                            initial_unit,
                            last,
                            last_unit,
                            value: if piece.runs(i) { values[end] } else { f64::NAN },
                        });
                    }
                }
                first += piece.instances();
            }
        }
        transitions.sort_by_key(|transition| transition.instance);
        Ok(transitions)
    }
}

/// Turns rotations and angular velocities of coordinates between principal axes and the user's.
fn in_axes(
    model: &Model,
    parameter: &impl Fn(usize) -> f64,
    coordinates: &mut [f64],
    turn: fn([f64; 4], [f64; 3]) -> [f64; 3],
) {
    let frames = coordinates.chunks_exact_mut(COORDINATES).take(model.bodies());
    for (b, of) in frames.enumerate() {
        let principal: [f64; 4] =
            std::array::from_fn(|k| parameter(model.of_body(b, BodyParameter::PRINCIPAL) + k));
        for at in [0, 3] {
            let turned = turn(principal, [of[at], of[at + 1], of[at + 2]]);
            of[at..at + 3].copy_from_slice(&turned);
        }
    }
}

/// Turns momenta of rotors (N m s) among coordinates into what is carried for them, which is over
/// the roots of their inertias, or back.
fn momenta(
    model: &Model,
    coordinates: &mut [f64],
    parameter: &impl Fn(usize) -> f64,
    turn: fn(f64, f64) -> f64,
) {
    // Behind what nothing feels come the rates: those of states, then those of rotors.
    let behind_frames = model.unfelt().end - WIDTH * model.bodies();
    let first = COORDINATES * model.bodies() + behind_frames + model.mechanism().states.len();
    for (x, root) in coordinates[first..].iter_mut().zip(model.momenta_of_one(parameter)) {
        *x = turn(*x, root);
    }
}

/// Names and units of the coordinates of a state, in the order of the model's. What a modal
/// coordinate measures is up to its shape: it stands as a number. States of laws are rates of
/// coordinates that nothing feels, which have no name; sampled ones come last.
fn coordinate_names(study: &Study) -> Vec<Option<(String, Cow<'static, str>)>> {
    const KINDS: [(&str, &str); 4] = [
        ("rotation", "rad"),
        ("angular_velocity", "rad/s"),
        ("mass_centre", "m"),
        ("mass_centre_velocity", "m/s"),
    ];
    let mechanism = &study.mechanism;
    let mut names = Vec::new();
    for body in &mechanism.bodies {
        for (kind, unit) in KINDS {
            let name = |axis| Some((format!("{}.{kind}.{axis}", body.name), Cow::Borrowed(unit)));
            names.extend(["x", "y", "z"].map(name));
        }
    }
    for (b, body) in mechanism.bodies.iter().enumerate() {
        if mechanism.carrier() == Some(b) {
            names.extend((0..mechanism.carried()).map(|_| None));
            names.extend(mechanism.states.iter().map(|state| Some((state.name.clone(), state.unit.clone()))));
            let of_rotor = |rotor: &Force| Some((format!("{}.momentum", rotor.name), "N m s".into()));
            names.extend(mechanism.rotors().map(of_rotor));
        }
        for (kind, unit) in [("amplitude", "1"), ("amplitude_rate", "1/s")] {
            let name = |k| Some((format!("{}.{kind}[{k}]", body.name), Cow::Borrowed(unit)));
            names.extend((0..body.modes()).map(name));
        }
    }
    names.extend(mechanism.sampled_states().map(|(shown, _)| {
        let Signal { name, unit, .. } = &mechanism.signals[shown];
        Some((name.clone(), unit.clone()))
    }));
    names
}

/// A chunk as it is observed at a snapshot.
struct Snapshot<'a> {
    time: usize,
    first_column: usize,
    /// `[direction][instance]`
    values: Vec<Vec<f64>>,
    plan: &'a Plan,
    batch: &'a Batch,
    pieces: &'a [Piece],
}

/// The exponents at time t (s) of all instances, by one direction; NaN of those that have stopped,
/// and at the start.
fn exponents(plan: &Plan, tangents: &Tangents, direction: usize, t: f64, pieces: &[Piece]) -> Vec<f64> {
    let exponents_of = |piece: &Piece| {
        let exponent = |i: usize| match piece.runs(i) && t > 0.0 {
            true => tangents.ln_growth(&plan.model, direction, piece.states(), i) / t,
            false => f64::NAN,
        };
        (0..piece.instances()).map(exponent).collect::<Vec<f64>>()
    };
    pieces.par_iter().flat_map_iter(exponents_of).collect()
}

/// Half the interval that holds the mean of so many independent values with a probability of 95 %.
fn half_interval(summary: &Summary) -> f64 {
    let Summary { count, mean, std, .. } = *summary;
    symmetric_mean(Moments { count, mean, std }).half_width()
}

/// Returns the lines that the run reports at the end; `jumping`: forces whose jumps are left out.
fn found(settings: &Lyapunov, jumping: &[String], last: &[Summary], t: f64) -> Vec<String> {
    let exponent = |summary: &Summary| match summary.count {
        0 => "of no instance".to_string(),
        1 => format!("{} of one instance", quantity(summary.mean, 4, "1/s")),
        n => format!(
            "{} 1/s (mean of {n} instances, 95 %), from {} to {}",
            with_error(summary.mean, half_interval(summary)),
            shown_within(summary.min, summary.std),
            with_unit(&shown_within(summary.max, summary.std), "1/s")
        ),
    };
    let mut lines = vec![format!("largest exponent after {t} s: {}", exponent(&last[0]))];
    if settings.exponents > 1 && last[0].count > 0 {
        let exponent = |summary: &Summary| known_within(summary.mean, half_interval(summary));
        let spectrum: Vec<String> = last[..settings.exponents].iter().map(exponent).collect();
        let sum: f64 = last[..settings.exponents].iter().map(|summary| summary.mean).sum();
        lines.push(format!("spectrum: {} 1/s; sum {} 1/s", spectrum.join(", "), significant(sum, 3)));
    }
    if settings.pairs && last[0].count > 0 {
        let pairs = &last[settings.exponents];
        let interval = half_interval(&last[0]).hypot(half_interval(pairs));
        let apart = (pairs.mean - last[0].mean).abs();
        let verdict = match (apart <= interval, interval.is_finite()) {
            (_, false) => format!("{} apart", quantity(apart, 2, "1/s")),
            (true, _) => format!(
                "agree: {} apart, within the interval of {}",
                quantity(apart, 2, "1/s"),
                quantity(interval, 2, "1/s")
            ),
            (false, _) => format!(
                "differ by {}, more than the interval of {}",
                quantity(apart, 2, "1/s"),
                quantity(interval, 2, "1/s")
            ),
        };
        lines.push(format!("from pairs: {}; {verdict}", exponent(pairs)));
    }
    if !jumping.is_empty() {
        lines.push(format!(
            "all of these leave out the jumps of {}, and are wrong where the motion comes to one",
            jumping.join(", ")
        ));
    }
    // No accurate solution has directions, and pairs take the same steps.
    lines.push("exponents are not judged: a run of half the step shows how far they are off".to_string());
    lines
}

/// Sums of the largest exponent by the cells of a grid of two axes.
struct Cells {
    axes: [(String, String, [f64; 2], u64); 2],
    sums: Vec<ExactSum>,
    counts: Vec<u64>,
}

impl Cells {
    /// Returns the empty cells of an ensemble whose grid has two axes, both of them ranges; `None`
    /// for any other.
    fn of(study: &Study) -> Option<Cells> {
        let vary = &study.ensemble.vary;
        let axes: Vec<_> = vary.iter().filter(|vary| vary.distribution.is_axis()).collect();
        let sampler = Sampler::new(study).ok()?;
        let mut columns = sampler.columns().into_iter();
        let mut found = Vec::new();
        for vary in vary {
            let own: Vec<_> = columns.by_ref().take(vary.target.width()).collect();
            if let Distribution::Linspace { from, to, count } = vary.distribution {
                let Some(column) = own.into_iter().next() else { continue };
                found.push((column.name, column.unit.to_string(), [from, to], count));
            }
        }
        let [first, second] = <[_; 2]>::try_from(found).ok().filter(|_| axes.len() == 2)?;
        let cells = (first.3 * second.3) as usize;
        Some(Cells { axes: [first, second], sums: vec![ExactSum::default(); cells], counts: vec![0; cells] })
    }

    /// Takes in the values of the instances from `first` on.
    fn add(&mut self, first: u64, values: &[f64]) {
        let cells = self.counts.len();
        for (i, value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let cell = ((first + i as u64) % cells as u64) as usize;
            self.sums[cell].add(*value);
            self.counts[cell] += 1;
        }
    }

    /// The means; NaN where there is no value.
    fn means(self) -> ExponentMap {
        let values = self.sums.iter().zip(&self.counts).map(|(sum, count)| sum.mean(*count as f64)).collect();
        ExponentMap { axes: self.axes, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's t of one degree of freedom is 12.7.
    #[test]
    fn few_exponents_have_wide_intervals() {
        let of = |count: u64| {
            let (mean, std) = (0.69, 1.0);
            half_interval(&Summary {
                count,
                excluded: 0,
                mean,
                std,
                min: mean,
                max: mean,
                quantiles: Vec::new(),
            })
        };
        assert!((of(2) - 12.706 / 2f64.sqrt()).abs() < 1e-2, "{}", of(2));
        assert!((of(10_000) - 0.0196).abs() < 1e-4, "{}", of(10_000));
    }
}
