//! Leads a method's second chain away from the motions by classical Runge-Kutta steps.
//!
//! Two steps of four stages are eight evaluations of the whole mechanism. Written out they would be
//! most of a kernel's text, for something that is done once in hundreds of steps. So one stage is
//! recorded, and backends repeat it:
//!
//! ```text
//! at = base,  sum = 0                                       from here with the next step
//! four times:  k = s f(at),  at = base + a k,  sum = sum + b k  a = 1/2, 1/2, 1, -  b = 1, 2, 2, 1
//! base = base + sum/6,  its quaternions normalised
//! ```
//!
//! A stage after the last of a step would be led by nothing: its a is zero, and nothing reads its
//! `at`.

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
    /// Position of the first one's sample in [`Method::samples`](super::Method::samples), whose
    /// loads act during it. Those of the others follow.
    pub first_sample: usize,
}

/// Stages of a Runge-Kutta step.
pub const STAGES: usize = 4;

/// The numbers that differ from stage to stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadStage {
    pub a: f64,
    pub b: f64,
    /// Its instant, in steps of the method after the start.
    pub time: f64,
    /// Position of its sample.
    pub sample: usize,
}

impl Lead {
    /// All stages, step after step, [`STAGES`] each.
    pub fn stages(&self) -> impl Iterator<Item = LeadStage> + '_ {
        let instants = [0.0, 0.5, 0.5, 1.0];
        let (a, b) = ([0.5, 0.5, 1.0, 0.0], [1.0, 2.0, 2.0, 1.0]);
        (0..self.steps).flat_map(move |step| {
            (0..STAGES).map(move |stage| LeadStage {
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

    /// After a stage, whose loads and instant are those of the system's only sample. `step`: that
    /// of the Runge-Kutta step (s).
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

#[cfg(test)]
mod tests {
    use super::*;

    const LEAD: Lead = Lead { step: 0.25, steps: 2, first_sample: 5 };

    /// y' = f(t, y) of one number from y = 1 at t = 0, by the formulas of the module.
    fn led(f: impl Fn(f64, f64) -> f64) -> f64 {
        let mut base = 1.0;
        for step in LEAD.stages().collect::<Vec<LeadStage>>().chunks(STAGES) {
            let (mut at, mut sum) = (base, 0.0);
            for stage in step {
                let k = LEAD.step * f(stage.time, at);
                (at, sum) = (base + stage.a * k, sum + stage.b * k);
            }
            base += sum / 6.0;
        }
        base
    }

    /// A classical Runge-Kutta step integrates polynomials of the third degree exactly, and
    /// multiplies y by a Taylor polynomial where y' = y.
    #[test]
    fn two_steps_of_fourth_order_lead_to_the_half() {
        assert!((led(|t, _| 4.0 * t * t * t) - 1.0625).abs() < 1e-15);
        let z = LEAD.step;
        let growth = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
        assert!((led(|_, y| y) - growth * growth).abs() < 1e-15);
        // Where f depends on both, the error is of the fifth order.
        assert!((led(|t, y| t * y) - 0.125_f64.exp()).abs() < 1e-6);
    }

    #[test]
    fn every_step_sees_the_loads_of_its_own_sample() {
        let samples: Vec<usize> = LEAD.stages().map(|stage| stage.sample).collect();
        assert_eq!(samples, [5, 5, 5, 5, 6, 6, 6, 6]);
    }
}
