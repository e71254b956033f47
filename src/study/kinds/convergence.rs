//! Work and precision: how the error at the end falls with the step, and what that costs.
//!
//! Every method, with every treatment that it can use and in every precision asked for, takes the
//! same instances from the start to the end with every step of the ladder; the accurate solution of
//! the reference judges their ends. Costs are the exact operations of the recorded program, and the
//! time of one thread of the CPU backend, all rungs taking turns. For a target error the largest
//! step that meets it is found by bisection between the rungs that do and do not.
//!
//! Errors and operations depend on the study alone. They are kept piece by piece (`ladder.rs`): a
//! run that was killed goes on, and shards put together are the whole. Times depend on the machine,
//! so they are measured once, all in turns, where the result is written: by the run, or by the
//! merge. A shard measures none.

mod ladder;
mod method_case;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fearless_simd::Level;
use rayon::prelude::*;

use crate::backend::{Backend, BackendError, Batch, cpu};
use crate::base::{Options, Precision, quantity, significant};
use crate::describe::{Constraints, Study};
use crate::math::fit::slope;
use crate::methods::AnyMethod;
use crate::output::figures::{Curve, Figure, PlottedQuantity, draw_figures};
use crate::output::{
    Accuracy, CONVERGENCE, Cells, Listed, Listing, Manifest, OutputFolder, RunOutcome, StudyAnswer,
    convergence_report, table_of,
};
use crate::study::checkpoint::{Found, Header, TableOf, folder_of};
use crate::study::driver::Driver;
use crate::study::judge::{CONDITIONS_LEFT_OUT, ErrorLabels, Judge, median_and_spread, planned};
use crate::study::listener::Listener;
use crate::study::merging::{MergeError, Merging, finish_shard, unless_ended};
use crate::study::planned_run::{on_threads, pool};
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::unserved::Unserved;
use crate::study_file::kinds::convergence::{Convergence, MOST_JUDGED};
use crate::treatments;
use ladder::{FinishedUnit, Ladder, Work, WorkLimits, deadline};
use method_case::{MethodCase, StepMeasurement};

/// The rungs as JSON, with slopes and targets.
pub const DATA: &str = "convergence.json";

/// Instances that are timed together: whole groups of the backend.
const TIMED: usize = 256;
/// Operations of a timed run, about: some hundredths of a second.
const TIMED_OPERATIONS: f64 = 3e8;
/// Rungs, the finest above rounding, that a slope is taken over.
const SLOPE_OVER: usize = 4;
/// Errors above this (rad) do not follow the order.
const COARSE: f64 = 0.05;
/// Errors below this (rad) are no better known than the reference.
const FINE: f64 = 1e-11;
/// Roundings that a step adds up, each of half a unit in the last place.
const ROUNDINGS: f64 = 20.0;

/// The slope at which a contestant's errors fall with the step.
pub struct Slope {
    pub contestant: usize,
    /// NaN: too few rungs are above rounding.
    pub slope: f64,
    pub rungs: usize,
}

/// The largest step of a contestant that meets a target.
pub struct TargetStep {
    pub contestant: usize,
    /// Largest error of attitude or deformation of all instances (rad) that is allowed.
    pub target: f64,
    /// `None`: no rung meets it.
    pub measurement: Option<StepMeasurement>,
}

/// All that was found.
pub struct ConvergenceFindings {
    pub contestants: Vec<MethodCase>,
    pub rungs: Vec<StepMeasurement>,
    pub slopes: Vec<Slope>,
    pub targets: Vec<TargetStep>,
    /// `None`: interrupted before there was one.
    pub judge: Option<Judge>,
    judged_as: ErrorLabels,
    /// Simulated time (s).
    pub duration: f64,
    /// Conditions, and steps and targets that there was no time for, in sentences.
    pub left_out: Vec<String>,
    pub complete: bool,
}

impl Runnable for Convergence {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        let found = Found::look(study, under)?;
        on_threads(study, || run(study, self, under, found))
    }

    fn merge(&self, study: &Study, mut merging: Merging<'_>) -> Result<RunOutcome, MergeError> {
        let cases = contestants(study, self);
        let work = work(study, self, &cases);
        let mut ladder = Ladder::of(&work);
        merging.absorb(&mut ladder)?;
        let mut found = findings(&work, &ladder);
        // Times of several machines cannot be compared: all are measured here.
        found.time(self.repeats, &|| merging.interrupted.load(Ordering::Relaxed))?;
        unless_ended(merging.interrupted)?;
        found.complete = true;
        let Merging { folder, manifest, study_toml, interrupted, .. } = merging;
        Ok(conclude(study, self, found, folder, interrupted, &study_toml, manifest)?)
    }

    fn parts(&self, study: &Study) -> (u64, String) {
        let cases = contestants(study, self);
        let units = work(study, self, &cases).units();
        (units, format!("a study of {units} steps and targets of all methods"))
    }
}

/// The work of the study for these cases.
fn work<'a>(study: &'a Study, settings: &'a Convergence, cases: &'a [MethodCase]) -> Work<'a> {
    let duration = study.method.step * study.method.steps as f64;
    Work { study, asked: settings, cases, duration, judged: study.ensemble.size.min(MOST_JUDGED) as usize }
}

/// Returns the arithmetic of every precision, as far as errors depend on it.
fn arithmetic(cases: &[MethodCase], settings: &Convergence) -> Result<String, RunError> {
    let mut all = Vec::new();
    for precision in &settings.precisions {
        if let Some(case) = cases.iter().find(|case| case.precision == *precision) {
            let (plan, _) = planned(&case.study, 1)?;
            all.push(cpu::open(plan, *precision, case.study.run.fused, Level::new()).arithmetic());
        }
    }
    Ok(all.join("; "))
}

fn run(
    study: &Study,
    settings: &Convergence,
    under: &RunContext<'_>,
    from: Option<Found>,
) -> Result<RunOutcome, RunError> {
    let RunContext { listener, interrupted, shard, .. } = *under;
    let cases = contestants(study, settings);
    let work = work(study, settings, &cases);
    let units = under.instances(work.units());
    let total = units.clone().map(|unit| work.weight(unit as usize)).sum();
    let mut driver = Driver::new(listener, interrupted, total);
    let folder = folder_of(under, from.as_ref(), &[])?;
    let arithmetic = arithmetic(&cases, settings)?;
    under.check_alike(&arithmetic)?;
    let header = Header::new(study, shard, arithmetic, &[]);
    let none = TableOf { file: "", columns: &[], step: study.method.step };
    let keeping = driver.begin(study, Ladder::of(&work), &none, (folder, from), (&header, &units))?;
    if study.ensemble.size > MOST_JUDGED {
        listener.say(&format!("of {} instances the first {MOST_JUDGED} are judged", study.ensemble.size));
    }
    let limits = WorkLimits { interrupted, deadline: deadline(settings.budget, driver.spent_before()) };
    let holder = Mutex::new((keeping, driver));
    work.compute(&units, &holder, &limits)?;
    let (mut keeping, mut driver) = holder.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let is_stopped = || interrupted.load(Ordering::Relaxed);
    let ladder = &keeping.kept;
    if ladder.ends.iter().any(Option::is_none) && !is_stopped() {
        let (budget, judged) = (settings.budget.unwrap_or_default(), work.judged);
        let known = ladder.ends.iter().flatten().count();
        return Err(Unserved::BudgetSpent { budget, known, judged }.into());
    }
    let mut found = findings(&work, ladder);
    if shard.is_none() && !is_stopped() {
        listener.say("times, in turns");
        found.time(settings.repeats, &is_stopped)?;
    }
    found.complete = !is_stopped();
    if !found.complete {
        driver.checkpoint(&mut keeping)?;
    }
    driver.stepped(0);
    let (kept, _, mut folder) = keeping.end();
    if found.complete {
        folder.complete();
    }
    let manifest = driver.account(Manifest {
        complete: found.complete,
        shard,
        warnings: under.warnings.to_vec(),
        ..Manifest::of(study)
    });
    match shard {
        None => conclude(study, settings, found, folder, interrupted, &header.study, manifest),
        Some(_) => {
            let manifest = Manifest { device: cpu::processor(), ..found.with_results(settings, manifest) };
            Ok(finish_shard(study, folder, &header, &units, &kept, manifest)?)
        }
    }
}

/// Writes all that was found.
fn conclude(
    study: &Study,
    settings: &Convergence,
    found: ConvergenceFindings,
    folder: OutputFolder,
    interrupted: &AtomicBool,
    study_toml: &str,
    manifest: Manifest,
) -> Result<RunOutcome, RunError> {
    let (rungs, slopes, targets) = (found.rung_listing(), found.slope_listing(), found.target_listing());
    let manifest = Manifest { complete: found.complete, ..found.with_results(settings, manifest) };
    let mut lines = rungs.lines();
    let rest = [
        slopes.lines(),
        if targets.rows() > 0 { targets.lines() } else { Vec::new() },
        found.left_out.clone(),
    ];
    for more in rest.into_iter().filter(|more| !more.is_empty()) {
        lines.push(String::new());
        lines.extend(more);
    }
    let answer = StudyAnswer {
        study,
        study_toml,
        tables: vec![(&CONVERGENCE, table_of(&rungs))],
        data: Some((
            DATA,
            serde_json::json!({
                "study": study.title,
                "complete": found.complete,
                "judged_instances": found.judged(),
                "duration": { "value": found.duration, "unit": "s" },
                "rungs": rungs.json(),
                "slopes": slopes.json(),
                "targets": targets.json(),
                "left_out": found.left_out,
            }),
        )),
        draw: Box::new(|_, _| Ok(draw_figures(&found.figures()))),
        report: Box::new(|manifest, pictures| {
            let (tables, error) = ([&slopes, &targets, &rungs], found.judged_as.error);
            convergence_report(
                (&study.title, manifest, study_toml),
                error,
                tables,
                [&found.answers(), &found.unmet(), &found.left_out],
                &pictures.0,
            )
        }),
        found: lines,
        fan: None,
    };
    Ok(answer.write(folder, interrupted, manifest)?)
}

/// Errors and costs of all contestants at all steps, and the steps that meet the targets.
/// Interrupted, what has been found till then.
pub fn find(
    study: &Study,
    convergence: &Convergence,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<ConvergenceFindings, RunError> {
    let cases = contestants(study, convergence);
    let work = work(study, convergence, &cases);
    let limits = WorkLimits { interrupted, deadline: deadline(convergence.budget, 0.0) };
    let holder = Mutex::new(Ladder::of(&work));
    work.compute(&(0..work.units()), &holder, &limits)?;
    let ladder = holder.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut found = findings(&work, &ladder);
    let is_stopped = || interrupted.load(Ordering::Relaxed);
    listener.say("times, in turns");
    found.time(convergence.repeats, &is_stopped)?;
    found.complete = !is_stopped();
    Ok(found)
}

/// Returns the findings of a ladder; no times yet.
fn findings(work: &Work<'_>, ladder: &Ladder) -> ConvergenceFindings {
    let Work { study, asked, duration, .. } = *work;
    let contestants = contestants(study, asked);
    let mut found = ConvergenceFindings {
        rungs: Vec::new(),
        slopes: Vec::new(),
        targets: Vec::new(),
        judge: Judge::of(&ladder.ends),
        judged_as: ErrorLabels::in_motions_of(&study.mechanism),
        duration,
        left_out: Vec::new(),
        complete: false,
        contestants,
    };
    if !study.mechanism.ends.is_empty() {
        found.left_out.push(CONDITIONS_LEFT_OUT.to_string());
    }
    for (c, contestant) in found.contestants.iter().enumerate() {
        let of_case = ladder.units.iter().enumerate().filter(|(unit, _)| work.about(*unit).0 == c);
        let mut rungs = Vec::new();
        let mut missing = Vec::new();
        for (number, unit) in of_case {
            match (unit, work.about(number).1) {
                (Some(FinishedUnit::Rung(measurement)), _) => rungs.push(measurement.clone()),
                (Some(FinishedUnit::Target(measurement)), Err(target)) => {
                    let target = asked.targets[target];
                    found.targets.push(TargetStep {
                        contestant: c,
                        target,
                        measurement: measurement.clone(),
                    });
                }
                (_, Ok(step)) => missing.push(format!("{:?} s", asked.steps[step])),
                (_, Err(target)) => missing.push(format!("the target of {:?} rad", asked.targets[target])),
            }
        }
        found.slopes.push(slope_of(c, contestant.precision, &rungs));
        found.rungs.extend(rungs);
        if let (false, Some(budget)) = (missing.is_empty(), asked.budget) {
            found.left_out.push(format!(
                "{}: {} left out: the budget of {budget:?} s was spent",
                contestant.label(),
                missing.join(", ")
            ));
        }
    }
    found
}

/// Those that the study asks for.
fn contestants(study: &Study, convergence: &Convergence) -> Vec<MethodCase> {
    let is_constrained = study.mechanism.is_held();
    let mut contestants = Vec::new();
    for variant in &convergence.methods {
        for (t, treatment) in convergence.treatments.iter().enumerate() {
            if !variant.takes(&study.mechanism, treatment) || (!is_constrained && t > 0) {
                continue;
            }
            for &precision in &convergence.precisions {
                let mut own = study.clone();
                // Instances that end on the way have no error at the end.
                own.mechanism.ends.clear();
                own.method = variant.stepping(study.method.step, study.method.steps);
                if *treatment != study.constraints.treatment {
                    own.constraints = standard(treatment, study.constraints.project);
                }
                own.observe.every = own.method.steps;
                own.run.precision = precision;
                let order = AnyMethod::new(variant.name, &variant.options).map_or(0, |method| method.order());
                contestants.push(MethodCase {
                    variant: variant.clone(),
                    treatment: if is_constrained { treatment } else { "" },
                    precision,
                    order,
                    study: own,
                });
            }
        }
    }
    contestants
}

/// A treatment with its default settings.
fn standard(treatment: &'static str, project: u64) -> Constraints {
    let card = treatments::CARDS.iter().find(|card| card.name == treatment);
    let keys = card.map_or(&[][..], |card| card.keys);
    Constraints { treatment, options: Options::defaults(keys), project }
}

/// Over the finest rungs that are above rounding, of the median error of attitude or deformation.
fn slope_of(contestant: usize, precision: Precision, rungs: &[StepMeasurement]) -> Slope {
    let unit = match precision {
        Precision::F32 | Precision::F32Compensated => f64::from(f32::EPSILON) / 2.0,
        Precision::F64 => f64::EPSILON / 2.0,
    };
    let points: Vec<(f64, f64)> = rungs
        .iter()
        .map(|measurement| (measurement, measurement.median(|error| error.attitude)))
        .filter(|(measurement, error)| {
            let floor = FINE.max(ROUNDINGS * unit * measurement.steps as f64);
            *error <= COARSE && *error >= floor
        })
        .map(|(measurement, error)| (measurement.step, error))
        .collect();
    let points = &points[points.len().saturating_sub(SLOPE_OVER)..];
    Slope { contestant, slope: if points.len() < 2 { f64::NAN } else { slope(points) }, rungs: points.len() }
}

/// A rung ready to be timed.
pub struct Timed {
    backend: Box<dyn Backend>,
    batch: Batch,
    /// Steps of one turn.
    steps: u64,
    /// From the time of a turn to that of one instance from start to end.
    scale: f64,
}

impl Timed {
    fn new(contestant: &MethodCase, measurement: &StepMeasurement) -> Result<Timed, RunError> {
        let study = contestant.stepping(measurement.step, measurement.steps);
        let (plan, batch) = planned(&study, TIMED)?;
        let a_step = (measurement.operations * measurement.step).max(1.0) * TIMED as f64;
        let steps = measurement.steps.min((TIMED_OPERATIONS / a_step).ceil() as u64).max(1);
        let backend = cpu::open(plan, contestant.precision, study.run.fused, Level::new());
        Ok(Timed { backend, batch, steps, scale: measurement.steps as f64 / (steps as f64 * TIMED as f64) })
    }

    /// Time of an instance from start to end (s), by one turn of the threads that call.
    pub fn turn(&mut self) -> Result<f64, BackendError> {
        self.backend.load(&self.batch)?;
        let started = Instant::now();
        self.backend.advance(0, self.steps)?;
        Ok(started.elapsed().as_secs_f64() * self.scale)
    }
}

impl ConvergenceFindings {
    /// The manifest with what the study measures.
    fn with_results(&self, settings: &Convergence, manifest: Manifest) -> Manifest {
        Manifest {
            instances: self.judged() as u64,
            advanced: self.judged() as u64,
            device: format!("{}; times of one thread", cpu::processor()),
            backend: "cpu".to_string(),
            precision: settings.precisions.iter().map(|p| p.name()).collect::<Vec<_>>().join(", "),
            method: self.contestants.iter().map(MethodCase::label).collect::<Vec<_>>().join("; "),
            // The steps are of many lengths.
            instance_steps_per_second: 0.0,
            accuracy: Some(Accuracy::not_judged(
                "Every error above is one against the accurate solution, instance by instance",
            )),
            ..manifest
        }
    }

    /// Instances that were judged.
    pub fn judged(&self) -> usize {
        self.judge.as_ref().map_or(0, Judge::count)
    }

    /// A rung of one of the contestants, to be timed.
    pub fn timed(&self, measurement: &StepMeasurement) -> Result<Timed, RunError> {
        Timed::new(&self.contestants[measurement.contestant], measurement)
    }

    /// Times all rungs and all targets on one thread, in turns.
    fn time(&mut self, repeats: u64, stopped: &dyn Fn() -> bool) -> Result<(), RunError> {
        let ConvergenceFindings { contestants, rungs, targets, .. } = self;
        let mut all: Vec<&mut StepMeasurement> = rungs
            .iter_mut()
            .chain(targets.iter_mut().filter_map(|target_step| target_step.measurement.as_mut()))
            .collect();
        let mut timed: Vec<Timed> = all
            .par_iter()
            .map(|measurement| Timed::new(&contestants[measurement.contestant], measurement))
            .collect::<Result<_, _>>()?;
        let alone = pool(Some(1))?;
        for turn in 0..=repeats {
            for (measurement, timed) in all.iter_mut().zip(&mut timed) {
                if stopped() {
                    return Ok(());
                }
                let seconds = alone.scope(|_| timed.turn())?;
                // The first turn warms up.
                if turn > 0 {
                    measurement.times.push(seconds);
                }
            }
        }
        Ok(())
    }

    fn columns_of(&self, contestants: impl Iterator<Item = usize> + Clone) -> Vec<Listed> {
        let texts = |f: &dyn Fn(&MethodCase) -> String| -> Vec<String> {
            contestants.clone().map(|c| f(&self.contestants[c])).collect()
        };
        vec![
            Listed::text("method", "Method with its settings.", texts(&|c| c.variant.label())),
            Listed::text("treatment", "How joints are held.", texts(&|c| c.treatment.to_string())),
            Listed::text("precision", "Of the computation.", texts(&|c| c.precision.name().to_string())),
        ]
    }

    pub fn rung_listing(&self) -> Listing {
        let rungs = || self.rungs.iter();
        let text = |f: &dyn Fn(&MethodCase) -> String| {
            Cells::Text(rungs().map(|measurement| f(&self.contestants[measurement.contestant])).collect())
        };
        let numbers = |f: &dyn Fn(&StepMeasurement) -> f64| Cells::Numbers(rungs().map(f).collect());
        let counts = |f: &dyn Fn(&StepMeasurement) -> u64| Cells::Counts(rungs().map(f).collect());
        let judged = self.judged_as;
        let median =
            format!("{}, at the end, of all bodies the largest; median of the instances.", judged.how);
        let listing = CONVERGENCE.listing([
            text(&|c| c.variant.label()),
            text(&|c| c.treatment.to_string()),
            text(&|c| c.precision.name().to_string()),
            numbers(&|r| r.step),
            counts(&|r| r.steps),
            numbers(&|r| r.median(|e| e.attitude)),
            numbers(&|r| r.largest(|e| e.attitude)),
            numbers(&|r| r.median(|e| e.angular_velocity)),
            numbers(&|r| r.largest(|e| e.angular_velocity)),
            numbers(&|r| r.median(|e| e.position)),
            numbers(&|r| r.largest(|e| e.position)),
            numbers(&|r| r.median(|e| e.violation)),
            numbers(&|r| r.largest(|e| e.violation)),
            numbers(&|r| r.largest(|e| e.energy_drift)),
            counts(&|r| r.failed() as u64),
            numbers(&|r| r.operations),
            numbers(&|r| 1e6 * r.time()),
            numbers(&|r| median_and_spread(&r.times).1),
        ]);
        let listing = listing.with("attitude_error", |column| judged.column(column.described(median)));
        let spreads = rungs().map(|r| median_and_spread(&r.times).1).collect();
        let listing = listing.with("cpu_time", |column| column.repeated(spreads));
        let listing = listing.with("largest_attitude_error", |column| judged.column(column));
        let unshown =
            ["largest_angular_velocity_error", "position_error", "largest_position_error", "violation"];
        listing.unshown(&unshown)
    }

    pub fn slope_listing(&self) -> Listing {
        let mut columns = self.columns_of(self.slopes.iter().map(|slope| slope.contestant));
        columns.extend([
            Listed::counts(
                "order",
                "1",
                "Order of the method with these settings.",
                self.slopes.iter().map(|s| u64::from(self.contestants[s.contestant].order)).collect(),
            ),
            Listed::numbers(
                "slope",
                "1",
                format!(
                    "Measured: of the logarithm of the median {} over that of the step, above rounding.",
                    self.judged_as.error
                ),
                self.slopes.iter().map(|s| s.slope).collect(),
            ),
            Listed::counts(
                "rungs",
                "1",
                "Steps that the slope is taken over.",
                self.slopes.iter().map(|s| s.rungs as u64).collect(),
            ),
        ]);
        Listing { description: "One row a method: the slope of its errors.", columns }
    }

    pub fn target_listing(&self) -> Listing {
        let numbers = |f: &dyn Fn(&StepMeasurement) -> f64| -> Vec<f64> {
            self.targets
                .iter()
                .map(|target_step| target_step.measurement.as_ref().map_or(f64::NAN, f))
                .collect()
        };
        let mut columns = self.columns_of(self.targets.iter().map(|target_step| target_step.contestant));
        columns.extend([
            Listed::numbers(
                "target",
                "rad",
                format!("Largest {} at the end that is allowed to any instance.", self.judged_as.error),
                self.targets.iter().map(|target_step| target_step.target).collect(),
            ),
            Listed::numbers("step", "s", "Largest step that meets it.", numbers(&|r| r.step)),
            Listed::numbers(
                "reached",
                "rad",
                format!("Largest {} with that step.", self.judged_as.error),
                numbers(&|r| r.largest(|e| e.attitude)),
            ),
            Listed::numbers(
                "operations",
                "1/s",
                "Operations of an instance a second of motion.",
                numbers(&|r| r.operations),
            ),
            Listed::numbers(
                "cpu_time",
                "us",
                "Time of one thread for an instance from start to end, median of the turns.",
                numbers(&|r| 1e6 * r.time()),
            )
            .repeated(numbers(&|r| median_and_spread(&r.times).1)),
            Listed::numbers(
                "spread",
                "1",
                "Half the distance of the quartiles of that time, as a share of it.",
                numbers(&|r| median_and_spread(&r.times).1),
            ),
        ]);
        Listing { description: "One row a method and target: the largest step that meets it.", columns }
    }

    /// By target, the contestant that meets it with the fewest operations.
    fn answers(&self) -> Vec<String> {
        let answer = |target: f64| {
            let reached = self.targets.iter().filter(|target_step| target_step.target == target);
            let reached = reached
                .filter_map(|target_step| Some((target_step.contestant, target_step.measurement.as_ref()?)));
            let (contestant, measurement) =
                reached.min_by(|a, b| a.1.operations.total_cmp(&b.1.operations))?;
            Some(format!(
                "{} with the fewest operations: {}, {} a second of motion, at steps of {}.",
                quantity(target, 2, "rad"),
                self.contestants[contestant].label(),
                significant(measurement.operations, 3),
                quantity(measurement.step, 3, "s")
            ))
        };
        self.asked_targets().into_iter().filter_map(answer).collect()
    }

    /// The targets, each once.
    fn asked_targets(&self) -> Vec<f64> {
        let mut targets: Vec<f64> = Vec::new();
        for target_step in &self.targets {
            if !targets.contains(&target_step.target) {
                targets.push(target_step.target);
            }
        }
        targets
    }

    /// By contestant, the targets that no step meets.
    fn unmet(&self) -> Vec<String> {
        let misses = |(c, contestant): (usize, &MethodCase)| {
            let unmet = self
                .targets
                .iter()
                .filter(|target_step| target_step.contestant == c && target_step.measurement.is_none());
            let unmet: Vec<String> =
                unmet.map(|target_step| quantity(target_step.target, 2, "rad")).collect();
            (!unmet.is_empty()).then(|| format!("{} ({})", contestant.label(), unmet.join(", ")))
        };
        self.contestants.iter().enumerate().filter_map(misses).collect()
    }

    /// The orders of the methods, as the title of errors over steps.
    fn orders(&self) -> String {
        let finite = |slope: &Slope| {
            Some((slope.slope, self.contestants[slope.contestant].label())).filter(|(x, _)| x.is_finite())
        };
        let known: Vec<(f64, String)> = self.slopes.iter().filter_map(finite).collect();
        let least = known.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let most = known.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let of_method = |(order, label): &(f64, String)| format!("{} ({label})", significant(*order, 2));
        match (known.len(), least, most) {
            (0, ..) | (_, None, _) | (_, _, None) => "Error against step".to_string(),
            (1, Some(one), _) => format!("Order {}", of_method(one)),
            (_, Some(least), Some(most)) => format!("Orders: {} to {}", of_method(least), of_method(most)),
        }
    }

    /// The method that meets the smallest target at least cost, as a title; `otherwise` where none
    /// does.
    fn best(
        &self,
        otherwise: &str,
        does: &str,
        words: &dyn Fn(&StepMeasurement) -> String,
        cost: &dyn Fn(&StepMeasurement) -> f64,
    ) -> String {
        let reached =
            || self.targets.iter().filter_map(|target| Some((target, target.measurement.as_ref()?)));
        let Some(smallest) = reached().map(|(target, _)| target.target).reduce(f64::min) else {
            return otherwise.to_string();
        };
        let best = reached()
            .filter(|(target, _)| target.target == smallest)
            .min_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
        best.map_or_else(
            || otherwise.to_string(),
            |(target, measurement)| {
                let label = self.contestants[target.contestant].label();
                format!("To {}: {label} {does}, {}", quantity(target.target, 2, "rad"), words(measurement))
            },
        )
    }

    /// Error over step, operations and time.
    fn figures(&self) -> Vec<Figure> {
        let error = || PlottedQuantity::logarithmic(self.judged_as.error, "rad");
        let curves = |x: &dyn Fn(&StepMeasurement) -> f64| -> Vec<Curve> {
            let curve = |(c, contestant): (usize, &MethodCase)| {
                let rungs = self.rungs.iter().filter(|measurement| measurement.contestant == c);
                let points = rungs.map(|measurement| (x(measurement), measurement.median(|e| e.attitude)));
                Curve::new(contestant.label(), points.filter(|(_, y)| y.is_finite()).collect())
            };
            self.contestants.iter().enumerate().map(curve).collect()
        };
        let about = format!(
            "{}, after {} s, of all bodies the largest, median of {} instances",
            self.judged_as.how,
            self.duration,
            self.judged()
        );
        let figure = |name, title: String, how: &str, x, curves| Figure {
            name,
            title,
            caption: format!("{about}, {how}."),
            x,
            y: error(),
            curves,
            marked: true,
        };
        if self.rungs.is_empty() {
            return Vec::new();
        }
        vec![
            figure(
                "error_over_step",
                self.orders(),
                "over the full step",
                PlottedQuantity::logarithmic("step", "s"),
                curves(&|measurement| measurement.step),
            ),
            figure(
                "error_over_operations",
                self.best(
                    "Error against operations",
                    "needs least work",
                    &|rung| format!("{} operations a second of motion", significant(rung.operations, 3)),
                    &|rung| rung.operations,
                ),
                "over the operations of an instance a second of motion, a fused multiply-add counted as two",
                PlottedQuantity::logarithmic("operations a second of motion", "1/s"),
                curves(&|measurement| measurement.operations),
            ),
            figure(
                "error_over_time",
                self.best(
                    "Error against CPU time",
                    "is quickest",
                    &|rung| quantity(1e6 * rung.time(), 3, "µs"),
                    &|rung| rung.time(),
                ),
                "over the time of one thread for an instance from start to end, median of the turns",
                PlottedQuantity::logarithmic("CPU time of an instance", "µs"),
                curves(&|measurement| 1e6 * measurement.time()),
            ),
        ]
    }
}
