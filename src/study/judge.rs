//! Errors at the end of a study's instances, against the accurate motion: they say what a speed is
//! worth.

use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use nalgebra::DVector;
use rayon::prelude::*;

use super::march::{BatchRun, Piece};
use super::planned_run::FirstInstances;
use super::replay::to_reference;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::{Backend, Batch, Plan};
use crate::describe::{Body, Channel, Flexible, Mechanism, Study};
use crate::ensemble::{Quantities, Sampler};
use crate::math::quaternion::angle;
use crate::math::vector::length;
use crate::observe::channels::{Observer, columns};
use crate::observe::{Verdict, channels};
use crate::output::Listed;
use crate::reference::accurate::Limits;
use crate::reference::{BodyState, ReferenceError, accurate};

/// The note of what compares errors at the end, of a study whose conditions end instances before.
pub(super) const CONDITIONS_LEFT_OUT: &str =
    "[[verdict]] conditions are left out: all instances go to the end";

/// The errors of an instance at its end, of all its bodies the largest; infinite where it did not
/// reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EndError {
    /// Angle of the rotation between the attitudes (rad). Of a flexible body its deformation too,
    /// if that is off by more, as `sqrt(2 d.M d / tr J0)`, d the error of the modal coordinates.
    pub attitude: f64,
    /// (rad/s)
    pub angular_velocity: f64,
    /// The error of the body's origin (m).
    pub position: f64,
    /// Largest |Phi| of what holds the bodies (m, or 1 for angles).
    pub violation: f64,
    /// |E - E0| / (T0 + |V0|)
    pub energy_drift: f64,
}

impl EndError {
    pub(super) const NONE: EndError = EndError {
        attitude: f64::INFINITY,
        angular_velocity: f64::INFINITY,
        position: f64::INFINITY,
        violation: f64::INFINITY,
        energy_drift: f64::INFINITY,
    };
}

/// The error of the deformation (rad), by the error d of the modal coordinates: the angle by which
/// the body would have to turn to go as far, `sqrt(2 d.M d / tr J0)`, the root mean square
/// displacement over the radius of gyration.
pub(super) fn deformation(flexible: &Flexible, off: impl Fn(usize) -> f64) -> f64 {
    let c = &flexible.modal.constants;
    let d = DVector::from_fn(flexible.modes(), |k, _| off(k));
    (2.0 * d.dot(&(&c.modal_mass * &d)) / c.inertia.trace()).sqrt()
}

/// The words in which tables and pictures name [`EndError::attitude`] for a mechanism.
#[derive(Clone, Copy)]
pub(super) struct ErrorLabels {
    pub of: &'static str,
    pub error: &'static str,
    /// Its measure, in words.
    pub how: &'static str,
}

impl ErrorLabels {
    pub fn in_motions_of(mechanism: &Mechanism) -> ErrorLabels {
        match mechanism.bodies.iter().any(|body| body.flexible.is_some()) {
            false => ErrorLabels {
                of: "attitude",
                error: "error of attitude",
                how: "Angle from the accurate attitude",
            },
            true => ErrorLabels {
                of: "attitude or deformation",
                error: "error of attitude or deformation",
                how: "Angle from the accurate attitude, or where it is larger the root mean square \
                      displacement from the accurate deformation over the radius of gyration",
            },
        }
    }

    /// As tables of errors name a column of it.
    pub fn column(self, listed: Listed) -> Listed {
        let heading = listed.name.replace('_', " ").replace("attitude", self.of);
        listed.headed(heading)
    }
}

/// The accurate end of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccurateEnd {
    /// In the order of the mechanism's.
    pub bodies: Vec<BodyState>,
}

/// The accurate ends of some instances of a study.
pub struct Judge {
    ends: Vec<AccurateEnd>,
}

impl Judge {
    /// Judges the first `count` instances, or all if there are less, after the study's duration.
    ///
    /// # Errors
    /// [`RunError::Unserved`]: the reference cannot follow one of them. `None` in place of a judge:
    /// interrupted.
    pub fn new(study: &Study, count: u64, interrupted: &AtomicBool) -> Result<Option<Judge>, RunError> {
        let none = vec![None; count.min(study.ensemble.size) as usize];
        Judge::going_on(study, none, &Limits::by_user(interrupted), |_, _| Ok(()))
    }

    /// Judges the first instances, of which some ends are known; `found` is given each of the
    /// others as soon as it is. `None` in place of a judge: within the limits not all could be
    /// found.
    ///
    /// # Errors
    /// As [`new`](Self::new), and those of `found`.
    pub(super) fn going_on(
        study: &Study,
        known: Vec<Option<AccurateEnd>>,
        limits: &Limits<'_>,
        found: impl Fn(usize, &AccurateEnd) -> Result<(), RunError> + Sync,
    ) -> Result<Option<Judge>, RunError> {
        let sampler = Sampler::new(study)?;
        let duration = study.method.step * study.method.steps as f64;
        let end = |instance: u64| -> Result<Option<AccurateEnd>, RunError> {
            if limits.are_passed() {
                return Ok(None);
            }
            let mut drawn = vec![0.0; sampler.width()];
            sampler.draw(instance, &mut drawn);
            let mut quantities = Quantities::nominal(study);
            sampler.apply(&drawn, &mut quantities);
            let run = to_reference(&study.mechanism, quantities).and_then(|(mechanism, start)| {
                accurate::run_within(&mechanism, &start, &[duration], accurate::TOLERANCE, Some(limits))
            });
            if let Err(ReferenceError::OutOfTime { .. }) = run {
                return Ok(None);
            }
            let last =
                run.and_then(|run| run.states.into_iter().next_back().ok_or(ReferenceError::EndedEarly));
            let end = last.map_err(|why| Unserved::NoAccurateMotion { instance, why: why.into() })?;
            let end = AccurateEnd { bodies: end.bodies };
            found(instance as usize, &end)?;
            Ok(Some(end))
        };
        // All are looked at, so that the error is that of the first instance which has one.
        let ends: Vec<Result<Option<AccurateEnd>, RunError>> = known
            .into_par_iter()
            .enumerate()
            .map(|(instance, known)| match known {
                Some(known) => Ok(Some(known)),
                None => end(instance as u64),
            })
            .collect();
        let ends: Option<Vec<AccurateEnd>> = ends.into_iter().collect::<Result<_, _>>()?;
        Ok(ends.map(|ends| Judge { ends }))
    }

    /// By these ends; none where one is not known.
    pub(super) fn of(ends: &[Option<AccurateEnd>]) -> Option<Judge> {
        Some(Judge { ends: ends.iter().cloned().collect::<Option<_>>()? })
    }

    /// The accurate ends.
    pub fn ends(&self) -> &[AccurateEnd] {
        &self.ends
    }

    /// The number of instances that it judges.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The errors of the first instances of the study, which are those of `batch`, by this backend.
    pub fn errors(
        &self,
        study: &Study,
        plan: &Plan,
        batch: &Batch,
        backend: &mut dyn Backend,
    ) -> Result<Vec<EndError>, RunError> {
        let never_over = || false;
        let errors = self.errors_until(study, plan, batch, backend, &never_over)?;
        Ok(errors.expect("nothing ends it early"))
    }

    /// As [`errors`](Self::errors); none where `is_over` ends it, which is asked as the instances
    /// advance.
    pub(super) fn errors_until(
        &self,
        study: &Study,
        plan: &Plan,
        batch: &Batch,
        backend: &mut dyn Backend,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<EndError>>, RunError> {
        let mut channels =
            vec![channels::ATTITUDE, channels::ANGULAR_VELOCITY, channels::POSITION, channels::ENERGY_DRIFT];
        if plan.model.rows() > 0 {
            channels.push(channels::CONSTRAINT_VIOLATION);
        }
        let bodies = &study.mechanism.bodies;
        let most = bodies.iter().map(Body::modes).max().unwrap_or_default();
        channels.extend((0..most as u8).map(|mode| channels::AMPLITUDE.of_mode(mode)));
        let observer = Observer::new(plan, &channels);
        let mut march = BatchRun::new(plan, Observer::new::<Channel>(plan, &[]), batch);
        let mut ended = false;
        march.run(
            backend,
            None,
            |_, _: &[Piece]| {},
            |_| {
                ended = is_over();
                if ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        if ended {
            return Ok(None);
        }
        let (values, ends) = march.finish(&observer);
        let observed: Vec<_> = channels.iter().map(|channel| (*channel).into()).collect();
        let columns = columns(&study.mechanism, &observed);
        // By channel, its columns in the order of the bodies.
        let values_of = |channel: Channel| -> Vec<&Vec<f64>> {
            let numbered = columns.iter().zip(&values);
            numbered.filter(|(column, _)| column.channel == channel).map(|(_, values)| values).collect()
        };
        let (attitude, rate, position) = (
            values_of(channels::ATTITUDE),
            values_of(channels::ANGULAR_VELOCITY),
            values_of(channels::POSITION),
        );
        let (drift, violation) =
            (values_of(channels::ENERGY_DRIFT), values_of(channels::CONSTRAINT_VIOLATION));
        let amplitudes: Vec<_> = (0..most as u8).map(|k| values_of(channels::AMPLITUDE.of_mode(k))).collect();
        // Only bodies with more than k modes have a channel of mode k: so many of them come before
        // body b.
        let before = |b: usize, k: usize| bodies[..b].iter().filter(|body| body.modes() > k).count();
        let judged = |(i, exact): (usize, &AccurateEnd)| {
            if ends[i].verdict != Verdict::Finished {
                return EndError::NONE;
            }
            let alone = |columns: &[&Vec<f64>]| columns.first().map_or(0.0, |values| values[i].abs());
            let mut error =
                EndError { energy_drift: alone(&drift), violation: alone(&violation), ..EndError::default() };
            for (b, body) in exact.bodies.iter().enumerate() {
                let q: [f64; 4] = std::array::from_fn(|k| attitude[4 * b + k][i]);
                let off = |columns: &[&Vec<f64>], exact: [f64; 3]| {
                    length(std::array::from_fn(|k| columns[3 * b + k][i] - exact[k]))
                };
                error.attitude = larger(error.attitude, angle(q, body.attitude));
                if let Some(flexible) = &bodies[b].flexible {
                    let off = |k: usize| amplitudes[k][before(b, k)][i] - body.amplitudes[k];
                    error.attitude = larger(error.attitude, deformation(flexible, off));
                }
                error.angular_velocity = larger(error.angular_velocity, off(&rate, body.angular_velocity));
                error.position = larger(error.position, off(&position, body.position));
            }
            error
        };
        Ok(Some(self.ends.iter().enumerate().map(judged).collect()))
    }
}

/// The larger of two errors; what is no number is infinite.
fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// The plan of a study and the starts of its first `count` instances, again and again from the
/// first if there are less.
pub fn planned(study: &Study, count: usize) -> Result<(Plan, Batch), RunError> {
    let FirstInstances { plan, batch, .. } = FirstInstances::new(study, count, &[])?;
    Ok((plan, batch))
}

/// The middle value, and half the distance of the quartiles as a share of it; NaN of none, and of a
/// single value the spread is NaN too: it says nothing of what a repeat would give.
pub fn median_and_spread(values: &[f64]) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return (f64::NAN, f64::NAN) };
    // On straight lines between neighbours: of three values both quartiles lie inside, whichever
    // side scatters.
    let at = |share: f64| {
        let place = share * last as f64;
        let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        // Infinite errors are equal, and their difference is no number.
        if below == above { below } else { below + place.fract() * (above - below) }
    };
    let spread = if last == 0 { f64::NAN } else { 0.5 * (at(0.75) - at(0.25)) / at(0.5) };
    (at(0.5), spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_their_spread() {
        assert_eq!(median_and_spread(&[3.0, 1.0, 2.0]), (2.0, 0.25));
        let (middle, spread) = median_and_spread(&[2.0, 1.0, 5.0, 3.0, 4.0]);
        assert!(middle == 3.0 && (spread - 1.0 / 3.0).abs() < 1e-15);
        assert!(median_and_spread(&[]).0.is_nan());
        assert_eq!(median_and_spread(&[8.0, 10.0, 10.0]), (10.0, 0.05));
        assert_eq!(median_and_spread(&[12.0, 10.0, 10.0]), (10.0, 0.05));
        assert_eq!(median_and_spread(&[1.0, 3.0]), (2.0, 0.25));
        assert_eq!(median_and_spread(&[1.0, f64::INFINITY, f64::INFINITY]).0, f64::INFINITY);
        let (middle, spread) = median_and_spread(&[2.0]);
        assert!(middle == 2.0 && spread.is_nan());
    }

    #[test]
    fn what_is_no_number_is_no_small_error() {
        assert_eq!(larger(1.0, f64::NAN), f64::INFINITY);
        assert_eq!(larger(1.0, 2.0), 2.0);
    }
}
