//! The events of each step: snapshots, resynchronisations of the method, checks, jumps of loads.
//!
//! Everything is a function of the step number alone, so that chunks, dispatches and threads cannot
//! change a result. Time is never accumulated: an interval is formed from whole step numbers in
//! f64.

use crate::model::Span;
use crate::model::sample::Sample;

/// The step numbers at which instances are treated alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Full step h (s).
    pub h: f64,
    /// Full steps in all.
    pub steps: u64,
    /// Steps between snapshots.
    pub every: u64,
    /// Steps between resynchronisations of the method; 0: never.
    pub resynchronise: u64,
    /// Steps between instants at which the method begins anew from the motion alone, because laws
    /// may jump there; 0: never.
    pub begin: u64,
    /// Steps between checks of the verdict bounds.
    pub check: u64,
    /// Over which intervals the method takes the mean of every load.
    pub samples: Vec<Sample>,
    /// When the timed loads act.
    pub spans: Vec<Span>,
    /// Instances choose their own steps, and these end where a load jumps.
    pub own_steps: bool,
    /// Times (s), ascending, at which own steps end besides: a function of time jumps between the
    /// first and the second, the third and the fourth, and so on.
    pub breaks: Vec<f64>,
    /// The error that own steps are allowed, where one program serves every tolerance; `None`: it
    /// is a constant of the program.
    pub tolerance: Option<f64>,
}

/// A stretch of steps during which no load changes and nothing is observed; or one step, within
/// which own steps meet a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRange {
    pub first: u64,
    /// One past the last step.
    pub end: u64,
    /// The pieces of each step: one, or several where own steps end inside it.
    pub pieces: Vec<StepPiece>,
}

/// A piece of a step, during which no load jumps where instances choose their own steps.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPiece {
    /// Share of the step at which it ends.
    pub until: f64,
    /// For each sample of the method, the share of it during which each timed load acts; then the
    /// tolerance where the program is told it; then, where the schedule
    /// [has an edge](Schedule::has_edge), `until`.
    pub factors: Vec<f64>,
}

impl Schedule {
    /// Steps between those before which what has decayed is
    /// [flushed to zero](crate::real::Element::flushed). So often it costs 0.1 operations a step
    /// and number, and nothing decays through all small normal numbers in between.
    pub const FLUSH: u64 = 100;

    /// Step numbers of the snapshots: 0, every, 2 every, ... and the last step.
    pub fn snapshots(&self) -> Vec<u64> {
        let mut snapshots: Vec<u64> = (0..self.steps).step_by(self.every as usize).collect();
        snapshots.push(self.steps);
        snapshots
    }

    /// Whether a program gets the places where its own steps must end within the study's step.
    pub fn has_edge(&self) -> bool {
        self.own_steps && !(self.spans.is_empty() && self.breaks.is_empty())
    }

    /// The stretches from step `first` to step `end`.
    pub fn stretches(&self, first: u64, end: u64) -> Vec<StepRange> {
        let mut edges = vec![first, end];
        let jumps = self.spans.iter().flat_map(|span| [span.from, span.until]);
        for jump in jumps.chain(self.breaks_between(first, end).iter().copied()) {
            if jump <= 0.0 || !jump.is_finite() {
                continue;
            }
            // Step k feels a jump inside [k, k + 3/2]: its factors may differ from its neighbours'.
            let at = (jump / self.h).floor() as i64;
            for k in at - 2..=at + 2 {
                if k > first as i64 && k < end as i64 {
                    edges.push(k as u64);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut stretches: Vec<StepRange> = Vec::new();
        for pair in edges.windows(2) {
            let pieces = self.pieces_of_program(pair[0]);
            match stretches.last_mut() {
                Some(last) if last.pieces == pieces => last.end = pair[1],
                _ => stretches.push(StepRange { first: pair[0], end: pair[1], pieces }),
            }
        }
        stretches
    }

    /// The most pieces that any step has.
    pub fn most_pieces(&self) -> usize {
        let jumps = self.spans.iter().flat_map(|span| [span.from, span.until]);
        let jumps = jumps.chain(self.breaks.iter().copied()).filter(|time| self.own_steps && *time > 0.0);
        let mut steps: Vec<u64> =
            jumps.map(|time| (time / self.h) as u64).filter(|k| *k <= self.steps).collect();
        steps.sort_unstable();
        // One that lies on a grid point, or is moved there, is counted where it does no harm.
        let within = |k: u64| {
            steps.partition_point(|other| *other <= k + 1) - steps.partition_point(|other| *other < k)
        };
        1 + steps.iter().map(|k| within(k.saturating_sub(1))).max().unwrap_or(0)
    }

    /// The breaks that steps `first` to `end` may feel.
    fn breaks_between(&self, first: u64, end: u64) -> &[f64] {
        let at = |step: f64| self.breaks.partition_point(|time| *time < step * self.h);
        &self.breaks[at(first as f64 - 1.0)..at(end as f64 + 1.0)]
    }

    /// Returns the pieces of step `step`, with all that a program needs to know of them.
    fn pieces_of_program(&self, step: u64) -> Vec<StepPiece> {
        if !self.own_steps {
            return vec![StepPiece { until: 1.0, factors: self.factors(step).concat() }];
        }
        let piece = |(_, until, shares): (f64, f64, Vec<f64>)| {
            let edge = self.has_edge().then_some(until);
            let shares = shares.repeat(self.samples.len());
            StepPiece { until, factors: shares.into_iter().chain(self.tolerance).chain(edge).collect() }
        };
        self.pieces(step).into_iter().map(piece).collect()
    }

    /// 1 for each timed load that acts after so many steps, 0 for the others; the mean of both
    /// sides of a jump. At the start, that which is behind it.
    pub fn factors_around(&self, step: u64) -> Vec<f64> {
        let k = step as f64;
        let acts = |span: &Span| {
            let (from, until) = (in_steps(span.from, self.h), in_steps(span.until, self.h));
            let after = from <= k && k < until;
            let before = if step == 0 { after } else { from < k && k <= until };
            0.5 * (f64::from(u8::from(before)) + f64::from(u8::from(after)))
        };
        self.spans.iter().map(acts).collect()
    }

    fn factors(&self, step: u64) -> Vec<Vec<f64>> {
        let k = step as f64;
        let shares = |sample: &Sample| match sample.interval() {
            (from, until) if from < until => self.shares(k + from, k + until),
            (at, _) => self.acting(k + at),
        };
        self.samples.iter().map(shares).collect()
    }

    /// 1 for each timed load that acts so many steps after the start, 0 for the others
    /// ([`LoadValue::Instant`]).
    fn acting(&self, at: f64) -> Vec<f64> {
        let acts = |span: &Span| {
            let (from, until) = (in_steps(span.from, self.h), in_steps(span.until, self.h));
            if at > 0.0 { from < at && at <= until } else { from <= at && at < until }
        };
        self.spans.iter().map(|span| f64::from(u8::from(acts(span)))).collect()
    }

    /// The share of the steps from a to b during which each timed load acts.
    fn shares(&self, a: f64, b: f64) -> Vec<f64> {
        let of_span = |span: &Span| {
            let from = in_steps(span.from, self.h).max(a);
            let until = in_steps(span.until, self.h).min(b);
            ((until - from) / (b - a)).max(0.0)
        };
        self.spans.iter().map(of_span).collect()
    }

    /// Step `step` cut wherever a timed load jumps, and at the breaks: from, until (in steps from
    /// its start), and for each timed load whether it acts there, 0 or 1.
    pub fn pieces(&self, step: u64) -> Vec<(f64, f64, Vec<f64>)> {
        let k = step as f64;
        let jumps = self.spans.iter().flat_map(|span| [span.from, span.until]);
        let jumps = jumps.map(|jump| in_steps(jump, self.h) - k);
        // Both sides of a break are kept apart, however close they are.
        let breaks = self.breaks_between(step, step + 1).iter().map(|time| time / self.h - k);
        let inside = jumps.chain(breaks).filter(|c| *c > 0.0 && *c < 1.0);
        let mut edges: Vec<f64> = [0.0, 1.0].into_iter().chain(inside).collect();
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let piece = |pair: &[f64]| (pair[0], pair[1], self.shares(k + pair[0], k + pair[1]));
        edges.windows(2).map(piece).collect()
    }

    /// The next step after `step` at which the method is resynchronised or begins anew, or the
    /// state is flushed, at most `end`.
    pub fn next_event(&self, step: u64, end: u64) -> u64 {
        let after = |period: u64| step.checked_div(period).map_or(u64::MAX, |periods| (periods + 1) * period);
        after(self.resynchronise).min(after(self.begin)).min(after(Self::FLUSH)).min(end)
    }

    /// Whether the state is flushed before `step` is taken.
    pub fn flushes(step: u64) -> bool {
        step.is_multiple_of(Self::FLUSH)
    }

    /// Whether the method begins before `step` is taken, from the motion alone.
    pub fn begins(&self, step: u64) -> bool {
        step == 0 || self.begin != 0 && step.is_multiple_of(self.begin)
    }

    /// Whether the method is resynchronised before `step` is taken; it begins at step 0.
    pub fn resynchronises(&self, step: u64) -> bool {
        step != 0 && self.resynchronise != 0 && step.is_multiple_of(self.resynchronise)
    }
}

/// A time in steps, snapped to a quarter step when it is one within rounding: a jump meant to be on
/// a grid point is.
fn in_steps(time: f64, h: f64) -> f64 {
    let steps = time / h;
    let quarter = (steps * 4.0).round() / 4.0;
    if (steps - quarter).abs() <= 1e-9 * steps.abs().max(1.0) { quarter } else { steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sample::LoadValue;

    fn schedule(spans: Vec<Span>) -> Schedule {
        let samples = vec![Sample::new(0.0, 1.0, 0.5), Sample::new(0.5, 1.5, 1.0)];
        Schedule {
            h: 0.01,
            steps: 1000,
            every: 100,
            resynchronise: 200,
            begin: 0,
            check: 100,
            samples,
            spans,
            own_steps: false,
            breaks: Vec::new(),
            tolerance: None,
        }
    }

    #[test]
    fn a_jump_on_a_grid_point_is_the_mean_of_both_sides_in_the_half_chain() {
        let s = schedule(vec![Span { from: 0.0, until: 0.5 }]);
        let factors: Vec<[f64; 2]> = (48..52).map(|k| [s.factors(k)[0][0], s.factors(k)[1][0]]).collect();
        // The half chain's kick over [k+1/2, k+3/2] is centred on step k+1.
        assert_eq!(factors, vec![[1.0, 1.0], [1.0, 0.5], [0.0, 0.0], [0.0, 0.0]]);
    }

    #[test]
    fn a_load_is_seen_from_both_sides_of_a_step_and_nowhere_else() {
        let s = schedule(vec![Span { from: 0.0, until: 0.5 }, Span { from: 0.7, until: 0.8004 }]);
        let around = [0, 49, 50, 51, 69, 70, 71, 80, 81].map(|step| s.factors_around(step));
        let first = [1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let second = [0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 0.0];
        assert_eq!(
            around.to_vec(),
            first.into_iter().zip(second).map(|(a, b)| vec![a, b]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_load_at_an_instant_acts_up_to_its_end() {
        let instants = [0.0, 0.5, 1.0].map(|at| Sample::new(0.0, 1.0, at).with_loads(LoadValue::Instant));
        let spans = vec![Span { from: 0.0, until: 0.02 }, Span { from: 0.02, until: 0.025 }];
        let s = Schedule { samples: instants.to_vec(), ..schedule(spans) };
        // The first acts at 0 (its begin), at half steps and at 0.02 (its end); the second at 0.025
        // alone.
        assert_eq!(s.factors(0), [[1.0, 0.0]; 3]);
        assert_eq!(s.factors(1), [[1.0, 0.0]; 3]);
        assert_eq!(s.factors(2), [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]);
    }

    #[test]
    fn snapshots_are_at_the_start_at_every_multiple_and_at_the_end() {
        let snapshots = |steps, every| Schedule { steps, every, ..schedule(vec![]) }.snapshots();
        assert_eq!(snapshots(1000, 300), [0, 300, 600, 900, 1000]);
        assert_eq!(snapshots(900, 300), [0, 300, 600, 900]);
        assert_eq!(snapshots(7, 100), [0, 7]);
    }

    #[test]
    fn stretches_cover_all_steps_once_and_keep_the_impulse() {
        let s =
            schedule(vec![Span { from: 0.1234, until: 0.5678 }, Span { from: 0.5678, until: f64::INFINITY }]);
        let stretches = s.stretches(0, 1000);
        assert_eq!(stretches.first().map(|s| s.first), Some(0));
        assert_eq!(stretches.last().map(|s| s.end), Some(1000));
        assert!(stretches.windows(2).all(|p| p[0].end == p[1].first));
        assert!(stretches.len() < 12);
        let impulse: f64 =
            stretches.iter().map(|s| (s.end - s.first) as f64 * s.pieces[0].factors[0]).sum::<f64>() * 0.01;
        assert!((impulse - (0.5678 - 0.1234)).abs() < 1e-13);
    }

    #[test]
    fn stretches_do_not_depend_on_where_they_are_asked_from() {
        let s = schedule(vec![Span { from: 0.1234, until: 0.5678 }]);
        let factors_at = |stretches: &[StepRange], k: u64| {
            stretches.iter().find(|s| s.first <= k && k < s.end).map(|s| s.pieces.clone())
        };
        let whole = s.stretches(0, 1000);
        for first in [0, 7, 11, 12, 13, 55, 56, 57, 100] {
            let part = s.stretches(first, 1000);
            for k in first..1000 {
                assert_eq!(factors_at(&part, k), factors_at(&whole, k), "step {k} from {first}");
            }
        }
    }

    #[test]
    fn pieces_end_where_a_load_jumps() {
        let s =
            schedule(vec![Span { from: 0.1225, until: 0.1275 }, Span { from: 0.13, until: f64::INFINITY }]);
        assert_eq!(s.pieces(11), [(0.0, 1.0, vec![0.0, 0.0])]);
        let expected =
            [(0.0, 0.25, vec![0.0, 0.0]), (0.25, 0.75, vec![1.0, 0.0]), (0.75, 1.0, vec![0.0, 0.0])];
        assert_eq!(s.pieces(12), expected);
        assert_eq!(s.pieces(13), [(0.0, 1.0, vec![0.0, 1.0])]);
    }

    #[test]
    fn own_steps_end_where_a_load_jumps() {
        let spans = vec![Span { from: 0.1225, until: 0.1275 }, Span { from: 0.13, until: f64::INFINITY }];
        let s = Schedule { own_steps: true, breaks: vec![0.205, 0.2052], ..schedule(spans) };
        let piece = |until, [a, b]: [f64; 2]| StepPiece { until, factors: vec![a, b, a, b, until] };
        let range = |first, end, pieces| StepRange { first, end, pieces };
        let cut = s.pieces_of_program(20);
        assert_eq!(
            cut.iter().map(|piece| piece.factors.clone()).collect::<Vec<_>>(),
            vec![
                vec![0.0, 1.0, 0.0, 1.0, cut[0].until],
                vec![0.0, 1.0, 0.0, 1.0, cut[1].until],
                vec![0.0, 1.0, 0.0, 1.0, 1.0],
            ]
        );
        assert!((cut[0].until - 0.5).abs() < 1e-12 && (cut[1].until - 0.52).abs() < 1e-12);
        let expected = vec![
            range(0, 12, vec![piece(1.0, [0.0; 2])]),
            range(12, 13, vec![piece(0.25, [0.0; 2]), piece(0.75, [1.0, 0.0]), piece(1.0, [0.0; 2])]),
            range(13, 20, vec![piece(1.0, [0.0, 1.0])]),
            range(20, 21, cut),
            range(21, 1000, vec![piece(1.0, [0.0, 1.0])]),
        ];
        assert_eq!(s.stretches(0, 1000), expected);
        // Where no load can jump, programs are not told of an end.
        let smooth = Schedule { own_steps: true, ..schedule(vec![]) };
        assert_eq!(smooth.stretches(0, 9), [range(0, 9, vec![StepPiece { until: 1.0, factors: vec![] }])]);
    }

    #[test]
    fn events_are_multiples_of_their_periods() {
        let s = Schedule { resynchronise: 30, check: 100, ..schedule(vec![]) };
        let mut step = 0;
        let mut events = vec![];
        while step < 120 {
            step = s.next_event(step, 120);
            events.push(step);
        }
        assert_eq!(events, vec![30, 60, 90, 100, 120]);
        assert!(!s.resynchronises(0) && s.resynchronises(60) && !s.resynchronises(100));
        assert!(Schedule::flushes(0) && Schedule::flushes(100) && !Schedule::flushes(130));
        let s = Schedule { begin: 25, ..s };
        assert_eq!([s.next_event(20, 120), s.next_event(30, 120)], [25, 50]);
        assert!(s.begins(0) && s.begins(50) && !s.begins(60));
        // Without checks or restarts the state is flushed all the same, up to the largest period
        // and step number.
        let s = Schedule { resynchronise: 0, begin: 0, check: u64::MAX, ..s };
        let last = u64::from(u32::MAX);
        assert_eq!([s.next_event(0, 1000), s.next_event(last - 1, last)], [Schedule::FLUSH, last]);
    }
}
