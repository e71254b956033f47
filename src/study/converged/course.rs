//! Numbers of some instances at all snapshots, and how far those of two courses of one study are
//! apart.

use std::collections::HashSet;
use std::f64::consts::TAU;
use std::time::Duration;

use rayon::prelude::*;

use super::natural::NaturalSizes;
use crate::backend::End;
use crate::describe::{Mechanism, ObservedChannel};
use crate::observe::channels::{ChannelColumn, ErrorScale, Registered, columns};
use crate::observe::{Verdict, channels};

/// Numbers of some instances at all snapshots of a study.
#[derive(Clone, Debug)]
pub struct Course {
    /// By number, ascending.
    pub instances: Vec<u64>,
    /// Times of the snapshots (s).
    pub times: Vec<f64>,
    pub columns: Vec<ChannelColumn>,
    /// `[snapshot][column][instance]`; NaN where the instance has stopped or the channel has no
    /// number. At the last snapshot there are also the outcomes of those that a condition ended.
    pub values: Vec<Vec<Vec<f64>>>,
    /// The end of each instance, with its verdict.
    pub ends: Vec<End>,
    /// Times (s) at which numbers of each instance jump: its locks catch and let go. Those of a run
    /// are not recorded.
    pub jumps: Vec<Vec<f64>>,
    /// Peaks may be off by this share of the scale: if their heights differ by no more than twice
    /// as much, they are alike, and the highest of them is not asked for.
    pub alike: f64,
    /// Time that the steps took.
    pub stepping: Duration,
}

impl Course {
    /// The places of these instances; `None`: it is not among its own.
    pub fn places(&self, instances: &[u64]) -> Vec<Option<usize>> {
        instances.iter().map(|number| self.instances.iter().position(|own| own == number)).collect()
    }

    /// The places in `exact` of instances that stopped though there they came to their end.
    pub fn stopped_before<'a>(&'a self, exact: &'a Course) -> impl Iterator<Item = usize> {
        let is_wrong = |place: usize| {
            let verdict = self.ends[place].verdict;
            !matches!(verdict, Verdict::Finished | Verdict::Interrupted | Verdict::InvalidSample)
        };
        let places = self.places(&exact.instances).into_iter().zip(&exact.ends).enumerate();
        places.filter_map(move |(i, (place, end))| {
            (end.verdict == Verdict::Finished && is_wrong(place?)).then_some(i)
        })
    }

    /// Whether a number of an instance rests from this snapshot on, but for rounding and for this
    /// much.
    fn rests(&self, column: usize, instance: usize, since: usize, but_for: f64) -> bool {
        let numbers = |from: usize| self.values.iter().skip(from).map(|snapshot| snapshot[column][instance]);
        let (low, high) =
            (numbers(since).fold(f64::INFINITY, f64::min), numbers(since).fold(f64::NEG_INFINITY, f64::max));
        high - low <= but_for.max(RESTS * numbers(0).map(f64::abs).fold(0.0, f64::max))
    }

    /// Whether the numbers of a column count at a snapshot: those of outcomes do at the end alone,
    /// whatever they were on the way.
    pub fn counts(&self, snapshot: usize, column: usize) -> bool {
        snapshot + 1 == self.times.len() || !self.columns[column].channel.is_of_the_end()
    }

    /// Whether the numbers of an instance jump at a snapshot, but for rounding: which of the two is
    /// seen is left to it. Outcomes go on.
    pub fn jumps_at(&self, snapshot: usize, column: usize, instance: usize) -> bool {
        let lasts = self.times.last().copied().unwrap_or_default();
        let is_there = |time: &f64| (time - self.times[snapshot]).abs() <= RESTS * lasts;
        !self.columns[column].channel.is_of_the_end()
            && self.jumps.get(instance).is_some_and(|jumps| jumps.iter().any(is_there))
    }

    /// Some of its channels, which are `all`, in their order.
    pub fn only(
        mut self,
        mechanism: &Mechanism,
        all: &[ObservedChannel],
        wanted: &[ObservedChannel],
    ) -> Course {
        let width = |observed: &ObservedChannel| columns(mechanism, &[*observed]).len();
        let kept: Vec<bool> =
            all.iter().flat_map(|observed| vec![wanted.contains(observed); width(observed)]).collect();
        let filtered = |column: &mut dyn Iterator<Item = bool>| column.next().unwrap_or(true);
        let mut keeps = kept.iter().copied();
        self.columns.retain(|_| filtered(&mut keeps));
        for snapshot in &mut self.values {
            let mut keeps = kept.iter().copied();
            snapshot.retain(|_| filtered(&mut keeps));
        }
        self
    }
}

/// A number that changes by no more than this share of itself rests.
pub(super) const RESTS: f64 = 1e-9;
/// Ranges below this (SI units) are rounding.
const NOTHING: f64 = 1e-12;
/// From 5 % to 95 % no usual distribution reaches further than so many times its middle half: a
/// uniform one reaches 1.8 times as far, a normal one 2.4 times, a Laplacian one 3.3 times.
const MOST_OF_HALF: f64 = 4.0;
/// A column rests that moves by no more than this share of what moves beside it.
const RESTING: f64 = 1e-11;
/// A column's scale is at least this share of the largest of its channel.
const LEAST_SHARE: f64 = 1e-6;

/// By column, what errors are compared with.
///
/// It is alike for all components of a channel of one body, joint, ...: the median over the
/// instances of their ranges over time, or where that is larger the spread over instances at one
/// time, from the 5 % to the 95 % quantile, but no more than four times that of the middle half: a
/// quarter of the instances may run away, and set no scale. To the range belongs 0 for all but
/// positions, displacements, angles and outcomes, whose zero is anywhere. A scale is at least a
/// millionth of the largest of the channel in its unit, and that of an outcome of the largest in
/// its unit of all. Nor is it less than the rounding of numbers of the mechanism's
/// [size](NaturalSizes), where an error of the share that is allowed is that rounding: a channel
/// that rests but for rounding is compared with those that move: if any does in its unit, with the
/// widest of them. An energy near zero is compared
/// with the kinetic energy that the motion reaches. Times are compared with the time
/// from the first snapshot to the last. Attitudes, shares, errors, and channels that never move are
/// compared with 1. An
/// outcome that rests, whose range is less than a millionth of itself, is compared with itself.
pub fn scales(course: &Course, sizes: &NaturalSizes) -> Vec<f64> {
    let columns = &course.columns;
    let scales = widest_ranges(course);
    let resting = at_rest(course, &scales, sizes);
    let largest = |of: &ChannelColumn| {
        let is_outcome = of.channel.is_of_the_end();
        let alike = columns.iter().zip(&scales).filter(|(column, _)| column.unit == of.unit);
        let alike = alike.filter(|(column, _)| is_outcome || column.channel == of.channel);
        alike.fold(0.0, |largest: f64, (_, scale)| largest.max(*scale))
    };
    let lasts = course.times.last().copied().unwrap_or_default();
    let scale = |(c, (column, scale)): (usize, (&ChannelColumn, &f64))| {
        let own = if column.channel.is_of_the_end() { usual_size(course, c) } else { 0.0 };
        let least = sizes.least_scale(&column.unit, course.alike);
        let scale = match (&*column.unit, resting[c]) {
            ("s", _) => lasts,
            _ if *scale < LEAST_SHARE * own => own.max(least),
            (_, Some(size)) => size.max(least),
            _ if column.channel == channels::ENERGY => scale.max(sizes.kinetic).max(least),
            _ => scale.max(LEAST_SHARE * largest(column)).max(least),
        };
        if column.channel.card().scale == ErrorScale::One || scale <= NOTHING { 1.0 } else { scale }
    };
    columns.iter().zip(&scales).enumerate().map(scale).collect()
}

/// By column the size of what moves beside it, where it moves by no more than the rounding of the
/// numbers that it is computed from: the largest range in its unit or, of an outcome and of what
/// has no unit, its own magnitude.
fn at_rest(course: &Course, ranges: &[f64], sizes: &NaturalSizes) -> Vec<Option<f64>> {
    let columns = &course.columns;
    let size = |(c, column): (usize, &ChannelColumn)| {
        let numbers = course.values.iter().flat_map(|snapshot| &snapshot[c]).filter(|x| x.is_finite());
        let own = numbers.fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let natural = sizes.natural(&column.unit);
        let is_own = column.unit == "1" || column.channel.is_of_the_end() && own > RESTING * natural;
        let beside = columns
            .iter()
            .zip(ranges)
            .filter(|(other, _)| other.unit == column.unit && !other.channel.is_of_the_end());
        let size = if is_own { own } else { beside.fold(0.0, |largest, (_, range)| range.max(largest)) };
        let rests = ranges[c] <= RESTING * size.max(own).max(natural);
        (column.unit != "s" && rests && size > ranges[c].max(NOTHING)).then_some(size)
    };
    columns.par_iter().enumerate().map(size).collect()
}

/// Takes the sizes of columns for their scales that rest in the accurate motion, and that a run
/// moves by no more than errors that are allowed: joints that it opens move lengths which they
/// keep.
pub fn compare_rest(scales: &mut [f64], run: &Course, exact: &Course, sizes: &NaturalSizes) {
    let [moves, ranges] = [run, exact].map(widest_ranges);
    let columns = exact.columns.iter().zip(at_rest(exact, &ranges, sizes)).zip(moves).zip(scales);
    for (((column, size), moves), scale) in columns {
        let size = size.filter(|size| moves <= run.alike * size);
        if let Some(size) = size.filter(|_| column.channel.card().scale != ErrorScale::One) {
            *scale = size;
        }
    }
}

/// By column the usual range of the widest component of its channel.
fn widest_ranges(course: &Course) -> Vec<f64> {
    let columns = &course.columns;
    let ranges: Vec<f64> = (0..columns.len()).into_par_iter().map(|c| usual_range(course, c)).collect();
    let mut all: Vec<f64> = Vec::with_capacity(columns.len());
    while all.len() < columns.len() {
        let first = all.len();
        let next = columns[first + 1..].iter().position(|column| column.component == 0);
        let end = next.map_or(columns.len(), |next| first + 1 + next);
        let widest = ranges[first..end].iter().copied().fold(0.0, f64::max);
        all.resize(end, widest);
    }
    all
}

/// The median over instances of the magnitude at the end, in a column.
fn usual_size(course: &Course, c: usize) -> f64 {
    let ends = course.values.last().into_iter().flat_map(|end| &end[c]);
    let mut sizes: Vec<f64> = ends.map(|x| x.abs()).filter(|x| x.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or_default()
}

/// The median range over time of the instances whose number moves, or the spread over instances at
/// one time, in a column.
fn usual_range(course: &Course, c: usize) -> f64 {
    let anywhere = course.columns[c].channel.card().scale == ErrorScale::Range;
    let start = if anywhere { [f64::INFINITY, f64::NEG_INFINITY] } else { [0.0, 0.0] };
    let taken =
        |[low, high]: [f64; 2], x: f64| if x.is_finite() { [low.min(x), high.max(x)] } else { [low, high] };
    let mut over_time = vec![start; course.instances.len()];
    let mut spread = 0.0f64;
    for snapshot in &course.values {
        let mut here: Vec<f64> = snapshot[c].iter().copied().filter(|x| x.is_finite()).collect();
        for (x, range) in snapshot[c].iter().zip(&mut over_time) {
            *range = taken(*range, *x);
        }
        if let Some(last) = here.len().checked_sub(1) {
            let [nearly_all, half] = [last / 20, last / 4].map(|few| between(&mut here, few));
            // Where most are alike the others are what differs.
            let most = if half > 0.0 { MOST_OF_HALF * half } else { f64::INFINITY };
            spread = spread.max(nearly_all.min(most));
        }
    }
    let mut ranges: Vec<f64> = over_time.into_iter().map(|[low, high]| high - low).collect();
    let largest = ranges.iter().copied().fold(0.0, f64::max);
    ranges.retain(|range| *range > LEAST_SHARE * largest);
    ranges.sort_unstable_by(f64::total_cmp);
    spread.max(ranges.get(ranges.len() / 2).copied().unwrap_or_default())
}

/// The distance of two numbers: so many others are below the lower one, and so many above the upper
/// one.
fn between(values: &mut [f64], few: usize) -> f64 {
    let (_, &mut low, above) = values.select_nth_unstable_by(few, f64::total_cmp);
    // They are one where there is no other between them.
    let upper = above.len().checked_sub(few + 1);
    upper.map_or(0.0, |upper| *above.select_nth_unstable_by(upper, f64::total_cmp).1 - low)
}

/// The distances between the values of two courses of one study, `[snapshot][column][instance]`, of
/// the instances of `b`, which are among those of `a`: quaternions up to their sign, 0 for the time
/// of a peak that is none and for numbers that [jump](Course::jumps_at) at the snapshot, NaN where
/// one of them has no number, or where it does not [count](Course::counts).
pub fn differences(a: &Course, b: &Course) -> Vec<Vec<Vec<f64>>> {
    let places = a.places(&b.instances);
    let undefined = undefined_times(a, b);
    let columns_of = |k: usize| {
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(b.columns.len());

        let mut c = 0;
        while c < b.columns.len() {
            let width = if b.columns[c].channel == channels::ATTITUDE { 4 } else { 1 };
            let mut found = vec![vec![f64::NAN; places.len()]; width];
            for (i, place) in places.iter().enumerate() {
                let Some(place) = place.filter(|_| b.counts(k, c)) else { continue };
                if undefined.contains(&(c, i)) || b.jumps_at(k, c, i) {
                    found.iter_mut().for_each(|found| found[i] = 0.0);
                    continue;
                }
                let pair = |j: usize| (a.values[k][c + j][place], b.values[k][c + j][i]);
                let along: f64 = (0..width).map(|j| pair(j).0 * pair(j).1).sum();
                let sign = if width == 4 && along < 0.0 { -1.0 } else { 1.0 };
                for (j, found) in found.iter_mut().enumerate() {
                    let (x, y) = pair(j);
                    found[i] = (sign * x - y).abs();
                    // At half a turn it is left to rounding which turn is counted.
                    if b.columns[c].channel == channels::ANGLE {
                        found[i] = found[i].min((found[i] - TAU).abs());
                    }
                }
            }
            columns.append(&mut found);
            c += width;
        }
        columns
    };
    (0..a.values.len().min(b.values.len())).into_par_iter().map(columns_of).collect()
}

/// Columns and places in `b` of which the time of a peak is undefined: the function rests, or has
/// reached peaks that are [alike](Course::alike) at both times, of `a` and of `b`, or differ by no
/// more than the errors of the values. Which of them is the highest is left to rounding, or to
/// errors that the value itself shows or is allowed.
pub fn undefined_times(a: &Course, b: &Course) -> HashSet<(usize, usize)> {
    let columns = &b.columns;
    let places = a.places(&b.instances);
    let mut undefined = HashSet::default();
    for (c, column) in
        columns.iter().enumerate().filter(|(_, column)| column.channel == channels::OUTCOME_TIME)
    {
        let of_value = |value: &ChannelColumn| column.name.strip_suffix(".time") == Some(value.name.as_str());
        let Some(value) = columns.iter().position(of_value) else { continue };
        let ends = [a, b].map(|course| course.values.last().map_or(&[][..], |last| &last[value]));
        let off =
            places.iter().zip(ends[1]).filter_map(|(place, of_b)| Some((ends[0][(*place)?] - of_b).abs()));
        let off = off.filter(|off| off.is_finite()).fold(0.0, f64::max);
        let range = usual_range(b, value);
        // A function that is rounding has no peak.
        let alike = if range > NOTHING { 2.0 * off.max(b.alike * range) } else { f64::INFINITY };
        for (i, place) in places.iter().enumerate() {
            let Some(place) = *place else { continue };
            let both = [(a, place), (b, i)];
            let [x, y] = both.map(|(course, i)| course.values.last().map_or(f64::NAN, |last| last[c][i]));
            let between = |time: &f64| x.min(y) <= *time && *time < x.max(y);
            let since = b.times.iter().rposition(between).unwrap_or_default();
            if both.iter().all(|(course, i)| course.rests(value, *i, since, alike)) {
                undefined.insert((c, i));
            }
        }
    }
    undefined
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    /// Courses of one instance at 0, 1, .. 5 s: a running peak, and when it was.
    fn course(peak: [f64; 6], time: f64) -> Course {
        let column = |channel, name: &str| ChannelColumn {
            channel,
            component: 0,
            name: name.into(),
            unit: Cow::Borrowed("1"),
            description: "",
        };
        Course {
            instances: vec![7],
            times: (0..6).map(f64::from).collect(),
            columns: vec![
                column(channels::OUTCOME_VALUE, "peak"),
                column(channels::OUTCOME_TIME, "peak.time"),
            ],
            values: peak.iter().map(|x| vec![vec![*x], vec![time]]).collect(),
            ends: vec![],
            jumps: vec![],
            alike: 1e-6,
            stepping: Duration::ZERO,
        }
    }

    fn scales_of(course: &Course) -> Vec<f64> {
        scales(course, &NaturalSizes { mass: 1.0, length: 1.0, time: 1.0, kinetic: 0.0 })
    }

    #[test]
    fn an_outcome_that_rests_is_compared_with_itself() {
        // The peak is the start, to rounding or to a solver's error.
        assert_eq!(scales_of(&course([3.0; 6], 0.0))[0], 3.0);
        assert_eq!(scales_of(&course([3.0, 3.0, 3.0, 3.0, 3.0, 3.0 + 8e-7], 0.0))[0], 3.0 + 8e-7);
        // One that moves is compared with what it moves by.
        assert_eq!(scales_of(&course([3.0, 3.0, 3.5, 3.5, 3.5, 3.5], 0.0))[0], 0.5);
        // Another number in its unit says how small a range is nothing.
        let mut beside = course([0.0, 0.0, 0.0, 0.0, 0.0, 1e-9], 0.0);
        beside.columns[1].channel = channels::POSITION;
        beside.columns[1].unit = "1".into();
        let moves = |(k, snapshot): (usize, &mut Vec<Vec<f64>>)| snapshot[1][0] = k as f64;
        beside.values.iter_mut().enumerate().for_each(moves);
        assert_eq!(scales_of(&beside), [LEAST_SHARE * 5.0, 5.0]);
    }

    /// A length that joints keep, beside one that changes.
    fn lengths(kept: [f64; 6], unit: &'static str, channel: crate::describe::Channel) -> Course {
        let mut course = course([0.0; 6], 0.0);
        course.columns.iter_mut().for_each(|column| {
            (column.channel, column.unit) = (channel, unit.into());
        });
        let numbers = kept.into_iter().enumerate().map(|(k, x)| vec![vec![x], vec![k as f64]]);
        course.values = numbers.collect();
        course
    }

    #[test]
    fn what_rests_is_compared_with_what_moves_beside_it() {
        let sizes = NaturalSizes { mass: 3.0, length: 0.5, time: 0.2, kinetic: 0.0 };
        let scale = |course: &Course| scales(course, &sizes)[0];
        let kept = |last: f64| lengths([1.3, 1.3, 1.3, 1.3, 1.3, last], "m", channels::SPRING_LENGTH);
        let still = |last: f64| lengths([0.0, 0.0, 0.0, 0.0, 0.0, last], "m/s", channels::SPRING_RATE);
        assert_eq!([kept(1.3), kept(1.3 + 4e-16), still(2e-11)].map(|course| scale(&course)), [5.0; 3]);
        // Motion is compared with itself, however small.
        let moves = [kept(1.3 + 1e-4), still(1e-5)].map(|course| scale(&course));
        assert!((moves[0] / 1e-4 - 1.0).abs() < 1e-9 && moves[1] == 1e-5, "{moves:?}");
        // Beside it nothing moves.
        let mut alone = still(2e-11);
        alone.columns[1].unit = "N".into();
        assert!(scale(&alone) < 1e-5, "{}", scale(&alone));

        // A run opens joints that are closed.
        let judged = |run: &Course| {
            let mut scales = scales(run, &sizes);
            compare_rest(&mut scales, run, &kept(1.3), &sizes);
            scales[0]
        };
        assert_eq!(judged(&kept(1.3 + 1e-6)), 5.0);
        // By more than is allowed: other instances may move, which are not judged.
        let opened = judged(&kept(1.3 + 1e-3));
        assert!((opened / 1e-3 - 1.0).abs() < 1e-9, "{opened}");
    }

    #[test]
    fn a_fifth_of_the_instances_that_run_away_set_no_scale() {
        let instances = 100;
        let scale = |away: usize, far: f64| {
            let mut course = course([0.0; 6], 0.0);
            course.instances = (0..instances as u64).collect();
            course.columns.truncate(1);
            course.columns[0].channel = channels::POSITION;
            let number = |k: usize, i: usize| {
                let far = if i < away { far } else { 1.0 };
                far * (0.5 + i as f64 / instances as f64) * k as f64 / 5.0
            };
            course.values = (0..6).map(|k| vec![(0..instances).map(|i| number(k, i)).collect()]).collect();
            scales_of(&course)[0]
        };
        let usual = scale(0, 1.0);
        assert!((0.9..1.1).contains(&usual), "{usual}");
        for (away, far) in [(8, 1e3), (20, 1e3), (20, -1e6)] {
            let scale = scale(away, far);
            assert!((0.9 * usual..3.0 * usual).contains(&scale), "{away} {far}: {scale}");
        }
    }

    #[test]
    fn the_time_of_a_peak_that_is_reached_twice_is_undefined() {
        let apart = |a: &Course, b: &Course| (1e9 * differences(a, b)[5][1][0]).round() / 1e9;
        let twice = [0.0, 1.0, 3.0, 3.0, 3.0, 3.0];
        let rounded = [0.0, 1.0, 3.0, 3.0, 3.0, 3.0 + 1e-15];
        assert_eq!(apart(&course(twice, 1.9), &course(rounded, 4.5)), 0.0);
        // The second peak is higher in one of them, by less than what is alike.
        let hardly = [0.0, 1.0, 3.0, 3.0, 3.0, 3.0 + 2e-6];
        assert_eq!(apart(&course(hardly, 4.5), &course(twice, 1.9)), 0.0);
        assert_eq!(apart(&course(twice, 1.9), &course(hardly, 4.5)), 0.0);
        // By more, but not than the value is off.
        let higher = [0.0, 1.0, 3.0, 3.0, 3.0, 3.0 + 1e-5];
        assert_eq!(apart(&course(higher, 4.5), &course(twice, 1.9)), 0.0);
        assert_eq!(apart(&course(twice, 1.9), &course(higher, 4.5)), 0.0);
        // By more, and the value is right.
        let first = [0.0, 1.0, 3.0 + 1e-5, 3.0 + 1e-5, 3.0 + 1e-5, 3.0 + 1e-5];
        assert_eq!(apart(&course(higher, 4.5), &course(first, 1.9)), 2.6);
        assert_eq!(apart(&course(first, 1.9), &course(higher, 4.5)), 2.6);
        // No snapshot lies between the two times.
        assert_eq!(apart(&course(twice, 1.9), &course(twice, 1.2)), 0.7);
        // A function that is zero but for rounding has no peak.
        let noise = [0.0, 1e-16, 3e-16, 3e-16, 5e-16, 6e-16];
        let other = [0.0, 3e-16, 4e-16, 5e-16, 5e-16, 6e-16];
        assert_eq!(apart(&course(noise, 1.2), &course(other, 4.5)), 0.0);
        // It rests.
        assert_eq!(apart(&course([2.0; 6], 0.3), &course([2.0; 6], 0.7)), 0.0);
    }
}
