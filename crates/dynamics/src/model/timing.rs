//! When a step happens, and when its method looks.

use super::sample::Sample;
use crate::kinematics::function::Moment;
use crate::math::functions::least;
use crate::real::Real;

/// When the step happens, and when its method looks.
pub struct Timing<R> {
    /// The full step of the study (s).
    pub full: R,
    /// `None`: it is taken as a whole.
    pub part: Option<PartOfStep<R>>,
    /// Number of steps before this one.
    pub clock: R,
    pub samples: Vec<Sample>,
    /// Number of samples that are the method's own. The samples after them are for effects of
    /// forces at the start of the step and at its end.
    pub own: usize,
    /// Whether any function of time may jump or bend.
    pub meets_jumps: bool,
}

/// A side of an instant, from which a jump is seen there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    Before,
    After,
}

/// A part of the step of the study that is taken as a step by itself.
#[derive(Clone, Copy, Debug)]
pub struct PartOfStep<R> {
    /// Share of the step of the study before it.
    pub from: R,
    /// Share of the step of the study that it is.
    pub share: R,
}

impl<R: Real> Timing<R> {
    /// The time so many steps after the step's start (s).
    pub fn time(&self, steps: f64) -> R {
        (self.clock + self.gone(steps)) * self.full
    }

    /// When functions of time are taken for this sample: at a jump those of the side on which it
    /// looks, else the mean of both.
    pub fn moment(&self, sample: Sample) -> Moment<R> {
        let Sample { from, until, at, .. } = sample;
        match (from < at, at < until) {
            (true, true) => {
                let [before, after] = [Neighbour::Before, Neighbour::After].map(|side| self.beside(at, side));
                Moment { time: before.time, sides: [before.sides, after.sides].concat() }
            }
            (true, false) => self.beside(at, Neighbour::Before),
            _ => self.beside(at, Neighbour::After),
        }
    }

    /// So many steps after the step's start, as seen from one side: by eight last bits of the time,
    /// which is more than what a jump meant to be there is off by rounding, and at most by a
    /// quarter of the step.
    pub fn beside(&self, steps: f64, side: Neighbour) -> Moment<R> {
        const BITS: f64 = 8.0;
        let time = self.time(steps);
        if !self.meets_jumps {
            return Moment::at(time);
        }
        let (clock, one) = (self.clock, self.clock.lift(1.0));
        let share = self.part.map_or(one, |part| part.share);
        let bits = (clock + one) * one.lift(BITS * one.precision().epsilon());
        let away = least(bits, share * one.lift(0.25));
        let gone = match side {
            Neighbour::Before => self.gone(steps) - away,
            Neighbour::After => self.gone(steps) + away,
        };
        Moment { time, sides: vec![(clock + gone) * self.full] }
    }

    /// In steps of the study, from the step's start.
    fn gone(&self, steps: f64) -> R {
        let steps = self.clock.lift(steps);
        match self.part {
            None => steps,
            Some(PartOfStep { from, share }) => steps.mul_add(share, from),
        }
    }

    /// The step that is taken (s).
    pub(super) fn step(&self) -> R {
        self.part.map_or(self.full, |part| part.share * self.full)
    }
}
