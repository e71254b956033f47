//! Measures speed, for `polhode bench`: one mechanism advanced by everything there is, over ladders
//! of sizes and steps, each speed with its accuracy.
//!
//! At every size all backends take turns, so that other work on the machine slows all alike, and
//! medians are kept. A turn advances the batch by as many steps as the rung has, nothing else:
//! the *kernel*. At the rung of most steps it also goes from the drawing of the instances to the
//! table of their ends: *end to end*. In the same turns the peak of the device is measured by fused
//! multiply-adds, on the CPU with the same threads.
//!
//! Rungs that would not fit into the budget, judged by what the rungs before them took, are left
//! out, and said to be: drawing and going from end to end too. The accurate motions, by which
//! errors are told, come first and are not cut short.

mod results;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fearless_simd::Level;

use super::cost::threads;
use super::final_columns::final_channels;
use super::judge::{AccurateEnd, CONDITIONS_LEFT_OUT, EndError, Judge, deformation, planned};
use super::listener::Listener;
use super::march::{BatchRun, Piece};
use super::plan::draw;
use super::planned_run::pool;
use super::plausible::doubts;
use super::replay::to_reference;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::cpu::Execution;
use crate::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use crate::backend::gpu::device::{Device, list};
use crate::backend::gpu::peak::Peak;
use crate::backend::program::Program;
use crate::backend::{Backend, BackendError, Batch, End, Plan, choose, cpu};
use crate::base::{Precision, grouped, quantity};
use crate::describe::{Channel, InstanceTable, Run, Study};
use crate::ensemble::{Quantities, Sampler};
use crate::math::quaternion::angle;
use crate::math::vector::{length, sub};
use crate::observe::Verdict;
use crate::observe::channels::{Observer, columns};
use crate::output::figures::draw_figures;
use crate::output::{
    Column, InstancesChunk, InstancesWriter, Listing, Manifest, NewFile, OutputFolder, RunOutcome,
    StudyAnswer, THROUGHPUT, Timings, recover, table_of, throughput_report,
};
use crate::reference::methods as twins;
use crate::study_file::resolved_toml;

/// The name of a measurement in its manifest, where a run has the kind of its study.
const KIND: &str = "throughput";
/// All numbers, for programs.
pub const DATA: &str = "throughput.json";

/// The table of a whole run that is timed.
const SCRATCH: &str = "scratch.parquet";
/// No rung may take more than this share of the budget.
const SHARE: f64 = 0.2;
/// The first look at a backend takes so many steps.
const LOOK: u64 = 20;
/// Instances that the reference takes, once, at the first size: it has one thread and needs
/// microseconds a step.
const BY_REFERENCE: u64 = 64;
/// Turns that are also taken from end to end.
const WHOLE_TURNS: u64 = 3;

/// Largest ensemble of a rung: what is timed lies in memory whole.
pub const MOST_INSTANCES: u64 = 100_000_000;

/// Measurement of how fast one mechanism is advanced, on what, and how accurately.
#[derive(Clone, Debug)]
pub struct Throughput {
    /// Numbers of instances, ascending.
    pub sizes: Vec<u64>,
    /// Steps that are taken without the host looking on, ascending.
    pub steps: Vec<u64>,
    /// Those that compute.
    pub backends: Vec<Engine>,
    /// Precisions of the computation.
    pub precisions: Vec<Precision>,
    /// Turns that medians are taken over.
    pub repeats: u64,
    /// Wall-clock time that all of it may take (s).
    pub budget: f64,
    /// Instances, the first ones, whose end is compared with the accurate motion.
    pub judged: u64,
}

/// Engines that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The independent f64 reference, one instance after another.
    Reference,
    /// The CPU by an interpreter with the vectors that every processor has, one thread.
    Interpreted,
    /// The CPU as studies use it, with 1, 2, 4 ... threads.
    Cpu,
    /// Every adapter that there is, those that are software too.
    Gpu,
}

pub const ENGINES: [(&str, Engine); 4] = [
    ("reference", Engine::Reference),
    ("interpreted", Engine::Interpreted),
    ("cpu", Engine::Cpu),
    ("gpu", Engine::Gpu),
];

impl Default for Throughput {
    fn default() -> Throughput {
        Throughput {
            sizes: vec![1_000, 10_000, 100_000, 1_000_000],
            steps: vec![100, 1_000],
            backends: ENGINES.map(|(_, engine)| engine).to_vec(),
            precisions: vec![Precision::F32, Precision::F64],
            repeats: 5,
            budget: 60.0,
            judged: 4,
        }
    }
}

/// An engine in one precision, on which the study measures.
struct Runner {
    label: String,
    engine: Engine,
    precision: Precision,
    threads: usize,
    /// Its adapter computes on the processor.
    software: bool,
    means: Means,
    /// Operations of an instance a step.
    operations: f64,
    /// Operations a second, of each turn.
    peaks: Vec<f64>,
    /// Time of an instance-step (s), as last seen.
    estimate: Option<f64>,
    /// Time of an instance from end to end at the rung of most steps (s), as last seen.
    whole: Option<f64>,
    judged: Vec<EndError>,
}

/// The means by which a runner advances instances.
enum Means {
    Reference,
    Cpu { backend: Box<dyn Backend>, pool: rayon::ThreadPool },
    Gpu { backend: Box<dyn Backend>, peak: Box<Peak> },
}

/// A measurement.
struct ThroughputMeasurement {
    runner: usize,
    size: u64,
    steps: u64,
    /// Time of the kernel (s), of each turn.
    kernel: Vec<f64>,
    /// From drawing to the table (s), of each turn.
    end_to_end: Vec<f64>,
    failed: u64,
}

/// Measures the mechanism, method and ensemble of a study, and writes the folder `out`.
///
/// # Errors
/// The study advances nothing in time, has no accurate motion, or the folder is refused.
pub fn measure(
    study: &Study,
    settings: &Throughput,
    (out, overwrite): (&Path, bool),
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<RunOutcome, RunError> {
    if !study.kind.card().steps {
        return Err(Unserved::NoSpeed(study.kind.name()).into());
    }
    if !(settings.budget > 0.0 && settings.budget.is_finite()) {
        return Err(Unserved::NoBudget(settings.budget).into());
    }
    recover(out)?;
    let warnings = doubts(study)?;
    let named = study.mechanism.ends.len();
    // Instances that end on the way have no speed, and no error at the end.
    let mut to_the_end = study.clone();
    to_the_end.mechanism.ends.clear();
    let study = &to_the_end;
    let begun = Manifest { kind: KIND.to_string(), ..Manifest::of(study) };
    let started = Instant::now();
    let folder = OutputFolder::create(out, overwrite)?;
    let mut benchmark = ThroughputRun {
        study,
        asked: settings,
        started,
        spared: 0.0,
        plans: Vec::new(),
        runners: Vec::new(),
        rungs: Vec::new(),
        notes: Vec::new(),
        judged: 0,
        drawing: None,
        listener,
        interrupted,
    };
    if named > 0 {
        benchmark.note(CONDITIONS_LEFT_OUT.to_string());
    }
    benchmark.measured(&folder)?;
    let stepping = started.elapsed().as_secs_f64();
    let complete = !benchmark.stopped();

    let (accuracies, rungs, crossovers) =
        (benchmark.accuracy_listing(), benchmark.rung_listing(), benchmark.crossover_listing());
    let doubts = benchmark.doubts();
    let manifest = Manifest {
        complete,
        instances: benchmark.judged as u64,
        advanced: benchmark.judged as u64,
        device: cpu::processor(),
        backend: "all".to_string(),
        precision: settings.precisions.iter().map(|p| p.name()).collect::<Vec<_>>().join(", "),
        timings: Timings { stepping, total: stepping, ..Timings::default() },
        warnings,
        ..begun
    };
    let mut found = rungs.lines();
    let listings =
        [&accuracies, &crossovers].into_iter().filter(|listing| listing.rows() > 0).map(Listing::lines);
    for lines in listings.chain([doubts.clone()].into_iter().filter(|doubts| !doubts.is_empty())) {
        found.push(String::new());
        found.extend(lines);
    }
    let study_toml = &resolved_toml(study);
    let answer = StudyAnswer {
        study,
        study_toml,
        tables: vec![(&THROUGHPUT, table_of(&rungs))],
        data: Some((
            DATA,
            serde_json::json!({
                "study": study.title,
                "complete": complete,
                "started": manifest.started,
                "processor": cpu::processor(),
                "method": study.method.summary(),
                "step": { "value": study.method.step, "unit": "s" },
                "duration_judged": { "value": study.method.step * study.method.steps as f64, "unit": "s" },
                "judged_instances": benchmark.judged,
                "budget": { "value": settings.budget, "unit": "s" },
                "taken": { "value": stepping, "unit": "s" },
                "accuracies": accuracies.json(),
                "rungs": rungs.json(),
                "crossovers": crossovers.json(),
                "doubts": doubts,
                "left_out": benchmark.notes,
            }),
        )),
        draw: Box::new(|_, _| Ok(draw_figures(&benchmark.figures()))),
        report: Box::new(|manifest, pictures| {
            let tables = [&accuracies, &rungs, &crossovers];
            let pictures = &pictures.0;
            let answers = benchmark.answers();
            throughput_report(
                (&study.title, manifest, study_toml),
                tables,
                [&answers, &doubts, &benchmark.notes],
                pictures,
            )
        }),
        found,
        fan: None,
    };
    Ok(answer.write(folder, interrupted, manifest)?)
}

/// 1, 2, 4 ... and all.
fn thread_counts(all: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|n| *n < all).collect();
    counts.push(all);
    counts
}

/// All that takes part.
struct ThroughputRun<'a> {
    study: &'a Study,
    asked: &'a Throughput,
    started: Instant,
    /// Time that the accurate motions took (s), which the budget does not cover.
    spared: f64,
    plans: Vec<(Precision, Plan)>,
    runners: Vec<Runner>,
    rungs: Vec<ThroughputMeasurement>,
    /// Sentences on the measurements that were left out.
    notes: Vec<String>,
    /// Instances that were judged.
    judged: usize,
    /// Time in which an instance is drawn (s), as last seen.
    drawing: Option<f64>,
    listener: &'a dyn Listener,
    interrupted: &'a AtomicBool,
}

impl ThroughputRun<'_> {
    fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn note(&mut self, line: String) {
        self.listener.say(&line);
        self.notes.push(line);
    }

    /// The study in a precision, seen at its end alone.
    fn in_precision(&self, precision: Precision) -> Study {
        let mut study = self.study.clone();
        study.run.precision = precision;
        study.observe.every = study.method.steps;
        study
    }

    /// Opens all backends, and lets the reference judge the first instances by each.
    fn gather(&mut self) -> Result<(), RunError> {
        let begun = Instant::now();
        let judge = Judge::new(self.study, self.asked.judged, self.interrupted)?;
        self.spared = begun.elapsed().as_secs_f64();
        let Some(judge) = judge else { return Ok(()) };
        self.judged = judge.count();
        let all = threads(self.study);
        let adapters = if self.asked.backends.contains(&Engine::Gpu) { list() } else { Vec::new() };
        if self.asked.backends.contains(&Engine::Gpu) && adapters.is_empty() {
            self.note("no GPU adapter was found".to_string());
        }
        for &precision in &self.asked.precisions {
            let study = self.in_precision(precision);
            let (plan, batch) = planned(&study, judge.count())?;
            self.plans.push((precision, plan.clone()));
            let program = Program::new(&plan, precision);
            let operations = program.operations(&program.step).total() as f64;
            let runner = |label: String, engine: Engine, threads: usize, means: Means| Runner {
                label,
                engine,
                precision,
                threads,
                software: false,
                means,
                operations,
                peaks: Vec::new(),
                estimate: None,
                whole: None,
                judged: Vec::new(),
            };
            for &engine in &self.asked.backends {
                if self.stopped() {
                    return Ok(());
                }
                match engine {
                    Engine::Reference if precision == Precision::F64 => {
                        let mut reference = runner("reference".to_string(), engine, 1, Means::Reference);
                        reference.judged = by_twin(&study, &judge)?;
                        self.runners.push(reference);
                    }
                    Engine::Reference => {}
                    Engine::Interpreted => {
                        let level = Level::baseline();
                        let backend = cpu::open_with(
                            plan.clone(),
                            precision,
                            study.run.fused,
                            level,
                            Execution::Interpreted,
                        );
                        let means = Means::Cpu { backend, pool: pool(Some(1))? };
                        let label = format!("CPU, interpreted, 1 thread, {}", precision.name());
                        let mut runner = runner(label, engine, 1, means);
                        runner.judge(&study, &plan, &batch, &judge)?;
                        self.runners.push(runner);
                    }
                    Engine::Cpu => {
                        let mut judged = None;
                        for threads in thread_counts(all) {
                            let backend = cpu::open(plan.clone(), precision, study.run.fused, Level::new());
                            let means = Means::Cpu { backend, pool: pool(Some(threads))? };
                            let s = if threads == 1 { "" } else { "s" };
                            let label = format!("CPU, {threads} thread{s}, {}", precision.name());
                            let mut runner = runner(label, engine, threads, means);
                            // Threads change no bit.
                            match &judged {
                                Some(judged) => runner.judged = Vec::clone(judged),
                                None => {
                                    runner.judge(&study, &plan, &batch, &judge)?;
                                    judged = Some(runner.judged.clone());
                                }
                            }
                            self.runners.push(runner);
                        }
                    }
                    Engine::Gpu => {
                        for adapter in &adapters {
                            match on_gpu(&plan, adapter, &study.run) {
                                Ok(means) => {
                                    let kind = if adapter.kind == "software" { ", software" } else { "" };
                                    // Drivers put their version in parentheses.
                                    let name = adapter.name.split(" (").next().unwrap_or_default();
                                    let label = format!("{name}{kind}, {}", precision.name());
                                    let mut runner = runner(label, engine, 1, means);
                                    runner.software = adapter.kind == "software";
                                    runner.judge(&study, &plan, &batch, &judge)?;
                                    self.runners.push(runner);
                                }
                                Err(error) => {
                                    self.note(format!("{} in {}: {error}", adapter.name, precision.name()))
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Opens everything and measures what fits into the budget.
    ///
    /// # Errors
    /// Those of the backends; nothing fits.
    fn measured(&mut self, folder: &OutputFolder) -> Result<(), RunError> {
        self.gather()?;
        if self.left() < 0.0 {
            self.note(format!(
                "to open the backends and take {} instances to their ends by each took {}; fewer by \
                 --judged or --backends",
                self.judged,
                quantity(self.started.elapsed().as_secs_f64() - self.spared, 2, "s")
            ));
        }
        self.climb(folder)?;
        if self.stopped() || !self.rungs.is_empty() {
            return Ok(());
        }
        Err(Unserved::NothingFits { budget: self.asked.budget, why: self.notes.join("; ") }.into())
    }

    fn left(&self) -> f64 {
        self.asked.budget + self.spared - self.started.elapsed().as_secs_f64()
    }

    /// All sizes, the smallest first.
    fn climb(&mut self, folder: &OutputFolder) -> Result<(), RunError> {
        for &size in &self.asked.sizes {
            for &precision in &self.asked.precisions {
                if self.stopped() {
                    return Ok(());
                }
                let fits = (0..self.runners.len()).any(|r| {
                    self.runners[r].precision == precision && self.fits(r, size, self.asked.steps[0])
                });
                if !fits || !self.affords(self.drawing, size) {
                    self.leave_out(precision, size);
                    continue;
                }
                self.size(precision, size, folder)?;
            }
        }
        Ok(())
    }

    /// Whether a rung's turns would keep within the budget, as far as is known. What has never run
    /// is given a chance.
    fn fits(&self, runner: usize, size: u64, steps: u64) -> bool {
        let runner = &self.runners[runner];
        let size = runner.takes(size);
        let seconds = runner.estimate.map_or(0.0, |each| each * size as f64 * steps as f64);
        // Half as much again for drawing, observing and writing, and for the turn that warms up.
        let all = 1.5 * (self.asked.repeats + 1) as f64 * seconds;
        all <= (SHARE * self.asked.budget).min(self.left())
    }

    /// Whether something that takes an instance so long (s) may be done with all of them.
    fn affords(&self, each: Option<f64>, size: u64) -> bool {
        each.is_none_or(|each| each * size as f64 <= (SHARE * self.asked.budget).min(self.left()))
    }

    fn leave_out(&mut self, precision: Precision, size: u64) {
        self.note(format!("{} instances in {}: over the budget", grouped(size), precision.name()));
    }

    /// One size in one precision, all runners in turns.
    fn size(&mut self, precision: Precision, size: u64, folder: &OutputFolder) -> Result<(), RunError> {
        let study = self.in_precision(precision);
        let Some(plan) = self.plans.iter().find(|(of, _)| *of == precision).map(|(_, plan)| plan.clone())
        else {
            return Ok(());
        };
        let (all, sampler) = (study.ensemble.size, Sampler::new(&study)?);
        let begun = Instant::now();
        let (batch, _) = draw(&study, &plan, &sampler, size as usize, |i| i as u64 % all)?;
        self.drawing = Some(begun.elapsed().as_secs_f64() / size as f64);
        let mut own: Vec<ThroughputMeasurement> = Vec::new();
        for r in
            (0..self.runners.len()).filter(|r| self.runners[*r].precision == precision).collect::<Vec<_>>()
        {
            if self.runners[r].engine == Engine::Reference && size > self.asked.sizes[0] {
                continue;
            }
            if let Means::Gpu { backend, .. } = &self.runners[r].means
                && (backend.capacity() as u64) < size
            {
                let label = self.runners[r].label.clone();
                self.note(format!("{label}: {} instances do not fit on it at once", grouped(size)));
                continue;
            }
            if !self.fits(r, size, self.asked.steps[0]) {
                let label = self.runners[r].label.clone();
                self.note(format!("{label}: {} instances are over the budget", grouped(size)));
                continue;
            }
            self.runners[r].load(&batch)?;
            if self.runners[r].estimate.is_none() {
                let steps = LOOK.min(self.asked.steps[0]);
                let taken = self.runners[r].takes(size);
                let seconds = self.runners[r].kernel(&study, &batch, taken, steps)?;
                self.runners[r].estimate = Some(seconds / (taken * steps) as f64);
            }
            for &steps in &self.asked.steps {
                if self.fits(r, size, steps) {
                    own.push(ThroughputMeasurement {
                        runner: r,
                        size: self.runners[r].takes(size),
                        steps,
                        kernel: Vec::new(),
                        end_to_end: Vec::new(),
                        failed: 0,
                    });
                } else {
                    let label = self.runners[r].label.clone();
                    self.note(format!(
                        "{label}: {} instances x {} steps are over the budget",
                        grouped(size),
                        grouped(steps)
                    ));
                }
            }
        }
        self.listener.say(&format!("{} instances, {}", grouped(size), precision.name()));
        let scratch = folder.path(SCRATCH);
        for turn in 0..=self.asked.repeats {
            // One turn is always counted.
            if self.stopped() || (turn > 1 && self.left() < 0.0) {
                break;
            }
            for i in 0..own.len() {
                let longest = own.get(i + 1).is_none_or(|next| next.runner != own[i].runner);
                let is_whole = longest && self.runners[own[i].runner].engine != Engine::Reference;
                let affords = self.affords(self.runners[own[i].runner].whole, size);
                if is_whole && !affords && turn == 1 {
                    let label = self.runners[own[i].runner].label.clone();
                    self.note(format!("{label}: {} instances end to end are over the budget", grouped(size)));
                }
                let measurement = &mut own[i];
                let runner = &mut self.runners[measurement.runner];
                let seconds = runner.kernel(&study, &batch, measurement.size, measurement.steps)?;
                runner.estimate = Some(seconds / (measurement.size * measurement.steps) as f64);
                // The first turn warms up.
                if turn == 0 {
                    measurement.failed = runner.failed(measurement.size)?;
                    continue;
                }
                measurement.kernel.push(seconds);
                if is_whole && affords && turn <= WHOLE_TURNS {
                    let seconds = runner.end_to_end(&study, &plan, size, measurement.steps, &scratch)?;
                    runner.whole = Some(seconds / size as f64);
                    measurement.end_to_end.push(seconds);
                }
                if longest {
                    runner.peak()?;
                }
            }
        }
        folder.discard(SCRATCH);
        own.retain(|measurement| !measurement.kernel.is_empty());
        self.rungs.extend(own);
        Ok(())
    }
}

fn on_gpu(plan: &Plan, adapter: &AdapterSummary, run: &Run) -> Result<Means, BackendError> {
    let wanted = AdapterChoice::Named(adapter.name.clone());
    let backend = choose::on_device(plan, run, Device::open(&wanted, run.precision)?)?;
    let peak = Box::new(Peak::new(Device::open(&wanted, run.precision)?, run.precision)?);
    Ok(Means::Gpu { backend, peak })
}

/// One instance by the reference's twin of the study's method, seen at its end.
fn twin(
    study: &Study,
    sampler: &Sampler,
    instance: u64,
    steps: u64,
) -> Result<crate::reference::Trajectory, RunError> {
    let mut drawn = vec![0.0; sampler.width()];
    sampler.draw(instance % study.ensemble.size, &mut drawn);
    let mut quantities = Quantities::nominal(study);
    sampler.apply(&drawn, &mut quantities);
    let method = &study.method;
    let schedule =
        twins::Schedule { h: method.step, steps, resynchronise: method.resynchronise, every: steps };
    let constraints = quantities.constraints(&study.constraints);
    let options = &method.options;
    let run = to_reference(&study.mechanism, quantities).and_then(|(mechanism, instance)| {
        twins::run(method.name, options, &constraints, &mechanism, &instance, schedule)
    });
    run.map_err(|why| Unserved::NoTwin(why.into()).into())
}

/// The errors of the reference's twin of the study's method; its energy against its start alone.
fn by_twin(study: &Study, judge: &Judge) -> Result<Vec<EndError>, RunError> {
    let sampler = Sampler::new(study)?;
    let error = |(i, exact): (usize, &AccurateEnd)| -> Result<EndError, RunError> {
        let run = twin(study, &sampler, i as u64, study.method.steps)?;
        let Some(end) = run.states.last().filter(|_| run.non_finite_at.is_none()) else {
            return Ok(EndError::NONE);
        };
        let off = |a: [f64; 3], b: [f64; 3]| length(sub(a, b));
        let mut error = EndError {
            violation: end.constraint_violation,
            energy_drift: (end.energy - run.states[0].energy).abs() / run.states[0].energy.abs(),
            ..EndError::default()
        };
        let bodies = end.bodies.iter().zip(&exact.bodies);
        for ((body, exact), described) in bodies.zip(&study.mechanism.bodies) {
            error.attitude = error.attitude.max(angle(body.attitude, exact.attitude));
            if let Some(flexible) = &described.flexible {
                let off = |k: usize| body.amplitudes[k] - exact.amplitudes[k];
                error.attitude = error.attitude.max(deformation(flexible, off));
            }
            error.angular_velocity =
                error.angular_velocity.max(off(body.angular_velocity, exact.angular_velocity));
            error.position = error.position.max(off(body.position, exact.position));
        }
        Ok(error)
    };
    judge.ends().iter().enumerate().map(error).collect()
}

impl Runner {
    fn largest(&self, of: impl Fn(&EndError) -> f64) -> f64 {
        self.judged.iter().map(of).fold(0.0, f64::max)
    }

    fn judge(&mut self, study: &Study, plan: &Plan, batch: &Batch, judge: &Judge) -> Result<(), RunError> {
        if let Means::Cpu { backend, .. } | Means::Gpu { backend, .. } = &mut self.means {
            self.judged = judge.errors(study, plan, batch, &mut **backend)?;
        }
        Ok(())
    }

    /// Returns how many of so many instances it is given.
    fn takes(&self, size: u64) -> u64 {
        match self.engine {
            Engine::Reference => size.min(BY_REFERENCE),
            Engine::Interpreted | Engine::Cpu | Engine::Gpu => size,
        }
    }

    /// Returns the number of instances, of those advanced last, that did not reach the end.
    fn failed(&mut self, size: u64) -> Result<u64, BackendError> {
        let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; size as usize];
        match &mut self.means {
            Means::Reference => {}
            Means::Cpu { backend, .. } | Means::Gpu { backend, .. } => {
                backend.fetch()?;
                backend.ends(0, &mut ends);
            }
        }
        Ok(ends.iter().filter(|end| end.verdict != Verdict::Finished).count() as u64)
    }

    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        match &mut self.means {
            Means::Reference => Ok(()),
            Means::Cpu { backend, .. } | Means::Gpu { backend, .. } => backend.load(batch),
        }
    }

    /// Time of so many steps of the batch (s), from its start.
    fn kernel(&mut self, study: &Study, batch: &Batch, size: u64, steps: u64) -> Result<f64, RunError> {
        self.load(batch)?;
        let seconds = |advance: &mut dyn FnMut() -> Result<(), BackendError>| {
            let started = Instant::now();
            advance().map(|()| started.elapsed().as_secs_f64())
        };
        match &mut self.means {
            Means::Reference => {
                let sampler = Sampler::new(study)?;
                let started = Instant::now();
                for instance in 0..size {
                    twin(study, &sampler, instance, steps)?;
                }
                Ok(started.elapsed().as_secs_f64())
            }
            Means::Cpu { backend, pool } => Ok(pool.install(|| seconds(&mut || backend.advance(0, steps)))?),
            Means::Gpu { backend, .. } => Ok(seconds(&mut || backend.advance(0, steps))?),
        }
    }

    /// Time from drawing so many instances to the table of their ends (s).
    fn end_to_end(
        &mut self,
        study: &Study,
        plan: &Plan,
        size: u64,
        steps: u64,
        table: &NewFile,
    ) -> Result<f64, RunError> {
        let mut plan = plan.clone();
        (plan.schedule.steps, plan.schedule.every) = (steps, steps);
        let whole = |backend: &mut dyn Backend| -> Result<f64, RunError> {
            let started = Instant::now();
            let sampler = Sampler::new(study)?;
            let all = study.ensemble.size;
            let (batch, _) = draw(study, &plan, &sampler, size as usize, |i| i as u64 % all)?;
            let mut march = BatchRun::new(&plan, Observer::new::<Channel>(&plan, &[]), &batch);
            march.run(backend, None, |_, _: &[Piece]| {}, |_| std::ops::ControlFlow::Continue(()))?;
            let channels = final_channels(study, &plan);
            let (values, ends) = march.finish(&Observer::new(&plan, &channels));
            let named = columns(&study.mechanism, &channels).into_iter().map(|column| Column {
                name: format!("final.{}", column.name),
                unit: column.unit.to_string(),
                description: column.description.to_string(),
                precision: study.run.precision,
            });
            let mut writer = InstancesWriter::create(
                table,
                &named.collect::<Vec<_>>(),
                plan.schedule.h,
                &InstanceTable::All,
                &study.mechanism.verdict_names(),
            )?;
            let verdicts: Vec<Verdict> = ends.iter().map(|end| end.verdict).collect();
            let verdict_steps: Vec<u64> = ends.iter().map(|end| end.step).collect();
            let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            writer.write(&InstancesChunk {
                first: 0,
                verdicts: &verdicts,
                verdict_steps: &verdict_steps,
                own_steps: None,
                verdict_times: None,
                values: &values,
            })?;
            writer.finish()?;
            Ok(started.elapsed().as_secs_f64())
        };
        match &mut self.means {
            Means::Reference => Ok(f64::NAN),
            Means::Cpu { backend, pool } => pool.install(|| whole(&mut **backend)),
            Means::Gpu { backend, .. } => whole(&mut **backend),
        }
    }

    /// Measures the peak of what it runs on once more. The reference is held against one thread of
    /// vectors.
    fn peak(&mut self) -> Result<(), RunError> {
        let on_cpu = |precision: Precision| match precision {
            Precision::F32 | Precision::F32Compensated => cpu::peak::peak::<f32>(),
            Precision::F64 => cpu::peak::peak::<f64>(),
        };
        let peak = match &self.means {
            Means::Reference => pool(Some(1))?.install(|| on_cpu(self.precision)),
            Means::Cpu { pool, .. } => pool.install(|| on_cpu(self.precision)),
            Means::Gpu { peak, .. } => peak.measure()?,
        };
        self.peaks.push(peak);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::results::overtakes;
    use super::*;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(4), [1, 2, 4]);
        assert_eq!(thread_counts(6), [1, 2, 4, 6]);
    }

    use super::super::listener::Silent;

    fn runner(label: &str, engine: Engine, software: bool, peaks: &[f64]) -> Runner {
        Runner {
            label: label.to_string(),
            engine,
            precision: Precision::F32,
            threads: 2,
            software,
            means: Means::Reference,
            operations: 100.0,
            peaks: peaks.to_vec(),
            estimate: None,
            whole: None,
            judged: Vec::new(),
        }
    }

    /// A thousand instances by a hundred steps: 1e5 instance-steps of 100 operations.
    fn measured(runner: usize, size: u64, kernel: &[f64]) -> ThroughputMeasurement {
        let (kernel, end_to_end) = (kernel.to_vec(), kernel.to_vec());
        ThroughputMeasurement { runner, size, steps: 100, kernel, end_to_end, failed: 0 }
    }

    /// A noisy CPU, a software adapter that seems to do more than its peak, and a GPU.
    #[test]
    fn noise_and_what_cannot_be_are_said_and_only_hardware_overtakes() {
        let (study, mechanism) =
            (include_str!("../../studies/tumbling.toml"), include_str!("../../mechanisms/free_body.toml"));
        let study = crate::study_file::read_study_text("free_body", study, mechanism)
            .expect("it is shipped and read");
        let settings = Throughput { sizes: vec![1000, 2000], steps: vec![100], ..Throughput::default() };
        let steady = |time: f64| [time, 1.01 * time, 0.99 * time];
        let mut benchmark = ThroughputRun {
            study: &study,
            asked: &settings,
            started: Instant::now(),
            spared: 60.0,
            plans: Vec::new(),
            runners: vec![
                runner("CPU, 2 threads, f32", Engine::Cpu, false, &steady(1e11)),
                runner("llvmpipe, software, f32", Engine::Gpu, true, &[1e10, 5e9, 3e10]),
                runner("card, f32", Engine::Gpu, false, &steady(1e13)),
            ],
            rungs: vec![
                measured(0, 1000, &steady(1e-3)),
                measured(1, 1000, &steady(4.57e-4)),
                measured(2, 1000, &steady(2e-3)),
                measured(0, 2000, &[2.22e-3, 4e-3, 1e-3]),
                measured(2, 2000, &[1e-4]),
            ],
            notes: Vec::new(),
            judged: 0,
            drawing: None,
            listener: &Silent,
            interrupted: &AtomicBool::new(false),
        };
        // The accurate motions took a minute, which is not of the budget.
        assert!(benchmark.left() > settings.budget);
        let listings =
            [benchmark.rung_listing().lines(), benchmark.crossover_listing().lines(), benchmark.doubts()];
        insta::assert_snapshot!("what_is_told_of_noise", listings.map(|lines| lines.join("\n")).join("\n\n"));
        // A backend that has no speed from end to end leaves the others their colours.
        let of_first = |measurement: &&mut ThroughputMeasurement| measurement.runner == 0;
        benchmark.rungs.iter_mut().filter(of_first).for_each(|measurement| measurement.end_to_end.clear());
        let styles = benchmark.figures().into_iter().map(|figure| {
            figure.curves.into_iter().map(|curve| (curve.label, curve.style)).collect::<BTreeMap<_, _>>()
        });
        let [kernel, whole] = styles.collect::<Vec<_>>().try_into().expect("two figures");
        assert!(kernel.len() == 3 && whole.len() == 2);
        assert!(whole.iter().all(|(label, style)| kernel[label] == *style), "{kernel:?} {whole:?}");
    }

    #[test]
    fn a_gpu_overtakes_where_the_ratio_stays_below_one() {
        let points = |ratios: &[f64]| -> Vec<(f64, f64)> {
            (1..).map(|k| 10f64.powi(k).ln()).zip(ratios.iter().map(|r| r.ln())).collect()
        };
        assert!((overtakes(&points(&[10.0, 0.1])) - 10f64.powf(1.5)).abs() < 1e-9);
        assert!((overtakes(&points(&[0.5, 0.1])) - 10.0).abs() < 1e-9);
        assert!(overtakes(&points(&[10.0, 2.0])).is_nan());
        // Faster once, and slower again.
        assert!(overtakes(&points(&[10.0, 0.5, 2.0])).is_nan());
        assert!(overtakes(&[]).is_nan());
    }
}
