//! Work and precision: how the error at the end falls with the step, and what that costs.
//!
//! Every method, with every treatment that it can use and in every precision asked for, takes the same instances from the start
//! to the end with every step of the ladder; the accurate solution of the reference judges their ends. Costs are the exact
//! operations of the recorded program, and the time of one thread of the CPU backend, all rungs taking turns. For a target error
//! the largest step that meets it is found by bisection between the rungs that do and do not.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fearless_simd::Level;
use rayon::prelude::*;

use super::judge::{EndError, ErrorLabels, Judge, median_and_spread, planned};
use super::monte_carlo::{Listener, RunError, RunOutcome};
use super::{RunContext, Runnable};
use crate::backend::program::Program;
use crate::backend::{Backend, BackendError, Batch, cpu};
use crate::base::{Options, Precision};
use crate::describe::throughput::MOST_JUDGED;
use crate::describe::{Constraints, Convergence, MethodVariant, Study};
use crate::math::fit::slope;
use crate::methods::AnyMethod;
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::output::{
    Accuracy, Listed, Listing, Manifest, OutputFolder, Picture, Timings, convergence_report, now_utc,
    write_report,
};
use crate::study_file::resolved_toml;
use crate::treatments;

/// The rungs of all methods: error and cost of each.
pub const TABLE: &str = "convergence.parquet";
/// The same with slopes and targets.
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
/// The step for a target is known to this ratio.
const BISECTED: f64 = 1.02;
/// How many times the coarsest step may be doubled for a target.
const MOST_DOUBLINGS: u32 = 12;

/// A method with a treatment in a precision.
pub struct MethodCase {
    pub variant: MethodVariant,
    pub treatment: &'static str,
    pub precision: Precision,
    /// That of the method with its settings.
    pub order: u32,
    /// The study with all that, at its own step.
    study: Study,
}

/// A step of a contestant.
pub struct StepMeasurement {
    pub contestant: usize,
    /// (s)
    pub step: f64,
    pub steps: u64,
    /// One an instance.
    pub errors: Vec<EndError>,
    /// Operations of one instance a second of motion, a fused multiply-add counted as two.
    pub operations: f64,
    /// CPU time of one instance from start to end on one thread (s), of each turn.
    pub times: Vec<f64>,
}

/// How steeply a contestant's errors fall.
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
    pub rung: Option<StepMeasurement>,
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
    pub complete: bool,
}

impl Runnable for Convergence {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        let RunContext { out, overwrite, listener, interrupted, .. } = *under;
        run(study, self, out, overwrite, listener, interrupted)
    }
}

/// Runs the study and writes the folder `out`.
pub fn run(
    study: &Study,
    convergence: &Convergence,
    out: &Path,
    overwrite: bool,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<RunOutcome, RunError> {
    let started = Instant::now();
    let started_at = now_utc();
    let folder = OutputFolder::create(out, overwrite)?;
    let found = find(study, convergence, listener, interrupted)?;
    let stepping = started.elapsed().as_secs_f64();
    let writing = Instant::now();
    let rungs = found.rung_listing();
    let slopes = found.slope_listing();
    let targets = found.target_listing();
    rungs.write_parquet(&folder.path(TABLE))?;
    let data = serde_json::json!({
        "study": study.title,
        "complete": found.complete,
        "judged_instances": found.judged(),
        "duration": { "value": found.duration, "unit": "s" },
        "rungs": rungs.json(),
        "slopes": slopes.json(),
        "targets": targets.json(),
    });
    folder.write(DATA, format!("{data:#}\n").as_bytes())?;
    let figures = if study.output.has_pictures() { found.figures() } else { Vec::new() };
    let pictures: Result<Vec<Picture>, _> = figures.iter().map(|figure| figure.draw(&folder)).collect();
    let pictures = pictures?;
    let study_toml = resolved_toml(study);
    let mut manifest = Manifest {
        complete: found.complete,
        instances: found.judged() as u64,
        advanced: found.judged() as u64,
        device: format!("{}; times of one thread", cpu::processor()),
        backend: "cpu".to_string(),
        precision: convergence.precisions.iter().map(|p| p.name()).collect::<Vec<_>>().join(", "),
        method: found.contestants.iter().map(MethodCase::label).collect::<Vec<_>>().join("; "),
        started: started_at,
        accuracy: Some(Accuracy::not_judged(
            "every error above is one against the accurate solution, instance by instance: the study measures nothing else",
        )),
        timings: Timings { stepping, total: stepping, ..Timings::default() },
        ..Manifest::of(study)
    };
    write_report(&folder, &study.output, &study_toml, &pictures, &mut manifest, writing, |manifest| {
        let tables = [&slopes, &targets, &rungs];
        convergence_report(&study.title, manifest, &study_toml, found.judged_as.error, tables, &pictures)
    })?;
    let mut told = rungs.lines();
    told.push(String::new());
    told.extend(slopes.lines());
    if targets.rows() > 0 {
        told.push(String::new());
        told.extend(targets.lines());
    }
    Ok(RunOutcome { folder: folder.finish()?, manifest, found: told })
}

/// Errors and costs of all contestants at all steps, and the steps that meet the targets. Interrupted, what has been found till
/// then.
pub fn find(
    study: &Study,
    convergence: &Convergence,
    listener: &dyn Listener,
    interrupted: &AtomicBool,
) -> Result<ConvergenceFindings, RunError> {
    let contestants = contestants(study, convergence);
    let duration = study.method.step * study.method.steps as f64;
    let mut found = ConvergenceFindings {
        contestants,
        rungs: Vec::new(),
        slopes: Vec::new(),
        targets: Vec::new(),
        judge: None,
        judged_as: ErrorLabels::in_motions_of(&study.mechanism),
        duration,
        complete: false,
    };
    if study.ensemble.size > MOST_JUDGED {
        listener.say(&format!("of {} instances the first {MOST_JUDGED} are judged", study.ensemble.size));
    }
    let Some(judge) = Judge::new(study, MOST_JUDGED, interrupted)? else { return Ok(found) };
    let stopped = || interrupted.load(Ordering::Relaxed);
    for (c, contestant) in found.contestants.iter().enumerate() {
        listener.say(&format!("{}: {} steps", contestant.label(), convergence.steps.len()));
        let climbed: Result<Vec<Option<StepMeasurement>>, RunError> = convergence
            .steps
            .par_iter()
            .map(|step| {
                if stopped() {
                    return Ok(None);
                }
                contestant.rung(c, &judge, *step, (duration / step).round() as u64).map(Some)
            })
            .collect();
        let rungs: Vec<StepMeasurement> = climbed?.into_iter().flatten().collect();
        if rungs.len() < convergence.steps.len() {
            found.judge = Some(judge);
            return Ok(found);
        }
        found.slopes.push(slope_of(c, contestant.precision, &rungs));
        for target in &convergence.targets {
            let rung = contestant.meeting(c, &judge, duration, *target, &rungs, &stopped)?;
            found.targets.push(TargetStep { contestant: c, target: *target, rung });
        }
        found.rungs.extend(rungs);
    }
    found.judge = Some(judge);
    listener.say("times, in turns");
    found.time(convergence.repeats, &stopped)?;
    found.complete = !stopped();
    Ok(found)
}

/// Those that the study asks for.
fn contestants(study: &Study, convergence: &Convergence) -> Vec<MethodCase> {
    let held = study.mechanism.is_held();
    let mut contestants = Vec::new();
    for variant in &convergence.methods {
        for (t, treatment) in convergence.treatments.iter().enumerate() {
            if !variant.takes(&study.mechanism, treatment) || (!held && t > 0) {
                continue;
            }
            for &precision in &convergence.precisions {
                let mut own = study.clone();
                own.method = variant.stepping(study.method.step, study.method.steps);
                if *treatment != study.constraints.treatment {
                    own.constraints = standard(treatment, study.constraints.project);
                }
                own.observe.every = own.method.steps;
                own.run.precision = precision;
                let order = AnyMethod::new(variant.name, &variant.options).map_or(0, |method| method.order());
                contestants.push(MethodCase {
                    variant: variant.clone(),
                    treatment: if held { treatment } else { "" },
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

impl MethodCase {
    /// As legends and tables name it.
    pub fn label(&self) -> String {
        let mut label = self.variant.label();
        if !self.treatment.is_empty() {
            label.push_str(&format!(", joints {}", self.treatment.replace('_', " ")));
        }
        if self.precision == Precision::F32 {
            label.push_str(", f32");
        }
        label
    }

    /// The study with so many steps.
    fn stepping(&self, step: f64, steps: u64) -> Study {
        let mut study = self.study.clone();
        (study.method.step, study.method.steps, study.observe.every) = (step, steps, steps);
        study
    }

    /// Errors and operations at a step; no times yet.
    fn rung(
        &self,
        contestant: usize,
        judge: &Judge,
        step: f64,
        steps: u64,
    ) -> Result<StepMeasurement, RunError> {
        let study = self.stepping(step, steps);
        let (plan, batch) = planned(&study, judge.count())?;
        let program = Program::new(&plan, self.precision);
        let operations = program.operations(&program.step).total() as f64 / step;
        let mut backend = cpu::open(plan.clone(), self.precision, study.run.fused, Level::new());
        let errors = judge.errors(&study, &plan, &batch, &mut *backend)?;
        Ok(StepMeasurement { contestant, step, steps, errors, operations, times: Vec::new() })
    }

    /// The rung of fewest steps whose largest error of attitude or deformation meets the target: between the last that does not and the first
    /// that does, or with larger steps than the ladder's if all do. It is the last number of steps of the bisection that meets it.
    fn meeting(
        &self,
        contestant: usize,
        judge: &Judge,
        duration: f64,
        target: f64,
        rungs: &[StepMeasurement],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<StepMeasurement>, RunError> {
        let meets = |rung: &StepMeasurement| rung.largest(|error| error.attitude) <= target;
        let Some(first) = rungs.iter().position(meets) else { return Ok(None) };
        let at = |steps: u64| self.rung(contestant, judge, duration / steps as f64, steps);
        let mut best = at(rungs[first].steps)?;
        let mut fails = match first.checked_sub(1) {
            Some(before) => rungs[before].steps,
            None => {
                let mut doublings = 0;
                while best.steps > 1 && doublings < MOST_DOUBLINGS && !stopped() {
                    let coarser = at(best.steps / 2)?;
                    if !meets(&coarser) {
                        break;
                    }
                    best = coarser;
                    doublings += 1;
                }
                best.steps / 2
            }
        };
        while best.steps > fails + 1 && best.steps as f64 > BISECTED * fails as f64 && !stopped() {
            let middle = ((fails.max(1) as f64 * best.steps as f64).sqrt().round() as u64)
                .clamp(fails + 1, best.steps - 1);
            let rung = at(middle)?;
            if meets(&rung) {
                best = rung;
            } else {
                fails = middle;
            }
        }
        Ok(Some(best))
    }
}

impl StepMeasurement {
    /// Of all instances.
    pub fn largest(&self, of: impl Fn(&EndError) -> f64) -> f64 {
        self.errors.iter().map(of).fold(0.0, f64::max)
    }

    pub fn median(&self, of: impl Fn(&EndError) -> f64) -> f64 {
        median_and_spread(&self.errors.iter().map(of).collect::<Vec<_>>()).0
    }

    /// Instances that did not reach the end.
    pub fn failed(&self) -> usize {
        self.errors.iter().filter(|error| error.attitude.is_infinite()).count()
    }

    /// Median time of an instance (s).
    pub fn time(&self) -> f64 {
        median_and_spread(&self.times).0
    }
}

/// Over the finest rungs that are above rounding, of the median error of attitude or deformation.
fn slope_of(contestant: usize, precision: Precision, rungs: &[StepMeasurement]) -> Slope {
    let unit = match precision {
        Precision::F32 => f64::from(f32::EPSILON) / 2.0,
        Precision::F64 => f64::EPSILON / 2.0,
    };
    let points: Vec<(f64, f64)> = rungs
        .iter()
        .map(|rung| (rung, rung.median(|error| error.attitude)))
        .filter(|(rung, error)| {
            let floor = FINE.max(ROUNDINGS * unit * rung.steps as f64);
            *error <= COARSE && *error >= floor
        })
        .map(|(rung, error)| (rung.step, error))
        .collect();
    let points = &points[points.len().saturating_sub(SLOPE_OVER)..];
    Slope { contestant, slope: if points.len() < 2 { f64::NAN } else { slope(points) }, rungs: points.len() }
}

/// A rung ready to be timed.
pub struct Timed {
    backend: Box<dyn Backend>,
    batch: Batch,
    /// Of one turn.
    steps: u64,
    /// From the time of a turn to that of one instance from start to end.
    scale: f64,
}

impl Timed {
    fn new(contestant: &MethodCase, rung: &StepMeasurement) -> Result<Timed, RunError> {
        let study = contestant.stepping(rung.step, rung.steps);
        let (plan, batch) = planned(&study, TIMED)?;
        let a_step = (rung.operations * rung.step).max(1.0) * TIMED as f64;
        let steps = rung.steps.min((TIMED_OPERATIONS / a_step).ceil() as u64).max(1);
        let backend = cpu::open(plan, contestant.precision, study.run.fused, Level::new());
        Ok(Timed { backend, batch, steps, scale: rung.steps as f64 / (steps as f64 * TIMED as f64) })
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
    /// Instances that were judged.
    pub fn judged(&self) -> usize {
        self.judge.as_ref().map_or(0, Judge::count)
    }

    /// A rung of one of the contestants, to be timed.
    pub fn timed(&self, rung: &StepMeasurement) -> Result<Timed, RunError> {
        Timed::new(&self.contestants[rung.contestant], rung)
    }

    /// Times all rungs and all targets on one thread, in turns.
    fn time(&mut self, repeats: u64, stopped: &dyn Fn() -> bool) -> Result<(), RunError> {
        let ConvergenceFindings { contestants, rungs, targets, .. } = self;
        let mut all: Vec<&mut StepMeasurement> =
            rungs.iter_mut().chain(targets.iter_mut().filter_map(|met| met.rung.as_mut())).collect();
        let mut timed: Vec<Timed> = all
            .par_iter()
            .map(|rung| Timed::new(&contestants[rung.contestant], rung))
            .collect::<Result<_, _>>()?;
        let alone = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .map_err(|error| RunError::Threads(error.to_string()))?;
        for turn in 0..=repeats {
            for (rung, timed) in all.iter_mut().zip(&mut timed) {
                if stopped() {
                    return Ok(());
                }
                let seconds = alone.scope(|_| timed.turn())?;
                // The first turn warms up.
                if turn > 0 {
                    rung.times.push(seconds);
                }
            }
        }
        Ok(())
    }

    fn columns_of(&self, contestants: impl Iterator<Item = usize> + Clone) -> Vec<Listed> {
        let of = |f: &dyn Fn(&MethodCase) -> String| -> Vec<String> {
            contestants.clone().map(|c| f(&self.contestants[c])).collect()
        };
        vec![
            Listed::text("method", "Method with its settings.", of(&|c| c.variant.label())),
            Listed::text("treatment", "How joints are held.", of(&|c| c.treatment.to_string())),
            Listed::text("precision", "Of the computation.", of(&|c| c.precision.name().to_string())),
        ]
    }

    pub fn rung_listing(&self) -> Listing {
        let numbers =
            |f: &dyn Fn(&StepMeasurement) -> f64| -> Vec<f64> { self.rungs.iter().map(f).collect() };
        let counts = |f: &dyn Fn(&StepMeasurement) -> u64| -> Vec<u64> { self.rungs.iter().map(f).collect() };
        let mut columns = self.columns_of(self.rungs.iter().map(|rung| rung.contestant));
        columns.extend([
            Listed::numbers("step", "s", "Full step h.", numbers(&|r| r.step)),
            Listed::counts("steps", "1", "Steps from start to end.", counts(&|r| r.steps)),
            self.judged_as.column(Listed::numbers(
                "attitude_error",
                "rad",
                format!("{}, at the end, of all bodies the largest; median of the instances.", self.judged_as.how),
                numbers(&|r| r.median(|e| e.attitude)),
            )),
            self.judged_as.column(Listed::numbers(
                "largest_attitude_error",
                "rad",
                "The same, largest of the instances.",
                numbers(&|r| r.largest(|e| e.attitude)),
            )),
            Listed::numbers(
                "angular_velocity_error",
                "rad/s",
                "Distance from the accurate angular velocity at the end; median of the instances.",
                numbers(&|r| r.median(|e| e.angular_velocity)),
            ),
            Listed::numbers(
                "largest_angular_velocity_error",
                "rad/s",
                "The same, largest of the instances.",
                numbers(&|r| r.largest(|e| e.angular_velocity)),
            )
            .unshown(),
            Listed::numbers(
                "position_error",
                "m",
                "Distance from the accurate position of the bodies' origins at the end; median of the instances.",
                numbers(&|r| r.median(|e| e.position)),
            )
            .unshown(),
            Listed::numbers(
                "largest_position_error",
                "m",
                "The same, largest of the instances.",
                numbers(&|r| r.largest(|e| e.position)),
            )
            .unshown(),
            Listed::numbers(
                "violation",
                "m or rad",
                "Largest |Phi| of what holds the bodies at the end; median of the instances.",
                numbers(&|r| r.median(|e| e.violation)),
            )
            .unshown(),
            Listed::numbers(
                "largest_violation",
                "m or rad",
                "The same, largest of the instances.",
                numbers(&|r| r.largest(|e| e.violation)),
            ),
            Listed::numbers(
                "largest_energy_drift",
                "1",
                "|E - E0| / (T0 + |V0|) at the end, largest of the instances.",
                numbers(&|r| r.largest(|e| e.energy_drift)),
            ),
            Listed::counts(
                "failed",
                "1",
                "Instances that did not reach the end.",
                counts(&|r| r.failed() as u64),
            ),
            Listed::numbers(
                "operations",
                "1/s",
                "Operations of an instance a second of motion, a fused multiply-add counted as two.",
                numbers(&|r| r.operations),
            ),
            Listed::numbers(
                "cpu_time",
                "us",
                "Time of one thread for an instance from start to end, median of the turns.",
                numbers(&|r| 1e6 * r.time()),
            ),
            Listed::numbers(
                "spread",
                "1",
                "Half the distance of the quartiles of that time, as a share of it.",
                numbers(&|r| median_and_spread(&r.times).1),
            ),
        ]);
        Listing { description: "One row a step of a method.", columns }
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
            self.targets.iter().map(|met| met.rung.as_ref().map_or(f64::NAN, f)).collect()
        };
        let mut columns = self.columns_of(self.targets.iter().map(|met| met.contestant));
        columns.extend([
            Listed::numbers(
                "target",
                "rad",
                format!("Largest {} at the end that is allowed to any instance.", self.judged_as.error),
                self.targets.iter().map(|met| met.target).collect(),
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
                "Time of one thread for an instance and 10 s of motion, median of the turns.",
                numbers(&|r| 1e6 * r.time() * 10.0 / self.duration),
            ),
            Listed::numbers(
                "spread",
                "1",
                "Half the distance of the quartiles of that time, as a share of it.",
                numbers(&|r| median_and_spread(&r.times).1),
            ),
        ]);
        Listing { description: "One row a method and target: the largest step that meets it.", columns }
    }

    /// Error over step, operations and time.
    fn figures(&self) -> Vec<Figure> {
        let error = || PlottedQuantity::logarithmic(self.judged_as.error, "rad");
        let curves = |x: &dyn Fn(&StepMeasurement) -> f64| -> Vec<Curve> {
            let of = |(c, contestant): (usize, &MethodCase)| {
                let rungs = self.rungs.iter().filter(|rung| rung.contestant == c);
                let points = rungs.map(|rung| (x(rung), rung.median(|e| e.attitude)));
                Curve::new(contestant.label(), points.filter(|(_, y)| y.is_finite()).collect())
            };
            self.contestants.iter().enumerate().map(of).collect()
        };
        let about = format!(
            "{}, after {} s, of all bodies the largest, median of {} instances",
            self.judged_as.how,
            self.duration,
            self.judged()
        );
        let figure = |name, title, how: &str, x, curves| Figure {
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
                "Error against step",
                "over the full step",
                PlottedQuantity::logarithmic("step", "s"),
                curves(&|rung| rung.step),
            ),
            figure(
                "error_over_operations",
                "Error against operations",
                "over the operations of an instance a second of motion, a fused multiply-add counted as two",
                PlottedQuantity::logarithmic("operations a second of motion", "1/s"),
                curves(&|rung| rung.operations),
            ),
            figure(
                "error_over_time",
                "Error against CPU time",
                "over the time of one thread for an instance from start to end, median of the turns",
                PlottedQuantity::logarithmic("CPU time of an instance", "us"),
                curves(&|rung| 1e6 * rung.time()),
            ),
        ]
    }
}
