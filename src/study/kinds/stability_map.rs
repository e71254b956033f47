//! The stability map: every cell of a grid is an instance, or several, and is stable if all of them
//! come to their last step within the bounds of `[verdict]`.
//!
//! Steps and settings of treatments are parameters of the model, so that one plan serves a whole
//! map. What changes the plan, a method, a treatment, how often chains are restarted, makes another
//! [`Layer`] of it.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::backend::program::Program;
use crate::backend::{Backend, Batch, End, Plan};
use crate::base::{Precision, shown};
use crate::describe::{ObservedChannel, Study, Target};
use crate::ensemble::{Quantities, Sampler};
use crate::methods::cards;
use crate::model::small_vibrations::{SmallVibrations, Stops};
use crate::observe::channels::{Observer, columns};
use crate::observe::stability::{Cell, EnergyRecord, Reach};
use crate::observe::stored::{StoreReader, StoreWriter, wrong};
use crate::observe::{Verdict, channels};
use crate::output::bounds::stable_means;
use crate::output::stability_map::{MapAxis as Shown, MapData, StabilityBoundary, of_a_cell};
use crate::output::{
    Accuracy, Column, INSTANCES, InstancesWriter, Manifest, OutputError, OutputFolder, RunOutcome,
    check_columns,
};
use crate::study::checkpoint::{Found, Header, Kept, TableOf, folder_of};
use crate::study::cost::{Pass, RunOutlook};
use crate::study::driver::{Driver, FinishedRows, LARGEST_CHUNK, room, run_workload, workload};
use crate::study::final_columns::final_channels;
use crate::study::listener::Silent;
use crate::study::march::{BatchRun, Piece};
use crate::study::merging::{MergeError, Merging, finish_shard, unless_ended};
use crate::study::plan::{draw_amended, draw_chunk, replanned};
use crate::study::planned_run::{on_threads, planned, unforeseen};
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::statistics_size::{check_snapshots, statistics_bytes};
use crate::study::unserved::Unserved;
use crate::study_file::kinds::stability_map::{Along, Axis, GridAxis, Layer, StabilityMap};

/// Most halvings of a bracket; beyond them there is only rounding.
const MOST_HALVINGS: usize = 60;

/// The columns of `instances.parquet` after the verdicts.
fn table_columns(study: &Study, plan: &Plan, sampler: &Sampler) -> Vec<Column> {
    let column = |name: &str, unit: &str, description: &str, precision| Column {
        name: name.to_string(),
        unit: unit.to_string(),
        description: description.to_string(),
        precision,
    };
    let own = Precision::F64;
    let mut all = vec![column("variant", "1", "position among what is compared", own)];
    let drawn = sampler.columns().into_iter();
    all.extend(drawn.map(|c| column(&format!("drawn.{}", c.name), &c.unit, "drawn for this instance", own)));
    all.push(column("largest.energy_drift", "1", "largest |E - E0| / (T0 + |V0|) seen", own));
    all.push(column("largest.constraint_violation", "1", "largest |Phi| seen", own));
    all.push(column(
        "energy_drift_rate",
        "1/s",
        "slope of the energy drift, least squares over snapshots",
        own,
    ));
    let finals = columns(&study.mechanism, &final_channels(study, plan));
    all.extend(finals.into_iter().map(|c| {
        let description = format!("{}; at the end, or in the last sound state", c.description);
        column(&format!("final.{}", c.name), &c.unit, &description, study.run.precision)
    }));
    all
}

impl Runnable for StabilityMap {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        let mut found = Found::look(study, under)?;
        on_threads(study, || {
            let layers = self.layers(study);
            let mut plans = plans(&layers)?;
            if let Some(found) = &found {
                plans = planned_as(plans, &layers, |plan, k, study| found.planned(plan, k, study));
            }
            loop {
                let mut mapping = MapRun::new(study, self, &layers, &plans);
                match mapping.run(under, found.take()) {
                    // Every turn takes channels out of what a plan takes for zero.
                    Err(RunError::NotZero(found)) => {
                        under.listener.say(&format!("{found}: starting again"));
                        let at = mapping.at;
                        plans[at] = replanned(plans[at].clone(), &layers[at].study, &found);
                    }
                    done => return done,
                }
            }
        })
    }

    fn merge(&self, study: &Study, mut merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let layers = self.layers(study);
        let plans = planned_as(plans(&layers)?, &layers, |plan, k, study| merging.planned(plan, k, study));
        let mut mapping = MapRun::new(study, self, &layers, &plans);
        let mut kept = mapping.nothing_kept();
        merging.absorb(&mut kept)?;
        merging.append_instances(study, INSTANCES.file, layers.len())?;
        // The boundaries of the stable cells follow from the cells of all shards.
        let mut driver = Driver::new(&Silent, merging.interrupted, 0);
        let work = workload(study, Some(merging.arithmetic().to_string()), true);
        for (at, layer) in layers.iter().enumerate() {
            mapping.at = at;
            let mut backend = driver.choose(&plans[at], &layer.study.run, &work)?.backend;
            if self.bisect.is_some() && backend.arithmetic() != merging.arithmetic() {
                let (shards, here) = (merging.arithmetic().to_string(), backend.arithmetic().to_string());
                return Err(RunError::from(Unserved::MergedElsewhere { shards, here }).into());
            }
            let sampler = Sampler::new(&layer.study).map_err(RunError::from)?;
            let boundaries = mapping.boundaries(&mut driver, &mut *backend, &sampler, &kept.cells)?;
            unless_ended(merging.interrupted)?;
            kept.boundaries.extend(boundaries);
        }
        let Merging { folder, manifest, study_toml, interrupted, .. } = merging;
        Ok(mapping.conclude(folder, interrupted, &kept, &study_toml, manifest)?)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        let columns = table_columns(study, plan, &Sampler::new(study)?);
        check_columns(&study.output.instances, &columns)?;
        check_snapshots(study, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        statistics_bytes(study, plan)
    }

    /// Every halving of a boundary advances a cell of each row once more.
    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let size = study.ensemble.size;
        let (x, y) = (self.grid_axis(&self.x, study), self.grid_axis(&self.y, study));
        let halvings = self.bisect.map_or(0, |width| match x.values[..] {
            [first, second, ..] => {
                let apart = (second - first).abs() / second.abs().max(first.abs());
                (apart / width).log2().ceil().clamp(0.0, MOST_HALVINGS as f64) as usize
            }
            _ => 0,
        });
        let pass = |layer: Layer| {
            let rows = if layer.row.is_some() { 1 } else { y.values.len() as u64 };
            let of_row = size / (x.values.len() as u64 * rows).max(1);
            let batches = [vec![size], vec![rows * of_row; 2 * halvings]].concat();
            Pass { study: layer.study, followed: None, batches, stops: true }
        };
        let pictures = 3 * self.names(study).len() + 2;
        let passes = self.layers(study).into_iter().map(pass).collect();
        Some(RunOutlook { passes, pictures, ..RunOutlook::plain(study) })
    }

    /// Before it is drawn. Lines without a name tell the operations of each layer.
    fn outlook(&self, study: &Study) -> Result<Vec<(&'static str, String)>, RunError> {
        let layers = self.layers(study);
        let (x, y) = (self.grid_axis(&self.x, study), self.grid_axis(&self.y, study));
        let cells = x.values.len() as u64 * y.values.len() as u64;
        let names = self.names(study);
        let instances = study.ensemble.size * layers.len() as u64;
        let of_axis = |of: &Axis, laid: &GridAxis| {
            let ends = [laid.values.first(), laid.values.last()]
                .map(|x| shown(x.map_or(f64::NAN, |x| x * of.factor)));
            let label = of.label.clone().unwrap_or_else(|| of.along.name().to_string());
            format!("{label}: {} values from {} to {}", laid.values.len(), ends[0], ends[1])
        };
        let mut lines = vec![
            (
                "map",
                format!(
                    "{} of {} x {} cells: {}",
                    names.len(),
                    x.values.len(),
                    y.values.len(),
                    names.join(", ")
                ),
            ),
            ("across", of_axis(&self.x, &x)),
            ("upwards", of_axis(&self.y, &y)),
            ("a cell", of_a_cell(instances / (cells * names.len() as u64), study.method.steps)),
            ("stable", stable_means(study)),
        ];
        for layer in &layers {
            let plan = planned(&layer.study)?;
            let operations = if plan.method.is_adaptive() {
                "adaptive".to_string()
            } else {
                let program = Program::new(&plan, study.run.precision);
                program.operations(&program.step).total().to_string()
            };
            let row = layer
                .row
                .map_or_else(String::new, |row| format!(", {} {}", self.y.along.name(), y.values[row]));
            lines.push(("", format!("{}{row}: {operations} operations a step", names[layer.variant])));
        }
        Ok(lines)
    }
}

/// The plan of every layer.
fn plans(layers: &[Layer]) -> Result<Vec<Plan>, RunError> {
    layers.iter().map(|layer| planned(&layer.study)).collect()
}

/// The plans, each changed by `as_then`, which is given its number and the study of its layer.
fn planned_as(
    plans: Vec<Plan>,
    layers: &[Layer],
    as_then: impl Fn(Plan, usize, &Study) -> Plan,
) -> Vec<Plan> {
    let numbered = plans.into_iter().zip(layers).enumerate();
    numbered.map(|(k, (plan, layer))| as_then(plan, k, &layer.study)).collect()
}

/// A map under way.
struct MapRun<'a> {
    study: &'a Study,
    map: &'a StabilityMap,
    layers: &'a [Layer],
    plans: &'a [Plan],
    /// The layer that is advanced.
    at: usize,
    x: GridAxis,
    y: GridAxis,
    /// Instances of a cell.
    replicas: u64,
}

/// The map, as it is kept over all chunks of all layers.
struct MapKept {
    /// `[(variant, y, x)]`, x fastest.
    cells: Vec<Cell>,
    verdicts: [u64; Verdict::ALL.len()],
    /// Boundaries of the layers that are done.
    boundaries: Vec<StabilityBoundary>,
    /// The layer under way.
    layer: usize,
}

impl Kept for MapKept {
    fn store<W: Write>(&self, _: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.value(&(self.layer, &self.verdicts, &self.cells, &self.boundaries))
    }

    fn absorb<R: Read>(&mut self, _: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        let (layer, verdicts, cells, boundaries) =
            from.value::<(usize, [u64; Verdict::ALL.len()], Vec<Cell>, Vec<StabilityBoundary>)>()?;
        if cells.len() != self.cells.len() {
            return Err(wrong("it has not as many cells as the map"));
        }
        self.layer = layer;
        self.verdicts.iter_mut().zip(verdicts).for_each(|(mine, count)| *mine += count);
        self.cells.iter_mut().zip(&cells).for_each(|(mine, cell)| mine.merge(cell));
        self.boundaries.extend(boundaries);
        Ok(())
    }
}

/// The outcomes of some instances.
struct Ended {
    ends: Vec<End>,
    seen: Vec<EnergyRecord>,
    finals: Vec<Vec<f64>>,
}

/// A chunk at its end, to be written.
struct FinishedCells {
    /// Its first row of the table.
    first: u64,
    ends: Vec<End>,
    drawn: Vec<f64>,
    /// Full steps (s).
    steps: Vec<f64>,
    variant: usize,
    /// By column.
    values: Vec<Vec<f64>>,
}

impl FinishedCells {
    fn write(&self, writer: &mut InstancesWriter) -> Result<(), OutputError> {
        let Self { first, ends, drawn, steps, .. } = self;
        let rows = FinishedRows { first: *first, ends, drawn, own_steps: Some(steps) };
        let values: Vec<&[f64]> = self.values.iter().map(Vec::as_slice).collect();
        rows.write(writer, &[&vec![self.variant as f64; ends.len()]], &values)
    }
}

impl<'a> MapRun<'a> {
    fn new(study: &'a Study, map: &'a StabilityMap, layers: &'a [Layer], plans: &'a [Plan]) -> MapRun<'a> {
        let (x, y) = (map.grid_axis(&map.x, study), map.grid_axis(&map.y, study));
        let rows_laid_out = if map.y.along.counts().is_some() { 1 } else { y.values.len() };
        let size = study.ensemble.size;
        MapRun {
            study,
            map,
            layers,
            plans,
            at: 0,
            replicas: size / (x.values.len() * rows_laid_out) as u64,
            x,
            y,
        }
    }

    fn run(&mut self, under: &RunContext<'_>, found: Option<Found>) -> Result<RunOutcome, RunError> {
        let RunContext { listener, interrupted, .. } = *under;
        let instances = under.instances(self.study.ensemble.size);
        let count = (instances.end - instances.start) * self.layers.len() as u64;
        // Refinements come on top.
        let mut driver = Driver::new(listener, interrupted, count.saturating_mul(self.study.method.steps));
        let folder = folder_of(under, found.as_ref(), &[INSTANCES.file])?;
        let sampler = Sampler::new(&self.layers[0].study)?;
        let columns = table_columns(&self.layers[0].study, &self.plans[0], &sampler);
        check_columns(&self.study.output.instances, &columns)?;
        let table = TableOf { file: INSTANCES.file, columns: &columns, step: self.study.method.step };
        let run = &self.study.run;
        let work = run_workload(self.study, under, found.as_ref());
        let mut chosen = driver.choose(&self.plans[0], run, &work)?;
        driver.say(&format!("backend: {}", chosen.line));
        let (device, backend) = (chosen.line.clone(), chosen.kind.to_string());
        let plans: Vec<&Plan> = self.plans.iter().collect();
        under.check_alike(&chosen.backend.arithmetic())?;
        let header = Header::new(self.study, under.shard, chosen.backend.arithmetic(), &plans);
        let kept = self.nothing_kept();
        let begin = (folder, found);
        let mut keeping = driver.begin(self.study, kept, &table, begin, (&header, &instances))?;
        // All instances of a layer are in, and its boundaries are not.
        let mut is_cut = false;
        for (at, layer) in self.layers.iter().enumerate().skip(keeping.kept.layer) {
            self.at = at;
            if at > 0 {
                chosen = driver.choose(&self.plans[at], run, &work)?;
            }
            let backend = &mut *chosen.backend;
            let sampler = Sampler::new(&layer.study)?;
            let capacity = room(&self.plans[at], columns.len()).min(backend.capacity() as u64);
            let size = (self.study.run.chunk, capacity);
            let (mapping, plan) = (&*self, &self.plans[at]);
            let drawn = |range: Range<u64>| {
                draw_chunk(&layer.study, plan, &sampler, range, interrupted).map_err(unforeseen(under.shard))
            };
            let advance = |driver: &mut Driver<'_>, kept: &mut MapKept, range: Range<u64>, batch| {
                mapping.chunk(driver, &mut *backend, range.start, batch, kept)
            };
            let write = |writer: &mut InstancesWriter, chunk: FinishedCells| chunk.write(writer);
            driver.pipeline(&mut keeping, instances.end, size, drawn, advance, write)?;
            if under.shard.is_none() {
                let boundaries = self.boundaries(&mut driver, backend, &sampler, &keeping.kept.cells)?;
                let of_layers = (instances.end - instances.start) * (at as u64 + 1);
                let is_whole = self.advanced(&keeping.kept) == of_layers;
                is_cut = self.map.bisect.is_some() && is_whole && driver.is_cut(&mut keeping)?;
                keeping.kept.boundaries.extend(boundaries);
            }
            if is_cut {
                break;
            }
            keeping.kept.layer = at + 1;
            keeping.next = instances.start;
            if keeping.is_due() && at + 1 < self.layers.len() && !driver.is_interrupted() {
                driver.checkpoint(&mut keeping)?;
            }
        }
        let (kept, writer, mut folder) = keeping.end();
        driver.close(writer)?;

        let mut manifest = self.with_results(&kept, count);
        manifest.complete &= !is_cut;
        if manifest.complete {
            folder.complete();
        }
        let (shard, warnings) = (under.shard, under.warnings.to_vec());
        let manifest = Manifest { device, backend, shard, warnings, ..driver.account(manifest) };
        match under.shard {
            None => self.conclude(folder, interrupted, &kept, &header.study, manifest),
            Some(_) => Ok(finish_shard(self.study, folder, &header, &instances, &kept, manifest)?),
        }
    }

    /// Returns the map before any instance has been advanced.
    fn nothing_kept(&self) -> MapKept {
        let cells = self.x.values.len() * self.y.values.len() * self.map.compare.len().max(1);
        MapKept {
            cells: vec![Cell::EMPTY; cells],
            verdicts: [0; Verdict::ALL.len()],
            boundaries: Vec::new(),
            layer: 0,
        }
    }

    /// Instances that have come to their ends.
    fn advanced(&self, kept: &MapKept) -> u64 {
        let counts = self.study.mechanism.verdict_names().all().zip(kept.verdicts);
        counts.filter(|(verdict, _)| *verdict != Verdict::Interrupted).map(|(_, count)| count).sum()
    }

    /// The manifest with what became of so many instances.
    fn with_results(&self, kept: &MapKept, instances: u64) -> Manifest {
        let names = self.study.mechanism.verdict_names();
        let counts = || names.all().zip(kept.verdicts);
        let advanced = self.advanced(kept);
        let verdicts = counts().filter(|(verdict, n)| *n > 0 || *verdict != Verdict::Interrupted);
        Manifest {
            complete: advanced == instances,
            instances,
            advanced,
            method: self.map.names(self.study).join(", "),
            verdicts: verdicts.map(|(verdict, n)| (names.of(verdict).to_string(), n)).collect(),
            accuracy: Some(Accuracy::not_judged("The method is the subject of a stability map")),
            ..Manifest::of(self.study)
        }
    }

    /// Writes all that follows from what was kept.
    fn conclude(
        &self,
        folder: OutputFolder,
        interrupted: &AtomicBool,
        kept: &MapKept,
        study_toml: &str,
        manifest: Manifest,
    ) -> Result<RunOutcome, RunError> {
        let drawn = Sampler::new(&self.layers[0].study)?.columns();
        let axis = |of: &Axis, laid: &GridAxis| {
            let column = drawn.iter().find(|column| column.name == of.along.name());
            let unit = column.map_or("1", |column| &*column.unit);
            Shown::new(of, laid, unit)
        };
        let data = MapData {
            study: self.study,
            study_toml,
            x: axis(&self.map.x, &self.x),
            y: axis(&self.map.y, &self.y),
            period: self.map.period,
            variants: &self.map.names(self.study),
            replicas: self.replicas,
            cells: &kept.cells,
            boundaries: &kept.boundaries,
            strides: Some([self.x.stride, self.y.stride]).filter(|strides| !strides.contains(&0)),
        };
        Ok(data.answer().write(folder, interrupted, manifest)?)
    }

    fn layer(&self) -> &'a Layer {
        &self.layers[self.at]
    }

    /// The row of an instance of the layer under way.
    fn row_of(&self, i: u64) -> usize {
        self.layer().row.unwrap_or_else(|| self.y.place(i))
    }

    fn cell(&self, row: usize, x: usize) -> usize {
        (self.layer().variant * self.y.values.len() + row) * self.x.values.len() + x
    }

    /// The varied quantity along x, in the layer under way.
    fn x_target(&self) -> Option<&'a Target> {
        let Along::Varied(key) = &self.map.x.along else { return None };
        let vary = &self.layer().study.ensemble.vary;
        vary.iter().find(|vary| vary.target.key == *key).map(|vary| &vary.target)
    }

    /// Advances instances of the layer from the first step to the last, each with its value of x.
    fn advance(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        sampler: &Sampler,
        indices: &[u64],
        x: &[f64],
    ) -> Result<Ended, RunError> {
        let (layer, plan) = (self.layer(), &self.plans[self.at]);
        let target = self.x_target();
        let amended = |i: usize, quantities: &mut Quantities| {
            if let Some(target) = target {
                quantities.set(target, &[x[i]]);
            }
        };
        let (batch, _) = driver
            .sample(|| draw_amended(&layer.study, plan, sampler, indices.len(), |i| indices[i], amended))?;
        self.march(driver, backend, plan, &batch, &steps_of(plan, &batch))
    }

    fn march(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        plan: &Plan,
        batch: &Batch,
        steps: &[f64],
    ) -> Result<Ended, RunError> {
        let mut watched: Vec<ObservedChannel> = vec![channels::ENERGY_DRIFT.into()];
        if plan.model.rows() > 0 {
            watched.push(channels::CONSTRAINT_VIOLATION.into());
        }
        let mut records = vec![EnergyRecord::NONE; batch.count];
        let mut watching = Duration::ZERO;
        let snapshots = plan.schedule.snapshots();
        let mut march = BatchRun::new(plan, Observer::new(plan, &watched), batch);
        let at_snapshot = |number: usize, pieces: &[Piece]| {
            let started = Instant::now();
            let together = pieces.first().map_or(1, |piece| piece.values[0].len());
            let parts = records.par_chunks_mut(together).zip(steps.par_chunks(together));
            parts.zip(pieces).for_each(|((records, steps), piece)| {
                for (k, (records, h)) in records.iter_mut().zip(steps).enumerate() {
                    let violation = piece.values.get(1).map_or(f64::NAN, |of| of[k]);
                    records.at(snapshots[number] as f64 * h, piece.values[0][k], violation);
                }
            });
            watching += started.elapsed();
        };
        driver.advance(backend, &mut march, None, at_snapshot)?;
        driver.observed(watching);
        let mut last = watched;
        let has_outcome = !self.study.mechanism.outcomes.is_empty();
        last.extend(has_outcome.then_some(ObservedChannel { channel: channels::OUTCOME_VALUE, of: Some(0) }));
        let width = last.len();
        last.extend(final_channels(&self.layer().study, plan));
        let (mut finals, ends) = driver.finish(&mut march, &Observer::new(plan, &last));
        let own: Vec<Vec<f64>> = finals.drain(..width).collect();
        for (i, records) in records.iter_mut().enumerate() {
            let violation = own.get(1).filter(|_| plan.model.rows() > 0);
            records.last(own[0][i], violation.map_or(f64::NAN, |of| of[i]));
            if has_outcome {
                records.outcome = own[width - 1][i];
            }
        }
        Ok(Ended { ends, seen: records, finals })
    }

    /// Instances of the layer from `first` on, into their cells.
    fn chunk(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        first: u64,
        (batch, drawn): (Batch, Vec<f64>),
        MapKept { cells, verdicts, .. }: &mut MapKept,
    ) -> Result<FinishedCells, RunError> {
        let plan = &self.plans[self.at];
        let steps = steps_of(plan, &batch);
        let Ended { ends, seen, finals } = self.march(driver, backend, plan, &batch, &steps)?;
        for ((i, end), seen) in (first..).zip(&ends).zip(&seen) {
            let cell = self.cell(self.row_of(i), self.x.place(i));
            cells[cell].add(end.verdict, end.step, seen);
        }
        for (count, verdict) in verdicts.iter_mut().zip(Verdict::ALL) {
            *count += ends.iter().filter(|end| end.verdict == verdict).count() as u64;
        }
        let mut values: Vec<Vec<f64>> = vec![
            seen.iter().map(|record| record.energy_drift).collect(),
            seen.iter().map(|record| record.violation).collect(),
            seen.iter().map(|record| record.trend.slope()).collect(),
        ];
        values.extend(finals);
        let first = self.at as u64 * self.study.ensemble.size + first;
        Ok(FinishedCells { first, ends, drawn, steps, variant: self.layer().variant, values })
    }

    /// Returns the boundaries of the stable cells in the rows of the layer, refined if that is
    /// asked for.
    fn boundaries(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        sampler: &Sampler,
        cells: &[Cell],
    ) -> Result<Vec<StabilityBoundary>, RunError> {
        let rows: Vec<usize> =
            self.layer().row.map_or_else(|| (0..self.y.values.len()).collect(), |row| vec![row]);
        let variant = self.layer().variant;
        let mut found: Vec<StabilityBoundary> = Vec::new();
        for row in rows {
            let cells = &cells[self.cell(row, 0)..][..self.x.values.len()];
            let stable: Vec<Option<bool>> = cells.iter().map(|cell| cell.is_stable(self.replicas)).collect();
            let reach = Reach::of(&stable);
            let value = |place: Option<usize>| place.map_or(f64::NAN, |k| self.x.values[k]);
            found.push(StabilityBoundary {
                variant,
                row,
                reach,
                from: value(reach.first),
                below: value(
                    reach.first.and_then(|k| k.checked_sub(1)).filter(|k| stable[*k] == Some(false)),
                ),
                largest: value(reach.largest),
                unstable: value(reach.first_unstable),
                last: value(reach.last),
                failure: reach.first_unstable.and_then(|k| cells[k].worst()),
                theory: self.theory(sampler, row),
            });
        }
        if let Some(width) = self.map.bisect {
            for edge in [Edge::Upper, Edge::Lower] {
                self.bisect(driver, backend, sampler, (width, edge), &mut found)?;
            }
        }
        Ok(found)
    }

    /// The largest stable step that theory gives the first instance of a row (s), by the fastest
    /// undamped vibration about its start; NaN: x is no step, the theory of the method does not
    /// say, or it is damped.
    fn theory(&self, sampler: &Sampler, row: usize) -> f64 {
        /// Most bodies for whose vibrations there is time in each row.
        const MOST_BODIES: usize = 20;
        /// Largest rate of decay of all dampers together, as a share of the frequency.
        const UNDAMPED: f64 = 1e-6;
        let study = &self.layer().study;
        let mechanism = &study.mechanism;
        let limit = cards().iter().find(|card| card.name == study.method.name).and_then(|card| card.limit);
        let (Some(limit), true) = (limit, self.x.is_step && mechanism.bodies.len() <= MOST_BODIES) else {
            return f64::NAN;
        };
        let instance = if self.layer().row.is_some() { 0 } else { row as u64 * self.y.stride };
        let mut drawn = vec![0.0; sampler.width()];
        sampler.draw(instance, &mut drawn);
        let mut quantities = Quantities::nominal(study);
        sampler.apply(&drawn, &mut quantities);
        match SmallVibrations::about_start(mechanism, &quantities, &study.constraints, Stops::Touched) {
            Some(found) if found.damping <= UNDAMPED * found.highest() => limit / found.highest(),
            _ => f64::NAN,
        }
    }

    /// Halves the brackets of all rows together until they are `width` wide, relative. Instances
    /// are those of the cell before the bracket, with another x.
    fn bisect(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        sampler: &Sampler,
        (width, edge): (f64, Edge),
        rows: &mut [StabilityBoundary],
    ) -> Result<(), RunError> {
        let size = self.study.ensemble.size;
        let mut members: Vec<Vec<u64>> = vec![Vec::new(); rows.len()];
        for i in 0..size {
            let at = self.row_of(i) - rows[0].row;
            if edge.place(&rows[at].reach) == Some(self.x.place(i)) {
                members[at].push(i);
            }
        }
        for _ in 0..MOST_HALVINGS {
            let is_open = |row: &StabilityBoundary| {
                let [stable, unstable] = edge.bracket(row);
                (unstable - stable).abs() > width * unstable.abs().max(stable.abs())
            };
            let open: Vec<usize> = (0..rows.len()).filter(|k| is_open(&rows[*k])).collect();
            if open.is_empty() || driver.is_interrupted() {
                break;
            }
            let middle = |row: &StabilityBoundary| {
                let [stable, unstable] = edge.bracket(row);
                if self.x.logarithmic { (stable * unstable).sqrt() } else { 0.5 * (stable + unstable) }
            };
            let tried: Vec<f64> = open.iter().map(|k| middle(&rows[*k])).collect();
            let of_row = |(at, k): (usize, &usize)| members[*k].iter().map(|i| (at, *i)).collect::<Vec<_>>();
            let all: Vec<(usize, u64)> = open.iter().enumerate().flat_map(of_row).collect();
            let mut cells = vec![Cell::EMPTY; open.len()];
            for some in all.chunks(backend.capacity().clamp(1, LARGEST_CHUNK as usize)) {
                if driver.is_interrupted() {
                    return Ok(());
                }
                let indices: Vec<u64> = some.iter().map(|(_, i)| *i).collect();
                let x: Vec<f64> = some.iter().map(|(at, _)| tried[*at]).collect();
                let ended = self.advance(driver, backend, sampler, &indices, &x)?;
                for (((at, _), end), seen) in some.iter().zip(&ended.ends).zip(&ended.seen) {
                    cells[*at].add(end.verdict, end.step, seen);
                }
            }
            for ((k, x), cell) in open.iter().zip(tried).zip(&cells) {
                let row = &mut rows[*k];
                match (cell.is_stable(self.replicas), edge) {
                    (Some(true), Edge::Upper) => row.largest = x,
                    (Some(true), Edge::Lower) => row.from = x,
                    (Some(false), Edge::Upper) => (row.unstable, row.failure) = (x, cell.worst()),
                    (Some(false), Edge::Lower) => row.below = x,
                    (None, _) => {}
                }
            }
        }
        for row in rows {
            row.last = row.last.max(row.largest);
        }
        Ok(())
    }
}

/// An end of a row's stable stretch.
#[derive(Clone, Copy)]
enum Edge {
    Lower,
    Upper,
}

impl Edge {
    /// The stable cell beside it.
    fn place(self, reach: &Reach) -> Option<usize> {
        match self {
            Edge::Lower => reach.first,
            Edge::Upper => reach.largest,
        }
    }

    /// The last stable x that is known, and the first unstable one beyond.
    fn bracket(self, row: &StabilityBoundary) -> [f64; 2] {
        match self {
            Edge::Lower => [row.from, row.below],
            Edge::Upper => [row.largest, row.unstable],
        }
    }
}

/// The full step of each instance (s).
fn steps_of(plan: &Plan, batch: &Batch) -> Vec<f64> {
    let plane = &batch.parameters[plan.model.step()];
    if plane.is_empty() { vec![plan.schedule.h; batch.count] } else { plane.clone() }
}
