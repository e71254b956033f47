//! The part of a batch that has come back from a device, for the host to read.

use crate::backend::program::Lows;
use crate::backend::{Batch, End};
use crate::base::Verdict;
use crate::real::Element;

/// The motion of a batch as last fetched, how its instances have ended, and the channels
/// that never left the host.
#[derive(Default)]
pub struct HostCopy<E> {
    /// By plane, as many values as there are ends.
    planes: Vec<E>,
    /// Code of the verdict, and step.
    ends: Vec<[u32; 2]>,
    /// Initial values of channels without a plane.
    resting: Vec<Vec<E>>,
}

impl<E: Element> HostCopy<E> {
    /// Takes the first `channels` of the batch that are not among `planes`.
    pub fn rest(&mut self, batch: &Batch, channels: usize, planes: &[usize]) {
        let resting = |c: usize| match planes.contains(&c) {
            true => Vec::new(),
            false => batch.states[c].iter().map(|x| E::from_f64(*x)).collect(),
        };
        self.resting = (0..channels).map(resting).collect();
    }

    /// Returns the values of resting channels, by channel; empty for a channel with a plane.
    pub fn resting(&self) -> &[Vec<E>] {
        &self.resting
    }

    /// Room for so many planes of `count` instances, and for their ends.
    pub fn room(&mut self, planes: usize, count: usize) -> (&mut [E], &mut [[u32; 2]]) {
        self.planes.resize(planes * count, E::default());
        self.ends.resize(count, [0; 2]);
        (&mut self.planes, &mut self.ends)
    }

    /// As [`StateReader::read_channel`](crate::backend::StateReader::read_channel);
    /// `planes`: the channel of each.
    pub fn read_channel(&self, planes: &[usize], lows: Lows, channel: usize, first: usize, out: &mut [f64]) {
        let plane = |channel: usize| {
            let at = planes.iter().position(|c| *c == channel)?;
            Some(&self.planes[at * self.ends.len() + first..])
        };
        let source = plane(channel).unwrap_or_else(|| &self.resting[channel][first..]);
        for (out, x) in out.iter_mut().zip(source) {
            *out = x.flushed().to_f64();
        }
        for (out, low) in out.iter_mut().zip(lows.of(channel).and_then(plane).unwrap_or_default()) {
            *out += low.flushed().to_f64();
        }
    }

    /// As [`StateReader::ends`](crate::backend::StateReader::ends).
    pub fn ends(&self, first: usize, out: &mut [End]) {
        for (end, [verdict, step]) in out.iter_mut().zip(&self.ends[first..]) {
            let verdict = Verdict::of_code(*verdict);
            *end = End { verdict: verdict.unwrap_or(Verdict::NonFinite), step: u64::from(*step) };
        }
    }
}
