//! The stability map: every cell of a grid is an instance, or several, and is stable if all of them come to their last step
//! within the bounds of `[verdict]`.
//!
//! Steps and settings of treatments are parameters of the model, so that one plan serves a whole map. What changes the
//! plan, a method, a treatment, how often chains are restarted, makes another [`Layer`] of it.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::driver::{Driver, FinishedRows, LARGEST_CHUNK};
use super::march::{BatchRun, Piece};
use super::monte_carlo::{Listener, Outcome, RunError, final_channels, on_threads, planned};
use super::monte_carlo::{check_snapshots, statistics_bytes};
use super::plan::{draw_amended, draw_chunk, replanned};
use super::replay::to_reference;
use super::{RunContext, Runnable};
use crate::backend::program::Program;
use crate::backend::{Backend, Batch, End, Plan};
use crate::base::Precision;
use crate::describe::stability_map::{Along, Axis, GridAxis, Layer, StabilityMap};
use crate::describe::{Channel, ObservedChannel, Study, Target};
use crate::ensemble::{Quantities, Sampler};
use crate::methods::cards;
use crate::observe::Verdict;
use crate::observe::channels::{Observer, columns};
use crate::observe::stability::{Cell, EnergyRecord, Reach};
use crate::output::plots::number;
use crate::output::stability_map::{
    MapAxis as Shown, MapData, StabilityBoundary, of_a_cell, stable_means, write_map,
};
use crate::output::{
    Accuracy, Column, INSTANCES, InstancesWriter, Manifest, OutputError, OutputFolder, check_columns, now_utc,
};
use crate::reference::vibration::vibrations;
use crate::study_file::resolved_toml;

/// Most halvings of a bracket: what is left is rounding.
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
        column(&format!("final.{}", c.name), c.unit, &description, study.run.precision)
    }));
    all
}

impl Runnable for StabilityMap {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<Outcome, RunError> {
        let RunContext { out, overwrite, listener, interrupted } = *under;
        run(study, self, out, overwrite, listener, interrupted)
    }

    fn check(&self, study: &Study, plan: &Plan) -> Result<(), RunError> {
        let columns = table_columns(study, plan, &Sampler::new(study)?);
        check_columns(&study.output.instances, &columns)?;
        check_snapshots(study, plan)
    }

    fn kept_bytes(&self, study: &Study, plan: &Plan) -> u64 {
        statistics_bytes(study, plan)
    }
}

/// Draws the map and writes the folder `out`. Setting `interrupted` ends it early: what is finished is kept.
///
/// # Errors
/// A variant that describes no mechanism, a device, a full disk.
pub fn run(
    study: &Study,
    map: &StabilityMap,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<Outcome, RunError> {
    on_threads(study, || {
        let layers = map.layers(study);
        let mut plans =
            layers.iter().map(|layer| planned(&layer.study)).collect::<Result<Vec<Plan>, RunError>>()?;
        loop {
            let mut mapping = MapRun::new(study, map, &layers, &plans);
            match mapping.run(out, overwrite, listener, interrupted) {
                // Every turn takes channels out of what a plan takes for zero.
                Err(RunError::NotZero(found)) => {
                    listener.say(&format!("{found}: starting again"));
                    let at = mapping.at;
                    plans[at] = replanned(plans[at].clone(), &layers[at].study, &found);
                }
                done => return done,
            }
        }
    })
}

/// What a map is and costs, in lines with their names: before it is drawn.
///
/// # Errors
/// A variant that describes no mechanism.
pub fn outlook(study: &Study, map: &StabilityMap) -> Result<Vec<(&'static str, String)>, RunError> {
    let layers = map.layers(study);
    let (x, y) = (map.grid_axis(&map.x, study), map.grid_axis(&map.y, study));
    let cells = x.values.len() as u64 * y.values.len() as u64;
    let names = map.names(study);
    let instances = study.ensemble.size * layers.len() as u64;
    let of_axis = |of: &Axis, laid: &GridAxis| {
        let ends =
            [laid.values.first(), laid.values.last()].map(|x| number(x.map_or(f64::NAN, |x| x * of.factor)));
        let label = of.label.clone().unwrap_or_else(|| of.along.name().to_string());
        format!("{label}: {} values from {} to {}", laid.values.len(), ends[0], ends[1])
    };
    let mut lines = vec![
        (
            "map",
            format!("{} of {} x {} cells: {}", names.len(), x.values.len(), y.values.len(), names.join(", ")),
        ),
        ("across", of_axis(&map.x, &x)),
        ("upwards", of_axis(&map.y, &y)),
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
        let row =
            layer.row.map_or_else(String::new, |row| format!(", {} {}", map.y.along.name(), y.values[row]));
        lines.push(("", format!("{}{row}: {operations} operations a step", names[layer.variant])));
    }
    Ok(lines)
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
    /// `[(variant, y, x)]`, x fastest.
    cells: Vec<Cell>,
}

/// What became of some instances.
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
        let cells = x.values.len() * y.values.len() * map.compare.len().max(1);
        let size = study.ensemble.size;
        MapRun {
            study,
            map,
            layers,
            plans,
            at: 0,
            replicas: size / (x.values.len() * rows_laid_out) as u64,
            cells: vec![Cell::EMPTY; cells],
            x,
            y,
        }
    }

    fn run(
        &mut self,
        out: &Path,
        overwrite: bool,
        listener: &dyn Listener,
        interrupted: &AtomicBool,
    ) -> Result<Outcome, RunError> {
        let started_at = now_utc();
        let size = self.study.ensemble.size;
        // Refinements come on top.
        let total = (size * self.layers.len() as u64).saturating_mul(self.study.method.steps);
        let mut driver = Driver::new(listener, interrupted, total);
        let folder = OutputFolder::create(out, overwrite)?;
        let sampler = Sampler::new(&self.layers[0].study)?;
        let columns = table_columns(&self.layers[0].study, &self.plans[0], &sampler);
        check_columns(&self.study.output.instances, &columns)?;
        let table = &self.study.output.instances;
        let mut writer =
            InstancesWriter::create(&folder.path(INSTANCES), &columns, self.study.method.step, table)?;
        let mut verdicts = [0; Verdict::ALL.len()];
        let mut boundaries = Vec::new();
        let mut device: Option<(String, String)> = None;
        for (at, layer) in self.layers.iter().enumerate() {
            self.at = at;
            let chosen = driver.choose(&self.plans[at], &layer.study.run)?;
            if device.is_none() {
                driver.say(&format!("backend: {}", chosen.line));
            }
            device.get_or_insert((chosen.line, chosen.kind.to_string()));
            let mut backend = chosen.backend;
            let sampler = Sampler::new(&layer.study)?;
            let capacity = backend.capacity();
            let mut cells = std::mem::take(&mut self.cells);
            let (mapping, plan) = (&*self, &self.plans[at]);
            let drawn = |range: Range<u64>| Ok(draw_chunk(&layer.study, plan, &sampler, range)?);
            let advance = |driver: &mut Driver<'_>, range: Range<u64>, batch: (Batch, Vec<f64>)| {
                mapping.chunk(driver, &mut *backend, range.start, batch, &mut cells, &mut verdicts)
            };
            let write = |chunk: FinishedCells| chunk.write(&mut writer);
            let done = driver.pipeline(0..size, self.study.run.chunk, capacity, drawn, advance, write);
            self.cells = cells;
            done?;
            boundaries.extend(self.boundaries(&mut driver, &mut *backend, &sampler)?);
        }
        driver.close(writer)?;

        let instances = size * self.layers.len() as u64;
        let counts = Verdict::ALL.iter().zip(verdicts).map(|(verdict, n)| (verdict.name().to_string(), n));
        let counts = counts.filter(|(name, n)| *n > 0 || name != Verdict::Interrupted.name()).collect();
        let advanced = verdicts.iter().sum::<u64>()
            - Verdict::ALL
                .iter()
                .zip(verdicts)
                .find(|(v, _)| **v == Verdict::Interrupted)
                .map_or(0, |(_, n)| n);
        let (device, backend) = device.unwrap_or_default();
        let mut manifest = Manifest {
            complete: advanced == instances,
            instances,
            advanced,
            device,
            backend,
            method: self.map.names(self.study).join(", "),
            started: started_at,
            verdicts: counts,
            accuracy: Some(Accuracy::not_judged("the method is the subject of a stability map")),
            ..driver.account(Manifest::of(self.study))
        };
        let drawn = sampler.columns();
        let axis = |of: &Axis, laid: &GridAxis| {
            let column = drawn.iter().find(|column| column.name == of.along.name());
            let unit = column.map_or("1", |column| &*column.unit);
            Shown::new(of, laid, unit)
        };
        let data = MapData {
            study: self.study,
            study_toml: &resolved_toml(self.study),
            x: axis(&self.map.x, &self.x),
            y: axis(&self.map.y, &self.y),
            period: self.map.period,
            variants: &self.map.names(self.study),
            replicas: self.replicas,
            cells: &self.cells,
            boundaries: &boundaries,
        };
        write_map(&folder, &data, &mut manifest)?;
        let found = data.found();
        let folder = folder.finish()?;
        Ok(Outcome { folder, manifest, found })
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
        let mut watched: Vec<ObservedChannel> = vec![Channel::ENERGY_DRIFT.into()];
        if plan.model.rows() > 0 {
            watched.push(Channel::CONSTRAINT_VIOLATION.into());
        }
        let mut seen = vec![EnergyRecord::NONE; batch.count];
        let mut watching = Duration::ZERO;
        let snapshots = plan.schedule.snapshots();
        let mut march = BatchRun::new(plan, Observer::new(plan, &watched), batch);
        let at_snapshot = |number: usize, pieces: &[Piece]| {
            let started = Instant::now();
            let together = pieces.first().map_or(1, |piece| piece.values[0].len());
            let parts = seen.par_chunks_mut(together).zip(steps.par_chunks(together));
            parts.zip(pieces).for_each(|((seen, steps), piece)| {
                for (k, (seen, h)) in seen.iter_mut().zip(steps).enumerate() {
                    let violation = piece.values.get(1).map_or(f64::NAN, |of| of[k]);
                    seen.at(snapshots[number] as f64 * h, piece.values[0][k], violation);
                }
            });
            watching += started.elapsed();
        };
        driver.advance(backend, &mut march, None, at_snapshot)?;
        driver.observed(watching);
        let mut last = watched;
        let width = last.len();
        last.extend(final_channels(&self.layer().study, plan));
        let (mut finals, ends) = driver.finish(&mut march, &Observer::new(plan, &last));
        let own: Vec<Vec<f64>> = finals.drain(..width).collect();
        for (i, seen) in seen.iter_mut().enumerate() {
            seen.last(own[0][i], own.get(1).map_or(f64::NAN, |of| of[i]));
        }
        Ok(Ended { ends, seen, finals })
    }

    /// Instances of the layer from `first` on, into their cells.
    fn chunk(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        first: u64,
        (batch, drawn): (Batch, Vec<f64>),
        cells: &mut [Cell],
        verdicts: &mut [u64; Verdict::ALL.len()],
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
            seen.iter().map(|seen| seen.energy_drift).collect(),
            seen.iter().map(|seen| seen.violation).collect(),
            seen.iter().map(|seen| seen.trend.slope()).collect(),
        ];
        values.extend(finals);
        let first = self.at as u64 * self.study.ensemble.size + first;
        Ok(FinishedCells { first, ends, drawn, steps, variant: self.layer().variant, values })
    }

    /// How far the rows of the layer reach, refined if that is asked for.
    fn boundaries(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        sampler: &Sampler,
    ) -> Result<Vec<StabilityBoundary>, RunError> {
        let rows: Vec<usize> =
            self.layer().row.map_or_else(|| (0..self.y.values.len()).collect(), |row| vec![row]);
        let variant = self.layer().variant;
        let mut found: Vec<StabilityBoundary> = Vec::new();
        for row in rows {
            let cells = &self.cells[self.cell(row, 0)..][..self.x.values.len()];
            let stable: Vec<Option<bool>> = cells.iter().map(|cell| cell.is_stable(self.replicas)).collect();
            let reach = Reach::of(&stable);
            let value = |place: Option<usize>| place.map_or(f64::NAN, |k| self.x.values[k]);
            found.push(StabilityBoundary {
                variant,
                row,
                reach,
                largest: value(reach.largest),
                unstable: value(reach.first_unstable),
                last: value(reach.last),
                failure: reach.first_unstable.and_then(|k| cells[k].worst()),
                theory: self.theory(sampler, row),
            });
        }
        if let Some(width) = self.map.bisect {
            self.bisect(driver, backend, sampler, width, &mut found)?;
        }
        Ok(found)
    }

    /// The largest stable step that theory gives the first instance of a row (s), by the fastest undamped vibration about its start;
    /// NaN: x is no step, the theory of the method does not say, or it is damped.
    fn theory(&self, sampler: &Sampler, row: usize) -> f64 {
        /// Most bodies for whose vibrations there is time in each row.
        const MOST_BODIES: usize = 20;
        /// Largest share by which dampers may shorten the step.
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
        let constraints = quantities.constraints(&study.constraints);
        match vibrations(mechanism, &to_reference(mechanism, quantities), &constraints) {
            Ok(found) if (found.longest_step * found.highest() - 2.0).abs() <= UNDAMPED => {
                limit / found.highest()
            }
            _ => f64::NAN,
        }
    }

    /// Halves the brackets of all rows together until they are `width` wide, relative. Instances are those of the cell before
    /// the bracket, with another x.
    fn bisect(
        &self,
        driver: &mut Driver<'_>,
        backend: &mut dyn Backend,
        sampler: &Sampler,
        width: f64,
        rows: &mut [StabilityBoundary],
    ) -> Result<(), RunError> {
        let size = self.study.ensemble.size;
        let mut members: Vec<Vec<u64>> = vec![Vec::new(); rows.len()];
        for i in 0..size {
            let at = self.row_of(i) - rows[0].row;
            if rows[at].reach.largest == Some(self.x.place(i)) {
                members[at].push(i);
            }
        }
        for _ in 0..MOST_HALVINGS {
            let is_open = |row: &StabilityBoundary| row.unstable - row.largest > width * row.unstable.abs();
            let open: Vec<usize> = (0..rows.len()).filter(|k| is_open(&rows[*k])).collect();
            if open.is_empty() || driver.is_interrupted() {
                break;
            }
            let middle = |row: &StabilityBoundary| match self.x.logarithmic {
                true => (row.largest * row.unstable).sqrt(),
                false => 0.5 * (row.largest + row.unstable),
            };
            let tried: Vec<f64> = open.iter().map(|k| middle(&rows[*k])).collect();
            let of_row = |(at, k): (usize, &usize)| members[*k].iter().map(|i| (at, *i)).collect::<Vec<_>>();
            let all: Vec<(usize, u64)> = open.iter().enumerate().flat_map(of_row).collect();
            let mut cells = vec![Cell::EMPTY; open.len()];
            for some in all.chunks(backend.capacity().clamp(1, LARGEST_CHUNK as usize)) {
                let indices: Vec<u64> = some.iter().map(|(_, i)| *i).collect();
                let x: Vec<f64> = some.iter().map(|(at, _)| tried[*at]).collect();
                let ended = self.advance(driver, backend, sampler, &indices, &x)?;
                for (((at, _), end), seen) in some.iter().zip(&ended.ends).zip(&ended.seen) {
                    cells[*at].add(end.verdict, end.step, seen);
                }
            }
            for ((k, x), cell) in open.iter().zip(tried).zip(&cells) {
                match cell.is_stable(self.replicas) {
                    Some(true) => rows[*k].largest = x,
                    Some(false) => {
                        rows[*k].unstable = x;
                        rows[*k].failure = cell.worst();
                    }
                    None => {}
                }
            }
        }
        for row in rows {
            row.last = row.last.max(row.largest);
        }
        Ok(())
    }
}

/// The full step of each instance (s).
fn steps_of(plan: &Plan, batch: &Batch) -> Vec<f64> {
    let plane = &batch.parameters[plan.model.step()];
    if plane.is_empty() { vec![plan.schedule.h; batch.count] } else { plane.clone() }
}
