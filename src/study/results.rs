//! The records that a run collects over all chunks besides statistics, and their form in a shard,
//! where they wait to be merged.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::Range;

use super::march::Piece;
use super::recorder::Recorder;
use crate::backend::End;
use crate::base::{Precision, VerdictNames};
use crate::describe::{Body, Study};
use crate::observe::Verdict;
use crate::observe::stored::{StoreReader, StoreWriter, wrong};
use crate::output::{FailedInstance, Trajectories};

/// Failed instances that the report lists.
const LISTED_FAILURES: usize = 10;

/// The records that are collected over all chunks.
pub struct RunRecords {
    pub advanced: u64,
    verdicts: VerdictNames,
    /// Instances by verdict.
    pub counts: BTreeMap<String, u64>,
    pub failures: Vec<FailedInstance>,
    pub trajectories: Trajectories,
    pub recorder: Recorder,
    /// The number of the mechanism's bodies, and of their modes.
    bodies: usize,
    modes: usize,
}

impl RunRecords {
    /// Begins the records of an ensemble seen in so many columns at so many times.
    pub fn new(study: &Study, columns: usize, times: usize) -> RunRecords {
        let kept = study.observe.keep.min(study.ensemble.size);
        let verdicts = study.mechanism.verdict_names();
        let counts = verdicts
            .all()
            .map(|verdict| (verdicts.of(verdict).to_string(), 0))
            .filter(|(n, _)| n != "interrupted")
            .collect();
        RunRecords {
            advanced: 0,
            verdicts,
            counts,
            failures: Vec::new(),
            trajectories: Trajectories {
                instances: (0..kept).collect(),
                values: vec![vec![f64::NAN; times * kept as usize]; columns],
                precision: Some(study.run.precision.written()),
            },
            recorder: Recorder::default(),
            bodies: study.mechanism.bodies.len(),
            modes: study.mechanism.bodies.iter().map(Body::modes).sum(),
        }
    }

    /// The number of instances from `first` on whose trajectories are kept.
    pub fn shown(&self, first: u64) -> usize {
        self.trajectories.instances.len().saturating_sub(first as usize)
    }

    /// Keeps the values of the instances whose trajectories are kept; `first` is the chunk's.
    pub fn keep(&mut self, first: u64, time: usize, pieces: &[Piece]) {
        let kept = self.trajectories.instances.len();
        for (column, values) in self.trajectories.values.iter_mut().enumerate() {
            let mut instance = first as usize;
            for piece in pieces {
                if instance >= kept {
                    break;
                }
                let n = piece.values[column].len().min(kept - instance);
                let at = time * kept + instance;
                values[at..at + n].copy_from_slice(&piece.values[column][..n]);
                if self.trajectories.precision == Some(Precision::F32) {
                    // As they are written: a plot made again from the table is the same.
                    values[at..at + n].iter_mut().for_each(|x| *x = f64::from(*x as f32));
                }
                instance += n;
            }
        }
    }

    /// Takes in how the instances of a chunk ended, of which the first is `first`.
    pub fn count(&mut self, first: u64, ends: &[End]) {
        for verdict in self.verdicts.all() {
            let count = ends.iter().filter(|end| end.verdict == verdict).count() as u64;
            if count > 0 {
                *self.counts.entry(self.verdicts.of(verdict).to_string()).or_insert(0) += count;
            }
        }
        self.recorder.ended(first, ends, |verdict| self.verdicts.is_whole(verdict));
        for (i, end) in ends.iter().enumerate() {
            if end.verdict != Verdict::Interrupted {
                self.advanced += 1;
            }
            let failed = !matches!(end.verdict, Verdict::Finished | Verdict::Interrupted);
            if failed && self.failures.len() < LISTED_FAILURES {
                self.failures.push(FailedInstance {
                    instance: first + i as u64,
                    verdict: end.verdict,
                    step: end.step,
                });
            }
        }
    }

    /// Writes all; of the trajectories those of `instances`.
    pub fn store<W: Write>(&self, instances: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()> {
        to.value(&(self.advanced, &self.counts, &self.failures))?;
        let kept = self.trajectories.instances.len() as u64;
        let kept = instances.start.min(kept) as usize..instances.end.min(kept) as usize;
        for values in &self.trajectories.values {
            let times = values.chunks(self.trajectories.instances.len().max(1));
            to.value(&times.map(|time| &time[kept.clone()]).collect::<Vec<_>>())?;
        }
        to.value(&self.recorder)
    }

    /// Takes in what [`store`](Self::store) wrote of instances that come after those so far.
    pub fn absorb<R: Read>(&mut self, instances: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()> {
        let (advanced, counts, failures) =
            from.value::<(u64, BTreeMap<String, u64>, Vec<FailedInstance>)>()?;
        self.advanced += advanced;
        for (verdict, count) in counts {
            *self.counts.entry(verdict).or_insert(0) += count;
        }
        self.failures.extend(failures);
        self.failures.truncate(LISTED_FAILURES);
        let kept = self.trajectories.instances.len();
        let first = instances.start.min(kept as u64) as usize;
        for values in &mut self.trajectories.values {
            let stored: Vec<Vec<f64>> = from.value()?;
            for (time, stored) in values.chunks_mut(kept.max(1)).zip(&stored) {
                let places = time.get_mut(first..first + stored.len());
                places.ok_or_else(|| wrong("more trajectories than are kept"))?.copy_from_slice(stored);
            }
        }
        self.recorder.merge(from.value::<Recorder>()?.of_bodies(self.bodies, self.modes)?);
        Ok(())
    }
}
