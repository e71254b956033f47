//! The motion of one instance, to be drawn: the first one that moves and came to its end.
//!
//! Which one that is shows only at the end, and must not depend on chunks. So the motions of the
//! first few instances are recorded, and if all of them stopped early, the one that lasted longest
//! is taken.

use serde::{Deserialize, Serialize};
use std::io;

use super::march::Piece;
use crate::backend::{Batch, End, Plan};
use crate::observe::channels::Observer;
use crate::observe::stored::wrong;
use crate::observe::{Verdict, channels};
use crate::output::{Pose, Track};

/// Instances whose motions are recorded.
const CANDIDATES: u64 = 8;
/// Numbers of poses (m, 1) that change by no more than this show rest: an instance may begin in an
/// equilibrium.
const RESTS: f64 = 1e-6;

/// Motions under way.
#[derive(Default, Serialize, Deserialize)]
pub struct Recorder {
    candidates: Vec<Candidate>,
}

#[derive(Serialize, Deserialize)]
struct Candidate {
    motion: Track,
    finished: bool,
}

impl Candidate {
    fn moves(&self) -> bool {
        let numbers = |poses: &[Pose]| -> Vec<f64> {
            poses.iter().flat_map(|pose| pose.position.iter().chain(&pose.attitude)).copied().collect()
        };
        let Some(start) = self.motion.poses.first().map(|poses| numbers(poses)) else { return false };
        let differs = |poses: &Vec<Pose>| {
            numbers(poses).iter().zip(&start).any(|(now, then)| (now - then).abs() > RESTS)
        };
        self.motion.poses.iter().any(differs)
    }
}

/// The observer by which a recorder reads the poses of one chunk's instances.
pub struct PoseObserver<'a> {
    observer: Observer<'a>,
    batch: &'a Batch,
    bodies: usize,
    /// The chunk's first instance.
    first: u64,
    /// Instances of the chunk to look at: its first ones.
    count: usize,
}

impl<'a> PoseObserver<'a> {
    /// For the chunk that begins with instance `first`; `None` if none of it is recorded.
    pub fn new(plan: &'a Plan, batch: &'a Batch, first: u64) -> Option<PoseObserver<'a>> {
        let count = CANDIDATES.saturating_sub(first).min(batch.count as u64) as usize;
        (count > 0).then(|| PoseObserver {
            observer: Observer::new(plan, &[channels::POSITION, channels::ATTITUDE]),
            batch,
            bodies: plan.model.bodies(),
            first,
            count,
        })
    }

    /// The number of instances of the chunk that are recorded: its first ones.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where the bodies of the chunk's i-th instance are; `None`: it has stopped.
    fn poses(&self, piece: &Piece, i: usize) -> Option<Vec<Pose>> {
        let mut row = vec![f64::NAN; self.observer.width()];
        piece.observe(&self.observer, self.batch, i, &mut row);
        // Positions of all bodies, then their attitudes.
        let (positions, attitudes) = row.split_at(3 * self.bodies);
        let pose = |(p, q): (&[f64], &[f64])| Pose {
            position: [p[0], p[1], p[2]],
            attitude: [q[0], q[1], q[2], q[3]],
        };
        row.iter()
            .all(|x| x.is_finite())
            .then(|| positions.chunks_exact(3).zip(attitudes.chunks_exact(4)).map(pose).collect())
    }
}

impl Recorder {
    /// Takes in a snapshot at `time` (s) of a chunk, of which the candidates are in the first
    /// piece.
    pub fn record(&mut self, lens: &PoseObserver<'_>, time: f64, pieces: &[Piece]) {
        let Some(piece) = pieces.first() else { return };
        for i in 0..lens.count {
            let instance = lens.first + i as u64;
            let known = self.candidates.iter().position(|c| c.motion.instance == instance);
            let at = known.unwrap_or_else(|| {
                let motion = Track { instance, ..Track::default() };
                self.candidates.push(Candidate { motion, finished: false });
                self.candidates.len() - 1
            });
            if let Some(poses) = lens.poses(piece, i) {
                let motion = &mut self.candidates[at].motion;
                motion.times.push(time);
                motion.poses.push(poses);
            }
        }
    }

    /// Takes in how the instances of a chunk ended, of which the first is `first`.
    pub fn ended(&mut self, first: u64, ends: &[End]) {
        for candidate in &mut self.candidates {
            let end = candidate.motion.instance.checked_sub(first).and_then(|i| ends.get(i as usize));
            if let Some(end) = end {
                candidate.finished = end.verdict == Verdict::Finished;
            }
        }
    }

    /// Takes in the candidates of the instances that come next.
    pub fn merge(&mut self, next: Recorder) {
        self.candidates.extend(next.candidates);
    }

    /// Refuses motions that were stored of a mechanism of other bodies than so many.
    pub fn of_bodies(self, bodies: usize) -> io::Result<Recorder> {
        let is_whole = |track: &Track| {
            track.poses.len() == track.times.len() && track.poses.iter().all(|poses| poses.len() == bodies)
        };
        match self.candidates.iter().all(|candidate| is_whole(&candidate.motion)) {
            true => Ok(self),
            false => Err(wrong("motions of another mechanism")),
        }
    }

    /// The motions, that to draw first; none if no instance had begun.
    pub fn motions(self) -> Vec<Track> {
        let rank = |c: &Candidate| (c.finished, c.moves(), c.motion.times.len());
        let best = self.candidates.iter().map(rank).max();
        let chosen = self.candidates.iter().position(|c| Some(rank(c)) == best).unwrap_or(0);
        let mut motions: Vec<Track> = self.candidates.into_iter().map(|c| c.motion).collect();
        if let Some(first) = motions.get_mut(..=chosen) {
            first.rotate_right(1);
        }
        motions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances 0 to 2 of which the first rests in an equilibrium and the second stops early.
    #[test]
    fn the_motion_that_is_drawn_moves() {
        let candidate = |instance: u64, steps: usize, rate: f64, finished: bool| {
            let pose = |k: usize| {
                vec![Pose { position: [rate * k as f64, 0.0, 0.0], attitude: [1.0, 0.0, 0.0, 0.0] }]
            };
            let times = (0..steps).map(|k| k as f64).collect();
            Candidate { motion: Track { instance, times, poses: (0..steps).map(pose).collect() }, finished }
        };
        let at_rest = || candidate(0, 5, 0.0, true);
        let recorder =
            Recorder { candidates: vec![at_rest(), candidate(1, 3, 1.0, false), candidate(2, 5, 1.0, true)] };
        let instances = |recorder: Recorder| -> Vec<u64> {
            recorder.motions().iter().map(|motion| motion.instance).collect()
        };
        assert_eq!(instances(recorder), [2, 0, 1]);
        let recorder = Recorder { candidates: vec![at_rest(), candidate(1, 3, 1.0, false)] };
        assert_eq!(instances(recorder), [0, 1]);
        assert!(Recorder::default().motions().is_empty());
    }
}
