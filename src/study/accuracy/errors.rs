//! The errors of a course beside an exact one.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::observe::channels::Registered;
use crate::study::converged::{Course, differences, undefined_times};

/// An outcome that has no value in one of two solutions differs by this share of its scale.
const WITHOUT: f64 = 1.0;

/// The errors of a course.
pub(super) struct Errors {
    /// `[snapshot][column][instance]`
    pub(super) all: Vec<Vec<Vec<f64>>>,
    /// The largest, as a share of the scale: what it is, snapshot, column, place of the instance.
    pub(super) largest: f64,
    pub(super) at: Option<(usize, usize, usize)>,
    /// By snapshot, the largest share.
    pub(super) by_time: Vec<f64>,
    /// Instances that stopped before the accurate ones did.
    pub(super) stopped: u64,
    /// Instances of which an outcome has a value in one of the two alone.
    pub(super) without: u64,
    /// Instances of which the time of a peak is that of another one, which is
    /// [alike](Course::alike).
    pub(super) alike: u64,
}

impl Errors {
    /// The largest error of every instance, as a share of the scales; infinite of those that
    /// stopped.
    pub(super) fn by_instance(&self, scales: &[f64]) -> Vec<f64> {
        let count = self.all.first().and_then(|columns| columns.first()).map_or(0, Vec::len);
        let mut largest = vec![0.0f64; count];
        for (column, scale) in self.all.iter().flat_map(|columns| columns.iter().zip(scales)) {
            // `max` takes the other number of one that is none.
            largest.iter_mut().zip(column).for_each(|(largest, off)| *largest = largest.max(off / scale));
        }
        // An instance that has stopped has no number at the end.
        for (i, largest) in largest.iter_mut().enumerate() {
            if self.all.last().is_some_and(|end| end.iter().all(|column| column[i].is_nan())) {
                *largest = f64::INFINITY;
            }
        }
        largest
    }

    /// The places of so many instances with the largest errors, ascending, those that stopped among
    /// them.
    pub(super) fn worst(&self, scales: &[f64], most: usize) -> Vec<usize> {
        let shares = self.by_instance(scales);
        let mut places: Vec<usize> = (0..shares.len()).collect();
        places.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        places.truncate(most);
        places.sort_unstable();
        places
    }

    /// The largest share; infinite where instances stopped.
    pub(super) fn size(&self) -> f64 {
        if self.stopped == 0 { self.largest } else { f64::INFINITY }
    }

    /// The errors of a course beside an exact one.
    pub(super) fn of(course: &Course, exact: &Course, scales: &[f64]) -> Errors {
        let mut all = differences(course, exact);
        let places = course.places(&exact.instances);
        let mut without = vec![false; places.len()];
        if let (Some(off), Some(values)) = (all.last_mut(), course.values.last()) {
            let ends = exact.values.last().into_iter().flatten();
            for (c, ((off, exact_values), seen_values)) in off.iter_mut().zip(ends).zip(values).enumerate() {
                if !exact.columns[c].channel.is_of_the_end() {
                    continue;
                }
                for (i, place) in places.iter().enumerate() {
                    let Some(place) = place else { continue };
                    if seen_values[*place].is_finite() != exact_values[i].is_finite() {
                        off[i] = WITHOUT * scales[c];
                        without[i] = true;
                    }
                }
            }
        }
        let ends = [course, exact].map(|course| course.values.last());
        let is_another = |(c, i): &(usize, usize)| {
            let ([Some(a), Some(b)], Some(place)) = (ends, places[*i]) else { return false };
            (a[*c][place] - b[*c][*i]).abs() > exact.alike * scales[*c]
        };
        let alike: HashSet<usize> =
            undefined_times(course, exact).into_iter().filter(is_another).map(|(_, i)| i).collect();
        let mut errors = Errors {
            largest: 0.0,
            at: None,
            by_time: Vec::new(),
            stopped: course.stopped_before(exact).count() as u64,
            without: without.into_iter().filter(|without| *without).count() as u64,
            alike: alike.len() as u64,
            all,
        };
        // The first of the largest shares of a snapshot.
        let of_snapshot = |columns: &Vec<Vec<f64>>| {
            let mut largest: Option<(f64, usize, usize)> = None;
            for (c, column) in columns.iter().enumerate() {
                for (i, off) in column.iter().enumerate().filter(|(_, off)| !off.is_nan()) {
                    let share = off / scales[c];
                    if largest.is_none_or(|(largest, ..)| share > largest) {
                        largest = Some((share, c, i));
                    }
                }
            }
            largest
        };
        let by_snapshot: Vec<Option<(f64, usize, usize)>> = errors.all.par_iter().map(of_snapshot).collect();
        for (k, largest) in by_snapshot.into_iter().enumerate() {
            errors.by_time.push(largest.map_or(0.0, |(share, ..)| share));
            if let Some((share, c, i)) =
                largest.filter(|(share, ..)| *share > errors.largest || errors.at.is_none())
            {
                (errors.largest, errors.at) = (share, Some((k, c, i)));
            }
        }
        errors
    }
}
