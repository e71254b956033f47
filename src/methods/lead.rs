//! How a method's second chain is led away from the motions: by classical Runge-Kutta steps.
//!
//! Two steps of four stages are eight evaluations of the whole mechanism. Written out they would be most of a kernel's text, for
//! something that is done once in hundreds of steps. So one stage is recorded, and backends repeat it:
//!
//! ```text
//! at = base,  sum = 0                                       from here with the next step
//! four times:   k = s f(at),  at = base + a k,  sum = sum + b k          a = 1/2, 1/2, 1, -    b = 1, 2, 2, 1
//! base = base + sum/6,  its quaternions normalised
//! ```
//!
//! A stage after the last of a step would be led by nothing: its a is zero, and nothing reads its `at`.

use crate::kinematics::body::Motion;
use crate::model::system::{System, plus};
use crate::real::Real;

/// Runge-Kutta steps from the motions to the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// Length of one of them, in steps of the method.
    pub step: f64,
    /// Number of them.
    pub steps: usize,
    /// Position of the first one's sample in [`Method::samples`](super::Method::samples), whose loads act during it. Those of the others follow.
    pub first_sample: usize,
}

/// Stages of a Runge-Kutta step.
pub const STAGES: usize = 4;

/// What differs from stage to stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    pub a: f64,
    pub b: f64,
    /// Its instant, in steps of the method after the start.
    pub time: f64,
    /// Position of its sample.
    pub sample: usize,
}

impl Lead {
    /// All stages, step after step, [`STAGES`] each.
    pub fn stages(&self) -> impl Iterator<Item = Stage> + '_ {
        let instants = [0.0, 0.5, 0.5, 1.0];
        let (a, b) = ([0.5, 0.5, 1.0, 0.0], [1.0, 2.0, 2.0, 1.0]);
        (0..self.steps).flat_map(move |step| {
            (0..STAGES).map(move |stage| Stage {
                a: a[stage],
                b: b[stage],
                time: self.step * (step as f64 + instants[stage]),
                sample: self.first_sample + step,
            })
        })
    }
}

/// Where a Runge-Kutta step stands.
#[derive(Clone, Debug)]
pub struct LeadState<R> {
    /// At the step's start.
    pub base: Vec<Motion<R>>,
    /// Where the next stage looks.
    pub at: Vec<Motion<R>>,
    /// Weighted rates so far.
    pub sum: Vec<Motion<R>>,
}

impl<R: Real> LeadState<R> {
    /// Before the first stage.
    pub fn open(base: Vec<Motion<R>>) -> LeadState<R> {
        LeadState { at: base.clone(), sum: base.iter().map(Motion::zeroed).collect(), base }
    }

    /// After a stage, whose loads and instant are those of the system's only sample. `step`: that of the Runge-Kutta step (s).
    pub fn stage(&self, system: &System<R>, step: R, a: R, b: R) -> LeadState<R> {
        let zero: Vec<Motion<R>> = self.base.iter().map(Motion::zeroed).collect();
        let rate = system.rate_add(step, 0, &self.at, &zero);
        LeadState { base: self.base.clone(), at: plus(&self.base, a, &rate), sum: plus(&self.sum, b, &rate) }
    }

    /// The motions after the last stage.
    pub fn settled(&self) -> Vec<Motion<R>> {
        let sixth = self.base[0].q[0].lift(1.0 / 6.0);
        plus(&self.base, sixth, &self.sum).into_iter().map(Motion::normalised).collect()
    }
}
