//! A method that a study of accuracy compares, and its errors and cost at one step.

use fearless_simd::Level;
use serde::{Deserialize, Serialize};

use crate::backend::cpu;
use crate::backend::program::Program;
use crate::base::Precision;
use crate::describe::Study;
use crate::study::judge::{EndError, Judge, median_and_spread, planned};
use crate::study::run_error::RunError;
use crate::study_file::kinds::convergence::MethodVariant;

/// The step for a target is known to this ratio.
const BISECTED: f64 = 1.02;
/// Doublings of the coarsest step for a target, at most.
const MOST_DOUBLINGS: u32 = 12;

/// A method with a treatment in a precision.
pub struct MethodCase {
    pub variant: MethodVariant,
    pub treatment: &'static str,
    pub precision: Precision,
    /// That of the method with its settings.
    pub order: u32,
    /// The study with all that, at its own step.
    pub(super) study: Study,
}

/// A step of a contestant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepMeasurement {
    pub contestant: usize,
    /// (s)
    pub step: f64,
    pub steps: u64,
    /// One an instance.
    pub errors: Vec<EndError>,
    /// Operations of one instance a second of motion, a fused multiply-add counted as two.
    pub operations: f64,
    /// CPU time of one instance from start to end on one thread (s), of each turn. It is not kept:
    /// times of one sitting, on one machine, can be compared.
    #[serde(skip)]
    pub times: Vec<f64>,
}

impl MethodCase {
    /// As legends and tables name it.
    pub fn label(&self) -> String {
        let mut label = self.variant.label();
        if !self.treatment.is_empty() {
            label.push_str(&format!(", joints {}", self.treatment.replace('_', " ")));
        }
        if self.precision.is_single() {
            label.push_str(&format!(", {}", self.precision.name()));
        }
        label
    }

    /// The study with so many steps.
    pub(super) fn stepping(&self, step: f64, steps: u64) -> Study {
        let mut study = self.study.clone();
        (study.method.step, study.method.steps, study.observe.every) = (step, steps, steps);
        study
    }

    /// Errors and operations at a step; no times yet. `None`: it was ended before.
    pub(super) fn measurement(
        &self,
        contestant: usize,
        judge: &Judge,
        step: f64,
        steps: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<StepMeasurement>, RunError> {
        let study = self.stepping(step, steps);
        let (plan, batch) = planned(&study, judge.count())?;
        let program = Program::new(&plan, self.precision);
        let operations = program.operations(&program.step).total() as f64 / step;
        let mut backend = cpu::open(plan.clone(), self.precision, study.run.fused, Level::new());
        let errors = judge.errors_until(&study, &plan, &batch, &mut *backend, is_over)?;
        Ok(errors.map(|errors| StepMeasurement {
            contestant,
            step,
            steps,
            errors,
            operations,
            times: Vec::new(),
        }))
    }

    /// The rung of fewest steps whose largest error of attitude or deformation meets the target:
    /// between the last of the ladder that does not and the first that does, or with larger steps
    /// than the ladder's if all do. It is the last number of steps of the bisection that meets it;
    /// `Some(None)`: no rung of the ladder does. `None`: it was ended before. `ladder` has the rung
    /// of a number, while there are any.
    pub(super) fn meeting(
        &self,
        contestant: usize,
        judge: &Judge,
        duration: f64,
        target: f64,
        ladder: (usize, impl Fn(usize) -> Result<Option<StepMeasurement>, RunError>),
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Option<StepMeasurement>>, RunError> {
        let meets = |measurement: &StepMeasurement| measurement.largest(|error| error.attitude) <= target;
        let at = |steps: u64| self.measurement(contestant, judge, duration / steps as f64, steps, is_over);
        let (count, of_ladder) = ladder;
        let (mut first, mut before) = (None, None);
        for place in 0..count {
            let Some(measurement) = of_ladder(place)? else { return Ok(None) };
            if meets(&measurement) {
                first = Some(measurement.steps);
                break;
            }
            before = Some(measurement.steps);
        }
        let Some(first) = first else { return Ok(Some(None)) };
        let Some(mut best) = at(first)? else { return Ok(None) };
        let mut fails = match before {
            Some(steps) => steps,
            None => {
                let mut doublings = 0;
                while best.steps > 1 && doublings < MOST_DOUBLINGS {
                    let Some(coarser) = at(best.steps / 2)? else { return Ok(None) };
                    if !meets(&coarser) {
                        break;
                    }
                    best = coarser;
                    doublings += 1;
                }
                best.steps / 2
            }
        };
        while best.steps > fails + 1 && best.steps as f64 > BISECTED * fails as f64 {
            let middle = ((fails.max(1) as f64 * best.steps as f64).sqrt().round() as u64)
                .clamp(fails + 1, best.steps - 1);
            let Some(measurement) = at(middle)? else { return Ok(None) };
            if meets(&measurement) {
                best = measurement;
            } else {
                fails = middle;
            }
        }
        Ok(Some(Some(best)))
    }
}

impl StepMeasurement {
    /// Returns the largest error of all instances.
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
