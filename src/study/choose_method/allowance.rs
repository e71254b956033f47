//! The operations that a choice of method may take. They follow from the study: on a slow machine,
//! or a busy one, a choice takes longer and is the same.

use std::cell::Cell;

use crate::describe::Study;
use crate::observe::PILOT;
use crate::study::converged::Groundwork;
use crate::study::stable_step;

/// No choice needs to take less: these take two processors with AVX-512 about two seconds.
const LEAST: f64 = 3e10;
/// And none takes more: some twenty seconds.
const MOST: f64 = 4e11;
/// A choice may take as long as so many times the run's pilot.
const PILOTS: f64 = 10.0;
/// A run takes steps of this share of the longest stable one, where nothing is known of it but how
/// fast it vibrates.
const OF_STABLE: f64 = 0.125;
/// Operations that an instance counts for by `bdf` in a step of the study. Measured: 1.4e7 for
/// `rubber_hinge` to 1e-6.
const OF_BDF: f64 = 1e7;
/// Operations by the longest stable steps of so many instances: what takes more is stiff.
const STIFF: f64 = 2e10;
const TRIED: f64 = 32.0;

/// Operations that may be spent, and those that have been.
pub(super) struct Allowance {
    /// Instances of the run's pilot.
    pilot: f64,
    all: Cell<f64>,
    spent: Cell<f64>,
    /// Explicit steps that are stable are too many to be tried.
    pub stiff: bool,
}

impl Allowance {
    /// The allowance for a study of which no more is known.
    pub fn of(study: &Study, known: &Groundwork) -> Allowance {
        let duration = study.method.steps as f64 * study.method.step;
        let stable = stable_step::nominal(study).map_or(f64::INFINITY, |found| found.longest);
        let stiff = known.of_a_step * duration / stable * TRIED > STIFF;
        let allowance = Allowance {
            pilot: study.ensemble.size.min(PILOT) as f64,
            all: Cell::new(LEAST),
            spent: Cell::new(0.0),
            stiff,
        };
        let step = study.method.step.min(known.met).min(OF_STABLE * stable);
        allowance.widen(match stiff {
            true => OF_BDF * study.method.steps as f64,
            false => known.of_a_step * duration / step,
        });
        allowance
    }

    /// An instance of the run takes so many operations.
    pub fn widen(&self, of_an_instance: f64) {
        let pilots = PILOTS * self.pilot * of_an_instance;
        self.all.set(self.all.get().max(pilots.min(MOST)));
    }

    /// Some were done.
    pub fn spend(&self, operations: f64) {
        self.spent.set(self.spent.get() + operations);
    }

    pub fn all(&self) -> f64 {
        self.all.get()
    }

    #[cfg(test)]
    pub fn spent(&self) -> f64 {
        self.spent.get()
    }

    pub fn left(&self) -> f64 {
        (self.all.get() - self.spent.get()).max(0.0)
    }
}
