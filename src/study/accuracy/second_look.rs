//! A second look at many instances before few of them are judged: the run's own method over other
//! steps.
//!
//! It costs a fraction of an accurate solution. An instance that grazes a stop, or turns back at
//! the edge of a fold, errs far more than the others, and changes far more with the step: those
//! that change most are judged.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::prelude::*;

use super::errors::Errors;
use crate::base::grouped;
use crate::describe::{ObservedChannel, Study};
use crate::methods::Adaptive;
use crate::study::converged::{Budget, CODE, ConvergedRun, Course, Groundwork, PROBE, Ready, in_turn};
use crate::study::run_error::RunError;
use crate::study::spread::median;

/// Steps over which most instances change by more than this share of the scales say nothing of the
/// run.
const UNUSABLE: f64 = 0.1;
/// Changes below this share of the error asked are no measure of errors.
const COUNTS: f64 = 1e-2;
/// An instance errs by at most so many times what the judged ones make expected of its change.
const MARGIN: f64 = 2.0;

/// Instances that change with the step.
#[derive(Default)]
pub(super) struct SecondLook {
    /// Those looked at, by number, with the largest change of each as a share of the scales.
    changes: Vec<(u64, f64)>,
    /// All that were seen, those that lie furthest from the others first.
    outliers: Vec<u64>,
    /// All that were seen, the first few of them far from each other.
    spread: Vec<u64>,
    /// Over which steps.
    how: &'static str,
    /// Operations that were not spent, as none could be looked at.
    pub left: f64,
    /// The machine code that was made of the study, in its own precision, to be used again.
    pub code: Cell<Option<Ready>>,
}

impl SecondLook {
    /// At as many instances as the operations allow. Of a method without a program, or where they
    /// allow hardly any, at none.
    pub fn taken(
        (study, known): (&Study, &Groundwork),
        (run, scales): (&Course, &[f64]),
        channels: &[ObservedChannel],
        budget: &Budget,
        interrupted: &AtomicBool,
    ) -> Result<SecondLook, RunError> {
        let spread = in_turn(&[], run.instances.len()).iter().map(|place| run.instances[*place]).collect();
        let mut look = SecondLook { spread, ..SecondLook::default() };
        if Adaptive::new(study.method.name, &study.method.options).is_some() {
            return Ok(look);
        }
        look.outliers = outliers(run, scales);
        let deadline = Instant::now() + budget.time;
        let place = |number: &u64| run.instances.binary_search(number).ok();
        let furthest: Vec<usize> = look.outliers.iter().filter_map(place).collect();
        let order = in_turn(&furthest, run.instances.len());
        let mut left = budget.operations;
        look.left = left;
        for other in known.over_other_steps(study) {
            left -= CODE * known.of_a_step;
            // An own step takes at least one attempt.
            let least = known.of_a_step * other.method.steps as f64;
            let most = ((left / least.max(1.0)) as usize).min(order.len());
            if most < PROBE.min(order.len()) {
                break;
            }
            look.left = 0.0;
            // Drawing an instance may take long: those that there are operations for.
            let mut drawn: Vec<usize> = order[..most].to_vec();
            drawn.sort_unstable();
            let instances: Vec<u64> = drawn.iter().map(|place| run.instances[*place]).collect();
            let converged = ConvergedRun {
                asked: study,
                known: Some(known),
                amends: true,
                instances: &instances,
                channels,
                deadline,
                interrupted,
            };
            let mut ready = converged.ready(&other)?;
            let mut places: Vec<usize> =
                order[..most].iter().filter_map(|at| drawn.binary_search(at).ok()).collect();
            let mut rest = places.split_off(PROBE.min(most));
            places.sort_unstable();
            let Some((course, attempts)) = converged.run_some(&mut ready, &places)? else { break };
            let mut found = changes(run, &course, scales);
            let each = attempts.map_or(least, |attempts| known.of_a_step * attempts / places.len() as f64);
            left -= each * places.len() as f64;
            if 2 * found.iter().filter(|(_, change)| *change <= UNUSABLE).count() < found.len() {
                continue;
            }
            rest.truncate((left / each.max(1.0)) as usize);
            rest.sort_unstable();
            if !rest.is_empty() {
                let Some((course, _)) = converged.run_some(&mut ready, &rest)? else { break };
                found.extend(changes(run, &course, scales));
            }
            let are_longer = other.method.step > study.method.step;
            look.how = if are_longer { "longer steps" } else { "shorter steps" };
            look.changes = found;
            look.code = Cell::new(Some(ready.without_instances()));
            break;
        }
        Ok(look)
    }

    /// The instances to be judged, ascending, at most so many: those that change most, or where
    /// none was looked at those that lie furthest out, in turn with others; and the places of the
    /// former.
    pub fn judged(&self, instances: &[u64], most: usize) -> (Vec<u64>, Vec<usize>) {
        let mut worst = self.changes.clone();
        worst.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let worst: Vec<u64> = match worst.is_empty() {
            true => self.outliers.clone(),
            false => worst.into_iter().map(|(number, _)| number).collect(),
        };
        let worst = &worst[..worst.len().min(most / 2)];
        let places = |among: &[u64]| -> Vec<usize> {
            worst.iter().filter_map(|number| among.binary_search(number).ok()).collect()
        };
        let order = in_turn(&places(instances), instances.len());
        let mut judged: Vec<u64> = order.into_iter().take(most).map(|place| instances[place]).collect();
        judged.sort_unstable();
        let foremost = places(&judged);
        (judged, foremost)
    }

    /// For how many instances, spread over the ensemble as if drawn at random, the judged ones
    /// speak, whose errors are these shares of the scales: for those of them that were not picked
    /// out, or for those looked at whose change is too small for an error above what was asked.
    pub fn spoken_for(&self, judged: &[u64], errors: &[f64], allowed: f64) -> u64 {
        let error = |number: &u64| judged.binary_search(number).ok().map(|place| errors[place]);
        let counts = |change: f64| change > COUNTS * allowed;
        let of_judged = self.changes.iter().filter(|(_, change)| counts(*change));
        let ratios = of_judged.filter_map(|(number, change)| Some(error(number)? / change));
        let expected = MARGIN * ratios.fold(0.0, f64::max);
        let changes: HashMap<u64, f64> = self.changes.iter().copied().collect();
        let is_known = |number: &&u64| {
            let change = changes.get(*number);
            let is_small = change.is_some_and(|change| !counts(*change) || expected * change <= allowed);
            error(number).is_some() || is_small
        };
        // At most every second one of the judged was picked out.
        let not_picked = judged.len() / 2;
        not_picked.max(self.spread.iter().take_while(is_known).count()) as u64
    }

    /// In words, where it was taken.
    pub fn sentence(&self, judged: &[u64]) -> String {
        if self.changes.iter().all(|(number, _)| judged.binary_search(number).is_ok()) {
            return String::new();
        }
        let looked_at = grouped(self.changes.len() as u64);
        format!("; among them are those of {looked_at} instances that change most over {}", self.how)
    }
}

/// The instances by how far they are from the median of all at most, as a share of the scales: what
/// moves most is followed worst.
fn outliers(course: &Course, scales: &[f64]) -> Vec<u64> {
    let medians = |columns: &Vec<Vec<f64>>| -> Vec<f64> { columns.iter().map(|c| median(c)).collect() };
    let medians: Vec<Vec<f64>> = course.values.par_iter().map(medians).collect();
    let mut furthest = vec![0.0f64; course.instances.len()];
    for (columns, medians) in course.values.iter().zip(&medians) {
        for ((column, scale), middle) in columns.iter().zip(scales).zip(medians) {
            for (far, x) in furthest.iter_mut().zip(column).filter(|(_, x)| x.is_finite()) {
                *far = far.max((x - middle).abs() / scale);
            }
        }
    }
    let mut order: Vec<usize> = (0..furthest.len()).collect();
    order.sort_by(|a, b| furthest[*b].total_cmp(&furthest[*a]));
    order.into_iter().map(|place| course.instances[place]).collect()
}

/// The largest change of each instance of `other` against what was seen, as a share of the scales.
fn changes(course: &Course, other: &Course, scales: &[f64]) -> Vec<(u64, f64)> {
    let errors = Errors::of(course, other, scales);
    other.instances.iter().copied().zip(errors.by_instance(scales)).collect()
}
