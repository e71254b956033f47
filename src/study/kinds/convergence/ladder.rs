//! The pieces that a study of accuracy computes one by one: accurate ends of instances, errors at
//! steps, and steps that meet targets. What is finished is kept, in a checkpoint or in a shard; it
//! depends on the study alone, and not on the machine. Times are no part of it: they are measured
//! once, of all steps in turns, when all else is known.
//!
//! The units of work are numbered: case by case the steps of the ladder, then the targets. A shard
//! computes neighbouring units, and the accurate ends of all instances. A target whose case has
//! steps in other shards takes those that it needs again.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::method_case::{MethodCase, StepMeasurement};
use crate::describe::Study;
use crate::observe::stored::{StoreReader, StoreWriter, wrong};
use crate::output::OutputError;
use crate::reference::accurate::Limits;
use crate::study::checkpoint::{Keeping, Kept};
use crate::study::driver::Driver;
use crate::study::judge::{AccurateEnd, Judge};
use crate::study::run_error::RunError;
use crate::study_file::kinds::convergence::Convergence;

/// A finished unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum FinishedUnit {
    /// Errors at a step of the ladder.
    Rung(StepMeasurement),
    /// The step that meets a target; `None`: no step of the ladder does.
    Target(Option<StepMeasurement>),
}

/// All that has been computed so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ladder {
    /// By judged instance.
    pub ends: Vec<Option<AccurateEnd>>,
    /// By number.
    pub units: Vec<Option<FinishedUnit>>,
    /// Units of a case.
    of_a_case: usize,
}

impl Ladder {
    /// Nothing is known yet.
    pub fn of(work: &Work<'_>) -> Ladder {
        Ladder::empty(work.judged, work.cases.len(), work.of_a_case())
    }

    fn empty(judged: usize, cases: usize, of_a_case: usize) -> Ladder {
        Ladder { ends: vec![None; judged], units: vec![None; cases * of_a_case], of_a_case }
    }
}

impl Kept for Ladder {
    fn store<W: Write>(&self, _: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.value(&(&self.ends, &self.units))
    }

    fn absorb<R: Read>(&mut self, _: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        let (ends, units) = from.value::<(Vec<Option<AccurateEnd>>, Vec<Option<FinishedUnit>>)>()?;
        let is_own = |(number, unit): (usize, &Option<FinishedUnit>)| match unit {
            Some(FinishedUnit::Rung(measurement) | FinishedUnit::Target(Some(measurement))) => {
                measurement.errors.len() == ends.len() && measurement.contestant == number / self.of_a_case
            }
            Some(FinishedUnit::Target(None)) | None => true,
        };
        let lengths = [ends.len(), units.len()] == [self.ends.len(), self.units.len()];
        if !lengths || !units.iter().enumerate().all(is_own) {
            return Err(wrong("it is of another study"));
        }
        for (mine, end) in self.ends.iter_mut().zip(ends) {
            *mine = end.or(mine.take());
        }
        for (mine, unit) in self.units.iter_mut().zip(units) {
            *mine = unit.or(mine.take());
        }
        Ok(())
    }
}

/// When the work is over: the user has ended it, or there is no time left.
pub(super) struct WorkLimits<'a> {
    pub interrupted: &'a AtomicBool,
    pub deadline: Option<Instant>,
}

impl WorkLimits<'_> {
    pub fn are_passed(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.is_late()
    }

    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// Where finished pieces go.
pub(super) trait Holder: Send {
    fn ladder(&mut self) -> &mut Ladder;

    /// A piece of so many instance-steps is in the ladder now.
    fn added(&mut self, instance_steps: u64) -> Result<(), OutputError>;
}

impl Holder for Ladder {
    fn ladder(&mut self) -> &mut Ladder {
        self
    }

    fn added(&mut self, _: u64) -> Result<(), OutputError> {
        Ok(())
    }
}

impl Holder for (Keeping<Ladder>, Driver<'_>) {
    fn ladder(&mut self) -> &mut Ladder {
        &mut self.0.kept
    }

    fn added(&mut self, instance_steps: u64) -> Result<(), OutputError> {
        let (keeping, driver) = self;
        driver.stepped(instance_steps);
        match keeping.is_due() {
            true => driver.checkpoint(keeping),
            false => Ok(()),
        }
    }
}

/// The work of a study.
pub(super) struct Work<'a> {
    pub study: &'a Study,
    pub asked: &'a Convergence,
    pub cases: &'a [MethodCase],
    /// Simulated time (s).
    pub duration: f64,
    /// Instances that are judged.
    pub judged: usize,
}

impl Work<'_> {
    /// Units of a case.
    fn of_a_case(&self) -> usize {
        self.asked.steps.len() + self.asked.targets.len()
    }

    /// Units in all.
    pub fn units(&self) -> u64 {
        (self.cases.len() * self.of_a_case()) as u64
    }

    /// The case of a unit, and the step (`Ok`) or the target (`Err`) that it is about, by their
    /// numbers.
    pub fn about(&self, unit: usize) -> (usize, Result<usize, usize>) {
        let (case, place) = (unit / self.of_a_case(), unit % self.of_a_case());
        (case, place.checked_sub(self.asked.steps.len()).map_or(Ok(place), Err))
    }

    fn steps(&self, step: f64) -> u64 {
        (self.duration / step).round() as u64
    }

    /// Instance-steps of a unit; those of a target are not known beforehand, and taken for those of
    /// the finest step.
    pub fn weight(&self, unit: usize) -> u64 {
        let finest = self.asked.steps.len() - 1;
        let place = self.about(unit).1.unwrap_or(finest);
        self.steps(self.asked.steps[place]) * self.judged as u64
    }

    /// Computes those of these units that `holder` has not yet, and accurate ends first. Returns
    /// early when the limits are passed.
    ///
    /// # Errors
    /// The accurate solution, the plan or the disk refuses: of several errors the one of the first
    /// unit.
    pub fn compute<H: Holder>(
        &self,
        units: &Range<u64>,
        holder: &Mutex<H>,
        limits: &WorkLimits<'_>,
    ) -> Result<(), RunError> {
        let known = locked(holder).ladder().clone();
        let for_ends = Limits { deadline: limits.deadline, ..Limits::by_user(limits.interrupted) };
        let judge = Judge::going_on(self.study, known.ends, &for_ends, |instance, end| {
            let mut holder = locked(holder);
            holder.ladder().ends[instance] = Some(end.clone());
            Ok(holder.added(0)?)
        })?;
        let Some(judge) = judge else { return Ok(()) };
        let missing: Vec<usize> =
            (units.start as usize..units.end as usize).filter(|unit| known.units[*unit].is_none()).collect();
        // Coarse steps first, targets last: where time ends, all methods have come equally far.
        let mut rungs: Vec<usize> =
            missing.iter().copied().filter(|unit| self.about(*unit).1.is_ok()).collect();
        rungs.sort_by_key(|unit| self.about(*unit).1.ok());
        let targets = missing.into_iter().filter(|unit| self.about(*unit).1.is_err()).collect();
        for phase in [rungs, targets] {
            self.phase(phase, &judge, holder, limits)?;
        }
        Ok(())
    }

    fn phase<H: Holder>(
        &self,
        units: Vec<usize>,
        judge: &Judge,
        holder: &Mutex<H>,
        limits: &WorkLimits<'_>,
    ) -> Result<(), RunError> {
        let failed: Mutex<Option<(usize, RunError)>> = Mutex::new(None);
        rayon::scope_fifo(|scope| {
            for unit in units {
                let failed = &failed;
                scope.spawn_fifo(move |_| {
                    if limits.are_passed() || locked(failed).is_some() {
                        return;
                    }
                    let done = self.unit(unit, judge, holder, limits).and_then(|done| {
                        let Some(done) = done else { return Ok(()) };
                        let mut holder = locked(holder);
                        holder.ladder().units[unit] = Some(done);
                        Ok(holder.added(self.weight(unit))?)
                    });
                    if let Err(error) = done {
                        let mut failed = locked(failed);
                        if failed.as_ref().is_none_or(|(earlier, _)| unit < *earlier) {
                            *failed = Some((unit, error));
                        }
                    }
                });
            }
        });
        match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// `None`: the limits were passed.
    fn unit<H: Holder>(
        &self,
        unit: usize,
        judge: &Judge,
        holder: &Mutex<H>,
        limits: &WorkLimits<'_>,
    ) -> Result<Option<FinishedUnit>, RunError> {
        let is_over = || limits.are_passed();
        let (c, about) = self.about(unit);
        let case = &self.cases[c];
        let measurement = |place: usize| {
            let step = self.asked.steps[place];
            case.measurement(c, judge, step, self.steps(step), &is_over)
        };
        match about {
            Ok(place) => Ok(measurement(place)?.map(FinishedUnit::Rung)),
            Err(target) => {
                let at = |place: usize| {
                    let known = locked(holder).ladder().units[c * self.of_a_case() + place].clone();
                    match known {
                        Some(FinishedUnit::Rung(known)) => Ok(Some(known)),
                        _ => measurement(place),
                    }
                };
                let ladder = (self.asked.steps.len(), at);
                let meeting =
                    case.meeting(c, judge, self.duration, self.asked.targets[target], ladder, &is_over)?;
                Ok(meeting.map(FinishedUnit::Target))
            }
        }
    }
}

/// Its content; whoever had it last has left it whole.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The end of a budget (s) of which so much has been spent before.
pub(super) fn deadline(budget: Option<f64>, spent: f64) -> Option<Instant> {
    let left = (budget? - spent).max(0.0);
    Instant::now().checked_add(Duration::try_from_secs_f64(left).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::BodyState;
    use crate::study::judge::EndError;

    fn measurement(contestant: usize) -> StepMeasurement {
        let error = EndError { attitude: 1e-3, position: f64::INFINITY, ..EndError::default() };
        StepMeasurement {
            contestant,
            step: 0.1,
            steps: 7,
            errors: vec![error; 2],
            operations: 3e4,
            times: Vec::new(),
        }
    }

    fn end() -> AccurateEnd {
        let body = BodyState {
            position: [1.0, 2.0, 3.0],
            velocity: [4.0, 5.0, 6.0],
            attitude: [0.5, -0.5, 0.5, 0.5],
            angular_velocity: [7.0, 8.0, -0.0],
            amplitudes: vec![0.25],
            amplitude_rates: vec![-1.5],
        };
        AccurateEnd { bodies: vec![body; 2] }
    }

    #[test]
    fn parts_of_a_ladder_are_put_together() {
        let mut whole = Ladder::empty(2, 2, 2);
        whole.ends = vec![Some(end()), Some(end())];
        whole.units = vec![
            Some(FinishedUnit::Rung(measurement(0))),
            Some(FinishedUnit::Target(Some(measurement(0)))),
            Some(FinishedUnit::Rung(measurement(1))),
            Some(FinishedUnit::Target(None)),
        ];
        let mut together = Ladder::empty(2, 2, 2);
        // The later part first.
        for units in [2..4, 0..2] {
            let mut part = whole.clone();
            for (unit, kept) in part.units.iter_mut().enumerate() {
                if !units.contains(&unit) {
                    *kept = None;
                }
            }
            let mut bytes = Vec::new();
            part.store(&(0..4), &mut StoreWriter::new(&mut bytes)).unwrap();
            together.absorb(&(0..4), &mut StoreReader::new(&bytes[..])).unwrap();
        }
        assert_eq!(together, whole);
        let mut bytes = Vec::new();
        whole.store(&(0..4), &mut StoreWriter::new(&mut bytes)).unwrap();
        for mut other in [Ladder::empty(3, 2, 2), Ladder::empty(2, 5, 1)] {
            assert!(other.absorb(&(0..4), &mut StoreReader::new(&bytes[..])).is_err());
        }
    }
}
