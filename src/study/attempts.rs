//! Attempts of own steps inside a step of the study: counted beforehand, since the time of a run goes with
//! them.
//!
//! A group of first instances is advanced over the first sixteenth of the run, on the CPU. The count depends
//! on the study alone, not on the clock.

use std::ops::ControlFlow;

use fearless_simd::Level;

use super::judge::planned;
use super::march::BatchRun;
use crate::backend::cpu;
use crate::backend::cpu::tape::GROUP;
use crate::describe::{ObservedChannel, Study};
use crate::observe::channels::{self, Observer};

/// The trial's share of a run.
const SHARE: u64 = 16;

/// Attempts of a step of the study, on average, of instances that choose their own steps. `None`: it
/// cannot be tried; the run says why.
pub fn counted(study: &Study) -> Option<f64> {
    let count = GROUP.min(usize::try_from(study.ensemble.size).unwrap_or(GROUP));
    let (mut plan, batch) = planned(study, count).ok()?;
    let steps = plan.schedule.steps.div_ceil(SHARE);
    (plan.schedule.steps, plan.schedule.every) = (steps, steps);
    let mut backend = cpu::open(plan.clone(), study.run.precision, study.run.fused, Level::new());
    let counted = [channels::OWN_STEPS, channels::REJECTED_STEPS].map(ObservedChannel::from);
    let mut march = BatchRun::new(&plan, Observer::new(&plan, &counted), &batch);
    let mut attempts = 0.0;
    let seen = |_, pieces: &[super::march::Piece]| {
        attempts = pieces.iter().flat_map(|piece| piece.values.iter().flatten()).sum();
    };
    march.run(&mut *backend, None, seen, |_| ControlFlow::Continue(())).ok()?;
    Some((attempts / (count as f64 * steps as f64)).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study_file::read_study;

    /// The whole run of 10,000 instances takes 24.7 attempts a step, more of them at its start.
    #[test]
    fn a_sixteenth_of_a_run_tells_the_attempts_of_all() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/stiffness_decades.toml");
        let study = read_study(std::path::Path::new(file)).expect("a study");
        let found = counted(&study).expect("own steps");
        assert!((24.7..1.5 * 24.7).contains(&found), "{found}");
    }
}
