//! The motion of one instance, to be drawn. It is chosen at the end of the run, and must not
//! depend on chunks. So the motions of a few instances are recorded: the first ones, of a grid
//! cells all over it. Of those that move and came to their ends, or lasted longest, the one that is
//! least far from all the others is played first.

use serde::{Deserialize, Serialize};
use std::io;

use super::march::Piece;
use crate::backend::{Batch, End, Plan};
use crate::describe::{Body, Mechanism, Study};
use crate::kinematics::body::Motion;
use crate::math::vector::{length, sub};
use crate::observe::channels::Observer;
use crate::observe::stored::wrong;
use crate::observe::{Verdict, channels};
use crate::output::{Pose, Track};

/// Instances whose motions are recorded.
const CANDIDATES: u64 = 8;
/// The largest grid of which cells all over it are recorded: up to the last of them, states of all
/// instances are fetched from a device at every snapshot.
const LARGEST_GRID: u64 = 1 << 14;
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

    /// The farthest that a body comes from where it begins (m).
    fn reach(&self) -> f64 {
        let Some(start) = self.motion.poses.first() else { return 0.0 };
        let poses = self.motion.poses.iter().flat_map(|poses| poses.iter().zip(start));
        poses.map(|(now, then)| length(sub(now.position, then.position))).fold(0.0, f64::max)
    }

    /// The distance of the motion from another, over all snapshots that both have: positions as
    /// shares of `reach` (m), attitudes by `1 - |q . p|`.
    fn apart(&self, other: &Candidate, reach: f64) -> f64 {
        let both = self.motion.poses.iter().flatten().zip(other.motion.poses.iter().flatten());
        let distance = |(a, b): (&Pose, &Pose)| {
            let turned: f64 = a.attitude.iter().zip(b.attitude).map(|(q, p)| q * p).sum();
            length(sub(a.position, b.position)) / reach + 1.0 - turned.abs()
        };
        both.map(distance).sum()
    }
}

/// The observer by which a recorder reads the poses of one chunk's instances.
pub struct PoseObserver<'a> {
    observer: Observer<'a>,
    plan: &'a Plan,
    batch: &'a Batch,
    /// The chunk's first instance.
    first: u64,
    /// Instances of the chunk to look at, by their places in it.
    places: Vec<usize>,
}

/// The instances whose motions are recorded.
fn candidates(study: &Study) -> Vec<u64> {
    let size = study.ensemble.size;
    let axes: Vec<u64> = study.ensemble.vary.iter().filter_map(|vary| vary.distribution.points()).collect();
    if axes.is_empty() || size > LARGEST_GRID {
        return (0..CANDIDATES.min(size)).collect();
    }
    // The middle, and then points of a sequence that fills the cube evenly (Roberts).
    let mut ratio = 2.0_f64;
    for _ in 0..64 {
        ratio = (1.0 + ratio).powf(1.0 / (axes.len() as f64 + 1.0));
    }
    let cell = |k: u64| {
        axes.iter().enumerate().fold(0, |cell, (axis, points)| {
            let share = (0.5 + k as f64 * ratio.powi(-(axis as i32) - 1)).fract();
            cell * points + (share * *points as f64) as u64
        })
    };
    let mut chosen: Vec<u64> = (0..CANDIDATES).map(cell).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

impl<'a> PoseObserver<'a> {
    /// For the chunk that begins with instance `first`; `None` if none of it is recorded.
    pub fn new(study: &Study, plan: &'a Plan, batch: &'a Batch, first: u64) -> Option<PoseObserver<'a>> {
        let of_chunk = |instance: u64| {
            let place = instance.checked_sub(first)? as usize;
            (place < batch.count).then_some(place)
        };
        let places: Vec<usize> = candidates(study).into_iter().filter_map(of_chunk).collect();
        (!places.is_empty()).then(|| PoseObserver {
            observer: Observer::new(plan, &[channels::POSITION, channels::ATTITUDE]),
            plan,
            batch,
            first,
            places,
        })
    }

    /// The number of the chunk's first instances among which are all that are recorded.
    pub fn count(&self) -> usize {
        self.places.last().map_or(0, |last| last + 1)
    }

    /// Where the bodies of the piece's i-th instance are, and how they are bent; `None`: it has
    /// stopped.
    fn posture(&self, piece: &Piece, i: usize) -> Option<(Vec<Pose>, Vec<f64>)> {
        let mut row = vec![f64::NAN; self.observer.width()];
        piece.observe(&self.observer, self.batch, i, &mut row);
        if !row.iter().all(|x| x.is_finite()) {
            return None;
        }
        // Positions of all bodies, then their attitudes.
        let mechanism = self.plan.model.mechanism();
        let (positions, attitudes) = row.split_at(3 * mechanism.bodies.len());
        let pose = |(p, q): (&[f64], &[f64])| Pose {
            position: [p[0], p[1], p[2]],
            attitude: [q[0], q[1], q[2], q[3]],
        };
        let poses = positions.chunks_exact(3).zip(attitudes.chunks_exact(4)).map(pose).collect();
        let amplitudes = match mechanism.bodies.iter().any(|body| body.modes() > 0) {
            true => {
                let state: Vec<f64> = piece.states().iter().map(|channel| channel[i]).collect();
                amplitudes(mechanism, &self.plan.model.motions(&state))
            }
            false => Vec::new(),
        };
        Some((poses, amplitudes))
    }
}

/// The amplitudes of all modes, body after body. Whatever else a body carries there comes after its
/// own.
pub fn amplitudes(mechanism: &Mechanism, motions: &[Motion<f64>]) -> Vec<f64> {
    let own_amplitudes =
        |(body, motion): (&Body, &Motion<f64>)| motion.modal.amplitudes[..body.modes()].to_vec();
    mechanism.bodies.iter().zip(motions).flat_map(own_amplitudes).collect()
}

impl Recorder {
    /// Takes in a snapshot at `time` (s) of a chunk, whose pieces are alike but for the last.
    pub fn record(&mut self, observer: &PoseObserver<'_>, time: f64, pieces: &[Piece]) {
        let Some(together) = pieces.first().map(Piece::instances) else { return };
        for place in &observer.places {
            let Some(piece) = pieces.get(place / together) else { return };
            let instance = observer.first + *place as u64;
            let known = self.candidates.iter().position(|c| c.motion.instance == instance);
            let at = known.unwrap_or_else(|| {
                let motion = Track { instance, ..Track::default() };
                self.candidates.push(Candidate { motion, finished: false });
                self.candidates.len() - 1
            });
            if let Some((poses, amplitudes)) = observer.posture(piece, place % together) {
                let motion = &mut self.candidates[at].motion;
                motion.times.push(time);
                motion.poses.push(poses);
                motion.amplitudes.push(amplitudes);
            }
        }
    }

    /// Adds the ends of a chunk's instances; the chunk begins with instance `first`.
    pub fn ended(&mut self, first: u64, ends: &[End], is_whole: impl Fn(Verdict) -> bool) {
        for candidate in &mut self.candidates {
            let end = candidate.motion.instance.checked_sub(first).and_then(|i| ends.get(i as usize));
            if let Some(end) = end {
                candidate.finished = is_whole(end.verdict);
            }
        }
    }

    /// Takes in the candidates of the instances that come next.
    pub fn merge(&mut self, next: Recorder) {
        self.candidates.extend(next.candidates);
    }

    /// Refuses motions that were stored of a mechanism of other bodies and modes than so many.
    pub fn of_bodies(self, bodies: usize, modes: usize) -> io::Result<Recorder> {
        let is_whole = |track: &Track| {
            let snapshots = [track.poses.len(), track.amplitudes.len()];
            snapshots == [track.times.len(); 2]
                && track.poses.iter().all(|poses| poses.len() == bodies)
                && track.amplitudes.iter().all(|amplitudes| amplitudes.len() == modes)
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
        let eligible: Vec<usize> =
            (0..self.candidates.len()).filter(|c| Some(rank(&self.candidates[*c])) == best).collect();
        let reach = eligible.iter().map(|c| self.candidates[*c].reach()).fold(f64::MIN_POSITIVE, f64::max);
        let from_others = |c: usize| -> f64 {
            eligible.iter().map(|other| self.candidates[c].apart(&self.candidates[*other], reach)).sum()
        };
        let nearest = |a: &usize, b: &usize| from_others(*a).total_cmp(&from_others(*b));
        let chosen = eligible.iter().copied().min_by(nearest).unwrap_or(0);
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
    use crate::describe::Distribution;

    fn candidate(instance: u64, steps: usize, rate: f64, finished: bool) -> Candidate {
        let pose =
            |k: usize| vec![Pose { position: [rate * k as f64, 0.0, 0.0], attitude: [1.0, 0.0, 0.0, 0.0] }];
        let motion = Track {
            instance,
            times: (0..steps).map(|k| k as f64).collect(),
            poses: (0..steps).map(pose).collect(),
            amplitudes: vec![Vec::new(); steps],
        };
        Candidate { motion, finished }
    }

    fn instances(candidates: Vec<Candidate>) -> Vec<u64> {
        Recorder { candidates }.motions().iter().map(|motion| motion.instance).collect()
    }

    /// Instances 0 to 2 of which the first rests in an equilibrium and the second stops early.
    #[test]
    fn the_motion_that_is_drawn_moves() {
        let at_rest = || candidate(0, 5, 0.0, true);
        assert_eq!(
            instances(vec![at_rest(), candidate(1, 3, 1.0, false), candidate(2, 5, 1.0, true)]),
            [2, 0, 1]
        );
        assert_eq!(instances(vec![at_rest(), candidate(1, 3, 1.0, false)]), [0, 1]);
        assert!(Recorder::default().motions().is_empty());
    }

    /// The slowest and the fastest are at the ends of what happens.
    #[test]
    fn the_motion_that_is_drawn_is_like_the_others() {
        let all = [9.0, 1.0, 2.0, 2.1, 5.0].into_iter().enumerate();
        let all = all.map(|(k, rate)| candidate(k as u64, 5, rate, true)).collect();
        assert_eq!(instances(all), [3, 0, 1, 2, 4]);
    }

    #[test]
    fn a_grid_is_recorded_all_over() {
        let study = |size: u64, points: &[usize]| {
            let mut study =
                crate::study_file::read_study(std::path::Path::new("studies/furuta_chaos.toml")).unwrap();
            study.ensemble.size = size;
            study.ensemble.vary.truncate(points.len());
            for (vary, n) in study.ensemble.vary.iter_mut().zip(points) {
                vary.distribution = Distribution::List { values: vec![vec![0.0]; *n] };
            }
            study
        };
        let chosen = candidates(&study(1024, &[32, 32]));
        assert!(chosen.contains(&(16 * 32 + 16)) && chosen.len() == 8, "{chosen:?}");
        let rows: std::collections::BTreeSet<u64> = chosen.iter().map(|i| i / 32).collect();
        let columns: std::collections::BTreeSet<u64> = chosen.iter().map(|i| i % 32).collect();
        assert!(rows.len() >= 4 && columns.len() > 5, "{chosen:?}");
        assert_eq!(candidates(&study(1 << 20, &[1024, 1024])), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(candidates(&study(3, &[3])), [0, 1, 2]);
    }
}
